/* flow-op-def.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-attr.h"

G_BEGIN_DECLS

typedef struct _FlowInferContext FlowInferContext;
typedef struct _FlowKernelContext FlowKernelContext;
typedef struct _FlowKernelConstruction FlowKernelConstruction;
typedef struct _FlowOpDef FlowOpDef;
typedef struct _FlowKernelDef FlowKernelDef;

/**
 * FlowOpFlags:
 * @FLOW_OP_STATEFUL: as TensorFlow's `is_stateful`: never merged or folded, state kept per session and node
 * @FLOW_OP_COMMUTATIVE: as TensorFlow's `is_commutative`
 * @FLOW_OP_ALLOWS_UNINITIALIZED: a ref input may have no value yet
 * @FLOW_OP_OUTSIDE_EFFECT: touches what is outside the session (files, print, network, clock,
 *   callbacks): never done twice, its outputs are recorded
 * @FLOW_OP_AGGREGATE: as TensorFlow's `is_aggregate`
 * @FLOW_OP_SWITCH: Switch, RefSwitch: one output is dead
 * @FLOW_OP_MERGE: Merge, RefMerge: ready at the first live input
 * @FLOW_OP_ENTER: Enter, RefEnter
 * @FLOW_OP_EXIT: Exit, RefExit
 * @FLOW_OP_NEXT_ITERATION: NextIteration, RefNextIteration
 * @FLOW_OP_LOOP_COND: LoopCond
 * @FLOW_OP_CONTROL_TRIGGER: ControlTrigger: never dead
 * @FLOW_OP_FUNCTION: runs a function of the library: If, While, PartitionedCall, ...
 * @FLOW_OP_RANDOM: draws from a generator that an open seed leaves to the session
 * @FLOW_OP_PLACEHOLDER: Placeholder, PlaceholderV2: feeding it moves its control edges to the feed
 * @FLOW_OP_NOT_CONSTANT: not folded although stateless and fed by constants (PlaceholderWithDefault)
 *
 * What the executor and the debugger must know of an op beside its kernel.
 */
typedef enum {
  FLOW_OP_STATEFUL = 1 << 0,
  FLOW_OP_COMMUTATIVE = 1 << 1,
  FLOW_OP_ALLOWS_UNINITIALIZED = 1 << 2,
  FLOW_OP_OUTSIDE_EFFECT = 1 << 3,
  FLOW_OP_AGGREGATE = 1 << 4,
  FLOW_OP_SWITCH = 1 << 5,
  FLOW_OP_MERGE = 1 << 6,
  FLOW_OP_ENTER = 1 << 7,
  FLOW_OP_EXIT = 1 << 8,
  FLOW_OP_NEXT_ITERATION = 1 << 9,
  FLOW_OP_LOOP_COND = 1 << 10,
  FLOW_OP_CONTROL_TRIGGER = 1 << 11,
  FLOW_OP_FUNCTION = 1 << 12,
  FLOW_OP_RANDOM = 1 << 13,
  FLOW_OP_PLACEHOLDER = 1 << 14,
  FLOW_OP_NOT_CONSTANT = 1 << 15,
} FlowOpFlags;

/**
 * FlowOpFamily:
 *
 * The families that the canvas tells apart by stripe and icon (canvas, "Style").
 */
typedef enum {
  FLOW_OP_FAMILY_OTHER,   /* const, random, init, unknown */
  FLOW_OP_FAMILY_STATE,
  FLOW_OP_FAMILY_LINEAR,
  FLOW_OP_FAMILY_MATH,
  FLOW_OP_FAMILY_ARRAY,
  FLOW_OP_FAMILY_CONTROL,
  FLOW_OP_FAMILY_GRADIENT,
  FLOW_OP_FAMILY_IO,
} FlowOpFamily;

#ifndef __GI_SCANNER__

/* Shape function: sets every output of @c, or fails with TensorFlow's words. Run while a graph is
 * imported (dims may be unknown) and again by the executor on concrete shapes before compute. */
typedef gboolean (*FlowInferFunc)   (FlowInferContext        *c,
                                     GError                 **error);
/* Sets every output of @c; checks all values before it writes anything. */
typedef gboolean (*FlowComputeFunc) (FlowKernelContext       *c,
                                     GError                 **error);
/* Parses attrs once per session and node; the result is flow_kernel_data() of each compute and is
 * freed with .destruct. Never changes after construction: state belongs to resources. */
typedef gpointer (*FlowConstructFunc) (FlowKernelConstruction *c,
                                       GError                **error);
/* What is known of the *value* of integer output @i, as a list of numbers (-1 unknown; a scalar has one
 * entry), while a graph is imported: Shape, Pack, ConcatV2, StridedSlice and their like, so that shapes
 * made of shapes are inferred. A new reference, or NULL. */
typedef FlowShape *(*FlowValueListFunc) (FlowInferContext    *c,
                                       guint                  i);
/* Float operations of one execution, by tf.profiler's rule; -1 = not counted for these shapes. */
typedef gint64   (*FlowFlopsFunc)   (FlowInferContext        *c);

/**
 * FlowKernelDef: (skip)
 * @constraint: which dtypes it serves: `"T: float double; Tidx: int32 int64"`; attrs that are not
 *   named are free; %NULL serves all
 */
