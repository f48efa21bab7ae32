/* flow-fft.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-fft-private.h"

#include <math.h>
#include <string.h>

/* A prime factor up to here is summed directly; a larger one goes by way of a convolution. */
#define MAX_RADIX 31
#define MAX_FACTORS 64
/* Beyond it the tables alone would not fit any machine. */
#define MAX_LENGTH (G_GINT64_CONSTANT (1) << 31)

struct _FlowFft {
  gint64 n;
  gboolean inverse;
  int n_factors;
  int factors[MAX_FACTORS];
  double complex *roots;       /* exp (-2 pi i k / n), conjugate for the inverse */
  /* By convolution (Bluestein): */
  gint64 m;                    /* a power of two, 0 where not needed */
  FlowFft *forward;            /* of length m */
  FlowFft *backward;
  double complex *chirp;       /* exp (-pi i k^2 / n) */
  double complex *filter;      /* the transform of its conjugate */
};

static FlowFft *
fail (FlowFft  *self,
      GError  **error)
{
  _flow_fft_free (self);
  g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "OOM when preparing a Fourier transform");
  return NULL;
}

/* exp (-+ 2 pi i k / n). */
static double complex
root (gint64   k,
      gint64   n,
      gboolean inverse)
{
  const double angle = (inverse ? 2 : -2) * G_PI * (double) k / (double) n;

  return CMPLX (cos (angle), sin (angle));
}

/* Fours first: they need the fewest products. FALSE if a prime is too large. */
static gboolean
factorize (FlowFft *self)
{
  gint64 rest = self->n;

  for (; rest % 4 == 0; rest /= 4)
    self->factors[self->n_factors++] = 4;
  for (int p = 2; p <= MAX_RADIX; p++)
    for (; rest % p == 0; rest /= p)
      self->factors[self->n_factors++] = p;
  return rest == 1;
}

static gboolean
prepare_convolution (FlowFft *self)
{
  double complex *scratch;

  for (self->m = 1; self->m < 2 * self->n - 1;)
    self->m *= 2;
  self->forward = _flow_fft_new (self->m, FALSE, NULL);
  self->backward = _flow_fft_new (self->m, TRUE, NULL);
  self->chirp = g_try_new (double complex, (gsize) self->n);
  self->filter = g_try_new0 (double complex, (gsize) self->m);
  scratch = g_try_new (double complex, (gsize) self->m);
  if (self->forward != NULL && self->backward != NULL && self->chirp != NULL && self->filter != NULL && scratch != NULL)
    {
      for (gint64 k = 0; k < self->n; k++)
        {
          /* k^2 modulo 2n keeps the angle small and exact. */
          self->chirp[k] = root ((gint64) ((guint64) k * (guint64) k % (guint64) (2 * self->n)), 2 * self->n, self->inverse);
          self->filter[k] = conj (self->chirp[k]);
          self->filter[(self->m - k) % self->m] = self->filter[k];
        }
      _flow_fft_run (self->forward, self->filter, scratch);
    }
  g_free (scratch);
  return scratch != NULL && self->chirp != NULL && self->filter != NULL && self->forward != NULL && self->backward != NULL;
}

FlowFft *
_flow_fft_new (gint64    n,
               gboolean  inverse,
               GError  **error)
{
  FlowFft *self = g_new0 (FlowFft, 1);

  self->n = n;
  self->inverse = inverse;
  if (n < 1 || n > MAX_LENGTH)
    return fail (self, error);
  if (!factorize (self))
    return prepare_convolution (self) ? self : fail (self, error);
  self->roots = g_try_new (double complex, (gsize) n);
  if (self->roots == NULL)
    return fail (self, error);
  for (gint64 k = 0; k < n; k++)
    self->roots[k] = root (k, n, inverse);
  return self;
}

void
_flow_fft_free (FlowFft *self)
{
  if (self->forward != NULL)
    _flow_fft_free (self->forward);
  if (self->backward != NULL)
    _flow_fft_free (self->backward);
  g_free (self->roots);
  g_free (self->chirp);
  g_free (self->filter);
  g_free (self);
}

