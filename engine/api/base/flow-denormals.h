/* flow-denormals.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-macros.h"

G_BEGIN_DECLS

FLOW_API guint flow_denormals_flush    (void);
FLOW_API guint flow_denormals_get_mode (void);
FLOW_API void  flow_denormals_set_mode (guint mode);

G_END_DECLS
