/* flow-kernels-nn_pool.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-nn-pool-private.h"

#include <string.h>

/* MaxPool, AvgPool, their gradients, in two and three dimensions. Unlike TensorFlow's CPU, channels
 * may come first. */

/* --- Windows -------------------------------------------------------------------------------------- */

/* Kernel data of the ops that have their window as attrs; those of V2 read it at each execution. */
static gpointer
construct (FlowKernelConstruction  *c,
           int                      n_spatial,
           FlowPoolKind             kind,
           GError                 **error)
{
  g_autofree FlowWindowAttrs *attrs = g_new0 (FlowWindowAttrs, 1);
  FlowPoolSource source = {
    .n_spatial = n_spatial,
    .format = flow_pool_has_attr (c->signature, "data_format") ? flow_construction_attr (c, "data_format") : NULL,
    .padding = flow_construction_attr (c, "padding"),
    .ksize = flow_construction_attr (c, "ksize"),
    .strides = flow_construction_attr (c, "strides"),
    .strides_words = (kind == FLOW_POOL_MAX_GRAD || kind == FLOW_POOL_AVERAGE_GRAD) && n_spatial == 2 ? "strides" : NULL,
  };

  if (!flow_pool_read_window (&source, attrs, error) || !flow_pool_check_window (attrs, kind, error))
    return NULL;
  return g_steal_pointer (&attrs);
}

#define CONSTRUCT(name, n_spatial, kind)                                                      \
  static gpointer                                                                             \
  construct_##name (FlowKernelConstruction *c, GError **error)                                \
  {                                                                                           \
    return construct (c, n_spatial, kind, error);                                             \
  }

CONSTRUCT (max, 2, FLOW_POOL_MAX)
CONSTRUCT (forward, 2, FLOW_POOL_FORWARD)
CONSTRUCT (average_grad, 2, FLOW_POOL_AVERAGE_GRAD)
CONSTRUCT (max_grad, 2, FLOW_POOL_MAX_GRAD)
CONSTRUCT (max_grad_grad, 2, FLOW_POOL_MAX_GRAD_GRAD)
CONSTRUCT (argmax_grad, 2, FLOW_POOL_ARGMAX_GRAD)
CONSTRUCT (forward_3d, 3, FLOW_POOL_FORWARD)
CONSTRUCT (grad_3d, 3, FLOW_POOL_MAX_GRAD)
CONSTRUCT (max_grad_grad_3d, 3, FLOW_POOL_MAX_GRAD_GRAD)

/* The window of this execution: kernel data, or the values of the inputs from @first on. */
static gboolean
get_window (FlowKernelContext      *c,
            guint                   first,
            FlowWindowAttrs        *local,
            const FlowWindowAttrs **attrs,
            GError                **error)
{
  FlowPoolSource source = { .n_spatial = 2 };

  *attrs = flow_kernel_data (c);
  if (*attrs != NULL)
    return TRUE;
  source.format = flow_kernel_attr (c, "data_format");
  source.padding = flow_kernel_attr (c, "padding");
  source.ksize_value = flow_kernel_input (c, first);
  source.strides_value = flow_kernel_input (c, first + 1);
  source.strides_words = first == 1 ? "stride" : "strides";
  *attrs = local;
  return flow_pool_read_window (&source, local, error) &&
         flow_pool_check_window (local, first == 1 ? FLOW_POOL_MAX_V2 : FLOW_POOL_MAX_GRAD, error);
}

/* --- Compute -------------------------------------------------------------------------------------- */

/* Fills the geometry from the image's shape; @out_dims gets the shape of what the pooling gives. */
static gboolean
make_pool (const FlowWindowAttrs  *attrs,
           const FlowShape        *image,
           FlowPool               *pool,
           gint64                  out_dims[5],
           GError                **error)
{
  int n = attrs->n_spatial;
  gint64 depth = image->dims[flow_nn_dim (attrs, n + 1)];

  pool->batch = image->dims[0];
  pool->channels = depth;
  out_dims[0] = image->dims[0];
  out_dims[flow_nn_dim (attrs, n + 1)] = depth;
  for (int i = 0; i < 3; i++)
    pool->window[i] = (FlowWindow) { 1, 1, 1, 1, 1, 0, 0 };
  for (int i = 1; i <= n; i++)
    {
      FlowWindow *w = &pool->window[3 - n + i - 1];

      if (!flow_window_init (w, image->dims[flow_nn_dim (attrs, i)], attrs->ksize[i], 1, attrs->strides[i],
                             attrs->padding, error))
        return FALSE;
      out_dims[flow_nn_dim (attrs, i)] = w->output;
    }
  if (attrs->channels_first)
    {
      pool->batch *= depth;
      pool->channels = 1;
    }
  return TRUE;
}

