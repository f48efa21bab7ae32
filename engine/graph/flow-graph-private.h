/* flow-graph-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-graph-columns.h"
#include "flow-graph-reading.h"
#include "flow-scope-tree.h"

G_BEGIN_DECLS

typedef struct {
  const char *name;            /* in the graph's arena */
  guint32 name_length;
  guint32 leaf;                /* where the leaf begins in name */
  const char *type;            /* in the graph's interned strings */
  const char *device;
  const FlowOpSignature *signature;
  FlowAttrList *attrs;         /* NULL until asked for, of a node that came in columns */
  guint32 scope;
  guint32 first_input;         /* into inputs */
  guint32 n_data;
  guint32 n_control;
  guint32 first_output;        /* into output_dtypes, output_shapes */
  guint32 n_outputs;
} FlowNodeRecord;

typedef struct {
  guint32 consumer;
  gint32 input;                /* FLOW_SLOT_CONTROL for control edges */
  gint32 slot;
} FlowOutEdge;

/* A control-flow frame, found from Enter and Exit. Frame 0 is outside all loops. */
typedef struct {
  const char *name;
  guint32 parent;
  guint32 enter;               /* one of its Enter nodes */
} FlowFrameRecord;

typedef struct _FlowGraphBody FlowGraphBody;

struct _FlowGraph
{
  GObject parent_instance;

  GStringChunk *arena;
  FlowScopeTree *scopes;
  GArray *nodes;               /* of FlowNodeRecord */
  GArray *inputs;              /* of FlowEndpoint: per node data, then control */
  GArray *input_dtypes;        /* of int, beside inputs: what the definition asks for */
  GArray *output_dtypes;       /* of int */
  GPtrArray *output_shapes;    /* of FlowShape */
  GHashTable *handles;         /* output index -> FlowHandleData*: what resources hold */

  /* consumers, rebuilt after each import */
  GArray *out_first;           /* of guint32, n_nodes + 1 */
  GArray *out_edges;           /* of FlowOutEdge */
  GArray *order;               /* of guint32 */

  GArray *frames;              /* of FlowFrameRecord */
  GArray *node_frames;         /* of guint32 */

  GHashTable *node_errors;     /* node -> GError* */
  GPtrArray *signatures;       /* of FlowOpSignature, guessed or from the file; owned */
  GHashTable *file_signatures; /* op type -> FlowOpSignature */
  GPtrArray *functions;        /* of FlowFunction */
  GHashTable *functions_by_name;
  GPtrArray *bodies;           /* of FlowGraphBody, by rising first; nullable */
  guint32 n_body_nodes;
  GMutex bodies_lock;          /* guards the two before: bodies are added while others read names */
  FlowGraph *library;          /* of a function's body: where its functions and definitions are; borrowed */
  GPtrArray *collections;      /* of FlowCollection */

  int producer;
  int min_consumer;
  GArray *bad_consumers;

  gint n_readers;              /* other threads that go through it; atomic */
  GBytes *names;               /* those of nodes that came in columns; nullable */
  FlowGraphAttrReader read_attrs;
  gpointer read_attrs_data;
  GDestroyNotify read_attrs_destroy;
};

static inline FlowNodeRecord *
_flow_graph_node (FlowGraph *self,
                  guint32    node)
{
  return &g_array_index (self->nodes, FlowNodeRecord, node);
}

FlowAttrList *_flow_graph_read_attrs (FlowGraph *self,
                                      guint32    node);

/* The node's attrs as they stood. */
static inline FlowAttrList *
_flow_graph_attrs (FlowGraph *self,
                   guint32    node)
{
  FlowAttrList *attrs = g_atomic_pointer_get (&_flow_graph_node (self, node)->attrs);

  return G_LIKELY (attrs != NULL) ? attrs : _flow_graph_read_attrs (self, node);
}

static inline FlowEndpoint *
_flow_graph_inputs (FlowGraph *self,
                    guint32    node)
{
  return &g_array_index (self->inputs, FlowEndpoint, _flow_graph_node (self, node)->first_input);
}

void     _flow_graph_set_node_error (FlowGraph   *self,
                                     guint32      node,
                                     GError      *error);
/* Appends what is wrong with @node to @problems and marks it; or, without problems, sets @error and
 * returns FALSE. Takes @what. */
gboolean _flow_graph_report         (FlowGraph   *self,
                                     guint32      node,
                                     const char  *field,
                                     gint64       offset,
                                     GError      *what,
                                     GPtrArray   *problems,
                                     GError     **error);
gboolean _flow_graph_import_nodes   (FlowGraph          *self,
                                     const FlowNodeDef  *nodes,
                                     gsize               n_nodes,
                                     GPtrArray          *problems,
                                     GError            **error);
void     _flow_graph_build_edges    (FlowGraph   *self);
/* The order, and the frames; nodes of cycles are reported. */
gboolean _flow_graph_build_order    (FlowGraph   *self,
                                     guint32      first,
                                     GPtrArray   *problems,
                                     GError     **error);
void     _flow_graph_infer_shapes   (FlowGraph   *self,
                                     guint32      first,
                                     GPtrArray   *problems);

/* The graph in which a node of a body stands: *@node becomes its index there, *@base what to add to come back. Anything
 * else stays as it is, with a base of 0. */
FlowGraph *_flow_graph_locate      (FlowGraph   *self,
                                    guint32     *node,
                                    guint32     *base);
guint32    _flow_graph_find_in_bodies (FlowGraph  *self,
                                    const char  *name,
                                    gsize        length);

/* A definition for a node whose type nobody defines; its outputs have no dtypes yet. */
FlowOpSignature *_flow_graph_add_guess (FlowGraph  *self,
                                        const char *type,
                                        guint       n_outputs);

/* The definition that serves a node of this type, or NULL where nobody has one. */
const FlowOpSignature *_flow_graph_find_definition (FlowGraph    *self,
                                                    const char   *type,
                                                    FlowAttrList *attrs);

G_END_DECLS
