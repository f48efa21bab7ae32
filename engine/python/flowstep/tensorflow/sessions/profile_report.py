# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.profiler: float operations and parameters of a graph, by scope or by op type, and TensorFlow's report of them."""

import copy
import itertools
import re
import sys

import numpy as np

from .. import errors
from ..framework import proto
from ..framework.graph import Graph, GraphKeys, get_default_graph
from ..saving import importer
from . import op_statistics

_TRAINABLE = "_trainable_variables"
# All settings of a report in its order, as they are where nothing is said of them.
_UNSET = [("max_depth", 10), ("min_bytes", 0), ("min_peak_bytes", 0), ("min_residual_bytes", 0),
          ("min_output_bytes", 0), ("min_micros", 0), ("min_accelerator_micros", 0), ("min_cpu_micros", 0),
          ("min_params", 0), ("min_float_ops", 0), ("min_occurrence", 0), ("step", -1), ("order_by", "name"),
          ("account_type_regexes", []), ("start_name_regexes", []), ("trim_name_regexes", []), ("show_name_regexes", []),
          ("hide_name_regexes", []), ("account_displayed_op_only", False), ("select", []), ("output", "stdout")]
_SHOWN = dict(max_depth=10000, min_bytes=0, min_micros=0, min_params=0, min_float_ops=0, min_occurrence=0, order_by="name",
              account_type_regexes=[".*"], start_name_regexes=[".*"], trim_name_regexes=[], show_name_regexes=[".*"],
              hide_name_regexes=[], account_displayed_op_only=True, select=["micros"], step=-1, output="stdout")
_VIEWS = {"scope": "scope: The nodes in the model graph are organized by their names, which is hierarchical like "
                   "filesystem.",
          "graph": "graph: The nodes are organized by their inputs and outputs.",
          "op": "op: The nodes are operation kernel type, such as MatMul, Conv2D. Graph nodes belonging to the same type "
                "are aggregated together."}
_COLUMNS = {"float_ops": ("flops: Number of float operations. Note: Please read the implementation for the math behind "
                          "it.", "# float_ops"),
            "params": ("param: Number of parameters (in the Variable).", "# parameters")}


class ProfileOptionBuilder:
    """What to count and how to show it."""

    def __init__(self, options=None):
        self._options = copy.deepcopy(options) if options is not None else copy.deepcopy(_SHOWN)

    @staticmethod
    def trainable_variables_parameter():
        return dict(_SHOWN, account_type_regexes=[_TRAINABLE], select=["params"])

    @staticmethod
    def float_operation():
        return dict(_SHOWN, min_float_ops=1, select=["float_ops"], order_by="float_ops")

    @staticmethod
    def time_and_memory(min_micros=1, min_bytes=1, min_accelerator_micros=0, min_cpu_micros=0, min_peak_bytes=0,
                        min_residual_bytes=0, min_output_bytes=0):
        return dict(_SHOWN, min_micros=min_micros, min_bytes=min_bytes, min_accelerator_micros=min_accelerator_micros,
                    min_cpu_micros=min_cpu_micros, min_peak_bytes=min_peak_bytes, min_residual_bytes=min_residual_bytes,
                    min_output_bytes=min_output_bytes, order_by="micros", select=["micros", "bytes"])

    def build(self):
        return copy.deepcopy(self._options)

    def _with(self, **values):
        self._options.update(values)
        return self

    def with_timeline_output(self, timeline_file):
        return self._with(output="timeline:outfile=%s" % timeline_file)

    def with_pprof_output(self, pprof_file):
        return self._with(output="pprof:outfile=%s" % pprof_file)

    def with_max_depth(self, max_depth):
        return self._with(max_depth=max_depth)

    def with_min_parameters(self, min_params):
        return self._with(min_params=min_params)

    def with_min_float_operations(self, min_float_ops):
        return self._with(min_float_ops=min_float_ops)

    def with_min_occurrence(self, min_occurrence):
        return self._with(min_occurrence=min_occurrence)

    def with_min_memory(self, min_bytes=0, min_peak_bytes=0, min_residual_bytes=0, min_output_bytes=0):
        return self._with(min_bytes=min_bytes, min_peak_bytes=min_peak_bytes, min_residual_bytes=min_residual_bytes,
                          min_output_bytes=min_output_bytes)

    def with_min_execution_time(self, min_micros=0, min_accelerator_micros=0, min_cpu_micros=0):
        return self._with(min_micros=min_micros, min_accelerator_micros=min_accelerator_micros,
                          min_cpu_micros=min_cpu_micros)

    def with_accounted_types(self, account_type_regexes):
        return self._with(account_type_regexes=list(account_type_regexes))

    def with_node_names(self, start_name_regexes=None, show_name_regexes=None, hide_name_regexes=None,
                        trim_name_regexes=None):
        given = {"start_name_regexes": start_name_regexes, "show_name_regexes": show_name_regexes,
                 "hide_name_regexes": hide_name_regexes, "trim_name_regexes": trim_name_regexes}
        return self._with(**{k: list(v) for k, v in given.items() if v is not None})

    def account_displayed_op_only(self, is_true):
        return self._with(account_displayed_op_only=is_true)

    def with_empty_output(self):
        return self._with(output="none")

    def with_stdout_output(self):
        return self._with(output="stdout")

    def with_file_output(self, outfile):
        return self._with(output="file:outfile=%s" % outfile)

    def with_step(self, step):
        return self._with(step=step)

    def order_by(self, attribute):
        return self._with(order_by=attribute)

    def select(self, attributes):
        return self._with(select=list(attributes))


