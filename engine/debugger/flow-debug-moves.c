/* flow-debug-moves.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-debug-core-private.h"

#include "flow-function.h"
#include "flow-tensor-stats.h"
#include "flow-tensor-text.h"

#include <string.h>

/* Where a movement began and what would end it. Name scopes are the call frames: a visit of a scope is
 * a stretch of consecutive ops inside it. */
typedef struct {
  FlowDebugCore *core;
  FlowMovement movement;
  char *scope;                 /* OVER, OUT, LEAVE_SCOPE, INTO; of NEXT_WRITE the variable */
  guint32 caller;              /* OVER: the op whose functions are stepped over */
  char *to;                    /* RUN_TO: a name, because a function's body is made when it is called */
  char *frame;                 /* NEXT_ITERATION, OUT */
  gint64 iteration;
  guint64 run;                 /* number of the run it is in */
  guint64 runs_left;           /* SKIP_RUNS */
  GHashTable *left_in_scope;   /* LEAVE_SCOPE: nodes that did not execute yet */
  GHashTable *watched;         /* variable -> what it was before the op at hand */
  gboolean may_grow;           /* it began over the budget: a person goes on all the same */
} Mover;

static void
mover_clear (Mover *self)
{
  g_free (self->scope);
  g_free (self->to);
  g_free (self->frame);
  g_clear_pointer (&self->left_in_scope, g_hash_table_unref);
  g_clear_pointer (&self->watched, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Mover, mover_clear)

static FlowRunList *
list_of (FlowDebugCore *core)
{
  return flow_stepper_get_list (core->stepper);
}

/* The op that comes next, if it is known. */
static gboolean
next_op (FlowDebugCore *core,
         guint32       *node,
         const char   **frame,
         gint64        *iteration)
{
  FlowListedRun *run = flow_run_list_get_current (list_of (core));

  return run != NULL && run->run != NULL && !run->ended
         && flow_run_peek_next (run->run, node, frame, iteration, NULL);
}

static char *
scope_of (FlowDebugCore *core,
          guint32        node)
{
  const char *name = flow_graph_get_node_name (core->graph, node);
  const char *slash = strrchr (name, '/');

  return slash != NULL ? g_strndup (name, (gsize) (slash - name)) : g_strdup ("");
}

/* Whether the next op is about to call a function. */
static gboolean
next_calls (FlowDebugCore *core)
{
  FlowListedRun *run = flow_run_list_get_current (list_of (core));
  FlowRunNext next = { 0 };

  return run != NULL && run->run != NULL && !run->ended && flow_run_look (run->run, &next) && next.phase == FLOW_CALL_ENTER;
}

/* Whether the op that was stepped over has given its outputs. */
static gboolean
has_returned (Mover *self)
{
  const FlowEvent *last = flow_stepper_get_event (self->core->stepper, flow_stepper_get_position (self->core->stepper) - 1);

  return last->node == self->caller && last->phase == FLOW_CALL_RETURN && strcmp (last->frame, self->frame) == 0;
}

static gboolean
in_scope (Mover  *self,
          guint32 node)
{
  return _flow_node_is_in_scope (self->core->graph, node, self->scope);
}

/* The frame itself or a loop inside it: names grow by ";iteration;name". */
static gboolean
in_frame (const char *frame,
          const char *outer)
{
  gsize length = strlen (outer);

  return strncmp (frame, outer, length) == 0 && (frame[length] == '\0' || frame[length] == ';');
}

/* --- forwards ------------------------------------------------------------------------------------- */

static void
collect_scope (Mover *self)
{
  FlowListedRun *run = flow_run_list_get_current (list_of (self->core));
  FlowPlan *plan = flow_run_get_plan (run->run);

  self->left_in_scope = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < flow_plan_get_n_items (plan); i++)
    if (in_scope (self, flow_plan_get_node (plan, i)))
      g_hash_table_add (self->left_in_scope, GUINT_TO_POINTER (flow_plan_get_node (plan, i)));
  for (guint64 k = run->start; k < flow_stepper_get_position (self->core->stepper); k++)
    {
      const FlowEvent *event = flow_stepper_get_event (self->core->stepper, k);

      if (event->run == run->number)
        g_hash_table_remove (self->left_in_scope, GUINT_TO_POINTER (event->node));
    }
}

