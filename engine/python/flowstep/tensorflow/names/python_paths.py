# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tensorflow.python.* and tensorflow.examples.*: where scripts import from instead of tf's own names."""

import contextlib
import functools
import importlib
import sys
import types

from ..control import functional
from ..framework import op_inputs, ops
from . import python_modules

# A module of TensorFlow's, and where its names stand here: modules of this package, or below tf.
_PLACES = {
    "lib.io.file_io": "saving.file_io", "util.tf_inspect": "framework.inspection",
    "util.function_utils": "framework.inspection", "estimator.util": "framework.inspection",
    "ops.op_selector": "graph_editor.select graph_editor.util",
    "framework.ops": "framework.graph framework.ops differentiation.gradient_rules state.variables sessions.session sessions.op_statistics",
    "framework.dtypes": "dtypes", "framework.constant_op": "framework.ops",
    "framework.tensor_shape": "framework.tensor_shape", "framework.tensor_util": "framework.ops contrib.util",
    "framework.errors": "errors", "framework.errors_impl": "errors", "framework.graph_util": "saving.graph_defs",
    "framework.graph_util_impl": "saving.graph_defs", "framework.importer": "saving.importer",
    "framework.random_seed": "operators.random_ops", "framework.function": "control.defun",
    "framework.meta_graph": "saving.meta_graph saving.importer", "framework.sparse_tensor": "operators.sparse",
    "framework.tensor_spec": "framework.structure contrib.bounded_spec", "framework.device": "framework.devices",
    "framework.graph_io": "saving.event_writer", "framework.test_util": "testing.modes testing.cases",
    "framework.common_shapes": "framework.tensor_shape", "framework.load_library": "testing.cases",
    "ops.array_ops": "operators.array_ops operators.batch_gathers", "ops.math_ops": "operators.math_ops",
    "ops.nn_ops": "nn operators.nn_conv operators.nn_misc", "ops.nn": "nn", "ops.nn_impl": "nn operators.nn_misc",
    "ops.control_flow_ops": "control.control_flow control.loops control.contexts control.frames",
    "ops.variable_scope": "state.scope",
    "ops.variables": "state.variables state.partitioned_variables", "ops.resource_variable_ops": "state.variables",
    "ops.state_ops": "operators.state_ops state.variables", "ops.init_ops": "state.initializers contrib.orthogonal",
    "ops.random_ops": "operators.random_ops", "ops.rnn": "learning.rnn",
    "ops.rnn_cell": "learning.rnn_cells learning.rnn_wrappers",
    "ops.rnn_cell_impl": "learning.rnn_cells learning.rnn_wrappers", "ops.embedding_ops": "operators.nn_embedding",
    "ops.gradients": "differentiation.gradients", "ops.gradients_impl": "differentiation.gradients",
    "ops.io_ops": "inputs.readers", "ops.image_ops": "operators.image_ops", "ops.image_ops_impl": "operators.image_ops",
    "ops.lookup_ops": "operators.lookup contrib.lookup", "ops.metrics": "metrics", "ops.metrics_impl": "metrics",
    "ops.sparse_ops": "operators.sparse", "ops.string_ops": "operators.printing operators.string_ops",
    "ops.logging_ops": "operators.printing", "ops.batch_ops": "operators.batch_functions", "tf2": "framework.execution_modes",
    "ops.clip_ops": "operators.math_ops", "ops.data_flow_ops": "inputs.data_flow inputs.barriers inputs.readers inputs.staging",
    "ops.script_ops": "operators.script_ops", "ops.candidate_sampling_ops": "operators.nn_embedding",
    "ops.check_ops": "operators.check_ops", "ops.tensor_array_ops": "control.tensor_array",
    "ops.functional_ops": "control.loops control.function_loops", "ops.parsing_ops": "operators.parsing",
    "ops.linalg_ops": "operators.linalg", "ops.linalg.linalg": "operators.linalg", "ops.losses.losses": "losses",
    "ops.losses.losses_impl": "losses", "ops.losses.util": "losses",
    "ops.custom_gradient": "differentiation.gradient_rules", "ops.confusion_matrix": "operators.confusion",
    "ops.ctc_ops": "operators.nn_misc operators.ctc_dense", "ops.partitioned_variables": "state.scope",
    "ops.critical_section_ops": "control.critical_section", "eager.def_function": "control.tf_function",
    "eager.backprop": "differentiation.gradient_tape", "eager.wrap_function": "control.concrete_functions",
    "eager.function": "control.tf_function control.concrete_functions", "module.module": "state.modules",
    "training.saving.saveable_object": "saving.saveables", "ops.stateful_random_ops": "operators.stateful_generators",
    "data.experimental.ops.resampling": "inputs.dataset_resampling", "data.util.options": "inputs.dataset_options",
    "ops.summary_ops": "summary", "ops.weights_broadcast_ops": "operators.weights",
    "platform.flags": "framework.platform", "platform.app": "framework.platform",
    "platform.tf_logging": "framework.tf_logging", "platform.test": "testing.cases",
    "platform.googletest": "testing.cases", "client.session": "sessions.session",
    "client.timeline": "sessions.timeline", "client.device_lib": "framework.devices",
    "training.saver": "saving.saver saving.checkpoint_state saving.importer saving.meta_graph",
    "training.moving_averages": "learning.moving_averages", "training.training_util": "learning.training_util",
    "training.optimizer": "learning.optimizers", "training.adam": "learning.optimizers",
    "training.gradient_descent": "learning.optimizers", "training.momentum": "learning.optimizers",
    "training.rmsprop": "learning.optimizers", "training.adagrad": "learning.optimizers",
    "training.adadelta": "learning.optimizers", "training.ftrl": "learning.optimizers",
    "training.slot_creator": "learning.slots", "training.basic_session_run_hooks": "sessions.hooks",
    "training.session_run_hook": "sessions.hooks", "training.coordinator": "sessions.runners",
    "training.queue_runner": "sessions.runners", "training.queue_runner_impl": "sessions.runners",
    "training.supervisor": "sessions.supervisor", "training.monitored_session": "sessions.monitored_session",
    "training.session_manager": "sessions.session_manager", "training.learning_rate_decay": "learning.decays",
    "training.checkpoint_utils": "saving.checkpoint_state saving.warm_start contrib.evaluation",
    "training.checkpoint_management": "saving.checkpoint_state",
    "training.input": "inputs.input_producers inputs.batching", "training.summary_io": "saving.event_writer",
    "layers.core": "layers", "layers.base": "learning.layers_base", "layers.convolutional": "learning.layers_conv layers",
    "layers.normalization": "layers", "layers.pooling": "layers", "layers.layers": "layers",
    "layers.utils": "learning.layer_sizes contrib.layers_util", "summary.summary": "summary", "summary.writer.writer": "saving.event_writer",
    "summary.summary_iterator": "saving.event_writer", "util.nest": "nest", "lib.io.tf_record": "inputs.readers",
    "estimator.estimator": "estimators.estimator", "estimator.model_fn": "estimators.estimator",
    "estimator.export.export": "estimators.estimator_export", "data.ops.dataset_ops": "inputs.datasets",
    "data.ops.iterator_ops": "inputs.iterators", "data.ops.readers": "inputs.record_datasets inputs.file_datasets",
    "pywrap_tensorflow": "saving.checkpoint_state", "tools.inspect_checkpoint": "tools.inspect_checkpoint",
    "tools.freeze_graph": "tools.freeze_graph", "tools.optimize_for_inference_lib": "tools.optimize_for_inference_lib",
    "tools.strip_unused_lib": "tools.optimize_for_inference_lib", "tools.saved_model_utils": "tools.saved_model_utils",
    "debug": "sessions.tfdbg", "framework.tensor_like": "framework.operation",
    "util.tf_contextlib": "names.tf_contextlib", "util.tf_decorator": "framework.tf_decorator",
    "training.evaluation": "contrib.evaluation contrib.training",
    "ops.gradient_checker": "testing.cases", "ops.session_ops": "sessions.partial_runs operators.array_ops",
    "ops.list_ops": "control.lists", "ops.map_fn": "control.functional", "ops.sort_ops": "operators.linalg", "ops.resources": "state.resources",
    "ops.special_math_ops": "operators.linalg", "ops.accumulate_n": "operators.math_ops",
    "eager.context": "framework.execution_modes", "ops.control_flow_util": "control.op_kinds",
    "ops.cond_v2": "control.cond_v2", "ops.sets": "sets", "ops.while_v2": "control.while_v2",
    "framework.indexed_slices": "framework.ops", "framework.device_spec": "framework.devices",
    "framework.type_spec": "framework.type_spec framework.structure", "framework.func_graph": "control.func_graph",
    "training.server_lib": "sessions.cluster", "training.device_setter": "framework.devices sessions.cluster",
    "training.warm_starting_util": "saving.warm_start saving.vocabularies", "training.sync_replicas_optimizer": "learning.sync_replicas",
    "training.tracking.tracking": "saving.trackable", "training.tracking.base": "saving.trackable",
    "training.tracking.util": "saving.checkpoints", "saved_model.loader": "saving.saved_models",
    "data.util.structure": "framework.structure", "data.util.nest": "nest", "data.util.sparse": "operators.sparse",
    "feature_column.feature_column": "estimators.feature_columns",
    "feature_column.sequence_feature_column": "estimators.sequence_columns",
    "feature_column.feature_column_v2": "estimators.feature_columns estimators.feature_layers",
    "contrib.layers.python.layers.utils": "contrib.layers_util",
    "contrib.rnn.python.ops.rnn_cell": "learning.rnn_wrappers learning.rnn_cells",
    "contrib.rnn.python.ops.core_rnn_cell": "learning.rnn_wrappers learning.rnn_cells",
    "contrib.seq2seq.python.ops.attention_wrapper": "learning.seq2seq_attention",
    "contrib.seq2seq.python.ops.beam_search_decoder": "learning.seq2seq_beam",
    "contrib.seq2seq.python.ops.helper": "learning.seq2seq_helpers",
    "contrib.training.python.training.hparam": "contrib.hparams",
    "contrib.framework.python.ops.arg_scope": "contrib.arg_scopes",
    "contrib.feature_column.python.feature_column.sequence_feature_column": "estimators.sequence_columns",
    "contrib.layers.python.layers.embedding_ops": "contrib.scattered",
    "contrib.layers.python.layers.feature_column": "contrib.columns contrib.real_valued contrib.scattered",
    "contrib.layers.python.layers.feature_column_ops": "contrib.column_inputs contrib.column_sequences",
    "contrib.layers.python.layers.target_column": "contrib.target_columns",
    "contrib.layers.python.ops.sparse_ops": "contrib.sparse_ids",
    "contrib.losses.python.metric_learning.metric_loss_ops": "contrib.metric_learning contrib.metric_clusters",
    "contrib.losses.python.metric_learning": "contrib.metric_learning",
    "feature_column.dense_features": "estimators.feature_layers",
    "contrib.opt.python.training.sign_decay": "contrib.sign_decays",
    "contrib.opt.python.training.matrix_functions": "contrib.matrix_functions",
    "contrib.slim.python.slim.data.data_provider": "contrib.slim_data",
    "contrib.slim.python.slim.data.dataset": "contrib.slim_data",
    "contrib.slim.python.slim.data.dataset_data_provider": "contrib.slim_data",
    "contrib.slim.python.slim.data.parallel_reader": "contrib.slim_data",
    "contrib.slim.python.slim.data.prefetch_queue": "contrib.slim_data",
    "contrib.slim.python.slim.data.tfexample_decoder": "contrib.example_decoder",
    "util.deprecation": "contrib.framework_more names.libraries", "util.all_util": "names.libraries",
    "autograph.impl.api": "autograph.experimental", "util.compat_internal": "names.compat_values",
    "compat.compat": "names.compat_values", "platform.resource_loader": "sessions.settings",
    "platform.sysconfig": "sessions.settings", "framework.smart_cond": "control.control_flow",
    "ops.template": "state.template", "ops.stateless_random_ops": "operators.random_ops",
    "ops.init_ops_v2": "state.initializers", "ops.summary_ops_v2": "saving.summary_writers",
    "data.ops.optional_ops": "inputs.dataset_transforms", "saved_model.loader_impl": "saving.saved_models",
    "summary.writer.event_file_writer": "saving.event_writer", "ops.distributions.util": "distributions.shapes",
    "ops.distributions.special_math": "distributions.special",
    "ops.distributions.transformed_distribution": "distributions.transformed",
    "ops.distributions.bijector_impl": "distributions.bijectors", "keras.engine.network": "keras.network",
    "keras.layers.convolutional_recurrent": "keras.layers.recurrent_conv", "keras.callbacks_v1": "keras.callbacks",
    "keras.optimizer_v2.learning_rate_schedule": "keras.schedules", "keras.saving.model_config": "keras.model_configs",
    "keras.backend_config": "keras.backend.settings", "keras.utils.layer_utils": "keras.backend.shapes keras.summaries",
    "keras.layers.rnn_cell_wrapper_v2": "learning.rnn_wrappers",
    "saved_model.model_utils.export_output": "estimators.estimator_export",
}
# The modules that TensorFlow's modules import under these names.
_IMPORTED = """array_ops check_ops clip_ops constant_op control_flow_ops dtypes init_ops math_ops nest nn_ops ops random_ops
    resource_variable_ops state_ops tensor_shape tensor_util""".split()
