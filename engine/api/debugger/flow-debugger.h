/* flow-debugger.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-graph.h"
#include "flow-tensor.h"

G_BEGIN_DECLS

/**
 * FlowMovement:
 * @FLOW_MOVE_RUN: on until something stops it
 * @FLOW_MOVE_STEP_OP: one op
 * @FLOW_MOVE_OVER: to the end of this visit of the scope the next op is in at the level shown (argument: scope
 *   path of the closed box; empty: one op)
 * @FLOW_MOVE_INTO: open the scope (argument) and stop before its first op
 * @FLOW_MOVE_OUT: to the first op outside the innermost scope (or frame) of the next op
 * @FLOW_MOVE_LEAVE_SCOPE: until the scope has no op left in this run
 * @FLOW_MOVE_NEXT_ITERATION: to the same loop's next iteration
 * @FLOW_MOVE_NEXT_BAD_VALUE: to the next op that makes a NaN or an Inf
 * @FLOW_MOVE_RUN_TO: before the node (argument: its name)
 * @FLOW_MOVE_BACK: one op back
 * @FLOW_MOVE_OVER_BACK: back over the visit
 * @FLOW_MOVE_INTO_BACK: back into the scope: after its last op
 * @FLOW_MOVE_CONTINUE_BACK: back to the last breakpoint, or the start
 * @FLOW_MOVE_GOTO: to a position (argument: decimal number of ops executed so far)
 * @FLOW_MOVE_RESTART: to before the chosen run; what stands before it in the list is run at full speed
 * @FLOW_MOVE_RETRY: the failed op again
 * @FLOW_MOVE_SKIP_RUNS: as many runs (argument) at full speed
 * @FLOW_MOVE_NEXT_WRITE: to after the op that writes the variable (argument) next
 * @FLOW_MOVE_LAST_WRITE: back to after the op that wrote the variable (argument) before
 * @FLOW_MOVE_TO_ITERATION: to the first op of an iteration (argument: its number, of the loop that the next op is in;
 *   or number, blank and the name of a loop's frame), forwards or back; of what has been executed the last such
 * @FLOW_MOVE_RECOMPUTE: to where it stands once more, from the first op that read what was replaced since; only what
 *   comes from it is computed again, all else keeps what it made
 * @FLOW_MOVE_NEXT_OF_TYPE: before the next op of a type (argument; empty: of the type of the op that comes next)
 *
 * What a person can ask for.
 */
typedef enum {
  FLOW_MOVE_RUN,
  FLOW_MOVE_STEP_OP,
  FLOW_MOVE_OVER,
  FLOW_MOVE_INTO,
  FLOW_MOVE_OUT,
  FLOW_MOVE_LEAVE_SCOPE,
  FLOW_MOVE_NEXT_ITERATION,
  FLOW_MOVE_NEXT_BAD_VALUE,
  FLOW_MOVE_RUN_TO,
  FLOW_MOVE_BACK,
  FLOW_MOVE_OVER_BACK,
  FLOW_MOVE_INTO_BACK,
  FLOW_MOVE_CONTINUE_BACK,
  FLOW_MOVE_GOTO,
  FLOW_MOVE_RESTART,
  FLOW_MOVE_RETRY,
  FLOW_MOVE_SKIP_RUNS,
  FLOW_MOVE_NEXT_WRITE,
  FLOW_MOVE_LAST_WRITE,
  FLOW_MOVE_TO_ITERATION,
  FLOW_MOVE_RECOMPUTE,
  FLOW_MOVE_NEXT_OF_TYPE,
} FlowMovement;

/**
 * FlowDebugStatus:
 * @FLOW_DEBUG_EMPTY: no graph
 * @FLOW_DEBUG_IDLE: a graph, no run chosen
 * @FLOW_DEBUG_PAUSED: in a run (or before its first op): the next op is known
 * @FLOW_DEBUG_RUNNING: on its way
 * @FLOW_DEBUG_WAITING: nothing can move: every op that is left waits (for a queue, ...)
 * @FLOW_DEBUG_FAILED: an op failed; the state before it is alive
 * @FLOW_DEBUG_FINISHED: the list of runs is done
 * @FLOW_DEBUG_ENDED: the engine process is gone
 */
