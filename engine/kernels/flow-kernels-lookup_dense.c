/* flow-kernels-lookup_dense.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tables in buckets behind one another, with one key that marks free ones and one that marks what was removed.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-lookup-table-private.h"
#include "flow-step-private.h"
#include "flow-summarize-private.h"

/* --- making ------------------------------------------------------------------------------------------------------------------- */

static gpointer
place_construct (FlowKernelConstruction  *c,
                 GError                 **error)
{
  return flow_attr_get_bool (flow_construction_attr (c, "use_node_name_sharing")) ? _flow_place_construct_by_node (c, error)
                                                                                  : _flow_place_construct (c, error);
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
  if (_flow_keys_are_same (empty, 0, deleted, 0, empty->n_elements))
    return _flow_refuse (error, "Empty and deleted keys cannot be equal");
  return _flow_dense_check_buckets (buckets, error);
}

static FlowTable *
new_table (FlowKernelContext  *c,
           FlowPlace          *place,
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
  table = _flow_table_new (place->container, _flow_place_name (place), key_dtype, value_dtype, TRUE,
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
  FlowPlace *place = flow_kernel_data (c);
  FlowDType key_dtype = flow_dtype_base (flow_kernel_attr_dtype (c, "key_dtype"));
  FlowDType value_dtype = flow_dtype_base (flow_kernel_attr_dtype (c, "value_dtype"));
  FlowTable *table = _flow_place_lookup (place, c, &_flow_table_class);
  gboolean ok = TRUE;

  if (table == NULL)
    table = new_table (c, place, key_dtype, value_dtype, error);
  else if (table->key_dtype != key_dtype || table->value_dtype != value_dtype)
    ok = _flow_refuse (error, "Conflicting key/value dtypes %s->%s with %s-%s for table %s", flow_dtype_string (key_dtype),
                       flow_dtype_string (value_dtype), flow_dtype_string (table->key_dtype),
                       flow_dtype_string (table->value_dtype), _flow_place_name (place));
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
      { "key_dtype: string; value_dtype: float double int32 int64 bool", dense_compute,             \
        place_construct, _flow_place_destruct },                                                              \
      { "key_dtype: int64; value_dtype: float double int32 int64 bool variant", dense_compute,      \
        place_construct, _flow_place_destruct },                                                              \
      { "key_dtype: int32; value_dtype: float double int32", dense_compute, place_construct,        \
        _flow_place_destruct },                                                                     \
      { NULL } } }

static const FlowOpDef ops[] = {
  DENSE_OP ("MutableDenseHashTable", "empty_key: key_dtype", "table_handle: Ref(string)", dense_v1_infer),
  DENSE_OP ("MutableDenseHashTableV2", "empty_key: key_dtype; deleted_key: key_dtype", "table_handle: resource", dense_infer),
};

FLOW_DEFINE_OP_FAMILY (lookup_dense, ops)
