# differ_recipes_training.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Recipes of the optimizers' ops, dense and by rows, on reference and on resource variables."""

import numpy as np

from cases_training import PREFIXES, RULES, SCALARS
from differ_recipes import dtype_of, recipe, rough
from differ_recipes_nn import off
from differ_values import draw, draw_shape, pick
from record_ops import Ref, Var, op_def_of, to_array, Case

OPS = [prefix + rule for prefix in PREFIXES for rule in RULES if op_def_of(prefix + rule) is not None]
# Other values of the scalars than the usual: where rules have a branch.
SCALES = [0.0, 0.5, 1.0, 2.0, -0.5]


def slot(r, name, dtype, shape):
    """Second moments are positive, and first ones squared stay below them."""
    low, high = (-1, 1) if name == 'var' else (-0.3, 0.3) if name in ('m', 'mg', 'mom', 'linear', 'gradient_accumulator') \
        else (0.5, 1.5)
    value = r.uniform(low, high, shape)
    if r.randint(8) == 0:
        value = value * 0
    return to_array(value, dtype)


def scalar(r, name, dtype):
    value = SCALARS[name]
    if r.randint(6) == 0:
        value = pick(r, SCALES)
    elif r.randint(2):
        value = value * r.uniform(0.5, 1.1)
    return to_array(np.full(off(r, (1,), 80) if r.randint(80) == 0 else (), value), dtype)


@recipe(*OPS)
def apply_rule(r, op):
    dtype = dtype_of(r, op)
    sparse = 'Sparse' in op
    shape = draw_shape(r, rank=pick(r, [1, 2, 2, 3]) if sparse else None, max_rank=4)
    n = int(r.randint(0, 6))
    rows = shape[0] if shape else 1
    inputs = []
    kind = Var if op.startswith('Resource') else Ref
    for arg in op_def_of(op).input_arg:
        name = arg.name
        if arg.is_ref or arg.type == 20:
            inputs.append(kind(None, dtype) if r.randint(150) == 0 else kind(slot(r, name, dtype, off(r, shape, 120))))
        elif name in ('grad', 'delta'):
            inputs.append(draw(r, dtype, off(r, (n,) + tuple(shape[1:]) if sparse else shape, 60),
                               pick(r, ['plain', 'unit', 'small'])))
        elif name == 'indices':
            low, high = (0, max(1, rows)) if r.randint(25) else (-1, rows + 2)
            inputs.append(np.array(r.randint(low, high, n), pick(r, ['int32', 'int64'])))
        elif name == 'global_step':
            inputs.append(np.array(pick(r, [1, 2, 7, 1000]), np.int64))
        else:
            inputs.append(scalar(r, name, dtype))
    attrs = {a.name: bool(r.randint(2)) for a in op_def_of(op).attr
             if a.name in ('use_locking', 'use_nesterov', 'update_slots')}
    return Case(op, inputs, attrs, **rough(dtype, 25 if 'Ftrl' in op else 5))