/* As make_pool(), where the window has not been looked at. */
static gboolean
make_grad_pool (const FlowWindowAttrs  *attrs,
                const FlowShape        *image,
                FlowPool               *pool,
                gint64                  out_dims[5],
                GError                **error)
{
  return flow_pool_check_sizes (attrs, attrs->n_spatial, error) && make_pool (attrs, image, pool, out_dims, error);
}

static gboolean
require_shape (const FlowTensor  *tensor,
               const char        *what,
               int                rank,
               const gint64      *dims,
               GError           **error)
{
  g_autofree char *expected = NULL;
  g_autofree char *got = NULL;

  if (flow_nn_shape_is (tensor, rank, dims))
    return TRUE;
  expected = flow_dims_to_string (rank, dims);
  got = flow_shape_to_string (tensor->shape);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Expected %s shape to be %s, but got %s", what, expected,
               got);
  return FALSE;
}

/* TF: where the gradient has more cells than the pooling gave, it finds those whose windows begin behind the image. */
static gboolean
require_reach (const FlowPool         *pool,
               const FlowWindowAttrs  *attrs,
               const FlowTensor       *gradient,
               GError                **error)
{
  for (int i = 1; i <= attrs->n_spatial && FLOW_DIMS (gradient)[0] > 0; i++)
    {
      const FlowWindow *w = &pool->window[3 - attrs->n_spatial + i - 1];
      gint64 last = FLOW_DIMS (gradient)[flow_nn_dim (attrs, i)] - 1;

      FLOW_REQUIRE (last < 1 || last <= w->input / w->stride, error, INVALID_ARGUMENT,
                    "index * stride must be less than or equal to input size");
    }
  return TRUE;
}

/* An output to compute into: a float one for half precision, brought back by finish(). */
static FlowTensor *
begin_output (FlowKernelContext  *c,
              GError            **error)
{
  FlowTensor *out = flow_kernel_allocate_inferred (c, 0, error);

  if (out == NULL)
    return NULL;
  if (out->dtype != FLOW_DTYPE_HALF && out->dtype != FLOW_DTYPE_BFLOAT16)
    return flow_tensor_ref (out);
  return flow_kernel_allocate_temp (c, FLOW_DTYPE_FLOAT, out->shape, error);
}

static void
finish_output (FlowKernelContext *c,
               FlowTensor        *work)
{
  FlowTensor *out = c->outputs[0].tensor;

  if (work != out)
    flow_nn_narrow (work->data, out);
}

static gboolean
compute_depth (FlowKernelContext      *c,
               const FlowWindowAttrs  *attrs,
               FlowPool               *pool,
               GError                **error)
{
  gint64 window = attrs->ksize[attrs->n_spatial + 1];
  g_autoptr (FlowTensor) work = NULL;

  FLOW_REQUIRE (!attrs->channels_first, error, UNIMPLEMENTED, "Depthwise max pooling requires the depth dimension to be last");
  if ((work = begin_output (c, error)) == NULL)
    return FALSE;
  pool->result = work->data;
  flow_pool_max_depth (pool, window);
  finish_output (c, work);
  return TRUE;
}

static gboolean
max_compute (FlowKernelContext  *c,
             GError            **error)
{
  FlowWindowAttrs local;
  const FlowWindowAttrs *attrs;
  g_autoptr (FlowTensor) input = NULL;
  g_autoptr (FlowTensor) work = NULL;
  FlowPool pool = { 0 };
  gint64 dims[5];

  if (!get_window (c, 1, &local, &attrs, error) ||
      !make_pool (attrs, flow_kernel_input (c, 0)->shape, &pool, dims, error) ||
      (input = flow_nn_widen (c, flow_kernel_input (c, 0), error)) == NULL)
    return FALSE;
  pool.dtype = input->dtype;
  pool.input = input->data;
  if (attrs->ksize[attrs->n_spatial + 1] != 1)
    return compute_depth (c, attrs, &pool, error);
  if ((work = begin_output (c, error)) == NULL)
    return FALSE;
  pool.result = work->data;
  flow_pool_max (&pool);
  finish_output (c, work);
  return TRUE;
}

