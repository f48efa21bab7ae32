# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Operation and Tensor: a node of a graph and an output of one, as the engine's FlowBuilder knows them."""

import linecache

from .. import dtypes, errors
from . import tensor_shape
from ._engine import GLib, shape


# Whether what runs was converted because the script asked for it by name.
conversion = {"requested": False}


class Reference:
    """A tensor or variable as a key of dictionaries."""

    def __init__(self, value):
        self._value = value

    def deref(self):
        return self._value

    def __eq__(self, other):
        return isinstance(other, Reference) and self._value is other._value

    def __repr__(self):
        return "<Reference wrapping %r>" % (self._value,)

    def __hash__(self):
        return id(self._value)


class _TensorLike:
    """Tensors, and what is made of several: by it libraries tell them from numbers and arrays."""


class Tensor(_TensorLike):
    """An output of an operation."""

    __array_priority__ = 100
    OVERLOADABLE_OPERATORS = {"__%s__" % name for name in """
        abs add and div eq floordiv ge getitem gt invert le lt matmul mod mul ne neg or pow radd rand rdiv rfloordiv rmatmul
        rmod rmul ror rpow rsub rtruediv rxor sub truediv xor""".split()}

    def __init__(self, op, value_index, dtype):
        self._op, self._value_index, self._dtype = op, value_index, dtype
        self._output = op._index << 32 | value_index

    op = property(lambda self: self._op)
    value_index = property(lambda self: self._value_index)
    dtype = property(lambda self: self._dtype)
    graph = property(lambda self: self._op.graph)
    name = property(lambda self: "%s:%d" % (self._op.name, self._value_index))
    device = property(lambda self: self._op.device)

    @property
    def shape(self):
        dims, rank = self.graph._builder.get_dims(self._output)
        return tensor_shape.TensorShape(None if rank < 0 else [None if d < 0 else d for d in dims])

    def get_shape(self):
        return self.shape

    @property
    def _dims(self):
        """A plain list with None where unknown, or None."""
        dims, rank = self.graph._builder.get_dims(self._output)
        return None if rank < 0 else [None if d < 0 else d for d in dims]

    def _shape_as_list(self):
        return self._dims

    def set_shape(self, shape):
        self._set_shape(tensor_shape.as_shape(shape))

    def _set_shape(self, value):
        try:
            self.graph._builder.set_shape(self._output, shape(None if value.dims is None else value.as_list()))
        except GLib.Error as error:
            raise ValueError(error.message) from None

    def consumers(self):
        return [self.graph._op(i) for i in self.graph._builder.list_consumers(self._output)]

    def experimental_ref(self):
        return Reference(self)

    def eval(self, feed_dict=None, session=None):
        from ..sessions import session as session_lib
        return session_lib.eval_using_default_session(self, feed_dict, self.graph, session)

    def _as_graph_element(self):
        return self

    def __str__(self):
        dims = self.shape
        return 'Tensor("%s"%s%s%s)' % (
            self.name, ", shape=%s" % dims if dims.ndims is not None else "",
            ", dtype=%s" % self._dtype.name, ", device=%s" % self.device if self.device else "")

    def __repr__(self):
        return "<tf.Tensor '%s' shape=%s dtype=%s>" % (self.name, self.shape, self._dtype.name)

    def __hash__(self):
        return id(self)

    def __eq__(self, other):
        return self is other

    def __copy__(self):
        return self

    def __len__(self):
        raise TypeError("len is not well defined for symbolic Tensors. ({}) Please call `x.shape` rather than "
                        "`len(x)` for shape information.".format(self.name))

    def __getattr__(self, name):
        if name == "numpy" and self._has_value():
            return lambda: self.graph.value(self)
        raise AttributeError("'Tensor' object has no attribute '%s'" % name)

    def _has_value(self):
        """Whether this is within tf.py_function, where tensors are values at once."""
        return hasattr(self.graph, "value")

    def _refuse(self, what):
        if conversion["requested"]:
            raise errors.OperatorNotAllowedInGraphError(
                "%s is not allowed: AutoGraph did not convert this function. Try decorating it directly with @tf.function."
                % what)
        raise errors.OperatorNotAllowedInGraphError(
            "%s is not allowed in Graph execution. Use Eager execution or decorate this function with @tf.function." % what)

    def __iter__(self):
        if not self._has_value():
            self._refuse("iterating over `tf.Tensor`")
        for i in range(self.shape[0].value):
            yield self[i]

    def __bool__(self):
        if not self._has_value():
            self._refuse("using a `tf.Tensor` as a Python `bool`")
        return bool(self.graph.value(self))

    def __array__(self, *_):
        if self._has_value():
            return self.numpy()
        raise NotImplementedError("Cannot convert a symbolic Tensor ({}) to a numpy array.".format(self.name))


