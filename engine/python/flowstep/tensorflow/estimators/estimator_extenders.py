# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.estimator.add_metrics and tf.contrib.estimator: estimators, optimizers and heads that do more than those they are made of."""

import inspect

from .. import losses
from ..framework.graph import Tensor
from ..learning import optimizers
from ..operators import math_ops, sparse
from . import canned_heads, estimator_export as export
from .estimator import Estimator, ModeKeys

_ARGUMENTS = {"features", "labels", "predictions", "config"}


def add_metrics(estimator, metric_fn):
    names = set(inspect.signature(metric_fn).parameters)
    others = list(names - _ARGUMENTS)
    if others:
        raise ValueError("metric_fn (%s) has following not expected args: %s" % (metric_fn, others))

    def model_fn(features, labels, mode, config):
        spec = estimator.model_fn(features, labels, mode, config)
        if mode != ModeKeys.EVAL:
            return spec
        known = {"features": features, "labels": labels, "predictions": spec.predictions, "config": config}
        more = metric_fn(**{name: known[name] for name in names})
        return spec._replace(eval_metric_ops=dict(spec.eval_metric_ops or {}, **more))
    return Estimator(model_fn=model_fn, model_dir=estimator.model_dir, config=estimator.config,
                     warm_start_from=estimator._warm_start)


# -- features that come out again

def _checked_keys(keys):
    if keys is None or isinstance(keys, str):
        return keys if keys is None else [keys]
    if not isinstance(keys, (list, tuple)):
        raise TypeError("keys should be either a string or a list of strings. Given: {}".format(type(keys)))
    for key in keys:
        if not isinstance(key, str):
            raise TypeError("All items in the given keys list should be a string. There exist an item with type: {}".format(
                type(key)))
    return keys


def _check_forwarded(keys, features, predictions):
    if not isinstance(predictions, dict):
        raise ValueError("Predictions should be a dict to be able to forward features. Given: {}".format(type(predictions)))
    for key in keys:
        if key not in features:
            raise ValueError('keys should be exist in features. Key "{}" is not in features dict. features dict has following '
                             "keys: {}. Please check arguments of forward_features.".format(key, features.keys()))
        if key in predictions:
            raise ValueError("Cannot forward feature key ({}). Since it does exist in predictions. Existing prediction keys: "
                             "{}. Please check arguments of forward_features.".format(key, predictions.keys()))


def _forwarded(key, feature, defaults):
    feature = sparse.convert_to_tensor_or_sparse_tensor(feature)
    if key in defaults:
        if not isinstance(feature, sparse.SparseTensor):
            raise ValueError("Feature ({}) is expected to be a `SparseTensor`.".format(key))
        feature = sparse.sparse_tensor_to_dense(feature, default_value=defaults[key])
    if not isinstance(feature, Tensor):
        raise ValueError("Feature ({}) should be a Tensor. Please use `keys` argument of forward_features to filter unwanted "
                         "features, oradd key to argument `sparse_default_values`.Type of features[{}] is {}.".format(
                             key, key, type(feature)))
    return feature


def forward_features(estimator, keys=None, sparse_default_values=None):
    """An estimator whose predictions have features beside them."""
    keys = _checked_keys(keys)

    def model_fn(features, labels, mode, config):
        spec = estimator.model_fn(features, labels, mode, config)
        if spec.predictions is None:
            return spec
        wanted = list(features) if keys is None else keys
        _check_forwarded(wanted, features, spec.predictions)
        more = {key: _forwarded(key, features[key], sparse_default_values or {}) for key in wanted}
        spec.predictions.update(more)
        for name in ("predict", "serving_default"):
            output = (spec.export_outputs or {}).get(name)
            if isinstance(output, export.PredictOutput):
                output.outputs.update(more)
        return spec
    return Estimator(model_fn=model_fn, model_dir=estimator.model_dir, config=estimator.config)


# -- optimizers

class _TransformGradients(optimizers.Optimizer):
    """An optimizer whose gradients go through a function before they are applied."""

    def __init__(self, optimizer, transform_grads_fn, name=None):
        super().__init__(use_locking=False, name=name or optimizer.get_name())
        self._optimizer, self._transform_grads_fn = optimizer, transform_grads_fn

    def compute_gradients(self, *arguments, **keywords):
        return self._optimizer.compute_gradients(*arguments, **keywords)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        return self._optimizer.apply_gradients(self._transform_grads_fn(grads_and_vars), global_step, name)

    def get_slot(self, *arguments, **keywords):
        return self._optimizer.get_slot(*arguments, **keywords)

    def get_slot_names(self, *arguments, **keywords):
        return self._optimizer.get_slot_names(*arguments, **keywords)


def clip_gradients_by_norm(optimizer, clip_norm):
    def clip(grads_and_vars):
        gradients, variables = zip(*grads_and_vars)
        return list(zip(math_ops.clip_by_global_norm(gradients, clip_norm)[0], variables))
    return _TransformGradients(optimizer, clip, "ClipByNorm" + optimizer.get_name())


# -- heads and logits

def call_logit_fn(logit_fn, features, mode, params, config):
    known = {"mode": mode, "params": params, "config": config}
    names = inspect.signature(logit_fn).parameters
    found = logit_fn(features=features, **{name: known[name] for name in known if name in names})
    values = found.items() if isinstance(found, dict) else [("", found)]
    if not all(isinstance(key, str) and isinstance(value, Tensor) for key, value in values):
        raise ValueError("logit_fn should return a Tensor or a dictionary mapping strings to Tensors.  logit_fn returned: %s" %
                         found)
    return found


_MEAN = losses.Reduction.SUM_OVER_BATCH_SIZE


def multi_class_head(n_classes, weight_column=None, label_vocabulary=None, loss_reduction=_MEAN, loss_fn=None, name=None):
    return canned_heads.MultiClassHead(n_classes, weight_column, label_vocabulary, loss_reduction, loss_fn, name)


def binary_classification_head(weight_column=None, thresholds=None, label_vocabulary=None, loss_reduction=_MEAN, loss_fn=None,
                               name=None):
    return canned_heads.BinaryHead(weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, name)


def regression_head(weight_column=None, label_dimension=1, loss_reduction=_MEAN, loss_fn=None, inverse_link_fn=None, name=None):
    return canned_heads.RegressionHead(label_dimension, weight_column, loss_reduction, loss_fn, inverse_link_fn, name)


CONTRIB = """add_metrics forward_features clip_gradients_by_norm call_logit_fn multi_class_head binary_classification_head
    regression_head""".split()
