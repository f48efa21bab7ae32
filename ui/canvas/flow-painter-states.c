/* flow-painter-states.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-painter.h"

#include <math.h>

/* The run over the retained picture: badges of the ops, progress of the groups, the next op. Every
 * state has a shape beside its colour. */

/* Badges are told apart from this scale on; below it they are dots. */
#define SCALE_BADGES 0.42
#define SCALE_COUNTS 0.72

static void
draw_tick (FlowPainter *self,
           cairo_t     *cr,
           double       x,
           double       y,
           double       r)
{
  cairo_new_path (cr);
  cairo_arc (cr, x, y, r, 0.0, 2.0 * G_PI);
  flow_painter_set_color (self, cr, FLOW_COLOR_DONE, 1.0);
  cairo_fill (cr);
  cairo_move_to (cr, x - r * 0.45, y + r * 0.02);
  cairo_line_to (cr, x - r * 0.1, y + r * 0.38);
  cairo_line_to (cr, x + r * 0.48, y - r * 0.35);
  flow_painter_set_color_on (self, cr, FLOW_COLOR_DONE, 1.0);
  cairo_set_line_width (cr, r * 0.3);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_stroke (cr);
}

static void
draw_octagon (FlowPainter *self,
              cairo_t     *cr,
              double       x,
              double       y,
              double       r)
{
  cairo_new_path (cr);
  for (guint i = 0; i < 8; i++)
    cairo_line_to (cr, x + r * cos ((i + 0.5) * G_PI / 4.0), y + r * sin ((i + 0.5) * G_PI / 4.0));
  cairo_close_path (cr);
  flow_painter_set_color (self, cr, FLOW_COLOR_FAILED, 1.0);
  cairo_fill (cr);
  cairo_move_to (cr, x - r * 0.38, y - r * 0.38);
  cairo_line_to (cr, x + r * 0.38, y + r * 0.38);
  cairo_move_to (cr, x + r * 0.38, y - r * 0.38);
  cairo_line_to (cr, x - r * 0.38, y + r * 0.38);
  flow_painter_set_color_on (self, cr, FLOW_COLOR_FAILED, 1.0);
  cairo_set_line_width (cr, r * 0.28);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_stroke (cr);
}

static void
draw_ring (FlowPainter *self,
           cairo_t     *cr,
           FlowColor    color,
           double       x,
           double       y,
           double       r)
{
  cairo_new_path (cr);
  cairo_arc (cr, x, y, r * 0.7, 0.0, 2.0 * G_PI);
  flow_painter_set_color (self, cr, color, 1.0);
  cairo_set_line_width (cr, r * 0.34);
  cairo_stroke (cr);
}

static void
draw_triangle (FlowPainter *self,
               cairo_t     *cr,
               FlowColor    color,
               gboolean     filled,
               double       x,
               double       y,
               double       r)
{
  cairo_move_to (cr, x - r * 0.55, y - r * 0.75);
  cairo_line_to (cr, x + r * 0.8, y);
  cairo_line_to (cr, x - r * 0.55, y + r * 0.75);
  cairo_close_path (cr);
  flow_painter_set_color (self, cr, color, 1.0);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_width (cr, r * 0.3);
  if (filled)
    cairo_fill_preserve (cr);
  cairo_stroke (cr);
}

static void
draw_stale (FlowPainter *self,
            cairo_t     *cr,
            double       x,
            double       y,
            double       r)
{
  cairo_arc (cr, x, y, r, 0.0, 2.0 * G_PI);
  flow_painter_set_color (self, cr, FLOW_COLOR_DONE, 1.0);
  cairo_fill (cr);
  cairo_move_to (cr, x - r * 0.5, y + r * 0.15);
  cairo_curve_to (cr, x - r * 0.2, y - r * 0.6, x + r * 0.2, y + r * 0.6, x + r * 0.5, y - r * 0.15);
  flow_painter_set_color_on (self, cr, FLOW_COLOR_DONE, 1.0);
  cairo_set_line_width (cr, r * 0.28);
  cairo_stroke (cr);
}

