# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.estimator's canned estimators: linear ones, deep ones, and both together."""

import math

from .. import dtypes, layers, losses
from .. import nest, nn, summary
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework.graph import GraphKeys, get_default_graph, name_scope
from ..framework.ops import constant
from ..keras import models
from ..learning import optimizers
from ..learning import training_util
from ..learning.batch_norm import BatchNormalization
from ..operators import array_ops, math_ops, state_ops
from ..operators.parsing import FixedLenFeature
from ..state import initializers
from ..state import partitioners, scope as scope_lib
from ..state import variables
from . import canned_heads as heads, feature_layers
from .estimator import Estimator, ModeKeys
from .feature_columns import make_parse_example_spec, numeric_column, NumericColumn

_LINEAR_RATE, _DNN_RATE = 0.2, 0.05
_COMBINED_LINEAR_RATE, _COMBINED_DNN_RATE = 0.005, 0.001


def optimizer_instance(given, learning_rate):
    named = {"Adagrad": optimizers.AdagradOptimizer, "Adam": optimizers.AdamOptimizer, "Ftrl": optimizers.FtrlOptimizer,
             "RMSProp": optimizers.RMSPropOptimizer, "SGD": optimizers.GradientDescentOptimizer}
    if isinstance(given, str):
        if given not in named:
            raise ValueError("Unsupported optimizer name: {}. Supported names are: {}".format(given, tuple(sorted(named))))
        return named[given](learning_rate=learning_rate)
    if callable(given):
        given = given()
    if not isinstance(given, optimizers.Optimizer):
        raise ValueError("The given object is not an Optimizer instance. Given: {}".format(given))
    return given


def _check_features(features):
    if not isinstance(features, dict):
        raise ValueError("features should be a dictionary of `Tensor`s. Given type: {}".format(type(features)))


def _partitioner(given, **options):
    # One process has no parameter servers.
    return given or partitioners.min_max_variable_partitioner(max_partitions=0, **options)


# -- linear

def _fraction_of_zero(weights):
    with name_scope("zero_fraction"):
        weights = nest.flatten(weights)
        with name_scope("total_size"):
            sizes = [array_ops.size(x, out_type=dtypes.int64) for x in weights]
            total = math_ops.add_n(sizes)
        with name_scope("total_zero"):
            zeros = []
            for x, size in zip(weights, sizes):
                zeros.append(control_flow.cond(
                    math_ops.equal(size, constant(0, dtype=dtypes.int64)), lambda: constant(0, dtype=dtypes.float32),
                    lambda x=x, size=size: nn.zero_fraction(x) * math_ops.cast(size, dtypes.float32, name="ToFloat"),
                    name="zero_count"))
            zero = math_ops.add_n(zeros)
        with name_scope("compute"):
            share = zero / math_ops.cast(total, dtype=dtypes.float32, name="float32_size")
        return array_ops.identity(share, name="zero_fraction_or_nan")


def _expanded(items):
    result = []
    for item in items:
        result.extend([item] if isinstance(item, variables.Variable) else list(item))
    return result


def linear_logit_fn_builder(units, feature_columns, sparse_combiner="sum"):
    def linear_logit_fn(features):
        if all(column.is_v2 for column in feature_columns):
            model = feature_layers.LinearModel(feature_columns, units, sparse_combiner, name="linear_model")
            logits = model(features)
            bias = _expanded([model.bias])
            weights = [v for v in model.variables if v is not model.bias]
        else:
            model = feature_layers._ScopedLinearModel(feature_columns, units, sparse_combiner, None, True, "linear_model")
            logits = model(features)
            found = dict(model.cols_to_vars())
            bias = found.pop("bias")
            weights = list(found.values())
        weights = _expanded(weights)
        if units > 1:
            summary.histogram("bias", bias)
        else:
            summary.scalar("bias", bias[0][0])
        summary.scalar("fraction_of_zero_weights", _fraction_of_zero(weights))
        return logits
    return linear_logit_fn


