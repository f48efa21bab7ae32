/* flow-tween.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-painter.h"

G_BEGIN_DECLS

/* The way from one picture to the next when a group opens or closes: what both show moves, what is
 * new fades in inside its growing frame. */

typedef struct _FlowTween FlowTween;

FlowTween       *flow_tween_new       (FlowDisplay             *from,
                                       FlowDisplay             *to);
void             flow_tween_free      (FlowTween               *self);
gint64           flow_tween_get_duration (FlowTween            *self);
void             flow_tween_set       (FlowTween               *self,
                                       double                   progress);
const FlowBox   *flow_tween_find_box  (FlowTween               *self,
                                       FlowItem                 item);
FlowDisplay     *flow_tween_get_display (FlowTween             *self);
void             flow_tween_paint     (FlowTween               *self,
                                       FlowPainter             *painter,
                                       cairo_t                 *cr,
                                       const guint8            *dims,
                                       const cairo_rectangle_t *clip,
                                       double                   scale);

G_END_DECLS
