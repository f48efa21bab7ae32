/* flow-tensor-text.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

G_BEGIN_DECLS

/**
 * FlowTextOptions:
 * @threshold: with more elements than this, only the edges are shown
 * @edge_items: how many items of each dimension's beginning and end are shown then
 * @precision: digits after the point at most; -1 for as many as the dtype has
 * @line_width: where lines are broken, in characters
 *
 * numpy.set_printoptions() by another name.
 */
typedef struct {
  gint64 threshold;
  int edge_items;
  int precision;
  int line_width;
} FlowTextOptions;

#define FLOW_TEXT_OPTIONS_INIT { 1000, 3, 8, 75 }

FLOW_API char *flow_tensor_to_text      (const FlowTensor      *self,
                                         const FlowTextOptions *options);
FLOW_API char *flow_tensor_element_text (const FlowTensor      *self,
                                         gint64                 i);
FLOW_API char *flow_tensor_summary      (const FlowTensor      *self);

G_END_DECLS
