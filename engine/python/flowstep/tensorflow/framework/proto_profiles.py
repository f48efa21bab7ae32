# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What a profiler is told of a graph and what it tells, field by field, in the form of proto's table."""

from .proto_options import table

_COUNTS = """exec_micros 2 v accelerator_exec_micros {0} v cpu_exec_micros {1} v requested_bytes 3 v peak_bytes {2} v
    residual_bytes {3} v output_bytes {4} v parameters 4 v float_ops {5} v"""

MESSAGES = {name: table(text) for name, text in {
    "OpLogProto": "log_entries 1 *OpLogEntry id_to_string 2 %OpLogProto.IdToStringEntry",
    "OpLogProto.IdToStringEntry": "key 1 v value 2 s",
    "OpLogEntry": "name 1 s float_ops 2 v types 3 S code_def 4 CodeDef",
    "CodeDef": "traces 1 *CodeDef.Trace",
    "CodeDef.Trace": """file 1 s file_id 6 v lineno 2 v function 3 s function_id 7 v line 4 s line_id 8 v
        func_start_line 5 v""",
    "AdviceProto": "checkers 1 %AdviceProto.CheckersEntry",
    "AdviceProto.CheckersEntry": "key 1 s value 2 AdviceProto.Checker",
    "AdviceProto.Checker": "reports 2 S",
    "TFProfTensorProto": "dtype 1 <DataType> value_double 2 D value_int64 3 V value_str 4 S",
    "GraphNodeProto": "name 1 s tensor_value 15 TFProfTensorProto run_count 21 v " + _COUNTS.format(17, 18, 24, 25, 26, 13) +
                      """ devices 10 S total_definition_count 23 v total_run_count 22 v total_exec_micros 6 v
        total_accelerator_exec_micros 19 v total_cpu_exec_micros 20 v total_requested_bytes 7 v total_peak_bytes 27 v
        total_residual_bytes 28 v total_output_bytes 29 v total_parameters 8 v total_float_ops 14 v
        shapes 11 *TensorShapeProto input_shapes 16 %GraphNodeProto.InputShapesEntry children 12 *GraphNodeProto""",
    "GraphNodeProto.InputShapesEntry": "key 1 v value 2 TensorShapeProto",
    "MultiGraphNodeProto": "name 1 s " + _COUNTS.format(12, 13, 16, 17, 18, 5) +
                           """ total_exec_micros 6 v total_accelerator_exec_micros 14 v total_cpu_exec_micros 15 v
        total_requested_bytes 7 v total_peak_bytes 19 v total_residual_bytes 20 v total_output_bytes 21 v
        total_parameters 8 v total_float_ops 9 v graph_nodes 10 *GraphNodeProto children 11 *MultiGraphNodeProto""",
    "SummaryDescription": "type_hint 1 s",
    "LogMessage": "level 1 <LogMessage.Level> message 2 s",
}.items()}