/* Whether the movement is done, now that an op has executed. */
static gboolean
is_reached (Mover *self)
{
  guint32 node = FLOW_NODE_NONE;
  const char *frame = "";
  gint64 iteration = 0;
  gboolean known = next_op (self->core, &node, &frame, &iteration);

  if (self->movement == FLOW_MOVE_STEP_OP || self->movement == FLOW_MOVE_RETRY)
    return TRUE;
  if (self->left_in_scope != NULL)
    {
      guint64 k = flow_stepper_get_position (self->core->stepper) - 1;

      g_hash_table_remove (self->left_in_scope,
                           GUINT_TO_POINTER (flow_stepper_get_event (self->core->stepper, k)->node));
    }
  if (!known)
    return FALSE;
  switch (self->movement)
    {
    case FLOW_MOVE_OVER:
      return self->caller != FLOW_NODE_NONE ? has_returned (self) : !in_scope (self, node);
    case FLOW_MOVE_INTO:
      return in_scope (self, node);
    case FLOW_MOVE_OUT:
      return self->frame != NULL ? !in_frame (frame, self->frame) : !in_scope (self, node);
    case FLOW_MOVE_LEAVE_SCOPE:
      return g_hash_table_size (self->left_in_scope) == 0 && !in_scope (self, node);
    case FLOW_MOVE_NEXT_ITERATION:
      return !in_frame (frame, self->frame) || (strcmp (frame, self->frame) == 0 && iteration > self->iteration);
    case FLOW_MOVE_TO_ITERATION:
      return iteration >= self->iteration && strcmp (_flow_frame_get_name (frame), self->frame) == 0;
    case FLOW_MOVE_RUN_TO:
      return strcmp (flow_graph_get_node_name (self->core->graph, node), self->to) == 0;
    case FLOW_MOVE_NEXT_OF_TYPE:
      return strcmp (flow_graph_get_node_type (self->core->graph, node), self->to) == 0;
    default:
      return FALSE;
    }
}

static gboolean
is_single (Mover *self)
{
  return self->movement == FLOW_MOVE_STEP_OP || self->movement == FLOW_MOVE_RETRY;
}

/* A search for what happens next does not end where a run does, if another one follows. */
static gboolean
goes_beyond_run (Mover *self)
{
  FlowListedRun *current = flow_run_list_get_current (list_of (self->core));

  if ((self->movement != FLOW_MOVE_NEXT_BAD_VALUE && self->movement != FLOW_MOVE_NEXT_WRITE) || current == NULL
      || current->ended)
    return FALSE;
  self->run = current->number;
  return TRUE;
}

/* After one op: TRUE when something stops here, with the stop set. */
static gboolean
stops_here (Mover *self)
{
  FlowDebugCore *core = self->core;
  FlowRunList *list = list_of (core);
  FlowListedRun *current = flow_run_list_get_current (list);
  guint64 k = flow_stepper_get_position (core->stepper) - 1;
  guint32 node = FLOW_NODE_NONE;
  guint output = 0;

  if (_flow_core_breaks_after (core, k, self->watched, TRUE) && !is_single (self))
    return TRUE;
  if (self->movement == FLOW_MOVE_NEXT_WRITE && flow_stepper_event_writes (core->stepper, k, self->scope))
    {
      _flow_core_stop_written (core, self->scope, k, g_hash_table_lookup (self->watched, self->scope));
      return TRUE;
    }
  if (self->movement == FLOW_MOVE_NEXT_BAD_VALUE && _flow_core_makes_bad_value (core, k, &output))
    {
      _flow_core_stop_bad_value (core, k, output);
      return TRUE;
    }
  if (current != NULL && current->ended && current->error != NULL && !current->error_expected)
    {
      _flow_core_stop_failed (core, current->error);
      return TRUE;
    }
  if (flow_run_list_is_done (list) || flow_run_list_get_run (list, (guint) self->run)->ended)
    {
      if (_flow_core_breaks_unchanged (core))
        return TRUE;
      if (!goes_beyond_run (self))
        {
          _flow_core_stop_at_end (core, FLOW_STOP_RUN_END);
          return TRUE;
        }
    }
  if (is_reached (self))
    {
      _flow_debug_core_set_stop (core, FLOW_DEBUG_PAUSED, FLOW_STOP_STEP, NULL);
      return TRUE;
    }
  if (next_op (core, &node, NULL, NULL) && _flow_core_breaks_before (core, node, TRUE))
    return TRUE;
  return FALSE;
}

