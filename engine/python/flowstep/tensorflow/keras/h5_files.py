# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Models and weights in HDF5 files, by h5py where it is installed."""

import json
import os

import numpy as np

from ..framework import tf_logging
from ..saving import saved_models
from . import backend, model_configs, serialization

# What an attribute of an HDF5 object may take; longer lists go in pieces.
_ATTRIBUTE_BYTES = 64512


def module(function):
    """h5py, or what TensorFlow says where it is not there."""
    try:
        import h5py
    except ImportError:
        raise ImportError("`%s` requires h5py." % function) from None
    return h5py


def _put_names(group, key, names):
    too_long = [name for name in names if len(name) > _ATTRIBUTE_BYTES]
    if too_long:
        raise RuntimeError("The following attributes cannot be saved to HDF5 file because they are larger than %d bytes: %s" %
                           (_ATTRIBUTE_BYTES, ", ".join(map(str, too_long))))
    whole = np.asarray(names)
    pieces = 1
    while any(piece.nbytes > _ATTRIBUTE_BYTES for piece in np.array_split(whole, pieces)):
        pieces += 1
    if pieces == 1:
        group.attrs[key] = names
        return
    for number, piece in enumerate(np.array_split(whole, pieces)):
        group.attrs["%s%d" % (key, number)] = piece


def _text(value):
    return value.decode("utf8") if isinstance(value, bytes) else value


def _names(group, key):
    if key in group.attrs:
        return [_text(name) for name in group.attrs[key]]
    found, number = [], 0
    while "%s%d" % (key, number) in group.attrs:
        found.extend(_text(name) for name in group.attrs["%s%d" % (key, number)])
        number += 1
    return found


def _put_values(group, weights):
    names = [w.name.encode("utf8") for w in weights]
    _put_names(group, "weight_names", names)
    for name, value in zip(names, backend.batch_get_value(weights)):
        group.create_dataset(name.decode(), data=value)


def _weights(layer):
    """In the order of these files: those that are trained first."""
    return layer.trainable_weights + layer.non_trainable_weights


def put_weights(group, layers):
    _put_names(group, "layer_names", [layer.name.encode("utf8") for layer in layers])
    group.attrs["backend"] = b"tensorflow"
    group.attrs["keras_version"] = model_configs.VERSION.encode("utf8")
    for layer in layers:
        _put_values(group.create_group(layer.name), _weights(layer))


def _saved(group, name):
    return [np.asarray(group[name][weight]) for weight in _names(group[name], "weight_names")]


def take_weights(group, layers):
    """By place: the layers that have weights, in their order."""
    layers = [layer for layer in layers if _weights(layer)]
    names = [name for name in _names(group, "layer_names") if _names(group[name], "weight_names")]
    if len(names) != len(layers):
        raise ValueError("You are trying to load a weight file containing %d layers into a model with %d layers." %
                         (len(names), len(layers)))
    pairs = []
    for number, (name, layer) in enumerate(zip(names, layers)):
        own, values = _weights(layer), _saved(group, name)
        if len(own) != len(values):
            raise ValueError("Layer #%d (named \"%s\" in the current model) was found to correspond to layer %s in the save "
                             "file. However the new layer %s expects %d weights, but the saved weights have %d elements." %
                             (number, layer.name, name, layer.name, len(own), len(values)))
        pairs.extend(zip(own, values))
    backend.batch_set_value(pairs)


def take_weights_by_name(group, layers):
    pairs = []
    for number, name in enumerate(_names(group, "layer_names")):
        values = _saved(group, name)
        for layer in [layer for layer in layers if layer.name == name]:
            own = _weights(layer)
            if len(own) != len(values):
                raise ValueError("Layer #%d (named \"%s\") expects %d weight(s), but the saved weights have %d element(s)." %
                                 (number, layer.name, len(own), len(values)))
            for w, value in zip(own, values):
                if backend.int_shape(w) != value.shape:
                    raise ValueError("Layer #%d (named \"%s\"), weight %s has shape %s, but the saved weight has shape %s." %
                                     (number, layer.name, w, backend.int_shape(w), value.shape))
            pairs.extend(zip(own, values))
    backend.batch_set_value(pairs)


