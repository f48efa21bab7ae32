/* flow-training-rules.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-training-private.h"
#include "flow-vector-root-private.h"

#include <tgmath.h>

/* The rules of training, cell by cell. In a body stand: v the variable, a, b, c the slots, g the
 * gradient, all in the type that is computed in (float for half precision); and s[0..] the scalars in
 * the order of the op's inputs. R () rounds to the op's dtype, as each single operation of TensorFlow
 * does. Where the forms for named rows compute in another order than the dense one, sparse says which;
 * narrow: a row has one column, for which TensorFlow has loops of their own. */

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

/* In graphs of 1.15 the cells of whole vectors have another root than what is left over. */
#define CELLS(n_slots, body, S, C, LOAD, STORE, from, to, in_vector)                          \
    for (gint64 i = (from); i < (to); i++)                                                    \
      {                                                                                       \
        const gboolean whole G_GNUC_UNUSED = in_vector;                                       \
        const C g = LOAD (((const S *) u->gradient)[i]);                                      \
        C v = LOAD (((const S *) u->old_var)[i]);                                             \
        LOAD_SLOTS_##n_slots (S, C, LOAD)                                                     \
                                                                                              \
        body                                                                                  \
        ((S *) u->var)[i] = STORE (v);                                                        \
        STORE_SLOTS_##n_slots (S, STORE)                                                      \
      }

#define LOOP(rule, n_slots, body, name, S, C, LOAD, STORE)                                    \
  static FLOW_HOT void                                                                        \
  rule##_##name (gint64 begin, gint64 end, gpointer data)                                     \
  {                                                                                           \
    const FlowUpdate *u = data;                                                               \
    const gboolean flag G_GNUC_UNUSED = u->flag;                                              \
    const gboolean sparse G_GNUC_UNUSED = u->sparse;                                          \
    const gboolean narrow G_GNUC_UNUSED = u->narrow;                                          \
    const C derived G_GNUC_UNUSED = (C) u->derived;                                           \
    const gint64 left = CLAMP (u->n_whole, begin, end);                                       \
    C s[FLOW_TRAINING_MAX_SCALARS];                                                           \
                                                                                              \
    for (int k = 0; k < FLOW_TRAINING_MAX_SCALARS; k++)                                       \
      s[k] = (C) u->scalars[k];                                                               \
    CELLS (n_slots, body, S, C, LOAD, STORE, begin, left, TRUE)                               \
    CELLS (n_slots, body, S, C, LOAD, STORE, left, end, FALSE)                                \
  }