# Where TensorFlow has a function of the same name in place of the module.
_FUNCTIONS = ("contrib.framework.python.ops.arg_scope", "contrib.framework.python.framework.experimental")
# Modules of TensorFlow's, with what is below them, that are modules of tf.
_SAME = {
    "platform.gfile": "gfile", "util.compat": "compat", "lib.io.file_io": "io.gfile", "training.training": "train",
    "ops.ragged": "ragged", "ops.signal": "signal", "ops.distributions": "distributions", "ops.linalg": "linalg",
    "feature_column": "feature_column", "data.experimental": "data.experimental", "data": "data", "summary": "summary",
    "saved_model": "saved_model", "profiler": "profiler", "estimator": "estimator", "ops.bitwise_ops": "bitwise",
    "platform.test": "test", "platform.googletest": "test", "keras.engine": "keras.layers keras.models keras.Input keras",
    "keras.optimizer_v2": "keras.optimizers", "contrib.slim.nets.inception_v1": "contrib.slim.nets.inception",
    "contrib.slim.nets.inception_v2": "contrib.slim.nets.inception",
    "contrib.slim.nets.inception_v3": "contrib.slim.nets.inception",
}
# Whose functions have other names here.
_RENAMED = {
    "pywrap_tensorflow": {"NewCheckpointReader": "new_checkpoint_reader"}, "platform.app": {"run": "run"},
    "lib.io.file_io": {"file_exists": "exists", "is_directory": "isdir", "list_directory": "listdir", "FileIO": "GFile",
                       "recursive_create_dir": "makedirs", "create_dir": "mkdir", "delete_file": "remove",
                       "delete_recursively": "rmtree", "get_matching_files": "glob",
                       "get_matching_files_v2": "glob"},
    "ops.variables": {"VariableV1": "Variable", "Variable": "VariableOfVersion2", "VariableAggregationV2": "VariableAggregation"},
    "framework.tensor_util": {"MakeNdarray": "make_ndarray", "ShapeEquals": "shape_equals"},
    "framework.constant_op": {"constant_v1": "constant"}, "tf2": {"enabled": "v2_behavior_enabled"},
    "framework.device_spec": {"DeviceSpecV1": "DeviceSpec"}, "ops.parsing_ops": {"decode_raw_v1": "decode_raw"},
    "ops.init_ops": {"identity_initializer": "Identity"},
    "ops.lookup_ops": {"StaticHashTableV1": "StaticHashTable", "StaticVocabularyTableV1": "StaticVocabularyTable"},
    "ops.list_ops": {"empty_tensor_list": "empty", **{"tensor_list_" + name: name for name in """
        reserve from_tensor get_item set_item pop_back push_back gather scatter stack concat split length""".split()}},
    "ops.variable_scope": {"variable": "Variable", "_PartitionInfo": "PartitionInfo", "_get_default_variable_store": "_store"},
    "layers.convolutional": {
        "Convolution1D": "Conv1D", "Convolution2D": "Conv2D", "Convolution3D": "Conv3D", "Deconvolution2D": "Conv2DTranspose",
        "Convolution2DTranspose": "Conv2DTranspose", "Convolution3DTranspose": "Conv3DTranspose",
        "Deconvolution3D": "Conv3DTranspose", "SeparableConvolution1D": "SeparableConv1D",
        "SeparableConvolution2D": "SeparableConv2D"},
    "eager.function": {"defun": "function"}, "ops.script_ops": {"eager_py_func": "py_function"},
    "ops.cond_v2": {"cond_v2": "cond"}, "ops.rnn": {"_best_effort_input_batch_size": "best_effort_batch_size",
                                                             "_transpose_batch_time": "transpose_batch_time", "_dynamic_rnn_loop": "_loop",
                                          "_infer_state_dtype": "_state_dtype", "_rnn_step": "_step"},
    "data.ops.dataset_ops": {"get_legacy_output_types": "get_output_types", "get_legacy_output_shapes": "get_output_shapes",
                             "get_legacy_output_classes": "get_output_classes", "DatasetV1": "Dataset"},
    "contrib.rnn.python.ops.core_rnn_cell": {"_linear": "linear"},
    "training.evaluation": {"_" + name: name for name in ("StopAfterNEvalsHook", "evaluate_once", "get_or_create_eval_step")},
    "ops.rnn_cell_impl": {"_concat": "concat_shape", "_zero_state_tensors": "_zero_states"},
    "contrib.seq2seq.python.ops.attention_wrapper": {"_BaseAttentionMechanism": "_Attention", "_maybe_mask_score": "_masked_score",
                                                     "_prepare_memory": "_masked_memory"},
}
# What scripts set there to choose how graphs are made: (what it is, what takes a new value).
_SETTINGS = {
    "ops.control_flow_util.ENABLE_CONTROL_FLOW_V2": (functional.control_flow_v2_enabled, functional.set_control_flow_v2),
    "ops.control_flow_util_v2._EXPERIMENTAL_OUTPUT_ALL_INTERMEDIATES_OVERRIDE": (
        lambda: functional.intermediates["all"], functional.output_all_intermediates),
}
_GENERATED = ("training.gen_training_ops", *("ops.gen_%s_ops" % name for name in """
    array audio batch bitwise boosted_trees candidate_sampling checkpoint clustering collective control_flow ctc
    cudnn_rnn data_flow dataset decode_proto encode_proto experimental_dataset functional image io linalg list logging
    lookup manip math nccl nn parsing ragged_array ragged_conversion ragged_math random resource_variable rnn script
    sdca set sparse spectral state stateful_random stateless_random string summary tensor_forest user""".split()))


