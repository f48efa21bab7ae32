# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.estimator: a model function trained, evaluated and asked for predictions."""

import collections
import copy
import inspect
import os
import tempfile

import numpy as np

from .. import dtypes
from .. import metrics
from .. import summary
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework import ops, proto
from ..framework import tf_logging as logging
from ..framework.graph import Graph, GraphKeys, Operation, Tensor
from ..inputs import datasets
from ..learning import training_util
from ..operators import random_ops
from ..saving import checkpoint_state, event_writer
from ..saving import saver as saver_lib
from ..saving import warm_start
from ..sessions import cluster, hooks as hooks_lib
from ..sessions import monitored_session
from .estimator_spec import EstimatorSpec, ModeKeys


_BOTH_SAVE = "`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both set."

# What RunConfig.replace() may be given.
_REPLACEABLE = ("model_dir", "tf_random_seed", "save_summary_steps", "save_checkpoints_steps", "save_checkpoints_secs",
                "session_config", "keep_checkpoint_max", "keep_checkpoint_every_n_hours", "log_step_count_steps",
                "train_distribute", "device_fn", "protocol", "eval_distribute", "experimental_distribute",
                "experimental_max_worker_delay_secs", "session_creation_timeout_secs")
_UNSET = object()
# RewriterConfig.NumIterationsType
_ONE_ITERATION = 1


class RunConfig:
    """Where a model is kept, and how often. One process is all there is."""

    evaluation_master, master, service, is_chief = "", "", None, True
    cluster_spec = property(lambda self: cluster.ClusterSpec({}))
    task_id = num_ps_replicas = global_id_in_cluster = 0
    task_type, num_worker_replicas = "worker", 1

    def __init__(self, model_dir=None, tf_random_seed=None, save_summary_steps=100, save_checkpoints_steps=_UNSET,
                 save_checkpoints_secs=_UNSET, session_config=None, keep_checkpoint_max=5,
                 keep_checkpoint_every_n_hours=10000, log_step_count_steps=100, train_distribute=None, device_fn=None,
                 protocol=None, eval_distribute=None, experimental_distribute=None,
                 experimental_max_worker_delay_secs=None, session_creation_timeout_secs=7200):
        if save_checkpoints_steps is _UNSET and save_checkpoints_secs is _UNSET:
            save_checkpoints_steps, save_checkpoints_secs = None, 600
        elif save_checkpoints_secs is _UNSET:
            save_checkpoints_secs = None
        elif save_checkpoints_steps is _UNSET:
            save_checkpoints_steps = None
        elif save_checkpoints_steps is not None and save_checkpoints_secs is not None:
            raise ValueError(_BOTH_SAVE)
        values = dict(locals())
        del values["self"]
        self.__dict__.update(values)
        self._check()

    def _check(self):
        def check(name, is_good, words):
            value = getattr(self, name)
            if value is not None and not is_good(value):
                raise ValueError("%s %s" % (name, words))
        check("model_dir", bool, "should be non-empty.")
        for name in ("save_summary_steps", "save_checkpoints_steps", "save_checkpoints_secs"):
            check(name, lambda value: value >= 0, "should be >= 0")
        check("session_config", lambda value: isinstance(value, proto.ConfigProto), "must be instance of ConfigProto")
        check("keep_checkpoint_max", lambda value: value >= 0, "should be >= 0")
        check("keep_checkpoint_every_n_hours", lambda value: value > 0, "should be > 0")
        check("log_step_count_steps", lambda value: value > 0, "should be > 0")
        check("tf_random_seed", lambda value: isinstance(value, int), "must be integer.")
        check("experimental_max_worker_delay_secs", lambda value: isinstance(value, int), "must be an integer if set.")
        check("session_creation_timeout_secs", lambda value: value > 0, "should be > 0")
        check("device_fn", lambda value: callable(value) and set(inspect.signature(value).parameters) == {"op"},
              'must be callable with exactly one argument "op".')
        check("protocol", lambda value: value in ("grpc", "grpc+verbs"), "should be grpc or grpc+verbs")

    def replace(self, **values):
        for name in values:
            if name not in _REPLACEABLE:
                raise ValueError("Replacing {} is not supported. Allowed properties are {}.".format(
                    name, list(_REPLACEABLE)))
        if values.get("save_checkpoints_steps") is not None and values.get("save_checkpoints_secs") is not None:
            raise ValueError(_BOTH_SAVE)
        result = copy.copy(self)
        if "save_checkpoints_steps" in values and "save_checkpoints_secs" not in values:
            result.save_checkpoints_secs = None
        if "save_checkpoints_secs" in values and "save_checkpoints_steps" not in values:
            result.save_checkpoints_steps = None
        result.__dict__.update(values)
        result._check()
        return result


