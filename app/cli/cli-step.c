/* cli-step.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cli-runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Up to this much state every position is compared; of more, those where something was written and every
 * 64th. */
#define COMPARE_ALWAYS_BYTES (8u << 20)
/* Lines held hold their tensors: no more than this. */
#define MAX_HELD_LINES 200000
#define MAX_HELD_BYTES (G_GUINT64_CONSTANT (256) << 20)

typedef struct {
  FlowCli *cli;
  FlowRunFile *file;
  FlowSession *session;
  FlowStepper *stepper;
  GPtrArray *lines;            /* of Line, not printed yet */
  guint64 held_bytes;
  char *to;
  gint64 limit;
  char **breaks;
  gboolean verify;
  char *go_to;
  char *state;
} Step;

static void
step_clear (Step *self)
{
  g_clear_pointer (&self->lines, g_ptr_array_unref);
  g_clear_pointer (&self->stepper, flow_stepper_free);
  g_clear_object (&self->session);
  g_clear_pointer (&self->file, flow_run_file_free);
  g_free (self->to);
  g_strfreev (self->breaks);
  g_free (self->go_to);
  g_free (self->state);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Step, step_clear)

static FlowGraph *
graph_of (Step *self)
{
  return flow_session_get_graph (self->session);
}

/* --- one line an op ----------------------------------------------------------------------------- */

/* A line is held until its run ends: what was read from a reference variable is that variable's buffer,
 * and TensorFlow, asked for it, shows what stands in there when the run is over. */
typedef struct {
  guint64 k;
  char *run;
  guint64 i;
  guint64 number;
  guint32 node;
  const char *frame;
  gint64 iteration;
  gboolean dead;
  FlowCallPhase phase;
  guint n_outputs;
  FlowValue *outputs;
} Line;

static void
line_free (gpointer data)
{
  Line *line = data;

  for (guint i = 0; i < line->n_outputs; i++)
    flow_value_clear (&line->outputs[i]);
  g_free (line->outputs);
  g_free (line->run);
  g_free (line);
}

static void
add_output (Step        *self,
            JsonBuilder *builder,
            const Line  *line,
            guint        slot)
{
  g_autoptr(FlowTensor) tensor = flow_value_dup_current (&line->outputs[slot]);
  int dtype = flow_graph_get_output_dtype (graph_of (self), line->node, slot);

  json_builder_begin_object (builder);
  if (tensor != NULL)
    flow_cli_json_stats (builder, tensor);
  else
    {
      static const char *const keys[] = { "shape", "min", "max", "mean", "nan", "inf" };

      /* Nothing there: the branch not taken, or a variable without a value. */
      flow_cli_json_set_text (builder, "dtype", flow_dtype_name (flow_dtype_base (dtype)));
      for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
        {
          json_builder_set_member_name (builder, keys[i]);
          json_builder_add_null_value (builder);
        }
    }
  json_builder_end_object (builder);
}

static void
print_line_json (Step       *self,
                 const Line *line)
{
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  flow_cli_json_set_int (builder, "k", (gint64) line->k);
  flow_cli_json_set_text (builder, "run", line->run);
  flow_cli_json_set_int (builder, "i", (gint64) line->i);
  flow_cli_json_set_text (builder, "node", flow_graph_get_node_name (graph_of (self), line->node));
  flow_cli_json_set_text (builder, "type", flow_graph_get_node_type (graph_of (self), line->node));
  flow_cli_json_set_text (builder, "frame", line->frame);
  flow_cli_json_set_int (builder, "iteration", line->iteration);
  flow_cli_json_set_bool (builder, "dead", line->dead);
  if (line->phase == FLOW_CALL_ENTER || line->phase == FLOW_CALL_TURN)
    flow_cli_json_set_bool (builder, "calls", TRUE);
  json_builder_set_member_name (builder, "outputs");
  json_builder_begin_array (builder);
  for (guint i = 0; i < line->n_outputs; i++)
    add_output (self, builder, line, i);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  flow_cli_json_print_line (builder);
}

