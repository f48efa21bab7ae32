/* flow-control-flow.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-control-flow.h"

#include <string.h>

/* TensorFlow 1 has no blocks: a loop is what lies between Enter and Exit, an arm of tf.cond what a Switch lets
 * through. Both are found in one pass over the nodes, every one after what it reads: a node is where the innermost
 * of its inputs comes from. */

/* Identities between a condition and what reads it; more of them are no tf.cond. */
#define MAX_IDENTITIES 8

/* What two nodes have in common when they are in the same arm, or loop. */
typedef struct {
  guint32 parent;
  guint32 kind;                /* FlowControlKind */
  guint32 node;                /* of an arm: the condition */
  guint32 slot;
  const char *name;            /* of a loop */
  guint32 scope;               /* of an arm: the tf.cond's, so that two of one condition stay two */
} Key;

typedef struct {
  FlowControlFlow *flow;
  GArray *frames;              /* FlowControlFrame */
  GHashTable *known;           /* Key -> index */
  guint32 *inside;             /* of each node: the frame that its outputs are in */
  guint8 *seen;
} Finder;

static guint
key_hash (gconstpointer data)
{
  const Key *key = data;

  return key->parent * 31u + key->kind * 7u + key->node * 131u + key->slot + key->scope * 17u
         + (key->name != NULL ? g_str_hash (key->name) : 0);
}

static gboolean
key_equal (gconstpointer a,
           gconstpointer b)
{
  const Key *x = a;
  const Key *y = b;

  return x->parent == y->parent && x->kind == y->kind && x->node == y->node && x->slot == y->slot
         && x->scope == y->scope && g_strcmp0 (x->name, y->name) == 0;
}

static guint32
get_frame (Finder     *self,
           const Key  *key,
           guint32     node,
           const char *name)
{
  gpointer known = NULL;
  FlowControlFrame frame = { .kind = key->kind, .parent = key->parent, .node = node, .name = name };

  if (g_hash_table_lookup_extended (self->known, key, NULL, &known))
    return GPOINTER_TO_UINT (known);
  frame.depth = g_array_index (self->frames, FlowControlFrame, key->parent).depth + 1;
  g_array_append_val (self->frames, frame);
  g_hash_table_insert (self->known, g_memdup2 (key, sizeof *key), GUINT_TO_POINTER (self->frames->len - 1));
  return self->frames->len - 1;
}

static FlowControlFrame *
frame_at (Finder  *self,
          guint32  frame)
{
  return &g_array_index (self->frames, FlowControlFrame, frame);
}

/* The condition of a Switch, behind its Identities; the scope of the tf.cond it belongs to. */
static FlowEndpoint
find_condition (FlowGraph *graph,
                guint32    node,
                guint32   *scope)
{
  FlowEndpoint source = { FLOW_NODE_NONE, 0 };

  *scope = flow_graph_get_node_scope (graph, node);
  flow_graph_get_input (graph, node, 1, &source);
  for (guint i = 0; i < MAX_IDENTITIES && source.node != FLOW_NODE_NONE
       && strcmp (flow_graph_get_node_type (graph, source.node), "Identity") == 0
       && flow_graph_get_n_inputs (graph, source.node) > 0; i++)
    {
      if (i == 0)
        *scope = flow_graph_get_node_scope (graph, source.node);
      flow_graph_get_input (graph, source.node, 0, &source);
    }
  return source;
}

static gboolean
is_loop_switch (FlowGraph *graph,
                guint32    node)
{
  guint32 scope = FLOW_SCOPE_NONE;
  FlowEndpoint condition = { FLOW_NODE_NONE, 0 };

  if (flow_graph_get_n_inputs (graph, node) < 2)
    return TRUE;
  condition = find_condition (graph, node, &scope);
  return condition.node == FLOW_NODE_NONE
         || (flow_graph_get_node_flags (graph, condition.node) & FLOW_OP_LOOP_COND) != 0;
}

