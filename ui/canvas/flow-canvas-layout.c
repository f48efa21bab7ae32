/* flow-canvas-layout.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-canvas-private.h"

#include "flow-graph-reading.h"

#include <math.h>
#include <string.h>

/* Scenes and their layouts: asked of the worker, taken when they come. */

/* Up to this many boxes move one by one; more would drop frames. */
#define TWEEN_BOXES_MAX 3000

/* Growth of a live graph is gathered for so long. */
#define GROWTH_MS 100

typedef struct {
  GWeakRef canvas;
  FlowLayout *layout;
  GCancellable *cancellable;
  guint64 scene_serial;
} LayoutJob;

static void
layout_job_free (gpointer data)
{
  LayoutJob *job = data;

  g_weak_ref_clear (&job->canvas);
  flow_layout_free (job->layout);
  g_object_unref (job->cancellable);
  g_free (job);
}

static void
start_tween (FlowCanvas  *self,
             FlowDisplay *from)
{
  const FlowBox *anchor = self->anchor != FLOW_ITEM_NONE
                          ? flow_display_find_box (from, self->anchor) : NULL;
  const FlowBox *after = self->anchor != FLOW_ITEM_NONE
                         ? flow_display_find_box (self->display, self->anchor) : NULL;
  FlowTween *tween = NULL;

  if (anchor != NULL)
    {
      self->anchor_x = anchor->x * self->camera.zoom + self->camera.x;
      self->anchor_y = anchor->y * self->camera.zoom + self->camera.y;
    }
  if (_flow_canvas_animates (self)
      && self->display->n_boxes <= TWEEN_BOXES_MAX && from->n_boxes <= TWEEN_BOXES_MAX)
    tween = flow_tween_new (from, self->display);
  if (tween != NULL)
    {
      self->tween_duration = flow_tween_get_duration (tween);
      if (self->tween_duration == 0)
        g_clear_pointer (&tween, flow_tween_free);
    }
  g_clear_pointer (&self->tween, flow_tween_free);
  self->tween = tween;
  if (tween != NULL)
    {
      self->tween_start = 0;
      _flow_canvas_start_ticking (self);
    }
  else if (anchor != NULL && after != NULL)
    {
      FlowCamera camera = self->camera;

      camera.x = self->anchor_x - after->x * camera.zoom;
      camera.y = self->anchor_y - after->y * camera.zoom;
      _flow_canvas_set_camera (self, camera);
    }
}

/* What will be seen when the motion ends is painted meanwhile. */
static void
ask_for_tiles_ahead (FlowCanvas *self)
{
  double scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  const FlowBox *anchor = self->anchor != FLOW_ITEM_NONE
                          ? flow_display_find_box (self->display, self->anchor) : NULL;
  double x = anchor != NULL ? self->anchor_x - anchor->x * self->camera.zoom : self->camera.x;
  double y = anchor != NULL ? self->anchor_y - anchor->y * self->camera.zoom : self->camera.y;

  flow_tiles_ask (self->tiles, self->camera.zoom * scale, round (x * scale), round (y * scale),
                  (int) ceil (gtk_widget_get_width (GTK_WIDGET (self)) * scale),
                  (int) ceil (gtk_widget_get_height (GTK_WIDGET (self)) * scale));
}

static void
hold_growth_anchor (FlowCanvas *self)
{
  FlowItem item = flow_scene_visible_item (self->scene,
                                           flow_scene_item_of_op (self->scene, self->growth_node));
  const FlowBox *box = item != FLOW_ITEM_NONE ? flow_display_find_box (self->display, item) : NULL;
  FlowCamera camera = self->camera;

  self->growth_node = FLOW_NODE_NONE;
  if (box == NULL)
    return;
  camera.x = self->anchor_x - box->x * camera.zoom;
  camera.y = self->anchor_y - box->y * camera.zoom;
  _flow_canvas_set_camera (self, camera);
}

static void
take_layout (FlowCanvas *self,
             FlowLayout *layout)
{
  g_autoptr(FlowDisplay) before = self->display;
  /* Items of another scene go by other numbers: there is no way from one to the other. */
  gboolean same_scene = _flow_canvas_is_current (self);

  flow_layout_commit (layout, self->scene);
  self->display = flow_display_new (self->scene, layout, self->edge_shapes);
  self->display_serial = self->scene_serial;
  if (same_scene && self->has_camera)
    start_tween (self, self->tween != NULL ? flow_tween_get_display (self->tween) : before);
  else if (self->growth_node != FLOW_NODE_NONE && self->has_camera && !self->fit_when_laid_out)
    hold_growth_anchor (self);
  _flow_canvas_refresh_tiles (self);
  _flow_canvas_place_camera (self);
  if (same_scene && self->has_camera)
    ask_for_tiles_ahead (self);
  _flow_canvas_redraw (self);
  g_object_notify (G_OBJECT (self), "busy");
}

