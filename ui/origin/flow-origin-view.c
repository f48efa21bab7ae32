/* flow-origin-view.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-origin-view.h"

#include <glib/gi18n.h>
#include <string.h>

#include "flow-format.h"
#include "flow-table.h"
#include "flow-variant-rows.h"

/**
 * FlowOriginView:
 *
 * Where a value came from: the chain of ops back in time, from what spoiled it to the first op whose inputs
 * were clean. Each row is a place: a click shows its op, a double click travels to that moment.
 */
struct _FlowOriginView
{
  FlowView parent_instance;

  /* owned */
  GListStore *rows;
  char *tensor;
  guint64 position;            /* so many ops were done when it was asked */

  /* borrowed */
  GtkStack *stack;
  GtkLabel *title;
  GtkLabel *note;
  GtkColumnView *table;
};

G_DEFINE_FINAL_TYPE (FlowOriginView, flow_origin_view, FLOW_TYPE_VIEW)

static const char *
kind_title (const char *kind)
{
  static const struct {
    const char *kind;
    const char *title;
  } titles[] = {
    { "bad", N_("bad input") }, { "passed", N_("passed on") }, { "writer", N_("wrote a variable") },
    { "variable", N_("variable") }, { "fed", N_("fed") }, { "origin", N_("made here") }, { "end", N_("end") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    if (g_strcmp0 (titles[i].kind, kind) == 0)
      return _(titles[i].title);
  return kind != NULL ? kind : "";
}

static char *
kind_text (GVariant *row,
           gpointer  data)
{
  return g_strdup (kind_title (flow_lookup_string (row, "kind")));
}

static const char *
kind_css (GVariant *row,
          gpointer  data)
{
  const char *kind = flow_lookup_string (row, "kind");

  if (g_strcmp0 (kind, "origin") == 0 || g_strcmp0 (kind, "fed") == 0)
    return "flow-now";
  return g_strcmp0 (kind, "passed") == 0 ? "dim-label" : NULL;
}

static char *
key_text (GVariant *row,
          gpointer  data)
{
  return g_strdup (flow_lookup_string (row, data));
}

static char *
value_text (GVariant *row,
            gpointer  data)
{
  gint64 nan = flow_lookup_int (row, "nan", 0);
  gint64 inf = flow_lookup_int (row, "inf", 0);

  if (!flow_lookup_has (row, "n_elements"))
    return NULL;
  if (nan + inf > 0)
    return g_strdup_printf (_("%" G_GINT64_FORMAT " NaN, %" G_GINT64_FORMAT " Inf"), nan, inf);
  return flow_format_range (row);
}

static const char *
value_css (GVariant *row,
           gpointer  data)
{
  return flow_lookup_int (row, "nan", 0) + flow_lookup_int (row, "inf", 0) > 0 ? "error" : NULL;
}

static char *
position_text (GVariant *row,
               gpointer  data)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT, flow_lookup_int (row, "position", 0) + 1);
}

