/* flow-kernels-microfrontend.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What small processors make of sound before a network hears it: the energy in bands as ears tell them apart, without
 * the noise, in whole numbers.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-fixed-fft-private.h"

#include <math.h>
#include <string.h>

#define WINDOW_BITS 12
#define BAND_BITS 12
#define NOISE_BITS 14
#define SNR_BITS 12
#define GAIN_OUTPUT_BITS 6
#define LOG_BITS 16
#define LOG_SEGMENT_BITS 7
/* The natural logarithm of 2 in 16 bits. */
#define LOG_OF_2 45426
/* Intervals of a gain's table: one for each place that the highest bit of a number has. */
#define GAIN_INTERVALS 32
/* Sizes beyond these are mistakes. */
#define MAX_WINDOW (1 << 22)
#define MAX_BANDS (1 << 16)

/* --- attrs ----------------------------------------------------------------------------------------------------------- */

typedef struct {
  gint64 sample_rate;
  gint64 window_size;          /* samples, as the next */
  gint64 window_step;
  gint64 n_bands;
  gint64 smoothing_bits;
  gint64 gain_bits;
  gint64 scale_shift;
  gint64 left_context;
  gint64 right_context;
  gint64 frame_stride;
  gint64 out_scale;
  float upper_limit;
  float lower_limit;
  float gain_strength;
  float gain_offset;
  guint16 smoothing[2];        /* of even and odd bands */
  guint16 min_remaining;
  gboolean has_gain;
  gboolean has_log;
  gboolean pads_zeros;
} Options;

static guint16
fraction_of (FlowKernelConstruction *c,
             const char             *name)
{
  const float number = flow_attr_get_float (flow_construction_attr (c, name)) * (float) (1 << NOISE_BITS);

  return (guint16) (gint32) (isfinite (number) ? CLAMP (number, -1e9f, 1e9f) : 0);
}

static gboolean
check_options (const Options  *self,
               GError        **error)
{
  /* TF: divides by zero, shifts by too much, or reads elsewhere. */
  FLOW_REQUIRE (self->sample_rate > 0 && self->window_size >= 0 && self->window_size <= MAX_WINDOW, error, INVALID_ARGUMENT,
                "sample_rate and window_size make windows of %" G_GINT64_FORMAT " samples", self->window_size);
  FLOW_REQUIRE (self->window_step > 0 && self->window_step <= MAX (self->window_size, 1), error, INVALID_ARGUMENT,
                "windows of %" G_GINT64_FORMAT " samples cannot be %" G_GINT64_FORMAT " samples apart", self->window_size,
                self->window_step);
  FLOW_REQUIRE (self->n_bands >= 0 && self->n_bands <= MAX_BANDS, error, INVALID_ARGUMENT, "num_channels is %"
                G_GINT64_FORMAT, self->n_bands);
  FLOW_REQUIRE (self->smoothing_bits >= 0 && self->smoothing_bits < 32 && self->gain_bits >= 0 && self->gain_bits < 32 &&
                self->scale_shift >= 0 && self->scale_shift < 32, error, INVALID_ARGUMENT,
                "smoothing_bits, gain_bits and scale_shift must be in [0, 32)");
  FLOW_REQUIRE (self->left_context >= 0 && self->right_context >= 0 && self->left_context <= MAX_BANDS &&
                self->right_context <= MAX_BANDS, error, INVALID_ARGUMENT, "left_context and right_context must not be negative");
  FLOW_REQUIRE (self->frame_stride > 0 && self->frame_stride <= G_MAXINT32, error, INVALID_ARGUMENT,
                "frame_stride must be positive");
  return TRUE;
}

