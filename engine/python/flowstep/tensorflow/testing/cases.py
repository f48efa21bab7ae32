# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.test: test cases with a session, and gradients against finite differences."""

import collections.abc
import contextlib
import re
import tempfile
import unittest

import numpy as np

from .. import dtypes, errors
from ..differentiation.gradients import gradients
from ..framework import graph as graph_lib
from ..operators import ragged_tensors
from ..sessions.session import get_default_session
from . import asserts as testing_asserts, case_sessions


def is_gpu_available(cuda_only=False, min_cuda_compute_capability=None):
    return False


def gpu_device_name():
    return ""


def is_built_with_cuda():
    return False


def is_built_with_rocm():
    return False


def is_built_with_gpu_support():
    return False


def assert_equal_graph_def(actual, expected, checkpoint_v2=False):
    """Two GraphDefs have the same nodes."""
    sides = []
    for side in (actual, expected):
        if not hasattr(side, "node"):
            raise TypeError("Expected tf.GraphDef for actual, got %s" % type(side).__name__)
        sides.append({node.name: node for node in side.node})
    if set(sides[0]) != set(sides[1]):
        raise AssertionError("Nodes differ: %s" % sorted(set(sides[0]) ^ set(sides[1])))
    for name, node in sides[0].items():
        if str(node) != str(sides[1][name]):
            raise AssertionError("Node %s differs: %s, not %s" % (name, node, sides[1][name]))


def get_temp_dir():
    return tempfile.gettempdir()


def _is_small(array):
    """Whether a failure shows what is in it."""
    return array.ndim <= 3 or array.size < 500


def _where(told, what, apart, one, two):
    """The elements that are apart, after telling which they are."""
    if one.ndim:
        told.append("not {} where = {}".format(what, np.where(apart)))
        one, two = one[np.where(apart)], two[np.where(apart)]
    told += ["not {} lhs = {}".format(what, one), "not {} rhs = {}".format(what, two)]
    return one, two


def _fits(error, expected):
    """Whether an error is as expected; what an OpError is searched for may be in the name of its op."""
    if callable(expected):
        return expected(error)
    text = error.message if isinstance(error, errors.OpError) else str(error)
    op = getattr(error, "op", None)
    return re.search(expected, text if op is None else "%s\nCaused by: %s" % (text, op.name))


def _of_lists(value):
    """An array; of rows that differ in length one of lists."""
    try:
        return np.array(value)
    except ValueError:
        return np.array(value, dtype=object)


def _is_ragged(value):
    return isinstance(value, (ragged_tensors.RaggedTensor, ragged_tensors.RaggedTensorValue))


