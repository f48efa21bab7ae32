/* flow-kernels-nn_conv_depthwise.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-nn-conv-private.h"

#include <string.h>

/* Convolution of each channel by filters of its own. Channels may come first (TensorFlow's CPU refuses
 * that); dilations are ignored, as TensorFlow's CPU kernels do. */

typedef struct {
  gint64 batch;
  gint64 channels;
  gint64 multiplier;           /* filters per channel */
  FlowWindow rows;
  FlowWindow columns;
  gconstpointer input;
  gconstpointer filter;
  gconstpointer output;
  gpointer result;
  gint64 n_partials;
} Depthwise;

/* Every combination of an output row or column and a filter index that meets the image. */
#define FOR_TAPS(w, out_index, f, in_index)                                                   \
  for (gint64 f = 0, in_index = (out_index) * (w).stride - (w).pad_before; f < (w).filter; f++, in_index++) \
    if (in_index >= 0 && in_index < (w).input)

#define LOOPS(real)                                                                           \
  static inline void                                                                          \
  multiply_add_##real (const Depthwise *d, const real *x, const real *f, real *y)             \
  {                                                                                           \
    if (d->multiplier == 1)                                                                   \
      for (gint64 k = 0; k < d->channels; k++)                                                \
        y[k] += x[k] * f[k];                                                                  \
    else                                                                                      \
      for (gint64 k = 0; k < d->channels; k++)                                                \
        for (gint64 m = 0; m < d->multiplier; m++)                                            \
          y[k * d->multiplier + m] += x[k] * f[k * d->multiplier + m];                        \
  }                                                                                           \
                                                                                              \
  static FLOW_HOT void                                                                        \
  forward_##real (gint64 begin, gint64 end, gpointer data)                                    \
  {                                                                                           \
    const Depthwise *d = data;                                                                \
    const gint64 width = d->channels * d->multiplier;                                         \
                                                                                              \
    for (gint64 i = begin; i < end; i++)                                                      \
      {                                                                                       \
        const real *image = (const real *) d->input +                                         \
                            i / d->rows.output * d->rows.input * d->columns.input * d->channels; \
        real *y = (real *) d->result + i * d->columns.output * width;                         \
                                                                                              \
        memset (y, 0, (gsize) (d->columns.output * width) * sizeof (real));                   \
        for (gint64 column = 0; column < d->columns.output; column++, y += width)             \
          FOR_TAPS (d->rows, i % d->rows.output, fy, row)                                     \
            FOR_TAPS (d->columns, column, fx, at)                                             \
              multiply_add_##real (d, image + (row * d->columns.input + at) * d->channels,    \
                                   (const real *) d->filter + (fy * d->columns.filter + fx) * width, y); \
      }                                                                                       \
  }                                                                                           \
                                                                                              \
  static FLOW_HOT void                                                                        \
  backward_input_##real (gint64 begin, gint64 end, gpointer data)                             \
  {                                                                                           \
    const Depthwise *d = data;                                                                \
    const gint64 width = d->channels * d->multiplier;                                         \
                                                                                              \
    for (gint64 n = begin; n < end; n++)                                                      \
      {                                                                                       \
        real *image = (real *) d->result + n * d->rows.input * d->columns.input * d->channels; \
        const real *dy = (const real *) d->output + n * d->rows.output * d->columns.output * width; \
                                                                                              \
        memset (image, 0, (gsize) (d->rows.input * d->columns.input * d->channels) * sizeof (real)); \
        /* TF: a cell sums by the filter's cells, first to last: that is the output backwards. */ \
        dy += d->rows.output * d->columns.output * width;                                     \
        for (gint64 i = d->rows.output - 1; i >= 0; i--)                                      \
          for (gint64 column = d->columns.output - 1; column >= 0; column--)                  \
            {                                                                                 \
              dy -= width;                                                                    \
              FOR_TAPS (d->rows, i, fy, row)                                                  \
                FOR_TAPS (d->columns, column, fx, at)                                         \
                {                                                                             \
                  real *x = image + (row * d->columns.input + at) * d->channels;              \
                  const real *f = (const real *) d->filter + (fy * d->columns.filter + fx) * width; \
                                                                                              \
                  for (gint64 k = 0; k < d->channels; k++)                                    \
                    for (gint64 m = 0; m < d->multiplier; m++)                                \
                      x[k] += dy[k * d->multiplier + m] * f[k * d->multiplier + m];           \
                }                                                                             \
            }                                                                                 \
      }                                                                                       \
  }                                                                                           \
                                                                                              \
  static FLOW_HOT void                                                                        \
  backward_filter_##real (gint64 begin, gint64 end, gpointer data)                            \
  {                                                                                           \
    const Depthwise *d = data;                                                                \
    const gint64 width = d->channels * d->multiplier;                                         \
    const gint64 rows = d->batch * d->rows.output;                                            \
                                                                                              \
    for (gint64 p = begin; p < end; p++)                                                      \
      {                                                                                       \
        real *df = (real *) d->result + p * d->rows.filter * d->columns.filter * width;       \
                                                                                              \
        for (gint64 i = rows * p / d->n_partials; i < rows * (p + 1) / d->n_partials; i++)    \
          {                                                                                   \
            const real *image = (const real *) d->input +                                     \
                                i / d->rows.output * d->rows.input * d->columns.input * d->channels; \
            const real *dy = (const real *) d->output + i * d->columns.output * width;        \
                                                                                              \
            for (gint64 column = 0; column < d->columns.output; column++, dy += width)        \
              FOR_TAPS (d->rows, i % d->rows.output, fy, row)                                 \
                FOR_TAPS (d->columns, column, fx, at)                                         \
                  {                                                                           \
                    real *to = df + (fy * d->columns.filter + fx) * width;                    \
                    const real *x = image + (row * d->columns.input + at) * d->channels;      \
                                                                                              \
                    for (gint64 k = 0; k < d->channels; k++)                                  \
                      for (gint64 m = 0; m < d->multiplier; m++)                              \
                        to[k * d->multiplier + m] += x[k] * dy[k * d->multiplier + m];        \
                  }                                                                           \
          }                                                                                   \
      }                                                                                       \
  }                                                                                           \
                                                                                              \
  static void                                                                                 \
  add_partials_##real (const real *partials, gint64 n_partials, gint64 size, real *out)       \
  {                                                                                           \
    for (gint64 i = 0; i < size; i++)                                                         \
      {                                                                                       \
        real sum = 0;                                                                         \
                                                                                              \
        for (gint64 p = 0; p < n_partials; p++)                                               \
          sum += partials[p * size + i];                                                      \
        out[i] = sum;                                                                         \
      }                                                                                       \
  }

