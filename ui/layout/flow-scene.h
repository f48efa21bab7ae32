/* flow-scene.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <flowstep.h>

#include "flow-layered.h"
#include "flow-scene-wishes.h"

G_BEGIN_DECLS

/* A graph as it can be looked at: groups (name scopes, series, sections) whose children are items,
 * and between the children of one group the metaedges that stand for the graph's edges. Indices
 * everywhere; owned by the main thread. Layout sees copies of one group at a time. */

typedef guint32 FlowItem;

/* Words stand along the lines that go sideways. */
#define FLOW_ROW_GAP_SIDEWAYS 76.0f

#define FLOW_ITEM_NONE G_MAXUINT32
#define FLOW_ITEM_GROUP_BIT 0x80000000u
#define FLOW_GROUP_NONE G_MAXUINT32
#define FLOW_GROUP_ROOT 0
#define FLOW_N_FAMILIES 8
#define FLOW_N_NODE_STATES 10
/* Small side marks of one item; what is over this is a number. */
#define FLOW_ANNOTATIONS_MAX 5

typedef enum {
  FLOW_GROUP_SCOPE,
  FLOW_GROUP_SERIES,
  FLOW_GROUP_SECTION,
  FLOW_GROUP_FRAME,              /* of a loop, or an arm of a condition, that has no scope of its own */
} FlowGroupKind;

typedef enum {
  FLOW_META_STUB = 1 << 0,       /* not laid out: a tick at both ends */
  FLOW_META_UPDATE = 1 << 1,     /* a control edge of an UPDATE_OPS member */
  FLOW_META_BACK = 1 << 2,       /* closes a loop */
} FlowMetaFlags;

/* Edges of the graph between the same two children of a group. */
typedef struct {
  guint32 parent;
  FlowItem from;
  FlowItem to;
  guint32 n_data;
  guint32 n_control;
  guint32 n_ref;
  guint32 first_edge;            /* chained by FlowScene.edge_next */
  guint32 last_edge;
  guint8 flags;
} FlowMetaedge;

/* Where edges from outside enter or leave an open group. */
typedef struct {
  guint8 out;
  FlowItem far;                  /* the other end in the parent, FLOW_ITEM_NONE: another port */
  guint32 parent_link;           /* of the parent: index of its line */
  guint32 n_edges;
} FlowPort;

/* A line of a group: a metaedge between its children, or a boundary edge between a port and a
 * child. Lines are what is laid out. */
typedef struct {
  FlowItem from;                 /* FLOW_ITEM_NONE: a port */
  FlowItem to;
  guint32 port;                  /* FLOW_GROUP_NONE: none */
  guint32 meta;                  /* the metaedge it is, or is a piece of */
  guint32 n_data;
  guint32 n_control;
  guint32 n_ref;
  guint32 first_edge;            /* of FlowSceneGroup.line_edges */
  guint32 n_edges;
  guint8 flags;                  /* FlowMetaFlags */
} FlowLine;

typedef struct {
  guint8 kind;                   /* FlowGroupKind */
  guint8 family;                 /* FlowOpFamily: of the own op, else of most ops */
  guint8 is_open;
  guint8 has_lines;              /* ports, lines and sizes are filled */
  guint depth;
  guint32 parent;
  guint32 scope;                 /* whose content this is, FLOW_SCOPE_NONE */
  guint32 frame;                 /* that all its ops are in, of FlowScene.control */
  guint32 own_op;                /* FLOW_NODE_NONE */
  guint32 first_op;
  guint32 n_ops;
  const char *label;
  const char *key;               /* names it from one session to the next */
  guint64 hash;                  /* of its structure, names apart */
  guint32 family_ops[FLOW_N_FAMILIES];
  guint32 state_ops[FLOW_N_NODE_STATES];
  GArray *items;                 /* FlowItem */
  GArray *places;                /* guint8 per item: FlowLayeredPlace */
  GArray *metas;                 /* guint32 */

  /* When it has been opened once: */
  GArray *ports;                 /* FlowPort; those in, then those out */
  GArray *lines;                 /* FlowLine */
  GArray *line_edges;            /* guint32: edges of the graph */
  float *item_width;             /* closed sizes */
  float *item_height;
  const char **item_title;
  const char **item_subtitle;
  FlowLayered *layered;
} FlowSceneGroup;

/* Advances of the printable ASCII characters in the two sizes of the cards. */
typedef struct {
  float title[128];
  float subtitle[128];
} FlowTextMetrics;

typedef enum {
  FLOW_FLOW_DOWN,
  FLOW_FLOW_UP,
  FLOW_FLOW_RIGHT,
} FlowDirection;