gsize
_flow_fft_n_scratch (const FlowFft *self)
{
  return self->m > 0 ? (gsize) self->m * 2 : (gsize) self->n;
}

/* One pass: length @n falls into p lengths of n / p; @stride results of earlier passes lie side by side. */
static void
pass_2 (const FlowFft        *self,
        gint64                n,
        gint64                stride,
        const double complex *x,
        double complex       *y)
{
  const gint64 m = n / 2;

  for (gint64 j = 0; j < m; j++)
    {
      const double complex w = self->roots[j * stride];

      for (gint64 q = 0; q < stride; q++)
        {
          const double complex a = x[q + stride * j];
          const double complex b = x[q + stride * (j + m)];

          y[q + stride * 2 * j] = a + b;
          y[q + stride * (2 * j + 1)] = (a - b) * w;
        }
    }
}

static void
pass_4 (const FlowFft        *self,
        gint64                n,
        gint64                stride,
        const double complex *x,
        double complex       *y)
{
  const double complex turn = self->inverse ? I : -I;
  const gint64 m = n / 4;

  for (gint64 j = 0; j < m; j++)
    {
      const double complex w1 = self->roots[j * stride];
      const double complex w2 = self->roots[2 * j * stride];
      const double complex w3 = self->roots[3 * j * stride];

      for (gint64 q = 0; q < stride; q++)
        {
          const double complex a = x[q + stride * j];
          const double complex b = x[q + stride * (j + m)];
          const double complex c = x[q + stride * (j + 2 * m)];
          const double complex d = x[q + stride * (j + 3 * m)];
          const double complex cross = turn * (b - d);

          y[q + stride * 4 * j] = (a + c) + (b + d);
          y[q + stride * (4 * j + 1)] = ((a - c) + cross) * w1;
          y[q + stride * (4 * j + 2)] = ((a + c) - (b + d)) * w2;
          y[q + stride * (4 * j + 3)] = ((a - c) - cross) * w3;
        }
    }
}

static void
pass_any (const FlowFft        *self,
          int                   p,
          gint64                n,
          gint64                stride,
          const double complex *x,
          double complex       *y)
{
  const gint64 m = n / p;
  const gint64 turn = self->n / p;

  for (gint64 j = 0; j < m; j++)
    for (gint64 q = 0; q < stride; q++)
      for (int k = 0; k < p; k++)
        {
          double complex sum = x[q + stride * j];

          for (int r = 1; r < p; r++)
            sum += x[q + stride * (j + m * r)] * self->roots[r * k % p * turn];
          y[q + stride * (p * j + k)] = sum * self->roots[j * k * stride];
        }
}

static void
run_convolution (const FlowFft  *self,
                 double complex *data,
                 double complex *scratch)
{
  double complex *line = scratch;

  memset (line, 0, (gsize) self->m * sizeof *line);
  for (gint64 k = 0; k < self->n; k++)
    line[k] = data[k] * self->chirp[k];
  _flow_fft_run (self->forward, line, scratch + self->m);
  for (gint64 k = 0; k < self->m; k++)
    line[k] *= self->filter[k];
  _flow_fft_run (self->backward, line, scratch + self->m);
  for (gint64 k = 0; k < self->n; k++)
    data[k] = line[k] * self->chirp[k] / (double) self->m;
}

void
_flow_fft_run (const FlowFft  *self,
               double complex *data,
               double complex *scratch)
{
  double complex *x = data;
  double complex *y = scratch;
  gint64 n = self->n;
  gint64 stride = 1;

  if (self->m > 0)
    {
      run_convolution (self, data, scratch);
      return;
    }
  for (int i = 0; i < self->n_factors; i++)
    {
      const int p = self->factors[i];
      double complex *done = y;

      if (p == 2)
        pass_2 (self, n, stride, x, y);
      else if (p == 4)
        pass_4 (self, n, stride, x, y);
      else
        pass_any (self, p, n, stride, x, y);
      y = x;
      x = done;
      n /= p;
      stride *= p;
    }
  if (x != data)
    memcpy (data, x, (gsize) self->n * sizeof *data);
}
