/* flow-graph.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-attr.h"
#include "flow-op-def.h"

G_BEGIN_DECLS

#define FLOW_NODE_NONE 0xffffffffu
#define FLOW_SCOPE_NONE 0xffffffffu
/* Set in the indices of nodes of function bodies (flow_graph_add_body()): they are no part of the graph itself, but all
 * that is asked of a node may be asked of them. */
#define FLOW_NODE_BODY 0x80000000u
#define FLOW_SCOPE_ROOT 0
#define FLOW_SLOT_CONTROL (-1)

/**
 * FlowEndpoint:
 * @node: index of the node
 * @slot: index of its output, or %FLOW_SLOT_CONTROL
 *
 * An output of a node, TensorFlow's `node:slot` or `^node`.
 */
typedef struct {
  guint32 node;
  gint32 slot;
} FlowEndpoint;

#ifndef __GI_SCANNER__

/**
 * FlowNodeDef: (skip)
 *
 * A node as a file or a builder says it, before its inputs are resolved. Strings are borrowed for
 * the length of the call; @attrs is referenced.
 */
typedef struct {
  const char *name;
  gsize name_length;           /* 00 bytes are seen */
  const char *op;
  const char *device;          /* nullable */
  const char *const *inputs;   /* as written: "a", "a:1", "^a" */
  guint n_inputs;
  FlowAttrList *attrs;
  gint64 offset;               /* byte offset in its file, -1 unknown: for diagnostics */
} FlowNodeDef;

/**
 * FlowFunction: (skip)
 *
 * A function of the library: signature and body nodes as the file has them.
 */
typedef struct {
  char *name;
  FlowOpSignature *signature;
  GPtrArray *nodes;            /* of FlowFunctionNode* */
  GHashTable *ret;             /* output arg -> "node:out_arg:index" */
  GHashTable *control_ret;
  FlowAttrList *attrs;
  char *gradient;              /* name of the gradient function, nullable */
} FlowFunction;

typedef struct {
  char *name;
  char *op;
  char *device;
  char **inputs;
  FlowAttrList *attrs;
} FlowFunctionNode;

#endif /* __GI_SCANNER__ */

/**
 * FlowProblem:
 * @severity: 0 a note, 1 a warning, 2 damage
 * @node: (nullable): the node it is about
 * @field: (nullable): the field, such as `node[3].attr[dtype]`
 * @offset: byte offset in the file, -1 if unknown
 * @text: what is wrong
 *
 * Something that did not stop a file from opening.
 */
typedef struct {
  int severity;
  int code;
  char *node;
  char *field;
  gint64 offset;
  char *text;
} FlowProblem;

/* The most problems that are listed of one file. */
#define FLOW_MAX_PROBLEMS 1000

FLOW_API FlowProblem *flow_problem_new  (int code, int severity, const char *node, const char *field,
                                         gint64 offset, const char *format, ...) G_GNUC_PRINTF (6, 7);
FLOW_API void         flow_problem_free (FlowProblem *self);

#define FLOW_TYPE_GRAPH (flow_graph_get_type ())

FLOW_API G_DECLARE_FINAL_TYPE (FlowGraph, flow_graph, FLOW, GRAPH, GObject)

FLOW_API FlowGraph   *flow_graph_new                  (void);

/* Making. Forward references inside one call are fine. With @problems NULL it is all or nothing: the first
 * illegal node fails the call. With @problems, what is sound opens: illegal nodes are kept where they can
 * be drawn, carry their error (flow_graph_get_node_error()) and are listed. */
#ifndef __GI_SCANNER__
FLOW_API gboolean     flow_graph_import               (FlowGraph            *self,
                                                       const FlowNodeDef    *nodes,
                                                       gsize                 n_nodes,
                                                       GPtrArray            *problems,
                                                       GError              **error);
/* Definitions that the file brings for op types we do not know. */
FLOW_API void         flow_graph_take_signature       (FlowGraph            *self,
                                                       FlowOpSignature      *signature);
FLOW_API void         flow_graph_take_function        (FlowGraph            *self,
                                                       FlowFunction         *function);
FLOW_API FlowFunction *flow_graph_find_function       (FlowGraph            *self,
                                                       const char           *name);
