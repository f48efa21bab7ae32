/* flow-canvas-overlay.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-canvas-private.h"

#include <math.h>
#include <string.h>

/* What lies over the picture for a while: the colours of two plans, and values at the ops that made them. */

/* From here on a value can be read; below, only that something is wrong with it is shown. */
#define ZOOM_VALUES 0.55
#define ZOOM_BAD 0.2
/* And from here on at the lines as well. */
#define ZOOM_WIRES 1.3
/* Letters at boxes, so that colours do not carry the meaning alone. */
#define ZOOM_LETTERS 0.35
#define VALUE_HEIGHT 15.0
#define MAX_VALUE_WIDTH 170.0
/* Ops whose values are asked for at once. */
#define MAX_READABLE 300

enum {
  TINT_OUT,
  TINT_BOTH,
  TINT_A,
  TINT_B,
  N_TINTS
};

typedef struct {
  guint32 n[N_TINTS];
} TintCounts;

static void
value_free (gpointer data)
{
  FlowCanvasValue *value = data;

  g_free (value->text);
  g_free (value);
}

static void
loop_free (gpointer data)
{
  FlowCanvasLoop *loop = data;

  g_free (loop->frame);
  g_free (loop->text);
  g_free (loop);
}

void
_flow_canvas_init_overlay (FlowCanvas *self)
{
  self->loops = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, loop_free);
  self->values = g_hash_table_new_full (NULL, NULL, NULL, value_free);
}

void
_flow_canvas_clear_overlay (FlowCanvas *self)
{
  g_clear_pointer (&self->values, g_hash_table_unref);
  g_clear_pointer (&self->loops, g_hash_table_unref);
  g_clear_pointer (&self->tint, g_bytes_unref);
  g_clear_pointer (&self->tint_counts, g_hash_table_unref);
}

static gboolean
in_view (const FlowBox           *box,
         const cairo_rectangle_t *clip)
{
  return box->x <= clip->x + clip->width && box->x + box->width >= clip->x &&
         box->y <= clip->y + clip->height && box->y + box->height + 20.0 >= clip->y;
}

/* --- two plans ------------------------------------------------------------------------------------ */

/* The scene was made anew: groups have other numbers. */
void
_flow_canvas_forget_counts (FlowCanvas *self)
{
  g_clear_pointer (&self->tint_counts, g_hash_table_unref);
}

static void
count_tints (FlowCanvas *self)
{
  gsize n = 0;
  const guint8 *tint = g_bytes_get_data (self->tint, &n);

  self->tint_counts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  for (guint32 op = 0; op < self->scene->n_ops && op < n; op++)
    for (FlowItem item = op; item != FLOW_ITEM_NONE;)
      {
        guint32 group = flow_scene_parent_of (self->scene, item);
        TintCounts *counts = NULL;

        if (group == FLOW_GROUP_NONE)
          break;
        counts = g_hash_table_lookup (self->tint_counts, GUINT_TO_POINTER (group));
        if (counts == NULL)
          {
            counts = g_new0 (TintCounts, 1);
            g_hash_table_insert (self->tint_counts, GUINT_TO_POINTER (group), counts);
          }
        counts->n[MIN (tint[op], TINT_B)]++;
        item = flow_item_of_group (group);
      }
}

static FlowColor
tint_color (int tint)
{
  return tint == TINT_A ? FLOW_COLOR_ACCENT : tint == TINT_B ? FLOW_COLOR_NEXT : FLOW_COLOR_DONE;
}

static const char *
tint_letter (const TintCounts *counts)
{
  gboolean a = counts->n[TINT_A] > 0;
  gboolean b = counts->n[TINT_B] > 0;

  if (counts->n[TINT_BOTH] > 0)
    return a && b ? "A B A∩B" : a ? "A A∩B" : b ? "B A∩B" : "A∩B";
  return a && b ? "A B" : a ? "A" : b ? "B" : NULL;
}

