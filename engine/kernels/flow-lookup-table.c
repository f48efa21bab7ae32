/* flow-lookup-table.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-lookup-table-private.h"

#include "flow-array-private.h"
#include "flow-summarize-private.h"

#include <string.h>

static FlowTableContents *
contents_ref (FlowTableContents *contents)
{
  if (contents != NULL)
    g_atomic_ref_count_inc (&contents->ref_count);
  return contents;
}

void
_flow_table_contents_unref (FlowTableContents *contents)
{
  if (contents == NULL || !g_atomic_ref_count_dec (&contents->ref_count))
    return;
  g_clear_pointer (&contents->rows, g_hash_table_unref);
  flow_tensor_unref (contents->keys);
  flow_tensor_unref (contents->values);
  g_free (contents);
}

/* --- the resource ---------------------------------------------------------------------------------------- */

typedef struct {
  FlowTableContents *contents;
} Saved;

static void
table_finalize (FlowResource *resource)
{
  _flow_table_contents_unref (((FlowTable *) resource)->contents);
  g_clear_pointer (&((FlowTable *) resource)->value_shape, flow_shape_unref);
  g_clear_pointer (&((FlowTable *) resource)->empty_key, flow_tensor_unref);
  g_clear_pointer (&((FlowTable *) resource)->deleted_key, flow_tensor_unref);
}

static gpointer
table_save (FlowResource *resource)
{
  Saved *saved = g_new (Saved, 1);

  saved->contents = contents_ref (((FlowTable *) resource)->contents);
  return saved;
}

static void
table_restore (FlowResource  *resource,
               gconstpointer  data)
{
  FlowTable *self = (FlowTable *) resource;
  FlowTableContents *old = self->contents;

  self->contents = contents_ref (((const Saved *) data)->contents);
  _flow_table_contents_unref (old);
}

static void
saved_free (gpointer data)
{
  _flow_table_contents_unref (((Saved *) data)->contents);
  g_free (data);
}

static gsize
saved_bytes (gconstpointer data)
{
  const Saved *saved = data;

  return saved->contents != NULL ? saved->contents->keys->n_bytes + saved->contents->values->n_bytes : 0;
}

static void
table_visit (FlowResource        *resource,
             FlowResourceVisitor  visitor,
             gpointer             data)
{
  FlowTable *self = (FlowTable *) resource;

  if (self->contents == NULL)
    return;
  visitor ("keys", self->contents->keys, data);
  visitor ("values", self->contents->values, data);
}

static char *
table_describe (FlowResource *resource)
{
  FlowTable *self = (FlowTable *) resource;

  if (self->contents == NULL)
    return g_strdup ("not initialised");
  return g_strdup_printf ("%" G_GINT64_FORMAT " entries, %s to %s", _flow_table_get_size (self),
                          flow_dtype_name (self->key_dtype), flow_dtype_name (self->value_dtype));
}

const FlowResourceClass _flow_table_class = {
  .type_name = "N10tensorflow6lookup15LookupInterfaceE",
  .finalize = table_finalize,
  .save = table_save,
  .restore = table_restore,
  .saved_free = saved_free,
  .saved_bytes = saved_bytes,
  .visit = table_visit,
  .describe = table_describe,
};

FlowTable *
_flow_table_new (const char      *container,
                 const char      *name,
                 FlowDType        key_dtype,
                 FlowDType        value_dtype,
                 gboolean         is_mutable,
                 const FlowShape *value_shape)
{
  FlowTable *self = flow_resource_alloc (&_flow_table_class, sizeof (FlowTable), container, name);

  self->key_dtype = key_dtype;
  self->value_dtype = value_dtype;
  self->is_mutable = is_mutable;
  self->value_shape = flow_shape_ref (value_shape);
  flow_shape_n_elements (value_shape, &self->width);
  return self;
}

gint64
_flow_table_get_size (FlowTable *self)
{
  if (self->contents == NULL)
    return 0;
  return self->empty_key != NULL ? self->contents->n_entries : self->contents->keys->n_elements;
}

/* --- rows -------------------------------------------------------------------------------------------------- */