/* The frame that a consumer of @source is in for reading it. */
static guint32
frame_behind (Finder             *self,
              const FlowEndpoint *source)
{
  FlowGraph *graph = self->flow->graph;
  guint32 inside = self->inside[source->node];
  Key key = { .parent = inside };
  FlowEndpoint condition = { FLOW_NODE_NONE, 0 };

  if (source->slot == FLOW_SLOT_CONTROL || source->slot > 1
      || (flow_graph_get_node_flags (graph, source->node) & FLOW_OP_SWITCH) == 0 || is_loop_switch (graph, source->node))
    return inside;
  condition = find_condition (graph, source->node, &key.scope);
  key.kind = source->slot == 1 ? FLOW_CONTROL_TRUE : FLOW_CONTROL_FALSE;
  key.node = condition.node;
  key.slot = (guint32) condition.slot;
  return get_frame (self, &key, condition.node, flow_graph_get_node_name (graph, condition.node));
}

static gboolean
closes_loop (FlowGraph *graph,
             guint32    merge)
{
  for (guint i = 0; i < flow_graph_get_n_inputs (graph, merge); i++)
    {
      FlowEndpoint source = { FLOW_NODE_NONE, 0 };

      flow_graph_get_input (graph, merge, i, &source);
      if (source.node != FLOW_NODE_NONE
          && (flow_graph_get_node_flags (graph, source.node) & FLOW_OP_NEXT_ITERATION) != 0)
        return TRUE;
    }
  return FALSE;
}

static guint32
enter_frame (Finder  *self,
             guint32  node,
             guint32  parent)
{
  FlowAttr *name = flow_graph_get_attr (self->flow->graph, node, "frame_name");
  Key key = { .parent = parent, .kind = FLOW_CONTROL_LOOP };

  key.name = name != NULL ? flow_attr_get_string (name, NULL) : NULL;
  if (key.name == NULL)
    key.name = "";
  return get_frame (self, &key, node, key.name);
}

static gboolean
is_arm (const FlowControlFrame *frame)
{
  return frame->kind == FLOW_CONTROL_TRUE || frame->kind == FLOW_CONTROL_FALSE;
}

static void
place_node (Finder  *self,
            guint32  node)
{
  FlowGraph *graph = self->flow->graph;
  guint n_data = 0;
  guint n_control = 0;
  const FlowEndpoint *inputs = flow_graph_peek_inputs (graph, node, &n_data, &n_control);
  guint flags = flow_graph_get_node_flags (graph, node);
  guint32 frame = FLOW_CONTROL_ROOT;
  guint32 inside = FLOW_CONTROL_ROOT;

  for (guint i = 0; i < n_data + n_control; i++)
    {
      FlowEndpoint source = inputs[i];
      guint32 behind = FLOW_CONTROL_ROOT;

      /* A back edge, or nothing at all. */
      if (source.node >= self->flow->n_nodes || !self->seen[source.node])
        continue;
      if (i >= n_data)
        source.slot = FLOW_SLOT_CONTROL;
      behind = frame_behind (self, &source);
      if (frame_at (self, behind)->depth > frame_at (self, frame)->depth)
        frame = behind;
    }
  inside = frame;
  if ((flags & FLOW_OP_ENTER) != 0)
    {
      frame = inside = enter_frame (self, node, frame);
    }
  else if ((flags & FLOW_OP_EXIT) != 0)
    {
      while (inside != FLOW_CONTROL_ROOT && frame_at (self, inside)->kind != FLOW_CONTROL_LOOP)
        inside = frame_at (self, inside)->parent;
      frame = inside;
      inside = frame_at (self, inside)->parent;
    }
  else if ((flags & FLOW_OP_MERGE) != 0 && !closes_loop (graph, node) && is_arm (frame_at (self, frame)))
    {
      frame = inside = frame_at (self, frame)->parent;
    }
  self->flow->frame_of[node] = frame;
  self->inside[node] = inside;
  self->seen[node] = TRUE;
}

/* A Switch that only one arm reads, and a constant that it lets into a loop for it, stand with that arm: TensorFlow
 * makes them for the op that reads them, in its scope. */
