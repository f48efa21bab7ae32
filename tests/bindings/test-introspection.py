# test-introspection.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The engine from Python over GObject Introspection: opens a graph, reads it, prunes it, reads values."""

import ctypes
import os
import sys

import gi

gi.require_version("Flow", "1.0")
from gi.repository import Flow, GLib  # noqa: E402

GOLDEN = os.path.join(os.environ["G_TEST_SRCDIR"], "golden")


def test_graph():
    Flow.kernels_register()
    graph = Flow.Graph.load_file(os.path.join(GOLDEN, "shapes", "xor.meta"))
    n = graph.get_n_nodes()
    assert n > 50, n
    names = [graph.get_node_name(i) for i in range(n)]
    assert len(set(names)) == n
    assert all(graph.find_node(name) == i for i, name in enumerate(names))
    assert graph.find_node("no such node") == Flow.NODE_NONE & 0xFFFFFFFF
    assert "variables" in [graph.get_collection_key(i) for i in range(graph.get_n_collections())]
    total = sum(graph.get_n_scope_nodes(s) for s in range(graph.get_n_scopes()))
    assert total == n, (total, n)
    return graph, names


def test_prune():
    graph, names = test_graph()
    whole = Flow.Prune.new(graph, None, None, [names[-1]])
    assert whole.contains(n := len(names) - 1) and whole.get_n_nodes() >= 1
    chain, is_in, reason = whole.explain(n)
    assert is_in and chain == [names[-1]] and names[-1] in reason
    try:
        Flow.Prune.new(graph, None, ["no such node:0"], None)
    except GLib.Error as error:
        assert error.matches(Flow.error_quark(), Flow.Error.NOT_FOUND), error
    else:
        raise AssertionError("a fetch that is not there was taken")


def test_tensor():
    shape = Flow.Shape.new([2, 3])
    assert shape.to_string() == "[2,3]"
    data = (ctypes.c_float * 6)(*range(6))
    tensor = Flow.Tensor.new_from_bytes(Flow.DType.FLOAT, shape, GLib.Bytes.new(bytes(data)))
    assert tensor.get_n_elements() == 6 and tensor.get_dtype() == Flow.DType.FLOAT
    assert [tensor.get_double(i) for i in range(6)] == [0, 1, 2, 3, 4, 5]
    seen = (ctypes.c_float * 6).from_address(tensor.get_address())
    assert list(seen) == list(data)


tests = [test_graph, test_prune, test_tensor]
print(f"1..{len(tests)}")
failed = 0
for i, test in enumerate(tests, 1):
    try:
        test()
        print(f"ok {i} {test.__name__}")
    except Exception as error:
        failed += 1
        print(f"not ok {i} {test.__name__}: {type(error).__name__} {error} line {error.__traceback__.tb_next.tb_lineno}")
sys.exit(failed != 0)
