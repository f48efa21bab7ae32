/* flow-kernels-fused.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Several ops in one, as TensorFlow's optimizer leaves them in graphs that it wrote: a convolution or a product with
 * what is added to it and the function that follows, and functions of one number in a row.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-kernel-evaluate.h"
#include "flow-nn-norm-private.h"

#include <string.h>

/* --- what is fused ------------------------------------------------------------------------------------------------ */

typedef enum {
  FOLLOWS_BIAS,
  FOLLOWS_NORM,
} Follows;

typedef struct {
  Follows follows;
  const char *activation;      /* nullable */
} Fusion;

/* TF: an optimizer writes these and no others. */
static const struct {
  const char *ops;
  Fusion fusion;
  gboolean of_products;
} fusions[] = {
  { "BiasAdd", { FOLLOWS_BIAS, NULL }, TRUE },
  { "BiasAdd,Relu", { FOLLOWS_BIAS, "Relu" }, TRUE },
  { "BiasAdd,Relu6", { FOLLOWS_BIAS, "Relu6" }, TRUE },
  { "BiasAdd,Elu", { FOLLOWS_BIAS, "Elu" }, TRUE },
  { "FusedBatchNorm", { FOLLOWS_NORM, NULL }, FALSE },
  { "FusedBatchNorm,Relu", { FOLLOWS_NORM, "Relu" }, FALSE },
  { "FusedBatchNorm,Relu6", { FOLLOWS_NORM, "Relu6" }, FALSE },
  { "FusedBatchNorm,Elu", { FOLLOWS_NORM, "Elu" }, FALSE },
};

static char *
join_names (FlowAttr *names)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < flow_attr_get_length (names); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "," : "", flow_attr_get_string (flow_attr_get_item (names, i), NULL));
  return g_string_free (text, FALSE);
}

static gpointer
read_fusion (FlowKernelConstruction  *c,
             const char              *of,
             gboolean                 of_products,
             GError                 **error)
{
  FlowAttr *names = flow_construction_attr (c, "fused_ops");
  const gint64 n_args = flow_attr_get_int (flow_construction_attr (c, "num_args"));
  g_autofree char *text = join_names (names);
  const Fusion *found = NULL;

  if (flow_attr_get_length (names) == 0)
    {
      _flow_refuse (error, "Fused %s must have at least one fused op.", of);
      return NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (fusions); i++)
    if (g_str_equal (fusions[i].ops, text) && (fusions[i].of_products || !of_products))
      found = &fusions[i].fusion;
  if (found == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED, "Fusion is not implemented: [%s]", text);
      return NULL;
    }
  if (found->follows == FOLLOWS_BIAS && n_args != 1)
    _flow_refuse (error, "Fused %s with BiasAdd must have one extra argument: bias.", of);
  else if (found->follows == FOLLOWS_NORM && n_args != 4)
    _flow_refuse (error, "Fused %s with FusedBatchNorm must have four extra arguments: scale, offset, mean, variance.", of);
  else
    return g_memdup2 (found, sizeof *found);
  return NULL;
}

static gpointer
construct_conv (FlowKernelConstruction  *c,
                GError                 **error)
{
  return read_fusion (c, "Conv2D", FALSE, error);
}

static gpointer
construct_product (FlowKernelConstruction  *c,
                   GError                 **error)
{
  return read_fusion (c, "MatMul", TRUE, error);
}

/* The shape is that of the first of the ops, which reads its own inputs and attrs. */
static gboolean
infer_conv (FlowInferContext  *c,
            GError           **error)
{
  return flow_op_registry_lookup ("Conv2D")->op->infer (c, error);
}

static gboolean
infer_product (FlowInferContext  *c,
               GError           **error)
{
  return flow_op_registry_lookup ("MatMul")->op->infer (c, error);
}

/* --- what follows -------------------------------------------------------------------------------------------------- */

static FlowTensor *
add_bias (FlowKernelContext  *c,
          FlowTensor         *x,
          GError            **error)
{
  FlowTensor *bias = flow_kernel_input (c, 2);

  if (flow_is_vector (bias))
    return _flow_kernel_apply (c, "BiasAdd", (FlowTensor *[]) { x, bias }, 2, error);
  _flow_refuse_shapes (error, bias, NULL, "bias must be 1-dimensional%s");
  return NULL;
}

