# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.train.init_from_checkpoint: variables whose initializer reads a checkpoint."""

import collections
import os

from ..framework import graph as graph_lib, ops, tf_logging
from ..framework.ops import apply_op
from ..state import scope as scope_lib, partitioned_variables, variables
from . import checkpoint_state, trackable
from .vocabularies import begin_from


def _filename(folder_or_file):
    return checkpoint_state.latest_checkpoint(folder_or_file) if os.path.isdir(folder_or_file) else folder_or_file


def _set_initializer(variable, filename, tensor_name, slice_spec):
    with graph_lib.device(variable.device or None), graph_lib.device("/cpu:0"):
        value, = apply_op("RestoreV2", prefix=filename, tensor_names=[tensor_name], shape_and_slices=[slice_spec],
                          dtypes=[variable.dtype.base_dtype], name="checkpoint_initializer")
    if isinstance(variable, variables.ResourceVariable):
        with graph_lib.device(variable.device or None):
            op = ops.make_op("AssignVariableOp", resource=variable.handle, value=apply_op("Identity", input=value))
    else:
        # TF: the tensor that assigning gives; the variable's proto tells its name.
        op = apply_op("Assign", ref=variable._variable, value=value, validate_shape=variable.shape.is_fully_defined())
    variable._initializer_op = op
    value.set_shape(variable.shape)
    variable._initial_value = value


def _set(variable_or_parts, filename, tensor_name):
    if not isinstance(variable_or_parts, (list, tuple, partitioned_variables.PartitionedVariable)):
        _set_initializer(variable_or_parts, filename, tensor_name, "")
        return
    whole = None
    for part in variable_or_parts:
        info = part._get_save_slice_info()
        if whole is not None and whole != info.full_name:
            raise ValueError("Slices must all be from the same tensor: %s != %s" % (whole, info.full_name))
        whole = info.full_name
        _set_initializer(part, filename, tensor_name, info.spec)


def _known(made, name):
    """A variable of that name, the list of its parts, or nothing."""
    if name in made:
        return made[name]
    parts = []
    while name + "/part_%d" % len(parts) in made:
        parts.append(made[name + "/part_%d" % len(parts)])
    return parts or None


def _check(variable, tensor_name, shapes, source):
    if tensor_name not in shapes:
        raise ValueError("Tensor %s is not found in %s checkpoint %s" % (tensor_name, source, shapes))
    if isinstance(variable, variables.Variable) and not variable.shape.is_compatible_with(shapes[tensor_name]):
        raise ValueError("Shape of variable %s (%s) doesn't match with shape of tensor %s (%s) from checkpoint reader." % (
            variable.name, variable.shape, tensor_name, shapes[tensor_name]))


def _set_scope(made, filename, source, shapes, tensor_scope, given):
    """All variables of a scope from the tensors of one."""
    prefix = given[:given.rindex("/")] if "/" in given else ""
    if not tensor_scope.endswith("/"):
        raise ValueError("Assignment map with scope only name {} should map to scope only {}. Should be 'scope/': "
                         "'other_scope/'.".format(prefix, tensor_scope))
    names = {name.split("/part_")[0] for name in made if not prefix or name.startswith(prefix + "/")}
    for name in sorted(names):
        full = name[len(prefix):]
        if given != "/":
            full = full[1:]
        if tensor_scope != "/":
            full = tensor_scope + full
        full = full[:-1] if full.endswith("/") else full
        if full not in shapes:
            raise ValueError("Tensor %s (%s in %s) is not found in %s checkpoint" % (
                full, name[len(prefix) + 1:], tensor_scope, source))
        _set(_known(made, name), filename, full)


def init_from_checkpoint(ckpt_dir_or_file, assignment_map):
    """From now on the initializers of these variables read the checkpoint."""
    filename = _filename(ckpt_dir_or_file)
    shapes = checkpoint_state.load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map()
    made = scope_lib._store().vars
    for tensor_name, given in sorted(assignment_map.items(), key=lambda item: item[0]):
        is_given = _is_variable(given) or isinstance(given, list) and all(map(_is_variable, given))
        variable = given if is_given else _known(made, given)
        if variable is None:
            _set_scope(made, filename, ckpt_dir_or_file, shapes, tensor_name, given)
        else:
            _check(variable, tensor_name, shapes, ckpt_dir_or_file)
            _set(variable, filename, tensor_name)


