/* flow-run-calls.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-session-private.h"

#include <string.h>

/* Ops that call functions, step by step. Such an op stays open in its iteration while the body's ops execute one
 * by one; its kernel is asked again whenever a body is done. Nothing of it is on the C stack, and each turn puts
 * a new FlowCall in the place of the last, so that the undo log needs to keep pointers only. */

/* TF: what the message of an error in a function begins with. */
#define DERIVED "[_Derived_]"

void
_flow_call_free (FlowCall *call)
{
  flow_kernel_turn_clear (&call->turn);
  g_clear_pointer (&call->body, flow_run_unref);
  for (guint i = 0; i < call->n_outputs; i++)
    flow_value_clear (&call->outputs[i]);
  g_free (call->outputs);
  g_free (call);
}

static FlowCall **
slot_of (FlowIteration      *iteration,
         const FlowPlanItem *item)
{
  return &iteration->calls[item->call];
}

/* Without the values. */
static gsize
call_bytes (const FlowCall *call)
{
  const FlowPlan *plan = call->body != NULL ? call->body->plan : NULL;
  gsize bytes = sizeof (FlowCall) + (call->n_outputs + call->turn.n_hold + call->turn.n_args) * sizeof (FlowValue);

  if (call->body != NULL)
    bytes += sizeof (FlowRun) + 2 * call->body->n_feeds * sizeof (gpointer);
  if (plan != NULL)
    bytes += _flow_frame_bytes (&plan->frames[0]) + _flow_iteration_bytes (&plan->frames[0]);
  return bytes;
}

static void
replace (FlowRun            *run,
         FlowIteration      *iteration,
         const FlowPlanItem *item,
         FlowCall           *call)
{
  FlowUndo *undo = _flow_run_get_undo (run);
  FlowCall **slot = slot_of (iteration, item);

  /* The last step's outputs may be the body's. */
  if (*slot != NULL && (*slot)->body != NULL)
    {
      g_clear_pointer (&run->retired, flow_run_unref);
      run->retired = flow_run_ref ((*slot)->body);
    }
  if (undo != NULL)
    flow_undo_pointer (undo, (gpointer *) slot, (GDestroyNotify) _flow_call_free, *slot != NULL ? call_bytes (*slot) : 0);
  else
    g_clear_pointer (slot, _flow_call_free);
  *slot = call;
}

static void
set_last (FlowRun            *run,
          FlowIteration      *iteration,
          const FlowPlanItem *item)
{
  FlowUndo *undo = _flow_run_get_undo (run);

  _flow_set64 (undo, &run->last_iteration, (guint64) (gsize) iteration);
  _flow_set32 (undo, &run->last_local, item->local);
}

static const FlowPlanItem *
item_at (FlowRun       *run,
         FlowIteration *iteration,
         guint32        local)
{
  return &run->plan->items[run->plan->frames[iteration->frame->index].items[local]];
}

/* TF: an op that was lowered to Switch, Merge and the body's own ops is not there any more to be named. */
gboolean
_flow_run_is_lowered (FlowRun            *run,
                      const FlowPlanItem *item)
{
  return flow_graph_node_is_lowered (run->graph, item->node);
}

/* TF: lowers in graphs and in functions on several devices; those on one, which kernels call, are executed as they are. */
static gboolean
is_lowered_here (FlowRun            *run,
                 const FlowPlanItem *item)
{
  if (!_flow_run_is_lowered (run, item))
    return FALSE;
  for (FlowRun *at = run; at != NULL && at->callee != NULL; at = at->is_of_kernel ? NULL : at->caller)
    if (at->is_on_devices)
      return TRUE;
  return !run->is_transient;
}

gboolean
_flow_run_passes_dead (FlowRun            *run,
                       const FlowPlanItem *item)
{
  return (item->flags & FLOW_OP_FUNCTION) != 0 && flow_graph_node_becomes_switches (run->graph, item->node)
         && is_lowered_here (run, item);
}

