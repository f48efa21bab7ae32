# differ_accepted.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Differences from TensorFlow 1.15.5 that are meant, each with its reason."""

import re

import numpy as np

from differ_shrink import decode, get, places
from record_ops import Out, Ref, op_def_of, to_array

# (op, problem) as regular expressions, the reason.
ACCEPTED = [
    ('Switch|RefSwitch', r'Retval', 'a dead output was fetched'),
    ('EnsureShape', r'_arg_x0', "TensorFlow's own name for what is fed"),
    ('ReverseSequence', r'must be < input.dims\(\)\( -', 'TensorFlow reads dims before the first'),
    ('ParallelDynamicStitch', r'element|is out of range', 'rows that no index names are not set; indices are not checked'),
    ('(Learned|ThreadUnsafe)UnigramCandidateSampler', r'a true class is', 'TensorFlow reads weights it has not'),
    ('ParallelConcat', r'shape attr must be', "TensorFlow's kernel writes where the shape says"),
    ('GRUBlockCell|GRUBlockCellGrad', r'must be [12]D|dims\(1\) != cell_size: -1 vs', 'which of several wrong shapes is told: TensorFlow never looks at the rank'),
    ('FractionalAvgPoolGrad|FractionalMaxPoolGrad', r'failed with', 'TensorFlow reads and writes outside of its tensors'),
    ('Fractional(Avg|Max)Pool', r'pooling_ratio cannot be smaller', '1.15 makes windows without cells; 2 refuses as we do'),
    ('LSTMBlockCell(Grad)?|BlockLSTMGrad(V2)?', r'failed with .*(peephole.dim_size|of the forward pass|(cs|h)_prev|[bw].dim_size|must be [12]D)',
     'TensorFlow does not look at them, and reads beyond the smaller'),
    ('LSTMBlockCell(Grad)?', r'dims?(_size)?\(\d\) != [^:]*: -1 vs', 'TensorFlow reads dims before the first'),
    ('(Resource)?SparseApply.*', r'says: var and grad must match in dimension.*TensorFlow: grad must be the same size',
     'of a gradient with less dims TensorFlow reads those it has not'),
    ('Dilation2D|Dilation2DBackpropFilter|Dilation2DBackpropInput', r'Rate must be > 0', 'TensorFlow goes backwards out of the image'),
    ('UnravelIndex', r'element', 'products of dims that overflow'),
    ('.*', r'OOM when allocating.*TensorFlow: OOM when allocating', 'TensorFlow goes on to say on which device'),
    ('All|Any|Max|Min|Mean|Prod|Sum|EuclideanNorm', r'failed with INVALID_ARGUMENT: Invalid reduction arguments: Axes contains dup',
     'an axis named twice is refused as TensorFlow 2 does: hostile-inputs.md, D08'),
    ('(Max|Avg)Pool.*', r'only supports ?N', 'channels may come first here, which the CPU of TensorFlow has not'),
    ('(Max|Avg)Pool.*', r'(failed with INVALID_ARGUMENT|says): Sliding window ksize', 'TensorFlow goes over windows without cells'),
    ('(Max|Avg)Pool.*Grad.*', r'failed with INVALID_ARGUMENT: Expected (orig_output|out_backprop|grad|argmax) shape',
     'TensorFlow does not compare them, and reads beyond the smaller'),
    ('Conv[23]D.*', r'(only supports|tensor format).*N?D?HWC|only supports the NHWC|dilation rates larger than 1|dilated rates of 1',
     'channels may come first here, and gradients and volumes may be dilated, which the CPU of TensorFlow has not'),
    ('Conv[23]D.*', r'failed with UNIMPLEMENTED: .*grouped convolutions|does not have enough elements: the input depth',
     'TensorFlow reads beyond the filter'),
    ('Conv2DBackprop.*', r'Failed to call mkldnn_sgemm', 'TensorFlow cannot multiply what has no cells'),
    ('DepthwiseConv2dNativeBackprop.*', r'output 0: element', 'without images TensorFlow returns before it writes'),
    ('QuantizeV2', r'element \d+ is -?214748364\d, TensorFlow has', 'a number that no int32 holds is made one'),
    ('StringNGrams', r'failed with .*Invalid split value|output \d: ', 'TensorFlow takes the strings before an empty sequence'),
    ('DecodePaddedRaw', r'output 0: element', 'TensorFlow copies what lies behind a short string'),
    ('Bincount', r'failed with .*must have the same size', 'TensorFlow reads beyond the weights'),
    ('.*', r"(?s)TensorFlow.* support Op 'Assign'", 'what TensorFlow has no kernel for is the assignment that sets the graph up'),
    ('DepthwiseConv2dNative.*', r'only supported for NHWC', 'channels may come first here, which the CPU of TensorFlow has not'),
    ('FusedBatchNorm.*', r'only supports NHWC', 'channels may come first here, which the CPU of TensorFlow has not'),
    ('FusedBatchNormGrad.*', r'failed with .*must have same shape', 'TensorFlow does not compare them, and reads beyond the smaller'),
    ('(Resource)?ApplyAdadelta', r'failed with .*accum_update', 'TensorFlow never looks at its shape, and reads beyond it'),
    ('SparseReduceMax|SparseReduceSum|SparseSplit|EditDistance', r'failed with .*out.of.bounds', 'TensorFlow writes beside its result'),
    ('SparseSplit', r'num_split must be in the interval', 'TensorFlow reads a dimension before the first'),
    ('SparseSparseM\w+|SparseAdd|SparseDenseCwise\w+|SparseTensorDenseAdd|SparseFillEmptyRows',
     r'Order length must be|(failed with|says:) .*(rows \(indexing|does not suit|indices have)', 'TensorFlow reads beyond indices or values'),
    ('RaggedTensorToTensor', r'(failed with|fails with|says:) .*(Row -?\d+ of level \d+ is not there|must not be negative|too far apart)',
     'TensorFlow goes by rows that are not there, and reads beside them'),
    ('RaggedTensorToTensor', r'TensorFlow: Shape \[[\d,]*\] would have more than 2', 'of such a shape TensorFlow prints other dims than it has'),
    ('RaggedGather', r'(failed with|says:) .*must not point past values', 'TensorFlow reads beyond the values'),
    ('SparseToSparseSetOperation', r'out of bounds|out of order|repeated',
     '1.15 looks at the order of the first set only, and takes the other as it comes'),
    ('ResourceScatter.*', r'failed with .*(is not compatible with|params must be at least)|params must be at least 1-D, got shape \[\]',
     'TensorFlow reads a dimension that is not there, or beyond its rows'),
    ('InvGrad|ReciprocalGrad|RsqrtGrad|SqrtGrad|SigmoidGrad|TanhGrad', r'failed with .*same number of elements',
     'TensorFlow reads beyond the smaller'),
    ('SparseSegment(Mean|SqrtN)Grad', r'output 0: element', 'without indices TensorFlow returns before it writes'),
    ('SparseSegment.*', r"No OpKernel was registered.*'SparseSegment", 'int64 indices, for which TensorFlow 1.15 has no kernel: TensorFlow 2 has'),
    ('GatherV2|ResourceGather', r'failed with .*should be equal to indices.shape',
     'TensorFlow 1.15 does not compare the shapes of the batches, and reads beside them'),
    ('StackPop.*', r'Output 0 of type \w+ does not match.*TensorFlow: Output 0 of type', 'TensorFlow goes on to say where the node was made'),
    ('QueueEnqueueMany.*', r'Component \d must be at least a vector.*TensorFlow: All input tensors must have the same size',
     'TensorFlow reads the first of no dims'),
    ('Queue.*', r'must be a scalar, but had shape: \[0\]', 'TensorFlow reads a number that is not there'),
    ('LookupTable.*', r'Expected key shape \[\d+\] got \[\]', 'TensorFlow reads the first of no dims'),
    ('GatherV2', r'Expected batch_dims in the range .* but got -',
     'TensorFlow counts a negative batch_dims once, and then reads dims before the first'),
    ('.*', r"^Stack(V2)?: output 0: string 1 .*'\w+_\d+', TensorFlow .* '\w+_\d+'", 'a stack has a number that counts all of the process'),
    ('LookupTable.*|InitializeTable.*', r'NOT_FOUND: [\w.]+; No such file or directory',
     'a file of another case, which is still there where TensorFlow runs'),
    ('Empty', r'output 0: element', 'cells that are not set'),
    ('AvgPoolGrad', r'says: Sliding window ksize for dimension', 'TensorFlow goes over windows without cells'),
    ('.*', r'Shape mismatch in tuple component 0. Expected \[.*\], got \[\].*TensorFlow: Shape mismatch', 'TensorFlow reads the first of no dims'),
    ('.*', r"^FakeQueue: output 0: string 1.*_\d_op\d'.*_\d+_op\d'", 'a resource without a name has a number that counts all sessions'),
    ('Fingerprint', r'output 0: element', 'rows without strings are not set'),
    ('SparseReduce(Max|Sum)Sparse', r'output 0: element', 'indices outside of the shape: TensorFlow reads beside its dims'),
    ('SparseSplit', r'num_dim must be in the interval', 'TensorFlow reads a dimension before the first'),
    ('Inplace.*', r'^(?!Inplace)\w+: output 0: element', 'TensorFlow writes into the tensor that others see'),
    ('RaggedTensorToSparse', r'failed with .*non decreasing', 'TensorFlow reads beside its rows'),
    ('ResourceGather', r'Expected batch_dims in the range \[-(\d), \1\), but got \1', 'TensorFlow counts the indices of the batch as one more dimension than they have'),
    ('LookupTableExport(V2)?', r'output \d: (element|string)', "rows in the order of TensorFlow's hash table"),
    ('DecodeRaw', r'element \d+ is 1, TensorFlow has 1', 'a byte of a bool that is neither 0 nor 1'),
    ('UnicodeEncode', r'must be less than or equal to input_tensor length', 'TensorFlow reads behind the code points'),
    ('UnicodeScript', r'TensorFlow has 103', "a character that TensorFlow's copy of ICU does not know yet"),
    ('KmeansPlusPlusInitialization', r'num_retries_per_sample is too large', 'so many candidates cannot be made'),
    ('QuantizedAdd|QuantizedMul', r'Broadcast between.* is not supported yet', 'TensorFlow leaves cells of its result unset'),
    ('Quantize.*|Requantiz.*|Dequantize', r'must hold a value, but it is empty', 'TensorFlow reads a range that is not there'),
    ('BoostedTreesBucketize', r'do not fall into buckets', 'TensorFlow reads a dimension or a boundary that is not there'),
    ('FixedUnigramCandidateSampler', r'must have a sum above zero', 'weights below zero: probabilities that are no numbers'),
    ('I?R?FFT.*', r'element \d+ is -?(0|[\d.]+e-0[5-9]), TensorFlow has -?(0|[\d.]+e-0[5-9])$',
     'where terms cancel the rounding of another order of summation is left: numbers below 1e-4 of float'),
    ('ParameterizedTruncatedNormal', r'Shape tensor must not be empty', 'TensorFlow reads a dimension that is not there'),
    ('StatefulRandomBinomial', r'^v0: element', 'which of two ops on a variable runs before the one of them fails'),
    ('SparseFillEmptyRows', r'dense_shape has 0 elements', 'TensorFlow reads a dimension that is not there'),
    ('CTC(BeamSearch|Greedy)Decoder|CTCLoss', r'failed with .*num_classes must be in', 'without classes TensorFlow reads scores that are not there'),
    ('CTCBeamSearchDecoder', r'num_classes must be in .*TensorFlow: Less leaves', 'TensorFlow reads them before it counts the beams'),
    ('SparseReshape', r'failed with .*rank must match input shape', 'indices of another rank: TensorFlow reads beside them'),
    ('Parse(Single)?Example', r"(?s)says: Could not parse example input, value: '[^']*(\\|…).*TensorFlow: Could not parse example input",
     'bytes that are no text are shown as escapes'),
    ('.*', r'(?s)says: output \d+ was not set.*TensorFlow: Missing \d-th output', 'a session has these words, check-cases its own'),
    ('(Ordered)?MapStage', r'number of indices and values must be equal', 'TensorFlow reads values that it was not given'),
    ('ResourceApplyAdamWithAmsgrad', r'(failed with .*|says: )var and vhat do not have', 'TensorFlow never looks at its shape, and reads beyond it'),
    ('.*', r'rows \(indexing dimension\) must match. \(indices = -1', 'TensorFlow reads the first of no dims'),
    ('ParseExample', r'failed with .*is asked for twice', "which of two features of one name gets the values hangs on TensorFlow's hash table"),
    ('LoadAndRemapMatrix', r'failed with .*Column \d+ is not there', 'TensorFlow leaves such cells as the memory was'),
    ('RaggedTensorToTensor', r'failed with INTERNAL: Values and indices must be equal', 'of values without dimensions TensorFlow reads the first'),
    ('Restore(Slice|V2)?', r'says: Incompatible tensor (\w+) detected .*TensorFlow: Incompatible tensor \1 detected',
     'which of the files comes first hangs on how the folder lists them'),
    ('Restore(Slice|V2)?', r'Adding duplicate key.*Overlapping slices', 'a file that cannot be read: TensorFlow says so when it reads'),
    ('(EncodeWav|AudioSummary.*)', r'audio is null', 'what has no cells lies somewhere or nowhere, by the op that made it'),
    ('RaggedRange', r'failed with .*Ranges have too many elements', 'of infinite ranges TensorFlow adds up numbers that no int64 holds'),
    ('LoadAndRemapMatrix|Save.*|Restore.*|Merge.*|Sharded.*', r'A name or path has a zero byte in it', "TensorFlow's files end at such a byte"),
    ('.*', r'TensorFlow with RESOURCE_EXHAUSTED: OOM when allocating', 'how much memory there is hangs on the machine'),
    ('.*', r'TensorFlow fails with INTERNAL: Could not allocate ndarray', 'numpy holds no array with so long a dim, be it empty'),
    ('TensorSummaryV2', r'output 0', 'metadata that is no proto: TensorFlow keeps what it had read of it'),
]

