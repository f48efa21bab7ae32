# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Networks of layers: from inputs to outputs, one after another, or whatever a class of its own calls."""

import collections
import inspect

from .. import nest
from ..framework.graph import Tensor, get_default_graph
from ..learning import layers_base
from ..operators import array_ops
from . import backend, histories, model_configs
from .base_layer import Layer
from .histories import Node
from .input_layers import Input, InputLayer
from .layer_trees import flat_layers, unique
from .saving import Saving


class _Plan:
    """The nodes that lead from inputs to outputs, deepest first, and their layers."""

    def __init__(self, inputs, outputs):
        self._finished, self._busy, self._order, self.indices = set(), set(), [], {}
        for x in outputs:
            self._visit(x)
        self.depths, layer_depths = {}, {}
        for node in reversed(self._order):
            depth = max(self.depths.setdefault(node, 0), layer_depths.get(node.outbound_layer, 0))
            layer_depths[node.outbound_layer] = self.depths[node] = depth
            for parent in node.dependencies():
                self.depths[parent] = max(depth + 1, self.depths.get(parent, 0))
        for x in inputs:
            layer = x._keras_history.layer
            if layer not in layer_depths:
                layer_depths[layer], self.indices[layer] = 0, -1
                self.depths[layer._inbound_nodes[0]] = 0
        self.by_depth = collections.defaultdict(list)
        for node, depth in self.depths.items():
            self.by_depth[depth].append(node)
        groups = collections.defaultdict(list)
        for layer, depth in layer_depths.items():
            groups[depth].append(layer)
        self.layers = [layer for depth in sorted(groups, reverse=True)
                       for layer in sorted(groups[depth], key=lambda item: self.indices[item])]
        self._check(inputs)

    def _visit(self, tensor):
        history = tensor._keras_history
        node = history.layer._inbound_nodes[history.node_index]
        if node in self._busy:
            raise ValueError("The tensor " + str(tensor) + ' at layer "' + history.layer.name + '" is part of a cycle.')
        if node in self._finished:
            return
        self.indices.setdefault(history.layer, len(self.indices))
        self._busy.add(node)
        if not isinstance(history.layer, histories.Source):
            for x in nest.flatten(node.input_tensors) + node.arguments_from_layers():
                self._visit(x)
        self._finished.add(node)
        self._busy.remove(node)
        self._order.append(node)

    def _check(self, inputs):
        known, reached = set(inputs), []
        for depth in sorted(self.by_depth, reverse=True):
            for node in self.by_depth[depth]:
                layer = node.outbound_layer
                for x in nest.flatten(node.input_tensors):
                    if x not in known:
                        raise ValueError("Graph disconnected: cannot obtain value for tensor " + str(x) + ' at layer "' +
                                         layer.name + '". The following previous layers were accessed without issue: ' +
                                         str(reached))
                known.update(nest.flatten(node.output_tensors))
                reached.append(layer.name)
        names = [layer.name for layer in self.layers]
        for name in names:
            if names.count(name) != 1:
                raise ValueError('The name "' + name + '" is used ' + str(names.count(name)) + " times in the model. All "
                                 "layer names should be unique.")


