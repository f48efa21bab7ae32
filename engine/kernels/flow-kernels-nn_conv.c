/* flow-kernels-nn_conv.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-dnnl.h"
#include "flow-nn-conv-private.h"

#include <string.h>

/* Conv2D and Conv3D with their gradients. All six know an image, a filter and an output; which of
 * them is computed is the role. Unlike TensorFlow's CPU, channels may come first here: a graph that
 * was trained on a GPU runs. */

typedef enum {
  ROLE_OUTPUT,
  ROLE_INPUT,
  ROLE_FILTER,
} Role;

/* --- Attrs ---------------------------------------------------------------------------------------- */

static gboolean
check_explicit (FlowAttr         *explicit_paddings,
                FlowWindowAttrs  *attrs,
                GError          **error)
{
  gsize n = explicit_paddings != NULL ? flow_attr_get_length (explicit_paddings) : 0;
  int rank = attrs->n_spatial + 2;
  gint64 values[10];

  if (attrs->padding != FLOW_PADDING_EXPLICIT)
    {
      FLOW_REQUIRE (n == 0, error, INVALID_ARGUMENT,
                    "explicit_paddings attribute must be empty if the padding attribute is not EXPLICIT");
      return TRUE;
    }
  FLOW_REQUIRE (n == (gsize) (2 * rank), error, INVALID_ARGUMENT,
                "explicit_paddings attribute must contain %d values, but got: %" G_GSIZE_FORMAT, 2 * rank, n);
  for (int i = 0; i < 2 * rank; i++)
    {
      values[i] = flow_attr_get_int (flow_attr_get_item (explicit_paddings, (gsize) i));
      FLOW_REQUIRE (values[i] >= 0, error, INVALID_ARGUMENT, "All elements of explicit_paddings must be nonnegative");
      FLOW_REQUIRE (values[i] <= G_MAXINT32, error, INVALID_ARGUMENT,
                    "explicit_paddings has value %" G_GINT64_FORMAT " out of range for an int32", values[i]);
    }
  for (int i = 0; i < rank; i++)
    {
      attrs->pad_before[i] = values[2 * flow_nn_dim (attrs, i)];
      attrs->pad_after[i] = values[2 * flow_nn_dim (attrs, i) + 1];
    }
  FLOW_REQUIRE (attrs->pad_before[0] == 0 && attrs->pad_after[0] == 0 && attrs->pad_before[rank - 1] == 0 &&
                attrs->pad_after[rank - 1] == 0, error, INVALID_ARGUMENT,
                "Nonzero explicit padding in the batch or depth dimensions is not supported");
  return TRUE;
}

/* One value for each dimension, in the words of a gradient. */
static gboolean
check_length (FlowAttr    *attr,
              int          rank,
              const char  *words,
              GError     **error)
{
  FLOW_REQUIRE (flow_attr_get_length (attr) == (gsize) rank, error, INVALID_ARGUMENT, "%s field must specify %d dimensions",
                words, rank);
  return TRUE;
}

static gboolean
check_outer_strides (const FlowWindowAttrs  *attrs,
                     GError                **error)
{
  FLOW_REQUIRE (attrs->strides[0] == 1 && attrs->strides[attrs->n_spatial + 1] == 1, error, INVALID_ARGUMENT,
                "Current implementation does not yet support strides in the batch and depth dimensions.");
  return TRUE;
}

static gboolean
check_outer_dilations (const FlowWindowAttrs  *attrs,
                       GError                **error)
{
  FLOW_REQUIRE (attrs->dilations[0] == 1 && attrs->dilations[attrs->n_spatial + 1] == 1, error, INVALID_ARGUMENT,
                "Current implementation does not yet support %s in the batch and depth dimensions.",
                attrs->n_spatial == 3 ? "dilation rates" : "dilations");
  return TRUE;
}

/* TF: on a CPU gradients are not dilated at all; ours are, but not by nothing. */
static gboolean
check_gradient_dilations (const FlowWindowAttrs  *attrs,
                          GError                **error)
{
  for (int i = 1; i <= attrs->n_spatial; i++)
    FLOW_REQUIRE (attrs->dilations[i] > 0, error, INVALID_ARGUMENT,
                  "Current %s not yet support dilation rates larger than 1.", attrs->n_spatial == 3
                  ? "CPU implementation does" : "libxsmm and customized CPU implementations do");
  return TRUE;
}

