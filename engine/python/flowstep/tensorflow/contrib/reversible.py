# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.layers: blocks whose inputs come back from their outputs, and functions that are computed again for gradients."""

import functools
import inspect
import re

import numpy as np

from .. import dtypes, nest
from ..control import control_flow
from ..differentiation import gradients as gradients_lib, gradient_rules
from ..framework import graph as graph_lib
from ..framework import ops, tf_logging as logging
from ..framework.graph import Tensor
from ..learning.layers_base import Layer
from ..operators import array_ops, math_ops
from ..state import scope as scope_lib, variables as variables_lib
from .arg_scopes import arg_scope, current_arg_scope

_LAYER = re.compile(".*revlayer_([0-9]*)/([fg])/.*")
_USE_DEFAULT = "__rev_block_lib_default"
_OTHER_VARIABLES = """\
The variables used on recompute were different than the variables originally
used. The function wrapped with @recompute_grad likley creates its own variable
scope with a default name and has been called twice in the same enclosing scope.
To fix, ensure each call to the function happens in its own unique variable
scope.
"""


def _sums(*lists):
    """Gradients added up place by place."""
    found = [[grad for grad in grads if grad is not None] for grads in zip(*lists)]
    return [math_ops.add_n(grads) if grads else None for grads in found]


def _called(function, x, side):
    return function(x, side) if side else function(x)


def _layer_forward(xs, f, g, f_side, g_side, gate_outputs):
    y1 = xs[0] + _called(f, xs[1], f_side)
    y2 = xs[1] + _called(g, y1, g_side)
    return control_flow.gated([y1, y2]) if gate_outputs else (y1, y2)


def _layer_backward(ys, grad_ys, f, g, f_vars, f_side, g_vars, g_side):
    """What went in and its gradients, from what came out and its gradients."""
    y1, y2 = ys
    grad_y1, grad_y2 = grad_ys
    y1_stop = array_ops.stop_gradient(y1)
    g_side = [array_ops.stop_gradient(t) for t in g_side]
    g_y1 = _called(g, y1_stop, g_side)
    x2 = y2 - g_y1
    x2_stop = array_ops.stop_gradient(x2)
    f_side = [array_ops.stop_gradient(t) for t in f_side]
    f_x2 = _called(f, x2_stop, f_side)
    x1 = y1 - f_x2

    def gradients(y, xs, grad):
        return gradients_lib.gradients(y, xs, grad)
    through_g = gradients(g_y1, y1_stop, grad_y2)[0]
    grad_x1 = grad_y1 + through_g
    grad_x2 = gradients(f_x2, x2_stop, grad_y1)[0] + grad_y2 + gradients(f_x2, x2_stop, through_g)[0]
    of_g = gradients(g_y1, g_vars + g_side, grad_y2)
    of_f = [gradients(f_x2, f_vars + f_side, grad) for grad in (grad_y1, through_g)]
    f_grads = [_sums(*(grads[part] for grads in of_f)) for part in (slice(len(f_vars)), slice(len(f_vars), None))]
    outputs = (x1, x2), (grad_x1, grad_x2), tuple(f_grads), (of_g[:len(g_vars)], of_g[len(g_vars):])
    return nest.pack_sequence_as(outputs, control_flow.gated(nest.flatten(outputs)))


def _keeping_name(function):
    return (lambda f: f) if isinstance(function, functools.partial) else functools.wraps(function)


def _in_scope(function, scope):
    @_keeping_name(function)
    def call(*arguments, **keywords):
        with scope_lib.variable_scope(scope, use_resource=True):
            return function(*arguments, **keywords)
    return call


class RevBlock(Layer):
    def __init__(self, f, g, num_layers=1, f_side_input=None, g_side_input=None, use_efficient_backprop=True, name="revblock",
                 **kwargs):
        super().__init__(name=name, **kwargs)
        f, g = ((functions if isinstance(functions, list) else [functions] * num_layers) for functions in (f, g))
        assert len(f) == num_layers and len(g) == num_layers
        self.f = [_in_scope(function, "revlayer_%d/f" % i) for i, function in enumerate(f)]
        self.g = [_in_scope(function, "revlayer_%d/g" % i) for i, function in enumerate(g)]
        self.num_layers, self._use_efficient_backprop = num_layers, use_efficient_backprop
        self.f_side_input, self.g_side_input = f_side_input or [], g_side_input or []

    def call(self, inputs, forward=True):
        scope = scope_lib.get_variable_scope()
        before = len(scope.global_variables())
        out = self._forward(*inputs) if forward else self._backward(*inputs)
        trainable = scope.trainable_variables()
        for variable in scope.global_variables()[before:]:
            (self._trainable_weights if variable in trainable else self._non_trainable_weights).append(variable)
        return out

    def forward(self, x1, x2):
        return self.apply([x1, x2])

    def backward(self, y1, y2):
        return self.apply([y1, y2], forward=False)

    def build(self, _):
        logging.warn("RevBlock constructs its variables on first call, not on build.")
        self.built = True

    def _forward(self, x1, x2):
        sides = [self.f_side_input, self.g_side_input]

        def forward(x1, x2, *flat):
            f_side, g_side = nest.pack_sequence_as(sides, flat)
            out = x1, x2
            for f, g in zip(self.f, self.g):
                out = _layer_forward(out, f, g, f_side, g_side, self._use_efficient_backprop)
            return out[0], out[1]
        if not self._use_efficient_backprop:
            return forward(x1, x2, *nest.flatten(sides))

        @gradient_rules.custom_gradient
        def with_gradient(*args):
            out = forward(*args)
            # TF: without variables of its own a block has no gradient.
            return out, lambda *grad_ys, **keywords: self._gradients(args[2:], out, grad_ys, keywords["variables"])
        return with_gradient(x1, x2, *nest.flatten(sides))

    def _backward(self, y1, y2):
        for f, g in zip(reversed(self.f), reversed(self.g)):
            x2 = y2 - _called(g, y1, self.g_side_input)
            y1, y2 = y1 - _called(f, x2, self.f_side_input), x2
        return y1, y2

    def _of_layers(self, variables):
        """The variables of each layer's f and g."""
        found = {}
        for variable in variables:
            layer, which = _LAYER.match(variable.name).groups()
            found.setdefault((int(layer), which), []).append(variable)
        return found

    def _gradients(self, sides, ys, grad_ys, variables):
        of_layers, made, f_sides, g_sides = self._of_layers(variables), {}, [], []
        with scope_lib.variable_scope(self.scope_name, reuse=True):
            for i in reversed(range(self.num_layers)):
                f_vars, g_vars = of_layers.get((i, "f"), []), of_layers.get((i, "g"), [])
                ys, grad_ys, (f_grads, f_side), (g_grads, g_side) = _layer_backward(
                    ys, grad_ys, self.f[i], self.g[i], f_vars, self.f_side_input, g_vars, self.g_side_input)
                made.update(zip(f_vars + g_vars, f_grads + g_grads))
                f_sides.append(f_side)
                g_sides.append(g_side)
        by_side = dict(zip(self.f_side_input, _sums(*f_sides)))
        by_side.update(zip(self.g_side_input, _sums(*g_sides)))
        return list(grad_ys) + [by_side.get(t) for t in sides], [made.get(v) for v in variables]


