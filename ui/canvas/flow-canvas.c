/* flow-canvas.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-canvas.h"
#include "flow-canvas-private.h"
#include "flow-canvas-render-private.h"

#include <adwaita.h>
#include <math.h>
#include <string.h>

/**
 * FlowCanvas:
 *
 * A graph as nested groups of cards joined by lines: opened and closed in place, laid out on a
 * worker, painted from kept tiles. What a run does is drawn over them.
 */

enum {
  PROP_0,
  PROP_GRAPH,
  PROP_ZOOM,
  PROP_OPEN_SCOPES,
  PROP_DIRECTION,
  PROP_EDGE_SHAPES,
  PROP_FOLLOW_NEXT,
  PROP_BUSY,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];
guint _flow_canvas_signals[FLOW_CANVAS_N_SIGNALS];

G_DEFINE_FINAL_TYPE (FlowCanvas, flow_canvas, GTK_TYPE_WIDGET)

GType
flow_canvas_direction_get_type (void)
{
  static gsize type = 0;

  if (g_once_init_enter (&type))
    {
      static const GEnumValue values[] = {
        { FLOW_CANVAS_DOWN, "FLOW_CANVAS_DOWN", "down" },
        { FLOW_CANVAS_UP, "FLOW_CANVAS_UP", "up" },
        { FLOW_CANVAS_RIGHT, "FLOW_CANVAS_RIGHT", "right" },
        { FLOW_CANVAS_AS_IT_FITS, "FLOW_CANVAS_AS_IT_FITS", "as-it-fits" },
        { 0, NULL, NULL },
      };

      g_once_init_leave (&type, g_enum_register_static ("FlowCanvasDirection", values));
    }
  return type;
}

/* --- drawing again ------------------------------------------------------------------------------ */

/* The tiles or the camera changed; overlays alone need only gtk_widget_queue_draw(). */
void
_flow_canvas_redraw (FlowCanvas *self)
{
  g_clear_pointer (&self->base_node, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
tiles_ready_cb (gpointer data)
{
  _flow_canvas_redraw (data);
}

FlowDisplay *
_flow_canvas_get_shown (FlowCanvas *self)
{
  return self->tween != NULL ? flow_tween_get_display (self->tween) : self->display;
}

void
_flow_canvas_refresh_tiles (FlowCanvas *self)
{
  g_clear_pointer (&self->dims, g_free);
  g_clear_pointer (&self->tints, flow_tints_unref);
  if (self->display == NULL)
    {
      flow_tiles_set_content (self->tiles, NULL, NULL, NULL, NULL);
      return;
    }
  self->dims = flow_display_dup_dims (self->display, self->scene, self->focus);
  self->tints = _flow_canvas_make_tints (self, self->display);
  flow_tiles_set_content (self->tiles, self->display, self->dims, self->tints,
                          flow_painter_get_style (self->painter));
}

/* --- style -------------------------------------------------------------------------------------- */

/* Large text makes the whole drawing large: what is in a box stands there as it does in a small one. */
static void
set_text_scale (FlowCanvas *self,
                double      text_scale)
{
  double before = self->text_scale;

  if (before == text_scale)
    return;
  self->text_scale = text_scale;
  flow_canvas_set_zoom (self, self->camera.zoom * text_scale / before);
}

void
_flow_canvas_update_style (FlowCanvas *self)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (self));
  FlowPaintStyle style = FLOW_PAINT_STYLE_INIT;
  GdkRGBA color = { 0 };
  g_autofree char *theme = NULL;
  const PangoFontDescription *font;
  int dpi = 96 * 1024;

  g_object_get (settings, "gtk-theme-name", &theme, "gtk-xft-dpi", &dpi, NULL);
  /* What text is written with tells light from dark, whoever set the theme. */
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &color);
  style.theme = color.red + color.green + color.blue > 1.5 ? FLOW_THEME_DARK : FLOW_THEME_LIGHT;
  style.high_contrast = adw_style_manager_get_high_contrast (adw_style_manager_get_default ())
                        || (theme != NULL && strstr (theme, "HighContrast") != NULL);
  set_text_scale (self, dpi > 0 ? CLAMP (dpi / (96.0 * 1024.0), 0.75, 3.0) : 1.0);
  font = pango_context_get_font_description (gtk_widget_get_pango_context (GTK_WIDGET (self)));
  if (font != NULL && pango_font_description_get_family (font) != NULL)
    g_strlcpy (style.font, pango_font_description_get_family (font), sizeof style.font);
  if (memcmp (flow_painter_get_style (self->painter), &style, sizeof style) == 0)
    return;
  {
    FlowPaintStyle before = *flow_painter_get_style (self->painter);

    flow_painter_set_style (self->painter, &style);
    /* Labels measure otherwise: boxes change their sizes. */
    if (self->scene != NULL && strcmp (before.font, style.font) != 0)
      _flow_canvas_remake_scene (self, FALSE);
  }
  if (_flow_canvas_is_current (self))
    _flow_canvas_refresh_tiles (self);
  _flow_canvas_redraw (self);
}

