/* flow-restored-table.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-restored-table.h"

#include <glib/gi18n.h>
#include <math.h>

#include "flow-format.h"
#include "flow-table.h"
#include "flow-table-fit.h"

/* Variables before and after something, the biggest change first: a restore, or two moments. */

static char *
name_text (GVariant *row,
           gpointer  data)
{
  return g_strdup (flow_lookup_string (row, "name"));
}

/* As it is now; of what is only before, as it was. */
static char *
type_text (GVariant *row,
           gpointer  data)
{
  g_autoptr(GVariant) after = g_variant_lookup_value (row, "after", G_VARIANT_TYPE ("a{sv}"));
  g_autoptr(GVariant) before = g_variant_lookup_value (row, "before", G_VARIANT_TYPE ("a{sv}"));

  return after != NULL ? flow_format_type (after) : before != NULL ? flow_format_type (before) : NULL;
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
  return flow_lookup_has (row, data) ? flow_format_number_compact (value) : g_strdup ("");
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
flag_text (GVariant *row,
           gpointer  data)
{
  if (flow_lookup_bool (row, "reinitialized"))
    return g_strdup (_("initialized again"));
  if (flow_lookup_bool (row, "uninitialized_after"))
    return g_strdup (_("only before"));
  return NULL;
}

static const char *
flag_css (GVariant *row,
          gpointer  data)
{
  return "flow-delta";
}

/* @rows: dictionaries as the debugger's methods RestoreCheckpoint and CompareVariables give them */
GtkColumnView *
flow_restored_table_new (GListStore *rows)
{
  const FlowTableColumn columns[] = {
    { _("Variable"), name_text, NULL, "name", -1, 0, TRUE },
    { _("Type"), type_text, NULL, NULL, 112, 0, TRUE },
    { _("Before"), before_text, before_css, NULL, 138, 0, TRUE },
    { _("After"), after_text, NULL, NULL, 138, 0, TRUE },
    { _("max |Δ|"), difference_text, difference_css, "max_abs", 76, 0, TRUE },
    { _("max rel. Δ"), difference_text, NULL, "max_rel", 84, 0, TRUE },
    { _("Changed"), changed_text, NULL, "changed", 76, 0, TRUE },
    { _("Note"), flag_text, flag_css, NULL, 104, 0, FALSE },
  };
  const gpointer data[] = { NULL, NULL, NULL, NULL, (gpointer) "max_abs", (gpointer) "max_rel", NULL, NULL };
  GtkColumnView *table = flow_table_new (rows, columns, data, G_N_ELEMENTS (columns));
  g_autoptr(GtkColumnViewColumn) column = g_list_model_get_item (gtk_column_view_get_columns (table), 4);
  g_autoptr(GtkColumnViewColumn) relative = g_list_model_get_item (gtk_column_view_get_columns (table), 5);

  /* The comparison of elements says it as well. */
  flow_table_fit_optional (table, relative);
  gtk_column_view_sort_by_column (table, column, GTK_SORT_DESCENDING);
  return table;
}

guint
flow_restored_count_changed (GVariant *rows)
{
  guint n_changed = 0;

  for (gsize i = 0; i < g_variant_n_children (rows); i++)
    {
      g_autoptr(GVariant) row = g_variant_get_child_value (rows, i);

      n_changed += flow_lookup_int (row, "changed", 0) != 0 || flow_lookup_bool (row, "uninitialized_before");
    }
  return n_changed;
}
