# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Making operations: values to tensors, constants, and a wrapper for every op of the engine's registry."""

import collections
import collections.abc
import contextlib
import functools
import inspect
import numbers

import numpy as np

from .. import dtypes, errors, nest
from . import attrs as attrs_lib
from . import dispatch, graph as graph_lib, op_inputs, removed_ops, tensor_shape
from ._engine import Flow, GLib, shape, to_numpy, to_tensor
from .graph import Graph, Operation, Tensor, get_default_graph, name_scope
from .op_inputs import op_info
from .operation import _TensorLike


class IndexedSlices(_TensorLike):
    """Rows of a tensor: values at indices, as gradients of gather are."""

    def __init__(self, values, indices, dense_shape=None):
        graph_of([values, indices] + ([dense_shape] if dense_shape is not None else []))
        self._values, self._indices, self._dense_shape = values, indices, dense_shape

    values = property(lambda self: self._values)
    indices = property(lambda self: self._indices)
    dense_shape = property(lambda self: self._dense_shape)
    name = property(lambda self: self._values.name)
    device = property(lambda self: self._values.device)
    op = property(lambda self: self._values.op)
    dtype = property(lambda self: self._values.dtype)
    graph = property(lambda self: self._values.graph)

    def consumers(self):
        found = []
        for part in _rows_parts(self):
            found += [op for op in part.consumers() if op not in found]
        return found

    def __neg__(self):
        return IndexedSlices(-self._values, self._indices, self._dense_shape)

    def __str__(self):
        return "IndexedSlices(indices=%s, values=%s%s)" % (
            self._indices, self._values, ", dense_shape=%s" % self._dense_shape if self._dense_shape is not None else "")


def _rows_parts(value):
    return [value.values, value.indices] + ([] if value.dense_shape is None else [value.dense_shape])


nest.register_composite(IndexedSlices, _rows_parts, lambda value, parts: IndexedSlices(*parts))


# -- Python values to tensors

_converters = []


def register_tensor_conversion_function(base_type, conversion_func, priority=100):
    """conversion_func(value, dtype, name, as_ref) makes a tensor of a value of that type."""
    kinds = base_type if isinstance(base_type, tuple) else (base_type,)
    if not all(isinstance(kind, type) for kind in kinds):
        raise TypeError("base_type must be a type or a tuple of types.")
    if not callable(conversion_func):
        raise TypeError("conversion_func must be callable.")
    _converters.append((base_type, conversion_func))


def _rows_to_tensor(value, dtype=None, name=None, as_ref=False):
    if dtype is not None and not dtype.is_compatible_with(value.dtype):
        raise ValueError("Tensor conversion requested dtype %s for IndexedSlices with dtype %s" %
                         (dtype.name, value.dtype.name))
    if value.dense_shape is None:
        raise ValueError("Tensor conversion requested for IndexedSlices without dense_shape: %s" % value)
    return apply_op("UnsortedSegmentSum", data=value.values, segment_ids=value.indices,
                    num_segments=value.dense_shape[0], name=name)


register_tensor_conversion_function(IndexedSlices, _rows_to_tensor)


def graph_of(values, graph=None):
    """The graph that the values belong to, else the default graph; values of two graphs are an error. With a graph they
    must belong to that."""
    default, first, given = get_default_graph(), None, graph
    if default.building_function:
        return default
    for value in values:
        if not isinstance(value, (Tensor, Operation)):
            element = getattr(value, "_as_graph_element", None)
            if element is None:
                if isinstance(value, IndexedSlices):
                    value = value.values
                else:
                    continue
            else:
                value = element()
                if not isinstance(value, (Tensor, Operation)):
                    continue
        if graph is None:
            graph, first = value.graph, value
        elif value.graph is not graph and given is not None:
            raise ValueError("%s is not from the passed-in graph." % value)
        elif value.graph is not graph:
            raise ValueError("%s must be from the same graph as %s." % (value, first))
    return graph or default


def _flat(value):
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _flat(item)
    else:
        yield value


def _refuse(dtype, value):
    return TypeError("Expected %s, got %s of type '%s' instead." % (dtype.name, repr(value), type(value).__name__))


# What Python values may become: a bool is an int, and an int is a float. Arrays within lists are none of them.
_INTEGRAL = (numbers.Integral, np.integer, tensor_shape.Dimension)
_REAL = (numbers.Real, np.integer, np.floating)
_COMPLEX = (numbers.Complex, np.number)


