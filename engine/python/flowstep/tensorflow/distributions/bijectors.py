# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Functions that can be turned round, with the volume they stretch (tf.contrib.distributions.bijectors)."""

import contextlib
import re

import numpy as np

from .. import dtypes
from ..control import control_flow
from ..framework import tensor_shape
from ..framework.graph import control_dependencies, name_scope
from ..framework.ops import constant, constant_value, convert_to_tensor
from ..linear_operators import LinearOperator
from ..names import aliases
from ..operators import array_ops, check_ops, math_ops
from .shapes import pick_vector, rotate_transpose, softplus


class Bijector:
    """Those below say _forward, _inverse and a log of the determinant; what was asked once is remembered by its tensor."""

    _is_injective = True

    def __init__(self, graph_parents=None, is_constant_jacobian=False, validate_args=False, dtype=None,
                 forward_min_event_ndims=None, inverse_min_event_ndims=None, name=None):
        least = [forward_min_event_ndims, inverse_min_event_ndims]
        if least == [None, None]:
            raise ValueError("Must specify at least one of `forward_min_event_ndims` and `inverse_min_event_ndims`.")
        least = [least[1 - i] if value is None else value for i, value in enumerate(least)]
        for value, key in zip(least, ("forward_min_event_ndims", "inverse_min_event_ndims")):
            if not isinstance(value, int):
                raise TypeError("Expected %s to be of type int, got %s" % (key, type(value).__name__))
            if value < 0:
                raise ValueError("%s must be a non-negative integer." % key)
        self._forward_min_event_ndims, self._inverse_min_event_ndims = least
        self._graph_parents, self._is_constant_jacobian = graph_parents or [], is_constant_jacobian
        self._validate_args, self._dtype = validate_args, dtype
        self._constant_jacobians, self._by_x, self._by_y = {}, {}, {}
        snake = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", type(self).__name__.lstrip("_"))
        self._name = name or re.sub("([a-z0-9])([A-Z])", r"\1_\2", snake).lower()

    graph_parents = property(lambda self: self._graph_parents)
    forward_min_event_ndims = property(lambda self: self._forward_min_event_ndims)
    inverse_min_event_ndims = property(lambda self: self._inverse_min_event_ndims)
    is_constant_jacobian = property(lambda self: self._is_constant_jacobian)
    validate_args = property(lambda self: self._validate_args)
    dtype = property(lambda self: self._dtype)
    name = property(lambda self: self._name)

    @contextlib.contextmanager
    def _name_scope(self, name=None, values=None):
        with name_scope(self._name), name_scope(name, values=(values or []) + self._graph_parents) as scope:
            yield scope

    def _taken(self, value, name):
        value = convert_to_tensor(value, name=name)
        if self._dtype is not None and self._dtype.base_dtype != value.dtype.base_dtype:
            raise TypeError("Input had dtype %s but expected %s." % (self._dtype, value.dtype))
        return value

    # -- shapes

    def _forward_event_shape(self, shape):
        return shape

    _inverse_event_shape = _forward_event_shape_tensor = _inverse_event_shape_tensor = _forward_event_shape

    def forward_event_shape(self, input_shape):
        return self._forward_event_shape(tensor_shape.TensorShape(input_shape))

    def inverse_event_shape(self, output_shape):
        return self._inverse_event_shape(tensor_shape.TensorShape(output_shape))

    def forward_event_shape_tensor(self, input_shape, name="forward_event_shape_tensor"):
        with self._name_scope(name, [input_shape]):
            return self._forward_event_shape_tensor(convert_to_tensor(input_shape, dtype=dtypes.int32, name="input_shape"))

    def inverse_event_shape_tensor(self, output_shape, name="inverse_event_shape_tensor"):
        with self._name_scope(name, [output_shape]):
            return self._inverse_event_shape_tensor(convert_to_tensor(output_shape, dtype=dtypes.int32, name="output_shape"))

    # -- there and back

    def forward(self, x, name="forward"):
        with self._name_scope(name, [x]):
            x = self._taken(x, "x")
            known = self._by_x.setdefault(id(x), {"x": x})
            if "y" not in known:
                known["y"] = self._forward(x)
                self._by_y[id(known["y"])] = known
            return known["y"]

    def inverse(self, y, name="inverse"):
        with self._name_scope(name, [y]):
            y = self._taken(y, "y")
            known = self._by_y.setdefault(id(y), {"y": y})
            if "x" not in known:
                known["x"] = self._inverse(y)
                self._by_x[id(known["x"])] = known
            return known["x"]

    def _forward(self, x):
        raise NotImplementedError("forward not implemented.")

    def _inverse(self, y):
        raise NotImplementedError("inverse not implemented")

    def _forward_log_det_jacobian(self, x):
        raise NotImplementedError("forward_log_det_jacobian not implemented.")

    def _inverse_log_det_jacobian(self, y):
        raise NotImplementedError("inverse_log_det_jacobian not implemented.")

    # -- volumes

    def inverse_log_det_jacobian(self, y, event_ndims, name="inverse_log_det_jacobian"):
        with self._name_scope(name, [y]):
            if event_ndims in self._constant_jacobians:
                return self._constant_jacobians[event_ndims]
            y = self._taken(y, "y")
            with control_dependencies(self._check_event_ndims(self._inverse_min_event_ndims, event_ndims)):
                known = self._by_y.setdefault(id(y), {"y": y})
                return self._volume(known, event_ndims, "y")

    def forward_log_det_jacobian(self, x, event_ndims, name="forward_log_det_jacobian"):
        with self._name_scope(name, [x]):
            with control_dependencies(self._check_event_ndims(self._forward_min_event_ndims, event_ndims)):
                if event_ndims in self._constant_jacobians:
                    return -1. * self._constant_jacobians[event_ndims]
                x = self._taken(x, "x")
                known = self._by_x.setdefault(id(x), {"x": x})
                if event_ndims in known.get("jacobians", {}):
                    return -known["jacobians"][event_ndims]
                return -self._volume(known, event_ndims, "x")

    def _volume(self, known, event_ndims, side):
        """The log of the inverse's determinant, from the side that is known or the other."""
        jacobians = known.setdefault("jacobians", {})
        if event_ndims in jacobians:
            return jacobians[event_ndims]

        def of_inverse():
            y = known["y"] if "y" in known else self._forward(known["x"])
            found = self._inverse_log_det_jacobian(y)
            return self._over_event(y, found, self._inverse_min_event_ndims, event_ndims)

        def of_forward():
            x = known["x"] if "x" in known else self._inverse(known["y"])
            found = -self._forward_log_det_jacobian(x)
            return self._over_event(x, found, self._forward_min_event_ndims, event_ndims)
        ways = (of_inverse, of_forward) if side == "y" else (of_forward, of_inverse)
        try:
            found = ways[0]()
        except NotImplementedError as error:
            try:
                found = ways[1]()
            except NotImplementedError:
                raise error from None
        jacobians[event_ndims] = found
        if self._is_constant_jacobian:
            self._constant_jacobians[event_ndims] = found
        return found

    def _over_event(self, y, found, least, event_ndims):
        """The sum over those dimensions of an event that the function takes one by one."""
        rank = array_ops.rank(y)
        shape = array_ops.shape(y)[rank - event_ndims:rank - least]
        ones = array_ops.ones(shape, found.dtype)
        known = _known_int(event_ndims)
        axis = [-i for i in range(1, known - least + 1)] if known is not None else math_ops.range(-(event_ndims - least), 0)
        total = math_ops.reduce_sum(ones * found, axis=axis)
        if known is not None and y.shape.ndims is not None and found.shape.ndims is not None:
            wide = aliases.broadcast_static_shape(found.shape, y.shape[y.shape.ndims - known:y.shape.ndims - least])
            total.set_shape(wide[:wide.ndims - (known - least)])
        return total

    def _check_event_ndims(self, least, event_ndims):
        event_ndims = convert_to_tensor(event_ndims, name="event_ndims")
        known, assertions = constant_value(event_ndims), []
        if not event_ndims.dtype.is_integer:
            raise ValueError("Expected integer dtype, got dtype %s" % event_ndims.dtype)
        if known is not None:
            if event_ndims.shape.ndims != 0:
                raise ValueError("Expected scalar event_ndims, got shape %s" % event_ndims.shape)
            if least > known:
                raise ValueError("event_ndims (%s) must be larger than min_event_ndims (%s)" % (known, least))
        elif self._validate_args:
            assertions.append(check_ops.assert_greater_equal(event_ndims, least))
        return assertions


