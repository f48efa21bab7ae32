# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What converted control flow requires of variables: that they are there, and stay of one kind."""

from .. import nest
from ..framework import ops
from ..framework.graph import Tensor
from ..state import variables


class Undefined:
    """A variable that has no value yet."""

    def __init__(self, symbol_name):
        self.symbol_name = symbol_name


class UndefinedReturnValue:
    """What a function gives that has not come to a return."""


def is_tensor(value):
    return isinstance(value, (Tensor, variables.Variable))


def is_undefined(value):
    return isinstance(value, Undefined)


def _undefined(values):
    return tuple(v.symbol_name for v in values if is_undefined(v))


def refuse_undefined(values, branch):
    missing = _undefined(values)
    if missing:
        raise ValueError("The following symbols must also be initialized in the {} branch: {}. Alternatively, you may "
                         "initialize them before the if statement.".format(branch, missing))
    if any(isinstance(v, UndefinedReturnValue) for v in values):
        raise ValueError("A value must also be returned from the {} branch. If a value is returned from one branch of a "
                         "conditional a value must be returned from all branches.".format(branch))


def refuse_undefined_into_loop(values):
    missing = _undefined(values)
    if missing:
        raise ValueError("TensorFlow requires that the following symbols must be defined before the loop: {}".format(missing))
    if any(isinstance(v, UndefinedReturnValue) for v in values):
        raise ValueError("return statements are not supported within a TensorFlow loop.")


def _settled(value):
    """A Python number as the tensor that it becomes."""
    return ops.convert_to_tensor(value) if isinstance(value, (bool, int, float, str)) else value


def _pairs(first, second):
    """Of two values of one structure the tensors side by side."""
    for a, b in zip(nest.flatten(first), nest.flatten(second)):
        a, b = _settled(a), _settled(b)
        if is_tensor(a) and is_tensor(b):
            yield a, b


def _structure_differs(first, second):
    try:
        nest.assert_same_structure(first, second, expand_composites=True)
    except (ValueError, TypeError) as error:
        return error
    return None


def check_sides(first, second, symbols):
    for a, b, name in zip(first, second, symbols):
        error = _structure_differs(a, b)
        if error is not None:
            raise TypeError('"{}" does not have the same nested structure in the TRUE and FALSE branches.\n\n{}'.format(
                name, error))
        for x, y in _pairs(a, b):
            if x.dtype != y.dtype:
                raise TypeError('"{}" has dtype {} in the TRUE branch, but dtype={} in the FALSE branch. TensorFlow control '
                                'flow requires that they are the same.'.format(name, x.dtype.name, y.dtype.name))


def _holds(wide, narrow):
    """Whether a shape is the other one or leaves more of it open."""
    if wide.ndims is None:
        return True
    return wide.ndims == narrow.ndims and all(a is None or a == b for a, b in zip(wide.as_list(), narrow.as_list()))


def check_round(before, after, symbols, with_shapes=True):
    for a, b, name in zip(before, after, symbols):
        error = _structure_differs(a, b)
        if error is not None:
            raise TypeError('"{}" does not have the same nested structure after one iteration.\n\n{}'.format(name, error))
        for x, y in _pairs(a, b):
            if x.dtype != y.dtype:
                raise TypeError('"{}" has dtype {} before the loop, but dtype {} after one iteration. TensorFlow control flow '
                                'requires it stays the same.'.format(name, x.dtype.name, y.dtype.name))
            if with_shapes and not _holds(x.shape, y.shape):
                raise ValueError('"{}" has shape {} before the loop, but shape {} after one iteration. TensorFlow control flow '
                                 'requires it stays the same or be more specific.'.format(name, x.shape, y.shape))
