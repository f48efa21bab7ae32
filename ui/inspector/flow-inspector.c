/* flow-inspector.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-inspector.h"

#include <glib/gi18n.h>
#include <string.h>

#include "flow-endpoint-list.h"
#include "flow-endpoint-row.h"
#include "flow-format.h"
#include "flow-overview-census.h"
#include "flow-overview.h"
#include "flow-tooltip.h"
#include "flow-value-view.h"

/**
 * FlowInspector:
 *
 * Everything about the selected node: what it is, what goes in and comes out, why it is in the run
 * or not. Structure comes from the graph at once; values follow when the engine has answered.
 */
struct _FlowInspector
{
  FlowView parent_instance;

  /* template */
  GtkStack *stack;
  FlowOverview *overview;
  GtkLabel *name;
  GtkLabel *chip;
  GtkLabel *type;
  GtkWidget *buttons;
  GtkButton *run_to;
  GtkButton *open_body;
  GtkButton *breakpoint;
  GtkWidget *inputs_section;
  GtkListBox *inputs;
  GtkWidget *value_section;
  GtkLabel *value_title;
  FlowValueView *value;
  GtkWidget *outputs_section;
  GtkListBox *outputs;
  GtkWidget *executed_section;
  GtkLabel *executed;
  GtkWidget *why_section;
  GtkLabel *why;
  GtkWidget *created_section;
  GtkLabel *created;
  GtkWidget *attrs_section;
  GtkGrid *attrs;
  GtkWidget *collections_section;
  GtkFlowBox *collections;
  GtkWidget *controls_section;
  GtkListBox *controls;
  GtkWidget *readers_section;
  GtkListBox *readers;
  GtkWidget *variables_section;   /* these two: of a scope */
  GtkListBox *variables;
  GtkWidget *made_of_section;
  GtkLabel *made_of;

  /* owned */
  char *tensor;              /* whose value is shown */

  guint32 node;
  guint8 chip_state;
  gboolean filling;          /* rows are being made: selecting one is not a person's doing */
  gboolean chosen;           /* a person picked the tensor that is shown */
};

#define MAX_ROWS FLOW_ENDPOINT_ROWS_MAX
/* Of each list of a scope: what it keeps is to be in sight, too. */
#define MAX_SCOPE_ROWS 9
#define MAX_ATTR_CHARS 120
#define MAX_CHAIN 12

G_DEFINE_FINAL_TYPE (FlowInspector, flow_inspector, FLOW_TYPE_VIEW)

/* --- Structure --- */

static void
fill_inputs (FlowInspector *self,
             FlowGraph     *graph)
{
  guint n = flow_graph_get_n_inputs (graph, self->node);

  flow_endpoint_list_clear (self->inputs);
  for (guint i = 0; i < MIN (n, MAX_ROWS); i++)
    {
      FlowEndpoint source = { FLOW_NODE_NONE, 0 };
      g_autofree char *index = g_strdup_printf ("%u", i);

      flow_graph_get_input (graph, self->node, i, &source);
      flow_endpoint_list_append (self->inputs, graph, index, source, flow_graph_get_input_dtype (graph, self->node, i));
    }
  if (n > MAX_ROWS)
    flow_endpoint_list_append_more (self->inputs, n - MAX_ROWS);
  gtk_widget_set_visible (self->inputs_section, n > 0);
}

static void
fill_outputs (FlowInspector *self,
              FlowGraph     *graph)
{
  guint n = flow_graph_get_n_outputs (graph, self->node);

  flow_endpoint_list_clear (self->outputs);
  for (guint i = 0; i < MIN (n, MAX_ROWS); i++)
    {
      FlowEndpoint output = { self->node, (int) i };
      g_autofree char *index = g_strdup_printf ("%u", i);

      flow_endpoint_list_append (self->outputs, graph, index, output, flow_graph_get_output_dtype (graph, self->node, i));
    }
  if (n > MAX_ROWS)
    flow_endpoint_list_append_more (self->outputs, n - MAX_ROWS);
  gtk_widget_set_visible (self->outputs_section, n > 0);
}

