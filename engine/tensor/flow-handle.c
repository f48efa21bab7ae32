/* flow-handle.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-handle.h"

FLOW_DEFINE_SHARED_BOXED_TYPE (FlowHandle, flow_handle)

/**
 * flow_handle_new:
 * @container: the container, such as `localhost`
 * @name: the resource's name in it
 * @type_name: what it is: the type_name of its class
 * @dtype: dtype of what it holds, %FLOW_DTYPE_INVALID if that has no sense
 * @shape: (nullable): shape of what it holds
 *
 * Returns: (transfer full): a handle
 */
FlowHandle *
flow_handle_new (const char      *container,
                 const char      *name,
                 const char      *type_name,
                 int              dtype,
                 const FlowShape *shape)
{
  FlowHandle *self;

  g_return_val_if_fail (container != NULL && name != NULL && type_name != NULL, NULL);

  self = g_new0 (FlowHandle, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->container = g_strdup (container);
  self->name = g_strdup (name);
  self->type_name = g_strdup (type_name);
  self->dtype = dtype;
  self->shape = shape != NULL ? flow_shape_ref (shape) : NULL;
  return self;
}

/**
 * flow_handle_ref:
 * @self: a handle
 *
 * Returns: (transfer full): @self
 */
FlowHandle *
flow_handle_ref (const FlowHandle *self)
{
  FlowHandle *shared = (FlowHandle *) (gpointer) self;

  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&shared->ref_count);
  return shared;
}

/**
 * flow_handle_unref:
 * @self: (transfer full): a handle
 */
void
flow_handle_unref (const FlowHandle *self)
{
  FlowHandle *shared = (FlowHandle *) (gpointer) self;

  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&shared->ref_count))
    return;
  g_free (shared->container);
  g_free (shared->name);
  g_free (shared->type_name);
  g_clear_pointer (&shared->shape, flow_shape_unref);
  g_free (shared);
}
