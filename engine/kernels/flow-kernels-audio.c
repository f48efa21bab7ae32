/* flow-kernels-audio.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sounds: WAV files, spectrograms, and the features that speech recognition makes of them.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-fft-private.h"
#include "flow-media-private.h"
#include "flow-parallel.h"
#include "flow-string-private.h"
#include "flow-summarize-private.h"

#include <math.h>
#include <string.h>

/* --- DecodeWav ----------------------------------------------------------------------------------------------- */

/* What the header says, and where the samples are. */
typedef struct {
  Text text;
  gsize at;
  guint32 sample_rate;
  gint64 n_channels;
  gint64 n_frames;
  gsize samples;
} Wav;

static gboolean
expect_text (Wav         *self,
             const char  *expected,
             GError     **error)
{
  const gsize n = strlen (expected);

  FLOW_REQUIRE (self->text.length - self->at >= n, error, INVALID_ARGUMENT, "Data too short when trying to read string");
  FLOW_REQUIRE (memcmp (self->text.bytes + self->at, expected, n) == 0, error, INVALID_ARGUMENT,
                "Header mismatch: Expected %s but found %.*s", expected, (int) n, self->text.bytes + self->at);
  self->at += n;
  return TRUE;
}

static gboolean
read_number (Wav      *self,
             gsize     n_bytes,
             guint32  *value,
             GError  **error)
{
  FLOW_REQUIRE (self->text.length - self->at >= n_bytes, error, INVALID_ARGUMENT,
                "Data too short when trying to read string");
  *value = 0;
  for (gsize i = 0; i < n_bytes; i++)
    *value |= (guint32) (guint8) self->text.bytes[self->at + i] << (8 * i);
  self->at += n_bytes;
  return TRUE;
}

static gboolean
read_format (Wav      *self,
             GError  **error)
{
  guint32 chunk_size;
  guint32 format;
  guint32 channels;
  guint32 per_second;
  guint32 per_frame;
  guint32 bits;

  if (!expect_text (self, "fmt ", error) || !read_number (self, 4, &chunk_size, error))
    return FALSE;
  FLOW_REQUIRE (chunk_size == 16 || chunk_size == 18, error, INVALID_ARGUMENT,
                "Bad file size for WAV: Expected 16 or 18, but got%u", chunk_size);
  if (!read_number (self, 2, &format, error))
    return FALSE;
  FLOW_REQUIRE (format == 1, error, INVALID_ARGUMENT, "Bad audio format for WAV: Expected 1 (PCM), but got%u", format);
  if (!read_number (self, 2, &channels, error))
    return FALSE;
  FLOW_REQUIRE (channels > 0, error, INVALID_ARGUMENT, "Bad number of channels for WAV: Expected at least 1, but got %u",
                channels);
  if (!read_number (self, 4, &self->sample_rate, error) || !read_number (self, 4, &per_second, error) ||
      !read_number (self, 2, &per_frame, error) || !read_number (self, 2, &bits, error))
    return FALSE;
  FLOW_REQUIRE (bits == 16, error, INVALID_ARGUMENT, "Can only read 16-bit WAV files, but received %u", bits);
  FLOW_REQUIRE (per_frame == channels * 2, error, INVALID_ARGUMENT,
                "Bad bytes per sample in WAV header: Expected %u but got %u", channels * 2, per_frame);
  FLOW_REQUIRE (per_second == per_frame * self->sample_rate, error, INVALID_ARGUMENT,
                "Bad bytes per second in WAV header: Expected %u but got %u (sample_rate=%u, bytes_per_sample=%u)",
                per_frame * self->sample_rate, per_second, self->sample_rate, per_frame);
  self->n_channels = channels;
  if (chunk_size == 18)
    self->at = MIN (self->at + 2, self->text.length);
  return TRUE;
}

