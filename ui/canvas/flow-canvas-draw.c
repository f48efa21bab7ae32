/* flow-canvas-draw.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-canvas-private.h"

#include <math.h>

/* A frame: the kept tiles as one node that stays the same object while nothing under the overlays
 * changes, then the overlays. */

/* Cards that a line is drawn under. */
#define MAX_CLIPPED 120
/* Headers that stick to the top while their group fills the view. */
#define STICKY_HEIGHT 26.0
#define STICKY_MAX 4

static cairo_rectangle_t
get_clip (FlowCanvas *self,
          double      width,
          double      height)
{
  cairo_rectangle_t clip = {
    -self->camera.x / self->camera.zoom, -self->camera.y / self->camera.zoom,
    width / self->camera.zoom, height / self->camera.zoom,
  };

  return clip;
}

static void
enter_drawing (FlowCanvas *self,
               cairo_t    *cr)
{
  cairo_translate (cr, self->camera.x, self->camera.y);
  cairo_scale (cr, self->camera.zoom, self->camera.zoom);
}

/* --- the picture under everything ---------------------------------------------------------------- */

static void
draw_tiles (FlowCanvas *self,
            cairo_t    *cr,
            int         width,
            int         height)
{
  double scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));

  /* The tiles bring the dots. */
  flow_painter_set_color (self->painter, cr, FLOW_COLOR_CANVAS, 1.0);
  cairo_paint (cr);
  cairo_save (cr);
  cairo_scale (cr, 1.0 / scale, 1.0 / scale);
  self->tiles_complete = flow_tiles_paint (self->tiles, cr, self->camera.zoom * scale,
                                           round (self->camera.x * scale),
                                           round (self->camera.y * scale),
                                           (int) ceil (width * scale),
                                           (int) ceil (height * scale));
  cairo_restore (cr);
}

static void
draw_motion (FlowCanvas *self,
             cairo_t    *cr,
             int         width,
             int         height)
{
  cairo_rectangle_t clip = get_clip (self, width, height);

  cairo_save (cr);
  enter_drawing (self, cr);
  flow_tiles_paint_ground (self->painter, cr, &clip, self->camera.zoom);
  flow_painter_set_tints (self->painter, self->tints);
  flow_tween_paint (self->tween, self->painter, cr, self->dims, &clip, self->camera.zoom);
  cairo_restore (cr);
}

static void
snapshot_base (FlowCanvas  *self,
               GtkSnapshot *snapshot,
               int          width,
               int          height)
{
  if (self->base_node == NULL || self->tween != NULL)
    {
      gboolean was_complete = self->tiles_complete;
      graphene_rect_t area = GRAPHENE_RECT_INIT (0, 0, width, height);
      cairo_t *cr;

      g_clear_pointer (&self->base_node, gsk_render_node_unref);
      self->base_node = gsk_cairo_node_new (&area);
      cr = gsk_cairo_node_get_draw_context (self->base_node);
      if (self->tween != NULL)
        draw_motion (self, cr, width, height);
      else
        draw_tiles (self, cr, width, height);
      cairo_destroy (cr);
      if (self->tiles_complete && !was_complete)
        g_object_notify (G_OBJECT (self), "busy");
    }
  gtk_snapshot_append_node (snapshot, self->base_node);
}

/* --- marks ---------------------------------------------------------------------------------------- */

static const FlowBox *
find_shown_box (FlowCanvas *self,
                guint32     node)
{
  FlowItem item = flow_scene_visible_item (self->scene, flow_scene_item_of_op (self->scene, node));

  return item == FLOW_ITEM_NONE ? NULL : flow_display_find_box (_flow_canvas_get_shown (self), item);
}

