/* flow-table.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-table.h"

#include <math.h>

#include "flow-format.h"
#include "flow-tab-stop.h"
#include "flow-table-fit.h"
#include "flow-tooltip.h"

/* Tables of dictionaries: a GtkColumnView whose columns are described, not programmed. */

typedef struct {
  FlowTableColumn column;
  gpointer data;
  GtkColumnView *table;        /* borrowed: has the column */
  GtkColumnViewColumn *view_column; /* likewise */
} ColumnData;

static void
update_cell (GtkListItem      *list_item,
             const ColumnData *column)
{
  GtkWidget *label = gtk_list_item_get_child (list_item);
  FlowVariantItem *item = gtk_list_item_get_item (list_item);
  g_autofree char *text = NULL;
  const char *css = NULL;
  const char *old = NULL;

  if (item == NULL)
    return;
  text = column->column.text (flow_variant_item_get_value (item), column->data);
  /* After a step most cells say what they said before. */
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), text != NULL ? text : "") != 0)
    {
      gtk_label_set_text (GTK_LABEL (label), text != NULL ? text : "");
      flow_tooltip_set (label, text != NULL && text[0] != '\0' ? text : NULL);
      if (text != NULL)
        flow_table_fit_text (column->table, column->view_column, text);
    }
  old = g_object_get_data (G_OBJECT (label), "flow-css");
  if (column->column.css != NULL)
    css = column->column.css (flow_variant_item_get_value (item), column->data);
  if (g_strcmp0 (old, css) == 0)
    return;
  if (old != NULL)
    gtk_widget_remove_css_class (label, old);
  if (css != NULL)
    gtk_widget_add_css_class (label, css);
  g_object_set_data (G_OBJECT (label), "flow-css", (gpointer) css);
}

static void
value_changed_cb (GtkListItem *list_item)
{
  update_cell (list_item, g_object_get_data (G_OBJECT (list_item), "flow-column"));
}

static void
setup_cell_cb (GtkSignalListItemFactory *factory,
               GtkListItem              *list_item,
               ColumnData               *column)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), column->column.xalign);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_single_line_mode (GTK_LABEL (label), TRUE);
  if (column->column.monospace)
    gtk_widget_add_css_class (label, "flow-mono");
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (list_item, label);
  g_object_set_data (G_OBJECT (list_item), "flow-column", column);
  g_object_set_data (G_OBJECT (label), "flow-item", list_item);
}

static void
bind_cell_cb (GtkSignalListItemFactory *factory,
              GtkListItem              *list_item,
              ColumnData               *column)
{
  g_signal_connect_object (gtk_list_item_get_item (list_item), "notify::value",
                           G_CALLBACK (value_changed_cb), list_item, G_CONNECT_SWAPPED);
  update_cell (list_item, column);
}

static void
unbind_cell_cb (GtkSignalListItemFactory *factory,
                GtkListItem              *list_item,
                ColumnData               *column)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (list_item), value_changed_cb,
                                        list_item);
}

/* Numbers before text, NaN last, strings by their collation. */
static int
compare_rows (gconstpointer a,
              gconstpointer b,
              gpointer      data)
{
  const char *key = data;
  GVariant *x = flow_variant_item_get_value (FLOW_VARIANT_ITEM ((gpointer) a));
  GVariant *y = flow_variant_item_get_value (FLOW_VARIANT_ITEM ((gpointer) b));
  const char *sx = flow_lookup_string (x, key);
  const char *sy = flow_lookup_string (y, key);
  double dx = flow_lookup_double (x, key, NAN);
  double dy = flow_lookup_double (y, key, NAN);

  if (sx != NULL && sy != NULL)
    return g_utf8_collate (sx, sy);
  if (isnan (dx) || isnan (dy))
    return isnan (dx) - isnan (dy);
  return dx < dy ? -1 : dx > dy;
}

static void
free_column_cb (gpointer  data,
                GObject  *factory)
{
  g_free (data);
}

/* @column is copied; its strings must stay. */
GtkColumnViewColumn *
flow_table_add_column (GtkColumnView         *table,
                       const FlowTableColumn *column,
                       gpointer               data)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr(GtkColumnViewColumn) view_column = NULL;
  ColumnData *column_data = g_new0 (ColumnData, 1);

  column_data->column = *column;
  column_data->data = data;
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell_cb), column_data);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cell_cb), column_data);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cell_cb), column_data);
  g_object_weak_ref (G_OBJECT (factory), free_column_cb, column_data);
  view_column = gtk_column_view_column_new (column->title, factory);
  gtk_column_view_column_set_resizable (view_column, TRUE);
  if (column->width > 0)
    gtk_column_view_column_set_fixed_width (view_column, column->width);
  column_data->table = table;
  column_data->view_column = view_column;
  if (column->key != NULL)
    {
      g_autoptr(GtkSorter) sorter =
        GTK_SORTER (gtk_custom_sorter_new (compare_rows, (gpointer) column->key, NULL));

      gtk_column_view_column_set_sorter (view_column, sorter);
    }
  gtk_column_view_append_column (table, view_column);
  flow_table_fit_column (table, view_column,
                         (column->monospace ? FLOW_TABLE_FIT_MONOSPACE : 0) | (column->width < 0 ? FLOW_TABLE_FIT_WIDE : 0)
                         | (column->xalign > 0 ? FLOW_TABLE_FIT_NUMBER : 0));
  return view_column;
}

