# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.training: the training op of a loss, gradients multiplied, clipped and summarized."""

from .. import summary
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework.graph import GraphKeys, name_scope
from ..framework.ops import IndexedSlices, convert_to_tensor
from ..learning import optimizers
from ..learning import training_util
from ..operators import check_ops, math_ops
from ..sessions import monitored_session
from ..state import variables

_USE_GLOBAL_STEP = 0


def _values(grad):
    return grad.values if isinstance(grad, IndexedSlices) else grad


def _changed(grad, values):
    return IndexedSlices(values, grad.indices, grad.dense_shape) if isinstance(grad, IndexedSlices) else values


def add_gradients_summaries(grads_and_vars, joint="_"):
    summaries = []
    for grad, var in grads_and_vars:
        if grad is not None:
            summaries.append(summary.histogram(var.op.name + joint + "gradient", _values(grad)))
            summaries.append(summary.scalar(var.op.name + joint + "gradient_norm",
                                            math_ops.global_norm([_values(grad)])))
    return summaries


def clip_gradient_norms(gradients_to_variables, max_norm):
    return [(grad if grad is None else _changed(grad, math_ops.clip_by_norm(_values(grad), max_norm)), var)
            for grad, var in gradients_to_variables]


def clip_gradient_norms_fn(max_norm):
    return lambda gradients_to_variables: clip_gradient_norms(gradients_to_variables, max_norm)


def multiply_gradients(grads_and_vars, gradient_multipliers):
    if not isinstance(grads_and_vars, list):
        raise ValueError("`grads_and_vars` must be a list.")
    if not gradient_multipliers:
        raise ValueError("`gradient_multipliers` is empty.")
    if not isinstance(gradient_multipliers, dict):
        raise ValueError("`gradient_multipliers` must be a dict.")
    result = []
    for grad, var in grads_and_vars:
        if var in gradient_multipliers or var.op.name in gradient_multipliers:
            if grad is None:
                raise ValueError("Requested multiple of `None` gradient.")
            factor = gradient_multipliers[var if var in gradient_multipliers else var.op.name]
            grad = _changed(grad, _values(grad) * convert_to_tensor(factor, dtype=grad.dtype))
        result.append((grad, var))
    return result


def create_train_op(total_loss, optimizer, global_step=_USE_GLOBAL_STEP, update_ops=None, variables_to_train=None,
                    transform_grads_fn=None, summarize_gradients=False,
                    gate_gradients=optimizers.Optimizer.GATE_OP, aggregation_method=None,
                    colocate_gradients_with_ops=False, check_numerics=True, _joint="_"):
    if global_step is _USE_GLOBAL_STEP:
        global_step = training_util.get_or_create_global_step()
    if update_ops is None:
        update_ops = graph_lib.get_collection(GraphKeys.UPDATE_OPS)
    if update_ops:
        with graph_lib.control_dependencies(list(dict.fromkeys(update_ops))):
            barrier = control_flow.no_op(name="update_barrier")
        total_loss = control_flow.with_dependencies([barrier], total_loss)
    if variables_to_train is None:
        variables_to_train = variables.trainable_variables()
    assert variables_to_train
    grads = optimizer.compute_gradients(total_loss, variables_to_train, gate_gradients=gate_gradients,
                                        aggregation_method=aggregation_method,
                                        colocate_gradients_with_ops=colocate_gradients_with_ops)
    if transform_grads_fn:
        grads = transform_grads_fn(grads)
    if summarize_gradients:
        with name_scope("summarize_grads"):
            add_gradients_summaries(grads, _joint)
    updates = optimizer.apply_gradients(grads, global_step=global_step)
    with name_scope("train_op"):
        if check_numerics:
            total_loss = check_ops.check_numerics(total_loss, "LossTensor is inf or nan")
        train_op = control_flow.with_dependencies([updates], total_loss)
    known = graph_lib.get_collection_ref(GraphKeys.TRAIN_OP)
    if train_op not in known:
        known.append(train_op)
    return train_op


def train(train_op, logdir, master="", is_chief=True, scaffold=None, hooks=None, chief_only_hooks=None,
          save_checkpoint_secs=600, save_summaries_steps=100, config=None, max_wait_secs=7200, run_metadata=None):
    """Runs the op until a hook says stop; what it gave last."""
    if logdir is None and is_chief:
        for given, what in ((save_summaries_steps, "save_summaries_steps"), (save_checkpoint_secs, "save_checkpoint_secs")):
            if given:
                raise ValueError("logdir cannot be None when %s is not None" % what)
    with monitored_session.MonitoredTrainingSession(
            master=master, is_chief=is_chief, checkpoint_dir=logdir, scaffold=scaffold, hooks=hooks,
            chief_only_hooks=chief_only_hooks, save_checkpoint_secs=save_checkpoint_secs,
            save_summaries_steps=save_summaries_steps, config=config, max_wait_secs=max_wait_secs) as session:
        loss = None
        while not session.should_stop():
            loss = session.run(train_op, run_metadata=run_metadata)
    return loss
