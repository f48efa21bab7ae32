/* test-events.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-crc32c.h"
#include "flow-event-file.h"
#include "flow-model.h"
#include "flow-proto-writer.h"
#include "flow-record-reader.h"
#include "flow-test-damage.h"
#include "flow-test-hex.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define RECORDED "golden/events/events.out.tfevents.1700000000.recorded"
/* How many damaged copies an ordinary run reads; FLOW_TEST_FUZZ=1 reads all. */
#define SAMPLE 1200

/* --- Making records --- */

static void
append_record (GByteArray *file,
               GBytes     *record)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (record, &size);
  guint64 length = GUINT64_TO_LE ((guint64) size);
  guint32 crc = GUINT32_TO_LE (flow_crc32c_mask (flow_crc32c (&length, sizeof length)));

  g_byte_array_append (file, (const guint8 *) &length, sizeof length);
  g_byte_array_append (file, (const guint8 *) &crc, sizeof crc);
  g_byte_array_append (file, data, (guint) size);
  crc = GUINT32_TO_LE (flow_crc32c_mask (flow_crc32c (data, size)));
  g_byte_array_append (file, (const guint8 *) &crc, sizeof crc);
}

static void
append_scalar (GByteArray *file,
               gint64      step,
               const char *tag,
               gsize       tag_size,
               float       value)
{
  FlowProtoWriter w;
  g_autoptr (GBytes) record = NULL;

  flow_proto_writer_init (&w);
  flow_proto_writer_add_double (&w, 1, 10.0);
  flow_proto_writer_add_int (&w, 2, step);
  flow_proto_writer_begin (&w, 5);
  flow_proto_writer_begin (&w, 1);
  flow_proto_writer_add_bytes (&w, 1, tag, tag_size);
  flow_proto_writer_add_float (&w, 2, value);
  flow_proto_writer_end (&w);
  flow_proto_writer_end (&w);
  record = flow_proto_writer_finish (&w, NULL);
  append_record (file, record);
}

static FlowEventFile *
read_bytes (GBytes  *bytes,
            GError **error)
{
  const char *label = "x";

  return flow_event_file_load_bytes (&bytes, 1, &label, NULL, NULL, error);
}

/* --- What TensorFlow reads --- */

static double
number (const char *text)
{
  return strcmp (text, "nan") == 0 ? NAN : strcmp (text, "inf") == 0 ? INFINITY : g_ascii_strtod (text, NULL);
}

static gboolean
same_number (double a,
             double b)
{
  return a == b || (isnan (a) && isnan (b));
}

static void
test_recorded (void)
{
  static const struct {
    const char *name;
    FlowEventKind kind;
  } kinds[] = {
    { "scalar", FLOW_EVENT_SCALAR }, { "histo", FLOW_EVENT_HISTOGRAM }, { "image", FLOW_EVENT_IMAGE },
    { "tensor", FLOW_EVENT_TENSOR },
  };
  g_autofree char *path = flow_test_path (RECORDED);
  g_autoptr (GBytes) table = flow_test_read ("golden/events/events.tsv");
  g_autofree char *text = g_strndup (g_bytes_get_data (table, NULL), g_bytes_get_size (table));
  g_auto (GStrv) lines = g_strsplit (g_strchomp (text), "\n", -1);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_direct_hash, g_direct_equal);
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowEventFile) events = flow_event_file_load (path, &error);
  guint n_events = 0;
  guint n_series = 0;
  guint n_points = 0;

  g_assert_no_error (error);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) columns = g_strsplit (lines[i], "\t", -1);
      FlowEventSeries *series = NULL;
      const FlowEventPoint *point;
      guint at;

      if (strcmp (columns[0], "what") == 0)
        {
          n_events++;
          continue;
        }
      for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
        if (strcmp (columns[0], kinds[k].name) == 0)
          series = flow_event_file_find (events, kinds[k].kind, columns[1]);
      if (series == NULL)
        series = flow_event_file_find (events, FLOW_EVENT_TEXT, columns[1]);
      g_assert_nonnull (series);
      at = GPOINTER_TO_UINT (g_hash_table_lookup (seen, series));
      n_series += at == 0;
      g_hash_table_insert (seen, series, GUINT_TO_POINTER (at + 1));
      g_assert_cmpuint (at, <, series->points->len);
      point = &g_array_index (series->points, FlowEventPoint, at);
      g_assert_cmpint (point->step, ==, g_ascii_strtoll (columns[2], NULL, 10));
      g_assert_cmpfloat (point->wall_time, >=, 1700000000.0);
      if (series->kind == FLOW_EVENT_SCALAR)
        g_assert_true (same_number (point->value, number (columns[3])));
      if (series->kind == FLOW_EVENT_HISTOGRAM)
        {
          g_autoptr (FlowEventHistogram) histogram = flow_event_file_dup_histogram (events, series, at, &error);

          g_assert_no_error (error);
          g_assert_cmpfloat (histogram->sum, ==, number (columns[3]));
          g_assert_cmpfloat (histogram->num, ==, 4);
          g_assert_cmpuint (histogram->n_buckets, >, 0);
        }
      n_points++;
    }
  g_assert_cmpuint (flow_event_file_get_n_events (events), ==, n_events);
  g_assert_cmpuint (flow_event_file_get_series (events)->len, ==, n_series + 1);
  g_assert_nonnull (flow_event_file_find (events, FLOW_EVENT_RUN_METADATA, "step6"));
  g_assert_cmpuint (n_points, ==, 50);
  g_assert_cmpstr (flow_event_file_get_version (events), ==, "brain.Event:2");
  g_assert_cmpuint (flow_event_file_get_problems (events)->len, ==, 0);
}

