# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""VGG16 and VGG19: blocks of convolutions between poolings."""

from .. import layers
from . import builders

_ADDRESS = "https://github.com/fchollet/deep-learning-models/releases/download/v0.1/%s_weights_tf_dim_ordering_tf_kernels%s.h5"


def _model(name, counts):
    def make(include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000):
        builders.check(weights, include_top, classes)
        shape = builders.input_shape(input_shape, 224, 32, include_top, weights)
        read = x = builders.picture(input_tensor, shape)
        for block, (count, filters) in enumerate(zip(counts, (64, 128, 256, 512, 512)), 1):
            for i in range(1, count + 1):
                x = layers.Conv2D(filters, (3, 3), activation="relu", padding="same", name="block%d_conv%d" % (block, i))(x)
            x = layers.MaxPooling2D((2, 2), strides=(2, 2), name="block%d_pool" % block)(x)
        if include_top:
            x = layers.Flatten(name="flatten")(x)
            x = layers.Dense(4096, activation="relu", name="fc1")(x)
            x = layers.Dense(4096, activation="relu", name="fc2")(x)
            x = layers.Dense(classes, activation="softmax", name="predictions")(x)
        else:
            x = builders.pooled(x, pooling)
        return builders.finished(input_tensor, read, x, name, weights, _ADDRESS % (name, "" if include_top else "_notop"))

    make.__name__ = name.upper()
    return make


VGG16, VGG19 = _model("vgg16", (2, 2, 3, 3, 3)), _model("vgg19", (2, 2, 4, 4, 4))
