# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.feature_column.input_layer and linear_model, tf.keras.layers.DenseFeatures and the layers below canned estimators."""

from .. import dtypes, nn
from ..framework import graph as graph_lib
from ..framework.graph import GraphKeys, name_scope
from ..keras import models
from ..keras.base_layer import Layer
from ..learning import layers_base
from ..operators import array_ops, math_ops
from ..state import partitioned_variables, scope as scope_lib
from ..state.initializers import Zeros
from . import feature_columns as columns_lib
from .feature_columns import CategoricalColumn, DenseColumn, FeatureCache, check_same_batch, normalize_columns
from .feature_columns import weighted_sum


def _pure(name):
    """A variable scope without a name scope."""
    return scope_lib._PureScope(name, None, None, None, None, None, None, None, None, None, None)


def _flattened(column, tensor):
    """One row an example."""
    batch = array_ops.shape(tensor)[0]
    return array_ops.reshape(tensor, shape=(batch, column.variable_shape.num_elements()))


def _check_dense(feature_columns, kind, told=None):
    for column in feature_columns:
        if not isinstance(column, kind):
            raise ValueError("Items of feature_columns must be a {}. You can wrap a categorical column with an "
                             "embedding_column or indicator_column. Given: {}".format(told or kind, column))


# -- input_layer and linear_model: get_variable in scopes

class _ScopeState:
    """Variables of columns, got when a column asks for them."""

    def __init__(self, collections, trainable):
        self._collections, self._trainable = collections, trainable

    def create(self, column, name, shape, initializer, trainable=True):
        self._made = scope_lib.get_variable(name, shape=shape, dtype=dtypes.float32, initializer=initializer,
                                            trainable=trainable and self._trainable, collections=self._collections)

    def get(self, column, name, *given):
        if given:
            self.create(column, name, *given)
        else:
            column.create_state(self)
        return self._made


def _collections(weight_collections):
    result = list(weight_collections or [])
    return result + [key for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES) if key not in result]


def _input_layer(features, feature_columns, collections, trainable, cols_to_vars, cols_to_output_tensors):
    cache, state, outputs = FeatureCache(features), _ScopeState(collections, trainable), []
    for column in feature_columns:
        with scope_lib.variable_scope(None, default_name=column._var_scope_name):
            output = _flattened(column, column.dense_tensor(cache, state))
            outputs.append(output)
            if cols_to_vars is not None:
                cols_to_vars[column] = graph_lib.get_collection(
                    GraphKeys.GLOBAL_VARIABLES, scope=scope_lib.get_variable_scope().name)
            if cols_to_output_tensors is not None:
                cols_to_output_tensors[column] = output
    check_same_batch(outputs, feature_columns)
    return array_ops.concat(outputs, 1)


def input_layer(features, feature_columns, weight_collections=None, trainable=True, cols_to_vars=None,
                cols_to_output_tensors=None):
    feature_columns = normalize_columns(feature_columns, "_")
    _check_dense(feature_columns, DenseColumn, "_DenseColumn")
    with scope_lib.variable_scope(None, default_name="input_layer", values=list(features.values())):
        return _input_layer(features, feature_columns, _collections(weight_collections), trainable, cols_to_vars,
                            cols_to_output_tensors)


def _note(variable, collections):
    for key in collections:
        if key != GraphKeys.GLOBAL_VARIABLES:
            for v in variable if isinstance(variable, partitioned_variables.PartitionedVariable) else [variable]:
                graph_lib.add_to_collection(key, v)


class _ColumnWeights(layers_base.Layer):
    """What a linear model keeps for a column."""

    def __init__(self, column, units, sparse_combiner, collections, trainable, name):
        super().__init__(trainable=trainable, name=name)
        self._column, self._units, self._combiner, self._collections = column, units, sparse_combiner, collections

    def build(self, _):
        n = self._column.num_buckets if isinstance(self._column, CategoricalColumn) \
            else self._column.variable_shape.num_elements()
        self._weights = self.add_weight("weights", (n, self._units), initializer=Zeros(), trainable=self.trainable)
        _note(self._weights, self._collections)

    def call(self, cache):
        state = _ScopeState(self._collections, self.trainable)
        return weighted_sum(self._column, cache, state, self._combiner, self._weights)


