/* test-datasets.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-model.h"
#include "flow-npz.h"
#include "flow-run.h"
#include "flow-stepper.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* Input pipelines with functions and files (tests/golden/datasets, recorded by record_datasets.py): each
 * gives TensorFlow's elements, its end and its errors; and stepping back through it and forward again
 * finds every state of its iterator as it was, and makes the same elements. */

typedef struct {
  char *folder;
  FlowModel *model;
  FlowNpz *expected;
  JsonParser *parser;
} Recorded;

typedef struct {
  const Recorded *recorded;
  JsonObject *entry;
} Case;

static void
recorded_open (Recorded *self)
{
  g_autofree char *graph = NULL;
  g_autofree char *npz = NULL;
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;

  flow_kernels_register ();
  self->folder = g_test_build_filename (G_TEST_DIST, "golden", "datasets", NULL);
  graph = g_build_filename (self->folder, "pipelines.pb.gz", NULL);
  npz = g_build_filename (self->folder, "pipelines.npz", NULL);
  json = g_build_filename (self->folder, "pipelines.json", NULL);
  self->model = flow_model_load (graph, NULL, &error);
  g_assert_no_error (error);
  self->expected = flow_npz_open (npz, &error);
  g_assert_no_error (error);
  self->parser = json_parser_new ();
  json_parser_load_from_file (self->parser, json, &error);
  g_assert_no_error (error);
}

static void
recorded_close (Recorded *self)
{
  g_clear_object (&self->parser);
  flow_npz_unref (self->expected);
  g_object_unref (self->model);
  g_free (self->folder);
}

static FlowSession *
new_session (const Case *c)
{
  FlowSession *session = flow_session_new (flow_model_get_graph (c->recorded->model), NULL);

  flow_session_set_folder (session, c->recorded->folder);
  return session;
}

/* Runs @target or fetches; @fetched has room for them. */
static gboolean
run (FlowSession        *session,
     const char *const  *fetches,
     const char         *target,
     FlowTensor        **fetched,
     GError            **error)
{
  const char *none[] = { NULL };
  const char *targets[] = { target, NULL };
  g_autoptr (FlowPlan) plan = flow_session_get_plan (session, none, fetches != NULL ? fetches : none, targets, NULL, error);
  g_autoptr (FlowRun) r = plan != NULL ? flow_run_new (session, plan, NULL, error) : NULL;
  FlowStepResult result;

  if (r == NULL)
    return FALSE;
  while ((result = flow_run_step (r, error)) == FLOW_STEP_DONE)
    ;
  g_assert_cmpint (result, !=, FLOW_STEP_WAITING);
  if (result == FLOW_STEP_FINISHED && fetched != NULL && !flow_run_get_fetches (r, fetched, error))
    result = FLOW_STEP_FAILED;
  flow_run_end (r);
  return result == FLOW_STEP_FINISHED;
}

static char **
list_fetches (const Case *c)
{
  JsonArray *array = json_object_get_array_member (c->entry, "fetches");
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < json_array_get_length (array); i++)
    g_ptr_array_add (list, g_strdup (json_array_get_string_element (array, i)));
  g_ptr_array_add (list, NULL);
  return (char **) g_ptr_array_free (list, FALSE);
}

static const char *
get_init (const Case *c)
{
  return json_object_get_null_member (c->entry, "init") ? NULL : json_object_get_string_member (c->entry, "init");
}

static FlowTensor *
expected_component (const Case *c,
                    gint64      k,
                    guint       i)
{
  g_autofree char *key = g_strdup_printf ("%s/%" G_GINT64_FORMAT "/%u", json_object_get_string_member (c->entry, "name"),
                                          k, i);
  g_autoptr (GError) error = NULL;
  FlowTensor *tensor = flow_npz_read (c->recorded->expected, key, NULL, &error);

  g_assert_no_error (error);
  return tensor;
}

