# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Inception, versions 1 to 3: a few layers, then blocks of branches side by side. Each is a table."""

from ... import nn
from ...framework.graph_keys import GraphKeys
from ...operators import array_ops
from ...state.scope import variable_scope
from .. import initializers, layers, normalization
from ..arg_scopes import arg_scope
from ..regularizers import l2_regularizer
from .chains import trunc_normal

# A line without a name is a row of layers, one with a name a block: its branches are parted by |. A layer is
# PLACE_SIZE:CHANNELS/STRIDE~DEVIATION, where what is not said is 1 or the scope's; =SIZE is a size that the name does
# not tell, + two layers that see the same, ! a layer that pads otherwise than its row, max_ and avg_ a pool.
_V1 = """
1a_7x7:64/2 max_2a_3x3/2 2b_1x1:64 2c_3x3:192 max_3a_3x3/2
3b = 0a_1x1:64 | 0a_1x1:96 0b_3x3:128 | 0a_1x1:16 0b_3x3:32 | max_0a_3x3 0b_1x1:32
3c = 0a_1x1:128 | 0a_1x1:128 0b_3x3:192 | 0a_1x1:32 0b_3x3:96 | max_0a_3x3 0b_1x1:64
max_4a_3x3/2
4b = 0a_1x1:192 | 0a_1x1:96 0b_3x3:208 | 0a_1x1:16 0b_3x3:48 | max_0a_3x3 0b_1x1:64
4c = 0a_1x1:160 | 0a_1x1:112 0b_3x3:224 | 0a_1x1:24 0b_3x3:64 | max_0a_3x3 0b_1x1:64
4d = 0a_1x1:128 | 0a_1x1:128 0b_3x3:256 | 0a_1x1:24 0b_3x3:64 | max_0a_3x3 0b_1x1:64
4e = 0a_1x1:112 | 0a_1x1:144 0b_3x3:288 | 0a_1x1:32 0b_3x3:64 | max_0a_3x3 0b_1x1:64
4f = 0a_1x1:256 | 0a_1x1:160 0b_3x3:320 | 0a_1x1:32 0b_3x3:128 | max_0a_3x3 0b_1x1:128
max_5a_2x2/2
5b = 0a_1x1:256 | 0a_1x1:160 0b_3x3:320 | 0a_1x1:32 0a_3x3:128 | max_0a_3x3 0b_1x1:128
5c = 0a_1x1:384 | 0a_1x1:192 0b_3x3:384 | 0a_1x1:48 0b_3x3:128 | max_0a_3x3 0b_1x1:128
"""
_V2 = """
1a_7x7:64/2~1 max_2a_3x3/2 2b_1x1:64~.1 2c_3x3:192 max_3a_3x3/2
3b = 0a_1x1:64 | 0a_1x1:64~.09 0b_3x3:64 | 0a_1x1:64~.09 0b_3x3:96 0c_3x3:96 | avg_0a_3x3 0b_1x1:32~.1
3c = 0a_1x1:64 | 0a_1x1:64~.09 0b_3x3:96 | 0a_1x1:64~.09 0b_3x3:96 0c_3x3:96 | avg_0a_3x3 0b_1x1:64~.1
4a = 0a_1x1:128~.09 1a_3x3:160/2 | 0a_1x1:64~.09 0b_3x3:96 1a_3x3:96/2 | max_1a_3x3/2
4b = 0a_1x1:224 | 0a_1x1:64~.09 0b_3x3:96 | 0a_1x1:96~.09 0b_3x3:128 0c_3x3:128 | avg_0a_3x3 0b_1x1:128~.1
4c = 0a_1x1:192 | 0a_1x1:96~.09 0b_3x3:128 | 0a_1x1:96~.09 0b_3x3:128 0c_3x3:128 | avg_0a_3x3 0b_1x1:128~.1
4d = 0a_1x1:160 | 0a_1x1:128~.09 0b_3x3:160 | 0a_1x1:128~.09 0b_3x3:160 0c_3x3:160 | avg_0a_3x3 0b_1x1:96~.1
4e = 0a_1x1:96 | 0a_1x1:128~.09 0b_3x3:192 | 0a_1x1:160~.09 0b_3x3:192 0c_3x3:192 | avg_0a_3x3 0b_1x1:96~.1
5a = 0a_1x1:128~.09 1a_3x3:192/2 | 0a_1x1:192~.09 0b_3x3:256 1a_3x3:256/2 | max_1a_3x3/2
5b = 0a_1x1:352 | 0a_1x1:192~.09 0b_3x3:320 | 0a_1x1:160~.09 0b_3x3:224 0c_3x3:224 | avg_0a_3x3 0b_1x1:128~.1
5c = 0a_1x1:352 | 0a_1x1:192~.09 0b_3x3:320 | 0a_1x1:192~.09 0b_3x3:224 0c_3x3:224 | max_0a_3x3 0b_1x1:128~.1
"""
_V3 = """
1a_3x3:32/2 2a_3x3:32 2b_3x3:64! max_3a_3x3/2 3b_1x1:80 4a_3x3:192 max_5a_3x3/2
5b = 0a_1x1:64 | 0a_1x1:48 0b_5x5:64 | 0a_1x1:64 0b_3x3:96 0c_3x3:96 | avg_0a_3x3 0b_1x1:32
5c = 0a_1x1:64 | 0b_1x1:48 Conv_1_0c_5x5:64 | 0a_1x1:64 0b_3x3:96 0c_3x3:96 | avg_0a_3x3 0b_1x1:64
5d = 0a_1x1:64 | 0a_1x1:48 0b_5x5:64 | 0a_1x1:64 0b_3x3:96 0c_3x3:96 | avg_0a_3x3 0b_1x1:64
6a = 1a_1x1=3x3:384/2 | 0a_1x1:64 0b_3x3:96 1a_1x1=3x3:96/2 | max_1a_3x3/2
6b = 0a_1x1:192 | 0a_1x1:128 0b_1x7:128 0c_7x1:192 | 0a_1x1:128 0b_7x1:128 0c_1x7:128 0d_7x1:128 0e_1x7:192 | avg_0a_3x3 0b_1x1:192
6c = 0a_1x1:192 | 0a_1x1:160 0b_1x7:160 0c_7x1:192 | 0a_1x1:160 0b_7x1:160 0c_1x7:160 0d_7x1:160 0e_1x7:192 | avg_0a_3x3 0b_1x1:192
6d = 0a_1x1:192 | 0a_1x1:160 0b_1x7:160 0c_7x1:192 | 0a_1x1:160 0b_7x1:160 0c_1x7:160 0d_7x1:160 0e_1x7:192 | avg_0a_3x3 0b_1x1:192
6e = 0a_1x1:192 | 0a_1x1:192 0b_1x7:192 0c_7x1:192 | 0a_1x1:192 0b_7x1:192 0c_1x7:192 0d_7x1:192 0e_1x7:192 | avg_0a_3x3 0b_1x1:192
7a = 0a_1x1:192 1a_3x3:320/2 | 0a_1x1:192 0b_1x7:192 0c_7x1:192 1a_3x3:192/2 | max_1a_3x3/2
7b = 0a_1x1:320 | 0a_1x1:384 0b_1x3+0b_3x1:384 | 0a_1x1:448 0b_3x3:384 0c_1x3+0d_3x1:384 | avg_0a_3x3 0b_1x1:192
7c = 0a_1x1:320 | 0a_1x1:384 0b_1x3+0c_3x1:384 | 0a_1x1:448 0b_3x3:384 0c_1x3+0d_3x1:384 | avg_0a_3x3 0b_1x1:192
"""