LOOPS (float)
LOOPS (double)

/* --- Attrs and shapes -------------------------------------------------------------------------------- */

static gboolean
check_strides (const FlowWindowAttrs  *attrs,
               GError                **error)
{
  for (int i = 1; i <= 2; i++)
    FLOW_REQUIRE (attrs->strides[i] > 0, error, INVALID_ARGUMENT, "Stride must be > 0, but got %" G_GINT64_FORMAT,
                  attrs->strides[i]);
  return TRUE;
}

static gboolean
read_attrs (gboolean          is_gradient,
            FlowAttr         *format,
            FlowAttr         *padding,
            FlowAttr         *strides,
            FlowWindowAttrs  *attrs,
            GError          **error)
{
  memset (attrs, 0, sizeof *attrs);
  attrs->n_spatial = 2;
  attrs->padding = flow_nn_read_padding (flow_attr_get_string (padding, NULL));
  FLOW_REQUIRE (!is_gradient || flow_attr_get_length (strides) == 4, error, INVALID_ARGUMENT,
                "Sliding window strides field must specify 4 dimensions");
  FLOW_REQUIRE (flow_attr_get_length (strides) == 4, error, INVALID_ARGUMENT,
                "DepthwiseConv2D requires the stride attribute to contain 4 values, but got: %" G_GSIZE_FORMAT,
                flow_attr_get_length (strides));
  if (!flow_nn_read_format (flow_attr_get_string (format, NULL), 4, &attrs->channels_first, error) ||
      !flow_nn_read_dims (strides, attrs, "strides", attrs->strides, error))
    return FALSE;
  /* TF: the shape function of the forward op looks first, the gradients' kernels at last. */
  return is_gradient || check_strides (attrs, error);
}

