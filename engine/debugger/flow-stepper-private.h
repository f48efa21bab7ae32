/* flow-stepper-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-breakpoints-private.h"

G_BEGIN_DECLS

/* The session as it was when a run began: where recomputing can start. */
typedef struct {
  guint64 position;
  guint64 run;
  FlowSessionSnapshot *state;
} Snapshot;

/* A variable that a person set, to be set again when its position is passed. */
typedef struct {
  guint64 position;
  char *name;
  FlowTensor *value;
} Edit;

/* A run that began because a person asked for it, not because it was next. */
typedef struct {
  guint64 position;
  guint entry;
} Jump;

typedef struct {
  guint64 position;
  guint32 node;
} Write;

/* What is known of a stretch that is gone over again. */
typedef struct _FlowHeldEvents FlowHeldEvents;

struct _FlowStepper
{
  FlowSession *session;
  FlowRunList *list;
  FlowUndo *undo;
  GArray *events;              /* of FlowEvent */
  guint64 position;
  guint64 exact_from;
  GArray *snapshots;           /* of Snapshot, by position */
  GArray *edits;               /* of Edit */
  GArray *jumps;               /* of Jump */
  GHashTable *by_node;         /* node -> GArray of positions before @n_indexed */
  guint64 n_indexed;
  GHashTable *writes;          /* variable -> GArray of Write */
  GHashTable *outside;         /* position -> FlowEvent of an op whose effect is not repeated */
  GHashTable *buffers;         /* tensor data -> how many outputs lie there */
  guint64 output_bytes;
  guint64 limit;
  gboolean recording;
  GHashTable *policies;        /* scope -> FlowKeepPolicy; absent: all */
  GArray *node_policies;       /* guint8 per node: policy + 1, 0 until asked for */
  GPtrArray *breakpoints;      /* of FlowBreakpoint */
  FlowStepperPoll poll;
  gpointer poll_data;
  FlowHeldEvents *held;        /* nullable */
  GHashTable *ahead;           /* variable -> FlowTensor at @ahead_position, the end of what is known; nullable */
  guint64 ahead_position;
};

/* flow-stepper-look.c */
void      _flow_stepper_unindex     (FlowStepper     *self,
                                     guint64          position);
void      _flow_stepper_note_ahead  (FlowStepper     *self);

void      _flow_stepper_hold        (FlowStepper     *self,
                                     guint64          first,
                                     guint64          last,
                                     GHashTable      *affected);
guint     _flow_stepper_let_go      (FlowStepper     *self);
gboolean  _flow_stepper_recall_held (FlowStepper     *self,
                                     guint32          node,
                                     guint            n_outputs,
                                     FlowValue       *outputs);
void      _flow_stepper_check_held  (FlowStepper     *self,
                                     const FlowEvent *event);

G_END_DECLS