class Network(Saving, Layer):
    """Layers put together; with a call of its own or from inputs to outputs."""

    def __init__(self, *arguments, **keywords):
        if len(arguments) == 2 or "outputs" in keywords:
            self._init_between(*arguments, **keywords)
        else:
            self._init_subclassed(*arguments, **keywords)

    def _init_subclassed(self, name=None, **keywords):
        for key in keywords:
            if key not in ("trainable", "dtype", "dynamic", "autocast"):
                raise TypeError("Keyword argument not understood:", key)
        self._begin(keywords.get("trainable", True), name, keywords.get("dtype"))
        self._is_graph_network, self.inputs, self.outputs = False, [], []
        self._init_model()

    def _init_model(self):
        pass

    def _init_between(self, inputs, outputs, name=None, trainable=True):
        inputs = inputs[0] if isinstance(inputs, list) and len(nest.flatten(inputs)) == 1 else inputs
        outputs = outputs[0] if isinstance(outputs, list) and len(nest.flatten(outputs)) == 1 else outputs
        kept = self.__dict__.get("_name")
        flat = nest.flatten(outputs)
        if any(not hasattr(x, "_keras_history") for x in flat):
            histories.make_history(outputs)
        self._begin(trainable, name or kept, None)
        self._nested_inputs, self._nested_outputs = inputs, outputs
        self.inputs, self.outputs = nest.flatten(inputs), flat
        self._check_inputs_are_layers()
        self._is_graph_network, self.built, self._jointly = True, True, True
        self._input_layers = [x._keras_history.layer for x in self.inputs]
        self._output_layers = [x._keras_history.layer for x in self.outputs]
        self._plan = _Plan(self.inputs, self.outputs)
        object.__setattr__(self, "_layers", self._plan.layers)
        self._settle_names()
        base = Node.__new__(Node)
        base.outbound_layer, base.arguments, base.parents = self, {}, []
        base.input_tensors, base.output_tensors = inputs, outputs
        base.input_shapes = nest.map_structure(backend.int_shape, inputs)
        base.output_shapes = nest.map_structure(backend.int_shape, outputs)
        self._inbound_nodes.append(base)
        self._init_model()

    def _check_inputs_are_layers(self):
        name = type(self).__name__
        if len(set(self.inputs)) != len(self.inputs):
            raise ValueError("The list of inputs passed to the model is redundant. All inputs should only appear once. "
                             "Found: " + str(self.inputs))
        for x in self.inputs:
            if not hasattr(x, "_keras_history"):
                raise ValueError("Input tensors to a " + name + " must come from `tf.keras.Input`. Received: " + str(x) +
                                 " (missing previous layer metadata).")
        for x in self.outputs:
            if not hasattr(x, "_keras_history"):
                raise ValueError("Output tensors to a " + name + " must be the output of a TensorFlow `Layer` (thus holding "
                                 "past layer metadata). Found: " + str(x))

    def _settle_names(self):
        self.input_names = [layer.name for layer in self._input_layers]
        self.output_names, taken, counts = [], set(), {}
        for layer in self._output_layers:
            name = layer.name
            while name in taken:
                number = counts.get(layer.name, 1)
                name, counts[layer.name] = "%s_%d" % (layer.name, number), number + 1
            taken.add(name)
            self.output_names.append(name)

    # -- what it holds

    @property
    def layers(self):
        return list(flat_layers(self._layers))

    def get_layer(self, name=None, index=None):
        if index is not None:
            if len(self.layers) <= index:
                raise ValueError("Was asked to retrieve layer at index " + str(index) + " but model only has " +
                                 str(len(self.layers)) + " layers.")
            return self.layers[index]
        if not name:
            raise ValueError("Provide either a layer name or layer index.")
        for layer in self.layers:
            if layer.name == name:
                return layer
        raise ValueError("No such layer: " + name)

    def _assert_weights_created(self):
        if type(self).__name__ == "Sequential" and not self.built:
            raise ValueError("Weights for model %s have not yet been created. Weights are created when the Model is first "
                             "called on inputs or `build()` is called with an `input_shape`." % self.name)

    @property
    def trainable_weights(self):
        self._assert_weights_created()
        if not self.trainable:
            return []
        return unique(self._nested("trainable_weights") + self._trainable_weights)

    @property
    def non_trainable_weights(self):
        self._assert_weights_created()
        nested = self._nested("non_trainable_weights")
        if not self.trainable:
            return unique(self._nested("trainable_weights") + nested + self._trainable_weights + self._non_trainable_weights)
        return unique(nested + self._non_trainable_weights)

    @property
    def weights(self):
        self._assert_weights_created()
        return unique(self._nested("weights") + self._trainable_weights + self._non_trainable_weights)

    stateful = property(lambda self: any(getattr(layer, "stateful", False) for layer in self.layers),
                        lambda self, value: None)

    def reset_states(self):
        for layer in self.layers:
            if getattr(layer, "stateful", False) and hasattr(layer, "reset_states"):
                layer.reset_states()

    @property
    def state_updates(self):
        return [u for layer in self.layers if getattr(layer, "stateful", False) for u in layer.updates]

    def _tracked_layers(self):
        return list(flat_layers(self._layers)) if self._is_graph_network else super()._tracked_layers()

    # -- calling

    def build(self, input_shape=None):
        if not self._is_graph_network:
            if input_shape is None:
                raise ValueError("Input shape must be defined when calling build on a model subclass network.")
            if not isinstance(input_shape, (tuple, list)) and not hasattr(input_shape, "as_list"):
                raise ValueError("Specified input shape is not one of the valid types. Please specify a batch input shape of "
                                 "type tuple or list of input shapes. User provided input type: {}".format(
                                     type(input_shape)))
            if not self.inputs and not histories.current_call():
                given = [array_ops.placeholder(backend.floatx(), shape=s) for s in input_shape] \
                    if isinstance(input_shape, list) else array_ops.placeholder(backend.floatx(), shape=input_shape)
                more = {"training": False} if self._needs_training() else {}
                self.call(given, **more)
        self.built = True

    def _needs_training(self):
        found = inspect.signature(self.call).parameters.get("training")
        return found is not None and found.default is found.empty

    def _maybe_build(self, inputs, tensors=None):
        # A network is built by being called.
        self.built = True

    def call(self, inputs, training=None, mask=None):
        if not self._is_graph_network:
            raise NotImplementedError("When subclassing the `Model` class, you should implement a `call` method.")
        return self._run(inputs, training, mask)

    def compute_mask(self, inputs, mask=None):
        if not self._is_graph_network:
            return None
        return nest.map_structure(lambda t: t._keras_mask, self._run(inputs, mask=mask))

    def _run(self, inputs, training=None, mask=None):
        """The outputs for other inputs."""
        given = nest.flatten(inputs)
        masks = [None] * len(given) if mask is None else nest.flatten(mask)
        made = {}
        for own, x, m in zip(self.inputs, given, masks):
            x._keras_mask = m
            made[own] = x
        phase = get_default_graph()._memo.get("learning phase")
        for depth in sorted(self._plan.by_depth, reverse=True)[1:]:
            for node in self._plan.by_depth[depth]:
                if all(x in made for x in nest.flatten(node.input_tensors)):
                    self._run_node(node, made, training, phase)
        for x in self.outputs:
            if x not in made:
                raise AssertionError("Could not compute output " + str(x))
        return nest.pack_sequence_as(self._nested_outputs, [made[x] for x in self.outputs])

    @staticmethod
    def _run_node(node, made, training, phase):
        layer = node.outbound_layer
        keywords = dict(node.arguments)
        if "training" in inspect.signature(layer.call).parameters:
            keywords.setdefault("training", training)
            if isinstance(keywords["training"], Tensor) and keywords["training"] is phase:
                keywords["training"] = training

        def swapped(x):
            return made[x] if isinstance(x, Tensor) and hasattr(x, "_keras_history") else x
        inputs = nest.map_structure(lambda x: made[x], node.input_tensors)
        outputs = layer(inputs, **nest.map_structure(swapped, keywords))
        for old, new in zip(nest.flatten(node.output_tensors), nest.flatten(outputs)):
            made[old] = new

    # -- words

    def summary(self, line_length=None, positions=None, print_fn=None):
        if not self.built:
            raise ValueError("This model has not yet been built. Build the model first by calling `build()` or calling "
                             "`fit()` with some data, or specify an `input_shape` argument in the first layer(s) for "
                             "automatic build.")
        from . import summaries
        summaries.print_summary(self, line_length, positions, print_fn or print)


