# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The normal distribution function, its inverse and logarithm, and Laplace's."""

import numpy as np

from ..framework.graph import name_scope
from ..framework.ops import constant, convert_to_tensor
from ..operators import array_ops, math_ops


def _checked(x, name):
    x = convert_to_tensor(x, name=name)
    if x.dtype.as_numpy_dtype not in (np.float32, np.float64):
        raise TypeError("%s.dtype=%s is not handled, see docstring for supported types." % (name, x.dtype))
    return x


def ndtr(x, name="ndtr"):
    """The share of a normal distribution below x."""
    with name_scope(name, values=[x]):
        return _ndtr(_checked(x, "x"))


def _ndtr(x):
    half = constant(0.5 * np.sqrt(2.), dtype=x.dtype, name="half_sqrt_2")
    w = x * half
    z = math_ops.abs(w)
    near = math_ops.less(z, half)
    inner = 1. + math_ops.erf(w)
    right = math_ops.greater(w, 0.)
    upper = 2. - math_ops.erfc(z)
    return 0.5 * array_ops.where_v2(near, inner, array_ops.where_v2(right, upper, math_ops.erfc(z)))


# The quotients of polynomials of Cephes' ndtri: about the middle, in the tails, and far out. Highest power first.
_MIDDLE = ([-59.96335010141079, 98.00107541859997, -56.67628574690703, 13.931260938727968, -1.2391658386738125],
           [1.0, 1.9544885833814176, 4.676279128988815, 86.36024213908905, -225.46268785411937, 200.26021238006066,
            -82.03722561683334, 15.90562251262117, -1.1833162112133])
_TAIL = ([4.0554489230596245, 31.525109459989388, 57.16281922464213, 44.08050738932008, 14.684956192885803,
          2.1866330685079025, -0.1402560791713545, -0.03504246268278482, -0.0008574567851546854],
         [1.0, 15.779988325646675, 45.39076351288792, 41.3172038254672, 15.04253856929075, 2.504649462083094,
          -0.14218292285478779, -0.03808064076915783, -0.0009332594808954574])
_FAR = ([3.2377489177694603, 6.915228890689842, 3.9388102529247444, 1.3330346081580755, 0.20148538954917908,
         0.012371663481782003, 0.00030158155350823543, 2.6580697468673755e-06, 6.239745391849833e-09],
        [1.0, 6.02427039364742, 3.6798356385616087, 1.3770209948908132, 0.21623699359449663, 0.013420400608854318,
         0.00032801446468212774, 2.8924786474538068e-06, 6.790194080099813e-09])


def _polynomial(x, lowest_first):
    coefficients = np.array(lowest_first, x.dtype.as_numpy_dtype)
    if not coefficients.size:
        return array_ops.zeros_like(x)
    return coefficients[0] + _polynomial(x, coefficients[1:]) * x


def ndtri(p, name="ndtri"):
    """Below which x a share p of a normal distribution is."""
    with name_scope(name, values=[p]):
        return _ndtri(_checked(p, "p"))


def _ndtri(p):
    def quotient(x, pair):
        return _polynomial(x, pair[0][::-1]) / _polynomial(x, pair[1][::-1])
    lower = array_ops.where_v2(p > -np.expm1(-2.), 1. - p, p)
    is_out = lower <= 0.
    lower = array_ops.where_v2(is_out, array_ops.fill(array_ops.shape(p), np.array(0.5, p.dtype.as_numpy_dtype)), lower)
    w = lower - 0.5
    ww = w ** 2
    middle = w + w * ww * quotient(ww, _MIDDLE)
    middle *= -np.sqrt(2. * np.pi)
    z = math_ops.sqrt(-2. * math_ops.log(lower))
    start = z - math_ops.log(z) / z
    by_far = _polynomial(1. / z, _FAR[0][::-1]) / _polynomial(1. / z, _FAR[1][::-1]) / z
    by_tail = _polynomial(1. / z, _TAIL[0][::-1]) / _polynomial(1. / z, _TAIL[1][::-1]) / z
    far, tail = start - by_far, start - by_tail
    in_middle = lower > np.exp(-2.)
    x = array_ops.where_v2(in_middle, middle, array_ops.where_v2(z >= 8.0, far, tail))
    x = array_ops.where_v2(p > 1. - np.exp(-2.), x, -x)
    infinity = constant(np.inf, dtype=p.dtype)
    infinity = array_ops.fill(array_ops.shape(p), infinity)
    return array_ops.where_v2(p <= 0., -infinity, array_ops.where_v2(p >= 1., infinity, x))


def log_ndtr(x, series_order=3, name="log_ndtr"):
    if not isinstance(series_order, int):
        raise TypeError("series_order must be a Python integer.")
    if series_order < 0:
        raise ValueError("series_order must be non-negative.")
    if series_order > 30:
        raise ValueError("series_order must be <= 30.")
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        limits = {np.float64: (-20, 8), np.float32: (-10, 5)}.get(x.dtype.as_numpy_dtype)
        if limits is None:
            raise TypeError("x.dtype=%s is not supported." % x.dtype)
        low, high = (np.array(limit, x.dtype.as_numpy_dtype) for limit in limits)
        is_high = math_ops.greater(x, high)
        if_high = -_ndtr(-x)
        is_middle = math_ops.greater(x, low)
        if_middle = math_ops.log(_ndtr(math_ops.maximum(x, low)))
        return array_ops.where_v2(is_high, if_high, array_ops.where_v2(
            is_middle, if_middle, _log_ndtr_lower(math_ops.minimum(x, low), series_order)))


def _log_ndtr_lower(x, series_order):
    squared = math_ops.square(x)
    scale = -0.5 * squared - math_ops.log(-x) - 0.5 * np.log(2. * np.pi)
    return scale + math_ops.log(_series(x, series_order))


def _series(x, series_order):
    kind = x.dtype.as_numpy_dtype
    if series_order <= 0:
        return np.array(1, kind)
    squared = math_ops.square(x)
    sums = [array_ops.zeros_like(x), array_ops.zeros_like(x)]
    power = squared
    for n in range(1, series_order + 1):
        term = np.array(np.prod(np.arange(2 * n - 1, 1, -2)), kind) / power
        sums[n % 2] += term
        power *= squared
    return 1. + sums[0] - sums[1]


def erfinv(x, name="erfinv"):
    with name_scope(name, values=[x]):
        x = _checked(x, "x")
        return ndtri((x + 1.) / 2.) / np.sqrt(2)


def log_cdf_laplace(x, name="log_cdf_laplace"):
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        lower = -np.log(2.) + x
        upper = math_ops.log1p(-0.5 * math_ops.exp(-math_ops.abs(x)))
        return array_ops.where_v2(x < 0., lower, upper)
