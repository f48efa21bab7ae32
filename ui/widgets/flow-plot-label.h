/* flow-plot-label.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void flow_plot_append_label  (GtkWidget   *widget,
                              GtkSnapshot *snapshot,
                              const char  *text,
                              double       x,
                              double       y,
                              double       align);
void flow_plot_append_number (GtkWidget   *widget,
                              GtkSnapshot *snapshot,
                              double       value,
                              double       x,
                              double       y,
                              double       align);

G_END_DECLS
