# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""variable_scope and get_variable."""

import collections
import collections.abc
import contextlib
import copy
import inspect
import threading

from .. import dtypes
from ..framework import graph as graph_lib, tensor_shape
from ..framework.graph import GraphKeys, get_default_graph, name_scope
from ..operators import array_ops
from . import initializers, partitioned_variables, variables

_STORE = ("__variable_store",)
_SCOPES = ("__varscope",)
# What a function in the making shares with the graph around it.
SHARED_KEYS = (GraphKeys.GLOBAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES, GraphKeys.MOVING_AVERAGE_VARIABLES,
               GraphKeys.LOCAL_VARIABLES, GraphKeys.MODEL_VARIABLES, GraphKeys.METRIC_VARIABLES, _STORE)


class _Reuse:
    """tf.AUTO_REUSE: made if missing."""

    def __str__(self):
        return "_ReuseMode.AUTO_REUSE"

    def __repr__(self):
        return "<%s: 1>" % self

    def __bool__(self):
        return True


AUTO_REUSE = _Reuse()


class _Store:
    """The variables that get_variable made in one graph, by name."""

    def __init__(self):
        self.vars, self.parts = {}, {}
        self.made_at = {}

    # -- get_variable

    def get(self, name, shape, dtype, initializer, regularizer, reuse, trainable, collections_, caching_device,
            partitioner, validate_shape, use_resource, constraint, synchronization=None, aggregation=None):
        is_scalar = isinstance(shape, collections.abc.Sequence) and not shape
        if partitioner is not None and not is_scalar:
            if not callable(partitioner):
                raise ValueError("Partitioner must be callable, but received: %s" % partitioner)
            with name_scope(None):
                return self._partitioned(name, shape, dtype, initializer, regularizer, reuse, trainable, collections_,
                                         caching_device, partitioner, validate_shape, use_resource, constraint,
                                         synchronization, aggregation)
        if reuse is True and partitioner is None and name in self.parts:
            return self._partitioned(name, shape, dtype, initializer, regularizer, reuse, trainable, collections_,
                                     caching_device, None, validate_shape, use_resource, constraint, synchronization,
                                     aggregation)
        if "%s/part_0" % name in self.vars:
            raise ValueError("No partitioner was provided, but a partitioned version of the variable was found: "
                             "%s/part_0. Perhaps a variable of the same name was already created with partitioning?" % name)
        return self._single(name, shape, dtype, initializer, regularizer, None, reuse, trainable, collections_,
                            caching_device, validate_shape, use_resource, constraint, synchronization, aggregation)

    def _single(self, name, shape, dtype, initializer, regularizer, partition_info, reuse, trainable, collections_,
                caching_device, validate_shape, use_resource, constraint, synchronization=None, aggregation=None):
        initializing_from_value = initializer is not None and not callable(initializer)
        if shape is not None and initializing_from_value:
            raise ValueError("If initializer is a constant, do not specify shape.")
        dtype = dtypes.as_dtype(dtype)
        shape = tensor_shape.as_shape(shape)
        if name in self.vars:
            return self._found(name, shape, dtype, reuse)
        if reuse is True:
            raise ValueError("Variable %s does not exist, or was not created with tf.get_variable(). Did you mean to set "
                             "reuse=tf.AUTO_REUSE in VarScope?" % name)
        if initializer is None:
            initializer, initializing_from_value = default_initializer(name, shape, dtype)
        with graph_lib.init_scope():
            if initializing_from_value:
                init_val, variable_dtype = initializer, None
            else:
                if isinstance(initializer, type):
                    initializer = initializer()
                if shape.is_fully_defined():
                    call = initializer
                    init_val = lambda: _call_initializer(call, shape.as_list(), dtype, partition_info)  # noqa: E731
                elif _takes_no_arguments(initializer):
                    init_val = initializer
                else:
                    raise ValueError("The initializer passed is not valid. It should be a callable with no arguments and "
                                     "the shape should not be provided or an instance of `tf.keras.initializers.*' and "
                                     "`shape` should be fully defined.")
                variable_dtype = dtype.base_dtype
        if use_resource is None:
            use_resource = variables._use_resource[0]
        v = variables.Variable(init_val, name=name, trainable=trainable, collections=collections_,
                               caching_device=caching_device, dtype=variable_dtype, validate_shape=validate_shape,
                               constraint=constraint, use_resource=use_resource, synchronization=synchronization,
                               aggregation=aggregation)
        self.vars[name] = v
        self.made_at[name] = graph_lib.script_stack()
        if regularizer:
            with graph_lib.colocate_with(v.op):
                with name_scope(name + "/Regularizer/"):
                    with graph_lib.init_scope():
                        loss = regularizer(v)
                if loss is not None:
                    graph_lib.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)
        return v

    def _found(self, name, shape, dtype, reuse):
        found = self.vars[name]
        if reuse is False or reuse is None:
            message = ("Variable %s already exists, disallowed. Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in "
                       "VarScope?" % name)
            if isinstance(found, variables.ResourceVariable):
                raise ValueError(message)
            lines = ['  File "%s", line %d, in %s\n' % frame for frame in self.made_at.get(name, [])[:5]]
            raise ValueError("%s Originally defined at:\n\n%s" % (message, "".join(lines)))
        if not shape.is_compatible_with(found.shape):
            raise ValueError("Trying to share variable %s, but specified shape %s and found shape %s." %
                             (name, shape, found.shape))
        if not dtype.is_compatible_with(found.dtype):
            raise ValueError("Trying to share variable %s, but specified dtype %s and found dtype %s." %
                             (name, dtype.name, found.dtype.name))
        return found

    def _partitioned(self, name, shape, dtype, initializer, regularizer, reuse, trainable, collections_, caching_device,
                     partitioner, validate_shape, use_resource, constraint, synchronization=None, aggregation=None):
        if name in self.vars:
            raise ValueError("A partitioner was provided, but an unpartitioned version of the variable was found: %s.  "
                             "Perhaps a variable of the same name was already created without partitioning?" % name)
        dtype = dtypes.as_dtype(dtype)
        shape = tensor_shape.as_shape(shape)
        if isinstance(initializer, graph_lib.Tensor):
            shape = shape.merge_with(initializer.shape)
        partitions = None
        if not reuse or partitioner:
            partitions = _call_partitioner(partitioner, shape, dtype)
        if name in self.parts:
            return self._found_parts(name, shape, dtype, reuse, partitions)
        if reuse is True:
            raise ValueError("PartitionedVariable %s does not exist, or was not created with tf.get_variable(). Did you "
                             "mean to set reuse=False or reuse=tf.AUTO_REUSE in VarScope?" % name)
        axis, count = next(((i, n) for i, n in enumerate(partitions) if n > 1), (0, 1))
        self._check_parts(name, count)
        parts = []
        for i, (var_offset, part_dims) in enumerate(_slices(shape.as_list(), axis, count)):
            part_name = "%s/part_%d" % (name, i)
            info = partitioned_variables.PartitionInfo(shape.as_list(), var_offset)
            with name_scope(part_name + "/PartitionedInitializer"):
                init, init_shape = initializer, part_dims
                if initializer is None:
                    init, _ = default_initializer(name, shape, dtype)
                elif not callable(initializer):
                    init = variables.convert_to_tensor(initializer, dtype=None if hasattr(initializer, "dtype") else dtype)
                    init, init_shape = array_ops.slice(init, var_offset, part_dims), None
            with name_scope(None):
                v = self._single(part_name, init_shape, dtype, init, regularizer, info, reuse, trainable, collections_,
                                 caching_device, validate_shape, use_resource, constraint, synchronization, aggregation)
            v._set_save_slice_info(variables.SaveSliceInfo(name, shape.as_list(), var_offset, part_dims))
            parts.append(v)
        result = partitioned_variables.PartitionedVariable(name, shape, dtype, parts, partitions)
        self.parts[name] = result
        return result

    def _found_parts(self, name, shape, dtype, reuse, partitions):
        if reuse_is_plain(reuse):
            raise ValueError("Partitioned variable with name %s already exists. Did you mean to set reuse=True or "
                             "reuse=tf.AUTO_REUSE in VarScope?" % name)
        found = self.parts[name]
        sharing = "Trying to reuse partitioned variable %s, but specified %%s %%s and found %%s %%s." % name
        if not shape.is_compatible_with(found.shape):
            raise ValueError(sharing % ("shape", shape, "shape", found.shape))
        if not dtype.is_compatible_with(found.dtype):
            raise ValueError(sharing % ("dtype", dtype.name, "dtype", found.dtype.name))
        if partitions is not None and found._get_partitions() != partitions:
            raise ValueError(sharing % ("partitions", partitions, "partitions", found._get_partitions()))
        return found

    def _check_parts(self, name, count):
        """Parts that somebody made by their own names have to be as many as the partitioner wants."""
        if "%s/part_0" % name not in self.vars:
            return
        begin = ("Partitioner returned a different partitioning than what was already found.  Partitioner returned %d shards, "
                 "and shard %s/part_0 was found, but " % (count, name))
        if "%s/part_%d" % (name, count - 1) not in self.vars:
            raise ValueError("%s%s/part_%d was not." % (begin, name, count - 1))
        if "%s/part_%d" % (name, count) in self.vars:
            raise ValueError("%sso was the extra shard %s/part_%d." % (begin, name, count))