/**
 * flow_painter_draw_state:
 * @x: centre
 * @y: centre
 * @size: diameter
 *
 * The sign of one state; nothing for what is not in the run.
 */
void
flow_painter_draw_state (FlowPainter   *self,
                         cairo_t       *cr,
                         FlowNodeState  state,
                         double         x,
                         double         y,
                         double         size)
{
  double r = size / 2.0;

  cairo_save (cr);
  switch (state)
    {
    case FLOW_NODE_DONE:
      draw_tick (self, cr, x, y, r);
      break;
    case FLOW_NODE_FED:
      /* A bar into the box: the value comes from outside. */
      draw_tick (self, cr, x, y, r);
      flow_painter_set_color (self, cr, FLOW_COLOR_DONE, 1.0);
      cairo_rectangle (cr, x - r * 2.1, y - r * 0.8, r * 0.5, r * 1.6);
      cairo_fill (cr);
      break;
    case FLOW_NODE_PENDING:
      draw_ring (self, cr, FLOW_COLOR_PENDING, x, y, r);
      break;
    case FLOW_NODE_READY:
      draw_triangle (self, cr, FLOW_COLOR_READY, FALSE, x, y, r * 0.85);
      break;
    case FLOW_NODE_NEXT:
      draw_triangle (self, cr, FLOW_COLOR_NEXT, TRUE, x, y, r * 0.95);
      break;
    case FLOW_NODE_WAITING:
      cairo_arc (cr, x, y, r * 0.7, -G_PI_2, G_PI);
      flow_painter_set_color (self, cr, FLOW_COLOR_NEXT, 1.0);
      cairo_set_line_width (cr, r * 0.36);
      cairo_stroke (cr);
      break;
    case FLOW_NODE_DEAD:
      draw_ring (self, cr, FLOW_COLOR_DEAD, x, y, r);
      cairo_move_to (cr, x - r * 0.8, y + r * 0.8);
      cairo_line_to (cr, x + r * 0.8, y - r * 0.8);
      cairo_set_line_width (cr, r * 0.3);
      cairo_stroke (cr);
      break;
    case FLOW_NODE_FAILED:
      draw_octagon (self, cr, x, y, r * 1.05);
      break;
    case FLOW_NODE_STALE:
      draw_stale (self, cr, x, y, r);
      break;
    case FLOW_NODE_NOT_IN_RUN:
    default:
      break;
    }
  cairo_restore (cr);
}

static FlowColor
state_color (guint8 state)
{
  switch (state)
    {
    case FLOW_NODE_DONE:
    case FLOW_NODE_FED:
    case FLOW_NODE_STALE:
      return FLOW_COLOR_DONE;
    case FLOW_NODE_READY:
      return FLOW_COLOR_READY;
    case FLOW_NODE_NEXT:
    case FLOW_NODE_WAITING:
      return FLOW_COLOR_NEXT;
    case FLOW_NODE_FAILED:
      return FLOW_COLOR_FAILED;
    case FLOW_NODE_DEAD:
      return FLOW_COLOR_DEAD;
    default:
      return FLOW_COLOR_PENDING;
    }
}

/* An outline says what the badge says, for states a person looks for. */
static void
draw_outline (FlowPainter   *self,
              cairo_t       *cr,
              const FlowBox *box,
              guint8         state,
              double         scale)
{
  double x = flow_box_card_x (box);
  double line = state == FLOW_NODE_READY ? 1.5 : 2.5;

  if (state != FLOW_NODE_READY && state != FLOW_NODE_NEXT && state != FLOW_NODE_FAILED
      && state != FLOW_NODE_WAITING)
    return;
  line = MAX (line, line * 0.7 / scale);
  flow_painter_round_box (cr, x + line / 2.0, box->y + line / 2.0,
                          box->x + box->width - x - line, box->height - line,
                          box->kind == FLOW_BOX_FRAME ? 10.0 : 6.0);
  flow_painter_set_color (self, cr, state_color (state), 1.0);
  cairo_set_line_width (cr, line);
  cairo_stroke (cr);
}

