# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Forests as estimators: of tf.contrib.learn, and of tf.estimator."""

from ... import losses, summary
from ...control import control_flow
from ...estimators import canned_heads, feature_columns as columns_lib
from ...estimators.estimator import Estimator as CoreEstimator
from ...estimators.estimator_export import PredictOutput
from ...framework import tf_logging as logging
from ...framework.graph import Tensor, control_dependencies, name_scope
from ...framework.ops import make_op
from ...learning import training_util
from ...operators import array_ops, math_ops, sparse, state_ops
from ...sessions.hooks import SessionRunArgs, SessionRunHook
from ...state import scope
from .. import column_inputs
from ..learn import estimators as learn_estimators, heads as learn_heads
from ..learn.estimators import ModeKeys
from . import eval_metrics
from .graphs import RandomForestGraphs

KEYS_NAME, LOSS_NAME = "keys", "rf_training_loss"
TREE_PATHS_PREDICTION_KEY, VARIANCE_PREDICTION_KEY = "tree_paths", "prediction_variance"
ALL_SERVING_KEY, EPSILON = "tensorforest_all", 0.000001


class ModelBuilderOutputType:
    MODEL_FN_OPS, ESTIMATOR_SPEC = 0, 1


class TensorForestRunOpAtEndHook(SessionRunHook):
    """Runs ops, by the order of their names, when the session ends."""

    def __init__(self, op_dict):
        self._ops = op_dict

    def end(self, session):
        for name in sorted(self._ops):
            logging.info("{0}: {1}".format(name, session.run(self._ops[name])))


class TensorForestLossHook(SessionRunHook):
    """Stops when the loss did not get less for some steps."""

    def __init__(self, early_stopping_rounds, early_stopping_loss_threshold=None, loss_op=None):
        self.early_stopping_rounds, self.early_stopping_loss_threshold = early_stopping_rounds, early_stopping_loss_threshold
        self.loss_op, self.min_loss, self.last_step, self.steps = loss_op, None, -1, 0

    def before_run(self, run_context):
        loss = self.loss_op
        if loss is None:
            loss = run_context.session.graph.get_operation_by_name(LOSS_NAME).outputs[0]
        return SessionRunArgs({"global_step": training_util.get_global_step(), "current_loss": loss})

    def after_run(self, run_context, run_values):
        loss, step = run_values.results["current_loss"], run_values.results["global_step"]
        self.steps += 1
        if self.last_step == -1 or self.last_step > step:
            logging.info("TensorForestLossHook resetting last_step.")
            self.last_step, self.steps, self.min_loss = step, 0, None
            return
        self.last_step = step
        if self.min_loss is None or loss < self.min_loss - self.min_loss * self.early_stopping_loss_threshold:
            self.min_loss, self.steps = loss, 0
        if self.steps > self.early_stopping_rounds:
            logging.info("TensorForestLossHook requesting stop.")
            run_context.request_stop()


def _default_head(params, weights_name, output_type, name=None):
    if output_type == ModelBuilderOutputType.MODEL_FN_OPS:
        given = dict(weight_column_name=weights_name, enable_centered_bias=False, head_name=name)
        if params.regression:
            return learn_heads.regression_head(label_dimension=params.num_outputs, **given)
        return learn_heads.multi_class_head(params.num_classes, **given)
    given = dict(weight_column=weights_name, name=name, loss_reduction=losses.Reduction.SUM_OVER_BATCH_SIZE)
    if params.regression:
        return canned_heads.RegressionHead(label_dimension=params.num_outputs, **given)
    if params.num_classes == 2:
        return canned_heads.BinaryHead(**given)
    return canned_heads.MultiClassHead(n_classes=params.num_classes, **given)


def _with_columns(features, feature_columns, output_type):
    features = features.copy()
    if output_type == ModelBuilderOutputType.MODEL_FN_OPS:
        features.update(column_inputs.transform_features(features, feature_columns))
    else:
        for column in feature_columns:
            with name_scope(None, "transform_features", list(features.values())):
                with name_scope(None, column.name):
                    features[column.name] = columns_lib.FeatureCache(features).get(column)
    return features


