/* flow-kernels-training_resource_sparse.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-training-private.h"

/* Training ops on the rows of resource variables that a sparse gradient names. */

#define COMPUTE(rule)                                                                         \
  static gboolean                                                                             \
  rule##_compute (FlowKernelContext *c, GError **error)                                       \
  {                                                                                           \
    return flow_training_apply (c, &flow_rule_##rule, error);                                 \
  }

COMPUTE (adadelta)
COMPUTE (adagrad)
COMPUTE (adagrad_da)
COMPUTE (adagrad_v2)
COMPUTE (centered_rms_prop)
COMPUTE (ftrl)
COMPUTE (ftrl_v2)
COMPUTE (keras_momentum)
COMPUTE (momentum)
COMPUTE (proximal_adagrad)
COMPUTE (proximal_gradient_descent)
COMPUTE (rms_prop)

#define KERNELS(name, dtypes, rule)                                                           \
  static const FlowKernelDef name[] = { { dtypes, rule##_compute }, { NULL } };

KERNELS (adadelta_kernels, "T: bfloat16 double float half; Tindices: int32 int64", adadelta)
KERNELS (adagrad_kernels, "T: bfloat16 double float half; Tindices: int32 int64", adagrad)
KERNELS (adagrad_da_kernels, "T: double float; Tindices: int32 int64", adagrad_da)
KERNELS (adagrad_v2_kernels, "T: bfloat16 double float half; Tindices: int32 int64", adagrad_v2)
KERNELS (centered_rms_prop_kernels, "T: double float half; Tindices: int32 int64", centered_rms_prop)
KERNELS (ftrl_kernels, "T: bfloat16 double float half; Tindices: int32 int64", ftrl)
KERNELS (ftrl_v2_kernels, "T: bfloat16 double float half; Tindices: int32 int64", ftrl_v2)
KERNELS (keras_momentum_kernels, "T: bfloat16 double float half; Tindices: int32 int64", keras_momentum)
KERNELS (momentum_kernels, "T: bfloat16 double float half; Tindices: int32 int64", momentum)
KERNELS (proximal_adagrad_kernels, "T: double float; Tindices: int32 int64", proximal_adagrad)
KERNELS (proximal_gradient_descent_kernels, "T: double float; Tindices: int32 int64", proximal_gradient_descent)
KERNELS (rms_prop_kernels, "T: double float half; Tindices: int32 int64", rms_prop)

#define T_ATTR "T: " FLOW_NUMBER_TYPES "; "
#define INDICES_ATTR "Tindices: {int32, int64}; "
#define LOCKING_ATTR "use_locking: bool = false"

static const FlowOpDef ops[] = {
  {
    .name = "ResourceSparseApplyAdadelta",
    .inputs = "var: resource; accum: resource; accum_update: resource; lr: T; rho: T; "
              "epsilon: T; grad: T; indices: Tindices",
    .outputs = "",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR,
    .summary = "Adadelta: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = adadelta_kernels,
  },
  {
    .name = "ResourceSparseApplyAdagrad",
    .inputs = "var: resource; accum: resource; lr: T; grad: T; indices: Tindices",
    .outputs = "",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR "; update_slots: bool = true",
    .summary = "Adagrad: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = adagrad_kernels,
  },
  {
    .name = "ResourceSparseApplyAdagradDA",
    .inputs = "var: resource; gradient_accumulator: resource; "
              "gradient_squared_accumulator: resource; grad: T; indices: Tindices; lr: T; "
              "l1: T; l2: T; global_step: int64",
    .outputs = "",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR,
    .summary = "Adagrad dual averaging: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = adagrad_da_kernels,
  },
  {
    .name = "ResourceSparseApplyAdagradV2",
    .inputs = "var: resource; accum: resource; lr: T; epsilon: T; grad: T; "
              "indices: Tindices",
    .outputs = "",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR "; update_slots: bool = true",
    .summary = "Adagrad with an epsilon: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = adagrad_v2_kernels,
  },
  {
    .name = "ResourceSparseApplyCenteredRMSProp",
    .inputs = "var: resource; mg: resource; ms: resource; mom: resource; lr: T; rho: T; "
              "momentum: T; epsilon: T; grad: T; indices: Tindices",
    .outputs = "",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR,
    .summary = "Centred RMSProp: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = centered_rms_prop_kernels,
  },
  {
    .name = "ResourceSparseApplyFtrl",
    .inputs = "var: resource; accum: resource; linear: resource; grad: T; indices: Tindices; "
              "lr: T; l1: T; l2: T; lr_power: T",
    .outputs = "",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR,
    .summary = "FTRL-proximal: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = ftrl_kernels,
  },
  {
    .name = "ResourceSparseApplyFtrlV2",
    .inputs = "var: resource; accum: resource; linear: resource; grad: T; indices: Tindices; "
              "lr: T; l1: T; l2: T; l2_shrinkage: T; lr_power: T",
    .outputs = "",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR,
    .summary = "FTRL-proximal with L2 shrinkage: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = ftrl_v2_kernels,
  },
  {
    .name = "ResourceSparseApplyKerasMomentum",
    .inputs = "var: resource; accum: resource; lr: T; grad: T; indices: Tindices; "
              "momentum: T",
    .outputs = "",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR "; use_nesterov: bool = false",
    .summary = "Momentum, Keras's form: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = keras_momentum_kernels,
  },
  {
    .name = "ResourceSparseApplyMomentum",
    .inputs = "var: resource; accum: resource; lr: T; grad: T; indices: Tindices; "
              "momentum: T",
    .outputs = "",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR "; use_nesterov: bool = false",
    .summary = "Momentum: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = momentum_kernels,
  },
  {
    .name = "ResourceSparseApplyProximalAdagrad",
    .inputs = "var: resource; accum: resource; lr: T; l1: T; l2: T; grad: T; "
              "indices: Tindices",
    .outputs = "",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR,
    .summary = "Adagrad with L1 and L2: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = proximal_adagrad_kernels,
  },
  {
    .name = "ResourceSparseApplyProximalGradientDescent",
    .inputs = "var: resource; alpha: T; l1: T; l2: T; grad: T; indices: Tindices",
    .outputs = "",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR,
    .summary = "Gradient descent with L1 and L2: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = proximal_gradient_descent_kernels,
  },
  {
    .name = "ResourceSparseApplyRMSProp",
    .inputs = "var: resource; ms: resource; mom: resource; lr: T; rho: T; momentum: T; "
              "epsilon: T; grad: T; indices: Tindices",
    .outputs = "",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR,
    .summary = "RMSProp: updates the named rows of a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = rms_prop_kernels,
  },
};

FLOW_DEFINE_OP_FAMILY (training_resource_sparse, ops)
