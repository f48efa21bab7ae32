/* flow-plans-view.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-plans-view.h"

#include <glib/gi18n.h>
#include <string.h>

#include "flow-format.h"
#include "flow-table.h"
#include "flow-tooltip.h"
#include "flow-variant-rows.h"

/**
 * FlowPlansView:
 *
 * The plan cache: every combination of feeds and fetches that was planned, with its nodes and how often it
 * was found again. Two chosen ones are compared: `compared` gives a byte per node (see
 * flow_canvas_set_tint()), or nothing when the comparison ends; nodes with state that both share are listed.
 */
struct _FlowPlansView
{
  FlowView parent_instance;

  /* owned */
  GListStore *rows;
  GListStore *shared;
  char *first;               /* ids of the two that are compared */
  char *second;
  GStrv run_names;           /* beside the rows of the drop-downs: ids */

  /* borrowed */
  GtkColumnView *table;
  GtkColumnView *shared_table;
  GtkDropDown *choosers[2];
  GtkLabel *summary;
  GtkWidget *clear;

  gboolean filling;
};

enum {
  SIGNAL_COMPARED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FlowPlansView, flow_plans_view, FLOW_TYPE_VIEW)

/* --- Cells --- */

static char *
join (GVariant   *row,
      const char *key)
{
  g_auto(GStrv) names = flow_lookup_strv (row, key);

  return g_strjoinv (", ", names);
}

static char *
list_text (GVariant *row,
           gpointer  data)
{
  return join (row, data);
}

static char *
wanted_text (GVariant *row,
             gpointer  data)
{
  g_autofree char *fetches = join (row, "fetches");
  g_autofree char *targets = join (row, "targets");

  return g_strdup_printf ("%s%s%s", fetches, fetches[0] != '\0' && targets[0] != '\0' ? ", " : "", targets);
}

static char *
number_text (GVariant *row,
             gpointer  data)
{
  return flow_format_count ((guint64) flow_lookup_int (row, data, 0));
}

static const char *
run_css (GVariant *row,
         gpointer  data)
{
  return flow_lookup_bool (row, "current") ? "flow-now" : NULL;
}

static char *
key_text (GVariant *row,
          gpointer  data)
{
  return g_strdup (flow_lookup_string (row, data));
}

/* What a plan is called where there is little room. */
static char *
plan_title (GVariant *row)
{
  g_autofree char *runs = join (row, "runs");

  return runs[0] != '\0' ? g_strdup (runs) : wanted_text (row, NULL);
}

/* --- Comparing --- */

static guint
mark (guint8     *tint,
      gsize       n_nodes,
      GVariant   *dict,
      const char *key,
      guint8      value)
{
  g_autoptr(GVariant) list = g_variant_lookup_value (dict, key, G_VARIANT_TYPE ("au"));
  gsize n = 0;
  const guint32 *nodes = list != NULL ? g_variant_get_fixed_array (list, &n, sizeof (guint32)) : NULL;

  for (gsize i = 0; i < n; i++)
    if (nodes[i] < n_nodes)
      tint[nodes[i]] = value;
  return (guint) n;
}

static void
fill_shared (FlowPlansView *self,
             FlowGraph     *graph,
             GVariant      *dict)
{
  g_autoptr(GVariant) list = g_variant_lookup_value (dict, "shared_stateful", G_VARIANT_TYPE ("au"));
  g_autoptr(GVariant) rows = NULL;
  gsize n = 0;
  const guint32 *nodes = list != NULL ? g_variant_get_fixed_array (list, &n, sizeof (guint32)) : NULL;
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (gsize i = 0; i < n; i++)
    {
      if (nodes[i] >= flow_graph_get_n_nodes (graph))
        continue;
      g_variant_builder_open (&builder, G_VARIANT_TYPE ("a{sv}"));
      g_variant_builder_add (&builder, "{sv}", "name",
                             g_variant_new_string (flow_graph_get_node_name (graph, nodes[i])));
      g_variant_builder_add (&builder, "{sv}", "type",
                             g_variant_new_string (flow_graph_get_node_type (graph, nodes[i])));
      g_variant_builder_add (&builder, "{sv}", "node", g_variant_new_uint32 (nodes[i]));
      g_variant_builder_close (&builder);
    }
  rows = g_variant_ref_sink (g_variant_builder_end (&builder));
  flow_variant_store_update (self->shared, rows, "name");
}

