/* flow-kernel.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-infer.h"
#include "flow-op-def.h"
#include "flow-resource.h"
#include "flow-variable.h"

G_BEGIN_DECLS

FLOW_API void flow_kernels_register (void);

#ifndef __GI_SCANNER__

/**
 * FlowValue: (skip)
 *
 * What stands in a slot: a tensor, or for reference dtypes the variable. Neither: dead, or not set.
 * A kernel sees and sets one of the two.
 */
typedef struct {
  FlowTensor *tensor;
  FlowVariable *ref;
  guint64 buffer;              /* the executor's, where both are there: which buffer of @ref was read */
} FlowValue;

typedef enum {
  FLOW_PATH_READ,
  FLOW_PATH_WRITE,
} FlowPathAccess;

/* How a kernel's own call of a function is made ready: in one that may run on several devices (those of datasets)
 * control flow is lowered, so that errors do not name the ops that it was; in one on one device it is not. What is
 * lowered executes although nothing reads it, but in functions that an optimizer has gone through before. */
typedef enum {
  FLOW_CALL_ON_ONE_DEVICE,
  FLOW_CALL_ON_DEVICES,
  FLOW_CALL_OPTIMIZED,
} FlowCallPlace;

/**
 * FlowKernelHost: (skip)
 *
 * What a kernel may ask of whoever runs it; the session fills it. A kernel has no other way to state,
 * files, functions or people. `data` is the host's own.
 */
typedef struct {
  /* A new reference, or NULL with NOT_FOUND in TensorFlow's words. A resource of another class under
   * that name is not found either. */
  FlowResource *(*lookup)        (gpointer data, const char *container, const char *name,
                                  const FlowResourceClass *klass, GError **error);
  /* Puts @resource under its container and name; ALREADY_EXISTS if taken. Undoable. */
  gboolean      (*publish)       (gpointer data, FlowResource *resource, GError **error);
  gboolean      (*remove)        (gpointer data, FlowResource *resource, GError **error);
  /* Before every write: the host saves the state for undo. */
  void          (*will_write)    (gpointer data, FlowResource *resource);
  /* After every write: version rises, what waits is looked at again. */
  void          (*wrote)         (gpointer data, FlowResource *resource);
  /* The container of what lives only as long as this run (tensor arrays, stacks). */
  const char   *(*step_container)(gpointer data);
  /* Two words for a generator whose graph leaves its seed open; recorded, so that a replay draws the same. */
  void          (*draw_seed)     (gpointer data, const char *node_name, guint64 seed[2]);
  gboolean      (*call_function) (gpointer data, const char *name, FlowAttrList *attrs, FlowCallPlace place,
                                  FlowTensor *const *inputs, guint n_inputs,
                                  FlowTensor **outputs, guint n_outputs, GError **error);
  /* Whether the library has it. NULL: unknown. */
  gboolean      (*has_function)  (gpointer data, const char *name);
  /* How many values it returns; -1: the library has none of that name. NULL: unknown. */
  int           (*count_returns) (gpointer data, const char *name);
  /* The first op in it, or in what it calls, whose results hang on more than its inputs; NULL: there is none. */
  const char   *(*find_stateful) (gpointer data, const char *name);
  /* The absolute path to use, or NULL with PERMISSION_DENIED: relative names are relative to the run
   * file's folder; only allowed folders may be touched, also through links. */
  char         *(*resolve_path)  (gpointer data, const char *path, FlowPathAccess access, GError **error);
  /* @stream as PrintV2's output_stream names it. */
  void          (*print)         (gpointer data, const char *stream, const char *text);
  /* Functions of the script that made the graph (PyFunc): whether anybody can run them, and one call,
   * which gives the tensors that came back. NULL: nobody. */
  gboolean      (*has_script)    (gpointer data);
  GPtrArray    *(*call_script)   (gpointer data, FlowKernelContext *c, const char *token, GError **error);
} FlowKernelHost;

/**
 * FlowKernelTurn: (skip)
 *
 * One turn of an op that calls functions. The executor runs the function that the kernel names and asks the
 * kernel again with what came back; a kernel that names none sets its outputs and is done.
 */
typedef struct {
  guint64 number;              /* how many calls are done */
  FlowTensor **returned;       /* what the last gave */
  guint n_returned;
  FlowTensor **held;           /* what the kernel kept at the turn before */
  guint n_held;
  /* Set by the kernel; owned by the executor. */
  FlowAttr *func;
  char *label;                 /* begins the names of the body's nodes, after the op's own; may be empty */
  gint64 iteration;
  gboolean is_gradient;        /* not the function, its gradient */
  gboolean is_on_devices;      /* whether messages of the body's errors name the function, as of one on several devices */
  FlowTensor **args;
  guint n_args;
  FlowTensor **hold;
  guint n_hold;
} FlowKernelTurn;

