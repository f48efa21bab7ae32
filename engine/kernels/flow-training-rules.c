/* flow-training-rules.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-training-private.h"

#include <tgmath.h>

/* The rules of training, cell by cell. In a body stand: v the variable, a, b, c the slots, g the
 * gradient, all in the type that is computed in (float for half precision); and s[0..] the scalars in
 * the order of the op's inputs. */

#define LOAD_SLOTS_0(S, C, LOAD)
#define LOAD_SLOTS_1(S, C, LOAD) C a = LOAD (((const S *) u->old_slots[0])[i]);
#define LOAD_SLOTS_2(S, C, LOAD)                                                              \
  LOAD_SLOTS_1 (S, C, LOAD) C b = LOAD (((const S *) u->old_slots[1])[i]);
#define LOAD_SLOTS_3(S, C, LOAD)                                                              \
  LOAD_SLOTS_2 (S, C, LOAD) C c = LOAD (((const S *) u->old_slots[2])[i]);
#define STORE_SLOTS_0(S, STORE)
#define STORE_SLOTS_1(S, STORE) ((S *) u->slots[0])[i] = STORE (a);
#define STORE_SLOTS_2(S, STORE) STORE_SLOTS_1 (S, STORE) ((S *) u->slots[1])[i] = STORE (b);
#define STORE_SLOTS_3(S, STORE) STORE_SLOTS_2 (S, STORE) ((S *) u->slots[2])[i] = STORE (c);

#define LOOP(rule, n_slots, body, name, S, C, LOAD, STORE)                                    \
  static FLOW_HOT void                                                                        \
  rule##_##name (gint64 begin, gint64 end, gpointer data)                                     \
  {                                                                                           \
    const FlowUpdate *u = data;                                                               \
    const gboolean flag G_GNUC_UNUSED = u->flag;                                              \
    const C derived G_GNUC_UNUSED = (C) u->derived;                                           \
    C s[FLOW_TRAINING_MAX_SCALARS];                                                           \
                                                                                              \
    for (int k = 0; k < FLOW_TRAINING_MAX_SCALARS; k++)                                       \
      s[k] = (C) u->scalars[k];                                                               \
    for (gint64 i = begin; i < end; i++)                                                      \
      {                                                                                       \
        const C g = LOAD (((const S *) u->gradient)[i]);                                      \
        C v = LOAD (((const S *) u->old_var)[i]);                                             \
        LOAD_SLOTS_##n_slots (S, C, LOAD)                                                     \
                                                                                              \
        body                                                                                  \
        ((S *) u->var)[i] = STORE (v);                                                        \
        STORE_SLOTS_##n_slots (S, STORE)                                                      \
      }                                                                                       \
  }