static void
compared_cb (GObject           *owner,
             FlowDebuggerReply *reply,
             const GError      *error,
             gpointer           data)
{
  FlowPlansView *self = FLOW_PLANS_VIEW (owner);
  FlowGraph *graph = flow_ui_session_get_graph (flow_view_get_session (FLOW_VIEW (self)));
  g_autoptr(GVariant) dict = NULL;
  g_autoptr(GBytes) bytes = NULL;
  g_autofree char *text = NULL;
  guint8 *tint = NULL;
  gsize n = 0;
  guint both = 0;
  guint only_a = 0;
  guint only_b = 0;

  if (error != NULL)
    {
      gtk_label_set_text (self->summary, error->message);
      return;
    }
  if (graph == NULL || self->first == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a{sv})")))
    return;
  dict = g_variant_get_child_value (reply->value, 0);
  n = flow_graph_get_n_nodes (graph);
  tint = g_malloc0 (n + 1);
  both = mark (tint, n, dict, "shared", 1);
  only_a = mark (tint, n, dict, "only_a", 2);
  only_b = mark (tint, n, dict, "only_b", 3);
  bytes = g_bytes_new_take (tint, n);
  fill_shared (self, graph, dict);
  text = g_strdup_printf (ngettext ("%u op in both, %u only in A, %u only in B, %u with state in both",
                                    "%u ops in both, %u only in A, %u only in B, %u with state in both", both), both, only_a, only_b,
                          g_list_model_get_n_items (G_LIST_MODEL (self->shared)));
  gtk_label_set_text (self->summary, text);
  gtk_widget_set_sensitive (self->clear, TRUE);
  g_signal_emit (self, signals[SIGNAL_COMPARED], 0, bytes);
}

static void
ask (FlowPlansView *self)
{
  if (self->first == NULL || self->second == NULL || strcmp (self->first, self->second) == 0)
    return;
  flow_ui_session_query (flow_view_get_session (FLOW_VIEW (self)), self, "compare", "ComparePlans",
                         g_variant_new ("(ss)", self->first, self->second), compared_cb, NULL);
}

static void
clear_cb (FlowPlansView *self)
{
  g_clear_pointer (&self->first, g_free);
  g_clear_pointer (&self->second, g_free);
  self->filling = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (self->choosers); i++)
    gtk_drop_down_set_selected (self->choosers[i], GTK_INVALID_LIST_POSITION);
  self->filling = FALSE;
  g_list_store_remove_all (self->shared);
  gtk_label_set_text (self->summary, _("Choose two plans to see what they share"));
  gtk_widget_set_sensitive (self->clear, FALSE);
  g_signal_emit (self, signals[SIGNAL_COMPARED], 0, NULL);
}

/* @id: of a plan, or the name of a run that is planned so */
static void
select_id (FlowPlansView *self,
           guint          which,
           const char    *id)
{
  for (guint i = 0; id != NULL && i < g_list_model_get_n_items (G_LIST_MODEL (self->rows)); i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (G_LIST_MODEL (self->rows), i);
      g_auto(GStrv) runs = flow_lookup_strv (flow_variant_item_get_value (item), "runs");

      if (g_strcmp0 (flow_variant_item_get_string (item, "id"), id) == 0 ||
          g_strv_contains ((const char *const *) runs, id))
        gtk_drop_down_set_selected (self->choosers[which], i);
    }
}

/* @a, @b: ids of plans or names of runs. */
void
flow_plans_view_compare (FlowPlansView *self,
                         const char    *a,
                         const char    *b)
{
  g_return_if_fail (FLOW_IS_PLANS_VIEW (self));

  g_free (self->first);
  g_free (self->second);
  self->first = g_strdup (a);
  self->second = g_strdup (b);
  self->filling = TRUE;
  select_id (self, 0, a);
  select_id (self, 1, b);
  self->filling = FALSE;
  ask (self);
}

static void
chosen_cb (GtkDropDown   *chooser,
           GParamSpec    *pspec,
           FlowPlansView *self)
{
  guint i = gtk_drop_down_get_selected (chooser);
  char **id = chooser == self->choosers[0] ? &self->first : &self->second;

  if (self->filling || self->run_names == NULL || i >= g_strv_length (self->run_names))
    return;
  g_free (*id);
  *id = g_strdup (self->run_names[i]);
  ask (self);
}

