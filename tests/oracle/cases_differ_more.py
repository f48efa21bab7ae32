# cases_differ_more.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What differ.py found in the families that were looked at last (checkpoints, sparse tensors, tensor arrays, ragged
tensors), and has been mended."""

import numpy as np

from cases_reader import Chain
from cases_training import SCALARS
from record_ops import Case, Out, Var, op_def_of
from samples import INF, NAN, tensor, values


def zeros(dtype, shape):
    return tensor(dtype, shape, [b'a' if dtype == 'string' else 0] * int(np.prod(shape)))


def matrices():
    def load(rows, columns, fresh=(), path='model', memory=-1, whole=None, n_columns=None, name='matrix'):
        c = Chain()
        whole = values('float32', [5, 4]) if whole is None else whole
        c.add('SaveV2', [np.array('model', object), np.array(['matrix'], object), np.array([''], object), [whole]])
        c.add('LoadAndRemapMatrix', [np.array(path, object), np.array(name, object), np.array(rows, np.int64),
                                     np.array(columns, np.int64), np.array(fresh, np.float32)],
              num_rows=len(rows), num_cols=n_columns or len(columns), max_rows_in_memory=memory)
        return c.case()
    for path in ('nowhere', '', 'x/nowhere'):
        yield load([0, 1], [1], path=path)
    for rows, memory in (([0, 5], -1), ([0, 7], 1), ([0, 4, 7], 2), ([-1, -3, 9], -1)):
        yield load(rows, [1], memory=memory)
    yield load([0, 1], [9], [1])
    yield load([0, 1], [1], name='')
    yield load([0, 1], [1], [1, 2], whole=zeros('float32', [0, 4]))


def crosses():
    def cross(indices, vals, shapes, dense):
        return Case('SparseCross', [indices, vals, shapes, dense], N=len(indices), hash_key=5, hashed_output=False,
                    internal_type='string', num_buckets=0, out_type='string', sparse_types=['string'] * len(vals),
                    dense_types=['string'] * len(dense))

    def at(*rows):
        return tensor('int64', [len(rows), 2], [x for r in rows for x in (r, 0)])
    one, v, shape, d = at(0), zeros('string', [1]), tensor('int64', [2], [2, 1]), zeros('string', [2, 1])
    for other in (tensor('int64', [1, 2], [0, 0]), tensor('int64', [3], [0, 0, 0]), tensor('int64', [2], [3, 1])):
        yield cross([one, one], [v, v], [shape, other], [d])
    yield cross([one, zeros('int64', [1, 3])], [v, v], [shape, shape], [d])
    yield cross([one, one], [v, zeros('string', [2])], [shape, shape], [d])
    yield cross([one, one], [v, v], [shape, shape], [d, zeros('string', [3, 1])])
    yield cross([one], [v], [tensor('int64', [1], [0])], [d])
    yield cross([], [], [], [])
    yield cross([one, one], [v], [shape, shape], [d])
    for rows in ((5,), (-5,), (1, 0), (0, 1, 0), (1, 0, 1), (0, 0, 7, 1)):
        yield cross([at(*rows)], [zeros('string', [len(rows)])], [shape], [])
        yield cross([at(*rows), at(0, 1)], [zeros('string', [len(rows)]), zeros('string', [2])], [shape, shape], [])


def sparse_rows():
    def read(rows, dtype, out_type):
        nodes = [('SerializeSparse', list(row), {'out_type': out_type}) for row in rows]
        nodes.append(('Pack', [[Out(k, 0) for k in range(len(rows))]], {'axis': 0}))
        return Case('DeserializeSparse', [Out(len(rows), 0)], {'dtype': dtype}, nodes=nodes)
    shape = tensor('int64', [2], [2, 2])
    right = (zeros('int64', [1, 2]), zeros('float32', [1]), shape)
    narrow = (zeros('int64', [1, 1]), zeros('float32', [1]), shape)
    long = (zeros('int64', [2, 2]), zeros('float32', [1]), shape)
    for out_type in ('variant', 'string'):
        for rows in ([narrow, right], [right, narrow], [long, right]):
            for dtype in ('float32', 'int32'):
                yield read(rows, dtype, out_type)


def tensors_as_datasets():
    for op in ('TensorDataset', 'TensorSliceDataset'):
        for shapes in ([[2, 3]], [[3]], [None], [[4]], [[3], [3]]):
            yield Case('IteratorGetNext', [Out(1, 0)], {'output_types': ['float32'], 'output_shapes': [None]}, nodes=[
                (op, [[zeros('float32', [2, 3])]], {'Toutput_types': ['float32'], 'output_shapes': shapes}),
                ('IteratorV2', [], {'shared_name': '', 'container': '', 'output_types': ['float32'], 'output_shapes': [None]}),
                ('MakeIterator', [Out(0, 0), Out(1, 0)], {})])


def unwritten():
    """Which of an optimizer's variables is not there before it is written."""
    for op in ('ResourceApplyAdadelta', 'ResourceSparseApplyAdadelta', 'ResourceApplyAdamWithAmsgrad', 'ResourceApplyAdam'):
        args = list(op_def_of(op).input_arg)
        slots = [i for i, a in enumerate(args) if a.type == 20]
        for missing in slots:
            inputs = []
            for i, a in enumerate(args):
                if i in slots:
                    inputs.append(Var(None, 'float32') if i == missing else Var(tensor('float32', [2], [1.0, 1.0])))
                elif a.name in ('grad', 'indices'):
                    inputs.append(tensor('float32', [2], [1.0, 1.0]) if a.name == 'grad' else tensor('int32', [2], [0, 1]))
                else:
                    inputs.append(np.array(SCALARS[a.name], np.float32))
            yield Case(op, inputs)


