# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Variables: reference (VariableV2) and resource (VarHandleOp), and what initializes them."""

import enum
import functools
import inspect
import re

from .. import dtypes
from ..framework import graph as graph_lib, operation, ops, proto, tensor_shape
from ..framework.graph import GraphKeys, Operation, Tensor, get_default_graph, name_scope
from ..framework.ops import apply_op, convert_to_tensor
from ..operators import array_ops, math_ops

_use_resource = [False]


def enable_resource_variables():
    _use_resource[0] = True


def disable_resource_variables():
    _use_resource[0] = False


def resource_variables_enabled():
    return _use_resource[0]


def _attr_class(names):
    from ..framework.attrs import STRING, from_python
    return from_python(STRING, True, names)


class VariableSynchronization(enum.Enum):
    AUTO, NONE, ON_WRITE, ON_READ = range(4)


class VariableAggregation(enum.Enum):
    NONE, SUM, MEAN, ONLY_FIRST_REPLICA, ONLY_FIRST_TOWER = 0, 1, 2, 3, 3


def _mode(kind, what, value, name):
    try:
        return kind(0 if value is None else value)
    except ValueError:
        raise ValueError("Invalid variable %s mode: %s for variable: %s" % (what, value, name)) from None


def modes(synchronization, aggregation, trainable, name):
    """What is meant by how a variable is shared, and whether it is trained."""
    aggregation = _mode(VariableAggregation, "aggregation", aggregation, name)
    synchronization = _mode(VariableSynchronization, "synchronization", synchronization, name)
    if trainable is None:
        trainable = synchronization is not VariableSynchronization.ON_READ
    return synchronization, aggregation, trainable


class SaveSliceInfo:
    """Which part of a partitioned variable this is."""

    def __init__(self, full_name=None, full_shape=None, var_offset=None, var_shape=None, save_slice_info_def=None,
                 import_scope=None):
        if save_slice_info_def is not None:
            d = save_slice_info_def
            full_name, full_shape = d.full_name, list(d.full_shape)
            var_offset, var_shape = list(d.var_offset), list(d.var_shape)
            if import_scope:
                full_name = import_scope + "/" + full_name
        self.full_name, self.full_shape, self.var_offset, self.var_shape = full_name, full_shape, var_offset, var_shape

    @property
    def spec(self):
        full = " ".join("%d" % d for d in self.full_shape) + " "
        return full + ":".join("%d,%d" % (o, s) for o, s in zip(self.var_offset, self.var_shape))

    def to_proto(self, export_scope=None):
        return proto.SaveSliceInfoDef(full_name=self.full_name, full_shape=self.full_shape, var_offset=self.var_offset,
                                      var_shape=self.var_shape)


class _Made(type):
    """Variable(...) asks the creators of the scopes that it stands in first."""

    def __call__(cls, *positional, **keywords):
        creators = get_default_graph()._creators if cls is Variable else ()
        if not creators:
            return super().__call__(*positional, **keywords)
        given = inspect.signature(Variable.__init__).bind(None, *positional, **keywords)
        given.apply_defaults()
        arguments = dict(given.arguments)
        arguments["aggregation"] = arguments["aggregation"] or VariableAggregation.NONE
        arguments["synchronization"] = arguments["synchronization"] or VariableSynchronization.AUTO
        del arguments["self"]
        make = super().__call__
        for _, creator in creators:
            make = functools.partial(creator, make)
        return make(**arguments)


