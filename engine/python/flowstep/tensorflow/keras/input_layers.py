# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Layers that no call of a person makes: where a network begins, and ops between layers."""

from .. import nest
from ..framework.graph import get_default_graph
from ..framework.ops import constant
from . import backend
from .base_layer import Layer
from .histories import KerasHistory, Node, Source


class TensorFlowOpLayer(Layer):
    """An op between layers."""

    def __init__(self, op, constants):
        super().__init__(name="tf_op_layer_" + op.name)
        self._op, self._constants, self.built = op, constants, True

    def call(self, inputs):
        given, name = list(nest.flatten(inputs)), get_default_graph().unique_name(self._op.name)
        for i, value in self._constants.items():
            given.insert(i, constant(value, name=self._op.inputs[i].op.name))
        made = get_default_graph().create_op(self._op.type, given, [t.dtype for t in self._op.outputs],
                                             attrs=dict(self._op.node_def.attr), name=name + "/")
        return made.outputs[0] if len(made.outputs) == 1 else list(made.outputs)


class InputLayer(Layer, Source):
    """Where a network begins."""

    def __init__(self, input_shape=None, batch_size=None, dtype=None, input_tensor=None, sparse=False, name=None,
                 ragged=False, **keywords):
        if "batch_input_shape" in keywords:
            whole = keywords.pop("batch_input_shape")
            if input_shape and whole:
                raise ValueError("Only provide the input_shape OR batch_input_shape argument to InputLayer, not both at the "
                                 "same time.")
            batch_size, input_shape = whole[0], whole[1:]
        if keywords:
            raise ValueError("Unrecognized keyword arguments:", keywords.keys())
        name = name or "input_%d" % backend.get_uid("input")
        dtype = dtype or (backend.floatx() if input_tensor is None else input_tensor.dtype.base_dtype.name)
        super().__init__(dtype=dtype, name=name)
        self.built, self.supports_masking, self.sparse, self.batch_size = True, True, sparse, batch_size
        self.is_placeholder = input_tensor is None
        if input_tensor is None:
            input_shape = (input_shape,) if isinstance(input_shape, int) else input_shape
            whole = None if input_shape is None else (batch_size,) + tuple(
                input_shape.as_list() if hasattr(input_shape, "as_list") else input_shape)
            input_tensor = backend.placeholder(shape=whole, dtype=dtype, sparse=sparse, name=self.name)
            self._batch_input_shape = whole
        else:
            self._batch_input_shape = tuple(input_tensor.shape.as_list())
        input_tensor._keras_history, input_tensor._keras_mask = KerasHistory(self, 0, 0), None
        Node(self, [input_tensor], [input_tensor])

    def get_config(self):
        return {"batch_input_shape": self._batch_input_shape, "dtype": self.dtype, "sparse": self.sparse, "ragged": False,
                "name": self.name}


def Input(shape=None, batch_size=None, name=None, dtype=None, sparse=False, tensor=None, ragged=False, **keywords):
    whole = keywords.pop("batch_input_shape", keywords.pop("batch_shape", None))
    if shape and whole:
        raise ValueError("Only provide the `shape` OR `batch_input_shape` argument to Input, not both at the same time.")
    if keywords:
        raise ValueError("Unrecognized keyword arguments:", keywords.keys())
    if shape is None and whole is None and tensor is None:
        raise ValueError("Please provide to Input either a `shape` or a `tensor` argument. Note that `shape` does not "
                         "include the batch dimension.")
    given = dict(batch_input_shape=whole) if whole else dict(batch_size=batch_size, input_shape=shape)
    layer = InputLayer(name=name, dtype=dtype, sparse=sparse, input_tensor=tensor, **given)
    return layer._inbound_nodes[0].output_tensors[0]
