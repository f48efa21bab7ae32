# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The loss of tf.contrib.losses.metric_learning that looks for clusters: which examples stand for all, and how well."""

from .. import dtypes, summary
from ..control import loops
from ..framework.ops import constant
from ..framework.tensor_shape import TensorShape
from ..operators import array_ops, math_ops, printing, script_ops


def pairwise_distance(feature, squared=False):
    """The distance of each two rows."""
    sizes = math_ops.reduce_sum(math_ops.square(feature), axis=[1], keepdims=True)
    sizes_across = math_ops.reduce_sum(math_ops.square(array_ops.transpose(feature)), axis=[0], keepdims=True)
    both = math_ops.add(sizes, sizes_across)
    distances = both - 2.0 * math_ops.matmul(feature, array_ops.transpose(feature))
    # Rounding leaves less than nothing, and the root of zero has no gradient.
    distances = math_ops.maximum(distances, 0.0)
    is_zero = math_ops.less_equal(distances, 0.0)
    if not squared:
        distances = math_ops.sqrt(distances + math_ops.cast(is_zero, dtypes.float32) * 1e-16)
    distances = math_ops.multiply(distances, math_ops.cast(math_ops.logical_not(is_zero), dtypes.float32))
    count = array_ops.shape(feature)[0]
    others = array_ops.ones_like(distances) - array_ops.diag(array_ops.ones([count]))
    return math_ops.multiply(distances, others)


# -- how well clusters fit the labels

def _score(function_name, name, is_floored):
    def score(labels, predictions):
        from sklearn import metrics
        found = script_ops.py_func(getattr(metrics, function_name), [labels, predictions], [dtypes.float64], name=name)
        found = math_ops.cast(found, dtypes.float32)
        return math_ops.maximum(0.0, found) if is_floored else found
    return score


def _all_right(labels, predictions):
    right = math_ops.reduce_sum(math_ops.cast(math_ops.equal(labels, predictions), dtypes.int32))
    return math_ops.cast(math_ops.equal(right, array_ops.shape(labels)[0]), dtypes.float32)


_SCORES = {"nmi": _score("normalized_mutual_info_score", "nmi", False),
           "ami": _score("adjusted_mutual_info_score", "ami", True), "ari": _score("adjusted_rand_score", "ari", True),
           "vmeasure": _score("v_measure_score", "vmeasure", True), "const": _all_right}


def compute_clustering_score(labels, predictions, margin_type):
    if margin_type not in _SCORES:
        raise ValueError("Unrecognized margin_type: %s" % margin_type)
    return array_ops.squeeze(_SCORES[margin_type](labels, predictions))


def get_cluster_assignment(pairwise_distances, centroid_ids):
    """Which centroid is nearest to each; a centroid is of its own cluster."""
    nearest = math_ops.argmin(array_ops.gather(pairwise_distances, centroid_ids), dimension=0)
    count = array_ops.shape(pairwise_distances)[0]
    is_centroid = math_ops.reduce_any(array_ops.one_hot(centroid_ids, count, True, False, axis=-1, dtype=dtypes.bool), axis=0)
    own = array_ops.one_hot(centroid_ids, count, constant(1, dtype=dtypes.int64), constant(0, dtype=dtypes.int64), axis=0,
                            dtype=dtypes.int64)
    numbers = math_ops.cast(math_ops.range(array_ops.shape(centroid_ids)[0]), dtypes.int64)
    own = math_ops.reduce_sum(array_ops.transpose(math_ops.multiply(own, numbers)), axis=0)
    return array_ops.where(is_centroid, own, nearest)


def compute_facility_energy(pairwise_distances, centroid_ids):
    nearest = math_ops.reduce_min(array_ops.gather(pairwise_distances, centroid_ids), axis=0)
    return -1.0 * math_ops.reduce_sum(nearest)


def _scored_one_by_one(count, scores, score_of):
    """What score_of(i) lacks to 1, for each i: a loop."""
    def body(i, scores):
        score = score_of(i)
        before, after = array_ops.zeros([i]), array_ops.zeros([count - 1 - i])
        return i + 1, scores + array_ops.concat([before, [1.0 - score], after], 0)
    return lambda start: loops.while_loop(lambda i, scores: i < count, body, [start, scores])[1]


def _best(fit, margin_multiplier, margins, candidates):
    total = math_ops.add(fit, margin_multiplier * margins)
    return candidates[math_ops.cast(math_ops.argmax(total, axis=0), dtypes.int32)]


# -- one representative after another

def _next_facility(distances, labels, chosen, candidates, margin_multiplier, margin_type):
    count = array_ops.shape(candidates)[0]
    near = array_ops.gather(distances, chosen)
    of_candidates = array_ops.gather(distances, candidates)
    near = array_ops.tile(near, [1, count])
    nearest = math_ops.reduce_min(array_ops.concat([near, array_ops.reshape(of_candidates, [1, -1])], 0), axis=0,
                                  keepdims=True)
    fit = -1.0 * math_ops.reduce_sum(array_ops.reshape(nearest, [count, -1]), axis=1)

    def score_of(i):
        predictions = get_cluster_assignment(distances, array_ops.concat([chosen, [candidates[i]]], 0))
        return compute_clustering_score(labels, predictions, margin_type)
    margins = array_ops.zeros([count])
    margins = _scored_one_by_one(count, margins, score_of)(constant(0))
    return _best(fit, margin_multiplier, margins, candidates)


