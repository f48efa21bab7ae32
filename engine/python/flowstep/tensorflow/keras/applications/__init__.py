# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.applications: known networks for pictures."""

from .mobile import MobileNet
from .pixels import decode_predictions, preprocess_in, preprocess_input
from .residual import ResNet50, ResNet101, ResNet152
from .vgg import VGG16, VGG19


def _module(mode, *models):
    return dict({model.__name__: model for model in models}, preprocess_input=preprocess_in(mode),
                decode_predictions=decode_predictions)


# What stands in the modules below tf.keras.applications.
MODULES = {
    "vgg16": _module("caffe", VGG16), "vgg19": _module("caffe", VGG19), "mobilenet": _module("tf", MobileNet),
    "resnet50": _module("caffe", ResNet50), "resnet": _module("caffe", ResNet50, ResNet101, ResNet152),
    "imagenet_utils": {"preprocess_input": preprocess_input, "decode_predictions": decode_predictions},
}
MODELS = {model.__name__: model for model in (VGG16, VGG19, ResNet50, ResNet101, ResNet152, MobileNet)}
