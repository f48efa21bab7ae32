/* flow-kernels-state_ref.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reference variables, and what assigns to them.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-elementwise-private.h"

#include <string.h>

/* --- Variable, VariableV2, TemporaryVariable -------------------------------------------------------- */

typedef struct {
  char *container;
  char *name;
  FlowDType dtype;
  FlowShape *shape;
} VariableData;

static void
variable_destruct (gpointer data)
{
  VariableData *variable = data;

  g_free (variable->container);
  g_free (variable->name);
  flow_shape_unref (variable->shape);
  g_free (variable);
}

static gpointer
variable_construct (FlowKernelConstruction *c,
                    GError                **error)
{
  const char *container = flow_attr_get_string (flow_construction_attr (c, "container"), NULL);
  const char *name = flow_attr_get_string (flow_construction_attr (c, "shared_name"), NULL);
  VariableData *data;

  if (name != NULL && *name == '_')
    {
      _flow_refuse (error, "shared_name cannot start with '_':%s", name);
      return NULL;
    }
  data = g_new0 (VariableData, 1);
  data->container = g_strdup (container != NULL && *container != '\0' ? container : "localhost");
  data->name = g_strdup (name != NULL && *name != '\0' ? name : c->node_name);
  data->dtype = flow_dtype_base (flow_attr_get_dtype (flow_construction_attr (c, "dtype")));
  data->shape = flow_shape_ref (flow_attr_get_shape (flow_construction_attr (c, "shape")));
  return data;
}

static gboolean
variable_infer (FlowInferContext *c,
                GError          **error)
{
  FlowShape *shape = flow_infer_attr_shape (c, "shape");

  /* The oldest writers said "unknown" by a scalar too; what runs here goes by the value itself. */
  flow_infer_set_output (c, 0, shape);
  return TRUE;
}

/* A found variable must hold what this node promises its readers. */
static gboolean
check_shared (const FlowVariable *variable,
              const VariableData *data,
              GError            **error)
{
  if (variable->dtype != data->dtype)
    return _flow_refuse (error, "Trying to use variable %s with wrong dtype. Expected %s got %s", data->name,
                         flow_dtype_string (data->dtype), flow_dtype_string (variable->dtype));
  return TRUE;
}

static gboolean
variable_compute (FlowKernelContext *c,
                  GError           **error)
{
  const VariableData *data = flow_kernel_data (c);
  FlowVariable *variable = flow_kernel_lookup (c, data->container, data->name, &flow_variable_class, NULL);

  if (variable == NULL)
    {
      variable = flow_variable_new (data->container, data->name, data->dtype, data->shape);
      if (!flow_kernel_publish (c, variable, error))
        {
          flow_resource_unref (variable);
          return FALSE;
        }
    }
  if (!check_shared (variable, data, error))
    {
      flow_resource_unref (variable);
      return FALSE;
    }
  flow_kernel_set_output_ref (c, 0, variable);
  flow_resource_unref (variable);
  return TRUE;
}

static const char *
temporary_name (FlowKernelContext *c)
{
  const char *name = flow_kernel_attr_string (c, "var_name");

  return name != NULL && *name != '\0' ? name : c->node_name;
}

static gboolean
temporary_variable_compute (FlowKernelContext *c,
                            GError           **error)
{
  const char *container = c->host->step_container (c->host_data);
  FlowDType dtype = flow_dtype_base (flow_kernel_attr_dtype (c, "dtype"));
  FlowShape *shape = flow_attr_get_shape (flow_kernel_attr (c, "shape"));
  g_autoptr (FlowTensor) value = flow_tensor_new_zeros (dtype, shape, c->budget, error);
  FlowVariable *variable;
  gboolean published;

  /* TF: its memory is there from the start, with whatever is in it. */
  if (value == NULL)
    return FALSE;
  variable = flow_variable_new (container, temporary_name (c), dtype, shape);
  flow_variable_take_value (variable, g_steal_pointer (&value));
  published = flow_kernel_publish (c, variable, error);
  if (published)
    flow_kernel_set_output_ref (c, 0, variable);
  flow_resource_unref (variable);
  return published;
}