static gboolean
read_wav (Wav      *self,
          GError  **error)
{
  gboolean found = FALSE;
  guint32 size;

  if (!expect_text (self, "RIFF", error) || !read_number (self, 4, &size, error) ||
      !expect_text (self, "WAVE", error) || !read_format (self, error))
    return FALSE;
  while (self->at < self->text.length)
    {
      const char *name = self->text.bytes + self->at;

      FLOW_REQUIRE (self->text.length - self->at >= 4, error, INVALID_ARGUMENT,
                    "Data too short when trying to read string");
      self->at += 4;
      if (!read_number (self, 4, &size, error))
        return FALSE;
      if (memcmp (name, "data", 4) == 0)
        {
          FLOW_REQUIRE (!found, error, INVALID_ARGUMENT, "More than one data chunk found in WAV");
          FLOW_REQUIRE (size <= self->text.length - self->at, error, INVALID_ARGUMENT, "Data too short when trying to read string");
          found = TRUE;
          self->samples = self->at;
          self->n_frames = size / (2 * self->n_channels);
          self->at += (gsize) (self->n_frames * self->n_channels * 2);
        }
      else
        self->at += MIN (size, self->text.length - self->at);
    }
  FLOW_REQUIRE (found, error, INVALID_ARGUMENT, "No data chunk found in WAV");
  return TRUE;
}

static gboolean
infer_decode (FlowInferContext  *c,
              GError           **error)
{
  const gint64 channels = flow_infer_attr_int (c, "desired_channels");
  const gint64 samples = flow_infer_attr_int (c, "desired_samples");
  g_autoptr (FlowShape) scalar = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 0, &scalar, error))
    return FALSE;
  FLOW_REQUIRE (channels >= -1, error, INVALID_ARGUMENT, "channels must be non-negative, got %" G_GINT64_FORMAT, channels);
  FLOW_REQUIRE (samples >= -1, error, INVALID_ARGUMENT, "samples must be non-negative, got %" G_GINT64_FORMAT, samples);
  flow_infer_take_output (c, 0, flow_shape_new_matrix (samples, channels));
  flow_infer_take_output (c, 1, flow_shape_new_scalar ());
  return TRUE;
}

/* Channels that the file has not are its last one; samples, silence. */
static void
copy_samples (const Wav  *wav,
              FlowTensor *out)
{
  const gint64 n_channels = FLOW_DIMS (out)[1];
  float *cells = out->data;

  for (gint64 i = 0; i < FLOW_DIMS (out)[0]; i++)
    for (gint64 k = 0; k < n_channels; k++)
      {
        const gsize at = wav->samples + (gsize) (i * wav->n_channels + MIN (k, wav->n_channels - 1)) * 2;
        gint16 sample;

        *cells = 0;
        if (i < wav->n_frames)
          {
            memcpy (&sample, wav->text.bytes + at, sizeof sample);
            *cells = (float) GINT16_FROM_LE (sample) / 32768.0f;
          }
        cells++;
      }
}

static gboolean
decode_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensor *contents = flow_kernel_input (c, 0);
  const gint64 channels = flow_kernel_attr_int (c, "desired_channels");
  const gint64 samples = flow_kernel_attr_int (c, "desired_samples");
  Wav wav = { 0 };
  FlowTensor *rate;
  FlowTensor *out;

  if (!flow_is_scalar (contents))
    return _flow_refuse_shapes (error, contents, NULL, "contents must be scalar, got shape %s");
  wav.text = text_at (contents, 0);
  FLOW_REQUIRE (wav.text.length <= G_MAXINT32, error, INVALID_ARGUMENT, "WAV contents are too large for int: %" G_GSIZE_FORMAT,
                wav.text.length);
  if (!read_wav (&wav, error))
    return FALSE;
  FLOW_REQUIRE (channels >= -1 && samples >= -1, error, INVALID_ARGUMENT, "channels and samples must be non-negative");
  out = flow_kernel_allocate_dims (c, 0, 2, (gint64[]) { samples == -1 ? wav.n_frames : samples,
                                                         channels == -1 ? wav.n_channels : channels }, error);
  rate = out != NULL ? flow_kernel_allocate_dims (c, 1, 0, NULL, error) : NULL;
  if (rate == NULL)
    return FALSE;
  *FLOW_WRITABLE (gint32, rate) = (gint32) wav.sample_rate;
  copy_samples (&wav, out);
  return TRUE;
}

/* --- EncodeWav ------------------------------------------------------------------------------------------------- */

