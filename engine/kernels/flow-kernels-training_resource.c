/* flow-kernels-training_resource.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-training-private.h"

/* Training ops on resource variables. */

static const FlowOpDef ops[] = {
  {
    .name = "ResourceApplyAdaMax",
    .inputs = "var: resource; m: resource; v: resource; beta1_power: T; lr: T; beta1: T; "
              "beta2: T; epsilon: T; grad: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "AdaMax: updates a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_ada_max,
  },
  {
    .name = "ResourceApplyAdadelta",
    .inputs = "var: resource; accum: resource; accum_update: resource; lr: T; rho: T; "
              "epsilon: T; grad: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Adadelta: updates a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_adadelta,
  },
  {
    .name = "ResourceApplyAdagrad",
    .inputs = "var: resource; accum: resource; lr: T; grad: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR "; update_slots: bool = true",
    .summary = "Adagrad: updates a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_adagrad,
  },
  {
    .name = "ResourceApplyAdagradDA",
    .inputs = "var: resource; gradient_accumulator: resource; "
              "gradient_squared_accumulator: resource; grad: T; lr: T; l1: T; l2: T; "
              "global_step: int64",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Adagrad dual averaging: updates a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_adagrad_da,
  },
  {
    .name = "ResourceApplyAdagradV2",
    .inputs = "var: resource; accum: resource; lr: T; epsilon: T; grad: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR "; update_slots: bool = true",
    .summary = "Adagrad with an epsilon: updates a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_adagrad_v2,
  },
  {
    .name = "ResourceApplyAdam",
    .inputs = "var: resource; m: resource; v: resource; beta1_power: T; beta2_power: T; "
              "lr: T; beta1: T; beta2: T; epsilon: T; grad: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR "; use_nesterov: bool = false",
    .summary = "Adam: updates a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_adam,
  },
  {
    .name = "ResourceApplyAdamWithAmsgrad",
    .inputs = "var: resource; m: resource; v: resource; vhat: resource; beta1_power: T; "
              "beta2_power: T; lr: T; beta1: T; beta2: T; epsilon: T; grad: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Adam with the greatest second moment kept: updates a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_amsgrad,
  },
  {
    .name = "ResourceApplyAddSign",
    .inputs = "var: resource; m: resource; lr: T; alpha: T; sign_decay: T; beta: T; grad: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "AddSign: updates a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_add_sign,
  },
  {
    .name = "ResourceApplyCenteredRMSProp",
    .inputs = "var: resource; mg: resource; ms: resource; mom: resource; lr: T; rho: T; "
              "momentum: T; epsilon: T; grad: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Centred RMSProp: updates a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_centered_rms_prop,
  },
  {
    .name = "ResourceApplyFtrl",
    .inputs = "var: resource; accum: resource; linear: resource; grad: T; lr: T; l1: T; "
              "l2: T; lr_power: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "FTRL-proximal: updates a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_ftrl,
  },
  {
    .name = "ResourceApplyFtrlV2",
    .inputs = "var: resource; accum: resource; linear: resource; grad: T; lr: T; l1: T; "
              "l2: T; l2_shrinkage: T; lr_power: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "FTRL-proximal with L2 shrinkage: updates a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_ftrl_v2,
  },
  {
    .name = "ResourceApplyGradientDescent",
    .inputs = "var: resource; alpha: T; delta: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Gradient descent: updates a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_gradient_descent,
  },
  {
    .name = "ResourceApplyKerasMomentum",
    .inputs = "var: resource; accum: resource; lr: T; grad: T; momentum: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR "; use_nesterov: bool = false",
    .summary = "Momentum, Keras's form: updates a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_keras_momentum,
  },
  {
    .name = "ResourceApplyMomentum",
    .inputs = "var: resource; accum: resource; lr: T; grad: T; momentum: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR "; use_nesterov: bool = false",
    .summary = "Momentum: updates a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_momentum,
  },
  {
    .name = "ResourceApplyPowerSign",
    .inputs = "var: resource; m: resource; lr: T; logbase: T; sign_decay: T; beta: T; "
              "grad: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "PowerSign: updates a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_power_sign,
  },
  {
    .name = "ResourceApplyProximalAdagrad",
    .inputs = "var: resource; accum: resource; lr: T; l1: T; l2: T; grad: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Adagrad with L1 and L2: updates a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_proximal_adagrad,
  },
  {
    .name = "ResourceApplyProximalGradientDescent",
    .inputs = "var: resource; alpha: T; l1: T; l2: T; delta: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "Gradient descent with L1 and L2: updates a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_proximal_gradient_descent,
  },
  {
    .name = "ResourceApplyRMSProp",
    .inputs = "var: resource; ms: resource; mom: resource; lr: T; rho: T; momentum: T; "
              "epsilon: T; grad: T",
    .outputs = "",
    .attrs = FLOW_TRAINING_T_ATTR FLOW_TRAINING_LOCKING_ATTR,
    .summary = "RMSProp: updates a variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = flow_training_rms_prop,
  },
};

FLOW_DEFINE_OP_FAMILY (training_resource, ops)
