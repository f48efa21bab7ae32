/* flow-kernels-training.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-training-private.h"

/* Training ops on reference variables: one step of an optimizer, in place. */

#define COMPUTE(rule)                                                                         \
  static gboolean                                                                             \
  rule##_compute (FlowKernelContext *c, GError **error)                                       \
  {                                                                                           \
    return flow_training_apply (c, &flow_rule_##rule, error);                                 \
  }

COMPUTE (ada_max)
COMPUTE (adadelta)
COMPUTE (adagrad)
COMPUTE (adagrad_da)
COMPUTE (adagrad_v2)
COMPUTE (adam)
COMPUTE (add_sign)
COMPUTE (centered_rms_prop)
COMPUTE (ftrl)
COMPUTE (ftrl_v2)
COMPUTE (gradient_descent)
COMPUTE (momentum)
COMPUTE (power_sign)
COMPUTE (proximal_adagrad)
COMPUTE (proximal_gradient_descent)
COMPUTE (rms_prop)

#define KERNELS(name, dtypes, rule)                                                           \
  static const FlowKernelDef name[] = { { dtypes, rule##_compute }, { NULL } };

KERNELS (ada_max_kernels, "T: double float half", ada_max)
KERNELS (adadelta_kernels, "T: bfloat16 double float half", adadelta)
KERNELS (adagrad_kernels, "T: bfloat16 double float half", adagrad)
KERNELS (adagrad_da_kernels, "T: double float", adagrad_da)
KERNELS (adagrad_v2_kernels, "T: bfloat16 double float half", adagrad_v2)
KERNELS (adam_kernels, "T: bfloat16 double float half", adam)
KERNELS (add_sign_kernels, "T: bfloat16 double float half", add_sign)
KERNELS (centered_rms_prop_kernels, "T: bfloat16 double float half", centered_rms_prop)
KERNELS (ftrl_kernels, "T: bfloat16 double float half", ftrl)
KERNELS (ftrl_v2_kernels, "T: bfloat16 double float half", ftrl_v2)
KERNELS (gradient_descent_kernels, "T: bfloat16 double float half", gradient_descent)
KERNELS (momentum_kernels, "T: bfloat16 double float half", momentum)
KERNELS (power_sign_kernels, "T: bfloat16 double float half", power_sign)
KERNELS (proximal_adagrad_kernels, "T: double float", proximal_adagrad)
KERNELS (proximal_gradient_descent_kernels, "T: double float", proximal_gradient_descent)
KERNELS (rms_prop_kernels, "T: bfloat16 double float half", rms_prop)

#define T_ATTR "T: " FLOW_NUMBER_TYPES "; "
#define INDICES_ATTR "Tindices: {int32, int64}; "
#define LOCKING_ATTR "use_locking: bool = false"

static const FlowOpDef ops[] = {
  {
    .name = "ApplyAdaMax",
    .inputs = "var: Ref(T); m: Ref(T); v: Ref(T); beta1_power: T; lr: T; beta1: T; beta2: T; "
              "epsilon: T; grad: T",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR LOCKING_ATTR,
    .summary = "AdaMax: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = ada_max_kernels,
  },
  {
    .name = "ApplyAdadelta",
    .inputs = "var: Ref(T); accum: Ref(T); accum_update: Ref(T); lr: T; rho: T; epsilon: T; "
              "grad: T",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR LOCKING_ATTR,
    .summary = "Adadelta: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = adadelta_kernels,
  },
  {
    .name = "ApplyAdagrad",
    .inputs = "var: Ref(T); accum: Ref(T); lr: T; grad: T",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR LOCKING_ATTR "; update_slots: bool = true",
    .summary = "Adagrad: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = adagrad_kernels,
  },
  {
    .name = "ApplyAdagradDA",
    .inputs = "var: Ref(T); gradient_accumulator: Ref(T); "
              "gradient_squared_accumulator: Ref(T); grad: T; lr: T; l1: T; l2: T; "
              "global_step: int64",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR LOCKING_ATTR,
    .summary = "Adagrad dual averaging: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = adagrad_da_kernels,
  },
  {
    .name = "ApplyAdagradV2",
    .inputs = "var: Ref(T); accum: Ref(T); lr: T; epsilon: T; grad: T",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR LOCKING_ATTR "; update_slots: bool = true",
    .summary = "Adagrad with an epsilon: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = adagrad_v2_kernels,
  },
  {
    .name = "ApplyAdam",
    .inputs = "var: Ref(T); m: Ref(T); v: Ref(T); beta1_power: T; beta2_power: T; lr: T; "
              "beta1: T; beta2: T; epsilon: T; grad: T",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR LOCKING_ATTR "; use_nesterov: bool = false",
    .summary = "Adam: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = adam_kernels,
  },
  {
    .name = "ApplyAddSign",
    .inputs = "var: Ref(T); m: Ref(T); lr: T; alpha: T; sign_decay: T; beta: T; grad: T",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR LOCKING_ATTR,
    .summary = "AddSign: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = add_sign_kernels,
  },
  {
    .name = "ApplyCenteredRMSProp",
    .inputs = "var: Ref(T); mg: Ref(T); ms: Ref(T); mom: Ref(T); lr: T; rho: T; momentum: T; "
              "epsilon: T; grad: T",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR LOCKING_ATTR,
    .summary = "Centred RMSProp: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = centered_rms_prop_kernels,
  },
  {
    .name = "ApplyFtrl",
    .inputs = "var: Ref(T); accum: Ref(T); linear: Ref(T); grad: T; lr: T; l1: T; l2: T; "
              "lr_power: T",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR LOCKING_ATTR,
    .summary = "FTRL-proximal: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = ftrl_kernels,
  },
  {
    .name = "ApplyFtrlV2",
    .inputs = "var: Ref(T); accum: Ref(T); linear: Ref(T); grad: T; lr: T; l1: T; l2: T; "
              "l2_shrinkage: T; lr_power: T",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR LOCKING_ATTR,
    .summary = "FTRL-proximal with L2 shrinkage: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = ftrl_v2_kernels,
  },
  {
    .name = "ApplyGradientDescent",
    .inputs = "var: Ref(T); alpha: T; delta: T",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR LOCKING_ATTR,
    .summary = "Gradient descent: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = gradient_descent_kernels,
  },
  {
    .name = "ApplyMomentum",
    .inputs = "var: Ref(T); accum: Ref(T); lr: T; grad: T; momentum: T",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR LOCKING_ATTR "; use_nesterov: bool = false",
    .summary = "Momentum: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = momentum_kernels,
  },
  {
    .name = "ApplyPowerSign",
    .inputs = "var: Ref(T); m: Ref(T); lr: T; logbase: T; sign_decay: T; beta: T; grad: T",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR LOCKING_ATTR,
    .summary = "PowerSign: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = power_sign_kernels,
  },
  {
    .name = "ApplyProximalAdagrad",
    .inputs = "var: Ref(T); accum: Ref(T); lr: T; l1: T; l2: T; grad: T",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR LOCKING_ATTR,
    .summary = "Adagrad with L1 and L2: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = proximal_adagrad_kernels,
  },
  {
    .name = "ApplyProximalGradientDescent",
    .inputs = "var: Ref(T); alpha: T; l1: T; l2: T; delta: T",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR LOCKING_ATTR,
    .summary = "Gradient descent with L1 and L2: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = proximal_gradient_descent_kernels,
  },
  {
    .name = "ApplyRMSProp",
    .inputs = "var: Ref(T); ms: Ref(T); mom: Ref(T); lr: T; rho: T; momentum: T; epsilon: T; "
              "grad: T",
    .outputs = "out: Ref(T)",
    .attrs = T_ATTR LOCKING_ATTR,
    .summary = "RMSProp: updates a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_training_infer,
    .kernels = rms_prop_kernels,
  },
};

FLOW_DEFINE_OP_FAMILY (training, ops)