static void
flow_canvas_css_changed (GtkWidget         *widget,
                         GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (flow_canvas_parent_class)->css_changed (widget, change);
  _flow_canvas_update_style (FLOW_CANVAS (widget));
}

static void
flow_canvas_system_setting_changed (GtkWidget        *widget,
                                    GtkSystemSetting  setting)
{
  GTK_WIDGET_CLASS (flow_canvas_parent_class)->system_setting_changed (widget, setting);
  _flow_canvas_update_style (FLOW_CANVAS (widget));
}

/* --- widget ------------------------------------------------------------------------------------- */

static void
flow_canvas_measure (GtkWidget      *widget,
                     GtkOrientation  orientation,
                     int             for_size,
                     int            *minimum,
                     int            *natural,
                     int            *minimum_baseline,
                     int            *natural_baseline)
{
  *minimum = 120;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 800 : 600;
}

static void
show_node (FlowCanvas *self,
           guint32     node)
{
  FlowItem item = flow_scene_visible_item (self->scene, flow_scene_item_of_op (self->scene, node));
  const FlowBox *box = _flow_canvas_is_current (self) ? flow_display_find_box (self->display, item) : NULL;

  /* Following never zooms: who looks at the whole wants to see it move there. */
  if (box != NULL && self->layout_done == self->layout_generation)
    _flow_canvas_show_box (self, box, 0.0);
  else
    {
      self->reveal_item = item;
      self->reveal_zoom = 0.0;
    }
}

/* When a card or a pane takes height away the next op must not be what it covers; who has looked elsewhere
 * is left there. */
static void
keep_next_in_sight (FlowCanvas *self,
                    int         old_height,
                    int         height)
{
  FlowItem item;
  const FlowBox *box;
  double y;

  if (height >= old_height || !self->follow_next || self->next_node == FLOW_NODE_NONE || self->scene == NULL)
    return;
  item = flow_scene_visible_item (self->scene, flow_scene_item_of_op (self->scene, self->next_node));
  box = flow_display_find_box (self->display, item);
  if (box == NULL)
    return;
  y = (self->is_flying ? self->flight_to.y : self->camera.y) + box->y * self->camera.zoom;
  if (y >= 0.0 && y <= old_height)
    show_node (self, self->next_node);
}

static void
flow_canvas_size_allocate (GtkWidget *widget,
                           int        width,
                           int        height,
                           int        baseline)
{
  FlowCanvas *self = FLOW_CANVAS (widget);

  g_clear_pointer (&self->base_node, gsk_render_node_unref);
  if (self->display != NULL)
    {
      /* What was laid out before there was a view. */
      if (self->fit_when_laid_out && self->first_look == NULL && self->layout_done == self->layout_generation)
        _flow_canvas_start_first_look (self);
      keep_next_in_sight (self, self->height, height);
    }
  self->height = height;
}

static gboolean
flow_canvas_focus (GtkWidget        *widget,
                   GtkDirectionType  direction)
{
  if (gtk_widget_is_focus (widget))
    return FALSE;
  return gtk_widget_grab_focus (widget);
}

