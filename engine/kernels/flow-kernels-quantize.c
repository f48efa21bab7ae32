/* flow-kernels-quantize.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Floats to quantised values, back, and from one range to another.
 */

#include "config.h"

#include "flow-quantized-private.h"
#include "flow-summarize-private.h"

/* --- QuantizeV2 ----------------------------------------------------------------------------------------- */

/* TF: a range always has zero in it and is never much narrower than its ends are large. */
static gboolean
widen_range (FlowRange  *range,
             GError    **error)
{
  /* The order of the comparisons decides what becomes of ends that are no numbers. */
  const float least = MAX (MAX (fabsf (range->max), fabsf (range->min)), 1.0f) / 100.0f;

  FLOW_REQUIRE (!(range->max < range->min), error, INVALID_ARGUMENT,
                "input_max_range must be larger than input_min_range.");
  range->min = MIN (range->min, 0.0f);
  range->max = MAX (range->min + least, range->max);
  range->max = MAX (range->max, 0.0f);
  return TRUE;
}

static void
quantize_combined (const FlowTensor *in,
                   FlowRange         range,
                   FlowTensor       *out)
{
  const int dtype = (int) out->dtype;
  const gint64 lowest = flow_quantized_lowest (dtype);
  const gint64 highest = flow_quantized_highest (dtype);
  const float scale = (float) (highest - lowest) / (range.max - range.min);
  const float half = lowest < 0 ? (float) (highest - lowest + 1) / 2.0f : 0.0f;

  for (gint64 i = 0; i < in->n_elements; i++)
    {
      const float cell = FLOW_DATA (float, in)[i];
      const float x = isnan (cell) ? cell : (MAX (MIN (cell, range.max), range.min) - range.min) * scale;
      const float value = lowest < 0 ? roundf (x - half) : floorf (x + 0.5f);

      /* TF: no number becomes zero. */
      flow_quantized_put (out, i, isnan (x) ? 0 : flow_quantized_clamp ((double) value, lowest, highest));
    }
}

static void
quantize_first (const FlowTensor *in,
                FlowRange         range,
                FlowTensor       *out)
{
  const FlowQuantizer quantizer = flow_quantizer (range, (int) out->dtype);

  for (gint64 i = 0; i < in->n_elements; i++)
    flow_quantized_put (out, i, flow_quantize (&quantizer, FLOW_DATA (float, in)[i]));
}

/* One factor for both sides, so that zero is zero. */
static void
quantize_scaled (const FlowTensor *in,
                 FlowRange        *range,
                 gboolean          to_even,
                 FlowTensor       *out)
{
  const gint64 lowest = flow_quantized_lowest ((int) out->dtype);
  const gint64 highest = flow_quantized_highest ((int) out->dtype);
  const float by_min = (float) lowest * range->min > 0 ? (float) lowest / range->min : G_MAXFLOAT;
  const float by_max = (float) highest * range->max > 0 ? (float) highest / range->max : G_MAXFLOAT;
  const float scale = MIN (by_min, by_max);

  range->min = (float) lowest / scale;
  range->max = (float) highest / scale;
  for (gint64 i = 0; i < in->n_elements; i++)
    {
      const float cell = FLOW_DATA (float, in)[i];
      const float x = MAX (MIN (cell, range->max), range->min) * scale;

      flow_quantized_put (out, i, isnan (cell) ? 0 : flow_quantized_clamp ((double) (to_even ? rintf (x) : roundf (x)), lowest, highest));
    }
}

static gboolean
quantize_compute (FlowKernelContext  *c,
                  GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  const char *mode = flow_kernel_attr_string (c, "mode");
  const gboolean to_even = g_str_equal (flow_kernel_attr_string (c, "round_mode"), "HALF_TO_EVEN");
  FlowTensor *out;
  FlowRange range;

  FLOW_REQUIRE (!to_even || g_str_equal (mode, "SCALED"), error, INVALID_ARGUMENT,
                "Round mode 'HALF_TO_EVEN' only supported for mode 'SCALED', but mode is '%s'.", mode);
  if (!flow_quantized_range (c, 1, &range, error) || !widen_range (&range, error) ||
      (out = flow_kernel_allocate (c, 0, in->shape, error)) == NULL)
    return FALSE;
  if (g_str_equal (mode, "MIN_COMBINED"))
    quantize_combined (in, range, out);
  else if (g_str_equal (mode, "MIN_FIRST"))
    quantize_first (in, range, out);
  else
    quantize_scaled (in, &range, to_even, out);
  return flow_quantized_put_range (c, 1, range, error);
}

