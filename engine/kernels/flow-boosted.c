/* flow-boosted.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-boosted-private.h"

#include "flow-array-private.h"
#include "flow-step-private.h"

#include <float.h>
#include <math.h>

/* More classes than a matrix of them can be solved for in a person's time. */
#define MAX_LOGITS 2048

/* --- weights of leaves --------------------------------------------------------------------------------------- */

static float
column_norm (const float *column,
             guint        from,
             guint        n)
{
  float sum = 0;

  for (guint i = from; i < n; i++)
    sum += column[i] * column[i];
  return sqrtf (sum);
}

/* Turns column @k of @a below the diagonal to nothing, and everything to its right and @b with it. */
static void
reflect (float *a,
         guint  n,
         guint  k,
         float *b)
{
  float *column = a + k * n;
  const float head = column[k];
  const float tail = column_norm (column, k + 1, n);
  float beta;
  float tau;

  if (tail * tail <= FLT_MIN)
    return;
  beta = head >= 0 ? -sqrtf (head * head + tail * tail) : sqrtf (head * head + tail * tail);
  tau = (beta - head) / beta;
  for (guint i = k + 1; i < n; i++)
    column[i] /= head - beta;
  column[k] = beta;
  for (guint j = k + 1; j <= n; j++)
    {
      float *other = j < n ? a + j * n : b;
      float dot = other[k];

      for (guint i = k + 1; i < n; i++)
        dot += column[i] * other[i];
      other[k] -= tau * dot;
      for (guint i = k + 1; i < n; i++)
        other[i] -= tau * dot * column[i];
    }
}

static void
swap_columns (float *a,
              guint  n,
              guint  i,
              guint  j)
{
  for (guint k = 0; k < n && i != j; k++)
    {
      float x = a[i * n + k];

      a[i * n + k] = a[j * n + k];
      a[j * n + k] = x;
    }
}

/* TF: by Householder reflections, the largest column first; what is left below rounding counts as nothing, so that
 * a matrix without an inverse has a solution too. @a by columns; both are written over, @x is what solves. */
static void
solve_pivoted (float *a,
               float *b,
               float *x,
               guint *order,
               guint  n)
{
  float largest = 0;
  guint rank = n;

  for (guint j = 0; j < n; j++)
    {
      order[j] = j;
      largest = MAX (largest, column_norm (a + j * n, 0, n));
    }
  for (guint k = 0; k < n; k++)
    {
      const float threshold = largest * FLT_EPSILON / (float) n;
      float best = -1;
      guint at = k;
      guint o;

      for (guint j = k; j < n; j++)
        {
          const float norm = column_norm (a + j * n, k, n);

          if (norm > best)
            {
              best = norm;
              at = j;
            }
        }
      if (rank == n && best * best < threshold * threshold * (float) (n - k))
        rank = k;
      swap_columns (a, n, k, at);
      o = order[k];
      order[k] = order[at];
      order[at] = o;
      if (k < rank)
        reflect (a, n, k, b);
    }
  for (guint i = 0; i < n; i++)
    x[i] = 0;
  for (guint i = rank; i-- > 0;)
    {
      /* TF: where there is nothing to divide, nothing is divided, by whatever. */
      if (b[i] != 0)
        b[i] /= a[i * n + i];
      for (guint j = 0; j < i && b[i] != 0; j++)
        b[j] -= b[i] * a[i * n + j];
      x[order[i]] = b[i];
    }
}

static gboolean
weigh_matrix (const float *g,
              const float *h,
              guint        n,
              gboolean     is_diagonal,
              float        l2,
              float       *weights,
              float       *gain)
{
  g_autofree float *a = n <= MAX_LOGITS ? g_try_new0 (float, (gsize) n * n) : NULL;
  g_autofree float *b = g_try_new (float, n);
  g_autofree guint *order = g_try_new (guint, n);

  if (a == NULL || b == NULL || order == NULL)
    return FALSE;
  for (guint i = 0; i < n * n; i++)
    a[i] = !is_diagonal ? h[i] + (i % (n + 1) == 0 ? l2 : 0) : i % (n + 1) == 0 ? h[i / (n + 1)] + l2 : 0;
  for (guint i = 0; i < n; i++)
    b[i] = g[i];
  solve_pivoted (a, b, weights, order, n);
  *gain = 0;
  for (guint i = 0; i < n; i++)
    {
      weights[i] = -weights[i];
      *gain += -g[i] * weights[i];
    }
  return TRUE;
}

