"""What gradients of batch normalisation give beside the three that count: zeros whose shape is none of those inferred."""
import numpy as np
import tensorflow as tf

x = tf.constant(np.arange(36.).reshape(2, 3, 3, 2) / 36, tf.float32)
ones, zeros = tf.ones([2]), tf.zeros([2])
with tf.Session() as session:
    for training in (True, False):
        arguments = dict(y_backprop=x * x, x=x, scale=ones, reserve_space_1=zeros, reserve_space_2=ones, is_training=training)
        for gradient in (tf.raw_ops.FusedBatchNormGrad(**arguments), tf.raw_ops.FusedBatchNormGradV2(**arguments),
                         tf.raw_ops.FusedBatchNormGradV3(reserve_space_3=zeros, **arguments)):
            print(training, [(np.shape(value), tensor.shape) for value, tensor in zip(session.run(list(gradient)), gradient)],
                  session.run(list(gradient[3:])))
