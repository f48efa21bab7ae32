/* flow-infer.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-op-def.h"

G_BEGIN_DECLS

#ifndef __GI_SCANNER__

/* dtype and shape of what a resource input or output holds (a variable's, a queue's component 0). */
typedef struct {
  int dtype;
  FlowShape *shape;            /* nullable: unknown */
} FlowHandleData;

/**
 * FlowInferContext: (skip)
 *
 * What a shape function sees. All shapes are borrowed by the reader; setters take a reference.
 * @input_values hold an input's tensor where it is constant (or known, at run time), else NULL;
 * @input_as_shape holds the partly known list of numbers that an input's *value* is, else NULL.
 */
struct _FlowInferContext
{
  /*< private >*/
  const char *node_name;
  const FlowOpSignature *signature;
  FlowAttrList *attrs;         /* with the definition's defaults filled in */
  guint n_inputs;
  FlowShape **input_shapes;
  FlowTensor **input_values;   /* array or NULL, entries nullable */
  FlowShape **input_as_shape;  /* array or NULL, entries nullable */
  /* Where values are found on demand (while a graph is imported); both borrowed, both nullable. */
  FlowTensor *(*find_value) (gpointer finder, guint input);
  FlowShape *(*find_value_list) (gpointer finder, guint input);
  gpointer finder;
  FlowHandleData *input_handles; /* array or NULL */
  guint n_outputs;
  FlowShape **output_shapes;   /* entries NULL until set */
  FlowHandleData *output_handles;
  int producer;                /* GraphDef version of who wrote the graph, 0 unknown: some rules changed */
  gboolean needs_values;       /* out: set when a value was asked for that is not known */
  gboolean running;            /* concrete shapes, before compute: use the words of TensorFlow's kernel */
};

FLOW_API FlowShape  *flow_infer_input            (FlowInferContext  *c,
                                                  guint              i);
FLOW_API FlowTensor *flow_infer_input_value      (FlowInferContext  *c,
                                                  guint              i);
/* The shape that the value of input @i spells: from its constant, or from partial evaluation
 * (Shape, Pack, ConcatV2, StridedSlice of a shape). -1 entries are unknown. Owned by the caller. */
FLOW_API gboolean    flow_infer_shape_from_value (FlowInferContext  *c,
                                                  guint              i,
                                                  FlowShape        **out,
                                                  GError           **error);
/* The value of integer input @i, a vector or a scalar (one entry), as far as it is known: -1 stands for
 * an entry that is not. NULL when not even the length is known. Borrowed. */
FLOW_API FlowShape  *flow_infer_value_list       (FlowInferContext  *c,
                                                  guint              i);
/* Scalar int32/int64 value of input @i when known. */
FLOW_API gboolean    flow_infer_scalar_value     (FlowInferContext  *c,
                                                  guint              i,
                                                  gint64            *value);
/* Takes ownership of @shape. */
FLOW_API void        flow_infer_take_output      (FlowInferContext  *c,
                                                  guint              i,
                                                  FlowShape         *shape);
FLOW_API void        flow_infer_set_output       (FlowInferContext  *c,
                                                  guint              i,
                                                  const FlowShape   *shape);
FLOW_API void        flow_infer_set_handle       (FlowInferContext  *c,
                                                  guint              i,
                                                  int                dtype,
                                                  const FlowShape   *shape);

/* Attrs by name; the definition's default where the node has none. The wrong kind cannot occur:
 * import and construction have checked it. */
FLOW_API FlowAttr   *flow_infer_attr             (FlowInferContext  *c,
                                                  const char        *name);
FLOW_API gint64      flow_infer_attr_int         (FlowInferContext  *c,
                                                  const char        *name);
FLOW_API float       flow_infer_attr_float       (FlowInferContext  *c,
                                                  const char        *name);
FLOW_API gboolean    flow_infer_attr_bool        (FlowInferContext  *c,
                                                  const char        *name);
FLOW_API int         flow_infer_attr_dtype       (FlowInferContext  *c,
                                                  const char        *name);
FLOW_API const char *flow_infer_attr_string      (FlowInferContext  *c,
                                                  const char        *name);
FLOW_API FlowShape  *flow_infer_attr_shape       (FlowInferContext  *c,
                                                  const char        *name);

/* Helpers under TensorFlow's names. Those with an out shape give a new reference and fail with
 * TensorFlow's words ("Shape must be rank 2 but is rank 1"). */
FLOW_API gboolean    flow_infer_with_rank          (FlowInferContext *c, const FlowShape *shape, int rank,
                                                    FlowShape **out, GError **error);
FLOW_API gboolean    flow_infer_with_rank_at_least (FlowInferContext *c, const FlowShape *shape, int rank,
                                                    FlowShape **out, GError **error);
FLOW_API gboolean    flow_infer_with_rank_at_most  (FlowInferContext *c, const FlowShape *shape, int rank,
                                                    FlowShape **out, GError **error);
FLOW_API gboolean    flow_infer_merge              (FlowInferContext *c, const FlowShape *a, const FlowShape *b,
                                                    FlowShape **out, GError **error);
FLOW_API gboolean    flow_infer_merge_dim          (FlowInferContext *c, gint64 a, gint64 b, gint64 *out,
                                                    GError **error);
FLOW_API gboolean    flow_infer_concatenate        (FlowInferContext *c, const FlowShape *a, const FlowShape *b,
                                                    FlowShape **out, GError **error);
FLOW_API gboolean    flow_infer_subshape           (FlowInferContext *c, const FlowShape *shape, int begin, int end,
                                                    FlowShape **out, GError **error);
FLOW_API gboolean    flow_infer_broadcast          (FlowInferContext *c, const FlowShape *a, const FlowShape *b,
                                                    FlowShape **out, GError **error);

/* Ready-made shape functions. */
FLOW_API gboolean    flow_infer_unchanged_shape    (FlowInferContext *c, GError **error);
FLOW_API gboolean    flow_infer_scalar_shape       (FlowInferContext *c, GError **error);
FLOW_API gboolean    flow_infer_unknown_shape      (FlowInferContext *c, GError **error);
FLOW_API gboolean    flow_infer_no_outputs         (FlowInferContext *c, GError **error);
FLOW_API gboolean    flow_infer_broadcast_binary   (FlowInferContext *c, GError **error);
FLOW_API gboolean    flow_infer_explicit_shape     (FlowInferContext *c, GError **error);

#endif /* __GI_SCANNER__ */

G_END_DECLS
