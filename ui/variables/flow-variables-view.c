/* flow-variables-view.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-variables-view.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "flow-format.h"
#include "flow-sparkline.h"
#include "flow-tab-stop.h"
#include "flow-table.h"
#include "flow-table-fit.h"
#include "flow-variant-rows.h"

/**
 * FlowVariablesView:
 *
 * All variables: now, at the start of the run, how far they moved, who wrote them last.
 */
struct _FlowVariablesView
{
  FlowView parent_instance;

  /* template */
  GtkStack *stack;
  GtkColumnView *table;

  /* owned */
  GListStore *rows;

  /* what there is to be shown */
  gboolean has_before;
  gboolean has_writer;

  /* borrowed: of the table */
  GtkColumnViewColumn *before;
  GtkColumnViewColumn *change;
  GtkColumnViewColumn *writer;
  GtkColumnViewColumn *history;
};

/* From this width of the table on there is room for what variables were as well. */
#define WIDTH_FOR_BEFORE 700
#define WIDTH_FOR_WRITER 480

G_DEFINE_FINAL_TYPE (FlowVariablesView, flow_variables_view, FLOW_TYPE_VIEW)

static char *
name_text (GVariant *row,
           gpointer  data)
{
  return g_strdup (flow_lookup_string (row, "name"));
}

static const char *
name_css (GVariant *row,
          gpointer  data)
{
  return flow_lookup_bool (row, "changed") ? "flow-changed" : NULL;
}

static char *
shape_text (GVariant *row,
            gpointer  data)
{
  g_autoptr(GVariant) shape = g_variant_lookup_value (row, "shape", G_VARIANT_TYPE ("ax"));
  GString *text = g_string_new (NULL);
  gsize n = shape != NULL ? g_variant_n_children (shape) : 0;

  if (n == 0)
    g_string_append (text, _("scalar"));
  for (gsize i = 0; i < n; i++)
    {
      gint64 dim = 0;

      g_variant_get_child (shape, i, "x", &dim);
      if (dim < 0)
        g_string_append_printf (text, "%s?", i > 0 ? "×" : "");
      else
        g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "×" : "", dim);
    }
  return g_string_free (text, FALSE);
}

static const struct {
  const char *key;
  const char *word;
} well_known[] = {
  { "variables", "GLOBAL" },
  { "local_variables", "LOCAL" },
  { "model_variables", "MODEL" },
  { "trainable_variables", "TRAINABLE" },
};

static gboolean
is_well_known (const char *key)
{
  for (guint i = 0; i < G_N_ELEMENTS (well_known); i++)
    if (strcmp (well_known[i].key, key) == 0)
      return TRUE;
  return FALSE;
}

/* The well-known keys first, by their short names: GLOBAL, TRAINABLE. */
static char *
collections_text (GVariant *row,
                  gpointer  data)
{
  g_auto(GStrv) keys = flow_lookup_strv (row, "collections");
  g_autoptr(GPtrArray) words = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (well_known); i++)
    if (g_strv_contains ((const char *const *) keys, well_known[i].key))
      g_ptr_array_add (words, (gpointer) well_known[i].word);
  for (guint i = 0; keys[i] != NULL; i++)
    if (!is_well_known (keys[i]))
      g_ptr_array_add (words, keys[i]);
  g_ptr_array_add (words, NULL);
  return g_strjoinv (" ", (char **) words->pdata);
}

static char *
now_text (GVariant *row,
          gpointer  data)
{
  if (!flow_lookup_bool (row, "initialized"))
    return g_strdup (_("uninitialized"));
  return flow_format_range (row);
}

static const char *
now_css (GVariant *row,
         gpointer  data)
{
  if (!flow_lookup_bool (row, "initialized"))
    return "dim-label";
  return flow_lookup_int (row, "nan", 0) + flow_lookup_int (row, "inf", 0) > 0 ? "error" : NULL;
}