def _known_int(value):
    known = value if isinstance(value, (int, np.generic)) else constant_value(value)
    return None if known is None else int(known)


class Identity(Bijector):
    def __init__(self, validate_args=False, name="identity"):
        super().__init__(forward_min_event_ndims=0, is_constant_jacobian=True, validate_args=validate_args, name=name)

    def _forward(self, x):
        return x

    def _inverse(self, y):
        return y

    def _inverse_log_det_jacobian(self, y):
        return constant(0., dtype=y.dtype)

    _forward_log_det_jacobian = _inverse_log_det_jacobian


class PowerTransform(Bijector):
    """(1 + power * x) ** (1 / power), or exp(x) where power is 0."""

    def __init__(self, power=0., validate_args=False, name="power_transform"):
        self._graph_parents, self._name = [], name
        with self._name_scope("init", values=[power]):
            power = constant_value(convert_to_tensor(power, name="power"))
        if power is None or power < 0:
            raise ValueError("`power` must be a non-negative TF constant.")
        self._power = power
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    power = property(lambda self: self._power)

    def _checked_x(self, x):
        if not self._validate_args or self._power == 0.:
            return x
        return control_flow.with_dependencies([check_ops.assert_non_negative(
            1. + self._power * x, message="Forward transformation input must be at least %s." % (-1. / self._power))], x)

    def _checked_y(self, y):
        return y if not self._validate_args else control_flow.with_dependencies([check_ops.assert_positive(
            y, message="Inverse transformation input must be greater than 0.")], y)

    def _forward(self, x):
        x = self._checked_x(x)
        return math_ops.exp(x if self._power == 0. else math_ops.log1p(x * self._power) / self._power)

    def _inverse(self, y):
        y = self._checked_y(y)
        return math_ops.log(y) if self._power == 0. else math_ops.expm1(math_ops.log(y) * self._power) / self._power

    def _inverse_log_det_jacobian(self, y):
        return (self._power - 1.) * math_ops.log(self._checked_y(y))

    def _forward_log_det_jacobian(self, x):
        x = self._checked_x(x)
        return x if self._power == 0. else (1. / self._power - 1.) * math_ops.log1p(x * self._power)


