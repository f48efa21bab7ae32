/* flow-run-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-plan-private.h"
#include "flow-function.h"
#include "flow-run.h"

G_BEGIN_DECLS

typedef struct _FlowFrame FlowFrame;
typedef struct _FlowIteration FlowIteration;
typedef struct _FlowCall FlowCall;

/* One iteration of one frame: what each of its items has got so far. */
struct _FlowIteration
{
  FlowFrame *frame;            /* borrowed: a frame outlives its iterations */
  guint64 index;
  guint32 n_ready;
  guint32 outstanding_ops;
  guint32 outstanding_frames;
  guint n_words;
  guint64 *ready;              /* bit per item, in plan order */
  guint64 *ready_dead;         /* of those, the dead ones */
  guint32 *pending;
  guint32 *dead;               /* dead inputs so far */
  FlowValue *entries;          /* inputs */
  FlowFrame **children;
  FlowCall **calls;            /* of ops that call functions, by FlowPlanItem.call: what they are in the midst of */
};

/* One execution of a loop. */
struct _FlowFrame
{
  FlowFrame *parent;           /* borrowed */
  FlowIteration *parent_iteration;
  guint32 index;               /* in plan->frames */
  char *name;                  /* as TensorFlow composes it; "" for the outermost */
  guint64 iteration_count;     /* index of the newest iteration */
  guint32 n_outstanding;
  guint32 n_pending_enters;
  guint32 n_slots;
  FlowIteration **iterations;  /* ring of n_slots */
  guint32 n_invariants;
  guint32 *invariant_items;
  FlowValue *invariants;
  guint32 n_deferred;          /* NextIterations that wait for room */
  guint32 *deferred_items;
  FlowValue *deferred;
  guint32 n_dead_exits;
  guint32 *dead_exits;
};

/* An op between two turns. Each turn makes another, so that undoing is to put the one before back. */
struct _FlowCall
{
  FlowKernelTurn turn;         /* the turn that comes after the body */
  FlowRun *body;               /* what it called; NULL once its outputs are known */
  guint n_outputs;
  FlowValue *outputs;          /* not handed on yet: that is a step of its own */
};

typedef struct {
  FlowIteration *iteration;
  guint32 local;
  FlowResource *resource;
  guint64 version;
  char *text;
} FlowParked;

/**
 * FlowCalleeFlags: (skip)
 * @FLOW_CALLEE_GRADIENT: the gradient of the function
 * @FLOW_CALLEE_LOWERED: its nodes stand in for an op of the graph itself
 * @FLOW_CALLEE_LOWERS: what calls functions in it may be lowered
 * @FLOW_CALLEE_ON_DEVICES: it may run on several devices, or is a part of what may
 * @FLOW_CALLEE_AS_WRITTEN: what it lowers executes although nothing reads it
 */
typedef enum {
  FLOW_CALLEE_GRADIENT = 1 << 0,
  FLOW_CALLEE_LOWERED = 1 << 1,
  FLOW_CALLEE_LOWERS = 1 << 2,
  FLOW_CALLEE_ON_DEVICES = 1 << 3,
  FLOW_CALLEE_AS_WRITTEN = 1 << 4,
} FlowCalleeFlags;

/* A function's body, compiled: made once for each way in which it is called. */
typedef struct _FlowCallee {
  FlowFunctionBody *body;
  FlowPlan *plan;              /* nullable: nothing to execute */
  GPtrArray *kernels;
  guint32 *arg_of_feed;        /* the plan's feed -> argument */
  gint32 *fetch_of_ret;        /* return value -> the plan's fetch, -1 where it is an argument itself */
  guint32 base;                /* what makes the body's nodes the session graph's; 0 where nobody looks at them */
  gboolean is_gradient;
  gboolean is_lowered;         /* its nodes stand in for an op of the graph itself */
  gboolean is_as_written;      /* what it lowers executes although nothing reads it */
  gboolean only_passes_on;     /* it gives arguments back as they came, and has no op with state */
  char *state_prefix;          /* begins the names by which its nodes keep state */
  struct _FlowCallee *whole;   /* borrowed: of which this is a part; NULL: it is the whole */
  guint8 *rets;                /* of a part: which return values it gives; NULL: all */
  gboolean has_effects;        /* whether what executes although nothing reads it does */
} FlowCallee;

