/* flow-link.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-debugger.h"
#include "flow-script-debugger.h"

G_BEGIN_DECLS

/**
 * FlowLinkDebugger:
 *
 * A #FlowDebugger in another process. It starts `flowstep-engine` when it is first asked for
 * something, outlives it, says what ended where, and can start it again and go back to where it was.
 *
 * Open of a file that ends in `.py` starts Python with that script instead: its process is the engine then
 * (#FlowScriptDebugger). Options: argv as, cwd s, python2 b (the script is in the language of
 * Python 2), stdin b (it reads this process's standard input). What the script prints comes as `logged` with the
 * position %G_MAXUINT64. Stop interrupts the script, and ends its process when it does not listen.
 */
#define FLOW_TYPE_LINK_DEBUGGER (flow_link_debugger_get_type ())

FLOW_API G_DECLARE_FINAL_TYPE (FlowLinkDebugger, flow_link_debugger, FLOW, LINK_DEBUGGER, GObject)

FLOW_API FlowDebugger *flow_link_debugger_new            (const char           *engine_path);
FLOW_API int           flow_link_debugger_get_pid        (FlowLinkDebugger     *self);
FLOW_API void          flow_link_debugger_restart_async  (FlowLinkDebugger     *self,
                                                          GCancellable         *cancellable,
                                                          GAsyncReadyCallback   callback,
                                                          gpointer              data);
FLOW_API gboolean      flow_link_debugger_restart_finish (FlowLinkDebugger     *self,
                                                          GAsyncResult         *result,
                                                          GError              **error);

/**
 * FlowLinkService:
 *
 * The engine process's end of the link: serves one #FlowDebugger to the process at the other end of a
 * socket. Signal `closed`: the other end is gone.
 */
#define FLOW_TYPE_LINK_SERVICE (flow_link_service_get_type ())

FLOW_API G_DECLARE_FINAL_TYPE (FlowLinkService, flow_link_service, FLOW, LINK_SERVICE, GObject)

FLOW_API FlowLinkService *flow_link_service_new (int            fd,
                                                 FlowDebugger  *debugger,
                                                 GError       **error);

FLOW_API FlowScriptDebugger *flow_link_serve_script (int       fd,
                                                 GError       **error);

FLOW_API void    flow_link_edit_async      (const char           *engine_path,
                                            const char           *path,
                                            const char *const    *words,
                                            GCancellable         *cancellable,
                                            GAsyncReadyCallback   callback,
                                            gpointer              data);
FLOW_API char   *flow_link_edit_finish     (GAsyncResult         *result,
                                            GError              **error);
FLOW_API GBytes *flow_link_read_meta_graph (const char           *path,
                                            GError              **error);

G_END_DECLS