/* The op's type is a function's name: that function, or NULL. */
static const FlowFunction *
find_called (FlowRun            *run,
             const FlowPlanItem *item)
{
  return flow_graph_find_function (run->graph, flow_graph_get_node_type (run->graph, item->node));
}

/* TF: rewrites functions on several devices before they run. Calls of such functions in them become a part of them, and so
 * do those of other functions where they may, once: what these call is called. */
static FlowRunPart
find_part (FlowRun              *run,
           const FlowPlanItem   *item,
           const FlowKernelTurn *turn)
{
  const FlowRun *at = run;
  const FlowFunction *function = NULL;

  if (_flow_run_is_lowered (run, item))
    return is_lowered_here (run, item) ? FLOW_PART_LOWERED : FLOW_PART_NONE;
  while (at->part == FLOW_PART_LOWERED)
    at = at->caller;
  if (!at->is_on_devices || at->is_of_kernel || at->part != FLOW_PART_NONE)
    return FLOW_PART_NONE;
  if (turn->is_on_devices)
    return FLOW_PART_LOWERED;
  function = find_called (run, item);
  return function != NULL && flow_function_may_be_inlined (function, flow_session_get_graph (run->session))
         ? FLOW_PART_INLINED : FLOW_PART_NONE;
}

/* Whether a function that is called so belongs to one on several devices, or is one. */
static gboolean
is_on_devices (FlowRun              *run,
               FlowRunPart           part,
               const FlowKernelTurn *turn)
{
  const FlowRun *at = run;

  if (part == FLOW_PART_NONE)
    return turn->is_on_devices;
  while (at->part != FLOW_PART_NONE)
    at = at->caller;
  return at->is_on_devices && !at->is_of_kernel;
}

/* TF: what is lowered is a part of the function that it stands in. */
static FlowCalleeFlags
find_flags (FlowRun               *run,
            const FlowPlanItem    *item,
            const FlowKernelTurn  *turn)
{
  const gboolean is_as_written = run->callee->is_as_written && _flow_run_is_lowered (run, item);

  return (turn->is_gradient ? FLOW_CALLEE_GRADIENT : 0) | (is_as_written ? FLOW_CALLEE_AS_WRITTEN : 0);
}

/* The run of the body that the kernel asked for. */
static FlowRun *
open_body (FlowRun             *run,
           FlowIteration       *iteration,
           const FlowPlanItem  *item,
           FlowKernelTurn      *turn,
           GError             **error)
{
  FlowRunPart part = find_part (run, item, turn);
  FlowCallee *callee = run->is_transient ? _flow_session_get_callee (run->session, turn->func, find_flags (run, item, turn), error)
                                         : _flow_run_find_callee (run, item, turn, is_on_devices (run, part, turn), error);
  FlowRun *body = NULL;

  if (callee == NULL)
    return NULL;
  body = _flow_run_new_call (run, callee, turn->args, turn->n_args, _flow_run_passes_dead (run, item), run->is_transient,
                             error);
  if (body != NULL)
    {
      body->is_on_devices = turn->is_on_devices;
      body->part = part;
    }
  if (body != NULL && !run->is_transient)
    {
      g_autofree char *frame = _flow_run_compose_frame (run, iteration, _flow_run_local_name (run, item->node));

      body->frame = _flow_session_intern_frame (run->session, frame);
      body->call_iteration = turn->iteration;
    }
  if (body != NULL && callee->plan != NULL)
    _flow_run_start (body);
  return body;
}

static void
unref_all (FlowTensor **tensors,
           guint        n)
{
  for (guint i = 0; tensors != NULL && i < n; i++)
    g_clear_pointer (&tensors[i], flow_tensor_unref);
  g_free (tensors);
}