FLOW_API FlowFunction *flow_graph_get_function        (FlowGraph            *self,
                                                       guint                 i);
FLOW_API const FlowOpSignature *flow_graph_get_signature (FlowGraph         *self,
                                                       guint32               node);
FLOW_API void         flow_graph_set_versions         (FlowGraph *self, int producer, int min_consumer,
                                                       const int *bad_consumers, guint n_bad);
#endif
/* Why a node cannot run (an illegal attr, a missing input, a cycle), or NULL. */
FLOW_API const GError *flow_graph_get_node_error      (FlowGraph            *self,
                                                       guint32               node);
#ifndef __GI_SCANNER__
/* All nodes, every one after what it reads (back edges of loops left out); n_nodes entries. */
FLOW_API const guint32 *flow_graph_peek_order         (FlowGraph            *self);
FLOW_API FlowFunction *flow_function_new              (const char           *name);
FLOW_API void          flow_function_free             (FlowFunction         *self);
FLOW_API FlowFunctionNode *flow_function_node_new     (const char *name, const char *op, const char *device,
                                                       char **inputs, FlowAttrList *attrs);
#endif
FLOW_API guint        flow_graph_get_n_functions      (FlowGraph            *self);
FLOW_API const char  *flow_graph_get_function_name    (FlowGraph            *self,
                                                       guint                 i);
FLOW_API int          flow_graph_get_producer         (FlowGraph            *self);
FLOW_API int          flow_graph_get_min_consumer     (FlowGraph            *self);

/* Nodes, by index: 0 .. n-1 in the order of the file. Growing a graph only appends;
 * signal nodes-added (guint first, guint count). */
FLOW_API guint        flow_graph_get_n_nodes          (FlowGraph            *self);
FLOW_API guint        flow_graph_get_n_edges          (FlowGraph            *self);
FLOW_API guint32      flow_graph_find_node            (FlowGraph            *self,
                                                       const char           *name);
FLOW_API guint32      flow_graph_find_op              (FlowGraph            *self,
                                                       const char           *text);
FLOW_API gboolean     flow_graph_parse_endpoint       (FlowGraph            *self,
                                                       const char           *text,
                                                       FlowEndpoint         *endpoint,
                                                       GError              **error);
FLOW_API char        *flow_graph_endpoint_to_string   (FlowGraph            *self,
                                                       guint32               node,
                                                       int                   slot);
FLOW_API const char  *flow_graph_get_node_name        (FlowGraph            *self,
                                                       guint32               node);
FLOW_API const char  *flow_graph_get_node_leaf        (FlowGraph            *self,
                                                       guint32               node);
FLOW_API const char  *flow_graph_get_node_type        (FlowGraph            *self,
                                                       guint32               node);
FLOW_API const char  *flow_graph_get_node_device      (FlowGraph            *self,
                                                       guint32               node);
FLOW_API guint        flow_graph_get_node_flags       (FlowGraph            *self,
                                                       guint32               node);
FLOW_API FlowOpFamily flow_graph_get_node_family      (FlowGraph            *self,
                                                       guint32               node);
FLOW_API guint32      flow_graph_get_node_scope       (FlowGraph            *self,
                                                       guint32               node);
FLOW_API FlowAttrList *flow_graph_get_node_attrs      (FlowGraph            *self,
                                                       guint32               node);
FLOW_API FlowAttr    *flow_graph_get_attr             (FlowGraph            *self,
                                                       guint32               node,
                                                       const char           *name);

/* Edges. Data inputs 0 .. n_inputs-1, then control inputs, as one array. */
FLOW_API guint        flow_graph_get_n_inputs         (FlowGraph            *self,
                                                       guint32               node);
FLOW_API guint        flow_graph_get_n_control_inputs (FlowGraph            *self,
                                                       guint32               node);
FLOW_API void         flow_graph_get_input            (FlowGraph            *self,
                                                       guint32               node,
                                                       guint                 i,
                                                       FlowEndpoint         *source);
FLOW_API guint32      flow_graph_get_control_input    (FlowGraph            *self,
                                                       guint32               node,
                                                       guint                 i);
FLOW_API int          flow_graph_get_input_dtype      (FlowGraph            *self,
                                                       guint32               node,
                                                       guint                 i);
