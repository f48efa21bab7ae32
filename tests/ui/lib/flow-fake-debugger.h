/* flow-fake-debugger.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <flowstep.h>

G_BEGIN_DECLS

/**
 * FlowFakeDebugger:
 *
 * A FlowDebugger for tests of the views: it walks a real graph in a legal order but computes nothing;
 * its values are made up. What it answers has the form that flow-debugger.h writes down.
 */
#define FLOW_TYPE_FAKE_DEBUGGER (flow_fake_debugger_get_type ())

G_DECLARE_FINAL_TYPE (FlowFakeDebugger, flow_fake_debugger, FLOW, FAKE_DEBUGGER, GObject)

/* A graph of a dozen nodes in three scopes: what Open gives for the path "fake". */
#define FLOW_FAKE_PATH "fake"
/* The same graph, of a script whose runs are over before they can be planned. */
#define FLOW_FAKE_SCRIPT_PATH "fake-script"

FlowDebugger *flow_fake_debugger_new          (void);
FlowDebugger *flow_fake_debugger_factory      (gpointer           data,
                                               GError           **error);
void          flow_fake_debugger_set_failure  (FlowFakeDebugger  *self,
                                               const char        *node,
                                               const char        *message);
void          flow_fake_debugger_end          (FlowFakeDebugger  *self,
                                               const char        *text);
guint         flow_fake_debugger_get_n_calls  (FlowFakeDebugger  *self,
                                               const char        *method);

G_END_DECLS