static void
sink_node (FlowControlFlow *self,
           guint32          node)
{
  guint n = flow_graph_get_n_out_edges (self->graph, node);
  guint32 frame = FLOW_NODE_NONE;

  if ((flow_graph_get_node_flags (self->graph, node) & (FLOW_OP_ENTER | FLOW_OP_SWITCH)) == 0)
    return;
  for (guint i = 0; i < n; i++)
    {
      gint32 slot = 0;
      gint32 index = 0;
      guint32 consumer = FLOW_NODE_NONE;

      flow_graph_get_out_edge (self->graph, node, i, &slot, &consumer, &index);
      if (consumer < self->n_nodes)
        frame = frame == FLOW_NODE_NONE ? self->frame_of[consumer]
                                        : flow_control_flow_join (self, frame, self->frame_of[consumer]);
    }
  if (frame != FLOW_NODE_NONE && flow_control_flow_is_in (self, frame, self->frame_of[node])
      && (self->frames[frame].kind != FLOW_CONTROL_LOOP))
    self->frame_of[node] = frame;
}

static gboolean
has_control_flow (FlowGraph *graph)
{
  for (guint32 node = 0; node < flow_graph_get_n_nodes (graph); node++)
    if ((flow_graph_get_node_flags (graph, node) & (FLOW_OP_ENTER | FLOW_OP_SWITCH)) != 0)
      return TRUE;
  return FALSE;
}

/**
 * flow_control_flow_new: (skip)
 * @graph: a graph, borrowed
 *
 * Finds loops and conditions. Costs a look at each node where there are none, else one at each edge.
 *
 * Returns: (transfer full): they; with nothing but the graph itself where it has none
 */
FlowControlFlow *
flow_control_flow_new (FlowGraph *graph)
{
  FlowControlFlow *self = g_new0 (FlowControlFlow, 1);
  Finder finder = { .flow = self };
  FlowControlFrame root = { .kind = FLOW_CONTROL_GRAPH, .parent = FLOW_CONTROL_ROOT, .node = FLOW_NODE_NONE, .name = "" };
  const guint32 *order = NULL;

  self->graph = graph;
  self->n_nodes = flow_graph_get_n_nodes (graph);
  self->frame_of = g_new0 (guint32, (gsize) self->n_nodes + 1);
  finder.frames = g_array_new (FALSE, FALSE, sizeof (FlowControlFrame));
  g_array_append_val (finder.frames, root);
  if (has_control_flow (graph))
    {
      finder.known = g_hash_table_new_full (key_hash, key_equal, g_free, NULL);
      finder.inside = g_new0 (guint32, (gsize) self->n_nodes + 1);
      finder.seen = g_new0 (guint8, (gsize) self->n_nodes + 1);
      order = flow_graph_peek_order (graph);
      for (guint i = 0; i < self->n_nodes; i++)
        place_node (&finder, order[i]);
      g_hash_table_unref (finder.known);
      g_free (finder.inside);
      g_free (finder.seen);
    }
  self->n_frames = finder.frames->len;
  self->frames = (FlowControlFrame *) (gpointer) g_array_free (finder.frames, FALSE);
  for (guint i = self->n_nodes; order != NULL && i-- > 0;)
    sink_node (self, order[i]);
  return self;
}

void
flow_control_flow_free (FlowControlFlow *self)
{
  if (self == NULL)
    return;
  g_free (self->frames);
  g_free (self->frame_of);
  g_free (self);
}

/**
 * flow_control_flow_join: (skip)
 *
 * Returns: the innermost frame that both frames are in
 */
guint32
flow_control_flow_join (const FlowControlFlow *self,
                        guint32                a,
                        guint32                b)
{
  while (a != b)
    {
      if (self->frames[a].depth >= self->frames[b].depth)
        a = self->frames[a].parent;
      else
        b = self->frames[b].parent;
    }
  return a;
}

/**
 * flow_control_flow_is_in: (skip)
 *
 * Returns: whether @frame is @outer, or inside of it
 */
gboolean
flow_control_flow_is_in (const FlowControlFlow *self,
                         guint32                frame,
                         guint32                outer)
{
  while (self->frames[frame].depth > self->frames[outer].depth)
    frame = self->frames[frame].parent;
  return frame == outer;
}
