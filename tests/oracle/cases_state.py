# cases_state.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, Out, Ref, Var
from samples import NUMBERS, values


def f(*shape, **more):
    return values('float32', list(shape), **more)


def refs():
    for dtype in NUMBERS + ['bool', 'string']:
        yield Case('Assign', [Ref(values(dtype, [2])), values(dtype, [2], key=1)])
        if dtype in NUMBERS:
            yield Case('AssignAdd', [Ref(values(dtype, [2])), values(dtype, [2], key=1)])
            yield Case('AssignSub', [Ref(values(dtype, [2])), values(dtype, [2], key=1)])
    for validate in (True, False):
        yield Case('Assign', [Ref(f(2)), f(3)], validate_shape=validate)
        yield Case('Assign', [Ref(f(2)), f()], validate_shape=validate)
        yield Case('Assign', [Ref(None, 'float32'), f(3)], validate_shape=validate)
    for op in ('AssignAdd', 'AssignSub'):
        yield Case(op, [Ref(f(2)), f(3)])
        yield Case(op, [Ref(f(2)), f()])
        yield Case(op, [Ref(None, 'float32'), f(2)])
        yield Case(op, [Ref(f(2)), f(2)], runs=3)
    yield Case('IsVariableInitialized', [Ref(f(2))])
    yield Case('IsVariableInitialized', [Ref(None, 'float32')])
    for start in (2, 3):
        yield Case('CountUpTo', [Ref(np.int32(start))], limit=3)
        yield Case('CountUpTo', [Ref(np.int64(start))], limit=3)
        yield Case('ResourceCountUpTo', [Var(np.int64(start))], limit=3, T='int64')
    yield Case('CountUpTo', [Ref(np.int32([1, 2]))], limit=3)
    yield Case('CountUpTo', [Ref(None, 'int32')], limit=3)
    yield Case('VariableV2', shape=[2], dtype=np.float32, shared_name='_x')
    tv = [('TemporaryVariable', [], dict(shape=[2], dtype=np.float32, var_name='tv')), ('Assign', [Out(0), f(2)], dict(T='float32'))]
    yield Case('DestroyTemporaryVariable', [Out(1)], nodes=tv, T='float32', var_name='tv', checks='shape')


def resources():
    for dtype in NUMBERS + ['bool', 'string']:
        yield Case('ReadVariableOp', [Var(values(dtype, [2]))], dtype=dtype)
        yield Case('AssignVariableOp', [Var(values(dtype, [2])), values(dtype, [3], key=1)])
        if dtype in NUMBERS:
            yield Case('AssignAddVariableOp', [Var(values(dtype, [2])), values(dtype, [2], key=1)])
            yield Case('AssignSubVariableOp', [Var(values(dtype, [2])), values(dtype, [2], key=1)])
    for op in ('AssignAddVariableOp', 'AssignSubVariableOp'):
        yield Case(op, [Var(f(2)), f(3)])
        yield Case(op, [Var(f(2)), f(2)], runs=3)
    yield Case('AssignVariableOp', [Var(None, 'float32'), f(2)])
    yield Case('ReadVariableOp', [Var(f(2))], dtype='int32')
    for value in (f(2, 3), f()):
        for out in ('int32', 'int64'):
            yield Case('VariableShape', [Var(value)], out_type=out)
    yield Case('VarIsInitializedOp', [Var(f(2))])
    yield Case('VarIsInitializedOp', [Var(None, 'float32')])
    made = [('VarHandleOp', [], dict(shape=[2], dtype=np.float32, shared_name='h')),
            ('AssignVariableOp', [Out(0), f(2)], dict(dtype='float32'))]
    yield Case('ReadVariableOp', [Out(0)], nodes=made, dtype='float32')
    yield Case('VarIsInitializedOp', [Out(0)], nodes=made + [('DestroyResourceOp', [Out(0)], {})])
    yield Case('ReadVariableOp', [Out(2)], nodes=made + [
        ('VarHandleOp', [], dict(shape=[2], dtype=np.float32, shared_name='other'))], dtype='float32')
    yield Case('DestroyResourceOp', [Var(None, 'float32')], ignore_lookup_error=True)


def cases():
    for group in (refs, resources):
        for case in group():
            yield case
