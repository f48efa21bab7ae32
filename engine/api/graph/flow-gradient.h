/* flow-gradient.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-graph.h"

G_BEGIN_DECLS

#ifndef __GI_SCANNER__

typedef struct _FlowGradient FlowGradient;
typedef void (*FlowGradientFunc) (FlowGradient *g);

/**
 * FlowNodeMaker: (skip)
 *
 * What a rule needs to make nodes: filled by the builder, and by whoever else differentiates. Names are
 * made unique in the current scope. @memo lives as long as the graph: rules note in it what is made once.
 */
typedef struct {
  gpointer self;
  gboolean (*add) (gpointer self, const char *type, const char *name, const FlowEndpoint *inputs, guint n_inputs,
                   FlowAttrList *attrs, guint32 *node, GError **error);
  gboolean (*add_constant) (gpointer self, const FlowTensor *value, const FlowShape *shape, const char *name, guint32 *node,
                            GError **error);
  gboolean (*enter_scope) (gpointer self, const char *name, GError **error);
  const char *(*get_scope) (gpointer self);
  void (*enter_control) (gpointer self, const guint32 *nodes, guint n_nodes);
  void (*enter_colocation) (gpointer self, guint32 node, gboolean ignore_existing);
  gboolean (*enter_device) (gpointer self, const char *device, GError **error);
  void (*leave) (gpointer self);
  const char *(*get_name) (gpointer self, guint32 node);
  const char *(*get_type) (gpointer self, guint32 node);
  const char *(*get_device) (gpointer self, guint32 node);
  FlowAttr *(*get_attr) (gpointer self, guint32 node, const char *name);
  guint (*get_n_inputs) (gpointer self, guint32 node);
  FlowEndpoint (*get_input) (gpointer self, guint32 node, guint i);
  guint (*get_n_outputs) (gpointer self, guint32 node);
  int (*get_dtype) (gpointer self, FlowEndpoint output);
  FlowShape *(*get_shape) (gpointer self, FlowEndpoint output);
  FlowTensor *(*get_value) (gpointer self, FlowEndpoint output);   /* borrowed, nullable */
  gboolean (*is_beside) (gpointer self, guint32 node, guint32 other);   /* in one control-flow context */
  guint32 (*get_n_nodes) (gpointer self);
  gboolean (*find_rule) (gpointer self, guint32 node, FlowGradientFunc *rule, GError **error);   /* NULL: no gradient */
  GHashTable *memo;                                                /* char * -> gpointer, owned keys */
} FlowNodeMaker;

/* A gradient: nothing, an output, or rows (values at indices of a tensor of dense_shape). */
typedef struct {
  FlowEndpoint values;         /* node FLOW_NODE_NONE: nothing */
  FlowEndpoint indices;        /* node FLOW_NODE_NONE: dense */
  FlowEndpoint dense_shape;
} FlowGrad;

#define FLOW_NO_ENDPOINT ((FlowEndpoint) { FLOW_NODE_NONE, 0 })
#define FLOW_NO_GRAD ((FlowGrad) { FLOW_NO_ENDPOINT, FLOW_NO_ENDPOINT, FLOW_NO_ENDPOINT })

/**
 * FlowGradient: (skip)
 *
 * One call of a rule: the op, the gradients of its outputs, and room for those of its inputs. A step that
 * fails sets @error; the steps after it do nothing, so that a rule need not look.
 */
struct _FlowGradient
{
  FlowNodeMaker *maker;
  guint32 node;
  guint n_inputs;
  guint n_outputs;
  const FlowGrad *out_grads;
  FlowGrad *in_grads;
  guint skipped;               /* a bit for each input whose gradient nobody reads: rules may leave it out */
  GError *error;
};

/* What the shape of a variable's declaration is noted under in FlowNodeMaker.memo, by its node. */
#define FLOW_GRADIENT_VARIABLE_KEY "variable %u"

/* A row of a rule table: the op types it serves, divided by blanks; without a rule these have no gradient. */
typedef struct {
  const char *types;
  FlowGradientFunc rule;
} FlowGradientDef;

FLOW_API void             flow_gradient_registry_add    (const FlowGradientDef *defs,
                                                         guint                  n_defs);
FLOW_API gboolean         flow_gradient_registry_lookup (const char            *type,
                                                         FlowGradientFunc      *rule);

/* What rules are written in. Inputs of an op that were not made (after an error) make it fail quietly. */
FLOW_API FlowEndpoint flow_gradient_x         (FlowGradient *g, guint i);
FLOW_API FlowEndpoint flow_gradient_y         (FlowGradient *g, guint i);
FLOW_API FlowEndpoint flow_gradient_dy        (FlowGradient *g, guint i);
FLOW_API gboolean     flow_gradient_is_rows   (FlowGradient *g, FlowEndpoint x);
FLOW_API FlowEndpoint flow_gradient_densify   (FlowGradient *g, FlowGrad rows, const char *name);
FLOW_API FlowEndpoint flow_gradient_dense     (FlowGradient *g, FlowEndpoint x, const char *name);
FLOW_API void         flow_gradient_set       (FlowGradient *g, guint i, FlowEndpoint value);
FLOW_API void         flow_gradient_set_rows  (FlowGradient *g, guint i, FlowEndpoint values, FlowEndpoint indices,
                                               FlowEndpoint dense_shape);
