# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""TensorFlow 1 as Flowstep builds and runs it: import tensorflow as tf, without TensorFlow."""

import sys as _sys
import types as _types

from . import contrib as _contrib, dtypes, errors, keras as _keras, layers as _layers, losses as _losses
from . import metrics as _metrics, nest as _nest, nn as _nn, summary as _summary
from .contrib import second_names as _second_names
from .control import cond_v2 as _cond_v2, control_flow as _control, functional as _functional, loops as _loops
from .control import tensor_array as _tensor_array, while_v2_gradients as _while_v2_gradients
from .differentiation import gradient_rules as _gradient_rules, gradients as _gradients
from .dtypes import *  # noqa: F401,F403
from .dtypes import DType, as_dtype
from .estimators import feature_layers as _feature_layers
from .framework import graph as _graph, ops as _ops, proto as _proto
from .framework._engine import Flow as _Flow
from .framework.tensor_shape import Dimension, TensorShape, dimension_value as _dimension_value
from .inputs import accumulators as _accumulators, data_flow as _data_flow
from .learning import optimizers as _optimizers, training_util as _training_util
from .names import aliases as _aliases, families as _families, module_names as _module_names
from .names import public_names as _public_names
from .names import python_paths as _python_paths, train_api as _train_api
from .operators import array_ops as _array, batch_gathers as _batch_gathers, image_ops as _image, linalg as _linalg, math_ops as _math
from .operators import more_ops as _more_ops, random_ops as _random, state_ops as _state, string_ops as _string
from .saving import checkpoint_state as _checkpoint_state, importer as _importer, meta_graph as _meta_graph
from .saving import saver as _saver
from .sessions import runners as _runners, session as _session, session_handles as _session_handles
from .sessions import settings as _settings
from .state import initializers as _initializers, scope as _scope, variables as _variables

__version__ = VERSION = "1.15.5"
GIT_VERSION = "flowstep"
COMPILER_VERSION = ""
newaxis = None


def _take(module, *names):
    for name in names:
        globals()[name] = getattr(module, name)


_take(_graph, "Graph", "Operation", "Tensor", "GraphKeys", "get_default_graph", "reset_default_graph", "device",
      "container", "control_dependencies", "colocate_with", "init_scope", "add_to_collection", "add_to_collections",
      "get_collection", "get_collection_ref", "name_scope")
_take(_ops, "IndexedSlices", "convert_to_tensor", "constant", "register_tensor_conversion_function", "raw_ops")
_take(_array, "space_to_batch", "batch_to_space", "space_to_batch_nd", "batch_to_space_nd", "identity", "stop_gradient", "invert_permutation", "gather_nd", "scatter_nd", "tile", "diag", "diag_part",
      "matrix_diag", "matrix_diag_part", "matrix_set_diag", "broadcast_to", "roll", "unique", "reshape", "shape", "size",
      "rank", "shape_n", "expand_dims", "squeeze", "concat", "stack", "unstack", "split", "slice", "transpose", "gather",
      "fill", "zeros", "ones", "zeros_like", "ones_like", "placeholder", "placeholder_with_default", "pad", "one_hot",
      "where", "where_v2", "boolean_mask", "sequence_mask", "meshgrid", "strided_slice")
for _name in dir(_math):
    if not _name.startswith("_") and callable(getattr(_math, _name)) and _name not in ("Tensor", "name_scope", "apply_op"):
        globals().setdefault(_name, getattr(_math, _name))
_take(_math, "abs", "round", "pow", "range", "sub", "add", "cast")
_take(_variables, "Variable", "global_variables", "local_variables", "trainable_variables", "model_variables",
      "moving_average_variables", "all_variables", "variables_initializer", "global_variables_initializer",
      "local_variables_initializer", "initialize_all_variables", "is_variable_initialized",
      "report_uninitialized_variables", "assert_variables_initialized", "enable_resource_variables", "disable_resource_variables", "resource_variables_enabled")
_take(_state, "assign", "assign_add", "assign_sub", "scatter_update", "scatter_add", "scatter_sub", "scatter_mul",
      "scatter_div", "scatter_min", "scatter_max", "scatter_nd_update", "scatter_nd_add", "scatter_nd_sub",
      "batch_scatter_update", "count_up_to")
