# cases_differ_rest.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What differ.py found in its later runs (special functions, linear algebra, tables, queues, audio and the
rest) and has been mended: one case each, as it shrank it."""

import numpy as np

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
    yield Case('EncodeWav', [tensor('float32', [1, 1], [0.0]), tensor('int32', [], [2147483647])], {}, tolerance=2e-05)
    yield Case('KmeansPlusPlusInitialization', [tensor('float32', [15, 2], [2.09830379486084, 0.858762264251709, 0.7442989945411682, 1.4399088621139526, -1.6286237239837646, 1.3165431022644043, 1.2621468305587769, 0.3863126039505005, 0.2584264278411865, -2.4492812156677246, -0.9899387955665588, -2.966722011566162, -1.0537939071655273, -0.5187808871269226, 1.3518129587173462, 0.7915741205215454, -0.9610809087753296, -1.2918508052825928, 2.3716530799865723, -1.7056992053985596, 0.7236625552177429, -0.2921937108039856, 0.3239902853965759, 1.1129037141799927, -2.086150646209717, -0.0996219590306282, -1.7069389820098877, -1.9632086753845215, -2.2436821460723877, 0.38690119981765747]), tensor('int64', [], [12]), tensor('int64', [], [2]), tensor('int64', [], [40])], {}, tolerance=2e-05)
    yield Case('LookupTableSizeV2', [Out(0, 0)], {}, nodes=[('MutableDenseHashTableV2', [tensor('int64', [], [-100]), tensor('int64', [], [-202])], {'key_dtype': 'int64', 'value_dtype': 'int64'}), ('LookupTableRemoveV2', [Out(0, 0), tensor('int64', [1, 2], [0] * 2)], {'Tin': 'int64'})])
    yield Case('LookupTableFindV2', [Out(0, 0), tensor('int32', [1, 2], [0] * 2), tensor('float64', [2], [0.0] * 2)], {'Tin': 'int32', 'Tout': 'float64'}, nodes=[('MutableDenseHashTableV2', [tensor('int32', [], [-100]), tensor('int32', [], [-200])], {'initial_num_buckets': 4, 'key_dtype': 'int32', 'value_dtype': 'float64', 'value_shape': [2]}), ('LookupTableInsertV2', [Out(0, 0), tensor('int32', [1], [0]), tensor('float64', [1, 2], [0.0, 1.0])], {'Tin': 'int32', 'Tout': 'float64'})], tolerance=1e-11)
    yield Case('QuantizeAndDequantizeV2', [tensor('float32', [1], [0.1902926117181778]), tensor('float32', [], [-3.0]), tensor('float32', [], [5.0])], {'narrow_range': True, 'num_bits': 1, 'range_given': True, 'round_mode': 'HALF_TO_EVEN', 'signed_input': True}, tolerance=2e-05)
    yield Case('QuantizeAndDequantizeV3', [tensor('float64', [], [0.0]), Out(0, 0), Out(0, 0), tensor('int32', [], [8])], {}, nodes=[('Neg', [tensor('float64', [], [NAN])], {})], tolerance=1e-11)
    yield Case('QuantizedConv2D', [tensor('quint8', [2, 6, 7, 1], [0, 212, 79, 62, 75, 26, 236, 161, 204, 31, 125, 217, 171, 177, 62, 127, 147, 28, 133, 78, 197, 218, 67, 129, 150, 105, 42, 36, 33, 68, 197, 149, 129, 176, 40, 193, 66, 204, 157, 251, 161, 152, 202, 148, 111, 156, 111, 28, 238, 206, 108, 236, 7, 178, 168, 120, 76, 120, 210, 204, 151, 39, 107, 216, 155, 51, 199, 195, 39, 5, 120, 124, 159, 197, 2, 14, 29, 200, 99, 214, 201, 246, 104, 89]), tensor('quint8', [1, 2, 1, 1], [0, 75]), tensor('float32', [], [-2.0]), tensor('float32', [], [-3.0]), tensor('float32', [], [-2.0]), tensor('float32', [], [3.0])], {'padding': b'SAME', 'strides': [1, 1, 1, 1]}, tolerance=2e-05)
    yield Case('QuantizedConv2D', [tensor('quint8', [1, 1], [0]), tensor('quint8', [1, 1, 1, 1], [0]), tensor('float32', [], [0.0]), tensor('float32', [], [0.0]), tensor('float32', [], [0.0]), tensor('float32', [], [0.0])], {'dilations': [3, 2, 2, 1], 'padding': 'SAME', 'strides': [1, 1, 1, 1]}, tolerance=2e-05)
    yield Case('KmeansPlusPlusInitialization', [tensor('float32', [30, 2], [2.861133337020874, 4.51359748840332, 0.3577022850513458, 2.938551187515259, 0.009312418289482594, 3.1856677532196045, 7.973186016082764, 3.1570000648498535, 0.46148890256881714, 2.5880484580993652, 1.4406533241271973, 3.8498384952545166, 0.4978191554546356, 0.042357347905635834, 5.736831188201904, 4.745891094207764, 8.693670272827148, 0.6175733208656311, 1.5913242101669312, 0.020689336583018303, 0.2709387540817261, 2.0511653423309326, 4.129748821258545, 5.955319881439209, 0.05987907573580742, 0.7216329574584961, 6.75455904006958, 0.11671943217515945, 5.313438415527344, 0.05913124606013298, 7.647162437438965, 4.402878761291504, 1.4575650691986084, 0.5539810061454773, 0.0013160469243302941, 2.6524152755737305, 1.6875782012939453, 1.5930145978927612, 0.0002652477705851197, 0.06678421795368195, 3.8732640743255615, 0.9799787998199463, 0.5301414132118225, 1.1104816198349, 0.21865960955619812, 1.8273983001708984, 5.181558609008789, 0.9236764907836914, 7.65064811706543, 5.6247382164001465, 2.418842077255249, 0.523687481880188, 6.372082710266113, 0.10496970266103745, 2.127035140991211, 4.352024555206299, 0.5520049333572388, 2.9136407375335693, 0.4866516888141632, 5.034109592437744]), tensor('int64', [], [12]), tensor('int64', [], [7]), tensor('int64', [], [-1])], {}, tolerance=2e-05)
    yield Case('Qr', [Out(0, 0)], {}, nodes=[('Neg', [tensor('float32', [2, 1], [0.0, -1.0])], {})], tolerance=0.0001)
    yield Case('DecodeJpeg', [tensor('string', [], [b''])], {'channels': 2, 'ratio': -1})
    yield Case('AvgPool3DGrad', [tensor('int32', [5], [2, 4, 2, 4, 3]), tensor('float32', [2, 2, 1, 2, 3], [1.0] * 24)], {'ksize': [1, 5, 2, 5, 1], 'padding': 'SAME', 'strides': [1, 3, 3, 3, 1]}, tolerance=6.000000000000001e-05)
    yield Case('AvgPoolGrad', [tensor('int32', [4], [3, 4, 4, 1]), tensor('float32', [3, 4, 4, 1], [1.0] * 48)], {'ksize': [1, 1, 5, 1], 'padding': 'SAME', 'strides': [1, 1, 1, 1]}, tolerance=6.000000000000001e-05)
    yield Case('MaxPool3DGrad', [tensor('float32', [2, 1, 4, 3, 1], [0.0, 0.0, 0.0, -1.0, -1.0, -3.0, -3.0, 3.0, 3.0, -3.0, 3.0, 2.0, 1.0, 0.0, 1.0, 3.0, -3.0, 0.0, 0.0, -2.0, -2.0, 2.0, -3.0, 2.0]), tensor('float32', [2, 1, 2, 2, 1], [3.0, 3.0, 3.0, 3.0, 3.0, 1.0, 3.0, 2.0]), tensor('float32', [2, 1, 2, 2, 1], [3.0, -1.0, 1.0, 0.0, -3.0, 2.0, -1.0, 3.0])], {'ksize': [1, 1, 5, 3, 1], 'padding': 'SAME', 'strides': [1, 1, 3, 2, 1]}, tolerance=6.000000000000001e-05)
    yield Case('BatchCholeskyGrad', [tensor('float64', [1, 1, 2], [1.7947856344180797, 0.0]), tensor('float64', [1, 1, 2], [0.7857203028720032, -0.3360403893976456])], {}, tolerance=1e-09, producer=10)
    yield Case('RestoreV2', [tensor('string', [], [b'model.ckpt-7']), tensor('string', [3], [b'\xc3\xa9t', b'b', b'-']), tensor('string', [3], [b'14 0,7', b'6 2 4 1,4:0,2:1,3', b''])], {'dtypes': ['uint16', 'float32', 'qint16']}, nodes=[('SaveV2', [tensor('string', [], [b'model.ckpt-7']), tensor('string', [3], [b'\xc3\xa9t', b'b', b'-']), tensor('string', [3], [b'14 2,12', b'6 2 4 1,4:0,2:1,3', b'']), [tensor('uint16', [12], [0, 0, 4, 2, 0, 3, 4, 0, 3, 3, 1, 2]), tensor('float32', [4, 2, 3], [0.0] * 24), tensor('qint16', [1, 2, 2], [4201, -20848, 5835, -26200])]], {})])
    yield Case('Lu', [tensor('float32', [2], [1.0, 2.0])], {})
    yield Case('RandomGamma', [tensor('int32', [1, 1], [2]), tensor('float32', [1], [1.0])], {})
    yield Case('RandomGamma', [tensor('int64', [2, 2], [2, 3, 4, 5]), tensor('float32', [1], [1.0])], {})
    yield Case('RandomPoissonV2', [tensor('int32', [], [2]), tensor('float32', [1], [1.0])], {})
    yield from dense_tables()


def dense_tables():
    """Tables in buckets: keys that are vectors, places that removed keys leave, buckets taken over as they are."""
    i64 = {'Tin': 'int64', 'Tout': 'int64'}
    both = {'Tkeys': 'int64', 'Tvalues': 'int64'}
    pairs = ('MutableDenseHashTableV2', [np.int64([0, 3]), np.int64([-1, -1])],
             {'key_dtype': 'int64', 'value_dtype': 'int64', 'initial_num_buckets': 8})
    put = lambda keys, values: ('LookupTableInsertV2', [Out(0, 0), np.int64(keys), np.int64(values)], i64)
    take = lambda keys: ('LookupTableRemoveV2', [Out(0, 0), np.int64(keys)], {'Tin': 'int64'})
    filled = [pairs, put([[0, 1], [1, 2], [1, 3]], [10, 11, 12]), put([[0, 0]], [13])]
    find = lambda keys, nodes: Case('LookupTableFindV2', [Out(0, 0), np.int64(keys), np.int64(-7)], i64, nodes=nodes)
    yield find([[0, 1], [1, 2], [1, 3], [0, 2]], filled)
    yield find([[[0, 1], [1, 2]]], filled)
    yield find([[0, 3]], filled)
    yield find([0, 1], filled)
    yield find([0, 1, 2], filled)
    yield find([[0, 1], [1, 2], [1, 3]], filled + [take([[1, 2], [7, 8]])])
    for nodes in (filled, filled + [take([[1, 2], [7, 8]])], filled + [take([[1, 2]]), put([[5, 6], [1, 2]], [1, 2])],
                  filled + [put([[k, k + 1] for k in range(10, 15)], list(range(5)))]):
        yield Case('LookupTableExportV2', [Out(0, 0)], both, nodes=nodes)
        yield Case('LookupTableSizeV2', [Out(0, 0)], nodes=nodes)
    yield Case('LookupTableSizeV2', [Out(0, 0)], nodes=[pairs, take([[0, 3]])])
    single = ('MutableDenseHashTableV2', [np.int64(100), np.int64(200)],
              {'key_dtype': 'int64', 'value_dtype': 'int64', 'initial_num_buckets': 8})
    removed = [single, put([11, 12, 13, 14], [1, 2, 3, 4]), take([12, 15])]
    yield Case('LookupTableExportV2', [Out(0, 0)], both, nodes=removed)
    yield Case('LookupTableExportV2', [Out(0, 0)], both, nodes=removed + [put([20, 28], [5, 6])])
    # Of two buckets that have one key the first on the way is found.
    buckets = ('LookupTableImportV2', [Out(0, 0), np.int64([[4], [1], [200], [1]]), np.int64([[7], [8], [9], [6]])], i64)
    yield Case('LookupTableExportV2', [Out(0, 0)], both, nodes=[single, buckets])
    yield find([1, 4], [single, buckets])
    yield Case('LookupTableSizeV2', [Out(0, 0)], nodes=[single, buckets])
    yield find([1, 2], [single, ('LookupTableImportV2', [Out(0, 0), np.int64([[4], [100]]), np.int64([7, 8])], i64)])
    for key, value in (('int32', 'int64'), ('int32', 'bool'), ('string', 'string'), ('string', 'variant'), ('int64', 'string')):
        for op in ('HashTableV2', 'MutableHashTableV2', 'MutableHashTableOfTensorsV2'):
            yield Case('LookupTableSizeV2', [Out(0, 0)], nodes=[(op, [], {'key_dtype': key, 'value_dtype': value})])