static void
draw_mark (FlowCanvas         *self,
           cairo_t            *cr,
           FlowCanvasMarkKind  kind,
           double              x,
           double              y,
           double              r)
{
  FlowPainter *painter = self->painter;

  cairo_new_path (cr);
  if (kind == FLOW_CANVAS_MARK_LOG)
    {
      cairo_move_to (cr, x, y - r * 1.15);
      cairo_line_to (cr, x + r * 1.15, y);
      cairo_line_to (cr, x, y + r * 1.15);
      cairo_line_to (cr, x - r * 1.15, y);
      cairo_close_path (cr);
    }
  else if (kind == FLOW_CANVAS_MARK_WATCH)
    {
      cairo_move_to (cr, x - r * 1.4, y);
      cairo_curve_to (cr, x - r * 0.6, y - r * 1.2, x + r * 0.6, y - r * 1.2, x + r * 1.4, y);
      cairo_curve_to (cr, x + r * 0.6, y + r * 1.2, x - r * 0.6, y + r * 1.2, x - r * 1.4, y);
      cairo_close_path (cr);
    }
  else
    cairo_arc (cr, x, y, r, 0.0, 2.0 * G_PI);
  if (kind == FLOW_CANVAS_MARK_DISABLED)
    {
      flow_painter_set_color (painter, cr, FLOW_COLOR_CARD, 1.0);
      cairo_fill_preserve (cr);
      flow_painter_set_color (painter, cr, FLOW_COLOR_BREAK, 1.0);
      cairo_set_line_width (cr, r * 0.45);
      cairo_stroke (cr);
      return;
    }
  flow_painter_set_color (painter, cr, FLOW_COLOR_CARD, 1.0);
  cairo_set_line_width (cr, r * 0.6);
  cairo_stroke_preserve (cr);
  flow_painter_set_color (painter, cr, FLOW_COLOR_BREAK, 1.0);
  cairo_fill (cr);
  flow_painter_set_color_on (painter, cr, FLOW_COLOR_BREAK, 1.0);
  cairo_set_line_width (cr, r * 0.3);
  if (kind == FLOW_CANVAS_MARK_CONDITIONAL)
    {
      cairo_move_to (cr, x - r * 0.45, y - r * 0.25);
      cairo_rel_line_to (cr, r * 0.9, 0.0);
      cairo_move_to (cr, x - r * 0.45, y + r * 0.25);
      cairo_rel_line_to (cr, r * 0.9, 0.0);
      cairo_stroke (cr);
    }
  else if (kind == FLOW_CANVAS_MARK_WATCH)
    {
      cairo_arc (cr, x, y, r * 0.4, 0.0, 2.0 * G_PI);
      cairo_fill (cr);
    }
}

static void
draw_marks (FlowCanvas *self,
            cairo_t    *cr)
{
  g_autoptr(GHashTable) drawn = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->marks->len; i++)
    {
      const FlowCanvasMark *mark = &g_array_index (self->marks, FlowCanvasMark, i);
      const FlowBox *box = find_shown_box (self, mark->node);
      double r = MAX (4.5, 3.0 / self->camera.zoom);
      double x;
      double y;

      if (box == NULL)
        continue;
      x = box->x + box->width - 13.0;
      y = box->kind == FLOW_BOX_FRAME ? box->y + box->height - 12.0 : box->y + box->height - 11.0;
      if (flow_item_is_group (box->item))
        {
          guint count = GPOINTER_TO_UINT (g_hash_table_lookup (self->mark_counts,
                                                               GUINT_TO_POINTER (box->item)));
          g_autofree char *text = g_strdup_printf ("%u", count);

          if (!g_hash_table_add (drawn, GUINT_TO_POINTER (box->item)))
            continue;
          draw_mark (self, cr, count > 1 ? FLOW_CANVAS_MARK_BREAK : mark->kind, x, y, r * 1.1);
          if (count > 1)
            {
              double width = flow_painter_measure_text (self->painter, FLOW_TEXT_LABEL, text);

              flow_painter_set_color (self->painter, cr, FLOW_COLOR_BREAK, 1.0);
              flow_painter_show_text (self->painter, cr, FLOW_TEXT_LABEL, text, x - 9.0 - width, y,
                                      0.0);
            }
          continue;
        }
      draw_mark (self, cr, mark->kind, x, y, r);
      if (self->scene->op_state[mark->node] == FLOW_NODE_NEXT)
        {
          double card = flow_box_card_x (box);

          flow_painter_round_box (cr, card - 2.5, box->y - 2.5, box->x + box->width - card + 5.0,
                                  box->height + 5.0, 8.0);
          flow_painter_set_color (self->painter, cr, FLOW_COLOR_BREAK, 1.0);
          cairo_set_line_width (cr, 1.5);
          cairo_stroke (cr);
        }
    }
}

