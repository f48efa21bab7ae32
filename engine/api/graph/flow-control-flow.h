/* flow-control-flow.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-graph.h"

G_BEGIN_DECLS

#ifndef __GI_SCANNER__

#define FLOW_CONTROL_ROOT 0

/**
 * FlowControlKind: (skip)
 * @FLOW_CONTROL_GRAPH: the graph itself
 * @FLOW_CONTROL_LOOP: what a while loop repeats
 * @FLOW_CONTROL_TRUE: what executes when a condition is true
 * @FLOW_CONTROL_FALSE: likewise, false
 */
typedef enum {
  FLOW_CONTROL_GRAPH,
  FLOW_CONTROL_LOOP,
  FLOW_CONTROL_TRUE,
  FLOW_CONTROL_FALSE,
} FlowControlKind;

/**
 * FlowControlFrame: (skip)
 * @parent: the frame around it, by index
 * @node: of a loop its first Enter, of an arm what its condition is read from
 * @name: of a loop the frame's name as a run has it; of an arm the condition's node. Borrowed from the graph
 */
typedef struct {
  FlowControlKind kind;
  guint32 parent;
  guint32 depth;
  guint32 node;
  const char *name;
} FlowControlFrame;

/**
 * FlowControlFlow: (skip)
 * @frames: the graph itself first, then what is around before what is inside
 * @frame_of: of each node: where it is drawn. Enter and Exit are of their loop, a Switch is of
 *   the only arm that reads it, a Merge is around the arms
 *
 * The loops and conditions of a graph, recovered from Enter, Exit, NextIteration, Switch and Merge.
 */
typedef struct {
  FlowGraph *graph;
  guint n_nodes;
  guint n_frames;
  FlowControlFrame *frames;
  guint32 *frame_of;
} FlowControlFlow;

FLOW_API FlowControlFlow *flow_control_flow_new  (FlowGraph             *graph);
FLOW_API void             flow_control_flow_free (FlowControlFlow       *self);
FLOW_API guint32          flow_control_flow_join (const FlowControlFlow *self,
                                                  guint32                a,
                                                  guint32                b);
FLOW_API gboolean         flow_control_flow_is_in (const FlowControlFlow *self,
                                                  guint32                frame,
                                                  guint32                outer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowControlFlow, flow_control_flow_free)

#endif

G_END_DECLS
