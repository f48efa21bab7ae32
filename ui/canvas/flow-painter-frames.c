/* flow-painter-frames.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-painter-private.h"

/* Open groups: their ground and border, and what stands in their headers. The name has the room; the
 * tag follows it; how many ops there are is said in what is left, in fewer words or not at all. */

#define GROUP_RADIUS 10.0

/* Of the header, in the display's coordinates. */
#define TITLE_X 23.0
#define MARGIN 14.0
#define TAG_GAP 11.0
#define COUNT_GAP 12.0
#define MIDDLE_Y 18.0

/* What an open group is filled with: two tones, by turns. */
FlowColor
_flow_painter_ground_color (guint depth)
{
  return depth == 0 ? FLOW_COLOR_CANVAS : depth % 2 == 1 ? FLOW_COLOR_GROUP : FLOW_COLOR_GROUP_ALT;
}

/* A loop goes round a whole line, an arm that may not be taken round a broken one. */
static void
set_control_border (FlowPainter   *self,
                    cairo_t       *cr,
                    const FlowBox *box,
                    double         alpha,
                    double         line)
{
  static const double dashes[] = { 7.0, 4.0 };

  flow_painter_set_color (self, cr, _flow_painter_family_color (FLOW_OP_FAMILY_CONTROL), alpha * 0.8);
  cairo_set_line_width (cr, line * 1.6);
  if (box->control != FLOW_CONTROL_LOOP)
    cairo_set_dash (cr, dashes, 2, 0.0);
}

void
_flow_painter_paint_frame (FlowPainter   *self,
                           cairo_t       *cr,
                           const FlowBox *box,
                           guint          depth,
                           double         alpha,
                           double         scale)
{
  double line = _flow_painter_border_width (self, scale);

  flow_painter_round_box (cr, box->x + line / 2.0, box->y + line / 2.0, box->width - line,
                          box->height - line, GROUP_RADIUS);
  flow_painter_set_color (self, cr, _flow_painter_ground_color (depth), 1.0);
  cairo_fill_preserve (cr);
  if (box->control != FLOW_CONTROL_GRAPH)
    set_control_border (self, cr, box, alpha, line);
  else
    flow_painter_set_color (self, cr, FLOW_COLOR_GROUP_BORDER, alpha);
  if (box->control == FLOW_CONTROL_GRAPH)
    cairo_set_line_width (cr, line);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0.0);
}

/* What kind of box it is, in a word: @x in the header, which is at the origin. */
static void
paint_control_tag (FlowPainter   *self,
                   cairo_t       *cr,
                   const FlowBox *box,
                   double         x,
                   double         alpha)
{
  const char *text = flow_painter_get_control_tag (box);
  double width = flow_painter_measure_text (self, FLOW_TEXT_LABEL, text);

  flow_painter_round_box (cr, x, -7.5, width + 12.0, 15.0, 7.5);
  flow_painter_set_color (self, cr, _flow_painter_family_color (FLOW_OP_FAMILY_CONTROL), alpha * 0.14);
  cairo_fill_preserve (cr);
  flow_painter_set_color (self, cr, _flow_painter_family_color (FLOW_OP_FAMILY_CONTROL), alpha * 0.8);
  cairo_set_line_width (cr, 1.0);
  cairo_stroke (cr);
  flow_painter_set_color (self, cr, FLOW_COLOR_TEXT, alpha);
  flow_painter_show_text (self, cr, FLOW_TEXT_LABEL, text, x + 6.0, 0.0, 0.0);
}

/* What the name may take: all of it, but for the chevron. */
static double
title_room (const FlowBox *box)
{
  return MAX (box->width - TITLE_X - MARGIN, 40.0);
}

static double
tag_width (FlowPainter   *self,
           const FlowBox *box)
{
  return box->control == FLOW_CONTROL_GRAPH ? 0.0
         : flow_painter_measure_text (self, FLOW_TEXT_LABEL, flow_painter_get_control_tag (box)) + 12.0;
}

