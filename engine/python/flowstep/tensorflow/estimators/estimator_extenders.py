# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.estimator.add_metrics: an estimator that measures more than the one it is made of."""

import inspect

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
