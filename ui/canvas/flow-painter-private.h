/* flow-painter-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-painter.h"

G_BEGIN_DECLS

#define FLOW_CARD_RADIUS 6.0
#define FLOW_STRIPE 4.0

/* Detail by scale (canvas, section 11): what parts of the painter share. */
#define SCALE_SUBTITLE 0.72
#define SCALE_TITLE 0.42
#define SCALE_HEADERS 0.2

FlowColor _flow_painter_family_color (guint                family);
double    _flow_painter_border_width (const FlowPainter   *self,
                                      double               scale);

/* flow-painter-frames.c */
FlowColor _flow_painter_ground_color (guint                depth);
void      _flow_painter_paint_frame  (FlowPainter         *self,
                                      cairo_t             *cr,
                                      const FlowBox       *box,
                                      guint                depth,
                                      double               alpha,
                                      double               scale);
void      _flow_painter_paint_header (FlowPainter         *self,
                                      cairo_t             *cr,
                                      const FlowBox       *box,
                                      guint                depth,
                                      double               alpha,
                                      double               scale);
void      _flow_painter_paint_count  (FlowPainter         *self,
                                      cairo_t             *cr,
                                      const FlowBox       *box,
                                      double               alpha);

/* flow-painter-tints.c */
void      _flow_painter_fill_tint    (FlowPainter         *self,
                                      cairo_t             *cr,
                                      const FlowBox       *box,
                                      const FlowTint      *tint,
                                      double               alpha);
void      _flow_painter_paint_stripe (FlowPainter         *self,
                                      cairo_t             *cr,
                                      const FlowBox       *box,
                                      const FlowTint      *tint,
                                      double               alpha,
                                      double               scale);
void      _flow_painter_paint_shares (FlowPainter         *self,
                                      cairo_t             *cr,
                                      const FlowBox       *box,
                                      const FlowTint      *tint,
                                      double               alpha);
void      _flow_painter_paint_frame_tint (FlowPainter     *self,
                                      cairo_t             *cr,
                                      const FlowBox       *box,
                                      const FlowTint      *tint,
                                      double               alpha,
                                      double               scale);
void      _flow_painter_paint_tag    (FlowPainter         *self,
                                      cairo_t             *cr,
                                      const FlowBox       *box,
                                      const FlowTint      *tint,
                                      double               alpha);

G_END_DECLS
