# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Distributions of positive values and of shares: Gamma and its kin, Beta, Dirichlet."""

import numpy as np

from ..control import control_flow
from ..framework import ops
from ..framework.graph import control_dependencies, name_scope
from ..framework.ops import convert_to_tensor, wrapper
from ..operators import array_ops, check_ops, linalg, math_ops, random_ops
from .base import FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED, Distribution, ScalarFamily, own
from .shapes import gen_new_seed, softplus

igammac, betainc = wrapper("Igammac"), wrapper("Betainc")


def nan_or_refused(distribution, value, shape, is_defined, checks):
    """The value where it is defined and nan elsewhere, or with checks that it is defined everywhere."""
    if not distribution.allow_nan_stats:
        return control_flow.with_dependencies([check_ops.assert_less(low, high, message=words)
                                               for low, high, words in checks()], value)
    nan = array_ops.fill(shape(), np.array(np.nan, dtype=distribution.dtype.as_numpy_dtype), name="nan")
    return array_ops.where_v2(is_defined(), value, nan)


class _ConcentrationRate(ScalarFamily):
    _broadcast = ("_concentration", "_rate")
    _shaped = ("concentration", "rate")
    concentration, rate = own("concentration", "rate")

    def _log_prob(self, x):
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _log_normalization(self):
        return math_ops.lgamma(self.concentration) - self.concentration * math_ops.log(self.rate)

    def _checked(self, x):
        check_ops.assert_same_float_dtype(tensors=[x], dtype=self.dtype)
        return control_flow.with_dependencies([check_ops.assert_positive(x)], x) if self.validate_args else x

    def _above(self, limit, value, words):
        def low():
            return ops.constant(limit, dtype=self.dtype) if limit != 1. else array_ops.ones([], self.dtype)
        return nan_or_refused(self, value, self.batch_shape_tensor, lambda: self.concentration > limit,
                              lambda: [(low(), self.concentration, words)])


class Gamma(_ConcentrationRate):
    def __init__(self, concentration, rate, validate_args=False, allow_nan_stats=True, name="Gamma"):
        self._take(name, [("concentration", concentration), ("rate", rate)], ("concentration", "rate"), validate_args,
                   allow_nan_stats, kind=0)

    def _sample_n(self, n, seed):
        return random_ops.random_gamma(shape=[n], alpha=self.concentration, beta=self.rate, dtype=self.dtype, seed=seed)

    def _cdf(self, x):
        return math_ops.igamma(self.concentration, self.rate * self._checked(x))

    def _log_unnormalized_prob(self, x):
        x = self._checked(x)
        return math_ops.xlogy(self.concentration - 1., x) - self.rate * x

    def _entropy(self):
        return (self.concentration - math_ops.log(self.rate) + math_ops.lgamma(self.concentration) +
                (1. - self.concentration) * math_ops.digamma(self.concentration))

    def _mean(self):
        return self.concentration / self.rate

    def _variance(self):
        return self.concentration / math_ops.square(self.rate)

    def _stddev(self):
        return math_ops.sqrt(self.concentration) / self.rate

    def _mode(self):
        return self._above(1., (self.concentration - 1.) / self.rate, "mode not defined when any concentration <= 1")


class GammaWithSoftplusConcentrationRate(Gamma):
    def __init__(self, concentration, rate, validate_args=False, allow_nan_stats=True,
                 name="GammaWithSoftplusConcentrationRate"):
        with name_scope(name, values=[concentration, rate]) as name:
            concentration = softplus(concentration, name="softplus_concentration")
            super().__init__(concentration, softplus(rate, name="softplus_rate"), validate_args, allow_nan_stats, name)


class Exponential(Gamma):
    _shaped = ("rate",)

    def __init__(self, rate, validate_args=False, allow_nan_stats=True, name="Exponential"):
        with name_scope(name, values=[rate]) as name:
            rate = convert_to_tensor(rate, name="rate")
        super().__init__(array_ops.ones([], dtype=rate.dtype), rate, validate_args, allow_nan_stats, name)

    def _log_survival_function(self, value):
        return self._log_prob(value) - math_ops.log(self._rate)

    def _sample_n(self, n, seed):
        shape = array_ops.concat([[n], array_ops.shape(self._rate)], 0)
        sampled = random_ops.random_uniform(shape, minval=np.finfo(self.dtype.as_numpy_dtype).tiny, maxval=1., seed=seed,
                                            dtype=self.dtype)
        return -math_ops.log(sampled) / self._rate


class ExponentialWithSoftplusRate(Exponential):
    def __init__(self, rate, validate_args=False, allow_nan_stats=True, name="ExponentialWithSoftplusRate"):
        with name_scope(name, values=[rate]) as name:
            super().__init__(softplus(rate, name="softplus_rate"), validate_args, allow_nan_stats, name)


