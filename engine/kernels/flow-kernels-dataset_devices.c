/* flow-kernels-dataset_devices.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * One iterator that several devices take turns at: element k goes to device k modulo their number, whoever
 * asks first.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-iterator-private.h"
#include "flow-step-private.h"

typedef struct {
  FlowResource parent;
  guint n_devices;
  guint n_components;
  int *dtypes;
  FlowShape **shapes;
  /* The state: none before an initialiser was run. */
  FlowPosition *position;
  FlowMemory *memory;
  gint64 incarnation;          /* how often it was initialised */
  gint64 n_taken;              /* from the dataset, in this incarnation */
  GPtrArray *waiting;          /* of FlowTuple: elements taken for devices that did not ask yet, */
  GArray *owners;              /* and the numbers of those devices, of gint64 */
} Devices;

/* Positions are never written while a saved state holds them; what waits is few. */
typedef struct {
  FlowPosition *position;
  FlowMemory *memory;
  gint64 incarnation;
  gint64 n_taken;
  GPtrArray *waiting;
  GArray *owners;
} Saved;

static void
drop_state (Devices *self)
{
  g_clear_pointer (&self->position, _flow_position_unref);
  g_clear_pointer (&self->memory, _flow_memory_unref);
  g_ptr_array_set_size (self->waiting, 0);
  g_array_set_size (self->owners, 0);
}

static void
devices_finalize (FlowResource *resource)
{
  Devices *self = (Devices *) resource;

  drop_state (self);
  g_ptr_array_unref (self->waiting);
  g_array_unref (self->owners);
  for (guint i = 0; i < self->n_components; i++)
    flow_shape_unref (self->shapes[i]);
  g_free (self->shapes);
  g_free (self->dtypes);
}

static gpointer
devices_save (FlowResource *resource)
{
  const Devices *self = (Devices *) resource;
  Saved *saved = g_new (Saved, 1);

  saved->position = self->position != NULL ? _flow_position_ref (self->position) : NULL;
  saved->memory = self->memory != NULL ? _flow_memory_ref (self->memory) : NULL;
  saved->incarnation = self->incarnation;
  saved->n_taken = self->n_taken;
  saved->waiting = g_ptr_array_new_with_free_func (_flow_tuple_unref);
  for (guint i = 0; i < self->waiting->len; i++)
    g_ptr_array_add (saved->waiting, _flow_tuple_ref (self->waiting->pdata[i]));
  saved->owners = g_array_copy (self->owners);
  return saved;
}

static void
devices_restore (FlowResource  *resource,
                 gconstpointer  data)
{
  Devices *self = (Devices *) resource;
  const Saved *saved = data;

  drop_state (self);
  self->position = saved->position != NULL ? _flow_position_ref (saved->position) : NULL;
  self->memory = saved->memory != NULL ? _flow_memory_ref (saved->memory) : NULL;
  self->incarnation = saved->incarnation;
  self->n_taken = saved->n_taken;
  for (guint i = 0; i < saved->waiting->len; i++)
    g_ptr_array_add (self->waiting, _flow_tuple_ref (saved->waiting->pdata[i]));
  if (saved->owners->len > 0)
    g_array_append_vals (self->owners, saved->owners->data, saved->owners->len);
}

static void
saved_free (gpointer data)
{
  Saved *saved = data;

  g_clear_pointer (&saved->position, _flow_position_unref);
  g_clear_pointer (&saved->memory, _flow_memory_unref);
  g_ptr_array_unref (saved->waiting);
  g_array_unref (saved->owners);
  g_free (saved);
}

static gsize
saved_bytes (gconstpointer data)
{
  const Saved *saved = data;

  return sizeof *saved + sizeof (FlowPosition) + saved->waiting->len * (sizeof (gpointer) + sizeof (gint64));
}

