# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What a layer tells of itself: its weights' values, the tensors it was called with, the shapes it makes, its config."""

import copy

import numpy as np

from .. import dtypes, nest
from ..framework import graph as graph_lib, structure, tensor_shape
from ..operators import array_ops


def _masks(tensors):
    return nest.map_structure(lambda t: getattr(t, "_keras_mask", None), tensors)


class LayerFacts:
    """Beside what the layer does."""

    supports_masking = stateful = dynamic = False

    def __new__(cls, *arguments, **keywords):
        layer = super().__new__(cls)
        object.__setattr__(layer, "_given", (arguments, keywords))   # for get_config()
        return layer

    activity_regularizer = property(lambda self: self._activity_regularizer)
    metrics = property(lambda self: [])

    # -- weights

    def _weight_options(self, name, **options):
        """What a weight is made with, kept as attributes as well: kernel_initializer and the like."""
        from ..keras import configs
        for what, value in options.items():
            options[what] = getattr(configs, what)(value)
            setattr(self, "%s_%s" % (name, what), options[what])
        return options

    def count_params(self):
        if not self.built:
            raise ValueError("You tried to call `count_params` on " + self.name + ", but the layer isn't built. You can "
                             "build it manually via: `" + self.name + ".build(batch_input_shape)`.")
        return int(sum(np.prod(w.shape.as_list()) for w in self.weights))

    def get_weights(self):
        from ..keras import backend
        return backend.batch_get_value(self.weights)

    def set_weights(self, weights):
        from ..keras import backend
        own = self.weights
        if len(own) != len(weights):
            raise ValueError('You called `set_weights(weights)` on layer "' + self.name + '" with a  weight list of length '
                             + str(len(weights)) + ", but the layer was expecting " + str(len(own)) +
                             " weights. Provided weights: " + str(weights)[:50] + "...")
        for v, value in zip(own, weights):
            if not v.shape.is_compatible_with(np.shape(value)):
                raise ValueError("Layer weight shape " + str(v.shape) + " not compatible with provided weight shape " +
                                 str(np.shape(value)))
        backend.batch_set_value(list(zip(own, weights)))

    # -- what it was called with

    inbound_nodes = property(lambda self: self._inbound_nodes)
    outbound_nodes = property(lambda self: self._outbound_nodes)

    def _of_node(self, index, attribute, what):
        if not self._inbound_nodes:
            raise RuntimeError("The layer has never been called and thus has no defined " + what + ".")
        if index >= len(self._inbound_nodes):
            raise ValueError("Asked to get " + what + " at node " + str(index) + ", but the layer has only " +
                             str(len(self._inbound_nodes)) + " inbound nodes.")
        values = getattr(self._inbound_nodes[index], attribute)
        return values[0] if isinstance(values, list) and len(values) == 1 else values

    def get_input_at(self, node_index):
        return self._of_node(node_index, "input_tensors", "input")

    def get_output_at(self, node_index):
        return self._of_node(node_index, "output_tensors", "output")

    def get_input_mask_at(self, node_index):
        return _masks(self.get_input_at(node_index))

    def get_output_mask_at(self, node_index):
        return _masks(self.get_output_at(node_index))

    def get_input_shape_at(self, node_index):
        return self._of_node(node_index, "input_shapes", "input shape")

    def get_output_shape_at(self, node_index):
        return self._of_node(node_index, "output_shapes", "output shape")

    @property
    def input(self):
        if not self._inbound_nodes:
            raise AttributeError("Layer " + self.name + " is not connected, no input to return.")
        return self._of_node(0, "input_tensors", "input")

    @property
    def output(self):
        if not self._inbound_nodes:
            raise AttributeError("Layer " + self.name + " has no inbound nodes.")
        return self._of_node(0, "output_tensors", "output")

    input_mask = property(lambda self: _masks(self.input))
    output_mask = property(lambda self: _masks(self.output))

    def _only_shape(self, attribute, what):
        if not self._inbound_nodes:
            raise AttributeError("The layer has never been called and thus has no defined " + what + " shape.")
        found = [getattr(node, attribute) for node in self._inbound_nodes]
        if len({str(shape) for shape in found}) == 1:
            return found[0]
        raise AttributeError('The layer "%s" has multiple inbound nodes, with different %s shapes. Hence the notion of '
                             '"%s shape" is ill-defined for the layer. Use `get_%s_shape_at(node_index)` instead.' %
                             (self.name, what, what, what))

    input_shape = property(lambda self: self._only_shape("input_shapes", "input"))
    output_shape = property(lambda self: self._only_shape("output_shapes", "output"))

    # -- what comes out for what goes in

    def compute_mask(self, inputs, mask=None):
        if not self.supports_masking:
            if any(m is not None for m in nest.flatten(mask)):
                raise TypeError("Layer " + self.name + " does not support masking, but was passed an input_mask: " +
                                str(mask))
            return None
        return mask

    def compute_output_shape(self, input_shape):
        from ..keras import layer_configs
        if not layer_configs.is_known(self) or hasattr(self, "state_size"):
            raise NotImplementedError
        if isinstance(input_shape, list) and all(isinstance(s, (list, tuple, tensor_shape.TensorShape)) for s in input_shape):
            return self._tried_shape([tensor_shape.as_shape(s) for s in input_shape])
        return self._tried_shape(tensor_shape.as_shape(input_shape))

    def _tried_shape(self, shapes):
        """The shape that a copy of a layer of the library's own makes in a graph of its own."""
        with graph_lib.Graph().as_default():
            double = copy.copy(self)
            for name in ("_trainable_weights", "_non_trainable_weights", "_updates", "_losses", "_later_losses", "_layers",
                         "_inbound_nodes", "_outbound_nodes"):
                object.__setattr__(double, name, [])
            for name in ("_scope", "_reusing", "_reuse", "_initial_weights"):
                object.__setattr__(double, name, None)
            object.__setattr__(double, "built", False)
            dtype = self._dtype or dtypes.float32
            return double(nest.map_structure(lambda shape: array_ops.placeholder(dtype, shape), shapes)).shape

    def compute_output_signature(self, input_signature):
        shapes = self.compute_output_shape(nest.map_structure(lambda spec: spec.shape, input_signature))
        dtype = self.dtype or nest.flatten(input_signature)[0].dtype
        is_one = isinstance(shapes, (tensor_shape.TensorShape, tuple))
        made = [structure.TensorSpec(shape, dtype) for shape in ([shapes] if is_one else shapes)]
        return made[0] if is_one else made

    # -- its config

    def get_config(self):
        from ..keras import layer_configs
        config = {"name": self.name, "trainable": self.trainable}
        if hasattr(self, "_batch_input_shape"):
            config["batch_input_shape"] = self._batch_input_shape
        config["dtype"] = self.dtype
        config.update(layer_configs.own(self))
        return config

    @classmethod
    def from_config(cls, config):
        return cls(**config)
