# differ_recipes.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""How a graph of an op is made from nothing: for each op type a function of (r, op) that gives a Case.

Most draw what TensorFlow accepts and, about one time in ten, a little beyond: a wrong rank, an index
out of range, an attr that does not fit."""

import json
import os

import numpy as np
from tensorflow.python.framework import dtypes

from differ_values import COMPLEX, FLOATS, SIGNED, UNSIGNED, broadcast_pair, draw, draw_shape, pick
from record_ops import Case, op_def_of, to_array

HERE = os.path.dirname(os.path.abspath(__file__))
_kernels = {}
_recipes = {}


def kernel_dtypes(op, attr='T'):
    """The dtypes that TensorFlow's CPU kernels of an op have for a type attr; [] if any."""
    if not _kernels:
        with open(os.path.join(HERE, '..', 'golden', 'kernels-1.15.5.json')) as f:
            _kernels.update(json.load(f)['ops'])
    found = []
    for row in _kernels.get(op, []):
        for name in row.get(attr, '').split():
            name = dtypes.as_dtype({'float': 'float32', 'double': 'float64'}.get(name, name)).name
            name = 'half' if name == 'float16' else name
            if name not in found:
                found.append(name)
    return sorted(found)


def dtype_of(r, op, attr='T', otherwise=('float32', 'float64', 'int32', 'int64', 'half', 'bool', 'uint8', 'string',
                                          'complex64')):
    """A dtype of the op's; one time in forty any of TensorFlow's."""
    known = [d for d in kernel_dtypes(op, attr) if d not in ('resource', 'variant')] or list(otherwise)
    if r.randint(40) == 0:
        known = FLOATS + SIGNED + UNSIGNED + COMPLEX + ['bool', 'string']
    # The common ones more often: they have vector loops of their own.
    common = [d for d in known if d in ('float32', 'float64', 'int32', 'int64')]
    return pick(r, common) if common and r.randint(2) else pick(r, known)


def recipe(*ops):
    def register(function):
        for op in ops:
            _recipes[op] = function
        return function
    return register


def recipe_of(op):
    return _recipes.get(op)


# Within this of TensorFlow's, relatively: for ops that compute each element by itself.
CLOSE = {'float32': 4e-6, 'float64': 1e-13, 'half': 2e-3, 'bfloat16': 1.6e-2, 'complex64': 1e-5, 'complex128': 1e-12}
# |a - b| <= x * (1 + |b|): for ops that sum.
ROUGH = {'float32': 2e-5, 'half': 1e-2, 'bfloat16': 6e-2, 'float64': 1e-11, 'complex64': 3e-5, 'complex128': 1e-11}


def close(dtype):
    return {'relative': CLOSE[dtype]} if dtype in CLOSE else {}


def rough(dtype, times=1):
    return {'tolerance': ROUGH[dtype] * times} if dtype in ROUGH else {}


# --- element by element -----------------------------------------------------------------------------

UNARY = ('Abs Neg Sign Square Reciprocal Inv Sqrt Rsqrt Floor Ceil Round Rint IsNan IsInf IsFinite Exp Expm1 Log '
         'Log1p Sinh Cosh Tanh Asinh Acosh Atanh Sigmoid Sin Cos Tan Asin Acos Atan Erf Erfc Lgamma Digamma Relu Relu6 '
         'Elu Selu Softplus Softsign LogicalNot Invert BesselI0e BesselI1e Ndtri Identity ZerosLike OnesLike Snapshot '
         'PreventGradient StopGradient LeakyRelu Softmax LogSoftmax CheckNumerics PopulationCount Shape Size Rank '
         'DebugGradientIdentity DeepCopy').split()
# Values that keep to where the function is smooth; elsewhere one rounding of the argument shows.
KINDS = {'Lgamma': 'plain', 'Digamma': 'unit', 'Tan': 'plain'}


@recipe(*UNARY)
def unary(r, op):
    dtype = dtype_of(r, op)
    shape = draw_shape(r)
    attrs = {}
    if op in ('Softmax', 'LogSoftmax'):
        shape = draw_shape(r, rank=pick(r, [1, 2, 2, 2, 3, 4, 0]))
        return Case(op, [draw(r, dtype, shape)], **rough(dtype))
    if op == 'LeakyRelu' and r.randint(2):
        attrs['alpha'] = float(pick(r, [0.0, 0.3, 1.0, -0.5, 2.0]))
    if op == 'CheckNumerics':
        attrs['message'] = 'here'
    if op in ('Shape', 'Size'):
        attrs['out_type'] = pick(r, ['int32', 'int64'])
    return Case(op, [draw(r, dtype, shape, KINDS.get(op))], attrs, **close(dtype))


