# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Distributions of what a function makes of samples: TransformedDistribution, RelaxedBernoulli, and the normal of vectors."""

import numpy as np

from .. import dtypes, linear_operators
from ..control import control_flow
from ..framework import ops, tensor_shape
from ..framework.graph import control_dependencies, name_scope
from ..framework.ops import constant, constant_value, convert_to_tensor
from ..names import aliases
from ..operators import array_ops, check_ops, linalg, math_ops
from . import bijectors
from .base import Distribution, broadcast_shape_tensor, own
from .divergences import RegisterKL
from .locations import Logistic, Normal
from .shapes import dimension_size, get_logits_and_probs, pick_vector, softplus


def _known(x):
    return constant_value(convert_to_tensor(x))


def _logical_and(*values):
    known = [_known(value) for value in values]
    if any(value is not None and not bool(value) for value in known):
        return constant(False)
    if all(value is not None and bool(value) for value in known):
        return constant(True)
    return math_ops.logical_and(*values) if len(values) == 2 else math_ops.reduce_all(values)


def _logical_not(x):
    known = _known(x)
    return math_ops.logical_not(x) if known is None else constant(np.logical_not(known))


def _logical_equal(x, y):
    first, second = _known(x), _known(y)
    return math_ops.equal(x, y) if first is None or second is None else constant(np.array_equal(first, second))


def _concat_vectors(*vectors):
    known = [_known(vector) for vector in vectors]
    if any(vector is None for vector in known):
        return array_ops.concat(vectors, 0)
    return constant([int(x) for vector in known for x in vector])


def _ones_like(x):
    return array_ops.ones(x.shape.as_list(), dtype=x.dtype) if x.shape.is_fully_defined() else array_ops.ones_like(x)


def _ndims_of(shape):
    if shape.shape.ndims not in (None, 1):
        raise ValueError("input is not a valid shape: not 1D")
    if not shape.dtype.is_integer:
        raise TypeError("input is not a valid shape: wrong dtype")
    return constant(shape.shape.as_list()[0]) if shape.shape.is_fully_defined() else array_ops.shape(shape)[0]


