/* flow-proto-schema-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-proto-reader.h"

G_BEGIN_DECLS

/* What TensorFlow's messages are made of: names, numbers and types of their fields. One table serves
 * the text format (both ways), the decoding of collections and the naming of damaged fields. */

typedef enum {
  FLOW_PROTO_DOUBLE,
  FLOW_PROTO_FLOAT,
  FLOW_PROTO_INT32,
  FLOW_PROTO_INT64,
  FLOW_PROTO_UINT32,
  FLOW_PROTO_UINT64,
  FLOW_PROTO_SINT64,
  FLOW_PROTO_FIXED32,
  FLOW_PROTO_FIXED64,
  FLOW_PROTO_BOOL,
  FLOW_PROTO_STRING,
  FLOW_PROTO_BYTES,
  FLOW_PROTO_ENUM,
  FLOW_PROTO_MESSAGE,
} FlowProtoType;

typedef enum {
  FLOW_PROTO_REPEATED = 1 << 0,
  FLOW_PROTO_MAP = 1 << 1,     /* repeated message of key (1) and value (2) */
} FlowProtoFlags;

typedef struct {
  guint16 number;
  guint8 type;                 /* FlowProtoType */
  guint8 flags;                /* FlowProtoFlags */
  guint8 oneof;                /* 1, 2, ...: which oneof of its message it is in; 0 none */
  guint8 ref;                  /* its FlowProtoMessageId or FlowProtoEnumId */
  const char *name;
} FlowProtoField;

typedef struct {
  const char *name;            /* without the package: "AttrValue.ListValue" */
  guint n_fields;
  const FlowProtoField *fields; /* sorted by number */
} FlowProtoMessage;

typedef struct {
  int number;
  const char *name;
} FlowProtoEnumValue;

typedef struct {
  const char *name;
  guint n_values;
  const FlowProtoEnumValue *values;
} FlowProtoEnum;