static gboolean
infer_encode (FlowInferContext  *c,
              GError           **error)
{
  g_autoptr (FlowShape) audio = NULL;
  g_autoptr (FlowShape) rate = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return flow_infer_with_rank (c, flow_infer_input (c, 0), 2, &audio, error) &&
         flow_infer_with_rank (c, flow_infer_input (c, 1), 0, &rate, error) && flow_infer_scalar_shape (c, error);
}

static gboolean
encode_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensor *audio = flow_kernel_input (c, 0);
  const FlowTensor *rate = flow_kernel_input (c, 1);
  FlowTensor *out;
  GBytes *bytes;

  if (FLOW_RANK (audio) != 2)
    return _flow_refuse_shapes (error, audio, NULL, "audio must be 2-dimensional%s");
  if (!flow_is_scalar (rate))
    return _flow_refuse_shapes (error, rate, NULL, "Input sample_rate should be a scalar tensor, got %s instead.");
  FLOW_REQUIRE (audio->n_elements <= G_MAXINT32, error, INVALID_ARGUMENT,
                "Cannot encode audio with >= max int32 elements");
  FLOW_REQUIRE (*FLOW_DATA (gint32, rate) > 0, error, INVALID_ARGUMENT, "sample_rate must be in (0, 2^32), got: %"
                G_GUINT64_FORMAT, (guint64) (gint64) *FLOW_DATA (gint32, rate));
  if ((out = flow_kernel_allocate_dims (c, 0, 0, NULL, error)) == NULL)
    return FALSE;
  bytes = _flow_encode_wav (audio->data, FLOW_DIMS (audio)[0], FLOW_DIMS (audio)[1], (guint32) *FLOW_DATA (gint32, rate), error);
  if (bytes == NULL)
    return FALSE;
  flow_tensor_take_string (out, 0, bytes);
  return TRUE;
}

/* --- AudioSpectrogram ---------------------------------------------------------------------------------------------- */

static gint64
next_power (gint64 n)
{
  gint64 power = 1;

  while (power < n)
    power *= 2;
  return power;
}

static gboolean
infer_spectrogram (FlowInferContext  *c,
                   GError           **error)
{
  const gint64 window = flow_infer_attr_int (c, "window_size");
  const gint64 stride = flow_infer_attr_int (c, "stride");
  g_autoptr (FlowShape) in = NULL;
  gint64 n;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 2, &in, error))
    return FALSE;
  n = flow_shape_get_dim (in, 0);
  if (window < 2 || window > G_MAXINT32 || stride < 1)
    return flow_infer_unknown_shape (c, error);
  flow_infer_take_output (c, 0, flow_shape_new (3, (gint64[]) {
    flow_shape_get_dim (in, 1), n < 0 ? FLOW_DIM_UNKNOWN : n < window ? 0 : 1 + (n - window) / stride,
    1 + next_power (window) / 2 }));
  return TRUE;
}

typedef struct {
  const float *in;             /* [samples][channels] */
  float *out;                  /* [channels][frames][frequencies] */
  const FlowFft *fft;
  const double *taper;
  gint64 n_channels;
  gint64 n_samples;
  gint64 n_frames;
  gint64 window;
  gint64 stride;
  gint64 n_fft;
  gboolean squared;
  gint failed;
} Spectrogram;

/* TF 1.15 reads one channel after the other as one stream: windows go on from the end of one into the
 * next, and belong to the channel they end in. Of one channel that is what anybody expects. */
static double
stream_sample (const Spectrogram *self,
               gint64             i)
{
  return (double) self->in[i % self->n_samples * self->n_channels + i / self->n_samples];
}

/* The first window that ends after the channels before @channel. */
static gint64
first_window (const Spectrogram *self,
              gint64             channel)
{
  const gint64 before = channel * self->n_samples - self->window;

  return before < 0 ? 0 : before / self->stride + 1;
}

static void
run_frames (gint64   begin,
            gint64   end,
            gpointer data)
{
  Spectrogram *job = data;
  const gint64 n_out = job->n_fft / 2 + 1;
  g_autofree double complex *line = g_try_new (double complex, (gsize) job->n_fft + _flow_fft_n_scratch (job->fft));

  if (line == NULL)
    {
      g_atomic_int_set (&job->failed, 1);
      return;
    }
  for (gint64 i = begin; i < end; i++)
    {
      const gint64 channel = i / job->n_frames;
      const gint64 start = (first_window (job, channel) + i % job->n_frames) * job->stride;

      for (gint64 k = 0; k < job->n_fft; k++)
        line[k] = k < job->window ? stream_sample (job, start + k) * job->taper[k] : 0;
      _flow_fft_run (job->fft, line, line + job->n_fft);
      for (gint64 k = 0; k < n_out; k++)
        {
          const double power = creal (line[k]) * creal (line[k]) + cimag (line[k]) * cimag (line[k]);

          job->out[i * n_out + k] = (float) (job->squared ? power : sqrt (power));
        }
    }
}