class TransformedDistribution(Distribution):
    def __init__(self, distribution, bijector=None, batch_shape=None, event_shape=None, validate_args=False, name=None):
        name = name or ("" if bijector is None else bijector.name) + distribution.name
        with name_scope(name, values=[event_shape, batch_shape]) as name:
            self._zero = constant(0, dtype=dtypes.int32, name="zero")
            self._empty = constant([], dtype=dtypes.int32, name="empty")
            if bijector is None:
                bijector = bijectors.Identity(validate_args=validate_args)
            self._keep_override("batch", batch_shape, distribution.is_scalar_batch(), validate_args)
            self._keep_override("event", event_shape, distribution.is_scalar_event(), validate_args)
            not_batch = _logical_not(self._is_batch_override)
            self._needs_rotation = _logical_and(self._is_event_override, not_batch,
                                                _logical_not(distribution.is_scalar_batch()))
            ndims = _ndims_of(self._override_event_shape)
            rotates = _known(self._needs_rotation)
            self._rotate_ndims = array_ops.where_v2(self._needs_rotation, ndims, 0) if rotates is None else \
                ndims if rotates else 0
            self._reduce_event_indices = math_ops.range(self._rotate_ndims - ndims, self._rotate_ndims)
        self._distribution, self._bijector = distribution, bijector
        super().__init__(distribution.dtype, distribution.reparameterization_type, validate_args, distribution.allow_nan_stats,
                         graph_parents=distribution._graph_parents + bijector.graph_parents, name=name)

    distribution, bijector = own("distribution", "bijector")

    def _keep_override(self, what, shape, base_is_scalar, validate_args):
        """A shape that stands for the distribution's own, which is scalar then."""
        shape = self._checked_override(shape, base_is_scalar, validate_args, what + "_shape")
        setattr(self, "_override_%s_shape" % what, shape)
        setattr(self, "_is_%s_override" % what, _logical_not(_logical_equal(_ndims_of(shape), self._zero)))
        known = constant_value(shape)
        setattr(self, "_is_maybe_%s_override" % what, known is None or known.size != 0)

    def _checked_override(self, shape, base_is_scalar, validate_args, name):
        shape = convert_to_tensor([] if shape is None else shape, dtype=dtypes.int32, name=name)
        is_scalar = _logical_equal(_ndims_of(shape), 0)
        if constant_value(is_scalar):
            return self._empty
        known, assertions = constant_value(shape), []
        if shape.shape.ndims is not None:
            if shape.shape.ndims != 1:
                raise ValueError("shape override must be a vector")
        elif validate_args:
            assertions.append(check_ops.assert_rank(shape, 1, message="shape override must be a vector"))
        if known is not None:
            if any(size <= 0 for size in known):
                raise ValueError("shape override must have positive elements")
        elif validate_args:
            assertions.append(check_ops.assert_positive(shape, message="shape override must have positive elements"))
        both = _logical_not(base_is_scalar)
        both = _logical_and(both, _logical_not(is_scalar))
        known = constant_value(both)
        if known is not None:
            if known:
                raise ValueError("base distribution not scalar")
        elif validate_args:
            assertions.append(check_ops.assert_equal(both, False, message="base distribution not scalar"))
        return control_flow.with_dependencies(assertions, shape) if assertions else shape

    def _event_shape_tensor(self):
        own_shape = self.distribution.event_shape_tensor()
        return self.bijector.forward_event_shape_tensor(pick_vector(
            self._is_event_override, self._override_event_shape, own_shape))

    def _event_shape(self):
        override = ops.constant_value_as_shape(self._override_event_shape)
        return self.bijector.forward_event_shape(
            override if self._is_maybe_event_override else self.distribution.event_shape)

    def _batch_shape_tensor(self):
        return pick_vector(self._is_batch_override, self._override_batch_shape, self.distribution.batch_shape_tensor())

    def _batch_shape(self):
        override = ops.constant_value_as_shape(self._override_batch_shape)
        return override if self._is_maybe_batch_override else self.distribution.batch_shape

    def _sample_n(self, n, seed):
        first = pick_vector(self._needs_rotation, self._empty, [n])
        last = pick_vector(self._needs_rotation, [n], self._empty)
        shape = _concat_vectors(first, self._override_batch_shape, self._override_event_shape, last)
        return self._turned(self.distribution.sample(sample_shape=shape, seed=seed))

    def _call_sample_n(self, sample_shape, seed, name, **keywords):
        with self._name_scope(name, [sample_shape]):
            sample_shape = convert_to_tensor(sample_shape, dtype=dtypes.int32, name="sample_shape")
            sample_shape, n = self._expand_sample_shape_to_vector(sample_shape, "sample_shape")
            x = self._sample_n(n, seed, **keywords)
            rest = array_ops.shape(x)[1:]
            x = array_ops.reshape(x, array_ops.concat([sample_shape, rest], 0))
            return self._set_sample_static_shape(self.bijector.forward(x), sample_shape)

    def _density(self, y, density, reduce, join):
        x = self.bijector.inverse(y)
        ndims = self._event_ndims()
        volume = self.bijector.inverse_log_det_jacobian(y, event_ndims=ndims)
        found = density(self._turned(x, True))
        if self._is_maybe_event_override:
            found = reduce(found, self._reduce_event_indices)
        found = join(found, math_ops.cast(volume, found.dtype))
        if self._is_maybe_event_override and isinstance(ndims, int):
            found.set_shape(aliases.broadcast_static_shape(y.shape.with_rank_at_least(1)[:-ndims], self.batch_shape))
        return found

    def _log_prob(self, y):
        return self._density(y, self.distribution.log_prob, math_ops.reduce_sum, lambda found, volume: found + volume)

    def _prob(self, y):
        return self._density(y, self.distribution.prob, math_ops.reduce_prod,
                             lambda found, volume: found * math_ops.exp(volume))

    def _of_inverse(self, y, name):
        if self._is_maybe_event_override:
            raise NotImplementedError("%s is not implemented when overriding event_shape" % name)
        return getattr(self.distribution, name)(self.bijector.inverse(y))

    def _log_cdf(self, y):
        return self._of_inverse(y, "log_cdf")

    def _cdf(self, y):
        return self._of_inverse(y, "cdf")

    def _log_survival_function(self, y):
        return self._of_inverse(y, "log_survival_function")

    def _survival_function(self, y):
        return self._of_inverse(y, "survival_function")

    def _quantile(self, value):
        if self._is_maybe_event_override:
            raise NotImplementedError("quantile is not implemented when overriding event_shape")
        return self.bijector.forward(self.distribution.quantile(value))

    def _entropy(self):
        if not self.bijector.is_constant_jacobian:
            raise NotImplementedError("entropy is not implemented")
        entropy = self.distribution.entropy()
        if self._is_maybe_event_override:
            entropy *= math_ops.cast(math_ops.reduce_prod(self._override_event_shape), dtype=entropy.dtype.base_dtype)
        if self._is_maybe_batch_override:
            ones = _ones_like(self._override_batch_shape)
            entropy = array_ops.reshape(entropy, array_ops.concat([ones, self.distribution.batch_shape_tensor()], 0))
            ones = _ones_like(self.distribution.batch_shape_tensor())
            entropy = array_ops.tile(entropy, array_ops.concat([self._override_batch_shape, ones], 0))
        batch = self.batch_shape_tensor()
        dummy = array_ops.zeros(shape=array_ops.concat([batch, self.event_shape_tensor()], 0), dtype=self.dtype)
        ndims = self.event_shape.ndims
        ndims = array_ops.size(self.event_shape_tensor()) if ndims is None else ndims
        entropy -= math_ops.cast(self.bijector.inverse_log_det_jacobian(dummy, event_ndims=ndims), entropy.dtype)
        entropy.set_shape(self.batch_shape)
        return entropy

    def _turned(self, x, right=False):
        rotates = constant_value(self._needs_rotation)
        if rotates is not None and not rotates:
            return x
        ndims = array_ops.rank(x)
        n = ndims - self._rotate_ndims if right else self._rotate_ndims
        last = math_ops.range(n, ndims)
        return array_ops.transpose(x, _concat_vectors(last, math_ops.range(0, n)))

    def _event_ndims(self):
        if self.event_shape.ndims is not None:
            return self.event_shape.ndims
        ndims = array_ops.size(self.event_shape_tensor())
        known = constant_value(ndims)
        return ndims if known is None else int(known)


