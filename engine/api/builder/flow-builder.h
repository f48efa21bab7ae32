/* flow-builder.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-graph.h"

G_BEGIN_DECLS

/**
 * FlowGradientFlags:
 * @FLOW_GRADIENT_GATE: no gradient of an op's inputs is used before all of them are there
 * @FLOW_GRADIENT_COLOCATE: what is made is placed with the op it differentiates
 * @FLOW_GRADIENT_TREE: sums pairwise
 * @FLOW_GRADIENT_ACCUMULATE: sums by AccumulateNV2
 */
typedef enum {
  FLOW_GRADIENT_GATE = 1 << 0,
  FLOW_GRADIENT_COLOCATE = 1 << 1,
  FLOW_GRADIENT_TREE = 1 << 2,
  FLOW_GRADIENT_ACCUMULATE = 1 << 3,
} FlowGradientFlags;

typedef struct _FlowBuilder FlowBuilder;

/**
 * FlowBuilderGradientFunc:
 * @builder: the builder
 * @node: the op to differentiate
 * @user_data: what was given with it
 *
 * A rule of the caller's: it reads the gradients of the op's outputs by flow_builder_list_out_gradients() and
 * gives those of its inputs by flow_builder_set_in_gradient().
 *
 * Returns: %FALSE when it fails: then the whole call does, with %FLOW_ERROR_ABORTED
 */
typedef gboolean (*FlowBuilderGradientFunc) (FlowBuilder *builder,
                                             guint32      node,
                                             gpointer     user_data);

/* No output: where an output may be left out. */
#define FLOW_OUTPUT_NONE G_MAXUINT64

/* A node with this bit is one of the source of flow_builder_set_source(), or whatever else that caller means by it. */
#define FLOW_BUILDER_FOREIGN 0x80000000u

/**
 * FlowBuilderCaptureFunc:
 * @builder: the builder that makes a gradient
 * @output: an output of the body it is the gradient of, its node with #FLOW_BUILDER_FOREIGN
 * @user_data: what was given with it
 *
 * Leads an output into @builder: by an argument, or made again, or out of a list.
 *
 * Returns: the output of @builder that stands for it, #FLOW_OUTPUT_NONE when that fails
 */
typedef guint64 (*FlowBuilderCaptureFunc) (FlowBuilder *builder,
                                           guint64      output,
                                           gpointer     user_data);

#define FLOW_TYPE_BUILDER (flow_builder_get_type ())

FLOW_API G_DECLARE_FINAL_TYPE (FlowBuilder, flow_builder, FLOW, BUILDER, GObject)

FLOW_API FlowBuilder *flow_builder_new               (void);

FLOW_API gboolean     flow_builder_is_newer_attr     (const char         *type,
                                                      const char         *attr);

/* Names and scopes. Every enter_ has its flow_builder_leave(). */
FLOW_API char        *flow_builder_unique_name       (FlowBuilder        *self,
                                                      const char         *name,
                                                      gboolean            mark_as_used);
FLOW_API char        *flow_builder_enter_name_scope  (FlowBuilder        *self,
                                                      const char         *name,
                                                      GError            **error);
FLOW_API const char  *flow_builder_get_name_scope    (FlowBuilder        *self);
FLOW_API void         flow_builder_enter_control_dependencies (FlowBuilder *self,
                                                      const guint32      *nodes,
                                                      gsize               n_nodes);
FLOW_API void         flow_builder_clear_control_dependencies (FlowBuilder *self);
FLOW_API void         flow_builder_enter_colocation  (FlowBuilder        *self,
                                                      guint32             node,
                                                      gboolean            ignore_existing);
FLOW_API gboolean     flow_builder_enter_device      (FlowBuilder        *self,
                                                      const char         *device,
                                                      GError            **error);
FLOW_API char        *flow_builder_get_device        (FlowBuilder        *self);
FLOW_API void         flow_builder_enter_attr        (FlowBuilder        *self,
                                                      const char         *name,
                                                      const FlowAttr     *value);
FLOW_API void         flow_builder_enter_op_attr     (FlowBuilder        *self,
                                                      const char         *type,
                                                      const char         *name,
                                                      const FlowAttr     *value);
FLOW_API void         flow_builder_enter_container   (FlowBuilder        *self,
                                                      const char         *container);