COMPILED = [(re.compile('(?:%s)\\Z' % op), re.compile(problem)) for op, problem, _ in ACCEPTED]

# Ops whose sums are made in an order of their own: which cells a NaN or an infinity reaches hangs on it.
MIXES = re.compile(r'I?R?FFT|FFT|AudioSpectrogram|Mfcc|Cholesky|Matrix|Lu\Z|SelfAdjoint|Svd|Qr\Z|BatchSvd|Tridiagonal|Nearest'
                   r'|Kmeans|NonMax|CombinedNon|LRN|MatMul|FractionalMaxPool|DepthwiseConv|Conv[23]D')


# That is a cell, what is chosen by such cells, or that a matrix with them was taken or refused; no other word, and no shape
# that does not hang on values.
MIXED = re.compile(r'output \d+: (element|string)|not successful|not invertible|has NaN or infinity|(NonMax|Nearest|Kmeans)\w*: output \d+: shape')


def is_plain(case):
    """No NaN, infinity or negative zero among its numbers."""
    for place in places(case):
        array = get(case, place)
        if array.dtype.kind in 'fc':
            wide = np.atleast_1d(array.astype(np.complex128)).view(np.float64)
            if not np.isfinite(wide).all() or (np.signbit(wide) & (wide == 0)).any():
                return False
    return True


