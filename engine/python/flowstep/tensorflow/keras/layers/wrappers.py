# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.layers: layers around a layer."""

import copy

from ... import nest
from ...framework import tensor_shape
from ...framework.graph import name_scope
from ...operators import array_ops
from .. import backend, configs
from ..base_layer import InputSpec, Layer
from .recurrent_cells import takes


class Wrapper(Layer):
    def __init__(self, layer, **keywords):
        if not isinstance(layer, Layer):
            raise AssertionError
        super().__init__(**keywords)
        self.layer = layer

    def build(self, input_shape=None):
        if not self.layer.built:
            if self.layer._dtype is None:
                self.layer._dtype = self._dtype
            self.layer.build(input_shape)
            self.layer.built = True
        self.built = True

    activity_regularizer = property(lambda self: getattr(self.layer, "activity_regularizer", None))

    def get_config(self):
        config = super().get_config()
        config["layer"] = configs.serialize(self.layer)
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        from ..model_configs import deserialize_layer
        config = dict(config)
        return cls(deserialize_layer(config.pop("layer"), custom_objects), **config)


class TimeDistributed(Wrapper):
    def __init__(self, layer, **keywords):
        if not isinstance(layer, Layer):
            raise ValueError("Please initialize `TimeDistributed` layer with a `Layer` instance. You passed: {input}".format(
                input=layer))
        super().__init__(layer, **keywords)
        self.supports_masking = True

    def _shape_from(self, first, tensor, start):
        """The known sizes from a dimension on, and the tensor's own where they are not known."""
        known = tensor.shape.as_list()[start:]
        if all(known):
            return tuple(first) + tuple(known)
        found = array_ops.shape(tensor)
        return tuple(first) + tuple(size or found[start + i] for i, size in enumerate(known))

    def build(self, input_shape):
        dims = tensor_shape.as_shape(input_shape).as_list()
        if len(dims) < 3:
            raise ValueError("`TimeDistributed` Layer should be passed an `input_shape ` with at least 3 dimensions, "
                             "received: " + str(dims))
        self.input_spec = InputSpec(shape=tuple([None, None] + dims[2:]))
        super().build(tensor_shape.TensorShape([dims[0]] + dims[2:]))

    def compute_output_shape(self, input_shape):
        dims = tensor_shape.as_shape(input_shape).as_list()
        inner = tensor_shape.as_shape(self.layer.compute_output_shape(
            tensor_shape.TensorShape([dims[0]] + dims[2:]))).as_list()
        return tensor_shape.TensorShape([inner[0], dims[1]] + inner[1:])

    def call(self, inputs, training=None, mask=None):
        given = {"training": training} if takes(self.layer.call, "training") else {}
        dims = inputs.shape.as_list()
        # A layer that goes by one example at a time may take all times of all examples at once.
        from .. import layers, recurrence
        kind = type(self.layer)
        if dims[0] and (getattr(self.layer, "stateful", False) or getattr(layers, kind.__name__, None) is not kind):
            _, outputs, _ = recurrence.rnn(lambda x, _: (self.layer(x, **given), []), inputs, [],
                                           input_length=dims[1], mask=mask, unroll=False)
            return outputs
        length = dims[1] or array_ops.shape(inputs)[1]
        flat = array_ops.reshape(inputs, self._shape_from((-1,), inputs, 2))
        if takes(self.layer.call, "mask") and mask is not None:
            given["mask"] = array_ops.reshape(mask, self._shape_from((-1,), mask, 2))
        self.__dict__.setdefault("_flat", {})[id(inputs)] = flat
        y = self.layer(flat, **given)
        return array_ops.reshape(y, self._shape_from((-1, length), y, 1))

    def compute_mask(self, inputs, mask=None):
        """What the layer inside makes of the mask of all times of all examples."""
        dims = inputs.shape.as_list()
        if dims[0]:
            return mask
        inner = None if mask is None else array_ops.reshape(mask, self._shape_from((-1,), mask, 2))
        found = self.layer.compute_mask(self.__dict__.get("_flat", {}).get(id(inputs), inputs), inner)
        if found is not None:
            length = dims[1] or array_ops.shape(inputs)[1]
            return array_ops.reshape(found, self._shape_from((-1, length), found, 1))
        for _ in range(2, 0 if mask is None else mask.shape.ndims):
            mask = backend.any(mask, axis=-1)
        return mask


