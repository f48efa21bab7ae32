/* flow-queue-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

typedef enum {
  FLOW_QUEUE_FIFO,
  FLOW_QUEUE_RANDOM,
  FLOW_QUEUE_PADDING,
  FLOW_QUEUE_PRIORITY,
} FlowQueueKind;

/* One element: a tensor per component, shared by the queue and its saved states. */
typedef struct {
  gatomicrefcount ref_count;
  FlowBudget *budget;          /* nullable: what it and its tensors' own structures are counted against */
  GError *failure;             /* nullable: what is told where the element is wanted; it has no tensors then */
  guint n;
  FlowTensor *tensors[];
} FlowTuple;

typedef struct {
  FlowResource parent;
  FlowQueueKind kind;
  guint n_components;
  int *dtypes;
  FlowShape **shapes;          /* nullable: not specified */
  gint64 capacity;
  gint64 min_after_dequeue;
  gint64 given_seeds[2];       /* as asked for: both 0 for any */
  guint64 seeds[2];
  /* From here on: the state. */
  GPtrArray *tuples;           /* of FlowTuple, [head, len) of it */
  guint head;
  gboolean closed;
  gboolean cancelled;          /* closed so that waiting enqueues fail */
  guint64 n_draws;             /* how often the random kind has drawn */
  /* No state, only known while ops wait: who waits to enqueue, and what a waiting dequeue of more
   * elements than the capacity asks for. */
  GHashTable *enqueuers;
  gint64 appetite;
} FlowQueue;

extern const FlowResourceClass _flow_queue_class;

FlowTuple  *_flow_tuple_new          (guint             n);
/* Asks @budget for what an element costs beside the numbers in it: many small ones are large together. */
FlowTuple  *_flow_tuple_new_counted  (guint             n,
                                      FlowBudget       *budget,
                                      GError          **error);
FlowTuple  *_flow_tuple_ref          (FlowTuple        *self);
void        _flow_tuple_unref        (gpointer          tuple);

FlowQueue  *_flow_queue_new          (const char       *container,
                                      const char       *name,
                                      FlowQueueKind     kind,
                                      guint             n_components,
                                      const int        *dtypes,
                                      FlowShape *const *shapes);
const char *_flow_queue_kind_name    (FlowQueueKind     kind);
/* "float, int32" */
char       *_flow_queue_types_text   (const int        *dtypes,
                                      guint             n);
/* "[[2,3], []]"; nothing between the brackets where no shapes are known. */
char       *_flow_queue_shapes_text  (FlowShape *const *shapes,
                                      guint             n);
/* TF: the padding kind is a FIFO queue in all but batches, and calls itself so. */
const char *_flow_queue_plain_name   (FlowQueue        *self);
/* How many of @wanted elements can be had now: -1 to wait, or fails where no more will come. */
gboolean    _flow_queue_count_available (FlowQueue     *self,
                                      gint64            wanted,
                                      gboolean          up_to,
                                      const char       *kind,
                                      gint64           *n,
                                      GError          **error);
gint64      _flow_queue_get_size     (FlowQueue        *self);
/* Takes @tuple; the caller has seen to the capacity. */
void        _flow_queue_put          (FlowQueue        *self,
                                      FlowTuple        *tuple);
/* The element that is next by the rule of its kind; the queue must not be empty. */
FlowTuple  *_flow_queue_take         (FlowQueue        *self);

G_END_DECLS
