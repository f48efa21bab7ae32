/* flow-kernels-lookup.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tables from keys to values.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-step-private.h"
#include "flow-lookup-table-private.h"

#include <string.h>

/* --- making ----------------------------------------------------------------------------------------------- */

typedef struct {
  FlowPlace place;
  FlowDType key_dtype;
  FlowDType value_dtype;
  FlowShape *value_shape;
} TableData;

static void
table_destruct (gpointer pointer)
{
  TableData *data = pointer;

  _flow_place_clear (&data->place);
  g_clear_pointer (&data->value_shape, flow_shape_unref);
  g_free (data);
}

static gpointer
table_construct (FlowKernelConstruction *c,
                 GError                **error)
{
  gboolean by_node = flow_attr_get_bool (flow_construction_attr (c, "use_node_name_sharing"));
  FlowAttr *shape = flow_construction_attr (c, "value_shape");
  TableData *data = g_new0 (TableData, 1);

  if (!_flow_place_init (&data->place, c, by_node, error))
    {
      g_free (data);
      return NULL;
    }
  data->key_dtype = flow_dtype_base (flow_attr_get_dtype (flow_construction_attr (c, "key_dtype")));
  data->value_dtype = flow_dtype_base (flow_attr_get_dtype (flow_construction_attr (c, "value_dtype")));
  if (shape != NULL)
    data->value_shape = flow_shape_ref (flow_attr_get_shape (shape));
  else
    data->value_shape = flow_shape_new_scalar ();
  return data;
}

static gboolean
table_v1_infer (FlowInferContext *c,
                GError          **error)
{
  flow_infer_take_output (c, 0, flow_shape_new_vector (2));
  return TRUE;
}

static gboolean
make_table (FlowKernelContext *c,
            gboolean           is_mutable,
            GError           **error)
{
  TableData *data = flow_kernel_data (c);
  FlowTable *table = _flow_place_lookup (&data->place, c, &_flow_table_class);
  gboolean ok = TRUE;

  if (table == NULL)
    {
      table = _flow_table_new (data->place.container, _flow_place_name (&data->place), data->key_dtype, data->value_dtype, is_mutable,
                               data->value_shape);
      ok = flow_kernel_publish (c, table, error);
    }
  else if (table->key_dtype != data->key_dtype || table->value_dtype != data->value_dtype)
    {
      ok = _flow_refuse (error, "Conflicting key/value dtypes %s->%s with %s-%s for table %s",
                         flow_dtype_string (data->key_dtype), flow_dtype_string (data->value_dtype),
                         flow_dtype_string (table->key_dtype), flow_dtype_string (table->value_dtype),
                         _flow_place_name (&data->place));
    }
  ok = ok && _flow_put_handle (c, 0, &table->parent, NULL, FLOW_DTYPE_INVALID, NULL, error);
  flow_resource_unref (table);
  return ok;
}

static gboolean
hash_table_compute (FlowKernelContext *c,
                    GError           **error)
{
  return make_table (c, FALSE, error);
}

static gboolean
mutable_hash_table_compute (FlowKernelContext *c,
                            GError           **error)
{
  return make_table (c, TRUE, error);
}

/* Values are vectors, all of one length. */
static gboolean
table_of_tensors_compute (FlowKernelContext *c,
                          GError           **error)
{
  const TableData *data = flow_kernel_data (c);
  g_autofree char *text = flow_shape_to_string (data->value_shape);

  if (data->value_shape->rank != 1 || data->value_shape->dims[0] < 0)
    return _flow_refuse (error, "Default value must be a vector, got shape %s", text);
  return make_table (c, TRUE, error);
}

/* --- tables of one run ------------------------------------------------------------------------------------------- */