static gpointer
construct (FlowKernelConstruction  *c,
           GError                 **error)
{
  g_autofree FlowWindowAttrs *attrs = g_new0 (FlowWindowAttrs, 1);
  const char *problem = NULL;

  if (!read_attrs (strstr (c->signature->name, "Backprop") != NULL, flow_construction_attr (c, "data_format"), flow_construction_attr (c, "padding"),
                   flow_construction_attr (c, "strides"), attrs, error))
    return NULL;
  if (attrs->strides[1] != attrs->strides[2])
    problem = "Current implementation only supports equal length strides in the row and column dimensions.";
  else if (attrs->strides[0] != 1 || attrs->strides[3] != 1)
    problem = "Current implementation does not yet support strides in the batch and depth dimensions.";
  if (problem == NULL)
    return check_strides (attrs, error) ? g_steal_pointer (&attrs) : NULL;
  g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, problem);
  return NULL;
}

static gboolean
check_forward (FlowInferContext       *c,
               const FlowWindowAttrs  *attrs,
               GError                **error)
{
  const FlowShape *input = flow_infer_input (c, 0);
  const FlowShape *filter = flow_infer_input (c, 1);
  g_autofree char *input_text = flow_shape_to_string (input);
  g_autofree char *filter_text = flow_shape_to_string (filter);

  FLOW_REQUIRE (input->rank == 4, error, INVALID_ARGUMENT, "input must be 4-dimensional%s", input_text);
  FLOW_REQUIRE (filter->rank == 4, error, INVALID_ARGUMENT, "filter must be 4-dimensional: %s", filter_text);
  FLOW_REQUIRE (input->dims[flow_nn_dim (attrs, 3)] == filter->dims[2], error, INVALID_ARGUMENT,
                "input and filter must have the same depth: %" G_GINT64_FORMAT " vs %" G_GINT64_FORMAT,
                input->dims[flow_nn_dim (attrs, 3)], filter->dims[2]);
  return TRUE;
}

static gboolean
infer_forward (FlowInferContext  *c,
               GError           **error)
{
  g_autoptr (FlowShape) input = NULL;
  g_autoptr (FlowShape) filter = NULL;
  FlowWindowAttrs attrs;
  gint64 depth;
  gint64 multiplier;
  gint64 dims[4];

  if (!read_attrs (FALSE, flow_infer_attr (c, "data_format"), flow_infer_attr (c, "padding"), flow_infer_attr (c, "strides"),
                   &attrs, error) ||
      (c->running && !check_forward (c, &attrs, error)) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 0), 4, &input, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 1), 4, &filter, error) ||
      !flow_infer_merge_dim (c, flow_shape_get_dim (input, flow_nn_dim (&attrs, 3)), flow_shape_get_dim (filter, 2),
                             &depth, error))
    return FALSE;
  multiplier = flow_shape_get_dim (filter, 3);
  dims[0] = flow_shape_get_dim (input, 0);
  dims[flow_nn_dim (&attrs, 3)] = FLOW_DIM_UNKNOWN;
  if (depth >= 0 && multiplier >= 0)
    FLOW_REQUIRE (flow_mul_int64 (depth, multiplier, &dims[flow_nn_dim (&attrs, 3)]), error, INVALID_ARGUMENT,
                  "depth %" G_GINT64_FORMAT " times multiplier %" G_GINT64_FORMAT " is too large", depth, multiplier);
  for (int i = 1; i <= 2; i++)
    {
      gint64 out = flow_window_infer (flow_shape_get_dim (input, flow_nn_dim (&attrs, i)),
                                      flow_shape_get_dim (filter, i - 1), 1, attrs.strides[i], attrs.padding, 0,
                                      c->running, error);

      if (out == -2)
        return FALSE;
      dims[flow_nn_dim (&attrs, i)] = out;
    }
  flow_infer_take_output (c, 0, flow_shape_new (4, dims));
  return TRUE;
}

