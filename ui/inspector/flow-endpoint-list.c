/* flow-endpoint-list.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-endpoint-list.h"

#include <glib/gi18n.h>

#include "flow-endpoint-row.h"
#include "flow-format.h"

void
flow_endpoint_list_clear (GtkListBox *list)
{
  GtkWidget *child = NULL;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (list))) != NULL)
    gtk_list_box_remove (list, child);
}

void
flow_endpoint_list_append_more (GtkListBox *list,
                                guint       n)
{
  g_autofree char *text = g_strdup_printf (ngettext ("and %u more", "and %u more", n), n);
  GtkWidget *label = gtk_label_new (text);
  GtkWidget *row = gtk_list_box_row_new ();

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  gtk_list_box_append (list, row);
}

static char *
describe_endpoint (FlowGraph *graph,
                   int        dtype,
                   guint32    source,
                   int        slot)
{
  g_autofree char *dims = NULL;

  if (slot >= 0 && (guint) slot < flow_graph_get_n_outputs (graph, source))
    dims = flow_format_dims (flow_graph_get_output_shape (graph, source, slot));
  return g_strdup_printf ("%s%s %s", flow_dtype_name (flow_dtype_base (dtype)),
                          flow_dtype_is_ref (dtype) ? "_ref" : "", dims != NULL ? dims : "");
}

void
flow_endpoint_list_append (GtkListBox   *list,
                           FlowGraph    *graph,
                           const char   *index,
                           FlowEndpoint  source,
                           int           dtype)
{
  g_autofree char *name = flow_graph_endpoint_to_string (graph, source.node, source.slot);
  g_autofree char *detail = describe_endpoint (graph, dtype, source.node, source.slot);
  GtkWidget *row = flow_endpoint_row_new (index, name);

  flow_endpoint_row_set_detail (FLOW_ENDPOINT_ROW (row), detail);
  gtk_list_box_append (list, row);
}

/* @endpoints: FlowEndpoint, of outputs that there are
 * @max: so many rows; one more says how many are left */
void
flow_endpoint_list_fill (GtkListBox   *list,
                         FlowGraph    *graph,
                         const GArray *endpoints,
                         guint         max)
{
  flow_endpoint_list_clear (list);
  for (guint i = 0; i < MIN (endpoints->len, max); i++)
    {
      FlowEndpoint endpoint = g_array_index (endpoints, FlowEndpoint, i);

      flow_endpoint_list_append (list, graph, NULL, endpoint,
                                 flow_graph_get_output_dtype (graph, endpoint.node, (guint) endpoint.slot));
    }
  if (endpoints->len > max)
    flow_endpoint_list_append_more (list, endpoints->len - max);
}