/* The bytes of cell @i of @keys, whatever their dtype. */
static GBytes *
key_bytes (const FlowTensor *keys,
           gint64            i)
{
  gsize size = flow_dtype_size (keys->dtype);

  if (keys->dtype != FLOW_DTYPE_STRING)
    return g_bytes_new ((const char *) keys->data + (gsize) i * size, size);
  if (FLOW_DATA (GBytes *, keys)[i] != NULL)
    return g_bytes_ref (((GBytes **) keys->data)[i]);
  return g_bytes_new_static ("", 0);
}

gint64
_flow_table_find (FlowTable        *self,
                  const FlowTensor *keys,
                  gint64            i)
{
  g_autoptr (GBytes) key = NULL;

  if (self->empty_key != NULL)
    return _flow_dense_find (self, keys, i);
  if (self->contents == NULL)
    return -1;
  key = key_bytes (keys, i);
  return (gint64) GPOINTER_TO_SIZE (g_hash_table_lookup (self->contents->rows, key)) - 1;
}

gboolean
_flow_table_same_key (const FlowTensor *a,
                      gint64            i,
                      const FlowTensor *b,
                      gint64            k)
{
  g_autoptr (GBytes) x = key_bytes (a, i);
  g_autoptr (GBytes) y = key_bytes (b, k);

  return g_bytes_equal (x, y);
}

/* As numbers, where one that is none is not even its own like. */
static gboolean
same_value (const FlowTensor *a,
            gint64            i,
            const FlowTensor *b,
            gint64            k)
{
  if (a->dtype == FLOW_DTYPE_FLOAT)
    return FLOW_DATA (float, a)[i] == FLOW_DATA (float, b)[k];
  if (a->dtype == FLOW_DTYPE_DOUBLE)
    return FLOW_DATA (double, a)[i] == FLOW_DATA (double, b)[k];
  return _flow_table_same_key (a, i, b, k);
}

static gboolean
refuse_second_value (const FlowTensor *keys,
                     gint64            i,
                     const FlowTensor *old_values,
                     gint64            row,
                     const FlowTensor *values,
                     GError          **error)
{
  g_autoptr (GString) key = g_string_new (NULL);
  g_autoptr (GString) old = g_string_new (NULL);
  g_autoptr (GString) new_value = g_string_new (NULL);
  g_autoptr (FlowTensor) k = flow_tensor_slice_rows (keys, i, i + 1);
  g_autoptr (FlowTensor) a = flow_tensor_slice_rows (old_values, row, row + 1);
  g_autoptr (FlowTensor) b = flow_tensor_slice_rows (values, i, i + 1);

  _flow_summarize (key, k, -1);
  _flow_summarize (old, a, -1);
  _flow_summarize (new_value, b, -1);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION,
               "HashTable has different value for same key. Key %s has %s and trying to add value %s", key->str,
               old->str, new_value->str);
  return FALSE;
}

/* Cells of old and new rows, one behind the other, before what is double goes. */
static FlowTensor *
new_column (FlowDType         dtype,
            const FlowTensor *old,
            gint64            n,
            const FlowShape  *row,
            FlowBudget       *budget,
            GError          **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new_of_rank (1 + (row != NULL ? row->rank : 0));
  FlowTensor *column;

  shape->dims[0] = n;
  for (int d = 1; d < shape->rank; d++)
    shape->dims[d] = row->dims[d - 1];
  column = flow_tensor_new (dtype, shape, budget, error);

  if (column != NULL && old != NULL && old->n_bytes > 0)
    {
      memcpy (column->data, old->data, old->n_bytes);
      _flow_adopt_cells (dtype, column->data, old->n_elements);
    }
  return column;
}

static FlowTensor *
cut_column (FlowTensor *column,
            gint64      n)
{
  FlowTensor *cut = flow_tensor_slice_rows (column, 0, n);

  flow_tensor_unref (column);
  return cut;
}

