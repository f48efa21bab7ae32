/* flow-kernels-training.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-training-private.h"

/* Training ops on reference variables: one step of an optimizer, in place. */

static const FlowOpDef ops[] = {
  {
    .name = "ApplyAdaMax",
    .inputs = "var: Ref(T); m: Ref(T); v: Ref(T); beta1_power: T; lr: T; beta1: T; beta2: T; "
              "epsilon: T; grad: T",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "AdaMax: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_ada_max,
  },
  {
    .name = "ApplyAdadelta",
    .inputs = "var: Ref(T); accum: Ref(T); accum_update: Ref(T); lr: T; rho: T; epsilon: T; "
              "grad: T",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Adadelta: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_adadelta,
  },
  {
    .name = "ApplyAdagrad",
    .inputs = "var: Ref(T); accum: Ref(T); lr: T; grad: T",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR "; update_slots: bool = true",
    .summary = "Adagrad: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_adagrad,
  },
  {
    .name = "ApplyAdagradDA",
    .inputs = "var: Ref(T); gradient_accumulator: Ref(T); "
              "gradient_squared_accumulator: Ref(T); grad: T; lr: T; l1: T; l2: T; "
              "global_step: int64",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Adagrad dual averaging: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_adagrad_da,
  },
  {
    .name = "ApplyAdagradV2",
    .inputs = "var: Ref(T); accum: Ref(T); lr: T; epsilon: T; grad: T",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR "; update_slots: bool = true",
    .summary = "Adagrad with an epsilon: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_adagrad_v2,
  },
  {
    .name = "ApplyAdam",
    .inputs = "var: Ref(T); m: Ref(T); v: Ref(T); beta1_power: T; beta2_power: T; lr: T; "
              "beta1: T; beta2: T; epsilon: T; grad: T",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR "; use_nesterov: bool = false",
    .summary = "Adam: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_adam,
  },
  {
    .name = "ApplyAddSign",
    .inputs = "var: Ref(T); m: Ref(T); lr: T; alpha: T; sign_decay: T; beta: T; grad: T",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "AddSign: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_add_sign,
  },
  {
    .name = "ApplyCenteredRMSProp",
    .inputs = "var: Ref(T); mg: Ref(T); ms: Ref(T); mom: Ref(T); lr: T; rho: T; momentum: T; "
              "epsilon: T; grad: T",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Centred RMSProp: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_centered_rms_prop,
  },
  {
    .name = "ApplyFtrl",
    .inputs = "var: Ref(T); accum: Ref(T); linear: Ref(T); grad: T; lr: T; l1: T; l2: T; "
              "lr_power: T",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "FTRL-proximal: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_ftrl,
  },
  {
    .name = "ApplyFtrlV2",
    .inputs = "var: Ref(T); accum: Ref(T); linear: Ref(T); grad: T; lr: T; l1: T; l2: T; "
              "l2_shrinkage: T; lr_power: T",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "FTRL-proximal with L2 shrinkage: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_ftrl_v2,
  },
  {
    .name = "ApplyGradientDescent",
    .inputs = "var: Ref(T); alpha: T; delta: T",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Gradient descent: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_gradient_descent,
  },
  {
    .name = "ApplyMomentum",
    .inputs = "var: Ref(T); accum: Ref(T); lr: T; grad: T; momentum: T",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR "; use_nesterov: bool = false",
    .summary = "Momentum: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_momentum,
  },
  {
    .name = "ApplyPowerSign",
    .inputs = "var: Ref(T); m: Ref(T); lr: T; logbase: T; sign_decay: T; beta: T; grad: T",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "PowerSign: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_power_sign,
  },
  {
    .name = "ApplyProximalAdagrad",
    .inputs = "var: Ref(T); accum: Ref(T); lr: T; l1: T; l2: T; grad: T",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Adagrad with L1 and L2: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_proximal_adagrad,
  },
  {
    .name = "ApplyProximalGradientDescent",
    .inputs = "var: Ref(T); alpha: T; l1: T; l2: T; delta: T",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Gradient descent with L1 and L2: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_proximal_gradient_descent,
  },
  {
    .name = "ApplyRMSProp",
    .inputs = "var: Ref(T); ms: Ref(T); mom: Ref(T); lr: T; rho: T; momentum: T; epsilon: T; "
              "grad: T",
    .outputs = "out: Ref(T)",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "RMSProp: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_rms_prop,
  },
};

FLOW_DEFINE_OP_FAMILY (training, ops)
