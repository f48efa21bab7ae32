/* test-recorded.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-model.h"
#include "flow-npz.h"
#include "flow-stepper.h"
#include "flow-tensor-stats.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <float.h>
#include <string.h>

/* Training graphs with TensorFlow's answers: every fetch and every variable as recorded, and every state
 * the same after stepping to the end, back to the start, and to the end again. */

typedef struct {
  char *folder;
  JsonObject *doc;
  JsonParser *parser;
  FlowNpz *expected;
  FlowSession *session;
  FlowStepper *stepper;
} Set;

static char *
find_set (const char *name)
{
  const char *shared = g_getenv ("FLOW_TEST_SHARED");
  g_autofree char *path = shared != NULL ? g_build_filename (shared, "fixtures", "recorded", "training", name, NULL) : NULL;
  char *committed = NULL;

  if (path != NULL && g_file_test (path, G_FILE_TEST_IS_DIR))
    return g_steal_pointer (&path);
  committed = g_test_build_filename (G_TEST_DIST, "golden", "training", name, NULL);
  if (g_file_test (committed, G_FILE_TEST_IS_DIR))
    return committed;
  g_free (committed);
  return NULL;
}

static FlowRunFile *
load_runs (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "flowstep.run.json", NULL);
  g_autoptr(GError) error = NULL;
  FlowRunFile *file = flow_run_file_load (path, &error);

  g_assert_no_error (error);
  return file;
}

static void
set_open (Set  *self,
          char *folder)
{
  g_autofree char *graph = g_build_filename (folder, "model.meta", NULL);
  g_autofree char *doc = g_build_filename (folder, "run.json", NULL);
  g_autofree char *npz = g_build_filename (folder, "expected.npz", NULL);
  g_autoptr(FlowRunFile) file = load_runs (folder);
  g_autoptr(FlowModel) model = NULL;
  g_autoptr(GError) error = NULL;

  self->folder = folder;
  flow_kernels_register ();
  model = flow_model_load (graph, NULL, &error);
  g_assert_no_error (error);
  self->parser = json_parser_new ();
  json_parser_load_from_file (self->parser, doc, &error);
  g_assert_no_error (error);
  self->doc = json_node_get_object (json_parser_get_root (self->parser));
  self->expected = flow_npz_open (npz, &error);
  g_assert_no_error (error);
  self->session = flow_session_new (flow_model_get_graph (model), NULL);
  flow_session_set_folder (self->session, folder);
  self->stepper = flow_stepper_new (self->session, file);
  flow_stepper_start (self->stepper, &error);
  g_assert_no_error (error);
}

static void
set_close (Set *self)
{
  flow_stepper_free (self->stepper);
  g_object_unref (self->session);
  flow_npz_unref (self->expected);
  g_object_unref (self->parser);
  g_free (self->folder);
}

static void
find_tolerance (Set        *self,
                const char *key,
                double     *rtol,
                double     *atol)
{
  JsonObject *tolerance = json_object_get_object_member (self->doc, "tolerance");
  JsonObject *keys = json_object_get_object_member (tolerance, "keys");

  if (keys != NULL && json_object_has_member (keys, key))
    tolerance = json_object_get_object_member (keys, key);
  *rtol = json_object_get_double_member (tolerance, "rtol");
  *atol = json_object_get_double_member (tolerance, "atol");
}

static void
compare (Set              *self,
         const char       *key,
         const FlowTensor *got)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowTensor) want = NULL;
  double rtol = 0;
  double atol = 0;

  if (!flow_npz_has_key (self->expected, key) || got->dtype == FLOW_DTYPE_STRING)
    return;
  want = flow_npz_read (self->expected, key, NULL, &error);
  g_assert_no_error (error);
  find_tolerance (self, key, &rtol, &atol);
  g_assert_true (flow_shape_equal (want->shape, got->shape));
  for (gint64 i = 0; i < want->n_elements; i++)
    {
      double a = flow_tensor_get_double (want, i);
      double b = flow_tensor_get_double (got, i);

      if (!(fabs (a - b) <= atol + rtol * fabs (a)) && !(isnan (a) && isnan (b)) && a != b)
        g_error ("%s[%d] is %.9g, TensorFlow has %.9g", key, (int) i, b, a);
    }
}

