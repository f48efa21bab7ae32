/* flow-builder-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-builder.h"
#include "flow-gradient.h"
#include "flow-infer.h"
#include "flow-util.h"

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

/* A branch of a cond, or a while loop: what ops made inside go through. */
typedef struct _FlowContext FlowContext;

/* What is known of the gradient of a loop while and after it is made. */
typedef struct _FlowGradLoop FlowGradLoop;

struct _FlowGradLoop
{
  FlowGradLoop *outer;         /* the gradient of the loop around it, in the same call */
  FlowContext *forward;
  FlowContext *grad;
  FlowEndpoint forward_index;  /* the forward counter in the next iteration */
  FlowEndpoint grad_index;
  guint32 forward_sync;        /* ControlTriggers that pushes and pops wait at; %FLOW_NODE_NONE until needed */
  guint32 grad_sync;
  GHashTable *history;         /* forward output -> FlowEndpoint that has its value on the way back */
  GArray *switches;            /* of guint32: forward Switches met once */
  GArray *merges;              /* of FlowGrad: the Merge of each */
  GArray *exits;               /* of FlowEndpoint: the forward loop's, without counters */
  GArray *unused;              /* exits that nothing was differentiated through */
  GArray *deferred;            /* exits that wait for the others */
  int n_pending;
};

struct _FlowContext
{
  guint id;                    /* its place in the builder's contexts, from 1 */
  char *name;
  gboolean is_while;
  FlowContext *outer;
  GPtrArray *nested;           /* of FlowContext */
  GPtrArray *entered_from;     /* what was current each time it was entered */
  GHashTable *values;          /* outputs that are known inside */
  GHashTable *external;        /* output outside -> FlowEndpoint that stands for it inside */
  FlowEndpoint pivot;          /* cond: its branch of the switched predicate; while: the LoopCond */

  FlowEndpoint pred;           /* cond */
  guint branch;

  FlowEndpoint pivot_for_pred; /* while */
  FlowEndpoint pivot_for_body;
  FlowEndpoint maximum_iterations;
  gint64 parallel_iterations;
  gboolean back_prop;
  gboolean swap_memory;
  GArray *enters;              /* of FlowEndpoint */
  GArray *merges;
  GArray *switches;
  GArray *exits;
  FlowGradLoop *grad;          /* where it is the gradient of a loop; owned */
  GPtrArray *invariants;       /* of FlowShape, nullable: what loop variables keep to */
};

typedef enum {
  FLOW_SCOPE_NAME,
  FLOW_SCOPE_CONTROLS,
  FLOW_SCOPE_PLACES,           /* devices and colocations */
  FLOW_SCOPE_ATTRS,
  FLOW_SCOPE_CONTAINER
} FlowScopeKind;

/* What stands around the op that is made next. */
typedef struct {
  FlowScopeKind kind;          /* what was entered last, and goes back when it is left */
  char *name_scope;            /* without a slash at its end; "" at the root */
  FlowController *controllers;
  FlowChain *colocations;
  FlowChain *devices;
  FlowChain *attrs;
  char *container;
  FlowContext *context;        /* nullable */
  gboolean clears;             /* leaving it goes back to the context outside */
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
  FlowContext *context;        /* the branch or loop it belongs to; nullable */
  gboolean is_unfetchable;
  gboolean is_unfeedable;
} FlowBuildNode;

/* Where what is added can be taken back to. */
typedef struct _FlowBuildMark FlowBuildMark;

struct _FlowBuilder
{
  GObject parent_instance;

  GPtrArray *nodes;            /* of FlowBuildNode */
  GHashTable *by_name;         /* name -> node + 1 */
  GHashTable *names_in_use;    /* name in lower case -> counter */
  GArray *frames;              /* of FlowSurroundings: what flow_builder_leave() goes back to */
  FlowSurroundings now;
  GHashTable *threads;         /* thread -> FlowThread: of those that are not at work */
  guint64 thread;              /* whose @frames and @now are */
  FlowSurroundings *common;    /* what each thread begins with where all stacks are its own; else NULL */
  GPtrArray *controllers;      /* all there ever were */
  GPtrArray *chains;
  GPtrArray *contexts;         /* all there ever were */
  gboolean finalized;
  int producer;                /* the oldest of what was imported, or our own */
  int min_consumer;
  FlowBuildMark *mark;         /* nullable */
  gboolean settles_later;      /* contexts look at what is made when all of it is there */

