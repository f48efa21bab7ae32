# cases_differ_data.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What differ.py found of accumulators, parsing, sparse and ragged tensors, files and windows and has been mended."""

import itertools

from record_ops import Case, Out
from samples import INF, NAN, tensor


# A resource without a name gets a number that counts all sessions.
NAMES = ('differ%d' % i for i in itertools.count())


def sparse_applied(shape, steps, indices, values, known=False, given=(), dtype='float32'):
    """A sparse accumulator of @shape that is given rows, one case of the last."""
    nodes = [('SparseConditionalAccumulator', [], {'dtype': 'float32', 'shape': shape, 'shared_name': next(NAMES)})]
    nodes += [('SparseAccumulatorApplyGradient', [Out(0, 0), tensor('int64', [], [0]), i, v, tensor('int64', [0], [])],
               {'has_known_shape': False}) for i, v in zip(indices[:-1], values[:-1])]
    return Case('SparseAccumulatorApplyGradient',
                [Out(0, 0), tensor('int64', [], [steps]), indices[-1], values[-1], tensor('int64', [len(given)], list(given))],
                {'has_known_shape': known}, nodes=nodes)


def applied(op, make, shape, gradients, step=0):
    """An accumulator that is given gradients, one case of the last."""
    nodes = [(make, [], {'dtype': 'float32', 'shape': shape, 'shared_name': next(NAMES)})]
    nodes += [(op, [Out(0, 0), tensor('int64', [], [0]), g], {}) for g in gradients[:-1]]
    return Case(op, [Out(0, 0), tensor('int64', [], [step]), gradients[-1]], {}, nodes=nodes)


def accumulators():
    one, row = tensor('int64', [1], [0]), tensor('float32', [1, 2], [1.0, 2.0])
    yield sparse_applied([5, 2], 0, [one], [row], True)
    yield sparse_applied([5, 3], 0, [one], [row], True)
    yield sparse_applied([5, 3], 0, [one], [row], True, [5, 3])
    yield sparse_applied([5, 3], 0, [one], [row], True, [4, 3])
    yield sparse_applied([5, 3], 0, [one], [row])
    yield sparse_applied([5, 3, 2], 0, [one], [row])
    yield sparse_applied(None, 0, [one, one], [row, tensor('float32', [1], [1.0])])
    yield sparse_applied(None, 0, [one, one], [row, tensor('float32', [1, 3], [1.0] * 3)])
    yield sparse_applied([2, 2], -2, [tensor('int64', [1], [3])], [row])
    yield sparse_applied([2, 2], 0, [tensor('int64', [1], [3])], [row])
    # TensorFlow goes on after it has told of the dtype, and ends itself where nothing else is wrong.
    for dtype in ('uint8', 'float64', 'int64'):
        yield sparse_applied([2, 2], 0, [tensor('int64', [], [0])], [tensor(dtype, [1, 2], [1, 2])])
    for op, make in (('AccumulatorApplyGradient', 'ConditionalAccumulator'),
                     ('ResourceAccumulatorApplyGradient', 'ResourceConditionalAccumulator')):
        for wrong in (tensor('int64', [1], [0]), tensor('float64', [1], [0.0]), tensor('quint8', [], [1])):
            yield applied(op, make, [3], [wrong])
        yield applied(op, make, [None], [tensor('float32', [1], [0.0]), tensor('float32', [], [0.0])])
        yield applied(op, make, [None], [tensor('float32', [1], [0.0]), tensor('float32', [2], [0.0] * 2)])
        yield applied(op, make, [3], [tensor('float32', [2], [0.0] * 2)])
        yield applied(op, make, [3], [tensor('float32', [2], [0.0] * 2)], -1)