def _kinds(dtype):
    if dtype.is_integer:
        return _INTEGRAL
    if dtype.is_floating:
        return _REAL
    if dtype.is_complex:
        return _COMPLEX
    return {dtypes.bool: bool, dtypes.string: (str, bytes)}.get(dtype)


def _check_quantized(value, dtype):
    """TF: lists of tuples of ints, however deep the lists."""
    if not isinstance(value, (list, tuple)):
        raise _refuse(dtype, value)
    for item in value:
        if isinstance(value, list):
            _check_quantized(item, dtype)
        elif not isinstance(item, _INTEGRAL):
            raise _refuse(dtype, item)


def _check_compatible(value, dtype):
    """Python values, one by one."""
    if dtype.is_quantized:
        _check_quantized(value, dtype)
        return
    kinds = _kinds(dtype)
    for item in nest.flatten(value) if kinds is not None else ():
        if not isinstance(item, kinds):
            raise _refuse(dtype, item)


def to_array(value, dtype=None):
    """numpy array and dtype of a Python value, by the rules of make_tensor_proto."""
    if isinstance(value, (np.ndarray, np.generic)):
        kind = dtypes.as_dtype(value.dtype)
        if dtype is not None and kind != dtype:
            array = np.asarray(value).astype(dtype.as_numpy_dtype)
            if kind == dtypes.string or dtype == dtypes.string:
                raise _refuse(dtype, value)
            return array, dtype
        array = np.asarray(value)
        if kind == dtypes.string and array.dtype.kind in "SU":
            array = array.astype(object)
        return array, kind
    if value is None:
        raise ValueError("None values not supported.")
    if dtype is not None:
        _check_compatible(value, dtype)
        if dtype == dtypes.string:
            error = _ragged(value)
            if error is not None:
                raise error
            return _string_array(value), dtype
        try:
            array = np.array(value, dtype=dtype.as_numpy_dtype)
        except ValueError as error:
            if "inhomogeneous" in str(error):
                raise ValueError("setting an array element with a sequence.") from None
            raise
        _check_dense(value, array)
    else:
        try:
            array = np.array(value)
        except ValueError:
            return _mixed(value)
        if array.dtype.kind in "SUO":
            if not all(isinstance(v, (str, bytes)) for v in _flat(value)):
                return _mixed(value)
            return _string_array(value), dtypes.string
        _check_dense(value, array)
        if array.dtype == np.float64:
            array = array.astype(np.float32)
        elif array.dtype == np.int64:
            small = array.astype(np.int32)
            array = small if np.array_equal(small, array) else array
        elif array.size == 0:
            array = array.astype(np.float32)
    return array, dtypes.as_dtype(array.dtype)


def _is_list(value):
    return isinstance(value, (list, tuple))


def _ragged(value):
    """The error for lists within a list that are not equally long; None where the first elements do not tell."""
    got, wanted, level, first = [], [], [value], value
    while level and all(_is_list(item) for item in level) and len({len(item) for item in level}) == 1:
        got.append(len(level[0]))
        level = [part for item in level for part in item]
    while _is_list(first):
        wanted.append(len(first))
        first = first[0] if first else None
    if got == wanted:
        return None
    return ValueError("Argument must be a dense tensor: %s - got shape %s, but wanted %s." % (value, got, wanted))


def _check_dense(value, array):
    """TF: only lists and tuples have lengths; what numpy takes for a list besides is none."""
    wanted, first = [], value
    while _is_list(first):
        wanted.append(len(first))
        first = first[0] if first else None
    if array.ndim != len(wanted):
        raise ValueError("Argument must be a dense tensor: %s - got shape %s, but wanted %s." % (
            value, list(array.shape), wanted))


def _mixed(value):
    """TF: what is dense and of several kinds is taken for strings, and is none."""
    error = _ragged(value)
    if error is not None:
        raise error
    raise TypeError("Failed to convert object of type %s to Tensor. Contents: %s. Consider casting elements to a supported "
                    "type." % (type(value), value))


def _string_array(value):
    def nested(v):
        return [nested(i) for i in v] if isinstance(v, (list, tuple)) else v
    plain = nested(value)
    if not isinstance(plain, list):
        array = np.empty((), object)
        array[()] = plain
        return array
    dims, level = [], plain
    while isinstance(level, list):
        dims.append(len(level))
        level = level[0] if level else None
    array = np.empty(int(np.prod(dims)), object)
    for i, item in enumerate(_flat(plain)):
        array[i] = item
    return array.reshape(dims)


