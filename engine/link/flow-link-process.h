/* flow-link-process.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* flowstep-engine beside this program, or where it is installed. */
char        *_flow_link_find_engine  (void);
/* Starts it with one end of a socket pair; gives the other end. */
GSubprocess *_flow_link_start_engine (const char  *engine_path,
                                      int         *fd,
                                      GError     **error);

/* Python with a script, whose output comes through @process's stdout pipe. @options as of Open. */
GSubprocess *_flow_link_start_script (const char  *engine_path,
                                      const char  *script,
                                      GVariant    *options,
                                      int         *fd,
                                      GError     **error);

/* Adds python3 and `-m MODULE` to @argv, and what it needs to find ours to @launcher; FALSE: there is no Python. */
gboolean     _flow_link_prepare_python (GSubprocessLauncher  *launcher,
                                        const char           *engine_path,
                                        const char           *module,
                                        GPtrArray            *argv,
                                        GError              **error);

G_END_DECLS
