# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.learn's linear models and networks: DNNClassifier, LinearRegressor and the others, trained by fit."""

import math

from ... import nn
from ... import summary
from ...control import control_flow
from ...differentiation import gradients
from ...estimators import feature_layers
from ...framework import graph as graph_lib
from ...learning import optimizers
from ...learning import training_util
from ...operators import math_ops, nn_misc
from ...operators import state_ops
from ...state import partitioners, scope as scope_lib
from .. import column_inputs, columns as columns_lib, layers
from ..optimizers import OPTIMIZER_CLS_NAMES, optimize_loss
from ..real_valued import _RealValuedColumn
from . import estimators, heads
from .heads import PredictionKey
from .metric_spec import MetricSpec

_ACTIVATIONS = {"relu": nn.relu, "tanh": nn.tanh, "sigmoid": nn.sigmoid}
_SLICE_SIZE = 64 << 20
_DNN_RATE, _LINEAR_RATE = 0.05, 0.2


def _by_name(features):
    return features if isinstance(features, dict) else {"": features}


def _called(optimizer):
    return optimizer() if callable(optimizer) else optimizer


def _are_old(columns):
    return all(isinstance(c, (columns_lib._Column, _RealValuedColumn)) for c in columns)


def _partitioner(config, **sizes):
    return partitioners.min_max_variable_partitioner(max_partitions=config.num_ps_replicas if config else 0, **sizes)


def _summarize(value, tag, separator):
    summary.scalar("%s%sfraction_of_zero_values" % (tag, separator), nn_misc.zero_fraction(value))
    summary.histogram("%s%sactivation" % (tag, separator), value)


def _activation(given):
    if not isinstance(given, str):
        return given
    if given not in _ACTIVATIONS:
        raise ValueError("Activation name should be one of [%s], you provided %s." % (", ".join(_ACTIVATIONS), given))
    return _ACTIVATIONS[given]


# -- the two kinds of model, down to their logits

def _network(features, columns, hidden_units, activation, dropout, mode, config, n_logits, input_partitioner, separator, use):
    """What use makes, within the network's scope, of its logits and the scope of what is read."""
    given = tuple(features.values())
    with scope_lib.variable_scope("dnn", values=given, partitioner=_partitioner(config)):
        with scope_lib.variable_scope("input_from_feature_columns", values=given, partitioner=input_partitioner) as input_scope:
            if _are_old(columns):
                net = column_inputs.input_from_feature_columns(features, columns, ["dnn"], scope=input_scope)
            else:
                net = feature_layers.input_layer(features, columns, weight_collections=["dnn"])
        for i, size in enumerate(hidden_units):
            with scope_lib.variable_scope("hiddenlayer_%d" % i, values=(net,)) as scope:
                net = layers.fully_connected(net, size, activation_fn=activation, variables_collections=["dnn"], scope=scope)
                if dropout is not None and mode == estimators.ModeKeys.TRAIN:
                    net = layers.dropout(net, keep_prob=1.0 - dropout)
            _summarize(net, scope.name, separator)
        with scope_lib.variable_scope("logits", values=(net,)) as scope:
            logits = layers.fully_connected(net, n_logits, activation_fn=None, variables_collections=["dnn"], scope=scope)
        _summarize(logits, scope.name, separator)
        return use(logits, input_scope)


def _linear(features, columns, is_joint, config, n_logits, is_summarized, use):
    """What use makes, within the model's scope, of its logits."""
    given = tuple(features.values())
    with scope_lib.variable_scope("linear", values=given, partitioner=_partitioner(config, min_slice_size=_SLICE_SIZE)) as scope:
        if _are_old(columns):
            sums = column_inputs.joint_weighted_sum_from_feature_columns if is_joint \
                else column_inputs.weighted_sum_from_feature_columns
            logits, _, _ = sums(features, columns, n_logits, ["linear"], scope=scope)
        else:
            logits = feature_layers.linear_model(features, columns, units=n_logits, weight_collections=["linear"])
        if is_summarized:
            _summarize(logits, scope.name, "/")
        return use(logits)


def _multipliers(rates, input_scope):
    """How fast the tables of embeddings learn, by their variables."""
    found = {}
    for column, rate in (rates or {}).items():
        if not isinstance(column, columns_lib._EmbeddingColumn):
            raise ValueError("learning rate multipler can only be defined for embedding columns. It is defined for {}".format(
                column))
        tables = graph_lib.get_collection("dnn", scope=input_scope.name + "/" + column.name)
        if not tables:
            raise ValueError("Couldn't find a variable for column {}".format(column))
        found.update((table, rate) for table in tables)
    return found or None