/* TF: what is not there would have been of a class of its own. */
static void
name_temporary_class (GError **error)
{
  g_autoptr (GString) text = NULL;

  if (error == NULL || *error == NULL)
    return;
  text = g_string_new ((*error)->message);
  g_string_replace (text, flow_variable_class.type_name, "N10tensorflow19TemporaryVariableOp6TmpVarE", 0);
  g_free ((*error)->message);
  (*error)->message = g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
destroy_temporary_variable_compute (FlowKernelContext *c,
                                    GError           **error)
{
  const char *container = c->host->step_container (c->host_data);
  FlowVariable *input = flow_kernel_input_ref (c, 0);
  FlowVariable *variable;
  gboolean removed;

  if (!_flow_variable_require (input, error))
    return FALSE;
  variable = flow_kernel_lookup (c, container, flow_kernel_attr_string (c, "var_name"), &flow_variable_class, error);
  if (variable == NULL)
    {
      name_temporary_class (error);
      return FALSE;
    }
  flow_kernel_set_output (c, 0, input->value);
  removed = flow_kernel_remove (c, variable, error);
  flow_resource_unref (variable);
  return removed;
}

/* --- Assign, AssignAdd, AssignSub --------------------------------------------------------------------- */

static gboolean
assign_infer (FlowInferContext *c,
              GError          **error)
{
  g_autoptr (FlowShape) merged = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_attr_bool (c, "validate_shape"))
    {
      flow_infer_set_output (c, 0, flow_infer_input (c, 1));
      return TRUE;
    }
  if (!flow_infer_merge (c, flow_infer_input (c, 0), flow_infer_input (c, 1), &merged, error))
    return FALSE;
  flow_infer_set_output (c, 0, merged);
  return TRUE;
}

static gboolean
assign_compute (FlowKernelContext *c,
                GError           **error)
{
  FlowVariable *variable = flow_kernel_input_ref (c, 0);
  FlowTensor *value = flow_kernel_input (c, 1);
  g_autoptr (FlowShape) held = NULL;

  if (value->dtype != variable->dtype)
    return _flow_refuse (error, "Assign requires the dtype %s, not %s", flow_dtype_string (variable->dtype),
                         flow_dtype_string (value->dtype));
  /* TF: a variable of unknown rank is a scalar until it is first assigned to. */
  if (variable->value != NULL)
    held = flow_shape_ref (variable->value->shape);
  else if (variable->shape->rank == FLOW_RANK_UNKNOWN)
    held = flow_shape_new_scalar ();
  else
    held = flow_shape_ref (variable->shape);
  if (flow_kernel_attr_bool (c, "validate_shape") && !flow_shape_is_compatible (held, value->shape))
    {
      g_autofree char *left = flow_shape_to_string (held);
      g_autofree char *right = flow_tensor_shape_text (value);

      return _flow_refuse (error, "Assign requires shapes of both tensors to match. lhs shape= %s rhs shape= %s",
                           left, right);
    }
  flow_kernel_will_write (c, variable);
  flow_variable_take_value (variable, flow_tensor_ref (value));
  flow_kernel_wrote (c, variable);
  flow_kernel_set_output_ref (c, 0, variable);
  return TRUE;
}

static gboolean
assign_update_infer (FlowInferContext *c,
                     GError          **error)
{
  g_autoptr (FlowShape) merged = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_merge (c, flow_infer_input (c, 0), flow_infer_input (c, 1), &merged, error))
    return FALSE;
  flow_infer_set_output (c, 0, merged);
  return TRUE;
}