/* The gradients' kernels look at their attrs in an order of their own. */
static gboolean
read_gradient_attrs_2d (FlowAttr         *strides,
                        FlowAttr         *dilations,
                        FlowWindowAttrs  *attrs,
                        GError          **error)
{
  if (!check_length (strides, 4, "Sliding window strides", error) ||
      !flow_nn_read_dims (strides, attrs, "strides", attrs->strides, error) || !check_outer_strides (attrs, error))
    return FALSE;
  FLOW_REQUIRE (attrs->strides[1] > 0 && attrs->strides[2] > 0, error, INVALID_ARGUMENT,
                "Row and column strides should be larger than 0.");
  return check_length (dilations, 4, "Sliding window dilations", error) &&
         flow_nn_read_dims (dilations, attrs, "dilations", attrs->dilations, error) &&
         check_outer_dilations (attrs, error) && check_gradient_dilations (attrs, error);
}

static gboolean
read_gradient_attrs_3d (FlowAttr         *strides,
                        FlowAttr         *dilations,
                        FlowWindowAttrs  *attrs,
                        GError          **error)
{
  if (!check_length (dilations, 5, "Dilation rates", error) ||
      !flow_nn_read_dims (dilations, attrs, "dilations", attrs->dilations, error) ||
      !check_outer_dilations (attrs, error) || !check_gradient_dilations (attrs, error) ||
      !check_length (strides, 5, "Sliding window strides", error) ||
      !flow_nn_read_dims (strides, attrs, "strides", attrs->strides, error) || !check_outer_strides (attrs, error))
    return FALSE;
  /* The other strides are looked at with the sizes, in make_conv(). */
  return TRUE;
}

static gboolean
read_attrs (int                n_spatial,
            gboolean           is_gradient,
            FlowAttr          *format,
            FlowAttr          *padding,
            FlowAttr          *strides,
            FlowAttr          *dilations,
            FlowAttr          *explicit_paddings,
            FlowWindowAttrs   *attrs,
            GError           **error)
{
  int rank = n_spatial + 2;
  const char *format_text = format != NULL ? flow_attr_get_string (format, NULL) : n_spatial == 3 ? "NDHWC" : "NHWC";

  memset (attrs, 0, sizeof *attrs);
  attrs->n_spatial = n_spatial;
  attrs->padding = flow_nn_read_padding (flow_attr_get_string (padding, NULL));
  if (!flow_nn_read_format (format_text, rank, &attrs->channels_first, error))
    return FALSE;
  if (is_gradient)
    return (n_spatial == 2 ? read_gradient_attrs_2d (strides, dilations, attrs, error)
            : read_gradient_attrs_3d (strides, dilations, attrs, error)) &&
           check_explicit (explicit_paddings, attrs, error);
  FLOW_REQUIRE (flow_attr_get_length (dilations) == (gsize) rank, error, INVALID_ARGUMENT,
                "Conv%dD requires the dilation attribute to contain %d values, but got: %" G_GSIZE_FORMAT, n_spatial,
                rank, flow_attr_get_length (dilations));
  FLOW_REQUIRE (flow_attr_get_length (strides) == (gsize) rank, error, INVALID_ARGUMENT,
                "Conv%dD on data format %s requires the stride attribute to contain %d values, but got: %"
                G_GSIZE_FORMAT, n_spatial, format_text, rank, flow_attr_get_length (strides));
  if (!flow_nn_read_dims (strides, attrs, "strides", attrs->strides, error) ||
      !flow_nn_read_dims (dilations, attrs, "dilations", attrs->dilations, error))
    return FALSE;
  for (int i = 1; i <= n_spatial; i++)
    {
      FLOW_REQUIRE (attrs->strides[i] > 0, error, INVALID_ARGUMENT, "Stride must be > 0, but got %" G_GINT64_FORMAT,
                    attrs->strides[i]);
      FLOW_REQUIRE (attrs->dilations[i] > 0, error, INVALID_ARGUMENT,
                    "Dilation rate must be >= 1, but got %" G_GINT64_FORMAT ": dilations > 0 required",
                    attrs->dilations[i]);
    }
  return check_explicit (explicit_paddings, attrs, error);
}

static gboolean
infer_attrs (FlowInferContext  *c,
             int                n_spatial,
             FlowWindowAttrs   *attrs,
             GError           **error)
{
  FlowOpSignature *signature = (FlowOpSignature *) c->signature;

  return read_attrs (n_spatial, FALSE,
                     flow_op_signature_find_attr (signature, "data_format") != NULL ?
                     flow_infer_attr (c, "data_format") : NULL,
                     flow_infer_attr (c, "padding"), flow_infer_attr (c, "strides"),
                     flow_infer_attr (c, "dilations"),
                     flow_op_signature_find_attr (signature, "explicit_paddings") != NULL ?
                     flow_infer_attr (c, "explicit_paddings") : NULL,
                     attrs, error);
}