# -- model functions

def _dnn_model_fn(features, labels, mode, params, config=None):
    features, head = _by_name(features), params["head"]
    sizes = {"min_slice_size": params.get("input_layer_min_slice_size") or _SLICE_SIZE}

    def use(logits, input_scope):
        def train(loss):
            return optimize_loss(
                loss=loss, global_step=training_util.get_global_step(), learning_rate=_DNN_RATE,
                optimizer=_called(params.get("optimizer") or "Adagrad"), clip_gradients=params.get("gradient_clip_norm"),
                gradient_multipliers=_multipliers(params.get("embedding_lr_multipliers"), input_scope), name="dnn",
                summaries=[])

        return head.create_model_fn_ops(features=features, mode=mode, labels=labels, train_op_fn=train, logits=logits)

    return _network(features, params["feature_columns"], params["hidden_units"], _activation(params.get("activation_fn")),
                    params.get("dropout"), mode, config, head.logits_dimension, _partitioner(config, **sizes), "_", use)


def _linear_optimizer(given, columns):
    if given is None:
        return optimizers.FtrlOptimizer(learning_rate=min(_LINEAR_RATE, 1.0 / math.sqrt(len(columns))))
    if isinstance(given, str):
        return OPTIMIZER_CLS_NAMES[given](learning_rate=_LINEAR_RATE)
    return _called(given)


def _linear_model_fn(features, labels, mode, params, config=None):
    features, head, columns = _by_name(features), params["head"], params["feature_columns"]

    def train(loss):
        step = training_util.get_global_step()
        own = graph_lib.get_collection("linear")
        grads = gradients.gradients(loss, own)
        if params.get("gradient_clip_norm"):
            grads, _ = math_ops.clip_by_global_norm(grads, params["gradient_clip_norm"])
        return _linear_optimizer(params.get("optimizer"), columns).apply_gradients(zip(grads, own), global_step=step)

    return _linear(features, columns, params.get("joint_weights"), config, head.logits_dimension, False,
                   lambda logits: head.create_model_fn_ops(features=features, mode=mode, labels=labels, train_op_fn=train,
                                                           logits=logits))


def _combined_model_fn(features, labels, mode, params, config=None):
    features, head = _by_name(features), params["head"]
    linear_columns, dnn_columns = params["linear_feature_columns"], params["dnn_feature_columns"]
    clip, counts_itself = params.get("gradient_clip_norm"), not params["fix_global_step_increment_bug"]
    linear_optimizer, dnn_optimizer = (_called(params.get(name) or default) for name, default in
                                       (("linear_optimizer", "Ftrl"), ("dnn_optimizer", "Adagrad")))
    parts, input_scope = {}, None
    if dnn_columns:
        if not params.get("dnn_hidden_units"):
            raise ValueError("dnn_hidden_units must be defined when dnn_feature_columns is specified.")
        sizes = {"min_slice_size": params.get("input_layer_min_slice_size") or _SLICE_SIZE}
        parts["dnn"], input_scope = _network(
            features, dnn_columns, params["dnn_hidden_units"], params.get("dnn_activation_fn") or nn.relu,
            params.get("dnn_dropout"), mode, config, head.logits_dimension, _partitioner(config, **sizes), "/",
            lambda *found: found)
    if linear_columns:
        parts["linear"] = _linear(features, linear_columns, params.get("joint_linear_weights"), config, head.logits_dimension,
                                  True, lambda logits: logits)
    logits = parts["dnn"] + parts["linear"] if len(parts) == 2 else next(iter(parts.values()))

    def train(loss):
        step, made = training_util.get_global_step(), []
        settings = dict(loss=loss, global_step=step, clip_gradients=clip, summaries=[], increment_global_step=counts_itself)
        if "dnn" in parts:
            made.append(optimize_loss(
                learning_rate=_DNN_RATE, optimizer=dnn_optimizer, name="dnn", variables=graph_lib.get_collection("dnn"),
                gradient_multipliers=_multipliers(params.get("embedding_lr_multipliers"), input_scope), **settings))
        if "linear" in parts:
            made.append(optimize_loss(
                learning_rate=min(_LINEAR_RATE, 1.0 / math.sqrt(len(linear_columns))), optimizer=linear_optimizer, name="linear",
                variables=graph_lib.get_collection("linear"), **settings))
        train_op = control_flow.group(*made)
        if counts_itself:
            return train_op
        with graph_lib.control_dependencies([train_op]), graph_lib.colocate_with(step):
            return state_ops.assign_add(step, 1).op

    return head.create_model_fn_ops(features=features, mode=mode, labels=labels, train_op_fn=train, logits=logits)