static char *
before_text (GVariant *row,
             gpointer  data)
{
  g_autoptr(GVariant) before = g_variant_lookup_value (row, "run_start", G_VARIANT_TYPE ("a{sv}"));

  if (before != NULL)
    return flow_format_range (before);
  /* Without statistics of its own the variable is what it was, or was nothing. */
  if (flow_lookup_bool (row, "changed") || !flow_lookup_bool (row, "initialized"))
    return g_strdup (_("uninitialized"));
  return flow_format_range (row);
}

static char *
change_text (GVariant *row,
             gpointer  data)
{
  double change = flow_lookup_double (row, "max_abs_change", NAN);

  if (!flow_lookup_bool (row, "changed"))
    return g_strdup ("");
  if (!flow_lookup_has (row, "run_start"))
    return g_strdup ("—");
  return flow_format_number_compact (change);
}

static const char *
change_css (GVariant *row,
            gpointer  data)
{
  return "flow-delta";
}

static char *
writer_text (GVariant *row,
             gpointer  data)
{
  const char *writer = flow_lookup_string (row, "writer");
  const char *slash = writer != NULL ? strrchr (writer, '/') : NULL;
  const char *restored = flow_lookup_string (row, "restored_from");

  /* A restore is a writer too; one whose work an initialiser undid is worth a word. */
  if (restored != NULL && (writer == NULL || writer[0] == '\0'))
    {
      g_autofree char *name = g_path_get_basename (restored);

      return g_strdup_printf (_("from %s"), name);
    }
  if (flow_lookup_bool (row, "reinitialized"))
    return g_strdup (_("initialized again"));

  /* The variable is in its path already: the last part says what wrote it. */
  return g_strdup (slash != NULL ? slash + 1 : writer);
}

static const char *
writer_css (GVariant *row,
            gpointer  data)
{
  return flow_lookup_bool (row, "reinitialized") ? "flow-delta" : NULL;
}

/* --- History --- */

static void
show_history (GtkListItem       *list_item,
              FlowVariablesView *self)
{
  FlowVariantItem *item = gtk_list_item_get_item (list_item);
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  const char *name = item != NULL ? flow_variant_item_get_string (item, "name") : NULL;

  if (name != NULL && session != NULL)
    flow_sparkline_show (FLOW_SPARKLINE (gtk_list_item_get_child (list_item)), session, name);
}

static void
history_changed_cb (GtkListItem *list_item)
{
  show_history (list_item, g_object_get_data (G_OBJECT (list_item), "flow-view"));
}

static void
setup_history_cb (GtkSignalListItemFactory *factory,
                  GtkListItem              *list_item,
                  FlowVariablesView        *self)
{
  gtk_list_item_set_child (list_item, flow_sparkline_new ());
  g_object_set_data (G_OBJECT (list_item), "flow-view", self);
}

static void
bind_history_cb (GtkSignalListItemFactory *factory,
                 GtkListItem              *list_item,
                 FlowVariablesView        *self)
{
  g_signal_connect_object (gtk_list_item_get_item (list_item), "notify::value",
                           G_CALLBACK (history_changed_cb), list_item, G_CONNECT_SWAPPED);
  show_history (list_item, self);
}

static void
unbind_history_cb (GtkSignalListItemFactory *factory,
                   GtkListItem              *list_item,
                   FlowVariablesView        *self)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (list_item), history_changed_cb,
                                        list_item);
}

static void
add_history_column (FlowVariablesView *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr(GtkColumnViewColumn) column = NULL;

  g_signal_connect_object (factory, "setup", G_CALLBACK (setup_history_cb), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_history_cb), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind_history_cb), self, 0);
  column = gtk_column_view_column_new (_("History"), factory);
  gtk_column_view_column_set_fixed_width (column, 88);
  gtk_column_view_append_column (self->table, column);
  self->history = column;
  flow_table_fit_around (self->table, column);
}

/* --- View --- */

/* Before anything has run there is nothing to compare with: names have that room. In a narrow table it is
 * said how far they moved, and not from where. */