def rev_block(x1, x2, f, g, num_layers=1, f_side_input=None, g_side_input=None, is_training=True):
    block = RevBlock(f=f, g=g, num_layers=num_layers, f_side_input=f_side_input, g_side_input=g_side_input,
                     use_efficient_backprop=is_training, _reuse=scope_lib.get_variable_scope().reuse)
    return block.forward(x1, x2)


# -- computed again

def _check_closure(function):
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        value = cell.cell_contents
        if isinstance(value, (Tensor, variables_lib.Variable)):
            raise ValueError(
                "fn decorated with @recompute_grad closes over Tensor %s (local variable name: %s). The decorated fn must not "
                "close over Tensors or Variables because gradients will NOT be computed for them through fn. To ensure correct "
                "gradients, make the Tensor an input to fn." % (value.name, name))


def _first_element(x):
    if x.shape.ndims is None:
        raise ValueError("Rank of Tensor %s must be known" % x)
    begin, size = (ops.convert_to_tensor([number] * x.shape.ndims, dtype=dtypes.int32) for number in (0, 1))
    return array_ops.reshape(array_ops.slice(x, begin, size), [])


def _depending(first, then):
    """Tensors that read something of others, and stay what they are."""
    total = math_ops.add_n([_first_element(x) for x in first if x is not None])
    if not total.dtype.is_floating:
        raise ValueError("_force_data_dependency only supports floating dtypes.")
    zero = array_ops.stop_gradient(np.finfo(total.dtype.as_numpy_dtype).tiny * total)
    return [None if x is None else array_ops.identity(x) + zero for x in then]


class _Recomputed:
    """One call of a function whose gradient calls it once more, in the scopes of the first time."""

    def __init__(self, function, use_data_dep, tupleize_grads):
        self._function, self._use_data_dep, self._tupleize_grads = function, use_data_dep, tupleize_grads
        self._tells = "is_recomputing" in inspect.getfullargspec(function).args
        self._scope, self._arg_scope = scope_lib.get_variable_scope(), current_arg_scope()

    def _run(self, args, is_recomputing):
        outputs = self._function(*args, **({"is_recomputing": is_recomputing} if self._tells else {}))
        return outputs, set(gradient_rules.variables_read(args, nest.flatten(outputs)))

    def first(self, *args):
        outputs, used = self._run(args, False)
        if used:
            return outputs, lambda *grads, variables=None: self._again(args, used, grads, variables)
        return outputs, lambda *grads: self._again(args, used, grads, None)[0]

    def _again(self, args, used, output_grads, variables):
        variables = list(variables or [])
        if set(variables) != used:
            raise ValueError(_OTHER_VARIABLES)
        inputs = [array_ops.identity(x) for x in args]
        with graph_lib.control_dependencies([grad for grad in output_grads if grad is not None]):
            if self._use_data_dep:
                inputs = _depending(output_grads, inputs)
            with arg_scope(self._arg_scope), scope_lib.variable_scope(self._scope, reuse=True):
                outputs, again = self._run(inputs, True)
            if again != used:
                raise ValueError(_OTHER_VARIABLES)
        outputs = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
        grads = gradients_lib.gradients(outputs, inputs + variables, output_grads)
        if self._tupleize_grads:
            grads = _depending(grads, grads) if self._use_data_dep else control_flow.gated(grads)
        return grads[:len(inputs)], grads[len(inputs):]


def recompute_grad(fn=None, use_data_dep=_USE_DEFAULT, tupleize_grads=False):
    """fn, which is called again where its gradient is; also a decorator with arguments."""
    if fn is None:
        return functools.partial(recompute_grad, use_data_dep=use_data_dep, tupleize_grads=tupleize_grads)
    _check_closure(fn)

    @_keeping_name(fn)
    def wrapped(*args):
        if not all(isinstance(arg, Tensor) for arg in args):
            raise ValueError("All inputs to function must be Tensors")
        # There is no TPU here, whose programs alone want it by default.
        depends = use_data_dep is not _USE_DEFAULT and use_data_dep
        return gradient_rules.custom_gradient(_Recomputed(fn, depends, tupleize_grads).first)(*args)
    return wrapped