static void
draw_hatch (FlowPainter   *self,
            cairo_t       *cr,
            const FlowBox *box)
{
  double x = flow_box_card_x (box);
  double right = box->x + box->width;

  cairo_save (cr);
  flow_painter_round_box (cr, x, box->y, right - x, box->height, 6.0);
  cairo_clip (cr);
  for (double at = x - box->height; at < right; at += 7.0)
    {
      cairo_move_to (cr, at, box->y + box->height);
      cairo_line_to (cr, at + box->height, box->y);
    }
  flow_painter_set_color (self, cr, FLOW_COLOR_DEAD, 0.14);
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
  cairo_restore (cr);
}

/* Done of planned, as a ring that fills. */
static void
draw_progress (FlowPainter          *self,
               cairo_t              *cr,
               const FlowSceneGroup *group,
               double                x,
               double                y,
               double                r)
{
  const guint32 *n = group->state_ops;
  guint planned = group->n_ops - n[FLOW_NODE_NOT_IN_RUN];
  guint done = n[FLOW_NODE_DONE] + n[FLOW_NODE_FED] + n[FLOW_NODE_DEAD] + n[FLOW_NODE_STALE];

  if (planned == 0)
    return;
  if (n[FLOW_NODE_FAILED] > 0)
    draw_octagon (self, cr, x, y, r);
  else if (done == planned)
    draw_tick (self, cr, x, y, r);
  else
    {
      draw_ring (self, cr, FLOW_COLOR_PENDING, x, y, r);
      if (done > 0)
        {
          cairo_new_path (cr);
          cairo_arc (cr, x, y, r * 0.7, -G_PI_2, -G_PI_2 + 2.0 * G_PI * done / planned);
          flow_painter_set_color (self, cr, FLOW_COLOR_DONE, 1.0);
          cairo_set_line_width (cr, r * 0.4);
          cairo_stroke (cr);
        }
    }
}

static void
draw_count (FlowPainter          *self,
            cairo_t              *cr,
            const FlowBox        *box,
            const FlowSceneGroup *group)
{
  const guint32 *n = group->state_ops;
  guint planned = group->n_ops - n[FLOW_NODE_NOT_IN_RUN];
  guint done = n[FLOW_NODE_DONE] + n[FLOW_NODE_FED] + n[FLOW_NODE_DEAD] + n[FLOW_NODE_STALE];
  g_autofree char *text = NULL;
  g_autofree char *fewer = NULL;
  g_autofree char *fewest = NULL;

  if (planned == 0)
    text = g_strdup ("not in run");
  else
    {
      if (planned < group->n_ops)
        text = g_strdup_printf ("%u of %u ops · %u done", planned, group->n_ops, done);
      else
        text = g_strdup_printf (group->n_ops == 1 ? "%u op · %u done" : "%u ops · %u done", group->n_ops, done);
      fewer = g_strdup_printf ("%u of %u done", done, planned);
      fewest = g_strdup_printf ("%u/%u", done, planned);
    }
  flow_painter_set_color (self, cr, FLOW_COLOR_TEXT_DIM, 1.0);
  flow_painter_show_count (self, cr, box, flow_painter_get_header_end (self, box),
                           (const char *const[]) { text, fewer, fewest, NULL });
}