static void
fill_controls (FlowInspector *self,
               FlowGraph     *graph)
{
  guint n = flow_graph_get_n_control_inputs (graph, self->node);

  flow_endpoint_list_clear (self->controls);
  for (guint i = 0; i < MIN (n, MAX_ROWS); i++)
    {
      guint32 source = flow_graph_get_control_input (graph, self->node, i);
      g_autofree char *name = g_strconcat ("^", flow_graph_get_node_name (graph, source), NULL);
      GtkWidget *row = flow_endpoint_row_new (NULL, name);

      flow_endpoint_row_set_detail (FLOW_ENDPOINT_ROW (row),
                                    flow_graph_get_node_type (graph, source));
      gtk_list_box_append (self->controls, row);
    }
  if (n > MAX_ROWS)
    flow_endpoint_list_append_more (self->controls, n - MAX_ROWS);
  gtk_widget_set_visible (self->controls_section, n > 0);
}

static void
fill_readers (FlowInspector *self,
              FlowGraph     *graph)
{
  guint n = flow_graph_get_n_out_edges (graph, self->node);

  flow_endpoint_list_clear (self->readers);
  for (guint i = 0; i < MIN (n, MAX_ROWS); i++)
    {
      gint32 slot = 0;
      guint32 consumer = FLOW_NODE_NONE;
      gint32 input = 0;
      g_autofree char *index = NULL;
      GtkWidget *row = NULL;

      flow_graph_get_out_edge (graph, self->node, i, &slot, &consumer, &input);
      index = slot == FLOW_SLOT_CONTROL ? g_strdup ("^") : g_strdup_printf (":%d", slot);
      row = flow_endpoint_row_new (index, flow_graph_get_node_name (graph, consumer));
      flow_endpoint_row_set_detail (FLOW_ENDPOINT_ROW (row),
                                    flow_graph_get_node_type (graph, consumer));
      gtk_list_box_append (self->readers, row);
    }
  if (n > MAX_ROWS)
    flow_endpoint_list_append_more (self->readers, n - MAX_ROWS);
  gtk_widget_set_visible (self->readers_section, n > 0);
}

static void
attach_attr (GtkGrid    *grid,
             int         row,
             const char *name,
             const char *text)
{
  GtkWidget *key = gtk_label_new (name);
  GtkWidget *value = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (key), 0);
  gtk_label_set_yalign (GTK_LABEL (key), 0);
  gtk_widget_add_css_class (key, "dim-label");
  gtk_widget_add_css_class (key, "flow-small");
  gtk_label_set_xalign (GTK_LABEL (value), 0);
  gtk_label_set_wrap (GTK_LABEL (value), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (value), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (value), TRUE);
  /* Not by Tab: GTK 4.8 lets a label that can be selected and not focused swallow it. */
  gtk_widget_set_can_focus (value, FALSE);
  gtk_widget_set_hexpand (value, TRUE);
  gtk_widget_add_css_class (value, "flow-mono");
  gtk_widget_add_css_class (value, "flow-small");
  gtk_grid_attach (grid, key, 0, row, 1, 1);
  gtk_grid_attach (grid, value, 1, row, 1, 1);
}

static void
fill_attrs (FlowInspector *self,
            FlowGraph     *graph)
{
  FlowAttrList *attrs = flow_graph_get_node_attrs (graph, self->node);
  const char *device = flow_graph_get_node_device (graph, self->node);
  guint n = attrs != NULL ? flow_attr_list_get_length (attrs) : 0;
  GtkWidget *child = NULL;
  int row = 0;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->attrs))) != NULL)
    gtk_grid_remove (self->attrs, child);
  for (guint i = 0; i < MIN (n, MAX_ROWS); i++)
    {
      const char *name = flow_attr_list_get_name (attrs, i);
      g_autofree char *text = NULL;

      /* What shape inference left behind says nothing that inputs and outputs do not. */
      if (g_strcmp0 (name, "_output_shapes") == 0)
        continue;
      text = flow_attr_to_text (flow_attr_list_get_value (attrs, i), MAX_ATTR_CHARS);
      attach_attr (self->attrs, row++, name, text);
    }
  if (device != NULL && device[0] != '\0')
    attach_attr (self->attrs, row++, _("device"), device);
  gtk_widget_set_visible (self->attrs_section, row > 0);
}

