# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What all layers of tf.layers are: a variable scope, variables made at the first call, losses and updates."""

import contextlib
import copy
import functools
import inspect
import re

import numpy as np

from .. import dtypes
from ..control import control_flow
from ..framework import converted, graph as graph_lib
from ..framework.graph import GraphKeys, get_default_graph, name_scope
from ..framework.ops import convert_to_tensor
from ..operators import array_ops, math_ops
from ..state import partitioned_variables, variables
from ..state import scope as scope_lib
from .layer_facts import LayerFacts

# How replicas of a moving average are put together: VariableSynchronization and VariableAggregation.
ON_READ, MEAN = variables.VariableSynchronization.ON_READ, variables.VariableAggregation.MEAN


def trained(trainable, synchronization):
    """Whether what a layer makes is trained, where that may be left open."""
    if synchronization != ON_READ:
        return True if trainable is None else trainable
    if trainable:
        raise ValueError("Synchronization value can be set to VariableSynchronization.ON_READ only for "
                         "non-trainable variables. You have specified trainable=True and "
                         "synchronization=VariableSynchronization.ON_READ.")
    return False


# How many layers are being called: control flow of version 2 within them gives all that a gradient could read.
_calls = [0]


@contextlib.contextmanager
def _in_call():
    _calls[0] += 1
    try:
        yield
    finally:
        _calls[0] -= 1


def is_in_call():
    return _calls[0] > 0


class InputSpec:
    """What a layer takes: rank, dtype, sizes along some axes."""

    def __init__(self, dtype=None, shape=None, ndim=None, max_ndim=None, min_ndim=None, axes=None):
        self.dtype = dtypes.as_dtype(dtype).name if dtype is not None else None
        self.shape, self.ndim = shape, ndim if shape is None else len(shape)
        self.max_ndim, self.min_ndim = max_ndim, min_ndim
        self.axes = {int(k): v for k, v in (axes or {}).items()}

    def __repr__(self):
        said = ["%s=%s" % (name, getattr(self, name)) for name in ("dtype", "shape", "ndim", "max_ndim", "min_ndim", "axes")]
        return "InputSpec(%s)" % ", ".join(text for text in said if text.partition("=")[2] not in ("None", "{}"))

    def check(self, index, x, layer_name):
        start = "Input %d of layer %s is incompatible with the layer: " % (index, layer_name)
        dims = None if x.shape.ndims is None else x.shape.as_list()
        if dims is None:
            if self.ndim is not None or self.min_ndim is not None or self.max_ndim is not None:
                raise ValueError(start + "its rank is undefined, but the layer requires a defined rank.")
            return
        if self.ndim is not None and len(dims) != self.ndim:
            raise ValueError(start + "expected ndim=%d, found ndim=%d. Full shape received: %s" %
                             (self.ndim, len(dims), dims))
        if self.max_ndim is not None and len(dims) > self.max_ndim:
            raise ValueError(start + "expected max_ndim=%d, found ndim=%d" % (self.max_ndim, len(dims)))
        if self.min_ndim is not None and len(dims) < self.min_ndim:
            raise ValueError(start + ": expected min_ndim=%d, found ndim=%d. Full shape received: %s" %
                             (self.min_ndim, len(dims), dims))
        if self.dtype is not None and x.dtype != self.dtype:
            raise ValueError(start + "expected dtype=%s, found dtype=%s" % (self.dtype, x.dtype))
        for axis, value in self.axes.items():
            if value is not None and dims[axis] not in (value, None):
                raise ValueError(start + "expected axis %s of input shape to have value %s but received input with shape %s"
                                 % (axis, value, dims))
        for wanted, dim in zip(self.shape or (), dims):
            if wanted is not None and dim is not None and wanted != dim:
                raise ValueError("Input %d is incompatible with layer %s: expected shape=%s, found shape=%s" %
                                 (index, layer_name, self.shape, dims))