/* What a function's body is in TensorFlow, which makes those of some calls a part of the graph that calls. */
typedef enum {
  FLOW_PART_NONE,              /* a function of its own */
  FLOW_PART_LOWERED,           /* the caller's own nodes, as if they had always stood there */
  FLOW_PART_INLINED,           /* the caller's own nodes, but what they call is called */
} FlowRunPart;

/* An op that failed, and is ready still; or one that called what failed. */
typedef struct {
  FlowIteration *iteration;
  guint32 local;
  gboolean is_call;
} FlowFailed;

struct _FlowRun
{
  gatomicrefcount ref_count;
  FlowSession *session;
  GPtrArray *kernels;          /* borrowed: of the graph's nodes */
  FlowRun *caller;             /* borrowed: of a function's body, the run that called it */
  FlowRun *top;                /* borrowed: the run that a session's user began; itself, but in bodies */
  FlowCallee *callee;          /* borrowed: what a caller called */
  char *state_handle;          /* nullable: begins the names by which the nodes of a body keep state */
  guint depth;                 /* how many calls lead here */
  guint32 base;                /* its nodes' indices for others: these and what is added here */
  const char *frame;           /* interned: of what is in no loop of its own; "" but in bodies */
  gint64 call_iteration;
  guint32 n_calls;             /* ops in the midst of calls */
  guint32 last_local;          /* the call that is to go on, */
  guint64 last_iteration;      /* FlowIteration *, 0 where any may */
  FlowRun *retired;            /* owns what the last step's outputs point to */
  gboolean is_transient;       /* over when its caller's op is: nothing of its own can be stepped back into */
  gboolean is_on_devices;      /* the body of a function that may run on several devices */
  gboolean is_of_kernel;       /* the body of a function that a kernel called while it computed */
  FlowRunPart part;            /* of the caller's graph */
  gboolean takes_dead;         /* of a body: what it is given may be dead, and what it returns */
  FlowPlan *plan;
  FlowGraph *graph;            /* borrowed from the plan */
  GCancellable *cancellable;
  char *step_container;
  FlowTensor **feeds;
  guint n_feeds;
  FlowTensor **args;           /* of a function's body, beside feeds: in the function's order */
  FlowValue *fetched;
  guint64 *times_fetched;      /* how often each was computed: in a loop, once for each turn */
  guint n_fetches;
  guint8 *is_fetched;          /* item -> some output is fetched */
  FlowFrame *root;
  guint32 n_ready;
  guint32 finished;
  guint64 last_frame;          /* FlowFrame *: where the last op ran; as a word for the undo log */
  GArray *parked;              /* of FlowParked: ready ops that were tried in vain */
  guint32 chosen_node;
  GHashTable *overrides;       /* "node:slot" packed -> FlowTensor */
  gboolean timing;
  gboolean is_failing;         /* an op has failed; what else executes does so as TensorFlow would have begun it */
  GArray *failed;              /* of FlowFailed: what the last step came to, and others that were tried with it */
  gboolean has_failed;         /* of a body: some of its ops did, the rest goes on */
  FlowRunRecall recall;
  gboolean recalls_all;        /* asked for every op, not only for those with an effect outside */
  gpointer recall_data;
  /* The last step, and room for the next. */
  FlowRunStep last;
  FlowValue *inputs;
  FlowValue *outputs;
  guint8 *forwardable;
  guint n_outputs;
};

/* Where the run's own books are logged. What a transient run does to the session is logged all the same. */
static inline FlowUndo *
_flow_run_get_undo (FlowRun *run)
{
  return run->is_transient ? NULL : flow_session_get_undo (run->session);
}

