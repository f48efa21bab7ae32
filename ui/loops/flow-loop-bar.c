/* flow-loop-bar.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-loop-bar.h"

#include <glib/gi18n.h>

/**
 * FlowLoopBar:
 *
 * Over the canvas while a run has loops: which one, which iteration, and to any other. What it does goes through
 * `win.go-to-iteration`.
 */
struct _FlowLoopBar
{
  AdwBin parent_instance;

  /* owned */
  GVariant *loops;             /* a(sxx): name, iteration, the highest known */

  /* borrowed */
  GtkRevealer *revealer;
  GtkDropDown *names;
  GtkSpinButton *iteration;
  GtkLabel *known;

  gboolean updating;           /* the widgets are told, not used */
};

/* A loop of more iterations is gone through by other means. */
#define MAX_ITERATION 1e9

G_DEFINE_FINAL_TYPE (FlowLoopBar, flow_loop_bar, ADW_TYPE_BIN)

/* Of the loop that is chosen; FALSE: there is none. */
static gboolean
get_chosen (FlowLoopBar  *self,
            const char  **name,
            gint64       *iteration,
            gint64       *highest)
{
  guint chosen = gtk_drop_down_get_selected (self->names);

  if (self->loops == NULL || chosen >= g_variant_n_children (self->loops))
    return FALSE;
  g_variant_get_child (self->loops, chosen, "(&sxx)", name, iteration, highest);
  return TRUE;
}

static void
show_chosen (FlowLoopBar *self)
{
  const char *name = NULL;
  gint64 iteration = 0;
  gint64 highest = 0;
  g_autofree char *text = NULL;

  if (!get_chosen (self, &name, &iteration, &highest))
    return;
  self->updating = TRUE;
  gtk_spin_button_set_value (self->iteration, MAX (iteration, 0));
  self->updating = FALSE;
  text = g_strdup_printf (ngettext ("%" G_GINT64_FORMAT " known", "%" G_GINT64_FORMAT " known", highest + 1), highest + 1);
  gtk_label_set_text (self->known, text);
}

static void
name_chosen_cb (FlowLoopBar *self)
{
  if (!self->updating)
    show_chosen (self);
}

static void
iteration_changed_cb (FlowLoopBar *self)
{
  const char *name = NULL;
  gint64 iteration = 0;
  gint64 highest = 0;
  g_autofree char *argument = NULL;

  if (self->updating || !get_chosen (self, &name, &iteration, &highest))
    return;
  argument = g_strdup_printf ("%d %s", gtk_spin_button_get_value_as_int (self->iteration), name);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.go-to-iteration", "s", argument);
}

static GtkWidget *
make_button (const char *icon,
             const char *action,
             const char *tooltip)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip, -1);
  gtk_widget_add_css_class (button, "flat");
  return button;
}

static GtkWidget *
make_label (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "dim-label");
  return label;
}

static void
flow_loop_bar_dispose (GObject *object)
{
  FlowLoopBar *self = FLOW_LOOP_BAR (object);

  g_clear_pointer (&self->loops, g_variant_unref);

  G_OBJECT_CLASS (flow_loop_bar_parent_class)->dispose (object);
}

static void
flow_loop_bar_class_init (FlowLoopBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = flow_loop_bar_dispose;
}

static void
flow_loop_bar_init (FlowLoopBar *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->revealer = GTK_REVEALER (gtk_revealer_new ());
  self->names = GTK_DROP_DOWN (gtk_drop_down_new_from_strings (NULL));
  self->iteration = GTK_SPIN_BUTTON (gtk_spin_button_new_with_range (0, MAX_ITERATION, 1));
  self->known = GTK_LABEL (make_label (NULL));
  gtk_widget_add_css_class (box, "flow-loop-bar");
  gtk_widget_add_css_class (GTK_WIDGET (self->names), "flat");
  gtk_editable_set_width_chars (GTK_EDITABLE (self->iteration), 5);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->names), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Loop"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->iteration), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Iteration"), -1);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->iteration), _("Go to this iteration, ahead or back"));
  gtk_box_append (GTK_BOX (box), make_label (_("Loop")));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->names));
  gtk_box_append (GTK_BOX (box), make_button ("go-previous-symbolic", "win.previous-iteration",
                                              _("To the iteration before (Shift+Ctrl+I)")));
  gtk_box_append (GTK_BOX (box), make_label (_("iteration")));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->iteration));
  gtk_box_append (GTK_BOX (box), make_button ("go-next-symbolic", "win.next-iteration",
                                              _("To the next iteration (Ctrl+I)")));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->known));
  /* Frames have long names: a narrow window scrolls the bar rather than growing. */
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), box);
  gtk_revealer_set_child (self->revealer, scroller);
  gtk_revealer_set_transition_type (self->revealer, GTK_REVEALER_TRANSITION_TYPE_SLIDE_DOWN);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->revealer));
  g_signal_connect_object (self->names, "notify::selected", G_CALLBACK (name_chosen_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->iteration, "value-changed", G_CALLBACK (iteration_changed_cb), self,
                           G_CONNECT_SWAPPED);
}

static gboolean
has_same_names (FlowLoopBar *self,
                GVariant    *loops)
{
  gsize n = loops != NULL ? g_variant_n_children (loops) : 0;

  if (self->loops == NULL || g_variant_n_children (self->loops) != n)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      const char *old = NULL;
      const char *name = NULL;

      g_variant_get_child (self->loops, i, "(&sxx)", &old, NULL, NULL);
      g_variant_get_child (loops, i, "(&sxx)", &name, NULL, NULL);
      if (g_strcmp0 (old, name) != 0)
        return FALSE;
    }
  return TRUE;
}

/**
 * flow_loop_bar_set_loops:
 * @loops: (nullable): a(sxx), as the debugger's `Loops` gives it
 * @current: (nullable): the loop that the next op is in
 * @iteration: of that one
 *
 * The bar is there while there are any. The loop that a person looks at stays chosen until the run is in another.
 */
void
flow_loop_bar_set_loops (FlowLoopBar *self,
                         GVariant    *loops,
                         const char  *current,
                         gint64       iteration)
{
  gsize n = loops != NULL ? g_variant_n_children (loops) : 0;
  gboolean same = FALSE;

  g_return_if_fail (FLOW_IS_LOOP_BAR (self));

  same = has_same_names (self, loops);
  g_clear_pointer (&self->loops, g_variant_unref);
  self->loops = loops != NULL ? g_variant_ref_sink (loops) : NULL;
  gtk_revealer_set_reveal_child (self->revealer, n > 0);
  self->updating = TRUE;
  if (!same)
    {
      g_autoptr(GtkStringList) names = gtk_string_list_new (NULL);

      for (gsize i = 0; i < n; i++)
        {
          const char *name = NULL;

          g_variant_get_child (loops, i, "(&sxx)", &name, NULL, NULL);
          gtk_string_list_append (names, name);
        }
      gtk_drop_down_set_model (self->names, G_LIST_MODEL (names));
    }
  for (gsize i = 0; i < n && current != NULL; i++)
    {
      const char *name = NULL;

      g_variant_get_child (loops, i, "(&sxx)", &name, NULL, NULL);
      if (g_strcmp0 (name, current) == 0)
        gtk_drop_down_set_selected (self->names, i);
    }
  self->updating = FALSE;
  show_chosen (self);
  if (current != NULL)
    {
      self->updating = TRUE;
      gtk_spin_button_set_value (self->iteration, iteration);
      self->updating = FALSE;
    }
}
