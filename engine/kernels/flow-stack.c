/* flow-stack.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-stack-private.h"

struct _FlowStackLink
{
  gatomicrefcount ref_count;
  FlowStackLink *below;
  FlowTensor *value;
};

typedef struct {
  FlowStackLink *top;
  gint64 n;
  gboolean closed;
} Saved;

static FlowStackLink *
link_ref (FlowStackLink *link)
{
  if (link != NULL)
    g_atomic_ref_count_inc (&link->ref_count);
  return link;
}

/* Not by recursion: a loop of a million iterations is a stack of a million links. */
static void
link_unref (FlowStackLink *link)
{
  while (link != NULL && g_atomic_ref_count_dec (&link->ref_count))
    {
      FlowStackLink *below = link->below;

      flow_tensor_unref (link->value);
      g_free (link);
      link = below;
    }
}

static void
stack_finalize (FlowResource *resource)
{
  link_unref (((FlowStack *) resource)->top);
}

static gpointer
stack_save (FlowResource *resource)
{
  FlowStack *self = (FlowStack *) resource;
  Saved *saved = g_new (Saved, 1);

  *saved = (Saved) { link_ref (self->top), self->n, self->closed };
  return saved;
}

static void
stack_restore (FlowResource  *resource,
               gconstpointer  data)
{
  FlowStack *self = (FlowStack *) resource;
  const Saved *saved = data;
  FlowStackLink *old = self->top;

  self->top = link_ref (saved->top);
  self->n = saved->n;
  self->closed = saved->closed;
  link_unref (old);
}

static void
saved_free (gpointer data)
{
  link_unref (((Saved *) data)->top);
  g_free (data);
}

/* Of all links a pop takes but the top one away. */
static gsize
saved_bytes (gconstpointer data)
{
  const Saved *saved = data;

  return sizeof *saved + (saved->top != NULL ? saved->top->value->n_bytes : 0);
}

static void
stack_visit (FlowResource        *resource,
             FlowResourceVisitor  visitor,
             gpointer             data)
{
  FlowStack *self = (FlowStack *) resource;
  gint64 i = self->n;

  for (FlowStackLink *link = self->top; link != NULL; link = link->below)
    {
      g_autofree char *label = g_strdup_printf ("%" G_GINT64_FORMAT, --i);

      visitor (label, link->value, data);
    }
}

static char *
stack_describe (FlowResource *resource)
{
  FlowStack *self = (FlowStack *) resource;

  return g_strdup_printf ("%" G_GINT64_FORMAT " elements%s", self->n, self->closed ? ", closed" : "");
}

const FlowResourceClass _flow_stack_class = {
  .type_name = "N10tensorflow5StackE",
  .finalize = stack_finalize,
  .save = stack_save,
  .restore = stack_restore,
  .saved_free = saved_free,
  .saved_bytes = saved_bytes,
  .visit = stack_visit,
  .describe = stack_describe,
};

FlowStack *
_flow_stack_new (const char *container,
                 const char *name,
                 FlowDType   dtype,
                 gint64      max_size)
{
  FlowStack *self = flow_resource_alloc (&_flow_stack_class, sizeof (FlowStack), container, name);

  self->dtype = dtype;
  self->max_size = max_size;
  return self;
}

void
_flow_stack_push (FlowStack        *self,
                  const FlowTensor *value)
{
  FlowStackLink *link = g_new (FlowStackLink, 1);

  g_atomic_ref_count_init (&link->ref_count);
  link->below = self->top;
  link->value = flow_tensor_ref (value);
  self->top = link;
  self->n++;
}

FlowTensor *
_flow_stack_pop (FlowStack *self)
{
  FlowStackLink *top = self->top;
  FlowTensor *value = flow_tensor_ref (top->value);

  self->top = link_ref (top->below);
  self->n--;
  link_unref (top);
  return value;
}

void
_flow_stack_close (FlowStack *self)
{
  link_unref (self->top);
  self->top = NULL;
  self->n = 0;
  self->closed = TRUE;
}