/* Every change of a run's state goes through these, so that it can be undone. */
static inline void
_flow_set32 (FlowUndo *undo,
             guint32  *where,
             guint32   value)
{
  if (undo != NULL)
    flow_undo_word32 (undo, where);
  *where = value;
}

static inline void
_flow_set64 (FlowUndo *undo,
             guint64  *where,
             guint64   value)
{
  if (undo != NULL)
    flow_undo_word (undo, where);
  *where = value;
}

/* Takes @value. */
static inline void
_flow_set_value (FlowUndo  *undo,
                 FlowValue *where,
                 FlowValue  value)
{
  if (undo != NULL)
    flow_undo_value (undo, where);
  else
    flow_value_clear (where);
  *where = value;
}

FlowCallee *_flow_callee_new        (FlowGraph          *library,
                                     const FlowAttr     *func,
                                     const char         *prefix,
                                     FlowCalleeFlags     flags,
                                     GError            **error);
void       _flow_callee_free        (gpointer            data);
FlowTensor *_flow_unread            (int                 dtype);
char      *_flow_run_compose_frame  (FlowRun            *run,
                                     FlowIteration      *iteration,
                                     const char         *name);
void       _flow_call_free          (FlowCall           *call);
/* An op that is ready begins to call, or (rarely) is done at once: then *@done is set and run->outputs are. */
gboolean   _flow_run_begin_call     (FlowRun            *run,
                                     FlowIteration      *iteration,
                                     const FlowPlanItem *item,
                                     gboolean           *done,
                                     GError            **error);
/* Goes on in what was called, if anything was. @result says what happened; FALSE: nothing, pick another op. */
gboolean   _flow_run_step_calls     (FlowRun            *run,
                                     FlowStepResult     *result,
                                     GError            **error);
/* The op's call is over and gave nothing. */
void       _flow_run_abandon_call   (FlowRun            *run,
                                     FlowIteration      *iteration,
                                     guint32             local);
/* The body that the op is in the midst of; NULL: it is in none. */
FlowRun   *_flow_run_get_called     (FlowRun            *run,
                                     FlowIteration      *iteration,
                                     guint32             local);
/* What that would be. */
gboolean   _flow_run_look_at_calls  (FlowRun            *run,
                                     FlowRunNext        *next);
/* Makes the call of @body the one to go on. */
gboolean   _flow_run_prefer_call    (FlowRun            *run,
                                     FlowRun            *body);
void       _flow_run_describe       (FlowRun            *run,
                                     FlowIteration      *iteration,
                                     const FlowPlanItem *item,
                                     gboolean            dead,
                                     FlowCallPhase       phase,
                                     FlowRunNext        *next);
/* A node's name where it was defined: in its function, or in the graph. */
const char *_flow_run_local_name    (FlowRun            *run,
                                     guint32             node);
/* Whether TensorFlow would have made Switch, Merge and the body's own ops of it. */
gboolean   _flow_run_is_lowered     (FlowRun            *run,
                                     const FlowPlanItem *item);
/* Whether what is dead among an op's inputs is only so for what reads it in the function it calls. */
gboolean   _flow_run_passes_dead    (FlowRun            *run,
                                     const FlowPlanItem *item);
/* By what a node keeps its state in the session. */
char      *_flow_run_state_name     (FlowRun            *run,
                                     guint32             node);
/* TF's words around an error of an op's: the node that it is of. */
void       _flow_run_explain_error  (FlowRun            *run,
                                     FlowIteration      *iteration,
                                     const FlowPlanItem *item,
                                     GError            **error);
FlowCallee *_flow_run_find_callee   (FlowRun            *run,
                                     const FlowPlanItem *item,
                                     const FlowKernelTurn *turn,
                                     gboolean            is_on_devices,
                                     GError            **error);
void       _flow_run_foreach_body   (FlowRun            *run,
                                     void              (*func) (FlowRun *body, gpointer data),
                                     gpointer            data);
