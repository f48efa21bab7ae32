/* flow-breakpoints-view.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-breakpoints-view.h"

#include <glib/gi18n.h>

#include "flow-format.h"
#include "flow-tooltip.h"
#include "flow-variant-item.h"

/**
 * FlowBreakpointsView:
 *
 * The breakpoints: switched on and off, deleted, and written in one line of the grammar that the
 * command line takes as well.
 */
struct _FlowBreakpointsView
{
  FlowView parent_instance;

  /* template */
  GtkEntry *entry;
  GtkMenuButton *presets;
  GtkListBox *found;
  GtkWidget *found_scroller;
  GtkLabel *problem;
  GtkListBox *list;

  gint64 shown_counts;      /* of hits and switches, as one figure */
};

G_DEFINE_FINAL_TYPE (FlowBreakpointsView, flow_breakpoints_view, FLOW_TYPE_VIEW)

static guint
row_id (GtkWidget *widget)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (widget), "flow-id"));
}

static void
toggled_cb (GtkCheckButton      *check,
            FlowBreakpointsView *self)
{
  flow_ui_session_command (flow_view_get_session (FLOW_VIEW (self)),
                           _("The breakpoint could not be changed"), "EnableBreakpoint",
                           g_variant_new ("(ub)", row_id (GTK_WIDGET (check)),
                                          gtk_check_button_get_active (check)),
                           NULL, NULL, NULL, NULL);
}

static void
delete_cb (GtkButton           *button,
           FlowBreakpointsView *self)
{
  flow_ui_session_command (flow_view_get_session (FLOW_VIEW (self)),
                           _("The breakpoint could not be deleted"), "RemoveBreakpoint",
                           g_variant_new ("(u)", row_id (GTK_WIDGET (button))), NULL, NULL, NULL,
                           NULL);
}

static void
append_check (FlowBreakpointsView *self,
              GtkWidget           *box,
              GVariant            *row)
{
  GtkWidget *check = gtk_check_button_new ();

  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), flow_lookup_bool (row, "enabled"));
  flow_tooltip_set (check, _("Stop here"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Enabled"), -1);
  g_object_set_data (G_OBJECT (check), "flow-id",
                     GUINT_TO_POINTER ((guint) flow_lookup_int (row, "id", 0)));
  g_signal_connect_object (check, "toggled", G_CALLBACK (toggled_cb), self, 0);
  gtk_box_append (GTK_BOX (box), check);
}

static GtkWidget *
create_row_cb (gpointer object,
               gpointer data)
{
  FlowBreakpointsView *self = data;
  GVariant *row = flow_variant_item_get_value (object);
  const char *text = flow_lookup_string (row, "text");
  gint64 hits = flow_lookup_int (row, "hits", 0);
  g_autofree char *hits_text = g_strdup_printf (ngettext ("%d hit", "%d hits", (gulong) hits),
                                                (int) hits);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = gtk_label_new (text);
  GtkWidget *count = gtk_label_new (hits > 0 ? hits_text : "");
  GtkWidget *button = gtk_button_new_from_icon_name ("user-trash-symbolic");
  GtkWidget *list_row = gtk_list_box_row_new ();

  append_check (self, box, row);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "flow-mono");
  gtk_widget_add_css_class (count, "dim-label");
  gtk_widget_add_css_class (button, "flat");
  flow_tooltip_set (button, _("Delete this breakpoint"));
  g_object_set_data (G_OBJECT (button), "flow-id",
                     GUINT_TO_POINTER ((guint) flow_lookup_int (row, "id", 0)));
  g_signal_connect_object (button, "clicked", G_CALLBACK (delete_cb), self, 0);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), count);
  gtk_box_append (GTK_BOX (box), button);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (list_row), box);
  g_object_set_data (G_OBJECT (list_row), "flow-node",
                     GUINT_TO_POINTER ((guint) flow_lookup_int (row, "node", FLOW_NODE_NONE)));
  flow_tooltip_set (list_row, text);
  return list_row;
}

static void
row_activated_cb (FlowBreakpointsView *self,
                  GtkListBoxRow       *row,
                  GtkListBox          *list)
{
  guint32 node = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "flow-node"));

  if (node != FLOW_NODE_NONE)
    flow_ui_session_select (flow_view_get_session (FLOW_VIEW (self)), node, FLOW_SCOPE_NONE);
}

static void
added_cb (GObject           *owner,
          FlowDebuggerReply *reply,
          const GError      *error,
          gpointer           data)
{
  FlowBreakpointsView *self = FLOW_BREAKPOINTS_VIEW (owner);

  gtk_widget_add_css_class (GTK_WIDGET (self->problem), "error");
  gtk_widget_set_visible (GTK_WIDGET (self->problem), error != NULL);
  gtk_label_set_text (self->problem, error != NULL ? error->message : "");
  if (error == NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
}

static void
add_cb (FlowBreakpointsView *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));

  if (text[0] == '\0')
    return;
  flow_ui_session_command (flow_view_get_session (FLOW_VIEW (self)), NULL, "AddBreakpoint",
                           g_variant_new ("(s)", text), NULL, self, added_cb, NULL);
}

