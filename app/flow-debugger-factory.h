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

G_END_DECLS
