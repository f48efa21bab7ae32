# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""ResNet50, ResNet101 and ResNet152."""

from .. import layers
from . import builders

_ADDRESS = "https://github.com/keras-team/keras-applications/releases/download/resnet/%s_weights_tf_dim_ordering_tf_kernels%s.h5"


def _normalized(x, name):
    return layers.BatchNormalization(axis=builders.channels(), epsilon=1.001e-5, name=name)(x)


def _block(x, filters, stride, has_shortcut, name):
    shortcut = x
    if has_shortcut:
        shortcut = _normalized(layers.Conv2D(4 * filters, 1, strides=stride, name=name + "_0_conv")(x), name + "_0_bn")
    x = _normalized(layers.Conv2D(filters, 1, strides=stride, name=name + "_1_conv")(x), name + "_1_bn")
    x = layers.Activation("relu", name=name + "_1_relu")(x)
    x = _normalized(layers.Conv2D(filters, 3, padding="SAME", name=name + "_2_conv")(x), name + "_2_bn")
    x = layers.Activation("relu", name=name + "_2_relu")(x)
    x = _normalized(layers.Conv2D(4 * filters, 1, name=name + "_3_conv")(x), name + "_3_bn")
    x = layers.Add(name=name + "_add")([shortcut, x])
    return layers.Activation("relu", name=name + "_out")(x)


def _model(name, spelled, counts):
    def make(include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000, **_):
        builders.check(weights, include_top, classes)
        read = builders.picture(input_tensor, builders.input_shape(input_shape, 224, 32, include_top, weights))
        x = layers.ZeroPadding2D(padding=((3, 3), (3, 3)), name="conv1_pad")(read)
        x = _normalized(layers.Conv2D(64, 7, strides=2, name="conv1_conv")(x), "conv1_bn")
        x = layers.Activation("relu", name="conv1_relu")(x)
        x = layers.ZeroPadding2D(padding=((1, 1), (1, 1)), name="pool1_pad")(x)
        x = layers.MaxPooling2D(3, strides=2, name="pool1_pool")(x)
        for stack, count in enumerate(counts):
            for i in range(count):
                stride = 2 if stack and not i else 1
                x = _block(x, 64 << stack, stride, not i, "conv%d_block%d" % (stack + 2, i + 1))
        if include_top:
            x = layers.GlobalAveragePooling2D(name="avg_pool")(x)
            x = layers.Dense(classes, activation="softmax", name="probs")(x)
        else:
            x = builders.pooled(x, pooling, ("avg_pool", "max_pool"))
        return builders.finished(input_tensor, read, x, name, weights, _ADDRESS % (name, "" if include_top else "_notop"))

    make.__name__ = spelled
    return make


ResNet50, ResNet101, ResNet152 = (_model("resnet%d" % depth, "ResNet%d" % depth, counts) for depth, counts in (
    (50, (3, 4, 6, 3)), (101, (3, 4, 23, 3)), (152, (3, 8, 36, 3))))
