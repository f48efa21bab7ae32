# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Where tf.contrib has what stands elsewhere in tf, and small modules of it."""

import functools
import sys

from ..estimators import estimator_extenders, tpu_estimator
from ..framework import ops
from ..framework._engine import Flow
from ..framework.ops import apply_op
from ..inputs import staging
from ..saving import summary_writers
from . import cudnn_cells, nets, nn as contrib_nn, sparsemax

# A module of contrib and names in it: those of tf's module behind the colon, NAME=PATH below tf, or NAME=!OP for an op.
_NAMES = {
    "signal:signal": """frame hamming_window hann_window inverse_stft inverse_stft_window_fn linear_to_mel_weight_matrix
        mfccs_from_log_mel_spectrograms overlap_and_add stft""",
    "compiler.jit:": "experimental_jit_scope=xla.experimental.jit_scope",
    "stateless:random": """stateless_multinomial=random.stateless_multinomial stateless_random_normal=random.stateless_normal
        stateless_random_uniform=random.stateless_uniform stateless_truncated_normal=random.stateless_truncated_normal""",
    "util:": "make_tensor_proto make_ndarray",
    "nn:nn": "conv1d_transpose=nn.conv1d_transpose",
    "resampler:": "resampler=!Resampler",
    "periodic_resample:": "periodic_resample=!PeriodicResample",
    "feature_column:feature_column": "",
    "framework:": """BoundedTensorSpec
        convolutional_delta_orthogonal=keras.initializers.ConvolutionDeltaOrthogonal""",
    "memory_stats:": "BytesInUse=!BytesInUse BytesLimit=!BytesLimit MaxBytesInUse=!MaxBytesInUse",
    "staging:": "", "cudnn_rnn:": "", "summary:": "", "deprecated:": "",
    "proto:": "decode_proto=io.decode_proto encode_proto=io.encode_proto",
    "rpc:": "rpc=!Rpc try_rpc=!TryRpc",
    "lookup:lookup": "", "hooks:train": "ProfilerHook",
    "autograph:autograph": """AutoGraphError ConversionOptions Feature StackTraceMapper convert converted_call do_not_convert
        set_element_type set_loop_options stack to_code=autograph.to_code to_graph=autograph.to_graph""",
    "distribute:distribute": """CrossDeviceOps MirroredStrategy OneDeviceStrategy ReplicaContext
        DistributionStrategy=distribute.Strategy get_loss_reduction get_replica_context get_strategy has_strategy
        in_cross_replica_context has_distribution_strategy=distribute.has_strategy
        get_distribution_strategy=distribute.get_strategy""",
    "estimator:estimator.experimental": "dnn_logit_fn_builder linear_logit_fn_builder",
    "keras:keras": """activations applications backend callbacks constraints datasets initializers layers losses metrics models
        optimizers preprocessing regularizers utils wrappers""",
    "tpu:tpu": """CrossShardOptimizer batch_parallel bfloat16_scope cross_replica_sum initialize_system outside_compilation
        replicate rewrite shard shutdown_system""",
    "sparsemax:": "",
}


def _find(tf, path):
    try:
        return functools.reduce(getattr, path.split("."), tf)
    except AttributeError:
        return None


def _put(tf, module, entry, home):
    name, _, source = entry.partition("=")
    if source.startswith("!"):
        value = ops.wrapper(source[1:]) if Flow.op_registry_has_type(source[1:]) else None
    else:
        value = _find(tf, source or ((home + "." if home else "") + name))
    if value is not None and not hasattr(module, name):
        setattr(module, name, value)


def _summary_op(op_type, **names):
    """An op of the summaries before 1.0, whose tag is an argument, and the collections that it goes to."""
    def function(tag, value, *arguments, collections=None, name=None, **keywords):
        from ..framework import graph as graph_lib
        made = apply_op(op_type, **{names.get("tag", "tag"): tag, names["value"]: value},
                        **dict(zip(names.get("more", ()), arguments)), **keywords, name=name)
        for key in [graph_lib.GraphKeys.SUMMARIES] if collections is None else collections:
            graph_lib.add_to_collection(key, made)
        return made
    return function


def _deprecated(tf):
    def merge_summary(inputs, collections=None, name=None):
        with tf.name_scope(name, "MergeSummary", inputs):
            merged = apply_op("MergeSummary", inputs=inputs, name=name)
        for key in collections or ():
            tf.add_to_collection(key, merged)
        return merged

    def merge_all_summaries(key=tf.GraphKeys.SUMMARIES):
        found = tf.get_collection(key)
        return merge_summary(found) if found else None
    return {"scalar_summary": _summary_op("ScalarSummary", tag="tags", value="values"),
            "histogram_summary": _summary_op("HistogramSummary", value="values"),
            "image_summary": _summary_op("ImageSummary", value="tensor", more=("max_images",)),
            "audio_summary": _summary_op("AudioSummaryV2", value="tensor", more=("sample_rate", "max_outputs")),
            "merge_summary": merge_summary, "merge_all_summaries": merge_all_summaries}


def install(tf, submodule):
    """Fills tf.contrib; submodule(name, **members) makes a module."""
    for key, names in _NAMES.items():
        short, _, home = key.partition(":")
        path = tf.__name__ + ".contrib." + short
        module = sys.modules.get(path) or _find(tf, "contrib." + short)
        if module is None:
            parent = short.rpartition(".")[0]
            if parent and _find(tf, "contrib." + parent) is None:
                submodule("contrib." + parent)
            module = submodule("contrib." + short)
        sys.modules.setdefault(path, module)
        for entry in names.split():
            _put(tf, module, entry, home)
    contrib = tf.contrib
    members = {
        "staging": {"StagingArea": staging.StagingArea}, "deprecated": _deprecated(tf),
        "summary": {name: getattr(summary_writers, name) for name in summary_writers.NAMES},
        "nn": {name: value for name, value in vars(contrib_nn).items() if getattr(value, "__module__", "") ==
               contrib_nn.__name__},
        "estimator": {name: getattr(estimator_extenders, name) for name in estimator_extenders.CONTRIB},
        "tpu": {name: getattr(tpu_estimator, name) for name in tpu_estimator.NAMES},
        "sparsemax": {"sparsemax": sparsemax.sparsemax, "sparsemax_loss": sparsemax.sparsemax_loss},
        "cudnn_rnn": {name: getattr(cudnn_cells, name) for name in ("CudnnCompatibleLSTMCell", "CudnnCompatibleGRUCell")}}
    for name, values in members.items():
        vars(getattr(contrib, name)).update(values)
    submodule("estimator.tpu", **members["tpu"])
    # Scripts import from the files of these rooms, too.
    for room, file in (("lookup", "lookup_ops"), ("summary", "summary")):
        submodule("contrib.%s.%s" % (room, file), **{k: v for k, v in vars(getattr(contrib, room)).items() if k[0] != "_"})
    contrib.slim.nets = submodule("contrib.slim.nets")
    for name, values in nets.MODULES.items():
        submodule("contrib.slim.nets." + name, **values)
    tf.summary.initialize = summary_writers.initialize
    tf.summary.all_v2_summary_ops = summary_writers.all_summary_ops
