/* flow-cross.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cross-private.h"

#include "flow-array-private.h"
#include "flow-string-hash-private.h"

#include <string.h>

void
_flow_cross_clear (FlowCross *self)
{
  for (guint k = 0; self->columns != NULL && k < self->n; k++)
    g_clear_pointer (&self->columns[k].starts, flow_tensor_unref);
  g_clear_pointer (&self->columns, g_free);
  g_clear_pointer (&self->at, g_free);
  g_clear_pointer (&self->ends, flow_tensor_unref);
}

gboolean
_flow_cross_index (FlowKernelContext  *c,
                   const FlowCross    *self,
                   FlowTensor        **numbers,
                   GError            **error)
{
  g_autoptr (FlowShape) shape = NULL;

  FLOW_REQUIRE (self->batch < G_MAXINT64, error, RESOURCE_EXHAUSTED, "OOM when counting features");
  shape = flow_shape_new_vector (self->batch + 1);
  *numbers = flow_kernel_allocate_temp (c, FLOW_DTYPE_INT64, shape, error);
  if (*numbers == NULL)
    return FALSE;
  FLOW_WRITABLE (gint64, *numbers)[0] = 0;
  return TRUE;
}

static gint64
feature_count (const FlowCrossColumn *column,
               gint64                 b)
{
  const gint64 *starts;

  if (column->width >= 0)
    return column->width;
  starts = FLOW_DATA (gint64, column->starts);
  return starts[b + 1] - starts[b];
}

gboolean
_flow_cross_count (FlowKernelContext  *c,
                   FlowCross          *self,
                   GError            **error)
{
  gint64 *ends;

  if (!_flow_cross_index (c, self, &self->ends, error))
    return FALSE;
  ends = FLOW_WRITABLE (gint64, self->ends);
  for (gint64 b = 0; b < self->batch; b++)
    {
      gint64 count = 1;
      gboolean fits = TRUE;

      for (guint k = 0; fits && k < self->n; k++)
        fits = flow_mul_int64 (count, feature_count (&self->columns[k], b), &count);
      if (!fits || !flow_add_int64 (ends[b], count, &ends[b + 1]))
        return _flow_refuse (error, "Too many crosses");
    }
  return TRUE;
}

static gint64
feature_index (const FlowCross *cross,
               guint            k,
               gint64           b)
{
  const FlowCrossColumn *column = &cross->columns[k];

  return (column->width >= 0 ? b * column->width : FLOW_DATA (gint64, column->starts)[b]) + cross->at[k];
}

/* The last column changes fastest. */
static void
advance (FlowCross *cross,
         gint64     b)
{
  for (guint k = cross->n; k-- > 0;)
    {
      if (++cross->at[k] < feature_count (&cross->columns[k], b))
        return;
      cross->at[k] = 0;
    }
}

static void
put_joined (FlowCross  *cross,
            gint64      b,
            FlowTensor *out,
            gint64      i,
            GString    *text)
{
  g_string_truncate (text, 0);
  for (guint k = 0; k < cross->n; k++)
    {
      const FlowTensor *values = cross->columns[k].values;
      gint64 at = feature_index (cross, k, b);

      if (k > 0)
        g_string_append_len (text, cross->separator.bytes, (gssize) cross->separator.length);
      if (values->dtype == FLOW_DTYPE_STRING)
        {
          gsize length;
          const char *bytes = flow_tensor_get_string (values, at, &length);

          g_string_append_len (text, bytes, (gssize) length);
        }
      else
        {
          g_string_append_printf (text, "%" G_GINT64_FORMAT, FLOW_DATA (gint64, values)[at]);
        }
    }
  flow_tensor_take_string (out, i, g_bytes_new (text->str, text->len));
}

/* TF's FingerprintCat64. */
static guint64
cat_fingerprints (guint64 a,
                  guint64 b)
{
  const guint64 mul = G_GUINT64_CONSTANT (0xc6a4a7935bd1e995);
  guint64 mixed = b * mul;
  guint64 result = a ^ mul;

  result ^= (mixed ^ (mixed >> 47)) * mul;
  result *= mul;
  result = (result ^ (result >> 47)) * mul;
  return result ^ (result >> 47);
}

/* What the first version begins with, in place of a key. */
#define OLD_SEED G_GUINT64_CONSTANT (0xdecafcaffe)

/* TF: its HashCombine, on numbers with a sign. */
static guint64
combine_old (guint64 a,
             guint64 b)
{
  return a ^ (b + G_GUINT64_CONSTANT (0x9e3779b97f4a7800) + (a << 10) + (guint64) ((gint64) a >> 4));
}

/* TF: of a number in a keyed column, it takes as many bytes as its name for a dtype has. */
#define NUMBER_BYTES 4

static guint64
hash_feature (const FlowCross       *cross,
              const FlowCrossColumn *column,
              gint64                 at)
{
  gsize length = NUMBER_BYTES;
  gconstpointer bytes;

  if (column->values->dtype == FLOW_DTYPE_STRING)
    bytes = flow_tensor_get_string (column->values, at, &length);
  else if (cross->is_strong || (cross->is_hashed && column->width < 0))
    bytes = FLOW_DATA (gint64, column->values) + at;
  else
    return (guint64) FLOW_DATA (gint64, column->values)[at];
  return cross->is_strong ? _flow_hash_sip (bytes, length, cross->salt) : _flow_hash_farm (bytes, length);
}

static gint64
hash_of (const FlowCross *cross,
         gint64           b,
         guint64          key,
         gint64           n_buckets)
{
  guint64 hash = cross->has_old_hash ? OLD_SEED : key;

  for (guint k = 0; k < cross->n; k++)
    {
      const guint64 feature = hash_feature (cross, &cross->columns[k], feature_index (cross, k, b));

      if (cross->is_hashed && k == 0)
        hash = feature;
      else
        hash = cross->has_old_hash ? combine_old (hash, feature) : cat_fingerprints (hash, feature);
    }
  /* TF: without buckets, so that no hash is negative. */
  return (gint64) (hash % (guint64) (n_buckets > 0 ? n_buckets : G_MAXINT64));
}

gboolean
_flow_cross_put (FlowKernelContext  *c,
                 FlowCross          *self,
                 gint64              n_buckets,
                 FlowTensor         *values,
                 GError            **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const FlowAttr *hash_key = flow_kernel_attr (c, "hash_key");
  const guint64 key = hash_key != NULL ? (guint64) flow_attr_get_int (hash_key) : 0;
  const gint64 *ends = FLOW_DATA (gint64, self->ends);
  gsize n_bytes = 0;

  for (gint64 b = 0; b < self->batch; b++)
    {
      memset (self->at, 0, sizeof (gint64) * self->n);
      for (gint64 i = ends[b]; i < ends[b + 1]; i++)
        {
          if (values->dtype == FLOW_DTYPE_STRING)
            {
              put_joined (self, b, values, i, text);
              n_bytes += text->len;
              if ((i & 0xfff) == 0 && !reserve_text (c, n_bytes, error))
                return FALSE;
            }
          else
            {
              FLOW_WRITABLE (gint64, values)[i] = hash_of (self, b, key, n_buckets);
            }
          advance (self, b);
        }
    }
  return TRUE;
}
