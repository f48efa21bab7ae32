# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.factorization: the graph of k-means, by whole sets or by small batches."""

from .. import dtypes, nn
from ..control import control_flow, loops
from ..framework.graph import colocate_with, control_dependencies
from ..framework.ops import apply_op, constant, convert_to_tensor
from ..operators import array_ops, check_ops, math_ops, random_ops, state_ops
from ..operators.nn_embedding import embedding_lookup
from ..state import variables

SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE = "squared_euclidean", "cosine"
RANDOM_INIT, KMEANS_PLUS_PLUS_INIT, KMC2_INIT = "random", "kmeans_plus_plus", "kmc2"
CLUSTERS_VAR_NAME = "clusters"


def check_choices(initial_clusters, distance_metric, known):
    if isinstance(initial_clusters, str) and initial_clusters not in known:
        raise ValueError("Unsupported initialization algorithm '%s'" % initial_clusters)
    if distance_metric not in (SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE):
        raise ValueError("Unsupported distance metric '%s'" % distance_metric)


def _beside(value):
    return colocate_with(value, ignore_existing=True)


def _unit_rows(x):
    return nn.l2_normalize(x, dim=1)


class KMeans:
    """Points to sort, and how; training_graph() adds the ops."""

    def __init__(self, inputs, num_clusters, initial_clusters=RANDOM_INIT, distance_metric=SQUARED_EUCLIDEAN_DISTANCE,
                 use_mini_batch=False, mini_batch_steps_per_iteration=1, random_seed=0, kmeans_plus_plus_num_retries=2,
                 kmc2_chain_length=200):
        check_choices(initial_clusters, distance_metric, (RANDOM_INIT, KMEANS_PLUS_PLUS_INIT, KMC2_INIT))
        self._inputs = inputs if isinstance(inputs, list) else [inputs]
        self._num_clusters, self._initial_clusters = num_clusters, initial_clusters
        self._cosine, self._use_mini_batch = distance_metric == COSINE_DISTANCE, use_mini_batch
        self._steps = int(mini_batch_steps_per_iteration)
        self._sampling = random_seed, kmeans_plus_plus_num_retries, kmc2_chain_length
        # Centers that change while points are still sorted by those before them are kept twice.
        self._kept_twice = use_mini_batch and self._steps > 1

    def training_graph(self):
        """(distances, nearest, distances to these, whether there are centers, op that chooses some, op that trains)."""
        initial = self._initial_clusters
        if isinstance(initial, str) or callable(initial):
            num_clusters = convert_to_tensor(self._num_clusters)
        else:
            initial = convert_to_tensor(initial)
            num_clusters = array_ops.shape(initial)[0]
        self._create_variables(num_clusters)
        init_op = _FirstCenters(self._inputs, num_clusters, initial, self._cosine, self._sampling,
                                (self._centers, self._updated, self._initialized)).op()
        inputs, centers = self._inputs, self._centers
        if self._cosine:
            inputs = [self._normalized(x) for x in inputs]
            if not self._has_unit_centers:
                centers = _unit_rows(centers)
        distances, nearest_distances, nearest = self._infer(inputs, centers)
        if self._use_mini_batch:
            with control_dependencies([self._synchronized()]):
                train_op = self._train_on_batch(inputs, nearest)
        else:
            train_op = self._train_on_all(inputs, num_clusters, nearest)
        return distances, nearest, nearest_distances, self._initialized, init_op, train_op

    _has_unit_centers = property(lambda self: self._cosine and (not self._use_mini_batch or self._kept_twice))

    @staticmethod
    def _normalized(x):
        with _beside(x):
            return _unit_rows(x)

    def _create_variables(self, num_clusters):
        none = constant([], dtype=dtypes.float32)
        self._centers = variables.Variable(none, name=CLUSTERS_VAR_NAME, validate_shape=False)
        self._initialized = variables.Variable(False, dtype=dtypes.bool, name="initialized")
        self._updated, self._steps_left, self._counts = self._centers, None, None
        if self._kept_twice:
            self._updated = variables.Variable(none, name="clusters_updated", validate_shape=False)
            self._steps_left = variables.Variable(self._steps, dtype=dtypes.int64, name="update_in_steps")
            self._counts = variables.Variable(array_ops.zeros([num_clusters], dtype=dtypes.int64))
        elif self._use_mini_batch:
            self._counts = variables.Variable(array_ops.ones([num_clusters], dtype=dtypes.int64))

    # -- distances

    def _distance(self, x, centers):
        with _beside(x):
            if self._cosine:
                return 1 - math_ops.matmul(x, centers, transpose_b=True)
            return (math_ops.reduce_sum(math_ops.square(x), 1, keepdims=True)
                    - 2 * math_ops.matmul(x, centers, transpose_b=True)
                    + array_ops.transpose(math_ops.reduce_sum(math_ops.square(centers), 1, keepdims=True)))

    def _infer(self, inputs, centers):
        all_distances = [self._distance(x, centers) for x in inputs]
        if self._cosine and not self._has_unit_centers:
            with _beside(centers):
                centers = _unit_rows(centers)
        found = []
        for x, each in zip(inputs, all_distances):
            with _beside(x):
                indices, distances = apply_op("NearestNeighbors", points=x, centers=centers, k=1)
                if self._cosine:
                    distances *= 0.5
                found.append((each, array_ops.squeeze(distances, [-1]), array_ops.squeeze(indices, [-1])))
        return zip(*found)

    # -- steps

    def _synchronized(self):
        """Takes the centers over where enough small batches have changed their second copy."""
        if not self._kept_twice:
            return control_flow.no_op()

        def take_over():
            with control_dependencies([state_ops.assign(self._steps_left, self._steps - 1)]):
                with _beside(self._updated):
                    centers = _unit_rows(self._updated) if self._cosine else self._updated
                with _beside(self._centers), control_dependencies([state_ops.assign(self._centers, centers)]):
                    with _beside(None), control_dependencies([
                            state_ops.assign(self._counts, array_ops.zeros_like(self._counts))]):
                        return array_ops.identity(self._steps_left)
        with _beside(self._steps_left):
            return control_flow.cond(self._steps_left <= 0, take_over, lambda: state_ops.assign_sub(self._steps_left, 1))

    def _train_on_batch(self, inputs, nearest):
        """A center of n points with k more, of sum s, moves by (s - k * center) / (n + k)."""
        made = []
        for x, indices in zip(inputs, nearest):
            with _beside(x):
                ids, positions = array_ops.unique(array_ops.reshape(indices, [-1]))
                number = array_ops.size(ids)
                with _beside(self._counts):
                    old_counts = array_ops.gather(self._counts, ids)
                with _beside(self._updated):
                    old_centers = array_ops.gather(self._updated, ids)
                more = math_ops.unsorted_segment_sum(array_ops.ones_like(positions, dtype=self._counts.dtype), positions,
                                                     number)
                changes = math_ops.unsorted_segment_sum(x, positions, number)
                shape = array_ops.concat([
                    array_ops.reshape(number, [1]),
                    array_ops.ones(array_ops.reshape(array_ops.rank(x) - 1, [1]), dtype=dtypes.int32)], 0)
                changes -= math_ops.cast(array_ops.reshape(more, shape), x.dtype) * old_centers
                rate = math_ops.reciprocal(math_ops.cast(old_counts + more, x.dtype))
                changes *= array_ops.reshape(rate, shape)
            made.append(state_ops.scatter_add(self._counts, ids, more))
            made.append(state_ops.scatter_add(self._updated, ids, changes))
        return control_flow.group(*made)

    def _train_on_all(self, inputs, num_clusters, nearest):
        sums, counts = [], []
        epsilon = constant(1e-6, dtype=inputs[0].dtype)
        for x, indices in zip(inputs, nearest):
            with _beside(x):
                sums.append(math_ops.unsorted_segment_sum(x, indices, num_clusters))
                ones = array_ops.ones(array_ops.reshape(array_ops.shape(x)[0], [-1]))
                counts.append(math_ops.unsorted_segment_sum(array_ops.reshape(ones, [-1, 1]), indices, num_clusters))
        with _beside(self._centers):
            centers = math_ops.add_n(sums) / (math_ops.cast(math_ops.add_n(counts), sums[0].dtype) + epsilon)
            if self._has_unit_centers:
                centers = _unit_rows(centers)
        return state_ops.assign(self._centers, centers)


