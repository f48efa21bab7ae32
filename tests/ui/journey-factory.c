/* journey-factory.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-debugger-factory.h"

/* The engine that was built, not one that is installed. */
FlowDebugger *
flow_debugger_factory_make (gpointer   data,
                            GError   **error)
{
  return flow_link_debugger_new (FLOW_ENGINE_PATH);
}

const char *
flow_debugger_factory_get_engine (void)
{
  return FLOW_ENGINE_PATH;
}
