/* flow-kernels-image_color.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Colors of images: hue, saturation, contrast, and between RGB and HSV.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-image-private.h"
#include "flow-parallel.h"
#include "flow-sum-private.h"

#include <string.h>

typedef struct {
  gconstpointer in;
  gpointer out;
  float amount;
} Job;

/* TF: what is no number is neither the largest nor the smallest of a color, and nothing limits it. */
#define LARGEST(a, b) ((b) > (a) ? (b) : (a))
#define SMALLEST(a, b) ((b) < (a) ? (b) : (a))
#define WITHIN_ONE(a) ((a) < 0 ? 0 : (a) > 1 ? 1 : (a))

/* Hue, saturation and value of a color, all in [0, 1], and back. */
#define DEFINE_COLORS(type, infinity, absolute)                                               \
  static inline void                                                                          \
  type##_to_hsv (const type *rgb, type *hsv)                                                  \
  {                                                                                           \
    const type value = LARGEST (LARGEST (LARGEST (-infinity, rgb[0]), rgb[1]), rgb[2]);       \
    const type least = SMALLEST (SMALLEST (SMALLEST (infinity, rgb[0]), rgb[1]), rgb[2]);     \
    const type range = value - least;                                                         \
    const type norm = (type) 1 / range * ((type) 1 / (type) 6);                               \
    type hue;                                                                                 \
                                                                                              \
    if (rgb[0] == value)                                                                      \
      hue = norm * (rgb[1] - rgb[2]);                                                         \
    else if (rgb[1] == value)                                                                 \
      hue = norm * (rgb[2] - rgb[0]) + (type) 2 / (type) 6;                                   \
    else                                                                                      \
      hue = norm * (rgb[0] - rgb[1]) + (type) 4 / (type) 6;                                   \
    hsv[1] = value > 0 ? range / value : 0;                                                   \
    hsv[0] = range > 0 ? (hue < 0 ? hue + 1 : hue) : 0;                                       \
    hsv[2] = value;                                                                           \
  }                                                                                           \
                                                                                              \
  static inline void                                                                          \
  type##_to_rgb (const type *hsv, type *rgb)                                                  \
  {                                                                                           \
    const type six = hsv[0] * 6;                                                              \
    const type red = WITHIN_ONE (absolute (six - 3) - 1);                                     \
    const type green = WITHIN_ONE (2 - absolute (six - 2));                                   \
    const type blue = WITHIN_ONE (2 - absolute (six - 4));                                    \
    const type saturation = hsv[1];                                                           \
    const type value = hsv[2];                                                                \
                                                                                              \
    rgb[0] = (1 - saturation + saturation * red) * value;                                     \
    rgb[1] = (1 - saturation + saturation * green) * value;                                   \
    rgb[2] = (1 - saturation + saturation * blue) * value;                                    \
  }                                                                                           \
                                                                                              \
  static void                                                                                 \
  type##_rows_to_hsv (gint64 begin, gint64 end, gpointer data)                                \
  {                                                                                           \
    const Job *job = data;                                                                    \
                                                                                              \
    for (gint64 i = begin; i < end; i++)                                                      \
      type##_to_hsv ((const type *) job->in + 3 * i, (type *) job->out + 3 * i);              \
  }                                                                                           \
                                                                                              \
  static void                                                                                 \
  type##_rows_to_rgb (gint64 begin, gint64 end, gpointer data)                                \
  {                                                                                           \
    const Job *job = data;                                                                    \
                                                                                              \
    for (gint64 i = begin; i < end; i++)                                                      \
      type##_to_rgb ((const type *) job->in + 3 * i, (type *) job->out + 3 * i);              \
  }

DEFINE_COLORS (float, INFINITY, fabsf)
DEFINE_COLORS (double, (double) INFINITY, fabs)

/* --- RGBToHSV, HSVToRGB ------------------------------------------------------------------------------------- */

