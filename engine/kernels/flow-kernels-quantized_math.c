/* flow-kernels-quantized_math.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of quantised values: products and sums in 32 bits, with the range they stand for.
 */

#include "config.h"

#include "flow-elementwise-private.h"
#include "flow-nn-private.h"
#include "flow-parallel.h"
#include "flow-quantized-private.h"

/* The integer that stands for zero, as products take it off. */
static gint32
zero_of (FlowRange range,
         int       dtype)
{
  return (gint32) flow_quantize_unclamped (0, range, dtype);
}

static FlowTensor *
allocate_shape (FlowKernelContext  *c,
                int                 rank,
                const gint64       *dims,
                GError            **error)
{
  return flow_kernel_allocate_dims (c, 0, rank, dims, error);
}

/* --- QuantizedMatMul -------------------------------------------------------------------------------------- */

static gboolean
infer_mat_mul (FlowInferContext  *c,
               GError           **error)
{
  g_autoptr (FlowShape) a = NULL;
  g_autoptr (FlowShape) b = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 2, &a, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 1), 2, &b, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_matrix (
                            flow_shape_get_dim (a, flow_infer_attr_bool (c, "transpose_a") ? 1 : 0),
                            flow_shape_get_dim (b, flow_infer_attr_bool (c, "transpose_b") ? 0 : 1)));
  flow_infer_take_output (c, 1, flow_shape_new_scalar ());
  flow_infer_take_output (c, 2, flow_shape_new_scalar ());
  return TRUE;
}

/* Steps from one cell to the next along the rows and columns of each operand. */
typedef struct {
  const guint8 *a;
  const guint8 *b;
  gint32 *out;
  gint64 n;
  gint64 k;
  gint64 a_row;
  gint64 a_step;
  gint64 b_row;
  gint64 b_step;
  gint32 a_zero;
  gint32 b_zero;
} Product;

static void
multiply_rows (gint64   begin,
               gint64   end,
               gpointer data)
{
  const Product *job = data;

  for (gint64 row = begin; row < end; row++)
    {
      guint32 *out = (guint32 *) job->out + row * job->n;

      memset (out, 0, (gsize) job->n * sizeof *out);
      for (gint64 i = 0; i < job->k; i++)
        {
          const guint32 x = (guint32) job->a[row * job->a_row + i * job->a_step] - (guint32) job->a_zero;
          const guint8 *b = job->b + i * job->b_row;

          for (gint64 j = 0; j < job->n; j++)
            out[j] += x * ((guint32) b[j * job->b_step] - (guint32) job->b_zero);
        }
    }
}

static gboolean
mat_mul_compute (FlowKernelContext  *c,
                 GError            **error)
{
  const FlowTensor *a = flow_kernel_input (c, 0);
  const FlowTensor *b = flow_kernel_input (c, 1);
  const gboolean turn_a = flow_kernel_attr_bool (c, "transpose_a");
  const gboolean turn_b = flow_kernel_attr_bool (c, "transpose_b");
  FlowRange a_range;
  FlowRange b_range;
  FlowTensor *out;
  Product job;
  gint64 m;

  if (!flow_quantized_range (c, 2, &a_range, error) || !flow_quantized_range (c, 4, &b_range, error))
    return FALSE;
  FLOW_REQUIRE (a_range.max > a_range.min, error, INVALID_ARGUMENT, "max_a must be larger than min_a.");
  FLOW_REQUIRE (b_range.max > b_range.min, error, INVALID_ARGUMENT, "max_b must be larger than min_b.");
  FLOW_REQUIRE (FLOW_RANK (a) == 2, error, INVALID_ARGUMENT, "In[0] is not a matrix");
  FLOW_REQUIRE (FLOW_RANK (b) == 2, error, INVALID_ARGUMENT, "In[1] is not a matrix");
  if (FLOW_DIMS (a)[turn_a ? 0 : 1] != FLOW_DIMS (b)[turn_b ? 1 : 0])
    return _flow_refuse_shapes (error, a, b, "Matrix size-incompatible: In[0]: %s, In[1]: %s");
  m = FLOW_DIMS (a)[turn_a ? 1 : 0];
  job = (Product) { .a = a->data, .b = b->data, .n = FLOW_DIMS (b)[turn_b ? 0 : 1], .k = FLOW_DIMS (a)[turn_a ? 0 : 1] };
  job.a_row = turn_a ? 1 : job.k;
  job.a_step = turn_a ? m : 1;
  job.b_row = turn_b ? 1 : job.n;
  job.b_step = turn_b ? job.k : 1;
  job.a_zero = zero_of (a_range, (int) a->dtype);
  job.b_zero = zero_of (b_range, (int) b->dtype);
  if ((out = allocate_shape (c, 2, (gint64[]) { m, job.n }, error)) == NULL)
    return FALSE;
  job.out = out->data;
  if (out->n_elements > 0)
    flow_parallel_for (m, 1 + 65536 / MAX (job.n * MAX (job.k, 1), 1), multiply_rows, &job);
  return flow_quantized_put_range (c, 1, flow_quantized_product_range (a_range, (int) a->dtype, b_range, (int) b->dtype),
                                   error);
}

