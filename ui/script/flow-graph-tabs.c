/* flow-graph-tabs.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-graph-tabs.h"

#include <glib/gi18n.h>

#include "flow-format.h"

/**
 * FlowGraphTabs:
 *
 * The graphs of a script, each with its sessions: which is the default one, and which were reset while something still
 * points into them. Nothing is shown where there is no script.
 */
struct _FlowGraphTabs
{
  FlowView parent_instance;

  /* owned */
  GVariant *shown;             /* what the buttons were made of; nullable */

  /* borrowed */
  GtkWidget *box;
};

G_DEFINE_FINAL_TYPE (FlowGraphTabs, flow_graph_tabs, FLOW_TYPE_VIEW)

static void
clicked_cb (GtkToggleButton *button,
            FlowGraphTabs   *self)
{
  const char *id = g_object_get_data (G_OBJECT (button), "flow-graph");

  /* The buttons are made anew when the answer comes: it says which one is on. */
  g_clear_pointer (&self->shown, g_variant_unref);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-graph", "s", id);
}

static GtkWidget *
make_tab (FlowGraphTabs *self,
          GVariant      *row)
{
  g_auto(GStrv) sessions = flow_lookup_strv (row, "sessions");
  g_autofree char *names = sessions != NULL && sessions[0] != NULL ? g_strjoinv (", ", sessions) : NULL;
  g_autofree char *count = flow_format_count ((guint64) flow_lookup_int (row, "nodes", 0));
  g_autoptr(GString) text = g_string_new (flow_lookup_string (row, "label"));
  g_autofree char *tooltip = NULL;
  GtkWidget *button = gtk_toggle_button_new ();

  if (flow_lookup_bool (row, "default"))
    g_string_append_printf (text, " · %s", _("default"));
  else if (flow_lookup_bool (row, "cleared"))
    g_string_append_printf (text, " · %s", _("cleared"));
  if (names != NULL)
    g_string_append_printf (text, " · %s", names);
  tooltip = flow_lookup_bool (row, "cleared")
              ? g_strdup_printf (_("%s ops. The script reset it, but something still points into it"), count)
              : g_strdup_printf (_("%s ops"), count);
  gtk_button_set_label (GTK_BUTTON (button), text->str);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_widget_add_css_class (button, "flat");
  if (flow_lookup_bool (row, "cleared"))
    gtk_widget_add_css_class (button, "dim-label");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), flow_lookup_bool (row, "shown"));
  g_object_set_data_full (G_OBJECT (button), "flow-graph",
                          g_strdup_printf ("%" G_GINT64_FORMAT, flow_lookup_int (row, "id", 0)), g_free);
  g_signal_connect_object (button, "clicked", G_CALLBACK (clicked_cb), self, 0);
  return button;
}

static void
graphs_cb (GObject           *owner,
           FlowDebuggerReply *reply,
           const GError      *error,
           gpointer           data)
{
  FlowGraphTabs *self = FLOW_GRAPH_TABS (owner);
  g_autoptr(GVariant) rows = NULL;
  GtkWidget *child = NULL;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(aa{sv})")))
    return;
  rows = g_variant_get_child_value (reply->value, 0);
  if (self->shown != NULL && g_variant_equal (self->shown, rows))
    return;
  g_clear_pointer (&self->shown, g_variant_unref);
  self->shown = g_variant_ref (rows);
  while ((child = gtk_widget_get_first_child (self->box)) != NULL)
    gtk_box_remove (GTK_BOX (self->box), child);
  for (gsize i = 0; i < g_variant_n_children (rows); i++)
    {
      g_autoptr(GVariant) row = g_variant_get_child_value (rows, i);

      gtk_box_append (GTK_BOX (self->box), make_tab (self, row));
    }
  gtk_widget_set_visible (GTK_WIDGET (self), g_variant_n_children (rows) > 0);
}

static void
flow_graph_tabs_ask (FlowView *view)
{
  FlowUiSession *session = flow_view_get_session (view);

  if (flow_ui_session_is_script (session))
    flow_ui_session_query (session, view, "graphs", "ScriptGraphs", NULL, graphs_cb, NULL);
  else
    gtk_widget_set_visible (GTK_WIDGET (view), FALSE);
}

guint
flow_graph_tabs_get_shown (FlowGraphTabs *self)
{
  g_return_val_if_fail (FLOW_IS_GRAPH_TABS (self), 0);

  for (gsize i = 0; self->shown != NULL && i < g_variant_n_children (self->shown); i++)
    {
      g_autoptr(GVariant) row = g_variant_get_child_value (self->shown, i);

      if (flow_lookup_bool (row, "shown"))
        return (guint) flow_lookup_int (row, "id", 0);
    }
  return 0;
}

static void
flow_graph_tabs_dispose (GObject *object)
{
  FlowGraphTabs *self = FLOW_GRAPH_TABS (object);

  g_clear_pointer (&self->shown, g_variant_unref);
  adw_bin_set_child (ADW_BIN (self), NULL);
  self->box = NULL;

  G_OBJECT_CLASS (flow_graph_tabs_parent_class)->dispose (object);
}

static void
flow_graph_tabs_class_init (FlowGraphTabsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = flow_graph_tabs_dispose;
  FLOW_VIEW_CLASS (klass)->plan_changed = flow_graph_tabs_ask;
  FLOW_VIEW_CLASS (klass)->graph_changed = flow_graph_tabs_ask;
  FLOW_VIEW_CLASS (klass)->works_unseen = TRUE;
}

static void
flow_graph_tabs_init (FlowGraphTabs *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->box);
  gtk_widget_add_css_class (GTK_WIDGET (self), "flow-entry-bar");
  adw_bin_set_child (ADW_BIN (self), scroller);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