static gpointer
new_anonymous (FlowKernelContext        *c,
               const FlowResourceClass  *klass,
               const char               *container,
               const char               *name)
{
  FlowAttr *shape = flow_kernel_attr (c, "value_shape");
  g_autoptr (FlowShape) scalar = flow_shape_new_scalar ();

  return _flow_table_new (container, name, (FlowDType) flow_kernel_attr_dtype (c, "key_dtype"),
                          (FlowDType) flow_kernel_attr_dtype (c, "value_dtype"),
                          !g_str_equal (c->signature->name, "AnonymousHashTable"),
                          shape != NULL ? flow_attr_get_shape (shape) : scalar);
}

static gboolean
anonymous_compute (FlowKernelContext *c,
                   GError           **error)
{
  FlowAttr *attr = flow_kernel_attr (c, "value_shape");

  if (attr != NULL)
    {
      const FlowShape *shape = flow_attr_get_shape (attr);
      g_autofree char *text = flow_shape_to_string (shape);

      if (shape->rank != 1 || shape->dims[0] < 0)
        return _flow_refuse (error, "Default value must be a vector, got shape %s", text);
    }
  return _flow_put_anonymous (c, &_flow_table_class, new_anonymous, c->signature->name, error);
}

static gboolean
table_of_tensors_infer (FlowInferContext *c,
                        GError          **error)
{
  flow_infer_take_output (c, 0, flow_shape_new_scalar ());
  flow_infer_set_handle (c, 0, flow_infer_attr_dtype (c, "value_dtype"), flow_infer_attr_shape (c, "value_shape"));
  return TRUE;
}

static gboolean
table_of_scalars_infer (FlowInferContext *c,
                        GError          **error)
{
  g_autoptr (FlowShape) scalar = flow_shape_new_scalar ();

  flow_infer_set_output (c, 0, scalar);
  flow_infer_set_handle (c, 0, flow_infer_attr_dtype (c, "value_dtype"), scalar);
  return TRUE;
}

/* --- what the ops share -------------------------------------------------------------------------------------- */

gboolean
_flow_with_table (FlowKernelContext *c,
                  FlowTableFunc      func,
                  GError           **error)
{
  FlowTable *table = _flow_lookup_handle (c, 0, &_flow_table_class, NULL,
                                          "Lookup table handle must be scalar, but had shape: %s", error);
  gboolean ok;

  if (table == NULL)
    return FALSE;
  ok = func (c, table, error);
  flow_resource_unref (table);
  return ok;
}

static gboolean
check_signature (FlowKernelContext *c,
                 FlowTable         *table,
                 gboolean           has_output,
                 GError           **error)
{
  FlowDType key = flow_kernel_input (c, 1)->dtype;
  FlowDType value = flow_kernel_input (c, 2)->dtype;
  const char *handle = c->signature->inputs[0].is_ref ? "string_ref" : "resource";
  const char *table_value = flow_dtype_string (table->value_dtype);

  if (key == table->key_dtype && value == table->value_dtype)
    return TRUE;
  return _flow_refuse (error, "Signature mismatch, have: %s, %s, %s->%s expected: %s, %s, %s->%s", handle,
                       flow_dtype_string (key), flow_dtype_string (value),
                       has_output ? flow_dtype_string (c->output_dtypes[0]) : "", handle,
                       flow_dtype_string (table->key_dtype), table_value, has_output ? table_value : "");
}

/* --- find, size, export -------------------------------------------------------------------------------------- */

static gboolean
find_infer (FlowInferContext *c,
            GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (c->input_handles != NULL && c->input_handles[0].shape != NULL)
    {
      FlowShape *out;

      if (!flow_infer_concatenate (c, flow_infer_input (c, 1), c->input_handles[0].shape, &out, error))
        return FALSE;
      flow_infer_take_output (c, 0, out);
      return TRUE;
    }
  flow_infer_set_output (c, 0, flow_infer_input (c, 1));
  return TRUE;
}

/* Dims of one key: those of the empty one where a table has such; any other table's are scalars. */
static int
key_rank (FlowTable *table)
{
  return table->empty_key != NULL ? FLOW_RANK (table->empty_key) : 0;
}

static gboolean
check_keys (FlowTable         *table,
            const FlowTensor  *keys,
            GError           **error)
{
  return table->empty_key == NULL || _flow_dense_check_keys (table, keys, error);
}