@recipe('Conj')
def conj(r, op):
    dtype = pick(r, COMPLEX)
    return Case(op, [draw(r, dtype, draw_shape(r))])


@recipe('Real', 'Imag', 'Angle', 'ComplexAbs')
def complex_parts(r, op):
    dtype = pick(r, COMPLEX)
    part = 'float32' if dtype == 'complex64' else 'float64'
    if r.randint(30) == 0:
        part = pick(r, ['float32', 'float64'])
    return Case(op, [draw(r, dtype, draw_shape(r))], Tout=part, relative=CLOSE[dtype])


@recipe('Complex')
def complex_of(r, op):
    dtype = pick(r, ['float32', 'float64'])
    a, b = broadcast_pair(r)
    return Case(op, [draw(r, dtype, a), draw(r, dtype, b)], Tout='complex64' if dtype == 'float32' else 'complex128')


BINARY = ('Add AddV2 Sub Mul MulNoNan Div DivNoNan RealDiv TruncateDiv FloorDiv Mod FloorMod TruncateMod Pow Maximum '
          'Minimum SquaredDifference Xdivy Xlogy Atan2 Igamma Igammac IgammaGradA Zeta Polygamma NextAfter BitwiseAnd '
          'BitwiseOr BitwiseXor LeftShift RightShift LogicalAnd LogicalOr Equal NotEqual Less LessEqual Greater '
          'GreaterEqual ApproximateEqual').split()


@recipe(*BINARY)
def binary(r, op):
    dtype = dtype_of(r, op)
    a, b = broadcast_pair(r)
    if op == 'ApproximateEqual' and r.randint(10):
        b = a
    kind = None
    if op in ('Zeta', 'Polygamma', 'Igamma', 'Igammac', 'IgammaGradA'):
        kind = pick(r, ['unit', 'small', 'plain'])
    if op == 'Pow' and dtype in SIGNED:
        kind = 'small'
    x, y = draw(r, dtype, a, kind), draw(r, dtype, b, kind)
    if op in ('LeftShift', 'RightShift') and r.randint(4):
        y = np.abs(draw(r, dtype, b, 'small'))
    if r.randint(8) == 0 and a == b:
        y = x
    attrs = {}
    if op in ('Equal', 'NotEqual') and r.randint(4) == 0:
        attrs['incompatible_shape_error'] = bool(r.randint(2))
    if op == 'ApproximateEqual':
        attrs['tolerance'] = float(pick(r, [1e-5, 0.5, 0.0]))
    wide = {'relative': CLOSE[dtype] * 50} if kind and dtype in CLOSE else close(dtype)
    return Case(op, [x, y], attrs, **wide)


GRADS = ('SigmoidGrad TanhGrad SqrtGrad RsqrtGrad InvGrad ReciprocalGrad ReluGrad Relu6Grad EluGrad SeluGrad '
         'SoftplusGrad SoftsignGrad LeakyReluGrad').split()


@recipe(*GRADS)
def unary_grad(r, op):
    dtype = dtype_of(r, op)
    shape = draw_shape(r)
    other = draw_shape(r) if r.randint(20) == 0 else shape
    attrs = {'alpha': float(pick(r, [0.0, 0.3, 1.0]))} if op == 'LeakyReluGrad' and r.randint(2) else {}
    return Case(op, [draw(r, dtype, shape), draw(r, dtype, other)], attrs, **close(dtype))


@recipe('Cast')
def cast_op(r, op):
    known = FLOATS + COMPLEX + SIGNED + UNSIGNED + ['bool']
    source, target = pick(r, known), pick(r, known)
    kind = pick(r, ['plain', 'small'])
    if source in FLOATS and target in FLOATS + COMPLEX:
        kind = pick(r, ['plain', 'special', 'wide'])
    elif source in SIGNED + UNSIGNED:
        kind = pick(r, ['plain', 'special', 'wide'])
    x = draw(r, source, draw_shape(r), kind)
    if target in UNSIGNED and source in FLOATS + COMPLEX:
        # A negative number as an unsigned one is undefined in C.
        x = np.abs(x)
        x = to_array(x, source)
    return Case(op, [x], {'DstT': target, 'Truncate': bool(r.randint(4) == 0)})


