/* test-function-golden.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-function.h"
#include "flow-model.h"
#include "flow-run.h"
#include "flow-run-file.h"
#include "flow-tensor-hash.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

/* Graphs that call functions, as tests/oracle/record_functions.py recorded them: what they give, what they say, and
 * that each step of them is undone and done again bit for bit. */

typedef struct {
  JsonObject *doc;
  FlowGraph *graph;
  FlowSession *session;
  FlowPlan *plan;
  FlowRun *run;
  GPtrArray *feeds;            /* of FlowTensor, in the plan's order */
} Case;

static char *
golden (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "golden", "functions", name, NULL);
}

static char **
list_strings (JsonArray *array)
{
  GStrvBuilder *builder = g_strv_builder_new ();
  char **list = NULL;

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    g_strv_builder_add (builder, json_array_get_string_element (array, i));
  list = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  return list;
}

static void
make_feeds (Case       *self,
            JsonObject *feeds)
{
  g_autoptr(FlowFeeder) feeder = flow_feeder_new (NULL, flow_session_get_budget (self->session));

  self->feeds = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_tensor_unref);
  for (guint i = 0; flow_plan_get_feed (self->plan, i) != NULL; i++)
    {
      const char *name = flow_plan_get_feed (self->plan, i);
      JsonNode *value = json_object_get_member (feeds, name);
      g_autofree char *text = json_to_string (value, FALSE);
      g_autofree char *json = g_strdup_printf ("{\"value\": %s}", text);
      FlowEndpoint endpoint = { 0 };
      g_autoptr(GError) error = NULL;
      FlowTensor *tensor = NULL;

      flow_graph_parse_endpoint (self->graph, name, &endpoint, &error);
      g_assert_no_error (error);
      tensor = flow_feeder_make (feeder, name, flow_graph_get_output_dtype (self->graph, endpoint.node, 0), json, 0, &error);
      g_assert_no_error (error);
      g_ptr_array_add (self->feeds, tensor);
    }
}

static void
begin (Case       *self,
       char      **fetches,
       const char *target,
       JsonObject *feeds)
{
  g_auto(GStrv) names = NULL;
  const char *targets[] = { target, NULL };
  g_autoptr(GError) error = NULL;
  g_autoptr(GList) members = feeds != NULL ? json_object_get_members (feeds) : NULL;
  GStrvBuilder *builder = g_strv_builder_new ();

  for (GList *l = members; l != NULL; l = l->next)
    g_strv_builder_add (builder, l->data);
  names = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  self->plan = flow_session_get_plan (self->session, (const char *const *) names, (const char *const *) fetches, targets,
                                      NULL, &error);
  g_assert_no_error (error);
  make_feeds (self, feeds);
  self->run = flow_run_new (self->session, self->plan, (FlowTensor *const *) self->feeds->pdata, &error);
  g_assert_no_error (error);
}

static void
end (Case *self)
{
  flow_run_end (self->run);
  g_clear_pointer (&self->run, flow_run_unref);
  g_clear_pointer (&self->plan, flow_plan_unref);
  g_clear_pointer (&self->feeds, g_ptr_array_unref);
}

/* One step as text: what executed, where, and what it gave. */
static char *
describe_step (Case *self)
{
  const FlowRunStep *step = flow_run_get_last (self->run);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s %s %" G_GINT64_FORMAT " %d %d", flow_graph_get_node_name (self->graph, step->node),
                          step->frame, step->iteration, (int) step->dead, (int) step->phase);
  for (guint i = 0; i < step->n_outputs; i++)
    {
      g_autoptr(FlowTensor) tensor = flow_value_dup_current (&step->outputs[i]);

      g_string_append_printf (text, " %08x", tensor != NULL ? (guint) flow_tensor_hash (tensor, 0) : 0);
    }
  return g_string_free (text, FALSE);
}

/* To the end, op by op back, and to the end again; then in one go back and again. */
static void
step_there_and_back (Case *self)
{
  FlowUndo *undo = flow_undo_new ();
  g_autoptr(GPtrArray) steps = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GArray) marks = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint64 mark = 0;

  flow_session_set_undo (self->session, undo);
  for (int turn = 0; turn < 3; turn++)
    {
      FlowStepResult result = FLOW_STEP_DONE;
      FlowRunNext next = { 0 };
      guint n = 0;

      for (;; n++)
        {
          gboolean known = flow_run_look (self->run, &next);
          g_autofree char *text = NULL;

          mark = flow_undo_mark (undo);
          if (turn == 0)
            g_array_append_val (marks, mark);
          result = flow_run_step (self->run, NULL);
          if (result != FLOW_STEP_DONE)
            break;
          g_assert_true (known);
          g_assert_cmpuint (flow_run_get_last (self->run)->node, ==, next.node);
          text = describe_step (self);
          if (turn == 0)
            g_ptr_array_add (steps, g_steal_pointer (&text));
          else
            g_assert_cmpstr (text, ==, g_ptr_array_index (steps, n));
        }
      g_assert_cmpuint (n, ==, steps->len);
      for (guint k = n + 1; turn < 2 && k-- > 0;)
        {
          if (turn == 1 && k > 0)
            continue;
          flow_undo_rollback (undo, g_array_index (marks, guint64, k));
          flow_run_forget_waits (self->run);
          if (k == n)
            continue;
          g_assert_true (flow_run_look (self->run, &next));
          g_assert_true (g_str_has_prefix (g_ptr_array_index (steps, k), flow_graph_get_node_name (self->graph, next.node)));
        }
    }
  flow_session_set_undo (self->session, NULL);
  flow_undo_free (undo);
}