static gboolean
infer_backward (FlowInferContext  *c,
                guint              sizes,
                const char        *label,
                const char        *what,
                GError           **error)
{
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowShape) ranked = NULL;

  if (c->running && flow_infer_input_value (c, sizes) != NULL)
    {
      FlowTensor *value = flow_infer_input_value (c, sizes);

      FLOW_REQUIRE (FLOW_RANK (value) == 1, error, INVALID_ARGUMENT, "Conv2DBackprop%s: %s input must be 1-dim, not %d",
                    sizes == 0 ? "Input" : "Filter", what, FLOW_RANK (value));
      for (gint64 i = 0; i < value->n_elements; i++)
        FLOW_REQUIRE (flow_tensor_get_int (value, i) >= 0, error, INVALID_ARGUMENT,
                      "Dimension %" G_GINT64_FORMAT " of %s must be >= 0", i, what);
      if ((shape = flow_kernel_shape_from_tensor (value, error)) == NULL)
        return FALSE;
      FLOW_REQUIRE (shape->rank == 4, error, INVALID_ARGUMENT, "%s: %s must be 4-dimensional", label,
                    sizes == 0 ? "input" : "filter");
    }
  else if (!flow_infer_shape_from_value (c, sizes, &shape, error))
    return FALSE;
  if (!flow_infer_with_rank (c, shape, 4, &ranked, error))
    return FALSE;
  flow_infer_take_output (c, 0, g_steal_pointer (&ranked));
  return TRUE;
}

static gboolean
infer_input_backprop (FlowInferContext  *c,
                      GError           **error)
{
  return infer_backward (c, 0, "DepthwiseConv2DBackpropInput", "input_sizes", error);
}

static gboolean
infer_filter_backprop (FlowInferContext  *c,
                       GError           **error)
{
  return infer_backward (c, 1, "DepthwiseConv2DBackpropFilter", "filter_sizes", error);
}

/* --- Compute ----------------------------------------------------------------------------------------- */

static gboolean
make_geometry (const FlowWindowAttrs  *attrs,
               const FlowShape        *input,
               const FlowShape        *filter,
               Depthwise              *d,
               GError                **error)
{
  d->batch = input->dims[0];
  d->channels = filter->dims[2];
  d->multiplier = filter->dims[3];
  return flow_window_init (&d->rows, input->dims[flow_nn_dim (attrs, 1)], filter->dims[0], 1, attrs->strides[1],
                           attrs->padding, error) &&
         flow_window_init (&d->columns, input->dims[flow_nn_dim (attrs, 2)], filter->dims[1], 1, attrs->strides[2],
                           attrs->padding, error);
}

static gboolean
check_backward (const FlowWindowAttrs  *attrs,
                const char             *label,
                const FlowShape        *input,
                const FlowShape        *filter,
                const FlowShape        *output,
                Depthwise              *d,
                GError                **error)
{
  const FlowWindow *w[] = { &d->rows, &d->columns };
  gint64 depth;

  FLOW_REQUIRE (input->rank == 4, error, INVALID_ARGUMENT, "%s: input must be 4-dimensional", label);
  FLOW_REQUIRE (filter->rank == 4, error, INVALID_ARGUMENT, "%s: filter must be 4-dimensional", label);
  FLOW_REQUIRE (output->rank == 4, error, INVALID_ARGUMENT, "%s: out_backprop must be 4-dimensional", label);
  FLOW_REQUIRE (input->dims[0] == output->dims[0], error, INVALID_ARGUMENT,
                "%s: input and out_backprop must have the same batch size", label);
  FLOW_REQUIRE (input->dims[flow_nn_dim (attrs, 3)] == filter->dims[2], error, INVALID_ARGUMENT,
                "%s: input and filter must have the same in_depth", label);
  FLOW_REQUIRE (flow_mul_int64 (filter->dims[2], filter->dims[3], &depth) &&
                depth == output->dims[flow_nn_dim (attrs, 3)], error, INVALID_ARGUMENT,
                "%s: depth_multiplier * in_depth not equal to out_depth", label);
  if (!make_geometry (attrs, input, filter, d, error))
    return FALSE;
  for (int i = 0; i < 2; i++)
    FLOW_REQUIRE (output->dims[flow_nn_dim (attrs, i + 1)] == w[i]->output, error, INVALID_ARGUMENT,
                  "%s: Number of %s of out_backprop doesn't match computed: actual = %" G_GINT64_FORMAT
                  ", computed = %" G_GINT64_FORMAT, label, i == 0 ? "rows" : "cols",
                  output->dims[flow_nn_dim (attrs, i + 1)], w[i]->output);
  return TRUE;
}

