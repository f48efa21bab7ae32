/* flow-kernels-nn_norm.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-nn-norm-private.h"

#include <math.h>
#include <string.h>

/* Batch normalisation. Unlike TensorFlow's CPU, channels may come first. */

static gboolean
format_first (const char *format)
{
  return g_str_has_prefix (format, "NC");
}

/* TensorFlow 2 takes volumes in the third version of these ops: NDHWC, NCDHW. */
static int
format_rank (const char *format)
{
  return (int) strlen (format);
}

static gboolean
require_rank (const FlowShape  *shape,
              const char       *what,
              int               rank,
              GError          **error)
{
  g_autofree char *text = NULL;

  if (shape->rank == rank)
    return TRUE;
  text = flow_shape_to_string (shape);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s must be %d-dimensional%s", what, rank, text);
  return FALSE;
}

static gboolean
require_channels (const FlowShape  *shape,
                  const char       *what,
                  gint64            channels,
                  GError          **error)
{
  FLOW_REQUIRE (shape->dims[0] == channels, error, INVALID_ARGUMENT,
                "%s must have the same number of elements as the channels of x, got %" G_GINT64_FORMAT " and %"
                G_GINT64_FORMAT, what, shape->dims[0], channels);
  return TRUE;
}

/* TensorFlow 2 gave these ops an attr that 1.15 does not know: with it the given mean and variance are
 * moved towards the batch's instead of having to be empty. */
static gboolean
read_average_factor (FlowAttrList *attrs,
                     double       *factor)
{
  FlowAttr *attr = flow_attr_list_get (attrs, "exponential_avg_factor");

  *factor = attr != NULL && flow_attr_get_kind (attr) == FLOW_ATTR_FLOAT ? (double) flow_attr_get_float (attr) : 1;
  return attr != NULL;
}

/* --- Shapes ------------------------------------------------------------------------------------------ */

