/* flow-table-fit.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum {
  FLOW_TABLE_FIT_MONOSPACE = 1 << 0,   /* its cells are */
  FLOW_TABLE_FIT_WIDE = 1 << 1,        /* names and the like, which give way last */
  FLOW_TABLE_FIT_NUMBER = 1 << 2,      /* figures, right-aligned: no wider than they need */
} FlowTableFitFlags;

void flow_table_fit_column (GtkColumnView       *table,
                            GtkColumnViewColumn *view_column,
                            FlowTableFitFlags    flags);
void flow_table_fit_optional (GtkColumnView     *table,
                            GtkColumnViewColumn *view_column);
void flow_table_fit_whole  (GtkColumnView       *table,
                            GtkColumnViewColumn *view_column);
void flow_table_fit_around (GtkColumnView       *table,
                            GtkColumnViewColumn *view_column);
void flow_table_fit_text   (GtkColumnView       *table,
                            GtkColumnViewColumn *view_column,
                            const char          *text);

G_END_DECLS