@functools.lru_cache(None)
def _op_types():
    """The op types that are registered, by the names of their generated functions."""
    return {op_inputs.function_name(op_type): op_type for op_type in ops.Flow.op_registry_list_types()}


def _folders(short):
    """A module's place in tf, and those of what it is in, the nearest first."""
    if short.startswith("contrib."):
        short = short.replace(".python.slim", "") if ".slim" in short else short.partition(".python")[0]
    while short:
        yield from _SAME.get(short, short if short.startswith(("contrib.", "keras")) else "").split()
        short = short.rpartition(".")[0]


def _beside(short, name):
    """A module that TensorFlow's module has imported under its own name, as most have array_ops: the nearest one."""
    if short.startswith("contrib."):
        return None
    folder = short.rpartition(".")[0]
    for place in (folder, "framework", "ops", "util", "training", "layers", "eager", "platform", "client"):
        if "%s.%s" % (place, name) in python_modules.NAMES:
            return "%s.%s" % (place, name)
    return None


class _Place(types.ModuleType):
    """A module of TensorFlow's: what it is asked for is looked up where it stands here, then in tf."""

    def __init__(self, tf, name, short):
        super().__init__(name)
        self.__dict__.update(_tf=tf, _short=short, __path__=[])

    def __getattr__(self, name):
        if name == "__all__":
            return self._starred()
        if name.startswith("__"):
            raise AttributeError(name)
        path = "%s.%s" % (self._short, name)
        if path in _SETTINGS:
            return _SETTINGS[path][0]()
        is_function = path in _FUNCTIONS
        child = None if is_function else find("%s.%s" % (self.__name__, name))
        if child is not None:
            return child
        # TF: generated functions are the ops themselves, whatever tf has by their names.
        if self._short in _GENERATED and (name in _op_types() or ops.Flow.op_registry_has_type(name)):
            return self._keep(name, ops.wrapper(_op_types()[name]) if name in _op_types() else ops.raw(name))
        for source in self._sources():
            wanted = _RENAMED.get(self._short, {}).get(name, name)
            if hasattr(source, wanted):
                return self._keep(name, getattr(source, wanted))
        beside = _beside(self._short, name)
        if beside is not None:
            return self._keep(name, find("%s.python.%s" % (self._tf.__name__, beside)))
        op_type = self._tf._op_name(name) if self._short.startswith(("ops.", "training.training_ops")) else None
        if op_type is not None:
            return self._keep(name, ops.wrapper(op_type))
        raise AttributeError("module '%s' has no attribute '%s'" % (self.__name__.replace(self._tf.__name__, "tensorflow"), name))

    def _starred(self):
        """What `from it import *` brings: the public names of what stands here for it, and the modules that most import."""
        found = {name for name in (*_RENAMED.get(self._short, {}), *(_IMPORTED if "." in self._short else ()))
                 if not name.startswith("_") and hasattr(self, name)}
        places = [self._tf.__name__ + "." + name for name in _PLACES.get(self._short, "").split()]
        for source in self._own_sources():
            # A module of tf's is public as it is; one of ours has imported what is not its own.
            is_public = source.__name__ not in places or "." not in source.__name__[len(self._tf.__name__) + 1:]
            own = {name: value for name, value in vars(source).items()
                   if not name.startswith("_") and not isinstance(value, types.ModuleType)
                   and (is_public or self._is_own(source, name, value))}
            found.update(own)
            # Under tf's names too: zeros_initializer beside Zeros.
            known = {id(value) for value in own.values() if isinstance(value, type)}
            found.update(name for name, value in vars(self._tf).items() if id(value) in known)
        return sorted(found)

    def _is_own(self, source, name, value):
        home = getattr(value, "__module__", None) or source.__name__
        return home == source.__name__ or home.startswith("tensorflow.") or getattr(self._tf, name, None) is value

    def _keep(self, name, value):
        setattr(self, name, value)
        return value

    def __setattr__(self, name, value):
        setting = _SETTINGS.get("%s.%s" % (self._short, name))
        if setting is not None:
            setting[1](value)
        elif not isinstance(value, _Place) or value._short not in _FUNCTIONS:
            super().__setattr__(name, value)

    def _own_sources(self):
        for name in _PLACES.get(self._short, "").split():
            with contextlib.suppress(ModuleNotFoundError):
                yield importlib.import_module(self._tf.__name__ + "." + name)
        for path in _folders(self._short):
            with contextlib.suppress(AttributeError):
                yield functools.reduce(getattr, path.split("."), self._tf)
                return

    def _sources(self):
        tf = self._tf
        for name in _PLACES.get(self._short, "").split():
            try:
                yield importlib.import_module(tf.__name__ + "." + name)
            except ModuleNotFoundError:
                continue
        for path in _folders(self._short):
            try:
                yield functools.reduce(getattr, path.split("."), tf)
            except AttributeError:
                continue
        if self._short.startswith("contrib."):
            return
        yield tf
        for name in ("nn", "train", "math", "linalg"):
            yield getattr(tf, name)