def windows():
    """Windows that begin before the image and are longer than it."""
    yield Case('AvgPool3DGrad', [tensor('int32', [5], [1, 4, 3, 4, 1]), tensor('float32', [1, 2, 1, 2, 1], [2.0, 0.0, 0.0, -3.0])],
               {'ksize': [1, 3, 3, 5, 1], 'padding': 'SAME', 'strides': [1, 3, 3, 3, 1]}, tolerance=6e-05)
    for dtype in ('float32', 'float64', 'float16'):
        yield Case('AvgPoolGrad', [tensor('int32', [4], [2, 4, 3, 3]), tensor(dtype, [2, 2, 1, 3], [1.0, 2.0, 0.0, 4.0, 0.0, 0.0, 8.0, 0.0, -1.0, 0.0, 0.0, -3.0])],
                   {'ksize': [1, 5, 4, 1], 'padding': 'SAME', 'strides': [1, 3, 3, 1]}, tolerance=1e-3 if dtype == 'float16' else 1e-6)
    yield Case('AvgPoolGrad', [tensor('int32', [4], [0] * 4), tensor('float16', [0, 0, 0, 0], [])],
               {'ksize': [1, 2, 3, 1], 'padding': 'VALID', 'strides': [1, 2, 2, 1]})


    x = [1.0, 1.0, 3.0, -1.0, 2.0, 3.0, -2.0, -2.0, -3.0, 0.0, 2.0, -1.0]
    attrs = {'ksize': [1, 4, 1, 5, 1], 'padding': 'SAME', 'strides': [1, 1, 1, 1, 1]}
    image = tensor('float32', [1, 1, 1, 4, 3], x)
    yield Case('MaxPool3DGrad', [image, Out(0, 0), tensor('float32', [1, 1, 1, 4, 3], [float(i) for i in range(12)])], attrs,
               nodes=[('MaxPool3D', [image], dict(attrs))], tolerance=6e-05)
    for beta in (-1.0, 0.5, 1.0, 0.0, 0.7):
        yield Case('LRN', [tensor('float32', [1, 1, 1, 2], [2.0, 0.25])], {'alpha': -1.0, 'beta': beta}, tolerance=2e-05)


    yield Case('LRNGrad', [tensor('float32', [1, 1, 1, 2], [0.0, 1.0]), tensor('float32', [1, 1, 1, 2], [-0.5, 1.75]),
                           tensor('float32', [1, 1, 1, 2], [-1.5, 1.5])], {'alpha': 0.25, 'beta': 0.75, 'bias': -1.0, 'depth_radius': 0})


def inserted(parts, op='BarrierReadySize', inputs=(), close=None, shapes=((), (2,)), **attrs):
    """A barrier that is given parts (component, keys, values), one case of the op that follows."""
    nodes = [('Barrier', [], {'component_types': ['float32', 'int32'], 'shapes': [list(s) for s in shapes],
                              'shared_name': next(NAMES)})]
    for component, keys, values in parts:
        nodes.append(('BarrierInsertMany', [Out(0, 0), keys, values], {'component_index': component}))
        if close is not None and len(nodes) == 2:
            nodes.append(('BarrierClose', [Out(0, 0)], {'cancel_pending_enqueues': close}))
    if op is None:
        last, inputs, attrs = nodes.pop()
        return Case(last, inputs, attrs, nodes=nodes)
    return Case(op, [Out(0, 0)] + list(inputs), attrs, nodes=nodes)


def barriers():
    a, ab = tensor('string', [1], [b'a']), tensor('string', [2], [b'a', b'b'])
    one, two = tensor('float32', [1], [1.0]), tensor('float32', [2], [1.0, 2.0])
    row, rows = tensor('int32', [1, 2], [1, 2]), tensor('int32', [2, 2], [1, 2, 3, 4])
    types = {'component_types': ['float32', 'int32']}
    for capacity in (-2, 0, 5):
        yield Case('Barrier', [], {'capacity': capacity, 'component_types': ['float32'], 'shapes': [[2]],
                                   'shared_name': next(NAMES)})
    yield Case('Barrier', [], {'component_types': ['float32'], 'shapes': [], 'shared_name': next(NAMES)})
    for wrong in (tensor('string', [1], [b'x']), tensor('uint8', [1], [1]), tensor('int64', [1], [1])):
        yield inserted([(0, a, wrong)], None)
        yield inserted([(1, a, wrong)], None)
    # Shapes are looked at when an element is whole.
    yield inserted([(1, a, tensor('int32', [1, 3], [1, 2, 3]))])
    yield inserted([(0, a, one), (1, a, tensor('int32', [1, 3], [1, 2, 3]))], None)
    yield inserted([(0, a, one), (1, a, tensor('int32', [1], [1]))], None)
    yield inserted([(0, ab, two), (1, a, row)])
    yield inserted([(0, ab, two), (1, a, row)], 'BarrierIncompleteSize')
    yield inserted([(0, ab, two), (1, a, row), (1, a, row)], None)
    yield inserted([(1, a, row), (1, ab, rows)], None)
    yield inserted([(0, ab, two), (1, ab, rows)], 'BarrierTakeMany', [tensor('int32', [], [2])], **types)
    yield inserted([(0, ab, two), (1, a, row), (1, ab, rows)], None, close=False)
    yield inserted([(0, ab, two), (1, a, row)], None, close=True)
    yield inserted([(0, a, one), (1, ab, rows)], None, close=False)
    for n in (0, 1, 3):
        for small in (False, True):
            for closed in (False, True):
                parts = [(0, ab, two), (1, ab, rows)]
                if closed or n in (0, 1):
                    yield inserted(parts, 'BarrierTakeMany', [tensor('int32', [], [n])], False if closed else None,
                                   allow_small_batch=small, **types)
    yield inserted([(0, a, one)], 'BarrierTakeMany', [tensor('int32', [1], [1])], **types)
    yield inserted([(0, a, one)], 'BarrierTakeMany', [tensor('int32', [], [1])], component_types=['float32'])
    yield inserted([(0, a, one)], 'BarrierTakeMany', [tensor('int32', [], [1])], component_types=['int64', 'int32'])


