# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.training: examples left out or repeated by chance, so that those which stay are as often as is wished."""

from .. import dtypes
from ..control import control_flow, loops
from ..control import tensor_array
from ..framework.graph import Tensor, name_scope
from ..framework.ops import convert_n_to_tensor_or_indexed_slices, convert_to_tensor
from ..inputs import batching
from ..learning import moving_averages
from ..operators import array_ops, check_ops, math_ops, printing, random_ops
from ..state import scope as scope_lib, variables


def _check_rows(tensors, count):
    for tensor in tensors:
        tensor.shape.with_rank_at_least(1).dims[0].assert_is_compatible_with(count)
    return tensors


def _one_by_one(tensors, threads, capacity):
    batched = batching.batch(tensors, batch_size=1, num_threads=threads, capacity=capacity, enqueue_many=True)
    return [array_ops.squeeze(x, [0]) for x in batched]


def rejection_sample(tensors, accept_prob_fn, batch_size, queue_threads=1, enqueue_many=False, prebatch_capacity=16,
                     prebatch_threads=1, runtime_checks=False, name=None):
    with scope_lib.variable_scope(name, "rejection_sample", tensors):
        found = convert_n_to_tensor_or_indexed_slices(tensors)
        if enqueue_many:
            found = _one_by_one(_check_rows(found, found[0].shape[0]), prebatch_threads, prebatch_capacity)
        probability = accept_prob_fn(found)
        if runtime_checks:
            checks = [check_ops.assert_less_equal(0.0, probability), check_ops.assert_less_equal(probability, 1.0)]
            probability = array_ops.identity(control_flow.with_dependencies(checks, probability), name="prob_with_checks")
        batch = batching.maybe_batch(found, keep_input=random_ops.random_uniform([]) < probability, batch_size=batch_size,
                                     num_threads=queue_threads)
        return [batch] if isinstance(batch, Tensor) else batch


# -- classes as often as is wished

def _seen_shares(labels, num_classes, smoothing_constant=10):
    """How often each class was by now, every one some times more."""
    counts = variables.Variable(initial_value=[smoothing_constant] * num_classes, trainable=False, name="class_count",
                                dtype=dtypes.int64)
    counts = counts.assign_add(math_ops.reduce_sum(array_ops.one_hot(labels, num_classes, dtype=dtypes.int64), 0))
    # A number of its own: the variable goes on.
    counts += 0
    return math_ops.cast(math_ops.truediv(counts, math_ops.reduce_sum(counts)), dtypes.float32)


def _checked_shares(shares):
    shares.shape.assert_is_fully_defined()
    shares.shape.assert_has_rank(1)
    total, tolerance = math_ops.reduce_sum(shares), 1e-6
    return control_flow.with_dependencies([
        check_ops.assert_non_negative(shares), check_ops.assert_less(total, 1.0 + tolerance),
        check_ops.assert_less(1.0 - tolerance, total)], shares)


def _checked(tensors, labels, shares):
    shares = [_checked_shares(each) for each in shares]
    classes = shares[0].shape.num_elements()
    if any(each.shape.num_elements() != classes for each in shares):
        raise ValueError("Probability parameters must have the same length.")
    labels.shape.assert_has_rank(1)
    _check_rows(tensors, labels.shape[0])
    rows = array_ops.shape(labels)[0]
    is_some = check_ops.assert_positive(rows)
    labels = control_flow.with_dependencies([is_some], labels)
    tensors = [control_flow.with_dependencies([is_some, check_ops.assert_equal(array_ops.shape(x)[0], rows)], x)
               for x in tensors]
    labels = control_flow.with_dependencies([
        check_ops.assert_integer(labels), check_ops.assert_non_negative(labels),
        check_ops.assert_less(labels, math_ops.cast(classes, labels.dtype))], labels)
    return tensors, labels, shares


def _acceptance(shares, wished):
    """How often an example of each class stays; the rarest always does."""
    ratio = wished / shares
    ratio = array_ops.where_v2(math_ops.is_nan(ratio), array_ops.zeros_like(ratio), ratio)
    return ratio / math_ops.reduce_max(ratio)


