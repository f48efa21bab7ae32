/* flow-curves-view.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-curves-view.h"

#include <glib/gi18n.h>

#include "flow-curve.h"
#include "flow-format.h"
#include "flow-ridges.h"
#include "flow-table.h"
#include "flow-value-view.h"
#include "flow-variant-rows.h"

/**
 * FlowCurvesView:
 *
 * The series of an event file beside its graph: a list of tags, and the curves of the scalars that are chosen,
 * histograms as ridges, one behind the other, and pictures, text and tensors step by step;
 * a file that grows is followed.
 * Activating a row selects the op that wrote it, where the graph has one of that name. Its page is there only
 * for files with series, and comes to the front when such a file opens.
 */
struct _FlowCurvesView
{
  FlowView parent_instance;

  /* owned */
  GListStore *rows;
  GPtrArray *tags;           /* of char*: the scalars shown */
  GHashTable *points;        /* tag -> a(xdd) */
  GFileMonitor *monitor;     /* of the event file: it may grow */

  /* borrowed */
  GtkColumnView *table;
  FlowCurve *curve;
  FlowRidges *ridges;
  FlowValueView *item;       /* text or a tensor at a step */
  GtkPicture *picture;       /* likewise */
  GtkStack *item_stack;
  GtkWidget *item_step;      /* which of them */
  GtkWidget *item_label;
  GtkStack *stack;
  char *item_kind;           /* owned, as item_tag: of what is not scalar */
  char *item_tag;
  GVariant *item_steps;      /* owned, a(xd) */

  guint follow_source;       /* what grew is looked at a moment later, once */
  guint is_new : 1;          /* the file was opened since the last answer */
};

/* What a screen can show of a curve, with the least and greatest of each stretch. */
#define MAX_POINTS 4000
/* More curves in one field cannot be told apart. */
#define MAX_SHOWN 6
/* A writer that is busy writes many times a second. */
#define FOLLOW_MS 500

G_DEFINE_FINAL_TYPE (FlowCurvesView, flow_curves_view, FLOW_TYPE_VIEW)

static char *
tag_text (GVariant *row,
          gpointer  data)
{
  return flow_escape_display (flow_lookup_string (row, "tag"), -1, 200);
}

static char *
kind_text (GVariant *row,
           gpointer  data)
{
  return g_strdup (flow_lookup_string (row, "kind"));
}

static char *
points_text (GVariant *row,
             gpointer  data)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT, flow_lookup_int (row, "n", 0));
}

static char *
last_text (GVariant *row,
           gpointer  data)
{
  return flow_lookup_has (row, "last") ? flow_format_number (flow_lookup_double (row, "last", 0)) : NULL;
}

static char *
bad_text (GVariant *row,
          gpointer  data)
{
  gint64 n = flow_lookup_int (row, "bad", 0);

  return n > 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, n) : NULL;
}

static const char *
bad_css (GVariant *row,
         gpointer  data)
{
  return flow_lookup_int (row, "bad", 0) > 0 ? "error" : NULL;
}

static void
show_curves (FlowCurvesView *self)
{
  flow_curve_clear (self->curve);
  for (guint i = 0; i < self->tags->len; i++)
    {
      const char *tag = g_ptr_array_index (self->tags, i);
      GVariant *points = g_hash_table_lookup (self->points, tag);
      g_autofree char *title = flow_escape_display (tag, -1, 80);

      if (points != NULL)
        flow_curve_add_series (self->curve, title, points);
    }
}

static void
points_cb (GObject           *owner,
           FlowDebuggerReply *reply,
           const GError      *error,
           gpointer           data)
{
  FlowCurvesView *self = FLOW_CURVES_VIEW (owner);
  const char *tag = data;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a(xdd))")))
    return;
  g_hash_table_insert (self->points, g_strdup (tag), g_variant_get_child_value (reply->value, 0));
  show_curves (self);
}

