/* flow-kernels-nn_bias.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-nn-private.h"
#include "flow-sum-private.h"

#include <complex.h>
#include <string.h>

/* A tensor seen as outer x channels x inner; inner is 1 when the channels are the last dimension. */
typedef struct {
  gint64 outer;
  gint64 channels;
  gint64 inner;
} Layout;

typedef struct {
  Layout layout;
  gconstpointer value;
  gconstpointer bias;
  gpointer out;
  gpointer partial;            /* BiasAddGrad: one row of sums per block of outer rows */
  gint64 n_blocks;
} Job;

#define EACH_TYPE(M)                                                                          \
  FLOW_OF_FLOAT (M) FLOW_OF_DOUBLE (M) FLOW_OF_HALF (M) FLOW_OF_BFLOAT16 (M)                   \
  FLOW_OF_SMALL_INTS (M)                                                                      \
  M (complex64, float _Complex, float _Complex, FLOW_AS_IS, FLOW_AS_IS)                       \
  M (complex128, double _Complex, double _Complex, FLOW_AS_IS, FLOW_AS_IS)

#define TYPE_TABLE(op)                                                                        \
  [FLOW_DTYPE_FLOAT] = op##_float, [FLOW_DTYPE_DOUBLE] = op##_double,                         \
  [FLOW_DTYPE_HALF] = op##_half, [FLOW_DTYPE_BFLOAT16] = op##_bfloat16,                       \
  [FLOW_DTYPE_INT32] = op##_int32, [FLOW_DTYPE_UINT8] = op##_uint8,                           \
  [FLOW_DTYPE_INT16] = op##_int16, [FLOW_DTYPE_INT8] = op##_int8,                             \
  [FLOW_DTYPE_INT64] = op##_int64, [FLOW_DTYPE_UINT16] = op##_uint16,                         \
  [FLOW_DTYPE_COMPLEX64] = op##_complex64, [FLOW_DTYPE_COMPLEX128] = op##_complex128

/* Ranges count outer rows where channels come last, else (outer, channel) pairs. */
/* Integers wrap, as the processor does for TensorFlow. */
#define WRAPPED_SUM(C, a, b)                                                                  \
  _Generic ((C) 0, gint32: (C) ((guint32) (a) + (guint32) (b)),                               \
            gint64: (C) ((guint64) (a) + (guint64) (b)), default: (C) ((a) + (b)))

#define ADD_LOOPS(name, S, C, LOAD, STORE)                                                    \
  static FLOW_HOT void                                                                        \
  add_last_##name (gint64 begin, gint64 end, gpointer data)                                   \
  {                                                                                           \
    const Job *job = data;                                                                    \
    const gint64 n = job->layout.channels;                                                    \
    const S *bias = job->bias;                                                                \
                                                                                              \
    for (gint64 row = begin; row < end; row++)                                                \
      {                                                                                       \
        const S *value = (const S *) job->value + row * n;                                    \
        S *out = (S *) job->out + row * n;                                                    \
                                                                                              \
        for (gint64 i = 0; i < n; i++)                                                        \
          out[i] = (S) STORE (WRAPPED_SUM (C, LOAD (value[i]), LOAD (bias[i])));              \
      }                                                                                       \
  }                                                                                           \
                                                                                              \
  static FLOW_HOT void                                                                        \
  add_first_##name (gint64 begin, gint64 end, gpointer data)                                  \
  {                                                                                           \
    const Job *job = data;                                                                    \
    const gint64 n = job->layout.inner;                                                       \
                                                                                              \
    for (gint64 row = begin; row < end; row++)                                                \
      {                                                                                       \
        const C bias = LOAD (((const S *) job->bias)[row % job->layout.channels]);            \
        const S *value = (const S *) job->value + row * n;                                    \
        S *out = (S *) job->out + row * n;                                                    \
                                                                                              \
        for (gint64 i = 0; i < n; i++)                                                        \
          out[i] = (S) STORE (WRAPPED_SUM (C, LOAD (value[i]), bias));                        \
      }                                                                                       \
  }

EACH_TYPE (ADD_LOOPS)