class RelaxedBernoulli(TransformedDistribution):
    def __init__(self, temperature, logits=None, probs=None, validate_args=False, allow_nan_stats=True,
                 name="RelaxedBernoulli"):
        with name_scope(name, values=[logits, probs, temperature]) as name:
            with control_dependencies([check_ops.assert_positive(temperature)] if validate_args else []):
                self._temperature = array_ops.identity(temperature, name="temperature")
            self._logits, self._probs = get_logits_and_probs(logits, probs, validate_args=validate_args)
            loc = self._logits / self._temperature
            base = Logistic(loc, 1. / self._temperature, validate_args, allow_nan_stats, name=name + "/Logistic")
            super().__init__(base, bijectors.Sigmoid(validate_args=validate_args), validate_args=validate_args, name=name)

    temperature, logits, probs = own("temperature", "logits", "probs")


# -- normal vectors

def _is_diagonal(scale):
    return isinstance(scale, (linear_operators.LinearOperatorIdentity, linear_operators.LinearOperatorScaledIdentity,
                              linear_operators.LinearOperatorDiag))


def _shapes(loc, scale):
    """The shapes of batch and event of a place and a width."""
    with name_scope("shapes_from_loc_and_scale", values=[loc] + scale.graph_parents):
        size = scale.range_dimension_tensor()
        known = constant_value(size)
        event_shape = size[None] if known is None else known.reshape([1])
        if loc is not None:
            own_size = tensor_shape.dimension_value(loc.shape[-1])
            if own_size is not None and known is not None and own_size != 1 and own_size != known:
                raise ValueError("Event size of 'scale' (%d) could not be broadcast up to that of 'loc' (%d)." % (
                    known, own_size))
        batch_shape = scale.batch_shape_tensor()
        if loc is None:
            known = constant_value(batch_shape)
            return batch_shape if known is None else known, event_shape
        of_loc = loc.shape.with_rank_at_least(1)[:-1]
        if loc.shape.ndims is None or not of_loc.is_fully_defined():
            of_loc = array_ops.shape(loc)[:-1]
        else:
            of_loc = convert_to_tensor(of_loc, name="loc_batch_shape")
        return _broadcast(batch_shape, of_loc), event_shape


def _broadcast(first, second):
    with name_scope("prefer_static_broadcast_shape", values=[first, second]):
        tensors = [convert_to_tensor(shape, name="shape", dtype=dtypes.int32) for shape in (first, second)]
        known = [constant_value(tensor) for tensor in tensors]
        if not any(value is None for value in known):
            return aliases.broadcast_static_shape(*[tensor_shape.TensorShape(value.tolist()) for value in known])
        return broadcast_shape_tensor(*tensors)


