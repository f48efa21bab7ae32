"""Stacks of default sessions and graphs left in the wrong order, names given as bytes, interactive sessions beside each other."""
import unittest
import warnings

import tensorflow as tf

first, second = tf.Session(), tf.Session()
outer, inner = first.as_default(), second.as_default()
outer.__enter__()
inner.__enter__()
try:
    outer.__exit__(None, None, None)
except AssertionError as error:
    print(error)
print(tf.get_default_session() is second)
for target in ("nowhere", b"local"):
    try:
        tf.Session(target)
    except tf.errors.NotFoundError as error:
        print(error.message.split(" config")[0])
print(tf.constant(1.0, name=b"c").name, tf.placeholder(tf.float32, name=b"p").name)
with tf.name_scope(b"n") as scope:
    print(scope)
print(-tf.IndexedSlices(tf.constant([1.0, 2.0]), tf.constant([0, 1]), tf.constant([2])))


def said(function):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        made = function()
    print([str(warning.message) for warning in found if "interactive" in str(warning.message)])
    return made


one = said(tf.InteractiveSession)
two = said(tf.InteractiveSession)
try:
    one.close()
except AssertionError as error:
    print(error)
two.close()
two.close()
said(tf.InteractiveSession).close()


class Forgetful(tf.test.TestCase):
    def setUp(self):
        pass

    def test_sum(self):
        with self.cached_session():
            self.assertAllEqual(tf.add([1], [2]).eval(), [3])

    def runTest(self):
        self.test_sum()


result = unittest.TestResult()
Forgetful().run(result)
print(result.testsRun, result.errors, result.failures)
