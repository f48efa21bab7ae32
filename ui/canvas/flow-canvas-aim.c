/* flow-canvas-aim.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-canvas-private.h"

#include <math.h>
#include <string.h>

/* Where the canvas had best look: at a graph for the first time, and at one box with what is around it. */

/* How the first look at a graph is scaled that is too large to be seen whole. */
#define FIRST_ZOOM 0.9
/* What is too wide as well. */
#define FIRST_ZOOM_WIDE 0.8
/* Of a box that no line leads to. */
#define WORTH_BESIDE 0.3
/* More boxes than these are not weighed one against the other. */
#define MAX_WEIGHED 400

/* Between what is looked at and the border of the view, pixels. */
#define MARGIN 48.0
/* Around the drawing. */
#define EDGE 12.0

/* Neighbours of a box that are looked at together with it. */
#define MAX_NEIGHBOURS 32

/**
 * _flow_canvas_camera_for_area:
 * @zoom_max: no nearer than that, with text of the normal size
 *
 * Returns: the camera that sees all of it, in the middle of the view
 */
FlowCamera
_flow_canvas_camera_for_area (FlowCanvas     *self,
                              const FlowArea *area,
                              double          zoom_max)
{
  double view_width = MAX (gtk_widget_get_width (GTK_WIDGET (self)), 1);
  double view_height = MAX (gtk_widget_get_height (GTK_WIDGET (self)), 1);
  FlowCamera camera;

  camera.zoom = MIN ((view_width - 32.0) / MAX (area->x1 - area->x0, 1.0),
                     (view_height - 32.0) / MAX (area->y1 - area->y0, 1.0));
  camera.zoom = CLAMP (camera.zoom, FLOW_ZOOM_MIN, zoom_max * self->text_scale);
  camera.x = view_width / 2.0 - (area->x0 + area->x1) / 2.0 * camera.zoom;
  camera.y = view_height / 2.0 - (area->y0 + area->y1) / 2.0 * camera.zoom;
  return camera;
}

static gboolean
is_hidden (FlowCanvas    *self,
           const FlowBox *box)
{
  return self->dims != NULL && self->dims[box - self->display->boxes] == FLOW_DIM_HIDDEN;
}

static void
add_box (FlowArea      *area,
         const FlowBox *box,
         double         margin)
{
  area->x0 = MIN (area->x0, box->x - margin);
  area->y0 = MIN (area->y0, box->y - margin);
  area->x1 = MAX (area->x1, box->x + box->width + margin);
  area->y1 = MAX (area->y1, box->y + box->height + margin);
}

/**
 * _flow_canvas_find_shown_area:
 *
 * Returns: the drawing; where some of it is hidden, around what is left
 */
FlowArea
_flow_canvas_find_shown_area (FlowCanvas *self)
{
  const FlowDisplay *display = self->display;
  FlowArea area = { G_MAXDOUBLE, G_MAXDOUBLE, -G_MAXDOUBLE, -G_MAXDOUBLE };
  gboolean some_hidden = self->dims != NULL && memchr (self->dims + 1, FLOW_DIM_HIDDEN, display->n_boxes - 1) != NULL;

  for (guint i = 1; some_hidden && i < display->n_boxes; i++)
    if (!is_hidden (self, &display->boxes[i]))
      add_box (&area, &display->boxes[i], 24.0);
  if (area.x0 > area.x1)
    area = (FlowArea) { 0.0, 0.0, display->width, display->height };
  return area;
}

/* --- the first look ---------------------------------------------------------------------------------- */

/* What each box is worth to be seen: what lines lead to or from is the drawing, the rest stands beside it. */
static double *
weigh_boxes (const FlowDisplay *display)
{
  guint n = MIN (display->n_boxes, MAX_WEIGHED);
  double *weights = g_new (double, n + 1);

  for (guint i = 0; i < n; i++)
    weights[i] = display->boxes[i].kind == FLOW_BOX_FRAME ? 0.0 : WORTH_BESIDE;
  for (guint w = 0; w < display->n_wires; w++)
    for (guint end = 0; end < 2; end++)
      {
        FlowItem item = end == 0 ? display->wires[w].from : display->wires[w].to;
        const FlowBox *box = item != FLOW_ITEM_NONE ? flow_display_find_box (display, item) : NULL;

        if (box != NULL && box < display->boxes + n && box->kind != FLOW_BOX_FRAME)
          weights[box - display->boxes] = 1.0;
      }
  return weights;
}