def _diag_scale(loc, diag, multiplier, validate_args, assert_positive):
    def checked(x):
        if not validate_args:
            return x
        if assert_positive:
            check = check_ops.assert_positive(x, message="diagonal part must be positive")
        else:
            check = check_ops.assert_none_equal(x, array_ops.zeros([], x.dtype), message="diagonal part must be non-zero")
        return control_flow.with_dependencies([check], x)
    with name_scope("make_diag_scale", values=[loc, diag, multiplier]):
        loc, diag, multiplier = (value if value is None else convert_to_tensor(value, name=name) for name, value in (
            ("loc", loc), ("scale_diag", diag), ("scale_identity_multiplier", multiplier)))
        if diag is not None:
            if multiplier is not None:
                diag += multiplier[..., None]
            return linear_operators.LinearOperatorDiag(diag=checked(diag), is_non_singular=True, is_self_adjoint=True,
                                                       is_positive_definite=assert_positive)
        if loc is None:
            raise ValueError("Cannot infer `event_shape` unless `loc` or `shape_hint` is specified.")
        if multiplier is None:
            return linear_operators.LinearOperatorIdentity(
                num_rows=loc.shape[-1], dtype=loc.dtype.base_dtype, is_self_adjoint=True, is_positive_definite=True,
                assert_proper_shapes=validate_args)
        return linear_operators.LinearOperatorScaledIdentity(
            num_rows=loc.shape[-1], multiplier=checked(multiplier), is_non_singular=True, is_self_adjoint=True,
            is_positive_definite=assert_positive, assert_proper_shapes=validate_args)


class MultivariateNormalLinearOperator(TransformedDistribution):
    def __init__(self, loc=None, scale=None, validate_args=False, allow_nan_stats=True,
                 name="MultivariateNormalLinearOperator"):
        if scale is None:
            raise ValueError("Missing required `scale` parameter.")
        if not scale.dtype.is_floating:
            raise TypeError("`scale` parameter must have floating-point dtype.")
        with name_scope(name, values=[loc] + scale.graph_parents) as name:
            loc = convert_to_tensor(loc, name="loc") if loc is not None else loc
            batch_shape, event_shape = _shapes(loc, scale)
        zero = array_ops.zeros([], dtype=scale.dtype)
        base = Normal(loc=zero, scale=array_ops.ones([], dtype=scale.dtype))
        super().__init__(base, bijectors.AffineLinearOperator(loc, scale, validate_args), batch_shape, event_shape,
                         validate_args, name)

    loc = property(lambda self: self.bijector.shift)
    scale = property(lambda self: self.bijector.scale)

    def _mean(self):
        shape = self.batch_shape.concatenate(self.event_shape)
        is_known = shape.is_fully_defined()
        if not is_known:
            batch = self.batch_shape_tensor()
            shape = array_ops.concat([batch, self.event_shape_tensor()], 0)
        if self.loc is None:
            return array_ops.zeros(shape, self.dtype)
        if is_known and shape == self.loc.shape:
            return array_ops.identity(self.loc)
        return array_ops.identity(self.loc) + array_ops.zeros(shape, self.dtype)

    def _mode(self):
        return self._mean()

    def _covariance(self):
        if _is_diagonal(self.scale):
            return array_ops.matrix_diag(math_ops.square(self.scale.diag_part()))
        return self.scale.matmul(self.scale.to_dense(), adjoint_arg=True)

    def _squares(self):
        symmetric = isinstance(self.scale, linear_operators.LinearOperatorLowRankUpdate) and self.scale.is_self_adjoint
        return array_ops.matrix_diag_part(self.scale.matmul(self.scale.to_dense(), adjoint_arg=not symmetric))

    def _variance(self):
        return math_ops.square(self.scale.diag_part()) if _is_diagonal(self.scale) else self._squares()

    def _stddev(self):
        return math_ops.abs(self.scale.diag_part()) if _is_diagonal(self.scale) else math_ops.sqrt(self._squares())


class MultivariateNormalDiag(MultivariateNormalLinearOperator):
    def __init__(self, loc=None, scale_diag=None, scale_identity_multiplier=None, validate_args=False, allow_nan_stats=True,
                 name="MultivariateNormalDiag"):
        with name_scope(name) as name:
            with name_scope("init", values=[loc, scale_diag, scale_identity_multiplier]):
                scale = _diag_scale(loc, scale_diag, scale_identity_multiplier, False, False)
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)