static void
print_line_text (Step       *self,
                 const Line *line)
{
  printf ("%6" G_GUINT64_FORMAT "  %-20s %s", line->k, flow_graph_get_node_type (graph_of (self), line->node),
          flow_graph_get_node_name (graph_of (self), line->node));
  if (*line->frame != '\0')
    printf ("  [%s %" G_GINT64_FORMAT "]", line->frame, line->iteration);
  if (line->dead)
    printf ("  dead");
  if (line->phase == FLOW_CALL_ENTER || line->phase == FLOW_CALL_TURN)
    printf ("  calls");
  for (guint i = 0; i < line->n_outputs; i++)
    {
      g_autoptr(FlowTensor) tensor = flow_value_dup_current (&line->outputs[i]);
      g_autofree char *summary = tensor != NULL ? flow_tensor_summary (tensor) : NULL;

      if (summary != NULL)
        printf ("  %s", summary);
    }
  printf ("\n");
}

static void
print_lines (Step *self)
{
  for (guint i = 0; i < self->lines->len; i++)
    {
      if (self->cli->json)
        print_line_json (self, g_ptr_array_index (self->lines, i));
      else
        print_line_text (self, g_ptr_array_index (self->lines, i));
    }
  g_ptr_array_set_size (self->lines, 0);
  self->held_bytes = 0;
}

static void
hold_line (Step *self)
{
  FlowListedRun *run = flow_run_list_get_last (flow_stepper_get_list (self->stepper));
  const FlowRunStep *step = flow_run_get_last (run->run);
  Line *line = g_new0 (Line, 1);

  line->k = flow_stepper_get_position (self->stepper) - 1;
  line->run = g_strdup (run->def->name);
  line->i = run->i;
  line->number = run->number;
  line->node = step->node;
  line->frame = step->frame;
  line->iteration = step->iteration;
  line->dead = step->dead;
  line->phase = step->phase;
  line->n_outputs = step->dead ? 0 : step->n_outputs;
  line->outputs = g_new0 (FlowValue, line->n_outputs + 1);
  for (guint i = 0; i < line->n_outputs; i++)
    {
      line->outputs[i] = flow_value_copy (&step->outputs[i]);
      if (line->outputs[i].tensor != NULL)
        self->held_bytes += line->outputs[i].tensor->n_bytes;
    }
  g_ptr_array_add (self->lines, line);
  if (run->ended || self->lines->len >= MAX_HELD_LINES || self->held_bytes >= MAX_HELD_BYTES)
    print_lines (self);
}

static int
fail (Step         *self,
      const GError *error)
{
  const char *name = self->file->path != NULL ? self->file->path : self->file->graph;

  if (self->cli->json)
    {
      JsonBuilder *builder = json_builder_new ();
      g_autofree char *line = g_strdelimit (g_strdup (error->message), "\n\r", ' ');

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "error");
      flow_cli_json_error (builder, error);
      json_builder_end_object (builder);
      flow_cli_json_print_line (builder);
      fprintf (stderr, "flowstep-cli: %s: %s\n", name, line);
    }
  else
    flow_cli_print_error (self->cli, name, error);
  return FLOW_CLI_NO;
}

static void
set_waiting (Step    *self,
             GError **error)
{
  FlowRunList *list = flow_stepper_get_list (self->stepper);
  const char *text = NULL;

  for (guint k = 0; text == NULL && k < flow_run_list_get_n_runs (list); k++)
    if (flow_run_list_get_run (list, k)->run != NULL && !flow_run_list_get_run (list, k)->ended)
      text = flow_run_get_wait_text (flow_run_list_get_run (list, k)->run);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_CANCELLED, "nothing can move: waiting for %s", text != NULL ? text : "?");
}

/* --- forwards ------------------------------------------------------------------------------------- */

static gboolean
is_before_target (Step *self)
{
  FlowListedRun *run = flow_run_list_get_current (flow_stepper_get_list (self->stepper));
  guint32 node = FLOW_NODE_NONE;

  return self->to != NULL && run != NULL && run->run != NULL && !run->ended
         && flow_run_peek_next (run->run, &node, NULL, NULL, NULL)
         && strcmp (flow_graph_get_node_name (graph_of (self), node), self->to) == 0;
}

