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
 * What is wrong or worth knowing about the file, its graph and the chosen run. The rules are the engine's
 * (`Diagnose`, `Plan`); each node that a finding names is a place to go to.
 */
struct _FlowDiagnosticsView
{
  FlowView parent_instance;

  /* template */
  GtkListBox *list;

  /* owned */
  GVariant *findings;          /* aa{sv}, as the engine found them last; nullable */
  GVariant *nodes;             /* au: what the run they are about executes; nullable */
  FlowGraph *graph;            /* they are about; only compared */
  GPtrArray *titles;           /* char: of the rows */
};

/* Nodes named in one finding; a longer list says how many more. */
#define MAX_NAMES 12
#define MAX_PROBLEMS 200

enum {
  SIGNAL_COUNT_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FlowDiagnosticsView, flow_diagnostics_view, FLOW_TYPE_VIEW)

/* What each rule of the engine finds, in a few words; the engine's own text says the rest. */
static const struct {
  const char *id;
  const char *title;
  const char *titles;
} rules[] = {
  { "update-ops-skipped", N_("%u op of UPDATE_OPS is not run"), N_("%u ops of UPDATE_OPS are not run") },
  { "trainable-not-written", N_("%u trainable variable is not trained"), N_("%u trainable variables are not trained") },
  { "op-not-registered", N_("%u node has an unknown op type"), N_("%u nodes have unknown op types") },
  { "op-without-kernel", N_("%u node cannot be run here"), N_("%u nodes cannot be run here") },
  { "variable-in-no-collection", N_("%u variable is in no collection"), N_("%u variables are in no collection") },
  { "variable-without-initializer", N_("%u variable has no initializer"), N_("%u variables have no initializer") },
  { "variable-not-saved", N_("%u variable is not saved"), N_("%u variables are not saved") },
};

static gboolean
link_cb (GtkLabel   *label,
         const char *node,
         gpointer    data)
{
  gtk_widget_activate_action (GTK_WIDGET (label), "win.select", "s", node);
  return TRUE;
}

/* The names as links: by pointer, and by Tab and Enter. */
static GtkWidget *
make_links (const char *const *names)
{
  g_autoptr(GString) markup = g_string_new (NULL);
  guint n = g_strv_length ((char **) names);
  GtkWidget *label = gtk_label_new (NULL);

  for (guint i = 0; i < MIN (n, MAX_NAMES); i++)
    {
      g_autofree char *name = g_markup_escape_text (names[i], -1);

      g_string_append_printf (markup, "%s<a href=\"%s\">%s</a>", i > 0 ? "   " : "", name, name);
    }
  if (n > MAX_NAMES)
    g_string_append_printf (markup, ngettext ("   and %u more", "   and %u more", n - MAX_NAMES), n - MAX_NAMES);
  gtk_label_set_markup (GTK_LABEL (label), markup->str);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  g_signal_connect (label, "activate-link", G_CALLBACK (link_cb), NULL);
  return label;
}

static GtkWidget *
make_words (const char *text,
            const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (label, style);
  return label;
}

static void
add_finding (FlowDiagnosticsView *self,
             const char          *icon,
             const char          *title,
             const char          *text,
             const char *const   *names)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *image = gtk_image_new_from_icon_name (icon);
  GtkWidget *row = gtk_list_box_row_new ();

  gtk_widget_set_valign (image, GTK_ALIGN_START);
  gtk_widget_add_css_class (image, g_str_has_prefix (icon, "dialog-error") ? "error" : "warning");
  gtk_box_append (GTK_BOX (words), make_words (title, "heading"));
  if (names != NULL && names[0] != NULL)
    gtk_box_append (GTK_BOX (words), make_links (names));
  if (text != NULL && text[0] != '\0')
    gtk_box_append (GTK_BOX (words), make_words (text, "dim-label"));
  gtk_widget_set_hexpand (words, TRUE);
  gtk_box_append (GTK_BOX (box), image);
  gtk_box_append (GTK_BOX (box), words);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data_full (G_OBJECT (row), "flow-node", g_strdup (names != NULL ? names[0] : NULL), g_free);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_list_box_append (self->list, row);
  g_ptr_array_add (self->titles, g_strdup (title));
}

static void
add_findings (FlowDiagnosticsView *self)
{
  gsize n = self->findings != NULL ? g_variant_n_children (self->findings) : 0;

  for (gsize i = 0; i < n; i++)
    {
      g_autoptr(GVariant) finding = g_variant_get_child_value (self->findings, i);
      g_auto(GStrv) nodes = flow_lookup_strv (finding, "nodes");
      const char *id = flow_lookup_string (finding, "id");
      const char *severity = flow_lookup_string (finding, "severity");
      const char *icon = g_strcmp0 (severity, "damage") == 0 ? "dialog-error-symbolic"
                         : g_strcmp0 (severity, "note") == 0 ? "dialog-information-symbolic" : "dialog-warning-symbolic";
      g_autofree char *title = NULL;

      for (guint k = 0; k < G_N_ELEMENTS (rules) && title == NULL; k++)
        if (g_strcmp0 (rules[k].id, id) == 0)
          title = g_strdup_printf (ngettext (rules[k].title, rules[k].titles, g_strv_length (nodes)),
                                   g_strv_length (nodes));
      add_finding (self, icon, title != NULL ? title : id, flow_lookup_string (finding, "text"),
                   (const char *const *) nodes);
    }
}

