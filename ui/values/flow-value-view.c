/* flow-value-view.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-value-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "flow-format.h"
#include "flow-heat-map.h"
#include "flow-histogram.h"
#include "flow-tensor-slice.h"
#include "flow-tooltip.h"
#include "flow-value-grid.h"

/**
 * FlowValueView:
 *
 * One tensor: statistics, histogram, and a slice of it as heat map, table or image. The value is
 * asked of the engine and looked at on a worker; the view never waits for either.
 */
struct _FlowValueView
{
  AdwBin parent_instance;

  /* template */
  GtkLabel *stats_label;
  FlowHistogram *histogram;
  FlowHistogram *large_histogram;
  GtkBox *slice_bar;
  GtkBox *spin_bar;
  GtkLabel *tensor_label;
  GtkEntry *slice_entry;
  GtkDropDown *mode;
  GtkStack *stack;
  GtkLabel *note;
  GtkLabel *scalar;
  AdwBin *heat_bin;
  AdwBin *image_bin;
  GtkScrolledWindow *table_scroller;
  FlowValueGrid *grid;

  /* owned */
  FlowUiSession *session;
  FlowTensor *value;
  FlowTensorSlice *slice;
  GCancellable *cancellable;
  char *tensor;
  char *slice_text;           /* what a person typed, kept from step to step */

  gboolean large;
  gboolean pending;
};

enum {
  MODE_HEAT,
  MODE_TABLE,
  MODE_HISTOGRAM,
  MODE_IMAGE,
};

G_DEFINE_FINAL_TYPE (FlowValueView, flow_value_view, ADW_TYPE_BIN)

static FlowHeatMap *
heat_map (FlowValueView *self)
{
  return FLOW_HEAT_MAP (adw_bin_get_child (self->heat_bin));
}

static FlowHeatMap *
image (FlowValueView *self)
{
  return FLOW_HEAT_MAP (adw_bin_get_child (self->image_bin));
}

static void
show_note (FlowValueView *self,
           const char    *text)
{
  gtk_label_set_text (self->note, text);
  gtk_stack_set_visible_child_name (self->stack, "none");
  gtk_widget_set_visible (GTK_WIDGET (self->stats_label), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->histogram), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->slice_bar), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->spin_bar), FALSE);
}

static void
release (FlowValueView *self)
{
  if (self->pending && self->session != NULL)
    flow_ui_session_release_pending (self->session);
  self->pending = FALSE;
}

static void
drop_value (FlowValueView *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  release (self);
  flow_heat_map_set_slice (heat_map (self), NULL);
  flow_heat_map_set_slice (image (self), NULL);
  flow_value_grid_set_slice (self->grid, NULL);
  if (self->slice != NULL)
    g_signal_handlers_disconnect_by_data (self->slice, self);
  g_clear_object (&self->slice);
  g_clear_pointer (&self->value, flow_tensor_unref);
}

/* --- Slice --- */

static void
spin_changed_cb (GtkSpinButton *spin,
                 FlowValueView *self)
{
  g_autofree char *text = NULL;
  g_auto(GStrv) words = NULL;
  g_autofree char *joined = NULL;
  guint dim = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (spin), "flow-dim"));

  if (self->slice == NULL)
    return;
  text = flow_tensor_slice_to_string (self->slice);
  g_strdelimit (text, "[]", ' ');
  words = g_strsplit (g_strstrip (text), ",", -1);
  if (dim >= g_strv_length (words))
    return;
  g_free (words[dim]);
  words[dim] = g_strdup_printf ("%d", gtk_spin_button_get_value_as_int (spin));
  joined = g_strjoinv (",", words);
  flow_tensor_slice_parse (self->slice, joined);
  g_free (self->slice_text);
  self->slice_text = flow_tensor_slice_to_string (self->slice);
}