static void
note_variable (Mover      *self,
               const char *name)
{
  FlowTensor *value = flow_session_dup_variable (self->core->session, name);

  if (self->watched == NULL)
    self->watched = _flow_value_table_new ();
  if (value != NULL)
    g_hash_table_insert (self->watched, g_strdup (name), value);
}

/* Watches want to say what a write changed: a reference to what is there before the op. */
static void
note_watched (Mover *self)
{
  FlowDebugCore *core = self->core;

  if (self->watched != NULL)
    g_hash_table_remove_all (self->watched);
  if (self->movement == FLOW_MOVE_NEXT_WRITE)
    note_variable (self, self->scope);
  for (guint i = 0; i < core->breakpoints->len; i++)
    {
      const FlowBreakpoint *breakpoint = g_ptr_array_index (core->breakpoints, i);

      if (breakpoint->subject == FLOW_BREAK_WATCH && breakpoint->enabled)
        note_variable (self, breakpoint->name);
    }
}

static void
go_forwards (Mover *self)
{
  FlowDebugCore *core = self->core;

  for (;;)
    {
      note_watched (self);
      if (!_flow_core_step (core) || stops_here (self))
        return;
      /* The list of positions itself, which is never dropped, has outgrown the history's budget. */
      if (G_UNLIKELY (flow_stepper_get_n_events (core->stepper) * sizeof (FlowEvent)
                      > flow_stepper_get_limit (core->stepper) && !self->may_grow))
        {
          _flow_debug_core_set_stop (core, FLOW_DEBUG_PAUSED, FLOW_STOP_LIMIT, "the history is full");
          return;
        }
      if (_flow_core_is_paused (core))
        return;
    }
}

/* A node that is there, or one of a function's body that is not made yet: then a node calls functions whose name its
 * own begins with. */
static gboolean
can_come_up (FlowDebugCore *core,
             const char    *name)
{
  if (flow_graph_find_node (core->graph, name) != FLOW_NODE_NONE)
    return TRUE;
  for (const char *slash = strchr (name, '/'); slash != NULL; slash = strchr (slash + 1, '/'))
    {
      g_autofree char *caller = g_strndup (name, (gsize) (slash - name));
      guint32 node = flow_graph_find_node (core->graph, caller);

      if (node != FLOW_NODE_NONE && (flow_graph_get_node_flags (core->graph, node) & FLOW_OP_FUNCTION) != 0)
        return TRUE;
    }
  return FALSE;
}

/* What only says where to stop may be there already. */
static gboolean
prepare_forwards (Mover      *self,
                  const char *argument,
                  GError    **error)
{
  FlowDebugCore *core = self->core;
  guint32 node = FLOW_NODE_NONE;
  const char *frame = "";
  gboolean known = next_op (core, &node, &frame, &self->iteration);

  self->run = flow_run_list_get_current (list_of (core)) != NULL ? flow_run_list_get_current (list_of (core))->number : 0;
  switch (self->movement)
    {
    case FLOW_MOVE_OVER:
      if (known && next_calls (core) && (*argument == '\0' || strcmp (argument, flow_graph_get_node_name (core->graph, node)) == 0))
        {
          /* Up to the op that gives the outputs, and over that. */
          self->caller = node;
          self->frame = g_strdup (frame);
          return TRUE;
        }
      if (*argument == '\0' || (known && !_flow_node_is_in_scope (core->graph, node, argument)))
        self->movement = FLOW_MOVE_STEP_OP;
      self->scope = g_strdup (argument);
      return TRUE;
    case FLOW_MOVE_INTO:
      self->scope = g_strdup (argument);
      return TRUE;
    case FLOW_MOVE_OUT:
    case FLOW_MOVE_LEAVE_SCOPE:
      /* A call is left as a whole, a loop's body round after round. */
      if (self->movement == FLOW_MOVE_OUT && *argument == '\0' && known && flow_node_is_in_body (node))
        self->frame = g_strdup (frame);
      if (*argument != '\0')
        self->scope = g_strdup (argument);
      else
        self->scope = known ? scope_of (core, node) : g_strdup ("");
      /* Of a loop's scope the frame is the inner of the two. */
      if (self->movement == FLOW_MOVE_LEAVE_SCOPE && known)
        collect_scope (self);
      return TRUE;
    case FLOW_MOVE_NEXT_ITERATION:
      FLOW_REQUIRE (known && *frame != '\0', error, FAILED_PRECONDITION, "the next op is in no loop");
      self->frame = g_strdup (frame);
      return TRUE;
    case FLOW_MOVE_NEXT_WRITE:
      FLOW_REQUIRE (flow_session_find_variable_node (core->session, argument) != FLOW_NODE_NONE, error, NOT_FOUND,
                    "the graph has no variable %s", argument);
      self->scope = g_strdup (argument);
      return TRUE;
    case FLOW_MOVE_RUN_TO:
      FLOW_REQUIRE (can_come_up (core, argument), error, NOT_FOUND, "the graph has no node %s", argument);
      self->to = g_strdup (argument);
      return TRUE;
    case FLOW_MOVE_NEXT_OF_TYPE:
      FLOW_REQUIRE (*argument != '\0' || known, error, FAILED_PRECONDITION, "no op comes next whose type could be meant");
      self->to = g_strdup (*argument != '\0' ? argument : flow_graph_get_node_type (core->graph, node));
      return TRUE;
    default:
      return TRUE;
    }
}

