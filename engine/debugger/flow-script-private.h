/* flow-script-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-local-debugger-private.h"
#include "flow-script-debugger.h"

G_BEGIN_DECLS

typedef enum {
  FLOW_SCRIPT_RUN_NEW,         /* not begun */
  FLOW_SCRIPT_RUN_GOING,       /* goes on by itself */
  FLOW_SCRIPT_RUN_HELD,        /* a person says how it goes on */
  FLOW_SCRIPT_RUN_ANSWERED,    /* the script has its values; it may still be looked at */
} FlowScriptRunState;

/* One Session.run of the script. */
typedef struct {
  gatomicrefcount refs;
  guint64 number;
  guint graph;
  gboolean is_console;         /* a person asked for it: it happens at once and stops nowhere */
  FlowSession *session;
  char *session_name;
  char *thread;
  char *label;                 /* what it is for: its first target or fetch */
  char **feeds;
  GPtrArray *values;           /* nullable */
  char **fetches;
  char **targets;
  gint64 timeout_ms;
  GCancellable *cancellable;   /* nullable */
  char *file;
  guint line;
  gint64 began_us;
  gint64 held_us;              /* so long did a person hold it */
  gint64 held_since_us;        /* 0: is not held */

  /* of the kernel thread */
  FlowScriptRunState state;
  FlowStepper *stepper;        /* NULL before it begins, and when nobody can look any more */
  FlowRunFile *run_file;
  gboolean is_wanted;          /* the policy speaks of it */
  gboolean is_waiting;         /* nothing of it could move when it was tried last */
  gboolean by_person;          /* and the movement under way is what waits */

  /* guarded by the debugger's mutex */
  gboolean done;
  GPtrArray *fetched;
  GError *error;
} FlowScriptRun;

typedef struct {
  guint id;
  char *label;
  FlowScriptGraphFlags flags;
  FlowGraph *graph;            /* what a window is shown */
  FlowSession *idle;           /* to look at it before there is a run */
  FlowStepper *idle_stepper;
  GVariant *sources;           /* nullable */
  guint stack;                 /* its place on the stack of default graphs, from 1; 0: not there */
} FlowScriptGraph;

typedef struct {
  guint id;
  guint graph;
  char *name;
  char *made;                  /* where in the script */
  FlowScriptSessionFlags flags;
  GWeakRef session;            /* what it holds is the script's to keep */
} FlowScriptSession;

/* Which runs stop. */
typedef struct {
  gboolean at_start;
  gboolean at_end;
  guint64 every;
  guint64 skip;                /* so many more do not stop */
  char *fetch;                 /* nullable: only runs that fetch or target it */
  char *session;               /* nullable: only runs of this one */
  char *thread;                /* nullable: only runs that this one asks for */
  guint64 n_seen;              /* of those that the rest speaks of */
} FlowScriptPolicy;

struct _FlowScriptDebugger
{
  GObject parent_instance;

  FlowDebugger *local;         /* answers all that is not about the script */
  FlowGraph *graph;            /* of the context's thread: what get_graph() gives */
  GMainContext *context;

  /* of the kernel thread */
  FlowDebugCore *core;         /* the local debugger's; its graph, session, stepper and file are put in here */
  GPtrArray *graphs;           /* of FlowScriptGraph */
  GPtrArray *sessions;         /* of FlowScriptSession */
  guint shown;                 /* id of the one in view */
  GQueue runs;                 /* of FlowScriptRun: begun and not answered, in the order of their turns */
  FlowScriptRun *held;         /* borrowed */
  FlowScriptRun *view;         /* the one that core shows; nullable */
  FlowStepper *look;           /* or a session that core shows between its runs; nullable */
  guint looked_at;             /* its number; 0: none */
  FlowScriptRun *failed;       /* the last one, until another begins; nullable */
  GError *failure;             /* its error */
  FlowScriptPolicy policy;
  GTask *move;                 /* the movement that is under way */
  FlowMovement movement;
  char *argument;
  gboolean stop_next;          /* the next run stops, whatever the policy says */
  guint64 n_skips;             /* so many runs more, and then the next stops */
  gboolean has_ended;
  gboolean is_detached;
  gboolean work_is_due;
  gint64 stuck_since_us;       /* 0: something moved */
  GQueue log;                  /* of GVariant a{sv}: runs that were answered */
  GPtrArray *trails;           /* what tensors were in them (flow-script-trails.c) */
  gint64 told_us;
  char *end_message;

