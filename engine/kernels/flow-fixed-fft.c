/* flow-fixed-fft.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-fixed-fft-private.h"

#include <math.h>

#define FRACTION_BITS 15
#define LARGEST 32767

struct _FlowFixedFft
{
  guint n;                     /* complex numbers: two real ones each */
  FlowFixedComplex *turns;     /* of the whole circle, in n steps */
  FlowFixedComplex *halves;    /* that part what two transforms in one have mixed */
  FlowFixedComplex *work;
};

/* --- numbers --------------------------------------------------------------------------------------------------------- */

static gint16
round_product (gint32 x)
{
  return (gint16) ((gint32) ((guint32) x + (1u << (FRACTION_BITS - 1))) >> FRACTION_BITS);
}

static gint16
divide (gint16 x,
        gint16 by)
{
  return round_product ((gint32) x * (LARGEST / by));
}

static FlowFixedComplex
divide_complex (FlowFixedComplex x,
                gint16           by)
{
  return (FlowFixedComplex) { divide (x.re, by), divide (x.im, by) };
}

static FlowFixedComplex
multiply (FlowFixedComplex a,
          FlowFixedComplex b)
{
  const guint32 re = (guint32) ((gint32) a.re * b.re) - (guint32) ((gint32) a.im * b.im);
  const guint32 im = (guint32) ((gint32) a.re * b.im) + (guint32) ((gint32) a.im * b.re);

  return (FlowFixedComplex) { round_product ((gint32) re), round_product ((gint32) im) };
}

static FlowFixedComplex
add (FlowFixedComplex a,
     FlowFixedComplex b)
{
  return (FlowFixedComplex) { (gint16) (a.re + b.re), (gint16) (a.im + b.im) };
}

static FlowFixedComplex
subtract (FlowFixedComplex a,
          FlowFixedComplex b)
{
  return (FlowFixedComplex) { (gint16) (a.re - b.re), (gint16) (a.im - b.im) };
}

static FlowFixedComplex
turn (double phase)
{
  return (FlowFixedComplex) { (gint16) floor (.5 + LARGEST * cos (phase)), (gint16) floor (.5 + LARGEST * sin (phase)) };
}

/* --- the transform --------------------------------------------------------------------------------------------------- */

FlowFixedFft *
_flow_fixed_fft_new (guint n)
{
  FlowFixedFft *self = g_new0 (FlowFixedFft, 1);

  self->n = n / 2;
  self->turns = g_new (FlowFixedComplex, self->n);
  self->halves = g_new (FlowFixedComplex, self->n / 2 + 1);
  self->work = g_new (FlowFixedComplex, self->n);
  for (guint i = 0; i < self->n; i++)
    self->turns[i] = turn (-2 * G_PI * i / self->n);
  for (guint i = 0; i < self->n / 2; i++)
    self->halves[i] = turn (-G_PI * ((double) (i + 1) / self->n + .5));
  return self;
}

void
_flow_fixed_fft_free (FlowFixedFft *self)
{
  g_free (self->turns);
  g_free (self->halves);
  g_free (self->work);
  g_free (self);
}

static void
join_two (const FlowFixedFft *self,
          FlowFixedComplex   *x,
          guint               m,
          guint               stride)
{
  for (guint i = 0; i < m; i++)
    {
      const FlowFixedComplex a = divide_complex (x[i], 2);
      const FlowFixedComplex b = multiply (divide_complex (x[i + m], 2), self->turns[i * stride]);

      x[i] = add (a, b);
      x[i + m] = subtract (a, b);
    }
}

static void
join_four (const FlowFixedFft *self,
           FlowFixedComplex   *x,
           guint               m,
           guint               stride)
{
  for (guint i = 0; i < m; i++)
    {
      const FlowFixedComplex a = divide_complex (x[i], 4);
      const FlowFixedComplex b = multiply (divide_complex (x[i + m], 4), self->turns[i * stride]);
      const FlowFixedComplex c = multiply (divide_complex (x[i + 2 * m], 4), self->turns[2 * i * stride]);
      const FlowFixedComplex d = multiply (divide_complex (x[i + 3 * m], 4), self->turns[3 * i * stride]);
      const FlowFixedComplex even = subtract (a, c);
      const FlowFixedComplex odd = subtract (b, d);
      const FlowFixedComplex sum = add (b, d);

      x[i] = add (a, c);
      x[i + 2 * m] = subtract (x[i], sum);
      x[i] = add (x[i], sum);
      x[i + m] = (FlowFixedComplex) { (gint16) (even.re + odd.im), (gint16) (even.im - odd.re) };
      x[i + 3 * m] = (FlowFixedComplex) { (gint16) (even.re - odd.im), (gint16) (even.im + odd.re) };
    }
}

/* Every @stride-th of @in, @n of them, in parts of four as long as that goes. */
static void
transform (const FlowFixedFft     *self,
           const FlowFixedComplex *in,
           guint                   stride,
           guint                   n,
           FlowFixedComplex       *out)
{
  const guint parts = n % 4 == 0 ? 4 : 2;
  const guint m = n / parts;

  if (n == 1)
    {
      *out = *in;
      return;
    }
  for (guint i = 0; i < parts; i++)
    transform (self, in + i * stride, stride * parts, m, out + i * m);
  if (parts == 4)
    join_four (self, out, m, stride);
  else
    join_two (self, out, m, stride);
}

void
_flow_fixed_fft_run (FlowFixedFft     *self,
                     const gint16     *in,
                     FlowFixedComplex *out)
{
  const guint n = self->n;
  FlowFixedComplex first;

  /* Neighbours are taken for the parts of a complex number. */
  transform (self, (const FlowFixedComplex *) (gconstpointer) in, 1, n, self->work);
  first = divide_complex (self->work[0], 2);
  out[0] = (FlowFixedComplex) { (gint16) (first.re + first.im), 0 };
  out[n] = (FlowFixedComplex) { (gint16) (first.re - first.im), 0 };
  for (guint k = 1; k <= n / 2; k++)
    {
      const FlowFixedComplex near = divide_complex (self->work[k], 2);
      const FlowFixedComplex mirror = { self->work[n - k].re, (gint16) -self->work[n - k].im };
      const FlowFixedComplex far = divide_complex (mirror, 2);
      const FlowFixedComplex sum = add (near, far);
      const FlowFixedComplex turned = multiply (subtract (near, far), self->halves[k - 1]);

      out[k] = (FlowFixedComplex) { (gint16) ((sum.re + turned.re) >> 1), (gint16) ((sum.im + turned.im) >> 1) };
      out[n - k] = (FlowFixedComplex) { (gint16) ((sum.re - turned.re) >> 1), (gint16) ((turned.im - sum.im) >> 1) };
    }
}
