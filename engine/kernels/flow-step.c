/* flow-step.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-step-private.h"

#include "flow-array-private.h"

#include <string.h>

/* Counts what a run has made, so that a run that is stepped back and forth gives the same names. */
typedef struct {
  FlowResource parent;
  guint64 n;
} Counter;

static gpointer
counter_save (FlowResource *resource)
{
  return g_memdup2 (&((Counter *) resource)->n, sizeof (guint64));
}

static void
counter_restore (FlowResource  *resource,
                 gconstpointer  saved)
{
  ((Counter *) resource)->n = *(const guint64 *) saved;
}

static gsize
counter_saved_bytes (gconstpointer saved)
{
  return sizeof (guint64);
}

static void
counter_visit (FlowResource        *resource,
               FlowResourceVisitor  visitor,
               gpointer             data)
{
  g_autoptr (FlowTensor) n = flow_tensor_new_int64 ((gint64) ((Counter *) resource)->n);

  visitor ("count", n, data);
}

static char *
counter_describe (FlowResource *resource)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT " made", ((Counter *) resource)->n);
}

static const FlowResourceClass counter_class = {
  .type_name = "Counter",
  .save = counter_save,
  .restore = counter_restore,
  .saved_free = g_free,
  .saved_bytes = counter_saved_bytes,
  .visit = counter_visit,
  .describe = counter_describe,
};

char *
_flow_step_name (FlowKernelContext  *c,
                 const char         *name,
                 GError            **error)
{
  const char *container = c->host->step_container (c->host_data);
  Counter *counter = flow_kernel_lookup (c, container, "_made", &counter_class, NULL);
  char *result;

  if (counter == NULL)
    {
      counter = flow_resource_alloc (&counter_class, sizeof (Counter), container, "_made");
      if (!flow_kernel_publish (c, counter, error))
        {
          flow_resource_unref (counter);
          return NULL;
        }
    }
  flow_kernel_will_write (c, counter);
  result = g_strdup_printf ("%s_%" G_GUINT64_FORMAT, name, counter->n++);
  flow_kernel_wrote (c, counter);
  flow_resource_unref (counter);
  return result;
}

static char *
read_part (const FlowTensor *tensor,
           gint64            i)
{
  gsize length;
  const char *bytes = flow_tensor_get_string (tensor, i, &length);

  return g_strndup (bytes != NULL ? bytes : "", bytes != NULL ? length : 0);
}

gpointer
_flow_lookup_handle (FlowKernelContext        *c,
                     guint                     i,
                     const FlowResourceClass  *klass,
                     const char               *family,
                     const char               *words,
                     GError                  **error)
{
  FlowVariable *ref = c->inputs[i].ref;
  const FlowTensor *tensor = ref != NULL ? ref->value : flow_kernel_input (c, i);
  g_autofree char *container = NULL;
  g_autofree char *name = NULL;

  if (ref == NULL && tensor != NULL && tensor->dtype == FLOW_DTYPE_RESOURCE)
    return flow_kernel_lookup_handle (c, i, klass, error);
  if (tensor == NULL || tensor->dtype != FLOW_DTYPE_STRING)
    {
      _flow_refuse (error, "Input %u of %s is no handle", i, c->node_name);
      return NULL;
    }
  if (tensor->n_elements != 2)
    {
      _flow_refuse_shapes (error, tensor, NULL, words);
      return NULL;
    }
  container = read_part (tensor, 0);
  name = read_part (tensor, 1);
  if (family == NULL)
    return flow_kernel_lookup (c, container, name, klass, error);
  if (strcmp (container, family) != 0)
    {
      _flow_refuse (error, "Wrong input container. %s%s", container, name);
      return NULL;
    }
  return flow_kernel_lookup (c, c->host->step_container (c->host_data), name, klass, error);
}

