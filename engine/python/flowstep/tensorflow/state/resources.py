# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Resources that are created as variables are initialized: the collections of them, and ops over all of them."""

import collections

from .. import dtypes
from ..control import control_flow
from ..framework import graph as graph_lib, ops
from ..framework.graph import GraphKeys, name_scope
from ..operators import array_ops, math_ops

_Resource = collections.namedtuple("_Resource", ["handle", "create", "is_initialized"])


def register_resource(handle, create_op, is_initialized_op, is_shared=True):
    graph_lib.add_to_collection(GraphKeys.RESOURCES if is_shared else GraphKeys.LOCAL_RESOURCES,
                                _Resource(handle, create_op, is_initialized_op))


def shared_resources():
    return graph_lib.get_collection(GraphKeys.RESOURCES)


def local_resources():
    return graph_lib.get_collection(GraphKeys.LOCAL_RESOURCES)


def initialize_resources(resource_list, name="init"):
    if not resource_list:
        return control_flow.no_op(name=name)
    return control_flow.group(*[r.create for r in resource_list], name=name)


def report_uninitialized_resources(resource_list=None, name="report_uninitialized_resources"):
    """The names of those that were not created yet."""
    if resource_list is None:
        resource_list = shared_resources() + local_resources()
    with name_scope(name):
        with graph_lib.device("/cpu:0"):
            if not resource_list:
                return ops.constant([], dtype=dtypes.string)
            missing = math_ops.logical_not(array_ops.stack([r.is_initialized for r in resource_list]))
            return array_ops.boolean_mask(ops.constant([r.handle.name for r in resource_list]), missing)
