# differ_recipes_nn.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Recipes of convolution, pooling, normalisation and recurrent cells: most of what they give runs."""

import numpy as np

from differ_recipes import dtype_of, recipe, rough
from differ_values import draw, pick
from record_ops import Case, Out

# Values without NaN and infinity most of the time: sums spread them over every cell.
KINDS = ['plain', 'plain', 'plain', 'small', 'unit']


def off(r, shape, often=40):
    """The shape, or, seldom, one that is a little wrong."""
    shape = [int(d) for d in shape]
    if r.randint(often) == 0 and shape:
        kind = r.randint(4)
        i = r.randint(len(shape))
        if kind == 0:
            shape[i] += 1
        elif kind == 1:
            shape[i] = max(0, shape[i] - 1)
        elif kind == 2:
            shape.pop(i)
        else:
            shape.insert(i, 1)
    return tuple(shape)


def values(r, dtype, shape, kind=None):
    return draw(r, dtype, shape, kind or pick(r, KINDS))


# --- windows ----------------------------------------------------------------------------------------

def output_length(n, size, stride, dilation, padding, pads=(0, 0)):
    wide = (size - 1) * dilation + 1
    if padding == 'SAME':
        return -(-n // stride)
    return max(0, (n + sum(pads) - wide) // stride + 1)


class Windows(object):
    """Lengths of images, of windows, steps between them and padding that go together, in `m` dimensions."""

    def __init__(self, r, m, dilated=False, explicit=False):
        self.padding = pick(r, ['SAME', 'VALID'])
        self.size = [int(pick(r, [1, 2, 3, 3, 4, 5])) for _ in range(m)]
        self.stride = [int(pick(r, [1, 1, 2, 3]))] * m
        if r.randint(3) == 0:
            self.stride = [int(pick(r, [1, 2, 3])) for _ in range(m)]
        self.dilation = [int(pick(r, [1, 2, 3])) if dilated and r.randint(4) == 0 else 1 for _ in range(m)]
        self.pads = [(0, 0)] * m
        if explicit and r.randint(5) == 0:
            self.padding = 'EXPLICIT'
            self.pads = [(int(r.randint(3)), int(r.randint(3))) for _ in range(m)]
        self.image = []
        for i in range(m):
            wide = (self.size[i] - 1) * self.dilation[i] + 1
            least = 1 if self.padding == 'SAME' else max(1, wide - sum(self.pads[i]))
            self.image.append(int(least + r.randint(0, 7 if m < 3 else 4)) if r.randint(30) else int(r.randint(0, 9)))
        self.out = [output_length(*a) for a in zip(self.image, self.size, self.stride, self.dilation,
                                                   [self.padding] * m, self.pads)]

    def attrs(self, r, m):
        found = {'strides': [1] + self.stride + [1], 'padding': self.padding}
        if self.dilation != [1] * m or r.randint(10) == 0:
            found['dilations'] = [1] + self.dilation + [1]
        if self.padding == 'EXPLICIT':
            found['explicit_paddings'] = [0, 0] + [p for pair in self.pads for p in pair] + [0, 0]
        return found


def sums_of(dtype, cells):
    """TensorFlow sums halves as halves: what is lost grows with what there is to sum."""
    return rough(dtype, 4 + cells // (8 if dtype in ('half', 'bfloat16') else 50))


def convolution(r, op, m, dtype):
    w = Windows(r, m, dilated=m == 2, explicit=m == 2 and not op.startswith('Depthwise'))
    batch, depth, outputs = int(pick(r, [1, 2, 3])), int(pick(r, [1, 2, 3, 4, 8])), int(pick(r, [1, 2, 3, 5, 8]))
    image = [batch] + w.image + [depth]
    kernel = w.size + [depth, outputs]
    out = [batch] + w.out + [depth * outputs if op.startswith('Depthwise') else outputs]
    if op.startswith('Depthwise') and r.randint(10):
        # Its kernels take one step for both directions.
        w.stride = [w.stride[0]] * m
        out[1:-1] = [output_length(*a) for a in zip(w.image, w.size, w.stride, w.dilation, [w.padding] * m, w.pads)]
    return w.attrs(r, m), off(r, image), off(r, kernel), off(r, out)


@recipe('Conv2D', 'Conv3D', 'DepthwiseConv2dNative')
def conv(r, op):
    dtype = dtype_of(r, op)
    attrs, image, kernel, _ = convolution(r, op, 3 if '3D' in op else 2, dtype)
    return Case(op, [values(r, dtype, image), values(r, dtype, kernel)], attrs,
                **sums_of(dtype, int(np.prod(kernel[:-1]))))


@recipe('Conv2DBackpropFilter', 'Conv2DBackpropInput', 'Conv3DBackpropFilter', 'Conv3DBackpropFilterV2',
        'Conv3DBackpropInput', 'Conv3DBackpropInputV2', 'DepthwiseConv2dNativeBackpropFilter',
        'DepthwiseConv2dNativeBackpropInput')
def conv_grad(r, op):
    dtype = dtype_of(r, op)
    attrs, image, kernel, out = convolution(r, op, 3 if '3D' in op else 2, dtype)
    if 'Filter' in op:
        first, second = values(r, dtype, image), np.array(kernel, np.int32)
        if op == 'Conv3DBackpropFilter':
            second = values(r, dtype, kernel)
    else:
        first, second = np.array(image, np.int32), values(r, dtype, kernel)
        if op == 'Conv3DBackpropInput':
            first = values(r, dtype, image)
        if op == 'Conv3DBackpropInputV2' and r.randint(3) == 0:
            first = first.astype(np.int64)
        if op == 'Conv2DBackpropInput' and r.randint(10) == 0:
            # The two lengths of space alone, as some graphs have it.
            first = first[1:-1]
    # The first of volumes were removed in version 10 of the GraphDef.
    producer = 9 if op in ('Conv3DBackpropFilter', 'Conv3DBackpropInput') else None
    cells = np.prod(out[:-1]) if 'Filter' in op else np.prod(kernel[:-2]) * kernel[-1] if len(kernel) > 2 else 1
    return Case(op, [first, second, values(r, dtype, out)], attrs, producer=producer, **sums_of(dtype, int(cells)))


def pool_windows(r, op):
    m = 3 if '3D' in op else 2
    w = Windows(r, m)
    batch, depth = int(pick(r, [1, 2, 3])), int(pick(r, [1, 2, 3, 5]))
    attrs = {'ksize': [1] + w.size + [1], 'strides': [1] + w.stride + [1], 'padding': w.padding}
    image, out = [batch] + w.image + [depth], [batch] + w.out + [depth]
    if op in ('MaxPool', 'MaxPoolV2') and r.randint(15) == 0:
        # Over channels, which the kernel takes in whole windows alone.
        k = int(pick(r, [1, 2, 3]))
        image = [batch] + w.image + [k * 2]
        attrs['ksize'] = [1] * (m + 1) + [k]
        attrs['strides'] = [1] * (m + 1) + [k]
    return attrs, off(r, image), off(r, out)


def take_windows(attrs):
    return [np.array(attrs.pop(name), np.int32) for name in ('ksize', 'strides')]


@recipe('AvgPool', 'AvgPool3D', 'MaxPool', 'MaxPool3D', 'MaxPoolV2', 'MaxPoolWithArgmax')
def pool(r, op):
    dtype = dtype_of(r, op)
    attrs, image, _ = pool_windows(r, op)
    inputs = [values(r, dtype, image)]
    if op == 'MaxPoolV2':
        inputs += take_windows(attrs)
    if op == 'MaxPoolWithArgmax':
        attrs['Targmax'] = pick(r, ['int64', 'int32'])
        attrs['include_batch_in_index'] = bool(r.randint(2))
    return Case(op, inputs, attrs, **rough(dtype, 2))


@recipe('AvgPoolGrad', 'AvgPool3DGrad')
def average_pool_grad(r, op):
    dtype = dtype_of(r, op)
    attrs, image, out = pool_windows(r, op)
    return Case(op, [np.array(image, np.int32), values(r, dtype, out)], attrs, **rough(dtype, 3))


@recipe('MaxPoolGrad', 'MaxPoolGradV2', 'MaxPool3DGrad')
def max_pool_grad(r, op):
    """The output comes from the pooling itself, so that the windows have their largest cell."""
    forward = 'MaxPool3D' if '3D' in op else 'MaxPool'
    dtype = dtype_of(r, op)
    attrs, image, out = pool_windows(r, op)
    image = values(r, dtype, image)
    nodes = [(forward, [image], dict(attrs))]
    more = take_windows(attrs) if op == 'MaxPoolGradV2' else []
    return Case(op, [image, Out(0), values(r, dtype, out)] + more, attrs, nodes=nodes, **rough(dtype, 3))


@recipe('MaxPoolGradGrad', 'MaxPoolGradGradV2', 'MaxPool3DGradGrad')
def max_pool_grad_grad(r, op):
    forward = 'MaxPool3D' if '3D' in op else 'MaxPool'
    dtype = dtype_of(r, op)
    attrs, image, _ = pool_windows(r, op)
    image, grad = values(r, dtype, image), values(r, dtype, image)
    nodes = [(forward, [image], dict(attrs))]
    more = take_windows(attrs) if op == 'MaxPoolGradGradV2' else []
    return Case(op, [image, Out(0), grad] + more, attrs, nodes=nodes, **rough(dtype, 3))


@recipe('MaxPoolGradWithArgmax', 'MaxPoolGradGradWithArgmax')
def max_pool_grad_argmax(r, op):
    dtype = dtype_of(r, op)
    attrs, image, out = pool_windows(r, op)
    attrs['include_batch_in_index'] = bool(r.randint(2))
    x = values(r, dtype, image)
    grad = values(r, dtype, image if 'GradGrad' in op else out)
    nodes = [('MaxPoolWithArgmax', [x], dict(attrs, Targmax='int64'))]
    return Case(op, [x, grad, Out(0, 1)], attrs, nodes=nodes, **rough(dtype, 3))


def fractional_shape(r):
    return off(r, [pick(r, [1, 2]), r.randint(1, 14), r.randint(1, 14), pick(r, [1, 2, 3])])


def fractional_attrs(r, op):
    return {'pooling_ratio': [1.0, float(pick(r, [1.0, 1.2, 1.44, 1.73, 2.0, 2.6, 3.1])),
                              float(pick(r, [1.0, 1.3, 1.5, 1.73, 2.0, 2.5])), 1.0],
            'pseudo_random': bool(r.randint(2)), 'overlapping': bool(r.randint(2)),
            'deterministic': True, 'seed': int(r.randint(1, 900)), 'seed2': int(r.randint(1, 900))}


@recipe('FractionalAvgPool', 'FractionalMaxPool')
def fractional_pool(r, op):
    dtype = dtype_of(r, op)
    return Case(op, [values(r, dtype, fractional_shape(r))], fractional_attrs(r, op), **rough(dtype, 2))


@recipe('FractionalAvgPoolGrad', 'FractionalMaxPoolGrad')
def fractional_pool_grad(r, op):
    """The gradient's shape is asked for by an Identity of what was pooled: random sequences decide on it."""
    dtype = dtype_of(r, op)
    attrs = fractional_attrs(r, op)
    shape = fractional_shape(r)
    x = values(r, dtype, shape)
    nodes = [(op[:-4], [x], attrs), ('Square' if r.randint(2) else 'Neg', [Out(0)], {})]
    inputs = [np.array(shape, np.int64), Out(1), Out(0, 1), Out(0, 2)] if 'Avg' in op else \
        [x, Out(0), Out(1), Out(0, 1), Out(0, 2)]
    return Case(op, inputs, {'overlapping': attrs['overlapping']}, nodes=nodes, **rough(dtype, 4))


# --- normalisation ----------------------------------------------------------------------------------

@recipe('FusedBatchNorm', 'FusedBatchNormV2', 'FusedBatchNormV3')
def batch_norm(r, op):
    dtype = dtype_of(r, op)
    of_scale = dtype if op == 'FusedBatchNorm' else 'float32'
    depth = int(pick(r, [1, 2, 3, 4, 8]))
    shape = off(r, [pick(r, [1, 2, 3]), r.randint(1, 6), r.randint(1, 6), depth])
    training = bool(r.randint(2))
    rows = [off(r, [depth], 60) for _ in range(2)]
    rows += [(0,) if training and r.randint(12) else off(r, [depth], 60) for _ in range(2)]
    inputs = [values(r, dtype, shape)] + [values(r, of_scale, s) for s in rows[:3]] + \
        [values(r, of_scale, rows[3], 'unit' if r.randint(10) else None)]
    attrs = {'is_training': training, 'epsilon': float(pick(r, [1e-4, 1e-3, 0.1]))}
    return Case(op, inputs, attrs, meaningless=() if training else (1, 2, 3, 4), **rough(dtype, 10))


@recipe('FusedBatchNormGrad', 'FusedBatchNormGradV2', 'FusedBatchNormGradV3')
def batch_norm_grad(r, op):
    dtype = dtype_of(r, op)
    of_scale = dtype if op == 'FusedBatchNormGrad' else 'float32'
    depth = int(pick(r, [1, 2, 3, 4, 8]))
    shape = off(r, [pick(r, [1, 2, 3]), r.randint(1, 6), r.randint(1, 6), depth])
    inputs = [values(r, dtype, shape), values(r, dtype, shape), values(r, 'float32' if 'V' in op else of_scale, (depth,)),
              values(r, of_scale, (depth,)), values(r, of_scale, (depth,), 'unit')]
    if op.endswith('V3'):
        inputs.append(values(r, of_scale, pick(r, [(depth,), (0,), (1,)])))
    attrs = {'is_training': bool(r.randint(2)), 'epsilon': float(pick(r, [1e-3, 0.1]))}
    return Case(op, inputs, attrs, meaningless=(3, 4), **rough(dtype, 40))


@recipe('BatchNormWithGlobalNormalization', 'BatchNormWithGlobalNormalizationGrad')
def global_norm(r, op):
    dtype = dtype_of(r, op)
    depth = int(pick(r, [1, 2, 3, 4, 8]))
    shape = off(r, [pick(r, [1, 2, 3]), r.randint(1, 6), r.randint(1, 6), depth])
    row = lambda kind=None: values(r, dtype, off(r, [depth], 60), kind)
    inputs = [values(r, dtype, shape), row(), row('unit'), row()]
    inputs.append(values(r, dtype, shape) if 'Grad' in op else row())
    attrs = {'variance_epsilon': float(pick(r, [1e-3, 0.1])), 'scale_after_normalization': bool(r.randint(2))}
    # Both were removed in version 9 of the GraphDef.
    return Case(op, inputs, attrs, producer=8, **rough(dtype, 40))


@recipe('LRN', 'LRNGrad')
def lrn(r, op):
    dtype = dtype_of(r, op)
    shape = off(r, [pick(r, [1, 2, 3]), r.randint(1, 5), r.randint(1, 5), pick(r, [1, 2, 3, 5, 8, 11])])
    attrs = {}
    if r.randint(3):
        attrs = {'depth_radius': int(pick(r, [0, 1, 2, 3, 5, 20])), 'bias': float(pick(r, [1.0, 2.0, 0.5])),
                 'alpha': float(pick(r, [1.0, 0.1, 0.5])), 'beta': float(pick(r, [0.5, 0.75, 1.0, 0.3]))}
    image = values(r, dtype, shape)
    if op == 'LRN':
        return Case(op, [image], attrs, **rough(dtype, 2))
    return Case(op, [values(r, dtype, shape), image, Out(0)], attrs, nodes=[('LRN', [image], dict(attrs))], **rough(dtype, 5))


# --- recurrent cells --------------------------------------------------------------------------------

def cell_sizes(r):
    return [int(pick(r, [1, 2, 3, 4])), int(pick(r, [1, 2, 3, 5])), int(pick(r, [1, 2, 3, 4, 8]))]


@recipe('GRUBlockCell')
def gru(r, op):
    dtype = dtype_of(r, op)
    batch, n, cells = cell_sizes(r)
    shapes = [(batch, n), (batch, cells), (n + cells, 2 * cells), (n + cells, cells), (2 * cells,), (cells,)]
    return Case(op, [values(r, dtype, off(r, s, 80)) for s in shapes], **rough(dtype, 4))


@recipe('GRUBlockCellGrad')
def gru_grad(r, op):
    dtype = dtype_of(r, op)
    batch, n, cells = cell_sizes(r)
    shapes = [(batch, n), (batch, cells), (n + cells, 2 * cells), (n + cells, cells), (2 * cells,), (cells,)]
    inputs = [values(r, dtype, s) for s in shapes]
    if r.randint(6):
        nodes = [('GRUBlockCell', inputs, {})]
        return Case(op, inputs + [Out(0, i) for i in range(3)] + [values(r, dtype, off(r, (batch, cells), 60))], nodes=nodes,
                    **rough(dtype, 8))
    return Case(op, inputs + [values(r, dtype, off(r, (batch, cells), 60)) for _ in range(4)], **rough(dtype, 8))


def lstm_inputs(r, op, dtype, often=120):
    batch, n, cells = cell_sizes(r)
    time = int(pick(r, [1, 2, 3, 5]))
    x = (time, batch, n) if 'Block' == op[:5] else (batch, n)
    shapes = [x, (batch, cells), (batch, cells), (n + cells, 4 * cells), (cells,), (cells,), (cells,), (4 * cells,)]
    inputs = [values(r, dtype, off(r, s, often)) for s in shapes]
    if 'Block' == op[:5]:
        steps = int(r.randint(0, time + 1)) if r.randint(3) == 0 else time
        inputs.insert(0, np.array(steps if r.randint(40) else pick(r, [-1, time + 1]), np.int64))
    return inputs, (x[:-1] + (cells,))


def lstm_attrs(r, op):
    attrs = {'use_peephole': bool(r.randint(2))}
    if 'Grad' not in op:
        attrs['cell_clip'] = float(pick(r, [3.0, 0.5, -1.0, 0.0, 10.0]))
        if op != 'BlockLSTMV2':
            attrs['forget_bias'] = float(pick(r, [1.0, 0.0, 2.5]))
    return attrs


@recipe('LSTMBlockCell', 'BlockLSTM', 'BlockLSTMV2')
def lstm(r, op):
    dtype = dtype_of(r, op)
    return Case(op, lstm_inputs(r, op, dtype)[0], lstm_attrs(r, op), **rough(dtype, 4))


@recipe('LSTMBlockCellGrad', 'BlockLSTMGrad', 'BlockLSTMGradV2')
def lstm_grad(r, op):
    dtype = dtype_of(r, op)
    forward = op.replace('Grad', '')
    inputs, state = lstm_inputs(r, op, dtype, 1 << 30)
    if 'Block' == op[:5]:
        # Steps that were not run leave cells unset that the gradient reads.
        inputs[0] = np.array(inputs[1].shape[0], np.int64)
    attrs = lstm_attrs(r, op)
    peephole = attrs['use_peephole']
    n = 7 if 'Block' == op[:5] else 6
    nodes = [(forward, inputs, dict(lstm_attrs(r, forward), use_peephole=peephole))]
    grads = [values(r, dtype, off(r, state, 80)) for _ in range(2)]
    return Case(op, inputs + [Out(0, i) for i in range(n)] + grads, attrs, nodes=nodes, **rough(dtype, 10))


# --- connectionist temporal classification ----------------------------------------------------------
# TensorFlow adds probabilities as floats, of whatever dtype they are.

@recipe('CTCLoss')
def ctc_loss(r, op):
    dtype = dtype_of(r, op)
    time, batch, classes = int(r.randint(1, 9)), int(pick(r, [1, 2, 3])), int(pick(r, [2, 3, 4, 6]))
    indices, labels = [], []
    for b in range(batch):
        # Rows without labels, and labels that are the blank, seldom.
        count = int(r.randint(1, max(2, time // 2 + 1))) if r.randint(12) else 0
        for i in range(count):
            indices.append([b, i])
            labels.append(int(r.randint(0, classes - 1)) if r.randint(60) else classes)
    lengths = [time if r.randint(3) else int(r.randint(1, time + 1)) for _ in range(batch)]
    if r.randint(40) == 0:
        lengths[0] = int(pick(r, [0, -1, time + 1]))
    attrs = {'preprocess_collapse_repeated': r.randint(5) == 0, 'ctc_merge_repeated': r.randint(5) > 0,
             'ignore_longer_outputs_than_inputs': r.randint(2) == 0}
    inputs = [values(r, dtype, off(r, (time, batch, classes))), np.array(indices, np.int64).reshape(-1, 2),
              np.array(labels, np.int32), np.array(lengths, np.int32)]
    return Case(op, inputs, {k: bool(v) for k, v in attrs.items()}, **rough('float32', 3))


@recipe('CTCGreedyDecoder', 'CTCBeamSearchDecoder')
def ctc_decoder(r, op):
    dtype = dtype_of(r, op)
    time, batch, classes = int(r.randint(1, 9)), int(pick(r, [1, 2, 3])), int(pick(r, [1, 2, 3, 4, 6]))
    lengths = [time if r.randint(3) else int(r.randint(0, time + 1)) for _ in range(batch)]
    if r.randint(30) == 0:
        lengths[0] = int(pick(r, [-1, time + 1]))
    attrs = {'merge_repeated': bool(r.randint(2))}
    if 'Beam' in op:
        attrs['beam_width'] = int(pick(r, [1, 2, 4, 10, 100]))
        attrs['top_paths'] = int(pick(r, [1, 1, 2, 3]))
    inputs = [values(r, dtype, off(r, (time, batch, classes)), pick(r, ['plain', 'unit'])), np.array(lengths, np.int32)]
    return Case(op, inputs, attrs, **rough('float32', 3))
