# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.tpu and tf.estimator.tpu: estimators that scripts write for TPUs and run on a CPU with use_tpu=False."""

import collections
import copy
import inspect
import json
import math
import os
import re

from ..framework import proto
from ..framework import tf_logging as logging
from ..saving import summary_writers
from ..sessions import hooks as hooks_lib
from . import estimator as estimator_lib
from .estimator_spec import EstimatorSpec, ModeKeys, _hooks

_RESERVED = ["batch_size", "context"]
_CORES = [1, 2, 4, 8, 16, 32, 64, 128]


class InputPipelineConfig:
    """How often a TPU's hosts call the input function."""

    PER_SHARD_V1, PER_HOST_V1, PER_HOST_V2, BROADCAST, SLICED = 1, 2, 3, 4, 5


def _positive(value, name):
    if value <= 0:
        raise ValueError("{} must be positive, got {}".format(name, value))


def _iterations(given):
    """(value, unit) of iterations_per_loop: a count, or a time such as 90s, 5m or 1h."""
    found = re.match(r"^(?P<value>[1-9]\d*)((?P<suffix>s|m|h)$|$)", str(given))
    if found is None:
        raise ValueError("Invalid TPUConfig `iterations_per_loop` value. Value must be positive integer value or time-based value "
                         "`<N><s|m|h>` where <N> is anypositive integer and `s`, `m`, `h` are unit of time in seconds, minutes, "
                         "hours respectively. Examples of valid values: `3600s`, `60m`, `1h`.")
    suffix = found.group("suffix")
    return int(found.group("value")) * {None: 1, "s": 1, "m": 60, "h": 3600}[suffix], "seconds" if suffix else "count"


class TPUConfig(collections.namedtuple("TPUConfig", [
        "iterations_per_loop", "num_shards", "num_cores_per_replica", "per_host_input_for_training", "tpu_job_name",
        "initial_infeed_sleep_secs", "input_partition_dims", "eval_training_input_configuration",
        "experimental_host_call_every_n_steps"])):
    def __new__(cls, iterations_per_loop=2, num_shards=None, num_cores_per_replica=None, per_host_input_for_training=True,
                tpu_job_name=None, initial_infeed_sleep_secs=None, input_partition_dims=None,
                eval_training_input_configuration=InputPipelineConfig.PER_HOST_V1, experimental_host_call_every_n_steps=1):
        _iterations(iterations_per_loop)
        if num_shards is not None:
            _positive(num_shards, "TPUConfig num_shards")
        if input_partition_dims is not None:
            if len(input_partition_dims) not in (1, 2):
                raise ValueError("input_partition_dims must be a list/tuple with one or two elements.")
            if per_host_input_for_training is not InputPipelineConfig.PER_HOST_V2:
                raise ValueError("input_partition_dims is only supported in PER_HOST_V2 mode.")
            if num_cores_per_replica is None:
                raise ValueError("input_partition_dims requires setting num_cores_per_replica.")
        if num_cores_per_replica is not None and num_cores_per_replica not in _CORES:
            raise ValueError("num_cores_per_replica must be 1, 2, 4, 8, 16, 32, 64, 128; got {}".format(num_cores_per_replica))
        if eval_training_input_configuration not in (InputPipelineConfig.PER_HOST_V1, InputPipelineConfig.SLICED):
            raise ValueError("eval_training_input_configuration must be PER_HOST_V1 or SLICED; got {}".format(
                eval_training_input_configuration))
        if isinstance(per_host_input_for_training, bool):
            per_host_input_for_training = (InputPipelineConfig.PER_HOST_V1 if per_host_input_for_training else
                                           InputPipelineConfig.PER_SHARD_V1)
        if initial_infeed_sleep_secs:
            _positive(initial_infeed_sleep_secs, "TPUConfig initial_infeed_sleep_secs")
        service = json.loads(os.environ.get("TF_CONFIG", "{}")).get("service", {})
        return super().__new__(cls, iterations_per_loop, num_shards, num_cores_per_replica, per_host_input_for_training,
                               tpu_job_name or service.get("tpu_worker_job_name"), initial_infeed_sleep_secs,
                               input_partition_dims, eval_training_input_configuration, experimental_host_call_every_n_steps)


class RunConfig(estimator_lib.RunConfig):
    def __init__(self, tpu_config=None, evaluation_master=None, master=None, cluster=None, **kwargs):
        super().__init__(**kwargs)
        if master is not None and cluster is not None:
            raise ValueError("Both master and cluster are set.")
        self.tpu_config, self.cluster = tpu_config or TPUConfig(), cluster
        self.master = master if master is not None else cluster.master() if cluster else ""
        self.evaluation_master = self.master if evaluation_master is None else evaluation_master

    def replace(self, **values):
        tpu_config = values.pop("tpu_config", self.tpu_config)
        made = super().replace(**values)
        made.tpu_config = tpu_config
        return made