# What these ops give is the difference of numbers near 1, or near the largest of the output, which TensorFlow has in
# the dtype itself, while ours is the nearest number: so many epsilons of the dtype lie between.
DIFFERENCES = {
    'Igammac': 8, 'Igamma': 8, 'Digamma': 32, 'Betainc': 64,
    # A rational function in Eigen's vectors, the exponential elsewhere.
    'Sigmoid': 1,
}
EPSILON = {'float32': 2.0 ** -23, 'float64': 2.0 ** -52, 'float16': 2.0 ** -10, 'half': 2.0 ** -10, 'bfloat16': 2.0 ** -7}
EPSILON_OF = dict(EPSILON, complex64=2.0 ** -23, complex128=2.0 ** -52)
SINGULAR = re.compile(r'Qr\Z|Lu\Z|(Batch)?Matrix(Logarithm|SquareRoot|Exponential|Inverse|Solve|SolveLs)\Z|(Batch)?Cholesky(Grad)?\Z')
NUMBERS = re.compile(r'element \d+ is (\S+), TensorFlow has (\S+)$')


def parse(number):
    """A number as check-cases prints it, complex ones too."""
    return complex(number.replace('i', 'j')) if number.endswith(('i', 'j')) else float(number)


def is_rounding(case, problem, record):
    """What DIFFERENCES explains."""
    numbers = NUMBERS.search(problem)
    if case.op not in DIFFERENCES or not numbers:
        return False
    dtype = record['nodes'][-1]['outputs'][0]['dtype']
    ours, theirs = (float(x) for x in numbers.groups())
    return abs(ours - theirs) <= DIFFERENCES[case.op] * EPSILON.get(dtype, 0)