static gboolean
average_compute (FlowKernelContext  *c,
                 GError            **error)
{
  const FlowWindowAttrs *attrs = flow_kernel_data (c);
  g_autoptr (FlowTensor) input = NULL;
  g_autoptr (FlowTensor) work = NULL;
  FlowPool pool = { 0 };
  gint64 dims[5];

  FLOW_REQUIRE (attrs->ksize[attrs->n_spatial + 1] == 1, error, UNIMPLEMENTED,
                "Non-spatial pooling is not yet supported. Volunteers? :)");
  if (!make_pool (attrs, flow_kernel_input (c, 0)->shape, &pool, dims, error) ||
      (input = flow_nn_widen (c, flow_kernel_input (c, 0), error)) == NULL ||
      (work = begin_output (c, error)) == NULL)
    return FALSE;
  pool.dtype = input->dtype;
  pool.input = input->data;
  pool.result = work->data;
  flow_pool_average (&pool);
  finish_output (c, work);
  return TRUE;
}

static gboolean
average_grad_compute (FlowKernelContext  *c,
                      GError            **error)
{
  const FlowWindowAttrs *attrs = flow_kernel_data (c);
  int rank = attrs->n_spatial + 2;
  FlowTensor *gradient_in = flow_kernel_input (c, 1);
  g_autoptr (FlowTensor) gradient = NULL;
  g_autoptr (FlowTensor) work = NULL;
  FlowPool pool = { 0 };
  gint64 dims[5];

  FLOW_REQUIRE (attrs->ksize[rank - 1] == 1, error, UNIMPLEMENTED,
                "Non-spatial pooling is not yet supported. Volunteers? :)");
  if (!make_grad_pool (attrs, c->output_shapes[0], &pool, dims, error) || !require_reach (&pool, attrs, gradient_in, error) ||
      !require_shape (gradient_in, "out_backprop", rank, dims, error) ||
      (gradient = flow_nn_widen (c, gradient_in, error)) == NULL ||
      (work = begin_output (c, error)) == NULL)
    return FALSE;
  pool.dtype = gradient->dtype;
  pool.gradient = gradient->data;
  pool.result = work->data;
  flow_pool_average_grad (&pool);
  finish_output (c, work);
  return TRUE;
}

typedef enum {
  GRAD_FIRST,
  GRAD_TIES,
  GRAD_GRAD,
} GradKind;

/* orig_input, orig_output, grad; what grad is shaped like and what it becomes depends on the kind. */
static gboolean
max_grad (FlowKernelContext  *c,
          GradKind            kind,
          GError            **error)
{
  FlowWindowAttrs local;
  const FlowWindowAttrs *attrs;
  FlowTensor *image = flow_kernel_input (c, 0);
  g_autoptr (FlowTensor) input = NULL;
  g_autoptr (FlowTensor) output = NULL;
  g_autoptr (FlowTensor) gradient = NULL;
  g_autoptr (FlowTensor) work = NULL;
  FlowPool pool = { 0 };
  gint64 dims[5];
  /* The window may be two inputs, which TF reads after it has looked at the others. */
  int rank = flow_kernel_data (c) != NULL ? ((FlowWindowAttrs *) flow_kernel_data (c))->n_spatial + 2 : 4;

  FLOW_REQUIRE (FLOW_RANK (flow_kernel_input (c, 1)) == rank, error, INVALID_ARGUMENT,
                "tensor_out must be %d-dimensional", rank);
  FLOW_REQUIRE (FLOW_RANK (flow_kernel_input (c, 2)) == rank, error, INVALID_ARGUMENT,
                "out_%sbackprop must be %d-dimensional", kind == GRAD_GRAD ? "grad_" : "", rank);
  if (!get_window (c, 3, &local, &attrs, error) ||
      !make_grad_pool (attrs, image->shape, &pool, dims, error) ||
      (kind == GRAD_TIES && !require_reach (&pool, attrs, flow_kernel_input (c, 2), error)) ||
      !require_shape (flow_kernel_input (c, 1), "orig_output", rank, dims, error) ||
      !require_shape (flow_kernel_input (c, 2), "grad", rank, kind == GRAD_GRAD ? FLOW_DIMS (image) : dims, error) ||
      (input = flow_nn_widen (c, image, error)) == NULL ||
      (output = flow_nn_widen (c, flow_kernel_input (c, 1), error)) == NULL ||
      (gradient = flow_nn_widen (c, flow_kernel_input (c, 2), error)) == NULL ||
      (work = begin_output (c, error)) == NULL)
    return FALSE;
  pool.dtype = input->dtype;
  pool.input = input->data;
  pool.output = output->data;
  pool.gradient = gradient->data;
  pool.result = work->data;
  if (kind == GRAD_FIRST)
    flow_pool_max_grad (&pool);
  else if (kind == GRAD_TIES)
    flow_pool_max_grad_ties (&pool);
  else
    flow_pool_max_grad_grad (&pool);
  finish_output (c, work);
  return TRUE;
}