static void
entry_changed_cb (FlowBreakpointsView *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->problem), FALSE);
}

/* What stands for the selection in a ready-made rule; a word to be replaced where nothing fits. */
static char *
selected_subject (FlowBreakpointsView *self,
                  gboolean             variable)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  FlowGraph *graph = flow_ui_session_get_graph (session);
  guint32 node = flow_ui_session_get_selected_node (session);
  g_autofree char *name = flow_ui_session_dup_selected_name (session);

  if (graph == NULL || name == NULL || name[0] == '\0')
    return g_strdup (variable ? _("VARIABLE") : "match:.*");
  if (variable)
    return node != FLOW_NODE_NONE && (flow_graph_get_node_flags (graph, node) & FLOW_OP_STATEFUL) != 0
             ? g_steal_pointer (&name) : g_strdup (_("VARIABLE"));
  return g_strconcat (node != FLOW_NODE_NONE ? "node:" : "scope:", name, NULL);
}

/**
 * flow_breakpoints_view_suggest:
 * @self: a view
 * @rule: a rule in which SELECTED stands for the selected op or scope, and VARIABLE for the selected variable
 *
 * Puts it into the entry, to be completed and added.
 */
void
flow_breakpoints_view_suggest (FlowBreakpointsView *self,
                               const char          *rule)
{
  g_autofree char *subject = NULL;
  g_autoptr(GString) text = NULL;

  g_return_if_fail (FLOW_IS_BREAKPOINTS_VIEW (self) && rule != NULL);

  text = g_string_new (rule);
  subject = selected_subject (self, strstr (rule, "VARIABLE") != NULL);
  g_string_replace (text, "SELECTED", subject, 1);
  g_string_replace (text, "VARIABLE", subject, 1);
  flow_breakpoints_view_focus_entry (self, text->str);
}

/* --- Testing the rules on what has executed --- */

/* More nobody reads; the label says how many there are. */
#define MAX_FOUND 200

static const char *
rule_text (FlowBreakpointsView *self,
           guint                id)
{
  GListModel *model = flow_ui_session_get_breakpoints (flow_view_get_session (FLOW_VIEW (self)));

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (model, i);

      if (flow_lookup_int (flow_variant_item_get_value (item), "id", 0) == id)
        return flow_variant_item_get_string (item, "text");
    }
  return "";
}

static void
append_found (FlowBreakpointsView *self,
              guint                id,
              guint64              position,
              const char          *node)
{
  g_autofree char *number = flow_format_count (position + 1);
  g_autofree char *place = g_strdup_printf (_("op %s"), number);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *row = gtk_list_box_row_new ();
  const char *const texts[] = { place, node, rule_text (self, id) };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      GtkWidget *label = gtk_label_new (texts[i]);

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_ellipsize (GTK_LABEL (label), i == 0 ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_MIDDLE);
      gtk_widget_set_hexpand (label, i == 1);
      gtk_widget_add_css_class (label, i == 1 ? "flow-mono" : "dim-label");
      gtk_box_append (GTK_BOX (box), label);
    }
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data (G_OBJECT (row), "flow-position", GUINT_TO_POINTER ((guint) MIN (position, G_MAXINT32 - 1)));
  flow_tooltip_set (row, _("Go to after this op"));
  gtk_list_box_append (self->found, row);
}

static void
found_activated_cb (FlowBreakpointsView *self,
                    GtkListBoxRow       *row,
                    GtkListBox          *list)
{
  guint position = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "flow-position"));

  gtk_widget_activate_action (GTK_WIDGET (self), "win.go-to-event", "i", (gint32) position + 1);
}

static void
fill_found (FlowBreakpointsView *self,
            FlowGraph           *graph,
            GVariant            *rows)
{
  GtkWidget *child = NULL;
  gsize n = g_variant_n_children (rows);

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->found))) != NULL)
    gtk_list_box_remove (self->found, child);
  for (gsize i = 0; i < MIN (n, MAX_FOUND); i++)
    {
      guint64 position = 0;
      guint32 node = FLOW_NODE_NONE;
      guint32 id = 0;

      g_variant_get_child (rows, i, "(utu)", &id, &position, &node);
      append_found (self, id, position,
                    node < flow_graph_get_n_nodes (graph) ? flow_graph_get_node_name (graph, node) : "");
    }
  gtk_widget_set_visible (self->found_scroller, n > 0);
}

