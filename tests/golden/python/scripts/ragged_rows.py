"""Rows of different lengths run: fetched, fed, summed, sliced; then what distributions and linear operators compute."""
import numpy as np
import tensorflow as tf

np.set_printoptions(precision=4, suppress=True)
with tf.Session() as session:
    rows = tf.ragged.constant([[1, 2, 3], [], [4]])
    print(session.run(rows), session.run(rows).to_list())
    print(session.run([tf.reduce_sum(rows, axis=1), rows.row_lengths(), rows.to_tensor(-1)]))
    print(session.run(tf.square(rows)).to_list(), session.run(rows[:, 1:]).to_list(), session.run(rows[1:]).to_list())
    fed = tf.ragged.placeholder(tf.int32, 1)
    print(session.run(tf.reduce_max(fed, axis=0), {fed: tf.ragged.constant_value([[1, 5], [7]])}))
    print(session.run(tf.RaggedTensor.from_tensor([[1, 0, 0], [2, 3, 0]], padding=0)).to_list())
    print(session.run(rows.to_sparse()).indices.tolist())
    splits = tf.placeholder_with_default(tf.constant([0, 3], tf.int64), [2])
    try:
        session.run(tf.RaggedTensor.from_row_splits([1, 2], splits))
    except tf.errors.InvalidArgumentError as error:
        print(str(error).splitlines()[0])

    beta, vector = tf.distributions.Beta(2., 3.), tf.contrib.distributions.MultivariateNormalDiag([0., 1.], [1., 2.])
    print(np.array(session.run([beta.log_prob(0.3), beta.mean(), beta.entropy(), beta.cdf(0.5)])))
    print(np.array(session.run([vector.log_prob([0., 0.]), vector.entropy()])))
    for family in (tf.distributions.Gamma(2., 3.), tf.distributions.Laplace(0., 2.), tf.distributions.StudentT(4., 0., 1.)):
        print(np.array(session.run([family.log_prob(0.7), family.stddev(), family.entropy()])))
    diagonal = tf.linalg.LinearOperatorDiag([1., 2., 3.], is_positive_definite=True)
    operator = tf.linalg.LinearOperatorLowRankUpdate(diagonal, tf.ones([3, 1]))
    print(session.run([operator.to_dense(), operator.solve(tf.ones([3, 1])), operator.log_abs_determinant()]))
    kronecker = tf.linalg.LinearOperatorKronecker([diagonal, tf.linalg.LinearOperatorFullMatrix([[2., 1.], [1., 3.]])])
    print(session.run([kronecker.matvec(tf.range(6.)), kronecker.trace()]))
    picture = tf.reshape(tf.range(16.), [4, 4])
    print(session.run(tf.contrib.image.rotate(picture, 0.5)))
