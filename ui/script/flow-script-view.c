/* flow-script-view.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-script-view.h"

#include <glib/gi18n.h>
#include <string.h>

#include "flow-format.h"
#include "flow-table.h"

/**
 * FlowScriptView:
 *
 * The runs that a script asked for: where, with what, how long they took, what came of them; and which of them stop.
 */
struct _FlowScriptView
{
  FlowView parent_instance;

  /* owned */
  GListStore *rows;
  GPtrArray *known;            /* of GVariant: the last runs, by number */

  /* borrowed */
  GtkColumnView *table;
  GtkCheckButton *at_start;
  GtkCheckButton *at_end;
  GtkSpinButton *every;
  GtkEntry *fetch;

  guint syncing : 1;
};

/* So many runs are listed. */
#define MAX_ROWS 1000

G_DEFINE_FINAL_TYPE (FlowScriptView, flow_script_view, FLOW_TYPE_VIEW)

/* --- Cells --- */

static char *
key_text (GVariant *row,
          gpointer  data)
{
  return g_strdup (flow_lookup_string (row, data));
}

static char *
number_text (GVariant *row,
             gpointer  data)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT, flow_lookup_int (row, "number", 0));
}

static char *
line_text (GVariant *row,
           gpointer  data)
{
  g_autofree char *name = g_path_get_basename (flow_lookup_string (row, "file"));

  return g_strdup_printf ("%s:%" G_GINT64_FORMAT, name, flow_lookup_int (row, "line", 0));
}

static char *
fed_text (GVariant *row,
          gpointer  data)
{
  g_autoptr(GVariant) feeds = g_variant_lookup_value (row, "feeds", G_VARIANT_TYPE ("a{ss}"));
  GString *text = g_string_new (NULL);

  for (gsize i = 0; feeds != NULL && i < g_variant_n_children (feeds); i++)
    {
      const char *tensor = NULL;
      const char *value = NULL;

      g_variant_get_child (feeds, i, "{&s&s}", &tensor, &value);
      g_string_append_printf (text, "%s%s: %s", i > 0 ? ", " : "", tensor, value);
    }
  return g_string_free (text, FALSE);
}

static char *
took_text (GVariant *row,
           gpointer  data)
{
  gint64 us = flow_lookup_int (row, "us", -1);

  return us < 0 ? g_strdup (_("under way")) : flow_format_duration ((guint64) us * 1000);
}

static char *
result_text (GVariant *row,
             gpointer  data)
{
  const char *error = flow_lookup_string (row, "error");

  return g_strdup (error != NULL && error[0] != '\0' ? error : flow_lookup_string (row, "result"));
}

static const char *
result_css (GVariant *row,
            gpointer  data)
{
  const char *error = flow_lookup_string (row, "error");

  return error != NULL && error[0] != '\0' ? "error" : NULL;
}

/* --- Runs --- */

/* The first run that is not known to be done. */
static guint64
next_number (FlowScriptView *self)
{
  guint64 next = 0;

  for (guint i = 0; i < self->known->len; i++)
    {
      if (flow_lookup_int (self->known->pdata[i], "us", -1) < 0)
        return (guint64) flow_lookup_int (self->known->pdata[i], "number", 0);
      next = (guint64) flow_lookup_int (self->known->pdata[i], "number", 0) + 1;
    }
  return next;
}