  GMutex mutex;                /* guards all below, and what the runs say it guards */
  GCond cond;
  gboolean begun;
  gboolean closed;
  GHashTable *by_number;       /* guint64 -> FlowScriptRun: asked and not taken */
  guint64 n_runs;
  guint64 held_number;         /* the run whose thread evaluates what a person types; 0: none */
  FlowGraph *view_graph;
  GQueue console;              /* of GTask: their data is what is to be evaluated */
  GTask *evaluating;
  GString *input;              /* what was typed for the script and not read */
  gboolean input_ended;
  gboolean wants_input;        /* a thread of the script waits for it */
};

/* Kernel thread. */
void _flow_script_begin       (FlowScriptDebugger *self,
                               FlowScriptRun      *run);
void _flow_script_work        (FlowScriptDebugger *self);
void _flow_script_move        (FlowScriptDebugger *self,
                               GTask              *task,
                               FlowMovement        movement,
                               const char         *argument);
void _flow_script_stop        (FlowScriptDebugger *self);
void _flow_script_ended       (FlowScriptDebugger *self,
                               const char         *message);
void _flow_script_let_all_go  (FlowScriptDebugger *self);
void _flow_script_show_graph  (FlowScriptDebugger *self,
                               FlowScriptGraph    *graph);
void _flow_script_show_run    (FlowScriptDebugger *self,
                               FlowScriptRun      *run);
FlowScriptGraph *_flow_script_find_graph (FlowScriptDebugger *self,
                                          guint               id);
gboolean _flow_script_is_wanted (FlowScriptDebugger *self,
                               FlowScriptRun      *run);
void _flow_script_tell_runs   (FlowScriptDebugger *self,
                               gboolean            at_once);
void _flow_script_log_run     (FlowScriptDebugger *self,
                               GVariant           *row);
GVariant *_flow_script_describe_run (FlowScriptRun   *run,
                               gint64              us,
                               const char         *error);
void _flow_script_forget_failed (FlowScriptDebugger *self);
void _flow_script_keep_failed (FlowScriptDebugger *self,
                               FlowScriptRun      *run,
                               const GError       *error);
guint32 _flow_script_show_failed (FlowScriptDebugger *self,
                               const char         *message);
void _flow_script_trail_run   (FlowScriptDebugger *self,
                               FlowScriptRun      *run,
                               GPtrArray          *fetched);
void _flow_script_trail_free  (gpointer            data);
void _flow_script_policy_clear (FlowScriptPolicy  *self);
void _flow_script_graph_free  (gpointer            data);
void _flow_script_session_free (gpointer           data);
void _flow_script_look_at     (FlowScriptDebugger *self,
                               FlowSession        *session,
                               guint               id,
                               guint               graph);
GVariant *_flow_script_list_sessions (FlowScriptDebugger *self,
                               guint               graph);
void _flow_script_drop_view   (FlowScriptDebugger *self);
void _flow_script_set_running (FlowScriptDebugger *self);

/* Methods; @data is the call's task. */
void _flow_script_policy_job  (FlowScriptDebugger *self,
                               gpointer            data);
void _flow_script_runs_job    (FlowScriptDebugger *self,
                               gpointer            data);
void _flow_script_graphs_job  (FlowScriptDebugger *self,
                               gpointer            data);
void _flow_script_show_job    (FlowScriptDebugger *self,
                               gpointer            data);
void _flow_script_show_session_job (FlowScriptDebugger *self,
                               gpointer            data);
void _flow_script_input_job   (FlowScriptDebugger *self,
                               gpointer            data);
void _flow_script_sources_job (FlowScriptDebugger *self,
                               gpointer            data);
void _flow_script_trail_job   (FlowScriptDebugger *self,
                               gpointer            data);

/* Any thread. */
void _flow_script_ask_console (FlowScriptDebugger *self,
                               GTask              *task,
                               GVariant           *arguments);
void _flow_script_reply       (GTask              *task,
                               GVariant           *value);
void _flow_script_push        (FlowScriptDebugger *self,
                               void              (*func) (FlowScriptDebugger *self, gpointer data),
                               gpointer            data);
FlowScriptRun *_flow_script_run_ref (FlowScriptRun *self);
void _flow_script_run_unref   (FlowScriptRun      *self);

G_END_DECLS
