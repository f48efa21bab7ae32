/* flow-kernels-dataset_iterator.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Iterators over datasets, and optional elements.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-iterator-private.h"
#include "flow-step-private.h"
#include "flow-string-private.h"

#include <string.h>

/* --- making ----------------------------------------------------------------------------------------------- */

static gpointer
iterator_construct (FlowKernelConstruction  *c,
                    GError                 **error)
{
  FlowAttr *types = flow_construction_attr (c, "output_types");
  FlowAttr *shapes = flow_construction_attr (c, "output_shapes");

  /* TF: an iterator of one shot fails for its function first. */
  if (flow_attr_get_length (types) != flow_attr_get_length (shapes)
      && flow_construction_attr (c, "dataset_factory") == NULL)
    {
      _flow_refuse (error, "`output_types` and `output_shapes` must have the same length, got %" G_GSIZE_FORMAT
                    " and %" G_GSIZE_FORMAT, flow_attr_get_length (types), flow_attr_get_length (shapes));
      return NULL;
    }
  return _flow_place_construct (c, error);
}

static gpointer
make_iterator (FlowKernelContext        *c,
               G_GNUC_UNUSED const FlowResourceClass *klass,
               const char               *container,
               const char               *name)
{
  return _flow_iterator_new (container, name, flow_kernel_attr (c, "output_types"), flow_kernel_attr (c, "output_shapes"));
}

static gboolean
iterator_compute (FlowKernelContext *c,
                  GError           **error)
{
  return _flow_put_placed (c, &_flow_iterator_class, make_iterator, error);
}

static gboolean
anonymous_iterator_compute (FlowKernelContext *c,
                            GError           **error)
{
  return _flow_put_anonymous (c, &_flow_iterator_class, make_iterator, "AnonymousIterator", error);
}

/* TF: of this version nobody counts who has it, so that it lasts until it is destroyed: other runs may know its name. */
static gboolean
lasting_iterator_compute (FlowKernelContext *c,
                          GError           **error)
{
  return _flow_put_lasting (c, &_flow_iterator_class, make_iterator, "AnonymousIterator", error);
}

static gboolean
start_from_function (FlowKernelContext  *c,
                     FlowIterator       *iterator,
                     GError            **error)
{
  FlowAttr *factory = flow_kernel_attr (c, "dataset_factory");
  g_autoptr (FlowTensor) made = NULL;
  FlowDataset *dataset;

  if (!c->host->call_function (c->host_data, flow_attr_get_func_name (factory), flow_attr_get_func_attrs (factory),
                               FLOW_CALL_ON_ONE_DEVICE, NULL, 0, &made, 1, error))
    return FALSE;
  dataset = _flow_dataset_from_tensor (made, error);
  return dataset != NULL && _flow_iterator_start (iterator, c, dataset, error);
}

static gboolean
one_shot_compute (FlowKernelContext *c,
                  GError           **error)
{
  FlowIterator *iterator = _flow_place_lookup (flow_kernel_data (c), c, &_flow_iterator_class);
  const gboolean is_new = iterator == NULL;

  if (iterator == NULL)
    iterator = _flow_place_find (c, &_flow_iterator_class, make_iterator, error);
  if (iterator == NULL)
    return FALSE;
  if (iterator->position == NULL && !start_from_function (c, iterator, error))
    {
      /* TF: marks what went wrong in the function when it did, and not when it says so again. */
      if (is_new && error != NULL && *error != NULL && strstr ((*error)->message, "\n\t [[") != NULL &&
          !g_str_has_prefix ((*error)->message, "[_Derived_]"))
        g_prefix_error (error, "%s", "[_Derived_]");
      flow_resource_unref (iterator);
      return FALSE;
    }
  return _flow_put_taken (c, iterator, error);
}

