/* flow-graph-order.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-graph-private.h"

#include <string.h>

/* What follows from the edges: who reads a node, an order in which everything can run, and the
 * frames of loops. No recursion: a graph may be a chain of a million nodes. */

void
_flow_graph_build_edges (FlowGraph *self)
{
  guint n = self->nodes->len;
  guint32 *first;
  g_autofree guint32 *fill = NULL;

  g_array_set_size (self->out_first, n + 1);
  first = (guint32 *) (gpointer) self->out_first->data;
  memset (first, 0, sizeof (guint32) * (n + 1));
  for (guint i = 0; i < self->inputs->len; i++)
    first[g_array_index (self->inputs, FlowEndpoint, i).node + 1]++;
  for (guint i = 0; i < n; i++)
    first[i + 1] += first[i];

  g_array_set_size (self->out_edges, self->inputs->len);
  fill = g_memdup2 (first, sizeof (guint32) * (n + 1));
  for (guint32 node = 0; node < n; node++)
    {
      const FlowNodeRecord *record = _flow_graph_node (self, node);

      for (guint k = 0; k < record->n_data + record->n_control; k++)
        {
          const FlowEndpoint *source = &_flow_graph_inputs (self, node)[k];

          g_array_index (self->out_edges, FlowOutEdge, fill[source->node]++) = (FlowOutEdge) {
            .consumer = node,
            .input = k < record->n_data ? (gint32) k : FLOW_SLOT_CONTROL,
            .slot = source->slot,
          };
        }
    }
}

static gboolean
is_back_edge (FlowGraph *self,
              guint32    source,
              guint32    consumer)
{
  return (_flow_graph_node (self, source)->signature->flags & FLOW_OP_NEXT_ITERATION) != 0
         && (_flow_graph_node (self, consumer)->signature->flags & FLOW_OP_MERGE) != 0;
}

typedef struct {
  guint32 node;
  guint32 next_input;
} Visit;

enum {
  UNSEEN,
  OPEN,
  DONE,
};

/* The open visits from @node on are a cycle. */
static GError *
cycle_error (FlowGraph *self,
             GArray    *stack,
             guint32    node)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint length = 0;

  for (guint i = stack->len; i > 0; i--)
    {
      guint32 member = g_array_index (stack, Visit, i - 1).node;

      length++;
      if (length <= 8)
        g_string_append_printf (names, "%s%s", length > 1 ? ", " : "", _flow_graph_node (self, member)->name);
      if (member == node)
        break;
    }
  return g_error_new (FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                      "Graph is invalid, contains a cycle with %u nodes, including: %s%s. Only Merge nodes can have back edges, "
                      "from NextIteration.",
                      length, names->str, length > 8 ? ", ..." : "");
}

static guint32
frame_of_enter (FlowGraph *self,
                guint32    node,
                guint32    parent)
{
  FlowAttr *attr = flow_attr_list_get (_flow_graph_attrs (self, node), "frame_name");
  const char *name = attr != NULL ? flow_attr_get_string (attr, NULL) : "";
  FlowFrameRecord frame = { .parent = parent, .enter = node };

  /* Frames of one loop come close together: search from the end. */
  for (guint i = self->frames->len; i > 1; i--)
    {
      const FlowFrameRecord *known = &g_array_index (self->frames, FlowFrameRecord, i - 1);

      if (known->parent == parent && strcmp (known->name, name) == 0)
        return i - 1;
    }
  frame.name = g_string_chunk_insert_const (self->arena, name);
  g_array_append_val (self->frames, frame);
  return self->frames->len - 1;
}

static void
find_frame (FlowGraph *self,
            guint32    node)
{
  const FlowNodeRecord *record = _flow_graph_node (self, node);
  guint32 frame = 0;

  for (guint i = 0; i < record->n_data + record->n_control && frame == 0; i++)
    {
      guint32 source = _flow_graph_inputs (self, node)[i].node;

      frame = g_array_index (self->node_frames, guint32, source);
      if (frame != 0 && (_flow_graph_node (self, source)->signature->flags & FLOW_OP_EXIT) != 0)
        frame = g_array_index (self->frames, FlowFrameRecord, frame).parent;
    }
  if ((record->signature->flags & FLOW_OP_ENTER) != 0)
    frame = frame_of_enter (self, node, frame);
  g_array_index (self->node_frames, guint32, node) = frame;
}

/* Depth first over inputs, nodes by index: a file that is in order keeps its order. */
static gboolean
visit_from (FlowGraph  *self,
            guint32     start,
            guint8     *state,
            GArray     *stack,
            GPtrArray  *problems,
            GError    **error)
{
  Visit visit = { .node = start };

  g_array_append_val (stack, visit);
  state[start] = OPEN;
  while (stack->len > 0)
    {
      Visit *top = &g_array_index (stack, Visit, stack->len - 1);
      const FlowNodeRecord *record = _flow_graph_node (self, top->node);
      guint32 source;

      if (top->next_input == record->n_data + record->n_control)
        {
          state[top->node] = DONE;
          g_array_append_val (self->order, top->node);
          find_frame (self, top->node);
          g_array_set_size (stack, stack->len - 1);
          continue;
        }
      source = _flow_graph_inputs (self, top->node)[top->next_input++].node;
      if (is_back_edge (self, source, top->node) || state[source] == DONE)
        continue;
      if (state[source] == OPEN)
        {
          if (!_flow_graph_report (self, top->node, "input", -1, cycle_error (self, stack, source), problems, error))
            return FALSE;
          continue;
        }
      state[source] = OPEN;
      visit.node = source;
      g_array_append_val (stack, visit);
    }
  return TRUE;
}

gboolean
_flow_graph_build_order (FlowGraph  *self,
                         guint32     first,
                         GPtrArray  *problems,
                         GError    **error)
{
  guint n = self->nodes->len;
  g_autofree guint8 *state = g_malloc0 (n + 1);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Visit));

  /* What is there already cannot read what comes now. */
  memset (state, DONE, first);
  g_array_set_size (self->node_frames, n);
  for (guint32 node = first; node < n; node++)
    g_array_index (self->node_frames, guint32, node) = 0;
  for (guint32 node = first; node < n; node++)
    if (state[node] == UNSEEN && !visit_from (self, node, state, stack, problems, error))
      return FALSE;
  return TRUE;
}
