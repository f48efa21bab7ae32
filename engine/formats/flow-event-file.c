/* flow-event-file.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-event-file-private.h"

#include "flow-formats-private.h"
#include "flow-record-reader.h"
#include "flow-util.h"

#include <math.h>
#include <string.h>

/**
 * FlowEventFile:
 *
 * What an event file holds, or all event files of one folder in the order of their names: series of
 * scalars, histograms, images and their like by tag, graphs, run metadata and session logs. Values other
 * than scalars stay encoded where they lie until they are asked for. It does not change once loaded.
 */
G_DEFINE_FINAL_TYPE (FlowEventFile, flow_event_file, G_TYPE_OBJECT)

/* How often cancelling is looked at. */
#define RECORDS_PER_CHECK 1024
/* The budget is asked in steps of this size, so that it costs nothing per point. */
#define CHARGE_STEP (1 << 20)
/* More rows no histogram has. */
#define MAX_HISTOGRAM_ROWS 100000
/* Every FileWriter begins with this. */
#define VERSION_PREFIX "brain.Event:"

static void
free_series (gpointer data)
{
  FlowEventSeries *series = data;

  g_free (series->tag);
  g_free (series->display_name);
  g_free (series->description);
  g_free (series->plugin);
  g_array_unref (series->points);
  g_free (series);
}

static void
free_session_log (gpointer data)
{
  FlowSessionLog *log = data;

  g_free (log->checkpoint_path);
  g_free (log->message);
  g_free (log);
}

static void
flow_event_file_finalize (GObject *object)
{
  FlowEventFile *self = FLOW_EVENT_FILE (object);

  for (guint i = 0; i < FLOW_EVENT_N_KINDS; i++)
    g_hash_table_unref (self->index[i]);
  g_hash_table_unref (self->plugins);
  g_ptr_array_unref (self->files);
  g_ptr_array_unref (self->series);
  g_ptr_array_unref (self->session_logs);
  g_ptr_array_unref (self->problems);
  g_array_unref (self->graphs);
  g_free (self->version);
  if (self->budget != NULL)
    {
      flow_budget_release (self->budget, self->reserved);
      flow_budget_unref (self->budget);
    }
  G_OBJECT_CLASS (flow_event_file_parent_class)->finalize (object);
}

static void
flow_event_file_class_init (FlowEventFileClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = flow_event_file_finalize;
}

static void
flow_event_file_init (FlowEventFile *self)
{
  self->files = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  self->series = g_ptr_array_new_with_free_func (free_series);
  self->session_logs = g_ptr_array_new_with_free_func (free_session_log);
  self->problems = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_problem_free);
  self->graphs = g_array_new (FALSE, FALSE, sizeof (FlowEventGraph));
  self->plugins = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < FLOW_EVENT_N_KINDS; i++)
    self->index[i] = g_hash_table_new (g_str_hash, g_str_equal);
}

/* --- For reading --- */

/* Counts memory; FALSE at the budget's end. */
gboolean
_flow_event_file_charge (FlowEventFile *self,
                         gsize          n_bytes)
{
  while (self->reserved < n_bytes || self->charged > self->reserved - n_bytes)
    {
      gsize step = MAX (n_bytes, CHARGE_STEP);

      if (!flow_budget_reserve (self->budget, step))
        return FALSE;
      self->reserved += step;
    }
  self->charged += n_bytes;
  return TRUE;
}

void
_flow_event_file_add_problem (FlowEventFile *self,
                              int            code,
                              int            severity,
                              const char    *field,
                              gsize          offset,
                              const char    *format,
                              ...)
{
  g_autofree char *text = NULL;
  va_list args;

  if (self->problems->len >= FLOW_MAX_PROBLEMS)
    return;
  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_ptr_array_add (self->problems, flow_problem_new (code, severity, NULL, field, (gint64) offset, "%s", text));
}

