/* flow-application.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FLOW_TYPE_APPLICATION (flow_application_get_type ())

G_DECLARE_FINAL_TYPE (FlowApplication, flow_application, FLOW, APPLICATION, AdwApplication)

FlowApplication *flow_application_new (void);

G_END_DECLS
