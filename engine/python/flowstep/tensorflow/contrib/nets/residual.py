# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Residual networks, with normalisation behind each convolution (v1) or before it (v2)."""

import collections
import contextlib

from ... import nn
from ...framework.graph import GraphKeys
from ...operators import array_ops, math_ops
from ...state.scope import variable_scope
from .. import layers, layers_util
from ..arg_scopes import add_arg_scope, arg_scope
from ..initializers import variance_scaling_initializer
from ..regularizers import l2_regularizer


class Block(collections.namedtuple("Block", ["scope", "unit_fn", "args"])):
    """Units of one depth: the function that makes one, and what it is given for each."""


def subsample(inputs, factor, scope=None):
    return inputs if factor == 1 else layers.max_pool2d(inputs, [1, 1], stride=factor, scope=scope)


def conv2d_same(inputs, num_outputs, kernel_size, stride, rate=1, scope=None):
    """Padded by itself where it steps, so that sizes do not depend on the picture's."""
    if stride == 1:
        return layers.conv2d(inputs, num_outputs, kernel_size, stride=1, rate=rate, padding="SAME", scope=scope)
    total = kernel_size + (kernel_size - 1) * (rate - 1) - 1
    pads = [total // 2, total - total // 2]
    inputs = array_ops.pad(inputs, [[0, 0], pads, pads, [0, 0]])
    return layers.conv2d(inputs, num_outputs, kernel_size, stride=stride, rate=rate, padding="VALID", scope=scope)


@add_arg_scope
def stack_blocks_dense(net, blocks, output_stride=None, outputs_collections=None):
    """The blocks one after another; strides become rates once the output is as coarse as it may be."""
    stride, rate = 1, 1
    for block in blocks:
        with variable_scope(block.scope, "block", [net]) as sc:
            for number, unit in enumerate(block.args, 1):
                if output_stride is not None and stride > output_stride:
                    raise ValueError("The target output_stride cannot be reached.")
                with variable_scope("unit_%d" % number, values=[net]):
                    if output_stride is not None and stride == output_stride:
                        net = block.unit_fn(net, rate=rate, **dict(unit, stride=1))
                        rate *= unit.get("stride", 1)
                    else:
                        net = block.unit_fn(net, rate=1, **unit)
                        stride *= unit.get("stride", 1)
            net = layers_util.collect_named_outputs(outputs_collections, sc.name, net)
    if output_stride is not None and stride != output_stride:
        raise ValueError("The target output_stride cannot be reached.")
    return net


def resnet_arg_scope(weight_decay=0.0001, batch_norm_decay=0.997, batch_norm_epsilon=1e-5, batch_norm_scale=True):
    options = {"decay": batch_norm_decay, "epsilon": batch_norm_epsilon, "scale": batch_norm_scale,
               "updates_collections": GraphKeys.UPDATE_OPS}
    with arg_scope([layers.conv2d], weights_regularizer=l2_regularizer(weight_decay),
                   weights_initializer=variance_scaling_initializer(), activation_fn=nn.relu,
                   normalizer_fn=layers.batch_norm, normalizer_params=options):
        with arg_scope([layers.batch_norm], **options):
            with arg_scope([layers.max_pool2d], padding="SAME") as made:
                return made


def _residual(net, depth, inner, stride, rate, **last):
    net = layers.conv2d(net, inner, [1, 1], stride=1, scope="conv1")
    net = conv2d_same(net, inner, 3, stride, rate=rate, scope="conv2")
    return layers.conv2d(net, depth, [1, 1], stride=1, activation_fn=None, scope="conv3", **last)


def _first_unit():
    @add_arg_scope
    def bottleneck(inputs, depth, depth_bottleneck, stride, rate=1, outputs_collections=None, scope=None):
        with variable_scope(scope, "bottleneck_v1", [inputs]) as sc:
            if depth == layers_util.last_dimension(inputs.shape, min_rank=4):
                shortcut = subsample(inputs, stride, "shortcut")
            else:
                shortcut = layers.conv2d(inputs, depth, [1, 1], stride=stride, activation_fn=None, scope="shortcut")
            residual = _residual(inputs, depth, depth_bottleneck, stride, rate)
            return layers_util.collect_named_outputs(outputs_collections, sc.name, nn.relu(shortcut + residual))
    return bottleneck


def _second_unit():
    @add_arg_scope
    def bottleneck(inputs, depth, depth_bottleneck, stride, rate=1, outputs_collections=None, scope=None):
        with variable_scope(scope, "bottleneck_v2", [inputs]) as sc:
            before = layers_util.last_dimension(inputs.shape, min_rank=4)
            net = layers.batch_norm(inputs, activation_fn=nn.relu, scope="preact")
            if depth == before:
                shortcut = subsample(inputs, stride, "shortcut")
            else:
                shortcut = layers.conv2d(net, depth, [1, 1], stride=stride, normalizer_fn=None, activation_fn=None,
                                         scope="shortcut")
            residual = _residual(net, depth, depth_bottleneck, stride, rate, normalizer_fn=None)
            return layers_util.collect_named_outputs(outputs_collections, sc.name, shortcut + residual)
    return bottleneck


def _network(version, unit):
    """resnet_v1() or resnet_v2()."""
    name = "resnet_v%d" % version

    def network(inputs, blocks, num_classes=None, is_training=True, global_pool=True, output_stride=None,
                include_root_block=True, reuse=None, scope=None):
        with variable_scope(scope, name, [inputs], reuse=reuse) as sc:
            collection = sc.original_name_scope + "_end_points"
            with arg_scope([layers.conv2d, unit, stack_blocks_dense], outputs_collections=collection), \
                    arg_scope([layers.batch_norm], is_training=is_training):
                net = inputs
                if include_root_block:
                    if output_stride is not None:
                        if output_stride % 4 != 0:
                            raise ValueError("The output_stride needs to be a multiple of 4.")
                        output_stride /= 4
                    with contextlib.nullcontext() if version == 1 else \
                            arg_scope([layers.conv2d], activation_fn=None, normalizer_fn=None):
                        net = conv2d_same(net, 64, 7, stride=2, scope="conv1")
                    net = layers.max_pool2d(net, [3, 3], stride=2, scope="pool1")
                net = stack_blocks_dense(net, blocks, output_stride)
                if version == 2:
                    net = layers.batch_norm(net, activation_fn=nn.relu, scope="postnorm")
                if global_pool:
                    net = math_ops.reduce_mean(net, [1, 2], name="pool5", keepdims=True)
                if num_classes is not None:
                    net = layers.conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="logits")
                end_points = layers_util.convert_collection_to_dict(collection)
                if num_classes is not None:
                    end_points["predictions"] = layers.softmax(net, scope="predictions")
                return net, end_points
    network.__name__ = network.__qualname__ = name
    network.default_image_size = 224
    return network