def _linear_model_fn(features, labels, mode, head, feature_columns, optimizer, partitioner, sparse_combiner):
    _check_features(features)
    partitioner = _partitioner(partitioner, min_slice_size=64 << 20)
    with scope_lib.variable_scope("linear", values=tuple(features.values()), partitioner=partitioner):
        logits = linear_logit_fn_builder(head.logits_dimension, feature_columns, sparse_combiner)(features=features)
        rate = min(_LINEAR_RATE, 1.0 / math.sqrt(len(feature_columns)))
        optimizer = optimizer_instance(optimizer or optimizers.FtrlOptimizer(learning_rate=rate), _LINEAR_RATE)
        return head.create_estimator_spec(features=features, mode=mode, labels=labels, optimizer=optimizer, logits=logits)


# -- deep

def _layer_summary(value, tag):
    summary.scalar("%s/fraction_of_zero_values" % tag, nn.zero_fraction(value))
    summary.histogram("%s/activation" % tag, value)


class _ScopedInputLayer:
    """input_layer under the scope of its first call, for columns that have no layer."""

    def __init__(self, feature_columns):
        from ..state import template
        self._make = template.make_template(
            "input_layer", lambda features: feature_layers._input_layer(
                features, feature_layers.normalize_columns(feature_columns), feature_layers._collections(None), True, None,
                None))

    def __call__(self, features):
        return self._make(features)


class _DNNModel(models.Model):
    """Hidden layers over the columns, and one of logits."""

    def __init__(self, units, hidden_units, feature_columns, activation_fn, dropout, input_layer_partitioner, batch_norm,
                 name=None):
        super().__init__(name=name)
        if all(column.is_v2 for column in feature_columns):
            self._input = feature_layers.DenseFeatures(feature_columns, name="input_layer")
        else:
            self._input = _ScopedInputLayer(feature_columns)
        self._dropout, self._partitioner = dropout, input_layer_partitioner
        self._hidden = [self._hidden_layer(i, n, activation_fn, dropout, batch_norm) for i, n in enumerate(hidden_units)]
        with scope_lib.variable_scope("logits") as scope:
            self._logits = layers.Dense(units, activation=None, kernel_initializer=initializers.GlorotUniform(), name=scope,
                                        _scope=scope)
            self._logits_name = scope.name

    @staticmethod
    def _hidden_layer(i, n, activation_fn, dropout, batch_norm):
        with scope_lib.variable_scope("hiddenlayer_%d" % i) as scope:
            dense = layers.Dense(n, activation=activation_fn, kernel_initializer=initializers.GlorotUniform(), name=scope,
                                 _scope=scope)
            drop = layers.Dropout(rate=dropout) if dropout is not None else None
            norm = BatchNormalization(momentum=0.999, trainable=True, name="batchnorm_%d" % i,
                                      _scope="batchnorm_%d" % i) if batch_norm else None
            return [dense, drop, norm, scope.name]

    def call(self, features, mode):
        training = mode == ModeKeys.TRAIN
        with name_scope(get_default_graph().get_name_scope().rsplit("/", 1)[0] + "/"):
            with scope_lib.variable_scope("input_from_feature_columns", partitioner=self._partitioner):
                net = self._input(features)
            for dense, drop, norm, name in self._hidden:
                net = dense(net)
                if drop is not None and training:
                    net = drop(net, training=True)
                if norm is not None:
                    net = norm(net, training=training)
                _layer_summary(net, name)
            logits = self._logits(net)
            _layer_summary(logits, self._logits_name)
            return logits


def dnn_logit_fn_builder(units, hidden_units, feature_columns, activation_fn, dropout, input_layer_partitioner, batch_norm):
    if not isinstance(units, int):
        raise ValueError("units must be an int.  Given type: {}".format(type(units)))

    def dnn_logit_fn(features, mode):
        model = _DNNModel(units, hidden_units, feature_columns, activation_fn, dropout, input_layer_partitioner, batch_norm,
                          name="dnn")
        return model(features, mode)
    return dnn_logit_fn


