# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Parts of TensorFlow that a session on a CPU has no use for: their names are there, and say so when they are called."""

import types

from ..framework import compile_scopes

_EAGER = ("tf.enable_eager_execution: Flowstep shows graphs, and there is none where every op is run at once; build the graph "
          "and run it in a session")
_MODULES = {
    "tpu": ("there is no TPU here", """CrossShardOptimizer batch_parallel bfloat16_scope core cross_replica_sum
        initialize_system outside_compilation replicate rewrite shard shutdown_system"""),
    "lite": ("graphs are run here, not converted for other devices", """Interpreter OpHint OpsSet Optimize
        RepresentativeDataset TFLiteConverter TargetSpec TocoConverter toco_convert"""),
    "xla.experimental": ("graphs are run op by op here, not compiled", "compile"),
    "distribute": ("models are not spread over devices here; put ops on devices with tf.device", """CrossDeviceOps
        HierarchicalCopyAllReduce MirroredStrategy NcclAllReduce OneDeviceStrategy ReductionToOneDevice ReplicaContext Server
        Strategy StrategyExtended experimental_set_strategy"""),
}
_FUNCTIONS = {
    "train": {"do_quantize_training_on_graphdef": "graphs are not rewritten for fewer bits here"},
    "saved_model": {"load_v2": "objects of TensorFlow 2 are not revived here; use tf.saved_model.load",
                    "save": "objects are not saved as TensorFlow 2 does here; use tf.saved_model.Builder"},
    "saved_model.experimental": {"save": "objects are not saved as TensorFlow 2 does here; use tf.saved_model.Builder"},
    "profiler": {"advise": "advice is not given here; tf.profiler.profile tells of a graph and its runs"},
    "layers.experimental": {"keras_style_scope": "layers of this kind are those of tf.keras.layers here",
                            "set_keras_style": "layers of this kind are those of tf.keras.layers here"},
    "": {"vectorized_map": "functions are not vectorized here; tf.map_fn gives the same values"},
}


def _refusing(path, why):
    def refuse(*arguments, **keywords):
        raise NotImplementedError("tf.%s: %s" % (path, why))
    refuse.__name__ = refuse.__qualname__ = path.rpartition(".")[2]
    return refuse


def enable_v2_tensorshape():
    raise RuntimeError("tf.enable_v2_tensorshape: shapes are TensorFlow 1's here, of Dimension objects; use "
                       "tf.compat.dimension_value")


def enable_eager_execution(config=None, device_policy=None, execution_mode=None):
    raise RuntimeError(_EAGER)


# -- tf.distribute's answers for where there is no strategy

class ReduceOp:
    SUM, MEAN = "SUM", "MEAN"


class InputReplicationMode:
    PER_WORKER = "PER_WORKER"


class InputContext:
    """Which of several input pipelines one is."""

    def __init__(self, num_input_pipelines=1, input_pipeline_id=0, num_replicas_in_sync=1):
        self.num_input_pipelines, self.input_pipeline_id = num_input_pipelines, input_pipeline_id
        self.num_replicas_in_sync = num_replicas_in_sync

    def get_per_replica_batch_size(self, global_batch_size):
        if global_batch_size % self.num_replicas_in_sync != 0:
            raise ValueError("The `global_batch_size` %r is not divisible by `num_replicas_in_sync` %r " % (
                global_batch_size, self.num_replicas_in_sync))
        return global_batch_size // self.num_replicas_in_sync


def _no():
    return False


def _module(tf, submodule, path):
    """The module of that path, made with those it is in."""
    target, known = tf, ""
    for part in path.split("."):
        known += "." + part if known else part
        if not isinstance(getattr(target, part, None), types.ModuleType):
            submodule(known)
        target = getattr(target, part)
    return target


def install(tf, submodule):
    for path, (why, names) in _MODULES.items():
        vars(_module(tf, submodule, path)).update((name, _refusing(path + "." + name, why)) for name in names.split())
    for path, functions in _FUNCTIONS.items():
        target = _module(tf, submodule, path) if path else tf
        for name, why in functions.items():
            setattr(target, name, _refusing((path + "." if path else "") + name, why))
    vars(tf.distribute).update(ReduceOp=ReduceOp, InputContext=InputContext, InputReplicationMode=InputReplicationMode,
                               has_strategy=_no, in_cross_replica_context=_no, get_loss_reduction=lambda: ReduceOp.SUM,
                               get_strategy=_refusing("distribute.get_strategy", _MODULES["distribute"][0]),
                               get_replica_context=_refusing("distribute.get_replica_context", _MODULES["distribute"][0]))
    tf.xla.experimental.jit_scope = compile_scopes.jit_scope
    tf.enable_eager_execution, tf.enable_v2_tensorshape = enable_eager_execution, enable_v2_tensorshape
