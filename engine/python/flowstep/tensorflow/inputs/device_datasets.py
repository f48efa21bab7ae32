# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.data.experimental.copy_to_device: a dataset whose elements are made on one device and given on another."""

from .. import dtypes
from ..control import concrete_functions
from ..control.concrete_functions import ConcreteFunction
from ..framework import devices, graph as graph_lib, ops, proto, structure
from ..framework.graph import get_default_graph
from ..framework.ops import apply_op, constant, convert_to_tensor
from ..framework.structure import TensorSpec
from . import iterators
from .dataset_options import Options
from .datasets import Dataset
from .iterators import flat_attrs

_HANDLE = TensorSpec([], dtypes.string)


def _function(name, body, takes_handle, attrs=None):
    graph = concrete_functions.trace(name, body, [_HANDLE] if takes_handle else [], {}, ["string_handle"] * takes_handle,
                                     lambda function, *arguments: function(*arguments))
    return ConcreteFunction(graph, attrs)


def _called(device, function, args, kinds):
    """What a function gives that runs on another device."""
    function.add_to_graph(get_default_graph())
    return apply_op("RemoteCall", target=device, args=list(args) + list(function.captured_inputs), Tout=kinds,
                    f=function.text_name)


class _CopyToDevice(Dataset):
    def __init__(self, source, target_device, source_device):
        self._spec_of_source, attrs = source.element_spec, flat_attrs(source.element_spec)
        self._is_for_gpu = devices.DeviceSpec.from_string(target_device).device_type == "GPU"
        source_tensor = convert_to_tensor(source_device)
        held = apply_op("WrapDatasetVariant", input_handle=source._variant_tensor)
        parts = {"init": self._begin(held, source_tensor, attrs),
                 "next": self._next(source_device, source_tensor, source.element_spec, attrs),
                 "finalize": self._end(source_tensor, attrs)}
        values = {}
        for part, function in parts.items():
            function.add_to_graph(get_default_graph())
            values[part + "_func"] = function.text_name
            values[part + "_func_other_args"] = function.captured_inputs
        with graph_lib.device(target_device):
            variant = apply_op("GeneratorDataset", **dict(values, **attrs))
        super().__init__(variant, source.element_spec, [source])

    @staticmethod
    def _begin(held, device, attrs):
        def _init_func():
            dataset = apply_op("UnwrapDatasetVariant", input_handle=held)
            resource = apply_op("AnonymousIterator", **attrs)
            with graph_lib.control_dependencies([ops.make_op("MakeIterator", dataset=dataset, iterator=resource)]):
                return apply_op("IteratorToStringHandle", resource_handle=resource)
        inner = _function("_init_func", _init_func, False)
        return _function("_remote_init_func", lambda: _called(device, inner, [], [dtypes.string]), False)

    @staticmethod
    def _next(source_device, device, spec, attrs):
        def _next_func(string_handle):
            with graph_lib.device(source_device):
                iterator = iterators.Iterator.from_string_handle(
                    string_handle, structure.types(spec), structure.shapes(spec), structure.classes(spec))
            return structure.to_list(spec, iterator.get_next())
        inner = _function("_next_func", _next_func, True)
        return _function("_remote_next_func", lambda handle: _called(device, inner, [handle], attrs["output_types"]), True,
                         {"experimental_ints_on_device": proto.AttrValue(b=True)})

    @staticmethod
    def _end(device, attrs):
        def _finalize_func(string_handle):
            resource = apply_op("IteratorFromStringHandleV2", string_handle=string_handle, **attrs)
            destroyed = ops.make_op("DestroyResourceOp", resource=resource, ignore_lookup_error=True)
            with graph_lib.control_dependencies([destroyed]):
                return constant(0, dtypes.int64)
        inner = _function("_finalize_func", _finalize_func, True)
        return _function("_remote_finalize_func", lambda handle: _called(device, inner, [handle], [dtypes.int64]), True)

    def make_one_shot_iterator(self):
        if self._is_for_gpu:
            raise ValueError("Cannot create a one shot iterator when using `tf.data.experimental.copy_to_device()` on GPU. "
                             "Please use `Dataset.make_initializable_iterator()` instead.")
        return super().make_one_shot_iterator()


def copy_to_device(target_device, source_device="/cpu:0"):
    """A transformation whose elements are made on the source device."""
    def _apply_fn(dataset):
        options = Options()
        options.experimental_optimization.apply_default_optimizations = False
        options.experimental_optimization.autotune = False
        return _CopyToDevice(dataset, target_device, source_device).with_options(options)
    return _apply_fn


def prefetch_to_device(device, buffer_size=None):
    """A transformation whose elements are there before they are asked for."""
    def _apply_fn(dataset):
        return dataset.apply(copy_to_device(target_device=device)).prefetch(buffer_size)
    return _apply_fn