class _Model:
    """A model function of a forest; which of the arguments are what, get_model_fn says."""

    def __init__(self, params, graph_builder_class, device_assigner, feature_columns, weights_name, model_head, keys_name,
                 early_stopping_rounds, early_stopping_loss_threshold, num_trainers, trainer_id, report_feature_importances,
                 local_eval, head_scope, include_all_in_serving, output_type):
        self.params, self.graph_builder_class, self.device_assigner = params, graph_builder_class, device_assigner
        self.feature_columns, self.weights_name, self.keys_name = feature_columns, weights_name, keys_name
        self.head, self.head_scope, self.output_type = model_head, head_scope, output_type
        self.stopping = early_stopping_rounds, early_stopping_loss_threshold
        self.trainers = {"num_trainers": num_trainers, "trainer_id": trainer_id}
        self.report_feature_importances, self.local_eval = report_feature_importances, local_eval
        self.include_all_in_serving = include_all_in_serving

    def __call__(self, features, labels, mode):
        if isinstance(features, (Tensor, sparse.SparseTensor)):
            features = {"features": features}
        if self.feature_columns:
            features = _with_columns(features, self.feature_columns, self.output_type)
        weights = features.pop(self.weights_name) if self.weights_name and self.weights_name in features else None
        keys = features.pop(self.keys_name) if self.keys_name and self.keys_name in features else None
        asks_only = mode == ModeKeys.INFER or self.local_eval and mode == ModeKeys.EVAL
        forest = self.graph_builder_class(self.params, device_assigner=None if asks_only else self.device_assigner)
        logits, paths, variance = forest.inference_graph(features)
        summary.scalar("average_tree_size", forest.average_size())
        if not self.params.regression and self.params.num_classes == 2:
            second = array_ops.slice(logits, [0, 1], [-1, 1])
            logits = math_ops.log(math_ops.maximum(second / math_ops.maximum(1.0 - second, EPSILON), EPSILON))
        train_op = None
        if labels is not None and mode == ModeKeys.TRAIN:
            with control_dependencies([logits.op]):
                train_op = control_flow.group(
                    forest.training_graph(features, labels, input_weights=weights, **self.trainers),
                    state_ops.assign_add(training_util.get_global_step(), 1))
        if weights is not None:
            features[self.weights_name] = weights
        hooks = [self._at_end(forest)]
        more = {} if keys is None else {self.keys_name: keys}
        if self.params.inference_tree_paths:
            more[TREE_PATHS_PREDICTION_KEY] = paths
        more[VARIANCE_PREDICTION_KEY] = variance
        made = self._of_learn if self.output_type == ModelBuilderOutputType.MODEL_FN_OPS else self._of_estimator
        return made(features, labels, mode, lambda unused_loss: train_op, logits, hooks, more)

    def _at_end(self, forest):
        at_end = {"9: clean up resources": control_flow.group(*[
            make_op("DestroyResourceOp", resource=handle) for handle in forest.get_all_resource_handles()])}
        if self.report_feature_importances:
            at_end["1: feature_importances"] = forest.feature_importances()
        return TensorForestRunOpAtEndHook(at_end)

    def _stop(self, loss):
        rounds, threshold = self.stopping
        return [TensorForestLossHook(rounds, early_stopping_loss_threshold=threshold, loss_op=loss)] if rounds else []

    def _of_learn(self, features, labels, mode, train_op_fn, logits, hooks, more):
        made = self.head.create_model_fn_ops(features=features, labels=labels, mode=mode, train_op_fn=train_op_fn,
                                             logits=logits, scope=self.head_scope)
        made.training_hooks.extend(hooks + self._stop(made.loss))
        made.predictions.update(more)
        if self.include_all_in_serving:
            if not made.output_alternatives:
                made = made._replace(output_alternatives={})
            made.output_alternatives[ALL_SERVING_KEY] = learn_heads.ProblemType.UNSPECIFIED, made.predictions
        return made

    def _of_estimator(self, features, labels, mode, train_op_fn, logits, hooks, more):
        spec = self.head.create_estimator_spec(features=features, mode=mode, labels=labels, train_op_fn=train_op_fn,
                                               logits=logits)
        spec = spec._replace(training_hooks=hooks + self._stop(spec.loss) + list(spec.training_hooks))
        spec.predictions.update(more)
        if self.include_all_in_serving:
            spec = spec._replace(export_outputs={ALL_SERVING_KEY: PredictOutput(spec.predictions)})
        return spec


def get_model_fn(params, graph_builder_class, device_assigner, feature_columns=None, weights_name=None, model_head=None,
                 keys_name=None, early_stopping_rounds=100, early_stopping_loss_threshold=0.001, num_trainers=1, trainer_id=0,
                 report_feature_importances=False, local_eval=False, head_scope=None, include_all_in_serving=False,
                 output_type=ModelBuilderOutputType.MODEL_FN_OPS):
    if model_head is None:
        model_head = _default_head(params, weights_name, output_type)
    model = _Model(params, graph_builder_class, device_assigner, feature_columns, weights_name, model_head, keys_name,
                   early_stopping_rounds, early_stopping_loss_threshold, num_trainers, trainer_id, report_feature_importances,
                   local_eval, head_scope, include_all_in_serving, output_type)
    return lambda features, labels, mode: model(features, labels, mode)


