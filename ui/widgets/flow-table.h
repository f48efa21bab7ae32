/* flow-table.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gtk/gtk.h>

#include "flow-variant-item.h"

G_BEGIN_DECLS

/* Text of a cell: (transfer full) (nullable); @row is the dictionary of the row. */
typedef char *(*FlowCellTextFunc)  (GVariant *row,
                                    gpointer  data);
/* A style class for the cell, or %NULL. */
typedef const char *(*FlowCellCssFunc) (GVariant *row,
                                        gpointer  data);

/**
 * FlowTableColumn:
 * @title: translated
 * @text: what a cell says
 * @css: (nullable): how it says so
 * @key: (nullable): the entry the column is sorted by
 * @width: in pixels, until it is known how much its cells need; -1 = not known
 * @xalign: 0 text, 1 figures
 */
typedef struct {
  const char *title;
  FlowCellTextFunc text;
  FlowCellCssFunc css;
  const char *key;
  int width;
  float xalign;
  gboolean monospace;
} FlowTableColumn;

GtkColumnViewColumn *flow_table_add_column  (GtkColumnView         *table,
                                             const FlowTableColumn *column,
                                             gpointer               data);
GtkSingleSelection  *flow_table_set_model   (GtkColumnView         *table,
                                             GListModel            *model);
/* A table in code, and what it scrolls in; @data beside each column. */
GtkColumnView       *flow_table_new         (GListStore            *rows,
                                             const FlowTableColumn *columns,
                                             const gpointer        *data,
                                             guint                  n_columns);
GtkWidget           *flow_table_scrolled    (GtkColumnView         *table,
                                             const char            *label);
GVariant            *flow_table_get_selected (GtkColumnView        *table);
gboolean             flow_table_select_at   (GtkColumnView         *table,
                                             double                 x,
                                             double                 y);
void                 flow_table_scroll_to   (GtkColumnView         *table,
                                             guint                  position);

G_END_DECLS