def _dnn_model_fn(features, labels, mode, head, hidden_units, feature_columns, optimizer, activation_fn, dropout,
                  input_layer_partitioner, batch_norm):
    _check_features(features)
    optimizer = optimizer_instance(optimizer, _DNN_RATE)
    partitioner = _partitioner(None)
    with scope_lib.variable_scope("dnn", values=tuple(features.values()), partitioner=partitioner):
        input_layer_partitioner = _partitioner(input_layer_partitioner, min_slice_size=64 << 20)
        logit_fn = dnn_logit_fn_builder(head.logits_dimension, hidden_units, feature_columns, activation_fn, dropout,
                                        input_layer_partitioner, batch_norm)
        logits = logit_fn(features=features, mode=mode)
        return head.create_estimator_spec(features=features, mode=mode, labels=labels, optimizer=optimizer, logits=logits)


# -- both

def _combined_model_fn(features, labels, mode, head, linear, deep):
    _check_features(features)
    columns, linear_optimizer, sparse_combiner = linear
    deep_columns, deep_optimizer, hidden_units, activation_fn, dropout, input_layer_partitioner, batch_norm = deep
    if not columns and not deep_columns:
        raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")
    input_layer_partitioner = _partitioner(input_layer_partitioner, min_slice_size=64 << 20)
    parts, values = [], tuple(features.values())
    if deep_columns:
        deep_optimizer = optimizer_instance(deep_optimizer, _COMBINED_DNN_RATE)
        if not hidden_units:
            raise ValueError("dnn_hidden_units must be defined when dnn_feature_columns is specified.")
        with scope_lib.variable_scope("dnn", values=values, partitioner=_partitioner(None)) as scope:
            logit_fn = dnn_logit_fn_builder(head.logits_dimension, hidden_units, deep_columns, activation_fn, dropout,
                                            input_layer_partitioner, batch_norm)
            parts.append((logit_fn(features=features, mode=mode), deep_optimizer, scope.name))
    if columns:
        rate = min(_COMBINED_LINEAR_RATE, 1.0 / math.sqrt(len(columns)))
        linear_optimizer = optimizer_instance(linear_optimizer, rate)
        with scope_lib.variable_scope("linear", values=values, partitioner=input_layer_partitioner) as scope:
            logits = linear_logit_fn_builder(head.logits_dimension, columns, sparse_combiner)(features=features)
            _layer_summary(logits, scope.name)
            parts.append((logits, linear_optimizer, scope.name))
    logits = parts[0][0] + parts[1][0] if len(parts) == 2 else parts[0][0]

    def train_op_fn(loss):
        step = training_util.get_global_step()
        made = [optimizer.minimize(loss, var_list=graph_lib.get_collection(GraphKeys.TRAINABLE_VARIABLES, scope=name))
                for _, optimizer, name in parts]
        with graph_lib.control_dependencies([control_flow.group(*made)]):
            return state_ops.assign_add(step, 1).op
    return head.create_estimator_spec(features=features, mode=mode, labels=labels, train_op_fn=train_op_fn, logits=logits)


# -- the estimators

class _Linear(Estimator):
    def _begin_linear(self, head, feature_columns, model_dir, optimizer, config, partitioner, warm_start_from,
                      sparse_combiner):
        def _model_fn(features, labels, mode, config):
            return _linear_model_fn(features, labels, mode, head, tuple(feature_columns or []), optimizer, partitioner,
                                    sparse_combiner)
        Estimator.__init__(self, _model_fn, model_dir=model_dir, config=config, warm_start_from=warm_start_from)


