# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.nn: rows looked up by ids, over several parts and by sparse ids; losses over a sample of the classes."""

import builtins

from .. import dtypes, nn
from ..framework import graph as graph_lib, ops, tensor_shape
from ..framework.graph import name_scope
from ..framework.ops import apply_op, constant, convert_to_tensor
from ..state import partitioned_variables, variables
from . import array_ops, math_ops, random_ops, sparse


def _parts(params):
    if params is None:
        raise ValueError("params must be specified")
    if isinstance(params, (list, tuple)) and not params:
        raise ValueError("Need at least one param")
    if isinstance(params, partitioned_variables.PartitionedVariable):
        return list(params)
    return list(params) if isinstance(params, (list, tuple)) else [params]


def _clip(params, ids, max_norm):
    if max_norm is None:
        return params
    first, last = ids.shape.ndims, params.shape.ndims
    if first and last:
        axes = list(builtins.range(first, last))
    else:
        axes = math_ops.range(first or array_ops.rank(ids), last or array_ops.rank(params))
    return math_ops.clip_by_norm(params, max_norm, axes=axes)


def _number_of_ids(params, dtype):
    dims = [p.shape[0].value for p in params]
    if None not in dims:
        return constant(sum(dims), dtype)
    for i, p in enumerate(params):
        if dims[i] is None:
            with graph_lib.colocate_with(p):
                dims[i] = array_ops.shape(p)[0]
    return math_ops.reduce_sum(math_ops.cast(array_ops.stack(dims), dtype))