/* --- to the start of a run -------------------------------------------------------------------------- */

static gboolean
is_flowing (FlowDebugCore *core,
            guint          entry)
{
  /* A run that was saved since is the file's, but the list of this session does not flow into it. */
  return flow_run_list_is_flowing (list_of (core), entry);
}

/* At full speed, without history, until the entry's first run has begun. */
static gboolean
run_up_to (FlowDebugCore *core,
           guint          entry,
           GError       **error)
{
  FlowRunList *list = list_of (core);
  gboolean there = FALSE;

  flow_stepper_set_recording (core->stepper, FALSE);
  for (;;)
    {
      FlowListedRun *run = flow_run_list_get_current (list);
      FlowStepResult result = FLOW_STEP_DONE;

      there = run != NULL && run->entry == entry && !run->ended;
      if (there)
        break;
      if (core->owner_funcs->poll (core->owner))
        {
          _flow_debug_core_set_stop (core, FLOW_DEBUG_PAUSED, FLOW_STOP_PAUSE, NULL);
          break;
        }
      result = flow_stepper_step (core->stepper, error);
      if (result == FLOW_STEP_WAITING)
        _flow_core_stop_waiting (core);
      else if (result == FLOW_STEP_FINISHED)
        _flow_debug_core_set_stop (core, FLOW_DEBUG_FINISHED, FLOW_STOP_END, NULL);
      if (result != FLOW_STEP_DONE)
        break;
    }
  flow_stepper_set_recording (core->stepper, TRUE);
  return there;
}

static void
begin_chosen (FlowDebugCore *core,
              guint          entry)
{
  FlowRunList *list = list_of (core);
  guint64 start = flow_stepper_find_run_start (core->stepper, entry, 0);
  FlowListedRun *current = flow_run_list_get_current (list);
  FlowListedRun *last = flow_run_list_get_last (list);
  g_autoptr(GError) error = NULL;
  gboolean there = FALSE;

  _flow_debug_core_forget_stale (core);
  if (!is_flowing (core, entry))
    {
      FlowListedRun *here = current != NULL ? current : last;

      if (here != NULL && here->entry == entry)
        there = flow_stepper_goto (core->stepper, here->start, &error);
      else
        there = flow_stepper_begin_entry (core->stepper, entry, &error) != FLOW_STEP_FAILED;
    }
  else if (start != G_MAXUINT64)
    there = flow_stepper_goto (core->stepper, start, &error);
  else
    {
      if (current == NULL || current->entry > entry)
        there = flow_stepper_get_position (core->stepper) == 0 || flow_stepper_goto (core->stepper, 0, &error);
      if (error == NULL && flow_run_list_get_n_runs (list) == 0)
        flow_stepper_start (core->stepper, &error);
      there = error == NULL && run_up_to (core, entry, &error);
    }
  if (there && error == NULL)
    flow_stepper_begin_again (core->stepper, &error);
  if (error != NULL)
    _flow_core_stop_failed (core, error);
  else if (there)
    _flow_debug_core_set_stop (core, FLOW_DEBUG_PAUSED, FLOW_STOP_RUN_START, NULL);
}

