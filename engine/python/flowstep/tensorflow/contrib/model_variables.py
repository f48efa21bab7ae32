# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Variables of a model, by collection, name and suffix (tf.contrib.framework)."""

import functools
import re

from .. import dtypes
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework.graph import GraphKeys
from ..learning import training_util
from ..operators import array_ops
from ..saving import checkpoint_state
from ..state import scope as scope_lib
from ..state import variables
from .arg_scopes import add_arg_scope


def local_variable(initial_value, validate_shape=True, name=None, use_resource=None):
    return variables.Variable(initial_value, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES],
                              validate_shape=validate_shape, use_resource=use_resource, name=name)


def global_variable(initial_value, validate_shape=True, name=None, use_resource=None):
    return variables.Variable(initial_value, trainable=False, collections=[GraphKeys.GLOBAL_VARIABLES],
                              validate_shape=validate_shape, use_resource=use_resource, name=name)


@add_arg_scope
def variable(name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=True, collections=None,
             caching_device=None, device=None, partitioner=None, custom_getter=None, use_resource=None,
             synchronization=None, aggregation=None):
    collections = list(dict.fromkeys([GraphKeys.GLOBAL_VARIABLES] if collections is None else collections))
    getter = scope_lib.get_variable
    if custom_getter is not None:
        getter = functools.partial(custom_getter, reuse=scope_lib.get_variable_scope().reuse)
    with graph_lib.device(device or ""):
        return getter(name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
                      trainable=trainable, collections=collections, caching_device=caching_device,
                      partitioner=partitioner, use_resource=use_resource, synchronization=synchronization,
                      aggregation=aggregation)


@add_arg_scope
def model_variable(name, shape=None, dtype=dtypes.float32, initializer=None, regularizer=None, trainable=True,
                   collections=None, caching_device=None, device=None, partitioner=None, custom_getter=None,
                   use_resource=None, synchronization=None, aggregation=None):
    collections = list(collections or []) + [GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES]
    return variable(name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
                    trainable=trainable, collections=collections, caching_device=caching_device, device=device,
                    partitioner=partitioner, custom_getter=custom_getter, use_resource=use_resource,
                    synchronization=synchronization, aggregation=aggregation)


def add_model_variable(var):
    if var not in graph_lib.get_collection(GraphKeys.MODEL_VARIABLES):
        graph_lib.add_to_collection(GraphKeys.MODEL_VARIABLES, var)


# -- looking them up

def get_variables(scope=None, suffix=None, collection=GraphKeys.GLOBAL_VARIABLES):
    if isinstance(scope, scope_lib.VariableScope):
        scope = scope.name
    if suffix is not None:
        scope = (scope or "") + ".*" + (suffix if ":" in suffix else suffix + ":")
    return graph_lib.get_collection(collection, scope)


def get_model_variables(scope=None, suffix=None):
    return get_variables(scope, suffix, GraphKeys.MODEL_VARIABLES)


def get_local_variables(scope=None, suffix=None):
    return get_variables(scope, suffix, GraphKeys.LOCAL_VARIABLES)


def get_trainable_variables(scope=None, suffix=None):
    return get_variables(scope, suffix, GraphKeys.TRAINABLE_VARIABLES)


def get_variables_by_suffix(suffix, scope=None):
    return get_variables(scope=scope, suffix=suffix)


def get_variables_by_name(given_name, scope=None):
    return get_variables(scope=scope, suffix="/" + given_name + ":|^" + given_name + ":")


def get_unique_variable(var_op_name):
    found = get_variables(scope=var_op_name)
    if not found:
        raise ValueError("Couldn't find variable %s" % var_op_name)
    for v in found:
        if v.op.name == var_op_name:
            return v
    raise ValueError("Variable %s does not uniquely identify a variable" % var_op_name)


def _of_scopes(scopes, what):
    if not isinstance(scopes, (list, tuple)):
        raise TypeError("%s is provided but is not a list or a tuple." % what)
    return [v for scope in scopes for v in get_variables(scope)]