class TestCase(case_sessions.Sessions, testing_asserts.Asserts, unittest.TestCase):
    """A test case with a graph, seeds and sessions of its own."""

    def _array(self, value):
        return value if isinstance(value, np.ndarray) else _of_lists(self._plain(value))

    def _plain(self, value):
        return self.evaluate(value) if isinstance(value, (graph_lib.Tensor, ragged_tensors.RaggedTensor)) else value

    def assertNear(self, f1, f2, err, msg=None):
        self.assertTrue(f1 == f2 or abs(f1 - f2) <= err,
                        "%f != %f +/- %f%s" % (f1, f2, err, " (%s)" % msg if msg is not None else ""))

    def assertArrayNear(self, farray1, farray2, err, msg=None):
        self.assertEqual(len(farray1), len(farray2), msg=msg)
        for one, two in zip(farray1, farray2):
            self.assertNear(float(one), float(two), err, msg=msg)

    def assertNDArrayNear(self, ndarray1, ndarray2, err, msg=None):
        self.assertTrue(np.linalg.norm(self._array(ndarray1) - self._array(ndarray2)) < err, msg=msg)

    def assertAllClose(self, a, b, rtol=1e-6, atol=1e-6, msg=None):
        if _is_ragged(a) or _is_ragged(b):
            self._compare_ragged(a, b, lambda one, two: self._lists_close(one, two, rtol, atol, msg, "value"))
        else:
            self._all_close(a, b, rtol, atol, "", msg or "")

    def _all_close(self, a, b, rtol, atol, path, msg):
        a, b = [value._asdict() if hasattr(value, "_asdict") else value for value in (a, b)]
        if isinstance(a, collections.abc.Mapping) != isinstance(b, collections.abc.Mapping):
            raise ValueError("Can't compare dict to non-dict, a%s vs b%s. %s" % (path, path, msg))
        if isinstance(a, collections.abc.Mapping):
            self.assertCountEqual(a.keys(), b.keys(), "mismatched keys: a%s has keys %s, but b%s has keys %s. %s" % (
                path, a.keys(), path, b.keys(), msg))
            for key in a:
                self._all_close(a[key], b[key], rtol, atol, "%s[%s]" % (path, key), msg)
            return
        try:
            self._arrays_close(a, b, rtol, atol, "Mismatched value: a%s is different from b%s. %s" % (path, path, msg))
        except (ValueError, TypeError) as error:
            if not isinstance(a, (list, tuple)):
                if isinstance(error, TypeError):
                    told = "Error: a%s has %s, but b%s has %s. %s" % (path, type(a), path, type(b), msg)
                    error.args = ("%s : %s" % (error.args[0], told),) + error.args[1:]
                raise
            # What makes no array is compared part by part.
            if len(a) != len(b):
                raise ValueError("Mismatched length: a%s has %d items, but b%s has %d items. %s" % (
                    path, len(a), path, len(b), msg)) from None
            for i, (one, two) in enumerate(zip(a, b)):
                self._all_close(one, two, rtol, atol, "%s[%d]" % (path, i), msg)

    def _arrays_close(self, a, b, rtol, atol, msg):
        one, two = self._array(a), self._array(b)
        self.assertEqual(one.shape, two.shape, "Shape mismatch: expected %s, got %s%s." % (
            one.shape, two.shape, " with contents %s" % two if _is_small(two) else ""))
        if np.allclose(one, two, rtol=rtol, atol=atol):
            return
        told = [msg]
        far = np.logical_or(np.abs(one - two) > atol + rtol * np.abs(two), np.isnan(one) != np.isnan(two))
        x, y = _where(told, "close", far, one, two)
        told += ["not close dif = {}".format(np.abs(x - y)), "not close tol = {}".format(atol + rtol * np.abs(y)),
                 "dtype = {}, shape = {}".format(one.dtype, one.shape)]
        np.testing.assert_allclose(one, two, rtol=rtol, atol=atol, err_msg="\n".join(told))

    # -- rows of any length

    def _as_list(self, value):
        value = self._plain(value)
        return value.to_list() if _is_ragged(value) else _of_lists(value).tolist()

    def _compare_ragged(self, a, b, compare):
        compare(self._as_list(a), self._as_list(b))
        if not isinstance(a, (list, tuple)) and not isinstance(b, (list, tuple)):
            self.assertEqual(getattr(a, "ragged_rank", 0), getattr(b, "ragged_rank", 0))

    def _lists_close(self, a, b, rtol, atol, msg, path):
        self.assertEqual(type(a), type(b))
        if not isinstance(a, (list, tuple)):
            self._all_close(a, b, rtol, atol, path, msg)
            return
        self.assertLen(a, len(b), "Length differs for %s" % path)
        for i, (one, two) in enumerate(zip(a, b)):
            self._lists_close(one, two, rtol, atol, msg, "%s[%s]" % (path, i))

    def assertAllEqual(self, a, b, msg=None):
        if _is_ragged(a) or _is_ragged(b):
            self._compare_ragged(a, b, lambda one, two: self.assertEqual(one, two, msg))
            return
        one, two, msg = self._array(a), self._array(b), msg or ""
        self.assertEqual(one.shape, two.shape, "Shape mismatch: expected %s, got %s. %s" % (
            one.shape, two.shape, "Contents: %s. \n%s." % (two, msg) if _is_small(two) else msg))
        same, told = one == two, [msg]
        if one.dtype.kind == "f":
            same = np.logical_or(same, np.logical_and(np.isnan(one), np.isnan(two)))
        if not np.all(same):
            _where(told, "equal", np.logical_not(same), one, two)
        np.testing.assert_array_equal(one, two, err_msg="\n".join(told))

    def assertAllCloseAccordingToType(self, a, b, rtol=1e-6, atol=1e-6, float_rtol=1e-6, float_atol=1e-6, half_rtol=1e-3,
                                      half_atol=1e-3, bfloat16_rtol=1e-2, bfloat16_atol=1e-2, msg=None):
        kinds = {self._array(a).dtype, self._array(b).dtype}
        for kind, of_kind in ((np.float32, (float_rtol, float_atol)), (np.complex64, (float_rtol, float_atol)),
                              (np.float16, (half_rtol, half_atol)),
                              (dtypes.bfloat16.as_numpy_dtype, (bfloat16_rtol, bfloat16_atol))):
            if np.dtype(kind) in kinds:
                rtol, atol = max(rtol, of_kind[0]), max(atol, of_kind[1])
        self.assertAllClose(a, b, rtol, atol, msg)

    def assertAllGreater(self, a, comparison_target):
        self.assertGreater(np.min(self._array(a)), comparison_target)

    def assertAllLess(self, a, comparison_target):
        self.assertLess(np.max(self._array(a)), comparison_target)

    def assertShapeEqual(self, np_array, tf_tensor, msg=None):
        if not isinstance(np_array, (np.ndarray, np.generic)):
            raise TypeError("np_array must be a Numpy ndarray or Numpy scalar")
        if not isinstance(tf_tensor, graph_lib.Tensor):
            raise TypeError("tf_tensor must be a Tensor")
        self.assertAllEqual(np_array.shape, tf_tensor.get_shape().as_list(), msg)

    def assertDTypeEqual(self, target, expected_dtype):
        self.assertEqual(self._array(target).dtype, expected_dtype)

    def assertStartsWith(self, actual, expected_start, msg=None):
        if not actual.startswith(expected_start):
            self.fail("%r does not start with %r%s" % (actual, expected_start, " : %r" % msg if msg else ""))

    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(self, exception_type, expected_err_re_or_predicate):
        try:
            yield
            self.fail(exception_type.__name__ + " not raised")
        except Exception as error:
            if not isinstance(error, exception_type) or not _fits(error, expected_err_re_or_predicate):
                raise AssertionError("Exception of type %s: %s" % (type(error), error)) from error

    def assertRaisesOpError(self, expected_err_re_or_predicate):
        return self.assertRaisesWithPredicateMatch(errors.OpError, expected_err_re_or_predicate)