class Variable(metaclass=_Made):
    """Base of both kinds; Variable(...) makes the kind that is asked for."""

    SaveSliceInfo = SaveSliceInfo
    # numpy arrays leave operators to variables.
    __array_priority__ = 100

    def __new__(cls, initial_value=None, trainable=None, collections=None, validate_shape=True, caching_device=None,
                name=None, variable_def=None, dtype=None, expected_shape=None, import_scope=None, constraint=None,
                use_resource=None, synchronization=None, aggregation=None, shape=None, **unknown):
        if cls is not Variable:
            return object.__new__(cls)
        for key in unknown:
            raise TypeError("_variable_v1_call() got an unexpected keyword argument '%s'" % key)
        from . import scope
        if use_resource is None:
            use_resource = scope.get_variable_scope().use_resource
        if use_resource is None:
            use_resource = _use_resource[0]
        kind = ResourceVariable if use_resource else RefVariable
        return object.__new__(kind)

    def __init__(self, initial_value=None, trainable=None, collections=None, validate_shape=True, caching_device=None,
                 name=None, variable_def=None, dtype=None, expected_shape=None, import_scope=None, constraint=None,
                 use_resource=None, synchronization=None, aggregation=None, shape=None):
        self._save_slice_info = None
        self._constraint = constraint
        self._caching_device = caching_device
        self._given_shape = None if shape is None else tensor_shape.as_shape(shape)
        if variable_def is not None:
            if initial_value is not None:
                raise ValueError("variable_def and initial_value are mutually exclusive.")
            assert isinstance(variable_def, proto.VariableDef)
            self._init_from_proto(variable_def, import_scope)
            return
        self._synchronization, self._aggregation, self._trainable = modes(synchronization, aggregation, trainable, name)
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        if collections is None:
            collections = [GraphKeys.GLOBAL_VARIABLES]
        if not isinstance(collections, (list, tuple, set)):
            raise ValueError("collections argument to Variable constructor must be a list, tuple, or set. Got %s of "
                             "type %s" % (collections, type(collections)))
        if self._trainable and GraphKeys.TRAINABLE_VARIABLES not in collections:
            collections = list(collections) + [GraphKeys.TRAINABLE_VARIABLES]
        if constraint is not None and not callable(constraint):
            raise ValueError("The `constraint` argument must be a callable.")
        dtype = dtypes.as_dtype(dtype) if dtype is not None else None
        with graph_lib.init_scope():
            self._graph = get_default_graph()
            self._make(initial_value, dtype, validate_shape, caching_device, name)
        self._graph.add_to_collections(collections, self)

    def _made_shape(self, validate_shape):
        """The shape that was asked for, else that of the initial value where it is to be kept."""
        if self._given_shape is not None:
            return self._given_shape
        return self._initial_value.shape if validate_shape else tensor_shape.unknown_shape()

    def _init_scope_name(self, name):
        return name[:-1] if name.endswith("/") else name

    # -- what both kinds have

    graph = property(lambda self: self._graph)
    initial_value = property(lambda self: self._initial_value)
    initializer = property(lambda self: self._initializer_op)
    trainable = property(lambda self: self._trainable)
    constraint = property(lambda self: self._constraint)
    aggregation = property(lambda self: self._aggregation)
    synchronization = property(lambda self: self._synchronization)

    @property
    def device(self):
        return self.op.device

    def get_shape(self):
        return self.shape

    def set_shape(self, shape):
        self._value_tensor.set_shape(shape)

    def experimental_ref(self):
        return operation.Reference(self)

    def scatter_sub(self, sparse_delta, use_locking=False, name=None):
        return self._scatter_rows("Sub", sparse_delta, use_locking, name)

    def scatter_add(self, sparse_delta, use_locking=False, name=None):
        return self._scatter_rows("Add", sparse_delta, use_locking, name)

    def scatter_max(self, sparse_delta, use_locking=False, name=None):
        return self._scatter_rows("Max", sparse_delta, use_locking, name)

    def scatter_min(self, sparse_delta, use_locking=False, name=None):
        return self._scatter_rows("Min", sparse_delta, use_locking, name)

    def scatter_mul(self, sparse_delta, use_locking=False, name=None):
        return self._scatter_rows("Mul", sparse_delta, use_locking, name)

    def scatter_div(self, sparse_delta, use_locking=False, name=None):
        return self._scatter_rows("Div", sparse_delta, use_locking, name)

    def scatter_update(self, sparse_delta, use_locking=False, name=None):
        return self._scatter_rows("Update", sparse_delta, use_locking, name)

    def batch_scatter_update(self, sparse_delta, use_locking=False, name=None):
        from ..operators import state_ops
        return state_ops.batch_scatter_update(self, sparse_delta.indices, sparse_delta.values, use_locking, name=name)

    def scatter_nd_sub(self, indices, updates, name=None):
        return self._scatter("NdSub", indices, updates, name, use_locking=True)

    def scatter_nd_add(self, indices, updates, name=None):
        return self._scatter("NdAdd", indices, updates, name, use_locking=True)

    def scatter_nd_update(self, indices, updates, name=None):
        return self._scatter("NdUpdate", indices, updates, name, use_locking=True)

    def _scatter_rows(self, kind, sparse_delta, use_locking, name):
        if not isinstance(sparse_delta, ops.IndexedSlices):
            raise TypeError("sparse_delta is not IndexedSlices: %s" % sparse_delta)
        return self._scatter(kind, sparse_delta.indices, sparse_delta.values, name, use_locking=use_locking)

    @property
    def _shared_name(self):
        return self.name[:self.name.index(":")]

    _unique_id = _shared_name
    _in_graph_mode = True

    def _set_save_slice_info(self, info):
        self._save_slice_info = info

    def _get_save_slice_info(self):
        return self._save_slice_info

    def eval(self, session=None):
        return self._as_graph_element().eval(session=session)

    def load(self, value, session=None):
        from ..sessions import session as session_lib
        session = session or session_lib.get_default_session()
        if session is None:
            raise ValueError("Either session argument should be provided or default session should be established")
        session.run(self.initializer, {self.initializer.inputs[1]: value})

    def initialized_value(self):
        from ..control import control_flow
        with graph_lib.init_scope():
            return control_flow.cond(is_variable_initialized(self), self.read_value, lambda: self.initial_value)

    def __hash__(self):
        return id(self)

    def __eq__(self, other):
        return self is other

    def __iter__(self):
        raise TypeError("'Variable' object is not iterable.")

    def to_proto(self, export_scope=None):
        if export_scope is not None and not self.name.startswith(export_scope):
            return None

        def strip(name):
            return strip_name_scope(name, export_scope)
        result = proto.VariableDef(variable_name=strip(self.name))
        if self._initial_value is not None:
            result.initial_value_name = strip(self._initial_value.name)
        result.initializer_name = strip(self.initializer.name)
        result.snapshot_name = strip(self._snapshot_name())
        result.trainable = self._trainable
        if self._synchronization.value:
            result.synchronization = self._synchronization.value
        if self._aggregation.value:
            result.aggregation = self._aggregation.value
        self._fill_proto(result)
        if self._save_slice_info:
            result.save_slice_info_def.CopyFrom(self._save_slice_info.to_proto(export_scope))
        return result

    @staticmethod
    def from_proto(variable_def, import_scope=None):
        kind = ResourceVariable if variable_def.is_resource else RefVariable
        return kind(variable_def=variable_def, import_scope=import_scope)

    def _init_from_proto(self, d, import_scope):
        self._graph = graph = get_default_graph()

        def element(name):
            return graph.as_graph_element(prepend_name_scope(name, import_scope))
        self._variable = element(d.variable_name)
        self._initializer_op = element(d.initializer_name)
        self._initial_value = element(d.initial_value_name) if d.initial_value_name else None
        self._snapshot = element(d.snapshot_name)
        self._trainable = d.trainable
        self._synchronization, self._aggregation, _ = modes(d.synchronization, d.aggregation, d.trainable, d.variable_name)
        self._from_handle()
        if d.HasField("save_slice_info_def"):
            self._save_slice_info = SaveSliceInfo(save_slice_info_def=d.save_slice_info_def, import_scope=import_scope)