static gpointer
options_construct (FlowKernelConstruction  *c,
                   GError                 **error)
{
  g_autofree Options *self = g_new0 (Options, 1);

#define INT(name) flow_attr_get_int (flow_construction_attr (c, name))
#define NUMBER(name) flow_attr_get_float (flow_construction_attr (c, name))
#define FLAG(name) flow_attr_get_bool (flow_construction_attr (c, name))
  self->sample_rate = CLAMP (INT ("sample_rate"), G_MININT32, G_MAXINT32);
  self->window_size = CLAMP (INT ("window_size"), G_MININT32, G_MAXINT32) * self->sample_rate / 1000;
  self->window_step = CLAMP (INT ("window_step"), G_MININT32, G_MAXINT32) * self->sample_rate / 1000;
  self->n_bands = INT ("num_channels");
  self->smoothing_bits = INT ("smoothing_bits");
  self->gain_bits = INT ("gain_bits");
  self->scale_shift = INT ("scale_shift");
  self->left_context = INT ("left_context");
  self->right_context = INT ("right_context");
  self->frame_stride = INT ("frame_stride");
  self->out_scale = INT ("out_scale");
  self->upper_limit = NUMBER ("upper_band_limit");
  self->lower_limit = NUMBER ("lower_band_limit");
  self->gain_strength = NUMBER ("pcan_strength");
  self->gain_offset = NUMBER ("pcan_offset");
  self->has_gain = FLAG ("enable_pcan");
  self->has_log = FLAG ("enable_log");
  self->pads_zeros = FLAG ("zero_padding");
#undef INT
#undef NUMBER
#undef FLAG
  self->smoothing[0] = fraction_of (c, "even_smoothing");
  self->smoothing[1] = fraction_of (c, "odd_smoothing");
  self->min_remaining = fraction_of (c, "min_signal_remaining");
  if (!check_options (self, error))
    return NULL;
  if (c->output_dtypes[0] == FLOW_DTYPE_UINT16 && self->out_scale == 0)
    {
      _flow_refuse (error, "out_scale must not be zero");
      return NULL;
    }
  return g_steal_pointer (&self);
}

/* --- what is prepared ------------------------------------------------------------------------------------------------ */

/* A frequency's share in the band that it is in; the rest is the next one's. */
typedef struct {
  gint16 own;
  gint16 next;
} Share;

typedef struct {
  const Options *options;
  guint fft_size;
  int correction_bits;
  FlowFixedFft *fft;
  gint16 *window;
  gint16 *samples;             /* of one window, then zeros */
  FlowFixedComplex *spectrum;
  gint32 *begins;              /* of each band and one more, the first frequency; one more for the end */
  Share *shares;               /* of each frequency */
  guint32 *noise;              /* of each band */
  guint32 *bands;
  gint16 gains[4 * GAIN_INTERVALS];
  guint16 logs[(1 << LOG_SEGMENT_BITS) + 2];
} Frontend;

static void
frontend_clear (Frontend *self)
{
  g_clear_pointer (&self->fft, _flow_fixed_fft_free);
  g_free (self->window);
  g_free (self->samples);
  g_free (self->spectrum);
  g_free (self->begins);
  g_free (self->shares);
  g_free (self->noise);
  g_free (self->bands);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Frontend, frontend_clear)

static float
mel (float frequency)
{
  return (float) (1127.0 * log1p ((double) frequency / 700.0));
}

static int
highest_bit (guint32 x)
{
  return x == 0 ? 0 : 32 - __builtin_clz (x);
}

static void
prepare_window (Frontend *self)
{
  const gint64 n = self->options->window_size;
  const float arg = (float) (G_PI * 2.0 / (double) (float) n);

  for (gint64 i = 0; i < n; i++)
    {
      const float height = (float) (0.5 - 0.5 * cos ((double) arg * ((double) i + 0.5)));

      self->window[i] = (gint16) floor ((double) (height * (1 << WINDOW_BITS)) + 0.5);
    }
}