typedef enum {
  FLOW_MESSAGE_ANY,
  FLOW_MESSAGE_ASSET_FILE_DEF,
  FLOW_MESSAGE_ATTR_VALUE,
  FLOW_MESSAGE_ATTR_VALUE_LIST_VALUE,
  FLOW_MESSAGE_BOUNDED_TENSOR_SPEC_PROTO,
  FLOW_MESSAGE_CAPTURED_TENSOR,
  FLOW_MESSAGE_CHECKPOINT_STATE,
  FLOW_MESSAGE_COLLECTION_DEF,
  FLOW_MESSAGE_COLLECTION_DEF_ANY_LIST,
  FLOW_MESSAGE_COLLECTION_DEF_BYTES_LIST,
  FLOW_MESSAGE_COLLECTION_DEF_FLOAT_LIST,
  FLOW_MESSAGE_COLLECTION_DEF_INT64_LIST,
  FLOW_MESSAGE_COLLECTION_DEF_NODE_LIST,
  FLOW_MESSAGE_COND_CONTEXT_DEF,
  FLOW_MESSAGE_CONTROL_FLOW_CONTEXT_DEF,
  FLOW_MESSAGE_DICT_VALUE,
  FLOW_MESSAGE_DICT_VALUE_FIELDS_ENTRY,
  FLOW_MESSAGE_FULL_TYPE_DEF,
  FLOW_MESSAGE_FUNCTION_DEF,
  FLOW_MESSAGE_FUNCTION_DEF_ARG_ATTRS,
  FLOW_MESSAGE_FUNCTION_DEF_ARG_ATTRS_ATTR_ENTRY,
  FLOW_MESSAGE_FUNCTION_DEF_ARG_ATTR_ENTRY,
  FLOW_MESSAGE_FUNCTION_DEF_ATTR_ENTRY,
  FLOW_MESSAGE_FUNCTION_DEF_CONTROL_RET_ENTRY,
  FLOW_MESSAGE_FUNCTION_DEF_LIBRARY,
  FLOW_MESSAGE_FUNCTION_DEF_RESOURCE_ARG_UNIQUE_ID_ENTRY,
  FLOW_MESSAGE_FUNCTION_DEF_RET_ENTRY,
  FLOW_MESSAGE_FUNCTION_SPEC,
  FLOW_MESSAGE_GRADIENT_DEF,
  FLOW_MESSAGE_GRAPH_DEBUG_INFO,
  FLOW_MESSAGE_GRAPH_DEBUG_INFO_FILE_LINE_COL,
  FLOW_MESSAGE_GRAPH_DEBUG_INFO_FRAMES_BY_ID_ENTRY,
  FLOW_MESSAGE_GRAPH_DEBUG_INFO_NAME_TO_TRACE_ID_ENTRY,
  FLOW_MESSAGE_GRAPH_DEBUG_INFO_STACK_TRACE,
  FLOW_MESSAGE_GRAPH_DEBUG_INFO_TRACES_BY_ID_ENTRY,
  FLOW_MESSAGE_GRAPH_DEBUG_INFO_TRACES_ENTRY,
  FLOW_MESSAGE_GRAPH_DEF,
  FLOW_MESSAGE_LIST_VALUE,
  FLOW_MESSAGE_META_GRAPH_DEF,
  FLOW_MESSAGE_META_GRAPH_DEF_COLLECTION_DEF_ENTRY,
  FLOW_MESSAGE_META_GRAPH_DEF_META_INFO_DEF,
  FLOW_MESSAGE_META_GRAPH_DEF_META_INFO_DEF_FUNCTION_ALIASES_ENTRY,
  FLOW_MESSAGE_META_GRAPH_DEF_SIGNATURE_DEF_ENTRY,
  FLOW_MESSAGE_NAMED_TUPLE_VALUE,
  FLOW_MESSAGE_NAME_ATTR_LIST,
  FLOW_MESSAGE_NAME_ATTR_LIST_ATTR_ENTRY,
  FLOW_MESSAGE_NODE_DEF,
  FLOW_MESSAGE_NODE_DEF_ATTR_ENTRY,
  FLOW_MESSAGE_NODE_DEF_EXPERIMENTAL_DEBUG_INFO,
  FLOW_MESSAGE_NONE_VALUE,
  FLOW_MESSAGE_OP_DEF,
  FLOW_MESSAGE_OP_DEF_ARG_DEF,
  FLOW_MESSAGE_OP_DEF_ATTR_DEF,
  FLOW_MESSAGE_OP_DEPRECATION,
  FLOW_MESSAGE_OP_LIST,
  FLOW_MESSAGE_PAIR_VALUE,
  FLOW_MESSAGE_QUEUE_RUNNER_DEF,
  FLOW_MESSAGE_REGISTERED_GRADIENT,
  FLOW_MESSAGE_RESOURCE_HANDLE_PROTO,
  FLOW_MESSAGE_RESOURCE_HANDLE_PROTO_DTYPE_AND_SHAPE,
  FLOW_MESSAGE_SAVEABLE_OBJECT,
  FLOW_MESSAGE_SAVED_ASSET,
  FLOW_MESSAGE_SAVED_BARE_CONCRETE_FUNCTION,
  FLOW_MESSAGE_SAVED_CONCRETE_FUNCTION,
  FLOW_MESSAGE_SAVED_CONSTANT,
  FLOW_MESSAGE_SAVED_FUNCTION,
  FLOW_MESSAGE_SAVED_MODEL,
  FLOW_MESSAGE_SAVED_OBJECT,
  FLOW_MESSAGE_SAVED_OBJECT_GRAPH,
  FLOW_MESSAGE_SAVED_OBJECT_GRAPH_CONCRETE_FUNCTIONS_ENTRY,
  FLOW_MESSAGE_SAVED_OBJECT_SAVEABLE_OBJECTS_ENTRY,
  FLOW_MESSAGE_SAVED_RESOURCE,
  FLOW_MESSAGE_SAVED_USER_OBJECT,
  FLOW_MESSAGE_SAVED_VARIABLE,
  FLOW_MESSAGE_SAVER_DEF,
  FLOW_MESSAGE_SAVE_SLICE_INFO_DEF,
  FLOW_MESSAGE_SIGNATURE_DEF,
  FLOW_MESSAGE_SIGNATURE_DEF_DEFAULTS_ENTRY,
  FLOW_MESSAGE_SIGNATURE_DEF_INPUTS_ENTRY,
  FLOW_MESSAGE_SIGNATURE_DEF_OUTPUTS_ENTRY,
  FLOW_MESSAGE_STRUCTURED_VALUE,
  FLOW_MESSAGE_TENSOR_INFO,
  FLOW_MESSAGE_TENSOR_INFO_COMPOSITE_TENSOR,
  FLOW_MESSAGE_TENSOR_INFO_COO_SPARSE,
  FLOW_MESSAGE_TENSOR_PROTO,
  FLOW_MESSAGE_TENSOR_SHAPE_PROTO,
  FLOW_MESSAGE_TENSOR_SHAPE_PROTO_DIM,
  FLOW_MESSAGE_TENSOR_SPEC_PROTO,
  FLOW_MESSAGE_TRACKABLE_OBJECT_GRAPH_TRACKABLE_OBJECT_OBJECT_REFERENCE,
  FLOW_MESSAGE_TRACKABLE_OBJECT_GRAPH_TRACKABLE_OBJECT_SLOT_VARIABLE_REFERENCE,
  FLOW_MESSAGE_TUPLE_VALUE,
  FLOW_MESSAGE_TYPE_SPEC_PROTO,
  FLOW_MESSAGE_VALUES_DEF,
  FLOW_MESSAGE_VALUES_DEF_EXTERNAL_VALUES_ENTRY,
  FLOW_MESSAGE_VARIABLE_DEF,
  FLOW_MESSAGE_VARIANT_TENSOR_DATA_PROTO,
  FLOW_MESSAGE_VERSION_DEF,
  FLOW_MESSAGE_WHILE_CONTEXT_DEF,
  FLOW_N_MESSAGES
} FlowProtoMessageId;