static void
draw_box_tint (FlowCanvas       *self,
               cairo_t          *cr,
               const FlowBox    *box,
               const TintCounts *counts)
{
  double x = flow_box_card_x (box);
  double width = box->x + box->width - x;
  double total = counts->n[TINT_BOTH] + counts->n[TINT_A] + counts->n[TINT_B];
  const char *letter = tint_letter (counts);

  cairo_save (cr);
  flow_painter_round_box (cr, x, box->y, width, box->height, 6.0);
  cairo_clip (cr);
  if (total == 0)
    {
      flow_painter_set_color (self->painter, cr, FLOW_COLOR_CANVAS, 0.72);
      cairo_paint (cr);
    }
  for (int tint = TINT_BOTH; tint < N_TINTS && total > 0; tint++)
    {
      double part = width * counts->n[tint] / total;

      cairo_rectangle (cr, x, box->y, part, box->height);
      flow_painter_set_color (self->painter, cr, tint_color (tint), 0.30);
      cairo_fill (cr);
      x += part;
    }
  cairo_restore (cr);
  if (letter != NULL && self->camera.zoom >= ZOOM_LETTERS)
    flow_painter_draw_tag (self->painter, cr, box, letter,
                           tint_color (counts->n[TINT_BOTH] > 0 ? TINT_BOTH : counts->n[TINT_A] > 0 ? TINT_A : TINT_B), 1.0);
}

void
_flow_canvas_draw_tint (FlowCanvas              *self,
                        cairo_t                 *cr,
                        const cairo_rectangle_t *clip)
{
  const FlowDisplay *display = _flow_canvas_get_shown (self);
  gsize n = 0;
  const guint8 *tint = NULL;

  if (self->tint == NULL)
    return;
  if (self->tint_counts == NULL)
    count_tints (self);
  tint = g_bytes_get_data (self->tint, &n);
  for (guint i = 1; i < display->n_boxes; i++)
    {
      const FlowBox *box = &display->boxes[i];
      const TintCounts *counts = NULL;
      TintCounts own = { { 0 } };

      if (box->kind == FLOW_BOX_FRAME || !in_view (box, clip))
        continue;
      if (flow_item_is_group (box->item))
        counts = g_hash_table_lookup (self->tint_counts, GUINT_TO_POINTER (flow_item_get_group (box->item)));
      else if (box->item < n)
        own.n[MIN (tint[box->item], TINT_B)] = 1;
      draw_box_tint (self, cr, box, counts != NULL ? counts : &own);
    }
}

/**
 * flow_canvas_set_tint:
 * @tint: (nullable): a byte per node: 0 pale, 1 in both plans, 2 only in the first, 3 only in the second
 *
 * Colours what two plans share and what only one of them has.
 */
