/* flow-preferences.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

GtkWidget *flow_preferences_new                (void);
void       flow_preferences_apply_color_scheme (void);

G_END_DECLS
