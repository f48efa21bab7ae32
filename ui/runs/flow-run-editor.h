/* flow-run-editor.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-ui-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define FLOW_TYPE_RUN_EDITOR (flow_run_editor_get_type ())

G_DECLARE_FINAL_TYPE (FlowRunEditor, flow_run_editor, FLOW, RUN_EDITOR, AdwWindow)

GtkWidget *flow_run_editor_new         (FlowUiSession *session,
                                        const char    *name);
void       flow_run_editor_focus_feeds (FlowRunEditor *self);

G_END_DECLS