# -- what they are asked

class _Canned(estimators.Estimator):
    """predict gives one of the predictions, unless it is told which."""

    _told = None

    def _one(self, key, **given):
        found = super().predict(outputs=[key], **given)
        if given.get("as_iterable", True):
            return (row[key] for row in found)
        return found[key].reshape(-1) if key == PredictionKey.CLASSES else found[key]

    def predict(self, x=None, input_fn=None, batch_size=None, outputs=None, as_iterable=True):
        if outputs:
            return super().predict(x=x, input_fn=input_fn, batch_size=batch_size, outputs=outputs, as_iterable=as_iterable)
        return self._one(self._told, x=x, input_fn=input_fn, batch_size=batch_size, as_iterable=as_iterable)


class _Classifier(_Canned):
    _told = PredictionKey.CLASSES

    def predict_classes(self, x=None, input_fn=None, batch_size=None, as_iterable=True):
        return self._one(PredictionKey.CLASSES, x=x, input_fn=input_fn, batch_size=batch_size, as_iterable=as_iterable)

    def predict_proba(self, x=None, input_fn=None, batch_size=None, as_iterable=True):
        return self._one(PredictionKey.PROBABILITIES, x=x, input_fn=input_fn, batch_size=batch_size, as_iterable=as_iterable)


class _Regressor(_Canned):
    _told = PredictionKey.SCORES

    def predict_scores(self, x=None, input_fn=None, batch_size=None, as_iterable=True):
        return self._one(PredictionKey.SCORES, x=x, input_fn=input_fn, batch_size=batch_size, as_iterable=as_iterable)

    def _evaluate(self, input_fn, steps=None, feed_fn=None, metrics=None, *rest, **others):
        if metrics:
            metrics = {key if isinstance(metric, MetricSpec) or isinstance(key, tuple) else (key, PredictionKey.SCORES): metric
                       for key, metric in metrics.items()}
        return super()._evaluate(input_fn, steps, feed_fn, metrics, *rest, **others)


def _needed(columns):
    columns = tuple(columns or [])
    assert columns
    return columns


class LinearClassifier(_Classifier):
    def __init__(self, feature_columns, model_dir=None, n_classes=2, weight_column_name=None, optimizer=None,
                 gradient_clip_norm=None, enable_centered_bias=False, _joint_weight=False, config=None,
                 feature_engineering_fn=None, label_keys=None):
        head = heads.multi_class_head(n_classes, weight_column_name=weight_column_name,
                                      enable_centered_bias=enable_centered_bias, label_keys=label_keys)
        super().__init__(_linear_model_fn, model_dir, config, {
            "head": head, "feature_columns": _needed(feature_columns), "optimizer": optimizer,
            "gradient_clip_norm": gradient_clip_norm, "joint_weights": _joint_weight}, feature_engineering_fn)


class LinearRegressor(_Regressor):
    def __init__(self, feature_columns, model_dir=None, weight_column_name=None, optimizer=None, gradient_clip_norm=None,
                 enable_centered_bias=False, label_dimension=1, _joint_weights=False, config=None, feature_engineering_fn=None):
        head = heads.regression_head(weight_column_name=weight_column_name, label_dimension=label_dimension,
                                     enable_centered_bias=enable_centered_bias)
        super().__init__(_linear_model_fn, model_dir, config, {
            "head": head, "feature_columns": _needed(feature_columns), "optimizer": optimizer,
            "gradient_clip_norm": gradient_clip_norm, "joint_weights": _joint_weights}, feature_engineering_fn)


class DNNClassifier(_Classifier):
    def __init__(self, hidden_units, feature_columns, model_dir=None, n_classes=2, weight_column_name=None, optimizer=None,
                 activation_fn=nn.relu, dropout=None, gradient_clip_norm=None, enable_centered_bias=False, config=None,
                 feature_engineering_fn=None, embedding_lr_multipliers=None, input_layer_min_slice_size=None, label_keys=None):
        head = heads.multi_class_head(n_classes, weight_column_name=weight_column_name,
                                      enable_centered_bias=enable_centered_bias, label_keys=label_keys)
        super().__init__(_dnn_model_fn, model_dir, config, {
            "head": head, "hidden_units": hidden_units, "feature_columns": tuple(feature_columns or []), "optimizer": optimizer,
            "activation_fn": activation_fn, "dropout": dropout, "gradient_clip_norm": gradient_clip_norm,
            "embedding_lr_multipliers": embedding_lr_multipliers,
            "input_layer_min_slice_size": input_layer_min_slice_size}, feature_engineering_fn)