/* --- Dequantize ------------------------------------------------------------------------------------------- */

/* TF: on the way floats are cast to int32, and what does not fit becomes the least one. */
static float
through_int (float x)
{
  return x >= 2147483648.0f ? -2147483648.0f : x;
}

static gboolean
dequantize_compute (FlowKernelContext  *c,
                    GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  const char *mode = flow_kernel_attr_string (c, "mode");
  const int dtype = (int) in->dtype;
  const float lowest = (float) flow_quantized_lowest (dtype);
  const float highest = (float) flow_quantized_highest (dtype);
  const float half = lowest < 0 ? (highest - lowest + 1) / 2.0f : 0.0f;
  FlowDequantizer first;
  FlowTensor *out;
  FlowRange range;
  float scale;

  if (!flow_quantized_range (c, 1, &range, error) || (out = flow_kernel_allocate (c, 0, in->shape, error)) == NULL)
    return FALSE;
  first = flow_dequantizer (range, dtype);
  if (g_str_equal (mode, "SCALED"))
    scale = lowest == 0 ? range.max / highest : MAX (range.max / highest, range.min / lowest);
  else
    scale = (range.max - range.min) / (highest - lowest);
  for (gint64 i = 0; i < in->n_elements; i++)
    {
      const gint64 value = flow_quantized_get (in, i);

      FLOW_WRITABLE (float, out)[i] = g_str_equal (mode, "MIN_FIRST") ? flow_dequantize (&first, value)
                                      : g_str_equal (mode, "SCALED") ? through_int ((float) value) * scale
                                      : ((float) value + half) * scale + range.min;
    }
  return TRUE;
}

/* --- Requantize, QuantizeDownAndShrinkRange, RequantizationRange -------------------------------------------- */

/* 32 bits to 8 in fixed point: TensorFlow's result is that of these shifts. */
static void
requantize_fixed (const FlowTensor *in,
                  FlowRange         from,
                  FlowRange         to,
                  FlowTensor       *out)
{
  const double one = 65536;
  const float in_range = from.max - from.min;
  const float out_range = to.max - to.min;
  const gboolean flat = out_range == 0;
  const float inverse = flat ? 0.0f : (float) (255.0 / (double) out_range);
  const float middle = (float) ((double) (from.min + from.max) / 2.0);
  const gint64 scale = flat ? 0 : flow_quantized_cast (255.0 * one * (double) in_range / (double) out_range);
  const gint64 in_offset = flow_quantized_cast ((double) (middle * inverse * 65536.0f));
  const gint64 out_offset = flat ? 0 : flow_quantized_cast (one * ((double) to.min * 255.0) / (double) out_range);
  const guint64 offset = (guint64) in_offset - (guint64) out_offset + 32768;

  for (gint64 i = 0; i < in->n_elements; i++)
    {
      /* TF: 32 bits reach 64 by way of a float. */
      const gint64 from_float = (gint64) (float) flow_quantized_get (in, i);
      const gint64 product = (gint64) ((guint64) from_float * (guint64) scale) >> 32;
      const gint64 value = flow_quantized_add (product, (gint64) offset) >> 16;

      FLOW_WRITABLE (guint8, out)[i] = (guint8) CLAMP (value, 0, 255);
    }
}

static void
requantize (const FlowTensor *in,
            FlowRange         from,
            FlowRange         to,
            FlowTensor       *out)
{
  const FlowDequantizer dequantizer = flow_dequantizer (from, (int) in->dtype);
  const FlowQuantizer quantizer = flow_quantizer (to, (int) out->dtype);

  if (in->dtype == FLOW_DTYPE_QINT32 && out->dtype == FLOW_DTYPE_QUINT8)
    {
      requantize_fixed (in, from, to, out);
      return;
    }
  for (gint64 i = 0; i < in->n_elements; i++)
    flow_quantized_put (out, i, flow_quantize (&quantizer, flow_dequantize (&dequantizer, flow_quantized_get (in, i))));
}