static void
fill_collections (FlowInspector *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  GPtrArray *keys = flow_ui_session_get_node_collections (session, self->node);
  GtkWidget *child = NULL;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->collections))) != NULL)
    gtk_flow_box_remove (self->collections, child);
  for (guint i = 0; keys != NULL && i < keys->len; i++)
    {
      const char *key = g_ptr_array_index (keys, i);
      GtkWidget *button = gtk_button_new_with_label (key);
      g_autofree char *tooltip = g_strdup_printf (_("Show the collection %s"), key);

      gtk_widget_add_css_class (button, "flow-collection-chip");
      flow_tooltip_set (button, tooltip);
      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", key);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.show-collection");
      gtk_flow_box_append (self->collections, button);
    }
  gtk_widget_set_visible (self->collections_section, keys != NULL && keys->len > 0);
}

static void
fill_head (FlowInspector *self,
           FlowGraph     *graph)
{
  const char *name = flow_graph_get_node_name (graph, self->node);
  const char *type = flow_graph_get_node_type (graph, self->node);
  const char *summary = flow_op_registry_get_summary (type);
  FlowAttr *dtype = flow_graph_get_attr (graph, self->node, "T");
  g_autoptr(GString) line = g_string_new (type);

  gtk_label_set_text (self->name, name);
  flow_tooltip_set (GTK_WIDGET (self->name), name);
  if (dtype != NULL && flow_attr_get_kind (dtype) == FLOW_ATTR_TYPE && !flow_attr_is_list (dtype))
    g_string_append_printf (line, " · T=%s", flow_dtype_name (flow_attr_get_dtype (dtype)));
  if (summary != NULL && summary[0] != '\0')
    g_string_append_printf (line, " · %s", summary);
  else if (flow_graph_find_function (graph, type) != NULL)
    g_string_append (line, _(" · Calls a function of the graph"));
  else if (!flow_op_registry_has_kernel (type))
    g_string_append (line, _(" · cannot be run here"));
  gtk_label_set_text (self->type, line->str);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->run_to), "s", name);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->run_to), "win.run-to");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->open_body), "s", name);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->open_body), "win.open-body");
  gtk_widget_set_visible (GTK_WIDGET (self->open_body),
                          (flow_graph_get_node_flags (graph, self->node) & FLOW_OP_FUNCTION) != 0);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->breakpoint), "s", name);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->breakpoint), "win.toggle-breakpoint");
}

/* --- State --- */

static void
set_row_states (FlowInspector *self,
                GtkListBox    *list)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  FlowGraph *graph = flow_ui_session_get_graph (session);

  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (list)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      FlowEndpoint endpoint = { FLOW_NODE_NONE, 0 };

      if (!FLOW_IS_ENDPOINT_ROW (child))
        continue;
      if (flow_graph_parse_endpoint (graph, flow_endpoint_row_get_tensor (FLOW_ENDPOINT_ROW (child)),
                                     &endpoint, NULL))
        flow_endpoint_row_set_state (FLOW_ENDPOINT_ROW (child),
                                     flow_ui_session_get_node_state (session, endpoint.node));
    }
}

static void
update_states (FlowInspector *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  guint8 state = 0;

  if (session == NULL || self->node == FLOW_NODE_NONE)
    return;
  state = flow_ui_session_get_node_state (session, self->node);
  gtk_widget_remove_css_class (GTK_WIDGET (self->chip), flow_node_state_css (self->chip_state));
  gtk_widget_add_css_class (GTK_WIDGET (self->chip), flow_node_state_css (state));
  self->chip_state = state;
  gtk_label_set_text (self->chip, flow_node_state_title (state));
  gtk_widget_set_visible (GTK_WIDGET (self->chip),
                          flow_ui_session_get_plan (session) != NULL);
  gtk_widget_set_visible (self->executed_section,
                          flow_ui_session_get_plan (session) != NULL && state != FLOW_NODE_NOT_IN_RUN);
  set_row_states (self, self->inputs);
  set_row_states (self, self->outputs);
  set_row_states (self, self->controls);
  set_row_states (self, self->readers);
}