static gboolean
infer_colors (FlowInferContext  *c,
              GError           **error)
{
  const FlowShape *in = flow_infer_input (c, 0);
  g_autoptr (FlowShape) out = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank_at_least (c, in, 1, &out, error))
    return FALSE;
  FLOW_REQUIRE (out->rank < 1 || out->dims[out->rank - 1] < 0 || out->dims[out->rank - 1] == 3, error, INVALID_ARGUMENT,
                "Dimension must be 3 but is %" G_GINT64_FORMAT, out->dims[out->rank - 1]);
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

static gboolean
convert_colors (FlowKernelContext  *c,
                FlowRangeFunc       of_float,
                FlowRangeFunc       of_double,
                GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  FlowTensor *out;
  Job job;

  if (FLOW_RANK (in) < 1)
    return _flow_refuse_shapes (error, in, NULL, "input must be at least 1D%s");
  FLOW_REQUIRE (FLOW_DIMS (in)[FLOW_RANK (in) - 1] == 3, error, FAILED_PRECONDITION,
                "input must have 3 channels but input only has %" G_GINT64_FORMAT " channels.",
                FLOW_DIMS (in)[FLOW_RANK (in) - 1]);
  if ((out = flow_kernel_allocate (c, 0, in->shape, error)) == NULL)
    return FALSE;
  job = (Job) { in->data, out->data, 0 };
  flow_parallel_for (in->n_elements / 3, 8192, in->dtype == FLOW_DTYPE_FLOAT ? of_float : of_double, &job);
  return TRUE;
}

static gboolean
to_hsv_compute (FlowKernelContext  *c,
                GError            **error)
{
  return convert_colors (c, float_rows_to_hsv, double_rows_to_hsv, error);
}

static gboolean
to_rgb_compute (FlowKernelContext  *c,
                GError            **error)
{
  return convert_colors (c, float_rows_to_rgb, double_rows_to_rgb, error);
}

/* --- AdjustHue, AdjustSaturation ------------------------------------------------------------------------------ */

static gboolean
infer_adjust (FlowInferContext  *c,
              GError           **error)
{
  g_autoptr (FlowShape) out = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank_at_least (c, flow_infer_input (c, 0), 3, &out, error))
    return FALSE;
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

/* TF: only the later of the two ops looks at the factor, and before the images. */
static gboolean
infer_contrast (FlowInferContext  *c,
                GError           **error)
{
  g_autoptr (FlowShape) factor = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return flow_infer_with_rank (c, flow_infer_input (c, 1), 0, &factor, error) && infer_adjust (c, error);
}

/* A color between its least and its greatest component: @hue, in [0, 6), says which these are and where the third is. */
typedef struct {
  float hue;
  float low;
  float high;
} HueRange;

static HueRange
to_hue_range (const float *rgb)
{
  const float r = rgb[0];
  const float g = rgb[1];
  const float b = rgb[2];
  HueRange range;
  float middle;
  int sixth;

  if (r < g)
    {
      sixth = b < r ? 1 : b > g ? 3 : 2;
      range.high = sixth == 3 ? b : g;
      range.low = sixth == 1 ? b : r;
      middle = sixth == 1 ? r : sixth == 3 ? g : b;
    }
  else
    {
      sixth = b < g ? 0 : b > r ? 4 : 5;
      range.high = sixth == 4 ? b : r;
      range.low = sixth == 0 ? b : g;
      middle = sixth == 0 ? g : sixth == 4 ? r : b;
    }
  if (range.high == range.low)
    {
      range.hue = 0;
      return range;
    }
  middle = (middle - range.low) / (range.high - range.low);
  range.hue = (float) sixth + (sixth % 2 == 0 ? middle : 1 - middle);
  return range;
}