static void
print_summary (Step   *self,
               gint64  steps,
               gint64  us,
               const char *stopped)
{
  if (self->cli->json)
    {
      JsonBuilder *builder = json_builder_new ();

      json_builder_begin_object (builder);
      flow_cli_json_set_int (builder, "steps", steps);
      flow_cli_json_set_double (builder, "ms", (double) us / 1000);
      if (stopped != NULL)
        flow_cli_json_set_text (builder, "stopped", stopped);
      json_builder_end_object (builder);
      flow_cli_json_print_line (builder);
    }
  else
    printf ("%" G_GINT64_FORMAT " steps, %.3f ms%s%s\n", steps, (double) us / 1000, stopped != NULL ? ", stopped: " : "",
            stopped != NULL ? stopped : "");
}

static int
step_forwards (Step *self)
{
  g_autoptr(GError) error = NULL;
  gint64 began = g_get_monotonic_time ();
  gint64 n = 0;
  const char *stopped = NULL;
  FlowStepResult result = flow_stepper_start (self->stepper, &error);

  while (result == FLOW_STEP_DONE && stopped == NULL && (self->limit <= 0 || n < self->limit))
    {
      if (is_before_target (self))
        {
          stopped = self->to;
          break;
        }
      result = flow_stepper_step (self->stepper, &error);
      if (result != FLOW_STEP_DONE)
        break;
      n++;
      hold_line (self);
      stopped = flow_stepper_check_breakpoints (self->stepper);
    }
  if (result == FLOW_STEP_WAITING)
    set_waiting (self, &error);
  print_lines (self);
  began = g_get_monotonic_time () - began;
  if (error != NULL)
    fail (self, error);
  print_summary (self, n, began, stopped);
  return error != NULL ? FLOW_CLI_NO : FLOW_CLI_OK;
}

/* --- there and back --------------------------------------------------------------------------------- */

typedef struct {
  guint64 position;
  const char *phase;
  const char *what;
} Difference;

typedef struct {
  GArray *states;              /* hash at each position */
  GArray *outputs;             /* hash of each event */
  GArray *compared;            /* whether a state was taken there */
  GArray *different;           /* of Difference */
  guint64 n_compared;
} Proof;

static void
note_difference (Proof      *proof,
                 guint64     position,
                 const char *phase,
                 const char *what)
{
  Difference difference = { position, phase, what };

  if (proof->different->len < 1000)
    g_array_append_val (proof->different, difference);
}

static gboolean
is_worth_comparing (Step   *self,
                    guint64 position)
{
  static gsize bytes;

  if (position % 64 == 0)
    bytes = flow_stepper_get_state_bytes (self->stepper);
  return bytes <= COMPARE_ALWAYS_BYTES || position % 16 == 0;
}

/* What the history has dropped by now cannot be compared. */
static gboolean
differ (guint64 a,
        guint64 b)
{
  return a != 0 && b != 0 && a != b;
}

static gboolean
walk_forwards (Step       *self,
               Proof      *proof,
               gboolean    first,
               GError    **error)
{
  for (;;)
    {
      guint64 position = flow_stepper_get_position (self->stepper);
      FlowStepResult result = FLOW_STEP_DONE;

      if (first)
        {
          gboolean worth = is_worth_comparing (self, position);
          guint64 hash = worth ? flow_stepper_hash_state (self->stepper) : 0;

          g_array_append_val (proof->states, hash);
          g_array_append_val (proof->compared, worth);
        }
      else if (position < proof->states->len && g_array_index (proof->compared, gboolean, (guint) position))
        {
          proof->n_compared++;
          if (flow_stepper_hash_state (self->stepper) != g_array_index (proof->states, guint64, (guint) position))
            note_difference (proof, position, "again", "state");
        }
      result = flow_stepper_step (self->stepper, error);
      if (result == FLOW_STEP_WAITING)
        set_waiting (self, error);
      if (result != FLOW_STEP_DONE)
        return result == FLOW_STEP_FINISHED;
      if (first)
        {
          guint64 hash = flow_stepper_hash_outputs (self->stepper, position);

          g_array_append_val (proof->outputs, hash);
        }
      else if (position < proof->outputs->len
               && differ (flow_stepper_hash_outputs (self->stepper, position),
                          g_array_index (proof->outputs, guint64, (guint) position)))
        note_difference (proof, position, "again", "outputs");
    }
}