static FlowTensor *
string_pair (FlowResource *resource,
             const char   *family)
{
  const char *first = family != NULL ? family : resource->container;
  g_autoptr (FlowShape) two = flow_shape_new_vector (2);
  FlowTensor *pair = flow_tensor_new (FLOW_DTYPE_STRING, two, NULL, NULL);

  flow_tensor_take_string (pair, 0, g_bytes_new (first, strlen (first)));
  flow_tensor_take_string (pair, 1, g_bytes_new (resource->name, strlen (resource->name)));
  return pair;
}

gboolean
_flow_put_handle (FlowKernelContext  *c,
                  guint               i,
                  FlowResource       *resource,
                  const char         *family,
                  int                 dtype,
                  const FlowShape    *shape,
                  GError            **error)
{
  if (flow_dtype_base (c->output_dtypes[i]) == FLOW_DTYPE_RESOURCE)
    {
      g_autoptr (FlowHandle) handle = flow_handle_new (resource->container, resource->name,
                                                       resource->klass->type_name, dtype, shape);

      flow_kernel_take_output (c, i, flow_tensor_new_handle (handle));
    }
  else if (c->signature->outputs[i].is_ref)
    {
      g_autoptr (FlowShape) two = flow_shape_new_vector (2);
      FlowVariable *holder = flow_variable_new (resource->container, resource->name, FLOW_DTYPE_STRING, two);

      flow_variable_take_value (holder, string_pair (resource, family));
      flow_kernel_set_output_ref (c, i, holder);
      flow_resource_unref (holder);
    }
  else
    {
      flow_kernel_take_output (c, i, string_pair (resource, family));
    }
  return TRUE;
}

gboolean
_flow_place_init (FlowPlace               *self,
                  FlowKernelConstruction  *c,
                  gboolean                 by_node_name,
                  GError                 **error)
{
  const char *container = flow_attr_get_string (flow_construction_attr (c, "container"), NULL);
  const char *name = flow_attr_get_string (flow_construction_attr (c, "shared_name"), NULL);

  if (name != NULL && *name == '_')
    return _flow_refuse (error, "shared_name cannot start with '_':%s", name);
  self->container = g_strdup (container != NULL && *container != '\0' ? container : "localhost");
  if (name != NULL && *name != '\0')
    self->name = g_strdup (name);
  else if (by_node_name)
    self->name = g_strdup (c->node_name);
  else
    self->node = g_strdup (c->node_name);
  return TRUE;
}

void
_flow_place_clear (FlowPlace *self)
{
  g_clear_pointer (&self->container, g_free);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->node, g_free);
}

const char *
_flow_place_name (FlowPlace *self)
{
  static int n_own;

  if (self->name == NULL)
    self->name = g_strdup_printf ("_%d_%s", g_atomic_int_add (&n_own, 1), self->node);
  return self->name;
}

gpointer
_flow_place_lookup (FlowPlace                *self,
                    FlowKernelContext        *c,
                    const FlowResourceClass  *klass)
{
  return flow_kernel_lookup (c, self->container, _flow_place_name (self), klass, NULL);
}

static gpointer
construct_place (FlowKernelConstruction  *c,
                 gboolean                 by_node_name,
                 GError                 **error)
{
  g_autofree FlowPlace *place = g_new0 (FlowPlace, 1);

  return _flow_place_init (place, c, by_node_name, error) ? g_steal_pointer (&place) : NULL;
}

gpointer
_flow_place_construct (FlowKernelConstruction  *c,
                       GError                 **error)
{
  return construct_place (c, FALSE, error);
}

gpointer
_flow_place_construct_by_node (FlowKernelConstruction  *c,
                               GError                 **error)
{
  return construct_place (c, TRUE, error);
}

void
_flow_place_destruct (gpointer place)
{
  _flow_place_clear (place);
  g_free (place);
}

static gpointer
publish (FlowKernelContext  *c,
         gpointer            resource,
         GError            **error)
{
  if (!flow_kernel_publish (c, resource, error))
    g_clear_pointer (&resource, flow_resource_unref);
  return resource;
}

