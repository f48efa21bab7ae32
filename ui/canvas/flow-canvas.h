/* flow-canvas.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gtk/gtk.h>

#include <flowstep.h>

#include "flow-colouring.h"
#include "flow-scene-wishes.h"

G_BEGIN_DECLS

/**
 * FlowCanvasDirection:
 *
 * Where data flows to on the canvas. The nicks are what `win.direction` takes. As it fits: down or to the right,
 * chosen when a graph is first looked at.
 */
typedef enum {
  FLOW_CANVAS_DOWN,
  FLOW_CANVAS_UP,
  FLOW_CANVAS_RIGHT,
  FLOW_CANVAS_AS_IT_FITS,
} FlowCanvasDirection;

/**
 * FlowCanvasMarkKind:
 *
 * How a breakpoint shows at its node.
 */
typedef enum {
  FLOW_CANVAS_MARK_BREAK,         /* disc */
  FLOW_CANVAS_MARK_CONDITIONAL,   /* disc with "=" */
  FLOW_CANVAS_MARK_LOG,           /* diamond */
  FLOW_CANVAS_MARK_DISABLED,      /* ring */
  FLOW_CANVAS_MARK_WATCH,         /* eye */
} FlowCanvasMarkKind;

typedef struct {
  guint32 node;
  FlowCanvasMarkKind kind;
} FlowCanvasMark;

/**
 * FlowCanvasValue:
 * @node: whose first output it is
 * @text: a number, or what a larger value is like
 * @bad: it holds a NaN or an Inf
 * @stale: it was computed from what was replaced since
 */
typedef struct {
  guint32 node;
  char *text;
  gboolean bad;
  gboolean stale;
} FlowCanvasValue;

/**
 * FlowCanvasLoop:
 * @frame: name of the loop's frame, or of the op that calls a function
 * @text: how far it is
 * @current: the run is in it now
 */
typedef struct {
  char *frame;
  char *text;
  gboolean current;
} FlowCanvasLoop;

#define FLOW_TYPE_CANVAS (flow_canvas_get_type ())
#define FLOW_TYPE_CANVAS_DIRECTION (flow_canvas_direction_get_type ())

GType flow_canvas_direction_get_type (void);

G_DECLARE_FINAL_TYPE (FlowCanvas, flow_canvas, FLOW, CANVAS, GtkWidget)

GtkWidget  *flow_canvas_new                 (void);

/* What is shown. */
void        flow_canvas_prepare_async       (FlowCanvas           *self,
                                             FlowGraph            *graph,
                                             GAsyncReadyCallback   callback,
                                             gpointer              data);
FlowGraph  *flow_canvas_prepare_finish      (FlowCanvas           *self,
                                             GAsyncResult         *result);
void        flow_canvas_set_graph           (FlowCanvas           *self,
                                             FlowGraph            *graph);
FlowGraph  *flow_canvas_get_graph           (FlowCanvas           *self);
void        flow_canvas_set_node_states     (FlowCanvas           *self,
                                             GBytes               *states);
void        flow_canvas_set_next_node       (FlowCanvas           *self,
                                             guint32               node);
void        flow_canvas_hold_view           (FlowCanvas           *self,
                                             gboolean              hold);
void        flow_canvas_set_marks           (FlowCanvas           *self,
                                             const FlowCanvasMark *marks,
                                             gsize                 n_marks);
void        flow_canvas_set_error           (FlowCanvas           *self,
                                             guint32               node,
                                             const char           *clash);
void        flow_canvas_set_update_nodes    (FlowCanvas           *self,
                                             const guint32        *nodes,
                                             gsize                 n_nodes);
void        flow_canvas_set_search_hits     (FlowCanvas           *self,
                                             const guint32        *nodes,
                                             gsize                 n_nodes);
/* A byte per node: 0 pale, 1 in both, 2 only in A, 3 only in B; NULL: no colours. */
void        flow_canvas_set_tint            (FlowCanvas           *self,
                                             GBytes               *tint);
/* A byte per node: 0 as it is, or one of these; NULL: all as they are. */
#define FLOW_CANVAS_PALE 1
#define FLOW_CANVAS_HIDDEN 2

void        flow_canvas_set_focus           (FlowCanvas           *self,
                                             GBytes               *focus);
/* What the boxes are coloured by. */
void        flow_canvas_set_colouring       (FlowCanvas           *self,
                                             FlowColouring        *colouring);
FlowColouring *flow_canvas_get_colouring    (FlowCanvas           *self);
void        flow_canvas_colour_structures   (FlowCanvas           *self);
/* What ops made, in a word: drawn at those that are near enough. */
void        flow_canvas_set_values          (FlowCanvas           *self,
                                             const FlowCanvasValue *values,
                                             gsize                 n_values);
