/* flow-golden-tensor.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Tensors and errors of golden files, as tests/oracle/record_ops.py writes them (the format stands there). */

/* A file, .json or .json.gz. */
GInputStream *flow_golden_open          (const char           *path,
                                         GError              **error);
FlowShape    *flow_golden_read_shape    (JsonArray            *dims);
/* NULL for null. */
FlowTensor   *flow_golden_read_tensor   (JsonNode             *node);
/* NULL if equal: ints, bools and strings exactly, floats within @tolerance * (1 + |expected|), the dtype's own where
 * that is negative; if @relative is not negative, within it times |expected|, numbers too small to be normal being
 * zeros. */
char         *flow_golden_compare       (const FlowTensor     *expected,
                                         const FlowTensor     *got,
                                         double                tolerance,
                                         double                relative);
/* NULL if @error has @code (0: should not have failed) and says @message first. */
char         *flow_golden_compare_error (int                   code,
                                         const char           *message,
                                         const GError         *error);

G_END_DECLS