static gboolean
check_forward (FlowInferContext  *c,
               GError           **error)
{
  static const char *const names[] = { "input", "scale", "offset", "estimated_mean", "estimated_variance" };
  gboolean training = flow_infer_attr_bool (c, "is_training");
  const FlowShape *x = flow_infer_input (c, 0);
  double factor;
  gboolean averages = read_average_factor (c->attrs, &factor);
  const char *format = flow_infer_attr_string (c, "data_format");
  gint64 channels;

  if (!require_rank (x, names[0], format_rank (format), error))
    return FALSE;
  for (guint i = 1; i < 5; i++)
    if (!require_rank (flow_infer_input (c, i), names[i], 1, error))
      return FALSE;
  channels = x->dims[format_first (format) ? 1 : format_rank (format) - 1];
  for (guint i = 1; i < 5; i++)
    {
      const FlowShape *shape = flow_infer_input (c, i);
      g_autofree char *text = flow_shape_to_string (shape);

      if (i >= 3 && training && averages && (shape->dims[0] != 0 || factor == 1))
        {
          if (shape->dims[0] != 0 && !require_channels (shape, names[i], channels, error))
            return FALSE;
        }
      else if (i >= 3 && training)
        FLOW_REQUIRE (shape->dims[0] == 0, error, INVALID_ARGUMENT, "%s must be empty for training%s", names[i], text);
      else if (!require_channels (shape, i == 3 ? "mean" : i == 4 ? "variance" : names[i], channels, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
infer_forward (FlowInferContext  *c,
               GError           **error)
{
  const char *format = flow_infer_attr_string (c, "data_format");
  int rank = format_rank (format);
  int last = format_first (format) ? 1 : rank - 1;
  guint n_vectors = flow_infer_attr_bool (c, "is_training") ? 3 : 5;
  g_autoptr (FlowShape) x = NULL;
  gint64 channels;
  gint64 dims[5];

  if (c->running && !check_forward (c, error))
    return FALSE;
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), rank, &x, error))
    return FALSE;
  channels = flow_shape_get_dim (x, last);
  for (guint i = 1; i < n_vectors; i++)
    {
      g_autoptr (FlowShape) vector = NULL;

      if (!flow_infer_with_rank (c, flow_infer_input (c, i), 1, &vector, error) ||
          !flow_infer_merge_dim (c, channels, flow_shape_get_dim (vector, 0), &channels, error))
        return FALSE;
    }
  for (int i = 0; i < rank; i++)
    dims[i] = flow_shape_get_dim (x, i);
  dims[last] = channels;
  flow_infer_take_output (c, 0, flow_shape_new (rank, dims));
  for (guint i = 1; i < 5; i++)
    flow_infer_take_output (c, i, flow_shape_new_vector (channels));
  if (c->n_outputs > 5)
    flow_infer_take_output (c, 5, c->running ? flow_shape_new_scalar () : flow_shape_new_unknown ());
  return TRUE;
}

static gboolean
check_backward (FlowInferContext  *c,
                GError           **error)
{
  static const char *const names[] = { "input", "input", "scale", "saved mean", "saved variance" };
  const FlowShape *dy = flow_infer_input (c, 0);
  const FlowShape *x = flow_infer_input (c, 1);
  g_autofree char *dy_text = flow_shape_to_string (dy);
  g_autofree char *x_text = flow_shape_to_string (x);
  const char *format = flow_infer_attr_string (c, "data_format");
  gint64 channels;

  for (guint i = 0; i < 5; i++)
    if (!require_rank (flow_infer_input (c, i), names[i], i < 2 ? format_rank (format) : 1, error))
      return FALSE;
  FLOW_REQUIRE (flow_shape_equal (dy, x), error, INVALID_ARGUMENT,
                "x and y_backprop must have same shape, but x has shape %s and y_backprop has shape %s", x_text, dy_text);
  channels = x->dims[format_first (format) ? 1 : format_rank (format) - 1];
  for (guint i = 2; i < 5; i++)
    if (!require_channels (flow_infer_input (c, i), names[i], channels, error))
      return FALSE;
  return TRUE;
}

static gboolean
infer_backward (FlowInferContext  *c,
                GError           **error)
{
  gint64 unused;
  const char *format = flow_infer_attr_string (c, "data_format");
  int rank = format_rank (format);
  int last = format_first (format) ? 1 : rank - 1;
  g_autoptr (FlowShape) dy = NULL;
  g_autoptr (FlowShape) x = NULL;
  g_autoptr (FlowShape) both = NULL;
  gint64 channels;
  gint64 dims[5];

  if (c->running && !check_backward (c, error))
    return FALSE;
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), rank, &dy, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 1), rank, &x, error) ||
      !flow_infer_merge_dim (c, flow_shape_get_dim (dy, last), flow_shape_get_dim (x, last), &channels, error))
    return FALSE;
  for (guint i = 2; i < 5; i++)
    {
      g_autoptr (FlowShape) vector = NULL;

      if (!flow_infer_with_rank (c, flow_infer_input (c, i), 1, &vector, error) ||
          !flow_infer_merge_dim (c, channels, flow_shape_get_dim (vector, 0), &channels, error))
        return FALSE;
    }
  for (int i = 0; i < rank; i++)
    dims[i] = flow_shape_get_dim (dy, i);
  dims[last] = channels;
  flow_infer_take_output (c, 0, flow_shape_new (rank, dims));
  flow_infer_take_output (c, 1, flow_shape_new_vector (channels));
  flow_infer_take_output (c, 2, flow_shape_new_vector (channels));
  /* TF infers what its GPU kernels need; the kernel of 1.15's CPU gives a scalar here, ours nothing. */
  unused = !c->running && !flow_infer_attr_bool (c, "is_training") ? channels : 0;
  flow_infer_take_output (c, 3, flow_shape_new_vector (unused));
  flow_infer_take_output (c, 4, flow_shape_new_vector (unused));
  return TRUE;
}

/* --- Compute ----------------------------------------------------------------------------------------- */

/* The result of an op that computes in float: itself, or a float tensor that is narrowed at the end. */
static FlowTensor *
begin_output (FlowKernelContext  *c,
              guint               i,
              GError            **error)
{
  FlowTensor *out = flow_kernel_allocate_inferred (c, i, error);

  if (out == NULL)
    return NULL;
  return out->dtype == FLOW_DTYPE_FLOAT ? flow_tensor_ref (out)
                                        : flow_kernel_allocate_temp (c, FLOW_DTYPE_FLOAT, out->shape, error);
}

static void
finish_output (FlowKernelContext *c,
               guint              i,
               FlowTensor        *work)
{
  if (work != c->outputs[i].tensor)
    flow_nn_narrow (work->data, c->outputs[i].tensor);
}

static FlowTensor *
allocate_vectors (FlowKernelContext  *c,
                  FlowDType           dtype,
                  gint64              n,
                  gint64              channels,
                  GError            **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new_matrix (n, channels);

  return flow_kernel_allocate_temp (c, dtype, shape, error);
}