def _slices(dims, axis, count):
    """Where each of count parts along an axis begins, and its shape; the first ones take what is left over."""
    least, more = divmod(dims[axis], count)
    begin = 0
    for i in range(count):
        size = least + (i < more)
        yield [begin if d == axis else 0 for d in range(len(dims))], dims[:axis] + [size] + dims[axis + 1:]
        begin += size


def _call_partitioner(partitioner, shape, dtype):
    if not shape.is_fully_defined():
        raise ValueError("Shape of a new partitioned variable must be fully defined, but instead was %s." % shape)
    if shape.ndims < 1:
        raise ValueError("A partitioned Variable must have rank at least 1, shape: %s" % shape)
    slicing = partitioner(shape=shape, dtype=dtype)
    if not isinstance(slicing, collections.abc.Sequence):
        raise ValueError("Partitioner must return a sequence, but saw: %s" % slicing)
    if len(slicing) != shape.ndims:
        raise ValueError("Partitioner returned a partition list that does not match the Variable's rank: %s vs. %s" %
                         (slicing, shape))
    if any(p < 1 for p in slicing):
        raise ValueError("Partitioner returned zero partitions for some axes: %s" % slicing)
    if sum(p > 1 for p in slicing) > 1:
        raise ValueError("Can only slice a variable along one dimension: shape: %s, partitioning: %s" % (shape, slicing))
    return slicing


