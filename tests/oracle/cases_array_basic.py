# cases_array_basic.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, Out, Ref, to_array
from samples import INF, NAN, NUMBERS, values

PLAIN = NUMBERS + ['bool', 'string']
QUANTIZED = ['qint8', 'quint8', 'qint32']
FORWARD = ('Identity', 'StopGradient', 'PreventGradient', 'GuaranteeConst', 'Snapshot',
           'DebugGradientIdentity')


def forwarded():
    for op in FORWARD:
        for dtype in ('float32', 'string', 'bool') if op != 'Identity' else PLAIN:
            yield Case(op, [values(dtype, [2, 3])])
        yield Case(op, [values('float32', [])])
        yield Case(op, [values('float32', [0, 2])])
    yield Case('IdentityN', [[values('float32', [2]), values('string', []), values('bool', [0])]])
    yield Case('Identity', [Ref(values('float32', [2]))])
    yield Case('Identity', [Ref(None, 'float32')])
    yield Case('NoOp')
    for shape in ([None, 3], [2, 3], None):   # a refusal names the input, which one op alone has not
        yield Case('EnsureShape', [values('float32', [2, 3])], shape=shape)
    for shape in ([None, 3], [], None):
        yield Case('Placeholder', dtype=np.float32, shape=shape)
    yield Case('Placeholder', dtype=np.int64)
    yield Case('PlaceholderWithDefault', [values('float32', [2, 3])], shape=[None, 3])
    yield Case('PlaceholderWithDefault', [values('int64', [])], shape=[])


def cases():
    for case in forwarded():
        yield case
    for dtype in PLAIN:
        yield Case('ZerosLike', [values(dtype, [2, 2])])
        yield Case('ZerosLike', [values(dtype, [])])
        yield Case('Const', value=values(dtype, [2, 2]), dtype=np.float32)
        if dtype != 'string':
            yield Case('OnesLike', [values(dtype, [2, 2])])
            yield Case('OnesLike', [values(dtype, [0])])
        for dims in ([2, 3], [], [0], [4, 0, 2]):
            yield Case('Fill', [np.array(dims, 'int32'), values(dtype, [])])
    yield Case('OnesLike', [values('string', [2])])
    for dtype in QUANTIZED:
        x = to_array(np.array([1, 2, 3]), dtype)
        yield Case('Identity', [x])
        yield Case('Bitcast', [x], type=np.int8 if dtype != 'qint32' else np.float32)
    yield Case('Fill', [np.array([2, 2], 'int64'), values('float32', [])])
    for dims, value in (([-1], 1.0), ([2, -3], 1.0), ([[2]], 1.0), (3, 1.0), ([2], [1.0])):
        yield Case('Fill', [np.array(dims, 'int32'), np.array(value, 'float32')])
    yield Case('Fill', [np.array([1 << 40, 1 << 40], 'int64'), np.float32(1)])
    for source, target in (('float32', 'int32'), ('float32', 'uint8'), ('float32', 'half'),
                           ('float64', 'int32'), ('int16', 'half'), ('complex64', 'float32')):
        for shape in ([], [3], [0, 2], [2, 2]):
            yield Case('Bitcast', [values(source, shape)], type=target)
    for shape in ([2], [3, 2], [3], [], [2, 0]):
        yield Case('Bitcast', [values('float32', shape)], type='float64')
    yield Case('Bitcast', [values('uint8', [2, 8])], type='complex64')