#define DEFINE_NORM(type)                                                                                    \
  static void                                                                                                \
  widen_variance_##type (const type *variance, type epsilon, gint64 n, type *out)                            \
  {                                                                                                          \
    for (gint64 i = 0; i < n; i++)                                                                           \
      out[i] = variance[i] + epsilon;                                                                        \
  }                                                                                                          \
                                                                                                             \
  static void                                                                                                \
  norm_##type (const FlowChannels *layout, const type *root, const type *scale, const type *offset,          \
               const type *mean, const type *x, type *y)                                                     \
  {                                                                                                          \
    for (gint64 i = 0; i < layout->outer; i++)                                                               \
      for (gint64 k = 0; k < layout->channels; k++)                                                          \
        for (gint64 j = 0; j < layout->inner; j++, x++)                                                      \
          *y++ = (*x - mean[k]) * (root[k] * scale[k]) + offset[k];                                          \
  }

DEFINE_NORM (float)
DEFINE_NORM (double)

enum { SCALE = 2, OFFSET, MEAN, VARIANCE };

/* One over the deviation of each channel. */
static FlowTensor *
take_roots (FlowKernelContext  *c,
            GError            **error)
{
  const FlowTensor *variance = flow_kernel_input (c, VARIANCE);
  const float epsilon = flow_kernel_attr_float (c, "epsilon");
  g_autoptr (FlowTensor) sum = flow_kernel_allocate_temp (c, variance->dtype, variance->shape, error);

  if (sum == NULL)
    return NULL;
  if (variance->dtype == FLOW_DTYPE_FLOAT)
    widen_variance_float (variance->data, epsilon, variance->n_elements, sum->data);
  else
    widen_variance_double (variance->data, (double) epsilon, variance->n_elements, sum->data);
  return _flow_kernel_apply (c, "Rsqrt", &sum, 1, error);
}

static FlowTensor *
normalise (FlowKernelContext  *c,
           FlowTensor         *x,
           GError            **error)
{
  static const char *const names[] = { "scale", "offset", "estimated_mean", "estimated_variance" };
  const FlowChannels layout = flow_channels_of (x->shape, g_str_equal (flow_kernel_attr_string (c, "data_format"), "NCHW"));
  g_autoptr (FlowTensor) roots = NULL;
  FlowTensor *y;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const FlowTensor *arg = flow_kernel_input (c, SCALE + i);
      g_autofree char *text = flow_tensor_shape_text (arg);

      if (!flow_is_vector (arg))
        {
          _flow_refuse (error, "%s must be 1-dimensional%s", names[i], text);
          return NULL;
        }
      /* TF: trusts the sizes. */
      if (arg->n_elements != layout.channels)
        {
          _flow_refuse (error, "%s must have the %" G_GINT64_FORMAT " channels of the output, but has shape %s", names[i],
                        layout.channels, text);
          return NULL;
        }
    }
  roots = take_roots (c, error);
  y = roots == NULL ? NULL : flow_kernel_allocate_temp (c, x->dtype, x->shape, error);
  if (y == NULL)
    return NULL;
#define ARG(i) flow_kernel_input (c, i)->data
  if (x->dtype == FLOW_DTYPE_FLOAT)
    norm_float (&layout, roots->data, ARG (SCALE), ARG (OFFSET), ARG (MEAN), x->data, y->data);
  else
    norm_double (&layout, roots->data, ARG (SCALE), ARG (OFFSET), ARG (MEAN), x->data, y->data);
#undef ARG
  return y;
}

static gboolean
compute_after (FlowKernelContext  *c,
               const char         *first,
               GError            **error)
{
  const Fusion *fusion = flow_kernel_data (c);
  FlowTensor *inputs[2] = { flow_kernel_input (c, 0), flow_kernel_input (c, 1) };
  g_autoptr (FlowTensor) x = _flow_kernel_apply (c, first, inputs, 2, error);
  g_autoptr (FlowTensor) y = NULL;

  if (x == NULL)
    return FALSE;
  /* TF: nothing of what follows is looked at where there is nothing to compute. */
  if (x->n_elements == 0 || inputs[0]->n_elements == 0 || inputs[1]->n_elements == 0)
    y = flow_tensor_ref (x);
  else
    y = fusion->follows == FOLLOWS_BIAS ? add_bias (c, x, error) : normalise (c, x, error);
  if (y != NULL && y != x && fusion->activation != NULL)
    {
      g_autoptr (FlowTensor) sum = g_steal_pointer (&y);

      y = _flow_kernel_apply (c, fusion->activation, &sum, 1, error);
    }
  if (y == NULL)
    return FALSE;
  flow_kernel_take_output (c, 0, g_steal_pointer (&y));
  return TRUE;
}

static gboolean
conv_compute (FlowKernelContext  *c,
              GError            **error)
{
  return compute_after (c, "Conv2D", error);
}

static gboolean
product_compute (FlowKernelContext  *c,
                 GError            **error)
{
  return compute_after (c, "MatMul", error);
}

/* --- functions in a row ---------------------------------------------------------------------------------------------- */

