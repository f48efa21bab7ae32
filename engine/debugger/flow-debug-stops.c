/* flow-debug-stops.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-debug-core-private.h"

#include "flow-tensor-stats.h"
#include "flow-tensor-text.h"

/* What ends a movement, and what it says of itself. */

void
_flow_core_stop_failed (FlowDebugCore *core,
             GError        *error)
{
  FlowListedRun *run = flow_run_list_get_current (flow_stepper_get_list (core->stepper));
  const char *name = flow_error_get_node (error);

  _flow_debug_core_set_stop (core, FLOW_DEBUG_FAILED, FLOW_STOP_ERROR, error->message);
  core->error_code = error->domain == FLOW_ERROR ? error->code : FLOW_ERROR_INTERNAL;
  if (run != NULL && run->run != NULL && !run->ended)
    core->failed_node = name != NULL ? flow_graph_find_node (core->graph, name) : flow_run_get_last (run->run)->node;
  core->stop_node = core->failed_node;
}

void
_flow_core_stop_at_end (FlowDebugCore *core,
             FlowStopReason reason)
{
  if (flow_run_list_is_done (flow_stepper_get_list (core->stepper)))
    _flow_debug_core_set_stop (core, FLOW_DEBUG_FINISHED, reason, NULL);
  else
    _flow_debug_core_set_stop (core, FLOW_DEBUG_PAUSED, reason, NULL);
}

void
_flow_core_stop_waiting (FlowDebugCore *core)
{
  FlowRunList *list = flow_stepper_get_list (core->stepper);
  const char *text = NULL;

  for (guint k = 0; text == NULL && k < flow_run_list_get_n_runs (list); k++)
    if (flow_run_list_get_run (list, k)->run != NULL && !flow_run_list_get_run (list, k)->ended)
      text = flow_run_get_wait_text (flow_run_list_get_run (list, k)->run);
  _flow_debug_core_set_stop (core, FLOW_DEBUG_WAITING, FLOW_STOP_WAITING, text);
}

/* One step of the session's runs; FALSE when there was none, and the stop says why. */
gboolean
_flow_core_step (FlowDebugCore *core)
{
  g_autoptr(GError) error = NULL;

  switch (flow_stepper_step (core->stepper, &error))
    {
    case FLOW_STEP_FAILED:
      _flow_core_stop_failed (core, error);
      return FALSE;
    case FLOW_STEP_WAITING:
      _flow_core_stop_waiting (core);
      return FALSE;
    case FLOW_STEP_FINISHED:
      _flow_debug_core_set_stop (core, FLOW_DEBUG_FINISHED, FLOW_STOP_END, NULL);
      return FALSE;
    case FLOW_STEP_DONE:
    default:
      return TRUE;
    }
}

/* Whether a person asked to stop meanwhile; if so, the stop says it. */
gboolean
_flow_core_is_paused (FlowDebugCore *core)
{
  if (!core->owner_funcs->poll (core->owner))
    return FALSE;
  _flow_debug_core_set_stop (core, FLOW_DEBUG_PAUSED, FLOW_STOP_PAUSE, NULL);
  return TRUE;
}

/* Counts the hit; says what a log point says; TRUE when it is one to stop at. */
static gboolean
hit (FlowDebugCore  *core,
     FlowBreakpoint *breakpoint,
     guint64         k)
{
  g_autofree char *text = NULL;

  if (!_flow_breakpoint_hit (breakpoint))
    return FALSE;
  if (breakpoint->log == NULL)
    return TRUE;
  text = _flow_breakpoint_format (breakpoint, core->stepper, k);
  core->owner_funcs->logged (core->owner, flow_stepper_get_position (core->stepper), text);
  return FALSE;
}

/* What a write did, in words. */
static char *
describe_write (FlowDebugCore    *core,
                const char       *variable,
                guint64           k,
                const FlowTensor *old)
{
  const FlowEvent *event = flow_stepper_get_event (core->stepper, k);
  const char *writer = flow_graph_get_node_name (core->graph, event->node);
  g_autoptr(FlowTensor) now = flow_session_dup_variable (core->session, variable);
  FlowTolerance exact = { 0, 0, 0 };
  g_autoptr(FlowTensorDiff) diff = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *most = NULL;

  if (now == NULL)
    return g_strdup_printf ("%s wrote %s", writer, variable);
  after = _flow_tensor_describe (now);
  if (old == NULL)
    return g_strdup_printf ("%s wrote %s: now %s", writer, variable, after);
  before = _flow_tensor_describe (old);
  diff = flow_tensor_compare (now, old, &exact);
  most = diff->n_nan > 0 ? g_strdup_printf ("%" G_GINT64_FORMAT " of them to or from NaN", diff->n_nan)
                         : g_strdup_printf ("by at most %g", diff->max_abs);
  return g_strdup_printf ("%s wrote %s: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " elements changed, %s\n"
                          "before: %s\nnow: %s", writer, variable, diff->n_changed, diff->n_elements, most, before,
                          after);
}

