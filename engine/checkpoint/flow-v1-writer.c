/* flow-v1-writer.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-bundle-writer.h"

#include <string.h>

#include "flow-proto-writer.h"
#include "flow-util.h"

#include "flow-checkpoint-private.h"
#include "flow-save-io-private.h"

/* One tensor in the table's first entry, with all of its parts. */
typedef struct {
  const char *name;
  FlowDType dtype;
  FlowShape *shape;
  GPtrArray *slices;
} Meta;

static void
meta_free (gpointer data)
{
  Meta *self = data;

  flow_shape_unref (self->shape);
  g_ptr_array_unref (self->slices);
  g_free (self);
}

static gint64
integer_at (const FlowTensor *tensor,
            gint64            i)
{
  switch ((int) tensor->dtype)
    {
    case FLOW_DTYPE_HALF:
    case FLOW_DTYPE_BFLOAT16:
    case FLOW_DTYPE_UINT16:
    case FLOW_DTYPE_QUINT16:
      return ((const guint16 *) tensor->data)[i];
    case FLOW_DTYPE_INT16:
    case FLOW_DTYPE_QINT16:
      return ((const gint16 *) tensor->data)[i];
    case FLOW_DTYPE_INT8:
    case FLOW_DTYPE_QINT8:
      return ((const gint8 *) tensor->data)[i];
    case FLOW_DTYPE_UINT8:
    case FLOW_DTYPE_QUINT8:
    case FLOW_DTYPE_BOOL:
      return ((const guint8 *) tensor->data)[i];
    case FLOW_DTYPE_INT32:
    case FLOW_DTYPE_QINT32:
      return ((const gint32 *) tensor->data)[i];
    case FLOW_DTYPE_UINT32:
      return ((const guint32 *) tensor->data)[i];
    default:
      return ((const gint64 *) tensor->data)[i];
    }
}

static void
write_values (FlowProtoWriter  *writer,
              const FlowTensor *tensor)
{
  guint32 field = _flow_v1_value_field (tensor->dtype);

  flow_proto_writer_begin (writer, 3);
  if (tensor->n_elements == 0)
    {
      flow_proto_writer_end (writer);
      return;
    }
  switch ((int) tensor->dtype)
    {
    case FLOW_DTYPE_FLOAT:
    case FLOW_DTYPE_DOUBLE:
    case FLOW_DTYPE_COMPLEX64:
    case FLOW_DTYPE_COMPLEX128:
      /* A packed field of fixed numbers is their memory. */
      flow_proto_writer_add_bytes (writer, field, tensor->data, tensor->n_bytes);
      break;
    case FLOW_DTYPE_STRING:
      for (gint64 i = 0; i < tensor->n_elements; i++)
        {
          gsize length;
          const char *text = flow_tensor_get_string (tensor, i, &length);

          flow_proto_writer_add_bytes (writer, field, text, length);
        }
      break;
    default:
      flow_proto_writer_begin (writer, field);
      for (gint64 i = 0; i < tensor->n_elements; i++)
        flow_proto_writer_append_varint (writer, (guint64) integer_at (tensor, i));
      flow_proto_writer_end (writer);
      break;
    }
  flow_proto_writer_end (writer);
}

static gboolean
add_value (GHashTable        *entries,
           const char        *name,
           const FlowSlice   *slice,
           const FlowTensor  *tensor,
           GError           **error)
{
  g_autoptr (GBytes) key = _flow_slice_encode_key (name, slice);
  FlowProtoWriter writer;
  GBytes *value;

  FLOW_REQUIRE (!g_hash_table_contains (entries, key), error, INVALID_ARGUMENT, "Adding duplicate key: %s", name);
  flow_proto_writer_init (&writer);
  flow_proto_writer_begin (&writer, 2);
  flow_proto_writer_set_string (&writer, 1, name);
  _flow_slice_write (slice, &writer, 2);
  write_values (&writer, tensor);
  flow_proto_writer_end (&writer);
  value = flow_proto_writer_finish (&writer, error);
  if (value == NULL)
    return FALSE;
  g_hash_table_insert (entries, g_steal_pointer (&key), value);
  return TRUE;
}

/* TF: not all that such a file could hold. */
static gboolean
can_save (int dtype)
{
  switch (dtype)
    {
    case FLOW_DTYPE_BFLOAT16:
    case FLOW_DTYPE_UINT32:
    case FLOW_DTYPE_UINT64:
    case FLOW_DTYPE_QINT16:
    case FLOW_DTYPE_QUINT16:
      return FALSE;
    default:
      return _flow_v1_value_field (dtype) != 0;
    }
}

/* Another part of a tensor is one of the same whole. */
static gboolean
check_meta (const Meta       *meta,
            const FlowShape  *whole,
            int               dtype,
            GError          **error)
{
  g_autofree char *existing = flow_shape_to_string (meta->shape);
  g_autofree char *other = flow_shape_to_string (whole);

  FLOW_REQUIRE (flow_shape_equal (meta->shape, whole), error, INTERNAL,
                "Mismatching shapes: existing tensor = %s, trying to add name %s, shape = %s", existing, meta->name, other);
  FLOW_REQUIRE ((int) meta->dtype == dtype, error, INTERNAL,
                "Mismatching types: existing type = %s, trying to add name %s, type = %s",
                flow_dtype_string (meta->dtype), meta->name, flow_dtype_string (dtype));
  return TRUE;
}

