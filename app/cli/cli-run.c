/* cli-run.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cli-runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  FlowCli *cli;
  FlowRunFile *file;
  FlowSession *session;
  FlowRunList *list;
  char *values;
  char *variables;
  char *save;
  char *trace;
  gboolean time;
  gboolean profile;
  GArray *events;              /* of Event, with --trace or --profile */
} Run;

/* One executed op, for the profile and the trace. */
typedef struct {
  guint32 node;
  guint64 run;
  gint64 start_us;
  gint64 ns;
} Event;

static void
run_clear (Run *self)
{
  g_clear_pointer (&self->list, flow_run_list_free);
  g_clear_pointer (&self->file, flow_run_file_free);
  g_clear_object (&self->session);
  g_clear_pointer (&self->events, g_array_unref);
  g_free (self->values);
  g_free (self->variables);
  g_free (self->save);
  g_free (self->trace);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static FlowRunEntry *
entry_of (Run           *self,
          FlowListedRun *run)
{
  return g_ptr_array_index (self->file->entries, run->entry);
}

static double
duration_ms (FlowListedRun *run)
{
  return (double) (run->ended_us - run->began_us) / 1000;
}

static void
note_event (Run *self)
{
  FlowListedRun *run = flow_run_list_get_last (self->list);
  const FlowRunStep *step = flow_run_get_last (run->run);
  Event event = { step->node, run->number, g_get_monotonic_time () - step->ns / 1000, step->ns };

  if (!step->dead)
    g_array_append_val (self->events, event);
}

static gboolean
save_values (Run     *self,
             GError **error)
{
  g_autoptr(FlowNpzWriter) writer = flow_npz_writer_new (self->values, error);

  if (writer == NULL)
    return FALSE;
  for (guint k = 0; k < flow_run_list_get_n_runs (self->list); k++)
    {
      FlowListedRun *run = flow_run_list_get_run (self->list, k);
      FlowRunEntry *entry = entry_of (self, run);

      for (guint i = 0; run->fetched != NULL && i < run->n_fetched; i++)
        {
          g_autofree char *key = g_strdup_printf ("%s/%s@%" G_GUINT64_FORMAT, entry->name, entry->fetches[i], run->i);
          gboolean twice = FALSE;

          for (guint j = 0; j < i; j++)
            twice = twice || strcmp (entry->fetches[j], entry->fetches[i]) == 0;
          if (!twice && run->fetched[i] != NULL && run->fetched[i]->dtype != FLOW_DTYPE_RESOURCE
              && run->fetched[i]->dtype != FLOW_DTYPE_VARIANT
              && !flow_npz_writer_add (writer, key, run->fetched[i], error))
            return FALSE;
        }
    }
  return flow_npz_writer_finish (writer, error);
}

/* --- profile and trace -------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  gint64 ns;
  gint64 count;
} Cost;

static int
compare_costs (gconstpointer a,
               gconstpointer b)
{
  gint64 x = ((const Cost *) a)->ns;
  gint64 y = ((const Cost *) b)->ns;

  return x < y ? 1 : x > y ? -1 : strcmp (((const Cost *) a)->name, ((const Cost *) b)->name);
}

static GArray *
sum_costs (Run     *self,
           gboolean by_type)
{
  FlowGraph *graph = flow_session_get_graph (self->session);
  g_autoptr(GHashTable) at = g_hash_table_new (g_str_hash, g_str_equal);
  GArray *costs = g_array_new (FALSE, FALSE, sizeof (Cost));

  for (guint i = 0; i < self->events->len; i++)
    {
      const Event *event = &g_array_index (self->events, Event, i);
      const char *name = by_type ? flow_graph_get_node_type (graph, event->node)
                                 : flow_graph_get_node_name (graph, event->node);
      guint index = GPOINTER_TO_UINT (g_hash_table_lookup (at, name));

      if (index == 0)
        {
          Cost cost = { name, 0, 0 };

          g_array_append_val (costs, cost);
          index = costs->len;
          g_hash_table_insert (at, (gpointer) name, GUINT_TO_POINTER (index));
        }
      g_array_index (costs, Cost, index - 1).ns += event->ns;
      g_array_index (costs, Cost, index - 1).count++;
    }
  g_array_sort (costs, compare_costs);
  return costs;
}

static void
add_costs (JsonBuilder *builder,
           const char  *key,
           GArray      *costs)
{
  json_builder_set_member_name (builder, key);
  json_builder_begin_array (builder);
  for (guint i = 0; i < costs->len; i++)
    {
      const Cost *cost = &g_array_index (costs, Cost, i);

      json_builder_begin_object (builder);
      flow_cli_json_set_text (builder, "name", cost->name);
      flow_cli_json_set_int (builder, "count", cost->count);
      flow_cli_json_set_double (builder, "ms", (double) cost->ns / 1e6);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static gboolean
save_trace (Run     *self,
            GError **error)
{
  FlowGraph *graph = flow_session_get_graph (self->session);
  g_autoptr(JsonBuilder) builder = json_builder_new ();
  g_autoptr(JsonNode) root = NULL;
  g_autoptr(GBytes) bytes = NULL;
  char *text = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "traceEvents");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->events->len; i++)
    {
      const Event *event = &g_array_index (self->events, Event, i);

      json_builder_begin_object (builder);
      flow_cli_json_set_text (builder, "name", flow_graph_get_node_type (graph, event->node));
      flow_cli_json_set_text (builder, "ph", "X");
      flow_cli_json_set_int (builder, "pid", 0);
      flow_cli_json_set_int (builder, "tid", (gint64) event->run);
      flow_cli_json_set_int (builder, "ts", event->start_us);
      flow_cli_json_set_double (builder, "dur", (double) event->ns / 1000);
      json_builder_set_member_name (builder, "args");
      json_builder_begin_object (builder);
      flow_cli_json_set_text (builder, "name", flow_graph_get_node_name (graph, event->node));
      json_builder_end_object (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  text = flow_json_mend_numbers (json_to_string (root, FALSE));
  bytes = g_bytes_new_take (text, strlen (text));
  return flow_write_file_safely (self->trace, bytes, error);
}

/* --- reports ------------------------------------------------------------------------------------ */

static int
compare_doubles (gconstpointer a,
                 gconstpointer b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static gboolean
median_ms (Run    *self,
           double *median)
{
  g_autoptr(GArray) times = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint k = 0; k < flow_run_list_get_n_runs (self->list); k++)
    {
      FlowListedRun *run = flow_run_list_get_run (self->list, k);
      double ms = duration_ms (run);

      if (run->fetched != NULL)
        g_array_append_val (times, ms);
    }
  if (times->len == 0)
    return FALSE;
  g_array_sort (times, compare_doubles);
  *median = (g_array_index (times, double, (times->len - 1) / 2) + g_array_index (times, double, times->len / 2)) / 2;
  return TRUE;
}

static void
add_run (Run           *self,
         JsonBuilder   *builder,
         FlowListedRun *run)
{
  FlowRunEntry *entry = entry_of (self, run);

  json_builder_begin_object (builder);
  flow_cli_json_set_text (builder, "name", entry->name);
  flow_cli_json_set_int (builder, "i", (gint64) run->i);
  flow_cli_json_set_double (builder, "ms", duration_ms (run));
  json_builder_set_member_name (builder, "fetches");
  json_builder_begin_object (builder);
  for (guint i = 0; run->fetched != NULL && i < run->n_fetched; i++)
    if (run->fetched[i] != NULL)
      {
        json_builder_set_member_name (builder, entry->fetches[i]);
        flow_cli_json_value (builder, run->fetched[i]);
      }
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "error");
  if (run->error != NULL)
    flow_cli_json_error (builder, run->error);
  else
    json_builder_add_null_value (builder);
  json_builder_end_object (builder);
}

