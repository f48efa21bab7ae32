# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Models as plain values, models made of them, and models cloned."""

import collections
import copy
import json

from .. import nest
from ..framework.graph import Tensor
from . import backend, serialization
from .input_layers import Input, InputLayer
from .layer_trees import flat_layers

VERSION = "2.2.4-tf"


def layer_classes():
    """Everything that a config may name."""
    from . import layers, models, network
    found = {name: value for name, value in vars(layers).items() if isinstance(value, type)}
    return dict(found, Model=models.Model, Sequential=models.Sequential, Network=network.Network)


def deserialize_layer(config, custom_objects=None):
    config["class_name"]   # TF: a config without one is a KeyError before anything else is looked at
    return serialization.deserialize_keras_object(config, layer_classes(), custom_objects, "layer")


# -- to values

class _Writer:
    """The config of a model from inputs to outputs."""

    def __init__(self, model):
        self.model = model
        self.own = {node for nodes in model._plan.by_depth.values() for node in nodes}
        self.places = {}
        for layer in model.layers:
            kept = 1 if _begins_with_its_inputs(layer) else 0
            for number, node in enumerate(layer._inbound_nodes):
                if node in self.own:
                    self.places[layer.name, number] = kept
                    kept += 1

    def config(self):
        model = self.model
        return copy.deepcopy({
            "name": model.name, "layers": [self._layer(layer) for layer in model.layers],
            "input_layers": self._ends(model._nested_inputs), "output_layers": self._ends(model._nested_outputs)})

    def _coordinates(self, tensor):
        layer, node, index = tensor._keras_history
        return [layer.name, self.places.get((layer.name, node), 0), index]

    def _ends(self, tensors):
        places = nest.map_structure(_Place, tensors)
        found = nest.map_structure(lambda place: _Leaf(self._coordinates(place.tensor)), places)
        return _opened([found] if isinstance(found, _Leaf) else found)

    def _layer(self, layer):
        nodes = [self._node(node) for node in layer._inbound_nodes if node in self.own and node.parents]
        return {"name": layer.name, "class_name": type(layer).__name__, "config": layer.get_config(), "inbound_nodes": nodes}

    def _node(self, node):
        keywords = nest.map_structure(self._argument, node.arguments) if node.arguments else {}
        try:
            serialization.to_json(keywords)
        except TypeError:
            from ..framework import tf_logging
            tf_logging.warning("Layer " + node.outbound_layer.name + " was passed non-serializable keyword arguments: " +
                               str(node.arguments) + ". They will not be included in the serialized model (and thus will be "
                               "missing at deserialization time).")
            keywords = {}
        found = nest.map_structure(lambda t: _Leaf(self._coordinates(t) + [keywords]), node.input_tensors)
        return _opened([found] if isinstance(found, _Leaf) else found)

    def _argument(self, value):
        if isinstance(value, Tensor) and hasattr(value, "_keras_history"):
            return self._coordinates(value)
        if isinstance(value, Tensor):
            return backend.get_value(value).tolist()
        return value


class _Place:
    def __init__(self, tensor):
        self.tensor = tensor


class _Leaf:
    """Coordinates that nest does not look into."""

    def __init__(self, items):
        self.items = items


def _opened(found):
    return nest.map_structure(lambda leaf: leaf.items, found)


def _begins_with_its_inputs(layer):
    """Whether a layer is a model whose first node is that of its own inputs."""
    return getattr(layer, "_is_graph_network", False)


def functional_config(model):
    return _Writer(model).config()


def sequential_config(model):
    layers = [{"class_name": type(layer).__name__, "config": layer.get_config()} for layer in model.layers]
    config = {"name": model.name, "layers": copy.deepcopy(layers)}
    shape = getattr(model, "_build_input_shape", None)
    if shape:
        config["build_input_shape"] = shape
    return config


def whole_config(model):
    return {"class_name": type(model).__name__, "config": model.get_config(), "keras_version": VERSION,
            "backend": "tensorflow"}


# -- from values

def _is_coordinates(value):
    return isinstance(value, (list, tuple)) and len(value) in (3, 4) and isinstance(value[0], str) and \
        isinstance(value[1], int)


def _closed(value):
    """Coordinates as leaves."""
    if _is_coordinates(value):
        return _Leaf(list(value))
    if isinstance(value, dict):
        return {key: _closed(item) for key, item in value.items()}
    return [_closed(item) for item in value]


