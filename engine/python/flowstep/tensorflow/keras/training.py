# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What trains, evaluates and asks a network: compile, fit, evaluate, predict."""

import inspect

import numpy as np

from ..framework.graph import Tensor, name_scope
from ..framework.ops import constant
from ..operators import array_ops, math_ops
from . import backend, callbacks as callbacks_lib, losses, metrics as metrics_lib, optimizers, sources
from .layer_trees import flat_layers, unique


class _Endpoint:
    """An output with its loss, target and weights."""

    def __init__(self, output, name, loss, loss_weight, target):
        self.output, self.name, self.loss, self.loss_weight = output, name, loss, loss_weight
        self.sample_weight, self.is_fed = None, target is None or backend.is_placeholder(target)
        self.target = target
        if loss is not None and target is None:
            self.target = backend.placeholder(ndim=output.shape.ndims, name=name + "_target",
                                              dtype=output.dtype.base_dtype.name)

    def make_weights(self):
        if self.sample_weight is None:
            default = constant([1.0], dtype=backend.floatx())
            self.sample_weight = array_ops.placeholder_with_default(default, shape=[None],
                                                                    name=self.name + "_sample_weights")


def _by_output(given, names, what):
    """One item an output, of a list, a dictionary or one for all."""
    if isinstance(given, dict):
        for key in given:
            if key not in names:
                raise ValueError('Unknown entry in {} dictionary: "{}". Only expected following keys: {}'.format(
                    what, key, names))
        return [given.get(name) for name in names]
    if isinstance(given, (list, tuple)):
        if len(given) != len(names):
            raise ValueError("When passing a list as {}, it should have one entry per model outputs. The model has {} outputs, "
                             "but you passed {}={}".format(what, len(names), what, given))
        return list(given)
    return [given] * len(names)


def _metrics_by_output(given, names):
    if not given:
        return [[] for _ in names]
    if isinstance(given, dict):
        return [m if isinstance(m, (list, tuple)) else [m] for m in (given.get(name, []) for name in names)]
    if any(isinstance(m, (list, tuple)) for m in given):
        return [list(m) if isinstance(m, (list, tuple)) else [m] for m in given]
    return [list(given) for _ in names]