# The largest number, and how much a number may be rounded by.
NARROW = {'half': (65504.0, 2.0 ** -11), 'float16': (65504.0, 2.0 ** -11), 'bfloat16': (3.39e38, 2.0 ** -8)}


def is_narrow_sum(case, problem, record):
    """TensorFlow sums and multiplies halves and bfloat16s in their own dtype (the gradients of biases bfloat16s alone), in
    an order that hangs on its threads and on where cells lie, and so loses small ones or overflows on the way; we sum in
    float. In whatever order, each step rounds once, so that no sum is wrong by more than that of all terms for each of
    them."""
    numbers = NUMBERS.search(problem)
    dtype = attr_type(record, 'T')
    if case.op == 'BiasAddGrad' and dtype != 'bfloat16':
        return False
    if case.op not in ('Sum', 'Mean', 'Prod', 'EuclideanNorm', 'BiasAddGrad') or not numbers or dtype not in NARROW:
        return False
    terms = input_of(record, 0)
    if terms is None:
        return False
    largest, rounding = NARROW[dtype]
    ours, theirs = (float(x) for x in numbers.groups())
    terms = np.abs(terms.astype(np.float64))
    finite = terms[np.isfinite(terms)]
    if case.op == 'Prod':
        # Of some of the numbers a product may be too large or too small for the dtype.
        overflows = np.prod(np.maximum(finite, 1)) > largest
        underflows = np.prod(np.where(finite > 0, np.minimum(finite, 1), 1)) < 1 / largest
        return overflows or underflows or abs(ours - theirs) <= 2 * terms.size * rounding * max(abs(ours), abs(theirs))
    total = (finite ** 2 if case.op == 'EuclideanNorm' else finite).sum()
    if total > largest / 2:
        return True
    if finite.size < terms.size:
        return False
    return abs(ours - theirs) <= 2 * terms.size * rounding * (np.sqrt(total) if case.op == 'EuclideanNorm' else total)


