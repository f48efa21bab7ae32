# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Functions of a few ops that stand in tf, tf.nn and tf.linalg: repetitions, histograms, pools of any rank, mean losses,
and ops that TensorFlow's functions call with other arguments than their own."""

from .. import dtypes
from ..framework import ops, tensor_shape
from ..framework.graph import name_scope
from ..framework.ops import apply_op, convert_to_tensor, either
from . import array_ops, math_ops, nn_conv


# -- repetitions

def repeat(input, repeats, axis=None, name=None):
    """Each slice along an axis so many times."""
    if axis is None:
        input = array_ops.reshape(input, [-1])
        axis = 0
    return _repeat(input, repeats, axis, name)


def _axis_of(axis, ndims):
    if not isinstance(axis, int):
        raise TypeError("axis must be an int; got %s" % type(axis).__name__)
    if ndims is not None:
        if 0 <= axis < ndims:
            return axis
        if -ndims <= axis < 0:
            return axis + ndims
        raise ValueError("axis=%s out of bounds: expected %s<=axis<%s" % (axis, -ndims, ndims))
    if axis < 0:
        raise ValueError("axis may only be negative if ndims is statically known.")
    return axis


def _counts(value, name):
    value = convert_to_tensor(value, name=name)
    if not value.dtype.is_integer:
        raise TypeError("%s must be an integer tensor; dtype=%s" % (name, value.dtype))
    return apply_op("Cast", x=value, DstT=dtypes.int32)   # TF: even where it is one already


def _tiled(data, axis, count):
    """data with a new axis, count long, before the given one."""
    data = array_ops.expand_dims(data, axis)
    multiples = [1] * data.shape.ndims
    multiples[axis] = count
    return array_ops.tile(data, multiples)


def _repeat(data, repeats, axis, name):
    with name_scope(name, "Repeat", [data, repeats]):
        data = convert_to_tensor(data, name="data")
        repeats = _counts(repeats, "repeats")
        repeats.shape.with_rank_at_most(1)
        axis = _axis_of(axis, data.shape.ndims)
        shape = array_ops.shape(data)
        if repeats.shape.ndims == 0:
            tiled = _tiled(data, axis + 1, repeats)
            return array_ops.reshape(tiled, array_ops.concat([shape[:axis], [-1], shape[axis + 1:]], axis=0))
        if repeats.shape.ndims is None or data.shape.ndims is None:
            raise ValueError("`input` and `repeats` must have known ranks.")
        repeats.shape[0].assert_is_compatible_with(data.shape[axis])
        if repeats.shape.ndims != axis + 1:
            own = array_ops.shape(repeats)
            outer = shape[:axis + 1 - array_ops.rank(repeats)]
            repeats = array_ops.broadcast_to(repeats, array_ops.concat([outer, own], axis=0))
            repeats.set_shape([None] * (axis + 1))
        longest = math_ops.maximum(0, math_ops.reduce_max(repeats))
        mask = array_ops.sequence_mask(repeats, longest)
        masked = array_ops.boolean_mask(_tiled(data, axis + 1, longest), mask)
        if axis == 0:
            return masked
        return array_ops.reshape(masked, array_ops.concat([shape[:axis], [-1], shape[axis + 1:]], axis=0))