#define FUNCS(rule)                                                                           \
  .funcs = { [FLOW_DTYPE_FLOAT] = rule##_float, [FLOW_DTYPE_DOUBLE] = rule##_double,          \
             [FLOW_DTYPE_HALF] = rule##_half, [FLOW_DTYPE_BFLOAT16] = rule##_bfloat16 }

#define SIGN(x) ((x) > 0 ? 1 : (x) < 0 ? -1 : 0)
#define NOT_NEGATIVE(x) ((x) < 0 ? 0 : (x))
#define ROOT(x) (whole ? VECTOR_ROOT (x) : R (sqrt (x)))
#define INVERSE_ROOT(x) (whole ? VECTOR_INVERSE_ROOT (x) : R (1 / R (sqrt (x))))
/* Moves @a towards @x. */
#define DECAYED(a, x, rest) R (a + R (R (x - a) * rest))
/* The same, as it is written for named rows. */
#define MIXED(a, x, rate) R (R (a * rate) + R (x * R (1 - rate)))

/* s: alpha */
#define GRADIENT_DESCENT(...) LOOP (gradient_descent, 0, { v = R (v - R (g * s[0])); }, __VA_ARGS__)

/* s: lr, momentum; a: accum */
#define MOMENTUM(...)                                                                         \
  LOOP (momentum, 1, {                                                                        \
    a = R (R (a * s[1]) + g);                                                                 \
    if (!flag)                                                                                \
      v = R (v - R (a * s[0]));                                                               \
    else if (sparse)                                                                          \
      v = R (v - R (R (g * s[0]) + R (R (s[0] * s[1]) * a)));                                 \
    else                                                                                      \
      v = R (v - R (R (g * s[0]) + R (R (a * s[1]) * s[0])));                                 \
  }, __VA_ARGS__)

#define KERAS_MOMENTUM(...)                                                                   \
  LOOP (keras_momentum, 1, {                                                                  \
    a = R (R (a * s[1]) - R (g * s[0]));                                                      \
    v = R (v + (flag ? R (R (a * s[1]) - R (g * s[0])) : a));                                 \
  }, __VA_ARGS__)

/* Adam's step size is made once, in the precision of the op. */
#define ADAM_STEP(name, S, C, LOAD, STORE)                                                    \
  static double                                                                               \
  step_size_##name (const double *s)                                                          \
  {                                                                                           \
    return (double) R (R ((C) s[2] * R (sqrt (R (1 - (C) s[1])))) / R (1 - (C) s[0]));            \
  }

/* s: beta1_power, beta2_power, lr, beta1, beta2, epsilon; a: m, b: v */
#define ADAM(...)                                                                             \
  LOOP (adam, 2, {                                                                            \
    a = DECAYED (a, g, R (1 - s[3]));                                                         \
    b = DECAYED (b, R (g * g), R (1 - s[4]));                                                 \
    const typeof (v) step = flag ? R (R (g * R (1 - s[3])) + R (s[3] * a)) : a;               \
    v = R (v - R (R (step * derived) / R (ROOT (b) + s[5])));                                 \
  }, __VA_ARGS__)

/* c: vhat */
#define AMSGRAD(...)                                                                          \
  LOOP (amsgrad, 3, {                                                                         \
    a = DECAYED (a, g, R (1 - s[3]));                                                         \
    b = DECAYED (b, R (g * g), R (1 - s[4]));                                                 \
    c = c < b ? b : c;                                                                        \
    v = R (v - R (R (a * derived) / R (ROOT (c) + s[5])));                                    \
  }, __VA_ARGS__)

/* s: beta1_power, lr, beta1, beta2, epsilon; a: m, b: v */
#define ADA_MAX(...)                                                                          \
  LOOP (ada_max, 2, {                                                                         \
    a = DECAYED (a, g, R (1 - s[2]));                                                         \
    b = R (s[3] * b) < fabs (g) ? fabs (g) : R (s[3] * b);                                    \
    v = R (v - R (R (s[1] / R (1 - s[0])) * R (a / R (b + s[4]))));                           \
  }, __VA_ARGS__)

/* s: lr; a: accum */
#define ADAGRAD(...)                                                                          \
  LOOP (adagrad, 1, {                                                                         \
    if (flag)                                                                                 \
      a = R (a + R (g * g));                                                                  \
    v = R (v - (narrow ? R (R (g * s[0]) / ROOT (a)) : R (R (g * s[0]) * INVERSE_ROOT (a)))); \
  }, __VA_ARGS__)

/* s: lr, epsilon; a: accum */
#define ADAGRAD_V2(...)                                                                       \
  LOOP (adagrad_v2, 1, {                                                                      \
    if (flag)                                                                                 \
      a = R (a + R (g * g));                                                                  \
    v = R (v - R (R (g * s[0]) / R (ROOT (a) + s[1])));                                       \
  }, __VA_ARGS__)

/* s: lr, l1, l2, global_step; a: sum of gradients, b: of their squares */
#define ADAGRAD_DA(...)                                                                       \
  LOOP (adagrad_da, 2, {                                                                      \
    a += g;                                                                                   \
    b += g * g;                                                                               \
    if (s[1] > 0)                                                                             \
      v = -s[0] * SIGN (a) * NOT_NEGATIVE (fabs (a) - s[3] * s[1]) /                          \
          (s[2] * (s[3] * s[0]) + ROOT (b));                                                  \
    else                                                                                      \
      v = -s[0] * a / (s[2] * (s[3] * s[0]) + ROOT (b));                                      \
  }, __VA_ARGS__)

/* s: lr, rho, epsilon; a: accum, b: accum_update */
#define ADADELTA(...)                                                                         \
  LOOP (adadelta, 2, {                                                                        \
    a = MIXED (a, R (g * g), s[1]);                                                           \
    const typeof (v) update = R (R (ROOT (R (b + s[2])) * INVERSE_ROOT (R (a + s[2]))) * g);  \
    v = R (v - R (update * s[0]));                                                            \
    b = MIXED (b, R (update * update), s[1]);                                                 \
  }, __VA_ARGS__)

/* s: lr, rho, momentum, epsilon; a: ms, b: mom */
#define RMS_PROP(...)                                                                         \
  LOOP (rms_prop, 2, {                                                                        \
    if (sparse)                                                                               \
      {                                                                                       \
        a = MIXED (a, R (g * g), s[1]);                                                       \
        b = R (R (b * s[2]) + R (R (INVERSE_ROOT (R (a + s[3])) * s[0]) * g));                \
      }                                                                                       \
    else                                                                                      \
      {                                                                                       \
        a = DECAYED (a, R (g * g), R (1 - s[1]));                                             \
        b = R (R (b * s[2]) + R (R (g * s[0]) / ROOT (R (s[3] + a))));                        \
      }                                                                                       \
    v = R (v - b);                                                                            \
  }, __VA_ARGS__)

/* a: mg, b: ms, c: mom */
#define CENTERED_RMS_PROP(...)                                                                \
  LOOP (centered_rms_prop, 3, {                                                               \
    if (sparse)                                                                               \
      {                                                                                       \
        b = MIXED (b, R (g * g), s[1]);                                                       \
        a = MIXED (a, g, s[1]);                                                               \
        c = R (R (c * s[2]) + R (R (INVERSE_ROOT (R (R (b + s[3]) - R (a * a))) * s[0]) * g)); \
      }                                                                                       \
    else                                                                                      \
      {                                                                                       \
        b = DECAYED (b, R (g * g), R (1 - s[1]));                                             \
        a = DECAYED (a, g, R (1 - s[1]));                                                     \
        c = R (R (c * s[2]) + R (R (g * s[0]) / ROOT (R (R (b - R (a * a)) + s[3]))));        \
      }                                                                                       \
    v = R (v - c);                                                                            \
  }, __VA_ARGS__)

/* The square root is the usual power and is taken as such: pow() would give other last bits. Rows of
 * one cell have the power for what they add, and the root for what they divide by. */
#define POWER(x, power) R (pow (x, -(power)))
#define ACCUM_POWER(x, power) ((power) == (typeof (x)) -0.5 ? ROOT (x) : POWER (x, power))
#define ADDED_POWER(x, power) (narrow ? POWER (x, power) : ACCUM_POWER (x, power))
#define CLIP(x, limit) ((limit) < (x) ? (limit) : (x) < -(limit) ? -(limit) : (x))
/* Named rows are clipped, all others set to 0 where they are small: not the same for what is NaN. */
#define FTRL_STEP(b, l1, below)                                                               \
  (sparse ? R (R (CLIP (b, l1) - b) / below)                                                  \
   : fabs (b) > l1 ? R (R (R (l1 * SIGN (b)) - b) / below) : 0)

/* s: lr, l1, l2, lr_power; a: accum, b: linear */
#define FTRL(...)                                                                             \
  LOOP (ftrl, 2, {                                                                            \
    const typeof (v) sum = R (a + R (g * g));                                                 \
    const typeof (v) added = R (ADDED_POWER (sum, s[3]) - ADDED_POWER (a, s[3]));             \
    const typeof (v) moved = R (R (added / s[0]) * v);                                        \
    b = narrow ? R (R (b + g) - moved) : R (b + R (g - moved));                               \
    const typeof (v) below = R (R (ACCUM_POWER (sum, s[3]) / s[0]) + R (2 * s[2]));           \
    v = FTRL_STEP (b, s[1], below);                                                           \
    a = sum;                                                                                  \
  }, __VA_ARGS__)

/* s: lr, l1, l2, l2_shrinkage, lr_power */
#define FTRL_V2(...)                                                                          \
  LOOP (ftrl_v2, 2, {                                                                         \
    const typeof (v) shrunk = R (g + R (R (2 * s[3]) * v));                                   \
    const typeof (v) sum = R (a + R (g * g));                                                 \
    const typeof (v) added = R (ADDED_POWER (sum, s[4]) - ADDED_POWER (a, s[4]));             \
    const typeof (v) moved = R (R (added / s[0]) * v);                                        \
    b = narrow ? R (R (b + shrunk) - moved) : R (b + R (shrunk - moved));                     \
    const typeof (v) below = R (R (ACCUM_POWER (sum, s[4]) / s[0]) + R (2 * s[2]));           \
    v = FTRL_STEP (b, s[1], below);                                                           \
    a = sum;                                                                                  \
  }, __VA_ARGS__)

/* Shrinks @x towards 0 by @by, not beyond. */
#define SHRINK(x, by) (SIGN (x) * NOT_NEGATIVE (fabs (x) - (by)))

/* s: alpha, l1, l2 */
#define PROXIMAL_GRADIENT_DESCENT(...)                                                        \
  LOOP (proximal_gradient_descent, 0, {                                                       \
    const typeof (v) prox = v - g * s[0];                                                     \
    v = (s[1] > 0 ? SHRINK (prox, s[0] * s[1]) : prox) / (1 + s[2] * s[0]);                   \
  }, __VA_ARGS__)

/* s: lr, l1, l2; a: accum */
#define PROXIMAL_ADAGRAD(...)                                                                 \
  LOOP (proximal_adagrad, 1, {                                                                \
    a += g * g;                                                                               \
    const typeof (v) rate = s[0] * INVERSE_ROOT (a);                                                  \
    const typeof (v) prox = v - g * rate;                                                     \
    v = (s[1] > 0 ? SHRINK (prox, rate * s[1]) : prox) / (1 + s[2] * rate);                   \
  }, __VA_ARGS__)

/* s: lr, alpha, sign_decay, beta; a: m */
#define ADD_SIGN(...)                                                                         \
  LOOP (add_sign, 1, {                                                                        \
    a = MIXED (a, g, s[3]);                                                                   \
    v = R (v - R (R (s[0] * R (s[1] + R (s[2] * (SIGN (g) * SIGN (a))))) * g));               \
  }, __VA_ARGS__)

/* s: lr, logbase, sign_decay, beta; a: m */
#define POWER_SIGN(...)                                                                       \
  LOOP (power_sign, 1, {                                                                      \
    a = MIXED (a, g, s[3]);                                                                   \
    v = R (v - R (R (s[0] * R (exp (R (R (s[1] * s[2]) * (SIGN (g) * SIGN (a)))))) * g));     \
  }, __VA_ARGS__)

#define RULES(OF)                                                                             \
  OF (GRADIENT_DESCENT) OF (MOMENTUM) OF (KERAS_MOMENTUM) OF (ADAM_STEP) OF (ADAM)        \
  OF (AMSGRAD) OF (ADA_MAX) OF (ADAGRAD) OF (ADAGRAD_V2) OF (ADAGRAD_DA) OF (ADADELTA) OF (RMS_PROP)                    \
  OF (CENTERED_RMS_PROP) OF (FTRL) OF (FTRL_V2) OF (PROXIMAL_GRADIENT_DESCENT)                \
  OF (PROXIMAL_ADAGRAD) OF (ADD_SIGN) OF (POWER_SIGN)

#define R(x) (x)
#define VECTOR_ROOT(x) flow_cell_root (x)
#define VECTOR_INVERSE_ROOT(x) flow_cell_inverse_root (x)
RULES (FLOW_OF_FLOAT)
#undef VECTOR_ROOT
#undef VECTOR_INVERSE_ROOT
#define VECTOR_ROOT(x) R (sqrt (x))
#define VECTOR_INVERSE_ROOT(x) R (1 / R (sqrt (x)))
RULES (FLOW_OF_DOUBLE)
#undef R
#define R flow_round_half
RULES (FLOW_OF_HALF)
#undef R
#define R flow_round_bfloat16
RULES (FLOW_OF_BFLOAT16)
#undef R

static gboolean
prepare_adam (FlowKernelContext  *c,
              FlowUpdate         *u,
              GError            **error)
{
  switch ((int) flow_kernel_attr_dtype (c, "T"))
    {
    case FLOW_DTYPE_HALF:
      u->derived = step_size_half (u->scalars);
      break;

    case FLOW_DTYPE_BFLOAT16:
      u->derived = step_size_bfloat16 (u->scalars);
      break;

    case FLOW_DTYPE_FLOAT:
      u->derived = step_size_float (u->scalars);
      break;

    default:
      u->derived = step_size_double (u->scalars);
      break;
    }
  return TRUE;
}

#define FTRL_WORDS \
  (FLOW_TRAINING_SIGNS | FLOW_TRAINING_SLOTS_FIRST | FLOW_TRAINING_GRADIENT_FIRST | FLOW_TRAINING_WIDE_ROWS)

const FlowTrainingRule flow_rule_gradient_descent = { FUNCS (gradient_descent) };
const FlowTrainingRule flow_rule_momentum = {
  FUNCS (momentum), .flag_attr = "use_nesterov", .words = FLOW_TRAINING_SPACED_SPARSE,
};
const FlowTrainingRule flow_rule_keras_momentum = {
  FUNCS (keras_momentum), .flag_attr = "use_nesterov", .words = FLOW_TRAINING_SPACED_SPARSE,
};
const FlowTrainingRule flow_rule_adam = {
  FUNCS (adam), .flag_attr = "use_nesterov", .words = FLOW_TRAINING_SPACED_DENSE, .prepare = prepare_adam,
};
const FlowTrainingRule flow_rule_amsgrad = {
  FUNCS (amsgrad), .words = FLOW_TRAINING_SPACED_DENSE | FLOW_TRAINING_LAST_UNLOCKED, .prepare = prepare_adam,
};
const FlowTrainingRule flow_rule_ada_max = { FUNCS (ada_max), .words = FLOW_TRAINING_SPACED_DENSE };
const FlowTrainingRule flow_rule_adagrad = {
  FUNCS (adagrad), .flag_attr = "update_slots", .words = FLOW_TRAINING_WIDE_ROWS,
};
const FlowTrainingRule flow_rule_adagrad_v2 = {
  FUNCS (adagrad_v2), .flag_attr = "update_slots", .words = FLOW_TRAINING_WIDE_ROWS,
};
const FlowTrainingRule flow_rule_adagrad_da = { FUNCS (adagrad_da), .words = FLOW_TRAINING_WIDE_ROWS };
const FlowTrainingRule flow_rule_adadelta = { FUNCS (adadelta), .words = FLOW_TRAINING_FIRST_LOCKED };
const FlowTrainingRule flow_rule_rms_prop = { FUNCS (rms_prop), .words = FLOW_TRAINING_SPACED_DENSE };
const FlowTrainingRule flow_rule_centered_rms_prop = {
  FUNCS (centered_rms_prop), .words = FLOW_TRAINING_SPACED_DENSE,
};
const FlowTrainingRule flow_rule_ftrl = { FUNCS (ftrl), .words = FTRL_WORDS };
const FlowTrainingRule flow_rule_ftrl_v2 = { FUNCS (ftrl_v2), .words = FTRL_WORDS };
const FlowTrainingRule flow_rule_proximal_gradient_descent = {
  FUNCS (proximal_gradient_descent), .words = FLOW_TRAINING_WIDE_ROWS,
};
const FlowTrainingRule flow_rule_proximal_adagrad = {
  FUNCS (proximal_adagrad), .words = FLOW_TRAINING_SIGNS | FLOW_TRAINING_SLOTS_FIRST | FLOW_TRAINING_WIDE_ROWS,
};
const FlowTrainingRule flow_rule_add_sign = { FUNCS (add_sign) };
const FlowTrainingRule flow_rule_power_sign = { FUNCS (power_sign) };
