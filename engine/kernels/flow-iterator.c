/* flow-iterator.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-iterator-private.h"
#include "flow-proto-reader.h"
#include "flow-proto-writer.h"
#include "flow-string-private.h"

/* --- the resource --------------------------------------------------------------------------------------------- */

/* Positions are never written while a saved state holds them, so saving is two references. */
typedef struct {
  FlowPosition *position;
  FlowMemory *memory;
  gint64 n_starts;
} Saved;

static void
drop_state (FlowIterator *self)
{
  g_clear_pointer (&self->position, _flow_position_unref);
  g_clear_pointer (&self->memory, _flow_memory_unref);
}

static void
iterator_finalize (FlowResource *resource)
{
  FlowIterator *self = (FlowIterator *) resource;

  drop_state (self);
  for (guint i = 0; i < self->n_components; i++)
    flow_shape_unref (self->shapes[i]);
  g_free (self->shapes);
  g_free (self->dtypes);
}

static gpointer
iterator_save (FlowResource *resource)
{
  FlowIterator *self = (FlowIterator *) resource;
  Saved *saved = g_new (Saved, 1);

  saved->position = self->position != NULL ? _flow_position_ref (self->position) : NULL;
  saved->memory = self->memory != NULL ? _flow_memory_ref (self->memory) : NULL;
  saved->n_starts = self->n_starts;
  return saved;
}

static void
iterator_restore (FlowResource  *resource,
                  gconstpointer  data)
{
  FlowIterator *self = (FlowIterator *) resource;
  const Saved *saved = data;

  drop_state (self);
  self->position = saved->position != NULL ? _flow_position_ref (saved->position) : NULL;
  self->memory = saved->memory != NULL ? _flow_memory_ref (saved->memory) : NULL;
  self->n_starts = saved->n_starts;
}

static void
saved_free (gpointer data)
{
  Saved *saved = data;

  g_clear_pointer (&saved->position, _flow_position_unref);
  g_clear_pointer (&saved->memory, _flow_memory_unref);
  g_free (saved);
}

/* The elements are shared with the state that follows; what a step adds is a few positions. */
static gsize
saved_bytes (gconstpointer data)
{
  const FlowPosition *position = ((const Saved *) data)->position;
  gsize n = sizeof (Saved);

  while (position != NULL)
    {
      n += sizeof *position + (position->tuples != NULL ? position->tuples->len * sizeof (gpointer) : 0);
      position = position->children != NULL && position->children->len > 0 ? position->children->pdata[0] : NULL;
    }
  return n;
}

static void
iterator_visit (FlowResource        *resource,
                FlowResourceVisitor  visitor,
                gpointer             data)
{
  FlowIterator *self = (FlowIterator *) resource;

  if (self->position == NULL)
    return;
  _flow_position_visit (self->position, "", visitor, data);
  _flow_memory_visit (self->memory, visitor, data);
}

static char *
iterator_describe (FlowResource *resource)
{
  FlowIterator *self = (FlowIterator *) resource;

  if (self->position == NULL)
    return g_strdup ("not initialised");
  return g_strdup_printf ("%s%s", self->position->dataset->kind->name, self->position->is_ended ? ", at its end" : "");
}

const FlowResourceClass _flow_iterator_class = {
  .type_name = "N10tensorflow4data16IteratorResourceE",
  .finalize = iterator_finalize,
  .save = iterator_save,
  .restore = iterator_restore,
  .saved_free = saved_free,
  .saved_bytes = saved_bytes,
  .visit = iterator_visit,
  .describe = iterator_describe,
};

FlowIterator *
_flow_iterator_new (const char *container,
                    const char *name,
                    FlowAttr   *types,
                    FlowAttr   *shapes)
{
  FlowIterator *self = flow_resource_alloc (&_flow_iterator_class, sizeof (FlowIterator), container, name);
  gsize n = flow_attr_get_length (types);

  self->dtypes = g_new0 (int, n + 1);
  self->shapes = g_new0 (FlowShape *, n + 1);
  for (gsize i = 0; i < n; i++)
    {
      self->dtypes[i] = flow_dtype_base (flow_attr_get_dtype (flow_attr_get_item (types, i)));
      self->shapes[i] = i < flow_attr_get_length (shapes)
                        ? flow_shape_ref (flow_attr_get_shape (flow_attr_get_item (shapes, i)))
                        : flow_shape_new_unknown ();
    }
  self->n_components = (guint) n;
  return self;
}

