# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Distributions with a place and a width: Normal, Uniform, Laplace, StudentT, Cauchy, Logistic, Gumbel, HalfNormal."""

import math

import numpy as np

from .. import nn
from ..control import control_flow
from ..framework.graph import control_dependencies, name_scope
from ..framework.ops import wrapper
from ..operators import array_ops, check_ops, linalg, math_ops, random_ops
from . import special
from .base import FULLY_REPARAMETERIZED, Distribution, ScalarFamily, broadcast_shape_tensor, own
from .shapes import gen_new_seed, softplus

betainc = wrapper("Betainc")


class _LocScale(ScalarFamily):
    _broadcast = ("_loc", "_scale")
    _shaped = ("loc", "scale")
    loc, scale = own("loc", "scale")

    def __init__(self, loc, scale, validate_args, allow_nan_stats, name, kind=-1):
        self._take(name, [("loc", loc), ("scale", scale)], ("scale",), validate_args, allow_nan_stats, kind=kind)

    def _standardized(self, x):
        with name_scope("standardize", values=[x]):
            return (x - self._loc) / self._scale

    def _log_prob(self, x):
        return self._log_unnormalized_prob(x) - self._log_normalization()


class Normal(_LocScale):
    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Normal"):
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)

    def _sample_n(self, n, seed):
        sampled = random_ops.random_normal(shape=self._with_samples(n), mean=0., stddev=1., dtype=self._loc.dtype, seed=seed)
        return sampled * self._scale + self._loc

    def _log_unnormalized_prob(self, x):
        return -0.5 * math_ops.square(self._standardized(x))

    def _log_normalization(self):
        return 0.5 * math.log(2. * math.pi) + math_ops.log(self._scale)

    def _cdf(self, x):
        return special.ndtr(self._standardized(x))

    def _log_cdf(self, x):
        return special.log_ndtr(self._standardized(x))

    def _survival_function(self, x):
        return special.ndtr(-self._standardized(x))

    def _log_survival_function(self, x):
        return special.log_ndtr(-self._standardized(x))

    def _quantile(self, p):
        z = special.ndtri(p)
        with name_scope("reconstruct", values=[z]):
            return z * self._scale + self._loc

    def _entropy(self):
        scale = self._scale * array_ops.ones_like(self._loc)
        return 0.5 * math.log(2. * math.pi * math.e) + math_ops.log(scale)

    def _mean(self):
        return self._loc * array_ops.ones_like(self._scale)

    def _mode(self):
        return self._mean()

    def _stddev(self):
        return self._scale * array_ops.ones_like(self._loc)


class NormalWithSoftplusScale(Normal):
    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="NormalWithSoftplusScale"):
        with name_scope(name, values=[scale]) as name:
            super().__init__(loc, softplus(scale, name="softplus_scale"), validate_args, allow_nan_stats, name)


class Laplace(_LocScale):
    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Laplace"):
        super().__init__(loc, scale, validate_args, allow_nan_stats, name, kind=0)

    def _sample_n(self, n, seed):
        kind = self.dtype.as_numpy_dtype
        uniform = random_ops.random_uniform(shape=self._with_samples(n), minval=np.nextafter(kind(-1.), kind(0.)), maxval=1.,
                                            dtype=self.dtype, seed=seed)
        return self._loc - self._scale * math_ops.sign(uniform) * math_ops.log1p(-math_ops.abs(uniform))

    def _standardized(self, x):
        return (x - self._loc) / self._scale

    def _prob(self, x):
        return math_ops.exp(self._log_prob(x))

    def _log_cdf(self, x):
        return special.log_cdf_laplace(self._standardized(x))

    def _log_survival_function(self, x):
        return special.log_cdf_laplace(-self._standardized(x))

    def _cdf(self, x):
        z = self._standardized(x)
        return 0.5 + 0.5 * math_ops.sign(z) * (1. - math_ops.exp(-math_ops.abs(z)))

    def _log_unnormalized_prob(self, x):
        return -math_ops.abs(self._standardized(x))

    def _log_normalization(self):
        return math.log(2.) + math_ops.log(self._scale)

    def _entropy(self):
        scale = self._scale + array_ops.zeros_like(self._loc)
        return math.log(2.) + 1. + math_ops.log(scale)

    def _mean(self):
        return self._loc + array_ops.zeros_like(self._scale)

    def _stddev(self):
        return math.sqrt(2.) * self._scale + array_ops.zeros_like(self._loc)

    def _mode(self):
        return self._mean()


class LaplaceWithSoftplusScale(Laplace):
    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="LaplaceWithSoftplusScale"):
        with name_scope(name, values=[loc, scale]) as name:
            super().__init__(loc, softplus(scale, name="softplus_scale"), validate_args, allow_nan_stats, name)


