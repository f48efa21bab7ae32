/* flow-diagnostics-view.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-diagnostics-view.h"

#include <glib/gi18n.h>

#include "flow-format.h"

/**
 * FlowDiagnosticsView:
 *
 * What is wrong or worth knowing about the file and the chosen run: nodes that could not be read, ops
 * that cannot be run, UPDATE_OPS left out, variables without a value, feeds that do not fit.
 */
struct _FlowDiagnosticsView
{
  FlowView parent_instance;

  /* template */
  GtkListBox *list;

  guint count;
};

/* Nodes named in one finding; a longer list says how many more. */
#define MAX_NAMES 6
#define MAX_PROBLEMS 200

enum {
  SIGNAL_COUNT_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FlowDiagnosticsView, flow_diagnostics_view, FLOW_TYPE_VIEW)

static void
add_finding (FlowDiagnosticsView *self,
             const char          *icon,
             const char          *title,
             const char          *text,
             const char          *node)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *head = gtk_label_new (title);
  GtkWidget *body = gtk_label_new (text);
  GtkWidget *image = gtk_image_new_from_icon_name (icon);
  GtkWidget *row = gtk_list_box_row_new ();

  gtk_widget_set_valign (image, GTK_ALIGN_START);
  gtk_widget_add_css_class (image, g_str_has_prefix (icon, "dialog-error") ? "error" : "warning");
  gtk_label_set_xalign (GTK_LABEL (head), 0);
  gtk_label_set_wrap (GTK_LABEL (head), TRUE);
  gtk_widget_add_css_class (head, "heading");
  gtk_label_set_xalign (GTK_LABEL (body), 0);
  gtk_label_set_wrap (GTK_LABEL (body), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (body), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (body, "dim-label");
  gtk_box_append (GTK_BOX (words), head);
  if (text != NULL && text[0] != '\0')
    gtk_box_append (GTK_BOX (words), body);
  else
    g_object_unref (g_object_ref_sink (body));
  gtk_widget_set_hexpand (words, TRUE);
  gtk_box_append (GTK_BOX (box), image);
  gtk_box_append (GTK_BOX (box), words);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data_full (G_OBJECT (row), "flow-node", g_strdup (node), g_free);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_list_box_append (self->list, row);
  self->count++;
}