/* @keys, with the dims of @value in the place of its last @n_key. */
static FlowShape *
replace_last_dims (const FlowTensor  *keys,
                   int                n_key,
                   const FlowShape   *value,
                   GError           **error)
{
  const int n = FLOW_RANK (keys) - n_key;
  FlowShape *shape;

  if (n + value->rank > FLOW_SHAPE_MAX_RANK)
    {
      _flow_refuse (error, "too many dimensions");
      return NULL;
    }
  shape = flow_shape_new_of_rank (n + value->rank);
  memcpy (shape->dims, FLOW_DIMS (keys), sizeof (gint64) * (gsize) n);
  memcpy (shape->dims + n, value->dims, sizeof (gint64) * (gsize) value->rank);
  return shape;
}

/* The shape of the values of @keys. */
static FlowShape *
rows_shape (FlowTable         *table,
            const FlowTensor  *keys,
            GError           **error)
{
  const int n = key_rank (table);

  if (n > FLOW_RANK (keys) || (n == 1 && FLOW_DIMS (keys)[FLOW_RANK (keys) - 1] != table->empty_key->n_elements))
    {
      _flow_refuse_shapes (error, keys, table->empty_key, "Input key shape %s must end with the table's key shape %s");
      return NULL;
    }
  return replace_last_dims (keys, n, table->value_shape, error);
}

