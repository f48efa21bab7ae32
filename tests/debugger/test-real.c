/* test-real.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-model.h"
#include "flow-session.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>
#include <zlib.h>

/* Training graphs that other people made, against what TensorFlow computed with the same weights and feeds
 * (tests/oracle/record_real.py): golden/real/SET.json. The graphs are in FLOW_TEST_SHARED, small ones also
 * in golden/models. */

typedef struct {
  const char *name;
  JsonObject *doc;
  FlowSession *session;
  GHashTable *calls;           /* token -> how many */
  guint n_bad;
} Set;

/* --- the numbers that both sides make ---------------------------------------------------------------------- */

static double
noise_at (guint32 crc,
          guint64 i,
          double  low,
          double  high)
{
  guint64 x = (crc + i * G_GUINT64_CONSTANT (2654435761)) & 0xffffffff;

  x ^= x >> 16;
  x = (x * G_GUINT64_CONSTANT (2246822519)) & 0xffffffff;
  x ^= x >> 13;
  return low + (high - low) * ((double) (x >> 8) / 16777216.0);
}

static void
write_cell (FlowTensor *out,
            gint64      i,
            double      value)
{
  switch ((int) out->dtype)
    {
    case FLOW_DTYPE_FLOAT: FLOW_WRITABLE (float, out)[i] = (float) value; break;
    case FLOW_DTYPE_DOUBLE: FLOW_WRITABLE (double, out)[i] = value; break;
    case FLOW_DTYPE_INT32: FLOW_WRITABLE (gint32, out)[i] = (gint32) floor (value); break;
    case FLOW_DTYPE_INT64: FLOW_WRITABLE (gint64, out)[i] = (gint64) floor (value); break;
    case FLOW_DTYPE_BOOL: FLOW_WRITABLE (guint8, out)[i] = value >= 0.5; break;
    default: g_error ("no noise of this dtype");
    }
}

/* @first_size stands for dimensions of -1. */
static FlowTensor *
make_noise (JsonObject *entry,
            const char *salt,
            gint64      first_size)
{
  g_autofree char *key = g_strconcat (json_object_get_string_member (entry, "name"), salt, NULL);
  guint32 crc = (guint32) crc32 (0, (const Bytef *) key, (uInt) strlen (key));
  JsonArray *dims = json_object_get_array_member (entry, "shape");
  g_autoptr (FlowShape) shape = flow_shape_new_of_rank ((int) json_array_get_length (dims));
  g_autoptr (GError) error = NULL;
  FlowTensor *out;

  for (int i = 0; i < shape->rank; i++)
    {
      gint64 dim = json_array_get_int_element (dims, (guint) i);

      shape->dims[i] = dim < 0 ? first_size : dim;
    }
  out = flow_tensor_new (flow_dtype_from_string (json_object_get_string_member (entry, "dtype")), shape, NULL, &error);
  g_assert_no_error (error);
  for (gint64 i = 0; i < out->n_elements; i++)
    write_cell (out, i, noise_at (crc, (guint64) i, json_object_get_double_member (entry, "low"),
                                  json_object_get_double_member (entry, "high")));
  return out;
}

/* --- comparing ------------------------------------------------------------------------------------------------ */

static void
differ (Set        *self,
        const char *what,
        const char *member,
        double      got,
        double      want,
        double      scale)
{
  double tolerance = json_object_get_double_member (self->doc, "tolerance");

  if (fabs (got - want) <= tolerance * (scale + fabs (want)))
    return;
  if (self->n_bad++ < 20)
    g_test_message ("%s %s %s: %.9g, TensorFlow has %.9g", self->name, what, member, got, want);
}