def _split(token):
    """(scope, size, channels, stride, deviation) of a layer."""
    token, _, deviation = token.rstrip("!").partition("~")
    token, _, stride = token.partition("/")
    token, _, channels = token.partition(":")
    place, _, size = token.partition("=")
    size = [int(n) for n in (size or place.rpartition("_")[2]).split("x")]
    if place[:3] in ("max", "avg"):
        scope = {"max": "MaxPool", "avg": "AvgPool"}[place[:3]] + place[3:]
    else:
        scope = place if place.startswith("Conv") else "Conv2d_" + place
    return scope, size, int(channels or 0), int(stride or 1), float(deviation or 0)


class _Maker:
    """Makes what a table says."""

    def __init__(self, depth, deviation=None, is_narrowing=False):
        # is_narrowing: what halves the picture does not pad.
        self._depth, self._deviation, self._is_narrowing = depth, deviation, is_narrowing

    def layer(self, net, token, is_padded):
        scope, size, channels, stride, deviation = _split(token)
        padding = "SAME" if is_padded != token.endswith("!") else "VALID"
        if not channels:
            pool = layers.max_pool2d if scope.startswith("Max") else layers.avg_pool2d
            return scope, pool(net, size, stride=stride, padding=padding, scope=scope)
        deviation = deviation or self._deviation
        more = {"weights_initializer": trunc_normal(deviation)} if deviation else {}
        if token == "1a_7x7:64/2~1":
            more["depth_multiplier"] = min(int(self._depth(channels) / 3), 8)
            made = layers.separable_conv2d
        else:
            made = layers.conv2d
        return scope, made(net, self._depth(channels), size, stride=stride, padding=padding, scope=scope, **more)

    def _side_by_side(self, net, token):
        names, _, channels = token.partition(":")
        return array_ops.concat([self.layer(net, "%s:%s" % (name, channels), True)[1] for name in names.split("+")], 3)

    def _branch(self, net, tokens):
        for token in tokens.split():
            is_padded = not (self._is_narrowing and "/2" in token)
            net = self._side_by_side(net, token) if "+" in token else self.layer(net, token, is_padded)[1]
        return net

    def block(self, net, branches):
        made = []
        for number, tokens in enumerate(branches.split("|")):
            with variable_scope("Branch_%d" % number):
                made.append(self._branch(net, tokens))
        return array_ops.concat(made, 3)

    def network(self, net, table, final_endpoint):
        end_points = {}
        for line in table.strip().splitlines():
            name, is_block, rest = line.partition(" = ")
            for token in [None] if is_block else line.split():
                if is_block:
                    scope = "Mixed_" + name
                    with variable_scope(scope):
                        net = self.block(net, rest)
                else:
                    scope, net = self.layer(net, token, not self._is_narrowing)
                end_points[scope] = net
                if scope == final_endpoint:
                    return net, end_points
        raise ValueError("Unknown final endpoint %s" % final_endpoint)