/* A movement wants a run: the chosen one begins when no run is under way. */
static gboolean
ensure_run (FlowDebugCore *core,
            GError       **error)
{
  FlowRunList *list = list_of (core);
  FlowListedRun *current = flow_run_list_get_current (list);
  int entry = _flow_debug_core_find_entry (core, core->chosen);

  if (current != NULL)
    return TRUE;
  FLOW_REQUIRE (entry >= 0, error, FAILED_PRECONDITION, "no run is chosen");
  if (flow_run_list_get_last (list) != NULL && is_flowing (core, (guint) entry)
      && flow_stepper_find_run_start (core->stepper, (guint) entry, 0) != G_MAXUINT64)
    return TRUE;
  if (!is_flowing (core, (guint) entry) && flow_run_list_get_last (list) != NULL)
    {
      /* The chosen run once more, on what the last left. */
      if (flow_stepper_begin_entry (core->stepper, (guint) entry, error) == FLOW_STEP_FAILED)
        return FALSE;
      _flow_debug_core_set_stop (core, FLOW_DEBUG_PAUSED, FLOW_STOP_RUN_START, NULL);
      return TRUE;
    }
  begin_chosen (core, (guint) entry);
  return TRUE;
}

/* @argument: how many; empty: one */
static gboolean
skip_runs (Mover       *self,
           const char  *argument,
           GError     **error)
{
  FlowDebugCore *core = self->core;
  FlowRunList *list = list_of (core);
  guint64 n = 1;
  FlowListedRun *current = flow_run_list_get_current (list);
  guint64 target = 0;

  FLOW_REQUIRE (*argument == '\0' || g_ascii_string_to_unsigned (argument, 10, 0, G_MAXUINT32, &n, NULL), error,
                INVALID_ARGUMENT, "\"%s\" is no number of runs", argument);
  target = current != NULL ? current->number + MAX (n, 1) : G_MAXUINT64;
  flow_stepper_set_recording (core->stepper, FALSE);
  for (;;)
    {
      current = flow_run_list_get_current (list);
      if (current == NULL || current->number >= target)
        {
          _flow_core_stop_at_end (core, current == NULL ? FLOW_STOP_END : FLOW_STOP_RUN_START);
          break;
        }
      if (_flow_core_is_paused (core) || !_flow_core_step (core))
        break;
    }
  flow_stepper_set_recording (core->stepper, TRUE);
  return TRUE;
}

/* --- backwards ------------------------------------------------------------------------------------ */

static gboolean
done_backwards (Mover  *self,
                guint64 first)
{
  FlowDebugCore *core = self->core;
  guint64 position = flow_stepper_get_position (core->stepper);
  const FlowEvent *before = position > 0 ? flow_stepper_get_event (core->stepper, position - 1) : NULL;
  const FlowEvent *here = flow_stepper_get_event (core->stepper, position);

  if (before == NULL)
    return TRUE;
  switch (self->movement)
    {
    case FLOW_MOVE_OVER_BACK:
      if (self->caller != FLOW_NODE_NONE)
        return here->node == self->caller && here->phase == FLOW_CALL_ENTER && strcmp (here->frame, self->frame) == 0;
      return !in_scope (self, before->node) || before->run != here->run;
    case FLOW_MOVE_INTO_BACK:
      return in_scope (self, before->node);
    case FLOW_MOVE_CONTINUE_BACK:
      return position < first && (_flow_core_breaks_before (core, here->node, FALSE) || _flow_core_breaks_after (core, position - 1, NULL, FALSE));
    default:
      return TRUE;
    }
}

static void
go_backwards (Mover      *self,
              const char *argument)
{
  FlowDebugCore *core = self->core;
  guint64 first = flow_stepper_get_position (core->stepper);
  const FlowEvent *last = first > 0 ? flow_stepper_get_event (core->stepper, first - 1) : NULL;

  _flow_debug_core_forget_stale (core);
  if (last == NULL)
    {
      _flow_debug_core_set_stop (core, FLOW_DEBUG_PAUSED, FLOW_STOP_START, NULL);
      return;
    }
  self->scope = g_strdup (argument);
  if (last->phase == FLOW_CALL_RETURN && (*argument == '\0' || strcmp (argument, flow_graph_get_node_name (core->graph, last->node)) == 0))
    {
      if (self->movement == FLOW_MOVE_INTO_BACK)
        self->movement = FLOW_MOVE_BACK;
      self->caller = last->node;
      self->frame = g_strdup (last->frame);
    }
  else if (self->movement == FLOW_MOVE_OVER_BACK && (*argument == '\0' || !in_scope (self, last->node)))
    self->movement = FLOW_MOVE_BACK;
  _flow_debug_core_set_stop (core, FLOW_DEBUG_PAUSED, FLOW_STOP_STEP, NULL);
  /* Into a scope that the last op is in already: nothing to move, only the box opens. */
  if (self->movement == FLOW_MOVE_INTO_BACK && in_scope (self, last->node))
    return;
  for (;;)
    {
      g_autoptr(GError) error = NULL;

      if (!flow_stepper_back (core->stepper, &error))
        {
          if (error != NULL)
            _flow_core_stop_failed (core, error);
          return;
        }
      if (done_backwards (self, first))
        break;
      if (core->owner_funcs->poll (core->owner))
        {
          _flow_debug_core_set_stop (core, FLOW_DEBUG_PAUSED, FLOW_STOP_PAUSE, NULL);
          return;
        }
    }
  if (flow_stepper_get_position (core->stepper) == 0)
    _flow_debug_core_set_stop (core, FLOW_DEBUG_PAUSED, FLOW_STOP_START, NULL);
}

