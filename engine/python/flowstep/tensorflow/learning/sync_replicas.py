# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.train.SyncReplicasOptimizer: gradients of several replicas are averaged before they are applied."""

from .. import dtypes
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework import tf_logging
from ..framework.graph import GraphKeys, Tensor, name_scope
from ..framework.ops import IndexedSlices
from ..inputs import accumulators, data_flow
from ..operators import array_ops, state_ops
from ..sessions import session_manager
from ..sessions.hooks import SessionRunHook
from ..sessions.runners import QueueRunner
from ..state import variables
from .optimizers import Optimizer


class SyncReplicasOptimizer(Optimizer):
    """Waits for the gradients of so many replicas, and hands each replica a token for its next step."""

    def __init__(self, opt, replicas_to_aggregate, total_num_replicas=None, variable_averages=None,
                 variables_to_average=None, use_locking=False, name="sync_replicas"):
        total = replicas_to_aggregate if total_num_replicas is None else total_num_replicas
        super().__init__(use_locking, name)
        tf_logging.info("SyncReplicasV2: replicas_to_aggregate=%s; total_num_replicas=%s", replicas_to_aggregate, total)
        self._opt, self._replicas_to_aggregate, self._total_num_replicas = opt, replicas_to_aggregate, total
        self._tokens_per_step = max(total, replicas_to_aggregate)
        self._variable_averages, self._variables_to_average = variable_averages, variables_to_average
        self._gradients_applied, self._accumulator_list = False, []
        self._global_step = self._sync_token_queue = self._chief_queue_runner = None

    def compute_gradients(self, *args, **kwargs):
        return self._opt.compute_gradients(*args, **kwargs)

    def _aggregate(self, grad, var):
        """(the op that hands a gradient in, the average of enough of them)"""
        shared_name = var.name + "/grad_accum"
        if isinstance(grad, Tensor):
            made = accumulators.ConditionalAccumulator(grad.dtype, shape=var.get_shape(), shared_name=shared_name)
            given = made.apply_grad(grad, local_step=self._local_step)
            taken = made.take_grad(self._replicas_to_aggregate)
        elif isinstance(grad, IndexedSlices):
            made = accumulators.SparseConditionalAccumulator(grad.dtype, shape=(), shared_name=shared_name)
            given = made.apply_indexed_slices_grad(grad, local_step=self._local_step)
            taken = made.take_indexed_slices_grad(self._replicas_to_aggregate)
        else:
            raise ValueError("Unknown grad type!")
        self._accumulator_list.append((made, var.device))
        return given, taken

    def _on_step(self):
        return graph_lib.device(self._global_step.device), name_scope("")

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        if not grads_and_vars:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required to check staleness")
        self._global_step = global_step
        kind = global_step.dtype.base_dtype
        anchor = control_flow.no_op()
        with graph_lib.colocate_with(anchor):
            self._local_step = variables.Variable(initial_value=0, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES],
                                                  dtype=kind, name="sync_rep_local_step")
        self.local_step_init_op = state_ops.assign(self._local_step, global_step)
        chief_init_ops = [self.local_step_init_op]
        self.ready_for_local_init_op = variables.report_uninitialized_variables(variables.global_variables())
        with name_scope(None, self._name):
            train_ops, averaged = [], []
            for grad, var in grads_and_vars:
                with graph_lib.device(var.device):
                    if grad is None:
                        averaged.append((None, var))
                        continue
                    given, taken = self._aggregate(grad, var)
                    train_ops.append(given)
                    averaged.append((taken, var))
            device, scope = self._on_step()
            with device, scope:
                update_op = self._opt.apply_gradients(averaged, global_step)
            device, scope = self._on_step()
            with device, scope:
                self._sync_token_queue = queue = data_flow.FIFOQueue(-1, kind, shapes=(), name="sync_token_q",
                                                                     shared_name="sync_token_q")
                dummy_queue = data_flow.FIFOQueue(1, dtypes.int32, shapes=(), name="dummy_queue", shared_name="dummy_queue")
            device, scope = self._on_step()
            with device, scope:
                with graph_lib.control_dependencies(train_ops):
                    token = queue.dequeue()
                train_op = state_ops.assign(self._local_step, token)
                with graph_lib.control_dependencies([update_op]):
                    sync_op = queue.enqueue_many((array_ops.fill([self._tokens_per_step], global_step),))
                if self._variable_averages is not None:
                    with graph_lib.control_dependencies([sync_op]), name_scope(""):
                        sync_op = self._variable_averages.apply(self._variables_to_average)
                self._chief_queue_runner = QueueRunner(dummy_queue, [sync_op])
            for accumulator, device in self._accumulator_list:
                with graph_lib.device(device):
                    chief_init_ops.append(accumulator.set_global_step(global_step, name="SetGlobalStep"))
            self.chief_init_op = control_flow.group(*chief_init_ops)
            self._gradients_applied = True
            return train_op

    def get_chief_queue_runner(self):
        if not self._gradients_applied:
            raise ValueError("Should be called after apply_gradients().")
        return self._chief_queue_runner

    def get_slot(self, *args, **kwargs):
        return self._opt.get_slot(*args, **kwargs)

    def variables(self):
        return self._opt.variables()

    def get_slot_names(self, *args, **kwargs):
        return self._opt.get_slot_names(*args, **kwargs)

    def get_init_tokens_op(self, num_tokens=-1):
        if not self._gradients_applied:
            raise ValueError("get_init_tokens_op() should be called after apply_gradients().")
        needed = self._replicas_to_aggregate - self._total_num_replicas
        if num_tokens == -1:
            num_tokens = self._replicas_to_aggregate
        elif num_tokens < needed:
            raise ValueError("Too few tokens to finish the first step: %d (given) vs %d (needed)" % (num_tokens, needed))
        if num_tokens <= 0:
            return control_flow.no_op(name="no_init_tokens")
        device, scope = self._on_step()
        with device, scope:
            return self._sync_token_queue.enqueue_many((array_ops.fill([num_tokens], self._global_step),))

    def make_session_run_hook(self, is_chief, num_tokens=-1):
        return _Hook(self, is_chief, num_tokens)


class _Hook(SessionRunHook):
    """Initializes a replica's step; the chief's also the accumulators and the tokens."""

    def __init__(self, sync_optimizer, is_chief, num_tokens):
        self._optimizer, self._is_chief, self._num_tokens = sync_optimizer, is_chief, num_tokens

    def begin(self):
        optimizer = self._optimizer
        if not optimizer._gradients_applied:
            raise ValueError("SyncReplicasOptimizer.apply_gradient should be called before using the hook.")
        self._ready_op, self._runner, self._init_tokens_op = optimizer.ready_for_local_init_op, None, None
        self._init_op = optimizer.local_step_init_op
        if self._is_chief:
            self._init_op, self._runner = optimizer.chief_init_op, optimizer.get_chief_queue_runner()
            self._init_tokens_op = optimizer.get_init_tokens_op(self._num_tokens)

    def after_create_session(self, session, coord):
        done, text = session_manager._ready(self._ready_op, session,
                                            "Model is not ready for SyncReplicasOptimizer local init.")
        if not done:
            raise RuntimeError("Init operations did not make model ready for SyncReplicasOptimizer local_init. Init op: %s, "
                               "error: %s" % (self._init_op.name, text))
        session.run(self._init_op)
        if self._init_tokens_op is not None:
            session.run(self._init_tokens_op)
        if self._runner is not None:
            self._runner.create_threads(session, coord=coord, daemon=True, start=True)
