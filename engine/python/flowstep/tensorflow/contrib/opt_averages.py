# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Optimizers of tf.contrib.opt for workers that each train variables of their own, and meet at times."""

from .. import dtypes, nn
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework.graph import GraphKeys, name_scope
from ..framework.ops import constant
from ..inputs import accumulators, data_flow
from ..learning import optimizers
from ..operators import array_ops, math_ops
from ..operators import state_ops
from ..saving import saver as saver_lib
from ..sessions import hooks
from ..state import scope as scope_lib, variables

_GLOBAL, _LOCAL_CENTER, _GRAD = "global_center_variable", "local_center_variable", "grad_variable"


# -- variables: the worker's own, the common one, and what else is kept of each

class _Getter:
    """Makes of a trainable variable a local one; its copies are known by it."""

    def __init__(self, worker_device):
        self._worker_device = worker_device

    def _local(self, getter, name, trainable, *args, **kwargs):
        with graph_lib.device(self._worker_device):
            return getter(name, trainable=trainable, collections=[GraphKeys.LOCAL_VARIABLES], *args, **kwargs)

    def _plain(self, getter, name, trainable, collections, *args, **kwargs):
        kwargs.update(trainable=trainable, collections=collections)
        if GraphKeys.LOCAL_VARIABLES in collections:
            with graph_lib.device(self._worker_device):
                return getter(name, *args, **kwargs)
        return getter(name, *args, **kwargs)


class _CenteredGetter(_Getter):
    """Besides the common variable another local one, named BESIDE."""

    BESIDE = None

    def __init__(self, worker_device):
        super().__init__(worker_device)
        self._global_map, self._beside_map = {}, {}

    def __call__(self, getter, name, trainable, collections, *args, **kwargs):
        if not trainable:
            return self._plain(getter, name, trainable, collections, *args, **kwargs)
        local = self._local(getter, name, True, *args, **kwargs)
        if kwargs["reuse"] == True:  # noqa: E712  AUTO_REUSE is no reuse here
            return local
        common = getter(name="%s/%s" % (_GLOBAL, name), trainable=False, collections=[GraphKeys.GLOBAL_VARIABLES], *args,
                        **kwargs)
        beside = self._local(getter, "%s/%s" % (self.BESIDE, name), False, *args, **kwargs)
        parts = [(local, beside, common)] if kwargs["partitioner"] is None else zip(local, beside, common)
        for own, kept, center in parts:
            self._beside_map[own], self._global_map[own] = kept, center
        return local


class ElasticAverageCustomGetter(_CenteredGetter):
    BESIDE = _LOCAL_CENTER


class AGNCustomGetter(_CenteredGetter):
    BESIDE = _GRAD

    def _plain(self, getter, name, trainable, collections, *args, **kwargs):
        return getter(name, trainable=trainable, collections=collections, *args, **kwargs)


class ModelAverageCustomGetter(_Getter):
    def __init__(self, worker_device):
        super().__init__(worker_device)
        self._local_2_global = {}

    def __call__(self, getter, name, trainable, collections, *args, **kwargs):
        if not trainable:
            return self._plain(getter, name, trainable, collections, *args, **kwargs)
        local = self._local(getter, name, True, *args, **kwargs)
        self._local_2_global[local] = variables.Variable(
            name="%s/%s" % (_GLOBAL, name), initial_value=local.initialized_value(), trainable=False,
            collections=[GraphKeys.GLOBAL_VARIABLES])
        return local


# -- what the optimizers share

class _Hook(hooks.SessionRunHook):
    """The ops that give a worker's variables their values."""

    def __init__(self, optimizer, is_chief, *arguments):
        self._optimizer, self._is_chief, self._arguments = optimizer, is_chief, arguments

    def begin(self):
        self._local_init_op = variables.local_variables_initializer()
        self._global_init_op = variables.global_variables_initializer() if self._is_chief else None
        self._variable_init_op = self._optimizer.get_init_op(*self._arguments)


class _InitHook(_Hook):
    """Runs them when the session is there."""

    def after_create_session(self, session, coord):
        session.run(self._variable_init_op)