FLOW_API void         flow_builder_enter_init_scope  (FlowBuilder        *self);
FLOW_API void         flow_builder_leave             (FlowBuilder        *self);
FLOW_API void         flow_builder_set_thread        (FlowBuilder        *self,
                                                      guint64             thread);
FLOW_API void         flow_builder_switch_to_thread_local (FlowBuilder   *self);
FLOW_API guint        flow_builder_get_depth         (FlowBuilder        *self);
FLOW_API guint32     *flow_builder_list_control_dependencies (FlowBuilder *self,
                                                      gsize              *n_nodes);

/* All or nothing: what is added in between can be taken back. */
FLOW_API void         flow_builder_begin             (FlowBuilder        *self);
FLOW_API void         flow_builder_commit            (FlowBuilder        *self);
FLOW_API void         flow_builder_roll_back         (FlowBuilder        *self);

/* Nodes. An output is written as one number: node << 32 | slot. */
FLOW_API gboolean     flow_builder_add_node          (FlowBuilder        *self,
                                                      const char         *type,
                                                      const char         *name,
                                                      const guint64      *inputs,
                                                      gsize               n_inputs,
                                                      FlowAttrList       *attrs,
                                                      guint32            *node,
                                                      GError            **error);
FLOW_API void         flow_builder_settle_later      (FlowBuilder        *self);
FLOW_API gboolean     flow_builder_settle            (FlowBuilder        *self,
                                                      guint32             first,
                                                      GError            **error);
FLOW_API gboolean     flow_builder_add_constant      (FlowBuilder        *self,
                                                      const FlowTensor   *value,
                                                      const FlowShape    *shape,
                                                      const char         *name,
                                                      guint32            *node,
                                                      GError            **error);
FLOW_API void         flow_builder_add_control_input (FlowBuilder        *self,
                                                      guint32             node,
                                                      guint32             source);
FLOW_API void         flow_builder_clear_control_inputs (FlowBuilder     *self,
                                                      guint32             node);
FLOW_API gboolean     flow_builder_set_input         (FlowBuilder        *self,
                                                      guint32             node,
                                                      guint               i,
                                                      guint64             source,
                                                      GError            **error);
FLOW_API void         flow_builder_set_attr          (FlowBuilder        *self,
                                                      guint32             node,
                                                      const char         *name,
                                                      const FlowAttr     *value);
FLOW_API gboolean     flow_builder_set_device        (FlowBuilder        *self,
                                                      guint32             node,
                                                      const char         *device,
                                                      GError            **error);
FLOW_API gboolean     flow_builder_set_shape         (FlowBuilder        *self,
                                                      guint64             output,
                                                      const FlowShape    *shape,
                                                      GError            **error);
FLOW_API void         flow_builder_finalize          (FlowBuilder        *self);
FLOW_API void         flow_builder_unfinalize        (FlowBuilder        *self);
FLOW_API gboolean     flow_builder_is_finalized      (FlowBuilder        *self);

FLOW_API guint        flow_builder_get_n_nodes       (FlowBuilder        *self);
FLOW_API gint64       flow_builder_count_flops       (FlowBuilder        *self,
                                                      guint32             node);
FLOW_API guint64      flow_builder_get_n_outputs     (FlowBuilder        *self);
FLOW_API guint32      flow_builder_find_node         (FlowBuilder        *self,
                                                      const char         *name);
FLOW_API const char  *flow_builder_get_node_name     (FlowBuilder        *self,
                                                      guint32             node);
FLOW_API const char  *flow_builder_get_node_type     (FlowBuilder        *self,
                                                      guint32             node);
FLOW_API const char  *flow_builder_get_node_device   (FlowBuilder        *self,
                                                      guint32             node);
FLOW_API guint        flow_builder_get_node_flags    (FlowBuilder        *self,
                                                      guint32             node);
FLOW_API FlowAttrList *flow_builder_get_node_attrs   (FlowBuilder        *self,
                                                      guint32             node);
FLOW_API guint64     *flow_builder_list_inputs       (FlowBuilder        *self,
                                                      guint32             node,
                                                      gsize              *n_inputs);
FLOW_API guint32     *flow_builder_list_control_inputs (FlowBuilder      *self,
                                                      guint32             node,
                                                      gsize              *n_nodes);
FLOW_API guint32     *flow_builder_list_consumers    (FlowBuilder        *self,
                                                      guint64             output,
                                                      gsize              *n_nodes);
