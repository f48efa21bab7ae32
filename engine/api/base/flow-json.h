/* flow-json.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-error.h"

G_BEGIN_DECLS

/* More than the ranks of a tensor's nested lists, and what stands around them. */
#define FLOW_JSON_MAX_DEPTH 300

FLOW_API gboolean flow_json_check (const char  *text,
                                   gssize       length,
                                   guint        max_depth,
                                   GError     **error);
FLOW_API char    *flow_json_mend_numbers (char *json);

G_END_DECLS