def _about_training(model):
    loss, metrics, loss_weights, weighted_metrics, _ = model._settings
    return {"loss": loss or {}, "metrics": metrics, "weighted_metrics": weighted_metrics,
            "sample_weight_mode": model.sample_weight_mode, "loss_weights": loss_weights,
            "optimizer_config": {"class_name": type(model.optimizer).__name__, "config": model.optimizer.get_config()}}


def save_model(model, filepath, include_optimizer=True):
    from .optimizers import TFOptimizer
    h5py = module("save_model")
    about = {"class_name": type(model).__name__, "config": model.get_config()}
    optimizer = getattr(model, "optimizer", None) if include_optimizer else None
    if isinstance(optimizer, TFOptimizer):
        tf_logging.warning("TensorFlow optimizers do not make it possible to access optimizer attributes or optimizer state "
                           "after instantiation. As a result, we cannot save the optimizer as part of the model save file. "
                           "You will have to compile your model again after loading it. Prefer using a Keras optimizer "
                           "instead (see keras.io/optimizers).")
        optimizer = None
    with h5py.File(filepath, mode="w") as file:
        file.attrs["keras_version"] = model_configs.VERSION
        file.attrs["backend"] = "tensorflow"
        file.attrs["model_config"] = serialization.to_json(about).encode("utf8")
        if optimizer is not None:
            file.attrs["training_config"] = serialization.to_json(_about_training(model)).encode("utf8")
        put_weights(file.create_group("model_weights"), model.layers)
        if optimizer is not None and optimizer.weights:
            _put_values(file.create_group("optimizer_weights"), optimizer.weights)


def load_model(filepath, custom_objects=None, compile=True):
    h5py = module("load_model")
    if not os.path.exists(filepath):
        saved_models.parse_saved_model(filepath)   # TF: what is no HDF5 file is looked for as a SavedModel
    with h5py.File(filepath, mode="r") as file, serialization.scope_of(custom_objects):
        about = file.attrs.get("model_config")
        if about is None:
            raise ValueError("No model found in config file.")
        model = model_configs.model_from_config(json.loads(_text(about)), custom_objects)
        take_weights(file["model_weights"], model.layers)
        if compile:
            _compile(model, file, custom_objects or {})
    return model


def _compile(model, file, custom_objects):
    from . import optimizers
    training = file.attrs.get("training_config")
    if training is None:
        tf_logging.warning("No training configuration found in save file: the model was *not* compiled. Compile it manually.")
        return
    training = json.loads(_text(training))

    def known(value):
        if isinstance(value, dict) and "class_name" not in value:
            return {key: known(item) for key, item in value.items()}
        if isinstance(value, list):
            return [known(item) for item in value]
        return custom_objects.get(value, value) if isinstance(value, str) else value
    model.compile(optimizer=optimizers.deserialize(training["optimizer_config"], custom_objects), loss=known(training["loss"]),
                  metrics=known(training["metrics"]), weighted_metrics=known(training.get("weighted_metrics")),
                  loss_weights=training["loss_weights"], sample_weight_mode=training["sample_weight_mode"])
    if "optimizer_weights" in file and model._is_graph_network:
        model._function("train")
        group = file["optimizer_weights"]
        try:
            model.optimizer.set_weights([np.asarray(group[name]) for name in _names(group, "weight_names")])
        except ValueError:
            tf_logging.warning("Error in loading the saved optimizer state. As a result, your model is starting with a "
                               "freshly initialized optimizer.")


# -- weights alone

def save_weights(model, filepath):
    with module("save_weights").File(filepath, "w") as file:
        put_weights(file, model.layers)


def load_weights(model, filepath, by_name):
    with module("load_weights").File(filepath, "r") as file:
        group = file["model_weights"] if "layer_names" not in file.attrs and "model_weights" in file else file
        (take_weights_by_name if by_name else take_weights)(group, model.layers)
