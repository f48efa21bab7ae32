/* flow-canvas-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-canvas.h"

#include "flow-painter.h"
#include "flow-tiles.h"
#include "flow-tween.h"

G_BEGIN_DECLS

#define FLOW_ZOOM_MIN 0.02
#define FLOW_ZOOM_MAX 4.0
/* What is asked for by name is shown so that it can be read. */
#define FLOW_ZOOM_READABLE 0.5
#define FLOW_MINIMAP_WIDTH 200
#define FLOW_MINIMAP_HEIGHT 140
#define FLOW_MINIMAP_MARGIN 14

/* Where the drawing's corner is in the widget, and pixels per unit. */
typedef struct {
  double x;
  double y;
  double zoom;
} FlowCamera;

/* Of the drawing. */
typedef struct {
  double x0;
  double y0;
  double x1;
  double y1;
} FlowArea;

/* What of the canvas a drawing that is seen whole leaves free; at the foot the legend stands. */
#define FLOW_VIEW_BORDER 12
#define FLOW_VIEW_FOOT 40

typedef struct _FlowFirstLook FlowFirstLook;

struct _FlowCanvas
{
  GtkWidget parent_instance;

  /* Owned: what is shown */
  FlowGraph *graph;
  FlowScene *scene;
  FlowScene *prepared;         /* made beforehand, of a graph that is to be set */
  FlowSceneWishes *wishes;     /* how a person wants it arranged */
  FlowDisplay *display;
  FlowTiles *tiles;
  FlowPainter *painter;
  guint8 *dims;
  GBytes *states;
  GArray *marks;               /* FlowCanvasMark */
  GHashTable *mark_counts;     /* item -> breakpoints in it */
  GHashTable *hits;            /* node */
  GBytes *tint;                /* a byte per node, see flow_canvas_set_tint() */
  GHashTable *tint_counts;     /* group -> three counts; NULL until drawn */
  GHashTable *values;          /* node -> FlowCanvasValue */
  GHashTable *loops;           /* name of a frame -> FlowCanvasLoop */
  GBytes *focus;               /* a byte per node, nullable: see flow_canvas_set_focus() */
  FlowColouring *colouring;    /* nullable: by op family */
  FlowTints *tints;            /* of the display, nullable */
  char *error_clash;
  guint32 *update_nodes;
  gsize n_update_nodes;
  gboolean has_update_nodes;

  /* Layout under way */
  GThreadPool *layout_worker;
  GCancellable *layout_cancellable;
  guint64 layout_generation;
  guint64 layout_done;
  guint64 scene_serial;
  guint64 display_serial;      /* of the scene that the display is of */
  FlowItem anchor;             /* keeps its place on the screen */
  guint32 growth_node;         /* likewise when the scene is made anew */
  gboolean fit_when_laid_out;
  FlowFirstLook *first_look;   /* under way, nullable */
  gboolean view_restored;      /* is not known to show anything yet */
  FlowLayeredShape last_shape; /* of the graph that was shown before */
  FlowDirection last_flow;     /* likewise */
  FlowItem reveal_item;        /* to be shown when laid out */
  double reveal_zoom;          /* nearer than this */
  int height;                  /* as last allocated */
  guint growth_source;
  guint rest_source;           /* until a graph that grew is first looked at again */

  /* Pictures that last a frame or more */
  GskRenderNode *base_node;
  gboolean tiles_complete;
  guint settle_source;

  /* Motion */
  FlowTween *tween;
  gint64 tween_start;
  gint64 tween_duration;
  double anchor_x;             /* of the anchor's corner on the screen */
  double anchor_y;
  gboolean is_flying;
  gint64 flight_start;
  FlowCamera flight_from;
  FlowCamera flight_to;
  guint tick_id;

  FlowCamera camera;
  double text_scale;           /* how large a person has text: everything is to be read at so much more than 1.0 */
  gboolean has_camera;
  double pinch_zoom;
  double drag_x;
  double drag_y;
  gboolean drag_minimap;
  double pointer_x;
  double pointer_y;

  FlowItem selected;
  guint32 selected_node;       /* may be a side mark of the item */
  FlowItem hovered;
  guint32 hovered_wire;        /* index, G_MAXUINT32 */
  guint32 next_node;
  guint32 error_node;
  FlowCanvasDirection direction;  /* that is asked for */
  FlowDirection flow;          /* that is shown */
  guint structures_pending;    /* workers that look for groups alike */
  guint colours_structures : 1;
  guint flow_open : 1;         /* the next layout is to choose where data flows to */
  guint is_touched : 1;        /* somebody opened, moved or zoomed something in this graph */
  guint edge_shapes : 1;
  guint follow_next : 1;
  guint view_held : 1;
  guint is_focused : 1;
};

typedef enum {
  FLOW_CANVAS_SIGNAL_SELECTION_CHANGED,
  FLOW_CANVAS_SIGNAL_NODE_ACTIVATED,
  FLOW_CANVAS_SIGNAL_BREAKPOINT_TOGGLED,
  FLOW_CANVAS_SIGNAL_CONTEXT_MENU,
  FLOW_CANVAS_SIGNAL_HOVER_CHANGED,
  FLOW_CANVAS_SIGNAL_COLOURING_CHANGED,
  FLOW_CANVAS_SIGNAL_NODE_SOLOED,
  FLOW_CANVAS_N_SIGNALS,
} FlowCanvasSignal;