/* Bands are as wide as each other by the ear, and go over into one another. FALSE where they do not fit the spectrum. */
static gboolean
prepare_bands (Frontend *self)
{
  const Options *o = self->options;
  const gint32 n_frequencies = (gint32) self->fft_size / 2 + 1;
  const float step = (float) (0.5 * (double) o->sample_rate / (double) ((float) n_frequencies - 1));
  const float low = mel (o->lower_limit);
  const float spacing = (mel (o->upper_limit) - low) / (float) (o->n_bands + 1);
  const double first = 1.5 + (double) (o->lower_limit / step);
  float last = low;
  gint32 at;

  if (!(first >= 0 && first < (double) n_frequencies) || !isfinite (spacing))
    return FALSE;
  at = (gint32) first;
  for (gint64 i = 0; i <= o->n_bands; i++)
    {
      const float center = low + spacing * (float) (i + 1);

      self->begins[i] = at;
      for (; mel ((float) at * step) <= center; at++)
        {
          const float weight = (center - mel ((float) at * step)) / (center - last);

          if (at + 1 >= n_frequencies)
            return FALSE;
          self->shares[at].own = (gint16) floor ((double) (weight * (1 << BAND_BITS)) + 0.5);
          self->shares[at].next = (gint16) floor ((1.0 - (double) weight) * (1 << BAND_BITS) + 0.5);
        }
      last = center;
    }
  self->begins[o->n_bands + 1] = at;
  return TRUE;
}

static gint16
gain_at (const Options *o,
         gint64         input_bits,
         guint32        x)
{
  const float noise = (float) x / (float) (1u << input_bits);
  const float gain = (float) (1u << o->gain_bits) * powf (noise + o->gain_offset, -o->gain_strength);

  if (!(gain <= G_MAXINT16))
    return G_MAXINT16;
  return (gint16) (gain + 0.5f);
}

/* Between the highest bits of a number the gain is a parabola through three points. */
static gboolean
prepare_gains (Frontend *self)
{
  const gint64 input_bits = self->options->smoothing_bits - self->correction_bits;
  const gint64 shift = self->options->gain_bits - self->correction_bits - SNR_BITS;

  if (input_bits < 0 || input_bits > 31 || shift < 0 || shift > 63)
    return FALSE;
  self->gains[0] = gain_at (self->options, input_bits, 0);
  self->gains[1] = gain_at (self->options, input_bits, 1);
  for (int i = 2; i <= GAIN_INTERVALS; i++)
    {
      const guint32 x0 = 1u << (i - 1);
      const guint32 x2 = i == GAIN_INTERVALS ? x0 + (x0 - 1) : 2 * x0;
      const gint16 y0 = gain_at (self->options, input_bits, x0);
      const gint32 half = gain_at (self->options, input_bits, x0 + (x0 >> 1)) - y0;
      const gint32 whole = gain_at (self->options, input_bits, x2) - y0;
      gint16 *to = self->gains + 4 * i - 6;

      to[0] = y0;
      to[1] = (gint16) (4 * half - whole);
      to[2] = (gint16) (whole - (4 * half - whole));
    }
  return TRUE;
}

/* By how much the logarithm lies above a straight line. */
static void
prepare_logs (Frontend *self)
{
  const int n = 1 << LOG_SEGMENT_BITS;

  for (int i = 0; i <= n; i++)
    self->logs[i] = (guint16) lround ((log2 (1 + (double) i / n) - (double) i / n) * (1 << LOG_BITS));
  self->logs[n + 1] = 0;
}

static gboolean
frontend_init (Frontend       *self,
               const Options  *options,
               GError        **error)
{
  const gsize n_bands = (gsize) options->n_bands + 1;

  self->options = options;
  self->fft_size = 1;
  while (self->fft_size < options->window_size)
    self->fft_size <<= 1;
  self->correction_bits = highest_bit (self->fft_size) - 1 - BAND_BITS / 2;
  FLOW_REQUIRE (self->fft_size >= 2, error, INTERNAL, "failed to populate frontend state");
  self->fft = _flow_fixed_fft_new (self->fft_size);
  self->window = g_new0 (gint16, self->fft_size);
  self->samples = g_new0 (gint16, self->fft_size);
  self->spectrum = g_new0 (FlowFixedComplex, self->fft_size / 2 + 1);
  self->begins = g_new0 (gint32, n_bands + 1);
  self->shares = g_new0 (Share, self->fft_size / 2 + 1);
  self->noise = g_new0 (guint32, n_bands);
  self->bands = g_new0 (guint32, n_bands);
  prepare_window (self);
  prepare_logs (self);
  FLOW_REQUIRE (prepare_bands (self) && (!options->has_gain || prepare_gains (self)), error, INTERNAL,
                "failed to populate frontend state");
  return TRUE;
}

