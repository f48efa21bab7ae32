# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What distributions do with shapes, matrices and seeds, and how they check their arguments."""

import hashlib

import numpy as np

from .. import dtypes, nn
from ..control import control_flow
from ..framework import ops, tensor_shape
from ..framework.graph import name_scope
from ..framework.ops import constant_value, convert_to_tensor
from ..operators import array_ops, check_ops, linalg, math_ops

softplus = ops.wrapper("Softplus")


def gen_new_seed(seed, salt):
    """Another seed that depends on the one given."""
    if seed is None:
        return None
    return int(hashlib.md5((str(seed) + salt).encode()).hexdigest()[:8], 16) & 0x7FFFFFFF


def prefer_static_value(x):
    known = constant_value(x)
    return x if known is None else known


def prefer_static_rank(x):
    return prefer_static_value(array_ops.rank(x))


def prefer_static_shape(x):
    return prefer_static_value(array_ops.shape(x))


def dimension_size(x, axis):
    known = x.shape.with_rank_at_least(abs(axis))[axis].value
    return array_ops.shape(x)[axis] if known is None else known


def pick_vector(cond, true_vector, false_vector, name="pick_vector"):
    """One of two vectors."""
    with name_scope(name, values=(cond, true_vector, false_vector)):
        cond = convert_to_tensor(cond, name="cond")
        if cond.dtype != dtypes.bool:
            raise TypeError("%s.dtype=%s which is not %s" % (cond, cond.dtype, dtypes.bool))
        known = constant_value(cond)
        if known is not None:
            return true_vector if known else false_vector
        true_vector = convert_to_tensor(true_vector, name="true_vector")
        false_vector = convert_to_tensor(false_vector, name="false_vector")
        if true_vector.dtype != false_vector.dtype:
            raise TypeError("%s.dtype=%s does not match %s.dtype=%s" % (
                true_vector, true_vector.dtype, false_vector, false_vector.dtype))
        n = array_ops.shape(true_vector)[0]
        both = array_ops.concat([true_vector, false_vector], 0)
        begin = [array_ops.where_v2(cond, 0, n)]
        return array_ops.slice(both, begin, [array_ops.where(cond, n, -1)])


# -- checks within the graph

_INTEGERS = {dtypes.float16: dtypes.int16, dtypes.float32: dtypes.int32, dtypes.float64: dtypes.int64}


def assert_integer_form(x, data=None, summarize=None, message=None, int_dtype=None, name="assert_integer_form"):
    with name_scope(name, values=[x, data]):
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_integer:
            return control_flow.no_op()
        message = message or "%s has non-integer components" % x
        int_dtype = int_dtype or _INTEGERS.get(x.dtype.base_dtype)
        if int_dtype is None:
            raise TypeError("Unrecognized type %s" % x.dtype.name)
        whole = math_ops.cast(math_ops.cast(x, int_dtype), x.dtype)
        return check_ops.assert_equal(x, whole, data=data, summarize=summarize, message=message, name=name)


def embed_check_nonnegative_integer_form(x, name="embed_check_nonnegative_integer_form"):
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        assertions = [check_ops.assert_non_negative(x, message="'%s' must be non-negative." % x)]
        if not x.dtype.is_integer:
            assertions.append(assert_integer_form(x, message="'%s' cannot contain fractional components." % x))
        return control_flow.with_dependencies(assertions, x)


def _largest_integer(dtype):
    """The largest whole number that is exact in the type."""
    if dtype.is_floating:
        return int(2 ** (np.finfo(dtype.as_numpy_dtype).nmant + 1))
    if dtype.is_integer:
        return int(np.iinfo(dtype.as_numpy_dtype).max)
    if dtype.base_dtype == dtypes.bool:
        return 1
    raise TypeError("Unrecognized dtype: %s" % dtype.name)


def _smallest_integer(dtype):
    return 0 if dtype.base_dtype in (dtypes.bool, dtypes.uint8, dtypes.uint16) else -_largest_integer(dtype)