/* A spin button for each dimension that is not shown: the slice bar of the large view. */
static void
fill_spins (FlowValueView *self)
{
  g_autofree char *text = flow_tensor_slice_to_string (self->slice);
  g_auto(GStrv) words = NULL;
  GtkWidget *child = NULL;
  guint n = 0;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->spin_bar))) != NULL)
    gtk_box_remove (self->spin_bar, child);
  g_strdelimit (text, "[]", ' ');
  words = g_strsplit (g_strstrip (text), ",", -1);
  for (guint i = 0; words[i] != NULL && words[i][0] != '\0'; i++)
    {
      gint64 dim = flow_tensor_get_dim (self->value, i);
      g_autofree char *title = NULL;
      GtkWidget *spin = NULL;
      GtkWidget *label = NULL;

      if (g_strcmp0 (g_strstrip (words[i]), ":") == 0)
        continue;
      title = g_strdup_printf (_("Dimension %u"), i);
      label = gtk_label_new (title);
      gtk_widget_add_css_class (label, "dim-label");
      spin = gtk_spin_button_new_with_range (0, (double) MAX (0, dim - 1), 1);
      gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), g_ascii_strtod (words[i], NULL));
      g_object_set_data (G_OBJECT (spin), "flow-dim", GUINT_TO_POINTER (i));
      gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                      -1);
      g_signal_connect_object (spin, "value-changed", G_CALLBACK (spin_changed_cb), self, 0);
      gtk_box_append (self->spin_bar, label);
      gtk_box_append (self->spin_bar, spin);
      n++;
    }
  gtk_widget_set_visible (GTK_WIDGET (self->spin_bar), self->large && n > 0);
}

static void
slice_changed_cb (FlowValueView *self)
{
  g_autofree char *text = flow_tensor_slice_to_string (self->slice);

  gtk_editable_set_text (GTK_EDITABLE (self->slice_entry), text);
}

static void
slice_activate_cb (FlowValueView *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->slice_entry));

  if (self->slice == NULL)
    return;
  if (flow_tensor_slice_parse (self->slice, text))
    {
      gtk_widget_remove_css_class (GTK_WIDGET (self->slice_entry), "error");
      g_free (self->slice_text);
      self->slice_text = flow_tensor_slice_to_string (self->slice);
      fill_spins (self);
    }
  else
    {
      gtk_widget_add_css_class (GTK_WIDGET (self->slice_entry), "error");
    }
}

static void
show_mode (FlowValueView *self)
{
  static const char *const pages[] = { "heat", "table", "histogram", "image" };
  guint mode = gtk_drop_down_get_selected (self->mode);

  if (self->slice == NULL || flow_tensor_get_n_elements (self->value) <= 1)
    return;
  /* Words have no colours. */
  if (!flow_tensor_slice_is_number (self->slice))
    mode = MODE_TABLE;
  gtk_stack_set_visible_child_name (self->stack, pages[MIN (mode, MODE_IMAGE)]);
  gtk_widget_set_visible (GTK_WIDGET (self->histogram),
                          mode != MODE_HISTOGRAM && !self->large &&
                            flow_tensor_slice_is_number (self->slice));
}

static void
mode_changed_cb (FlowValueView *self)
{
  show_mode (self);
}

