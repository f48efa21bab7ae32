/* flow-kernels-fake_quant.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-elementwise-private.h"
#include "flow-sum-private.h"
#include "flow-summarize-private.h"

#include <math.h>
#include <string.h>

/* Floats rounded to what an integer of few bits could hold, as graphs trained for quantisation have
 * them: one range for all, or one for each channel (the last dim). */

/* The range moved so that zero is one of its steps. */
typedef struct {
  float low;
  float high;
  float scale;
  gboolean none;               /* the range 0 to 0: all is zero */
} Range;

static Range
nudge (float    low,
       float    high,
       gint64   bits,
       gboolean narrow)
{
  float first = narrow ? 1 : 0;
  float last = (float) ((1 << bits) - 1);
  Range r = { .none = low == 0 && high == 0 };
  float from_low;
  float zero;

  r.scale = (high - low) / (last - first);
  from_low = first - low / r.scale;
  /* TF: a zero that is no number becomes integer zero. */
  zero = from_low < first ? first : from_low > last ? last : isnan (from_low) ? 0 : roundf (from_low);
  r.low = (first - zero) * r.scale;
  r.high = (last - zero) * r.scale;
  return r;
}

static inline float
quantize (const Range *r,
          float        x)
{
  float inverse = 1.0f / r->scale;
  /* TF: min, then max, a NaN staying one; it shows where the range is turned around. */
  float clamped = r->high < x ? r->high : x;

  if (r->none)
    return 0;
  clamped = clamped < r->low ? r->low : clamped;
  return floorf ((clamped - r->low) * inverse + 0.5f) * r->scale + r->low;
}

static gboolean
bits_of (FlowKernelContext  *c,
         gint64             *bits,
         GError            **error)
{
  *bits = flow_kernel_attr_int (c, "num_bits");
  FLOW_REQUIRE (*bits >= 2 && *bits <= 16, error, INVALID_ARGUMENT,
                "num_bits must be between 2 and 16, inclusive");
  return TRUE;
}

/* The ranges of a node: @n of them, from attrs or from inputs @first and @first + 1. */
static Range *
read_ranges (FlowKernelContext  *c,
             int                 first,
             gint64              n,
             GError            **error)
{
  gboolean narrow = flow_kernel_attr_bool (c, "narrow_range");
  g_autofree Range *ranges = g_try_new (Range, (gsize) MAX (n, 1));
  gint64 bits;

  if (!bits_of (c, &bits, error))
    return NULL;
  if (ranges == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "OOM when reading ranges");
      return NULL;
    }
  for (gint64 i = 0; i < n; i++)
    {
      float low = first < 0 ? flow_kernel_attr_float (c, "min")
                            : FLOW_DATA (float, flow_kernel_input (c, (guint) first))[i];
      float high = first < 0 ? flow_kernel_attr_float (c, "max")
                             : FLOW_DATA (float, flow_kernel_input (c, (guint) first + 1))[i];

      ranges[i] = nudge (low, high, bits, narrow);
    }
  return g_steal_pointer (&ranges);
}

/* --- shapes ---------------------------------------------------------------------------------------- */

/* @x: index of the input to be quantised; ranges follow it. */
static gboolean
check_ranges (FlowInferContext  *c,
              guint              x,
              gboolean           per_channel,
              GError           **error)
{
  FlowShape *in = flow_infer_input (c, x);
  gint64 depth = in->rank > 0 ? in->dims[in->rank - 1] : -1;
  gint64 bits = flow_infer_attr_int (c, "num_bits");

  /* TF: what attrs say is looked at when the kernel is made. */
  if (c->n_inputs == x + 1)
    {
      float low = (float) flow_infer_attr_float (c, "min");
      float high = (float) flow_infer_attr_float (c, "max");

      FLOW_REQUIRE (low < high, error, INVALID_ARGUMENT, "min has to be smaller than max, was: %s >= %s",
                    _flow_float_text (low).text, _flow_float_text (high).text);
    }
  FLOW_REQUIRE (bits >= 2 && bits <= 16, error, INVALID_ARGUMENT, "num_bits must be between 2 and 16, inclusive");
  if (x == 1 && !flow_shape_equal (flow_infer_input (c, 0), in))
    {
      g_autofree char *a = flow_shape_to_string (flow_infer_input (c, 0));
      g_autofree char *b = flow_shape_to_string (in);

      /* The op without ranges among its inputs is one of TensorFlow's binary element-wise ones. */
      FLOW_REQUIRE (c->n_inputs == 2, error, INVALID_ARGUMENT, "gradient and input must be the same size");
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Inputs to operation %s of type %s must have the same "
                   "size and shape.  Input 0: %s != input 1: %s", c->node_name, c->signature->name, a, b);
      return FALSE;
    }
  FLOW_REQUIRE (!per_channel || in->rank >= 1, error, INVALID_ARGUMENT,
                "inputs must have at least one dimension");
  for (guint i = x + 1; i < c->n_inputs; i++)
    {
      FlowShape *range = flow_infer_input (c, i);
      const char *name = i == x + 1 ? "min" : "max";

      gint64 n = -1;

      /* TF: one value of any rank serves as a scalar while the graph does not know its shape. */
      flow_shape_n_elements (range, &n);
      if (!per_channel)
        FLOW_REQUIRE (n == 1, error, INVALID_ARGUMENT,
                      "Shape must be rank 0 but is rank %d: %s", range->rank, name);
      else
        FLOW_REQUIRE (n == depth && range->rank == 1, error, INVALID_ARGUMENT,
                      "%s has incorrect size, expected %" G_GINT64_FORMAT " was %" G_GINT64_FORMAT,
                      name, depth, range->rank > 0 ? range->dims[0] : 1);
    }
  return TRUE;
}

