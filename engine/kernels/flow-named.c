/* flow-named.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Resources under a handle that an op of their own makes.
 */

#include "config.h"

#include "flow-named-private.h"

#include "flow-array-private.h"
#include "flow-step-private.h"

gboolean
_flow_named_put_handle (FlowKernelContext        *c,
                        const FlowResourceClass  *klass,
                        gsize                     size,
                        GError                  **error)
{
  FlowPlace *place = flow_kernel_data (c);
  FlowResource *named = flow_resource_alloc (klass, size, place->container, _flow_place_name (place));
  gboolean ok = _flow_put_handle (c, 0, named, NULL, FLOW_DTYPE_INVALID, NULL, error);

  flow_resource_unref (named);
  return ok;
}

static const FlowHandle *
handle_of (FlowKernelContext        *c,
           const FlowResourceClass  *klass,
           GError                  **error)
{
  const FlowTensor *tensor = flow_kernel_input (c, 0);
  const FlowHandle *handle = tensor->n_elements == 1 ? FLOW_DATA (FlowHandle *, tensor)[0] : NULL;

  if (handle == NULL)
    {
      _flow_refuse (error, "Input 0 of %s must be a resource handle", c->node_name);
      return NULL;
    }
  if (g_strcmp0 (handle->type_name, klass->type_name) == 0)
    return handle;
  _flow_refuse (error, "Trying to access resource using the wrong type. Expected %s got %s", handle->type_name,
                klass->type_name);
  return NULL;
}

gboolean
_flow_named_is_there (FlowKernelContext        *c,
                      const FlowResourceClass  *klass,
                      GError                  **error)
{
  const FlowHandle *handle = handle_of (c, klass, error);
  FlowResource *found;

  if (handle == NULL)
    return FALSE;
  found = flow_kernel_lookup (c, handle->container, handle->name, klass, NULL);
  flow_kernel_take_output (c, 0, flow_tensor_new_bool (found != NULL));
  if (found != NULL)
    flow_resource_unref (found);
  return TRUE;
}

gpointer
_flow_named_alloc (FlowKernelContext        *c,
                   const FlowResourceClass  *klass,
                   gsize                     size,
                   GError                  **error)
{
  const FlowHandle *handle = handle_of (c, klass, error);

  return handle != NULL ? flow_resource_alloc (klass, size, handle->container, handle->name) : NULL;
}

gboolean
_flow_named_publish (FlowKernelContext  *c,
                     FlowResource       *resource,
                     GError            **error)
{
  FlowResource *old = flow_kernel_lookup (c, resource->container, resource->name, resource->klass, NULL);
  gboolean ok = TRUE;

  if (old != NULL)
    flow_resource_unref (old);
  else
    ok = flow_kernel_publish (c, resource, error);
  flow_resource_unref (resource);
  return ok;
}

gboolean
_flow_named_call (FlowKernelContext        *c,
                  guint                     i,
                  const FlowResourceClass  *klass,
                  FlowNamedFunc             func,
                  GError                  **error)
{
  FlowResource *resource = flow_kernel_lookup_handle (c, i, klass, error);
  gboolean ok;

  if (resource == NULL)
    return FALSE;
  ok = func (c, resource, error);
  flow_resource_unref (resource);
  return ok;
}

FlowTensor *
_flow_named_text (GBytes *bytes)
{
  FlowTensor *text;

  if (bytes == NULL)
    return NULL;
  text = flow_tensor_new_string (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
  g_bytes_unref (bytes);
  return text;
}

gboolean
_flow_named_put_text (FlowKernelContext *c,
                      guint              i,
                      GBytes            *bytes)
{
  FlowTensor *text = _flow_named_text (bytes);

  if (text != NULL)
    flow_kernel_take_output (c, i, text);
  return text != NULL;
}

void
_flow_named_visit_text (const char          *name,
                        GBytes              *bytes,
                        FlowResourceVisitor  visitor,
                        gpointer             data)
{
  g_autoptr (FlowTensor) text = _flow_named_text (bytes);

  if (text != NULL)
    visitor (name, text, data);
}