/* An image in float or double with the channels last. */
static FlowTensor *
bring (FlowKernelContext      *c,
       const FlowWindowAttrs  *attrs,
       FlowTensor             *tensor,
       GError                **error)
{
  g_autoptr (FlowTensor) wide = flow_nn_widen (c, tensor, error);
  FlowTensor *last = NULL;

  if (wide == NULL || !attrs->channels_first)
    return g_steal_pointer (&wide);
  return flow_nn_channels_last (c, wide, &last, error) ? last : NULL;
}

static FlowTensor *
begin_output (FlowKernelContext  *c,
              gboolean            reordered,
              GError            **error)
{
  FlowTensor *out = flow_kernel_allocate_inferred (c, 0, error);

  if (out == NULL)
    return NULL;
  if (out->dtype != FLOW_DTYPE_HALF && !reordered)
    return flow_tensor_ref (out);
  return flow_kernel_allocate_temp (c, out->dtype == FLOW_DTYPE_HALF ? FLOW_DTYPE_FLOAT : out->dtype, out->shape, error);
}

static gboolean
finish_output (FlowKernelContext  *c,
               gboolean            reordered,
               FlowTensor         *work,
               GError            **error)
{
  FlowTensor *out = c->outputs[0].tensor;
  g_autoptr (FlowTensor) ordered = NULL;

  if (work == out)
    return TRUE;
  if (!reordered)
    {
      flow_nn_narrow (work->data, out);
      return TRUE;
    }
  if (work->dtype == out->dtype)
    {
      flow_nn_channels_first (work, out);
      return TRUE;
    }
  if ((ordered = flow_kernel_allocate_temp (c, work->dtype, out->shape, error)) == NULL)
    return FALSE;
  flow_nn_channels_first (work, ordered);
  flow_nn_narrow (ordered->data, out);
  return TRUE;
}

static gint64
work_of (const Depthwise *d)
{
  return d->columns.output * d->channels * d->multiplier * d->rows.filter * d->columns.filter;
}

static gboolean
forward_compute (FlowKernelContext  *c,
                 GError            **error)
{
  const FlowWindowAttrs *attrs = flow_kernel_data (c);
  g_autoptr (FlowTensor) input = NULL;
  g_autoptr (FlowTensor) filter = NULL;
  g_autoptr (FlowTensor) work = NULL;
  Depthwise d = { 0 };

  if (!make_geometry (attrs, flow_kernel_input (c, 0)->shape, flow_kernel_input (c, 1)->shape, &d, error) ||
      (input = bring (c, attrs, flow_kernel_input (c, 0), error)) == NULL ||
      (filter = flow_nn_widen (c, flow_kernel_input (c, 1), error)) == NULL ||
      (work = begin_output (c, attrs->channels_first, error)) == NULL)
    return FALSE;
  if (work->n_elements == 0)
    return TRUE;
  d.input = input->data;
  d.filter = filter->data;
  d.result = work->data;
  flow_parallel_for (d.batch * d.rows.output, 1 + FLOW_NN_GRAIN / MAX (work_of (&d), 1),
                     work->dtype == FLOW_DTYPE_DOUBLE ? forward_double : forward_float, &d);
  return finish_output (c, attrs->channels_first, work, error);
}

static gboolean
input_compute (FlowKernelContext  *c,
               GError            **error)
{
  const FlowWindowAttrs *attrs = flow_kernel_data (c);
  g_autoptr (FlowTensor) output = NULL;
  g_autoptr (FlowTensor) filter = NULL;
  g_autoptr (FlowTensor) work = NULL;
  Depthwise d = { 0 };

  if (!check_backward (attrs, "DepthwiseConv2DBackpropInput", c->output_shapes[0], flow_kernel_input (c, 1)->shape,
                       flow_kernel_input (c, 2)->shape, &d, error) ||
      (output = bring (c, attrs, flow_kernel_input (c, 2), error)) == NULL ||
      (filter = flow_nn_widen (c, flow_kernel_input (c, 1), error)) == NULL ||
      (work = begin_output (c, attrs->channels_first, error)) == NULL)
    return FALSE;
  if (work->n_elements == 0)
    return TRUE;
  d.output = output->data;
  d.filter = filter->data;
  d.result = work->data;
  flow_parallel_for (d.batch, 1, work->dtype == FLOW_DTYPE_DOUBLE ? backward_input_double : backward_input_float, &d);
  return finish_output (c, attrs->channels_first, work, error);
}