/* After the lines of the group, which may pass under it on their way in. */
void
_flow_painter_paint_header (FlowPainter   *self,
                            cairo_t       *cr,
                            const FlowBox *box,
                            guint          depth,
                            double         alpha,
                            double         scale)
{
  gboolean small = scale < SCALE_TITLE;
  double text_scale = 1.0;
  double room = title_room (box);
  double width;

  if (small)
    {
      /* Headers stay readable where everything else is too small to be. */
      if (box->width * scale < (scale < SCALE_HEADERS ? 80.0 : 60.0))
        return;
      text_scale = MIN (SCALE_TITLE / scale, 1.8);
      room = MAX (box->width / text_scale - 20.0, 40.0);
    }
  width = MIN (flow_painter_measure_text (self, FLOW_TEXT_TITLE, box->title), room);
  cairo_save (cr);
  cairo_translate (cr, box->x, box->y + MIDDLE_Y * MIN (text_scale, 1.3));
  cairo_scale (cr, text_scale, text_scale);
  flow_painter_round_box (cr, 8.0, -9.0, width + (small ? 4.0 : 22.0), 18.0, 4.0);
  flow_painter_set_color (self, cr, _flow_painter_ground_color (depth), 0.88);
  cairo_fill (cr);
  if (!small)
    {
      flow_painter_set_color (self, cr, FLOW_COLOR_TEXT_DIM, alpha);
      cairo_move_to (cr, 11.0, -2.0);
      cairo_rel_line_to (cr, 7.0, 0.0);
      cairo_rel_line_to (cr, -3.5, 4.5);
      cairo_close_path (cr);
      cairo_fill (cr);
    }
  flow_painter_set_color (self, cr, FLOW_COLOR_TEXT, alpha);
  /* A hair more than was measured, or rounding would cut what fits. */
  flow_painter_show_text (self, cr, FLOW_TEXT_TITLE, box->title, small ? 10.0 : TITLE_X, 0.0, room + 1.0);
  if (box->is_fallback && !small)
    {
      flow_painter_set_color (self, cr, FLOW_COLOR_TEXT_DIM, alpha);
      flow_painter_show_text (self, cr, FLOW_TEXT_SUBTITLE, "laid out as a grid", TITLE_X + width + 9.0, 0.0, 0.0);
    }
  if (!small && box->control != FLOW_CONTROL_GRAPH
      && TITLE_X + width + TAG_GAP + tag_width (self, box) <= box->width - 4.0)
    paint_control_tag (self, cr, box, TITLE_X + width + TAG_GAP, alpha);
  cairo_restore (cr);
}

/**
 * flow_painter_show_count:
 * @from: where, in the display's coordinates, the room for it begins
 * @texts: (array zero-terminated=1): ways to say it, the longest first
 *
 * At the right end of the header of an open group, in as many words as there is room for; in the colour
 * that is set.
 */
void
flow_painter_show_count (FlowPainter       *self,
                         cairo_t           *cr,
                         const FlowBox     *box,
                         double             from,
                         const char *const *texts)
{
  double right = box->x + box->width - MARGIN;

  for (guint i = 0; texts[i] != NULL; i++)
    {
      double width = flow_painter_measure_text (self, FLOW_TEXT_SUBTITLE, texts[i]);

      if (right - width < from + COUNT_GAP)
        continue;
      /* Lines that come in pass under it. */
      cairo_save (cr);
      flow_painter_round_box (cr, right - width - 5.0, box->y + MIDDLE_Y - 8.0, width + 10.0, 16.0, 4.0);
      flow_painter_set_color (self, cr, _flow_painter_ground_color (box->depth), 0.92);
      cairo_fill (cr);
      cairo_restore (cr);
      flow_painter_show_text (self, cr, FLOW_TEXT_SUBTITLE, texts[i], right - width, box->y + MIDDLE_Y, 0.0);
      return;
    }
}

void
_flow_painter_paint_count (FlowPainter   *self,
                           cairo_t       *cr,
                           const FlowBox *box,
                           double         alpha)
{
  const char *texts[] = { box->subtitle, NULL };

  flow_painter_set_color (self, cr, FLOW_COLOR_TEXT_DIM, alpha);
  flow_painter_show_count (self, cr, box, flow_painter_get_header_end (self, box), texts);
}

/**
 * flow_painter_get_control_tag:
 *
 * Returns: what kind of control flow @box is the box of, in a word
 */
const char *
flow_painter_get_control_tag (const FlowBox *box)
{
  return box->control == FLOW_CONTROL_LOOP ? "loop" : box->control == FLOW_CONTROL_TRUE ? "true" : "false";
}

/**
 * flow_painter_get_header_end:
 *
 * Returns: where, in the display's coordinates, the name and the tag of an open group end
 */
double
flow_painter_get_header_end (FlowPainter   *self,
                             const FlowBox *box)
{
  double end = TITLE_X + MIN (flow_painter_measure_text (self, FLOW_TEXT_TITLE, box->title), title_room (box));

  if (box->control != FLOW_CONTROL_GRAPH)
    end += TAG_GAP + tag_width (self, box);
  return box->x + end;
}
