/* flow-canvas-camera.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-canvas-private.h"

#include <math.h>
#include <string.h>

/* Where the canvas looks, and how it gets there. */

/* Microseconds (canvas, sections 7 and 11). */
#define FLIGHT_US 250000

gboolean
_flow_canvas_animates (FlowCanvas *self)
{
  gboolean enabled = TRUE;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-enable-animations", &enabled,
                NULL);
  return enabled && gtk_widget_get_mapped (GTK_WIDGET (self));
}

static gboolean
settle_cb (gpointer data)
{
  FlowCanvas *self = data;

  self->settle_source = 0;
  flow_tiles_settle (self->tiles,
                     self->camera.zoom * gtk_widget_get_scale_factor (GTK_WIDGET (self)));
  _flow_canvas_redraw (self);
  return G_SOURCE_REMOVE;
}

void
_flow_canvas_set_camera (FlowCanvas *self,
                         FlowCamera  camera)
{
  double scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  gboolean zoomed;

  camera.zoom = CLAMP (camera.zoom, FLOW_ZOOM_MIN, FLOW_ZOOM_MAX);
  /* Whole device pixels: tiles are copied then, not filtered. */
  camera.x = round (camera.x * scale) / scale;
  camera.y = round (camera.y * scale) / scale;
  zoomed = camera.zoom != self->camera.zoom;
  if (!zoomed && camera.x == self->camera.x && camera.y == self->camera.y)
    return;
  self->camera = camera;
  if (zoomed)
    {
      g_clear_handle_id (&self->settle_source, g_source_remove);
      self->settle_source = g_timeout_add (80, settle_cb, self);
      g_object_notify (G_OBJECT (self), "zoom");
    }
  _flow_canvas_redraw (self);
}

void
_flow_canvas_zoom_at (FlowCanvas *self,
                      double      zoom,
                      double      x,
                      double      y)
{
  FlowCamera camera = self->camera;

  zoom = CLAMP (zoom, FLOW_ZOOM_MIN, FLOW_ZOOM_MAX);
  camera.x = x - (x - camera.x) * zoom / camera.zoom;
  camera.y = y - (y - camera.y) * zoom / camera.zoom;
  camera.zoom = zoom;
  self->is_flying = FALSE;
  self->is_touched = TRUE;
  _flow_canvas_set_camera (self, camera);
}

static double
ease_out (double t)
{
  t = 1.0 - CLAMP (t, 0.0, 1.0);
  return 1.0 - t * t * t;
}

static void
step_flight (FlowCanvas *self,
             gint64      now)
{
  double t = (now - self->flight_start) / (double) FLIGHT_US;
  double e = ease_out (t);
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  double height = gtk_widget_get_height (GTK_WIDGET (self));
  const FlowCamera *a = &self->flight_from;
  const FlowCamera *b = &self->flight_to;
  /* The point in the middle moves evenly, the zoom by its logarithm. */
  double ax = (width / 2.0 - a->x) / a->zoom;
  double ay = (height / 2.0 - a->y) / a->zoom;
  double bx = (width / 2.0 - b->x) / b->zoom;
  double by = (height / 2.0 - b->y) / b->zoom;
  double far = MAX (fabs (bx - ax) * a->zoom / MAX (width, 1.0),
                    fabs (by - ay) * a->zoom / MAX (height, 1.0));
  FlowCamera camera;

  camera.zoom = exp (log (a->zoom) + (log (b->zoom) - log (a->zoom)) * e);
  if (far > 3.0)
    camera.zoom *= 1.0 - 0.5 * sin (G_PI * CLAMP (t, 0.0, 1.0));
  camera.x = width / 2.0 - (ax + (bx - ax) * e) * camera.zoom;
  camera.y = height / 2.0 - (ay + (by - ay) * e) * camera.zoom;
  if (t >= 1.0)
    {
      camera = *b;
      self->is_flying = FALSE;
    }
  _flow_canvas_set_camera (self, camera);
}

