/* flow-start-page.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FLOW_TYPE_START_PAGE (flow_start_page_get_type ())

G_DECLARE_FINAL_TYPE (FlowStartPage, flow_start_page, FLOW, START_PAGE, AdwBin)

G_END_DECLS