def names_no_row(case, problem):
    """Whether what differs lies in a row of a DynamicStitch that none of its indices names: TensorFlow does not write it."""
    at = re.search(r'output 0: element (\d+) ', problem)
    indices, data = case.nodes[-1][1]
    if at is None or any(isinstance(x, Out) for x in indices + data):
        return False
    rest = np.prod(np.shape(data[0])[np.ndim(indices[0]):], dtype=int)
    return rest > 0 and int(at.group(1)) // rest not in {int(i) for x in indices for i in np.ravel(x)}


def attr_type(record, name):
    return record['nodes'][-1]['attrs'].get(name, {}).get('type')


def is_unseeded(case):
    """TensorFlow draws a seed where none is given; shrinking takes given ones away."""
    op_def = op_def_of(case.op)
    attrs = case.nodes[-1][2]
    return any(a.name == 'seed2' for a in op_def.attr) and not attrs.get('seed') and not attrs.get('seed2')


# What is put before an op (differ_make.py): where a run fails nothing is recorded of it.
PLAIN = {'Identity': lambda x: x, 'Snapshot': lambda x: x, 'Neg': np.negative, 'Square': np.square, 'Add': np.add,
         'Sub': np.subtract, 'Mul': np.multiply}


def input_of(record, i, node=-1):
    """What a node took, be it fed or from another node; None if that is not known."""
    given = record['nodes'][node]['inputs'][i]
    if 'from' not in given:
        return decode(given) if 'dtype' in given else None
    source, slot = given['from']
    outputs = record['nodes'][source].get('outputs')
    if outputs:
        return decode(outputs[slot]) if outputs[slot] is not None else None
    function = PLAIN.get(record['nodes'][source]['op'])
    inputs = [input_of(record, k, source) for k in range(len(record['nodes'][source]['inputs']))]
    if function is None or any(x is None for x in inputs):
        return None
    with np.errstate(all='ignore'):
        return function(*inputs)


