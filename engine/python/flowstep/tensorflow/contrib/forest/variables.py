# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Trees, and what is known of their leaves, as resources that are initialized, saved and restored."""

from ...framework import graph as graph_lib, proto
from ...framework.graph import GraphKeys, control_dependencies, name_scope
from ...framework.ops import apply_op, make_op
from ...saving.saveables import SaveableObject, SaveSpec
from ...state import resources, scope
from .params import build_params_proto


class _Saved(SaveableObject):
    """A resource as bytes."""

    def __init__(self, variable):
        self._variable = variable
        name = variable.handle.name
        super().__init__(variable.handle, [SaveSpec(variable.serialized(), "", name)], name)

    def restore(self, restored_tensors, unused_restored_shapes):
        with control_dependencies([self._variable.create]):
            return self._variable.deserialized(restored_tensors[0])


class _Variable:
    """A resource: its handle, the op that makes it, and whether that was done."""

    def __init__(self, params, config, name, container=None):
        with name_scope(name, self.SCOPE) as scope_name:
            self._params = {"params": params.serialized_params_proto}
            self.handle = apply_op(self.HANDLE, container=container, shared_name=scope_name, name=scope_name)
            self.create = make_op(self.CREATE, **dict(zip(self.CREATED_OF, (self.handle, config))), **self._params)
            is_initialized = apply_op(self.IS_INITIALIZED, **{self.CREATED_OF[0]: self.handle})
            graph_lib.add_to_collection(GraphKeys.SAVEABLE_OBJECTS, _Saved(self))
            resources.register_resource(self.handle, self.create, is_initialized)


class _Tree(_Variable):
    SCOPE, HANDLE, CREATE = "TreeVariable", "DecisionTreeResourceHandleOp", "CreateTreeVariable"
    CREATED_OF, IS_INITIALIZED = ("tree_handle", "tree_config"), "TreeIsInitializedOp"

    def serialized(self):
        return apply_op("TreeSerialize", tree_handle=self.handle)

    def deserialized(self, config):
        return make_op("TreeDeserialize", tree_handle=self.handle, tree_config=config, **self._params)


class _Stats(_Variable):
    SCOPE, HANDLE, CREATE = "FertileStatsVariable", "FertileStatsResourceHandleOp", "CreateFertileStatsVariable"
    CREATED_OF, IS_INITIALIZED = ("stats_handle", "stats_config"), "FertileStatsIsInitializedOp"

    def serialized(self):
        return apply_op("FertileStatsSerialize", stats_handle=self.handle, **self._params)

    def deserialized(self, config):
        return make_op("FertileStatsDeserialize", stats_handle=self.handle, stats_config=config, **self._params)


def tree_variable(params, tree_config, stats_handle, name, container=None):
    """The handle of a tree."""
    return _Tree(params, tree_config, name, container).handle


def fertile_stats_variable(params, stats_config, name, container=None):
    """The handle of what is known of a tree's leaves."""
    return _Stats(params, stats_config, name, container).handle


class TreeVariables:
    """What one tree has; what is known of its leaves only while it grows."""

    def __init__(self, params, tree_num, training, tree_config="", tree_stat=""):
        if not isinstance(getattr(params, "params_proto", None), proto.TensorForestParams):
            params.params_proto = build_params_proto(params)
        params.serialized_params_proto = params.params_proto.SerializeToString()
        self.stats = None
        if training:
            self.stats = fertile_stats_variable(params, tree_stat, self.get_tree_name("stats", tree_num))
        self.tree = tree_variable(params, tree_config, self.stats, self.get_tree_name("tree", tree_num))

    def get_tree_name(self, name, num):
        return "{0}-{1}".format(name, num)


class ForestVariables:
    """What the trees have, each on its device."""

    def __init__(self, params, device_assigner, training=True, tree_variables_class=TreeVariables, tree_configs=None,
                 tree_stats=None):
        self.variables, self.device_dummies = [], []
        with graph_lib.device(device_assigner):
            for i in range(params.num_trees):
                self.device_dummies.append(scope.get_variable(name="device_dummy_%d" % i, shape=0))
        for i in range(params.num_trees):
            with graph_lib.device(self.device_dummies[i].device):
                given = {} if tree_configs is None else {"tree_config": tree_configs[i]}
                if tree_stats is not None:
                    given["tree_stat"] = tree_stats[i]
                self.variables.append(tree_variables_class(params, i, training, **given))

    def __setitem__(self, t, val):
        self.variables[t] = val

    def __getitem__(self, t):
        return self.variables[t]