class _Finder:
    """Makes the module when a script imports it, and not before."""

    def __init__(self, tf):
        self._tf, self._package = tf, tf.__name__ + "."

    def _short(self, name):
        """How the tables call it, or None for what is no module of TensorFlow's inside."""
        parts = name[len(self._package):].split(".") if name.startswith(self._package) else []
        if parts[:1] == ["python"]:
            short, known = ".".join(parts[1:]), [*_PLACES, *_GENERATED]
            is_known = short in python_modules.NAMES or any(k == short or k.startswith(short + ".") for k in known)
            return short if short and is_known and parts[1] != "contrib" else None
        short = ".".join(parts)
        return short if parts[:1] == ["contrib"] and parts[2:3] == ["python"] and short in python_modules.NAMES else None

    def find(self, name):
        """The module of a name below tensorflow.python or in one of contrib's own, or None."""
        short = self._short(name)
        if short is None:
            return None
        if name in sys.modules:
            return sys.modules[name]
        made = sys.modules[name] = _Place(self._tf, name, short)
        parent, _, leaf = name.rpartition(".")
        if parent in sys.modules or self.find(parent) is not None:
            setattr(sys.modules[parent], leaf, made)
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
    tf.pywrap_tensorflow = find(tf.__name__ + ".python.pywrap_tensorflow")