static void
runs_cb (GObject           *owner,
         FlowDebuggerReply *reply,
         const GError      *error,
         gpointer           data)
{
  FlowScriptView *self = FLOW_SCRIPT_VIEW (owner);
  g_autoptr(GVariant) news = NULL;
  g_autoptr(GVariant) rows = NULL;
  guint64 from = G_MAXUINT64;
  GVariantBuilder builder;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(aa{sv})")))
    return;
  news = g_variant_get_child_value (reply->value, 0);
  /* What comes takes the place of what is known from there on: it may have been asked for before that came. */
  for (gsize i = 0; i < g_variant_n_children (news); i++)
    {
      g_autoptr(GVariant) row = g_variant_get_child_value (news, i);

      from = MIN (from, (guint64) flow_lookup_int (row, "number", 0));
    }
  while (self->known->len > 0
         && (guint64) flow_lookup_int (self->known->pdata[self->known->len - 1], "number", 0) >= from)
    g_ptr_array_set_size (self->known, (int) self->known->len - 1);
  for (gsize i = 0; i < g_variant_n_children (news); i++)
    g_ptr_array_add (self->known, g_variant_get_child_value (news, i));
  if (self->known->len > MAX_ROWS)
    g_ptr_array_remove_range (self->known, 0, self->known->len - MAX_ROWS);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  /* The newest on top. */
  for (guint i = self->known->len; i > 0; i--)
    g_variant_builder_add_value (&builder, self->known->pdata[i - 1]);
  rows = g_variant_ref_sink (g_variant_builder_end (&builder));
  flow_variant_store_update (self->rows, rows, "number");
}

static void
ask_runs (FlowScriptView *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));

  if (flow_ui_session_is_script (session))
    flow_ui_session_query (session, self, "script-runs", "ScriptRuns", g_variant_new ("(t)", next_number (self)), runs_cb,
                           NULL);
}

static void
flow_script_view_refresh (FlowView *view)
{
  ask_runs (FLOW_SCRIPT_VIEW (view));
}

static void
opened_cb (FlowUiSession  *session,
           FlowScriptView *self)
{
  GtkWidget *stack = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_STACK);

  g_ptr_array_set_size (self->known, 0);
  g_list_store_remove_all (self->rows);
  if (stack != NULL)
    gtk_stack_page_set_visible (gtk_stack_get_page (GTK_STACK (stack), GTK_WIDGET (self)),
                                flow_ui_session_is_script (session));
}

static void
flow_script_view_setup (FlowView *view)
{
  g_signal_connect_object (flow_view_get_session (view), "opened", G_CALLBACK (opened_cb), view, 0);
}

static void
selected_cb (GtkSingleSelection *selection,
             GParamSpec         *pspec,
             FlowScriptView     *self)
{
  GVariant *row = flow_table_get_selected (self->table);
  g_autofree char *place = NULL;

  if (row == NULL || flow_lookup_int (row, "line", 0) == 0)
    return;
  place = g_strdup_printf ("%s:%" G_GINT64_FORMAT, flow_lookup_string (row, "file"), flow_lookup_int (row, "line", 0));
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-line", "s", place);
}

/* --- Which runs stop --- */

static void
policy_changed_cb (FlowScriptView *self)
{
  g_autoptr(GString) words = g_string_new (NULL);
  const char *fetch = gtk_editable_get_text (GTK_EDITABLE (self->fetch));
  int every = gtk_spin_button_get_value_as_int (self->every);

  if (self->syncing)
    return;
  if (gtk_check_button_get_active (self->at_start))
    g_string_append (words, "start ");
  if (gtk_check_button_get_active (self->at_end))
    g_string_append (words, "end ");
  if (words->len == 0)
    g_string_append (words, "never ");
  if (every > 1)
    g_string_append_printf (words, "every=%d ", every);
  if (fetch[0] != '\0')
    g_string_append_printf (words, "fetch=%s ", fetch);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.script-policy", "s", g_strchomp (words->str));
}

void
flow_script_view_show_policy (FlowScriptView *self,
                              const char     *words)
{
  g_auto(GStrv) list = g_strsplit (words, " ", -1);
  int every = 1;
  const char *fetch = "";

  g_return_if_fail (FLOW_IS_SCRIPT_VIEW (self));

  for (guint i = 0; list[i] != NULL; i++)
    {
      if (g_str_has_prefix (list[i], "every="))
        every = (int) CLAMP (g_ascii_strtoll (list[i] + 6, NULL, 10), 1, 100000);
      else if (g_str_has_prefix (list[i], "fetch="))
        fetch = list[i] + 6;
    }
  self->syncing = TRUE;
  gtk_check_button_set_active (self->at_start, g_strv_contains ((const char *const *) list, "start"));
  gtk_check_button_set_active (self->at_end, g_strv_contains ((const char *const *) list, "end"));
  gtk_spin_button_set_value (self->every, every);
  gtk_editable_set_text (GTK_EDITABLE (self->fetch), fetch);
  self->syncing = FALSE;
}