static void
show_columns (FlowVariablesView *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  GtkAdjustment *adjustment = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (self->table));
  double width = adjustment != NULL ? gtk_adjustment_get_page_size (adjustment) : 0.0;
  int dpi = 0;

  /* Of text that is larger less finds room. */
  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-xft-dpi", &dpi, NULL);
  if (dpi > 0)
    width *= 96.0 * 1024.0 / dpi;
  gtk_column_view_column_set_visible (self->before, self->has_before && width >= WIDTH_FOR_BEFORE);
  gtk_column_view_column_set_visible (self->change, self->has_before);
  gtk_column_view_column_set_visible (self->writer, self->has_writer && width >= WIDTH_FOR_WRITER);
  gtk_column_view_column_set_visible (self->history, self->has_before || flow_ui_session_is_script (session)
                                                     || flow_ui_session_get_state (session)->position > 0);
}

static gboolean
show_columns_cb (gpointer data)
{
  FlowVariablesView *self = data;

  if (self->table != NULL && flow_view_get_session (FLOW_VIEW (self)) != NULL)
    show_columns (self);
  return G_SOURCE_REMOVE;
}

/* Not while the table is being laid out, nor in one piece with its rows: each takes long enough. */
static void
queue_columns (FlowVariablesView *self)
{
  g_idle_add_full (G_PRIORITY_HIGH_IDLE, show_columns_cb, g_object_ref (self), g_object_unref);
}

/* What rows there are, and which columns they have something for. */
typedef struct {
  FlowVariantRows *rows;
  gboolean has_before;
  gboolean has_writer;
} Listing;

static void
listing_free (gpointer data)
{
  Listing *listing = data;

  flow_variant_rows_unref (listing->rows);
  g_free (listing);
}

static gpointer
read_listing (GVariant *answer)
{
  g_autoptr(GVariant) rows = NULL;
  Listing *listing = NULL;

  if (!g_variant_is_of_type (answer, G_VARIANT_TYPE ("(aa{sv})")))
    return NULL;
  rows = g_variant_get_child_value (answer, 0);
  listing = g_new0 (Listing, 1);
  listing->rows = flow_variant_rows_new (rows, "name");
  for (guint i = 0; i < flow_variant_rows_get_n (listing->rows) && !(listing->has_before && listing->has_writer); i++)
    {
      GVariant *row = flow_variant_rows_get (listing->rows, i);
      g_autofree char *writer = listing->has_writer ? NULL : writer_text (row, NULL);

      listing->has_before = listing->has_before || flow_lookup_has (row, "run_start") || flow_lookup_bool (row, "changed");
      listing->has_writer = listing->has_writer || (writer != NULL && writer[0] != '\0');
    }
  return listing;
}

static void
variables_cb (GObject           *owner,
              FlowDebuggerReply *reply,
              const GError      *error,
              gpointer           data)
{
  FlowVariablesView *self = FLOW_VARIABLES_VIEW (owner);
  const Listing *listing = data;

  if (listing == NULL)
    return;
  self->has_before = listing->has_before;
  self->has_writer = listing->has_writer;
  queue_columns (self);
  flow_variant_store_show (self->rows, listing->rows);
  gtk_stack_set_visible_child_name (self->stack, flow_variant_rows_get_n (listing->rows) > 0 ? "list" : "none");
}

static void
flow_variables_view_refresh (FlowView *view)
{
  FlowUiSession *session = flow_view_get_session (view);

  if (flow_ui_session_get_graph (session) != NULL)
    flow_ui_session_query_digested (session, view, "variables", "Variables", NULL, read_listing, listing_free,
                                    variables_cb);
}