def find(name):
    return _Finder.instance.find(name)


# -- what type(x) says

# Where TensorFlow has the classes of a module of ours, and those that it has elsewhere.
_HOMES = {
    "estimators.feature_columns": "feature_column.feature_column_v2",
    "estimators.sequence_columns": "feature_column.sequence_feature_column",
    "differentiation.gradient_tape": "eager.backprop", "state.modules": "module.module",
    "control.tf_function": "eager.def_function", "control.concrete_functions": "eager.function",
    "saving.saveables": "training.saving.saveable_object", "operators.stateful_generators": "ops.stateful_random_ops",
    "framework.type_spec": "framework.type_spec", "testing.benchmarks": "platform.benchmark",
    "learning.loss_scales": "training.experimental.loss_scale", "control.critical_section": "ops.critical_section_ops",
    "inputs.datasets": "data.ops.dataset_ops", "framework.converted": "autograph.impl.api",
    "state.partitioned_variables": "ops.variables", "framework.graph": "framework.ops",
    "framework.operation": "framework.ops", "framework.graph_keys": "framework.ops",
    "sessions.session": "client.session", "dtypes": "framework.dtypes", "errors": "framework.errors_impl",
    "framework.tensor_shape": "framework.tensor_shape", "framework.structure": "framework.tensor_spec",
    "operators.sparse": "framework.sparse_tensor", "framework.ops": "framework.indexed_slices",
    "state.initializers": "ops.init_ops", "control.tensor_array": "ops.tensor_array_ops",
    "learning.rnn_cells": "ops.rnn_cell_impl", "learning.rnn_wrappers": "ops.rnn_cell_impl",
    "state.scope": "ops.variable_scope", "state.variables": "ops.variables", "inputs.data_flow": "ops.data_flow_ops",
    "inputs.readers": "ops.io_ops", "operators.lookup": "ops.lookup_ops", "operators.parsing": "ops.parsing_ops",
    "saving.saver": "training.saver", "sessions.hooks": "training.basic_session_run_hooks",
    "sessions.monitored_session": "training.monitored_session", "sessions.supervisor": "training.supervisor",
    "sessions.session_manager": "training.session_manager", "learning.moving_averages": "training.moving_averages",
    "inputs.iterators": "data.ops.iterator_ops", "framework.devices": "framework.device_spec",
    "saving.event_writer": "summary.writer.writer", "learning.layers_conv": "layers.convolutional",
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
    "RecordInput": "ops.data_flow_ops",
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