def main(argv=None):
    unittest.main(argv=argv)


# -- gradients against differences

def _jacobians(x, x_shape, y, y_shape, x_init_value, delta, feeds):
    from ..operators import array_ops
    sess = get_default_session()
    kind = x.dtype.as_numpy_dtype
    start = np.asarray(x_init_value if x_init_value is not None else np.random.random_sample(x_shape), kind)
    weights = array_ops.placeholder(y.dtype, y_shape)
    gradient = gradients(y, x, grad_ys=weights)[0]
    rows = int(np.prod(x_shape)), int(np.prod(y_shape))
    theory, numeric = np.zeros(rows, kind), np.zeros(rows, kind)
    for j in range(rows[1]):
        unit = np.zeros(y_shape, kind)
        unit.flat[j] = 1
        theory[:, j] = np.ravel(sess.run(gradient, {**feeds, x: start, weights: unit}))
    for i in range(rows[0]):
        low, high = start.copy(), start.copy()
        low.flat[i] -= delta
        high.flat[i] += delta
        ends = [sess.run(y, {**feeds, x: value}) for value in (low, high)]
        numeric[i, :] = np.ravel((ends[1] - ends[0]) / (2 * delta))
    return theory, numeric


def compute_gradient(x, x_shape, y, y_shape, x_init_value=None, delta=1e-3, init_targets=None, extra_feed_dict=None):
    """The Jacobian by gradients() and the one by differences; lists of them for a list of x."""
    if init_targets is not None:
        for target in init_targets if isinstance(init_targets, (list, tuple)) else [init_targets]:
            target.run()
    feeds = extra_feed_dict or {}
    if isinstance(x, (list, tuple)):
        values = x_init_value or [None] * len(x)
        starts = [np.asarray(v if v is not None else np.random.random_sample(s), t.dtype.as_numpy_dtype)
                  for t, s, v in zip(x, x_shape, values)]
        return [_jacobians(t, s, y, y_shape, v, delta, {**feeds, **dict(zip(x, starts))})
                for t, s, v in zip(x, x_shape, starts)]
    return _jacobians(x, x_shape, y, y_shape, x_init_value, delta, feeds)


def compute_gradient_error(x, x_shape, y, y_shape, x_init_value=None, delta=1e-3, init_targets=None, extra_feed_dict=None):
    """The largest difference between the two."""
    found = compute_gradient(x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict)
    return max([np.fabs(one - two).max() if one.size else 0
                for one, two in (found if isinstance(found, list) else [found])] or [0])

