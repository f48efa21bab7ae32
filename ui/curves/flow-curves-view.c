/* flow-curves-view.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-curves-view.h"

#include <glib/gi18n.h>

#include "flow-curve.h"
#include "flow-format.h"
#include "flow-table.h"

/**
 * FlowCurvesView:
 *
 * The series of an event file beside its graph: a list of tags, and the curves of the scalars that are chosen;
 * a file that grows is followed.
 * Activating a row selects the op that wrote it, where the graph has one of that name. Its page is there only
 * for files with series, and comes to the front when such a file opens.
 */
struct _FlowCurvesView
{
  FlowView parent_instance;

  /* owned */
  GListStore *rows;
  GPtrArray *tags;           /* of char*: the scalars shown */
  GHashTable *points;        /* tag -> a(xdd) */
  GFileMonitor *monitor;     /* of the event file: it may grow */

  /* borrowed */
  GtkColumnView *table;
  FlowCurve *curve;

  guint follow_source;       /* what grew is looked at a moment later, once */
  guint is_new : 1;          /* the file was opened since the last answer */
};

/* What a screen can show of a curve, with the least and greatest of each stretch. */
#define MAX_POINTS 4000
/* More curves in one field cannot be told apart. */
#define MAX_SHOWN 6
/* A writer that is busy writes many times a second. */
#define FOLLOW_MS 500

G_DEFINE_FINAL_TYPE (FlowCurvesView, flow_curves_view, FLOW_TYPE_VIEW)

static char *
tag_text (GVariant *row,
          gpointer  data)
{
  return flow_escape_display (flow_lookup_string (row, "tag"), -1, 200);
}

static char *
kind_text (GVariant *row,
           gpointer  data)
{
  return g_strdup (flow_lookup_string (row, "kind"));
}

static char *
points_text (GVariant *row,
             gpointer  data)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT, flow_lookup_int (row, "n", 0));
}

static char *
last_text (GVariant *row,
           gpointer  data)
{
  return flow_lookup_has (row, "last") ? flow_format_number (flow_lookup_double (row, "last", 0)) : NULL;
}

static char *
bad_text (GVariant *row,
          gpointer  data)
{
  gint64 n = flow_lookup_int (row, "bad", 0);

  return n > 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, n) : NULL;
}

static const char *
bad_css (GVariant *row,
         gpointer  data)
{
  return flow_lookup_int (row, "bad", 0) > 0 ? "error" : NULL;
}

static void
show_curves (FlowCurvesView *self)
{
  flow_curve_clear (self->curve);
  for (guint i = 0; i < self->tags->len; i++)
    {
      const char *tag = g_ptr_array_index (self->tags, i);
      GVariant *points = g_hash_table_lookup (self->points, tag);
      g_autofree char *title = flow_escape_display (tag, -1, 80);

      if (points != NULL)
        flow_curve_add_series (self->curve, title, points);
    }
}

static void
points_cb (GObject           *owner,
           FlowDebuggerReply *reply,
           const GError      *error,
           gpointer           data)
{
  FlowCurvesView *self = FLOW_CURVES_VIEW (owner);
  const char *tag = data;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a(xdd))")))
    return;
  g_hash_table_insert (self->points, g_strdup (tag), g_variant_get_child_value (reply->value, 0));
  show_curves (self);
}

static void
ask_points (FlowCurvesView *self)
{
  for (guint i = 0; i < self->tags->len; i++)
    {
      /* Lives as long as the program: the answer may come when the row is gone. */
      const char *tag = g_intern_string (g_ptr_array_index (self->tags, i));
      g_autofree char *channel = g_strdup_printf ("points:%s", tag);

      flow_ui_session_query (flow_view_get_session (FLOW_VIEW (self)), self, channel, "SeriesPoints",
                             g_variant_new ("(su)", tag, MAX_POINTS), points_cb, (gpointer) tag);
    }
}