static void
check_element (const Case  *c,
               gint64       k,
               guint        n,
               FlowTensor **got)
{
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (FlowTensor) expected = expected_component (c, k, i);

      if (!flow_tensor_identical (expected, got[i]))
        {
          g_autofree char *a = flow_shape_to_string (got[i]->shape);
          g_autofree char *b = flow_shape_to_string (expected->shape);

          g_test_fail_printf ("element %" G_GINT64_FORMAT " component %u: %s %s beginning %g, TensorFlow has %s %s "
                              "beginning %g", k, i, flow_dtype_name (got[i]->dtype), a,
                              got[i]->n_elements > 0 ? flow_tensor_get_double (got[i], 0) : 0,
                              flow_dtype_name (expected->dtype), b,
                              expected->n_elements > 0 ? flow_tensor_get_double (expected, 0) : 0);
        }
      flow_tensor_unref (got[i]);
    }
}

static void
check_error (const Case   *c,
             const GError *error)
{
  if (json_object_has_member (c->entry, "error"))
    {
      JsonObject *expected = json_object_get_object_member (c->entry, "error");

      g_assert_cmpint (error->code, ==, json_object_get_int_member (expected, "code"));
      if (!g_str_has_prefix (error->message, json_object_get_string_member (expected, "message")))
        g_test_fail_printf ("says: %s\nTensorFlow: %s", error->message, json_object_get_string_member (expected, "message"));
    }
  else if (json_object_get_boolean_member (c->entry, "ends"))
    {
      g_assert_error (error, FLOW_ERROR, FLOW_ERROR_OUT_OF_RANGE);
      g_assert_true (g_str_has_prefix (error->message, "End of sequence"));
    }
}

/* Whether nothing came of it: the dataset was perhaps not made. */
static gboolean
refuses_at_once (const Case *c)
{
  return json_object_has_member (c->entry, "error") && json_object_get_int_member (c->entry, "n") == 0;
}

static void
test_elements (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (FlowSession) session = new_session (c);
  g_auto (GStrv) fetches = list_fetches (c);
  guint n = g_strv_length (fetches);
  g_autofree FlowTensor **got = g_new0 (FlowTensor *, n + 1);
  g_autoptr (GError) error = NULL;
  gint64 n_elements = json_object_get_int_member (c->entry, "n");

  if (get_init (c) != NULL && !run (session, NULL, get_init (c), NULL, &error))
    {
      if (refuses_at_once (c))
        check_error (c, error);
      else
        g_test_fail_printf ("%s", error->message);
      return;
    }
  for (gint64 k = 0; k < n_elements; k++)
    {
      if (!run (session, (const char *const *) fetches, NULL, got, &error))
        {
          g_test_fail_printf ("element %" G_GINT64_FORMAT ": %s", k, error->message);
          return;
        }
      check_element (c, k, n, got);
    }
  if (!json_object_get_boolean_member (c->entry, "ends") && !json_object_has_member (c->entry, "error"))
    return;
  if (run (session, (const char *const *) fetches, NULL, got, &error))
    {
      g_test_fail_printf ("gives more than %" G_GINT64_FORMAT " elements", n_elements);
      for (guint i = 0; i < n; i++)
        flow_tensor_unref (got[i]);
      return;
    }
  check_error (c, error);
}

/* --- stepping back and forth ------------------------------------------------------------------------------- */

static FlowStepper *
new_stepper (const Case  *c,
             FlowSession *session)
{
  g_auto (GStrv) fetches = list_fetches (c);
  g_autoptr (GString) text = g_string_new ("{\"graph\": \"pipelines.pb.gz\", \"runs\": [");
  g_autoptr (FlowRunFile) file = NULL;
  g_autoptr (GError) error = NULL;
  gint64 n = json_object_get_int_member (c->entry, "n");
  FlowStepper *stepper;

  if (get_init (c) != NULL)
    g_string_append_printf (text, "{\"name\": \"init\", \"targets\": [\"%s\"]}%s", get_init (c), n > 0 ? ", " : "");
  for (guint i = 0; n > 0 && fetches[i] != NULL; i++)
    g_string_append_printf (text, "%s\"%s\"", i == 0 ? "{\"name\": \"next\", \"fetches\": [" : ", ", fetches[i]);
  if (n > 0)
    g_string_append_printf (text, "], \"repeat\": %" G_GINT64_FORMAT "}", n);
  g_string_append (text, "]}");
  file = flow_run_file_parse (text->str, -1, c->recorded->folder, &error);
  g_assert_no_error (error);
  stepper = flow_stepper_new (session, file);
  flow_stepper_start (stepper, &error);
  g_assert_no_error (error);
  return stepper;
}