static void
draw_error (FlowCanvas *self,
            cairo_t    *cr)
{
  const FlowBox *box;
  double width;

  if (self->error_node >= self->scene->n_ops)
    return;
  box = find_shown_box (self, self->error_node);
  if (box == NULL)
    return;
  flow_painter_round_box (cr, flow_box_card_x (box) + 1.0, box->y + 1.0,
                          box->x + box->width - flow_box_card_x (box) - 2.0, box->height - 2.0,
                          6.0);
  flow_painter_set_color (self->painter, cr, FLOW_COLOR_FAILED, 1.0);
  cairo_set_line_width (cr, 2.5);
  cairo_stroke (cr);
  if (self->error_clash == NULL || self->camera.zoom < 0.4)
    return;
  width = MIN (flow_painter_measure_text (self->painter, FLOW_TEXT_LABEL, self->error_clash), 340.0);
  /* On the foot of the card, as values stand: what is written on the lines below stays free. */
  flow_painter_round_box (cr, box->x, box->y + box->height - 3.0, width + 16.0, 17.0, 8.5);
  flow_painter_set_color (self->painter, cr, FLOW_COLOR_FAILED, 1.0);
  cairo_fill (cr);
  flow_painter_set_color_on (self->painter, cr, FLOW_COLOR_FAILED, 1.0);
  flow_painter_show_text (self->painter, cr, FLOW_TEXT_LABEL, self->error_clash, box->x + 8.0,
                          box->y + box->height + 5.5, 340.0);
}

static void
draw_hits (FlowCanvas *self,
           cairo_t    *cr)
{
  GHashTableIter iter;
  gpointer node = NULL;
  g_autoptr(GHashTable) drawn = g_hash_table_new (NULL, NULL);

  g_hash_table_iter_init (&iter, self->hits);
  while (g_hash_table_iter_next (&iter, &node, NULL))
    {
      const FlowBox *box = find_shown_box (self, GPOINTER_TO_UINT (node));
      double line = MAX (3.0, 2.0 / self->camera.zoom);

      if (box == NULL || !g_hash_table_add (drawn, GUINT_TO_POINTER (box->item)))
        continue;
      flow_painter_round_box (cr, flow_box_card_x (box) - line / 2.0, box->y - line / 2.0,
                              box->x + box->width - flow_box_card_x (box) + line,
                              box->height + line, 8.0);
      flow_painter_set_color (self->painter, cr, FLOW_COLOR_HIT, 0.95);
      cairo_set_line_width (cr, line);
      cairo_stroke (cr);
    }
}

/* --- selection and hover -------------------------------------------------------------------------- */

static gboolean
wire_touches (FlowCanvas        *self,
              const FlowDisplay *display,
              const FlowWire    *wire,
              FlowItem           item)
{
  const FlowSceneGroup *group;
  const FlowLine *line;

  if (wire->from == item || wire->to == item)
    return TRUE;
  /* Pieces of its edges on their way through other groups. */
  group = flow_scene_group (self->scene, display->layers[wire->layer].group);
  if (group->lines == NULL || wire->line >= group->lines->len || flow_item_is_group (item))
    return FALSE;
  line = &g_array_index (group->lines, FlowLine, wire->line);
  for (guint i = 0; i < MIN (line->n_edges, 64); i++)
    {
      guint32 e = g_array_index (group->line_edges, guint32, line->first_edge + i);

      if (self->scene->edge_source[e] == item || self->scene->edge_target[e] == item)
        return TRUE;
    }
  return FALSE;
}

/* Nothing leads to what is not there. */
static gboolean
is_hidden (FlowCanvas        *self,
           const FlowDisplay *display,
           FlowItem           item)
{
  const FlowBox *box = self->dims != NULL && item != FLOW_ITEM_NONE ? flow_display_find_box (display, item) : NULL;

  return box != NULL && self->dims[box - display->boxes] == FLOW_DIM_HIDDEN;
}