static gboolean
infer (FlowInferContext  *c,
       GError           **error)
{
  if (c->running && !check_ranges (c, 0, FALSE, error))
    return FALSE;
  return flow_infer_unchanged_shape (c, error);
}

static gboolean
channels_infer (FlowInferContext  *c,
                GError           **error)
{
  if (c->running && !check_ranges (c, 0, TRUE, error))
    return FALSE;
  return flow_infer_unchanged_shape (c, error);
}

static gboolean
grad_infer_with (FlowInferContext  *c,
                 gboolean           per_channel,
                 GError           **error)
{
  FlowShape *both;

  if (c->running && !check_ranges (c, 1, per_channel, error))
    return FALSE;
  if (!flow_infer_merge (c, flow_infer_input (c, 0), flow_infer_input (c, 1), &both, error))
    return FALSE;
  flow_infer_take_output (c, 0, both);
  for (guint i = 1; i < c->n_outputs; i++)
    {
      FlowShape *range;

      if (c->running && !per_channel)
        range = flow_shape_new_scalar ();
      else if (!flow_infer_with_rank (c, flow_infer_input (c, i + 1), per_channel ? 1 : 0, &range, error))
        return FALSE;
      flow_infer_take_output (c, i, range);
    }
  return TRUE;
}

static gboolean
grad_infer (FlowInferContext  *c,
            GError           **error)
{
  return grad_infer_with (c, FALSE, error);
}

static gboolean
channels_grad_infer (FlowInferContext  *c,
                     GError           **error)
{
  return grad_infer_with (c, TRUE, error);
}

/* --- computing -------------------------------------------------------------------------------------- */

static gboolean
quantize_with (FlowKernelContext  *c,
               int                 first,
               gint64              n,
               GError            **error)
{
  const FlowTensor *x = flow_kernel_input (c, 0);
  g_autofree Range *ranges = read_ranges (c, first, n, error);
  FlowTensor *out = ranges != NULL ? flow_kernel_forward_or_allocate (c, 0, 0, x->shape, error) : NULL;

  if (out == NULL)
    return FALSE;
  for (gint64 i = 0; i < x->n_elements; i += n)
    for (gint64 k = 0; k < n; k++)
      FLOW_WRITABLE (float, out)[i + k] = quantize (&ranges[k], FLOW_DATA (float, x)[i + k]);
  return TRUE;
}

static gboolean
args_compute (FlowKernelContext  *c,
              GError            **error)
{
  return quantize_with (c, -1, 1, error);
}

static gboolean
vars_compute (FlowKernelContext  *c,
              GError            **error)
{
  return quantize_with (c, 1, 1, error);
}

static gboolean
channels_compute (FlowKernelContext  *c,
                  GError            **error)
{
  return quantize_with (c, 1, flow_kernel_input (c, 1)->n_elements, error);
}

/* What lies inside its range passes its gradient on. TF: masks are numbers, so an infinite gradient outside of the
 * range gives NaN. */
static void
pass_inside (const float *gradients,
             const float *x,
             const Range *r,
             gint64       n_rows,
             gint64       stride,
             float       *out)
{
  for (gint64 i = 0; i < n_rows * stride; i += stride)
    out[i] = r->none ? gradients[i] : gradients[i] * (x[i] >= r->low && x[i] <= r->high ? 1.0f : 0.0f);
}

/* What lies outside gives its gradient to the end it is held at: @terms are those of one end, in order. */
static float
sum_outside (FlowRelease  release,
             const float *gradients,
             const float *x,
             const Range *r,
             gboolean     above,
             gint64       n_rows,
             gint64       stride,
             float       *terms)
{
  if (r->none)
    return 0;
  for (gint64 i = 0; i < n_rows; i++)
    {
      const float v = x[i * stride];

      terms[i] = gradients[i * stride] * ((above ? v > r->high : v < r->low) ? 1.0f : 0.0f);
    }
  /* TF: the gradient of a vector has one term for each channel, and adds nothing. */
  return n_rows == 1 ? terms[0] : flow_sum_float (release, terms, n_rows);
}