static gboolean
max_grad_compute (FlowKernelContext  *c,
                  GError            **error)
{
  return max_grad (c, GRAD_FIRST, error);
}

static gboolean
max_grad_3d_compute (FlowKernelContext  *c,
                     GError            **error)
{
  return max_grad (c, GRAD_TIES, error);
}

static gboolean
max_grad_grad_compute (FlowKernelContext  *c,
                       GError            **error)
{
  return max_grad (c, GRAD_GRAD, error);
}

static gboolean
argmax_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowWindowAttrs *attrs = flow_kernel_data (c);
  g_autoptr (FlowTensor) input = NULL;
  g_autoptr (FlowTensor) work = NULL;
  FlowTensor *argmax;
  FlowPool pool = { 0 };
  gint64 dims[5];

  FLOW_REQUIRE (attrs->ksize[3] == 1, error, UNIMPLEMENTED, "Pooling is not yet supported on the depth dimension.");
  if (!make_pool (attrs, flow_kernel_input (c, 0)->shape, &pool, dims, error) ||
      (input = flow_nn_widen (c, flow_kernel_input (c, 0), error)) == NULL ||
      (work = begin_output (c, error)) == NULL || (argmax = flow_kernel_allocate_inferred (c, 1, error)) == NULL)
    return FALSE;
  pool.dtype = input->dtype;
  pool.input = input->data;
  pool.result = work->data;
  pool.argmax = argmax->data;
  pool.batch_in_index = flow_kernel_attr_bool (c, "include_batch_in_index");
  flow_pool_max_argmax (&pool);
  finish_output (c, work);
  return TRUE;
}

static gboolean
argmax_grad_compute (FlowKernelContext  *c,
                     GError            **error)
{
  const FlowWindowAttrs *attrs = flow_kernel_data (c);
  FlowTensor *image = flow_kernel_input (c, 0);
  FlowTensor *argmax = flow_kernel_input (c, 2);
  g_autoptr (FlowTensor) gradient = NULL;
  g_autoptr (FlowTensor) work = NULL;
  FlowPool pool = { 0 };
  gint64 dims[5];
  gint64 limit;

  if (!flow_pool_check_depth (attrs, image->shape->dims[flow_nn_dim (attrs, 3)], error) ||
      !make_grad_pool (attrs, image->shape, &pool, dims, error) ||
      !require_shape (flow_kernel_input (c, 1), "grad", 4, dims, error) ||
      !require_shape (argmax, "argmax", 4, dims, error))
    return FALSE;
  pool.batch_in_index = flow_kernel_attr_bool (c, "include_batch_in_index");
  pool.argmax_in = FLOW_DATA (gint64, argmax);
  limit = flow_pool_input_size (&pool) * (pool.batch_in_index ? pool.batch : 1);
  for (gint64 i = 0; i < argmax->n_elements; i++)
    FLOW_REQUIRE (pool.argmax_in[i] >= 0 && pool.argmax_in[i] < limit, error, INVALID_ARGUMENT,
                  "Invalid backprop index: %" G_GINT64_FORMAT ", valid range: [0, %" G_GINT64_FORMAT ")",
                  pool.argmax_in[i], limit);
  if ((gradient = flow_nn_widen (c, flow_kernel_input (c, 1), error)) == NULL ||
      (work = begin_output (c, error)) == NULL)
    return FALSE;
  pool.dtype = gradient->dtype;
  pool.gradient = gradient->data;
  pool.result = work->data;
  flow_pool_scatter (&pool);
  finish_output (c, work);
  return TRUE;
}

/* --- Float operations, by the profiler's rules ---------------------------------------------------- */

static gint64
window_flops (FlowInferContext *c,
              gint64            elements,
              gint64            more,
              gint64            factor)
{
  FlowAttr *ksize = flow_infer_attr (c, "ksize");
  gint64 product = 1;

  if (elements < 0 || flow_infer_attr_string (c, "data_format")[1] == 'C')
    return -1;
  for (gsize i = 0; i < flow_attr_get_length (ksize); i++)
    product *= flow_attr_get_int (flow_attr_get_item (ksize, i));
  return (product + more) * elements * factor;
}