typedef enum {
  FLOW_DEBUG_EMPTY,
  FLOW_DEBUG_IDLE,
  FLOW_DEBUG_PAUSED,
  FLOW_DEBUG_RUNNING,
  FLOW_DEBUG_WAITING,
  FLOW_DEBUG_FAILED,
  FLOW_DEBUG_FINISHED,
  FLOW_DEBUG_ENDED,
} FlowDebugStatus;

/**
 * FlowStopReason:
 */
typedef enum {
  FLOW_STOP_NONE,
  FLOW_STOP_STEP,          /* the movement is done */
  FLOW_STOP_BREAKPOINT,
  FLOW_STOP_WATCHPOINT,
  FLOW_STOP_BAD_VALUE,
  FLOW_STOP_ERROR,
  FLOW_STOP_PAUSE,
  FLOW_STOP_WAITING,
  FLOW_STOP_RUN_START,
  FLOW_STOP_RUN_END,
  FLOW_STOP_START,         /* nothing before this */
  FLOW_STOP_END,           /* nothing after this */
  FLOW_STOP_LIMIT,         /* memory, time */
  FLOW_STOP_ENGINE_ENDED,
  FLOW_STOP_INPUT,         /* a script waits for a line of its standard input */
} FlowStopReason;

/**
 * FlowNodeState:
 *
 * One byte per node, for the canvas and the outline.
 */
typedef enum {
  FLOW_NODE_NOT_IN_RUN,
  FLOW_NODE_FED,
  FLOW_NODE_PENDING,
  FLOW_NODE_READY,
  FLOW_NODE_NEXT,
  FLOW_NODE_WAITING,
  FLOW_NODE_DONE,
  FLOW_NODE_DEAD,
  FLOW_NODE_FAILED,
  FLOW_NODE_STALE,
} FlowNodeState;

/**
 * FlowValueHealth:
 * @FLOW_HEALTH_NO_NUMBERS: strings, resources, or no output
 * @FLOW_HEALTH_SOUND: nothing is wrong with them
 * @FLOW_HEALTH_DENORMAL: some are too small for full precision
 * @FLOW_HEALTH_NOT_LOOKED_AT: too many to look at all of them
 * @FLOW_HEALTH_ZERO: all are zero
 * @FLOW_HEALTH_INF: some are infinite
 * @FLOW_HEALTH_NAN: some are no numbers
 *
 * How sound the outputs of an op are, the worst of them; a worse one is greater.
 */
typedef enum {
  FLOW_HEALTH_NO_NUMBERS,
  FLOW_HEALTH_SOUND,
  FLOW_HEALTH_DENORMAL,
  FLOW_HEALTH_NOT_LOOKED_AT,
  FLOW_HEALTH_ZERO,
  FLOW_HEALTH_INF,
  FLOW_HEALTH_NAN,
} FlowValueHealth;

/**
 * FlowDebugState:
 *
 * Where a debugger stands: an immutable snapshot.
 */
typedef struct {
  FlowDebugStatus status;
  FlowStopReason reason;
  char *message;              /* TensorFlow's words on an error; what is waited for; log text; nullable */
  int error_code;             /* a FlowError, 0 if none */
  guint64 position;           /* ops executed so far, over all runs of the session */
  guint64 n_events;           /* positions known: history reaches from 0 to here */
  guint64 exact_from;         /* from here on back steps are undone; before it they are recomputed */
  char *run;                  /* name, nullable */
  guint iteration_of_run;     /* i */
  guint64 run_start;          /* position at which the current run began */
  guint32 next_node;          /* FLOW_NODE_NONE when there is none */
  char *op;                   /* full name of the op that comes next where it is one of a function's body, and
                               * .next_node the one that called it; else NULL */
  char *frame;                /* "" outside loops and functions */
  gint64 iteration;
  guint visit;                /* of the innermost scope of the next op: 1 of .n_visits, FLOW 0 if none */
  guint n_visits;
  guint n_done;               /* nodes of this run executed, and in all */
  guint n_planned;
  guint64 plan_hits;          /* how often this plan was found in the cache */
  gboolean reverse_is_exact;
  guint64 history_bytes;
  guint64 history_limit;
  guint64 memory_bytes;
  guint64 memory_limit;
  guint32 stop_node;          /* the op that the stop is about: which failed, wrote, made a NaN */
  char *restored_from;        /* the checkpoint that was restored last, nullable */
  guint n_stale;              /* ops whose values come from what was replaced since */
  guint n_pins;               /* moments that are kept: pin-1 to pin-N */
} FlowDebugState;

