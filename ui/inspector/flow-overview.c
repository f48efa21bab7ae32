/* flow-overview.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-overview.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "flow-endpoint-list.h"
#include "flow-endpoint-row.h"
#include "flow-format.h"
#include "flow-graph-reading.h"
#include "flow-overview-census.h"
#include "flow-tooltip.h"
#include "flow-variant-item.h"

/**
 * FlowOverview:
 *
 * What a person sees of a graph before anything of it is selected: what it is made of, what it is fed
 * from outside and what comes out of it, which runs there are and how they went, what the engine found
 * worth saying, which variables have moved the furthest, and where one has been. Everything in it is a place
 * to go on from.
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
  GtkLabel *runs_note;
  GtkListBox *runs;
  GtkWidget *findings_section;
  GtkListBox *findings;
  GtkWidget *results_section;
  GtkListBox *results;
  GtkWidget *changes_section;
  GtkListBox *changes;
  GtkWidget *seen_section;
  GtkListBox *seen;
  GtkLabel *types;
  GtkWidget *next;             /* what can be done with it */

  GHashTable *outcomes;        /* run -> how it went, in words */
};

/* Rows of one list before they are only counted. */
#define MAX_ROWS 6

G_DEFINE_FINAL_TYPE (FlowOverview, flow_overview, FLOW_TYPE_VIEW)

/* --- rows ------------------------------------------------------------------------------------------- */

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
fill_variables (FlowOverview     *self,
                FlowGraph        *graph,
                const FlowCensus *census)
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

/* @nodes: those whose output 0 is shown */
static void
fill_tensors (GtkListBox   *list,
              GtkWidget    *section,
              FlowGraph    *graph,
              const GArray *nodes)
{
  g_autoptr(GArray) endpoints = g_array_sized_new (FALSE, FALSE, sizeof (FlowEndpoint), nodes->len);

  for (guint i = 0; i < nodes->len; i++)
    {
      FlowEndpoint endpoint = { g_array_index (nodes, guint32, i), 0 };

      g_array_append_val (endpoints, endpoint);
    }
  flow_endpoint_list_fill (list, graph, endpoints, MAX_ROWS);
  gtk_widget_set_visible (section, nodes->len > 0);
}

static void
fill_runs (FlowOverview *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  GListModel *runs = flow_ui_session_get_runs (session);
  const char *chosen = flow_ui_session_get_chosen_run (session);
  guint n = g_list_model_get_n_items (runs);

  flow_endpoint_list_clear (self->runs);
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
      const char *outcome = name != NULL ? g_hash_table_lookup (self->outcomes, name) : NULL;

      if (name != NULL)
        append_row (self->runs, g_strcmp0 (name, chosen) == 0 ? "object-select-symbolic" : "flow-run-symbolic", name,
                    outcome != NULL ? outcome : detail, "win.choose-run", name);
    }
  if (n > MAX_ROWS)
    flow_endpoint_list_append_more (self->runs, n - MAX_ROWS);
  gtk_widget_set_visible (GTK_WIDGET (self->runs), n > 0);
  gtk_label_set_label (self->runs_note, flow_ui_session_is_script (session)
                       ? _("The script has no run of this graph under way. Its runs so far stand in the view Script.")
                       : _("No run is known. A run file beside the graph is offered by itself; a run can be described by what it fetches."));
  gtk_widget_set_visible (GTK_WIDGET (self->runs_note), n == 0);
}

static void
fill_seen (FlowOverview *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  FlowGraph *graph = flow_ui_session_get_graph (session);
  g_autoptr(GArray) nodes = flow_ui_session_list_seen (session, MAX_ROWS);

  flow_endpoint_list_clear (self->seen);
  for (guint i = 0; i < nodes->len; i++)
    {
      guint32 node = g_array_index (nodes, guint32, i);

      if (node < flow_graph_get_n_nodes (graph))
        append_row (self->seen, "document-open-recent-symbolic", flow_graph_get_node_name (graph, node),
                    flow_graph_get_node_type (graph, node), "win.select", flow_graph_get_node_name (graph, node));
    }
  gtk_widget_set_visible (self->seen_section, nodes->len > 0);
}

static void
show_census (FlowOverview     *self,
             FlowGraph        *graph,
             const FlowCensus *census)
{
  g_autofree char *types = flow_census_describe_types (census);

  fill_variables (self, graph, census);
  fill_tensors (self->inputs, self->inputs_section, graph, census->inputs);
  fill_tensors (self->results, self->results_section, graph, census->results);
  gtk_label_set_text (self->types, types);
}

static void
census_worker (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  g_task_return_pointer (task, flow_census_take (data), (GDestroyNotify) flow_census_free);
}