/* How far loops are: at their boxes. */
void        flow_canvas_set_loops           (FlowCanvas           *self,
                                             const FlowCanvasLoop *loops,
                                             gsize                 n_loops);
GArray     *flow_canvas_list_readable       (FlowCanvas           *self);
void        flow_canvas_set_direction       (FlowCanvas           *self,
                                             FlowCanvasDirection   direction);
FlowCanvasDirection flow_canvas_get_direction (FlowCanvas         *self);
/* How a person wants it arranged; the view stays. */
void        flow_canvas_set_wishes          (FlowCanvas           *self,
                                             const FlowSceneWishes *wishes);
const FlowSceneWishes *flow_canvas_get_wishes (FlowCanvas         *self);
void        flow_canvas_select_hovered      (FlowCanvas           *self);
char       *flow_canvas_dup_series          (FlowCanvas           *self,
                                             const char           *name,
                                             gboolean             *is_folded);
gboolean    flow_canvas_is_aside            (FlowCanvas           *self,
                                             const char           *name);
void        flow_canvas_expand_listed       (FlowCanvas           *self,
                                             const char *const    *paths);
void        flow_canvas_expand_to_depth     (FlowCanvas           *self,
                                             guint                 depth);
void        flow_canvas_set_edge_shapes     (FlowCanvas           *self,
                                             gboolean              edge_shapes);
gboolean    flow_canvas_get_edge_shapes     (FlowCanvas           *self);
void        flow_canvas_set_follow_next     (FlowCanvas           *self,
                                             gboolean              follow_next);
gboolean    flow_canvas_get_follow_next     (FlowCanvas           *self);

/* Selection: a node or a scope, or neither. */
void        flow_canvas_select_node         (FlowCanvas           *self,
                                             guint32               node);
void        flow_canvas_select_scope        (FlowCanvas           *self,
                                             guint32               scope);
void        flow_canvas_reveal_node         (FlowCanvas           *self,
                                             guint32               node);
void        flow_canvas_reveal_scope        (FlowCanvas           *self,
                                             guint32               scope);
guint32     flow_canvas_get_selected_node   (FlowCanvas           *self);
guint32     flow_canvas_get_selected_scope  (FlowCanvas           *self);
guint32     flow_canvas_get_hovered_node    (FlowCanvas           *self);
guint32     flow_canvas_get_hovered_scope   (FlowCanvas           *self);

/* Opening and closing scopes; paths as in flow_graph_get_scope_path(). */
/* A graph that grew is shown so at once, not a moment later. */
void        flow_canvas_take_growth         (FlowCanvas           *self);
gboolean    flow_canvas_expand              (FlowCanvas           *self,
                                             const char           *path);
gboolean    flow_canvas_collapse            (FlowCanvas           *self,
                                             const char           *path);
void        flow_canvas_expand_all          (FlowCanvas           *self);
void        flow_canvas_collapse_all        (FlowCanvas           *self);
void        flow_canvas_set_open_scopes     (FlowCanvas           *self,
                                             const char * const   *paths);
char      **flow_canvas_dup_open_scopes     (FlowCanvas           *self);
void        flow_canvas_tidy                (FlowCanvas           *self);

/* The camera. */
void        flow_canvas_zoom_in             (FlowCanvas           *self);
void        flow_canvas_zoom_out            (FlowCanvas           *self);
void        flow_canvas_zoom_reset          (FlowCanvas           *self);
void        flow_canvas_zoom_fit            (FlowCanvas           *self);
void        flow_canvas_zoom_selection      (FlowCanvas           *self);
/* Where the drawing's corner is in the widget, and pixels per unit. */
void        flow_canvas_get_view            (FlowCanvas           *self,
                                             double               *x,
                                             double               *y,
                                             double               *zoom);
void        flow_canvas_set_view            (FlowCanvas           *self,
                                             double                x,
                                             double                y,
                                             double                zoom);
double      flow_canvas_get_zoom            (FlowCanvas           *self);
void        flow_canvas_set_zoom            (FlowCanvas           *self,
                                             double                zoom);

/* TRUE while a layout is under way or pictures of what is in view are missing. */
gboolean    flow_canvas_is_busy             (FlowCanvas           *self);

/* Writes what the canvas shows; the kind by the name's end: .png, .svg or .pdf. */
gboolean    flow_canvas_export              (FlowCanvas           *self,
                                             const char           *path,
                                             GError              **error);

G_END_DECLS
