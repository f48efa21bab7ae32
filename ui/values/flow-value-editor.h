/* flow-value-editor.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-ui-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define FLOW_TYPE_VALUE_EDITOR (flow_value_editor_get_type ())

G_DECLARE_FINAL_TYPE (FlowValueEditor, flow_value_editor, FLOW, VALUE_EDITOR, AdwWindow)

GtkWidget *flow_value_editor_new (FlowUiSession *session,
                                  const char    *tensor);

G_END_DECLS
