/* flow-kernels-nn_activation.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-nn-private.h"
#include "flow-vector-math-private.h"

#include <math.h>

/* Activations and their gradients: element-wise, one typed loop each. The gradients multiply by the
 * condition instead of choosing, as TensorFlow does: an infinite gradient at a closed gate is NaN. */

typedef struct {
  gconstpointer a;             /* features, or gradients */
  gconstpointer b;             /* features or outputs of the gradient ops */
  gpointer out;
  float alpha;
  gint64 n;
  FlowRangeFunc func;
  const FlowVectorMath *math;
} Job;

#define SELU_SCALE 1.0507009873554804934193349852946
#define SELU_SCALE_ALPHA 1.7580993408473768599402175208123

/* One loop: @expr uses x (unary), or g and x (gradients), and alpha. */
#define UNARY_LOOP(op, expr, name, S, C, LOAD, STORE)                                         \
  static FLOW_HOT void                                                                        \
  op##_##name (gint64 begin, gint64 end, gpointer data)                                       \
  {                                                                                           \
    const Job *job = data;                                                                    \
    const S *a = job->a;                                                                      \
    S *out = job->out;                                                                        \
    const C alpha G_GNUC_UNUSED = LOAD ((S) STORE ((C) job->alpha));                          \
    const C zero G_GNUC_UNUSED = 0;                                                           \
                                                                                              \
    for (gint64 i = begin; i < end; i++)                                                      \
      {                                                                                       \
        const C x = LOAD (a[i]);                                                              \
                                                                                              \
        out[i] = (S) STORE ((C) (expr));                                                      \
      }                                                                                       \
  }

#define GRAD_LOOP(op, expr, name, S, C, LOAD, STORE)                                          \
  static FLOW_HOT void                                                                        \
  op##_##name (gint64 begin, gint64 end, gpointer data)                                       \
  {                                                                                           \
    const Job *job = data;                                                                    \
    const S *a = job->a;                                                                      \
    const S *b = job->b;                                                                      \
    S *out = job->out;                                                                        \
    const C alpha G_GNUC_UNUSED = LOAD ((S) STORE ((C) job->alpha));                          \
    const C zero G_GNUC_UNUSED = 0;                                                           \
                                                                                              \
    for (gint64 i = begin; i < end; i++)                                                      \
      {                                                                                       \
        const C g = LOAD (a[i]);                                                              \
        const C x = LOAD (b[i]);                                                              \
                                                                                              \
        out[i] = (S) STORE ((C) (expr));                                                      \
      }                                                                                       \
  }

#define EACH_FLOAT(M) FLOW_OF_FLOAT (M) FLOW_OF_DOUBLE (M) FLOW_OF_HALF (M) FLOW_OF_BFLOAT16 (M)
#define EACH_REAL(M) EACH_FLOAT (M) FLOW_OF_SMALL_INTS (M)

/* NaN passes through: no comparison with it holds. */
#define RELU(...) UNARY_LOOP (relu, x < zero ? zero : x, __VA_ARGS__)
EACH_REAL (RELU)
#define RELU_GRAD(...) GRAD_LOOP (relu_grad, g * (x > zero), __VA_ARGS__)
EACH_REAL (RELU_GRAD)
#define RELU6(...) UNARY_LOOP (relu6, x < zero ? zero : x > 6 ? 6 : x, __VA_ARGS__)
EACH_REAL (RELU6)
#define RELU6_GRAD(...) GRAD_LOOP (relu6_grad, g * (x > zero && x < 6), __VA_ARGS__)
EACH_REAL (RELU6_GRAD)
#define LEAKY_RELU(...) UNARY_LOOP (leaky_relu, x > zero ? x : x * alpha, __VA_ARGS__)
EACH_FLOAT (LEAKY_RELU)
#define LEAKY_RELU_GRAD(...) GRAD_LOOP (leaky_relu_grad, x > zero ? g : g * alpha, __VA_ARGS__)
EACH_FLOAT (LEAKY_RELU_GRAD)