FlowEventSeries *
_flow_event_file_get_or_add (FlowEventFile *self,
                             FlowEventKind  kind,
                             const char    *tag)
{
  FlowEventSeries *series = g_hash_table_lookup (self->index[kind], tag);

  if (series != NULL)
    return series;
  if (!_flow_event_file_charge (self, 2 * sizeof *series + strlen (tag) + 128))
    return NULL;
  series = g_new0 (FlowEventSeries, 1);
  series->kind = kind;
  series->tag = g_strdup (tag);
  series->plugin = g_strdup (g_hash_table_lookup (self->plugins, tag));
  series->points = g_array_new (FALSE, FALSE, sizeof (FlowEventPoint));
  g_ptr_array_add (self->series, series);
  g_hash_table_insert (self->index[kind], series->tag, series);
  return series;
}

/* --- Loading --- */

static int
compare_series (gconstpointer a,
                gconstpointer b)
{
  const FlowEventSeries *x = *(const FlowEventSeries *const *) a;
  const FlowEventSeries *y = *(const FlowEventSeries *const *) b;

  return x->kind != y->kind ? (int) x->kind - (int) y->kind : strcmp (x->tag, y->tag);
}

/* The graph of a MetaGraphDef; a GraphDef is its own. */
static guint
count_nodes (FlowEventFile        *self,
             const FlowEventGraph *graph)
{
  const guint8 *base = g_bytes_get_data (self->files->pdata[graph->file], NULL);
  FlowProtoReader r;
  FlowProtoReader sub;
  guint n_nodes = 0;

  flow_proto_reader_init (&r, base + graph->offset, graph->size);
  while (flow_proto_reader_next (&r))
    if (!graph->is_meta_graph && r.field == 1)
      n_nodes++;
    else if (graph->is_meta_graph && r.field == 2 && flow_proto_reader_enter (&r, &sub))
      while (flow_proto_reader_next (&sub))
        n_nodes += sub.field == 1;
  return n_nodes;
}

/* TF: of several graphs the newest is shown. A meta graph says more than the graph written with it. */
static void
sort_graphs (FlowEventFile *self)
{
  int newest[2] = { -1, -1 };
  FlowEventGraph sorted[2];
  guint n = 0;
  gboolean meta_first;

  for (guint i = 0; i < self->graphs->len; i++)
    newest[g_array_index (self->graphs, FlowEventGraph, i).is_meta_graph] = (int) i;
  meta_first = newest[1] >= 0 && (newest[0] < newest[1] ||
               count_nodes (self, &g_array_index (self->graphs, FlowEventGraph, newest[1])) >=
               count_nodes (self, &g_array_index (self->graphs, FlowEventGraph, newest[0])));
  for (int k = 0; k < 2; k++)
    {
      int which = newest[meta_first ? 1 - k : k];

      if (which >= 0)
        sorted[n++] = g_array_index (self->graphs, FlowEventGraph, which);
    }
  g_array_set_size (self->graphs, 0);
  if (n > 0)
    g_array_append_vals (self->graphs, sorted, n);
}

/* How a file ended, in the reader's words; the offset is that of the record. */
static void
note_end (FlowEventFile    *self,
          const char       *label,
          FlowRecordStatus  status,
          gsize             offset,
          gsize             size)
{
  if (status == FLOW_RECORD_TRUNCATED)
    _flow_event_file_add_problem (self, FLOW_ERROR_DATA_LOSS, 1, NULL, offset,
                                  "%s; truncated record at %" G_GSIZE_FORMAT ": the file ends mid-record at byte %"
                                  G_GSIZE_FORMAT "; what stands before it is shown", label, offset, size);
  else if (status == FLOW_RECORD_BAD_LENGTH)
    _flow_event_file_add_problem (self, FLOW_ERROR_DATA_LOSS, 2, NULL, offset,
                                  "%s; corrupted record at %" G_GSIZE_FORMAT ": its length is damaged, what stands "
                                  "behind it cannot be read", label, offset);
}

