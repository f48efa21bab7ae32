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

FlowColor _flow_painter_family_color (guint                family);

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
