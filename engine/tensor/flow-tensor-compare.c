/* flow-tensor-compare.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-tensor-compare.h"

#include <math.h>
#include <string.h>

#include "flow-parallel.h"

#include "flow-tensor-load-private.h"
#include "flow-variant.h"

/* One slot of the result; slots are merged in order, so the answer does not depend on threads. */
#define CHUNK 65536
#define WINDOW 1024
#define BLOCK 2048

typedef struct {
  gint64 n_changed;
  gint64 n_over;
  gint64 n_nan;
  double max_abs;
  double max_rel;
  guint64 max_ulp;
  gint64 nan_index;
  gint64 abs_index;
} Part;

typedef struct {
  const FlowTensor *a;
  const FlowTensor *b;
  FlowTolerance tolerance;
  gboolean same_dtype;
  gint64 first_chunk;
  Part *parts;
} CompareJob;

static void
part_init (Part *part)
{
  memset (part, 0, sizeof *part);
  part->nan_index = -1;
  part->abs_index = -1;
}

static void
part_merge (Part       *into,
            const Part *from)
{
  into->n_changed += from->n_changed;
  into->n_over += from->n_over;
  into->n_nan += from->n_nan;
  if (into->nan_index < 0)
    into->nan_index = from->nan_index;
  if (from->abs_index >= 0 && (into->abs_index < 0 || from->max_abs > into->max_abs))
    {
      into->max_abs = from->max_abs;
      into->abs_index = from->abs_index;
    }
  into->max_rel = MAX (into->max_rel, from->max_rel);
  into->max_ulp = MAX (into->max_ulp, from->max_ulp);
}

/* Bits of a floating number of @n_bits as a place on one line on which neighbours differ by one and
 * both zeros stand at the same place. */
static gint64
float_place (guint64 bits,
             int     n_bits)
{
  guint64 sign = (guint64) 1 << (n_bits - 1);
  gint64 magnitude = (gint64) (bits & (sign - 1));

  return (bits & sign) != 0 ? -magnitude : magnitude;
}

static guint64
place_distance (gint64 a,
                gint64 b)
{
  return a > b ? (guint64) a - (guint64) b : (guint64) b - (guint64) a;
}

/**
 * flow_float_ulp_distance:
 * @a: a number
 * @b: a number
 *
 * Returns: how many steps of representable float32 numbers lie between @a and @b; 0 for two NaNs, the
 *   largest number for one
 */
guint64
flow_float_ulp_distance (float a,
                         float b)
{
  guint32 bits_a;
  guint32 bits_b;

  if (isnan (a) || isnan (b))
    return isnan (a) && isnan (b) ? 0 : G_MAXUINT64;
  memcpy (&bits_a, &a, sizeof a);
  memcpy (&bits_b, &b, sizeof b);
  return place_distance (float_place (bits_a, 32), float_place (bits_b, 32));
}

/**
 * flow_double_ulp_distance:
 * @a: a number
 * @b: a number
 *
 * Returns: how many steps of representable float64 numbers lie between @a and @b; 0 for two NaNs, the
 *   largest number for one
 */
guint64
flow_double_ulp_distance (double a,
                          double b)
{
  guint64 bits_a;
  guint64 bits_b;

  if (isnan (a) || isnan (b))
    return isnan (a) && isnan (b) ? 0 : G_MAXUINT64;
  memcpy (&bits_a, &a, sizeof a);
  memcpy (&bits_b, &b, sizeof b);
  return place_distance (float_place (bits_a, 64), float_place (bits_b, 64));
}

/* 0 where the dtype has no such thing, or one of the two is NaN. */
static guint64
ulp_at (const FlowTensor *a,
        const FlowTensor *b,
        gint64            i)
{
  guint64 d = 0;

  switch ((int) a->dtype)
    {
    case FLOW_DTYPE_FLOAT:
      d = flow_float_ulp_distance (((const float *) a->data)[i], ((const float *) b->data)[i]);
      break;
    case FLOW_DTYPE_DOUBLE:
      d = flow_double_ulp_distance (((const double *) a->data)[i], ((const double *) b->data)[i]);
      break;
    case FLOW_DTYPE_HALF:
    case FLOW_DTYPE_BFLOAT16:
      d = place_distance (float_place (((const guint16 *) a->data)[i], 16),
                          float_place (((const guint16 *) b->data)[i], 16));
      break;
    case FLOW_DTYPE_COMPLEX64:
      {
        const float *x = (const float *) a->data + 2 * i;
        const float *y = (const float *) b->data + 2 * i;
        d = MAX (flow_float_ulp_distance (x[0], y[0]), flow_float_ulp_distance (x[1], y[1]));
        break;
      }
    case FLOW_DTYPE_COMPLEX128:
      {
        const double *x = (const double *) a->data + 2 * i;
        const double *y = (const double *) b->data + 2 * i;
        d = MAX (flow_double_ulp_distance (x[0], y[0]), flow_double_ulp_distance (x[1], y[1]));
        break;
      }
    default:
      break;
    }
  return d;
}