/* Mean and biased variance of each channel, in double: sums has room for both. */
static gboolean
moments (FlowKernelContext   *c,
         const FlowChannels  *layout,
         const float         *x,
         double              *mean,
         double              *variance,
         GError             **error)
{
  double count = (double) (layout->outer * layout->inner);

  if (!flow_channels_sum (c, layout, FLOW_CHANNEL_SUM, x, NULL, NULL, mean, error))
    return FALSE;
  for (gint64 i = 0; i < layout->channels; i++)
    mean[i] /= count;
  if (!flow_channels_sum (c, layout, FLOW_CHANNEL_SQUARES, x, NULL, mean, variance, error))
    return FALSE;
  for (gint64 i = 0; i < layout->channels; i++)
    variance[i] /= count;
  return TRUE;
}

/* What goes on to the moving averages, and what the gradient needs. */
static void
write_statistics (FlowKernelContext   *c,
                  const FlowChannels  *layout,
                  const double        *mean,
                  const double        *variance,
                  FlowTensor         **stats)
{
  gboolean training = flow_kernel_attr_bool (c, "is_training");
  double count = (double) (layout->outer * layout->inner);
  FlowTensor *old[] = { flow_kernel_input (c, 3), flow_kernel_input (c, 4) };
  double factor;

  read_average_factor (c->attrs, &factor);
  for (gint64 i = 0; i < layout->channels; i++)
    {
      /* TF: the variance that is handed on is the unbiased one. */
      double found[] = { mean[i], training ? variance[i] * count / MAX (count - 1, 1) : variance[i] };

      for (int k = 0; k < 2; k++)
        if (training && factor != 1)
          found[k] = (1 - factor) * (double) FLOW_DATA (float, old[k])[i] + factor * found[k];
      FLOW_WRITABLE (float, stats[0])[i] = (float) found[0];
      FLOW_WRITABLE (float, stats[1])[i] = (float) found[1];
      /* The gradient does not look at them where the statistics were given. */
      FLOW_WRITABLE (float, stats[2])[i] = training ? (float) mean[i] : 0;
      FLOW_WRITABLE (float, stats[3])[i] = training ? (float) variance[i] : 0;
    }
}

/* Channels last: in float, step by step as TensorFlow. */
static gboolean
forward_last (FlowKernelContext   *c,
              const FlowChannels  *layout,
              const float         *x,
              FlowTensor         **stats,
              float               *y,
              GError             **error)
{
  gint64 n = layout->channels;
  gboolean training = flow_kernel_attr_bool (c, "is_training");
  float more = (float) layout->outer / (float) MAX (layout->outer - 1, 1);
  g_autoptr (FlowTensor) temp = allocate_vectors (c, FLOW_DTYPE_FLOAT, 3, n, error);
  const float *mean = FLOW_DATA (float, flow_kernel_input (c, 3));
  const float *variance = FLOW_DATA (float, flow_kernel_input (c, 4));
  float *found;
  double factor;

  if (temp == NULL)
    return FALSE;
  found = temp->data;
  read_average_factor (c->attrs, &factor);
  if (training && !flow_norm_last_moments (c, layout, x, found, found + n, error))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    {
      float first = training ? found[i] : mean[i];
      float second = training ? found[n + i] * more : variance[i];

      if (training && factor != 1)
        {
          first = (1.0f - (float) factor) * mean[i] + (float) factor * first;
          second = (1.0f - (float) factor) * variance[i] + (float) factor * more * found[n + i];
        }
      FLOW_WRITABLE (float, stats[0])[i] = first;
      FLOW_WRITABLE (float, stats[1])[i] = second;
      FLOW_WRITABLE (float, stats[2])[i] = training ? found[i] : 0;
      FLOW_WRITABLE (float, stats[3])[i] = training ? found[n + i] : 0;
    }
  flow_norm_last_apply (c, layout, x, training ? found : mean, training ? found + n : variance,
                        flow_kernel_attr_float (c, "epsilon"), FLOW_DATA (float, flow_kernel_input (c, 1)),
                        FLOW_DATA (float, flow_kernel_input (c, 2)), found + 2 * n, y);
  return TRUE;
}

