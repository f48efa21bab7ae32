/* flow-canvas-renderer.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gdk/gdk.h>

G_BEGIN_DECLS

void flow_canvas_choose_renderer (GdkDisplay *display);

G_END_DECLS