void
_flow_core_stop_written (FlowDebugCore    *core,
                         const char       *variable,
                         guint64           k,
                         const FlowTensor *old)
{
  _flow_core_stop_at_end (core, FLOW_STOP_WATCHPOINT);
  g_free (core->message);
  core->message = describe_write (core, variable, k, old);
  core->stop_node = flow_stepper_get_event (core->stepper, k)->node;
}

static void
stop_after (FlowDebugCore        *core,
            const FlowBreakpoint *found,
            guint64               k,
            const FlowTensor     *old)
{
  if (found->subject == FLOW_BREAK_WATCH)
    {
      _flow_core_stop_written (core, found->name, k, old);
      return;
    }
  _flow_core_stop_at_end (core, FLOW_STOP_BREAKPOINT);
  g_free (core->message);
  core->message = g_strdup (found->text);
  core->stop_node = flow_stepper_get_event (core->stepper, k)->node;
}

/* @watched: (nullable): what variables were before the op. */
gboolean
_flow_core_breaks_after (FlowDebugCore *core,
              guint64        k,
              GHashTable    *watched,
              gboolean       counts)
{
  FlowBreakpoint *found = NULL;
  const FlowTensor *found_old = NULL;

  for (guint i = 0; i < core->breakpoints->len; i++)
    {
      FlowBreakpoint *breakpoint = g_ptr_array_index (core->breakpoints, i);
      const FlowTensor *old = watched != NULL && breakpoint->subject == FLOW_BREAK_WATCH
                                ? g_hash_table_lookup (watched, breakpoint->name) : NULL;

      if (!_flow_breakpoint_is_after (breakpoint, core->stepper, k, old)
          || !(counts ? hit (core, breakpoint, k) : breakpoint->log == NULL) || found != NULL)
        continue;
      found = breakpoint;
      found_old = old;
    }
  if (found == NULL)
    return FALSE;
  stop_after (core, found, k, found_old);
  return TRUE;
}

/* A run has ended: watches for what should have changed. */
gboolean
_flow_core_breaks_unchanged (FlowDebugCore *core)
{
  for (guint i = 0; i < core->breakpoints->len; i++)
    {
      FlowBreakpoint *breakpoint = g_ptr_array_index (core->breakpoints, i);

      if (!_flow_breakpoint_is_unchanged (breakpoint, core->stepper) || !hit (core, breakpoint, G_MAXUINT64))
        continue;
      _flow_core_stop_at_end (core, FLOW_STOP_WATCHPOINT);
      g_free (core->message);
      core->message = g_strdup_printf ("%s is what it was when the run began (%s)", breakpoint->name, breakpoint->text);
      core->stop_node = flow_session_find_variable_node (core->session, breakpoint->name);
      return TRUE;
    }
  return FALSE;
}

gboolean
_flow_core_breaks_before (FlowDebugCore *core,
               guint32        node,
               gboolean       counts)
{
  FlowBreakpoint *found = NULL;

  for (guint i = 0; i < core->breakpoints->len; i++)
    {
      FlowBreakpoint *breakpoint = g_ptr_array_index (core->breakpoints, i);

      if (_flow_breakpoint_is_before (breakpoint, core->stepper, node)
          && (counts ? hit (core, breakpoint, G_MAXUINT64) : breakpoint->log == NULL) && found == NULL)
        found = breakpoint;
    }
  if (found == NULL)
    return FALSE;
  _flow_debug_core_set_stop (core, FLOW_DEBUG_PAUSED, FLOW_STOP_BREAKPOINT, found->text);
  core->stop_node = node;
  return TRUE;
}

/* --- NaN and Inf --- */

static gboolean
has_bad_output (const FlowEvent *event,
                guint           *output)
{
  for (guint i = 0; event->outputs != NULL && i < event->n_outputs; i++)
    if (_flow_tensor_is_bad (event->outputs[i]))
      {
        *output = i;
        return TRUE;
      }
  return FALSE;
}

static gboolean
has_bad_input (FlowDebugCore *core,
               guint64        k)
{
  const FlowEvent *event = flow_stepper_get_event (core->stepper, k);

  for (guint i = 0; i < flow_graph_get_n_inputs (core->graph, event->node); i++)
    {
      FlowEndpoint source = { 0 };
      FlowValueState state = FLOW_VALUE_NOT_COMPUTED;
      g_autoptr(FlowTensor) value = NULL;

      flow_graph_get_input (core->graph, event->node, i, &source);
      value = flow_stepper_dup_value (core->stepper, source.node, source.slot, k, &state);
      if (_flow_tensor_is_bad (value))
        return TRUE;
    }
  return FALSE;
}