def embed_check_categorical_event_shape(categorical_param, name="embed_check_categorical_event_shape"):
    words = "A categorical-distribution parameter must have at least "
    with name_scope(name, values=[categorical_param]):
        x = convert_to_tensor(categorical_param, name="categorical_param")
        kind = x.dtype.base_dtype
        if not kind.is_floating:
            raise TypeError("Unable to validate size of unrecognized dtype (%s)." % kind.name)
        most = _largest_integer(kind)
        try:
            known = x.shape.with_rank_at_least(1)
        except ValueError:
            raise ValueError(words + "1 dimension.") from None
        size = tensor_shape.dimension_value(known[-1])
        if size is not None:
            if size < 2:
                raise ValueError(words + "2 events.")
            if size > most:
                raise ValueError("Number of classes exceeds `dtype` precision, i.e., %s implies shape (%s) cannot exceed %s." % (
                    kind.name, size, most))
            return x
        size = array_ops.shape(x, name="x_shape")[-1]
        return control_flow.with_dependencies([
            check_ops.assert_rank_at_least(x, 1, message=words + "1 dimension."),
            check_ops.assert_greater_equal(array_ops.shape(x)[-1], 2, message=words + "2 events."),
            check_ops.assert_less_equal(size, most, message="Number of classes exceeds `dtype` precision, i.e., %s dtype "
                                        "cannot exceed %s shape." % (kind.name, most))], x)


def embed_check_integer_casting_closed(x, target_dtype, assert_nonnegative=True, name="embed_check_casting_closed"):
    """x, checked to be the same after a cast."""
    def whole(dtype):
        return dtype.is_integer or dtype.base_dtype == dtypes.bool
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        if not whole(x.dtype) and not x.dtype.is_floating:
            raise TypeError("%s.dtype must be floating- or integer-type." % x.dtype.name)
        if not whole(target_dtype) and not target_dtype.is_floating:
            raise TypeError("target_dtype (%s) must be floating- or integer-type." % target_dtype.name)
        if not whole(x.dtype) and not whole(target_dtype):
            raise TypeError("At least one of %s.dtype (%s) and target_dtype (%s) must be integer-type." % (
                x, x.dtype.name, target_dtype.name))
        assertions = []
        if assert_nonnegative:
            assertions.append(check_ops.assert_non_negative(x, message="Elements must be non-negative."))
        if x.dtype.is_floating:
            assertions.append(assert_integer_form(x, int_dtype=target_dtype,
                                                  message="Elements must be %s-equivalent." % target_dtype.name))
        else:
            most, least = _largest_integer(target_dtype), _smallest_integer(target_dtype)
            if _largest_integer(x.dtype) > most:
                assertions.append(check_ops.assert_less_equal(x, most, message="Elements cannot exceed %s." % most))
            if not assert_nonnegative and _smallest_integer(x.dtype) < least:
                assertions.append(check_ops.assert_greater_equal(
                    x, least, message="Elements cannot be smaller than %s." % least))
        return control_flow.with_dependencies(assertions, x) if assertions else x


def _checked_probs(probs, along):
    with name_scope("validate_probs"):
        one = ops.constant(1., probs.dtype)
        checks = [check_ops.assert_non_negative(probs)]
        if along:
            probs = embed_check_categorical_event_shape(probs)
            checks.append(check_ops.assert_near(math_ops.reduce_sum(probs, -1), one, message="probs does not sum to 1."))
        else:
            checks.append(check_ops.assert_less_equal(probs, one, message="probs has components greater than 1."))
        return control_flow.with_dependencies(checks, probs)


