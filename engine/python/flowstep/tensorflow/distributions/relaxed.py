# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Classes made smooth by a temperature (the Concrete distribution of Maddison et al., 2017): of one-hot vectors, and of
their logarithms, which do not underflow."""

import numpy as np

from .. import nn
from ..control import control_flow
from ..framework.graph import control_dependencies, name_scope
from ..operators import array_ops, check_ops, math_ops, random_ops
from . import bijectors
from .base import FULLY_REPARAMETERIZED, Distribution, own
from .counts import OneHotCategorical
from .transformed import TransformedDistribution


class ExpRelaxedOneHotCategorical(OneHotCategorical):
    temperature, = own("temperature")

    def __init__(self, temperature, logits=None, probs=None, dtype=None, validate_args=False, allow_nan_stats=True,
                 name="ExpRelaxedOneHotCategorical"):
        with name_scope(name, values=[logits, probs, temperature]) as name:
            self._found(logits, probs, name, validate_args, True)
            # TF: as it is where arguments are checked.
            if dtype is None and not validate_args:
                temperature = math_ops.cast(temperature, self._logits.dtype)
            dtype = self._logits.dtype if dtype is None else dtype
            with control_dependencies([check_ops.assert_positive(temperature)] if validate_args else []):
                self._temperature = array_ops.identity(temperature, name="temperature")
                self._temperature_2d = array_ops.reshape(temperature, [-1, 1], name="temperature_2d")
            self._keep_rank()
            with name_scope("event_size"):
                self._event_size = array_ops.shape(self._logits)[-1]
        Distribution.__init__(self, dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats,
                              graph_parents=[self._logits, self._probs, self._temperature], name=name)

    def _rows(self, x):
        return array_ops.reshape(x, [-1, self._event_size])

    def _sample_n(self, n, seed):
        shape = array_ops.concat([[n], array_ops.shape(self._logits)], 0)
        logits = self._rows(self._logits * array_ops.ones(shape, dtype=self.dtype))
        # Not of 0, whose logarithm is none.
        tiny = np.finfo(self.dtype.as_numpy_dtype).tiny
        uniform = random_ops.random_uniform(array_ops.shape(logits), minval=tiny, maxval=1, dtype=self.dtype, seed=seed)
        gumbel = -math_ops.log(-math_ops.log(uniform))
        samples = nn.log_softmax(math_ops.div(gumbel + logits, self._temperature_2d))
        return array_ops.reshape(samples, shape)

    def _log_prob(self, x):
        if self.validate_args:
            x = self._checked(x)
        logits = self._logits
        if not x.shape.is_fully_defined() or not logits.shape.is_fully_defined() or x.shape != logits.shape:
            logits = array_ops.ones_like(x, dtype=logits.dtype) * logits
            x = array_ops.ones_like(logits, dtype=x.dtype) * x
        shape = array_ops.shape(math_ops.reduce_sum(logits, axis=[-1]))
        flat, flat_x = self._rows(logits), self._rows(x)
        size = math_ops.cast(self._event_size, dtype=self.dtype)
        scale = math_ops.lgamma(size) + (size - 1) * math_ops.log(self._temperature)
        density = math_ops.reduce_sum(nn.log_softmax(flat - flat_x * self._temperature_2d), axis=[-1])
        return array_ops.reshape(scale + density, shape)

    def _checked(self, x):
        return control_flow.with_dependencies([
            check_ops.assert_non_positive(x),
            check_ops.assert_near(array_ops.zeros([], dtype=self.dtype), math_ops.reduce_logsumexp(x, axis=[-1]))], x)


class RelaxedOneHotCategorical(TransformedDistribution):
    def __init__(self, temperature, logits=None, probs=None, dtype=None, validate_args=False, allow_nan_stats=True,
                 name="RelaxedOneHotCategorical"):
        base = ExpRelaxedOneHotCategorical(temperature, logits=logits, probs=probs, dtype=dtype, validate_args=validate_args,
                                           allow_nan_stats=allow_nan_stats)
        super().__init__(base, bijectors.Exp(), validate_args=validate_args, name=name)
