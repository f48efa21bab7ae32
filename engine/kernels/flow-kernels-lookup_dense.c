/* flow-kernels-lookup_dense.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tables that TensorFlow keeps in buckets behind one another, with one key that marks free ones. What is in them is
 * kept here as in any other table; the buckets are made when somebody asks to see them.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-lookup-table-private.h"
#include "flow-step-private.h"
#include "flow-string-hash-private.h"
#include "flow-summarize-private.h"

#include <string.h>

/* --- buckets ---------------------------------------------------------------------------------------------------------------- */

gboolean
_flow_table_check_keys (FlowTable         *self,
                        const FlowTensor  *keys,
                        GError           **error)
{
  gint64 n_rows = FLOW_RANK (keys) > 0 ? FLOW_DIMS (keys)[0] : 1;

  if (self->empty_key == NULL || self->deleted_key == NULL)
    return TRUE;
  /* TF: a key is a scalar here, but the rows are counted by the first dimension. */
  if (keys->n_elements != n_rows)
    {
      g_autofree char *text = flow_tensor_shape_text (keys);

      return _flow_refuse (error, "Expected key shape [%" G_GINT64_FORMAT "] got %s", n_rows, text);
    }
  for (gint64 i = 0; i < keys->n_elements; i++)
    {
      if (_flow_table_same_key (keys, i, self->empty_key, 0))
        return _flow_refuse (error, "Using the empty_key as a table key is not allowed");
      if (_flow_table_same_key (keys, i, self->deleted_key, 0))
        return _flow_refuse (error, "Using the deleted_key as a table key is not allowed");
    }
  return TRUE;
}

static guint64
hash_key (const FlowTensor *keys,
          gint64            i)
{
  gsize length;
  const char *text;

  if (keys->dtype != FLOW_DTYPE_STRING)
    return (guint64) flow_tensor_get_int (keys, i);
  text = flow_tensor_get_string (keys, i, &length);
  return _flow_hash_old (text, length);
}

static FlowTensor *
new_buckets (FlowKernelContext  *c,
             gint64              size,
             GError            **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector (size);
  FlowTensor *buckets = flow_kernel_allocate_temp (c, FLOW_DTYPE_INT64, shape, error);

  for (gint64 k = 0; buckets != NULL && k < size; k++)
    FLOW_WRITABLE (gint64, buckets)[k] = -1;
  return buckets;
}

/* Puts rows into buckets in the order given, until the next one needs a larger table; returns how many are in. Of the
 * first @settled rows none does. */
static gint64
place_rows (FlowTable    *self,
            FlowTensor   *buckets,
            const gint64 *order,
            gint64        settled)
{
  gint64 n = _flow_table_get_size (self);
  guint64 mask = (guint64) buckets->n_elements - 1;

  for (gint64 i = 0; i < n; i++)
    {
      guint64 at = hash_key (self->contents->keys, order[i]) & mask;

      if (i >= settled && (float) (i + 1) > (float) buckets->n_elements * self->max_load)
        return i;
      for (guint64 probe = 1; FLOW_DATA (gint64, buckets)[at] >= 0; probe++)
        at = (at + probe) & mask;
      FLOW_WRITABLE (gint64, buckets)[at] = order[i];
    }
  return n;
}

/* Rows in buckets, -1 where one is free; the table grows as TensorFlow's does while it is filled. */
static FlowTensor *
make_buckets (FlowTable          *self,
              FlowKernelContext  *c,
              GError            **error)
{
  gint64 n = _flow_table_get_size (self);
  g_autofree gint64 *order = g_try_new (gint64, (gsize) n + 1);
  FlowTensor *buckets = NULL;
  gint64 settled = 0;

  if (order == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "OOM when exporting a table");
      return NULL;
    }
  for (gint64 i = 0; i < n; i++)
    order[i] = i;
  for (gint64 size = self->contents != NULL ? MIN (self->n_buckets, self->contents->n_buckets) : self->n_buckets;; size *= 2)
    {
      gint64 next = 0;

      buckets = new_buckets (c, size, error);
      if (buckets == NULL)
        return NULL;
      settled = place_rows (self, buckets, order, settled);
      if (settled == n && (self->contents == NULL || size >= self->contents->n_buckets))
        return buckets;
      /* What is in goes into the larger table in the order of the buckets. */
      for (gint64 k = 0; k < size; k++)
        if (FLOW_DATA (gint64, buckets)[k] >= 0)
          order[next++] = FLOW_DATA (gint64, buckets)[k];
      flow_tensor_unref (buckets);
    }
}

