# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Lists of operations and tensors, and names of placeholders."""

import collections.abc

from ..framework.graph import Graph, GraphKeys, Operation, Tensor
from ..operators import array_ops

PREFIX = "geph"


def concatenate_unique(first, second):
    """Appends to the first list what it has not got."""
    known = set(first)
    for item in second:
        if item not in known:
            first.append(item)
            known.add(item)
    return first


class ListView:
    """A list that cannot be changed."""

    def __init__(self, items):
        if not isinstance(items, list):
            raise TypeError("Expected a list, got: {}.".format(type(items)))
        self._list = items

    def __iter__(self):
        return iter(self._list)

    def __len__(self):
        return len(self._list)

    def __bool__(self):
        return bool(self._list)

    def __getitem__(self, i):
        return self._list[i]

    def __add__(self, other):
        return list(self) + list(other)


def is_iterable(obj):
    if isinstance(obj, Tensor):
        return False
    try:
        iter(obj)
    except Exception:
        return False
    return True


def flatten_tree(tree, leaves=None):
    leaves = [] if leaves is None else leaves
    if isinstance(tree, dict):
        tree = tree.values()
    if is_iterable(tree):
        for child in tree:
            flatten_tree(child, leaves)
    else:
        leaves.append(tree)
    return leaves


def transform_tree(tree, fn, iterable_type=tuple):
    """The tree with each leaf replaced by what fn makes of it."""
    if not is_iterable(tree) or isinstance(tree, str):
        return fn(tree)
    if isinstance(tree, dict):
        return type(tree)((key, transform_tree(child, fn)) for key, child in tree.items())
    parts = [transform_tree(child, fn) for child in tree]
    if hasattr(tree, "_asdict"):
        return type(tree)(*parts)
    if isinstance(tree, collections.abc.Sequence):
        return type(tree)(parts)
    return iterable_type(parts)


def check_graphs(*args):
    graph = None
    for i, view in enumerate(args):
        if graph is None:
            graph = view.graph
        elif view.graph is not None and view.graph is not graph:
            raise ValueError("Argument[{}]: Wrong graph!".format(i))


def get_unique_graph(tops, check_types=None, none_if_empty=False):
    """The one graph of some operations and tensors."""
    if isinstance(tops, Graph):
        return tops
    if not is_iterable(tops):
        raise TypeError("{} is not iterable".format(type(tops)))
    if check_types is None:
        check_types = (Operation, Tensor)
    elif not is_iterable(check_types):
        check_types = (check_types,)
    graph = None
    for top in tops:
        if not isinstance(top, tuple(check_types)):
            raise TypeError("Expected a type in ({}), got: {}".format(", ".join(str(t) for t in check_types), type(top)))
        if graph is None:
            graph = top.graph
        elif graph is not top.graph:
            raise ValueError("Operation {} does not belong to given graph".format(top))
    if graph is None and not none_if_empty:
        raise ValueError("Can't find the unique graph of an empty list")
    return graph


def _listed(items, kind, of_graph, check_graph, allow_graph, ignore_others):
    if isinstance(items, Graph):
        if not allow_graph:
            raise TypeError("allow_graph is False: cannot convert a tf.Graph.")
        return of_graph(items)
    if not is_iterable(items):
        items = [items]
    items = list(items)
    if not items:
        return []
    if check_graph:
        get_unique_graph(items, check_types=None if ignore_others else kind)
    return [item for item in items if isinstance(item, kind)]


def make_list_of_op(ops, check_graph=True, allow_graph=True, ignore_ts=False):
    return _listed(ops, Operation, Graph.get_operations, check_graph, allow_graph, ignore_ts)


def get_tensors(graph):
    if not isinstance(graph, Graph):
        raise TypeError("Expected a graph, got: {}".format(type(graph)))
    return [t for op in graph.get_operations() for t in op.outputs]


def make_list_of_t(ts, check_graph=True, allow_graph=True, ignore_ops=False):
    return _listed(ts, Tensor, get_tensors, check_graph, allow_graph, ignore_ops)


def get_generating_ops(ts):
    return [t.op for t in make_list_of_t(ts, allow_graph=False)]


def get_consuming_ops(ts):
    result = []
    for t in make_list_of_t(ts, allow_graph=False):
        concatenate_unique(result, t.consumers())
    return result


class ControlOutputs:
    """Which operations wait for an operation."""

    def __init__(self, graph):
        if not isinstance(graph, Graph):
            raise TypeError("Expected a tf.Graph, got: {}".format(type(graph)))
        self._graph, self._version, self._outputs = graph, None, {}
        self._build()

    graph = property(lambda self: self._graph)

    def update(self):
        if self._version != self._graph.version:
            self._build()
        return self

    def _build(self):
        self._outputs.clear()
        for op in self._graph.get_operations():
            for source in op.control_inputs:
                concatenate_unique(self._outputs.setdefault(source, []), [op])
        self._version = self._graph.version

    def get_all(self):
        return self._outputs

    def get(self, op):
        return self._outputs.get(op, ())


def scope_finalize(scope):
    return scope + "/" if scope and scope[-1] != "/" else scope


def scope_dirname(scope):
    return scope[:scope.rfind("/") + 1]


def scope_basename(scope):
    return scope[scope.rfind("/") + 1:]


def placeholder_name(t=None, scope=None, prefix=PREFIX):
    scope = scope_finalize(scope)
    if t is None:
        return "{}{}".format(scope or "", prefix)
    if not isinstance(t, Tensor):
        raise TypeError("Expected a tf.Tenfor, got: {}".format(type(t)))
    name = scope_basename(t.op.name)
    if not name.startswith("{}__".format(prefix)):
        name = "{}__{}_{}".format(prefix, name, t.value_index)
    return (scope_dirname(t.op.name) if scope is None else scope) + name


def make_placeholder_from_tensor(t, scope=None, prefix=PREFIX):
    return array_ops.placeholder(dtype=t.dtype, shape=t.shape, name=placeholder_name(t, scope=scope, prefix=prefix))


def make_placeholder_from_dtype_and_shape(dtype, shape=None, scope=None, prefix=PREFIX):
    return array_ops.placeholder(dtype=dtype, shape=shape, name=placeholder_name(scope=scope, prefix=prefix))


def get_predefined_collection_names():
    return [getattr(GraphKeys, key) for key in dir(GraphKeys) if not key.startswith("__")]


def find_corresponding_elem(target, dst_graph, dst_scope="", src_scope=""):
    name = target.name
    if src_scope:
        src_scope = scope_finalize(src_scope)
        if not name.startswith(src_scope):
            raise ValueError("{} does not start with {}".format(name, src_scope))
        name = name[len(src_scope):]
    name = scope_finalize(dst_scope) + name
    if isinstance(target, Tensor):
        return dst_graph.get_tensor_by_name(name)
    if isinstance(target, Operation):
        return dst_graph.get_operation_by_name(name)
    raise TypeError("Expected tf.Tensor or tf.Operation, got: {}", type(target))


def find_corresponding(targets, dst_graph, dst_scope="", src_scope=""):
    return transform_tree(targets, lambda top: find_corresponding_elem(top, dst_graph, dst_scope, src_scope))