static void
update_executed (FlowInspector *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  const FlowDebugState *state = flow_ui_session_get_state (session);
  const char *run = flow_ui_session_get_chosen_run (session);
  GVariant *plan = flow_ui_session_get_plan (session);
  FlowGraph *graph = flow_ui_session_get_graph (session);
  g_autofree char *text = NULL;
  gint64 hits = 0;
  guint n_planned = 0;
  guint n_ops = graph != NULL ? flow_graph_get_n_nodes (graph) : 0;

  if (run == NULL || plan == NULL || graph == NULL)
    return;
  {
    g_autoptr(GVariant) nodes = g_variant_lookup_value (plan, "nodes", G_VARIANT_TYPE ("au"));

    n_planned = nodes != NULL ? (guint) g_variant_n_children (nodes) : 0;
  }
  hits = state != NULL ? (gint64) state->plan_hits : flow_lookup_int (plan, "hits", 0);
  text = g_strdup_printf (hits > 0 ? ngettext ("%s (cached plan, %u of %u op)", "%s (cached plan, %u of %u ops)", n_ops)
                                   : ngettext ("%s (%u of %u op)", "%s (%u of %u ops)", n_ops),
                          run, n_planned, n_ops);
  gtk_label_set_text (self->executed, text);
}

static void
explain_cb (GObject           *owner,
            FlowDebuggerReply *reply,
            const GError      *error,
            gpointer           data)
{
  FlowInspector *self = FLOW_INSPECTOR (owner);
  gboolean is_in = FALSE;
  g_auto(GStrv) chain = NULL;
  const char *reason = NULL;
  g_autoptr(GString) text = g_string_new (NULL);
  guint n = 0;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(bass)")))
    {
      gtk_widget_set_visible (self->why_section, FALSE);
      return;
    }
  g_variant_get (reply->value, "(b^as&s)", &is_in, &chain, &reason);
  n = g_strv_length (chain);
  if (is_in && n > 0)
    {
      g_string_append (text, _("In: "));
      for (guint i = 0; i < MIN (n, MAX_CHAIN); i++)
        g_string_append_printf (text, "%s%s", i > 0 ? " → " : "", chain[i]);
      if (n > MAX_CHAIN)
        g_string_append_printf (text, " → … → %s", chain[n - 1]);
    }
  else
    {
      g_string_append_printf (text, is_in ? _("In: %s") : _("Not in this run: %s"), reason);
    }
  gtk_label_set_text (self->why, text->str);
  gtk_widget_set_visible (self->why_section, TRUE);
}

/* --- Values --- */

/* Whether the words of the error at this node speak of a shape: then that is one that clashes. */
static gboolean
is_clash (FlowInspector *self,
          GVariant      *info)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  const FlowDebugState *state = flow_ui_session_get_state (session);
  g_autoptr(GVariant) shape = g_variant_lookup_value (info, "shape", G_VARIANT_TYPE ("ax"));
  g_autofree char *dims = flow_format_shape (shape);

  return state != NULL && state->status == FLOW_DEBUG_FAILED && state->next_node == self->node &&
         state->message != NULL && strlen (dims) > 2 && strstr (state->message, dims) != NULL;
}