static void
ask_points (FlowCurvesView *self)
{
  for (guint i = 0; i < self->tags->len; i++)
    {
      /* Lives as long as the program: the answer may come when the row is gone. */
      const char *tag = g_intern_string (g_ptr_array_index (self->tags, i));
      g_autofree char *channel = g_strdup_printf ("points:%s", tag);

      flow_ui_session_query (flow_view_get_session (FLOW_VIEW (self)), self, channel, "SeriesPoints",
                             g_variant_new ("(su)", tag, MAX_POINTS), points_cb, (gpointer) tag);
    }
}

/* --- Histograms, pictures, text, tensors --- */

/* So many ridges can be told apart. */
#define MAX_RIDGES 40

static void
histograms_cb (GObject           *owner,
               FlowDebuggerReply *reply,
               const GError      *error,
               gpointer           data)
{
  FlowCurvesView *self = FLOW_CURVES_VIEW (owner);
  g_autoptr(GVariant) rows = NULL;
  double low = 0;
  double high = 0;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(dda(xdad))")) || self->table == NULL)
    return;
  g_variant_get (reply->value, "(dd@a(xdad))", &low, &high, &rows);
  flow_ridges_show (self->ridges, low, high, rows);
}

/* Grey, grey and alpha, RGB or RGBA: as RGBA. */
static GdkTexture *
make_texture (FlowTensor *pixels)
{
  gint64 height = flow_tensor_get_dim (pixels, 0);
  gint64 width = flow_tensor_get_dim (pixels, 1);
  gint64 n = flow_tensor_get_dim (pixels, 2);
  const guint8 *from = flow_tensor_get_data (pixels);
  g_autoptr(GBytes) bytes = NULL;
  guint8 *to = NULL;

  if (width < 1 || height < 1 || n < 1 || n > 4)
    return NULL;
  to = g_malloc ((gsize) (width * height * 4));
  for (gint64 i = 0; i < width * height; i++)
    for (gint64 k = 0; k < 4; k++)
      to[i * 4 + k] = k == 3 ? (n == 2 || n == 4 ? from[i * n + n - 1] : 255) : from[i * n + (n >= 3 ? k : 0)];
  bytes = g_bytes_new_take (to, (gsize) (width * height * 4));
  return gdk_memory_texture_new ((int) width, (int) height, GDK_MEMORY_R8G8B8A8, bytes, (gsize) width * 4);
}

static void
pixels_cb (GObject           *owner,
           FlowDebuggerReply *reply,
           const GError      *error,
           gpointer           data)
{
  FlowCurvesView *self = FLOW_CURVES_VIEW (owner);
  FlowTensor *pixels = reply != NULL && reply->tensors != NULL && reply->tensors->len > 0
                         ? g_ptr_array_index (reply->tensors, 0) : NULL;
  g_autoptr(GdkTexture) texture = NULL;

  if (self->table == NULL)
    return;
  if (pixels != NULL && flow_tensor_get_dtype (pixels) == FLOW_DTYPE_UINT8 && flow_tensor_get_rank (pixels) == 3)
    texture = make_texture (pixels);
  gtk_picture_set_paintable (self->picture, texture != NULL ? GDK_PAINTABLE (texture) : NULL);
}

/* Elements that travel at once; of a larger picture every n-th pixel. */
#define MAX_PIXELS (G_GINT64_CONSTANT (1) << 22)

