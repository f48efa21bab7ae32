/* flow-window-arrange.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-window-private.h"

G_BEGIN_DECLS

/* How a person wants the graph arranged: numbered repeats folded or not, nodes beside the drawing or in it, wide
 * groups split or not. Kept with the view of the graph. */
void     _flow_window_init_arrange    (FlowWindow *window);
void     _flow_window_apply_arrange   (FlowWindow *window);
void     _flow_window_place_by_rules  (FlowWindow *window,
                                       GBytes     *places);

/* Actions. */
void     _flow_window_set_direction   (FlowWindow *window,
                                       GVariant   *parameter);
void     _flow_window_fold_series     (FlowWindow *window,
                                       GVariant   *parameter);
void     _flow_window_move_aside      (FlowWindow *window,
                                       GVariant   *parameter);
void     _flow_window_move_back       (FlowWindow *window,
                                       GVariant   *parameter);
void     _flow_window_arrange_anew    (FlowWindow *window,
                                       GVariant   *parameter);
void     _flow_window_expand_depth    (FlowWindow *window,
                                       GVariant   *parameter);

G_END_DECLS
