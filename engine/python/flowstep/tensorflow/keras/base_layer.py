# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.layers.Layer: named, built at its first call, and remembering which tensors it was called with."""

import abc
import functools
import inspect

import numpy as np

from .. import dtypes, nest
from ..framework import converted, graph as graph_lib
from ..framework.graph import Operation, Tensor, name_scope
from ..framework.ops import convert_to_tensor
from ..learning import layers_base
from ..learning.layer_facts import LayerFacts
from ..learning.layers_base import InputSpec  # noqa: F401
from ..operators import array_ops
from ..saving import trackable
from ..state import partitioned_variables, variables
from . import backend, configs
from .histories import KerasHistory, Node, calling, current_call, make_history, needs_history
from .layer_trees import flat_layers, has, holds_layers, reachable_from, unique

_ALLOWED = ("input_shape", "batch_input_shape", "batch_size", "weights", "activity_regularizer", "autocast", "input_dim")


class _Kind(abc.ABCMeta):
    """TF: the layers of tf.layers are layers of tf.keras too. Abstract, as a script's own base of layers may be."""

    def __instancecheck__(cls, instance):
        return cls is Layer and isinstance(instance, layers_base.Layer) or super().__instancecheck__(instance)

    def __subclasscheck__(cls, other):
        return cls is Layer and issubclass(other, layers_base.Layer) or super().__subclasscheck__(other)