static gboolean
make_iterator_compute (FlowKernelContext *c,
                       GError           **error)
{
  FlowDataset *dataset = _flow_dataset_from_tensor (flow_kernel_input (c, 0), error);
  FlowIterator *iterator = dataset != NULL ? flow_kernel_lookup_handle (c, 1, &_flow_iterator_class, error) : NULL;
  gboolean ok;

  if (iterator == NULL)
    return FALSE;
  ok = _flow_iterator_start (iterator, c, dataset, error);
  flow_resource_unref (iterator);
  return ok;
}

static gboolean
delete_iterator_compute (FlowKernelContext *c,
                         GError           **error)
{
  FlowIterator *iterator = flow_kernel_lookup_handle (c, 0, &_flow_iterator_class, error);
  gboolean ok;

  if (iterator == NULL)
    return FALSE;
  ok = flow_kernel_remove (c, iterator, error);
  flow_resource_unref (iterator);
  return ok;
}

/* --- elements ------------------------------------------------------------------------------------------------- */

static gboolean
get_next_compute (FlowKernelContext *c,
                  GError           **error)
{
  FlowIterator *iterator = flow_kernel_lookup_handle (c, 0, &_flow_iterator_class, error);
  FlowTuple *tuple = NULL;
  gboolean ok;

  if (iterator == NULL)
    return FALSE;
  ok = _flow_iterator_next (iterator, c, &tuple, error);
  flow_resource_unref (iterator);
  if (!ok)
    return FALSE;
  FLOW_REQUIRE (tuple != NULL, error, OUT_OF_RANGE, "End of sequence");
  ok = _flow_put_element (c, tuple, error);
  _flow_tuple_unref (tuple);
  return ok;
}

/* Takes @tuple, NULL for nothing. */
static gboolean
put_optional (FlowKernelContext  *c,
              FlowTuple          *tuple,
              GError            **error)
{
  g_autoptr (FlowOptional) optional = _flow_optional_new (tuple, error);

  if (optional == NULL)
    return FALSE;
  flow_kernel_take_output (c, 0, flow_tensor_new_variant (FLOW_VARIANT (optional)));
  return TRUE;
}

static gboolean
get_next_as_optional_compute (FlowKernelContext *c,
                              GError           **error)
{
  FlowIterator *iterator = flow_kernel_lookup_handle (c, 0, &_flow_iterator_class, error);
  FlowTuple *tuple = NULL;
  gboolean ok;

  if (iterator == NULL)
    return FALSE;
  ok = _flow_iterator_next (iterator, c, &tuple, error);
  flow_resource_unref (iterator);
  return ok && put_optional (c, tuple, error);
}

/* --- optional ------------------------------------------------------------------------------------------------- */

static gboolean
optional_from_value_compute (FlowKernelContext *c,
                             GError           **error)
{
  FlowTuple *tuple = _flow_tuple_new_counted (c->n_inputs, c->budget, error);

  if (tuple == NULL)
    return FALSE;
  for (guint i = 0; i < c->n_inputs; i++)
    tuple->tensors[i] = flow_tensor_ref (flow_kernel_input (c, i));
  return put_optional (c, tuple, error);
}

static gboolean
optional_none_compute (FlowKernelContext *c,
                       GError           **error)
{
  return put_optional (c, NULL, error);
}

static FlowOptional *
read_optional (FlowKernelContext  *c,
               const char         *what,
               GError            **error)
{
  const FlowTensor *tensor = flow_kernel_input (c, 0);
  FlowVariant *variant;

  if (!flow_is_scalar (tensor))
    {
      _flow_refuse (error, "Input to %s must be a scalar tensor containing an OptionalVariant object.", what);
      return NULL;
    }
  variant = flow_tensor_get_variant (tensor, 0);
  if (variant != NULL && FLOW_IS_OPTIONAL (variant))
    return FLOW_OPTIONAL (variant);
  _flow_refuse (error, "Input to %s must be an OptionalVariant object.", what);
  return NULL;
}

static gboolean
optional_has_value_compute (FlowKernelContext *c,
                            GError           **error)
{
  const FlowOptional *optional = read_optional (c, "OptionalHasValue", error);

  if (optional == NULL)
    return FALSE;
  flow_kernel_take_output (c, 0, flow_tensor_new_bool (optional->tuple != NULL));
  return TRUE;
}