struct _FlowKernelDef
{
  const char *constraint;
  FlowComputeFunc compute;
  FlowConstructFunc construct;
  GDestroyNotify destruct;
};

/**
 * FlowOpDef: (skip)
 * @name: op type
 * @inputs: TensorFlow's own signature text, one argument a line or `;`: `"x: T; values: N * T; ref: Ref(T)"`
 * @outputs: likewise
 * @attrs: likewise: `"T: {float, double} = DT_FLOAT; N: int >= 1; transpose_a: bool = false"`
 * @summary: one line for people
 * @kernels: ends with an entry without compute; %NULL: known, but not run here
 */
struct _FlowOpDef
{
  const char *name;
  const char *inputs;
  const char *outputs;
  const char *attrs;
  const char *summary;
  guint flags;
  FlowOpFamily family;
  FlowInferFunc infer;
  const FlowKernelDef *kernels;
  FlowFlopsFunc flops;
  FlowValueListFunc value_list;
};

/* An argument and an attr of a definition, parsed once. */
typedef struct {
  char *name;
  int dtype;                   /* fixed, else FLOW_DTYPE_INVALID */
  const char *type_attr;       /* "T": one tensor of attr T (interned, nullable) */
  const char *number_attr;     /* "N * T" */
  const char *type_list_attr;  /* a list attr: one tensor per element */
  gboolean is_ref;
} FlowArgDef;

typedef struct {
  const char *name;            /* interned */
  FlowAttrKind kind;
  gboolean is_list;
  FlowAttr *default_value;     /* nullable */
  gboolean has_minimum;
  gint64 minimum;
  FlowDTypeSet allowed_types;  /* 0 = all */
  char **allowed_strings;      /* nullable */
} FlowAttrDef;

typedef struct {
  const FlowOpDef *op;         /* nullable: a definition inferred from a node or read from a file */
  char *name;
  guint flags;
  FlowOpFamily family;
  guint n_inputs;
  FlowArgDef *inputs;
  guint n_outputs;
  FlowArgDef *outputs;
  guint n_attrs;
  FlowAttrDef *attrs;
  gboolean is_guess;           /* of a type nobody defines: made from one node and its readers */
} FlowOpSignature;

FLOW_API gboolean               flow_op_registry_add     (const FlowOpDef        *ops,
                                                          guint                   n_ops,
                                                          GError                **error);
FLOW_API const FlowOpSignature *flow_op_registry_lookup  (const char             *type);
/* An op that we do not know, described by a file (MetaInfoDef's stripped_op_list) or guessed from a node. */
FLOW_API FlowOpSignature       *flow_op_signature_new    (const char             *type,
                                                          guint                   n_inputs,
                                                          guint                   n_outputs,
                                                          guint                   n_attrs);
FLOW_API void                   flow_op_signature_free   (FlowOpSignature        *self);
/* One call of a stateless kernel on constants, for shape inference; kernels/ fills it at registration. */
typedef gboolean (*FlowConstEvaluator) (const FlowOpSignature *signature, FlowAttrList *attrs, const char *node_name,
                                        FlowTensor *const *inputs, guint n_inputs, const int *output_dtypes,
                                        FlowTensor **outputs, guint n_outputs);
FLOW_API void                   flow_op_registry_set_evaluator (FlowConstEvaluator evaluator);
FLOW_API FlowConstEvaluator     flow_op_registry_get_evaluator (void);
FLOW_API FlowAttrDef           *flow_op_signature_find_attr (const FlowOpSignature *self,
                                                          const char             *name);
/* Attrs of a node against its definition: kinds, allowed values, minimum; and the number and dtypes
 * of inputs or outputs that follow: ints are appended to @dtypes. */
FLOW_API gboolean               flow_op_signature_check_attrs (const FlowOpSignature *self,
                                                          FlowAttrList           *attrs,
                                                          GError                **error);
FLOW_API gboolean               flow_op_signature_expand (const FlowOpSignature  *self,
                                                          const FlowArgDef       *args,
                                                          guint                   n_args,
                                                          FlowAttrList           *attrs,
                                                          GArray                 *dtypes,
                                                          GError                **error);
/* The kernel for these attrs, or NULL with TensorFlow's words "No OpKernel was registered to
 * support Op ...". */
FLOW_API const FlowKernelDef   *flow_op_find_kernel      (const FlowOpSignature  *self,
                                                          FlowAttrList           *attrs,
                                                          GError                **error);
/* Parses one kernel constraint into (attr, dtypes) pairs; used by coverage and by find_kernel. */
FLOW_API gboolean               flow_kernel_constraint_dtypes (const FlowKernelDef *kernel,
                                                          const char             *attr,
                                                          FlowDTypeSet           *dtypes);

#endif /* __GI_SCANNER__ */

FLOW_API char       **flow_op_registry_list_types (void);
FLOW_API gboolean     flow_op_registry_has_type   (const char *type);
FLOW_API gboolean     flow_op_registry_has_kernel (const char *type);
FLOW_API const char  *flow_op_registry_get_summary (const char *type);
FLOW_API char        *flow_op_registry_describe   (const char *type);
FLOW_API FlowOpFamily flow_op_registry_get_family (const char *type);
FLOW_API guint        flow_op_registry_get_flags  (const char *type);

G_END_DECLS