/* --- QuantizedConv2D ------------------------------------------------------------------------------------------ */

typedef struct {
  const guint8 *image;
  const guint8 *filter;
  gint32 *out;
  FlowWindow rows;
  FlowWindow columns;
  gint64 in_depth;
  gint64 out_depth;
  gint32 image_zero;
  gint32 filter_zero;
} Conv;

static gboolean
read_conv (FlowAttr     *strides,
           FlowAttr     *dilations,
           gint64        stride[2],
           GError      **error)
{
  FLOW_REQUIRE (flow_attr_get_length (strides) == 4, error, INVALID_ARGUMENT,
                "Sliding window strides field must specify 4 dimensions");
  for (guint i = 0; i < 2; i++)
    stride[i] = flow_attr_get_int (flow_attr_get_item (strides, i + 1));
  FLOW_REQUIRE (stride[0] == stride[1], error, INVALID_ARGUMENT,
                "Current implementation only supports equal length strides in the row and column dimensions.");
  FLOW_REQUIRE (flow_attr_get_int (flow_attr_get_item (strides, 0)) == 1 &&
                flow_attr_get_int (flow_attr_get_item (strides, 3)) == 1, error, INVALID_ARGUMENT,
                "Current implementation does not yet support strides in the batch and depth dimensions.");
  FLOW_REQUIRE (flow_attr_get_length (dilations) == 4, error, INVALID_ARGUMENT,
                "Dilation field must specify 4 dimensions");
  FLOW_REQUIRE (flow_attr_get_int (flow_attr_get_item (dilations, 1)) == 1 &&
                flow_attr_get_int (flow_attr_get_item (dilations, 2)) == 1, error, INVALID_ARGUMENT,
                "Current implementation only supports dilated rate as 1 in the row and column dimensions.");
  FLOW_REQUIRE (flow_attr_get_int (flow_attr_get_item (dilations, 0)) == 1 &&
                flow_attr_get_int (flow_attr_get_item (dilations, 3)) == 1, error, INVALID_ARGUMENT,
                "Current implementation does not yet support dilations in the batch and depth dimensions.");
  FLOW_REQUIRE (stride[0] > 0, error, INVALID_ARGUMENT, "Stride must be > 0, but got %" G_GINT64_FORMAT, stride[0]);
  return TRUE;
}