class LinearClassifier(_Linear):
    def __init__(self, feature_columns, model_dir=None, n_classes=2, weight_column=None, label_vocabulary=None,
                 optimizer="Ftrl", config=None, partitioner=None, warm_start_from=None,
                 loss_reduction=losses.Reduction.SUM, sparse_combiner="sum"):
        head = heads.of_classes(n_classes, weight_column, label_vocabulary, loss_reduction)
        self._begin_linear(head, feature_columns, model_dir, optimizer, config, partitioner, warm_start_from, sparse_combiner)


class LinearRegressor(_Linear):
    def __init__(self, feature_columns, model_dir=None, label_dimension=1, weight_column=None, optimizer="Ftrl", config=None,
                 partitioner=None, warm_start_from=None, loss_reduction=losses.Reduction.SUM, sparse_combiner="sum"):
        head = heads.RegressionHead(label_dimension, weight_column, loss_reduction)
        self._begin_linear(head, feature_columns, model_dir, optimizer, config, partitioner, warm_start_from, sparse_combiner)


class LinearEstimator(_Linear):
    def __init__(self, head, feature_columns, model_dir=None, optimizer="Ftrl", config=None, partitioner=None,
                 sparse_combiner="sum"):
        self._begin_linear(head, feature_columns, model_dir, optimizer, config, partitioner, None, sparse_combiner)


class _DNN(Estimator):
    def _begin_dnn(self, head, hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout,
                   input_layer_partitioner, config, warm_start_from, batch_norm):
        def _model_fn(features, labels, mode, config):
            return _dnn_model_fn(features, labels, mode, head, hidden_units, tuple(feature_columns or []), optimizer,
                                 activation_fn, dropout, input_layer_partitioner, batch_norm)
        Estimator.__init__(self, _model_fn, model_dir=model_dir, config=config, warm_start_from=warm_start_from)


class DNNClassifier(_DNN):
    def __init__(self, hidden_units, feature_columns, model_dir=None, n_classes=2, weight_column=None,
                 label_vocabulary=None, optimizer="Adagrad", activation_fn=nn.relu, dropout=None,
                 input_layer_partitioner=None, config=None, warm_start_from=None, loss_reduction=losses.Reduction.SUM,
                 batch_norm=False):
        head = heads.of_classes(n_classes, weight_column, label_vocabulary, loss_reduction)
        self._begin_dnn(head, hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout,
                        input_layer_partitioner, config, warm_start_from, batch_norm)


class DNNRegressor(_DNN):
    def __init__(self, hidden_units, feature_columns, model_dir=None, label_dimension=1, weight_column=None,
                 optimizer="Adagrad", activation_fn=nn.relu, dropout=None, input_layer_partitioner=None, config=None,
                 warm_start_from=None, loss_reduction=losses.Reduction.SUM, batch_norm=False):
        head = heads.RegressionHead(label_dimension, weight_column, loss_reduction)
        self._begin_dnn(head, hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout,
                        input_layer_partitioner, config, warm_start_from, batch_norm)


class DNNEstimator(_DNN):
    def __init__(self, head, hidden_units, feature_columns, model_dir=None, optimizer="Adagrad", activation_fn=nn.relu,
                 dropout=None, input_layer_partitioner=None, config=None, warm_start_from=None, batch_norm=False):
        self._begin_dnn(head, hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout,
                        input_layer_partitioner, config, warm_start_from, batch_norm)


class _Combined(Estimator):
    def _begin_combined(self, head, linear, deep, model_dir, config, warm_start_from):
        linear, deep = (tuple(linear[0] or ()),) + linear[1:], (tuple(deep[0] or ()),) + deep[1:]
        if not linear[0] and not deep[0]:
            raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")
        self._feature_columns = linear[0] + deep[0]

        def _model_fn(features, labels, mode, config):
            return _combined_model_fn(features, labels, mode, head, linear, deep)
        Estimator.__init__(self, _model_fn, model_dir=model_dir, config=config, warm_start_from=warm_start_from)