typedef struct {
  FlowGraph *graph;
  FlowControlFlow *control;      /* loops and conditions */
  FlowTextMetrics metrics;
  FlowDirection direction;
  FlowLayeredShape shape;        /* of the outermost group, once it has one */
  FlowSceneWishes *wishes;       /* nullable */
  GStringChunk *strings;
  guint n_ops;
  guint32 *op_group;             /* the group it is a child of */
  guint8 *op_flags;              /* FlowOpSceneFlags */
  guint8 *op_state;              /* FlowNodeState */
  guint8 *op_family;
  gboolean has_states;
  guint n_edges;
  guint32 *edge_source;
  gint32 *edge_slot;             /* FLOW_SLOT_CONTROL */
  guint32 *edge_target;
  guint32 *edge_next;
  guint32 *first_in;             /* n_ops + 1: edges into each op */
  GArray *groups;                /* FlowSceneGroup */
  GArray *metas;                 /* FlowMetaedge */
  guint n_scopes;
  guint32 *scope_group;          /* whose children a scope's are, FLOW_GROUP_NONE */
  FlowItem *scope_item;          /* what stands for the scope in its parent */
  guint32 *annotation_first;     /* n_ops + 1: embedded ops of each op */
  guint32 *annotations;
} FlowScene;

typedef enum {
  FLOW_OP_EMBEDDED = 1 << 0,     /* a side mark of its consumers (or producer), not an item */
  FLOW_OP_UPDATE = 1 << 1,       /* in the collection UPDATE_OPS */
} FlowOpSceneFlags;

static inline gboolean
flow_item_is_group (FlowItem item)
{
  return item != FLOW_ITEM_NONE && (item & FLOW_ITEM_GROUP_BIT) != 0;
}

static inline guint32
flow_item_get_group (FlowItem item)
{
  return item & ~FLOW_ITEM_GROUP_BIT;
}

static inline FlowItem
flow_item_of_group (guint32 group)
{
  return group | FLOW_ITEM_GROUP_BIT;
}

static inline FlowSceneGroup *
flow_scene_group (const FlowScene *self,
                  guint32          group)
{
  return &g_array_index (self->groups, FlowSceneGroup, group);
}

static inline FlowMetaedge *
flow_scene_meta (const FlowScene *self,
                 guint32          meta)
{
  return &g_array_index (self->metas, FlowMetaedge, meta);
}

FlowScene  *flow_scene_new              (FlowGraph             *graph,
                                         const FlowTextMetrics *metrics,
                                         FlowDirection          direction);
FlowScene  *flow_scene_new_as_wished    (FlowGraph             *graph,
                                         const FlowTextMetrics *metrics,
                                         FlowDirection          direction,
                                         const FlowSceneWishes *wishes);
char       *flow_scene_dup_series_key   (const FlowScene       *self,
                                         FlowItem               item,
                                         gboolean              *is_folded);
void        flow_scene_open_to_depth    (FlowScene             *self,
                                         guint                  depth);
void        flow_scene_free             (FlowScene             *self);

guint32     flow_scene_parent_of        (const FlowScene       *self,
                                         FlowItem               item);
FlowItem    flow_scene_item_of_op       (const FlowScene       *self,
                                         guint32                op);
FlowItem    flow_scene_visible_item     (const FlowScene       *self,
                                         FlowItem               item);
FlowItem    flow_scene_child_of         (const FlowScene       *self,
                                         guint32                group,
                                         FlowItem               item);
guint32     flow_scene_find_key         (const FlowScene       *self,
                                         const char            *key);
guint32     flow_scene_scope_of_item    (const FlowScene       *self,
                                         FlowItem               item);
const FlowControlFrame *flow_scene_frame_of_group (const FlowScene *self,
                                         guint32                group);
void        flow_scene_set_states       (FlowScene             *self,
                                         GBytes                *states);
gboolean    flow_scene_set_update_ops   (FlowScene             *self,
                                         const guint32         *nodes,
                                         gsize                  n_nodes);

/* What layout and display need of an open group, filled when it is first opened. */
void        flow_scene_prepare_group    (FlowScene             *self,
                                         guint32                group);
FlowLayeredInput *flow_scene_make_input (FlowScene             *self,
                                         guint32                group);
char       *flow_scene_dup_shape_text   (const FlowScene       *self,
                                         guint32                op,
                                         guint                  slot);
char       *flow_scene_dup_line_label   (const FlowScene       *self,
                                         guint32                group,
                                         const FlowLine        *line);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowScene, flow_scene_free)

G_END_DECLS