static gboolean
find (FlowKernelContext *c,
      FlowTable         *table,
      GError           **error)
{
  FlowTensor *keys = flow_kernel_input (c, 1);
  FlowTensor *missing = flow_kernel_input (c, 2);
  gsize size = flow_dtype_size (table->value_dtype) * (gsize) table->width;
  g_autoptr (FlowShape) shape = NULL;
  FlowTensor *out;
  gint64 n;

  if (!check_signature (c, table, TRUE, error))
    return FALSE;
  if (!flow_shape_equal (missing->shape, table->value_shape))
    {
      g_autofree char *expected = flow_shape_to_string (table->value_shape);
      g_autofree char *given = flow_tensor_shape_text (missing);

      return _flow_refuse (error, "Expected shape %s for default value, got %s", expected, given);
    }
  FLOW_REQUIRE (table->contents != NULL || table->is_mutable, error, FAILED_PRECONDITION, "Table not initialized.");
  shape = rows_shape (table, keys, error);
  if (shape == NULL || !check_keys (table, keys, error))
    return FALSE;
  out = flow_kernel_allocate (c, 0, shape, error);
  if (out == NULL)
    return FALSE;
  n = keys->n_elements / (table->empty_key != NULL ? table->empty_key->n_elements : 1);
  for (gint64 i = 0; size > 0 && i < n; i++)
    {
      gint64 row = _flow_table_find (table, keys, i);

      FLOW_REQUIRE (row != FLOW_TABLE_IS_FULL, error, INTERNAL, "Internal error in MutableDenseHashTable lookup");
      memcpy ((char *) out->data + (gsize) i * size,
              row >= 0 ? (const char *) table->contents->values->data + (gsize) row * size : missing->data, size);
    }
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

static gboolean
find_compute (FlowKernelContext *c,
              GError           **error)
{
  return _flow_with_table (c, find, error);
}

static gboolean
put_size (FlowKernelContext *c,
          FlowTable         *table,
          GError           **error)
{
  flow_kernel_take_output (c, 0, flow_tensor_new_int64 (_flow_table_get_size (table)));
  return TRUE;
}

static gboolean
size_compute (FlowKernelContext *c,
              GError           **error)
{
  return _flow_with_table (c, put_size, error);
}

static gboolean
export_infer (FlowInferContext *c,
              GError          **error)
{
  g_autoptr (FlowShape) keys = flow_shape_new_vector (FLOW_DIM_UNKNOWN);
  FlowShape *values = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (c->input_handles == NULL || c->input_handles[0].shape == NULL)
    values = flow_shape_new_unknown ();
  else if (!flow_infer_concatenate (c, keys, c->input_handles[0].shape, &values, error))
    return FALSE;
  flow_infer_set_output (c, 0, keys);
  flow_infer_take_output (c, 1, values);
  return TRUE;
}

static gboolean
export (FlowKernelContext *c,
        FlowTable         *table,
        GError           **error)
{
  gint64 none = 0;

  if (flow_dtype_base (c->output_dtypes[0]) != table->key_dtype ||
      flow_dtype_base (c->output_dtypes[1]) != table->value_dtype)
    return _flow_refuse (error, "Export of a table from %s to %s", flow_dtype_string (table->key_dtype),
                         flow_dtype_string (table->value_dtype));
  if (table->empty_key != NULL)
    return _flow_dense_put_buckets (table, c, error);
  if (table->contents == NULL)
    return flow_kernel_allocate_dims (c, 0, 1, &none, error) != NULL &&
           flow_kernel_allocate_dims (c, 1, 1 + table->value_shape->rank,
                                      (gint64[]) { 0, table->value_shape->rank > 0 ? table->width : 0 }, error) != NULL;
  flow_kernel_set_output (c, 0, table->contents->keys);
  flow_kernel_set_output (c, 1, table->contents->values);
  return TRUE;
}

static gboolean
export_compute (FlowKernelContext *c,
                GError           **error)
{
  return _flow_with_table (c, export, error);
}

/* --- filling ------------------------------------------------------------------------------------------------- */

/* TF: a table of the immutable kind is filled once; again with as many rows is no error and no change. */
gboolean
_flow_table_fill (FlowKernelContext *c,
                  FlowTable         *table,
                  const FlowTensor  *keys,
                  const FlowTensor  *values,
                  gboolean           fresh,
                  GError           **error)
{
  FlowTableContents *contents;

  if (!table->is_mutable && keys->n_elements == 0)
    return _flow_refuse (error, "keys and values cannot be empty tensors.");
  if (!table->is_mutable && table->contents != NULL)
    {
      FLOW_REQUIRE (keys->n_elements == _flow_table_get_size (table), error, FAILED_PRECONDITION,
                    "Table was already initialized with different data.");
      return TRUE;
    }
  contents = _flow_table_with_rows (table, keys, values, fresh, c->budget, error);
  if (contents == NULL)
    return FALSE;
  flow_kernel_will_write (c, table);
  _flow_table_take (table, contents);
  flow_kernel_wrote (c, table);
  return TRUE;
}

static gboolean
initialize (FlowKernelContext *c,
            FlowTable         *table,
            GError           **error)
{
  FlowTensor *keys = flow_kernel_input (c, 1);
  FlowTensor *values = flow_kernel_input (c, 2);

  if (!check_signature (c, table, FALSE, error))
    return FALSE;
  FLOW_REQUIRE (!table->is_mutable, error, INVALID_ARGUMENT, "Table %s cannot be initialized", table->parent.name);
  if (!flow_is_vector (keys))
    return _flow_refuse_shapes (error, keys, NULL, "Keys must be a vector, but received shape%s");
  if (!flow_is_vector (values))
    return _flow_refuse_shapes (error, values, NULL, "Values must be a vector, but received shape%s");
  if (keys->n_elements != values->n_elements)
    return _flow_refuse (error, "Keys and values must have the same size %" G_GINT64_FORMAT " vs %" G_GINT64_FORMAT,
                         keys->n_elements, values->n_elements);
  return _flow_table_fill (c, table, keys, values, TRUE, error);
}

static gboolean
initialize_compute (FlowKernelContext *c,
                    GError           **error)
{
  return _flow_with_table (c, initialize, error);
}

/* @expected, which is taken, is the shape that the values of the keys must have; NULL where that failed. */
static gboolean
check_values (const FlowTensor  *values,
              FlowShape         *expected,
              GError           **error)
{
  g_autoptr (FlowShape) shape = expected;
  g_autofree char *wanted = NULL;
  g_autofree char *given = NULL;

  if (shape == NULL || flow_shape_equal (shape, values->shape))
    return shape != NULL;
  wanted = flow_shape_to_string (shape);
  given = flow_tensor_shape_text (values);
  return _flow_refuse (error, "Expected shape %s for value, got %s", wanted, given);
}

/* Tells the host; takes @contents, NULL where they failed. */
static gboolean
replace_contents (FlowKernelContext *c,
                  FlowTable         *table,
                  FlowTableContents *contents)
{
  if (contents == NULL)
    return FALSE;
  flow_kernel_will_write (c, table);
  _flow_table_take (table, contents);
  flow_kernel_wrote (c, table);
  return TRUE;
}

static gboolean
insert (FlowKernelContext *c,
        FlowTable         *table,
        GError           **error)
{
  FlowTensor *keys = flow_kernel_input (c, 1);
  FlowTensor *values = flow_kernel_input (c, 2);

  if (!check_signature (c, table, FALSE, error) || !check_values (values, rows_shape (table, keys, error), error))
    return FALSE;
  FLOW_REQUIRE (table->is_mutable, error, UNIMPLEMENTED, "Insert not supported by InitializableLookupTable implementations");
  if (!check_keys (table, keys, error))
    return FALSE;
  if (table->empty_key == NULL)
    return _flow_table_fill (c, table, keys, values, FALSE, error);
  return replace_contents (c, table, _flow_dense_with_rows (table, keys, values, c->budget, error));
}

static gboolean
insert_compute (FlowKernelContext *c,
                GError           **error)
{
  return _flow_with_table (c, insert, error);
}

/* TF: a table in buckets takes those of another as they are; they have a dimension for what is in a key or value,
 * be it one. */
static gboolean
import_buckets (FlowKernelContext *c,
                FlowTable         *table,
                GError           **error)
{
  FlowTensor *keys = flow_kernel_input (c, 1);
  FlowTensor *values = flow_kernel_input (c, 2);
  g_autoptr (FlowShape) wide = flow_shape_new_vector (table->width);
  g_autoptr (FlowShape) keyed = rows_shape (table, keys, error);

  return keyed != NULL && check_values (values, replace_last_dims (keys, MIN (FLOW_RANK (keys), 1), wide, error), error) &&
         replace_contents (c, table, _flow_dense_from_buckets (table, keys, values, error));
}

static gboolean
import (FlowKernelContext *c,
        FlowTable         *table,
        GError           **error)
{
  FlowTensor *keys = flow_kernel_input (c, 1);
  FlowTensor *values = flow_kernel_input (c, 2);

  if (!check_signature (c, table, FALSE, error))
    return FALSE;
  if (table->empty_key != NULL)
    return import_buckets (c, table, error);
  return check_values (values, rows_shape (table, keys, error), error) &&
         _flow_table_fill (c, table, keys, values, TRUE, error);
}

static gboolean
import_compute (FlowKernelContext *c,
                GError           **error)
{
  return _flow_with_table (c, import, error);
}

static gboolean
remove_keys (FlowKernelContext *c,
             FlowTable         *table,
             GError           **error)
{
  FlowTensor *keys = flow_kernel_input (c, 1);

  if (keys->dtype != table->key_dtype)
    return _flow_refuse (error, "Signature mismatch, have: resource, %s-> expected: resource, %s->",
                         flow_dtype_string (keys->dtype), flow_dtype_string (table->key_dtype));
  FLOW_REQUIRE (table->is_mutable, error, UNIMPLEMENTED, "Remove not supported by InitializableLookupTable implementations");
  if (!check_keys (table, keys, error))
    return FALSE;
  if (table->contents == NULL)
    return TRUE;
  if (table->empty_key != NULL)
    return replace_contents (c, table, _flow_dense_without_keys (table, keys, c->budget, error));
  return replace_contents (c, table, _flow_table_without_keys (table, keys, c->budget, error));
}

static gboolean
remove_compute (FlowKernelContext *c,
                GError           **error)
{
  return _flow_with_table (c, remove_keys, error);
}

#define ANONYMOUS(op, more, dtypes, infer_func, text)                                                     \
  { .name = op, .outputs = "table_handle: resource", .attrs = "key_dtype: type; value_dtype: type" more,  \
    .summary = text, .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_IO, .infer = infer_func,         \
    .kernels = (const FlowKernelDef[]) { { dtypes, anonymous_compute }, { NULL } } }

/* TF: the kernels that there are, as pairs of key and value. */
#define TABLE_KERNELS(func, by_text, by_int64, by_int32)                                                            \
  .kernels = (const FlowKernelDef[]) {                                                                              \
    { "key_dtype: string; value_dtype: float double int32 int64 " by_text, func, table_construct, table_destruct }, \
    { "key_dtype: int64; value_dtype: float double int32 int64 " by_int64, func, table_construct, table_destruct }, \
    { "key_dtype: int32; value_dtype: float double int32" by_int32, func, table_construct, table_destruct },        \
    { NULL } }

static const FlowOpDef ops[] = {
  ANONYMOUS ("AnonymousHashTable", "", "key_dtype: int32 int64 string; value_dtype: float double int32 int64 bool string",
             flow_infer_scalar_shape, "A table of this run that is filled once"),
  ANONYMOUS ("AnonymousMutableHashTable", "",
             "key_dtype: int32 int64 string; value_dtype: float double int32 int64 bool string variant", flow_infer_scalar_shape,
             "A table of this run that may be written"),
  ANONYMOUS ("AnonymousMutableHashTableOfTensors", "; value_shape: shape = { }",
             "key_dtype: int32 int64 string; value_dtype: float double int32 int64 bool string", table_of_tensors_infer,
             "A table of this run whose values are vectors"),
  {
    .name = "HashTable",
    .outputs = "table_handle: Ref(string)",
    .attrs = "container: string = \"\"; shared_name: string = \"\"; use_node_name_sharing: bool = "
             "false; key_dtype: type; value_dtype: type",
    .summary = "A table that is filled once",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = table_v1_infer,
    TABLE_KERNELS (hash_table_compute, "bool string", "string", " string"),
  },
  {
    .name = "HashTableV2",
    .outputs = "table_handle: resource",
    .attrs = "container: string = \"\"; shared_name: string = \"\"; use_node_name_sharing: bool = "
             "false; key_dtype: type; value_dtype: type",
    .summary = "A table that is filled once",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    TABLE_KERNELS (hash_table_compute, "bool string", "string", " string"),
  },
  {
    .name = "InitializeTable",
    .inputs = "table_handle: Ref(string); keys: Tkey; values: Tval",
    .attrs = "Tkey: type; Tval: type",
    .summary = "Fills a table",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, initialize_compute }, { NULL } },
  },
  {
    .name = "InitializeTableV2",
    .inputs = "table_handle: resource; keys: Tkey; values: Tval",
    .attrs = "Tkey: type; Tval: type",
    .summary = "Fills a table",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, initialize_compute }, { NULL } },
  },
  {
    .name = "LookupTableExport",
    .inputs = "table_handle: Ref(string)",
    .outputs = "keys: Tkeys; values: Tvalues",
    .attrs = "Tkeys: type; Tvalues: type",
    .summary = "All keys and values of a table",
    .family = FLOW_OP_FAMILY_IO,
    .infer = export_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, export_compute }, { NULL } },
  },
  {
    .name = "LookupTableExportV2",
    .inputs = "table_handle: resource",
    .outputs = "keys: Tkeys; values: Tvalues",
    .attrs = "Tkeys: type; Tvalues: type",
    .summary = "All keys and values of a table",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = export_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, export_compute }, { NULL } },
  },
  {
    .name = "LookupTableFind",
    .inputs = "table_handle: Ref(string); keys: Tin; default_value: Tout",
    .outputs = "values: Tout",
    .attrs = "Tin: type; Tout: type",
    .summary = "The values of keys, or a default",
    .family = FLOW_OP_FAMILY_IO,
    .infer = find_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, find_compute }, { NULL } },
  },
  {
    .name = "LookupTableFindV2",
    .inputs = "table_handle: resource; keys: Tin; default_value: Tout",
    .outputs = "values: Tout",
    .attrs = "Tin: type; Tout: type",
    .summary = "The values of keys, or a default",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = find_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, find_compute }, { NULL } },
  },
  {
    .name = "LookupTableImport",
    .inputs = "table_handle: Ref(string); keys: Tin; values: Tout",
    .attrs = "Tin: type; Tout: type",
    .summary = "Puts entries in place of all that a table has",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, import_compute }, { NULL } },
  },
  {
    .name = "LookupTableImportV2",
    .inputs = "table_handle: resource; keys: Tin; values: Tout",
    .attrs = "Tin: type; Tout: type",
    .summary = "Puts entries in place of all that a table has",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, import_compute }, { NULL } },
  },
  {
    .name = "LookupTableInsert",
    .inputs = "table_handle: Ref(string); keys: Tin; values: Tout",
    .attrs = "Tin: type; Tout: type",
    .summary = "Puts entries into a table",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, insert_compute }, { NULL } },
  },
  {
    .name = "LookupTableInsertV2",
    .inputs = "table_handle: resource; keys: Tin; values: Tout",
    .attrs = "Tin: type; Tout: type",
    .summary = "Puts entries into a table",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, insert_compute }, { NULL } },
  },
  {
    .name = "LookupTableRemoveV2",
    .inputs = "table_handle: resource; keys: Tin",
    .attrs = "Tin: type",
    .summary = "Takes keys out of a table",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, remove_compute }, { NULL } },
  },
  {
    .name = "LookupTableSize",
    .inputs = "table_handle: Ref(string)",
    .outputs = "size: int64",
    .summary = "How many entries a table has",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, size_compute }, { NULL } },
  },
  {
    .name = "LookupTableSizeV2",
    .inputs = "table_handle: resource",
    .outputs = "size: int64",
    .summary = "How many entries a table has",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, size_compute }, { NULL } },
  },
  {
    .name = "MutableHashTable",
    .outputs = "table_handle: Ref(string)",
    .attrs = "container: string = \"\"; shared_name: string = \"\"; use_node_name_sharing: bool = "
             "false; key_dtype: type; value_dtype: type",
    .summary = "A table",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = table_v1_infer,
    TABLE_KERNELS (mutable_hash_table_compute, "bool", "string variant", ""),
  },
  {
    .name = "MutableHashTableOfTensors",
    .outputs = "table_handle: Ref(string)",
    .attrs = "container: string = \"\"; shared_name: string = \"\"; use_node_name_sharing: bool = "
             "false; key_dtype: type; value_dtype: type; value_shape: shape = { }",
    .summary = "A table of vectors",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = table_v1_infer,
    TABLE_KERNELS (table_of_tensors_compute, "bool", "string", ""),
  },
  {
    .name = "MutableHashTableOfTensorsV2",
    .outputs = "table_handle: resource",
    .attrs = "container: string = \"\"; shared_name: string = \"\"; use_node_name_sharing: bool = "
             "false; key_dtype: type; value_dtype: type; value_shape: shape = { }",
    .summary = "A table of vectors",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = table_of_tensors_infer,
    TABLE_KERNELS (table_of_tensors_compute, "bool", "string", ""),
  },
  {
    .name = "MutableHashTableV2",
    .outputs = "table_handle: resource",
    .attrs = "container: string = \"\"; shared_name: string = \"\"; use_node_name_sharing: bool = "
             "false; key_dtype: type; value_dtype: type",
    .summary = "A table",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = table_of_scalars_infer,
    TABLE_KERNELS (mutable_hash_table_compute, "bool", "string variant", ""),
  },
};

FLOW_DEFINE_OP_FAMILY (lookup, ops)