gboolean
_flow_table_put_buckets (FlowTable          *self,
                         FlowKernelContext  *c,
                         GError            **error)
{
  g_autoptr (FlowTensor) buckets = make_buckets (self, c, error);
  gint64 n_buckets = buckets != NULL ? buckets->n_elements : 0;
  gsize value_size = _flow_cell_size (self->value_dtype) * (gsize) self->width;
  gsize key_size = _flow_cell_size (self->key_dtype);
  FlowTensor *keys;
  FlowTensor *values;

  keys = buckets == NULL ? NULL : flow_kernel_allocate_dims (c, 0, 2, (gint64[]) { n_buckets, 1 }, error);
  values = keys != NULL ? flow_kernel_allocate_dims (c, 1, 2, (gint64[]) { n_buckets, self->width }, error) : NULL;
  if (values == NULL)
    return FALSE;
  if (!flow_dtype_has_references (self->value_dtype) && values->n_bytes > 0)
    memset (values->data, 0, values->n_bytes);
  for (gint64 k = 0; k < n_buckets; k++)
    {
      gint64 row = FLOW_DATA (gint64, buckets)[k];
      const FlowTensor *from = row >= 0 ? self->contents->keys : self->empty_key;

      _flow_replace_cells (self->key_dtype, (guint8 *) keys->data + (gsize) k * key_size,
                           (const guint8 *) from->data + (gsize) MAX (row, 0) * key_size, 1);
      if (row >= 0)
        _flow_replace_cells (self->value_dtype, (guint8 *) values->data + (gsize) k * value_size,
                             (const guint8 *) self->contents->values->data + (gsize) row * value_size, self->width);
    }
  return TRUE;
}

/* --- making ------------------------------------------------------------------------------------------------------------------- */

typedef struct {
  char *container;
  char *name;
} Names;

static void
names_free (gpointer data)
{
  Names *names = data;

  g_free (names->container);
  g_free (names->name);
  g_free (names);
}

static gpointer
names_construct (FlowKernelConstruction  *c,
                 GError                 **error)
{
  const char *container = flow_attr_get_string (flow_construction_attr (c, "container"), NULL);
  const char *name = flow_attr_get_string (flow_construction_attr (c, "shared_name"), NULL);
  gboolean by_node = flow_attr_get_bool (flow_construction_attr (c, "use_node_name_sharing"));
  Names *names = g_new0 (Names, 1);

  names->container = g_strdup (container != NULL && *container != '\0' ? container : "localhost");
  if (name != NULL && *name != '\0')
    names->name = g_strdup (name);
  else
    names->name = by_node ? g_strdup (c->node_name) : g_strdup_printf ("_0_%s", c->node_name);
  return names;
}

static gboolean
check_marks (FlowKernelContext  *c,
             GError            **error)
{
  FlowTensor *empty = flow_kernel_input (c, 0);
  FlowTensor *deleted = flow_kernel_input (c, 1);
  FlowShape *values = flow_attr_get_shape (flow_kernel_attr (c, "value_shape"));
  float load = flow_kernel_attr_float (c, "max_load_factor");
  gint64 buckets = flow_kernel_attr_int (c, "initial_num_buckets");

  if (!(load > 0 && load < 1))
    return _flow_refuse (error, "max_load_factor must be between 0 and 1, got: %s", _flow_float_text (load).text);
  if (values->rank > 1 || !flow_shape_is_known (values))
    {
      g_autofree char *text = flow_shape_to_string (values);

      return _flow_refuse (error, "Empty value must be a scalar or a vector, got shape %s", text);
    }
  if (FLOW_RANK (empty) > 1)
    return _flow_refuse_shapes (error, empty, NULL, "Empty key must be a scalar or a vector, got shape %s");
  if (!flow_shape_equal (deleted->shape, empty->shape))
    return _flow_refuse_shapes (error, empty, deleted, "Empty and deleted keys must have same shape, got shapes: %s and %s");
  FLOW_REQUIRE (flow_is_scalar (empty), error, UNIMPLEMENTED, "Keys that are vectors are not supported here");
  if (_flow_table_same_key (empty, 0, deleted, 0))
    return _flow_refuse (error, "Empty and deleted keys cannot be equal");
  if (buckets < 4 || (buckets & (buckets - 1)) != 0)
    return _flow_refuse (error, "Number of buckets must be at least 4 and a power of 2, got: %" G_GINT64_FORMAT, buckets);
  return TRUE;
}

