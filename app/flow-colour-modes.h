/* flow-colour-modes.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <flowstep.h>

#include "flow-colouring.h"
#include "flow-overlay-file.h"

G_BEGIN_DECLS

FlowColouring *flow_colours_of_dtypes  (FlowGraph               *graph);
FlowColouring *flow_colours_of_devices (FlowGraph               *graph);
FlowColouring *flow_colours_of_states  (FlowGraph               *graph,
                                        GBytes                  *states);
FlowColouring *flow_colours_of_stale   (FlowGraph               *graph,
                                        GBytes                  *states,
                                        GVariant                *overrides);
FlowColouring *flow_colours_of_times   (FlowGraph               *graph,
                                        GVariant                *costs);
FlowColouring *flow_colours_of_bytes   (FlowGraph               *graph,
                                        GVariant                *costs);
FlowColouring *flow_colours_of_health  (FlowGraph               *graph,
                                        GVariant                *health);
FlowColouring *flow_colours_of_column  (FlowGraph               *graph,
                                        const FlowOverlayColumn *column,
                                        guint                   *n_unknown);

G_END_DECLS
