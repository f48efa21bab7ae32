/* flow-dense-table.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tables in buckets: what such a table holds are its buckets as they lie, so that what it gives out, takes in and
 * finds is TensorFlow's, removed keys and the places they leave among it.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-lookup-table-private.h"
#include "flow-step-private.h"
#include "flow-string-hash-private.h"

#include <string.h>

/* --- keys ------------------------------------------------------------------------------------------------------- */

gboolean
_flow_keys_are_same (const FlowTensor *a,
                     gint64            i,
                     const FlowTensor *b,
                     gint64            k,
                     gint64            width)
{
  const gsize size = flow_dtype_size (a->dtype) * (gsize) width;

  if (a->dtype != FLOW_DTYPE_STRING)
    return memcmp ((const char *) a->data + (gsize) i * size, (const char *) b->data + (gsize) k * size, size) == 0;
  for (gint64 at = 0; at < width; at++)
    {
      gsize n = 0;
      gsize m = 0;
      const char *x = flow_tensor_get_string (a, i * width + at, &n);
      const char *y = flow_tensor_get_string (b, k * width + at, &m);

      if (n != m || memcmp (x, y, n) != 0)
        return FALSE;
    }
  return TRUE;
}

static guint64
hash_cell (const FlowTensor *keys,
           gint64            i)
{
  gsize length;
  const char *text;

  if (keys->dtype != FLOW_DTYPE_STRING)
    return (guint64) flow_tensor_get_int (keys, i);
  text = flow_tensor_get_string (keys, i, &length);
  return _flow_hash_old (text, length);
}

static guint64
hash_key (const FlowTable  *self,
          const FlowTensor *keys,
          gint64            i)
{
  const gint64 width = self->empty_key->n_elements;
  guint64 hash = 0;

  if (width == 1)
    return hash_cell (keys, i);
  for (gint64 k = 0; k < width; k++)
    hash ^= hash_cell (keys, i * width + k) + 0x9e3779b97f4a7800ULL + (hash << 10) + (hash >> 4);
  return hash;
}

static gboolean
is_key (const FlowTable  *self,
        const FlowTensor *keys,
        gint64            i,
        const FlowTensor *mark)
{
  return _flow_keys_are_same (keys, i, mark, 0, self->empty_key->n_elements);
}

static gint64
count_keys (const FlowTensor *keys)
{
  return FLOW_RANK (keys) > 0 ? FLOW_DIMS (keys)[0] : 1;
}

gboolean
_flow_dense_check_keys (FlowTable         *self,
                        const FlowTensor  *keys,
                        GError           **error)
{
  const gint64 n = count_keys (keys);

  /* TF: keys are counted by the first dimension. */
  if (keys->n_elements != n * self->empty_key->n_elements)
    {
      g_autoptr (FlowShape) expected = flow_shape_new_of_rank (1 + FLOW_RANK (self->empty_key));
      g_autofree char *wanted = NULL;
      g_autofree char *given = flow_tensor_shape_text (keys);

      expected->dims[0] = n;
      if (expected->rank > 1)
        expected->dims[1] = self->empty_key->n_elements;
      wanted = flow_shape_to_string (expected);
      return _flow_refuse (error, "Expected key shape %s got %s", wanted, given);
    }
  for (gint64 i = 0; i < n; i++)
    {
      if (is_key (self, keys, i, self->empty_key))
        return _flow_refuse (error, "Using the empty_key as a table key is not allowed");
      if (is_key (self, keys, i, self->deleted_key))
        return _flow_refuse (error, "Using the deleted_key as a table key is not allowed");
    }
  return TRUE;
}

/* --- buckets ----------------------------------------------------------------------------------------------------- */

gboolean
_flow_dense_check_buckets (gint64    n,
                           GError  **error)
{
  if (n < 4 || (n & (n - 1)) != 0)
    return _flow_refuse (error, "Number of buckets must be at least 4 and a power of 2, got: %" G_GINT64_FORMAT, n);
  return TRUE;
}