def is_resource_variable(var):
    return isinstance(var, ResourceVariable)


def strip_name_scope(name, export_scope):
    """name without the scope at its front; ^ and loc:@ stay."""
    if not export_scope:
        return name
    scope = export_scope[:-1] if export_scope.endswith("/") else export_scope
    return re.sub(r"([\^]|loc:@|^)" + scope + r"[\/]+(.*)", r"\1\2", name, count=1)


def prepend_name_scope(name, import_scope):
    if not import_scope:
        return name
    scope = import_scope if import_scope.endswith("/") else import_scope + "/"
    for mark in ("loc:@", "^"):
        if name.startswith(mark):
            return mark + scope + name[len(mark):]
    return scope + name


class _OfVersion2(type):
    """TF: variables of version 2 are resources, and whatever is a variable is one of them."""

    def __call__(cls, initial_value=None, trainable=None, validate_shape=True, caching_device=None, name=None,
                 variable_def=None, dtype=None, import_scope=None, constraint=None, synchronization=None, aggregation=None,
                 shape=None):
        return Variable(initial_value, trainable, None, validate_shape, caching_device, name, variable_def, dtype, None,
                        import_scope, constraint, True, synchronization, aggregation, shape)

    def __instancecheck__(cls, value):
        return isinstance(value, Variable)

    def __subclasscheck__(cls, kind):
        return issubclass(kind, Variable)

    def __getattr__(cls, name):
        return getattr(Variable, name)


