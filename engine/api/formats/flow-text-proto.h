/* flow-text-proto.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-error.h"

G_BEGIN_DECLS

FLOW_API GBytes *flow_text_to_proto  (const char  *message,
                                      GBytes      *text,
                                      const char  *label,
                                      GError     **error);
FLOW_API GBytes *flow_proto_to_text  (const char  *message,
                                      GBytes      *encoded,
                                      const char  *label,
                                      GError     **error);

FLOW_API char   *flow_proto_describe (const char  *message);

G_END_DECLS