/* |a - b| as exactly as a double can say it. */
static double
difference_at (const FlowTensor *a,
               const FlowTensor *b,
               gint64            i,
               double            x,
               double            y)
{
  if (a->dtype != b->dtype)
    return x == y ? 0 : fabs (x - y);

  switch ((int) a->dtype)
    {
    case FLOW_DTYPE_INT64:
      return (double) place_distance (((const gint64 *) a->data)[i], ((const gint64 *) b->data)[i]);
    case FLOW_DTYPE_UINT64:
      {
        guint64 p = ((const guint64 *) a->data)[i];
        guint64 q = ((const guint64 *) b->data)[i];
        return (double) (p > q ? p - q : q - p);
      }
    case FLOW_DTYPE_COMPLEX64:
      {
        const float *p = (const float *) a->data + 2 * i;
        const float *q = (const float *) b->data + 2 * i;
        double re = p[0] == q[0] ? 0 : (double) p[0] - q[0];
        double im = p[1] == q[1] ? 0 : (double) p[1] - q[1];
        return hypot (re, im);
      }
    case FLOW_DTYPE_COMPLEX128:
      {
        const double *p = (const double *) a->data + 2 * i;
        const double *q = (const double *) b->data + 2 * i;
        double re = p[0] == q[0] ? 0 : p[0] - q[0];
        double im = p[1] == q[1] ? 0 : p[1] - q[1];
        return hypot (re, im);
      }
    default:
      /* Two infinities of one sign: their difference would be NaN. */
      return x == y ? 0 : fabs (x - y);
    }
}

static void
compare_pair (const CompareJob *job,
              gint64            i,
              double            x,
              double            y,
              Part             *part)
{
  gboolean nan_x = isnan (x);
  gboolean nan_y = isnan (y);
  guint64 ulp = 0;
  double d;

  if (nan_x || nan_y)
    {
      if (!job->same_dtype && nan_x != nan_y)
        part->n_changed++;
      if (nan_x == nan_y)
        return;
      part->n_nan++;
      part->n_over++;
      if (part->nan_index < 0)
        part->nan_index = i;
      return;
    }

  d = difference_at (job->a, job->b, i, x, y);
  if (!job->same_dtype && d != 0)
    part->n_changed++;
  if (d == 0)
    return;
  if (isnan (d))
    {
      /* A part of a complex number alone is NaN while the magnitudes are infinite. */
      part->n_nan++;
      part->n_over++;
      if (part->nan_index < 0)
        part->nan_index = i;
      return;
    }
  if (job->same_dtype)
    ulp = ulp_at (job->a, job->b, i);
  if (part->abs_index < 0 || d > part->max_abs)
    {
      part->max_abs = d;
      part->abs_index = i;
    }
  part->max_rel = MAX (part->max_rel, isinf (y) ? INFINITY : d / fabs (y));
  part->max_ulp = MAX (part->max_ulp, ulp);
  /* An infinity is never near a number, whatever the tolerance (it would be infinite itself). */
  if (isinf (x) || isinf (y)
      || (!(d <= job->tolerance.abs + job->tolerance.rel * fabs (y))
          && !(ulp != 0 && ulp <= job->tolerance.ulp)))
    part->n_over++;
}

static void
compare_chunks (gint64   begin,
                gint64   end,
                gpointer data)
{
  CompareJob *job = data;
  gsize size = flow_dtype_size (job->a->dtype);
  const char *cells_a = job->a->data;
  const char *cells_b = job->b->data;
  double x[BLOCK];
  double y[BLOCK];

  for (gint64 c = begin; c < end; c++)
    {
      gint64 first = (job->first_chunk + c) * CHUNK;
      gint64 last = MIN (first + CHUNK, job->a->n_elements);
      Part *part = &job->parts[c];

      part_init (part);
      for (gint64 i = first; i < last; i += BLOCK)
        {
          gint64 n = MIN (BLOCK, last - i);

          if (job->same_dtype
              && memcmp (cells_a + (gsize) i * size, cells_b + (gsize) i * size, (gsize) n * size) == 0)
            continue;
          _flow_tensor_load_doubles (job->a, i, i + n, x);
          _flow_tensor_load_doubles (job->b, i, i + n, y);
          for (gint64 k = 0; k < n; k++)
            {
              if (job->same_dtype)
                {
                  gsize at = (gsize) (i + k) * size;

                  if (memcmp (cells_a + at, cells_b + at, size) == 0)
                    continue;
                  part->n_changed++;
                }
              compare_pair (job, i + k, x[k], y[k], part);
            }
        }
    }
}