class VariableOfVersion2(metaclass=_OfVersion2):
    """Variable as tensorflow.python.ops.variables has it."""


def is_dense_tensor_like(value):
    """What libraries ask before they take a value for a tensor."""
    return isinstance(value, (Tensor, Variable))


class RefVariable(Variable):
    """A variable whose op gives a reference."""

    def _make(self, initial_value, dtype, validate_shape, caching_device, name):
        from_fn = callable(initial_value)
        with name_scope(name, "Variable", [] if from_fn else [initial_value]) as name:
            if from_fn:
                true_name = self._init_scope_name(name)
                with self._graph._attr_scope({"_class": _attr_class(["loc:@" + true_name])}):
                    with name_scope("Initializer"), graph_lib.device(None):
                        self._initial_value = convert_to_tensor(initial_value(), name="initial_value", dtype=dtype)
                    self._variable = self._new(self._made_shape(validate_shape), name)
            else:
                self._initial_value = convert_to_tensor(initial_value, name="initial_value", dtype=dtype)
                _check_outside(self._initial_value, name)
                self._variable = self._new(self._made_shape(validate_shape), name)
            if validate_shape and not self._initial_value.shape.is_fully_defined():
                raise ValueError("initial_value must have a shape specified: %s" % self._initial_value)
            value = _without_variables(name, self._initial_value)
            self._initializer_op = apply_op("Assign", ref=self._variable, value=value, validate_shape=validate_shape,
                                            use_locking=True).op
            if caching_device is not None:
                with graph_lib.device(caching_device):
                    self._snapshot = apply_op("Identity", input=self._variable, name="read")
            else:
                with graph_lib.colocate_with(self._variable.op):
                    self._snapshot = apply_op("Identity", input=self._variable, name="read")

    def _new(self, shape, name):
        return apply_op("VariableV2", shape=shape, dtype=self._initial_value.dtype.base_dtype, name=name)

    def _from_handle(self):
        pass

    name = property(lambda self: self._variable.name)
    op = property(lambda self: self._variable.op)
    dtype = property(lambda self: self._variable.dtype)
    shape = property(lambda self: self._variable.shape)
    _value_tensor = property(lambda self: self._variable)

    def value(self):
        return self._snapshot

    def _snapshot_name(self):
        return self._snapshot.name

    def _fill_proto(self, result):
        pass

    def read_value(self):
        return array_ops.identity(self._variable, name="read")

    def _ref(self):
        return self._variable

    def _as_graph_element(self):
        return self._variable

    def is_initialized(self, name=None):
        return apply_op("IsVariableInitialized", ref=self._variable, name=name)

    def _assign_slice(self, begin, end, strides, value, name, masks):
        return apply_op("StridedSliceAssign", ref=self._ref(), begin=begin, end=end, strides=strides, value=value, name=name,
                        **masks)

    def assign(self, value, use_locking=False, name=None, read_value=True):
        result = apply_op("Assign", ref=self._variable, value=value, use_locking=use_locking, name=name)
        return result if read_value else result.op

    def assign_add(self, delta, use_locking=False, name=None, read_value=True):
        result = apply_op("AssignAdd", ref=self._variable, value=delta, use_locking=use_locking, name=name)
        return result if read_value else result.op

    def assign_sub(self, delta, use_locking=False, name=None, read_value=True):
        result = apply_op("AssignSub", ref=self._variable, value=delta, use_locking=use_locking, name=name)
        return result if read_value else result.op

    def count_up_to(self, limit):
        return apply_op("CountUpTo", ref=self._variable, limit=limit)

    def _scatter(self, kind, indices, updates, name, use_locking=False):
        return apply_op("Scatter" + kind, ref=self._variable, indices=indices, updates=updates, use_locking=use_locking,
                        name=name)

    def gather_nd(self, indices, name=None):
        raise AttributeError

    def sparse_read(self, indices, name=None):
        raise AttributeError

    def __repr__(self):
        return "<tf.Variable '%s' shape=%s dtype=%s>" % (self.name, self.shape, self.dtype.name)


