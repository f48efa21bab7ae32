# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""ConfigProto, RunOptions and their like, field by field, in the form of proto's table. Those that choose devices or
threads of TensorFlow's are kept and not used."""

_SHORT = {"v": ("varint", 0, ""), "b": ("bool", 0, ""), "s": ("string", 0, ""), "S": ("string", 1, ""), "V": ("varint", 1, ""),
          "d": ("double", 0, ""), "D": ("double", 1, ""), "f": ("float", 0, ""), "F": ("float", 1, "")}


def table(text):
    """NAME NUMBER KIND, one after another; KIND is a letter of _SHORT, an enum in <>, or a message (* repeated, % map).
    Those with | before the kind are of one oneof."""
    words = text.split()
    lines = []
    for name, number, kind in zip(words[::3], words[1::3], words[2::3]):
        oneof = kind[0] == "|"
        kind = kind.lstrip("|")
        if kind in _SHORT:
            kind, flags, ref = _SHORT[kind]
        elif kind[0] == "<":
            kind, flags, ref = "enum", 0, kind[1:-1]
        else:
            flags = {"*": 1, "%": 3}.get(kind[0], 0)
            kind, ref = "message", kind.lstrip("*%")
        lines.append("%s\t%s\t%s\t%d\t%d\t%s" % (name, number, kind, flags, oneof, ref))
    return "\n".join(lines)


MESSAGES = {name: table(text) for name, text in {
    "TrackableObjectGraph": "nodes 1 *TrackableObjectGraph.TrackableObject",
    "TrackableObjectGraph.TrackableObject": """children 1 *TrackableObjectGraph.TrackableObject.ObjectReference
        attributes 2 *TrackableObjectGraph.TrackableObject.SerializedTensor
        slot_variables 3 *TrackableObjectGraph.TrackableObject.SlotVariableReference""",
    "TrackableObjectGraph.TrackableObject.SerializedTensor": """name 1 s full_name 2 s checkpoint_key 3 s
        optional_restore 4 b""",
    "ConfigProto": """device_count 1 %ConfigProto.DeviceCountEntry intra_op_parallelism_threads 2 v placement_period 3 v
        device_filters 4 S inter_op_parallelism_threads 5 v gpu_options 6 GPUOptions allow_soft_placement 7 b
        log_device_placement 8 b use_per_session_threads 9 b graph_options 10 GraphOptions operation_timeout_in_ms 11 v
        session_inter_op_thread_pool 12 *ThreadPoolOptionProto rpc_options 13 RPCOptions cluster_def 14 ClusterDef
        isolate_session_state 15 b experimental 16 ConfigProto.Experimental share_cluster_devices_in_session 17 b""",
    "ConfigProto.DeviceCountEntry": "key 1 s value 2 v",
    "ConfigProto.Experimental": """collective_group_leader 1 s executor_type 3 s recv_buf_max_chunk 4 v use_numa_affinity 5 b
        collective_deterministic_sequential_execution 6 b collective_nccl 7 b
        share_session_state_in_clusterspec_propagation 8 b disable_thread_spinning 9 b
        share_cluster_devices_in_session 10 b optimize_for_static_graph 12 b""",
    "ThreadPoolOptionProto": "num_threads 1 v global_name 2 s",
    "RPCOptions": "use_rpc_for_inprocess_master 1 b compression_algorithm 2 s compression_level 3 v cache_rpc_response 4 b",
    "ClusterDef": "job 1 *JobDef",
    "ServerDef": "cluster 1 ClusterDef job_name 2 s task_index 3 v default_session_config 4 ConfigProto protocol 5 s",
    "ProjectorConfig": "model_checkpoint_path 1 s embeddings 2 *EmbeddingInfo model_checkpoint_dir 3 s",
    "EmbeddingInfo": "tensor_name 1 s metadata_path 2 s bookmarks_path 3 s tensor_shape 4 V sprite 5 SpriteMetadata "
                     "tensor_path 6 s",
    "SpriteMetadata": "image_path 1 s single_image_dim 2 V",
    "JobDef": "name 1 s tasks 2 %JobDef.TasksEntry",
    "JobDef.TasksEntry": "key 1 v value 2 s",
    "GPUOptions": """per_process_gpu_memory_fraction 1 d allocator_type 2 s deferred_deletion_bytes 3 v allow_growth 4 b
        visible_device_list 5 s polling_active_delay_usecs 6 v polling_inactive_delay_msecs 7 v force_gpu_compatible 8 b
        experimental 9 GPUOptions.Experimental""",
    "GPUOptions.Experimental": """virtual_devices 1 *GPUOptions.Experimental.VirtualDevices use_unified_memory 2 b
        num_dev_to_dev_copy_streams 3 v collective_ring_order 4 s timestamped_allocator 5 b kernel_tracker_max_interval 7 v
        kernel_tracker_max_bytes 8 v kernel_tracker_max_pending 9 v""",
    "GPUOptions.Experimental.VirtualDevices": "memory_limit_mb 1 F",
    "GraphOptions": """enable_recv_scheduling 2 b optimizer_options 3 OptimizerOptions build_cost_model 4 v infer_shapes 5 b
        place_pruned_graph 6 b enable_bfloat16_sendrecv 7 b timeline_step 8 v build_cost_model_after 9 v
        rewrite_options 10 RewriterConfig""",
    "OptimizerOptions": """do_common_subexpression_elimination 1 b do_constant_folding 2 b opt_level 3
        <OptimizerOptions.Level> do_function_inlining 4 b global_jit_level 5 <OptimizerOptions.GlobalJitLevel>
        max_folded_constant_in_bytes 6 v""",
    "RewriterConfig": """layout_optimizer 1 <Toggle> disable_model_pruning 2 b constant_folding 3 <Toggle>
        memory_optimization 4 <RewriterConfig.MemOptType> memory_optimizer_target_node_name_scope 6 s
        arithmetic_optimization 7 <Toggle> dependency_optimization 8 <Toggle> loop_optimization 9 <Toggle>
        function_optimization 10 <Toggle> debug_stripper 11 <Toggle> meta_optimizer_iterations 12 v
        shape_optimization 13 <Toggle> remapping 14 <Toggle> scoped_allocator_optimization 15 <Toggle>
        min_graph_nodes 17 v pin_to_host_optimization 18 <Toggle> disable_meta_optimizer 19 b
        meta_optimizer_timeout_ms 20 v fail_on_optimizer_errors 21 b implementation_selector 22 <Toggle>
        auto_mixed_precision 23 <Toggle> optimizers 100 S""",
    "RunOptions": """trace_level 1 <RunOptions.TraceLevel> timeout_in_ms 2 v inter_op_thread_pool 3 v
        output_partition_graphs 5 b debug_options 6 DebugOptions report_tensor_allocations_upon_oom 7 b
        experimental 8 RunOptions.Experimental""",
    "RunOptions.Experimental": "collective_graph_key 1 v use_run_handler_pool 2 b",
    "DebugOptions": "debug_tensor_watch_opts 4 *DebugTensorWatch global_step 10 v reset_disk_byte_usage 11 b",
    "DebugTensorWatch": "node_name 1 s output_slot 2 v debug_ops 3 S debug_urls 4 S tolerate_debug_op_creation_failures 5 b",
}.items()}