static void
update_rows (FlowInspector *self,
             GtkListBox    *list,
             GVariant      *infos)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (list));
  gsize n = infos != NULL ? g_variant_n_children (infos) : 0;

  for (gsize i = 0; i < n && child != NULL; i++, child = gtk_widget_get_next_sibling (child))
    {
      g_autoptr(GVariant) info = g_variant_get_child_value (infos, i);
      const char *state = flow_lookup_string (info, "state");
      g_autofree char *type = flow_format_type (info);
      g_autofree char *text = NULL;

      if (!FLOW_IS_ENDPOINT_ROW (child))
        break;
      if (g_strcmp0 (state, "value") == 0)
        text = g_strdup (type);
      else if (g_strcmp0 (state, "not computed") == 0)
        text = g_strdup (_("not computed yet"));
      else
        text = g_strdup (state != NULL ? state : type);
      if (text[0] != '\0')
        flow_endpoint_row_set_detail (FLOW_ENDPOINT_ROW (child), text);
      flow_endpoint_row_set_clash (FLOW_ENDPOINT_ROW (child), is_clash (self, info));
    }
}

static void
inspect_cb (GObject           *owner,
            FlowDebuggerReply *reply,
            const GError      *error,
            gpointer           data)
{
  FlowInspector *self = FLOW_INSPECTOR (owner);
  g_autoptr(GVariant) dict = NULL;
  g_autoptr(GVariant) inputs = NULL;
  g_autoptr(GVariant) outputs = NULL;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a{sv})")))
    return;
  dict = g_variant_get_child_value (reply->value, 0);
  inputs = g_variant_lookup_value (dict, "inputs", G_VARIANT_TYPE ("aa{sv}"));
  outputs = g_variant_lookup_value (dict, "outputs", G_VARIANT_TYPE ("aa{sv}"));
  update_rows (self, self->inputs, inputs);
  update_rows (self, self->outputs, outputs);
}

static GtkListBoxRow *
find_row (GtkListBox *list,
          const char *tensor)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (list)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (FLOW_IS_ENDPOINT_ROW (child) &&
        g_strcmp0 (flow_endpoint_row_get_tensor (FLOW_ENDPOINT_ROW (child)), tensor) == 0)
      return GTK_LIST_BOX_ROW (child);
  return NULL;
}

/* Before an op runs its inputs are what matters, after it its output. */
static void
choose_tensor (FlowInspector *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  FlowGraph *graph = flow_ui_session_get_graph (session);
  guint8 state = flow_ui_session_get_node_state (session, self->node);
  gboolean outputs_first = state == FLOW_NODE_DONE || state == FLOW_NODE_FED ||
                           state == FLOW_NODE_STALE || flow_graph_get_n_inputs (graph, self->node) == 0;
  GtkListBox *list = NULL;
  GtkListBoxRow *row = NULL;

  if (self->chosen)
    return;
  list = outputs_first && flow_graph_get_n_outputs (graph, self->node) > 0 ? self->outputs
                                                                          : self->inputs;
  row = gtk_list_box_get_row_at_index (list, 0);
  g_clear_pointer (&self->tensor, g_free);
  if (FLOW_IS_ENDPOINT_ROW (row))
    self->tensor = g_strdup (flow_endpoint_row_get_tensor (FLOW_ENDPOINT_ROW (row)));
  self->filling = TRUE;
  gtk_list_box_unselect_all (self->inputs);
  gtk_list_box_unselect_all (self->outputs);
  if (row != NULL)
    gtk_list_box_select_row (list, row);
  self->filling = FALSE;
}

static void
show_tensor (FlowInspector *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  GtkListBoxRow *row = NULL;
  g_autofree char *title = NULL;

  gtk_widget_set_visible (self->value_section, self->tensor != NULL);
  if (self->tensor == NULL)
    {
      flow_value_view_clear (self->value);
      return;
    }
  row = find_row (self->inputs, self->tensor);
  if (row != NULL && gtk_list_box_row_is_selected (row))
    title = g_strdup_printf (_("Value of input %d"), gtk_list_box_row_get_index (row));
  else if ((row = find_row (self->outputs, self->tensor)) != NULL)
    title = g_strdup_printf (_("Value of output %d"), gtk_list_box_row_get_index (row));
  gtk_label_set_text (self->value_title, title != NULL ? title : _("Value"));
  flow_value_view_show (self->value, session, self->tensor);
}

