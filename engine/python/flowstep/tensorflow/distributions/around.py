# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Distributions around others and of one value: Independent, Deterministic, VectorDeterministic."""

import numpy as np

from .. import dtypes
from ..control import control_flow
from ..framework import ops, tensor_shape
from ..framework.graph import control_dependencies, name_scope
from ..framework.ops import constant_value, convert_to_tensor
from ..operators import array_ops, check_ops, math_ops
from .base import NOT_REPARAMETERIZED, Distribution, own


class Independent(Distribution):
    """Some of a distribution's batch taken for its events."""

    def __init__(self, distribution, reinterpreted_batch_ndims=None, validate_args=False, name=None):
        self._distribution = distribution
        with name_scope(name or "Independent" + distribution.name) as name:
            ndims = distribution.batch_shape.ndims
            if reinterpreted_batch_ndims is None:
                reinterpreted_batch_ndims = np.maximum(0, ndims - 1) if ndims is not None else math_ops.maximum(
                    0, array_ops.shape(distribution.batch_shape_tensor())[0] - 1)
            count = convert_to_tensor(reinterpreted_batch_ndims, dtype=dtypes.int32, name="reinterpreted_batch_ndims")
            self._static_count = constant_value(count)
            self._reinterpreted_batch_ndims = count if self._static_count is None else self._static_count
            super().__init__(distribution.dtype, distribution.reparameterization_type, validate_args,
                             distribution.allow_nan_stats, graph_parents=[count] + distribution._graph_parents, name=name)
            self._runtime_assertions = self._assertions(count, ndims)

    distribution, reinterpreted_batch_ndims = own("distribution", "reinterpreted_batch_ndims")

    def _assertions(self, count, ndims):
        if ndims is not None and self._static_count is not None:
            if self._static_count > ndims:
                raise ValueError("reinterpreted_batch_ndims(%s) cannot exceed distribution.batch_ndims(%s)" % (
                    self._static_count, ndims))
            return []
        if not self._validate_args:
            return []
        return [check_ops.assert_less_equal(count, self._batch_ndims(self.distribution.batch_shape_tensor()),
                                            message="reinterpreted_batch_ndims cannot exceed distribution.batch_ndims")]

    @staticmethod
    def _batch_ndims(shape):
        known = tensor_shape.dimension_value(shape.shape.with_rank_at_least(1)[0])
        return array_ops.shape(shape)[0] if known is None else known

    def _split(self):
        shape = self.distribution.batch_shape
        if self._static_count is None or shape.ndims is None:
            return None, None
        at = shape.ndims - int(self._static_count)
        return shape[:at], shape[at:]

    def _batch_shape(self):
        found = self._split()[0]
        return tensor_shape.unknown_shape() if found is None else found

    def _event_shape(self):
        found = self._split()[1]
        return tensor_shape.unknown_shape() if found is None else found.concatenate(self.distribution.event_shape)

    def _batch_shape_tensor(self):
        with control_dependencies(self._runtime_assertions):
            shape = self.distribution.batch_shape_tensor()
            return shape[:self._batch_ndims(shape) - self._reinterpreted_batch_ndims]

    def _event_shape_tensor(self):
        with control_dependencies(self._runtime_assertions):
            shape = self.distribution.batch_shape_tensor()
            rest = shape[self._batch_ndims(shape) - self._reinterpreted_batch_ndims:]
            return array_ops.concat([rest, self.distribution.event_shape_tensor()], axis=0)

    def _sample_n(self, n, seed):
        with control_dependencies(self._runtime_assertions):
            return self.distribution.sample(sample_shape=n, seed=seed)

    def _summed(self, function, *arguments):
        with control_dependencies(self._runtime_assertions):
            found = function(*arguments)
            count = self._static_count
            axes = math_ops.range(self._reinterpreted_batch_ndims) if count is None else np.arange(count)
            return math_ops.reduce_sum(found, axis=-1 - axes)

    def _log_prob(self, x):
        return self._summed(self.distribution.log_prob, x)

    def _entropy(self):
        return self._summed(self.distribution.entropy)

    def _same(self, function):
        with control_dependencies(self._runtime_assertions):
            return function()

    def _mean(self):
        return self._same(self.distribution.mean)

    def _variance(self):
        return self._same(self.distribution.variance)

    def _stddev(self):
        return self._same(self.distribution.stddev)

    def _mode(self):
        return self._same(self.distribution.mode)