void       _flow_run_note_last      (FlowRun            *run,
                                     FlowIteration      *iteration,
                                     const FlowPlanItem *item,
                                     gboolean            dead,
                                     gint64              ns,
                                     FlowCallPhase       phase);
void       _flow_run_complete       (FlowRun            *run,
                                     FlowIteration      *iteration,
                                     const FlowPlanItem *item,
                                     gboolean            dead);
/* A run that still needs its feeds; @plan may be NULL: nothing to execute. */
FlowRun   *_flow_run_alloc          (FlowSession        *session,
                                     FlowPlan           *plan,
                                     FlowGraph          *graph,
                                     GPtrArray          *kernels);
/* A run of a function's body, not begun yet. With @takes_dead some of @args may be NULL. */
FlowRun   *_flow_run_new_call       (FlowRun            *caller,
                                     FlowCallee         *callee,
                                     FlowTensor *const  *args,
                                     guint               n_args,
                                     gboolean            takes_dead,
                                     gboolean            is_transient,
                                     GError            **error);
/* Of a run of a body that is finished: what the function returns, new references; NULL for what is dead in a run that
 * takes what is dead. */
gboolean   _flow_run_get_returned   (FlowRun            *run,
                                     FlowTensor        **returned,
                                     GError            **error);
gboolean   _flow_run_call_function  (gpointer            data,
                                     const char         *name,
                                     FlowAttrList       *attrs,
                                     FlowCallPlace       place,
                                     FlowTensor *const  *inputs,
                                     guint               n_inputs,
                                     FlowTensor        **outputs,
                                     guint               n_outputs,
                                     GError            **error);
FlowFrame *_flow_frame_new          (FlowRun            *run,
                                     FlowFrame          *parent,
                                     FlowIteration      *parent_iteration,
                                     guint32             index);
void       _flow_frame_free         (FlowFrame          *frame);
/* What a frame, and one iteration of it, takes beside the values. */
gsize      _flow_frame_bytes        (const FlowPlanFrame *frame);
gsize      _flow_iteration_bytes    (const FlowPlanFrame *frame);
void       _flow_run_start          (FlowRun            *run);
/* After an op: hands its outputs on and clears what is done. Takes the outputs' references. */
void       _flow_run_propagate      (FlowRun            *run,
                                     FlowIteration      *iteration,
                                     const FlowPlanItem *item,
                                     gboolean            dead,
                                     FlowValue          *outputs);
/* The chosen op, or that of the default order. */
gboolean   _flow_run_pick_next      (FlowRun            *run,
                                     FlowIteration     **iteration,
                                     guint32            *local);
void       _flow_run_clear_last     (FlowRun            *run);
/* Which of several ops that fail TensorFlow would have named. */
void       _flow_run_find_failure   (FlowRun            *run,
                                     const FlowPlanItem *failed,
                                     GError            **error);
gboolean   _flow_run_pick           (FlowRun            *run,
                                     FlowIteration     **iteration,
                                     guint32            *local);
gboolean   _flow_run_is_overridden  (FlowRun            *run,
                                     const FlowPlanItem *item);
gboolean   _flow_run_execute        (FlowRun            *run,
                                     FlowIteration      *iteration,
                                     const FlowPlanItem *item,
                                     FlowKernelTurn     *turn,
                                     gboolean           *waits,
                                     GError            **error);
void       _flow_run_unmark_ready   (FlowRun            *run,
                                     FlowIteration      *iteration,
                                     guint32             local);
void       _flow_run_foreach_iteration (FlowFrame       *frame,
                                     void              (*func) (FlowIteration *iteration, gpointer data),
                                     gpointer            data);

static inline gboolean
_flow_iteration_is_ready (FlowIteration *iteration,
                          guint32        local)
{
  return (iteration->ready[local / 64] >> (local % 64) & 1) != 0;
}

static inline guint64
_flow_override_key (guint32 node,
                    gint32  slot)
{
  return (guint64) node << 32 | (guint32) slot;
}

G_END_DECLS