#define EACH_FLOAT(M) FLOW_OF_FLOAT (M) FLOW_OF_DOUBLE (M) FLOW_OF_HALF (M) FLOW_OF_BFLOAT16 (M)
#define FUNCS(rule)                                                                           \
  .funcs = { [FLOW_DTYPE_FLOAT] = rule##_float, [FLOW_DTYPE_DOUBLE] = rule##_double,          \
             [FLOW_DTYPE_HALF] = rule##_half, [FLOW_DTYPE_BFLOAT16] = rule##_bfloat16 }

#define SIGN(x) ((x) > 0 ? 1 : (x) < 0 ? -1 : (x) * 0)

/* s: alpha */
#define GRADIENT_DESCENT(...) LOOP (gradient_descent, 0, { v -= g * s[0]; }, __VA_ARGS__)
EACH_FLOAT (GRADIENT_DESCENT)
const FlowTrainingRule flow_rule_gradient_descent = { FUNCS (gradient_descent) };

/* s: lr, momentum; a: accum */
#define MOMENTUM(...)                                                                         \
  LOOP (momentum, 1, {                                                                        \
    a = a * s[1] + g;                                                                         \
    v -= flag ? g * s[0] + a * s[1] * s[0] : a * s[0];                                        \
  }, __VA_ARGS__)
EACH_FLOAT (MOMENTUM)
const FlowTrainingRule flow_rule_momentum = {
  FUNCS (momentum), .flag_attr = "use_nesterov", .words = FLOW_TRAINING_SPACED_SPARSE,
};

#define KERAS_MOMENTUM(...)                                                                   \
  LOOP (keras_momentum, 1, {                                                                  \
    a = a * s[1] - g * s[0];                                                                  \
    v += flag ? a * s[1] - g * s[0] : a;                                                      \
  }, __VA_ARGS__)
EACH_FLOAT (KERAS_MOMENTUM)
const FlowTrainingRule flow_rule_keras_momentum = {
  FUNCS (keras_momentum), .flag_attr = "use_nesterov", .words = FLOW_TRAINING_SPACED_SPARSE,
};

/* s: beta1_power, beta2_power, lr, beta1, beta2, epsilon; a: m, b: v. The step size is made once, in
 * the precision of the op. */
static gboolean
prepare_adam (FlowKernelContext  *c,
              FlowUpdate         *u,
              GError            **error)
{
  const double *s = u->scalars;

  if (flow_kernel_attr_dtype (c, "T") == FLOW_DTYPE_DOUBLE)
    u->derived = s[2] * sqrt (1 - s[1]) / (1 - s[0]);
  else
    u->derived = (double) ((float) s[2] * sqrtf (1 - (float) s[1]) / (1 - (float) s[0]));
  return TRUE;
}

#define ADAM(...)                                                                             \
  LOOP (adam, 2, {                                                                            \
    a += (g - a) * (1 - s[3]);                                                                \
    b += (g * g - b) * (1 - s[4]);                                                            \
    v -= (flag ? (g * (1 - s[3]) + s[3] * a) * derived : a * derived) / (sqrt (b) + s[5]);    \
  }, __VA_ARGS__)
EACH_FLOAT (ADAM)
const FlowTrainingRule flow_rule_adam = {
  FUNCS (adam), .flag_attr = "use_nesterov", .words = FLOW_TRAINING_SPACED_DENSE, .prepare = prepare_adam,
};

/* c: vhat */
#define AMSGRAD(...)                                                                          \
  LOOP (amsgrad, 3, {                                                                         \
    a += (g - a) * (1 - s[3]);                                                                \
    b += (g * g - b) * (1 - s[4]);                                                            \
    c = c < b ? b : c;                                                                        \
    v -= (a * derived) / (sqrt (c) + s[5]);                                                   \
  }, __VA_ARGS__)
EACH_FLOAT (AMSGRAD)
const FlowTrainingRule flow_rule_amsgrad = {
  FUNCS (amsgrad), .words = FLOW_TRAINING_SPACED_DENSE, .prepare = prepare_adam,
};

/* s: beta1_power, lr, beta1, beta2, epsilon; a: m, b: v */
#define ADA_MAX(...)                                                                          \
  LOOP (ada_max, 2, {                                                                         \
    a += (g - a) * (1 - s[2]);                                                                \
    b = s[3] * b < fabs (g) ? fabs (g) : s[3] * b;                                            \
    v -= s[1] / (1 - s[0]) * (a / (b + s[4]));                                                \
  }, __VA_ARGS__)
EACH_FLOAT (ADA_MAX)
const FlowTrainingRule flow_rule_ada_max = { FUNCS (ada_max), .words = FLOW_TRAINING_SPACED_DENSE };

/* s: lr; a: accum */
#define ADAGRAD(...)                                                                          \
  LOOP (adagrad, 1, {                                                                         \
    if (flag)                                                                                 \
      a += g * g;                                                                             \
    v -= g * s[0] / sqrt (a);                                                                 \
  }, __VA_ARGS__)
EACH_FLOAT (ADAGRAD)
const FlowTrainingRule flow_rule_adagrad = {
  FUNCS (adagrad), .flag_attr = "update_slots", .words = FLOW_TRAINING_WIDE_ROWS,
};

/* s: lr, epsilon; a: accum */
#define ADAGRAD_V2(...)                                                                       \
  LOOP (adagrad_v2, 1, {                                                                      \
    if (flag)                                                                                 \
      a += g * g;                                                                             \
    v -= g * s[0] / (sqrt (a) + s[1]);                                                        \
  }, __VA_ARGS__)
EACH_FLOAT (ADAGRAD_V2)
const FlowTrainingRule flow_rule_adagrad_v2 = {
  FUNCS (adagrad_v2), .flag_attr = "update_slots", .words = FLOW_TRAINING_WIDE_ROWS,
};

/* s: lr, l1, l2, global_step; a: sum of gradients, b: of their squares */
#define ADAGRAD_DA(...)                                                                       \
  LOOP (adagrad_da, 2, {                                                                      \
    a += g;                                                                                   \
    b += g * g;                                                                               \
    if (s[1] > 0)                                                                             \
      v = -s[0] * SIGN (a) * (fabs (a) - s[3] * s[1] > 0 ? fabs (a) - s[3] * s[1] : 0) /      \
          (s[2] * (s[3] * s[0]) + sqrt (b));                                                  \
    else                                                                                      \
      v = -s[0] * a / (s[2] * (s[3] * s[0]) + sqrt (b));                                      \
  }, __VA_ARGS__)
EACH_FLOAT (ADAGRAD_DA)
const FlowTrainingRule flow_rule_adagrad_da = { FUNCS (adagrad_da), .words = FLOW_TRAINING_WIDE_ROWS };

/* s: lr, rho, epsilon; a: accum, b: accum_update */
#define ADADELTA(...)                                                                         \
  LOOP (adadelta, 2, {                                                                        \
    a = a * s[1] + g * g * (1 - s[1]);                                                        \
    const typeof (v) update = sqrt (b + s[2]) / sqrt (a + s[2]) * g;                          \
    v -= update * s[0];                                                                       \
    b = b * s[1] + update * update * (1 - s[1]);                                              \
  }, __VA_ARGS__)
EACH_FLOAT (ADADELTA)
const FlowTrainingRule flow_rule_adadelta = { FUNCS (adadelta) };

/* s: lr, rho, momentum, epsilon; a: ms, b: mom */
#define RMS_PROP(...)                                                                         \
  LOOP (rms_prop, 2, {                                                                        \
    a += (g * g - a) * (1 - s[1]);                                                            \
    b = b * s[2] + (g * s[0]) / sqrt (s[3] + a);                                              \
    v -= b;                                                                                   \
  }, __VA_ARGS__)
EACH_FLOAT (RMS_PROP)
const FlowTrainingRule flow_rule_rms_prop = { FUNCS (rms_prop), .words = FLOW_TRAINING_SPACED_DENSE };

/* a: mg, b: ms, c: mom */
#define CENTERED_RMS_PROP(...)                                                                \
  LOOP (centered_rms_prop, 3, {                                                               \
    b += (g * g - b) * (1 - s[1]);                                                            \
    a += (g - a) * (1 - s[1]);                                                                \
    c = c * s[2] + (g * s[0]) / sqrt ((b - a * a) + s[3]);                                    \
    v -= c;                                                                                   \
  }, __VA_ARGS__)
EACH_FLOAT (CENTERED_RMS_PROP)
const FlowTrainingRule flow_rule_centered_rms_prop = {
  FUNCS (centered_rms_prop), .words = FLOW_TRAINING_SPACED_DENSE,
};

/* The square root is the usual power and is taken as such: pow() would give other last bits. */
#define ACCUM_POWER(x, power) ((power) == (typeof (x)) -0.5 ? sqrt (x) : pow (x, -(power)))

#define FTRL_WORDS \
  (FLOW_TRAINING_SIGNS | FLOW_TRAINING_SLOTS_FIRST | FLOW_TRAINING_GRADIENT_FIRST | FLOW_TRAINING_WIDE_ROWS)

/* s: lr, l1, l2, lr_power; a: accum, b: linear */
#define FTRL(...)                                                                             \
  LOOP (ftrl, 2, {                                                                            \
    const typeof (v) new_power = ACCUM_POWER (a + g * g, s[3]);                               \
    b += g - (new_power - ACCUM_POWER (a, s[3])) / s[0] * v;                                  \
    v = fabs (b) > s[1] ? (s[1] * SIGN (b) - b) / (new_power / s[0] + 2 * s[2]) : 0;          \
    a += g * g;                                                                               \
  }, __VA_ARGS__)
EACH_FLOAT (FTRL)
const FlowTrainingRule flow_rule_ftrl = { FUNCS (ftrl), .words = FTRL_WORDS };

/* s: lr, l1, l2, l2_shrinkage, lr_power */
#define FTRL_V2(...)                                                                          \
  LOOP (ftrl_v2, 2, {                                                                         \
    const typeof (v) shrunk = g + 2 * s[3] * v;                                               \
    const typeof (v) new_power = ACCUM_POWER (a + g * g, s[4]);                     \
    b += shrunk - (new_power - ACCUM_POWER (a, s[4])) / s[0] * v;                             \
    v = fabs (b) > s[1] ? (s[1] * SIGN (b) - b) / (new_power / s[0] + 2 * s[2]) : 0;          \
    a += g * g;                                                                               \
  }, __VA_ARGS__)
EACH_FLOAT (FTRL_V2)
const FlowTrainingRule flow_rule_ftrl_v2 = { FUNCS (ftrl_v2), .words = FTRL_WORDS };

/* Shrinks @x towards 0 by @by, not beyond. */
#define SHRINK(x, by) (SIGN (x) * (fabs (x) - (by) > 0 ? fabs (x) - (by) : 0))

/* s: alpha, l1, l2 */
#define PROXIMAL_GRADIENT_DESCENT(...)                                                        \
  LOOP (proximal_gradient_descent, 0, {                                                       \
    const typeof (v) prox = v - g * s[0];                                                     \
    v = (s[1] > 0 ? SHRINK (prox, s[0] * s[1]) : prox) / (1 + s[2] * s[0]);                   \
  }, __VA_ARGS__)
EACH_FLOAT (PROXIMAL_GRADIENT_DESCENT)
const FlowTrainingRule flow_rule_proximal_gradient_descent = {
  FUNCS (proximal_gradient_descent), .words = FLOW_TRAINING_WIDE_ROWS,
};

/* s: lr, l1, l2; a: accum */
#define PROXIMAL_ADAGRAD(...)                                                                 \
  LOOP (proximal_adagrad, 1, {                                                                \
    a += g * g;                                                                               \
    const typeof (v) rate = s[0] / sqrt (a);                                                  \
    const typeof (v) prox = v - g * rate;                                                     \
    v = (s[1] > 0 ? SHRINK (prox, rate * s[1]) : prox) / (1 + s[2] * rate);                   \
  }, __VA_ARGS__)
EACH_FLOAT (PROXIMAL_ADAGRAD)
const FlowTrainingRule flow_rule_proximal_adagrad = {
  FUNCS (proximal_adagrad), .words = FLOW_TRAINING_SIGNS | FLOW_TRAINING_SLOTS_FIRST | FLOW_TRAINING_WIDE_ROWS,
};

/* s: lr, alpha, sign_decay, beta; a: m */
#define ADD_SIGN(...)                                                                         \
  LOOP (add_sign, 1, {                                                                        \
    a = a * s[3] + g * (1 - s[3]);                                                            \
    v -= s[0] * (s[1] + s[2] * (SIGN (g) * SIGN (a))) * g;                                    \
  }, __VA_ARGS__)
EACH_FLOAT (ADD_SIGN)
const FlowTrainingRule flow_rule_add_sign = { FUNCS (add_sign) };

/* s: lr, logbase, sign_decay, beta; a: m */
#define POWER_SIGN(...)                                                                       \
  LOOP (power_sign, 1, {                                                                      \
    a = a * s[3] + g * (1 - s[3]);                                                            \
    v -= s[0] * exp (s[1] * s[2] * (SIGN (g) * SIGN (a))) * g;                                \
  }, __VA_ARGS__)
EACH_FLOAT (POWER_SIGN)
const FlowTrainingRule flow_rule_power_sign = { FUNCS (power_sign) };