/* R () rounds to the dtype of the op, as TensorFlow does after each operation. */
#define ELU(...) UNARY_LOOP (elu, x < 0 ? R (EXP (x)) - 1 : x, __VA_ARGS__)
#define ELU_GRAD(...) GRAD_LOOP (elu_grad, x < 0 ? R (x + 1) * g : g, __VA_ARGS__)
#define SELU(...)                                                                             \
  UNARY_LOOP (selu, x < 0 ? R (AS (SELU_SCALE_ALPHA)) * R (R (EXP (x)) - 1)                   \
              : R (AS (SELU_SCALE)) * x, __VA_ARGS__)
#define SELU_GRAD(...)                                                                        \
  GRAD_LOOP (selu_grad, x < 0 ? g * R (x + R (AS (SELU_SCALE_ALPHA))) : g * R (AS (SELU_SCALE)), __VA_ARGS__)
/* Beyond the threshold log(1 + e^x) is x, below its negative e^x, to the last bit. TF: the sum is
 * rounded, so that between them small results are steps. */
#define SOFTPLUS(...)                                                                         \
  UNARY_LOOP (softplus, x > -LIMIT ? x : x < LIMIT ? EXP (x) : LOG (R (R (EXP (x)) + 1)), __VA_ARGS__)
#define SOFTPLUS_GRAD(...) GRAD_LOOP (softplus_grad, g / R (R (EXP (-x)) + 1), __VA_ARGS__)
#define BEYOND_ONE(x) R (((x) < 0 ? -(x) : (x)) + 1)
#define SOFTSIGN(...) UNARY_LOOP (softsign, x / BEYOND_ONE (x), __VA_ARGS__)
#define SOFTSIGN_GRAD(...)                                                                    \
  GRAD_LOOP (softsign_grad, g / R (BEYOND_ONE (x) * BEYOND_ONE (x)), __VA_ARGS__)

#define ALGEBRAIC(OF) OF (ELU_GRAD) OF (SELU_GRAD) OF (SOFTSIGN) OF (SOFTSIGN_GRAD)
#define SMOOTH(OF) ALGEBRAIC (OF) OF (ELU) OF (SELU) OF (SOFTPLUS) OF (SOFTPLUS_GRAD)

#define AS(x) ((float) (x))
#define EXP expf
#define LOG logf
#define R(x) (x)
ALGEBRAIC (FLOW_OF_FLOAT)

/* float: exponentials by whole vectors, a block at a time, then @expr of g or x and e. */
#define BLOCK 1024

#define EXP_LOOP(op, argument, expr)                                                          \
  static FLOW_HOT void                                                                        \
  op##_float (gint64 begin, gint64 end, gpointer data)                                        \
  {                                                                                           \
    const Job *job = data;                                                                    \
    float e[BLOCK];                                                                           \
                                                                                              \
    for (gint64 at = begin; at < end; at += BLOCK)                                            \
      {                                                                                       \
        const gint64 n = MIN (BLOCK, end - at);                                               \
        const float *a = (const float *) job->a + at;                                         \
        const float *b G_GNUC_UNUSED = (const float *) job->b + (job->b != NULL ? at : 0);    \
        float *out = (float *) job->out + at;                                                 \
                                                                                              \
        for (gint64 i = 0; i < n; i++)                                                        \
          e[i] = (argument);                                                                  \
        job->math->exp (e, e, n);                                                            \
        for (gint64 i = 0; i < n; i++)                                                        \
          out[i] = (expr);                                                                    \
      }                                                                                       \
  }

EXP_LOOP (elu, a[i], a[i] < 0 ? e[i] - 1 : a[i])
EXP_LOOP (selu, a[i], a[i] < 0 ? AS (SELU_SCALE_ALPHA) * (e[i] - 1) : AS (SELU_SCALE) * a[i])
EXP_LOOP (softplus_grad, -b[i], a[i] / (e[i] + 1))

static void
softplus_float (gint64   begin,
                gint64   end,
                gpointer data)
{
  const Job *job = data;

  job->math->softplus ((const float *) job->a + begin, (float *) job->out + begin, end - begin);
}

