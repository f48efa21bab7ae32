# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What all distributions have in common: their names, shapes, samples, and what is asked of them."""

import contextlib
import functools
import inspect

import numpy as np

from .. import dtypes
from ..framework import ops, tensor_shape
from ..framework.graph import control_dependencies, name_scope
from ..framework.ops import apply_op, constant_value, convert_to_tensor
from ..names import aliases
from ..operators import array_ops, math_ops
from ..operators.check_ops import assert_positive, assert_same_float_dtype


class ReparameterizationType:
    """Whether gradients pass through samples."""

    def __init__(self, rep_type):
        self._rep_type = rep_type

    def __repr__(self):
        return "<Reparameteriation Type: %s>" % self._rep_type


FULLY_REPARAMETERIZED = ReparameterizationType("FULLY_REPARAMETERIZED")
NOT_REPARAMETERIZED = ReparameterizationType("NOT_REPARAMETERIZED")


def broadcast_shape_tensor(a, b):
    return apply_op("BroadcastArgs", s0=a, s1=b)


def own(*names):
    """Properties of these names for what is kept under them with an underscore before."""
    return [property(lambda self, kept="_" + name: getattr(self, kept)) for name in names]


def first_of(*functions):
    """The first of these that a distribution has; without any, what the first one said."""
    first = None
    for function in functions:
        try:
            return function()
        except NotImplementedError as error:
            first = first or error
    raise first


