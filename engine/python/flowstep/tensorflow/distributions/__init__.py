# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.distributions, and what tf.contrib.distributions has beside."""

from . import bijectors
from .around import Deterministic, Independent, VectorDeterministic
from .base import FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED, Distribution, ReparameterizationType
from .counts import Bernoulli, Binomial, Categorical, DirichletMultinomial, Geometric, Multinomial, NegativeBinomial
from .counts import OneHotCategorical, Poisson
from .divergences import RegisterKL, kl_divergence
from .locations import Cauchy, HalfNormal, Laplace, LaplaceWithSoftplusScale, Logistic, Normal
from .locations import NormalWithSoftplusScale, StudentT, StudentTWithAbsDfSoftplusScale, Uniform
from .positive import Beta, BetaWithSoftplusConcentration, Chi2, Chi2WithAbsDf, Dirichlet, Exponential
from .positive import ExponentialWithSoftplusRate, Gamma, GammaWithSoftplusConcentrationRate, InverseGamma
from .positive import InverseGammaWithSoftplusConcentrationRate
from .relaxed import ExpRelaxedOneHotCategorical, RelaxedOneHotCategorical
from .shapes import fill_triangular, fill_triangular_inverse, matrix_diag_transform, reduce_weighted_logsumexp
from .shapes import softplus_inverse, tridiag
from .transformed import MultivariateNormalDiag, MultivariateNormalDiagPlusLowRank
from .transformed import MultivariateNormalDiagWithSoftplusScale, MultivariateNormalFullCovariance
from .transformed import MultivariateNormalTriL, RelaxedBernoulli, TransformedDistribution

PUBLIC = dict(Distribution=Distribution, Normal=Normal, Uniform=Uniform, Bernoulli=Bernoulli, Categorical=Categorical,
              Beta=Beta, Dirichlet=Dirichlet, DirichletMultinomial=DirichletMultinomial, Exponential=Exponential, Gamma=Gamma,
              Laplace=Laplace, Multinomial=Multinomial, StudentT=StudentT, RegisterKL=RegisterKL, kl_divergence=kl_divergence,
              ReparameterizationType=ReparameterizationType, FULLY_REPARAMETERIZED=FULLY_REPARAMETERIZED,
              NOT_REPARAMETERIZED=NOT_REPARAMETERIZED)
CONTRIB = dict(PUBLIC, **{value.__name__: value for value in (
    BetaWithSoftplusConcentration, Binomial, Cauchy, Chi2, Chi2WithAbsDf, ExponentialWithSoftplusRate, Geometric,
    GammaWithSoftplusConcentrationRate, HalfNormal, InverseGamma, InverseGammaWithSoftplusConcentrationRate,
    LaplaceWithSoftplusScale, Logistic, NegativeBinomial, NormalWithSoftplusScale, OneHotCategorical, Poisson,
    StudentTWithAbsDfSoftplusScale, fill_triangular, fill_triangular_inverse, matrix_diag_transform,
    reduce_weighted_logsumexp, softplus_inverse, tridiag, MultivariateNormalDiag, MultivariateNormalDiagPlusLowRank,
    MultivariateNormalDiagWithSoftplusScale, MultivariateNormalFullCovariance, MultivariateNormalTriL, RelaxedBernoulli,
    TransformedDistribution, Deterministic, Independent, VectorDeterministic, ExpRelaxedOneHotCategorical,
    RelaxedOneHotCategorical)})
BIJECTORS = bijectors.PUBLIC