static gpointer
construct (FlowKernelConstruction  *c,
           int                      n_spatial,
           gboolean                 is_gradient,
           GError                 **error)
{
  g_autofree FlowWindowAttrs *attrs = g_new0 (FlowWindowAttrs, 1);
  FlowOpSignature *signature = (FlowOpSignature *) c->signature;

  if (!read_attrs (n_spatial, is_gradient,
                   flow_op_signature_find_attr (signature, "data_format") != NULL ?
                   flow_construction_attr (c, "data_format") : NULL,
                   flow_construction_attr (c, "padding"), flow_construction_attr (c, "strides"),
                   flow_construction_attr (c, "dilations"),
                   flow_op_signature_find_attr (signature, "explicit_paddings") != NULL ?
                   flow_construction_attr (c, "explicit_paddings") : NULL,
                   attrs, error) ||
      !check_outer_strides (attrs, error) || !check_outer_dilations (attrs, error))
    return NULL;
  return g_steal_pointer (&attrs);
}

static gpointer
construct_2d (FlowKernelConstruction  *c,
              GError                 **error)
{
  return construct (c, 2, FALSE, error);
}

static gpointer
construct_3d (FlowKernelConstruction  *c,
              GError                 **error)
{
  return construct (c, 3, FALSE, error);
}

static gpointer
construct_gradient_2d (FlowKernelConstruction  *c,
                       GError                 **error)
{
  return construct (c, 2, TRUE, error);
}

static gpointer
construct_gradient_3d (FlowKernelConstruction  *c,
                       GError                 **error)
{
  return construct (c, 3, TRUE, error);
}

/* --- Shapes --------------------------------------------------------------------------------------- */

/* TF: Conv2D's own checks, in the words of its kernel. */
static gboolean
check_forward (FlowInferContext       *c,
               const FlowWindowAttrs  *attrs,
               GError                **error)
{
  const FlowShape *input = flow_infer_input (c, 0);
  const FlowShape *filter = flow_infer_input (c, 1);
  int rank = attrs->n_spatial + 2;
  g_autofree char *input_text = flow_shape_to_string (input);
  g_autofree char *filter_text = flow_shape_to_string (filter);
  gint64 in_depth;
  gint64 patch_depth;

  FLOW_REQUIRE (input->rank == rank, error, INVALID_ARGUMENT, "input must be %d-dimensional%s", rank, input_text);
  FLOW_REQUIRE (filter->rank == rank, error, INVALID_ARGUMENT, "filter must be %d-dimensional: %s", rank, filter_text);
  in_depth = input->dims[flow_nn_dim (attrs, rank - 1)];
  patch_depth = filter->dims[rank - 2];
  FLOW_REQUIRE (patch_depth > 0, error, INVALID_ARGUMENT,
                "filter must not have zero elements (filter depth must be positive): %s", filter_text);
  FLOW_REQUIRE (in_depth % patch_depth == 0, error, INVALID_ARGUMENT,
                "%cnput depth must be evenly divisible by filter depth: %" G_GINT64_FORMAT " vs %" G_GINT64_FORMAT,
                attrs->n_spatial == 3 ? 'I' : 'i', in_depth, patch_depth);
  return TRUE;
}

/* TF: last, and where nothing is to be computed it looks no further. */
static gboolean
check_groups (FlowInferContext       *c,
              const FlowWindowAttrs  *attrs,
              GError                **error)
{
  const FlowShape *input = flow_infer_input (c, 0);
  const FlowShape *filter = flow_infer_input (c, 1);
  g_autofree char *filter_text = flow_shape_to_string (filter);
  gint64 in_depth = input->dims[flow_nn_dim (attrs, attrs->n_spatial + 1)];
  gint64 patch_depth = filter->dims[attrs->n_spatial];

  if (input->dims[0] == 0 || filter->dims[attrs->n_spatial + 1] == 0)
    return TRUE;
  FLOW_REQUIRE (in_depth == patch_depth, error, UNIMPLEMENTED,
                "The Conv%dD op currently does not support grouped convolutions on the CPU. A grouped convolution was "
                "attempted to be run because the input depth of %" G_GINT64_FORMAT
                " does not match the filter input depth of %" G_GINT64_FORMAT, attrs->n_spatial, in_depth, patch_depth);
  for (int i = 0; i < attrs->n_spatial; i++)
    FLOW_REQUIRE (filter->dims[i] > 0, error, INVALID_ARGUMENT, "filter must not have zero elements: %s", filter_text);
  return TRUE;
}

