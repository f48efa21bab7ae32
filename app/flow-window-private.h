/* flow-window-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-window.h"

#include "flow-breakpoints-view.h"
#include "flow-canvas.h"
#include "flow-checkpoint-view.h"
#include "flow-collections-view.h"
#include "flow-console-view.h"
#include "flow-diagnostics-view.h"
#include "flow-graph-tabs.h"
#include "flow-inspector.h"
#include "flow-loop-bar.h"
#include "flow-outline.h"
#include "flow-origin-view.h"
#include "flow-path-bar.h"
#include "flow-plans-view.h"
#include "flow-curves-view.h"
#include "flow-resources-view.h"
#include "flow-runs-view.h"
#include "flow-script-view.h"
#include "flow-source-view.h"
#include "flow-timeline-view.h"
#include "flow-value-window.h"
#include "flow-variables-view.h"
#include "flow-watch-view.h"

G_BEGIN_DECLS

typedef struct _FlowWindowColours FlowWindowColours;
typedef struct _FlowWindowFocus FlowWindowFocus;
typedef struct _FlowWindowView FlowWindowView;

struct _FlowWindow
{
  AdwApplicationWindow parent_instance;

  /* template */
  AdwToastOverlay *toasts;
  GtkWidget *header;
  AdwWindowTitle *title;
  GtkStack *pages;
  GtkWidget *step_buttons;
  GtkButton *run_button;
  GtkMenuButton *run_chooser;
  GtkLabel *run_label;
  GtkWidget *search_button;
  GtkMenuButton *bookmarks_button;
  GtkPaned *left_paned;
  GtkPaned *right_paned;
  GtkPaned *bottom_paned;
  GtkWidget *sidebar;
  GtkStack *sidebar_stack;
  GtkSearchEntry *search_entry;
  FlowOutline *outline;
  FlowCollectionsView *collections;
  FlowRunsView *runs;
  FlowGraphTabs *graph_tabs;
  FlowPathBar *path_bar;
  FlowLoopBar *loop_bar;
  GtkWidget *canvas_bin;
  GtkWidget *panel;
  GtkStack *panel_stack;
  GtkWidget *panel_tabs;
  GtkMenuButton *more_tabs;
  FlowTimelineView *timeline;
  FlowVariablesView *variables;
  FlowWatchView *watch;
  FlowBreakpointsView *breakpoints;
  FlowCheckpointView *checkpoint;
  FlowDiagnosticsView *diagnostics;
  FlowConsoleView *console;
  FlowScriptView *script;
  FlowSourceView *source;
  FlowOriginView *origin;
  FlowPlansView *plans;
  FlowResourcesView *resources;
  FlowCurvesView *curves;
  FlowInspector *inspector;
  GtkRevealer *card_revealer;
  GtkWidget *card;
  GtkImage *card_icon;
  GtkLabel *card_title;
  GtkLabel *card_text;
  GtkButton *card_primary;
  GtkButton *card_secondary;
  GtkRevealer *progress_revealer;
  GtkProgressBar *progress_bar;
  GtkLabel *progress_label;

  /* owned */
  FlowUiSession *session;
  FlowGraph *view_graph;         /* the session's, and bodies of functions; NULL: it calls none */
  FlowGraph *view_of;            /* the graph that `view_graph` is a copy of; only compared */
  GHashTable *bodies;            /* prefixes of those that are open */
  GArray *body_indices;          /* guint32: what the engine calls the nodes behind `n_own` */
  FlowOpenPlan *open_plan;       /* to be done when the file is open */
  GSimpleAction *state_action;
  GSettings *settings;
  GFileMonitor *monitor;         /* of the file that is open */
  GCancellable *watching;        /* until it is there */
  GtkFileChooserNative *chooser;
  char *load_when_saved;         /* a run file that waits for the runs at hand to be saved */
  char *last_message;            /* of the card, for win.state */
  FlowWindowColours *colours;    /* what the canvas is coloured by */
  FlowWindowFocus *focus;        /* what of the graph is to be seen */
  FlowWindowView *view;          /* how a person looks at this graph */

  /* borrowed */
  FlowCanvas *canvas;
  GtkWidget *bookmarks_list;
  GtkWidget *menu;               /* of a node or scope; the window's box holds it */

  /* state */
  guint state_source;            /* win.state is made once per main loop turn */
  guint progress_source;         /* progress shows only if it takes long enough */
  guint pulse_source;
  guint64 shown_position;        /* where the run stood then */
  guint32 shown_next;            /* the next op the views were last moved to */
  guint reload_source;           /* a file that changes is left to settle */
  guint values_source;           /* values on the canvas are asked for when it has come to rest */
  guint n_own;                   /* nodes of the view that are the session's */
  guint body_nodes_n;
  guint syncing : 1;             /* canvas and session are being brought in step */
  guint closed : 1;
  guint close_when_saved : 1;
  guint runs_dropped : 1;        /* the person does not want them */
  guint engine_ended : 1;
  guint canvas_busy : 1;
  guint reload_offered : 1;      /* it has been said that the file changed */
  guint run_was_chosen : 1;      /* by the person, not because it is the first one */
  guint has_loops : 1;           /* the graph has any, or functions */
};

