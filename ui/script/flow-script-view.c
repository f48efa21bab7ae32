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
#include "flow-variant-rows.h"

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
  GtkDropDown *session;
  GtkDropDown *thread;
  GtkSpinButton *skip;

  guint syncing : 1;
};

/* So many runs are listed. */
#define MAX_ROWS 1000
/* So many sessions and threads are there to choose from: a script may make them without end. */
#define MAX_NAMES 200

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

  /* How long a person looked at it says nothing. */
  us = us < 0 ? us : MAX (us - flow_lookup_int (row, "held_us", 0), 0);
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

/* Lists @name, when it is new. */
static void
know (GtkDropDown *list,
      const char  *name)
{
  GtkStringList *names = GTK_STRING_LIST (gtk_drop_down_get_model (list));
  guint n = g_list_model_get_n_items (G_LIST_MODEL (names));

  for (guint i = 1; i < n; i++)
    if (g_strcmp0 (gtk_string_list_get_string (names, i), name) == 0)
      return;
  if (name == NULL || name[0] == '\0' || n >= MAX_NAMES)
    return;
  gtk_string_list_append (names, name);
  /* Of one there is nothing to choose. */
  gtk_widget_set_visible (GTK_WIDGET (list), n + 1 > 2);
}

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
  self->syncing = TRUE;
  for (gsize i = 0; i < g_variant_n_children (news); i++)
    {
      GVariant *row = g_variant_get_child_value (news, i);

      know (self->session, flow_lookup_string (row, "session"));
      know (self->thread, flow_lookup_string (row, "thread"));
      g_ptr_array_add (self->known, row);
    }
  self->syncing = FALSE;
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

/* All but the first, which means any. */
static void
forget (GtkDropDown *list)
{
  GtkStringList *names = GTK_STRING_LIST (gtk_drop_down_get_model (list));
  guint n = g_list_model_get_n_items (G_LIST_MODEL (names));

  gtk_drop_down_set_selected (list, 0);
  gtk_string_list_splice (names, 1, n - 1, NULL);
  gtk_widget_set_visible (GTK_WIDGET (list), FALSE);
}

static void
opened_cb (FlowUiSession  *session,
           FlowScriptView *self)
{
  GtkWidget *stack = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_STACK);

  g_ptr_array_set_size (self->known, 0);
  g_list_store_remove_all (self->rows);
  self->syncing = TRUE;
  forget (self->session);
  forget (self->thread);
  self->syncing = FALSE;
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

/* What is chosen of a list whose first row means any; (transfer none) (nullable). */
static const char *
get_choice (GtkDropDown *list)
{
  GtkStringObject *item = gtk_drop_down_get_selected_item (list);

  return item != NULL && gtk_drop_down_get_selected (list) > 0 ? gtk_string_object_get_string (item) : NULL;
}

static void
add_name (GString    *words,
          const char *key,
          const char *name)
{
  g_autofree char *escaped = name != NULL ? g_uri_escape_string (name, NULL, TRUE) : NULL;

  if (escaped != NULL)
    g_string_append_printf (words, "%s=%s ", key, escaped);
}

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
  add_name (words, "fetch", fetch[0] != '\0' ? fetch : NULL);
  add_name (words, "session", get_choice (self->session));
  add_name (words, "thread", get_choice (self->thread));
  gtk_widget_activate_action (GTK_WIDGET (self), "win.script-policy", "s", g_strchomp (words->str));
}

/* Chooses @name, which is listed if need be; NULL: any. */
static void
choose (GtkDropDown *list,
        const char  *name)
{
  GtkStringList *names = GTK_STRING_LIST (gtk_drop_down_get_model (list));
  guint n = g_list_model_get_n_items (G_LIST_MODEL (names));
  guint i = name != NULL ? 1 : 0;

  for (; name != NULL && i < n && g_strcmp0 (gtk_string_list_get_string (names, i), name) != 0; i++)
    ;
  if (name != NULL && i == n)
    gtk_string_list_append (names, name);
  if (name != NULL)
    gtk_widget_set_visible (GTK_WIDGET (list), TRUE);
  gtk_drop_down_set_selected (list, i);
}