static gboolean
read_file (FlowEventFile  *self,
           guint           file,
           const char     *label,
           GCancellable   *cancellable,
           GError        **error)
{
  FlowRecordReader reader;
  FlowRecordStatus status;
  gsize size;
  gconstpointer data = g_bytes_get_data (self->files->pdata[file], &size);
  guint n_records = 0;

  flow_record_reader_init (&reader, data, size);
  while ((status = flow_record_reader_next (&reader)) == FLOW_RECORD_READ || status == FLOW_RECORD_BAD_DATA)
    {
      if (n_records++ % RECORDS_PER_CHECK == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (status == FLOW_RECORD_BAD_DATA)
        _flow_event_file_add_problem (self, FLOW_ERROR_DATA_LOSS, 2, NULL, reader.offset,
                                      "%s; corrupted record at %" G_GSIZE_FORMAT ", skipped", label, reader.offset);
      else if (!_flow_event_file_read_event (self, file, reader.offset, reader.record, reader.size))
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED,
                       "%s; its events take more than the memory budget of %" G_GUINT64_FORMAT " bytes", label,
                       flow_budget_get_limit (self->budget));
          return FALSE;
        }
    }
  note_end (self, label, status, reader.offset, size);
  return TRUE;
}

/**
 * flow_event_file_load_bytes: (skip)
 * @files: the contents of event files, in the order they were written
 * @n_files: how many
 * @labels: what to call each in messages
 * @budget: (nullable): what pays for points; %NULL: one of the default size
 * @cancellable: (nullable): ends the work
 * @error: return location
 *
 * Reads event files. As in TensorBoard a file that ends mid-record gives what stands before; a record
 * whose data are damaged is skipped, behind one whose length is damaged reading stops. Each is listed by
 * flow_event_file_get_problems() with its offset.
 *
 * Returns: (transfer full) (nullable): the events; %NULL with `FLOW_ERROR_DATA_LOSS` when nothing could
 *   be read of files that hold something, `FLOW_ERROR_RESOURCE_EXHAUSTED` for what does not fit the
 *   budget, %G_IO_ERROR_CANCELLED
 */
FlowEventFile *
flow_event_file_load_bytes (GBytes            **files,
                            guint               n_files,
                            const char *const  *labels,
                            FlowBudget         *budget,
                            GCancellable       *cancellable,
                            GError            **error)
{
  g_autoptr (FlowEventFile) self = NULL;

  g_return_val_if_fail (files != NULL && labels != NULL && n_files > 0, NULL);

  self = g_object_new (FLOW_TYPE_EVENT_FILE, NULL);
  self->budget = budget != NULL ? flow_budget_ref (budget) : flow_budget_new (flow_budget_default_limit ());
  for (guint i = 0; i < n_files; i++)
    {
      g_ptr_array_add (self->files, g_bytes_ref (files[i]));
      if (!read_file (self, i, labels[i], cancellable, error))
        return NULL;
    }
  if (self->n_events == 0 && self->problems->len > 0)
    {
      const FlowProblem *problem = self->problems->pdata[0];

      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, problem->text);
      return NULL;
    }
  g_ptr_array_sort (self->series, compare_series);
  sort_graphs (self);
  return g_steal_pointer (&self);
}

/**
 * flow_event_file_list: (skip)
 * @folder: a folder
 *
 * Returns: (transfer full): the event files in it (`*tfevents*`), by name, which is by age; empty when
 *   there is none
 */
char **
flow_event_file_list (const char *folder)
{
  g_autoptr (GDir) dir = NULL;
  GPtrArray *paths = g_ptr_array_new ();
  const char *name;

  g_return_val_if_fail (folder != NULL, NULL);

  dir = g_dir_open (folder, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = NULL;

      if (strstr (name, "tfevents") == NULL || strstr (name, ".tempstate") != NULL)
        continue;
      path = g_build_filename (folder, name, NULL);
      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        g_ptr_array_add (paths, g_steal_pointer (&path));
    }
  g_ptr_array_sort (paths, flow_compare_texts);
  g_ptr_array_add (paths, NULL);
  return (char **) g_ptr_array_free (paths, FALSE);
}

