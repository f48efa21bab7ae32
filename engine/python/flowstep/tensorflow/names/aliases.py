# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Names of tf's modules for what stands elsewhere, or is an op under another name, and some small functions."""

import functools
import sys
import types

from .. import dtypes
from ..framework import ops
from ..framework import tensor_shape
from ..framework._engine import Flow
from ..framework.graph import Tensor, name_scope
from ..framework.ops import apply_op, convert_to_tensor
from ..operators import array_ops, image_decode, image_quality, linalg_exponential, linalg_solvers, random_ops
from ..state import partitioners, template
from ..state import variables

# A module and names in it: those of tf itself, or NAME=OP for an op.
_NAMES = {
    "": """tensor_scatter_nd_add=TensorScatterAdd tensor_scatter_nd_sub=TensorScatterSub
        tensor_scatter_nd_update=TensorScatterUpdate space_to_batch_nd=SpaceToBatchND batch_to_space_nd=BatchToSpaceND
        broadcast_dynamic_shape=BroadcastArgs quantize=QuantizeV2 OpError=tf.errors.OpError no_gradient=tf.NoGradient
        get_logger=tf.logging.get_logger""",
    "graph_util": "import_graph_def",
    "bitwise": """bitwise_and=BitwiseAnd bitwise_or=BitwiseOr bitwise_xor=BitwiseXor invert=Invert left_shift=LeftShift
        right_shift=RightShift""",
    "math": """angle imag real invert_permutation bessel_i0e=BesselI0e bessel_i1e=BesselI1e betainc=Betainc
        divide_no_nan=tf.div_no_nan igammac=Igammac nextafter=NextAfter polygamma=Polygamma""",
    "dtypes": "as_string cast complex saturate_cast",
    "io": """PaddingFIFOQueue PriorityQueue QueueBase RandomShuffleQueue decode_and_crop_jpeg=DecodeAndCropJpeg
        decode_bmp=DecodeBmp decode_gif=DecodeGif decode_jpeg=DecodeJpeg decode_png=DecodePng encode_jpeg=EncodeJpeg
        extract_jpeg_shape=ExtractJpegShape serialize_sparse serialize_many_sparse deserialize_many_sparse
        encode_proto=EncodeProto decode_proto=DecodeProtoV2 match_filenames_once=tf.train.match_filenames_once write_graph=tf.train.write_graph""",
    "manip": """batch_to_space_nd=BatchToSpaceND space_to_batch_nd=SpaceToBatchND gather_nd reverse scatter_nd""",
    "nn": """depth_to_space=DepthToSpace space_to_depth=SpaceToDepth space_to_batch
        depthwise_conv2d_native=DepthwiseConv2dNative
        depthwise_conv2d_native_backprop_filter=DepthwiseConv2dNativeBackpropFilter
        depthwise_conv2d_native_backprop_input=DepthwiseConv2dNativeBackpropInput
        depthwise_conv2d_backprop_filter=DepthwiseConv2dNativeBackpropFilter
        depthwise_conv2d_backprop_input=DepthwiseConv2dNativeBackpropInput quantized_avg_pool=QuantizedAvgPool
        quantized_conv2d=QuantizedConv2D quantized_max_pool=QuantizedMaxPool quantized_relu_x=QuantizedReluX""",
    "sparse": """SparseConditionalAccumulator segment_mean=tf.sparse_segment_mean segment_sum=tf.sparse_segment_sum
        segment_sqrt_n=tf.sparse_segment_sqrt_n""",
    "estimator": """CheckpointSaverHook=tf.train.CheckpointSaverHook FeedFnHook=tf.train.FeedFnHook
        FinalOpsHook=tf.train.FinalOpsHook LoggingTensorHook=tf.train.LoggingTensorHook
        NanTensorHook=tf.train.NanTensorHook StepCounterHook=tf.train.StepCounterHook
        SessionRunHook=tf.train.SessionRunHook SessionRunArgs=tf.train.SessionRunArgs
        StopAtStepHook=tf.train.StopAtStepHook SummarySaverHook=tf.train.SummarySaverHook
        CheckpointSaverListener=tf.train.CheckpointSaverListener GlobalStepWaiterHook=tf.train.GlobalStepWaiterHook
        NanLossDuringTrainingError=tf.train.NanLossDuringTrainingError ProfilerHook=tf.train.ProfilerHook
        SecondOrStepTimer=tf.train.SecondOrStepTimer SessionRunContext=tf.train.SessionRunContext
        SessionRunValues=tf.train.SessionRunValues""",
    "random": """gamma=tf.random_gamma poisson=tf.random_poisson all_candidate_sampler=tf.nn.all_candidate_sampler
        fixed_unigram_candidate_sampler=tf.nn.fixed_unigram_candidate_sampler
        learned_unigram_candidate_sampler=tf.nn.learned_unigram_candidate_sampler
        log_uniform_candidate_sampler=tf.nn.log_uniform_candidate_sampler
        uniform_candidate_sampler=tf.nn.uniform_candidate_sampler""",
    "strings": "as_string unsorted_segment_join=UnsortedSegmentJoin unicode_script=UnicodeScript",
    "train.queue_runner": """QueueRunner=tf.train.QueueRunner add_queue_runner=tf.train.add_queue_runner
        start_queue_runners=tf.train.start_queue_runners""",
    "train": "sdca_fprint=SdcaFprint sdca_optimizer=SdcaOptimizer sdca_shrink_l1=SdcaShrinkL1",
    "queue": "FIFOQueue PaddingFIFOQueue PriorityQueue QueueBase RandomShuffleQueue",
    "audio": "decode_wav=DecodeWav encode_wav=EncodeWav",
    "quantization": """quantize_and_dequantize dequantize=Dequantize quantize=QuantizeV2 quantized_concat=QuantizedConcat
        fake_quant_with_min_max_args=FakeQuantWithMinMaxArgs fake_quant_with_min_max_vars=FakeQuantWithMinMaxVars
        fake_quant_with_min_max_args_gradient=FakeQuantWithMinMaxArgsGradient
        fake_quant_with_min_max_vars_gradient=FakeQuantWithMinMaxVarsGradient
        fake_quant_with_min_max_vars_per_channel=FakeQuantWithMinMaxVarsPerChannel
        fake_quant_with_min_max_vars_per_channel_gradient=FakeQuantWithMinMaxVarsPerChannelGradient""",
    "linalg": "matrix_transpose lu=Lu tridiagonal_matmul=TridiagonalMatMul",
}
_IMAGE_FILES = """decode_image is_jpeg adjust_jpeg_quality random_jpeg_quality non_max_suppression_with_scores
    non_max_suppression_padded non_max_suppression_overlaps combined_non_max_suppression""".split()
