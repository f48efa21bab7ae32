/* flow-history-button.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-history-button.h"

#include <glib/gi18n.h>

#include "flow-format.h"

/**
 * FlowHistoryButton:
 *
 * What the history of steps takes, live; behind it how much it may take, and what it keeps of which scope.
 */
struct _FlowHistoryButton
{
  FlowView parent_instance;

  /* borrowed */
  GtkMenuButton *button;
  GtkLabel *label;
  GtkLevelBar *level;
  GtkLabel *words;
  GtkSpinButton *limit;
  GtkListBox *policies;

  gboolean updating;
};

#define MIB (1024.0 * 1024.0)

G_DEFINE_FINAL_TYPE (FlowHistoryButton, flow_history_button, FLOW_TYPE_VIEW)

static const char *
policy_title (const char *word)
{
  return g_strcmp0 (word, "keep-all") == 0 ? _("values") : g_strcmp0 (word, "keep-stats") == 0 ? _("statistics only")
                                                                                                : _("nothing");
}

static void
add_policy (FlowHistoryButton *self,
            const char        *scope,
            const char        *word)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *name = gtk_label_new (scope[0] != '\0' ? scope : _("the whole graph"));
  GtkWidget *kept = gtk_label_new (policy_title (word));
  GtkWidget *remove = gtk_button_new_from_icon_name ("edit-undo-symbolic");
  g_autofree char *target = g_strdup_printf ("%s=keep-all", scope);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_widget_add_css_class (kept, "dim-label");
  gtk_widget_add_css_class (remove, "flat");
  gtk_widget_set_tooltip_text (remove, _("Keep values of this scope again"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (remove), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Keep values of this scope again"), -1);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (remove), "s", target);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (remove), "win.set-policy");
  gtk_widget_set_sensitive (remove, g_strcmp0 (word, "keep-all") != 0);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), kept);
  gtk_box_append (GTK_BOX (box), remove);
  gtk_list_box_append (self->policies, box);
}

static void
policies_cb (GObject           *owner,
             FlowDebuggerReply *reply,
             const GError      *error,
             gpointer           data)
{
  FlowHistoryButton *self = FLOW_HISTORY_BUTTON (owner);
  g_autoptr(GVariant) all = NULL;
  GtkListBoxRow *row = NULL;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a{ss})")))
    return;
  while ((row = gtk_list_box_get_row_at_index (self->policies, 0)) != NULL)
    gtk_list_box_remove (self->policies, GTK_WIDGET (row));
  all = g_variant_get_child_value (reply->value, 0);
  for (gsize i = 0; i < g_variant_n_children (all); i++)
    {
      const char *scope = NULL;
      const char *word = NULL;

      g_variant_get_child (all, i, "{&s&s}", &scope, &word);
      add_policy (self, scope, word);
    }
}

static void
refresh (FlowView *view)
{
  FlowHistoryButton *self = FLOW_HISTORY_BUTTON (view);
  FlowUiSession *session = flow_view_get_session (view);
  const FlowDebugState *state = flow_ui_session_get_state (session);
  g_autofree char *used = NULL;
  g_autofree char *limit = NULL;
  g_autofree char *text = NULL;
  double share = 0;

  gtk_widget_set_sensitive (GTK_WIDGET (self->button), state != NULL && state->history_limit > 0);
  if (state == NULL || state->history_limit == 0)
    {
      gtk_label_set_text (self->label, "");
      return;
    }
  used = flow_format_bytes (state->history_bytes);
  limit = flow_format_bytes (state->history_limit);
  text = g_strdup_printf (_("history %s of %s"), used, limit);
  gtk_label_set_text (self->label, text);
  share = (double) state->history_bytes / (double) state->history_limit;
  gtk_level_bar_set_value (self->level, CLAMP (share, 0, 1));
  gtk_label_set_text (self->words, state->reverse_is_exact ? _("Steps back are undone exactly.")
                                                           : _("Older steps are computed again when you go back."));
  self->updating = TRUE;
  gtk_spin_button_set_value (self->limit, (double) state->history_limit / MIB);
  self->updating = FALSE;
  if (gtk_widget_get_visible (GTK_WIDGET (gtk_menu_button_get_popover (self->button))))
    flow_ui_session_query (session, self, "policies", "Policies", NULL, policies_cb, NULL);
}

static void
limit_changed_cb (FlowHistoryButton *self)
{
  g_autofree char *text = NULL;

  if (self->updating)
    return;
  text = g_strdup_printf ("%dM", gtk_spin_button_get_value_as_int (self->limit));
  gtk_widget_activate_action (GTK_WIDGET (self), "win.set-history-limit", "s", text);
}

static void
append_row (GtkWidget  *box,
            const char *text,
            GtkWidget  *widget)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), widget);
  gtk_box_append (GTK_BOX (box), row);
}

static GtkWidget *
make_content (FlowHistoryButton *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  GtkWidget *title = gtk_label_new (_("Kept of Scopes"));
  GtkWidget *none = gtk_label_new (_("Values of all ops. The menu of a scope has other choices."));

  self->level = GTK_LEVEL_BAR (gtk_level_bar_new ());
  self->words = GTK_LABEL (gtk_label_new (NULL));
  self->limit = GTK_SPIN_BUTTON (gtk_spin_button_new_with_range (1, 1048576, 64));
  self->policies = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_label_set_xalign (self->words, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->words), "dim-label");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->level), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Part of the history's memory that is used"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->limit), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Memory of the history in MiB"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->policies), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("What is kept of scopes"), -1);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_add_css_class (title, "heading");
  gtk_label_set_wrap (GTK_LABEL (none), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (none), 34);
  gtk_widget_add_css_class (none, "dim-label");
  gtk_list_box_set_placeholder (self->policies, none);
  gtk_list_box_set_selection_mode (self->policies, GTK_SELECTION_NONE);
  gtk_widget_set_size_request (box, 320, -1);
  gtk_widget_add_css_class (box, "flow-history");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->level));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->words));
  append_row (box, _("Memory (MiB)"), GTK_WIDGET (self->limit));
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->policies));
  g_signal_connect_object (self->limit, "value-changed", G_CALLBACK (limit_changed_cb), self, G_CONNECT_SWAPPED);
  return box;
}

static void
flow_history_button_class_init (FlowHistoryButtonClass *klass)
{
  FLOW_VIEW_CLASS (klass)->refresh = refresh;
  FLOW_VIEW_CLASS (klass)->graph_changed = refresh;
}

static void
flow_history_button_init (FlowHistoryButton *self)
{
  GtkWidget *popover = gtk_popover_new ();

  self->button = GTK_MENU_BUTTON (gtk_menu_button_new ());
  self->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "numeric");
  gtk_menu_button_set_child (self->button, GTK_WIDGET (self->label));
  gtk_popover_set_child (GTK_POPOVER (popover), make_content (self));
  gtk_menu_button_set_popover (self->button, popover);
  gtk_widget_add_css_class (GTK_WIDGET (self->button), "flat");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->button), _("Memory of the history, and what it keeps"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Memory of the history, and what it keeps"), -1);
  g_signal_connect_object (popover, "notify::visible", G_CALLBACK (flow_view_queue_refresh), self, G_CONNECT_SWAPPED);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->button));
}