static gboolean
forward_compute (FlowKernelContext  *c,
                 GError            **error)
{
  gboolean training = flow_kernel_attr_bool (c, "is_training");
  double epsilon = (double) flow_kernel_attr_float (c, "epsilon");
  FlowTensor *in = flow_kernel_input (c, 0);
  FlowChannels layout = flow_channels_of (in->shape, format_first (flow_kernel_attr_string (c, "data_format")));
  const float *scale = FLOW_DATA (float, flow_kernel_input (c, 1));
  const float *offset = FLOW_DATA (float, flow_kernel_input (c, 2));
  g_autoptr (FlowTensor) x = flow_nn_widen (c, in, error);
  g_autoptr (FlowTensor) y = NULL;
  g_autoptr (FlowTensor) wide = NULL;
  g_autoptr (FlowTensor) factors = NULL;
  FlowTensor *stats[4];
  double *mean;
  double *variance;
  float *narrow;

  if (x == NULL || (y = begin_output (c, 0, error)) == NULL ||
      (wide = allocate_vectors (c, FLOW_DTYPE_DOUBLE, 2, layout.channels, error)) == NULL ||
      (factors = allocate_vectors (c, FLOW_DTYPE_FLOAT, 2, layout.channels, error)) == NULL)
    return FALSE;
  for (guint i = 0; i < 4; i++)
    if ((stats[i] = flow_kernel_allocate_inferred (c, 1 + i, error)) == NULL)
      return FALSE;
  if (c->n_outputs > 5)
    {
      FlowTensor *reserve = flow_kernel_allocate_inferred (c, 5, error);

      if (reserve == NULL)
        return FALSE;
      FLOW_WRITABLE (float, reserve)[0] = 0;
    }
  if (layout.inner == 1 && layout.outer > 0 && layout.channels > 0)
    {
      if (!forward_last (c, &layout, x->data, stats, y->data, error))
        return FALSE;
      finish_output (c, 0, y);
      return TRUE;
    }
  mean = wide->data;
  variance = mean + layout.channels;
  narrow = factors->data;
  if (training && !moments (c, &layout, x->data, mean, variance, error))
    return FALSE;
  for (gint64 i = 0; i < layout.channels; i++)
    {
      if (!training)
        {
          mean[i] = (double) FLOW_DATA (float, flow_kernel_input (c, 3))[i];
          variance[i] = (double) FLOW_DATA (float, flow_kernel_input (c, 4))[i];
        }
      narrow[i] = (float) mean[i];
      narrow[layout.channels + i] = (float) ((double) scale[i] / sqrt (variance[i] + epsilon));
    }
  write_statistics (c, &layout, mean, variance, stats);
  {
    FlowChannelScale scales = { NULL, narrow, narrow + layout.channels, offset };

    flow_channels_scale (&layout, x->data, NULL, &scales, y->data);
  }
  finish_output (c, 0, y);
  return TRUE;
}

/* What each channel's gradient is made of; TF: FusedBatchNormGrad and FusedBatchNormFreezeGrad. */
static void
fill_gradient_factors (FlowKernelContext  *c,
                       const FlowChannels *layout,
                       const double       *sums,
                       float              *factors,
                       float              *scale_backprop,
                       float              *offset_backprop)
{
  gboolean training = flow_kernel_attr_bool (c, "is_training");
  double epsilon = (double) flow_kernel_attr_float (c, "epsilon");
  double count = (double) (layout->outer * layout->inner);
  gint64 n = layout->channels;

  for (gint64 i = 0; i < n; i++)
    {
      double scale = (double) FLOW_DATA (float, flow_kernel_input (c, 2))[i];
      double rsqrt = 1 / sqrt ((double) FLOW_DATA (float, flow_kernel_input (c, 4))[i] + epsilon);
      double gain = scale * rsqrt;

      factors[i] = (float) gain;
      factors[n + i] = training ? (float) (-gain * rsqrt * rsqrt * sums[n + i] / count) : 0;
      factors[2 * n + i] = training ? (float) (-gain * sums[i] / count) : 0;
      offset_backprop[i] = (float) sums[i];
      scale_backprop[i] = (float) (sums[n + i] * rsqrt);
    }
}

/* TF: what once stood for the statistics is zero in 1.x and without elements in 2.x, whatever its shape was said to be. */
static gboolean
give_reserves (FlowKernelContext  *c,
               GError            **error)
{
  static const gint64 none = 0;
  g_autoptr (FlowShape) shape = flow_shape_new (flow_kernel_release (c) == FLOW_RELEASE_1 ? 0 : 1, &none);

  for (guint i = 3; i < c->n_outputs; i++)
    {
      FlowTensor *reserve = flow_kernel_allocate (c, i, shape, error);

      if (reserve == NULL)
        return FALSE;
      memset (reserve->data, 0, reserve->n_bytes);
    }
  return TRUE;
}