FLOW_API int         *flow_builder_list_output_dtypes (FlowBuilder       *self,
                                                      guint32             node,
                                                      gsize              *n_outputs);
FLOW_API gint64      *flow_builder_get_dims          (FlowBuilder        *self,
                                                      guint64             output,
                                                      int                *rank,
                                                      gsize              *n_dims);
FLOW_API FlowTensor  *flow_builder_dup_constant      (FlowBuilder        *self,
                                                      guint64             output);
FLOW_API FlowShape   *flow_builder_dup_value_list    (FlowBuilder        *self,
                                                      guint64             output);

/* Branches and loops, by number from 1. What is made inside one goes through it. */
FLOW_API void         flow_builder_enter_context     (FlowBuilder        *self,
                                                      guint               context);
FLOW_API void         flow_builder_exit_context      (FlowBuilder        *self,
                                                      guint               context);
FLOW_API guint        flow_builder_get_context       (FlowBuilder        *self);
FLOW_API void         flow_builder_set_context       (FlowBuilder        *self,
                                                      guint               context);
FLOW_API guint        flow_builder_get_node_context  (FlowBuilder        *self,
                                                      guint32             node);
FLOW_API void         flow_builder_set_node_context  (FlowBuilder        *self,
                                                      guint32             node,
                                                      guint               context);
FLOW_API const char  *flow_builder_get_context_name  (FlowBuilder        *self,
                                                      guint               context);
FLOW_API guint        flow_builder_get_outer_context (FlowBuilder        *self,
                                                      guint               context);
FLOW_API gboolean     flow_builder_is_loop           (FlowBuilder        *self,
                                                      guint               context);
FLOW_API guint64      flow_builder_get_branch        (FlowBuilder        *self,
                                                      guint               context,
                                                      guint              *branch,
                                                      guint64            *pivot);
FLOW_API gboolean     flow_builder_add_context_value (FlowBuilder        *self,
                                                      guint               context,
                                                      guint64             output,
                                                      guint64            *inside,
                                                      GError            **error);
FLOW_API void         flow_builder_leave_context_value (FlowBuilder      *self,
                                                      guint               context,
                                                      guint64             output);
FLOW_API gboolean     flow_builder_is_fetchable      (FlowBuilder        *self,
                                                      guint32             node);
FLOW_API gboolean     flow_builder_is_feedable       (FlowBuilder        *self,
                                                      guint32             node);
FLOW_API guint        flow_builder_add_branch        (FlowBuilder        *self,
                                                      guint64             pred,
                                                      guint64             pivot,
                                                      guint               branch,
                                                      const char         *name);
FLOW_API gboolean     flow_builder_add_branch_output (FlowBuilder        *self,
                                                      guint               context,
                                                      guint64             output,
                                                      guint64            *inside,
                                                      GError            **error);
FLOW_API guint        flow_builder_add_loop          (FlowBuilder        *self,
                                                      guint64             maximum_iterations,
                                                      gint64              parallel_iterations,
                                                      gboolean            back_prop,
                                                      gboolean            swap_memory,
                                                      const char         *name);
FLOW_API void         flow_builder_add_loop_invariant (FlowBuilder       *self,
                                                      guint               context,
                                                      const FlowShape    *shape);
FLOW_API guint64     *flow_builder_begin_loop        (FlowBuilder        *self,
                                                      guint               context,
                                                      const guint64      *variables,
                                                      gsize               n_variables,
                                                      gsize              *n_results,
                                                      GError            **error);
FLOW_API guint64     *flow_builder_add_loop_condition (FlowBuilder       *self,
                                                      guint               context,
                                                      guint64             pred,
                                                      gsize              *n_results,
                                                      GError            **error);
FLOW_API guint64     *flow_builder_end_loop          (FlowBuilder        *self,
                                                      guint               context,
                                                      const guint64      *variables,
                                                      gsize               n_variables,
                                                      gsize              *n_results,
                                                      GError            **error);
FLOW_API GBytes      *flow_builder_context_to_bytes  (FlowBuilder        *self,
                                                      guint               context,
                                                      const char         *export_scope,
                                                      GError            **error);
FLOW_API guint        flow_builder_import_context    (FlowBuilder        *self,
                                                      GBytes             *definition,
                                                      gboolean            is_loop,
                                                      const char         *import_scope,
                                                      GError            **error);