_take(_scope, "variable_creator_scope", "variable_scope", "variable_op_scope", "get_variable", "get_local_variable", "get_variable_scope",
      "AUTO_REUSE", "VariableScope", "fixed_size_partitioner", "no_regularizer")
_take(_session, "Session", "InteractiveSession", "get_default_session")
_take(_session_handles, "get_session_handle", "get_session_tensor", "delete_session_tensor")
_take(_random, "set_random_seed", "random_normal", "truncated_normal", "random_uniform", "random_shuffle", "multinomial")
_take(_control, "no_op", "group", "cond", "case", "switch_case", "Assert")
_take(_loops, "while_loop", "map_fn", "foldl", "foldr", "scan")
TensorArray = _tensor_array.TensorArray
tuple = _control.gated
_take(_nn, "sigmoid", "tanh")
from .operators.nn_conv import required_space_to_batch_paddings  # noqa: E402,F401
zeros_initializer, ones_initializer = _initializers.Zeros, _initializers.Ones
constant_initializer, random_uniform_initializer = _initializers.Constant, _initializers.RandomUniform
random_normal_initializer, truncated_normal_initializer = _initializers.RandomNormal, _initializers.TruncatedNormal
variance_scaling_initializer, orthogonal_initializer = _initializers.VarianceScaling, _initializers.Orthogonal
uniform_unit_scaling_initializer, identity_initializer = _initializers.UniformUnitScaling, _initializers.Identity
glorot_uniform_initializer, glorot_normal_initializer = _initializers.GlorotUniform, _initializers.GlorotNormal
make_ndarray, make_tensor_proto = _ops.make_ndarray, _ops.make_tensor_proto

for _name in ("GraphDef", "NodeDef", "AttrValue", "MetaGraphDef", "VariableDef", "Summary", "Event", "SessionLog",
              "HistogramProto", "SummaryMetadata", "ConfigProto", "GPUOptions", "GraphOptions", "RunOptions",
              "OptimizerOptions", "RunMetadata", "NameAttrList"):
    globals()[_name] = _proto.message_class(_name)


def _submodule(name, **members):
    module = _types.ModuleType(__name__ + "." + name)
    module.__dict__.update(members)
    _sys.modules[module.__name__] = module
    parent, _, leaf = name.rpartition(".")
    target = _sys.modules[__name__ + ("." + parent if parent else "")]
    setattr(target, leaf, module)
    return module


def _nothing(*arguments, **keywords):
    """Settings of TensorFlow's runtime that mean nothing here."""


def disable_v2_behavior():
    pass


enable_v2_behavior = disable_eager_execution = disable_v2_tensorshape = disable_v2_behavior


_take(_functional, "enable_control_flow_v2", "disable_control_flow_v2", "control_flow_v2_enabled")


def executing_eagerly():
    return False


nn = _nn
_sys.modules[__name__ + ".nn"] = nn
_take(_importer, "import_graph_def")
_take(_data_flow, "QueueBase", "FIFOQueue", "PaddingFIFOQueue", "RandomShuffleQueue", "PriorityQueue")
from .differentiation.recompute import recompute_grad  # noqa: E402,F401
_take(_accumulators, "ConditionalAccumulatorBase", "ConditionalAccumulator", "SparseConditionalAccumulator")
_take(_gradient_rules, "RegisterGradient", "NotDifferentiable", "NoGradient", "custom_gradient", "grad_pass_through")
_take(_gradients, "gradients", "hessians", "AggregationMethod", "UnconnectedGradients")
layers, losses, summary, metrics = _layers, _losses, _summary, _metrics
for _name in ("losses", "summary", "metrics"):
    _sys.modules[__name__ + "." + _name] = globals()[_name]