/* --- one window ------------------------------------------------------------------------------------------------------ */

/* As large as 16 bits allow; gives by how many bits. */
static int
take_samples (Frontend     *self,
              const gint16 *samples)
{
  gint16 largest = 0;
  int shift;

  for (gint64 i = 0; i < self->options->window_size; i++)
    {
      const gint16 value = (gint16) (((gint32) samples[i] * self->window[i]) >> WINDOW_BITS);

      self->samples[i] = value;
      largest = MAX (largest, (gint16) (value < 0 ? -value : value));
    }
  shift = 15 - highest_bit ((guint32) largest);
  for (gint64 i = 0; i < self->options->window_size; i++)
    self->samples[i] = (gint16) (guint16) ((guint32) (guint16) self->samples[i] << shift);
  return shift;
}

/* Rounded, but for the largest. */
static guint32
root (guint64 x)
{
  const guint64 largest = x >> 32 == 0 ? 0xffff : 0xffffffff;
  guint64 r = (guint64) sqrtl ((long double) x);

  while (r * r > x || r > 0xffffffff)
    r--;
  while (r < 0xffffffff && (r + 1) * (r + 1) <= x)
    r++;
  return (guint32) (x - r * r > r && r != largest ? r + 1 : r);
}

static void
find_bands (Frontend *self,
            int       shift)
{
  guint64 carried = 0;

  for (gint64 i = 0; i <= self->options->n_bands; i++)
    {
      guint64 own = carried;

      carried = 0;
      for (gint32 k = self->begins[i]; k < self->begins[i + 1]; k++)
        {
          const gint32 re = self->spectrum[k].re;
          const gint32 im = self->spectrum[k].im;
          const guint64 energy = (guint64) (gint64) (gint32) ((guint32) (re * re) + (guint32) (im * im));

          own += (guint64) (gint64) self->shares[k].own * energy;
          carried += (guint64) (gint64) self->shares[k].next * energy;
        }
      /* What is below the first band is nobody's. */
      if (i > 0)
        self->bands[i - 1] = root (own) >> shift;
    }
}

static void
take_noise (Frontend *self)
{
  const Options *o = self->options;

  for (gint64 i = 0; i < o->n_bands; i++)
    {
      const guint32 smoothing = o->smoothing[i & 1];
      const guint32 rest = (1u << NOISE_BITS) - smoothing;
      const guint32 scaled = self->bands[i] << o->smoothing_bits;
      const guint32 least = (guint32) (((guint64) self->bands[i] * o->min_remaining) >> NOISE_BITS);
      guint32 left;

      self->noise[i] = (guint32) (((guint64) scaled * smoothing + (guint64) self->noise[i] * rest) >> NOISE_BITS);
      left = (scaled - MIN (self->noise[i], scaled)) >> o->smoothing_bits;
      self->bands[i] = MAX (left, least);
    }
}

static gint16
find_gain (const gint16 *gains,
           guint32       x)
{
  const int interval = highest_bit (x);
  const gint16 *at = gains + 4 * interval - 6;
  gint32 fraction;
  gint32 result;

  if (x <= 2)
    return gains[x];
  fraction = (gint32) ((interval < 11 ? x << (11 - interval) : x >> (interval - 11)) & 0x3ff);
  result = (at[2] * fraction) >> 5;
  result = (gint32) ((guint32) result + ((guint32) at[1] << 5));
  result = (gint32) ((guint32) result * (guint32) fraction);
  result = (gint32) ((guint32) result + (1u << 14)) >> 15;
  return (gint16) (result + at[0]);
}

