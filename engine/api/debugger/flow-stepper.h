/* flow-stepper.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-debugger.h"
#include "flow-run-list.h"
#include "flow-tensor-stats.h"

G_BEGIN_DECLS

#ifndef __GI_SCANNER__

/**
 * FlowStepper: (skip)
 *
 * A list of runs with its history: one op forwards, one op backwards, to any position. All calls
 * belong on the kernel thread; the debugger is the asynchronous side of it.
 *
 * A position is the number of ops executed so far, over all runs of the session. Event K is the op
 * that leads from position K to K + 1.
 */
typedef struct _FlowStepper FlowStepper;

typedef struct {
  guint32 node;                /* in a function's body: with FLOW_NODE_BODY */
  guint32 run;                 /* number of the run in the list */
  guint32 iteration;
  guint32 dead : 1;
  guint32 is_exact : 1;        /* can be undone from the log */
  guint32 phase : 2;           /* FlowCallPhase */
  guint32 us : 28;             /* how long it took, in microseconds */
  const char *frame;           /* the session's */
  guint64 mark;                /* in the undo log, before it */
  guint32 n_outputs;
  guint64 bytes;               /* of its outputs */
  FlowTensor **outputs;        /* NULL: dropped; an entry is NULL when dead or uninitialised */
  FlowTensorStats **stats;     /* of outputs that were dropped by FLOW_KEEP_STATS; nullable */
} FlowEvent;

/* What the history keeps of what ops made. */
typedef enum {
  FLOW_KEEP_ALL,
  FLOW_KEEP_STATS,
  FLOW_KEEP_NONE,
} FlowKeepPolicy;

typedef enum {
  FLOW_VALUE_NOT_COMPUTED,
  FLOW_VALUE_PRESENT,
  FLOW_VALUE_DEAD,
  FLOW_VALUE_DROPPED,
  FLOW_VALUE_UNINITIALIZED,
} FlowValueState;

/* Asked at moments when the world is consistent; TRUE ends what is going on. */
typedef gboolean (*FlowStepperPoll) (gpointer data);

FLOW_API FlowStepper  *flow_stepper_new           (FlowSession        *session,
                                                   const FlowRunFile  *file);
FLOW_API void          flow_stepper_free          (FlowStepper        *self);
FLOW_API FlowRunList  *flow_stepper_get_list      (FlowStepper        *self);
FLOW_API FlowSession  *flow_stepper_get_session   (FlowStepper        *self);
FLOW_API void          flow_stepper_set_poll      (FlowStepper        *self,
                                                   FlowStepperPoll     poll,
                                                   gpointer            data);
FLOW_API void          flow_stepper_set_limit     (FlowStepper        *self,
                                                   guint64             bytes);
FLOW_API guint64       flow_stepper_get_limit     (FlowStepper        *self);
FLOW_API guint64       flow_stepper_get_bytes     (FlowStepper        *self);
FLOW_API void          flow_stepper_set_policy    (FlowStepper        *self,
                                                   const char         *scope,
                                                   FlowKeepPolicy      policy);
FLOW_API FlowKeepPolicy flow_stepper_get_policy   (FlowStepper        *self,
                                                   guint32             node);
/* Statistics of a value at hand, counted once for each event; (transfer full). */
FLOW_API FlowTensorStats *flow_stepper_dup_stats (FlowStepper         *self,
                                                   guint32             node,
                                                   gint32              slot,
                                                   const FlowTensor   *value);
/* What is left of a value that was dropped; (transfer none) (nullable). */
FLOW_API FlowTensorStats *flow_stepper_get_kept_stats (FlowStepper    *self,
                                                   guint32             node,
                                                   gint32              slot,
                                                   guint64             position);

FLOW_API FlowStepResult flow_stepper_start        (FlowStepper        *self,
                                                   GError            **error);
FLOW_API FlowStepResult flow_stepper_step         (FlowStepper        *self,
                                                   GError            **error);
/* Without history: events are counted, not kept. */
FLOW_API void          flow_stepper_set_recording (FlowStepper        *self,
                                                   gboolean            recording);
FLOW_API gboolean      flow_stepper_back          (FlowStepper        *self,
                                                   GError            **error);
FLOW_API gboolean      flow_stepper_goto          (FlowStepper        *self,
                                                   guint64             position,
                                                   GError            **error);
FLOW_API FlowStepResult flow_stepper_begin_entry  (FlowStepper        *self,
                                                   guint               entry,
                                                   GError            **error);
FLOW_API gboolean      flow_stepper_begin_again   (FlowStepper        *self,
                                                   GError            **error);
FLOW_API gboolean      flow_stepper_set_variable  (FlowStepper        *self,
                                                   const char         *name,
                                                   FlowTensor         *value,
                                                   GError            **error);
FLOW_API void          flow_stepper_fork          (FlowStepper        *self);

FLOW_API guint64       flow_stepper_get_position  (FlowStepper        *self);
FLOW_API guint64       flow_stepper_get_n_events  (FlowStepper        *self);
FLOW_API guint64       flow_stepper_get_exact_from (FlowStepper       *self);
FLOW_API const FlowEvent *flow_stepper_get_event  (FlowStepper        *self,
                                                   guint64             k);
FLOW_API guint64       flow_stepper_find_run_start (FlowStepper       *self,
                                                   guint               entry,
                                                   guint64             i);

/* What a tensor was at a position, in the run that stood there. A new reference. */
FLOW_API FlowTensor   *flow_stepper_dup_value     (FlowStepper        *self,
                                                   guint32             node,
                                                   gint32              slot,
                                                   guint64             position,
                                                   FlowValueState     *state);
FLOW_API guint64       flow_stepper_find_event    (FlowStepper        *self,
                                                   guint32             node,
                                                   guint64             before);
FLOW_API const GArray *flow_stepper_list_events_of (FlowStepper       *self,
                                                   guint32             node);
FLOW_API guint         flow_stepper_run_at        (FlowStepper        *self,
                                                   guint64             position);
/* The op that wrote a variable last, before @position; FLOW_NODE_NONE. */
FLOW_API guint32       flow_stepper_find_writer   (FlowStepper        *self,
                                                   const char         *variable,
                                                   guint64             before,
                                                   guint64            *position);
FLOW_API gboolean      flow_stepper_event_writes  (FlowStepper        *self,
                                                   guint64             k,
                                                   const char         *variable);
FLOW_API FlowTensor   *flow_stepper_dup_variable_at_run_start (FlowStepper *self,
                                                   const char         *name);
#ifndef __GI_SCANNER__
FLOW_API void          flow_stepper_list_variable_values (FlowStepper *self,
                                                    const char         *name,
                                                    guint               max_runs,
                                                    GArray             *positions,
                                                    GPtrArray          *tensors);
#endif

/* Breakpoints for who drives the stepper itself; the text of one that stops here, after the last op or
 * before the next. */
FLOW_API gboolean      flow_stepper_add_breakpoint (FlowStepper       *self,
                                                   const char         *text,
                                                   GError            **error);
FLOW_API const char   *flow_stepper_check_breakpoints (FlowStepper    *self);
/* 64 bits that differ when any bit of what the session keeps differs. */
FLOW_API guint64       flow_stepper_hash_state    (FlowStepper        *self);
FLOW_API guint64       flow_stepper_hash_outputs  (FlowStepper        *self,
                                                   guint64             k);
FLOW_API gsize         flow_stepper_get_state_bytes (FlowStepper      *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowStepper, flow_stepper_free)

#endif

G_END_DECLS
