/* flow-layered-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-layered.h"

G_BEGIN_DECLS

/* Gaps of the drawing in pixels (canvas, section 6): between boxes, between a box and a line,
 * between lines, and between rows. */
#define FLOW_GAP_ITEMS 20.0
#define FLOW_GAP_ITEM_EDGE 15.0
#define FLOW_GAP_EDGES 10.0
#define FLOW_GAP_PORTS 14.0
#define FLOW_GAP_ROWS 40.0
#define FLOW_GAP_ROWS_MAX 120.0
#define FLOW_GAP_PORT_ROW 10.0
#define FLOW_GAP_PARTS 28.0
#define FLOW_GAP_GRID 14.0
/* Lines that go over to the next column: between them, and from them to boxes. */
#define FLOW_GAP_LANES 9.0
#define FLOW_GAP_LANE_BOX 14.0

/* An edge over more rows is drawn as two stubs: dummies would be most of the layout. */
#define FLOW_SPAN_MAX 12

/* A connected directed graph to be ranked; edges point down once the cycles are broken. */
typedef struct {
  guint n;
  guint m;
  guint32 *from;
  guint32 *to;
  gint32 *weight;
  gint32 *rank;                /* result, from 0 */
} FlowRankGraph;

/* What the network simplex stands on; visible for its tests. */
typedef struct {
  const FlowRankGraph *graph;
  guint32 *adjacent_first;     /* edges at each node, n + 1 */
  guint32 *adjacent;
  guint32 *parent;             /* in the spanning tree; root: G_MAXUINT32 */
  guint32 *parent_edge;
  guint8 *in_tree;             /* per edge */
  gint64 *balance;             /* of the node: weight out minus weight in */
  gint64 *subtree_balance;     /* its sum over the subtree: the cut value but for the sign */
  guint32 *low;                /* postorder numbers of the subtree: low .. limit */
  guint32 *limit;
  guint32 *by_limit;           /* node of a postorder number */
  guint64 work;
} FlowSimplex;

void         _flow_cycles_break          (guint                 n,
                                          guint                 m,
                                          const FlowLayeredEdge *edges,
                                          guint8               *reversed);
void         _flow_rank_longest_path     (FlowRankGraph        *graph);
FlowSimplex *_flow_simplex_new           (FlowRankGraph        *graph);
gboolean     _flow_simplex_pivot         (FlowSimplex          *self,
                                          guint32              *cursor);
gint64       _flow_simplex_cut_value     (const FlowSimplex    *self,
                                          guint32               child);
void         _flow_simplex_free          (FlowSimplex          *self);
void         _flow_rank                  (FlowRankGraph        *graph,
                                          GCancellable         *cancellable);

/* A part whose rows are to be ordered: entries, rows and the edges between neighbouring rows. */
typedef struct {
  guint n;                     /* entries */
  guint n_rows;
  const guint32 *row;          /* of each entry */
  guint m;
  const guint32 *upper;        /* edge i: upper entry, one row above lower */
  const guint32 *lower;
  gboolean fixed_first;        /* first, last row: order given (ports) */
  gboolean fixed_last;
  guint32 *row_first;          /* result: n_rows + 1 */
  guint32 *order;              /* result: entries by row and place */
} FlowOrderGraph;

guint64      _flow_order_count           (const FlowOrderGraph *graph,
                                          const guint32        *order);
void         _flow_order                 (FlowOrderGraph       *graph,
                                          GCancellable         *cancellable);

/* x of the entries of a part. */
typedef struct {
  guint n;
  guint n_rows;
  const guint32 *row_first;
  const guint32 *order;
  const float *width;
  const guint8 *kind;          /* FlowEntryKind */
  guint m;
  const guint32 *upper;
  const guint32 *lower;
  const double *offset;        /* nullable; per edge: lower x less upper x when it is straight */
  double item_gap;             /* beside the usual one */
  double *x;                   /* result: centres */
} FlowPlaceGraph;

typedef enum {
  FLOW_ENTRY_ITEM,
  FLOW_ENTRY_PORT,
  FLOW_ENTRY_DUMMY,
} FlowEntryKind;

double       _flow_gap_between           (guint8                a,
                                          guint8                b,
                                          double                item_gap);
void         _flow_isotonic              (double               *values,
                                          const double         *weights,
                                          guint                 n);
void         _flow_place                 (FlowPlaceGraph       *graph);

FlowEntryKind _flow_layered_entry_kind   (const FlowLayered    *self,
                                          guint32               entry);

/* Columns of rows, grids and shelves: what stands beside and below what. */
double        _flow_layered_lane_room    (guint32               n_lanes);
void          _flow_layered_choose_bands (FlowLayered          *self);
void          _flow_layered_add_grids    (FlowLayered          *self);
void          _flow_layered_pack_parts   (FlowLayered          *self);

/* From the structure and the present sizes to rectangles and lines. */
typedef struct {
  const FlowLayered *layered;
  const float *width;          /* per item */
  const float *height;
  const float *attach;         /* per edge: x of the source end, of the target end; nullable */
  double *x;                   /* per entry: centre, within its part, then in the group */
  double *y;                   /* per item: top */
  double *row_y;               /* per row */
  double *row_height;
  double *ends;                /* per edge: x of the upper end, of the lower end */
} FlowArranger;

void          _flow_layered_route        (FlowArranger         *self,
                                          FlowArrangement      *result);

G_END_DECLS