/* What the values really span; zero belongs to it. */
static FlowRange
find_range (const FlowTensor *in,
            FlowRange         range)
{
  const int dtype = (int) in->dtype;
  gint64 least = flow_quantized_highest (dtype);
  gint64 greatest = flow_quantized_lowest (dtype);
  float lowest;

  for (gint64 i = 0; i < in->n_elements; i++)
    {
      least = MIN (least, flow_quantized_get (in, i));
      greatest = MAX (greatest, flow_quantized_get (in, i));
    }
  lowest = flow_dequantize_one (least, range, dtype);
  /* TF: 0 stands for what is no number below, not above. */
  return (FlowRange) { lowest < 0 ? lowest : 0, flow_dequantize_one (greatest, range, dtype) };
}

static gboolean
requantize_compute (FlowKernelContext  *c,
                    GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  FlowTensor *out;
  FlowRange from;
  FlowRange to;

  if (!flow_quantized_range (c, 1, &from, error) || !flow_quantized_range (c, 3, &to, error))
    return FALSE;
  FLOW_REQUIRE (to.min <= 0.0f, error, INVALID_ARGUMENT, "requested_output_min must be <= 0, but got %s",
                _flow_float_text (to.min).text);
  FLOW_REQUIRE (to.max >= to.min, error, INVALID_ARGUMENT,
                "requested_output_max must be >= requested_output_min, but got %s and %s", _flow_float_text (to.max).text,
                _flow_float_text (to.min).text);
  if ((out = flow_kernel_allocate (c, 0, in->shape, error)) == NULL)
    return FALSE;
  requantize (in, from, to, out);
  return flow_quantized_put_range (c, 1, to, error);
}

static gboolean
shrink_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  FlowTensor *out;
  FlowRange from;
  FlowRange to;

  if (!flow_quantized_range (c, 1, &from, error) || (out = flow_kernel_allocate (c, 0, in->shape, error)) == NULL)
    return FALSE;
  to = find_range (in, from);
  requantize (in, from, to, out);
  return flow_quantized_put_range (c, 1, to, error);
}

static gboolean
infer_range (FlowInferContext  *c,
             GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_scalar ());
  flow_infer_take_output (c, 1, flow_shape_new_scalar ());
  return TRUE;
}

static gboolean
range_compute (FlowKernelContext  *c,
               GError            **error)
{
  FlowRange range;

  return flow_quantized_range (c, 1, &range, error) &&
         flow_quantized_put_range (c, 0, find_range (flow_kernel_input (c, 0), range), error);
}

/* --- QuantizeAndDequantize ------------------------------------------------------------------------------------ */

/* What the three versions differ in. */
typedef struct {
  gboolean is_signed;
  gboolean range_given;
  gboolean narrow;
  gboolean half_up;
  gint64 bits;
} Rounding;

/* Values as an integer of so many bits would hold them; the side of the range that asks for the coarser
 * steps decides. */
#define DEFINE_ROUND_TRIP(type, even, down, greatest)                                         \
  static void                                                                                 \
  round_trip_##type (const Rounding *r, const type *in, gint64 n, type min, type max, type *out) \
  {                                                                                           \
    const gint64 low = r->is_signed ? -(G_GINT64_CONSTANT (1) << (r->bits - 1)) + r->narrow : 0; \
    const gint64 high = (gint64) ((G_GUINT64_CONSTANT (1) << (r->bits - r->is_signed)) - 1);  \
    const type by_min = (type) low * min > 0 ? (type) low / min : greatest;                   \
    const type by_max = (type) high * max > 0 ? (type) high / max : greatest;                 \
    type scale;                                                                               \
    type inverse;                                                                             \
                                                                                              \
    if (by_min < by_max)                                                                      \
      {                                                                                       \
        scale = by_min;                                                                       \
        inverse = min / (type) low;                                                           \
        max = (type) high * inverse;                                                          \
      }                                                                                       \
    else                                                                                      \
      {                                                                                       \
        scale = by_max;                                                                       \
        inverse = max / (type) high;                                                          \
        min = (type) low * inverse;                                                           \
      }                                                                                       \
    for (gint64 i = 0; i < n; i++)                                                            \
      {                                                                                       \
        type x = in[i];                                                                       \
                                                                                              \
        /* TF: what is no number, a value or an end of the range, changes nothing. */         \
        if (r->range_given && max < x)                                                        \
          x = max;                                                                            \
        if (r->range_given && x < min)                                                        \
          x = min;                                                                            \
        x *= scale;                                                                           \
        out[i] = (r->half_up ? down (x + (type) 0.5) : even (x)) * inverse;                   \
      }                                                                                       \
  }