static gboolean
infer_forward (FlowInferContext  *c,
               int                n_spatial,
               GError           **error)
{
  FlowWindowAttrs attrs;
  g_autoptr (FlowShape) input = NULL;
  g_autoptr (FlowShape) filter = NULL;
  int rank = n_spatial + 2;
  gint64 dims[5];

  if (!infer_attrs (c, n_spatial, &attrs, error) || (c->running && !check_forward (c, &attrs, error)) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 0), rank, &input, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 1), rank, &filter, error))
    return FALSE;

  dims[0] = flow_shape_get_dim (input, 0);
  dims[flow_nn_dim (&attrs, rank - 1)] = flow_shape_get_dim (filter, rank - 1);
  {
    gint64 in_depth = flow_shape_get_dim (input, flow_nn_dim (&attrs, rank - 1));
    gint64 patch_depth = flow_shape_get_dim (filter, rank - 2);

    FLOW_REQUIRE (in_depth < 0 || patch_depth <= 0 || in_depth % patch_depth == 0, error, INVALID_ARGUMENT,
                  "Depth of input (%" G_GINT64_FORMAT ") is not a multiple of input depth of filter (%" G_GINT64_FORMAT
                  ")", in_depth, patch_depth);
  }
  for (int i = 1; i <= n_spatial; i++)
    {
      gint64 out = flow_window_infer (flow_shape_get_dim (input, flow_nn_dim (&attrs, i)),
                                      flow_shape_get_dim (filter, i - 1), attrs.dilations[i], attrs.strides[i],
                                      attrs.padding, attrs.pad_before[i] + attrs.pad_after[i], c->running, error);

      if (out == -2)
        return FALSE;
      dims[flow_nn_dim (&attrs, i)] = out;
    }
  if (c->running && !check_groups (c, &attrs, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new (rank, dims));
  return TRUE;
}

/* The output of a gradient has the shape that an input spells (or, in the ops before V2, has). */
static gboolean
infer_backward (FlowInferContext  *c,
                guint              sizes,
                const char        *label,
                const char        *what,
                int                rank,
                GError           **error)
{
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowShape) ranked = NULL;

  if (c->running && flow_infer_input_value (c, sizes) != NULL)
    {
      FlowTensor *value = flow_infer_input_value (c, sizes);

      FLOW_REQUIRE (FLOW_RANK (value) == 1, error, INVALID_ARGUMENT, "%s: %s input must be 1-dim, not %d", label, what,
                    FLOW_RANK (value));
      for (gint64 i = 0; i < value->n_elements; i++)
        FLOW_REQUIRE (flow_tensor_get_int (value, i) >= 0, error, INVALID_ARGUMENT,
                      "Dimension %" G_GINT64_FORMAT " must be >= 0: elements of %s must be >= 0",
                      flow_tensor_get_int (value, i), what);
      if ((shape = flow_kernel_shape_from_tensor (value, error)) == NULL)
        return FALSE;
      FLOW_REQUIRE (shape->rank == rank, error, INVALID_ARGUMENT, "%s: %s must be %d-dimensional", label,
                    sizes == 0 ? "input" : "filter", rank);
    }
  else if (!flow_infer_shape_from_value (c, sizes, &shape, error))
    return FALSE;
  if (!flow_infer_with_rank (c, shape, rank, &ranked, error))
    return FALSE;
  flow_infer_take_output (c, 0, g_steal_pointer (&ranked));
  return TRUE;
}

static gboolean
infer_conv2d (FlowInferContext  *c,
              GError           **error)
{
  return infer_forward (c, 2, error);
}

static gboolean
infer_conv3d (FlowInferContext  *c,
              GError           **error)
{
  return infer_forward (c, 3, error);
}

static gboolean
infer_conv2d_input (FlowInferContext  *c,
                    GError           **error)
{
  return infer_backward (c, 0, "Conv2DBackpropInput", "input_sizes", 4, error);
}

static gboolean
infer_conv2d_filter (FlowInferContext  *c,
                     GError           **error)
{
  return infer_backward (c, 1, "Conv2DCustomBackpropFilter", "filter_sizes", 4, error);
}

static gboolean
infer_conv3d_input (FlowInferContext  *c,
                    GError           **error)
{
  return infer_backward (c, 0, "Conv3DBackpropInputOp", "input_sizes", 5, error);
}

static gboolean
infer_conv3d_filter (FlowInferContext  *c,
                     GError           **error)
{
  return infer_backward (c, 1, "Conv3DBackpropFilterOp", "filter_sizes", 5, error);
}

static gboolean
infer_like_input (FlowInferContext  *c,
                  GError           **error)
{
  g_autoptr (FlowShape) shape = NULL;

  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 5, &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, g_steal_pointer (&shape));
  return TRUE;
}

