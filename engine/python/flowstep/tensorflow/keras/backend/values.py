# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Variables, constants and placeholders, and what values they have."""

import numpy as np

from ... import dtypes
from ...framework import graph as graph_lib, ops
from ...framework.graph import Tensor
from ...operators import array_ops, linalg, sparse as sparse_lib
from ...state import variables
from .sessions import get_session, track_variable
from .settings import floatx


def variable(value, dtype=None, name=None, constraint=None):
    v = variables.Variable(value, dtype=dtypes.as_dtype(dtype or floatx()), name=name, constraint=constraint,
                           use_resource=True)
    track_variable(v)
    return v


def constant(value, dtype=None, shape=None, name=None):
    return ops.constant(value, dtype=dtype or floatx(), shape=shape, name=name or "Const")


def placeholder(shape=None, ndim=None, dtype=None, sparse=False, name=None, ragged=False):
    if not shape and ndim:
        shape = (None,) * ndim
    kind = sparse_lib.sparse_placeholder if sparse else array_ops.placeholder
    return kind(dtypes.as_dtype(dtype or floatx()), shape=shape, name=name)


def is_placeholder(x):
    return isinstance(x, Tensor) and x.op.type == "Placeholder"


def is_keras_tensor(x):
    if not isinstance(x, (Tensor, variables.Variable, sparse_lib.SparseTensor)):
        raise ValueError("Unexpectedly found an instance of type `" + str(type(x)) + "`. Expected a symbolic tensor "
                         "instance.")
    return hasattr(x, "_keras_history")


def is_sparse(tensor):
    return isinstance(tensor, sparse_lib.SparseTensor)


def to_dense(tensor):
    return sparse_lib.sparse_tensor_to_dense(tensor) if is_sparse(tensor) else tensor


def get_value(x):
    if not isinstance(x, (Tensor, variables.Variable)):
        return x
    with x.graph.as_default():
        return x.eval(session=get_session((x,)))


def batch_get_value(tensors):
    return get_session(tensors).run(list(tensors)) if tensors else []


def eval(x):
    return get_value(to_dense(x))


def _assigner(x):
    """The placeholder and the assignment that a variable is set by, made once."""
    if not hasattr(x, "_assign_op"):
        shape = x.shape
        x._assign_placeholder = array_ops.placeholder(x.dtype.base_dtype, shape=[None] * shape.ndims
                                                      if shape.ndims is not None else None)
        x._assign_op = x.assign(x._assign_placeholder)
    return x._assign_placeholder, x._assign_op


def set_value(x, value):
    batch_set_value([(x, value)])


def batch_set_value(tuples):
    if not tuples:
        return
    with tuples[0][0].graph.as_default():
        feeds, assigned = {}, []
        for x, value in tuples:
            value = np.asarray(value, dtype=x.dtype.base_dtype.as_numpy_dtype)
            given, op = _assigner(x)
            assigned.append(op)
            feeds[given] = value
        get_session().run(assigned, feed_dict=feeds)


def print_tensor(x, message=""):
    from ...operators.printing import print_v2
    with graph_lib.control_dependencies([print_v2(message, x)]):
        return array_ops.identity(x)


def _made(function):
    def make(shape, dtype=None, name=None):
        return variable(function(shape, dtypes.as_dtype(dtype or floatx())), dtype=dtype, name=name)
    return make


zeros, ones = _made(array_ops.zeros), _made(array_ops.ones)


def eye(size, dtype=None, name=None):
    return variable(linalg.eye(size, dtype=dtypes.as_dtype(dtype or floatx())), dtype, name)