def reuse_is_plain(reuse):
    return reuse is False or reuse is None


def _takes_no_arguments(function):
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    return all(p.default is not p.empty or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters)


def _takes(function, argument):
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return True
    return argument in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def _call_initializer(initializer, shape, dtype, partition_info):
    keywords = {"partition_info": partition_info} if _takes(initializer, "partition_info") else {}
    return initializer(shape, dtype=dtype, **keywords)


def default_initializer(name, shape, dtype):
    if dtype.is_floating:
        return initializers.GlorotUniform(), False
    if dtype.is_integer or dtype.is_unsigned or dtype.is_bool or dtype == dtypes.string:
        return initializers.Zeros(), False
    raise ValueError("An initializer for variable %s of %s is required" % (name, dtype.base_dtype))


def _store():
    found = graph_lib.get_collection(_STORE)
    if found:
        return found[0]
    store = _Store()
    get_default_graph()._collections.setdefault(_STORE, []).append(store)
    return store


class VariableScope:
    """What a variable scope hands down."""

    def __init__(self, reuse, name="", initializer=None, regularizer=None, caching_device=None, partitioner=None,
                 custom_getter=None, name_scope="", dtype=dtypes.float32, use_resource=None, constraint=None):
        self._name, self._initializer, self._regularizer, self._reuse = name, initializer, regularizer, reuse
        self._caching_device, self._partitioner, self._custom_getter = caching_device, partitioner, custom_getter
        self._name_scope, self._dtype, self._use_resource, self._constraint = name_scope, dtype, use_resource, constraint

    name = property(lambda self: self._name)
    original_name_scope = property(lambda self: self._name_scope)
    reuse = property(lambda self: self._reuse)
    initializer = property(lambda self: self._initializer)
    regularizer = property(lambda self: self._regularizer)
    caching_device = property(lambda self: self._caching_device)
    partitioner = property(lambda self: self._partitioner)
    custom_getter = property(lambda self: self._custom_getter)
    dtype = property(lambda self: self._dtype)
    use_resource = property(lambda self: self._use_resource)
    constraint = property(lambda self: self._constraint)

    def reuse_variables(self):
        self._reuse = True

    def set_initializer(self, initializer):
        self._initializer = initializer

    def set_regularizer(self, regularizer):
        self._regularizer = regularizer

    def set_dtype(self, dtype):
        self._dtype = dtype

    def set_use_resource(self, use_resource):
        self._use_resource = use_resource

    def set_caching_device(self, caching_device):
        self._caching_device = caching_device

    def set_partitioner(self, partitioner):
        self._partitioner = partitioner

    def set_custom_getter(self, custom_getter):
        self._custom_getter = custom_getter

    def get_collection(self, name):
        return graph_lib.get_collection(name, self._name + "/" if self._name else "")

    def trainable_variables(self):
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def global_variables(self):
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES)

    def local_variables(self):
        return self.get_collection(GraphKeys.LOCAL_VARIABLES)

    def get_variable(self, store, name, shape=None, dtype=None, initializer=None, regularizer=None, reuse=None,
                     trainable=None, collections=None, caching_device=None, partitioner=None, validate_shape=True,
                     use_resource=None, custom_getter=None, constraint=None, synchronization=None, aggregation=None):
        regularizer = self._regularizer if regularizer is None else regularizer
        caching_device = self._caching_device if caching_device is None else caching_device
        partitioner = self._partitioner if partitioner is None else partitioner
        custom_getter = self._custom_getter if custom_getter is None else custom_getter
        if reuse is None or reuse is False and self._reuse:
            reuse = self._reuse
        full_name = self._name + "/" + name if self._name else name
        with name_scope(None):
            if dtype is not None and initializer is not None and not callable(initializer):
                init_dtype = variables.convert_to_tensor(initializer).dtype.base_dtype
                if init_dtype != dtype:
                    raise ValueError("Initializer type '%s' and explicit dtype '%s' don't match." % (init_dtype, dtype))
            if initializer is None:
                initializer = self._initializer
            if constraint is None:
                constraint = self._constraint
            if dtype is None:
                dtype = self._dtype
            use_resource = self._use_resource if use_resource is None else use_resource
            if custom_getter is not None and not callable(custom_getter):
                raise ValueError("Passed a custom_getter which is not callable: %s" % custom_getter)

            def true_getter(name, shape=None, dtype=dtypes.float32, initializer=None, regularizer=None, reuse=None,
                            trainable=None, collections=None, caching_device=None, partitioner=None, validate_shape=True,
                            use_resource=None, constraint=None, synchronization=None, aggregation=None):
                return store.get(name, shape, dtype, initializer, regularizer, reuse, trainable, collections,
                                 caching_device, partitioner, validate_shape, use_resource, constraint, synchronization,
                                 aggregation)
            synchronization, aggregation, trainable = variables.modes(synchronization, aggregation, trainable, full_name)
            values = dict(name=full_name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
                          reuse=reuse, trainable=trainable, collections=collections, caching_device=caching_device,
                          partitioner=partitioner, validate_shape=validate_shape, use_resource=use_resource,
                          synchronization=synchronization, aggregation=aggregation)
            if custom_getter is None:
                return true_getter(constraint=constraint, **values)
            if _takes(custom_getter, "constraint"):
                values["constraint"] = constraint
            return custom_getter(getter=true_getter, **values)