static gboolean
layout_done_cb (gpointer data)
{
  LayoutJob *job = data;
  g_autoptr(FlowCanvas) self = g_weak_ref_get (&job->canvas);

  if (self == NULL || self->scene == NULL || job->scene_serial != self->scene_serial)
    return G_SOURCE_REMOVE;
  if (job->layout->generation == self->layout_generation)
    {
      g_autoptr(FlowLayout) layout = NULL;

      if (job->layout->view_width > 0.0f)
        self->flow_open = FALSE;
      self->flow = self->scene->direction = job->layout->direction;
      layout = _flow_canvas_look_on (self, g_steal_pointer (&job->layout));

      if (layout == NULL)
        return G_SOURCE_REMOVE;
      self->layout_done = self->layout_generation;
      take_layout (self, layout);
    }
  else if (!g_cancellable_is_cancelled (job->cancellable) && job->layout->direction == self->scene->direction)
    flow_layout_commit (job->layout, self->scene);
  return G_SOURCE_REMOVE;
}

void
_flow_canvas_layout_worker (gpointer data,
                            gpointer user_data)
{
  LayoutJob *job = data;

  if (g_cancellable_is_cancelled (job->cancellable))
    {
      layout_job_free (job);
      return;
    }
  flow_layout_run (job->layout, job->cancellable);
  g_idle_add_full (G_PRIORITY_HIGH_IDLE, layout_done_cb, job, layout_job_free);
}

void
_flow_canvas_lay_out (FlowCanvas *self,
                      FlowItem    anchor,
                      gboolean    tidy)
{
  LayoutJob *job;

  if (self->scene == NULL)
    return;
  _flow_canvas_stop_first_look (self);
  g_cancellable_cancel (self->layout_cancellable);
  g_object_unref (self->layout_cancellable);
  self->layout_cancellable = g_cancellable_new ();
  self->anchor = anchor;
  job = g_new0 (LayoutJob, 1);
  g_weak_ref_init (&job->canvas, self);
  job->layout = flow_layout_new (self->scene, tidy || self->fit_when_laid_out);
  if (tidy || self->fit_when_laid_out)
    _flow_canvas_fit_layout (self, job->layout);
  if (self->flow_open && self->fit_when_laid_out)
    flow_layout_let_choose (job->layout, self->scene, FLOW_FLOW_RIGHT);
  job->layout->generation = ++self->layout_generation;
  job->cancellable = g_object_ref (self->layout_cancellable);
  job->scene_serial = self->scene_serial;
  g_thread_pool_push (self->layout_worker, job, NULL);
  g_object_notify (G_OBJECT (self), "busy");
}

void
_flow_canvas_queue_layout (FlowCanvas *self,
                           FlowItem    anchor)
{
  self->is_touched = TRUE;
  _flow_canvas_lay_out (self, anchor, FALSE);
  g_object_notify (G_OBJECT (self), "open-scopes");
}

void
_flow_canvas_count_marks (FlowCanvas *self)
{
  g_hash_table_remove_all (self->mark_counts);
  if (self->scene == NULL)
    return;
  for (guint i = 0; i < self->marks->len; i++)
    {
      FlowItem item = flow_scene_item_of_op (self->scene,
                                             g_array_index (self->marks, FlowCanvasMark, i).node);

      while (item != FLOW_ITEM_NONE)
        {
          guint count = GPOINTER_TO_UINT (g_hash_table_lookup (self->mark_counts,
                                                               GUINT_TO_POINTER (item)));
          guint32 parent = flow_scene_parent_of (self->scene, item);

          g_hash_table_insert (self->mark_counts, GUINT_TO_POINTER (item),
                               GUINT_TO_POINTER (count + 1));
          item = parent == FLOW_GROUP_NONE ? FLOW_ITEM_NONE : flow_item_of_group (parent);
        }
    }
}

/* --- Scenes --- */

typedef struct {
  FlowGraph *graph;
  FlowTextMetrics metrics;
  FlowDirection direction;
  FlowSceneWishes *wishes;
} SceneJob;