static void
row_selected_cb (FlowInspector *self,
                 GtkListBoxRow *row,
                 GtkListBox    *list)
{
  if (self->filling || row == NULL || !FLOW_IS_ENDPOINT_ROW (row) ||
      (list != self->inputs && list != self->outputs))
    return;
  g_free (self->tensor);
  self->tensor = g_strdup (flow_endpoint_row_get_tensor (FLOW_ENDPOINT_ROW (row)));
  self->chosen = TRUE;
  self->filling = TRUE;
  gtk_list_box_unselect_all (list == self->inputs ? self->outputs : self->inputs);
  self->filling = FALSE;
  show_tensor (self);
}

/* Enter or a double click goes to the node at the other end. */
static void
row_activated_cb (FlowInspector *self,
                  GtkListBoxRow *row,
                  GtkListBox    *list)
{
  g_autofree char *name = NULL;

  if (!FLOW_IS_ENDPOINT_ROW (row) || list == self->outputs)
    return;
  name = g_strdup (flow_endpoint_row_get_tensor (FLOW_ENDPOINT_ROW (row)));
  gtk_widget_activate_action (GTK_WIDGET (self), "win.select", "s", name);
}

static void
watch_clicked_cb (FlowInspector *self)
{
  if (self->tensor != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.watch", "s", self->tensor);
}

static void
edit_clicked_cb (FlowInspector *self)
{
  if (self->tensor != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.edit-value", "s", self->tensor);
}

static void
origin_clicked_cb (FlowInspector *self)
{
  if (self->tensor != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.origin", "s", self->tensor);
}

static void
open_clicked_cb (FlowInspector *self)
{
  if (self->tensor != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.show-value", "s", self->tensor);
}

/* --- Where a script made it --- */

/* Frames of the script's stack that are shown. */
#define MAX_FRAMES 6

static void
show_created (FlowInspector *self)
{
  FlowSources *sources = flow_ui_session_get_sources (flow_view_get_session (FLOW_VIEW (self)));
  g_autoptr(GString) markup = g_string_new (NULL);
  const char *file = NULL;
  const char *function = NULL;
  guint line = 0;

  for (guint i = 0; sources != NULL && i < MAX_FRAMES
                    && flow_sources_get_frame (sources, self->node, i, &file, &line, &function); i++)
    {
      g_autofree char *base = g_path_get_basename (file);
      g_autofree char *text =
        g_strcmp0 (function, "<module>") == 0
          ? g_markup_printf_escaped ("<a href=\"%s:%u\">%s:%u</a>", file, line, base, line)
          : g_markup_printf_escaped (_("<a href=\"%s:%u\">%s:%u</a> in %s"), file, line, base, line, function);

      g_string_append_printf (markup, "%s%s", i > 0 ? "\n" : "", text);
    }
  gtk_label_set_markup (self->created, markup->str);
  gtk_widget_set_visible (self->created_section, markup->len > 0);
}

static gboolean
created_link_cb (GtkLabel      *label,
                 const char    *place,
                 FlowInspector *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-line", "s", place);
  return TRUE;
}

/* --- View --- */

static void
say_how_far (FlowInspector *self,
             guint32        scope)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  FlowScopeStates *states = flow_ui_session_get_scope_states (session);
  guint n = flow_graph_get_scope_total (flow_ui_session_get_graph (session), scope);
  g_autofree char *total = flow_format_count (n);
  g_autofree char *in_run = flow_format_count (flow_scope_states_get_n_in_run (states, scope));
  g_autofree char *done = flow_format_count (flow_scope_states_get_n_done (states, scope));
  g_autofree char *line = NULL;

  line = flow_ui_session_get_plan (session) != NULL
           ? g_strdup_printf (ngettext ("Name scope · %s op · %s in this run · %s done",
                                        "Name scope · %s ops · %s in this run · %s done", n), total, in_run, done)
           : g_strdup_printf (ngettext ("Name scope · %s op", "Name scope · %s ops", n), total);
  gtk_label_set_text (self->type, line);
  set_row_states (self, self->inputs);
  set_row_states (self, self->outputs);
  set_row_states (self, self->variables);
}

/* What crosses its border, what it keeps and what it is made of. */
static void
show_scope (FlowInspector *self,
            guint32        scope)
{
  FlowGraph *graph = flow_ui_session_get_graph (flow_view_get_session (FLOW_VIEW (self)));
  g_autoptr(FlowCensus) census = flow_census_take_scope (graph, scope);
  g_autofree char *types = flow_census_describe_types (census);
  GtkWidget *const sections[] = {
    self->value_section, self->executed_section, self->why_section, self->created_section, self->attrs_section,
    self->collections_section, self->controls_section, self->readers_section, self->buttons, GTK_WIDGET (self->open_body),
    GTK_WIDGET (self->chip),
  };

  for (guint i = 0; i < G_N_ELEMENTS (sections); i++)
    gtk_widget_set_visible (sections[i], FALSE);
  gtk_label_set_text (self->name, flow_graph_get_scope_path (graph, scope));
  flow_tooltip_set (GTK_WIDGET (self->name), flow_graph_get_scope_path (graph, scope));
  self->filling = TRUE;
  flow_endpoint_list_fill (self->inputs, graph, census->entering, MAX_SCOPE_ROWS);
  flow_endpoint_list_fill (self->outputs, graph, census->leaving, MAX_SCOPE_ROWS);
  flow_endpoint_list_fill (self->variables, graph, census->variables, MAX_SCOPE_ROWS);
  self->filling = FALSE;
  gtk_widget_set_visible (self->inputs_section, census->entering->len > 0);
  gtk_widget_set_visible (self->outputs_section, census->leaving->len > 0);
  gtk_widget_set_visible (self->variables_section, census->variables->len > 0);
  gtk_label_set_text (self->made_of, types);
  gtk_widget_set_visible (self->made_of_section, TRUE);
  say_how_far (self, scope);
}

static void
refresh_values (FlowInspector *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));

  choose_tensor (self);
  show_tensor (self);
  show_created (self);
  update_executed (self);
  flow_ui_session_query (session, self, "inspect", "Inspect",
                         g_variant_new ("(ut)", self->node, G_MAXUINT64), inspect_cb, NULL);
  if (flow_ui_session_get_plan (session) != NULL)
    flow_ui_session_query (session, self, "explain", "Explain", g_variant_new ("(u)", self->node),
                           explain_cb, NULL);
  else
    gtk_widget_set_visible (self->why_section, FALSE);
}

static void
fill (FlowInspector *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  FlowGraph *graph = session != NULL ? flow_ui_session_get_graph (session) : NULL;
  guint32 scope = FLOW_SCOPE_NONE;

  self->node = FLOW_NODE_NONE;
  self->chosen = FALSE;
  g_clear_pointer (&self->tensor, g_free);
  if (graph != NULL)
    {
      self->node = flow_ui_session_get_selected_node (session);
      scope = flow_ui_session_get_selected_scope (session);
    }
  if (self->node == FLOW_NODE_NONE)
    {
      gtk_stack_set_visible_child_name (self->stack, scope != FLOW_SCOPE_NONE ? "node" : "empty");
      if (scope != FLOW_SCOPE_NONE)
        show_scope (self, scope);
      return;
    }
  self->filling = TRUE;
  fill_head (self, graph);
  fill_inputs (self, graph);
  fill_outputs (self, graph);
  fill_controls (self, graph);
  fill_readers (self, graph);
  fill_attrs (self, graph);
  fill_collections (self);
  self->filling = FALSE;
  gtk_widget_set_visible (self->buttons, TRUE);
  gtk_widget_set_visible (self->why_section, FALSE);
  gtk_widget_set_visible (self->variables_section, FALSE);
  gtk_widget_set_visible (self->made_of_section, FALSE);
  gtk_stack_set_visible_child_name (self->stack, "node");
  update_states (self);
  refresh_values (self);
}

static void
flow_inspector_setup (FlowView *view)
{
  flow_view_set_session (FLOW_VIEW (FLOW_INSPECTOR (view)->overview), flow_view_get_session (view));
}

static void
flow_inspector_selection_changed (FlowView *view)
{
  fill (FLOW_INSPECTOR (view));
}

static void
flow_inspector_node_states_changed (FlowView *view)
{
  FlowInspector *self = FLOW_INSPECTOR (view);
  FlowUiSession *session = flow_view_get_session (view);
  guint32 scope = flow_ui_session_get_selected_scope (session);

  if (self->node != FLOW_NODE_NONE)
    update_states (self);
  else if (scope != FLOW_SCOPE_NONE && flow_ui_session_get_graph (session) != NULL)
    say_how_far (self, scope);
}

static void
flow_inspector_refresh (FlowView *view)
{
  FlowInspector *self = FLOW_INSPECTOR (view);

  if (self->node != FLOW_NODE_NONE && flow_ui_session_get_graph (flow_view_get_session (view)) != NULL)
    refresh_values (self);
  else if (self->tensor != NULL)
    show_tensor (self);
}

static void
flow_inspector_dispose (GObject *object)
{
  adw_bin_set_child (ADW_BIN (object), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), FLOW_TYPE_INSPECTOR);

  G_OBJECT_CLASS (flow_inspector_parent_class)->dispose (object);
}