DEFINE_ROUND_TRIP (float, rintf, floorf, G_MAXFLOAT)
DEFINE_ROUND_TRIP (double, rint, floor, G_MAXDOUBLE)

static gboolean
read_rounding (FlowKernelContext  *c,
               Rounding           *r,
               GError            **error)
{
  memset (r, 0, sizeof *r);
  r->is_signed = flow_kernel_attr_bool (c, "signed_input");
  r->range_given = flow_kernel_attr_bool (c, "range_given");
  if (flow_op_signature_find_attr (c->signature, "narrow_range") != NULL)
    r->narrow = flow_kernel_attr_bool (c, "narrow_range");
  if (flow_op_signature_find_attr (c->signature, "round_mode") != NULL)
    r->half_up = g_str_equal (flow_kernel_attr_string (c, "round_mode"), "HALF_UP");
  if (c->n_inputs == 4)
    {
      FLOW_REQUIRE (flow_kernel_input (c, 3)->n_elements > 0, error, INVALID_ARGUMENT, "num_bits must hold a value");
      r->bits = *FLOW_DATA (gint32, flow_kernel_input (c, 3));
    }
  else
    r->bits = flow_kernel_attr_int (c, "num_bits");
  FLOW_REQUIRE (r->bits > 0 && r->bits < (r->is_signed ? 62 : 63), error, INVALID_ARGUMENT,
                "num_bits is out of range: %" G_GINT64_FORMAT " with signed_input_ %d", r->bits, r->is_signed);
  return TRUE;
}

static gboolean
find_ends (FlowKernelContext  *c,
           const Rounding     *r,
           double             *min,
           double             *max,
           GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);

  if (!r->range_given)
    {
      *min = INFINITY;
      *max = -INFINITY;
      for (gint64 i = 0; i < in->n_elements; i++)
        {
          *min = fmin (*min, flow_tensor_get_double (in, i));
          *max = fmax (*max, flow_tensor_get_double (in, i));
        }
      return TRUE;
    }
  if (c->n_inputs == 1)
    {
      *min = (double) flow_kernel_attr_float (c, "input_min");
      *max = (double) flow_kernel_attr_float (c, "input_max");
    }
  else
    {
      FLOW_REQUIRE (flow_kernel_input (c, 1)->n_elements > 0 && flow_kernel_input (c, 2)->n_elements > 0, error,
                    INVALID_ARGUMENT, "input_min and input_max must hold a value");
      *min = flow_tensor_get_double (flow_kernel_input (c, 1), 0);
      *max = flow_tensor_get_double (flow_kernel_input (c, 2), 0);
    }
  FLOW_REQUIRE (*min <= *max, error, INVALID_ARGUMENT, "Invalid range: input_min %s > input_max %s",
                _flow_number_text ((int) in->dtype, *min).text, _flow_number_text ((int) in->dtype, *max).text);
  return TRUE;
}

static gboolean
round_trip_compute (FlowKernelContext  *c,
                    GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  FlowTensor *out;
  Rounding r;
  double min;
  double max;

  if (!read_rounding (c, &r, error) || !find_ends (c, &r, &min, &max, error) ||
      (out = flow_kernel_allocate (c, 0, in->shape, error)) == NULL)
    return FALSE;
  if (in->dtype == FLOW_DTYPE_FLOAT)
    round_trip_float (&r, in->data, in->n_elements, (float) min, (float) max, out->data);
  else
    round_trip_double (&r, in->data, in->n_elements, min, max, out->data);
  return TRUE;
}

/* --- QuantizeAndDequantizeV4 --------------------------------------------------------------------------------------- */

/* The cells of an input that share a range: blocks of @inner, one for each step along the axis, over and over. */
typedef struct {
  gint64 outer;
  gint64 depth;
  gint64 inner;
} Slabs;

