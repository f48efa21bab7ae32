# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""slim's data: sets of files, readers that fill a queue together, and what comes out of them."""

import contextlib
import glob
import threading

from .. import dtypes, summary
from ..framework import graph as graph_lib
from ..framework.graph import GraphKeys, name_scope
from ..inputs import data_flow, input_producers, readers
from ..operators import math_ops
from ..sessions import runners


def _summarize_fullness(queue, capacity):
    summary.scalar("fraction_of_%d_full" % capacity, math_ops.cast(queue.size(), dtypes.float32) * (1. / capacity))


def prefetch_queue(tensors, capacity=8, num_threads=1, dynamic_pad=False, shared_name=None, name=None):
    """A queue that is filled with these tensors ahead of who takes them."""
    names = sorted(tensors) if isinstance(tensors, dict) else None
    tensor_list = [tensors[n] for n in names] if names is not None else tensors
    with name_scope(name, "prefetch_queue", tensor_list) as name:
        make = data_flow.PaddingFIFOQueue if dynamic_pad else data_flow.FIFOQueue
        queue = make(capacity=capacity, dtypes=[t.dtype for t in tensor_list],
                     shapes=[t.get_shape() for t in tensor_list], names=names, shared_name=shared_name)
        runners.add_queue_runner(runners.QueueRunner(queue, [queue.enqueue(tensors)] * num_threads))
        _summarize_fullness(queue, capacity)
        return queue


# -- readers that share a queue


class ParallelReader(readers.ReaderBase):
    def __init__(self, reader_class, common_queue, num_readers=4, reader_kwargs=None):
        if len(common_queue.dtypes) != 2 or any(not d.is_compatible_with(dtypes.string) for d in common_queue.dtypes):
            raise TypeError("common_queue.dtypes must be [tf.string, tf.string]")
        self._readers = [reader_class(**(reader_kwargs or {})) for _ in range(num_readers)]
        self._common_queue = common_queue

    num_readers = property(lambda self: len(self._readers))
    common_queue = property(lambda self: self._common_queue)

    def read(self, queue, name=None):
        self._fill_from(queue)
        return self._common_queue.dequeue(name=name)

    def read_up_to(self, queue, num_records, name=None):
        self._fill_from(queue)
        return self._common_queue.dequeue_up_to(num_records, name)

    def _fill_from(self, queue):
        filling = [self._common_queue.enqueue(reader.read(queue)) for reader in self._readers]
        runners.add_queue_runner(runners.QueueRunner(self._common_queue, filling))

    def num_records_produced(self, name=None):
        return math_ops.add_n([r.num_records_produced() for r in self._readers], name=name)

    def num_work_units_completed(self, name=None):
        return math_ops.add_n([r.num_work_units_completed() for r in self._readers], name=name)


def get_data_files(data_sources):
    if isinstance(data_sources, (list, tuple)):
        files = [file for source in data_sources for file in get_data_files(source)]
    elif any(sign in data_sources for sign in "*?["):
        files = sorted(glob.glob(data_sources))
    else:
        files = [data_sources]
    if not files:
        raise ValueError("No data files found in %s" % (data_sources,))
    return files


def parallel_read(data_sources, reader_class, num_epochs=None, num_readers=4, reader_kwargs=None, shuffle=True, dtypes=None,
                  capacity=256, min_after_dequeue=128, seed=None, scope=None):
    from ..dtypes import string
    files = get_data_files(data_sources)
    with name_scope(scope, "parallel_read"):
        names = input_producers.string_input_producer(files, num_epochs=num_epochs, shuffle=shuffle, seed=seed,
                                                      name="filenames")
        types = dtypes or [string, string]
        if shuffle:
            common = data_flow.RandomShuffleQueue(capacity=capacity, min_after_dequeue=min_after_dequeue, dtypes=types,
                                                  seed=seed, name="common_queue")
        else:
            common = data_flow.FIFOQueue(capacity=capacity, dtypes=types, name="common_queue")
        _summarize_fullness(common, capacity)
        return ParallelReader(reader_class, common, num_readers=num_readers, reader_kwargs=reader_kwargs).read(names)


def single_pass_read(data_sources, reader_class, reader_kwargs=None, scope=None):
    files = get_data_files(data_sources)
    with name_scope(scope, "single_pass_read"):
        names = input_producers.string_input_producer(files, num_epochs=1, shuffle=False, capacity=1, name="filenames")
        return reader_class(**(reader_kwargs or {})).read(names)


# -- sets of data


class Dataset:
    """Files, how they are read and decoded, and what they hold."""

    def __init__(self, data_sources, reader, decoder, num_samples, items_to_descriptions, **kwargs):
        kwargs.update(data_sources=data_sources, reader=reader, decoder=decoder, num_samples=num_samples,
                      items_to_descriptions=items_to_descriptions)
        self.__dict__.update(kwargs)


class DataProvider:
    """Tensors by the names of items."""

    def __init__(self, items_to_tensors, num_samples):
        self._items_to_tensors, self._num_samples = items_to_tensors, num_samples

    def get(self, items):
        if not isinstance(items, (list, tuple)):
            raise ValueError("items must be a list or tuple")
        for item in items:
            if item not in self._items_to_tensors:
                raise ValueError("Item [%s] is invalid. Valid entries include: %s" % (item, self.list_items()))
        return [self._items_to_tensors[item] for item in items]

    def list_items(self):
        return self._items_to_tensors.keys()

    def num_samples(self):
        return self._num_samples


class DatasetDataProvider(DataProvider):
    def __init__(self, dataset, num_readers=1, reader_kwargs=None, shuffle=True, num_epochs=None,
                 common_queue_capacity=256, common_queue_min=128, record_key="record_key", seed=None, scope=None):
        key, data = parallel_read(
            dataset.data_sources, reader_class=dataset.reader, num_epochs=num_epochs, num_readers=num_readers,
            reader_kwargs=reader_kwargs, shuffle=shuffle, capacity=common_queue_capacity,
            min_after_dequeue=common_queue_min, seed=seed, scope=scope)
        items = dataset.decoder.list_items()
        tensors = dict(zip(items, dataset.decoder.decode(data, items)))
        if record_key in tensors:
            raise ValueError("The item name used for `record_key` cannot also be used for a dataset item: %s", record_key)
        tensors[record_key] = key
        super().__init__(items_to_tensors=tensors, num_samples=dataset.num_samples)


# -- threads of a session


class NestedQueueRunnerError(Exception):
    """One QueueRunners within another."""


_running = threading.Lock()


@contextlib.contextmanager
def QueueRunners(session):
    """All queue runners run as long as the with block."""
    if not _running.acquire(False):
        raise NestedQueueRunnerError("QueueRunners cannot be nested")
    coordinator = runners.Coordinator()
    threads = [t for r in graph_lib.get_collection(GraphKeys.QUEUE_RUNNERS)
               for t in r.create_threads(session, coord=coordinator, daemon=True, start=True)]
    try:
        yield
    finally:
        coordinator.request_stop()
        try:
            coordinator.join(threads, stop_grace_period_secs=120)
        except RuntimeError:
            session.close()
        _running.release()
