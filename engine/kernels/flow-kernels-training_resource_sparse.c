/* flow-kernels-training_resource_sparse.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-training-private.h"

/* Training ops on the rows of resource variables that a sparse gradient names. */

static const FlowOpDef ops[] = {
  {
    .name = "ResourceSparseApplyAdadelta",
    .inputs = "var: resource; accum: resource; accum_update: resource; lr: T; rho: T; "
              "epsilon: T; grad: T; indices: Tindices",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Adadelta: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_adadelta,
  },
  {
    .name = "ResourceSparseApplyAdagrad",
    .inputs = "var: resource; accum: resource; lr: T; grad: T; indices: Tindices",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR "; update_slots: bool = true",
    .summary = "Adagrad: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_adagrad,
  },
  {
    .name = "ResourceSparseApplyAdagradDA",
    .inputs = "var: resource; gradient_accumulator: resource; "
              "gradient_squared_accumulator: resource; grad: T; indices: Tindices; lr: T; "
              "l1: T; l2: T; global_step: int64",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Adagrad dual averaging: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_adagrad_da,
  },
  {
    .name = "ResourceSparseApplyAdagradV2",
    .inputs = "var: resource; accum: resource; lr: T; epsilon: T; grad: T; "
              "indices: Tindices",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR "; update_slots: bool = true",
    .summary = "Adagrad with an epsilon: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_adagrad_v2,
  },
  {
    .name = "ResourceSparseApplyCenteredRMSProp",
    .inputs = "var: resource; mg: resource; ms: resource; mom: resource; lr: T; rho: T; "
              "momentum: T; epsilon: T; grad: T; indices: Tindices",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Centred RMSProp: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_centered_rms_prop,
  },
  {
    .name = "ResourceSparseApplyFtrl",
    .inputs = "var: resource; accum: resource; linear: resource; grad: T; indices: Tindices; "
              "lr: T; l1: T; l2: T; lr_power: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "FTRL-proximal: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_ftrl,
  },
  {
    .name = "ResourceSparseApplyFtrlV2",
    .inputs = "var: resource; accum: resource; linear: resource; grad: T; indices: Tindices; "
              "lr: T; l1: T; l2: T; l2_shrinkage: T; lr_power: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "FTRL-proximal with L2 shrinkage: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_ftrl_v2,
  },
  {
    .name = "ResourceSparseApplyKerasMomentum",
    .inputs = "var: resource; accum: resource; lr: T; grad: T; indices: Tindices; "
              "momentum: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR "; use_nesterov: bool = false",
    .summary = "Momentum, Keras's form: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_keras_momentum,
  },
  {
    .name = "ResourceSparseApplyMomentum",
    .inputs = "var: resource; accum: resource; lr: T; grad: T; indices: Tindices; "
              "momentum: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR "; use_nesterov: bool = false",
    .summary = "Momentum: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_momentum,
  },
  {
    .name = "ResourceSparseApplyProximalAdagrad",
    .inputs = "var: resource; accum: resource; lr: T; l1: T; l2: T; grad: T; "
              "indices: Tindices",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Adagrad with L1 and L2: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_proximal_adagrad,
  },
  {
    .name = "ResourceSparseApplyProximalGradientDescent",
    .inputs = "var: resource; alpha: T; l1: T; l2: T; grad: T; indices: Tindices",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Gradient descent with L1 and L2: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_proximal_gradient_descent,
  },
  {
    .name = "ResourceSparseApplyRMSProp",
    .inputs = "var: resource; ms: resource; mom: resource; lr: T; rho: T; momentum: T; "
              "epsilon: T; grad: T; indices: Tindices",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "RMSProp: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_rms_prop,
  },
};

FLOW_DEFINE_OP_FAMILY (training_resource_sparse, ops)