def _depths(multiplier, least):
    if multiplier <= 0:
        raise ValueError("depth_multiplier is not greater than zero.")
    return lambda depth: max(int(depth * multiplier), least)


def inception_v1_base(inputs, final_endpoint="Mixed_5c", scope="InceptionV1"):
    with variable_scope(scope, "InceptionV1", [inputs]):
        return _Maker(lambda depth: depth, 0.01).network(inputs, _V1, final_endpoint)


def inception_v2_base(inputs, final_endpoint="Mixed_5c", min_depth=16, depth_multiplier=1.0, scope=None):
    maker = _Maker(_depths(depth_multiplier, min_depth))
    with variable_scope(scope, "InceptionV2", [inputs]):
        return maker.network(inputs, _V2, final_endpoint)


def inception_v3_base(inputs, final_endpoint="Mixed_7c", min_depth=16, depth_multiplier=1.0, scope=None):
    maker = _Maker(_depths(depth_multiplier, min_depth), is_narrowing=True)
    with variable_scope(scope, "InceptionV3", [inputs]):
        return maker.network(inputs, _V3, final_endpoint)


# -- what stands behind them

def _size_for(net, wanted):
    """A kernel that is no larger than a picture whose size is known."""
    height, width = net.shape.as_list()[1:3]
    return wanted if None in (height, width) else [min(height, wanted[0]), min(width, wanted[1])]


def _logits(net, num_classes, scope, squeeze, **more):
    logits = layers.conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope=scope, **more)
    return array_ops.squeeze(logits, [1, 2], name="SpatialSqueeze") if squeeze else logits


def _seen(net, end_points, num_classes, keep, prediction_fn, squeeze, size, version):
    """The end of a network, which sees the whole picture."""
    with variable_scope("Logits"):
        if version == 1:
            net = layers.avg_pool2d(net, size, stride=1, scope="MaxPool_0a_7x7")
        else:
            size = _size_for(net, size)
            net = layers.avg_pool2d(net, size, padding="VALID", scope="AvgPool_1a_%dx%d" % tuple(size))
        net = layers.dropout(net, keep, scope="Dropout_0b" if version == 1 else "Dropout_1b")
        if version == 3:
            end_points["PreLogits"] = net
        logits = _logits(net, num_classes, "Conv2d_0c_1x1" if version == 1 else "Conv2d_1c_1x1", squeeze)
        if version == 1:
            end_points["Predictions"] = prediction_fn(logits, scope="Predictions")
    end_points["Logits"] = logits
    if version > 1:
        end_points["Predictions"] = prediction_fn(logits, scope="Predictions")
    return logits, end_points