_DTYPES = """INVALID FLOAT DOUBLE INT32 UINT8 INT16 INT8 STRING COMPLEX64 INT64 BOOL QINT8 QUINT8 QINT32 BFLOAT16 QINT16 QUINT16
    UINT16 COMPLEX128 HALF RESOURCE VARIANT UINT32 UINT64""".split()
ENUMS = {
    "DataType": {**{"DT_" + name: number for number, name in enumerate(_DTYPES)},
                 **{"DT_%s_REF" % name: 100 + number for number, name in enumerate(_DTYPES) if number}},
    "RunOptions.TraceLevel": {"NO_TRACE": 0, "SOFTWARE_TRACE": 1, "HARDWARE_TRACE": 2, "FULL_TRACE": 3},
    "OptimizerOptions.Level": {"L1": 0, "L0": -1},
    "OptimizerOptions.GlobalJitLevel": {"DEFAULT": 0, "OFF": -1, "ON_1": 1, "ON_2": 2},
    "RewriterConfig.MemOptType": {"DEFAULT_MEM_OPT": 0, "NO_MEM_OPT": 1, "MANUAL": 2, "HEURISTICS": 3,
                                  "SWAPPING_HEURISTICS": 4, "RECOMPUTATION_HEURISTICS": 5, "SCHEDULING_HEURISTICS": 6},
    "Toggle": {"DEFAULT": 0, "ON": 1, "OFF": 2, "AGGRESSIVE": 3},
    "LogMessage.Level": {"UNKNOWN": 0, "DEBUGGING": 10, "INFO": 20, "WARN": 30, "ERROR": 40, "FATAL": 50},
    "SessionLog.SessionStatus": {"STATUS_UNSPECIFIED": 0, "START": 1, "STOP": 2, "CHECKPOINT": 3},
}
# Whose names stand on which message's class.
ENUMS_OF = {"RunOptions": ["RunOptions.TraceLevel"], "SessionLog": ["SessionLog.SessionStatus"], "LogMessage": ["LogMessage.Level"],
            "OptimizerOptions": ["OptimizerOptions.Level", "OptimizerOptions.GlobalJitLevel"],
            "RewriterConfig": ["Toggle", "RewriterConfig.MemOptType"]}
