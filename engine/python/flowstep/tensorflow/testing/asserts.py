# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What a tf.test.TestCase asserts of arrays, sequences and messages beside the usual."""

import collections.abc
import contextlib
import difflib

import numpy as np

from ..framework.devices import canonical_name
from ..framework.graph import PRODUCER


class ArrayAsserts:
    """Of values, evaluated where they are tensors."""

    def assertAllGreaterEqual(self, a, comparison_target):
        self.assertGreaterEqual(np.min(self._array(a)), comparison_target)

    def assertAllLessEqual(self, a, comparison_target):
        self.assertLessEqual(np.max(self._array(a)), comparison_target)

    def assertAllInRange(self, target, lower_bound, upper_bound, open_lower_bound=False, open_upper_bound=False):
        values = self._array(target)
        outside = (values <= lower_bound if open_lower_bound else values < lower_bound) | \
            (values >= upper_bound if open_upper_bound else values > upper_bound)
        if values.dtype.kind == "f" and np.isnan(values).any():
            raise AssertionError("Some elements are NaN")
        if outside.any():
            raise AssertionError("Some elements are not in the range %s%s, %s%s: %s" % (
                "(" if open_lower_bound else "[", lower_bound, upper_bound, ")" if open_upper_bound else "]",
                values[outside]))

    def assertAllInSet(self, target, expected_set):
        values = self._array(target)
        missing = np.setdiff1d(values.ravel(), list(expected_set))
        if missing.size:
            raise AssertionError("%d unique element(s) are not in the set %s: %s" % (missing.size, expected_set, missing))

    def assertNotAllClose(self, a, b, **kwargs):
        try:
            self.assertAllClose(a, b, **kwargs)
        except AssertionError:
            return
        raise AssertionError("The two values are close at all elements")

    def assertNotAllEqual(self, a, b, msg=None):
        try:
            self.assertAllEqual(a, b, msg)
        except AssertionError:
            return
        raise AssertionError("The two values are equal at all elements")

    def assertSequenceAlmostEqual(self, expected_seq, actual_seq, places=None, msg=None, delta=None):
        self.assertEqual(len(expected_seq), len(actual_seq), msg)
        for wanted, got in zip(expected_seq, actual_seq):
            self.assertAlmostEqual(wanted, got, places=places, msg=msg, delta=delta)

    def assertBetween(self, value, minv, maxv, msg=None):
        if not minv <= value <= maxv:
            self.fail(self._formatMessage(msg, '"%r" unexpectedly not between "%r" and "%r"' % (value, minv, maxv)))


class SequenceAsserts:
    """Of what has elements."""

    def assertEmpty(self, container, msg=None):
        self._check_sized(container)
        if len(container):
            self.fail(self._formatMessage(msg, "%r has length of %d." % (container, len(container))))

    def assertNotEmpty(self, container, msg=None):
        self._check_sized(container)
        if not len(container):
            self.fail(self._formatMessage(msg, "%r has length of 0." % (container,)))

    def assertLen(self, container, expected_len, msg=None):
        self._check_sized(container)
        if len(container) != expected_len:
            self.fail(self._formatMessage(msg, "%r has length of %d, expected %d." % (
                container, len(container), expected_len)))

    def _check_sized(self, container):
        if not isinstance(container, collections.abc.Sized):
            self.fail("Expected a Sized object, got: %r" % type(container).__name__)

    def assertSameElements(self, expected_seq, actual_seq, msg=None):
        self.assertEqual(set(expected_seq), set(actual_seq), msg)

    def assertItemsEqual(self, first, second, msg=None):
        self.assertCountEqual(first, second, msg)

    def assertContainsSubset(self, expected_subset, actual_set, msg=None):
        missing = set(expected_subset) - set(actual_set)
        if missing:
            self.fail(self._formatMessage(msg, "Missing elements %s\nExpected: %s\nActual: %s" % (
                missing, expected_subset, actual_set)))

    def assertNoCommonElements(self, expected_seq, actual_seq, msg=None):
        common = set(expected_seq) & set(actual_seq)
        if common:
            self.fail(self._formatMessage(msg, "Common elements %s\nExpected: %s\nActual: %s" % (
                common, expected_seq, actual_seq)))

    def assertContainsInOrder(self, strings, target, msg=None):
        at = 0
        for part in strings if isinstance(strings, (list, tuple)) else (strings,):
            found = target.find(part, at)
            if found < 0:
                self.fail(self._formatMessage(msg, 'Did not find "%s" after the parts before it in "%s"' % (part, target)))
            at = found

    def assertSequenceStartsWith(self, prefix, whole, msg=None):
        self.assertEqual(list(prefix), list(whole)[:len(list(prefix))], msg)


class TextAsserts:
    """Of strings, errors and messages."""

    def assertEndsWith(self, actual, expected_end, msg=None):
        self.assertTrue(actual.endswith(expected_end), msg or "%r does not end with %r" % (actual, expected_end))

    def assertNotStartsWith(self, actual, unexpected_start, msg=None):
        self.assertFalse(actual.startswith(unexpected_start), msg or "%r does start with %r" % (actual, unexpected_start))

    def assertNotEndsWith(self, actual, unexpected_end, msg=None):
        self.assertFalse(actual.endswith(unexpected_end), msg or "%r does end with %r" % (actual, unexpected_end))

    def assertRegexMatch(self, actual_str, regexes, message=None):
        self.assertRegex(actual_str, "|".join("(?:%s)" % regex for regex in regexes), message)

    def assertMultiLineEqual(self, first, second, msg=None, **unused):
        """The lines of two texts; also what assertEqual() says of texts."""
        if first == second:
            return
        told = [msg + ":\n" if msg else "\n"]
        for line in difflib.ndiff(first.splitlines(True), second.splitlines(True)):
            told += [line] if line.endswith("\n") else [line, "\n"]
        raise self.failureException("".join(told))

    @contextlib.contextmanager
    def assertRaisesWithLiteralMatch(self, expected_exception, expected_exception_message):
        with self.assertRaises(expected_exception) as raised:
            yield raised
        self.assertEqual(expected_exception_message, str(raised.exception))

    def assertProtoEqualsVersion(self, expected, actual, producer=PRODUCER, min_consumer=0, msg=None):
        versions = "versions { producer: %d min_consumer: %d };\n" % (producer, min_consumer)
        self.assertProtoEquals(versions + expected, actual, msg)

    def assertProtoEquals(self, expected_message_maybe_ascii, message, msg=None):
        wanted = expected_message_maybe_ascii
        if isinstance(wanted, str):
            from ..framework.proto_text import Parse
            wanted = Parse(wanted, type(message)())
        self.assertEqual(str(wanted), str(message), msg)

    def assertDeviceEqual(self, device1, device2, msg=None):
        one, two = [canonical_name(getattr(device, "to_string", lambda: device)()) for device in (device1, device2)]
        self.assertEqual(one, two, "Devices %s and %s are not equal. %s" % (one, two, msg))


class Asserts(ArrayAsserts, SequenceAsserts, TextAsserts):
    pass