/* Asks the kernel what comes next. With *@next NULL it is done, and run->outputs are set. */
static gboolean
take_turn (FlowRun             *run,
           FlowIteration       *iteration,
           const FlowPlanItem  *item,
           FlowCall            *before,
           FlowCall           **next,
           GError             **error)
{
  FlowKernelTurn turn = { 0 };
  FlowTensor **returned = NULL;
  guint n_returned = 0;
  gboolean waits = FALSE;
  gboolean ok = TRUE;

  *next = NULL;
  if (before != NULL)
    {
      n_returned = before->body->callee->body->n_rets;
      returned = g_new0 (FlowTensor *, n_returned + 1);
      turn.number = before->turn.number + 1;
      turn.held = before->turn.hold;
      turn.n_held = before->turn.n_hold;
      turn.returned = returned;
      turn.n_returned = n_returned;
      ok = _flow_run_get_returned (before->body, returned, error);
      if (!ok)
        _flow_run_explain_error (run, iteration, item, error);
    }
  ok = ok && _flow_run_execute (run, iteration, item, &turn, &waits, error);
  unref_all (returned, n_returned);
  if (ok && turn.func != NULL)
    {
      FlowRun *body = open_body (run, iteration, item, &turn, error);

      ok = body != NULL;
      if (!ok)
        _flow_run_explain_error (run, iteration, item, error);
      else
        {
          *next = g_new0 (FlowCall, 1);
          (*next)->turn = turn;
          (*next)->body = body;
          return TRUE;
        }
    }
  flow_kernel_turn_clear (&turn);
  return ok;
}

/* After the last op of a body: what follows from it belongs to the same step, but that an op gives its outputs, and
 * that a body has nothing to execute, are steps of their own: a loop of such bodies must be interruptible. */
static void
settle (FlowRun            *run,
        FlowIteration      *iteration,
        const FlowPlanItem *item)
{
  FlowCall *call = *slot_of (iteration, item);
  FlowCall *next = NULL;

  /* What fails here fails again at the next step, and is told then. */
  if (!flow_run_is_finished (call->body) || call->body->has_failed || !take_turn (run, iteration, item, call, &next, NULL))
    return;
  if (next == NULL)
    {
      next = g_new0 (FlowCall, 1);
      next->n_outputs = item->n_outputs;
      next->outputs = g_new0 (FlowValue, item->n_outputs + 1);
      memcpy (next->outputs, run->outputs, item->n_outputs * sizeof (FlowValue));
      memset (run->outputs, 0, item->n_outputs * sizeof (FlowValue));
    }
  replace (run, iteration, item, next);
}

/* The outputs stand in run->outputs. */
static void
close_call (FlowRun            *run,
            FlowIteration      *iteration,
            const FlowPlanItem *item)
{
  FlowUndo *undo = _flow_run_get_undo (run);

  replace (run, iteration, item, NULL);
  _flow_set32 (undo, &run->n_calls, run->n_calls - 1);
  _flow_set64 (undo, &run->last_iteration, 0);
  _flow_run_note_last (run, iteration, item, FALSE, 0, FLOW_CALL_RETURN);
  _flow_run_complete (run, iteration, item, FALSE);
}

gboolean
_flow_run_begin_call (FlowRun             *run,
                      FlowIteration       *iteration,
                      const FlowPlanItem  *item,
                      gboolean            *done,
                      GError             **error)
{
  FlowUndo *undo = _flow_run_get_undo (run);
  FlowCall *call = NULL;

  if (!take_turn (run, iteration, item, NULL, &call, error))
    return FALSE;
  *done = call == NULL;
  if (call == NULL)
    return TRUE;
  replace (run, iteration, item, call);
  _flow_run_unmark_ready (run, iteration, item->local);
  _flow_set32 (undo, &run->n_calls, run->n_calls + 1);
  set_last (run, iteration, item);
  _flow_run_note_last (run, iteration, item, FALSE, 0, FLOW_CALL_ENTER);
  return TRUE;
}

/* TF: a function that may run on several devices is named twice before what went wrong in it. */
static void
name_function (GString        *text,
               const FlowCall *call)
{
  const char *name = flow_attr_get_func_name (call->body->callee->body->func);
  g_autofree char *marks = g_strdup_printf ("{{function_node %s}} {{function_node %s}} ", name, name);

  g_string_prepend (text, marks);
}

/* TF: the names of the ops that called follow that of the op that failed. An op whose function is a part of the graph is not
 * there. */