static gboolean
infer_conv (FlowInferContext  *c,
            GError           **error)
{
  g_autoptr (FlowShape) image = NULL;
  g_autoptr (FlowShape) filter = NULL;
  g_autoptr (FlowShape) out = NULL;
  gint64 stride[2];

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 4, &image, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 1), 4, &filter, error) ||
      !read_conv (flow_infer_attr (c, "strides"), flow_infer_attr (c, "dilations"), stride, error))
    return FALSE;
  out = flow_shape_new_of_rank (4);
  out->dims[0] = flow_shape_get_dim (image, 0);
  out->dims[3] = flow_shape_get_dim (filter, 3);
  for (int i = 0; i < 2; i++)
    {
      out->dims[1 + i] = flow_window_infer (flow_shape_get_dim (image, 1 + i), flow_shape_get_dim (filter, i), 1, stride[i],
                                            flow_nn_read_padding (flow_infer_attr_string (c, "padding")), 0, FALSE, error);
      if (out->dims[1 + i] == -2)
        return FALSE;
    }
  flow_infer_set_output (c, 0, out);
  flow_infer_take_output (c, 1, flow_shape_new_scalar ());
  flow_infer_take_output (c, 2, flow_shape_new_scalar ());
  return TRUE;
}

/* One output pixel; outside the image is zero, or what is left of the integer that stands for it in 8 bits (of
 * one below zero TF takes the integer itself). */
static void
convolve_pixel (const Conv   *job,
                const guint8 *image,
                gint64        y,
                gint64        x,
                guint32      *out)
{
  memset (out, 0, (gsize) job->out_depth * sizeof *out);
  for (gint64 i = 0; i < job->rows.filter; i++)
    for (gint64 j = 0; j < job->columns.filter; j++)
      {
        const gint64 row = y * job->rows.stride - job->rows.pad_before + i;
        const gint64 column = x * job->columns.stride - job->columns.pad_before + j;
        const gboolean outside = row < 0 || row >= job->rows.input || column < 0 || column >= job->columns.input;
        const guint8 *cells = outside ? NULL : image + (row * job->columns.input + column) * job->in_depth;
        const guint8 *filter = job->filter + (i * job->columns.filter + j) * job->in_depth * job->out_depth;

        if (outside && job->image_zero <= G_MAXUINT8)
          continue;
        for (gint64 k = 0; k < job->in_depth; k++, filter += job->out_depth)
          {
            const guint32 cell = outside ? (guint8) job->image_zero : cells[k];
            const guint32 value = cell - (guint32) job->image_zero;

            for (gint64 m = 0; m < job->out_depth; m++)
              out[m] += value * ((guint32) filter[m] - (guint32) job->filter_zero);
          }
      }
}

static void
convolve_rows (gint64   begin,
               gint64   end,
               gpointer data)
{
  const Conv *job = data;

  for (gint64 row = begin; row < end; row++)
    for (gint64 x = 0; x < job->columns.output; x++)
      convolve_pixel (job, job->image + row / job->rows.output * job->rows.input * job->columns.input * job->in_depth,
                      row % job->rows.output, x,
                      (guint32 *) job->out + (row * job->columns.output + x) * job->out_depth);
}