def centered():
    """In half precision it shows what is added first: epsilon, or the square that is taken away."""
    def halves(*numbers):
        return tensor('float16', [len(numbers), 1], list(numbers))

    rate = tensor('float16', [], [0.0010004043579101562])
    for op in ('ResourceSparseApplyCenteredRMSProp', 'SparseApplyCenteredRMSProp'):
        slots = [Var(zeros('float16', [3, 1])) for _ in range(4)]
        yield Case(op, slots + [tensor('float16', [], [0.04998779296875]), rate, rate, rate,
                                halves(-0.8427734375, -0.517578125, -0.6005859375), tensor('int32', [3], [2, 0, 2])], tolerance=0.004)


def ragged():
    def fill(shape, vals, default, rows, types=('ROW_SPLITS',)):
        return Case('RaggedTensorToTensor', [shape, vals, default, rows], {'row_partition_types': list(types)})

    def ints(*v):
        return tensor('int64', [len(v)], list(v))
    open_, nine = tensor('int64', [], [-1]), tensor('float32', [], [9.0])
    sized = ('FIRST_DIM_SIZE', 'VALUE_ROWIDS')
    four = tensor('float32', [4], [1.0, 2.0, 3.0, 4.0])
    yield fill(tensor('int64', [], [0]), four, nine, [ints(0, 4)])
    yield fill(ints(-3), four, nine, [ints(3, 0)])
    yield fill(ints(1, 1), zeros('float32', [1, 2]), nine, [ints(0, 1)])
    yield fill(ints(0, 0, 2), zeros('float32', [6, 0]), nine, [ints(6, 0)])
    yield fill(open_, zeros('float32', [1, 1]), zeros('float32', [2]), [ints(2)])
    yield fill(open_, four, zeros('float32', [1, 1]), [ints(0, 4)])
    yield fill(ints(-1, 1, 2), tensor('float32', [6, 2], [float(i) for i in range(12)]), zeros('float32', [1, 2]), [ints(0, 6)])
    # Rows that end before they begin, that begin late, or that go back.
    for splits in ((0, 3, 2, 4), (2, 4, 6), (0, 4, 4, 1), (1, 5), (0, 3), (0, 5)):
        yield fill(open_, four, nine, [ints(*splits)])
        yield fill(ints(2, 3), four, nine, [ints(*splits)])
    for rowids in ((0, 1, 0, 1), (1, 1, 0, 0), (2, 0, 0, 2), (0, 0, 0, 0)):
        yield fill(open_, four, nine, [tensor('int64', [], [3]), ints(*rowids)], sized)
        yield fill(ints(3, 1), four, nine, [tensor('int64', [], [3]), ints(*rowids)], sized)
    yield fill(open_, four, nine, [tensor('int64', [], [-2]), ints(0, 0, 0, 0)], sized)
    yield fill(open_, four, nine, [ints(0, 2, 3), ints(0, 1, 1, 4)], ('ROW_SPLITS', 'ROW_SPLITS'))
    yield fill(open_, four, nine, [ints(0, 2, 3), ints(0, 0, 2, 1)], ('ROW_SPLITS', 'VALUE_ROWIDS'))