static gint64
pool_flops (FlowInferContext *c)
{
  return window_flops (c, flow_nn_flops_output (c), 0, 1);
}

static gint64
average_grad_flops (FlowInferContext *c)
{
  return window_flops (c, flow_nn_flops_elements (flow_infer_input (c, 1)), 0, 2);
}

static gint64
max_grad_flops (FlowInferContext *c)
{
  return window_flops (c, flow_nn_flops_elements (flow_infer_input (c, 1)), 1, 1);
}

/* --- Table ---------------------------------------------------------------------------------------- */

#define KERNEL(name, types, compute, construct_func)                                          \
  static const FlowKernelDef name[] = { { types, compute, construct_func, g_free }, { NULL } };

KERNEL (max_kernels, FLOW_REAL_KERNELS, max_compute, construct_max)
KERNEL (max_3d_kernels, "T: float", max_compute, construct_forward_3d)
KERNEL (max_grad_kernels, FLOW_REAL_KERNELS, max_grad_compute, construct_max_grad)
KERNEL (max_grad_3d_kernels, "T: float; TInput: float", max_grad_3d_compute, construct_grad_3d)
KERNEL (max_grad_grad_kernels, FLOW_REAL_KERNELS, max_grad_grad_compute, construct_max_grad_grad)
KERNEL (max_grad_grad_3d_kernels, "T: float", max_grad_grad_compute, construct_max_grad_grad_3d)
KERNEL (argmax_kernels, FLOW_REAL_KERNELS "; Targmax: int64", argmax_compute, construct_forward)
KERNEL (argmax_grad_kernels, FLOW_REAL_KERNELS "; Targmax: int64", argmax_grad_compute, construct_argmax_grad)
KERNEL (average_kernels, "T: double float half", average_compute, construct_forward)
KERNEL (average_3d_kernels, "T: float", average_compute, construct_forward_3d)
KERNEL (average_grad_kernels, "T: double float half", average_grad_compute, construct_average_grad)
KERNEL (average_grad_3d_kernels, "T: float", average_grad_compute, construct_grad_3d)

static const FlowKernelDef max_v2_kernels[] = { { FLOW_REAL_KERNELS, max_compute }, { NULL } };
static const FlowKernelDef max_grad_v2_kernels[] = { { FLOW_REAL_KERNELS, max_grad_compute }, { NULL } };
static const FlowKernelDef max_grad_grad_v2_kernels[] = { { FLOW_REAL_KERNELS, max_grad_grad_compute }, { NULL } };

#define WINDOW(n) "ksize: list(int) >= " n "; strides: list(int) >= " n "; "
#define PADDING "padding: {'SAME', 'VALID'}; "
#define FORMAT_2D "data_format: {'NHWC', 'NCHW'} = 'NHWC'; "
#define FORMAT_3D "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'; "
#define MAX_TYPES                                                                             \
  "T: {half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8} = DT_FLOAT; "
#define MAX_FORMAT "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'"
#define BATCH_IN_INDEX "include_batch_in_index: bool = false; "