static gboolean
conv_compute (FlowKernelContext  *c,
              GError            **error)
{
  const FlowTensor *image = flow_kernel_input (c, 0);
  const FlowTensor *filter = flow_kernel_input (c, 1);
  const FlowPadding padding = flow_nn_read_padding (flow_kernel_attr_string (c, "padding"));
  FlowRange image_range;
  FlowRange filter_range;
  FlowTensor *out;
  gint64 stride[2];
  Conv job = { 0 };

  if (!read_conv (flow_kernel_attr (c, "strides"), flow_kernel_attr (c, "dilations"), stride, error))
    return FALSE;
  if (FLOW_RANK (image) != 4)
    return _flow_refuse_shapes (error, image, NULL, "input must be 4-dimensional%s");
  if (FLOW_RANK (filter) != 4)
    return _flow_refuse_shapes (error, filter, NULL, "filter must be 4-dimensional: %s");
  if (!flow_quantized_range (c, 2, &image_range, error) || !flow_quantized_range (c, 4, &filter_range, error))
    return FALSE;
  FLOW_REQUIRE (FLOW_DIMS (image)[3] == FLOW_DIMS (filter)[2], error, INVALID_ARGUMENT,
                "input and filter must have the same depth: %" G_GINT64_FORMAT " vs %" G_GINT64_FORMAT, FLOW_DIMS (image)[3],
                FLOW_DIMS (filter)[2]);
  if (!flow_window_init (&job.rows, FLOW_DIMS (image)[1], FLOW_DIMS (filter)[0], 1, stride[0], padding, error) ||
      !flow_window_init (&job.columns, FLOW_DIMS (image)[2], FLOW_DIMS (filter)[1], 1, stride[1], padding, error))
    return FALSE;
  job.in_depth = FLOW_DIMS (image)[3];
  job.out_depth = FLOW_DIMS (filter)[3];
  out = allocate_shape (c, 4, (gint64[]) { FLOW_DIMS (image)[0], job.rows.output, job.columns.output, job.out_depth }, error);
  if (out == NULL)
    return FALSE;
  job.image = image->data;
  job.filter = filter->data;
  job.out = out->data;
  job.image_zero = zero_of (image_range, (int) image->dtype);
  job.filter_zero = zero_of (filter_range, (int) filter->dtype);
  if (out->n_elements > 0)
    flow_parallel_for (FLOW_DIMS (image)[0] * job.rows.output, 1, convolve_rows, &job);
  return flow_quantized_put_range (c, 1, flow_quantized_product_range (image_range, (int) image->dtype, filter_range,
                                                                       (int) filter->dtype), error);
}

/* --- QuantizedBiasAdd, QuantizedAdd, QuantizedMul ---------------------------------------------------------------- */

/* TF: the order of the comparisons decides what becomes of ends that are no numbers. */
static FlowRange
bias_range_of (FlowRange in,
               FlowRange bias)
{
  const float greatest = MAX (MAX (MAX (-bias.min, bias.max), -in.min), in.max) * (float) (1 << 17);

  return (FlowRange) { -greatest, greatest };
}

static FlowRange
sum_range_of (FlowRange x,
              FlowRange y)
{
  const float low = fabsf (MIN (y.min, x.min));
  const float high = fabsf (MAX (y.max, x.max));
  const float greatest = MAX (high, low) * (float) (1 << 14);

  return (FlowRange) { -greatest, greatest };
}

static gboolean
bias_add_compute (FlowKernelContext  *c,
                  GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  const FlowTensor *bias = flow_kernel_input (c, 1);
  FlowDequantizer in_floats;
  FlowDequantizer bias_floats;
  FlowQuantizer quantizer;
  FlowRange in_range;
  FlowRange bias_range;
  FlowRange range;
  FlowTensor *out;
  gint64 zero;

  if (!flow_quantized_range (c, 2, &in_range, error) || !flow_quantized_range (c, 4, &bias_range, error))
    return FALSE;
  if (FLOW_RANK (in) < 2)
    return _flow_refuse_shapes (error, in, NULL, "Input tensor must be at least 2D: %s");
  if (!flow_is_vector (bias))
    return _flow_refuse_shapes (error, bias, NULL, "Biases must be 1D: %s");
  if (bias->n_elements != FLOW_DIMS (in)[FLOW_RANK (in) - 1])
    return _flow_refuse_shapes (error, bias, in,
                                "Must provide as many biases as the last dimension of the input tensor: %s vs. %s");
  if ((out = flow_kernel_allocate (c, 0, in->shape, error)) == NULL)
    return FALSE;
  range = bias_range_of (in_range, bias_range);
  zero = flow_quantize_one (0, range, FLOW_DTYPE_QINT32);
  in_floats = flow_dequantizer (in_range, (int) in->dtype);
  bias_floats = flow_dequantizer (bias_range, (int) bias->dtype);
  quantizer = flow_quantizer (range, FLOW_DTYPE_QINT32);
  for (gint64 i = 0; i < in->n_elements; i++)
    flow_quantized_put (out, i,
                        flow_quantize (&quantizer, flow_dequantize (&in_floats, flow_quantized_get (in, i))) +
                        flow_quantize (&quantizer, flow_dequantize (&bias_floats,
                                                                    flow_quantized_get (bias, i % bias->n_elements))) + zero);
  return flow_quantized_put_range (c, 1, range, error);
}