def staged(kind, parts, op=None, inputs=(), **attrs):
    """A map that is given parts (key, indices, values), one case of the last or of the op that follows."""
    shared = next(NAMES)
    area = {'dtypes': ['float32', 'int32'], 'shared_name': shared}
    nodes = [(kind + 'Stage', [tensor('int64', [], [key]), tensor('int32', [len(indices)], indices), values],
              dict(area, **attrs)) for key, indices, values in parts]
    if op is None:
        last, inputs, attrs = nodes.pop()
        return Case(last, inputs, attrs, nodes=nodes)
    more = {'dtypes': ['float32', 'int32']} if op == 'Size' else {}
    return Case(kind + op, list(inputs), dict(area, **dict(attrs, **more)), nodes=nodes)


def stages():
    x, y = tensor('float32', [1], [1.5]), tensor('int32', [1], [2])
    z = tensor('float32', [1], [-4.0])
    for kind in ('Map', 'OrderedMap'):
        yield staged(kind, [(7, [], [x])])
        yield staged(kind, [(7, [1, 0], [x, y])])
        yield staged(kind, [(7, [-3], [x])])
        yield staged(kind, [(7, [5], [x])])
        yield staged(kind, [(7, [0], [x]), (7, [0], [x])])
        yield staged(kind, [(7, [0, 1], [x, y]), (7, [0, 1], [z, y])], 'Size')
        yield staged(kind, [(7, [0, 1], [x, y]), (7, [0], [z])], 'IncompleteSize')
        yield staged(kind, [(7, [-2], [x])], memory_limit=2)
        yield staged(kind, [(7, [-2, 9], [x, y])], 'Size', memory_limit=20)
        key = tensor('int64', [], [7])
        for indices in ([0, 1], [1, 0], [-1], [2], []):
            yield staged(kind, [(7, [0, 1], [x, y])], 'Unstage', [key, tensor('int32', [len(indices)], indices)])
            yield staged(kind, [(7, [0, 1], [x, y])], 'Peek', [key, tensor('int32', [len(indices)], indices)])
        yield staged(kind, [(7, [0, 1], [x, y])], 'UnstageNoKey', [tensor('int32', [2], [0, 0])])


def numbers():
    """Parameters and sizes beyond what is usual."""
    for alpha in (-0.6, -1.0, NAN, INF, -5.0):
        yield Case('RandomGamma', [tensor('int32', [1], [11]), tensor('float64', [], [alpha])], {'seed': 7, 'seed2': 8}, runs=2,
                   tolerance=1e-9)
    for dtype in ('float32', 'int32', 'float64'):
        yield Case('RandomPoissonV2', [tensor('int32', [1], [3]), tensor('float32', [], [INF])], {'dtype': dtype, 'seed2': 8})
    for rate in (INF, 0.3, 5e9, 1e30, -1.0, NAN):
        yield Case('AudioSummaryV2', [tensor('string', [], [b'a']), tensor('float32', [1, 2], [0.0, 0.5]), tensor('float32', [], [rate])])
    for n in (0, -1, 1):
        yield Case('StringFormat', [[tensor('int32', [], [7])]], {'T': ['int32'], 'summarize': n})
        yield Case('StringFormat', [[tensor('int32', [3], [7, 8, 9])]], {'T': ['int32'], 'summarize': n})
    yield Case('ReadFile', [tensor('string', [], [b''])])
    yield Case('UnsortedSegmentJoin', [tensor('string', [], [b'']), tensor('int32', [], [0]), tensor('int32', [], [-2])])
    yield Case('UnsortedSegmentJoin', [tensor('string', [1], [b'']), tensor('int32', [1], [0]), tensor('int32', [], [0])])


