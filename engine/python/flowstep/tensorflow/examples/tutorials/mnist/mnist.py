# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The small network of the MNIST tutorials: two hidden layers and a softmax."""

import math

from .... import losses, nn, summary
from ....framework.graph import name_scope
from ....learning.optimizers import GradientDescentOptimizer
from ....operators import math_ops, random_ops
from ....operators.array_ops import zeros
from ....state import variables

NUM_CLASSES, IMAGE_SIZE = 10, 28
IMAGE_PIXELS = IMAGE_SIZE * IMAGE_SIZE


def _layer(scope, inputs, sizes, activation):
    with name_scope(scope):
        weights = variables.Variable(random_ops.truncated_normal(sizes, stddev=1.0 / math.sqrt(float(sizes[0]))), name="weights")
        biases = variables.Variable(zeros([sizes[1]]), name="biases")
        result = math_ops.matmul(inputs, weights) + biases
        return activation(result) if activation else result


def inference(images, hidden1_units, hidden2_units):
    hidden1 = _layer("hidden1", images, [IMAGE_PIXELS, hidden1_units], nn.relu)
    hidden2 = _layer("hidden2", hidden1, [hidden1_units, hidden2_units], nn.relu)
    return _layer("softmax_linear", hidden2, [hidden2_units, NUM_CLASSES], None)


def loss(logits, labels):
    return losses.sparse_softmax_cross_entropy(labels=math_ops.to_int64(labels), logits=logits)


def training(loss, learning_rate):  # named as in the tutorial
    summary.scalar("loss", loss)
    global_step = variables.Variable(0, name="global_step", trainable=False)
    return GradientDescentOptimizer(learning_rate).minimize(loss, global_step=global_step)


def evaluation(logits, labels):
    correct = nn.in_top_k(logits, labels, 1)
    return math_ops.reduce_sum(math_ops.cast(correct, "int32"))
