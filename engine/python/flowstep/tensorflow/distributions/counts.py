# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Distributions of counts and of classes: Bernoulli, Binomial, Poisson and the like, Multinomial, Categorical."""

import numpy as np

from .. import dtypes, nn
from ..control import control_flow, loops
from ..framework import tensor_shape
from ..framework.graph import control_dependencies, name_scope
from ..framework.ops import constant, convert_to_tensor, wrapper
from ..operators import array_ops, check_ops, linalg, math_ops, random_ops
from .base import NOT_REPARAMETERIZED, Distribution, ScalarFamily, own
from .positive import VectorOfConcentrations
from .shapes import embed_check_categorical_event_shape, embed_check_integer_casting_closed
from .shapes import embed_check_nonnegative_integer_form, assert_integer_form, gen_new_seed, get_logits_and_probs
from .shapes import log_combinations, softplus

igammac, betainc = wrapper("Igammac"), wrapper("Betainc")


class _LogitsProbs(ScalarFamily):
    logits, probs = own("logits", "probs")

    def _found(self, logits, probs, name, validate_args, along=False):
        self._logits, self._probs = get_logits_and_probs(logits, probs, along, validate_args, name)

    def _done(self, dtype, validate_args, allow_nan_stats, parents, name):
        Distribution.__init__(self, dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, graph_parents=parents, name=name)

    def _whole(self, x):
        return embed_check_nonnegative_integer_form(x) if self.validate_args else x


class Bernoulli(_LogitsProbs):
    _broadcast, _shaped = ("_logits",), ("logits",)

    def __init__(self, logits=None, probs=None, dtype=dtypes.int32, validate_args=False, allow_nan_stats=True,
                 name="Bernoulli"):
        with name_scope(name) as name:
            self._found(logits, probs, name, validate_args)
        self._done(dtypes.as_dtype(dtype), validate_args, allow_nan_stats, [self._logits, self._probs], name)

    def _sample_n(self, n, seed):
        uniform = random_ops.random_uniform(self._with_samples(n), seed=seed, dtype=self._probs.dtype)
        return math_ops.cast(math_ops.less(uniform, self._probs), self.dtype)

    def _log_prob(self, event):
        if self.validate_args:
            event = embed_check_integer_casting_closed(event, target_dtype=dtypes.bool)
        event, logits = math_ops.cast(event, self._logits.dtype), self._logits
        if not (event.shape.is_fully_defined() and logits.shape.is_fully_defined() and event.shape == logits.shape):
            logits, event = array_ops.ones_like(event) * logits, array_ops.ones_like(logits) * event
        return -nn.sigmoid_cross_entropy_with_logits(labels=event, logits=logits)

    def _entropy(self):
        return -self._logits * (math_ops.sigmoid(self._logits) - 1) + softplus(-self._logits)

    def _mean(self):
        return array_ops.identity(self._probs)

    def _variance(self):
        return self._mean() * (1. - self._probs)

    def _mode(self):
        return math_ops.cast(self._probs > 0.5, self.dtype)