def constant(value, dtype=None, shape=None, name="Const", verify_shape=False):
    """A Const."""
    if any(isinstance(item, Tensor) for item in _flat(value)):
        raise TypeError("List of Tensors when single Tensor expected")
    return _constant(value, dtype, shape, name, verify_shape, False)


def _shaped(value, dtype, shape_, verify_shape, allow_broadcast=False):
    """Array, dtype and dims of a constant; the dims are None but where one element stands for all."""
    dtype = dtypes.as_dtype(dtype).base_dtype if dtype is not None else None
    dims = None if shape_ is None else [int(tensor_shape.dimension_value(dim)) for dim in shape_]
    if dims is not None and 0 in dims and not isinstance(value, (np.ndarray, np.generic)) and value is not None:
        # TF: without elements the values are not looked at.
        value = np.empty(dims, np.float32 if dtype is None else dtype.as_numpy_dtype)
    array, dtype = to_array(value, dtype)
    if dims is not None:
        if verify_shape and list(array.shape) != dims:
            raise TypeError("Expected Tensor's shape: %s, got %s." % (tuple(dims), array.shape))
        count = int(np.prod(dims, dtype=np.int64))
        if array.size > count and not (allow_broadcast and array.shape in ((), (1,))):
            raise ValueError("Too many elements provided. Needed at most %d, but received %d" % (count, array.size))
        if array.size == count:
            array, dims = array.reshape(dims), None
        elif array.size != 1:
            flat = array.ravel()
            last = flat[-1] if flat.size else np.zeros((), flat.dtype)
            array = np.concatenate([flat, np.full(count - flat.size, last, flat.dtype)]).reshape(dims)
            dims = None
        else:
            array = array.reshape(())
    elif dtype != dtypes.string:
        array = np.array(array)
    return array, dtype, dims


def _constant(value, dtype, shape_, name, verify_shape, allow_broadcast):
    graph = get_default_graph()
    array, dtype, dims = _shaped(value, dtype, shape_, verify_shape, allow_broadcast)
    tensor = to_tensor(array, dtype)
    _, index = errors.build(graph._builder.add_constant, tensor, None if dims is None else shape(dims),
                            graph_lib.as_name(name))
    return graph._made(index)._outputs[0]


def make_tensor_proto(values, dtype=None, shape=None, verify_shape=False, allow_broadcast=False):
    """A TensorProto of Python values."""
    from . import proto
    from ._engine import shape as engine_shape
    if isinstance(values, proto.TensorProto):
        return values
    if isinstance(values, Tensor):
        raise TypeError("List of Tensors when single Tensor expected")
    array, dtype, dims = _shaped(values, dtype, shape, verify_shape, allow_broadcast)
    encoded = Flow.constant_to_proto(to_tensor(array, dtype), None if dims is None else engine_shape(dims))
    return proto.TensorProto.FromString(encoded.get_data() or b"")


def tensor_attr(value):
    """A tensor attr from a TensorProto message or a value."""
    if hasattr(value, "SerializeToString"):
        return Flow.Attr.new_tensor_from_proto(GLib.Bytes.new(value.SerializeToString()))
    array, dtype = to_array(value)
    return Flow.Attr.new_tensor(to_tensor(np.array(array), dtype))


def make_ndarray(tensor):
    """The array of a TensorProto message."""
    return to_numpy(Flow.Tensor.from_proto(GLib.Bytes.new(tensor.SerializeToString()), None))


def shape_equals(tensor_proto, shape):
    """Whether a TensorProto message, or its shape, has that shape."""
    from . import proto
    if not isinstance(tensor_proto, proto.TensorProto):
        raise TypeError("tensor_proto is not a tensor_pb2.TensorProto object")
    dims = shape.dim if isinstance(shape, proto.TensorShapeProto) else shape
    wanted = [dim.size if hasattr(dim, "size") else dim for dim in dims]
    return [dim.size for dim in tensor_proto.tensor_shape.dim] == wanted


def convert_to_tensor(value, dtype=None, name=None, preferred_dtype=None, dtype_hint=None):
    """A tensor from anything that can be one."""
    return internal_convert_to_tensor(value, dtype, name, preferred_dtype=preferred_dtype or dtype_hint)