class _Meeting(optimizers.Optimizer):
    """Another optimizer's steps on local variables; each PERIOD of them the workers meet."""

    def __init__(self, opt, num_worker, period, use_locking, name):
        super().__init__(use_locking, name)
        self._opt, self._num_worker, self._period = opt, num_worker, period
        self._local_step = scope_lib.get_variable(initializer=0, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES],
                                                  name="local_step")
        self._opt._prepare()

    def _counted(self):
        return state_ops.assign_add(self._local_step, 1, name="local_step_update").op

    def _is_time(self):
        return math_ops.equal(math_ops.mod(self._local_step, self._period), 0)


def _next_step(global_step):
    if global_step is None:
        return []
    with graph_lib.colocate_with(global_step):
        return [state_ops.assign_add(global_step, 1)]


def _with_gradient(grads_and_vars):
    return [v for g, v in grads_and_vars if g is not None]


# -- elastic averaging

class ElasticAverageOptimizer(_Meeting):
    BETA = 0.9

    def __init__(self, opt, num_worker, ea_custom_getter, communication_period=10, moving_rate=None, rho=None,
                 use_locking=True, synchronous=False, name="ElasticAverageOptimizer"):
        self._global_map, self._local_map = ea_custom_getter._global_map, ea_custom_getter._beside_map
        self._synchronous = synchronous
        self._moving_rate = self.BETA / communication_period / num_worker if moving_rate is None else moving_rate
        self._rho = self._moving_rate / opt._numbers["learning_rate"] if rho is None else rho
        super().__init__(opt, num_worker, communication_period, use_locking, name)

    def compute_gradients(self, loss, var_list=None, gate_gradients=optimizers.Optimizer.GATE_OP, aggregation_method=None,
                          colocate_gradients_with_ops=False, grad_loss=None):
        if not var_list:
            var_list = variables.trainable_variables()
        centers = [self._local_map[var] for var in var_list]
        away = [math_ops.subtract(v, center) for v, center in zip(variables.trainable_variables(), centers)]
        total = loss + self._rho * math_ops.add_n([nn.l2_loss(each) for each in away])
        return self._opt.compute_gradients(total, var_list, gate_gradients, aggregation_method, colocate_gradients_with_ops,
                                           grad_loss)

    @staticmethod
    def _make_local(names):
        """Variables that the inner optimizer made are this worker's."""
        kept = graph_lib.get_collection_ref(GraphKeys.GLOBAL_VARIABLES)
        for var in [var for var in kept if var.op.name in names]:
            graph_lib.add_to_collection(GraphKeys.LOCAL_VARIABLES, var)
        kept[:] = [var for var in kept if var.op.name not in names]

    def _meet(self, own, global_step):
        centers, local_centers = [self._global_map[v] for v in own], [self._local_map[v] for v in own]
        renewed = [local.assign(center) for local, center in zip(local_centers, centers)]
        with graph_lib.control_dependencies(renewed):
            away, updates = [], []
            for v, local in zip(own, local_centers):
                with graph_lib.device(v.device):
                    away.append(math_ops.subtract(v, local))
            for change, moved in ((state_ops.assign_sub, own), (state_ops.assign_add, centers)):
                for v, distance in zip(moved, away):
                    with graph_lib.device(v.device):
                        updates.append(change(v, math_ops.multiply(self._moving_rate, distance)))
            updates += _next_step(global_step)
        return control_flow.group(*updates)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        grads_and_vars = list(grads_and_vars)
        before = {v.op.name for v in variables.global_variables()}
        applied = self._opt.apply_gradients(grads_and_vars)
        made = {v.op.name for v in variables.global_variables()} - before
        with graph_lib.control_dependencies([applied]):
            counted = self._counted()
        self._make_local(made)
        with graph_lib.control_dependencies([counted]):
            return control_flow.cond(self._is_time(), lambda: self._meet(_with_gradient(grads_and_vars), global_step),
                                     control_flow.no_op)

    def _barrier(self, task_index, after):
        """Every worker tells each other one that it is ready, and waits for as many."""
        queues = [data_flow.FIFOQueue(self._num_worker, [dtypes.bool], shapes=[[]],
                                      shared_name="variable_init_sync_queue%s" % i) for i in range(self._num_worker)]
        token = constant(False)
        with graph_lib.control_dependencies(after):
            told = [control_flow.no_op() if i == task_index else queue.enqueue(token) for i, queue in enumerate(queues)]
        told.append(queues[task_index].dequeue_many(len(queues) - 1))
        return control_flow.group(*told)

    def get_init_op(self, task_index):
        own = variables.trainable_variables()
        centers, local_centers = [self._global_map[v] for v in own], [self._local_map[v] for v in own]
        if not own:
            raise ValueError("The lists of local_variables, global_center_variables, local_center_variables should not be "
                             "empty  ")
        made = [state_ops.assign(v, center) for triple in zip(own, centers, local_centers)
                for v, center in ((triple[0], triple[1]), (triple[2], triple[1]))]
        made = control_flow.group(*made)
        return self._barrier(task_index, [made]) if self._synchronous else made

    def make_session_run_hook(self, is_chief, task_index):
        return _InitHook(self, is_chief, task_index)

    def swapping_saver(self, var_list=None, name="swapping_saver", **kwargs):
        """A Saver that stores the common variables as the workers' own."""
        if not self._global_map:
            raise RuntimeError("global_center_variable is empty, please make sure this is called after model created and "
                               "ElasticAverageCustomGetter is used when declaring you model")
        if var_list is None:
            var_list = variables.trainable_variables()
        if not isinstance(var_list, dict):
            var_list = saver_lib.op_list_to_dict(var_list)
        trained = {v.op.name: v for v in reversed(variables.trainable_variables())}

        def swapped(var):
            if isinstance(var, list):
                return [self._global_map.get(part, part) for part in var]
            return self._global_map.get(trained.get(var.op.name), var)
        return saver_lib.Saver({key: swapped(var) for key, var in var_list.items()}, name=name, **kwargs)


