/* flow-overview.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-overview.h"

#include <glib/gi18n.h>
#include <string.h>

#include "flow-endpoint-row.h"
#include "flow-format.h"
#include "flow-tooltip.h"
#include "flow-variant-item.h"

/**
 * FlowOverview:
 *
 * What a person sees of a graph before anything of it is selected: what it is made of, what it is fed
 * from outside, which runs there are, and what the engine found worth saying. Everything in it is a
 * place to go on from.
 */
struct _FlowOverview
{
  FlowView parent_instance;

  /* widgets: the bin holds them */
  GtkLabel *name;
  GtkLabel *kind;
  GtkLabel *variables;
  GtkWidget *inputs_section;
  GtkListBox *inputs;
  GtkWidget *runs_section;
  GtkWidget *runs_note;
  GtkListBox *runs;
  GtkWidget *findings_section;
  GtkListBox *findings;
  GtkWidget *next;             /* what can be done with it */
};

/* Rows of one list before they are only counted. */
#define MAX_ROWS 6

G_DEFINE_FINAL_TYPE (FlowOverview, flow_overview, FLOW_TYPE_VIEW)

/* --- what the graph is made of ---------------------------------------------------------------------- */

typedef struct {
  guint n_variables;
  guint n_unknown;             /* of them, of no known size */
  guint64 n_parameters;
  GArray *inputs;              /* guint32 */
} Census;

static void
count_variable (FlowGraph *graph,
                guint32    node,
                Census    *census)
{
  FlowAttr *attr = flow_graph_get_attr (graph, node, "shape");
  FlowShape *shape = attr != NULL && flow_attr_get_kind (attr) == FLOW_ATTR_SHAPE && !flow_attr_is_list (attr)
                     ? flow_attr_get_shape (attr) : NULL;
  gint64 n = 0;

  census->n_variables++;
  if (shape == NULL || !flow_shape_n_elements (shape, &n))
    census->n_unknown++;
  else
    census->n_parameters += (guint64) n;
}

static void
take_census (FlowGraph *graph,
             Census    *census)
{
  for (guint32 i = 0; i < flow_graph_get_n_nodes (graph); i++)
    {
      const char *type = flow_graph_get_node_type (graph, i);

      if (type[0] == 'V' && flow_is_variable_type (type))
        count_variable (graph, i, census);
      else if (type[0] == 'P' && g_str_has_prefix (type, "Placeholder"))
        g_array_append_val (census->inputs, i);
    }
}

/* --- rows ------------------------------------------------------------------------------------------- */

static void
clear_list (GtkListBox *list)
{
  GtkWidget *child = NULL;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (list))) != NULL)
    gtk_list_box_remove (list, child);
}

static GtkWidget *
make_label (const char *text,
            const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

/* A row that activates an action: by pointer, and by Tab and Enter. */
static void
append_row (GtkListBox *list,
            const char *icon,
            const char *title,
            const char *detail,
            const char *action,
            const char *target)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = gtk_label_new (title);

  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (icon));
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (GTK_LABEL (label), 2);
  gtk_widget_set_hexpand (label, TRUE);
  flow_tooltip_set (label, title);
  gtk_box_append (GTK_BOX (box), label);
  if (detail != NULL && detail[0] != '\0')
    {
      GtkWidget *words = gtk_label_new (detail);

      gtk_label_set_ellipsize (GTK_LABEL (words), PANGO_ELLIPSIZE_END);
      gtk_widget_add_css_class (words, "dim-label");
      gtk_widget_add_css_class (words, "flow-small");
      flow_tooltip_set (words, detail);
      gtk_box_append (GTK_BOX (box), words);
    }
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", target);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), action);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_list_box_append (list, row);
}

static void
append_more (GtkListBox *list,
             guint       n)
{
  g_autofree char *text = g_strdup_printf (ngettext ("and %u more", "and %u more", n), n);
  GtkWidget *row = gtk_list_box_row_new ();

  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), make_label (text, "dim-label"));
  gtk_list_box_append (list, row);
}

/* --- filling ---------------------------------------------------------------------------------------- */

static void
fill_head (FlowOverview *self,
           FlowGraph    *graph)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  GVariant *info = flow_ui_session_get_info (session);
  const char *path = flow_lookup_string (info, "path");
  const char *kind = flow_lookup_string (info, "kind");
  guint n_ops = flow_graph_get_n_nodes (graph);
  guint n_scopes = MAX (flow_graph_get_n_scopes (graph), 1) - 1;
  g_autofree char *name = NULL;
  g_autofree char *ops = flow_format_count (n_ops);
  g_autofree char *scopes = flow_format_count (n_scopes);
  g_autoptr(GString) line = g_string_new (NULL);

  if (path == NULL || path[0] == '\0')
    path = flow_ui_session_get_path (session);
  name = g_filename_display_basename (path != NULL ? path : "");
  gtk_label_set_text (self->name, name);
  flow_tooltip_set (self->name, path);
  if (kind != NULL && kind[0] != '\0')
    g_string_append_printf (line, "%s · ", flow_ui_session_is_script (session) ? _("graph of a script") : kind);
  g_string_append_printf (line, ngettext ("%s op", "%s ops", n_ops), ops);
  g_string_append (line, " · ");
  g_string_append_printf (line, ngettext ("%s name scope", "%s name scopes", n_scopes), scopes);
  gtk_label_set_text (self->kind, line->str);
}

