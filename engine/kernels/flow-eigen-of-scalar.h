/* flow-eigen-of-scalar.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

/* Eigenvalues and eigenvectors of a self-adjoint matrix for one type of number: to tridiagonal form by
 * Householder reflections, then implicit QR steps. Included once for each type, with SCALAR, REAL (its
 * parts), OF (name), the functions of <complex.h> or <math.h> for it (CONJ, RE, IM, MATH (name)), EPSILON
 * and SMALLEST defined. The signs of eigenvectors hang on each choice here: they are TF's. */

static REAL
OF (square) (SCALAR x)
{
  return RE (x) * RE (x) + IM (x) * IM (x);
}

/* The reflection I - tau v v^H that takes x to (beta, 0, ...); v is (1, x[1], ...) afterwards. */
static void
OF (make_reflection) (SCALAR *x,
                      int     n,
                      SCALAR *tau,
                      REAL   *beta)
{
  REAL tail = 0;

  for (int i = 1; i < n; i++)
    tail += OF (square) (x[i]);
  if (tail <= SMALLEST && IM (x[0]) * IM (x[0]) <= SMALLEST)
    {
      *tau = 0;
      *beta = RE (x[0]);
      for (int i = 1; i < n; i++)
        x[i] = 0;
      return;
    }
  *beta = MATH (sqrt) (OF (square) (x[0]) + tail);
  if (RE (x[0]) >= 0)
    *beta = -*beta;
  for (int i = 1; i < n; i++)
    x[i] /= x[0] - *beta;
  *tau = CONJ ((*beta - x[0]) / *beta);
}

/* y = A x for the lower triangle of a self-adjoint A whose columns lie @stride apart. */
static void
OF (multiply) (const SCALAR *a,
               int           stride,
               int           n,
               const SCALAR *x,
               SCALAR        factor,
               SCALAR       *y)
{
  memset (y, 0, sizeof (SCALAR) * (gsize) n);
  for (int j = 0; j < n; j++)
    {
      const SCALAR *column = a + (gsize) j * (gsize) stride;
      SCALAR scaled = factor * x[j];
      SCALAR sum = 0;

      y[j] += RE (column[j]) * scaled;
      for (int i = j + 1; i < n; i++)
        {
          y[i] += column[i] * scaled;
          sum += CONJ (column[i]) * x[i];
        }
      y[j] += factor * sum;
    }
}

/* A = Q T Q^H: @a keeps the vectors of the reflections below its diagonals, @taus their factors. */
static void
OF (to_tridiagonal) (SCALAR *a,
                     int     n,
                     REAL   *diagonal,
                     REAL   *below,
                     SCALAR *taus,
                     SCALAR *space)
{
  for (int i = 0; i < n - 1; i++)
    {
      int rest = n - i - 1;
      SCALAR *v = a + (gsize) i * (gsize) n + i + 1;
      SCALAR *corner = a + (gsize) (i + 1) * (gsize) n + i + 1;
      SCALAR dot = 0;

      OF (make_reflection) (v, rest, &taus[i], &below[i]);
      v[0] = 1;
      OF (multiply) (corner, n, rest, v, CONJ (taus[i]), space);
      for (int k = 0; k < rest; k++)
        dot += CONJ (space[k]) * v[k];
      dot *= CONJ (taus[i]) * (REAL) -0.5;
      for (int k = 0; k < rest; k++)
        space[k] += dot * v[k];
      for (int j = 0; j < rest; j++)
        for (int k = j; k < rest; k++)
          corner[(gsize) j * (gsize) n + k] -= v[k] * CONJ (space[j]) + space[k] * CONJ (v[j]);
      v[0] = below[i];
    }
  for (int i = 0; i < n; i++)
    diagonal[i] = RE (a[(gsize) i * (gsize) n + i]);
}

/* Q in place of the reflections that make it. */
static void
OF (form_q) (SCALAR       *a,
             int           n,
             const SCALAR *taus)
{
  for (int j = 0; j < n; j++)
    {
      for (int i = 0; i < j; i++)
        a[(gsize) j * (gsize) n + i] = 0;
      a[(gsize) j * (gsize) n + j] = 1;
    }
  for (int k = n - 2; k >= 0; k--)
    {
      int rest = n - k - 1;
      SCALAR *v = a + (gsize) k * (gsize) n + k + 1;
      SCALAR tau = CONJ (taus[k]);

      v[0] = 1;
      for (int j = 0; j < rest; j++)
        {
          SCALAR *column = a + (gsize) (k + 1 + j) * (gsize) n + k + 1;
          SCALAR dot = 0;

          for (int i = 0; i < rest; i++)
            dot += CONJ (v[i]) * column[i];
          dot *= tau;
          for (int i = 0; i < rest; i++)
            column[i] -= dot * v[i];
        }
      memset (v, 0, sizeof (SCALAR) * (gsize) rest);
    }
}

static void
OF (make_rotation) (REAL  p,
                    REAL  q,
                    REAL *c,
                    REAL *s)
{
  REAL t;
  REAL u;

  if (q == 0)
    {
      *c = p < 0 ? -1 : 1;
      *s = 0;
    }
  else if (p == 0)
    {
      *c = 0;
      *s = q < 0 ? 1 : -1;
    }
  else if (MATH (fabs) (p) > MATH (fabs) (q))
    {
      t = q / p;
      u = MATH (sqrt) (1 + t * t);
      *c = 1 / (p < 0 ? -u : u);
      *s = -t * *c;
    }
  else
    {
      t = p / q;
      u = MATH (sqrt) (1 + t * t);
      *s = -1 / (q < 0 ? -u : u);
      *c = -t * *s;
    }
}