static gboolean
optional_get_value_compute (FlowKernelContext *c,
                            GError           **error)
{
  const FlowOptional *optional = read_optional (c, "OptionalGetValue", error);

  if (optional == NULL)
    return FALSE;
  if (optional->tuple == NULL)
    return _flow_refuse (error, "The given optional does not have a value.");
  if (optional->tuple->n != c->n_outputs)
    return _flow_refuse (error, "The given optional has %u components, expected %u", optional->tuple->n, c->n_outputs);
  for (guint i = 0; i < c->n_outputs; i++)
    if (optional->tuple->tensors[i]->dtype != (FlowDType) flow_dtype_base (c->output_dtypes[i]))
      return _flow_refuse (error, "The given optional does not match the expected type for component %u. Expected: %s. "
                           "Actual: %s.", i, flow_dtype_string (c->output_dtypes[i]),
                           flow_dtype_string (optional->tuple->tensors[i]->dtype));
  return _flow_put_element (c, optional->tuple, error);
}

/* --- handles as strings ------------------------------------------------------------------------------------- */

static gboolean
to_string_handle_compute (FlowKernelContext *c,
                          GError           **error)
{
  FlowIterator *iterator = flow_kernel_lookup_handle (c, 0, &_flow_iterator_class, error);
  gboolean ok;

  if (iterator == NULL)
    return FALSE;
  ok = _flow_put_string_handle (c, &iterator->parent, error);
  flow_resource_unref (iterator);
  return ok;
}

/* What the node declares of the iterator, if anything, must fit it. */
static gboolean
check_components (FlowKernelContext  *c,
                  FlowIterator       *iterator,
                  GError            **error)
{
  FlowAttr *types = flow_kernel_attr (c, "output_types");
  FlowAttr *shapes = flow_kernel_attr (c, "output_shapes");
  FlowIterator *declared;
  gboolean ok;

  if (flow_attr_get_length (types) == 0)
    return TRUE;
  declared = _flow_iterator_new ("", "", types, shapes);
  ok = _flow_components_match (declared->n_components, declared->dtypes, declared->shapes, iterator->n_components,
                               iterator->dtypes, iterator->shapes, error);
  flow_resource_unref (declared);
  return ok;
}

static gboolean
from_string_handle_compute (FlowKernelContext *c,
                            GError           **error)
{
  FlowIterator *iterator = _flow_lookup_string_handle (c, &_flow_iterator_class, error);

  if (iterator == NULL)
    return FALSE;
  if (check_components (c, iterator, error))
    return _flow_put_taken (c, iterator, error);
  flow_resource_unref (iterator);
  return FALSE;
}

static gboolean
get_device_compute (FlowKernelContext *c,
                    GError           **error)
{
  flow_kernel_take_output (c, 0, flow_tensor_new_string (FLOW_ITERATOR_DEVICE, -1));
  return TRUE;
}

