/* debugger-fixture.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "debugger-suite.h"

/* A debugger over a small training graph, and short words to drive it with. */

typedef struct {
  FlowDebugger *debugger;
  char *folder;
} Fixture;

FlowDebuggerReply *call (Fixture *f, const char *method, GVariant *arguments);
void call_plain (Fixture *f, const char *method, GVariant *arguments);
GVariant *call_value (Fixture *f, const char *method, GVariant *arguments);
FlowDebugState *move (Fixture *f, FlowMovement movement, const char *argument);
void assert_move (Fixture *f, FlowMovement movement, const char *argument, const char *expected);
FlowTensor *value_at (Fixture *f, const char *tensor, guint64 position, const char *state);
void assert_value (Fixture *f, const char *tensor, guint64 position, gint64 i, double expected);
double variable (Fixture *f, const char *name, const char *when, gint64 i);
guint8 state_of (Fixture *f, const char *node);
char *path_in (Fixture *f, const char *name);
void set_up (Fixture *f, gconstpointer data);
void tear_down (Fixture *f, gconstpointer data);
void choose (Fixture *f, const char *run);
guint add_breakpoint (Fixture *f, const char *text);
const char *name_of (Fixture *f, guint32 node);
void write_file (const char *path, GBytes *bytes);