static gboolean
walk_backwards (Step    *self,
                Proof   *proof,
                GError **error)
{
  while (flow_stepper_get_position (self->stepper) > 0)
    {
      guint64 position = 0;

      if (!flow_stepper_back (self->stepper, error))
        return FALSE;
      position = flow_stepper_get_position (self->stepper);
      if (!g_array_index (proof->compared, gboolean, (guint) position))
        continue;
      proof->n_compared++;
      if (flow_stepper_hash_state (self->stepper) != g_array_index (proof->states, guint64, (guint) position))
        note_difference (proof, position, "back", "state");
    }
  return TRUE;
}

static void
print_proof (Step  *self,
             Proof *proof)
{
  if (self->cli->json)
    {
      JsonBuilder *builder = json_builder_new ();

      json_builder_begin_object (builder);
      flow_cli_json_set_int (builder, "steps", proof->outputs->len);
      flow_cli_json_set_int (builder, "states_compared", (gint64) proof->n_compared);
      json_builder_set_member_name (builder, "different");
      json_builder_begin_array (builder);
      for (guint i = 0; i < proof->different->len; i++)
        {
          const Difference *difference = &g_array_index (proof->different, Difference, i);
          const FlowEvent *event = flow_stepper_get_event (self->stepper, difference->position);

          json_builder_begin_object (builder);
          flow_cli_json_set_int (builder, "position", (gint64) difference->position);
          flow_cli_json_set_text (builder, "phase", difference->phase);
          flow_cli_json_set_text (builder, "what", difference->what);
          if (event != NULL)
            flow_cli_json_set_text (builder, "node", flow_graph_get_node_name (graph_of (self), event->node));
          json_builder_end_object (builder);
        }
      json_builder_end_array (builder);
      json_builder_end_object (builder);
      flow_cli_json_print_line (builder);
      return;
    }
  printf ("%u steps, %" G_GUINT64_FORMAT " states compared, %u different\n", proof->outputs->len, proof->n_compared,
          proof->different->len);
  for (guint i = 0; i < proof->different->len; i++)
    printf ("  position %" G_GUINT64_FORMAT ": %s, %s\n", g_array_index (proof->different, Difference, i).position,
            g_array_index (proof->different, Difference, i).what, g_array_index (proof->different, Difference, i).phase);
}

static int
verify_reverse (Step *self)
{
  g_autoptr(GError) error = NULL;
  Proof proof = { 0 };
  gboolean ok = FALSE;
  int status = FLOW_CLI_OK;

  proof.states = g_array_new (FALSE, FALSE, sizeof (guint64));
  proof.outputs = g_array_new (FALSE, FALSE, sizeof (guint64));
  proof.compared = g_array_new (FALSE, FALSE, sizeof (gboolean));
  proof.different = g_array_new (FALSE, FALSE, sizeof (Difference));
  ok = flow_stepper_start (self->stepper, &error) != FLOW_STEP_FAILED && walk_forwards (self, &proof, TRUE, &error)
       && walk_backwards (self, &proof, &error) && walk_forwards (self, &proof, FALSE, &error);
  if (!ok && error != NULL)
    status = fail (self, error);
  else
    {
      print_proof (self, &proof);
      status = ok && proof.different->len == 0 ? FLOW_CLI_OK : FLOW_CLI_NO;
    }
  g_array_unref (proof.states);
  g_array_unref (proof.outputs);
  g_array_unref (proof.compared);
  g_array_unref (proof.different);
  return status;
}

/* --- to positions ----------------------------------------------------------------------------------- */

typedef struct {
  FlowGraph *graph;
  GHashTable *live;            /* name -> FlowTensor */
} Live;