class Layer(layers_base.Layer, metaclass=_Kind):
    """Base of tf.keras's layers."""

    def __init__(self, trainable=True, name=None, dtype=None, dynamic=False, **keywords):
        for key in keywords:
            if key not in _ALLOWED:
                raise TypeError("Keyword argument not understood:", key)
        self._begin(trainable, name, dtype)
        self._activity_regularizer = configs.regularizer(keywords.get("activity_regularizer"))
        if "input_dim" in keywords and "input_shape" not in keywords:
            keywords["input_shape"] = (keywords["input_dim"],)
        if "batch_input_shape" in keywords:
            self._batch_input_shape = tuple(keywords["batch_input_shape"])
        elif "input_shape" in keywords:
            self._batch_input_shape = (keywords.get("batch_size"),) + tuple(keywords["input_shape"])
        self._initial_weights = keywords.get("weights")

    def _begin(self, trainable, name, dtype):
        self._trainable, self.built, self.stateful, self.supports_masking = trainable, False, False, False
        self._dtype = None if dtype is None else dtypes.as_dtype(dtype)
        self._reuse, self._scope, self.input_spec, self._activity_regularizer = None, None, None, None
        self._name = name or backend.unique_name(layers_base._snake(type(self).__name__))
        self.__dict__.setdefault("_trainable_weights", [])
        self.__dict__.setdefault("_non_trainable_weights", [])
        self.__dict__.setdefault("_layers", [])
        self._updates, self._losses, self._later_losses, self._metrics = [], [], [], []
        self._unconditional = set()
        self._inbound_nodes, self._outbound_nodes = [], []
        self._initial_weights = None
        self._jointly = False

    # -- what is assigned to an attribute is kept track of

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        if name in _OWN:
            return
        self._track(value)
        self._keep(name, value)

    # -- what a checkpoint has of it

    def _keep(self, name, value):
        """An attribute, or a weight by its own name, that a checkpoint saves."""
        known = self.__dict__.setdefault("_children", {})
        if trackable.is_trackable(value) and not isinstance(value, variables._UnreadVariable):
            known[name] = value
        elif isinstance(value, (list, tuple, dict)):
            known[name] = trackable._Holder.of(value, known.get(name))
        else:
            known.pop(name, None)

    def _trackable_children(self):
        return [(name, ref) for name, ref in self.__dict__.get("_children", {}).items()
                if not isinstance(ref, trackable._Holder) or ref._trackable_children()]

    def _track(self, value):
        for v in nest.flatten(value) if isinstance(value, (list, tuple, dict)) else [value]:
            if isinstance(v, variables.Variable) and not isinstance(v, variables._UnreadVariable):
                kind = "_trainable_weights" if v.trainable else "_non_trainable_weights"
                known = self.__dict__.setdefault(kind, [])
                if not has(known, v):
                    known.append(v)
                    backend.track_variable(v)
        if holds_layers(value) and not isinstance(value, variables.Variable):
            for layer in flat_layers([value]):
                if isinstance(layer, layers_base.Layer):
                    layer._use_resource_variables = True   # those of tf.layers have them within tf.keras's only
            known = self.__dict__.setdefault("_layers", [])
            if not has(known, value):
                known.append(value)

    def __delattr__(self, name):
        value = self.__dict__.get(name)
        object.__delattr__(self, name)
        for known in ("_trainable_weights", "_non_trainable_weights", "_layers"):
            self.__dict__[known] = [item for item in self.__dict__.get(known, []) if item is not value]

    def _nested(self, attribute):
        return [x for layer in flat_layers(self._layers) for x in getattr(layer, attribute, [])]

    # -- what it has

    @property
    def trainable(self):
        return self._trainable

    @trainable.setter
    def trainable(self, value):
        object.__setattr__(self, "_trainable", value)
        for layer in flat_layers(self.__dict__.get("_layers", [])):
            layer.trainable = value

    @property
    def dtype(self):
        return None if self._dtype is None else self._dtype.name

    @property
    def trainable_weights(self):
        return unique(self._trainable_weights + self._nested("trainable_weights")) if self.trainable else []

    @property
    def non_trainable_weights(self):
        if self.trainable:
            return unique(self._non_trainable_weights + self._nested("non_trainable_weights"))
        return unique(self._trainable_weights + self._non_trainable_weights + self._nested("weights"))

    weights = property(lambda self: self.trainable_weights + self.non_trainable_weights)
    variables = property(lambda self: self.weights)
    trainable_variables = property(lambda self: self.trainable_weights)
    non_trainable_variables = property(lambda self: self.non_trainable_weights)

    @property
    def updates(self):
        if not self.trainable and not self.stateful:
            return []
        return list(self._updates) + self._nested("updates")

    @property
    def losses(self):
        later = [x for x in (make() for make in self._later_losses) if x is not None]
        return list(self._losses) + later + self._nested("losses")

    @property
    def metrics(self):
        return list(self._metrics) + self._nested("metrics")

    # -- variables

    def add_weight(self, name=None, shape=None, dtype=None, initializer=None, regularizer=None, trainable=None,
                   constraint=None, partitioner=None, use_resource=None, synchronization=None, aggregation=None,
                   getter=None, collections=None, **unknown):
        for key in unknown:
            if key != "experimental_autocast":
                raise TypeError("Unknown keyword argument:", key)
        dtype = dtypes.as_dtype(dtype or self._dtype or backend.floatx())
        if self._dtype is None:
            self._dtype = dtype.base_dtype
        initializer = configs.initializer(initializer)
        constraint = configs.constraint(constraint)
        trainable = layers_base.trained(trainable, synchronization)
        if initializer is None:
            initializer = configs.default_initializer(self, name, dtype)
        make = getter or _make_variable
        v = make(name=name, shape=() if shape is None else shape, dtype=dtype, initializer=initializer,
                 constraint=constraint, trainable=trainable, partitioner=partitioner, use_resource=use_resource,
                 collections=collections, synchronization=synchronization, aggregation=aggregation)
        backend.track_variable(v)
        regularizer = configs.regularizer(regularizer)
        if regularizer is not None:
            self._regularize(v.name[:v.name.index(":")], v, regularizer, ())
        (self._trainable_weights if trainable else self._non_trainable_weights).append(v)
        self._keep(name, v)
        return v

    def add_variable(self, *arguments, **keywords):
        return self.add_weight(*arguments, **keywords)

    def _regularize(self, name, variable, regularizer, before):
        for part in variable if isinstance(variable, partitioned_variables.PartitionedVariable) else [variable]:
            def loss(part=part):
                with name_scope(name + "/Regularizer"):
                    return regularizer(part)
            self.add_loss(loss)

    # -- losses, updates

    def add_loss(self, losses, inputs=None):
        for loss in nest.flatten(losses):
            if callable(loss) and not isinstance(loss, Tensor):
                self._later_losses.append(lambda loss=loss: _as_loss(loss()))
            elif loss is not None:
                self._losses.append(_as_loss(loss))

    def add_update(self, updates, inputs=None):
        call = current_call()
        given = call.inputs if call else [node.input_tensors for node in self._inbound_nodes]
        for update in updates if isinstance(updates, (list, tuple)) else [updates]:
            while callable(update) and not isinstance(update, (Tensor, Operation, variables.Variable)):
                update = update()
            op = update if isinstance(update, Operation) else getattr(update, "op", None) or convert_to_tensor(update).op
            if not reachable_from(given, [op]):
                self._unconditional.add(op)
            self._updates.append(op)

    def _all_unconditional(self):
        result = set(self._unconditional)
        for layer in flat_layers(self._layers):
            result |= getattr(layer, "_all_unconditional", set)()
        return result

    def get_updates_for(self, inputs):
        free = self._all_unconditional()
        if inputs is None:
            return [u for u in self.updates if u in free]
        return reachable_from(inputs, [u for u in self.updates if u not in free])

    def get_losses_for(self, inputs):
        losses = self.losses
        found = reachable_from([t for node in self._inbound_nodes for t in nest.flatten(node.input_tensors)], losses)
        if inputs is None:
            return [x for x in losses if not has(found, x)]
        return reachable_from(inputs, losses)

    def add_metric(self, value, aggregation=None, name=None):
        from . import metrics
        if aggregation is not None and aggregation != "mean":
            raise ValueError("We currently support only `mean` sample-wise metric aggregation. You provided aggregation=`%s`"
                             % aggregation)
        if name is None:
            raise ValueError("Please provide a name for your metric like `self.add_metric(tf.reduce_sum(inputs), "
                             "name='mean_activation', aggregation='mean')`")
        metric = metrics.Mean(name=name)
        metric._result_tensor = metric(value)
        self._metrics.append(metric)

    # -- masks

    def _set_masks(self, inputs, outputs, masks):
        flat = nest.flatten(outputs)
        own = type(self).compute_mask is not LayerFacts.compute_mask
        if self._jointly or all(getattr(x, "_keras_mask", None) is not None for x in flat):
            found = [getattr(x, "_keras_mask", None) for x in flat]
        elif not (self.supports_masking or own):
            found = [None] * len(flat)
        else:
            computed = self.compute_mask(inputs, masks)
            found = [None] * len(flat) if computed is None else nest.flatten(computed)
        for output, mask in zip(flat, found):
            if isinstance(output, Tensor):
                output._keras_mask = mask

    @staticmethod
    def _masks_of(inputs):
        masks = nest.map_structure(lambda t: getattr(t, "_keras_mask", None), inputs)
        return None if all(m is None for m in nest.flatten(masks)) else masks

    # -- calling

    def build(self, input_shape):
        self.built = True

    def call(self, inputs, **keywords):
        return inputs

    def _name_scope(self):
        return self.name

    def _check_inputs(self, tensors):
        super()._check_inputs([t for t in tensors if hasattr(t, "shape")])

    def _maybe_build(self, inputs, tensors=None):
        if not self.built:
            tensors = nest.flatten(inputs)
            self._check_inputs(tensors)
            if self._dtype is None and tensors and hasattr(tensors[0], "dtype"):
                self._dtype = dtypes.as_dtype(tensors[0].dtype).base_dtype
            shapes = None
            if all(hasattr(x, "shape") for x in tensors):
                shapes = nest.map_structure(lambda x: x.shape, inputs)
            with graph_lib.init_scope():
                self.build(shapes)
            self.built = True
        if self._initial_weights is not None:
            initial, self._initial_weights = self._initial_weights, None
            self.set_weights(initial)

    def _wants(self, argument):
        parameters = inspect.signature(self.call).parameters
        return argument in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())

    def _was_passed(self, name, arguments, keywords):
        if name in keywords:
            return True
        names = list(inspect.signature(self.call).parameters)[1:]
        return name in names[:len(arguments)]

    def __call__(self, inputs, *arguments, **keywords):
        if any(isinstance(x, (np.ndarray, float, int)) for x in nest.flatten(inputs)):
            inputs = nest.map_structure(
                lambda x: convert_to_tensor(x) if isinstance(x, (np.ndarray, float, int)) else x, inputs)
        masks, given = keywords.get("mask"), []
        if not self._was_passed("mask", arguments, keywords):
            masks = self._masks_of(inputs)
            if masks is not None and self._wants("mask"):
                keywords["mask"] = masks
                given.append("mask")
        training, outer = None, current_call()
        if self._was_passed("training", arguments, keywords):
            training = keywords.get("training")
            if not self._wants("training"):
                keywords.pop("training")
        elif outer is not None and outer.training is not None:
            training = outer.training
            if self._wants("training"):
                keywords["training"] = training
                given.append("training")
        if needs_history(inputs):
            make_history(inputs)
        with calling(self, inputs, training):
            self._check_inputs(nest.flatten(inputs))
            with name_scope(self._name_scope()):
                self._maybe_build(inputs)
                with layers_base._in_call():
                    call = self.call if _is_of_keras(self) else functools.partial(converted.call_of_layer, self.call)
                    outputs = call(inputs, *arguments, **keywords)
                if outputs is None:
                    raise ValueError("A layer's `call` method should return a Tensor or a list of Tensors, not None "
                                     "(layer: " + self.name + ").")
                if all(hasattr(x, "_keras_history") for x in nest.flatten(inputs)):
                    kept = {k: v for k, v in keywords.items() if k not in given}
                    outputs = self._remember(inputs, outputs, arguments, kept)
                self._regularize_activity(outputs)
                self._set_masks(inputs, outputs, masks)
                self._called(inputs, outputs)
        return outputs

    apply = __call__

    def _called(self, inputs, outputs):
        pass

    def _remember(self, inputs, outputs, arguments, keywords):
        given = nest.flatten(inputs)

        def own(x):
            if not has(given, x):
                return x
            with name_scope(self.name):
                return array_ops.identity(x)
        outputs = nest.map_structure(own, outputs)
        named = dict(zip(list(inspect.signature(self.call).parameters)[1:], arguments))
        named.update(keywords)
        self._add_node(inputs, outputs, named)
        return outputs

    def _add_node(self, inputs, outputs, arguments):
        Node(self, inputs, outputs, arguments)
        for i, t in enumerate(nest.flatten(outputs)):
            t._keras_history = KerasHistory(self, len(self._inbound_nodes) - 1, i)


