# differ_recipes_array.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Recipes (see differ_recipes.py) of ops that move cells about: arrays, gather, scatter, segments."""

import numpy as np

from differ_recipes import dtype_of, recipe, rough
from differ_values import broadcast_pair, draw, draw_shape, pick
from record_ops import Case, Out, Ref, Var

INDEX = ['int32', 'int32', 'int64']
ANY = ['float32', 'int32', 'int64', 'float64', 'bool', 'string', 'half', 'uint8', 'complex64', 'int8', 'uint16']


def index_dtype(r):
    return pick(r, INDEX)


def axis_of(r, rank, beyond=12):
    """An axis of a rank, either way of counting; one time in `beyond` any small number."""
    if rank == 0 or r.randint(beyond) == 0:
        return int(r.randint(-rank - 2, rank + 2))
    return int(r.randint(-rank, rank))


def indices(r, shape, limit, dtype, beyond=15):
    """Indices below a limit; one time in `beyond` one of them is not."""
    values = np.array(r.randint(0, max(1, limit), shape), dtype)
    if values.size and r.randint(beyond) == 0:
        values.reshape(-1)[r.randint(values.size)] = pick(r, [-1, limit, limit + 3])
    return values


def factors(r, n):
    """A shape of n cells."""
    shape = []
    while n > 1 and r.randint(4):
        divisors = [d for d in range(1, n + 1) if n % d == 0]
        d = pick(r, divisors)
        shape.append(d)
        n //= d
    shape.append(n)
    return shape


@recipe('Reshape')
def reshape(r, op):
    shape = draw_shape(r)
    n = int(np.prod(shape)) if shape else 1
    target = factors(r, n) if n else list(shape)
    if r.randint(3) == 0:
        target[r.randint(len(target))] = -1
    if r.randint(10) == 0:
        target[r.randint(len(target))] = pick(r, [-1, -2, 0, 2, 7])
    target = np.array(target, index_dtype(r))
    if r.randint(40) == 0:
        target = target.reshape(1, -1)
    return Case(op, [draw(r, pick(r, ANY), shape), target])


@recipe('Transpose', 'ConjugateTranspose')
def transpose(r, op):
    shape = draw_shape(r)
    perm = r.permutation(len(shape))
    if r.randint(12) == 0:
        perm = r.randint(-1, len(shape) + 1, len(shape) + r.randint(-1, 2) if len(shape) else 1)
    return Case(op, [draw(r, pick(r, ANY), shape), np.array(perm, index_dtype(r))])


@recipe('ExpandDims')
def expand_dims(r, op):
    shape = draw_shape(r, max_rank=4)
    axis = np.array(axis_of(r, len(shape) + 1), index_dtype(r))
    if r.randint(6) == 0:
        axis = axis.reshape([1] * r.randint(1, 3))
    return Case(op, [draw(r, pick(r, ANY), shape), axis])


@recipe('Squeeze')
def squeeze(r, op):
    shape = tuple(1 if r.randint(2) else d for d in draw_shape(r))
    ones = [i for i, d in enumerate(shape) if d == 1]
    axes = [int(i) - (len(shape) if r.randint(2) else 0) for i in ones if r.randint(2)]
    if r.randint(10) == 0:
        axes = [int(x) for x in r.randint(-3, 4, 2)]
    return Case(op, [draw(r, pick(r, ANY), shape)], squeeze_dims=axes)


@recipe('Fill')
def fill(r, op):
    dims = np.array(draw_shape(r), index_dtype(r))
    if r.randint(15) == 0:
        dims = dims - 2
    return Case(op, [dims, draw(r, pick(r, ANY), () if r.randint(20) else (1,))])


@recipe('BroadcastTo')
def broadcast_to(r, op):
    shape, target = broadcast_pair(r)
    if len(shape) > len(target) and r.randint(10):
        shape, target = target, shape
    target = [max(a, b) for a, b in zip(shape[::-1], target[::-1])][::-1] if r.randint(10) and \
        len(shape) == len(target) else list(target)
    return Case(op, [draw(r, dtype_of(r, op), shape), np.array(target, index_dtype(r))])


@recipe('BroadcastArgs', 'BroadcastGradientArgs')
def broadcast_args(r, op):
    a, b = broadcast_pair(r)
    dtype = index_dtype(r)
    return Case(op, [np.array(a, dtype), np.array(b, dtype)])


@recipe('InvertPermutation')
def invert_permutation(r, op):
    n = r.randint(0, 8)
    perm = np.array(r.permutation(n), index_dtype(r))
    if n and r.randint(8) == 0:
        perm[r.randint(n)] = pick(r, [-1, n, 0])
    return Case(op, [perm])


