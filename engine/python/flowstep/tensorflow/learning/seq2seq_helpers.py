# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.seq2seq: helpers, which say what a decoder reads next: the target, or what it has just said."""

from .. import dtypes, nest
from ..control import control_flow
from ..control.tensor_array import TensorArray
from ..framework import tensor_shape
from ..framework.graph import Tensor, name_scope
from ..framework.ops import convert_to_tensor
from ..operators import array_ops, math_ops, nn_embedding, random_ops
from .rnn import transpose_batch_time


def _unstacked(inputs):
    return TensorArray(dtype=inputs.dtype, size=array_ops.shape(inputs)[0], element_shape=inputs.shape[1:]).unstack(inputs)


def _embedder(embedding):
    return embedding if callable(embedding) else lambda ids: nn_embedding.embedding_lookup(embedding, ids)


def _drawn(sample_n, sample_shape):
    """As many samples as a shape has elements, in that shape."""
    with name_scope(None, "call_sampler", [sample_shape]):
        sample_shape = convert_to_tensor(sample_shape, dtype=dtypes.int32, name="sample_shape")
        pad = math_ops.cast(math_ops.equal(array_ops.rank(sample_shape), 0), dtypes.int32)
        sample_shape = array_ops.reshape(sample_shape, array_ops.pad(
            array_ops.shape(sample_shape), paddings=[[pad, 0]], constant_values=1))
        samples = sample_n(math_ops.reduce_prod(sample_shape))
        event_shape = array_ops.shape(samples)[1:]
        return array_ops.reshape(samples, array_ops.concat([sample_shape, event_shape], 0))


def bernoulli_sample(probs, dtype=dtypes.int32, sample_shape=(), seed=None):
    probs = convert_to_tensor(probs, name="probs")
    batch_shape = array_ops.shape(probs)

    def sample_n(n):
        uniform = random_ops.random_uniform(array_ops.concat([[n], batch_shape], 0), seed=seed, dtype=probs.dtype)
        return math_ops.cast(math_ops.less(uniform, probs), dtype)
    return _drawn(sample_n, sample_shape)


def categorical_sample(logits, dtype=dtypes.int32, sample_shape=(), seed=None):
    logits = convert_to_tensor(logits, name="logits")
    size = array_ops.shape(logits)[-1]
    batch_shape = array_ops.shape(logits)[:-1]

    def sample_n(n):
        rows = logits if logits.shape.ndims == 2 else array_ops.reshape(logits, [-1, size])
        kind = dtypes.int64 if logits.dtype.size > 4 else dtypes.int32
        draws = random_ops.multinomial(rows, n, seed=seed, output_dtype=kind)
        draws = array_ops.reshape(array_ops.transpose(draws), array_ops.concat([[n], batch_shape], 0))
        return math_ops.cast(draws, dtype)
    return _drawn(sample_n, sample_shape)


class Helper:
    """Base of all: initialize(), sample() and next_inputs()."""

    batch_size = property(lambda self: self._batch_size)
    sample_ids_shape = property(lambda self: tensor_shape.TensorShape([]))
    sample_ids_dtype = property(lambda self: dtypes.int32)


class CustomHelper(Helper):
    """Functions in the place of the three methods."""

    def __init__(self, initialize_fn, sample_fn, next_inputs_fn, sample_ids_shape=None, sample_ids_dtype=None):
        self._initialize_fn, self._sample_fn, self._next_inputs_fn = initialize_fn, sample_fn, next_inputs_fn
        self._size = None
        self._sample_ids_shape = tensor_shape.TensorShape(sample_ids_shape or [])
        self._sample_ids_dtype = sample_ids_dtype or dtypes.int32

    sample_ids_shape = property(lambda self: self._sample_ids_shape)
    sample_ids_dtype = property(lambda self: self._sample_ids_dtype)

    @property
    def batch_size(self):
        if self._size is None:
            raise ValueError("batch_size accessed before initialize was called")
        return self._size

    def _scope(self, name, what, values=None):
        return name_scope(name, type(self).__name__ + what, values)

    def initialize(self, name=None):
        with self._scope(name, "Initialize"):
            finished, next_inputs = self._initialize_fn()
            if self._size is None:
                self._size = array_ops.size(finished)
        return finished, next_inputs

    def sample(self, time, outputs, state, name=None):
        with self._scope(name, "Sample", nest.flatten((time, outputs, state))):
            return self._sample_fn(time=time, outputs=outputs, state=state)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        with self._scope(name, "NextInputs", nest.flatten((time, outputs, state))):
            return self._next_inputs_fn(time=time, outputs=outputs, state=state, sample_ids=sample_ids)