class Binomial(_LogitsProbs):
    _broadcast = ("_total_count", "_probs")
    total_count, = own("total_count")

    def __init__(self, total_count, logits=None, probs=None, validate_args=False, allow_nan_stats=True, name="Binomial"):
        with name_scope(name, values=[total_count, logits, probs]) as name:
            self._total_count = convert_to_tensor(total_count, name="total_count")
            if validate_args:
                self._total_count = control_flow.with_dependencies([
                    check_ops.assert_non_negative(self._total_count, message="total_count must be non-negative."),
                    assert_integer_form(self._total_count, message="total_count cannot contain fractional components.")],
                    self._total_count)
            self._found(logits, probs, name, validate_args)
        self._done(self._probs.dtype, validate_args, allow_nan_stats, [self._total_count, self._logits, self._probs], name)

    def _checked(self, counts):
        if not self.validate_args:
            return counts
        counts = embed_check_nonnegative_integer_form(counts)
        return control_flow.with_dependencies([check_ops.assert_less_equal(
            counts, self.total_count, message="counts are not less than or equal to n.")], counts)

    def _log_prob(self, counts):
        return self._log_unnormalized_prob(counts) - self._log_normalization(counts)

    def _prob(self, counts):
        return math_ops.exp(self._log_prob(counts))

    def _cdf(self, counts):
        k, n, p = self._checked(counts), self.total_count, self.probs
        if not (k.shape.is_fully_defined() and p.shape.is_fully_defined() and k.shape.is_compatible_with(p.shape)):
            p += array_ops.zeros_like(k)
            k += array_ops.zeros_like(self.probs)
        ones = array_ops.ones_like(n - k)
        is_all = math_ops.equal(k, n)
        rest = array_ops.where_v2(is_all, ones, n - k)
        return array_ops.where_v2(is_all, ones, betainc(a=rest, b=k + 1, x=1 - p))

    def _log_unnormalized_prob(self, counts):
        counts = self._checked(counts)
        return counts * math_ops.log(self.probs) + (self.total_count - counts) * math_ops.log1p(-self.probs)

    def _log_normalization(self, counts):
        counts = self._checked(counts)
        return (math_ops.lgamma(1. + self.total_count - counts) + math_ops.lgamma(1. + counts) -
                math_ops.lgamma(1. + self.total_count))

    def _mean(self):
        return self.total_count * self.probs

    def _variance(self):
        return self._mean() * (1. - self.probs)

    def _mode(self):
        return math_ops.floor((1. + self.total_count) * self.probs)


class NegativeBinomial(_LogitsProbs):
    _broadcast = ("_total_count", "_probs")
    total_count, = own("total_count")

    def __init__(self, total_count, logits=None, probs=None, validate_args=False, allow_nan_stats=True,
                 name="NegativeBinomial"):
        with name_scope(name, values=[total_count, logits, probs]) as name:
            self._found(logits, probs, name, validate_args)
            with control_dependencies([check_ops.assert_positive(total_count)] if validate_args else []):
                self._total_count = array_ops.identity(total_count)
        self._done(self._probs.dtype, validate_args, allow_nan_stats, [self._total_count, self._probs, self._logits], name)

    def _sample_n(self, n, seed):
        rate = random_ops.random_gamma(shape=[n], alpha=self.total_count, beta=math_ops.exp(-self.logits), dtype=self.dtype,
                                       seed=seed)
        return random_ops.random_poisson(rate, shape=[], dtype=self.dtype, seed=gen_new_seed(seed, "negative_binom"))

    def _cdf(self, x):
        x = self._whole(x)
        return betainc(self.total_count, 1. + x, math_ops.sigmoid(-self.logits))

    def _log_prob(self, x):
        return self._log_unnormalized_prob(x) - self._log_normalization(x)

    def _log_unnormalized_prob(self, x):
        from ..names.aliases import log_sigmoid
        x = self._whole(x)
        return self.total_count * log_sigmoid(-self.logits) + x * log_sigmoid(self.logits)

    def _log_normalization(self, x):
        x = self._whole(x)
        return -math_ops.lgamma(self.total_count + x) + math_ops.lgamma(1. + x) + math_ops.lgamma(self.total_count)

    def _mean(self):
        return self.total_count * math_ops.exp(self.logits)

    def _mode(self):
        enough = 1. < self.total_count
        count = array_ops.where_v2(enough, self.total_count - 1., array_ops.zeros_like(self.total_count))
        return math_ops.floor(count * math_ops.exp(self.logits))

    def _variance(self):
        return self._mean() / math_ops.sigmoid(-self.logits)


