# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.callbacks: what is told of a training as it goes on."""

import csv
import json
import os
import sys
import time

import numpy as np

from ..framework import proto, tf_logging as logging
from ..saving import event_writer
from . import backend


class Callback:
    def __init__(self):
        self.validation_data, self.model, self.params = None, None, None

    def set_params(self, params):
        self.params = params

    def set_model(self, model):
        self.model = model

    def on_train_batch_begin(self, batch, logs=None):
        self.on_batch_begin(batch, logs=logs)

    def on_train_batch_end(self, batch, logs=None):
        self.on_batch_end(batch, logs=logs)


def _nothing(self, *arguments, **keywords):
    """Nothing unless a class says otherwise."""


for _name in """on_epoch_begin on_epoch_end on_batch_begin on_batch_end on_train_begin on_train_end on_test_begin on_test_end
        on_test_batch_begin on_test_batch_end on_predict_begin on_predict_end on_predict_batch_begin
        on_predict_batch_end""".split():
    setattr(Callback, _name, _nothing)


class CallbackList:
    """Several callbacks as one."""

    def __init__(self, callbacks):
        self.callbacks = callbacks

    def __getattr__(self, name):
        def each(*arguments, **keywords):
            for callback in self.callbacks:
                getattr(callback, name)(*arguments, **keywords)
        return each


class BaseLogger(Callback):
    """Means of what is told of each batch; of metrics that keep a state the last."""

    def __init__(self, stateful_metrics=None):
        super().__init__()
        self.stateful_metrics = set(stateful_metrics or [])

    def on_epoch_begin(self, epoch, logs=None):
        self.seen, self.totals = 0, {}

    def on_batch_end(self, batch, logs=None):
        logs = logs or {}
        size = logs.get("size", 0)
        self.seen += size * logs.get("num_steps", 1)
        for key, value in logs.items():
            if key in self.stateful_metrics:
                self.totals[key] = value
            else:
                self.totals[key] = self.totals.get(key, 0) + value * size

    def on_epoch_end(self, epoch, logs=None):
        if logs is None:
            return
        for key in self.params["metrics"]:
            if key in self.totals:
                logs[key] = self.totals[key] / (1 if key in self.stateful_metrics else self.seen)


class RemoteMonitor(Callback):
    """Sends what is told of each epoch to a server."""

    def __init__(self, root="http://localhost:9000", path="/publish/epoch/end/", field="data", headers=None,
                 send_as_json=False):
        super().__init__()
        self.root, self.path, self.field, self.headers, self.send_as_json = root, path, field, headers, send_as_json

    def on_epoch_end(self, epoch, logs=None):
        try:
            import requests
        except ImportError:
            raise ImportError("RemoteMonitor requires the `requests` library.") from None
        told = dict(logs or {}, epoch=epoch)
        body = {"json": told} if self.send_as_json else {"data": {self.field: json.dumps(told)}}
        try:
            requests.post(self.root + self.path, headers=self.headers, **body)
        except requests.exceptions.RequestException:
            logging.warning("Warning: could not reach RemoteMonitor root server at " + str(self.root))


class History(Callback):
    def on_train_begin(self, logs=None):
        self.epoch, self.history = [], {}

    def on_epoch_end(self, epoch, logs=None):
        self.epoch.append(epoch)
        for key, value in (logs or {}).items():
            self.history.setdefault(key, []).append(value)


class LambdaCallback(Callback):
    def __init__(self, on_epoch_begin=None, on_epoch_end=None, on_batch_begin=None, on_batch_end=None, on_train_begin=None,
                 on_train_end=None, **keywords):
        super().__init__()
        self.__dict__.update(keywords)
        given = dict(on_epoch_begin=on_epoch_begin, on_epoch_end=on_epoch_end, on_batch_begin=on_batch_begin,
                     on_batch_end=on_batch_end)
        for name, function in given.items():
            if function is not None:
                setattr(self, name, function)
        for name, function in (("on_train_begin", on_train_begin), ("on_train_end", on_train_end)):
            if function is not None:
                setattr(self, name, lambda logs=None, function=function: function(logs))


class TerminateOnNaN(Callback):
    def on_batch_end(self, batch, logs=None):
        loss = (logs or {}).get("loss")
        if loss is not None and (np.isnan(loss) or np.isinf(loss)):
            print("Batch %d: Invalid loss, terminating training" % batch)
            self.model.stop_training = True