/* How much of what there is would be seen in that view. */
static double
weigh_view (const FlowDisplay *display,
            const double      *weights,
            const FlowArea    *view)
{
  double sum = 0.0;

  for (guint i = 1; i < MIN (display->n_boxes, MAX_WEIGHED); i++)
    {
      const FlowBox *box = &display->boxes[i];
      double width = MIN (box->x + box->width, view->x1) - MAX (box->x, view->x0);
      double height = MIN (box->y + box->height, view->y1) - MAX (box->y, view->y0);
      double whole = box->width * box->height;

      if (width <= 0.0 || height <= 0.0)
        continue;
      /* A card that is cut is in the way. */
      sum += weights[i] * (width * height >= whole * 0.99 ? whole : -0.5 * whole);
    }
  return sum;
}

/* Across the flow, where its beginning has the most to show: what begins at the corner may be a lonely box. */
static double
find_fullest (const FlowDisplay *display,
              double             width,
              double             height)
{
  gboolean sideways = display->direction == FLOW_FLOW_RIGHT;
  double length = sideways ? display->height : display->width;
  double seen = sideways ? height : width;
  g_autofree double *weights = weigh_boxes (display);
  double best = 0.0;
  double best_weight = -G_MAXDOUBLE;

  if (length <= seen)
    return (length - seen) / 2.0;
  for (guint i = 0; i < MIN (display->n_boxes, MAX_WEIGHED); i++)
    {
      /* The corner itself comes first, and stays where nothing is better. */
      double at = i == 0 ? 0.0 : (sideways ? display->boxes[i].y : display->boxes[i].x) - 2.0 * EDGE;
      FlowArea view;
      double weight;

      at = CLAMP (at, 0.0, length - seen);
      view = sideways ? (FlowArea) { 0.0, at, width, at + height } : (FlowArea) { at, 0.0, at + width, height };
      weight = weigh_view (display, weights, &view);
      if (i == 0 || weight > best_weight + 0.05 * fabs (best_weight))
        {
          best_weight = weight;
          best = at;
        }
    }
  return best;
}

/**
 * _flow_canvas_first_camera:
 *
 * Returns: all of it if that can be read; else where the flow begins, at a scale that can, and there where
 *   the most of it is seen
 */
FlowCamera
_flow_canvas_first_camera (FlowCanvas *self)
{
  const FlowDisplay *display = self->display;
  FlowArea all = { 0.0, 0.0, display->width, display->height };
  double view_width = gtk_widget_get_width (GTK_WIDGET (self));
  double view_height = gtk_widget_get_height (GTK_WIDGET (self));
  double room = MAX (view_height - FLOW_VIEW_BORDER - FLOW_VIEW_FOOT * self->text_scale, 1.0);
  FlowCamera camera;

  camera.zoom = MIN (FLOW_FIT_ZOOM_MAX * self->text_scale,
                     MIN ((view_width - 2.0 * FLOW_VIEW_BORDER) / MAX (all.x1, 1.0), room / MAX (all.y1, 1.0)));
  camera.x = (view_width - all.x1 * camera.zoom) / 2.0;
  /* What leaves room stands a little above the middle. */
  camera.y = FLOW_VIEW_BORDER + (room - all.y1 * camera.zoom) * 0.4;
  if (camera.zoom < FLOW_FIT_ZOOM_MIN * self->text_scale)
    {
      gboolean sideways = display->direction == FLOW_FLOW_RIGHT;
      /* As wide as the flow, if that can be read. */
      double across = (sideways ? room : view_width - 2.0 * FLOW_VIEW_BORDER) / MAX (sideways ? all.y1 : all.x1, 1.0);
      double zoom = across >= FLOW_FIT_ZOOM_MIN * self->text_scale ? MIN (across, FIRST_ZOOM * self->text_scale)
                                                                   : FIRST_ZOOM_WIDE * self->text_scale;
      double fullest = find_fullest (display, view_width / zoom, view_height / zoom);

      camera.zoom = zoom;
      camera.x = sideways ? EDGE : -fullest * zoom;
      camera.y = sideways ? -fullest * zoom : EDGE;
    }
  return camera;
}

/* --- one box ----------------------------------------------------------------------------------------- */

typedef struct {
  const FlowBox *box;
  double distance;
} Neighbour;