/* Wilkinson's shift for the block that ends at @end. */
static REAL
OF (choose_shift) (const REAL *diagonal,
                   const REAL *below,
                   int         end)
{
  REAL td = (diagonal[end - 1] - diagonal[end]) * (REAL) 0.5;
  REAL e = below[end - 1];
  REAL h;

  if (td == 0)
    return diagonal[end] - MATH (fabs) (e);
  h = MATH (hypot) (td, e);
  if (e * e == 0)
    return diagonal[end] - (e / (td + (td > 0 ? 1 : -1))) * (e / h);
  return diagonal[end] - e * e / (td + (td > 0 ? h : -h));
}

/* One implicit step on the unreduced block from @start to @end. */
static void
OF (step) (REAL   *diagonal,
           REAL   *below,
           int     start,
           int     end,
           SCALAR *vectors,
           int     n)
{
  REAL x = diagonal[start] - OF (choose_shift) (diagonal, below, end);
  REAL z = below[start];

  for (int k = start; k < end; k++)
    {
      REAL c;
      REAL s;
      REAL sdk;
      REAL dkp1;

      OF (make_rotation) (x, z, &c, &s);
      sdk = s * diagonal[k] + c * below[k];
      dkp1 = s * below[k] + c * diagonal[k + 1];
      diagonal[k] = c * (c * diagonal[k] - s * below[k]) - s * (c * below[k] - s * diagonal[k + 1]);
      diagonal[k + 1] = s * sdk + c * dkp1;
      below[k] = c * sdk - s * dkp1;
      if (k > start)
        below[k - 1] = c * below[k - 1] - s * z;
      x = below[k];
      if (k < end - 1)
        {
          z = -s * below[k + 1];
          below[k + 1] = c * below[k + 1];
        }
      for (int i = 0; vectors != NULL && i < n; i++)
        {
          SCALAR *p = vectors + (gsize) k * (gsize) n + i;
          SCALAR *q = p + n;
          SCALAR old = *p;

          *p = c * old - s * *q;
          *q = s * old + c * *q;
        }
    }
}

/* FALSE if the steps do not come to an end. */
static gboolean
OF (diagonalise) (REAL   *diagonal,
                  REAL   *below,
                  SCALAR *vectors,
                  int     n)
{
  int end = n - 1;
  int start = 0;

  for (gint64 n_steps = 1; end > 0; n_steps++)
    {
      for (int i = start; i < end; i++)
        if (MATH (fabs) (below[i]) <= (MATH (fabs) (diagonal[i]) + MATH (fabs) (diagonal[i + 1])) * 2 * EPSILON
            || MATH (fabs) (below[i]) <= SMALLEST)
          below[i] = 0;
      while (end > 0 && below[end - 1] == 0)
        end--;
      if (end <= 0)
        break;
      if (n_steps > (gint64) MAX_STEPS * n)
        return FALSE;
      start = end - 1;
      while (start > 0 && below[start - 1] != 0)
        start--;
      OF (step) (diagonal, below, start, end, vectors, n);
    }
  return TRUE;
}

/* The smallest first. */
static void
OF (sort) (REAL   *values,
           SCALAR *vectors,
           int     n)
{
  for (int i = 0; i < n - 1; i++)
    {
      int least = i;
      REAL value;

      for (int k = i + 1; k < n; k++)
        if (values[k] < values[least])
          least = k;
      if (least == i)
        continue;
      value = values[i];
      values[i] = values[least];
      values[least] = value;
      for (int k = 0; vectors != NULL && k < n; k++)
        {
          SCALAR old = vectors[(gsize) i * (gsize) n + k];

          vectors[(gsize) i * (gsize) n + k] = vectors[(gsize) least * (gsize) n + k];
          vectors[(gsize) least * (gsize) n + k] = old;
        }
    }
}

/* As FlowLapack's eigen. */
static int
OF (eigen) (gboolean  wanted,
            int       n,
            SCALAR   *a,
            REAL     *values)
{
  g_autofree SCALAR *space = g_try_new (SCALAR, 2 * (gsize) n);
  g_autofree REAL *below = g_try_new (REAL, (gsize) n);
  REAL scale = 0;

  if (space == NULL || below == NULL)
    return FLOW_LAPACK_NO_MEMORY;
  if (n == 1)
    {
      values[0] = RE (a[0]);
      a[0] = 1;
      return 0;
    }
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++)
      scale = MAX (scale, MATH (sqrt) (OF (square) (a[(gsize) j * (gsize) n + i])));
  if (scale == 0)
    scale = 1;
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++)
      a[(gsize) j * (gsize) n + i] /= scale;
  OF (to_tridiagonal) (a, n, values, below, space, space + n);
  if (wanted)
    OF (form_q) (a, n, space);
  if (!OF (diagonalise) (values, below, wanted ? a : NULL, n))
    return 1;
  OF (sort) (values, wanted ? a : NULL, n);
  for (int i = 0; i < n; i++)
    values[i] *= scale;
  return 0;
}