class Geometric(_LogitsProbs):
    _broadcast = ("_probs",)

    def __init__(self, logits=None, probs=None, validate_args=False, allow_nan_stats=True, name="Geometric"):
        with name_scope(name, values=[logits, probs]) as name:
            self._found(logits, probs, name, validate_args)
            with control_dependencies([check_ops.assert_positive(self._probs)] if validate_args else []):
                self._probs = array_ops.identity(self._probs, name="probs")
        self._done(self._probs.dtype, validate_args, allow_nan_stats, [self._probs, self._logits], name)

    def _sample_n(self, n, seed):
        shape = array_ops.concat([[n], array_ops.shape(self._probs)], 0)
        sampled = random_ops.random_uniform(shape, minval=np.finfo(self.dtype.as_numpy_dtype).tiny, maxval=1., seed=seed,
                                            dtype=self.dtype)
        return math_ops.floor(math_ops.log(sampled) / math_ops.log1p(-self.probs))

    def _spread(self, x):
        x = embed_check_nonnegative_integer_form(x) if self.validate_args else math_ops.floor(x)
        return x * array_ops.ones_like(self.probs)

    def _cdf(self, x):
        x = self._spread(x)
        below = x < 0.
        zeros = array_ops.zeros_like(x)
        return array_ops.where(below, zeros, -math_ops.expm1((1. + x) * math_ops.log1p(-self.probs)))

    def _log_prob(self, x):
        x = self._spread(x)
        probs = self.probs * array_ops.ones_like(x)
        none = math_ops.equal(x, 0.)
        safe = array_ops.where(none, array_ops.zeros_like(probs), probs)
        return x * math_ops.log1p(-safe) + math_ops.log(probs)

    def _entropy(self):
        probs = self._probs
        if self.validate_args:
            probs = control_flow.with_dependencies([check_ops.assert_less(
                probs, constant(1., probs.dtype), message="Entropy is undefined when logits = inf or probs = 1.")], probs)
        return softplus(self.logits) / probs - self.logits

    def _mean(self):
        return math_ops.exp(-self.logits)

    def _variance(self):
        return self._mean() / self.probs

    def _mode(self):
        return array_ops.zeros(self.batch_shape_tensor(), dtype=self.dtype)


class Poisson(_LogitsProbs):
    _broadcast = ("_rate",)
    rate, log_rate = own("rate", "log_rate")

    def __init__(self, rate=None, log_rate=None, validate_args=False, allow_nan_stats=True, name="Poisson"):
        with name_scope(name, values=[rate]) as name:
            if (rate is None) == (log_rate is None):
                raise ValueError("Must specify exactly one of `rate` and `log_rate`.")
            key = "rate" if log_rate is None else "log_rate"
            given = convert_to_tensor(rate if log_rate is None else log_rate, name=key)
            if not given.dtype.is_floating:
                raise TypeError("%s.dtype (%s) is a not a float-type." % (key, given.dtype.name))
            if log_rate is None:
                with control_dependencies([check_ops.assert_positive(given)] if validate_args else []):
                    self._rate = array_ops.identity(given, name="rate")
                    self._log_rate = math_ops.log(given, name="log_rate")
            else:
                self._rate, self._log_rate = math_ops.exp(given, name="rate"), given
        self._done(self._rate.dtype, validate_args, allow_nan_stats, [self._rate], name)

    def _log_prob(self, x):
        return self._log_unnormalized_prob(x) - self.rate

    def _log_cdf(self, x):
        return math_ops.log(self.cdf(x))

    def _cdf(self, x):
        x = self._whole(x)
        return igammac(1. + x, self.rate)

    def _log_unnormalized_prob(self, x):
        x = self._whole(x)
        return x * self.log_rate - math_ops.lgamma(1. + x)

    def _mean(self):
        return array_ops.identity(self.rate)

    def _variance(self):
        return array_ops.identity(self.rate)

    def _mode(self):
        return math_ops.floor(self.rate)

    def _sample_n(self, n, seed):
        return random_ops.random_poisson(self.rate, [n], dtype=self.dtype, seed=seed)


