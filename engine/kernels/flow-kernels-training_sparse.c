/* flow-kernels-training_sparse.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-training-private.h"

/* Training ops on the rows of reference variables that a sparse gradient names. */

static const FlowOpDef ops[] = {
  {
    .name = "SparseApplyAdadelta",
    .inputs = "var: Ref(T); accum: Ref(T); accum_update: Ref(T); lr: T; rho: T; epsilon: T; "
              "grad: T; indices: Tindices",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Adadelta: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_adadelta,
  },
  {
    .name = "SparseApplyAdagrad",
    .inputs = "var: Ref(T); accum: Ref(T); lr: T; grad: T; indices: Tindices",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR "; update_slots: bool = true",
    .summary = "Adagrad: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_adagrad,
  },
  {
    .name = "SparseApplyAdagradDA",
    .inputs = "var: Ref(T); gradient_accumulator: Ref(T); "
              "gradient_squared_accumulator: Ref(T); grad: T; indices: Tindices; lr: T; "
              "l1: T; l2: T; global_step: int64",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Adagrad dual averaging: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_adagrad_da,
  },
  {
    .name = "SparseApplyAdagradV2",
    .inputs = "var: Ref(T); accum: Ref(T); lr: T; epsilon: T; grad: T; indices: Tindices",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR "; update_slots: bool = true",
    .summary = "Adagrad with an epsilon: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_adagrad_v2,
  },
  {
    .name = "SparseApplyCenteredRMSProp",
    .inputs = "var: Ref(T); mg: Ref(T); ms: Ref(T); mom: Ref(T); lr: T; rho: T; momentum: T; "
              "epsilon: T; grad: T; indices: Tindices",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Centred RMSProp: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_centered_rms_prop,
  },
  {
    .name = "SparseApplyFtrl",
    .inputs = "var: Ref(T); accum: Ref(T); linear: Ref(T); grad: T; indices: Tindices; "
              "lr: T; l1: T; l2: T; lr_power: T",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "FTRL-proximal: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_ftrl,
  },
  {
    .name = "SparseApplyFtrlV2",
    .inputs = "var: Ref(T); accum: Ref(T); linear: Ref(T); grad: T; indices: Tindices; "
              "lr: T; l1: T; l2: T; l2_shrinkage: T; lr_power: T",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "FTRL-proximal with L2 shrinkage: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_ftrl_v2,
  },
  {
    .name = "SparseApplyMomentum",
    .inputs = "var: Ref(T); accum: Ref(T); lr: T; grad: T; indices: Tindices; momentum: T",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR "; use_nesterov: bool = false",
    .summary = "Momentum: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_momentum,
  },
  {
    .name = "SparseApplyProximalAdagrad",
    .inputs = "var: Ref(T); accum: Ref(T); lr: T; l1: T; l2: T; grad: T; indices: Tindices",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Adagrad with L1 and L2: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_proximal_adagrad,
  },
  {
    .name = "SparseApplyProximalGradientDescent",
    .inputs = "var: Ref(T); alpha: T; l1: T; l2: T; grad: T; indices: Tindices",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Gradient descent with L1 and L2: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_proximal_gradient_descent,
  },
  {
    .name = "SparseApplyRMSProp",
    .inputs = "var: Ref(T); ms: Ref(T); mom: Ref(T); lr: T; rho: T; momentum: T; epsilon: T; "
              "grad: T; indices: Tindices",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_INDICES_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "RMSProp: updates the named rows of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_sparse_rms_prop,
  },
};

FLOW_DEFINE_OP_FAMILY (training_sparse, ops)