_IMAGE = """adjust_gamma image_gradients psnr rgb_to_yiq rgb_to_yuv sobel_edges ssim ssim_multiscale yiq_to_rgb
    yuv_to_rgb""".split()


def searchsorted(sorted_sequence, values, side="left", out_type=dtypes.int32, name=None):
    """Where each value would go in its sorted row."""
    if side not in ("left", "right"):
        raise ValueError("side must be either 'right' or 'left'.  Saw: %s." % side)
    count = array_ops.shape(sorted_sequence)[-1]
    wanted = array_ops.shape(values)[-1]
    rows = array_ops.reshape(sorted_sequence, [-1, count])
    found = apply_op("UpperBound" if side == "right" else "LowerBound", sorted_inputs=rows,
                     values=array_ops.reshape(values, [-1, wanted]), out_type=out_type, name=name)
    return array_ops.reshape(found, array_ops.shape(values))


def parallel_stack(values, name="parallel_stack"):
    with name_scope(name):
        first = convert_to_tensor(values[0])
        shape = tensor_shape.TensorShape([len(values)]).concatenate(first.shape)
        return apply_op("ParallelConcat", values=[array_ops.expand_dims(v, 0) for v in values], shape=shape)


def sparse_mask(a, mask_indices, name=None):
    with name_scope(name, "sparse_mask", [a, mask_indices]) as name:
        indices, kept = apply_op("ListDiff", x=a.indices, y=mask_indices)
        return ops.IndexedSlices(array_ops.gather(a.values, kept, name=name), indices, a.dense_shape)