/* The rows that are selected, as far as they are scalars. */
static void
selected_cb (GtkSelectionModel *selection,
             guint              position,
             guint              n_items,
             FlowCurvesView    *self)
{
  g_autoptr(GtkBitset) set = gtk_selection_model_get_selection (selection);

  g_ptr_array_set_size (self->tags, 0);
  for (guint i = 0; i < gtk_bitset_get_size (set) && self->tags->len < MAX_SHOWN; i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (G_LIST_MODEL (selection), gtk_bitset_get_nth (set, i));
      GVariant *row = flow_variant_item_get_value (item);

      if (g_strcmp0 (flow_lookup_string (row, "kind"), "scalar") == 0)
        g_ptr_array_add (self->tags, g_strdup (flow_lookup_string (row, "tag")));
    }
  show_curves (self);
  ask_points (self);
}

static void
activate_cb (GtkColumnView  *table,
             guint           position,
             FlowCurvesView *self)
{
  g_autoptr(FlowVariantItem) item = g_list_model_get_item (G_LIST_MODEL (gtk_column_view_get_model (table)), position);

  if (item != NULL)
    flow_ui_session_select_name (flow_view_get_session (FLOW_VIEW (self)),
                                 flow_lookup_string (flow_variant_item_get_value (item), "tag"));
}

static void
set_page_visible (FlowCurvesView *self,
                  gboolean        visible)
{
  GtkWidget *stack = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_STACK);

  if (stack != NULL)
    gtk_stack_page_set_visible (gtk_stack_get_page (GTK_STACK (stack), GTK_WIDGET (self)), visible);
}

static void
series_cb (GObject           *owner,
           FlowDebuggerReply *reply,
           const GError      *error,
           gpointer           data)
{
  FlowCurvesView *self = FLOW_CURVES_VIEW (owner);
  g_autoptr(GVariant) rows = NULL;
  gboolean any;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(aa{sv})")))
    return;
  rows = g_variant_get_child_value (reply->value, 0);
  any = g_variant_n_children (rows) > 0;
  flow_variant_store_update (self->rows, rows, "tag");
  set_page_visible (self, any);
  if (any && self->is_new)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.show-panel", "s", "curves");
  self->is_new = FALSE;
  /* Scalars come first, so this is one where there is any. */
  if (any && self->tags->len == 0)
    gtk_selection_model_select_item (gtk_column_view_get_model (self->table), 0, TRUE);
  else
    ask_points (self);
}

static gboolean
follow_cb (gpointer data)
{
  FlowCurvesView *self = FLOW_CURVES_VIEW (data);
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));

  self->follow_source = 0;
  if (flow_ui_session_get_graph (session) != NULL)
    flow_ui_session_query (session, self, "series", "Series", NULL, series_cb, NULL);
  return G_SOURCE_REMOVE;
}

static void
file_changed_cb (FlowCurvesView *self)
{
  if (self->follow_source == 0)
    self->follow_source = g_timeout_add (FOLLOW_MS, follow_cb, self);
}

/* Training may go on while one looks at it. */
static void
watch_file (FlowCurvesView *self)
{
  const char *path = flow_ui_session_get_path (flow_view_get_session (FLOW_VIEW (self)));
  g_autoptr(GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;

  if (self->monitor != NULL)
    g_file_monitor_cancel (self->monitor);
  g_clear_object (&self->monitor);
  if (file != NULL)
    self->monitor = g_file_monitor (file, G_FILE_MONITOR_NONE, NULL, NULL);
  if (self->monitor != NULL)
    g_signal_connect_object (self->monitor, "changed", G_CALLBACK (file_changed_cb), self, G_CONNECT_SWAPPED);
}

static void
smoothing_cb (FlowCurvesView *self,
              GtkRange       *range)
{
  flow_curve_set_smoothing (self->curve, gtk_range_get_value (range));
}

static GtkWidget *
make_side (FlowCurvesView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = gtk_label_new (_("Smoothing"));
  GtkWidget *scale = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 0.99, 0.05);

  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_set_hexpand (scale, TRUE);
  gtk_widget_set_margin_start (row, 12);
  gtk_widget_set_margin_end (row, 12);
  gtk_accessible_update_property (GTK_ACCESSIBLE (scale), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Smoothing"), -1);
  gtk_widget_set_tooltip_text (scale, _("How much of each point is the mean of those before it"));
  g_signal_connect_object (scale, "value-changed", G_CALLBACK (smoothing_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_set_vexpand (GTK_WIDGET (self->curve), TRUE);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), scale);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->curve));
  gtk_box_append (GTK_BOX (box), row);
  return box;
}