FLOW_API guint        flow_graph_get_n_outputs        (FlowGraph            *self,
                                                       guint32               node);
FLOW_API int          flow_graph_get_output_dtype     (FlowGraph            *self,
                                                       guint32               node,
                                                       guint                 i);
/* Never NULL; unknown rank where nothing is known. */
FLOW_API FlowShape   *flow_graph_get_output_shape     (FlowGraph            *self,
                                                       guint32               node,
                                                       guint                 i);
/* The consumers of all outputs of a node: edge i comes from @source_slot (or control) and is input
 * @input_index of @consumer (or FLOW_SLOT_CONTROL). */
FLOW_API guint        flow_graph_get_n_out_edges      (FlowGraph            *self,
                                                       guint32               node);
FLOW_API void         flow_graph_get_out_edge         (FlowGraph            *self,
                                                       guint32               node,
                                                       guint                 i,
                                                       gint32               *source_slot,
                                                       guint32              *consumer,
                                                       gint32               *input_index);
#ifndef __GI_SCANNER__
/* For the executor and the canvas: the input array itself, data then control; valid until the graph
 * grows. */
FLOW_API const FlowEndpoint *flow_graph_peek_inputs   (FlowGraph            *self,
                                                       guint32               node,
                                                       guint                *n_data,
                                                       guint                *n_control);
#endif

/* Name scopes, by index; FLOW_SCOPE_ROOT is the graph itself. Scopes only get appended too. */
FLOW_API guint        flow_graph_get_n_scopes         (FlowGraph            *self);
FLOW_API guint32      flow_graph_find_scope           (FlowGraph            *self,
                                                       const char           *path);
FLOW_API const char  *flow_graph_get_scope_path       (FlowGraph            *self,
                                                       guint32               scope);
FLOW_API const char  *flow_graph_get_scope_leaf       (FlowGraph            *self,
                                                       guint32               scope);
FLOW_API guint32      flow_graph_get_scope_parent     (FlowGraph            *self,
                                                       guint32               scope);
FLOW_API guint        flow_graph_get_scope_depth      (FlowGraph            *self,
                                                       guint32               scope);
FLOW_API guint        flow_graph_get_n_child_scopes   (FlowGraph            *self,
                                                       guint32               scope);
FLOW_API guint32      flow_graph_get_child_scope      (FlowGraph            *self,
                                                       guint32               scope,
                                                       guint                 i);
FLOW_API guint        flow_graph_get_n_scope_nodes    (FlowGraph            *self,
                                                       guint32               scope);
FLOW_API guint32      flow_graph_get_scope_node       (FlowGraph            *self,
                                                       guint32               scope,
                                                       guint                 i);
/* The node whose own name is the scope's path (variable `v` with `v/read`), or FLOW_NODE_NONE. */
FLOW_API guint32      flow_graph_get_scope_own_node   (FlowGraph            *self,
                                                       guint32               scope);
/* Nodes in it and below it. */
FLOW_API guint        flow_graph_get_scope_total      (FlowGraph            *self,
                                                       guint32               scope);

/* Collections: decoded items. Keys in the order of the file. See flow-collection.h of formats/. */
FLOW_API void         flow_graph_set_collection       (FlowGraph            *self,
                                                       const char           *key,
                                                       GPtrArray            *items);
FLOW_API void         flow_graph_clear_collections    (FlowGraph            *self);
FLOW_API void         flow_graph_lend_collections     (FlowGraph            *self,
                                                       FlowGraph            *to);
FLOW_API guint        flow_graph_get_n_collections    (FlowGraph            *self);
FLOW_API const char  *flow_graph_get_collection_key   (FlowGraph            *self,
                                                       guint                 i);
FLOW_API GPtrArray   *flow_graph_get_collection       (FlowGraph            *self,
                                                       const char           *key);

/* Control flow, for graphs with loops: each node's frame, found from Enter and Exit. */
FLOW_API const char  *flow_graph_get_frame_name       (FlowGraph            *self,
                                                       guint32               node);
FLOW_API guint32      flow_graph_get_frame_parent_enter (FlowGraph          *self,
                                                       guint32               node);

G_END_DECLS
