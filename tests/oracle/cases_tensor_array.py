# cases_tensor_array.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, Out
from samples import NUMBERS, values

FLOW = np.float32(0)


def f(*shape, **more):
    return values('float32', list(shape), **more)


def make(size=2, dtype='float32', **attrs):
    return ('TensorArrayV3', [np.array(size, 'int32')], dict(dtype=dtype, tensor_array_name='ta', **attrs))


def write(index, value, array=0):
    return ('TensorArrayWriteV3', [Out(array), np.array(index, 'int32'), value, FLOW], dict(T=value.dtype.name))


def chain(nodes, dtype='float32', **more):
    op, inputs, attrs = nodes[-1]
    attrs = dict(attrs)
    return Case(op, inputs, attrs=attrs, nodes=nodes[:-1], **more)


def read(index, dtype='float32'):
    return ('TensorArrayReadV3', [Out(0), np.array(index, 'int32'), FLOW], dict(dtype=dtype))


def gather(indices, array=0, dtype='float32', **attrs):
    return ('TensorArrayGatherV3', [Out(array), np.array(indices, 'int32'), FLOW], dict(dtype=dtype, **attrs))


def concat(array=0, dtype='float32', **attrs):
    return ('TensorArrayConcatV3', [Out(array), FLOW], dict(dtype=dtype, **attrs))


def scatter(indices, value, array=0):
    return ('TensorArrayScatterV3', [Out(array), np.array(indices, 'int32'), value, FLOW], dict(T=value.dtype.name))


def split(lengths, value, array=0):
    return ('TensorArraySplitV3', [Out(array), value, np.array(lengths, 'int64'), FLOW], dict(T=value.dtype.name))


def size(array=0):
    return ('TensorArraySizeV3', [Out(array), FLOW], {})


def grad(array=0, source='gradients'):
    return ('TensorArrayGradV3', [Out(array), FLOW], dict(source=source))


def elements():
    for dtype in NUMBERS + ['bool']:
        x = values(dtype, [2, 3])
        yield chain([make(dtype=dtype), write(1, x), read(1, dtype)])
        yield chain([make(dtype=dtype), write(0, x), write(1, x), gather([1, 0], dtype=dtype)])
        yield chain([make(dtype=dtype), scatter([1, 0], x), concat(dtype=dtype)])
    yield chain([make(-1), size()])
    yield chain([make([1]), size()])
    yield chain([make(0), size()])
    yield chain([make(3), size()])
    for index in (-1, 5, [0]):
        yield chain([make(), write(index, f(2))])
        yield chain([make(), write(0, f(2)), read(index)])
    yield chain([make(dynamic_size=True), write(5, f(2)), size()])
    yield chain([make(dynamic_size=True), write(-1, f(2)), size()])
    yield chain([make(), write(0, values('int32', []))])
    yield chain([make(element_shape=[2]), write(0, f())])
    yield chain([make(identical_element_shapes=True), write(0, f(2)), write(1, f(3))])
    yield chain([make(), write(0, f(2)), write(0, f(2))])
    yield chain([make(), write(0, f(2)), read(0), write(0, f(2))])
    yield chain([make(), write(0, f(2)), read(0), read(0)])
    yield chain([make(clear_after_read=False), write(0, f(2)), read(0), read(0)])
    yield chain([make(element_shape=[2]), read(0)])
    yield chain([make(), read(0)])
    yield chain([make(), write(0, f(2)), read(0, 'int32')])
    yield chain([make(), ('TensorArrayCloseV3', [Out(0)], {}), write(0, f(2))])
    yield chain([make(), ('TensorArrayCloseV3', [Out(0)], {}), read(0)])
    yield chain([make(), ('TensorArrayCloseV3', [Out(0)], {}), size()])