static gboolean
backward_compute (FlowKernelContext  *c,
                  GError            **error)
{
  FlowTensor *in = flow_kernel_input (c, 1);
  const FlowTensor *saved_mean = flow_kernel_input (c, 3);
  FlowChannels layout = flow_channels_of (in->shape, format_first (flow_kernel_attr_string (c, "data_format")));
  gint64 n = layout.channels;
  g_autoptr (FlowTensor) dy = flow_nn_widen (c, flow_kernel_input (c, 0), error);
  g_autoptr (FlowTensor) x = NULL;
  g_autoptr (FlowTensor) dx = NULL;
  g_autoptr (FlowTensor) wide = NULL;
  g_autoptr (FlowTensor) factors = NULL;
  FlowTensor *out[2];
  double *mean;

  if (dy == NULL || (x = flow_nn_widen (c, in, error)) == NULL || (dx = begin_output (c, 0, error)) == NULL ||
      (wide = allocate_vectors (c, FLOW_DTYPE_DOUBLE, 3, n, error)) == NULL ||
      (factors = allocate_vectors (c, FLOW_DTYPE_FLOAT, 3, n, error)) == NULL)
    return FALSE;
  for (guint i = 0; i < 2; i++)
    if ((out[i] = flow_kernel_allocate_inferred (c, 1 + i, error)) == NULL)
      return FALSE;
  if (!give_reserves (c, error))
    return FALSE;
  /* TF: whatever the statistics of no values were. */
  if (in->n_elements == 0)
    {
      for (guint i = 0; i < 2; i++)
        memset (out[i]->data, 0, out[i]->n_bytes);
      finish_output (c, 0, dx);
      return TRUE;
    }
  if (layout.inner == 1)
    {
      if (!flow_norm_last_gradient (c, &layout, flow_kernel_attr_bool (c, "is_training"),
                                    flow_kernel_attr_float (c, "epsilon"), dy->data, x->data, dx->data, out[0]->data,
                                    out[1]->data, error))
        return FALSE;
      finish_output (c, 0, dx);
      return TRUE;
    }
  mean = wide->data;
  for (gint64 i = 0; i < n; i++)
    mean[i] = (double) FLOW_DATA (float, saved_mean)[i];
  if (!flow_channels_sum (c, &layout, FLOW_CHANNEL_GRADIENT, x->data, dy->data, mean, mean + n, error))
    return FALSE;
  fill_gradient_factors (c, &layout, mean + n, factors->data, out[0]->data, out[1]->data);
  {
    const float *f = factors->data;
    FlowChannelScale scales = { f, saved_mean->data, f + n, f + 2 * n };

    flow_channels_scale (&layout, x->data, dy->data, &scales, dx->data);
  }
  finish_output (c, 0, dx);
  return TRUE;
}

/* --- BatchNormWithGlobalNormalization, the form of 2015 --------------------------------------------- */

static gboolean
infer_global (FlowInferContext  *c,
              GError           **error)
{
  static const char *const names[] = { "input", "mean", "var", "beta", "gamma" };
  static const char *const grad_names[] = { "input", "mean", "var", "gamma", "out_backprop" };
  gboolean is_grad = c->n_outputs > 1;
  g_autoptr (FlowShape) input = NULL;
  gint64 depth;

  for (guint i = 0; i < 5 && c->running; i++)
    {
      const FlowShape *shape = flow_infer_input (c, i);
      int rank = i == 0 || (is_grad && i == 4) ? 4 : 1;

      if (!require_rank (shape, is_grad ? grad_names[i] : names[i], rank, error) ||
          (rank == 1 && !require_channels (shape, is_grad ? grad_names[i] : names[i],
                                           flow_infer_input (c, 0)->dims[3], error)))
        return FALSE;
      FLOW_REQUIRE (rank == 1 || flow_shape_equal (shape, flow_infer_input (c, 0)), error, INVALID_ARGUMENT,
                    "input and out_backprop must have the same shape");
    }
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 4, &input, error))
    return FALSE;
  depth = flow_shape_get_dim (input, 3);
  for (guint i = 1; i < c->n_outputs; i++)
    flow_infer_take_output (c, i, flow_shape_new_vector (depth));
  flow_infer_take_output (c, 0, g_steal_pointer (&input));
  return TRUE;
}