def internal_convert_to_tensor(value, dtype=None, name=None, as_ref=False, preferred_dtype=None):
    dtype = dtypes.as_dtype(dtype) if dtype is not None else None
    if isinstance(value, Tensor):
        if dtype is not None and not dtype.is_compatible_with(value.dtype):
            raise ValueError("Tensor conversion requested dtype %s for Tensor with dtype %s: %r" %
                             (dtype.name, value.dtype.name, value))
        return value
    for kind, function in _converters:
        if isinstance(value, kind):
            result = function(value, dtype=dtype, name=name, as_ref=as_ref)
            if result is not NotImplemented:
                return result
    if isinstance(value, (tensor_shape.TensorShape, tensor_shape.Dimension)):
        if dtype is None and preferred_dtype in (dtypes.int32, dtypes.int64):
            dtype = dtypes.as_dtype(preferred_dtype)
        made = _shape_to_tensor if isinstance(value, tensor_shape.TensorShape) else _dimension_to_tensor
        return made(value, dtype, name)
    if isinstance(value, Operation):
        raise TypeError("Can't convert Operation '%s' to Tensor (target dtype=%r, name=%r, as_ref=%r)" % (
            value.name, dtype, name, as_ref))
    if isinstance(value, Graph) or callable(value) and not isinstance(value, type):
        raise TypeError("Failed to convert object of type %s to Tensor. Contents: %s. Consider casting elements to a "
                        "supported type." % (type(value), value))
    if isinstance(value, (list, tuple)) and any(is_tensor_like(v) for v in _flat(value)):
        if as_ref:   # TF: what may stand for a variable is not packed
            raise TypeError("List of Tensors when single Tensor expected")
        return _pack_values(value, dtype, name or "packed", preferred_dtype)
    if dtype is None and preferred_dtype is not None:
        try:
            return _constant(value, preferred_dtype, None, name or "Const", False, True)
        except (TypeError, ValueError):
            pass
    return _constant(value, dtype, None, name or "Const", False, True)


def is_tensor_like(value):
    return isinstance(value, Tensor) or any(isinstance(value, kind) for kind, _ in _converters)


def _shape_to_tensor(value, dtype, name):
    if not value.is_fully_defined():
        raise ValueError("Cannot convert a partially known TensorShape to a Tensor: %s" % value)
    dims = value.as_list()
    if dtype == dtypes.int32:
        for dim in dims:
            if dim >= 2 ** 31:
                raise ValueError("Cannot convert a TensorShape to dtype int32; a dimension is too large (%s)" % dim)
    if dtype is not None and dtype not in (dtypes.int32, dtypes.int64):
        raise TypeError("Cannot convert a TensorShape to dtype: %s" % dtype)
    if dtype is None:
        dtype = dtypes.int32 if all(d < 2 ** 31 for d in dims) else dtypes.int64
    return constant(np.array(dims, dtype.as_numpy_dtype), dtype, name=name or "shape_as_tensor")


def _dimension_to_tensor(value, dtype, name):
    if value.value is None:
        raise ValueError("Cannot convert an unknown Dimension to a Tensor: %s" % value)
    if dtype is not None and dtype not in (dtypes.int32, dtypes.int64):
        raise TypeError("Cannot convert a TensorShape to dtype: %s" % dtype)
    return constant(value.value, dtype or dtypes.int32, name=name or "shape_as_tensor")


def _cast_tensors(value, dtype):
    """The same nested lists with tensors of that dtype."""
    if isinstance(value, (list, tuple)):
        return [_cast_tensors(item, dtype) for item in value]
    if isinstance(value, Tensor) and value.dtype.base_dtype != dtype:
        return apply_op("Cast", x=value, DstT=dtype)
    return value