def _comparison(mode, monitor, names):
    """np.less or np.greater, whichever is better."""
    if mode not in ("auto", "min", "max"):
        logging.warning("%s mode %s is unknown, fallback to auto mode.", names, mode)
        mode = "auto"
    grows = mode == "max" or mode == "auto" and ("acc" in monitor or monitor.startswith("fmeasure"))
    return np.greater if grows else np.less


class EarlyStopping(Callback):
    def __init__(self, monitor="val_loss", min_delta=0, patience=0, verbose=0, mode="auto", baseline=None,
                 restore_best_weights=False):
        super().__init__()
        self.monitor, self.patience, self.verbose, self.baseline = monitor, patience, verbose, baseline
        self.restore_best_weights = restore_best_weights
        self.monitor_op = _comparison(mode, monitor, "EarlyStopping")
        self.min_delta = abs(min_delta) * (1 if self.monitor_op is np.greater else -1)

    def on_train_begin(self, logs=None):
        self.wait, self.stopped_epoch, self.best_weights = 0, 0, None
        self.best = self.baseline if self.baseline is not None else np.inf if self.monitor_op is np.less else -np.inf

    def get_monitor_value(self, logs):
        value = (logs or {}).get(self.monitor)
        if value is None:
            logging.warning("Early stopping conditioned on metric `%s` which is not available. Available metrics are: %s",
                            self.monitor, ",".join(list(logs or {})))
        return value

    def on_epoch_end(self, epoch, logs=None):
        current = self.get_monitor_value(logs)
        if current is None:
            return
        if self.monitor_op(current - self.min_delta, self.best):
            self.best, self.wait = current, 0
            if self.restore_best_weights:
                self.best_weights = self.model.get_weights()
            return
        self.wait += 1
        if self.wait >= self.patience:
            self.stopped_epoch, self.model.stop_training = epoch, True
            if self.restore_best_weights:
                if self.verbose > 0:
                    print("Restoring model weights from the end of the best epoch.")
                self.model.set_weights(self.best_weights)

    def on_train_end(self, logs=None):
        if self.stopped_epoch > 0 and self.verbose > 0:
            print("Epoch %05d: early stopping" % (self.stopped_epoch + 1))


class ModelCheckpoint(Callback):
    def __init__(self, filepath, monitor="val_loss", verbose=0, save_best_only=False, save_weights_only=False, mode="auto",
                 save_freq="epoch", period=1):
        super().__init__()
        self.filepath, self.monitor, self.verbose = filepath, monitor, verbose
        self.save_best_only, self.save_weights_only, self.period = save_best_only, save_weights_only, period
        self.monitor_op, self._since = _comparison(mode, monitor, "ModelCheckpoint"), 0
        self.best = np.inf if self.monitor_op is np.less else -np.inf

    def on_epoch_end(self, epoch, logs=None):
        logs = logs or {}
        self._since += 1
        if self._since < self.period:
            return
        self._since = 0
        path = self.filepath.format(epoch=epoch + 1, **logs)
        if self.save_best_only:
            current = logs.get(self.monitor)
            if current is None:
                logging.warning("Can save best model only with %s available, skipping.", self.monitor)
                return
            if not self.monitor_op(current, self.best):
                if self.verbose > 0:
                    print("\nEpoch %05d: %s did not improve from %0.5f" % (epoch + 1, self.monitor, self.best))
                return
            if self.verbose > 0:
                print("\nEpoch %05d: %s improved from %0.5f to %0.5f, saving model to %s" % (
                    epoch + 1, self.monitor, self.best, current, path))
            self.best = current
        elif self.verbose > 0:
            print("\nEpoch %05d: saving model to %s" % (epoch + 1, path))
        self.model.save_weights(path)


class LearningRateScheduler(Callback):
    def __init__(self, schedule, verbose=0):
        super().__init__()
        self.schedule, self.verbose = schedule, verbose

    def on_epoch_begin(self, epoch, logs=None):
        try:
            rate = self.schedule(epoch, float(backend.get_value(self.model.optimizer.lr)))
        except TypeError:
            rate = self.schedule(epoch)
        if not isinstance(rate, (float, np.float32, np.float64)):
            raise ValueError('The output of the "schedule" function should be float.')
        backend.set_value(self.model.optimizer.lr, rate)
        if self.verbose > 0:
            print("\nEpoch %05d: LearningRateScheduler reducing learning rate to %s." % (epoch + 1, rate))

    def on_epoch_end(self, epoch, logs=None):
        if logs is not None:
            logs["lr"] = backend.get_value(self.model.optimizer.lr)


