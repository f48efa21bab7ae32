# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.test: test cases with a session, and gradients against finite differences."""

import contextlib
import random
import re
import shutil
import tempfile
import unittest

import numpy as np

from .. import dtypes, errors
from ..differentiation.gradients import gradients
from ..framework import graph as graph_lib
from ..sessions.session import Session, get_default_session
from . import asserts as testing_asserts


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


class TestCase(testing_asserts.Asserts, unittest.TestCase):
    """A test case with a graph, seeds and a session of its own."""

    # Also of a test case whose setUp() forgets this one.
    _cached = _folder = None

    def setUp(self):
        super().setUp()
        random.seed(87654321)
        np.random.seed(87654321)
        graph_lib._stack().clear()
        graph_lib.reset_default_graph()
        graph_lib.get_default_graph().seed = 87654321

    def tearDown(self):
        if self._cached is not None:
            self._cached.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        super().tearDown()

    def get_temp_dir(self):
        if self._folder is None:
            self._folder = tempfile.mkdtemp()
        return self._folder

    @contextlib.contextmanager
    def session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        with Session(graph=graph, config=config) as sess:
            yield sess

    def test_session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")
        return self.session(graph, config)

    @contextlib.contextmanager
    def cached_session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        if self._cached is None:
            self._cached = Session(graph=graph, config=config)
        with self._cached.graph.as_default(), self._cached.as_default():
            yield self._cached

    def evaluate(self, tensors):
        return (self._cached or get_default_session()).run(tensors)

    def _array(self, value):
        return value if isinstance(value, np.ndarray) else np.array(self._plain(value))

    def _plain(self, value):
        return self.evaluate(value) if isinstance(value, graph_lib.Tensor) else value

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
        self._all_close(a, b, rtol, atol, "", msg or "")

    def _all_close(self, a, b, rtol, atol, path, msg):
        if isinstance(a, dict):
            self.assertEqual(set(a), set(b))
            for key in a:
                self._all_close(a[key], b[key], rtol, atol, "%s[%s]" % (path, key), msg)
            return
        one, two = self._array(a), self._array(b)
        self.assertEqual(one.shape, two.shape, "Shape mismatch: expected %s, got %s%s." % (
            one.shape, two.shape, " with contents %s" % two if _is_small(two) else ""))
        told = ["Mismatched value: a%s is different from b%s. %s" % (path, path, msg)]
        if not np.allclose(one, two, rtol=rtol, atol=atol):
            far = np.logical_or(np.abs(one - two) > atol + rtol * np.abs(two), np.isnan(one) != np.isnan(two))
            x, y = _where(told, "close", far, one, two)
            told += ["not close dif = {}".format(np.abs(x - y)), "not close tol = {}".format(atol + rtol * np.abs(y)),
                     "dtype = {}, shape = {}".format(one.dtype, one.shape)]
        np.testing.assert_allclose(one, two, rtol=rtol, atol=atol, err_msg="\n".join(told))

    def assertAllEqual(self, a, b, msg=None):
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
        for kind, of_kind in ((np.float32, (float_rtol, float_atol)), (np.float16, (half_rtol, half_atol)),
                              (dtypes.bfloat16.as_numpy_dtype, (bfloat16_rtol, bfloat16_atol))):
            if np.dtype(kind) in kinds:
                rtol, atol = max(rtol, of_kind[0]), max(atol, of_kind[1])
        self.assertAllClose(a, b, rtol, atol, msg)

    def assertAllGreater(self, a, comparison_target):
        self.assertTrue((self._array(a) > comparison_target).all())

    def assertAllLess(self, a, comparison_target):
        self.assertTrue((self._array(a) < comparison_target).all())

    def assertShapeEqual(self, np_array, tf_tensor, msg=None):
        self.assertAllEqual(np_array.shape, tf_tensor.get_shape().as_list(), msg)

    def assertDTypeEqual(self, target, expected_dtype):
        self.assertEqual(dtypes.as_dtype(self._array(target).dtype), dtypes.as_dtype(expected_dtype))

    def assertStartsWith(self, actual, expected_start, msg=None):
        self.assertTrue(actual.startswith(expected_start), msg or "%r does not start with %r" % (actual, expected_start))

    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(self, exception_type, expected_err_re_or_predicate):
        try:
            yield
            self.fail(exception_type.__name__ + " not raised")
        except exception_type as error:
            text = error.message if isinstance(error, errors.OpError) else str(error)
            good = expected_err_re_or_predicate(error) if callable(expected_err_re_or_predicate) else \
                re.search(expected_err_re_or_predicate, text)
            if not good:
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