/**
 * FlowRelease: (skip)
 * @FLOW_RELEASE_1: 1.15, which also stands for graphs whose writer is not known
 * @FLOW_RELEASE_2: 2.x
 *
 * The TensorFlow that a graph's values are computed as: the last bits of floats differ.
 */
typedef enum {
  FLOW_RELEASE_1,
  FLOW_RELEASE_2,
  FLOW_N_RELEASES,
} FlowRelease;

struct _FlowKernelConstruction
{
  const char *node_name;
  const FlowOpSignature *signature;
  FlowAttrList *attrs;
  guint n_inputs;
  const int *input_dtypes;
  guint n_outputs;
  const int *output_dtypes;
};

/**
 * FlowKernelContext: (skip)
 *
 * One execution of one node.
 */
struct _FlowKernelContext
{
  /*< private >*/
  const char *node_name;       /* by which the node keeps its state */
  const char *local_name;      /* as its function has it; NULL: the same */
  const FlowOpSignature *signature;
  FlowAttrList *attrs;
  gpointer kernel_data;        /* what .construct gave */
  guint n_inputs;
  FlowValue *inputs;
  guint8 *input_forwardable;   /* nullable: 1 where the executor gives this input away (last use) */
  guint n_outputs;
  FlowValue *outputs;
  const int *output_dtypes;
  FlowShape **output_shapes;   /* what .infer said on the concrete shapes; entries may be partly known */
  FlowBudget *budget;
  GCancellable *cancellable;
  const FlowKernelHost *host;
  gpointer host_data;
  FlowResource *waiting_for;   /* set by flow_kernel_wait() */
  char *waiting_text;
  FlowKernelTurn *turn;        /* of ops that call functions; NULL where none can be called */
  gboolean by_reciprocal;      /* of a division: its divisor is a constant whose reciprocal the session multiplies by */
  gboolean is_unread;          /* no op reads an output's value */
  int producer;                /* GraphDef version of who wrote the graph, 0 unknown: last bits changed */
};

/* Inputs. Tensors are borrowed. */
FLOW_API FlowTensor   *flow_kernel_input           (FlowKernelContext *c, guint i);
FLOW_API FlowVariable *flow_kernel_input_ref       (FlowKernelContext *c, guint i);
FLOW_API gboolean      flow_kernel_has_input       (FlowKernelContext *c, guint i);

FLOW_API FlowRelease   flow_kernel_release         (const FlowKernelContext *c);
FLOW_API const char   *flow_kernel_get_name        (const FlowKernelContext *c);

/* Attrs, with the definition's default where the node has none. */
FLOW_API FlowAttr     *flow_kernel_attr            (FlowKernelContext *c, const char *name);
FLOW_API gint64        flow_kernel_attr_int        (FlowKernelContext *c, const char *name);
FLOW_API float         flow_kernel_attr_float      (FlowKernelContext *c, const char *name);
FLOW_API gboolean      flow_kernel_attr_bool       (FlowKernelContext *c, const char *name);
FLOW_API int           flow_kernel_attr_dtype      (FlowKernelContext *c, const char *name);
FLOW_API const char   *flow_kernel_attr_string     (FlowKernelContext *c, const char *name);
FLOW_API FlowAttr     *flow_construction_attr      (FlowKernelConstruction *c, const char *name);

static inline gpointer
flow_kernel_data (FlowKernelContext *c)
{
  return c->kernel_data;
}

/* Outputs. The dtype is the node's. allocate gives a borrowed, writable tensor already in place. */
FLOW_API FlowTensor *flow_kernel_allocate          (FlowKernelContext *c, guint i, const FlowShape *shape,
                                                    GError **error);
/* The shape that .infer found; fails if it is not fully known. */
FLOW_API FlowTensor *flow_kernel_allocate_inferred (FlowKernelContext *c, guint i, GError **error);
/* Input @input itself where it may be written over (its last use, same dtype and element count, not
 * borrowed memory), else a new tensor. Element-wise kernels only: read cell, then write cell. */
FLOW_API FlowTensor *flow_kernel_forward_or_allocate (FlowKernelContext *c, guint input, guint output,
                                                    const FlowShape *shape, GError **error);
FLOW_API FlowTensor *flow_kernel_allocate_temp     (FlowKernelContext *c, FlowDType dtype, const FlowShape *shape,
                                                    GError **error);
FLOW_API void        flow_kernel_take_output       (FlowKernelContext *c, guint i, FlowTensor *tensor);
FLOW_API void        flow_kernel_set_output        (FlowKernelContext *c, guint i, const FlowTensor *tensor);
FLOW_API void        flow_kernel_set_output_ref    (FlowKernelContext *c, guint i, FlowVariable *variable);

/* Resources. */
FLOW_API gpointer    flow_kernel_lookup            (FlowKernelContext *c, const char *container, const char *name,
                                                    const FlowResourceClass *klass, GError **error);