static void
fill_variables (FlowOverview *self,
                FlowGraph    *graph,
                const Census *census)
{
  GPtrArray *trainable = flow_graph_get_collection (graph, "trainable_variables");
  g_autofree char *count = flow_format_count (census->n_variables);
  g_autofree char *parameters = flow_format_count (census->n_parameters);
  g_autoptr(GString) line = g_string_new (NULL);

  gtk_widget_set_visible (GTK_WIDGET (self->variables), census->n_variables > 0);
  g_string_append_printf (line, ngettext ("%s variable", "%s variables", census->n_variables), count);
  if (trainable != NULL && trainable->len > 0)
    {
      g_string_append (line, " · ");
      g_string_append_printf (line, ngettext ("%u trainable", "%u trainable", trainable->len), trainable->len);
    }
  g_string_append (line, " · ");
  g_string_append_printf (line, ngettext ("%s element", "%s elements", (gulong) MIN (census->n_parameters, G_MAXINT)), parameters);
  if (census->n_unknown > 0)
    {
      g_string_append (line, " · ");
      g_string_append_printf (line, ngettext ("%u of unknown shape", "%u of unknown shape", census->n_unknown), census->n_unknown);
    }
  gtk_label_set_text (self->variables, line->str);
}

static void
fill_inputs (FlowOverview *self,
             FlowGraph    *graph,
             const Census *census)
{
  clear_list (self->inputs);
  for (guint i = 0; i < MIN (census->inputs->len, MAX_ROWS); i++)
    {
      guint32 node = g_array_index (census->inputs, guint32, i);
      g_autofree char *tensor = flow_graph_endpoint_to_string (graph, node, 0);
      g_autofree char *dims = flow_format_dims (flow_graph_get_output_shape (graph, node, 0));
      g_autofree char *detail = g_strdup_printf ("%s %s", flow_dtype_name (flow_graph_get_output_dtype (graph, node, 0)),
                                                 dims != NULL ? dims : "");
      GtkWidget *row = flow_endpoint_row_new (NULL, tensor);

      flow_endpoint_row_set_detail (FLOW_ENDPOINT_ROW (row), detail);
      gtk_list_box_append (self->inputs, row);
    }
  if (census->inputs->len > MAX_ROWS)
    append_more (self->inputs, census->inputs->len - MAX_ROWS);
  gtk_widget_set_visible (self->inputs_section, census->inputs->len > 0);
}

static void
fill_runs (FlowOverview *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  GListModel *runs = flow_ui_session_get_runs (session);
  const char *chosen = flow_ui_session_get_chosen_run (session);
  guint n = g_list_model_get_n_items (runs);

  clear_list (self->runs);
  for (guint i = 0; i < MIN (n, MAX_ROWS); i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (runs, i);
      GVariant *row = flow_variant_item_get_value (item);
      const char *name = flow_lookup_string (row, "name");
      g_auto(GStrv) fetches = flow_lookup_strv (row, "fetches");
      g_auto(GStrv) targets = flow_lookup_strv (row, "targets");
      g_autofree char *fetched = g_strjoinv (", ", fetches);
      g_autofree char *run = g_strjoinv (", ", targets);
      g_autofree char *detail = fetched[0] != '\0' && run[0] != '\0' ? g_strdup_printf ("%s, %s", run, fetched)
                                : g_strdup (fetched[0] != '\0' ? fetched : run);

      if (name != NULL)
        append_row (self->runs, g_strcmp0 (name, chosen) == 0 ? "object-select-symbolic" : "flow-run-symbolic", name,
                    detail, "win.choose-run", name);
    }
  if (n > MAX_ROWS)
    append_more (self->runs, n - MAX_ROWS);
  gtk_widget_set_visible (GTK_WIDGET (self->runs), n > 0);
  gtk_widget_set_visible (self->runs_note, n == 0);
}

static void
fill (FlowOverview *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  FlowGraph *graph = session != NULL ? flow_ui_session_get_graph (session) : NULL;
  Census census = { 0 };

  if (graph == NULL)
    return;
  census.inputs = g_array_new (FALSE, FALSE, sizeof (guint32));
  take_census (graph, &census);
  fill_head (self, graph);
  fill_variables (self, graph, &census);
  fill_inputs (self, graph, &census);
  fill_runs (self);
  g_array_unref (census.inputs);
}

/* What is said of one node after the other is one finding: TensorFlow names the node at the end. */
static char *
dup_without_node (const char *title)
{
  const char *end = strstr (title, "; NodeDef: ");

  if (end == NULL)
    end = strstr (title, "{{node");
  return end != NULL ? g_strndup (title, end - title) : g_strdup (title);
}

/*
 * flow_overview_set_findings:
 * @titles: (nullable): what the diagnostics found, a line each
 */