static void
devices_visit (FlowResource        *resource,
               FlowResourceVisitor  visitor,
               gpointer             data)
{
  Devices *self = (Devices *) resource;

  if (self->position == NULL)
    return;
  _flow_position_visit (self->position, "", visitor, data);
  _flow_memory_visit (self->memory, visitor, data);
  for (guint i = 0; i < self->waiting->len; i++)
    {
      const FlowTuple *tuple = self->waiting->pdata[i];

      for (guint k = 0; k < tuple->n; k++)
        {
          g_autofree char *label = g_strdup_printf ("device %" G_GINT64_FORMAT "/%u/%u",
                                                    g_array_index (self->owners, gint64, i), i, k);

          visitor (label, tuple->tensors[k], data);
        }
    }
}

static char *
devices_describe (FlowResource *resource)
{
  Devices *self = (Devices *) resource;

  if (self->position == NULL)
    return g_strdup_printf ("%u devices, not initialised", self->n_devices);
  return g_strdup_printf ("%u devices, %u elements waiting", self->n_devices, self->waiting->len);
}

static const FlowResourceClass devices_class = {
  .type_name = "N10tensorflow4data12_GLOBAL__N_119MultiDeviceIteratorE",
  .finalize = devices_finalize,
  .save = devices_save,
  .restore = devices_restore,
  .saved_free = saved_free,
  .saved_bytes = saved_bytes,
  .visit = devices_visit,
  .describe = devices_describe,
};

/* --- making --------------------------------------------------------------------------------------------------- */

static void
place_destruct (gpointer place)
{
  _flow_place_clear (place);
  g_free (place);
}

static gpointer
devices_construct (FlowKernelConstruction  *c,
                   GError                 **error)
{
  FlowPlace *place = g_new0 (FlowPlace, 1);

  if (_flow_place_init (place, c, FALSE, error))
    return place;
  g_free (place);
  return NULL;
}

/* What a list of types and one of shapes declare; a shape that is not there is unknown. */
static guint
read_components (FlowKernelContext   *c,
                 int                **dtypes,
                 FlowShape         ***shapes)
{
  FlowAttr *types = flow_kernel_attr (c, "output_types");
  FlowAttr *list = flow_kernel_attr (c, "output_shapes");
  const gsize n = flow_attr_get_length (types);

  *dtypes = g_new0 (int, n + 1);
  *shapes = g_new0 (FlowShape *, n + 1);
  for (gsize i = 0; i < n; i++)
    {
      (*dtypes)[i] = flow_dtype_base (flow_attr_get_dtype (flow_attr_get_item (types, i)));
      (*shapes)[i] = i < flow_attr_get_length (list) ? flow_shape_ref (flow_attr_get_shape (flow_attr_get_item (list, i)))
                                                     : flow_shape_new_unknown ();
    }
  return (guint) n;
}

static gpointer
make_devices (FlowKernelContext        *c,
              const FlowResourceClass  *klass,
              const char               *container,
              const char               *name)
{
  Devices *self = flow_resource_alloc (klass, sizeof (Devices), container, name);

  self->n_devices = (guint) flow_attr_get_length (flow_kernel_attr (c, "devices"));
  self->n_components = read_components (c, &self->dtypes, &self->shapes);
  self->waiting = g_ptr_array_new_with_free_func (_flow_tuple_unref);
  self->owners = g_array_new (FALSE, TRUE, sizeof (gint64));
  return self;
}

static gboolean
devices_compute (FlowKernelContext *c,
                 GError           **error)
{
  return _flow_put_placed (c, &devices_class, make_devices, error);
}

static gboolean
anonymous_compute (FlowKernelContext *c,
                   GError           **error)
{
  return _flow_put_anonymous (c, &devices_class, make_devices, "AnonymousMultiDeviceIterator", error);
}

static gboolean
delete_compute (FlowKernelContext *c,
                GError           **error)
{
  Devices *self = flow_kernel_lookup_handle (c, 0, &devices_class, error);
  gboolean ok;

  if (self == NULL)
    return FALSE;
  ok = flow_kernel_remove (c, self, error);
  flow_resource_unref (self);
  return ok;
}

/* --- elements ------------------------------------------------------------------------------------------------- */