class ResourceVariable(Variable):
    """A variable behind a resource handle; every use reads it anew."""

    def __deepcopy__(self, memo):
        raise NotImplementedError("__deepcopy__() is only available when eager execution is enabled.")

    def __bool__(self):
        return bool(self.read_value())

    def _make(self, initial_value, dtype, validate_shape, caching_device, name):
        from_fn = callable(initial_value)
        with name_scope(name, "Variable", [] if from_fn else [initial_value]) as name:
            handle_name = self._init_scope_name(name)
            with self._graph._attr_scope({"_class": _attr_class(["loc:@" + handle_name])}):
                with name_scope("Initializer"), graph_lib.device(None):
                    value = initial_value() if from_fn else initial_value
                    self._initial_value = convert_to_tensor(value, name="initial_value", dtype=dtype)
                _check_outside(self._initial_value, name)
                shape = self._made_shape(True)
                if not shape.is_compatible_with(self._initial_value.shape):
                    raise ValueError("The initial value's shape (%s) is not compatible with the explicitly supplied `shape` "
                                     "argument (%s)." % (self._initial_value.shape, self._given_shape.as_list()))
                self._variable = apply_op("VarHandleOp", shape=shape, dtype=self._initial_value.dtype.base_dtype,
                                          shared_name=handle_name, name=name)
                self._graph._builder.declare_variable(self._variable.op._index)
            self._dtype_, self._shape_ = self._initial_value.dtype.base_dtype, shape
            with name_scope("IsInitialized"):
                self._is_initialized_op = apply_op("VarIsInitializedOp", resource=self._variable)
            with name_scope("Assign") as n, graph_lib.colocate_with(None, ignore_existing=True), \
                    graph_lib.device(self._variable.device or None):
                value = _without_variables(name, self._initial_value)
                self._initializer_op = ops.make_op("AssignVariableOp", resource=self._variable, value=value, name=n)
            with name_scope("Read"):
                with graph_lib.device(self._variable.device):
                    self._snapshot = self._read_op()
                self._cached = self._cached_at(caching_device)

    def _read_op(self, name=None):
        result = apply_op("ReadVariableOp", resource=self._variable, dtype=self._dtype_, name=name)
        result.set_shape(self._shape_)
        return result

    _cached = None

    def _cached_at(self, device):
        """The value as it is kept at a device, of its own and not of what stands around."""
        if device is None:
            return None
        with graph_lib.colocate_with(None, ignore_existing=True), graph_lib.device(device):
            return array_ops.identity(self._snapshot)

    def _from_handle(self):
        op = self._variable.op
        self._dtype_ = op.get_attr("dtype")
        self._shape_ = tensor_shape.TensorShape(op.get_attr("shape"))
        self._is_initialized_op = None
        if self._snapshot.op.type != "ReadVariableOp":
            self._cached = self._snapshot
            self._snapshot = self._graph.as_graph_element(op.name + "/Read/ReadVariableOp:0")

    name = property(lambda self: self._variable.op.name + ":0")
    op = property(lambda self: self._variable.op)
    handle = property(lambda self: self._variable)
    dtype = property(lambda self: self._dtype_)
    shape = property(lambda self: self._shape_)
    _value_tensor = property(lambda self: self._snapshot)

    @property
    def create(self):
        return self._initializer_op

    def _snapshot_name(self):
        return (self._snapshot if self._cached is None else self._cached).name

    def _fill_proto(self, result):
        result.is_resource = True

    def value(self):
        if self._cached is not None:
            return self._cached
        with graph_lib.colocate_with(None, ignore_existing=True):
            with graph_lib.device(self._variable.device):
                return self._read_op()

    def read_value(self):
        with name_scope("Read"):
            value = self._read_op()
        return array_ops.identity(value)

    def sparse_read(self, indices, name=None):
        with name_scope("Gather" if name is None else name) as name:
            value = apply_op("ResourceGather", resource=self._variable, indices=indices, dtype=self._dtype_, name=name)
        return array_ops.identity(value)

    def _as_graph_element(self):
        return self._snapshot

    def is_initialized(self, name=None):
        return apply_op("VarIsInitializedOp", resource=self._variable, name=name)

    def _assign(self, op_type, value, name, read_value):
        value = convert_to_tensor(value, dtype=self._dtype_)
        op = ops.make_op(op_type, resource=self._variable, value=value, name=name)
        return _UnreadVariable(self, op) if read_value else op

    def _assign_slice(self, begin, end, strides, value, name, masks):
        op = ops.make_op("ResourceStridedSliceAssign", ref=self._variable, begin=begin, end=end, strides=strides,
                         value=convert_to_tensor(value, dtype=self._dtype_), name=name, **masks)
        return _UnreadVariable(self, op)

    def assign(self, value, use_locking=None, name=None, read_value=True):
        value = convert_to_tensor(value, dtype=self._dtype_)
        self._shape_.assert_is_compatible_with(value.shape)
        return self._assign("AssignVariableOp", value, name, read_value)

    def assign_add(self, delta, use_locking=None, name=None, read_value=True):
        return self._assign("AssignAddVariableOp", delta, name, read_value)

    def assign_sub(self, delta, use_locking=None, name=None, read_value=True):
        return self._assign("AssignSubVariableOp", delta, name, read_value)

    def _scatter(self, kind, indices, updates, name, use_locking=False):
        updates = convert_to_tensor(updates, dtype=self._dtype_)
        where = {"ref": self._variable} if kind.startswith("Nd") else {"resource": self._variable}
        op = ops.make_op("ResourceScatter" + kind, indices=indices, updates=updates, name=name, **where)
        return _UnreadVariable(self, op)

    def batch_scatter_update(self, sparse_delta, use_locking=False, name=None):
        # TF reads what was read.
        return _UnreadVariable(self, super().batch_scatter_update(sparse_delta, use_locking, name).op)

    def gather_nd(self, indices, name=None):
        with name_scope("GatherNd" if name is None else name) as name:
            value = apply_op("ResourceGatherNd", resource=self._variable, indices=indices, dtype=self._dtype_, name=name)
        return array_ops.identity(value)

    def set_shape(self, shape):
        raise NotImplementedError("ResourceVariable does not implement set_shape()")

    def numpy(self):
        raise NotImplementedError("numpy() is only available when eager execution is enabled.")

    def count_up_to(self, limit):
        return apply_op("ResourceCountUpTo", resource=self._variable, limit=limit, T=self._dtype_)

    def __repr__(self):
        return "<tf.Variable '%s' shape=%s dtype=%s>" % (self.name, self.shape, self.dtype.name)