static void
apply_gain (Frontend *self)
{
  const gint64 shift = self->options->gain_bits - self->correction_bits - SNR_BITS;

  for (gint64 i = 0; i < self->options->n_bands; i++)
    {
      const guint32 gain = (guint32) find_gain (self->gains, self->noise[i]);
      const guint32 snr = (guint32) (((guint64) self->bands[i] * gain) >> shift);

      /* Small ones are squared, so that there is no corner. */
      self->bands[i] = snr < (2u << SNR_BITS) ? (snr * snr) >> (2 + 2 * SNR_BITS - GAIN_OUTPUT_BITS)
                                              : (snr >> (SNR_BITS - GAIN_OUTPUT_BITS)) - (1u << GAIN_OUTPUT_BITS);
    }
}

static guint32
scaled_log (const Frontend *self,
            guint32         x)
{
  const int integer = highest_bit (x) - 1;
  const guint32 half = (1u << LOG_BITS) / 2;
  gint32 fraction = (gint32) (x - (1u << integer));
  gint32 segment;
  gint32 rise;
  guint32 log_2;
  guint32 log_e;

  if (integer < LOG_BITS)
    fraction = (gint32) ((guint32) fraction << (LOG_BITS - integer));
  else
    fraction >>= integer - LOG_BITS;
  segment = fraction >> (LOG_BITS - LOG_SEGMENT_BITS);
  rise = (self->logs[segment + 1] - self->logs[segment]) * (fraction - (segment << (LOG_BITS - LOG_SEGMENT_BITS)));
  log_2 = ((guint32) integer << LOG_BITS) + (guint32) (fraction + self->logs[segment] + (rise >> LOG_BITS));
  log_e = (guint32) (((guint64) LOG_OF_2 * log_2 + half) >> LOG_BITS);
  return ((log_e << self->options->scale_shift) + half) >> LOG_BITS;
}

/* The window's bands as they come out. */
static void
hear (Frontend     *self,
      const gint16 *samples,
      guint16      *out)
{
  const int shift = take_samples (self, samples);

  _flow_fixed_fft_run (self->fft, self->samples, self->spectrum);
  find_bands (self, shift);
  take_noise (self);
  if (self->options->has_gain)
    apply_gain (self);
  for (gint64 i = 0; i < self->options->n_bands; i++)
    {
      guint32 value = self->bands[i];

      if (self->options->has_log)
        {
          value = self->correction_bits < 0 ? value >> -self->correction_bits : value << self->correction_bits;
          value = value > 1 ? scaled_log (self, value) : 0;
        }
      out[i] = (guint16) MIN (value, G_MAXUINT16);
    }
}

/* --- all of them ----------------------------------------------------------------------------------------------------- */

/* Frame @i of @n, of 16 bits; where there is none, the nearest, or nothing. */
static const guint16 *
frame_at (const Options *o,
          const guint16 *frames,
          gint64         n,
          gint64         i)
{
  if (i >= 0 && i < n)
    return frames + i * o->n_bands;
  return o->pads_zeros ? NULL : frames + (i < 0 ? 0 : n - 1) * o->n_bands;
}

static void
put_frames (const Options *o,
            const guint16 *frames,
            gint64         n,
            FlowTensor    *out)
{
  gint64 at = 0;

  for (gint64 anchor = 0; anchor < n; anchor += o->frame_stride)
    for (gint64 i = anchor - o->left_context; i <= anchor + o->right_context; i++)
      {
        const guint16 *frame = frame_at (o, frames, n, i);

        for (gint64 k = 0; k < o->n_bands; k++, at++)
          {
            const guint16 value = frame != NULL ? frame[k] : 0;

            if (out->dtype == FLOW_DTYPE_UINT16)
              FLOW_WRITABLE (guint16, out)[at] = (guint16) (frame != NULL ? (gint32) (value / o->out_scale) : 0);
            else
              FLOW_WRITABLE (float, out)[at] = frame != NULL ? (float) value / (float) o->out_scale : 0;
          }
      }
}