static void
light_wires (FlowCanvas *self,
             cairo_t    *cr,
             FlowItem    item,
             double      alpha)
{
  const FlowDisplay *display = _flow_canvas_get_shown (self);

  flow_painter_set_color (self->painter, cr, FLOW_COLOR_ACCENT, alpha);
  for (guint i = 0; i < display->n_wires; i++)
    if (wire_touches (self, display, &display->wires[i], item) && !is_hidden (self, display, display->wires[i].from)
        && !is_hidden (self, display, display->wires[i].to))
      {
        cairo_set_line_width (cr, MAX (MAX (display->wires[i].width, 2.0),
                                       1.5 / self->camera.zoom));
        flow_painter_stroke_wire (self->painter, cr, display, &display->wires[i],
                                  MAX (self->camera.zoom, 0.4));
      }
}

static double
side_height (const FlowBox *box)
{
  return box->y + (box->kind == FLOW_BOX_FRAME ? 18.0 : box->height / 2.0);
}

/* How far right the boxes reach that stand between two in a column; 0 where none does. */
static double
reach_between (const FlowDisplay *display,
               const FlowBox     *a,
               const FlowBox     *b)
{
  const FlowBox *upper = a->y <= b->y ? a : b;
  const FlowBox *lower = upper == a ? b : a;
  double left = MIN (a->x, b->x);
  double right = MAX (a->x + a->width, b->x + b->width);
  double reach = 0.0;

  for (guint i = 0; i < display->n_boxes; i++)
    {
      const FlowBox *box = &display->boxes[i];

      if (box->y >= upper->y + upper->height && box->y + box->height <= lower->y
          && box->x < right && box->x + box->width > left)
        reach = MAX (reach, box->x + box->width);
    }
  return reach;
}

/* From side to side of boxes beside each other, from below to above in a column, and round what stands
 * between the two there: a line must not cross out another box's name. */
static void
draw_stub_line (cairo_t           *cr,
                const FlowDisplay *display,
                const FlowBox     *from,
                const FlowBox     *to)
{
  gboolean beside = from->x + from->width + 20.0 < to->x || to->x + to->width + 20.0 < from->x;
  double reach = beside ? 0.0 : reach_between (display, from, to);

  if (reach > 0.0)
    {
      double x0 = from->x + from->width;
      double x1 = to->x + to->width;
      /* A curve gets three quarters of the way to its control points. */
      double x = MAX (MAX (x0, x1), reach + 12.0) + 24.0;

      cairo_move_to (cr, x0, side_height (from));
      cairo_curve_to (cr, x, side_height (from), x, side_height (to), x1, side_height (to));
    }
  else if (beside)
    {
      gboolean right = from->x < to->x;
      double x0 = right ? from->x + from->width : from->x;
      double x1 = right ? to->x : to->x + to->width;
      double bend = (x1 - x0) / 2.0;

      cairo_move_to (cr, x0, side_height (from));
      cairo_curve_to (cr, x0 + bend, side_height (from), x1 - bend, side_height (to), x1,
                      side_height (to));
    }
  else
    {
      gboolean below = from->y + from->height <= to->y;
      double x0 = from->x + from->width / 2.0;
      double x1 = to->x + to->width / 2.0;
      double y0 = below ? from->y + from->height : from->y;
      double y1 = below ? to->y : to->y + to->height;
      double bend = (y1 - y0) / 2.0;

      cairo_move_to (cr, x0, y0);
      cairo_curve_to (cr, x0, y0 + bend, x1, y1 - bend, x1, y1);
    }
  cairo_stroke (cr);
}

static gboolean
contains (const FlowBox *frame,
          const FlowBox *box)
{
  return box->x >= frame->x && box->y >= frame->y && box->x + box->width <= frame->x + frame->width
         && box->y + box->height <= frame->y + frame->height;
}

/* Whether it is by itself that @other is kept clear of the lines of @box, not as a part of an open group. */
static gboolean
is_obstacle (const FlowDisplay *display,
             const FlowBox     *other,
             const FlowBox     *box)
{
  if (other == box || (other->kind == FLOW_BOX_FRAME && contains (other, box)))
    return FALSE;
  for (guint l = 1; l < display->n_layers; l++)
    {
      const FlowBox *frame = &display->boxes[display->layers[l].frame];

      if (frame != other && contains (frame, other) && !contains (frame, box))
        return FALSE;
    }
  return TRUE;
}

/* What is drawn from now on passes under the cards and open groups that @box does not stand in: a line must not
 * strike out a name. Where there are very many the clip would cost more than it is worth. */
