import collections
import sys
import unittest
import numpy as np
import tensorflow as tf
from tensorflow.python.framework import test_util
# the sessions of a test case, what stands where in them, and structures that are compared
Pair = collections.namedtuple('Pair', 'x y')


class Cases(tf.test.TestCase):
    def testWithoutSession(self):
        self.assertEqual(self.evaluate(tf.constant(3) + 4), 7)
        self.assertAllEqual(tf.constant([1, 2]), [1, 2])

    def testDevices(self):
        with self.session(): a = tf.constant(1)
        with self.session(use_gpu=True): b = tf.constant(1)
        with self.test_session(): c = tf.constant(1)
        with self.cached_session(force_gpu=False): d = tf.constant(1)
        with self.session(force_gpu=True): e = tf.constant(1)
        print([t.device for t in (a, b, c, d, e)])

    def testCached(self):
        with self.cached_session() as one: pass
        with self.test_session() as two: print(one is two)
        with self.cached_session(graph=tf.Graph()): pass

    def testStructures(self):
        self.assertAllClose(Pair([1.], {'a': (2., [3., 4.])}), Pair([1.], {'a': (2., [3., 4.])}))
        self.assertAllClose([[1.], [2., 3.]], [[1.], [2., 3.]])
        self.assertAllClose({'a': 1.}, [1.])

    def testRagged(self):
        rows = tf.ragged.constant([[1., 2.], [3.]])
        self.assertAllEqual(rows, [[1., 2.], [3.]])
        self.assertAllClose(rows, [[1., 2.], [3.]])
        self.assertAllEqual(rows, [[1.], [3.]])

    def testKinds(self):
        self.assertDTypeEqual(tf.constant([1.]), np.float32)
        self.assertDeviceEqual('/job:a/task:1', '/task:1/job:a')
        self.assertDeviceEqual(None, '')
        self.assertDeviceEqual('/cpu:0', '/gpu:0')

    def testShapes(self):
        self.assertShapeEqual(np.zeros([2, 3]), tf.zeros([2, 3]))
        self.assertShapeEqual([2, 3], tf.zeros([2, 3]))

    def testStarts(self): self.assertStartsWith('abc', 'b')
    def testGreater(self): self.assertAllGreater([1, 2], 1)

    def testMessages(self):
        tf.constant(1., name='one')
        graph_def = tf.get_default_graph().as_graph_def()
        del graph_def.node[0].attr['value']
        self.assertProtoEqualsVersion("node { name: 'one' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } } }", graph_def)

    def testErrors(self):
        with self.assertRaisesWithPredicateMatch(tf.errors.InvalidArgumentError, 'Caused by: named'):
            self.evaluate(tf.reshape(tf.placeholder_with_default([1, 2], [None]), [3], name='named'))
        with self.assertRaisesWithPredicateMatch(ValueError, 'this'):
            raise TypeError('that')

    def testStreams(self):
        with self.captureWritesToStream(sys.stderr) as caught:
            self.evaluate(tf.print('caught'))
        print(repr(caught.contents()))

    def testThread(self):
        thread = self.checkedThread(lambda: None)
        thread.start()

    def testFailingThread(self):
        thread = self.checkedThread(lambda: 1 / 0)
        thread.start()
        thread.join()


@test_util.with_control_flow_v2
class Both(tf.test.TestCase):
    def testKind(self):
        tf.cond(tf.placeholder_with_default(True, []), lambda: 1, lambda: 2)
        print([op.type for op in tf.get_default_graph().get_operations() if op.type in ('If', 'StatelessIf', 'Merge')])

    @test_util.disable_control_flow_v2('never')
    def testOnce(self): print('once')


for kind in (Cases, Both):
    result = unittest.TestResult()
    unittest.TestLoader().loadTestsFromTestCase(kind).run(result)
    print(result.testsRun)
    for case, text in result.failures + result.errors:
        text = [line for line in text.strip().split('\n') if 'Error: ' in line][-1]
        print(case.id().split('.')[-1], text.replace("<class '__main__.", "<class '"))