static void
flow_canvas_get_property (GObject    *object,
                          guint       id,
                          GValue     *value,
                          GParamSpec *pspec)
{
  FlowCanvas *self = FLOW_CANVAS (object);

  switch (id)
    {
    case PROP_GRAPH:
      g_value_set_object (value, self->graph);
      break;
    case PROP_ZOOM:
      g_value_set_double (value, self->camera.zoom);
      break;
    case PROP_OPEN_SCOPES:
      g_value_take_boxed (value, flow_canvas_dup_open_scopes (self));
      break;
    case PROP_DIRECTION:
      g_value_set_enum (value, self->direction);
      break;
    case PROP_EDGE_SHAPES:
      g_value_set_boolean (value, self->edge_shapes);
      break;
    case PROP_FOLLOW_NEXT:
      g_value_set_boolean (value, self->follow_next);
      break;
    case PROP_BUSY:
      g_value_set_boolean (value, flow_canvas_is_busy (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
flow_canvas_set_property (GObject      *object,
                          guint         id,
                          const GValue *value,
                          GParamSpec   *pspec)
{
  FlowCanvas *self = FLOW_CANVAS (object);

  switch (id)
    {
    case PROP_GRAPH:
      flow_canvas_set_graph (self, g_value_get_object (value));
      break;
    case PROP_ZOOM:
      flow_canvas_set_zoom (self, g_value_get_double (value));
      break;
    case PROP_OPEN_SCOPES:
      flow_canvas_set_open_scopes (self, g_value_get_boxed (value));
      break;
    case PROP_DIRECTION:
      flow_canvas_set_direction (self, g_value_get_enum (value));
      break;
    case PROP_EDGE_SHAPES:
      flow_canvas_set_edge_shapes (self, g_value_get_boolean (value));
      break;
    case PROP_FOLLOW_NEXT:
      flow_canvas_set_follow_next (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
flow_canvas_dispose (GObject *object)
{
  FlowCanvas *self = FLOW_CANVAS (object);
  GtkWidget *child;

  flow_canvas_set_graph (self, NULL);
  g_clear_handle_id (&self->settle_source, g_source_remove);
  g_clear_handle_id (&self->growth_source, g_source_remove);
  g_clear_handle_id (&self->rest_source, g_source_remove);
  if (self->tick_id != 0)
    {
      gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
      self->tick_id = 0;
    }
  g_clear_pointer (&self->base_node, gsk_render_node_unref);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (flow_canvas_parent_class)->dispose (object);
}

static void
flow_canvas_finalize (GObject *object)
{
  FlowCanvas *self = FLOW_CANVAS (object);

  _flow_canvas_stop_first_look (self);
  g_thread_pool_free (self->layout_worker, FALSE, FALSE);
  g_clear_object (&self->layout_cancellable);
  g_clear_pointer (&self->prepared, flow_scene_free);
  flow_scene_wishes_free (self->wishes);
  flow_tiles_free (self->tiles);
  flow_painter_free (self->painter);
  g_array_unref (self->marks);
  g_hash_table_unref (self->mark_counts);
  g_hash_table_unref (self->hits);
  _flow_canvas_clear_overlay (self);
  g_free (self->error_clash);
  g_free (self->update_nodes);
  g_free (self->dims);
  g_clear_pointer (&self->colouring, flow_colouring_unref);
  g_clear_pointer (&self->tints, flow_tints_unref);
  g_clear_pointer (&self->focus, g_bytes_unref);
  g_clear_pointer (&self->states, g_bytes_unref);
  G_OBJECT_CLASS (flow_canvas_parent_class)->finalize (object);
}

static void
flow_canvas_class_init (FlowCanvasClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->dispose = flow_canvas_dispose;
  object_class->finalize = flow_canvas_finalize;
  object_class->get_property = flow_canvas_get_property;
  object_class->set_property = flow_canvas_set_property;
  widget_class->measure = flow_canvas_measure;
  widget_class->size_allocate = flow_canvas_size_allocate;
  widget_class->snapshot = _flow_canvas_snapshot;
  widget_class->focus = flow_canvas_focus;
  widget_class->css_changed = flow_canvas_css_changed;
  widget_class->system_setting_changed = flow_canvas_system_setting_changed;

  properties[PROP_GRAPH] = g_param_spec_object ("graph", NULL, NULL, FLOW_TYPE_GRAPH, flags);
  properties[PROP_ZOOM] = g_param_spec_double ("zoom", NULL, NULL, FLOW_ZOOM_MIN, FLOW_ZOOM_MAX,
                                               1.0, flags);
  properties[PROP_OPEN_SCOPES] = g_param_spec_boxed ("open-scopes", NULL, NULL, G_TYPE_STRV, flags);
  properties[PROP_DIRECTION] = g_param_spec_enum ("direction", NULL, NULL,
                                                  FLOW_TYPE_CANVAS_DIRECTION, FLOW_CANVAS_AS_IT_FITS,
                                                  flags);
  properties[PROP_EDGE_SHAPES] = g_param_spec_boolean ("edge-shapes", NULL, NULL, TRUE, flags);
  properties[PROP_FOLLOW_NEXT] = g_param_spec_boolean ("follow-next", NULL, NULL, TRUE, flags);
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE,
                                                G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  /**
   * FlowCanvas::selection-changed:
   * @node: the selected node, or %FLOW_NODE_NONE
   * @scope: the selected scope, or %FLOW_SCOPE_NONE
   */
  _flow_canvas_signals[FLOW_CANVAS_SIGNAL_SELECTION_CHANGED] =
    g_signal_new ("selection-changed", FLOW_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
  /**
   * FlowCanvas::node-activated:
   * @node: double-clicked, or Enter was pressed on it
   */
  _flow_canvas_signals[FLOW_CANVAS_SIGNAL_NODE_ACTIVATED] =
    g_signal_new ("node-activated", FLOW_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_UINT);
  /**
   * FlowCanvas::breakpoint-toggled:
   * @node: where a breakpoint is wanted, or not any more
   */
  _flow_canvas_signals[FLOW_CANVAS_SIGNAL_BREAKPOINT_TOGGLED] =
    g_signal_new ("breakpoint-toggled", FLOW_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_UINT);
  /**
   * FlowCanvas::context-menu:
   * @x: where, in the canvas
   * @y: likewise
   *
   * What it is about has been selected before.
   */
  _flow_canvas_signals[FLOW_CANVAS_SIGNAL_CONTEXT_MENU] =
    g_signal_new ("context-menu", FLOW_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  /**
   * FlowCanvas::hover-changed:
   *
   * The pointer is on something else: flow_canvas_get_hovered_node() tells on what.
   */
  _flow_canvas_signals[FLOW_CANVAS_SIGNAL_HOVER_CHANGED] =
    g_signal_new ("hover-changed", FLOW_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 0);

  /**
   * FlowCanvas::node-soloed:
   * @node: was clicked with Alt held: a person wants to see it and what it is joined to
   */
  _flow_canvas_signals[FLOW_CANVAS_SIGNAL_NODE_SOLOED] =
    g_signal_new ("node-soloed", FLOW_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  /**
   * FlowCanvas::colouring-changed:
   *
   * The boxes are coloured by something else: flow_canvas_get_colouring() has the legend.
   */
  _flow_canvas_signals[FLOW_CANVAS_SIGNAL_COLOURING_CHANGED] =
    g_signal_new ("colouring-changed", FLOW_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 0);

  _flow_canvas_class_init_keys (widget_class);
  gtk_widget_class_set_css_name (widget_class, "flowcanvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
flow_canvas_init (FlowCanvas *self)
{
  FlowPaintStyle style = FLOW_PAINT_STYLE_INIT;

  self->painter = flow_painter_new (&style);
  self->wishes = flow_scene_wishes_new ();
  self->tiles = flow_tiles_new (tiles_ready_cb, self);
  self->layout_worker = g_thread_pool_new (_flow_canvas_layout_worker, NULL, 1, FALSE, NULL);
  self->layout_cancellable = g_cancellable_new ();
  self->marks = g_array_new (FALSE, FALSE, sizeof (FlowCanvasMark));
  self->mark_counts = g_hash_table_new (NULL, NULL);
  self->hits = g_hash_table_new (NULL, NULL);
  _flow_canvas_init_overlay (self);
  self->camera.zoom = self->text_scale = 1.0;
  self->direction = FLOW_CANVAS_AS_IT_FITS;
  self->selected = self->hovered = self->reveal_item = self->anchor = FLOW_ITEM_NONE;
  self->selected_node = self->next_node = self->error_node = FLOW_NODE_NONE;
  self->growth_node = FLOW_NODE_NONE;
  self->hovered_wire = G_MAXUINT32;
  self->edge_shapes = TRUE;
  self->follow_next = TRUE;
  g_signal_connect_object (adw_style_manager_get_default (), "notify::high-contrast",
                           G_CALLBACK (_flow_canvas_update_style), self, G_CONNECT_SWAPPED);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Graph canvas", -1);
  _flow_canvas_init_input (self);
}

/**
 * flow_canvas_new:
 *
 * Returns: (transfer floating): a canvas without a graph
 */
GtkWidget *
flow_canvas_new (void)
{
  return g_object_new (FLOW_TYPE_CANVAS, NULL);
}

/**
 * flow_canvas_set_graph:
 * @graph: (nullable): what to show
 *
 * Builds the scene and asks for its layout; the first picture comes soon after. A graph that grows
 * is followed.
 */
void
flow_canvas_set_graph (FlowCanvas *self,
                       FlowGraph  *graph)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));
  g_return_if_fail (graph == NULL || FLOW_IS_GRAPH (graph));

  if (self->graph == graph)
    return;
  if (self->graph != NULL)
    g_signal_handlers_disconnect_by_func (self->graph, _flow_canvas_nodes_added, self);
  g_clear_handle_id (&self->growth_source, g_source_remove);
  g_clear_handle_id (&self->rest_source, g_source_remove);
  _flow_canvas_stop_first_look (self);
  g_cancellable_cancel (self->layout_cancellable);
  self->layout_done = ++self->layout_generation;
  if (self->scene != NULL)
    {
      self->last_shape = self->scene->shape;
      self->last_flow = self->scene->direction;
    }
  self->flow = _flow_canvas_get_first_flow (self);
  g_clear_pointer (&self->tween, flow_tween_free);
  g_clear_pointer (&self->display, flow_display_unref);
  _flow_canvas_refresh_tiles (self);
  g_clear_pointer (&self->scene, flow_scene_free);
  g_clear_pointer (&self->states, g_bytes_unref);
  g_array_set_size (self->marks, 0);
  g_hash_table_remove_all (self->hits);
  flow_canvas_set_tint (self, NULL);
  g_clear_pointer (&self->focus, g_bytes_unref);
  g_clear_pointer (&self->colouring, flow_colouring_unref);
  flow_canvas_set_values (self, NULL, 0);
  flow_canvas_set_loops (self, NULL, 0);
  g_clear_pointer (&self->update_nodes, g_free);
  self->has_update_nodes = FALSE;
  self->selected = self->hovered = self->reveal_item = FLOW_ITEM_NONE;
  self->selected_node = self->next_node = self->error_node = FLOW_NODE_NONE;
  self->growth_node = FLOW_NODE_NONE;
  self->hovered_wire = G_MAXUINT32;
  self->has_camera = FALSE;
  self->is_flying = FALSE;
  g_set_object (&self->graph, graph);
  if (graph != NULL)
    {
      g_signal_connect_object (graph, "nodes-added", G_CALLBACK (_flow_canvas_nodes_added), self,
                               G_CONNECT_SWAPPED);
      _flow_canvas_update_style (self);
      _flow_canvas_make_scene (self);
      self->is_touched = FALSE;
      _flow_canvas_look_anew (self);
    }
  _flow_canvas_redraw (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_GRAPH]);
}

/**
 * flow_canvas_get_graph:
 *
 * Returns: (transfer none) (nullable): the graph
 */
FlowGraph *
flow_canvas_get_graph (FlowCanvas *self)
{
  g_return_val_if_fail (FLOW_IS_CANVAS (self), NULL);

  return self->graph;
}

/**
 * flow_canvas_set_node_states:
 * @states: (nullable): a FlowNodeState byte per node, %NULL when there is no run
 *
 * Cheap: meant to be called at each stop. What is in the run at all decides what is dimmed; only
 * when that changes is the picture painted anew.
 */
void
flow_canvas_set_node_states (FlowCanvas *self,
                             GBytes     *states)
{
  g_autofree guint8 *dims = NULL;

  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (states != NULL)
    g_bytes_ref (states);
  g_clear_pointer (&self->states, g_bytes_unref);
  self->states = states;
  if (self->scene == NULL)
    return;
  flow_scene_set_states (self->scene, states);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (!_flow_canvas_is_current (self))
    return;
  dims = flow_display_dup_dims (self->display, self->scene, self->focus);
  if ((dims == NULL) == (self->dims == NULL)
      && (dims == NULL || memcmp (dims, self->dims, self->display->n_boxes) == 0))
    return;
  _flow_canvas_refresh_tiles (self);
  _flow_canvas_redraw (self);
}

/**
 * flow_canvas_set_next_node:
 * @node: the next op, or %FLOW_NODE_NONE
 *
 * Marks it, and brings it into sight when the canvas follows the next op.
 */
void
flow_canvas_set_next_node (FlowCanvas *self,
                           guint32     node)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (self->next_node == node)
    return;
  self->next_node = node;
  if (self->scene != NULL && node != FLOW_NODE_NONE && self->follow_next && !self->view_held)
    show_node (self, node);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * flow_canvas_hold_view:
 * @hold: whether the camera stays where it is when the next op is another one
 *
 * For who goes to a view that was kept, in time as well.
 */
void
flow_canvas_hold_view (FlowCanvas *self,
                       gboolean    hold)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  self->view_held = !!hold;
}

/**
 * flow_canvas_set_marks:
 * @marks: (array length=n_marks): breakpoints, log points and watchpoints
 */
void
flow_canvas_set_marks (FlowCanvas           *self,
                       const FlowCanvasMark *marks,
                       gsize                 n_marks)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  g_array_set_size (self->marks, 0);
  if (n_marks > 0)
    g_array_append_vals (self->marks, marks, n_marks);
  _flow_canvas_count_marks (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * flow_canvas_set_error:
 * @node: the node that failed, or %FLOW_NODE_NONE
 * @clash: (nullable): what did not fit, as a chip beside the node: "[32,784] × [10,128]"
 */
void
flow_canvas_set_error (FlowCanvas *self,
                       guint32     node,
                       const char *clash)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  self->error_node = node;
  flow_set_str (&self->error_clash, clash);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * flow_canvas_set_update_nodes:
 * @nodes: (array length=n_nodes): the members of UPDATE_OPS, whose control edges are marked
 *
 * Replaces what the graph's collection says.
 */
void
flow_canvas_set_update_nodes (FlowCanvas    *self,
                              const guint32 *nodes,
                              gsize          n_nodes)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  g_free (self->update_nodes);
  self->update_nodes = g_memdup2 (nodes, sizeof *nodes * n_nodes);
  self->n_update_nodes = n_nodes;
  self->has_update_nodes = TRUE;
  /* The graph's own collection has been read already: mostly this is the same. */
  if (self->scene != NULL
      && flow_scene_set_update_ops (self->scene, nodes, n_nodes))
    _flow_canvas_remake_scene (self, TRUE);
}

/**
 * flow_canvas_set_search_hits:
 * @nodes: (array length=n_nodes): what was found
 */
void
flow_canvas_set_search_hits (FlowCanvas    *self,
                             const guint32 *nodes,
                             gsize          n_nodes)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  g_hash_table_remove_all (self->hits);
  for (gsize i = 0; i < n_nodes; i++)
    g_hash_table_add (self->hits, GUINT_TO_POINTER (nodes[i]));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
flow_canvas_set_direction (FlowCanvas          *self,
                           FlowCanvasDirection  direction)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (self->direction == direction)
    return;
  self->direction = direction;
  self->flow = _flow_canvas_get_first_flow (self);
  if (self->scene != NULL)
    {
      self->flow_open = direction == FLOW_CANVAS_AS_IT_FITS;
      self->fit_when_laid_out = TRUE;
      _flow_canvas_remake_scene (self, FALSE);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DIRECTION]);
}

/**
 * flow_canvas_get_direction:
 *
 * Returns: the direction that was asked for
 */
FlowCanvasDirection
flow_canvas_get_direction (FlowCanvas *self)
{
  g_return_val_if_fail (FLOW_IS_CANVAS (self), FLOW_CANVAS_AS_IT_FITS);

  return self->direction;
}

/**
 * flow_canvas_set_wishes:
 * @wishes: (nullable): how a person wants it arranged; copied
 *
 * What is in the middle of the view stays there, and what is open stays open.
 */
void
flow_canvas_set_wishes (FlowCanvas            *self,
                        const FlowSceneWishes *wishes)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (flow_scene_wishes_equal (self->wishes, wishes))
    return;
  flow_scene_wishes_free (self->wishes);
  self->wishes = flow_scene_wishes_copy (wishes);
  if (self->scene != NULL)
    _flow_canvas_remake_scene (self, TRUE);
}

/**
 * flow_canvas_get_wishes:
 *
 * Returns: (transfer none): how a person wants it arranged
 */
const FlowSceneWishes *
flow_canvas_get_wishes (FlowCanvas *self)
{
  g_return_val_if_fail (FLOW_IS_CANVAS (self), NULL);

  return self->wishes;
}

void
flow_canvas_set_edge_shapes (FlowCanvas *self,
                             gboolean    edge_shapes)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  edge_shapes = !!edge_shapes;
  if (self->edge_shapes == edge_shapes)
    return;
  self->edge_shapes = edge_shapes;
  _flow_canvas_lay_out (self, FLOW_ITEM_NONE, FALSE);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_EDGE_SHAPES]);
}

gboolean
flow_canvas_get_edge_shapes (FlowCanvas *self)
{
  g_return_val_if_fail (FLOW_IS_CANVAS (self), FALSE);

  return self->edge_shapes;
}

void
flow_canvas_set_follow_next (FlowCanvas *self,
                             gboolean    follow_next)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  follow_next = !!follow_next;
  if (self->follow_next == follow_next)
    return;
  self->follow_next = follow_next;
  if (follow_next && self->scene != NULL && self->next_node != FLOW_NODE_NONE)
    show_node (self, self->next_node);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FOLLOW_NEXT]);
}