static int
compare_neighbours (gconstpointer a,
                    gconstpointer b)
{
  const Neighbour *x = a;
  const Neighbour *y = b;

  return x->distance < y->distance ? -1 : x->distance > y->distance;
}

/* What it is joined to by lines, the nearest first. */
static GArray *
list_neighbours (FlowCanvas    *self,
                 const FlowBox *box)
{
  GArray *neighbours = g_array_new (FALSE, FALSE, sizeof (Neighbour));

  for (guint i = 0; i < self->display->n_wires; i++)
    {
      const FlowWire *wire = &self->display->wires[i];
      FlowItem other = wire->from == box->item ? wire->to : wire->to == box->item ? wire->from : FLOW_ITEM_NONE;
      const FlowBox *far = other != FLOW_ITEM_NONE ? flow_display_find_box (self->display, other) : NULL;
      Neighbour neighbour = { far, 0.0 };

      if (far == NULL || far == box || is_hidden (self, far))
        continue;
      neighbour.distance = hypot (far->x + far->width / 2.0 - box->x - box->width / 2.0,
                                  far->y + far->height / 2.0 - box->y - box->height / 2.0);
      g_array_append_val (neighbours, neighbour);
    }
  g_array_sort (neighbours, compare_neighbours);
  return neighbours;
}

/* The box and as many of its neighbours as there is room for. */
static FlowArea
find_neighbourhood (FlowCanvas    *self,
                    const FlowBox *box,
                    double         width,
                    double         height)
{
  g_autoptr(GArray) neighbours = list_neighbours (self, box);
  FlowArea area = { box->x, box->y, box->x + box->width, box->y + box->height };

  for (guint i = 0; i < MIN (neighbours->len, MAX_NEIGHBOURS); i++)
    {
      FlowArea larger = area;

      add_box (&larger, g_array_index (neighbours, Neighbour, i).box, 0.0);
      if (larger.x1 - larger.x0 <= width && larger.y1 - larger.y0 <= height)
        area = larger;
    }
  return area;
}

/* Along one axis: no further beyond the drawing than its edge, while it is larger than the view. */
static double
keep_on_drawing (double at,
                 double view,
                 double from,
                 double to)
{
  if (to - from + 2.0 * EDGE <= view)
    return (view - from - to) / 2.0;
  return CLAMP (at, view - EDGE - to, EDGE - from);
}

/* Brings a box into sight; below @least_zoom nearer, too. Where it can be seen nothing moves; else what it
 * is joined to comes with it, and not the emptiness beyond the drawing. */
void
_flow_canvas_show_box (FlowCanvas    *self,
                       const FlowBox *box,
                       double         least_zoom)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  double height = gtk_widget_get_height (GTK_WIDGET (self));
  FlowCamera camera = self->is_flying ? self->flight_to : self->camera;
  FlowArea all;
  FlowArea area;
  double x;
  double y;

  if (camera.zoom < least_zoom)
    camera.zoom = FIRST_ZOOM * self->text_scale;
  x = box->x * camera.zoom + camera.x;
  y = box->y * camera.zoom + camera.y;
  if (camera.zoom == (self->is_flying ? self->flight_to.zoom : self->camera.zoom)
      && x >= MARGIN / 2.0 && y >= MARGIN / 2.0
      && x + MIN (box->width * camera.zoom, width * 0.6) <= width - MARGIN / 2.0
      /* Below a failed op hangs what clashes. */
      && y + MIN (box->height * camera.zoom, height * 0.6) <= height - MARGIN)
    return;
  all = _flow_canvas_find_shown_area (self);
  area = find_neighbourhood (self, box, (width - 2.0 * MARGIN) / camera.zoom, (height - 2.0 * MARGIN) / camera.zoom);
  /* A box larger than the view shows its header. */
  camera.x = box->width * camera.zoom > width - 2.0 * MARGIN ? MARGIN - box->x * camera.zoom
             : keep_on_drawing (width / 2.0 - (area.x0 + area.x1) / 2.0 * camera.zoom, width,
                                all.x0 * camera.zoom, all.x1 * camera.zoom);
  camera.y = box->height * camera.zoom > height - 2.0 * MARGIN ? MARGIN - box->y * camera.zoom
             : keep_on_drawing (height / 2.0 - (area.y0 + area.y1) / 2.0 * camera.zoom, height,
                                all.y0 * camera.zoom, all.y1 * camera.zoom);
  _flow_canvas_fly_to (self, camera);
}
