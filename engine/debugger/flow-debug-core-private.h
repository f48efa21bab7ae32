/* flow-debug-core-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-breakpoints-private.h"
#include "flow-model.h"

G_BEGIN_DECLS

/* What the core tells its owner, on the kernel thread. */
typedef enum {
  FLOW_CORE_CHANGED,
  FLOW_CORE_STOPPED,
  FLOW_CORE_GRAPH,
  FLOW_CORE_RUNS,
  FLOW_CORE_BREAKPOINTS,
} FlowCoreNews;

typedef struct {
  void (*news)     (gpointer owner, FlowCoreNews news);
  void (*progress) (gpointer owner, double fraction, const char *message);
  void (*logged)   (gpointer owner, guint64 position, const char *text);
  /* Between ops: answers what only looks; TRUE when a person asked to pause. */
  gboolean (*poll) (gpointer owner);
} FlowCoreOwner;

/* The debugger without its asynchronous side. Lives on the kernel thread. */
typedef struct {
  const FlowCoreOwner *owner_funcs;
  gpointer owner;
  FlowModel *model;
  FlowGraph *graph;
  FlowBudget *budget;
  FlowSession *session;
  FlowStepper *stepper;
  FlowRunFile *file;           /* where runs come from; entries as a person edited them */
  GPtrArray *sources;          /* beside its entries: "file", "signature", "own" */
  char *chosen;                /* name of the chosen run */
  GPtrArray *breakpoints;      /* of FlowBreakpoint */
  guint next_breakpoint;
  GCancellable *cancellable;
  FlowDebugStatus status;
  FlowStopReason reason;
  char *message;
  int error_code;
  guint32 failed_node;
  GHashTable *stale;           /* nodes whose values come from what was overridden since */
  guint64 stale_since;
  GHashTable *before_restore;  /* variable -> value before the last restore, absent: none */
  char *last_path;             /* run file */
  char *graph_path;            /* absolute */
  guint64 history_limit;
} FlowDebugCore;

typedef FlowDebuggerReply *(*FlowCoreMethod) (FlowDebugCore *core, GVariant *arguments, GPtrArray *tensors,
                                              GError **error);

FlowDebugCore     *_flow_debug_core_new     (const FlowCoreOwner *funcs,
                                             gpointer             owner);
void               _flow_debug_core_free    (FlowDebugCore       *self);
FlowDebugState    *_flow_debug_core_state   (FlowDebugCore       *self);
/* NULL: no such method. @looks: it only looks. */
FlowCoreMethod     _flow_debug_core_find    (const char          *method,
                                             const char         **arguments,
                                             gboolean            *looks);
void               _flow_debug_core_news    (FlowDebugCore       *self,
                                             FlowCoreNews         news);
gboolean           _flow_debug_core_need_graph (FlowDebugCore    *self,
                                             GError             **error);
void               _flow_debug_core_set_stop (FlowDebugCore      *self,
                                             FlowDebugStatus      status,
                                             FlowStopReason       reason,
                                             const char          *message);
char             **_flow_debug_find_run_files (const char          *graph_path);
int                _flow_debug_core_find_entry (FlowDebugCore    *self,
                                             const char          *name);
FlowPlan          *_flow_debug_core_plan    (FlowDebugCore       *self,
                                             GError             **error);
void               _flow_debug_core_forget_stale (FlowDebugCore  *self);
FlowDebuggerReply *_flow_reply              (GVariant            *value);
void               _flow_add_stats          (GVariantBuilder     *builder,
                                             const FlowTensor    *tensor);
void               _flow_add_shape          (GVariantBuilder     *builder,
                                             const FlowShape     *shape);
FlowTensor        *_flow_debug_core_make_value (FlowDebugCore    *self,
                                             const char          *tensor,
                                             int                  dtype,
                                             const char          *spec,
                                             GError             **error);

#define FLOW_CORE_METHOD(name) \
  FlowDebuggerReply *_flow_core_##name (FlowDebugCore *core, GVariant *arguments, GPtrArray *tensors, GError **error)

FLOW_CORE_METHOD (open);
FLOW_CORE_METHOD (list_runs);
FLOW_CORE_METHOD (load_run_file);
FLOW_CORE_METHOD (list_run_files);
FLOW_CORE_METHOD (save_run_file);
FLOW_CORE_METHOD (set_run);
FLOW_CORE_METHOD (choose_run);
FLOW_CORE_METHOD (plan);
FLOW_CORE_METHOD (explain);
FLOW_CORE_METHOD (move);
FLOW_CORE_METHOD (pause);
FLOW_CORE_METHOD (stop);
FLOW_CORE_METHOD (choose_next);
FLOW_CORE_METHOD (list_breakpoints);
FLOW_CORE_METHOD (add_breakpoint);
FLOW_CORE_METHOD (remove_breakpoint);
FLOW_CORE_METHOD (enable_breakpoint);
FLOW_CORE_METHOD (node_states);
FLOW_CORE_METHOD (ready);
FLOW_CORE_METHOD (inspect);
FLOW_CORE_METHOD (get_value);
FLOW_CORE_METHOD (history);
FLOW_CORE_METHOD (variables);
FLOW_CORE_METHOD (get_variable);
FLOW_CORE_METHOD (set_variable);
FLOW_CORE_METHOD (override);
FLOW_CORE_METHOD (initialize_variables);
FLOW_CORE_METHOD (resources);
FLOW_CORE_METHOD (events);
FLOW_CORE_METHOD (match_checkpoint);
FLOW_CORE_METHOD (restore_checkpoint);
FLOW_CORE_METHOD (save_checkpoint);
FLOW_CORE_METHOD (set_history_limit);
FLOW_CORE_METHOD (compare);

G_END_DECLS
