/* flow-moment-bar.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-moment-bar.h"

#include <glib/gi18n.h>
#include <string.h>

#include "flow-format.h"
#include "flow-tooltip.h"
#include "flow-variant-item.h"

/**
 * FlowMomentBar:
 *
 * Which of the values that a tensor has had is shown: of a loop one for each iteration, else one for each run.
 * The last place is "now", which follows the steps. Hidden while there is nothing to choose.
 */
struct _FlowMomentBar
{
  GtkBox parent_instance;

  /* owned */
  FlowUiSession *session;
  char *base;                /* the value's name without a moment */
  char *ref;                 /* of the moment that is chosen */
  GArray *moments;           /* Moment */

  /* borrowed */
  GtkWidget *spin;
  GtkWidget *count;
  GtkWidget *place;
  GtkWidget *now;
  GtkWidget *there;

  guint64 wanted;            /* the number that was asked for before the moments were known; 0: none */
  gboolean is_now;
  gboolean filling;
};

typedef struct {
  guint64 position;          /* ops executed when the value was there */
  gint64 iteration;
} Moment;

enum {
  SIGNAL_CHOSEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FlowMomentBar, flow_moment_bar, GTK_TYPE_BOX)

static gboolean
is_variable (FlowMomentBar *self)
{
  return g_str_has_prefix (self->base, "var:");
}

static const Moment *
shown_moment (FlowMomentBar *self)
{
  guint i = (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->spin));

  return !self->is_now && i >= 1 && i <= self->moments->len ? &g_array_index (self->moments, Moment, i - 1) : NULL;
}

static void
describe (FlowMomentBar *self)
{
  const Moment *moment = shown_moment (self);
  g_autofree char *n = flow_format_count (self->moments->len);
  g_autofree char *of = g_strdup_printf (_("of %s"), n);
  g_autofree char *position = moment != NULL ? flow_format_count (moment->position) : NULL;
  g_autofree char *text = NULL;

  if (moment == NULL)
    text = g_strdup (_("now"));
  else if (is_variable (self))
    text = g_strdup_printf (_("when the run began, after op %s"), position);
  else if (moment->iteration > 0)
    text = g_strdup_printf (_("iteration %" G_GINT64_FORMAT ", after op %s"), moment->iteration, position);
  else
    text = g_strdup_printf (_("after op %s"), position);
  gtk_label_set_text (GTK_LABEL (self->count), of);
  gtk_label_set_text (GTK_LABEL (self->place), text);
  gtk_widget_set_sensitive (self->now, !self->is_now);
  gtk_widget_set_sensitive (self->there, moment != NULL);
}

static void
show_chosen (FlowMomentBar *self)
{
  const Moment *moment = shown_moment (self);
  g_autofree char *ref = NULL;

  ref = moment != NULL ? g_strdup_printf ("%s@%" G_GUINT64_FORMAT, self->base, moment->position) : g_strdup (self->base);
  describe (self);
  if (g_strcmp0 (ref, self->ref) == 0)
    return;
  g_free (self->ref);
  self->ref = g_steal_pointer (&ref);
  g_signal_emit (self, signals[SIGNAL_CHOSEN], 0);
}

static void
spin_changed_cb (FlowMomentBar *self)
{
  if (self->filling)
    return;
  self->is_now = FALSE;
  show_chosen (self);
}

static void
set_now (FlowMomentBar *self)
{
  self->is_now = TRUE;
  self->filling = TRUE;
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->spin), self->moments->len);
  self->filling = FALSE;
  show_chosen (self);
}

static void
there_cb (FlowMomentBar *self)
{
  const Moment *moment = shown_moment (self);

  if (moment != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.go-to-event", "i", (gint32) moment->position);
}

/* --- Asking --- */

static void
history_cb (GObject           *owner,
            FlowDebuggerReply *reply,
            const GError      *error,
            gpointer           data)
{
  FlowMomentBar *self = FLOW_MOMENT_BAR (owner);
  g_autoptr(GVariant) points = NULL;
  int at = gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->spin));

  g_array_set_size (self->moments, 0);
  if (reply != NULL && g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a(txd))")))
    points = g_variant_get_child_value (reply->value, 0);
  for (gsize i = 0; points != NULL && i < g_variant_n_children (points); i++)
    {
      Moment moment = { 0, 0 };

      g_variant_get_child (points, i, "(txd)", &moment.position, &moment.iteration, NULL);
      /* An op's value is there after it. */
      moment.position += is_variable (self) ? 0 : 1;
      g_array_append_val (self->moments, moment);
    }
  gtk_widget_set_visible (GTK_WIDGET (self), self->moments->len > 1);
  self->filling = TRUE;
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->spin), 1, MAX (1, self->moments->len));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->spin), self->is_now ? (int) self->moments->len : at);
  self->filling = FALSE;
  if (self->wanted > 0 && self->wanted <= self->moments->len)
    {
      self->is_now = FALSE;
      self->filling = TRUE;
      gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->spin), (double) self->wanted);
      self->filling = FALSE;
    }
  self->wanted = 0;
  if (self->moments->len <= 1)
    self->is_now = TRUE;
  show_chosen (self);
}

