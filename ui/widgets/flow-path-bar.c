/* flow-path-bar.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-path-bar.h"

#include <glib/gi18n.h>

#include "flow-format.h"
#include "flow-state-dot.h"
#include "flow-tooltip.h"

/**
 * FlowPathBar:
 *
 * Where the selection is in the scope tree, each scope a button; and what the signs on the canvas
 * mean.
 */
struct _FlowPathBar
{
  FlowView parent_instance;

  /* borrowed */
  GtkWidget *crumbs;
};

/* Scopes shown before the path is cut in the middle. */
#define MAX_CRUMBS 6

G_DEFINE_FINAL_TYPE (FlowPathBar, flow_path_bar, FLOW_TYPE_VIEW)

static void
append_separator (FlowPathBar *self)
{
  GtkWidget *label = gtk_label_new ("›");

  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (self->crumbs), label);
}

static void
append_crumb (FlowPathBar *self,
              const char  *text,
              const char  *name,
              gboolean     last)
{
  GtkWidget *label = gtk_label_new (text);
  GtkWidget *button = NULL;

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 24);
  if (last)
    {
      gtk_widget_add_css_class (label, "heading");
      gtk_widget_set_margin_start (label, 4);
      gtk_box_append (GTK_BOX (self->crumbs), label);
      return;
    }
  button = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "flow-crumb");
  flow_tooltip_set (button, name);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", name);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.select");
  gtk_box_append (GTK_BOX (self->crumbs), button);
}

static void
fill (FlowView *view)
{
  FlowPathBar *self = FLOW_PATH_BAR (view);
  FlowUiSession *session = flow_view_get_session (view);
  FlowGraph *graph = flow_ui_session_get_graph (session);
  g_autofree char *name = NULL;
  g_auto(GStrv) parts = NULL;
  g_autoptr(GString) path = g_string_new (NULL);
  GtkWidget *child = NULL;
  guint n = 0;

  while ((child = gtk_widget_get_first_child (self->crumbs)) != NULL)
    gtk_box_remove (GTK_BOX (self->crumbs), child);
  if (graph == NULL)
    return;
  name = flow_ui_session_dup_selected_name (session);
  parts = g_strsplit (name != NULL ? name : "", "/", -1);
  n = g_strv_length (parts);
  append_crumb (self, _("graph"), "", n == 0);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *scope = NULL;

      if (i > 0)
        g_string_append_c (path, '/');
      g_string_append (path, parts[i]);
      if (n > MAX_CRUMBS && i >= 2 && i < n - 3)
        {
          if (i == 2)
            {
              append_separator (self);
              append_crumb (self, "…", NULL, TRUE);
            }
          continue;
        }
      append_separator (self);
      scope = g_strconcat (path->str, "/", NULL);
      append_crumb (self, parts[i], scope, i + 1 == n);
    }
}

static void
append_legend (GtkWidget  *box,
               guint8      state,
               const char *text)
{
  GtkWidget *dot = flow_state_dot_new ();
  GtkWidget *label = gtk_label_new (text);

  flow_state_dot_set_state (FLOW_STATE_DOT (dot), state);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "flow-legend");
  gtk_box_append (GTK_BOX (box), dot);
  gtk_box_append (GTK_BOX (box), label);
}

static GtkWidget *
create_legend (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 5);
  GtkWidget *image = NULL;
  GtkWidget *label = NULL;

  append_legend (box, FLOW_NODE_DONE, _("executed"));
  append_legend (box, FLOW_NODE_NEXT, _("next"));
  append_legend (box, FLOW_NODE_READY, _("ready"));
  append_legend (box, FLOW_NODE_PENDING, _("pending"));
  append_legend (box, FLOW_NODE_FAILED, _("failed"));
  image = gtk_image_new_from_icon_name ("flow-breakpoint-symbolic");
  gtk_image_set_pixel_size (GTK_IMAGE (image), 10);
  gtk_widget_add_css_class (image, "flow-break-mark");
  label = gtk_label_new (_("break"));
  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (box), image);
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

static void
flow_path_bar_class_init (FlowPathBarClass *klass)
{
  FLOW_VIEW_CLASS (klass)->setup = fill;
  FLOW_VIEW_CLASS (klass)->graph_changed = fill;
  FLOW_VIEW_CLASS (klass)->selection_changed = fill;
}

static void
flow_path_bar_init (FlowPathBar *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *legend = gtk_scrolled_window_new ();

  self->crumbs = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  gtk_widget_set_hexpand (self->crumbs, TRUE);
  gtk_box_append (GTK_BOX (box), self->crumbs);
  /* Where text is large and the window is not, it gives way. */
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (legend), GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (legend), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (legend), create_legend ());
  gtk_widget_add_css_class (legend, "flow-tab-row");
  gtk_widget_set_can_focus (legend, FALSE);
  gtk_box_append (GTK_BOX (box), legend);
  gtk_widget_add_css_class (box, "flow-path-bar");
  adw_bin_set_child (ADW_BIN (self), box);
}