gboolean
_flow_iterator_start (FlowIterator       *self,
                      FlowKernelContext  *c,
                      FlowDataset        *dataset,
                      GError            **error)
{
  if (dataset->n_components > 0
      && !_flow_components_match (self->n_components, self->dtypes, self->shapes, dataset->n_components,
                                  dataset->dtypes, dataset->shapes, error))
    return FALSE;
  flow_kernel_will_write (c, self);
  drop_state (self);
  self->position = _flow_position_new (dataset);
  self->memory = _flow_memory_new ();
  self->n_starts++;
  flow_kernel_wrote (c, self);
  return TRUE;
}

gboolean
_flow_iterator_next (FlowIterator       *self,
                     FlowKernelContext  *c,
                     FlowTuple         **out,
                     GError            **error)
{
  g_autofree char *state_handle = g_strdup_printf ("%s#%" G_GINT64_FORMAT, self->parent.name, self->n_starts);
  FlowPull pull = { c, &self->memory, state_handle };
  gboolean ok;

  FLOW_REQUIRE (self->position != NULL, error, FAILED_PRECONDITION,
                "GetNext() failed because the iterator has not been initialized. Ensure that you have run the "
                "initializer operation for this iterator before getting the next element.");
  flow_kernel_will_write (c, self);
  ok = _flow_position_next (&self->position, &pull, out, error);
  flow_kernel_wrote (c, self);
  return ok;
}

gboolean
_flow_put_element (FlowKernelContext  *c,
                   const FlowTuple    *tuple,
                   GError            **error)
{
  if (tuple->n != c->n_outputs)
    return _flow_refuse (error, "Number of components does not match: expected %u types but got %u.", c->n_outputs,
                         tuple->n);
  for (guint i = 0; i < tuple->n; i++)
    if (tuple->tensors[i]->dtype != (FlowDType) flow_dtype_base (c->output_dtypes[i]))
      return _flow_refuse (error, "Data type mismatch at component %u: expected %s but got %s.", i,
                           flow_dtype_string (c->output_dtypes[i]), flow_dtype_string (tuple->tensors[i]->dtype));
  for (guint i = 0; i < tuple->n; i++)
    flow_kernel_set_output (c, i, tuple->tensors[i]);
  return TRUE;
}

/* --- handles as strings ----------------------------------------------------------------------------------------- */

gboolean
_flow_put_string_handle (FlowKernelContext   *c,
                         const FlowResource  *resource,
                         GError             **error)
{
  g_autoptr (GBytes) bytes = NULL;
  FlowProtoWriter writer;

  flow_proto_writer_init (&writer);
  flow_proto_writer_set_string (&writer, 1, FLOW_ITERATOR_DEVICE);
  flow_proto_writer_set_string (&writer, 2, resource->container);
  flow_proto_writer_set_string (&writer, 3, resource->name);
  flow_proto_writer_set_string (&writer, 5, resource->klass->type_name);
  bytes = flow_proto_writer_finish (&writer, error);
  if (bytes == NULL)
    return FALSE;
  flow_kernel_take_output (c, 0, flow_tensor_new_string (g_bytes_get_data (bytes, NULL),
                                                         (gssize) g_bytes_get_size (bytes)));
  return TRUE;
}

static gboolean
read_handle (Text    text,
             char  **container,
             char  **name,
             char  **device)
{
  FlowProtoReader reader;

  flow_proto_reader_init (&reader, text.bytes, text.length);
  while (flow_proto_reader_next (&reader))
    switch (reader.field)
      {
      case 1:
        g_clear_pointer (device, g_free);
        flow_proto_reader_dup_string (&reader, device);
        break;
      case 2:
        g_clear_pointer (container, g_free);
        flow_proto_reader_dup_string (&reader, container);
        break;
      case 3:
        g_clear_pointer (name, g_free);
        flow_proto_reader_dup_string (&reader, name);
        break;
      default:
        break;
      }
  return !flow_proto_reader_failed (&reader);
}

gpointer
_flow_lookup_string_handle (FlowKernelContext        *c,
                            const FlowResourceClass  *klass,
                            GError                  **error)
{
  const FlowTensor *string = flow_kernel_input (c, 0);
  g_autofree char *container = NULL;
  g_autofree char *name = NULL;
  g_autofree char *device = NULL;

  if (!flow_is_scalar (string))
    {
      _flow_refuse (error, "string_handle must be a scalar");
      return NULL;
    }
  if (!read_handle (text_at (string, 0), &container, &name, &device))
    {
      _flow_refuse (error, "Could not parse string_handle as a valid ResourceHandle");
      return NULL;
    }
  if (g_strcmp0 (device, FLOW_ITERATOR_DEVICE) != 0)
    {
      _flow_refuse (error, "Attempted create an iterator on device \"%s\" from handle defined on device \"%s\"",
                    FLOW_ITERATOR_DEVICE, device != NULL ? device : "");
      return NULL;
    }
  return flow_kernel_lookup (c, container != NULL ? container : "", name != NULL ? name : "", klass, error);
}