# -- accumulated gradient normalization

def _local_creator(next_creator, collections, **kwargs):
    """Slots are the worker's."""
    if not collections:
        collections = [GraphKeys.LOCAL_VARIABLES]
    elif GraphKeys.GLOBAL_VARIABLES in collections:
        collections = [key for key in collections if key != GraphKeys.GLOBAL_VARIABLES] + [GraphKeys.LOCAL_VARIABLES]
    return next_creator(collections=collections, **kwargs)


class AGNOptimizer(_Meeting):
    def __init__(self, optimizer, num_worker, custom_getter, communication_period=10, use_locking=True, name="AGNOptimizer"):
        self._global_map, self._grad_map = custom_getter._global_map, custom_getter._beside_map
        super().__init__(optimizer, num_worker, communication_period, use_locking, name)

    def _meet(self, own, global_step):
        sums, centers = [self._grad_map[v] for v in own], [self._global_map[v] for v in own]
        means = [state_ops.assign(g, g / self._period) for g in sums]
        with graph_lib.control_dependencies(means):
            applied = self._opt.apply_gradients(zip(sums, centers))
        with graph_lib.control_dependencies([applied]):
            updates = _next_step(global_step)
            updates += [state_ops.assign(v, self._global_map[v].read_value()) for v in own]
            updates += [state_ops.assign(g, array_ops.zeros_like(g)) for g in sums]
            return control_flow.group(*updates)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        grads_and_vars = list(grads_and_vars)
        own = _with_gradient(grads_and_vars)
        with scope_lib.variable_creator_scope(_local_creator):
            updates = [self._opt.apply_gradients(grads_and_vars)]
        updates += [state_ops.assign_add(self._grad_map[v], g) for g, v in grads_and_vars if g is not None]
        with graph_lib.control_dependencies([self._counted()]):
            is_time = self._is_time()
        with graph_lib.control_dependencies(updates):
            return control_flow.cond(is_time, lambda: self._meet(own, global_step), control_flow.no_op)

    def get_init_op(self, task_index):
        own = variables.trainable_variables()
        centers, sums = [self._global_map[v] for v in own], [self._grad_map[v] for v in own]
        if not own:
            raise ValueError("The lists of local_variables, global_center_variables,grad_center_variables should not be empty")
        made = [state_ops.assign(v, center) for v, center in zip(own, centers)]
        return control_flow.group(*made + [state_ops.assign(g, array_ops.zeros_like(g)) for g in sums])

    def make_session_run_hook(self, is_chief, task_index):
        return _InitHook(self, is_chief, task_index)