#define FLOW_TYPE_DEBUG_STATE (flow_debug_state_get_type ())

FLOW_API GType           flow_debug_state_get_type (void);
FLOW_API FlowDebugState *flow_debug_state_copy     (const FlowDebugState *self);
FLOW_API void            flow_debug_state_free     (FlowDebugState       *self);
FLOW_API GVariant       *flow_debug_state_to_variant (const FlowDebugState *self);
FLOW_API FlowDebugState *flow_debug_state_from_variant (GVariant         *variant);
FLOW_API const char     *flow_stop_reason_name     (FlowStopReason        reason);
FLOW_API const char     *flow_debug_status_name    (FlowDebugStatus       status);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowDebugState, flow_debug_state_free)

/**
 * FlowDebuggerReply:
 *
 * What a call gave: a value, and the tensors it speaks of by index.
 */
typedef struct {
  GVariant *value;
  GPtrArray *tensors;         /* of FlowTensor, nullable */
} FlowDebuggerReply;

FLOW_API void flow_debugger_reply_free (FlowDebuggerReply *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowDebuggerReply, flow_debugger_reply_free)

/**
 * FlowDebugger:
 *
 * What a person drives: a session, its current run, breakpoints and history. One implementation is
 * in process (flow_local_debugger_new()), one speaks to an engine process
 * (flow_link_debugger_new()); both behave alike. Everything is asynchronous: commands in, signals
 * out on the main context of the thread that made it, values delivered later. Nothing here waits.
 *
 * Signals: `changed` (the state has a new value; at most once per main loop turn), `stopped`
 * (FlowDebugState), `graph-changed` (nodes were added or another graph opened), `runs-changed`,
 * `breakpoints-changed`, `progress` (double fraction or -1, string message; an empty message ends
 * it), `logged` (guint64 position, string text), `ended` (string what ended where).
 *
 * The vfunc `call` is the one door: method name, arguments as a tuple, tensors beside them. The
 * typed functions below are all that callers use.
 */
#define FLOW_TYPE_DEBUGGER (flow_debugger_get_type ())

FLOW_API G_DECLARE_INTERFACE (FlowDebugger, flow_debugger, FLOW, DEBUGGER, GObject)

struct _FlowDebuggerInterface
{
  GTypeInterface parent;

  void               (*call_async)  (FlowDebugger        *self,
                                     const char          *method,
                                     GVariant            *arguments,
                                     GPtrArray           *tensors,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             data);
  FlowDebuggerReply *(*call_finish) (FlowDebugger        *self,
                                     GAsyncResult        *result,
                                     GError             **error);
  FlowGraph         *(*get_graph)   (FlowDebugger        *self);
  FlowDebugState    *(*dup_state)   (FlowDebugger        *self);
};

FLOW_API FlowGraph      *flow_debugger_get_graph  (FlowDebugger *self);
FLOW_API FlowDebugState *flow_debugger_dup_state  (FlowDebugger *self);

FLOW_API void            flow_debugger_call_async  (FlowDebugger        *self,
                                                    const char          *method,
                                                    GVariant            *arguments,
                                                    GPtrArray           *tensors,
                                                    GCancellable        *cancellable,
                                                    GAsyncReadyCallback  callback,
                                                    gpointer             data);
FLOW_API FlowDebuggerReply *flow_debugger_call_finish (FlowDebugger     *self,
                                                    GAsyncResult        *result,
                                                    GError             **error);
/* For the command line and tests: runs the default main context of this thread until the answer is there. */
FLOW_API FlowDebuggerReply *flow_debugger_call_sync (FlowDebugger       *self,
                                                    const char          *method,
                                                    GVariant            *arguments,
                                                    GPtrArray           *tensors,
                                                    GCancellable        *cancellable,
                                                    GError             **error);

