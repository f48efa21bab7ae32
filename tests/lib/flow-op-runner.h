/* flow-op-runner.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/* Runs single ops for tests, as the executor would: attrs checked and completed, shape function on
 * the concrete shapes, kernel. State (variables, queues, ...) lives as long as the runner. */
typedef struct _FlowOpRunner FlowOpRunner;

FlowOpRunner *flow_op_runner_new            (void);
void          flow_op_runner_free           (FlowOpRunner     *self);

/* A variable of that name in container "localhost"; @value is nullable (not initialised). */
FlowVariable *flow_op_runner_add_variable   (FlowOpRunner     *self,
                                             const char       *name,
                                             FlowDType         dtype,
                                             const FlowTensor *value);
/* A scalar of dtype resource that names @variable. */
FlowTensor   *flow_op_runner_new_handle     (FlowOpRunner     *self,
                                             FlowVariable     *variable);

/* Makes the kernel of a node and lets it go: what TensorFlow does with every node before it runs the first. */
gboolean      flow_op_runner_try_kernel     (const char       *node_name,
                                             const char       *type,
                                             FlowAttrList     *attrs,
                                             guint             n_inputs,
                                             GError          **error);
/* Executes one node. @inputs stand in the order of the signature, lists spelled out; a ref input has
 * .ref set. @outputs gets FlowValues (flow_op_runner_clear_value) in the order of the signature; it
 * stays empty on error and when the op waits (flow_op_runner_get_waiting). */
gboolean      flow_op_runner_run            (FlowOpRunner     *self,
                                             const char       *node_name,
                                             const char       *type,
                                             FlowAttrList     *attrs,
                                             const FlowValue  *inputs,
                                             guint             n_inputs,
                                             GArray           *outputs,
                                             GError          **error);
void          flow_op_runner_clear_value    (gpointer          value);

/* With forwarding on, kernels get copies of their inputs that they may write over. */
void          flow_op_runner_set_forwarding (FlowOpRunner     *self,
                                             gboolean          forwarding);
/* Of the graph that the op stands in. */
void          flow_op_runner_set_producer   (FlowOpRunner     *self,
                                             int               producer);
/* Takes every write back, newest first. */
void          flow_op_runner_undo           (FlowOpRunner     *self);
guint         flow_op_runner_get_n_undo     (FlowOpRunner     *self);
const char   *flow_op_runner_get_waiting    (FlowOpRunner     *self);
void          flow_op_runner_set_cancellable (FlowOpRunner    *self,
                                              GCancellable     *cancellable);
const char   *flow_op_runner_get_printed    (FlowOpRunner     *self);
/* The one folder that ops may touch: new and empty, removed with the runner. */
const char   *flow_op_runner_get_folder     (FlowOpRunner     *self);
FlowBudget   *flow_op_runner_get_budget     (FlowOpRunner     *self);

/* The dtypes that @args stand for under @attrs (ref ones with FLOW_DTYPE_REF added), appended to
 * @dtypes; FALSE where an attr is missing or absurd. */
gboolean      flow_op_runner_expand_args    (const FlowArgDef *args,
                                             guint             n_args,
                                             FlowAttrList     *attrs,
                                             GArray           *dtypes,
                                             GError          **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowOpRunner, flow_op_runner_free)

G_END_DECLS