# How many units the four blocks of a network have, by its number of layers.
_UNITS = {50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3), 200: (3, 24, 36, 3)}


def _family(version, unit):
    network = _network(version, unit)
    name = network.__name__

    def block(scope, base_depth, num_units, stride):
        # The step is that of the last unit.
        strides = [1] * (num_units - 1) + [stride]
        return Block(scope, unit, [{"depth": base_depth * 4, "depth_bottleneck": base_depth, "stride": s} for s in strides])

    def sized(layers_in_all, units):
        own = "%s_%d" % (name, layers_in_all)

        def function(inputs, num_classes=None, is_training=True, global_pool=True, output_stride=None, reuse=None, scope=own):
            blocks = [block("block%d" % (i + 1), base_depth=64 << i, num_units=count, stride=1 if i == 3 else 2)
                      for i, count in enumerate(units)]
            return network(inputs, blocks, num_classes, is_training, global_pool, output_stride, include_root_block=True,
                           reuse=reuse, scope=scope)
        function.__name__ = function.__qualname__ = own
        return function
    made = {name: network, name + "_block": block, "bottleneck": unit}
    made.update(("%s_%d" % (name, count), sized(count, units)) for count, units in _UNITS.items())
    return made


FIRST, SECOND = _family(1, _first_unit()), _family(2, _second_unit())