/*
 * The methods: name, arguments, value (tensors). Typed wrappers with the same names follow the
 * pattern flow_debugger_NAME_async(), _finish() for those a program in C calls often.
 *
 *  Open            (s path, a{sv} options: tags as, checkpoint s, allow as)  -> (a{sv}) info: kind, problems aa{sv}, opened s
 *  ListRuns        ()                         -> (aa{sv}) name, source s ("file", "signature", "own": made or
 *                                                changed here and not saved yet), fetches as,
 *                                                targets as, feeds a{ss} (tensor -> JSON of its feed), repeat u,
 *                                                restore s, follows b: its file's checkpoint or other runs of it
 *                                                stand before it; ended u: how often it came to its end so far,
 *                                                failed b: the last time, with an error
 *  ListRunFiles    ()                         -> (a(sb)) the run files beside the graph that name it: path, and
 *                                                whether its runs are those of ListRuns
 *  LoadRunFile     (s path)                   -> ()  its runs and breakpoints in place of those at hand; the
 *                                                session begins anew
 *  SaveRunFile     (s path)                   -> ()  the file's runs, one's own and the breakpoints, whole or
 *                                                not at all; paths follow it to its folder
 *  WindowData      ()                         -> (s json) what a window keeps with the runs: bookmarks and such; "": nothing
 *  SetWindowData   (s json)                   -> ()  an object, saved with the runs
 *  SetRun          (s json)                   -> ()  adds or replaces the run of that name; json as in run files
 *  ChooseRun       (s name)                   -> (a{sv}) plan, as from Plan
 *  Plan            (s name)                   -> (a{sv}) nodes au in execution order, pruned u, fed as,
 *                                                update_ops_executed as, update_ops_skipped as, uninitialized as,
 *                                                hits t, warnings as (feeds that do not fit their placeholder),
 *                                                position t and begun b: where the session stood, and whether in a run;
 *                                                of an entry that restores only restore s; name "": the chosen run
 *  Diagnose        (s run)                    -> (aa{sv}) id s, severity s, nodes as, text s: what is wrong with the graph
 *                                                and with that run ("": the chosen one); see flow_diagnose_serve()
 *  Explain         (u node)                   -> (b in, as chain, s reason)
 *  Move            (u movement, s argument)   -> (a{sv} state) when it has stopped
 *  Pause           ()                         -> ()  asks a movement to stop at the next op
 *  Stop            ()                         -> ()  ends the current run, CANCELLED
 *  ChooseNext      (u node)                   -> ()  of the ready nodes, the one that executes next
 *  ListBreakpoints ()                         -> (aa{sv}) id u, text s, enabled b, hits t, node u
 *  AddBreakpoint   (s expr)                   -> (u id)       expr by interfaces.md's EXPR, or "watch:VARIABLE"
 *  RemoveBreakpoint(u id), EnableBreakpoint (u id, b enabled) -> ()
 *  NodeStates      ()                         -> (ay) a FlowNodeState per node
 *  Ready           ()                         -> (au) nodes that could run next, in the default order
 *  Inspect         (u node, t position)       -> (a{sv}) inputs aa{sv}, outputs aa{sv} each: tensor s, dtype s,
 *                                                shape ax, state s ("value", "dead", "not computed", "dropped",
 *                                                "uninitialized", "stale"), node u, slot i, and the statistics: bytes t,
 *                                                n_elements x, of numbers nan x, inf x, zero x, negative x, positive x,
 *                                                of finite ones min d, max d, mean d, std d; executed_at t where it did;
 *                                                position G_MAXUINT64 = now
 *  GetValue        (s tensor, t position)     -> (a{sv}) as one entry of Inspect (tensor 0: the value)
 *  History         (s tensor)                 -> (a(txd)) position, iteration, mean of each value it had, and of
 *                                                those ahead that it is known to have
 *  Variables       ()                         -> (aa{sv}) name, node u, dtype, shape, initialized b, statistics,
 *                                                changed b, max_abs_change d since the start of the run,
 *                                                run_start a{sv}: statistics then, where it was another value,
 *                                                writer s, written_at t, collections as; after a restore
 *                                                restored_from s, restored_at t, reinitialized b: its initialiser
 *                                                wrote it since
 *  GetVariable     (s name, s when)           -> (a{sv})(tensor 0) when: "now", "run-start", "before-restore"
 *  SetVariable     (s name)  [tensor 0]       -> ()
 *  Override        (s tensor, s spec) [tensor 0 if spec is empty] -> ()  spec "" and no tensor: no longer
 *  InitializeVariables ()                     -> ()
 *  Resources       ()                         -> (aa{sv}) type s, name s, text s, version t, node u
 *  Loops           ()                         -> (a(sxx)) each loop and function of this run that is known: name of the
 *                                                frame, the iteration it was in last (-1: it has not begun), the
 *                                                highest one known
 *  BodyStates      (as names)                 -> (a(yu)) of ops in functions' bodies: a FlowNodeState, and by which
 *                                                index Values knows the op (FLOW_NODE_NONE: not made yet)
 *  Events          (t from, u count)          -> (a(tusuxbtx)) position, node, run, i, iteration, dead, ns, bytes
 *  MatchCheckpoint (s prefix)                 -> (a{sv}) matched as, only_graph as, only_file as, clashes aa{sv}
 *                                                (name, graph s, file s), nearest a{ss}
 *  RestoreCheckpoint (s prefix, a{ss} map new->old, as only) -> (aa{sv}) name, before a{sv} and after a{sv}
 *                                                (statistics), max_abs d, max_rel d, changed x (elements),
 *                                                uninitialized_before b
 *  SaveCheckpoint  (s prefix)                 -> ()
 *  SetHistoryLimit (t bytes)                  -> ()
 *  Series          ()                         -> (aa{sv}) of an event file: tag s, kind s, n u, restarts u, name s,
 *                                                first_step x, last_step x; of scalars min d, max d, last d, bad u
 *                                                (values that are NaN or infinite)
 *  SeriesPoints    (s tag, u max)             -> (a(xdd)) step, wall time, value of a scalar's points; of more than
 *                                                max the least and greatest of each stretch
 *  SeriesSteps     (s kind, s tag)            -> (a(xd)) step and wall time of every point of a series of any kind
 *  SeriesHistograms (s tag, u max)            -> (d low, d high, a(xdad)) of at most max histograms of a tag: step, how many
 *                                                values, counts in 80 even bins from low to high
 *  Compare         (s tensor_a, t position_a, s tensor_b, t position_b, a{sv} tolerances) -> (a{sv}) as CompareValues
 *
 *  Values by reference (REF): "a/b:0" the tensor now, "a/b:0@12" after 12 ops, "a/b:0@pin-1" when that moment was
 *  pinned, "var:NAME" a variable, "var:NAME@MOMENT", "file:PREFIX#NAME" in a checkpoint. MOMENT: now, run-start,
 *  before-restore (the last), before-restore-N, restore-N, pin-N, file:PREFIX, the number of ops executed when a run began.
 *  "series:KIND:TAG@i" is a point of an event file: a picture (height, width, channels), a histogram (rows of lower edge, upper
 *  edge and count), text, a tensor. Likewise "=EXPRESSION" over such names, as numpy
 *  reads it: "=mean(abs(a/b:0)) / norm(w@run-start)" (names with other letters than [A-Za-z0-9_./:@] in backticks).
 *  No whole value travels:
 *
 *  Pin             ()                         -> (u number, t position)  keeps this moment: variables and the run's tensors
 *  Moments         ()                         -> (aa{sv}) id s, title s, position t: what can be compared
 *  Describe        (s ref, u bins)            -> (a{sv}) as one entry of Inspect; besides denormal x, pos_inf x, finite x,
 *                                                min_index x, max_index x, nan_index x, inf_index x where there are any,
 *                                                bins ax, low d, high d
 *  Values          (au nodes)                 -> (a(usbb)) node, its first output now in a word, whether it holds a NaN or
 *                                                Inf, whether it is stale; only nodes that have one
 *  Costs           ()                         -> (a(uttt)) of the run at hand: node, how often it was executed, ns in all,
 *                                                bytes of what it made last
 *  Health          ()                         -> (a(uy)) of the run at hand: node, a FlowValueHealth of what it made last
 *  Slice           (s ref, ax begin, ax count, ax step) -> (a{sv})(tensor 0: of shape count) at most 4,194,304 elements;
 *                                                strings are cut to 1,024 bytes
 *  FindElement     (s ref, s what, x after, s other, a{sv} tolerances) -> (x index) what: nan, inf, zero, max, min,
 *                                                changed (against other); goes round; -1: none
 *  CompareValues   (s ref_a, s ref_b, a{sv} abs d, rel d, ulp t, worst u) -> (a{sv}) as FlowTensorDiff says; besides
 *                                                worst a(xssd): index, a, b, difference; the largest first
 *  CompareVariables(s moment_a, s moment_b)   -> (aa{sv}) as RestoreCheckpoint; besides uninitialized_after b, same_type b
 *  SaveValue       (s ref, s path)            -> ()  .npy, .npz or .csv
 *  Origin          (s tensor, t position)     -> (aa{sv}) back in time: kind s ("bad", "passed", "writer", "variable",
 *                                                "fed", "origin", "end"), tensor s, node u, type s, position t, text s and
 *                                                statistics; the last is where the value was made
 *  Plans           ()                         -> (aa{sv}) the cache: id s, feeds, fetches, targets, runs as, nodes u,
 *                                                used t, hits t, current b
 *  ComparePlans    (s a, s b)                 -> (a{sv}) shared au, only_a au, only_b au, shared_stateful au; a and b are
 *                                                names of runs or ids of Plans
 *  Savers          ()                         -> (aa{sv}) per op that saves: name s, node u, saved as, left_out as, known b
 *  Overrides       ()                         -> (as) tensors that were replaced
 *  Recheck         ()                         -> (a(utu)) breakpoint, position and node of every event of this run that a
 *                                                rule holds for, without running anything
 *  SetPolicy       (s scope, s word)          -> ()  keep-all, keep-stats, keep-none: what the history keeps of its ops
 *  Policies        ()                         -> (a{ss}) scope -> word
 */
