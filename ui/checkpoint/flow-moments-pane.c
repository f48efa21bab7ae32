/* flow-moments-pane.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-moments-pane.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "flow-format.h"
#include "flow-restored-table.h"
#include "flow-table.h"
#include "flow-tooltip.h"
#include "flow-variant-rows.h"

/**
 * FlowMomentsPane:
 *
 * All variables at two moments, sorted by change: two restores, a pinned moment and now, two checkpoints.
 */
struct _FlowMomentsPane
{
  FlowView parent_instance;

  /* owned */
  GListStore *rows;
  GStrv ids;                 /* beside the rows of the drop-downs */
  char *moments[2];

  /* borrowed */
  GtkDropDown *choosers[2];
  GtkEntry *files[2];
  GtkLabel *summary;
  GtkColumnView *table;

  gboolean filling;
};

G_DEFINE_FINAL_TYPE (FlowMomentsPane, flow_moments_pane, FLOW_TYPE_VIEW)

static void
compared_cb (GObject           *owner,
             FlowDebuggerReply *reply,
             const GError      *error,
             gpointer           data)
{
  FlowMomentsPane *self = FLOW_MOMENTS_PANE (owner);
  g_autoptr(GVariant) rows = NULL;
  g_autofree char *text = NULL;
  guint n_changed = 0;
  guint n = 0;

  if (error != NULL)
    {
      gtk_label_set_text (self->summary, error->message);
      g_list_store_remove_all (self->rows);
      return;
    }
  if (!g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(aa{sv})")))
    return;
  rows = g_variant_get_child_value (reply->value, 0);
  n_changed = flow_restored_count_changed (rows);
  /* Rows that change in place are not sorted anew. */
  g_list_store_remove_all (self->rows);
  flow_variant_store_update (self->rows, rows, "name");
  n = (guint) g_variant_n_children (rows);
  text = g_strdup_printf (ngettext ("%u of %u variable differs", "%u of %u variables differ", n), n_changed, n);
  gtk_label_set_text (self->summary, text);
}

static void
ask (FlowMomentsPane *self)
{
  if (self->moments[0] != NULL && self->moments[1] != NULL)
    flow_ui_session_query (flow_view_get_session (FLOW_VIEW (self)), self, "compare", "CompareVariables",
                           g_variant_new ("(ss)", self->moments[0], self->moments[1]), compared_cb, NULL);
}

static void
select_moments (FlowMomentsPane *self)
{
  self->filling = TRUE;
  for (guint k = 0; k < G_N_ELEMENTS (self->choosers); k++)
    {
      guint found = GTK_INVALID_LIST_POSITION;

      for (guint i = 0; self->ids != NULL && self->ids[i] != NULL; i++)
        if (g_strcmp0 (self->ids[i], self->moments[k]) == 0)
          found = i;
      gtk_drop_down_set_selected (self->choosers[k], found);
    }
  self->filling = FALSE;
}

static void
moments_cb (GObject           *owner,
            FlowDebuggerReply *reply,
            const GError      *error,
            gpointer           data)
{
  FlowMomentsPane *self = FLOW_MOMENTS_PANE (owner);
  g_autoptr(GVariant) rows = NULL;
  g_autoptr(GtkStringList) titles = gtk_string_list_new (NULL);
  GPtrArray *ids = NULL;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(aa{sv})")))
    return;
  rows = g_variant_get_child_value (reply->value, 0);
  ids = g_ptr_array_new ();
  for (gsize i = 0; i < g_variant_n_children (rows); i++)
    {
      g_autoptr(GVariant) row = g_variant_get_child_value (rows, i);

      g_ptr_array_add (ids, g_strdup (flow_lookup_string (row, "id")));
      gtk_string_list_append (titles, flow_lookup_string (row, "title"));
    }
  g_ptr_array_add (ids, NULL);
  g_strfreev (self->ids);
  self->ids = (GStrv) g_ptr_array_free (ids, FALSE);
  self->filling = TRUE;
  for (guint k = 0; k < G_N_ELEMENTS (self->choosers); k++)
    gtk_drop_down_set_model (self->choosers[k], G_LIST_MODEL (titles));
  self->filling = FALSE;
  select_moments (self);
  ask (self);
}

static void
flow_moments_pane_refresh (FlowView *view)
{
  FlowUiSession *session = flow_view_get_session (view);

  if (flow_ui_session_get_graph (session) != NULL)
    flow_ui_session_query (session, view, "moments", "Moments", NULL, moments_cb, NULL);
}

/* @a, @b: ids of moments, or `file:PREFIX` for a checkpoint. */
void
flow_moments_pane_compare (FlowMomentsPane *self,
                           const char      *a,
                           const char      *b)
{
  const char *moments[2] = { a, b };

  g_return_if_fail (FLOW_IS_MOMENTS_PANE (self));

  for (guint k = 0; k < G_N_ELEMENTS (moments); k++)
    {
      g_free (self->moments[k]);
      self->moments[k] = g_strdup (moments[k]);
      if (g_str_has_prefix (moments[k], "file:"))
        gtk_editable_set_text (GTK_EDITABLE (self->files[k]), moments[k] + strlen ("file:"));
    }
  flow_view_queue_refresh (FLOW_VIEW (self));
  select_moments (self);
  ask (self);
}

static void
chosen_cb (GtkDropDown     *chooser,
           GParamSpec      *pspec,
           FlowMomentsPane *self)
{
  guint k = chooser == self->choosers[1] ? 1 : 0;
  guint i = gtk_drop_down_get_selected (chooser);

  if (self->filling || self->ids == NULL || i >= g_strv_length (self->ids))
    return;
  g_free (self->moments[k]);
  self->moments[k] = g_strdup (self->ids[i]);
  gtk_editable_set_text (GTK_EDITABLE (self->files[k]), "");
  ask (self);
}

static void
file_cb (GtkEntry        *entry,
         FlowMomentsPane *self)
{
  guint k = entry == self->files[1] ? 1 : 0;
  const char *text = gtk_editable_get_text (GTK_EDITABLE (entry));

  if (text[0] == '\0')
    return;
  g_free (self->moments[k]);
  self->moments[k] = g_strconcat ("file:", text, NULL);
  select_moments (self);
  ask (self);
}

/* The two values side by side, element for element. */
static void
activate_cb (FlowMomentsPane *self)
{
  const char *name = flow_lookup_string (flow_table_get_selected (self->table), "name");
  g_autofree char *text = NULL;

  if (name == NULL)
    return;
  text = g_strdup_printf ("var:%s@%s %s", name, self->moments[1], self->moments[0]);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.compare-value", "s", text);
}

static void
flow_moments_pane_graph_changed (FlowView *view)
{
  FlowMomentsPane *self = FLOW_MOMENTS_PANE (view);

  g_list_store_remove_all (self->rows);
  for (guint k = 0; k < G_N_ELEMENTS (self->moments); k++)
    g_clear_pointer (&self->moments[k], g_free);
}

static void
flow_moments_pane_dispose (GObject *object)
{
  FlowMomentsPane *self = FLOW_MOMENTS_PANE (object);

  if (self->table != NULL)
    gtk_column_view_set_model (self->table, NULL);
  self->table = NULL;
  g_clear_object (&self->rows);
  adw_bin_set_child (ADW_BIN (self), NULL);

  G_OBJECT_CLASS (flow_moments_pane_parent_class)->dispose (object);
}

static void
flow_moments_pane_finalize (GObject *object)
{
  FlowMomentsPane *self = FLOW_MOMENTS_PANE (object);

  g_strfreev (self->ids);
  for (guint k = 0; k < G_N_ELEMENTS (self->moments); k++)
    g_free (self->moments[k]);

  G_OBJECT_CLASS (flow_moments_pane_parent_class)->finalize (object);
}

static void
flow_moments_pane_class_init (FlowMomentsPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = flow_moments_pane_dispose;
  G_OBJECT_CLASS (klass)->finalize = flow_moments_pane_finalize;
  FLOW_VIEW_CLASS (klass)->refresh = flow_moments_pane_refresh;
  FLOW_VIEW_CLASS (klass)->graph_changed = flow_moments_pane_graph_changed;
}

static void
flow_moments_pane_init (FlowMomentsPane *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *scroller = gtk_scrolled_window_new ();
  const char *const titles[] = { _("Before"), _("After") };

  gtk_widget_add_css_class (bar, "flow-entry-bar");
  for (guint k = 0; k < G_N_ELEMENTS (self->choosers); k++)
    {
      GtkWidget *title = gtk_label_new (titles[k]);

      gtk_widget_add_css_class (title, "dim-label");
      self->choosers[k] = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
      gtk_widget_set_size_request (GTK_WIDGET (self->choosers[k]), 190, -1);
      self->files[k] = GTK_ENTRY (gtk_entry_new ());
      gtk_entry_set_placeholder_text (self->files[k], _("or a checkpoint"));
      gtk_editable_set_width_chars (GTK_EDITABLE (self->files[k]), 14);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->choosers[k]), GTK_ACCESSIBLE_PROPERTY_LABEL, titles[k], -1);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->files[k]), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      _("A checkpoint to compare"), -1);
      flow_tooltip_set (GTK_WIDGET (self->choosers[k]), _("A moment of this session"));
      flow_tooltip_set (GTK_WIDGET (self->files[k]), _("The prefix of a checkpoint; Enter compares"));
      g_signal_connect_object (self->choosers[k], "notify::selected", G_CALLBACK (chosen_cb), self, 0);
      g_signal_connect_object (self->files[k], "activate", G_CALLBACK (file_cb), self, 0);
      gtk_box_append (GTK_BOX (bar), title);
      gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->choosers[k]));
      gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->files[k]));
    }
  self->summary = GTK_LABEL (gtk_label_new (_("Choose two moments")));
  gtk_label_set_xalign (self->summary, 0);
  gtk_label_set_ellipsize (self->summary, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (GTK_WIDGET (self->summary), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->summary), "dim-label");
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->summary));
  self->rows = g_list_store_new (FLOW_TYPE_VARIANT_ITEM);
  self->table = flow_restored_table_new (self->rows);
  g_signal_connect_object (self->table, "activate", G_CALLBACK (activate_cb), self, G_CONNECT_SWAPPED);
  /* A narrow window scrolls it rather than growing. */
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), bar);
  gtk_box_append (GTK_BOX (box), scroller);
  gtk_box_append (GTK_BOX (box), flow_table_scrolled (self->table, _("Variables at two moments")));
  adw_bin_set_child (ADW_BIN (self), box);
}