@recipe('Concat', 'ConcatV2')
def concat(r, op):
    shape = list(draw_shape(r, max_rank=4))
    axis = axis_of(r, len(shape), 20)
    if op == 'Concat' and shape and r.randint(15):
        axis %= len(shape)
    dtype = pick(r, ANY)
    parts = []
    for _ in range(r.randint(1 if r.randint(30) == 0 else 2, 6)):
        s = list(shape)
        if s and -len(s) <= axis < len(s):
            s[axis] = int(r.randint(0, 5))
        if s and r.randint(60) == 0:
            s[r.randint(len(s))] += 1
        parts.append(draw(r, dtype, s))
    at = np.array(axis, index_dtype(r) if op == 'ConcatV2' else 'int32')
    return Case(op, [parts, at] if op == 'ConcatV2' else [at, parts])


@recipe('ConcatOffset')
def concat_offset(r, op):
    shape = list(draw_shape(r, max_rank=4))
    axis = axis_of(r, len(shape))
    parts = []
    for _ in range(r.randint(2, 5)):
        s = list(shape)
        if s and -len(s) <= axis < len(s):
            s[axis] = int(r.randint(0, 5))
        if s and r.randint(40) == 0:
            s[0] += 1
        parts.append(np.array(s, np.int32))
    return Case(op, [np.array(axis, np.int32), parts])


@recipe('Pack')
def pack(r, op):
    shape = draw_shape(r, max_rank=4)
    dtype = pick(r, ANY)
    parts = [draw(r, dtype, shape if r.randint(60) else draw_shape(r)) for _ in range(r.randint(1, 6))]
    return Case(op, [parts], axis=axis_of(r, len(shape) + 1))


@recipe('Unpack')
def unpack(r, op):
    shape = draw_shape(r)
    axis = axis_of(r, len(shape))
    n = shape[axis] if shape and -len(shape) <= axis < len(shape) else 1
    if r.randint(20) == 0:
        n += 1
    return Case(op, [draw(r, pick(r, ANY), shape)], num=int(n), axis=axis)


@recipe('Split')
def split(r, op):
    shape = list(draw_shape(r))
    axis = axis_of(r, len(shape))
    n = int(r.randint(1, 5))
    if shape and -len(shape) <= axis < len(shape) and r.randint(12):
        shape[axis] = n * int(r.randint(0, 4))
    return Case(op, [np.array(axis, np.int32), draw(r, pick(r, ANY), shape)], num_split=n)


@recipe('SplitV')
def split_v(r, op):
    shape = list(draw_shape(r))
    axis = axis_of(r, len(shape))
    sizes = [int(x) for x in r.randint(0, 4, r.randint(1, 5))]
    if shape and -len(shape) <= axis < len(shape) and r.randint(12):
        shape[axis] = sum(sizes)
    if r.randint(4) == 0:
        sizes[r.randint(len(sizes))] = -1
    return Case(op, [draw(r, pick(r, ANY), shape), np.array(sizes, index_dtype(r)), np.array(axis, np.int32)],
                num_split=len(sizes) if r.randint(30) else len(sizes) + 1)


@recipe('Slice')
def slice_op(r, op):
    shape = draw_shape(r)
    dtype = index_dtype(r)
    begin = [int(r.randint(0, d + 1)) for d in shape]
    size = [int(r.randint(-1, d - b + 1)) for d, b in zip(shape, begin)]
    if shape and r.randint(10) == 0:
        pick(r, [begin, size])[r.randint(len(shape))] = pick(r, [-1, -2, 7])
    if r.randint(40) == 0:
        begin = begin + [0]
    return Case(op, [draw(r, pick(r, ANY), shape), np.array(begin, dtype), np.array(size, dtype)])


def strides(r, shape):
    """begin, end, strides and the masks of a strided slice."""
    n = r.randint(0, len(shape) + 1)
    new = 0
    begin, end, step = [], [], []
    masks = {'begin_mask': 0, 'end_mask': 0, 'ellipsis_mask': 0, 'new_axis_mask': 0, 'shrink_axis_mask': 0}
    for i in range(n):
        d = shape[i]
        begin.append(int(r.randint(-d - 1, d + 2)))
        end.append(int(r.randint(-d - 1, d + 2)))
        step.append(int(pick(r, [1, 1, 1, 2, -1, -2, 3])) if r.randint(60) else 0)
        for name in ('begin_mask', 'end_mask'):
            if r.randint(3) == 0:
                masks[name] |= 1 << i
        if r.randint(5) == 0:
            masks['shrink_axis_mask'] |= 1 << i
            step[-1] = 1
            if r.randint(8):
                begin[-1] = int(r.randint(0, d)) if d else 0
        elif r.randint(8) == 0 and new < 3:
            masks['new_axis_mask'] |= 1 << i
            new += 1
    if n and r.randint(4) == 0:
        masks['ellipsis_mask'] = 1 << r.randint(n)
        if r.randint(30) == 0:
            masks['ellipsis_mask'] |= 1 << r.randint(n)
    return begin, end, step, masks