static const FlowOpDef ops[] = {
  {
    .name = "Iterator",
    .outputs = "handle: resource",
    .attrs = "shared_name: string; container: string; output_types: list(type) >= 1; "
             "output_shapes: list(shape) >= 1",
    .summary = "An iterator, to be initialised by MakeIterator",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, iterator_compute, iterator_construct, _flow_place_destruct }, { NULL } },
  },
  {
    .name = "IteratorV2",
    .outputs = "handle: resource",
    .attrs = "shared_name: string; container: string; output_types: list(type) >= 1; "
             "output_shapes: list(shape) >= 1",
    .summary = "An iterator, to be initialised by MakeIterator",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, iterator_compute, iterator_construct, _flow_place_destruct }, { NULL } },
  },
  {
    .name = "OneShotIterator",
    .outputs = "handle: resource",
    .attrs = "dataset_factory: func; output_types: list(type) >= 1; output_shapes: list(shape) >= "
             "1; container: string = \"\"; shared_name: string = \"\"",
    .summary = "An iterator over the dataset that a function makes",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, one_shot_compute, iterator_construct, _flow_place_destruct }, { NULL } },
  },
  {
    .name = "AnonymousIterator",
    .outputs = "handle: resource",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "An iterator that lasts until it is destroyed",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, lasting_iterator_compute }, { NULL } },
  },
  {
    .name = "AnonymousIteratorV2",
    .outputs = "handle: resource; deleter: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "An iterator of this run",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, anonymous_iterator_compute }, { NULL } },
  },
  {
    .name = "AnonymousIteratorV3",
    .outputs = "handle: resource",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "An iterator of this run",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, anonymous_iterator_compute }, { NULL } },
  },
  {
    .name = "DeleteIterator",
    .inputs = "handle: resource; deleter: variant",
    .summary = "Ends an iterator",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, delete_iterator_compute }, { NULL } },
  },
  {
    .name = "MakeIterator",
    .inputs = "dataset: variant; iterator: resource",
    .summary = "Puts an iterator to the beginning of a dataset",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, make_iterator_compute }, { NULL } },
  },
  {
    .name = "IteratorGetNext",
    .inputs = "iterator: resource",
    .outputs = "components: output_types",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "The next element of an iterator",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_components_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, get_next_compute }, { NULL } },
  },
  {
    .name = "IteratorGetNextSync",
    .inputs = "iterator: resource",
    .outputs = "components: output_types",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "The next element of an iterator",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_components_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, get_next_compute }, { NULL } },
  },
  {
    .name = "IteratorGetNextAsOptional",
    .inputs = "iterator: resource",
    .outputs = "optional: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "The next element of an iterator, or nothing at its end",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, get_next_as_optional_compute }, { NULL } },
  },
  {
    .name = "IteratorToStringHandle",
    .inputs = "resource_handle: resource",
    .outputs = "string_handle: string",
    .summary = "An iterator's name as a string",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, to_string_handle_compute }, { NULL } },
  },
  {
    .name = "IteratorFromStringHandle",
    .inputs = "string_handle: string",
    .outputs = "resource_handle: resource",
    .attrs = "output_types: list(type) >= 0 = []; output_shapes: list(shape) >= 0 = []",
    .summary = "The iterator that a string names",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, from_string_handle_compute }, { NULL } },
  },
  {
    .name = "IteratorFromStringHandleV2",
    .inputs = "string_handle: string",
    .outputs = "resource_handle: resource",
    .attrs = "output_types: list(type) >= 0 = []; output_shapes: list(shape) >= 0 = []",
    .summary = "The iterator that a string names",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, from_string_handle_compute }, { NULL } },
  },
  {
    .name = "IteratorGetDevice",
    .inputs = "resource: resource",
    .outputs = "device: string",
    .summary = "The device of an iterator",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, get_device_compute }, { NULL } },
  },
  {
    .name = "ExperimentalIteratorGetDevice",
    .inputs = "resource: resource",
    .outputs = "device: string",
    .summary = "The device of an iterator",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, get_device_compute }, { NULL } },
  },
  {
    .name = "OptionalFromValue",
    .inputs = "components: Toutput_types",
    .outputs = "optional: variant",
    .attrs = "Toutput_types: list(type) >= 1",
    .summary = "An optional that holds values",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, optional_from_value_compute }, { NULL } },
  },
  {
    .name = "OptionalNone",
    .outputs = "optional: variant",
    .summary = "An optional that holds nothing",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, optional_none_compute }, { NULL } },
  },
  {
    .name = "OptionalHasValue",
    .inputs = "optional: variant",
    .outputs = "has_value: bool",
    .summary = "Whether an optional holds values",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, optional_has_value_compute }, { NULL } },
  },
  {
    .name = "OptionalGetValue",
    .inputs = "optional: variant",
    .outputs = "components: output_types",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "What an optional holds",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_components_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, optional_get_value_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (dataset_iterator, ops)
