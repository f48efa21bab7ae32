# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.data.experimental: datasets whose classes come as often as they are wanted, and one value for all elements of a key."""

import numpy as np

from .. import dtypes
from ..control import control_flow
from ..framework import ops, structure
from ..framework.ops import convert_to_tensor
from ..framework.structure import TensorSpec
from ..operators import array_ops, math_ops, random_ops
from ..operators.printing import Print
from .dataset_transforms import sample_from_datasets, scan
from .datasets import Dataset, Wrapped, _unary, carry_state

# How many classes are counted at a time, and how often each is taken to have been seen before the first one.
_COUNTED, _SEEN_BEFORE = 32, 10


# -- resampling

def _acceptance(initial, target):
    """How probably an element of each class is taken, and what part of the dataset may be taken as it is."""
    ratio = target / (initial + np.finfo(initial.dtype.as_numpy_dtype).tiny)
    largest, least = math_ops.reduce_max(ratio), math_ops.reduce_min(ratio)
    return (ratio - least) / (largest - least), least


def _estimated(target, classes):
    """Distributions of classes as they are counted."""
    count = target.shape[0].value or array_ops.shape(target)[0]
    seen = array_ops.fill([count], np.int64(_SEEN_BEFORE))

    def update_estimate_and_tile(seen, given):
        hot = array_ops.one_hot(given, seen.shape[0].value, dtype=dtypes.int64)
        seen = math_ops.add(seen, math_ops.reduce_sum(hot, 0))
        part = math_ops.truediv(seen, math_ops.reduce_sum(seen))
        part = math_ops.cast(part, dtypes.float32)
        return seen, array_ops.tile(array_ops.expand_dims(part, 0), [_COUNTED, 1])
    return scan(classes.batch(_COUNTED), seen, update_estimate_and_tile).unbatch()


def _accepted(dataset, acceptance, initial, classes, seed):
    """(class, element) of what is taken."""
    def maybe_warn_on_large_rejection(accept_dist, initial_dist):
        rejected = math_ops.reduce_sum((1 - accept_dist) * initial_dist)
        return control_flow.cond(
            math_ops.less(rejected, 0.5), lambda: accept_dist,
            lambda: Print(accept_dist, [rejected, initial_dist, accept_dist],
                          message="Proportion of examples rejected by sampler is high: ", summarize=100, first_n=10))

    def _gather_and_copy(class_val, acceptance_prob, data):
        return class_val, array_ops.gather(acceptance_prob, class_val), data
    acceptance = Dataset.zip((acceptance, initial)).map(maybe_warn_on_large_rejection)
    joined = Dataset.zip((classes, acceptance, dataset)).map(_gather_and_copy)
    taken = joined.filter(lambda _1, p, _2: random_ops.random_uniform([], seed=seed) < p)
    return taken.map(lambda class_value, _, data: (class_value, data))


def _known_least(initial, target):
    """The part of the dataset that may be taken as it is, where it is known."""
    initial, target = ops.constant_value(initial), ops.constant_value(target)
    return None if initial is None or target is None else np.min(target / initial)


def rejection_resample(class_func, target_dist, initial_dist=None, seed=None):
    """A transformation: elements with their classes, which come as often as target_dist says."""
    def _apply_fn(dataset):
        target = convert_to_tensor(target_dist, name="target_dist")
        classes = dataset.map(class_func)
        least = None
        if initial_dist is not None:
            initial = convert_to_tensor(initial_dist, name="initial_dist")
            accept, original = _acceptance(initial, target)
            initial_ds = Dataset.from_tensors(initial).repeat()
            accept_ds = Dataset.from_tensors(accept).repeat()
            original_ds = Dataset.from_tensors(original).repeat()
        else:
            initial_ds = _estimated(target, classes)
            both = initial_ds.map(lambda initial: _acceptance(initial, target))
            accept_ds = both.map(lambda accept_prob, _: accept_prob)
            original_ds = both.map(lambda _, prob_original: prob_original)
        taken = _accepted(dataset, accept_ds, initial_ds, classes, seed).prefetch(3)
        if initial_dist is not None:
            least = _known_least(initial, target)
        if least == 1:
            return Dataset.zip((classes, dataset))
        if least == 0:
            return taken
        return sample_from_datasets([Dataset.zip((classes, dataset)), taken],
                                    weights=original_ds.map(lambda prob: [(prob, 1.0 - prob)]), seed=seed)
    return _apply_fn


# -- one value for all elements of a key

class Reducer:
    """How elements become one value: the first state, the next one, and the value of the last."""

    def __init__(self, init_func, reduce_func, finalize_func):
        self._init_func, self._reduce_func, self._finalize_func = init_func, reduce_func, finalize_func

    init_func = property(lambda self: self._init_func)
    reduce_func = property(lambda self: self._reduce_func)
    finalize_func = property(lambda self: self._finalize_func)


def group_by_reducer(dataset, key_func, reducer):
    name = "tf.data.experimental.group_by_reducer()"
    key = Wrapped(key_func, name, dataset.element_spec)
    if not (type(key.output_spec) is TensorSpec and key.output_spec.is_compatible_with(TensorSpec([], dtypes.int64))):
        raise ValueError("`key_func` must return a single tf.int64 tensor. Got type=%s and shape=%s" % (
            structure.types(key.output_spec), structure.shapes(key.output_spec)))
    first = Wrapped(reducer.init_func, name, TensorSpec([], dtypes.int64))
    spec, following = carry_state(reducer.reduce_func, name, first.output_spec, dataset.element_spec)
    last = Wrapped(reducer.finalize_func, name, spec)
    parts = {"key": key, "init": first, "reduce": following, "finalize": last}
    values = {"%s_func_other_arguments" % part: wrapped.captured_inputs for part, wrapped in parts.items()}
    values.update({"%s_func" % part: wrapped.function for part, wrapped in parts.items()})
    result = _unary(dataset, "ExperimentalGroupByReducerDataset", last.output_spec, key, **values)
    result._wrapped += [first.function, following.function, last.function]
    return result
