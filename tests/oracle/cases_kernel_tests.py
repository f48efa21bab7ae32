# cases_kernel_tests.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What was found by working through what TensorFlow's own kernel tests are about, area by area."""

import numpy as np

from cases_reader import Chain
from record_ops import Case

NAN = float('nan')
INF = float('inf')


def not_finite():
    for x in ([[NAN, 1], [1, 2]], [[1, 1], [NAN, 2]], [[1, NAN], [2, 5]], [[-1, 0], [NAN, 1]],
              [[1, 0, 0], [NAN, 1, 0], [0, 0, 1]], [[1, 0, 0], [0, NAN, 0], [0, 1, -1]], [[1, 0], [INF, 1]]):
        for dtype in ('float32', 'float64', 'complex64', 'complex128'):
            yield Case('Cholesky', [np.array(x, dtype)], tolerance=1e-6)
    for x in ([[NAN]], [[INF]], [[-INF]], [[INF, 1], [1, 2]], [[NAN, 1], [1, 2]], [[1, NAN], [2, 3]], [[0, 0], [0, NAN]],
              [[1e30, 0], [0, 1e30]]):
        for dtype in ('float32', 'float64', 'complex64'):
            if dtype != 'complex64' or x != [[1e30, 0], [0, 1e30]]:
                yield Case('MatrixDeterminant', [np.array(x, dtype)], tolerance=1e-6)
            yield Case('LogMatrixDeterminant', [np.array(x, dtype)], tolerance=1e-6)


def old_array(size, *nodes, **more):
    """Ops that only graphs before version 16 may have."""
    c = Chain()
    array = c.add('TensorArray', [np.int32(size)], dtype=more.get('dtype', 'float32'), tensor_array_name='old')
    flow = np.float32(0)
    for op, value in nodes:
        if op == 'Unpack':
            flow = c.add('TensorArrayUnpack', [array, value, flow])
        elif op == 'Write':
            flow = c.add('TensorArrayWrite', [array, np.int32(value), np.ones(2, np.float32), flow])
        else:
            c.add('TensorArrayPack', [array, flow], dtype=more.get('dtype', 'float32'), element_shape=value)
    return c.case(producer=15, meaningless=(('op0', 0),))


def arrays():
    rows = np.arange(6, dtype=np.float32).reshape(3, 2)
    yield old_array(3, ('Unpack', rows), ('Pack', None))
    yield old_array(3, ('Unpack', rows), ('Pack', [2]))
    yield old_array(3, ('Unpack', rows), ('Pack', [3]))
    yield old_array(2, ('Unpack', rows))
    yield old_array(4, ('Unpack', rows))
    yield old_array(4, ('Unpack', rows), ('Pack', None))
    yield old_array(1, ('Unpack', np.float32(1)))
    yield old_array(2, ('Write', 0), ('Pack', [2]))
    yield old_array(2, ('Write', 0), ('Write', 1), ('Pack', [2]))
    yield old_array(0, ('Pack', [2]))
    yield old_array(0, ('Pack', None))
    yield old_array(0, ('Unpack', np.zeros((0, 2), np.float32)), ('Pack', [2]))
    for dtype in ('int32', 'float64', 'complex64', 'bool'):
        yield old_array(3, ('Unpack', rows.astype(dtype)), ('Pack', None), dtype=dtype)
    yield old_array(3, ('Unpack', np.array(['a', 'b', 'c'], object)), ('Pack', None), dtype='string')


def varint(n):
    n &= (1 << 64) - 1
    out = b''
    while n > 127:
        out += bytes(bytearray([n & 127 | 128]))
        n >>= 7
    return out + bytes(bytearray([n]))


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def sequences():
    """Features of another dtype than the one that is asked for."""
    features = {
        'int64': field(3, field(1, varint(7) + varint(-8))),
        'float32': field(2, field(1, np.array([1.5, 1e-7, 1e10, np.nan, .1, 16777216], np.float32).tobytes())),
        'string': field(1, field(1, b'a"\n\xff\x00\'z') + field(1, b'')),
        'nothing': field(3, b''),
    }
    for there, feature in sorted(features.items()):
        context = field(1, field(1, field(1, b'k') + field(2, feature)))
        lists = field(2, field(1, field(1, b'k') + field(2, field(1, feature))))
        for asked in ('int64', 'float32', 'string'):
            if asked == there or (there == 'nothing' and asked == 'int64'):
                continue
            for serialized, kinds in ((context, ('context_sparse', 'context_dense')),
                                      (lists, ('feature_list_sparse', 'feature_list_dense'))):
                for kind in kinds:
                    yield sequence(serialized, kind, asked)


def sequence(serialized, kind, dtype):
    keys = {k: [np.array('k', object)] if k == kind else [] for k in
            ('context_sparse', 'context_dense', 'feature_list_sparse', 'feature_list_dense')}
    attrs = {'Ncontext_sparse': len(keys['context_sparse']), 'Ncontext_dense': len(keys['context_dense']),
             'Nfeature_list_sparse': len(keys['feature_list_sparse']), 'Nfeature_list_dense': len(keys['feature_list_dense']),
             'context_sparse_types': [dtype] if kind == 'context_sparse' else [],
             'Tcontext_dense': [dtype] if kind == 'context_dense' else [],
             'feature_list_dense_types': [dtype] if kind == 'feature_list_dense' else [],
             'context_dense_shapes': [[1]] if kind == 'context_dense' else [],
             'feature_list_sparse_types': [dtype] if kind == 'feature_list_sparse' else [],
             'feature_list_dense_shapes': [[1]] if kind == 'feature_list_dense' else []}
    default = [np.zeros([0], object if dtype == 'string' else dtype)] if kind == 'context_dense' else []
    return Case('ParseSingleSequenceExample',
                [np.array(serialized, object), np.zeros([0], object), keys['context_sparse'], keys['context_dense'],
                 keys['feature_list_sparse'], keys['feature_list_dense'], default, np.array('nm', object)], attrs=attrs)


def cases():
    for group in (arrays, sequences):
        for case in group():
            yield case
    for case in not_finite():
        yield case
    for dtype in ('float32', 'float64', 'complex64', 'complex128', 'int32'):
        yield Case('DecodeRaw', [np.array([b'abcdefgh' * 2], object)], out_type=dtype, little_endian=False)
    # A default whose shape is not the declared one.
    for shape in ([3, None], [2], []):
        yield Case('PlaceholderWithDefault', [np.ones([4, 2], np.float32)], shape=shape)
