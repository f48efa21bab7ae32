# snippets_distributions.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.distributions and tf.contrib.distributions: what each family says of itself, its samples and its densities."""

import tensorflow as tf
from tensorflow.contrib import distributions as more

tfd = tf.distributions
_VALUES = 'prob log_prob cdf log_cdf survival_function log_survival_function quantile'.split()
_NUMBERS = 'entropy mean mode variance stddev covariance is_scalar_event is_scalar_batch batch_shape_tensor event_shape_tensor'.split()


def _ask(d, value=None, seed=7, shape=(2, 3)):
    """Everything a distribution answers."""
    if value is None:
        d.sample(), d.sample(5, seed=seed)
        value = d.sample(shape, seed=seed + 1)
    for name in _VALUES + _NUMBERS:
        try:
            getattr(d, name)(value) if name in _VALUES else getattr(d, name)()
        except (NotImplementedError, ValueError) as error:
            tf.no_op(name='no_' + name + '_' + ''.join(c for c in str(error) if c.isalnum())[:20])


def _floats(name, *shape):
    return tf.placeholder(tf.float32, shape or None, name=name)


def normal():
    _ask(tfd.Normal(0., [1., 2.]))
    _ask(tfd.Normal(_floats('mu', None, 3), tf.nn.softplus(_floats('s', 3)), validate_args=True, name='policy'))
    _ask(more.NormalWithSoftplusScale(_floats('m', 2), _floats('r', 2)))


def laplace():
    _ask(tfd.Laplace([0., 1.], 2.))
    _ask(tfd.Laplace(_floats('mu'), 1., validate_args=True))
    _ask(more.LaplaceWithSoftplusScale(0., _floats('s', 2)))


def student_t():
    _ask(tfd.StudentT(3., [0., 1.], 2.))
    _ask(tfd.StudentT(_floats('df', None), 0., 1., allow_nan_stats=False, validate_args=True))
    _ask(more.StudentTWithAbsDfSoftplusScale([-3.5, 2.], 0., 1.))


def uniform():
    _ask(tfd.Uniform(low=[0., 1.], high=3.))
    _ask(tfd.Uniform(_floats('low', None, 2), 4., validate_args=True), _floats('x', None, 2))


def cauchy_logistic():
    _ask(more.Cauchy(0., [1., 2.]))
    _ask(more.Logistic(_floats('loc', None), 2., validate_args=True))
    _ask(more.HalfNormal([1., 2.]))


def bernoulli():
    _ask(tfd.Bernoulli(logits=[0.1, 2.]))
    _ask(tfd.Bernoulli(probs=_floats('p', None, 2), dtype=tf.float32, validate_args=True))


def categorical():
    _ask(tfd.Categorical(logits=[[0.1, 2., 1.], [1., 1., 1.]]))
    _ask(tfd.Categorical(probs=[0.2, 0.3, 0.5], dtype=tf.int64))
    _ask(tfd.Categorical(logits=_floats('l', None, 4), name='actor'))
    _ask(tfd.Categorical(probs=_floats('p', None, None), validate_args=True))
    tfd.Categorical(logits=_floats('q', None, 4)).log_prob(tf.placeholder(tf.int32, [None], name='actions'))


def one_hot_categorical():
    _ask(more.OneHotCategorical(logits=[0.1, 2., 1.], dtype=tf.float32))
    d = more.OneHotCategorical(probs=_floats('p', None, 3), dtype=tf.float32)
    _ask(d, _floats('x', None, 3))
    d.kl_divergence(more.OneHotCategorical(logits=_floats('l', None, 3)))


def binomial():
    _ask(more.Binomial(total_count=5., probs=[0.2, 0.3]), [1., 2.])
    _ask(more.Binomial(total_count=[4., 5.], logits=_floats('l', None, 2), validate_args=True), _floats('x', None, 2))