/* Which ops may stand there; halfs have fewer. */
static const struct {
  const char *name;
  gboolean of_halfs;
} functions[] = {
  { "Abs", TRUE }, { "Acos", FALSE }, { "Acosh", FALSE }, { "Asin", FALSE }, { "Asinh", FALSE }, { "Atan", FALSE },
  { "Atanh", FALSE }, { "Ceil", TRUE }, { "Cos", TRUE }, { "Cosh", FALSE }, { "Elu", TRUE }, { "Exp", TRUE },
  { "Expm1", TRUE }, { "Floor", TRUE }, { "Inv", TRUE }, { "Log", TRUE }, { "Log1p", TRUE }, { "Neg", TRUE },
  { "Reciprocal", TRUE }, { "Relu", TRUE }, { "Relu6", TRUE }, { "Rint", FALSE }, { "Round", TRUE }, { "Rsqrt", TRUE },
  { "Selu", TRUE }, { "Sigmoid", TRUE }, { "Sin", TRUE }, { "Sinh", FALSE }, { "Sqrt", TRUE }, { "Square", TRUE },
  { "Tan", FALSE }, { "Tanh", TRUE },
};

/* The names, which the table owns. */
static gpointer
construct_row (FlowKernelConstruction  *c,
               GError                 **error)
{
  FlowAttr *names = flow_construction_attr (c, "op_names");
  g_autoptr (GPtrArray) row = g_ptr_array_new ();

  if (flow_attr_get_length (names) == 0)
    {
      _flow_refuse (error, "Unary op composition must have at least one op");
      return NULL;
    }
  for (gsize i = 0; i < flow_attr_get_length (names); i++)
    {
      const char *name = flow_attr_get_string (flow_attr_get_item (names, i), NULL);
      const guint before = row->len;

      for (guint k = 0; k < G_N_ELEMENTS (functions); k++)
        if (g_str_equal (functions[k].name, name) && (functions[k].of_halfs || c->output_dtypes[0] != FLOW_DTYPE_HALF))
          g_ptr_array_add (row, (gpointer) functions[k].name);
      if (row->len == before)
        {
          _flow_refuse (error, "Do not have a compute function registered for op: %s", name);
          return NULL;
        }
    }
  return g_steal_pointer (&row);
}

static void
destruct_row (gpointer row)
{
  g_ptr_array_unref (row);
}

static gboolean
row_compute (FlowKernelContext  *c,
             GError            **error)
{
  const GPtrArray *row = flow_kernel_data (c);
  g_autoptr (FlowTensor) x = flow_tensor_ref (flow_kernel_input (c, 0));

  for (guint i = 0; i < row->len; i++)
    {
      FlowTensor *y = _flow_kernel_apply (c, g_ptr_array_index (row, i), &x, 1, error);

      if (y == NULL)
        return FALSE;
      flow_tensor_unref (x);
      x = y;
    }
  flow_kernel_take_output (c, 0, g_steal_pointer (&x));
  return TRUE;
}

/* --- the table -------------------------------------------------------------------------------------------------------- */

static const FlowOpDef ops[] = {
  { .name = "_FusedConv2D", .inputs = "input: T; filter: T; args: num_args * T", .outputs = "output: T",
    .attrs = "T: {float, double}; num_args: int >= 0; strides: list(int); padding: {'SAME', 'VALID', 'EXPLICIT'}; "
             "explicit_paddings: list(int) = []; data_format: {'NHWC', 'NCHW'} = 'NHWC'; "
             "dilations: list(int) = [1, 1, 1, 1]; use_cudnn_on_gpu: bool = true; fused_ops: list(string) = []; "
             "epsilon: float = 0.0001",
    .summary = "Convolution of an image with what an optimizer found to follow it", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = infer_conv, .kernels = (const FlowKernelDef[]) { { "T: float double", conv_compute, construct_conv, g_free }, { NULL } } },
  { .name = "_FusedMatMul", .inputs = "a: T; b: T; args: num_args * T", .outputs = "product: T",
    .attrs = "transpose_a: bool = false; transpose_b: bool = false; T: {float}; num_args: int >= 0; "
             "fused_ops: list(string) = []; epsilon: float = 0.0001",
    .summary = "Product of two matrices with what an optimizer found to follow it", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = infer_product, .kernels = (const FlowKernelDef[]) { { "T: float", product_compute, construct_product, g_free }, { NULL } } },
  { .name = "_UnaryOpsComposition", .inputs = "x: T", .outputs = "y: T",
    .attrs = "T: {float, half, double}; op_names: list(string)", .summary = "Functions of one number in a row",
    .family = FLOW_OP_FAMILY_MATH, .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { "T: float half double", row_compute, construct_row, destruct_row }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (fused, ops)
