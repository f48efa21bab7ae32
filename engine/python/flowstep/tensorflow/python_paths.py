# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tensorflow.python.* and tensorflow.examples.*: where scripts import from instead of tf's own names."""

import importlib
import sys
import types

from . import ops

# A module of TensorFlow's, and where its names stand here: modules of this package, or below tf.
_PLACES = {
    "framework.ops": "graph ops gradient_rules variables", "framework.dtypes": "dtypes", "framework.constant_op": "ops",
    "framework.tensor_shape": "tensor_shape", "framework.tensor_util": "ops contrib.util", "framework.errors": "errors",
    "framework.errors_impl": "errors", "framework.graph_util": "graph_defs", "framework.graph_util_impl": "graph_defs",
    "framework.importer": "importer", "framework.random_seed": "random_ops", "framework.function": "defun",
    "framework.meta_graph": "meta_graph importer", "framework.sparse_tensor": "sparse", "framework.tensor_spec": "structure",
    "framework.device": "devices", "framework.graph_io": "event_writer", "framework.test_util": "testing",
    "framework.common_shapes": "tensor_shape", "framework.load_library": "testing", "framework.versions": "",
    "ops.array_ops": "array_ops", "ops.math_ops": "math_ops", "ops.nn_ops": "nn nn_conv nn_misc", "ops.nn": "nn",
    "ops.nn_impl": "nn nn_misc", "ops.control_flow_ops": "control_flow loops", "ops.variable_scope": "scope",
    "ops.variables": "variables", "ops.resource_variable_ops": "variables", "ops.state_ops": "state_ops variables",
    "ops.init_ops": "initializers", "ops.random_ops": "random_ops", "ops.rnn": "rnn", "ops.rnn_cell": "rnn_cells rnn_wrappers",
    "ops.rnn_cell_impl": "rnn_cells rnn_wrappers", "ops.embedding_ops": "nn_embedding", "ops.gradients": "gradients",
    "ops.gradients_impl": "gradients", "ops.io_ops": "readers", "ops.image_ops": "image_ops", "ops.logging_ops": "",
    "ops.image_ops_impl": "image_ops", "ops.lookup_ops": "lookup contrib.lookup", "ops.metrics": "metrics", "ops.metrics_impl": "metrics",
    "ops.sparse_ops": "sparse", "ops.string_ops": "string_ops", "ops.clip_ops": "math_ops", "ops.data_flow_ops": "data_flow",
    "ops.script_ops": "script_ops", "ops.candidate_sampling_ops": "nn_embedding", "ops.check_ops": "check_ops",
    "ops.tensor_array_ops": "tensor_array", "ops.functional_ops": "loops functional", "ops.parsing_ops": "parsing",
    "ops.linalg_ops": "linalg", "ops.linalg.linalg": "linalg", "ops.losses.losses": "losses", "ops.losses.losses_impl": "losses",
    "ops.losses.util": "losses", "ops.custom_gradient": "gradient_rules", "ops.confusion_matrix": "confusion",
    "ops.template": "", "ops.ctc_ops": "nn_misc", "ops.partitioned_variables": "scope", "ops.summary_ops": "summary",
    "ops.weights_broadcast_ops": "weights", "ops.distributions": "", "ops.ragged": "",
    "platform.gfile": "", "platform.flags": "platform", "platform.app": "platform", "platform.tf_logging": "tf_logging",
    "platform.test": "testing", "platform.googletest": "testing", "client.session": "session", "client.timeline": "timeline",
    "client.device_lib": "devices", "training.saver": "saver checkpoint_state importer meta_graph",
    "training.moving_averages": "moving_averages", "training.training_util": "training_util", "training.training": "",
    "training.optimizer": "optimizers", "training.adam": "optimizers", "training.gradient_descent": "optimizers",
    "training.momentum": "optimizers", "training.rmsprop": "optimizers", "training.adagrad": "optimizers",
    "training.adadelta": "optimizers", "training.ftrl": "optimizers", "training.slot_creator": "slots",
    "training.basic_session_run_hooks": "hooks", "training.session_run_hook": "hooks", "training.coordinator": "runners",
    "training.queue_runner": "runners", "training.queue_runner_impl": "runners", "training.supervisor": "supervisor",
    "training.monitored_session": "monitored_session", "training.session_manager": "session_manager",
    "training.learning_rate_decay": "decays", "training.checkpoint_utils": "checkpoint_state warm_start",
    "training.checkpoint_management": "checkpoint_state", "training.input": "input_producers batching",
    "training.summary_io": "event_writer", "layers.core": "layers", "layers.base": "layers_base", "layers.convolutional":
    "layers_conv", "layers.normalization": "layers", "layers.pooling": "layers", "layers.layers": "layers",
    "layers.utils": "contrib.layers_util", "summary.summary": "summary", "summary.writer.writer": "event_writer",
    "summary.summary_iterator": "event_writer", "util.nest": "nest", "util.compat": "", "util.tf_inspect": "",
    "util.deprecation": "", "util.tf_decorator": "", "lib.io.file_io": "", "lib.io.tf_record": "readers",
    "estimator.estimator": "estimator", "estimator.model_fn": "estimator", "data.ops.dataset_ops": "datasets",
    "data.ops.iterator_ops": "iterators", "data.ops.readers": "record_datasets", "pywrap_tensorflow": "checkpoint_state",
    "tools.inspect_checkpoint": "tools.inspect_checkpoint", "tools.freeze_graph": "tools.freeze_graph",
    "tools.optimize_for_inference_lib": "tools.optimize_for_inference_lib",
    "tools.strip_unused_lib": "tools.optimize_for_inference_lib", "debug": "debugging",
}
# Modules of TensorFlow's that are a module of tf under another name.
_SAME = {"platform.gfile": "gfile", "util.compat": "compat", "lib.io.file_io": "io.gfile", "training.training": "train"}
# Whose functions have other names here.
_RENAMED = {
    "pywrap_tensorflow": {"NewCheckpointReader": "new_checkpoint_reader"}, "platform.app": {"run": "run"},
    "lib.io.file_io": {"file_exists": "exists", "is_directory": "isdir", "list_directory": "listdir", "FileIO": "GFile",
                       "recursive_create_dir": "makedirs", "create_dir": "mkdir", "delete_file": "remove",
                       "delete_recursively": "rmtree", "get_matching_files": "glob"},
}
_OPS = ("gen_array_ops", "gen_math_ops", "gen_nn_ops", "gen_state_ops", "gen_data_flow_ops", "gen_control_flow_ops",
        "gen_image_ops", "gen_io_ops", "gen_logging_ops", "gen_lookup_ops", "gen_random_ops", "gen_sparse_ops",
        "gen_string_ops", "gen_linalg_ops", "gen_parsing_ops", "gen_training_ops", "gen_resource_variable_ops",
        "gen_candidate_sampling_ops", "gen_dataset_ops", "gen_functional_ops", "gen_list_ops", "gen_user_ops")


