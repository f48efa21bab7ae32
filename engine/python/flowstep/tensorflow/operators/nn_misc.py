# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.nn: statistics, losses and activations put together of other ops, CTC."""

import math

from .. import dtypes, nn
from ..differentiation import gradient_rules
from ..framework import graph as graph_lib, ops
from ..framework.graph import Tensor, name_scope
from ..framework.ops import apply_op, constant, convert_to_tensor
from . import array_ops, math_ops, sparse


def _merged(a, b, names):
    try:
        a.shape.merge_with(b.shape)
    except ValueError:
        raise ValueError("%s and %s must have the same shape (%s vs %s)" % (names + (b.shape, a.shape))) from None


# -- statistics

def weighted_moments(x, axes, frequency_weights, name=None, keep_dims=None, keepdims=None):
    keep = bool(ops.either("keepdims", keepdims, "keep_dims", keep_dims))
    with name_scope(name, "weighted_moments", [x, frequency_weights, axes]):
        x = convert_to_tensor(x, name="x")
        weights = convert_to_tensor(frequency_weights, name="frequency_weights")
        half = x.dtype == dtypes.float16
        if half:
            x = math_ops.cast(x, dtypes.float32)
        if weights.dtype != x.dtype:
            weights = math_ops.cast(weights, x.dtype)
        total = math_ops.reduce_sum(weights * x, axes, name="weighted_input_sum", keepdims=True)
        spread = weights + array_ops.zeros_like(x)
        divisor = math_ops.reciprocal(math_ops.reduce_sum(spread, axes, name="sum_of_weights", keepdims=True),
                                      name="inv_weight_sum")
        mean = math_ops.multiply(total, divisor)
        distance = math_ops.reduce_sum(weights * math_ops.squared_difference(x, mean), axes, name="weighted_distsq",
                                       keepdims=True)
        variance = math_ops.multiply(distance, divisor)
        if not keep:
            mean, variance = array_ops.squeeze(mean, axis=axes), array_ops.squeeze(variance, axis=axes)
        if half:
            mean, variance = math_ops.cast(mean, dtypes.float16), math_ops.cast(variance, dtypes.float16)
        return mean, variance


def sufficient_statistics(x, axes, shift=None, keep_dims=None, name=None, keepdims=None):
    axes = list(set(axes))
    keep = bool(ops.either("keepdims", keepdims, "keep_dims", keep_dims))
    with name_scope(name, "sufficient_statistics", [x, shift]):
        x = convert_to_tensor(x, name="x")
        if x.shape.ndims is not None and all(x.shape[d].value is not None for d in axes):
            count = 1
            for d in axes:
                count *= x.shape[d].value
            count = constant(count, dtype=x.dtype)
        else:
            dims = array_ops.gather(math_ops.cast(array_ops.shape(x), x.dtype), axes)
            count = math_ops.reduce_prod(dims, name="count")
        if shift is not None:
            shift = convert_to_tensor(shift, name="shift")
            mean, variance = math_ops.subtract(x, shift), math_ops.squared_difference(x, shift)
        else:
            mean, variance = x, math_ops.square(x)
        mean = math_ops.reduce_sum(mean, axes, keepdims=keep, name="mean_ss")
        variance = math_ops.reduce_sum(variance, axes, keepdims=keep, name="var_ss")
        return count, mean, variance, shift


def normalize_moments(counts, mean_ss, variance_ss, shift, name=None):
    with name_scope(name, "normalize", [counts, mean_ss, variance_ss, shift]):
        divisor = math_ops.reciprocal(counts, name="divisor")
        if shift is not None:
            shifted = math_ops.multiply(mean_ss, divisor, name="shifted_mean")
            mean = math_ops.add(shifted, shift, name="mean")
        else:
            mean = shifted = math_ops.multiply(mean_ss, divisor, name="mean")
        product = math_ops.multiply(variance_ss, divisor)
        return mean, math_ops.subtract(product, math_ops.square(shifted), name="variance")


def batch_norm_with_global_normalization(t=None, m=None, v=None, beta=None, gamma=None, variance_epsilon=None,
                                         scale_after_normalization=None, name=None, input=None, mean=None, variance=None):
    t, m, v = (a if a is not None else b for a, b in ((t, input), (m, mean), (v, variance)))
    return nn.batch_normalization(t, m, v, beta, gamma if scale_after_normalization else None, variance_epsilon, name)


def _count_nonzero(value, dtype):
    with name_scope("count_nonzero", values=[value]):
        zero = array_ops.zeros([], dtype=value.dtype)
        return math_ops.reduce_sum(math_ops.cast(math_ops.not_equal(value, zero), dtype), name="nonzero_count")


def zero_fraction(value, name=None):
    from ..control import control_flow
    with name_scope(name, "zero_fraction", [value]):
        value = convert_to_tensor(value, name="value")
        size = array_ops.size(value, out_type=dtypes.int64)
        nonzero = control_flow.cond(size <= 2 ** 31 - 1,
                                    lambda: math_ops.cast(_count_nonzero(value, dtypes.int32), dtypes.int64),
                                    lambda: _count_nonzero(value, dtypes.int64))
        with name_scope("counts_to_fraction"):
            zeros = math_ops.cast(size - nonzero, dtypes.float32)
            fraction = zeros / math_ops.cast(size, dtypes.float32)
        return array_ops.identity(fraction, "fraction")


# -- losses and activations

