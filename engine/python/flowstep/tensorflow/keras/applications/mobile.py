# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""MobileNet: convolutions by channel, and others across channels."""

from .. import layers
from . import builders

_ADDRESS = "https://github.com/fchollet/deep-learning-models/releases/download/v0.6/mobilenet_%s_%d_tf%s.h5"
_SIZES = (128, 160, 192, 224)
_WIDTHS = {1.0: "1_0", 0.75: "7_5", 0.5: "5_0", 0.25: "2_5"}
# Of each block: how many channels it gives, and its stride.
_BLOCKS = ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1), (512, 1), (512, 1), (512, 1), (512, 1), (1024, 2),
           (1024, 1))


def _settled(x, name):
    axis = -1 if builders.channels() == 3 else 1
    x = layers.BatchNormalization(axis=axis, name=name + "_bn")(x)
    return layers.ReLU(6., name=name + "_relu")(x)


def _block(x, filters, depth_multiplier, stride, number):
    if stride != 1:
        x = layers.ZeroPadding2D(((0, 1), (0, 1)), name="conv_pad_%d" % number)(x)
    x = layers.DepthwiseConv2D((3, 3), padding="same" if stride == 1 else "valid", depth_multiplier=depth_multiplier,
                               strides=(stride, stride), use_bias=False, name="conv_dw_%d" % number)(x)
    x = _settled(x, "conv_dw_%d" % number)
    x = layers.Conv2D(filters, (1, 1), padding="same", use_bias=False, strides=(1, 1), name="conv_pw_%d" % number)(x)
    return _settled(x, "conv_pw_%d" % number)


def _top(x, width, dropout, classes):
    x = layers.GlobalAveragePooling2D()(x)
    x = layers.Reshape((1, 1, width) if builders.channels() == 3 else (width, 1, 1), name="reshape_1")(x)
    x = layers.Dropout(dropout, name="dropout")(x)
    x = layers.Conv2D(classes, (1, 1), padding="same", name="conv_preds")(x)
    x = layers.Reshape((classes,), name="reshape_2")(x)
    return layers.Activation("softmax", name="act_softmax")(x)


def _rows_and_columns(shape):
    return tuple(shape[:2] if builders.channels() == 3 else shape[1:])


def MobileNet(input_shape=None, alpha=1.0, depth_multiplier=1, dropout=1e-3, include_top=True, weights="imagenet",
              input_tensor=None, pooling=None, classes=1000, **_):
    builders.check(weights, include_top, classes)
    size = 224
    if input_shape is not None:
        rows, columns = _rows_and_columns(input_shape)
        size = rows if rows == columns and rows in _SIZES else 224
    shape = builders.input_shape(input_shape, size, 32, include_top, weights)
    rows, columns = _rows_and_columns(shape)
    if weights == "imagenet":
        if depth_multiplier != 1:
            raise ValueError("If imagenet weights are being loaded, depth multiplier must be 1")
        if alpha not in _WIDTHS:
            raise ValueError("If imagenet weights are being loaded, alpha can be one of`0.25`, `0.50`, `0.75` or `1.0` only.")
        if rows != columns or rows not in _SIZES:
            rows = 224
    read = builders.picture(input_tensor, shape)
    x = layers.ZeroPadding2D(padding=((0, 1), (0, 1)), name="conv1_pad")(read)
    x = layers.Conv2D(int(32 * alpha), (3, 3), padding="valid", use_bias=False, strides=(2, 2), name="conv1")(x)
    x = _settled(x, "conv1")
    for number, (filters, stride) in enumerate(_BLOCKS, 1):
        x = _block(x, int(filters * alpha), depth_multiplier, stride, number)
    x = _top(x, int(1024 * alpha), dropout, classes) if include_top else builders.pooled(x, pooling)
    name = "mobilenet_%0.2f_%s" % (alpha, rows)
    address = _ADDRESS % (_WIDTHS[alpha], rows, "" if include_top else "_no_top") if weights == "imagenet" else None
    return builders.finished(input_tensor, read, x, name, weights, address)
