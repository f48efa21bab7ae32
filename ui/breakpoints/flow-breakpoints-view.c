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
  GtkDropDown *presets;
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

/* The variable that is selected, or a word to be replaced by one. */
static char *
selected_variable (FlowBreakpointsView *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  FlowGraph *graph = flow_ui_session_get_graph (session);
  guint32 node = flow_ui_session_get_selected_node (session);

  if (graph != NULL && node != FLOW_NODE_NONE &&
      (flow_graph_get_node_flags (graph, node) & FLOW_OP_STATEFUL) != 0)
    return g_strdup (flow_graph_get_node_name (graph, node));
  return g_strdup (_("VARIABLE"));
}

static void
preset_cb (FlowBreakpointsView *self)
{
  static const char *const texts[] = {
    NULL,
    "match:.* if nan > 0",
    "match:.* if inf > 0",
    "match:^gradients/ if abs < 1e-7 and size > 1",
    "match:^gradients/ if abs > 1000",
    "watch:%s if unchanged",
    "match:(Relu|relu) if max == 0",
  };
  guint i = gtk_drop_down_get_selected (self->presets);
  g_autofree char *variable = NULL;
  g_auto(GStrv) parts = NULL;
  g_autofree char *text = NULL;

  if (i == 0 || i >= G_N_ELEMENTS (texts))
    return;
  variable = selected_variable (self);
  parts = g_strsplit (texts[i], "%s", -1);
  text = g_strjoinv (variable, parts);
  gtk_drop_down_set_selected (self->presets, 0);
  flow_breakpoints_view_focus_entry (self, text);
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
    text = g_strdup_printf (ngettext ("A rule holds for %u op of this run: %s, after op %u",
                                      "Rules hold for %u ops of this run; the first is %s, after op %u", (gulong) n),
                            (guint) n, flow_graph_get_node_name (graph, node), (guint) position + 1);
  gtk_label_set_text (self->problem, text);
  gtk_widget_remove_css_class (GTK_WIDGET (self->problem), "error");
  gtk_widget_set_visible (GTK_WIDGET (self->problem), TRUE);
  if (n > 0)
    flow_ui_session_select (flow_view_get_session (FLOW_VIEW (self)), node, FLOW_SCOPE_NONE);
}

static void
recheck_cb (FlowBreakpointsView *self)
{
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
  gtk_widget_class_bind_template_callback (widget_class, preset_cb);
  gtk_widget_class_bind_template_callback (widget_class, recheck_cb);
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