def _aside(net, depth, num_classes, squeeze):
    """Version 3's second opinion, from the middle."""
    with variable_scope("AuxLogits"):
        net = layers.avg_pool2d(net, [5, 5], stride=3, padding="VALID", scope="AvgPool_1a_5x5")
        net = layers.conv2d(net, depth(128), [1, 1], stride=1, padding="SAME", scope="Conv2d_1b_1x1")
        size = _size_for(net, [5, 5])
        net = layers.conv2d(net, depth(768), size, stride=1, padding="VALID", weights_initializer=trunc_normal(0.01),
                            scope="Conv2d_2a_%dx%d" % tuple(size))
        return _logits(net, num_classes, "Conv2d_2b_1x1", squeeze, stride=1, padding="SAME",
                       weights_initializer=trunc_normal(0.001))


def _in_mode(is_training):
    return arg_scope([normalization.batch_norm, layers.dropout], is_training=is_training)


def inception_v1(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.8, prediction_fn=layers.softmax,
                 spatial_squeeze=True, reuse=None, scope="InceptionV1"):
    with variable_scope(scope, "InceptionV1", [inputs, num_classes], reuse=reuse) as scope, _in_mode(is_training):
        net, end_points = inception_v1_base(inputs, scope=scope)
        return _seen(net, end_points, num_classes, dropout_keep_prob, prediction_fn, spatial_squeeze, [7, 7], 1)


def inception_v2(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.8, min_depth=16, depth_multiplier=1.0,
                 prediction_fn=layers.softmax, spatial_squeeze=True, reuse=None, scope="InceptionV2"):
    _depths(depth_multiplier, min_depth)
    with variable_scope(scope, "InceptionV2", [inputs, num_classes], reuse=reuse) as scope, _in_mode(is_training):
        net, end_points = inception_v2_base(inputs, scope=scope, min_depth=min_depth, depth_multiplier=depth_multiplier)
        return _seen(net, end_points, num_classes, dropout_keep_prob, prediction_fn, spatial_squeeze, [7, 7], 2)


def inception_v3(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.8, min_depth=16, depth_multiplier=1.0,
                 prediction_fn=layers.softmax, spatial_squeeze=True, reuse=None, scope="InceptionV3"):
    depth = _depths(depth_multiplier, min_depth)
    with variable_scope(scope, "InceptionV3", [inputs, num_classes], reuse=reuse) as scope, _in_mode(is_training):
        net, end_points = inception_v3_base(inputs, scope=scope, min_depth=min_depth, depth_multiplier=depth_multiplier)
        end_points["AuxLogits"] = _aside(end_points["Mixed_6e"], depth, num_classes, spatial_squeeze)
        return _seen(net, end_points, num_classes, dropout_keep_prob, prediction_fn, spatial_squeeze, [8, 8], 3)


inception_v1.default_image_size = inception_v2.default_image_size = 224
inception_v3.default_image_size = 299


# -- scopes

def _scope(weight_decay, normalizer_fn, normalizer_params):
    with arg_scope([layers.conv2d, layers.fully_connected], weights_regularizer=l2_regularizer(weight_decay)):
        with arg_scope([layers.conv2d], weights_initializer=initializers.variance_scaling_initializer(), activation_fn=nn.relu,
                       normalizer_fn=normalizer_fn, normalizer_params=normalizer_params) as made:
            return made


def _norm_params(collection, **more):
    moving = {"beta": None, "gamma": None, "moving_mean": [collection], "moving_variance": [collection]}
    return dict({"decay": 0.9997, "epsilon": 0.001, "updates_collections": GraphKeys.UPDATE_OPS,
                 "variables_collections": moving}, **more)


def inception_v1_arg_scope(weight_decay=0.00004, use_batch_norm=True, batch_norm_var_collection="moving_vars"):
    if not use_batch_norm:
        return _scope(weight_decay, None, {})
    return _scope(weight_decay, normalization.batch_norm, _norm_params(batch_norm_var_collection))


def inception_v2_arg_scope(weight_decay=0.00004, batch_norm_var_collection="moving_vars"):
    return _scope(weight_decay, normalization.batch_norm, _norm_params(batch_norm_var_collection))


def inception_v3_arg_scope(weight_decay=0.00004, batch_norm_var_collection="moving_vars", batch_norm_decay=0.9997,
                           batch_norm_epsilon=0.001, updates_collections=GraphKeys.UPDATE_OPS, use_fused_batchnorm=True):
    return _scope(weight_decay, normalization.batch_norm, _norm_params(
        batch_norm_var_collection, decay=batch_norm_decay, epsilon=batch_norm_epsilon, updates_collections=updates_collections,
        fused=use_fused_batchnorm))


NAMES = ["inception_v%d%s" % (version, part) for version in (1, 2, 3) for part in ("", "_base", "_arg_scope")]
