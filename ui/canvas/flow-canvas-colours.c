/* flow-canvas-colours.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-canvas-private.h"

#include "flow-structure.h"

/* What the boxes are coloured by: op families, or what a person chose; and which of them are to be seen. */

/* The tints of a display for the colouring at hand; called whenever either changes. */
FlowTints *
_flow_canvas_make_tints (FlowCanvas        *self,
                         const FlowDisplay *display)
{
  g_autofree FlowItem *items = NULL;

  if (self->colouring == NULL || self->scene == NULL)
    return NULL;
  items = g_new (FlowItem, (gsize) display->n_boxes + 1);
  for (guint i = 0; i < display->n_boxes; i++)
    items[i] = display->boxes[i].item;
  return flow_tints_new (self->colouring, self->scene, items, display->n_boxes);
}

static void
set_colouring (FlowCanvas    *self,
               FlowColouring *colouring)
{
  if (self->colouring == NULL && colouring == NULL)
    return;
  if (colouring != NULL)
    flow_colouring_ref (colouring);
  g_clear_pointer (&self->colouring, flow_colouring_unref);
  self->colouring = colouring;
  if (_flow_canvas_is_current (self))
    _flow_canvas_refresh_tiles (self);
  _flow_canvas_redraw (self);
  g_signal_emit (self, _flow_canvas_signals[FLOW_CANVAS_SIGNAL_COLOURING_CHANGED], 0);
}

/**
 * flow_canvas_set_colouring:
 * @colouring: (nullable): a sealed one; %NULL: by op family
 *
 * Colours the boxes, on the screen and in pictures.
 */
void
flow_canvas_set_colouring (FlowCanvas    *self,
                           FlowColouring *colouring)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  self->colours_structures = FALSE;
  set_colouring (self, colouring);
}

/**
 * flow_canvas_get_colouring:
 *
 * Returns: (transfer none) (nullable): what the boxes are coloured by, with its legend
 */
FlowColouring *
flow_canvas_get_colouring (FlowCanvas *self)
{
  g_return_val_if_fail (FLOW_IS_CANVAS (self), NULL);

  return self->colouring;
}

typedef struct {
  FlowStructureJob *job;
  guint64 scene_serial;
} StructureTask;

static void
structure_task_free (gpointer data)
{
  StructureTask *task = data;

  flow_structure_job_free (task->job);
  g_free (task);
}

static void
structure_worker (GTask        *task,
                  gpointer      source,
                  gpointer      data,
                  GCancellable *cancellable)
{
  StructureTask *structures = data;

  g_task_return_pointer (task, flow_structure_job_run (structures->job), (GDestroyNotify) flow_colouring_unref);
}

static void
structures_cb (GObject      *object,
               GAsyncResult *result,
               gpointer      data)
{
  FlowCanvas *self = FLOW_CANVAS (object);
  const StructureTask *task = g_task_get_task_data (G_TASK (result));
  g_autoptr(FlowColouring) colouring = g_task_propagate_pointer (G_TASK (result), NULL);

  self->structures_pending--;
  /* The graph grew meanwhile, or something else is wanted: another answer comes, or none is needed. */
  if (colouring != NULL && self->colours_structures && task->scene_serial == self->scene_serial)
    set_colouring (self, colouring);
  g_object_notify (object, "busy");
}

/* Looks for groups that are built alike in the scene at hand, on another thread. */
void
_flow_canvas_find_structures (FlowCanvas *self)
{
  g_autoptr(GTask) task = NULL;
  StructureTask *structures = NULL;

  if (!self->colours_structures || self->scene == NULL)
    return;
  structures = g_new0 (StructureTask, 1);
  structures->job = flow_structure_job_new (self->scene);
  structures->scene_serial = self->scene_serial;
  self->structures_pending++;
  task = g_task_new (self, NULL, structures_cb, NULL);
  g_task_set_source_tag (task, _flow_canvas_find_structures);
  g_task_set_task_data (task, structures, structure_task_free);
  g_task_run_in_thread (task, structure_worker);
}

/**
 * flow_canvas_colour_structures:
 *
 * Colours groups that are built alike, each kind in a colour and with a number. Found on another
 * thread; `colouring-changed` tells when.
 */
void
flow_canvas_colour_structures (FlowCanvas *self)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (self->colours_structures)
    return;
  self->colours_structures = TRUE;
  _flow_canvas_find_structures (self);
  g_object_notify (G_OBJECT (self), "busy");
}

/**
 * flow_canvas_set_focus:
 * @focus: (nullable): a byte per node: 0 as it is, 1 pale, 2 not there
 *
 * Nothing moves: what is not there leaves its place empty. A group is as its most visible op.
 */
void
flow_canvas_set_focus (FlowCanvas *self,
                       GBytes     *focus)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (self->focus == NULL && focus == NULL)
    return;
  if (focus != NULL)
    g_bytes_ref (focus);
  g_clear_pointer (&self->focus, g_bytes_unref);
  self->focus = focus;
  if (_flow_canvas_is_current (self))
    _flow_canvas_refresh_tiles (self);
  _flow_canvas_redraw (self);
}
