/* flow-checkpoint-view.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-checkpoint-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "flow-format.h"
#include "flow-tab-stop.h"
#include "flow-table.h"

/**
 * FlowCheckpointView:
 *
 * Restoring with comparison: what each variable was before and after, sorted by change; what is only
 * in the graph, only in the file, and where shapes or dtypes clash.
 */
enum {
  PAGE_RESTORED,
  PAGE_MATCHED,
  PAGE_ONLY_GRAPH,
  PAGE_ONLY_FILE,
  PAGE_CLASHES,
  N_PAGES
};

struct _FlowCheckpointView
{
  FlowView parent_instance;

  /* template */
  GtkEntry *entry;
  GtkWidget *result_bar;
  GtkLabel *summary;
  GtkLabel *problem;
  GtkStack *stack;

  /* owned */
  GListStore *stores[N_PAGES];
  char *restoring;

  /* borrowed */
  GtkColumnView *tables[N_PAGES];
};

static const char *const page_names[N_PAGES] = {
  "restored", "matched", "only-graph", "only-file", "clashes",
};

G_DEFINE_FINAL_TYPE (FlowCheckpointView, flow_checkpoint_view, FLOW_TYPE_VIEW)

/* --- Cells --- */

static char *
name_text (GVariant *row,
           gpointer  data)
{
  return g_strdup (flow_lookup_string (row, "name"));
}

static char *
side_text (GVariant   *row,
           const char *key)
{
  g_autoptr(GVariant) side = g_variant_lookup_value (row, key, G_VARIANT_TYPE ("a{sv}"));

  return side != NULL ? flow_format_range (side) : g_strdup ("");
}

static char *
before_text (GVariant *row,
             gpointer  data)
{
  if (flow_lookup_bool (row, "uninitialized_before"))
    return g_strdup (_("uninitialized"));
  return side_text (row, "before");
}

static const char *
before_css (GVariant *row,
            gpointer  data)
{
  return flow_lookup_bool (row, "uninitialized_before") ? "dim-label" : NULL;
}

static char *
after_text (GVariant *row,
            gpointer  data)
{
  return side_text (row, "after");
}

static char *
difference_text (GVariant *row,
                 gpointer  data)
{
  double value = flow_lookup_double (row, data, NAN);

  if (flow_lookup_bool (row, "uninitialized_before"))
    return g_strdup ("—");
  return isnan (value) ? g_strdup ("") : flow_format_number_compact (value);
}

static const char *
difference_css (GVariant *row,
                gpointer  data)
{
  return flow_lookup_double (row, "max_abs", 0) != 0 ? "flow-delta" : "dim-label";
}

static char *
changed_text (GVariant *row,
              gpointer  data)
{
  gint64 n = flow_lookup_int (row, "changed", -1);

  if (flow_lookup_bool (row, "uninitialized_before"))
    return g_strdup (_("all"));
  return n >= 0 ? flow_format_count ((guint64) n) : NULL;
}

static char *
key_text (GVariant *row,
          gpointer  data)
{
  return g_strdup (flow_lookup_string (row, data));
}

/* --- Pages --- */

static void
add_page (FlowCheckpointView    *self,
          guint                  page,
          const FlowTableColumn *columns,
          const gpointer        *data,
          guint                  n_columns)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *table = gtk_column_view_new (NULL);

  gtk_widget_add_css_class (table, "flow-table");
  for (guint i = 0; i < n_columns; i++)
    flow_table_add_column (GTK_COLUMN_VIEW (table), &columns[i], data[i]);
  self->stores[page] = g_list_store_new (FLOW_TYPE_VARIANT_ITEM);
  self->tables[page] = GTK_COLUMN_VIEW (table);
  flow_table_set_model (GTK_COLUMN_VIEW (table), G_LIST_MODEL (self->stores[page]));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), table);
  gtk_stack_add_titled (self->stack, g_object_new (FLOW_TYPE_TAB_STOP, "child", scroller, NULL), page_names[page],
                        page_names[page]);
}

