import unittest
import numpy as np
import tensorflow as tf
# what failing assertions of tests say, and which tests there are


class Told(tf.test.TestCase):
    def testClose(self): self.assertAllClose([1., 2.], [1., 2.5], msg='mine')
    def testCloseInside(self): self.assertAllClose({'a': {'b': 1.}}, {'a': {'b': 2.}})
    def testEqual(self): self.assertAllEqual([[1, 2], [3, 4]], [[1, 5], [3, 4]])
    def testScalars(self): self.assertAllEqual(3, 4, 'said')
    def testHalf(self): self.assertAllClose(np.float16(1.), np.float16(1.001))
    def testHalfAsType(self): self.assertAllCloseAccordingToType(np.float16(1.), np.float16(1.001))
    def testShapes(self): self.assertAllEqual([1, 2], [1, 2, 3])
    def testShapesClose(self): self.assertAllClose([1.], [1., 2.])
    def testNothing(self): self.assertAllEqual([1., np.nan], [1., np.nan]), self.assertAllClose([np.nan], [np.nan])

    def testRun(self):
        with self.test_session() as s: self.assertAllClose(s.run(tf.constant([1, 2])), np.array([1, 4]))


result = unittest.TestResult()
unittest.TestLoader().loadTestsFromTestCase(Told).run(result)
print(result.testsRun, [reason for _, reason in result.skipped], result.errors)
for case, text in result.failures:
    text = text[text.index('AssertionError:'):]
    print(case.id(), [line for line in text.split('\n') if not line.startswith((' x:', ' y:', 'M')) or 'different' in line])