static void
flow_curves_view_graph_changed (FlowView *view)
{
  FlowCurvesView *self = FLOW_CURVES_VIEW (view);
  FlowUiSession *session = flow_view_get_session (view);

  gtk_selection_model_unselect_all (gtk_column_view_get_model (self->table));
  g_ptr_array_set_size (self->tags, 0);
  g_hash_table_remove_all (self->points);
  self->is_new = TRUE;
  watch_file (self);
  if (flow_ui_session_get_graph (session) != NULL)
    flow_ui_session_query (session, view, "series", "Series", NULL, series_cb, NULL);
}

static void
flow_curves_view_dispose (GObject *object)
{
  FlowCurvesView *self = FLOW_CURVES_VIEW (object);

  if (self->table != NULL)
    gtk_column_view_set_model (self->table, NULL);
  self->table = NULL;
  g_clear_handle_id (&self->follow_source, g_source_remove);
  g_clear_object (&self->monitor);
  g_clear_object (&self->rows);
  g_clear_pointer (&self->tags, g_ptr_array_unref);
  g_clear_pointer (&self->points, g_hash_table_unref);
  adw_bin_set_child (ADW_BIN (self), NULL);

  G_OBJECT_CLASS (flow_curves_view_parent_class)->dispose (object);
}

static void
flow_curves_view_class_init (FlowCurvesViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = flow_curves_view_dispose;
  FLOW_VIEW_CLASS (klass)->graph_changed = flow_curves_view_graph_changed;
}

static void
flow_curves_view_init (FlowCurvesView *self)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  const FlowTableColumn columns[] = {
    { _("Tag"), tag_text, NULL, "tag", -1, 0, TRUE },
    { _("Kind"), kind_text, NULL, "kind", 96, 0, FALSE },
    { _("Points"), points_text, NULL, "n", 56, 1, TRUE },
    { _("Last"), last_text, NULL, "last", 84, 1, TRUE },
    { _("NaN, Inf"), bad_text, bad_css, "bad", 64, 1, TRUE },
  };
  const gpointer data[] = { NULL, NULL, NULL, NULL, NULL };
  GtkWidget *list = NULL;
  GtkMultiSelection *selection = NULL;

  self->tags = g_ptr_array_new_with_free_func (g_free);
  self->points = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_variant_unref);
  self->rows = g_list_store_new (FLOW_TYPE_VARIANT_ITEM);
  self->table = flow_table_new (self->rows, columns, data, G_N_ELEMENTS (columns));
  self->curve = FLOW_CURVE (flow_curve_new ());
  /* Several rows are several curves: by Ctrl or Shift, with the pointer as with the keys. */
  selection = gtk_multi_selection_new (
    g_object_ref (gtk_single_selection_get_model (GTK_SINGLE_SELECTION (gtk_column_view_get_model (self->table)))));
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (selection));
  g_signal_connect_object (selection, "selection-changed", G_CALLBACK (selected_cb), self, 0);
  g_object_unref (selection);
  g_signal_connect_object (self->table, "activate", G_CALLBACK (activate_cb), self, 0);
  list = flow_table_scrolled (self->table, _("Series of the event file"));
  gtk_widget_set_size_request (list, 200, -1);
  gtk_paned_set_start_child (GTK_PANED (paned), list);
  gtk_paned_set_end_child (GTK_PANED (paned), make_side (self));
  gtk_paned_set_position (GTK_PANED (paned), 430);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  adw_bin_set_child (ADW_BIN (self), paned);
}
