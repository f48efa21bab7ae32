/* flow-layout.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-scene.h"

G_BEGIN_DECLS

/* Room of an open group around its children. */
#define FLOW_GROUP_HEADER 36.0f
#define FLOW_GROUP_PADDING 16.0f
#define FLOW_ROOT_PADDING 24.0f

/* An open group in a picture. What is given is copied from the scene, so that a worker can lay it
 * out while the scene goes on; what is found is relative to the group's own corner. */
typedef struct {
  guint32 group;
  guint32 parent;              /* among the nodes, FLOW_GROUP_NONE */
  guint32 parent_item;         /* its place among the parent's items */
  guint n_items;
  guint n_ports;
  guint n_lines;
  FlowLayeredInput *input;     /* when there is no layered yet */
  FlowLayered *layered;
  gboolean is_new;             /* layered was made here */
  float *closed_width;         /* of the items */
  float *closed_height;
  guint32 *child;              /* per item: node of the open child, FLOW_GROUP_NONE */
  guint32 *line_from;          /* item, n_items + port, or FLOW_GROUP_NONE for a stub */
  guint32 *line_to;
  guint32 *port_line;          /* per port: line of the parent */
  guint8 *port_out;
  float header_width;          /* least width for what the header says */

  float width;                 /* with header and padding */
  float height;
  float x;                     /* absolute corner */
  float y;
  float *item_x;               /* relative to the corner */
  float *item_y;
  float *item_width;
  float *item_height;
  guint32 *line_first;         /* n_lines + 1, in points */
  float *points;
  float *port_offset;          /* across the flow, from the box's first edge */
} FlowLayoutNode;

typedef struct _FlowLayout FlowLayout;

struct _FlowLayout
{
  FlowDirection direction;
  FlowLayout *rival;           /* nullable: the same with another direction */
  guint64 generation;
  float view_width;            /* 0: not to be fitted to one */
  float view_height;
  guint n_nodes;
  FlowLayoutNode *nodes;       /* parents before children */
  float width;
  float height;
};

FlowLayout *flow_layout_new    (FlowScene    *scene,
                                gboolean      tidy);
void        flow_layout_fit    (FlowLayout   *self,
                                float         view_width,
                                float         view_height);
void        flow_layout_let_choose (FlowLayout *self,
                                FlowScene    *scene,
                                FlowDirection other);
double      flow_layout_get_zoom (const FlowLayout *self,
                                float         view_width,
                                float         view_height);
void        flow_layout_run    (FlowLayout   *self,
                                GCancellable *cancellable);
void        flow_layout_commit (FlowLayout   *self,
                                FlowScene    *scene);
void        flow_layout_free   (FlowLayout   *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowLayout, flow_layout_free)

G_END_DECLS