static gboolean
grad_with (FlowKernelContext  *c,
           int                 first,
           gint64              n,
           GError            **error)
{
  const float *gradients = FLOW_DATA (float, flow_kernel_input (c, 0));
  const FlowTensor *x = flow_kernel_input (c, 1);
  const gint64 n_rows = n > 0 ? x->n_elements / n : 0;
  g_autofree Range *ranges = read_ranges (c, first, n, error);
  FlowTensor *out = ranges != NULL ? flow_kernel_allocate (c, 0, x->shape, error) : NULL;
  g_autofree float *terms = g_try_new (float, (gsize) n_rows + 1);

  if (out == NULL)
    return FALSE;
  FLOW_REQUIRE (terms != NULL, error, RESOURCE_EXHAUSTED, "OOM when adding gradients");
  for (gint64 k = 0; k < n; k++)
    pass_inside (gradients + k, FLOW_DATA (float, x) + k, &ranges[k], n_rows, n, FLOW_WRITABLE (float, out) + k);
  for (guint i = 1; i < c->n_outputs; i++)
    {
      FlowTensor *end = flow_kernel_allocate_inferred (c, i, error);

      if (end == NULL)
        return FALSE;
      for (gint64 k = 0; k < n; k++)
        FLOW_WRITABLE (float, end)[k] = sum_outside (flow_kernel_release (c), gradients + k, FLOW_DATA (float, x) + k, &ranges[k],
                                                    i == 2, n_rows, n, terms);
    }
  return TRUE;
}

static gboolean
args_grad_compute (FlowKernelContext  *c,
                   GError            **error)
{
  return grad_with (c, -1, 1, error);
}

static gboolean
vars_grad_compute (FlowKernelContext  *c,
                   GError            **error)
{
  return grad_with (c, 2, 1, error);
}

static gboolean
channels_grad_compute (FlowKernelContext  *c,
                       GError            **error)
{
  return grad_with (c, 2, flow_kernel_input (c, 2)->n_elements, error);
}

FLOW_ONE_KERNEL (args, NULL)
FLOW_ONE_KERNEL (vars, NULL)
FLOW_ONE_KERNEL (channels, NULL)
FLOW_ONE_KERNEL (args_grad, NULL)
FLOW_ONE_KERNEL (vars_grad, NULL)
FLOW_ONE_KERNEL (channels_grad, NULL)

/* --- the table ---------------------------------------------------------------------------------------- */

#define BITS "num_bits: int = 8; narrow_range: bool = false"
#define ARGS "min: float = -6.0; max: float = 6.0; " BITS
#define BACKPROPS "backprops_wrt_input: float; backprop_wrt_min: float; backprop_wrt_max: float"

static const FlowOpDef ops[] = {
  { .name = "FakeQuantWithMinMaxArgs", .inputs = "inputs: float", .outputs = "outputs: float",
    .attrs = ARGS, .summary = "Values as an integer of few bits would hold them, range by attrs",
    .family = FLOW_OP_FAMILY_MATH, .infer = infer, .kernels = args_kernels },
  { .name = "FakeQuantWithMinMaxArgsGradient", .inputs = "gradients: float; inputs: float",
    .outputs = "backprops: float", .attrs = ARGS, .summary = "Gradient of FakeQuantWithMinMaxArgs",
    .family = FLOW_OP_FAMILY_GRADIENT, .infer = grad_infer, .kernels = args_grad_kernels },
  { .name = "FakeQuantWithMinMaxVars", .inputs = "inputs: float; min: float; max: float",
    .outputs = "outputs: float", .attrs = BITS,
    .summary = "Values as an integer of few bits would hold them, one range",
    .family = FLOW_OP_FAMILY_MATH, .infer = infer, .kernels = vars_kernels },
  { .name = "FakeQuantWithMinMaxVarsGradient",
    .inputs = "gradients: float; inputs: float; min: float; max: float", .outputs = BACKPROPS,
    .attrs = BITS, .summary = "Gradient of FakeQuantWithMinMaxVars",
    .family = FLOW_OP_FAMILY_GRADIENT, .infer = grad_infer, .kernels = vars_grad_kernels },
  { .name = "FakeQuantWithMinMaxVarsPerChannel", .inputs = "inputs: float; min: float; max: float",
    .outputs = "outputs: float", .attrs = BITS,
    .summary = "Values as an integer of few bits would hold them, a range for each channel",
    .family = FLOW_OP_FAMILY_MATH, .infer = channels_infer, .kernels = channels_kernels },
  { .name = "FakeQuantWithMinMaxVarsPerChannelGradient",
    .inputs = "gradients: float; inputs: float; min: float; max: float", .outputs = BACKPROPS,
    .attrs = BITS, .summary = "Gradient of FakeQuantWithMinMaxVarsPerChannel",
    .family = FLOW_OP_FAMILY_GRADIENT, .infer = channels_grad_infer,
    .kernels = channels_grad_kernels },
};

FLOW_DEFINE_OP_FAMILY (fake_quant, ops)