class _BiasLayer(layers_base.Layer):
    def __init__(self, units, trainable, collections, name):
        super().__init__(trainable=trainable, name=name)
        self._units, self._collections = units, collections

    def build(self, _):
        self._bias = self.add_weight("bias_weights", [self._units], initializer=Zeros(), trainable=self.trainable)
        _note(self._bias, self._collections)

    def call(self, _):
        return self._bias


class _ScopedLinearModel(models.Model):
    """The model behind tf.feature_column.linear_model."""

    def __init__(self, feature_columns, units, sparse_combiner, weight_collections, trainable, name):
        super().__init__(name=name)
        self._columns = normalize_columns(feature_columns, "_")
        collections = _collections(weight_collections)
        made = []
        for column in self._columns:
            with scope_lib.variable_scope(None, default_name=column._var_scope_name) as opened:
                own = opened.name.rsplit("/", 1)[-1]
            made.append(_ColumnWeights(column, units, sparse_combiner, collections, trainable, own))
        for layer in made:
            setattr(self, "layer-%s" % layer.name, layer)
        self._column_layers = sorted(made, key=lambda layer: layer.name)
        self._bias_layer = _BiasLayer(units, trainable, collections, "bias_layer")
        self._cols_to_vars = {}

    def cols_to_vars(self):
        return self._cols_to_vars

    def call(self, features):
        with scope_lib.variable_scope(self.name):
            _check_kinds(self._columns, "_")
            cache, sums = FeatureCache(features), []
            for layer in self._column_layers:
                sums.append(layer(cache))
                self._cols_to_vars[layer._column] = graph_lib.get_collection(GraphKeys.GLOBAL_VARIABLES,
                                                                             scope=layer.scope_name)
            check_same_batch(sums, [layer._column for layer in self._column_layers])
            total = math_ops.add_n(sums, name="weighted_sum_no_bias")
            bias = self._bias_layer(cache, scope=scope_lib.get_variable_scope())
            result = nn.bias_add(total, bias, name="weighted_sum")
            self._cols_to_vars["bias"] = _parts(self._bias_layer.variables[0])
        return result


def _check_kinds(feature_columns, mark=""):
    for column in feature_columns:
        if not isinstance(column, (DenseColumn, CategoricalColumn)):
            raise ValueError("Items of feature_columns must be either a {0}DenseColumn or {0}CategoricalColumn. Given: "
                             "{1}".format(mark, column))


def _parts(variable):
    return list(variable) if isinstance(variable, partitioned_variables.PartitionedVariable) else [variable]


def linear_model(features, feature_columns, units=1, sparse_combiner="sum", weight_collections=None, trainable=True,
                 cols_to_vars=None):
    with scope_lib.variable_scope(None, "linear_model") as opened:
        name = opened.name.rsplit("/", 1)[-1]
    model = _ScopedLinearModel(feature_columns, units, sparse_combiner, weight_collections, trainable, name)
    result = model(features)
    if cols_to_vars is not None:
        cols_to_vars.update(model.cols_to_vars())
    return result


# -- layers: variables made when they are built

class _LayerState:
    """Variables of columns, made by a layer."""

    def __init__(self, layer):
        self._layer, self._made = layer, {}

    def create(self, column, name, shape, initializer, trainable=True):
        if (column, name) in self._made:
            raise ValueError("Variable already exists.")
        self._made[column, name] = v = self._layer.add_weight(
            name, shape, dtype=dtypes.float32, initializer=initializer, trainable=self._layer.trainable and trainable,
            use_resource=True, getter=_got)
        return v

    def get(self, column, name):
        if (column, name) not in self._made:
            raise ValueError("Variable does not exist.")
        return self._made[column, name]


def _got(**keywords):
    return scope_lib.get_variable(**keywords)


