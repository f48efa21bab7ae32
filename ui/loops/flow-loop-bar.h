/* flow-loop-bar.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FLOW_TYPE_LOOP_BAR (flow_loop_bar_get_type ())

G_DECLARE_FINAL_TYPE (FlowLoopBar, flow_loop_bar, FLOW, LOOP_BAR, AdwBin)

void flow_loop_bar_set_loops (FlowLoopBar *self,
                              GVariant    *loops,
                              const char  *current,
                              gint64       iteration);

G_END_DECLS