static void
picture_cb (GObject           *owner,
            FlowDebuggerReply *reply,
            const GError      *error,
            gpointer           data)
{
  FlowCurvesView *self = FLOW_CURVES_VIEW (owner);
  g_autoptr(GVariant) info = NULL;
  g_autoptr(GVariant) shape = NULL;
  const gint64 *dims = NULL;
  gint64 begin[3] = { 0, 0, 0 };
  gint64 count[3] = { 0, 0, 0 };
  gint64 step[3] = { 1, 1, 1 };
  gsize rank = 0;

  if (self->table == NULL)
    return;
  if (error != NULL)
    {
      gtk_picture_set_paintable (self->picture, NULL);
      gtk_label_set_text (GTK_LABEL (self->item_label), error->message);
      return;
    }
  if (!g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a{sv})")))
    return;
  info = g_variant_get_child_value (reply->value, 0);
  shape = g_variant_lookup_value (info, "shape", G_VARIANT_TYPE ("ax"));
  dims = shape != NULL ? g_variant_get_fixed_array (shape, &rank, sizeof (gint64)) : NULL;
  if (rank != 3)
    return;
  while ((dims[0] / step[0] + 1) * (dims[1] / step[1] + 1) > MAX_PIXELS / 4)
    step[0] = ++step[1];
  for (int d = 0; d < 3; d++)
    count[d] = dims[d] > 0 ? (dims[d] - 1) / step[d] + 1 : 0;
  flow_ui_session_query (flow_view_get_session (FLOW_VIEW (self)), self, "pixels", "Slice",
                         g_variant_new ("(s@ax@ax@ax)", flow_lookup_string (info, "ref"),
                                        g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, begin, 3, sizeof (gint64)),
                                        g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, count, 3, sizeof (gint64)),
                                        g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, step, 3, sizeof (gint64))),
                         pixels_cb, NULL);
}

static void
show_item (FlowCurvesView *self)
{
  gboolean is_picture = g_strcmp0 (self->item_kind, "image") == 0;
  guint i = (guint) gtk_range_get_value (GTK_RANGE (self->item_step));
  g_autofree char *ref = NULL;
  g_autofree char *text = NULL;
  gint64 step = 0;

  if (self->item_steps == NULL || i >= g_variant_n_children (self->item_steps))
    return;
  g_variant_get_child (self->item_steps, i, "(xd)", &step, NULL);
  text = g_strdup_printf (_("step %" G_GINT64_FORMAT), step);
  gtk_label_set_text (GTK_LABEL (self->item_label), text);
  ref = g_strdup_printf ("series:%s:%s@%u", self->item_kind, self->item_tag, i);
  gtk_stack_set_visible_child_name (self->item_stack, is_picture ? "picture" : "value");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->picture), GTK_ACCESSIBLE_PROPERTY_LABEL, self->item_tag, -1);
  if (is_picture)
    flow_ui_session_query (flow_view_get_session (FLOW_VIEW (self)), self, "picture", "Describe",
                           g_variant_new ("(su)", ref, 0), picture_cb, NULL);
  else
    flow_value_view_show (self->item, flow_view_get_session (FLOW_VIEW (self)), ref);
}

static void
steps_cb (GObject           *owner,
          FlowDebuggerReply *reply,
          const GError      *error,
          gpointer           data)
{
  FlowCurvesView *self = FLOW_CURVES_VIEW (owner);
  gboolean at_end = self->item_steps == NULL;
  gsize n = 0;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a(xd))")) || self->table == NULL)
    return;
  g_clear_pointer (&self->item_steps, g_variant_unref);
  self->item_steps = g_variant_get_child_value (reply->value, 0);
  n = g_variant_n_children (self->item_steps);
  gtk_range_set_range (GTK_RANGE (self->item_step), 0, n > 1 ? (double) n - 1 : 1);
  gtk_widget_set_sensitive (self->item_step, n > 1);
  if (at_end && n > 0)
    gtk_range_set_value (GTK_RANGE (self->item_step), (double) n - 1);
  show_item (self);
}

static void
ask_other (FlowCurvesView *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));

  if (self->item_tag == NULL)
    return;
  if (g_strcmp0 (self->item_kind, "histogram") == 0)
    flow_ui_session_query (session, self, "histograms", "SeriesHistograms",
                           g_variant_new ("(su)", self->item_tag, MAX_RIDGES), histograms_cb, NULL);
  else
    flow_ui_session_query (session, self, "steps", "SeriesSteps",
                           g_variant_new ("(ss)", self->item_kind, self->item_tag), steps_cb, NULL);
}