@recipe('StridedSlice')
def strided_slice(r, op):
    shape = draw_shape(r)
    begin, end, step, masks = strides(r, shape)
    dtype = index_dtype(r)
    return Case(op, [draw(r, pick(r, ANY), shape)] + [np.array(x, dtype) for x in (begin, end, step)], masks)


def sliced_shape(shape, begin, end, step, masks):
    """What numpy makes of it; None where it does not follow TensorFlow."""
    key = []
    for i in range(len(begin)):
        bit = 1 << i
        if masks['ellipsis_mask'] & bit:
            key.append(Ellipsis)
        elif masks['new_axis_mask'] & bit:
            key.append(None)
        elif masks['shrink_axis_mask'] & bit:
            key.append(begin[i])
        else:
            key.append(slice(None if masks['begin_mask'] & bit else begin[i],
                             None if masks['end_mask'] & bit else end[i], step[i]))
    try:
        return np.zeros(shape, np.int8)[tuple(key)].shape
    except (IndexError, ValueError):
        return None


@recipe('StridedSliceGrad')
def strided_slice_grad(r, op):
    shape = draw_shape(r)
    begin, end, step, masks = strides(r, shape)
    found = sliced_shape(shape, begin, end, step, masks)
    if found is None or r.randint(20) == 0:
        found = draw_shape(r)
    dtype = index_dtype(r)
    return Case(op, [np.array(x, dtype) for x in (shape, begin, end, step)] + [draw(r, pick(r, ANY[:-4]), found)], masks)


@recipe('StridedSliceAssign', 'ResourceStridedSliceAssign')
def strided_slice_assign(r, op):
    shape = draw_shape(r)
    begin, end, step, masks = strides(r, shape)
    found = sliced_shape(shape, begin, end, step, masks)
    if found is None or r.randint(20) == 0:
        found = draw_shape(r)
    dtype = index_dtype(r)
    cells = pick(r, ['float32', 'int32', 'float64', 'int64'])
    kind = Ref if op == 'StridedSliceAssign' else Var
    return Case(op, [kind(draw(r, cells, shape))] + [np.array(x, dtype) for x in (begin, end, step)] +
                [draw(r, cells, found)], masks)


@recipe('Pad', 'PadV2', 'MirrorPad')
def pad(r, op):
    shape = draw_shape(r)
    most = 3
    paddings = r.randint(0, most + 1, (len(shape), 2))
    attrs = {}
    if op == 'MirrorPad':
        attrs['mode'] = pick(r, ['REFLECT', 'SYMMETRIC'])
        if r.randint(10):
            edge = 1 if attrs['mode'] == 'REFLECT' else 0
            paddings = np.minimum(paddings, np.maximum(0, np.array(shape).reshape(-1, 1) - edge)) if shape else paddings
    if r.randint(15) == 0 and paddings.size:
        paddings[r.randint(len(shape)), r.randint(2)] = -1
    if r.randint(40) == 0:
        paddings = paddings.reshape(2, -1)
    dtype = dtype_of(r, op)
    more = [draw(r, dtype, () if r.randint(30) else (1,))] if op == 'PadV2' else []
    return Case(op, [draw(r, dtype, shape), np.array(paddings, index_dtype(r))] + more, attrs)