static gboolean
find_slabs (FlowKernelContext  *c,
            Slabs              *slabs,
            GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, c->n_inputs == 4 ? 1 : 0);
  const gint64 axis = flow_kernel_attr_int (c, "axis");

  *slabs = (Slabs) { 1, 1, in->n_elements };
  FLOW_REQUIRE (axis >= -1, error, INVALID_ARGUMENT, "Axis must be at least -1. Found %" G_GINT64_FORMAT, axis);
  if (c->n_inputs == 3)
    FLOW_REQUIRE (axis < FLOW_RANK (in), error, INVALID_ARGUMENT, "Shape must be at least rank %" G_GINT64_FORMAT
                  " but is rank %d", axis + 1, FLOW_RANK (in));
  FLOW_REQUIRE (axis < MAX (FLOW_RANK (in), 0) || axis == -1, error, INVALID_ARGUMENT,
                "Axis should be -1 or 0 or a positive value less than %dbut given axis value was %" G_GINT64_FORMAT,
                FLOW_RANK (in), axis);
  if (axis == -1)
    return TRUE;
  slabs->depth = FLOW_DIMS (in)[axis];
  slabs->inner = 1;
  for (int i = 0; i < FLOW_RANK (in); i++)
    if (i < axis)
      slabs->outer *= FLOW_DIMS (in)[i];
    else if (i > axis)
      slabs->inner *= FLOW_DIMS (in)[i];
  return TRUE;
}

/* Inputs @i and @i + 1 are the ends of the ranges: one, or one for each step along the axis. */
static gboolean
check_ends (FlowKernelContext  *c,
            guint               i,
            const Slabs        *slabs,
            GError            **error)
{
  const gboolean is_whole = flow_kernel_attr_int (c, "axis") == -1;

  for (guint k = i; k < i + 2; k++)
    {
      const FlowTensor *end = flow_kernel_input (c, k);
      const char *name = c->signature->inputs[k].name;

      if (is_whole)
        FLOW_REQUIRE (end->n_elements == 1 && (i == 1 || FLOW_RANK (end) == 0), error, INVALID_ARGUMENT,
                      "%s must be a scalar if axis is unspecified", name);
      else
        FLOW_REQUIRE (FLOW_RANK (end) == 1, error, INVALID_ARGUMENT,
                      "Shape must be rank 1 for %s_tensor when the axis is specified", name);
      if (end->n_elements != slabs->depth)
        {
          g_autofree char *shape = flow_shape_to_string (end->shape);

          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s_tensor has incorrect size, was %" G_GINT64_FORMAT
                       " expected %" G_GINT64_FORMAT " to match dim %" G_GINT64_FORMAT " of the input %s", name,
                       end->n_elements, slabs->depth, flow_kernel_attr_int (c, "axis"), shape);
          return FALSE;
        }
    }
  return TRUE;
}

static void
find_slab_ends (FlowKernelContext *c,
                const Slabs       *slabs,
                gint64             k,
                gboolean           given,
                double            *min,
                double            *max)
{
  const FlowTensor *in = flow_kernel_input (c, 0);

  if (given)
    {
      *min = flow_tensor_get_double (flow_kernel_input (c, 1), k);
      *max = flow_tensor_get_double (flow_kernel_input (c, 2), k);
      return;
    }
  *min = INFINITY;
  *max = -INFINITY;
  for (gint64 o = 0; o < slabs->outer; o++)
    for (gint64 i = 0; i < slabs->inner; i++)
      {
        const double x = flow_tensor_get_double (in, (o * slabs->depth + k) * slabs->inner + i);

        *min = fmin (*min, x);
        *max = fmax (*max, x);
      }
}

static gboolean
slabs_compute (FlowKernelContext  *c,
               GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  FlowTensor *out;
  Rounding r;
  Slabs slabs;

  if (!read_rounding (c, &r, error) || !find_slabs (c, &slabs, error)
      || (r.range_given && !check_ends (c, 1, &slabs, error)) || (out = flow_kernel_allocate (c, 0, in->shape, error)) == NULL)
    return FALSE;
  for (gint64 k = 0; k < slabs.depth; k++)
    {
      double min;
      double max;

      find_slab_ends (c, &slabs, k, r.range_given, &min, &max);
      FLOW_REQUIRE (!r.range_given || min <= max, error, INVALID_ARGUMENT, "Invalid range: input_min %s > input_max %s",
                    _flow_number_text ((int) in->dtype, min).text, _flow_number_text ((int) in->dtype, max).text);
      for (gint64 o = 0; o < slabs.outer; o++)
        {
          const gint64 at = (o * slabs.depth + k) * slabs.inner;

          if (in->dtype == FLOW_DTYPE_FLOAT)
            round_trip_float (&r, FLOW_DATA (float, in) + at, slabs.inner, (float) min, (float) max,
                              FLOW_WRITABLE (float, out) + at);
          else
            round_trip_double (&r, FLOW_DATA (double, in) + at, slabs.inner, min, max, FLOW_WRITABLE (double, out) + at);
        }
    }
  return TRUE;
}