class Chi2(Gamma):
    _shaped = ("df",)
    df, = own("df")

    def __init__(self, df, validate_args=False, allow_nan_stats=True, name="Chi2"):
        with name_scope(name, values=[df]) as name:
            with control_dependencies([check_ops.assert_positive(df)] if validate_args else []):
                self._df = array_ops.identity(df, name="df")
            half = 0.5 * self._df
            super().__init__(half, ops.constant(0.5, dtype=self._df.dtype), validate_args, allow_nan_stats, name)


class Chi2WithAbsDf(Chi2):
    def __init__(self, df, validate_args=False, allow_nan_stats=True, name="Chi2WithAbsDf"):
        with name_scope(name, values=[df]) as name:
            df = math_ops.floor(math_ops.abs(df, name="abs_df"), name="floor_abs_df")
            super().__init__(df, validate_args, allow_nan_stats, name)


class InverseGamma(_ConcentrationRate):
    def __init__(self, concentration, rate, validate_args=False, allow_nan_stats=True, name="InverseGamma"):
        self._take(name, [("concentration", concentration), ("rate", rate)], ("concentration", "rate"), validate_args,
                   allow_nan_stats, NOT_REPARAMETERIZED, kind=0)

    def _sample_n(self, n, seed):
        return 1. / random_ops.random_gamma(shape=[n], alpha=self.concentration, beta=self.rate, dtype=self.dtype, seed=seed)

    def _cdf(self, x):
        return igammac(self.concentration, self.rate / self._checked(x))

    def _log_unnormalized_prob(self, x):
        x = self._checked(x)
        return -(1. + self.concentration) * math_ops.log(x) - self.rate / x

    def _entropy(self):
        return (self.concentration + math_ops.log(self.rate) + math_ops.lgamma(self.concentration) -
                (1. + self.concentration) * math_ops.digamma(self.concentration))

    def _mean(self):
        return self._above(1., self.rate / (self.concentration - 1.), "mean undefined when any concentration <= 1")

    def _variance(self):
        variance = (math_ops.square(self.rate) / math_ops.squared_difference(self.concentration, 1.) /
                    (self.concentration - 2.))
        return self._above(2., variance, "variance undefined when any concentration <= 2")

    def _mode(self):
        return self.rate / (1. + self.concentration)


class InverseGammaWithSoftplusConcentrationRate(InverseGamma):
    def __init__(self, concentration, rate, validate_args=False, allow_nan_stats=True,
                 name="InverseGammaWithSoftplusConcentrationRate"):
        with name_scope(name, values=[concentration, rate]) as name:
            concentration = softplus(concentration, name="softplus_concentration")
            super().__init__(concentration, softplus(rate, name="softplus_rate"), validate_args, allow_nan_stats, name)


class Beta(ScalarFamily):
    _broadcast = ("_total_concentration",)
    _shaped = ("concentration1", "concentration0")
    concentration1, concentration0, total_concentration = own("concentration1", "concentration0", "total_concentration")

    def __init__(self, concentration1=None, concentration0=None, validate_args=False, allow_nan_stats=True, name="Beta"):
        def checked(value, name):
            value = convert_to_tensor(value, name=name)
            return value if not validate_args else control_flow.with_dependencies([check_ops.assert_positive(
                value, message="Concentration parameter must be positive.")], value)
        with name_scope(name, values=[concentration1, concentration0]) as name:
            self._concentration1 = checked(concentration1, "concentration1")
            self._concentration0 = checked(concentration0, "concentration0")
            check_ops.assert_same_float_dtype([self._concentration1, self._concentration0])
            self._total_concentration = self._concentration1 + self._concentration0
        Distribution.__init__(self, self._total_concentration.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats,
                              graph_parents=[self._concentration1, self._concentration0, self._total_concentration], name=name)

    def _sample_n(self, n, seed):
        total = self.total_concentration
        first = array_ops.ones_like(total, dtype=self.dtype) * self.concentration1
        second = array_ops.ones_like(total, dtype=self.dtype) * self.concentration0
        x = random_ops.random_gamma(shape=[n], alpha=first, dtype=self.dtype, seed=seed)
        y = random_ops.random_gamma(shape=[n], alpha=second, dtype=self.dtype, seed=gen_new_seed(seed, "beta"))
        return x / (x + y)

    def _log_prob(self, x):
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _prob(self, x):
        return math_ops.exp(self._log_prob(x))

    def _log_cdf(self, x):
        return math_ops.log(self._cdf(x))

    def _cdf(self, x):
        return betainc(self.concentration1, self.concentration0, x)

    def _log_unnormalized_prob(self, x):
        if self.validate_args:
            x = control_flow.with_dependencies([
                check_ops.assert_positive(x, message="sample must be positive"),
                check_ops.assert_less(x, array_ops.ones([], self.dtype), message="sample must be less than `1`.")], x)
        return math_ops.xlogy(self.concentration1 - 1., x) + (self.concentration0 - 1.) * math_ops.log1p(-x)

    def _log_normalization(self):
        return (math_ops.lgamma(self.concentration1) + math_ops.lgamma(self.concentration0) -
                math_ops.lgamma(self.total_concentration))

    def _entropy(self):
        return (self._log_normalization() - (self.concentration1 - 1.) * math_ops.digamma(self.concentration1) -
                (self.concentration0 - 1.) * math_ops.digamma(self.concentration0) +
                (self.total_concentration - 2.) * math_ops.digamma(self.total_concentration))

    def _mean(self):
        return self._concentration1 / self._total_concentration

    def _variance(self):
        return self._mean() * (1. - self._mean()) / (1. + self.total_concentration)

    def _mode(self):
        def checks():
            for key in ("concentration1", "concentration0"):
                yield array_ops.ones([], dtype=self.dtype), getattr(self, key), "Mode undefined for %s <= 1." % key
        mode = (self.concentration1 - 1.) / (self.total_concentration - 2.)
        return nan_or_refused(self, mode, self.batch_shape_tensor, lambda: math_ops.logical_and(
            self.concentration1 > 1., self.concentration0 > 1.), checks)