static void
draw_next (FlowPainter   *self,
           cairo_t       *cr,
           const FlowBox *box,
           double         scale)
{
  double x = flow_box_card_x (box);
  double size = MAX (8.0, 6.0 / scale);
  double y = box->y + (box->kind == FLOW_BOX_FRAME ? 18.0 : box->height / 2.0);

  draw_outline (self, cr, box, FLOW_NODE_NEXT, scale);
  cairo_save (cr);
  cairo_move_to (cr, x - size * 1.75, y - size * 0.8);
  cairo_line_to (cr, x - size * 0.25, y);
  cairo_line_to (cr, x - size * 1.75, y + size * 0.8);
  cairo_close_path (cr);
  flow_painter_set_color (self, cr, FLOW_COLOR_CARD, 1.0);
  cairo_set_line_width (cr, 2.0);
  cairo_stroke_preserve (cr);
  flow_painter_set_color (self, cr, FLOW_COLOR_NEXT, 1.0);
  cairo_fill (cr);
  cairo_restore (cr);
}

static gboolean
in_clip (const FlowBox           *box,
         const cairo_rectangle_t *clip)
{
  return box->x - 16.0 <= clip->x + clip->width && box->x + box->width >= clip->x
         && box->y - 16.0 <= clip->y + clip->height && box->y + box->height >= clip->y;
}

static void
draw_box_state (FlowPainter     *self,
                cairo_t         *cr,
                const FlowBox   *box,
                const FlowScene *scene,
                double           scale)
{
  double x = box->x + box->width - 13.0;
  guint8 state;

  if (flow_item_is_group (box->item))
    {
      const FlowSceneGroup *group = flow_scene_group (scene, flow_item_get_group (box->item));

      if (box->kind == FLOW_BOX_FRAME)
        {
          if (scale >= SCALE_COUNTS)
            draw_count (self, cr, box, group);
        }
      else if (scale >= SCALE_BADGES)
        draw_progress (self, cr, group, x, box->y + 12.0, 5.5);
      if (box->kind != FLOW_BOX_FRAME && group->state_ops[FLOW_NODE_FAILED] > 0)
        draw_outline (self, cr, box, FLOW_NODE_FAILED, scale);
      return;
    }
  state = scene->op_state[box->item];
  if (state == FLOW_NODE_NOT_IN_RUN)
    return;
  if (scale < SCALE_BADGES)
    {
      if (state == FLOW_NODE_PENDING)
        return;
      cairo_rectangle (cr, box->x + box->width * 0.7, box->y + box->height * 0.25,
                       box->width * 0.22, box->height * 0.5);
      flow_painter_set_color (self, cr, state_color (state), 1.0);
      cairo_fill (cr);
      return;
    }
  if (state == FLOW_NODE_DEAD || state == FLOW_NODE_STALE)
    draw_hatch (self, cr, box);
  draw_outline (self, cr, box, state, scale);
  if (state != FLOW_NODE_NEXT)
    flow_painter_draw_state (self, cr, state, x, box->y + 12.0, 11.0);
}

/**
 * flow_painter_draw_states:
 * @dims: (nullable): as for flow_painter_paint(): what is hidden has no state
 * @next: what the next op is or is in, as it can be seen; or %FLOW_ITEM_NONE
 *
 * The states of everything in @clip.
 */
void
flow_painter_draw_states (FlowPainter             *self,
                          cairo_t                 *cr,
                          const FlowDisplay       *display,
                          const FlowScene         *scene,
                          const guint8            *dims,
                          FlowItem                 next,
                          const cairo_rectangle_t *clip,
                          double                   scale)
{
  const FlowBox *next_box = NULL;

  if (scene->has_states)
    for (guint i = 1; i < display->n_boxes; i++)
      {
        const FlowBox *box = &display->boxes[i];

        if (in_clip (box, clip) && box->width * scale >= 3.0 && (dims == NULL || dims[i] != FLOW_DIM_HIDDEN))
          draw_box_state (self, cr, box, scene, scale);
      }
  if (next != FLOW_ITEM_NONE)
    next_box = flow_display_find_box (display, next);
  if (next_box != NULL && in_clip (next_box, clip))
    draw_next (self, cr, next_box, scale);
}