static void
from_hue_range (const HueRange *range,
                float          *rgb)
{
  /* Where the greatest, the middle and the least go. */
  static const guint8 places[6][3] = { { 0, 1, 2 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 1, 0 }, { 2, 0, 1 }, { 0, 2, 1 } };
  const int sixth = range->hue >= 0 && range->hue < 5 ? (int) range->hue : 5;
  const float share = range->hue - (float) sixth;

  rgb[places[sixth][0]] = range->high;
  rgb[places[sixth][1]] = range->low + (sixth % 2 == 0 ? share : 1 - share) * (range->high - range->low);
  rgb[places[sixth][2]] = range->low;
}

#define HUES 6
/* TF: goes round the circle turn by turn, which for some hues takes for ever. */
#define MOST_TURNS 1000

static void
turn_hue (gint64   begin,
          gint64   end,
          gpointer data)
{
  const Job *job = data;

  for (gint64 i = begin; i < end; i++)
    {
      HueRange range = to_hue_range ((const float *) job->in + 3 * i);

      range.hue += job->amount * HUES;
      if (fabsf (range.hue) > HUES * MOST_TURNS)
        range.hue = fmodf (range.hue, HUES);
      while (range.hue < 0)
        range.hue += HUES;
      while (range.hue >= HUES)
        range.hue -= HUES;
      from_hue_range (&range, (float *) job->out + 3 * i);
    }
}

/* TF: AdjustSaturation has a way of its own to hue, saturation and value and back. */
static void
saturation_to_rgb (float  hue,
                   float  saturation,
                   float  value,
                   float *rgb)
{
  static const guint8 places[6][3] = { { 0, 1, 2 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 1, 0 }, { 2, 0, 1 }, { 0, 2, 1 } };
  const float chroma = saturation * value;
  const float rest = value - chroma;
  const float six = hue * HUES;
  const int sixth = six >= 0 && six < HUES ? (int) six : -1;
  float even = six;

  while (even <= 0)
    even += 2;
  while (even >= 2)
    even -= 2;
  for (int k = 0; k < 3; k++)
    rgb[k] = rest;
  if (sixth < 0)
    return;
  rgb[places[sixth][0]] = chroma + rest;
  rgb[places[sixth][1]] = chroma * (1 - fabsf (even - 1)) + rest;
}

static void
scale_saturation (gint64   begin,
                  gint64   end,
                  gpointer data)
{
  const Job *job = data;

  for (gint64 i = begin; i < end; i++)
    {
      const float *rgb = (const float *) job->in + 3 * i;
      const float value = LARGEST (rgb[0], LARGEST (rgb[1], rgb[2]));
      const float range = value - SMALLEST (rgb[0], SMALLEST (rgb[1], rgb[2]));
      const float norm = 1.0f / (6.0f * range);
      const float saturation = value > 0 ? range / value : 0;
      float hue;

      if (rgb[0] == value)
        hue = norm * (rgb[1] - rgb[2]);
      else if (rgb[1] == value)
        hue = (float) ((double) (norm * (rgb[2] - rgb[0])) + 2.0 / 6.0);
      else
        hue = (float) ((double) (norm * (rgb[0] - rgb[1])) + 4.0 / 6.0);
      hue = range <= 0 ? 0 : hue;
      hue = hue < 0 ? hue + 1 : hue;
      saturation_to_rgb (hue, SMALLEST (1.0f, LARGEST (0.0f, saturation * job->amount)), value, (float *) job->out + 3 * i);
    }
}

static gboolean
adjust (FlowKernelContext  *c,
        const char         *name,
        FlowRangeFunc       func,
        GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  const FlowTensor *amount = flow_kernel_input (c, 1);
  g_autofree char *text = flow_tensor_shape_text (amount);
  FlowTensor *out;
  Job job;

  if (FLOW_RANK (in) < 3)
    return _flow_refuse_shapes (error, in, NULL, "input must be at least 3-D, got shape%s");
  FLOW_REQUIRE (flow_is_scalar (amount), error, INVALID_ARGUMENT, "%s must be scalar: %s", name, text);
  FLOW_REQUIRE (FLOW_DIMS (in)[FLOW_RANK (in) - 1] == 3, error, INVALID_ARGUMENT,
                "input must have 3 channels but instead has %" G_GINT64_FORMAT " channels.",
                FLOW_DIMS (in)[FLOW_RANK (in) - 1]);
  if ((out = flow_kernel_allocate (c, 0, in->shape, error)) == NULL)
    return FALSE;
  job = (Job) { in->data, out->data, *FLOW_DATA (float, amount) };
  flow_parallel_for (in->n_elements / 3, 8192, func, &job);
  return TRUE;
}

