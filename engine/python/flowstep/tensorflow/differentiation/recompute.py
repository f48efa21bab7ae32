# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.recompute_grad: a function whose values are computed again where its gradient is."""

from .. import nest
from ..framework import graph as graph_lib
from ..state import variables
from .gradient_rules import custom_gradient
from .tape import Tape


def recompute_grad(f):
    """f with a gradient that calls f once more."""
    @custom_gradient
    def inner(*args):
        def grad(dresult, variables=None):
            watched = list(args) + list(variables or [])
            sources = [_source(x) for x in watched]
            with Tape(*sources) as tape, graph_lib.control_dependencies([dresult]):
                again = f(*args)
            grads = tape.gradient(nest.flatten(again), [dresult])
            return grads[:len(args)], grads[len(args):]
        return f(*args), grad
    return inner


def _source(x):
    return x.handle if isinstance(x, variables.ResourceVariable) else variables.convert_to_tensor(x)