/* No op wrote it: where its value is from then. */
static void
set_unwritten (FlowDebugCore  *core,
               const char     *variable,
               GError        **error)
{
  g_autoptr(FlowTensor) value = flow_session_dup_variable (core->session, variable);
  const FlowCoreRestore *restore = _flow_debug_core_find_restore (core, variable);
  const char *checkpoint = restore != NULL ? restore->prefix : value != NULL ? core->file->checkpoint : NULL;
  g_autofree char *name = checkpoint != NULL ? g_path_get_basename (checkpoint) : NULL;

  if (name != NULL)
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "no op wrote %s before: its value is from the checkpoint %s", variable,
                 name);
  else
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "nothing that is known wrote %s before", variable);
}

/* To after the op that wrote the variable last; where one has just done so, the one before that. */
static gboolean
go_to_writer (FlowDebugCore *core,
              const char    *variable,
              GError       **error)
{
  guint64 position = flow_stepper_get_position (core->stepper);
  guint64 at = 0;
  g_autoptr(FlowTensor) old = NULL;
  g_autoptr(GError) failure = NULL;
  guint32 writer = FLOW_NODE_NONE;
  gboolean is_there = FALSE;

  FLOW_REQUIRE (flow_session_find_variable_node (core->session, variable) != FLOW_NODE_NONE, error, NOT_FOUND,
                "the graph has no variable %s", variable);
  if (position > 0 && flow_stepper_event_writes (core->stepper, position - 1, variable))
    position--;
  writer = flow_stepper_find_writer (core->stepper, variable, position, &at);
  if (writer == FLOW_NODE_NONE)
    {
      set_unwritten (core, variable, error);
      return FALSE;
    }
  _flow_debug_core_forget_stale (core);
  /* Before the write first, to say what it changed. */
  is_there = flow_stepper_goto (core->stepper, at, &failure);
  if (is_there)
    old = flow_session_dup_variable (core->session, variable);
  if (is_there && flow_stepper_goto (core->stepper, at + 1, &failure))
    _flow_core_stop_written (core, variable, at, old);
  else if (failure != NULL)
    _flow_core_stop_failed (core, failure);
  else
    _flow_debug_core_set_stop (core, FLOW_DEBUG_PAUSED, FLOW_STOP_PAUSE, NULL);
  return TRUE;
}

static gboolean
go_to (FlowDebugCore *core,
       const char    *argument,
       GError       **error)
{
  guint64 position = 0;
  g_autoptr(GError) failure = NULL;
  gboolean there = FALSE;

  /* Strict: strtoull() would take -4 for a position far ahead. */
  FLOW_REQUIRE (g_ascii_string_to_unsigned (argument, 10, 0, G_MAXUINT64, &position, NULL), error, INVALID_ARGUMENT,
                "\"%s\" is no position", argument);
  if (position < flow_stepper_get_position (core->stepper))
    _flow_debug_core_forget_stale (core);
  there = flow_stepper_goto (core->stepper, position, &failure);
  if (failure != NULL)
    _flow_core_stop_failed (core, failure);
  else if (there)
    _flow_core_stop_at_end (core, FLOW_STOP_STEP);
  else if (flow_run_list_is_done (list_of (core)))
    _flow_debug_core_set_stop (core, FLOW_DEBUG_FINISHED, FLOW_STOP_END, NULL);
  else
    _flow_debug_core_set_stop (core, FLOW_DEBUG_PAUSED, FLOW_STOP_PAUSE, NULL);
  return TRUE;
}