class DNNLinearCombinedClassifier(_Combined):
    def __init__(self, model_dir=None, linear_feature_columns=None, linear_optimizer="Ftrl", dnn_feature_columns=None,
                 dnn_optimizer="Adagrad", dnn_hidden_units=None, dnn_activation_fn=nn.relu, dnn_dropout=None, n_classes=2,
                 weight_column=None, label_vocabulary=None, input_layer_partitioner=None, config=None,
                 warm_start_from=None, loss_reduction=losses.Reduction.SUM, batch_norm=False,
                 linear_sparse_combiner="sum"):
        head = heads.of_classes(n_classes, weight_column, label_vocabulary, loss_reduction)
        self._begin_combined(head, (linear_feature_columns, linear_optimizer, linear_sparse_combiner),
                             (dnn_feature_columns, dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout,
                              input_layer_partitioner, batch_norm), model_dir, config, warm_start_from)


class DNNLinearCombinedRegressor(_Combined):
    def __init__(self, model_dir=None, linear_feature_columns=None, linear_optimizer="Ftrl", dnn_feature_columns=None,
                 dnn_optimizer="Adagrad", dnn_hidden_units=None, dnn_activation_fn=nn.relu, dnn_dropout=None,
                 label_dimension=1, weight_column=None, input_layer_partitioner=None, config=None, warm_start_from=None,
                 loss_reduction=losses.Reduction.SUM, batch_norm=False, linear_sparse_combiner="sum"):
        head = heads.RegressionHead(label_dimension, weight_column, loss_reduction)
        self._begin_combined(head, (linear_feature_columns, linear_optimizer, linear_sparse_combiner),
                             (dnn_feature_columns, dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout,
                              input_layer_partitioner, batch_norm), model_dir, config, warm_start_from)


class DNNLinearCombinedEstimator(_Combined):
    def __init__(self, head, model_dir=None, linear_feature_columns=None, linear_optimizer="Ftrl",
                 dnn_feature_columns=None, dnn_optimizer="Adagrad", dnn_hidden_units=None, dnn_activation_fn=nn.relu,
                 dnn_dropout=None, input_layer_partitioner=None, config=None, linear_sparse_combiner="sum"):
        self._begin_combined(head, (linear_feature_columns, linear_optimizer, linear_sparse_combiner),
                             (dnn_feature_columns, dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout,
                              input_layer_partitioner, False), model_dir, config, None)


# -- what examples hold

def _with_label(spec, label_key, label_spec, weight_column):
    if label_key in spec:
        raise ValueError("label should not be used as feature. label_key: {}, features: {}".format(label_key, spec.keys()))
    spec[label_key] = label_spec
    if weight_column is None:
        return spec
    weight_column = numeric_column(weight_column) if isinstance(weight_column, str) else weight_column
    if not isinstance(weight_column, NumericColumn):
        raise ValueError("weight_column should be an instance of tf.feature_column.numeric_column. Given type: {} value: "
                         "{}".format(type(weight_column), weight_column))
    if weight_column.key in spec:
        raise ValueError("weight_column should not be used as feature. weight_column: {}, features: {}".format(
            weight_column.key, spec.keys()))
    spec.update(weight_column.parse_example_spec)
    return spec


def classifier_parse_example_spec(feature_columns, label_key, label_dtype=dtypes.int64, label_default=None,
                                  weight_column=None):
    return _with_label(make_parse_example_spec(feature_columns), label_key,
                       FixedLenFeature((1,), label_dtype, label_default), weight_column)


def regressor_parse_example_spec(feature_columns, label_key, label_dtype=dtypes.float32, label_default=None,
                                 label_dimension=1, weight_column=None):
    return _with_label(make_parse_example_spec(feature_columns), label_key,
                       FixedLenFeature((label_dimension,), label_dtype, label_default), weight_column)


NAMES = """LinearClassifier LinearRegressor LinearEstimator DNNClassifier DNNRegressor DNNEstimator
    DNNLinearCombinedClassifier DNNLinearCombinedRegressor DNNLinearCombinedEstimator classifier_parse_example_spec
    regressor_parse_example_spec""".split()
