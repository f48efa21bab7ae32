# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What a person has done to a graph of the script from the window: cloning a part of it, adding an optimizer."""

import rlcompleter
import sys

from flowstep import debug

# So many names are told of all that a line may become.
_MAX_NAMES = 200


def _named(graph, names):
    """Ops by their names; a name scope means all that is in it."""
    found = []
    for name in names:
        scope = name.rstrip("/") + "/"
        ops = [op for op in graph.get_operations() if op.name == name or op.name.startswith(scope)]
        if not ops:
            raise KeyError("The graph has neither an op nor a scope %r." % name)
        found += [op for op in ops if op not in found]
    return found


def _clone(graph, names, scope):
    from flowstep.tensorflow import graph_editor
    before = graph.version
    ops = _named(graph, names)
    with graph.as_default():
        _, info, variables = graph_editor.clone(ops, scope)
    # A scope that is there already has become another.
    made = info.transformed(ops[0]).name[:-len("/" + ops[0].name)]
    print("Cloned into %s: %d ops, %d variables to be initialized" % (made, graph.version - before, len(variables)))


def clone(number, names, scope):
    """Copies ops and scopes into a scope of the same graph, variables with their initializers and collections."""
    graph = debug.graph(number)
    _clone(graph, names, scope)
    debug.show(graph)


def _optimizers(rate):
    from flowstep import tensorflow as tf
    return {
        "GradientDescent": lambda: tf.train.GradientDescentOptimizer(rate),
        "Momentum": lambda: tf.train.MomentumOptimizer(rate, 0.9),
        "Adam": lambda: tf.train.AdamOptimizer(rate),
        "RMSProp": lambda: tf.train.RMSPropOptimizer(rate),
        "Adagrad": lambda: tf.train.AdagradOptimizer(rate),
        "Adadelta": lambda: tf.train.AdadeltaOptimizer(rate),
        "Ftrl": lambda: tf.train.FtrlOptimizer(rate),
    }


def _minimize(graph, loss, optimizer, rate):
    known = _optimizers(rate)
    if optimizer not in known:
        raise ValueError("There is no optimizer %s, but %s." % (optimizer, ", ".join(known)))
    before = graph.version
    with graph.as_default():
        loss = graph.as_graph_element(loss if ":" in loss else loss + ":0", allow_operation=False)
        op = known[optimizer]().minimize(loss)
    print("%s minimizes %s: %d ops" % (op.name, loss.name, graph.version - before))


def minimize(number, loss, optimizer, rate):
    """Adds gradients of a loss for all trainable variables and an optimizer that applies them."""
    graph = debug.graph(number)
    _minimize(graph, loss, optimizer, rate)
    debug.show(graph)


def complete(line, names):
    """Prints the name at the end of a line of Python, and what it may become."""
    start = len(line)
    while start > 0 and (line[start - 1].isalnum() or line[start - 1] in "_."):
        start -= 1
    text = line[start:]
    completer, found = rlcompleter.Completer(names), []
    while len(found) < _MAX_NAMES:
        name = completer.complete(text, len(found))
        if name is None:
            break
        found.append(name.rstrip("( "))
    if found and text:
        print("\n".join([text] + sorted(set(found))))


def _take_unknown_attrs(graph_def):
    """Attrs that ops got in later releases: no builder of 1.15 takes them, and nothing of a person's file is lost."""
    from flowstep.tensorflow.framework import _engine, op_inputs
    taken = {}
    for node in graph_def.node:
        if not _engine.Flow.op_registry_has_type(node.op):
            continue
        for key in [k for k in node.attr if k[0] != "_" and k not in op_inputs.op_info(node.op).attr_map]:
            taken.setdefault(node.name, {})[key] = node.attr[key]
            del node.attr[key]
    return taken


def main(arguments):
    """IN OUT clone SCOPE NAME..., or IN OUT minimize OPTIMIZER RATE LOSS: a graph's file with what was added."""
    from flowstep.tensorflow.framework import _engine, graph as graph_lib, proto
    from flowstep.tensorflow.saving import importer, meta_graph
    source, target, what, *words = arguments
    graph = graph_lib.Graph()
    meta = proto.MetaGraphDef.FromString(_engine.Flow.link_read_meta_graph(source).get_data())
    unknown = _take_unknown_attrs(meta.graph_def)
    with graph.as_default():
        importer.import_meta_graph(meta)
    if what == "clone":
        _clone(graph, words[1:], words[0])
    elif what == "minimize":
        _minimize(graph, words[2], words[0], float(words[1]))
    else:
        raise ValueError("A graph can be cloned or minimized, not %r." % what)
    for name, attrs in unknown.items():
        for key, value in attrs.items():
            graph.get_operation_by_name(name)._set_attr(key, value)
    with graph.as_default():
        meta_graph.export_meta_graph(target)


if __name__ == "__main__":
    main(sys.argv[1:])