static void
compare (Set              *self,
         const char       *what,
         const FlowTensor *got,
         JsonObject       *want)
{
  JsonArray *dims = json_object_get_array_member (want, "shape");
  double sum = 0;
  double absolute = 0;
  double low = INFINITY;
  double high = -INFINITY;
  double scale;
  JsonArray *at;

  g_assert_cmpint (got->dtype, ==, flow_dtype_from_string (json_object_get_string_member (want, "dtype")));
  g_assert_cmpint (FLOW_RANK (got), ==, (int) json_array_get_length (dims));
  for (int i = 0; i < FLOW_RANK (got); i++)
    g_assert_cmpint (FLOW_DIMS (got)[i], ==, json_array_get_int_element (dims, (guint) i));
  if (!json_object_has_member (want, "mean"))
    return;
  for (gint64 i = 0; i < got->n_elements; i++)
    {
      double x = flow_tensor_get_double (got, i);

      sum += x;
      absolute += fabs (x);
      low = MIN (low, x);
      high = MAX (high, x);
    }
  scale = json_object_get_double_member (want, "abs");
  differ (self, what, "mean", sum / (double) got->n_elements, json_object_get_double_member (want, "mean"), scale);
  differ (self, what, "abs", absolute / (double) got->n_elements, scale, scale);
  differ (self, what, "min", low, json_object_get_double_member (want, "min"), scale);
  differ (self, what, "max", high, json_object_get_double_member (want, "max"), scale);
  at = json_object_get_array_member (want, "at");
  for (guint i = 0; i < json_array_get_length (at); i++)
    differ (self, what, "cell", flow_tensor_get_double (got, json_array_get_int_element (at, i)),
            json_array_get_double_element (json_object_get_array_member (want, "cells"), i), scale);
}

/* --- running --------------------------------------------------------------------------------------------------- */

static void
script_cb (FlowScriptCall *call,
           gpointer        data)
{
  Set *self = data;
  const char *token = flow_script_call_get_token (call);
  JsonArray *entries = json_object_get_array_member (json_object_get_object_member (self->doc, "functions"), token);
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->calls, token)) + 1;
  g_autofree char *salt = g_strdup_printf ("@%u", n);
  g_autoptr (GPtrArray) inputs = flow_script_call_dup_inputs (call);

  g_hash_table_insert (self->calls, g_strdup (token), GUINT_TO_POINTER (n));
  for (guint i = 0; i < json_array_get_length (entries); i++)
    {
      g_autoptr (FlowTensor) made = make_noise (json_array_get_object_element (entries, i), salt,
                                                ((FlowTensor *) inputs->pdata[0])->n_elements);

      flow_script_call_add_output (call, made);
    }
}

static void
set_weights (Set *self)
{
  JsonArray *variables = json_object_get_array_member (self->doc, "variables");

  for (guint i = 0; i < json_array_get_length (variables); i++)
    {
      JsonObject *entry = json_array_get_object_element (variables, i);
      g_autoptr (FlowTensor) value = make_noise (entry, "", 0);
      g_autoptr (GError) error = NULL;

      flow_session_set_variable (self->session, json_object_get_string_member (entry, "name"), value, &error);
      g_assert_no_error (error);
    }
}

static GPtrArray *
list_strings (JsonArray *array)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < json_array_get_length (array); i++)
    g_ptr_array_add (list, (gpointer) json_array_get_string_element (array, i));
  g_ptr_array_add (list, NULL);
  return list;
}

static void
unref_tensor (gpointer data)
{
  flow_tensor_unref (data);
}

