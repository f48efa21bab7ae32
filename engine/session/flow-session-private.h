/* flow-session-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-run-private.h"
#include "flow-session.h"

G_BEGIN_DECLS

/* What a session keeps of a node between executions: made once, shared by all plans. */
typedef struct {
  const FlowOpSignature *signature;
  FlowAttrList *attrs;
  char *state_name;            /* of a node in a function's body: what its state goes by; else NULL */
  const FlowKernelDef *kernel;
  gpointer data;               /* what .construct gave */
  guint n_inputs;
  guint8 *input_is_ref;
  guint n_outputs;
  int *output_dtypes;          /* base dtypes */
  /* Shapes of the last execution: equal inputs give equal outputs unless values were asked. */
  FlowShape **seen_shapes;
  FlowShape **inferred;
  gboolean was_probed;
  gboolean shapes_depend_on_values;
  gboolean has_shapes;
} FlowNodeKernel;

/* Kernels of a graph's nodes, NULL until used. */
GPtrArray      *_flow_node_kernels_new      (void);
FlowNodeKernel *_flow_node_kernels_get      (GPtrArray    *kernels,
                                             FlowGraph    *graph,
                                             guint32       node,
                                             GError      **error);
/* Whether divisions by constants are multiplications. */
gboolean        _flow_session_multiplies    (FlowSession  *self);
GPtrArray      *_flow_session_get_kernels   (FlowSession  *self);
FlowCallee     *_flow_session_get_callee    (FlowSession     *self,
                                             const FlowAttr  *func,
                                             FlowCalleeFlags  flags,
                                             GError         **error);
/* What the state of a function's nodes goes by: TensorFlow makes each function once, wherever it is called. */
char           *_flow_session_name_function (FlowSession     *self,
                                             const FlowAttr  *func,
                                             gboolean         is_gradient);
const char     *_flow_session_intern_frame (FlowSession  *self,
                                            const char   *name);
/* Bodies that are stepped into, by where they are called from. */
GHashTable     *_flow_session_get_sites     (FlowSession  *self);
guint64         _flow_session_next_step     (FlowSession  *self);
guint64         _flow_session_get_next_step (FlowSession  *self);
void            _flow_session_set_next_step (FlowSession  *self,
                                             guint64       step);
void            _flow_session_clear_container (FlowSession *self,
                                             const char   *container);
void            _flow_session_begin_state   (FlowSession  *self,
                                             const char   *whole);
void            _flow_session_begin_step    (FlowSession  *self);

/* Whether every op of a graph, from @first on, asks for a device that is here and, strictly, that has a kernel for it. */
gboolean        _flow_graph_check_devices   (FlowGraph      *graph,
                                             guint32         first,
                                             FlowPlacement   placement,
                                             guint           n_processors,
                                             GError        **error);

extern const FlowKernelHost _flow_session_host;

gboolean         _flow_session_fits_variable (FlowSession *self,
                                              const char  *name,
                                              FlowTensor  *value,
                                              GError     **error);
void             _flow_session_set_restored_from (FlowSession *self,
                                                  const char  *prefix);

G_END_DECLS
