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

typedef struct {
  FlowIteration *iteration;
  guint32 local;
  FlowResource *resource;
  guint64 version;
  char *text;
} FlowParked;

/* A function's body, compiled: made once for each way in which it is called. */
typedef struct {
  FlowFunctionBody *body;
  FlowPlan *plan;              /* nullable: nothing to execute */
  GPtrArray *kernels;
  guint32 *arg_of_feed;        /* the plan's feed -> argument */
  gint32 *fetch_of_ret;        /* return value -> the plan's fetch, -1 where it is an argument itself */
} FlowCallee;

struct _FlowRun
{
  gatomicrefcount ref_count;
  FlowSession *session;
  GPtrArray *kernels;          /* borrowed: of the graph's nodes */
  FlowRun *caller;             /* borrowed: of a function's body, the run that called it */
  FlowCallee *callee;          /* borrowed: what a caller called */
  guint depth;                 /* how many calls lead here */
  gboolean is_transient;       /* over when its caller's op is: nothing of its own can be stepped back into */
  FlowPlan *plan;
  FlowGraph *graph;            /* borrowed from the plan */
  GCancellable *cancellable;
  char *step_container;
  FlowTensor **feeds;
  guint n_feeds;
  FlowTensor **args;           /* of a function's body, beside feeds: in the function's order */
  FlowValue *fetched;
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
  FlowRunRecall recall;
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
                                     GError            **error);
void       _flow_callee_free        (gpointer            data);
/* A run that still needs its feeds; @plan may be NULL: nothing to execute. */
FlowRun   *_flow_run_alloc          (FlowSession        *session,
                                     FlowPlan           *plan,
                                     FlowGraph          *graph,
                                     GPtrArray          *kernels);
/* A run of a function's body. */
FlowRun   *_flow_run_new_call       (FlowRun            *caller,
                                     FlowCallee         *callee,
                                     FlowTensor *const  *args,
                                     guint               n_args,
                                     gboolean            is_transient,
                                     GError            **error);
/* Of a run of a body that is finished: what the function returns, new references. */
gboolean   _flow_run_get_returned   (FlowRun            *run,
                                     FlowTensor        **returned,
                                     GError            **error);
gboolean   _flow_run_call_function  (gpointer            data,
                                     const char         *name,
                                     FlowAttrList       *attrs,
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
void       _flow_run_start          (FlowRun            *run);
/* After an op: hands its outputs on and clears what is done. Takes the outputs' references. */
void       _flow_run_propagate      (FlowRun            *run,
                                     FlowIteration      *iteration,
                                     const FlowPlanItem *item,
                                     gboolean            dead,
                                     FlowValue          *outputs);
gboolean   _flow_run_pick           (FlowRun            *run,
                                     FlowIteration     **iteration,
                                     guint32            *local);
gboolean   _flow_run_execute        (FlowRun            *run,
                                     FlowIteration      *iteration,
                                     const FlowPlanItem *item,
                                     gboolean           *waits,
                                     GError            **error);
void       _flow_run_unmark_ready   (FlowRun            *run,
                                     FlowIteration      *iteration,
                                     guint32             local);
void       _flow_run_foreach_iteration (FlowFrame       *frame,
                                     void              (*func) (FlowIteration *iteration, gpointer data),
                                     gpointer            data);

static inline guint64
_flow_override_key (guint32 node,
                    gint32  slot)
{
  return (guint64) node << 32 | (guint32) slot;
}

G_END_DECLS