static void
clip_to_ground (cairo_t           *cr,
                const FlowDisplay *display,
                const FlowBox     *box)
{
  cairo_fill_rule_t rule = cairo_get_fill_rule (cr);
  guint n = 0;
  double x0 = 0.0;
  double y0 = 0.0;
  double x1 = 0.0;
  double y1 = 0.0;

  cairo_clip_extents (cr, &x0, &y0, &x1, &y1);
  cairo_new_path (cr);
  cairo_rectangle (cr, x0, y0, x1 - x0, y1 - y0);
  for (guint i = 1; i < display->n_boxes && n <= MAX_CLIPPED; i++)
    {
      const FlowBox *other = &display->boxes[i];
      double left = MAX (flow_box_card_x (other), x0);
      double top = MAX (other->y, y0);

      if (left >= x1 || top >= y1 || other->x + other->width <= left || other->y + other->height <= top
          || !is_obstacle (display, other, box))
        continue;
      cairo_rectangle (cr, left, top, MIN (other->x + other->width, x1) - left, MIN (other->y + other->height, y1) - top);
      n++;
    }
  if (n == 0 || n > MAX_CLIPPED)
    {
      cairo_new_path (cr);
      return;
    }
  cairo_set_fill_rule (cr, CAIRO_FILL_RULE_EVEN_ODD);
  cairo_clip (cr);
  cairo_set_fill_rule (cr, rule);
}

/* Lines that are not drawn are shown for the item the pointer or the selection is on. */
static void
light_stubs (FlowCanvas *self,
             cairo_t    *cr,
             FlowItem    item)
{
  const FlowDisplay *display = _flow_canvas_get_shown (self);
  guint32 parent = flow_scene_parent_of (self->scene, item);
  const FlowSceneGroup *group;
  const FlowBox *box = flow_display_find_box (display, item);
  guint n_drawn = 0;

  if (parent == FLOW_GROUP_NONE || box == NULL)
    return;
  group = flow_scene_group (self->scene, parent);
  if (group->lines == NULL)
    return;
  cairo_save (cr);
  clip_to_ground (cr, display, box);
  flow_painter_set_color (self->painter, cr, FLOW_COLOR_ACCENT, 0.55);
  cairo_set_line_width (cr, MAX (1.2, 1.0 / self->camera.zoom));
  for (guint k = 0; k < group->lines->len && n_drawn < 200; k++)
    {
      const FlowLine *line = &g_array_index (group->lines, FlowLine, k);
      FlowItem other = line->from == item ? line->to : line->to == item ? line->from
                       : FLOW_ITEM_NONE;
      const FlowBox *end = other != FLOW_ITEM_NONE ? flow_display_find_box (display, other) : NULL;

      if (end == NULL || (line->flags & FLOW_META_STUB) == 0 || is_hidden (self, display, other))
        continue;
      n_drawn++;
      draw_stub_line (cr, display, line->from == item ? box : end, line->from == item ? end : box);
    }
  cairo_restore (cr);
}

static void
draw_ring_around (FlowCanvas    *self,
                  cairo_t       *cr,
                  const FlowBox *box,
                  double         line,
                  double         alpha)
{
  double x = flow_box_card_x (box);
  double gap = line / 2.0 + 0.5;

  line = MAX (line, line * 0.7 / self->camera.zoom);
  flow_painter_round_box (cr, x - gap, box->y - gap, box->x + box->width - x + 2.0 * gap,
                          box->height + 2.0 * gap, box->kind == FLOW_BOX_FRAME ? 11.0 : 7.0);
  flow_painter_set_color (self->painter, cr, FLOW_COLOR_ACCENT, alpha);
  cairo_set_line_width (cr, line);
  cairo_stroke (cr);
}