  FlowGraph *graph;            /* what was handed out; nullable */
  gboolean graph_is_old;       /* a node that it has was changed since */
  guint64 n_changes;

  FlowGraph *library;          /* of functions that nodes call, without nodes; nullable */

  FlowBuilderGradientFunc gradient_func;
  gpointer gradient_data;
  GDestroyNotify gradient_notify;
  GHashTable *gradient_types;  /* names of rules that are the caller's */
  FlowGradient *differentiated; /* the op whose rule the caller is asked for; nullable */

  FlowBuilder *source;         /* the body whose gradient this is, while it is made; owned, nullable */
  FlowBuilderCaptureFunc capture_func;
  gpointer capture_data;
  GDestroyNotify capture_notify;

  GHashTable *constants;       /* output -> FlowTensor or NULL: folded so far */
  FlowNodeMaker maker;         /* this builder, as gradient rules see it */
};

/* GraphDef version of TensorFlow 1.15.5, whose graphs these are. */
#define FLOW_BUILDER_PRODUCER 134

#define FLOW_OUTPUT(node, slot) (((guint64) (node) << 32) | (guint32) (slot))
#define FLOW_OUTPUT_NODE(output) ((guint32) ((output) >> 32))
#define FLOW_OUTPUT_SLOT(output) ((gint32) ((output) & 0xffffffffu))
#define FLOW_ENDPOINT(output) ((FlowEndpoint) { FLOW_OUTPUT_NODE (output), FLOW_OUTPUT_SLOT (output) })

/* Where the gradient of one builder's graph is made by another, rules see nodes of both: those of the first have this bit. */
#define FLOW_FOREIGN FLOW_BUILDER_FOREIGN
#define FLOW_LAST_FOREIGN 0xefffffffu

static inline gboolean
_flow_node_is_foreign (guint32 node)
{
  return node >= FLOW_FOREIGN && node <= FLOW_LAST_FOREIGN;
}

static inline FlowBuildNode *
_flow_builder_node (FlowBuilder *self,
                    guint32      node)
{
  return g_ptr_array_index (self->nodes, node);
}

/* Whether it is an output of this graph: scripts mix graphs. */
static inline gboolean
_flow_builder_has_output (FlowBuilder  *self,
                          FlowEndpoint  at)
{
  return at.node < self->nodes->len && at.slot >= 0 && (guint) at.slot < _flow_builder_node (self, at.node)->n_outputs;
}

/* Whether text is name characters throughout; at the root also that it begins like a name. */
gboolean _flow_builder_is_valid_name  (const char       *text,
                                       gboolean          at_root);
void     _flow_build_node_free        (FlowBuildNode    *self);
/* A name's count is about to change from @count, while there is a mark. */
void     _flow_builder_note_name      (FlowBuilder      *self,
                                       const char       *key,
                                       int               count);
/* Shapes of a node just made, or TensorFlow's words for why they cannot be. */
gboolean _flow_builder_infer          (FlowBuilder      *self,
                                       FlowBuildNode    *node,
                                       GError          **error);
/* What TensorFlow asks of the ranks of inputs while it builds, where kernels say something else when they run. */
gboolean _flow_builder_check_ranks    (const FlowBuildNode *node,
                                       FlowInferContext *context,
                                       GError          **error);
/* Devices are written the long way round, "/cpu:1" as "/device:CPU:1". NULL with TensorFlow's words. */
char    *_flow_builder_canonical_device (const char     *text,
                                       GError          **error);
/* What @inner leaves open is @outer's. */
char    *_flow_builder_merge_devices  (const char       *inner,
                                       const char       *outer);
