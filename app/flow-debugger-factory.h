/* flow-debugger-factory.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <flowstep.h>

G_BEGIN_DECLS

/* The one place that says what kind of debugger a window drives. */
FlowDebugger *flow_debugger_factory_make (gpointer   data,
                                          GError   **error);
/* The engine program that it starts; NULL: the one beside this program, or the installed one. */
const char   *flow_debugger_factory_get_engine (void);

G_END_DECLS