gpointer
_flow_place_find (FlowKernelContext        *c,
                  const FlowResourceClass  *klass,
                  FlowMakeResource          make,
                  GError                  **error)
{
  FlowPlace *place = flow_kernel_data (c);
  gpointer resource = _flow_place_lookup (place, c, klass);

  if (resource != NULL)
    return resource;
  return publish (c, make (c, klass, place->container, place->name), error);
}

gboolean
_flow_put_taken (FlowKernelContext  *c,
                 gpointer            resource,
                 GError            **error)
{
  gboolean ok;

  if (resource == NULL)
    return FALSE;
  ok = _flow_put_handle (c, 0, resource, NULL, FLOW_DTYPE_INVALID, NULL, error);
  flow_resource_unref (resource);
  return ok;
}

gboolean
_flow_put_placed (FlowKernelContext        *c,
                  const FlowResourceClass  *klass,
                  FlowMakeResource          make,
                  GError                  **error)
{
  return _flow_put_taken (c, _flow_place_find (c, klass, make, error), error);
}

gboolean
_flow_put_anonymous (FlowKernelContext        *c,
                     const FlowResourceClass  *klass,
                     FlowMakeResource          make,
                     const char               *family,
                     GError                  **error)
{
  g_autofree char *name = _flow_step_name (c, family, error);

  if (name == NULL)
    return FALSE;
  /* Nobody looks into what deletes it: what is anonymous ends with its run. */
  if (c->n_outputs > 1 && flow_kernel_allocate_dims (c, 1, 0, NULL, error) == NULL)
    return FALSE;
  return _flow_put_taken (c, publish (c, make (c, klass, c->host->step_container (c->host_data), name), error), error);
}

gboolean
_flow_put_lasting (FlowKernelContext        *c,
                   const FlowResourceClass  *klass,
                   FlowMakeResource          make,
                   const char               *family,
                   GError                  **error)
{
  g_autofree char *name = _flow_step_name (c, family, error);
  g_autofree char *unique = NULL;

  if (name == NULL)
    return FALSE;
  /* Names count within a run; with the run's own name no two runs of a session have the same. */
  unique = g_strdup_printf ("%s/%s", c->host->step_container (c->host_data), name);
  return _flow_put_taken (c, publish (c, make (c, klass, family, unique), error), error);
}

static gpointer
count_save (FlowResource *resource)
{
  return g_memdup2 (&((FlowCount *) resource)->n, sizeof (gint64));
}

static void
count_restore (FlowResource  *resource,
               gconstpointer  saved)
{
  ((FlowCount *) resource)->n = *(const gint64 *) saved;
}

static gsize
count_saved_bytes (gconstpointer saved)
{
  return sizeof (gint64);
}

static void
count_visit (FlowResource        *resource,
             FlowResourceVisitor  visitor,
             gpointer             data)
{
  g_autoptr (FlowTensor) n = flow_tensor_new_int64 (((FlowCount *) resource)->n);

  visitor ("count", n, data);
}

static char *
count_describe (FlowResource *resource)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT " times", ((FlowCount *) resource)->n);
}

static const FlowResourceClass count_class = {
  .type_name = "Count",
  .save = count_save,
  .restore = count_restore,
  .saved_free = g_free,
  .saved_bytes = count_saved_bytes,
  .visit = count_visit,
  .describe = count_describe,
};

static gpointer
make_count (FlowKernelContext *c,
            GError           **error)
{
  return flow_resource_alloc (&count_class, sizeof (FlowCount), "", c->node_name);
}

FlowCount *
_flow_count_of_node (FlowKernelContext *c,
                     GError           **error)
{
  return flow_kernel_node_state (c, &count_class, make_count, error);
}

char *
_flow_name_execution (FlowKernelContext *c,
                      GError           **error)
{
  FlowCount *count = _flow_count_of_node (c, error);
  char *name = NULL;

  if (count == NULL)
    return NULL;
  flow_kernel_will_write (c, count);
  count->n++;
  name = g_strdup_printf ("%s#%" G_GINT64_FORMAT, c->node_name, count->n);
  flow_kernel_wrote (c, count);
  flow_resource_unref (count);
  return name;
}
