/* flow-canvas-input.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-canvas-private.h"

#include <math.h>

/* Pointer, wheel, fingers and keys. */

/* How near counts as hit, pixels on the screen. */
#define BOX_TOLERANCE 3.0
#define WIRE_TOLERANCE 6.0
#define WIRE_SCALE_MIN 0.3

/* A wheel step pans so far, and zooms by so much. */
#define SCROLL_STEP 60.0
#define ZOOM_STEP 1.15

typedef enum {
  KEY_LEFT,
  KEY_RIGHT,
  KEY_UP,
  KEY_DOWN,
  KEY_ALONG_LEFT,
  KEY_ALONG_RIGHT,
  KEY_ALONG_UP,
  KEY_ALONG_DOWN,
  KEY_ACTIVATE,
  KEY_CLOSE,
  KEY_PARENT,
  KEY_FIT,
  KEY_FIT_SELECTION,
  KEY_BREAKPOINT,
  KEY_SHOW_NEXT,
  KEY_ZOOM_IN,
  KEY_ZOOM_OUT,
  KEY_ZOOM_RESET,
  KEY_MENU,
} CanvasKey;

static void
to_drawing (FlowCanvas *self,
            double      x,
            double      y,
            double     *drawing_x,
            double     *drawing_y)
{
  *drawing_x = (x - self->camera.x) / self->camera.zoom;
  *drawing_y = (y - self->camera.y) / self->camera.zoom;
}

static const FlowBox *
box_at (FlowCanvas *self,
        double      x,
        double      y)
{
  const FlowBox *box;
  double drawing_x;
  double drawing_y;

  if (!_flow_canvas_is_current (self))
    return NULL;
  to_drawing (self, x, y, &drawing_x, &drawing_y);
  box = flow_display_box_at (_flow_canvas_get_shown (self), drawing_x, drawing_y, BOX_TOLERANCE / self->camera.zoom);
  /* What is not there is not hit. */
  if (box != NULL && self->dims != NULL
      && self->dims[box - _flow_canvas_get_shown (self)->boxes] == FLOW_DIM_HIDDEN)
    return NULL;
  return box;
}

/* The side mark of a card the point is on, FLOW_NODE_NONE. */
static guint32
annotation_at (FlowCanvas    *self,
               const FlowBox *box,
               double         x,
               double         y)
{
  guint n = MIN (box->n_annotations, FLOW_ANNOTATIONS_MAX);
  double step = MIN (9.0, (box->height - 8.0) / MAX (n, 1));
  double first = box->y + box->height / 2.0 - step * (n - 1) / 2.0;
  double drawing_x;
  double drawing_y;

  if (n == 0 || box->kind != FLOW_BOX_OP)
    return FLOW_NODE_NONE;
  to_drawing (self, x, y, &drawing_x, &drawing_y);
  if (drawing_x > flow_box_card_x (box) - 2.0)
    return FLOW_NODE_NONE;
  for (guint i = 0; i < n; i++)
    if (fabs (drawing_y - (first + i * step)) <= step / 2.0)
      return self->scene->annotations[self->scene->annotation_first[box->item] + i];
  return FLOW_NODE_NONE;
}

/* The inside of an open group is the ground; its header is the group. */
static gboolean
is_on_header (FlowCanvas    *self,
              const FlowBox *box,
              double         y)
{
  return box->kind != FLOW_BOX_FRAME
         || (y - self->camera.y) / self->camera.zoom < box->y + FLOW_GROUP_HEADER;
}

static void
set_hovered (FlowCanvas *self,
             FlowItem    item,
             guint32     wire)
{
  if (self->hovered == item && self->hovered_wire == wire)
    return;
  self->hovered = item;
  self->hovered_wire = wire;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, _flow_canvas_signals[FLOW_CANVAS_SIGNAL_HOVER_CHANGED], 0);
}