static gboolean
infer_like_filter (FlowInferContext  *c,
                   GError           **error)
{
  g_autoptr (FlowShape) shape = NULL;

  if (!flow_infer_with_rank (c, flow_infer_input (c, 1), 5, &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, g_steal_pointer (&shape));
  return TRUE;
}

/* --- Compute -------------------------------------------------------------------------------------- */

static gboolean
check_backward (const FlowWindowAttrs  *attrs,
                const char             *label,
                const FlowShape        *input,
                const FlowShape        *filter,
                const FlowShape        *output,
                GError                **error)
{
  int rank = attrs->n_spatial + 2;
  int depth = flow_nn_dim (attrs, rank - 1);
  FLOW_REQUIRE (input->rank == rank, error, INVALID_ARGUMENT, "%s: input must be %d-dimensional", label, rank);
  FLOW_REQUIRE (filter->rank == rank, error, INVALID_ARGUMENT, "%s: filter must be %d-dimensional", label, rank);
  FLOW_REQUIRE (output->rank == rank, error, INVALID_ARGUMENT, "%s: out_backprop must be %d-dimensional", label, rank);
  FLOW_REQUIRE (input->dims[0] == output->dims[0], error, INVALID_ARGUMENT,
                "%s: input and out_backprop must have the same batch sizeinput batch: %" G_GINT64_FORMAT
                "outbackprop batch: %" G_GINT64_FORMAT " batch_dim: 0", label, input->dims[0], output->dims[0]);
  FLOW_REQUIRE (filter->dims[rank - 2] > 0 && input->dims[depth] % filter->dims[rank - 2] == 0, error, INVALID_ARGUMENT,
                "%s: input depth must be evenly divisible by filter depth", label);
  FLOW_REQUIRE (filter->dims[rank - 1] == output->dims[depth], error, INVALID_ARGUMENT,
                "%s: filter and out_backprop must have the same out_depth", label);
  return TRUE;
}

/* Fills @conv from the three shapes, in whatever data format. */
static gboolean
make_conv (const FlowWindowAttrs  *attrs,
           const FlowShape        *input,
           const FlowShape        *filter,
           const FlowShape        *output,
           const char             *label,
           FlowConv               *conv,
           GError                **error)
{
  int n = attrs->n_spatial;

  conv->batch = input->dims[0];
  conv->in_channels = input->dims[flow_nn_dim (attrs, n + 1)];
  conv->out_channels = filter->dims[n + 1];
  for (int i = 0; i < 3; i++)
    conv->window[i] = (FlowWindow) { 1, 1, 1, 1, 1, 0, 0 };
  for (int i = 1; i <= n; i++)
    {
      FlowWindow *w = &conv->window[3 - n + i - 1];
      gint64 actual = output->dims[flow_nn_dim (attrs, i)];

      w->pad_before = attrs->pad_before[i];
      w->pad_after = attrs->pad_after[i];
      if (!flow_window_init (w, input->dims[flow_nn_dim (attrs, i)], filter->dims[i - 1], attrs->dilations[i],
                             attrs->strides[i], attrs->padding, error))
        return FALSE;
      FLOW_REQUIRE (actual == w->output, error, INVALID_ARGUMENT,
                    "%s: Size of out_backprop doesn't match computed: actual = %" G_GINT64_FORMAT ", computed = %"
                    G_GINT64_FORMAT " spatial_dim: %d input: %" G_GINT64_FORMAT " filter: %" G_GINT64_FORMAT
                    " output: %" G_GINT64_FORMAT " stride: %" G_GINT64_FORMAT " dilation: %" G_GINT64_FORMAT,
                    label, actual, w->output, flow_nn_dim (attrs, i), w->input, w->filter, actual, w->stride,
                    w->dilation);
    }
  return TRUE;
}

static gboolean
run_gemm (FlowKernelContext  *c,
          const FlowConv     *conv,
          Role                role,
          FlowTensor        **parts,
          GError            **error)
{
  gpointer input = parts[ROLE_INPUT]->data;
  gpointer filter = parts[ROLE_FILTER]->data;
  gpointer output = parts[ROLE_OUTPUT]->data;

  switch (role)
    {
    case ROLE_INPUT:
      return flow_conv_gemm_backward_input (c, conv, filter, output, input, error);
    case ROLE_FILTER:
      return flow_conv_gemm_backward_filter (c, conv, input, output, filter, error);
    case ROLE_OUTPUT:
    default:
      return flow_conv_gemm_forward (c, conv, input, filter, output, error);
    }
}

/* The parts as float or double with the channels last; the result goes into a temporary where it has
 * to be brought back to another form. */
static gboolean
prepare_parts (FlowKernelContext      *c,
               const FlowWindowAttrs  *attrs,
               Role                    role,
               FlowTensor            **parts,
               FlowTensor            **ready,
               GError                **error)
{
  for (int i = 0; i < 3; i++)
    {
      gboolean first = attrs->channels_first && i != ROLE_FILTER;
      g_autoptr (FlowTensor) wide = NULL;

      if (i == (int) role)
        wide = flow_dtype_size (parts[i]->dtype) == 2 ?
               flow_kernel_allocate_temp (c, FLOW_DTYPE_FLOAT, parts[i]->shape, error) : flow_tensor_ref (parts[i]);
      else
        wide = flow_nn_widen (c, parts[i], error);
      if (wide == NULL)
        return FALSE;
      if (!first)
        ready[i] = g_steal_pointer (&wide);
      else if (i == (int) role)
        {
          /* The element count is the same; only the conv knows how the dims lie. */
          ready[i] = flow_kernel_allocate_temp (c, wide->dtype, wide->shape, error);
          if (ready[i] == NULL)
            return FALSE;
        }
      else if (!flow_nn_channels_last (c, wide, &ready[i], error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
finish_result (FlowKernelContext      *c,
               const FlowWindowAttrs  *attrs,
               Role                    role,
               FlowTensor             *result,
               FlowTensor             *out,
               GError                **error)
{
  g_autoptr (FlowTensor) wide = NULL;

  if (result == out)
    return TRUE;
  if (!attrs->channels_first || role == ROLE_FILTER)
    {
      flow_nn_narrow (result->data, out);
      return TRUE;
    }
  if (result->dtype == out->dtype)
    {
      flow_nn_channels_first (result, out);
      return TRUE;
    }
  if ((wide = flow_kernel_allocate_temp (c, result->dtype, out->shape, error)) == NULL)
    return FALSE;
  flow_nn_channels_first (result, wide);
  flow_nn_narrow (wide->data, out);
  return TRUE;
}

/* TF: halves are multiplied and added as such, but where it goes over patches of pictures. */
static gboolean
sums_in_half (const FlowWindowAttrs  *attrs,
              const FlowConv         *conv,
              Role                    role)
{
  const FlowWindow *rows = &conv->window[1];
  const FlowWindow *columns = &conv->window[2];

  if (role != ROLE_OUTPUT || attrs->n_spatial == 3)
    return TRUE;
  if (rows->filter == 1 && columns->filter == 1)
    return rows->stride == 1 && columns->stride == 1;
  return attrs->padding == FLOW_PADDING_VALID && rows->filter == rows->input && columns->filter == columns->input;
}

static gboolean
run (FlowKernelContext      *c,
     const FlowWindowAttrs  *attrs,
     const FlowConv         *shape,
     Role                    role,
     FlowTensor            **parts,
     GError                **error)
{
  FlowTensor *ready[3] = { NULL, NULL, NULL };
  FlowTensor *out = parts[role];
  FlowConv conv = *shape;
  gboolean done = FALSE;
  gboolean ok;

  if (out->n_elements == 0)
    return TRUE;
  for (int i = 0; i < 3; i++)
    if (parts[i]->n_elements == 0)
      {
        memset (out->data, 0, out->n_bytes);
        return TRUE;
      }
  conv.release = flow_kernel_release (c);
  conv.half = out->dtype == FLOW_DTYPE_HALF && sums_in_half (attrs, shape, role);
  conv.dtype = out->dtype == FLOW_DTYPE_DOUBLE ? FLOW_DTYPE_DOUBLE : FLOW_DTYPE_FLOAT;
  if (out->dtype == FLOW_DTYPE_FLOAT && flow_dnnl_is_worth (&conv, (FlowDnnlRole) role))
    {
      if (!flow_dnnl_convolution (c, &conv, attrs->n_spatial, attrs->channels_first, (FlowDnnlRole) role,
                                  parts[ROLE_INPUT]->data, parts[ROLE_FILTER]->data, parts[ROLE_OUTPUT]->data, &done,
                                  error))
        return FALSE;
      if (done)
        return TRUE;
    }
  ok = prepare_parts (c, attrs, role, parts, ready, error) &&
       run_gemm (c, &conv, role, ready, error) &&
       finish_result (c, attrs, role, ready[role], out, error);
  for (int i = 0; i < 3; i++)
    g_clear_pointer (&ready[i], flow_tensor_unref);
  return ok;
}

static gboolean
forward_compute (FlowKernelContext  *c,
                 GError            **error)
{
  const FlowWindowAttrs *attrs = flow_kernel_data (c);
  FlowTensor *parts[3];
  FlowConv conv = { 0 };

  parts[ROLE_INPUT] = flow_kernel_input (c, 0);
  parts[ROLE_FILTER] = flow_kernel_input (c, 1);
  if ((parts[ROLE_OUTPUT] = flow_kernel_allocate_inferred (c, 0, error)) == NULL)
    return FALSE;
  if (parts[ROLE_OUTPUT]->n_elements == 0)
    return TRUE;
  if (!make_conv (attrs, parts[ROLE_INPUT]->shape, parts[ROLE_FILTER]->shape, parts[ROLE_OUTPUT]->shape, "Conv", &conv,
                  error))
    return FALSE;
  return run (c, attrs, &conv, ROLE_OUTPUT, parts, error);
}

static gboolean
input_compute (FlowKernelContext  *c,
               GError            **error)
{
  const FlowWindowAttrs *attrs = flow_kernel_data (c);
  const char *label = attrs->n_spatial == 2 ? "Conv2DCustomBackpropInput" : "Conv3DBackpropInputOp";
  const FlowShape *input = c->output_shapes[0];
  int depth = flow_nn_dim (attrs, attrs->n_spatial + 1);
  FlowTensor *parts[3];
  FlowConv conv = { 0 };

  parts[ROLE_FILTER] = flow_kernel_input (c, 1);
  parts[ROLE_OUTPUT] = flow_kernel_input (c, 2);
  if (!check_backward (attrs, label, input, parts[ROLE_FILTER]->shape, parts[ROLE_OUTPUT]->shape, error) ||
      !make_conv (attrs, input, parts[ROLE_FILTER]->shape, parts[ROLE_OUTPUT]->shape, label, &conv, error))
    return FALSE;
  FLOW_REQUIRE (input->dims[depth] == FLOW_DIMS (parts[ROLE_FILTER])[attrs->n_spatial] || input->dims[depth] == 0, error,
                UNIMPLEMENTED,
                "%s: grouped convolutions are not supported on the CPU: the input depth of %" G_GINT64_FORMAT
                " does not match the filter input depth of %" G_GINT64_FORMAT, label, input->dims[depth],
                FLOW_DIMS (parts[ROLE_FILTER])[attrs->n_spatial]);
  if ((parts[ROLE_INPUT] = flow_kernel_allocate_inferred (c, 0, error)) == NULL)
    return FALSE;
  return run (c, attrs, &conv, ROLE_INPUT, parts, error);
}

static gboolean
filter_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowWindowAttrs *attrs = flow_kernel_data (c);
  const char *label = attrs->n_spatial == 2 ? "Conv2DCustomBackpropFilter" : "Conv3DBackpropFilterOp";
  const FlowShape *filter = c->output_shapes[0];
  int depth = flow_nn_dim (attrs, attrs->n_spatial + 1);
  FlowTensor *parts[3];
  FlowConv conv = { 0 };

  parts[ROLE_INPUT] = flow_kernel_input (c, 0);
  parts[ROLE_OUTPUT] = flow_kernel_input (c, 2);
  if (!check_backward (attrs, label, parts[ROLE_INPUT]->shape, filter, parts[ROLE_OUTPUT]->shape, error))
    return FALSE;
  FLOW_REQUIRE (parts[ROLE_INPUT]->n_elements == 0 ||
                FLOW_DIMS (parts[ROLE_INPUT])[depth] == filter->dims[attrs->n_spatial], error, INVALID_ARGUMENT,
                "%s: filter_size does not have enough elements: the input depth of %" G_GINT64_FORMAT
                " does not match the filter input depth of %" G_GINT64_FORMAT, label,
                FLOW_DIMS (parts[ROLE_INPUT])[depth], filter->dims[attrs->n_spatial]);
  if (!make_conv (attrs, parts[ROLE_INPUT]->shape, filter, parts[ROLE_OUTPUT]->shape, label, &conv, error) ||
      (parts[ROLE_FILTER] = flow_kernel_allocate_inferred (c, 0, error)) == NULL)
    return FALSE;
  return run (c, attrs, &conv, ROLE_FILTER, parts, error);
}

/* --- Float operations, by the profiler's rules ---------------------------------------------------- */

static gboolean
counts_format (FlowInferContext *c)
{
  return flow_infer_attr_string (c, "data_format")[1] != 'C';
}

static gint64
forward_flops (FlowInferContext *c)
{
  const FlowShape *filter = flow_infer_input (c, 1);
  gint64 out = flow_nn_flops_output (c);
  gint64 all = flow_nn_flops_elements (filter);

  if (out < 0 || all < 0 || !counts_format (c) || filter->dims[filter->rank - 1] == 0)
    return -1;
  return 2 * out * (all / filter->dims[filter->rank - 1]);
}

static gint64
strides_product (FlowInferContext *c)
{
  FlowAttr *strides = flow_infer_attr (c, "strides");

  return flow_attr_get_int (flow_attr_get_item (strides, 1)) * flow_attr_get_int (flow_attr_get_item (strides, 2));
}

static gint64
input_flops (FlowInferContext *c)
{
  const FlowShape *out_shape = c->output_shapes[0];
  gint64 out = flow_nn_flops_output (c);
  gint64 filter = flow_nn_flops_elements (flow_infer_input (c, 1));

  if (out <= 0 || filter < 0 || !counts_format (c) || strides_product (c) <= 0)
    return -1;
  return 2 * out * filter / (out_shape->dims[out_shape->rank - 1] * strides_product (c));
}

static gint64
filter_flops (FlowInferContext *c)
{
  const FlowShape *image_shape = flow_infer_input (c, 0);
  gint64 image = flow_nn_flops_input (c);
  gint64 out = flow_nn_flops_output (c);

  if (image <= 0 || out < 0 || !counts_format (c) || strides_product (c) <= 0)
    return -1;
  return 2 * image * out / (image_shape->dims[image_shape->rank - 1] * strides_product (c));
}

#define CONV_TYPES "T: double float half"

static const FlowKernelDef forward_2d[] = { { CONV_TYPES, forward_compute, construct_2d, g_free }, { NULL } };
static const FlowKernelDef input_2d[] = { { CONV_TYPES, input_compute, construct_gradient_2d, g_free }, { NULL } };
static const FlowKernelDef filter_2d[] = { { CONV_TYPES, filter_compute, construct_gradient_2d, g_free }, { NULL } };
static const FlowKernelDef forward_3d[] = { { CONV_TYPES, forward_compute, construct_3d, g_free }, { NULL } };
static const FlowKernelDef input_3d[] = { { CONV_TYPES, input_compute, construct_gradient_3d, g_free }, { NULL } };
static const FlowKernelDef filter_3d[] = { { CONV_TYPES, filter_compute, construct_gradient_3d, g_free }, { NULL } };

#define CONV2D_ATTRS                                                                          \
  "T: {half, bfloat16, float, double}; strides: list(int); use_cudnn_on_gpu: bool = true; "   \
  "padding: {'SAME', 'VALID', 'EXPLICIT'}; explicit_paddings: list(int) = []; "               \
  "data_format: {'NHWC', 'NCHW'} = 'NHWC'; dilations: list(int) = [1, 1, 1, 1]"
#define CONV3D_OLD_ATTRS                                                                      \
  "T: {half, float, double}; strides: list(int) >= 5; padding: {'SAME', 'VALID'}; "           \
  "dilations: list(int) = [1, 1, 1, 1, 1]"
#define CONV3D_ATTRS                                                                          \
  "T: {half, bfloat16, float, double}; strides: list(int) >= 5; padding: {'SAME', 'VALID'}; " \
  "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'; dilations: list(int) = [1, 1, 1, 1, 1]"

static const FlowOpDef ops[] = {
  {
    .name = "Conv2D",
    .inputs = "input: T; filter: T",
    .outputs = "output: T",
    .attrs = CONV2D_ATTRS,
    .summary = "2-D convolution of an image with a filter",
    .family = FLOW_OP_FAMILY_LINEAR,
    .infer = infer_conv2d,
    .kernels = forward_2d,
    .flops = forward_flops,
  },
  {
    .name = "Conv2DBackpropFilter",
    .inputs = "input: T; filter_sizes: int32; out_backprop: T",
    .outputs = "output: T",
    .attrs = CONV2D_ATTRS,
    .summary = "Gradient of Conv2D for the filter",
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = infer_conv2d_filter,
    .kernels = filter_2d,
    .flops = filter_flops,
  },
  {
    .name = "Conv2DBackpropInput",
    .inputs = "input_sizes: int32; filter: T; out_backprop: T",
    .outputs = "output: T",
    .attrs = CONV2D_ATTRS,
    .summary = "Gradient of Conv2D for the image; a transposed convolution",
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = infer_conv2d_input,
    .kernels = input_2d,
    .flops = input_flops,
  },
  {
    .name = "Conv3D",
    .inputs = "input: T; filter: T",
    .outputs = "output: T",
    .attrs = CONV3D_ATTRS,
    .summary = "3-D convolution of a volume with a filter",
    .family = FLOW_OP_FAMILY_LINEAR,
    .infer = infer_conv3d,
    .kernels = forward_3d,
    .flops = forward_flops,
  },
  {
    .name = "Conv3DBackpropFilter",
    .inputs = "input: T; filter: T; out_backprop: T",
    .outputs = "output: T",
    .attrs = CONV3D_OLD_ATTRS,
    .summary = "Gradient of Conv3D for the filter (before V2)",
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = infer_like_filter,
    .kernels = filter_3d,
  },
  {
    .name = "Conv3DBackpropFilterV2",
    .inputs = "input: T; filter_sizes: int32; out_backprop: T",
    .outputs = "output: T",
    .attrs = CONV3D_ATTRS,
    .summary = "Gradient of Conv3D for the filter",
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = infer_conv3d_filter,
    .kernels = filter_3d,
  },
  {
    .name = "Conv3DBackpropInput",
    .inputs = "input: T; filter: T; out_backprop: T",
    .outputs = "output: T",
    .attrs = CONV3D_OLD_ATTRS,
    .summary = "Gradient of Conv3D for the volume (before V2)",
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = infer_like_input,
    .kernels = input_3d,
  },
  {
    .name = "Conv3DBackpropInputV2",
    .inputs = "input_sizes: Tshape; filter: T; out_backprop: T",
    .outputs = "output: T",
    .attrs = CONV3D_ATTRS "; Tshape: {int32, int64} = DT_INT32",
    .summary = "Gradient of Conv3D for the volume",
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = infer_conv3d_input,
    .kernels = input_3d,
  },
};

FLOW_DEFINE_OP_FAMILY (nn_conv, ops)