static void
compare (const FlowTensor *tensor,
         JsonObject       *wanted,
         const char       *name)
{
  JsonArray *values = json_object_get_array_member (wanted, "values");

  g_assert_cmpint (tensor->n_elements, ==, json_array_get_length (values));
  g_assert_cmpint (tensor->shape->rank, ==, json_array_get_length (json_object_get_array_member (wanted, "shape")));
  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      double got = flow_tensor_get_double (tensor, i);
      JsonNode *node = json_array_get_element (values, (guint) i);
      double want = json_node_get_value_type (node) == G_TYPE_STRING ? g_ascii_strtod (json_node_get_string (node), NULL)
                                                                      : json_node_get_double (node);

      if (!(got == want || fabs (got - want) <= 2e-6 * MAX (1, fabs (want))))
        g_test_fail_printf ("%s[%d] is %.9g, not %.9g", name, (int) i, got, want);
    }
}

/* TensorFlow's Python, which the words are from, takes the marks of functions out; not of one with brackets in its name. */
static char *
as_told (const char *message)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GRegex) mark = g_regex_new ("{{function_node [A-Za-z0-9_.][A-Za-z0-9_.\\-/]*}}", 0, 0, &error);
  char *told = NULL;

  g_assert_no_error (error);
  told = g_regex_replace_literal (mark, message, -1, 0, "", 0, &error);
  g_assert_no_error (error);
  return told;
}

static void
check_run (Case       *self,
           JsonObject *wanted,
           char      **fetches)
{
  g_autoptr(GError) error = NULL;
  FlowStepResult result = FLOW_STEP_DONE;
  const FlowPruneEnds *ends = NULL;
  FlowTensor *fetched[64] = { NULL };

  begin (self, fetches, NULL, json_object_get_object_member (wanted, "feeds"));
  ends = flow_prune_get_ends (flow_plan_get_prune (self->plan));
  g_assert_cmpuint (ends->n_fetches, <=, G_N_ELEMENTS (fetched));
  step_there_and_back (self);
  while (result == FLOW_STEP_DONE)
    result = flow_run_step (self->run, &error);
  if (json_object_has_member (wanted, "error"))
    {
      JsonObject *words = json_object_get_object_member (wanted, "error");
      g_autofree char *message = g_strdup (json_object_get_string_member (words, "message"));
      g_autofree char *told = error != NULL ? as_told (error->message) : NULL;

      /* Nodes that TensorFlow adds for gradients are called by number there, here by the op whose gradient they are. */
      if (strstr (message, "{{node Func/") != NULL)
        *strchr (message, '\n') = '\0';
      if (error == NULL)
        g_test_fail_printf ("no error, wanted %s", message);
      else if (error->code != json_object_get_int_member (words, "code") || !g_str_has_prefix (told, message))
        g_test_fail_printf ("error %d %s\n wanted %s", error->code, told, message);
      else
        g_assert_nonnull (flow_error_get_node (error));
    }
  else if (error != NULL)
    g_test_fail_printf ("%s", error->message);
  else
    {
      flow_run_get_fetches (self->run, fetched, &error);
      g_assert_no_error (error);
      for (guint i = 0; i < ends->n_fetches; i++)
        {
          g_autofree char *name = flow_graph_endpoint_to_string (self->graph, ends->fetches[i].node, ends->fetches[i].slot);

          for (guint k = 0; fetches[k] != NULL; k++)
            if (strcmp (fetches[k], name) == 0)
              compare (fetched[i], json_array_get_object_element (json_object_get_array_member (wanted, "values"), k), name);
          flow_tensor_unref (fetched[i]);
        }
    }
  end (self);
}

static void
test_case (gconstpointer data)
{
  Case self = { .doc = (JsonObject *) data };
  const char *name = json_object_get_string_member (self.doc, "name");
  g_autofree char *file = g_strdup_printf ("%s.pb", name);
  g_autofree char *path = golden (file);
  g_auto(GStrv) fetches = list_strings (json_object_get_array_member (self.doc, "fetches"));
  JsonArray *runs = json_object_get_array_member (self.doc, "runs");
  g_autoptr(GError) error = NULL;

  self.graph = flow_graph_load_file (path, &error);
  g_assert_no_error (error);
  self.session = flow_session_new (self.graph, NULL);
  if (!json_object_get_null_member (self.doc, "init"))
    {
      char *none[] = { NULL };

      begin (&self, none, json_object_get_string_member (self.doc, "init"), NULL);
      while (flow_run_step (self.run, &error) == FLOW_STEP_DONE)
        ;
      g_assert_no_error (error);
      end (&self);
    }
  for (guint i = 0; i < json_array_get_length (runs); i++)
    check_run (&self, json_array_get_object_element (runs, i), fetches);
  g_assert_finalize_object (self.session);
  g_object_unref (self.graph);
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr(JsonParser) parser = json_parser_new ();
  g_autofree char *path = NULL;
  g_autoptr(GError) error = NULL;
  JsonArray *cases = NULL;

  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();
  path = golden ("functions.json");
  json_parser_load_from_file (parser, path, &error);
  g_assert_no_error (error);
  cases = json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)), "cases");
  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      JsonObject *one = json_array_get_object_element (cases, i);
      g_autofree char *name = g_strdup_printf ("/function/golden/%s", json_object_get_string_member (one, "name"));

      g_test_add_data_func (name, one, test_case);
    }
  return g_test_run ();
}