FlowTableContents *
_flow_table_with_rows (FlowTable         *self,
                       const FlowTensor  *keys,
                       const FlowTensor  *values,
                       gboolean           fresh,
                       FlowBudget        *budget,
                       GError           **error)
{
  FlowTableContents *old = fresh ? NULL : self->contents;
  gint64 n = old != NULL ? old->keys->n_elements : 0;
  FlowTableContents *contents = g_new0 (FlowTableContents, 1);

  g_atomic_ref_count_init (&contents->ref_count);
  contents->rows = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  contents->keys = new_column (self->key_dtype, old != NULL ? old->keys : NULL, n + keys->n_elements, NULL, budget, error);
  contents->values = contents->keys == NULL ? NULL
    : new_column (self->value_dtype, old != NULL ? old->values : NULL, n + keys->n_elements, self->value_shape, budget,
                  error);
  if (contents->values == NULL)
    {
      g_clear_pointer (&contents->keys, flow_tensor_unref);
      g_hash_table_unref (contents->rows);
      g_free (contents);
      return NULL;
    }
  for (gint64 i = 0; i < n; i++)
    g_hash_table_insert (contents->rows, key_bytes (old->keys, i), GSIZE_TO_POINTER ((gsize) i + 1));
  for (gint64 i = 0; i < keys->n_elements; i++)
    {
      g_autoptr (GBytes) key = key_bytes (keys, i);
      gint64 row = (gint64) GPOINTER_TO_SIZE (g_hash_table_lookup (contents->rows, key)) - 1;
      gsize value_size = flow_dtype_size (self->value_dtype) * (gsize) self->width;
      gboolean is_new = row < 0;

      if (is_new)
        {
          row = n++;
          _flow_replace_cells (self->key_dtype,
                               (char *) contents->keys->data + (gsize) row * flow_dtype_size (self->key_dtype),
                               (const char *) keys->data + (gsize) i * flow_dtype_size (self->key_dtype), 1);
          g_hash_table_insert (contents->rows, g_steal_pointer (&key), GSIZE_TO_POINTER ((gsize) row + 1));
        }
      if (is_new || self->is_mutable)
        _flow_replace_cells (self->value_dtype, (char *) contents->values->data + (gsize) row * value_size,
                             (const char *) values->data + (gsize) i * value_size, self->width);
      if (!self->is_mutable && !same_value (contents->values, row, values, i))
        {
          refuse_second_value (keys, i, contents->values, row, values, error);
          _flow_table_contents_unref (contents);
          return NULL;
        }
    }
  contents->keys = cut_column (contents->keys, n);
  contents->values = cut_column (contents->values, n);
  return contents;
}

FlowTableContents *
_flow_table_without_keys (FlowTable         *self,
                          const FlowTensor  *keys,
                          FlowBudget        *budget,
                          GError           **error)
{
  gint64 n = _flow_table_get_size (self);
  g_autofree guint8 *gone = g_try_malloc0 ((gsize) n + 1);
  g_autoptr (FlowTensor) kept_keys = NULL;
  g_autoptr (FlowTensor) kept_values = NULL;
  gsize key_size = flow_dtype_size (self->key_dtype);
  gsize value_size = flow_dtype_size (self->value_dtype) * (gsize) self->width;
  gint64 left = n;
  gint64 at = 0;

  if (gone == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "OOM when removing keys");
      return NULL;
    }
  for (gint64 i = 0; i < keys->n_elements; i++)
    {
      gint64 row = _flow_table_find (self, keys, i);

      if (row >= 0 && !gone[row])
        {
          gone[row] = 1;
          left--;
        }
    }
  kept_keys = new_column (self->key_dtype, NULL, left, NULL, budget, error);
  kept_values = kept_keys != NULL ? new_column (self->value_dtype, NULL, left, self->value_shape, budget, error) : NULL;
  if (kept_values == NULL)
    return NULL;
  for (gint64 row = 0; row < n; row++)
    if (!gone[row])
      {
        _flow_replace_cells (self->key_dtype, (char *) kept_keys->data + (gsize) at * key_size,
                             (const char *) self->contents->keys->data + (gsize) row * key_size, 1);
        _flow_replace_cells (self->value_dtype, (char *) kept_values->data + (gsize) at * value_size,
                             (const char *) self->contents->values->data + (gsize) row * value_size, self->width);
        at++;
      }
  return _flow_table_with_rows (self, kept_keys, kept_values, TRUE, budget, error);
}

void
_flow_table_take (FlowTable         *self,
                  FlowTableContents *contents)
{
  _flow_table_contents_unref (self->contents);
  self->contents = contents;
}