static void
test_names_and_logs (void)
{
  g_autofree char *path = flow_test_path (RECORDED);
  g_autoptr (FlowEventFile) events = flow_event_file_load (path, NULL);
  FlowEventSeries *series = flow_event_file_find (events, FLOW_EVENT_SCALAR, "tensor_scalar");
  GPtrArray *logs = flow_event_file_get_session_logs (events);

  g_assert_cmpstr (series->display_name, ==, "Shown as");
  g_assert_cmpstr (series->description, ==, "A tensor of one number");
  g_assert_cmpstr (series->plugin, ==, "scalars");
  g_assert_cmpuint (series->n_restarts, ==, 1);
  g_assert_cmpuint (logs->len, ==, 2);
  g_assert_cmpint (((FlowSessionLog *) logs->pdata[0])->status, ==, 1);
  g_assert_cmpint (((FlowSessionLog *) logs->pdata[1])->status, ==, 3);
  g_assert_cmpstr (((FlowSessionLog *) logs->pdata[1])->checkpoint_path, ==, "/m/model.ckpt-6");
}

/* As a model: the meta graph that was written with the events. */
static void
test_model (void)
{
  g_autofree char *path = flow_test_path (RECORDED);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowModel) model = flow_model_load (path, NULL, &error);
  g_autoptr (FlowModel) whole = NULL;
  g_autoptr (GBytes) bytes = flow_test_read (RECORDED);
  g_autoptr (GBytes) graph = NULL;
  g_autoptr (FlowModel) converted = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (flow_model_get_kind (model), ==, FLOW_MODEL_EVENT_FILE);
  g_assert_cmpuint (flow_graph_get_n_nodes (flow_model_get_graph (model)), ==, 62);
  g_assert_nonnull (flow_graph_get_collection (flow_model_get_graph (model), "trainable_variables"));
  g_assert_nonnull (flow_event_file_find (flow_model_get_events (model), FLOW_EVENT_SCALAR, "loss_summary"));

  whole = flow_model_load (folder, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (flow_graph_get_n_nodes (flow_model_get_graph (whole)), ==, 62);
  g_assert_cmpuint (flow_event_file_get_n_files (flow_model_get_events (whole)), ==, 1);

  graph = flow_model_convert_bytes (bytes, "x", FLOW_MODEL_GRAPH_DEF, FALSE, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (graph, flow_model_get_graph_bytes (model)));
}

/* All files of a folder are one story, in the order of their names. */
static void
test_folder (void)
{
  g_autofree char *folder = g_dir_make_tmp ("flow-events-XXXXXX", NULL);
  g_autofree char *first = g_build_filename (folder, "events.out.tfevents.0000000001.h", NULL);
  g_autofree char *second = g_build_filename (folder, "events.out.tfevents.0000000002.h", NULL);
  g_autoptr (GByteArray) a = g_byte_array_new ();
  g_autoptr (GByteArray) b = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowModel) model = NULL;
  FlowEventSeries *series;

  append_scalar (b, 30, "t", 1, 3);
  append_scalar (a, 10, "t", 1, 1);
  append_scalar (a, 20, "t", 1, 2);
  g_assert_true (g_file_set_contents (second, (const char *) b->data, b->len, NULL));
  g_assert_true (g_file_set_contents (first, (const char *) a->data, a->len, NULL));
  model = flow_model_load (folder, NULL, &error);
  g_assert_no_error (error);
  series = flow_event_file_find (flow_model_get_events (model), FLOW_EVENT_SCALAR, "t");
  g_assert_cmpuint (series->points->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat (g_array_index (series->points, FlowEventPoint, i).value, ==, i + 1.0);
  g_assert_cmpuint (flow_graph_get_n_nodes (flow_model_get_graph (model)), ==, 0);
  g_unlink (first);
  g_unlink (second);
  g_rmdir (folder);
}

/* --- Damage --- */