/* --- View --- */

static void
fill_choosers (FlowPlansView *self,
               GVariant      *rows)
{
  g_autoptr(GtkStringList) titles = gtk_string_list_new (NULL);
  GPtrArray *ids = g_ptr_array_new ();

  for (gsize i = 0; i < g_variant_n_children (rows); i++)
    {
      g_autoptr(GVariant) row = g_variant_get_child_value (rows, i);
      g_autofree char *title = plan_title (row);

      gtk_string_list_append (titles, title);
      g_ptr_array_add (ids, g_strdup (flow_lookup_string (row, "id")));
    }
  g_ptr_array_add (ids, NULL);
  g_strfreev (self->run_names);
  self->run_names = (GStrv) g_ptr_array_free (ids, FALSE);
  self->filling = TRUE;
  for (guint k = 0; k < G_N_ELEMENTS (self->choosers); k++)
    {
      gtk_drop_down_set_model (self->choosers[k], G_LIST_MODEL (titles));
      gtk_drop_down_set_selected (self->choosers[k], GTK_INVALID_LIST_POSITION);
      select_id (self, k, k == 0 ? self->first : self->second);
    }
  self->filling = FALSE;
}

static void
plans_cb (GObject           *owner,
          FlowDebuggerReply *reply,
          const GError      *error,
          gpointer           data)
{
  FlowPlansView *self = FLOW_PLANS_VIEW (owner);
  g_autoptr(GVariant) rows = NULL;
  guint n = 0;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(aa{sv})")))
    return;
  rows = g_variant_get_child_value (reply->value, 0);
  n = g_list_model_get_n_items (G_LIST_MODEL (self->rows));
  flow_variant_store_update (self->rows, rows, "id");
  if (n != g_variant_n_children (rows))
    fill_choosers (self, rows);
}

static void
flow_plans_view_refresh (FlowView *view)
{
  FlowUiSession *session = flow_view_get_session (view);

  if (flow_ui_session_get_graph (session) != NULL)
    flow_ui_session_query (session, view, "plans", "Plans", NULL, plans_cb, NULL);
}

static void
flow_plans_view_graph_changed (FlowView *view)
{
  clear_cb (FLOW_PLANS_VIEW (view));
}

static void
selected_cb (GtkSingleSelection *selection,
             GParamSpec         *pspec,
             FlowPlansView      *self)
{
  gint64 node = flow_lookup_int (flow_table_get_selected (self->shared_table), "node", FLOW_NODE_NONE);

  if (node >= 0 && node != FLOW_NODE_NONE)
    flow_ui_session_select (flow_view_get_session (FLOW_VIEW (self)), (guint32) node, FLOW_SCOPE_NONE);
}