def _snake(name):
    name = re.sub("(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    name = re.sub("([a-z])([A-Z])", r"\1_\2", name).lower()
    return "private" + name if name[0] == "_" else name


def _flat(items):
    if isinstance(items, (list, tuple)):
        for item in items:
            yield from _flat(item)
    elif isinstance(items, dict):
        yield from _flat([items[key] for key in sorted(items)])
    else:
        yield items


def _is_symbolic(value):
    """Whether a graph computes it."""
    from ..operators.sparse import SparseTensor
    return isinstance(value, (graph_lib.Tensor, variables.Variable, SparseTensor))


def _add_new(collection, items):
    known = graph_lib.get_collection_ref(collection)
    for item in items:
        if not any(item is k for k in known):
            known.append(item)


def track_variable(variable):
    """The session of tf.keras's models gives it its first value when it is used."""
    variable.graph._memo.setdefault("keras variables", []).append(variable)


class Layer(LayerFacts):
    """Base of all layers."""

    _use_resource_variables = False

    def __init__(self, trainable=True, name=None, dtype=None, activity_regularizer=None, _scope=None, _reuse=None,
                 **unknown):
        for key in unknown:
            if key not in ("input_shape", "batch_input_shape", "batch_size", "weights", "autocast", "dynamic"):
                raise TypeError("Keyword argument not understood:", key)
        self.trainable, self.built = trainable, False
        self._dtype = None if dtype is None else dtypes.as_dtype(dtype)
        self._reuse, self.input_spec, self._activity_regularizer = _reuse, None, activity_regularizer
        self._set_names(name)
        self._trainable_weights, self._non_trainable_weights, self._updates = [], [], []
        self._losses, self._later_losses, self._input_losses, self._input_updates = [], [], [], []
        self._called_with = None
        self._inbound_nodes, self._outbound_nodes = [], []
        self._scope = self._reusing = None
        if _scope:
            with scope_lib.variable_scope(_scope) as captured:
                self._scope = captured

    def _set_names(self, name):
        self._base_name = name.name if isinstance(name, scope_lib.VariableScope) else name
        self._name = name
        if not name or isinstance(name, scope_lib.VariableScope):
            base = _snake(type(self).__name__)
            counts = get_default_graph()._memo.setdefault("layer names", {})
            counts[base] = counts.get(base, 0) + 1
            self._name = "%s_%d" % (base, counts[base])
            self._base_name = self._base_name or base

    name = property(lambda self: self._name)
    # TF: the name of the dtype.
    dtype = property(lambda self: None if self._dtype is None else self._dtype.name)
    updates = property(lambda self: list(self._updates) if self.trainable else [])
    # TF: losses of weights are made anew at each look.
    losses = property(lambda self: self._losses + [x for x in (make() for make in self._later_losses) if x is not None])
    variables = weights = property(lambda self: self.trainable_weights + self.non_trainable_weights)
    trainable_variables = trainable_weights = property(
        lambda self: list(self._trainable_weights) if self.trainable else [])
    non_trainable_variables = non_trainable_weights = property(
        lambda self: ([] if self.trainable else list(self._trainable_weights)) + list(self._non_trainable_weights))

    @property
    def graph(self):
        return None

    @property
    def scope_name(self):
        if not self._scope:
            raise ValueError('No name available for layer scope because the layer "%s" has not been used yet. The scope '
                             "name  is determined the first time the layer instance is called. You must therefore call "
                             "the layer before querying `scope_name`." % self._name)
        return self._scope.name

    # -- calling

    def _set_scope(self, given=None):
        if self._scope is not None:
            return
        if self._reuse:
            opened = scope_lib.variable_scope(given if given is not None else self._base_name)
        else:
            opened = scope_lib.variable_scope(given, default_name=self._base_name)
        with opened as captured:
            self._scope = captured

    def build(self, input_shape):
        self.built = True

    def call(self, inputs, **keywords):
        return inputs

    def _settle_dtype(self, dtype=dtypes.float32):
        """A layer that was given no dtype has that of its first inputs, or where it is built by itself the usual one."""
        if self._dtype is None:
            self._dtype = dtypes.as_dtype(dtype).base_dtype

    def _check_inputs(self, tensors):
        spec = self.input_spec
        if not spec:
            return
        spec = spec if isinstance(spec, (list, tuple)) else [spec]
        if len(tensors) != len(spec):
            raise ValueError("Layer %s expects %d inputs, but it received %d input tensors. Inputs received: %s" %
                             (self._name, len(spec), len(tensors), tensors))
        for i, (x, wanted) in enumerate(zip(tensors, spec)):
            if wanted is not None:
                wanted.check(i, x, self._name)

    def _maybe_build(self, inputs, tensors):
        if self.built:
            return
        self._check_inputs(tensors)
        if tensors and hasattr(tensors[0], "dtype"):
            self._settle_dtype(tensors[0].dtype)
        shapes = [x.shape for x in tensors if hasattr(x, "shape")]
        self.build(shapes[0] if not isinstance(inputs, (list, tuple)) and len(shapes) == 1 else shapes)
        self.built = True

    def __call__(self, inputs, *arguments, **keywords):
        self._set_scope(keywords.pop("scope", None))
        if isinstance(inputs, (np.ndarray, float, int)):
            inputs = convert_to_tensor(inputs)
        if self.built:
            self._reusing = self._reusing or scope_lib.variable_scope(self._scope, reuse=True, auxiliary_name_scope=False)
            opened = self._reusing
        else:
            opened = scope_lib.variable_scope(self._scope, reuse=self._reuse, auxiliary_name_scope=False)
        with opened as current:
            if "scope" in inspect.signature(self.call).parameters:
                keywords["scope"] = current
            with name_scope(current.original_name_scope):
                tensors = list(_flat(inputs))
                self._maybe_build(inputs, tensors)
                self._check_inputs(tensors)
                # TF: what is called with no tensors runs as it stands.
                call = functools.partial(converted.call_of_layer, self.call) if all(map(_is_symbolic, tensors)) else self.call
                self._called_with = tensors
                with _in_call():
                    outputs = call(inputs, *arguments, **keywords)
                self._called_with = None
                self._regularize_activity(outputs)
        _add_new(GraphKeys.UPDATE_OPS, self.updates)
        return outputs

    apply = __call__

    def __deepcopy__(self, memo):
        """A layer of its own with the same tensors and variables."""
        copied = memo[id(self)] = object.__new__(type(self))
        for key, value in vars(self).items():
            if key in ("_scope", "_reusing"):
                value = copy.copy(value)
            elif not all(map(_is_symbolic, _flat(value))):
                value = copy.deepcopy(value, memo)
            object.__setattr__(copied, key, value)
        return copied

    # -- variables, losses, updates

    def add_weight(self, name, shape, dtype=None, initializer=None, regularizer=None, trainable=None, constraint=None,
                   use_resource=None, synchronization=None, aggregation=None, partitioner=None, **unknown):
        for key in unknown:
            if key != "experimental_autocast":
                raise TypeError("Unknown keyword argument:", key)
        trainable = trained(trainable, synchronization)
        # TF: a layer of no dtype has that of its first weight, too.
        self._settle_dtype(dtype or dtypes.float32)
        if isinstance(initializer, (str, dict)):
            from ..keras import configs
            initializer = configs.initializer(initializer)
        before = set(variables.global_variables())
        self._set_scope()
        reuse = self.built or self._reuse
        with scope_lib.variable_scope(self._scope, reuse=reuse, auxiliary_name_scope=False) as current:
            with name_scope(current.original_name_scope):
                v = scope_lib.get_variable(
                    name, shape=shape, initializer=current.initializer if initializer is None else initializer,
                    dtype=dtypes.as_dtype(dtype or self._dtype), constraint=constraint,
                    trainable=trainable and self.trainable, partitioner=partitioner,
                    use_resource=use_resource or self._use_resource_variables or current.use_resource, synchronization=synchronization,
                    aggregation=aggregation)
                if regularizer:
                    self._regularize(name, v, regularizer, before)
        for part in (v if _is_partitioned(v) else [v]):
            track_variable(part)
        shown = variables.trainable_variables()
        is_trainable = trainable and all(p in shown for p in (v if _is_partitioned(v) else [v]))
        (self._trainable_weights if is_trainable else self._non_trainable_weights).append(v)
        return v

    add_variable = add_weight

    def _regularize(self, name, variable, regularizer, before):
        parts = list(variable) if _is_partitioned(variable) else [variable]
        if any(part in before for part in parts):
            return
        for part in parts:
            def loss(part=part):
                with name_scope(name + "/Regularizer"):
                    return regularizer(part)
            self.add_loss(loss)

    def _regularize_activity(self, outputs):
        if not self._activity_regularizer:
            return
        with name_scope("ActivityRegularizer"):
            for output in _flat(outputs):
                loss = self._activity_regularizer(output)
                size = math_ops.cast(array_ops.shape(output)[0], loss.dtype)
                self.add_loss(loss / size, inputs=outputs)

    def add_loss(self, losses, inputs=None):
        made = []
        for loss in losses if isinstance(losses, (list, tuple)) else [losses]:
            if callable(loss):
                self._later_losses.append(loss)
                loss = loss()
            elif loss is not None:
                loss = convert_to_tensor(loss)
                self._losses.append(loss)
                if inputs is not None:
                    self._input_losses.append(loss)
            if loss is not None:
                made.append(loss)
        _add_new(GraphKeys.REGULARIZATION_LOSSES, made)

    def add_update(self, updates, inputs=None):
        for update in updates if isinstance(updates, (list, tuple)) else [updates]:
            update = update() if callable(update) else update
            self._updates.append(getattr(update, "op", update))
            if self._called_with is not None and layer_trees().reachable_from(self._called_with, self._updates[-1:]):
                self._input_updates.append(self._updates[-1])

    def get_updates_for(self, inputs):
        return self._hanging_on(inputs, self.updates, self._input_updates)

    def get_losses_for(self, inputs):
        return self._hanging_on(inputs, self.losses, self._input_losses)

    @staticmethod
    def _hanging_on(inputs, all_of_them, on_inputs):
        """Those of updates or losses that tensors lead to; with None those that nothing of the layer's inputs leads to."""
        hanging = [item for item in all_of_them if any(item is other for other in on_inputs)]
        if inputs is None:
            return [item for item in all_of_them if not any(item is other for other in hanging)]
        return layer_trees().reachable_from(inputs, hanging)


def layer_trees():
    from ..keras import layer_trees
    return layer_trees


def _is_partitioned(variable):
    return isinstance(variable, partitioned_variables.PartitionedVariable)


# -- conditions that may be known

def constant_bool(pred):
    """True or False where a condition is known while building, else None."""
    return None if isinstance(pred, variables.Variable) else control_flow.smart_constant_value(pred)


def smart_cond(pred, true_fn, false_fn, name=None):
    """One of the two functions where pred is known, else a cond."""
    if isinstance(pred, variables.Variable):
        return control_flow.cond(pred, true_fn, false_fn, name=name)
    return control_flow.smart_cond(pred, true_fn, false_fn, name=name)
