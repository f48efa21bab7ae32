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
#include "flow-line-plot.h"
#include "flow-tensor-slice.h"
#include "flow-tooltip.h"
#include "flow-value-grid.h"

/**
 * FlowValueView:
 *
 * One value: statistics, histogram, and a slice of it as heat map, table, image or line. The value stays in
 * the engine, which says what it is like; cells are fetched as they come in view.
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
  FlowLinePlot *line;
  GtkBox *tool_bar;
  GtkButton *next_changed;
  GtkLabel *found_label;
  GtkBox *range_bar;
  GtkEntry *range_low;
  GtkEntry *range_high;

  /* owned */
  FlowUiSession *session;
  FlowTensorSlice *slice;
  FlowTensorSlice *coming;    /* the next one: shown when its first cells are there */
  FlowTensorSlice *other;     /* what it is compared with */
  char *ref;
  char *other_ref;
  char *slice_text;           /* what a person typed, kept from step to step */
  FlowTolerance tolerance;    /* differences that are let pass */

  gboolean large;
};

enum {
  MODE_HEAT,
  MODE_TABLE,
  MODE_HISTOGRAM,
  MODE_IMAGE,
  MODE_TILES,
  MODE_LINE,
};

enum {
  SIGNAL_SHOWN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

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
  gtk_widget_set_visible (GTK_WIDGET (self->tool_bar), FALSE);
}

static void
set_slice (FlowValueView   *self,
           FlowTensorSlice *slice)
{
  if (self->slice != NULL)
    g_signal_handlers_disconnect_by_data (self->slice, self);
  g_set_object (&self->slice, slice);
  flow_heat_map_set_slice (heat_map (self), slice);
  flow_heat_map_set_slice (image (self), slice);
  flow_value_grid_set_slice (self->grid, slice);
  flow_line_plot_set_slice (self->line, slice);
}

static void
forget_other (FlowValueView *self)
{
  flow_value_grid_set_other (self->grid, NULL, &self->tolerance);
  g_clear_object (&self->other);
}

static void
drop_value (FlowValueView *self)
{
  forget_other (self);
  if (self->coming != NULL)
    g_signal_handlers_disconnect_by_data (self->coming, self);
  g_clear_object (&self->coming);
  set_slice (self, NULL);
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
      gint64 dim = flow_shape_get_dim (flow_tensor_slice_get_info (self->slice)->shape, (int) i);
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
  static const char *const pages[] = { "heat", "table", "histogram", "image", "image", "line" };
  guint mode = gtk_drop_down_get_selected (self->mode);
  gboolean is_number = FALSE;

  if (self->slice == NULL || flow_tensor_slice_get_info (self->slice)->n_elements <= 1)
    return;
  is_number = flow_tensor_slice_is_number (self->slice);
  /* Words have no colours. */
  if (!is_number)
    mode = MODE_TABLE;
  flow_heat_map_set_tiles (image (self), mode == MODE_TILES);
  gtk_stack_set_visible_child_name (self->stack, pages[MIN (mode, MODE_LINE)]);
  gtk_widget_set_visible (GTK_WIDGET (self->histogram),
                          mode != MODE_HISTOGRAM && !self->large && is_number && flow_histogram_has_bins (self->histogram));
  gtk_widget_set_visible (GTK_WIDGET (self->range_bar),
                          mode == MODE_HEAT || mode == MODE_IMAGE || mode == MODE_TILES);
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
  if (self->ref != NULL && strpbrk (self->ref, "@#") == NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.edit-value", "s", self->ref);
}

/* --- Colours --- */

static double
entry_number (GtkEntry *entry)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (entry));
  char *end = NULL;
  double value = g_ascii_strtod (text, &end);

  return end == text || *end != '\0' ? NAN : value;
}

static void
range_changed_cb (FlowValueView *self)
{
  double low = entry_number (self->range_low);
  double high = entry_number (self->range_high);

  flow_heat_map_set_range (heat_map (self), low, high);
  flow_heat_map_set_range (image (self), low, high);
}

static void
range_clear_cb (FlowValueView *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->range_low), "");
  gtk_editable_set_text (GTK_EDITABLE (self->range_high), "");
}

/* --- Finding --- */

static void
show_element (FlowValueView *self,
              gint64         element)
{
  gint64 row = 0;
  gint64 column = 0;
  g_autofree char *index = NULL;

  if (self->slice == NULL || element < 0 || element >= flow_tensor_slice_get_info (self->slice)->n_elements)
    return;
  flow_tensor_slice_show_element (self->slice, element, &row, &column);
  if (self->other != NULL)
    {
      g_autofree char *text = flow_tensor_slice_to_string (self->slice);

      flow_tensor_slice_parse (self->other, text);
    }
  g_free (self->slice_text);
  self->slice_text = flow_tensor_slice_to_string (self->slice);
  fill_spins (self);
  if (flow_tensor_slice_is_number (self->slice))
    gtk_drop_down_set_selected (self->mode, MODE_TABLE);
  flow_value_grid_set_cursor (self->grid, row, column);
  flow_line_plot_set_row (self->line, row);
  index = flow_tensor_slice_dup_index (self->slice, row, column);
  gtk_label_set_text (self->found_label, index);
}

