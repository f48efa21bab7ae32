# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""AlexNet, VGG and OverFeat: convolutions and pools one after another, then layers that see everything."""

import contextlib

from ... import nn
from ...operators import array_ops
from ...state import initializers
from ...state.scope import variable_scope
from .. import layers, layers_util
from ..arg_scopes import arg_scope
from ..regularizers import l2_regularizer


def trunc_normal(stddev):
    return initializers.TruncatedNormal(0.0, stddev)


def _scope(weight_decay, bias, pool_padding=None):
    with arg_scope([layers.conv2d, layers.fully_connected], activation_fn=nn.relu,
                   weights_regularizer=l2_regularizer(weight_decay), biases_initializer=bias):
        with arg_scope([layers.conv2d], padding="SAME") as made:
            if pool_padding is None:
                return made
            with arg_scope([layers.max_pool2d], padding=pool_padding) as made:
                return made


def alexnet_v2_arg_scope(weight_decay=0.0005):
    return _scope(weight_decay, initializers.Constant(0.1), "VALID")


def overfeat_arg_scope(weight_decay=0.0005):
    return _scope(weight_decay, initializers.Zeros(), "VALID")


def vgg_arg_scope(weight_decay=0.0005):
    return _scope(weight_decay, initializers.Zeros())


def _ended(scope, net, collection, squeeze):
    """The logits and what is known by name."""
    end_points = layers_util.convert_collection_to_dict(collection)
    if squeeze:
        net = array_ops.squeeze(net, [1, 2], name="fc8/squeezed")
        end_points[scope.name + "/fc8"] = net
    return net, end_points


def _head(net, size, width, num_classes, is_training, keep, inner=None):
    """Three layers that see the whole picture, as convolutions."""
    with inner() if inner else contextlib.nullcontext():
        net = layers.conv2d(net, width[0], size, padding="VALID", scope="fc6")
        net = layers.dropout(net, keep, is_training=is_training, scope="dropout6")
        net = layers.conv2d(net, width[1], [1, 1], scope="fc7")
        net = layers.dropout(net, keep, is_training=is_training, scope="dropout7")
        return layers.conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="fc8",
                             **({"biases_initializer": initializers.Zeros()} if inner else {}))


def _narrow():
    return arg_scope([layers.conv2d], weights_initializer=trunc_normal(0.005), biases_initializer=initializers.Constant(0.1))


def alexnet_v2(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5, spatial_squeeze=True, scope="alexnet_v2"):
    with variable_scope(scope, "alexnet_v2", [inputs]) as sc:
        collection = sc.original_name_scope + "_end_points"
        with arg_scope([layers.conv2d, layers.fully_connected, layers.max_pool2d], outputs_collections=[collection]):
            net = layers.conv2d(inputs, 64, [11, 11], 4, padding="VALID", scope="conv1")
            net = layers.max_pool2d(net, [3, 3], 2, scope="pool1")
            net = layers.conv2d(net, 192, [5, 5], scope="conv2")
            net = layers.max_pool2d(net, [3, 3], 2, scope="pool2")
            for number, depth in ((3, 384), (4, 384), (5, 256)):
                net = layers.conv2d(net, depth, [3, 3], scope="conv%d" % number)
            net = layers.max_pool2d(net, [3, 3], 2, scope="pool5")
            net = _head(net, [5, 5], (4096, 4096), num_classes, is_training, dropout_keep_prob, _narrow)
            return _ended(sc, net, collection, spatial_squeeze)


def overfeat(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5, spatial_squeeze=True, scope="overfeat"):
    with variable_scope(scope, "overfeat", [inputs]) as sc:
        collection = sc.name + "_end_points"
        with arg_scope([layers.conv2d, layers.fully_connected, layers.max_pool2d], outputs_collections=collection):
            net = layers.conv2d(inputs, 64, [11, 11], 4, padding="VALID", scope="conv1")
            net = layers.max_pool2d(net, [2, 2], scope="pool1")
            net = layers.conv2d(net, 256, [5, 5], padding="VALID", scope="conv2")
            net = layers.max_pool2d(net, [2, 2], scope="pool2")
            for number, depth in ((3, 512), (4, 1024), (5, 1024)):
                net = layers.conv2d(net, depth, [3, 3], scope="conv%d" % number)
            net = layers.max_pool2d(net, [2, 2], scope="pool5")
            net = _head(net, [6, 6], (3072, 4096), num_classes, is_training, dropout_keep_prob, _narrow)
            return _ended(sc, net, collection, spatial_squeeze)


def _vgg(name, counts):
    """A network with so many convolutions before each pool."""
    def network(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5, spatial_squeeze=True, scope=name):
        with variable_scope(scope, name, [inputs]) as sc:
            collection = sc.original_name_scope + "_end_points"
            with arg_scope([layers.conv2d, layers.fully_connected, layers.max_pool2d], outputs_collections=collection):
                net = inputs
                for number, (count, depth) in enumerate(zip(counts, (64, 128, 256, 512, 512)), 1):
                    net = layers.repeat(net, count, layers.conv2d, depth, [3, 3], scope="conv%d" % number)
                    net = layers.max_pool2d(net, [2, 2], scope="pool%d" % number)
                net = _head(net, [7, 7], (4096, 4096), num_classes, is_training, dropout_keep_prob)
                return _ended(sc, net, collection, spatial_squeeze)
    network.__name__, network.__qualname__, network.default_image_size = name, name, 224
    return network


vgg_a = _vgg("vgg_a", (1, 1, 2, 2, 2))
vgg_16 = vgg_d = _vgg("vgg_16", (2, 2, 3, 3, 3))
vgg_19 = vgg_e = _vgg("vgg_19", (2, 2, 4, 4, 4))
alexnet_v2.default_image_size, overfeat.default_image_size = 224, 231
