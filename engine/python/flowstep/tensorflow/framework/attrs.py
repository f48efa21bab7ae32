# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Attr values to and from Python, by the kind that an op's definition gives."""

import numbers

import numpy as np

from .. import dtypes
from . import tensor_shape
from ._engine import Flow, GLib, as_bytes, shape, shape_dims

STRING, INT, FLOAT, BOOL, TYPE, SHAPE, TENSOR, FUNC = range(1, 9)


def _shape(value):
    value = tensor_shape.as_shape(value)
    return shape(None if value.dims is None else value.as_list())


def _func_attrs(values):
    """The attrs that a function is called with, None for none."""
    if not values:
        return None
    result = Flow.AttrList.new()
    for key in values:
        result.set(key, from_message(values[key]))
    return result


def from_python(kind, is_list, value):
    """An attr of that kind; raises TypeError for a value that cannot be one."""
    if is_list:
        items = [from_python(kind, False, v) for v in value]
        return Flow.Attr.new_list_of(Flow.AttrKind(kind), items)
    if kind == STRING:
        return Flow.Attr.new_bytes(GLib.Bytes.new(as_bytes(value)))
    if kind == INT:
        if isinstance(value, (str, bytes)):
            raise TypeError("Expected int, not %r." % value)
        try:
            return Flow.Attr.new_int(int(value))
        except ValueError as error:
            raise TypeError(str(error)) from None
    if kind == FLOAT:
        if not isinstance(value, (numbers.Real, np.integer, np.floating)):
            raise TypeError("Expected float, not %r." % (value,))
        return Flow.Attr.new_float(float(np.float32(value)))
    if kind == BOOL:
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError("Expected bool for argument not %s." % repr(value))
        return Flow.Attr.new_bool(bool(value))
    if kind == TYPE:
        return Flow.Attr.new_type(dtypes.as_dtype(value).base_dtype.as_datatype_enum)
    if kind == SHAPE:
        return Flow.Attr.new_shape(_shape(value))
    if kind == FUNC:
        return Flow.Attr.new_func(getattr(value, "name", value), _func_attrs(getattr(value, "attr", None)))
    if kind == TENSOR:
        from . import ops
        return ops.tensor_attr(value)
    raise TypeError("unknown attr kind %d" % kind)


def to_python(attr):
    """What Operation.get_attr() gives."""
    kind = int(attr.get_kind())
    if attr.is_list():
        return [to_python(attr.get_item(i)) for i in range(attr.get_length())]
    if kind == STRING:
        return attr.dup_bytes().get_data() or b""
    if kind == INT:
        return attr.get_int()
    if kind == FLOAT:
        return attr.get_float()
    if kind == BOOL:
        return attr.get_bool()
    if kind == TYPE:
        return dtypes.as_dtype(attr.get_dtype())
    from . import proto
    if kind == SHAPE:
        dims = shape_dims(attr.get_shape())
        return tensor_shape.TensorShape(None if dims is None else [None if d < 0 else d for d in dims]).as_proto()
    if kind == TENSOR:
        return proto.TensorProto.FromString(Flow.Tensor.to_proto(attr.dup_tensor()).get_data())
    if kind == FUNC:
        return proto.NameAttrList(name=attr.get_func_name())
    return []


def _tensor_from_message(value):
    return Flow.Attr.new_tensor_from_proto(GLib.Bytes.new(value.SerializeToString()))


def from_message(value):
    """An attr from an AttrValue message, as create_op() and _set_attr() take it."""
    if isinstance(value, Flow.Attr):
        return value
    which = value.WhichOneof("value")
    if which == "list":
        for name, kind in (("s", STRING), ("i", INT), ("f", FLOAT), ("b", BOOL), ("type", TYPE), ("shape", SHAPE),
                           ("func", FUNC)):
            items = getattr(value.list, name)
            if len(items):
                return from_python(kind, True, list(items))
        if len(value.list.tensor):
            return Flow.Attr.new_list_of(Flow.AttrKind(TENSOR), [_tensor_from_message(t) for t in value.list.tensor])
        return Flow.Attr.new_list_of(Flow.AttrKind(0), [])
    kinds = {"s": STRING, "i": INT, "f": FLOAT, "b": BOOL, "type": TYPE, "shape": SHAPE}
    if which in kinds:
        return from_python(kinds[which], False, getattr(value, which))
    if which == "func":
        return from_python(FUNC, False, value.func)
    return _tensor_from_message(value.tensor)
