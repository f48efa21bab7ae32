/* flow-message-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the ops of protocol buffers share: which message a node is about, and what dtypes its fields have.
 */

#pragma once

#include "flow-descriptor.h"
#include "flow-kernel.h"
#include "flow-proto-reader.h"

G_BEGIN_DECLS

typedef struct {
  FlowWireType wire;
  int cpp_type;                /* as FieldDescriptor numbers them: messages name it */
  const char *name;
  int dtypes[2];
} FlowFieldTypeInfo;

/* By FlowFieldType. */
extern const FlowFieldTypeInfo _flow_field_types[FLOW_FIELD_SINT64 + 1];

gboolean _flow_field_is_compatible      (FlowFieldType            type,
                                         int                      dtype);

/* Construct and destruct of both ops: what a node holds itself is read once. */
gpointer _flow_message_source_construct (FlowKernelConstruction  *c,
                                         GError                 **error);
void     _flow_message_source_destruct  (gpointer                 source);
/* The message that the node is about; @own is a pool that is to be freed. */
const FlowDescriptor *_flow_message_find (FlowKernelContext      *c,
                                         FlowDescriptorPool     **own,
                                         GError                 **error);

G_END_DECLS