_sys.modules[__name__ + ".layers"] = layers
train = _submodule("train", Optimizer=_optimizers.Optimizer,
                   **{_k: _v for _k, _v in vars(_optimizers).items() if _k.endswith("Optimizer") and _k != "Optimizer"},
                   QueueRunner=_runners.QueueRunner, Coordinator=_runners.Coordinator,
                   add_queue_runner=_runners.add_queue_runner, start_queue_runners=_runners.start_queue_runners,
                   get_global_step=_training_util.get_global_step, create_global_step=_training_util.create_global_step,
                   get_or_create_global_step=_training_util.get_or_create_global_step,
                   global_step=_training_util.global_step, Saver=_saver.Saver, export_meta_graph=_meta_graph.export_meta_graph,
                   import_meta_graph=_importer.import_meta_graph,
                   latest_checkpoint=_checkpoint_state.latest_checkpoint,
                   get_checkpoint_state=_checkpoint_state.get_checkpoint_state,
                   list_variables=_checkpoint_state.list_variables, load_variable=_checkpoint_state.load_variable,
                   load_checkpoint=_checkpoint_state.load_checkpoint, checkpoint_exists=_checkpoint_state.checkpoint_exists,
                   NewCheckpointReader=_checkpoint_state.new_checkpoint_reader,
                   update_checkpoint_state=_checkpoint_state.update_checkpoint_state)
from .names import compat_values as _compat_values  # noqa: E402
compat = _submodule("compat", dimension_value=_dimension_value,
                    **{_k: getattr(_compat_values, _k) for _k in _compat_values.NAMES})
compat.v1 = _sys.modules[__name__]
_sys.modules[__name__ + ".compat.v1"] = compat.v1
random = _submodule("random", categorical=_random.random_categorical, uniform=_random.random_uniform,
                    normal=_random.random_normal, truncated_normal=_random.truncated_normal,
                    shuffle=_random.random_shuffle, set_random_seed=_random.set_random_seed,
                    multinomial=_random.multinomial, stateless_uniform=_random.stateless_random_uniform,
                    stateless_normal=_random.stateless_random_normal, get_seed=_random.get_seed,
                    stateless_truncated_normal=_random.stateless_truncated_normal,
                    stateless_categorical=_random.stateless_categorical, stateless_multinomial=_random.stateless_multinomial)
math = _submodule("math", **{k: v for k, v in vars(_math).items() if callable(v) and not k.startswith("_")})
GRAPH_DEF_VERSION = 134
GRAPH_DEF_VERSION_MIN_PRODUCER = GRAPH_DEF_VERSION_MIN_CONSUMER = 0
version = _submodule("version", VERSION=VERSION, GIT_VERSION=GIT_VERSION, COMPILER_VERSION=COMPILER_VERSION,
                     GRAPH_DEF_VERSION=GRAPH_DEF_VERSION, GRAPH_DEF_VERSION_MIN_PRODUCER=0, GRAPH_DEF_VERSION_MIN_CONSUMER=0)
manip = _submodule("manip", roll=_array.roll, reshape=_array.reshape, tile=_array.tile)
image = _image
_sys.modules[__name__ + ".image"] = image
linalg = _submodule("linalg")
strings = _submodule("strings", **{k: v for k, v in vars(_string).items() if callable(v) and k[:1] != "_" and k not in (
    "name_scope", "apply_op", "constant", "convert_to_tensor")})
from .operators import ragged_strings as _ragged_strings  # noqa: E402
vars(strings).update((_k, getattr(_ragged_strings, _k)) for _k in _ragged_strings.NAMES)
_take(_string, "string_join", "string_split", "string_strip", "string_to_number", "string_to_hash_bucket", "reduce_join",
      "regex_replace", "substr")
_take(_image, "random_crop")
_take(_random, "random_gamma", "random_poisson", "get_seed")
_take(_array, "setdiff1d", "histogram_fixed_width")
from .operators import signals as _signal  # noqa: E402
signal = _submodule("signal", **{_k: getattr(_signal, _k) for _k in _signal.SIGNAL})
_take(signal, "fft", "ifft", "fft2d", "ifft2d", "fft3d", "ifft3d")
spectral = _submodule("spectral", **{_k: getattr(_signal, _k) for _k in _signal.SPECTRAL})
initializers = _submodule("initializers", zeros=zeros_initializer, ones=ones_initializer, constant=constant_initializer,
                          glorot_uniform=glorot_uniform_initializer, glorot_normal=glorot_normal_initializer,
                          random_normal=random_normal_initializer, random_uniform=random_uniform_initializer,
                          truncated_normal=truncated_normal_initializer, orthogonal=orthogonal_initializer,
                          variance_scaling=variance_scaling_initializer, he_normal=_initializers.he_normal,
                          he_uniform=_initializers.he_uniform, lecun_normal=_initializers.lecun_normal,
                          lecun_uniform=_initializers.lecun_uniform, identity=identity_initializer)