# -- what a model function gives

def _check_host_call(name, call):
    if not isinstance(call, (tuple, list)):
        raise ValueError("{} should be tuple or list".format(name))
    if len(call) != 2:
        raise ValueError("{} should have two elements.".format(name))
    function, tensors = call
    if not callable(function):
        raise TypeError("{}[0] should be callable.".format(name))
    if not isinstance(tensors, (tuple, list, dict)):
        raise ValueError("{}[1] should be tuple or list, or dict.".format(name))
    parameters = inspect.signature(function).parameters
    is_open = any(p.kind == p.VAR_POSITIONAL for p in parameters.values())
    if not isinstance(tensors, dict) and not is_open and len(tensors) != len(parameters):
        raise RuntimeError("In TPUEstimatorSpec.{}, length of tensors {} does not match method args of the function, which "
                           "takes {}.".format(name, len(tensors), len(parameters)))


def _called(name, call):
    function, tensors = call
    if not isinstance(tensors, dict):
        return function(*tensors)
    try:
        return function(**tensors)
    except TypeError as error:
        logging.warning("Exception while calling %s: %s. It is likely the tensors (%s[1]) do not match the function's arguments",
                        name, error, name)
        raise


class _HostCallHook(hooks_lib.SessionRunHook):
    """Asks for what a host call gives at every step."""

    def __init__(self, tensors):
        self._tensors = tensors

    def begin(self):
        self._init_ops = summary_writers.summary_writer_initializer_op()
        self._finalize_ops = [summary_writers.flush(writer=op.inputs[0]) for op in self._init_ops]

    def after_create_session(self, session, coord):
        session.run(self._init_ops)

    def before_run(self, run_context):
        return hooks_lib.SessionRunArgs(self._tensors)

    def end(self, session):
        session.run(self._finalize_ops)


class TPUEstimatorSpec(collections.namedtuple("TPUEstimatorSpec", [
        "mode", "predictions", "loss", "train_op", "eval_metrics", "export_outputs", "scaffold_fn", "host_call",
        "training_hooks", "evaluation_hooks", "prediction_hooks"])):
    def __new__(cls, mode, predictions=None, loss=None, train_op=None, eval_metrics=None, export_outputs=None,
                scaffold_fn=None, host_call=None, training_hooks=None, evaluation_hooks=None, prediction_hooks=None):
        for name, call in (("eval_metrics", eval_metrics), ("host_call", host_call)):
            if call is not None:
                _check_host_call(name, call)
        return super().__new__(cls, mode, predictions, loss, train_op, eval_metrics, export_outputs, scaffold_fn, host_call,
                               _hooks(training_hooks), _hooks(evaluation_hooks), _hooks(prediction_hooks))

    def as_estimator_spec(self):
        """What a CPU's estimator takes."""
        metrics = None if self.eval_metrics is None else _called("eval_metrics", self.eval_metrics)
        hooks = () if self.host_call is None else (_HostCallHook(_called("host_call", self.host_call)),)
        return EstimatorSpec(
            self.mode, predictions=self.predictions, loss=self.loss, train_op=self.train_op, eval_metric_ops=metrics,
            export_outputs=self.export_outputs, scaffold=self.scaffold_fn() if self.scaffold_fn else None,
            training_hooks=self.training_hooks + hooks, evaluation_hooks=self.evaluation_hooks + hooks,
            prediction_hooks=self.prediction_hooks + hooks)


# -- the estimator

class _ExamplesPerSecond(hooks_lib.StepCounterHook):
    def __init__(self, batch_size, **options):
        super().__init__(**options)
        self._batch_size = batch_size

    def _log_and_record(self, elapsed_steps, elapsed_time, global_step):
        steps = elapsed_steps / elapsed_time
        for tag, value in (("global_step/sec", steps), ("examples/sec", self._batch_size * steps)):
            if self._writer is not None:
                self._writer.add_summary(proto.Summary(value=[{"tag": tag, "simple_value": float(value)}]), global_step)
            logging.info("%s: %g", tag, value)


def _add(params, key, value):
    if not hasattr(params, "set_hparam"):
        params[key] = value
    elif key in params:
        params.set_hparam(key, value)
    else:
        params.add_hparam(key, value)