static void
add_plan_findings (FlowDiagnosticsView *self,
                   GVariant            *plan)
{
  g_auto(GStrv) uninitialized = flow_ui_session_dup_uninitialized (flow_view_get_session (FLOW_VIEW (self)));
  g_auto(GStrv) warnings = flow_lookup_strv (plan, "warnings");
  guint n = uninitialized != NULL ? g_strv_length (uninitialized) : 0;

  if (n > 0)
    {
      g_autofree char *title = g_strdup_printf (ngettext ("%u variable that this run reads has no value",
                                                          "%u variables that this run reads have no value", n), n);

      add_finding (self, "dialog-warning-symbolic", title, _("Restore a checkpoint or run the initialisers first."),
                   (const char *const *) uninitialized);
    }
  for (guint i = 0; warnings[i] != NULL; i++)
    add_finding (self, "dialog-warning-symbolic", _("A feed is missing or does not fit"),
                 warnings[i], NULL);
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
      const char *const names[] = { node != NULL && node[0] != '\0' ? node : NULL, NULL };

      if (field != NULL && field[0] != '\0')
        g_string_append_printf (where, "%s%s", where->len > 0 ? " · " : "", field);
      if (offset >= 0)
        g_string_append_printf (where, _("%sbyte %" G_GINT64_FORMAT), where->len > 0 ? " · " : "",
                                offset);
      add_finding (self, flow_lookup_int (problem, "severity", 1) >= 2 ? "dialog-error-symbolic"
                                                                       : "dialog-warning-symbolic",
                   text != NULL ? text : _("A problem in the file"), where->str, names);
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
  g_ptr_array_set_size (self->titles, 0);
  if (graph != NULL)
    add_problems (self, flow_ui_session_get_info (session));
  if (graph != NULL && plan != NULL)
    add_plan_findings (self, plan);
  if (graph != NULL)
    add_findings (self);
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
diagnosed_cb (GObject           *owner,
              FlowDebuggerReply *reply,
              const GError      *error,
              gpointer           data)
{
  FlowDiagnosticsView *self = FLOW_DIAGNOSTICS_VIEW (owner);

  g_clear_pointer (&self->findings, g_variant_unref);
  if (reply != NULL && g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(aa{sv})")))
    self->findings = g_variant_get_child_value (reply->value, 0);
  fill (self);
}

static void
changed (FlowView *view)
{
  FlowDiagnosticsView *self = FLOW_DIAGNOSTICS_VIEW (view);
  FlowUiSession *session = flow_view_get_session (view);

  GVariant *plan = flow_ui_session_get_plan (session);
  g_autoptr(GVariant) nodes =
    plan != NULL ? g_variant_lookup_value (plan, "nodes", G_VARIANT_TYPE ("au")) : NULL;
  FlowGraph *graph = flow_ui_session_get_graph (session);
  gboolean is_same = graph == self->graph && (nodes == NULL) == (self->nodes == NULL) &&
                     (nodes == NULL || g_variant_equal (nodes, self->nodes));

  if (!is_same)
    g_clear_pointer (&self->findings, g_variant_unref);
  fill (self);
  if (is_same)
    return;
  /* A plan is asked for at each stop, for what has a value; what it executes stays the same. */
  g_clear_pointer (&self->nodes, g_variant_unref);
  self->nodes = g_steal_pointer (&nodes);
  self->graph = graph;
  if (graph != NULL)
    flow_ui_session_query (session, self, "diagnose", "Diagnose", g_variant_new ("(s)", ""), diagnosed_cb, NULL);
}

static void
flow_diagnostics_view_dispose (GObject *object)
{
  g_clear_pointer (&FLOW_DIAGNOSTICS_VIEW (object)->findings, g_variant_unref);
  g_clear_pointer (&FLOW_DIAGNOSTICS_VIEW (object)->nodes, g_variant_unref);
  adw_bin_set_child (ADW_BIN (object), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), FLOW_TYPE_DIAGNOSTICS_VIEW);

  G_OBJECT_CLASS (flow_diagnostics_view_parent_class)->dispose (object);
}

static void
flow_diagnostics_view_finalize (GObject *object)
{
  g_ptr_array_unref (FLOW_DIAGNOSTICS_VIEW (object)->titles);

  G_OBJECT_CLASS (flow_diagnostics_view_parent_class)->finalize (object);
}

static void
flow_diagnostics_view_class_init (FlowDiagnosticsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_diagnostics_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = flow_diagnostics_view_finalize;
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
  self->titles = g_ptr_array_new_with_free_func (g_free);
}

guint
flow_diagnostics_view_get_count (FlowDiagnosticsView *self)
{
  g_return_val_if_fail (FLOW_IS_DIAGNOSTICS_VIEW (self), 0);

  return self->titles->len;
}

/* Returns: (transfer full): what was found, a line each */
char **
flow_diagnostics_view_dup_titles (FlowDiagnosticsView *self)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();

  g_return_val_if_fail (FLOW_IS_DIAGNOSTICS_VIEW (self), NULL);

  for (guint i = 0; i < self->titles->len; i++)
    g_strv_builder_add (builder, self->titles->pdata[i]);
  return g_strv_builder_end (builder);
}
