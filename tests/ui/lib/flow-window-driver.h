/* flow-window-driver.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <json-glib/json-glib.h>

#include "flow-application.h"
#include "flow-window.h"

G_BEGIN_DECLS

/* A window driven through its actions and read back from `win.state`, as a script would. */

/* The application, once for the program; FALSE and said so where there is no display. */
gboolean    drive_begin           (int        *argc,
                                   char     ***argv);
FlowApplication *drive_get_app    (void);
/* A window with @path in it (nullable), when all is quiet. */
FlowWindow *drive_open            (const char *path);

JsonObject *drive_dup_state       (FlowWindow *window);
const char *drive_state_text      (JsonObject *state,
                                   const char *key);
gint64      drive_state_number    (FlowWindow *window,
                                   const char *key);
void        drive_settle          (FlowWindow *window);
void        drive_activate        (FlowWindow *window,
                                   const char *action,
                                   const char *parameter);
void        drive_assert_state    (FlowWindow *window,
                                   const char *key,
                                   const char *expected);
void        drive_assert_position (FlowWindow *window,
                                   gint64      expected);
void        drive_close           (FlowWindow *window);

G_END_DECLS