static void
print_json (Run *self)
{
  JsonBuilder *builder = json_builder_new ();
  double median = 0;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "runs");
  json_builder_begin_array (builder);
  for (guint k = 0; k < flow_run_list_get_n_runs (self->list); k++)
    add_run (self, builder, flow_run_list_get_run (self->list, k));
  json_builder_end_array (builder);
  if (self->time && median_ms (self, &median))
    flow_cli_json_set_double (builder, "median_ms", median);
  if (self->profile)
    {
      g_autoptr(GArray) types = sum_costs (self, TRUE);
      g_autoptr(GArray) ops = sum_costs (self, FALSE);

      json_builder_set_member_name (builder, "profile");
      json_builder_begin_object (builder);
      add_costs (builder, "types", types);
      add_costs (builder, "ops", ops);
      json_builder_end_object (builder);
    }
  json_builder_end_object (builder);
  flow_cli_json_print (builder);
}

static void
print_run (Run           *self,
           FlowListedRun *run)
{
  FlowRunEntry *entry = entry_of (self, run);
  g_autofree char *times = self->time ? g_strdup_printf ("  %.3f ms", duration_ms (run)) : g_strdup ("");

  printf ("%s", entry->name);
  if (entry->repeat > 1)
    printf ("@%" G_GUINT64_FORMAT, run->i);
  printf ("%s\n", times);
  for (guint i = 0; run->fetched != NULL && i < run->n_fetched; i++)
    if (run->fetched[i] != NULL)
      {
        g_autofree char *summary = flow_tensor_summary (run->fetched[i]);

        printf ("  %s  %s\n", entry->fetches[i], summary);
      }
  if (run->error != NULL)
    printf ("  %s%s: %s\n", run->error_expected ? "expected: " : "", flow_error_code_name (run->error->code),
            run->error->message);
}