/* The recorded fetches of a run, tensor by tensor. */
static void
compare_run (Set           *self,
             FlowListedRun *run)
{
  JsonArray *runs = json_object_get_array_member (self->doc, "runs");

  for (guint i = 0; i < json_array_get_length (runs); i++)
    {
      JsonObject *entry = json_array_get_object_element (runs, i);
      JsonObject *fetches = NULL;

      if (strcmp (json_object_get_string_member (entry, "name"), run->def->name) != 0
          || !json_object_has_member (entry, "fetches"))
        continue;
      fetches = json_object_get_object_member (entry, "fetches");
      for (guint k = 0; run->fetched != NULL && k < run->n_fetched; k++)
        if (json_object_has_member (fetches, run->def->fetches[k]))
          compare (self, json_object_get_string_member (fetches, run->def->fetches[k]), run->fetched[k]);
    }
}

static void
walk (Set    *self,
      GArray *states,
      GArray *outputs)
{
  gboolean first = states->len == 0;
  g_autoptr(GError) error = NULL;

  for (;;)
    {
      guint position = (guint) flow_stepper_get_position (self->stepper);
      guint64 state = flow_stepper_hash_state (self->stepper);
      guint64 output = 0;
      FlowStepResult result = FLOW_STEP_DONE;

      if (first)
        g_array_append_val (states, state);
      else
        g_assert_cmpuint (state, ==, g_array_index (states, guint64, position));
      result = flow_stepper_step (self->stepper, &error);
      g_assert_no_error (error);
      if (result != FLOW_STEP_DONE)
        break;
      output = flow_stepper_hash_outputs (self->stepper, position);
      if (first)
        g_array_append_val (outputs, output);
      else
        g_assert_cmpuint (output, ==, g_array_index (outputs, guint64, position));
    }
}