def get_logits_and_probs(logits=None, probs=None, multidimensional=False, validate_args=False, name="get_logits_and_probs",
                         dtype=None):
    """Both from the one that is given."""
    with name_scope(name, values=[probs, logits]):
        if (probs is None) == (logits is None):
            raise ValueError("Must pass probs or logits, but not both.")
        if probs is None:
            logits = convert_to_tensor(logits, name="logits", dtype=dtype)
            if not logits.dtype.is_floating:
                raise TypeError("logits must having floating type.")
            if not multidimensional:
                return logits, math_ops.sigmoid(logits, name="probs")
            if validate_args:
                logits = embed_check_categorical_event_shape(logits)
            return logits, nn.softmax(logits, name="probs")
        probs = convert_to_tensor(probs, name="probs", dtype=dtype)
        if not probs.dtype.is_floating:
            raise TypeError("probs must having floating type.")
        if validate_args:
            probs = _checked_probs(probs, multidimensional)
        with name_scope("logits"):
            if multidimensional:
                return math_ops.log(probs), probs
            return math_ops.log(probs) - math_ops.log1p(-1. * probs), probs


# -- functions of tf.contrib.distributions

def log_combinations(n, counts, name="log_combinations"):
    with name_scope(name, values=[n, counts]):
        n = convert_to_tensor(n, name="n")
        counts = convert_to_tensor(counts, name="counts")
        all_orders = math_ops.lgamma(n + 1)
        alike = math_ops.lgamma(counts + 1)
        return all_orders - math_ops.reduce_sum(alike, axis=[-1])


def matrix_diag_transform(matrix, transform=None, name=None):
    with name_scope(name, "matrix_diag_transform", [matrix]):
        matrix = convert_to_tensor(matrix, name="matrix")
        if transform is None:
            return matrix
        return array_ops.matrix_set_diag(matrix, transform(array_ops.matrix_diag_part(matrix)))


def rotate_transpose(x, shift, name="rotate_transpose"):
    """The dimensions moved round by so many places."""
    with name_scope(name, values=[x, shift]):
        x = convert_to_tensor(x, name="x")
        shift = convert_to_tensor(shift, name="shift")
        check_ops.assert_integer(shift)
        known, ndims = constant_value(shift), x.shape.ndims
        if ndims is not None and known is not None:
            if ndims < 2:
                return x
            known = np.sign(known) * (abs(known) % ndims)
            return x if known == 0 else array_ops.transpose(x, perm=np.roll(np.arange(ndims), known))
        ndims = array_ops.rank(x)
        shift = array_ops.where_v2(math_ops.less(shift, 0), math_ops.mod(-shift, ndims), ndims - math_ops.mod(shift, ndims))
        first, last = math_ops.range(0, shift), math_ops.range(shift, ndims)
        return array_ops.transpose(x, perm=array_ops.concat([last, first], 0))


def fill_triangular(x, upper=False, name=None):
    with name_scope(name, "fill_triangular", values=[x]):
        x = convert_to_tensor(x, name="x")
        known = x.shape.with_rank_at_least(1)
        if known[-1].value is not None:
            m = np.int32(known[-1].value)
            n = np.sqrt(0.25 + 2. * m) - 0.5
            if n != np.floor(n):
                raise ValueError("Input right-most shape (%s) does not correspond to a triangular matrix." % m)
            n = np.int32(n)
            final = known[:-1].concatenate([int(n), int(n)])
        else:
            m = array_ops.shape(x)[-1]
            n = math_ops.cast(math_ops.sqrt(0.25 + math_ops.cast(2 * m, dtype=dtypes.float32)), dtype=dtypes.int32)
            final = known[:-1].concatenate([None, None])
        ndims = prefer_static_rank(x)
        parts = [x, array_ops.reverse(x[..., n:], axis=[ndims - 1])] if upper else \
            [x[..., n:], array_ops.reverse(x, axis=[ndims - 1])]
        shape = final.as_list() if final.is_fully_defined() else array_ops.concat([array_ops.shape(x)[:-1], [n, n]], axis=0)
        x = array_ops.reshape(array_ops.concat(parts, axis=-1), shape)
        x = linalg.matrix_band_part(x, num_lower=0 if upper else -1, num_upper=-1 if upper else 0)
        x.set_shape(final)
        return x