class _Place(types.ModuleType):
    """A module of TensorFlow's: what it is asked for is looked up where it stands here, then in tf."""

    def __init__(self, tf, short):
        super().__init__(tf.__name__ + ".python." + short)
        self.__dict__.update(_tf=tf, _short=short, __path__=[])

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        child = find("%s.%s" % (self.__name__, name))
        if child is not None:
            return child
        for source in self._sources():
            wanted = _RENAMED.get(self._short, {}).get(name, name)
            if hasattr(source, wanted):
                value = getattr(source, wanted)
                setattr(self, name, value)
                return value
        op_type = self._tf._op_name(name) if self._short.startswith("ops.") else None
        if op_type is not None:
            value = ops.wrapper(op_type)
            setattr(self, name, value)
            return value
        raise AttributeError("module 'tensorflow.python.%s' has no attribute '%s'" % (self._short, name))

    def _sources(self):
        tf = self._tf
        if self._short in _SAME:
            target = tf
            for part in _SAME[self._short].split("."):
                target = getattr(target, part)
            yield target
        for name in _PLACES.get(self._short, "").split():
            try:
                yield importlib.import_module(tf.__name__ + "." + name)
            except ModuleNotFoundError:
                continue
        yield tf
        for name in ("nn", "train", "math", "linalg"):
            yield getattr(tf, name)


class _Finder:
    """Makes the module when a script imports it, and not before."""

    def __init__(self, tf):
        self._tf, self._prefix = tf, tf.__name__ + ".python."

    def find(self, name):
        """The module of a name below tensorflow.python, or None."""
        short = name[len(self._prefix):]
        known = list(_PLACES) + ["ops." + op for op in _OPS]
        if not any(k == short or k.startswith(short + ".") for k in known):
            return None
        if name in sys.modules:
            return sys.modules[name]
        made = sys.modules[name] = _Place(self._tf, short)
        parent, _, leaf = name.rpartition(".")
        setattr(sys.modules.get(parent) or self.find(parent) or self._tf, leaf, made)
        return made


