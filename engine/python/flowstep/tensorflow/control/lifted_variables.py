# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Variables that a function makes while it is traced: of the graph around, where their initial values are made as well."""

from ..framework import graph as graph_lib, ops
from ..framework.graph import name_scope
from ..framework.ops import apply_op, convert_to_tensor
from ..saving import graph_defs, importer
from ..state.variables import ResourceVariable


def _lifted(value):
    """A tensor of the function, made again in the default graph."""
    part = graph_defs.extract_sub_graph(value.graph.as_graph_def(), [value.op.name])
    if any(node.op == "Placeholder" for node in part.node):
        raise ValueError("Unable to lift tensor %r because it depends transitively on placeholders of the function" % value)
    with name_scope(None):
        return importer.import_graph_def(part, name="", return_elements=[value.name])[0]


class _Lifted(ResourceVariable):
    """Its initial value is a tensor of the function; first there is the variable, then what it begins with."""

    def _make(self, initial_value, dtype, validate_shape, caching_device, name):
        self._dtype_ = initial_value.dtype.base_dtype
        self._shape_ = initial_value.shape if self._given_shape is None else self._given_shape
        with name_scope(name, "Variable") as name:
            self._variable = apply_op("VarHandleOp", shape=self._shape_, dtype=self._dtype_,
                                      shared_name=self._init_scope_name(name), name=name)
            self._graph._builder.declare_variable(self._variable.op._index)
            with name_scope("Read"), graph_lib.device(self._variable.device or None):
                self._snapshot = self._read_op()
            self._cached = self._cached_at(caching_device)
            self._initial_value = _lifted(initial_value)
            with name_scope("IsInitialized"):
                self._is_initialized_op = apply_op("VarIsInitializedOp", resource=self._variable)
            with name_scope("Assign") as n, graph_lib.colocate_with(self._variable):
                self._initializer_op = ops.make_op("AssignVariableOp", resource=self._variable, value=self._initial_value,
                                                   name=n)


def make(initial_value=None, name=None, dtype=None, trainable=None, collections=None, **arguments):
    """A variable of a function's, in the graph around."""
    if initial_value is None:
        raise ValueError("initial_value must be specified.")
    from_function = callable(initial_value)
    with name_scope(name, "Variable", [] if from_function else [initial_value]):
        with name_scope("Initializer"), graph_lib.device(None):
            start = convert_to_tensor(initial_value() if from_function else initial_value, name="initial_value", dtype=dtype)
    # TF: it is in no collection but that of all variables, whatever was asked for.
    made = _Lifted(start, name=name, trainable=False, **dict(arguments, use_resource=True))
    made._trainable = trainable is None or trainable
    return made