static gboolean
spectrogram_compute (FlowKernelContext  *c,
                     GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  g_autofree double *taper = NULL;
  g_autoptr (FlowFft) fft = NULL;
  Spectrogram job = { .window = flow_kernel_attr_int (c, "window_size"), .stride = flow_kernel_attr_int (c, "stride"),
                      .squared = flow_kernel_attr_bool (c, "magnitude_squared") };
  FlowTensor *out;

  if (FLOW_RANK (in) != 2)
    return _flow_refuse_shapes (error, in, NULL, "input must be 2-dimensional%s");
  FLOW_REQUIRE (job.window >= 2 && job.window <= (1 << 28) && job.stride >= 1, error, INVALID_ARGUMENT,
                "Spectrogram initialization failed for window size %" G_GINT64_FORMAT " and stride %" G_GINT64_FORMAT,
                job.window, job.stride);
  job.n_channels = FLOW_DIMS (in)[1];
  job.n_samples = FLOW_DIMS (in)[0];
  job.n_frames = job.n_samples < job.window ? 0 : 1 + (job.n_samples - job.window) / job.stride;
  for (gint64 i = 0; i < job.n_channels && job.n_samples > 0; i++)
    {
      const gint64 n = first_window (&job, i + 1) - first_window (&job, i);

      FLOW_REQUIRE (n == job.n_frames, error, INVALID_ARGUMENT, "Spectrogram size calculation failed: Expected height %"
                    G_GINT64_FORMAT " but got %" G_GINT64_FORMAT, job.n_frames, n);
    }
  job.n_fft = next_power (job.window);
  out = flow_kernel_allocate_dims (c, 0, 3, (gint64[]) { job.n_channels, job.n_frames, job.n_fft / 2 + 1 }, error);
  if (out == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  taper = g_try_new (double, (gsize) job.window);
  FLOW_REQUIRE (taper != NULL, error, RESOURCE_EXHAUSTED, "OOM when making a spectrogram");
  /* Hann's window, periodic. */
  for (gint64 i = 0; i < job.window; i++)
    taper[i] = 0.5 - 0.5 * cos (2 * G_PI * (double) i / (double) job.window);
  if ((fft = _flow_fft_new (job.n_fft, FALSE, error)) == NULL)
    return FALSE;
  job.in = in->data;
  job.out = out->data;
  job.fft = fft;
  job.taper = taper;
  flow_parallel_for (job.n_channels * job.n_frames, 1 + 4096 / job.n_fft, run_frames, &job);
  FLOW_REQUIRE (g_atomic_int_get (&job.failed) == 0, error, RESOURCE_EXHAUSTED, "OOM when making a spectrogram");
  return TRUE;
}

/* --- Mfcc -------------------------------------------------------------------------------------------------------------- */

/* A logarithm of less than this says nothing. */
#define FILTER_FLOOR 1e-12

typedef struct {
  gint64 n_in;                 /* frequencies of the spectrogram */
  gint64 n_filters;
  gint64 n_out;
  gint64 first;                /* the frequencies that count */
  gint64 last;
  gboolean reaches;            /* the spectrogram has them all */
  gint64 *filters;             /* [in]: the filter below each frequency, -1 none */
  double *weights;             /* [in]: its share */
  double *cosines;             /* [out][filters] */
} Mfcc;

static void
mfcc_clear (Mfcc *self)
{
  g_free (self->filters);
  g_free (self->weights);
  g_free (self->cosines);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Mfcc, mfcc_clear)

/* Pitch as people hear it. */
static double
to_mel (double frequency)
{
  return 1127.0 * log1p (frequency / 700.0);
}

/* Triangles over the frequencies, evenly spaced by ear. */
static void
place_filters (Mfcc   *self,
               double  sample_rate,
               double  lower,
               double  upper)
{
  const double low = to_mel (lower);
  const double spacing = (to_mel (upper) - low) / (double) (self->n_filters + 1);
  const double per_bin = 0.5 * sample_rate / (double) (self->n_in - 1);

  self->first = (gint64) MIN (1.5 + lower / per_bin, (double) self->n_in);
  self->last = (gint64) MIN (upper / per_bin, (double) (self->n_in - 1));
  self->reaches = upper / per_bin < (double) self->n_in;
  for (gint64 i = self->first; i <= self->last; i++)
    {
      const double mel = to_mel ((double) i * per_bin);
      gint64 filter = 0;

      /* The first of the filters' centers that is not below. */
      while (filter < self->n_filters && low + spacing * (double) (filter + 1) < mel)
        filter++;
      self->filters[i] = filter - 1;
      self->weights[i] = (low + spacing * (double) (filter + 1) - mel) / spacing;
    }
}

static gboolean
mfcc_init (Mfcc     *self,
           double    sample_rate,
           double    lower,
           double    upper,
           GError  **error)
{
  gint64 n_cosines;

  FLOW_REQUIRE (self->n_filters >= 1 && self->n_filters <= (1 << 24) && sample_rate > 0 && self->n_in >= 2 && lower >= 0 &&
                upper > lower && isfinite (upper) && self->n_out >= 1 && self->n_out <= self->n_filters, error,
                INVALID_ARGUMENT, "Mfcc initialization failed for channel count %" G_GINT64_FORMAT " and sample rate %s",
                self->n_in, _flow_double_text (sample_rate).text);
  FLOW_REQUIRE (flow_mul_int64 (self->n_out, self->n_filters, &n_cosines) && n_cosines <= G_MAXINT32, error,
                RESOURCE_EXHAUSTED, "OOM when making filters");
  self->filters = g_try_new (gint64, (gsize) self->n_in);
  self->weights = g_try_new (double, (gsize) self->n_in);
  self->cosines = g_try_new (double, (gsize) n_cosines);
  FLOW_REQUIRE (self->filters != NULL && self->weights != NULL && self->cosines != NULL, error, RESOURCE_EXHAUSTED,
                "OOM when making filters");
  place_filters (self, sample_rate, lower, upper);
  for (gint64 i = 0; i < self->n_out; i++)
    for (gint64 j = 0; j < self->n_filters; j++)
      self->cosines[i * self->n_filters + j] = sqrt (2.0 / (double) self->n_filters) *
                                               cos ((double) i * G_PI / (double) self->n_filters * ((double) j + 0.5));
  return TRUE;
}

static void
mfcc_run (const Mfcc  *self,
          const float *in,
          double      *filtered,
          float       *out)
{
  memset (filtered, 0, (gsize) self->n_filters * sizeof *filtered);
  for (gint64 i = self->first; i <= self->last; i++)
    {
      const double amplitude = sqrt ((double) in[i]);
      const double share = amplitude * self->weights[i];
      const gint64 filter = self->filters[i];

      if (filter >= 0)
        filtered[filter] += share;
      if (filter + 1 < self->n_filters)
        filtered[filter + 1] += amplitude - share;
    }
  for (gint64 k = 0; k < self->n_filters; k++)
    filtered[k] = log (filtered[k] < FILTER_FLOOR ? FILTER_FLOOR : filtered[k]);
  for (gint64 i = 0; i < self->n_out; i++)
    {
      double sum = 0;

      for (gint64 k = 0; k < self->n_filters; k++)
        sum += self->cosines[i * self->n_filters + k] * filtered[k];
      out[i] = (float) sum;
    }
}

static gboolean
infer_mfcc (FlowInferContext  *c,
            GError           **error)
{
  g_autoptr (FlowShape) in = NULL;
  g_autoptr (FlowShape) rate = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 3, &in, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 1), 0, &rate, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new (3, (gint64[]) {
    flow_shape_get_dim (in, 0), flow_shape_get_dim (in, 1),
    MAX (flow_infer_attr_int (c, "dct_coefficient_count"), FLOW_DIM_UNKNOWN) }));
  return TRUE;
}

