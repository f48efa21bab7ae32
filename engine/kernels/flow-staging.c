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

typedef struct {
  GArray *staged;
  GArray *parts;
} Saved;

static void
staged_clear (gpointer data)
{
  _flow_tuple_unref (((FlowStaged *) data)->tuple);
}

static GArray *
new_list ( void)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (FlowStaged));

  g_array_set_clear_func (list, staged_clear);
  return list;
}

static GArray *
copy_list (GArray *list)
{
  GArray *copy = new_list ();

  g_array_append_vals (copy, list->data, list->len);
  for (guint i = 0; i < copy->len; i++)
    _flow_tuple_ref (g_array_index (copy, FlowStaged, i).tuple);
  return copy;
}

static void
area_finalize (FlowResource *resource)
{
  FlowArea *self = (FlowArea *) resource;

  g_array_unref (self->staged);
  g_array_unref (self->parts);
}

static gpointer
area_save (FlowResource *resource)
{
  FlowArea *self = (FlowArea *) resource;
  Saved *saved = g_new (Saved, 1);

  *saved = (Saved) { copy_list (self->staged), copy_list (self->parts) };
  return saved;
}

static void
area_restore (FlowResource  *resource,
              gconstpointer  data)
{
  FlowArea *self = (FlowArea *) resource;
  const Saved *saved = data;

  g_array_unref (self->staged);
  g_array_unref (self->parts);
  self->staged = copy_list (saved->staged);
  self->parts = copy_list (saved->parts);
}

static void
saved_free (gpointer data)
{
  Saved *saved = data;

  g_array_unref (saved->staged);
  g_array_unref (saved->parts);
  g_free (saved);
}

static gsize
saved_bytes (gconstpointer data)
{
  const Saved *saved = data;

  return sizeof *saved + (saved->staged->len + saved->parts->len) * sizeof (FlowStaged);
}

static void
visit_list (GArray              *list,
            const char          *label,
            FlowResourceVisitor  visitor,
            gpointer             data)
{
  for (guint i = 0; i < list->len; i++)
    {
      const FlowStaged *staged = &g_array_index (list, FlowStaged, i);

      for (guint k = 0; k < staged->tuple->n; k++)
        {
          g_autofree char *name = g_strdup_printf ("%s%u key %" G_GINT64_FORMAT "/%u", label, i, staged->key, k);

          visitor (name, staged->tuple->tensors[k], data);
        }
    }
}

static void
area_visit (FlowResource        *resource,
            FlowResourceVisitor  visitor,
            gpointer             data)
{
  visit_list (((FlowArea *) resource)->staged, "", visitor, data);
  visit_list (((FlowArea *) resource)->parts, "part of ", visitor, data);
}

static char *
area_describe (FlowResource *resource)
{
  FlowArea *self = (FlowArea *) resource;

  if (self->parts->len > 0)
    return g_strdup_printf ("%u elements, %u more in parts", self->staged->len, self->parts->len);
  return g_strdup_printf ("%u elements", self->staged->len);
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

/* The area of the node's name, made by whoever comes first. */
static FlowArea *
find_area (FlowKernelContext        *c,
           const FlowResourceClass  *klass,
           GError                  **error)
{
  const FlowPlace *place = flow_kernel_data (c);
  FlowArea *self = flow_kernel_lookup (c, place->container, place->name, klass, NULL);

  if (self != NULL)
    return self;
  self = flow_resource_alloc (klass, sizeof (FlowArea), place->container, place->name);
  self->capacity = flow_kernel_attr_int (c, "capacity");
  self->memory_limit = flow_kernel_attr_int (c, "memory_limit");
  self->staged = new_list ();
  self->parts = new_list ();
  if (!flow_kernel_publish (c, self, error))
    g_clear_pointer (&self, flow_resource_unref);
  return self;
}

gboolean
_flow_area_with (FlowKernelContext        *c,
                 const FlowResourceClass  *klass,
                 FlowAreaFunc              func,
                 GError                  **error)
{
  FlowArea *self = find_area (c, klass, error);
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
                           self->staged->len);
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

  for (guint i = 0; i < self->staged->len; i++)
    n += g_array_index (self->staged, FlowStaged, i).bytes;
  for (guint i = 0; i < self->parts->len; i++)
    n += g_array_index (self->parts, FlowStaged, i).bytes;
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
  *room = (!counts || self->capacity <= 0 || self->staged->len < self->capacity)
          && (self->memory_limit <= 0 || count_area (self) + bytes <= self->memory_limit);
  return TRUE;
}

gboolean
_flow_area_put_size (FlowKernelContext  *c,
                     FlowArea           *self,
                     GError            **error)
{
  flow_kernel_take_output (c, 0, flow_tensor_new_int32 ((gint32) self->staged->len));
  return TRUE;
}

gboolean
_flow_area_clear (FlowKernelContext  *c,
                  FlowArea           *self,
                  GError            **error)
{
  flow_kernel_will_write (c, self);
  g_array_set_size (self->staged, 0);
  g_array_set_size (self->parts, 0);
  flow_kernel_wrote (c, self);
  return TRUE;
}