#undef R
#define R flow_round_half
#define LIMIT (-7.0078125f)     /* log (2^-13) + 2, which is what Eigen takes for its epsilon */
SMOOTH (FLOW_OF_HALF)
#undef R
#undef LIMIT
#define R flow_round_bfloat16
#define LIMIT (-INFINITY)       /* Eigen has no epsilon for it: the logarithm of 0 */
SMOOTH (FLOW_OF_BFLOAT16)
#undef R
#undef LIMIT
#undef LOG
#undef EXP
#undef AS
#define AS(x) (x)
#define EXP exp
#define LOG log
#define R(x) (x)
#define LIMIT (-34.04365338911715)  /* log (2^-52) + 2 */
SMOOTH (FLOW_OF_DOUBLE)
#undef R
#undef LIMIT
#undef LOG
#undef EXP
#undef AS

#define FLOATS(op)                                                                            \
  [FLOW_DTYPE_FLOAT] = op##_float, [FLOW_DTYPE_DOUBLE] = op##_double,                         \
  [FLOW_DTYPE_HALF] = op##_half, [FLOW_DTYPE_BFLOAT16] = op##_bfloat16
#define REALS(op)                                                                             \
  FLOATS (op), [FLOW_DTYPE_INT32] = op##_int32, [FLOW_DTYPE_UINT8] = op##_uint8,              \
  [FLOW_DTYPE_INT16] = op##_int16, [FLOW_DTYPE_INT8] = op##_int8,                             \
  [FLOW_DTYPE_INT64] = op##_int64, [FLOW_DTYPE_UINT16] = op##_uint16