/* The run has moved: there may be more. */
void
flow_moment_bar_refresh (FlowMomentBar *self)
{
  g_autofree char *tensor = NULL;

  g_return_if_fail (FLOW_IS_MOMENT_BAR (self));

  tensor = is_variable (self) ? g_strconcat (self->base + strlen ("var:"), ":0", NULL) : g_strdup (self->base);
  flow_ui_session_query (self->session, self, "history", "History", g_variant_new ("(s)", tensor), history_cb, NULL);
}

/* To an earlier or later one. */
void
flow_moment_bar_go (FlowMomentBar *self,
                    int            by)
{
  g_return_if_fail (FLOW_IS_MOMENT_BAR (self));

  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->spin),
                             gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->spin)) + by);
}

/* By its number from 1; "now". */
void
flow_moment_bar_choose (FlowMomentBar *self,
                        const char    *number)
{
  guint64 n = 0;

  g_return_if_fail (FLOW_IS_MOMENT_BAR (self) && number != NULL);

  if (strcmp (number, "now") == 0)
    set_now (self);
  else if (g_ascii_string_to_unsigned (number, 10, 1, G_MAXINT32, &n, NULL))
    {
      self->wanted = n;
      flow_moment_bar_refresh (self);
    }
}

/* Returns: (transfer none): the value that is chosen */
const char *
flow_moment_bar_get_ref (FlowMomentBar *self)
{
  g_return_val_if_fail (FLOW_IS_MOMENT_BAR (self), NULL);

  return self->ref;
}

/* --- Object --- */

static void
flow_moment_bar_finalize (GObject *object)
{
  FlowMomentBar *self = FLOW_MOMENT_BAR (object);

  g_clear_object (&self->session);
  g_array_unref (self->moments);
  g_free (self->base);
  g_free (self->ref);

  G_OBJECT_CLASS (flow_moment_bar_parent_class)->finalize (object);
}

static void
flow_moment_bar_class_init (FlowMomentBarClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = flow_moment_bar_finalize;
  signals[SIGNAL_CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 0);
}

static GtkWidget *
append_label (FlowMomentBar *self,
              const char    *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (self), label);
  return label;
}

static GtkWidget *
append_button (FlowMomentBar *self,
               const char    *label,
               const char    *tooltip,
               GCallback      func)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  flow_tooltip_set (button, tooltip);
  g_signal_connect_object (button, "clicked", func, self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self), button);
  return button;
}

static void
flow_moment_bar_init (FlowMomentBar *self)
{
  self->moments = g_array_new (FALSE, FALSE, sizeof (Moment));
  self->is_now = TRUE;
  gtk_box_set_spacing (GTK_BOX (self), 8);
  gtk_widget_add_css_class (GTK_WIDGET (self), "flow-entry-bar");
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  append_label (self, _("Value"));
  self->spin = gtk_spin_button_new_with_range (1, 1, 1);
  flow_tooltip_set (self->spin, _("Which of the values it has had (Alt+Up, Alt+Down)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->spin), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Which of the values it has had"), -1);
  g_signal_connect_object (self->spin, "value-changed", G_CALLBACK (spin_changed_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self), self->spin);
  self->count = append_label (self, "");
  self->place = append_label (self, "");
  gtk_widget_set_hexpand (self->place, TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->place), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->place), PANGO_ELLIPSIZE_END);
  self->there = append_button (self, _("Go There"), _("Take the run to this moment"), G_CALLBACK (there_cb));
  self->now = append_button (self, _("Now"), _("Show the value as it is now, from step to step"), G_CALLBACK (set_now));
}

/* @ref: a tensor `a/b:0` or a variable `var:NAME`, without a moment */
GtkWidget *
flow_moment_bar_new (FlowUiSession *session,
                     const char    *ref)
{
  FlowMomentBar *self = g_object_new (FLOW_TYPE_MOMENT_BAR, NULL);

  self->session = g_object_ref (session);
  self->base = g_strdup (ref);
  self->ref = g_strdup (ref);
  return GTK_WIDGET (self);
}