class FeaturesLayer(Layer):
    """Base of the layers that put columns side by side."""

    def __init__(self, feature_columns, kind, trainable, name, **keywords):
        super().__init__(name=name, trainable=trainable, **keywords)
        self._feature_columns = normalize_columns(feature_columns)
        self._state = _LayerState(self)
        _check_dense(self._feature_columns, kind)

    def build(self, _):
        for column in self._feature_columns:
            with _pure(self.name), _pure(column.name):
                column.create_state(self._state)

    def _name_scope(self):
        return self.name

    @staticmethod
    def _check_features(features):
        if not isinstance(features, dict):
            raise ValueError("We expected a dictionary here. Instead we got: ", features)

    def compute_output_shape(self, input_shape):
        return self._target_shape(input_shape, sum(c.variable_shape.num_elements() for c in self._feature_columns))

    def _shaped(self, column, tensor):
        shape = self._target_shape(array_ops.shape(tensor), column.variable_shape.num_elements())
        return array_ops.reshape(tensor, shape=shape)

    def _joined(self, outputs):
        check_same_batch(outputs, self._feature_columns)
        return array_ops.concat(outputs, -1)


class DenseFeatures(FeaturesLayer):
    """Dense columns side by side."""

    def __init__(self, feature_columns, trainable=True, name=None, **keywords):
        super().__init__(feature_columns, DenseColumn, trainable, name, **keywords)

    def _target_shape(self, shape, elements):
        return shape[0], elements

    def call(self, features, cols_to_output_tensors=None):
        self._check_features(features)
        cache, outputs = FeatureCache(features), []
        for column in self._feature_columns:
            with name_scope(column.name):
                output = self._shaped(column, column.dense_tensor(cache, self._state))
                if cols_to_output_tensors is not None:
                    cols_to_output_tensors[column] = output
                outputs.append(output)
        return self._joined(outputs)


class _LinearModelLayer(Layer):
    def __init__(self, feature_columns, units, sparse_combiner, trainable, name):
        super().__init__(name=name, trainable=trainable)
        self._feature_columns = normalize_columns(feature_columns)
        _check_kinds(self._feature_columns)
        self._units, self._combiner, self._state, self.bias = units, sparse_combiner, _LayerState(self), None

    def build(self, _):
        with _pure(self.name):
            for column in self._feature_columns:
                with _pure(column.name):
                    column.create_state(self._state)
                    n = column.num_buckets if isinstance(column, CategoricalColumn) \
                        else column.variable_shape.num_elements()
                    self._state.create(column, "weights", (n, self._units), Zeros(), self.trainable)
            self.bias = self.add_weight("bias_weights", [self._units], dtype=dtypes.float32, initializer=Zeros(),
                                        trainable=self.trainable, use_resource=True, getter=_got)

    def call(self, features):
        if not isinstance(features, dict):
            raise ValueError("We expected a dictionary here. Instead we got: {}".format(features))
        with name_scope(self.name):
            cache, sums = FeatureCache(features), []
            for column in self._feature_columns:
                with name_scope(column.name):
                    sums.append(weighted_sum(column, cache, self._state, self._combiner,
                                             self._state.get(column, "weights")))
            check_same_batch(sums, self._feature_columns)
            total = math_ops.add_n(sums, name="weighted_sum_no_bias")
            return nn.bias_add(total, self.bias, name="weighted_sum")


class LinearModel(models.Model):
    """A weight for each number and category."""

    def __init__(self, feature_columns, units=1, sparse_combiner="sum", trainable=True, name=None):
        super().__init__(name=name)
        self.layer = _LinearModelLayer(feature_columns, units, sparse_combiner, trainable, self.name)

    def call(self, features):
        return self.layer(features)

    bias = property(lambda self: self.layer.bias)


def install(tf, submodule):
    """tf.feature_column."""
    names = """numeric_column bucketized_column categorical_column_with_hash_bucket indicator_column embedding_column
        categorical_column_with_vocabulary_file categorical_column_with_vocabulary_list categorical_column_with_identity
        weighted_categorical_column crossed_column shared_embedding_columns make_parse_example_spec""".split()
    submodule("feature_column", input_layer=input_layer, linear_model=linear_model,
              **{name: getattr(columns_lib, name) for name in names})
    tf.keras.layers.DenseFeatures = DenseFeatures
    from . import sequence_columns
    sequence_columns.install(tf)