/* The bucket of key @i; with @takes_free the one where it goes, -1 where it is not there otherwise. */
static gint64
find_bucket (const FlowTable         *self,
             const FlowTableContents *contents,
             const FlowTensor        *keys,
             gint64                   i,
             gboolean                 takes_free)
{
  const gint64 width = self->empty_key->n_elements;
  const gint64 n = FLOW_DIMS (contents->keys)[0];
  const guint64 mask = (guint64) n - 1;
  guint64 at = hash_key (self, keys, i) & mask;

  for (gint64 probe = 1; probe <= n; probe++)
    {
      if (_flow_keys_are_same (contents->keys, (gint64) at, keys, i, width))
        return (gint64) at;
      if (is_key (self, contents->keys, (gint64) at, self->empty_key))
        return takes_free ? (gint64) at : -1;
      if (takes_free && is_key (self, contents->keys, (gint64) at, self->deleted_key))
        return (gint64) at;
      at = (at + (guint64) probe) & mask;
    }
  return FLOW_TABLE_IS_FULL;
}

gint64
_flow_dense_find (FlowTable        *self,
                  const FlowTensor *keys,
                  gint64            i)
{
  return self->contents != NULL ? find_bucket (self, self->contents, keys, i, FALSE) : -1;
}

static void
put_key (const FlowTable  *self,
         FlowTensor       *buckets,
         gint64            at,
         const FlowTensor *keys,
         gint64            i)
{
  const gint64 width = self->empty_key->n_elements;
  const gsize size = _flow_cell_size (self->key_dtype) * (gsize) width;

  _flow_replace_cells (self->key_dtype, (guint8 *) buckets->data + (gsize) at * size,
                       (const guint8 *) keys->data + (gsize) i * size, width);
}

static gboolean
put_row (const FlowTable    *self,
         FlowTableContents  *contents,
         const FlowTensor   *keys,
         const FlowTensor   *values,
         gint64              i,
         GError            **error)
{
  const gsize size = _flow_cell_size (self->value_dtype) * (gsize) self->width;
  const gint64 at = find_bucket (self, contents, keys, i, TRUE);

  FLOW_REQUIRE (at >= 0, error, INTERNAL, "Internal error in MutableDenseHashTable insert");
  if (!_flow_keys_are_same (contents->keys, at, keys, i, self->empty_key->n_elements))
    {
      contents->n_entries++;
      put_key (self, contents->keys, at, keys, i);
    }
  _flow_replace_cells (self->value_dtype, (guint8 *) contents->values->data + (gsize) at * size,
                       (const guint8 *) values->data + (gsize) i * size, self->width);
  return TRUE;
}

static FlowTensor *
new_column (FlowDType    dtype,
            gint64       n,
            gint64       width,
            FlowBudget  *budget,
            GError     **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new (2, (gint64[]) { n, width });
  FlowTensor *column = flow_tensor_new (dtype, shape, budget, error);

  if (column != NULL && column->n_bytes > 0 && !flow_dtype_has_references (dtype))
    memset (column->data, 0, column->n_bytes);
  return column;
}

static FlowTensor *
copy_column (const FlowTensor  *column,
             FlowBudget        *budget,
             GError           **error)
{
  FlowTensor *copy = flow_tensor_new (column->dtype, column->shape, budget, error);

  if (copy != NULL && copy->n_bytes > 0)
    {
      memcpy (copy->data, column->data, copy->n_bytes);
      _flow_adopt_cells (copy->dtype, copy->data, copy->n_elements);
    }
  return copy;
}

/* Takes both columns, either of which may have failed. */
static FlowTableContents *
new_contents (FlowTensor *keys,
              FlowTensor *values,
              gint64      n_entries)
{
  FlowTableContents *contents = NULL;

  if (keys != NULL && values != NULL)
    {
      contents = g_new0 (FlowTableContents, 1);
      g_atomic_ref_count_init (&contents->ref_count);
      contents->keys = keys;
      contents->values = values;
      contents->n_entries = n_entries;
      return contents;
    }
  g_clear_pointer (&keys, flow_tensor_unref);
  g_clear_pointer (&values, flow_tensor_unref);
  return NULL;
}

static FlowTableContents *
new_buckets (const FlowTable  *self,
             gint64            n,
             FlowBudget       *budget,
             GError          **error)
{
  FlowTensor *keys = NULL;

  if (!_flow_dense_check_buckets (n, error))
    return NULL;
  keys = new_column (self->key_dtype, n, self->empty_key->n_elements, budget, error);
  for (gint64 at = 0; keys != NULL && at < n; at++)
    put_key (self, keys, at, self->empty_key, 0);
  return new_contents (keys, keys != NULL ? new_column (self->value_dtype, n, self->width, budget, error) : NULL, 0);
}

