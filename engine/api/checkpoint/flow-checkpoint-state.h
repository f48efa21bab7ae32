/* flow-checkpoint-state.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-error.h"

G_BEGIN_DECLS

/**
 * FlowCheckpointState:
 * @model_checkpoint_path: the newest checkpoint's prefix, as it stands in the file
 * @all_model_checkpoint_paths: (array zero-terminated=1): all that are kept, oldest first
 *
 * What the `checkpoint` file beside checkpoints says.
 */
typedef struct {
  char *model_checkpoint_path;
  char **all_model_checkpoint_paths;
} FlowCheckpointState;

#define FLOW_TYPE_CHECKPOINT_STATE (flow_checkpoint_state_get_type ())

FLOW_API GType                flow_checkpoint_state_get_type (void);
FLOW_API FlowCheckpointState *flow_checkpoint_state_new      (const char                 *model_checkpoint_path,
                                                              const char *const          *all_model_checkpoint_paths);
FLOW_API FlowCheckpointState *flow_checkpoint_state_parse    (const char                 *text,
                                                              gssize                      length,
                                                              GError                    **error);
FLOW_API FlowCheckpointState *flow_checkpoint_state_load     (const char                 *path,
                                                              GError                    **error);
FLOW_API gboolean             flow_checkpoint_state_save     (const FlowCheckpointState  *self,
                                                              const char                 *path,
                                                              GError                    **error);
FLOW_API FlowCheckpointState *flow_checkpoint_state_copy     (const FlowCheckpointState  *self);
FLOW_API void                 flow_checkpoint_state_free     (FlowCheckpointState        *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowCheckpointState, flow_checkpoint_state_free)

G_END_DECLS