static gboolean
frontend_compute (FlowKernelContext  *c,
                  GError            **error)
{
  const Options *o = flow_kernel_data (c);
  const FlowTensor *audio = flow_kernel_input (c, 0);
  g_auto (Frontend) frontend = { 0 };
  g_autoptr (FlowTensor) frames = NULL;
  g_autoptr (FlowShape) shape = NULL;
  gint64 n_frames = 0;
  gint64 dims[2];
  FlowTensor *out;

  FLOW_REQUIRE (flow_is_vector (audio), error, INVALID_ARGUMENT, "audio is not a vector");
  if (audio->n_elements >= o->window_size)
    n_frames = (audio->n_elements - o->window_size) / o->window_step + 1;
  dims[0] = n_frames > 0 ? (n_frames - 1) / o->frame_stride + 1 : 0;
  dims[1] = o->n_bands * (1 + o->left_context + o->right_context);
  out = flow_kernel_allocate_dims (c, 0, 2, dims, error);
  shape = flow_shape_new_matrix (n_frames, o->n_bands);
  frames = out != NULL ? flow_kernel_allocate_temp (c, FLOW_DTYPE_UINT16, shape, error) : NULL;
  if (frames == NULL || !frontend_init (&frontend, o, error))
    return FALSE;
  for (gint64 i = 0; i < n_frames; i++)
    {
      hear (&frontend, FLOW_DATA (gint16, audio) + i * o->window_step, FLOW_WRITABLE (guint16, frames) + i * o->n_bands);
      if ((i & 0xff) == 0 && g_cancellable_set_error_if_cancelled (c->cancellable, error))
        return FALSE;
    }
  put_frames (o, FLOW_DATA (guint16, frames), n_frames, out);
  return TRUE;
}

/* TF: counts the samples of a millisecond first, and takes a length that is not known for none at all. */
static gboolean
frontend_infer (FlowInferContext  *c,
                GError           **error)
{
  const gint64 rate = flow_infer_attr_int (c, "sample_rate") / 1000;
  const gint64 size = flow_infer_attr_int (c, "window_size") * rate;
  const gint64 step = flow_infer_attr_int (c, "window_step") * rate;
  const gint64 stride = flow_infer_attr_int (c, "frame_stride");
  g_autoptr (FlowShape) audio = NULL;
  gint64 n = 0;
  gint64 n_features;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 1, &audio, error))
    return FALSE;
  if (flow_shape_get_dim (audio, 0) >= size)
    {
      FLOW_REQUIRE (step > 0, error, INVALID_ARGUMENT, "Divisor must be positive but is %" G_GINT64_FORMAT, step);
      FLOW_REQUIRE (stride > 0, error, INVALID_ARGUMENT, "Divisor must be positive but is %" G_GINT64_FORMAT, stride);
      n = (flow_shape_get_dim (audio, 0) - size) / step / stride + 1;
    }
  if (!flow_mul_int64 (flow_infer_attr_int (c, "num_channels"),
                       1 + flow_infer_attr_int (c, "left_context") + flow_infer_attr_int (c, "right_context"), &n_features) ||
      n_features < 0 || n < 0)
    return _flow_refuse (error, "the output would have too many features");
  flow_infer_take_output (c, 0, flow_shape_new_matrix (n, n_features));
  return TRUE;
}

static const FlowOpDef ops[] = {
  { .name = "AudioMicrofrontend", .inputs = "audio: int16", .outputs = "filterbanks: out_type",
    .attrs = "sample_rate: int = 16000; window_size: int = 25; window_step: int = 10; num_channels: int = 32; "
             "upper_band_limit: float = 7500.0; lower_band_limit: float = 125.0; smoothing_bits: int = 10; "
             "even_smoothing: float = 0.025; odd_smoothing: float = 0.06; min_signal_remaining: float = 0.05; "
             "enable_pcan: bool = false; pcan_strength: float = 0.95; pcan_offset: float = 80.0; gain_bits: int = 21; "
             "enable_log: bool = true; scale_shift: int = 6; left_context: int = 0; right_context: int = 0; "
             "frame_stride: int = 1; zero_padding: bool = false; out_scale: int = 1; out_type: {uint16, float} = DT_UINT16",
    .summary = "The bands of sound as small processors hear them", .family = FLOW_OP_FAMILY_MATH, .infer = frontend_infer,
    .kernels = (const FlowKernelDef[]) { { "out_type: uint16 float", frontend_compute, options_construct, g_free }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (microfrontend, ops)