class Distribution:
    """A family with its parameters. Those below say _sample_n, _log_prob and the like, made in the family's own scope."""

    _shaped = ()      # the parameters that one sample shape gives the shape of

    def __new__(cls, *arguments, **keywords):
        self = object.__new__(cls)
        try:
            bound = inspect.signature(cls.__init__).bind(self, *arguments, **keywords)
        except TypeError:
            return self     # __init__ will say what is wrong
        bound.apply_defaults()
        self._parameters = {k: v for k, v in list(bound.arguments.items())[1:]}
        return self

    def __init__(self, dtype, reparameterization_type, validate_args, allow_nan_stats, parameters=None, graph_parents=None,
                 name=None):
        graph_parents = [] if graph_parents is None else graph_parents
        for i, parent in enumerate(graph_parents):
            if parent is None or not ops.is_tensor_like(parent):
                raise ValueError("Graph parent item %d is not a Tensor; %s." % (i, parent))
        if not name or name[-1] != "/":
            with name_scope(name or type(self).__name__) as name:
                pass
        self._dtype, self._reparameterization_type = dtype, reparameterization_type
        self._validate_args, self._allow_nan_stats = validate_args, allow_nan_stats
        self._graph_parents, self._name = graph_parents, name
        if parameters is not None:
            self._parameters = {k: v for k, v in parameters.items() if k != "self"}

    name, dtype, reparameterization_type, validate_args, allow_nan_stats = own(
        "name", "dtype", "reparameterization_type", "validate_args", "allow_nan_stats")
    batch_shape = property(lambda self: tensor_shape.as_shape(self._batch_shape()))
    event_shape = property(lambda self: tensor_shape.as_shape(self._event_shape()))
    parameters = property(lambda self: {k: v for k, v in self._parameters.items() if not k.startswith("__")})

    def __getattr__(self, name):
        if name in _ASKED:
            def missing(*_, **__):
                raise NotImplementedError("%s is not implemented: %s" % (name[1:], type(self).__name__))
            return missing
        raise AttributeError("'%s' object has no attribute '%s'" % (type(self).__name__, name))

    def copy(self, **override_parameters_kwargs):
        return type(self)(**dict(self.parameters, **override_parameters_kwargs))

    @classmethod
    def param_shapes(cls, sample_shape, name="DistributionParamShapes"):
        with name_scope(name, values=[sample_shape]):
            if not cls._shaped:
                raise NotImplementedError("_param_shapes not implemented")
            shape = convert_to_tensor(sample_shape, dtype=dtypes.int32)
            return {key: shape for key in cls._shaped}

    @classmethod
    def param_static_shapes(cls, sample_shape):
        if isinstance(sample_shape, tensor_shape.TensorShape):
            if not sample_shape.is_fully_defined():
                raise ValueError("TensorShape sample_shape must be fully defined")
            sample_shape = sample_shape.as_list()
        found = {}
        for key, shape in cls.param_shapes(sample_shape).items():
            known = constant_value(shape)
            if known is None:
                raise ValueError("sample_shape must be a fully-defined TensorShape or list/tuple")
            found[key] = tensor_shape.TensorShape(known.tolist())
        return found

    @contextlib.contextmanager
    def _name_scope(self, name=None, values=None):
        with name_scope(self._name), name_scope(name, values=list(values or []) + self._graph_parents) as inside:
            yield inside

    # -- shapes

    def _batch_shape(self):
        return tensor_shape.unknown_shape()

    _event_shape = _batch_shape

    def batch_shape_tensor(self, name="batch_shape_tensor"):
        with self._name_scope(name):
            if self.batch_shape.is_fully_defined():
                return convert_to_tensor(self.batch_shape.as_list(), dtype=dtypes.int32, name="batch_shape")
            return self._batch_shape_tensor()

    def event_shape_tensor(self, name="event_shape_tensor"):
        with self._name_scope(name):
            if self.event_shape.is_fully_defined():
                return convert_to_tensor(self.event_shape.as_list(), dtype=dtypes.int32, name="event_shape")
            return self._event_shape_tensor()

    def _is_scalar(self, known, make):
        if known.ndims is not None:
            return known.ndims == 0
        shape = make()
        if shape.shape.ndims is not None and shape.shape[0].value is not None:
            return shape.shape.as_list() == [0]
        return math_ops.equal(array_ops.shape(shape)[0], 0)

    def is_scalar_event(self, name="is_scalar_event"):
        with self._name_scope(name):
            return convert_to_tensor(self._is_scalar(self.event_shape, self.event_shape_tensor), name="is_scalar_event")

    def is_scalar_batch(self, name="is_scalar_batch"):
        with self._name_scope(name):
            return convert_to_tensor(self._is_scalar(self.batch_shape, self.batch_shape_tensor), name="is_scalar_batch")

    # -- samples

    def sample(self, sample_shape=(), seed=None, name="sample"):
        return self._call_sample_n(sample_shape, seed, name)

    def _call_sample_n(self, sample_shape, seed, name, **keywords):
        with self._name_scope(name, [sample_shape]):
            sample_shape = convert_to_tensor(sample_shape, dtype=dtypes.int32, name="sample_shape")
            sample_shape, n = self._expand_sample_shape_to_vector(sample_shape, "sample_shape")
            samples = self._sample_n(n, seed, **keywords)
            rest = array_ops.shape(samples)[1:]
            samples = array_ops.reshape(samples, array_ops.concat([sample_shape, rest], 0))
            return self._set_sample_static_shape(samples, sample_shape)

    def _expand_sample_shape_to_vector(self, x, name):
        """The shape as a vector, and how many samples that are."""
        from .shapes import pick_vector
        known = constant_value(x)
        n = math_ops.reduce_prod(x) if known is None else np.prod(known, dtype=x.dtype.as_numpy_dtype)
        ndims = x.shape.ndims
        if ndims is None:
            wanted = pick_vector(math_ops.equal(array_ops.rank(x), 0), np.array([1], np.int32), array_ops.shape(x))
            return array_ops.reshape(x, wanted), n
        if ndims == 0:
            if known is None:
                return array_ops.reshape(x, [1]), n
            return convert_to_tensor(np.array([known], x.dtype.as_numpy_dtype), name=name), n
        if ndims != 1:
            raise ValueError("Input is neither scalar nor vector.")
        return x, n

    def _set_sample_static_shape(self, x, sample_shape):
        """Says of samples what is known of their shape."""
        known = constant_value(sample_shape)
        sample = tensor_shape.TensorShape(None if known is None else [int(d) for d in known])
        ndims, parts = x.shape.ndims, [sample.ndims, self.batch_shape.ndims, self.event_shape.ndims]
        if ndims is None and None not in parts:
            ndims = sum(parts)
            x.set_shape([None] * ndims)
        if ndims is None:
            return x
        if parts[1] is not None:
            if parts[0] is None and parts[2] is not None:
                parts[0] = ndims - parts[1] - parts[2]
            elif parts[2] is None and parts[0] is not None:
                parts[2] = ndims - parts[1] - parts[0]
        if sample.ndims is not None:
            x.set_shape(sample.concatenate([None] * (ndims - sample.ndims)))
        if self.event_shape.ndims is not None:
            x.set_shape(tensor_shape.TensorShape([None] * (ndims - self.event_shape.ndims)).concatenate(self.event_shape))
        if None not in parts:
            x.set_shape(tensor_shape.TensorShape([None] * parts[0]).concatenate(self.batch_shape).concatenate(
                [None] * parts[2]))
        return x

    # -- of values

    def _of_value(self, value, name, functions, keywords):
        with self._name_scope(name, [value]):
            value = ops.internal_convert_to_tensor(value, name="value", preferred_dtype=self.dtype)
            return first_of(*[functools.partial(f, value, **keywords) for f in functions])

    def _call_log_prob(self, value, name, **keywords):
        return self._of_value(value, name, [self._log_prob, lambda v, **k: math_ops.log(self._prob(v, **k))], keywords)

    def _call_prob(self, value, name, **keywords):
        return self._of_value(value, name, [self._prob, lambda v, **k: math_ops.exp(self._log_prob(v, **k))], keywords)

    def _call_log_cdf(self, value, name, **keywords):
        return self._of_value(value, name, [self._log_cdf, lambda v, **k: math_ops.log(self._cdf(v, **k))], keywords)

    def _call_cdf(self, value, name, **keywords):
        return self._of_value(value, name, [self._cdf, lambda v, **k: math_ops.exp(self._log_cdf(v, **k))], keywords)

    def _call_log_survival_function(self, value, name, **keywords):
        return self._of_value(value, name, [self._log_survival_function,
                                            lambda v, **k: math_ops.log1p(-self.cdf(v, **k))], keywords)

    def _call_survival_function(self, value, name, **keywords):
        return self._of_value(value, name, [self._survival_function, lambda v, **k: 1. - self.cdf(v, **k)], keywords)

    def _call_quantile(self, value, name, **keywords):
        return self._of_value(value, name, [self._quantile], keywords)

    def log_prob(self, value, name="log_prob"):
        return self._call_log_prob(value, name)

    def prob(self, value, name="prob"):
        return self._call_prob(value, name)

    def cdf(self, value, name="cdf"):
        return self._call_cdf(value, name)

    def log_cdf(self, value, name="log_cdf"):
        return self._call_log_cdf(value, name)

    def log_survival_function(self, value, name="log_survival_function"):
        return self._call_log_survival_function(value, name)

    def survival_function(self, value, name="survival_function"):
        return self._call_survival_function(value, name)

    def quantile(self, value, name="quantile"):
        return self._call_quantile(value, name)

    # -- numbers of the distribution as a whole

    def _statistic(self, name, *functions):
        with self._name_scope(name):
            return first_of(*functions)

    def entropy(self, name="entropy"):
        return self._statistic(name, self._entropy)

    def mean(self, name="mean"):
        return self._statistic(name, self._mean)

    def mode(self, name="mode"):
        return self._statistic(name, self._mode)

    def covariance(self, name="covariance"):
        return self._statistic(name, self._covariance)

    def variance(self, name="variance"):
        return self._statistic(name, self._variance, lambda: math_ops.square(self._stddev()))

    def stddev(self, name="stddev"):
        return self._statistic(name, self._stddev, lambda: math_ops.sqrt(self._variance()))

    def kl_divergence(self, other, name="kl_divergence"):
        from .divergences import kl_divergence
        with self._name_scope(name):
            return kl_divergence(self, other, allow_nan_stats=self._allow_nan_stats)

    def cross_entropy(self, other, name="cross_entropy"):
        from .divergences import cross_entropy
        with self._name_scope(name):
            return cross_entropy(self, other, allow_nan_stats=self._allow_nan_stats)

    def __str__(self):
        shapes = "".join(", %s=%s" % (key, shape) for key, shape in (
            ("batch_shape", self.batch_shape), ("event_shape", self.event_shape)) if shape.ndims is not None)
        return 'tfp.distributions.%s("%s"%s, dtype=%s)' % (type(self).__name__, self.name, shapes, self.dtype.name)

    def __repr__(self):
        return "<tfp.distributions.%s '%s' batch_shape=%s event_shape=%s dtype=%s>" % (
            type(self).__name__, self.name, self.batch_shape, self.event_shape, self.dtype.name)