class ReduceLROnPlateau(Callback):
    def __init__(self, monitor="val_loss", factor=0.1, patience=10, verbose=0, mode="auto", min_delta=1e-4, cooldown=0,
                 min_lr=0, **keywords):
        super().__init__()
        if factor >= 1.0:
            raise ValueError("ReduceLROnPlateau does not support a factor >= 1.0.")
        self.monitor, self.factor, self.patience, self.verbose = monitor, factor, patience, verbose
        self.min_delta, self.cooldown, self.min_lr, self.mode = min_delta, cooldown, min_lr, mode

    def on_train_begin(self, logs=None):
        self._grows = _comparison(self.mode, self.monitor, "Learning Rate Plateau Reducing") is np.greater
        self.best, self.wait, self.cooldown_counter = -np.inf if self._grows else np.inf, 0, 0

    def on_epoch_end(self, epoch, logs=None):
        logs = logs if logs is not None else {}
        logs["lr"] = backend.get_value(self.model.optimizer.lr)
        current = logs.get(self.monitor)
        if current is None:
            return
        if self.in_cooldown():
            self.cooldown_counter, self.wait = self.cooldown_counter - 1, 0
        better = current > self.best + self.min_delta if self._grows else current < self.best - self.min_delta
        if better:
            self.best, self.wait = current, 0
        elif not self.in_cooldown():
            self.wait += 1
            old = float(backend.get_value(self.model.optimizer.lr))
            if self.wait >= self.patience and old > self.min_lr:
                new = max(old * self.factor, self.min_lr)
                backend.set_value(self.model.optimizer.lr, new)
                if self.verbose > 0:
                    print("\nEpoch %05d: ReduceLROnPlateau reducing learning rate to %s." % (epoch + 1, new))
                self.cooldown_counter, self.wait = self.cooldown, 0

    def in_cooldown(self):
        return self.cooldown_counter > 0


class CSVLogger(Callback):
    def __init__(self, filename, separator=",", append=False):
        super().__init__()
        self.filename, self.separator, self.append = filename, separator, append

    def on_train_begin(self, logs=None):
        has_header = self.append and os.path.exists(self.filename) and os.path.getsize(self.filename) > 0
        self._file, self._writer = open(self.filename, "a" if self.append else "w", newline=""), None
        self._header = not has_header

    def on_epoch_end(self, epoch, logs=None):
        logs = logs or {}
        if self._writer is None:
            self._writer = csv.DictWriter(self._file, ["epoch"] + sorted(logs), delimiter=self.separator)
            if self._header:
                self._writer.writeheader()
        self._writer.writerow(dict(logs, epoch=epoch))
        self._file.flush()

    def on_train_end(self, logs=None):
        self._file.close()


class TensorBoard(Callback):
    """Writes what is logged at the end of each epoch, and the graph."""

    def __init__(self, log_dir="./logs", histogram_freq=0, batch_size=32, write_graph=True, write_grads=False,
                 write_images=False, **keywords):
        super().__init__()
        self.log_dir, self.write_graph = log_dir, write_graph

    def set_model(self, model):
        super().set_model(model)
        graph = backend.get_session().graph if self.write_graph else None
        self._writer = event_writer.FileWriter(self.log_dir, graph)

    def on_epoch_end(self, epoch, logs=None):
        for key, value in (logs or {}).items():
            message = proto.Summary()
            message.value.add(tag="epoch_" + key, simple_value=float(value))
            self._writer.add_summary(message, epoch)
        self._writer.flush()

    def on_train_end(self, logs=None):
        self._writer.close()


# -- the bar

