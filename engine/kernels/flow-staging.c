/* flow-staging.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Staging areas as resources, and what their ops share.
 */

#include "config.h"

#include "flow-staging-private.h"

#include "flow-util.h"

/* --- the resource --------------------------------------------------------------------------------------------- */

static void
area_finalize (FlowResource *resource)
{
  _flow_elements_clear (&((FlowArea *) resource)->elements);
}

static gpointer
area_save (FlowResource *resource)
{
  FlowElements *saved = g_new (FlowElements, 1);

  _flow_elements_copy (saved, &((FlowArea *) resource)->elements);
  return saved;
}

static void
area_restore (FlowResource  *resource,
              gconstpointer  saved)
{
  FlowArea *self = (FlowArea *) resource;

  _flow_elements_clear (&self->elements);
  _flow_elements_copy (&self->elements, saved);
}

static void
saved_free (gpointer saved)
{
  _flow_elements_clear (saved);
  g_free (saved);
}

static gsize
saved_bytes (gconstpointer saved)
{
  return sizeof (FlowElements) + _flow_elements_weigh (saved);
}

static void
area_visit (FlowResource        *resource,
            FlowResourceVisitor  visitor,
            gpointer             data)
{
  _flow_elements_visit (&((FlowArea *) resource)->elements, visitor, data);
}

static char *
area_describe (FlowResource *resource)
{
  FlowArea *self = (FlowArea *) resource;

  if (self->elements.parts->len > 0)
    return g_strdup_printf ("%u elements, %u more in parts", self->elements.whole->len, self->elements.parts->len);
  return g_strdup_printf ("%u elements", self->elements.whole->len);
}

#define AREA_CLASS(type)         \
  {                              \
    .type_name = type,           \
    .finalize = area_finalize,   \
    .save = area_save,           \
    .restore = area_restore,     \
    .saved_free = saved_free,    \
    .saved_bytes = saved_bytes,  \
    .visit = area_visit,         \
    .describe = area_describe,   \
  }

const FlowResourceClass _flow_area_class = AREA_CLASS ("N10tensorflow12_GLOBAL__N_16BufferE");
const FlowResourceClass _flow_area_map_class = AREA_CLASS ("N10tensorflow12_GLOBAL__N_110StagingMapILb0EEE");
const FlowResourceClass _flow_area_ordered_class = AREA_CLASS ("N10tensorflow12_GLOBAL__N_110StagingMapILb1EEE");

/* --- what the ops share --------------------------------------------------------------------------------------- */

static gpointer
make_area (FlowKernelContext        *c,
           const FlowResourceClass  *klass,
           const char               *container,
           const char               *name)
{
  FlowArea *self = flow_resource_alloc (klass, sizeof (FlowArea), container, name);

  self->capacity = flow_kernel_attr_int (c, "capacity");
  self->memory_limit = flow_kernel_attr_int (c, "memory_limit");
  _flow_elements_init (&self->elements);
  return self;
}

gboolean
_flow_area_with (FlowKernelContext        *c,
                 const FlowResourceClass  *klass,
                 FlowAreaFunc              func,
                 GError                  **error)
{
  FlowArea *self = _flow_place_find (c, klass, make_area, error);
  gboolean ok;

  if (self == NULL)
    return FALSE;
  ok = func (c, self, error);
  flow_resource_unref (self);
  return ok;
}

gboolean
_flow_area_wait (FlowKernelContext  *c,
                 FlowArea           *self,
                 const char         *what,
                 GError            **error)
{
  FLOW_REQUIRE (!flow_kernel_is_cancelled (c), error, CANCELLED, "%s operation was cancelled", c->signature->name);
  return flow_kernel_wait (c, self, "staging area %s: %s, %u elements are there", self->parent.name, what,
                           self->elements.whole->len);
}

gint64
_flow_area_measure (const FlowTuple *tuple)
{
  gint64 n = 0;

  for (guint i = 0; i < tuple->n; i++)
    if (tuple->tensors[i] != NULL)
      n += (gint64) tuple->tensors[i]->n_bytes;
  return n;
}

static gint64
count_area (FlowArea *self)
{
  gint64 n = 0;

  for (guint i = 0; i < self->elements.whole->len; i++)
    n += g_array_index (self->elements.whole, FlowElement, i).bytes;
  for (guint i = 0; i < self->elements.parts->len; i++)
    n += g_array_index (self->elements.parts, FlowElement, i).bytes;
  return n;
}

gboolean
_flow_area_has_room (FlowArea  *self,
                     gint64     bytes,
                     gboolean   counts,
                     gboolean  *room,
                     GError   **error)
{
  FLOW_REQUIRE (self->memory_limit <= 0 || bytes <= self->memory_limit, error, RESOURCE_EXHAUSTED,
                "Attempted to insert tensors with combined size of '%" G_GINT64_FORMAT "' bytes into Staging Area with a "
                "memory limit of '%" G_GINT64_FORMAT "'.", bytes, self->memory_limit);
  *room = (!counts || self->capacity <= 0 || self->elements.whole->len < self->capacity)
          && (self->memory_limit <= 0 || count_area (self) + bytes <= self->memory_limit);
  return TRUE;
}

gboolean
_flow_area_put_size (FlowKernelContext  *c,
                     FlowArea           *self,
                     GError            **error)
{
  flow_kernel_take_output (c, 0, flow_tensor_new_int32 ((gint32) self->elements.whole->len));
  return TRUE;
}

gboolean
_flow_area_clear (FlowKernelContext  *c,
                  FlowArea           *self,
                  GError            **error)
{
  flow_kernel_will_write (c, self);
  g_array_set_size (self->elements.whole, 0);
  g_array_set_size (self->elements.parts, 0);
  flow_kernel_wrote (c, self);
  return TRUE;
}