def _refuse_of_tf_layers(layer):
    if layers_base.Layer in type(layer).__mro__ and Layer not in type(layer).__mro__:
        raise TypeError("The following are legacy tf.layers.Layers:\n  " + str(layer) + "\nTo use keras as a framework (for "
                        "instance using the Network, Model, or Sequential classes), please use the tf.keras.layers "
                        "implementation instead. (Or, if writing custom layers, subclass from tf.keras.layers rather than "
                        "tf.layers)")


class _SequentialCalls:
    """What tf.keras.Sequential adds to a model."""

    def __init__(self, layers=None, name=None):
        super().__init__(name=name)
        self.supports_masking, self._jointly = True, True
        for layer in layers if isinstance(layers, (list, tuple)) else [layers] if layers else []:
            self.add(layer)

    @property
    def layers(self):
        layers = super().layers
        return layers[1:] if layers and isinstance(layers[0], InputLayer) else layers

    def add(self, layer):
        if hasattr(layer, "_keras_history") and isinstance(layer._keras_history.layer, InputLayer):
            layer = layer._keras_history.layer
        if not isinstance(layer, Layer):
            raise TypeError("The added layer must be an instance of class Layer. Found: " + str(layer))
        _refuse_of_tf_layers(layer)
        self.built = False
        begins = False
        if not list(flat_layers(self._layers)):
            if isinstance(layer, InputLayer):
                begins = True
            else:
                whole, dtype = _first_shape(layer)
                if whole:
                    layer(Input(batch_shape=whole, dtype=dtype, name=layer.name + "_input"))
                    begins = True
            if begins:
                self.outputs = [_only(layer._inbound_nodes[-1].output_tensors, ValueError)]
                self.inputs = _sources(self.outputs[0])
        elif self.outputs:
            self.outputs = [_only(layer(self.outputs[0]), TypeError)]
        if begins or self._is_graph_network:
            self._init_between(self.inputs, self.outputs, name=self.name)
        else:
            self._layers.append(layer)

    def pop(self):
        if not self.layers:
            raise TypeError("There are no layers in the model.")
        self._layers.pop()
        if not self.layers:
            self.outputs, self.inputs, self.built = None, None, False
        elif self._is_graph_network:
            self.layers[-1]._outbound_nodes = []
            self._init_between(self.inputs, [self.layers[-1].output], name=self.name)

    def build(self, input_shape=None):
        if not self._is_graph_network:
            if input_shape is None:
                raise ValueError("You must provide an `input_shape` argument.")
            object.__setattr__(self, "_build_input_shape", tuple(input_shape))
            super().build(tuple(input_shape))
        self.built = True

    def _tracked_layers(self):
        return list(flat_layers(self._layers))

    def get_config(self):
        return model_configs.sequential_config(self)

    @classmethod
    def from_config(cls, config, custom_objects=None):
        return model_configs.sequential_from_config(cls, config, custom_objects)

    def call(self, inputs, training=None, mask=None):
        if self._is_graph_network:
            return super().call(inputs, training=training, mask=mask)
        for layer in self.layers:
            taken, keywords = inspect.signature(layer.call).parameters, {}
            if "mask" in taken:
                keywords["mask"] = mask
            if "training" in taken:
                keywords["training"] = training
            inputs = layer(inputs, **keywords)
            mask = inputs._keras_mask
        return inputs

    def compute_mask(self, inputs, mask=None):
        return self.call(inputs, mask=mask)._keras_mask

    def predict_classes(self, x, batch_size=32, verbose=0):
        found = self.predict(x, batch_size=batch_size, verbose=verbose)
        return found.argmax(axis=-1) if found.shape[-1] > 1 else (found > 0.5).astype("int32")

    def predict_proba(self, x, batch_size=32, verbose=0):
        return self.predict(x, batch_size, verbose)


def _only(tensors, kind):
    flat = nest.flatten(tensors)
    if len(flat) != 1:
        raise kind("All layers in a Sequential model should have a single output tensor. For multi-output layers, use the "
                   "functional API.")
    return flat[0]


def _sources(tensor):
    history = tensor._keras_history
    node = history.layer._inbound_nodes[history.node_index]
    if isinstance(history.layer, InputLayer):
        return nest.flatten(node.input_tensors)
    return unique([x for t in nest.flatten(node.input_tensors) for x in _sources(t)])


def _first_shape(layer):
    """The shape and dtype that the first layer of a sequence was given; a network's is its first layer's."""
    while isinstance(layer, Network) and layer._layers:
        layer = layer._layers[0]
    return getattr(layer, "_batch_input_shape", None), layer.dtype