@recipe('Select')
def select(r, op):
    dtype = dtype_of(r, op)
    shape = draw_shape(r)
    kind = r.randint(10)
    condition = shape if kind < 4 else shape[:1] if kind < 7 else () if kind < 9 else draw_shape(r)
    other = shape if r.randint(12) else draw_shape(r)
    return Case(op, [draw(r, 'bool', condition), draw(r, dtype, shape), draw(r, dtype, other)])


@recipe('SelectV2')
def select_v2(r, op):
    dtype = dtype_of(r, op)
    a, b = broadcast_pair(r)
    c, _ = broadcast_pair(r) if r.randint(20) == 0 else (pick(r, [a, b, (), (1,)]), None)
    return Case(op, [draw(r, 'bool', c), draw(r, dtype, a), draw(r, dtype, b)])


@recipe('ClipByValue')
def clip(r, op):
    dtype = dtype_of(r, op)
    shape = draw_shape(r)
    low = pick(r, [(), (), shape, draw_shape(r)]) if r.randint(3) == 0 else ()
    high = pick(r, [(), shape])
    return Case(op, [draw(r, dtype, shape), draw(r, dtype, low), draw(r, dtype, high)], **close(dtype))


@recipe('Betainc')
def betainc(r, op):
    dtype = dtype_of(r, op)
    shape = draw_shape(r)
    shapes = [pick(r, [shape, shape, ()]) for _ in range(3)]
    return Case(op, [draw(r, dtype, s, 'unit') for s in shapes], tolerance=1e-4)


@recipe('AddN', 'AccumulateNV2')
def add_n(r, op):
    dtype = dtype_of(r, op)
    shape = draw_shape(r)
    n = int(pick(r, [1, 2, 3, 4, 8, 9, 12]))
    items = [draw(r, dtype, shape if r.randint(60) else draw_shape(r)) for _ in range(n)]
    attrs = {'shape': list(shape)} if op == 'AccumulateNV2' else {}
    return Case(op, [items], attrs, **rough(dtype))


@recipe('Bucketize')
def bucketize(r, op):
    dtype = dtype_of(r, op)
    edges = sorted(float(x) for x in r.randint(-4, 5, r.randint(0, 5)))
    if r.randint(15) == 0:
        edges = edges[::-1]
    return Case(op, [draw(r, dtype, draw_shape(r))], boundaries=edges)


# --- reductions and scans ---------------------------------------------------------------------------

def draw_axes(r, rank, dtype=None):
    dtype = dtype or pick(r, ['int32', 'int32', 'int64'])
    if r.randint(15) == 0:
        values = [int(r.randint(-rank - 2, rank + 2)) for _ in range(r.randint(1, 4))]
    else:
        n = r.randint(0, rank + 1)
        values = [int(a) - (rank if r.randint(2) else 0) for a in r.permutation(rank)[:n]]
    if len(values) == 1 and r.randint(2):
        return np.array(values[0], dtype)
    return np.array(values, dtype)


@recipe('Sum', 'Mean', 'Prod', 'Max', 'Min', 'All', 'Any', 'EuclideanNorm')
def reduction(r, op):
    dtype = 'bool' if op in ('All', 'Any') else dtype_of(r, op)
    shape = draw_shape(r, max_dim=pick(r, [3, 5, 9]))
    # Of a complex product the length counts: a part of it may be all rounding.
    near = {'relative': ROUGH[dtype] * 5} if op == 'Prod' and dtype in COMPLEX else rough(dtype, 1 if op != 'Prod' else 5)
    return Case(op, [draw(r, dtype, shape), draw_axes(r, len(shape))], {'keep_dims': bool(r.randint(2))}, **near)


@recipe('ArgMax', 'ArgMin')
def arg_reduction(r, op):
    dtype = dtype_of(r, op)
    shape = draw_shape(r)
    axis = int(r.randint(-len(shape), max(1, len(shape)))) if r.randint(12) else int(r.randint(-4, 5))
    return Case(op, [draw(r, dtype, shape, pick(r, ['plain', 'small', 'special'])), np.array(axis, pick(r, ['int32', 'int64']))],
                output_type=pick(r, ['int32', 'int64']))


@recipe('Cumsum', 'Cumprod')
def scan(r, op):
    dtype = dtype_of(r, op)
    shape = draw_shape(r)
    axis = int(r.randint(-len(shape), max(1, len(shape)))) if r.randint(12) else int(r.randint(-4, 5))
    return Case(op, [draw(r, dtype, shape), np.array(axis, pick(r, ['int32', 'int64']))],
                {'exclusive': bool(r.randint(2)), 'reverse': bool(r.randint(2))}, **rough(dtype, 5))


