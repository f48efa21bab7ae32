/* flow-builder-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-builder.h"
#include "flow-gradient.h"
#include "flow-infer.h"

G_BEGIN_DECLS

/* One of the sets that control_dependencies() opened, and what was made inside it. */
typedef struct _FlowController FlowController;

struct _FlowController
{
  FlowController *outer;
  GArray *nodes;               /* of guint32 */
  GHashTable *made;            /* nodes made while it was open */
};

/* The stacks are chains that only grow inwards, so that leaving is forgetting. */
typedef struct _FlowChain FlowChain;

struct _FlowChain
{
  FlowChain *outer;
  guint32 node;                /* colocation */
  char *type;                  /* op attr: which op type, NULL any */
  char *name;                  /* attr, or a device; NULL clears what is outside */
  FlowAttr *value;
};

/* What stands around the op that is made next. */
typedef struct {
  char *name_scope;            /* without a slash at its end; "" at the root */
  FlowController *controllers;
  FlowChain *colocations;
  FlowChain *devices;
  FlowChain *attrs;
  char *container;
} FlowSurroundings;

typedef struct {
  char *name;
  const FlowOpSignature *signature;
  FlowAttrList *attrs;
  char *device;
  GArray *inputs;              /* of FlowEndpoint */
  GArray *controls;            /* of guint32 */
  GArray *consumers;           /* of guint32, one entry an edge; NULL while nobody reads it */
  guint n_outputs;
  int *dtypes;
  FlowShape **shapes;
  FlowHandleData *handles;
} FlowBuildNode;

struct _FlowBuilder
{
  GObject parent_instance;

  GPtrArray *nodes;            /* of FlowBuildNode */
  GHashTable *by_name;         /* name -> node + 1 */
  GHashTable *names_in_use;    /* name in lower case -> counter */
  GArray *frames;              /* of FlowSurroundings: what flow_builder_leave() goes back to */
  FlowSurroundings now;
  GPtrArray *controllers;      /* all there ever were */
  GPtrArray *chains;
  gboolean finalized;

  FlowGraph *graph;            /* what was handed out; nullable */
  gboolean graph_is_old;       /* a node that it has was changed since */

  FlowGraph *library;          /* of functions that nodes call, without nodes; nullable */

  GHashTable *constants;       /* output -> FlowTensor or NULL: folded so far */
  FlowNodeMaker maker;         /* this builder, as gradient rules see it */
};

/* GraphDef version of TensorFlow 1.15.5, whose graphs these are. */
#define FLOW_BUILDER_PRODUCER 134

#define FLOW_OUTPUT(node, slot) (((guint64) (node) << 32) | (guint32) (slot))
#define FLOW_OUTPUT_NODE(output) ((guint32) ((output) >> 32))
#define FLOW_OUTPUT_SLOT(output) ((gint32) ((output) & 0xffffffffu))

static inline FlowBuildNode *
_flow_builder_node (FlowBuilder *self,
                    guint32      node)
{
  return g_ptr_array_index (self->nodes, node);
}

/* Whether text is name characters throughout; at the root also that it begins like a name. */
gboolean _flow_builder_is_valid_name  (const char       *text,
                                       gboolean          at_root);
void     _flow_build_node_free        (FlowBuildNode    *self);
/* Shapes of a node just made, or TensorFlow's words for why they cannot be. */
gboolean _flow_builder_infer          (FlowBuilder      *self,
                                       FlowBuildNode    *node,
                                       GError          **error);
/* Devices are written the long way round, "/cpu:1" as "/device:CPU:1". NULL with TensorFlow's words. */
char    *_flow_builder_canonical_device (const char     *text,
                                       GError          **error);
/* What @inner leaves open is @outer's. */
char    *_flow_builder_merge_devices  (const char       *inner,
                                       const char       *outer);
char    *_flow_builder_device_here    (FlowBuilder      *self,
                                       const char       *own);

gboolean _flow_builder_write_library  (FlowBuilder      *self,
                                       FlowGraph        *graph,
                                       GError          **error);
void     _flow_builder_init_maker     (FlowBuilder      *self);
/* The value of an output that depends on constants only, of the few ops that TensorFlow's Python follows; borrowed. */
FlowTensor *_flow_builder_peek_constant (FlowBuilder    *self,
                                       FlowEndpoint      at);
/* One gradient of several: dense ones by AddN, rows joined. */
FlowGrad _flow_builder_sum_gradients  (FlowGradient     *g,
                                       GArray           *grads,
                                       guint32           node,
                                       guint             flags);
/* control_flow_ops.tuple() over the gradients that are there. */
void     _flow_builder_gate_gradients (FlowGradient     *g,
                                       FlowGrad         *grads,
                                       guint             n);

G_END_DECLS