class Node:
    """What was counted of a node, a scope or an op type, and what is below it."""

    def __init__(self, name):
        self.name, self.op_type, self.shape = name, None, None
        self.float_ops = self.parameters = self.total_float_ops = self.total_parameters = 0
        self.graph_nodes, self.children, self.seen, self.left, self.accounted = [], [], [], None, False

    def add_up(self):
        for field in ("float_ops", "parameters"):
            own = getattr(self, field) if self.accounted else 0
            setattr(self, "total_" + field, own + sum(getattr(c, "total_" + field) for c in self.children))


def shapes_of_run(graph, fed, executed):
    """A function that gives, by node, the shapes of what a run put out: the graph inferred anew from what was fed."""
    definition = graph.as_graph_def()

    def shapes():
        made = proto.GraphDef(versions=definition.versions)
        by_name = {name.partition(":")[0]: dims for name, dims in fed.items() if name.endswith(":0")}
        for node in definition.node:
            copied = proto.NodeDef.FromString(node.SerializeToString())
            if node.name in by_name and len(graph.get_operation_by_name(node.name).outputs) == 1:
                copied = proto.NodeDef(name=node.name, op="Placeholder")
                kind = graph.get_operation_by_name(node.name).outputs[0].dtype.base_dtype
                copied.attr["dtype"].type = kind.as_datatype_enum
                copied.attr["shape"].shape.dim.extend({"size": d} for d in by_name[node.name])
            made.node.append(copied)
        made.library.CopyFrom(definition.library)
        with Graph().as_default() as other:
            importer.import_graph_def(made, name="")
            return {name: [t.shape for t in other.get_operation_by_name(name).outputs] for name in executed}
    return shapes


def _take_shapes(graph, run_meta):
    """TF: what a run says of shapes the graph's tensors have from then on."""
    shapes = getattr(run_meta, "_shapes", None) if run_meta is not None else None
    for name, found in (shapes() if shapes is not None else {}).items():
        try:
            op = graph.get_operation_by_name(name)
        except KeyError:
            continue
        for tensor, shape in zip(op.outputs, found):
            if shape.is_fully_defined():
                tensor.set_shape(shape)


def _flops(op, graph):
    """Float operations, less than none where shapes are not known."""
    try:
        return op_statistics.get_stats_for_node_def(graph, op.node_def, "flops").value or 0
    except ValueError:
        return -1


def _counted(graph, run_meta):
    """(op, float operations, parameters, shape) of each node; what a run fed and knew the shapes of it counts with."""
    trainable = {v.op: v for v in graph.get_collection(GraphKeys.TRAINABLE_VARIABLES) if hasattr(v, "op")}
    _take_shapes(graph, run_meta)
    missing, result = 0, []
    for op in graph.get_operations():
        flops = _flops(op, graph)
        missing += flops < 0
        variable = trainable.get(op)
        dims = None if variable is None or not variable.shape.is_fully_defined() else variable.shape.as_list()
        result.append((op, max(flops, 0), 0 if dims is None else int(np.prod(dims)), dims))
    if missing:
        sys.stderr.write("%d ops no flops stats due to incomplete shapes.\n" % missing)
    return result, trainable


def _matches(patterns, text):
    return any(re.fullmatch(p, text) for p in patterns)


def _is_accounted(op, trainable, options):
    kinds = [op.type] + ([_TRAINABLE] if op in trainable else [])
    return any(_matches(options["account_type_regexes"], kind) for kind in kinds)