def stratified_sample(tensors, labels, target_probs, batch_size, init_probs=None, enqueue_many=False, queue_capacity=16,
                      threads_per_queue=1, name=None):
    with name_scope(name, "stratified_sample", list(tensors) + [labels]):
        found = convert_n_to_tensor_or_indexed_slices(tensors)
        labels = convert_to_tensor(labels)
        wished = convert_to_tensor(target_probs, dtype=dtypes.float32)
        if not enqueue_many:
            found = [array_ops.expand_dims(tensor, 0) for tensor in found]
            labels = array_ops.expand_dims(labels, 0)
        if init_probs is None:
            wished.shape.assert_is_fully_defined()
            shares = _seen_shares(labels, wished.shape.num_elements())
        else:
            shares = convert_to_tensor(init_probs, dtype=dtypes.float32)
        found, labels, (shares, wished) = _checked(found, labels, [shares, wished])
        can_be = math_ops.reduce_all(math_ops.logical_or(math_ops.not_equal(shares, 0), math_ops.equal(wished, 0)))
        check = control_flow.Assert(can_be, ["All classes with zero initial probability must also have zero target "
                                             "probability: ", shares, wished])
        shares = control_flow.with_dependencies([check], shares)
        accepted = _acceptance(shares, wished)
        rejected = math_ops.reduce_sum((1 - accepted) * shares)
        accepted = control_flow.cond(math_ops.less(rejected, .5), lambda: accepted, lambda: printing.Print(
            accepted, [accepted], message="Proportion of examples rejected by sampler is high.", first_n=10))
        each = _one_by_one(found + [labels], threads_per_queue, queue_capacity)
        probability = array_ops.gather(accepted, each[-1])
        batched = batching.maybe_batch(each, keep_input=random_ops.random_uniform([]) < probability, batch_size=batch_size,
                                       num_threads=threads_per_queue)
        return batched[:-1], batched[-1]


# -- rows repeated

def _repeat_range(counts, name=None):
    """0 counts[0] times, 1 counts[1] times and so on."""
    with name_scope(name, "repeat_range", [counts]) as scope:
        counts = convert_to_tensor(counts, name="counts")

        def body(output, i):
            value = array_ops.fill(counts[i:i + 1], i)
            return output.write(i, value), i + 1
        size = array_ops.shape(counts)[0]
        output = tensor_array.TensorArray(dtype=dtypes.int32, size=size, infer_shape=False)
        output, written = loops.while_loop(lambda output, i: i < size, body, loop_vars=[output, 0])
        return control_flow.cond(written > 0, output.concat, lambda: array_ops.zeros(shape=[0], dtype=dtypes.int32),
                                 name=scope)


def resample_at_rate(inputs, rates, scope=None, seed=None, back_prop=False):
    with name_scope(scope, default_name="resample_at_rate", values=list(inputs) + [rates]):
        rates = convert_to_tensor(rates, name="rates")
        counts = math_ops.cast(random_ops.random_poisson(rates, (), rates.dtype, seed=seed), dtypes.int32)
        indices = _repeat_range(counts)
        if not back_prop:
            indices = array_ops.stop_gradient(indices)
        return [array_ops.gather(x, indices) for x in inputs]


def weighted_resample(inputs, weights, overall_rate, scope=None, mean_decay=0.999, seed=None):
    with name_scope(scope, "weighted_resample", inputs) as opened:
        with scope_lib.variable_scope(scope, "estimate_mean", inputs):
            estimated = scope_lib.get_local_variable("estimated_mean", initializer=math_ops.cast(0, weights.dtype),
                                                     dtype=weights.dtype)
            mean = moving_averages.assign_moving_average(estimated, math_ops.reduce_mean(weights), mean_decay)
        rates = weights * overall_rate / mean
        results = resample_at_rate([rates] + inputs, rates, scope=opened, seed=seed, back_prop=False)
        return results[1:], results[0]