def _assign(params, flat, strategy):
    """Which part each id is in, and its row there."""
    n = len(params)
    if strategy == "mod":
        return flat % n, flat // n
    if strategy != "div":
        raise ValueError("Unrecognized partition strategy: " + strategy)
    total = _number_of_ids(params, flat.dtype)
    each, extras = total // n, total % n
    part = math_ops.maximum(flat // (each + 1), (flat - extras) // each)
    return part, array_ops.where(part < extras, flat % (each + 1), (flat - extras) % each)


def _element_shape(params):
    shape = tensor_shape.TensorShape(params[0].shape[1:])
    for p in params[1:]:
        shape = shape.merge_with(p.shape[1:])
    return shape


def embedding_lookup(params, ids, partition_strategy="mod", name=None, validate_indices=True, max_norm=None):
    params = _parts(params)
    with name_scope(name, "embedding_lookup", params + [ids]) as name:
        if not any(isinstance(p, variables.ResourceVariable) for p in params):
            params = ops.convert_n_to_tensor(params, name="params")
        ids = convert_to_tensor(ids, name="ids")
        if len(params) == 1:
            with graph_lib.colocate_with(params[0]):
                result = _clip(array_ops.gather(params[0], ids, name=name), ids, max_norm)
            return array_ops.identity(result)
        flat = array_ops.reshape(ids, [-1])
        indices = math_ops.range(array_ops.size(flat))
        part, rows = _assign(params, flat, partition_strategy)
        part = math_ops.cast(part, dtypes.int32)
        n = len(params)
        rows = apply_op("DynamicPartition", data=rows, partitions=part, num_partitions=n)
        indices = apply_op("DynamicPartition", data=indices, partitions=part, num_partitions=n)
        found = []
        for p, at in zip(params, rows):
            with graph_lib.colocate_with(p):
                found.append(array_ops.gather(p, at))
        result = apply_op("ParallelDynamicStitch", indices=indices, data=found, name=name)
        element = _element_shape(params)
        if element.is_fully_defined():
            rest = element
        else:
            with graph_lib.colocate_with(params[0]):
                rest = array_ops.shape(params[0])
            rest = rest[1:]
        result = array_ops.reshape(result, array_ops.concat([array_ops.shape(ids), rest], 0))
        result.set_shape(ids.shape.concatenate(element))
        return _clip(result, ids, max_norm)


def _combine(combiner, embeddings, weights, segments, name):
    if combiner == "sum":
        return apply_op("SegmentSum", data=embeddings, segment_ids=segments, name=name)
    embeddings = apply_op("SegmentSum", data=embeddings, segment_ids=segments)
    if combiner == "mean":
        return math_ops.div(embeddings, apply_op("SegmentSum", data=weights, segment_ids=segments), name=name)
    total = apply_op("SegmentSum", data=math_ops.pow(weights, 2), segment_ids=segments)
    return math_ops.div(embeddings, math_ops.sqrt(total), name=name)


def embedding_lookup_sparse(params, sp_ids, sp_weights, partition_strategy="mod", name=None, combiner=None, max_norm=None):
    combiner = combiner or "mean"
    if combiner not in ("mean", "sqrtn", "sum"):
        raise ValueError("combiner must be one of 'mean', 'sqrtn' or 'sum'")
    params = _parts(params)
    if not isinstance(sp_ids, sparse.SparseTensor):
        raise TypeError("sp_ids must be SparseTensor")
    if sp_weights is not None and not isinstance(sp_weights, sparse.SparseTensor):
        raise TypeError("sp_weights must be either None or SparseTensor")
    with name_scope(name, "embedding_lookup_sparse", params + [sp_ids.indices]) as name:
        segments = sp_ids.indices[:, 0]
        if segments.dtype != dtypes.int32:
            segments = math_ops.cast(segments, dtypes.int32)
        ids, idx = array_ops.unique(sp_ids.values)
        embeddings = embedding_lookup(params, ids, partition_strategy=partition_strategy, max_norm=max_norm)
        if embeddings.dtype in (dtypes.float16, dtypes.bfloat16):
            embeddings = math_ops.cast(embeddings, dtypes.float32)
        if sp_weights is None:
            kind = {"sum": "SparseSegmentSum", "mean": "SparseSegmentMean", "sqrtn": "SparseSegmentSqrtN"}[combiner]
            return apply_op(kind, data=embeddings, indices=idx, segment_ids=segments, name=name)
        weights = sp_weights.values
        if weights.dtype != embeddings.dtype:
            weights = math_ops.cast(weights, embeddings.dtype)
        embeddings = array_ops.gather(embeddings, idx)
        ones = array_ops.fill(array_ops.expand_dims(array_ops.rank(embeddings) - 1, 0), 1)
        shape = array_ops.concat([array_ops.shape(weights), ones], 0)
        known = weights.shape
        weights = array_ops.reshape(weights, shape)
        if embeddings.shape.ndims is not None:
            weights.set_shape(known.concatenate([1] * (embeddings.shape.ndims - 1)))
        embeddings *= weights
        return _combine(combiner, embeddings, weights, segments, name)


def _retain(ids, weights, keep):
    ids = sparse.sparse_retain(ids, keep)
    return ids, sparse.sparse_retain(weights, keep) if weights is not None else None


def safe_embedding_lookup_sparse(embedding_weights, sparse_ids, sparse_weights=None, combiner="mean", default_id=None,
                                 name=None, partition_strategy="div", max_norm=None):
    if embedding_weights is None:
        raise ValueError("Missing embedding_weights %s." % embedding_weights)
    params = list(embedding_weights) if isinstance(embedding_weights, (list, partitioned_variables.PartitionedVariable)) \
        else [embedding_weights]
    if not params:
        raise ValueError("Missing embedding_weights %s." % embedding_weights)
    dtype = sparse_weights.dtype if sparse_weights is not None else None
    params = [w if isinstance(w, variables.ResourceVariable) and dtype in (None, w.dtype) else
              convert_to_tensor(w, dtype=dtype) for w in params]
    with name_scope(name, "embedding_lookup", params + [sparse_ids.indices]) as scope:
        shape = sparse_ids.dense_shape
        known_rank = shape.shape[0].value
        rank = array_ops.size(shape) if known_rank is None else known_rank
        sparse_ids = sparse.sparse_reshape(sparse_ids, [
            math_ops.reduce_prod(array_ops.slice(shape, [0], [rank - 1])), array_ops.gather(shape, rank - 1)])
        if sparse_weights is not None:
            sparse_weights = sparse.SparseTensor(sparse_ids.indices, sparse_weights.values, sparse_ids.dense_shape)
        valid = math_ops.greater_equal(sparse_ids.values, 0)
        if sparse_weights is not None:
            valid = math_ops.logical_and(valid, array_ops.ones_like(sparse_weights.values, dtype=dtypes.bool))
        sparse_ids, sparse_weights = _retain(sparse_ids, sparse_weights, valid)
        if combiner != "sum" and sparse_weights is not None:
            sparse_ids, sparse_weights = _retain(sparse_ids, sparse_weights, math_ops.greater(sparse_weights.values, 0))
        sparse_ids, empty = sparse.sparse_fill_empty_rows(sparse_ids, default_id or 0)
        if sparse_weights is not None:
            sparse_weights, _ = sparse.sparse_fill_empty_rows(sparse_weights, 1.0)
        result = embedding_lookup_sparse(params, sparse_ids, sparse_weights, combiner=combiner,
                                         partition_strategy=partition_strategy,
                                         name=None if default_id is None else scope, max_norm=max_norm)
        if default_id is None:
            empty = array_ops.tile(array_ops.reshape(empty, [-1, 1]), array_ops.stack([1, array_ops.shape(result)[1]]))
            result = array_ops.where(empty, array_ops.zeros_like(result), result, name=scope)
        final = array_ops.reshape(result, array_ops.concat([
            array_ops.slice(math_ops.cast(shape, dtypes.int32), [0], [rank - 1]),
            array_ops.slice(array_ops.shape(result), [1], [-1])], 0))
        final.set_shape(tensor_shape.unknown_shape(None if known_rank is None else known_rank - 1).concatenate(
            result.shape[1:]))
        return final


# -- samples of the classes

def _sampler(op_type):
    def function(true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None):
        seed1, seed2 = random_ops.get_seed(seed)
        return apply_op(op_type, true_classes=true_classes, num_true=num_true, num_sampled=num_sampled, unique=unique,
                        range_max=range_max, seed=seed1 or 0, seed2=seed2 or 0, name=name)
    return function


uniform_candidate_sampler = _sampler("UniformCandidateSampler")
log_uniform_candidate_sampler = _sampler("LogUniformCandidateSampler")
learned_unigram_candidate_sampler = _sampler("LearnedUnigramCandidateSampler")


def all_candidate_sampler(true_classes, num_true, num_sampled, unique, seed=None, name=None):
    seed1, seed2 = random_ops.get_seed(seed)
    return apply_op("AllCandidateSampler", true_classes=true_classes, num_true=num_true, num_sampled=num_sampled,
                    unique=unique, seed=seed1 or 0, seed2=seed2 or 0, name=name)


def fixed_unigram_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, vocab_file="", distortion=1.0,
                                    num_reserved_ids=0, num_shards=1, shard=0, unigrams=(), seed=None, name=None):
    seed1, seed2 = random_ops.get_seed(seed)
    return apply_op("FixedUnigramCandidateSampler", true_classes=true_classes, num_true=num_true, num_sampled=num_sampled,
                    unique=unique, range_max=range_max, vocab_file=vocab_file, distortion=distortion,
                    num_reserved_ids=num_reserved_ids, num_shards=num_shards, shard=shard, unigrams=list(unigrams),
                    seed=seed1 or 0, seed2=seed2 or 0, name=name)