static void
hover_at (FlowCanvas *self,
          double      x,
          double      y)
{
  const FlowBox *box = box_at (self, x, y);
  const FlowWire *wire = NULL;
  graphene_rect_t map;

  if (!_flow_canvas_is_current (self) || self->tween != NULL)
    return;
  if (_flow_canvas_get_minimap (self, &map)
      && graphene_rect_contains_point (&map, &GRAPHENE_POINT_INIT (x, y)))
    box = NULL;
  else if ((box == NULL || box->kind == FLOW_BOX_FRAME) && self->camera.zoom >= WIRE_SCALE_MIN)
    {
      double drawing_x;
      double drawing_y;

      to_drawing (self, x, y, &drawing_x, &drawing_y);
      wire = flow_display_wire_at (self->display, drawing_x, drawing_y,
                                   WIRE_TOLERANCE / self->camera.zoom);
    }
  if (box != NULL && (wire != NULL || !is_on_header (self, box, y)))
    box = NULL;
  set_hovered (self, box != NULL ? box->item : FLOW_ITEM_NONE,
               wire != NULL ? (guint32) (wire - self->display->wires) : G_MAXUINT32);
}

static void
motion_cb (GtkEventControllerMotion *controller,
           double                    x,
           double                    y,
           FlowCanvas               *self)
{
  self->pointer_x = x;
  self->pointer_y = y;
  hover_at (self, x, y);
}

static void
leave_cb (GtkEventControllerMotion *controller,
          FlowCanvas               *self)
{
  set_hovered (self, FLOW_ITEM_NONE, G_MAXUINT32);
}

static void
select_at (FlowCanvas *self,
           double      x,
           double      y)
{
  const FlowBox *box = box_at (self, x, y);
  guint32 annotation;

  if (box == NULL || !is_on_header (self, box, y))
    {
      _flow_canvas_select_item (self, FLOW_ITEM_NONE, FLOW_NODE_NONE);
      return;
    }
  annotation = annotation_at (self, box, x, y);
  _flow_canvas_select_item (self, box->item, annotation != FLOW_NODE_NONE ? annotation
                                             : flow_item_is_group (box->item) ? FLOW_NODE_NONE
                                             : box->item);
}

static gboolean
is_on_chevron (FlowCanvas    *self,
               const FlowBox *box,
               double         x,
               double         y)
{
  double drawing_x;
  double drawing_y;

  to_drawing (self, x, y, &drawing_x, &drawing_y);
  if (box->kind == FLOW_BOX_FRAME)
    return drawing_x < box->x + 22.0 && drawing_y < box->y + FLOW_GROUP_HEADER;
  return box->kind != FLOW_BOX_OP && drawing_x > box->x + box->width - 24.0
         && self->camera.zoom >= 0.6;
}

static void
activate_item (FlowCanvas *self,
               FlowItem    item)
{
  if (item == FLOW_ITEM_NONE)
    return;
  if (flow_item_is_group (item))
    _flow_canvas_toggle_item (self, item);
  else
    g_signal_emit (self, _flow_canvas_signals[FLOW_CANVAS_SIGNAL_NODE_ACTIVATED], 0, item);
}

static void
released_cb (GtkGestureClick *gesture,
             int              n_press,
             double           x,
             double           y,
             FlowCanvas      *self)
{
  const FlowBox *box = box_at (self, x, y);
  graphene_rect_t map;

  if (_flow_canvas_get_minimap (self, &map)
      && graphene_rect_contains_point (&map, &GRAPHENE_POINT_INIT (x, y)))
    return;
  self->is_touched = TRUE;
  if (n_press == 1)
    select_at (self, x, y);
  if (n_press == 1 && self->selected_node != FLOW_NODE_NONE
      && (gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture)) & GDK_ALT_MASK) != 0)
    {
      g_signal_emit (self, _flow_canvas_signals[FLOW_CANVAS_SIGNAL_NODE_SOLOED], 0, self->selected_node);
      return;
    }
  if (box == NULL || !is_on_header (self, box, y))
    return;
  if (n_press == 1 && is_on_chevron (self, box, x, y))
    _flow_canvas_toggle_item (self, box->item);
  else if (n_press == 2 && !is_on_chevron (self, box, x, y))
    activate_item (self, box->item);
}

