/* flow-builder-threads.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

/* Threads that make one graph together, one at a time. As in TensorFlow each is in a name scope of its own;
 * devices, colocations and control dependencies are those of all, until the graph is told otherwise; attrs,
 * containers and contexts always are. */

typedef struct {
  FlowSurroundings now;
  GArray *frames;
} FlowThread;

void
_flow_surroundings_clear (gpointer data)
{
  FlowSurroundings *self = data;

  g_free (self->name_scope);
  g_free (self->container);
}

GArray *
_flow_builder_new_frames (void)
{
  GArray *frames = g_array_new (FALSE, FALSE, sizeof (FlowSurroundings));

  g_array_set_clear_func (frames, _flow_surroundings_clear);
  return frames;
}

static void
thread_free (gpointer data)
{
  FlowThread *self = data;

  g_array_unref (self->frames);
  _flow_surroundings_clear (&self->now);
  g_free (self);
}

GHashTable *
_flow_builder_new_threads (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, thread_free);
}

static void
share (FlowSurroundings       *self,
       const FlowSurroundings *other)
{
  self->controllers = other->controllers;
  self->devices = other->devices;
  self->colocations = other->colocations;
}

static gboolean
begins_anew (FlowBuilder *self)
{
  return self->frames->len == 0 && *self->now.name_scope == '\0'
         && (self->common == NULL || (self->now.controllers == self->common->controllers
                                      && self->now.devices == self->common->devices
                                      && self->now.colocations == self->common->colocations));
}

/* The surroundings of a thread, and those that belong to all. */
static void
take_up (FlowBuilder      *self,
         FlowThread       *thread,
         FlowSurroundings *before)
{
  self->now = thread->now;
  self->frames = g_steal_pointer (&thread->frames);
  g_free (self->now.container);
  self->now.container = g_strdup (before->container);
  self->now.attrs = before->attrs;
  self->now.context = before->context;
  if (self->common == NULL)
    share (&self->now, before);
  g_free (thread);
}

/**
 * flow_builder_set_thread:
 * @self: a builder
 * @thread: a number of the caller's for the thread that makes what comes next
 *
 * The first thread need not be told.
 */
void
flow_builder_set_thread (FlowBuilder *self,
                         guint64      thread)
{
  FlowThread *next = NULL;
  FlowSurroundings before;
  gpointer key;

  g_return_if_fail (FLOW_IS_BUILDER (self));

  if (self->thread == 0)
    self->thread = thread;
  if (self->thread == thread)
    return;
  if (!g_hash_table_steal_extended (self->threads, &thread, &key, (gpointer *) &next))
    {
      next = g_new0 (FlowThread, 1);
      next->frames = _flow_builder_new_frames ();
      next->now.name_scope = g_strdup ("");
      if (self->common != NULL)
        share (&next->now, self->common);
    }
  else
    g_free (key);
  before = self->now;
  if (begins_anew (self))
    {
      g_array_unref (self->frames);
      take_up (self, next, &before);
      _flow_surroundings_clear (&before);
    }
  else
    {
      FlowThread *last = g_new0 (FlowThread, 1);

      last->now = before;
      last->frames = self->frames;
      g_hash_table_insert (self->threads, g_memdup2 (&self->thread, sizeof self->thread), last);
      take_up (self, next, &before);
    }
  self->thread = thread;
}

/**
 * flow_builder_switch_to_thread_local:
 * @self: a builder
 *
 * From now on devices, colocations and control dependencies are each thread's own; a thread that has none yet begins with
 * those that stand now.
 */
void
flow_builder_switch_to_thread_local (FlowBuilder *self)
{
  GHashTableIter iter;
  gpointer value;

  g_return_if_fail (FLOW_IS_BUILDER (self));

  if (self->common != NULL)
    return;
  self->common = g_new0 (FlowSurroundings, 1);
  share (self->common, &self->now);
  g_hash_table_iter_init (&iter, self->threads);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    share (&((FlowThread *) value)->now, &self->now);
}