static void
weigh_one (float  g,
           float  h,
           float  l1,
           float  l2,
           float *weight,
           float *gain)
{
  float pull = g;

  *weight = 0;
  *gain = 0;
  if (l1 > 0)
    {
      if (g > l1)
        pull -= l1;
      else if (g < -l1)
        pull += l1;
      else
        return;
    }
  if (h + l2 <= 1e-15f)
    return;
  *weight = -pull / (h + l2);
  *gain = -pull * *weight;
}

gboolean
_flow_weigh_split (const float *g,
                   const float *h,
                   guint        n_logits,
                   guint        n_hessians,
                   float        l1,
                   float        l2,
                   float       *weights,
                   float       *gain)
{
  if (n_logits == 1)
    {
      weigh_one (g[0], h[0], l1, l2, weights, gain);
      return TRUE;
    }
  if (n_hessians != n_logits)
    return weigh_matrix (g, h, n_logits, FALSE, l2, weights, gain);
  for (guint i = 0; i < n_logits; i++)
    if (h[i] + l2 == 0)
      return weigh_matrix (g, h, n_logits, TRUE, l2, weights, gain);
  *gain = 0;
  for (guint i = 0; i < n_logits; i++)
    {
      weights[i] = -(1 / (h[i] + l2)) * g[i];
      *gain += -g[i] * weights[i];
    }
  return TRUE;
}

/* --- inputs ---------------------------------------------------------------------------------------------------- */

gboolean
_flow_boosted_infer_is_initialized (FlowInferContext  *c,
                                    GError           **error)
{
  flow_infer_take_output (c, 0, flow_shape_new_scalar ());
  return _flow_boosted_infer_scalars (c, 0, 1, error);
}

gboolean
_flow_boosted_check_scalars (FlowKernelContext  *c,
                             guint               begin,
                             guint               end,
                             GError            **error)
{
  for (guint i = begin; i < end; i++)
    if (!flow_is_scalar (flow_kernel_input (c, i)))
      {
        g_autofree char *shape = flow_tensor_shape_text (flow_kernel_input (c, i));

        return _flow_refuse (error, "Input %u of %s must be a scalar, got a tensor of shape %s", i, c->signature->name, shape);
      }
  return TRUE;
}

gboolean
_flow_boosted_infer_scalars (FlowInferContext  *c,
                             guint              begin,
                             guint              end,
                             GError           **error)
{
  for (guint i = begin; i < end; i++)
    {
      g_autoptr (FlowShape) scalar = NULL;

      if (!flow_infer_with_rank (c, flow_infer_input (c, i), 0, &scalar, error))
        return FALSE;
    }
  return TRUE;
}

/* --- inputs ------------------------------------------------------------------------------------------------------ */

gboolean
_flow_boosted_check_rank (const FlowTensor  *tensor,
                          int                rank,
                          const char        *name,
                          GError           **error)
{
  g_autofree char *shape = flow_tensor_shape_text (tensor);

  FLOW_REQUIRE (FLOW_RANK (tensor) == rank, error, INVALID_ARGUMENT, "%s must be of rank %d, got shape %s", name, rank, shape);
  return TRUE;
}

/* As many rows as there are node ids. */
gboolean
_flow_boosted_check_rows (const FlowTensor  *tensor,
                          int                rank,
                          gint64             n,
                          const char        *name,
                          GError           **error)
{
  g_autofree char *shape = flow_tensor_shape_text (tensor);

  if (!_flow_boosted_check_rank (tensor, rank, name, error))
    return FALSE;
  FLOW_REQUIRE (FLOW_DIMS (tensor)[0] >= n, error, INVALID_ARGUMENT, "%s must have %" G_GINT64_FORMAT " rows, got shape %s",
                name, n, shape);
  return TRUE;
}

gboolean
_flow_boosted_check_id (gint64       id,
                        gint64       n,
                        const char  *name,
                        gint64       at,
                        GError     **error)
{
  FLOW_REQUIRE (id >= 0 && id < n, error, INVALID_ARGUMENT, "%s[%" G_GINT64_FORMAT "] = %" G_GINT64_FORMAT
                " is not in [0, %" G_GINT64_FORMAT ")", name, at, id, n);
  return TRUE;
}
