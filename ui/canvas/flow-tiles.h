/* flow-tiles.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-painter.h"

G_BEGIN_DECLS

/* The picture in pieces, painted by workers and kept. The main thread only puts pieces together, so
 * that panning costs pixels, not nodes. */

typedef struct _FlowTiles FlowTiles;

typedef void (*FlowTilesReadyFunc) (gpointer data);

FlowTiles *flow_tiles_new         (FlowTilesReadyFunc      ready,
                                   gpointer                data);
void       flow_tiles_free        (FlowTiles              *self);
void       flow_tiles_set_content (FlowTiles              *self,
                                   FlowDisplay            *display,
                                   const guint8           *dims,
                                   FlowTints              *tints,
                                   const FlowPaintStyle   *style);
void       flow_tiles_settle      (FlowTiles              *self,
                                   double                  scale);
gboolean   flow_tiles_ask         (FlowTiles              *self,
                                   double                  scale,
                                   double                  x,
                                   double                  y,
                                   int                     width,
                                   int                     height);
gboolean   flow_tiles_paint       (FlowTiles              *self,
                                   cairo_t                *cr,
                                   double                  scale,
                                   double                  x,
                                   double                  y,
                                   int                     width,
                                   int                     height);
cairo_surface_t *flow_tiles_get_minimap (FlowTiles        *self,
                                   int                     width,
                                   int                     height,
                                   double                  device_scale);
void       flow_tiles_paint_ground (FlowPainter           *painter,
                                   cairo_t                *cr,
                                   const cairo_rectangle_t *clip,
                                   double                  scale);

G_END_DECLS