static FlowTable *
new_table (FlowKernelContext  *c,
           const Names        *names,
           FlowDType           key_dtype,
           FlowDType           value_dtype,
           GError            **error)
{
  FlowTable *table;

  /* TF: the kernel of the old form asks for an input that the old form does not have. */
  if (c->n_inputs == 1)
    {
      _flow_refuse (error, "Unknown input name: deleted_key");
      return NULL;
    }
  if (!check_marks (c, error))
    return NULL;
  table = _flow_table_new (names->container, names->name, key_dtype, value_dtype, TRUE,
                           flow_attr_get_shape (flow_kernel_attr (c, "value_shape")));
  table->empty_key = flow_tensor_ref (flow_kernel_input (c, 0));
  table->deleted_key = flow_tensor_ref (flow_kernel_input (c, 1));
  table->n_buckets = flow_kernel_attr_int (c, "initial_num_buckets");
  table->max_load = flow_kernel_attr_float (c, "max_load_factor");
  if (flow_kernel_publish (c, table, error))
    return table;
  flow_resource_unref (table);
  return NULL;
}

static gboolean
dense_compute (FlowKernelContext  *c,
               GError            **error)
{
  const Names *names = flow_kernel_data (c);
  FlowDType key_dtype = flow_dtype_base (flow_kernel_attr_dtype (c, "key_dtype"));
  FlowDType value_dtype = flow_dtype_base (flow_kernel_attr_dtype (c, "value_dtype"));
  FlowTable *table = flow_kernel_lookup (c, names->container, names->name, &_flow_table_class, NULL);
  gboolean ok = TRUE;

  if (table == NULL)
    table = new_table (c, names, key_dtype, value_dtype, error);
  else if (table->key_dtype != key_dtype || table->value_dtype != value_dtype)
    ok = _flow_refuse (error, "Conflicting key/value dtypes %s->%s with %s-%s for table %s", flow_dtype_string (key_dtype),
                       flow_dtype_string (value_dtype), flow_dtype_string (table->key_dtype),
                       flow_dtype_string (table->value_dtype), names->name);
  if (table == NULL)
    return FALSE;
  ok = ok && _flow_put_handle (c, 0, &table->parent, NULL, FLOW_DTYPE_INVALID, NULL, error);
  flow_resource_unref (table);
  return ok;
}

static gboolean
dense_v1_infer (FlowInferContext  *c,
                GError           **error)
{
  flow_infer_take_output (c, 0, flow_shape_new_vector (2));
  return TRUE;
}

static gboolean
dense_infer (FlowInferContext  *c,
             GError           **error)
{
  flow_infer_take_output (c, 0, flow_shape_new_scalar ());
  flow_infer_set_handle (c, 0, flow_infer_attr_dtype (c, "value_dtype"), flow_infer_attr_shape (c, "value_shape"));
  return TRUE;
}

#define DENSE_OP(op, in, out, infer_func)                                                           \
  { .name = op, .inputs = in, .outputs = out,                                                       \
    .attrs = "container: string = \"\"; shared_name: string = \"\"; use_node_name_sharing: bool = " \
             "false; key_dtype: type; value_dtype: type; value_shape: shape = { }; "                \
             "initial_num_buckets: int = 131072; max_load_factor: float = 0.8",                     \
    .summary = "A table in buckets", .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_IO,        \
    .infer = infer_func,                                                                            \
    .kernels = (const FlowKernelDef[]) {                                                            \
      { "key_dtype: int32 int64 string; value_dtype: float double int32 int64 bool variant",        \
        dense_compute, names_construct, names_free },                                               \
      { NULL } } }

static const FlowOpDef ops[] = {
  DENSE_OP ("MutableDenseHashTable", "empty_key: key_dtype", "table_handle: Ref(string)", dense_v1_infer),
  DENSE_OP ("MutableDenseHashTableV2", "empty_key: key_dtype; deleted_key: key_dtype", "table_handle: resource", dense_infer),
};

FLOW_DEFINE_OP_FAMILY (lookup_dense, ops)