class _FirstCenters:
    """The op that chooses centers from a batch; where one has too few points it is run again."""

    def __init__(self, inputs, num_clusters, initial, cosine, sampling, kept):
        self._inputs, self._num_clusters, self._initial, self._cosine = inputs, num_clusters, initial, cosine
        self._seed, self._retries, self._chain_length = sampling
        self._centers, self._updated, self._initialized = kept
        self._chosen = array_ops.shape(self._centers)[0]
        self._remaining = num_clusters - self._chosen
        self._num_data = math_ops.add_n([array_ops.shape(x)[0] for x in inputs])

    def op(self):
        return control_flow.cond(math_ops.equal(self._remaining, 0),
                                 lambda: check_ops.assert_equal(self._initialized, True), self._initialize)

    def _initialize(self):
        with control_dependencies([check_ops.assert_positive(self._remaining)]):
            left = self._add_by_chains() if isinstance(self._initial, str) and self._initial == KMC2_INIT else self._add()
            return control_flow.cond(math_ops.equal(left, 0), lambda: state_ops.assign(self._initialized, True),
                                     control_flow.no_op)

    def _take(self, centers):
        """Makes these the centers, in both copies where there are two."""
        made = state_ops.assign(self._centers, centers, validate_shape=False)
        if self._updated is not self._centers:
            made = state_ops.assign(self._updated, made, validate_shape=False)
        return made

    def _add(self):
        found = self._choose()
        if self._cosine:
            found = _unit_rows(found)
        centers = control_flow.cond(math_ops.equal(self._chosen, 0), lambda: found,
                                    lambda: array_ops.concat([self._centers, found], 0))
        made = self._take(centers)
        return self._num_clusters - array_ops.shape(made)[0]

    def _choose(self):
        if callable(self._initial):
            return self._initial(self._inputs, self._remaining)
        if not isinstance(self._initial, str):
            with control_dependencies([check_ops.assert_equal(self._remaining, array_ops.shape(self._initial)[0])]):
                return self._initial
        if self._initial == RANDOM_INIT:
            return control_flow.cond(self._num_data <= self._remaining, lambda: array_ops.concat(self._inputs, 0),
                                     self._random)
        with control_dependencies([check_ops.assert_greater_equal(self._num_data, self._remaining)]):
            return self._plus_plus()

    def _random(self):
        indices = random_ops.random_uniform(
            array_ops.reshape(self._remaining, [-1]), minval=0, maxval=math_ops.cast(self._num_data, dtypes.int64),
            seed=self._seed, dtype=dtypes.int64)
        return embedding_lookup(self._inputs, indices, partition_strategy="div")

    def _plus_plus(self):
        points = _unit_rows(self._inputs[0]) if self._cosine else self._inputs[0]
        return apply_op("KmeansPlusPlusInitialization", points=points,
                        num_to_sample=math_ops.cast(self._remaining, dtypes.int64), seed=self._seed,
                        num_retries_per_sample=self._retries)

    def _add_by_chains(self):
        """One Markov chain for each center, over as many points as a chain has."""
        points = self._inputs[0]
        chains = math_ops.cast(array_ops.shape(points)[0] / self._chain_length, dtype=dtypes.int32)
        number = math_ops.maximum(math_ops.minimum(self._remaining, chains), 1)

        def one_row(x):
            row = array_ops.reshape(x, [1, -1])
            return _unit_rows(row) if self._cosine else row

        def by_chain(i):
            start = i * self._chain_length
            part = points[start:start + self._chain_length]
            _, distances = apply_op("NearestNeighbors", points=part, centers=self._centers, k=1)
            at = apply_op("KMC2ChainInitialization", distances=array_ops.squeeze(distances), seed=self._seed)
            return array_ops.concat([self._centers, one_row(part[at])], 0)

        def body(i, _):
            centers = control_flow.cond(math_ops.equal(self._chosen, 0), lambda: one_row(points[0]), lambda: by_chain(i))
            made = self._take(centers)
            return i + 1, self._num_clusters - array_ops.shape(made)[0]
        return loops.while_loop(lambda i, _: math_ops.less(i, number), body, [0, 0])[1]