static void
pressed_cb (GtkGestureClick *gesture,
            int              n_press,
            double           x,
            double           y,
            FlowCanvas      *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
menu_pressed_cb (GtkGestureClick *gesture,
                 int              n_press,
                 double           x,
                 double           y,
                 FlowCanvas      *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  select_at (self, x, y);
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  g_signal_emit (self, _flow_canvas_signals[FLOW_CANVAS_SIGNAL_CONTEXT_MENU], 0, x, y);
}

static void
drag_begin_cb (GtkGestureDrag *gesture,
               double          x,
               double          y,
               FlowCanvas     *self)
{
  graphene_rect_t map;

  self->drag_x = self->camera.x;
  self->drag_y = self->camera.y;
  self->drag_minimap = _flow_canvas_get_minimap (self, &map)
                       && graphene_rect_contains_point (&map, &GRAPHENE_POINT_INIT (x, y));
  if (self->drag_minimap)
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      _flow_canvas_move_minimap (self, x, y);
    }
}

static void
drag_update_cb (GtkGestureDrag *gesture,
                double          dx,
                double          dy,
                FlowCanvas     *self)
{
  FlowCamera camera = self->camera;
  double x = 0.0;
  double y = 0.0;

  if (self->drag_minimap)
    {
      gtk_gesture_drag_get_start_point (gesture, &x, &y);
      _flow_canvas_move_minimap (self, x + dx, y + dy);
      return;
    }
  if (hypot (dx, dy) > 6.0)
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  else if (gtk_gesture_get_sequence_state (GTK_GESTURE (gesture),
                                           gtk_gesture_get_last_updated_sequence (
                                             GTK_GESTURE (gesture)))
           != GTK_EVENT_SEQUENCE_CLAIMED)
    return;
  camera.x = self->drag_x + dx;
  camera.y = self->drag_y + dy;
  self->is_flying = FALSE;
  self->is_touched = TRUE;
  _flow_canvas_set_camera (self, camera);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grabbing");
}

static void
drag_end_cb (GtkGestureDrag *gesture,
             double          dx,
             double          dy,
             FlowCanvas     *self)
{
  self->drag_minimap = FALSE;
  gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
}

static gboolean
scroll_cb (GtkEventControllerScroll *controller,
           double                    dx,
           double                    dy,
           FlowCanvas               *self)
{
  GdkModifierType state
    = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  FlowCamera camera = self->camera;
  gboolean is_wheel = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL;
  double step = is_wheel ? SCROLL_STEP : 1.0;

  if (!_flow_canvas_is_current (self))
    return GDK_EVENT_PROPAGATE;
  if ((state & GDK_CONTROL_MASK) != 0)
    {
      _flow_canvas_zoom_at (self, camera.zoom * pow (ZOOM_STEP, is_wheel ? -dy : -dy / 40.0),
                            self->pointer_x, self->pointer_y);
      return GDK_EVENT_STOP;
    }
  if ((state & GDK_SHIFT_MASK) != 0 && dx == 0.0)
    {
      dx = dy;
      dy = 0.0;
    }
  camera.x -= dx * step;
  camera.y -= dy * step;
  self->is_flying = FALSE;
  self->is_touched = TRUE;
  _flow_canvas_set_camera (self, camera);
  hover_at (self, self->pointer_x, self->pointer_y);
  return GDK_EVENT_STOP;
}

