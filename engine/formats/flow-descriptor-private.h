/* flow-descriptor-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-descriptor.h"

G_BEGIN_DECLS

struct _FlowDescriptor
{
  char *name;                  /* with its package */
  GPtrArray *fields;           /* of FlowFieldDescriptor */
  GPtrArray *extensions;       /* likewise, declared elsewhere; borrowed from the pool */
  gboolean is_map_entry;
  gboolean is_proto3;
};

typedef struct {
  char *name;
  gint32 number;
} FlowEnumDescriptorValue;

struct _FlowEnumDescriptor
{
  char *name;
  GArray *values;              /* of FlowEnumDescriptorValue */
  gboolean is_proto3;
};

const FlowFieldDescriptor *_flow_descriptor_by_number (const FlowDescriptor     *self,
                                                       guint32                   number);
const FlowFieldDescriptor *_flow_descriptor_by_name   (const FlowDescriptor     *self,
                                                       const char               *name,
                                                       gsize                     length);
const FlowEnumDescriptorValue *_flow_enum_by_name     (const FlowEnumDescriptor *self,
                                                       const char               *name,
                                                       gsize                     length);
const FlowEnumDescriptorValue *_flow_enum_by_number   (const FlowEnumDescriptor *self,
                                                       gint32                    number);

G_END_DECLS
