# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What tests of TensorFlow's own kind are decorated with. Graphs are the one way of running: what asks for eager execution,
a GPU or TensorFlow 2 is skipped, what asks for both ways runs once."""

import functools
import unittest

from ..control import functional
from ..framework import graph as graph_lib
from .cases import TestCase as TensorFlowTestCase  # noqa: F401


def _same(function=None, *_, **__):
    """A decorator, with or without arguments, that changes nothing."""
    return function if callable(function) else lambda decorated: decorated


def _skipped(reason):
    def decorate(function=None, *_, **__):
        skip = unittest.skip(reason)
        return skip(function) if callable(function) else skip
    return decorate


run_deprecated_v1 = run_v1_only = deprecated_graph_mode_only = run_all_in_deprecated_graph_mode_only = _same
disable_xla = no_xla_auto_jit = xla_allow_fallback = also_run_as_tf_function = _same
assert_no_new_tensors = assert_no_garbage_created = _same
run_v2_only = _skipped("Test is only compatible with v2")
run_gpu_only = run_cuda_only = _skipped("Test requires GPU")
assert_no_new_pyobjects_executing_eagerly = _skipped("Test runs eagerly only")


def run_in_graph_and_eager_modes(function=None, config=None, use_gpu=True, reset_test=True, assert_no_eager_garbage=False):
    """The test runs in a session of its own."""
    def decorate(test):
        if isinstance(test, type):
            raise ValueError("`run_in_graph_and_eager_modes` only supports test methods. Did you mean to use "
                             "`run_all_in_graph_and_eager_modes`?")

        @functools.wraps(test)
        def decorated(self, *arguments, **keywords):
            with self.test_session(config=config):
                test(self, *arguments, **keywords)
        return decorated
    return decorate if function is None else decorate(function)


def build_as_function_and_v1_graph(func=None):
    """The test looks at a graph and runs nothing: it is called once, with a graph that is no function's."""
    def decorate(test):
        @functools.wraps(test)
        def decorated(self, *arguments, **keywords):
            with graph_lib.Graph().as_default():
                test(self, *arguments, **keywords)
        return decorated
    return decorate if func is None else decorate(func)


def enable_control_flow_v2(fn):
    """Within the test conditions and loops are those of version 2."""
    def wrapper(*arguments, **keywords):
        was_enabled = functional.control_flow_v2_enabled()
        functional.enable_control_flow_v2()
        try:
            return fn(*arguments, **keywords)
        finally:
            if not was_enabled:
                functional.disable_control_flow_v2()
    return wrapper


def enable_output_all_intermediates(fn):
    """Within the test conditions and loops give all values of their bodies."""
    def wrapper(*arguments, **keywords):
        before = functional.intermediates["all"]
        functional.output_all_intermediates(True)
        try:
            return fn(*arguments, **keywords)
        finally:
            functional.output_all_intermediates(before)
    return wrapper


def disable_control_flow_v2(unused_msg):
    """The test is not run a second time by with_control_flow_v2()."""
    def decorate(test):
        test._disable_control_flow_v2 = True
        return test
    return decorate


def with_control_flow_v2(cls):
    """Every test comes a second time, with control flow of version 2."""
    if not functional.control_flow_v2_enabled():
        for name, value in list(vars(cls).items()):
            if (callable(value) and name.startswith(unittest.TestLoader.testMethodPrefix)
                    and not getattr(value, "_disable_control_flow_v2", False)):
                setattr(cls, name + "WithControlFlowV2", enable_control_flow_v2(value))
    return cls


def for_all_test_methods(decorator, *arguments, **keywords):
    def decorate(cls):
        for name in dir(cls):
            value = getattr(cls, name)
            if callable(value) and name.startswith(unittest.TestLoader.testMethodPrefix) and name != "test_session":
                setattr(cls, name, decorator(*arguments, **keywords)(value))
        return cls
    return decorate


def run_all_in_graph_and_eager_modes(cls):
    return for_all_test_methods(lambda: run_in_graph_and_eager_modes)(cls)


def is_xla_enabled():
    return False


def IsMklEnabled():
    return False


def IsGoogleCudaEnabled():
    return False


def GpuSupportsHalfMatMulAndConv():
    return False


def device(use_gpu):
    """There is no GPU that could be used: what a test makes is on the processor."""
    return graph_lib.device("/device:CPU:0")


def use_gpu():
    return device(True)


def force_gpu():
    return graph_lib.device("/device:GPU:0")


def force_cpu():
    return graph_lib.device("/device:CPU:0")


def NHWCToNCHW(input_tensor):
    """The channels behind the batch: of a tensor, or of the numbers of a shape."""
    return _moved(input_tensor, {4: [0, 3, 1, 2], 5: [0, 4, 1, 2, 3]})


def NCHWToNHWC(input_tensor):
    return _moved(input_tensor, {4: [0, 2, 3, 1], 5: [0, 2, 3, 4, 1]})


def _moved(value, orders):
    if isinstance(value, (list, tuple)):
        return [value[axis] for axis in orders[len(value)]]
    from ..operators.array_ops import transpose
    return transpose(value, orders[value.shape.ndims])


def assert_ops_in_graph(expected_ops, graph):
    """Whether the graph has each name with its type; the nodes that it has."""
    found = {}
    for node in graph.as_graph_def().node:
        if node.name in expected_ops:
            if expected_ops[node.name] != node.op:
                raise ValueError("Expected op for node %s is different. %s vs %s" % (
                    node.name, expected_ops[node.name], node.op))
            found[node.name] = node
    if set(expected_ops) != set(found):
        raise ValueError("Not all expected ops are present. Expected %s, found %s" % (expected_ops.keys(), found.keys()))
    return found
