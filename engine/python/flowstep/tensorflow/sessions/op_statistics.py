# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What an op costs, by its type and the kind of cost: float operations, and what a script registers."""

# The ops that TensorFlow has a count of float operations for.
_COUNTED = set("""
Reciprocal Square Rsqrt Log Neg AssignSub AssignAdd L2Loss Softmax Add Sub Mul RealDiv Maximum Minimum Pow RsqrtGrad
GreaterEqual Greater LessEqual Less Equal NotEqual SquaredDifference Mean Sum ArgMax ArgMin BiasAddGrad AvgPool MaxPool
AvgPoolGrad MaxPoolGrad Conv2DBackpropInput Conv2DBackpropFilter AddN MatMul BatchMatMul Conv2D Conv3D DepthwiseConv2dNative
BiasAdd Dilation2D
""".split())
_registered = {}


class OpStats:
    """A kind of cost, and how much of it."""

    def __init__(self, statistic_type, value=None):
        self.statistic_type, self.value = statistic_type, value

    def __iadd__(self, other):
        if other.statistic_type != self.statistic_type:
            raise ValueError("Can't add an OpStat of type %s to one of %s." % (self.statistic_type, other.statistic_type))
        if other.value is not None:
            self.value = other.value if self.value is None else self.value + other.value
        return self


class RegisterStatistics:
    """@ops.RegisterStatistics("Type", "flops"): the function that gives what an op of that type costs."""

    def __init__(self, op_type, statistic_type):
        for name, value in (("op_type", op_type), ("statistic_type", statistic_type)):
            if not isinstance(value, str):
                raise TypeError("%s must be a string." % name)
            if "," in value:
                raise TypeError("%s must not contain a comma." % name)
        self._key = op_type, statistic_type

    def __call__(self, function):
        if self._key in _registered or self._key[1] == "flops" and self._key[0] in _COUNTED:
            raise KeyError("Registering two statistical functions with name '%s,%s'!" % self._key)
        _registered[self._key] = function
        return function


def get_stats_for_node_def(graph, node, statistic_type):
    """What a node costs, with no value where nobody knows."""
    function = _registered.get((node.op, statistic_type))
    if function is not None:
        return function(graph, node)
    if statistic_type != "flops" or node.op not in _COUNTED:
        return OpStats(statistic_type)
    op = graph.get_operation_by_name(node.name)
    count = graph._builder.count_flops(op._index)
    if count < 0:
        shapes = [t.shape for t in list(op.inputs) + op.outputs if not t.shape.is_fully_defined()]
        raise ValueError("Shape %s is not fully defined" % (shapes[0] if shapes else None))
    return OpStats(statistic_type, count)