typedef enum {
  FLOW_ENUM_CODE,
  FLOW_ENUM_DATA_TYPE,
  FLOW_ENUM_FULL_TYPE_ID,
  FLOW_ENUM_FUNCTION_SPEC_JIT_COMPILE,
  FLOW_ENUM_SAVER_DEF_CHECKPOINT_FORMAT_VERSION,
  FLOW_ENUM_TYPE_SPEC_PROTO_TYPE_SPEC_CLASS,
  FLOW_ENUM_VARIABLE_AGGREGATION,
  FLOW_ENUM_VARIABLE_SYNCHRONIZATION,
  FLOW_N_ENUMS
} FlowProtoEnumId;

extern const FlowProtoMessage flow_proto_messages[FLOW_N_MESSAGES];
extern const FlowProtoEnum flow_proto_enums[FLOW_N_ENUMS];

const FlowProtoMessage *_flow_proto_message_lookup    (const char             *name);
const FlowProtoField   *_flow_proto_message_by_number (const FlowProtoMessage *self,
                                                       guint32                 number);
const FlowProtoField   *_flow_proto_message_by_name   (const FlowProtoMessage *self,
                                                       const char             *name,
                                                       gsize                   length);
const char             *_flow_proto_enum_value_name   (FlowProtoEnumId         id,
                                                       int                     number);
gboolean                _flow_proto_enum_value_number (FlowProtoEnumId         id,
                                                       const char             *name,
                                                       gsize                   length,
                                                       int                    *number);
FlowWireType            _flow_proto_type_wire         (FlowProtoType           type);
char                   *_flow_proto_locate            (const FlowProtoMessage *message,
                                                       const guint8           *data,
                                                       gsize                   size,
                                                       gsize                   offset);

static inline const FlowProtoMessage *
flow_proto_field_message (const FlowProtoField *field)
{
  return &flow_proto_messages[field->ref];
}

static inline gboolean
flow_proto_field_is_packed (const FlowProtoField *field)
{
  return (field->flags & FLOW_PROTO_REPEATED) != 0 && field->type != FLOW_PROTO_STRING &&
         field->type != FLOW_PROTO_BYTES && field->type != FLOW_PROTO_MESSAGE;
}

G_END_DECLS