def has_odd_boxes(problem, record):
    """Boxes of more or less than four numbers: TensorFlow reads four."""
    boxes = input_of(record, 1)
    return boxes is not None and boxes.shape[-1:] != (4,) and ('element' in problem or 'should have 4 coordinates' in problem)


def is_ill_conditioned(case, problem, record):
    """What is asked of a matrix that is singular but for rounding, or has eigenvalues where a function of it jumps,
    or differs less than the largest of the result is rounded by."""
    numbers = NUMBERS.search(problem)
    outputs = record['nodes'][-1].get('outputs')
    matrix = input_of(record, 0)
    if matrix is None or matrix.ndim < 2 or not matrix.size or not np.isfinite(matrix).all():
        return False
    unit = EPSILON_OF.get(matrix.dtype.name, 0)
    if case.op == 'MatrixExponential' and numbers and outputs and outputs[0] is not None:
        largest = np.abs(decode(outputs[0])).max()
        return abs(parse(numbers.group(1)) - parse(numbers.group(2))) < 32 * unit * largest
    if case.op.endswith('CholeskyGrad'):
        # Divided by zero: whether NaN or infinity hangs on the order of the steps.
        return (np.diagonal(matrix, axis1=-2, axis2=-1) == 0).any()
    if not numbers and not re.search('not successful|not invertible|rank deficient', problem):
        return False
    matrix = matrix.astype(np.complex128)
    if case.op.endswith('Cholesky'):
        matrix = np.tril(matrix) + np.conj(np.swapaxes(np.tril(matrix, -1), -1, -2))
    values = np.linalg.svd(matrix, compute_uv=False)
    if (values.min(-1) <= 16 * unit * values.max(-1)).any():
        return True
    if case.op not in ('MatrixLogarithm', 'MatrixSquareRoot'):
        return False
    # On the negative axis, but for rounding.
    values = np.linalg.eigvals(matrix)
    return bool(((values.real < 0) & (np.abs(values.imag) <= 64 * unit * np.abs(values).max())).any())


def is_sum_rounding(case, problem, record):
    """A Fourier transform sums all its terms: where they cancel, rounding of their size is left."""
    numbers = NUMBERS.search(problem)
    outputs = record['nodes'][-1].get('outputs')
    if not numbers or not outputs or outputs[0] is None:
        return False
    given = input_of(record, 0)
    if given is None:
        return False
    total = np.abs(given.astype(np.complex128)).sum()
    return abs(parse(numbers.group(1)) - parse(numbers.group(2))) < 8 * EPSILON_OF[outputs[0]['dtype']] * total


