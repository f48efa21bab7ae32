# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Gradients that a script gives: tf.RegisterGradient, tf.custom_gradient; the builder asks for them by the op."""

import inspect
import weakref

from .. import nest
from ..framework import graph as graph_lib, ops, tf_logging
from ..framework._engine import Flow
from ..framework.graph import OUTPUT_NONE, get_default_graph
from ..framework.ops import IndexedSlices, apply_op
from ..state import scope, variables

# A node of the graph that is differentiated where another one is made.
FOREIGN = 1 << 31

# Name -> function (op, *gradients of its outputs), None for what has no gradient.
_rules = {}


def _add(name, function):
    if name in _rules or Flow.Builder.knows_gradient_type(name):
        # TF: whose registry tells where it stands itself.
        raise KeyError("Registering two gradient with name '%s'! (Previous registration was in register registry.py:66)" % name)
    _rules[name] = function


class RegisterGradient:
    """@tf.RegisterGradient("Name"): the rule of ops of that type, or of those that gradient_override_map() gives it."""

    def __init__(self, op_type):
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self._op_type = op_type

    def __call__(self, function):
        _add(self._op_type, function)
        return function


def NotDifferentiable(op_type):
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    _add(op_type, None)


NoGradient = NotDifferentiable


def add_own(op_types, function):
    """The rule of op types that TensorFlow differentiates in Python as well."""
    for name in op_types:
        _add(name, function)


def add_called(graph, name, function):
    """The rule of a graph's calls of a function of its library: another graph's function of that name may have none."""
    graph._memo.setdefault("called rules", {})[name] = function


def _called_rules(graph):
    return {} if graph is None else graph._memo.get("called rules", {})


def tensor_of(graph, output):
    """A tensor of the graph, or of the one that is differentiated."""
    if output >> 32 & FOREIGN:
        return graph._differentiated[0]._tensor(output ^ FOREIGN << 32)
    return graph._tensor(output)


def _output_of(graph, tensor):
    if tensor.graph is graph:
        return tensor._output
    if graph.__dict__.get("_differentiated") is not None and tensor.graph is graph._differentiated[0]:
        return tensor._output | FOREIGN << 32
    return graph.capture(tensor)._output


def offer(graph, source=None):
    """Tells the graph's builder of the rules there are now, also for what is in the graph source."""
    names = {**_rules, **_called_rules(graph), **_called_rules(source)}
    if not names:
        return
    if not hasattr(graph, "_offered_rules"):
        graph._offered_rules = set()
        known = weakref.ref(graph)
        graph._builder.set_gradient_func(lambda builder, node, *_: _answer(known(), node))
    for name in names:
        if name not in graph._offered_rules:
            graph._offered_rules.add(name)
            graph._builder.add_gradient_type(name)


def raise_own(graph):
    """The exception that a rule of the script ended with, where it was one."""
    error = graph.__dict__.pop("_rule_error", None)
    if error is not None:
        raise error


def _answer(graph, node):
    try:
        _apply(graph, graph._differentiated[0]._op(node ^ FOREIGN) if node & FOREIGN else graph._op(node))
        return True
    except BaseException as error:
        graph._rule_error = error
        return False


def _apply(graph, op):
    try:
        name = op.get_attr("_gradient_op_type").decode()
    except ValueError:
        name = op.type
    rule = _rules[name] if name in _rules else _called_rules(op.graph).get(op.type) or _rules[op.type]
    if rule is None:
        return
    found = graph._builder.list_out_gradients()
    given = [_gradient(graph, *found[3 * i:3 * i + 3]) for i in range(len(op.outputs))]
    with graph.as_default():
        made = rule(op, *given)
    made = list(made) if isinstance(made, (list, tuple)) else [made]
    # A loop gets more inputs while it is differentiated.
    if op.type not in ("While", "StatelessWhile") and len(made) != len(op.inputs):
        raise ValueError("Num gradients %d generated for op %s do not match num inputs %d" %
                         (len(made), op.node_def, len(op.inputs)))
    for i, value in enumerate(made):
        if value is None:
            continue
        if isinstance(value, IndexedSlices):
            shape = OUTPUT_NONE if value.dense_shape is None else _output_of(graph, value.dense_shape)
            graph._builder.set_in_gradient(i, _output_of(graph, value.values), _output_of(graph, value.indices), shape)
        else:
            graph._builder.set_in_gradient(i, _output_of(graph, ops.convert_to_tensor(value)), OUTPUT_NONE, OUTPUT_NONE)