def _passes(node, options):
    if node.float_ops < options["min_float_ops"] or node.parameters < options["min_params"]:
        return False
    return _matches(options["show_name_regexes"], node.name) and not _matches(options["hide_name_regexes"], node.name)


def _order(nodes, options):
    key = {"float_ops": lambda n: (-n.total_float_ops, n.name), "params": lambda n: (-n.total_parameters, n.name)}
    return sorted(nodes, key=key.get(options["order_by"], lambda n: n.name))


def _deepest_first(nodes, depth):
    """(node, depth) of these and what is below them; what a graph reads can lie too deep for recursion."""
    order, held = [], [(node, depth) for node in nodes]
    while held:
        node, depth = held.pop()
        order.append((node, depth))
        held.extend((child, depth + 1) for child in node.children)
    return reversed(order)


def _see(nodes, options):
    """Notes of each node what is to be seen of it: itself, or what is to be seen below it."""
    for node, depth in _deepest_first(nodes, 2):
        trimmed = _matches(options["trim_name_regexes"], node.name)
        below = [] if trimmed else [n for child in node.children for n in child.seen]
        node.seen = below
        if depth <= options["max_depth"] and _passes(node, options):
            node.children, node.seen = _order(below, options), [node]
            if options["account_displayed_op_only"]:
                node.add_up()


def _count(nodes):
    """Of these and what is below them those that count, or hold one that does, with their totals."""
    for node, _ in _deepest_first(nodes, 0):
        node.children = [child for child in node.children if child.accounted or child.children]
        if not node.accounted:
            node.float_ops = node.parameters = 0
        node.add_up()
    return [node for node in nodes if node.accounted or node.children]


def _started(nodes, patterns):
    """The uppermost nodes of those names."""
    return [found for node in nodes for found in
            ([node] if _matches(patterns, node.name) else _started(node.children, patterns))]


def _shown(roots, options):
    """What is to be seen of a forest, below a root of its own."""
    root = Node("_TFProfRoot")
    root.children = _started(_count(roots), options["start_name_regexes"])
    root.add_up()
    _see(root.children, options)
    root.children = _order([n for child in root.children for n in child.seen], options)
    if options["account_displayed_op_only"]:
        root.add_up()
    return root


def _filled(node, counted, trainable, options):
    op, node.float_ops, node.parameters, node.shape = counted
    node.op_type, node.accounted = op.type, _is_accounted(op, trainable, options)


def _scope_tree(counted, trainable, options):
    roots, known = [], {}

    def find(name):
        node = known.get(name)
        if node is None:
            node = known[name] = Node(name)
            parent = name.rpartition("/")[0]
            (find(parent).children if parent else roots).append(node)
        return node
    for row in counted:
        _filled(find(row[0].name), row, trainable, options)
    return _shown(roots, options)


def _input_tree(counted, trainable, options):
    """Nodes above those that they read, each where it is met first; roots are what nobody reads, by name."""
    rows, read, seen = {row[0].name: row for row in counted}, set(), set()

    def inputs(op):
        return [t.op.name for t in op.inputs] + [c.name for c in op.control_inputs]
    for row in counted:
        read.update(inputs(row[0]))
    roots = [Node(name) for name in sorted(set(rows) - read)]
    held = list(reversed(roots))
    seen.update(node.name for node in roots)
    while held:
        node = held[-1]
        if node.op_type is None:
            _filled(node, rows[node.name], trainable, options)
            node.left = iter(inputs(rows[node.name][0]))
        name = next((n for n in node.left if n not in seen), None)
        if name is None:
            held.pop()
            continue
        seen.add(name)
        node.children.append(Node(name))
        held.append(node.children[-1])
    return _shown(roots, options)


def _op_chain(counted, trainable, options):
    """Types one below the other, the costliest first."""
    by_type = {}
    for op, flops, parameters, _ in counted:
        if _is_accounted(op, trainable, options):
            node = by_type.setdefault(op.type, Node(op.type))
            node.float_ops, node.parameters, node.accounted = node.float_ops + flops, node.parameters + parameters, True
            node.graph_nodes.append(op.name)
    key = {"float_ops": lambda n: (-n.float_ops, n.name), "params": lambda n: (-n.parameters, n.name)}
    nodes = sorted(by_type.values(), key=key.get(options["order_by"], lambda n: n.name))
    nodes = list(itertools.dropwhile(lambda n: not _matches(options["start_name_regexes"], n.name), nodes))
    shown = [n for depth, n in enumerate(nodes) if depth <= options["max_depth"] and _passes(n, options)]
    below = []
    for node in reversed(shown):
        node.children = below
        node.add_up()
        below = [node]
    root = Node("_TFProfRoot")
    root.children = below
    for node in shown if options["account_displayed_op_only"] else nodes:
        root.total_float_ops += node.float_ops
        root.total_parameters += node.parameters
    return root