def install(tf):
    """What flowstep.script asks for a name that is in no module yet."""
    _Finder.instance = _Finder(tf)
    name_homes(tf.__name__)

    def child(name):
        found = None if name.startswith("_") else find(tf.__name__ + ".python." + name)
        if found is None:
            raise AttributeError("module 'tensorflow.python' has no attribute '%s'" % name)
        return found
    tf.python.__getattr__ = child


def find(name):
    finder = _Finder.instance
    return finder.find(name) if name.startswith(finder._prefix) else None


# -- what type(x) says

# Where TensorFlow has the classes of a module of ours, and those that it has elsewhere.
_HOMES = {
    "datasets": "data.ops.dataset_ops", "converted": "autograph.impl.api",
    "partitioned_variables": "ops.variables",
    "graph": "framework.ops", "operation": "framework.ops", "graph_keys": "framework.ops", "session": "client.session",
    "dtypes": "framework.dtypes", "errors": "framework.errors_impl",
    "tensor_shape": "framework.tensor_shape", "structure": "framework.tensor_spec", "sparse": "framework.sparse_tensor",
    "ops": "framework.indexed_slices", "initializers": "ops.init_ops", "tensor_array": "ops.tensor_array_ops",
    "rnn_cells": "ops.rnn_cell_impl", "rnn_wrappers": "ops.rnn_cell_impl", "scope": "ops.variable_scope",
    "variables": "ops.variables", "data_flow": "ops.data_flow_ops", "readers": "ops.io_ops", "lookup": "ops.lookup_ops",
    "parsing": "ops.parsing_ops", "saver": "training.saver", "hooks": "training.basic_session_run_hooks",
    "monitored_session": "training.monitored_session", "supervisor": "training.supervisor",
    "session_manager": "training.session_manager", "moving_averages": "training.moving_averages",
    "iterators": "data.ops.iterator_ops", "devices": "framework.device_spec", "event_writer": "summary.writer.writer",
    "layers_conv": "layers.convolutional",
}
_ELSEWHERE = {
    "ResourceVariable": "ops.resource_variable_ops", "Coordinator": "training.coordinator",
    "QueueRunner": "training.queue_runner_impl", "Optimizer": "training.optimizer", "Layer": "layers.base",
    "AdamOptimizer": "training.adam", "AdadeltaOptimizer": "training.adadelta", "AdagradOptimizer": "training.adagrad",
    "AdagradDAOptimizer": "training.adagrad_da", "FtrlOptimizer": "training.ftrl", "MomentumOptimizer": "training.momentum",
    "GradientDescentOptimizer": "training.gradient_descent", "RMSPropOptimizer": "training.rmsprop",
    "ProximalAdagradOptimizer": "training.proximal_adagrad", "Dense": "layers.core", "Dropout": "layers.core",
    "ProximalGradientDescentOptimizer": "training.proximal_gradient_descent", "Flatten": "layers.core",
    "BatchNormalization": "layers.normalization", "SessionRunHook": "training.session_run_hook",
    "SessionRunArgs": "training.session_run_hook", "SessionRunContext": "training.session_run_hook",
    "SessionRunValues": "training.session_run_hook", "FileWriterCache": "summary.writer.writer_cache",
    "MultilineMessageKeyError": "autograph.pyct.errors", "PartitionInfo": "ops.variable_scope",
    "TFRecordWriter": "lib.io.tf_record", "TFRecordOptions": "lib.io.tf_record", "Options": "data.ops.dataset_ops",
}


def name_homes(package):
    """From now on classes say that they are where TensorFlow has them."""
    for name, module in list(sys.modules.items()):
        if not name.startswith(package + "."):
            continue
        home = _HOMES.get(name[len(package) + 1:])
        for key, value in list(vars(module).items()):
            # Keras has layers and optimizers of the same names at places of its own.
            known = home or key in _ELSEWHERE and ".keras." not in name
            if isinstance(value, type) and value.__module__ == name and known:
                value.__module__ = "tensorflow.python." + _ELSEWHERE.get(key, home)
