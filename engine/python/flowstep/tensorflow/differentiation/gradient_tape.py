# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.GradientTape: gradients of what is made while it is open, by what it watches."""

import contextlib

from .. import nest
from ..framework import ops, tf_logging as logging
from ..framework.graph import Tensor, get_default_graph
from ..operators import array_ops
from ..state import variables
from ..state.variables import ResourceVariable, Variable
from . import gradients, tape


def _ones(target):
    """What comes back to a target that nothing was said of."""
    if target.shape.is_fully_defined():
        return array_ops.ones(target.shape, dtype=target.dtype)
    return array_ops.ones(array_ops.shape(target), dtype=target.dtype)


def _source(value):
    return value.handle if isinstance(value, ResourceVariable) else value


class GradientTape:
    def __init__(self, persistent=False, watch_accessed_variables=True):
        self._persistent, self._watches_variables = persistent, watch_accessed_variables
        self._recording, self._first, self._watched = False, None, []

    def __enter__(self):
        self._push()
        return self

    def __exit__(self, *_):
        if self._recording:
            self._pop()

    def _push(self):
        if self._recording:
            raise ValueError("Tape is already recording.")
        if self._first is None:
            self._first, self._watched = get_default_graph()._builder.get_n_nodes(), []
        self._recording = True

    def _pop(self):
        if not self._recording:
            raise ValueError("Tape is not recording.")
        self._recording = False

    def watch(self, tensor):
        """Gradients by the tensor, or the variable, will be asked for."""
        for value in nest.flatten(tensor):
            if not isinstance(value, (Tensor, Variable)):
                raise ValueError("Passed in object of type {}, not tf.Tensor".format(type(value)))
            if not value.dtype.is_floating:
                logging.warn("The dtype of the watched tensor must be floating (e.g. tf.float32), got %r", value.dtype)
            self._note(value)

    def _note(self, value):
        if not any(value is known for known in self._watched):
            self._watched.append(value)

    @contextlib.contextmanager
    def stop_recording(self):
        if self._first is None:
            raise RuntimeError("Trying to stop recording a tape which is not recording.")
        raise NotImplementedError("GradientTape.stop_recording: here a tape is of all ops that are made while it is open; make "
                                  "the others outside of it, or pass them through tf.stop_gradient")
        yield

    def reset(self):
        self._pop()
        self._first = None
        self._push()

    def _note_variables(self):
        """Of variables that are trained those are watched that were read since."""
        if self._watches_variables:
            read = {t for op in get_default_graph().get_operations()[self._first:] for t in op.inputs
                    if t.dtype.name == "resource"}
            for variable in variables.trainable_variables():
                if isinstance(variable, ResourceVariable) and variable.handle in read:
                    self._note(variable)

    def watched_variables(self):
        if self._first is not None:
            self._note_variables()
        return tuple(v for v in self._watched if isinstance(v, Variable))

    def gradient(self, target, sources, output_gradients=None, unconnected_gradients=gradients.UnconnectedGradients.NONE):
        """The gradients of the target, or of the sum of several, in the structure of the sources."""
        if self._first is None:
            raise RuntimeError("GradientTape.gradient can only be called once on non-persistent tapes.")
        if self._recording and not self._persistent:
            self._pop()
        targets = [ops.convert_to_tensor(t) for t in nest.flatten(target)]
        given = [None] * len(targets) if output_gradients is None else nest.flatten(output_gradients)
        given = [None if g is None else ops.convert_to_tensor(g) for g in given]
        self._note_variables()
        found = self._found(targets, given)
        made = []
        for source in nest.flatten(sources):
            gradient = next((g for w, g in zip(self._watched, found) if w is source), None)
            if gradient is None and str(getattr(unconnected_gradients, "value", unconnected_gradients)) == "zero":
                gradient = array_ops.zeros_like(source)
            made.append(gradient)
        if not self._persistent:
            self._first = None
        return nest.pack_sequence_as(sources, made)

    def _found(self, targets, given):
        watched = tape.Tape(*[_source(w) for w in self._watched])
        watched._first = self._first
        pairs = [(t, _ones(t) if g is None else g) for t, g in zip(targets, given) if gradients.is_trainable(t)]
        return watched.gradient([t for t, _ in pairs], [g for _, g in pairs]) if pairs else [None] * len(self._watched)

    # -- of several numbers

    def _rows(self, target, count, sources, axis, unconnected):
        """Gradients of each of so many numbers, or columns of them, one after the other."""
        if count is None:
            raise NotImplementedError("GradientTape.jacobian: here how many numbers the target has must be known")
        kept, self._persistent = self._persistent, True
        found = [self.gradient(target[i] if axis == 0 else target[:, i], sources, unconnected_gradients=unconnected)
                 for i in range(count)]
        self._persistent = kept
        if not kept:
            self._first = None
        return found

    def jacobian(self, target, sources, unconnected_gradients=gradients.UnconnectedGradients.NONE, parallel_iterations=None,
                 experimental_use_pfor=True):
        """The gradient of each number of the target."""
        shape, flat = array_ops.shape(target), array_ops.reshape(target, [-1])
        rows = self._rows(flat, flat.shape.as_list()[0], nest.flatten(sources), 0, unconnected_gradients)
        made = []
        for parts in zip(*rows):
            if any(p is None for p in parts):
                made.append(None)
                continue
            whole = array_ops.stack(parts)
            made.append(array_ops.reshape(whole, array_ops.concat([shape, array_ops.shape(whole)[1:]], axis=0)))
        return nest.pack_sequence_as(sources, made)

    def batch_jacobian(self, target, source, unconnected_gradients=gradients.UnconnectedGradients.NONE,
                       parallel_iterations=None, experimental_use_pfor=True):
        """The gradient of each number of an example by what that example was made of."""
        dims = target.shape
        if not (dims.with_rank_at_least(2) and source.shape.with_rank_at_least(2) and
                dims.dims[0].is_compatible_with(source.shape.dims[0])):
            raise ValueError("Need first dimension of target shape (%s) and source shape (%s) to match." % (
                target.shape, source.shape))
        batch = dims.as_list()[0]
        wide = dims.num_elements() // batch if dims.is_fully_defined() else None
        rows = self._rows(array_ops.reshape(target, [-1 if batch is None else batch, -1 if wide is None else wide]), wide,
                          source, 1, unconnected_gradients)
        if any(row is None for row in rows):
            return None
        whole = array_ops.stack(rows, axis=1)
        return array_ops.reshape(whole, array_ops.concat([array_ops.shape(target), array_ops.shape(source)[1:]], axis=0))