def _gradient(graph, values, indices, shape):
    if values == OUTPUT_NONE:
        return None
    if indices == OUTPUT_NONE:
        return tensor_of(graph, values)
    return IndexedSlices(tensor_of(graph, values), tensor_of(graph, indices),
                         None if shape == OUTPUT_NONE else tensor_of(graph, shape))


# -- functions with a gradient of their own

def variables_read(inputs, outputs):
    """Variables that the outputs come from without passing the inputs."""
    stops, seen, found = {t.op for t in inputs}, set(), []
    queue = [t.op for t in outputs]
    while queue:
        op = queue.pop()
        if op in seen or op in stops:
            continue
        seen.add(op)
        if op.type in ("VariableV2", "VarHandleOp"):
            found.extend(v for v in variables.global_variables() if v.op is op and v.trainable)
        queue.extend(t.op for t in op.inputs)
    return found


def _all_variables():
    current = scope.get_variable_scope()
    return current.global_variables() + current.local_variables()


def _check_variables(made, used, grad_function):
    """Whether the gradient's function can say what it has to of the variables that the function uses."""
    if not all(isinstance(v, variables.ResourceVariable) for v in made):
        raise TypeError("All variables used by a function wrapped with @custom_gradient must be `ResourceVariable`s. Ensure "
                        "that no `variable_scope` is created with `use_resource=False`.")
    signature = inspect.getfullargspec(grad_function)
    takes_variables = "variables" in signature.args + signature.kwonlyargs or signature.varkw
    if used and not takes_variables:
        raise TypeError("If using @custom_gradient with a function that uses variables, then grad_fn must accept a keyword "
                        "argument 'variables'.")
    if takes_variables and not used:
        if not scope.get_variable_scope().use_resource:
            raise TypeError("If using @custom_gradient with a function that uses variables, the enclosing variable scope must "
                            "have use_resource=True.")
        tf_logging.warn("@custom_gradient grad_fn has 'variables' in signature, but no ResourceVariables were used on the "
                        "forward pass.")


def _call(function, args):
    name = "CustomGradient-%d" % graph_lib.uid()
    args = [ops.convert_to_tensor(x) for x in args]
    before = _all_variables()
    result, grad_function = function(*args)
    used = variables_read(args, [apply_op("Identity", input=t) for t in nest.flatten(result)])
    _check_variables([v for v in _all_variables() if v not in before], used, grad_function)
    flat = nest.flatten(result)

    def rule(_, *grads):
        grads = grads[:len(flat)]
        if not used:
            return [None] * len(flat) + nest.flatten(grad_function(*grads))
        input_grads, variable_grads = grad_function(*grads, variables=used)
        if len(variable_grads) != len(used):
            raise ValueError("Must return gradient for each variable from @custom_gradient grad_fn.")
        return [None] * len(flat) + nest.flatten(input_grads) + list(variable_grads)

    _add(name, rule)
    with get_default_graph().gradient_override_map({"IdentityN": name}):
        made = apply_op("IdentityN", input=flat + args + used)
    # TF: tells its tape of all of them as tensors, for which variables are read once more.
    for value in flat + args + used:
        ops.convert_to_tensor(value)
    return nest.pack_sequence_as(result, made[:len(flat)])


def custom_gradient(f=None):
    """f (*args) gives (result, grad_fn); grad_fn of the result's gradients gives those of args."""
    if f is None:
        return custom_gradient

    def decorated(*args, **kwargs):
        if kwargs:
            raise ValueError("The custom_gradient decorator currently supports keywords arguments only when eager execution "
                             "is enabled.")
        return _call(f, args)

    decorated.__name__ = getattr(f, "__name__", "custom_gradient")
    decorated.__doc__ = f.__doc__
    return decorated


def grad_pass_through(f):
    """f's value with the gradient of an identity."""
    def passing(*args):
        def grad(*grads, **kwargs):
            given = kwargs.get("variables")
            return grads if given is None else (grads, [None] * len(given))
        return f(*args), grad
    return custom_gradient(passing)