static void
scene_job_free (gpointer data)
{
  SceneJob *job = data;

  flow_graph_end_reading (job->graph);
  g_object_unref (job->graph);
  flow_scene_wishes_free (job->wishes);
  g_free (job);
}

static void
scene_worker (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  const SceneJob *job = data;

  g_task_return_pointer (task, flow_scene_new_as_wished (job->graph, &job->metrics, job->direction, job->wishes),
                         (GDestroyNotify) flow_scene_free);
}

/**
 * flow_canvas_prepare_async:
 * @graph: what flow_canvas_set_graph() will be called with; see flow_graph_is_being_read()
 * @callback: (scope async): called when it is ready; calls flow_canvas_prepare_finish()
 *
 * Builds the scene of a graph on another thread, so that setting it is quick.
 */
void
flow_canvas_prepare_async (FlowCanvas          *self,
                           FlowGraph           *graph,
                           GAsyncReadyCallback  callback,
                           gpointer             data)
{
  g_autoptr(GTask) task = NULL;
  SceneJob *job = NULL;

  g_return_if_fail (FLOW_IS_CANVAS (self));
  g_return_if_fail (FLOW_IS_GRAPH (graph));

  job = g_new0 (SceneJob, 1);
  job->graph = g_object_ref (graph);
  flow_graph_begin_reading (graph);
  _flow_canvas_update_style (self);
  flow_painter_get_metrics (self->painter, &job->metrics);
  job->direction = _flow_canvas_get_first_flow (self);
  job->wishes = flow_scene_wishes_copy (self->wishes);
  task = g_task_new (self, NULL, callback, data);
  g_task_set_source_tag (task, flow_canvas_prepare_async);
  g_task_set_task_data (task, job, scene_job_free);
  g_task_run_in_thread (task, scene_worker);
}

/**
 * flow_canvas_prepare_finish:
 *
 * Keeps what was prepared for the next flow_canvas_set_graph() with that graph.
 *
 * Returns: (transfer none): the graph that is ready
 */
