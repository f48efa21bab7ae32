/* flowstep.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

/* The engine's public headers, ground floor first. */
#include "flow-budget.h"
#include "flow-crc32c.h"
#include "flow-denormals.h"
#include "flow-dtype.h"
#include "flow-error.h"
#include "flow-json.h"
#include "flow-macros.h"
#include "flow-parallel.h"
#include "flow-proto-reader.h"
#include "flow-proto-writer.h"
#include "flow-util.h"

#include "flow-handle.h"
#include "flow-npy.h"
#include "flow-npz.h"
#include "flow-shape.h"
#include "flow-tensor.h"
#include "flow-tensor-cast.h"
#include "flow-tensor-compare.h"
#include "flow-tensor-hash.h"
#include "flow-tensor-stats.h"
#include "flow-tensor-text.h"
#include "flow-variant.h"

#include "flow-attr.h"
#include "flow-collection.h"
#include "flow-control-flow.h"
#include "flow-function.h"
#include "flow-gradient.h"
#include "flow-graph.h"
#include "flow-graph-columns.h"
#include "flow-graph-reading.h"
#include "flow-infer.h"
#include "flow-op-def.h"
#include "flow-prune.h"

#include "flow-event-file.h"
#include "flow-graph-pack.h"
#include "flow-model.h"
#include "flow-record-reader.h"
#include "flow-tensor-proto.h"
#include "flow-descriptor.h"
#include "flow-text-proto.h"

#include "flow-bundle-writer.h"
#include "flow-checkpoint.h"
#include "flow-checkpoint-match.h"
#include "flow-checkpoint-state.h"

#include "flow-kernel.h"
#include "flow-resource.h"
#include "flow-summarize.h"
#include "flow-variable.h"

#include "flow-kernel-thread.h"
#include "flow-plan.h"
#include "flow-run.h"
#include "flow-run-file.h"
#include "flow-run-list.h"
#include "flow-script-call.h"
#include "flow-session.h"
#include "flow-undo.h"

#include "flow-debugger.h"
#include "flow-local-debugger.h"
#include "flow-script-debugger.h"
#include "flow-stepper.h"

#include "flow-error-text.h"
#include "flow-findings.h"
#include "flow-graph-variables.h"
#include "flow-builder.h"

#include "flow-link.h"