static gboolean
mfcc_compute (FlowKernelContext  *c,
              GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  const FlowTensor *rate = flow_kernel_input (c, 1);
  g_autofree double *filtered = NULL;
  g_auto (Mfcc) self = { .n_filters = flow_kernel_attr_int (c, "filterbank_channel_count"),
                         .n_out = flow_kernel_attr_int (c, "dct_coefficient_count") };
  FlowTensor *out;
  gint64 n_rows;

  if (FLOW_RANK (in) != 3)
    return _flow_refuse_shapes (error, in, NULL, "spectrogram must be 3-dimensional%s");
  if (!flow_is_scalar (rate))
    return _flow_refuse_shapes (error, rate, NULL, "Input sample_rate should be a scalar tensor, got %s instead.");
  self.n_in = FLOW_DIMS (in)[2];
  if (!mfcc_init (&self, (double) *FLOW_DATA (gint32, rate), (double) flow_kernel_attr_float (c, "lower_frequency_limit"),
                  (double) flow_kernel_attr_float (c, "upper_frequency_limit"), error))
    return FALSE;
  out = flow_kernel_allocate_dims (c, 0, 3, (gint64[]) { FLOW_DIMS (in)[0], FLOW_DIMS (in)[1], self.n_out }, error);
  filtered = g_try_new (double, (gsize) self.n_filters);
  if (out == NULL)
    return FALSE;
  FLOW_REQUIRE (filtered != NULL, error, RESOURCE_EXHAUSTED, "OOM when making filters");
  n_rows = FLOW_DIMS (in)[0] * FLOW_DIMS (in)[1];
  /* TF: frequencies beyond the spectrogram's end give nothing. */
  if (!self.reaches)
    {
      if (out->n_bytes > 0)
        memset (out->data, 0, out->n_bytes);
      return TRUE;
    }
  for (gint64 i = 0; i < n_rows; i++)
    {
      if ((i & 1023) == 1023 && g_cancellable_set_error_if_cancelled (c->cancellable, error))
        return FALSE;
      mfcc_run (&self, FLOW_DATA (float, in) + i * self.n_in, filtered, FLOW_WRITABLE (float, out) + i * self.n_out);
    }
  return TRUE;
}