class _UnreadVariable(ResourceVariable):
    """What an assignment gives: the variable after it."""

    def __init__(self, parent, assign_op):
        self.__dict__.update(parent.__dict__)
        self._parent_op, self._cached = assign_op, None
        # In a body nobody asks for it by itself.
        if get_default_graph().building_function:
            self._snapshot = None
            return
        with graph_lib.control_dependencies([assign_op]):
            self._snapshot = self._read_op()

    op = property(lambda self: self._parent_op)
    name = property(lambda self: self._parent_op.name)

    def value(self):
        with graph_lib.control_dependencies([self._parent_op]):
            return self._read_op()

    read_value = value

    def _as_graph_element(self):
        return self._snapshot

    def __new__(cls, *arguments):
        return object.__new__(cls)


def _convert_variable(value, dtype=None, name=None, as_ref=False):
    if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype.base_dtype):
        raise ValueError("Incompatible type conversion requested to type '%s' for variable of type '%s'" %
                         (dtypes.as_dtype(dtype).name, value.dtype.name))
    if isinstance(value, ResourceVariable):
        return value.value() if not as_ref else value.handle
    return value._ref() if as_ref else value.value()


ops.register_tensor_conversion_function(Variable, _convert_variable)


def add_operators(kind):
    def forward(function):
        return lambda self, *arguments: function(convert_to_tensor(self), *arguments)
    for name, function in math_ops.OPERATORS.items():
        setattr(kind, name, forward(function))
    kind.__getitem__ = lambda self, spec: array_ops.slice_helper(convert_to_tensor(self), spec, self)


