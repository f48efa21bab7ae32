/* flow-tooltip.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void flow_tooltip_set (gpointer    widget,
                       const char *text);

G_END_DECLS