static gboolean
infer_binary (FlowInferContext  *c,
              GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_broadcast_binary (c, error))
    return FALSE;
  flow_infer_take_output (c, 1, flow_shape_new_scalar ());
  flow_infer_take_output (c, 2, flow_shape_new_scalar ());
  return TRUE;
}

/*
 * TF: of shapes that broadcast, the smaller goes round in the larger, also where it stands on the other side; they may
 * differ in one run of dims at most. Where neither has all cells, TF leaves the rest unset: refused here.
 */
static gboolean
check_runs (const FlowTensor  *x,
            const FlowTensor  *y,
            gint64             n,
            GError           **error)
{
  g_autofree char *x_text = flow_shape_to_string (x->shape);
  g_autofree char *y_text = flow_shape_to_string (y->shape);

  FLOW_REQUIRE (flow_broadcast_runs (x->shape, y->shape) <= 2 && (n == 0 || n == MAX (x->n_elements, y->n_elements)),
                error, UNIMPLEMENTED, "Broadcast between %s and %s is not supported yet.", x_text, y_text);
  return TRUE;
}

/* 8-bit values over a wide 32-bit range: TensorFlow goes in equal whole steps from the lowest on. */
typedef struct {
  gint64 first;
  gint64 step;
} Line;

static Line
line_of (FlowRange from,
         int       dtype,
         FlowRange to)
{
  const gint64 first = flow_quantize_unclamped ((double) flow_dequantize_one (0, from, dtype), to, FLOW_DTYPE_QINT32);
  const gint64 next = flow_quantize_unclamped ((double) flow_dequantize_one (1, from, dtype), to, FLOW_DTYPE_QINT32);

  return (Line) { first, (gint32) ((guint64) next - (guint64) first) };
}

static gint64
stretch (const Line *line,
         gint64      value)
{
  const gint64 stretched = flow_quantized_add (line->first, value * line->step);

  return CLAMP (stretched, G_MININT32, G_MAXINT32);
}

static gboolean
binary_compute (FlowKernelContext  *c,
                gboolean            product,
                GError            **error)
{
  const FlowTensor *x = flow_kernel_input (c, 0);
  const FlowTensor *y = flow_kernel_input (c, 1);
  const FlowTensor *scalar = NULL;
  g_autoptr (FlowShape) shape = NULL;
  gint64 one = 0;
  FlowRange x_range;
  FlowRange y_range;
  FlowRange range;
  FlowTensor *out;
  gint32 x_zero;
  gint32 y_zero;
  Line x_line;
  Line y_line;

  if (!flow_quantized_range (c, 2, &x_range, error) || !flow_quantized_range (c, 4, &y_range, error) ||
      (shape = flow_broadcast_shape (x->shape, y->shape, error)) == NULL)
    return FALSE;
  FLOW_REQUIRE (x_range.max > x_range.min, error, INVALID_ARGUMENT, "%s",
                product ? "max_x must be larger than min_a." : "max_x must be larger than min_x.");
  FLOW_REQUIRE (y_range.max > y_range.min, error, INVALID_ARGUMENT, "%s",
                product ? "max_x must be larger than min_b." : "max_y must be larger than min_y.");
  if ((out = flow_kernel_allocate (c, 0, shape, error)) == NULL || !check_runs (x, y, out->n_elements, error))
    return FALSE;
  x_zero = zero_of (x_range, (int) x->dtype);
  y_zero = zero_of (y_range, (int) y->dtype);
  range = product ? flow_quantized_product_range (x_range, (int) x->dtype, y_range, (int) y->dtype)
                  : sum_range_of (x_range, y_range);
  x_line = line_of (x_range, (int) x->dtype, range);
  y_line = line_of (y_range, (int) y->dtype, range);
  /* TF: a scalar is put into the new range by itself. */
  if (flow_broadcast_runs (x->shape, y->shape) == 1 && (x->n_elements == 1 || y->n_elements == 1))
    scalar = x->n_elements == 1 ? x : y;
  if (scalar != NULL)
    one = flow_quantize_one ((double) flow_dequantize_one (flow_quantized_get (scalar, 0), scalar == x ? x_range : y_range,
                                                           (int) scalar->dtype), range, FLOW_DTYPE_QINT32);
  for (gint64 i = 0; i < out->n_elements; i++)
    {
      const gint64 a = flow_quantized_get (x, i % x->n_elements);
      const gint64 b = flow_quantized_get (y, i % y->n_elements);

      if (product)
        flow_quantized_put (out, i, (a - x_zero) * (b - y_zero));
      else
        flow_quantized_put (out, i, (scalar == x ? one : stretch (&x_line, a)) + (scalar == y ? one : stretch (&y_line, b)));
    }
  return flow_quantized_put_range (c, 1, range, error);
}