def histogram_fixed_width_bins(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
    """The bin of each value."""
    with name_scope(name, "histogram_fixed_width_bins", [values, value_range, nbins]):
        values = convert_to_tensor(values, name="values")
        shape = array_ops.shape(values)
        values = array_ops.reshape(values, [-1])
        value_range = convert_to_tensor(value_range, name="value_range")
        nbins = convert_to_tensor(nbins, dtype=dtypes.int32, name="nbins")
        count = math_ops.cast(nbins, values.dtype)
        scaled = math_ops.truediv(values - value_range[0], value_range[1] - value_range[0], name="scaled_values")
        indices = math_ops.floor(count * scaled, name="indices")
        indices = math_ops.cast(math_ops.clip_by_value(indices, 0, count - 1), dtypes.int32)
        return array_ops.reshape(indices, shape)


# -- pools of any rank

def _any_pool(op_name, functions):
    def function(input, ksize, strides, padding, data_format=None, name=None):
        if input.shape is None or input.shape.ndims is None:
            channel_index = 1 if data_format is not None and data_format.startswith("NC") else -1
            raise ValueError("Input tensor must be of rank 3, 4 or 5 but was unknown (channel %d)." % channel_index)
        n = len(input.shape) - 2
        if not 1 <= n <= 3:
            raise ValueError("Input tensor must be of rank 3, 4 or 5 but was %d." % (n + 2))
        default = ("NWC", "NHWC", "NDHWC")[n - 1]
        return functions[n - 1](input, ksize=ksize, strides=strides, padding=padding, data_format=data_format or default,
                                name=name)
    function.__name__ = function.__qualname__ = op_name
    return function


avg_pool_v2 = _any_pool("avg_pool_v2", (nn_conv.avg_pool1d, nn_conv.avg_pool, nn_conv.avg_pool3d))
max_pool_v2 = _any_pool("max_pool_v2", (nn_conv.max_pool1d, nn_conv.max_pool, nn_conv.max_pool3d))


# -- losses over replicas; there is one

def compute_average_loss(per_example_loss, sample_weight=None, global_batch_size=None):
    per_example_loss = convert_to_tensor(per_example_loss)
    kind = per_example_loss.dtype
    if sample_weight is not None:
        per_example_loss = math_ops.multiply(per_example_loss, math_ops.cast(convert_to_tensor(sample_weight), kind))
    if global_batch_size is None:
        global_batch_size = array_ops.shape(per_example_loss)[0] * 1
    global_batch_size = math_ops.cast(global_batch_size, kind) if ops.is_tensor_like(global_batch_size) else \
        float(global_batch_size)
    return math_ops.reduce_sum(per_example_loss) / global_batch_size


def scale_regularization_loss(regularization_loss):
    return math_ops.reduce_sum(regularization_loss) / 1.0


# -- ops under other arguments

def depth_to_space(input, block_size, name=None, data_format="NHWC"):
    return apply_op("DepthToSpace", input=input, block_size=block_size, data_format=data_format, name=name)


def space_to_depth(input, block_size, name=None, data_format="NHWC"):
    return apply_op("SpaceToDepth", input=input, block_size=block_size, data_format=data_format, name=name)


def _resize(op_type, function_name):
    def function(images, size, align_corners=False, name=None, half_pixel_centers=False):
        return apply_op(op_type, images=images, size=size, align_corners=align_corners,
                        half_pixel_centers=half_pixel_centers, name=name)
    function.__name__ = function.__qualname__ = function_name
    return function


resize_bicubic = _resize("ResizeBicubic", "resize_bicubic")
resize_bilinear = _resize("ResizeBilinear", "resize_bilinear")
resize_nearest_neighbor = _resize("ResizeNearestNeighbor", "resize_nearest_neighbor")


def broadcast_dynamic_shape(shape_x, shape_y):
    return apply_op("BroadcastArgs", s0=shape_x, s1=shape_y)


def fingerprint(data, method="farmhash64", name=None):
    return apply_op("Fingerprint", data=data, method=method, name=name)


def quantize_and_dequantize(input, input_min, input_max, signed_input=True, num_bits=8, range_given=False,
                            round_mode="HALF_TO_EVEN", name=None, narrow_range=False):
    return apply_op("QuantizeAndDequantizeV2", input=input, input_min=input_min, input_max=input_max,
                    signed_input=signed_input, num_bits=num_bits, range_given=range_given, round_mode=round_mode,
                    narrow_range=narrow_range, name=name)


def quantize_v2(input, min_range, max_range, T, mode="MIN_COMBINED", name=None, round_mode="HALF_AWAY_FROM_ZERO"):
    return apply_op("QuantizeV2", input=input, min_range=min_range, max_range=max_range, T=T, mode=mode, name=name,
                    round_mode=round_mode)


def extract_image_patches(images, ksizes=None, strides=None, rates=None, padding=None, name=None, sizes=None):
    ksizes = either("sizes", sizes, "ksizes", ksizes)
    return apply_op("ExtractImagePatches", images=images, ksizes=ksizes, strides=strides, rates=rates, padding=padding,
                    name=name)


def tridiagonal_matmul(diagonals, rhs, diagonals_format="compact", name=None):
    """The product of matrices of three diagonals with others."""
    if diagonals_format == "compact":
        above, main, below = diagonals[..., 0, :], diagonals[..., 1, :], diagonals[..., 2, :]
    elif diagonals_format == "sequence":
        above, main, below = diagonals
    elif diagonals_format == "matrix":
        m1, m2 = diagonals.shape[-1].value, diagonals.shape[-2].value
        if m1 and m2 and m1 != m2:
            raise ValueError("Expected last two dimensions of diagonals to be same, got {} and {}".format(m1, m2))
        main = array_ops.matrix_diag_part(diagonals)
        below = array_ops.pad(array_ops.matrix_diag_part(diagonals[..., 1:, :]), _before(main, [1, 0]))
        above = array_ops.pad(array_ops.matrix_diag_part(diagonals[..., :-1, 1:]), _before(main, [0, 1]))
    else:
        raise ValueError("Unrecognized diagonals_format: %s" % diagonals_format)
    above, main, below = [array_ops.expand_dims(part, -2) for part in (above, main, below)]
    return apply_op("TridiagonalMatMul", superdiag=above, maindiag=main, subdiag=below, rhs=rhs, name=name)


def _before(values, last):
    return [[0, 0]] * (len(values.shape) - 1) + [last]


def dimension_value(dimension):
    return tensor_shape.dimension_value(dimension)


def dimension_at_index(shape, index):
    assert isinstance(shape, tensor_shape.TensorShape)
    return tensor_shape.Dimension(None) if shape.ndims is None else shape.dims[index]


def conv3d_backprop_filter(input, filter_sizes, out_backprop, strides, padding, data_format="NDHWC",
                           dilations=[1, 1, 1, 1, 1], name=None):
    return apply_op("Conv3DBackpropFilterV2", input=input, filter_sizes=filter_sizes, out_backprop=out_backprop,
                    strides=strides, padding=padding, data_format=data_format, dilations=list(dilations), name=name)


# A module of tf (none is tf itself) and what stands in it.
_PLACES = {
    "": """repeat histogram_fixed_width_bins depth_to_space space_to_depth broadcast_dynamic_shape
        fingerprint quantize_v2 extract_image_patches dimension_value dimension_at_index""",
    "nn": """avg_pool_v2 max_pool_v2 compute_average_loss scale_regularization_loss depth_to_space space_to_depth
        conv3d_backprop_filter conv3d_backprop_filter_v2=conv3d_backprop_filter""",
    "image": "resize_bicubic resize_bilinear resize_nearest_neighbor extract_image_patches",
    "linalg": "tridiagonal_matmul",
    "quantization": "quantize_and_dequantize",
    "compat": "dimension_value dimension_at_index",
}


def install(tf):
    for module, names in _PLACES.items():
        target = getattr(tf, module) if module else tf
        for entry in names.split():
            name, _, own = entry.partition("=")
            setattr(target, name, globals()[own or name])
