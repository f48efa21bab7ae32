# cases_differ_rest.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What differ.py found in its later runs (special functions, linear algebra, tables, queues, audio and the
rest) and has been mended: one case each, as it shrank it."""

from record_ops import Case, Out, Ref, Var
from samples import INF, NAN, tensor


def cases():
    yield Case('RandomStandardNormal', [tensor('int64', [1], [9223372036854775807])], {'dtype': 'float32'}, tolerance=2e-05)
    yield Case('TruncatedNormal', [tensor('int32', [3], [2147483647, 2, 2147483647])], {'dtype': 'bfloat16', 'seed2': 11}, runs=3, tolerance=0.03)
    yield Case('StatelessTruncatedNormal', [tensor('int64', [1], [9223372036854775807]), Out(0, 0)], {'dtype': 'float32'}, nodes=[('Add', [tensor('int32', [2], [0] * 2), tensor('int32', [], [2])], {})], tolerance=2e-05)
    yield Case('Zeta', [tensor('float32', [1], [2.0]), tensor('float32', [1], [INF])], {}, tolerance=3e-05)
    yield Case('Igamma', [tensor('float64', [2], [1.0, 1000000000.0]), tensor('float64', [2], [1.0, 1000000000.0])], {}, tolerance=1e-09)
    yield Case('RandomGammaGrad', [tensor('float64', [1], [2.0545825354909013]), tensor('float64', [2], [1.6675247402963014, INF])], {}, tolerance=1.0000000000000001e-07)
    yield Case('Polygamma', [tensor('float64', [1], [INF]), tensor('float64', [1], [1.0])], {}, tolerance=1e-09)
    yield Case('QueueSize', [Out(0, 0)], {}, nodes=[('PaddingFIFOQueue', [], {'component_types': ['float32'], 'shapes': [[2]], 'shared_name': 'old_PaddingFIFOQueue'}), ('QueueEnqueueMany', [Out(0, 0), [tensor('float32', [5, 2], [0.0] * 10)]], {'Tcomponents': ['float32']}), ('QueueDequeueMany', [Out(0, 0), tensor('int32', [2], [3] * 2)], {'component_types': ['float32']}), ('QueueDequeue', [Out(0, 0)], {'component_types': ['float32']})], tolerance=2e-05)
    yield Case('QueueIsClosedV2', [Out(0, 0)], {}, nodes=[('FIFOQueueV2', [], {'component_types': ['float32'], 'shapes': [[2]]}), ('QueueEnqueueManyV2', [Out(0, 0), [tensor('float32', [1, 2], [0.0] * 2)]], {'Tcomponents': ['float32']}), ('QueueCloseV2', [Out(0, 0)], {'cancel_pending_enqueues': False}), ('QueueDequeueUpToV2', [Out(0, 0), tensor('int32', [2], [7] * 2)], {'component_types': ['float32']})], tolerance=2e-05)
    yield Case('QueueDequeueUpToV2', [Out(0, 0), tensor('int32', [2], [-1, 0])], {'component_types': ['float32']}, nodes=[('FIFOQueueV2', [], {'component_types': ['float32']})])
    yield Case('LookupTableExportV2', [Out(0, 0)], {'Tkeys': 'string', 'Tvalues': 'int32'}, nodes=[('MutableDenseHashTableV2', [tensor('string', [], [b'mark100']), tensor('string', [], [b'mark200'])], {'initial_num_buckets': 4, 'key_dtype': 'string', 'value_dtype': 'int32', 'value_shape': [2]}), ('LookupTableInsertV2', [Out(0, 0), tensor('string', [5], [b'a', b'', b'x\x00y', b'a', b'']), tensor('int32', [5, 2], [0, 1, 2, 3, 4, 5, 0, 1, 2, 3])], {'Tin': 'string', 'Tout': 'int32'})])
    yield Case('Slice', [tensor('float32', [2, 0], []), tensor('int32', [2], [0, -2]), tensor('int32', [2], [0, -1])], {}, tolerance=2e-05)
    yield Case('AvgPoolGrad', [tensor('int32', [4], [2, 7, 5, 3]), tensor('float64', [2, 4, 1, 1], [-3.375, -6.125, -0.125, -7.125, -3.875, -4.625, -3.25, -1.75])], {'ksize': [1, 3, 2, 1], 'padding': 'SAME', 'strides': [1, 2, 2, 1, 1]}, tolerance=1e-11)
    yield Case('AvgPool', [tensor('float32', [1, 1, 1, 1], [1.0])], {'ksize': [1, 1, -1, 2], 'padding': 'SAME', 'strides': [1, 1, 1, 1]}, tolerance=2e-05)
    yield Case('GatherV2', [tensor('bool', [0, 4], []), tensor('int64', [1], [4]), tensor('int32', [], [1])], {})
    yield Case('Roll', [tensor('float32', [1, 1], [0.0]), tensor('int64', [1], [0]), tensor('int64', [1], [9223372036854775806])], {}, tolerance=2e-05)
    yield Case('Mfcc', [tensor('float32', [1, 1, 2], [0.0] * 2), tensor('int32', [1], [16000])], {}, tolerance=2e-05)
    yield Case('QueueDequeueUpToV2', [Out(0, 0), tensor('int32', [2], [2, 0])], {'component_types': ['float32']}, nodes=[('RandomShuffleQueueV2', [], {'component_types': ['float32'], 'seed': 7, 'seed2': 11, 'shapes': [[2]]}), ('QueueCloseV2', [Out(0, 0)], {'cancel_pending_enqueues': False})])
    yield Case('RandomGammaGrad', [tensor('float64', [], [1.0]), tensor('float64', [], [INF])], {}, tolerance=1.0000000000000001e-07)
    yield Case('FixedUnigramCandidateSampler', [tensor('int64', [1, 2], [0] * 2)], {'num_reserved_ids': -1, 'num_sampled': 11, 'num_true': 2, 'range_max': 10, 'unigrams': [0.5, 3.0, 0.25, 8.0, 1.0, 1.0, 2.5, 0.125, 4.0, 1.5], 'unique': True})
    yield Case('QueueIsClosed', [Out(0, 0)], {}, nodes=[('RandomShuffleQueue', [], {'component_types': ['float32'], 'seed': 7, 'seed2': 11, 'shapes': [[2]], 'shared_name': 'old2_RandomShuffleQueue'}), ('QueueEnqueue', [Out(0, 0), [tensor('float32', [2], [0.0] * 2)]], {'Tcomponents': ['float32']}), ('QueueClose', [Out(0, 0)], {'cancel_pending_enqueues': False}), ('QueueDequeueUpTo', [Out(0, 0), tensor('int32', [2], [0] * 2)], {'component_types': ['float32']})], tolerance=2e-05)
    yield Case('BatchCholeskyGrad', [tensor('float64', [0, 3], []), tensor('float64', [0, 0], [])], {}, tolerance=1e-09, producer=10)
    yield Case('SelfAdjointEig', [tensor('float32', [2, 2], [0.0, 0.0, 1.0, 1.0])], {}, tolerance=2e-05, producer=10)
    yield Case('MatrixSquareRoot', [tensor('float64', [1, 1], [-2.0])], {}, tolerance=1e-09)
    yield Case('BatchMatrixSolveLs', [tensor('float32', [1, 1], [0.0]), tensor('float32', [1, 1, 1], [0.0]), tensor('float64', [1], [0.0])], {}, tolerance=0.0001, producer=10)
    yield Case('BatchSelfAdjointEig', [tensor('float64', [2, 2], [0.0, 0.0, 2.0, -1.0])], {}, tolerance=1e-11, producer=10)
    yield Case('BatchMatrixSolveLs', [tensor('float32', [0, 3, 3], []), tensor('float32', [0, 3, 0], []), tensor('float64', [1], [0.0])], {}, tolerance=0.0001, producer=10)
    yield Case('AvgPoolGrad', [tensor('int32', [4], [1, 5, 6, 2]), tensor('float64', [1, 1, 1, 1], [-8.125])], {'ksize': [1, 2, 3, 1], 'padding': 'VALID', 'strides': [2, 1, 2, 1, 1]}, tolerance=1e-11)
    # Real derivatives that a series in double alone does not reach, and both sides of each rule.
    for dtype in ('float32', 'float64'):
        close = {'relative': 1e-4 if dtype == 'float32' else 1e-9}
        a = tensor(dtype, [12], [0.5, 0.5, 1.0, 2.0, 3.0, 10.0, 30.0, 100.0, INF, 2.0, -1.0, NAN])
        x = tensor(dtype, [12], [100.0, 1e9, 100.0, 1e9, 0.5, 100.0, 100.0, 1e-9, 3.0, INF, 1.0, 1.0])
        yield Case('RandomGammaGrad', [a, x], **close)
        q = tensor(dtype, [12], [3.0, 2.0, 1.0, 0.5, NAN, INF, -1.0, -0.5, 1e9, 100.0, 0.0, 10.0])
        yield Case('Zeta', [tensor(dtype, [12], [100.0, 1e9, INF, INF, 1.0, 2.0, NAN, 3.0, 2.0, 1.5, 0.5, 30.0]), q], **close)
        yield Case('Polygamma', [tensor(dtype, [12], [100.0, 3.0, INF, INF, 1.0, 2.0, NAN, 3.0, 1e9, 0.5, 0.0, 30.0]), q], **close)
    # Signs of eigenvectors.
    for dtype in ('float32', 'float64', 'complex64', 'complex128'):
        for n in (1, 2, 3, 5):
            numbers = [((7 * i + 3) % 11 - 5) / 4.0 for i in range(2 * n * n)]
            numbers = [complex(numbers[2 * i], numbers[2 * i + 1]) if dtype[0] == 'c' else numbers[2 * i] for i in range(n * n)]
            yield Case('SelfAdjointEigV2', [tensor(dtype, [n, n], numbers)], tolerance=1e-4 if dtype in ('float32', 'complex64') else 1e-10)
    yield Case('SelfAdjointEigV2', [tensor('float64', [2, 2, 2], [0.0, 0.0, 0.0, 0.0, 1.0, 5.0, 0.0, 1.0])], tolerance=1e-10)
    yield Case('MatrixSquareRoot', [tensor('float64', [2, 2, 2], [-1.0, 2.0, 0.0, 3.0, 4.0, 1.0, 0.0, 9.0])], tolerance=1e-10)