static void
compare_numbers (const FlowTensor    *a,
                 const FlowTensor    *b,
                 const FlowTolerance *tolerance,
                 FlowTensorDiff      *self)
{
  gint64 n_chunks = (a->n_elements + CHUNK - 1) / CHUNK;
  g_autofree Part *parts = g_new (Part, MIN (n_chunks, WINDOW) + 1);
  CompareJob job = { a, b, *tolerance, self->same_dtype, 0, parts };
  Part total;

  part_init (&total);
  for (gint64 c = 0; c < n_chunks; c += WINDOW)
    {
      gint64 n = MIN (n_chunks - c, WINDOW);

      job.first_chunk = c;
      flow_parallel_for (n, 1, compare_chunks, &job);
      for (gint64 i = 0; i < n; i++)
        part_merge (&total, &parts[i]);
    }
  self->n_changed = total.n_changed;
  self->n_over = total.n_over;
  self->n_nan = total.n_nan;
  self->max_abs = total.max_abs;
  self->max_rel = total.max_rel;
  self->max_ulp = total.max_ulp;
  self->worst_index = total.nan_index >= 0 ? total.nan_index : total.abs_index;
}

static gboolean
same_handle (const FlowHandle *a,
             const FlowHandle *b)
{
  if (a == NULL || b == NULL)
    return a == b;
  return g_strcmp0 (a->container, b->container) == 0 && g_strcmp0 (a->name, b->name) == 0
         && g_strcmp0 (a->type_name, b->type_name) == 0;
}

static gboolean
same_cell (const FlowTensor *a,
           const FlowTensor *b,
           gint64            i)
{
  gsize length_a;
  gsize length_b;
  const char *text_a;
  const char *text_b;

  if (a->dtype != b->dtype)
    return FALSE;
  if (a->dtype == FLOW_DTYPE_RESOURCE)
    return same_handle (((FlowHandle *const *) a->data)[i], ((FlowHandle *const *) b->data)[i]);
  if (a->dtype == FLOW_DTYPE_VARIANT)
    {
      FlowVariant *x = flow_tensor_get_variant (a, i);
      FlowVariant *y = flow_tensor_get_variant (b, i);

      return x == y || (x != NULL && y != NULL && flow_variant_identical (x, y));
    }

  text_a = flow_tensor_get_string (a, i, &length_a);
  text_b = flow_tensor_get_string (b, i, &length_b);
  return length_a == length_b && (length_a == 0 || memcmp (text_a, text_b, length_a) == 0);
}

static void
compare_cells (const FlowTensor *a,
               const FlowTensor *b,
               FlowTensorDiff   *self)
{
  for (gint64 i = 0; i < a->n_elements; i++)
    {
      if (same_cell (a, b, i))
        continue;
      if (self->worst_index < 0)
        self->worst_index = i;
      self->n_changed++;
      self->n_over++;
    }
}

G_DEFINE_BOXED_TYPE (FlowTensorDiff, flow_tensor_diff, flow_tensor_diff_copy, flow_tensor_diff_free)

/**
 * flow_tensor_compare:
 * @a: a tensor, such as the one found
 * @b: a tensor, such as the one expected: relative differences are relative to it
 * @tolerance: (nullable): what is let pass; %NULL lets nothing pass
 *
 * Compares two tensors element by element, in parallel where they are large. Different dtypes are
 * compared by value, if both have numbers. May be called from any thread.
 *
 * Returns: (transfer full): what differs
 */
FlowTensorDiff *
flow_tensor_compare (const FlowTensor    *a,
                     const FlowTensor    *b,
                     const FlowTolerance *tolerance)
{
  static const FlowTolerance nothing = { 0, 0, 0 };
  FlowTensorDiff *self;

  g_return_val_if_fail (a != NULL, NULL);
  g_return_val_if_fail (b != NULL, NULL);

  self = g_new0 (FlowTensorDiff, 1);
  self->same_dtype = a->dtype == b->dtype;
  self->same_shape = flow_shape_equal (a->shape, b->shape);
  self->worst_index = -1;
  if (!self->same_shape)
    return self;

  self->n_elements = a->n_elements;
  if (_flow_tensor_load_doubles (a, 0, 0, NULL) && _flow_tensor_load_doubles (b, 0, 0, NULL))
    compare_numbers (a, b, tolerance != NULL ? tolerance : &nothing, self);
  else
    compare_cells (a, b, self);
  self->equal_bits = self->same_dtype && self->n_changed == 0;
  self->within = self->n_over == 0;
  return self;
}

/**
 * flow_tensor_diff_copy:
 * @self: a comparison's result
 *
 * Returns: (transfer full): a copy
 */
FlowTensorDiff *
flow_tensor_diff_copy (const FlowTensorDiff *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_memdup2 (self, sizeof *self);
}

/**
 * flow_tensor_diff_free:
 * @self: (transfer full) (nullable): a comparison's result
 */
void
flow_tensor_diff_free (FlowTensorDiff *self)
{
  g_free (self);
}