# Attributes that are the layer's own and not what somebody gave it.
_OWN = frozenset("""_trainable _trainable_weights _non_trainable_weights _layers _updates _losses _later_losses _metrics
    _unconditional _inbound_nodes _outbound_nodes _initial_weights inputs outputs _input_layers _output_layers _loss_metrics
    _own_metrics _endpoints _collected_trainable_weights history _functions _nested_inputs _nested_outputs loss _settings
    _given _children""".split())


def _is_of_keras(layer):
    """Whether a layer is one of TensorFlow's own, whose calls it leaves as they are."""
    return type(layer).__module__.startswith((__package__.rpartition(".")[0], "tensorflow."))


def _as_loss(loss):
    return loss if loss is None else convert_to_tensor(loss)


def _make_variable(name, shape, dtype, initializer, trainable, constraint, use_resource, collections, synchronization,
                   aggregation, partitioner):
    if callable(initializer):
        make = initializer() if isinstance(initializer, type) else initializer
        value, kind = (lambda: make(shape, dtype=dtype)), dtype.base_dtype
    else:
        value, kind = initializer, None
    return variables.Variable(value, name=name, trainable=trainable, dtype=kind, constraint=constraint,
                              use_resource=True if use_resource is None else use_resource, collections=collections,
                              synchronization=synchronization, aggregation=aggregation)
