# cases_differ_later.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What differ.py found in staging areas, sparse sums and slices, checkpoints without a name and slices of saved
tensors, and has been mended."""

import numpy as np

from cases_reader import Chain
from record_ops import Case, Out
from samples import INF, NAN, tensor


def text(*words):
    return np.array(list(words), object)


def staging():
    """An index is one number of whatever shape."""
    for shape in ([1], [1, 1], []):
        c = Chain()
        area = dict(dtypes=['float32'], shared_name='area', container='')
        c.add('Stage', [[tensor('float32', [2], [1.0, 2.0])]], **area)
        c.add('Stage', [[tensor('float32', [1], [3.0])]], **area)
        c.add('StagePeek', [tensor('int32', shape, [1])], **area)
        c.add('StageSize', **area)
        yield c.case()


def sums():
    """A threshold holds for what stands on both sides."""
    a, b = tensor('int64', [4, 2], [0, 0, 0, 2, 1, 1, 2, 2]), tensor('int64', [4, 2], [0, 1, 0, 2, 1, 1, 1, 3])
    shape = tensor('int64', [2], [3, 4])
    for dtype in ('float32', 'float64', 'int32'):
        x, y = tensor(dtype, [4], [1, 3, -1, 5]), tensor(dtype, [4], [2, 2, 2, 3])
        for limit in (0, 1, 2, 4, 9, -1):
            yield Case('SparseAdd', [a, x, shape, b, y, shape, tensor(dtype, [], [limit])])
    for dtype, real in (('complex64', 'float32'), ('complex128', 'float64')):
        x, y = tensor(dtype, [4], [1j, 3 + 4j, -1, 5]), tensor(dtype, [4], [2, 0, 1, 3j])
        for limit in (0, 1, 5, 6, -1):
            yield Case('SparseAdd', [a, x, shape, b, y, shape, tensor(real, [], [limit])])
    x, y = tensor('float32', [4], [0.0, NAN, INF, -0.5]), tensor('float32', [4], [NAN, 1.0, -INF, 0.25])
    for limit in (0.0, 1.0, NAN, INF):
        yield Case('SparseAdd', [a, x, shape, b, y, shape, tensor('float32', [], [limit])])


def products():
    """Scalars, and more dimensions than five."""
    for op in ('Add', 'Mul', 'Div'):
        for rank in (0, 1, 5, 6):
            for n in (0, 1):
                indices, dims = np.zeros([n, rank], np.int64), np.full([rank], 2, np.int64)
                for dense in ([], [2] * rank, [1] * rank):
                    yield Case('SparseDenseCwise' + op, [indices, np.full([n], 6, np.float32), dims, np.full(dense, 3, np.float32)])


        yield Case('SparseDenseCwise' + op, [np.zeros([1, 1], np.int64), np.ones([1], np.float32), np.zeros([1], np.int64),
                                             np.ones([1], np.float32)])


def slices():
    """Starts below zero, and sums of start and size that no int64 holds."""
    huge = 2 ** 63 - 1
    for start, size in ((-1, 3), (-1, 1), (-2, 10), (4, 1), (3, 5), (-5, 2), (0, huge), (2, huge), (-huge, 0), (-huge, huge)):
        yield Case('SparseSlice', [tensor('int64', [3, 1], [0, 1, 3]), tensor('float32', [3], [1.0, 2.0, 3.0]),
                                   tensor('int64', [1], [4]), tensor('int64', [1], [start]), tensor('int64', [1], [size])])


def ragged_scalars():
    for shape in ([], [0], [2], [-1], [2, 2], [0, 0]):
        for default in ([], [1]):
            rows = [tensor('int32', [], [3]), tensor('int32', [3], [0, 1, 1])]
            yield Case('RaggedTensorToTensor', [tensor('int32', [len(shape)], shape), tensor('float32', [], [5.0]),
                                                np.zeros(default, np.float32), rows],
                       {'row_partition_types': ['FIRST_DIM_SIZE', 'VALUE_ROWIDS']})


SPECS = ['A b', 'A', '', ' ', '  ', ' -', '- ', '- -', '2 2 -', '2 2 -:-', '2 2 0,1:0,2', 'a 2 -:-', '2 2 x:-', ' 2 -:-', '2  2 -:-',
         '2 2 -:- ', '2 2 0,3:-', '2 2 0:0', '2 2 -1,1:-', '2 2 0,0:-', '2 99999999999999999999 -:-', '2 2 0,1,2:-',
         '2 2 +0,1:-', '2 2 0, 1:-', '2 2 0 ,1:-', '1 2 -:-', '2 2 -:0,99999999999', '2 2 -:', '2 2 :', '2 2 ::', '2 2 -::-',
         '2 2 :-:-', '2 2 0,1,:-', '2 2 ,0,1:-', '2 2 1,2:-']


def specs():
    """A slice is read before the dimensions of the whole."""
    whole = np.ones([2, 2], np.float32)
    for spec in SPECS:
        c = Chain()
        c.add('SaveV2', [text('m')[0], text('a'), text(spec), [whole]])
        yield c.case()
        c = Chain()
        c.add('SaveV2', [text('m')[0], text('a'), text(''), [whole]])
        c.add('RestoreV2', [text('m')[0], text('a'), text(spec)], dtypes=['float32'])
        yield c.case()


def nameless():
    """Checkpoints without a name."""
    def saved(*more):
        c = Chain()
        c.add('SaveV2', ['', text('a'), text(''), [np.arange(3, dtype=np.float32)]])
        for op, inputs, attrs in more:
            c.add(op, inputs, **attrs)
        return c.case()

    def restored(prefix):
        return ('RestoreV2', [prefix, text('a'), text('')], {'dtypes': ['float32']})
    # As long as none is there.
    yield Case('RestoreV2', ['', text('a'), text('')], {'dtypes': ['float32']})
    yield saved(restored(''))
    yield saved(('MergeV2Checkpoints', [text(''), 'm'], {}), restored('m'))
    yield saved(('MergeV2Checkpoints', [text(''), 'm'], {}), restored(''))
    yield saved(('Restore', ['', 'a'], {'dt': 'float32'}))
    c = Chain()
    c.add('SaveV2', ['q', text('a'), text(''), [np.arange(3, dtype=np.float32)]])
    c.add('MergeV2Checkpoints', [text('q'), ''])
    c.add('RestoreV2', ['', text('a'), text('')], dtypes=['float32'])
    yield c.case()


def stacked():
    """Indices outside of their dimension, in rows of rows."""
    for outside in (-2, 3, 9, 1):
        rows = [('SerializeSparse', [np.array([[i]], np.int64), np.array([v], np.float32), np.array([d], np.int64)], {})
                for i, v, d in ((0, 1, 0), (outside, 2, 7))]
        nodes = rows + [('Pack', [[Out(0), Out(1)]], {}), ('Pack', [[Out(2), Out(2), Out(2)]], {})]
        yield Case('DeserializeSparse', [Out(3)], {'dtype': 'float32'}, nodes=nodes)
        yield Case('DeserializeSparse', [Out(2)], {'dtype': 'float32'}, nodes=nodes[:3])


def sequences():
    """Names of examples: a vector, first of all."""
    for serialized, names in (([b''], [['']]), ([b''], ''), ([b''], []), ([b''], ['', '']), (b'', ''), (b'', []), ([], ['a'])):
        yield Case('ParseSequenceExample', [np.array(serialized, object), np.array(names, object), []],
                   {'feature_list_sparse_keys': ['k'], 'feature_list_sparse_types': ['int64'], 'Nfeature_list_sparse': 1,
                    'context_dense_keys': [], 'context_dense_shapes': [], 'context_sparse_keys': [], 'context_sparse_types': [],
                    'feature_list_dense_keys': [], 'feature_list_dense_types': [], 'feature_list_dense_shapes': [],
                    'feature_list_dense_missing_assumed_empty': []})


def distances():
    one = tensor('int64', [1, 2], [0, 0])
    for a, b in (([4, 2 ** 63 - 2], [1, 1]), ([1, 1], [4, 2 ** 63 - 2]), ([4, 2], [3, 3])):
        yield Case('EditDistance', [one, tensor('int64', [1], [0]), tensor('int64', [2], a),
                                    one, tensor('int64', [1], [0]), tensor('int64', [2], b)])


def sounds():
    for shape, rate in (([2, 2, 2, 2], [1.0, 2.0]), ([2], [1.0, 2.0]), ([2, 2], [1.0])):
        yield Case('AudioSummaryV2', ['t', np.zeros(shape, np.float32), np.array(rate, np.float32)])


DTYPES = ['float32', 'float64', 'half', 'bfloat16', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'bool',
          'string', 'complex64', 'complex128', 'qint8', 'quint8', 'qint16', 'quint16', 'qint32']


def saved():
    """All dtypes in old checkpoints and new ones, whole and in parts, and parts of them."""
    def read(writer, spec, reader, asked, dtype):
        x = tensor(dtype, [4, 2], [b'abc'] * 8 if dtype == 'string' else [1, 2, 3, 4, 5, 6, 7, 8])
        c = Chain()
        name = 'all' if writer == 'SaveV2' else 'old_all'
        c.add(writer, [name, text('t')] + ([] if writer == 'Save' else [text(spec)]) + [[x]])
        if reader == 'RestoreV2':
            c.add(reader, [name, text('t'), text(asked)], dtypes=[dtype])
        else:
            c.add(reader, [name, 't'] + ([] if reader == 'Restore' else [asked]), dt=dtype)
        return c.case()
    part, other = '6 2 0,4:-', '6 2 1,2:-'
    for dtype in DTYPES:
        yield read('Save', '', 'Restore', '', dtype)
        yield read('SaveSlices', part, 'RestoreSlice', other, dtype)
        for spec, asked in (('', '4 2 1,2:-'), (part, part), (part, other), ('4 2 -:-', '')):
            yield read('SaveV2', spec, 'RestoreV2', asked, dtype)
        yield read('Save', '', 'RestoreV2', '', dtype)


def shards():
    """What asks for a shard before the first, names that end with a slash, and old checkpoints in several files."""
    x = np.ones([2], np.float32)
    for shard in (-2, -1, 0, 1, 7):
        c = Chain()
        c.add('Save', ['m', text('t'), [x]])
        c.add('Restore', ['m', 't'], dt='float32', preferred_shard=shard)
        yield c.case()
    for prefix in ('new/', 'new'):
        c = Chain()
        c.add('SaveV2', [prefix, text('t'), text(''), [x]])
        c.add('RestoreV2', [prefix, text('t'), text('')], dtypes=['float32'])
        yield c.case()
    yield Case('RestoreV2', ['nowhere/', text('t'), text('')], {'dtypes': ['float32']})
    yield Case('Restore', ['nowhere/', 't'], {'dt': 'float32'})
    for op in ('RestoreV2', 'Restore'):
        for asked in ('q', 'q-?????-of-00002', 'q*', 'q-?????-of-?????'):
            c = Chain()
            for i in range(2):
                c.add('Save', ['q-%05d-of-00002' % i, text('t%d' % i), [x]])
            c.add(op, [asked, text('t1'), text('')] if op == 'RestoreV2' else [asked, 't1'],
                  **({'dtypes': ['float32']} if op == 'RestoreV2' else {'dt': 'float32'}))
            yield c.case()


def contradictions():
    """Bundles that are merged and say different things of one name; wrong dtypes."""
    x = np.ones([2, 2], np.float32)
    for first, second in (('', ''), ('4 2 0,2:-', ''), ('', '4 2 0,2:-'), ('4 2 0,2:-', '4 2 2,2:-')):
        c = Chain()
        c.add('SaveV2', ['one', text('t'), text(first), [x]])
        c.add('SaveV2', ['two', text('t'), text(second), [x]])
        c.add('MergeV2Checkpoints', [text('one', 'two'), 'both'])
        if first and second:
            c.add('RestoreV2', ['both', text('t'), text('')], dtypes=['float32'])
        yield c.case()
    for dtypes in (['float32', 'int32', 'float32'], ['int32', 'float32', 'float32'], ['float32', 'float32', 'half']):
        c = Chain()
        c.add('Save', ['types', text('a', 'b', 'c'), [x, x, x]])
        c.add('RestoreV2', ['types', text('a', 'b', 'c'), text('', '', '')], dtypes=dtypes)
        yield c.case()
    c = Chain()
    c.add('SaveV2', ['there/', text('t'), text(''), [x]])
    c.add('Restore', ['there/', 't'], dt='float32')
    yield c.case()


def parts():
    """Parts of one name that are of different wholes or dtypes, that lap over, and that leave a hole."""
    whole, half, ints = np.ones([4, 2], np.float32), np.ones([2, 2], np.float32), np.ones([2, 2], np.int32)
    first, second = '4 2 0,2:-', '4 2 2,2:-'
    for specs_, data in ((['', ''], [half, np.ones([3, 2], np.float32)]), (['', ''], [half, np.ones([2, 2, 1], np.float32)]),
                         (['', ''], [half, ints]), ([first, '5 2 2,2:-'], [half, half]), ([first, second], [half, ints]),
                         ([first, '5 2 2,2:-'], [half, ints]), ([first, ''], [half, half]), (['', first], [half, half]),
                         ([first, second], [half, half])):
        c = Chain()
        c.add('SaveSlices', ['m', text('t', 't'), text(*specs_), data])
        yield c.case()
    for specs_, data in (([first, '4 2 1,2:-'], [half, half]), ([first, '4 2 3,1:-'], [half, half[:1]]), ([first, second], [half, 2 * half])):
        for op, name in (('SaveV2', 'parts'), ('SaveSlices', 'old_parts')):
            for asked in ('', first, '4 2 1,2:-'):
                c = Chain()
                c.add(op, [name, text('t', 't'), text(*specs_), data])
                c.add('RestoreV2', [name, text('t'), text(asked)], dtypes=['float32'])
                yield c.case()
    for specs_ in (['', ''], [first, '']):
        c = Chain()
        c.add('SaveV2', ['m', text('t', 't'), text(*specs_), [whole if s == '' else half for s in specs_]])
        yield c.case()


def cases():
    for part in (staging, sums, products, slices, ragged_scalars, specs, nameless, stacked, sequences, distances, sounds, saved, shards, contradictions, parts):
        yield from part()
    yield Case('StringNGrams', [tensor('string', [], [b'']), tensor('int64', [], [0])],
               {'left_pad': '<', 'ngram_widths': [-1], 'pad_width': 3, 'preserve_short_sequences': False, 'right_pad': '>>', 'separator': '|'})
