/* flow-elements.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-elements-private.h"

static void
element_clear (gpointer data)
{
  FlowElement *element = data;

  g_free (element->name);
  _flow_tuple_unref (element->tuple);
}

static GArray *
new_list (void)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (FlowElement));

  g_array_set_clear_func (list, element_clear);
  return list;
}

static GArray *
copy_list (const GArray *list)
{
  GArray *copy = new_list ();

  for (guint i = 0; i < list->len; i++)
    {
      FlowElement element = g_array_index (list, FlowElement, i);

      element.name = g_strdup (element.name);
      _flow_tuple_ref (element.tuple);
      g_array_append_val (copy, element);
    }
  return copy;
}

void
_flow_elements_init (FlowElements *self)
{
  self->whole = new_list ();
  self->parts = new_list ();
}

void
_flow_elements_clear (FlowElements *self)
{
  g_clear_pointer (&self->whole, g_array_unref);
  g_clear_pointer (&self->parts, g_array_unref);
}

void
_flow_elements_copy (FlowElements       *self,
                     const FlowElements *other)
{
  self->whole = copy_list (other->whole);
  self->parts = copy_list (other->parts);
}

gsize
_flow_elements_weigh (const FlowElements *self)
{
  return (self->whole->len + self->parts->len) * sizeof (FlowElement);
}

static void
visit_list (const GArray        *list,
            const char          *label,
            FlowResourceVisitor  visitor,
            gpointer             data)
{
  for (guint i = 0; i < list->len; i++)
    {
      const FlowElement *element = &g_array_index (list, FlowElement, i);
      const char *name = element->name != NULL ? element->name : "key";

      for (guint k = 0; k < element->tuple->n; k++)
        {
          g_autofree char *text = g_strdup_printf ("%s %u %s %" G_GINT64_FORMAT "/%u", label, i, name, element->key, k);

          visitor (text, element->tuple->tensors[k], data);
        }
    }
}

void
_flow_elements_visit (const FlowElements  *self,
                      FlowResourceVisitor  visitor,
                      gpointer             data)
{
  visit_list (self->whole, "element", visitor, data);
  visit_list (self->parts, "part", visitor, data);
}

gboolean
_flow_tuple_is_whole (const FlowTuple *tuple)
{
  for (guint i = 0; i < tuple->n; i++)
    if (tuple->tensors[i] == NULL)
      return FALSE;
  return TRUE;
}
