/* flow-tensor-proto.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-proto-writer.h"
#include "flow-attr.h"

G_BEGIN_DECLS

FLOW_API FlowTensor *flow_tensor_from_proto        (GBytes             *encoded,
                                                    FlowBudget         *budget,
                                                    GError            **error);
FLOW_API GBytes     *flow_tensor_to_proto          (const FlowTensor   *tensor,
                                                    GError            **error);
FLOW_API GBytes     *flow_constant_to_proto        (const FlowTensor   *value,
                                                    const FlowShape    *shape,
                                                    GError            **error);

FLOW_API GBytes     *flow_tensor_to_content_proto  (const FlowTensor   *tensor,
                                                    GError            **error);

FLOW_API FlowAttr   *flow_attr_new_tensor_from_proto (GBytes           *encoded,
                                                    GError            **error);

#ifndef __GI_SCANNER__
FLOW_API FlowTensor *flow_tensor_decode_constant   (GBytes             *encoded,
                                                    GError            **error);
FLOW_API void        flow_tensor_write_proto       (const FlowTensor   *tensor,
                                                    FlowProtoWriter    *writer);
FLOW_API FlowShape  *flow_shape_read_proto         (FlowProtoReader    *reader,
                                                    gboolean            is_partial,
                                                    GError            **error);
FLOW_API void        flow_shape_write_proto        (const FlowShape    *shape,
                                                    FlowProtoWriter    *writer);
#endif

G_END_DECLS
