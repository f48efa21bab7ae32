/* flow-checkpoint-path-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Checkpoints as a graph names them, opened as far as it may.
 */

#pragma once

#include "flow-checkpoint.h"
#include "flow-kernel.h"

G_BEGIN_DECLS

/* TF: and the name. */
#define FLOW_NO_CHECKPOINT "Unsuccessful TensorSliceReader constructor: Failed to find any matching files for "

/* A path as the graph has it and as it may be used. */
typedef struct {
  char *given;
  char *resolved;
} FlowGivenPath;

void            _flow_given_path_clear     (FlowGivenPath        *self);
/* String @i as text; refuses zero bytes. */
gboolean        _flow_get_text             (const FlowTensor     *tensor,
                                            gint64                i,
                                            char                **text,
                                            GError              **error);
char           *_flow_resolve              (FlowKernelContext    *c,
                                            const char           *path,
                                            FlowPathAccess        access,
                                            GError              **error);
gboolean        _flow_get_checkpoint_path  (FlowKernelContext    *c,
                                            const FlowTensor     *tensor,
                                            gint64                i,
                                            FlowPathAccess        access,
                                            FlowGivenPath        *path,
                                            GError              **error);
/* Takes @problem; gives FALSE. */
gboolean        _flow_fail_as_given        (const FlowGivenPath  *path,
                                            GError               *problem,
                                            GError              **error);
FlowCheckpoint *_flow_open_for_restore     (FlowKernelContext    *c,
                                            const FlowGivenPath  *path,
                                            GError              **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FlowGivenPath, _flow_given_path_clear)

G_END_DECLS