void
flow_canvas_set_tint (FlowCanvas *self,
                      GBytes     *tint)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (self->tint == NULL && tint == NULL)
    return;
  g_clear_pointer (&self->tint, g_bytes_unref);
  self->tint = tint != NULL ? g_bytes_ref (tint) : NULL;
  _flow_canvas_forget_counts (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* --- values --------------------------------------------------------------------------------------- */

static void
draw_pill (FlowCanvas            *self,
           cairo_t               *cr,
           const FlowCanvasValue *value,
           double                 x,
           double                 y,
           double                 least_width)
{
  double text_width = MIN (flow_painter_measure_text (self->painter, FLOW_TEXT_LABEL, value->text), MAX_VALUE_WIDTH);
  double width = MAX (text_width, least_width);
  FlowColor color = value->bad ? FLOW_COLOR_FAILED : value->stale ? FLOW_COLOR_CONTROL : FLOW_COLOR_CARD_BORDER;

  flow_painter_round_box (cr, x - width / 2.0 - 7.0, y, width + 14.0, VALUE_HEIGHT, VALUE_HEIGHT / 2.0);
  /* What is wrong stands on red, where any theme can be read. */
  flow_painter_set_color (self->painter, cr, value->bad ? FLOW_COLOR_FAILED : FLOW_COLOR_CARD, value->bad ? 1.0 : 0.95);
  cairo_fill_preserve (cr);
  flow_painter_set_color (self->painter, cr, color, 1.0);
  cairo_set_line_width (cr, value->bad || value->stale ? 1.6 : 1.0);
  cairo_stroke (cr);
  if (value->bad)
    flow_painter_set_color_on (self->painter, cr, FLOW_COLOR_FAILED, 1.0);
  else
    flow_painter_set_color (self->painter, cr, FLOW_COLOR_TEXT, 1.0);
  flow_painter_show_text (self->painter, cr, FLOW_TEXT_LABEL, value->text, x - text_width / 2.0,
                          y + VALUE_HEIGHT / 2.0, MAX_VALUE_WIDTH);
}

/* Far away only what is wrong: a mark with a cross in it. */
static void
draw_bad (FlowCanvas    *self,
          cairo_t       *cr,
          const FlowBox *box)
{
  double r = MAX (5.0, 4.0 / self->camera.zoom);
  double x = box->x + box->width - r;
  double y = box->y + box->height;

  cairo_new_path (cr);
  cairo_arc (cr, x, y, r, 0.0, 2.0 * G_PI);
  flow_painter_set_color (self->painter, cr, FLOW_COLOR_FAILED, 1.0);
  cairo_fill (cr);
  flow_painter_set_color_on (self->painter, cr, FLOW_COLOR_FAILED, 1.0);
  cairo_set_line_width (cr, r * 0.35);
  cairo_move_to (cr, x - r * 0.4, y - r * 0.4);
  cairo_rel_line_to (cr, r * 0.8, r * 0.8);
  cairo_move_to (cr, x + r * 0.4, y - r * 0.4);
  cairo_rel_line_to (cr, -r * 0.8, r * 0.8);
  cairo_stroke (cr);
}

/* At the line that leads on, in the place of the shape that stands there: it has the shape too. Ops whose
 * value stands at a line are added to @drawn. */
static void
draw_wire_values (FlowCanvas              *self,
                  cairo_t                 *cr,
                  const FlowDisplay       *display,
                  const cairo_rectangle_t *clip,
                  GHashTable              *drawn)
{
  for (guint i = 0; i < display->n_wires; i++)
    {
      const FlowWire *wire = &display->wires[i];
      const FlowCanvasValue *value = NULL;
      double width = 0.0;

      if (wire->label == NULL || (wire->flags & FLOW_WIRE_CONTROL) != 0 || wire->from == FLOW_ITEM_NONE ||
          flow_item_is_group (wire->from) || wire->label_x < clip->x || wire->label_x > clip->x + clip->width ||
          wire->label_y < clip->y || wire->label_y > clip->y + clip->height)
        continue;
      value = g_hash_table_lookup (self->values, GUINT_TO_POINTER (wire->from));
      if (value == NULL)
        continue;
      /* It hides the shape whole: half a word is worse than none. */
      width = flow_painter_measure_text (self->painter, FLOW_TEXT_LABEL, wire->label);
      draw_pill (self, cr, value, wire->label_x + width / 2.0, wire->label_y - VALUE_HEIGHT / 2.0, width);
      g_hash_table_add (drawn, GUINT_TO_POINTER (wire->from));
    }
}

void
_flow_canvas_draw_values (FlowCanvas              *self,
                          cairo_t                 *cr,
                          const cairo_rectangle_t *clip)
{
  const FlowDisplay *display = _flow_canvas_get_shown (self);
  double zoom = self->camera.zoom / self->text_scale;
  g_autoptr(GHashTable) drawn = g_hash_table_new (NULL, NULL);

  if (g_hash_table_size (self->values) == 0 || zoom < ZOOM_BAD)
    return;
  /* Near enough for both, the value stands at the line; else at the op. */
  if (zoom >= ZOOM_WIRES)
    draw_wire_values (self, cr, display, clip, drawn);
  for (guint i = 1; i < display->n_boxes; i++)
    {
      const FlowBox *box = &display->boxes[i];
      const FlowCanvasValue *value = NULL;

      if (box->kind != FLOW_BOX_OP || flow_item_is_group (box->item) || !in_view (box, clip))
        continue;
      value = g_hash_table_lookup (self->values, GUINT_TO_POINTER (box->item));
      if (value == NULL || g_hash_table_contains (drawn, GUINT_TO_POINTER (box->item)))
        continue;
      if (zoom >= ZOOM_VALUES)
        draw_pill (self, cr, value, (flow_box_card_x (box) + box->x + box->width) / 2.0,
                   box->y + box->height - 3.0, 0.0);
      else if (value->bad)
        draw_bad (self, cr, box);
    }
}

/**
 * flow_canvas_set_values:
 * @values: (array length=n_values): copied
 *
 * Replaces the values that are drawn.
 */
void
flow_canvas_set_values (FlowCanvas            *self,
                        const FlowCanvasValue *values,
                        gsize                  n_values)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (n_values == 0 && g_hash_table_size (self->values) == 0)
    return;
  g_hash_table_remove_all (self->values);
  for (gsize i = 0; i < n_values; i++)
    {
      FlowCanvasValue *value = g_memdup2 (&values[i], sizeof values[i]);

      value->text = g_strdup (values[i].text);
      g_hash_table_insert (self->values, GUINT_TO_POINTER (value->node), value);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* --- how far loops are ----------------------------------------------------------------------------- */

static void
draw_loop (FlowCanvas           *self,
           cairo_t              *cr,
           const FlowBox        *box,
           const FlowCanvasLoop *loop)
{
  double width = flow_painter_measure_text (self->painter, FLOW_TEXT_LABEL, loop->text);
  double x = box->kind == FLOW_BOX_FRAME ? flow_painter_get_header_end (self->painter, box)
                                         : box->x + (box->width - width) / 2.0 - 7.0;
  double y = box->kind == FLOW_BOX_FRAME ? box->y + 18.0 - VALUE_HEIGHT / 2.0 : box->y + box->height - 3.0;
  FlowColor color = loop->current ? FLOW_COLOR_NEXT : FLOW_COLOR_CARD_BORDER;
  double scale = self->camera.zoom < ZOOM_VALUES ? MIN (ZOOM_VALUES / self->camera.zoom, 2.4) : 1.0;

  /* From far away it stays readable, at the right end of the header, where nothing else stands then. */
  if (scale > 1.0 && (width + 14.0) * scale > box->width - 16.0)
    return;
  cairo_save (cr);
  if (scale > 1.0)
    {
      cairo_translate (cr, box->x + box->width - 8.0 - (width + 14.0) * scale,
                       box->kind == FLOW_BOX_FRAME ? box->y + 6.0 : box->y + box->height - 3.0);
      cairo_scale (cr, scale, scale);
      x = y = 0.0;
    }
  flow_painter_round_box (cr, x, y, width + 14.0, VALUE_HEIGHT, VALUE_HEIGHT / 2.0);
  flow_painter_set_color (self->painter, cr, FLOW_COLOR_CARD, 0.95);
  cairo_fill_preserve (cr);
  flow_painter_set_color (self->painter, cr, color, 1.0);
  cairo_set_line_width (cr, loop->current ? 1.6 : 1.0);
  cairo_stroke (cr);
  flow_painter_set_color (self->painter, cr, FLOW_COLOR_TEXT, 1.0);
  flow_painter_show_text (self->painter, cr, FLOW_TEXT_LABEL, loop->text, x + 7.0, y + VALUE_HEIGHT / 2.0, 0.0);
  cairo_restore (cr);
}

/* What is known of the loop whose box this is; NULL: nothing, or no loop. */
static const FlowCanvasLoop *
find_loop (FlowCanvas    *self,
           const FlowBox *box)
{
  const FlowControlFrame *frame = NULL;
  guint32 own = FLOW_NODE_NONE;

  if (!flow_item_is_group (box->item))
    return NULL;
  /* A call is a frame, named after its op. */
  own = flow_scene_group (self->scene, flow_item_get_group (box->item))->own_op;
  if (own != FLOW_NODE_NONE && (flow_graph_get_node_flags (self->graph, own) & FLOW_OP_FUNCTION) != 0)
    return g_hash_table_lookup (self->loops, flow_graph_get_node_name (self->graph, own));
  if (box->control != FLOW_CONTROL_LOOP)
    return NULL;
  frame = flow_scene_frame_of_group (self->scene, flow_item_get_group (box->item));
  return frame != NULL ? g_hash_table_lookup (self->loops, frame->name) : NULL;
}

/* The header of an open group when it stays at the top of the view. */
char *
_flow_canvas_dup_header (FlowCanvas    *self,
                         const FlowBox *box)
{
  const FlowCanvasLoop *loop = find_loop (self, box);

  return loop != NULL ? g_strdup_printf ("%s · %s", box->title, loop->text) : g_strdup (box->title);
}

void
_flow_canvas_draw_loops (FlowCanvas              *self,
                         cairo_t                 *cr,
                         const cairo_rectangle_t *clip)
{
  const FlowDisplay *display = _flow_canvas_get_shown (self);

  if (g_hash_table_size (self->loops) == 0 || self->camera.zoom < ZOOM_BAD)
    return;
  for (guint i = 1; i < display->n_boxes; i++)
    {
      const FlowBox *box = &display->boxes[i];
      const FlowCanvasLoop *loop = in_view (box, clip) ? find_loop (self, box) : NULL;

      if (loop != NULL)
        draw_loop (self, cr, box, loop);
    }
}

/**
 * flow_canvas_set_loops:
 * @loops: (array length=n_loops): copied
 *
 * Replaces what is drawn at the boxes of loops.
 */
void
flow_canvas_set_loops (FlowCanvas           *self,
                       const FlowCanvasLoop *loops,
                       gsize                 n_loops)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (n_loops == 0 && g_hash_table_size (self->loops) == 0)
    return;
  g_hash_table_remove_all (self->loops);
  for (gsize i = 0; i < n_loops; i++)
    {
      FlowCanvasLoop *loop = g_new0 (FlowCanvasLoop, 1);

      loop->frame = g_strdup (loops[i].frame);
      loop->text = g_strdup (loops[i].text);
      loop->current = loops[i].current;
      g_hash_table_insert (self->loops, loop->frame, loop);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * flow_canvas_list_readable:
 *
 * Returns: (transfer full): the ops in view (guint32) that are near enough to show something of their values
 */
GArray *
flow_canvas_list_readable (FlowCanvas *self)
{
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  const FlowDisplay *display = NULL;
  cairo_rectangle_t view = { 0, 0, 0, 0 };

  g_return_val_if_fail (FLOW_IS_CANVAS (self), nodes);

  if (self->scene == NULL || !_flow_canvas_is_current (self) || self->camera.zoom < ZOOM_BAD)
    return nodes;
  display = _flow_canvas_get_shown (self);
  view.x = -self->camera.x / self->camera.zoom;
  view.y = -self->camera.y / self->camera.zoom;
  view.width = gtk_widget_get_width (GTK_WIDGET (self)) / self->camera.zoom;
  view.height = gtk_widget_get_height (GTK_WIDGET (self)) / self->camera.zoom;
  for (guint i = 1; i < display->n_boxes && nodes->len < MAX_READABLE; i++)
    {
      const FlowBox *box = &display->boxes[i];

      if (box->kind == FLOW_BOX_OP && !flow_item_is_group (box->item) && in_view (box, &view))
        g_array_append_val (nodes, box->item);
    }
  return nodes;
}