def compute_accidental_hits(true_classes, sampled_candidates, num_true, seed=None, name=None):
    seed1, seed2 = random_ops.get_seed(seed)
    return apply_op("ComputeAccidentalHits", true_classes=true_classes, sampled_candidates=sampled_candidates,
                    num_true=num_true, seed=seed1 or 0, seed2=seed2 or 0, name=name)


def _sum_rows(x):
    columns = array_ops.shape(x)[1]
    ones = array_ops.ones(array_ops.stack([columns, 1]), x.dtype)
    return array_ops.reshape(math_ops.matmul(x, ones), [-1])


def _subtract_hits(logits, labels, sampled, num_sampled, num_true):
    indices, ids, weights = compute_accidental_hits(labels, sampled, num_true=num_true)
    indices = array_ops.reshape(indices, [-1, 1])
    ids = array_ops.reshape(math_ops.cast(ids, dtypes.int32), [-1, 1])
    at = array_ops.concat([indices, ids], 1, "sparse_indices")
    shape = array_ops.concat([array_ops.shape(labels)[:1], array_ops.expand_dims(num_sampled, 0)], 0)
    if logits.dtype != weights.dtype:
        weights = math_ops.cast(weights, logits.dtype)
    return logits + apply_op("SparseToDense", sparse_indices=at, output_shape=shape, sparse_values=weights,
                             default_value=0.0, validate_indices=False)


