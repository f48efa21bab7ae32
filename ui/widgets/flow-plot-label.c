/* flow-plot-label.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-plot-label.h"

#include "flow-format.h"

/**
 * flow_plot_append_label:
 * @x: where the words are aligned to
 * @y: of their upper edge
 * @align: 0 begins at @x, 1 ends there
 *
 * Small and faint words on a plot; they never begin left of the widget.
 */
void
flow_plot_append_label (GtkWidget   *widget,
                        GtkSnapshot *snapshot,
                        const char  *text,
                        double       x,
                        double       y,
                        double       align)
{
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);
  g_autoptr(PangoAttrList) attrs = pango_attr_list_new ();
  GdkRGBA color;
  int width = 0;

  pango_attr_list_insert (attrs, pango_attr_scale_new (PANGO_SCALE_SMALL));
  pango_layout_set_attributes (layout, attrs);
  pango_layout_get_pixel_size (layout, &width, NULL);
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  color.alpha *= 0.6f;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) MAX (0, x - width * align), (float) y));
  gtk_snapshot_append_layout (snapshot, layout, &color);
  gtk_snapshot_restore (snapshot);
}

/**
 * flow_plot_append_number:
 *
 * Likewise, a number in few characters.
 */
void
flow_plot_append_number (GtkWidget   *widget,
                         GtkSnapshot *snapshot,
                         double       value,
                         double       x,
                         double       y,
                         double       align)
{
  g_autofree char *text = flow_format_number_compact (value);

  flow_plot_append_label (widget, snapshot, text, x, y, align);
}
