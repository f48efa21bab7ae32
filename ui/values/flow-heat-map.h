/* flow-heat-map.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gtk/gtk.h>

#include "flow-tensor-slice.h"

G_BEGIN_DECLS

/**
 * FlowHeatMapStyle:
 * @FLOW_HEAT_MAP_DIVERGING: two colours away from zero
 * @FLOW_HEAT_MAP_GRAY: an image: smallest black, largest white
 */
typedef enum {
  FLOW_HEAT_MAP_DIVERGING,
  FLOW_HEAT_MAP_GRAY,
} FlowHeatMapStyle;

#define FLOW_TYPE_HEAT_MAP (flow_heat_map_get_type ())

G_DECLARE_FINAL_TYPE (FlowHeatMap, flow_heat_map, FLOW, HEAT_MAP, GtkWidget)

GtkWidget *flow_heat_map_new       (FlowHeatMapStyle  style);
void       flow_heat_map_set_slice (FlowHeatMap      *self,
                                    FlowTensorSlice  *slice);
/* All places of one more dimension side by side: the channels of an image, the filters of a layer. */
void       flow_heat_map_set_tiles (FlowHeatMap      *self,
                                    gboolean          tiles);
/* What the ends of the colours stand for; NaN for what the value itself says. */
void       flow_heat_map_set_range (FlowHeatMap      *self,
                                    double            low,
                                    double            high);
gboolean   flow_heat_map_save_png  (FlowHeatMap      *self,
                                    const char       *path,
                                    GError          **error);

G_END_DECLS