FLOW_API FlowEndpoint flow_gradient_add       (FlowGradient *g, const char *type, const char *name, FlowAttrList *attrs,
                                               guint n_inputs, const FlowEndpoint *inputs);
FLOW_API FlowEndpoint flow_gradient_close     (FlowGradient *g, const char *type, FlowAttrList *attrs, guint n_inputs,
                                               const FlowEndpoint *inputs);
FLOW_API void         flow_gradient_open      (FlowGradient *g, const char *name);
FLOW_API void         flow_gradient_leave     (FlowGradient *g);
FLOW_API void         flow_gradient_after     (FlowGradient *g, FlowEndpoint output);
FLOW_API void         flow_gradient_with      (FlowGradient *g, FlowEndpoint output);
FLOW_API void         flow_gradient_enter_device (FlowGradient *g, const char *device);
FLOW_API void         flow_gradient_put_number (FlowTensor *tensor, gint64 i, double value);
FLOW_API FlowEndpoint flow_gradient_number    (FlowGradient *g, const char *name, int dtype, double value);
FLOW_API FlowEndpoint flow_gradient_ints      (FlowGradient *g, const char *name, int dtype, const gint64 *values, guint n);
FLOW_API FlowEndpoint flow_gradient_shape     (FlowGradient *g, FlowEndpoint x, const char *name, int dtype, gboolean fold);
FLOW_API FlowEndpoint flow_gradient_size      (FlowGradient *g, FlowEndpoint x);
FLOW_API FlowEndpoint flow_gradient_rank      (FlowGradient *g, FlowEndpoint x);
FLOW_API FlowEndpoint flow_gradient_zeros     (FlowGradient *g, FlowEndpoint shape, int dtype);
FLOW_API FlowEndpoint flow_gradient_filled    (FlowGradient *g, const char *name, const gint64 *dims, guint n_dims, int dtype,
                                               double value);
FLOW_API FlowEndpoint flow_gradient_zeros_like (FlowGradient *g, FlowEndpoint x, gboolean fold);
FLOW_API FlowEndpoint flow_gradient_range     (FlowGradient *g, FlowEndpoint limit);
FLOW_API FlowEndpoint flow_gradient_cast      (FlowGradient *g, FlowEndpoint x, int dtype);
FLOW_API int          flow_gradient_dtype     (FlowGradient *g, FlowEndpoint x);
FLOW_API FlowShape   *flow_gradient_get_shape (FlowGradient *g, FlowEndpoint x);
FLOW_API gboolean     flow_gradient_is_known  (FlowGradient *g, FlowEndpoint x);
FLOW_API FlowAttr    *flow_gradient_attr      (FlowGradient *g, const char *name);
FLOW_API const char  *flow_gradient_type      (FlowGradient *g);
FLOW_API FlowAttrList *flow_gradient_copy_attrs (FlowGradient *g, const char *names);
FLOW_API gboolean     flow_gradient_first_time (FlowGradient *g, char *key);
FLOW_API void         flow_gradient_follow_tape (FlowGradient *g, guint32 first, const FlowEndpoint *watched,
                                                 guint n_watched, const FlowEndpoint *targets,
                                                 const FlowEndpoint *out_grads, guint n_targets, const guint *order,
                                                 const FlowEndpoint *sources, guint n_sources, FlowEndpoint *results);

#define FLOW_GRADIENT_OP(g, type, name, ...)                                                  \
  flow_gradient_add (g, type, name, NULL, sizeof ((FlowEndpoint[]) { __VA_ARGS__ }) / sizeof (FlowEndpoint), \
                     (FlowEndpoint[]) { __VA_ARGS__ })
#define FLOW_GRADIENT_OP_ATTRS(g, type, name, attrs, ...)                                     \
  flow_gradient_add (g, type, name, attrs, sizeof ((FlowEndpoint[]) { __VA_ARGS__ }) / sizeof (FlowEndpoint), \
                     (FlowEndpoint[]) { __VA_ARGS__ })
#define FLOW_GRADIENT_CLOSE(g, type, ...)                                                     \
  flow_gradient_close (g, type, NULL, sizeof ((FlowEndpoint[]) { __VA_ARGS__ }) / sizeof (FlowEndpoint), \
                       (FlowEndpoint[]) { __VA_ARGS__ })

#endif /* __GI_SCANNER__ */

G_END_DECLS
