/* flow-structure.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-colouring.h"

G_BEGIN_DECLS

typedef struct _FlowStructureJob FlowStructureJob;

FlowStructureJob *flow_structure_job_new  (const FlowScene  *scene);
FlowColouring    *flow_structure_job_run  (FlowStructureJob *self);
void              flow_structure_job_free (FlowStructureJob *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowStructureJob, flow_structure_job_free)

G_END_DECLS