char    *_flow_builder_device_here    (FlowBuilder      *self,
                                       const char       *own);

/* Of two places in an array of strings. */
FlowAttrList *_flow_builder_dup_attrs (const FlowBuildNode *node,
                                       gboolean          with_shapes);
gboolean _flow_builder_write_library  (FlowBuilder      *self,
                                       FlowGraph        *graph,
                                       GError          **error);
void     _flow_builder_init_maker     (FlowBuilder      *self);
/* What an op with these inputs waits for where @controller is innermost; appended to @controls. */
void     _flow_builder_take_controls  (const FlowController *controller,
                                       const GArray     *inputs,
                                       GArray           *controls);

/* Contexts. What makes nodes does so by a FlowGradient, whose error ends what follows. */
FlowContext *_flow_context_new        (FlowBuilder      *self,
                                       const char       *name,
                                       gboolean          is_while);
void     _flow_context_free           (FlowContext      *self);
void     _flow_context_enter          (FlowBuilder      *self,
                                       FlowContext      *context);
void     _flow_context_exit           (FlowBuilder      *self,
                                       FlowContext      *context);
FlowContext *_flow_context_get_while  (FlowContext      *self);
gboolean _flow_context_contains       (FlowContext      *self,
                                       FlowContext      *other);
void     _flow_context_note           (FlowContext      *self,
                                       FlowEndpoint      output);
gboolean _flow_context_knows          (FlowContext      *self,
                                       FlowEndpoint      output);
void     _flow_context_set_external   (FlowContext      *self,
                                       FlowEndpoint      output,
                                       FlowEndpoint      inside);
FlowEndpoint _flow_context_get_external (FlowContext    *self,
                                       FlowEndpoint      output);
FlowEndpoint _flow_context_get_control_pivot (FlowContext *self);
FlowEndpoint _flow_context_add_value  (FlowContext      *self,
                                       FlowGradient     *g,
                                       FlowEndpoint      value);
void     _flow_context_add_op         (FlowContext      *self,
                                       FlowGradient     *g,
                                       guint32           node);
void     _flow_context_fix_enter      (FlowContext      *self,
                                       FlowBuilder      *builder,
                                       guint32           enter);
FlowContext *_flow_builder_output_context (FlowBuilder  *self,
                                       guint32           node);
void _flow_surroundings_clear (gpointer data);
GArray *_flow_builder_new_frames (void);
GHashTable *_flow_builder_new_threads (void);

/* Whether the op being made may read @input where it is made now. */
gboolean _flow_builder_check_context  (FlowBuilder      *self,
                                       const FlowBuildNode *node,
                                       guint32           input,
                                       GError          **error);
gboolean _flow_builder_is_type        (FlowBuilder      *self,
                                       guint32           node,
                                       guint             flag);
gboolean _flow_builder_is_constant_enter (FlowBuilder   *self,
                                       guint32           node);
FlowEndpoint _flow_builder_add_switch (FlowGradient     *g,
                                       FlowEndpoint      data,
                                       FlowEndpoint      pred,
                                       const char       *name,
                                       gboolean          colocate);
FlowEndpoint _flow_builder_add_merge  (FlowGradient     *g,
                                       FlowEndpoint      first,
                                       FlowEndpoint      second,
                                       const char       *name);
FlowEndpoint _flow_builder_add_enter  (FlowGradient     *g,
                                       FlowContext      *context,
                                       FlowEndpoint      data,
                                       gboolean          is_constant,
                                       gboolean          keep_shape,
                                       const char       *name);
FlowEndpoint _flow_builder_add_exit   (FlowGradient     *g,
                                       FlowEndpoint      data,
                                       const char       *name);
FlowEndpoint _flow_builder_add_next   (FlowGradient     *g,
                                       FlowEndpoint      data);

/* Gradients of loops. */
FlowGradLoop *_flow_grad_loop_new     (FlowGradient     *g,
                                       FlowContext      *forward,
                                       FlowGradLoop     *outer);
