/* flow-widget-finder.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Widgets looked for as a person would: by what they are and by what they say. */

GtkWidget *find_widget         (GtkWidget  *root,
                                const char *type,
                                const char *css_class);
GtkWidget *find_label          (GtkWidget  *root,
                                const char *text);
GtkWidget *find_label_with     (GtkWidget  *root,
                                const char *part);
GtkWidget *find_action_button  (GtkWidget  *root,
                                const char *action);
guint      count_widgets       (GtkWidget  *root,
                                const char *type);

G_END_DECLS