static void
origin_cb (GObject           *owner,
           FlowDebuggerReply *reply,
           const GError      *error,
           gpointer           data)
{
  FlowOriginView *self = FLOW_ORIGIN_VIEW (owner);
  g_autoptr(GVariant) rows = NULL;
  g_autoptr(GVariant) numbered = NULL;
  g_autofree char *from = g_strdup_printf ("%" G_GUINT64_FORMAT, self->position);
  g_autofree char *text = NULL;
  GVariantBuilder builder;

  if (error != NULL)
    {
      gtk_label_set_text (self->note, error->message);
      gtk_stack_set_visible_child_name (self->stack, "none");
      return;
    }
  if (!g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(aa{sv})")))
    return;
  rows = g_variant_get_child_value (reply->value, 0);
  /* The same op may stand in the chain twice: a number makes each row its own. */
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (gsize i = 0; i < g_variant_n_children (rows); i++)
    {
      g_autoptr(GVariant) row = g_variant_get_child_value (rows, i);
      GVariantDict dict;

      g_variant_dict_init (&dict, row);
      g_variant_dict_insert (&dict, "step", "x", (gint64) i);
      g_variant_builder_add_value (&builder, g_variant_dict_end (&dict));
    }
  numbered = g_variant_ref_sink (g_variant_builder_end (&builder));
  flow_variant_store_update (self->rows, numbered, "step");
  /* What is asked later may be asked of another moment: this chain stays what it was. */
  text = g_strdup_printf (_("Where %s came from, back in time from op %s"), self->tensor, from);
  gtk_label_set_text (self->title, text);
  gtk_stack_set_visible_child_name (self->stack, "list");
}

/* Asks where a tensor's value came from, as it is now. */
void
flow_origin_view_show (FlowOriginView *self,
                       const char     *tensor)
{
  const FlowDebugState *state = NULL;

  g_return_if_fail (FLOW_IS_ORIGIN_VIEW (self));

  state = flow_ui_session_get_state (flow_view_get_session (FLOW_VIEW (self)));
  self->position = state != NULL ? state->position : 0;
  g_free (self->tensor);
  self->tensor = g_strdup (tensor);
  flow_ui_session_query (flow_view_get_session (FLOW_VIEW (self)), self, "origin", "Origin",
                         g_variant_new ("(st)", tensor, G_MAXUINT64), origin_cb, NULL);
}

static void
selected_cb (GtkSingleSelection *selection,
             GParamSpec         *pspec,
             FlowOriginView     *self)
{
  gint64 node = flow_lookup_int (flow_table_get_selected (self->table), "node", FLOW_NODE_NONE);

  if (node >= 0 && node != FLOW_NODE_NONE)
    flow_ui_session_select (flow_view_get_session (FLOW_VIEW (self)), (guint32) node, FLOW_SCOPE_NONE);
}

static void
activate_cb (FlowOriginView *self)
{
  GVariant *row = flow_table_get_selected (self->table);
  const char *kind = flow_lookup_string (row, "kind");

  if (row != NULL && g_strcmp0 (kind, "fed") != 0 && g_strcmp0 (kind, "variable") != 0)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.go-to-event", "i",
                                (gint32) flow_lookup_int (row, "position", 0) + 1);
}

static void
flow_origin_view_graph_changed (FlowView *view)
{
  FlowOriginView *self = FLOW_ORIGIN_VIEW (view);

  g_list_store_remove_all (self->rows);
  gtk_stack_set_visible_child_name (self->stack, "none");
}

static void
flow_origin_view_dispose (GObject *object)
{
  FlowOriginView *self = FLOW_ORIGIN_VIEW (object);

  if (self->table != NULL)
    gtk_column_view_set_model (self->table, NULL);
  self->table = NULL;
  g_clear_object (&self->rows);
  g_clear_pointer (&self->tensor, g_free);
  adw_bin_set_child (ADW_BIN (self), NULL);

  G_OBJECT_CLASS (flow_origin_view_parent_class)->dispose (object);
}

static void
flow_origin_view_class_init (FlowOriginViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = flow_origin_view_dispose;
  FLOW_VIEW_CLASS (klass)->graph_changed = flow_origin_view_graph_changed;
}

static void
flow_origin_view_init (FlowOriginView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  const FlowTableColumn columns[] = {
    { _("What"), kind_text, kind_css, NULL, 120, 0, FALSE },
    { _("Tensor"), key_text, NULL, NULL, -1, 0, TRUE },
    { _("Type"), key_text, NULL, NULL, 130, 0, FALSE },
    { _("After op"), position_text, NULL, NULL, 80, 0, TRUE },
    { _("Value"), value_text, value_css, NULL, 180, 0, TRUE },
    { _("Why"), key_text, NULL, NULL, -1, 0, FALSE },
  };
  const gpointer data[] = { NULL, (gpointer) "tensor", (gpointer) "type", NULL, NULL, (gpointer) "text" };

  self->rows = g_list_store_new (FLOW_TYPE_VARIANT_ITEM);
  self->stack = GTK_STACK (gtk_stack_new ());
  self->title = GTK_LABEL (gtk_label_new (NULL));
  self->note = GTK_LABEL (gtk_label_new (_("Choose “Where From” at a value, or in the menu of an op")));
  gtk_widget_add_css_class (GTK_WIDGET (self->note), "dim-label");
  gtk_label_set_xalign (self->title, 0);
  gtk_label_set_ellipsize (self->title, PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (GTK_WIDGET (self->title), "flow-entry-bar");
  self->table = flow_table_new (self->rows, columns, data, G_N_ELEMENTS (columns));
  g_signal_connect_object (gtk_column_view_get_model (self->table), "notify::selected", G_CALLBACK (selected_cb),
                           self, 0);
  g_signal_connect_object (self->table, "activate", G_CALLBACK (activate_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->title));
  gtk_box_append (GTK_BOX (box), flow_table_scrolled (self->table, _("Where the value came from")));
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->note), "none");
  gtk_stack_add_named (self->stack, box, "list");
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->stack));
}