static void
activate_cb (FlowVariablesView *self,
             guint              position,
             GtkColumnView     *table)
{
  GVariant *row = flow_table_get_selected (table);
  const char *name = flow_lookup_string (row, "name");

  if (name != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.select", "s", name);
}

static void
selected_cb (GtkSingleSelection *selection,
             GParamSpec         *pspec,
             FlowVariablesView  *self)
{
  GVariant *row = flow_table_get_selected (self->table);
  gint64 node = flow_lookup_int (row, "node", -1);

  if (node >= 0)
    flow_ui_session_select (flow_view_get_session (FLOW_VIEW (self)), (guint32) node,
                            FLOW_SCOPE_NONE);
}

/* Selects the variable whose row is there, and its node. Returns: whether there is one */
gboolean
flow_variables_view_select_at (FlowVariablesView *self,
                               double             x,
                               double             y)
{
  g_return_val_if_fail (FLOW_IS_VARIABLES_VIEW (self), FALSE);

  gtk_widget_translate_coordinates (GTK_WIDGET (self), GTK_WIDGET (self->table), x, y, &x, &y);
  return flow_table_select_at (self->table, x, y);
}

static void
adjustment_cb (FlowVariablesView *self)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (self->table));

  if (adjustment != NULL)
    g_signal_connect_object (adjustment, "notify::page-size", G_CALLBACK (queue_columns), self, G_CONNECT_SWAPPED);
}

static void
flow_variables_view_setup (FlowView *view)
{
  FlowVariablesView *self = FLOW_VARIABLES_VIEW (view);
  const FlowTableColumn columns[] = {
    { _("Variable"), name_text, name_css, "name", -1, 0, TRUE },
    { _("Shape"), shape_text, NULL, NULL, 80, 0, TRUE },
    { _("Collections"), collections_text, NULL, NULL, 146, 0, FALSE },
    { _("At run start"), before_text, NULL, NULL, 150, 0, TRUE },
    { _("Now"), now_text, now_css, NULL, 150, 0, TRUE },
    { _("max |Δ|"), change_text, change_css, "max_abs_change", 76, 0, TRUE },
    { _("Last writer"), writer_text, writer_css, "writer", 94, 0, TRUE },
  };

  GtkColumnViewColumn *collections = NULL;
  GtkColumnViewColumn *now = NULL;
  GtkColumnViewColumn **const kept[] = { NULL, NULL, &collections, &self->before, &now, &self->change, &self->writer };

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      GtkColumnViewColumn *column = flow_table_add_column (self->table, &columns[i], self);

      if (kept[i] != NULL)
        *kept[i] = column;
    }
  /* The inspector says them, and a view of their own. */
  flow_table_fit_optional (self->table, collections);
  flow_table_fit_whole (self->table, self->before);
  flow_table_fit_whole (self->table, now);
  add_history_column (self);
  g_signal_connect_object (self->table, "notify::hadjustment", G_CALLBACK (adjustment_cb), self, G_CONNECT_SWAPPED);
  adjustment_cb (self);
  g_signal_connect_object (flow_table_set_model (self->table, G_LIST_MODEL (self->rows)),
                           "notify::selected", G_CALLBACK (selected_cb), self, 0);
}

static void
flow_variables_view_dispose (GObject *object)
{
  FlowVariablesView *self = FLOW_VARIABLES_VIEW (object);

  if (self->table != NULL)
    gtk_column_view_set_model (self->table, NULL);
  g_clear_object (&self->rows);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), FLOW_TYPE_VARIABLES_VIEW);

  G_OBJECT_CLASS (flow_variables_view_parent_class)->dispose (object);
}

static void
flow_variables_view_class_init (FlowVariablesViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  FlowViewClass *view_class = FLOW_VIEW_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_variables_view_dispose;
  view_class->setup = flow_variables_view_setup;
  view_class->refresh = flow_variables_view_refresh;

  g_type_ensure (FLOW_TYPE_TAB_STOP);
  gtk_widget_class_set_template_from_resource (
    widget_class, "/org/flowstep/Flowstep/ui/variables/flow-variables-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FlowVariablesView, stack);
  gtk_widget_class_bind_template_child (widget_class, FlowVariablesView, table);
  gtk_widget_class_bind_template_callback (widget_class, activate_cb);
}

static void
flow_variables_view_init (FlowVariablesView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->rows = g_list_store_new (FLOW_TYPE_VARIANT_ITEM);
}