static void
add_label (GtkWidget  *bar,
           const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (bar), label);
}

static GtkWidget *
make_bar (FlowScriptView *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);

  self->at_start = GTK_CHECK_BUTTON (gtk_check_button_new_with_mnemonic (_("_Start of runs")));
  self->at_end = GTK_CHECK_BUTTON (gtk_check_button_new_with_mnemonic (_("_End of runs")));
  self->every = GTK_SPIN_BUTTON (gtk_spin_button_new_with_range (1, 100000, 1));
  self->fetch = GTK_ENTRY (gtk_entry_new ());
  gtk_check_button_set_active (self->at_start, TRUE);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->at_start), _("Stop before the first op of each Session.run"));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->at_end), _("Stop when a Session.run is done, before the script has its values"));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->every), _("Of the runs that would stop, every so many"));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->fetch), _("Only runs that fetch this tensor or run this op"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->every), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Every so many runs"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->fetch), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Only runs that fetch"), -1);
  gtk_entry_set_placeholder_text (self->fetch, _("any fetch"));
  add_label (bar, _("Stop at"));
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->at_start));
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->at_end));
  add_label (bar, _("every"));
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->every));
  add_label (bar, _("that fetches"));
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->fetch));
  g_signal_connect_object (self->at_start, "toggled", G_CALLBACK (policy_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->at_end, "toggled", G_CALLBACK (policy_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->every, "value-changed", G_CALLBACK (policy_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->fetch, "activate", G_CALLBACK (policy_changed_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_css_class (bar, "flow-entry-bar");
  return bar;
}

static void
flow_script_view_dispose (GObject *object)
{
  FlowScriptView *self = FLOW_SCRIPT_VIEW (object);

  if (self->table != NULL)
    gtk_column_view_set_model (self->table, NULL);
  self->table = NULL;
  g_clear_object (&self->rows);
  g_clear_pointer (&self->known, g_ptr_array_unref);
  adw_bin_set_child (ADW_BIN (self), NULL);

  G_OBJECT_CLASS (flow_script_view_parent_class)->dispose (object);
}

static void
flow_script_view_class_init (FlowScriptViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = flow_script_view_dispose;
  FLOW_VIEW_CLASS (klass)->setup = flow_script_view_setup;
  FLOW_VIEW_CLASS (klass)->refresh = flow_script_view_refresh;
  FLOW_VIEW_CLASS (klass)->plan_changed = flow_script_view_refresh;
}

static void
flow_script_view_init (FlowScriptView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *scrolled = NULL;
  const FlowTableColumn columns[] = {
    { _("No."), number_text, NULL, "number", 60, 1, TRUE },
    { _("Run"), key_text, NULL, "name", 180, 0, TRUE },
    { _("Session"), key_text, NULL, "session", 100, 0, FALSE },
    { _("Asked For At"), line_text, NULL, "line", 140, 0, TRUE },
    { _("Fed"), fed_text, NULL, NULL, -1, 0, TRUE },
    { _("Took"), took_text, NULL, "us", 90, 1, TRUE },
    { _("Result"), result_text, result_css, NULL, -1, 0, TRUE },
  };
  const gpointer data[] = { NULL, (gpointer) "name", (gpointer) "session", NULL, NULL, NULL, NULL };

  self->rows = g_list_store_new (FLOW_TYPE_VARIANT_ITEM);
  self->known = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  self->table = flow_table_new (self->rows, columns, data, G_N_ELEMENTS (columns));
  g_signal_connect_object (gtk_column_view_get_model (self->table), "notify::selected", G_CALLBACK (selected_cb), self, 0);
  scrolled = flow_table_scrolled (self->table, _("Runs of the script"));
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (box), make_bar (self));
  gtk_box_append (GTK_BOX (box), scrolled);
  adw_bin_set_child (ADW_BIN (self), box);
}