static gboolean
hue_compute (FlowKernelContext  *c,
             GError            **error)
{
  return adjust (c, "delta", turn_hue, error);
}

static gboolean
saturation_compute (FlowKernelContext  *c,
                    GError            **error)
{
  return adjust (c, "scale", scale_saturation, error);
}

/* --- AdjustContrast, AdjustContrastv2 ---------------------------------------------------------------------------- */

typedef struct {
  gint64 pixels;               /* of one image */
  gint64 channels;
  gboolean folds;
  float factor;
  float low;
  float high;
  FlowRelease release;
} Contrast;

/* TF: the later op folds the image, its second half onto its first, until one pixel is left; of an odd number the one
 * in the middle stays. @sums has room for half an image and a pixel. */
static void
sum_by_folding (const float *in,
                gint64       n_pixels,
                gint64       n_channels,
                float       *sums)
{
  const float *from = in;

  do
    {
      const gint64 n_right = n_pixels / 2;
      const gint64 n_left = n_pixels - n_right;

      for (gint64 i = 0; i < n_right * n_channels; i++)
        sums[i] = from[i] + from[n_left * n_channels + i];
      if (n_left > n_right && from != sums)
        memcpy (sums + n_right * n_channels, from + n_right * n_channels, (gsize) n_channels * sizeof (float));
      from = sums;
      n_pixels = n_left;
    }
  while (n_pixels > 1);
}

/* Each channel of an image moves away from its own mean. */
static void
adjust_image (const Contrast *job,
              const float    *in,
              float          *out,
              float          *sums)
{
  if (job->folds)
    sum_by_folding (in, job->pixels, job->channels, sums);
  else
    flow_sum_columns_float (job->release, in, job->pixels, job->channels, sums);
  for (gint64 i = 0; i < job->pixels * job->channels; i++)
    {
      const float sum = sums[i % job->channels];
      const float mean = job->folds ? sum * (1.0f / (float) job->pixels) : sum / (float) job->pixels;
      const float value = (in[i] - mean) * job->factor + mean;

      /* TF: the upper bound first, so that bounds the wrong way round end at the lower; NaN passes. */
      out[i] = job->high < value ? job->high : value;
      out[i] = out[i] < job->low ? job->low : out[i];
    }
}

static gboolean
check_contrast (FlowKernelContext  *c,
                GError            **error)
{
  static const char *const names[] = { "", "contrast_factor", "min_value", "max_value" };
  const FlowTensor *in = flow_kernel_input (c, 0);

  if (FLOW_RANK (in) < 3)
    return _flow_refuse_shapes (error, in, NULL, "input must be at least 3-D, got shape%s");
  for (guint i = 1; i < c->n_inputs; i++)
    {
      g_autofree char *text = flow_tensor_shape_text (flow_kernel_input (c, i));

      FLOW_REQUIRE (flow_is_scalar (flow_kernel_input (c, i)), error, INVALID_ARGUMENT, "%s must be scalar: %s", names[i],
                    text);
    }
  return TRUE;
}