class TrainingHelper(Helper):
    """Reads the targets, step by step."""

    def __init__(self, inputs, sequence_length, time_major=False, name=None):
        with name_scope(name, "TrainingHelper", [inputs, sequence_length]):
            inputs = self._inputs = nest.map_structure(lambda i: convert_to_tensor(i, name="inputs"), inputs)
            if not time_major:
                inputs = nest.map_structure(transpose_batch_time, inputs)
            self._arrays = nest.map_structure(_unstacked, inputs)
            self._sequence_length = convert_to_tensor(sequence_length, name="sequence_length")
            if self._sequence_length.shape.ndims != 1:
                raise ValueError("Expected sequence_length to be a vector, but received shape: %s" %
                                 self._sequence_length.shape)
            self._zero_inputs = nest.map_structure(lambda i: array_ops.zeros_like(i[0, :]), inputs)
            self._batch_size = array_ops.size(sequence_length)

    inputs = property(lambda self: self._inputs)
    sequence_length = property(lambda self: self._sequence_length)

    def _read(self, finished, time):
        return control_flow.cond(math_ops.reduce_all(finished), lambda: self._zero_inputs,
                                 lambda: nest.map_structure(lambda array: array.read(time), self._arrays))

    def initialize(self, name=None):
        with name_scope(name, "TrainingHelperInitialize"):
            finished = math_ops.equal(0, self._sequence_length)
            return finished, self._read(finished, 0)

    def sample(self, time, outputs, name=None, **_):
        with name_scope(name, "TrainingHelperSample", [time, outputs]):
            return math_ops.cast(math_ops.argmax(outputs, axis=-1), dtypes.int32)

    def next_inputs(self, time, outputs, state, name=None, **_):
        with name_scope(name, "TrainingHelperNextInputs", nest.flatten([time, outputs, state])):
            next_time = time + 1
            finished = next_time >= self._sequence_length
            return finished, self._read(finished, next_time), state


def _probability(value):
    value = convert_to_tensor(value, name="sampling_probability")
    if value.shape.ndims not in (0, 1):
        raise ValueError("sampling_probability must be either a scalar or a vector. saw shape: %s" % value.shape)
    return value


def _places(condition):
    return math_ops.cast(array_ops.where(condition), dtypes.int32)


def _scattered(shape, *parts):
    """Rows at their places, added up."""
    a, b = (array_ops.scatter_nd(indices=places, updates=rows, shape=shape) for places, rows in parts)
    return a + b


class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """Reads the target or, with some probability, the embedding of what was drawn."""

    def __init__(self, inputs, sequence_length, embedding, sampling_probability, time_major=False, seed=None,
                 scheduling_seed=None, name=None):
        with name_scope(name, "ScheduledEmbeddingSamplingWrapper", [embedding, sampling_probability]):
            self._embed = _embedder(embedding)
            self._probability = _probability(sampling_probability)
            self._seed, self._scheduling_seed = seed, scheduling_seed
            super().__init__(inputs=inputs, sequence_length=sequence_length, time_major=time_major, name=name)

    def sample(self, time, outputs, state, name=None):
        with name_scope(name, "ScheduledEmbeddingTrainingHelperSample", nest.flatten([time, outputs, state])):
            chosen = bernoulli_sample(self._probability, dtype=dtypes.bool, sample_shape=self.batch_size,
                                      seed=self._scheduling_seed)
            return array_ops.where(chosen, categorical_sample(logits=outputs, seed=self._seed),
                                   array_ops.fill([self.batch_size], -1))

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        with name_scope(name, "ScheduledEmbeddingTrainingHelperNextInputs",
                        nest.flatten([time, outputs, state, sample_ids])):
            finished, given, state = super().next_inputs(time=time, outputs=outputs, state=state, sample_ids=sample_ids,
                                                         name=name)

            def mixed():
                drawn, kept = _places(sample_ids > -1), _places(sample_ids <= -1)
                ids = array_ops.gather_nd(sample_ids, drawn)
                rows = array_ops.gather_nd(given, kept)
                embedded = self._embed(ids)
                return _scattered(array_ops.shape(given), (drawn, embedded), (kept, rows))
            return finished, control_flow.cond(math_ops.reduce_all(finished), lambda: given, mixed), state