def _default_session_config():
    config = proto.ConfigProto(allow_soft_placement=True)
    config.graph_options.rewrite_options.meta_optimizer_iterations = _ONE_ITERATION
    return config


class _InitializeIterator(hooks_lib.SessionRunHook):
    def __init__(self, iterator):
        self._iterator = iterator

    def begin(self):
        self._initializer = self._iterator.initializer

    def after_create_session(self, session, coord):
        session.run(self._initializer)


_MODEL_FN_ARGS = ("features", "labels", "mode", "params", "self", "config")


def _checked_hooks(hooks):
    hooks = list(hooks or [])
    for hook in hooks:
        if not isinstance(hook, hooks_lib.SessionRunHook):
            raise TypeError("Hooks must be a SessionRunHook, given: {}".format(hook))
    return hooks


def _checked_listeners(listeners):
    listeners = list(listeners or [])
    for listener in listeners:
        if not isinstance(listener, hooks_lib.CheckpointSaverListener):
            raise TypeError("saving_listeners must be a list of CheckpointSaverListener, given: {}".format(listener))
    return listeners


class Estimator:
    def __init__(self, model_fn, model_dir=None, config=None, params=None, warm_start_from=None):
        if model_fn is None:
            raise ValueError("model_fn must be provided to Estimator.")
        if config is not None and not isinstance(config, RunConfig):
            raise ValueError("config must be an instance of `RunConfig`, but provided {}.".format(config))
        self._config = config or RunConfig()
        self._model_dir = self._folder(model_dir)
        if self._config.session_config is None:
            self._config = self._config.replace(session_config=_default_session_config())
        self._model_fn, self._params = model_fn, copy.deepcopy(params or {})
        if isinstance(warm_start_from, (str, bytes)):
            warm_start_from = warm_start.WarmStartSettings(ckpt_to_initialize_from=warm_start_from)
        if warm_start_from is not None and not isinstance(warm_start_from, warm_start.WarmStartSettings):
            raise ValueError("warm_start_from must be a string or a WarmStartSettings, instead got {}".format(
                type(warm_start_from)))
        self._warm_start = warm_start_from
        names = self._names(model_fn)
        if "features" not in names:
            raise ValueError("model_fn ({}) must include features argument.".format(model_fn))
        if params is not None and "params" not in names:
            raise ValueError("model_fn ({}) does not include params argument, but params ({}) is passed to "
                             "Estimator.".format(model_fn, params))
        unknown = [name for name in names if name not in _MODEL_FN_ARGS]
        if unknown:
            raise ValueError("model_fn ({}) has following not expected args: {}".format(model_fn, unknown))

    def _folder(self, model_dir):
        """That which is given, the config's, or a new one; the config knows it from then on."""
        known = self._config.model_dir
        if model_dir is not None and known is not None and model_dir != known:
            raise ValueError("`model_dir` are set both in constructor and `RunConfig`, but with different values. In "
                             "constructor: '{}', in `RunConfig`: '{}' ".format(model_dir, known))
        if model_dir == "":
            raise ValueError("model_dir should be non-empty.")
        folder = model_dir or known
        if folder is None:
            folder = tempfile.mkdtemp()
            logging.warning("Using temporary folder as model directory: %s", folder)
        if known is None:
            self._config = self._config.replace(model_dir=folder)
        return folder

    model_dir = property(lambda self: self._model_dir)
    config = property(lambda self: self._config)
    params = property(lambda self: copy.deepcopy(self._params))
    model_fn = property(lambda self: self._public_model_fn)

    def _public_model_fn(self, features, labels, mode, config):
        return self._call_model_fn(features, labels, mode, config)

    @staticmethod
    def _names(function):
        if not callable(function):
            raise TypeError("unsupported callable")
        return set(inspect.signature(function).parameters)

    def latest_checkpoint(self):
        return checkpoint_state.latest_checkpoint(self._model_dir)

    def eval_dir(self, name=None):
        return os.path.join(self._model_dir, "eval" if not name else "eval_" + name)

    def get_variable_names(self):
        return [name for name, _ in checkpoint_state.list_variables(self._model_dir)]

    def get_variable_value(self, name):
        return checkpoint_state.load_variable(self._model_dir, name)

    # -- making the graph

    def _settings(self, names, mode):
        """What a function of the script is told, where it has an argument for it."""
        known = {"mode": mode, "params": self.params, "config": self._config}
        return {name: value for name, value in known.items() if name in names}

    def _inputs(self, input_fn, mode):
        """(features, labels, hooks) of what the input function gives."""
        given = self._settings(self._names(input_fn), mode)
        with graph_lib.device("/cpu:0"):
            result, found = input_fn(**given), []
        if isinstance(result, datasets.Dataset):
            iterator = result.make_initializable_iterator()
            found.append(_InitializeIterator(iterator))
            result = iterator.get_next()
        if isinstance(result, (list, tuple)):
            if len(result) != 2:
                raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
            return result[0], result[1], found
        return result, None, found

    def _call_model_fn(self, features, labels, mode, config=None):
        names = self._names(self._model_fn)
        given = self._settings(names, mode)
        if "labels" in names:
            given["labels"] = labels
        elif labels is not None:
            raise ValueError("model_fn does not take labels, but input_fn returns labels.")
        logging.info("Calling model_fn.")
        spec = self._model_fn(features=features, **given)
        logging.info("Done calling model_fn.")
        if not isinstance(spec, EstimatorSpec):
            raise ValueError("model_fn should return an EstimatorSpec.")
        return spec

    def _begin(self):
        random_ops.set_random_seed(self._config.tf_random_seed)
        return training_util.create_global_step()

    # -- training

    def train(self, input_fn, hooks=None, steps=None, max_steps=None, saving_listeners=None):
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        if steps is not None and steps <= 0:
            raise ValueError("Must specify steps > 0, given: {}".format(steps))
        if max_steps is not None and max_steps <= 0:
            raise ValueError("Must specify max_steps > 0, given: {}".format(max_steps))
        if max_steps is not None:
            path = self.latest_checkpoint()
            if path and checkpoint_state.load_variable(path, GraphKeys.GLOBAL_STEP) >= max_steps:
                logging.info("Skipping training since max_steps has already saved.")
                return self
        hooks = _checked_hooks(hooks)
        if steps is not None or max_steps is not None:
            hooks.append(hooks_lib.StopAtStepHook(steps, max_steps))
        loss = self._train(input_fn, hooks, _checked_listeners(saving_listeners))
        logging.info("Loss for final step: %s.", loss)
        return self

    def _train(self, input_fn, hooks, listeners):
        config = self._config
        with Graph().as_default():
            step = self._begin()
            training_util.get_or_create_global_step_read()
            features, labels, more = self._inputs(input_fn, ModeKeys.TRAIN)
            spec = self._call_model_fn(features, labels, ModeKeys.TRAIN)
            if self._warm_start:
                warm_start.warm_start(*self._warm_start)
            if not any(s.op.name == "loss" for s in graph_lib.get_collection(GraphKeys.SUMMARIES)):
                summary.scalar("loss", spec.loss)
            graph_lib.add_to_collection(GraphKeys.LOSSES, spec.loss)
            worker_hooks = more + hooks + [hooks_lib.NanTensorHook(spec.loss)]
            if config.log_step_count_steps is not None:
                worker_hooks.append(hooks_lib.LoggingTensorHook({"loss": spec.loss, "step": step},
                                                                every_n_iter=config.log_step_count_steps))
            worker_hooks.extend(spec.training_hooks)
            if not (spec.scaffold.saver or graph_lib.get_collection(GraphKeys.SAVERS)):
                graph_lib.add_to_collection(GraphKeys.SAVERS, saver_lib.Saver(
                    sharded=True, max_to_keep=config.keep_checkpoint_max, defer_build=True,
                    keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours, save_relative_paths=True))
            chief_hooks = self._saving_hooks(spec, worker_hooks, listeners) + list(spec.training_chief_hooks)
            loss = None
            with monitored_session.MonitoredTrainingSession(
                    checkpoint_dir=self._model_dir, scaffold=spec.scaffold, hooks=worker_hooks,
                    chief_only_hooks=chief_hooks, save_checkpoint_secs=0,
                    save_summaries_steps=config.save_summary_steps, config=config.session_config,
                    log_step_count_steps=config.log_step_count_steps) as session:
                while not session.should_stop():
                    _, loss = session.run([spec.train_op, spec.loss])
            return loss

    def _saving_hooks(self, spec, worker_hooks, listeners):
        """What saves, where the model brings nothing of its own; its listeners are told."""
        config, made = self._config, []
        saving = [h for h in worker_hooks + list(spec.training_chief_hooks) if isinstance(h, hooks_lib.CheckpointSaverHook)]
        if (config.save_checkpoints_secs or config.save_checkpoints_steps) and not saving:
            made = saving = [hooks_lib.CheckpointSaverHook(
                self._model_dir, save_secs=config.save_checkpoints_secs, save_steps=config.save_checkpoints_steps,
                scaffold=spec.scaffold)]
        if listeners and not saving:
            raise ValueError("There should be a CheckpointSaverHook to use saving_listeners. Please set one of the "
                             "RunConfig.save_checkpoints_steps or RunConfig.save_checkpoints_secs.")
        if listeners:
            saving[0]._listeners.extend(listeners)
        return made

    # -- evaluation

    def evaluate(self, input_fn, steps=None, hooks=None, checkpoint_path=None, name=None):
        if steps is not None and steps <= 0:
            raise ValueError("Must specify steps > 0, given: {}".format(steps))
        from ..contrib import evaluation
        path = checkpoint_path or self.latest_checkpoint()
        with Graph().as_default():
            step = self._begin()
            features, labels, more = self._inputs(input_fn, ModeKeys.EVAL)
            spec = self._call_model_fn(features, labels, ModeKeys.EVAL)
            values = dict(spec.eval_metric_ops)
            if "loss" in values:
                raise ValueError('Metric with name "%s" is not allowed, because Estimator already defines a default metric '
                                 "with the same name." % "loss")
            values["loss"] = metrics.mean(spec.loss)
            update = control_flow.group(*[_as_op(u) for _, u in sorted(values.items())
                                          for u in [u[1] if isinstance(u, tuple) else u.updates]])
            results = {k: v[0] if isinstance(v, tuple) else v.result() for k, v in sorted(values.items())}
            if self._warm_start and not path:
                warm_start.warm_start(*self._warm_start)
            if GraphKeys.GLOBAL_STEP in results:
                raise ValueError("Metric with name `global_step` is not allowed, because Estimator already defines a default "
                                 "metric with the same name.")
            results[GraphKeys.GLOBAL_STEP] = step
            if not path:
                logging.info("Could not find trained model in model_dir: {}, running initialization to evaluate.".format(
                    self._model_dir))
            all_hooks = more + _checked_hooks(hooks)
            if steps is not None:
                all_hooks.append(evaluation.StopAfterNEvalsHook(steps))
            found = evaluation.evaluate_once(
                path, scaffold=self._eval_scaffold(spec.scaffold), eval_ops=update, final_ops=results,
                hooks=all_hooks + list(spec.evaluation_hooks), config=self._config.session_config)
        self.write_values(self.eval_dir(name), found, path)
        return found

    @staticmethod
    def _eval_scaffold(scaffold):
        """With the local initializers of the evaluation beside those of the model."""
        if not scaffold.local_init_op:
            return scaffold
        from ..contrib import evaluation
        evaluation.get_or_create_eval_step()
        default = monitored_session.Scaffold.default_local_init_op()
        return monitored_session.Scaffold(local_init_op=control_flow.group(scaffold.local_init_op, default),
                                          copy_from_scaffold=scaffold)

    @staticmethod
    def write_values(folder, values, path):
        message = proto.Summary()
        for key in sorted(values):
            if key == GraphKeys.GLOBAL_STEP or values[key] is None:
                continue
            if isinstance(values[key], bytes):
                for i, value in enumerate(proto.Summary.FromString(values[key]).value):
                    value.tag = "%s/%d" % (key, i)
                    message.value.add().CopyFrom(value)
            elif np.ndim(values[key]) == 0:
                message.value.add(tag=key, simple_value=float(values[key]))
            else:
                message.value.add(tag=key, tensor=ops.make_tensor_proto(values[key]))
        writer = event_writer.FileWriterCache.get(folder)
        writer.add_summary(message, values[GraphKeys.GLOBAL_STEP])
        if path:
            tensor = ops.make_tensor_proto(path, dtype=dtypes.string)
            writer.add_summary(proto.Summary(value=[proto.Summary.Value(tag="checkpoint_path", tensor=tensor)]),
                               values[GraphKeys.GLOBAL_STEP])
        writer.flush()

    # -- exporting

    def export_saved_model(self, export_dir_base, serving_input_receiver_fn, assets_extra=None, as_text=False,
                           checkpoint_path=None, experimental_mode=ModeKeys.PREDICT):
        return self.export_savedmodel(export_dir_base, serving_input_receiver_fn, assets_extra, as_text, checkpoint_path,
                                      True)

    def export_savedmodel(self, export_dir_base, serving_input_receiver_fn, assets_extra=None, as_text=False,
                          checkpoint_path=None, strip_default_attrs=False):
        """A SavedModel of the prediction graph, in a folder named after the time; its path as bytes."""
        from . import estimator_export
        if not serving_input_receiver_fn:
            raise ValueError("An input_receiver_fn must be defined.")
        path = checkpoint_path or self.latest_checkpoint()
        if not path:
            raise ValueError("Couldn't find trained model at {}.".format(self._model_dir))
        with Graph().as_default():
            self._begin()
            receiver = serving_input_receiver_fn()
            spec = self._call_model_fn(receiver.features, None, ModeKeys.PREDICT)
            return estimator_export.write(spec, receiver, export_dir_base, path, as_text, strip_default_attrs,
                                          assets_extra or {})

    # -- predictions

    def predict(self, input_fn, predict_keys=None, hooks=None, checkpoint_path=None, yield_single_examples=True):
        path = checkpoint_path or self.latest_checkpoint()
        if not path:
            logging.info("Could not find trained model in model_dir: {}, running initialization to predict.".format(
                self._model_dir))
        with Graph().as_default():
            self._begin()
            features, _, more = self._inputs(input_fn, ModeKeys.PREDICT)
            spec = self._call_model_fn(features, None, ModeKeys.PREDICT)
            wanted = self._predictions(spec.predictions, predict_keys)
            creator = monitored_session.ChiefSessionCreator(
                scaffold=spec.scaffold, checkpoint_filename_with_path=path, config=self._config.session_config)
            all_hooks = more + _checked_hooks(hooks) + list(spec.prediction_hooks)
            with monitored_session.MonitoredSession(session_creator=creator, hooks=all_hooks) as session:
                while not session.should_stop():
                    found = session.run(wanted)
                    if not yield_single_examples:
                        yield found
                    elif not isinstance(found, dict):
                        yield from found
                    else:
                        for i in range(_length(found)):
                            yield {key: value[i] for key, value in found.items()}

    @staticmethod
    def _predictions(predictions, keys):
        if not keys:
            return predictions
        if not isinstance(predictions, dict):
            raise ValueError("predict_keys argument is not valid in case of non-dict predictions.")
        chosen = {k: v for k, v in predictions.items() if k in keys}
        if not chosen:
            raise ValueError("Expected to run at least one output from %s, provided %s." % (predictions.keys(), keys))
        return chosen


def _length(values):
    lengths = {len(v) for v in values.values()}
    if len(lengths) != 1:
        raise ValueError("Batch length of predictions should be same. Found: %s" % sorted(lengths))
    return lengths.pop()


def _as_op(value):
    if isinstance(value, (list, tuple)):
        return control_flow.group(*value)
    return value if isinstance(value, (Tensor, Operation)) else ops.convert_to_tensor(value)
