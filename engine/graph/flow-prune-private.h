/* flow-prune-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-prune.h"

G_BEGIN_DECLS

/* node -> FlowPruneReading */
GHashTable *_flow_prune_find_readings (FlowPrune *self,
                                       FlowGraph *library);

G_END_DECLS