class Cauchy(_LocScale):
    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Cauchy"):
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)

    def _sample_n(self, n, seed):
        return self._quantile(random_ops.random_uniform(shape=self._with_samples(n), minval=0., maxval=1., dtype=self.dtype,
                                                        seed=seed))

    def _cdf(self, x):
        return math_ops.atan(self._standardized(x)) / np.pi + 0.5

    def _log_cdf(self, x):
        return math_ops.log1p(2 / np.pi * math_ops.atan(self._standardized(x))) - np.log(2)

    def _log_unnormalized_prob(self, x):
        return -math_ops.log1p(math_ops.square(self._standardized(x)))

    def _log_normalization(self):
        return np.log(np.pi) + math_ops.log(self._scale)

    def _entropy(self):
        return (np.log(4 * np.pi) + math_ops.log(self._scale)) * array_ops.ones_like(self._loc)

    def _quantile(self, p):
        return self._loc + self._scale * math_ops.tan(np.pi * (p - 0.5))

    def _mode(self):
        return self._loc * array_ops.ones_like(self._scale)

    def _undefined(self, what):
        if not self.allow_nan_stats:
            raise ValueError("`%s` is undefined for Cauchy distribution." % what)
        return array_ops.fill(self.batch_shape_tensor(), self.dtype.as_numpy_dtype(np.nan))

    def _mean(self):
        return self._undefined("mean")

    def _stddev(self):
        return self._undefined("stddev")


class Logistic(_LocScale):
    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Logistic"):
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)

    def _sample_n(self, n, seed):
        uniform = random_ops.random_uniform(shape=self._with_samples(n), minval=np.finfo(self.dtype.as_numpy_dtype).tiny,
                                            maxval=1., dtype=self.dtype, seed=seed)
        sampled = math_ops.log(uniform) - math_ops.log1p(-1. * uniform)
        return sampled * self._scale + self._loc

    def _log_cdf(self, x):
        return -softplus(-self._standardized(x))

    def _cdf(self, x):
        return math_ops.sigmoid(self._standardized(x))

    def _log_survival_function(self, x):
        return -softplus(self._standardized(x))

    def _survival_function(self, x):
        return math_ops.sigmoid(-self._standardized(x))

    def _log_unnormalized_prob(self, x):
        z = self._standardized(x)
        return -z - 2. * softplus(-z)

    def _log_normalization(self):
        return math_ops.log(self._scale)

    def _entropy(self):
        return 2 + math_ops.log(self._scale * array_ops.ones_like(self._loc))

    def _mean(self):
        return self._loc * array_ops.ones_like(self._scale)

    def _stddev(self):
        return self._scale * array_ops.ones_like(self._loc) * math.pi / math.sqrt(3)

    def _mode(self):
        return self._mean()


class Uniform(ScalarFamily):
    _broadcast = ("_low", "_high")
    _shaped = ("low", "high")
    low, high = own("low", "high")

    def __init__(self, low=0., high=1., validate_args=False, allow_nan_stats=True, name="Uniform"):
        with name_scope(name, values=[low, high]) as name:
            checks = [check_ops.assert_less(low, high, message="uniform not defined when low >= high.")] \
                if validate_args else []
            with control_dependencies(checks):
                self._low = array_ops.identity(low, name="low")
                self._high = array_ops.identity(high, name="high")
                check_ops.assert_same_float_dtype([self._low, self._high])
        Distribution.__init__(self, self._low.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats,
                              graph_parents=[self._low, self._high], name=name)

    def range(self, name="range"):
        with self._name_scope(name):
            return self._high - self._low

    def _sample_n(self, n, seed):
        samples = random_ops.random_uniform(shape=self._with_samples(n), dtype=self.dtype, seed=seed)
        return self._low + self.range() * samples

    def _prob(self, x):
        wide = x * array_ops.ones(self.batch_shape_tensor(), dtype=x.dtype)
        is_nan = math_ops.is_nan(wide)
        outside = math_ops.logical_or(wide < self._low, wide >= self._high)
        zeros = array_ops.zeros_like(wide)
        inside = array_ops.ones_like(wide) / self.range()
        return array_ops.where_v2(is_nan, wide, array_ops.where_v2(outside, zeros, inside))

    def _cdf(self, x):
        shape = array_ops.shape(x)
        shape = broadcast_shape_tensor(shape, self.batch_shape_tensor())
        zeros = array_ops.zeros(shape, dtype=self.dtype)
        ones = array_ops.ones(shape, dtype=self.dtype)
        wide = x * ones
        below = x < self._low
        if_not_above = array_ops.where_v2(below, zeros, (wide - self._low) / self.range())
        return array_ops.where_v2(x >= self._high, ones, if_not_above)

    def _entropy(self):
        return math_ops.log(self.range())

    def _mean(self):
        return (self._low + self._high) / 2.

    def _variance(self):
        return math_ops.square(self.range()) / 12.

    def _stddev(self):
        return self.range() / math.sqrt(12.)