static gboolean
infer_gradient (FlowInferContext  *c,
                GError           **error)
{
  g_autoptr (FlowShape) shape = NULL;
  const FlowShape *a = flow_infer_input (c, 0);
  const FlowShape *b = flow_infer_input (c, 1);

  if (c->running)
    {
      g_autofree char *a_text = flow_shape_to_string (a);
      g_autofree char *b_text = flow_shape_to_string (b);

      FLOW_REQUIRE (flow_shape_equal (a, b), error, INVALID_ARGUMENT,
                    "Inputs to operation %s of type %s must have the same size and shape.  Input 0: %s != input 1: %s",
                    c->node_name, c->signature->name, a_text, b_text);
      flow_infer_set_output (c, 0, a);
      return TRUE;
    }
  if (!flow_infer_merge (c, a, b, &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, g_steal_pointer (&shape));
  return TRUE;
}

/* Shares are whole vectors: what is left over belongs to the end of the tensor. */
static void
vector_range (gint64   begin,
              gint64   end,
              gpointer data)
{
  const Job *job = data;

  job->func (begin * FLOW_VECTOR_WIDTH, MIN (end * FLOW_VECTOR_WIDTH, job->n), data);
}

static gboolean
run (FlowKernelContext    *c,
     const FlowRangeFunc  *funcs,
     float                 alpha,
     GError              **error)
{
  FlowTensor *a = flow_kernel_input (c, 0);
  FlowTensor *b = c->n_inputs > 1 ? flow_kernel_input (c, 1) : NULL;
  FlowTensor *out = flow_kernel_forward_or_allocate (c, 0, 0, a->shape, error);
  Job job;

  if (out == NULL)
    return FALSE;
  job = (Job) { a->data, b != NULL ? b->data : NULL, out->data, alpha, a->n_elements, funcs[a->dtype],
                &flow_vector_math[flow_kernel_release (c)] };
  flow_parallel_for (FLOW_VECTORS (job.n), FLOW_NN_GRAIN / FLOW_VECTOR_WIDTH, vector_range,
                     &job);
  return TRUE;
}

#define COMPUTE(op, types, alpha)                                                             \
  static gboolean                                                                             \
  op##_compute (FlowKernelContext *c, GError **error)                                         \
  {                                                                                           \
    static const FlowRangeFunc funcs[FLOW_N_DTYPES] = { types (op) };                         \
                                                                                              \
    return run (c, funcs, alpha, error);                                                      \
  }

COMPUTE (relu, REALS, 0)
COMPUTE (relu_grad, REALS, 0)
COMPUTE (relu6, REALS, 0)
COMPUTE (relu6_grad, REALS, 0)
COMPUTE (leaky_relu, FLOATS, flow_kernel_attr_float (c, "alpha"))
COMPUTE (leaky_relu_grad, FLOATS, flow_kernel_attr_float (c, "alpha"))
COMPUTE (elu, FLOATS, 0)
COMPUTE (elu_grad, FLOATS, 0)
COMPUTE (selu, FLOATS, 0)
COMPUTE (selu_grad, FLOATS, 0)
COMPUTE (softplus, FLOATS, 0)
COMPUTE (softplus_grad, FLOATS, 0)
COMPUTE (softsign, FLOATS, 0)
COMPUTE (softsign_grad, FLOATS, 0)

#define KERNELS(op, dtypes)                                                                   \
  static const FlowKernelDef op##_kernels[] = { { dtypes, op##_compute }, { NULL } };

KERNELS (relu, FLOW_REAL_KERNELS)
KERNELS (relu_grad, FLOW_REAL_KERNELS)
KERNELS (relu6, FLOW_REAL_KERNELS)
KERNELS (relu6_grad, FLOW_REAL_KERNELS)
KERNELS (leaky_relu, "T: bfloat16 double float half")
KERNELS (leaky_relu_grad, "T: bfloat16 double float half")
KERNELS (elu, "T: double float half")
KERNELS (elu_grad, "T: double float half")
KERNELS (selu, "T: double float half")
KERNELS (selu_grad, "T: double float half")
KERNELS (softplus, "T: bfloat16 double float half")
KERNELS (softplus_grad, "T: bfloat16 double float half")
KERNELS (softsign, "T: bfloat16 double float half")
KERNELS (softsign_grad, "T: bfloat16 double float half")

#define UNARY_OP(op_name, op, attr_text, text)                                                \
  { .name = op_name, .inputs = "features: T", .outputs = "activations: T", .attrs = attr_text, \
    .summary = text, .family = FLOW_OP_FAMILY_MATH, .infer = flow_infer_unchanged_shape,      \
    .kernels = op##_kernels }
#define GRAD_OP(op_name, op, second, attr_text, text)                                         \
  { .name = op_name, .inputs = "gradients: T; " second ": T", .outputs = "backprops: T",      \
    .attrs = attr_text, .summary = text, .family = FLOW_OP_FAMILY_GRADIENT,                   \
    .infer = infer_gradient, .kernels = op##_kernels }

#define T_REAL "T: " FLOW_REAL_TYPES
#define T_FLOAT "T: " FLOW_FLOAT_TYPES
#define T_RELU                                                                                \
  "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8}"
#define T_LEAKY "alpha: float = 0.2; T: " FLOW_FLOAT_TYPES " = DT_FLOAT"

static const FlowOpDef ops[] = {
  UNARY_OP ("Elu", elu, T_FLOAT, "x above 0, exp(x) - 1 below"),
  GRAD_OP ("EluGrad", elu_grad, "outputs", T_FLOAT, "Gradient of Elu"),
  UNARY_OP ("LeakyRelu", leaky_relu, T_LEAKY, "x above 0, alpha times x below"),
  GRAD_OP ("LeakyReluGrad", leaky_relu_grad, "features", T_LEAKY, "Gradient of LeakyRelu"),
  UNARY_OP ("Relu", relu, T_RELU, "x above 0, 0 below"),
  UNARY_OP ("Relu6", relu6, T_REAL, "x between 0 and 6, else the nearer of them"),
  GRAD_OP ("Relu6Grad", relu6_grad, "features", T_REAL, "Gradient of Relu6"),
  GRAD_OP ("ReluGrad", relu_grad, "features", T_REAL, "Gradient of Relu"),
  UNARY_OP ("Selu", selu, T_FLOAT, "Scaled Elu, which keeps mean 0 and variance 1"),
  GRAD_OP ("SeluGrad", selu_grad, "outputs", T_FLOAT, "Gradient of Selu"),
  UNARY_OP ("Softplus", softplus, T_FLOAT, "log(1 + exp(x))"),
  GRAD_OP ("SoftplusGrad", softplus_grad, "features", T_FLOAT, "Gradient of Softplus"),
  UNARY_OP ("Softsign", softsign, T_FLOAT, "x / (1 + |x|)"),
  GRAD_OP ("SoftsignGrad", softsign_grad, "features", T_FLOAT, "Gradient of Softsign"),
};

FLOW_DEFINE_OP_FAMILY (nn_activation, ops)