/* Steps to the end; the state and the outputs after each op are added to @seen, or compared with it. */
static void
step_to_end (const Case  *c,
             FlowStepper *stepper,
             GArray      *seen)
{
  g_autoptr (GError) error = NULL;
  guint k = 0;

  while (flow_stepper_step (stepper, &error) == FLOW_STEP_DONE)
    {
      guint64 now[2] = { flow_stepper_hash_state (stepper),
                         flow_stepper_hash_outputs (stepper, flow_stepper_get_position (stepper) - 1) };

      if (2 * k < seen->len)
        {
          g_assert_cmpuint (now[0], ==, g_array_index (seen, guint64, 2 * k));
          g_assert_cmpuint (now[1], ==, g_array_index (seen, guint64, 2 * k + 1));
        }
      else
        {
          g_array_append_vals (seen, now, 2);
        }
      k++;
    }
  if (error != NULL && refuses_at_once (c))
    check_error (c, error);
  else
    g_assert_no_error (error);
  g_assert_cmpuint (2 * k, ==, seen->len);
}

static void
test_back (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (FlowSession) session = new_session (c);
  g_autoptr (FlowStepper) stepper = new_stepper (c, session);
  g_autoptr (GArray) seen = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GError) error = NULL;
  guint64 before = flow_stepper_hash_state (stepper);

  step_to_end (c, stepper, seen);
  for (guint k = seen->len / 2; k > 0; k--)
    {
      g_assert_cmpuint (flow_stepper_hash_state (stepper), ==, g_array_index (seen, guint64, 2 * k - 2));
      g_assert_true (flow_stepper_back (stepper, &error));
      g_assert_no_error (error);
    }
  g_assert_cmpuint (flow_stepper_hash_state (stepper), ==, before);
  step_to_end (c, stepper, seen);
}

/* --- hostile numbers --------------------------------------------------------------------------------------- */

/* One element of pipeline @name, whose input @inputs[i] is @values[i]; @cancel is asked to stop it. */
static void
run_hostile (const Recorded      *recorded,
             const char          *name,
             const char *const   *inputs,
             const gint64        *values,
             GCancellable        *cancel,
             GError             **error)
{
  g_autoptr (FlowBudget) budget = flow_budget_new (G_GUINT64_CONSTANT (64) << 20);
  g_autoptr (FlowSession) session = flow_session_new (flow_model_get_graph (recorded->model), budget);
  g_autofree char *init = g_strconcat (name, "/MakeIterator", NULL);
  g_autofree char *next = g_strconcat (name, "/IteratorGetNext:0", NULL);
  g_auto (GStrv) feeds = g_new0 (char *, g_strv_length ((char **) inputs) + 1);
  FlowTensor *fed[4] = { NULL };
  const char *none[] = { NULL };
  const char *targets[] = { init, NULL };
  const char *fetches[] = { next, NULL };

  for (guint i = 0; inputs[i] != NULL; i++)
    {
      feeds[i] = g_strdup_printf ("%s/%s:0", name, inputs[i]);
      fed[i] = flow_tensor_new_int64 (values[i]);
    }
  for (guint k = 0; k < 2 && *error == NULL; k++)
    {
      g_autoptr (FlowPlan) plan = flow_session_get_plan (session, k == 0 ? (const char *const *) feeds : none,
                                                         k == 0 ? none : fetches, k == 0 ? targets : none, NULL, error);
      g_autoptr (FlowRun) r = NULL;

      g_assert_no_error (*error);
      r = flow_run_new (session, plan, k == 0 ? fed : NULL, error);
      g_assert_no_error (*error);
      flow_run_set_cancellable (r, cancel);
      while (flow_run_step (r, error) == FLOW_STEP_DONE)
        ;
      flow_run_end (r);
    }
  for (guint i = 0; inputs[i] != NULL; i++)
    flow_tensor_unref (fed[i]);
}