/* --- the table ------------------------------------------------------------------------------------------------------------ */

static const FlowKernelDef spectrogram_kernels[] = { { NULL, spectrogram_compute }, { NULL } };
static const FlowKernelDef decode_kernels[] = { { NULL, decode_compute }, { NULL } };
static const FlowKernelDef encode_kernels[] = { { NULL, encode_compute }, { NULL } };
static const FlowKernelDef mfcc_kernels[] = { { NULL, mfcc_compute }, { NULL } };

static const FlowOpDef ops[] = {
  { .name = "AudioSpectrogram", .inputs = "input: float", .outputs = "spectrogram: float",
    .attrs = "window_size: int; stride: int; magnitude_squared: bool = false",
    .summary = "How loud each frequency of a sound is over time", .family = FLOW_OP_FAMILY_MATH,
    .infer = infer_spectrogram, .kernels = spectrogram_kernels },
  { .name = "DecodeWav", .inputs = "contents: string", .outputs = "audio: float; sample_rate: int32",
    .attrs = "desired_channels: int = -1; desired_samples: int = -1", .summary = "The samples of a WAV file",
    .family = FLOW_OP_FAMILY_IO, .infer = infer_decode, .kernels = decode_kernels },
  { .name = "EncodeWav", .inputs = "audio: float; sample_rate: int32", .outputs = "contents: string", .attrs = "",
    .summary = "Samples as a WAV file", .family = FLOW_OP_FAMILY_IO, .infer = infer_encode, .kernels = encode_kernels },
  { .name = "Mfcc", .inputs = "spectrogram: float; sample_rate: int32", .outputs = "output: float",
    .attrs = "upper_frequency_limit: float = 4000; lower_frequency_limit: float = 20; "
             "filterbank_channel_count: int = 40; dct_coefficient_count: int = 13",
    .summary = "A spectrogram as the few numbers that speech is told by", .family = FLOW_OP_FAMILY_MATH,
    .infer = infer_mfcc, .kernels = mfcc_kernels },
};

FLOW_DEFINE_OP_FAMILY (audio, ops)
