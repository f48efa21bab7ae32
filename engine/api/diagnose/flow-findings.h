/* flow-findings.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-local-debugger.h"
#include "flow-plan.h"

G_BEGIN_DECLS

/* In the order of their weight. */
typedef enum {
  FLOW_FINDING_NOTE,
  FLOW_FINDING_WARNING,
  FLOW_FINDING_DAMAGE,
} FlowFindingSeverity;

#ifndef __GI_SCANNER__

/**
 * FlowFinding: (skip)
 * @id: which rule found it, such as `update-ops-skipped`
 * @nodes: names of the nodes it is about
 * @text: what it means, and what to do
 *
 * Something that is wrong with a graph or a run, or that is likely not meant.
 */
typedef struct {
  const char *id;
  FlowFindingSeverity severity;
  GPtrArray *nodes;
  char *text;
} FlowFinding;

FLOW_API GPtrArray  *flow_diagnose_graph          (FlowGraph          *graph,
                                                   GPtrArray          *problems);
FLOW_API gboolean    flow_diagnose_targets        (FlowGraph          *graph,
                                                   const char *const  *targets,
                                                   GPtrArray          *findings,
                                                   GError            **error);
FLOW_API void        flow_diagnose_plan           (FlowPlan           *plan,
                                                   const char         *name,
                                                   GPtrArray          *findings);
FLOW_API const char *flow_finding_severity_name   (FlowFindingSeverity severity);

#endif

FLOW_API void        flow_diagnose_serve          (FlowLocalDebugger  *debugger);

G_END_DECLS