def found():
    """As differ.py wrote them down."""
    yield Case('ParseSequenceExample', [tensor('string', [0], []), tensor('string', [0], []), [tensor('int64', [], [0]), tensor('float32', [0], [])]], {'Ncontext_dense': 2, 'Ncontext_sparse': 1, 'Nfeature_list_dense': 2, 'Nfeature_list_sparse': 1, 'context_dense_keys': ['n', 'w'], 'context_dense_shapes': [[], [2]], 'context_sparse_keys': ['tags'], 'context_sparse_types': ['string'], 'feature_list_dense_keys': ['words', 'vec'], 'feature_list_dense_missing_assumed_empty': ['words', 'vec'], 'feature_list_dense_shapes': [[], [2]], 'feature_list_dense_types': ['string', 'float32'], 'feature_list_sparse_keys': ['ids'], 'feature_list_sparse_types': ['int64']}, tolerance=2e-05)
    yield Case('ParseSequenceExample', [tensor('string', [1], [b'']), Out(0, 0), [tensor('int64', [0], []), tensor('float32', [0], [])]], {'Ncontext_dense': 2, 'Ncontext_sparse': 1, 'Nfeature_list_dense': 2, 'Nfeature_list_sparse': 1, 'context_dense_keys': ['n', 'w'], 'context_dense_shapes': [[], [2]], 'context_sparse_keys': ['tags'], 'context_sparse_types': ['string'], 'feature_list_dense_keys': ['words', 'vec'], 'feature_list_dense_missing_assumed_empty': [], 'feature_list_dense_shapes': [[], [2]], 'feature_list_dense_types': ['string', 'float32'], 'feature_list_sparse_keys': ['ids'], 'feature_list_sparse_types': ['int64']}, nodes=[('Identity', [tensor('string', [0], [])], {})], tolerance=2e-05)
    yield Case('ParseSingleSequenceExample', [tensor('string', [], [b'']), tensor('string', [0], []), [tensor('string', [], [b''])], [tensor('string', [1], [b'n']), tensor('string', [], [b'w'])], [tensor('string', [], [b''])], [tensor('string', [], [b'']), tensor('string', [1], [b'vec'])], [tensor('int64', [1], [3]), tensor('float32', [1], [9.0])], tensor('string', [], [b''])], {'Ncontext_dense': 2, 'Ncontext_sparse': 1, 'Nfeature_list_dense': 2, 'Nfeature_list_sparse': 1, 'Tcontext_dense': ['int64', 'float32'], 'context_dense_shapes': [[], [2]], 'context_sparse_types': ['string'], 'feature_list_dense_shapes': [[], [2]], 'feature_list_dense_types': ['string', 'float32'], 'feature_list_sparse_types': ['int64']}, tolerance=2e-05)
    yield Case('ParseSequenceExample', [tensor('string', [1], [b'a']), tensor('string', [0], []), [tensor('int64', [0], []), tensor('float32', [2], [0.0] * 2)]], {'Ncontext_dense': 2, 'Ncontext_sparse': 1, 'Nfeature_list_dense': 2, 'Nfeature_list_sparse': 1, 'context_dense_keys': ['n', 'w'], 'context_dense_shapes': [[], [2]], 'context_sparse_keys': ['tags'], 'context_sparse_types': ['string'], 'feature_list_dense_keys': ['words', 'vec'], 'feature_list_dense_missing_assumed_empty': ['words', 'vec'], 'feature_list_dense_shapes': [[], [2]], 'feature_list_dense_types': ['string', 'float32'], 'feature_list_sparse_keys': ['ids'], 'feature_list_sparse_types': ['int64']}, tolerance=2e-05)
    yield Case('ParseSingleSequenceExample', [tensor('string', [], [b'']), tensor('string', [1], [b'']), [tensor('string', [], [b''])], [tensor('string', [], [b'n']), tensor('string', [], [b'w'])], [tensor('string', [], [b''])], [tensor('string', [], [b'']), tensor('string', [1], [b'vec'])], [tensor('int64', [], [3]), tensor('float32', [1], [9.0])], tensor('string', [], [b''])], {'Ncontext_dense': 2, 'Ncontext_sparse': 1, 'Nfeature_list_dense': 2, 'Nfeature_list_sparse': 1, 'Tcontext_dense': ['int64', 'float32'], 'context_dense_shapes': [[], [2]], 'context_sparse_types': ['string'], 'feature_list_dense_shapes': [[], [2]], 'feature_list_dense_types': ['string', 'float32'], 'feature_list_sparse_types': ['int64']}, tolerance=2e-05)
    yield Case('ParseSequenceExample', [tensor('string', [2], [b''] * 2), tensor('string', [1], [b'a']), [tensor('int64', [0], []), tensor('float32', [1], [9.0])]], {'Ncontext_dense': 2, 'Ncontext_sparse': 1, 'Nfeature_list_dense': 2, 'Nfeature_list_sparse': 1, 'Tcontext_dense': ['int64', 'float32'], 'context_dense_keys': ['n', 'w'], 'context_dense_shapes': [[], [2]], 'context_sparse_keys': ['tags'], 'context_sparse_types': ['string'], 'feature_list_dense_keys': ['words', 'vec'], 'feature_list_dense_missing_assumed_empty': [], 'feature_list_dense_shapes': [[], [2]], 'feature_list_dense_types': ['string', 'float32'], 'feature_list_sparse_keys': ['ids'], 'feature_list_sparse_types': ['int64']}, tolerance=2e-05)
    yield Case('ParseSingleSequenceExample', [Out(0, 0), tensor('string', [0, 1], []), [], [], [], [], [], tensor('string', [], [b''])], {'Ncontext_dense': 0, 'Nfeature_list_dense': 0, 'Nfeature_list_sparse': 0}, nodes=[('Identity', [tensor('string', [], [b''])], {})])
    yield Case('ParseSingleSequenceExample', [tensor('string', [], [b'']), tensor('string', [0], []), [tensor('string', [], [b''])], [tensor('string', [], [b'n']), tensor('string', [], [b'w'])], [tensor('string', [], [b''])], [tensor('string', [], [b'']), tensor('string', [], [b''])], [tensor('int64', [0], []), tensor('float32', [1], [9.0])], tensor('string', [1], [b''])], {'Ncontext_dense': 2, 'Ncontext_sparse': 1, 'Nfeature_list_dense': 2, 'Nfeature_list_sparse': 1, 'Tcontext_dense': ['int64', 'float32'], 'context_dense_shapes': [[], [2]], 'context_sparse_types': ['string'], 'feature_list_dense_shapes': [[], [2]], 'feature_list_dense_types': ['string', 'float32'], 'feature_list_sparse_types': ['int64']}, tolerance=2e-05)
    yield Case('ParseSingleSequenceExample', [tensor('string', [], [b'\n1\n\x11\n\x01w\x12\x0c\x12\n\n\x08\x00\x00\xc0?\x00\x00 @\n\n\n\x01n\x12\x05\x1a\x03\n\x01\x07\n\x10\n\x04tags\x12\x08\n\x06\n\x01x\n\x01y\x12a\n\x1e\n\x05words\x12\x15\n\x05\n\x03\n\x01a\n\x06\n\x04\n\x02bb\n\x04\n\x02\n\x00\n\x1a\n\x03ids\x12\x13\n\x06\x1a\x04\n\x02\x01\x02\n\x05\x1a\x03\n\x01\x03\n\x02\x1a\x00\n#\n\x03vec\x12\x1c\n\x0c\x12\n\n\x08\x00\x00\x80?\x00\x00\x00@\n\x0c\x12\n\n\x08\x00\x00@@\x00\x00\x80@']), tensor('string', [0], []), [tensor('string', [], [b''])], [tensor('string', [], [b'n']), tensor('string', [], [b'w'])], [tensor('string', [], [b''])], [tensor('string', [], [b'words']), tensor('string', [], [b'vec'])], [tensor('int64', [0], []), tensor('float32', [2], [0.0] * 2)], tensor('string', [1], [b''])], {'Ncontext_dense': 2, 'Nfeature_list_dense': 2, 'Nfeature_list_sparse': 1, 'context_dense_shapes': [[], [2]], 'context_sparse_types': ['string'], 'feature_list_dense_shapes': [[], [2]], 'feature_list_dense_types': ['string', 'float32'], 'feature_list_sparse_types': ['int64']}, tolerance=2e-05)
    yield Case('ParseSequenceExample', [tensor('string', [1], [b'abc']), tensor('string', [0], []), [tensor('int64', [0], []), tensor('float32', [2], [0.0] * 2)]], {'Ncontext_dense': 2, 'Ncontext_sparse': 1, 'Nfeature_list_dense': 2, 'Nfeature_list_sparse': 1, 'Tcontext_dense': ['int64', 'float32'], 'context_dense_keys': ['n', 'w'], 'context_dense_shapes': [[], [2]], 'context_sparse_keys': ['tags'], 'context_sparse_types': ['string'], 'feature_list_dense_keys': ['words', 'vec'], 'feature_list_dense_missing_assumed_empty': [], 'feature_list_dense_shapes': [[], [2]], 'feature_list_dense_types': ['string', 'float32'], 'feature_list_sparse_keys': ['ids'], 'feature_list_sparse_types': ['int64']}, tolerance=2e-05)
    yield Case('ParseSequenceExample', [tensor('string', [0], []), tensor('string', [1], [b'']), [tensor('int64', [1], [0]), tensor('float32', [0], [])]], {'Ncontext_dense': 2, 'Ncontext_sparse': 1, 'Nfeature_list_dense': 2, 'Nfeature_list_sparse': 1, 'Tcontext_dense': ['int64', 'float32'], 'context_dense_keys': ['n', 'w'], 'context_dense_shapes': [[], [2]], 'context_sparse_keys': ['tags'], 'context_sparse_types': ['string'], 'feature_list_dense_keys': ['words', 'vec'], 'feature_list_dense_missing_assumed_empty': [], 'feature_list_dense_shapes': [[], [2]], 'feature_list_dense_types': ['string', 'float32'], 'feature_list_sparse_keys': ['ids'], 'feature_list_sparse_types': ['int64']}, tolerance=2e-05)
    yield Case('ParseSingleSequenceExample', [tensor('string', [], [b'']), tensor('string', [1], [b'vec']), [tensor('string', [], [b'tags'])], [tensor('string', [1], [b'n']), tensor('string', [], [b'w'])], [tensor('string', [], [b'ids'])], [tensor('string', [], [b'']), tensor('string', [], [b'vec'])], [tensor('int64', [0], []), tensor('float32', [1], [9.0])], tensor('string', [], [b'name'])], {'Ncontext_dense': 2, 'Ncontext_sparse': 1, 'Nfeature_list_dense': 2, 'Nfeature_list_sparse': 1, 'Tcontext_dense': ['int64', 'float32'], 'context_dense_shapes': [[], [2]], 'context_sparse_types': ['string'], 'feature_list_dense_shapes': [[], [2]], 'feature_list_dense_types': ['string', 'float32'], 'feature_list_sparse_types': ['int64']}, tolerance=2e-05)
    yield Case('ParseSequenceExample', [tensor('string', [0], []), tensor('string', [0], []), [tensor('int64', [0], []), tensor('float32', [2], [0.0] * 2)]], {'Ncontext_dense': 2, 'Ncontext_sparse': 1, 'Nfeature_list_dense': 2, 'Nfeature_list_sparse': 1, 'context_dense_keys': ['n', 'w'], 'context_dense_shapes': [[], [2]], 'context_sparse_keys': ['tags'], 'context_sparse_types': ['string'], 'feature_list_dense_keys': ['words', 'vec'], 'feature_list_dense_missing_assumed_empty': ['words', 'vec'], 'feature_list_dense_shapes': [[], [2]], 'feature_list_dense_types': ['string', 'float32'], 'feature_list_sparse_keys': ['ids'], 'feature_list_sparse_types': ['int64']}, tolerance=2e-05)
    yield Case('ParseSingleSequenceExample', [tensor('string', [], [b'\n\r\n\x0b\n\x01n\x12\x06\x1a\x04\n\x02\x01\x02\x12\x14\n\t\n\x05words\x12\x00\n\x07\n\x03vec\x12\x00']), tensor('string', [0], []), [tensor('string', [], [b'tags'])], [tensor('string', [], [b'n']), tensor('string', [], [b'w'])], [tensor('string', [], [b'ids'])], [tensor('string', [], [b'']), tensor('string', [], [b'vec'])], [tensor('int64', [0], []), tensor('float32', [2], [0.0] * 2)], tensor('string', [1], [b'name'])], {'Ncontext_dense': 2, 'Ncontext_sparse': 1, 'Nfeature_list_dense': 2, 'Nfeature_list_sparse': 1, 'Tcontext_dense': ['int64', 'float32'], 'context_dense_shapes': [[], [2]], 'context_sparse_types': ['string'], 'feature_list_dense_shapes': [[], [2]], 'feature_list_dense_types': ['string', 'float32'], 'feature_list_sparse_types': ['int64']}, tolerance=2e-05)
    yield Case('ParseSingleSequenceExample', [tensor('string', [], [b'T']), tensor('string', [0], []), [], [], [], [], [], tensor('string', [1], [b''])], {'Ncontext_dense': 0, 'Ncontext_sparse': 0, 'Nfeature_list_dense': 0, 'Nfeature_list_sparse': 0, 'context_dense_shapes': [], 'feature_list_dense_shapes': [], 'feature_list_dense_types': [], 'feature_list_sparse_types': []})
    yield Case('ParseSingleSequenceExample', [tensor('string', [], [b'\n\x0c\n\n\n\x01n\x12\x05\x1a\x03\n\x01\x01\x123\n\x10\n\x05words\x12\x07\n\x05\n\x03\n\x01a\n\x1f\n\x03vec\x12\x18\n\x0c\x12\n\n\x08\x00\x00\x80?\x00\x00\x00@\n\x08\x12\x06\n\x04\x00\x00\x80?']), tensor('string', [0], []), [tensor('string', [], [b''])], [tensor('string', [], [b'n']), tensor('string', [], [b'w'])], [tensor('string', [], [b'ids'])], [tensor('string', [], [b'words']), tensor('string', [], [b'vec'])], [tensor('int64', [0], []), tensor('float32', [2], [0.0] * 2)], tensor('string', [1], [b'name'])], {'Ncontext_dense': 2, 'Ncontext_sparse': 1, 'Nfeature_list_dense': 2, 'Nfeature_list_sparse': 1, 'Tcontext_dense': ['int64', 'float32'], 'context_dense_shapes': [[], [2]], 'context_sparse_types': ['string'], 'feature_list_dense_shapes': [[], [2]], 'feature_list_dense_types': ['string', 'float32'], 'feature_list_sparse_types': ['int64']}, tolerance=2e-05)
    yield Case('ParseSingleSequenceExample', [tensor('string', [], [b'']), tensor('string', [2], [b'words', b'vec']), [tensor('string', [], [b''])], [tensor('string', [], [b'n']), tensor('string', [], [b'w'])], [tensor('string', [], [b'ids'])], [tensor('string', [], [b'words']), tensor('string', [], [b'vec'])], [tensor('int64', [], [3]), tensor('float32', [2], [0.0] * 2)], tensor('string', [1], [b'name'])], {'Ncontext_dense': 2, 'Ncontext_sparse': 1, 'Nfeature_list_dense': 2, 'Nfeature_list_sparse': 1, 'Tcontext_dense': ['int64', 'float32'], 'context_dense_shapes': [[], [2]], 'context_sparse_types': ['string'], 'feature_list_dense_shapes': [[], [2]], 'feature_list_dense_types': ['string', 'float32'], 'feature_list_sparse_types': ['int64']}, tolerance=2e-05)
    yield Case('ParseSingleSequenceExample', [tensor('string', [], [b'']), tensor('string', [0], []), [tensor('string', [], [b'tags'])], [tensor('string', [], [b'n']), tensor('string', [], [b'w'])], [tensor('string', [], [b'ids'])], [tensor('string', [0], []), tensor('string', [], [b'vec'])], [tensor('int64', [0], []), tensor('float32', [1], [9.0])], tensor('string', [], [b'name'])], {'Ncontext_dense': 2, 'Ncontext_sparse': 1, 'Nfeature_list_dense': 2, 'Nfeature_list_sparse': 1, 'Tcontext_dense': ['int64', 'float32'], 'context_dense_shapes': [[], [2]], 'context_sparse_types': ['string'], 'feature_list_dense_shapes': [[], [2]], 'feature_list_dense_types': ['string', 'float32'], 'feature_list_sparse_types': ['int64']}, tolerance=2e-05)
    yield Case('ParseSingleSequenceExample', [tensor('string', [], [b'']), tensor('string', [1], [b'vec']), [tensor('string', [], [b''])], [tensor('string', [], [b'n']), tensor('string', [], [b'w'])], [tensor('string', [], [b'ids'])], [tensor('string', [], [b'']), tensor('string', [], [b'vec'])], [tensor('int64', [], [3]), tensor('float32', [1], [9.0])], tensor('string', [1], [b'name'])], {'Ncontext_dense': 2, 'Ncontext_sparse': 1, 'Nfeature_list_dense': 2, 'Nfeature_list_sparse': 1, 'Tcontext_dense': ['int64', 'float32'], 'context_dense_shapes': [[], [2]], 'context_sparse_types': ['string'], 'feature_list_dense_shapes': [[], [2]], 'feature_list_dense_types': ['string', 'float32'], 'feature_list_sparse_types': ['int64']}, tolerance=2e-05)
    yield Case('ParseExample', [tensor('string', [2], [b'\n<\n\r\n\x01z\x12\x08\x12\x06\n\x04\x00\x00\xc0?\n\x0c\n\x01c\x12\x07\n\x05\n\x01x\n\x00\n\n\n\x01b\x12\x05\x1a\x03\n\x01\x03\n\x11\n\x01a\x12\x0c\x12\n\n\x08\x00\x00\x80?\x00\x00\x00@', b'1e3']), tensor('string', [2], [b'first', b'']), [tensor('string', [], [b'a'])], [], []], {'Ndense': 0, 'Nsparse': 1, 'Tdense': [], 'dense_shapes': [], 'sparse_types': ['string']})
    yield Case('SparseTensorDenseMatMul', [tensor('int32', [1, 2], [0] * 2), tensor('int32', [1], [0]), Out(0, 0), tensor('int32', [1, 1], [0])], {'adjoint_a': False, 'adjoint_b': True}, nodes=[('Neg', [tensor('int64', [2], [0, 4])], {})])
    yield Case('SparseReshape', [tensor('int64', [1, 2], [0, -4]), tensor('int64', [2], [2, 4]), tensor('int64', [2], [2, -1])], {})
    yield Case('SparseReshape', [tensor('int64', [1, 1], [0]), tensor('int64', [1], [0]), tensor('int64', [1], [0])], {})
    yield Case('SparseReorder', [tensor('int64', [1, 2], [0] * 2), tensor('string', [2], [b''] * 2), tensor('int64', [1], [2])], {})
    yield Case('SparseReshape', [tensor('int64', [1, 2], [0] * 2), tensor('int64', [2], [0] * 2), tensor('int64', [1], [0])], {})
    yield Case('SparseTensorDenseMatMul', [tensor('int64', [1, 2], [0, 9]), tensor('float32', [1], [0.0]), tensor('int64', [2], [0, 4]), tensor('float32', [4, 0], [])], {}, tolerance=2e-05)
    yield Case('SparseTensorDenseMatMul', [tensor('int64', [1, 2], [0] * 2), tensor('float32', [1], [0.0]), tensor('int64', [2], [0, 4]), tensor('float32', [4, 0], [])], {}, tolerance=2e-05)
    yield Case('CTCLoss', [tensor('float64', [8, 3, 3], [0.0] * 72), tensor('int64', [6, 2], [0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2]), tensor('int32', [6], [1, 1, 1, 0, 1, 1]), tensor('int32', [3], [8, 1, 4])], {'ctc_merge_repeated': True, 'ignore_longer_outputs_than_inputs': False, 'preprocess_collapse_repeated': True}, tolerance=3e-11)
    yield Case('CTCLoss', [tensor('float64', [5, 2, 1], [2.0, -3.0, -3.0, 0.0, -3.0, 0.0, 0.0, -3.0, -1.0, 0.0]), tensor('int64', [3, 2], [0, 1, 1, 0, 1, 1]), tensor('int32', [3], [2, 1, 4]), tensor('int32', [2], [5, 1])], {'ctc_merge_repeated': True, 'ignore_longer_outputs_than_inputs': False, 'preprocess_collapse_repeated': False}, tolerance=3e-11)


