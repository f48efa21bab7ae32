/* flow-graph-pack.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-graph-pack.h"

#include "flow-formats-private.h"
#include "flow-graph-columns.h"
#include "flow-model.h"

/* A graph for another process: the columns of flow_graph_to_columns(), then what has a format of its own. Attrs are most
 * of a file's bytes, and whoever looks at a graph asks for those of a few nodes: they lie there until they are read. */

enum {
  PIECE_ATTR_PLACES = FLOW_GRAPH_N_COLUMNS,   /* of guint64: where each node's attrs begin, and the end */
  PIECE_ATTRS,                                /* NodeDefs that have nothing but attrs */
  PIECE_REST,                                 /* a GraphDef without nodes */
  PIECE_OP_LIST,
  N_PIECES
};

static gboolean
add_attrs (FlowGraph  *self,
           GPtrArray  *pieces,
           GError    **error)
{
  gsize n = flow_graph_get_n_nodes (self);
  guint64 *places = g_new (guint64, n + 1);
  GBytes *attrs;
  FlowProtoWriter w;

  flow_proto_writer_init (&w);
  for (guint32 node = 0; node < n; node++)
    {
      places[node] = w.size;
      _flow_write_attrs (&w, 5, flow_graph_get_node_attrs (self, node));
    }
  places[n] = w.size;
  attrs = flow_proto_writer_finish (&w, error);
  g_ptr_array_add (pieces, g_bytes_new_take (places, (n + 1) * sizeof *places));
  if (attrs != NULL)
    g_ptr_array_add (pieces, attrs);
  return attrs != NULL;
}

/**
 * flow_graph_pack: (skip)
 * @self: a graph
 * @error: return location
 *
 * Packs a graph, without its collections, for a process of the same build; see flow_graph_unpack().
 *
 * Returns: (transfer full) (nullable) (element-type GBytes): the pieces; %NULL with `FLOW_ERROR_RESOURCE_EXHAUSTED`
 *   where the attrs are more than a protobuf message may hold
 */
GPtrArray *
flow_graph_pack (FlowGraph  *self,
                 GError    **error)
{
  g_autoptr (GPtrArray) pieces = NULL;
  GBytes *rest;
  GBytes *op_list;

  g_return_val_if_fail (FLOW_IS_GRAPH (self), NULL);

  pieces = flow_graph_to_columns (self);
  if (!add_attrs (self, pieces, error))
    return NULL;
  rest = flow_graph_to_bytes_from (self, flow_graph_get_n_nodes (self), error);
  if (rest == NULL)
    return NULL;
  g_ptr_array_add (pieces, rest);
  op_list = flow_graph_write_op_list (self, error);
  if (op_list == NULL)
    return NULL;
  g_ptr_array_add (pieces, op_list);
  return g_steal_pointer (&pieces);
}

typedef struct {
  GMutex lock;                 /* guards @load: two threads may ask at once */
  GBytes *places;
  GPtrArray *problems;
  FlowLoad *load;
} LateAttrs;

static void
late_attrs_free (gpointer data)
{
  LateAttrs *self = data;

  _flow_load_free (self->load);
  g_ptr_array_unref (self->problems);
  g_bytes_unref (self->places);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static FlowAttrList *
read_attrs_cb (guint32  node,
               gpointer data)
{
  LateAttrs *self = data;
  const guint64 *places = g_bytes_get_data (self->places, NULL);
  FlowAttrList *attrs = flow_attr_list_new ();
  FlowProtoReader r;
  FlowProtoReader sub;

  g_mutex_lock (&self->lock);
  flow_proto_reader_init_part (&r, self->load->base, self->load->base + places[node],
                               (gsize) (places[node + 1] - places[node]), 0);
  while (flow_proto_reader_next (&r))
    if (r.field == 5 && flow_proto_reader_enter (&r, &sub))
      _flow_load_attr_entry (self->load, &sub, attrs);
  /* What cannot be read is not there: the engine has read it, and says what is wrong with it. */
  g_clear_error (&self->load->error);
  g_ptr_array_set_size (self->problems, 0);
  g_mutex_unlock (&self->lock);
  return attrs;
}

/* Takes its place among what the graph owns: freed by flow_graph_take_columns()'s destroy. */
static LateAttrs *
late_attrs_new (GPtrArray  *pieces,
                gsize       n_nodes,
                GError    **error)
{
  gsize size;
  const guint64 *places = g_bytes_get_data (pieces->pdata[PIECE_ATTR_PLACES], &size);
  guint64 end = g_bytes_get_size (pieces->pdata[PIECE_ATTRS]);
  gboolean is_sound = size == (n_nodes + 1) * sizeof *places && places[n_nodes] == end;
  g_autoptr (FlowBudget) budget = flow_budget_new (flow_budget_default_limit ());
  LateAttrs *self;

  for (gsize i = 0; is_sound && i < n_nodes; i++)
    is_sound = places[i] <= places[i + 1];
  if (!is_sound)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "the engine's graph cannot be read: attrs");
      return NULL;
    }
  self = g_new0 (LateAttrs, 1);
  g_mutex_init (&self->lock);
  self->places = g_bytes_ref (pieces->pdata[PIECE_ATTR_PLACES]);
  self->problems = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_problem_free);
  self->load = _flow_load_new (pieces->pdata[PIECE_ATTRS], FLOW_MESSAGE_NODE_DEF, "NodeDef", NULL, budget,
                               self->problems);
  return self;
}

/**
 * flow_graph_unpack: (skip)
 * @pieces: (element-type GBytes): what flow_graph_pack() gave
 * @error: return location
 *
 * Makes the graph that was packed. Attrs stay in @pieces, and are read when they are asked for.
 *
 * Returns: (transfer full) (nullable): the graph; %NULL with `FLOW_ERROR_INTERNAL` where the pieces contradict one
 *   another, or with what flow_graph_extend_from_bytes() says of functions
 */
FlowGraph *
flow_graph_unpack (GPtrArray  *pieces,
                   GError    **error)
{
  g_autoptr (FlowGraph) graph = flow_graph_new ();
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_problem_free);
  LateAttrs *attrs;

  if (pieces->len != N_PIECES)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "the engine's graph cannot be read: %u pieces", pieces->len);
      return NULL;
    }
  /* What is wrong with the file has been told; here it only must not stand in the way. */
  if (!flow_graph_take_op_list (graph, pieces->pdata[PIECE_OP_LIST], error)
      || !flow_graph_extend_from_bytes (graph, pieces->pdata[PIECE_REST], problems, error))
    return NULL;
  attrs = late_attrs_new (pieces, flow_graph_columns_get_n_nodes (pieces), error);
  if (attrs == NULL || !flow_graph_take_columns (graph, pieces, read_attrs_cb, attrs, late_attrs_free, error))
    return NULL;
  return g_steal_pointer (&graph);
}