class _Classes(_LogitsProbs):
    event_size, = own("event_size")

    def _keep_rank(self):
        known = self._logits.shape.with_rank_at_least(1)
        if known.ndims is not None:
            self._batch_rank = convert_to_tensor(known.ndims - 1, dtype=dtypes.int32, name="batch_rank")
        else:
            with name_scope("batch_rank"):
                self._batch_rank = array_ops.rank(self._logits) - 1
        return known

    def _batch_shape(self):
        return self._logits.shape[:-1]

    def _flat_logits(self):
        return self._logits if self._logits.shape.ndims == 2 else array_ops.reshape(self._logits, [-1, self._event_size])

    def _entropy(self):
        return -math_ops.reduce_sum(nn.log_softmax(self._logits) * self._probs, axis=-1)


class Categorical(_Classes):
    _shaped = ("logits",)

    def __init__(self, logits=None, probs=None, dtype=dtypes.int32, validate_args=False, allow_nan_stats=True,
                 name="Categorical"):
        with name_scope(name, values=[logits, probs]) as name:
            self._found(logits, probs, name, validate_args, True)
            if validate_args:
                self._logits = embed_check_categorical_event_shape(self._logits)
            known = self._keep_rank()
            shape = array_ops.shape(self._logits, name="logits_shape")
            if tensor_shape.dimension_value(known[-1]) is not None:
                self._event_size = convert_to_tensor(tensor_shape.dimension_value(known[-1]), dtype=dtypes.int32,
                                                     name="event_size")
            else:
                with name_scope("event_size"):
                    self._event_size = shape[self._batch_rank]
            if known[:-1].is_fully_defined():
                self._batch_shape_value = constant(known[:-1].as_list(), dtype=dtypes.int32, name="batch_shape")
            else:
                with name_scope("batch_shape"):
                    self._batch_shape_value = shape[:-1]
        self._done(dtypes.as_dtype(dtype), validate_args, allow_nan_stats, [self._logits, self._probs], name)

    def _batch_shape_tensor(self):
        return array_ops.identity(self._batch_shape_value)

    def _sample_n(self, n, seed):
        draws = random_ops.multinomial(self._flat_logits(), n, seed=seed,
                                       output_dtype=dtypes.int64 if self.dtype.size > 4 else dtypes.int32)
        draws = array_ops.reshape(array_ops.transpose(draws), self._with_samples(n))
        return math_ops.cast(draws, self.dtype)

    def _checked(self, k):
        k = convert_to_tensor(k, name="k")
        return embed_check_integer_casting_closed(k, target_dtype=dtypes.int32) if self.validate_args else k

    def _broadcast_event(self, event, logits):
        """The event, and logits or shares of the same batch."""
        if event.dtype.is_floating:
            event = math_ops.cast(event, dtypes.int32)
        elif not event.dtype.is_integer:
            raise TypeError("`value` should have integer `dtype` or `self.dtype` (%s)" % self.dtype.base_dtype)
        known = logits.shape.ndims is not None and logits.shape[:-1].is_fully_defined() and event.shape.is_fully_defined()
        if not known or logits.shape[:-1] != event.shape:
            logits *= array_ops.ones_like(event[..., None], dtype=logits.dtype)
            event *= array_ops.ones(array_ops.shape(logits)[:-1], dtype=event.dtype)
            if logits.shape.ndims is not None:
                event.set_shape(logits.shape[:-1])
        return event, logits

    def _cdf(self, k):
        k, probs = self._broadcast_event(self._checked(k), self._probs)
        flat_probs = array_ops.reshape(probs, (-1, self._event_size))
        up_to = array_ops.sequence_mask(array_ops.reshape(k, [-1]), self._event_size)
        total = math_ops.reduce_sum(array_ops.where(up_to, flat_probs, array_ops.zeros_like(flat_probs)), axis=-1)
        return array_ops.reshape(total, array_ops.shape(k))

    def _log_prob(self, k):
        k, logits = self._broadcast_event(self._checked(k), self._logits)
        return -nn.sparse_softmax_cross_entropy_with_logits(labels=k, logits=logits)

    def _mode(self):
        found = math_ops.cast(math_ops.argmax(self._logits, axis=self._batch_rank), self.dtype)
        found.set_shape(self.batch_shape)
        return found


