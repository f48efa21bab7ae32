/* flow-script-debugger.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-local-debugger.h"
#include "flow-session.h"

G_BEGIN_DECLS

/**
 * FlowScriptNews:
 * @FLOW_SCRIPT_NOTHING: nothing yet: time is over
 * @FLOW_SCRIPT_DONE: the run has its answer
 * @FLOW_SCRIPT_CONSOLE: a person wants something evaluated where the script stands
 * @FLOW_SCRIPT_CLOSED: nobody looks any more
 *
 * What a thread of a script waits for.
 */
typedef enum {
  FLOW_SCRIPT_NOTHING,
  FLOW_SCRIPT_DONE,
  FLOW_SCRIPT_CONSOLE,
  FLOW_SCRIPT_CLOSED,
} FlowScriptNews;

/**
 * FlowScriptGraphFlags:
 * @FLOW_SCRIPT_GRAPH_CLEARED: tf.reset_default_graph() took it away, and something still points into it
 * @FLOW_SCRIPT_GRAPH_GONE: nothing points into it any more
 */
typedef enum {
  FLOW_SCRIPT_GRAPH_CLEARED = 1 << 0,
  FLOW_SCRIPT_GRAPH_GONE = 1 << 1,
} FlowScriptGraphFlags;

/**
 * FlowScriptSessionFlags:
 * @FLOW_SCRIPT_SESSION_CLOSED: the script has closed it
 * @FLOW_SCRIPT_SESSION_GONE: nothing in the script points to it any more
 */
typedef enum {
  FLOW_SCRIPT_SESSION_CLOSED = 1 << 0,
  FLOW_SCRIPT_SESSION_GONE = 1 << 1,
} FlowScriptSessionFlags;

/**
 * FlowScriptDebugger:
 *
 * A #FlowDebugger over the sessions of a script that runs in this process. Each of the script's runs
 * comes here (flow_script_debugger_begin_run()) and its thread waits for the answer; the runs happen on the kernel thread,
 * one after the other or, where one waits for another, in turns. Whether a run stops at its start and end is for who
 * looks to say. Forward movements that reach the end of a run let the script go on and are done when it stops again.
 *
 * It is served on the main context of the thread that made it; what scripts call may be called from any thread.
 *
 * Methods beside those of #FlowDebugger:
 *
 *  ScriptPolicy   (s words)      -> ()  which runs stop: "start", "end", "never", "skip=N", "every=K", "fetch=NAME",
 *                                       "session=NAME", "thread=NAME", with blanks between; a name's own are "%20"
 *  ScriptRuns     (t from)       -> (aa{sv}) number t, name s, session s, thread s, graph u, fetches as, targets as,
 *                                       feeds a{ss} (what each fed, in words), file s, line u, us x (how long; -1: under way),
 *                                       held_us x (of that, how long a person held it), result s, error s
 *  ScriptGraphs   ()             -> (aa{sv}) id u, label s, nodes u, shown b, stack u (1: the default graph, 2: the one below
 *                                       it, ...; 0: not on the stack), cleared b, sessions a{uv}: each by its number a{sv}
 *                                       name s, closed b, shown b, made s (where)
 *  ScriptShow     (u graph)      -> ()
 *  ScriptShowSession (u session) -> ()  with the values that it has now; FAILED_PRECONDITION before its first run
 *  ScriptInput    (sb text, end) -> ()  for a script that reads its standard input; end: nothing comes after it
 *  ScriptSources  ()             -> (v) of the graph shown: (as files, as functions, a(uuu) frames: file, line,
 *                                       function; aau stacks: frames, one's own first; au nodes: their stacks)
 *  ScriptConsole  (s text)       -> (s output)
 *  ScriptTrail    (s tensor)     -> (a(td)a(td)) of the session's runs that were answered, those before the run in view and
 *                                       those after it: their numbers, and the mean that the tensor had in them or, of a
 *                                       variable, after them. What is asked for is followed from then on, numbers that the
 *                                       script fetches from the beginning
 */
#define FLOW_TYPE_SCRIPT_DEBUGGER (flow_script_debugger_get_type ())

FLOW_API G_DECLARE_FINAL_TYPE (FlowScriptDebugger, flow_script_debugger, FLOW, SCRIPT_DEBUGGER, GObject)

FLOW_API FlowScriptDebugger *flow_script_debugger_new (void);
FLOW_API FlowLocalDebugger *flow_script_debugger_get_local (FlowScriptDebugger *self);
FLOW_API FlowScriptNews flow_script_debugger_wait_begin  (FlowScriptDebugger  *self,
                                                          guint                ms);
FLOW_API void           flow_script_debugger_set_collections (FlowScriptDebugger *self,
                                                          FlowGraph           *graph,
                                                          GBytes              *meta_graph);
FLOW_API void           flow_script_debugger_show_graph  (FlowScriptDebugger  *self,
                                                          guint                id,
                                                          const char          *label,
                                                          FlowScriptGraphFlags flags,
                                                          FlowGraph           *graph,
                                                          GVariant            *sources);
FLOW_API void           flow_script_debugger_set_stack   (FlowScriptDebugger  *self,
                                                          GVariant            *ids);
FLOW_API void           flow_script_debugger_show_session (FlowScriptDebugger *self,
                                                          guint                id,
                                                          const char          *name,
                                                          guint                graph,
                                                          const char          *made,
                                                          FlowScriptSessionFlags flags,
                                                          FlowSession         *session);
FLOW_API guint64        flow_script_debugger_begin_run   (FlowScriptDebugger  *self,
                                                          FlowSession         *session,
                                                          GVariant            *about,
                                                          const char *const   *feeds,
                                                          GPtrArray           *values,
                                                          const char *const   *fetches,
                                                          const char *const   *targets,
                                                          gint64               timeout_ms,
                                                          GCancellable        *cancellable);
FLOW_API GPtrArray     *flow_script_debugger_run_within  (FlowScriptDebugger  *self,
                                                          FlowSession         *session,
                                                          GVariant            *about,
                                                          const char *const   *feeds,
                                                          GPtrArray           *values,
                                                          const char *const   *fetches,
                                                          const char *const   *targets,
                                                          gint64               timeout_ms,
                                                          GCancellable        *cancellable,
                                                          GError             **error);
FLOW_API FlowScriptNews flow_script_debugger_wait        (FlowScriptDebugger  *self,
                                                          guint64              run,
                                                          guint                ms);
FLOW_API GPtrArray     *flow_script_debugger_take_values (FlowScriptDebugger  *self,
                                                          guint64              run,
                                                          GError             **error);
FLOW_API char          *flow_script_debugger_take_console (FlowScriptDebugger *self);
FLOW_API void           flow_script_debugger_answer_console (FlowScriptDebugger *self,
                                                          const char          *output);
FLOW_API char          *flow_script_debugger_wait_input  (FlowScriptDebugger  *self,
                                                          guint                ms);
FLOW_API void           flow_script_debugger_end         (FlowScriptDebugger  *self,
                                                          const char          *error,
                                                          const char          *file,
                                                          guint                line);
FLOW_API void           flow_script_debugger_detach      (FlowScriptDebugger  *self);

G_END_DECLS