def _pack_values(value, dtype, name, preferred):
    """Nested lists with tensors among them: Pack ops, constants for the rest."""
    found = next((item.dtype.base_dtype for item in _flat(value) if is_tensor_like(item)), None)
    if dtype is None and preferred is not None and found is not None and preferred != found:
        try:
            return _pack_values(value, preferred, name, None)
        except (TypeError, ValueError):
            pass
    if dtype is None:
        dtype = found
    elif found is not None and dtype != found:
        value = _cast_tensors(value, dtype)

    def make(items, name):
        with name_scope(name) as scope:
            converted = []
            for i, item in enumerate(items):
                converted.append(make(item, str(i)) if isinstance(item, (list, tuple)) else item)
            if not any(is_tensor_like(item) for item in converted):
                return converted
            parts = []
            for i, item in enumerate(converted):
                if is_tensor_like(item):
                    item = internal_convert_to_tensor(item)
                    if item.dtype.base_dtype != dtype:
                        raise TypeError("Cannot convert a list containing a tensor of dtype %s to %s (Tensor is: %r)" %
                                        (item.dtype, dtype, item))
                    parts.append(item)
                else:
                    parts.append(constant(item, dtype=dtype, name=str(i)))
            return apply_op("Pack", values=parts, name=scope)

    return make(value, name)


def internal_convert_to_tensor_or_indexed_slices(value, dtype=None, name=None, as_ref=False):
    if isinstance(value, IndexedSlices):
        return value
    return internal_convert_to_tensor(value, dtype, name, as_ref)


def internal_convert_to_tensor_or_composite(value, dtype=None, name=None, as_ref=False):
    return value if nest.is_composite(value) else internal_convert_to_tensor(value, dtype, name, as_ref)


def convert_n_to_tensor(values, dtype=None, name=None):
    if not isinstance(values, collections.abc.Sequence):
        raise TypeError("values must be a sequence.")
    return [internal_convert_to_tensor(v, dtype, None if name is None else "%s_%d" % (name, i))
            for i, v in enumerate(values)]


def convert_n_to_tensor_or_indexed_slices(values, dtype=None, name=None):
    if not isinstance(values, collections.abc.Sequence):
        raise TypeError("values must be a sequence.")
    return [v if v is None else internal_convert_to_tensor_or_indexed_slices(
        v, dtype, None if name is None else "%s_%d" % (name, i)) for i, v in enumerate(values)]


def either(new_name, new, old_name, old):
    """The argument by its new name or by its old one; not both."""
    if new is not None and old is not None:
        raise ValueError("Cannot specify both '%s' and '%s'" % (old_name, new_name))
    return new if new is not None else old


# -- wrappers made from the registry

def apply_op(op_type, name=None, **arguments):
    """The outputs of a new op: one tensor, a list of them, or the operation where it has none."""
    info = op_info(op_type)
    op = _make_op(info, name, arguments)
    if not info.outputs:
        return op
    if len(info.outputs) == 1:
        return list(op.outputs) if info.outputs[0].is_list else op.outputs[0]
    results, at = [], 0
    for arg in info.outputs:
        if not arg.is_list:
            results.append(op.outputs[at])
            at += 1
            continue
        attr = op.get_attr(arg.number_attr or arg.type_list_attr)
        count = attr if arg.number_attr else len(attr)
        results.append(list(op.outputs[at:at + count]))
        at += count
    return _results(op_type)(*results)


@functools.lru_cache(maxsize=None)
def _results(op_type):
    """The tuple of an op's outputs by name."""
    return collections.namedtuple(op_type, [a.name for a in op_info(op_type).outputs], rename=True)


def make_op(op_type, name=None, **arguments):
    """As apply_op, but gives the operation."""
    return _make_op(op_info(op_type), name, arguments)


def _make_op(info, name, arguments):
    values = []
    for arg in info.inputs:
        if arg.name in arguments:
            value = arguments[arg.name]
        elif arg.name == "input" and "input_" in arguments:
            value = arguments["input_"]
        else:
            raise TypeError("No argument for input " + arg.name)
        values.append(value)
    given = op_inputs.given_attrs(info, values, arguments)
    graph = graph_of([v for value in values for v in (value if isinstance(value, (list, tuple)) else [value])])
    removed = removed_ops.message(info.name, graph_lib.PRODUCER)
    if removed is not None:
        raise NotImplementedError(removed)
    with contextlib.ExitStack() as stack:
        if graph is not get_default_graph():
            stack.enter_context(graph.as_default())
        scope = stack.enter_context(graph.name_scope(info.name if name is None else name))
        inputs, types = [], op_inputs.Types(info)
        for key, value in arguments.items():
            definition = info.attr_map.get(key)
            if definition is not None and value is not None and definition.kind == attrs_lib.TYPE:
                types.explicit(definition, value)
        for arg, value in zip(info.inputs, values):
            inputs.extend(op_inputs.convert(info, arg, value, types))
        attr_list = Flow.AttrList.new()
        for key, kinds in types.lists.items():
            op_inputs.check_attr(info, info.attr_map[key], kinds)
        types.write(attr_list)
        for definition in info.explicit:
            value = arguments.get(definition.name)
            if definition.name in types.known or definition.name in types.lists:
                op_inputs.check_attr(info, definition, value)
                continue
            if value is None:
                if not definition.has_default:
                    if definition.kind == attrs_lib.SHAPE and not definition.is_list:
                        attr_list.set(definition.name, attrs_lib.from_python(attrs_lib.SHAPE, False, None))
                        continue
                    raise TypeError("No argument for attr " + definition.name)
                continue
            op_inputs.check_attr(info, definition, value)
            attr_list.set(definition.name, given[definition.name])
        return graph._add(info.name, inputs, attr_list, scope)


