/* flow-descriptor.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-error.h"

G_BEGIN_DECLS

#ifndef __GI_SCANNER__

/* Types of fields, as descriptor.proto numbers them. */
typedef enum {
  FLOW_FIELD_DOUBLE = 1,
  FLOW_FIELD_FLOAT,
  FLOW_FIELD_INT64,
  FLOW_FIELD_UINT64,
  FLOW_FIELD_INT32,
  FLOW_FIELD_FIXED64,
  FLOW_FIELD_FIXED32,
  FLOW_FIELD_BOOL,
  FLOW_FIELD_STRING,
  FLOW_FIELD_GROUP,
  FLOW_FIELD_MESSAGE,
  FLOW_FIELD_BYTES,
  FLOW_FIELD_UINT32,
  FLOW_FIELD_ENUM,
  FLOW_FIELD_SFIXED32,
  FLOW_FIELD_SFIXED64,
  FLOW_FIELD_SINT32,
  FLOW_FIELD_SINT64,
} FlowFieldType;

typedef struct _FlowDescriptor FlowDescriptor;
typedef struct _FlowEnumDescriptor FlowEnumDescriptor;
typedef struct _FlowDescriptorPool FlowDescriptorPool;

/**
 * FlowFieldDescriptor: (skip)
 *
 * A field of a message that a program declared: not one of TensorFlow's own.
 */
typedef struct {
  char *name;
  char *full_name;
  guint32 number;
  FlowFieldType type;
  gboolean is_repeated;
  gboolean is_required;
  gboolean is_packed;          /* the file says so */
  gboolean is_packed_by_default; /* or its syntax does */
  int oneof;                   /* of its message; -1: none */
  const FlowDescriptor *message;     /* of messages and groups */
  const FlowEnumDescriptor *enumeration;
  char *type_name;             /* as it stands in the file */
  char *default_text;          /* nullable: none */
  gsize default_length;
} FlowFieldDescriptor;

FLOW_API FlowDescriptorPool *flow_descriptor_pool_new  (GBytes                    *set,
                                                        GError                   **error);
FLOW_API void                flow_descriptor_pool_free (FlowDescriptorPool        *self);
FLOW_API const FlowDescriptor *flow_descriptor_pool_find (const FlowDescriptorPool *self,
                                                        const char                *name);

FLOW_API const FlowFieldDescriptor *flow_descriptor_find_field (const FlowDescriptor *self,
                                                        const char                *name);
FLOW_API const FlowFieldDescriptor *flow_descriptor_find_extension (const FlowDescriptor *self,
                                                        const char                *full_name);
FLOW_API gint32              flow_field_get_default_enum (const FlowFieldDescriptor *self);

FLOW_API GBytes             *flow_descriptor_read_binary (const FlowDescriptor    *self,
                                                        gconstpointer              data,
                                                        gsize                      size);
FLOW_API GBytes             *flow_descriptor_read_text (const FlowDescriptor      *self,
                                                        const char                *text,
                                                        gsize                      length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowDescriptorPool, flow_descriptor_pool_free)

#endif /* __GI_SCANNER__ */

G_END_DECLS