def compute_augmented_facility_locations(pairwise_distances, labels, all_ids, margin_multiplier, margin_type):
    def body(i, chosen):
        candidates = array_ops.setdiff1d(all_ids, chosen)[0]
        new = _next_facility(pairwise_distances, labels, chosen, candidates, margin_multiplier, margin_type)
        chosen = array_ops.concat([chosen, [new]], 0)
        return i + 1, chosen
    count = array_ops.size(array_ops.unique(labels)[0])
    chosen, start = constant(0, dtype=dtypes.int32, shape=[0]), constant(0)
    return loops.while_loop(lambda i, chosen: i < count, body, [start, chosen],
                            shape_invariants=[start.shape, TensorShape([None])])[1]


# -- representatives exchanged within their clusters

def update_1d_tensor(y, index, value):
    value = array_ops.squeeze(value)
    before, after = array_ops.slice(y, [0], [index]), array_ops.slice(y, [index + 1], [-1])
    return array_ops.concat([before, [value], after], 0)


def update_medoid_per_cluster(pairwise_distances, pairwise_distances_subset, labels, chosen_ids, cluster_member_ids,
                              cluster_idx, margin_multiplier, margin_type):
    fit = -1.0 * math_ops.reduce_sum(array_ops.squeeze(pairwise_distances_subset, [1, 2]), axis=0)
    start = constant(0)
    count = array_ops.size(cluster_member_ids)

    def score_of(i):
        medoid = math_ops.cast(cluster_member_ids[i], dtypes.int32)
        tried = update_1d_tensor(chosen_ids, cluster_idx, medoid)
        return compute_clustering_score(labels, get_cluster_assignment(pairwise_distances, tried), margin_type)
    margins = _scored_one_by_one(count, array_ops.zeros([count]), score_of)(start)
    best = math_ops.cast(_best(fit, margin_multiplier, margins, cluster_member_ids), dtypes.int32)
    return update_1d_tensor(chosen_ids, cluster_idx, best)


def _among(distances, members):
    """The distances of members from each other."""
    rows = array_ops.transpose(array_ops.gather(distances, members))
    return array_ops.transpose(array_ops.gather(rows, members))


def update_all_medoids(pairwise_distances, predictions, labels, chosen_ids, margin_multiplier, margin_type):
    def body(i, chosen):
        mask = math_ops.equal(math_ops.cast(predictions, dtypes.int64), math_ops.cast(i, dtypes.int64))
        members = array_ops.where(mask)
        chosen = update_medoid_per_cluster(pairwise_distances, _among(pairwise_distances, members), labels, chosen, members, i,
                                           margin_multiplier, margin_type)
        return i + 1, chosen
    count = array_ops.size(array_ops.unique(labels)[0])
    return loops.while_loop(lambda i, chosen: i < count, body, [constant(0), chosen_ids])[1]


def compute_augmented_facility_locations_pam(pairwise_distances, labels, margin_multiplier, margin_type, chosen_ids,
                                             pam_max_iter=5):
    for _ in range(pam_max_iter):
        predictions = get_cluster_assignment(pairwise_distances, chosen_ids)
        chosen_ids = update_all_medoids(pairwise_distances, predictions, labels, chosen_ids, margin_multiplier, margin_type)
    return chosen_ids


def compute_gt_cluster_score(pairwise_distances, labels):
    """How well the best of each class stands for it."""
    classes = array_ops.unique(labels)[0]
    count = array_ops.size(classes)

    def body(i, score):
        members = array_ops.where(math_ops.equal(labels, classes[i]))
        own = -1.0 * math_ops.reduce_min(math_ops.reduce_sum(_among(pairwise_distances, members), axis=0))
        return i + 1, score + own
    start = constant(0)
    return loops.while_loop(lambda i, score: i < count, body, [start, constant(0.0, dtype=dtypes.float32)])[1]


def cluster_loss(labels, embeddings, margin_multiplier, enable_pam_finetuning=True, margin_type="nmi", print_losses=False):
    try:
        import sklearn  # noqa: F401
    except ImportError:
        raise ImportError("Cluster loss depends on sklearn.") from None
    distances = pairwise_distance(embeddings)
    labels = array_ops.squeeze(labels)
    all_ids = math_ops.range(array_ops.shape(embeddings)[0])
    chosen = compute_augmented_facility_locations(distances, labels, all_ids, margin_multiplier, margin_type)
    found = compute_facility_energy(distances, chosen)
    if enable_pam_finetuning:
        chosen = compute_augmented_facility_locations_pam(distances, labels, margin_multiplier, margin_type, chosen)
        found = compute_facility_energy(distances, chosen)
    score = compute_clustering_score(labels, get_cluster_assignment(distances, chosen), margin_type)
    true = compute_gt_cluster_score(distances, labels)
    loss = math_ops.maximum(found + margin_multiplier * (1.0 - score) - true, 0.0, name="clustering_loss")
    loss.set_shape([])
    if print_losses:
        loss = printing.Print(loss, ["clustering_loss: ", loss, array_ops.shape(loss)])
    summary.scalar("losses/score_pred", found)
    summary.scalar("losses/" + margin_type, score)
    summary.scalar("losses/score_gt", true)
    return loss