static void
found_cb (GObject           *owner,
          FlowDebuggerReply *reply,
          const GError      *error,
          gpointer           data)
{
  FlowValueView *self = FLOW_VALUE_VIEW (owner);
  gint64 element = -1;

  if (error != NULL)
    {
      gtk_label_set_text (self->found_label, error->message);
      return;
    }
  if (g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(x)")))
    g_variant_get (reply->value, "(x)", &element);
  if (element < 0)
    gtk_label_set_text (self->found_label, _("None"));
  else
    show_element (self, element);
}

static GVariant *
tolerance_variant (FlowValueView *self)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&builder, "{sv}", "abs", g_variant_new_double (self->tolerance.abs));
  g_variant_builder_add (&builder, "{sv}", "rel", g_variant_new_double (self->tolerance.rel));
  g_variant_builder_add (&builder, "{sv}", "ulp", g_variant_new_uint64 (self->tolerance.ulp));
  return g_variant_builder_end (&builder);
}

/* The engine looks: the element may be far from what is in view. */
static void
find_next (FlowValueView *self,
           const char    *what)
{
  gint64 row = 0;
  gint64 column = 0;
  gint64 from = -1;

  if (self->slice == NULL || self->ref == NULL)
    return;
  if (flow_value_grid_get_cursor (self->grid, &row, &column) &&
      gtk_label_get_text (self->found_label)[0] != '\0')
    from = flow_tensor_slice_get_element (self->slice, row, column);
  flow_ui_session_query (self->session, self, "find", "FindElement",
                         g_variant_new ("(ssxs@a{sv})", self->ref, what, from,
                                        self->other_ref != NULL ? self->other_ref : "",
                                        tolerance_variant (self)),
                         found_cb, NULL);
}

static void
find_written_cb (FlowValueView *self,
                 GtkEntry      *entry)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (entry));
  g_autofree char *range = NULL;

  if (text[0] == '\0')
    return;
  /* A number alone is a range, too. */
  if (strchr ("[/@", text[0]) == NULL)
    range = strchr (text, ',') != NULL ? g_strdup_printf ("[%s]", text) : g_strdup_printf ("[%s, %s]", text, text);
  find_next (self, range != NULL ? range : text);
}

#define FIND(name)                             \
  static void                                  \
  find_##name##_cb (FlowValueView *self)       \
  {                                            \
    find_next (self, #name);                   \
  }

FIND (nan)
FIND (inf)
FIND (zero)
FIND (max)
FIND (min)
FIND (changed)

/* --- Value --- */

static char *
describe_stats (const FlowValueInfo *stats)
{
  g_autofree char *min = flow_format_number_compact (stats->min);
  g_autofree char *max = flow_format_number_compact (stats->max);
  g_autofree char *mean = flow_format_number_compact (stats->mean);
  g_autofree char *std = flow_format_number_compact (stats->std);
  g_autofree char *nan = flow_format_count (stats->n_nan);
  g_autofree char *inf = flow_format_count (stats->n_inf);
  g_autofree char *zero = flow_format_count (stats->n_zero);

  return g_strdup_printf (_("min %s  max %s  mean %s\nσ %s  %s NaN  %s Inf  %s zeros"), min,
                          max, mean, std, nan, inf, zero);
}

static void
show_info (FlowValueView *self,
           FlowValueInfo *info)
{
  g_autofree char *text = info->is_number ? describe_stats (info) : NULL;

  gtk_widget_remove_css_class (GTK_WIDGET (self->slice_entry), "error");
  gtk_label_set_text (self->stats_label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->stats_label), text != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->slice_bar), TRUE);
  gtk_widget_set_visible (GTK_WIDGET (self->slice_entry),
                          flow_shape_get_rank (info->shape) > 2 || self->large);
  gtk_widget_set_visible (GTK_WIDGET (self->tool_bar), self->large && info->is_number);
  flow_histogram_set_info (self->histogram, info);
  flow_histogram_set_info (self->large_histogram, info);
}