/* Gradients. */
FLOW_API guint64     *flow_builder_add_gradients     (FlowBuilder        *self,
                                                      const guint64      *ys,
                                                      gsize               n_ys,
                                                      const guint64      *grad_ys,
                                                      gsize               n_grad_ys,
                                                      const guint64      *xs,
                                                      gsize               n_xs,
                                                      const guint32      *stops,
                                                      gsize               n_stops,
                                                      const char         *name,
                                                      FlowGradientFlags   flags,
                                                      gsize              *n_results,
                                                      GError            **error);

FLOW_API guint64     *flow_builder_add_tape_gradients (FlowBuilder       *self,
                                                      guint32             first,
                                                      const guint64      *targets,
                                                      gsize               n_targets,
                                                      const guint64      *out_grads,
                                                      gsize               n_out_grads,
                                                      const guint64      *sources,
                                                      gsize               n_sources,
                                                      gsize              *n_results,
                                                      GError            **error);
FLOW_API void         flow_builder_set_gradient_func (FlowBuilder        *self,
                                                      FlowBuilderGradientFunc func,
                                                      gpointer            user_data,
                                                      GDestroyNotify      notify);
FLOW_API gboolean     flow_builder_knows_gradient_type (const char       *type);
FLOW_API void         flow_builder_add_gradient_type (FlowBuilder        *self,
                                                      const char         *type);
FLOW_API guint64     *flow_builder_list_out_gradients (FlowBuilder       *self,
                                                      gsize              *n_outputs);
FLOW_API gboolean     flow_builder_set_in_gradient   (FlowBuilder        *self,
                                                      guint               i,
                                                      guint64             values,
                                                      guint64             indices,
                                                      guint64             dense_shape);
FLOW_API void         flow_builder_set_source        (FlowBuilder        *self,
                                                      FlowBuilder        *source,
                                                      FlowBuilderCaptureFunc func,
                                                      gpointer            user_data,
                                                      GDestroyNotify      notify);
FLOW_API void         flow_builder_append_output     (FlowBuilder        *self,
                                                      guint32             node,
                                                      int                 dtype,
                                                      const FlowShape    *shape);
FLOW_API void         flow_builder_append_input      (FlowBuilder        *self,
                                                      guint32             node,
                                                      guint64             source);
FLOW_API void         flow_builder_copy_handle       (FlowBuilder        *self,
                                                      guint64             output,
                                                      FlowBuilder        *from,
                                                      guint64             like);
FLOW_API void         flow_builder_declare_variable  (FlowBuilder        *self,
                                                      guint32             node);
FLOW_API int          flow_builder_get_handle_dtype  (FlowBuilder        *self,
                                                      guint64             output);

/* Out of it. */
FLOW_API FlowGraph   *flow_builder_get_graph         (FlowBuilder        *self,
                                                      GError            **error);
FLOW_API guint64      flow_builder_get_n_changes     (FlowBuilder        *self);
FLOW_API void         flow_builder_take_versions     (FlowBuilder        *self,
                                                      int                 producer,
                                                      int                 min_consumer);
FLOW_API gboolean     flow_builder_extend_graph      (FlowBuilder        *self,
                                                      FlowGraph          *graph,
                                                      GError            **error);
FLOW_API gboolean     flow_builder_extend_picture    (FlowBuilder        *self,
                                                      FlowGraph          *graph,
                                                      GError            **error);
FLOW_API gboolean     flow_builder_add_library       (FlowBuilder        *self,
                                                      GBytes             *graph_def,
                                                      GError            **error);
FLOW_API GBytes      *flow_builder_to_bytes          (FlowBuilder        *self,
                                                      guint32             first,
                                                      gboolean            with_shapes,
                                                      GError            **error);
FLOW_API GBytes      *flow_builder_to_function       (FlowBuilder        *self,
                                                      const char         *name,
                                                      const guint64      *inputs,
                                                      gsize               n_inputs,
                                                      const guint64      *outputs,
                                                      gsize               n_outputs,
                                                      const char *const  *output_names,
                                                      const guint32      *effects,
                                                      gsize               n_effects,
                                                      gboolean            with_shapes,
                                                      GError            **error);
FLOW_API char       **flow_builder_list_op_types     (FlowBuilder        *self);

G_END_DECLS