static void
put_real (FlowTensor *out,
          gint64      i,
          double      value)
{
  if (out->dtype == FLOW_DTYPE_DOUBLE)
    FLOW_WRITABLE (double, out)[i] = value;
  else if (out->dtype == FLOW_DTYPE_FLOAT)
    FLOW_WRITABLE (float, out)[i] = (float) value;
  else
    FLOW_WRITABLE (guint16, out)[i] = flow_half_from_float ((float) value);
}

/* The old form has no parallel or in-place variant: a plain loop in double serves every dtype. */
static gboolean
global_compute (FlowKernelContext  *c,
                GError            **error)
{
  double epsilon = (double) flow_kernel_attr_float (c, "variance_epsilon");
  gboolean scaled = flow_kernel_attr_bool (c, "scale_after_normalization");
  FlowTensor *in = flow_kernel_input (c, 0);
  FlowTensor *out = flow_kernel_allocate_inferred (c, 0, error);
  gint64 depth = FLOW_DIMS (in)[3];

  if (out == NULL)
    return FALSE;
  for (gint64 i = 0; i < in->n_elements; i++)
    {
      gint64 k = i % depth;
      double gain = 1 / sqrt (flow_tensor_get_double (flow_kernel_input (c, 2), k) + epsilon);
      double y;

      if (scaled)
        gain *= flow_tensor_get_double (flow_kernel_input (c, 4), k);
      y = (flow_tensor_get_double (in, i) - flow_tensor_get_double (flow_kernel_input (c, 1), k)) * gain +
          flow_tensor_get_double (flow_kernel_input (c, 3), k);
      put_real (out, i, y);
    }
  return TRUE;
}

static gboolean
global_grad_compute (FlowKernelContext  *c,
                     GError            **error)
{
  const double epsilon = (double) flow_kernel_attr_float (c, "variance_epsilon");
  const gboolean scaled = flow_kernel_attr_bool (c, "scale_after_normalization");
  FlowTensor *in = flow_kernel_input (c, 0);
  FlowTensor *backprop = flow_kernel_input (c, 4);
  const gint64 depth = FLOW_DIMS (in)[3];
  FlowTensor *out[5];

  for (guint i = 0; i < 5; i++)
    if ((out[i] = flow_kernel_allocate_inferred (c, i, error)) == NULL)
      return FALSE;
  for (gint64 k = 0; k < depth; k++)
    {
      const double mean = flow_tensor_get_double (flow_kernel_input (c, 1), k);
      const double inverse = 1 / sqrt (flow_tensor_get_double (flow_kernel_input (c, 2), k) + epsilon);
      const double gamma = scaled ? flow_tensor_get_double (flow_kernel_input (c, 3), k) : 1;
      double sum = 0;
      double moment = 0;

      for (gint64 i = k; i < in->n_elements; i += depth)
        {
          const double g = flow_tensor_get_double (backprop, i);

          sum += g;
          moment += g * (flow_tensor_get_double (in, i) - mean);
          put_real (out[0], i, g * inverse * gamma);
        }
      put_real (out[1], k, -sum * inverse * gamma);
      put_real (out[2], k, -moment * gamma * inverse * inverse * inverse / 2);
      put_real (out[3], k, sum);
      put_real (out[4], k, scaled ? moment * inverse : 0);
    }
  return TRUE;
}

static const FlowKernelDef forward_kernels[] = { { "T: float", forward_compute }, { NULL } };
static const FlowKernelDef backward_kernels[] = { { "T: float", backward_compute }, { NULL } };
static const FlowKernelDef forward_v2_kernels[] = { { "T: float half; U: float", forward_compute }, { NULL } };
static const FlowKernelDef backward_v2_kernels[] = { { "T: float half; U: float", backward_compute }, { NULL } };
static const FlowKernelDef global_kernels[] = { { "T: double float half", global_compute }, { NULL } };
static const FlowKernelDef global_grad_kernels[] = { { "T: double float half", global_grad_compute }, { NULL } };

#define COMMON_ATTRS                                                                          \
  "epsilon: float = 0.0001; data_format: {'NHWC', 'NCHW'} = 'NHWC'; is_training: bool = true"