def _sampled_logits(weights, biases, labels, inputs, num_sampled, num_classes, num_true=1, sampled_values=None,
                    subtract_log_q=True, remove_accidental_hits=False, partition_strategy="mod", name=None, seed=None):
    weights = list(weights) if isinstance(weights, (list, partitioned_variables.PartitionedVariable)) else [weights]
    with name_scope(name, "compute_sampled_logits", weights + [biases, inputs, labels]):
        if labels.dtype != dtypes.int64:
            labels = math_ops.cast(labels, dtypes.int64)
        flat = array_ops.reshape(labels, [-1])
        if sampled_values is None:
            sampled_values = log_uniform_candidate_sampler(labels, num_true, num_sampled, True, num_classes, seed=seed)
        sampled, true_count, sampled_count = (array_ops.stop_gradient(s) for s in sampled_values)
        sampled = math_ops.cast(sampled, dtypes.int64)
        ids = array_ops.concat([flat, sampled], 0)
        rows = embedding_lookup(weights, ids, partition_strategy=partition_strategy)
        if rows.dtype != inputs.dtype:
            rows = math_ops.cast(rows, inputs.dtype)
        true_w = array_ops.slice(rows, [0, 0], array_ops.stack([array_ops.shape(flat)[0], -1]))
        sampled_w = array_ops.slice(rows, array_ops.stack([array_ops.shape(flat)[0], 0]), [-1, -1])
        sampled_logits = math_ops.matmul(inputs, sampled_w, transpose_b=True)
        bias = embedding_lookup(biases, ids, partition_strategy=partition_strategy)
        if bias.dtype != inputs.dtype:
            bias = math_ops.cast(bias, inputs.dtype)
        true_b = array_ops.slice(bias, [0], array_ops.shape(flat))
        sampled_b = array_ops.slice(bias, array_ops.shape(flat), [-1])
        dim = array_ops.shape(true_w)[1:2]
        shape = array_ops.concat([[-1, num_true], dim], 0)
        dots = math_ops.multiply(array_ops.expand_dims(inputs, 1), array_ops.reshape(true_w, shape))
        dots = array_ops.reshape(dots, array_ops.concat([[-1], dim], 0))
        true_logits = array_ops.reshape(_sum_rows(dots), [-1, num_true])
        true_b = array_ops.reshape(true_b, [-1, num_true])
        true_logits += true_b
        sampled_logits += sampled_b
        if remove_accidental_hits:
            sampled_logits = _subtract_hits(sampled_logits, labels, sampled, num_sampled, num_true)
        if subtract_log_q:
            true_logits -= math_ops.log(true_count)
            sampled_logits -= math_ops.log(sampled_count)
        logits = array_ops.concat([true_logits, sampled_logits], 1)
        given = array_ops.concat([array_ops.ones_like(true_logits) / num_true, array_ops.zeros_like(sampled_logits)], 1)
        return logits, given


def nce_loss(weights, biases, labels, inputs, num_sampled, num_classes, num_true=1, sampled_values=None,
             remove_accidental_hits=False, partition_strategy="mod", name="nce_loss"):
    logits, labels = _sampled_logits(weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values,
                                     True, remove_accidental_hits, partition_strategy, name)
    return _sum_rows(nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="sampled_losses"))


def sampled_softmax_loss(weights, biases, labels, inputs, num_sampled, num_classes, num_true=1, sampled_values=None,
                         remove_accidental_hits=True, partition_strategy="mod", name="sampled_softmax_loss", seed=None):
    logits, labels = _sampled_logits(weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values,
                                     True, remove_accidental_hits, partition_strategy, name, seed)
    labels = array_ops.stop_gradient(labels, name="labels_stop_gradient")
    return nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits)
