# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Where a network's batches come from: arrays, a data set, a generator, a sequence of batches."""

import inspect
import random

import numpy as np

from .. import errors, nest
from ..inputs import datasets
from . import backend


class Arrays:
    in_steps, is_counted = False, True

    def __init__(self, arrays, batch_size):
        self.arrays, self.batch_size = arrays, batch_size

    size = property(lambda self: len(self.arrays[0]))

    def batches(self, shuffle):
        order = np.arange(self.size)
        if shuffle:
            np.random.shuffle(order)
        if self.size <= self.batch_size:
            yield self.size, self.arrays
            return
        for start in range(0, self.size, self.batch_size):
            rows = order[start:start + self.batch_size]
            yield len(rows), [a[rows] for a in self.arrays]


class _Batches:
    """What a data set gives, batch by batch."""

    in_steps, is_counted = True, True

    def __init__(self, dataset, steps, model):
        self._iterator = dataset.make_initializable_iterator()
        self._next, self.size, self.batch_size, self._model = self._iterator.get_next(), steps, None, model
        self._begun, self._count = False, None

    def of(self, count):
        self._count = count

    def _read(self):
        found = backend.get_session().run(self._next)
        if self._model is None:
            return list(nest.flatten(found))[:self._count]
        x, y = found[0], found[1] if len(found) > 1 else None
        return self._model._prepare(x, y, found[2] if len(found) > 2 else None)

    def first(self):
        """Shapes to build a network with."""
        backend.get_session().run(self._iterator.initializer)
        found = backend.get_session().run(self._next)
        return found[0], found[1]

    def batches(self, shuffle):
        if not self._begun or self.size is None:
            backend.get_session().run(self._iterator.initializer)
            self._begun = True
        count = 0
        while self.size is None or count < self.size:
            try:
                arrays = self._read()
            except errors.OutOfRangeError:
                break
            yield len(arrays[0]), arrays
            count += 1
        if self.size is None:
            self.size = count


class Sequence:
    """tf.keras.utils.Sequence: batches by their number; what subclasses say of themselves is asked anew each epoch."""

    def __getitem__(self, index):
        raise NotImplementedError

    def __len__(self):
        raise NotImplementedError

    def on_epoch_end(self):
        pass

    def __iter__(self):
        for index in range(len(self)):
            yield self[index]


def is_generated(x):
    return isinstance(x, Sequence) or inspect.isgenerator(x)


class _Generated:
    # TF tells the size of arrays and data sets before it trains on them, not of what is generated.
    in_steps, is_counted, batch_size = True, False, None

    def __init__(self, generator, steps, class_weight=None):
        self._generator, self._items, self._class_weight = generator, None, class_weight
        self._is_sequence = not hasattr(generator, "__next__")
        if steps is None and not self._is_sequence:
            raise ValueError("When passing a Python generator, `steps_per_epoch` or `steps` has to be given.")
        self.size = steps if steps is not None else len(generator)
        self._first = generator[0] if self._is_sequence else next(generator)

    def prepare(self, model):
        """Batches are what the model is fed: inputs, labels, weights."""
        self._arrays = lambda found: model._prepare(found[0], found[1], found[2] if len(found) > 2 else None,
                                                    self._class_weight)
        self._arrays(self._first)
        return self

    def prepare_inputs(self, arrays):
        """Batches are inputs alone, or what stands before their labels."""
        self._arrays = lambda found: arrays(found[0] if isinstance(found, tuple) else found)
        return self

    def _endless(self, shuffle):
        """The batches in the order they are taken in; only a sequence can begin again."""
        if not self._is_sequence:
            yield self._first
            yield from self._generator
            return
        while True:
            order = list(range(len(self._generator)))
            if shuffle:
                random.shuffle(order)
            for index in order:
                yield self._generator[index]
            self._generator.on_epoch_end()

    def batches(self, shuffle):
        if self._items is None:
            self._items = self._endless(shuffle)
        for _ in range(self.size):
            found = next(self._items, None)
            if found is None:
                return
            arrays = self._arrays(found)
            yield len(arrays[0]), arrays


def source(model, x, y=None, sample_weight=None, class_weight=None, steps=None, batch_size=None):
    if isinstance(x, datasets.Dataset):
        data = _Batches(x, steps, model)
        if not model._compiled:
            model._prepare(*data.first())
        return data
    if is_generated(x):
        return _Generated(x, steps, class_weight).prepare(model)
    return Arrays(model._prepare(x, y, sample_weight, class_weight), batch_size or 32)


def generated(model, generator, steps, class_weight=None):
    """Of what fit_generator takes: an iterator of any class, or a sequence."""
    return _Generated(generator, steps, class_weight).prepare(model)


def inputs(model, x, batch_size, steps):
    """Batches of what a model is asked with."""
    if isinstance(x, datasets.Dataset):
        data = _Batches(x, steps, None)
        data.of(len(model.input_names) if model.inputs else 1)
        return data

    def arrays(found):
        model._settle_inputs(found)
        return model._arrays(found, model.input_names, model.inputs, "input")

    if is_generated(x) or hasattr(x, "__next__"):
        return _Generated(x, steps).prepare_inputs(arrays)
    return Arrays(arrays(x), batch_size or 32)