static void
cell_activated_cb (FlowValueView *self,
                   gint64         row,
                   gint64         column)
{
  if (self->tensor != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.edit-value", "s", self->tensor);
}

/* --- Value --- */

static char *
describe_stats (const FlowTensorStats *stats)
{
  g_autofree char *min = flow_format_number_compact (stats->min);
  g_autofree char *max = flow_format_number_compact (stats->max);
  g_autofree char *mean = flow_format_number_compact (stats->mean);
  g_autofree char *std = flow_format_number_compact (stats->std);
  g_autofree char *nan = flow_format_count (stats->n_nan);
  g_autofree char *inf = flow_format_count (flow_tensor_stats_get_n_inf (stats));
  g_autofree char *zero = flow_format_count (stats->n_zero);

  return g_strdup_printf (_("min %s  max %s  mean %s\nσ %s  %s NaN  %s Inf  %s zeros"), min,
                          max, mean, std, nan, inf, zero);
}

static void
show_value (FlowValueView   *self,
            FlowTensorStats *stats)
{
  gint64 n = flow_tensor_get_n_elements (self->value);
  g_autofree char *text = NULL;

  self->slice = flow_tensor_slice_new (self->value, stats);
  gtk_widget_remove_css_class (GTK_WIDGET (self->slice_entry), "error");
  if (n == 0)
    {
      g_autofree char *dims = flow_format_dims (flow_tensor_get_shape (self->value));

      text = g_strdup_printf (_("No elements: its shape is %s"), dims);
      show_note (self, text);
      return;
    }
  if (n == 1)
    {
      text = flow_tensor_element_to_string (self->value, 0);
      show_note (self, "");
      gtk_label_set_text (self->scalar, text);
      gtk_stack_set_visible_child_name (self->stack, "scalar");
      return;
    }
  if (self->slice_text != NULL)
    flow_tensor_slice_parse (self->slice, self->slice_text);
  g_signal_connect_object (self->slice, "changed", G_CALLBACK (slice_changed_cb), self,
                           G_CONNECT_SWAPPED);
  slice_changed_cb (self);
  fill_spins (self);
  text = stats->is_number ? describe_stats (stats) : NULL;
  gtk_label_set_text (self->stats_label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->stats_label), text != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->slice_bar), TRUE);
  gtk_widget_set_visible (GTK_WIDGET (self->slice_entry),
                          flow_tensor_get_rank (self->value) > 2 || self->large);
  flow_histogram_set_stats (self->histogram, stats);
  flow_histogram_set_stats (self->large_histogram, stats);
  flow_heat_map_set_slice (heat_map (self), self->slice);
  flow_heat_map_set_slice (image (self), self->slice);
  flow_value_grid_set_slice (self->grid, self->slice);
  show_mode (self);
}

static void
summarized_cb (GObject      *object,
               GAsyncResult *result,
               gpointer      data)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowTensorStats) stats = flow_tensor_summarize_finish (result, &error);
  FlowValueView *self = data;

  /* Cancelled means that the view has moved on, or is gone. */
  if (stats == NULL)
    return;
  release (self);
  g_clear_object (&self->cancellable);
  show_value (self, stats);
}

static void
take_value (FlowValueView *self,
            FlowTensor    *value)
{
  drop_value (self);
  self->value = value;
  self->cancellable = g_cancellable_new ();
  if (self->session != NULL)
    flow_ui_session_hold_pending (self->session);
  self->pending = self->session != NULL;
  flow_tensor_summarize_async (value, self->cancellable, summarized_cb, self);
}

static const char *
absence_text (const char *state)
{
  if (g_strcmp0 (state, "dead") == 0)
    return _("Dead: the branch it belongs to was not taken");
  if (g_strcmp0 (state, "dropped") == 0)
    return _("No longer held: its last reader has run. Step back to see it again.");
  if (g_strcmp0 (state, "uninitialized") == 0)
    return _("Uninitialized");
  return _("Not computed yet");
}

static void
value_cb (GObject           *owner,
          FlowDebuggerReply *reply,
          const GError      *error,
          gpointer           data)
{
  FlowValueView *self = FLOW_VALUE_VIEW (owner);
  g_autoptr(GVariant) info = NULL;

  if (error != NULL)
    {
      drop_value (self);
      show_note (self, error->message);
      return;
    }
  if (reply->tensors != NULL && reply->tensors->len > 0)
    {
      take_value (self, flow_tensor_ref (g_ptr_array_index (reply->tensors, 0)));
      return;
    }
  drop_value (self);
  if (g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a{sv})")))
    info = g_variant_get_child_value (reply->value, 0);
  show_note (self, absence_text (flow_lookup_string (info, "state")));
}

/**
 * flow_value_view_show:
 * @tensor: `node:slot`
 *
 * Shows what a tensor holds now. Called again after a step it asks again; what is shown stays until
 * the answer is there.
 */