def negative_binomial():
    _ask(more.NegativeBinomial(5., probs=[0.2, 0.3]))
    d = more.NegativeBinomial([4., 5.], logits=_floats('l', None, 2), validate_args=True)
    d.sample(3, seed=4), _ask(d, _floats('x', None, 2))


def geometric_poisson():
    _ask(more.Geometric(probs=[0.2, 0.3]))
    _ask(more.Geometric(logits=_floats('l', None), validate_args=True))
    _ask(more.Poisson([1., 2.5]))
    _ask(more.Poisson(log_rate=_floats('r', None), validate_args=True))


def gamma():
    _ask(tfd.Gamma([1., 2.], 3.))
    _ask(tfd.Gamma(_floats('a', None), 3., validate_args=True, allow_nan_stats=False))
    _ask(more.GammaWithSoftplusConcentrationRate([1., 2.], 3.))


def exponential():
    _ask(tfd.Exponential([1., 2.]))
    _ask(tfd.Exponential(_floats('r', None), validate_args=True))
    _ask(more.ExponentialWithSoftplusRate(_floats('s', 2)))


def chi2_inverse_gamma():
    _ask(more.Chi2([1., 2.]))
    _ask(more.Chi2WithAbsDf(_floats('d', 2), validate_args=True))
    _ask(more.InverseGamma([1., 3.], 2.))
    _ask(more.InverseGamma(_floats('c', 2), 2., allow_nan_stats=False, validate_args=True))
    _ask(more.InverseGammaWithSoftplusConcentrationRate(1., _floats('s', 2)))


def beta():
    _ask(tfd.Beta([1., 2.], 3.))
    _ask(tfd.Beta(_floats('a', None), 3., validate_args=True, allow_nan_stats=False))
    _ask(more.BetaWithSoftplusConcentration(_floats('b', 2), 3.))


def dirichlet():
    _ask(tfd.Dirichlet([1., 2., 3.]))
    d = tfd.Dirichlet(_floats('a', None, 3), validate_args=True, allow_nan_stats=False)
    d.sample(3, seed=4), _ask(d, _floats('x', None, 3))


def multinomial():
    _ask(tfd.Multinomial(5., probs=[0.2, 0.3, 0.5]))
    d = tfd.Multinomial(_floats('n', None), logits=_floats('l', None, 3), validate_args=True)
    d.sample(3, seed=4), _ask(d, _floats('x', None, 3))


def dirichlet_multinomial():
    _ask(tfd.DirichletMultinomial(5., [1., 2., 3.]))
    d = tfd.DirichletMultinomial(_floats('n'), _floats('a', None, 3), validate_args=True)
    d.sample(3, seed=4), _ask(d, _floats('x', None, 3))


def divergences():
    a, b = tfd.Gamma([1., 2.], 3.), tfd.Gamma(2., _floats('r', 2))
    a.kl_divergence(b), tfd.kl_divergence(b, a, allow_nan_stats=False)
    tfd.Beta(1., 2.).kl_divergence(tfd.Beta([2., 3.], 1.)), tfd.Dirichlet([1., 2.]).cross_entropy(tfd.Dirichlet([2., 1.]))
    tfd.Normal(0., 1.).cross_entropy(tfd.Normal(1., 2.)), tfd.Exponential(1.).kl_divergence(tfd.Exponential(2.))

    @tfd.RegisterKL(tfd.Laplace, tfd.Laplace)
    def _laplace(p, q, name=None):
        return tf.identity(p.loc - q.loc, name=name)
    tfd.kl_divergence(tfd.Laplace(0., 1.), tfd.Laplace(1., 1.), name='mine')


def copies_and_shapes():
    d = tfd.Normal(loc=1., scale=[1., 2.])
    d.copy(scale=3.).mean(), tf.constant(str(d)), tf.constant(repr(tfd.Dirichlet([1., 2.])))
    tfd.Normal.param_shapes([2, 3]), tf.constant(str(sorted(tfd.Gamma.param_static_shapes([4]).items())))
    tf.constant(str(sorted((k, str(v)) for k, v in d.parameters.items())))
    tfd.Normal(0., 1.).sample(tf.placeholder(tf.int32, name='n')), tfd.Normal(0., 1.).sample(tf.placeholder(tf.int32, [None]))