/* Sums are kept wider than the elements: double for floats, modulo 2^64 for integers. */
typedef double Wide_float;
typedef double Wide_double;
typedef double Wide_half;
typedef double Wide_bfloat16;
typedef guint64 Wide_int32;
typedef guint64 Wide_uint8;
typedef guint64 Wide_int16;
typedef guint64 Wide_int8;
typedef guint64 Wide_int64;
typedef guint64 Wide_uint16;
typedef double _Complex Wide_complex64;
typedef double _Complex Wide_complex128;

#define SUM_LOOPS(name, S, C, LOAD, STORE)                                                    \
  static FLOW_HOT void                                                                        \
  sum_rows_##name (const S *value, gint64 begin, gint64 end, const Layout *layout,            \
                   Wide_##name *sum)                                                          \
  {                                                                                           \
    const gint64 n = layout->channels;                                                        \
                                                                                              \
    if (layout->inner == 1)                                                                   \
      for (gint64 row = begin; row < end; row++)                                              \
        for (gint64 i = 0; i < n; i++)                                                        \
          sum[i] += (Wide_##name) LOAD (value[row * n + i]);                                  \
    else                                                                                      \
      for (gint64 row = begin * n; row < end * n; row++)                                      \
        {                                                                                     \
          Wide_##name total = 0;                                                              \
                                                                                              \
          for (gint64 i = 0; i < layout->inner; i++)                                          \
            total += (Wide_##name) LOAD (value[row * layout->inner + i]);                     \
          sum[row % n] += total;                                                              \
        }                                                                                     \
  }                                                                                           \
                                                                                              \
  static void                                                                                 \
  sum_blocks_##name (gint64 begin, gint64 end, gpointer data)                                 \
  {                                                                                           \
    const Job *job = data;                                                                    \
    const gint64 rows = job->layout.outer;                                                    \
                                                                                              \
    for (gint64 block = begin; block < end; block++)                                          \
      sum_rows_##name (job->value, rows * block / job->n_blocks,                              \
                       rows * (block + 1) / job->n_blocks, &job->layout,                      \
                       (Wide_##name *) job->partial + block * job->layout.channels);          \
  }                                                                                           \
                                                                                              \
  static void                                                                                 \
  sum_partials_##name (gint64 begin, gint64 end, gpointer data)                               \
  {                                                                                           \
    const Job *job = data;                                                                    \
    S *out = job->out;                                                                        \
                                                                                              \
    for (gint64 i = begin; i < end; i++)                                                      \
      {                                                                                       \
        Wide_##name total = 0;                                                                \
                                                                                              \
        for (gint64 block = 0; block < job->n_blocks; block++)                                \
          total += ((const Wide_##name *) job->partial)[block * job->layout.channels + i];    \
        out[i] = (S) STORE ((C) total);                                                       \
      }                                                                                       \
  }

EACH_TYPE (SUM_LOOPS)

static gboolean
channels_first (const char *format)
{
  return strcmp (format, "NCHW") == 0;
}

static Layout
layout_of (const FlowTensor *tensor,
           gboolean          first)
{
  Layout layout = { 1, 1, 1 };
  int rank = FLOW_RANK (tensor);
  int axis = first ? 1 : rank - 1;

  for (int i = 0; i < rank; i++)
    *(i < axis ? &layout.outer : i == axis ? &layout.channels : &layout.inner) *= FLOW_DIMS (tensor)[i];
  return layout;
}

static gboolean
infer_bias_add (FlowInferContext  *c,
                GError           **error)
{
  g_autoptr (FlowShape) value = NULL;
  g_autoptr (FlowShape) bias = NULL;
  gboolean has_format = flow_op_signature_find_attr ((FlowOpSignature *) c->signature, "data_format") != NULL;
  gboolean first = has_format && channels_first (flow_infer_attr_string (c, "data_format"));
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  int axis;

  if (c->running)
    {
      flow_infer_set_output (c, 0, flow_infer_input (c, 0));
      return TRUE;
    }
  if (!flow_infer_with_rank_at_least (c, flow_infer_input (c, 0), first ? 3 : 2, &value, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 1), 1, &bias, error))
    return FALSE;
  if (value->rank == FLOW_RANK_UNKNOWN)
    {
      flow_infer_set_output (c, 0, value);
      return TRUE;
    }
  axis = first ? 1 : value->rank - 1;
  memcpy (dims, value->dims, sizeof (gint64) * (gsize) value->rank);
  if (!flow_infer_merge_dim (c, dims[axis], flow_shape_get_dim (bias, 0), &dims[axis], error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new (value->rank, dims));
  return TRUE;
}

static gboolean
bias_add (FlowKernelContext  *c,
          gboolean            first,
          GError            **error)
{
  static const FlowRangeFunc last_funcs[FLOW_N_DTYPES] = { TYPE_TABLE (add_last) };
  static const FlowRangeFunc first_funcs[FLOW_N_DTYPES] = { TYPE_TABLE (add_first) };
  FlowTensor *value = flow_kernel_input (c, 0);
  FlowTensor *bias = flow_kernel_input (c, 1);
  g_autofree char *value_text = flow_shape_to_string (value->shape);
  g_autofree char *bias_text = flow_shape_to_string (bias->shape);
  FlowTensor *out;
  Job job;

  FLOW_REQUIRE (FLOW_RANK (value) >= 2, error, INVALID_ARGUMENT, "Input tensor must be at least 2D: %s", value_text);
  FLOW_REQUIRE (FLOW_RANK (bias) == 1, error, INVALID_ARGUMENT, "Biases must be 1D: %s", bias_text);
  FLOW_REQUIRE (FLOW_DIMS (bias)[0] == FLOW_DIMS (value)[first ? 1 : FLOW_RANK (value) - 1], error, INVALID_ARGUMENT,
                "Must provide as many biases as the %s dimension of the input tensor: %s vs. %s",
                first ? "channel" : "last", bias_text, value_text);

  out = flow_kernel_forward_or_allocate (c, 0, 0, value->shape, error);
  if (out == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  FLOW_REQUIRE (FLOW_RANK (value) <= 5 && (!first || FLOW_RANK (value) > 2), error, INVALID_ARGUMENT,
                "Only ranks up to 5 supported: %s", value_text);
  job = (Job) { .layout = layout_of (value, first), .value = value->data, .bias = bias->data, .out = out->data };
  if (job.layout.inner == 1)
    flow_parallel_for (job.layout.outer, 1 + FLOW_NN_GRAIN / job.layout.channels, last_funcs[value->dtype], &job);
  else
    flow_parallel_for (job.layout.outer * job.layout.channels, 1 + FLOW_NN_GRAIN / job.layout.inner,
                       first_funcs[value->dtype], &job);
  return TRUE;
}

static gboolean
bias_add_compute (FlowKernelContext  *c,
                  GError            **error)
{
  return bias_add (c, channels_first (flow_kernel_attr_string (c, "data_format")), error);
}

static gboolean
bias_add_v1_compute (FlowKernelContext  *c,
                     GError            **error)
{
  return bias_add (c, FALSE, error);
}

static gboolean
infer_bias_add_grad (FlowInferContext  *c,
                     GError           **error)
{
  gboolean first = channels_first (flow_infer_attr_string (c, "data_format"));
  g_autoptr (FlowShape) shape = NULL;

  if (c->running)
    {
      const FlowShape *in = flow_infer_input (c, 0);
      g_autofree char *text = flow_shape_to_string (in);

      FLOW_REQUIRE (in->rank >= 2, error, INVALID_ARGUMENT, "Input tensor must be at least 2D: %s", text);
    }
  if (!flow_infer_with_rank_at_least (c, flow_infer_input (c, 0), first ? 3 : 2, &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_vector (shape->rank == FLOW_RANK_UNKNOWN ? FLOW_DIM_UNKNOWN
                                                       : shape->dims[first ? 1 : shape->rank - 1]));
  return TRUE;
}

static gboolean
bias_add_grad_compute (FlowKernelContext  *c,
                       GError            **error)
{
  static const FlowRangeFunc block_funcs[FLOW_N_DTYPES] = { TYPE_TABLE (sum_blocks) };
  static const FlowRangeFunc partial_funcs[FLOW_N_DTYPES] = { TYPE_TABLE (sum_partials) };
  FlowTensor *value = flow_kernel_input (c, 0);
  FlowTensor *out = flow_kernel_allocate_inferred (c, 0, error);
  g_autoptr (FlowTensor) partial = NULL;
  g_autoptr (FlowShape) partial_shape = NULL;
  Job job;

  if (out == NULL)
    return FALSE;
  job = (Job) {
    .layout = layout_of (value, channels_first (flow_kernel_attr_string (c, "data_format"))),
    .value = value->data,
    .out = out->data,
  };
  if (out->n_elements == 0)
    return TRUE;

  if (value->dtype == FLOW_DTYPE_FLOAT && job.layout.inner == 1)
    {
      flow_sum_rows_float (value->data, job.layout.outer, job.layout.channels, out->data);
      return TRUE;
    }
  /* The blocks depend on the shape alone, so that the sums do not depend on the number of threads. */
  job.n_blocks = CLAMP (value->n_elements / FLOW_NN_GRAIN, 1, 64);
  job.n_blocks = CLAMP (job.n_blocks, 1, MAX (job.layout.outer, 1));
  partial_shape = flow_shape_new_matrix (job.n_blocks, job.layout.channels * 2);
  partial = flow_kernel_allocate_temp (c, FLOW_DTYPE_DOUBLE, partial_shape, error);
  if (partial == NULL)
    return FALSE;
  memset (partial->data, 0, partial->n_bytes);
  job.partial = partial->data;
  flow_parallel_for (job.n_blocks, 1, block_funcs[value->dtype], &job);
  flow_parallel_for (job.layout.channels, FLOW_NN_GRAIN / job.n_blocks, partial_funcs[value->dtype], &job);
  return TRUE;
}

/* TF's profiler: input elements minus output elements. */
static gint64
bias_add_grad_flops (FlowInferContext *c)
{
  gint64 in = flow_nn_flops_input (c);
  gint64 out = flow_nn_flops_output (c);

  return in < 0 || out < 0 ? -1 : in - out;
}

#define BIAS_TYPES                                                                            \
  "T: bfloat16 complex128 complex64 double float half int16 int32 int64 int8 uint16 uint8"

static const FlowKernelDef bias_add_kernels[] = { { BIAS_TYPES, bias_add_compute }, { NULL } };
static const FlowKernelDef bias_add_v1_kernels[] = { { BIAS_TYPES, bias_add_v1_compute }, { NULL } };
static const FlowKernelDef bias_add_grad_kernels[] = { { BIAS_TYPES, bias_add_grad_compute }, { NULL } };

#define BIAS_ATTRS "T: " FLOW_NUMBER_TYPES "; data_format: {'NHWC', 'NCHW'} = 'NHWC'"

static const FlowOpDef ops[] = {
  {
    .name = "BiasAdd",
    .inputs = "value: T; bias: T",
    .outputs = "output: T",
    .attrs = BIAS_ATTRS,
    .summary = "Adds a bias per channel",
    .family = FLOW_OP_FAMILY_LINEAR,
    .infer = infer_bias_add,
    .kernels = bias_add_kernels,
    .flops = flow_nn_flops_input,
  },
  {
    .name = "BiasAddGrad",
    .inputs = "out_backprop: T",
    .outputs = "output: T",
    .attrs = BIAS_ATTRS,
    .summary = "Gradient of BiasAdd for the bias: the sum per channel",
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = infer_bias_add_grad,
    .kernels = bias_add_grad_kernels,
    .flops = bias_add_grad_flops,
  },
  {
    .name = "BiasAddV1",
    .inputs = "value: T; bias: T",
    .outputs = "output: T",
    .attrs = "T: " FLOW_NUMBER_TYPES,
    .summary = "Adds a bias along the last dimension",
    .family = FLOW_OP_FAMILY_LINEAR,
    .infer = infer_bias_add,
    .kernels = bias_add_v1_kernels,
  },
};

FLOW_DEFINE_OP_FAMILY (nn_bias, ops)