static gboolean
init_devices (FlowKernelContext  *c,
              Devices            *self,
              FlowDataset        *dataset,
              GError            **error)
{
  if (dataset->n_components > 0
      && !_flow_components_match (self->n_components, self->dtypes, self->shapes, dataset->n_components, dataset->dtypes,
                                  dataset->shapes, error))
    return FALSE;
  flow_kernel_will_write (c, self);
  drop_state (self);
  self->position = _flow_position_new (dataset);
  self->memory = _flow_memory_new ();
  self->incarnation++;
  self->n_taken = 0;
  flow_kernel_wrote (c, self);
  flow_kernel_take_output (c, 0, flow_tensor_new_int64 (self->incarnation));
  return TRUE;
}

static gboolean
init_compute (FlowKernelContext *c,
              GError           **error)
{
  FlowDataset *dataset;
  Devices *self;
  gboolean ok;

  if (!flow_is_scalar (flow_kernel_input (c, 2)))
    return _flow_refuse (error, "max_buffer_size must be a scalar");
  dataset = _flow_dataset_from_tensor (flow_kernel_input (c, 0), error);
  self = dataset != NULL ? flow_kernel_lookup_handle (c, 1, &devices_class, error) : NULL;
  if (self == NULL)
    return FALSE;
  ok = init_devices (c, self, dataset, error);
  flow_resource_unref (self);
  return ok;
}

static FlowTuple *
take_waiting (Devices *self,
              gint64   device)
{
  for (guint i = 0; i < self->waiting->len; i++)
    if (g_array_index (self->owners, gint64, i) == device)
      {
        g_array_remove_index (self->owners, i);
        return g_ptr_array_steal_index (self->waiting, i);
      }
  return NULL;
}

/* Takes elements until one is @device's. TF: fills at most so many for others and then waits for these to ask;
 * here they wait in the budget, so that nobody hangs on a device that is never asked. */
static gboolean
next_for_device (FlowKernelContext  *c,
                 Devices            *self,
                 gint64              device,
                 FlowTuple         **out,
                 GError            **error)
{
  FlowPull pull = { c, &self->memory };

  *out = take_waiting (self, device);
  while (*out == NULL)
    {
      gint64 owner = self->n_taken % self->n_devices;
      FlowTuple *tuple = NULL;

      if (_flow_pull_is_cancelled (&pull, error) || !_flow_position_next (&self->position, &pull, &tuple, error))
        return FALSE;
      if (tuple == NULL)
        return TRUE;
      self->n_taken++;
      if (owner == device)
        {
          *out = tuple;
          return TRUE;
        }
      g_ptr_array_add (self->waiting, tuple);
      g_array_append_val (self->owners, owner);
    }
  return TRUE;
}

static gboolean
get_next (FlowKernelContext  *c,
          Devices            *self,
          gint64              device,
          gint64              incarnation,
          GError            **error)
{
  FlowTuple *tuple = NULL;
  gboolean ok;

  FLOW_REQUIRE (self->position != NULL, error, FAILED_PRECONDITION, "The multi device iterator has not been initialized.");
  if (incarnation != self->incarnation)
    return _flow_refuse (error, "Invalid incarnation id. Provided: %" G_GINT64_FORMAT "; Expected: %" G_GINT64_FORMAT,
                         incarnation, self->incarnation);
  if (device < 0 || device >= self->n_devices)
    return _flow_refuse (error, "There is no shard %" G_GINT64_FORMAT " of %u", device, self->n_devices);
  flow_kernel_will_write (c, self);
  ok = next_for_device (c, self, device, &tuple, error);
  flow_kernel_wrote (c, self);
  if (!ok)
    return FALSE;
  FLOW_REQUIRE (tuple != NULL, error, OUT_OF_RANGE, "End of sequence");
  ok = _flow_put_element (c, tuple, error);
  _flow_tuple_unref (tuple);
  return ok;
}

static gboolean
get_next_compute (FlowKernelContext *c,
                  GError           **error)
{
  Devices *self;
  gboolean ok;

  if (!flow_is_scalar (flow_kernel_input (c, 1)) || !flow_is_scalar (flow_kernel_input (c, 2)))
    return _flow_refuse (error, "shard_num and incarnation_id must be scalars");
  self = flow_kernel_lookup_handle (c, 0, &devices_class, error);
  if (self == NULL)
    return FALSE;
  ok = get_next (c, self, *FLOW_DATA (gint32, flow_kernel_input (c, 1)), *FLOW_DATA (gint64, flow_kernel_input (c, 2)),
                 error);
  flow_resource_unref (self);
  return ok;
}

