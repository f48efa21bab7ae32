/* flow-kernels-training_sparse.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-training-private.h"

/* Training ops on the rows of reference variables that a sparse gradient names. */

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
KERNELS (momentum_kernels, "T: bfloat16 double float half; Tindices: int32 int64", momentum)
KERNELS (proximal_adagrad_kernels, "T: double float; Tindices: int32 int64", proximal_adagrad)
KERNELS (proximal_gradient_descent_kernels, "T: double float; Tindices: int32 int64", proximal_gradient_descent)
KERNELS (rms_prop_kernels, "T: double float half; Tindices: int32 int64", rms_prop)

#define T_ATTR "T: " FLOW_NUMBER_TYPES "; "
#define INDICES_ATTR "Tindices: {int32, int64}; "
#define LOCKING_ATTR "use_locking: bool = false"

static const FlowOpDef ops[] = {
  {
    .name = "SparseApplyAdadelta",
    .inputs = "var: Ref(T); accum: Ref(T); accum_update: Ref(T); lr: T; rho: T; epsilon: T; "
              "grad: T; indices: Tindices",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR,
    .summary = "Adadelta: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = adadelta_kernels,
  },
  {
    .name = "SparseApplyAdagrad",
    .inputs = "var: Ref(T); accum: Ref(T); lr: T; grad: T; indices: Tindices",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR "; update_slots: bool = true",
    .summary = "Adagrad: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = adagrad_kernels,
  },
  {
    .name = "SparseApplyAdagradDA",
    .inputs = "var: Ref(T); gradient_accumulator: Ref(T); "
              "gradient_squared_accumulator: Ref(T); grad: T; indices: Tindices; lr: T; "
              "l1: T; l2: T; global_step: int64",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR,
    .summary = "Adagrad dual averaging: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = adagrad_da_kernels,
  },
  {
    .name = "SparseApplyAdagradV2",
    .inputs = "var: Ref(T); accum: Ref(T); lr: T; epsilon: T; grad: T; indices: Tindices",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR "; update_slots: bool = true",
    .summary = "Adagrad with an epsilon: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = adagrad_v2_kernels,
  },
  {
    .name = "SparseApplyCenteredRMSProp",
    .inputs = "var: Ref(T); mg: Ref(T); ms: Ref(T); mom: Ref(T); lr: T; rho: T; momentum: T; "
              "epsilon: T; grad: T; indices: Tindices",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR,
    .summary = "Centred RMSProp: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = centered_rms_prop_kernels,
  },
  {
    .name = "SparseApplyFtrl",
    .inputs = "var: Ref(T); accum: Ref(T); linear: Ref(T); grad: T; indices: Tindices; "
              "lr: T; l1: T; l2: T; lr_power: T",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR,
    .summary = "FTRL-proximal: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = ftrl_kernels,
  },
  {
    .name = "SparseApplyFtrlV2",
    .inputs = "var: Ref(T); accum: Ref(T); linear: Ref(T); grad: T; indices: Tindices; "
              "lr: T; l1: T; l2: T; l2_shrinkage: T; lr_power: T",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR,
    .summary = "FTRL-proximal with L2 shrinkage: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = ftrl_v2_kernels,
  },
  {
    .name = "SparseApplyMomentum",
    .inputs = "var: Ref(T); accum: Ref(T); lr: T; grad: T; indices: Tindices; momentum: T",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR "; use_nesterov: bool = false",
    .summary = "Momentum: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = momentum_kernels,
  },
  {
    .name = "SparseApplyProximalAdagrad",
    .inputs = "var: Ref(T); accum: Ref(T); lr: T; l1: T; l2: T; grad: T; indices: Tindices",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR,
    .summary = "Adagrad with L1 and L2: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = proximal_adagrad_kernels,
  },
  {
    .name = "SparseApplyProximalGradientDescent",
    .inputs = "var: Ref(T); alpha: T; l1: T; l2: T; grad: T; indices: Tindices",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR,
    .summary = "Gradient descent with L1 and L2: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = proximal_gradient_descent_kernels,
  },
  {
    .name = "SparseApplyRMSProp",
    .inputs = "var: Ref(T); ms: Ref(T); mom: Ref(T); lr: T; rho: T; momentum: T; epsilon: T; "
              "grad: T; indices: Tindices",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR INDICES_ATTR LOCKING_ATTR,
    .summary = "RMSProp: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = rms_prop_kernels,
  },
};

FLOW_DEFINE_OP_FAMILY (training_sparse, ops)