static void
name_caller (FlowRun             *run,
             const FlowPlanItem  *item,
             const FlowCall      *call,
             GError             **error)
{
  g_autoptr (GString) text = NULL;
  g_autofree char *line = NULL;
  const char *inputs = NULL;
  GError *named = NULL;

  if (error == NULL || *error == NULL || (*error)->domain != FLOW_ERROR || call->body->part != FLOW_PART_NONE)
    return;
  text = g_string_new ((*error)->message);
  line = g_strdup_printf ("\n\t [[%s]]", _flow_run_local_name (run, item->node));
  inputs = strstr (text->str, "\n\t input ");
  g_string_insert (text, inputs != NULL ? inputs - text->str : -1, line);
  if (call->turn.is_on_devices)
    name_function (text, call);
  if (strstr (text->str, DERIVED) == NULL)
    g_string_prepend (text, DERIVED);
  named = g_error_new_literal (FLOW_ERROR, (*error)->code, text->str);
  flow_error_set_node (named, flow_error_get_node (*error), flow_error_get_op_type (*error));
  g_error_free (*error);
  *error = named;
}

static FlowStepResult
step_body (FlowRun             *run,
           FlowIteration       *iteration,
           const FlowPlanItem  *item,
           GError             **error)
{
  FlowCall *call = *slot_of (iteration, item);
  FlowStepResult result = flow_run_step (call->body, error);

  if (result == FLOW_STEP_DONE || result == FLOW_STEP_FAILED)
    run->last = *flow_run_get_last (call->body);
  if (result == FLOW_STEP_FAILED)
    name_caller (run, item, call, error);
  if (result == FLOW_STEP_DONE)
    settle (run, iteration, item);
  return result;
}

static FlowStepResult
step_call (FlowRun             *run,
           FlowIteration       *iteration,
           const FlowPlanItem  *item,
           GError             **error)
{
  FlowCall *call = *slot_of (iteration, item);
  FlowCall *next = NULL;

  if (call->body != NULL && !flow_run_is_finished (call->body))
    return step_body (run, iteration, item, error);
  if (call->body != NULL && call->body->has_failed)
    {
      _flow_run_abandon_call (run, iteration, item->local);
      return FLOW_STEP_DONE;
    }
  if (!run->is_transient)
    _flow_session_begin_step (run->session);
  if (call->body == NULL)
    for (guint i = 0; i < call->n_outputs; i++)
      run->outputs[i] = flow_value_copy (&call->outputs[i]);
  else if (!take_turn (run, iteration, item, call, &next, error))
    {
      _flow_run_note_last (run, iteration, item, FALSE, 0, FLOW_CALL_TURN);
      return FLOW_STEP_FAILED;
    }
  if (next == NULL)
    close_call (run, iteration, item);
  else
    {
      replace (run, iteration, item, next);
      _flow_run_note_last (run, iteration, item, FALSE, 0, FLOW_CALL_TURN);
    }
  return FLOW_STEP_DONE;
}

FlowRun *
_flow_run_get_called (FlowRun       *run,
                      FlowIteration *iteration,
                      guint32        local)
{
  FlowCall *call = *slot_of (iteration, item_at (run, iteration, local));

  return call != NULL ? call->body : NULL;
}

void
_flow_run_abandon_call (FlowRun       *run,
                        FlowIteration *iteration,
                        guint32        local)
{
  FlowUndo *undo = _flow_run_get_undo (run);

  replace (run, iteration, item_at (run, iteration, local), NULL);
  _flow_set32 (undo, &run->n_calls, run->n_calls - 1);
  _flow_set64 (undo, &run->last_iteration, 0);
  run->has_failed = TRUE;
}

/* Every call that is open, the one that went on last before the others. */
typedef struct {
  FlowIteration *iteration;
  const FlowPlanItem *item;
} OpenCall;

typedef struct {
  FlowRun *run;
  GArray *calls;               /* of OpenCall */
} CallList;