def broadcast_static_shape(shape_x, shape_y):
    """What two shapes broadcast to."""
    x, y = tensor_shape.as_shape(shape_x), tensor_shape.as_shape(shape_y)
    if x.ndims is None or y.ndims is None:
        return tensor_shape.unknown_shape()
    rank = max(x.ndims, y.ndims)
    dims = []
    for a, b in zip([1] * (rank - x.ndims) + x.as_list(), [1] * (rank - y.ndims) + y.as_list()):
        if None in (a, b):
            known = b if a is None else a
            dims.append(known if known is not None and known > 1 else None)
        elif a == b or 1 in (a, b):
            dims.append(b if a == 1 else a)
        else:
            raise ValueError("Incompatible shapes for broadcasting: %s and %s" % (shape_x, shape_y))
    return tensor_shape.TensorShape(dims)


def string_format(template, inputs, placeholder="{}", summarize=3, name=None):
    if isinstance(inputs, (Tensor, variables.Variable)):
        inputs = [inputs]
    if template.count(placeholder) != len(inputs):
        raise ValueError("%s placeholder(s) in template does not match %s tensor(s) provided as input" %
                         (template.count(placeholder), len(inputs)))
    return apply_op("StringFormat", inputs=list(inputs), template=template, placeholder=placeholder, summarize=summarize,
                    name=name)


def matvec(a, b, transpose_a=False, adjoint_a=False, a_is_sparse=False, b_is_sparse=False, name=None):
    from ..operators import math_ops
    with name_scope(name, "MatVec", [a, b]):
        product = math_ops.matmul(a, array_ops.expand_dims(b, axis=-1), transpose_a=transpose_a, adjoint_a=adjoint_a,
                                  a_is_sparse=a_is_sparse, b_is_sparse=b_is_sparse)
        return array_ops.squeeze(product, axis=-1)


def log_sigmoid(x, name=None):
    with name_scope(name, "LogSigmoid", [x]) as name:
        x = convert_to_tensor(x, name="x")
        return apply_op("Neg", x=apply_op("Softplus", features=-x), name=name)


def op_scope(values, name, default_name=None):
    return name_scope(name, default_name=default_name, values=values)


def is_tensor(x):
    from ..operators.sparse import SparseTensor
    return isinstance(x, (Tensor, variables.Variable, SparseTensor, ops.IndexedSlices))


def get_seed(op_seed):
    return random_ops.get_seed(op_seed)


def _casts(tf):
    for name, kind in (("bfloat16", dtypes.bfloat16), ("complex64", dtypes.complex64), ("complex128", dtypes.complex128)):
        def convert(x, name="To" + name.capitalize(), kind=kind):
            return tf.cast(x, kind, name=name)
        setattr(tf, "to_" + name, convert)


def _put(tf, target, entry):
    name, _, source = entry.partition("=")
    if hasattr(target, name) and target is not tf:
        return
    if source.startswith("tf."):
        setattr(target, name, functools.reduce(getattr, source[3:].split("."), tf))
    elif source:
        if Flow.op_registry_has_type(source):
            setattr(target, name, ops.wrapper(source))
    elif hasattr(tf, name):
        setattr(target, name, getattr(tf, name))