gboolean
flow_canvas_get_follow_next (FlowCanvas *self)
{
  g_return_val_if_fail (FLOW_IS_CANVAS (self), FALSE);

  return self->follow_next;
}

/**
 * flow_canvas_is_busy:
 *
 * Returns: whether a layout or a motion is under way, or pieces of what is in sight are missing
 */
gboolean
flow_canvas_is_busy (FlowCanvas *self)
{
  g_return_val_if_fail (FLOW_IS_CANVAS (self), FALSE);

  return self->layout_done != self->layout_generation || self->growth_source != 0 || self->rest_source != 0
         || self->structures_pending > 0
         || self->tween != NULL || self->is_flying
         || (self->display != NULL && gtk_widget_get_mapped (GTK_WIDGET (self))
             && (!self->tiles_complete || self->base_node == NULL));
}

/**
 * flow_canvas_export:
 * @path: .png, .svg or .pdf
 *
 * Writes the whole drawing as it stands, with the states of the run.
 *
 * Returns: whether the file was written
 */
gboolean
flow_canvas_export (FlowCanvas  *self,
                    const char  *path,
                    GError     **error)
{
  FlowPicture picture;

  g_return_val_if_fail (FLOW_IS_CANVAS (self), FALSE);

  if (!_flow_canvas_is_current (self))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION, "There is no graph to write");
      return FALSE;
    }
  picture.scene = self->scene;
  picture.display = self->display;
  picture.style = *flow_painter_get_style (self->painter);
  picture.focus = self->focus;
  picture.tints = self->tints;
  picture.next = flow_scene_item_of_op (self->scene, self->next_node);
  return _flow_picture_write (&picture, 0, 0, path, error);
}

/**
 * flow_canvas_tidy:
 *
 * Forgets the places of everything that is open and lays it out afresh.
 */
void
flow_canvas_tidy (FlowCanvas *self)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  _flow_canvas_lay_out (self, FLOW_ITEM_NONE, TRUE);
}