FlowGraph *
flow_canvas_prepare_finish (FlowCanvas   *self,
                            GAsyncResult *result)
{
  g_return_val_if_fail (FLOW_IS_CANVAS (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  g_clear_pointer (&self->prepared, flow_scene_free);
  self->prepared = g_task_propagate_pointer (G_TASK (result), NULL);
  return self->prepared->graph;
}

void
_flow_canvas_make_scene (FlowCanvas *self)
{
  g_autoptr(FlowScene) prepared = g_steal_pointer (&self->prepared);
  FlowTextMetrics metrics;

  flow_painter_get_metrics (self->painter, &metrics);
  self->scene_serial++;
  _flow_canvas_forget_counts (self);
  if (prepared != NULL && prepared->graph == self->graph &&
      prepared->n_ops == flow_graph_get_n_nodes (self->graph) &&
      prepared->direction == self->flow &&
      flow_scene_wishes_equal (prepared->wishes, self->wishes) &&
      memcmp (&prepared->metrics, &metrics, sizeof metrics) == 0)
    self->scene = g_steal_pointer (&prepared);
  else
    self->scene = flow_scene_new_as_wished (self->graph, &metrics, self->flow, self->wishes);
  if (self->has_update_nodes)
    flow_scene_set_update_ops (self->scene, self->update_nodes, self->n_update_nodes);
  flow_scene_set_states (self->scene, self->states);
  _flow_canvas_count_marks (self);
  /* Groups have other numbers now. */
  if (self->colouring != NULL && self->colouring->kind == FLOW_COLOURING_STRUCTURE)
    g_clear_pointer (&self->colouring, flow_colouring_unref);
  _flow_canvas_find_structures (self);
}

/* The box nearest to the middle of the view: of those that stand in no scope, or of those that hold nothing. */
static const FlowBox *
find_nearest (FlowCanvas *self,
              gboolean    outermost)
{
  double x = (gtk_widget_get_width (GTK_WIDGET (self)) / 2.0 - self->camera.x) / self->camera.zoom;
  double y = (gtk_widget_get_height (GTK_WIDGET (self)) / 2.0 - self->camera.y) / self->camera.zoom;
  const FlowBox *best = NULL;
  double best_distance = G_MAXDOUBLE;

  for (guint i = 1; i < self->display->n_boxes; i++)
    {
      const FlowBox *box = &self->display->boxes[i];
      double distance = fabs (box->x + box->width / 2.0 - x) + fabs (box->y + box->height / 2.0 - y);

      if (distance >= best_distance || (outermost ? flow_scene_parent_of (self->scene, box->item) != FLOW_GROUP_ROOT
                                                  : box->kind == FLOW_BOX_FRAME))
        continue;
      best_distance = distance;
      best = box;
    }
  return best;
}

/* What is to stay where it is when scopes open and close all over the drawing: it is there before and after. */
FlowItem
_flow_canvas_find_outermost (FlowCanvas *self)
{
  const FlowBox *box = self->has_camera && _flow_canvas_is_current (self) ? find_nearest (self, TRUE) : NULL;

  return box != NULL ? box->item : FLOW_ITEM_NONE;
}

/* The node whose box is nearest to the middle of the view: when the graph grows it stays there. */
static void
find_growth_anchor (FlowCanvas *self)
{
  const FlowBox *best = NULL;

  if (!_flow_canvas_is_current (self))
    return;
  self->growth_node = FLOW_NODE_NONE;
  best = find_nearest (self, FALSE);
  if (best == NULL)
    return;
  self->growth_node = flow_item_is_group (best->item)
                      ? flow_scene_group (self->scene, flow_item_get_group (best->item))->first_op
                      : best->item;
  self->anchor_x = best->x * self->camera.zoom + self->camera.x;
  self->anchor_y = best->y * self->camera.zoom + self->camera.y;
}

/* Whether the same items stand in the layers, and the others aside. */
static gboolean
stands_alike (const FlowSceneGroup *before,
              const FlowSceneGroup *after)
{
  return memcmp (before->places->data, after->places->data, after->items->len) == 0;
}

/* The graph grew or is looked at another way: a new scene, opened as the old one was. Groups that
 * are still what they were keep their rows and orders. */
void
_flow_canvas_remake_scene (FlowCanvas *self,
                           gboolean    keep_layouts)
{
  guint32 selected_scope = flow_canvas_get_selected_scope (self);
  FlowScene *old = self->scene;
  gboolean is_first_look = self->first_look != NULL;

  if (old == NULL)
    return;
  _flow_canvas_stop_first_look (self);
  find_growth_anchor (self);
  _flow_canvas_make_scene (self);
  if (keep_layouts)
    self->scene->shape = old->shape;
  for (guint g = 1; g < old->groups->len; g++)
    {
      const FlowSceneGroup *before = flow_scene_group (old, g);
      guint32 same;
      FlowSceneGroup *after;

      if (!before->is_open && before->layered == NULL)
        continue;
      same = flow_scene_find_key (self->scene, before->key);
      if (same == FLOW_GROUP_NONE)
        continue;
      after = flow_scene_group (self->scene, same);
      after->is_open = before->is_open;
      if (keep_layouts && before->layered != NULL && before->hash == after->hash
          && before->items->len == after->items->len)
        {
          flow_scene_prepare_group (self->scene, same);
          if (before->lines->len == after->lines->len && before->ports->len == after->ports->len
              && stands_alike (before, after))
            after->layered = flow_layered_ref (before->layered);
        }
    }
  self->selected = self->selected_node != FLOW_NODE_NONE
                   ? flow_scene_item_of_op (self->scene, self->selected_node)
                   : selected_scope != FLOW_SCOPE_NONE && selected_scope < self->scene->n_scopes
                   ? self->scene->scope_item[selected_scope] : FLOW_ITEM_NONE;
  self->hovered = FLOW_ITEM_NONE;
  self->hovered_wire = G_MAXUINT32;
  g_clear_pointer (&self->tween, flow_tween_free);
  flow_scene_free (old);
  if (is_first_look)
    _flow_canvas_start_first_look (self);
  else
    _flow_canvas_lay_out (self, FLOW_ITEM_NONE, FALSE);
}

static gboolean
growth_cb (gpointer data)
{
  FlowCanvas *self = data;

  self->growth_source = 0;
  _flow_canvas_remake_scene (self, TRUE);
  _flow_canvas_look_when_grown (self);
  return G_SOURCE_REMOVE;
}

/**
 * flow_canvas_take_growth:
 *
 * Shows nodes that were added since the last picture without waiting for more.
 */
void
flow_canvas_take_growth (FlowCanvas *self)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (self->growth_source == 0)
    return;
  g_clear_handle_id (&self->growth_source, g_source_remove);
  _flow_canvas_remake_scene (self, TRUE);
  _flow_canvas_look_when_grown (self);
}

void
_flow_canvas_nodes_added (FlowCanvas *self)
{
  if (self->growth_source == 0)
    self->growth_source = g_timeout_add (GROWTH_MS, growth_cb, self);
}