def accepted(case, problem, record):
    if problem.startswith('CRASH'):
        return False
    if 'No OpKernel was registered' in problem and len(case.nodes) == 1 and "TensorFlow: No OpKernel was registered to support Op 'Assign'" not in problem:
        return False
    if case.op.startswith('DrawBoundingBoxes') and has_odd_boxes(problem, record):
        return True
    if case.op.endswith('MatrixSolveLs') and 'element' in problem and input_of(record, 0) is not None and \
            not input_of(record, 0).size:
        # Without rows TensorFlow returns before it writes.
        return True
    if re.match('(Resource)?SparseApply', case.op) and re.search('must (match in|be the same size)', problem):
        # Of a gradient with less dims than the variable TensorFlow reads those it has not.
        names = [a.name for a in op_def_of(case.op).input_arg]
        grad = input_of(record, names.index('grad'))
        return grad is not None and grad.ndim < max(get(case, p).ndim for p in places(case))
    if case.op.endswith('ApplyAdagradDA') and 'element' in problem and (input_of(record, -1) is not None) and (input_of(record, -1) < 1).any():
        # Steps before the first.
        return True
    if case.op in ('DecodeJpeg', 'DecodeAndCropJpeg') and case.nodes[-1][2].get('try_recover_truncated') and 'element' in problem:
        # What the numbers of half a block overflow to hangs on the instructions of the processor.
        return True
    if SINGULAR.match(case.op) and is_ill_conditioned(case, problem, record):
        return True
    if re.match(r'I?R?FFT', case.op) and is_sum_rounding(case, problem, record):
        return True
    if re.search(' waits: |fails with', problem) and len(case.nodes) > 1 and record.get('error', {}).get('at') == 'build':
        # TensorFlow makes the whole graph before it runs the first op, check-cases makes each when its turn comes.
        return True
    if 'element' in problem and is_unseeded(case):
        return True
    if any(op.match(case.op) and text.search(problem) for op, text in COMPILED):
        return True
    if is_rounding(case, problem, record) or is_narrow_sum(case, problem, record):
        return True
    if case.op in ('QuantizedAdd', 'QuantizedBiasAdd') and 'element' in problem and not is_plain(case):
        # Ends that are no numbers: sums of int64 that overflow, which compilers turn into anything.
        return True
    if re.match(r'FusedBatchNorm(V\d)?\Z', case.op) and re.search(r'output [1-5]: element', problem):
        # Where it does not train TensorFlow 1.15 leaves all but the first output as the memory was.
        return case.nodes[-1][2].get('is_training') is False
    if case.op == 'FusedBatchNormGrad' and re.search(r'output [34]: (element|shape)', problem):
        # Placeholders: scalars in TensorFlow 1.15, vectors without elements in 2 and here.
        return True
    if case.op == 'BiasAddGrad' and get(case, next(places(case))).ndim <= 3 and 'element' in problem:
        # With channels first and one dimension of space TensorFlow 1.15 sums what it has not written.
        return case.nodes[-1][2].get('data_format') in ('NCHW', b'NCHW')
    if case.op == 'BiasAddGrad' and get(case, next(places(case))).ndim > 5 and 'element' in problem:
        # With channels first it goes over as many cells as five dimensions have.
        return case.nodes[-1][2].get('data_format') in ('NCHW', b'NCHW')
    if case.op == 'BiasAddGrad' and 'element' in problem and case.nodes[-1][2].get('data_format') in ('NCHW', b'NCHW'):
        # Of images of one pixel with channels first it sums all channels into the first, and sets no other.
        given = input_of(record, 0)
        return given is not None and given.ndim > 3 and np.prod(given.shape[2:]) == 1
    if case.op == 'SparseAdd':
        # A threshold of another dtype: TensorFlow 1.15 reads its bytes as that of the values.
        of = attr_type(record, 'T')
        return {'complex64': 'float32', 'complex128': 'float64'}.get(of, of) != attr_type(record, 'Treal')
    if case.op == 'RaggedRange' and 'element' in problem:
        # How many numbers there are is found by a sum that no int holds.
        return any((np.abs(get(case, p).astype(np.float64)) > np.iinfo(get(case, p).dtype).max / 2).any()
                   for p in places(case) if get(case, p).dtype.kind == 'i')
    if case.op == 'DataFormatDimMap' and 'element' in problem:
        # Four more than these is before the first of all numbers.
        return any((get(case, place) > np.iinfo(get(case, place).dtype).max - 4).any() for place in places(case))
    if case.op == 'DynamicStitch' and names_no_row(case, problem):
        return True
    if problem.endswith('has a value') and any(isinstance(x, Ref) and x.dtype.is_quantized for x in case.nodes[-1][1]):
        # TensorFlow has no kernel that reads such a variable back.
        return True
    if re.match(r'Conv3DBackpropFilter', case.op) and re.search(r'element \d+ is -?nan|TensorFlow has -?nan', problem) and \
            any(x is None or not np.isfinite(x).all() for x in (input_of(record, 0), input_of(record, 2))):
        # By the size of the machine's cache TensorFlow goes over patches of the padded image, as we do, or over the whole
        # image and gradients with zeros between and around: which zeros an infinity meets, and is NaN by, differs.
        return True
    if re.match(r'Conv[23]DBackpropFilter', case.op) and 'element' in problem:
        # Without cells TensorFlow returns before it writes.
        return any(get(case, place).size == 0 for place in places(case))
    if case.op == 'BarrierTakeMany' and re.search(r'output [1-9]: (string|element)', problem):
        # Keys of one call are equally old: TensorFlow's heap has an order of its own among three or more.
        return any(op == 'BarrierInsertMany' and np.size(inputs[1]) > 2 for op, inputs, _ in case.nodes[:-1])
    if case.op in ('BlockLSTM', 'BlockLSTMV2') and re.search(r'output [02345]: element', problem):
        # Of the steps that are not run TensorFlow clears cs and h alone.
        steps, x = case.nodes[-1][1][:2]
        return isinstance(steps, Out) or isinstance(x, Out) or np.size(steps) == 1 and np.max(steps) < np.shape(x)[0]
    if case.op == 'NearestNeighbors' and 'output 0: element' in problem:
        # Two centers as near as each other, but for rounding.
        distances = decode(record['nodes'][-1]['outputs'][1])
        return not is_plain(case) or bool((np.abs(np.diff(distances, axis=-1)) <= 16 * EPSILON['float32'] * np.abs(distances).max()).any())
    if case.op == 'CombinedNonMaxSuppression' and 'element' in problem:
        # Which of two equal scores comes first hangs on how TensorFlow's sorting goes.
        scores = to_array(case.nodes[-1][1][1]) if not isinstance(case.nodes[-1][1][1], Out) else np.zeros(2)
        return not is_plain(case) or np.unique(scores).size < scores.size
    if case.op == 'CTCBeamSearchDecoder' and re.search(r'output \d: (element|shape)', problem):
        # Which of two equally likely beams is better hangs on how TensorFlow's sorting goes.
        scores = np.sort(decode(record['nodes'][-1]['outputs'][-1]), axis=-1)
        given = input_of(record, 0)
        if given is not None and (np.diff(np.sort(given, axis=-1)) == 0).any():
            return True
        return not is_plain(case) or (np.abs(np.diff(scores)) < 1e-5).any()
    if case.op.startswith('NonMaxSuppressionV') and attr_type(record, 'T') != attr_type(record, 'T_threshold'):
        # TensorFlow 1.15 reads the thresholds' bytes as T.
        return True
    if case.op == 'Einsum' and 'element' in problem and attr_type(record, 'T') in ('complex64', 'complex128') and not is_plain(case):
        # A product of matrices, as MatMul is: of one that is wide or high TensorFlow goes over its cells in other ways.
        return True
    return MIXES.search(case.op) is not None and not is_plain(case) and MIXED.search(problem) is not None