def products():
    """Of matrices without rows."""
    for columns in (0, 1):
        yield Case('SparseTensorDenseMatMul', [tensor('int64', [1, 2], [0, 0]), tensor('float32', [1], [-0.5]),
                                               tensor('int64', [2], [0, 4]), tensor('float32', [4, columns], [1.0] * 4 * columns)])


def partitions():
    """Rows that do not go with the values."""
    one, nine = tensor('float32', [1], [1.0]), tensor('float32', [], [9.0])
    for types, rows in ((['ROW_SPLITS'], [tensor('int64', [2], [0, 2])]),
                        (['FIRST_DIM_SIZE', 'VALUE_ROWIDS'], [tensor('int64', [], [2]), tensor('int64', [2], [0, 1])])):
        yield Case('RaggedTensorToTensor', [tensor('int64', [2], [-1, -1]), one, nine, rows], {'row_partition_types': types})
    yield Case('RaggedTensorToTensor', [tensor('int64', [3], [1, 1, 4]), tensor('float32', [1, 2], [0.0, 1.0]), nine,
                                        [tensor('int64', [2], [0, 1])]], {'row_partition_types': ['ROW_SPLITS']})
    yield Case('RaggedTensorToTensor', [tensor('int64', [3], [-1, 1, 2]), tensor('float32', [1, 2], [9.0, 7.0]), nine,
                                        [tensor('int64', [0], [])]], {'row_partition_types': ['ROW_SPLITS']})


def cases():
    for part in (accumulators, windows, barriers, stages, numbers, products, partitions, found):
        yield from part()