/* Reads all files of a list, and unpacks them. */
FlowEventFile *
_flow_event_file_load_list (char         **paths,
                            FlowBudget    *budget,
                            GCancellable  *cancellable,
                            GError       **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);

  for (guint i = 0; paths[i] != NULL; i++)
    {
      GBytes *bytes = flow_read_file (paths[i], FLOW_PROTO_MAX_SIZE, error);

      if (bytes == NULL)
        return NULL;
      if (!_flow_unpack (&bytes, paths[i], budget, error))
        {
          g_bytes_unref (bytes);
          return NULL;
        }
      g_ptr_array_add (files, bytes);
    }
  return flow_event_file_load_bytes ((GBytes **) files->pdata, files->len, (const char *const *) paths, budget,
                                     cancellable, error);
}

/**
 * flow_event_file_load:
 * @path: an event file, or a folder with some
 * @error: return location
 *
 * Opens event files; see flow_event_file_load_bytes(). All of a folder are one story.
 *
 * Returns: (transfer full) (nullable): the events; %NULL with the code of what the system says about
 *   @path, `FLOW_ERROR_NOT_FOUND` for a folder without event files, or as in
 *   flow_event_file_load_bytes()
 */
FlowEventFile *
flow_event_file_load (const char  *path,
                      GError     **error)
{
  g_autoptr (FlowBudget) budget = flow_budget_new (flow_budget_default_limit ());
  g_auto (GStrv) paths = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    paths = flow_event_file_list (path);
  else
    paths = g_strsplit (path, "\n", 1);
  if (paths[0] == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "%s; the folder has no event files", path);
      return NULL;
    }
  return _flow_event_file_load_list (paths, budget, NULL, error);
}

/* Whether a message has an event's fields and what no other message of records has: a time, or the
 * version every writer begins with. */
static gboolean
looks_like_event (const guint8 *data,
                  gsize         size,
                  gboolean      is_whole)
{
  FlowProtoReader r;
  gboolean found = FALSE;

  flow_proto_reader_init (&r, data, size);
  while (flow_proto_reader_next (&r))
    if (r.field == 1 && r.wire == FLOW_WIRE_FIXED64)
      found = TRUE;
    else if (r.field == 3 && r.wire == FLOW_WIRE_BYTES && r.size >= strlen (VERSION_PREFIX) &&
             memcmp (r.data, VERSION_PREFIX, strlen (VERSION_PREFIX)) == 0)
      return TRUE;
    else if (r.field == 1 || (r.field == 2 && r.wire != FLOW_WIRE_VARINT) || r.field > 10)
      return FALSE;
  return found && (!is_whole || !flow_proto_reader_failed (&r));
}

/**
 * flow_event_file_is_event_file: (skip)
 * @bytes: the content of a file, not packed
 *
 * Tells by the first record, which may be cut short.
 *
 * Returns: whether it is an event file
 */
gboolean
flow_event_file_is_event_file (GBytes *bytes)
{
  FlowRecordReader reader;
  gsize size;
  const guint8 *data;

  g_return_val_if_fail (bytes != NULL, FALSE);

  data = g_bytes_get_data (bytes, &size);
  flow_record_reader_init (&reader, data, size);
  switch (flow_record_reader_next (&reader))
    {
    case FLOW_RECORD_READ:
      return looks_like_event (reader.record, reader.size, TRUE);
    case FLOW_RECORD_BAD_DATA:
      return looks_like_event (reader.record, reader.size, FALSE);
    case FLOW_RECORD_TRUNCATED:
      return size > 12 && looks_like_event (data + 12, size - 12, FALSE);
    case FLOW_RECORD_END:
    case FLOW_RECORD_BAD_LENGTH:
    default:
      return FALSE;
    }
}

/* --- What it holds --- */

/**
 * flow_event_file_get_series: (skip)
 * @self: event files
 *
 * Returns: (transfer none) (element-type FlowEventSeries): the series, by kind and tag
 */
GPtrArray *
flow_event_file_get_series (FlowEventFile *self)
{
  g_return_val_if_fail (FLOW_IS_EVENT_FILE (self), NULL);

  return self->series;
}

/**
 * flow_event_file_find: (skip)
 * @self: event files
 * @kind: the kind of series
 * @tag: its tag
 *
 * Returns: (transfer none) (nullable): the series of that tag
 */