/* The first cells are there: now the new value takes the old one's place, without a gap. */
static void
arrived_cb (FlowValueView *self)
{
  g_autoptr(FlowTensorSlice) slice = g_steal_pointer (&self->coming);
  FlowValueInfo *info = flow_tensor_slice_get_info (slice);
  g_autofree char *text = NULL;

  g_signal_handlers_disconnect_by_data (slice, self);
  set_slice (self, slice);
  if (info->n_elements == 1)
    {
      text = flow_tensor_slice_dup_scalar (slice);
      show_note (self, "");
      gtk_label_set_text (self->scalar, text != NULL ? text : "");
      gtk_stack_set_visible_child_name (self->stack, "scalar");
      g_signal_emit (self, signals[SIGNAL_SHOWN], 0);
      return;
    }
  g_signal_connect_object (slice, "changed", G_CALLBACK (slice_changed_cb), self, G_CONNECT_SWAPPED);
  slice_changed_cb (self);
  fill_spins (self);
  show_info (self, info);
  show_mode (self);
  g_signal_emit (self, signals[SIGNAL_SHOWN], 0);
}

static void
take_info (FlowValueView *self,
           GVariant      *dict)
{
  g_autoptr(FlowValueInfo) info = flow_value_info_new (dict);
  g_autofree char *text = NULL;

  if (info->n_elements == 0 || info->dtype == FLOW_DTYPE_RESOURCE || info->dtype == FLOW_DTYPE_VARIANT)
    {
      g_autofree char *dims = flow_format_dims (info->shape);

      drop_value (self);
      text = info->n_elements == 0 ? g_strdup_printf (_("No elements: its shape is %s"), dims)
                                   : g_strdup_printf (_("A handle (%s): what it leads to is kept by the session"),
                                                      flow_dtype_name (info->dtype));
      show_note (self, text);
      return;
    }
  if (self->coming != NULL)
    g_signal_handlers_disconnect_by_data (self->coming, self);
  g_clear_object (&self->coming);
  self->coming = flow_tensor_slice_new (self->session, self->ref, info);
  if (self->slice_text != NULL)
    flow_tensor_slice_parse (self->coming, self->slice_text);
  g_signal_connect_object (self->coming, "cells-changed", G_CALLBACK (arrived_cb), self, G_CONNECT_SWAPPED);
  flow_tensor_slice_want_overview (self->coming, FALSE);
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
described_cb (GObject           *owner,
              FlowDebuggerReply *reply,
              const GError      *error,
              gpointer           data)
{
  FlowValueView *self = FLOW_VALUE_VIEW (owner);
  g_autoptr(GVariant) info = NULL;
  const char *state = NULL;

  if (self->heat_bin == NULL || self->ref == NULL)
    return;
  if (error != NULL)
    {
      drop_value (self);
      show_note (self, error->message);
      return;
    }
  if (g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a{sv})")))
    info = g_variant_get_child_value (reply->value, 0);
  /* The answer may be about what was shown before. */
  if (info == NULL || g_strcmp0 (flow_lookup_string (info, "ref"), self->ref) != 0)
    return;
  state = flow_lookup_string (info, "state");
  if (g_strcmp0 (state, "value") == 0 || g_strcmp0 (state, "stale") == 0)
    {
      take_info (self, info);
      return;
    }
  drop_value (self);
  show_note (self, absence_text (state));
}

/**
 * flow_value_view_show:
 * @ref: what the debugger calls a value: `node:slot`, `var:NAME@run-start`, `file:PREFIX#NAME`
 *
 * Shows a value as it is now. Called again after a step it asks again; what is shown stays until the
 * answer is there.
 */
void
flow_value_view_show (FlowValueView *self,
                      FlowUiSession *session,
                      const char    *ref)
{
  g_return_if_fail (FLOW_IS_VALUE_VIEW (self));

  if (g_strcmp0 (self->ref, ref) != 0)
    {
      drop_value (self);
      g_clear_pointer (&self->slice_text, g_free);
      g_free (self->ref);
      self->ref = g_strdup (ref);
      gtk_label_set_text (self->tensor_label, ref);
      gtk_label_set_text (self->found_label, "");
      flow_tooltip_set (GTK_WIDGET (self->tensor_label), ref);
      show_note (self, "");
    }
  g_set_object (&self->session, session);
  flow_ui_session_query (session, self, "value", "Describe",
                         g_variant_new ("(su)", ref, FLOW_HISTOGRAM_BINS), described_cb, NULL);
}

/* --- Comparing --- */

/**
 * flow_value_view_set_other:
 * @ref: (nullable): another value of the same dtype and shape
 * @tolerance: (nullable): what is let pass; %NULL: nothing
 *
 * Marks in the table what differs, and lets one go from one difference to the next.
 */
void
flow_value_view_set_other (FlowValueView *self,
                           const char    *ref,
                           const FlowTolerance *tolerance)
{
  g_return_if_fail (FLOW_IS_VALUE_VIEW (self));

  self->tolerance = tolerance != NULL ? *tolerance : (FlowTolerance) { 0, 0, 0 };
  g_free (self->other_ref);
  self->other_ref = g_strdup (ref);
  forget_other (self);
  gtk_widget_set_sensitive (GTK_WIDGET (self->next_changed), ref != NULL);
  if (ref == NULL || self->slice == NULL)
    return;
  self->other = flow_tensor_slice_new (self->session, ref, flow_tensor_slice_get_info (self->slice));
  {
    g_autofree char *text = flow_tensor_slice_to_string (self->slice);

    flow_tensor_slice_parse (self->other, text);
  }
  flow_value_grid_set_other (self->grid, self->other, &self->tolerance);
}

/* Shows an element by its index in row-major order, in the table. */
void
flow_value_view_show_element (FlowValueView *self,
                              gint64         element)
{
  g_return_if_fail (FLOW_IS_VALUE_VIEW (self));

  show_element (self, element);
}

/* Returns: (transfer full) (nullable): the slice as rows of text, tabs between; %NULL when it is too large */
char *
flow_value_view_dup_text (FlowValueView *self)
{
  gint64 rows = 0;
  gint64 columns = 0;
  GString *text = NULL;

  g_return_val_if_fail (FLOW_IS_VALUE_VIEW (self), NULL);

  if (self->slice == NULL || !flow_tensor_slice_is_whole (self->slice))
    return NULL;
  rows = flow_tensor_slice_get_n_rows (self->slice);
  columns = flow_tensor_slice_get_n_columns (self->slice);
  text = g_string_new (NULL);
  for (gint64 row = 0; row < rows; row++)
    for (gint64 column = 0; column < columns; column++)
      {
        g_autofree char *cell = flow_tensor_slice_dup_text (self->slice, row, column);

        g_string_append_printf (text, "%s%c", cell, column + 1 < columns ? '\t' : '\n');
      }
  return g_string_free (text, FALSE);
}

gboolean
flow_value_view_save_png (FlowValueView  *self,
                          const char     *path,
                          GError        **error)
{
  guint mode = 0;

  g_return_val_if_fail (FLOW_IS_VALUE_VIEW (self), FALSE);

  mode = gtk_drop_down_get_selected (self->mode);
  if (self->slice != NULL && flow_tensor_slice_get_info (self->slice)->n_elements == 1)
    flow_tensor_slice_want_overview (self->slice, FALSE);
  return flow_heat_map_save_png (mode == MODE_IMAGE || mode == MODE_TILES ? image (self) : heat_map (self),
                                 path, error);
}

void
flow_value_view_clear (FlowValueView *self)
{
  g_return_if_fail (FLOW_IS_VALUE_VIEW (self));

  drop_value (self);
  g_clear_pointer (&self->ref, g_free);
  show_note (self, "");
}

const char *
flow_value_view_get_ref (FlowValueView *self)
{
  g_return_val_if_fail (FLOW_IS_VALUE_VIEW (self), NULL);

  return self->ref;
}

/* Returns: (transfer none) (nullable): what is shown */
FlowTensorSlice *
flow_value_view_get_slice (FlowValueView *self)
{
  g_return_val_if_fail (FLOW_IS_VALUE_VIEW (self), NULL);

  return self->slice;
}

/* @name: heat, table, histogram, image, tiles or line */
void
flow_value_view_set_mode (FlowValueView *self,
                          const char    *name)
{
  static const char *const names[] = { "heat", "table", "histogram", "image", "tiles", "line" };

  g_return_if_fail (FLOW_IS_VALUE_VIEW (self));

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_strcmp0 (names[i], name) == 0)
      gtk_drop_down_set_selected (self->mode, i);
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

  g_free (self->ref);
  g_free (self->other_ref);
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
  g_type_ensure (FLOW_TYPE_LINE_PLOT);
  g_type_ensure (FLOW_TYPE_VALUE_GRID);
  signals[SIGNAL_SHOWN] =
    g_signal_new ("shown", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 0);
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
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, line);
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, tool_bar);
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, next_changed);
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, found_label);
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, range_bar);
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, range_low);
  gtk_widget_class_bind_template_child (widget_class, FlowValueView, range_high);
  gtk_widget_class_bind_template_callback (widget_class, find_written_cb);
  gtk_widget_class_bind_template_callback (widget_class, find_nan_cb);
  gtk_widget_class_bind_template_callback (widget_class, find_inf_cb);
  gtk_widget_class_bind_template_callback (widget_class, find_zero_cb);
  gtk_widget_class_bind_template_callback (widget_class, find_max_cb);
  gtk_widget_class_bind_template_callback (widget_class, find_min_cb);
  gtk_widget_class_bind_template_callback (widget_class, find_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, range_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, range_clear_cb);
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