class Operation:
    """A node of a graph."""

    def __init__(self, graph, index):
        self._graph, self._index = graph, index
        builder = graph._builder
        self._name, self._type = builder.get_node_name(index), builder.get_node_type(index)
        self._outputs = [Tensor(self, i, dtypes.as_dtype(int(d)))
                         for i, d in enumerate(builder.list_output_dtypes(index))]

    graph = property(lambda self: self._graph)
    name = property(lambda self: self._name)
    type = property(lambda self: self._type)
    outputs = property(lambda self: self._outputs)
    values = lambda self: tuple(self._outputs)
    _id = property(lambda self: self._index + 1)
    device = property(lambda self: self._graph._builder.get_node_device(self._index))
    traceback = property(lambda self: tuple((file, line, name, linecache.getline(file, line).strip()) for file, line, name
                                            in reversed(self._graph._stacks.get(self._index, []))))

    # TF: with the lines that the functions begin at.
    traceback_with_start_lines = property(lambda self: tuple(frame + (frame[1],) for frame in self.traceback))

    @property
    def inputs(self):
        return [self._graph._tensor(i) for i in self._graph._builder.list_inputs(self._index)]

    @property
    def _control_flow_context(self):
        from ..control import contexts
        return contexts.context_of(self._graph, self._graph._builder.get_node_context(self._index))

    def _get_control_flow_context(self):
        return self._control_flow_context

    def _set_control_flow_context(self, context):
        self._graph._builder.set_node_context(self._index, 0 if context is None else context._index)

    @property
    def control_inputs(self):
        return [self._graph._op(i) for i in self._graph._builder.list_control_inputs(self._index)]

    @property
    def _control_outputs(self):
        return [op for op in self._graph.get_operations() if self in op.control_inputs]

    def get_attr(self, name):
        from . import attrs
        value = self._graph._builder.get_node_attrs(self._index).get(name)
        if value is None:
            raise ValueError("Operation '%s' has no attr named '%s'." % (self._name, name))
        return attrs.to_python(value)

    def _set_attr(self, name, value):
        from . import attrs
        self._graph._builder.set_attr(self._index, name, attrs.from_message(value))

    def _set_attr_unless_there(self, name, value_of):
        if self._graph._builder.get_node_attrs(self._index).get(name) is None:
            value = value_of(self.node_def)
            if value:
                self._set_attr(name, value)

    def _set_device(self, device):
        errors.build(self._graph._builder.set_device, self._index, device_text(device))

    def _add_control_input(self, op):
        self._graph._builder.add_control_input(self._index, op._index)

    def _add_control_inputs(self, ops):
        for op in ops:
            self._add_control_input(op)

    def _remove_all_control_inputs(self):
        self._graph._builder.clear_control_inputs(self._index)

    def _update_input(self, index, tensor):
        if tensor.graph is not self._graph:
            raise ValueError("%s must be from the same graph as %s." % (tensor, self))
        inputs = self.inputs
        if index >= len(inputs):
            raise errors.OutOfRangeError(None, None, "Cannot update edge. Input index [%d] is greater than the number of total "
                                         "inputs [%d]." % (index, len(inputs)))
        if not tensor.shape.is_compatible_with(inputs[index].shape):
            raise errors.InvalidArgumentError(None, None, "Cannot update edge, incompatible shapes: %s and %s." % tuple(
                str([-1 if d is None else d for d in t._dims]).replace(" ", "") for t in (tensor, inputs[index])))
        errors.build(self._graph._builder.set_input, self._index, index, tensor._output)
        # TF: a node by itself tells inputs that were changed with the number of the output, 0 as well.
        self._graph._memo.setdefault("changed inputs", {}).setdefault(self._index, set()).add(index)

    def _note_output(self):
        """The op got one output more."""
        made = self._graph._builder.list_output_dtypes(self._index)
        self._outputs.extend(Tensor(self, i, dtypes.as_dtype(int(made[i]))) for i in range(len(self._outputs), len(made)))

    def colocation_groups(self):
        try:
            groups = [g for g in self.get_attr("_class") if g.startswith(b"loc:@")]
        except ValueError:
            groups = []
        return groups or [("loc:@" + self._name).encode()]

    def run(self, feed_dict=None, session=None):
        from ..sessions import session as session_lib
        session_lib.run_using_default_session(self, feed_dict, self._graph, session)

    @property
    def node_def(self):
        from . import proto
        node = proto.NodeDef.FromString(self._graph._node_bytes(self._index))
        for i in self._graph._memo.get("changed inputs", {}).get(self._index, ()):
            if ":" not in node.input[i]:
                node.input[i] += ":0"
        # A graph is written with its control inputs sorted, a node alone has them as they were given.
        given = self._graph._builder.list_control_inputs(self._index)
        if len(given) > 1:
            del node.input[len(node.input) - len(given):]
            node.input.extend("^" + self._graph._builder.get_node_name(i) for i in given)
        return node

    @property
    def op_def(self):
        from . import op_defs
        return op_defs.op_def(self._type)

    def _as_graph_element(self):
        return self

    def __str__(self):
        return str(self.node_def)

    def __repr__(self):
        return "<tf.Operation '%s' type=%s>" % (self._name, self._type)


def device_text(device):
    return device.to_string() if hasattr(device, "to_string") else device