static gboolean
add_compute (FlowKernelContext  *c,
             GError            **error)
{
  return binary_compute (c, FALSE, error);
}

static gboolean
mul_compute (FlowKernelContext  *c,
             GError            **error)
{
  return binary_compute (c, TRUE, error);
}

/* --- QuantizedRelu, QuantizedRelu6 --------------------------------------------------------------------------------- */

static gboolean
relu (FlowKernelContext  *c,
      gboolean            six,
      GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  const int dtype = (int) in->dtype;
  FlowTensor *out;
  FlowRange range;
  gint64 low;
  gint64 high;

  if (!flow_quantized_range (c, 1, &range, error) || (out = flow_kernel_allocate (c, 0, in->shape, error)) == NULL)
    return FALSE;
  low = flow_quantize_one (0, range, dtype);
  high = six ? flow_quantize_one (6, range, dtype) : flow_quantized_highest (dtype);
  for (gint64 i = 0; i < in->n_elements; i++)
    flow_quantized_put (out, i, MIN (MAX (flow_quantized_get (in, i), low), high));
  return flow_quantized_put_range (c, 1, range, error);
}

static gboolean
relu_compute (FlowKernelContext  *c,
              GError            **error)
{
  return relu (c, FALSE, error);
}

static gboolean
relu6_compute (FlowKernelContext  *c,
               GError            **error)
{
  return relu (c, TRUE, error);
}

/* --- the table ------------------------------------------------------------------------------------------------------- */

static const FlowKernelDef mat_mul_kernels[] = { { "T1: quint8; T2: quint8; Toutput: qint32", mat_mul_compute }, { NULL } };
static const FlowKernelDef conv_kernels[] = {
  { "Tinput: quint8; Tfilter: quint8; out_type: qint32", conv_compute }, { NULL }
};
static const FlowKernelDef bias_add_kernels[] = {
  { "T1: quint8; T2: quint8; out_type: qint32", bias_add_compute },
  { "T1: qint8; T2: qint8; out_type: qint32", bias_add_compute }, { NULL }
};
static const FlowKernelDef add_kernels[] = { { "T1: quint8; T2: quint8; Toutput: qint32", add_compute }, { NULL } };
static const FlowKernelDef mul_kernels[] = { { "T1: quint8; T2: quint8; Toutput: qint32", mul_compute }, { NULL } };
static const FlowKernelDef relu_kernels[] = {
  { "Tinput: qint32; out_type: qint32", relu_compute }, { "Tinput: quint8; out_type: quint8", relu_compute }, { NULL }
};
static const FlowKernelDef relu6_kernels[] = {
  { "Tinput: qint32; out_type: qint32", relu6_compute }, { "Tinput: quint8; out_type: quint8", relu6_compute }, { NULL }
};