/* A plan of a run is chosen with Enter or a double click. */
static void
activate_cb (FlowPlansView *self)
{
  g_auto(GStrv) runs = NULL;
  GVariant *row = flow_table_get_selected (self->table);

  if (row == NULL)
    return;
  runs = flow_lookup_strv (row, "runs");
  if (runs[0] != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.choose-run", "s", runs[0]);
}

static void
flow_plans_view_dispose (GObject *object)
{
  FlowPlansView *self = FLOW_PLANS_VIEW (object);

  if (self->table != NULL)
    {
      gtk_column_view_set_model (self->table, NULL);
      gtk_column_view_set_model (self->shared_table, NULL);
    }
  self->table = NULL;
  g_clear_object (&self->rows);
  g_clear_object (&self->shared);
  adw_bin_set_child (ADW_BIN (self), NULL);

  G_OBJECT_CLASS (flow_plans_view_parent_class)->dispose (object);
}

static void
flow_plans_view_finalize (GObject *object)
{
  FlowPlansView *self = FLOW_PLANS_VIEW (object);

  g_free (self->first);
  g_free (self->second);
  g_strfreev (self->run_names);

  G_OBJECT_CLASS (flow_plans_view_parent_class)->finalize (object);
}

static void
flow_plans_view_class_init (FlowPlansViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = flow_plans_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = flow_plans_view_finalize;
  FLOW_VIEW_CLASS (klass)->refresh = flow_plans_view_refresh;
  FLOW_VIEW_CLASS (klass)->graph_changed = flow_plans_view_graph_changed;

  signals[SIGNAL_COMPARED] =
    g_signal_new ("compared", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_BYTES);
}

static GtkWidget *
create_bar (FlowPlansView *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  const char *const letters[] = { "A", "B" };
  const char *const names[] = { _("First plan"), _("Second plan") };

  gtk_widget_add_css_class (bar, "flow-entry-bar");
  for (guint i = 0; i < G_N_ELEMENTS (self->choosers); i++)
    {
      GtkWidget *letter = gtk_label_new (letters[i]);

      self->choosers[i] = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
      gtk_widget_set_size_request (GTK_WIDGET (self->choosers[i]), 170, -1);
      gtk_widget_add_css_class (letter, "heading");
      flow_tooltip_set (GTK_WIDGET (self->choosers[i]), names[i]);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->choosers[i]), GTK_ACCESSIBLE_PROPERTY_LABEL, names[i],
                                      -1);
      g_signal_connect_object (self->choosers[i], "notify::selected", G_CALLBACK (chosen_cb), self, 0);
      gtk_box_append (GTK_BOX (bar), letter);
      gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->choosers[i]));
    }
  self->summary = GTK_LABEL (gtk_label_new (_("Choose two plans to see what they share")));
  gtk_label_set_xalign (self->summary, 0);
  gtk_label_set_ellipsize (self->summary, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (GTK_WIDGET (self->summary), TRUE);
  self->clear = gtk_button_new_with_label (_("Clear"));
  gtk_widget_set_sensitive (self->clear, FALSE);
  flow_tooltip_set (self->clear, _("Take the colours off the graph"));
  g_signal_connect_object (self->clear, "clicked", G_CALLBACK (clear_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->summary));
  gtk_box_append (GTK_BOX (bar), self->clear);
  return bar;
}

static void
flow_plans_view_init (FlowPlansView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  const FlowTableColumn columns[] = {
    { _("Run"), list_text, run_css, NULL, 120, 0, FALSE },
    { _("Fetches and targets"), wanted_text, NULL, NULL, -1, 0, TRUE },
    { _("Feeds"), list_text, NULL, NULL, -1, 0, TRUE },
    { _("Ops"), number_text, NULL, "nodes", 70, 1, TRUE },
    { _("Runs"), number_text, NULL, "used", 60, 1, TRUE },
    { _("Hits"), number_text, NULL, "hits", 60, 1, TRUE },
  };
  const gpointer data[] = { (gpointer) "runs", NULL, (gpointer) "feeds", (gpointer) "nodes", (gpointer) "used",
                            (gpointer) "hits" };
  const FlowTableColumn shared[] = {
    { _("With state, in both"), key_text, NULL, "name", -1, 0, TRUE },
    { _("Type"), key_text, NULL, "type", 120, 0, FALSE },
  };
  const gpointer shared_data[] = { (gpointer) "name", (gpointer) "type" };

  self->rows = g_list_store_new (FLOW_TYPE_VARIANT_ITEM);
  self->shared = g_list_store_new (FLOW_TYPE_VARIANT_ITEM);
  self->table = flow_table_new (self->rows, columns, data, G_N_ELEMENTS (columns));
  self->shared_table = flow_table_new (self->shared, shared, shared_data, G_N_ELEMENTS (shared));
  g_signal_connect_object (self->table, "activate", G_CALLBACK (activate_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_column_view_get_model (self->shared_table), "notify::selected",
                           G_CALLBACK (selected_cb), self, 0);
  gtk_paned_set_start_child (GTK_PANED (paned), flow_table_scrolled (self->table, _("Plans")));
  gtk_paned_set_end_child (GTK_PANED (paned), flow_table_scrolled (self->shared_table, _("Nodes with state, in both")));
  gtk_paned_set_position (GTK_PANED (paned), 620);
  gtk_widget_set_vexpand (paned, TRUE);
  gtk_box_append (GTK_BOX (box), create_bar (self));
  gtk_box_append (GTK_BOX (box), paned);
  adw_bin_set_child (ADW_BIN (self), box);
}
