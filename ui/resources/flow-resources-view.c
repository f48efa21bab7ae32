/* flow-resources-view.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-resources-view.h"

#include <glib/gi18n.h>
#include <string.h>

#include "flow-format.h"
#include "flow-table.h"
#include "flow-variant-rows.h"

/**
 * FlowResourcesView:
 *
 * What the session keeps beside variables: queues, tables, tensor arrays, stacks, random generators,
 * iterators. What was written since the last stop is marked; stepping back undoes it.
 */
struct _FlowResourcesView
{
  FlowView parent_instance;

  /* owned */
  GListStore *rows;
  GHashTable *versions;      /* name -> version at the last stop */

  /* borrowed */
  GtkStack *stack;
  GtkColumnView *table;
};

G_DEFINE_FINAL_TYPE (FlowResourcesView, flow_resources_view, FLOW_TYPE_VIEW)

static char *
key_text (GVariant *row,
          gpointer  data)
{
  return g_strdup (flow_lookup_string (row, data));
}

static const char *
name_css (GVariant *row,
          gpointer  data)
{
  return flow_lookup_bool (row, "changed") ? "flow-changed" : NULL;
}

static char *
version_text (GVariant *row,
              gpointer  data)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT, flow_lookup_int (row, "version", 0));
}

static char *
row_key (GVariant *row)
{
  return g_strdup_printf ("%s/%s/%s", flow_lookup_string (row, "type"), flow_lookup_string (row, "container"),
                          flow_lookup_string (row, "name"));
}

/* What TensorFlow calls a kind by the name that the compiler gives it, as in N10tensorflow6lookup15LookupInterfaceE, is
 * called by its last part, here "Lookup". */
static char *
dup_kind (GVariant *row)
{
  const char *type = flow_lookup_string (row, "type");
  const char *at = type != NULL && type[0] == 'N' ? type + 1 : "";
  const char *last = type != NULL ? type : "";
  gsize length = strlen (last);

  while (g_ascii_isdigit (*at))
    {
      char *name = NULL;
      guint64 n = g_ascii_strtoull (at, &name, 10);

      if (n == 0 || n > strlen (name))
        break;
      at = name + n;
      if (g_str_has_prefix (name, "_GLOBAL_"))
        continue;
      last = name;
      length = (gsize) n;
    }
  if (length > strlen ("Interface") && strncmp (last + length - strlen ("Interface"), "Interface", strlen ("Interface")) == 0)
    length -= strlen ("Interface");
  return g_strndup (last, length);
}

static char *
kind_text (GVariant *row,
           gpointer  data)
{
  return dup_kind (row);
}

/* Variables have a view of their own. */
static gboolean
is_shown (GVariant *row)
{
  g_autofree char *kind = dup_kind (row);

  return g_strcmp0 (kind, "Var") != 0;
}

static void
add_row (FlowResourcesView *self,
         GVariantBuilder   *builder,
         GVariant          *row)
{
  g_autofree char *key = row_key (row);
  gint64 version = flow_lookup_int (row, "version", 0);
  gpointer before = NULL;
  gboolean known = g_hash_table_lookup_extended (self->versions, key, NULL, &before);
  GVariantDict dict;

  g_variant_dict_init (&dict, row);
  g_variant_dict_insert (&dict, "key", "s", key);
  g_variant_dict_insert (&dict, "changed", "b", !known || GPOINTER_TO_SIZE (before) != (gsize) version);
  g_variant_builder_add_value (builder, g_variant_dict_end (&dict));
  g_hash_table_insert (self->versions, g_steal_pointer (&key), GSIZE_TO_POINTER ((gsize) version));
}

static void
resources_cb (GObject           *owner,
              FlowDebuggerReply *reply,
              const GError      *error,
              gpointer           data)
{
  FlowResourcesView *self = FLOW_RESOURCES_VIEW (owner);
  g_autoptr(GVariant) all = NULL;
  g_autoptr(GVariant) rows = NULL;
  GVariantBuilder builder;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(aa{sv})")))
    return;
  all = g_variant_get_child_value (reply->value, 0);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (gsize i = 0; i < g_variant_n_children (all); i++)
    {
      g_autoptr(GVariant) row = g_variant_get_child_value (all, i);

      if (is_shown (row))
        add_row (self, &builder, row);
    }
  rows = g_variant_ref_sink (g_variant_builder_end (&builder));
  flow_variant_store_update (self->rows, rows, "key");
  gtk_stack_set_visible_child_name (self->stack, g_variant_n_children (rows) > 0 ? "list" : "none");
}

static void
flow_resources_view_refresh (FlowView *view)
{
  FlowUiSession *session = flow_view_get_session (view);

  if (flow_ui_session_get_graph (session) != NULL)
    flow_ui_session_query (session, view, "resources", "Resources", NULL, resources_cb, NULL);
}

static void
flow_resources_view_graph_changed (FlowView *view)
{
  g_hash_table_remove_all (FLOW_RESOURCES_VIEW (view)->versions);
}

static void
selected_cb (GtkSingleSelection *selection,
             GParamSpec         *pspec,
             FlowResourcesView  *self)
{
  gint64 node = flow_lookup_int (flow_table_get_selected (self->table), "node", FLOW_NODE_NONE);

  if (node >= 0 && node != FLOW_NODE_NONE)
    flow_ui_session_select (flow_view_get_session (FLOW_VIEW (self)), (guint32) node, FLOW_SCOPE_NONE);
}

static void
flow_resources_view_dispose (GObject *object)
{
  FlowResourcesView *self = FLOW_RESOURCES_VIEW (object);

  if (self->table != NULL)
    gtk_column_view_set_model (self->table, NULL);
  self->table = NULL;
  g_clear_object (&self->rows);
  g_clear_pointer (&self->versions, g_hash_table_unref);
  adw_bin_set_child (ADW_BIN (self), NULL);

  G_OBJECT_CLASS (flow_resources_view_parent_class)->dispose (object);
}

static void
flow_resources_view_class_init (FlowResourcesViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = flow_resources_view_dispose;
  FLOW_VIEW_CLASS (klass)->refresh = flow_resources_view_refresh;
  FLOW_VIEW_CLASS (klass)->graph_changed = flow_resources_view_graph_changed;
}

static void
flow_resources_view_init (FlowResourcesView *self)
{
  GtkWidget *note = gtk_label_new (_("This session keeps no queue, table, tensor array or random state yet"));
  const FlowTableColumn columns[] = {
    { _("Name"), key_text, name_css, "name", -1, 0, TRUE },
    { _("Kind"), kind_text, NULL, "type", 180, 0, FALSE },
    { _("State"), key_text, NULL, NULL, -1, 0, TRUE },
    { _("Written"), version_text, NULL, "version", 80, 0, TRUE },
  };
  const gpointer data[] = { (gpointer) "name", (gpointer) "type", (gpointer) "text", NULL };

  self->rows = g_list_store_new (FLOW_TYPE_VARIANT_ITEM);
  self->versions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->stack = GTK_STACK (gtk_stack_new ());
  self->table = flow_table_new (self->rows, columns, data, G_N_ELEMENTS (columns));
  g_signal_connect_object (gtk_column_view_get_model (self->table), "notify::selected", G_CALLBACK (selected_cb),
                           self, 0);
  gtk_widget_add_css_class (note, "dim-label");
  gtk_stack_add_named (self->stack, note, "none");
  gtk_stack_add_named (self->stack, flow_table_scrolled (self->table, _("State of the session")), "list");
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->stack));
}