static void
step_tween (FlowCanvas *self,
            gint64      now)
{
  double t = (now - self->tween_start) / (double) self->tween_duration;
  const FlowBox *anchor;

  flow_tween_set (self->tween, ease_out (t));
  anchor = flow_tween_find_box (self->tween, self->anchor);
  if (anchor != NULL)
    {
      FlowCamera camera = self->camera;

      camera.x = self->anchor_x - anchor->x * camera.zoom;
      camera.y = self->anchor_y - anchor->y * camera.zoom;
      _flow_canvas_set_camera (self, camera);
    }
  if (t >= 1.0)
    g_clear_pointer (&self->tween, flow_tween_free);
  _flow_canvas_redraw (self);
}

static gboolean
tick_cb (GtkWidget     *widget,
         GdkFrameClock *clock,
         gpointer       data)
{
  FlowCanvas *self = FLOW_CANVAS (widget);
  gint64 now = gdk_frame_clock_get_frame_time (clock);

  if (self->tween != NULL)
    {
      if (self->tween_start == 0)
        self->tween_start = now;
      step_tween (self, now);
    }
  if (self->is_flying)
    {
      if (self->flight_start == 0)
        self->flight_start = now;
      step_flight (self, now);
    }
  if (self->tween != NULL || self->is_flying)
    return G_SOURCE_CONTINUE;
  self->tick_id = 0;
  g_object_notify (G_OBJECT (self), "busy");
  return G_SOURCE_REMOVE;
}

void
_flow_canvas_start_ticking (FlowCanvas *self)
{
  if (self->tick_id == 0)
    self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
}

void
_flow_canvas_fly_to (FlowCanvas *self,
                     FlowCamera  camera)
{
  camera.zoom = CLAMP (camera.zoom, FLOW_ZOOM_MIN, FLOW_ZOOM_MAX);
  if (!_flow_canvas_animates (self) || !self->has_camera)
    {
      self->is_flying = FALSE;
      _flow_canvas_set_camera (self, camera);
      return;
    }
  self->flight_from = self->camera;
  self->flight_to = camera;
  self->flight_start = 0;
  self->is_flying = TRUE;
  _flow_canvas_start_ticking (self);
  /* Who waits for the canvas must hear of it before its first frame. */
  g_object_notify (G_OBJECT (self), "busy");
}

/* Whether any of the drawing can be seen. */
static gboolean
sees_something (FlowCanvas *self)
{
  double x0 = -self->camera.x / self->camera.zoom;
  double y0 = -self->camera.y / self->camera.zoom;
  double x1 = x0 + gtk_widget_get_width (GTK_WIDGET (self)) / self->camera.zoom;
  double y1 = y0 + gtk_widget_get_height (GTK_WIDGET (self)) / self->camera.zoom;

  for (guint i = 1; i < self->display->n_boxes; i++)
    {
      const FlowBox *box = &self->display->boxes[i];

      if (box->x < x1 && box->y < y1 && box->x + box->width > x0 && box->y + box->height > y0)
        return TRUE;
    }
  return FALSE;
}

void
_flow_canvas_place_camera (FlowCanvas *self)
{
  /* A view that was kept in a window of another size may look at nothing. */
  if (self->view_restored && gtk_widget_get_width (GTK_WIDGET (self)) > 0)
    {
      self->view_restored = FALSE;
      if (!sees_something (self))
        self->fit_when_laid_out = TRUE;
    }
  if (self->fit_when_laid_out && gtk_widget_get_width (GTK_WIDGET (self)) > 0)
    {
      FlowCamera camera = _flow_canvas_first_camera (self);

      self->fit_when_laid_out = FALSE;
      self->has_camera = FALSE;
      _flow_canvas_fly_to (self, camera);
      self->has_camera = TRUE;
    }
  if (self->reveal_item != FLOW_ITEM_NONE && self->has_camera)
    {
      const FlowBox *box = flow_display_find_box (self->display, self->reveal_item);

      self->reveal_item = FLOW_ITEM_NONE;
      if (box != NULL)
        {
          /* What flies to a box must not be held by another one. */
          self->anchor = FLOW_ITEM_NONE;
          _flow_canvas_show_box (self, box, self->reveal_zoom);
        }
    }
}