class Exp(PowerTransform):
    def __init__(self, validate_args=False, name="exp"):
        super().__init__(validate_args=validate_args, name=name)


class Sigmoid(Bijector):
    def __init__(self, validate_args=False, name="sigmoid"):
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    def _forward(self, x):
        return math_ops.sigmoid(x)

    def _inverse(self, y):
        return math_ops.log(y) - math_ops.log1p(-y)

    def _inverse_log_det_jacobian(self, y):
        return -math_ops.log(y) - math_ops.log1p(-y)

    def _forward_log_det_jacobian(self, x):
        return -softplus(-x) - softplus(x)


class AffineLinearOperator(Bijector):
    """shift + scale @ x."""

    def __init__(self, shift=None, scale=None, validate_args=False, name="affine_linear_operator"):
        self._graph_parents, self._name, parents = [], name, []
        with self._name_scope("init", values=[shift]):
            dtype, batch_ndims = dtypes.float32, 0
            if shift is not None:
                shift = convert_to_tensor(shift, name="shift")
                parents.append(shift)
                dtype = shift.dtype.base_dtype
            if scale is not None:
                if shift is not None and shift.dtype.base_dtype != scale.dtype.base_dtype:
                    raise TypeError("shift.dtype(%s) is incompatible with scale.dtype(%s)." % (shift.dtype, scale.dtype))
                if not isinstance(scale, LinearOperator):
                    raise TypeError("scale is not an instance of tf.LinearOperator")
                if validate_args and not scale.is_non_singular:
                    raise ValueError("Scale matrix must be non-singular.")
                parents += scale.graph_parents
                if scale.tensor_rank is not None:
                    batch_ndims = scale.tensor_rank - 2
                else:
                    batch_ndims = scale.tensor_rank_tensor() - 2
                    parents.append(batch_ndims)
                dtype = scale.dtype.base_dtype
            self._shift, self._scale = shift, scale
            self._shaper = EventMatrices(batch_ndims, 1, validate_args)
            super().__init__(parents, True, validate_args, dtype, 1, name=name)

    shift = property(lambda self: self._shift)
    scale = property(lambda self: self._scale)

    def _forward(self, x):
        if self._scale is not None:
            x, sample_shape = self._shaper.make(x)
            with control_dependencies(self._assertions()):
                x = self._scale.matmul(x)
            x = self._shaper.undo(x, sample_shape)
        return x if self._shift is None else x + self._shift

    def _inverse(self, y):
        if self._shift is not None:
            y = y - self._shift
        if self._scale is None:
            return y
        y, sample_shape = self._shaper.make(y)
        return self._shaper.undo(self._scale.solve(y), sample_shape)

    def _forward_log_det_jacobian(self, x):
        if self._scale is None:
            return constant(0., dtype=x.dtype.base_dtype)
        with control_dependencies(self._assertions()):
            return self._scale.log_abs_determinant()

    def _assertions(self):
        if not self._validate_args:
            return []
        try:
            return [self._scale.assert_non_singular()]
        except NotImplementedError:
            return []


