/* flow-value-list-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-infer.h"

G_BEGIN_DECLS

/* FlowValueListFuncs for rows: what shape arithmetic in a graph comes to, as far as it is known while
 * the graph opens. A -1 is an unknown number. */

FlowShape *flow_value_list_shape         (FlowInferContext *c, guint i);
FlowShape *flow_value_list_size          (FlowInferContext *c, guint i);
FlowShape *flow_value_list_rank          (FlowInferContext *c, guint i);
/* Input 0 as it is: Identity, Cast, Reshape, ExpandDims, ... */
FlowShape *flow_value_list_same          (FlowInferContext *c, guint i);
/* The inputs one after the other: Pack of scalars, ConcatV2 of vectors (its axis comes last). */
FlowShape *flow_value_list_pack          (FlowInferContext *c, guint i);
FlowShape *flow_value_list_concat_v2     (FlowInferContext *c, guint i);
FlowShape *flow_value_list_concat        (FlowInferContext *c, guint i);
FlowShape *flow_value_list_slice         (FlowInferContext *c, guint i);
FlowShape *flow_value_list_strided_slice (FlowInferContext *c, guint i);
FlowShape *flow_value_list_gather        (FlowInferContext *c, guint i);
FlowShape *flow_value_list_fill          (FlowInferContext *c, guint i);
FlowShape *flow_value_list_prod          (FlowInferContext *c, guint i);
FlowShape *flow_value_list_add           (FlowInferContext *c, guint i);
FlowShape *flow_value_list_sub           (FlowInferContext *c, guint i);
FlowShape *flow_value_list_mul           (FlowInferContext *c, guint i);
FlowShape *flow_value_list_floor_div     (FlowInferContext *c, guint i);
FlowShape *flow_value_list_maximum       (FlowInferContext *c, guint i);
FlowShape *flow_value_list_minimum       (FlowInferContext *c, guint i);

G_END_DECLS