static void
unref_tensor (gpointer data)
{
  flow_tensor_unref (data);
}

static void
live_cb (guint32     node,
         gint32      slot,
         FlowTensor *tensor,
         gpointer    data)
{
  Live *live = data;
  char *name = g_strdup_printf ("%s:%d", flow_graph_get_node_name (live->graph, node), slot);

  g_hash_table_replace (live->live, name, flow_tensor_ref (tensor));
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (a, b);
}

static gboolean
save_state (Step       *self,
            const char *path,
            GError    **error)
{
  g_autoptr(FlowNpzWriter) writer = flow_npz_writer_new (path, error);
  g_auto(GStrv) names = flow_session_list_variables (self->session);
  g_autoptr(GHashTable) live = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unref_tensor);
  Live visit = { graph_of (self), live };
  FlowListedRun *run = flow_run_list_get_current (flow_stepper_get_list (self->stepper));
  g_autoptr(GList) keys = NULL;

  if (writer == NULL)
    return FALSE;
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr(FlowTensor) value = flow_session_dup_variable (self->session, names[i]);

      if (value != NULL && !flow_npz_writer_add (writer, names[i], value, error))
        return FALSE;
    }
  if (run != NULL && run->run != NULL && !run->ended)
    flow_run_foreach_live (run->run, live_cb, &visit);
  keys = g_list_sort (g_hash_table_get_keys (live), compare_names);
  for (GList *l = keys; l != NULL; l = l->next)
    {
      FlowTensor *tensor = g_hash_table_lookup (live, l->data);

      if (tensor->dtype != FLOW_DTYPE_RESOURCE && tensor->dtype != FLOW_DTYPE_VARIANT
          && !flow_npz_writer_add (writer, l->data, tensor, error))
        return FALSE;
    }
  return flow_npz_writer_finish (writer, error);
}

static void
print_position (Step       *self,
                const char *path)
{
  FlowListedRun *run = flow_run_list_get_current (flow_stepper_get_list (self->stepper));
  guint32 node = FLOW_NODE_NONE;
  const char *name = NULL;

  if (run != NULL && run->run != NULL && !run->ended && flow_run_peek_next (run->run, &node, NULL, NULL, NULL))
    name = flow_graph_get_node_name (graph_of (self), node);
  if (self->cli->json)
    {
      JsonBuilder *builder = json_builder_new ();

      json_builder_begin_object (builder);
      flow_cli_json_set_int (builder, "position", (gint64) flow_stepper_get_position (self->stepper));
      json_builder_set_member_name (builder, "node");
      if (name != NULL)
        flow_cli_json_text (builder, name, -1);
      else
        json_builder_add_null_value (builder);
      json_builder_set_member_name (builder, "files");
      json_builder_begin_array (builder);
      if (path != NULL)
        flow_cli_json_text (builder, path, -1);
      json_builder_end_array (builder);
      json_builder_end_object (builder);
      flow_cli_json_print_line (builder);
    }
  else
    printf ("%6" G_GUINT64_FORMAT "  before %s%s%s\n", flow_stepper_get_position (self->stepper),
            name != NULL ? name : "the end", path != NULL ? "  " : "", path != NULL ? path : "");
}

static int
go_to_positions (Step *self)
{
  g_auto(GStrv) positions = g_strsplit (self->go_to, ",", -1);
  g_autoptr(GError) error = NULL;

  if (flow_stepper_start (self->stepper, &error) == FLOW_STEP_FAILED)
    return fail (self, error);
  for (guint i = 0; positions[i] != NULL; i++)
    {
      char *end = NULL;
      guint64 position = g_ascii_strtoull (g_strstrip (positions[i]), &end, 10);
      g_autofree char *path = NULL;

      if (end == positions[i] || *end != '\0')
        return flow_cli_usage (self->cli, "--goto: \"%s\" is no position", positions[i]);
      if (!flow_stepper_goto (self->stepper, position, &error))
        {
          if (error == NULL)
            g_set_error (&error, FLOW_ERROR, FLOW_ERROR_OUT_OF_RANGE,
                         "there is no position %" G_GUINT64_FORMAT ": the runs end at %" G_GUINT64_FORMAT, position,
                         flow_stepper_get_position (self->stepper));
          return fail (self, error);
        }
      if (self->state != NULL)
        {
          g_auto(GStrv) parts = g_strsplit (self->state, "{k}", -1);

          path = g_strjoinv (positions[i], parts);
          if (!save_state (self, path, &error))
            return flow_cli_bad_file (self->cli, path, error);
        }
      print_position (self, path);
    }
  return FLOW_CLI_OK;
}