/* Whatever byte a file ends at: what stands before is read, and the place is said. */
static void
test_every_end (void)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();
  guint ends[3];

  for (guint i = 0; i < 3; i++)
    {
      append_scalar (file, (gint64) i, "t", 1, (float) i);
      ends[i] = file->len;
    }
  for (guint n = 1; n < file->len; n++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (file->data, n);
      g_autoptr (GError) error = NULL;
      g_autoptr (FlowEventFile) events = read_bytes (bytes, &error);
      guint n_whole = (n >= ends[0]) + (n >= ends[1]);
      g_autofree char *place = g_strdup_printf ("truncated record at %u", n_whole == 0 ? 0 : ends[n_whole - 1]);

      if (n_whole == 0)
        {
          g_assert_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS);
          g_assert_nonnull (strstr (error->message, place));
          continue;
        }
      g_assert_no_error (error);
      g_assert_cmpuint (flow_event_file_get_n_events (events), ==, n_whole);
      if (n == ends[n_whole - 1])
        {
          g_assert_cmpuint (flow_event_file_get_problems (events)->len, ==, 0);
          continue;
        }
      g_assert_cmpuint (flow_event_file_get_problems (events)->len, ==, 1);
      g_assert_nonnull (strstr (((FlowProblem *) flow_event_file_get_problems (events)->pdata[0])->text, place));
    }
}

static void
test_damaged_records (void)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autoptr (GBytes) bad_data = NULL;
  g_autoptr (GBytes) bad_length = NULL;
  g_autoptr (FlowEventFile) skipped = NULL;
  g_autoptr (FlowEventFile) stopped = NULL;
  const FlowProblem *problem;
  guint second;

  append_scalar (file, 1, "t", 1, 1);
  second = file->len;
  append_scalar (file, 2, "t", 1, 2);
  append_scalar (file, 3, "t", 1, 3);

  file->data[second + 14] ^= 1;
  bad_data = g_bytes_new (file->data, file->len);
  file->data[second + 14] ^= 1;
  file->data[second] ^= 1;
  bad_length = g_bytes_new (file->data, file->len);

  skipped = read_bytes (bad_data, NULL);
  g_assert_cmpuint (flow_event_file_get_n_events (skipped), ==, 2);
  problem = flow_event_file_get_problems (skipped)->pdata[0];
  g_assert_cmpint (problem->offset, ==, second);
  g_assert_cmpint (problem->code, ==, FLOW_ERROR_DATA_LOSS);
  g_assert_nonnull (strstr (problem->text, "corrupted record at"));

  stopped = read_bytes (bad_length, NULL);
  g_assert_cmpuint (flow_event_file_get_n_events (stopped), ==, 1);
  problem = flow_event_file_get_problems (stopped)->pdata[0];
  g_assert_cmpint (problem->offset, ==, second);
}

/* A length that no file has costs nothing. */
static void
test_huge_length (void)
{
  static const guint64 lengths[] = { G_GUINT64_CONSTANT (1) << 40, G_GUINT64_CONSTANT (1) << 63, G_MAXUINT64,
                                     G_MAXUINT64 - 15 };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      guint8 header[64] = { 0 };
      guint64 length = GUINT64_TO_LE (lengths[i]);
      guint32 crc;
      FlowRecordReader reader;

      memcpy (header, &length, sizeof length);
      crc = GUINT32_TO_LE (flow_crc32c_mask (flow_crc32c (header, 8)));
      memcpy (header + 8, &crc, sizeof crc);
      flow_record_reader_init (&reader, header, sizeof header);
      g_assert_cmpint (flow_record_reader_next (&reader), ==, FLOW_RECORD_TRUNCATED);
      g_assert_cmpint (flow_record_reader_next (&reader), ==, FLOW_RECORD_TRUNCATED);
    }
}

static void
append_hex (GByteArray *file,
            const char *hex)
{
  g_autoptr (GBytes) record = flow_test_unhex (hex);

  append_record (file, record);
}

/* A value that may not be is told; the others are shown. */
static void
test_bad_values (void)
{
  static const char *const values[] = {
    /* a histogram of 3 limits and 1 bucket: tag "h" */
    "0a01682a22" "3218" "000000000000f03f" "0000000000000040" "0000000000000840" "3a08" "000000000000f03f",
    /* one with a NaN limit */
    "0a01682a14" "3208" "000000000000f87f" "3a08" "000000000000f03f",
    /* an image of 2^31 x 2^31 */
    "0a0169220c" "088080808008" "108080808008",
    /* a tag that is no UTF-8 */
    "0a02ff00150000803f",
    /* a tensor that is no message */
    "0a017442020aff",
  };
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowEventFile) events = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *hex = g_strdup_printf ("0900000000000024402a%02x0a%02x%s", (guint) strlen (values[i]) / 2 + 2,
                                              (guint) strlen (values[i]) / 2, values[i]);

      append_hex (file, hex);
    }
  append_scalar (file, 1, "good", 4, 1);
  append_hex (file, "0a");
  bytes = g_bytes_new (file->data, file->len);
  events = read_bytes (bytes, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (flow_event_file_get_problems (events)->len, ==, G_N_ELEMENTS (values) + 1);
  g_assert_cmpuint (flow_event_file_get_series (events)->len, ==, 1);
}