for _name in """band_part cholesky cholesky_solve det einsum eigh eigvalsh eye inv adjoint logdet logm lstsq norm qr slogdet
        solve sqrtm svd trace triangular_solve cross""".split():
    setattr(linalg, _name, getattr(_linalg, _name))
linalg.__dict__.update(diag=_array.matrix_diag, diag_part=_array.matrix_diag_part, set_diag=_array.matrix_set_diag,
                       matmul=_math.matmul, tensordot=_math.tensordot, l2_normalize=_nn.l2_normalize,
                       transpose=_linalg.matrix_transpose, tensor_diag=_array.diag, tensor_diag_part=_array.diag_part,
                       global_norm=_math.global_norm)
_take(_linalg, "norm", "einsum", "trace", "eye", "matrix_transpose", "cholesky", "cholesky_solve", "matrix_inverse",
      "matrix_determinant", "matrix_solve", "matrix_triangular_solve", "matrix_band_part", "matrix_solve_ls", "qr", "svd",
      "self_adjoint_eig", "self_adjoint_eigvals", "lbeta", "sort", "argsort")
_take(_batch_gathers, "batch_gather")
_take(_array, "reverse", "reverse_v2", "reverse_sequence", "edit_distance", "matrix_diag", "matrix_diag_part",
      "matrix_set_diag")
math.__dict__.update(lbeta=_linalg.lbeta, l2_normalize=_nn.l2_normalize, zero_fraction=_nn.zero_fraction,
                     top_k=_nn.top_k, in_top_k=_nn.in_top_k, softmax=_nn.softmax, log_softmax=_nn.log_softmax,
                     softplus=_nn.softplus, softsign=_nn.softsign)

_families.install(_sys.modules[__name__], _submodule)

contrib = _contrib
_submodule("python")
def _op_name(name):
    """read_file -> ReadFile, where the registry has it."""
    camel = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    return camel if _Flow.op_registry_has_type(camel) else None


# Ops that stand in tf under their own names.
_OPS = """betainc bitcast dequantize dynamic_partition dynamic_stitch extract_volume_patches
    fake_quant_with_min_max_args fake_quant_with_min_max_args_gradient fake_quant_with_min_max_vars
    fake_quant_with_min_max_vars_gradient fake_quant_with_min_max_vars_per_channel
    fake_quant_with_min_max_vars_per_channel_gradient guarantee_const identity_n igammac
    matrix_square_root polygamma quantized_concat string_to_hash_bucket_fast string_to_hash_bucket_strong
    tensor_scatter_add tensor_scatter_sub tensor_scatter_update timestamp unique_with_counts unravel_index""".split()


_open = True   # while modules are filled, any op is there by its name


def __getattr__(name):
    op_type = _op_name(name) if _open or name in _OPS else None
    if op_type is None:
        raise AttributeError("module 'tensorflow' has no attribute '%s'" % name)
    function = _ops.wrapper(op_type)
    globals()[name] = function
    return function


_keras.install(_sys.modules[__name__], _submodule)
_feature_layers.install(_sys.modules[__name__], _submodule)
_train_api.install(_sys.modules[__name__], _submodule)
_aliases.install(_sys.modules[__name__], _submodule)
_more_ops.install(_sys.modules[__name__])
_second_names.install(_sys.modules[__name__], _submodule)
_settings.install(_sys.modules[__name__], _submodule)
from . import autograph  # noqa: E402,F401
from .operators.printing import Print, print_v2 as print  # noqa: E402,F401
_python_paths.install(_sys.modules[__name__])
_aliases.hide(_sys.modules[__name__])
_open = False
_public_names.close(_sys.modules[__name__])
_module_names.install(_sys.modules[__name__])