static void
list_calls_cb (FlowIteration *iteration,
               gpointer       data)
{
  CallList *list = data;
  const FlowPlanFrame *frame = &list->run->plan->frames[iteration->frame->index];

  for (guint32 i = 0; frame->n_calls > 0 && i < frame->n_items; i++)
    {
      const FlowPlanItem *item = &list->run->plan->items[frame->items[i]];
      OpenCall call = { iteration, item };

      if ((item->flags & FLOW_OP_FUNCTION) != 0 && *slot_of (iteration, item) != NULL)
        g_array_append_val (list->calls, call);
    }
}

static GArray *
list_calls (FlowRun *run)
{
  CallList list = { run, g_array_new (FALSE, FALSE, sizeof (OpenCall)) };

  if (run->n_calls > 0)
    _flow_run_foreach_iteration (run->root, list_calls_cb, &list);
  return list.calls;
}

static gboolean
find_last (FlowRun  *run,
           OpenCall *call)
{
  call->iteration = (FlowIteration *) (gpointer) (gsize) run->last_iteration;
  if (call->iteration == NULL)
    return FALSE;
  call->item = item_at (run, call->iteration, run->last_local);
  return TRUE;
}

gboolean
_flow_run_step_calls (FlowRun         *run,
                      FlowStepResult  *result,
                      GError         **error)
{
  OpenCall last = { NULL, NULL };
  g_autoptr (GArray) calls = NULL;

  if (run->n_calls == 0)
    return FALSE;
  if (find_last (run, &last))
    {
      *result = step_call (run, last.iteration, last.item, error);
      if (*result != FLOW_STEP_WAITING)
        return TRUE;
    }
  calls = list_calls (run);
  for (guint i = 0; i < calls->len; i++)
    {
      const OpenCall *call = &g_array_index (calls, OpenCall, i);

      if (call->iteration == last.iteration && call->item == last.item)
        continue;
      set_last (run, call->iteration, call->item);
      *result = step_call (run, call->iteration, call->item, error);
      if (*result != FLOW_STEP_WAITING)
        return TRUE;
    }
  return FALSE;
}

static gboolean
look_at_call (FlowRun        *run,
              const OpenCall *open,
              FlowRunNext    *next)
{
  const FlowCall *call = *slot_of (open->iteration, open->item);

  if (call->body != NULL && !flow_run_is_finished (call->body))
    return flow_run_look (call->body, next);
  _flow_run_describe (run, open->iteration, open->item, FALSE, call->body != NULL ? FLOW_CALL_TURN : FLOW_CALL_RETURN, next);
  return TRUE;
}

gboolean
_flow_run_look_at_calls (FlowRun     *run,
                         FlowRunNext *next)
{
  OpenCall last = { NULL, NULL };
  g_autoptr (GArray) calls = NULL;

  if (run->n_calls == 0)
    return FALSE;
  if (find_last (run, &last) && look_at_call (run, &last, next))
    return TRUE;
  calls = list_calls (run);
  for (guint i = 0; i < calls->len; i++)
    if (look_at_call (run, &g_array_index (calls, OpenCall, i), next))
      return TRUE;
  return FALSE;
}

gboolean
_flow_run_prefer_call (FlowRun *run,
                       FlowRun *body)
{
  g_autoptr (GArray) calls = list_calls (run);

  for (guint i = 0; i < calls->len; i++)
    {
      const OpenCall *call = &g_array_index (calls, OpenCall, i);

      if ((*slot_of (call->iteration, call->item))->body != body)
        continue;
      set_last (run, call->iteration, call->item);
      return TRUE;
    }
  return FALSE;
}

/* The bodies that are under way now, not those they call. */
void
_flow_run_foreach_body (FlowRun  *run,
                        void    (*func) (FlowRun *body, gpointer data),
                        gpointer  data)
{
  g_autoptr (GArray) calls = list_calls (run);

  for (guint i = 0; i < calls->len; i++)
    {
      const OpenCall *open = &g_array_index (calls, OpenCall, i);
      const FlowCall *call = *slot_of (open->iteration, open->item);

      if (call->body != NULL && call->body->plan != NULL)
        func (call->body, data);
    }
}
