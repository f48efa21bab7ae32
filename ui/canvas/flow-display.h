/* flow-display.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-layout.h"

G_BEGIN_DECLS

/* What is to be drawn, flattened: boxes, wires and stubs in absolute places. Immutable once built
 * and reference-counted, so that tile workers read it while the scene changes. */

typedef enum {
  FLOW_BOX_OP,
  FLOW_BOX_GROUP,              /* closed */
  FLOW_BOX_SERIES,             /* closed */
  FLOW_BOX_FRAME,              /* an open group, drawn under its children */
} FlowBoxKind;

typedef struct {
  float x;
  float y;
  float width;
  float height;
  FlowItem item;
  guint32 layer;
  guint32 n_ops;
  guint32 depth;               /* of a frame */
  guint8 kind;                 /* FlowBoxKind */
  guint8 family;
  guint8 n_annotations;        /* side marks, FLOW_ANNOTATIONS_MAX + 1: more */
  guint8 control;              /* FlowControlKind: the box of a loop, or of an arm of a condition */
  guint8 is_fallback;          /* a frame laid out as a grid for want of better */
  guint8 share[FLOW_N_FAMILIES];   /* of a closed group's ops, in 255ths */
  const char *title;           /* owned by the display's strings */
  const char *subtitle;
} FlowBox;

typedef enum {
  FLOW_WIRE_CONTROL = 1 << 0,  /* dashed */
  FLOW_WIRE_REF = 1 << 1,      /* dotted */
  FLOW_WIRE_BACK = 1 << 2,     /* double head */
  FLOW_WIRE_UPDATE = 1 << 3,   /* in flow_control */
  FLOW_WIRE_HEAD = 1 << 4,     /* ends at a box, not at a port that goes on */
} FlowWireFlags;

typedef struct {
  guint32 first_point;         /* one, then three for each cubic */
  guint32 n_points;
  float x0;
  float y0;
  float x1;
  float y1;
  FlowItem from;               /* FLOW_ITEM_NONE: from outside of the group */
  FlowItem to;
  guint32 layer;
  guint32 line;                /* of the group */
  guint32 meta;
  float width;
  guint8 flags;
  const char *label;           /* nullable */
  float label_x;
  float label_y;
} FlowWire;

/* An edge that is not drawn as a line: a tick at the box, and what is at its other end. */
typedef struct {
  float x;
  float y;
  guint8 out;
  guint8 is_update;            /* control edges of UPDATE_OPS are among it */
  guint8 is_named;             /* there is room for the label beside it */
  FlowItem item;
  guint32 n_edges;
  const char *label;
} FlowStub;

/* The label of a wire is so high, in the display's coordinates. */
#define FLOW_LABEL_HEIGHT 13.0f

/* How far a stub's end is from the box. */
#define FLOW_STUB_LENGTH 9.1f

typedef struct {
  guint32 group;
  guint32 depth;
  guint32 frame;               /* box */
  guint32 first_box;           /* closed children and ops */
  guint32 n_boxes;
  guint32 first_wire;
  guint32 n_wires;
  guint32 first_stub;
  guint32 n_stubs;
} FlowDisplayLayer;

typedef struct {
  gatomicrefcount ref_count;
  guint64 serial;
  FlowDirection direction;
  float width;
  float height;
  guint n_layers;
  guint n_boxes;
  guint n_wires;
  guint n_stubs;
  FlowDisplayLayer *layers;
  FlowBox *boxes;
  FlowWire *wires;
  FlowStub *stubs;
  float *points;
  GStringChunk *strings;
  GHashTable *box_of;          /* item -> box + 1 */
} FlowDisplay;

FlowDisplay    *flow_display_new      (FlowScene         *scene,
                                       const FlowLayout  *layout,
                                       gboolean           edge_labels);
FlowDisplay    *flow_display_ref      (FlowDisplay       *self);
void            flow_display_unref    (FlowDisplay       *self);
const FlowBox  *flow_display_find_box (const FlowDisplay *self,
                                       FlowItem           item);
const FlowBox  *flow_display_box_at   (const FlowDisplay *self,
                                       double             x,
                                       double             y,
                                       double             tolerance);
const FlowWire *flow_display_wire_at  (const FlowDisplay *self,
                                       double             x,
                                       double             y,
                                       double             tolerance);
/* Per box: as it is, pale, or not there; of the root's, 1 where there is a run. */
#define FLOW_DIM_PALE 1
#define FLOW_DIM_HIDDEN 2

guint8         *flow_display_dup_dims (const FlowDisplay *self,
                                       const FlowScene   *scene,
                                       GBytes            *focus);

/* The card itself, without the margin where side marks stand. */
static inline float
flow_box_card_x (const FlowBox *box)
{
  return box->n_annotations > 0 ? box->x + 12.0f : box->x;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowDisplay, flow_display_unref)

G_END_DECLS