static gboolean
contrast_compute (FlowKernelContext  *c,
                  GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  g_autoptr (FlowTensor) wide = NULL;
  g_autofree float *sums = NULL;
  FlowTensor *out;
  Contrast job = { .folds = c->n_inputs == 2, .low = -INFINITY, .high = INFINITY, .release = flow_kernel_release (c) };

  if (!check_contrast (c, error) || (out = flow_kernel_allocate (c, 0, in->shape, error)) == NULL)
    return FALSE;
  if (in->n_elements == 0)
    return TRUE;
  if ((wide = _flow_image_to_float (c, in, error)) == NULL)
    return FALSE;
  job.channels = FLOW_DIMS (in)[FLOW_RANK (in) - 1];
  job.pixels = FLOW_DIMS (in)[FLOW_RANK (in) - 2] * FLOW_DIMS (in)[FLOW_RANK (in) - 3];
  job.factor = *FLOW_DATA (float, flow_kernel_input (c, 1));
  if (c->n_inputs == 4)
    {
      job.low = *FLOW_DATA (float, flow_kernel_input (c, 2));
      job.high = *FLOW_DATA (float, flow_kernel_input (c, 3));
    }
  sums = g_try_new (float, (gsize) (job.pixels / 2 + 1) * (gsize) job.channels);
  FLOW_REQUIRE (sums != NULL, error, RESOURCE_EXHAUSTED, "OOM when adding up an image");
  for (gint64 i = 0; i < in->n_elements; i += job.pixels * job.channels)
    adjust_image (&job, (const float *) wide->data + i, (float *) out->data + i, sums);
  return TRUE;
}

static const FlowKernelDef to_hsv_kernels[] = { { "T: float double", to_hsv_compute }, { NULL } };
static const FlowKernelDef to_rgb_kernels[] = { { "T: float double", to_rgb_compute }, { NULL } };
/* --- AdjustHsvInYiq: hue, saturation and value by one linear map ------------------------------------------------ */

/* a = b c, of 3 x 3. */
static void
multiply_colors (const float b[9],
                 const float c[9],
                 float       a[9])
{
  for (int i = 0; i < 9; i++)
    a[i] = b[i / 3 * 3] * c[i % 3] + b[i / 3 * 3 + 1] * c[3 + i % 3] + b[i / 3 * 3 + 2] * c[6 + i % 3];
}

typedef struct {
  const float *in;
  float *out;
  float map[9];
} ColorMap;

static void
map_colors (gint64   begin,
            gint64   end,
            gpointer data)
{
  const ColorMap *job = data;

  for (gint64 i = begin; i < end; i++)
    {
      const float *p = job->in + i * 3;
      float *q = job->out + i * 3;

      for (int k = 0; k < 3; k++)
        q[k] = p[0] * job->map[k * 3] + p[1] * job->map[k * 3 + 1] + p[2] * job->map[k * 3 + 2];
    }
}

static gboolean
hsv_in_yiq_compute (FlowKernelContext  *c,
                    GError            **error)
{
  static const char *const words[] = { NULL, "delta_h must be scalar: %s", "scale_s must be scalar: %s",
                                       "scale_v must be scalar: %s" };
  /* The color space of NTSC, and back. */
  static const float to_yiq[9] = { 0.299f, 0.587f, 0.114f, 0.596f, -0.274f, -0.322f, 0.211f, -0.523f, 0.312f };
  static const float from_yiq[9] = { 1, 0.95617069f, 0.62143257f, 1, -0.2726886f, -0.64681324f, 1, -1.103744f, 1.70062309f };
  const FlowTensor *in = flow_kernel_input (c, 0);
  float value[4];
  float between[9];
  ColorMap job;
  FlowTensor *out;

  if (FLOW_RANK (in) < 3)
    return _flow_refuse_shapes (error, in, NULL, "input must be at least 3-D, got shape%s");
  for (guint i = 1; i < 4; i++)
    {
      const FlowTensor *scalar = flow_kernel_input (c, i);

      if (!flow_is_scalar (scalar))
        return _flow_refuse_shapes (error, scalar, NULL, words[i]);
      value[i] = FLOW_DATA (float, scalar)[0];
    }
  if (FLOW_DIMS (in)[FLOW_RANK (in) - 1] != 3)
    return _flow_refuse (error, "input must have 3 channels but instead has %" G_GINT64_FORMAT " channels.",
                         FLOW_DIMS (in)[FLOW_RANK (in) - 1]);
  out = flow_kernel_allocate (c, 0, in->shape, error);
  if (out == NULL)
    return FALSE;
  value[0] = value[3] * value[2] * cosf (value[1]);
  value[2] = value[3] * value[2] * sinf (value[1]);
  multiply_colors (from_yiq, (const float[9]) { value[3], 0, 0, 0, value[0], -value[2], 0, value[2], value[0] }, between);
  multiply_colors (between, to_yiq, job.map);
  job.in = in->data;
  job.out = out->data;
  flow_parallel_for (in->n_elements / 3, 8192, map_colors, &job);
  return TRUE;
}