FLOW_API void            flow_debugger_open_async   (FlowDebugger *self, const char *path, GVariant *options,
                                                     GCancellable *cancellable, GAsyncReadyCallback callback,
                                                     gpointer data);
FLOW_API GVariant       *flow_debugger_open_finish  (FlowDebugger *self, GAsyncResult *result, GError **error);
FLOW_API void            flow_debugger_move_async   (FlowDebugger *self, FlowMovement movement, const char *argument,
                                                     GCancellable *cancellable, GAsyncReadyCallback callback,
                                                     gpointer data);
FLOW_API FlowDebugState *flow_debugger_move_finish  (FlowDebugger *self, GAsyncResult *result, GError **error);
FLOW_API void            flow_debugger_pause        (FlowDebugger *self);
FLOW_API void            flow_debugger_get_value_async  (FlowDebugger *self, const char *tensor, guint64 position,
                                                     GCancellable *cancellable, GAsyncReadyCallback callback,
                                                     gpointer data);
/* The tensor, or NULL without an error where there is none now (dead, not computed); @info tells. */
FLOW_API FlowTensor     *flow_debugger_get_value_finish (FlowDebugger *self, GAsyncResult *result, GVariant **info,
                                                     GError **error);

/* For implementations: emit the signals in one place. */
FLOW_API void flow_debugger_emit_changed             (FlowDebugger *self);
FLOW_API void flow_debugger_emit_stopped             (FlowDebugger *self, const FlowDebugState *state);
FLOW_API void flow_debugger_emit_graph_changed       (FlowDebugger *self);
FLOW_API void flow_debugger_emit_runs_changed        (FlowDebugger *self);
FLOW_API void flow_debugger_emit_breakpoints_changed (FlowDebugger *self);
FLOW_API void flow_debugger_emit_progress            (FlowDebugger *self, double fraction, const char *message);
FLOW_API void flow_debugger_emit_logged              (FlowDebugger *self, guint64 position, const char *text);
FLOW_API void flow_debugger_emit_ended               (FlowDebugger *self, const char *text);

G_END_DECLS