static void
print_text (Run *self)
{
  double median = 0;

  for (guint k = 0; k < flow_run_list_get_n_runs (self->list); k++)
    print_run (self, flow_run_list_get_run (self->list, k));
  if (self->time && median_ms (self, &median))
    printf ("median %.3f ms\n", median);
  if (self->profile)
    {
      g_autoptr(GArray) types = sum_costs (self, TRUE);

      for (guint i = 0; i < types->len; i++)
        printf ("%12.3f ms %8" G_GINT64_FORMAT "  %s\n", (double) g_array_index (types, Cost, i).ns / 1e6,
                g_array_index (types, Cost, i).count, g_array_index (types, Cost, i).name);
    }
}

/* --- running ------------------------------------------------------------------------------------ */

/* A list that cannot move any more ends like a run that is cancelled: with the words of the op. */
static void
end_waiting (Run     *self,
             GError **error)
{
  for (guint k = 0; k < flow_run_list_get_n_runs (self->list); k++)
    {
      FlowListedRun *run = flow_run_list_get_run (self->list, k);

      if (!run->ended && run->run != NULL && flow_run_get_wait_text (run->run) != NULL)
        {
          g_autofree char *text = g_strdup (flow_run_get_wait_text (run->run));

          flow_run_cancel (run->run, error);
          if (error != NULL && *error != NULL && text != NULL)
            {
              g_autoptr(GError) words = g_steal_pointer (error);

              g_set_error (error, words->domain, words->code, "%s\n\t waiting for %s", words->message, text);
              flow_error_set_node (*error, flow_error_get_node (words), flow_error_get_op_type (words));
            }
          return;
        }
    }
}

/* The engine runs what Session.run would refuse; its words are said, each once. */
static void
print_warnings (Run *self)
{
  g_autoptr(GHashTable) said = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint k = 0; k < flow_run_list_get_n_runs (self->list); k++)
    {
      FlowListedRun *run = flow_run_list_get_run (self->list, k);

      for (guint i = 0; run->warnings != NULL && i < run->warnings->len; i++)
        if (g_hash_table_add (said, g_ptr_array_index (run->warnings, i)))
          fprintf (stderr, "flowstep-cli: warning: %s\n", (const char *) g_ptr_array_index (run->warnings, i));
    }
}

static int
finish (Run          *self,
        const GError *failure)
{
  g_autoptr(GError) error = NULL;
  gboolean all_good = failure == NULL;

  for (guint k = 0; all_good && k < flow_run_list_get_n_runs (self->list); k++)
    {
      FlowListedRun *run = flow_run_list_get_run (self->list, k);

      if (run->error != NULL ? !run->error_expected : entry_of (self, run)->expect_error != NULL)
        all_good = FALSE;
    }
  if ((self->values != NULL && !save_values (self, &error))
      || (self->trace != NULL && !save_trace (self, &error)))
    return flow_cli_bad_file (self->cli, self->values, error);
  if (self->variables != NULL && !flow_cli_save_variables (self->session, self->variables, &error))
    return flow_cli_bad_file (self->cli, self->variables, error);
  if (self->save != NULL && !flow_session_save_checkpoint (self->session, self->save, &error))
    return flow_cli_bad_file (self->cli, self->save, error);
  print_warnings (self);
  if (self->cli->json)
    print_json (self);
  else
    print_text (self);
  if (failure != NULL)
    {
      g_autofree char *line = g_strdelimit (g_strdup (failure->message), "\n\r", ' ');

      fprintf (stderr, "flowstep-cli: %s: %s\n", self->file->path != NULL ? self->file->path : self->file->graph, line);
    }
  return all_good ? FLOW_CLI_OK : FLOW_CLI_NO;
}