/* Inside of the range the gradient goes through. TF: what is outside pulls at nothing, on the CPU. */
#define DEFINE_PULL(type)                                                                     \
  static void                                                                                 \
  pull_##type (FlowKernelContext *c, const Slabs *slabs)                                      \
  {                                                                                           \
    const type *grad = flow_kernel_input (c, 0)->data;                                        \
    const type *in = flow_kernel_input (c, 1)->data;                                          \
    const type *min = flow_kernel_input (c, 2)->data;                                         \
    const type *max = flow_kernel_input (c, 3)->data;                                         \
    type *out = c->outputs[0].tensor->data;                                                   \
    type *to_min = c->outputs[1].tensor->data;                                                \
    type *to_max = c->outputs[2].tensor->data;                                                \
                                                                                              \
    for (gint64 k = 0; k < slabs->depth; k++)                                                 \
      {                                                                                       \
        to_min[k] = to_max[k] = 0;                                                            \
        for (gint64 o = 0; o < slabs->outer; o++)                                             \
          for (gint64 i = 0; i < slabs->inner; i++)                                           \
            {                                                                                 \
              const gint64 at = (o * slabs->depth + k) * slabs->inner + i;                    \
                                                                                              \
              out[at] = in[at] >= min[k] && in[at] <= max[k] ? grad[at] : 0;                  \
            }                                                                                 \
      }                                                                                       \
  }

DEFINE_PULL (float)
DEFINE_PULL (double)

static gboolean
pull_compute (FlowKernelContext  *c,
              GError            **error)
{
  const FlowTensor *grad = flow_kernel_input (c, 0);
  const FlowTensor *in = flow_kernel_input (c, 1);
  Slabs slabs;

  FLOW_REQUIRE (flow_shape_equal (grad->shape, in->shape), error, INVALID_ARGUMENT,
                "gradient and input must be the same size");
  if (!find_slabs (c, &slabs, error) || !check_ends (c, 2, &slabs, error))
    return FALSE;
  for (guint i = 0; i < 3; i++)
    if (flow_kernel_allocate (c, i, flow_kernel_input (c, 1 + i)->shape, error) == NULL)
      return FALSE;
  if (in->dtype == FLOW_DTYPE_FLOAT)
    pull_float (c, &slabs);
  else
    pull_double (c, &slabs);
  return TRUE;
}