static void
census_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  FlowOverview *self = FLOW_OVERVIEW (source);
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  FlowGraph *graph = g_task_get_task_data (G_TASK (result));
  g_autoptr(FlowCensus) census = g_task_propagate_pointer (G_TASK (result), NULL);

  if (session == NULL)
    return;
  /* It may be another graph by now, or a longer one. */
  if (census != NULL && graph == flow_ui_session_get_graph (session))
    show_census (self, graph, census);
  flow_ui_session_release_pending (session);
}

static void
end_reading (gpointer graph)
{
  flow_graph_end_reading (graph);
  g_object_unref (graph);
}

/* Counting a graph of 200,000 nodes takes longer than a person should wait: it is done aside. */
static void
ask_census (FlowOverview *self,
            FlowGraph    *graph)
{
  g_autoptr(GTask) task = g_task_new (self, NULL, census_cb, NULL);

  flow_graph_begin_reading (graph);
  g_task_set_task_data (task, g_object_ref (graph), end_reading);
  flow_ui_session_hold_pending (flow_view_get_session (FLOW_VIEW (self)));
  g_task_run_in_thread (task, census_worker);
}

static void
fill (FlowOverview *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  FlowGraph *graph = session != NULL ? flow_ui_session_get_graph (session) : NULL;

  if (graph == NULL)
    return;
  fill_head (self, graph);
  fill_runs (self);
  fill_seen (self);
  ask_census (self, graph);
}

/* --- how it went ------------------------------------------------------------------------------------ */

/* Done, and how often; failed; or how far it is, where it is in view. */
static char *
describe_outcome (GVariant             *row,
                  const FlowDebugState *state)
{
  gint64 ended = flow_lookup_int (row, "ended", 0);

  if (flow_lookup_bool (row, "failed"))
    return g_strdup (_("failed"));
  if (state != NULL && state->n_done > 0 && state->n_done < state->n_planned &&
      g_strcmp0 (state->run, flow_lookup_string (row, "name")) == 0)
    return g_strdup_printf (_("%u of %u ops"), state->n_done, state->n_planned);
  if (ended > 1)
    return g_strdup_printf (_("done ×%d"), (int) MIN (ended, G_MAXINT));
  return ended == 1 ? g_strdup (_("done")) : NULL;
}

static void
runs_cb (GObject           *owner,
         FlowDebuggerReply *reply,
         const GError      *error,
         gpointer           data)
{
  FlowOverview *self = FLOW_OVERVIEW (owner);
  const FlowDebugState *state = flow_ui_session_get_state (flow_view_get_session (FLOW_VIEW (self)));
  g_autoptr(GVariant) rows = NULL;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(aa{sv})")))
    return;
  rows = g_variant_get_child_value (reply->value, 0);
  g_hash_table_remove_all (self->outcomes);
  for (gsize i = 0; i < g_variant_n_children (rows); i++)
    {
      g_autoptr(GVariant) row = g_variant_get_child_value (rows, i);
      char *outcome = describe_outcome (row, state);

      if (outcome != NULL)
        g_hash_table_insert (self->outcomes, g_strdup (flow_lookup_string (row, "name")), outcome);
    }
  fill_runs (self);
}

typedef struct {
  char *name;
  double distance;
} Change;

static void
change_clear (gpointer data)
{
  g_free (((Change *) data)->name);
}

static int
compare_changes (gconstpointer a,
                 gconstpointer b)
{
  const Change *x = a;
  const Change *y = b;

  return x->distance < y->distance ? 1 : x->distance > y->distance ? -1 : strcmp (x->name, y->name);
}

/* Returns: (transfer full) (nullable): the variables that moved in this run, those that went furthest first */
static gpointer
sort_changes (GVariant *answer)
{
  g_autoptr(GVariant) rows = NULL;
  GArray *changes = NULL;
  GVariantIter iter;
  GVariant *row = NULL;

  if (!g_variant_is_of_type (answer, G_VARIANT_TYPE ("(aa{sv})")))
    return NULL;
  changes = g_array_new (FALSE, FALSE, sizeof (Change));
  g_array_set_clear_func (changes, change_clear);
  rows = g_variant_get_child_value (answer, 0);
  g_variant_iter_init (&iter, rows);
  while (g_variant_iter_loop (&iter, "@a{sv}", &row))
    {
      const char *name = flow_lookup_string (row, "name");
      Change change = { NULL, flow_lookup_double (row, "max_abs_change", 0.0) };

      if (name == NULL || !flow_lookup_bool (row, "changed") || !flow_lookup_has (row, "run_start"))
        continue;
      /* What became NaN went further than anything. */
      if (isnan (change.distance))
        change.distance = INFINITY;
      change.name = g_strdup (name);
      g_array_append_val (changes, change);
    }
  g_array_sort (changes, compare_changes);
  return changes;
}

