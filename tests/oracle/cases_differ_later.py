# cases_differ_later.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What differ.py found in staging areas, sparse sums and slices, checkpoints without a name and slices of saved
tensors, and has been mended."""

import numpy as np

from cases_reader import Chain
from record_ops import Case
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
    x, y = tensor('float32', [4], [0.0, NAN, INF, -0.5]), tensor('float32', [4], [NAN, 1.0, -INF, 0.25])
    for limit in (0.0, 1.0, NAN, INF):
        yield Case('SparseAdd', [a, x, shape, b, y, shape, tensor('float32', [], [limit])])


def products():
    """Scalars, and more dimensions than five."""
    for op in ('Add', 'Mul', 'Div'):
        for rank in (0, 1, 5, 6):
            for n in (0, 1):
                indices, dims = np.zeros([n, rank], np.int64), np.full([rank], 2, np.int64)
                for dense in ([], [2] * rank):
                    yield Case('SparseDenseCwise' + op, [indices, np.full([n], 6, np.float32), dims, np.full(dense, 3, np.float32)])


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


def cases():
    for part in (staging, sums, products, slices, ragged_scalars, specs, nameless):
        yield from part()
    yield Case('StringNGrams', [tensor('string', [], [b'']), tensor('int64', [], [0])],
               {'left_pad': '<', 'ngram_widths': [-1], 'pad_width': 3, 'preserve_short_sequences': False, 'right_pad': '>>', 'separator': '|'})