/* --- handles as strings ------------------------------------------------------------------------------------- */

static gboolean
to_string_compute (FlowKernelContext *c,
                   GError           **error)
{
  Devices *self = flow_kernel_lookup_handle (c, 0, &devices_class, error);
  gboolean ok;

  if (self == NULL)
    return FALSE;
  ok = _flow_put_string_handle (c, &self->parent, error);
  flow_resource_unref (self);
  return ok;
}

static gboolean
from_string_compute (FlowKernelContext *c,
                     GError           **error)
{
  g_autofree int *dtypes = NULL;
  g_autofree FlowShape **shapes = NULL;
  gboolean ok = TRUE;
  Devices *self = _flow_lookup_string_handle (c, &devices_class, error);
  guint n;

  if (self == NULL)
    return FALSE;
  n = read_components (c, &dtypes, &shapes);
  if (n > 0)
    ok = _flow_components_match (n, dtypes, shapes, self->n_components, self->dtypes, self->shapes, error);
  for (guint i = 0; i < n; i++)
    flow_shape_unref (shapes[i]);
  if (ok)
    return _flow_put_taken (c, self, error);
  flow_resource_unref (self);
  return FALSE;
}

#define ELEMENT_ATTRS "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"

static const FlowOpDef ops[] = {
  { .name = "MultiDeviceIterator", .outputs = "handle: resource",
    .attrs = "devices: list(string) >= 1; shared_name: string; container: string; " ELEMENT_ATTRS,
    .summary = "An iterator whose elements go to several devices in turn", .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO, .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, devices_compute, devices_construct, place_destruct }, { NULL } } },
  { .name = "AnonymousMultiDeviceIterator", .outputs = "handle: resource; deleter: variant",
    .attrs = "devices: list(string) >= 1; " ELEMENT_ATTRS,
    .summary = "An iterator of this run whose elements go to several devices in turn", .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO, .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, anonymous_compute }, { NULL } } },
  { .name = "AnonymousMultiDeviceIteratorV3", .outputs = "handle: resource",
    .attrs = "devices: list(string) >= 1; " ELEMENT_ATTRS,
    .summary = "An iterator of this run whose elements go to several devices in turn", .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO, .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, anonymous_compute }, { NULL } } },
  { .name = "DeleteMultiDeviceIterator",
    .inputs = "multi_device_iterator: resource; iterators: N * resource; deleter: variant", .attrs = "N: int >= 0",
    .summary = "Ends an iterator of several devices", .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs, .kernels = (const FlowKernelDef[]) { { NULL, delete_compute }, { NULL } } },
  { .name = "MultiDeviceIteratorInit",
    .inputs = "dataset: variant; multi_device_iterator: resource; max_buffer_size: int64",
    .outputs = "incarnation_id: int64", .summary = "Puts an iterator of several devices to the beginning of a dataset",
    .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_IO, .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, init_compute }, { NULL } } },
  { .name = "MultiDeviceIteratorGetNextFromShard",
    .inputs = "multi_device_iterator: resource; shard_num: int32; incarnation_id: int64",
    .outputs = "components: output_types", .attrs = ELEMENT_ATTRS, .summary = "The next element for one device",
    .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_IO, .infer = _flow_components_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, get_next_compute }, { NULL } } },
  { .name = "MultiDeviceIteratorToStringHandle", .inputs = "multi_device_iterator: resource",
    .outputs = "string_handle: string", .summary = "The name of an iterator of several devices as a string",
    .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_IO, .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, to_string_compute }, { NULL } } },
  { .name = "MultiDeviceIteratorFromStringHandle", .inputs = "string_handle: string",
    .outputs = "multi_device_iterator: resource",
    .attrs = "output_types: list(type) >= 0 = []; output_shapes: list(shape) >= 0 = []",
    .summary = "The iterator of several devices that a string names", .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO, .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, from_string_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (dataset_devices, ops)