static gboolean
add_tensor (GHashTable        *entries,
            GHashTable        *by_name,
            GPtrArray         *metas,
            const char        *name,
            const char        *spec,
            const FlowTensor  *tensor,
            GError           **error)
{
  g_autoptr (FlowShape) whole = NULL;
  g_autoptr (FlowSlice) slice = NULL;
  g_autoptr (FlowShape) shape = NULL;
  Meta *meta = g_hash_table_lookup (by_name, name);

  FLOW_REQUIRE (*name != '\0' && strlen (name) <= FLOW_TABLE_MAX_KEY / 2, error, INVALID_ARGUMENT,
                "A tensor cannot be saved under an empty name, nor one of %" G_GSIZE_FORMAT " bytes", strlen (name));
  if (*spec != '\0')
    {
      if (!_flow_slice_parse_spec (spec, &whole, &slice, &shape, error))
        return FALSE;
      if (!flow_shape_equal (shape, tensor->shape))
        return _flow_slice_refuse (spec, tensor, error);
    }
  else
    {
      whole = flow_shape_ref (tensor->shape);
      slice = _flow_slice_new (whole->rank);
    }
  FLOW_REQUIRE (can_save (tensor->dtype), error, UNIMPLEMENTED, "Saving data type %s not yet supported",
                flow_dtype_string (tensor->dtype));
  if (meta != NULL && !check_meta (meta, whole, tensor->dtype, error))
    return FALSE;
  if (!add_value (entries, name, slice, tensor, error))
    return FALSE;
  if (meta == NULL)
    {
      meta = g_new0 (Meta, 1);
      meta->name = name;
      meta->dtype = tensor->dtype;
      meta->shape = g_steal_pointer (&whole);
      meta->slices = g_ptr_array_new_with_free_func ((GDestroyNotify) _flow_slice_free);
      g_ptr_array_add (metas, meta);
      g_hash_table_insert (by_name, (gpointer) name, meta);
    }
  g_ptr_array_add (meta->slices, g_steal_pointer (&slice));
  return TRUE;
}

static gint
compare_metas (gconstpointer a,
               gconstpointer b)
{
  const Meta *x = *(const Meta *const *) a;
  const Meta *y = *(const Meta *const *) b;

  return strcmp (x->name, y->name);
}

/* The sort is stable: parts of one name stay as they stand. */
static gint
compare_names (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  const char *const *names = data;

  return strcmp (names[*(const guint *) a], names[*(const guint *) b]);
}

static GBytes *
make_meta (GPtrArray  *metas,
           GError    **error)
{
  FlowProtoWriter writer;

  g_ptr_array_sort (metas, compare_metas);
  flow_proto_writer_init (&writer);
  flow_proto_writer_begin (&writer, 1);
  for (guint i = 0; i < metas->len; i++)
    {
      Meta *meta = metas->pdata[i];

      flow_proto_writer_begin (&writer, 1);
      flow_proto_writer_set_string (&writer, 1, meta->name);
      _flow_stored_write_shape (&writer, meta->shape);
      flow_proto_writer_set_int (&writer, 3, meta->dtype);
      for (guint k = 0; k < meta->slices->len; k++)
        _flow_slice_write (meta->slices->pdata[k], &writer, 4);
      flow_proto_writer_end (&writer);
    }
  flow_proto_writer_begin (&writer, 2);
  flow_proto_writer_set_int (&writer, 1, 1);
  flow_proto_writer_end (&writer);
  flow_proto_writer_end (&writer);
  return flow_proto_writer_finish (&writer, error);
}

/**
 * flow_checkpoint_save_v1: (skip)
 * @path: the file
 * @names: (array length=n_tensors): the keys; a tensor in parts has one of its name for each
 * @specs: (array length=n_tensors): which part each is, as SaveSlices has it; empty for a whole one
 * @tensors: (array length=n_tensors): the values
 * @n_tensors: how many
 * @error: where to put an error
 *
 * Writes a V1 checkpoint, for graphs that still ask for one. The file is replaced whole.
 *
 * Returns: whether it was written; else %FLOW_ERROR_INVALID_ARGUMENT in TensorFlow's words,
 *   %FLOW_ERROR_UNIMPLEMENTED for dtypes that the format does not have, or the system's error
 */
gboolean
flow_checkpoint_save_v1 (const char         *path,
                         const char *const  *names,
                         const char *const  *specs,
                         const FlowTensor  **tensors,
                         guint               n_tensors,
                         GError            **error)
{
  g_autoptr (GHashTable) entries = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref,
                                                          (GDestroyNotify) g_bytes_unref);
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) metas = g_ptr_array_new_with_free_func (meta_free);
  g_autoptr (GBytes) contents = NULL;
  g_autofree guint *order = NULL;
  GBytes *meta;

  g_return_val_if_fail (path != NULL, FALSE);

  /* TF: in the order of their names, and so are the first of them that cannot be saved. */
  order = g_new (guint, MAX (n_tensors, 1));
  for (guint i = 0; i < n_tensors; i++)
    order[i] = i;
  g_qsort_with_data (order, (gint) n_tensors, sizeof *order, compare_names, (gpointer) names);
  for (guint i = 0; i < n_tensors; i++)
    if (!add_tensor (entries, by_name, metas, names[order[i]], specs[order[i]], tensors[order[i]], error))
      return FALSE;
  meta = make_meta (metas, error);
  if (meta == NULL)
    return FALSE;
  g_hash_table_insert (entries, g_bytes_new (NULL, 0), meta);
  contents = _flow_table_make (entries, error);
  return contents != NULL && flow_write_file_safely (path, contents, error);
}
