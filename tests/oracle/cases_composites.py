# cases_composites.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Calls of tf.layers, tf.nn, tf.math and tf.linalg that make several nodes each: every function takes the module tf.
record_composites.py records what TensorFlow makes of them, test-composites.py compares ours."""

CASES = {}


def P(tf, *dims):
    return tf.placeholder(tf.float32, list(dims))


def N(tf, *dims):
    return tf.placeholder(tf.int64, list(dims))


def U(tf, *dims):
    return tf.placeholder(tf.uint8, list(dims))


def layer(function, dims, **arguments):
    """A layer over a placeholder of those dims."""
    return lambda tf: getattr(tf.layers, function)(tf.placeholder(tf.float32, dims, name="x"), **arguments)


CASES["layer_conv1d"] = layer("conv1d", [None, 10, 3], filters=4, kernel_size=3)
CASES["layer_conv1d_causal"] = layer("conv1d", [None, 10, 3], filters=4, kernel_size=3, padding="causal",
    dilation_rate=2)
CASES["layer_conv1d_same"] = layer("conv1d", [2, 10, 3], filters=4, kernel_size=3, padding="same", strides=2,
    use_bias=False)
CASES["layer_conv1d_first"] = layer("conv1d", [2, 3, 10], filters=4, kernel_size=3, data_format="channels_first")
CASES["layer_conv2d"] = layer("conv2d", [None, 10, 10, 3], filters=4, kernel_size=3)
CASES["layer_conv2d_dil"] = layer("conv2d", [None, 10, 10, 3], filters=4, kernel_size=3, dilation_rate=2)
CASES["layer_conv2d_dil_same"] = layer("conv2d", [2, None, None, 3], filters=4, kernel_size=3,
    dilation_rate=(2, 3), padding="same")
CASES["layer_conv2d_first"] = layer("conv2d", [2, 3, 10, 10], filters=4, kernel_size=3,
    data_format="channels_first")
CASES["layer_conv2d_first_dil"] = layer("conv2d", [2, 3, 10, 10], filters=4, kernel_size=3,
    data_format="channels_first", dilation_rate=2)
CASES["layer_conv3d"] = layer("conv3d", [2, 6, 6, 6, 3], filters=4, kernel_size=3, padding="same")
CASES["layer_conv3d_dil"] = layer("conv3d", [2, 6, 6, 6, 3], filters=4, kernel_size=3, dilation_rate=2)
CASES["layer_conv3d_first"] = layer("conv3d", [2, 3, 6, 6, 6], filters=4, kernel_size=3,
    data_format="channels_first")
CASES["layer_sep1"] = layer("separable_conv1d", [None, 10, 3], filters=4, kernel_size=3)
CASES["layer_sep1_dil"] = layer("separable_conv1d", [None, 10, 3], filters=4, kernel_size=3, dilation_rate=2,
    padding="causal")
CASES["layer_sep2"] = layer("separable_conv2d", [None, 10, 10, 3], filters=4, kernel_size=3,
    depth_multiplier=2, strides=2, padding="same")
CASES["layer_sep2_dil"] = layer("separable_conv2d", [None, 10, 10, 3], filters=4, kernel_size=3, dilation_rate=2)
CASES["layer_tr2"] = layer("conv2d_transpose", [None, 5, 5, 3], filters=4, kernel_size=3, strides=2)
CASES["layer_tr2_same"] = layer("conv2d_transpose", [2, 5, 5, 3], filters=4, kernel_size=3, strides=2,
    padding="same", use_bias=False)
CASES["layer_tr3"] = layer("conv3d_transpose", [2, 5, 5, 5, 3], filters=4, kernel_size=3, strides=2)
CASES["layer_tr3_first"] = layer("conv3d_transpose", [2, 3, 5, 5, 5], filters=4, kernel_size=3, strides=2,
    padding="same", data_format="channels_first")
CASES["layer_mp1"] = layer("max_pooling1d", [None, 10, 3], pool_size=2, strides=2)
CASES["layer_ap1"] = layer("average_pooling1d", [None, 3, 10], pool_size=2, strides=2, data_format="channels_first")
CASES["layer_mp2"] = layer("max_pooling2d", [None, 10, 10, 3], pool_size=2, strides=2)
CASES["layer_ap2"] = layer("average_pooling2d", [None, 10, 10, 3], pool_size=3, strides=2, padding="same")
CASES["layer_mp3"] = layer("max_pooling3d", [None, 4, 4, 4, 3], pool_size=2, strides=2)
CASES["layer_ap3"] = layer("average_pooling3d", [None, 3, 4, 4, 4], pool_size=2, strides=2,
    data_format="channels_first")
CASES["convolution1"] = lambda tf: tf.nn.convolution(P(tf, 2, 10, 3), P(tf, 3, 3, 4), "SAME")
CASES["convolution2"] = lambda tf: tf.nn.convolution(P(tf, 2, 10, 10, 3), P(tf, 3, 3, 3, 4), "VALID",
    strides=[2, 2])
CASES["convolution2d"] = lambda tf: tf.nn.convolution(P(tf, 2, 10, 10, 3), P(tf, 3, 3, 3, 4), "SAME",
    dilation_rate=[2, 2])
CASES["convolution3"] = lambda tf: tf.nn.convolution(P(tf, 2, 6, 6, 6, 3), P(tf, 3, 3, 3, 3, 4), "VALID")
CASES["atrous"] = lambda tf: tf.nn.atrous_conv2d(P(tf, 2, 10, 10, 3), P(tf, 3, 3, 3, 4), 2, "SAME")
CASES["atrous_dyn"] = lambda tf: tf.nn.atrous_conv2d(P(tf, None, None, None, 3), P(tf, 3, 3, 3, 4), 2, "VALID")
CASES["atrous_t"] = lambda tf: tf.nn.atrous_conv2d_transpose(P(tf, 2, 10, 10, 3), P(tf, 3, 3, 4, 3), [2, 10,
    10, 4], 2, "SAME")
CASES["conv1d_nn"] = lambda tf: tf.nn.conv1d(P(tf, 2, 10, 3), P(tf, 3, 3, 4), 2, "SAME")
CASES["conv1d_t"] = lambda tf: tf.nn.conv1d_transpose(P(tf, 2, 5, 4), P(tf, 3, 3, 4), [2, 10, 3], 2)
CASES["conv2d_exp"] = lambda tf: tf.nn.conv2d(P(tf, 2, 10, 10, 3), P(tf, 3, 3, 3, 4), 1, [[0, 0], [1, 1], [2,
    2], [0, 0]])
CASES["conv2d_t"] = lambda tf: tf.nn.conv2d_transpose(P(tf, 2, 5, 5, 4), P(tf, 3, 3, 3, 4), [2, 10, 10, 3], 2)
CASES["conv3d_t"] = lambda tf: tf.nn.conv3d_transpose(P(tf, 2, 5, 5, 5, 4), P(tf, 3, 3, 3, 3, 4), [2, 10, 10,
    10, 3], 2)
CASES["depthwise"] = lambda tf: tf.nn.depthwise_conv2d(P(tf, 2, 10, 10, 3), P(tf, 3, 3, 3, 2), [1, 1, 1, 1], "SAME")
CASES["depthwise_r"] = lambda tf: tf.nn.depthwise_conv2d(P(tf, 2, 10, 10, 3), P(tf, 3, 3, 3, 2), [1, 1, 1, 1],
    "SAME", rate=[2, 2])
CASES["separable"] = lambda tf: tf.nn.separable_conv2d(P(tf, 2, 10, 10, 3), P(tf, 3, 3, 3, 2), P(tf, 1, 1, 6,
    5), [1, 1, 1, 1], "SAME")
CASES["pool1"] = lambda tf: tf.nn.pool(P(tf, 2, 10, 3), [2], "MAX", "SAME")
CASES["pool2"] = lambda tf: tf.nn.pool(P(tf, 2, 10, 10, 3), [2, 2], "AVG", "VALID", dilation_rate=[2, 2])
CASES["pool3"] = lambda tf: tf.nn.pool(P(tf, 2, 6, 6, 6, 3), [2, 2, 2], "MAX", "SAME")
CASES["mp1d"] = lambda tf: tf.nn.max_pool1d(P(tf, 2, 10, 3), 2, 2, "SAME")
CASES["ap1d"] = lambda tf: tf.nn.avg_pool1d(P(tf, 2, 10, 3), 2, 2, "SAME")
CASES["mp3d"] = lambda tf: tf.nn.max_pool3d(P(tf, 2, 6, 6, 6, 3), 2, 2, "SAME")
CASES["mpa"] = lambda tf: tf.nn.max_pool_with_argmax(P(tf, 2, 6, 6, 3), [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
CASES["ero"] = lambda tf: tf.nn.erosion2d(P(tf, 2, 6, 6, 3), P(tf, 2, 2, 3), [1, 1, 1, 1], [1, 1, 1, 1], "SAME")
CASES["mpnn"] = lambda tf: tf.nn.max_pool(P(tf, 2, 6, 6, 3), 2, 2, "SAME")
CASES["rsb"] = lambda tf: tf.required_space_to_batch_paddings([10, 9], [2, 3])
CASES["stb"] = lambda tf: tf.space_to_batch(P(tf, 1, 4, 4, 1), [[0, 0], [0, 0]], 2)
CASES["bts"] = lambda tf: tf.batch_to_space(P(tf, 4, 2, 2, 1), [[0, 0], [0, 0]], 2)
CASES["zeros_t"] = lambda tf: tf.zeros([tf.shape(P(tf, None, 3))[0], 3])
CASES["ones_t"] = lambda tf: tf.ones(tf.stack([tf.shape(P(tf, None, 3))[0]]))
CASES["zeros_d"] = lambda tf: tf.zeros([2, 3], tf.int32)
CASES["zeros_big"] = lambda tf: tf.zeros([100, 30])
CASES["zeros_scalar_t"] = lambda tf: tf.zeros(tf.placeholder(tf.int32, []))
CASES["fill_t"] = lambda tf: tf.fill([tf.shape(P(tf, None, 3))[0], 3], 1.0)
CASES["weighted_moments"] = lambda tf: tf.nn.weighted_moments(P(tf, 2, 5, 3), [0, 1], P(tf, 2, 5, 3))
CASES["weighted_moments_s"] = lambda tf: tf.nn.weighted_moments(P(tf, 2, 5, 3), [0, 1], 2.0)
CASES["suff"] = lambda tf: tf.nn.sufficient_statistics(P(tf, 2, 5, 3), [0, 1])
CASES["suff_dyn"] = lambda tf: tf.nn.sufficient_statistics(P(tf, None, 5, 3), [0, 1], shift=P(tf, 3),
    keep_dims=True)
CASES["norm_mom"] = lambda tf: tf.nn.normalize_moments(P(tf), P(tf, 3), P(tf, 3), None)
CASES["norm_mom_s"] = lambda tf: tf.nn.normalize_moments(P(tf), P(tf, 3), P(tf, 3), P(tf, 3))
CASES["moments"] = lambda tf: tf.nn.moments(P(tf, 2, 5, 3), [0, 1])
CASES["moments_half"] = lambda tf: tf.nn.moments(tf.placeholder(tf.float16, [2, 5, 3]), [0, 1], keep_dims=True)
CASES["bn"] = lambda tf: tf.nn.batch_normalization(P(tf, 2, 3), P(tf, 3), P(tf, 3), P(tf, 3), P(tf, 3), 0.1)
CASES["bng"] = lambda tf: tf.nn.batch_norm_with_global_normalization(P(tf, 2, 2, 2, 3), P(tf, 3), P(tf, 3),
    P(tf, 3), P(tf, 3), 0.1, True)
CASES["l2n"] = lambda tf: tf.nn.l2_normalize(P(tf, 2, 3), 1)
CASES["l2nm"] = lambda tf: tf.nn.l2_normalize(P(tf, 2, 3), [0, 1])
CASES["logpois"] = lambda tf: tf.nn.log_poisson_loss(P(tf, 2), P(tf, 2))
CASES["logpois_full"] = lambda tf: tf.nn.log_poisson_loss(P(tf, 2), P(tf, 2), compute_full_loss=True)
CASES["wxe"] = lambda tf: tf.nn.weighted_cross_entropy_with_logits(labels=P(tf, 2), logits=P(tf, 2), pos_weight=2.0)
CASES["crelu"] = lambda tf: tf.nn.crelu(P(tf, 2, 3))
CASES["relu_layer"] = lambda tf: tf.nn.relu_layer(P(tf, 2, 3), P(tf, 3, 4), P(tf, 4))
CASES["zero_fraction"] = lambda tf: tf.nn.zero_fraction(P(tf, 2, 3))
CASES["emb"] = lambda tf: tf.nn.embedding_lookup(tf.get_variable("e", [10, 3]), N(tf, 4))
CASES["emb_mod"] = lambda tf: tf.nn.embedding_lookup([tf.get_variable("e%d" % i, [5, 3]) for i in range(2)],
    N(tf, 4))
CASES["emb_div"] = lambda tf: tf.nn.embedding_lookup([tf.get_variable("e%d" % i, [5, 3]) for i in range(2)],
    N(tf, 4), "div")
CASES["emb_norm"] = lambda tf: tf.nn.embedding_lookup(tf.get_variable("e", [10, 3]), N(tf, 4), max_norm=1.0)
CASES["emb_part"] = lambda tf: tf.nn.embedding_lookup(tf.get_variable("e", [10, 3],
    partitioner=tf.fixed_size_partitioner(2)), N(tf, 4))
CASES["emb_sp"] = lambda tf: tf.nn.embedding_lookup_sparse(tf.get_variable("e", [10, 3]),
    tf.sparse_placeholder(tf.int64), None, combiner="mean")
CASES["emb_sp_sum"] = lambda tf: tf.nn.embedding_lookup_sparse(tf.get_variable("e", [10, 3]),
    tf.sparse_placeholder(tf.int64), None, combiner="sum")
CASES["emb_sp_w"] = lambda tf: tf.nn.embedding_lookup_sparse(tf.get_variable("e", [10, 3]),
    tf.sparse_placeholder(tf.int64), tf.sparse_placeholder(tf.float32), combiner="sqrtn")
CASES["safe_sp"] = lambda tf: tf.nn.safe_embedding_lookup_sparse(tf.get_variable("e", [10, 3]),
    tf.sparse_placeholder(tf.int64))
CASES["nce"] = lambda tf: tf.nn.nce_loss(tf.get_variable("w", [10, 3]), tf.get_variable("b", [10]), N(tf, 4,
    1), P(tf, 4, 3), 5, 10)
CASES["nce2"] = lambda tf: tf.nn.nce_loss(tf.get_variable("w", [10, 3]), tf.get_variable("b", [10]), N(tf, 4,
    2), P(tf, 4, 3), 5, 10, num_true=2, remove_accidental_hits=True)
CASES["samp"] = lambda tf: tf.nn.sampled_softmax_loss(tf.get_variable("w", [10, 3]), tf.get_variable("b",
    [10]), N(tf, 4, 1), P(tf, 4, 3), 5, 10)
CASES["samp_p"] = lambda tf: tf.nn.sampled_softmax_loss([tf.get_variable("w%d" % i, [5, 3]) for i in range(2)],
    tf.get_variable("b", [10]), N(tf, 4, 1), P(tf, 4, 3), 5, 10, partition_strategy="div")
CASES["ctc"] = lambda tf: tf.nn.ctc_loss(tf.sparse_placeholder(tf.int32), P(tf, 5, 2, 4),
    tf.placeholder(tf.int32, [2]))
CASES["ctc_b"] = lambda tf: tf.nn.ctc_loss(tf.sparse_placeholder(tf.int32), P(tf, 2, 5, 4),
    tf.placeholder(tf.int32, [2]), time_major=False)
CASES["ctc_g"] = lambda tf: tf.nn.ctc_greedy_decoder(P(tf, 5, 2, 4), tf.placeholder(tf.int32, [2]))
CASES["ctc_bs"] = lambda tf: tf.nn.ctc_beam_search_decoder(P(tf, 5, 2, 4), tf.placeholder(tf.int32, [2]))
CASES["topk"] = lambda tf: tf.nn.top_k(P(tf, 3, 5), 2)
CASES["intopk"] = lambda tf: tf.nn.in_top_k(P(tf, 3, 5), tf.placeholder(tf.int32, [3]), 2)
CASES["softmax_ax"] = lambda tf: tf.nn.softmax(P(tf, 2, 3, 4), axis=1)
CASES["log_softmax_ax"] = lambda tf: tf.nn.log_softmax(P(tf, 2, 3, 4), axis=0)
CASES["xent_ax"] = lambda tf: tf.nn.softmax_cross_entropy_with_logits_v2(labels=P(tf, 2, 3, 4), logits=P(tf, 2,
    3, 4), axis=1)
CASES["xent_dyn"] = lambda tf: tf.nn.softmax_cross_entropy_with_logits(labels=P(tf, None, 4), logits=P(tf, None, 4))
CASES["sxent3"] = lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=N(tf, 2, 3), logits=P(tf, 2,
    3, 4))
CASES["sxent_dyn"] = lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=N(tf, None), logits=P(tf,
    None, 4))
CASES["sigxent"] = lambda tf: tf.nn.sigmoid_cross_entropy_with_logits(labels=P(tf, None), logits=P(tf, None))
CASES["lse"] = lambda tf: tf.reduce_logsumexp(P(tf, 2, 3), 1)
CASES["lse_all"] = lambda tf: tf.reduce_logsumexp(P(tf, 2, 3))
CASES["lse_k"] = lambda tf: tf.reduce_logsumexp(P(tf, 2, 3), 1, keepdims=True)
CASES["einsum1"] = lambda tf: tf.einsum("ij,jk->ik", P(tf, 2, 3), P(tf, 3, 4))
CASES["einsum2"] = lambda tf: tf.einsum("bij,bjk->bik", P(tf, None, 2, 3), P(tf, None, 3, 4))
CASES["einsum3"] = lambda tf: tf.einsum("ij->ji", P(tf, 2, 3))
CASES["einsum4"] = lambda tf: tf.einsum("ijk,kl->ijl", P(tf, 2, 3, 4), P(tf, 4, 5))
CASES["einsum5"] = lambda tf: tf.einsum("i,j->ij", P(tf, 2), P(tf, 3))
CASES["tdot"] = lambda tf: tf.tensordot(P(tf, 2, 3, 4), P(tf, 4, 5), 1)
CASES["tdot_dyn"] = lambda tf: tf.tensordot(P(tf, None, 3, 4), P(tf, 4, 5), [[2], [0]])
CASES["tdot_u"] = lambda tf: tf.tensordot(tf.placeholder(tf.float32), P(tf, 4, 5), 1)
CASES["mm_adj"] = lambda tf: tf.matmul(P(tf, 2, 3), P(tf, 4, 3), adjoint_b=True)
CASES["mm_b"] = lambda tf: tf.matmul(P(tf, 7, 2, 3), P(tf, 7, 4, 3), transpose_b=True)
CASES["mm_sp"] = lambda tf: tf.matmul(P(tf, 2, 3), P(tf, 3, 4), a_is_sparse=True)
CASES["norm"] = lambda tf: tf.norm(P(tf, 2, 3))
CASES["norm1"] = lambda tf: tf.norm(P(tf, 2, 3), ord=1, axis=1)
CASES["norm3"] = lambda tf: tf.norm(P(tf, 2, 3), ord=3, axis=1, keepdims=True)
CASES["norminf"] = lambda tf: tf.norm(P(tf, 2, 3), ord=float("inf"))
CASES["conf"] = lambda tf: tf.confusion_matrix(N(tf, None), N(tf, None), 3)
CASES["conf2"] = lambda tf: tf.confusion_matrix(N(tf, None), N(tf, None))
CASES["binc"] = lambda tf: tf.bincount(tf.placeholder(tf.int32, [None]))
CASES["accn"] = lambda tf: tf.accumulate_n([P(tf, 2), P(tf, 2)])
CASES["polyval"] = lambda tf: tf.math.polyval([P(tf), P(tf), 1.0], P(tf, 2))
CASES["cumlse"] = lambda tf: tf.math.cumulative_logsumexp(P(tf, 2, 3), 1)
CASES["rstd"] = lambda tf: tf.math.reduce_std(P(tf, 2, 3), 1)
CASES["rvar"] = lambda tf: tf.math.reduce_variance(P(tf, 2, 3))
CASES["reuc"] = lambda tf: tf.math.reduce_euclidean_norm(P(tf, 2, 3))
CASES["cnz"] = lambda tf: tf.count_nonzero(P(tf, 2, 3), 1)
CASES["segm"] = lambda tf: tf.unsorted_segment_mean(P(tf, 4, 3), N(tf, 4), 2)
CASES["segs"] = lambda tf: tf.unsorted_segment_sqrt_n(P(tf, 4, 3), N(tf, 4), 2)
CASES["spseg"] = lambda tf: tf.sparse_segment_sum(P(tf, 4, 3), tf.placeholder(tf.int32, [2]), tf.constant([0, 1]))
CASES["spsegn"] = lambda tf: tf.sparse_segment_mean(P(tf, 4, 3), tf.placeholder(tf.int32, [2]), tf.constant([0,
    1]), num_segments=3)
CASES["trace"] = lambda tf: tf.trace(P(tf, 3, 3))
CASES["sm"] = lambda tf: tf.scalar_mul(2.0, P(tf, 3))
CASES["divnn"] = lambda tf: tf.div_no_nan(P(tf, 3), P(tf, 3))
CASES["betai"] = lambda tf: tf.betainc(P(tf, 3), P(tf, 3), P(tf, 3))
CASES["lbeta"] = lambda tf: tf.lbeta(P(tf, 2, 3))
CASES["angle"] = lambda tf: tf.angle(tf.placeholder(tf.complex64, [2]))
CASES["cplx"] = lambda tf: tf.complex(P(tf, 2), P(tf, 2))
CASES["mtr"] = lambda tf: tf.matrix_transpose(P(tf, 2, 3, 4))
CASES["mtru"] = lambda tf: tf.matrix_transpose(tf.placeholder(tf.float32))
CASES["adj"] = lambda tf: tf.linalg.adjoint(P(tf, 3, 4))
CASES["eye"] = lambda tf: tf.eye(3)
CASES["eyeb"] = lambda tf: tf.eye(3, 4, batch_shape=[2])
CASES["eyet"] = lambda tf: tf.eye(tf.placeholder(tf.int32, []))
CASES["cholsolve"] = lambda tf: tf.cholesky_solve(P(tf, 3, 3), P(tf, 3, 2))
CASES["mlogdet"] = lambda tf: tf.linalg.logdet(P(tf, 3, 3))
CASES["slogdet"] = lambda tf: tf.linalg.slogdet(P(tf, 3, 3))
CASES["lstsq"] = lambda tf: tf.matrix_solve_ls(P(tf, 4, 3), P(tf, 4, 2))
CASES["svd"] = lambda tf: tf.svd(P(tf, 3, 3))
CASES["svds"] = lambda tf: tf.svd(P(tf, 3, 3), compute_uv=False)
CASES["eigh"] = lambda tf: tf.self_adjoint_eig(P(tf, 3, 3))
CASES["eighv"] = lambda tf: tf.self_adjoint_eigvals(P(tf, 3, 3))
CASES["where"] = lambda tf: tf.where(P(tf, 3) > 0, P(tf, 3), P(tf, 3))
CASES["argsort"] = lambda tf: tf.argsort(P(tf, 3))
CASES["sort"] = lambda tf: tf.sort(P(tf, 3), direction="DESCENDING")
CASES["onehot"] = lambda tf: tf.one_hot(N(tf, 3), 5)
CASES["seqmask"] = lambda tf: tf.sequence_mask(N(tf, None), 5)
CASES["boolmask"] = lambda tf: tf.boolean_mask(P(tf, 4, 3), tf.placeholder(tf.bool, [4]))
CASES["gatherb"] = lambda tf: tf.gather(P(tf, 4, 3, 5), N(tf, 4, 2), batch_dims=1, axis=1)
CASES["rev"] = lambda tf: tf.reverse_sequence(P(tf, 4, 3), N(tf, 4), seq_axis=1, batch_axis=0)
CASES["revd"] = lambda tf: tf.reverse(P(tf, 4, 3), [0])
CASES["unstackd"] = lambda tf: tf.unstack(P(tf, 4, 3), axis=1)
CASES["splitd"] = lambda tf: tf.split(P(tf, 4, 6), [2, 4], 1)
CASES["mesh"] = lambda tf: tf.meshgrid(P(tf, 3), P(tf, 4))
CASES["clipn"] = lambda tf: tf.clip_by_norm(P(tf, 3), 2.0)
CASES["clipav"] = lambda tf: tf.clip_by_average_norm(P(tf, 3), 2.0)
CASES["edit"] = lambda tf: tf.edit_distance(tf.sparse_placeholder(tf.int32), tf.sparse_placeholder(tf.int32))
CASES["rint"] = lambda tf: tf.round(P(tf, 3))
CASES["sqd"] = lambda tf: tf.math.squared_difference(P(tf, 3), P(tf, 3))
CASES["xent_h"] = lambda tf: tf.nn.softmax_cross_entropy_with_logits_v2(labels=tf.placeholder(tf.float16, [2,
    3]), logits=tf.placeholder(tf.float16, [2, 3]))

CASES["image_res"] = lambda tf: tf.image.resize_images(P(tf, 2, 4, 4, 3), [8, 8])
CASES["image_res3"] = lambda tf: tf.image.resize_images(P(tf, 4, 4, 3), [8, 8], method=1)
CASES["image_resb"] = lambda tf: tf.image.resize_bilinear(P(tf, 2, 4, 4, 3), [8, 8], align_corners=True)
CASES["image_cropc"] = lambda tf: tf.image.central_crop(P(tf, 4, 4, 3), 0.5)
CASES["image_rpad"] = lambda tf: tf.image.resize_image_with_crop_or_pad(P(tf, 4, 4, 3), 6, 2)
CASES["image_padbb"] = lambda tf: tf.image.pad_to_bounding_box(P(tf, 4, 4, 3), 1, 1, 6, 6)
CASES["image_cropbb"] = lambda tf: tf.image.crop_to_bounding_box(P(tf, 4, 4, 3), 1, 1, 2, 2)
CASES["image_fl"] = lambda tf: tf.image.flip_left_right(P(tf, 4, 4, 3))
CASES["image_fu"] = lambda tf: tf.image.flip_up_down(P(tf, 2, 4, 4, 3))
CASES["image_rfl"] = lambda tf: tf.image.random_flip_left_right(P(tf, 4, 4, 3), seed=1)
CASES["image_rot"] = lambda tf: tf.image.rot90(P(tf, 4, 4, 3))
CASES["image_tr"] = lambda tf: tf.image.transpose_image(P(tf, 4, 4, 3))
CASES["image_std"] = lambda tf: tf.image.per_image_standardization(P(tf, 4, 4, 3))
CASES["image_br"] = lambda tf: tf.image.adjust_brightness(P(tf, 4, 4, 3), 0.1)
CASES["image_rbr"] = lambda tf: tf.image.random_brightness(P(tf, 4, 4, 3), 0.1, seed=1)
CASES["image_con"] = lambda tf: tf.image.adjust_contrast(P(tf, 4, 4, 3), 0.1)
CASES["image_rcon"] = lambda tf: tf.image.random_contrast(P(tf, 4, 4, 3), 0.1, 0.2, seed=1)
CASES["image_hue"] = lambda tf: tf.image.adjust_hue(P(tf, 4, 4, 3), 0.1)
CASES["image_sat"] = lambda tf: tf.image.adjust_saturation(P(tf, 4, 4, 3), 0.1)
CASES["image_rsat"] = lambda tf: tf.image.random_saturation(P(tf, 4, 4, 3), 0.1, 0.2, seed=1)
CASES["image_rhue"] = lambda tf: tf.image.random_hue(P(tf, 4, 4, 3), 0.1, seed=1)
CASES["image_gray"] = lambda tf: tf.image.rgb_to_grayscale(P(tf, 4, 4, 3))
CASES["image_rgb"] = lambda tf: tf.image.grayscale_to_rgb(P(tf, 4, 4, 1))
CASES["image_conv"] = lambda tf: tf.image.convert_image_dtype(U(tf, 4, 4, 3), tf.float32)
CASES["image_conv2"] = lambda tf: tf.image.convert_image_dtype(P(tf, 4, 4, 3), tf.uint8, saturate=True)
CASES["image_convi"] = lambda tf: tf.image.convert_image_dtype(U(tf, 4, 4, 3), tf.int16)
CASES["image_dec"] = lambda tf: tf.image.decode_jpeg(tf.placeholder(tf.string, []), channels=3)
CASES["image_decp"] = lambda tf: tf.image.decode_png(tf.placeholder(tf.string, []))
CASES["image_rcrop"] = lambda tf: tf.random_crop(P(tf, 4, 4, 3), [2, 2, 3], seed=1)
CASES["image_tv"] = lambda tf: tf.image.total_variation(P(tf, 2, 4, 4, 3))
CASES["image_car"] = lambda tf: tf.image.crop_and_resize(P(tf, 2, 16, 16, 3), P(tf, 2, 4),
    tf.placeholder(tf.int32, [2]), [3, 3])
CASES["image_nms"] = lambda tf: tf.image.non_max_suppression(P(tf, 5, 4), P(tf, 5), 3)
CASES["image_hsv"] = lambda tf: tf.image.rgb_to_hsv(P(tf, 4, 4, 3))
CASES["image_sdbb"] = lambda tf: tf.image.sample_distorted_bounding_box(tf.constant([4, 4, 3]), P(tf, 1, 1, 4))
CASES["image_dbb"] = lambda tf: tf.image.draw_bounding_boxes(P(tf, 1, 4, 4, 3), P(tf, 1, 1, 4))
CASES["image_gli"] = lambda tf: tf.image.extract_glimpse(P(tf, 1, 4, 4, 3), [2, 2], P(tf, 1, 2))
CASES["image_patches"] = lambda tf: tf.image.extract_image_patches(P(tf, 1, 4, 4, 3), [1, 2, 2, 1], [1, 1, 1,
    1], [1, 1, 1, 1], "SAME")
CASES["image_sjoin"] = lambda tf: tf.string_join([tf.placeholder(tf.string, [2]), "a"], separator="-")
CASES["image_ssplit"] = lambda tf: tf.string_split(tf.placeholder(tf.string, [2]))
CASES["image_ssplitd"] = lambda tf: tf.string_split(tf.placeholder(tf.string, [2]), ",", skip_empty=False)
CASES["image_slen"] = lambda tf: tf.strings.length(tf.placeholder(tf.string, [2]))
CASES["image_ssub"] = lambda tf: tf.substr(tf.placeholder(tf.string, [2]), 1, 2)
CASES["image_snum"] = lambda tf: tf.string_to_number(tf.placeholder(tf.string, [2]), tf.int32)
CASES["image_sas"] = lambda tf: tf.as_string(P(tf, 2), precision=2)
CASES["image_shash"] = lambda tf: tf.string_to_hash_bucket_fast(tf.placeholder(tf.string, [2]), 10)
CASES["image_srep"] = lambda tf: tf.regex_replace(tf.placeholder(tf.string, [2]), "a", "b")
CASES["image_sred"] = lambda tf: tf.reduce_join(tf.placeholder(tf.string, [2, 3]), 1)
CASES["image_sred0"] = lambda tf: tf.reduce_join(tf.placeholder(tf.string, [2, 3]))
CASES["image_sfull"] = lambda tf: tf.strings.regex_full_match(tf.placeholder(tf.string, [2]), "a.*")
CASES["image_supper"] = lambda tf: tf.strings.strip(tf.placeholder(tf.string, [2]))
CASES["image_b64"] = lambda tf: tf.encode_base64(tf.placeholder(tf.string, [2]))
CASES["image_draw"] = lambda tf: tf.decode_raw(tf.placeholder(tf.string, [2]), tf.uint8)
CASES["image_fft"] = lambda tf: tf.fft(tf.placeholder(tf.complex64, [4]))
CASES["image_scatter"] = lambda tf: tf.scatter_nd([[0], [1]], P(tf, 2), [4])
CASES["image_dynp"] = lambda tf: tf.dynamic_partition(P(tf, 4), tf.placeholder(tf.int32, [4]), 2)
CASES["image_dyns"] = lambda tf: tf.dynamic_stitch([[0], [1]], [P(tf, 1), P(tf, 1)])
CASES["image_setd"] = lambda tf: tf.setdiff1d(tf.placeholder(tf.int32, [3]), tf.placeholder(tf.int32, [2]))
CASES["image_uniq"] = lambda tf: tf.unique_with_counts(tf.placeholder(tf.int32, [3]))
CASES["image_hist"] = lambda tf: tf.histogram_fixed_width(P(tf, 5), [0.0, 1.0], nbins=3)
CASES["image_rg"] = lambda tf: tf.random_gamma([2], P(tf, 3), seed=1)
CASES["image_rp"] = lambda tf: tf.random_poisson(P(tf, 3), [2], seed=1)
CASES["image_sds"] = lambda tf: tf.sparse_tensor_dense_matmul(tf.sparse_placeholder(tf.float32), P(tf, 3, 4))
CASES["image_prt"] = lambda tf: tf.Print(P(tf, 2), [P(tf, 2)], message="m")
CASES["image_chk"] = lambda tf: tf.check_numerics(P(tf, 2), "m")
CASES["image_vscan"] = lambda tf: tf.verify_tensor_all_finite(P(tf, 2), "m")
CASES["image_addc"] = lambda tf: tf.add_check_numerics_ops() if tf.add(P(tf, 2), 1.0) is not None else 0
