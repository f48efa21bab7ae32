/* debugger-suite.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-debugger.h"

G_BEGIN_DECLS

/* Makes a debugger without a graph. Every debugger must pass the same tests. */
typedef FlowDebugger *(*DebuggerMaker) (void);

/* Adds the tests under @prefix ("/debugger/local"); how many. */
guint debugger_suite_add (const char    *prefix,
                          DebuggerMaker  make);
/* Its second half: values, comparison, origins, plans. */
guint debugger_suite_add_values (const char    *prefix,
                                 DebuggerMaker  make);

/* Its third: functions that are called. */
guint debugger_suite_add_functions (const char    *prefix,
                                    DebuggerMaker  make);
/* Its fourth: values that are replaced, and expressions over values. */
guint debugger_suite_add_edits (const char    *prefix,
                                DebuggerMaker  make);

G_END_DECLS