class _Scopes(threading.local):
    """The variable scope that a thread is in, and how often it opened each."""

    def __init__(self):
        self.current, self.opened = VariableScope(False), {}

    def open_scope(self, name):
        self.opened[name] = self.opened.get(name, 0) + 1

    def close_subscopes(self, name):
        for key in self.opened:
            if name is None or key.startswith(name + "/"):
                self.opened[key] = 0

    def unique(self, name):
        scope = self.current.name
        full = scope + "/" + name if scope else name
        if not self.opened.get(full, 0):
            return name
        i = 1
        while self.opened.get("%s_%d" % (full, i), 0):
            i += 1
        return "%s_%d" % (name, i)


def _scopes():
    found = graph_lib.get_collection(_SCOPES)
    if found:
        return found[0]
    scopes = _Scopes()
    get_default_graph()._collections.setdefault(_SCOPES, []).append(scopes)
    return scopes


def get_variable_scope():
    return _scopes().current


def unique_scope_name(name):
    """What a scope of that default name is called when it is opened now."""
    return _scopes().unique(name)


def get_variable(name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=None, collections=None,
                 caching_device=None, partitioner=None, validate_shape=True, use_resource=None, custom_getter=None,
                 constraint=None, synchronization=None, aggregation=None):
    return get_variable_scope().get_variable(
        _store(), name, shape, dtype, initializer, regularizer, None, trainable, collections, caching_device, partitioner,
        validate_shape, use_resource, custom_getter, constraint, synchronization, aggregation)