def log_poisson_loss(targets, log_input, compute_full_loss=False, name=None):
    with name_scope(name, "log_poisson_loss", [log_input, targets]):
        log_input = convert_to_tensor(log_input, name="log_input")
        targets = convert_to_tensor(targets, name="targets")
        _merged(targets, log_input, ("log_input", "targets"))
        result = math_ops.exp(log_input) - log_input * targets
        if compute_full_loss:
            half = constant(0.5, dtype=targets.dtype)
            two_pi = constant(2 * math.pi, dtype=targets.dtype)
            stirling = targets * math_ops.log(targets) - targets + half * math_ops.log(two_pi * targets)
            zeros, ones = array_ops.zeros_like(targets), array_ops.ones_like(targets)
            result += array_ops.where(math_ops.logical_and(targets >= zeros, targets <= ones), zeros, stirling)
        return result


def weighted_cross_entropy_with_logits(labels=None, logits=None, pos_weight=None, name=None, targets=None):
    labels = labels if labels is not None else targets
    with name_scope(name, "logistic_loss", [logits, labels]) as name:
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        _merged(labels, logits, ("logits", "labels"))
        weight = 1 + (pos_weight - 1) * labels
        return math_ops.add((1 - labels) * logits,
                            weight * (math_ops.log1p(math_ops.exp(-math_ops.abs(logits))) + nn.relu(-logits)), name=name)


def crelu(features, name=None, axis=-1):
    with name_scope(name, "CRelu", [features]) as name:
        features = convert_to_tensor(features, name="features")
        return apply_op("Relu", features=array_ops.concat([features, -features], axis, name=name))


# -- softmax along an inner axis

def _swap(x, axis, last, name=None):
    order = array_ops.concat([math_ops.range(axis), [last], math_ops.range(axis + 1, last), [axis]], 0)
    return array_ops.transpose(x, order, name=name)


def softmax_along(logits, op_type, dim, name):
    logits = convert_to_tensor(logits)
    ndims = logits.shape.ndims
    if dim == -1 or ndims is not None and dim == ndims - 1:
        return apply_op(op_type, logits=logits, name=name)
    at = ops.constant_value(dim) if isinstance(dim, Tensor) else dim
    if at is not None and not -ndims <= at < ndims:
        from .. import errors
        raise errors.InvalidArgumentError(
            None, None, "Dimension (%d) must be in the range [%d, %d) where %d is the number of dimensions in the input." %
            (at, -ndims, ndims, ndims))
    rank = array_ops.rank(logits)
    if isinstance(dim, Tensor):
        dim = array_ops.where(math_ops.less(dim, 0), dim + rank, dim)
    elif dim < 0:
        dim += rank
    rank = array_ops.rank(logits)
    axis, known = dim % ndims, logits.shape
    result = apply_op(op_type, logits=_swap(logits, axis, math_ops.subtract(rank, 1)))
    result = _swap(result, axis, math_ops.subtract(rank, 1), name=name)
    result.set_shape(known)
    return result


def move_to_end(x, axis, rank):
    order = array_ops.concat([math_ops.range(axis), math_ops.range(axis + 1, rank), [axis]], 0)
    return array_ops.transpose(x, order)


# -- CTC

def ctc_loss(labels, inputs=None, sequence_length=None, preprocess_collapse_repeated=False, ctc_merge_repeated=True,
             ignore_longer_outputs_than_inputs=False, time_major=True, logits=None):
    if not isinstance(labels, sparse.SparseTensor):
        raise TypeError("Expected labels (first argument) to be a SparseTensor")
    inputs = inputs if inputs is not None else logits
    if not time_major:
        inputs = array_ops.transpose(inputs, [1, 0, 2])
    return apply_op("CTCLoss", inputs=inputs, labels_indices=labels.indices, labels_values=labels.values,
                    sequence_length=sequence_length, preprocess_collapse_repeated=preprocess_collapse_repeated,
                    ctc_merge_repeated=ctc_merge_repeated,
                    ignore_longer_outputs_than_inputs=ignore_longer_outputs_than_inputs)[0]


def ctc_greedy_decoder(inputs, sequence_length, merge_repeated=True):
    indices, values, shape, scores = apply_op("CTCGreedyDecoder", inputs=inputs, sequence_length=sequence_length,
                                              merge_repeated=merge_repeated)
    return [sparse.SparseTensor(indices, values, shape)], scores


def ctc_beam_search_decoder(inputs, sequence_length, beam_width=100, top_paths=1, merge_repeated=True):
    indices, values, shapes, scores = apply_op(
        "CTCBeamSearchDecoder", inputs=inputs, sequence_length=sequence_length, beam_width=beam_width, top_paths=top_paths,
        merge_repeated=merge_repeated)
    return [sparse.SparseTensor(*parts) for parts in zip(indices, values, shapes)], scores


def ctc_beam_search_decoder_v2(inputs, sequence_length, beam_width=100, top_paths=1):
    return ctc_beam_search_decoder(inputs, sequence_length, beam_width, top_paths, merge_repeated=False)


fractional_max_pool = array_ops._op("FractionalMaxPool", "value", "pooling_ratio", "pseudo_random", "overlapping",
                                    "deterministic", "seed", "seed2")
fractional_avg_pool = array_ops._op("FractionalAvgPool", "value", "pooling_ratio", "pseudo_random", "overlapping",
                                    "deterministic", "seed", "seed2")


@gradient_rules.custom_gradient
def swish(features):
    """x sigmoid (x); its gradient computes the sigmoid again instead of keeping it."""
    features = convert_to_tensor(features, name="features")

    def grad(dy):
        with graph_lib.control_dependencies([dy]):
            again = math_ops.sigmoid(features)
        return dy * (again * (1.0 + features * (1.0 - again)))
    return features * math_ops.sigmoid(features), grad