/* Returns: (transfer full) (nullable): the variable whose value the op hands out as it is */
static char *
dup_read_variable (FlowDebugCore *core,
                   guint32        node)
{
  FlowEndpoint source = { 0 };

  if (flow_session_is_variable_node (core->session, node))
    return flow_session_get_variable_name (core->session, node);
  if (g_strcmp0 (flow_graph_get_node_type (core->graph, node), "ReadVariableOp") != 0)
    return NULL;
  flow_graph_get_input (core->graph, node, 0, &source);
  return flow_session_is_variable_node (core->session, source.node)
           ? flow_session_get_variable_name (core->session, source.node) : NULL;
}

/* A variable was made bad by who wrote it: where that op had bad inputs or outputs, it has been told. */
static gboolean
is_known_to_be_bad (FlowDebugCore *core,
                    guint64        k)
{
  g_autofree char *variable = dup_read_variable (core, flow_stepper_get_event (core->stepper, k)->node);
  guint64 at = 0;
  guint output = 0;

  if (variable == NULL || flow_stepper_find_writer (core->stepper, variable, k, &at) == FLOW_NODE_NONE)
    return FALSE;
  return has_bad_output (flow_stepper_get_event (core->stepper, at), &output) || has_bad_input (core, at);
}

/* Whether event @k made a NaN or an Inf out of clean inputs; if so, which output it is. */
gboolean
_flow_core_makes_bad_value (FlowDebugCore *core,
                            guint64        k,
                            guint         *output)
{
  return has_bad_output (flow_stepper_get_event (core->stepper, k), output) && !has_bad_input (core, k)
         && !is_known_to_be_bad (core, k);
}

/* Who wrote it, of an op that hands out a variable; else what the inputs were. */
static char *
describe_cause (FlowDebugCore *core,
                guint64        k)
{
  g_autofree char *variable = dup_read_variable (core, flow_stepper_get_event (core->stepper, k)->node);
  guint64 at = 0;
  guint32 writer = FLOW_NODE_NONE;

  if (variable == NULL)
    return _flow_debug_core_describe_inputs (core, k);
  writer = flow_stepper_find_writer (core->stepper, variable, k, &at);
  if (writer == FLOW_NODE_NONE)
    return g_strdup ("no op that is known wrote it: it was restored, or was so from the start");
  return g_strdup_printf ("written by %s, op %" G_GUINT64_FORMAT, flow_graph_get_node_name (core->graph, writer), at + 1);
}

void
_flow_core_stop_bad_value (FlowDebugCore *core,
                           guint64        k,
                           guint          output)
{
  const FlowEvent *event = flow_stepper_get_event (core->stepper, k);
  g_autofree char *tensor = flow_graph_endpoint_to_string (core->graph, event->node, (gint32) output);
  g_autofree char *variable = dup_read_variable (core, event->node);
  g_autofree char *cause = describe_cause (core, k);
  g_autoptr(FlowTensorStats) stats = flow_tensor_stats_new (event->outputs[output], 0);

  _flow_core_stop_at_end (core, FLOW_STOP_BAD_VALUE);
  g_free (core->message);
  core->message = g_strdup_printf ("%s (%s) %s %" G_GINT64_FORMAT " NaN and %" G_GINT64_FORMAT " Inf of %" G_GINT64_FORMAT
                                   " elements%s\n%s", tensor, flow_graph_get_node_type (core->graph, event->node),
                                   variable != NULL ? "holds" : "made", stats->n_nan, flow_tensor_stats_get_n_inf (stats),
                                   stats->n_elements, variable != NULL ? "" : " out of clean inputs", cause);
  core->stop_node = event->node;
}

/* Which rules hold for what is known of this run, without running anything: id and the events. */
FlowDebuggerReply *
_flow_core_recheck (FlowDebugCore *core,
                    GVariant      *arguments,
                    GPtrArray     *tensors,
                    GError       **error)
{
  FlowListedRun *run = NULL;
  guint64 position = 0;
  GVariantBuilder rows;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  position = flow_stepper_get_position (core->stepper);
  run = flow_run_list_get_run (flow_stepper_get_list (core->stepper), flow_stepper_run_at (core->stepper, position));
  g_variant_builder_init (&rows, G_VARIANT_TYPE ("a(utu)"));
  for (guint64 k = run != NULL ? run->start : position; k < position; k++)
    for (guint i = 0; i < core->breakpoints->len; i++)
      {
        const FlowBreakpoint *breakpoint = g_ptr_array_index (core->breakpoints, i);

        if (_flow_breakpoint_is_after (breakpoint, core->stepper, k, NULL))
          g_variant_builder_add (&rows, "(utu)", breakpoint->id, k, flow_stepper_get_event (core->stepper, k)->node);
      }
  return _flow_reply (g_variant_new ("(@a(utu))", g_variant_builder_end (&rows)));
}