static void
pinch_begin_cb (GtkGesture       *gesture,
                GdkEventSequence *sequence,
                FlowCanvas       *self)
{
  self->pinch_zoom = self->camera.zoom;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
pinch_cb (GtkGestureZoom *gesture,
          double          scale,
          FlowCanvas     *self)
{
  double x = self->pointer_x;
  double y = self->pointer_y;

  gtk_gesture_get_bounding_box_center (GTK_GESTURE (gesture), &x, &y);
  _flow_canvas_zoom_at (self, self->pinch_zoom * scale, x, y);
}

static void
focus_enter_cb (GtkEventControllerFocus *controller,
                FlowCanvas              *self)
{
  self->is_focused = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
focus_leave_cb (GtkEventControllerFocus *controller,
                FlowCanvas              *self)
{
  self->is_focused = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* --- tooltips --------------------------------------------------------------------------------------- */

static const char *
state_name (guint8 state)
{
  static const char *const names[] = {
    "not in the run", "fed", "pending", "ready", "next", "waiting", "done", "dead", "failed",
    "stale after an edit",
  };

  return state < G_N_ELEMENTS (names) ? names[state] : "";
}

static char *
describe_node (FlowCanvas *self,
               guint32     node)
{
  FlowGraph *graph = self->graph;
  guint n_outputs = flow_graph_get_n_outputs (graph, node);
  g_autofree char *name = flow_escape_display (flow_graph_get_node_name (graph, node), -1, 300);
  GString *text = g_string_new (name);

  g_string_append_printf (text, "\n%s", flow_graph_get_node_type (graph, node));
  for (guint i = 0; i < MIN (n_outputs, 4); i++)
    {
      g_autofree char *shape = flow_scene_dup_shape_text (self->scene, node, i);

      g_string_append_printf (text, "\n:%u  %s %s", i,
                              flow_dtype_name (flow_graph_get_output_dtype (graph, node, i)),
                              shape != NULL ? shape : "of unknown shape");
    }
  if (n_outputs > 4)
    g_string_append_printf (text, "\n… %u outputs", n_outputs);
  if (strcmp (flow_graph_get_node_type (graph, node), "Const") == 0)
    {
      FlowAttr *value = flow_graph_get_attr (graph, node, "value");
      g_autofree char *shown = value != NULL ? flow_attr_to_text (value, 160) : NULL;

      if (shown != NULL)
        g_string_append_printf (text, "\n%s", shown);
    }
  if (self->scene->has_states)
    g_string_append_printf (text, "\n%s", state_name (self->scene->op_state[node]));
  return g_string_free (text, FALSE);
}

static char *
describe_group (FlowCanvas *self,
                guint32     g)
{
  const FlowSceneGroup *group = flow_scene_group (self->scene, g);
  const guint32 *n = group->state_ops;
  g_autofree char *name = flow_escape_display (group->kind == FLOW_GROUP_SCOPE ? group->key
                                               : group->label, -1, 300);
  GString *text = g_string_new (name);

  g_string_append_printf (text, group->n_ops == 1 ? "\n%u op" : "\n%u ops", group->n_ops);
  if (group->own_op != FLOW_NODE_NONE)
    g_string_append_printf (text, ", %s", flow_graph_get_node_type (self->graph, group->own_op));
  if (self->scene->has_states)
    g_string_append_printf (text, "\n%u in the run, %u done",
                            group->n_ops - n[FLOW_NODE_NOT_IN_RUN],
                            n[FLOW_NODE_DONE] + n[FLOW_NODE_FED] + n[FLOW_NODE_DEAD]);
  return g_string_free (text, FALSE);
}

static char *
describe_wire (FlowCanvas     *self,
               const FlowWire *wire)
{
  guint32 g = self->display->layers[wire->layer].group;
  const FlowSceneGroup *group = flow_scene_group (self->scene, g);
  const FlowLine *line = &g_array_index (group->lines, FlowLine, wire->line);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (line->n_edges, 6); i++)
    {
      guint32 e = g_array_index (group->line_edges, guint32, line->first_edge + i);
      g_autofree char *tensor = flow_graph_endpoint_to_string (self->graph,
                                                               self->scene->edge_source[e],
                                                               self->scene->edge_slot[e]);
      g_autofree char *shape = self->scene->edge_slot[e] >= 0
                               ? flow_scene_dup_shape_text (self->scene,
                                                            self->scene->edge_source[e],
                                                            self->scene->edge_slot[e]) : NULL;

      g_string_append_printf (text, "%s%s%s%s → %s", i > 0 ? "\n" : "", tensor,
                              shape != NULL ? "  " : "", shape != NULL ? shape : "",
                              flow_graph_get_node_name (self->graph,
                                                        self->scene->edge_target[e]));
    }
  if (line->n_edges > 6)
    g_string_append_printf (text, "\n… %u edges", line->n_edges);
  return g_string_free (text, FALSE);
}

static gboolean
query_tooltip_cb (FlowCanvas *self,
                  int         x,
                  int         y,
                  gboolean    keyboard,
                  GtkTooltip *tooltip,
                  gpointer    data)
{
  const FlowBox *box;
  g_autofree char *text = NULL;

  if (!_flow_canvas_is_current (self) || self->tween != NULL)
    return FALSE;
  box = keyboard ? flow_display_find_box (self->display,
                                          flow_scene_visible_item (self->scene, self->selected))
        : box_at (self, x, y);
  if (!keyboard && self->hovered_wire < self->display->n_wires)
    text = describe_wire (self, &self->display->wires[self->hovered_wire]);
  else if (box == NULL || (!keyboard && self->hovered == FLOW_ITEM_NONE))
    return FALSE;
  else if (flow_item_is_group (box->item))
    text = describe_group (self, flow_item_get_group (box->item));
  else
    {
      guint32 annotation = keyboard ? FLOW_NODE_NONE : annotation_at (self, box, x, y);

      text = describe_node (self, annotation != FLOW_NODE_NONE ? annotation : box->item);
    }
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/* --- keys -------------------------------------------------------------------------------------------- */

/* The nearest sibling in a direction, in the drawing. */
static FlowItem
nearest_sibling (FlowCanvas    *self,
                 const FlowBox *from,
                 int            dx,
                 int            dy)
{
  const FlowDisplay *display = self->display;
  guint32 parent = flow_scene_parent_of (self->scene, from->item);
  double best = G_MAXDOUBLE;
  FlowItem item = FLOW_ITEM_NONE;

  for (guint i = 1; i < display->n_boxes; i++)
    {
      const FlowBox *box = &display->boxes[i];
      double along;
      double across;

      if (self->dims != NULL && self->dims[i] == FLOW_DIM_HIDDEN)
        continue;
      if (box->item == from->item || flow_scene_parent_of (self->scene, box->item) != parent)
        continue;
      along = dx * (box->x + box->width / 2.0 - from->x - from->width / 2.0)
              + dy * (box->y + box->height / 2.0 - from->y - from->height / 2.0);
      across = fabs (dy * (box->x + box->width / 2.0 - from->x - from->width / 2.0))
               + fabs (dx * (box->y + box->height / 2.0 - from->y - from->height / 2.0));
      if (along <= 1.0 || along + 3.0 * across >= best)
        continue;
      best = along + 3.0 * across;
      item = box->item;
    }
  return item;
}

/* Along the strongest line of the selected item, up or down the flow. */
static FlowItem
strongest_neighbour (FlowCanvas *self,
                     FlowItem    item,
                     gboolean    forward)
{
  guint32 parent = flow_scene_parent_of (self->scene, item);
  const FlowSceneGroup *group;
  guint best = 0;
  FlowItem found = FLOW_ITEM_NONE;

  if (parent == FLOW_GROUP_NONE)
    return FLOW_ITEM_NONE;
  group = flow_scene_group (self->scene, parent);
  for (guint k = 0; group->lines != NULL && k < group->lines->len; k++)
    {
      const FlowLine *line = &g_array_index (group->lines, FlowLine, k);
      FlowItem here = forward ? line->from : line->to;
      FlowItem there = forward ? line->to : line->from;
      guint weight = 3 * (line->n_data + line->n_ref) + (line->n_control > 0)
                     + ((line->flags & FLOW_META_STUB) == 0 ? 100000 : 0);

      if (here != item || there == FLOW_ITEM_NONE || weight <= best)
        continue;
      best = weight;
      found = there;
    }
  return found;
}

static void
walk_to (FlowCanvas *self,
         FlowItem    item)
{
  const FlowBox *box = item != FLOW_ITEM_NONE ? flow_display_find_box (self->display, item) : NULL;

  if (box == NULL || (self->dims != NULL && self->dims[box - self->display->boxes] == FLOW_DIM_HIDDEN))
    return;
  _flow_canvas_select_item (self, item, flow_item_is_group (item) ? FLOW_NODE_NONE : item);
  _flow_canvas_show_box (self, box, FLOW_ZOOM_READABLE * self->text_scale);
}

static void
walk (FlowCanvas *self,
      CanvasKey   key)
{
  FlowItem shown = flow_scene_visible_item (self->scene, self->selected);
  const FlowBox *box = shown != FLOW_ITEM_NONE ? flow_display_find_box (self->display, shown) : NULL;
  gboolean along = key >= KEY_ALONG_LEFT;
  int dx = key == KEY_LEFT || key == KEY_ALONG_LEFT ? -1
           : key == KEY_RIGHT || key == KEY_ALONG_RIGHT ? 1 : 0;
  int dy = key == KEY_UP || key == KEY_ALONG_UP ? -1
           : key == KEY_DOWN || key == KEY_ALONG_DOWN ? 1 : 0;
  int flow = self->flow == FLOW_FLOW_RIGHT ? dx
             : self->flow == FLOW_FLOW_UP ? -dy : dy;
  FlowItem next = FLOW_ITEM_NONE;

  if (box == NULL)
    {
      /* Nothing is selected: begin with the first of the drawing. */
      if (self->display->n_boxes > 1)
        walk_to (self, self->display->boxes[1].item);
      return;
    }
  if (flow != 0)
    next = strongest_neighbour (self, shown, flow > 0);
  if (next == FLOW_ITEM_NONE && !along)
    next = nearest_sibling (self, box, dx, dy);
  walk_to (self, next);
}

static FlowItem
parent_item (FlowCanvas *self)
{
  FlowItem shown = flow_scene_visible_item (self->scene, self->selected);
  guint32 parent = shown != FLOW_ITEM_NONE ? flow_scene_parent_of (self->scene, shown)
                   : FLOW_GROUP_NONE;

  return parent == FLOW_GROUP_NONE || parent == FLOW_GROUP_ROOT ? FLOW_ITEM_NONE
         : flow_item_of_group (parent);
}

static void
close_key (FlowCanvas *self)
{
  FlowItem item = flow_scene_visible_item (self->scene, self->selected);

  if (!flow_item_is_group (item)
      || !flow_scene_group (self->scene, flow_item_get_group (item))->is_open)
    {
      item = parent_item (self);
      if (item != FLOW_ITEM_NONE)
        _flow_canvas_select_item (self, item, FLOW_NODE_NONE);
    }
  if (item != FLOW_ITEM_NONE)
    _flow_canvas_toggle_item (self, item);
}

static void
menu_key (FlowCanvas *self)
{
  FlowItem shown = flow_scene_visible_item (self->scene, self->selected);
  const FlowBox *box = shown != FLOW_ITEM_NONE ? flow_display_find_box (self->display, shown) : NULL;
  double x = box != NULL ? (box->x + box->width / 2.0) * self->camera.zoom + self->camera.x : 24.0;
  double y = box != NULL ? (box->y + 20.0) * self->camera.zoom + self->camera.y : 24.0;

  g_signal_emit (self, _flow_canvas_signals[FLOW_CANVAS_SIGNAL_CONTEXT_MENU], 0, x, y);
}

static gboolean
key_cb (GtkWidget *widget,
        GVariant  *args,
        gpointer   data)
{
  FlowCanvas *self = FLOW_CANVAS (widget);
  CanvasKey key = g_variant_get_int32 (args);

  if (!_flow_canvas_is_current (self))
    return GDK_EVENT_PROPAGATE;
  switch (key)
    {
    case KEY_ACTIVATE:
      if (self->selected == FLOW_ITEM_NONE)
        return GDK_EVENT_PROPAGATE;
      activate_item (self, flow_scene_visible_item (self->scene, self->selected));
      break;
    case KEY_CLOSE:
      close_key (self);
      break;
    case KEY_PARENT:
      walk_to (self, parent_item (self));
      break;
    case KEY_FIT:
      flow_canvas_zoom_fit (self);
      break;
    case KEY_FIT_SELECTION:
      flow_canvas_zoom_selection (self);
      break;
    case KEY_BREAKPOINT:
      {
        guint32 node = self->selected_node != FLOW_NODE_NONE ? self->selected_node
                       : _flow_canvas_item_node (self, self->selected);

        if (node == FLOW_NODE_NONE)
          return GDK_EVENT_PROPAGATE;
        g_signal_emit (self, _flow_canvas_signals[FLOW_CANVAS_SIGNAL_BREAKPOINT_TOGGLED], 0, node);
        break;
      }
    case KEY_SHOW_NEXT:
      if (self->next_node == FLOW_NODE_NONE)
        return GDK_EVENT_PROPAGATE;
      flow_canvas_reveal_node (self, self->next_node);
      break;
    case KEY_ZOOM_IN:
      flow_canvas_zoom_in (self);
      break;
    case KEY_ZOOM_OUT:
      flow_canvas_zoom_out (self);
      break;
    case KEY_ZOOM_RESET:
      flow_canvas_zoom_reset (self);
      break;
    case KEY_MENU:
      menu_key (self);
      break;
    default:
      walk (self, key);
    }
  return GDK_EVENT_STOP;
}

void
_flow_canvas_class_init_keys (GtkWidgetClass *widget_class)
{
  static const struct {
    guint keyval;
    GdkModifierType modifiers;
    CanvasKey key;
  } keys[] = {
    { GDK_KEY_Left, 0, KEY_LEFT },
    { GDK_KEY_Right, 0, KEY_RIGHT },
    { GDK_KEY_Up, 0, KEY_UP },
    { GDK_KEY_Down, 0, KEY_DOWN },
    { GDK_KEY_Left, GDK_CONTROL_MASK, KEY_ALONG_LEFT },
    { GDK_KEY_Right, GDK_CONTROL_MASK, KEY_ALONG_RIGHT },
    { GDK_KEY_Up, GDK_CONTROL_MASK, KEY_ALONG_UP },
    { GDK_KEY_Down, GDK_CONTROL_MASK, KEY_ALONG_DOWN },
    { GDK_KEY_Return, 0, KEY_ACTIVATE },
    { GDK_KEY_KP_Enter, 0, KEY_ACTIVATE },
    { GDK_KEY_space, 0, KEY_ACTIVATE },
    { GDK_KEY_BackSpace, 0, KEY_CLOSE },
    { GDK_KEY_Up, GDK_ALT_MASK, KEY_PARENT },
    { GDK_KEY_f, 0, KEY_FIT },
    { GDK_KEY_F, GDK_SHIFT_MASK, KEY_FIT_SELECTION },
    { GDK_KEY_b, 0, KEY_BREAKPOINT },
    { GDK_KEY_period, 0, KEY_SHOW_NEXT },
    { GDK_KEY_plus, 0, KEY_ZOOM_IN },
    { GDK_KEY_KP_Add, 0, KEY_ZOOM_IN },
    { GDK_KEY_minus, 0, KEY_ZOOM_OUT },
    { GDK_KEY_KP_Subtract, 0, KEY_ZOOM_OUT },
    { GDK_KEY_0, 0, KEY_ZOOM_RESET },
    { GDK_KEY_Menu, 0, KEY_MENU },
    { GDK_KEY_F10, GDK_SHIFT_MASK, KEY_MENU },
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding (widget_class, keys[i].keyval, keys[i].modifiers, key_cb, "i",
                                  (int) keys[i].key);
}

void
_flow_canvas_init_input (FlowCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll
    = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *menu = gtk_gesture_click_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *pinch = gtk_gesture_zoom_new ();

  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  gtk_widget_add_controller (widget, scroll);
  g_signal_connect (focus, "enter", G_CALLBACK (focus_enter_cb), self);
  g_signal_connect (focus, "leave", G_CALLBACK (focus_leave_cb), self);
  gtk_widget_add_controller (widget, focus);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  g_signal_connect (click, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (menu), GDK_BUTTON_SECONDARY);
  g_signal_connect (menu, "pressed", G_CALLBACK (menu_pressed_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (menu));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  g_signal_connect (pinch, "begin", G_CALLBACK (pinch_begin_cb), self);
  g_signal_connect (pinch, "scale-changed", G_CALLBACK (pinch_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
}