static void
add_pages (FlowCheckpointView *self)
{
  const FlowTableColumn restored[] = {
    { _("Variable"), name_text, NULL, "name", -1, 0, TRUE },
    { _("Before"), before_text, before_css, NULL, 180, 0, TRUE },
    { _("After"), after_text, NULL, NULL, 180, 0, TRUE },
    { _("max |Δ|"), difference_text, difference_css, "max_abs", 100, 0, TRUE },
    { _("max rel. Δ"), difference_text, NULL, "max_rel", 100, 0, TRUE },
    { _("Elements changed"), changed_text, NULL, "changed", 140, 0, TRUE },
  };
  const gpointer restored_data[] = {
    NULL, NULL, NULL, (gpointer) "max_abs", (gpointer) "max_rel", NULL,
  };
  const FlowTableColumn names[] = {
    { _("Variable"), name_text, NULL, "name", -1, 0, TRUE },
  };
  const FlowTableColumn nearest[] = {
    { _("Variable"), name_text, NULL, "name", -1, 0, TRUE },
    { _("Nearest name in the file"), key_text, NULL, "nearest", -1, 0, TRUE },
  };
  const FlowTableColumn clashes[] = {
    { _("Variable"), name_text, NULL, "name", -1, 0, TRUE },
    { _("In the graph"), key_text, NULL, "graph", 240, 0, TRUE },
    { _("In the file"), key_text, NULL, "file", 240, 0, TRUE },
  };
  const gpointer none[] = { NULL };
  const gpointer nearest_data[] = { NULL, (gpointer) "nearest" };
  const gpointer clashes_data[] = { NULL, (gpointer) "graph", (gpointer) "file" };

  add_page (self, PAGE_RESTORED, restored, restored_data, G_N_ELEMENTS (restored));
  add_page (self, PAGE_MATCHED, names, none, G_N_ELEMENTS (names));
  add_page (self, PAGE_ONLY_GRAPH, nearest, nearest_data, G_N_ELEMENTS (nearest));
  add_page (self, PAGE_ONLY_FILE, names, none, G_N_ELEMENTS (names));
  add_page (self, PAGE_CLASHES, clashes, clashes_data, G_N_ELEMENTS (clashes));
}

static void
set_page (FlowCheckpointView *self,
          guint               page,
          const char         *title,
          GVariant           *rows)
{
  g_autoptr(GVariant) sunk = g_variant_ref_sink (rows);
  guint n = (guint) g_variant_n_children (sunk);
  g_autofree char *text = g_strdup_printf ("%s  %u", title, n);
  GtkStackPage *stack_page =
    gtk_stack_get_page (self->stack, gtk_stack_get_child_by_name (self->stack, page_names[page]));

  flow_variant_store_update (self->stores[page], sunk, "name");
  gtk_stack_page_set_title (stack_page, text);
  gtk_stack_page_set_needs_attention (stack_page, page == PAGE_CLASHES && n > 0);
}

/* @nearest: (nullable): a{ss} */
static GVariant *
name_rows (char    **names,
           GVariant *nearest)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; names[i] != NULL; i++)
    {
      const char *near_name = NULL;

      g_variant_builder_open (&builder, G_VARIANT_TYPE ("a{sv}"));
      g_variant_builder_add (&builder, "{sv}", "name", g_variant_new_string (names[i]));
      if (nearest != NULL && g_variant_lookup (nearest, names[i], "&s", &near_name))
        g_variant_builder_add (&builder, "{sv}", "nearest", g_variant_new_string (near_name));
      g_variant_builder_close (&builder);
    }
  return g_variant_builder_end (&builder);
}

static void
show_problem (FlowCheckpointView *self,
              const char         *text)
{
  gtk_label_set_text (self->problem, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->problem), text != NULL);
}

/* --- Asking --- */

static void
match_answer_cb (GObject           *owner,
                 FlowDebuggerReply *reply,
                 const GError      *error,
                 gpointer           data)
{
  FlowCheckpointView *self = FLOW_CHECKPOINT_VIEW (owner);
  g_autoptr(GVariant) dict = NULL;
  g_autoptr(GVariant) clashes = NULL;
  g_autoptr(GVariant) nearest = NULL;
  g_auto(GStrv) matched = NULL;
  g_auto(GStrv) only_graph = NULL;
  g_auto(GStrv) only_file = NULL;

  if (error != NULL)
    {
      show_problem (self, error->message);
      return;
    }
  if (!g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a{sv})")))
    return;
  dict = g_variant_get_child_value (reply->value, 0);
  matched = flow_lookup_strv (dict, "matched");
  only_graph = flow_lookup_strv (dict, "only_graph");
  only_file = flow_lookup_strv (dict, "only_file");
  nearest = g_variant_lookup_value (dict, "nearest", G_VARIANT_TYPE ("a{ss}"));
  clashes = g_variant_lookup_value (dict, "clashes", G_VARIANT_TYPE ("aa{sv}"));
  set_page (self, PAGE_MATCHED, _("In both"), name_rows (matched, NULL));
  set_page (self, PAGE_ONLY_GRAPH, _("Only in graph"), name_rows (only_graph, nearest));
  set_page (self, PAGE_ONLY_FILE, _("Only in file"), name_rows (only_file, NULL));
  set_page (self, PAGE_CLASHES, _("Clashes"),
            clashes != NULL ? clashes : g_variant_new ("aa{sv}", NULL));
  gtk_widget_set_visible (self->result_bar, TRUE);
  if (g_list_model_get_n_items (G_LIST_MODEL (self->stores[PAGE_RESTORED])) == 0)
    gtk_stack_set_visible_child_name (self->stack, page_names[PAGE_MATCHED]);
}

static void
ask_match (FlowCheckpointView *self,
           const char         *prefix)
{
  show_problem (self, NULL);
  flow_ui_session_query (flow_view_get_session (FLOW_VIEW (self)), self, "match",
                         "MatchCheckpoint", g_variant_new ("(s)", prefix), match_answer_cb, NULL);
}

static void
match_cb (FlowCheckpointView *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));

  if (text[0] != '\0')
    ask_match (self, text);
}

