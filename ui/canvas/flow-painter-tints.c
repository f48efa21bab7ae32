/* flow-painter-tints.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-painter-private.h"

/* The colours of cards: of the op's family, or of what a person wants to see. A tag says in letters
 * what the colour says. */

/* Text stands on a tint: it must stay as easy to read as on the card. */
#define TINT_ALPHA 0.26
/* Where there is no text. */
#define FAR_ALPHA 0.85
#define TAG_HEIGHT 13.0
#define TAG_ROOM 120.0

/* Parts of a closed group side by side, in the width from @x on. */
static void
fill_parts (FlowPainter    *self,
            cairo_t        *cr,
            const FlowTint *tint,
            double          x,
            double          y,
            double          width,
            double          height,
            double          alpha)
{
  for (guint i = 0; i < tint->n_parts; i++)
    {
      double part = width * tint->part[i] / 255.0;

      cairo_rectangle (cr, x, y, part, height);
      flow_painter_set_color (self, cr, tint->color[i], alpha);
      cairo_fill (cr);
      x += part;
    }
}

/*
 * @alpha: of what is dimmed; below zero: a box too small for text, of that opacity
 */
void
_flow_painter_fill_tint (FlowPainter    *self,
                         cairo_t        *cr,
                         const FlowBox  *box,
                         const FlowTint *tint,
                         double          alpha)
{
  double x = flow_box_card_x (box);
  double width = box->x + box->width - x;
  gboolean far = alpha < 0.0;

  if (tint->n_parts == 0 || (!far && flow_painter_get_style (self)->high_contrast))
    return;
  alpha = far ? -alpha * FAR_ALPHA : alpha * TINT_ALPHA;
  /* Most boxes are of one colour: no clip for them. */
  if (tint->n_parts == 1 && tint->part[0] == 255)
    {
      flow_painter_round_box (cr, x, box->y, width, box->height, far ? 1.0 : FLOW_CARD_RADIUS);
      flow_painter_set_color (self, cr, tint->color[0], alpha);
      cairo_fill (cr);
      return;
    }
  cairo_save (cr);
  flow_painter_round_box (cr, x, box->y, width, box->height, far ? 1.0 : FLOW_CARD_RADIUS);
  cairo_clip (cr);
  fill_parts (self, cr, tint, x, box->y, width, box->height, alpha);
  cairo_restore (cr);
}

void
_flow_painter_paint_stripe (FlowPainter    *self,
                            cairo_t        *cr,
                            const FlowBox  *box,
                            const FlowTint *tint,
                            double          alpha,
                            double          scale)
{
  double x = flow_box_card_x (box);
  double width = scale < 0.6 ? FLOW_STRIPE * 1.5 : FLOW_STRIPE;
  FlowColor color = _flow_painter_family_color (box->family);
  guint best = 0;

  /* Without tints under the text the stripe is all the colour there is. */
  if (tint != NULL && flow_painter_get_style (self)->high_contrast)
    width *= 2.5;
  for (guint i = 1; tint != NULL && i < tint->n_parts; i++)
    if (tint->part[i] > tint->part[best])
      best = i;
  if (tint != NULL)
    color = tint->n_parts > 0 ? tint->color[best] : FLOW_COLOR_CARD_BORDER;
  cairo_save (cr);
  flow_painter_round_box (cr, x, box->y, box->x + box->width - x, box->height, FLOW_CARD_RADIUS);
  cairo_clip (cr);
  cairo_rectangle (cr, x, box->y, width, box->height);
  flow_painter_set_color (self, cr, color, alpha);
  cairo_fill (cr);
  cairo_restore (cr);
}

/* The shares of the ops of a closed group along its foot: of families, or of what @tint is of. */
void
_flow_painter_paint_shares (FlowPainter    *self,
                            cairo_t        *cr,
                            const FlowBox  *box,
                            const FlowTint *tint,
                            double          alpha)
{
  double x = box->x + 14.0;
  double width = box->width - 28.0;
  double y = box->y + box->height - 8.0;
  double sum = 0.0;
  static const guint8 order[FLOW_N_FAMILIES] = { 1, 2, 3, 4, 5, 6, 7, 0 };

  for (guint i = 0; i < FLOW_N_FAMILIES; i++)
    sum += box->share[i];
  if (tint != NULL ? tint->n_parts == 0 : sum <= 0.0)
    return;
  cairo_save (cr);
  flow_painter_round_box (cr, x, y, width, 3.0, 1.5);
  cairo_clip (cr);
  if (tint != NULL)
    fill_parts (self, cr, tint, x, y, width, 3.0, alpha * 0.9);
  for (guint i = 0; tint == NULL && i < FLOW_N_FAMILIES; i++)
    {
      double part = width * box->share[order[i]] / sum;

      cairo_rectangle (cr, x, y, part, 3.0);
      flow_painter_set_color (self, cr, _flow_painter_family_color (order[i]), alpha * 0.8);
      cairo_fill (cr);
      x += part;
    }
  cairo_restore (cr);
}

/* What is said of an open group itself: its border, for its inside speaks for itself. */
void
_flow_painter_paint_frame_tint (FlowPainter    *self,
                                cairo_t        *cr,
                                const FlowBox  *box,
                                const FlowTint *tint,
                                double          alpha,
                                double          scale)
{
  double line = MAX (2.0, 1.5 / scale);

  if (tint->n_parts == 0)
    return;
  flow_painter_round_box (cr, box->x + line / 2.0, box->y + line / 2.0, box->width - line, box->height - line, 10.0);
  flow_painter_set_color (self, cr, tint->color[0], alpha);
  cairo_set_line_width (cr, line);
  cairo_stroke (cr);
}

/**
 * flow_painter_draw_tag:
 * @color: of its border
 *
 * Letters on the upper edge of a card, where neither the name nor a badge stands.
 */
void
flow_painter_draw_tag (FlowPainter   *self,
                       cairo_t       *cr,
                       const FlowBox *box,
                       const char    *text,
                       FlowColor      color,
                       double         alpha)
{
  double x = flow_box_card_x (box) + 7.0;
  double room = MIN (TAG_ROOM, box->width - 30.0);
  double width = 0.0;

  if (room < 20.0)
    return;
  width = MIN (flow_painter_measure_text (self, FLOW_TEXT_LABEL, text), room);
  flow_painter_round_box (cr, x, box->y - TAG_HEIGHT * 0.8, width + 12.0, TAG_HEIGHT, TAG_HEIGHT / 2.0);
  flow_painter_set_color (self, cr, FLOW_COLOR_CARD, 1.0);
  cairo_fill_preserve (cr);
  flow_painter_set_color (self, cr, color, alpha);
  cairo_set_line_width (cr, 1.4);
  cairo_stroke (cr);
  flow_painter_set_color (self, cr, FLOW_COLOR_TEXT, alpha);
  flow_painter_show_text (self, cr, FLOW_TEXT_LABEL, text, x + 6.0, box->y - TAG_HEIGHT * 0.3, room);
}

void
_flow_painter_paint_tag (FlowPainter    *self,
                         cairo_t        *cr,
                         const FlowBox  *box,
                         const FlowTint *tint,
                         double          alpha)
{
  if (tint->tag != NULL)
    flow_painter_draw_tag (self, cr, box, tint->tag, tint->n_parts > 0 ? tint->color[0] : FLOW_COLOR_CARD_BORDER, alpha);
}
