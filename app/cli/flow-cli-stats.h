/* flow-cli-stats.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-cli.h"

G_BEGIN_DECLS

void flow_cli_json_tensor_stats  (JsonBuilder           *builder,
                                  const FlowTensorStats *stats);
void flow_cli_print_tensor_stats (const FlowTensorStats *stats);

G_END_DECLS