# Arguments that TensorFlow's functions call otherwise than the ops' definitions do.
_RENAMED = {"ExpandDims": {"axis": "dim"}, "Select": {"x": "t", "y": "e"}, "Split": {"axis": "split_dim"},
            "SplitV": {"axis": "split_dim"}, "Squeeze": {"axis": "squeeze_dims"}, "Where": {"condition": "input"}}
for _name in "All Any EuclideanNorm Max Mean Min Prod Sum".split():
    _RENAMED[_name] = {"axis": "reduction_indices"}


def _default(definition):
    """What a signature says an attr is where nobody gives it."""
    text = definition.default_text
    try:
        if definition.is_list:
            return [_default_item(definition.kind, part.strip()) for part in text.strip("[]").split(",") if part.strip()]
        return _default_item(definition.kind, text)
    except ValueError:
        return None


def _default_item(kind, text):
    if kind == attrs_lib.STRING:
        return text.strip("'\"")
    if kind == attrs_lib.BOOL:
        return text == "true"
    if kind == attrs_lib.INT:
        return int(text)
    if kind == attrs_lib.FLOAT:
        return float(text) if "." in text or "e" in text else int(text)
    if kind == attrs_lib.TYPE:
        return dtypes.as_dtype(text[3:].lower() if text.startswith("DT_") else text)
    return None


def _parameters(info):
    """What an op's function is called with, in order: (the attr's or input's own name, the parameter's, its definition)."""
    called = {own: given for given, own in _RENAMED.get(info.name, {}).items()}
    inputs = [(a.name, None) for a in info.inputs]
    needed = [(a.name, None) for a in info.explicit if not a.has_default]
    others = [(a.name, a) for a in info.explicit if a.has_default]
    return [(own, called.get(own, own), definition) for own, definition in inputs + needed + others] + [("name", "name", "")]


@functools.lru_cache(maxsize=None)
def wrapper(op_type, function_name=None):
    """A function with the op's own arguments in TensorFlow's order: inputs, attrs, name."""
    info = op_info(op_type)
    function_name = function_name or op_inputs.function_name(op_type)
    space = {"_call": _call}
    heads, passed = [], []
    for own, given, definition in _parameters(info):
        if definition is None:
            heads.append(given)
        else:
            space["_default_" + own] = None if definition == "" else _default(definition)
            heads.append("%s=_default_%s" % (given, own))
        passed.append("%s=%s" % (own, given))
    source = "def %s(%s):\n    return _call(%r, %r, dict(%s))\n" % (
        function_name, ", ".join(heads), function_name, op_type, ", ".join(passed))
    # Under a name in this package, whose frames are none of a script's.
    exec(compile(source, "%s:%s" % (__file__, op_type), "exec"), space)
    function = space[function_name]
    function.__module__ = __name__
    return function


def _call(function_name, op_type, arguments):
    try:
        return apply_op(op_type, **arguments)
    except (TypeError, ValueError):
        result = dispatch.instead(function_name, arguments)
        if result is NotImplemented:
            raise
        return result


def raw(op_type):
    """The function of tf.raw_ops: arguments by name only."""
    function = wrapper(op_type, op_type)
    names = list(inspect.signature(function).parameters)

    @functools.wraps(function)
    def call(*positional, **keywords):
        if positional:
            raise TypeError("%s only takes keyword args (possible keys: %s). Please pass these args as kwargs instead." %
                            (op_type, names))
        return function(**keywords)
    return call


