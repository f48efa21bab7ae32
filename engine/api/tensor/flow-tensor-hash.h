/* flow-tensor-hash.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

G_BEGIN_DECLS

/* Fingerprints of values: to see whether a state is the same again, never to find things by. */
FLOW_API guint64 flow_hash_mix    (guint64           h,
                                   guint64           x);
FLOW_API guint64 flow_hash_bytes  (guint64           h,
                                   gconstpointer     data,
                                   gsize             n);
FLOW_API guint64 flow_tensor_hash (const FlowTensor *self,
                                   guint64           h);

G_END_DECLS