class ScheduledOutputTrainingHelper(TrainingHelper):
    """Reads the target or, with some probability, the last output."""

    def __init__(self, inputs, sequence_length, sampling_probability, time_major=False, seed=None, next_inputs_fn=None,
                 auxiliary_inputs=None, name=None):
        with name_scope(name, "ScheduledOutputTrainingHelper", [inputs, auxiliary_inputs, sampling_probability]):
            self._probability = _probability(sampling_probability)
            self._auxiliary = None
            if auxiliary_inputs is not None:
                inputs = convert_to_tensor(inputs, name="inputs")
                auxiliary_inputs = convert_to_tensor(auxiliary_inputs, name="auxiliary_inputs")
                inputs = array_ops.concat((inputs, auxiliary_inputs), -1)
                if not time_major:
                    auxiliary_inputs = transpose_batch_time(auxiliary_inputs)
                self._auxiliary = _unstacked(auxiliary_inputs)
            self._seed, self._next_inputs_fn = seed, next_inputs_fn
            super().__init__(inputs=inputs, sequence_length=sequence_length, time_major=time_major, name=name)

    def sample(self, time, outputs, state, name=None):
        with name_scope(name, "ScheduledOutputTrainingHelperSample", nest.flatten([time, outputs, state])):
            return bernoulli_sample(self._probability, sample_shape=self.batch_size, seed=self._seed)

    def _with_auxiliary(self, outputs, time, places=None):
        if self._auxiliary is None:
            return outputs
        extra = self._auxiliary.read(time + 1)
        if places is not None:
            extra = array_ops.gather_nd(extra, places)
        return array_ops.concat((outputs, extra), -1)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        with name_scope(name, "ScheduledOutputTrainingHelperNextInputs",
                        nest.flatten([time, outputs, state, sample_ids])):
            finished, given, state = super().next_inputs(time=time, outputs=outputs, state=state, sample_ids=sample_ids,
                                                         name=name)
            sample_ids = math_ops.cast(sample_ids, dtypes.bool)

            def mixed():
                if self._next_inputs_fn is None:
                    return array_ops.where(sample_ids, self._with_auxiliary(outputs, time), given)
                drawn, kept = _places(sample_ids), _places(math_ops.logical_not(sample_ids))
                said = array_ops.gather_nd(outputs, drawn)
                rows = array_ops.gather_nd(given, kept)
                made = self._with_auxiliary(self._next_inputs_fn(said), time, drawn)
                return _scattered(array_ops.shape(given), (drawn, made), (kept, rows))
            all_finished = math_ops.reduce_all(finished)
            none = math_ops.logical_not(math_ops.reduce_any(sample_ids))
            return finished, control_flow.cond(math_ops.logical_or(all_finished, none), lambda: given, mixed), state


def _single(outputs):
    if not isinstance(outputs, Tensor):
        raise TypeError("Expected outputs to be a single Tensor, got: %s" % type(outputs))
    return outputs


class GreedyEmbeddingHelper(Helper):
    """Reads the embedding of the most probable word."""

    def __init__(self, embedding, start_tokens, end_token):
        self._embed = _embedder(embedding)
        self._start_tokens = convert_to_tensor(start_tokens, dtype=dtypes.int32, name="start_tokens")
        self._end_token = convert_to_tensor(end_token, dtype=dtypes.int32, name="end_token")
        if self._start_tokens.shape.ndims != 1:
            raise ValueError("start_tokens must be a vector")
        self._batch_size = array_ops.size(start_tokens)
        if self._end_token.shape.ndims != 0:
            raise ValueError("end_token must be a scalar")
        self._start_inputs = self._embed(self._start_tokens)

    def initialize(self, name=None):
        return array_ops.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time, outputs, state, name=None):
        return math_ops.argmax(_single(outputs), axis=-1, output_type=dtypes.int32)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        finished = math_ops.equal(sample_ids, self._end_token)
        next_inputs = control_flow.cond(math_ops.reduce_all(finished), lambda: self._start_inputs,
                                        lambda: self._embed(sample_ids))
        return finished, next_inputs, state


class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """Reads the embedding of a word that was drawn."""

    def __init__(self, embedding, start_tokens, end_token, softmax_temperature=None, seed=None):
        super().__init__(embedding, start_tokens, end_token)
        self._temperature, self._seed = softmax_temperature, seed

    def sample(self, time, outputs, state, name=None):
        logits = _single(outputs)
        if self._temperature is not None:
            logits = logits / self._temperature
        return categorical_sample(logits=logits, seed=self._seed)


class InferenceHelper(Helper):
    """Reads what a function makes of the output."""

    def __init__(self, sample_fn, sample_shape, sample_dtype, start_inputs, end_fn, next_inputs_fn=None):
        self._sample_fn, self._end_fn, self._next_inputs_fn = sample_fn, end_fn, next_inputs_fn
        self._sample_shape, self._sample_dtype = tensor_shape.TensorShape(sample_shape), sample_dtype
        self._batch_size = array_ops.shape(start_inputs)[0]
        self._start_inputs = convert_to_tensor(start_inputs, name="start_inputs")

    sample_ids_shape = property(lambda self: self._sample_shape)
    sample_ids_dtype = property(lambda self: self._sample_dtype)

    def initialize(self, name=None):
        return array_ops.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time, outputs, state, name=None):
        return self._sample_fn(outputs)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        next_inputs = sample_ids if self._next_inputs_fn is None else self._next_inputs_fn(sample_ids)
        return self._end_fn(sample_ids), next_inputs, state
