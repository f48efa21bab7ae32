/* script-fixture.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-link.h"

G_BEGIN_DECLS

/* A script in a folder of its own, and a debugger whose engine is its process. */
typedef struct {
  char *folder;
  FlowDebugger *debugger;
  GString *printed;
  GString *ended;
  guint n_stops;
  gboolean python2;            /* scripts are in that language */
} ScriptFixture;

void script_set_up (ScriptFixture *f,
                    gconstpointer  data);
void script_tear_down (ScriptFixture *f,
                       gconstpointer  data);
GVariant *script_call (ScriptFixture *f,
                       const char    *method,
                       GVariant      *arguments);
void script_open (ScriptFixture *f,
                  const char    *text);
FlowDebugState *script_move (ScriptFixture *f,
                             FlowMovement   movement,
                             const char    *argument);
void script_wait_for_text (ScriptFixture *f,
                           const char    *text);
void script_assert_stop (FlowDebugState  *state,
                         FlowDebugStatus  status,
                         FlowStopReason   reason);
char *script_evaluate (ScriptFixture *f,
                       const char    *text);
void script_move_and_forget (ScriptFixture *f,
                             FlowMovement   movement);

G_END_DECLS