static const FlowKernelDef hsv_in_yiq_kernels[] = { { "T: float", hsv_in_yiq_compute }, { NULL } };
static const FlowKernelDef hue_kernels[] = { { "T: float", hue_compute }, { NULL } };
static const FlowKernelDef saturation_kernels[] = { { "T: float", saturation_compute }, { NULL } };
static const FlowKernelDef contrast_kernels[] = { { "T: uint8 int8 int16 int32 float double", contrast_compute }, { NULL } };
static const FlowKernelDef contrast_v2_kernels[] = { { "T: float", contrast_compute }, { NULL } };

#define TYPE "T: {half, float} = DT_FLOAT"

static const FlowOpDef ops[] = {
  { .name = "AdjustContrast", .inputs = "images: T; contrast_factor: float; min_value: float; max_value: float",
    .outputs = "output: float", .attrs = "T: {uint8, int8, int16, int32, int64, float, double}",
    .summary = "More or less contrast, held within bounds", .family = FLOW_OP_FAMILY_MATH, .infer = infer_adjust,
    .kernels = contrast_kernels },
  { .name = "AdjustContrastv2", .inputs = "images: T; contrast_factor: float", .outputs = "output: T", .attrs = TYPE,
    .summary = "More or less contrast", .family = FLOW_OP_FAMILY_MATH, .infer = infer_contrast,
    .kernels = contrast_v2_kernels },
  { .name = "AdjustHsvInYiq", .inputs = "images: T; delta_h: float; scale_s: float; scale_v: float", .outputs = "output: T",
    .attrs = "T: {uint8, int8, int16, int32, int64, half, float, double}",
    .summary = "Hue turned, saturation and value scaled, in one linear map", .family = FLOW_OP_FAMILY_MATH,
    .infer = infer_adjust, .kernels = hsv_in_yiq_kernels },
  { .name = "AdjustHue", .inputs = "images: T; delta: float", .outputs = "output: T", .attrs = TYPE,
    .summary = "Colors turned on the color wheel", .family = FLOW_OP_FAMILY_MATH, .infer = infer_adjust,
    .kernels = hue_kernels },
  { .name = "AdjustSaturation", .inputs = "images: T; scale: float", .outputs = "output: T", .attrs = TYPE,
    .summary = "More or less color", .family = FLOW_OP_FAMILY_MATH, .infer = infer_adjust,
    .kernels = saturation_kernels },
  { .name = "HSVToRGB", .inputs = "images: T", .outputs = "output: T", .attrs = "T: {half, bfloat16, float, double} = DT_FLOAT",
    .summary = "Hue, saturation, value to red, green, blue", .family = FLOW_OP_FAMILY_MATH, .infer = infer_colors,
    .kernels = to_rgb_kernels },
  { .name = "RGBToHSV", .inputs = "images: T", .outputs = "output: T", .attrs = "T: {half, bfloat16, float, double} = DT_FLOAT",
    .summary = "Red, green, blue to hue, saturation, value", .family = FLOW_OP_FAMILY_MATH, .infer = infer_colors,
    .kernels = to_hsv_kernels },
};

FLOW_DEFINE_OP_FAMILY (image_color, ops)
