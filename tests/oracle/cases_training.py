# cases_training.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Training ops: dense and sparse, on reference and on resource variables."""

import numpy as np

from record_ops import Case, Ref, Var, op_def_of, to_array

RULES = ['AdaMax', 'Adadelta', 'Adagrad', 'AdagradDA', 'AdagradV2', 'Adam', 'AdamWithAmsgrad', 'AddSign',
         'CenteredRMSProp', 'Ftrl', 'FtrlV2', 'GradientDescent', 'KerasMomentum', 'Momentum', 'PowerSign',
         'ProximalAdagrad', 'ProximalGradientDescent', 'RMSProp']
SCALARS = {'beta1_power': 0.729, 'beta2_power': 0.997, 'lr': 0.05, 'beta1': 0.9, 'beta2': 0.99, 'epsilon': 1e-3, 'rho': 0.9,
           'momentum': 0.8, 'l1': 0.02, 'l2': 0.1, 'l2_shrinkage': 0.05, 'lr_power': -0.5, 'alpha': 0.1, 'sign_decay': 0.7,
           'logbase': 1.5, 'beta': 0.9}
TOLERANCE = {'float32': 3e-6, 'float64': 1e-12, 'float16': 5e-3, 'bfloat16': 4e-2}
PREFIXES = ['Apply', 'SparseApply', 'ResourceApply', 'ResourceSparseApply']


def make(op, dtype, shape=(3, 4), change=None, attrs=None, tolerance=None, uninitialized=None, slot_shape=None):
    """One case of `op`; `change` replaces inputs by name."""
    rng = np.random.RandomState(len(op))
    resource = op.startswith('Resource')
    change = change or {}
    inputs = []
    for arg in op_def_of(op).input_arg:
        name = arg.name
        if arg.is_ref or arg.type == 20:
            kind = Var if resource else Ref
            here = slot_shape[1] if slot_shape is not None and slot_shape[0] == name else shape
            # Second moments are positive, and m squared stays below them.
            low, high = (-1, 1) if name == 'var' else (-0.3, 0.3) if name in ('m', 'mg', 'mom', 'linear') or \
                name == 'gradient_accumulator' else (0.5, 1.5)
            value = to_array(rng.uniform(low, high, here), dtype)
            inputs.append(kind(None, dtype) if uninitialized == name else kind(value, dtype))
        elif name in change:
            value = change[name]
            inputs.append(value if isinstance(value, np.ndarray) else to_array(value, dtype))
        elif name in ('grad', 'delta'):
            rows = (3,) + tuple(shape[1:]) if 'Sparse' in op else shape
            inputs.append(to_array(rng.uniform(-1, 1, rows), dtype))
        elif name == 'indices':
            inputs.append(np.array([2, 0, 2], np.int32))
        elif name == 'global_step':
            inputs.append(np.int64(7))
        else:
            inputs.append(to_array(SCALARS[name], dtype))
    if tolerance is None:
        tolerance = TOLERANCE.get(dtype)
        # TensorFlow rounds each step of this long formula to half precision.
        if 'Ftrl' in op and dtype in ('float16', 'bfloat16'):
            tolerance *= 5
    return Case(op, inputs, attrs or {}, tolerance=tolerance)


def dtypes_of(op):
    from tensorflow.python.framework import dtypes, kernels
    found = set()
    for kernel in kernels.get_registered_kernels_for_op(op).kernel:
        for constraint in kernel.constraint:
            if constraint.name == 'T' and kernel.device_type == 'CPU':
                found.update(dtypes.as_dtype(t).name for t in constraint.allowed_values.list.type)
    return sorted(found)


def known(op):
    try:
        return op_def_of(op) is not None
    except Exception:
        return False


def cases():
    for prefix in PREFIXES:
        for rule in RULES:
            op = prefix + rule
            if not known(op):
                continue
            attrs = {a.name for a in op_def_of(op).attr}
            for dtype in dtypes_of(op):
                yield make(op, dtype)
            yield make(op, 'float32', shape=(3,))
            for name in ('use_nesterov', 'update_slots'):
                if name in attrs:
                    yield make(op, 'float32', attrs={name: name == 'use_nesterov'})
            if 'Tindices' in attrs:
                yield make(op, 'float32', change={'indices': np.array([1, 1, 1], np.int64)})
                yield make(op, 'float32', change={'indices': np.array([0, 9, 1], np.int32)})
                yield make(op, 'float32', change={'indices': np.array([0, 1, -1], np.int32)})
                yield make(op, 'float32', change={'indices': np.array([[0], [1], [2]], np.int32)})
                yield make(op, 'float32', change={'grad': np.ones([2, 4], np.float32)})
                yield make(op, 'float32', change={'grad': np.ones([3, 5], np.float32)})
                yield make(op, 'float32', change={'indices': np.zeros([0], np.int32),
                                                  'grad': np.zeros([0, 4], np.float32)})
            names = [a.name for a in op_def_of(op).input_arg]
            for name in names:
                if name in SCALARS or name == 'global_step':
                    value = np.ones([1], np.int64 if name == 'global_step' else np.float32)
                    if name != 'sign_decay':      # TensorFlow reads one element whatever the shape
                        yield make(op, 'float32', change={name: value})
                    if 'Ftrl' in rule or rule == 'ProximalAdagrad':
                        yield make(op, 'float32', change={name: -SCALARS[name]})
            if 'l1' in names:
                yield make(op, 'float32', change={'l1': 0.0})
            if 'lr_power' in names:
                yield make(op, 'float32', change={'lr_power': -0.3})
            gradient = 'delta' if 'delta' in names else 'grad'
            if 'Tindices' not in attrs:
                yield make(op, 'float32', change={gradient: np.ones([4, 3], np.float32)})
            if not op.startswith('Resource'):
                for arg in op_def_of(op).input_arg:
                    skip = (op == 'ApplyAdadelta' and arg.name == 'accum_update') or arg.name == 'var' or \
                        (rule == 'CenteredRMSProp' and arg.name == 'mg')
                    if arg.is_ref and not skip:
                        yield make(op, 'float32', slot_shape=(arg.name, (4, 3)))
                yield make(op, 'float32', uninitialized='var')
            elif 'Tindices' not in attrs:
                yield make(op, 'float32', uninitialized='var')
    yield make('ApplyAdam', 'float32', change={'beta1_power': 1.0, 'beta2_power': 1.0, 'epsilon': 0.0})
    yield make('ApplyAdam', 'float32', change={'lr': np.array(np.nan, np.float32)})