static void
flow_inspector_finalize (GObject *object)
{
  g_free (FLOW_INSPECTOR (object)->tensor);

  G_OBJECT_CLASS (flow_inspector_parent_class)->finalize (object);
}

static void
flow_inspector_class_init (FlowInspectorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  FlowViewClass *view_class = FLOW_VIEW_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_inspector_dispose;
  G_OBJECT_CLASS (klass)->finalize = flow_inspector_finalize;
  view_class->setup = flow_inspector_setup;
  view_class->selection_changed = flow_inspector_selection_changed;
  view_class->graph_changed = flow_inspector_selection_changed;
  view_class->node_states_changed = flow_inspector_node_states_changed;
  view_class->refresh = flow_inspector_refresh;

  g_type_ensure (FLOW_TYPE_OVERVIEW);
  g_type_ensure (FLOW_TYPE_VALUE_VIEW);
  gtk_widget_class_set_template_from_resource (
    widget_class, "/org/flowstep/Flowstep/ui/inspector/flow-inspector.ui");
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, stack);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, overview);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, name);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, chip);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, type);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, buttons);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, run_to);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, open_body);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, breakpoint);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, inputs_section);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, inputs);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, value_section);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, value_title);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, value);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, outputs_section);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, outputs);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, executed_section);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, executed);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, why_section);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, why);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, created_section);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, created);
  gtk_widget_class_bind_template_callback (widget_class, created_link_cb);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, attrs_section);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, attrs);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, collections_section);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, collections);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, controls_section);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, controls);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, readers_section);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, readers);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, variables_section);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, variables);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, made_of_section);
  gtk_widget_class_bind_template_child (widget_class, FlowInspector, made_of);
  gtk_widget_class_bind_template_callback (widget_class, row_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, watch_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, edit_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, open_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, origin_clicked_cb);
}

static void
flow_inspector_init (FlowInspector *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->node = FLOW_NODE_NONE;
}

/* Returns: (transfer full) (nullable): the tensor whose value is shown */
char *
flow_inspector_dup_tensor (FlowInspector *self)
{
  g_return_val_if_fail (FLOW_IS_INSPECTOR (self), NULL);

  return g_strdup (self->tensor);
}

/*
 * flow_inspector_set_findings:
 * @titles: (nullable): what the diagnostics found, a line each: shown while nothing is selected
 */
void
flow_inspector_set_findings (FlowInspector     *self,
                             const char *const *titles)
{
  g_return_if_fail (FLOW_IS_INSPECTOR (self));

  flow_overview_set_findings (self->overview, titles);
}
