# differ_accepted.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Differences from TensorFlow 1.15.5 that are meant, each with its reason."""

import re

import numpy as np

from differ_shrink import get, places

# (op, problem) as regular expressions, the reason.
ACCEPTED = [
    ('Sqrt|Rsqrt', r'is (inf|0), TensorFlow has -?nan',
     "Eigen's vector square root of infinity is NaN, its scalar one not: which cells are NaN hangs on where they lie"),
    ('Reciprocal|Inv|Div|RealDiv', r'(inf|nan), TensorFlow has -?(nan|inf)',
     'complex: numbers divided by zero are NaN in whole vectors and infinite in the rest, or the other way round'),
    ('Switch|RefSwitch', r'Retval', 'a dead output was fetched'),
    ('EnsureShape', r'_arg_x0', "TensorFlow's own name for what is fed"),
    ('ReverseSequence', r'must be < input.dims\(\)\( -', 'TensorFlow reads dims before the first'),
    ('ParallelDynamicStitch', r'element|is out of range', 'rows that no index names are not set; indices are not checked'),
    ('(Learned|ThreadUnsafe)UnigramCandidateSampler', r'a true class is', 'TensorFlow reads weights it has not'),
    ('ParallelConcat', r'shape attr must be', "TensorFlow's kernel writes where the shape says"),
    ('GRUBlockCell|GRUBlockCellGrad', r'must be [12]D', 'which of several wrong shapes is told: TensorFlow never looks at the rank'),
    ('FractionalAvgPoolGrad|FractionalMaxPoolGrad', r'failed with', 'TensorFlow reads and writes outside of its tensors'),
    ('Dilation2D|Dilation2DBackpropFilter|Dilation2DBackpropInput', r'Rate must be > 0', 'TensorFlow goes backwards out of the image'),
    ('UnravelIndex', r'element', 'products of dims that overflow'),
]

COMPILED = [(re.compile('(?:%s)\\Z' % op), re.compile(problem)) for op, problem, _ in ACCEPTED]

# Ops whose sums are made in an order of their own: which cells a NaN or an infinity reaches hangs on it.
MIXES = re.compile(r'I?R?FFT|FFT|AudioSpectrogram|Mfcc|Cholesky|Matrix|Lu\Z|SelfAdjoint|Svd|Qr\Z|BatchSvd|Tridiagonal|Nearest'
                   r'|Kmeans|NonMax|CombinedNon|LRN|MatMul|FractionalMaxPool')


def is_plain(case):
    """No NaN, infinity or negative zero among its numbers."""
    for place in places(case):
        array = get(case, place)
        if array.dtype.kind in 'fc':
            wide = np.atleast_1d(array.astype(np.complex128)).view(np.float64)
            if not np.isfinite(wide).all() or (np.signbit(wide) & (wide == 0)).any():
                return False
    return True


def attr_type(record, name):
    return record['nodes'][-1]['attrs'].get(name, {}).get('type')


def accepted(case, problem, record):
    if problem.startswith('CRASH'):
        return False
    if any(op.match(case.op) and text.search(problem) for op, text in COMPILED):
        return True
    if case.op.startswith('NonMaxSuppressionV') and attr_type(record, 'T') != attr_type(record, 'T_threshold'):
        # TensorFlow 1.15 reads the thresholds' bytes as T.
        return True
    return MIXES.search(case.op) is not None and not is_plain(case)