void
flow_overview_set_findings (FlowOverview      *self,
                            const char *const *titles)
{
  g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);

  g_return_if_fail (FLOW_IS_OVERVIEW (self));

  for (guint i = 0; titles != NULL && titles[i] != NULL; i++)
    {
      g_autofree char *text = dup_without_node (titles[i]);
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, text));

      if (n == 0)
        {
          g_ptr_array_add (texts, g_strdup (text));
          g_hash_table_insert (counts, texts->pdata[texts->len - 1], GUINT_TO_POINTER (1));
        }
      else
        {
          gpointer key = NULL;

          g_hash_table_lookup_extended (counts, text, &key, NULL);
          g_hash_table_insert (counts, key, GUINT_TO_POINTER (n + 1));
        }
    }
  clear_list (self->findings);
  for (guint i = 0; i < MIN (texts->len, MAX_ROWS); i++)
    {
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, texts->pdata[i]));
      g_autofree char *times = n > 1 ? g_strdup_printf ("×%u", n) : NULL;

      append_row (self->findings, "dialog-warning-symbolic", texts->pdata[i], times, "win.show-panel", "diagnostics");
    }
  if (texts->len > MAX_ROWS)
    append_more (self->findings, texts->len - MAX_ROWS);
  gtk_widget_set_visible (self->findings_section, texts->len > 0);
}

/* --- making ----------------------------------------------------------------------------------------- */

static void
input_activated_cb (GtkListBox    *list,
                    GtkListBoxRow *row,
                    FlowOverview  *self)
{
  g_autofree char *name = FLOW_IS_ENDPOINT_ROW (row) ? g_strdup (flow_endpoint_row_get_tensor (FLOW_ENDPOINT_ROW (row))) : NULL;

  if (name != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.select", "s", name);
}

static GtkListBox *
make_list (const char *label)
{
  GtkListBox *list = GTK_LIST_BOX (gtk_list_box_new ());

  gtk_list_box_set_selection_mode (list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (list), "flow-endpoints");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  return list;
}

static GtkWidget *
make_section (GtkWidget  *box,
              const char *title,
              GtkListBox *list)
{
  GtkWidget *section = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);

  gtk_box_append (GTK_BOX (section), make_label (title, "flow-section"));
  gtk_box_append (GTK_BOX (section), GTK_WIDGET (list));
  gtk_box_append (GTK_BOX (box), section);
  return section;
}

static GtkWidget *
make_button (const char *label,
             const char *tooltip,
             const char *action)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

static void
make_next (FlowOverview *self)
{
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);

  gtk_widget_add_css_class (buttons, "flow-tools");
  gtk_box_append (GTK_BOX (buttons), make_button (_("New Run…"), _("Say what a run fetches and what it is fed"), "win.new-run"));
  gtk_box_append (GTK_BOX (buttons), make_button (_("Restore…"), _("Restore variables from a checkpoint (Ctrl+R)"), "win.choose-checkpoint"));
  gtk_box_append (GTK_BOX (self->next), buttons);
  gtk_box_append (GTK_BOX (self->next),
                  make_label (_("Select a node to see its inputs, outputs and values."), "dim-label"));
}

static void
flow_overview_changed (FlowView *view)
{
  fill (FLOW_OVERVIEW (view));
}

static void
flow_overview_plan_changed (FlowView *view)
{
  if (flow_ui_session_get_graph (flow_view_get_session (view)) != NULL)
    fill_runs (FLOW_OVERVIEW (view));
}

static void
flow_overview_class_init (FlowOverviewClass *klass)
{
  FLOW_VIEW_CLASS (klass)->graph_changed = flow_overview_changed;
  FLOW_VIEW_CLASS (klass)->plan_changed = flow_overview_plan_changed;
}

static void
flow_overview_init (FlowOverview *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);

  gtk_widget_add_css_class (box, "flow-inspector");
  self->name = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->name, 0);
  gtk_label_set_ellipsize (self->name, PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (GTK_WIDGET (self->name), "flow-name");
  self->kind = GTK_LABEL (make_label (NULL, "dim-label"));
  self->variables = GTK_LABEL (make_label (NULL, "dim-label"));
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->name));
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->kind));
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->variables));
  gtk_box_append (GTK_BOX (box), head);

  self->runs = make_list (_("Runs"));
  self->runs_section = make_section (box, _("Runs"), self->runs);
  self->runs_note = make_label (_("No run is known. A run file beside the graph is offered by itself; a run can be described by what it fetches."), "dim-label");
  gtk_box_append (GTK_BOX (self->runs_section), self->runs_note);
  self->inputs = make_list (_("Placeholders"));
  self->inputs_section = make_section (box, _("Placeholders"), self->inputs);
  g_signal_connect_object (self->inputs, "row-activated", G_CALLBACK (input_activated_cb), self, 0);
  self->findings = make_list (_("Diagnostics"));
  self->findings_section = make_section (box, _("Diagnostics"), self->findings);
  gtk_widget_set_visible (self->findings_section, FALSE);
  self->next = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
  make_next (self);
  gtk_box_append (GTK_BOX (box), self->next);

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), box);
  adw_bin_set_child (ADW_BIN (self), scroller);
}