class RawOps:
    """tf.raw_ops: every op by its type, arguments by name."""

    def __getattr__(self, op_type):
        if op_type.startswith("__") or not Flow.op_registry_has_type(op_type):
            raise AttributeError("module 'tensorflow._api.v1.raw_ops' has no attribute '%s'" % op_type)
        function = raw(op_type)
        setattr(self, op_type, function)
        return function


raw_ops = RawOps()


# -- constant values while building

def constant_value(tensor, partial=False):
    """The numpy value of a tensor that is known while building, or None; it may not be fed from then on."""
    if not isinstance(tensor, Tensor):
        return None if is_tensor_like(tensor) else tensor
    value = _partial_value(tensor) if partial and tensor.op.type == "Pack" else peek_value(tensor)
    if value is not None:
        tensor.graph.prevent_feeding(tensor)
    return value


def _partial_value(pack):
    """What is packed, None where that is not known."""
    if pack.op.get_attr("axis") != 0:
        return None
    values = [constant_value(value, partial=True) for value in pack.op.inputs]
    if not any(value is None for value in values):
        return np.array(values)
    found = np.empty(len(values), object)
    found[:] = values
    return found


_KNOWN = {"Const", "Shape", "Size", "Rank", "Range", "Cast", "Concat", "ConcatV2", "ConcatOffset", "Pack", "Fill", "Equal",
          "NotEqual", "StopGradient"}


def _is_seen_through(tensor):
    """TF: Python knows the value of few ops, and of those only where it knows what they read."""
    op_type = tensor.op.type
    if op_type not in _KNOWN:
        return False
    if op_type == "Const":
        return True
    inputs = tensor.op.inputs
    if op_type == "Pack" and tensor.op.get_attr("axis") != 0:
        return False
    if op_type == "Rank":
        return inputs[0].shape.ndims is not None
    if op_type in ("Shape", "Size"):
        return inputs[0].shape.is_fully_defined()
    return all(_is_seen_through(value) for value in (inputs[1:] if op_type == "Fill" else inputs))


def peek_value(tensor):
    """As constant_value, without forbidding that it is fed."""
    if not isinstance(tensor, Tensor):
        return np.asarray(tensor)
    if not _is_seen_through(tensor):
        return None
    value = tensor.graph._builder.dup_constant(tensor._output)
    return None if value is None else to_numpy(value)


def _scalar_as_shape(value):
    """TF: the number -1 stands for a shape of which nothing is known."""
    needed = "as shape; require a statically known scalar with value '-1' to describe an unknown shape."
    if value is None:
        raise ValueError("Received a scalar with unknown value " + needed)
    if value != -1:
        raise ValueError("Received a scalar value '%s' %s" % (value, needed))
    return tensor_shape.unknown_shape()


def constant_value_as_shape(tensor):
    """A TensorShape from a tensor that holds one, as far as it is known. TF: Python sees through these ops alone, though
    the shape functions of the ops know more."""
    op, dims = tensor.op, tensor._dims
    if dims == []:
        return _scalar_as_shape(constant_value(tensor))
    tensor.shape.with_rank(1)
    if op.type == "Shape":
        return op.inputs[0].shape
    if op.type == "Pack":
        return tensor_shape.TensorShape([_known_dim(constant_value(value)) for value in op.inputs])
    if op.type in ("Concat", "ConcatV2"):
        result = tensor_shape.TensorShape([])
        for part in op.inputs[1:] if op.type == "Concat" else list(op.inputs)[:-1]:
            result = result.concatenate(constant_value_as_shape(part))
        return result
    if op.type == "StridedSlice":
        cut = _slice_of_shape(op)
        if cut is not None:
            return cut
    value = constant_value(tensor)
    if value is None:
        return tensor_shape.unknown_shape(dims[0] if dims else None)
    return tensor_shape.TensorShape([_known_dim(dim) for dim in value])


def _known_dim(value):
    return None if value is None or value < 0 else int(value)


def _slice_of_shape(op):
    """Of a slice of a shape what is known, where it is one range."""
    begin, end, stride = (constant_value(value) for value in list(op.inputs)[1:])
    if begin is None or end is None or stride is None:
        return None
    masks = [op.get_attr(name + "_mask") for name in ("begin", "end", "ellipsis", "new_axis", "shrink_axis")]
    if any(masks[2:]) or max(masks) > 1:
        return None
    whole = constant_value_as_shape(op.inputs[0])
    if whole.ndims is None:
        return None
    return whole[None if masks[0] else begin[0]:None if masks[1] else end[0]:stride[0]]