/* What is no scalar is shown one at a time. */
static void
choose_other (FlowCurvesView *self,
              const char     *kind,
              const char     *tag)
{
  if (g_strcmp0 (kind, self->item_kind) != 0 || g_strcmp0 (tag, self->item_tag) != 0)
    {
      g_clear_pointer (&self->item_steps, g_variant_unref);
      flow_ridges_show (self->ridges, 0, 0, NULL);
    }
  g_free (self->item_kind);
  g_free (self->item_tag);
  self->item_kind = g_strdup (kind);
  self->item_tag = g_strdup (tag);
  gtk_stack_set_visible_child_name (self->stack, kind == NULL ? "curve"
                                                 : g_strcmp0 (kind, "histogram") == 0 ? "ridges" : "item");
  ask_other (self);
}

/* The rows that are selected: the curves of the scalars among them, else the first. */
static void
selected_cb (GtkSelectionModel *selection,
             guint              position,
             guint              n_items,
             FlowCurvesView    *self)
{
  g_autoptr(GtkBitset) set = gtk_selection_model_get_selection (selection);
  g_autofree char *kind = NULL;
  g_autofree char *tag = NULL;

  g_ptr_array_set_size (self->tags, 0);
  for (guint i = 0; i < gtk_bitset_get_size (set) && self->tags->len < MAX_SHOWN; i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (G_LIST_MODEL (selection), gtk_bitset_get_nth (set, i));
      GVariant *row = flow_variant_item_get_value (item);

      if (g_strcmp0 (flow_lookup_string (row, "kind"), "scalar") == 0)
        g_ptr_array_add (self->tags, g_strdup (flow_lookup_string (row, "tag")));
      else if (tag == NULL)
        {
          kind = g_strdup (flow_lookup_string (row, "kind"));
          tag = g_strdup (flow_lookup_string (row, "tag"));
        }
    }
  choose_other (self, self->tags->len == 0 ? kind : NULL, self->tags->len == 0 ? tag : NULL);
  show_curves (self);
  ask_points (self);
}

static void
activate_cb (GtkColumnView  *table,
             guint           position,
             FlowCurvesView *self)
{
  g_autoptr(FlowVariantItem) item = g_list_model_get_item (G_LIST_MODEL (gtk_column_view_get_model (table)), position);

  if (item != NULL)
    flow_ui_session_select_name (flow_view_get_session (FLOW_VIEW (self)),
                                 flow_lookup_string (flow_variant_item_get_value (item), "tag"));
}

static void
set_page_visible (FlowCurvesView *self,
                  gboolean        visible)
{
  GtkWidget *stack = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_STACK);

  if (stack != NULL)
    gtk_stack_page_set_visible (gtk_stack_get_page (GTK_STACK (stack), GTK_WIDGET (self)), visible);
}

static void
series_cb (GObject           *owner,
           FlowDebuggerReply *reply,
           const GError      *error,
           gpointer           data)
{
  FlowCurvesView *self = FLOW_CURVES_VIEW (owner);
  g_autoptr(GVariant) rows = NULL;
  gboolean any;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(aa{sv})")))
    return;
  rows = g_variant_get_child_value (reply->value, 0);
  any = g_variant_n_children (rows) > 0;
  flow_variant_store_update (self->rows, rows, "tag");
  set_page_visible (self, any);
  if (any && self->is_new)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.show-panel", "s", "curves");
  self->is_new = FALSE;
  /* Scalars come first, so this is one where there is any. */
  if (any && self->tags->len == 0 && self->item_tag == NULL)
    gtk_selection_model_select_item (gtk_column_view_get_model (self->table), 0, TRUE);
  else
    {
      ask_points (self);
      ask_other (self);
    }
}

static gboolean
follow_cb (gpointer data)
{
  FlowCurvesView *self = FLOW_CURVES_VIEW (data);
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));

  self->follow_source = 0;
  if (flow_ui_session_get_graph (session) != NULL)
    flow_ui_session_query (session, self, "series", "Series", NULL, series_cb, NULL);
  return G_SOURCE_REMOVE;
}