/* --- the command -------------------------------------------------------------------------------------- */

static gboolean
set_overrides (Step    *self,
               GError **error)
{
  g_autoptr(FlowFeeder) feeder = flow_feeder_new (self->file->folder, flow_session_get_budget (self->session));

  for (guint i = 0; self->file->override_names[i] != NULL; i++)
    {
      FlowEndpoint endpoint = { 0 };
      g_autoptr(FlowTensor) value = NULL;
      int dtype = 0;

      if (!flow_graph_parse_endpoint (graph_of (self), self->file->override_names[i], &endpoint, error)
          || endpoint.slot < 0)
        return FALSE;
      dtype = flow_dtype_base (flow_graph_get_output_dtype (graph_of (self), endpoint.node, (guint) endpoint.slot));
      value = flow_feeder_make (feeder, self->file->override_names[i], dtype, self->file->overrides[i], 0, error);
      if (value == NULL
          || !flow_run_list_set_override (flow_stepper_get_list (self->stepper), endpoint.node, endpoint.slot, value, error))
        return FALSE;
    }
  return TRUE;
}

static int
step_worker (gpointer data)
{
  Step *self = data;
  g_autoptr(GError) error = NULL;
  int status = FLOW_CLI_OK;

  self->stepper = flow_stepper_new (self->session, self->file);
  self->lines = g_ptr_array_new_with_free_func (line_free);
  for (guint i = 0; self->breaks != NULL && self->breaks[i] != NULL; i++)
    if (!flow_stepper_add_breakpoint (self->stepper, self->breaks[i], &error))
      return flow_cli_usage (self->cli, "--break: %s", error->message);
  if (!set_overrides (self, &error))
    return fail (self, error);
  if (self->verify)
    status = verify_reverse (self);
  else if (self->go_to != NULL)
    status = go_to_positions (self);
  else
    status = step_forwards (self);
  g_clear_pointer (&self->stepper, flow_stepper_free);
  return status;
}

int
flow_cli_step (FlowCli *cli,
               int      argc,
               char   **argv)
{
  g_auto(FlowCliRunOptions) options = { 0 };
  g_auto(Step) step = { .cli = cli };
  const GOptionEntry entries[] = {
    FLOW_CLI_RUN_OPTIONS (&options),
    { "to", 0, 0, G_OPTION_ARG_STRING, &step.to, "Stop before this node", "NODE" },
    { "limit", 0, 0, G_OPTION_ARG_INT64, &step.limit, "Stop after so many ops", "N" },
    { "break", 0, 0, G_OPTION_ARG_STRING_ARRAY, &step.breaks, "Stop at a breakpoint", "EXPR" },
    { "verify-reverse", 0, 0, G_OPTION_ARG_NONE, &step.verify, "To the end, back to the start, forward again: compare", NULL },
    { "goto", 0, 0, G_OPTION_ARG_STRING, &step.go_to, "Go to these positions, in this order", "K,K,..." },
    { "state", 0, 0, G_OPTION_ARG_FILENAME, &step.state, "Save the state at each, {k} is the position", "OUT_{k}.npz" },
    G_OPTION_ENTRY_NULL
  };

  if (!flow_cli_parse (cli, &argc, &argv, entries, 1, 1))
    return cli->status;
  step.file = flow_cli_make_run_file (cli, argv[1], &options);
  if (step.file == NULL)
    return cli->status;
  step.session = flow_cli_make_session (cli, step.file, &options);
  if (step.session == NULL)
    return cli->status;
  return flow_cli_call (step_worker, &step);
}