class BetaWithSoftplusConcentration(Beta):
    def __init__(self, concentration1, concentration0, validate_args=False, allow_nan_stats=True,
                 name="BetaWithSoftplusConcentration"):
        with name_scope(name, values=[concentration1, concentration0]) as name:
            first = softplus(concentration1, name="softplus_concentration1")
            super().__init__(first, softplus(concentration0, name="softplus_concentration0"), validate_args, allow_nan_stats,
                             name)


class VectorOfConcentrations(Distribution):
    """What Dirichlet and DirichletMultinomial have in common."""

    concentration, total_concentration = own("concentration", "total_concentration")

    def _batch_shape(self):
        return self.total_concentration.shape

    def _batch_shape_tensor(self):
        return array_ops.shape(self.total_concentration)

    def _event_shape(self):
        return self.concentration.shape.with_rank_at_least(1)[-1:]

    def _event_shape_tensor(self):
        return array_ops.shape(self.concentration)[-1:]

    def _prob(self, x):
        return math_ops.exp(self._log_prob(x))

    def _covariance(self):
        x = self._variance_scale_term() * self._mean()
        return array_ops.matrix_set_diag(-math_ops.matmul(x[..., None], x[..., None, :]), self._variance())


class Dirichlet(VectorOfConcentrations):
    def __init__(self, concentration, validate_args=False, allow_nan_stats=True, name="Dirichlet"):
        with name_scope(name, values=[concentration]) as name:
            concentration = convert_to_tensor(concentration, name="concentration")
            if validate_args:
                words = "Concentration parameter must "
                concentration = control_flow.with_dependencies([
                    check_ops.assert_positive(concentration, message=words + "be positive."),
                    check_ops.assert_rank_at_least(concentration, 1, message=words + "have >=1 dimensions."),
                    check_ops.assert_less(1, array_ops.shape(concentration)[-1], message=words + "have event_size >= 2.")],
                    concentration)
            self._concentration = concentration
            self._total_concentration = math_ops.reduce_sum(concentration, -1)
        super().__init__(concentration.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats,
                         graph_parents=[self._concentration, self._total_concentration], name=name)

    def _sample_n(self, n, seed):
        sample = random_ops.random_gamma(shape=[n], alpha=self.concentration, dtype=self.dtype, seed=seed)
        return sample / math_ops.reduce_sum(sample, -1, keepdims=True)

    def _log_prob(self, x):
        if self.validate_args:
            x = control_flow.with_dependencies([
                check_ops.assert_positive(x, message="samples must be positive"),
                check_ops.assert_near(array_ops.ones([], dtype=self.dtype), math_ops.reduce_sum(x, -1),
                                      message="sample last-dimension must sum to `1`")], x)
        unnormalized = math_ops.reduce_sum(math_ops.xlogy(self.concentration - 1., x), -1)
        return unnormalized - self._log_normalization()

    def _log_normalization(self):
        return linalg.lbeta(self.concentration)

    def _size(self):
        return math_ops.cast(self.event_shape_tensor()[0], self.dtype)

    def _entropy(self):
        k = self._size()
        return (self._log_normalization() + (self.total_concentration - k) * math_ops.digamma(self.total_concentration) -
                math_ops.reduce_sum((self.concentration - 1.) * math_ops.digamma(self.concentration), axis=-1))

    def _mean(self):
        return self.concentration / self.total_concentration[..., None]

    def _variance(self):
        scale = self._variance_scale_term()
        x = scale * self._mean()
        return x * (scale - x)

    def _variance_scale_term(self):
        return math_ops.rsqrt(1. + self.total_concentration[..., None])

    def _mode(self):
        k = self._size()
        mode = (self.concentration - 1.) / (self.total_concentration[..., None] - k)
        return nan_or_refused(
            self, mode, lambda: array_ops.shape(mode), lambda: math_ops.reduce_all(self.concentration > 1., axis=-1),
            lambda: [(array_ops.ones([], self.dtype), self.concentration, "Mode undefined when any concentration <= 1")])