class Training:
    """Mixed into tf.keras.Model."""

    def _init_model(self):
        self._compiled, self._settings, self.optimizer, self.stop_training = False, None, None, False
        self._endpoints, self._own_metrics = [], []

    # -- compile

    def compile(self, optimizer="rmsprop", loss=None, metrics=None, loss_weights=None, sample_weight_mode=None,
                weighted_metrics=None, target_tensors=None, distribute=None, **keywords):
        self.optimizer = optimizers.get(optimizer)
        self.loss = loss or {}
        self.sample_weight_mode = sample_weight_mode
        self._settings = (loss, metrics, loss_weights, weighted_metrics, target_tensors)
        if self.inputs and self.outputs:
            self._compile()

    def _compile(self):
        loss, metrics, loss_weights, weighted_metrics, target_tensors = self._settings
        names = self.output_names
        chosen = [losses.as_object(x) for x in _by_output(loss, names, "loss")]
        weights = [1. if w is None else w for w in _by_output(loss_weights, names, "loss_weights")]
        targets = _by_output(target_tensors, names, "target_tensors")
        object.__setattr__(self, "_endpoints", [
            _Endpoint(o, n, x, w, t) for o, n, x, w, t in zip(self.outputs, names, chosen, weights, targets)])
        self._make_metrics(metrics, weighted_metrics)
        self._make_total()
        self._collected_trainable_weights = unique(self.trainable_weights)
        object.__setattr__(self, "_compiled", True)

    def _make_metrics(self, metrics, weighted_metrics):
        made, self._loss_metrics, several = [], [], len(self._endpoints) > 1
        plans = []
        for weighted, given in ((False, metrics), (True, weighted_metrics)):
            for endpoint, wanted in zip(self._endpoints, _metrics_by_output(given, self.output_names)):
                for metric in wanted:
                    name = metrics_lib.name_of(metric, weighted)
                    plans.append((endpoint, metric, endpoint.name + "_" + name if several else name))
        for endpoint, metric, name in plans:
            base, count = name, 1
            while any(name == m.name for _, m in made):
                name, count = "%s_%d" % (base, count), count + 1
            function = metrics_lib.function_of(metric, endpoint.output.shape.as_list(), endpoint.loss)
            if not isinstance(function, metrics_lib.Metric):
                function = metrics_lib.MeanMetricWrapper(function, name=name)
            else:
                function._name = name
            made.append((endpoint, function))
        if several:
            self._loss_metrics = [metrics_lib.Mean(name=e.name + "_loss") for e in self._endpoints if e.loss is not None]
        with name_scope("metrics"):
            for endpoint, metric in made:
                with name_scope(metric.name):
                    mask = getattr(endpoint.output, "_keras_mask", None)
                    weights = None if mask is None else math_ops.cast(mask, endpoint.output.dtype)
                    metric(endpoint.target, endpoint.output, sample_weight=weights)
        object.__setattr__(self, "_own_metrics", [m for _, m in made])

    def _make_total(self):
        total = None
        with name_scope("loss"):
            for endpoint in self._endpoints:
                if endpoint.loss is not None:
                    part = endpoint.loss_weight * self._output_loss(endpoint)
                    total = part if total is None else total + part
            if total is None and not self.losses:
                raise ValueError("The model cannot be compiled because it has no loss to optimize.")
            total = 0. if total is None else total
            more = unique(self.get_losses_for(None) + self.get_losses_for(self.inputs))
            if more:
                total += math_ops.add_n(more)
        self.total_loss, self._functions = total, {}

    def _output_loss(self, endpoint):
        with name_scope(endpoint.name + "_loss"):
            weights, mask = endpoint.sample_weight, getattr(endpoint.output, "_keras_mask", None)
            if mask is not None:
                mask = math_ops.cast(mask, endpoint.output.dtype)
                weights = mask if weights is None else losses._fit_weights(mask, weights) * mask
            if hasattr(endpoint.loss, "reduction"):
                each = endpoint.loss.call(endpoint.target, endpoint.output)
                weighted = losses.compute_weighted(each, weights, losses.Reduction.NONE)
                found = losses.reduce_weighted(weighted, endpoint.loss.settled_reduction())
            else:
                found = endpoint.loss(endpoint.target, endpoint.output, sample_weight=weights)
        if self._loss_metrics:
            at = [e for e in self._endpoints if e.loss is not None].index(endpoint)
            self._loss_metrics[at](found)
        return found

    @property
    def _all_metrics(self):
        return self._loss_metrics + self._own_metrics + self._layer_metrics()

    def _layer_metrics(self):
        return list(self._metrics) + [m for layer in flat_layers(self._layers) for m in getattr(layer, "metrics", [])]

    @property
    def metrics(self):
        return (self._own_metrics if self._compiled else []) + self._layer_metrics()

    @property
    def metrics_names(self):
        names = ["loss"]
        if self._compiled:
            names += [m.name for m in self._loss_metrics + self._own_metrics]
        return names + [m.name for m in self._layer_metrics()]

    def reset_metrics(self):
        for metric in self._all_metrics:
            metric.reset_states()

    # -- functions of placeholders

    def _fed(self, with_targets):
        fed = [x for x in self.inputs if x.op.type in ("Placeholder", "PlaceholderWithDefault")]
        if not with_targets:
            return fed
        targets = [e.target for e in self._endpoints if e.loss is not None and e.is_fed]
        return fed + targets + [e.sample_weight for e in self._endpoints if e.sample_weight is not None]

    def _results(self):
        return [self.total_loss] + [m._call_result for m in self._all_metrics if hasattr(m, "_call_result")]

    def _function(self, mode):
        if not hasattr(self, "_functions"):
            self._functions = {}
        if mode not in self._functions:
            self._functions[mode] = getattr(self, "_make_" + mode)()
        return self._functions[mode]

    def _make_train(self):
        fed = self._fed(True)
        phase = backend.learning_phase()
        with name_scope("training"):
            updates = self.optimizer.get_updates(params=self._collected_trainable_weights, loss=self.total_loss)
            # What is fetched of metrics waits for their updates already.
            counted = {update for metric in self._all_metrics for update in metric.updates}
            updates += [u for u in self.get_updates_for(None) + self.get_updates_for(self.inputs) if u not in counted]
        with name_scope("training"):
            return backend.Function(fed + ([phase] if isinstance(phase, Tensor) else []), self._results(), updates=updates)

    def _make_test(self):
        with name_scope("evaluation"):
            return backend.Function(self._fed(True), self._results(), updates=self.state_updates)

    def _make_predict(self):
        with name_scope("predict"):
            return backend.Function(self._fed(False), list(self.outputs), updates=self.state_updates)

    # -- what is given

    def _settle_inputs(self, x):
        """A network that has not seen inputs yet is called with placeholders of their shapes."""
        if self.inputs:
            return
        arrays = x if isinstance(x, (list, tuple)) else [x]
        given = [array_ops.placeholder(a.dtype if a.dtype != np.float64 else backend.floatx(),
                                       shape=(None,) + tuple(np.shape(a)[1:]), name="input_%d" % (i + 1))
                 for i, a in enumerate(arrays)]
        more = {"training": backend.learning_phase()} if "training" in inspect.signature(self.call).parameters else {}
        outputs = self(given if isinstance(x, (list, tuple)) else given[0], **more)
        object.__setattr__(self, "inputs", given)
        object.__setattr__(self, "outputs", list(outputs) if isinstance(outputs, (list, tuple)) else [outputs])
        self.input_names = ["input_%d" % (i + 1) for i in range(len(given))]
        self.output_names = ["output_%d" % (i + 1) for i in range(len(self.outputs))]

    def _arrays(self, given, names, tensors, what):
        if given is None:
            return []
        if isinstance(given, dict):
            missing = [name for name in names if name not in given]
            if missing:
                raise ValueError('No data provided for "' + missing[0] + '". Need data for each key in: ' + str(names))
            given = [given[name] for name in names]
        given = list(given) if isinstance(given, (list, tuple)) and len(names) > 1 else \
            given if isinstance(given, list) and len(given) == len(names) and hasattr(given[0], "shape") else [given]
        if len(given) != len(names):
            raise ValueError("Error when checking model " + what + ": the list of Numpy arrays that you are passing to your "
                             "model is not the size the model expected. Expected to see " + str(len(names)) + " array(s), but "
                             "instead got the following list of " + str(len(given)) + " arrays: " + str(given)[:200] + "...")
        arrays = [np.asarray(a) for a in given]
        arrays = [np.expand_dims(a, -1) if a.ndim == 1 else a for a in arrays]
        for a, name, t in zip(arrays, names, tensors):
            self._check_shape(a, name, t, what)
        return arrays

    @staticmethod
    def _check_shape(array, name, tensor, what):
        dims = tensor.shape.as_list() if tensor.shape.ndims is not None else None
        if dims is None:
            return
        if array.ndim != len(dims):
            raise ValueError("Error when checking " + what + ": expected " + name + " to have " + str(len(dims)) +
                             " dimensions, but got array with shape " + str(array.shape))
        if any(d is not None and d != s for d, s in zip(dims[1:], array.shape[1:])):
            raise ValueError("Error when checking " + what + ": expected " + name + " to have shape " + str(tuple(dims[1:])) +
                             " but got array with shape " + str(array.shape[1:]))

    def _prepare(self, x, y, sample_weight=None, class_weight=None):
        """Arrays in the order of what is fed."""
        self._settle_inputs(x)
        if not self._compiled:
            if self._settings is None:
                raise RuntimeError("You must compile your model before training/testing. Use `model.compile(optimizer, "
                                   "loss)`.")
            self._compile()
        given = self._arrays(x, self.input_names, self.inputs, "input")
        wanted = [e for e in self._endpoints if e.loss is not None and e.is_fed]
        targets = self._arrays(y, [e.name for e in wanted], [e.output for e in wanted], "target") \
            if not any(_is_sparse(e) for e in wanted) else self._arrays(y, [e.name for e in wanted], [e.target for e in wanted],
                                                                        "target")
        sizes = {len(a) for a in given + targets}
        if len(sizes) > 1:
            raise ValueError("Input arrays should have the same number of samples as target arrays. Found " +
                             str(len(given[0])) + " input samples and " + str(len(targets[0])) + " target samples.")
        return given + targets + self._weights_of(sample_weight, class_weight, wanted, targets)

    def _weights_of(self, sample_weight, class_weight, wanted, targets):
        if sample_weight is None and class_weight is None:
            return [np.ones(len(t), dtype=backend.floatx()) for t, e in zip(targets, wanted) if e.sample_weight is not None]
        if any(e.sample_weight is None for e in wanted):
            for endpoint in wanted:
                endpoint.make_weights()
            self._make_total()
        per = _by_output(sample_weight, [e.name for e in wanted], "sample_weight") if isinstance(
            sample_weight, (dict, list)) else [sample_weight] * len(wanted)
        found = []
        for target, weights in zip(targets, per):
            weights = np.ones(len(target)) if weights is None else np.asarray(weights)
            if class_weight:
                classes = target.argmax(axis=1) if target.ndim == 2 and target.shape[1] > 1 else target.reshape(len(target))
                weights = weights * np.asarray([class_weight[int(c)] for c in classes])
            found.append(weights.astype(backend.floatx()))
        return found

    # -- fit, evaluate, predict

    def _split(self, arrays, share):
        at = int(len(arrays[0]) * (1. - share))
        return [a[:at] for a in arrays], [a[at:] for a in arrays]

    def fit(self, x=None, y=None, batch_size=None, epochs=1, verbose=1, callbacks=None, validation_split=0.,
            validation_data=None, shuffle=True, class_weight=None, sample_weight=None, initial_epoch=0,
            steps_per_epoch=None, validation_steps=None, validation_freq=1, max_queue_size=10, workers=1,
            use_multiprocessing=False, **keywords):
        epochs = keywords.pop("nb_epoch", epochs)
        if keywords:
            raise TypeError("Unrecognized keyword arguments: " + str(keywords))
        if self._settings is None:
            raise RuntimeError("You must compile your model before training/testing. Use `model.compile(optimizer, loss)`.")
        data = sources.source(self, x, y, sample_weight, class_weight, steps_per_epoch, batch_size)
        validation = None
        if validation_data is not None:
            given = validation_data if isinstance(validation_data, tuple) else (validation_data, None)
            validation = sources.source(self, given[0], given[1], given[2] if len(given) > 2 else None, None, validation_steps,
                                 batch_size)
        elif validation_split and 0. < validation_split < 1.:
            data.arrays, kept = self._split(data.arrays, validation_split)
            validation = sources.Arrays(kept, data.batch_size)
        return self._fit(data, validation, epochs, verbose, list(callbacks or []), shuffle, initial_epoch, validation_freq)

    def _fit(self, data, validation, epochs, verbose, callbacks, shuffle, initial_epoch, validation_freq):
        run = self._function("train")
        if verbose and data.is_counted:
            unit = "steps" if data.in_steps else "samples"
            print("Train on %s %s%s" % (data.size, unit, ", validate on %s %s" % (validation.size, unit)
                                        if validation is not None else ""))
        names = self.metrics_names
        self.history = callbacks_lib.History()
        told = callbacks_lib.CallbackList(callbacks + [self.history])
        told.set_model(self)
        told.set_params({"batch_size": data.batch_size, "epochs": epochs, "steps": data.size if data.in_steps else None,
                         "samples": data.size, "verbose": verbose, "do_validation": validation is not None,
                         "metrics": names + (["val_" + n for n in names] if validation is not None else [])})
        self.stop_training = False
        told.on_train_begin()
        bar = callbacks_lib.BatchBar(verbose, epochs, data.size, data.in_steps, names + ["val_" + n for n in names],
                                     names[1:] + ["val_" + n for n in names[1:]])
        for epoch in range(initial_epoch, epochs):
            if self.stop_training:
                break
            self.reset_metrics()
            logs = {}
            told.on_epoch_begin(epoch, logs)
            bar.begin(epoch)
            logs.update(zip(names, self._epoch(run, data, shuffle, True, told, bar, names)))
            if validation is not None and not self.stop_training and _is_due(validation_freq, epoch):
                found = self._evaluated(validation)
                logs.update(zip(["val_" + n for n in names], found))
            told.on_epoch_end(epoch, logs)
            bar.end(logs)
        told.on_train_end()
        return self.history

    def _epoch(self, run, data, shuffle, training, told, bar, names):
        """The means of an epoch: of the loss over batches, of metrics as they stand at its end."""
        totals, seen = None, 0
        phase = [True] if training and backend.is_symbolic_phase() else []
        for index, (size, arrays) in enumerate(data.batches(shuffle)):
            logs = {"batch": index, "size": size}
            if told is not None:
                told.on_train_batch_begin(index, dict(logs))
            found = run(arrays + phase)
            weight = 1 if data.in_steps else size
            totals = [0.] * len(found) if totals is None else totals
            totals[0] += found[0] * weight
            totals[1:] = found[1:]
            seen += weight
            logs.update(zip(names, found))
            if told is not None:
                told.on_train_batch_end(index, dict(logs))
            if bar is not None:
                bar.batch(1 if data.in_steps else size, logs)
            if training and self.stop_training:
                break
        if totals is None:
            raise ValueError("Empty training data.")
        totals[0] /= data.size if data.size and not data.in_steps else seen
        return totals

    def _evaluated(self, data):
        self.reset_metrics()
        # TF shuffles what a fit is validated by, too: it draws from numpy's generator.
        return self._epoch(self._function("test"), data, True, False, None, None, self.metrics_names)

    def evaluate(self, x=None, y=None, batch_size=None, verbose=1, sample_weight=None, steps=None, callbacks=None, **_):
        return self._evaluate(sources.source(self, x, y, sample_weight, None, steps, batch_size), verbose)

    def _evaluate(self, data, verbose):
        run = self._function("test")
        bar = callbacks_lib.BatchBar(verbose, 1, data.size, data.in_steps, self.metrics_names, self.metrics_names[1:])
        self.reset_metrics()
        bar.begin(0)
        found = self._epoch(run, data, False, False, None, bar, self.metrics_names)
        bar.end(dict(zip(self.metrics_names, found)))
        return found[0] if len(found) == 1 else found

    def predict(self, x, batch_size=None, verbose=0, steps=None, callbacks=None, **_):
        data = sources.inputs(self, x, batch_size, steps)
        run, parts = self._function("predict"), []
        if self._compiled:
            self.reset_metrics()
        for _, arrays in data.batches(False):
            parts.append(run(arrays))
        found = [np.concatenate(p, axis=0) for p in zip(*parts)]
        return found[0] if len(found) == 1 else found

    def train_on_batch(self, x, y=None, sample_weight=None, class_weight=None, reset_metrics=True):
        arrays = self._prepare(x, y, sample_weight, class_weight)
        found = self._function("train")(arrays + ([True] if backend.is_symbolic_phase() else []))
        return self._batch_result(found, reset_metrics)

    def test_on_batch(self, x, y=None, sample_weight=None, reset_metrics=True):
        return self._batch_result(self._function("test")(self._prepare(x, y, sample_weight)), reset_metrics)

    def _batch_result(self, found, reset_metrics):
        if reset_metrics:
            self.reset_metrics()
        return found[0] if len(found) == 1 else found

    def predict_on_batch(self, x):
        self._settle_inputs(x)
        found = self._function("predict")(self._arrays(x, self.input_names, self.inputs, "input"))
        return found[0] if len(found) == 1 else found

    def fit_generator(self, generator, steps_per_epoch=None, epochs=1, verbose=1, callbacks=None, validation_data=None,
                      validation_steps=None, validation_freq=1, class_weight=None, max_queue_size=10, workers=1,
                      use_multiprocessing=False, shuffle=True, initial_epoch=0):
        data = sources.generated(self, generator, steps_per_epoch, class_weight)
        validation = None
        if isinstance(validation_data, tuple):
            validation = sources.source(self, *validation_data, batch_size=32)
        elif validation_data is not None:
            validation = sources.generated(self, validation_data, validation_steps)
        return self._fit(data, validation, epochs, verbose, list(callbacks or []), shuffle, initial_epoch, validation_freq)

    def evaluate_generator(self, generator, steps=None, callbacks=None, max_queue_size=10, workers=1,
                           use_multiprocessing=False, verbose=0):
        return self._evaluate(sources.generated(self, generator, steps), verbose)

    def predict_generator(self, generator, steps=None, callbacks=None, max_queue_size=10, workers=1,
                          use_multiprocessing=False, verbose=0):
        return self.predict(generator, steps=steps)


def _is_sparse(endpoint):
    function = getattr(endpoint.loss, "fn", None)
    return function is None or function is losses.sparse_categorical_crossentropy or \
        function.__module__ != losses.__name__


def _is_due(frequency, epoch):
    return (epoch + 1) % frequency == 0 if isinstance(frequency, int) else epoch + 1 in frequency
