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
 * The series of an event file beside its graph: a list of tags, and the curve of the scalar that is chosen.
 * Activating a row selects the op that wrote it, where the graph has one of that name. Its page is there only
 * for files with series, and comes to the front when such a file opens.
 */
struct _FlowCurvesView
{
  FlowView parent_instance;

  /* owned */
  GListStore *rows;
  char *tag;                 /* the scalar shown, nullable */

  /* borrowed */
  GtkColumnView *table;
  FlowCurve *curve;

  guint is_new : 1;          /* the file was opened since the last answer */
};

/* What a screen can show of a curve, with the least and greatest of each stretch. */
#define MAX_POINTS 4000

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
points_cb (GObject           *owner,
           FlowDebuggerReply *reply,
           const GError      *error,
           gpointer           data)
{
  FlowCurvesView *self = FLOW_CURVES_VIEW (owner);
  g_autoptr(GVariant) points = NULL;

  if (reply != NULL && g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a(xdd))")))
    points = g_variant_get_child_value (reply->value, 0);
  flow_curve_set_points (self->curve, points);
}

static void
show_series (FlowCurvesView *self,
             GVariant       *row)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  const char *tag = row != NULL ? flow_lookup_string (row, "tag") : NULL;
  g_autofree char *title = NULL;

  if (tag == NULL || g_strcmp0 (flow_lookup_string (row, "kind"), "scalar") != 0)
    {
      g_clear_pointer (&self->tag, g_free);
      flow_curve_set_title (self->curve, NULL);
      flow_curve_set_points (self->curve, NULL);
      return;
    }
  if (g_strcmp0 (tag, self->tag) == 0)
    return;
  g_free (self->tag);
  self->tag = g_strdup (tag);
  title = flow_escape_display (tag, -1, 80);
  flow_curve_set_title (self->curve, title);
  flow_ui_session_query (session, self, "points", "SeriesPoints", g_variant_new ("(su)", tag, MAX_POINTS), points_cb,
                         NULL);
}

static void
selected_cb (GtkSingleSelection *selection,
             GParamSpec         *pspec,
             FlowCurvesView     *self)
{
  show_series (self, flow_table_get_selected (self->table));
}

static void
activate_cb (GtkColumnView  *table,
             guint           position,
             FlowCurvesView *self)
{
  GVariant *row = flow_table_get_selected (table);

  if (row != NULL)
    flow_ui_session_select_name (flow_view_get_session (FLOW_VIEW (self)), flow_lookup_string (row, "tag"));
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
  if (any && self->tag == NULL)
    {
      gtk_single_selection_set_selected (GTK_SINGLE_SELECTION (gtk_column_view_get_model (self->table)), 0);
      show_series (self, flow_table_get_selected (self->table));
    }
}

/* An event file does not change while it is open. */
static void
flow_curves_view_graph_changed (FlowView *view)
{
  FlowCurvesView *self = FLOW_CURVES_VIEW (view);
  FlowUiSession *session = flow_view_get_session (view);

  g_clear_pointer (&self->tag, g_free);
  self->is_new = TRUE;
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
  g_clear_object (&self->rows);
  g_clear_pointer (&self->tag, g_free);
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

  self->rows = g_list_store_new (FLOW_TYPE_VARIANT_ITEM);
  self->table = flow_table_new (self->rows, columns, data, G_N_ELEMENTS (columns));
  self->curve = FLOW_CURVE (flow_curve_new ());
  g_signal_connect_object (gtk_column_view_get_model (self->table), "notify::selected", G_CALLBACK (selected_cb),
                           self, 0);
  g_signal_connect_object (self->table, "activate", G_CALLBACK (activate_cb), self, 0);
  list = flow_table_scrolled (self->table, _("Series of the event file"));
  gtk_widget_set_size_request (list, 200, -1);
  gtk_paned_set_start_child (GTK_PANED (paned), list);
  gtk_paned_set_end_child (GTK_PANED (paned), GTK_WIDGET (self->curve));
  gtk_paned_set_position (GTK_PANED (paned), 430);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  adw_bin_set_child (ADW_BIN (self), paned);
}