class TPUEstimator(estimator_lib.Estimator):
    def __init__(self, model_fn=None, model_dir=None, config=None, params=None, use_tpu=True, train_batch_size=None,
                 eval_batch_size=None, predict_batch_size=None, batch_axis=None, eval_on_tpu=True, export_to_tpu=True,
                 export_to_cpu=True, warm_start_from=None, embedding_config_spec=None, export_saved_model_api_version=1):
        if config is None or not isinstance(config, RunConfig):
            raise ValueError("`config` must be provided with type `tpu_config.RunConfig`")
        if params is not None and any(key in params for key in _RESERVED):
            raise ValueError("{} are reserved keys but existed in params {}.".format(_RESERVED, params))
        if use_tpu:
            self._check_for_tpu(config, train_batch_size, eval_batch_size, predict_batch_size)
        self._use_tpu, self._is_input_fn_called = use_tpu, False
        self._batch_sizes = {ModeKeys.TRAIN: train_batch_size, ModeKeys.EVAL: eval_batch_size,
                             ModeKeys.PREDICT: predict_batch_size}
        self._user_model_fn = model_fn
        self._speed = self._speed_options(config)
        super().__init__(self._wrapped, model_dir, config.replace(log_step_count_steps=None), params or {}, warm_start_from)
        names = self._names(model_fn)
        if "features" not in names:
            raise ValueError("model_fn ({}) must include features argument.".format(model_fn))
        if "params" not in names and params is not None:
            raise ValueError("model_fn ({}) does not include params argument, but params ({}) is passed to Estimator.".format(
                model_fn, params))

    @staticmethod
    def _check_for_tpu(config, train_batch_size, eval_batch_size, predict_batch_size):
        if train_batch_size is None:
            raise ValueError("`train_batch_size` cannot be `None`")
        for size, name in ((train_batch_size, "train_batch_size"), (eval_batch_size, "eval_batch_size"),
                           (predict_batch_size, "predict_batch_size")):
            if size is not None:
                _positive(size, name)
        if config.tpu_config.per_host_input_for_training is InputPipelineConfig.PER_SHARD_V1 \
                and config.tpu_config.num_cores_per_replica:
            raise ValueError("Model parallelism only supports per host input for training. Please adjust "
                             "TPURunconfig.per_host_input_for_training.")

    @staticmethod
    def _speed_options(config):
        """How often it is told how fast training goes, or None."""
        value, unit = _iterations(config.tpu_config.iterations_per_loop)
        if unit == "seconds":
            return {"every_n_secs": value, "every_n_steps": None}
        if config.log_step_count_steps is None:
            return None
        return {"every_n_steps": int(math.ceil(config.log_step_count_steps / value))}

    def _inputs(self, input_fn, mode):
        if "params" not in self._names(input_fn):
            raise ValueError("input_fn ({}) does not include params argument, required by TPUEstimator to pass batch size as "
                             'params["batch_size"]'.format(input_fn))
        if self._use_tpu:
            raise RuntimeError("Cannot find any TPU cores in the system (master address {}). There is no TPU here: give "
                               "TPUEstimator use_tpu=False, and it runs on the CPU.".format(self._config.master))
        self._is_input_fn_called = True
        return super()._inputs(input_fn, mode)

    def _settings(self, names, mode):
        given = super()._settings(names, mode)
        if "params" in given and self._is_input_fn_called and self._batch_sizes[mode] is not None:
            _add(given["params"], "batch_size", self._batch_sizes[mode])
        return given

    def _wrapped(self, features, labels, mode, config, params):
        """The script's model function, told where it runs."""
        _add(params, "use_tpu", False)
        self._is_input_fn_called = False
        names = self._names(self._user_model_fn)
        if "params" not in names:
            raise ValueError("model_fn ({}) does not include params argument, required by TPUEstimator to pass batch size as "
                             "params['batch_size']".format(self._user_model_fn))
        if labels is not None and "labels" not in names:
            raise ValueError("model_fn does not take labels, but input_fn returns labels.")
        known = {"labels": labels, "mode": mode, "config": copy.deepcopy(config), "params": params}
        logging.info("Running %s on CPU", mode)
        spec = self._user_model_fn(features=features, **{name: known[name] for name in known if name in names})
        if isinstance(spec, TPUEstimatorSpec):
            spec = spec.as_estimator_spec()
        if self._speed is None or mode != ModeKeys.TRAIN:
            return spec
        hook = _ExamplesPerSecond(self._batch_sizes[mode], output_dir=self.model_dir if config.save_summary_steps else None,
                                  **self._speed)
        return spec._replace(training_hooks=tuple(spec.training_hooks) + (hook,))


NAMES = "InputPipelineConfig RunConfig TPUConfig TPUEstimator TPUEstimatorSpec".split()