static void
run_once (Set        *self,
          JsonObject *run,
          guint       i)
{
  JsonArray *entries = json_object_get_array_member (run, "feeds");
  JsonArray *expected = json_object_get_array_member (run, "expected");
  g_autoptr (GPtrArray) fetches = list_strings (json_object_get_array_member (run, "fetches"));
  g_autoptr (GPtrArray) targets = list_strings (json_object_get_array_member (run, "targets"));
  g_autoptr (GPtrArray) feeds = g_ptr_array_new ();
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (unref_tensor);
  g_autofree char *salt = g_strdup_printf ("#%u", i);
  g_autoptr (GPtrArray) got = NULL;
  g_autoptr (GError) error = NULL;

  for (guint k = 0; k < json_array_get_length (entries); k++)
    {
      JsonObject *entry = json_array_get_object_element (entries, k);

      g_ptr_array_add (feeds, (gpointer) json_object_get_string_member (entry, "name"));
      g_ptr_array_add (values, make_noise (entry, salt, 0));
    }
  g_ptr_array_add (feeds, NULL);
  got = flow_session_run (self->session, (const char *const *) feeds->pdata, values, (const char *const *) fetches->pdata,
                          (const char *const *) targets->pdata, 0, NULL, &error);
  g_assert_no_error (error);
  for (guint k = 0; k < json_array_get_length (expected); k++)
    {
      g_autofree char *what = g_strdup_printf ("run %u %s", i, (const char *) fetches->pdata[k]);

      compare (self, what, got->pdata[k], json_array_get_object_element (expected, k));
    }
}

static void
compare_variables (Set *self)
{
  JsonObject *final = json_object_get_object_member (self->doc, "final");
  g_autoptr (GList) names = json_object_get_members (final);

  for (GList *l = names; l != NULL; l = l->next)
    {
      g_autoptr (FlowTensor) value = flow_session_dup_variable (self->session, l->data);

      g_assert_nonnull (value);
      compare (self, l->data, value, json_object_get_object_member (final, l->data));
    }
}

static char *
find_graph (const char *path)
{
  const char *shared = g_getenv ("FLOW_TEST_SHARED");
  g_autofree char *name = g_path_get_basename (path);
  char *found = shared != NULL ? g_build_filename (shared, "fixtures", "real", path, NULL) : NULL;

  if (found != NULL && g_file_test (found, G_FILE_TEST_EXISTS))
    return found;
  g_free (found);
  found = g_test_build_filename (G_TEST_DIST, "golden", "real", name, NULL);
  if (g_file_test (found, G_FILE_TEST_EXISTS))
    return found;
  g_clear_pointer (&found, g_free);
  return NULL;
}

static void
test_set (gconstpointer data)
{
  g_autofree char *file = g_strconcat (data, ".json", NULL);
  g_autofree char *doc = g_test_build_filename (G_TEST_DIST, "golden", "real", file, NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *path = NULL;
  g_autoptr (FlowModel) model = NULL;
  g_autoptr (GError) error = NULL;
  Set self = { data };
  JsonArray *runs;

  json_parser_load_from_file (parser, doc, &error);
  g_assert_no_error (error);
  self.doc = json_node_get_object (json_parser_get_root (parser));
  path = find_graph (json_object_get_string_member (self.doc, "graph"));
  if (path == NULL)
    {
      g_test_message ("%s is not here", json_object_get_string_member (self.doc, "graph"));
      return;
    }
  model = flow_model_load (path, NULL, &error);
  g_assert_no_error (error);
  self.session = flow_session_new (flow_model_get_graph (model), NULL);
  self.calls = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (json_object_has_member (self.doc, "functions"))
    flow_session_set_script (self.session, script_cb, &self, NULL);
  set_weights (&self);
  runs = json_object_get_array_member (self.doc, "runs");
  for (guint i = 0; i < json_array_get_length (runs); i++)
    run_once (&self, json_array_get_object_element (runs, i), i);
  compare_variables (&self);
  if (self.n_bad > 0)
    g_test_fail_printf ("%u numbers differ", self.n_bad);
  g_object_unref (self.session);
  g_hash_table_unref (self.calls);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *folder = NULL;
  g_autoptr (GDir) dir = NULL;
  const char *name;

  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();
  folder = g_test_build_filename (G_TEST_DIST, "golden", "real", NULL);
  dir = g_dir_open (folder, 0, NULL);
  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".json"))
      {
        char *set = g_strndup (name, strlen (name) - strlen (".json"));
        g_autofree char *test = g_strconcat ("/real/", set, NULL);

        g_test_add_data_func_full (test, set, test_set, g_free);
      }
  return g_test_run ();
}
