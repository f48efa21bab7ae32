# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.factorization.KMeansClustering: k-means as an estimator."""

from .. import metrics, summary
from ..control import control_flow
from ..estimators import estimator_export, feature_layers
from ..estimators.estimator import Estimator, EstimatorSpec
from ..framework import tf_logging as logging
from ..framework.graph import colocate_with
from ..learning import training_util
from ..operators import array_ops, math_ops, state_ops
from ..sessions.hooks import SessionRunArgs, SessionRunHook
from . import clustering


class _StopAtSmallChange(SessionRunHook):
    def __init__(self, loss, tolerance):
        self._loss, self._tolerance, self._before = loss, tolerance, None

    def before_run(self, run_context):
        return SessionRunArgs(self._loss)

    def after_run(self, run_context, run_values):
        loss, before = run_values.results, self._before
        if before and abs(loss - before) / (1 + abs(before)) < self._tolerance:
            run_context.request_stop()
        self._before = loss


class _ChooseCenters(SessionRunHook):
    """Runs the op that chooses centers as often as it takes."""

    def __init__(self, init_op, is_initialized):
        self._init_op, self._is_initialized = init_op, is_initialized

    def after_create_session(self, session, coord):
        while True:
            try:
                if session.run(self._is_initialized):
                    return
                session.run(self._init_op)
            except RuntimeError as error:
                logging.info(error)


def _points(features, feature_columns):
    if not isinstance(features, dict):
        return features
    if feature_columns:
        return feature_layers.input_layer(features, feature_columns)
    keys = sorted(features)
    with colocate_with(features[keys[0]]):
        return array_ops.concat([features[key] for key in keys], axis=1)


class KMeansClustering(Estimator):
    SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE = clustering.SQUARED_EUCLIDEAN_DISTANCE, clustering.COSINE_DISTANCE
    RANDOM_INIT, KMEANS_PLUS_PLUS_INIT = clustering.RANDOM_INIT, clustering.KMEANS_PLUS_PLUS_INIT
    SCORE, CLUSTER_INDEX, ALL_DISTANCES = "score", "cluster_index", "all_distances"
    CLUSTER_CENTERS_VAR_NAME = clustering.CLUSTERS_VAR_NAME

    def __init__(self, num_clusters, model_dir=None, initial_clusters=RANDOM_INIT,
                 distance_metric=SQUARED_EUCLIDEAN_DISTANCE, random_seed=0, use_mini_batch=True,
                 mini_batch_steps_per_iteration=1, kmeans_plus_plus_num_retries=2, relative_tolerance=None, config=None,
                 feature_columns=None):
        clustering.check_choices(initial_clusters, distance_metric, (self.RANDOM_INIT, self.KMEANS_PLUS_PLUS_INIT))

        def model_fn(features, mode, config):
            graph = clustering.KMeans(_points(features, feature_columns), num_clusters, initial_clusters, distance_metric,
                                      use_mini_batch, mini_batch_steps_per_iteration, random_seed,
                                      kmeans_plus_plus_num_retries).training_graph()
            return self._spec(mode, graph, relative_tolerance)
        super().__init__(model_fn, model_dir=model_dir, config=config)

    def _spec(self, mode, graph, relative_tolerance):
        (distances,), (nearest,), nearest_distances, is_initialized, init_op, train_op = graph
        loss = math_ops.reduce_sum(nearest_distances)
        summary.scalar("loss/raw", loss)
        step = state_ops.assign_add(training_util.get_global_step(), 1)
        train_op = control_flow.with_dependencies([train_op, step], loss)
        hooks = [_ChooseCenters(init_op, is_initialized)]
        if relative_tolerance is not None:
            hooks.append(_StopAtSmallChange(loss, relative_tolerance))
        outputs = {self.ALL_DISTANCES: distances, self.CLUSTER_INDEX: nearest, "serving_default": nearest}
        return EstimatorSpec(
            mode, predictions={self.ALL_DISTANCES: distances, self.CLUSTER_INDEX: nearest}, loss=loss, train_op=train_op,
            eval_metric_ops={self.SCORE: metrics.mean(loss)}, training_hooks=hooks,
            export_outputs={key: estimator_export.PredictOutput(value) for key, value in outputs.items()})

    def _predicted(self, input_fn, key):
        for result in self.predict(input_fn=input_fn, predict_keys=[key]):
            yield result[key]

    def predict_cluster_index(self, input_fn):
        return self._predicted(input_fn, self.CLUSTER_INDEX)

    def transform(self, input_fn):
        return self._predicted(input_fn, self.ALL_DISTANCES)

    def score(self, input_fn):
        return self.evaluate(input_fn=input_fn, steps=1)[self.SCORE]

    def cluster_centers(self):
        return self.get_variable_value(self.CLUSTER_CENTERS_VAR_NAME)