void
flow_value_view_show (FlowValueView *self,
                      FlowUiSession *session,
                      const char    *tensor)
{
  g_return_if_fail (FLOW_IS_VALUE_VIEW (self));

  if (g_strcmp0 (self->tensor, tensor) != 0)
    {
      drop_value (self);
      g_clear_pointer (&self->slice_text, g_free);
      g_free (self->tensor);
      self->tensor = g_strdup (tensor);
      gtk_label_set_text (self->tensor_label, tensor);
      flow_tooltip_set (GTK_WIDGET (self->tensor_label), tensor);
      show_note (self, "");
    }
  if (self->session != session)
    {
      release (self);
      g_set_object (&self->session, session);
    }
  flow_ui_session_query (session, self, "value", "GetValue",
                         g_variant_new ("(st)", tensor, G_MAXUINT64), value_cb, NULL);
}

/* Shows a value that is at hand: one of a variable before a restore, say. */
void
flow_value_view_show_tensor (FlowValueView *self,
                             FlowUiSession *session,
                             const char    *name,
                             FlowTensor    *tensor)
{
  g_return_if_fail (FLOW_IS_VALUE_VIEW (self));

  release (self);
  g_set_object (&self->session, session);
  g_clear_pointer (&self->tensor, g_free);
  gtk_label_set_text (self->tensor_label, name);
  take_value (self, flow_tensor_ref (tensor));
}

void
flow_value_view_clear (FlowValueView *self)
{
  g_return_if_fail (FLOW_IS_VALUE_VIEW (self));

  drop_value (self);
  g_clear_pointer (&self->tensor, g_free);
  show_note (self, "");
}

const char *
flow_value_view_get_tensor (FlowValueView *self)
{
  g_return_val_if_fail (FLOW_IS_VALUE_VIEW (self), NULL);

  return self->tensor;
}

/* Returns: (transfer none) (nullable): the whole value that is shown */
FlowTensor *
flow_value_view_get_value (FlowValueView *self)
{
  g_return_val_if_fail (FLOW_IS_VALUE_VIEW (self), NULL);

  return self->value;
}

/* For a window of its own: everything grows with it. */
void
flow_value_view_set_large (FlowValueView *self)
{
  g_return_if_fail (FLOW_IS_VALUE_VIEW (self));

  self->large = TRUE;
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_scrolled_window_set_max_content_height (self->table_scroller, -1);
  gtk_widget_set_vexpand (GTK_WIDGET (self->table_scroller), TRUE);
  gtk_drop_down_set_selected (self->mode, MODE_TABLE);
}

static void
flow_value_view_dispose (GObject *object)
{
  FlowValueView *self = FLOW_VALUE_VIEW (object);

  if (self->heat_bin != NULL)
    drop_value (self);
  g_clear_object (&self->session);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), FLOW_TYPE_VALUE_VIEW);

  G_OBJECT_CLASS (flow_value_view_parent_class)->dispose (object);
}

static void
flow_value_view_finalize (GObject *object)
{
  FlowValueView *self = FLOW_VALUE_VIEW (object);

  g_free (self->tensor);
  g_free (self->slice_text);

  G_OBJECT_CLASS (flow_value_view_parent_class)->finalize (object);
}

static void
flow_value_view_class_init (FlowValueViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_value_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = flow_value_view_finalize;

  g_type_ensure (FLOW_TYPE_HISTOGRAM);
  g_type_ensure (FLOW_TYPE_VALUE_GRID);
  gtk_widget_class_set_template_from_resource (
    widget_class, "/org/flowstep/Flowstep/ui/values/flow-value-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, stats_label);
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, histogram);
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, large_histogram);
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, slice_bar);
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, spin_bar);
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, tensor_label);
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, slice_entry);
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, mode);
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, stack);
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, note);
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, scalar);
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, heat_bin);
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, image_bin);
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, table_scroller);
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, grid);
  gtk_widget_class_bind_template_callback (widget_class, slice_activate_cb);
  gtk_widget_class_bind_template_callback (widget_class, mode_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, cell_activated_cb);
}

static void
flow_value_view_init (FlowValueView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  adw_bin_set_child (self->heat_bin, flow_heat_map_new (FLOW_HEAT_MAP_DIVERGING));
  adw_bin_set_child (self->image_bin, flow_heat_map_new (FLOW_HEAT_MAP_GRAY));
  show_note (self, "");
}

GtkWidget *
flow_value_view_new (void)
{
  return g_object_new (FLOW_TYPE_VALUE_VIEW, NULL);
}