# -- the variables of a model from an earlier one

WarmStartSettings = collections.namedtuple("WarmStartSettings", [
    "ckpt_to_initialize_from", "vars_to_warm_start", "var_name_to_vocab_info", "var_name_to_prev_var_name"])
WarmStartSettings.__new__.__defaults__ = (".*", None, None)


def _is_variable(item):
    """TF: also the reference of one."""
    return isinstance(item, variables.Variable) or isinstance(item, graph_lib.Tensor) and item.dtype._is_ref_dtype


def _wanted(vars_to_warm_start):
    """The variables by their names, parts of one together."""
    keys = graph_lib.GraphKeys
    if vars_to_warm_start is None or isinstance(vars_to_warm_start, str):
        found = graph_lib.get_collection(keys.TRAINABLE_VARIABLES, scope=vars_to_warm_start)
    elif not isinstance(vars_to_warm_start, list):
        raise ValueError("`vars_to_warm_start must be a `list` or `str`.  Given type is {}".format(type(vars_to_warm_start)))
    elif all(isinstance(v, str) for v in vars_to_warm_start):
        found = [v for scope in vars_to_warm_start for v in graph_lib.get_collection(keys.GLOBAL_VARIABLES, scope=scope)]
    elif all(_is_variable(v) for v in vars_to_warm_start):
        found = vars_to_warm_start
    else:
        raise ValueError("If `vars_to_warm_start` is a list, it must be all `Variable` or all `str`.  Given types are "
                         "{}".format([type(v) for v in vars_to_warm_start]))
    groups = {}
    for variable in found:
        info = variable._get_save_slice_info() if isinstance(variable, variables.Variable) else None
        groups.setdefault(variable.op.name if info is None else info.full_name, []).append(variable)
    return groups


def _keys_of_objects(filename, names):
    """The keys of variables in a checkpoint of objects, which has none by their names; nothing for another checkpoint."""
    reader = checkpoint_state.CheckpointReader(filename)
    if not reader.has_tensor(trackable.GRAPH_KEY):
        return {}
    known = trackable.keys_by_name(reader)
    missing = set(names) - set(known)
    if missing:
        raise ValueError("Attempting to warm-start from an object-based checkpoint, but found that the checkpoint did not contain "
                         "values for all variables. The following variables were missing: {}".format(missing))
    return {name: known[name] for name in names}


def _check_used(argument, given, used, groups):
    unused = set(given) - used
    if unused:
        raise ValueError("You provided the following variables in {} that were not used: {}.  Perhaps you misspelled them?  "
                         "Here is the list of viable variable names: {}".format(argument, unused, groups.keys()))


def warm_start(ckpt_to_initialize_from, vars_to_warm_start=".*", var_name_to_vocab_info=None, var_name_to_prev_var_name=None):
    """From now on the initializers of these variables read the checkpoint of another model."""
    tf_logging.info("Warm-starting from: {}".format(ckpt_to_initialize_from))
    filename, groups = _filename(ckpt_to_initialize_from), _wanted(vars_to_warm_start)
    vocabularies = var_name_to_vocab_info or {}
    previous = var_name_to_prev_var_name or _keys_of_objects(filename, groups)
    wanted, count = {}, 0
    for name, parts in groups.items():
        info = vocabularies.get(name)
        # Without names of variables only those with a vocabulary are begun anew.
        count += bool(info or vars_to_warm_start)
        if info:
            begin_from(parts, info, filename, previous.get(name) or name)
        elif vars_to_warm_start:
            wanted[previous.get(name) or name] = parts[0] if len(parts) == 1 else parts
    init_from_checkpoint(ckpt_to_initialize_from, wanted)
    tf_logging.info("Warm-started %d variables.", count)
    _check_used("var_name_to_prev_var_name", previous, {name for name in groups if previous.get(name)}, groups)
    _check_used("var_name_to_vocab_info", vocabularies, {name for name in groups if vocabularies.get(name)}, groups)