#define ATTRS "T: {float}; " COMMON_ATTRS
#define TYPES_V2 "T: {half, bfloat16, float}; U: {float}; "
#define ATTRS_V2 TYPES_V2 COMMON_ATTRS
#define ATTRS_V3                                                                              \
  TYPES_V2 "epsilon: float = 0.0001; data_format: {'NHWC', 'NCHW', 'NDHWC', 'NCDHW'} = 'NHWC'; is_training: bool = true"

static const FlowOpDef ops[] = {
  {
    .name = "BatchNormWithGlobalNormalization",
    .inputs = "t: T; m: T; v: T; beta: T; gamma: T",
    .outputs = "result: T",
    .attrs = "T: " FLOW_NUMBER_TYPES "; variance_epsilon: float; scale_after_normalization: bool",
    .summary = "Batch normalisation by a given mean and variance (old form)",
    .family = FLOW_OP_FAMILY_MATH,
    .infer = infer_global,
    .kernels = global_kernels,
  },
  {
    .name = "BatchNormWithGlobalNormalizationGrad",
    .inputs = "t: T; m: T; v: T; gamma: T; backprop: T",
    .outputs = "dx: T; dm: T; dv: T; db: T; dg: T",
    .attrs = "T: " FLOW_NUMBER_TYPES "; variance_epsilon: float; scale_after_normalization: bool",
    .summary = "Gradients of BatchNormWithGlobalNormalization",
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = infer_global,
    .kernels = global_grad_kernels,
  },
  {
    .name = "FusedBatchNorm",
    .inputs = "x: T; scale: T; offset: T; mean: T; variance: T",
    .outputs = "y: T; batch_mean: T; batch_variance: T; reserve_space_1: T; reserve_space_2: T",
    .attrs = ATTRS,
    .summary = "Batch normalisation of an image",
    .family = FLOW_OP_FAMILY_MATH,
    .infer = infer_forward,
    .kernels = forward_kernels,
  },
  {
    .name = "FusedBatchNormGrad",
    .inputs = "y_backprop: T; x: T; scale: T; reserve_space_1: T; reserve_space_2: T",
    .outputs = "x_backprop: T; scale_backprop: T; offset_backprop: T; reserve_space_3: T; reserve_space_4: T",
    .attrs = ATTRS,
    .summary = "Gradient of FusedBatchNorm",
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = infer_backward,
    .kernels = backward_kernels,
  },
  {
    .name = "FusedBatchNormGradV2",
    .inputs = "y_backprop: T; x: T; scale: float; reserve_space_1: U; reserve_space_2: U",
    .outputs = "x_backprop: T; scale_backprop: U; offset_backprop: U; reserve_space_3: U; reserve_space_4: U",
    .attrs = ATTRS_V2,
    .summary = "Gradient of FusedBatchNormV2",
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = infer_backward,
    .kernels = backward_v2_kernels,
  },
  {
    .name = "FusedBatchNormGradV3",
    .inputs = "y_backprop: T; x: T; scale: float; reserve_space_1: U; reserve_space_2: U; reserve_space_3: U",
    .outputs = "x_backprop: T; scale_backprop: U; offset_backprop: U; reserve_space_4: U; reserve_space_5: U",
    .attrs = ATTRS_V3,
    .summary = "Gradient of FusedBatchNormV3",
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = infer_backward,
    .kernels = backward_v2_kernels,
  },
  {
    .name = "FusedBatchNormV2",
    .inputs = "x: T; scale: U; offset: U; mean: U; variance: U",
    .outputs = "y: T; batch_mean: U; batch_variance: U; reserve_space_1: U; reserve_space_2: U",
    .attrs = ATTRS_V2,
    .summary = "Batch normalisation of an image, statistics in float",
    .family = FLOW_OP_FAMILY_MATH,
    .infer = infer_forward,
    .kernels = forward_v2_kernels,
  },
  {
    .name = "FusedBatchNormV3",
    .inputs = "x: T; scale: U; offset: U; mean: U; variance: U",
    .outputs = "y: T; batch_mean: U; batch_variance: U; reserve_space_1: U; reserve_space_2: U; reserve_space_3: U",
    .attrs = ATTRS_V3,
    .summary = "Batch normalisation of an image, statistics in float",
    .family = FLOW_OP_FAMILY_MATH,
    .infer = infer_forward,
    .kernels = forward_v2_kernels,
  },
};

FLOW_DEFINE_OP_FAMILY (nn_norm, ops)