# -- the report

def _number(n):
    for limit, divisor, unit in ((1000, None, ""), (10 ** 6, 10.0 ** 3, "k"), (10 ** 9, 10.0 ** 6, "m")):
        if n < limit:
            return "%d" % n if divisor is None else "%.2f%s" % (n / divisor, unit)
    return "%.2fb" % (n / 10.0 ** 9)


def _scope_line(node, options):
    parts = []
    if "float_ops" in options["select"]:
        own = _number(node.float_ops) if node.accounted else "--"
        parts.append("%s/%s flops" % (own, _number(node.total_float_ops)))
    if "params" in options["select"]:
        if node.shape is not None:
            parts.append("x".join("%d" % d for d in node.shape))
        own = _number(node.parameters) if node.accounted else "--"
        parts.append("%s/%s params" % (own, _number(node.total_parameters)))
    return "%s (%s)\n" % (node.name, ", ".join(parts))


def _scope_lines(node, options, indent=0):
    text = " " * indent + _scope_line(node, options)
    return text + "".join(_scope_lines(child, options, indent + 2) for child in node.children)


def _op_lines(root, options):
    text, node = "", root
    while node.children:
        node = node.children[0]
        parts = []
        if "float_ops" in options["select"]:
            whole = root.total_float_ops or 1
            parts.append("%30s" % ("%s float_ops (%.2f%%, %.2f%%)" % (
                _number(node.float_ops), 100.0 * node.total_float_ops / whole, 100.0 * node.float_ops / whole)))
        if "params" in options["select"]:
            whole = root.total_parameters or 1
            parts.append("%30s" % ("%s params (%.2f%%, %.2f%%)" % (
                _number(node.parameters), 100.0 * node.total_parameters / whole, 100.0 * node.parameters / whole)))
        text += "%-25s%s\n" % (node.name, ", ".join(parts))
    return text


def _option_text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(value) if isinstance(value, list) else str(value)


def _report(root, cmd, options):
    text = "Parsing Inputs...\n\n=========================Options=============================\n"
    for name, _ in _UNSET:
        value = _option_text(options[name])
        text += "%-28s%s\n" % ("-" + name, value + ":" if name == "output" and value == "stdout" else value)
    columns = [_COLUMNS[c] for c in options["select"] if c in _COLUMNS]
    text += "\n==================Model Analysis Report======================\n\nDoc:\n%s\n" % _VIEWS[cmd]
    text += "".join(doc + "\n" for doc, _ in columns)
    text += "\nProfile:\nnode name | %s\n" % " | ".join(title for _, title in columns)
    text += _op_lines(root, options) if cmd == "op" else _scope_lines(root, options)
    return text + "\n======================End of Report==========================\n"


def profile(graph=None, run_meta=None, op_log=None, cmd="scope", options=None):
    """Counts and, unless told otherwise, prints."""
    graph = graph or get_default_graph()
    if not isinstance(graph, Graph):
        raise TypeError("graph has to be a tf.Graph")
    options = dict(_UNSET, **(options if options is not None else ProfileOptionBuilder.trainable_variables_parameter()))
    if cmd not in _VIEWS:
        raise errors.InvalidArgumentError(None, None, "unknown cmd: %s\n" % cmd)
    counted, trainable = _counted(graph, run_meta)
    root = {"op": _op_chain, "scope": _scope_tree, "graph": _input_tree}[cmd](counted, trainable, options)
    output = options["output"]
    if output.startswith("stdout"):
        sys.stdout.write(_report(root, cmd, options))
    elif output.startswith("file:"):
        with open(output.partition("outfile=")[2], "w", encoding="utf-8") as file:
            file.write(_report(root, cmd, options))
    return root


class Profiler:
    """tf.profiler.Profiler: counts of one graph."""

    def __init__(self, graph=None, op_log=None):
        self._graph, self._runs = graph or get_default_graph(), {}

    def add_step(self, step, run_meta):
        self._runs[step] = run_meta

    def _last(self):
        return self._runs[max(self._runs)] if self._runs else None

    def profile_operations(self, options):
        return profile(self._graph, self._last(), cmd="op", options=options)

    def profile_name_scope(self, options):
        return profile(self._graph, self._last(), cmd="scope", options=options)

    def profile_graph(self, options):
        return profile(self._graph, self._last(), cmd="graph", options=options)