def matrices():
    x = _floats('x', 2, 6)
    m = more.fill_triangular(x), more.fill_triangular(x, upper=True), more.fill_triangular(_floats('y', None, None))
    more.fill_triangular_inverse(m[0]), more.fill_triangular_inverse(m[1], upper=True), more.fill_triangular_inverse(m[2])
    more.matrix_diag_transform(m[0], transform=tf.nn.softplus), more.tridiag([1., 2.], [1., 2., 3.], [3., 4.])
    more.softplus_inverse(x), more.reduce_weighted_logsumexp(x, [[1.]], axis=1, return_sign=True)
    more.reduce_weighted_logsumexp(x, keep_dims=True)


def normal_vectors():
    _ask(more.MultivariateNormalDiag([0., 1.], [1., 2.]))
    _ask(more.MultivariateNormalDiag(loc=_floats('mu', None, 3), scale_diag=tf.exp(tf.get_variable('logstd', [3])), name='policy'))
    _ask(more.MultivariateNormalDiag(tf.zeros([4, 2])))
    _ask(more.MultivariateNormalDiag(tf.zeros([2]), scale_identity_multiplier=3., validate_args=True))
    _ask(more.MultivariateNormalDiagWithSoftplusScale(_floats('m', 2), _floats('s', 2)))


def normal_vectors_by_matrices():
    _ask(more.MultivariateNormalTriL([0., 1.], [[1., 0.], [2., 3.]]))
    _ask(more.MultivariateNormalTriL(scale_tril=_floats('t', None, 3, 3)))
    _ask(more.MultivariateNormalFullCovariance(_floats('m', 2), [[2., 1.], [1., 3.]], validate_args=True))
    _ask(more.MultivariateNormalDiagPlusLowRank(tf.zeros([3]), [1., 2., 3.], scale_perturb_factor=_floats('u', 3, 1)))


def divergences_of_vectors():
    a, b = more.MultivariateNormalDiag([0., 1.], [1., 2.]), more.MultivariateNormalDiag(_floats('m', None, 2), [2., 2.])
    a.kl_divergence(b), tfd.kl_divergence(b, more.MultivariateNormalTriL(tf.zeros([2]), [[1., 0.], [2., 3.]]))


def transformed():
    bijectors = more.bijectors
    _ask(more.TransformedDistribution(tfd.Normal(0., [1., 2.]), bijectors.Exp()))
    _ask(more.TransformedDistribution(tfd.Normal(0., 1.), event_shape=[3]))
    _ask(more.TransformedDistribution(tfd.Normal(0., [1., 2.]), bijectors.Sigmoid(), event_shape=[3], name='turned'))
    _ask(more.RelaxedBernoulli(0.5, logits=[1., 2.]), [0.2, 0.7])
    b = bijectors.Sigmoid()
    b.forward_log_det_jacobian(_floats('x', None, 2), event_ndims=1), b.inverse(b.forward(_floats('y', 2)))
    bijectors.Identity().inverse_log_det_jacobian([1.], event_ndims=0)


def independent_and_deterministic():
    _ask(more.Independent(tfd.Normal(tf.zeros([4, 2]), [1., 2.]), reinterpreted_batch_ndims=1))
    _ask(more.Independent(tfd.Bernoulli(logits=_floats('l', None, 3), dtype=tf.float32)))
    _ask(more.Deterministic([1., 2.])), _ask(more.Deterministic(_floats('c', None), atol=0.1, rtol=0.2, validate_args=True))
    _ask(more.VectorDeterministic([[1., 2.]]))
    _ask(more.VectorDeterministic(_floats('v', None, 2), validate_args=True), _floats('x', None, 2))
