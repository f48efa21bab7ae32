# engine_errors_more.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""More ops that refuse what they are given, and more runs that meet a state they cannot use: for
record_engine_errors.py."""

import numpy as np
import tensorflow.compat.v1 as tf

import engine_errors_ops
from engine_errors_ops import op

R = tf.raw_ops
F, D, I, L, S, B, U8, C = (tf.float32, tf.float64, tf.int32, tf.int64, tf.string, tf.bool, tf.uint8,
                           tf.complex64)
CASES = engine_errors_ops.CASES
o = np.ones
z = np.zeros


def number(name, dtype, text):
    op('to_number_' + name, 'StringToNumber', dict(string_tensor=(S, ['1', text])), out_type=dtype)


def asserts(name, summarize, *data):
    """How the data of an Assert is written."""
    def make(c):
        feeds = {'ok:0': False}
        given = []
        for i, (dtype, value) in enumerate(data):
            given.append(tf.placeholder(dtype, name='d%d' % i))
            feeds['d%d:0' % i] = value
        ok = tf.placeholder(B, [], name='ok')
        c.run(tf.Assert(ok, ['values', *given], summarize, name='check'), feeds)
    CASES['assert_' + name] = make


def case(function):
    CASES[function.__name__] = function
    return function


def variable(c, value, name='w', resource=False):
    made = tf.Variable(np.array(value, np.float32), name=name, use_resource=resource)
    c.run(made.initializer)
    return made


op('conv2d_filter_rank', 'Conv2D', dict(input=o([1, 4, 4, 3]), filter=o([1, 3, 4])), strides=[1] *
   4, padding='SAME')
op('conv3d_rank', 'Conv3D', dict(input=o([1, 4, 4, 3]), filter=o([1, 1, 1, 3, 4])), strides=[1] *
   5, padding='SAME')
op('conv3d_backprop_rank', 'Conv3DBackpropInputV2', dict(input_sizes=(I, [1, 4, 4, 3]),
   filter=o([1, 1, 1, 3, 4]), out_backprop=o([1, 1, 4, 4, 4])), strides=[1] * 5, padding='SAME')
op('conv3d_backprop_filter_batch', 'Conv3DBackpropFilterV2', dict(input=o([2, 2, 2, 2, 1]),
   filter_sizes=(I, [1, 1, 1, 1, 1]), out_backprop=o([1, 2, 2, 2, 1])), strides=[1] * 5,
   padding='SAME')
op('conv2d_backprop_batch', 'Conv2DBackpropInput', dict(input_sizes=(I, [2, 4, 4, 3]),
   filter=o([1, 1, 3, 4]), out_backprop=o([1, 4, 4, 4])), strides=[1] * 4, padding='SAME')
op('conv2d_backprop_out_depth', 'Conv2DBackpropInput', dict(input_sizes=(I, [1, 4, 4, 3]),
   filter=o([1, 1, 3, 4]), out_backprop=o([1, 4, 4, 5])), strides=[1] * 4, padding='SAME')
op('conv2d_backprop_vector', 'Conv2DBackpropInput', dict(input_sizes=(I, [[1, 4, 4, 3]]),
   filter=o([1, 1, 3, 4]), out_backprop=o([1, 4, 4, 4])), strides=[1] * 4, padding='SAME')
op('depthwise_rank', 'DepthwiseConv2dNative', dict(input=o([4, 4, 3]), filter=o([2, 2, 3, 1])),
   strides=[1] * 4, padding='SAME')
op('depthwise_backprop_sizes', 'DepthwiseConv2dNativeBackpropInput', dict(input_sizes=(I, [1, 4,
   4, 3]), filter=o([2, 2, 3, 1]), out_backprop=o([1, 3, 3, 3])), strides=[1] * 4, padding='SAME')
op('dilation_rank', 'Dilation2D', dict(input=o([4, 4, 3]), filter=o([2, 2, 3])), strides=[1] * 4,
   rates=[1] * 4, padding='SAME')
op('max_pool3d_rank', 'MaxPool3D', dict(input=o([4, 4, 3])), ksize=[1, 2, 2, 2, 1], strides=[1] *
   5, padding='SAME')
op('avg_pool_grad_rank', 'AvgPoolGrad', dict(orig_input_shape=(I, [4, 4, 1]), grad=o([1, 4, 4,
   1])), ksize=[1, 2, 2, 1], strides=[1] * 4, padding='SAME')
op('max_pool_v2_ksize', 'MaxPoolV2', dict(input=o([1, 4, 4, 1]), ksize=(I, [2, 2]), strides=(I,
   [1, 1, 1, 1])), padding='SAME')
op('bn_v3_offset', 'FusedBatchNormV3', dict(x=o([1, 2, 2, 3]), scale=o([3]), offset=o([2]),
   mean=z([0]), variance=z([0])))
op('bn_v3_train_mean', 'FusedBatchNormV3', dict(x=o([1, 2, 2, 3]), scale=o([3]), offset=o([3]),
   mean=o([3]), variance=o([3])))
op('lrn_grad_sizes', 'LRNGrad', dict(input_grads=o([1, 2, 2, 3]), input_image=o([1, 2, 2, 4]),
   output_image=o([1, 2, 2, 3])))
op('sparse_xent_labels_rank', 'SparseSoftmaxCrossEntropyWithLogits', dict(features=o([2, 3]),
   labels=(I, [[1], [2]])))
op('sparse_xent_negative', 'SparseSoftmaxCrossEntropyWithLogits', dict(features=o([2, 3]),
   labels=(L, [1, -1])))
op('matmul_vector', 'MatMul', dict(a=o([2]), b=o([2, 2])))
op('matmul_trans', 'MatMul', dict(a=o([2, 3]), b=o([3, 4])), transpose_a=True)
op('floor_div_zero_long', 'FloorDiv', dict(x=(L, [3, 4]), y=(L, [1, 0])))
op('truncate_mod_zero', 'TruncateMod', dict(x=(I, [3]), y=(I, [0])))
op('betainc_shapes', 'Betainc', dict(a=o([2]), b=o([3]), x=o([2])))
op('broadcast_gradient', 'BroadcastGradientArgs', dict(s0=(I, [2, 3]), s1=(I, [2, 2])))
op('concat_offset_rows', 'ConcatOffset', dict(concat_dim=(I, 0), L_shape=(I, [[2, 3], [2, 4]])))
op('concat_v1_axis', 'Concat', dict(concat_dim=(I, 3), L_values=(F, [o([2]), o([2])])))
op('concat_ranks_three', 'ConcatV2', dict(L_values=(F, [o([2, 2]), o([2, 2]), o([2, 3])]),
   axis=(I, 0)))
op('pack_ranks', 'Pack', dict(L_values=(S, ['a', ['b']])))
op('unpack_axis', 'Unpack', dict(value=o([3, 2])), num=2, axis=2)
op('split_v_negative', 'SplitV', dict(value=o([5]), size_splits=(I, [7, -2]), axis=(I, 0)),
   num_split=2)
op('slice_begin_negative', 'Slice', dict(input=o([3, 3]), begin=(I, [0, -1]), size=(I, [1, 1])))
op('strided_slice_ellipses', 'StridedSlice', dict(input=o([3]), begin=(I, [0, 0]), end=(I, [1,
   1]), strides=(I, [1, 1])), ellipsis_mask=3)
op('strided_slice_grad', 'StridedSliceGrad', dict(shape=(I, [3]), begin=(I, [0]), end=(I, [2]),
   strides=(I, [1]), dy=o([3])))
op('pad_rank_nine', 'Pad', dict(input=o([1] * 7), paddings=(I, z([7, 2], int))))
op('pad_v2_value', 'PadV2', dict(input=o([2]), paddings=(I, [[1, 1]]), constant_values=o([2])))
op('mirror_pad_symmetric', 'MirrorPad', dict(input=o([2]), paddings=(I, [[3, 0]])),
   mode='SYMMETRIC')
op('tile_matrix', 'Tile', dict(input=o([2, 2]), multiples=(I, [[2, 2]])))
op('transpose_twice', 'Transpose', dict(x=o([2, 3]), perm=(I, [1, 1])))
op('transpose_negative', 'Transpose', dict(x=o([2, 3]), perm=(I, [0, -3])))
op('expand_dims_vector', 'ExpandDims', dict(input=o([2]), axis=(I, [0, 1])))
op('squeeze_two', 'Squeeze', dict(input=o([2, 1, 3])), axis=[1, 2])
op('reshape_uneven', 'Reshape', dict(tensor=o([7]), shape=(L, [-1, 2, 2])))
op('gather_negative', 'GatherV2', dict(params=(S, ['a', 'b']), indices=(L, [[0, -1]]), axis=(I,
   0)))
op('gather_batch_dims', 'GatherV2', dict(params=o([2, 3]), indices=(I, [[0], [1], [2]]), axis=(I,
   1)), batch_dims=1)
op('gather_nd_negative', 'GatherNd', dict(params=o([3, 2]), indices=(L, [[[0, 0]], [[1, -1]]])))
op('scatter_nd_deep', 'ScatterNd', dict(indices=(I, [[0, 2], [3, 0]]), updates=o([2]), shape=(I,
   [3, 3])))
op('tensor_scatter_add', 'TensorScatterAdd', dict(tensor=o([3, 2]), indices=(I, [[1, 2]]),
   updates=o([1])))
op('one_hot_on_vector', 'OneHot', dict(indices=(I, [0, 1]), depth=(I, 2), on_value=o([1]),
   off_value=0.))
op('range_down', 'Range', dict(start=2., limit=5., delta=-1.))
op('linspace_vector', 'LinSpace', dict(start=[0.], stop=1., num=(I, 2)))
op('set_diag_batch', 'MatrixSetDiag', dict(input=o([2, 2, 2]), diagonal=o([3, 2])))
op('band_upper', 'MatrixBandPart', dict(input=o([2, 2]), num_lower=(L, 0), num_upper=(L, 5)))
op('cumprod_axis', 'Cumprod', dict(x=o([2, 2]), axis=(I, -3)))
op('top_k_rows', 'TopKV2', dict(input=o([2, 3]), k=(I, 4)))
op('nth_element_negative', 'NthElement', dict(input=o([3]), n=(I, -1)))
op('unique_v2_axes', 'UniqueV2', dict(x=o([2, 2]), axis=(L, [0, 1])))
op('segment_prod_rank', 'SegmentProd', dict(data=o([2, 2]), segment_ids=(I, [[0, 1], [1, 1]])))
op('unsorted_segment_num', 'UnsortedSegmentProd', dict(data=o([2]), segment_ids=(I, [0, 1]),
   num_segments=(I, -1)))
op('sparse_segment_grad', 'SparseSegmentMeanGrad', dict(grad=o([1, 2]), indices=(I, [5]),
   segment_ids=(I, [0]), output_dim0=(I, 2)))
op('dynamic_partition_negative', 'DynamicPartition', dict(data=o([2]), partitions=(I, [0, -1])),
   num_partitions=2)
op('dynamic_stitch_rows', 'DynamicStitch', dict(L_indices=(I, [[0], [1]]), L_data=(F, [o([1, 2]),
   o([1, 3])])))
op('space_to_batch_negative', 'SpaceToBatchND', dict(input=o([1, 4, 4, 1]), block_shape=(I, [2,
   2]), paddings=(I, [[0, 0], [0, -2]])))
op('batch_to_space_crops', 'BatchToSpaceND', dict(input=o([4, 2, 2, 1]), block_shape=(I, [2, 2]),
   crops=(I, [[3, 0], [0, 3]])))
op('reverse_v1_dims', 'Reverse', dict(tensor=o([2, 2]), dims=(B, [True])))
op('reverse_sequence_negative', 'ReverseSequence', dict(input=o([2, 3]), seq_lengths=(I, [1,
   -2])), seq_dim=1)
op('bitcast_odd', 'Bitcast', dict(input=(U8, o([2, 3]))), type=tf.int16)
op('ensure_rank', 'EnsureShape', dict(input=o([2, 3])), shape=[2])
op('fake_quant_channel', 'FakeQuantWithMinMaxVarsPerChannel', dict(inputs=o([2, 3]), min=z([2]),
   max=o([2])))
op('quantize_dequantize_bits', 'QuantizeAndDequantizeV3', dict(input=o([2]), input_min=0.,
   input_max=1., num_bits=(I, 70)))
op('hist_range', 'HistogramFixedWidth', dict(values=o([2]), value_range=[2., 1.], nbins=(I, 3)))
op('decode_jpeg_cut', 'DecodeJpeg', dict(contents=(S, b'\xff\xd8\xff\xe0')))
op('decode_crop', 'DecodeAndCropJpeg', dict(contents=(S, 'xx'), crop_window=(I, [0, 0, 1])))
op('encode_jpeg_format', 'EncodeJpeg', dict(image=(U8, o([2, 2, 1]))), format='rgb')
op('resize_bilinear_size', 'ResizeBilinear', dict(images=o([1, 2, 2, 3]), size=(I, [4, 4, 4])))
op('crop_resize_index', 'CropAndResize', dict(image=o([1, 4, 4, 1]), boxes=[[0., 0., 1., 1.]],
   box_ind=(I, [3]), crop_size=(I, [2, 2])))
op('nms_iou', 'NonMaxSuppressionV3', dict(boxes=o([2, 4]), scores=o([2]), max_output_size=(I, 2),
   iou_threshold=1.5, score_threshold=0.))
op('combined_nms', 'CombinedNonMaxSuppression', dict(boxes=o([1, 2, 4]), scores=o([1, 2, 1]),
   max_output_size_per_class=(I, 1), max_total_size=(I, 1), iou_threshold=.5, score_threshold=0.))
op('lu_square', 'Lu', dict(input=o([2, 3])))
op('solve_batch', 'MatrixSolve', dict(matrix=o([2, 2, 2]), rhs=o([3, 2, 1])))
op('solve_ls_rows', 'MatrixSolveLs', dict(matrix=o([3, 2]), rhs=o([2, 1]), l2_regularizer=(D,
   0.)))
op('inverse_batch', 'MatrixInverse', dict(input=np.stack([np.eye(2), z([2, 2])])))
op('fft3_rank', 'FFT3D', dict(input=(C, o([3, 3]))))
op('irfft_short', 'IRFFT', dict(input=(C, o([3])), fft_length=(I, [8])))
op('substr_unicode', 'Substr', dict(input=(S, ['abc']), pos=(I, 4), len=(I, 1)), unit='UTF8_CHAR')
op('string_split_v2_sep', 'StringSplitV2', dict(input=(S, ['a b']), sep=(S, [' '])))
op('regex_replace_group', 'RegexReplace', dict(input=(S, ['a']), pattern=(S, 'a'), rewrite=(S,
   '\\2')))
op('reduce_join_range', 'ReduceJoin', dict(inputs=(S, [['a', 'b']]), reduction_indices=(I, [2])))
op('unsorted_join', 'UnsortedSegmentJoin', dict(inputs=(S, ['a', 'b']), segment_ids=(I, [0, 5]),
   num_segments=(I, 2)))
op('unicode_encode_splits', 'UnicodeEncode', dict(input_values=(I, [65, 66]), input_splits=(L, [0,
   3])), output_encoding='UTF-8')
op('ngrams_splits', 'StringNGrams', dict(data=(S, ['a', 'b']), data_splits=(L, [0, 3])),
   separator=' ', ngram_widths=[2], left_pad='', right_pad='', pad_width=0,
   preserve_short_sequences=False)
op('decode_padded_raw', 'DecodePaddedRaw', dict(input_bytes=(S, ['abcd']), fixed_length=(I, 3)),
   out_type=I)
op('parse_tensor_vector', 'ParseTensor', dict(serialized=(S, ['a'])), out_type=F)
op('stateless_int_order', 'StatelessRandomUniformInt', dict(shape=(I, [2]), seed=(L, [1, 2]),
   minval=(I, 3), maxval=(I, 3)))
op('parameterized_sizes', 'ParameterizedTruncatedNormal', dict(shape=(I, [2, 2]), means=z([3]),
   stdevs=o([3]), minvals=z([3]), maxvals=o([3])))
op('fixed_unigram_classes', 'FixedUnigramCandidateSampler', dict(true_classes=(L, [[9]])),
   num_true=1, num_sampled=2, unique=False, range_max=3, unigrams=[1., 2., 3.])
op('learned_classes', 'LearnedUnigramCandidateSampler', dict(true_classes=(L, [[1, 2]])),
   num_true=1, num_sampled=2, unique=False, range_max=3)

for i, (dtype, text) in enumerate([
        (F, ''), (F, '0x10'), (F, '1,5'), (F, ' 3 4'), (I, '2147483648'), (I, '1.0'), (I, ''), (D, 'nanx'),
        (D, '--1'), (F, 'infinit'), (F, '1f'), (L, '9223372036854775808'), (L, ' ')]):
    number(str(i), dtype, text)
asserts('floats', 20, (F, [1., 1.5, 1e10, 1e-10, -0., .1, 123456789.]), (D, [1. / 3, 1e300]))
asserts('integers', 3, (tf.int8, [-1, 2]), (U8, [200]), (tf.int16, [-300]), (L, [1 << 40]))
asserts('texts', 20, (S, ['a', 'with "quotes"', 'tab\there', "it's", 'back\\slash']), (B, [True, False]))
asserts('rows', None, (I, np.arange(12).reshape(3, 4)))
asserts('rows_short', 5, (F, np.arange(24.).reshape(2, 3, 4)))
asserts('rows_all', -1, (I, np.arange(6).reshape(2, 3)))
asserts('none', 0, (I, [1, 2]))


@case
def adadelta_slot_absent(c):
    w = variable(c, [1., 2.], resource=True)
    c.run(tf.train.AdadeltaOptimizer(.1).minimize(tf.reduce_sum(w * w)))


@case
def handle_of_another_kind(c):
    c.run(R.QueueSizeV2(handle=variable(c, [1., 2.], resource=True).handle))


@case
def variable_destroyed(c):
    w = variable(c, [1., 2.], resource=True)
    c.run(R.DestroyResourceOp(resource=w.handle))
    c.run(w.read_value())


@case
def insert_into_constant_table(c):
    table = R.HashTableV2(key_dtype=S, value_dtype=L)
    c.run(R.LookupTableInsertV2(table_handle=table, keys=['a'], values=tf.constant([1], L)))


@case
def edit_distance_ranks(c):
    feeds = {'a/indices:0': [[0, 0]], 'a/values:0': [1], 'a/shape:0': [1, 1],
             'b/indices:0': [[0, 0, 0]], 'b/values:0': [1], 'b/shape:0': [1, 1, 1]}
    c.run(tf.edit_distance(tf.sparse_placeholder(L, name='a'), tf.sparse_placeholder(L, name='b')), feeds)


@case
def scatter_sub_rows(c):
    w = variable(c, [[1., 2.], [3., 4.]])
    c.run(tf.scatter_sub(w, tf.placeholder(I, name='i'), tf.placeholder(F, name='u')),
          {'i:0': [0, 1], 'u:0': o([2, 3])})


@case
def scatter_nd_add_range(c):
    w = variable(c, [[1., 2.], [3., 4.]])
    c.run(tf.scatter_nd_add(w, tf.placeholder(I, name='i'), tf.placeholder(F, name='u')),
          {'i:0': [[0, 0], [1, 2]], 'u:0': [1., 2.]})


@case
def keras_momentum_shapes(c):
    w, m = variable(c, [1., 2.], resource=True), variable(c, [1., 2., 3.], 'm', True)
    c.run(R.ResourceApplyKerasMomentum(var=w.handle, accum=m.handle, lr=.1, grad=[1., 1.], momentum=.9))


@case
def queue_padding_shape(c):
    q = tf.PaddingFIFOQueue(5, F, [[None, 2]], name='pad')
    c.run(q.enqueue(tf.placeholder(F, name='x')), {'x:0': o([2, 3])})


@case
def queue_types(c):
    q = tf.FIFOQueue(5, [F, I], name='q')
    c.run(R.QueueDequeueV2(handle=q.queue_ref, component_types=[F]))


@case
def iterator_map_gathers(c):
    it = tf.data.make_initializable_iterator(tf.data.Dataset.range(5).map(lambda x: tf.gather([1, 2], x)))
    following = it.get_next()
    for _ in range(2):
        c.run(it.initializer)
        c.run(following)
    c.run(following)
    c.run(following)


@case
def iterator_padded(c):
    data = tf.data.Dataset.range(1, 5).map(lambda x: tf.fill([x], x)).padded_batch(3, [2])
    it = tf.data.make_initializable_iterator(data)
    following = it.get_next()
    c.run(it.initializer)
    c.run(following)


@case
def loop_turn_reshapes(c):
    start = [tf.constant(0), tf.placeholder(F, name='x')]
    c.run(tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.reshape(y, [-1, 2])), start,
                        [tf.TensorShape([]), tf.TensorShape(None)], name='turn'), {'x:0': [1., 2., 3.]})


@case
def array_read_behind(c):
    array = tf.TensorArray(F, 2).unstack([1., 2.])
    c.run(array.read(tf.placeholder(I, [], name='i')), {'i:0': -1})


@case
def fed_inner_tensor(c):
    to = tf.constant([1, 2], name='to')
    c.run(tf.reshape(tf.placeholder(F, name='x'), to), {'x:0': [1., 2., 3.], 'to:0': [3, 3]})