static int
run_worker (gpointer data)
{
  Run *self = data;
  g_autoptr(GError) error = NULL;
  FlowStepResult result = FLOW_STEP_DONE;

  flow_run_list_set_deadlines (self->list, TRUE);
  flow_run_list_set_eager_kernels (self->list, TRUE);
  flow_run_list_set_timing (self->list, self->events != NULL);
  result = flow_run_list_start (self->list, &error);
  while (result == FLOW_STEP_DONE)
    {
      result = flow_run_list_step (self->list, &error);
      if (result == FLOW_STEP_DONE && self->events != NULL)
        note_event (self);
    }
  if (result == FLOW_STEP_WAITING)
    end_waiting (self, &error);
  if (error != NULL)
    {
      FlowListedRun *current = flow_run_list_get_current (self->list);

      if (current == NULL)
        return flow_cli_failed (self->cli, self->file->path, error);
      flow_run_list_stop_current (self->list, error);
    }
  return finish (self, error);
}

static gboolean
make_list (Run          *self,
           FlowRunFile  *file,
           GError      **error)
{
  FlowGraph *graph = flow_session_get_graph (self->session);
  g_autoptr(FlowFeeder) feeder = flow_feeder_new (file->folder, flow_session_get_budget (self->session));

  self->list = flow_run_list_new (self->session, file);
  for (guint i = 0; file->override_names[i] != NULL; i++)
    {
      FlowEndpoint endpoint = { 0 };
      g_autoptr(FlowTensor) value = NULL;
      int dtype = 0;

      if (!flow_graph_parse_endpoint (graph, file->override_names[i], &endpoint, error) || endpoint.slot < 0)
        return FALSE;
      dtype = flow_dtype_base (flow_graph_get_output_dtype (graph, endpoint.node, (guint) endpoint.slot));
      value = flow_feeder_make (feeder, file->override_names[i], dtype, file->overrides[i], 0, error);
      if (value == NULL
          || !flow_run_list_set_override (self->list, endpoint.node, endpoint.slot, value, error))
        return FALSE;
    }
  return TRUE;
}

int
flow_cli_run (FlowCli *cli,
              int      argc,
              char   **argv)
{
  g_auto(FlowCliRunOptions) options = { 0 };
  g_auto(Run) run = { .cli = cli };
  const GOptionEntry entries[] = {
    FLOW_CLI_RUN_OPTIONS (&options),
    { "values", 0, 0, G_OPTION_ARG_FILENAME, &run.values, "Save every fetch as RUN/TENSOR@i", "V.npz" },
    { "variables", 0, 0, G_OPTION_ARG_FILENAME, &run.variables, "Save all variables afterwards", "W.npz" },
    { "save", 0, 0, G_OPTION_ARG_FILENAME, &run.save, "Save a checkpoint afterwards", "PREFIX" },
    { "time", 0, 0, G_OPTION_ARG_NONE, &run.time, "Milliseconds of each run and their median", NULL },
    { "profile", 0, 0, G_OPTION_ARG_NONE, &run.profile, "Time per op type and op", NULL },
    { "trace", 0, 0, G_OPTION_ARG_FILENAME, &run.trace, "Save a Chrome trace", "T.json" },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr(GError) error = NULL;

  if (!flow_cli_parse (cli, &argc, &argv, entries, 1, 1))
    return cli->status;
  run.file = flow_cli_make_run_file (cli, argv[1], &options);
  if (run.file == NULL)
    return cli->status;
  run.session = flow_cli_make_session (cli, run.file, &options);
  if (run.session == NULL)
    return cli->status;
  if (run.profile || run.trace != NULL)
    run.events = g_array_new (FALSE, FALSE, sizeof (Event));
  if (!make_list (&run, run.file, &error))
    return flow_cli_failed (cli, argv[1], error);
  return flow_cli_call (run_worker, &run);
}
