/* flow-elements-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elements that are kept under a key and may come in parts: what barriers and staging areas hold.
 */

#pragma once

#include "flow-queue-private.h"

G_BEGIN_DECLS

/* In the tuple of one that is not whole NULL stands for what is not there yet. */
typedef struct {
  char *name;                  /* nullable: the key where that is a text */
  gint64 key;                  /* the key where it is a number, else what the elements are ordered by */
  gint64 bytes;                /* of its tensors, where somebody counts them */
  FlowTuple *tuple;
} FlowElement;

typedef struct {
  GArray *whole;               /* of FlowElement */
  GArray *parts;               /* of FlowElement: those not whole yet */
} FlowElements;

void     _flow_elements_init    (FlowElements        *self);
void     _flow_elements_clear   (FlowElements        *self);
/* @self becomes as @other is; the elements' tensors are shared. */
void     _flow_elements_copy    (FlowElements        *self,
                                 const FlowElements  *other);
/* What the lists take in memory beside the tensors. */
gsize    _flow_elements_weigh   (const FlowElements  *self);
void     _flow_elements_visit   (const FlowElements  *self,
                                 FlowResourceVisitor  visitor,
                                 gpointer             data);
gboolean _flow_tuple_is_whole   (const FlowTuple     *tuple);

G_END_DECLS