/* The lines of what is selected and of what the pointer is on: below all that has words. */
static void
light_lines (FlowCanvas *self,
             cairo_t    *cr)
{
  const FlowDisplay *display = _flow_canvas_get_shown (self);
  FlowItem selected = flow_scene_visible_item (self->scene, self->selected);
  const FlowBox *hovered = self->hovered != FLOW_ITEM_NONE ? flow_display_find_box (display, self->hovered) : NULL;

  if (selected != FLOW_ITEM_NONE && flow_display_find_box (display, selected) != NULL)
    {
      light_wires (self, cr, selected, 1.0);
      light_stubs (self, cr, selected);
    }
  if (self->hovered_wire < display->n_wires && self->tween == NULL)
    {
      const FlowWire *wire = &display->wires[self->hovered_wire];

      flow_painter_set_color (self->painter, cr, FLOW_COLOR_ACCENT, 1.0);
      cairo_set_line_width (cr, MAX (wire->width, 2.0));
      flow_painter_stroke_wire (self->painter, cr, display, wire, self->camera.zoom);
    }
  if (hovered != NULL && self->hovered != self->selected && hovered->kind != FLOW_BOX_FRAME)
    {
      light_wires (self, cr, self->hovered, 0.75);
      light_stubs (self, cr, self->hovered);
    }
}

static void
draw_selection (FlowCanvas *self,
                cairo_t    *cr)
{
  const FlowDisplay *display = _flow_canvas_get_shown (self);
  FlowItem shown = flow_scene_visible_item (self->scene, self->selected);
  const FlowBox *box = shown != FLOW_ITEM_NONE ? flow_display_find_box (display, shown) : NULL;

  if (box == NULL)
    return;
  draw_ring_around (self, cr, box, 2.0, 1.0);
  if (self->is_focused)
    {
      const double dashes[] = { 2.0, 2.0 };

      cairo_set_dash (cr, dashes, 2, 0.0);
      flow_painter_round_box (cr, flow_box_card_x (box) + 2.5, box->y + 2.5,
                              box->x + box->width - flow_box_card_x (box) - 5.0,
                              box->height - 5.0, box->kind == FLOW_BOX_FRAME ? 8.0 : 4.0);
      flow_painter_set_color (self->painter, cr, FLOW_COLOR_ACCENT, 0.8);
      cairo_set_line_width (cr, 1.0);
      cairo_stroke (cr);
      cairo_set_dash (cr, NULL, 0, 0.0);
    }
}

static void
draw_hover (FlowCanvas *self,
            cairo_t    *cr)
{
  const FlowDisplay *display = _flow_canvas_get_shown (self);
  const FlowBox *box = self->hovered != FLOW_ITEM_NONE
                       ? flow_display_find_box (display, self->hovered) : NULL;

  if (box != NULL && self->hovered != self->selected)
    draw_ring_around (self, cr, box, 1.5, 0.55);
}

/* --- headers that stick ---------------------------------------------------------------------------- */

static void
draw_sticky_headers (FlowCanvas *self,
                     cairo_t    *cr,
                     double      width)
{
  const FlowDisplay *display = _flow_canvas_get_shown (self);
  double step = STICKY_HEIGHT * self->text_scale;
  double top = 0.0;
  guint n = 0;

  for (guint l = 1; l < display->n_layers && n < STICKY_MAX; l++)
    {
      const FlowBox *frame = &display->boxes[display->layers[l].frame];
      double x = frame->x * self->camera.zoom + self->camera.x;
      double y = frame->y * self->camera.zoom + self->camera.y;
      double right = x + frame->width * self->camera.zoom;
      double bottom = y + frame->height * self->camera.zoom;
      double left = MAX (x, 0.0);
      g_autofree char *title = NULL;
      double text_width;

      if (y + 8.0 >= top || bottom < top + 2.0 * step || right < 80.0 || x > width - 80.0
          || frame->width * self->camera.zoom < 200.0)
        continue;
      title = _flow_canvas_dup_header (self, frame);
      text_width = MIN (flow_painter_measure_text (self->painter, FLOW_TEXT_TITLE, title), 260.0);
      cairo_save (cr);
      cairo_translate (cr, left, top);
      cairo_scale (cr, self->text_scale, self->text_scale);
      flow_painter_round_box (cr, 8.0, 5.0, text_width + 24.0, STICKY_HEIGHT - 4.0,
                              6.0);
      flow_painter_set_color (self->painter, cr, FLOW_COLOR_CARD, 0.94);
      cairo_fill_preserve (cr);
      flow_painter_set_color (self->painter, cr, FLOW_COLOR_GROUP_BORDER, 1.0);
      cairo_set_line_width (cr, 1.0);
      cairo_stroke (cr);
      flow_painter_set_color (self->painter, cr, FLOW_COLOR_TEXT, 1.0);
      flow_painter_show_text (self->painter, cr, FLOW_TEXT_TITLE, title, 20.0,
                              5.0 + (STICKY_HEIGHT - 4.0) / 2.0, 260.0);
      cairo_restore (cr);
      top += step;
      n++;
    }
}