/* The resource that the handle in input @i names. */
FLOW_API gpointer    flow_kernel_lookup_handle     (FlowKernelContext *c, guint i, const FlowResourceClass *klass,
                                                    GError **error);
FLOW_API gboolean    flow_kernel_publish           (FlowKernelContext *c, gpointer resource, GError **error);
FLOW_API gboolean    flow_kernel_remove            (FlowKernelContext *c, gpointer resource, GError **error);
FLOW_API void        flow_kernel_will_write        (FlowKernelContext *c, gpointer resource);
FLOW_API void        flow_kernel_wrote             (FlowKernelContext *c, gpointer resource);
/* State that belongs to this node in this session: (container "", the node's name). @make is called
 * at the first execution. A new reference. */
FLOW_API gpointer    flow_kernel_node_state        (FlowKernelContext *c, const FlowResourceClass *klass,
                                                    gpointer (*make) (FlowKernelContext *c, GError **error),
                                                    GError **error);

/* Runs a function of the library whole, within this execution: @func names it (an attr of kind func), outputs
 * are new references. What it writes is undone with this op. */
FLOW_API gboolean    flow_kernel_call_function     (FlowKernelContext *c, const FlowAttr *func,
                                                    FlowTensor *const *inputs, guint n_inputs,
                                                    FlowTensor **outputs, guint n_outputs, GError **error);

/* Whether the function that @func names is in the library; TRUE where nobody knows. */
FLOW_API gboolean    flow_kernel_has_function      (FlowKernelContext *c, const FlowAttr *func);
/* How many values it returns; FALSE with NOT_FOUND where the library has no such function. */
FLOW_API gboolean    flow_kernel_count_returns     (FlowKernelContext *c, const FlowAttr *func, guint *n, GError **error);

/* Ops that call functions of the library step by step (%FLOW_OP_FUNCTION). A kernel says what to call and returns
 * TRUE without outputs; it is asked again when the function is done. Values are borrowed; what is kept with
 * hold is there at the next turn. */
FLOW_API guint64     flow_kernel_get_turn          (FlowKernelContext *c);
FLOW_API FlowTensor *const *flow_kernel_get_returned (FlowKernelContext *c, guint *n);
FLOW_API FlowTensor *const *flow_kernel_get_held   (FlowKernelContext *c, guint *n);
FLOW_API void        flow_kernel_hold              (FlowKernelContext *c, FlowTensor *const *values, guint n);
FLOW_API void        flow_kernel_call              (FlowKernelContext *c, const FlowAttr *func, const char *label,
                                                    gint64 iteration, FlowTensor *const *args, guint n_args);
FLOW_API void        flow_kernel_call_gradient     (FlowKernelContext *c, const FlowAttr *func, const char *label,
                                                    FlowTensor *const *args, guint n_args);
FLOW_API void        flow_kernel_turn_clear        (FlowKernelTurn *turn);
/* The kernel of nodes whose op type is a function's name. */
extern FLOW_API const FlowKernelDef flow_kernel_of_functions;

/* An op that must wait says for what and returns the result of this (TRUE, no outputs set): it is
 * parked and computed again from the start once @resource was written. */
FLOW_API gboolean    flow_kernel_wait              (FlowKernelContext *c, gpointer resource,
                                                    const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Where the file of that name lies; an empty name is no file. */
FLOW_API char       *flow_kernel_find_file         (FlowKernelContext *c, const char *name, FlowPathAccess access,
                                                    GError **error);
FLOW_API gboolean    flow_kernel_is_cancelled      (FlowKernelContext *c);

/* A shape from the values of a 1-D int32 or int64 tensor, in TensorFlow's MakeShape words; the one
 * place where values become a shape. */
FLOW_API FlowShape  *flow_kernel_shape_from_tensor (const FlowTensor *tensor, GError **error);
/* Axis in [-rank, rank) to [0, rank); FALSE when outside (the caller has the op's words). */
static inline gboolean
flow_canonical_axis (gint64  axis,
                     int     rank,
                     int    *out)
{
  if (axis < -(gint64) rank || axis >= rank)
    return FALSE;
  *out = (int) (axis < 0 ? axis + rank : axis);
  return TRUE;
}

/* Bottom of each family file: FLOW_DEFINE_OP_FAMILY (math_unary, ops) */
#define FLOW_DEFINE_OP_FAMILY(family, table)                                           \
  const FlowOpDef *flow_op_family_##family (guint *n_ops);                             \
  const FlowOpDef *flow_op_family_##family (guint *n_ops)                              \
  {                                                                                    \
    *n_ops = G_N_ELEMENTS (table);                                                     \
    return table;                                                                      \
  }

#endif /* __GI_SCANNER__ */

G_END_DECLS