class DNNRegressor(_Regressor):
    def __init__(self, hidden_units, feature_columns, model_dir=None, weight_column_name=None, optimizer=None,
                 activation_fn=nn.relu, dropout=None, gradient_clip_norm=None, enable_centered_bias=False, config=None,
                 feature_engineering_fn=None, label_dimension=1, embedding_lr_multipliers=None,
                 input_layer_min_slice_size=None):
        head = heads.regression_head(weight_column_name=weight_column_name, label_dimension=label_dimension,
                                     enable_centered_bias=enable_centered_bias)
        super().__init__(_dnn_model_fn, model_dir, config, {
            "head": head, "hidden_units": hidden_units, "feature_columns": tuple(feature_columns or []), "optimizer": optimizer,
            "activation_fn": activation_fn, "dropout": dropout, "gradient_clip_norm": gradient_clip_norm,
            "embedding_lr_multipliers": embedding_lr_multipliers,
            "input_layer_min_slice_size": input_layer_min_slice_size}, feature_engineering_fn)


def _combined_params(head, joint, linear_columns, linear_optimizer, dnn_columns, dnn_optimizer, hidden_units, activation, dropout,
                     clip, rates, slice_size, fixes):
    linear_columns, dnn_columns = tuple(linear_columns or []), tuple(dnn_columns or [])
    if not linear_columns + dnn_columns:
        raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")
    return {"head": head, "linear_feature_columns": linear_columns, "linear_optimizer": linear_optimizer,
            "joint_linear_weights": joint, "dnn_feature_columns": dnn_columns, "dnn_optimizer": dnn_optimizer,
            "dnn_hidden_units": hidden_units, "dnn_activation_fn": activation, "dnn_dropout": dropout,
            "gradient_clip_norm": clip, "embedding_lr_multipliers": rates, "input_layer_min_slice_size": slice_size,
            "fix_global_step_increment_bug": fixes}


class DNNLinearCombinedClassifier(_Classifier):
    def __init__(self, model_dir=None, n_classes=2, weight_column_name=None, linear_feature_columns=None, linear_optimizer=None,
                 _joint_linear_weights=False, dnn_feature_columns=None, dnn_optimizer=None, dnn_hidden_units=None,
                 dnn_activation_fn=nn.relu, dnn_dropout=None, gradient_clip_norm=None, enable_centered_bias=False, config=None,
                 feature_engineering_fn=None, embedding_lr_multipliers=None, input_layer_min_slice_size=None, label_keys=None,
                 fix_global_step_increment_bug=False):
        head = heads.multi_class_head(n_classes, weight_column_name=weight_column_name,
                                      enable_centered_bias=enable_centered_bias, label_keys=label_keys)
        params = _combined_params(head, _joint_linear_weights, linear_feature_columns, linear_optimizer, dnn_feature_columns,
                                  dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout, gradient_clip_norm,
                                  embedding_lr_multipliers, input_layer_min_slice_size, fix_global_step_increment_bug)
        super().__init__(_combined_model_fn, model_dir, config, params, feature_engineering_fn)


class DNNLinearCombinedRegressor(_Regressor):
    def __init__(self, model_dir=None, weight_column_name=None, linear_feature_columns=None, linear_optimizer=None,
                 _joint_linear_weights=False, dnn_feature_columns=None, dnn_optimizer=None, dnn_hidden_units=None,
                 dnn_activation_fn=nn.relu, dnn_dropout=None, gradient_clip_norm=None, enable_centered_bias=False,
                 label_dimension=1, config=None, feature_engineering_fn=None, embedding_lr_multipliers=None,
                 input_layer_min_slice_size=None, fix_global_step_increment_bug=False):
        head = heads.regression_head(weight_column_name=weight_column_name, label_dimension=label_dimension,
                                     enable_centered_bias=enable_centered_bias)
        params = _combined_params(head, _joint_linear_weights, linear_feature_columns, linear_optimizer, dnn_feature_columns,
                                  dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout, gradient_clip_norm,
                                  embedding_lr_multipliers, input_layer_min_slice_size, fix_global_step_increment_bug)
        super().__init__(_combined_model_fn, model_dir, config, params, feature_engineering_fn)


NAMES = """LinearClassifier LinearRegressor DNNClassifier DNNRegressor DNNLinearCombinedClassifier
    DNNLinearCombinedRegressor""".split()
