/* flow-picture.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

G_BEGIN_DECLS

/* An encoded picture, such as an event file keeps, as uint8 [height, width, channels]. */
FLOW_API FlowTensor *flow_picture_decode (GBytes      *bytes,
                                          FlowBudget  *budget,
                                          GError     **error);

G_END_DECLS