/* --- minimap ---------------------------------------------------------------------------------------- */

/* In a small window it is small, so that it hides little of what it is a map of. */
static double
minimap_size (FlowCanvas *self,
              double     *height)
{
  double width = CLAMP (0.22 * gtk_widget_get_width (GTK_WIDGET (self)), 0.65 * FLOW_MINIMAP_WIDTH, FLOW_MINIMAP_WIDTH);

  width = round (width);
  *height = round (width * FLOW_MINIMAP_HEIGHT / FLOW_MINIMAP_WIDTH);
  return width;
}

/**
 * _flow_canvas_get_minimap:
 * @area: out: where it is
 *
 * Returns: whether it is shown: not when everything is in sight anyway
 */
gboolean
_flow_canvas_get_minimap (FlowCanvas      *self,
                          graphene_rect_t *area)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  double height = gtk_widget_get_height (GTK_WIDGET (self));
  double map_width;
  double map_height;

  if (!_flow_canvas_is_current (self) || width < 2.5 * FLOW_MINIMAP_WIDTH
      || height < 2.0 * FLOW_MINIMAP_HEIGHT)
    return FALSE;
  map_width = minimap_size (self, &map_height);
  *area = GRAPHENE_RECT_INIT ((float) (width - map_width - FLOW_MINIMAP_MARGIN),
                              (float) (height - map_height - FLOW_MINIMAP_MARGIN), (float) map_width, (float) map_height);
  return self->camera.x < -1.0 || self->camera.y < -1.0
         || self->display->width * self->camera.zoom + self->camera.x > width + 1.0
         || self->display->height * self->camera.zoom + self->camera.y > height + 1.0;
}

static double
minimap_scale (FlowCanvas *self,
               double     *x,
               double     *y)
{
  double inner_height;
  double inner_width = minimap_size (self, &inner_height) - 16.0;
  double scale;

  inner_height -= 16.0;
  scale = MIN (inner_width / MAX (self->display->width, 1.0f),
                      inner_height / MAX (self->display->height, 1.0f));

  *x = 8.0 + (inner_width - self->display->width * scale) / 2.0;
  *y = 8.0 + (inner_height - self->display->height * scale) / 2.0;
  return scale;
}

/**
 * _flow_canvas_move_minimap:
 * @x: in the widget
 * @y: likewise
 *
 * Brings what is there on the minimap to the middle of the view.
 */
void
_flow_canvas_move_minimap (FlowCanvas *self,
                           double      x,
                           double      y)
{
  graphene_rect_t area;
  FlowCamera camera = self->camera;
  double map_x;
  double map_y;
  double scale;

  _flow_canvas_get_minimap (self, &area);
  scale = minimap_scale (self, &map_x, &map_y);
  camera.x = gtk_widget_get_width (GTK_WIDGET (self)) / 2.0
             - (x - area.origin.x - map_x) / scale * camera.zoom;
  camera.y = gtk_widget_get_height (GTK_WIDGET (self)) / 2.0
             - (y - area.origin.y - map_y) / scale * camera.zoom;
  self->is_flying = FALSE;
  self->is_touched = TRUE;
  _flow_canvas_set_camera (self, camera);
}

static void
draw_minimap_mark (FlowCanvas *self,
                   cairo_t    *cr,
                   guint32     node,
                   FlowColor   color,
                   double      scale)
{
  const FlowBox *box = find_shown_box (self, node);

  if (box == NULL)
    return;
  cairo_arc (cr, (box->x + box->width / 2.0) * scale, (box->y + box->height / 2.0) * scale, 3.0,
             0.0, 2.0 * G_PI);
  flow_painter_set_color (self->painter, cr, color, 1.0);
  cairo_fill (cr);
}