@recipe('L2Loss')
def l2_loss(r, op):
    dtype = dtype_of(r, op)
    return Case(op, [draw(r, dtype, draw_shape(r))], **rough(dtype, 2))


@recipe('TopK', 'TopKV2')
def top_k(r, op):
    dtype = dtype_of(r, op)
    shape = draw_shape(r, rank=pick(r, [1, 1, 2, 3, 0]), max_dim=7)
    n = shape[-1] if shape else 1
    k = int(r.randint(0, n + 1)) if r.randint(12) else int(r.randint(-1, n + 3))
    x = draw(r, dtype, shape, pick(r, ['plain', 'small']))
    attrs = {'sorted': bool(r.randint(3))}
    if not attrs['sorted']:
        attrs = {}
    # Removed in version 7 of the GraphDef.
    return Case(op, [x], dict(attrs, k=k), producer=6) if op == 'TopK' else Case(op, [x, np.array(k, np.int32)], attrs)


@recipe('NthElement')
def nth_element(r, op):
    dtype = dtype_of(r, op)
    shape = draw_shape(r, rank=pick(r, [1, 2, 3]), max_dim=7)
    n = int(r.randint(0, shape[-1] + 1)) if r.randint(10) else int(r.randint(-1, 9))
    return Case(op, [draw(r, dtype, shape, 'plain'), np.array(n, np.int32)], reverse=bool(r.randint(2)))


@recipe('InTopK', 'InTopKV2')
def in_top_k(r, op):
    batch, classes = r.randint(0, 6), r.randint(1, 6)
    dtype = pick(r, ['int32', 'int64'])
    k = int(r.randint(-1, classes + 2))
    targets = np.array(r.randint(-1, classes + 1, batch if r.randint(15) else batch + 1), dtype)
    x = draw(r, 'float32', (batch, classes))
    return Case(op, [x, targets], k=k) if op == 'InTopK' else Case(op, [x, targets, np.array(k, dtype)])


# --- products ---------------------------------------------------------------------------------------

@recipe('MatMul')
def matmul(r, op):
    dtype = dtype_of(r, op)
    m, k, n = (int(pick(r, [1, 2, 3, 4, 5, 7, 9, 0 if r.randint(8) == 0 else 6])) for _ in range(3))
    ta, tb = bool(r.randint(2)), bool(r.randint(2))
    a, b = ((k, m) if ta else (m, k)), ((n, k) if tb else (k, n))
    if r.randint(20) == 0:
        a = draw_shape(r)
    return Case(op, [draw(r, dtype, a), draw(r, dtype, b)], {'transpose_a': ta, 'transpose_b': tb}, **rough(dtype, 3))


@recipe('BatchMatMul', 'BatchMatMulV2')
def batch_matmul(r, op):
    dtype = dtype_of(r, op)
    m, k, n = (int(pick(r, [1, 2, 3, 5, 0 if r.randint(8) == 0 else 4])) for _ in range(3))
    x, y = bool(r.randint(2)), bool(r.randint(2))
    if op == 'BatchMatMulV2':
        front, back = broadcast_pair(r, 3)
    else:
        front = back = draw_shape(r, max_rank=3, max_dim=3)
    if r.randint(20) == 0:
        back = draw_shape(r, max_rank=2)
    a, b = ((k, m) if x else (m, k)), ((n, k) if y else (k, n))
    return Case(op, [draw(r, dtype, tuple(front) + a), draw(r, dtype, tuple(back) + b)], {'adj_x': x, 'adj_y': y},
                **rough(dtype, 3))


@recipe('BiasAdd', 'BiasAddV1')
def bias_add(r, op):
    dtype = dtype_of(r, op)
    shape = draw_shape(r, rank=pick(r, [2, 2, 3, 4, 5, 1]))
    attrs = {'data_format': pick(r, ['NHWC', 'NCHW'])} if op == 'BiasAdd' and r.randint(2) else {}
    channel = 1 if attrs.get('data_format') == 'NCHW' and len(shape) > 1 else -1
    n = shape[channel] if r.randint(15) else int(r.randint(0, 5))
    return Case(op, [draw(r, dtype, shape), draw(r, dtype, (n,))], attrs, **close(dtype))


@recipe('BiasAddGrad')
def bias_add_grad(r, op):
    dtype = dtype_of(r, op)
    shape = draw_shape(r, rank=pick(r, [2, 2, 3, 4, 5, 1]))
    attrs = {'data_format': pick(r, ['NHWC', 'NCHW'])} if r.randint(2) else {}
    return Case(op, [draw(r, dtype, shape)], attrs, **rough(dtype))