FlowEventSeries *
flow_event_file_find (FlowEventFile *self,
                      FlowEventKind  kind,
                      const char    *tag)
{
  g_return_val_if_fail (FLOW_IS_EVENT_FILE (self) && tag != NULL, NULL);
  g_return_val_if_fail (kind < FLOW_EVENT_N_KINDS, NULL);

  return g_hash_table_lookup (self->index[kind], tag);
}

/**
 * flow_event_file_dup_payload: (skip)
 * @self: event files
 * @series: one of its series
 * @i: which point
 *
 * Returns: (transfer full): the encoded value of a point: a HistogramProto, Summary.Image, Summary.Audio,
 *   TensorProto or RunMetadata; empty for a scalar that is no tensor
 */
GBytes *
flow_event_file_dup_payload (FlowEventFile         *self,
                             const FlowEventSeries *series,
                             guint                  i)
{
  const FlowEventPoint *point;

  g_return_val_if_fail (FLOW_IS_EVENT_FILE (self) && series != NULL, NULL);
  g_return_val_if_fail (i < series->points->len, NULL);

  point = &g_array_index (series->points, FlowEventPoint, i);
  return g_bytes_new_from_bytes (self->files->pdata[point->file], point->offset, point->size);
}

/* TensorBoard's newer form: a tensor of rows (left edge, right edge, count). */
static FlowEventHistogram *
histogram_from_tensor (GBytes      *bytes,
                       FlowBudget  *budget,
                       GError     **error)
{
  g_autoptr (FlowTensor) tensor = flow_tensor_from_proto (bytes, budget, error);
  FlowEventHistogram *self;

  if (tensor == NULL)
    return NULL;
  if (!flow_dtype_is_number (tensor->dtype) || FLOW_RANK (tensor) != 2 || FLOW_DIMS (tensor)[1] != 3 ||
      FLOW_DIMS (tensor)[0] > MAX_HISTOGRAM_ROWS)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "a histogram has rows of three numbers");
      return NULL;
    }
  self = g_new0 (FlowEventHistogram, 1);
  self->n_buckets = (guint) FLOW_DIMS (tensor)[0];
  self->limits = g_new0 (double, MAX (self->n_buckets, 1));
  self->counts = g_new0 (double, MAX (self->n_buckets, 1));
  for (guint i = 0; i < self->n_buckets; i++)
    {
      self->limits[i] = flow_tensor_get_double (tensor, 3 * (gint64) i + 1);
      self->counts[i] = flow_tensor_get_double (tensor, 3 * (gint64) i + 2);
      self->num += self->counts[i];
    }
  if (self->n_buckets > 0)
    {
      self->min = flow_tensor_get_double (tensor, 0);
      self->max = self->limits[self->n_buckets - 1];
    }
  return self;
}

/**
 * flow_event_file_dup_histogram: (skip)
 * @self: event files
 * @series: a series of histograms
 * @i: which point
 * @error: return location
 *
 * Decodes a histogram.
 *
 * Returns: (transfer full) (nullable): the histogram; %NULL with `FLOW_ERROR_INVALID_ARGUMENT` or
 *   `FLOW_ERROR_DATA_LOSS` for one that may not be
 */
FlowEventHistogram *
flow_event_file_dup_histogram (FlowEventFile         *self,
                               const FlowEventSeries *series,
                               guint                  i,
                               GError               **error)
{
  g_autoptr (GBytes) bytes = NULL;
  gsize size;
  const guint8 *data;

  g_return_val_if_fail (series != NULL && series->kind == FLOW_EVENT_HISTOGRAM, NULL);

  bytes = flow_event_file_dup_payload (self, series, i);
  data = g_bytes_get_data (bytes, &size);
  if (g_strcmp0 (series->plugin, "histograms") == 0)
    return histogram_from_tensor (bytes, self->budget, error);
  return _flow_event_histogram_parse (data, size, error);
}