#define POOL_OP(op_name, in, out, attr_text, text, kind, infer_func, kernel, flops_func)      \
  { .name = op_name, .inputs = in, .outputs = out, .attrs = attr_text, .summary = text,       \
    .family = FLOW_OP_FAMILY_##kind, .infer = infer_func, .kernels = kernel, .flops = flops_func }

static const FlowOpDef ops[] = {
  POOL_OP ("AvgPool", "value: T", "output: T", WINDOW ("4") PADDING FORMAT_2D "T: " FLOW_FLOAT_TYPES,
           "Mean of each window of an image", LINEAR, flow_pool_infer_2d, average_kernels, pool_flops),
  POOL_OP ("AvgPool3D", "input: T", "output: T", WINDOW ("5") PADDING FORMAT_3D "T: " FLOW_FLOAT_TYPES,
           "Mean of each window of a volume", LINEAR, flow_pool_infer_3d, average_3d_kernels, NULL),
  POOL_OP ("AvgPool3DGrad", "orig_input_shape: int32; grad: T", "output: T",
           WINDOW ("5") PADDING FORMAT_3D "T: " FLOW_FLOAT_TYPES,
           "Gradient of AvgPool3D", GRADIENT, flow_pool_infer_average_grad_3d, average_grad_3d_kernels, NULL),
  POOL_OP ("AvgPoolGrad", "orig_input_shape: int32; grad: T", "output: T",
           WINDOW ("4") PADDING FORMAT_2D "T: " FLOW_FLOAT_TYPES,
           "Gradient of AvgPool", GRADIENT, flow_pool_infer_average_grad, average_grad_kernels, average_grad_flops),
  POOL_OP ("MaxPool", "input: T", "output: T", MAX_TYPES WINDOW ("4") PADDING MAX_FORMAT,
           "Greatest value of each window of an image", LINEAR, flow_pool_infer_2d, max_kernels, pool_flops),
  POOL_OP ("MaxPool3D", "input: T", "output: T",
           WINDOW ("5") PADDING FORMAT_3D "T: {half, bfloat16, float}",
           "Greatest value of each window of a volume", LINEAR, flow_pool_infer_3d, max_3d_kernels, NULL),
  POOL_OP ("MaxPool3DGrad", "orig_input: TInput; orig_output: TInput; grad: T", "output: T",
           WINDOW ("5") PADDING FORMAT_3D "T: {half, bfloat16, float} = DT_FLOAT; "
           "TInput: {half, bfloat16, float} = DT_FLOAT",
           "Gradient of MaxPool3D", GRADIENT, flow_pool_infer_like_volume, max_grad_3d_kernels, NULL),
  POOL_OP ("MaxPool3DGradGrad", "orig_input: T; orig_output: T; grad: T", "output: T",
           WINDOW ("5") PADDING FORMAT_3D "T: " FLOW_REAL_TYPES,
           "Gradient of MaxPool3DGrad", GRADIENT, flow_pool_infer_like_output_3d, max_grad_grad_3d_kernels, NULL),
  POOL_OP ("MaxPoolGrad", "orig_input: T; orig_output: T; grad: T", "output: T",
           WINDOW ("4") PADDING FORMAT_2D "T: " FLOW_REAL_TYPES " = DT_FLOAT",
           "Gradient of MaxPool", GRADIENT, flow_pool_infer_like_image, max_grad_kernels, max_grad_flops),
  POOL_OP ("MaxPoolGradGrad", "orig_input: T; orig_output: T; grad: T", "output: T",
           WINDOW ("4") PADDING FORMAT_2D "T: " FLOW_REAL_TYPES,
           "Gradient of MaxPoolGrad", GRADIENT, flow_pool_infer_like_output, max_grad_grad_kernels, NULL),
  POOL_OP ("MaxPoolGradGradV2", "orig_input: T; orig_output: T; grad: T; ksize: int32; strides: int32", "output: T",
           PADDING FORMAT_2D "T: " FLOW_REAL_TYPES,
           "Gradient of MaxPoolGradV2", GRADIENT, flow_pool_infer_like_output, max_grad_grad_v2_kernels, NULL),
  POOL_OP ("MaxPoolGradV2", "orig_input: T; orig_output: T; grad: T; ksize: int32; strides: int32", "output: T",
           PADDING FORMAT_2D "T: " FLOW_REAL_TYPES " = DT_FLOAT",
           "Gradient of MaxPoolV2", GRADIENT, flow_pool_infer_like_image, max_grad_v2_kernels, NULL),
  POOL_OP ("MaxPoolGradWithArgmax", "input: T; grad: T; argmax: Targmax", "output: T",
           WINDOW ("4") PADDING BATCH_IN_INDEX "Targmax: {int32, int64}; T: " FLOW_REAL_TYPES,
           "Gradient of MaxPoolWithArgmax", GRADIENT, flow_pool_infer_like_image, argmax_grad_kernels, NULL),
  POOL_OP ("MaxPoolV2", "input: T; ksize: int32; strides: int32", "output: T", MAX_TYPES PADDING MAX_FORMAT,
           "Greatest value of each window of an image", LINEAR, flow_pool_infer_v2, max_v2_kernels, NULL),
  POOL_OP ("MaxPoolWithArgmax", "input: T", "output: T; argmax: Targmax",
           WINDOW ("4") "Targmax: {int32, int64} = DT_INT64; " PADDING BATCH_IN_INDEX "T: " FLOW_REAL_TYPES,
           "Greatest value of each window of an image, and where it stands", LINEAR, flow_pool_infer_argmax, argmax_kernels,
           NULL),
};

FLOW_DEFINE_OP_FAMILY (nn_pool, ops)