class MultivariateNormalDiagWithSoftplusScale(MultivariateNormalDiag):
    def __init__(self, loc, scale_diag, validate_args=False, allow_nan_stats=True,
                 name="MultivariateNormalDiagWithSoftplusScale"):
        with name_scope(name, values=[scale_diag]) as name:
            super().__init__(loc, softplus(scale_diag), validate_args=validate_args, allow_nan_stats=allow_nan_stats, name=name)


class MultivariateNormalTriL(MultivariateNormalLinearOperator):
    def __init__(self, loc=None, scale_tril=None, validate_args=False, allow_nan_stats=True, name="MultivariateNormalTriL"):
        if loc is None and scale_tril is None:
            raise ValueError("Must specify one or both of `loc`, `scale_tril`.")
        with name_scope(name) as name:
            with name_scope("init", values=[loc, scale_tril]):
                loc = None if loc is None else convert_to_tensor(loc, name="loc")
                if scale_tril is None:
                    scale = linear_operators.LinearOperatorIdentity(
                        num_rows=dimension_size(loc, -1), dtype=loc.dtype, is_self_adjoint=True, is_positive_definite=True,
                        assert_proper_shapes=validate_args)
                else:
                    scale = linear_operators.LinearOperatorLowerTriangular(
                        convert_to_tensor(scale_tril, name="scale_tril"), is_non_singular=True, is_self_adjoint=False,
                        is_positive_definite=False)
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)


class MultivariateNormalFullCovariance(MultivariateNormalTriL):
    def __init__(self, loc=None, covariance_matrix=None, validate_args=False, allow_nan_stats=True,
                 name="MultivariateNormalFullCovariance"):
        with name_scope(name) as name:
            with name_scope("init", values=[loc, covariance_matrix]):
                scale_tril = None
                if covariance_matrix is not None:
                    matrix = convert_to_tensor(covariance_matrix, name="covariance_matrix")
                    if validate_args:
                        matrix = control_flow.with_dependencies([check_ops.assert_near(
                            matrix, linalg.matrix_transpose(matrix), message="Matrix was not symmetric")], matrix)
                    scale_tril = linalg.cholesky(matrix)
                super().__init__(loc, scale_tril, validate_args, allow_nan_stats, name)


class MultivariateNormalDiagPlusLowRank(MultivariateNormalLinearOperator):
    def __init__(self, loc=None, scale_diag=None, scale_identity_multiplier=None, scale_perturb_factor=None,
                 scale_perturb_diag=None, validate_args=False, allow_nan_stats=True, name="MultivariateNormalDiagPlusLowRank"):
        with name_scope(name) as name:
            with name_scope("init", values=[loc, scale_diag, scale_identity_multiplier, scale_perturb_factor,
                                            scale_perturb_diag]):
                more = scale_perturb_factor is not None or scale_perturb_diag is not None
                scale = _diag_scale(loc, scale_diag, scale_identity_multiplier, validate_args, more)
                factor, diag = (value if value is None else convert_to_tensor(value, name=key) for key, value in (
                    ("scale_perturb_factor", scale_perturb_factor), ("scale_perturb_diag", scale_perturb_diag)))
                if more:
                    scale = linear_operators.LinearOperatorLowRankUpdate(
                        scale, u=factor, diag_update=diag, is_diag_update_positive=diag is None, is_non_singular=True,
                        is_self_adjoint=True, is_positive_definite=True, is_square=True)
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)


@RegisterKL(MultivariateNormalLinearOperator, MultivariateNormalLinearOperator)
def _kl_normal_vectors(a, b, name=None):
    def squared_norm(x):
        return math_ops.reduce_sum(math_ops.square(x), axis=[-2, -1])
    with name_scope(name, "kl_mvn", values=[a.loc, b.loc] + a.scale.graph_parents + b.scale.graph_parents):
        if _is_diagonal(a.scale) and _is_diagonal(b.scale):
            ratio = (a.stddev() / b.stddev())[..., None]
        else:
            ratio = b.scale.solve(a.scale.to_dense())
        volumes = b.scale.log_abs_determinant() - a.scale.log_abs_determinant()
        size = -math_ops.cast(a.scale.domain_dimension_tensor(), a.dtype)
        size += squared_norm(ratio)
        difference = b.scale.solve((b.mean() - a.mean())[..., None])
        found = volumes + 0.5 * (size + squared_norm(difference))
        found.set_shape(aliases.broadcast_static_shape(a.batch_shape, b.batch_shape))
        return found
