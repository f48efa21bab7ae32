/* flow-summarize.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

G_BEGIN_DECLS

FLOW_API char *flow_tensor_summarize (const FlowTensor *self,
                                      gint64            max_entries);

G_END_DECLS