static void
changes_cb (GObject           *owner,
            FlowDebuggerReply *reply,
            const GError      *error,
            gpointer           data)
{
  FlowOverview *self = FLOW_OVERVIEW (owner);
  const GArray *changes = data;

  if (changes == NULL)
    return;
  flow_endpoint_list_clear (self->changes);
  for (guint i = 0; i < MIN (changes->len, MAX_ROWS); i++)
    {
      const Change *change = &g_array_index (changes, Change, i);
      g_autofree char *number = flow_format_number_compact (change->distance);
      g_autofree char *detail = g_strdup_printf ("|Δ| %s", number);

      append_row (self->changes, "document-edit-symbolic", change->name, detail, "win.select", change->name);
    }
  if (changes->len > MAX_ROWS)
    flow_endpoint_list_append_more (self->changes, changes->len - MAX_ROWS);
  gtk_widget_set_visible (self->changes_section, changes->len > 0);
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
  flow_endpoint_list_clear (self->findings);
  for (guint i = 0; i < MIN (texts->len, MAX_ROWS); i++)
    {
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, texts->pdata[i]));
      g_autofree char *times = n > 1 ? g_strdup_printf ("×%u", n) : NULL;

      append_row (self->findings, "dialog-warning-symbolic", texts->pdata[i], times, "win.show-panel", "diagnostics");
    }
  if (texts->len > MAX_ROWS)
    flow_endpoint_list_append_more (self->findings, texts->len - MAX_ROWS);
  gtk_widget_set_visible (self->findings_section, texts->len > 0);
}

/* --- making ----------------------------------------------------------------------------------------- */

static void
tensor_activated_cb (GtkListBox    *list,
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
flow_overview_selection_changed (FlowView *view)
{
  if (flow_ui_session_get_graph (flow_view_get_session (view)) != NULL)
    fill_seen (FLOW_OVERVIEW (view));
}

static void
flow_overview_refresh (FlowView *view)
{
  FlowUiSession *session = flow_view_get_session (view);

  if (flow_ui_session_get_graph (session) == NULL)
    return;
  fill_seen (FLOW_OVERVIEW (view));
  flow_ui_session_query (session, view, "outcomes", "ListRuns", NULL, runs_cb, NULL);
  flow_ui_session_query_digested (session, view, "changes", "Variables", NULL, sort_changes,
                                  (GDestroyNotify) g_array_unref, changes_cb);
}

static void
flow_overview_finalize (GObject *object)
{
  g_hash_table_unref (FLOW_OVERVIEW (object)->outcomes);

  G_OBJECT_CLASS (flow_overview_parent_class)->finalize (object);
}

static void
flow_overview_class_init (FlowOverviewClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = flow_overview_finalize;
  FLOW_VIEW_CLASS (klass)->selection_changed = flow_overview_selection_changed;
  FLOW_VIEW_CLASS (klass)->graph_changed = flow_overview_changed;
  FLOW_VIEW_CLASS (klass)->plan_changed = flow_overview_plan_changed;
  FLOW_VIEW_CLASS (klass)->refresh = flow_overview_refresh;
}

static void
flow_overview_init (FlowOverview *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *types = NULL;

  self->outcomes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
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
  self->runs_note = GTK_LABEL (make_label (NULL, "dim-label"));
  gtk_box_append (GTK_BOX (self->runs_section), GTK_WIDGET (self->runs_note));
  self->findings = make_list (_("Diagnostics"));
  self->findings_section = make_section (box, _("Diagnostics"), self->findings);
  gtk_widget_set_visible (self->findings_section, FALSE);
  self->changes = make_list (_("Changed in This Run"));
  self->changes_section = make_section (box, _("Changed in This Run"), self->changes);
  gtk_widget_set_visible (self->changes_section, FALSE);
  self->seen = make_list (_("Looked At"));
  self->seen_section = make_section (box, _("Looked At"), self->seen);
  gtk_widget_set_visible (self->seen_section, FALSE);
  self->inputs = make_list (_("Placeholders"));
  self->inputs_section = make_section (box, _("Placeholders"), self->inputs);
  g_signal_connect_object (self->inputs, "row-activated", G_CALLBACK (tensor_activated_cb), self, 0);
  self->results = make_list (_("Results"));
  self->results_section = make_section (box, _("Results"), self->results);
  g_signal_connect_object (self->results, "row-activated", G_CALLBACK (tensor_activated_cb), self, 0);
  types = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  self->types = GTK_LABEL (make_label (NULL, "flow-small"));
  gtk_box_append (GTK_BOX (types), make_label (_("Made of"), "flow-section"));
  gtk_box_append (GTK_BOX (types), GTK_WIDGET (self->types));
  gtk_box_append (GTK_BOX (box), types);
  self->next = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
  make_next (self);
  gtk_box_append (GTK_BOX (box), self->next);

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), box);
  adw_bin_set_child (ADW_BIN (self), scroller);
}