static void
rechecked_cb (GObject           *owner,
              FlowDebuggerReply *reply,
              const GError      *error,
              gpointer           data)
{
  FlowBreakpointsView *self = FLOW_BREAKPOINTS_VIEW (owner);
  FlowGraph *graph = flow_ui_session_get_graph (flow_view_get_session (FLOW_VIEW (self)));
  g_autoptr(GVariant) rows = NULL;
  g_autofree char *text = NULL;
  guint64 position = 0;
  guint32 node = FLOW_NODE_NONE;
  guint32 id = 0;
  gsize n = 0;

  if (reply == NULL || graph == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a(utu))")))
    return;
  rows = g_variant_get_child_value (reply->value, 0);
  n = g_variant_n_children (rows);
  if (n > 0)
    g_variant_get_child (rows, 0, "(utu)", &id, &position, &node);
  if (n == 0)
    text = g_strdup (_("No rule holds for what this run has executed"));
  else
    text = g_strdup_printf (ngettext ("A rule holds for %u op of this run", "Rules hold for %u ops of this run", (gulong) n),
                            (guint) n);
  gtk_label_set_text (self->problem, text);
  gtk_widget_remove_css_class (GTK_WIDGET (self->problem), "error");
  gtk_widget_set_visible (GTK_WIDGET (self->problem), TRUE);
  fill_found (self, graph, rows);
  if (n > 0)
    flow_ui_session_select (flow_view_get_session (FLOW_VIEW (self)), node, FLOW_SCOPE_NONE);
}

void
flow_breakpoints_view_recheck (FlowBreakpointsView *self)
{
  g_return_if_fail (FLOW_IS_BREAKPOINTS_VIEW (self));

  flow_ui_session_query (flow_view_get_session (FLOW_VIEW (self)), self, "recheck", "Recheck", NULL, rechecked_cb,
                         NULL);
}

/* Rows are few and hold widgets: a row that changed is made anew. */
static void
store_changed_cb (FlowBreakpointsView *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));

  if (session != NULL)
    gtk_list_box_bind_model (self->list, flow_ui_session_get_breakpoints (session), create_row_cb,
                             self, NULL);
}

static void
flow_breakpoints_view_setup (FlowView *view)
{
  store_changed_cb (FLOW_BREAKPOINTS_VIEW (view));
}

static void
flow_breakpoints_view_node_states_changed (FlowView *view)
{
  FlowBreakpointsView *self = FLOW_BREAKPOINTS_VIEW (view);
  GListModel *model = flow_ui_session_get_breakpoints (flow_view_get_session (view));
  gint64 hits = 0;

  /* Hit counts change in place without the list changing. */
  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (model, i);
      GVariant *row = flow_variant_item_get_value (item);

      hits = hits * 31 + flow_lookup_int (row, "hits", 0) * 2 + flow_lookup_bool (row, "enabled");
    }
  if (self->shown_counts == hits)
    return;
  self->shown_counts = hits;
  store_changed_cb (self);
}

static void
flow_breakpoints_view_dispose (GObject *object)
{
  FlowBreakpointsView *self = FLOW_BREAKPOINTS_VIEW (object);

  if (self->list != NULL)
    gtk_list_box_bind_model (self->list, NULL, NULL, NULL, NULL);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), FLOW_TYPE_BREAKPOINTS_VIEW);

  G_OBJECT_CLASS (flow_breakpoints_view_parent_class)->dispose (object);
}

static void
flow_breakpoints_view_class_init (FlowBreakpointsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  FlowViewClass *view_class = FLOW_VIEW_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_breakpoints_view_dispose;
  view_class->setup = flow_breakpoints_view_setup;
  view_class->node_states_changed = flow_breakpoints_view_node_states_changed;

  gtk_widget_class_set_template_from_resource (
    widget_class, "/org/flowstep/Flowstep/ui/breakpoints/flow-breakpoints-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FlowBreakpointsView, entry);
  gtk_widget_class_bind_template_child (widget_class, FlowBreakpointsView, problem);
  gtk_widget_class_bind_template_child (widget_class, FlowBreakpointsView, list);
  gtk_widget_class_bind_template_child (widget_class, FlowBreakpointsView, presets);
  gtk_widget_class_bind_template_child (widget_class, FlowBreakpointsView, found);
  gtk_widget_class_bind_template_child (widget_class, FlowBreakpointsView, found_scroller);
  gtk_widget_class_bind_template_callback (widget_class, found_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, add_cb);
  gtk_widget_class_bind_template_callback (widget_class, entry_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
}

static void
flow_breakpoints_view_init (FlowBreakpointsView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* Puts @text into the entry for a person to complete. */
void
flow_breakpoints_view_focus_entry (FlowBreakpointsView *self,
                                   const char          *text)
{
  g_return_if_fail (FLOW_IS_BREAKPOINTS_VIEW (self));

  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
}
