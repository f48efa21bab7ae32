/* flow-cli-console.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-cli-runs.h"

/* A debugger on standard input and output: one command a line, one JSON answer a line. Drives the same
 * interface as the window. */

typedef struct {
  FlowCli *cli;
  FlowDebugger *debugger;
  char *level;                 /* the scope that is open: what lies in it are closed boxes */
  gboolean done;
} FlowCliConsole;

void     flow_cli_console_print_failure  (const GError    *error);
void     flow_cli_console_print_state    (FlowCliConsole  *self,
                                          FlowDebugState  *state);
void     flow_cli_console_print_value    (const char      *key,
                                          GVariant        *value);
/* NULL after an error was printed. */
FlowDebuggerReply *flow_cli_console_call (FlowCliConsole  *self,
                                          const char      *method,
                                          GVariant        *arguments);
/* A call whose answer is of no interest but that it was one. */
void     flow_cli_console_call_plain     (FlowCliConsole  *self,
                                          const char      *method,
                                          GVariant        *arguments);
/* The first value of the answer's tuple, under a key. */
void     flow_cli_console_call_value     (FlowCliConsole  *self,
                                          const char      *key,
                                          const char      *method,
                                          GVariant        *arguments);
/* FALSE where @word is no movement. */
gboolean flow_cli_console_move           (FlowCliConsole  *self,
                                          const char      *word,
                                          const char      *argument);
