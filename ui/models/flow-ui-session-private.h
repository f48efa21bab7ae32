/* flow-ui-session-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-ui-session.h"

G_BEGIN_DECLS

/* How a person came to a place. Steps in a row are one place: back from them is where they began. */
typedef enum {
  FLOW_PLACE_SELECTED,
  FLOW_PLACE_STEPPED,
  FLOW_PLACE_MOVED,
} FlowPlaceKind;

/* A place a person has been at, and when: for back and forward. */
typedef struct {
  FlowPlaceKind kind;
  guint32 node;
  guint32 scope;
  guint64 position;                  /* of the run */
  guint timeline;                    /* in which positions mean the same moments */
} FlowPlace;

typedef struct {
  FlowMovement movement;
  char *argument;
} FlowQueuedMove;

struct _FlowUiSession
{
  GObject parent_instance;

  /* owned */
  FlowDebugger *debugger;
  FlowGraph *graph;
  FlowDebugState *state;
  GBytes *node_states;
  FlowSources *sources;              /* of a script's graph */
  FlowScopeStates *scope_states;
  GVariant *info;
  FlowGraph *arriving;               /* opened; shown when the views have prepared for it */
  GVariant *arriving_info;
  char *arriving_path;
  GVariant *plan;
  GVariant *run_files;               /* a(sb) */
  GVariant *open_options;
  GListStore *runs;
  GListStore *breakpoints;
  GListStore *watches;
  GCancellable *cancellable;         /* of the debugger at hand: everything asked of it */
  GCancellable *open_cancellable;
  GHashTable *collections_of;        /* node index -> GPtrArray of collection keys */
  GQueue moves;                      /* FlowQueuedMove: asked for while one is under way */
  GArray *places;                    /* FlowPlace */
  char *path;
  char *opening_path;
  char *chosen_run;
  char *planned_run;                 /* the last one chosen that there is */
  char *resume_run;                  /* chosen again after the engine was restarted */

  /* borrowed */
  FlowDebuggerFactory factory;
  gpointer factory_data;
  FlowUiPrepare prepare;
  gpointer prepare_data;

  /* state */
  guint place;                       /* index of the place we are at */
  guint timeline;                    /* counts how often the session began anew */
  FlowMovement last_movement;
  guint pending;                     /* answers under way, layouts, movements */
  guint busy_source;                 /* a movement that takes longer than a blink makes us busy */
  guint state_source;                /* throttles state-changed while running */
  guint32 selected_node;
  guint32 selected_scope;
  guint moving : 1;
  guint busy : 1;
  guint following : 1;               /* the selection goes with the run: nothing is opened for it */
  guint travelling : 1;              /* to a place: what is selected there stays selected */
  guint moving_in_history : 1;       /* back and forward do not record places */
};

enum {
  FLOW_UI_SIGNAL_OPENED,
  FLOW_UI_SIGNAL_GRAPH_CHANGED,
  FLOW_UI_SIGNAL_STATE_CHANGED,
  FLOW_UI_SIGNAL_NODE_STATES_CHANGED,
  FLOW_UI_SIGNAL_SELECTION_CHANGED,
  FLOW_UI_SIGNAL_PLAN_CHANGED,
  FLOW_UI_SIGNAL_STOPPED,
  FLOW_UI_SIGNAL_PENDING_CHANGED,
  FLOW_UI_SIGNAL_FAILED,
  FLOW_UI_SIGNAL_PROGRESS,
  FLOW_UI_SIGNAL_LOGGED,
  FLOW_UI_SIGNAL_ENDED,
  FLOW_UI_SIGNAL_SOURCES_CHANGED,
  FLOW_UI_N_SIGNALS
};

extern guint _flow_ui_session_signals[FLOW_UI_N_SIGNALS];

/* The debugger at hand, made anew or let go of with all that was asked of it. */
gboolean _flow_ui_session_make_debugger (FlowUiSession *self);
void _flow_ui_session_drop_debugger    (FlowUiSession *self);
/* What was opened and is not shown yet. */
void _flow_ui_session_forget_arrived   (FlowUiSession *self);
void _flow_ui_session_forget_graph     (FlowUiSession *self);
void _flow_ui_session_set_graph        (FlowUiSession *self,
                                        FlowGraph     *graph);
void _flow_ui_session_ask_node_states  (FlowUiSession *self);
void _flow_ui_session_ask_runs         (FlowUiSession *self);
void _flow_ui_session_ask_breakpoints  (FlowUiSession *self);
void _flow_ui_session_state_changed    (FlowUiSession *self);
void _flow_ui_session_clear_moves      (FlowUiSession *self);
void _flow_ui_session_remember_place   (FlowUiSession *self,
                                        FlowPlaceKind  kind);
void _flow_ui_session_remember_move    (FlowUiSession *self);
void _flow_ui_session_ask_plan         (FlowUiSession *self);

G_END_DECLS