def fill_triangular_inverse(x, upper=False, name=None):
    with name_scope(name, "fill_triangular_inverse", values=[x]):
        x = convert_to_tensor(x, name="x")
        known = x.shape.with_rank_at_least(2)
        if known[-1].value is not None:
            n = np.int32(known[-1].value)
            m = np.int32((n * (n + 1)) // 2)
            final = known[:-2].concatenate([int(m)])
        else:
            n = array_ops.shape(x)[-1]
            m = (n * (n + 1)) // 2
            final = known[:-2].concatenate([None])
        ndims = prefer_static_rank(x)
        if upper:
            first, rest = x[..., 0, :], x[..., 1:, :]
        else:
            first = array_ops.reverse(x[..., -1, :], axis=[ndims - 2])
            rest = x[..., :-1, :]
        turned = array_ops.reverse(array_ops.reverse(rest, axis=[ndims - 1]), axis=[ndims - 2])
        both = rest + turned
        end = array_ops.reshape(both, array_ops.concat([array_ops.shape(x)[:-2], [n * (n - 1)]], axis=0))
        y = array_ops.concat([first, end[..., :m - n]], axis=-1)
        y.set_shape(final)
        return y


def _off_diagonal(values, name, rows, columns):
    values = convert_to_tensor(values, name=name)
    shape = array_ops.concat([array_ops.shape(values)[:-1], [1]], axis=0)
    zero = array_ops.zeros(shape, dtype=values.dtype)
    return array_ops.matrix_diag(array_ops.concat([zero, values, zero], axis=-1))[..., rows, columns]


def tridiag(below=None, diag=None, above=None, name=None):
    with name_scope(name, "tridiag", [below, diag, above]):
        parts, all_but_first, all_but_last = [], slice(1, None), slice(None, -1)
        if below is not None:
            parts.append(_off_diagonal(below, "below", all_but_last, all_but_first))
        if diag is not None:
            parts.append(array_ops.matrix_diag(convert_to_tensor(diag, name="diag")))
        if above is not None:
            parts.append(_off_diagonal(above, "above", all_but_first, all_but_last))
        if not parts:
            raise ValueError("Must specify at least one of `below`, `diag`, `above`.")
        total = parts[0]
        for part in parts[1:]:
            total += part
        return total


def reduce_weighted_logsumexp(logx, w=None, axis=None, keep_dims=False, return_sign=False, name=None):
    with name_scope(name, "reduce_weighted_logsumexp", [logx, w]):
        logx = convert_to_tensor(logx, name="logx")
        if w is None:
            found = math_ops.reduce_logsumexp(logx, axis=axis, keepdims=keep_dims)
            return (found, array_ops.ones_like(found)) if return_sign else found
        w = convert_to_tensor(w, dtype=logx.dtype, name="w")
        weighted = logx + math_ops.log(math_ops.abs(w))
        most = math_ops.reduce_max(weighted, axis=axis, keepdims=True)
        most = array_ops.where_v2(math_ops.is_inf(most), array_ops.zeros_like(most), most)
        scaled = math_ops.sign(w) * math_ops.exp(weighted - most)
        total = math_ops.reduce_sum(scaled, axis=axis, keepdims=keep_dims)
        if not keep_dims:
            most = array_ops.squeeze(most, axis)
        sign = math_ops.sign(total)
        found = most + math_ops.log(sign * total)
        return (found, sign) if return_sign else found


def softplus_inverse(x, name=None):
    with name_scope(name, "softplus_inverse", values=[x]):
        x = convert_to_tensor(x, name="x")
        threshold = np.log(np.finfo(x.dtype.as_numpy_dtype).eps) + 2.
        small, large = math_ops.less(x, np.exp(threshold)), math_ops.greater(x, -threshold)
        if_small, if_large = math_ops.log(x), x
        x = array_ops.where_v2(math_ops.logical_or(small, large), array_ops.ones_like(x), x)
        y = x + math_ops.log(-math_ops.expm1(-x))
        return array_ops.where_v2(small, if_small, array_ops.where_v2(large, if_large, y))
