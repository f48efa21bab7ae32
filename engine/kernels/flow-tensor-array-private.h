/* flow-tensor-array-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/* One place of a tensor array. A place that was marked as written but holds no tensor stands for
 * zeros of its shape: how the array of gradients begins. */
typedef struct {
  FlowTensor *tensor;          /* nullable */
  FlowShape *shape;            /* nullable: never written */
  gboolean written;
  gboolean read;
  gboolean cleared;
} FlowTensorArrayCell;

typedef struct {
  FlowResource parent;
  FlowDType dtype;
  gboolean clear_after_read;
  gboolean identical_shapes;
  gboolean aggregates;         /* a second write adds */
  gboolean is_grad;
  /* From here on: the state. */
  FlowShape *element_shape;
  gboolean dynamic_size;
  gboolean closed;
  gboolean gradients_disallowed;
  gint64 marked_size;
  GArray *cells;               /* of FlowTensorArrayCell */
} FlowTensorArray;

extern const FlowResourceClass _flow_tensor_array_class;

FlowTensorArray *_flow_tensor_array_new       (const char       *container,
                                               const char       *name,
                                               FlowDType         dtype,
                                               const FlowShape  *element_shape,
                                               gint64            size,
                                               GError          **error);
/* All of these have told nobody that they write: the caller tells the host. */
gboolean         _flow_tensor_array_check_write (FlowTensorArray *self,
                                               gint64            index,
                                               const FlowTensor *value,
                                               GError          **error);
gboolean         _flow_tensor_array_write     (FlowTensorArray  *self,
                                               gint64            index,
                                               FlowTensor       *value,
                                               FlowBudget       *budget,
                                               GError          **error);
FlowTensor      *_flow_tensor_array_read      (FlowTensorArray  *self,
                                               gint64            index,
                                               FlowBudget       *budget,
                                               GError          **error);
gboolean         _flow_tensor_array_check_open (FlowTensorArray *self,
                                               GError          **error);
gboolean         _flow_tensor_array_merge_shape (FlowTensorArray *self,
                                               const FlowShape  *shape,
                                               GError          **error);
void             _flow_tensor_array_close     (FlowTensorArray  *self);

G_END_DECLS