/* Returns: (transfer none): the selection, over @model sorted as the column heads say. */
GtkSingleSelection *
flow_table_set_model (GtkColumnView *table,
                      GListModel    *model)
{
  GtkSorter *sorter = gtk_column_view_get_sorter (table);
  GtkSortListModel *sorted = gtk_sort_list_model_new (g_object_ref (model),
                                                      sorter != NULL ? g_object_ref (sorter)
                                                                     : NULL);
  g_autoptr(GtkSingleSelection) selection = gtk_single_selection_new (G_LIST_MODEL (sorted));

  gtk_single_selection_set_autoselect (selection, FALSE);
  gtk_single_selection_set_can_unselect (selection, TRUE);
  gtk_column_view_set_model (table, GTK_SELECTION_MODEL (selection));
  return selection;
}

GtkColumnView *
flow_table_new (GListStore            *rows,
                const FlowTableColumn *columns,
                const gpointer        *data,
                guint                  n_columns)
{
  GtkColumnView *table = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));

  gtk_widget_add_css_class (GTK_WIDGET (table), "flow-table");
  for (guint i = 0; i < n_columns; i++)
    flow_table_add_column (table, &columns[i], data[i]);
  flow_table_set_model (table, G_LIST_MODEL (rows));
  return table;
}

GtkWidget *
flow_table_scrolled (GtkColumnView *table,
                     const char    *label)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_accessible_update_property (GTK_ACCESSIBLE (table), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (table));
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_widget_set_hexpand (scroller, TRUE);
  return g_object_new (FLOW_TYPE_TAB_STOP, "child", scroller, NULL);
}

/* Returns: (nullable) (transfer none): the dictionary of the selected row. */
GVariant *
flow_table_get_selected (GtkColumnView *table)
{
  GtkSelectionModel *model = gtk_column_view_get_model (table);
  FlowVariantItem *item = NULL;

  if (!GTK_IS_SINGLE_SELECTION (model))
    return NULL;
  item = gtk_single_selection_get_selected_item (GTK_SINGLE_SELECTION (model));
  return item != NULL ? flow_variant_item_get_value (item) : NULL;
}

/* The cell that is @widget, stands in it or around it. */
static GtkListItem *
find_cell (GtkWidget *widget,
           GtkWidget *table)
{
  for (; widget != NULL && widget != table; widget = gtk_widget_get_parent (widget))
    for (GtkWidget *inner = widget; inner != NULL; inner = gtk_widget_get_first_child (inner))
      {
        GtkListItem *list_item = g_object_get_data (G_OBJECT (inner), "flow-item");

        if (list_item != NULL)
          return list_item;
      }
  return NULL;
}

/* Selects the row at a place of the table. Returns: whether there is one */
gboolean
flow_table_select_at (GtkColumnView *table,
                      double         x,
                      double         y)
{
  GtkSelectionModel *model = gtk_column_view_get_model (table);
  GtkWidget *rows = gtk_widget_get_last_child (GTK_WIDGET (table));
  GtkWidget *picked = gtk_widget_pick (GTK_WIDGET (table), x, y, GTK_PICK_DEFAULT);
  GtkListItem *list_item = NULL;

  /* The heads are no rows. */
  if (picked == NULL || picked == rows || rows == NULL || !gtk_widget_is_ancestor (picked, rows))
    return FALSE;
  list_item = find_cell (picked, rows);
  if (list_item == NULL || gtk_list_item_get_position (list_item) == GTK_INVALID_LIST_POSITION)
    return FALSE;
  return gtk_selection_model_select_item (model, gtk_list_item_get_position (list_item), TRUE);
}

/* GTK 4.8 has no scroll_to: the list inside the column view has the action. */
void
flow_table_scroll_to (GtkColumnView *table,
                      guint          position)
{
  GtkWidget *list = gtk_widget_get_last_child (GTK_WIDGET (table));

  if (list != NULL && position < g_list_model_get_n_items (
                                   G_LIST_MODEL (gtk_column_view_get_model (table))))
    gtk_widget_activate_action (list, "list.scroll-to-item", "u", position);
}