/* "N" or "N NAME": the iteration, and the frame it is one of, whose name is the loop's own. */
static gboolean
read_iteration (Mover       *self,
                const char  *argument,
                GError     **error)
{
  guint32 node = FLOW_NODE_NONE;
  const char *frame = "";
  gint64 iteration = 0;
  const char *end = strchr (argument, ' ');
  g_autofree char *number = end != NULL ? g_strndup (argument, (gsize) (end - argument)) : g_strdup (argument);

  FLOW_REQUIRE (g_ascii_string_to_signed (number, 10, 0, G_MAXINT64, &self->iteration, NULL), error, INVALID_ARGUMENT,
                "\"%s\" is no iteration", argument);
  if (end != NULL)
    {
      self->frame = g_strdup (end + 1);
      return TRUE;
    }
  FLOW_REQUIRE (next_op (self->core, &node, &frame, &iteration) && *frame != '\0', error, FAILED_PRECONDITION,
                "the next op is in no loop");
  self->frame = g_strdup (_flow_frame_get_name (frame));
  return TRUE;
}

/* The first op of the iteration, of the loop's last round through it that is known in this run; -1: it has not come
 * up yet. */
static guint64
find_iteration (Mover *self)
{
  FlowStepper *stepper = self->core->stepper;
  guint64 position = flow_stepper_get_position (stepper);
  FlowListedRun *run = flow_run_list_get_run (list_of (self->core), flow_stepper_run_at (stepper, position));
  const char *frame = NULL;
  guint64 found = G_MAXUINT64;

  for (guint64 k = flow_stepper_get_n_events (stepper); run != NULL && k-- > run->start;)
    {
      const FlowEvent *event = flow_stepper_get_event (stepper, k);

      if (event->run != run->number || event->iteration != self->iteration || (frame != NULL && event->frame != frame)
          || strcmp (_flow_frame_get_name (event->frame), self->frame) != 0)
        continue;
      frame = event->frame;
      found = k;
    }
  return found;
}

/* TRUE when the place was known, and gone to. */
static gboolean
go_to_iteration (Mover   *self,
                 GError **error)
{
  guint64 known = find_iteration (self);
  g_autofree char *position = NULL;

  if (known == G_MAXUINT64)
    return FALSE;
  position = g_strdup_printf ("%" G_GUINT64_FORMAT, known);
  return go_to (self->core, position, error);
}

/* --- the method ------------------------------------------------------------------------------------- */

gboolean
_flow_movement_is_backwards (FlowMovement movement)
{
  return movement == FLOW_MOVE_BACK || movement == FLOW_MOVE_OVER_BACK || movement == FLOW_MOVE_INTO_BACK
         || movement == FLOW_MOVE_CONTINUE_BACK;
}

/* Sets the stop; tells nobody. */
gboolean
_flow_debug_core_move (FlowDebugCore *core,
                       FlowMovement   movement,
                       const char    *argument,
                       GError       **error)
{
  g_auto(Mover) mover = { .core = core, .movement = movement, .caller = FLOW_NODE_NONE };
  guint32 node = FLOW_NODE_NONE;
  int entry = 0;

  if (_flow_movement_is_backwards (movement))
    {
      go_backwards (&mover, argument);
      return TRUE;
    }
  if (movement == FLOW_MOVE_LAST_WRITE)
    return go_to_writer (core, argument, error);
  if (movement == FLOW_MOVE_GOTO)
    return ensure_run (core, error) && go_to (core, argument, error);
  if (movement == FLOW_MOVE_RECOMPUTE)
    return _flow_core_recompute (core, error);
  if (movement == FLOW_MOVE_RESTART)
    {
      entry = _flow_debug_core_find_entry (core, *argument != '\0' ? argument : core->chosen);
      FLOW_REQUIRE (entry >= 0, error, FAILED_PRECONDITION, "no run is chosen");
      begin_chosen (core, (guint) entry);
      return TRUE;
    }
  if (movement == FLOW_MOVE_TO_ITERATION)
    {
      if (!read_iteration (&mover, argument, error))
        return FALSE;
      if (go_to_iteration (&mover, error))
        return TRUE;
    }
  if (!ensure_run (core, error))
    return FALSE;
  if (core->status == FLOW_DEBUG_FAILED && flow_run_list_get_current (list_of (core)) == NULL)
    return TRUE;
  if (movement == FLOW_MOVE_SKIP_RUNS)
    return skip_runs (&mover, argument, error);
  if (movement == FLOW_MOVE_TO_ITERATION && flow_run_list_get_current (list_of (core)) != NULL)
    mover.run = flow_run_list_get_current (list_of (core))->number;
  else if (movement != FLOW_MOVE_TO_ITERATION && !prepare_forwards (&mover, argument, error))
    return FALSE;
  mover.may_grow = flow_stepper_get_n_events (core->stepper) * sizeof (FlowEvent) > flow_stepper_get_limit (core->stepper);
  /* The box only opens. */
  if (movement == FLOW_MOVE_INTO && next_calls (core) && next_op (core, &node, NULL, NULL)
      && (*argument == '\0' || strcmp (argument, flow_graph_get_node_name (core->graph, node)) == 0))
    mover.movement = FLOW_MOVE_STEP_OP;
  else if (movement == FLOW_MOVE_INTO && next_op (core, &node, NULL, NULL)
      && (*argument == '\0' || _flow_node_is_in_scope (core->graph, node, argument)))
    {
      _flow_debug_core_set_stop (core, FLOW_DEBUG_PAUSED, FLOW_STOP_STEP, NULL);
      return TRUE;
    }
  go_forwards (&mover);
  return TRUE;
}