class Progbar:
    def __init__(self, target, width=30, verbose=1, interval=0.05, stateful_metrics=None, unit_name="step"):
        self.target, self.width, self.verbose, self.interval, self.unit_name = target, width, verbose, interval, unit_name
        self.stateful_metrics = set(stateful_metrics or ())
        self._dynamic = sys.stdout.isatty() or "ipykernel" in sys.modules or "posix" in sys.modules
        self._total_width, self._seen, self._values, self._start, self._last = 0, 0, {}, time.time(), 0

    def _note(self, current, values):
        for key, value in values:
            if key in self.stateful_metrics:
                self._values[key] = [value, 1]
                continue
            total, count = self._values.get(key, (0, 0))
            self._values[key] = [total + value * (current - self._seen), count + current - self._seen]
        self._seen = current

    def _told(self, absolute):
        text = ""
        for key, (total, count) in self._values.items():
            mean = np.mean(total / max(1, count))
            small = abs(mean) <= 1e-3 if absolute else mean <= 1e-3
            text += " - %s: %s" % (key, "%.4e" % mean if small else "%.4f" % mean)
        return text

    def update(self, current, values=None):
        self._note(current, values or [])
        now = time.time()
        if self.verbose == 1:
            if now - self._last < self.interval and self.target is not None and current < self.target:
                return
            self._draw(current, now)
        elif self.verbose == 2 and self.target is not None and current >= self.target:
            digits = int(np.log10(self.target)) + 1
            sys.stdout.write(("%" + str(digits) + "d/%d") % (current, self.target) +
                             " - %.0fs" % (now - self._start) + self._told(False) + "\n")
            sys.stdout.flush()
        self._last = now

    def _bar(self, current):
        if self.target is None:
            return "%7d/Unknown" % current
        digits = int(np.log10(self.target)) + 1
        bar = ("%" + str(digits) + "d/%d [") % (current, self.target)
        done = int(self.width * float(current) / self.target)
        if done > 0:
            bar += "=" * (done - 1) + (">" if current < self.target else "=")
        return bar + "." * (self.width - done) + "]"

    def _pace(self, current, now):
        each = (now - self._start) / current if current else 0
        if self.target is not None and current < self.target:
            left = each * (self.target - current)
            if left > 3600:
                return " - ETA: %d:%02d:%02d" % (left // 3600, (left % 3600) // 60, left % 60)
            return " - ETA: %d:%02d" % (left // 60, left % 60) if left > 60 else " - ETA: %ds" % left
        start = " - %.0fs" % (now - self._start)
        if each >= 1 or each == 0:
            return start + " %.0fs/%s" % (each, self.unit_name)
        if each >= 1e-3:
            return start + " %.0fms/%s" % (each * 1e3, self.unit_name)
        return start + " %.0fus/%s" % (each * 1e6, self.unit_name)

    def _draw(self, current, now):
        before = self._total_width
        sys.stdout.write("\b" * before + "\r" if self._dynamic else "\n")
        bar = self._bar(current)
        text = self._pace(current, now) + self._told(True)
        self._total_width = len(bar) + len(text)
        text += " " * (before - self._total_width)
        if self.target is not None and current >= self.target:
            text += "\n"
        sys.stdout.write(bar + text)
        sys.stdout.flush()


class ProgbarLogger(Callback):
    """The bar of each epoch, for trainings that tell it of their batches."""

    def __init__(self, count_mode="samples", stateful_metrics=None):
        super().__init__()
        if count_mode not in ("samples", "steps"):
            raise ValueError("Unknown `count_mode`: " + str(count_mode))
        self.use_steps, self.stateful_metrics = count_mode == "steps", set(stateful_metrics or [])

    def on_train_begin(self, logs=None):
        self.verbose, self.epochs = self.params["verbose"], self.params["epochs"]

    def on_epoch_begin(self, epoch, logs=None):
        self.target = self.params["steps" if self.use_steps else "samples"]
        self._bar = BatchBar(self.verbose, self.epochs, self.target, self.use_steps, self.params["metrics"],
                             self.stateful_metrics)
        self._bar.begin(epoch)

    def on_batch_end(self, batch, logs=None):
        logs = logs or {}
        steps = logs.get("num_steps", 1)
        self._bar.batch(steps if self.use_steps else logs.get("size", 0) * steps, logs)

    def on_epoch_end(self, epoch, logs=None):
        self._bar.end(logs or {})


class BatchBar:
    """The bar of an epoch."""

    def __init__(self, verbose, epochs, target, in_steps, metrics, stateful):
        self._verbose, self._epochs, self._target, self._in_steps = verbose, epochs, target, in_steps
        self._metrics, self._stateful = metrics, stateful

    def begin(self, epoch):
        self._seen, self._last = 0, []
        if self._verbose and self._epochs > 1:
            print("Epoch %d/%d" % (epoch + 1, self._epochs))
        self._bar = Progbar(self._target, verbose=self._verbose, stateful_metrics=self._stateful,
                            unit_name="step" if self._in_steps else "sample")

    def _values(self, logs):
        return [(key, logs[key]) for key in self._metrics if key in logs]

    def batch(self, size, logs):
        self._seen += size
        self._last = self._values(logs)
        if self._verbose and (self._target is None or self._seen < self._target):
            self._bar.update(self._seen, self._last)

    def end(self, logs):
        if self._verbose:
            self._bar.update(self._seen, self._last + self._values(logs))