static void
file_changed_cb (FlowCurvesView *self)
{
  if (self->follow_source == 0)
    self->follow_source = g_timeout_add (FOLLOW_MS, follow_cb, self);
}

/* Training may go on while one looks at it. */
static void
watch_file (FlowCurvesView *self)
{
  const char *path = flow_ui_session_get_path (flow_view_get_session (FLOW_VIEW (self)));
  g_autoptr(GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;

  if (self->monitor != NULL)
    g_file_monitor_cancel (self->monitor);
  g_clear_object (&self->monitor);
  if (file != NULL)
    self->monitor = g_file_monitor (file, G_FILE_MONITOR_NONE, NULL, NULL);
  if (self->monitor != NULL)
    g_signal_connect_object (self->monitor, "changed", G_CALLBACK (file_changed_cb), self, G_CONNECT_SWAPPED);
}

static void
smoothing_cb (FlowCurvesView *self,
              GtkRange       *range)
{
  flow_curve_set_smoothing (self->curve, gtk_range_get_value (range));
}

static GtkWidget *
make_side (FlowCurvesView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = gtk_label_new (_("Smoothing"));
  GtkWidget *scale = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 0.99, 0.05);

  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_set_hexpand (scale, TRUE);
  gtk_widget_set_margin_start (row, 12);
  gtk_widget_set_margin_end (row, 12);
  gtk_accessible_update_property (GTK_ACCESSIBLE (scale), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Smoothing"), -1);
  gtk_widget_set_tooltip_text (scale, _("How much of each point is the mean of those before it"));
  g_signal_connect_object (scale, "value-changed", G_CALLBACK (smoothing_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_set_vexpand (GTK_WIDGET (self->curve), TRUE);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), scale);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->curve));
  gtk_box_append (GTK_BOX (box), row);
  return box;
}

static GtkWidget *
make_item (FlowCurvesView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->item = FLOW_VALUE_VIEW (flow_value_view_new ());
  self->item_step = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 1, 1);
  self->item_label = gtk_label_new ("");
  gtk_widget_add_css_class (self->item_label, "dim-label");
  gtk_widget_set_hexpand (self->item_step, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->item_step), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Step"), -1);
  gtk_widget_set_tooltip_text (self->item_step, _("Which of the steps it was written at"));
  g_signal_connect_object (self->item_step, "value-changed", G_CALLBACK (show_item), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (row), self->item_label);
  gtk_box_append (GTK_BOX (row), self->item_step);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_vexpand (scroller, TRUE);
  self->picture = GTK_PICTURE (gtk_picture_new ());
  self->item_stack = GTK_STACK (gtk_stack_new ());
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->item));
  gtk_stack_add_named (self->item_stack, GTK_WIDGET (self->picture), "picture");
  gtk_stack_add_named (self->item_stack, scroller, "value");
  gtk_box_append (GTK_BOX (box), row);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->item_stack));
  return box;
}

static GtkWidget *
make_stack (FlowCurvesView *self)
{
  self->stack = GTK_STACK (gtk_stack_new ());
  self->ridges = FLOW_RIDGES (flow_ridges_new ());
  gtk_stack_add_named (self->stack, make_side (self), "curve");
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->ridges), "ridges");
  gtk_stack_add_named (self->stack, make_item (self), "item");
  return GTK_WIDGET (self->stack);
}

/* Selects the row of a tag, as a person would; whether there is one. */
gboolean
flow_curves_view_choose (FlowCurvesView *self,
                         const char     *tag)
{
  GtkSelectionModel *selection = NULL;

  g_return_val_if_fail (FLOW_IS_CURVES_VIEW (self) && tag != NULL, FALSE);

  selection = gtk_column_view_get_model (self->table);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (selection)); i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (G_LIST_MODEL (selection), i);

      if (g_strcmp0 (flow_variant_item_get_string (item, "tag"), tag) == 0)
        return gtk_selection_model_select_item (selection, i, TRUE);
    }
  return FALSE;
}

