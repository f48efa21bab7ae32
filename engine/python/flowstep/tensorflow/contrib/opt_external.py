# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Minimizing by an algorithm outside the graph (tf.contrib.opt): what it needs is packed into one vector."""

import numpy as np

from ..differentiation import gradients as gradients_lib
from ..framework import tf_logging as logging
from ..operators import array_ops
from ..state import variables


def _dims(tensor):
    return tuple(tensor.shape.as_list())


def _gradients(tensor, var_list):
    grads = gradients_lib.gradients(tensor, var_list)
    return [array_ops.zeros_like(var) if grad is None else grad for var, grad in zip(var_list, grads)]


def _pack(tensors):
    if not tensors:
        return None
    flat = [array_ops.reshape(tensor, [-1]) for tensor in tensors]
    return flat[0] if len(flat) == 1 else array_ops.concat(flat, 0)


class ExternalOptimizerInterface:
    def __init__(self, loss, var_list=None, equalities=None, inequalities=None, var_to_bounds=None, **optimizer_kwargs):
        self._loss, self._equalities, self._inequalities = loss, equalities or [], inequalities or []
        self._vars = variables.trainable_variables() if var_list is None else list(var_list)
        self._packed_bounds = None if var_to_bounds is None else self._pack_bounds(var_to_bounds)
        self._update_placeholders = [array_ops.placeholder(var.dtype) for var in self._vars]
        self._var_updates = [var.assign(array_ops.reshape(value, _dims(var)))
                             for var, value in zip(self._vars, self._update_placeholders)]
        loss_grads = _gradients(loss, self._vars)
        equality_grads = [_gradients(equality, self._vars) for equality in self._equalities]
        inequality_grads = [_gradients(inequality, self._vars) for inequality in self._inequalities]
        self.optimizer_kwargs = optimizer_kwargs
        self._packed_var = _pack(self._vars)
        self._packed_loss_grad = _pack(loss_grads)
        self._packed_equality_grads = [_pack(grads) for grads in equality_grads]
        self._packed_inequality_grads = [_pack(grads) for grads in inequality_grads]
        ends = np.cumsum([0] + [int(np.prod(_dims(var), dtype=np.int64)) for var in self._vars])
        self._packing_slices = [slice(start, end) for start, end in zip(ends[:-1], ends[1:])]

    def _pack_bounds(self, var_to_bounds):
        bounds = {id(var): pair for var, pair in var_to_bounds.items()}
        sides = [], []
        for var in self._vars:
            for side, bound in zip(sides, bounds.get(id(var), (-np.inf, np.inf))):
                side.extend(np.broadcast_to(bound, _dims(var)).flat)
        return list(zip(*sides))

    def minimize(self, session=None, feed_dict=None, fetches=None, step_callback=None, loss_callback=None, **run_kwargs):
        from ..sessions.session import get_default_session
        session = session or get_default_session()
        feed_dict, fetches = feed_dict or {}, fetches or []

        def several(tensors):
            return [self._evaluation([tensor], session, feed_dict, fetches) for tensor in tensors]
        of_loss = self._evaluation([self._loss, self._packed_loss_grad], session, feed_dict, fetches,
                                   loss_callback or (lambda *fetched: None))
        found = self._minimize(
            initial_val=session.run(self._packed_var), loss_grad_func=of_loss, equality_funcs=several(self._equalities),
            equality_grad_funcs=several(self._packed_equality_grads), inequality_funcs=several(self._inequalities),
            inequality_grad_funcs=several(self._packed_inequality_grads), packed_bounds=self._packed_bounds,
            step_callback=step_callback or (lambda xk: None), optimizer_kwargs=self.optimizer_kwargs)
        values = [found[part] for part in self._packing_slices]
        session.run(self._var_updates, feed_dict=dict(zip(self._update_placeholders, values)), **run_kwargs)

    def _minimize(self, initial_val, loss_grad_func, equality_funcs, equality_grad_funcs, inequality_funcs,
                  inequality_grad_funcs, packed_bounds, step_callback, optimizer_kwargs):
        raise NotImplementedError("To use ExternalOptimizerInterface, subclass from it and implement the _minimize() method.")

    def _evaluation(self, tensors, session, feed_dict, fetches, callback=None):
        def evaluate(x):
            feeds = {var: x[part].reshape(_dims(var)) for var, part in zip(self._vars, self._packing_slices)}
            feeds.update(feed_dict)
            found = session.run(tensors + fetches, feed_dict=feeds)
            if callable(callback):
                callback(*found[len(tensors):])
            return found[:len(tensors)]
        return evaluate


class ScipyOptimizerInterface(ExternalOptimizerInterface):
    _DEFAULT_METHOD = "L-BFGS-B"

    def _minimize(self, initial_val, loss_grad_func, equality_funcs, equality_grad_funcs, inequality_funcs,
                  inequality_grad_funcs, packed_bounds, step_callback, optimizer_kwargs):
        def of_loss(x):
            loss, gradient = loss_grad_func(x)
            return loss, gradient.astype("float64")
        given = dict(optimizer_kwargs)
        method = given.pop("method", self._DEFAULT_METHOD)
        constraints = [{"type": kind, "fun": function, "jac": jacobian} for kind, functions, jacobians in (
            ("eq", equality_funcs, equality_grad_funcs), ("ineq", inequality_funcs, inequality_grad_funcs))
            for function, jacobian in zip(functions, jacobians)]
        settings = {"jac": True, "callback": step_callback, "method": method, "constraints": constraints,
                    "bounds": packed_bounds}
        for key in settings:
            if key in given:
                raise ValueError("Bounds must be set using the var_to_bounds argument" if key == "bounds" else
                                 "Optimizer keyword arg '%s' is set automatically and cannot be injected manually" % key)
        settings.update(given)
        import scipy.optimize
        result = scipy.optimize.minimize(of_loss, initial_val, **settings)
        lines = ["Optimization terminated with:", "  Message: %s", "  Objective function value: %f"]
        values = [result.message, result.fun]
        for key, line in (("nit", "  Number of iterations: %d"), ("nfev", "  Number of functions evaluations: %d")):
            if hasattr(result, key):
                lines.append(line)
                values.append(result[key])
        logging.info("\n".join(lines), *values)
        return result["x"]