def get_local_variable(name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=False,
                       collections=None, caching_device=None, partitioner=None, validate_shape=True, use_resource=None,
                       custom_getter=None, constraint=None, synchronization=None, aggregation=None):
    collections = list(collections or []) + [GraphKeys.LOCAL_VARIABLES]
    return get_variable(name, shape, dtype, initializer, regularizer, False, collections, caching_device, partitioner,
                        validate_shape, use_resource, custom_getter, constraint)


def variable_creator_scope(variable_creator):
    """variable_creator (next_creator, **kwargs) makes the variables that are made within."""
    return get_default_graph()._variable_creator_scope(variable_creator)


def _compose(outer, inner):
    if outer is None:
        return inner
    return lambda getter, *a, **k: inner(lambda *a2, **k2: outer(getter, *a2, **k2), *a, **k)


class _PureScope:
    """The variable scope without its name scope."""

    def __init__(self, name_or_scope, reuse, initializer, regularizer, caching_device, partitioner, custom_getter,
                 old_name_scope, dtype, use_resource, constraint):
        self._scopes = _scopes()
        self._old = self._scopes.current
        self._object = name_or_scope if isinstance(name_or_scope, VariableScope) else None
        old = self._old
        if self._object is not None:
            self._new_name = self._object.name
            base = self._object
            if old_name_scope is None:
                old_name_scope = base.original_name_scope
        else:
            self._new_name = old.name + "/" + name_or_scope if old.name else name_or_scope
            base = old
            if old_name_scope is None:
                old_name_scope = name_or_scope
        reuse = reuse or base.reuse if self._object is None or reuse is None or not reuse else reuse
        scope = copy.copy(base)
        scope._name, scope._reuse, scope._name_scope = self._new_name, reuse or base.reuse, old_name_scope
        if initializer is not None:
            scope._initializer = initializer
        if regularizer is not None:
            scope._regularizer = regularizer
        if caching_device is not None:
            scope._caching_device = caching_device
        if partitioner is not None:
            scope._partitioner = partitioner
        if custom_getter is not None:
            scope._custom_getter = _compose(base.custom_getter, custom_getter)
        if dtype is not None:
            scope._dtype = dtype
        if use_resource is not None:
            scope._use_resource = use_resource
        # The one thing that no scope hands down to another.
        scope._constraint = constraint
        self._scope = scope

    def __enter__(self):
        self._scopes.open_scope(self._new_name)
        if self._object is not None:
            self._opened = dict(self._scopes.opened)
        self._scopes.current = self._scope
        return self._scope

    def __exit__(self, *info):
        if self._scopes.current is not self._scope:
            raise RuntimeError("Improper nesting of variable_scope.")
        if self._object is not None:
            self._scopes.opened = self._opened
        else:
            self._scopes.close_subscopes(self._new_name)
        self._scopes.current = self._old