void
flow_script_view_show_policy (FlowScriptView *self,
                              const char     *words)
{
  g_auto(GStrv) list = g_strsplit (words, " ", -1);
  int every = 1;
  g_autofree char *fetch = NULL;
  g_autofree char *session = NULL;
  g_autofree char *thread = NULL;

  g_return_if_fail (FLOW_IS_SCRIPT_VIEW (self));

  for (guint i = 0; list[i] != NULL; i++)
    {
      if (g_str_has_prefix (list[i], "every="))
        every = (int) CLAMP (g_ascii_strtoll (list[i] + 6, NULL, 10), 1, 100000);
      else if (g_str_has_prefix (list[i], "fetch=") && fetch == NULL)
        fetch = g_uri_unescape_string (list[i] + 6, NULL);
      else if (g_str_has_prefix (list[i], "session=") && session == NULL)
        session = g_uri_unescape_string (list[i] + 8, NULL);
      else if (g_str_has_prefix (list[i], "thread=") && thread == NULL)
        thread = g_uri_unescape_string (list[i] + 7, NULL);
    }
  self->syncing = TRUE;
  gtk_check_button_set_active (self->at_start, g_strv_contains ((const char *const *) list, "start"));
  gtk_check_button_set_active (self->at_end, g_strv_contains ((const char *const *) list, "end"));
  gtk_spin_button_set_value (self->every, every);
  gtk_editable_set_text (GTK_EDITABLE (self->fetch), fetch != NULL ? fetch : "");
  choose (self->session, session);
  choose (self->thread, thread);
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

static GtkDropDown *
make_choice (FlowScriptView *self,
             const char     *any,
             const char     *tooltip)
{
  const char *const names[] = { any, NULL };
  GtkWidget *list = gtk_drop_down_new_from_strings (names);

  gtk_widget_set_visible (list, FALSE);
  gtk_widget_set_tooltip_text (list, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip, -1);
  g_signal_connect_object (list, "notify::selected", G_CALLBACK (policy_changed_cb), self, G_CONNECT_SWAPPED);
  return GTK_DROP_DOWN (list);
}

static void
skip_cb (FlowScriptView *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.skip-runs", "i", gtk_spin_button_get_value_as_int (self->skip));
}

/* Goes on until so many runs have passed. */
static GtkWidget *
make_skip (FlowScriptView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *button = gtk_button_new_with_mnemonic (_("S_kip Runs"));

  self->skip = GTK_SPIN_BUTTON (gtk_spin_button_new_with_range (1, 1000000, 1));
  gtk_editable_set_width_chars (GTK_EDITABLE (self->skip), 3);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->skip), GTK_ACCESSIBLE_PROPERTY_LABEL, _("How many runs to skip"), -1);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->skip), _("So many runs are not stopped at"));
  gtk_widget_set_tooltip_text (button, _("Go on, and stop at the run after so many"));
  g_signal_connect_object (button, "clicked", G_CALLBACK (skip_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_css_class (box, "linked");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->skip));
  gtk_box_append (GTK_BOX (box), button);
  return box;
}

static GtkWidget *
make_bar (FlowScriptView *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
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
  gtk_editable_set_width_chars (GTK_EDITABLE (self->fetch), 9);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->every), 3);
  add_label (bar, _("Stop at"));
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->at_start));
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->at_end));
  add_label (bar, _("every"));
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->every));
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->fetch));
  self->session = make_choice (self, _("any session"), _("Only runs of this session"));
  self->thread = make_choice (self, _("any thread"), _("Only runs that this thread of the script asks for"));
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->session));
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->thread));
  gtk_box_append (GTK_BOX (bar), make_skip (self));
  g_signal_connect_object (self->at_start, "toggled", G_CALLBACK (policy_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->at_end, "toggled", G_CALLBACK (policy_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->every, "value-changed", G_CALLBACK (policy_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->fetch, "activate", G_CALLBACK (policy_changed_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_css_class (bar, "flow-entry-bar");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), bar);
  return scroller;
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
    { _("Thread"), key_text, NULL, "thread", 110, 0, FALSE },
    { _("Asked For At"), line_text, NULL, "line", 140, 0, TRUE },
    { _("Fed"), fed_text, NULL, NULL, -1, 0, TRUE },
    { _("Took"), took_text, NULL, "us", 90, 1, TRUE },
    { _("Result"), result_text, result_css, NULL, -1, 0, TRUE },
  };
  const gpointer data[] = { NULL, (gpointer) "name", (gpointer) "session", (gpointer) "thread", NULL, NULL, NULL, NULL };

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