static void
test_huge_shuffle (gconstpointer recorded)
{
  const char *inputs[] = { "stop", "buffer_size", NULL };
  const gint64 values[] = { G_MAXINT64, G_GINT64_CONSTANT (1) << 62 };
  g_autoptr (GError) error = NULL;

  run_hostile (recorded, "shuffle_batch_repeat", inputs, values, NULL, &error);
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED);
}

static void
test_huge_batch (gconstpointer recorded)
{
  const char *inputs[] = { "stop", "batch_size", NULL };
  const gint64 values[] = { G_MAXINT64, G_MAXINT64 };
  g_autoptr (GError) error = NULL;

  run_hostile (recorded, "shuffle_batch_repeat", inputs, values, NULL, &error);
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED);
}

/* Nothing, for ever and very often, is the end. */
static void
test_endless_nothing (gconstpointer recorded)
{
  /* A plan takes its feeds in the order of their names. */
  const char *inputs[] = { "count", "stop", NULL };

  for (gint64 count = -1; count < G_MAXINT64; count = count < 0 ? G_MAXINT64 - 1 : G_MAXINT64)
    {
      const gint64 values[] = { count, 0 };
      g_autoptr (GError) error = NULL;

      run_hostile (recorded, "shuffle_repeat_forever", inputs, values, NULL, &error);
      g_assert_error (error, FLOW_ERROR, FLOW_ERROR_OUT_OF_RANGE);
      g_clear_error (&error);
      run_hostile (recorded, "shuffle_batch_repeat", inputs, values, NULL, &error);
      g_assert_error (error, FLOW_ERROR, FLOW_ERROR_OUT_OF_RANGE);
    }
}

static gpointer
cancel_worker (gpointer cancellable)
{
  g_usleep (100 * 1000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

static void
test_cancel (gconstpointer recorded)
{
  const char *inputs[] = { "start", "stop", NULL };
  const gint64 values[] = { G_MININT64, 0 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  GThread *thread = g_thread_new ("cancel", cancel_worker, cancellable);

  run_hostile (recorded, "filter_nothing", inputs, values, cancellable, &error);
  g_thread_join (thread);
  g_assert_nonnull (error);
  g_assert_true (g_error_matches (error, FLOW_ERROR, FLOW_ERROR_CANCELLED)
                 || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
}

int
main (int    argc,
      char **argv)
{
  Recorded recorded = { 0 };
  g_autoptr (GPtrArray) cases = g_ptr_array_new_with_free_func (g_free);
  JsonArray *entries;
  int failed;

  g_test_init (&argc, &argv, NULL);
  recorded_open (&recorded);
  entries = json_object_get_array_member (json_node_get_object (json_parser_get_root (recorded.parser)), "pipelines");
  for (guint i = 0; i < json_array_get_length (entries); i++)
    {
      Case *c = g_new (Case, 1);
      g_autofree char *elements = NULL;
      g_autofree char *back = NULL;

      c->recorded = &recorded;
      c->entry = json_array_get_object_element (entries, i);
      g_ptr_array_add (cases, c);
      elements = g_strdup_printf ("/datasets/elements/%s", json_object_get_string_member (c->entry, "name"));
      g_test_add_data_func (elements, c, test_elements);
      back = g_strdup_printf ("/datasets/back/%s", json_object_get_string_member (c->entry, "name"));
      g_test_add_data_func (back, c, test_back);
    }
  g_test_add_data_func ("/datasets/hostile/shuffle", &recorded, test_huge_shuffle);
  g_test_add_data_func ("/datasets/hostile/batch", &recorded, test_huge_batch);
  g_test_add_data_func ("/datasets/hostile/nothing", &recorded, test_endless_nothing);
  g_test_add_data_func ("/datasets/hostile/cancel", &recorded, test_cancel);
  failed = g_test_run ();
  recorded_close (&recorded);
  return failed;
}
