/* fake-window-factory.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-debugger-factory.h"
#include "flow-fake-debugger.h"

/* Windows of tests drive the fake: no engine process, no waiting. */
FlowDebugger *
flow_debugger_factory_make (gpointer   data,
                            GError   **error)
{
  return flow_fake_debugger_new ();
}

const char *
flow_debugger_factory_get_engine (void)
{
  return NULL;
}