class EventMatrices:
    """Samples as columns of matrices, one matrix for each of a batch, and back (TensorFlow's DistributionShape)."""

    def __init__(self, batch_ndims, event_ndims, validate_args, name="DistributionShape"):
        self._validate_args, self._name = validate_args, name
        with name_scope(name), name_scope("init"):
            self._batch_ndims, self._batch_is_0 = self._checked(batch_ndims, "batch_ndims")
            self._event_ndims, self._event_is_0 = self._checked(event_ndims, "event_ndims")

    def _checked(self, value, name):
        x = convert_to_tensor(convert_to_tensor(value, name=name), name="x")
        if x.dtype.base_dtype != dtypes.int32:
            raise TypeError("%s.dtype=%s is not %s" % (x.name, x.dtype, dtypes.int32))
        known = constant_value(x)
        if x.shape.ndims is not None and known is not None:
            if x.shape.ndims != 0:
                raise ValueError("%s.ndims=%d is not 0 (scalar)" % (x.name, x.shape.ndims))
            if known < 0:
                raise ValueError("%s.value=%d cannot be negative" % (x.name, known))
        elif self._validate_args:
            x = control_flow.with_dependencies([check_ops.assert_rank(x, 0), check_ops.assert_non_negative(x)], x)
        known = constant_value(x)
        return x, math_ops.equal(x, 0) if known is None else known == 0

    @contextlib.contextmanager
    def _name_scope(self, name, values):
        with name_scope(self._name), name_scope(name, values=values + [self._batch_ndims, self._event_ndims]) as scope:
            yield scope

    def _sample_ndims(self, x, name):
        with self._name_scope(name, [x]):
            with self._name_scope(name, [x]):
                ndims = array_ops.rank(x, name="ndims") if x.shape.ndims is None else \
                    convert_to_tensor(x.shape.ndims, dtype=dtypes.int32, name="ndims")
            sizes = [constant_value(value) for value in (ndims, self._batch_ndims, self._event_ndims)]
            if None not in sizes:
                if sizes[0] < sizes[1] + sizes[2]:
                    raise ValueError("expected batch_ndims(%d) + event_ndims(%d) <= ndims(%d)" % (sizes[1], sizes[2], sizes[0]))
                return convert_to_tensor(sizes[0] - sizes[1] - sizes[2], name="sample_ndims")
            with name_scope("sample_ndims"):
                found = ndims - self._batch_ndims - self._event_ndims
                if self._validate_args:
                    found = control_flow.with_dependencies([check_ops.assert_non_negative(found)], found)
            return found

    def get_shape(self, x, name="get_shape"):
        """The shapes of samples, batch and events."""
        with self._name_scope(name, [x]):
            x = convert_to_tensor(x, name="x")

            def part(starts, size, name):
                starts = starts or [array_ops.zeros([], dtype=dtypes.int32, name="zero")]
                known = [constant_value(value) for value in [size] + starts]
                if x.shape.ndims is not None and None not in known:
                    start = int(sum(known[1:]))
                    dims = x.shape[start:start + int(known[0])].as_list()
                    if None not in dims:
                        return convert_to_tensor(dims, dtype=dtypes.int32, name=name)
                return array_ops.slice(array_ops.shape(x), [sum(starts)], [size])
            samples = self._sample_ndims(x, name)
            return (part([], samples, "sample_shape"), part([samples], self._batch_ndims, "batch_shape"),
                    part([samples, self._batch_ndims], self._event_ndims, "event_shape"))

    def make(self, x):
        with self._name_scope("make_batch_of_event_sample_matrices", [x]):
            x = convert_to_tensor(x, name="x")
            sample_shape, batch_shape, event_shape = self.get_shape(x)
            event_shape = pick_vector(self._event_is_0, [1], event_shape)
            x = array_ops.reshape(x, shape=array_ops.concat([[-1], batch_shape, event_shape], 0))
            return rotate_transpose(x, shift=-1), sample_shape

    def undo(self, x, sample_shape):
        with self._name_scope("undo_make_batch_of_event_sample_matrices", [x, sample_shape]):
            x = convert_to_tensor(x, name="x")
            sample_shape = convert_to_tensor(sample_shape, name="sample_shape")
            x = rotate_transpose(x, shift=1)
            if None not in (constant_value(self._batch_ndims), constant_value(self._event_ndims)):
                if self._event_is_0:
                    x = array_ops.squeeze(x, axis=[-1])
                _, batch_shape, event_shape = self.get_shape(x)
            else:
                shape = x.shape.as_list() if x.shape.is_fully_defined() else array_ops.shape(x)
                batch_shape = shape[1:1 + self._batch_ndims]
                both = math_ops.logical_and(False, self._batch_is_0)
                start = array_ops.where_v2(both, 2, 1 + self._batch_ndims)
                event_shape = shape[start:start + self._event_ndims]
            return array_ops.reshape(x, shape=array_ops.concat([sample_shape, batch_shape, event_shape], 0))


PUBLIC = {cls.__name__: cls for cls in (AffineLinearOperator, Bijector, Exp, Identity, PowerTransform, Sigmoid)}