static void
test_set (gconstpointer data)
{
  char *folder = find_set (data);
  Set set = { 0 };
  g_autoptr(GArray) states = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr(GArray) outputs = g_array_new (FALSE, FALSE, sizeof (guint64));

  if (folder == NULL)
    return;
  set_open (&set, folder);
  walk (&set, states, outputs);
  for (guint k = 0; k < flow_run_list_get_n_runs (flow_stepper_get_list (set.stepper)); k++)
    compare_run (&set, flow_run_list_get_run (flow_stepper_get_list (set.stepper), k));
  g_assert_cmpuint (outputs->len, >, 50);
  while (flow_stepper_get_position (set.stepper) > 0)
    {
      g_autoptr(GError) error = NULL;

      flow_stepper_back (set.stepper, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (flow_stepper_hash_state (set.stepper), ==,
                        g_array_index (states, guint64, (guint) flow_stepper_get_position (set.stepper)));
    }
  walk (&set, states, outputs);
  set_close (&set);
}

/* --- what is computed at every op --- */

/* How far two orders of adding the same numbers may be apart where these cancel: what half of the last bit of all
 * of them together is; also of ops that pass a sum on; 0 of others. */
static double
rounding_of (Set     *self,
             guint32  node)
{
  FlowGraph *graph = flow_session_get_graph (self->session);
  FlowEndpoint source = { 0 };
  FlowValueState state = FLOW_VALUE_NOT_COMPUTED;
  g_autoptr(FlowTensor) value = NULL;
  const char *type = flow_graph_get_node_type (graph, node);
  double sum = 0;

  if (strcmp (type, "Sum") != 0 && strcmp (type, "Reshape") != 0 && strcmp (type, "Identity") != 0)
    return 0;
  flow_graph_get_input (graph, node, 0, &source);
  if (strcmp (type, "Sum") != 0)
    return rounding_of (self, source.node);
  value = flow_stepper_dup_value (self->stepper, source.node, source.slot, flow_stepper_get_position (self->stepper), &state);
  if (value == NULL || value->dtype != FLOW_DTYPE_FLOAT)
    return 0;
  for (gint64 i = 0; i < value->n_elements; i++)
    sum += fabs ((double) ((const float *) value->data)[i]);
  return sum * FLT_EPSILON / 2;
}

/* A line of NAME.steps.txt: dtype, shape, min, max, mean, NaNs, infinities. */
static char *
check_line (const char       *line,
            const FlowTensor *got,
            double            rounding)
{
  g_auto(GStrv) words = g_strsplit (line, " ", -1);
  g_autoptr(FlowTensorStats) stats = flow_tensor_stats_new (got, 0);
  g_autofree char *shape = flow_shape_to_string (got->shape);
  const double numbers[] = { stats->min, stats->max, stats->mean };
  double scale = 1e-6;

  g_assert_cmpuint (g_strv_length (words), ==, 8);
  if (strcmp (words[1], flow_dtype_name (got->dtype)) != 0 || strcmp (words[2], shape) != 0)
    return g_strdup_printf ("%s is %s %s", line, flow_dtype_name (got->dtype), shape);
  if (stats->is_number && (stats->n_nan != g_ascii_strtoll (words[6], NULL, 10)
                           || flow_tensor_stats_get_n_inf (stats) != g_ascii_strtoll (words[7], NULL, 10)))
    return g_strdup_printf ("%s has %d NaNs", line, (int) stats->n_nan);
  if (words[3][0] == '-' && words[3][1] == '\0')
    return NULL;
  scale = MAX (scale, MAX (fabs (g_ascii_strtod (words[3], NULL)), fabs (g_ascii_strtod (words[4], NULL))));
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (!(fabs (numbers[i] - g_ascii_strtod (words[3 + i], NULL)) <= 1e-5 * scale + rounding))
      return g_strdup_printf ("%s, not %.9g", line, numbers[i]);
  return NULL;
}

/* Lines by tensor; @run is the run they are of. */
static GHashTable *
load_lines (const char  *name,
            char       **run)
{
  g_autofree char *file = g_strconcat (name, ".steps.txt", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "golden", "training", file, NULL);
  g_autofree char *text = NULL;
  g_auto(GStrv) lines = NULL;
  GHashTable *table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  *run = g_strdup (strstr (lines[0], ", run ") + strlen (", run "));
  for (guint i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++)
    g_hash_table_insert (table, g_strndup (lines[i], strcspn (lines[i], " ")), g_strdup (lines[i]));
  return table;
}

static guint
check_event (Set        *self,
             GHashTable *lines,
             guint32     node)
{
  FlowGraph *graph = flow_session_get_graph (self->session);
  guint n = 0;

  for (guint slot = 0; slot < flow_graph_get_n_outputs (graph, node); slot++)
    {
      g_autofree char *tensor = flow_graph_endpoint_to_string (graph, node, (int) slot);
      const char *line = g_hash_table_lookup (lines, tensor);
      FlowValueState state = FLOW_VALUE_NOT_COMPUTED;
      g_autoptr(FlowTensor) value = NULL;
      g_autofree char *problem = NULL;

      if (line == NULL)
        continue;
      value = flow_stepper_dup_value (self->stepper, node, (gint32) slot, flow_stepper_get_position (self->stepper),
                                      &state);
      if (state != FLOW_VALUE_PRESENT)
        g_error ("%s has no value", tensor);
      problem = check_line (line, value, rounding_of (self, node));
      if (problem != NULL)
        g_error ("%s", problem);
      n++;
    }
  return n;
}

/* What every op of a training step computes is what TensorFlow computes there (tests/oracle/record_steps.py). */
static void
test_steps (gconstpointer data)
{
  char *folder = find_set (data);
  g_autofree char *name = NULL;
  g_autoptr(GHashTable) lines = load_lines (data, &name);
  Set set = { 0 };
  guint n = 0;

  if (folder == NULL)
    return;
  set_open (&set, folder);
  for (;;)
    {
      FlowListedRun *run = NULL;
      const FlowEvent *event = NULL;
      g_autoptr(GError) error = NULL;
      FlowStepResult result = flow_stepper_step (set.stepper, &error);

      g_assert_no_error (error);
      if (result != FLOW_STEP_DONE)
        break;
      run = flow_run_list_get_run (flow_stepper_get_list (set.stepper),
                                   flow_stepper_run_at (set.stepper, flow_stepper_get_position (set.stepper) - 1));
      event = flow_stepper_get_event (set.stepper, flow_stepper_get_position (set.stepper) - 1);
      /* An exit is dead in every iteration but the last. */
      if (strcmp (run->def->name, name) == 0 && !event->dead)
        n += check_event (&set, lines, event->node);
    }
  g_assert_cmpuint (n, ==, g_hash_table_size (lines));
  set_close (&set);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/debugger/recorded/mlp-sgd", "mlp-sgd", test_set);
  g_test_add_data_func ("/debugger/recorded/boosted-classifier", "boosted-classifier", test_set);
  g_test_add_data_func ("/debugger/recorded/boosted-regressor", "boosted-regressor", test_set);
  g_test_add_data_func ("/debugger/recorded/lenet-adam", "lenet-adam", test_set);
  g_test_add_data_func ("/debugger/recorded/cond-while", "cond-while", test_set);
  g_test_add_data_func ("/debugger/recorded/queue-pipeline", "queue-pipeline", test_set);
  g_test_add_data_func ("/debugger/recorded/gan-two-optimizers", "gan-two-optimizers", test_set);
  g_test_add_data_func ("/debugger/recorded/steps/mlp-sgd", "mlp-sgd", test_steps);
  g_test_add_data_func ("/debugger/recorded/steps/lenet-adam", "lenet-adam", test_steps);
  g_test_add_data_func ("/debugger/recorded/steps/cond-while", "cond-while", test_steps);
  return g_test_run ();
}