class variable_scope:
    """tf.variable_scope(name_or_scope, ...)."""

    def __init__(self, name_or_scope, default_name=None, values=None, initializer=None, regularizer=None,
                 caching_device=None, partitioner=None, custom_getter=None, reuse=None, dtype=None, use_resource=None,
                 constraint=None, auxiliary_name_scope=True):
        self._name_or_scope, self._default_name, self._values = name_or_scope, default_name, values
        self._options = (initializer, regularizer, caching_device, partitioner, custom_getter)
        self._rest = (dtype, use_resource, constraint)
        if default_name is None and name_or_scope is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        if reuse is False:
            reuse = None
        if reuse not in (None, True) and reuse is not AUTO_REUSE:
            raise ValueError("The reuse parameter must be True or False or None.")
        self._reuse = reuse
        if not isinstance(auxiliary_name_scope, bool):
            raise TypeError("The auxiliary_name_scope must be `True` or `False`, while get {}".format(
                auxiliary_name_scope))
        self._auxiliary = auxiliary_name_scope
        self._graph = variables.ops.graph_of(values or [])

    def __enter__(self):
        self._stack = contextlib.ExitStack()
        try:
            # A body's scopes are where they are entered.
            if not get_default_graph().building_function:
                self._stack.enter_context(self._graph.as_default())
            self._opened = self._enter()
            return self._opened
        except BaseException:
            self._stack.close()
            raise

    def _pure(self, name_or_scope, old_name_scope):
        initializer, regularizer, caching_device, partitioner, custom_getter = self._options
        dtype, use_resource, constraint = self._rest
        return self._stack.enter_context(_PureScope(
            name_or_scope, self._reuse, initializer, regularizer, caching_device, partitioner, custom_getter,
            old_name_scope, dtype, use_resource, constraint))

    def _name_scope(self, name):
        if self._auxiliary:
            return self._stack.enter_context(name_scope(name))
        current = get_default_graph().get_name_scope()
        return self._stack.enter_context(name_scope(current + "/" if current else current))

    def _enter(self):
        given = self._name_or_scope
        if given is not None:
            if not isinstance(given, (VariableScope, str)):
                raise TypeError("VariableScope: name_or_scope must be a string or VariableScope.")
            name = given if isinstance(given, str) else given.name.split("/")[-1]
            if name or not self._auxiliary:
                opened = self._name_scope(name)
                return self._pure(given, opened if isinstance(given, str) else given.original_name_scope)
            return self._pure(given, "" if isinstance(given, str) else given.original_name_scope)
        if self._reuse:
            raise ValueError("reuse=True cannot be used without a name_or_scope")
        opened = self._name_scope(self._default_name)
        return self._pure(unique_scope_name(self._default_name), opened)

    def __exit__(self, *info):
        if get_variable_scope() is not self._opened:
            raise RuntimeError("Improper nesting of variable_scope.")
        return self._stack.__exit__(*info)


@contextlib.contextmanager
def variable_op_scope(values, name_or_scope, default_name=None, **options):
    with variable_scope(name_or_scope, default_name=default_name, values=values, **options) as scope:
        yield scope


def fixed_size_partitioner(num_shards, axis=0):
    def partitioner(shape, **unused):
        result = [1] * len(shape)
        result[axis] = min(num_shards, shape.dims[axis].value)
        return result
    return partitioner


def no_regularizer(_):
    """No regularization, also where the scope has one."""
    return None
