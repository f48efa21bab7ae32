/* flow-signature-text.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-op-def.h"

G_BEGIN_DECLS

/* TensorFlow's signature text of a row, parsed; NULL with INVALID_ARGUMENT for a slip in our table. */
FlowOpSignature *_flow_signature_parse      (const FlowOpDef  *op,
                                             GError          **error);
/* "float double" or "{float, double}" to a set; named sets such as realnumbertype too. */
gboolean         _flow_signature_parse_types (const char       *text,
                                              FlowDTypeSet     *types);

G_END_DECLS
