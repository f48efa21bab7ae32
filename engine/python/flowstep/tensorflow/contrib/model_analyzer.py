# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""slim.model_analyzer: what the tensors of a graph and its variables hold."""


def tensor_description(var):
    return "(%s %s)" % (var.dtype.name, "x".join(str(size) for size in var.get_shape()))


def _title(*lines):
    print("\n".join(("---------",) + lines + ("---------",)))


def analyze_ops(graph, print_info=False):
    """The elements of all outputs whose shape is known."""
    if print_info:
        _title("Operations: name -> (type shapes) [size]")
    total = 0
    for op in graph.get_operations():
        size = sum(output.get_shape().num_elements() or 0 for output in op.outputs)
        if print_info:
            shapes = [tensor_description(output) for output in op.outputs if output.get_shape()]
            print(op.name, "\t->", ", ".join(shapes), "[%s]" % size)
        total += size
    return total


def analyze_vars(variables, print_info=False):
    """(elements, bytes) of variables."""
    if print_info:
        _title("Variables: name (type shape) [size]")
    total, total_bytes = 0, 0
    for var in variables:
        size = var.get_shape().num_elements() or 0
        total += size
        total_bytes += size * var.dtype.size
        if print_info:
            print(var.name, tensor_description(var), "[%d, bytes: %d]" % (size, size * var.dtype.size))
    if print_info:
        print("Total size of variables: %d" % total)
        print("Total bytes of variables: %d" % total_bytes)
    return total, total_bytes