static void
restored_cb (GObject           *owner,
             FlowDebuggerReply *reply,
             const GError      *error,
             gpointer           data)
{
  FlowCheckpointView *self = FLOW_CHECKPOINT_VIEW (owner);
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  GtkColumnViewColumn *column = NULL;
  g_autoptr(GVariant) rows = NULL;
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;
  guint n_changed = 0;
  guint n = 0;

  if (error != NULL)
    {
      show_problem (self, error->message);
      return;
    }
  if (!g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(aa{sv})")))
    return;
  rows = g_variant_get_child_value (reply->value, 0);
  n = (guint) g_variant_n_children (rows);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr(GVariant) row = g_variant_get_child_value (rows, i);

      n_changed += flow_lookup_int (row, "changed", 0) != 0 ||
                   flow_lookup_bool (row, "uninitialized_before");
    }
  set_page (self, PAGE_RESTORED, _("Restored"), rows);
  name = g_path_get_basename (self->restoring);
  text = g_strdup_printf (_("%u of %u variables changed by %s"), n_changed, n, name);
  gtk_label_set_text (self->summary, text);
  gtk_widget_set_visible (self->result_bar, TRUE);
  gtk_stack_set_visible_child_name (self->stack, page_names[PAGE_RESTORED]);
  /* Biggest change first. */
  column = g_list_model_get_item (gtk_column_view_get_columns (self->tables[PAGE_RESTORED]), 3);
  gtk_column_view_sort_by_column (self->tables[PAGE_RESTORED], column, GTK_SORT_DESCENDING);
  g_object_unref (column);
  flow_ui_session_set_restored_from (session, self->restoring);
  flow_ui_session_values_written (session);
  ask_match (self, self->restoring);
}

/* Restores @prefix in the session and shows what it changed. */
void
flow_checkpoint_view_restore (FlowCheckpointView *self,
                              const char         *prefix)
{
  g_return_if_fail (FLOW_IS_CHECKPOINT_VIEW (self));

  g_free (self->restoring);
  self->restoring = g_strdup (prefix);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), prefix);
  show_problem (self, NULL);
  flow_ui_session_command (flow_view_get_session (FLOW_VIEW (self)), NULL, "RestoreCheckpoint",
                           g_variant_new ("(sa{ss}as)", prefix, NULL, NULL), NULL, self,
                           restored_cb, NULL);
}

static void
restore_cb (FlowCheckpointView *self)
{
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry)));

  if (text[0] != '\0')
    flow_checkpoint_view_restore (self, text);
}

static void
flow_checkpoint_view_graph_changed (FlowView *view)
{
  FlowCheckpointView *self = FLOW_CHECKPOINT_VIEW (view);

  for (guint i = 0; i < N_PAGES; i++)
    g_list_store_remove_all (self->stores[i]);
  gtk_label_set_text (self->summary, "");
  gtk_widget_set_visible (self->result_bar, FALSE);
  show_problem (self, NULL);
}

static void
flow_checkpoint_view_dispose (GObject *object)
{
  FlowCheckpointView *self = FLOW_CHECKPOINT_VIEW (object);

  for (guint i = 0; i < N_PAGES; i++)
    {
      if (self->tables[i] != NULL)
        gtk_column_view_set_model (self->tables[i], NULL);
      self->tables[i] = NULL;
      g_clear_object (&self->stores[i]);
    }
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), FLOW_TYPE_CHECKPOINT_VIEW);

  G_OBJECT_CLASS (flow_checkpoint_view_parent_class)->dispose (object);
}

static void
flow_checkpoint_view_finalize (GObject *object)
{
  g_free (FLOW_CHECKPOINT_VIEW (object)->restoring);

  G_OBJECT_CLASS (flow_checkpoint_view_parent_class)->finalize (object);
}

static void
flow_checkpoint_view_class_init (FlowCheckpointViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_checkpoint_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = flow_checkpoint_view_finalize;
  FLOW_VIEW_CLASS (klass)->graph_changed = flow_checkpoint_view_graph_changed;

  gtk_widget_class_set_template_from_resource (
    widget_class, "/org/flowstep/Flowstep/ui/checkpoint/flow-checkpoint-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FlowCheckpointView, entry);
  gtk_widget_class_bind_template_child (widget_class, FlowCheckpointView, result_bar);
  gtk_widget_class_bind_template_child (widget_class, FlowCheckpointView, summary);
  gtk_widget_class_bind_template_child (widget_class, FlowCheckpointView, problem);
  gtk_widget_class_bind_template_child (widget_class, FlowCheckpointView, stack);
  gtk_widget_class_bind_template_callback (widget_class, match_cb);
  gtk_widget_class_bind_template_callback (widget_class, restore_cb);
}

static void
flow_checkpoint_view_init (FlowCheckpointView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  add_pages (self);
  for (guint i = 0; i < N_PAGES; i++)
    gtk_stack_page_set_title (
      gtk_stack_get_page (self->stack, gtk_stack_get_child_by_name (self->stack, page_names[i])),
      page_names[i]);
}
