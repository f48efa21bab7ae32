# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What the models of tf.keras.applications share: what they read, how they end, the weights they begin with."""

import os

from .. import backend, layers
from ..files import get_file
from ..histories import sources
from ..input_layers import Input
from ..models import Model


def channels():
    """The axis of channels."""
    return 3 if backend.image_data_format() == "channels_last" else 1


def _placed(rows_and_columns, depth):
    return rows_and_columns + (depth,) if channels() == 3 else (depth,) + rows_and_columns


def _check_given(shape, weights, smallest):
    if len(shape) != 3:
        raise ValueError("`input_shape` must be a tuple of three integers.")
    depth, sizes = (shape[-1], shape[:2]) if channels() == 3 else (shape[0], shape[1:])
    if depth != 3 and weights == "imagenet":
        raise ValueError("The input must have 3 channels; got `input_shape=%s`" % (shape,))
    if any(size is not None and size < smallest for size in sizes):
        raise ValueError("Input size must be at least %dx%d; got `input_shape=%s`" % (smallest, smallest, shape))


def input_shape(given, default, smallest, include_top, weights):
    """The shape of a picture."""
    depth = 3
    if weights != "imagenet" and given and len(given) == 3:
        depth = given[-1] if channels() == 3 else given[0]
    usual = _placed((default, default), depth)
    if weights == "imagenet" and include_top:
        if given is not None and given != usual:
            raise ValueError("When setting `include_top=True` and loading `imagenet` weights, `input_shape` should be %s." %
                             (usual,))
        return usual
    if given:
        _check_given(given, weights, smallest)
        shape = given
    else:
        shape = usual if include_top else _placed((None, None), 3)
    if include_top and None in shape:
        raise ValueError("If `include_top` is True, you should specify a static `input_shape`. Got `input_shape=%s`" % (shape,))
    return shape


def check(weights, include_top, classes):
    if not (weights in ("imagenet", None) or os.path.exists(weights)):
        raise ValueError("The `weights` argument should be either `None` (random initialization), `imagenet` (pre-training on "
                         "ImageNet), or the path to the weights file to be loaded.")
    if weights == "imagenet" and include_top and classes != 1000:
        raise ValueError('If using `weights` as `"imagenet"` with `include_top` as true, `classes` should be 1000')


def picture(tensor, shape):
    """What the first layer reads."""
    if tensor is None:
        return Input(shape=shape)
    return tensor if backend.is_keras_tensor(tensor) else Input(tensor=tensor, shape=shape)


def pooled(x, pooling, names=(None, None)):
    if pooling == "avg":
        return layers.GlobalAveragePooling2D(name=names[0])(x)
    return layers.GlobalMaxPooling2D(name=names[1])(x) if pooling == "max" else x


def finished(given, read, x, name, weights, address):
    """The model, with weights that are not left to chance where there are any."""
    model = Model(read if given is None else sources(read), x, name=name)
    if weights == "imagenet":
        model.load_weights(get_file(os.path.basename(address), address, cache_subdir="models"))
    elif weights is not None:
        model.load_weights(weights)
    return model