static gboolean
filter_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowWindowAttrs *attrs = flow_kernel_data (c);
  g_autoptr (FlowTensor) input = NULL;
  g_autoptr (FlowTensor) output = NULL;
  g_autoptr (FlowTensor) partials = NULL;
  g_autoptr (FlowTensor) work = NULL;
  g_autoptr (FlowShape) shape = NULL;
  Depthwise d = { 0 };

  if (!check_backward (attrs, "DepthwiseConv2DBackpropFilter", flow_kernel_input (c, 0)->shape, c->output_shapes[0],
                       flow_kernel_input (c, 2)->shape, &d, error) ||
      (input = bring (c, attrs, flow_kernel_input (c, 0), error)) == NULL ||
      (output = bring (c, attrs, flow_kernel_input (c, 2), error)) == NULL ||
      (work = begin_output (c, FALSE, error)) == NULL)
    return FALSE;
  if (work->n_elements == 0)
    return TRUE;
  /* TF: each image has a sum of its own, and these are added up. */
  d.n_partials = MAX (d.batch, 1);
  shape = flow_shape_new_matrix (d.n_partials, work->n_elements);
  if ((partials = flow_kernel_allocate_temp (c, work->dtype, shape, error)) == NULL)
    return FALSE;
  memset (partials->data, 0, partials->n_bytes);
  d.input = input->data;
  d.output = output->data;
  d.result = partials->data;
  flow_parallel_for (d.n_partials, 1, work->dtype == FLOW_DTYPE_DOUBLE ? backward_filter_double
                     : backward_filter_float, &d);
  if (work->dtype == FLOW_DTYPE_DOUBLE)
    add_partials_double (partials->data, d.n_partials, work->n_elements, work->data);
  else
    add_partials_float (partials->data, d.n_partials, work->n_elements, work->data);
  return finish_output (c, FALSE, work, error);
}

/* TF's profiler: 2 x output x filter rows x filter columns. */
static gint64
forward_flops (FlowInferContext *c)
{
  const FlowShape *filter = flow_infer_input (c, 1);
  gint64 out = flow_nn_flops_output (c);

  if (out < 0 || flow_nn_flops_elements (filter) < 0 || flow_infer_attr_string (c, "data_format")[1] == 'C')
    return -1;
  return 2 * out * filter->dims[0] * filter->dims[1];
}

static const FlowKernelDef forward_kernels[] = {
  { "T: double float half", forward_compute, construct, g_free },
  { NULL },
};
static const FlowKernelDef input_kernels[] = {
  { "T: double float half", input_compute, construct, g_free },
  { NULL },
};
static const FlowKernelDef filter_kernels[] = {
  { "T: double float half", filter_compute, construct, g_free },
  { NULL },
};

#define ATTRS                                                                                 \
  "T: {half, bfloat16, float, double}; strides: list(int); padding: {'SAME', 'VALID'}; "      \
  "data_format: {'NHWC', 'NCHW'} = 'NHWC'; dilations: list(int) = [1, 1, 1, 1]"

static const FlowOpDef ops[] = {
  {
    .name = "DepthwiseConv2dNative",
    .inputs = "input: T; filter: T",
    .outputs = "output: T",
    .attrs = ATTRS,
    .summary = "Convolution of each channel by filters of its own",
    .family = FLOW_OP_FAMILY_LINEAR,
    .infer = infer_forward,
    .kernels = forward_kernels,
    .flops = forward_flops,
  },
  {
    .name = "DepthwiseConv2dNativeBackpropFilter",
    .inputs = "input: T; filter_sizes: int32; out_backprop: T",
    .outputs = "output: T",
    .attrs = ATTRS,
    .summary = "Gradient of DepthwiseConv2dNative for the filter",
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = infer_filter_backprop,
    .kernels = filter_kernels,
  },
  {
    .name = "DepthwiseConv2dNativeBackpropInput",
    .inputs = "input_sizes: int32; filter: T; out_backprop: T",
    .outputs = "output: T",
    .attrs = ATTRS,
    .summary = "Gradient of DepthwiseConv2dNative for the image",
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = infer_input_backprop,
    .kernels = input_kernels,
  },
};

FLOW_DEFINE_OP_FAMILY (nn_conv_depthwise, ops)
