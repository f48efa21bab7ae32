/* flow-ui-session.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <flowstep.h>

#include "flow-scope-states.h"
#include "flow-sources.h"

G_BEGIN_DECLS

#define FLOW_TYPE_UI_SESSION (flow_ui_session_get_type ())

G_DECLARE_FINAL_TYPE (FlowUiSession, flow_ui_session, FLOW, UI_SESSION, GObject)

/* Makes the debugger a window drives; called again when the engine ended and a person asks for it. */
typedef FlowDebugger *(*FlowDebuggerFactory) (gpointer   data,
                                              GError   **error);
/* Makes ready for a graph that was opened: see flow_ui_session_set_prepare(). */
typedef void (*FlowUiPrepare) (FlowUiSession *self,
                               FlowGraph     *graph,
                               gpointer       data);
/* Answers to flow_ui_session_query(): @reply is %NULL if @error is set. */
typedef void (*FlowQueryFunc) (GObject           *owner,
                               FlowDebuggerReply *reply,
                               const GError      *error,
                               gpointer           data);
/* What of an answer is to be known: see flow_ui_session_query_digested(). */
typedef gpointer (*FlowDigestFunc) (GVariant *answer);

FlowUiSession        *flow_ui_session_new               (FlowDebuggerFactory  factory,
                                                         gpointer             data);
void                  flow_ui_session_close             (FlowUiSession       *self);
FlowDebugger         *flow_ui_session_get_debugger      (FlowUiSession       *self);
FlowGraph            *flow_ui_session_get_graph         (FlowUiSession       *self);
const FlowDebugState *flow_ui_session_get_state         (FlowUiSession       *self);
const char           *flow_ui_session_get_path          (FlowUiSession       *self);
GVariant             *flow_ui_session_get_info          (FlowUiSession       *self);
gboolean              flow_ui_session_is_in_file        (FlowUiSession       *self);
char                **flow_ui_session_dup_uninitialized (FlowUiSession       *self);
gboolean              flow_ui_session_is_script         (FlowUiSession       *self);
gboolean              flow_ui_session_is_script_path    (const char          *path);
FlowSources          *flow_ui_session_get_sources       (FlowUiSession       *self);

/* Opening */
void                  flow_ui_session_open              (FlowUiSession       *self,
                                                         const char          *path,
                                                         GVariant            *options);
void                  flow_ui_session_cancel_open       (FlowUiSession       *self);
gboolean              flow_ui_session_is_opening        (FlowUiSession       *self);
void                  flow_ui_session_set_prepare       (FlowUiSession       *self,
                                                         FlowUiPrepare        prepare,
                                                         gpointer             data);
void                  flow_ui_session_show_graph        (FlowUiSession       *self,
                                                         FlowGraph           *graph);
void                  flow_ui_session_restart_engine    (FlowUiSession       *self);

/* Asking: one answer at a time for each owner and tag, never a stale one */
void                  flow_ui_session_query             (FlowUiSession       *self,
                                                         gpointer             owner,
                                                         const char          *tag,
                                                         const char          *method,
                                                         GVariant            *arguments,
                                                         FlowQueryFunc        func,
                                                         gpointer             data);
void                  flow_ui_session_query_digested    (FlowUiSession       *self,
                                                         gpointer             owner,
                                                         const char          *tag,
                                                         const char          *method,
                                                         GVariant            *arguments,
                                                         FlowDigestFunc       digest,
                                                         GDestroyNotify       digest_free,
                                                         FlowQueryFunc        func);
void                  flow_ui_session_command           (FlowUiSession       *self,
                                                         const char          *title,
                                                         const char          *method,
                                                         GVariant            *arguments,
                                                         GPtrArray           *tensors,
                                                         gpointer             owner,
                                                         FlowQueryFunc        func,
                                                         gpointer             data);
guint                 flow_ui_session_get_pending       (FlowUiSession       *self);
void                  flow_ui_session_hold_pending      (FlowUiSession       *self);
void                  flow_ui_session_release_pending   (FlowUiSession       *self);

/* Moving */
void                  flow_ui_session_move              (FlowUiSession       *self,
                                                         FlowMovement         movement,
                                                         const char          *argument);
void                  flow_ui_session_pause             (FlowUiSession       *self);
gboolean              flow_ui_session_is_moving         (FlowUiSession       *self);
gboolean              flow_ui_session_is_busy           (FlowUiSession       *self);
void                  flow_ui_session_values_written    (FlowUiSession       *self);

/* Node states */
GBytes               *flow_ui_session_get_node_states   (FlowUiSession       *self);
guint8                flow_ui_session_get_node_state    (FlowUiSession       *self,
                                                         guint32              node);
FlowScopeStates      *flow_ui_session_get_scope_states  (FlowUiSession       *self);

/* Selection */
guint32               flow_ui_session_get_selected_node  (FlowUiSession      *self);
guint32               flow_ui_session_get_selected_scope (FlowUiSession      *self);
char                 *flow_ui_session_dup_selected_name  (FlowUiSession      *self);
void                  flow_ui_session_select             (FlowUiSession      *self,
                                                          guint32             node,
                                                          guint32             scope);
void                  flow_ui_session_follow             (FlowUiSession      *self,
                                                          guint32             node);
gboolean              flow_ui_session_is_following       (FlowUiSession      *self);
gboolean              flow_ui_session_select_name        (FlowUiSession      *self,
                                                          const char         *name);
void                  flow_ui_session_go_back            (FlowUiSession      *self);
void                  flow_ui_session_go_forward         (FlowUiSession      *self);
gboolean              flow_ui_session_can_go_back        (FlowUiSession      *self);
gboolean              flow_ui_session_can_go_forward     (FlowUiSession      *self);
GArray               *flow_ui_session_list_seen          (FlowUiSession      *self,
                                                          guint               max);

gboolean              flow_ui_session_is_travelling      (FlowUiSession      *self);
gboolean              flow_ui_session_travel             (FlowUiSession      *self,
                                                          guint64             position);

/* Runs, breakpoints, collections, watches */
GListModel           *flow_ui_session_get_runs           (FlowUiSession      *self);
guint                 flow_ui_session_get_repeat         (FlowUiSession      *self,
                                                          const char         *run);
const char           *flow_ui_session_get_chosen_run     (FlowUiSession      *self);
void                  flow_ui_session_choose_run         (FlowUiSession      *self,
                                                          const char         *name);
GVariant             *flow_ui_session_get_run_files      (FlowUiSession      *self);
void                  flow_ui_session_load_run_file      (FlowUiSession      *self,
                                                          const char         *path);
gboolean              flow_ui_session_has_unsaved_runs   (FlowUiSession      *self);
GVariant             *flow_ui_session_get_plan           (FlowUiSession      *self);
GListModel           *flow_ui_session_get_breakpoints    (FlowUiSession      *self);
GListModel           *flow_ui_session_get_watches        (FlowUiSession      *self);
void                  flow_ui_session_toggle_watch       (FlowUiSession      *self,
                                                          const char         *tensor);
GPtrArray            *flow_ui_session_get_node_collections (FlowUiSession    *self,
                                                          guint32             node);
void                  flow_ui_session_report             (FlowUiSession      *self,
                                                          const char         *title,
                                                          const GError       *error);

G_END_DECLS