@recipe('MirrorPadGrad')
def mirror_pad_grad(r, op):
    shape = draw_shape(r, max_dim=6)
    mode = pick(r, ['REFLECT', 'SYMMETRIC'])
    paddings = np.array([[r.randint(0, (d + 1) // 3 + 1), r.randint(0, (d + 1) // 3 + 1)] for d in shape] or
                        np.zeros((0, 2)), index_dtype(r))
    dtype = dtype_of(r, op)
    return Case(op, [draw(r, dtype, shape), paddings], {'mode': mode}, **rough(dtype))


@recipe('Tile')
def tile(r, op):
    shape = draw_shape(r, max_dim=4)
    multiples = r.randint(0 if r.randint(5) == 0 else 1, 4, len(shape))
    if r.randint(20) == 0:
        multiples = r.randint(-1, 4, len(shape) + r.randint(0, 2))
    return Case(op, [draw(r, dtype_of(r, op, otherwise=ANY), shape), np.array(multiples, index_dtype(r))])


@recipe('Reverse')
def reverse(r, op):
    shape = draw_shape(r)
    dims = r.randint(0, 2, len(shape) if r.randint(15) else len(shape) + 1).astype(bool)
    return Case(op, [draw(r, dtype_of(r, op), shape), dims])


@recipe('ReverseV2')
def reverse_v2(r, op):
    shape = draw_shape(r)
    n = r.randint(0, len(shape) + 1)
    axes = [int(a) - (len(shape) if r.randint(2) else 0) for a in r.permutation(len(shape))[:n]]
    if r.randint(10) == 0:
        axes.append(int(r.randint(-4, 5)))
    return Case(op, [draw(r, dtype_of(r, op), shape), np.array(axes, index_dtype(r))])


@recipe('ReverseSequence')
def reverse_sequence(r, op):
    shape = draw_shape(r, rank=pick(r, [2, 2, 3, 4, 1]))
    rank = len(shape)
    seq, batch = (int(x) for x in r.permutation(rank)[:2]) if rank > 1 else (0, 0)
    if r.randint(15) == 0:
        seq = int(r.randint(-1, rank + 1))
    n = shape[batch]
    limit = shape[seq] if 0 <= seq < rank else 3
    lengths = r.randint(0, limit + 1, n if r.randint(20) else n + 1)
    if lengths.size and r.randint(15) == 0:
        lengths[0] = pick(r, [-1, limit + 1])
    return Case(op, [draw(r, pick(r, ANY), shape), np.array(lengths, pick(r, ['int32', 'int64']))],
                seq_dim=seq, batch_dim=batch)


@recipe('Roll')
def roll(r, op):
    shape = draw_shape(r)
    n = r.randint(1, 4)
    rank = max(1, len(shape))
    axes = r.randint(-rank, rank, n) if r.randint(12) else r.randint(-5, 6, n)
    shifts = r.randint(-8, 9, n if r.randint(25) else n + 1)
    if n == 1 and r.randint(2) and shifts.size == 1:
        axes, shifts = axes.reshape(()), shifts.reshape(())
    return Case(op, [draw(r, pick(r, ANY), shape), np.array(shifts, index_dtype(r)), np.array(axes, index_dtype(r))])


@recipe('Gather', 'GatherV2')
def gather(r, op):
    shape = draw_shape(r)
    axis = axis_of(r, len(shape), 15) if op == 'GatherV2' else 0
    limit = shape[axis] if shape and -len(shape) <= axis < len(shape) else 1
    where = indices(r, draw_shape(r, max_rank=3, max_dim=4), limit, index_dtype(r))
    more = [np.array(axis, index_dtype(r))] if op == 'GatherV2' else []
    return Case(op, [draw(r, dtype_of(r, op, 'Tparams'), shape), where] + more)


@recipe('GatherNd')
def gather_nd(r, op):
    shape = draw_shape(r)
    depth = r.randint(0, len(shape) + 1) if r.randint(15) else len(shape) + 1
    front = draw_shape(r, max_rank=2, max_dim=4)
    parts = [indices(r, front, shape[i] if i < len(shape) else 1, 'int64', 40) for i in range(depth)]
    where = np.stack(parts, -1) if parts else np.zeros(tuple(front) + (0,))
    return Case(op, [draw(r, dtype_of(r, op, 'Tparams'), shape), where.astype(index_dtype(r))])


def nd_updates(r, shape):
    """Indices into a shape and the shape of their updates."""
    depth = int(r.randint(1, len(shape) + 1)) if shape else 1
    front = draw_shape(r, max_rank=2, max_dim=4)
    parts = [indices(r, front, shape[i] if i < len(shape) else 1, 'int64', 40) for i in range(depth)]
    where = np.stack(parts, -1) if parts else np.zeros(tuple(front) + (0,), 'int64')
    updates = tuple(front) + tuple(shape[depth:])
    if r.randint(20) == 0:
        updates = draw_shape(r)
    return where.astype(index_dtype(r)), updates


@recipe('ScatterNd')
def scatter_nd(r, op):
    shape = draw_shape(r)
    where, updates = nd_updates(r, shape)
    dtype = dtype_of(r, op)
    return Case(op, [where, draw(r, dtype, updates), np.array(shape, where.dtype)], **rough(dtype))


@recipe('TensorScatterAdd', 'TensorScatterSub', 'TensorScatterUpdate', 'ScatterNdNonAliasingAdd')
def tensor_scatter(r, op):
    shape = draw_shape(r)
    where, updates = nd_updates(r, shape)
    dtype = dtype_of(r, op)
    if op == 'TensorScatterUpdate' and where.size:
        # Two updates of one place: which wins is not said.
        flat = where.reshape(-1, where.shape[-1])
        if len({tuple(x) for x in flat.tolist()}) < len(flat):
            where, updates = where[:1], (1,) + tuple(updates[1:])
            if where.reshape(-1, where.shape[-1]).shape[0] > 1:
                return None
    return Case(op, [draw(r, dtype, shape), where, draw(r, dtype, updates)], **rough(dtype))


@recipe('ScatterNdAdd', 'ScatterNdSub', 'ScatterNdUpdate', 'ResourceScatterNdAdd', 'ResourceScatterNdSub',
        'ResourceScatterNdUpdate')
def scatter_nd_variable(r, op):
    shape = draw_shape(r)
    where, updates = nd_updates(r, shape)
    dtype = dtype_of(r, op)
    kind = Var if op.startswith('Resource') else Ref
    return Case(op, [kind(draw(r, dtype, shape)), where, draw(r, dtype, updates)], **rough(dtype))


@recipe('ScatterAdd', 'ScatterSub', 'ScatterMul', 'ScatterDiv', 'ScatterMin', 'ScatterMax', 'ScatterUpdate',
        'ResourceScatterAdd', 'ResourceScatterSub', 'ResourceScatterMul', 'ResourceScatterDiv', 'ResourceScatterMin',
        'ResourceScatterMax', 'ResourceScatterUpdate')
def scatter_variable(r, op):
    shape = draw_shape(r, max_rank=3)
    resource = op.startswith('Resource')
    dtype = dtype_of(r, op, 'dtype' if resource else 'T')
    where = indices(r, draw_shape(r, max_rank=2, max_dim=4), shape[0] if shape else 1, index_dtype(r))
    updates = where.shape + shape[1:]
    kind = r.randint(10)
    if kind == 0:
        updates = ()
    elif kind == 1:
        updates = draw_shape(r)
    values = draw(r, dtype, updates, 'small' if 'Mul' in op or 'Div' in op else None)
    return Case(op, [(Var if resource else Ref)(draw(r, dtype, shape)), where, values], **rough(dtype))


@recipe('ResourceGather')
def resource_gather(r, op):
    shape = draw_shape(r, max_rank=4)
    where = indices(r, draw_shape(r, max_rank=3, max_dim=4), shape[0] if shape else 1, index_dtype(r))
    dtype = dtype_of(r, op, 'dtype')
    return Case(op, [Var(draw(r, dtype, shape)), where], {'dtype': dtype})


SEGMENTS = ['SegmentSum', 'SegmentMean', 'SegmentProd', 'SegmentMin', 'SegmentMax']
UNSORTED = ['UnsortedSegmentSum', 'UnsortedSegmentProd', 'UnsortedSegmentMin', 'UnsortedSegmentMax']


@recipe(*SEGMENTS)
def segment(r, op):
    shape = draw_shape(r, rank=pick(r, [1, 2, 2, 3, 4, 0]), max_dim=7)
    n = shape[0] if shape else 1
    ids = np.sort(r.randint(0, n + 2, n if r.randint(20) else n + 1))
    if ids.size and r.randint(12) == 0:
        ids = ids[::-1] if r.randint(2) else ids - 2
    dtype = dtype_of(r, op)
    return Case(op, [draw(r, dtype, shape), np.array(ids, index_dtype(r))], **rough(dtype, 5))


@recipe(*UNSORTED)
def unsorted_segment(r, op):
    shape = draw_shape(r, rank=pick(r, [1, 2, 2, 3, 4, 0]))
    depth = r.randint(0, len(shape) + 1)
    n = int(r.randint(0, 6))
    ids = indices(r, shape[:depth] if r.randint(20) else draw_shape(r), n, index_dtype(r))
    if ids.size and r.randint(6) == 0:
        ids.reshape(-1)[0] = -1
    dtype = dtype_of(r, op)
    return Case(op, [draw(r, dtype, shape), ids, np.array(n if r.randint(30) else -1, pick(r, INDEX))], **rough(dtype, 5))


@recipe('SparseSegmentSum', 'SparseSegmentMean', 'SparseSegmentSqrtN', 'SparseSegmentSumWithNumSegments',
        'SparseSegmentMeanWithNumSegments', 'SparseSegmentSqrtNWithNumSegments')
def sparse_segment(r, op):
    shape = draw_shape(r, rank=pick(r, [1, 2, 2, 3, 4]), max_dim=6)
    n = r.randint(0, 9)
    where = indices(r, (n,), shape[0], index_dtype(r))
    ids = np.sort(r.randint(0, 5, n if r.randint(25) else n + 1)).astype(np.int32)
    if ids.size and r.randint(15) == 0:
        ids = ids[::-1].copy() if r.randint(2) else ids - 2
    dtype = dtype_of(r, op)
    more = [np.array(r.randint(0, 8) if r.randint(30) else -1, index_dtype(r))] if 'Num' in op else []
    return Case(op, [draw(r, dtype, shape), where, ids] + more, **rough(dtype, 2))


@recipe('SparseSegmentMeanGrad', 'SparseSegmentSqrtNGrad')
def sparse_segment_grad(r, op):
    segments = int(r.randint(1, 5))
    shape = (segments,) + draw_shape(r, max_rank=2)
    rows = int(r.randint(1, 7))
    n = r.randint(0, 9)
    where = indices(r, (n,), rows, index_dtype(r))
    ids = np.sort(indices(r, (n,), segments, 'int32'))
    dtype = dtype_of(r, op)
    return Case(op, [draw(r, dtype, shape), where, ids, np.array(rows, np.int32)], **rough(dtype, 2))


@recipe('DynamicPartition')
def dynamic_partition(r, op):
    shape = draw_shape(r)
    depth = r.randint(0, len(shape) + 1)
    n = int(r.randint(1, 5))
    ids = indices(r, shape[:depth] if r.randint(25) else draw_shape(r), n, 'int32')
    return Case(op, [draw(r, dtype_of(r, op, otherwise=ANY), shape), ids], num_partitions=n)


@recipe('DynamicStitch', 'ParallelDynamicStitch')
def dynamic_stitch(r, op):
    rest = draw_shape(r, max_rank=2)
    dtype = pick(r, ANY)
    where, data = [], []
    n = 0
    for _ in range(r.randint(1, 4)):
        shape = draw_shape(r, max_rank=2, max_dim=3)
        size = int(np.prod(shape)) if shape else 1
        where.append(np.arange(n, n + size))
        n += size
        data.append(draw(r, dtype, tuple(shape) + rest if r.randint(30) else draw_shape(r)))
        where[-1] = where[-1].reshape(shape)
    order = r.permutation(n)
    where = [np.array(order[w] if n else w, np.int32) for w in where]
    if r.randint(12) == 0 and where[0].size:
        where[0].reshape(-1)[0] = pick(r, [-1, n + 2])
    if op == 'DynamicStitch' and r.randint(5) == 0 and n:
        where = [w % max(1, n // 2) for w in where]
    return Case(op, [where, data])


@recipe('OneHot')
def one_hot(r, op):
    shape = draw_shape(r, max_rank=4)
    depth = int(r.randint(0, 6)) if r.randint(25) else -1
    dtype = dtype_of(r, op, otherwise=ANY)
    where = np.array(r.randint(-1, max(1, depth) + 1, shape), pick(r, ['int32', 'int64', 'uint8']))
    return Case(op, [where, np.array(depth, np.int32), draw(r, dtype, ()), draw(r, dtype, () if r.randint(30) else (1,))],
                axis=int(r.randint(-1, len(shape) + 1)) if r.randint(12) else int(r.randint(-3, 7)))


@recipe('Where')
def where_op(r, op):
    dtype = dtype_of(r, op)
    return Case(op, [draw(r, dtype, draw_shape(r, rank=pick(r, [0, 1, 2, 3, 4, 5])), pick(r, ['small', 'unit', 'special']))])


@recipe('Unique', 'UniqueWithCounts')
def unique(r, op):
    shape = (int(r.randint(0, 12)),) if r.randint(15) else draw_shape(r)
    return Case(op, [draw(r, dtype_of(r, op), shape, pick(r, ['small', 'small', 'special']))],
                out_idx=pick(r, ['int32', 'int64']))


@recipe('UniqueV2', 'UniqueWithCountsV2')
def unique_v2(r, op):
    shape = draw_shape(r, max_rank=3)
    axis = np.array([axis_of(r, len(shape))] if len(shape) != 1 or r.randint(2) else [], index_dtype(r))
    return Case(op, [draw(r, dtype_of(r, op), shape, 'unit'), axis], out_idx=pick(r, ['int32', 'int64']))


@recipe('ListDiff')
def list_diff(r, op):
    dtype = dtype_of(r, op)
    a, b = ((int(r.randint(0, 9)),) if r.randint(20) else draw_shape(r) for _ in range(2))
    return Case(op, [draw(r, dtype, a, 'small'), draw(r, dtype, b, 'small')], out_idx=pick(r, ['int32', 'int64']))


@recipe('Diag', 'DiagPart')
def diag(r, op):
    shape = draw_shape(r, max_rank=3)
    if op == 'DiagPart' and r.randint(10):
        shape = shape + shape if shape else (2, 2)
    return Case(op, [draw(r, dtype_of(r, op), shape)])


@recipe('MatrixDiag', 'MatrixDiagPart', 'BatchMatrixDiag', 'BatchMatrixDiagPart')
def matrix_diag(r, op):
    return Case(op, [draw(r, dtype_of(r, op, otherwise=ANY), draw_shape(r, rank=pick(r, [1, 2, 2, 3, 3, 4, 0])))])


@recipe('MatrixSetDiag', 'BatchMatrixSetDiag')
def matrix_set_diag(r, op):
    shape = draw_shape(r, rank=pick(r, [2, 2, 3, 3, 4, 1]))
    diagonal = shape[:-2] + (min(shape[-2:]),) if len(shape) > 1 and r.randint(12) else draw_shape(r)
    dtype = dtype_of(r, op, otherwise=ANY)
    return Case(op, [draw(r, dtype, shape), draw(r, dtype, diagonal)])


@recipe('MatrixBandPart', 'BatchMatrixBandPart')
def band_part(r, op):
    shape = draw_shape(r, rank=pick(r, [2, 2, 3, 4, 1]))
    dtype = pick(r, ['int32', 'int64'])
    low, high = (np.array(r.randint(-1, 4) if r.randint(15) else 9, dtype) for _ in range(2))
    return Case(op, [draw(r, dtype_of(r, op, otherwise=ANY), shape), low.astype('int64'), high.astype('int64')] if
                op.startswith('Batch') else [draw(r, dtype_of(r, op, otherwise=ANY), shape), low, high])


@recipe('SpaceToDepth', 'DepthToSpace')
def space_depth(r, op):
    b = int(r.randint(2, 4)) if r.randint(20) else 1
    n, h, w, c = (int(x) for x in r.randint(1, 4, 4))
    if op == 'SpaceToDepth':
        h, w = h * b, w * b
    else:
        c = c * b * b
    if r.randint(12) == 0:
        h += 1
        c += 1
    attrs = {'data_format': pick(r, ['NHWC', 'NCHW'])} if r.randint(6) == 0 else {}
    shape = (n, c, h, w) if attrs.get('data_format') == 'NCHW' else (n, h, w, c)
    return Case(op, [draw(r, dtype_of(r, op, otherwise=ANY), shape if r.randint(30) else draw_shape(r))], attrs, block_size=b)


@recipe('SpaceToBatchND', 'BatchToSpaceND')
def space_batch_nd(r, op):
    m = int(r.randint(0, 4))
    block = r.randint(1, 4, m)
    shape = [int(x) for x in r.randint(1, 4, 1 + m)] + [int(x) for x in draw_shape(r, max_rank=2)]
    edges = r.randint(0, 3, (m, 2))
    for i in range(m):
        if op == 'SpaceToBatchND':
            edges[i, 1] = (-(shape[1 + i] + edges[i, 0])) % block[i] + (block[i] if r.randint(4) == 0 else 0)
        elif r.randint(12):
            edges[i] = np.minimum(edges[i], shape[1 + i] * block[i] // 2)
    if op == 'BatchToSpaceND' and r.randint(15):
        shape[0] *= int(np.prod(block)) if m else 1
    if r.randint(12) == 0 and m:
        pick(r, [block, edges.reshape(-1)])[0] = pick(r, [-1, 0, 5])
    return Case(op, [draw(r, pick(r, ANY), shape), np.array(block, index_dtype(r)),
                     np.array(edges, index_dtype(r)).reshape(m, 2)])


@recipe('SpaceToBatch', 'BatchToSpace')
def space_batch(r, op):
    b = int(r.randint(2, 4)) if r.randint(20) else 1
    n, h, w, c = (int(x) for x in r.randint(1, 4, 4))
    edges = r.randint(0, 2, (2, 2))
    if op == 'SpaceToBatch' and r.randint(10):
        edges[0, 1] = -(h + edges[0, 0]) % b
        edges[1, 1] = -(w + edges[1, 0]) % b
    elif op == 'BatchToSpace' and r.randint(10):
        n *= b * b
    return Case(op, [draw(r, pick(r, ANY), (n, h, w, c)), np.array(edges, index_dtype(r))], block_size=b)


@recipe('Bitcast')
def bitcast(r, op):
    known = ['float32', 'int32', 'int64', 'float64', 'half', 'uint8', 'int8', 'uint16', 'int16', 'complex64', 'bfloat16',
             'uint32', 'uint64', 'complex128']
    shape = draw_shape(r, max_rank=4)
    if r.randint(2):
        shape = shape + (int(pick(r, [2, 4, 8])),)
    return Case(op, [draw(r, pick(r, known), shape)], {'type': pick(r, known)})


@recipe('LowerBound', 'UpperBound')
def bounds(r, op):
    n = int(r.randint(1, 4))
    dtype = pick(r, ['float32', 'int32', 'int64', 'float64'])
    rows = np.sort(draw(r, dtype, (n, r.randint(0, 6)), 'small'), -1)
    return Case(op, [rows, draw(r, dtype, (n if r.randint(20) else n + 1, r.randint(0, 6)), 'small')],
                out_type=pick(r, ['int32', 'int64']))


@recipe('UnravelIndex')
def unravel_index(r, op):
    dims = r.randint(1, 5, r.randint(1, 4))
    n = int(np.prod(dims))
    dtype = index_dtype(r)
    return Case(op, [indices(r, draw_shape(r, max_rank=1), n, dtype), dims.astype(dtype)])


@recipe('Range')
def range_op(r, op):
    dtype = dtype_of(r, op, 'Tidx')
    start, limit, delta = (draw(r, dtype, (), pick(r, ['plain', 'small'])) for _ in range(3))
    return Case(op, [start, limit, delta])


@recipe('LinSpace')
def lin_space(r, op):
    dtype = pick(r, ['float32', 'float64'])
    return Case(op, [draw(r, dtype, (), 'plain'), draw(r, dtype, (), 'plain'),
                     np.array(r.randint(-1 if r.randint(10) == 0 else 1, 9), index_dtype(r))], **rough(dtype))


@recipe('Bincount')
def bincount(r, op):
    dtype = pick(r, ['float32', 'int32', 'int64', 'float64'])
    shape = draw_shape(r, max_rank=3)
    values = np.array(r.randint(0 if r.randint(15) else -1, 7, shape), np.int32)
    weights = draw(r, dtype, shape if r.randint(2) else (0,))
    return Case(op, [values, np.array(r.randint(0, 8) if r.randint(20) else -1, np.int32), weights], **rough(dtype))


@recipe('Cross')
def cross(r, op):
    shape = draw_shape(r, max_rank=3) + ((3,) if r.randint(15) else (2,))
    dtype = dtype_of(r, op)
    return Case(op, [draw(r, dtype, shape), draw(r, dtype, shape if r.randint(20) else draw_shape(r))], **rough(dtype))


@recipe('HistogramFixedWidth')
def histogram(r, op):
    dtype = dtype_of(r, op)
    limits = np.sort(draw(r, dtype, (2,), 'plain'))
    if r.randint(12) == 0:
        limits = limits[::-1].copy()
    return Case(op, [draw(r, dtype, draw_shape(r), 'plain'), limits, np.array(r.randint(0 if r.randint(15) == 0 else 1, 7), np.int32)],
                dtype=pick(r, ['int32', 'int64']))


@recipe('SparseToDense')
def sparse_to_dense(r, op):
    shape = draw_shape(r, rank=pick(r, [1, 2, 2, 3]))
    dtype = pick(r, ANY)
    n = int(r.randint(0, 6))
    cells = int(np.prod(shape))
    flat = np.sort(r.choice(cells, min(n, cells), False)) if cells else np.zeros(0, int)
    where = np.stack(np.unravel_index(flat, shape), -1) if cells else np.zeros((0, len(shape)))
    if where.size and r.randint(10) == 0:
        where[r.randint(len(where))] = pick(r, [-1, 9, 0])
    kind = index_dtype(r)
    values = draw(r, dtype, (len(where),) if r.randint(4) else ())
    return Case(op, [where.astype(kind), np.array(shape, kind), values, draw(r, dtype, ())],
                validate_indices=bool(r.randint(3)))


@recipe('Shape', 'Size', 'Rank', 'ShapeN')
def shape_ops(r, op):
    dtype = pick(r, ANY)
    attrs = {} if op == 'Rank' else {'out_type': pick(r, ['int32', 'int64'])}
    if op == 'ShapeN':
        return Case(op, [[draw(r, dtype, draw_shape(r)) for _ in range(r.randint(1, 4))]], attrs)
    return Case(op, [draw(r, dtype, draw_shape(r))], attrs)


@recipe('InplaceUpdate', 'InplaceAdd', 'InplaceSub')
def inplace(r, op):
    shape = draw_shape(r, rank=pick(r, [1, 2, 2, 3]))
    dtype = pick(r, ['float32', 'float64', 'int32', 'int64', 'half'])
    n = int(r.randint(0, 4))
    return Case(op, [draw(r, dtype, shape), indices(r, (n,), shape[0], 'int32', 8), draw(r, dtype, (n,) + shape[1:])],
                **rough(dtype))


@recipe('CumulativeLogsumexp')
def cumulative_logsumexp(r, op):
    dtype = dtype_of(r, op)
    shape = draw_shape(r)
    return Case(op, [draw(r, dtype, shape), np.array(axis_of(r, len(shape)), index_dtype(r))],
                {'exclusive': bool(r.randint(2)), 'reverse': bool(r.randint(2))}, **rough(dtype, 2))
