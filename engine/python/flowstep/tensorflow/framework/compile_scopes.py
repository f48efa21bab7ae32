# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.xla.experimental: ops marked for compilation. Nothing is compiled here; the attrs are TensorFlow's."""

import contextlib

from . import proto
from .graph import get_default_graph


class _Scopes:
    """How many scopes there were, and how deep the innermost one is."""

    count = depth = 0


def _scopes(graph):
    return graph._memo.setdefault("jit scopes", _Scopes())


@contextlib.contextmanager
def jit_scope(compile_ops=True, separate_compiled_gradients=False):
    if callable(compile_ops):
        def compiled(node_def):
            return proto.AttrValue(b=compile_ops(node_def))
    else:
        compiled = proto.AttrValue(b=compile_ops)
    values = {"_XlaCompile": compiled, "_XlaSeparateCompiledGradients": proto.AttrValue(b=bool(separate_compiled_gradients))}
    graph = get_default_graph()
    scopes = _scopes(graph)
    if not scopes.depth:
        # What is within another scope is compiled together with it.
        values["_XlaScope"] = proto.AttrValue(s=("jit_scope_%d" % scopes.count).encode())
        scopes.count += 1
    scopes.depth += 1
    try:
        with graph._attr_scope(values):
            yield
    finally:
        scopes.depth -= 1