def many():
    for indices, attrs in (([0], {}), ([], {}), ([], dict(element_shape=[3])), ([[0]], {}), ([0, 5], {}),
                           ([0], dict(element_shape=[3])), ([0, 1, 1], {})):
        yield chain([make(), write(0, f(2)), write(1, f(2, key=1)), gather(indices, **attrs)])
    yield chain([make(element_shape=[3]), gather([0, 1])])
    yield chain([make(), gather([0])])
    yield chain([make(), write(0, f(2)), write(1, f(3)), gather([0, 1])])
    yield chain([make(clear_after_read=False), write(0, f(2)), write(1, f(2)), gather([0, 1, 1])])
    for indices, value in (([0], f(2)), ([0, 5], f(2)), ([[0]], f(2)), ([0], f()), ([1, 0], f(2, 3)), ([0, 0], f(2, 3)),
                           ([-1, 0], f(2)), ([], f(0, 3))):
        yield chain([make(), scatter(indices, value)])
    yield chain([make(0, dynamic_size=True), scatter([3, 1], f(2)), size()])
    for lengths, value in (([1, 2], f(2)), ([1, 1, 0], f(2)), (1, f(2)), ([1], f()), ([1, 2], f(3, 2)), ([0, 2], f(2))):
        yield chain([make(), split(lengths, value)])
    yield chain([make(), split([1, 2], f(3, 2)), read(1)])
    yield chain([make(), split([1, 2], f(3, 2)), concat()])
    yield chain([make(), write(0, f(2, 2)), write(1, f(3, 2)), concat()])
    yield chain([make(), write(0, f(2, 2)), write(1, f(3, 3)), concat()])
    yield chain([make(), write(0, f()), write(1, f()), concat()])
    yield chain([make(), concat()])
    yield chain([make(0), concat()])
    yield chain([make(0), concat(element_shape_except0=[2])])
    for n in (0, 2, 3):
        yield chain([make(n, dynamic_size=True), split([1, 2], f(3, 2)), size()])


def gradients():
    written = [make(3, clear_after_read=False), write(0, f(2)), write(1, f(2, key=1))]
    yield chain(written + [grad(), gather([0, 1], array=3)])
    yield chain(written + [grad(), write(0, f(2, key=2), array=3), gather([0, 1], array=3)])
    yield chain(written + [grad(), write(0, f(2, key=2), array=3), write(0, f(2, key=3), array=3), gather([0, 1], array=3)])
    yield chain(written + [grad(), write(0, f(3), array=3)])
    yield chain(written + [grad(), gather([2], array=3)])
    yield chain(written + [grad(), grad(source='other'), write(1, f(2, key=2), array=4), gather([0, 1], array=4)])
    yield chain(written + [grad(), grad(), write(1, f(2, key=2), array=3), gather([0, 1], array=4)])
    yield chain([make(1, dynamic_size=True), write(0, f(2)), grad(), write(2, f(2))])
    yield chain([make(2), write(0, f(2)), ('TensorArrayGradWithShape', [Out(0), FLOW, np.int32([3])], dict(source='g')),
                 gather([0], array=2)])
    # What split gave is joined, not what was written behind it.
    for lengths in ([1, 1, 2], [1, 3]):
        divided = [make(2, dynamic_size=True), split(lengths, f(4))]
        yield chain(divided + [grad(), concat(2)])
        yield chain(divided + [write(4, f(2)), grad(), concat(3)])
        yield chain(divided + [write(4, f(2)), grad(), size(3)])
        yield chain(divided + [grad(), write(1, f(lengths[1], key=2), array=2), concat(2)])


def push(value, stack=0, op='StackPushV2'):
    return (op, [Out(stack), value], dict(T=value.dtype.name))


def stacks():
    for v2 in ('V2', ''):
        def new(limit=-1, dtype='float32'):
            attrs = dict(elem_type=dtype, stack_name='st')
            return ('StackV2', [np.array(limit, 'int32')], attrs) if v2 else ('Stack', [], attrs)
        pop = ('StackPop' + v2, [Out(0)], dict(elem_type='float32'))
        for dtype in ('float32', 'int32', 'bool', 'string', 'int64'):
            yield chain([new(dtype=dtype), push(values(dtype, [2]), op='StackPush' + v2) if dtype != 'string' else
                         ('StackPush' + v2, [Out(0), values(dtype, [2])], dict(T=dtype)),
                         ('StackPop' + v2, [Out(0)], dict(elem_type=dtype))], checks=None if v2 else 'shape')
        yield chain([new(), pop])
        yield chain([new(), push(f(2), op='StackPush' + v2), push(f(3), op='StackPush' + v2), pop],
                    checks=None if v2 else 'shape')
        yield chain([new(), push(values('int32', []), op='StackPush' + v2)])
        yield chain([new(), ('StackClose' + v2, [Out(0)], {}), push(f(2), op='StackPush' + v2)])
        yield chain([new(), ('StackClose' + v2, [Out(0)], {}), pop])
        if v2:
            yield chain([new(1), push(f(2)), push(f(2))])
            yield chain([new([1, 2])])


def cases():
    for group in (elements, many, gradients, stacks):
        for case in group():
            yield case
