# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Divergences between two distributions of a kind."""

from .. import nn
from ..control import control_flow
from ..framework.graph import control_dependencies, name_scope
from ..framework.ops import constant
from ..operators import array_ops, linalg, math_ops
from .counts import Bernoulli, Categorical, OneHotCategorical
from .locations import Normal
from .positive import Beta, Dirichlet, Gamma
from .shapes import softplus


def _normal(a, b, name):
    with name_scope(name, "kl_normal_normal", [a.loc, b.loc]):
        one, two, half = (constant(v, dtype=a.dtype) for v in (1, 2, 0.5))
        a_squared, b_squared = math_ops.square(a.scale), math_ops.square(b.scale)
        ratio = a_squared / b_squared
        return math_ops.squared_difference(a.loc, b.loc) / (two * b_squared) + half * (ratio - one - math_ops.log(ratio))


def _bernoulli(a, b, name):
    with name_scope(name, "kl_bernoulli_bernoulli", [a.logits, b.logits]):
        zeros = softplus(-b.logits) - softplus(-a.logits)
        ones = softplus(b.logits) - softplus(a.logits)
        return math_ops.sigmoid(a.logits) * zeros + math_ops.sigmoid(-a.logits) * ones


def _categorical(a, b, name):
    with name_scope(name, "kl_categorical_categorical", [a.logits, b.logits]):
        difference = nn.log_softmax(a.logits) - nn.log_softmax(b.logits)
        return math_ops.reduce_sum(nn.softmax(a.logits) * difference, axis=-1)


def _one_hot(a, b, name):
    with name_scope(name, "kl_categorical_categorical", [a.logits, b.logits]):
        shares = nn.softmax(a.logits)
        return math_ops.reduce_sum(shares * (nn.log_softmax(a.logits) - nn.log_softmax(b.logits)), axis=-1)


def _gamma(a, b, name):
    with name_scope(name, "kl_gamma_gamma", [a.concentration, a.rate, b.concentration, b.rate]):
        return ((a.concentration - b.concentration) * math_ops.digamma(a.concentration) +
                math_ops.lgamma(b.concentration) - math_ops.lgamma(a.concentration) +
                b.concentration * math_ops.log(a.rate) - b.concentration * math_ops.log(b.rate) +
                a.concentration * (b.rate / a.rate - 1.))


def _beta(a, b, name):
    with name_scope(name, "kl_beta_beta", [a.concentration1, a.concentration0, a.total_concentration, b.concentration1,
                                           b.concentration0, b.total_concentration]):
        # TF: what stands for b is made first.
        of_b = b._log_normalization()
        return (of_b - a._log_normalization() -
                math_ops.digamma(a.concentration1) * (b.concentration1 - a.concentration1) -
                math_ops.digamma(a.concentration0) * (b.concentration0 - a.concentration0) +
                math_ops.digamma(a.total_concentration) * (b.total_concentration - a.total_concentration))


def _dirichlet(a, b, name):
    with name_scope(name, "kl_dirichlet_dirichlet", [a.concentration, b.concentration]):
        of_sum = math_ops.digamma(math_ops.reduce_sum(a.concentration, axis=-1, keepdims=True))
        of_each = math_ops.digamma(a.concentration) - of_sum
        difference = a.concentration - b.concentration
        return (math_ops.reduce_sum(difference * of_each, axis=-1) - linalg.lbeta(a.concentration) +
                linalg.lbeta(b.concentration))


_divergences = {(Normal, Normal): _normal, (Bernoulli, Bernoulli): _bernoulli, (Categorical, Categorical): _categorical,
                (OneHotCategorical, OneHotCategorical): _one_hot, (Gamma, Gamma): _gamma, (Beta, Beta): _beta,
                (Dirichlet, Dirichlet): _dirichlet}


def _find_divergence(a, b):
    pairs = [(i + k, _divergences[x, y]) for i, x in enumerate(type(a).__mro__) for k, y in enumerate(type(b).__mro__)
             if (x, y) in _divergences]
    return min(pairs, key=lambda pair: pair[0])[1] if pairs else None


class RegisterKL:
    """@RegisterKL(A, B): the divergence of an A from a B."""

    def __init__(self, dist_cls_a, dist_cls_b):
        self._key = (dist_cls_a, dist_cls_b)

    def __call__(self, kl_fn):
        if not callable(kl_fn):
            raise TypeError("kl_fn must be callable, received: %s" % kl_fn)
        if self._key in _divergences:
            raise ValueError("KL(%s || %s) has already been registered to: %s" % (
                self._key[0].__name__, self._key[1].__name__, _divergences[self._key]))
        _divergences[self._key] = kl_fn
        return kl_fn


def kl_divergence(distribution_a, distribution_b, allow_nan_stats=True, name=None):
    function = _find_divergence(distribution_a, distribution_b)
    if function is None:
        raise NotImplementedError("No KL(distribution_a || distribution_b) registered for distribution_a type %s and "
                                  "distribution_b type %s" % (type(distribution_a).__name__, type(distribution_b).__name__))
    with name_scope("KullbackLeibler"):
        found = function(distribution_a, distribution_b, name=name)
        if allow_nan_stats:
            return found
        found = array_ops.identity(found, name="kl")
        check = control_flow.Assert(math_ops.logical_not(math_ops.reduce_any(math_ops.is_nan(found))), [
            "KL calculation between %s and %s returned NaN values (and was called with allow_nan_stats=False). Values:" % (
                distribution_a.name, distribution_b.name), found])
        with control_dependencies([check]):
            return array_ops.identity(found, name="checked_kl")


def cross_entropy(ref, other, allow_nan_stats=True, name=None):
    with name_scope(name, "cross_entropy"):
        return ref.entropy() + kl_divergence(ref, other, allow_nan_stats=allow_nan_stats)