void     _flow_grad_loop_free         (FlowGradLoop     *self);
FlowEndpoint _flow_grad_loop_get_real (FlowGradLoop     *self,
                                       FlowGradient     *g,
                                       FlowEndpoint      value);
FlowEndpoint _flow_grad_loop_push     (FlowGradLoop     *self,
                                       FlowGradient     *g,
                                       FlowEndpoint      value,
                                       gboolean          is_dead_branch);
FlowEndpoint _flow_grad_loop_pop      (FlowGradLoop     *self,
                                       FlowGradient     *g,
                                       FlowEndpoint      history,
                                       FlowEndpoint      value,
                                       gboolean          is_dead_branch);
gboolean _flow_grad_loop_recall       (FlowGradLoop     *self,
                                       FlowEndpoint      value,
                                       FlowEndpoint     *real);
void     _flow_grad_loop_remember     (FlowGradLoop     *self,
                                       FlowEndpoint      value,
                                       FlowEndpoint      real);
/* A Merge whose second input never came: the value of one iteration says nothing of the next. */
void     _flow_grad_loop_finish       (FlowGradLoop     *self,
                                       FlowGradient     *g);
/* Zeros of a known shape: a constant where it is small. */
FlowEndpoint _flow_builder_add_zeros  (FlowGradient     *g,
                                       const FlowShape  *shape,
                                       int               dtype);
FlowEndpoint _flow_builder_add_filled (FlowGradient     *g,
                                       const FlowShape  *shape,
                                       int               dtype,
                                       const char       *name);
/* The rule of an op of @source for a gradient made in @self; NULL for an op that has none, an error where nobody knows. */
gboolean _flow_builder_find_rule      (FlowBuilder      *self,
                                       FlowBuilder      *source,
                                       guint32           index,
                                       FlowGradientFunc *rule,
                                       GError          **error);
/* A rule of the caller's; %FALSE where it has none of that name. */
gboolean _flow_builder_find_given_rule (FlowBuilder     *self,
                                       const char       *type,
                                       FlowGradientFunc *rule);
/* A node was changed after it was made. */
char    *_flow_builder_shape_text     (const FlowShape  *shape);
void     _flow_builder_touch          (FlowBuilder      *self,
                                       guint32           node);
void     _flow_builder_note_consumer  (FlowBuilder      *self,
                                       guint32           node,
                                       guint32           consumer);
/* Whose node that is, and its index there. */
FlowBuilder *_flow_builder_owner_of   (FlowBuilder      *self,
                                       guint32          *node);
/* What stands in this graph for an output of another. */
gboolean _flow_builder_capture        (FlowBuilder      *self,
                                       FlowEndpoint      at,
                                       FlowEndpoint     *inside,
                                       GError          **error);
/* TF: zeros for a variable of which nothing is known are floats. */
static inline int
_flow_builder_handle_dtype (const FlowBuildNode *node,
                            gint32               slot)
{
  return node->handles[slot].dtype != FLOW_DTYPE_INVALID ? node->handles[slot].dtype : FLOW_DTYPE_FLOAT;
}

/* The rule of Switch, Merge, Enter, Exit and their like; %FALSE for other types. */
gboolean _flow_builder_find_flow_rule (const char       *type,
                                       FlowGradientFunc *rule);
/* The rule of a node of @source that calls a function of its graph's library; %FALSE for others. TF: what comes back to
 * such a node comes back to all of its outputs, zeros to those that nothing came back to. */
gboolean _flow_builder_find_call_rule (FlowBuilder      *source,
                                       guint32           node,
                                       FlowGradientFunc *rule);
gboolean _flow_builder_is_call_rule   (FlowGradientFunc  rule);
gboolean _flow_builder_is_loop_switch (FlowBuilder      *self,
                                       guint32           node);
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
/* Marks of compilation that gradients of @node get; how often flow_builder_leave() has to be called behind them. */
guint    _flow_builder_enter_compiled (FlowBuilder         *self,
                                       const FlowBuildNode *node,
                                       const char          *scope);

G_END_DECLS
