/* flow-layered.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* One group's layered layout. Two stages: the structure (rows, orders, places of the items when
 * their sizes were those of the input), which once given is data, and the arrangement, a pure
 * function of the structure and the present sizes. Opening a box only arranges anew; closing it
 * again gives the same arrangement bit for bit.
 *
 * Everything in here flows down: the caller turns the axes for other directions. */

/**
 * FlowLayeredPlace:
 * @FLOW_LAYERED_FLOW: in the layers
 * @FLOW_LAYERED_PORT_IN: on the upper border of the group; ports keep the order of the input
 * @FLOW_LAYERED_PORT_OUT: on the lower border
 * @FLOW_LAYERED_GRID: in the grid beside or below the layers (isolated, members of a series)
 * @FLOW_LAYERED_SHELF: on the shelf at the right (extracted)
 */
typedef enum {
  FLOW_LAYERED_FLOW,
  FLOW_LAYERED_PORT_IN,
  FLOW_LAYERED_PORT_OUT,
  FLOW_LAYERED_GRID,
  FLOW_LAYERED_SHELF,
} FlowLayeredPlace;

typedef struct {
  guint32 from;
  guint32 to;
  gint32 weight;               /* integers, so that cut values are exact */
  gboolean is_back;            /* known to lead back up: a loop's next iteration */
} FlowLayeredEdge;

/* How a group fills the room it is looked at in; zeros: as it comes. Once chosen it is data. */
typedef struct {
  float row_gap;               /* least distance between rows, 0: the usual one */
  float item_gap;              /* between boxes of a row, beside the usual one */
  float row_width;             /* a row with more than that is split, 0: never */
  float band_length;           /* rows stand in columns that are so long, 0: in one */
  float aspect;                /* of what is packed: width to height, 0: the usual one */
  guint8 shelf_below;          /* not at the right */
} FlowLayeredShape;

typedef struct {
  guint n_items;
  float *width;
  float *height;
  guint8 *place;               /* FlowLayeredPlace */
  FlowLayeredShape shape;
  float *key;                  /* nullable: by which the ports of a side are ordered */
  guint n_edges;
  FlowLayeredEdge *edges;
} FlowLayeredInput;

/* A row of a part: entries in order; items below n_items, dummies above. */
typedef struct {
  guint32 first;
  guint32 count;
  guint32 gap_edges;           /* edges that cross the gap below */
  guint32 band;                /* column of the part that it stands in */
} FlowLayeredRow;

/* A part is laid out alone: a component, or a grid when n_columns is not 0. */
typedef struct {
  guint32 first_row;
  guint32 n_rows;
  guint32 n_columns;
  guint8 shelf;                /* parts of one shelf stand side by side */
  guint8 side;                 /* 0 main, 1 right of the main drawing */
} FlowLayeredPart;

/* The way of an edge: entries from the upper to the lower end. */
typedef struct {
  guint32 first;
  guint32 count;               /* 0: not drawn as a line (too long, a loop) */
  guint8 reversed;             /* the upper end is the target */
} FlowLayeredChain;

typedef struct {
  gatomicrefcount ref_count;
  guint n_items;
  guint n_entries;
  guint n_edges;
  FlowLayeredShape shape;
  guint8 *place;
  float *entry_width;          /* base sizes */
  float *entry_height;
  double *entry_x;             /* base centre, within its part */
  guint32 *order;              /* entries by part, row and place */
  guint n_rows;
  FlowLayeredRow *rows;
  guint n_parts;
  FlowLayeredPart *parts;
  FlowLayeredChain *chains;    /* per edge */
  guint32 *chain_entries;
  guint n_chain_entries;
  guint8 is_fallback;          /* laid out as a grid because it was too large or cancelled */
  double score;                /* of one made by flow_layered_new_fitted(): how much of it can be read in its view */
} FlowLayered;

/* Where everything is. Points of an edge: one, then three for each cubic. In the order of the true
 * direction, from the source to the target. */
typedef struct {
  guint n_items;
  guint n_edges;
  float width;
  float height;
  float *x;                    /* left edges */
  float *y;
  guint32 *edge_first;         /* n_edges + 1, in points */
  float *points;               /* x, y */
} FlowArrangement;

/* What a group is to fill, in the axes of the flow. */
typedef struct {
  double across;
  double along;
  double around;               /* room beside what is laid out, of both sides together */
} FlowLayeredView;

/* Between these scales a whole drawing can be looked at: words can be read, and nothing is gaudy. */
#define FLOW_FIT_ZOOM_MIN 0.72
/* What has more items is arranged in fewer ways. */
#define FLOW_FIT_ITEMS_TRIED 300
#define FLOW_FIT_ZOOM_MAX 1.35

FlowLayeredInput *flow_layered_input_new   (guint                   n_items,
                                            guint                   n_edges);
void              flow_layered_input_free  (FlowLayeredInput       *self);

FlowLayered      *flow_layered_new         (const FlowLayeredInput *input,
                                            GCancellable           *cancellable);
FlowLayered      *flow_layered_new_fitted  (const FlowLayeredInput *input,
                                            const float            *widths,
                                            const float            *heights,
                                            const float            *attach,
                                            const FlowLayeredView  *view,
                                            GCancellable           *cancellable);
FlowLayered      *flow_layered_new_grid    (const FlowLayeredInput *input);
FlowLayered      *flow_layered_replace     (const FlowLayered      *self,
                                            const float            *widths,
                                            const float            *heights,
                                            const float            *attach);
FlowLayered      *flow_layered_ref         (FlowLayered            *self);
void              flow_layered_unref       (FlowLayered            *self);

FlowArrangement  *flow_layered_arrange     (const FlowLayered      *self,
                                            const float            *widths,
                                            const float            *heights,
                                            const float            *attach);
void              flow_arrangement_free    (FlowArrangement        *self);
guint64           flow_layered_count_crossings (const FlowLayered  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowLayered, flow_layered_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowLayeredInput, flow_layered_input_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowArrangement, flow_arrangement_free)

G_END_DECLS
