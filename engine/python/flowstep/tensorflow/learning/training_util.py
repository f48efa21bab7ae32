# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The global step."""

from .. import dtypes
from ..framework.graph import GraphKeys, get_default_graph
from ..state import initializers, scope, variables


# VariableAggregation: of several replicas the first one counts.
ONLY_FIRST_REPLICA = variables.VariableAggregation.ONLY_FIRST_REPLICA
_READ_KEY = "global_step_read_op_cache"


def global_step(sess, global_step_tensor):
    return int(sess.run(global_step_tensor))


def get_global_step(graph=None):
    graph = graph or get_default_graph()
    found = graph.get_collection(GraphKeys.GLOBAL_STEP)
    if len(found) == 1:
        tensor = found[0]
    elif not found:
        try:
            tensor = graph.get_tensor_by_name("global_step:0")
        except KeyError:
            return None
    else:
        return None
    assert_global_step(tensor)
    return tensor


def create_global_step(graph=None):
    graph = graph or get_default_graph()
    if get_global_step(graph) is not None:
        raise ValueError('"global_step" already exists.')
    with graph.as_default() as g, g.name_scope(None):
        return scope.get_variable(GraphKeys.GLOBAL_STEP, shape=[], dtype=dtypes.int64,
                                  initializer=initializers.Zeros(), trainable=False,
                                  collections=[GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP],
                                  aggregation=ONLY_FIRST_REPLICA)


def get_or_create_global_step(graph=None):
    graph = graph or get_default_graph()
    found = get_global_step(graph)
    return found if found is not None else create_global_step(graph)


def get_or_create_global_step_read(graph=None):
    """A tensor of the step's value, also before it is initialized; none where there is no step."""
    graph = graph or get_default_graph()
    found = graph.get_collection(_READ_KEY)
    if len(found) > 1:
        raise RuntimeError("There are multiple items in collection {}. There should be only one.".format(_READ_KEY))
    if found:
        return found[0]
    step = get_global_step(graph)
    if step is None:
        return None
    with graph.as_default() as g, g.name_scope(None), g.name_scope(step.op.name + "/"):
        value = step.initialized_value() if hasattr(step, "initialized_value") else step
        read = value + 0
        g.add_to_collection(_READ_KEY, read)
    return read


def assert_global_step(global_step_tensor):
    if not global_step_tensor.dtype.base_dtype.is_integer:
        raise TypeError('Existing "global_step" does not have integer type: %s' % global_step_tensor.dtype)
    dims = global_step_tensor.get_shape()
    if dims.ndims not in (0, None):
        raise TypeError('Existing "global_step" is not scalar: %s' % dims)