class _OneValue(Distribution):
    def _keep(self, loc, atol, rtol, is_vector, validate_args, allow_nan_stats, name):
        with name_scope(name, values=[loc, atol, rtol]) as name:
            loc = convert_to_tensor(loc, name="loc")
            if is_vector and validate_args:
                words = "Argument loc must be at least rank 1."
                if loc.shape.ndims is None:
                    loc = control_flow.with_dependencies([check_ops.assert_rank_at_least(loc, 1, message=words)], loc)
                elif loc.shape.ndims < 1:
                    raise ValueError(words)
            self._loc = loc
            Distribution.__init__(self, loc.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, graph_parents=[loc],
                                  name=name)
            self._atol, self._rtol = self._tolerance(atol), self._tolerance(rtol)
            self._slack = self._atol if rtol is None else self._atol + self._rtol * math_ops.abs(self._loc)

    loc, atol, rtol = own("loc", "atol", "rtol")

    def _tolerance(self, value):
        if value is None:
            return convert_to_tensor(0, dtype=self._loc.dtype)
        value = convert_to_tensor(value, dtype=self._loc.dtype)
        return value if not self._validate_args else control_flow.with_dependencies([check_ops.assert_non_negative(
            value, message="Argument 'tol' must be non-negative")], value)

    def _entropy(self):
        return array_ops.zeros(self.batch_shape_tensor(), dtype=self.dtype)

    def _mean(self):
        return array_ops.identity(self._loc)

    def _variance(self):
        return array_ops.zeros_like(self._loc)

    def _mode(self):
        return self.mean()

    def _sample_n(self, n, seed):
        known = constant_value(convert_to_tensor(n))
        if known is not None and self._loc.shape.ndims is not None:
            multiples = [known] + [1] * self._loc.shape.ndims
        else:
            multiples = array_ops.concat(([n], array_ops.ones_like(array_ops.shape(self._loc))), axis=0)
        return array_ops.tile(self._loc[None, ...], multiples=multiples)


class Deterministic(_OneValue):
    def __init__(self, loc, atol=None, rtol=None, validate_args=False, allow_nan_stats=True, name="Deterministic"):
        self._keep(loc, atol, rtol, False, validate_args, allow_nan_stats, name)

    def _batch_shape(self):
        return self._loc.shape

    def _batch_shape_tensor(self):
        return array_ops.shape(self._loc)

    def _event_shape(self):
        return tensor_shape.TensorShape([])

    def _event_shape_tensor(self):
        return ops.constant([], dtype=dtypes.int32)

    def _prob(self, x):
        return math_ops.cast(math_ops.abs(x - self._loc) <= self._slack, dtype=self.dtype)

    def _cdf(self, x):
        return math_ops.cast(x >= self._loc - self._slack, dtype=self.dtype)


class VectorDeterministic(_OneValue):
    def __init__(self, loc, atol=None, rtol=None, validate_args=False, allow_nan_stats=True, name="VectorDeterministic"):
        self._keep(loc, atol, rtol, True, validate_args, allow_nan_stats, name)

    def _batch_shape(self):
        return self._loc.shape[:-1]

    def _batch_shape_tensor(self):
        return array_ops.shape(self._loc)[:-1]

    def _event_shape(self):
        return self._loc.shape[-1:]

    def _event_shape_tensor(self):
        return array_ops.shape(self._loc)[-1]

    def _prob(self, x):
        if self._validate_args:
            rank = check_ops.assert_rank_at_least(x, 1)
            size = check_ops.assert_equal(self.event_shape_tensor(), array_ops.gather(
                array_ops.shape(x), array_ops.rank(x) - 1),
                message="Argument 'x' not defined in the same space R^k as this distribution")
            with control_dependencies([rank]), control_dependencies([size]):
                x = array_ops.identity(x)
        return math_ops.cast(math_ops.reduce_all(math_ops.abs(x - self._loc) <= self._slack, axis=-1), dtype=self.dtype)