void     _flow_window_init_open           (FlowWindow   *self);
void     _flow_window_update_title        (FlowWindow   *self);
void     _flow_window_update_run_label    (FlowWindow   *self);
void     _flow_window_update_run_button   (FlowWindow   *self);
void     _flow_window_init_actions        (FlowWindow   *self);
void     _flow_window_update_actions      (FlowWindow   *self);
void     _flow_window_init_state          (FlowWindow   *self);
void     _flow_window_queue_state         (FlowWindow   *self);
void     _flow_window_update_card         (FlowWindow   *self);
void     _flow_window_show_ended          (FlowWindow   *self,
                                           const char   *text);
void     _flow_window_show_error          (FlowWindow   *self,
                                           const char   *title,
                                           const GError *error);
void     _flow_window_toast               (FlowWindow   *self,
                                           const char   *text);
void     _flow_window_choose_path         (FlowWindow   *self,
                                           const char   *title,
                                           GtkFileChooserAction action,
                                           const char   *accept,
                                           const char   *name,
                                           GCallback     callback);
char    *_flow_window_take_path           (FlowWindow   *self,
                                           int           response);
void     _flow_window_init_run_menu       (FlowWindow   *self);
void     _flow_window_save_run_file       (FlowWindow   *self,
                                           const char   *path);
void     _flow_window_load_run_file       (FlowWindow   *self,
                                           const char   *path);
gboolean _flow_window_ask_about_runs      (FlowWindow   *self,
                                           const char   *load);
void     _flow_window_choose_file         (FlowWindow   *self);
void     _flow_window_choose_checkpoint   (FlowWindow   *self);
void     _flow_window_choose_series       (FlowWindow   *self);
void     _flow_window_choose_save         (FlowWindow   *self);
void     _flow_window_choose_export       (FlowWindow   *self);
void     _flow_window_init_menu           (FlowWindow   *self);
void     _flow_window_open_menu           (FlowWindow   *self);
void     _flow_window_drop_menu           (FlowWindow   *self);
void        _flow_window_init_tabs             (FlowWindow            *self);
void     _flow_window_init_drop           (FlowWindow   *self);
void     _flow_window_edit_value          (FlowWindow   *self,
                                           const char   *tensor);
GtkWidget *_flow_window_show_value        (FlowWindow   *self,
                                           const char   *ref);
const char *_flow_window_text_or_null     (GVariant     *parameter);
guint32  _flow_window_next_node           (FlowWindow   *self);
void     _flow_window_step_over            (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_step_into            (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_step_over_back       (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_step_into_back       (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_next_of_type         (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_recompute            (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_leave_scope          (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_pause_run            (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_stop_run             (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_run_to               (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_go_to_event          (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_skip_runs            (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_move                (FlowWindow   *self,
                                           FlowMovement  movement,
                                           const char   *argument);
void     _flow_window_init_debug          (FlowWindow   *self);
GVariant *_flow_window_script_options     (FlowOpenPlan *plan);
void     _flow_window_script_opened       (FlowWindow   *self);
void     _flow_window_script_policy       (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_show_script_graph   (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_show_script_session (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_script_input        (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_end_script_input    (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_show_line           (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_select_line         (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_break_line          (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_clone_scope         (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_add_optimizer       (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_evaluate            (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_queue_values        (FlowWindow   *self);
void     _flow_window_apply_history_limit (FlowWindow   *self);
void     _flow_window_fill_canvas         (FlowWindow   *self);
void     _flow_window_show_node_states    (FlowWindow   *self);
guint32  _flow_window_engine_node         (FlowWindow   *self,
                                           guint32       node);
guint32  _flow_window_canvas_node         (FlowWindow   *self,
                                           guint32       node);
guint32  _flow_window_outer_node          (FlowWindow   *self,
                                           guint32       node,
                                           const char  **name);
guint32  _flow_window_next_on_canvas      (FlowWindow   *self,
                                           const FlowDebugState *state);
void     _flow_window_watch_file          (FlowWindow   *self);
void     _flow_window_unwatch_file        (FlowWindow   *self);
void     _flow_window_keep_breakpoints    (FlowWindow   *self,
                                           FlowOpenPlan *plan);
void     _flow_window_update_loops        (FlowWindow   *self);
void     _flow_window_reset_loops         (FlowWindow   *self);
/* Actions: what the table in flow-window-actions.c names. */
void     _flow_window_pin                 (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_compare             (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_compare_value       (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_next_write          (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_last_write          (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_reload              (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_open_body           (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_go_to_iteration     (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_previous_iteration  (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_origin              (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_run_next            (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_set_history_limit   (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_set_policy          (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_compare_plans       (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_save_value          (FlowWindow   *self,
                                           GVariant     *parameter);
void     _flow_window_edit_run            (FlowWindow   *self,
                                           gboolean      feeds);
void     _flow_window_new_run             (FlowWindow   *self);
void     _flow_window_edit_breakpoint     (FlowWindow   *self);
void     _flow_window_ask_go_to           (FlowWindow   *self);
void     _flow_window_go_to_text          (FlowWindow   *self,
                                           const char   *text);
char    *_flow_window_dup_closed_scope    (FlowWindow   *self,
                                           guint32       node);
void     _flow_window_show_panel          (FlowWindow   *self,
                                           const char   *name);

G_END_DECLS