class OneHotCategorical(_Classes):
    def __init__(self, logits=None, probs=None, dtype=dtypes.int32, validate_args=False, allow_nan_stats=True,
                 name="OneHotCategorical"):
        with name_scope(name, values=[logits, probs]) as name:
            self._found(logits, probs, name, validate_args, True)
            self._keep_rank()
            with name_scope("event_size"):
                self._event_size = array_ops.shape(self._logits)[-1]
        self._done(dtypes.as_dtype(dtype), validate_args, allow_nan_stats, [self._logits, self._probs], name)

    def _batch_shape_tensor(self):
        return array_ops.shape(self.logits)[:-1]

    def _event_shape(self):
        return self.logits.shape.with_rank_at_least(1)[-1:]

    def _event_shape_tensor(self):
        return array_ops.shape(self.logits)[-1:]

    def _sample_n(self, n, seed):
        shape = array_ops.concat([[n], array_ops.shape(self.logits)], 0)
        samples = array_ops.transpose(random_ops.multinomial(self._flat_logits(), n, seed=seed))
        return array_ops.reshape(array_ops.one_hot(samples, self._event_size, dtype=self.dtype), shape)

    def _log_prob(self, x):
        if self.validate_args:
            x = control_flow.with_dependencies([
                check_ops.assert_non_positive(x),
                check_ops.assert_near(array_ops.zeros([], dtype=self.dtype), math_ops.reduce_logsumexp(x, axis=[-1]))], x)
        logits = self.logits
        if not x.shape.is_fully_defined() or not logits.shape.is_fully_defined() or x.shape != logits.shape:
            logits = array_ops.ones_like(x, dtype=logits.dtype) * logits
            x = array_ops.ones_like(logits, dtype=x.dtype) * x
        shape = array_ops.shape(math_ops.reduce_sum(logits, -1))
        flat = array_ops.reshape(logits, [-1, self._event_size])
        flat_x = array_ops.reshape(x, [-1, self._event_size])
        return array_ops.reshape(-nn.softmax_cross_entropy_with_logits(labels=flat_x, logits=flat), shape)

    def _mode(self):
        found = array_ops.one_hot(math_ops.argmax(self.logits, axis=self._batch_rank), self._event_size, dtype=self.dtype)
        found.set_shape(self.logits.shape)
        return found

    def _covariance(self):
        p = self.probs
        return array_ops.matrix_set_diag(-math_ops.matmul(p[..., None], p[..., None, :]), self._variance())

    def _variance(self):
        return self.probs * (1. - self.probs)


class Multinomial(_LogitsProbs):
    total_count, = own("total_count")

    def __init__(self, total_count, logits=None, probs=None, validate_args=False, allow_nan_stats=True, name="Multinomial"):
        with name_scope(name, values=[total_count, logits, probs]) as name:
            self._total_count = convert_to_tensor(total_count, name="total_count")
            if validate_args:
                self._total_count = embed_check_nonnegative_integer_form(self._total_count)
            self._found(logits, probs, name, validate_args, True)
            self._mean_val = self._total_count[..., None] * self._probs
        self._done(self._probs.dtype, validate_args, allow_nan_stats, [self._total_count, self._logits, self._probs], name)

    def _batch_shape(self):
        return self._mean_val.shape.with_rank_at_least(1)[:-1]

    def _batch_shape_tensor(self):
        return array_ops.shape(self._mean_val)[:-1]

    def _event_shape(self):
        return self._mean_val.shape.with_rank_at_least(1)[-1:]

    def _event_shape_tensor(self):
        return array_ops.shape(self._mean_val)[-1:]

    def _sample_n(self, n, seed):
        draws = math_ops.cast(self.total_count, dtype=dtypes.int32)
        k = self.event_shape_tensor()[0]
        draws = array_ops.ones_like(self.logits[..., 0], dtype=draws.dtype) * draws
        logits = array_ops.ones_like(draws[..., None], dtype=self.logits.dtype) * self.logits
        flat_logits = array_ops.reshape(logits, [-1, k])
        flat_draws = n * array_ops.reshape(draws, [-1])

        def single(pair):
            x = random_ops.multinomial(pair[0][None, ...], pair[1], seed)
            x = array_ops.reshape(x, shape=[n, -1])
            return math_ops.reduce_sum(array_ops.one_hot(x, depth=k), axis=-2)
        x = loops.map_fn(single, [flat_logits, flat_draws], dtype=self.dtype)
        x = array_ops.transpose(x, perm=[1, 0, 2])
        return array_ops.reshape(x, array_ops.concat([[n], self.batch_shape_tensor(), [k]], 0))

    def _checked(self, counts):
        if not self.validate_args:
            return counts
        counts = embed_check_nonnegative_integer_form(counts)
        return control_flow.with_dependencies([check_ops.assert_equal(
            self.total_count, math_ops.reduce_sum(counts, -1), message="counts must sum to `self.total_count`")], counts)

    def _log_prob(self, counts):
        unnormalized = math_ops.reduce_sum(self._checked(counts) * nn.log_softmax(self.logits), -1)
        return unnormalized - -log_combinations(self.total_count, self._checked(counts))

    def _mean(self):
        return array_ops.identity(self._mean_val)

    def _all_probs(self):
        return self.probs * array_ops.ones_like(self.total_count)[..., None]

    def _covariance(self):
        p = self._all_probs()
        return array_ops.matrix_set_diag(-math_ops.matmul(self._mean_val[..., None], p[..., None, :]), self._variance())

    def _variance(self):
        p = self._all_probs()
        return self._mean_val - self._mean_val * p