class _Reader:
    """A model from inputs to outputs made of its config."""

    def __init__(self, config, custom_objects):
        self.layers, self.waiting = {}, collections.OrderedDict()
        for about in config["layers"]:
            layer = self.layers[about["name"]] = deserialize_layer(about, custom_objects)
            if about["inbound_nodes"]:
                self.waiting[layer] = [_closed(node) for node in about["inbound_nodes"]]
        while self.waiting:
            for about in config["layers"]:
                layer = self.layers[about["name"]]
                for node in self.waiting.pop(layer, ()):
                    self._call(layer, node)

    def tensor(self, leaf):
        layer, node, index = leaf.items[:3]
        return nest.flatten(self.layers[layer]._inbound_nodes[node].output_tensors)[index]

    def _call(self, layer, node):
        leaves = nest.flatten(node)
        if any(len(self.layers[leaf.items[0]]._inbound_nodes) <= leaf.items[1] for leaf in leaves):
            self.waiting.setdefault(layer, []).append(node)
            return
        keywords = {}
        for leaf in leaves:
            keywords = leaf.items[3] if len(leaf.items) == 4 else {}
        keywords = {key: self.tensor(_Leaf(list(value))) if _is_coordinates(value) and value[0] in self.layers else value
                    for key, value in keywords.items()}
        inputs = nest.map_structure(self.tensor, node)
        layer(inputs[0] if isinstance(inputs, list) and len(inputs) == 1 else inputs, **keywords)

    def ends(self, places):
        return nest.map_structure(self.tensor, _closed(places if not _is_coordinates(places) else [places]))


def functional_from_config(cls, config, custom_objects=None):
    reader = _Reader(config, custom_objects)
    return cls(inputs=reader.ends(config["input_layers"]), outputs=reader.ends(config["output_layers"]),
               name=config.get("name"))


def sequential_from_config(cls, config, custom_objects=None):
    name, shape, layers = None, None, config
    if "name" in config:
        name, shape, layers = config["name"], config.get("build_input_shape"), config["layers"]
    model = cls(name=name)
    for about in layers:
        model.add(deserialize_layer(about, custom_objects))
    if not model.inputs and shape:
        model.build(shape)
    return model


def model_from_config(config, custom_objects=None):
    if isinstance(config, list):
        raise TypeError("`model_from_config` expects a dictionary, not a list. Maybe you meant to use "
                        "`Sequential.from_config(config)`?")
    return deserialize_layer(config, custom_objects)


def model_from_json(json_string, custom_objects=None):
    return model_from_config(json.loads(json_string), custom_objects)


def model_from_yaml(yaml_string, custom_objects=None):
    try:
        import yaml
    except ImportError:
        raise ImportError("Requires yaml module installed (`pip install pyyaml`).") from None
    return model_from_config(yaml.safe_load(yaml_string), custom_objects)


# -- clones

def _copied(layer):
    return type(layer).from_config(layer.get_config())


def _new_inputs(model, input_tensors):
    """Inputs of a clone: new placeholders, or what was given in layers of their own."""
    if input_tensors is None:
        return [Input(batch_shape=layer._batch_input_shape, dtype=layer.dtype, sparse=layer.sparse, name=layer.name)
                for layer in model._input_layers]
    return [x if hasattr(x, "_keras_history") else Input(tensor=x, name="input_wrapper_for_" + layer.name)
            for x, layer in zip(nest.flatten(input_tensors), model._input_layers)]


def _clone_functional(model, input_tensors, clone):
    if not model._is_graph_network:
        raise ValueError("Expected `model` argument to be a functional `Model` instance, but got a subclass model instead.")
    inputs = _new_inputs(model, input_tensors)
    made = dict(zip(model.inputs, inputs))
    copies = {}
    for depth in sorted(model._plan.by_depth, reverse=True):
        for node in model._plan.by_depth[depth]:
            layer = node.outbound_layer
            if isinstance(layer, InputLayer):
                continue
            if layer not in copies:
                copies[layer] = clone(layer)
            outputs = copies[layer](nest.map_structure(made.__getitem__, node.input_tensors), **node.arguments)
            made.update(zip(nest.flatten(node.output_tensors), nest.flatten(outputs)))
    ends = nest.map_structure(made.__getitem__, model._nested_outputs)
    return type(model)(inputs if len(inputs) > 1 else inputs[0], ends, name=model.name)


def _clone_sequential(model, input_tensors, clone):
    held = list(flat_layers(model._layers))
    layers = [clone(layer) for layer in held if not isinstance(layer, InputLayer)]
    first = next((layer for layer in held if isinstance(layer, InputLayer)), None)
    if input_tensors is None:
        return type(model)(([] if first is None else [_copied(first)]) + layers, name=model.name)
    given = nest.flatten(input_tensors)
    if len(given) != 1:
        raise ValueError("To clone a `Sequential` model, we expect  at most one tensor as part of `input_tensors`.")
    if not hasattr(given[0], "_keras_history"):
        given = [Input(tensor=given[0], name="input_wrapper_for_" + str(given[0].name).split(":")[0])]
    return type(model)([given[0]._keras_history.layer] + layers, name=model.name)


def clone_model(model, input_tensors=None, clone_function=None):
    """A model with the same layers and variables of its own."""
    from .models import Model, Sequential
    if not isinstance(model, Model):
        raise ValueError("Expected `model` argument to be a `Model` instance, got ", model)
    make = _clone_sequential if isinstance(model, Sequential) else _clone_functional
    return make(model, input_tensors, clone_function or _copied)