extern guint _flow_canvas_signals[FLOW_CANVAS_N_SIGNALS];

/* A graph that grew has a new scene some milliseconds before there is a picture of it: items of the
 * old picture must not be looked up in it. */
static inline gboolean
_flow_canvas_is_current (FlowCanvas *self)
{
  return self->display != NULL && self->display_serial == self->scene_serial;
}

/* Before anything is laid out. */
static inline FlowDirection
_flow_canvas_get_first_flow (FlowCanvas *self)
{
  return self->direction == FLOW_CANVAS_AS_IT_FITS ? FLOW_FLOW_DOWN : (FlowDirection) self->direction;
}

/* flow-canvas.c */
void     _flow_canvas_refresh_tiles  (FlowCanvas       *self);

/* flow-canvas-colours.c */
FlowTints *_flow_canvas_make_tints   (FlowCanvas       *self,
                                      const FlowDisplay *display);
void     _flow_canvas_find_structures (FlowCanvas      *self);

/* flow-canvas-aim.c */
FlowCamera _flow_canvas_camera_for_area (FlowCanvas    *self,
                                      const FlowArea   *area,
                                      double            zoom_max);
FlowArea _flow_canvas_find_shown_area (FlowCanvas      *self);
FlowCamera _flow_canvas_first_camera (FlowCanvas       *self);
void     _flow_canvas_show_box       (FlowCanvas       *self,
                                      const FlowBox    *box,
                                      double            least_zoom);

/* flow-canvas-camera.c */
gboolean _flow_canvas_animates       (FlowCanvas       *self);
void     _flow_canvas_start_ticking  (FlowCanvas       *self);
void     _flow_canvas_place_camera   (FlowCanvas       *self);

/* flow-canvas-layout.c */
/* What of a graph is open at first. */
void     _flow_canvas_fit_layout     (FlowCanvas       *self,
                                      FlowLayout       *layout);
void     _flow_canvas_start_first_look (FlowCanvas     *self);
void     _flow_canvas_look_anew      (FlowCanvas       *self);
void     _flow_canvas_look_when_grown (FlowCanvas      *self);
void     _flow_canvas_stop_first_look (FlowCanvas      *self);
FlowLayout *_flow_canvas_look_on     (FlowCanvas       *self,
                                      FlowLayout       *layout);

void     _flow_canvas_lay_out        (FlowCanvas       *self,
                                      FlowItem          anchor,
                                      gboolean          tidy);
void     _flow_canvas_layout_worker  (gpointer          data,
                                      gpointer          user_data);
void     _flow_canvas_make_scene     (FlowCanvas       *self);
void     _flow_canvas_remake_scene   (FlowCanvas       *self,
                                      gboolean          keep_layouts);
void     _flow_canvas_count_marks    (FlowCanvas       *self);
void     _flow_canvas_nodes_added    (FlowCanvas       *self);

void     _flow_canvas_queue_layout   (FlowCanvas       *self,
                                      FlowItem          anchor);
FlowItem _flow_canvas_find_outermost (FlowCanvas       *self);
void     _flow_canvas_set_camera     (FlowCanvas       *self,
                                      FlowCamera        camera);
void     _flow_canvas_fly_to         (FlowCanvas       *self,
                                      FlowCamera        camera);
void     _flow_canvas_select_item    (FlowCanvas       *self,
                                      FlowItem          item,
                                      guint32           node);
void     _flow_canvas_toggle_item    (FlowCanvas       *self,
                                      FlowItem          item);
void     _flow_canvas_redraw         (FlowCanvas       *self);
guint32  _flow_canvas_item_node      (FlowCanvas       *self,
                                      FlowItem          item);
void     _flow_canvas_zoom_at        (FlowCanvas       *self,
                                      double            zoom,
                                      double            x,
                                      double            y);
void     _flow_canvas_update_style   (FlowCanvas       *self);
FlowDisplay *_flow_canvas_get_shown  (FlowCanvas       *self);

/* flow-canvas-draw.c */
void     _flow_canvas_snapshot       (GtkWidget        *widget,
                                      GtkSnapshot      *snapshot);
gboolean _flow_canvas_get_minimap    (FlowCanvas       *self,
                                      graphene_rect_t  *area);
void     _flow_canvas_move_minimap   (FlowCanvas       *self,
                                      double            x,
                                      double            y);

/* flow-canvas-overlay.c */
void     _flow_canvas_init_overlay   (FlowCanvas       *self);
void     _flow_canvas_clear_overlay  (FlowCanvas       *self);
void     _flow_canvas_forget_counts  (FlowCanvas       *self);
void     _flow_canvas_draw_tint      (FlowCanvas       *self,
                                      cairo_t          *cr,
                                      const cairo_rectangle_t *clip);
char    *_flow_canvas_dup_header     (FlowCanvas       *self,
                                      const FlowBox    *box);
void     _flow_canvas_draw_loops     (FlowCanvas       *self,
                                      cairo_t          *cr,
                                      const cairo_rectangle_t *clip);
void     _flow_canvas_draw_values    (FlowCanvas       *self,
                                      cairo_t          *cr,
                                      const cairo_rectangle_t *clip);

/* flow-canvas-input.c */
void     _flow_canvas_init_input     (FlowCanvas       *self);
void     _flow_canvas_class_init_keys (GtkWidgetClass  *widget_class);

G_END_DECLS