static gboolean
assign_update (FlowKernelContext *c,
               FlowCombine        combine,
               GError           **error)
{
  FlowVariable *variable = flow_kernel_input_ref (c, 0);
  FlowTensor *value = flow_kernel_input (c, 1);
  FlowCombineFunc func = _flow_combine_func (combine, value->dtype);
  FlowTensor *own;

  if (!_flow_variable_require (variable, error))
    return FALSE;
  if (!flow_shape_equal (variable->value->shape, value->shape))
    return _flow_refuse (error, "Parameters and update must be the same size");
  FLOW_REQUIRE (func != NULL && variable->value->dtype == value->dtype, error, UNIMPLEMENTED,
                "no sum of %s and %s", flow_dtype_string (variable->value->dtype), flow_dtype_string (value->dtype));
  flow_kernel_will_write (c, variable);
  own = flow_variable_own_value (variable, FALSE, c->budget, error);
  if (own == NULL)
    return FALSE;
  /* v += v: the variable's own cells are read before they are written, so the two may be one. */
  func (own->data, value->data, own->n_elements, 1);
  flow_kernel_wrote (c, variable);
  flow_kernel_set_output_ref (c, 0, variable);
  return TRUE;
}

static gboolean
assign_add_compute (FlowKernelContext *c,
                    GError           **error)
{
  return assign_update (c, FLOW_COMBINE_ADD, error);
}

static gboolean
assign_sub_compute (FlowKernelContext *c,
                    GError           **error)
{
  return assign_update (c, FLOW_COMBINE_SUB, error);
}

/* --- IsVariableInitialized, CountUpTo ------------------------------------------------------------------ */

static gboolean
is_variable_initialized_compute (FlowKernelContext *c,
                                 GError           **error)
{
  flow_kernel_take_output (c, 0, flow_tensor_new_bool (flow_kernel_input_ref (c, 0)->value != NULL));
  return TRUE;
}

static gboolean
count_up_to_infer (FlowInferContext *c,
                   GError          **error)
{
  g_autoptr (FlowShape) scalar = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 0, &scalar, error))
    return FALSE;
  flow_infer_set_output (c, 0, scalar);
  return TRUE;
}

/* Counts @variable up, unless it has reached the limit; the output is the count before. */
static gboolean
count_up (FlowKernelContext *c,
          FlowVariable      *variable,
          GError           **error)
{
  gint64 limit = flow_kernel_attr_int (c, "limit");
  gint64 before;
  FlowTensor *own;
  FlowTensor *out;

  if (!_flow_variable_require (variable, error))
    return FALSE;
  if (!flow_is_scalar (variable->value))
    return _flow_refuse_shapes (error, variable->value, NULL, "input is not a scalar: %s");
  if (variable->value->dtype != flow_dtype_base (c->output_dtypes[0]))
    return _flow_refuse (error, "CountUpTo of a variable of type %s", flow_dtype_string (variable->value->dtype));
  before = flow_index_at (variable->value, 0);
  FLOW_REQUIRE (before < limit, error, OUT_OF_RANGE, "Reached limit of %" G_GINT64_FORMAT, limit);
  out = flow_kernel_allocate_dims (c, 0, 0, NULL, error);
  if (out == NULL)
    return FALSE;
  memcpy (out->data, variable->value->data, out->n_bytes);
  flow_kernel_will_write (c, variable);
  own = flow_variable_own_value (variable, FALSE, c->budget, error);
  if (own == NULL)
    return FALSE;
  if (own->dtype == FLOW_DTYPE_INT32)
    FLOW_WRITABLE (gint32, own)[0] = (gint32) (before + 1);
  else
    FLOW_WRITABLE (gint64, own)[0] = before + 1;
  flow_kernel_wrote (c, variable);
  return TRUE;
}

static gboolean
count_up_to_compute (FlowKernelContext *c,
                     GError           **error)
{
  return count_up (c, flow_kernel_input_ref (c, 0), error);
}

static gboolean
resource_count_up_to_infer (FlowInferContext *c,
                            GError          **error)
{
  flow_infer_take_output (c, 0, flow_shape_new_scalar ());
  return TRUE;
}