void
flow_canvas_zoom_in (FlowCanvas *self)
{
  FlowCamera camera;
  double x;
  double y;

  g_return_if_fail (FLOW_IS_CANVAS (self));

  camera = self->is_flying ? self->flight_to : self->camera;
  x = gtk_widget_get_width (GTK_WIDGET (self)) / 2.0;
  y = gtk_widget_get_height (GTK_WIDGET (self)) / 2.0;
  camera.x = x - (x - camera.x) * 1.25;
  camera.y = y - (y - camera.y) * 1.25;
  camera.zoom *= 1.25;
  if (camera.zoom <= FLOW_ZOOM_MAX)
    _flow_canvas_fly_to (self, camera);
}

void
flow_canvas_zoom_out (FlowCanvas *self)
{
  FlowCamera camera;
  double x;
  double y;

  g_return_if_fail (FLOW_IS_CANVAS (self));

  camera = self->is_flying ? self->flight_to : self->camera;
  x = gtk_widget_get_width (GTK_WIDGET (self)) / 2.0;
  y = gtk_widget_get_height (GTK_WIDGET (self)) / 2.0;
  camera.x = x - (x - camera.x) / 1.25;
  camera.y = y - (y - camera.y) / 1.25;
  camera.zoom /= 1.25;
  if (camera.zoom >= FLOW_ZOOM_MIN)
    _flow_canvas_fly_to (self, camera);
}

void
flow_canvas_zoom_reset (FlowCanvas *self)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  flow_canvas_set_zoom (self, self->text_scale);
}

void
flow_canvas_zoom_fit (FlowCanvas *self)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (self->display != NULL)
    {
      FlowArea area = _flow_canvas_find_shown_area (self);

      _flow_canvas_fly_to (self, _flow_canvas_camera_for_area (self, &area, 1.25));
    }
}

void
flow_canvas_zoom_selection (FlowCanvas *self)
{
  const FlowBox *box;

  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (!_flow_canvas_is_current (self) || self->selected == FLOW_ITEM_NONE)
    {
      flow_canvas_zoom_fit (self);
      return;
    }
  box = flow_display_find_box (self->display, flow_scene_visible_item (self->scene,
                                                                       self->selected));
  if (box != NULL)
    {
      FlowArea area = { box->x - 40.0, box->y - 40.0, box->x + box->width + 40.0, box->y + box->height + 40.0 };

      _flow_canvas_fly_to (self, _flow_canvas_camera_for_area (self, &area, 1.5));
    }
}

double
flow_canvas_get_zoom (FlowCanvas *self)
{
  g_return_val_if_fail (FLOW_IS_CANVAS (self), 1.0);

  return self->camera.zoom;
}

/**
 * flow_canvas_set_zoom:
 * @zoom: 1.0 is the size things are made for
 *
 * Zooms about the middle of the view.
 */
void
flow_canvas_set_zoom (FlowCanvas *self,
                      double      zoom)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  _flow_canvas_zoom_at (self, zoom, gtk_widget_get_width (GTK_WIDGET (self)) / 2.0,
                        gtk_widget_get_height (GTK_WIDGET (self)) / 2.0);
}

/**
 * flow_canvas_get_view:
 * @x: (out): where the drawing's corner is in the widget
 * @y: (out): likewise
 * @zoom: (out): pixels per unit
 */
void
flow_canvas_get_view (FlowCanvas *self,
                      double     *x,
                      double     *y,
                      double     *zoom)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  *x = self->camera.x;
  *y = self->camera.y;
  *zoom = self->camera.zoom;
}

/**
 * flow_canvas_set_view:
 *
 * The view of another time, kept through the layout that is under way.
 */
void
flow_canvas_set_view (FlowCanvas *self,
                      double      x,
                      double      y,
                      double      zoom)
{
  FlowCamera camera = { x, y, zoom };

  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (self->fit_when_laid_out && self->scene != NULL)
    {
      /* Who comes back to a view finds it as it was arranged. */
      self->fit_when_laid_out = FALSE;
      self->scene->shape = self->last_shape;
      self->flow_open = FALSE;
      if (self->direction == FLOW_CANVAS_AS_IT_FITS)
        self->flow = self->scene->direction = self->last_flow;
      _flow_canvas_lay_out (self, FLOW_ITEM_NONE, FALSE);
    }
  self->is_touched = TRUE;
  self->has_camera = TRUE;
  self->view_restored = self->layout_done != self->layout_generation;
  self->is_flying = FALSE;
  self->reveal_item = FLOW_ITEM_NONE;
  _flow_canvas_set_camera (self, camera);
}