FlowDebuggerReply *
_flow_core_move (FlowDebugCore *core,
                 GVariant      *arguments,
                 GPtrArray     *tensors,
                 GError       **error)
{
  guint movement = 0;
  const char *argument = NULL;
  FlowDebugStatus before = core->status;
  g_autoptr(FlowDebugState) state = NULL;
  gboolean ok = FALSE;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(u&s)", &movement, &argument);
  FLOW_REQUIRE (movement <= FLOW_MOVE_NEXT_OF_TYPE, error, INVALID_ARGUMENT, "there is no movement %u", movement);
  core->status = FLOW_DEBUG_RUNNING;
  _flow_debug_core_news (core, FLOW_CORE_CHANGED);
  ok = _flow_debug_core_move (core, (FlowMovement) movement, argument, error);
  if (core->status == FLOW_DEBUG_RUNNING)
    core->status = before;
  _flow_debug_core_news (core, ok ? FLOW_CORE_STOPPED : FLOW_CORE_CHANGED);
  /* Hits were counted, and what stops once is off now. */
  if (core->breakpoints->len > 0)
    _flow_debug_core_news (core, FLOW_CORE_BREAKPOINTS);
  if (!ok)
    return NULL;
  state = _flow_debug_core_state (core);
  return _flow_reply (g_variant_new ("(@a{sv})", flow_debug_state_to_variant (state)));
}

FlowDebuggerReply *
_flow_core_pause (FlowDebugCore *core,
                  GVariant      *arguments,
                  GPtrArray     *tensors,
                  GError       **error)
{
  return _flow_reply (NULL);
}

FlowDebuggerReply *
_flow_core_stop (FlowDebugCore *core,
                 GVariant      *arguments,
                 GPtrArray     *tensors,
                 GError       **error)
{
  g_autoptr(GError) words = NULL;
  FlowListedRun *run = NULL;

  if (core->stepper == NULL)
    return _flow_reply (NULL);
  run = flow_run_list_get_current (list_of (core));
  if (run == NULL || run->ended || run->run == NULL)
    return _flow_reply (NULL);
  flow_stepper_fork (core->stepper);
  flow_run_cancel (run->run, &words);
  flow_run_list_stop_current (list_of (core), words);
  _flow_debug_core_set_stop (core, FLOW_DEBUG_FINISHED, FLOW_STOP_RUN_END, words->message);
  core->error_code = FLOW_ERROR_CANCELLED;
  _flow_debug_core_news (core, FLOW_CORE_STOPPED);
  return _flow_reply (NULL);
}

FlowDebuggerReply *
_flow_core_choose_next (FlowDebugCore *core,
                        GVariant      *arguments,
                        GPtrArray     *tensors,
                        GError       **error)
{
  guint32 node = 0;
  FlowListedRun *run = NULL;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(u)", &node);
  run = flow_run_list_get_current (list_of (core));
  if (run == NULL || run->run == NULL || run->ended || !flow_run_choose_next (run->run, node))
    {
      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION, "the node is not ready");
      return NULL;
    }
  flow_stepper_fork (core->stepper);
  _flow_debug_core_news (core, FLOW_CORE_CHANGED);
  return _flow_reply (NULL);
}