class Bidirectional(Wrapper):
    def __init__(self, layer, merge_mode="concat", weights=None, backward_layer=None, **keywords):
        if not isinstance(layer, Layer):
            raise ValueError("Please initialize `Bidirectional` layer with a `Layer` instance. You passed: {input}".format(
                input=layer))
        if merge_mode not in ("sum", "mul", "ave", "concat", None):
            raise ValueError("Invalid merge mode. Merge mode should be one of {\"sum\", \"mul\", \"ave\", \"concat\", "
                             "None}")
        self._sets_up = True
        super().__init__(layer, **keywords)
        self.forward_layer = _again(layer)
        self.backward_layer = backward_layer or _again(layer, True)
        self.forward_layer._name = "forward_" + self.forward_layer.name
        self.backward_layer._name = "backward_" + self.backward_layer.name
        for one in (self.forward_layer, self.backward_layer):
            one.zero_output_for_mask = layer.return_sequences
        self.merge_mode, self.stateful = merge_mode, layer.stateful
        self.return_sequences, self.return_state = layer.return_sequences, layer.return_state
        self.supports_masking = True
        self.input_spec = layer.input_spec
        # The layer that was given is only the pattern of the two.
        self._layers = [x for x in self._layers if x is not layer]

    def build(self, input_shape):
        for layer in (self.forward_layer, self.backward_layer):
            with name_scope(layer.name):
                layer.build(input_shape)
                layer.built = True
        self.built = True

    def call(self, inputs, training=None, mask=None, initial_state=None, constants=None):
        given = {"training": training} if takes(self.layer.call, "training") else {}
        if takes(self.layer.call, "mask"):
            given["mask"] = mask
        if constants is not None:
            given["constants"] = constants
        forward, backward = dict(given), dict(given)
        if initial_state is not None and takes(self.layer.call, "initial_state"):
            half = len(initial_state) // 2
            forward["initial_state"], backward["initial_state"] = initial_state[:half], initial_state[half:]
        y = self.forward_layer(inputs, **forward)
        back = self.backward_layer(inputs, **backward)
        states = None
        if self.return_state:
            states = list(y[1:]) + list(back[1:])
            y, back = y[0], back[0]
        if self.return_sequences:
            back = backend.reverse(back, 0 if getattr(self.forward_layer, "time_major", False) else 1)
        output = self._merge(y, back)
        if self.return_state:
            return output + states if self.merge_mode is None else [output] + states
        return output

    def _merge(self, y, back):
        if self.merge_mode == "concat":
            return backend.concatenate([y, back])
        if self.merge_mode == "sum":
            return y + back
        if self.merge_mode == "ave":
            return (y + back) / 2
        return y * back if self.merge_mode == "mul" else [y, back]

    def __call__(self, inputs, initial_state=None, constants=None, **keywords):
        if isinstance(inputs, list) and len(inputs) > 1 and initial_state is None:
            inputs, initial_state = inputs[0], inputs[1:]
        if initial_state is not None:
            keywords["initial_state"] = initial_state
        if constants is not None:
            keywords["constants"] = constants
        return super().__call__(inputs, **keywords)

    def compute_output_shape(self, input_shape):
        found = self.forward_layer.compute_output_shape(input_shape)
        states = []
        if self.return_state:
            found, states = found[0], found[1:]
        dims = tensor_shape.as_shape(found).as_list()
        if self.merge_mode == "concat":
            dims[-1] *= 2
        shape = tensor_shape.TensorShape(dims)
        if self.merge_mode is None:
            return [shape, shape] + states + states
        return [shape] + states + states if states else shape

    def reset_states(self):
        self.forward_layer.reset_states()
        self.backward_layer.reset_states()

    def compute_mask(self, inputs, mask=None):
        mask = nest.flatten(mask)[0]
        if not self.return_sequences:
            return None
        return [mask, mask] if not self.merge_mode else mask

    def get_config(self):
        config = super().get_config()
        config["merge_mode"] = self.merge_mode
        return config


def _again(layer, backwards=False):
    """A layer that is like another one and has nothing of its variables."""
    config = copy.copy(layer.get_config())
    if backwards:
        config["go_backwards"] = not config["go_backwards"]
    return type(layer).from_config(config)
