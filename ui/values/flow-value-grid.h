/* flow-value-grid.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gtk/gtk.h>

#include "flow-tensor-slice.h"

G_BEGIN_DECLS

#define FLOW_TYPE_VALUE_GRID (flow_value_grid_get_type ())

G_DECLARE_FINAL_TYPE (FlowValueGrid, flow_value_grid, FLOW, VALUE_GRID, GtkWidget)

GtkWidget *flow_value_grid_new        (void);
void       flow_value_grid_set_slice  (FlowValueGrid   *self,
                                       FlowTensorSlice *slice);
/* What it is compared with: cells outside the tolerance are marked, all others pale. (nullable) */
void       flow_value_grid_set_other  (FlowValueGrid   *self,
                                       FlowTensorSlice *other,
                                       const FlowTolerance *tolerance);
void       flow_value_grid_set_cursor (FlowValueGrid   *self,
                                       gint64           row,
                                       gint64           column);
gboolean   flow_value_grid_get_cursor (FlowValueGrid   *self,
                                       gint64          *row,
                                       gint64          *column);

G_END_DECLS