#define Q FLOW_QUANTIZED_TYPES
#define BINARY_INPUTS "x: T1; y: T2; min_x: float; max_x: float; min_y: float; max_y: float"
#define BINARY_ATTRS "T1: " Q "; T2: " Q "; Toutput: " Q " = DT_QINT32"
#define RELU_INPUTS "features: Tinput; min_features: float; max_features: float"
#define RELU_OUTPUTS "activations: out_type; min_activations: float; max_activations: float"
#define RELU_ATTRS "Tinput: " Q "; out_type: " Q " = DT_QUINT8"

static const FlowOpDef ops[] = {
  { .name = "QuantizedAdd", .inputs = BINARY_INPUTS, .outputs = "z: Toutput; min_z: float; max_z: float",
    .attrs = BINARY_ATTRS, .summary = "Sum of quantised values",
    .family = FLOW_OP_FAMILY_MATH, .infer = infer_binary, .kernels = add_kernels },
  { .name = "QuantizedBiasAdd",
    .inputs = "input: T1; bias: T2; min_input: float; max_input: float; min_bias: float; max_bias: float",
    .outputs = "output: out_type; min_out: float; max_out: float", .attrs = "T1: " Q "; T2: " Q "; out_type: " Q,
    .summary = "Quantised values and a bias for each channel", .family = FLOW_OP_FAMILY_MATH,
    .infer = flow_quantized_infer_like, .kernels = bias_add_kernels },
  { .name = "QuantizedConv2D",
    .inputs = "input: Tinput; filter: Tfilter; min_input: float; max_input: float; min_filter: float; max_filter: float",
    .outputs = "output: out_type; min_output: float; max_output: float",
    .attrs = "Tinput: " Q "; Tfilter: " Q "; out_type: " Q " = DT_QINT32; strides: list(int); "
             "padding: {'SAME', 'VALID'}; dilations: list(int) = [1, 1, 1, 1]",
    .summary = "Convolution of quantised images", .family = FLOW_OP_FAMILY_LINEAR, .infer = infer_conv,
    .kernels = conv_kernels },
  { .name = "QuantizedMatMul", .inputs = "a: T1; b: T2; min_a: float; max_a: float; min_b: float; max_b: float",
    .outputs = "out: Toutput; min_out: float; max_out: float",
    .attrs = "T1: " Q "; T2: " Q "; Toutput: " Q " = DT_QINT32; transpose_a: bool = false; transpose_b: bool = false; "
             "Tactivation: " Q " = DT_QUINT8",
    .summary = "Product of quantised matrices", .family = FLOW_OP_FAMILY_LINEAR, .infer = infer_mat_mul,
    .kernels = mat_mul_kernels },
  { .name = "QuantizedMul", .inputs = BINARY_INPUTS, .outputs = "z: Toutput; min_z: float; max_z: float",
    .attrs = BINARY_ATTRS, .summary = "Product of quantised values, cell by cell",
    .family = FLOW_OP_FAMILY_MATH, .infer = infer_binary, .kernels = mul_kernels },
  { .name = "QuantizedRelu", .inputs = RELU_INPUTS, .outputs = RELU_OUTPUTS, .attrs = RELU_ATTRS,
    .summary = "Quantised values, not below zero", .family = FLOW_OP_FAMILY_MATH, .infer = flow_quantized_infer_like,
    .kernels = relu_kernels },
  { .name = "QuantizedRelu6", .inputs = RELU_INPUTS, .outputs = RELU_OUTPUTS, .attrs = RELU_ATTRS,
    .summary = "Quantised values between zero and six", .family = FLOW_OP_FAMILY_MATH,
    .infer = flow_quantized_infer_like, .kernels = relu6_kernels },
  /* TF: no device of its own runs this one. */
  { .name = "QuantizedReluX", .inputs = "features: Tinput; max_value: float; min_features: float; max_features: float",
    .outputs = RELU_OUTPUTS, .attrs = RELU_ATTRS, .summary = "Quantised values between zero and a bound",
    .family = FLOW_OP_FAMILY_MATH, .infer = flow_quantized_infer_like, .kernels = (const FlowKernelDef[]) { { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (quantized_math, ops)