/* A graph of random bytes is told; the scalars are shown. */
static void
test_bad_graph (void)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowModel) model = NULL;

  append_hex (file, "090000000000002440" "2204ffffffff");
  append_scalar (file, 1, "good", 4, 1);
  bytes = g_bytes_new (file->data, file->len);
  model = flow_model_load_bytes (bytes, "x", NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (flow_event_file_find (flow_model_get_events (model), FLOW_EVENT_SCALAR, "good"));
  g_assert_cmpuint (flow_graph_get_n_nodes (flow_model_get_graph (model)), ==, 0);
  g_assert_cmpuint (flow_model_get_problems (model)->len, ==, 1);
}

/* More tags than the budget holds. */
static void
test_budget (void)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autoptr (FlowBudget) budget = flow_budget_new (2 << 20);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  const char *label = "x";

  for (guint i = 0; i < 20000; i++)
    {
      g_autofree char *tag = g_strdup_printf ("tag%u", i);

      append_scalar (file, 1, tag, strlen (tag), 1);
    }
  bytes = g_bytes_new (file->data, file->len);
  g_assert_null (flow_event_file_load_bytes (&bytes, 1, &label, budget, NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED);
  g_assert_cmpuint (flow_budget_get_used (budget), ==, 0);
}

/* Opens damaged bytes as the command line and the window do. */
static gboolean
open_events (GBytes   *bytes,
             gpointer  data)
{
  FlowLoadOptions options = { .budget = data };
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowModel) model = flow_model_load_bytes (bytes, "events.out.tfevents.1.x", &options, &error);
  FlowEventFile *events = model != NULL ? flow_model_get_events (model) : NULL;
  GPtrArray *all = events != NULL ? flow_event_file_get_series (events) : NULL;

  g_assert_true ((model == NULL) == (error != NULL));
  for (guint i = 0; all != NULL && i < all->len; i++)
    {
      FlowEventSeries *series = all->pdata[i];

      for (guint k = 0; k < series->points->len; k++)
        {
          g_autoptr (GBytes) payload = flow_event_file_dup_payload (events, series, k);
          g_autoptr (FlowEventHistogram) histogram = NULL;

          if (series->kind == FLOW_EVENT_HISTOGRAM)
            histogram = flow_event_file_dup_histogram (events, series, k, NULL);
        }
    }
  return model != NULL;
}

static void
test_damage (void)
{
  g_autoptr (GBytes) good = flow_test_read (RECORDED);
  g_autoptr (FlowBudget) budget = flow_budget_new (1 << 26);
  FlowTestDamage result;

  g_assert_true (open_events (good, budget));
  result = flow_test_damage (good, SAMPLE, open_events, budget);
  g_test_message ("%u damaged copies, %u open", result.n_cases, result.n_accepted);
  g_assert_cmpuint (result.n_accepted, >, result.n_cases / 2);
  g_assert_cmpuint (flow_budget_get_used (budget), ==, 0);
}

/* The event files of other people, where they are. */
static void
test_shared (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("FLOW_TEST_SHARED"), "fixtures", "real",
                                              "tfx-taxi-estimator", "eval_chicago-taxi-eval", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowModel) model = NULL;
  FlowEventSeries *series;

  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    return;
  model = flow_model_load (folder, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (flow_graph_get_n_nodes (flow_model_get_graph (model)), ==, 2550);
  series = flow_event_file_find (flow_model_get_events (model), FLOW_EVENT_SCALAR, "accuracy");
  g_assert_cmpuint (series->points->len, ==, 2);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/formats/events/recorded", test_recorded);
  g_test_add_func ("/formats/events/names-and-logs", test_names_and_logs);
  g_test_add_func ("/formats/events/model", test_model);
  g_test_add_func ("/formats/events/folder", test_folder);
  g_test_add_func ("/formats/events/every-end", test_every_end);
  g_test_add_func ("/formats/events/damaged-records", test_damaged_records);
  g_test_add_func ("/formats/events/huge-length", test_huge_length);
  g_test_add_func ("/formats/events/bad-values", test_bad_values);
  g_test_add_func ("/formats/events/bad-graph", test_bad_graph);
  g_test_add_func ("/formats/events/budget", test_budget);
  g_test_add_func ("/formats/events/damage", test_damage);
  g_test_add_func ("/formats/events/shared", test_shared);

  return g_test_run ();
}
