/* flow-training-kernels.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-training-private.h"

/* The kernels of the rules: an op on reference variables and its sister on resources have the same. */

#define DENSE(rule, dtypes)                                                                   \
  static gboolean                                                                             \
  rule##_compute (FlowKernelContext *c, GError **error)                                       \
  {                                                                                           \
    return flow_training_apply (c, &flow_rule_##rule, error);                                 \
  }                                                                                           \
  const FlowKernelDef flow_training_##rule[] = { { dtypes, rule##_compute }, { NULL } };

/* The same function finds the rows by the op's signature. */
#define SPARSE(rule, dtypes)                                                                  \
  const FlowKernelDef flow_training_sparse_##rule[] = {                                       \
    { dtypes "; Tindices: int32 int64", rule##_compute }, { NULL }                            \
  };

DENSE (ada_max, "T: double float half")
DENSE (adadelta, "T: bfloat16 double float half")
DENSE (adagrad, "T: bfloat16 double float half")
DENSE (adagrad_da, "T: double float")
DENSE (adagrad_v2, "T: bfloat16 double float half")
DENSE (adam, "T: bfloat16 double float half")
DENSE (add_sign, "T: bfloat16 double float half")
DENSE (amsgrad, "T: bfloat16 double float half")
DENSE (centered_rms_prop, "T: bfloat16 double float half")
DENSE (ftrl, "T: bfloat16 double float half")
DENSE (ftrl_v2, "T: bfloat16 double float half")
DENSE (gradient_descent, "T: bfloat16 double float half")
DENSE (keras_momentum, "T: bfloat16 double float half")
DENSE (momentum, "T: bfloat16 double float half")
DENSE (power_sign, "T: bfloat16 double float half")
DENSE (proximal_adagrad, "T: double float")
DENSE (proximal_gradient_descent, "T: double float")
DENSE (rms_prop, "T: bfloat16 double float half")

SPARSE (adadelta, "T: bfloat16 double float half")
SPARSE (adagrad, "T: bfloat16 double float half")
SPARSE (adagrad_da, "T: double float")
SPARSE (adagrad_v2, "T: bfloat16 double float half")
SPARSE (centered_rms_prop, "T: double float half")
SPARSE (ftrl, "T: bfloat16 double float half")
SPARSE (ftrl_v2, "T: bfloat16 double float half")
SPARSE (keras_momentum, "T: bfloat16 double float half")
SPARSE (momentum, "T: bfloat16 double float half")
SPARSE (proximal_adagrad, "T: double float")
SPARSE (proximal_gradient_descent, "T: double float")
SPARSE (rms_prop, "T: double float half")