static void
flow_curves_view_graph_changed (FlowView *view)
{
  FlowCurvesView *self = FLOW_CURVES_VIEW (view);
  FlowUiSession *session = flow_view_get_session (view);

  gtk_selection_model_unselect_all (gtk_column_view_get_model (self->table));
  g_ptr_array_set_size (self->tags, 0);
  g_hash_table_remove_all (self->points);
  choose_other (self, NULL, NULL);
  self->is_new = TRUE;
  watch_file (self);
  if (flow_ui_session_get_graph (session) != NULL)
    flow_ui_session_query (session, view, "series", "Series", NULL, series_cb, NULL);
}

static void
flow_curves_view_dispose (GObject *object)
{
  FlowCurvesView *self = FLOW_CURVES_VIEW (object);

  if (self->table != NULL)
    gtk_column_view_set_model (self->table, NULL);
  self->table = NULL;
  g_clear_handle_id (&self->follow_source, g_source_remove);
  g_clear_object (&self->monitor);
  g_clear_object (&self->rows);
  g_clear_pointer (&self->tags, g_ptr_array_unref);
  g_clear_pointer (&self->points, g_hash_table_unref);
  g_clear_pointer (&self->item_kind, g_free);
  g_clear_pointer (&self->item_tag, g_free);
  g_clear_pointer (&self->item_steps, g_variant_unref);
  adw_bin_set_child (ADW_BIN (self), NULL);

  G_OBJECT_CLASS (flow_curves_view_parent_class)->dispose (object);
}

static void
flow_curves_view_class_init (FlowCurvesViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = flow_curves_view_dispose;
  FLOW_VIEW_CLASS (klass)->graph_changed = flow_curves_view_graph_changed;
}

static void
flow_curves_view_init (FlowCurvesView *self)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  const FlowTableColumn columns[] = {
    { _("Tag"), tag_text, NULL, "tag", -1, 0, TRUE },
    { _("Kind"), kind_text, NULL, "kind", 96, 0, FALSE },
    { _("Points"), points_text, NULL, "n", 56, 1, TRUE },
    { _("Last"), last_text, NULL, "last", 84, 1, TRUE },
    { _("NaN, Inf"), bad_text, bad_css, "bad", 64, 1, TRUE },
  };
  const gpointer data[] = { NULL, NULL, NULL, NULL, NULL };
  GtkWidget *list = NULL;
  GtkMultiSelection *selection = NULL;

  self->tags = g_ptr_array_new_with_free_func (g_free);
  self->points = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_variant_unref);
  self->rows = g_list_store_new (FLOW_TYPE_VARIANT_ITEM);
  self->table = flow_table_new (self->rows, columns, data, G_N_ELEMENTS (columns));
  self->curve = FLOW_CURVE (flow_curve_new ());
  /* Several rows are several curves: by Ctrl or Shift, with the pointer as with the keys. */
  selection = gtk_multi_selection_new (
    g_object_ref (gtk_single_selection_get_model (GTK_SINGLE_SELECTION (gtk_column_view_get_model (self->table)))));
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (selection));
  g_signal_connect_object (selection, "selection-changed", G_CALLBACK (selected_cb), self, 0);
  g_object_unref (selection);
  g_signal_connect_object (self->table, "activate", G_CALLBACK (activate_cb), self, 0);
  list = flow_table_scrolled (self->table, _("Series of the event file"));
  gtk_widget_set_size_request (list, 200, -1);
  gtk_paned_set_start_child (GTK_PANED (paned), list);
  gtk_paned_set_end_child (GTK_PANED (paned), make_stack (self));
  gtk_paned_set_position (GTK_PANED (paned), 430);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  adw_bin_set_child (ADW_BIN (self), paned);
}
