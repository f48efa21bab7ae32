# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Iterators over datasets, and the functions that one-shot iterators make them with."""

import warnings

from .. import dtypes, nest
from ..control.defun import Defun
from ..framework import graph as graph_lib, ops, structure
from ..framework.graph import get_default_graph, name_scope
from ..framework.ops import apply_op, convert_to_tensor
from ..operators import random_ops

GLOBAL_ITERATORS = "iterators"
_MANY_CALLS = 32


def _here(make):
    """On the CPU, where nothing else was asked for."""
    graph = get_default_graph()
    if graph._builder.get_device() or graph._device_functions:
        return make()
    with graph_lib.device("/cpu:0"):
        return make()


def flat_attrs(spec):
    pairs = structure.flat(spec)
    return {"output_types": [d for d, _ in pairs], "output_shapes": [s for _, s in pairs]}


class Iterator:
    """Gives the elements of a dataset one after the other."""

    def __init__(self, iterator_resource, initializer, output_types, output_shapes, output_classes, spec=None):
        self._iterator_resource, self._initializer = iterator_resource, initializer
        self._spec = spec if spec is not None else structure.from_legacy(output_types, output_shapes, output_classes)
        self._string_handle = apply_op("IteratorToStringHandle", resource_handle=iterator_resource)
        self._calls = 0
        graph_lib.add_to_collection(GLOBAL_ITERATORS, iterator_resource)

    element_spec = property(lambda self: self._spec)
    output_types = property(lambda self: structure.types(self._spec))
    output_shapes = property(lambda self: structure.shapes(self._spec))
    output_classes = property(lambda self: structure.classes(self._spec))

    @staticmethod
    def from_structure(output_types, output_shapes=None, shared_name=None, output_classes=None):
        spec = structure.from_legacy(output_types, output_shapes, output_classes)
        resource = _here(lambda: apply_op("IteratorV2", container="", shared_name=shared_name or "", **flat_attrs(spec)))
        return Iterator(resource, None, None, None, None, spec)

    @staticmethod
    def from_string_handle(string_handle, output_types, output_shapes=None, output_classes=None):
        spec = structure.from_legacy(output_types, output_shapes, output_classes)
        string_handle = convert_to_tensor(string_handle, dtype=dtypes.string)
        resource = _here(lambda: apply_op("IteratorFromStringHandleV2", string_handle=string_handle, **flat_attrs(spec)))
        return Iterator(resource, None, None, None, None, spec)

    @property
    def initializer(self):
        if self._initializer is None:
            raise ValueError("Iterator does not have an initializer.")
        return self._initializer

    def make_initializer(self, dataset, name=None):
        with name_scope(name, "make_initializer") as name:
            self._check(dataset)
        with graph_lib.colocate_with(self._iterator_resource):
            return ops.make_op("MakeIterator", dataset=dataset._variant_tensor, iterator=self._iterator_resource,
                               name=name)

    def _check(self, dataset):
        nest.assert_same_elements(self.output_types, dataset.output_types)
        pairs = list(zip(structure.flatten(self._spec), structure.flatten(dataset.element_spec)))
        if any(a.output_class is not b.output_class for a, b in pairs):
            raise TypeError("Expected output classes %r but got dataset with output class %r." %
                            (self.output_classes, dataset.output_classes))
        if any(a.dtype != b.dtype for a, b in pairs):
            raise TypeError("Expected output types %r but got dataset with output types %r." %
                            (self.output_types, dataset.output_types))
        if not all(a.shape.is_compatible_with(b.shape) for a, b in pairs):
            raise TypeError("Expected output shapes compatible with %r but got dataset with output shapes %r." %
                            (self.output_shapes, dataset.output_shapes))

    def get_next(self, name=None):
        self._calls += 1
        if self._calls > _MANY_CALLS:
            warnings.warn("An unusually high number of `Iterator.get_next()` calls was detected. This often indicates "
                          "that `Iterator.get_next()` is being called inside a training loop, which will cause gradual "
                          "slowdown and eventual resource exhaustion. If this is the case, restructure your code to "
                          "call `next_element = iterator.get_next()` once outside the loop, and use `next_element` as "
                          "the input to some computation that is invoked inside the loop.")
        made = apply_op("IteratorGetNext", iterator=self._iterator_resource, name=name, **flat_attrs(self._spec))
        return structure.from_list(self._spec, made)

    def string_handle(self, name=None):
        if name is None:
            return self._string_handle
        return apply_op("IteratorToStringHandle", resource_handle=self._iterator_resource, name=name)


def make_initializable(dataset, shared_name=None):
    dataset._check_graph()
    final = dataset._apply_options()
    resource = apply_op("IteratorV2", container="", shared_name=shared_name or "", **flat_attrs(dataset.element_spec))
    with graph_lib.colocate_with(resource):
        initializer = ops.make_op("MakeIterator", dataset=final._variant_tensor, iterator=resource)
    return Iterator(resource, initializer, None, None, None, dataset.element_spec)


# -- one-shot iterators: the dataset's ops go into a function

def _variant_ops(dataset):
    """The ops that make the dataset: stateful as they may be, they are its own."""
    found, queue = set(), [dataset._variant_tensor.op]
    while queue:
        op = queue.pop(0)
        if op in found:
            continue
        found.add(op)
        queue.extend(t.op for t in op.inputs)
    return {op for op in found if op.outputs and op.outputs[0].dtype == dtypes.variant}


def make_one_shot(dataset):
    dataset._check_graph()
    allowed = _variant_ops(dataset)
    graph_seed, op_seed = random_ops.get_seed(None)
    known = dataset._variant_tensor.graph._functions

    def _make_dataset():
        """Factory function for a dataset."""
        graph = get_default_graph()
        if graph_seed is not None:
            graph.seed = (graph_seed + 87654321 * op_seed) % (2 ** 63 - 1)
        for name, inner in known.items():
            graph._functions.setdefault(name, inner)
        return dataset._apply_options()._variant_tensor

    made = Defun(capture_by_value=True, whitelisted_stateful_ops=allowed)(_make_dataset)
    try:
        made.add_to_graph(get_default_graph())
    except ValueError as error:
        if "Cannot capture a stateful node" not in str(error):
            raise
        raise ValueError("Failed to create a one-shot iterator for a dataset. `Dataset.make_one_shot_iterator()` does "
                         "not support datasets that capture stateful objects, such as a `Variable` or `LookupTable`. "
                         "In these cases, use `Dataset.make_initializable_iterator()`. (Original error: %s)" %
                         error) from None
    resource = apply_op("OneShotIterator", dataset_factory=made, **flat_attrs(dataset.element_spec))
    return Iterator(resource, None, None, None, None, dataset.element_spec)