_ASKED = {"_prob", "_log_prob", "_cdf", "_log_cdf", "_survival_function", "_log_survival_function", "_quantile", "_entropy",
          "_mean", "_mode", "_variance", "_stddev", "_covariance", "_sample_n", "_batch_shape_tensor", "_event_shape_tensor"}


class ScalarFamily(Distribution):
    """A family of scalar events; its batch is what its parameters broadcast to."""

    _broadcast = ()     # the parameters, as they are kept

    def _take(self, name, values, positive, validate_args, allow_nan_stats, gradient=FULLY_REPARAMETERIZED, kind=-1):
        """Keeps the parameters as tensors of one kind. values: pairs; kind: which of them says the dtype."""
        with name_scope(name, values=[value for _, value in values]) as name:
            with control_dependencies([assert_positive(value) for key, value in values if key in positive]
                                      if validate_args else []):
                kept = []
                for key, value in values:
                    kept.append(array_ops.identity(value, name=key))
                    setattr(self, "_" + key, kept[-1])
                if len(kept) > 1:
                    assert_same_float_dtype(kept)
        Distribution.__init__(self, kept[kind].dtype, gradient, validate_args, allow_nan_stats, graph_parents=kept, name=name)

    def _event_shape(self):
        return tensor_shape.TensorShape([])

    def _event_shape_tensor(self):
        return ops.constant([], dtype=dtypes.int32)

    def _batch_shape(self):
        return functools.reduce(aliases.broadcast_static_shape, [getattr(self, key).shape for key in self._broadcast])

    def _batch_shape_tensor(self):
        shapes = [array_ops.shape(getattr(self, key)) for key in self._broadcast]
        while len(shapes) > 1:
            last = shapes.pop()
            shapes.append(broadcast_shape_tensor(shapes.pop(), last))
        return shapes[0]

    def _with_samples(self, n):
        """The shape of n samples."""
        return array_ops.concat([[n], self.batch_shape_tensor()], 0)