def cases():
    for part in (matrices, crosses, sparse_rows, tensors_as_datasets, unwritten, centered, ragged):
        yield from part()
    yield Case('TensorArrayScatterV3', [Out(0, 0), tensor('int32', [0], []), tensor('float32', [0, 3], []), tensor('float32', [1], [0.0])], {'T': 'float32'}, nodes=[('TensorArrayV3', [tensor('int32', [], [0])], {'dtype': 'float32'})])
    yield Case('TensorArrayWriteV3', [Out(0, 0), tensor('int32', [], [0]), tensor('float32', [], [0.0]), tensor('float32', [1], [0.0])], {'T': 'float32'}, nodes=[('TensorArrayV3', [tensor('int32', [], [2])], {'dtype': 'float32'})])
    for collapse in (False, True):
        for labels in ([0, 0], [0, 1], [1, 0]):
            yield Case('CTCLoss', [tensor('float32', [1, 1, 3], [0.0, 0.5, 1.0]), tensor('int64', [2, 2], [0, 0, 0, 1]), tensor('int32', [2], labels), tensor('int32', [1], [1])], {'ignore_longer_outputs_than_inputs': True, 'preprocess_collapse_repeated': collapse}, tolerance=1e-05)
    yield Case('ParseTensor', [tensor('string', [], [b'\xc3\xa9t\xc3\xa9'])], {'out_type': 'float32'})
    yield Case('TensorArrayGatherV3', [Out(0, 0), tensor('int32', [0], []), tensor('float32', [], [0.0])], {'dtype': 'float32'}, nodes=[('TensorArrayV3', [tensor('int32', [], [0])], {'dtype': 'float32', 'element_shape': [3]})])
    yield Case('RandomShuffleQueueV2', [], {'capacity': 0, 'component_types': ['float32'], 'shapes': [[None]]})
    yield Case('RandomShuffleQueueV2', [], {'component_types': ['float32'], 'min_after_dequeue': -1, 'shared_name': '_q'})
    yield Case('RandomShuffleQueueV2', [], {'component_types': ['float32'], 'shared_name': '_q', 'shapes': [[None]]})
    yield Case('FIFOQueueV2', [], {'component_types': ['float32'], 'shared_name': '_q', 'shapes': [[None]]})
    yield Case('RaggedTensorToTensor', [tensor('int64', [1], [6]), tensor('float32', [], [1.0]), tensor('float32', [], [0.0]), [tensor('int64', [2], [0, 2])]], {'row_partition_types': ['ROW_SPLITS']})
    yield Case('RaggedTensorToTensor', [tensor('int64', [3], [-1, 1, 2]), tensor('float32', [1, 2], [0.0] * 2), tensor('float32', [2, 1], [0.0] * 2), [tensor('int64', [2], [0, 2])]], {'row_partition_types': ['ROW_SPLITS']})
