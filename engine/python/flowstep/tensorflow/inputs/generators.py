# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Datasets of what a Python generator yields."""

import functools
import threading

import numpy as np

from .. import dtypes
from ..framework import ops, structure, tensor_shape
from ..framework.ops import apply_op
from ..operators import script_ops
from . import datasets
from .iterators import flat_attrs


class _State:
    """The iterators in use, by number."""

    def __init__(self, generator):
        self._generator, self._lock, self._next, self._args, self._iterators = generator, threading.Lock(), 0, {}, {}

    def next_id(self, *arguments):
        with self._lock:
            number = self._next
            self._next += 1
        self._args[number] = arguments
        return np.array(number, dtype=np.int64)

    def iterator(self, number):
        number = int(number)
        if number not in self._iterators:
            self._iterators[number] = iter(self._generator(*self._args.pop(number)))
        return self._iterators[number]

    def done(self, number):
        del self._iterators[int(number)]


def _next_element(state, output_types, kinds, shapes, number):
    """The arrays of an iterator's next element, checked against what was promised."""
    values = next(state.iterator(number))
    try:
        flat = structure.flatten_up_to(output_types, values)
    except (TypeError, ValueError):
        raise TypeError("`generator` yielded an element that did not match the expected structure. The expected structure "
                        "was %s, but the yielded element was %s." % (output_types, values))
    arrays = []
    for value, kind in zip(flat, kinds):
        try:
            arrays.append(script_ops.convert(value, None if kind == dtypes.string else kind.as_numpy_dtype))
        except (TypeError, ValueError):
            raise TypeError("`generator` yielded an element that could not be converted to the expected type. The expected "
                            "type was %s, but the yielded element was %s." % (kind.name, value))
    for array, shape in zip(arrays, shapes):
        if not shape.is_compatible_with(array.shape):
            raise ValueError("`generator` yielded an element of shape %s where an element of shape %s was expected." %
                             (array.shape, shape))
    return arrays


class _GeneratorDataset(datasets.Dataset):
    def __init__(self, init_args, init_func, next_func, finalize_func):
        name = "Dataset.from_generator()"
        spec = structure.spec_of(init_args)
        init = datasets.Wrapped(init_func, name, spec)
        following = datasets.Wrapped(next_func, name, init.output_spec)
        final = datasets.Wrapped(finalize_func, name, init.output_spec)
        variant = apply_op("GeneratorDataset",
                           init_func_other_args=structure.to_list(spec, init_args) + init.captured_inputs,
                           next_func_other_args=following.captured_inputs,
                           finalize_func_other_args=final.captured_inputs, init_func=init.function,
                           next_func=following.function, finalize_func=final.function,
                           **flat_attrs(following.output_spec))
        super().__init__(variant, following.output_spec)


def from_generator(generator, output_types, output_shapes=None, args=None):
    if not callable(generator):
        raise TypeError("`generator` must be callable.")
    if output_types is None:
        raise TypeError("Cannot convert value None to a TensorFlow DType.")
    kinds = [dtypes.as_dtype(d) for d in structure.flatten(output_types)]
    if output_shapes is None:
        shapes = [tensor_shape.unknown_shape() for _ in kinds]
    else:
        shapes = [tensor_shape.as_shape(s) for s in structure.flatten_up_to(output_types, output_shapes)]
    args = () if args is None else tuple(ops.convert_n_to_tensor(args, name="args"))
    state = _State(generator)

    def get_iterator_id_fn(unused_dummy):
        return script_ops.numpy_function(state.next_id, args, dtypes.int64)

    def generator_next_fn(iterator_id_t):
        # What its errors tell of the stack begins with the function itself.
        following = functools.partial(_next_element, state, output_types, kinds, shapes)
        made = script_ops.numpy_function(following, [iterator_id_t], kinds)
        for tensor, shape in zip(made, shapes):
            tensor.set_shape(shape)
        return structure.pack(output_types, made)

    def finalize_fn(iterator_id_t):
        def finalize_py_func(iterator_id):
            state.done(iterator_id)
            return np.array(0, dtype=np.int64)
        return script_ops.numpy_function(finalize_py_func, [iterator_id_t], dtypes.int64)

    def flat_map_fn(dummy_arg):
        return _GeneratorDataset(dummy_arg, get_iterator_id_fn, generator_next_fn, finalize_fn)
    return datasets.Dataset.from_tensors(0).flat_map(flat_map_fn)
