/* flow-debugger-factory.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-debugger-factory.h"

/*
 * A debugger in an engine process of its own: the window never computes. The process is started when
 * it is first asked for something; one that cannot start says so in the answer.
 */
FlowDebugger *
flow_debugger_factory_make (gpointer   data,
                            GError   **error)
{
  return flow_link_debugger_new (NULL);
}

const char *
flow_debugger_factory_get_engine (void)
{
  return NULL;
}