static void
draw_minimap (FlowCanvas *self,
              cairo_t    *cr,
              double      width,
              double      height)
{
  graphene_rect_t area;
  cairo_surface_t *picture;
  cairo_rectangle_t clip = get_clip (self, width, height);
  double x;
  double y;
  double scale;

  if (!_flow_canvas_get_minimap (self, &area))
    return;
  scale = minimap_scale (self, &x, &y);
  cairo_save (cr);
  cairo_translate (cr, area.origin.x, area.origin.y);
  flow_painter_round_box (cr, 0.5, 0.5, area.size.width - 1.0, area.size.height - 1.0, 8.0);
  flow_painter_set_color (self->painter, cr, FLOW_COLOR_MINIMAP, 0.95);
  cairo_fill_preserve (cr);
  flow_painter_set_color (self->painter, cr, FLOW_COLOR_GROUP_BORDER, 1.0);
  cairo_set_line_width (cr, 1.0);
  cairo_stroke (cr);
  flow_painter_round_box (cr, 1.0, 1.0, area.size.width - 2.0, area.size.height - 2.0, 7.0);
  cairo_clip (cr);
  picture = flow_tiles_get_minimap (self->tiles, (int) area.size.width - 16, (int) area.size.height - 16,
                                    gtk_widget_get_scale_factor (GTK_WIDGET (self)));
  if (picture != NULL)
    {
      cairo_set_source_surface (cr, picture, 8.0, 8.0);
      cairo_paint (cr);
    }
  cairo_translate (cr, x, y);
  for (guint i = 0; i < self->marks->len; i++)
    draw_minimap_mark (self, cr, g_array_index (self->marks, FlowCanvasMark, i).node,
                       FLOW_COLOR_BREAK, scale);
  if (self->error_node < self->scene->n_ops)
    draw_minimap_mark (self, cr, self->error_node, FLOW_COLOR_FAILED, scale);
  if (self->next_node < self->scene->n_ops)
    draw_minimap_mark (self, cr, self->next_node, FLOW_COLOR_NEXT, scale);
  cairo_rectangle (cr, clip.x * scale, clip.y * scale, clip.width * scale, clip.height * scale);
  flow_painter_set_color (self->painter, cr, FLOW_COLOR_ACCENT, 0.1);
  cairo_fill_preserve (cr);
  flow_painter_set_color (self->painter, cr, FLOW_COLOR_ACCENT, 0.9);
  cairo_set_line_width (cr, 1.2);
  cairo_stroke (cr);
  cairo_restore (cr);
}

/* --- all of it --------------------------------------------------------------------------------------- */

void
_flow_canvas_snapshot (GtkWidget   *widget,
                       GtkSnapshot *snapshot)
{
  FlowCanvas *self = FLOW_CANVAS (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  cairo_rectangle_t clip;
  FlowItem next;
  cairo_t *cr;

  if (width <= 0 || height <= 0)
    return;
  snapshot_base (self, snapshot, width, height);
  if (!_flow_canvas_is_current (self))
    return;
  clip = get_clip (self, width, height);
  next = flow_scene_visible_item (self->scene,
                                  flow_scene_item_of_op (self->scene, self->next_node));
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  cairo_save (cr);
  enter_drawing (self, cr);
  _flow_canvas_draw_tint (self, cr, &clip);
  light_lines (self, cr);
  /* They may cross a name on their way in. */
  if (self->selected != FLOW_ITEM_NONE || self->hovered != FLOW_ITEM_NONE || self->hovered_wire != G_MAXUINT32)
    flow_painter_draw_headers (self->painter, cr, _flow_canvas_get_shown (self),
                               _flow_canvas_get_shown (self) == self->display ? self->dims : NULL, &clip,
                               self->camera.zoom);
  if (self->scene->has_states || next != FLOW_ITEM_NONE)
    flow_painter_draw_states (self->painter, cr, _flow_canvas_get_shown (self), self->scene, self->dims, next,
                              &clip, self->camera.zoom);
  draw_hits (self, cr);
  draw_selection (self, cr);
  draw_hover (self, cr);
  draw_error (self, cr);
  _flow_canvas_draw_loops (self, cr, &clip);
  _flow_canvas_draw_values (self, cr, &clip);
  draw_marks (self, cr);
  cairo_restore (cr);
  draw_sticky_headers (self, cr, width);
  draw_minimap (self, cr, width, height);
  cairo_destroy (cr);
}