def get_combined_model_fn(model_fns):
    """A model function of several forests: each learns a column of the labels."""
    def model_fn(features, labels, mode):
        made = []
        for i, each in enumerate(model_fns):
            with scope.variable_scope("label_{0}".format(i)):
                made.append(each(features, array_ops.slice(labels, [0, i], [-1, 1]), mode))
        predictions, loss, train_op = {}, None, None
        if mode in (ModeKeys.EVAL, ModeKeys.INFER):
            for key, join in ((eval_metrics.INFERENCE_PROB_NAME, array_ops.concat),
                              (eval_metrics.INFERENCE_PRED_NAME, array_ops.stack)):
                predictions[key] = join([one.predictions[key] for one in made], axis=1)
        if mode in (ModeKeys.EVAL, ModeKeys.TRAIN):
            loss = math_ops.reduce_sum(array_ops.stack([one.loss for one in made])) / len(made)
        if mode == ModeKeys.TRAIN:
            train_op = control_flow.group(*[one.train_op for one in made])
        return learn_estimators.ModelFnOps(mode=mode, predictions=predictions, loss=loss, train_op=train_op,
                                           training_hooks=sum((one.training_hooks for one in made), []))
    return model_fn


def _trainers(num_trainers, config):
    return max(1, config.num_worker_replicas) if num_trainers == 1 and config is not None else num_trainers


def _model_fn(params, device_assigner, feature_columns, graph_builder_class, config, weight_column, keys_column, num_trainers,
              trainer_id, head, output_type, **given):
    """What an estimator of one forest takes, as a model function."""
    if trainer_id == 0 and config is not None:
        trainer_id = config.global_id_in_cluster
    return get_model_fn(params.fill(), graph_builder_class, device_assigner, feature_columns=feature_columns, model_head=head,
                        weights_name=weight_column, keys_name=keys_column, num_trainers=_trainers(num_trainers, config),
                        trainer_id=trainer_id, output_type=output_type, **given)


class _OfOneForest:
    """What goes into either estimator of one forest."""

    def __init__(self, params, device_assigner=None, model_dir=None, feature_columns=None,
                 graph_builder_class=RandomForestGraphs, config=None, weight_column=None, keys_column=None,
                 feature_engineering_fn=None, early_stopping_rounds=100, early_stopping_loss_threshold=0.001, num_trainers=1,
                 trainer_id=0, report_feature_importances=False, local_eval=False, version=None, head=None,
                 include_all_in_serving=False):
        self._start(feature_engineering_fn, model_dir=model_dir, config=config, model_fn=_model_fn(
            params, device_assigner, feature_columns, graph_builder_class, config, weight_column, keys_column, num_trainers,
            trainer_id, head, self._OUTPUT, early_stopping_rounds=early_stopping_rounds,
            early_stopping_loss_threshold=early_stopping_loss_threshold,
            report_feature_importances=report_feature_importances, local_eval=local_eval,
            include_all_in_serving=include_all_in_serving))


class TensorForestEstimator(_OfOneForest, learn_estimators.Estimator):
    _OUTPUT = ModelBuilderOutputType.MODEL_FN_OPS

    def _start(self, feature_engineering_fn, **given):
        learn_estimators.Estimator.__init__(self, feature_engineering_fn=feature_engineering_fn, **given)


class CoreTensorForestEstimator(_OfOneForest, CoreEstimator):
    _OUTPUT = ModelBuilderOutputType.ESTIMATOR_SPEC

    def _start(self, feature_engineering_fn, **given):
        CoreEstimator.__init__(self, **given)


class MultiForestMultiHeadEstimator(learn_estimators.Estimator):
    """A forest for each column of the labels."""

    def __init__(self, params_list, device_assigner=None, model_dir=None, feature_columns=None,
                 graph_builder_class=RandomForestGraphs, config=None, weight_column=None, keys_column=None,
                 feature_engineering_fn=None, early_stopping_rounds=100, num_trainers=1, trainer_id=0,
                 report_feature_importances=False, local_eval=False):
        kind = ModelBuilderOutputType.MODEL_FN_OPS
        model_fns = []
        for i, given in enumerate(params_list):
            params = given.fill()
            model_fns.append(get_model_fn(
                params, graph_builder_class, device_assigner,
                model_head=_default_head(params, weight_column, kind, name="head{0}".format(i)), weights_name=weight_column,
                keys_name=keys_column, early_stopping_rounds=early_stopping_rounds,
                num_trainers=_trainers(num_trainers, config), trainer_id=trainer_id,
                report_feature_importances=report_feature_importances, local_eval=local_eval,
                head_scope="output{0}".format(i)))
        super().__init__(model_fn=get_combined_model_fn(model_fns), model_dir=model_dir, config=config,
                         feature_engineering_fn=feature_engineering_fn)
