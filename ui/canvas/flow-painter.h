/* flow-painter.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <cairo.h>
#include <pango/pangocairo.h>

#include "flow-colouring.h"
#include "flow-display.h"
#include "flow-palette.h"

G_BEGIN_DECLS

/* One painter for the screen, PNG, SVG and PDF. Each thread has its own: Pango objects are not
 * shared. Coordinates are those of the display; the caller has moved and scaled the context. */

typedef struct {
  FlowTheme theme;
  gboolean high_contrast;
  char font[64];               /* family */
} FlowPaintStyle;

#define FLOW_PAINT_STYLE_INIT { FLOW_THEME_LIGHT, FALSE, "Cantarell,Noto Sans,Sans" }

typedef struct _FlowPainter FlowPainter;

typedef enum {
  FLOW_TEXT_TITLE,
  FLOW_TEXT_SUBTITLE,
  FLOW_TEXT_LABEL,
  FLOW_N_TEXT_KINDS,
} FlowTextKind;

FlowPainter *flow_painter_new          (const FlowPaintStyle  *style);
void         flow_painter_free         (FlowPainter           *self);
void         flow_painter_set_style    (FlowPainter           *self,
                                        const FlowPaintStyle  *style);
const FlowPaintStyle *flow_painter_get_style (FlowPainter     *self);
void         flow_painter_set_tints    (FlowPainter           *self,
                                        const FlowTints       *tints);
void         flow_painter_get_metrics  (FlowPainter           *self,
                                        FlowTextMetrics       *metrics);

void         flow_painter_paint        (FlowPainter           *self,
                                        cairo_t               *cr,
                                        const FlowDisplay     *display,
                                        const guint8          *dims,
                                        const cairo_rectangle_t *clip,
                                        double                 scale);

/* Pieces that overlays use as well. */
void         flow_painter_draw_headers (FlowPainter           *self,
                                        cairo_t               *cr,
                                        const FlowDisplay     *display,
                                        const guint8          *dims,
                                        const cairo_rectangle_t *clip,
                                        double                 scale);
double       flow_painter_get_header_end (FlowPainter         *self,
                                        const FlowBox         *box);
const char  *flow_painter_get_control_tag (const FlowBox      *box);
void         flow_painter_set_color    (FlowPainter           *self,
                                        cairo_t               *cr,
                                        FlowColor              color,
                                        double                 alpha);
void         flow_painter_set_color_on (FlowPainter           *self,
                                        cairo_t               *cr,
                                        FlowColor              ground,
                                        double                 alpha);
void         flow_painter_draw_tag     (FlowPainter         *self,
                                        cairo_t             *cr,
                                        const FlowBox       *box,
                                        const char          *text,
                                        FlowColor            color,
                                        double               alpha);
void         flow_painter_show_count   (FlowPainter           *self,
                                        cairo_t               *cr,
                                        const FlowBox         *box,
                                        double                 from,
                                        const char *const     *texts);
double       flow_painter_show_text    (FlowPainter           *self,
                                        cairo_t               *cr,
                                        FlowTextKind           kind,
                                        const char            *text,
                                        double                 x,
                                        double                 y,
                                        double                 max_width);
double       flow_painter_measure_text (FlowPainter           *self,
                                        FlowTextKind           kind,
                                        const char            *text);
void         flow_painter_draw_state   (FlowPainter           *self,
                                        cairo_t               *cr,
                                        FlowNodeState          state,
                                        double                 x,
                                        double                 y,
                                        double                 size);
void         flow_painter_draw_states  (FlowPainter           *self,
                                        cairo_t               *cr,
                                        const FlowDisplay     *display,
                                        const FlowScene       *scene,
                                        const guint8          *dims,
                                        FlowItem               next,
                                        const cairo_rectangle_t *clip,
                                        double                 scale);
void         flow_painter_stroke_wire  (FlowPainter           *self,
                                        cairo_t               *cr,
                                        const FlowDisplay     *display,
                                        const FlowWire        *wire,
                                        double                 scale);
void         flow_painter_round_box    (cairo_t               *cr,
                                        double                 x,
                                        double                 y,
                                        double                 width,
                                        double                 height,
                                        double                 radius);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowPainter, flow_painter_free)

G_END_DECLS