static gboolean
resource_count_up_to_compute (FlowKernelContext *c,
                              GError           **error)
{
  FlowVariable *variable = flow_kernel_lookup_handle (c, 0, &flow_variable_class, error);
  gboolean ok;

  if (variable == NULL)
    return FALSE;
  ok = count_up (c, variable, error);
  flow_resource_unref (variable);
  return ok;
}

static const FlowOpDef ops[] = {
  {
    .name = "Assign",
    .inputs = "ref: Ref(T); value: T",
    .outputs = "output_ref: Ref(T)",
    .attrs = "T: type; validate_shape: bool = true; use_locking: bool = true",
    .summary = "Gives a variable a value",
    .flags = FLOW_OP_ALLOWS_UNINITIALIZED,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = assign_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string qint8 quint8 quint16 qint32 resource variant",
        assign_compute },
      { NULL },
    },
  },
  {
    .name = "AssignAdd",
    .inputs = "ref: Ref(T); value: T",
    .outputs = "output_ref: Ref(T)",
    .attrs = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
             "qint32, bfloat16, uint16, complex128, half, uint32, uint64}; use_locking: bool = "
             "false",
    .summary = "Adds to a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = assign_update_infer,
    .flops = flow_flops_output,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128",
        assign_add_compute },
      { NULL },
    },
  },
  {
    .name = "AssignSub",
    .inputs = "ref: Ref(T); value: T",
    .outputs = "output_ref: Ref(T)",
    .attrs = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
             "qint32, bfloat16, uint16, complex128, half, uint32, uint64}; use_locking: bool = "
             "false",
    .summary = "Subtracts from a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = assign_update_infer,
    .flops = flow_flops_output,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128",
        assign_sub_compute },
      { NULL },
    },
  },
  {
    .name = "CountUpTo",
    .inputs = "ref: Ref(T)",
    .outputs = "output: T",
    .attrs = "limit: int; T: {int32, int64}",
    .summary = "Counts a variable up to a limit",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = count_up_to_infer,
    .kernels = (const FlowKernelDef[]) { { "T: int32 int64", count_up_to_compute }, { NULL } },
  },
  {
    .name = "DestroyTemporaryVariable",
    .inputs = "ref: Ref(T)",
    .outputs = "value: T",
    .attrs = "T: type; var_name: string",
    .summary = "The value of a temporary variable, which ends",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, destroy_temporary_variable_compute }, { NULL } },
  },
  {
    .name = "IsVariableInitialized",
    .inputs = "ref: Ref(dtype)",
    .outputs = "is_initialized: bool",
    .attrs = "dtype: type",
    .summary = "Whether a variable has a value",
    .flags = FLOW_OP_ALLOWS_UNINITIALIZED,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, is_variable_initialized_compute }, { NULL } },
  },
  {
    .name = "ResourceCountUpTo",
    .inputs = "resource: resource",
    .outputs = "output: T",
    .attrs = "limit: int; T: {int32, int64}",
    .summary = "Counts a resource variable up to a limit",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = resource_count_up_to_infer,
    .kernels = (const FlowKernelDef[]) { { "T: int32 int64", resource_count_up_to_compute }, { NULL } },
  },
  {
    .name = "TemporaryVariable",
    .outputs = "ref: Ref(dtype)",
    .attrs = "shape: shape; dtype: type; var_name: string = \"\"",
    .summary = "A variable that lives as long as the run",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_infer_explicit_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, temporary_variable_compute }, { NULL } },
  },
  {
    .name = "Variable",
    .outputs = "ref: Ref(dtype)",
    .attrs = "shape: shape; dtype: type; container: string = \"\"; shared_name: string = \"\"",
    .summary = "A variable of the session, by reference",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = variable_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, variable_compute, variable_construct, variable_destruct }, { NULL } },
  },
  {
    .name = "VariableV2",
    .outputs = "ref: Ref(dtype)",
    .attrs = "shape: shape; dtype: type; container: string = \"\"; shared_name: string = \"\"",
    .summary = "A variable of the session, by reference",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_infer_explicit_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, variable_compute, variable_construct, variable_destruct }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (state_ref, ops)