/* The buckets as they are, in more buckets where @n_more entries would fill these too much. */
static FlowTableContents *
copy_with_room (const FlowTable  *self,
                gint64            n_more,
                FlowBudget       *budget,
                GError          **error)
{
  FlowTableContents *old = self->contents;
  gint64 n = old != NULL ? FLOW_DIMS (old->keys)[0] : self->n_buckets;
  const gint64 n_before = old != NULL ? n : 0;
  const gint64 wanted = n_more + (old != NULL ? old->n_entries : 0);
  FlowTableContents *contents;

  /* TF: room is made for all the keys that are given, be they in it or given twice. */
  while (n < G_MAXINT32 && (float) wanted > (float) n * self->max_load)
    n *= 2;
  if (n == n_before)
    {
      FlowTensor *keys = copy_column (old->keys, budget, error);

      return new_contents (keys, keys != NULL ? copy_column (old->values, budget, error) : NULL, old->n_entries);
    }
  contents = new_buckets (self, n, budget, error);
  for (gint64 at = 0; contents != NULL && at < n_before; at++)
    if (!is_key (self, old->keys, at, self->empty_key) && !is_key (self, old->keys, at, self->deleted_key)
        && !put_row (self, contents, old->keys, old->values, at, error))
      g_clear_pointer (&contents, _flow_table_contents_unref);
  return contents;
}

FlowTableContents *
_flow_dense_with_rows (FlowTable         *self,
                       const FlowTensor  *keys,
                       const FlowTensor  *values,
                       FlowBudget        *budget,
                       GError           **error)
{
  const gint64 n = count_keys (keys);
  FlowTableContents *contents = copy_with_room (self, n, budget, error);

  for (gint64 i = 0; contents != NULL && i < n; i++)
    if (!put_row (self, contents, keys, values, i, error))
      g_clear_pointer (&contents, _flow_table_contents_unref);
  return contents;
}

FlowTableContents *
_flow_dense_from_buckets (FlowTable   *self,
                          FlowTensor  *keys,
                          FlowTensor  *values,
                          GError     **error)
{
  const gint64 n = count_keys (keys);
  gint64 n_entries = 0;

  /* TF reads beside its buckets where there are none. */
  if (FLOW_RANK (keys) != 2 || FLOW_DIMS (keys)[1] != self->empty_key->n_elements || n == 0)
    {
      g_autofree char *given = flow_tensor_shape_text (keys);

      _flow_refuse (error, "Keys %s are not the buckets of a table whose keys have %" G_GINT64_FORMAT " elements", given,
                    self->empty_key->n_elements);
      return NULL;
    }
  for (gint64 at = 0; at < n; at++)
    n_entries += !is_key (self, keys, at, self->empty_key) && !is_key (self, keys, at, self->deleted_key);
  return new_contents (flow_tensor_ref (keys), flow_tensor_ref (values), n_entries);
}

FlowTableContents *
_flow_dense_without_keys (FlowTable         *self,
                          const FlowTensor  *keys,
                          FlowBudget        *budget,
                          GError           **error)
{
  FlowTensor *left = copy_column (self->contents->keys, budget, error);
  FlowTableContents *contents;

  if (left == NULL)
    return NULL;
  contents = new_contents (left, flow_tensor_ref (self->contents->values), self->contents->n_entries);
  for (gint64 i = 0; i < count_keys (keys); i++)
    {
      const gint64 at = find_bucket (self, contents, keys, i, FALSE);

      if (at == FLOW_TABLE_IS_FULL)
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "Internal error in MutableDenseHashTable remove");
          g_clear_pointer (&contents, _flow_table_contents_unref);
          return NULL;
        }
      if (at < 0)
        continue;
      contents->n_entries--;
      put_key (self, left, at, self->deleted_key, 0);
    }
  return contents;
}

gboolean
_flow_dense_put_buckets (FlowTable          *self,
                         FlowKernelContext  *c,
                         GError            **error)
{
  FlowTableContents *fresh = self->contents == NULL ? new_buckets (self, self->n_buckets, c->budget, error) : NULL;
  const FlowTableContents *contents = fresh != NULL ? fresh : self->contents;

  if (contents == NULL)
    return FALSE;
  flow_kernel_set_output (c, 0, contents->keys);
  flow_kernel_set_output (c, 1, contents->values);
  g_clear_pointer (&fresh, _flow_table_contents_unref);
  return TRUE;
}
