/* flow-session.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-plan.h"
#include "flow-script-call.h"
#include "flow-undo.h"

G_BEGIN_DECLS

#define FLOW_TYPE_SESSION (flow_session_get_type ())

FLOW_API G_DECLARE_FINAL_TYPE (FlowSession, flow_session, FLOW, SESSION, GObject)

/**
 * FlowPlacement:
 * @FLOW_PLACEMENT_ANYWHERE: an op runs here, whatever device it asks for
 * @FLOW_PLACEMENT_SOFT: another device of the same task will do
 * @FLOW_PLACEMENT_STRICT: the device must be here and have a kernel for the op
 *
 * How much the device that an op asks for binds.
 */
typedef enum {
  FLOW_PLACEMENT_ANYWHERE,
  FLOW_PLACEMENT_SOFT,
  FLOW_PLACEMENT_STRICT,
} FlowPlacement;

/**
 * FlowPrintFunc:
 * @stream: where it should go: `stdout`, `stderr`, `log(info)`, `log(warning)`, `log(error)`
 * @text: what an op printed, its line end included
 * @data: what was given with it
 */
typedef void (*FlowPrintFunc) (const char *stream,
                               const char *text,
                               gpointer    data);

FLOW_API FlowSession *flow_session_new              (FlowGraph         *graph,
                                                     FlowBudget        *budget);
FLOW_API FlowGraph   *flow_session_get_graph        (FlowSession       *self);
FLOW_API FlowBudget  *flow_session_get_budget       (FlowSession       *self);
FLOW_API void         flow_session_set_folder       (FlowSession       *self,
                                                     const char        *path);
FLOW_API const char  *flow_session_get_folder       (FlowSession       *self);
FLOW_API void         flow_session_allow_folder     (FlowSession       *self,
                                                     const char        *path);
FLOW_API void         flow_session_merge_duplicates (FlowSession     *self);
FLOW_API void         flow_session_multiply_by_reciprocals (FlowSession *self);
FLOW_API void         flow_session_set_placement    (FlowSession       *self,
                                                     FlowPlacement      placement,
                                                     guint              n_processors);
FLOW_API void         flow_session_set_seed         (FlowSession       *self,
                                                     guint64            seed);
FLOW_API void         flow_session_set_print        (FlowSession       *self,
                                                     FlowPrintFunc      func,
                                                     gpointer           data,
                                                     GDestroyNotify     notify);
FLOW_API void         flow_session_set_script       (FlowSession       *self,
                                                     FlowScriptFunc     func,
                                                     gpointer           data,
                                                     GDestroyNotify     notify);
FLOW_API FlowPlan    *flow_session_get_plan         (FlowSession       *self,
                                                     const char *const *feeds,
                                                     const char *const *fetches,
                                                     const char *const *targets,
                                                     guint64           *hits,
                                                     GError           **error);

FLOW_API guint64      flow_session_get_plan_hits    (FlowSession       *self,
                                                     const char *const *feeds,
                                                     const char *const *fetches,
                                                     const char *const *targets);
FLOW_API guint        flow_session_get_n_plans      (FlowSession       *self);
FLOW_API FlowPlan    *flow_session_peek_plan        (FlowSession       *self,
                                                     guint              i,
                                                     guint64           *n_runs);
FLOW_API const char  *flow_session_get_restored_from (FlowSession      *self);
FLOW_API char       **flow_session_list_uninitialized (FlowSession  *self,
                                                     FlowPlan          *plan);

FLOW_API GPtrArray   *flow_session_run              (FlowSession       *self,
                                                     const char *const *feeds,
                                                     GPtrArray         *values,
                                                     const char *const *fetches,
                                                     const char *const *targets,
                                                     gint64             timeout_ms,
                                                     GCancellable      *cancellable,
                                                     GError           **error);

/* Variables, by resource name. */
FLOW_API gboolean     flow_session_is_variable_node (FlowSession       *self,
                                                     guint32            node);
FLOW_API char        *flow_session_get_variable_name (FlowSession      *self,
                                                     guint32            node);
FLOW_API FlowTensor  *flow_session_dup_variable     (FlowSession       *self,
                                                     const char        *name);
FLOW_API gboolean     flow_session_set_variable     (FlowSession       *self,
                                                     const char        *name,
                                                     FlowTensor        *value,
                                                     GError           **error);
FLOW_API char       **flow_session_list_variables   (FlowSession       *self);

#ifndef __GI_SCANNER__

/* Everything a session owns, in a fixed order. */
FLOW_API GPtrArray   *flow_session_list_resources   (FlowSession       *self);
FLOW_API FlowVariable *flow_session_find_variable   (FlowSession       *self,
                                                     const char        *name);
FLOW_API guint32      flow_session_find_variable_node (FlowSession     *self,
                                                     const char        *name);
/* Where old states go before they are overwritten; NULL: nowhere. Borrowed. */
FLOW_API void         flow_session_set_undo         (FlowSession       *self,
                                                     FlowUndo          *undo);
FLOW_API FlowUndo    *flow_session_get_undo         (FlowSession       *self);

/**
 * FlowSessionSnapshot: (skip)
 *
 * All that a session owns at a moment between runs: references and small copies.
 */
typedef struct _FlowSessionSnapshot FlowSessionSnapshot;

FLOW_API FlowSessionSnapshot *flow_session_take_snapshot (FlowSession *self);
FLOW_API void         flow_session_restore_snapshot (FlowSession               *self,
                                                     const FlowSessionSnapshot *snapshot);
FLOW_API FlowTensor  *flow_session_snapshot_dup_variable (const FlowSessionSnapshot *snapshot,
                                                     const char                *name);
FLOW_API void         flow_session_snapshot_free    (FlowSessionSnapshot       *snapshot);
FLOW_API gboolean     flow_node_input_is_ref        (FlowGraph         *graph,
                                                     guint32            node,
                                                     guint              input);

#endif

G_END_DECLS