# What earlier releases had, or what stands in tf.math alone: TensorFlow's tf knows them no more.
_HIDDEN = {
    "": """add_v2 bessel_i0 bessel_i1 ceiling cumulative_logsumexp floordiv_op inv mul multiply_no_nan multiply_op neg polyval
        reciprocal_no_nan reduce_euclidean_norm reduce_std reduce_variance sub subtract_op xdivy xlogy
        identity_initializer quantize_and_dequantize optimizers activations RecordInput VariableDef np""",
    "math": """Tensor name_scope IndexedSlices apply_op constant convert_to_tensor neg inv add_v2 floordiv_op truncatediv
        truncatemod realdiv multiply_op subtract_op mul sub ceiling cross sparse_segment_sum sparse_segment_mean
        sparse_segment_sqrt_n cast to_float to_double to_int32 to_int64 saturate_cast range linspace lin_space div
        complex matmul arg_max arg_min tensordot clip_by_value clip_by_norm global_norm clip_by_global_norm
        clip_by_average_norm""",
    "strings": "string_join string_strip string_to_number string_to_hash_bucket string_split",
}


def hide(tf):
    """Takes away what TensorFlow does not have, and names functions made by others as they are called."""
    for module, names in _HIDDEN.items():
        target = getattr(tf, module) if module else tf
        for name in names.split():
            if name in vars(target):
                delattr(target, name)
    for module in (tf, tf.math, tf.nn, tf.linalg, tf.image, tf.losses, tf.metrics, tf.layers, tf.sparse, tf.random, tf.train):
        for name, value in list(vars(module).items()):
            if isinstance(value, types.FunctionType) and ("<" in value.__qualname__) and name[:1] != "_":
                value.__name__ = value.__qualname__ = name


def install(tf, submodule):
    """Fills tf and its modules; submodule(name, **members) makes one."""
    for module, names in _NAMES.items():
        path = tf.__name__ + ("." + module if module else "")
        target = sys.modules.get(path) or getattr(tf, module, None) or submodule(module)
        for entry in names.split():
            _put(tf, target, entry)
    for name in _IMAGE:
        setattr(tf.image, name, getattr(image_quality, name))
    for function in (searchsorted, parallel_stack, sparse_mask, broadcast_static_shape, op_scope, is_tensor, get_seed):
        setattr(tf, function.__name__, function)
    for name in _IMAGE_FILES:
        setattr(tf.image, name, getattr(image_decode, name))
    tf.io.decode_image, tf.io.is_jpeg = image_decode.decode_image, image_decode.is_jpeg
    for name in ("matrix_rank", "pinv", "normalize", "tridiagonal_solve"):
        setattr(tf.linalg, name, getattr(linalg_solvers, name))
    tf.linalg.expm = linalg_exponential.matrix_exponential
    tf.make_template = template.make_template
    for name in ("variable_axis_size_partitioner", "min_max_variable_partitioner", "create_partitioned_variables"):
        setattr(tf, name, getattr(partitioners, name))
    tf.VariableSynchronization, tf.VariableAggregation = variables.VariableSynchronization, variables.VariableAggregation
    tf.get_static_value = lambda tensor, partial=False: ops.constant_value(tensor, partial)
    tf.convert_to_tensor_or_indexed_slices = ops.internal_convert_to_tensor_or_indexed_slices
    tf.initialize_variables, tf.initialize_local_variables = tf.variables_initializer, tf.local_variables_initializer
    tf.initializers.variables = tf.variables_initializer
    tf.initializers.global_variables = tf.global_variables_initializer
    tf.initializers.local_variables = tf.local_variables_initializer
    tf.initializers.tables_initializer = tf.tables_initializer
    tf.initializers.uniform_unit_scaling = tf.uniform_unit_scaling_initializer
    tf.dimension_value = tensor_shape.dimension_value
    tf.strings.format = string_format
    tf.linalg.matvec = matvec
    tf.sparse.mask = sparse_mask
    tf.math.log_sigmoid = tf.log_sigmoid = tf.nn.log_sigmoid = log_sigmoid
    _casts(tf)