class DirichletMultinomial(VectorOfConcentrations):
    total_count, = own("total_count")

    def __init__(self, total_count, concentration, validate_args=False, allow_nan_stats=True, name="DirichletMultinomial"):
        with name_scope(name, values=[total_count, concentration]) as name:
            self._total_count = convert_to_tensor(total_count, name="total_count")
            if validate_args:
                self._total_count = embed_check_nonnegative_integer_form(self._total_count)
            concentration = convert_to_tensor(concentration, name="concentration")
            if validate_args:
                concentration = embed_check_categorical_event_shape(concentration)
                concentration = control_flow.with_dependencies([check_ops.assert_positive(
                    concentration, message="Concentration parameter must be positive.")], concentration)
            self._concentration = concentration
            self._total_concentration = math_ops.reduce_sum(concentration, -1)
        super().__init__(concentration.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats,
                         graph_parents=[self._total_count, self._concentration], name=name)

    def _sample_n(self, n, seed):
        draws = math_ops.cast(self.total_count, dtype=dtypes.int32)
        k = self.event_shape_tensor()[0]
        logits = array_ops.reshape(math_ops.log(random_ops.random_gamma(
            shape=[n], alpha=self.concentration, dtype=self.dtype, seed=seed)), shape=[-1, k])
        drawn = random_ops.multinomial(logits=logits, num_samples=draws, seed=gen_new_seed(seed, salt="dirichlet_multinomial"))
        x = math_ops.reduce_sum(array_ops.one_hot(drawn, depth=k), -2)
        x = array_ops.reshape(x, array_ops.concat([[n], self.batch_shape_tensor(), [k]], 0))
        return math_ops.cast(x, self.dtype)

    def _log_prob(self, counts):
        if self.validate_args:
            counts = embed_check_nonnegative_integer_form(counts)
            counts = control_flow.with_dependencies([check_ops.assert_equal(
                self.total_count, math_ops.reduce_sum(counts, -1),
                message="counts last-dimension must sum to `self.total_count`")], counts)
        ordered = linalg.lbeta(self.concentration + counts) - linalg.lbeta(self.concentration)
        return ordered + log_combinations(self.total_count, counts)

    def _mean(self):
        return self.total_count * (self.concentration / self.total_concentration[..., None])

    def _variance(self):
        scale = self._variance_scale_term()
        x = scale * self._mean()
        return x * (self.total_count * scale - x)

    def _variance_scale_term(self):
        total = self.total_concentration[..., None]
        return math_ops.sqrt((1. + total / self.total_count) / (1. + total))
