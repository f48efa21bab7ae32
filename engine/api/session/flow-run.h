/* flow-run.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-session.h"

G_BEGIN_DECLS

#ifndef __GI_SCANNER__

/**
 * FlowRun: (skip)
 *
 * One execution of a plan, between two ops: never a blocked thread. Each step executes one node in
 * one iteration of one frame, or passes its deadness on. All calls belong on the kernel thread.
 */
typedef struct _FlowRun FlowRun;

typedef enum {
  FLOW_STEP_DONE,              /* one op executed; flow_run_get_last() tells */
  FLOW_STEP_WAITING,           /* every op that is left waits for something */
  FLOW_STEP_FINISHED,          /* nothing is left */
  FLOW_STEP_FAILED,            /* the op can be tried again: nothing of it happened */
} FlowStepResult;

/* An op that calls functions comes up more than once: when it calls, when it has what it needs to give its outputs, and
 * between the two where a body had nothing to execute. Between them come the ops of the bodies. */
typedef enum {
  FLOW_CALL_NONE,              /* any other op */
  FLOW_CALL_ENTER,
  FLOW_CALL_TURN,
  FLOW_CALL_RETURN,
} FlowCallPhase;

/* The op that a step executed; borrowed, valid until the next step. */
typedef struct {
  guint32 node;                /* in a function's body: with FLOW_NODE_BODY */
  FlowCallPhase phase;
  gboolean dead;
  const char *frame;           /* "" outside loops and functions */
  gint64 iteration;
  gint64 ns;                   /* 0 unless times are taken */
  guint n_outputs;
  const FlowValue *outputs;
} FlowRunStep;

/* The op that a step would execute. */
typedef struct {
  guint32 node;
  FlowCallPhase phase;
  gboolean dead;
  const char *frame;
  gint64 iteration;
} FlowRunNext;

/* What a value is now: of a reference the variable's, of one read from a reference variable what stands
 * in that buffer now, as a fetch in TensorFlow shows it. A new reference, NULL where there is none. */
FLOW_API FlowTensor    *flow_value_dup_current   (const FlowValue    *value);

/* Outputs of ops that must not be done twice: given back instead of computing. */
typedef gboolean (*FlowRunRecall) (FlowRun    *run,
                                   guint32     node,
                                   guint       n_outputs,
                                   FlowValue  *outputs,
                                   gpointer    data);

FLOW_API FlowRun       *flow_run_new             (FlowSession        *session,
                                                  FlowPlan           *plan,
                                                  FlowTensor *const  *feeds,
                                                  GError            **error);
FLOW_API FlowRun       *flow_run_ref             (FlowRun            *self);
FLOW_API void           flow_run_unref           (FlowRun            *self);
FLOW_API gboolean       flow_run_prepare_kernels (FlowRun            *self,
                                                  GError            **error);
FLOW_API FlowPlan      *flow_run_get_plan        (FlowRun            *self);
FLOW_API FlowSession   *flow_run_get_session     (FlowRun            *self);
FLOW_API void           flow_run_set_cancellable (FlowRun            *self,
                                                  GCancellable       *cancellable);
FLOW_API void           flow_run_set_timing      (FlowRun            *self,
                                                  gboolean            timing);
FLOW_API void           flow_run_set_recall      (FlowRun            *self,
                                                  FlowRunRecall       func,
                                                  gpointer            data);
FLOW_API void           flow_run_set_recall_all  (FlowRun            *self,
                                                  gboolean            all);
FLOW_API FlowStepResult flow_run_step            (FlowRun            *self,
                                                  GError            **error);
FLOW_API gboolean       flow_run_drop_failed     (FlowRun            *self);
FLOW_API const FlowRunStep *flow_run_get_last    (FlowRun            *self);
FLOW_API gboolean       flow_run_is_finished     (FlowRun            *self);
FLOW_API void           flow_run_end             (FlowRun            *self);
FLOW_API gboolean       flow_run_cancel          (FlowRun            *self,
                                                  GError            **error);
FLOW_API void           flow_run_forget_waits    (FlowRun            *self);

/* Where it stands. */
FLOW_API gboolean       flow_run_look            (FlowRun            *self,
                                                  FlowRunNext        *next);
FLOW_API gboolean       flow_run_peek_next       (FlowRun            *self,
                                                  guint32            *node,
                                                  const char        **frame,
                                                  gint64             *iteration,
                                                  gboolean           *dead);
FLOW_API guint          flow_run_list_ready      (FlowRun            *self,
                                                  GArray             *nodes);
FLOW_API gboolean       flow_run_choose_next     (FlowRun            *self,
                                                  guint32             node);
FLOW_API const char    *flow_run_get_wait_text   (FlowRun            *self);
FLOW_API guint          flow_run_list_waiting    (FlowRun            *self,
                                                  GArray             *nodes);
FLOW_API void           flow_run_foreach_live    (FlowRun            *self,
                                                  void              (*func) (guint32 node, gint32 slot,
                                                                             FlowTensor *tensor, gpointer data),
                                                  gpointer            data);

/* The values wanted; INVALID_ARGUMENT "Retval[i] does not have value" for a dead one. */
FLOW_API gboolean       flow_run_get_fetches     (FlowRun            *self,
                                                  FlowTensor        **fetched,
                                                  GError            **error);
/* From now on this output (also of a loop's op, also a fed one) has this value; NULL: its own. */
FLOW_API gboolean       flow_run_override        (FlowRun            *self,
                                                  guint32             node,
                                                  gint32              slot,
                                                  FlowTensor         *tensor,
                                                  GError            **error);
FLOW_API FlowTensor    *flow_run_get_override    (FlowRun            *self,
                                                  guint32             node,
                                                  gint32              slot);
FLOW_API FlowTensor    *flow_run_get_feed        (FlowRun            *self,
                                                  guint32             node,
                                                  gint32              slot);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowRun, flow_run_unref)

#endif

G_END_DECLS