class HalfNormal(ScalarFamily):
    _broadcast = ("_scale",)
    _shaped = ("scale",)
    scale, = own("scale")

    def __init__(self, scale, validate_args=False, allow_nan_stats=True, name="HalfNormal"):
        self._take(name, [("scale", scale)], ("scale",), validate_args, allow_nan_stats)

    def _sample_n(self, n, seed):
        sampled = random_ops.random_normal(shape=self._with_samples(n), mean=0., stddev=1., dtype=self.dtype, seed=seed)
        return math_ops.abs(sampled * self._scale)

    def _prob(self, x):
        factor = np.sqrt(2) / self._scale / np.sqrt(np.pi)
        density = factor * math_ops.exp(-0.5 * (x / self._scale) ** 2)
        return density * math_ops.cast(x >= 0, self.dtype)

    def _cdf(self, x):
        return math_ops.erf(nn.relu(x) / self._scale / np.sqrt(2.))

    def _entropy(self):
        return 0.5 * math_ops.log(np.pi * self._scale ** 2. / 2.) + 0.5

    def _mean(self):
        return self._scale * np.sqrt(2.) / np.sqrt(np.pi)

    def _quantile(self, p):
        return np.sqrt(2.) * self._scale * special.erfinv(p)

    def _mode(self):
        return array_ops.zeros(self.batch_shape_tensor())

    def _variance(self):
        return self._scale ** 2. * (1. - 2. / np.pi)


class StudentT(ScalarFamily):
    _broadcast = ("_df", "_loc", "_scale")
    _shaped = ("df", "loc", "scale")
    df, loc, scale = own("df", "loc", "scale")

    def __init__(self, df, loc, scale, validate_args=False, allow_nan_stats=True, name="StudentT"):
        self._take(name, [("df", df), ("loc", loc), ("scale", scale)], ("df",), validate_args, allow_nan_stats)

    def _sample_n(self, n, seed):
        normal = random_ops.random_normal(self._with_samples(n), dtype=self.dtype, seed=seed)
        df = self._df * self._ones()
        gamma = random_ops.random_gamma([n], 0.5 * df, beta=0.5, dtype=self.dtype, seed=gen_new_seed(seed, salt="student_t"))
        return normal * math_ops.rsqrt(gamma / df) * self._scale + self._loc

    def _ones(self):
        return array_ops.ones(self.batch_shape_tensor(), dtype=self.dtype)

    def _log_prob(self, x):
        y = (x - self._loc) / self._scale
        return -0.5 * (self._df + 1.) * math_ops.log1p(y ** 2. / self._df) - self._log_normalization()

    def _log_normalization(self):
        return (math_ops.log(math_ops.abs(self._scale)) + 0.5 * math_ops.log(self._df) + 0.5 * np.log(np.pi) +
                math_ops.lgamma(0.5 * self._df) - math_ops.lgamma(0.5 * (self._df + 1.)))

    def _cdf(self, x):
        y = (x - self._loc) / math_ops.abs(self._scale)
        share = self._df / (y ** 2. + self._df)
        lower = 0.5 * betainc(0.5 * self._df, 0.5, share)
        return array_ops.where_v2(math_ops.less(y, 0.), lower, 1. - lower)

    def _entropy(self):
        v = self._ones()[..., None]
        u = v * self._df[..., None]
        both = array_ops.concat([u, v], -1) / 2.
        return (math_ops.log(math_ops.abs(self._scale)) + 0.5 * math_ops.log(self._df) + linalg.lbeta(both) +
                0.5 * (self._df + 1.) * (math_ops.digamma(0.5 * (self._df + 1.)) - math_ops.digamma(0.5 * self._df)))

    def _where_defined(self, value, what):
        """The value where there is one: nan elsewhere, or an error at once."""
        if not self.allow_nan_stats:
            return control_flow.with_dependencies([check_ops.assert_less(
                array_ops.ones([], dtype=self.dtype), self._df, message="%s not defined for components of df <= 1" % what)],
                value)
        nan = np.array(np.nan, dtype=self.dtype.as_numpy_dtype)
        enough = math_ops.greater(self._df, self._ones())
        return array_ops.where_v2(enough, value, array_ops.fill(self.batch_shape_tensor(), nan, name="nan"))

    def _mean(self):
        return self._where_defined(self._loc * self._ones(), "mean")

    def _variance(self):
        enough = math_ops.greater(self._df, 2.)
        below = array_ops.where_v2(enough, self._df - 2., array_ops.ones_like(self._df))
        variance = self._ones() * math_ops.square(self._scale) * self._df / below
        inf = np.array(np.inf, dtype=self.dtype.as_numpy_dtype)
        is_finite = self._df > array_ops.fill(self.batch_shape_tensor(), 2.)
        return self._where_defined(array_ops.where_v2(
            is_finite, variance, array_ops.fill(self.batch_shape_tensor(), inf, name="inf")), "variance")

    def _mode(self):
        return array_ops.identity(self._loc)


class StudentTWithAbsDfSoftplusScale(StudentT):
    def __init__(self, df, loc, scale, validate_args=False, allow_nan_stats=True, name="StudentTWithAbsDfSoftplusScale"):
        with name_scope(name, values=[df, scale]) as name:
            df = math_ops.floor(math_ops.abs(df))
            super().__init__(df, loc, softplus(scale, name="softplus_scale"), validate_args, allow_nan_stats, name)
