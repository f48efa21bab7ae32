/* flow-legend.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-legend.h"

#include <glib/gi18n.h>

/**
 * FlowLegend:
 *
 * What the canvas is coloured by: a button whose menu changes it, and a line for each colour. It
 * lies in a corner of the canvas and takes no more room than its lines.
 */
struct _FlowLegend
{
  GtkBox parent_instance;

  /* borrowed */
  GtkMenuButton *button;
  GtkLabel *title;
  GtkWidget *rows;
  GtkLabel *note;
};

/* Lines that have no room are told by their number. */
#define MAX_ROWS 12
#define SWATCH 12

G_DEFINE_FINAL_TYPE (FlowLegend, flow_legend, GTK_TYPE_BOX)

static void
draw_swatch_cb (GtkDrawingArea *area,
                cairo_t        *cr,
                int             width,
                int             height,
                gpointer        data)
{
  GdkRGBA text = { 0 };
  guint rgb = 0;

  /* What text is written with tells light from dark, as for the canvas itself. */
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &text);
  rgb = flow_palette_get_rgb (GPOINTER_TO_UINT (data),
                              text.red + text.green + text.blue > 1.5 ? FLOW_THEME_DARK : FLOW_THEME_LIGHT);
  cairo_rectangle (cr, 0.5, 0.5, width - 1.0, height - 1.0);
  cairo_set_source_rgb (cr, ((rgb >> 16) & 0xff) / 255.0, ((rgb >> 8) & 0xff) / 255.0, (rgb & 0xff) / 255.0);
  cairo_fill_preserve (cr);
  gdk_cairo_set_source_rgba (cr, &text);
  cairo_set_line_width (cr, 0.5);
  cairo_stroke (cr);
}

static void
append_row (FlowLegend            *self,
            const FlowColourClass *klass,
            gboolean               is_structure)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *swatch = gtk_drawing_area_new ();
  GtkWidget *label = gtk_label_new (klass->label);
  g_autofree char *text = g_strdup_printf (is_structure ? "×%u" : "%u", klass->n_ops);
  GtkWidget *count = gtk_label_new (text);

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (swatch), SWATCH);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (swatch), SWATCH);
  gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (swatch), draw_swatch_cb, GUINT_TO_POINTER (klass->color), NULL);
  gtk_box_append (GTK_BOX (row), swatch);
  if (klass->tag != NULL && g_strcmp0 (klass->tag, klass->label) != 0)
    {
      GtkWidget *tag = gtk_label_new (klass->tag);

      gtk_widget_add_css_class (tag, "heading");
      gtk_box_append (GTK_BOX (row), tag);
    }
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 32);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (row), label);
  gtk_widget_add_css_class (count, "dim-label");
  gtk_widget_add_css_class (count, "numeric");
  gtk_box_append (GTK_BOX (row), count);
  gtk_box_append (GTK_BOX (self->rows), row);
}

/**
 * flow_legend_show:
 * @title: what it is coloured by
 * @colouring: (nullable): what the lines are of
 * @note: (nullable): what else is to be said
 */
void
flow_legend_show (FlowLegend    *self,
                  const char    *title,
                  FlowColouring *colouring,
                  const char    *note)
{
  GtkWidget *child = NULL;
  guint n_shown = 0;
  guint n_used = 0;

  g_return_if_fail (FLOW_IS_LEGEND (self));

  gtk_label_set_text (self->title, title);
  while ((child = gtk_widget_get_first_child (self->rows)) != NULL)
    gtk_box_remove (GTK_BOX (self->rows), child);
  for (guint i = 0; colouring != NULL && i < colouring->classes->len; i++)
    {
      const FlowColourClass *klass = &g_array_index (colouring->classes, FlowColourClass, i);

      /* The scale is shown whole; of classes those that there are. */
      if (klass->n_ops == 0 && colouring->amounts == NULL)
        continue;
      n_used++;
      if (n_shown >= MAX_ROWS)
        continue;
      n_shown++;
      append_row (self, klass, colouring->kind == FLOW_COLOURING_STRUCTURE);
    }
  if (n_used > n_shown)
    {
      g_autofree char *text = g_strdup_printf (_("and %u more"), n_used - n_shown);
      GtkWidget *more = gtk_label_new (text);

      gtk_widget_add_css_class (more, "dim-label");
      gtk_label_set_xalign (GTK_LABEL (more), 0.0);
      gtk_box_append (GTK_BOX (self->rows), more);
    }
  gtk_widget_set_visible (self->rows, n_shown > 0);
  gtk_label_set_text (self->note, note != NULL ? note : "");
  gtk_widget_set_visible (GTK_WIDGET (self->note), note != NULL);
}

/**
 * flow_legend_set_menu:
 * @menu: what it can be coloured by
 */
void
flow_legend_set_menu (FlowLegend *self,
                      GMenuModel *menu)
{
  g_return_if_fail (FLOW_IS_LEGEND (self));

  gtk_menu_button_set_menu_model (self->button, menu);
}

void
flow_legend_popup (FlowLegend *self)
{
  g_return_if_fail (FLOW_IS_LEGEND (self));

  gtk_menu_button_popup (self->button);
}

static void
flow_legend_class_init (FlowLegendClass *klass)
{
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "flowlegend");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
flow_legend_init (FlowLegend *self)
{
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("What the colours mean"), -1);
  self->button = GTK_MENU_BUTTON (gtk_menu_button_new ());
  self->title = GTK_LABEL (gtk_label_new (""));
  gtk_label_set_ellipsize (self->title, PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (self->title, 28);
  gtk_box_append (GTK_BOX (content), GTK_WIDGET (self->title));
  gtk_box_append (GTK_BOX (content), gtk_image_new_from_icon_name ("pan-up-symbolic"));
  gtk_menu_button_set_child (self->button, content);
  gtk_menu_button_set_direction (self->button, GTK_ARROW_UP);
  gtk_menu_button_set_has_frame (self->button, FALSE);
  gtk_widget_set_halign (GTK_WIDGET (self->button), GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->button), _("Colour the graph by something else"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Colour by"), -1);
  self->rows = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1);
  gtk_widget_add_css_class (self->rows, "flow-legend-rows");
  self->note = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->note, TRUE);
  gtk_label_set_max_width_chars (self->note, 34);
  gtk_label_set_xalign (self->note, 0.0);
  gtk_widget_add_css_class (GTK_WIDGET (self->note), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->note), "flow-legend-note");
  gtk_box_append (GTK_BOX (self), self->rows);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->note));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->button));
}

GtkWidget *
flow_legend_new (void)
{
  return g_object_new (FLOW_TYPE_LEGEND, NULL);
}