# -- averages of the models

class ModelAverageOptimizer(_Meeting):
    def __init__(self, opt, num_worker, is_chief, ma_custom_getter, interval_steps=100, use_locking=True,
                 name="ModelAverageOptimizer"):
        self._is_chief, self._local_2_global = is_chief, ma_custom_getter._local_2_global
        self._accumulator_list, self._chief_init_op = [], None
        super().__init__(opt, num_worker, interval_steps, use_locking, name)

    def compute_gradients(self, *args, **kwargs):
        return self._opt.compute_gradients(*args, **kwargs)

    def _local_vars_update(self, var_list):
        if not var_list:
            raise ValueError("The list of local_variables should not be empty")
        updates = []
        for own, common in zip(var_list, [self._local_2_global[v] for v in var_list]):
            with graph_lib.device(own.device):
                updates.append(state_ops.assign(own, common.read_value()))
        return control_flow.group(*updates)

    def _average(self, own, global_step):
        """What puts a variable of this worker to those of the others, and their mean."""
        common = self._local_2_global[own]
        with graph_lib.device(common.device):
            if isinstance(own, variables.ResourceVariable):
                raise ValueError("Unknown local variable type!")
            sums = accumulators.ConditionalAccumulator(own.dtype, shape=own.shape, shared_name=common.name + "/var_accum")
            given = sums.apply_grad(own._ref(), local_step=global_step)
            mean = sums.take_grad(self._num_worker)
            self._accumulator_list.append((sums, common.device))
        return given, mean

    def _chief_update(self, given, means, commons, global_step, queue):
        updates = []
        with graph_lib.control_dependencies(given):
            for mean, common in zip(means, commons):
                with graph_lib.device(common.device):
                    updates.append(state_ops.assign(common, mean))
            with graph_lib.device(global_step.device):
                updates.append(state_ops.assign_add(global_step, 1))
        with graph_lib.control_dependencies(updates), graph_lib.device(global_step.device):
            return queue.enqueue_many(array_ops.fill([self._num_worker - 1], constant(False)))

    def _meet(self, own, global_step):
        commons = [self._local_2_global[v] for v in own]
        with graph_lib.colocate_with(global_step):
            queue = data_flow.FIFOQueue(-1, [dtypes.bool], shapes=[[]], shared_name="sync_queue")
        with name_scope(None, self._name + "/global"):
            averages = [self._average(v, global_step) for v in own]
        given, means = [pair[0] for pair in averages], [pair[1] for pair in averages]
        if self._is_chief:
            met = self._chief_update(given, means, commons, global_step, queue)
        else:
            with graph_lib.control_dependencies(given), graph_lib.device(global_step.device):
                met = queue.dequeue()
        with graph_lib.control_dependencies([met]):
            return self._local_vars_update(own)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        if not grads_and_vars:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required")
        grads_and_vars = list(grads_and_vars)
        with graph_lib.control_dependencies([self._opt.apply_gradients(grads_and_vars)]):
            counted = self._counted()
        with graph_lib.control_dependencies([counted]):
            update = control_flow.cond(self._is_time(), lambda: self._meet(_with_gradient(grads_and_vars), global_step),
                                       control_flow.no_op)
        started = []
        for sums, device in self._accumulator_list:
            with graph_lib.device(device):
                started.append(sums.set_global_step(global_step, name="SetGlobalStep"))
        self._chief_init_op = control_flow.group(*started)
        return update

    def get_init_op(self):
        return self._local_vars_update(variables.trainable_variables())

    def make_session_run_hook(self):
        return _ModelAverageHook(self, self._is_chief)


class _ModelAverageHook(_Hook):
    def begin(self):
        super().begin()
        if self._is_chief:
            self._chief_init_op = self._optimizer._chief_init_op
