/* flow-display-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-display.h"

G_BEGIN_DECLS

void _flow_display_cubic_at   (const float     *p,
                               float            t,
                               float           *x,
                               float           *y);
void _flow_display_add_labels (FlowDisplay     *self,
                               FlowScene       *scene);

G_END_DECLS