static gboolean
pull_infer (FlowInferContext  *c,
            GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  for (guint i = 0; i < 3; i++)
    flow_infer_set_output (c, i, flow_infer_input (c, i == 0 ? 0 : 1 + i));
  return TRUE;
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

static const FlowKernelDef quantize_kernels[] = { { "T: qint8 quint8 qint16 quint16 qint32", quantize_compute }, { NULL } };
static const FlowKernelDef dequantize_kernels[] = {
  { "T: qint8 quint8 qint16 quint16 qint32", dequantize_compute }, { NULL }
};
static const FlowKernelDef shrink_kernels[] = { { "Tinput: qint32; out_type: quint8", shrink_compute }, { NULL } };
static const FlowKernelDef requantize_kernels[] = {
  { "Tinput: qint32; out_type: quint8 qint8", requantize_compute }, { NULL }
};
static const FlowKernelDef range_kernels[] = { { "Tinput: qint32", range_compute }, { NULL } };
static const FlowKernelDef slabs_kernels[] = { { "T: float double", slabs_compute }, { NULL } };
static const FlowKernelDef pull_kernels[] = { { "T: float double", pull_compute }, { NULL } };
static const FlowKernelDef round_trip_kernels[] = { { "T: float double", round_trip_compute }, { NULL } };

#define Q FLOW_QUANTIZED_TYPES
#define MODES "mode: {'MIN_COMBINED', 'MIN_FIRST', 'SCALED'} = 'MIN_COMBINED'"
#define TWO "Tinput: " Q "; out_type: " Q

static const FlowOpDef ops[] = {
  { .name = "Dequantize", .inputs = "input: T; min_range: float; max_range: float", .outputs = "output: float",
    .attrs = "T: " Q "; " MODES, .summary = "The floats that quantised values stand for", .family = FLOW_OP_FAMILY_MATH,
    .infer = flow_quantized_infer_like, .kernels = dequantize_kernels },
  { .name = "QuantizeAndDequantize", .inputs = "input: T", .outputs = "output: T",
    .attrs = "signed_input: bool = true; num_bits: int = 8; range_given: bool = false; input_min: float = 0; "
             "input_max: float = 0; T: {bfloat16, half, float, double}",
    .summary = "Values as an integer of few bits would hold them", .family = FLOW_OP_FAMILY_MATH,
    .infer = flow_quantized_infer_like, .kernels = round_trip_kernels },
  { .name = "QuantizeAndDequantizeV2", .inputs = "input: T; input_min: T; input_max: T", .outputs = "output: T",
    .attrs = "signed_input: bool = true; num_bits: int = 8; range_given: bool = false; "
             "T: {bfloat16, half, float, double}; round_mode: {'HALF_TO_EVEN', 'HALF_UP'} = 'HALF_TO_EVEN'; "
             "narrow_range: bool = false",
    .summary = "Values as an integer of few bits would hold them", .family = FLOW_OP_FAMILY_MATH,
    .infer = flow_quantized_infer_like, .kernels = round_trip_kernels },
  { .name = "QuantizeAndDequantizeV3", .inputs = "input: T; input_min: T; input_max: T; num_bits: int32",
    .outputs = "output: T",
    .attrs = "signed_input: bool = true; range_given: bool = true; T: {bfloat16, half, float, double}; "
             "narrow_range: bool = false",
    .summary = "Values as an integer of few bits would hold them", .family = FLOW_OP_FAMILY_MATH,
    .infer = flow_quantized_infer_like, .kernels = round_trip_kernels },
  { .name = "QuantizeAndDequantizeV4", .inputs = "input: T; input_min: T; input_max: T", .outputs = "output: T",
    .attrs = "signed_input: bool = true; num_bits: int = 8; range_given: bool = false; "
             "T: {bfloat16, half, float, double}; round_mode: {'HALF_TO_EVEN', 'HALF_UP'} = 'HALF_TO_EVEN'; "
             "narrow_range: bool = false; axis: int = -1",
    .summary = "Values as an integer of few bits would hold them", .family = FLOW_OP_FAMILY_MATH,
    .infer = flow_quantized_infer_like, .kernels = slabs_kernels },
  { .name = "QuantizeAndDequantizeV4Grad", .inputs = "gradients: T; input: T; input_min: T; input_max: T",
    .outputs = "input_backprop: T; input_min_backprop: T; input_max_backprop: T",
    .attrs = "T: {bfloat16, half, float, double}; axis: int = -1",
    .summary = "Gradient of QuantizeAndDequantizeV4", .family = FLOW_OP_FAMILY_GRADIENT, .infer = pull_infer,
    .kernels = pull_kernels },
  { .name = "QuantizeDownAndShrinkRange", .inputs = "input: Tinput; input_min: float; input_max: float",
    .outputs = "output: out_type; output_min: float; output_max: float", .attrs = TWO,
    .summary = "32-bit values in 8 bits, over the range they use", .family = FLOW_OP_FAMILY_MATH,
    .infer = flow_quantized_infer_like, .kernels = shrink_kernels },
  { .name = "QuantizeV2", .inputs = "input: float; min_range: float; max_range: float",
    .outputs = "output: T; output_min: float; output_max: float",
    .attrs = "T: " Q "; " MODES "; round_mode: {'HALF_AWAY_FROM_ZERO', 'HALF_TO_EVEN'} = 'HALF_AWAY_FROM_ZERO'",
    .summary = "Floats as quantised values", .family = FLOW_OP_FAMILY_MATH, .infer = flow_quantized_infer_like,
    .kernels = quantize_kernels },
  { .name = "RequantizationRange", .inputs = "input: Tinput; input_min: float; input_max: float",
    .outputs = "output_min: float; output_max: float", .attrs = "Tinput: " Q,
    .summary = "The range that quantised values use", .family = FLOW_OP_FAMILY_MATH, .infer = infer_range,
    .kernels = range_kernels },
  { .name = "Requantize",
    .inputs = "input: Tinput; input_min: float; input_max: float; requested_output_min: float; "
              "requested_output_max: float",
    .outputs = "output: out_type; output_min: float; output_max: float", .attrs = TWO,
    .summary = "Quantised values over another range", .family = FLOW_OP_FAMILY_MATH,
    .infer = flow_quantized_infer_like, .kernels = requantize_kernels },
};

FLOW_DEFINE_OP_FAMILY (quantize, ops)
