# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.opt's GGT: all variables are one row, whose last moments say how far each next step goes."""

from .. import dtypes
from ..control import control_flow
from ..framework import graph as graph_lib, ops
from ..framework.graph import get_default_graph, name_scope
from ..learning import optimizers
from ..operators import array_ops, linalg, math_ops, state_ops
from ..state import variables


class _Row:
    """What is kept in one graph: where each variable stands in the row, the row's variables, and the numbers."""

    def __init__(self):
        self.kept, self.places, self.size, self._numbers = {}, {}, 0, {}

    def convert(self, numbers):
        for key, value in sorted(numbers.items()):
            self._numbers[key] = {None: ops.convert_to_tensor(value, name=key)}

    def number(self, key, dtype=None):
        casts = self._numbers[key]
        if dtype not in casts:
            casts[dtype] = math_ops.cast(casts[None], dtype)
        return casts[dtype]

    def create(self, var_list):
        sizes = {v.name: v.shape.num_elements() for v in var_list}
        self.places, self.size = {}, 0
        for name in sorted(sizes):
            self.places[name] = self.size, self.size + sizes[name]
            self.size += sizes[name]
        home, dtype = min(var_list, key=lambda v: v.name), var_list[0].dtype.base_dtype

        def create(name, start):
            if name not in self.kept:
                with graph_lib.colocate_with(home):
                    self.kept[name] = variables.Variable(start, name=name, trainable=False)
        create("global_step", math_ops.cast(0., dtype=dtype))
        create("grad_buffer", array_ops.zeros([self.number("window"), self.size], dtype=dtype))
        for name in ("moment1", "flat_grad"):
            create(name, array_ops.zeros((self.size,), dtype=dtype))


class GGTOptimizer(optimizers.Optimizer):
    def __init__(self, learning_rate=0.001, beta1=0.9, use_locking=False, name="GGT", window=10, eps=1e-4, svd_eps=1e-6,
                 sigma_eps=1e-2):
        super().__init__(use_locking, name)
        self._numbers = dict(lr=learning_rate, beta1=beta1, window=window, eps=eps, svd_eps=svd_eps, sigma_eps=sigma_eps)
        self._rows = {}

    def variables(self):
        row = self._rows.get(get_default_graph())
        return sorted(row.kept.values(), key=lambda v: v.name) if row else []

    def get_slot(self, var, name):
        return None

    def get_slot_names(self):
        return []

    def _row(self):
        row = self._rows.get(get_default_graph())
        if row is None:
            row = self._rows[get_default_graph()] = _Row()
            with graph_lib.init_scope():
                row.convert({key: value for key, value in self._numbers.items() if not callable(value)})
        row.convert({key: value() for key, value in self._numbers.items() if callable(value)})
        return row

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        grads_and_vars = tuple(grads_and_vars)
        if not grads_and_vars:
            raise ValueError("No variables provided.")
        found = [(g, v) for g, v in grads_and_vars if g is not None]
        if not found:
            raise ValueError("No gradients provided for any variable: %s." % ([str(v) for _, v in grads_and_vars],))
        var_list = [v for _, v in found]
        with name_scope(name, self._name) as name:
            row = self._row()
        with graph_lib.init_scope():
            row.create(var_list)
        with name_scope(name):
            updates = [self._put(grad, var, row) for grad, var in found]
            with graph_lib.control_dependencies([control_flow.group(*updates)]):
                finished = self._step(row, var_list)
            if global_step is None:
                applied = control_flow.group(finished, name=name)
            else:
                with graph_lib.control_dependencies([finished]):
                    applied = global_step.assign_add(1, read_value=False, name=name)
            return optimizers.note_train_op(applied)

    def _put(self, grad, var, row):
        """A gradient goes to its place in the row."""
        grad = ops.internal_convert_to_tensor_or_indexed_slices(grad)
        with name_scope("update_" + var.op.name):
            if isinstance(grad, ops.IndexedSlices):
                raise NotImplementedError("Sparse gradient updates are not supported.")
            values = array_ops.reshape(grad, [-1])
            return state_ops.scatter_update(row.kept["flat_grad"], math_ops.range(*row.places[var.name]), values)

    def _step(self, row, var_list):
        dtype = var_list[0].dtype.base_dtype
        step = state_ops.assign_add(row.kept["global_step"], 1.)
        beta1 = row.number("beta1", dtype)
        moment, flat = row.kept["moment1"], row.kept["flat_grad"]
        moment = moment.assign(beta1 * moment + (1. - beta1) * flat)
        window = row.number("window")
        at = math_ops.floormod(math_ops.cast(step - 1., dtypes.int32), window)
        moments = state_ops.scatter_update(row.kept["grad_buffer"], at, moment)
        eps, svd_eps, sigma_eps, rate = (row.number(key, dtype) for key in ("eps", "svd_eps", "sigma_eps", "lr"))
        seen = math_ops.sqrt(math_ops.minimum(ops.convert_to_tensor(step),
                                              ops.convert_to_tensor(math_ops.cast(window, dtype=dtype))))
        moment = array_ops.expand_dims(moment, -1)
        m = array_ops.transpose(math_ops.divide(moments, seen))
        squares = math_ops.matmul(m, m, transpose_a=True)
        sigma, u, _ = linalg.svd(squares + math_ops.cast(linalg.eye(window), dtype=dtype) * svd_eps)
        root = math_ops.sqrt(sigma)
        least = math_ops.reduce_min(root)
        inverse = math_ops.divide(math_ops.cast(1.0, dtype=dtype), math_ops.pow(root + sigma_eps, 3))
        nothing = array_ops.expand_dims(array_ops.zeros(flat.shape, dtype=dtype), -1)

        def scaled(diagonal):
            inner = math_ops.matmul(u, math_ops.matmul(m, moment, transpose_a=True), transpose_a=True)
            return math_ops.matmul(m, math_ops.matmul(u, math_ops.matmul(diagonal, inner)))
        head = scaled(array_ops.diag(inverse))
        tail = moment - scaled(array_ops.diag(math_ops.divide(math_ops.cast(1.0, dtype=dtype), sigma)))
        tail = math_ops.divide(tail, least)
        found = control_flow.cond(least > eps, lambda: math_ops.add(head, tail), lambda: math_ops.add(nothing, head))
        updates = []
        for var in var_list:
            first, end = row.places[var.name]
            part = array_ops.reshape(found[first:end], var.shape)
            updates.append(state_ops.assign_sub(var, rate * part))
        return control_flow.group(*updates)