def get_variables_to_restore(include=None, exclude=None):
    included = get_variables() if include is None else _of_scopes(include, "include")
    excluded = set() if exclude is None else set(_of_scopes(exclude, "exclude"))
    return [v for v in included if v not in excluded]


def filter_variables(var_list, include_patterns=None, exclude_patterns=None, reg_search=True):
    match = re.search if reg_search else re.match

    def fits(v, patterns):
        return any(match(pattern, v.name) for pattern in patterns)
    kept = [v for v in var_list if include_patterns is None or fits(v, include_patterns)]
    return [v for v in kept if exclude_patterns is None or not fits(v, exclude_patterns)]


def get_variable_full_name(var):
    info = var._get_save_slice_info()
    return info.full_name if info else var.op.name


# -- values for them

def assign_from_values(var_names_to_values):
    """An op and what to feed it, so that variables get values."""
    feeds, assigns = {}, []
    for name, value in var_names_to_values.items():
        found = graph_lib.get_collection(GraphKeys.GLOBAL_VARIABLES, name)
        if not found:
            raise ValueError("Variable %s wasn't found" % name)
        if len(found) > 1:
            found = [v for v in found if v.op.name == name]
            if not found:
                raise ValueError("Variable %s doesn't uniquely identify a variable" % name)
        var = found[0]
        placeholder = array_ops.placeholder(var.dtype.base_dtype, shape=var.shape, name="placeholder/" + var.op.name)
        assigns.append(var.assign(placeholder))
        feeds[placeholder] = value.reshape(var.shape.as_list())
    return control_flow.group(*assigns), feeds


def assign_from_values_fn(var_names_to_values):
    assign, feeds = assign_from_values(var_names_to_values)
    return lambda session: session.run(assign, feeds)


def _grouped(var_list):
    groups = {}
    if isinstance(var_list, (tuple, list)):
        for var in var_list:
            groups.setdefault(get_variable_full_name(var), []).append(var)
    else:
        for name, value in var_list.items():
            groups[name] = value if isinstance(value, (tuple, list)) else [value]
    return groups


def _part_of(value, var, name):
    info = var._get_save_slice_info()
    if info:
        places = tuple(slice(start, start + size) for start, size in zip(info.var_offset, info.var_shape))
        return value[places].reshape(info.var_shape)
    if var.shape.as_list() != list(value.shape):
        raise ValueError("Total size of new array must be unchanged for %s lh_shape: [%s], rh_shape: [%s]" % (
            name, value.shape, var.shape))
    return value


def assign_from_checkpoint(model_path, var_list, ignore_missing_vars=False):
    groups = _grouped(var_list)
    reader = checkpoint_state.new_checkpoint_reader(model_path)
    feeds, assigns = {}, []
    for name, group in groups.items():
        if not reader.has_tensor(name):
            if ignore_missing_vars:
                continue
            raise ValueError("Checkpoint is missing variable [%s]" % name)
        value = reader.get_tensor(name)
        for var in group:
            placeholder = array_ops.placeholder(var.dtype.base_dtype, shape=var.shape,
                                                name="placeholder/" + var.op.name)
            assigns.append(var.assign(placeholder))
            feeds[placeholder] = _part_of(value, var, name)
    return control_flow.group(*assigns), feeds


def assign_from_checkpoint_fn(model_path, var_list, ignore_missing_vars=False, reshape_variables=False):
    if not var_list:
        raise ValueError("var_list cannot be empty")
    if ignore_missing_vars:
        reader = checkpoint_state.new_checkpoint_reader(model_path)
        named = var_list if isinstance(var_list, dict) else {v.op.name: v for v in var_list}
        var_list = {name: v for name, v in named.items() if reader.has_tensor(name)}
    if not var_list:
        return None
    from ..saving.saver import Saver
    saver = Saver(var_list, reshape=reshape_variables, write_version=1)
    return lambda session: saver.restore(session, model_path)


# -- the global step

def assert_or_get_global_step(graph=None, global_step_tensor=None):
    if global_step_tensor is None:
        return training_util.get_global_step(graph)
    training_util.assert_global_step(global_step_tensor)
    return global_step_tensor
