/* flow-resource.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-resource.h"

/**
 * flow_resource_alloc: (skip)
 * @klass: its class; must live as long as the process
 * @instance_size: size of the instance structure, which begins with a #FlowResource
 * @container: the container it will stand in
 * @name: its name there
 *
 * Returns: (transfer full): a resource, all else zero; not yet known to any session
 */
gpointer
flow_resource_alloc (const FlowResourceClass *klass,
                     gsize                    instance_size,
                     const char              *container,
                     const char              *name)
{
  FlowResource *self;

  g_return_val_if_fail (klass != NULL && instance_size >= sizeof (FlowResource), NULL);
  g_return_val_if_fail (container != NULL && name != NULL, NULL);

  self = g_malloc0 (instance_size);
  self->klass = klass;
  g_atomic_ref_count_init (&self->ref_count);
  self->container = g_strdup (container);
  self->name = g_strdup (name);
  return self;
}

/**
 * flow_resource_ref: (skip)
 * @resource: a resource
 *
 * Returns: (transfer full): @resource
 */
gpointer
flow_resource_ref (gpointer resource)
{
  FlowResource *self = resource;

  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * flow_resource_unref: (skip)
 * @resource: (transfer full): a resource
 */
void
flow_resource_unref (gpointer resource)
{
  FlowResource *self = resource;

  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  if (self->klass->finalize != NULL)
    self->klass->finalize (self);
  g_free (self->container);
  g_free (self->name);
  g_free (self);
}
