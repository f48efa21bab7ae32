/* flow-proto-schema-tables.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-proto-schema-private.h"

/* One row a field: number, name, type. TensorFlow 1.15's messages with the fields that releases up
 * to 2.15 added, since files of those are opened too. */
#define ONE(number, name, type) \
  { number, FLOW_PROTO_##type, 0, 0, 0, name }
#define MANY(number, name, type) \
  { number, FLOW_PROTO_##type, FLOW_PROTO_REPEATED, 0, 0, name }
#define ONEOF(n, number, name, type) \
  { number, FLOW_PROTO_##type, 0, n, 0, name }
#define ENUM(number, name, id) \
  { number, FLOW_PROTO_ENUM, 0, 0, FLOW_ENUM_##id, name }
#define ENUMS(number, name, id) \
  { number, FLOW_PROTO_ENUM, FLOW_PROTO_REPEATED, 0, FLOW_ENUM_##id, name }
#define ENUM_OF(n, number, name, id) \
  { number, FLOW_PROTO_ENUM, 0, n, FLOW_ENUM_##id, name }
#define MSG(number, name, id) \
  { number, FLOW_PROTO_MESSAGE, 0, 0, FLOW_MESSAGE_##id, name }
#define MSGS(number, name, id) \
  { number, FLOW_PROTO_MESSAGE, FLOW_PROTO_REPEATED, 0, FLOW_MESSAGE_##id, name }
#define MSG_OF(n, number, name, id) \
  { number, FLOW_PROTO_MESSAGE, 0, n, FLOW_MESSAGE_##id, name }
#define MAP(number, name, id) \
  { number, FLOW_PROTO_MESSAGE, FLOW_PROTO_REPEATED | FLOW_PROTO_MAP, 0, FLOW_MESSAGE_##id, name }

static const FlowProtoField any_fields[] = {
  ONE (1, "type_url", STRING),
  ONE (2, "value", BYTES),
};

static const FlowProtoField asset_file_def_fields[] = {
  MSG (1, "tensor_info", TENSOR_INFO),
  ONE (2, "filename", STRING),
};

static const FlowProtoField attr_value_fields[] = {
  MSG_OF (1, 1, "list", ATTR_VALUE_LIST_VALUE),
  ONEOF (1, 2, "s", BYTES),
  ONEOF (1, 3, "i", INT64),
  ONEOF (1, 4, "f", FLOAT),
  ONEOF (1, 5, "b", BOOL),
  ENUM_OF (1, 6, "type", DATA_TYPE),
  MSG_OF (1, 7, "shape", TENSOR_SHAPE_PROTO),
  MSG_OF (1, 8, "tensor", TENSOR_PROTO),
  ONEOF (1, 9, "placeholder", STRING),
  MSG_OF (1, 10, "func", NAME_ATTR_LIST),
};

static const FlowProtoField attr_value_list_value_fields[] = {
  MANY (2, "s", BYTES),
  MANY (3, "i", INT64),
  MANY (4, "f", FLOAT),
  MANY (5, "b", BOOL),
  ENUMS (6, "type", DATA_TYPE),
  MSGS (7, "shape", TENSOR_SHAPE_PROTO),
  MSGS (8, "tensor", TENSOR_PROTO),
  MSGS (9, "func", NAME_ATTR_LIST),
};

static const FlowProtoField bounded_tensor_spec_proto_fields[] = {
  ONE (1, "name", STRING),
  MSG (2, "shape", TENSOR_SHAPE_PROTO),
  ENUM (3, "dtype", DATA_TYPE),
  MSG (4, "minimum", TENSOR_PROTO),
  MSG (5, "maximum", TENSOR_PROTO),
};

static const FlowProtoField captured_tensor_fields[] = {
  ONE (1, "name", STRING),
  ONE (2, "concrete_function", STRING),
};

static const FlowProtoField checkpoint_state_fields[] = {
  ONE (1, "model_checkpoint_path", STRING),
  MANY (2, "all_model_checkpoint_paths", STRING),
  MANY (3, "all_model_checkpoint_timestamps", DOUBLE),
  ONE (4, "last_preserved_timestamp", DOUBLE),
};

static const FlowProtoField collection_def_fields[] = {
  MSG_OF (1, 1, "node_list", COLLECTION_DEF_NODE_LIST),
  MSG_OF (1, 2, "bytes_list", COLLECTION_DEF_BYTES_LIST),
  MSG_OF (1, 3, "int64_list", COLLECTION_DEF_INT64_LIST),
  MSG_OF (1, 4, "float_list", COLLECTION_DEF_FLOAT_LIST),
  MSG_OF (1, 5, "any_list", COLLECTION_DEF_ANY_LIST),
};

static const FlowProtoField collection_def_any_list_fields[] = {
  MSGS (1, "value", ANY),
};

static const FlowProtoField collection_def_bytes_list_fields[] = {
  MANY (1, "value", BYTES),
};

static const FlowProtoField collection_def_float_list_fields[] = {
  MANY (1, "value", FLOAT),
};

static const FlowProtoField collection_def_int64_list_fields[] = {
  MANY (1, "value", INT64),
};

static const FlowProtoField collection_def_node_list_fields[] = {
  MANY (1, "value", STRING),
};

static const FlowProtoField cond_context_def_fields[] = {
  ONE (1, "context_name", STRING),
  ONE (2, "pred_name", STRING),
  ONE (3, "pivot_name", STRING),
  ONE (4, "branch", INT32),
  MSG (5, "values_def", VALUES_DEF),
  MSGS (6, "nested_contexts", CONTROL_FLOW_CONTEXT_DEF),
};

static const FlowProtoField control_flow_context_def_fields[] = {
  MSG_OF (1, 1, "cond_ctxt", COND_CONTEXT_DEF),
  MSG_OF (1, 2, "while_ctxt", WHILE_CONTEXT_DEF),
};

static const FlowProtoField dict_value_fields[] = {
  MAP (1, "fields", DICT_VALUE_FIELDS_ENTRY),
};

static const FlowProtoField dict_value_fields_entry_fields[] = {
  ONE (1, "key", STRING),
  MSG (2, "value", STRUCTURED_VALUE),
};

static const FlowProtoField full_type_def_fields[] = {
  ENUM (1, "type_id", FULL_TYPE_ID),
  MSGS (2, "args", FULL_TYPE_DEF),
  ONEOF (1, 3, "s", STRING),
  ONEOF (1, 4, "i", INT64),
};

static const FlowProtoField function_def_fields[] = {
  MSG (1, "signature", OP_DEF),
  MSGS (3, "node_def", NODE_DEF),
  MAP (4, "ret", FUNCTION_DEF_RET_ENTRY),
  MAP (5, "attr", FUNCTION_DEF_ATTR_ENTRY),
  MAP (6, "control_ret", FUNCTION_DEF_CONTROL_RET_ENTRY),
  MAP (7, "arg_attr", FUNCTION_DEF_ARG_ATTR_ENTRY),
  MAP (8, "resource_arg_unique_id", FUNCTION_DEF_RESOURCE_ARG_UNIQUE_ID_ENTRY),
};

static const FlowProtoField function_def_arg_attrs_fields[] = {
  MAP (1, "attr", FUNCTION_DEF_ARG_ATTRS_ATTR_ENTRY),
};

static const FlowProtoField function_def_arg_attrs_attr_entry_fields[] = {
  ONE (1, "key", STRING),
  MSG (2, "value", ATTR_VALUE),
};

static const FlowProtoField function_def_arg_attr_entry_fields[] = {
  ONE (1, "key", UINT32),
  MSG (2, "value", FUNCTION_DEF_ARG_ATTRS),
};

static const FlowProtoField function_def_attr_entry_fields[] = {
  ONE (1, "key", STRING),
  MSG (2, "value", ATTR_VALUE),
};

static const FlowProtoField function_def_control_ret_entry_fields[] = {
  ONE (1, "key", STRING),
  ONE (2, "value", STRING),
};

static const FlowProtoField function_def_library_fields[] = {
  MSGS (1, "function", FUNCTION_DEF),
  MSGS (2, "gradient", GRADIENT_DEF),
  MSGS (3, "registered_gradients", REGISTERED_GRADIENT),
};

static const FlowProtoField function_def_resource_arg_unique_id_entry_fields[] = {
  ONE (1, "key", UINT32),
  ONE (2, "value", UINT32),
};

static const FlowProtoField function_def_ret_entry_fields[] = {
  ONE (1, "key", STRING),
  ONE (2, "value", STRING),
};

static const FlowProtoField function_spec_fields[] = {
  MSG (1, "fullargspec", STRUCTURED_VALUE),
  ONE (2, "is_method", BOOL),
  MSG (5, "input_signature", STRUCTURED_VALUE),
  ENUM (6, "jit_compile", FUNCTION_SPEC_JIT_COMPILE),
};

static const FlowProtoField gradient_def_fields[] = {
  ONE (1, "function_name", STRING),
  ONE (2, "gradient_func", STRING),
};

static const FlowProtoField graph_debug_info_fields[] = {
  MANY (1, "files", STRING),
  MAP (2, "traces", GRAPH_DEBUG_INFO_TRACES_ENTRY),
  MAP (4, "frames_by_id", GRAPH_DEBUG_INFO_FRAMES_BY_ID_ENTRY),
  MAP (5, "name_to_trace_id", GRAPH_DEBUG_INFO_NAME_TO_TRACE_ID_ENTRY),
  MAP (6, "traces_by_id", GRAPH_DEBUG_INFO_TRACES_BY_ID_ENTRY),
};

static const FlowProtoField graph_debug_info_file_line_col_fields[] = {
  ONE (1, "file_index", INT32),
  ONE (2, "line", INT32),
  ONE (3, "col", INT32),
  ONE (4, "func", STRING),
  ONE (5, "code", STRING),
};

static const FlowProtoField graph_debug_info_frames_by_id_entry_fields[] = {
  ONE (1, "key", FIXED64),
  MSG (2, "value", GRAPH_DEBUG_INFO_FILE_LINE_COL),
};

static const FlowProtoField graph_debug_info_name_to_trace_id_entry_fields[] = {
  ONE (1, "key", STRING),
  ONE (2, "value", FIXED64),
};

static const FlowProtoField graph_debug_info_stack_trace_fields[] = {
  MSGS (1, "file_line_cols", GRAPH_DEBUG_INFO_FILE_LINE_COL),
  MANY (2, "frame_id", FIXED64),
};

static const FlowProtoField graph_debug_info_traces_by_id_entry_fields[] = {
  ONE (1, "key", FIXED64),
  MSG (2, "value", GRAPH_DEBUG_INFO_STACK_TRACE),
};

static const FlowProtoField graph_debug_info_traces_entry_fields[] = {
  ONE (1, "key", STRING),
  MSG (2, "value", GRAPH_DEBUG_INFO_STACK_TRACE),
};

static const FlowProtoField graph_def_fields[] = {
  MSGS (1, "node", NODE_DEF),
  MSG (2, "library", FUNCTION_DEF_LIBRARY),
  ONE (3, "version", INT32),
  MSG (4, "versions", VERSION_DEF),
  MSG (5, "debug_info", GRAPH_DEBUG_INFO),
};

static const FlowProtoField list_value_fields[] = {
  MSGS (1, "values", STRUCTURED_VALUE),
};

static const FlowProtoField meta_graph_def_fields[] = {
  MSG (1, "meta_info_def", META_GRAPH_DEF_META_INFO_DEF),
  MSG (2, "graph_def", GRAPH_DEF),
  MSG (3, "saver_def", SAVER_DEF),
  MAP (4, "collection_def", META_GRAPH_DEF_COLLECTION_DEF_ENTRY),
  MAP (5, "signature_def", META_GRAPH_DEF_SIGNATURE_DEF_ENTRY),
  MSGS (6, "asset_file_def", ASSET_FILE_DEF),
  MSG (7, "object_graph_def", SAVED_OBJECT_GRAPH),
};

static const FlowProtoField meta_graph_def_collection_def_entry_fields[] = {
  ONE (1, "key", STRING),
  MSG (2, "value", COLLECTION_DEF),
};

static const FlowProtoField meta_graph_def_meta_info_def_fields[] = {
  ONE (1, "meta_graph_version", STRING),
  MSG (2, "stripped_op_list", OP_LIST),
  MSG (3, "any_info", ANY),
  MANY (4, "tags", STRING),
  ONE (5, "tensorflow_version", STRING),
  ONE (6, "tensorflow_git_version", STRING),
  ONE (7, "stripped_default_attrs", BOOL),
  MAP (8, "function_aliases", META_GRAPH_DEF_META_INFO_DEF_FUNCTION_ALIASES_ENTRY),
};

static const FlowProtoField meta_graph_def_meta_info_def_function_aliases_entry_fields[] = {
  ONE (1, "key", STRING),
  ONE (2, "value", STRING),
};

static const FlowProtoField meta_graph_def_signature_def_entry_fields[] = {
  ONE (1, "key", STRING),
  MSG (2, "value", SIGNATURE_DEF),
};

static const FlowProtoField named_tuple_value_fields[] = {
  ONE (1, "name", STRING),
  MSGS (2, "values", PAIR_VALUE),
};

static const FlowProtoField name_attr_list_fields[] = {
  ONE (1, "name", STRING),
  MAP (2, "attr", NAME_ATTR_LIST_ATTR_ENTRY),
};

static const FlowProtoField name_attr_list_attr_entry_fields[] = {
  ONE (1, "key", STRING),
  MSG (2, "value", ATTR_VALUE),
};

static const FlowProtoField node_def_fields[] = {
  ONE (1, "name", STRING),
  ONE (2, "op", STRING),
  MANY (3, "input", STRING),
  ONE (4, "device", STRING),
  MAP (5, "attr", NODE_DEF_ATTR_ENTRY),
  MSG (6, "experimental_debug_info", NODE_DEF_EXPERIMENTAL_DEBUG_INFO),
  MSG (7, "experimental_type", FULL_TYPE_DEF),
};

static const FlowProtoField node_def_attr_entry_fields[] = {
  ONE (1, "key", STRING),
  MSG (2, "value", ATTR_VALUE),
};

static const FlowProtoField node_def_experimental_debug_info_fields[] = {
  MANY (1, "original_node_names", STRING),
  MANY (2, "original_func_names", STRING),
};

static const FlowProtoField op_def_fields[] = {
  ONE (1, "name", STRING),
  MSGS (2, "input_arg", OP_DEF_ARG_DEF),
  MSGS (3, "output_arg", OP_DEF_ARG_DEF),
  MSGS (4, "attr", OP_DEF_ATTR_DEF),
  ONE (5, "summary", STRING),
  ONE (6, "description", STRING),
  MSG (8, "deprecation", OP_DEPRECATION),
  ONE (16, "is_aggregate", BOOL),
  ONE (17, "is_stateful", BOOL),
  ONE (18, "is_commutative", BOOL),
  ONE (19, "allows_uninitialized_input", BOOL),
  MANY (20, "control_output", STRING),
  ONE (21, "is_distributed_communication", BOOL),
};

static const FlowProtoField op_def_arg_def_fields[] = {
  ONE (1, "name", STRING),
  ONE (2, "description", STRING),
  ENUM (3, "type", DATA_TYPE),
  ONE (4, "type_attr", STRING),
  ONE (5, "number_attr", STRING),
  ONE (6, "type_list_attr", STRING),
  MSGS (7, "handle_data", RESOURCE_HANDLE_PROTO_DTYPE_AND_SHAPE),
  ONE (16, "is_ref", BOOL),
  MSG (17, "experimental_full_type", FULL_TYPE_DEF),
};

static const FlowProtoField op_def_attr_def_fields[] = {
  ONE (1, "name", STRING),
  ONE (2, "type", STRING),
  MSG (3, "default_value", ATTR_VALUE),
  ONE (4, "description", STRING),
  ONE (5, "has_minimum", BOOL),
  ONE (6, "minimum", INT64),
  MSG (7, "allowed_values", ATTR_VALUE),
};

static const FlowProtoField op_deprecation_fields[] = {
  ONE (1, "version", INT32),
  ONE (2, "explanation", STRING),
};

static const FlowProtoField op_list_fields[] = {
  MSGS (1, "op", OP_DEF),
};

static const FlowProtoField pair_value_fields[] = {
  ONE (1, "key", STRING),
  MSG (2, "value", STRUCTURED_VALUE),
};

static const FlowProtoField queue_runner_def_fields[] = {
  ONE (1, "queue_name", STRING),
  MANY (2, "enqueue_op_name", STRING),
  ONE (3, "close_op_name", STRING),
  ONE (4, "cancel_op_name", STRING),
  ENUMS (5, "queue_closed_exception_types", CODE),
};

static const FlowProtoField registered_gradient_fields[] = {
  ONE (1, "gradient_func", STRING),
  ONE (2, "registered_op_type", STRING),
};

static const FlowProtoField resource_handle_proto_fields[] = {
  ONE (1, "device", STRING),
  ONE (2, "container", STRING),
  ONE (3, "name", STRING),
  ONE (4, "hash_code", UINT64),
  ONE (5, "maybe_type_name", STRING),
  MSGS (6, "dtypes_and_shapes", RESOURCE_HANDLE_PROTO_DTYPE_AND_SHAPE),
};

static const FlowProtoField resource_handle_proto_dtype_and_shape_fields[] = {
  ENUM (1, "dtype", DATA_TYPE),
  MSG (2, "shape", TENSOR_SHAPE_PROTO),
};

static const FlowProtoField saveable_object_fields[] = {
  ONE (2, "save_function", INT32),
  ONE (3, "restore_function", INT32),
};

static const FlowProtoField saved_asset_fields[] = {
  ONE (1, "asset_file_def_index", INT32),
};

static const FlowProtoField saved_bare_concrete_function_fields[] = {
  ONE (1, "concrete_function_name", STRING),
  MANY (2, "argument_keywords", STRING),
  ONE (3, "allowed_positional_arguments", INT64),
  MSG (4, "function_spec", FUNCTION_SPEC),
};

static const FlowProtoField saved_concrete_function_fields[] = {
  MANY (2, "bound_inputs", INT32),
  MSG (3, "canonicalized_input_signature", STRUCTURED_VALUE),
  MSG (4, "output_signature", STRUCTURED_VALUE),
};

static const FlowProtoField saved_constant_fields[] = {
  ONE (1, "operation", STRING),
};

static const FlowProtoField saved_function_fields[] = {
  MANY (1, "concrete_functions", STRING),
  MSG (2, "function_spec", FUNCTION_SPEC),
};

static const FlowProtoField saved_model_fields[] = {
  ONE (1, "saved_model_schema_version", INT64),
  MSGS (2, "meta_graphs", META_GRAPH_DEF),
};

static const FlowProtoField saved_object_fields[] = {
  MSGS (1, "children", TRACKABLE_OBJECT_GRAPH_TRACKABLE_OBJECT_OBJECT_REFERENCE),
  MSGS (3, "slot_variables", TRACKABLE_OBJECT_GRAPH_TRACKABLE_OBJECT_SLOT_VARIABLE_REFERENCE),
  MSG_OF (1, 4, "user_object", SAVED_USER_OBJECT),
  MSG_OF (1, 5, "asset", SAVED_ASSET),
  MSG_OF (1, 6, "function", SAVED_FUNCTION),
  MSG_OF (1, 7, "variable", SAVED_VARIABLE),
  MSG_OF (1, 8, "bare_concrete_function", SAVED_BARE_CONCRETE_FUNCTION),
  MSG_OF (1, 9, "constant", SAVED_CONSTANT),
  MSG_OF (1, 10, "resource", SAVED_RESOURCE),
  MAP (11, "saveable_objects", SAVED_OBJECT_SAVEABLE_OBJECTS_ENTRY),
  MSG_OF (1, 12, "captured_tensor", CAPTURED_TENSOR),
  ONE (13, "registered_name", STRING),
  MSG (14, "serialized_user_proto", ANY),
  MSGS (15, "dependencies", TRACKABLE_OBJECT_GRAPH_TRACKABLE_OBJECT_OBJECT_REFERENCE),
  ONE (16, "registered_saver", STRING),
};

static const FlowProtoField saved_object_graph_fields[] = {
  MSGS (1, "nodes", SAVED_OBJECT),
  MAP (2, "concrete_functions", SAVED_OBJECT_GRAPH_CONCRETE_FUNCTIONS_ENTRY),
};

static const FlowProtoField saved_object_graph_concrete_functions_entry_fields[] = {
  ONE (1, "key", STRING),
  MSG (2, "value", SAVED_CONCRETE_FUNCTION),
};

static const FlowProtoField saved_object_saveable_objects_entry_fields[] = {
  ONE (1, "key", STRING),
  MSG (2, "value", SAVEABLE_OBJECT),
};

static const FlowProtoField saved_resource_fields[] = {
  ONE (1, "device", STRING),
};

static const FlowProtoField saved_user_object_fields[] = {
  ONE (1, "identifier", STRING),
  MSG (2, "version", VERSION_DEF),
  ONE (3, "metadata", STRING),
};

static const FlowProtoField saved_variable_fields[] = {
  ENUM (1, "dtype", DATA_TYPE),
  MSG (2, "shape", TENSOR_SHAPE_PROTO),
  ONE (3, "trainable", BOOL),
  ENUM (4, "synchronization", VARIABLE_SYNCHRONIZATION),
  ENUM (5, "aggregation", VARIABLE_AGGREGATION),
  ONE (6, "name", STRING),
  ONE (7, "device", STRING),
  MSGS (8, "experimental_distributed_variable_components", SAVED_VARIABLE),
};

static const FlowProtoField saver_def_fields[] = {
  ONE (1, "filename_tensor_name", STRING),
  ONE (2, "save_tensor_name", STRING),
  ONE (3, "restore_op_name", STRING),
  ONE (4, "max_to_keep", INT32),
  ONE (5, "sharded", BOOL),
  ONE (6, "keep_checkpoint_every_n_hours", FLOAT),
  ENUM (7, "version", SAVER_DEF_CHECKPOINT_FORMAT_VERSION),
};

static const FlowProtoField save_slice_info_def_fields[] = {
  ONE (1, "full_name", STRING),
  MANY (2, "full_shape", INT64),
  MANY (3, "var_offset", INT64),
  MANY (4, "var_shape", INT64),
};

static const FlowProtoField signature_def_fields[] = {
  MAP (1, "inputs", SIGNATURE_DEF_INPUTS_ENTRY),
  MAP (2, "outputs", SIGNATURE_DEF_OUTPUTS_ENTRY),
  ONE (3, "method_name", STRING),
  MAP (4, "defaults", SIGNATURE_DEF_DEFAULTS_ENTRY),
};

static const FlowProtoField signature_def_defaults_entry_fields[] = {
  ONE (1, "key", STRING),
  MSG (2, "value", TENSOR_PROTO),
};

static const FlowProtoField signature_def_inputs_entry_fields[] = {
  ONE (1, "key", STRING),
  MSG (2, "value", TENSOR_INFO),
};

static const FlowProtoField signature_def_outputs_entry_fields[] = {
  ONE (1, "key", STRING),
  MSG (2, "value", TENSOR_INFO),
};

static const FlowProtoField structured_value_fields[] = {
  MSG_OF (1, 1, "none_value", NONE_VALUE),
  ONEOF (1, 11, "float64_value", DOUBLE),
  ONEOF (1, 12, "int64_value", SINT64),
  ONEOF (1, 13, "string_value", STRING),
  ONEOF (1, 14, "bool_value", BOOL),
  MSG_OF (1, 31, "tensor_shape_value", TENSOR_SHAPE_PROTO),
  ENUM_OF (1, 32, "tensor_dtype_value", DATA_TYPE),
  MSG_OF (1, 33, "tensor_spec_value", TENSOR_SPEC_PROTO),
  MSG_OF (1, 34, "type_spec_value", TYPE_SPEC_PROTO),
  MSG_OF (1, 35, "bounded_tensor_spec_value", BOUNDED_TENSOR_SPEC_PROTO),
  MSG_OF (1, 51, "list_value", LIST_VALUE),
  MSG_OF (1, 52, "tuple_value", TUPLE_VALUE),
  MSG_OF (1, 53, "dict_value", DICT_VALUE),
  MSG_OF (1, 54, "named_tuple_value", NAMED_TUPLE_VALUE),
  MSG_OF (1, 55, "tensor_value", TENSOR_PROTO),
  MSG_OF (1, 56, "numpy_value", TENSOR_PROTO),
};

static const FlowProtoField tensor_info_fields[] = {
  ONEOF (1, 1, "name", STRING),
  ENUM (2, "dtype", DATA_TYPE),
  MSG (3, "tensor_shape", TENSOR_SHAPE_PROTO),
  MSG_OF (1, 4, "coo_sparse", TENSOR_INFO_COO_SPARSE),
  MSG_OF (1, 5, "composite_tensor", TENSOR_INFO_COMPOSITE_TENSOR),
};

static const FlowProtoField tensor_info_composite_tensor_fields[] = {
  MSG (1, "type_spec", TYPE_SPEC_PROTO),
  MSGS (2, "components", TENSOR_INFO),
};

static const FlowProtoField tensor_info_coo_sparse_fields[] = {
  ONE (1, "values_tensor_name", STRING),
  ONE (2, "indices_tensor_name", STRING),
  ONE (3, "dense_shape_tensor_name", STRING),
};

static const FlowProtoField tensor_proto_fields[] = {
  ENUM (1, "dtype", DATA_TYPE),
  MSG (2, "tensor_shape", TENSOR_SHAPE_PROTO),
  ONE (3, "version_number", INT32),
  ONE (4, "tensor_content", BYTES),
  MANY (5, "float_val", FLOAT),
  MANY (6, "double_val", DOUBLE),
  MANY (7, "int_val", INT32),
  MANY (8, "string_val", BYTES),
  MANY (9, "scomplex_val", FLOAT),
  MANY (10, "int64_val", INT64),
  MANY (11, "bool_val", BOOL),
  MANY (12, "dcomplex_val", DOUBLE),
  MANY (13, "half_val", INT32),
  MSGS (14, "resource_handle_val", RESOURCE_HANDLE_PROTO),
  MSGS (15, "variant_val", VARIANT_TENSOR_DATA_PROTO),
  MANY (16, "uint32_val", UINT32),
  MANY (17, "uint64_val", UINT64),
  ONE (18, "float8_val", BYTES),
};

static const FlowProtoField tensor_shape_proto_fields[] = {
  MSGS (2, "dim", TENSOR_SHAPE_PROTO_DIM),
  ONE (3, "unknown_rank", BOOL),
};

static const FlowProtoField tensor_shape_proto_dim_fields[] = {
  ONE (1, "size", INT64),
  ONE (2, "name", STRING),
};

static const FlowProtoField tensor_spec_proto_fields[] = {
  ONE (1, "name", STRING),
  MSG (2, "shape", TENSOR_SHAPE_PROTO),
  ENUM (3, "dtype", DATA_TYPE),
};

static const FlowProtoField trackable_object_graph_trackable_object_object_reference_fields[] = {
  ONE (1, "node_id", INT32),
  ONE (2, "local_name", STRING),
};

static const FlowProtoField trackable_object_graph_trackable_object_slot_variable_reference_fields[] = {
  ONE (1, "original_variable_node_id", INT32),
  ONE (2, "slot_name", STRING),
  ONE (3, "slot_variable_node_id", INT32),
};

static const FlowProtoField tuple_value_fields[] = {
  MSGS (1, "values", STRUCTURED_VALUE),
};

static const FlowProtoField type_spec_proto_fields[] = {
  ENUM (1, "type_spec_class", TYPE_SPEC_PROTO_TYPE_SPEC_CLASS),
  MSG (2, "type_state", STRUCTURED_VALUE),
  ONE (3, "type_spec_class_name", STRING),
  ONE (4, "num_flat_components", INT32),
};

static const FlowProtoField values_def_fields[] = {
  MANY (1, "values", STRING),
  MAP (2, "external_values", VALUES_DEF_EXTERNAL_VALUES_ENTRY),
};

static const FlowProtoField values_def_external_values_entry_fields[] = {
  ONE (1, "key", STRING),
  ONE (2, "value", STRING),
};

static const FlowProtoField variable_def_fields[] = {
  ONE (1, "variable_name", STRING),
  ONE (2, "initializer_name", STRING),
  ONE (3, "snapshot_name", STRING),
  MSG (4, "save_slice_info_def", SAVE_SLICE_INFO_DEF),
  ONE (5, "is_resource", BOOL),
  ONE (6, "initial_value_name", STRING),
  ONE (7, "trainable", BOOL),
  ENUM (8, "synchronization", VARIABLE_SYNCHRONIZATION),
  ENUM (9, "aggregation", VARIABLE_AGGREGATION),
};

static const FlowProtoField variant_tensor_data_proto_fields[] = {
  ONE (1, "type_name", STRING),
  ONE (2, "metadata", BYTES),
  MSGS (3, "tensors", TENSOR_PROTO),
};

static const FlowProtoField version_def_fields[] = {
  ONE (1, "producer", INT32),
  ONE (2, "min_consumer", INT32),
  MANY (3, "bad_consumers", INT32),
};

static const FlowProtoField while_context_def_fields[] = {
  ONE (1, "context_name", STRING),
  ONE (2, "parallel_iterations", INT32),
  ONE (3, "back_prop", BOOL),
  ONE (4, "swap_memory", BOOL),
  ONE (5, "pivot_name", STRING),
  ONE (6, "pivot_for_pred_name", STRING),
  ONE (7, "pivot_for_body_name", STRING),
  MANY (8, "loop_exit_names", STRING),
  MSG (9, "values_def", VALUES_DEF),
  MANY (10, "loop_enter_names", STRING),
  ONE (11, "maximum_iterations_name", STRING),
  MSGS (12, "nested_contexts", CONTROL_FLOW_CONTEXT_DEF),
};

#define MESSAGE(id, name, fields) \
  [FLOW_MESSAGE_##id] = { name, G_N_ELEMENTS (fields), fields }

const FlowProtoMessage flow_proto_messages[FLOW_N_MESSAGES] = {
  MESSAGE (ANY, "google.protobuf.Any", any_fields),
  MESSAGE (ASSET_FILE_DEF, "AssetFileDef", asset_file_def_fields),
  MESSAGE (ATTR_VALUE, "AttrValue", attr_value_fields),
  MESSAGE (ATTR_VALUE_LIST_VALUE, "AttrValue.ListValue", attr_value_list_value_fields),
  MESSAGE (BOUNDED_TENSOR_SPEC_PROTO, "BoundedTensorSpecProto", bounded_tensor_spec_proto_fields),
  MESSAGE (CAPTURED_TENSOR, "CapturedTensor", captured_tensor_fields),
  MESSAGE (CHECKPOINT_STATE, "CheckpointState", checkpoint_state_fields),
  MESSAGE (COLLECTION_DEF, "CollectionDef", collection_def_fields),
  MESSAGE (COLLECTION_DEF_ANY_LIST, "CollectionDef.AnyList", collection_def_any_list_fields),
  MESSAGE (COLLECTION_DEF_BYTES_LIST, "CollectionDef.BytesList", collection_def_bytes_list_fields),
  MESSAGE (COLLECTION_DEF_FLOAT_LIST, "CollectionDef.FloatList", collection_def_float_list_fields),
  MESSAGE (COLLECTION_DEF_INT64_LIST, "CollectionDef.Int64List", collection_def_int64_list_fields),
  MESSAGE (COLLECTION_DEF_NODE_LIST, "CollectionDef.NodeList", collection_def_node_list_fields),
  MESSAGE (COND_CONTEXT_DEF, "CondContextDef", cond_context_def_fields),
  MESSAGE (CONTROL_FLOW_CONTEXT_DEF, "ControlFlowContextDef", control_flow_context_def_fields),
  MESSAGE (DICT_VALUE, "DictValue", dict_value_fields),
  MESSAGE (DICT_VALUE_FIELDS_ENTRY, "DictValue.FieldsEntry", dict_value_fields_entry_fields),
  MESSAGE (FULL_TYPE_DEF, "FullTypeDef", full_type_def_fields),
  MESSAGE (FUNCTION_DEF, "FunctionDef", function_def_fields),
  MESSAGE (FUNCTION_DEF_ARG_ATTRS, "FunctionDef.ArgAttrs", function_def_arg_attrs_fields),
  MESSAGE (FUNCTION_DEF_ARG_ATTRS_ATTR_ENTRY, "FunctionDef.ArgAttrs.AttrEntry",
           function_def_arg_attrs_attr_entry_fields),
  MESSAGE (FUNCTION_DEF_ARG_ATTR_ENTRY, "FunctionDef.ArgAttrEntry",
           function_def_arg_attr_entry_fields),
  MESSAGE (FUNCTION_DEF_ATTR_ENTRY, "FunctionDef.AttrEntry", function_def_attr_entry_fields),
  MESSAGE (FUNCTION_DEF_CONTROL_RET_ENTRY, "FunctionDef.ControlRetEntry",
           function_def_control_ret_entry_fields),
  MESSAGE (FUNCTION_DEF_LIBRARY, "FunctionDefLibrary", function_def_library_fields),
  MESSAGE (FUNCTION_DEF_RESOURCE_ARG_UNIQUE_ID_ENTRY, "FunctionDef.ResourceArgUniqueIdEntry",
           function_def_resource_arg_unique_id_entry_fields),
  MESSAGE (FUNCTION_DEF_RET_ENTRY, "FunctionDef.RetEntry", function_def_ret_entry_fields),
  MESSAGE (FUNCTION_SPEC, "FunctionSpec", function_spec_fields),
  MESSAGE (GRADIENT_DEF, "GradientDef", gradient_def_fields),
  MESSAGE (GRAPH_DEBUG_INFO, "GraphDebugInfo", graph_debug_info_fields),
  MESSAGE (GRAPH_DEBUG_INFO_FILE_LINE_COL, "GraphDebugInfo.FileLineCol",
           graph_debug_info_file_line_col_fields),
  MESSAGE (GRAPH_DEBUG_INFO_FRAMES_BY_ID_ENTRY, "GraphDebugInfo.FramesByIdEntry",
           graph_debug_info_frames_by_id_entry_fields),
  MESSAGE (GRAPH_DEBUG_INFO_NAME_TO_TRACE_ID_ENTRY, "GraphDebugInfo.NameToTraceIdEntry",
           graph_debug_info_name_to_trace_id_entry_fields),
  MESSAGE (GRAPH_DEBUG_INFO_STACK_TRACE, "GraphDebugInfo.StackTrace",
           graph_debug_info_stack_trace_fields),
  MESSAGE (GRAPH_DEBUG_INFO_TRACES_BY_ID_ENTRY, "GraphDebugInfo.TracesByIdEntry",
           graph_debug_info_traces_by_id_entry_fields),
  MESSAGE (GRAPH_DEBUG_INFO_TRACES_ENTRY, "GraphDebugInfo.TracesEntry",
           graph_debug_info_traces_entry_fields),
  MESSAGE (GRAPH_DEF, "GraphDef", graph_def_fields),
  MESSAGE (LIST_VALUE, "ListValue", list_value_fields),
  MESSAGE (META_GRAPH_DEF, "MetaGraphDef", meta_graph_def_fields),
  MESSAGE (META_GRAPH_DEF_COLLECTION_DEF_ENTRY, "MetaGraphDef.CollectionDefEntry",
           meta_graph_def_collection_def_entry_fields),
  MESSAGE (META_GRAPH_DEF_META_INFO_DEF, "MetaGraphDef.MetaInfoDef",
           meta_graph_def_meta_info_def_fields),
  MESSAGE (META_GRAPH_DEF_META_INFO_DEF_FUNCTION_ALIASES_ENTRY,
           "MetaGraphDef.MetaInfoDef.FunctionAliasesEntry",
           meta_graph_def_meta_info_def_function_aliases_entry_fields),
  MESSAGE (META_GRAPH_DEF_SIGNATURE_DEF_ENTRY, "MetaGraphDef.SignatureDefEntry",
           meta_graph_def_signature_def_entry_fields),
  MESSAGE (NAMED_TUPLE_VALUE, "NamedTupleValue", named_tuple_value_fields),
  MESSAGE (NAME_ATTR_LIST, "NameAttrList", name_attr_list_fields),
  MESSAGE (NAME_ATTR_LIST_ATTR_ENTRY, "NameAttrList.AttrEntry", name_attr_list_attr_entry_fields),
  MESSAGE (NODE_DEF, "NodeDef", node_def_fields),
  MESSAGE (NODE_DEF_ATTR_ENTRY, "NodeDef.AttrEntry", node_def_attr_entry_fields),
  MESSAGE (NODE_DEF_EXPERIMENTAL_DEBUG_INFO, "NodeDef.ExperimentalDebugInfo",
           node_def_experimental_debug_info_fields),
  [FLOW_MESSAGE_NONE_VALUE] = { "NoneValue", 0, NULL },
  MESSAGE (OP_DEF, "OpDef", op_def_fields),
  MESSAGE (OP_DEF_ARG_DEF, "OpDef.ArgDef", op_def_arg_def_fields),
  MESSAGE (OP_DEF_ATTR_DEF, "OpDef.AttrDef", op_def_attr_def_fields),
  MESSAGE (OP_DEPRECATION, "OpDeprecation", op_deprecation_fields),
  MESSAGE (OP_LIST, "OpList", op_list_fields),
  MESSAGE (PAIR_VALUE, "PairValue", pair_value_fields),
  MESSAGE (QUEUE_RUNNER_DEF, "QueueRunnerDef", queue_runner_def_fields),
  MESSAGE (REGISTERED_GRADIENT, "RegisteredGradient", registered_gradient_fields),
  MESSAGE (RESOURCE_HANDLE_PROTO, "ResourceHandleProto", resource_handle_proto_fields),
  MESSAGE (RESOURCE_HANDLE_PROTO_DTYPE_AND_SHAPE, "ResourceHandleProto.DtypeAndShape",
           resource_handle_proto_dtype_and_shape_fields),
  MESSAGE (SAVEABLE_OBJECT, "SaveableObject", saveable_object_fields),
  MESSAGE (SAVED_ASSET, "SavedAsset", saved_asset_fields),
  MESSAGE (SAVED_BARE_CONCRETE_FUNCTION, "SavedBareConcreteFunction",
           saved_bare_concrete_function_fields),
  MESSAGE (SAVED_CONCRETE_FUNCTION, "SavedConcreteFunction", saved_concrete_function_fields),
  MESSAGE (SAVED_CONSTANT, "SavedConstant", saved_constant_fields),
  MESSAGE (SAVED_FUNCTION, "SavedFunction", saved_function_fields),
  MESSAGE (SAVED_MODEL, "SavedModel", saved_model_fields),
  MESSAGE (SAVED_OBJECT, "SavedObject", saved_object_fields),
  MESSAGE (SAVED_OBJECT_GRAPH, "SavedObjectGraph", saved_object_graph_fields),
  MESSAGE (SAVED_OBJECT_GRAPH_CONCRETE_FUNCTIONS_ENTRY, "SavedObjectGraph.ConcreteFunctionsEntry",
           saved_object_graph_concrete_functions_entry_fields),
  MESSAGE (SAVED_OBJECT_SAVEABLE_OBJECTS_ENTRY, "SavedObject.SaveableObjectsEntry",
           saved_object_saveable_objects_entry_fields),
  MESSAGE (SAVED_RESOURCE, "SavedResource", saved_resource_fields),
  MESSAGE (SAVED_USER_OBJECT, "SavedUserObject", saved_user_object_fields),
  MESSAGE (SAVED_VARIABLE, "SavedVariable", saved_variable_fields),
  MESSAGE (SAVER_DEF, "SaverDef", saver_def_fields),
  MESSAGE (SAVE_SLICE_INFO_DEF, "SaveSliceInfoDef", save_slice_info_def_fields),
  MESSAGE (SIGNATURE_DEF, "SignatureDef", signature_def_fields),
  MESSAGE (SIGNATURE_DEF_DEFAULTS_ENTRY, "SignatureDef.DefaultsEntry",
           signature_def_defaults_entry_fields),
  MESSAGE (SIGNATURE_DEF_INPUTS_ENTRY, "SignatureDef.InputsEntry",
           signature_def_inputs_entry_fields),
  MESSAGE (SIGNATURE_DEF_OUTPUTS_ENTRY, "SignatureDef.OutputsEntry",
           signature_def_outputs_entry_fields),
  MESSAGE (STRUCTURED_VALUE, "StructuredValue", structured_value_fields),
  MESSAGE (TENSOR_INFO, "TensorInfo", tensor_info_fields),
  MESSAGE (TENSOR_INFO_COMPOSITE_TENSOR, "TensorInfo.CompositeTensor",
           tensor_info_composite_tensor_fields),
  MESSAGE (TENSOR_INFO_COO_SPARSE, "TensorInfo.CooSparse", tensor_info_coo_sparse_fields),
  MESSAGE (TENSOR_PROTO, "TensorProto", tensor_proto_fields),
  MESSAGE (TENSOR_SHAPE_PROTO, "TensorShapeProto", tensor_shape_proto_fields),
  MESSAGE (TENSOR_SHAPE_PROTO_DIM, "TensorShapeProto.Dim", tensor_shape_proto_dim_fields),
  MESSAGE (TENSOR_SPEC_PROTO, "TensorSpecProto", tensor_spec_proto_fields),
  MESSAGE (TRACKABLE_OBJECT_GRAPH_TRACKABLE_OBJECT_OBJECT_REFERENCE,
           "TrackableObjectGraph.TrackableObject.ObjectReference",
           trackable_object_graph_trackable_object_object_reference_fields),
  MESSAGE (TRACKABLE_OBJECT_GRAPH_TRACKABLE_OBJECT_SLOT_VARIABLE_REFERENCE,
           "TrackableObjectGraph.TrackableObject.SlotVariableReference",
           trackable_object_graph_trackable_object_slot_variable_reference_fields),
  MESSAGE (TUPLE_VALUE, "TupleValue", tuple_value_fields),
  MESSAGE (TYPE_SPEC_PROTO, "TypeSpecProto", type_spec_proto_fields),
  MESSAGE (VALUES_DEF, "ValuesDef", values_def_fields),
  MESSAGE (VALUES_DEF_EXTERNAL_VALUES_ENTRY, "ValuesDef.ExternalValuesEntry",
           values_def_external_values_entry_fields),
  MESSAGE (VARIABLE_DEF, "VariableDef", variable_def_fields),
  MESSAGE (VARIANT_TENSOR_DATA_PROTO, "VariantTensorDataProto", variant_tensor_data_proto_fields),
  MESSAGE (VERSION_DEF, "VersionDef", version_def_fields),
  MESSAGE (WHILE_CONTEXT_DEF, "WhileContextDef", while_context_def_fields),
};

static const FlowProtoEnumValue code_values[] = {
  { 0, "OK" },
  { 1, "CANCELLED" },
  { 2, "UNKNOWN" },
  { 3, "INVALID_ARGUMENT" },
  { 4, "DEADLINE_EXCEEDED" },
  { 5, "NOT_FOUND" },
  { 6, "ALREADY_EXISTS" },
  { 7, "PERMISSION_DENIED" },
  { 16, "UNAUTHENTICATED" },
  { 8, "RESOURCE_EXHAUSTED" },
  { 9, "FAILED_PRECONDITION" },
  { 10, "ABORTED" },
  { 11, "OUT_OF_RANGE" },
  { 12, "UNIMPLEMENTED" },
  { 13, "INTERNAL" },
  { 14, "UNAVAILABLE" },
  { 15, "DATA_LOSS" },
  { 20, "DO_NOT_USE_RESERVED_FOR_FUTURE_EXPANSION_USE_DEFAULT_IN_SWITCH_INSTEAD_" },
};

static const FlowProtoEnumValue data_type_values[] = {
  { 0, "DT_INVALID" },
  { 1, "DT_FLOAT" },
  { 2, "DT_DOUBLE" },
  { 3, "DT_INT32" },
  { 4, "DT_UINT8" },
  { 5, "DT_INT16" },
  { 6, "DT_INT8" },
  { 7, "DT_STRING" },
  { 8, "DT_COMPLEX64" },
  { 9, "DT_INT64" },
  { 10, "DT_BOOL" },
  { 11, "DT_QINT8" },
  { 12, "DT_QUINT8" },
  { 13, "DT_QINT32" },
  { 14, "DT_BFLOAT16" },
  { 15, "DT_QINT16" },
  { 16, "DT_QUINT16" },
  { 17, "DT_UINT16" },
  { 18, "DT_COMPLEX128" },
  { 19, "DT_HALF" },
  { 20, "DT_RESOURCE" },
  { 21, "DT_VARIANT" },
  { 22, "DT_UINT32" },
  { 23, "DT_UINT64" },
  { 24, "DT_FLOAT8_E5M2" },
  { 25, "DT_FLOAT8_E4M3FN" },
  { 29, "DT_INT4" },
  { 30, "DT_UINT4" },
  { 101, "DT_FLOAT_REF" },
  { 102, "DT_DOUBLE_REF" },
  { 103, "DT_INT32_REF" },
  { 104, "DT_UINT8_REF" },
  { 105, "DT_INT16_REF" },
  { 106, "DT_INT8_REF" },
  { 107, "DT_STRING_REF" },
  { 108, "DT_COMPLEX64_REF" },
  { 109, "DT_INT64_REF" },
  { 110, "DT_BOOL_REF" },
  { 111, "DT_QINT8_REF" },
  { 112, "DT_QUINT8_REF" },
  { 113, "DT_QINT32_REF" },
  { 114, "DT_BFLOAT16_REF" },
  { 115, "DT_QINT16_REF" },
  { 116, "DT_QUINT16_REF" },
  { 117, "DT_UINT16_REF" },
  { 118, "DT_COMPLEX128_REF" },
  { 119, "DT_HALF_REF" },
  { 120, "DT_RESOURCE_REF" },
  { 121, "DT_VARIANT_REF" },
  { 122, "DT_UINT32_REF" },
  { 123, "DT_UINT64_REF" },
  { 124, "DT_FLOAT8_E5M2_REF" },
  { 125, "DT_FLOAT8_E4M3FN_REF" },
  { 129, "DT_INT4_REF" },
  { 130, "DT_UINT4_REF" },
};

static const FlowProtoEnumValue full_type_id_values[] = {
  { 0, "TFT_UNSET" },
  { 1, "TFT_VAR" },
  { 2, "TFT_ANY" },
  { 3, "TFT_PRODUCT" },
  { 4, "TFT_NAMED" },
  { 20, "TFT_FOR_EACH" },
  { 100, "TFT_CALLABLE" },
  { 1000, "TFT_TENSOR" },
  { 1001, "TFT_ARRAY" },
  { 1002, "TFT_OPTIONAL" },
  { 1003, "TFT_LITERAL" },
  { 1004, "TFT_ENCODED" },
  { 1005, "TFT_SHAPE_TENSOR" },
  { 200, "TFT_BOOL" },
  { 201, "TFT_UINT8" },
  { 202, "TFT_UINT16" },
  { 203, "TFT_UINT32" },
  { 204, "TFT_UINT64" },
  { 205, "TFT_INT8" },
  { 206, "TFT_INT16" },
  { 207, "TFT_INT32" },
  { 208, "TFT_INT64" },
  { 209, "TFT_HALF" },
  { 210, "TFT_FLOAT" },
  { 211, "TFT_DOUBLE" },
  { 215, "TFT_BFLOAT16" },
  { 212, "TFT_COMPLEX64" },
  { 213, "TFT_COMPLEX128" },
  { 214, "TFT_STRING" },
  { 10102, "TFT_DATASET" },
  { 10103, "TFT_RAGGED" },
  { 10104, "TFT_ITERATOR" },
  { 10202, "TFT_MUTEX_LOCK" },
  { 10203, "TFT_LEGACY_VARIANT" },
};

static const FlowProtoEnumValue function_spec_jit_compile_values[] = {
  { 0, "DEFAULT" },
  { 1, "ON" },
  { 2, "OFF" },
};

static const FlowProtoEnumValue saver_def_checkpoint_format_version_values[] = {
  { 0, "LEGACY" },
  { 1, "V1" },
  { 2, "V2" },
};

static const FlowProtoEnumValue type_spec_proto_type_spec_class_values[] = {
  { 0, "UNKNOWN" },
  { 1, "SPARSE_TENSOR_SPEC" },
  { 2, "INDEXED_SLICES_SPEC" },
  { 3, "RAGGED_TENSOR_SPEC" },
  { 4, "TENSOR_ARRAY_SPEC" },
  { 5, "DATA_DATASET_SPEC" },
  { 6, "DATA_ITERATOR_SPEC" },
  { 7, "OPTIONAL_SPEC" },
  { 8, "PER_REPLICA_SPEC" },
  { 9, "VARIABLE_SPEC" },
  { 10, "ROW_PARTITION_SPEC" },
  { 12, "REGISTERED_TYPE_SPEC" },
  { 13, "EXTENSION_TYPE_SPEC" },
};

static const FlowProtoEnumValue variable_aggregation_values[] = {
  { 0, "VARIABLE_AGGREGATION_NONE" },
  { 1, "VARIABLE_AGGREGATION_SUM" },
  { 2, "VARIABLE_AGGREGATION_MEAN" },
  { 3, "VARIABLE_AGGREGATION_ONLY_FIRST_REPLICA" },
};

static const FlowProtoEnumValue variable_synchronization_values[] = {
  { 0, "VARIABLE_SYNCHRONIZATION_AUTO" },
  { 1, "VARIABLE_SYNCHRONIZATION_NONE" },
  { 2, "VARIABLE_SYNCHRONIZATION_ON_WRITE" },
  { 3, "VARIABLE_SYNCHRONIZATION_ON_READ" },
};

#define ENUMERATION(id, name, values) \
  [FLOW_ENUM_##id] = { name, G_N_ELEMENTS (values), values }

const FlowProtoEnum flow_proto_enums[FLOW_N_ENUMS] = {
  ENUMERATION (CODE, "error.Code", code_values),
  ENUMERATION (DATA_TYPE, "DataType", data_type_values),
  ENUMERATION (FULL_TYPE_ID, "FullTypeId", full_type_id_values),
  ENUMERATION (FUNCTION_SPEC_JIT_COMPILE, "FunctionSpec.JitCompile",
               function_spec_jit_compile_values),
  ENUMERATION (SAVER_DEF_CHECKPOINT_FORMAT_VERSION, "SaverDef.CheckpointFormatVersion",
               saver_def_checkpoint_format_version_values),
  ENUMERATION (TYPE_SPEC_PROTO_TYPE_SPEC_CLASS, "TypeSpecProto.TypeSpecClass",
               type_spec_proto_type_spec_class_values),
  ENUMERATION (VARIABLE_AGGREGATION, "VariableAggregation", variable_aggregation_values),
  ENUMERATION (VARIABLE_SYNCHRONIZATION, "VariableSynchronization",
               variable_synchronization_values),
};