/**
 * flow_event_file_dup_graph: (skip)
 * @self: event files
 * @is_meta_graph: (out): whether it is a MetaGraphDef, not a GraphDef
 * @offset: (out) (optional): where it lies in its file
 *
 * Of several graphs the newest counts, as in TensorBoard; a meta graph that was written with it is taken
 * in its place.
 *
 * Returns: (transfer full) (nullable): the graph, encoded; %NULL when there is none
 */
GBytes *
flow_event_file_dup_graph (FlowEventFile *self,
                           gboolean      *is_meta_graph,
                           gsize         *offset)
{
  g_return_val_if_fail (FLOW_IS_EVENT_FILE (self) && is_meta_graph != NULL, NULL);

  return _flow_event_file_dup_nth_graph (self, 0, is_meta_graph, offset);
}

GBytes *
_flow_event_file_dup_nth_graph (FlowEventFile *self,
                                guint          i,
                                gboolean      *is_meta_graph,
                                gsize         *offset)
{
  const FlowEventGraph *graph;

  if (i >= self->graphs->len)
    return NULL;
  graph = &g_array_index (self->graphs, FlowEventGraph, i);
  *is_meta_graph = graph->is_meta_graph;
  if (offset != NULL)
    *offset = graph->offset;
  return g_bytes_new_from_bytes (self->files->pdata[graph->file], graph->offset, graph->size);
}

/**
 * flow_event_file_get_session_logs: (skip)
 * @self: event files
 *
 * Returns: (transfer none) (element-type FlowSessionLog): when sessions began, ended, and saved
 */
GPtrArray *
flow_event_file_get_session_logs (FlowEventFile *self)
{
  g_return_val_if_fail (FLOW_IS_EVENT_FILE (self), NULL);

  return self->session_logs;
}

/**
 * flow_event_file_get_problems: (skip)
 * @self: event files
 *
 * Returns: (transfer none) (element-type FlowProblem): what could not be read
 */
GPtrArray *
flow_event_file_get_problems (FlowEventFile *self)
{
  g_return_val_if_fail (FLOW_IS_EVENT_FILE (self), NULL);

  return self->problems;
}

/**
 * flow_event_file_get_version:
 * @self: event files
 *
 * Returns: (transfer none) (nullable): the version of the format, such as `brain.Event:2`
 */
const char *
flow_event_file_get_version (FlowEventFile *self)
{
  g_return_val_if_fail (FLOW_IS_EVENT_FILE (self), NULL);

  return self->version;
}

/**
 * flow_event_file_get_n_events:
 * @self: event files
 *
 * Returns: how many events were read
 */
guint64
flow_event_file_get_n_events (FlowEventFile *self)
{
  g_return_val_if_fail (FLOW_IS_EVENT_FILE (self), 0);

  return self->n_events;
}

/**
 * flow_event_file_get_n_files:
 * @self: event files
 *
 * Returns: of how many files
 */
guint
flow_event_file_get_n_files (FlowEventFile *self)
{
  g_return_val_if_fail (FLOW_IS_EVENT_FILE (self), 0);

  return self->files->len;
}

/**
 * flow_event_file_get_first_time:
 * @self: event files
 *
 * Returns: when the first event was written, in seconds since 1970; 0 if none says so
 */
double
flow_event_file_get_first_time (FlowEventFile *self)
{
  g_return_val_if_fail (FLOW_IS_EVENT_FILE (self), 0);

  return self->first_time;
}

/**
 * flow_event_file_get_last_time:
 * @self: event files
 *
 * Returns: when the last event was written, in seconds since 1970; 0 if none says so
 */
double
flow_event_file_get_last_time (FlowEventFile *self)
{
  g_return_val_if_fail (FLOW_IS_EVENT_FILE (self), 0);

  return self->last_time;
}

/**
 * flow_event_kind_name:
 * @kind: a kind of series
 *
 * Returns: (transfer none): its name, such as `scalar`
 */
const char *
flow_event_kind_name (FlowEventKind kind)
{
  static const char *const names[] = { "scalar", "histogram", "image", "audio", "text", "tensor", "run_metadata" };

  g_return_val_if_fail (kind < FLOW_EVENT_N_KINDS, NULL);

  return names[kind];
}