# The operators that would change a variable in place, by what they do.
_IN_PLACE = {"__iadd__": "+", "__isub__": "-", "__imul__": "*", "__idiv__": "/", "__itruediv__": "/", "__irealdiv__": "/",
             "__ipow__": "**"}


def _in_place(name, sign):
    """For a reference the plain operator, with a new name bound to the result; a resource refuses."""
    plain = {"/": "__truediv__"}.get(sign, "__" + name[3:])

    def apply(self, other):
        return getattr(self, plain)(other)

    def refuse(self, other):
        change = {"+": "variable.assign_add(value)", "-": "variable.assign_sub(value)"}.get(
            sign, "`var.assign(var %s value)`" % sign)
        instead = "variable = variable %s value" if sign in "+-" else "`var = var %s value`"
        raise RuntimeError("Variable %s= value not supported. Use %s to modify the variable %s %s to get a new Tensor object."
                           % (sign, change, "value and" if sign in "+-" else "or", instead % sign))
    setattr(RefVariable, name, apply)
    setattr(ResourceVariable, name, refuse)


add_operators(RefVariable)
add_operators(ResourceVariable)
for _name, _sign in _IN_PLACE.items():
    _in_place(_name, _sign)


def _without_variables(name, value):
    """An initial value that reads other variables reads their initialized values instead."""
    from . import initial_values
    return initial_values.replace_reads(name, value)


def _check_outside(value, name):
    if value.op._get_control_flow_context() is not None:
        raise ValueError("Initializer for variable %s is from inside a control-flow construct, such as a loop or conditional. "
                         "When creating a variable inside a loop or conditional, use a lambda as the initializer." % name)


# -- free functions

def global_variables(scope=None):
    return graph_lib.get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


def local_variables(scope=None):
    return graph_lib.get_collection(GraphKeys.LOCAL_VARIABLES, scope)


def trainable_variables(scope=None):
    return graph_lib.get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)


def model_variables(scope=None):
    return graph_lib.get_collection(GraphKeys.MODEL_VARIABLES, scope)


def moving_average_variables(scope=None):
    return graph_lib.get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


all_variables = global_variables


def variables_initializer(var_list, name="init"):
    from ..control import control_flow
    if var_list:
        return control_flow.group(*[v.initializer for v in var_list], name=name)
    return control_flow.no_op(name=name)


def global_variables_initializer():
    return variables_initializer(global_variables())


def local_variables_initializer():
    return variables_initializer(local_variables())


initialize_all_variables = global_variables_initializer


def is_variable_initialized(variable, name=None):
    return variable.is_initialized(name) if isinstance(variable, Variable) else \
        apply_op("IsVariableInitialized", ref=variable, name=name)


def _all_or_made():
    """All variables, else what ops of the graph hold, as graphs from before variables do."""
    return global_variables() + local_variables() or [op.outputs[0] for op in get_default_graph().get_operations()
                                                      if op.type in ("Variable", "VariableV2", "AutoReloadVariable")]


def report_uninitialized_variables(var_list=None, name="report_uninitialized_variables"):
    var_list = _all_or_made() if var_list is None else var_list
    with name_scope(name):
        mask_inputs = [is_variable_initialized(v) for v in var_list]
        with graph_lib.device("/cpu:0"):
            if not var_list:
                return ops.constant([], dtype=dtypes.string)
            variables_mask = math_ops.logical_not(array_ops.stack(mask_inputs))
            names = ops.constant([v.op.name for v in var_list])
            return array_ops.boolean_mask(names, variables_mask)


def assert_variables_initialized(var_list=None):
    var_list = var_list or _all_or_made()
    if not var_list:
        return None
    # Whoever asks for the rank of a variable needs something in it. TF converts the variable and then takes it as it is.
    ranks = []
    for v in var_list:
        with graph_lib.colocate_with(v.op), name_scope(None, "Rank", [v]) as name:
            convert_to_tensor(v)
            ranks.append(apply_op("Rank", input=v, name=name))
    return ranks[0] if len(ranks) == 1 else array_ops.stack(ranks)