static char *
join_names (char **names)
{
  GString *text = g_string_new (NULL);
  guint n = g_strv_length (names);

  for (guint i = 0; i < MIN (n, MAX_NAMES); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", names[i]);
  if (n > MAX_NAMES)
    g_string_append_printf (text, ngettext (" and %u more", " and %u more", n - MAX_NAMES),
                            n - MAX_NAMES);
  return g_string_free (text, FALSE);
}

static void
add_names (FlowDiagnosticsView *self,
           const char          *title_format,
           char               **names,
           const char          *advice)
{
  guint n = g_strv_length (names);
  g_autofree char *title = NULL;
  g_autofree char *joined = NULL;
  g_autofree char *text = NULL;

  if (n == 0)
    return;
  title = g_strdup_printf (title_format, n);
  joined = join_names (names);
  text = g_strdup_printf ("%s\n%s", joined, advice);
  add_finding (self, "dialog-warning-symbolic", title, text, names[0]);
}

static void
add_plan_findings (FlowDiagnosticsView *self,
                   GVariant            *plan)
{
  g_auto(GStrv) skipped = flow_lookup_strv (plan, "update_ops_skipped");
  g_auto(GStrv) executed = flow_lookup_strv (plan, "update_ops_executed");
  g_auto(GStrv) uninitialized = flow_lookup_strv (plan, "uninitialized");
  g_auto(GStrv) warnings = flow_lookup_strv (plan, "warnings");
  guint n_skipped = g_strv_length (skipped);
  guint n_update = n_skipped + g_strv_length (executed);

  if (n_skipped > 0)
    {
      g_autofree char *title = g_strdup_printf (_("%u of %u UPDATE_OPS run"),
                                                n_update - n_skipped, n_update);
      g_autofree char *names = join_names (skipped);
      g_autofree char *text =
        g_strdup_printf (_("This run leaves out %s.\nMoving averages stay as they are. In training, "
                           "make the training op depend on the collection update_ops."), names);

      add_finding (self, "dialog-warning-symbolic", title, text, skipped[0]);
    }
  add_names (self, ngettext ("%u variable that this run reads has no value",
                             "%u variables that this run reads have no value",
                             g_strv_length (uninitialized)),
             uninitialized, _("Restore a checkpoint or run the initialisers first."));
  for (guint i = 0; warnings[i] != NULL; i++)
    add_finding (self, "dialog-warning-symbolic", _("A feed is missing or does not fit"),
                 warnings[i], NULL);
}

/* Ops of the run that nothing here can compute: said before the run gets there. */
static void
add_unknown_ops (FlowDiagnosticsView *self,
                 FlowGraph           *graph,
                 GVariant            *plan)
{
  g_autoptr(GVariant) nodes = g_variant_lookup_value (plan, "nodes", G_VARIANT_TYPE ("au"));
  g_autoptr(GHashTable) types = g_hash_table_new (NULL, NULL);
  g_autoptr(GPtrArray) names = g_ptr_array_new ();
  gsize n = 0;
  const guint32 *indices = NULL;

  if (nodes == NULL)
    return;
  indices = g_variant_get_fixed_array (nodes, &n, sizeof (guint32));
  for (gsize i = 0; i < n; i++)
    {
      const char *type = NULL;

      if (indices[i] >= flow_graph_get_n_nodes (graph))
        continue;
      type = flow_graph_get_node_type (graph, indices[i]);
      if (!flow_op_registry_has_kernel (type) && g_hash_table_add (types, (gpointer) type))
        g_ptr_array_add (names, (gpointer) type);
    }
  if (names->len == 0)
    return;
  g_ptr_array_add (names, NULL);
  add_names (self, ngettext ("%u op type of this run cannot be run here",
                             "%u op types of this run cannot be run here", names->len - 1),
             (char **) names->pdata, _("The run stops there with UNIMPLEMENTED or NOT_FOUND."));
}

static void
add_problems (FlowDiagnosticsView *self,
              GVariant            *info)
{
  g_autoptr(GVariant) problems =
    info != NULL ? g_variant_lookup_value (info, "problems", G_VARIANT_TYPE ("aa{sv}")) : NULL;
  gsize n = problems != NULL ? g_variant_n_children (problems) : 0;

  for (gsize i = 0; i < MIN (n, MAX_PROBLEMS); i++)
    {
      g_autoptr(GVariant) problem = g_variant_get_child_value (problems, i);
      const char *node = flow_lookup_string (problem, "node");
      const char *field = flow_lookup_string (problem, "field");
      const char *text = flow_lookup_string (problem, "text");
      gint64 offset = flow_lookup_int (problem, "offset", -1);
      g_autoptr(GString) where = g_string_new (NULL);

      if (node != NULL && node[0] != '\0')
        g_string_append_printf (where, _("node %s"), node);
      if (field != NULL && field[0] != '\0')
        g_string_append_printf (where, "%s%s", where->len > 0 ? " · " : "", field);
      if (offset >= 0)
        g_string_append_printf (where, _("%sbyte %" G_GINT64_FORMAT), where->len > 0 ? " · " : "",
                                offset);
      add_finding (self, flow_lookup_int (problem, "severity", 1) >= 2 ? "dialog-error-symbolic"
                                                                       : "dialog-warning-symbolic",
                   text != NULL ? text : _("A problem in the file"), where->str, node);
    }
}

static void
fill (FlowDiagnosticsView *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  FlowGraph *graph = flow_ui_session_get_graph (session);
  GVariant *plan = flow_ui_session_get_plan (session);
  GtkWidget *child = NULL;

  while ((child = GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, 0))) != NULL)
    gtk_list_box_remove (self->list, child);
  self->count = 0;
  if (graph != NULL)
    add_problems (self, flow_ui_session_get_info (session));
  if (graph != NULL && plan != NULL)
    {
      add_plan_findings (self, plan);
      add_unknown_ops (self, graph, plan);
    }
  g_signal_emit (self, signals[SIGNAL_COUNT_CHANGED], 0);
}

static void
row_activated_cb (FlowDiagnosticsView *self,
                  GtkListBoxRow       *row,
                  GtkListBox          *list)
{
  const char *node = g_object_get_data (G_OBJECT (row), "flow-node");

  if (node != NULL && node[0] != '\0')
    gtk_widget_activate_action (GTK_WIDGET (self), "win.select", "s", node);
}

static void
changed (FlowView *view)
{
  fill (FLOW_DIAGNOSTICS_VIEW (view));
}

static void
flow_diagnostics_view_dispose (GObject *object)
{
  adw_bin_set_child (ADW_BIN (object), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), FLOW_TYPE_DIAGNOSTICS_VIEW);

  G_OBJECT_CLASS (flow_diagnostics_view_parent_class)->dispose (object);
}

static void
flow_diagnostics_view_class_init (FlowDiagnosticsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_diagnostics_view_dispose;
  FLOW_VIEW_CLASS (klass)->graph_changed = changed;
  FLOW_VIEW_CLASS (klass)->plan_changed = changed;
  /* Its tab says how many there are. */
  FLOW_VIEW_CLASS (klass)->works_unseen = TRUE;

  signals[SIGNAL_COUNT_CHANGED] =
    g_signal_new ("count-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                  NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (
    widget_class, "/org/flowstep/Flowstep/ui/diagnostics/flow-diagnostics-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FlowDiagnosticsView, list);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
}

static void
flow_diagnostics_view_init (FlowDiagnosticsView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

guint
flow_diagnostics_view_get_count (FlowDiagnosticsView *self)
{
  g_return_val_if_fail (FLOW_IS_DIAGNOSTICS_VIEW (self), 0);

  return self->count;
}
