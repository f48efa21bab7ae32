# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Event files: what TensorBoard reads (tf.summary.FileWriter, tf.train.summary_iterator)."""

import atexit
import os
import socket
import threading
import time
import warnings
import weakref

from ..framework import proto, tf_logging
from ..framework.graph import Graph
from ..inputs import readers
from . import file_system, meta_graph


def _flush_if_there(reference):
    writer = reference()
    if writer is not None:
        writer.flush()


class EventFileWriter:
    """Appends events to a file that is made with the first of them."""

    def __init__(self, logdir, max_queue=10, flush_secs=120, filename_suffix=None):
        self._logdir, self._suffix = str(logdir), filename_suffix or ""
        file_system.makedirs(self._logdir)
        self._lock, self._file, self._closed = threading.Lock(), None, False
        self._flush_secs, self._next_flush, self._held = flush_secs, 0, bytearray()
        atexit.register(_flush_if_there, weakref.ref(self))
        if filename_suffix:
            self._open()

    def get_logdir(self):
        return self._logdir

    def _open(self):
        now = time.time()
        name = "events.out.tfevents.%010d.%s%s" % (now, socket.gethostname(), self._suffix)
        try:
            self._file = open(os.path.join(self._logdir, name), "ab")
        except OSError as error:     # TF: no call fails; what is lost is told on standard error alone
            tf_logging.error("No event can be written to %s: %s", self._logdir, error.strerror)
            self._file = open(os.devnull, "ab")
        self._held.extend(readers.frame(proto.Event(wall_time=now, file_version="brain.Event:2").SerializeToString()))

    def _write_held(self):
        """Events wait until somebody asks for them or long enough has passed."""
        self._file.write(self._held)
        self._file.flush()
        del self._held[:]

    def add_event(self, event):
        with self._lock:
            if self._closed:
                return
            if self._file is None:
                self._open()
            self._held.extend(readers.frame(event.SerializeToString()))
            now = time.time()
            if now > self._next_flush:
                self._write_held()
                self._next_flush = now + self._flush_secs

    def flush(self):
        with self._lock:
            if self._file is not None:
                self._write_held()

    def close(self):
        with self._lock:
            if self._file is not None:
                self._write_held()
                self._file.close()
            self._file, self._closed = None, True

    def reopen(self):
        with self._lock:
            self._closed = False


class FileWriter:
    """tf.summary.FileWriter."""

    def __init__(self, logdir, graph=None, max_queue=10, flush_secs=120, graph_def=None, filename_suffix=None,
                 session=None):
        self.event_writer = EventFileWriter(logdir, max_queue, flush_secs, filename_suffix)
        self._run_tags, self._seen_tags, self._closed = set(), set(), False
        if graph is not None or graph_def is not None:
            self.add_graph(graph=graph, graph_def=graph_def)
            meta = meta_graph.create_meta_graph_def()
            meta.graph_def.CopyFrom(graph_def or (graph.as_graph_def(add_shapes=True) if isinstance(graph, Graph)
                                                  else graph))
            self.add_meta_graph(meta)

    def __enter__(self):
        return self

    def __exit__(self, *info):
        self.close()

    def get_logdir(self):
        return self.event_writer.get_logdir()

    def _add(self, event, step):
        event.wall_time = time.time()
        if step is not None:
            event.step = int(step)
        self.add_event(event)

    def add_event(self, event):
        self._warn_if_closed()
        self.event_writer.add_event(event)

    def _warn_if_closed(self):
        if self._closed:
            warnings.warn("Attempting to use a closed FileWriter. The operation will be a noop unless the FileWriter is "
                          "explicitly reopened.")

    def add_summary(self, summary, global_step=None):
        if isinstance(summary, bytes):
            summary = proto.Summary.FromString(summary)
        # What describes a tag stands with the first value of it.
        for value in summary.value:
            if value.tag in self._seen_tags:
                value.ClearField("metadata")
            self._seen_tags.add(value.tag)
        self._add(proto.Event(summary=summary), global_step)

    def add_session_log(self, session_log, global_step=None):
        self._add(proto.Event(session_log=session_log), global_step)

    def add_graph(self, graph, global_step=None, graph_def=None):
        if graph is not None and graph_def is not None:
            raise ValueError("Please pass only graph, or graph_def (deprecated), but not both.")
        graph = graph if graph is not None else graph_def
        if isinstance(graph, Graph):
            graph = graph.as_graph_def(add_shapes=True)
        elif not isinstance(graph, proto.GraphDef):
            raise TypeError("The passed graph must be an instance of `Graph` or the deprecated `GraphDef`")
        self._add(proto.Event(graph_def=graph.SerializeToString()), global_step)

    def add_meta_graph(self, meta_graph_def, global_step=None):
        if not isinstance(meta_graph_def, proto.MetaGraphDef):
            raise TypeError("meta_graph_def must be type MetaGraphDef, saw type: %s" % type(meta_graph_def))
        self._add(proto.Event(meta_graph_def=meta_graph_def.SerializeToString()), global_step)

    def add_run_metadata(self, run_metadata, tag, global_step=None):
        if tag in self._run_tags:
            raise ValueError("The provided tag was already used for this event type")
        self._run_tags.add(tag)
        tagged = proto.TaggedRunMetadata(tag=tag, run_metadata=run_metadata.SerializeToString())
        self._add(proto.Event(tagged_run_metadata=tagged), global_step)

    def flush(self):
        self._warn_if_closed()
        self.event_writer.flush()

    def close(self):
        self.event_writer.close()
        self._closed = True

    def reopen(self):
        self.event_writer.reopen()
        self._closed = False


class FileWriterCache:
    """One writer a folder."""

    _cache, _lock = {}, threading.RLock()

    @staticmethod
    def get(logdir):
        from ..framework.graph import get_default_graph
        with FileWriterCache._lock:
            if logdir not in FileWriterCache._cache:
                FileWriterCache._cache[logdir] = FileWriter(logdir, graph=get_default_graph())
            return FileWriterCache._cache[logdir]

    @staticmethod
    def clear():
        with FileWriterCache._lock:
            for writer in FileWriterCache._cache.values():
                writer.close()
            FileWriterCache._cache = {}


def summary_iterator(path):
    """The events of a file."""
    for record in readers.tf_record_iterator(path):
        yield proto.Event.FromString(record)


def write_graph(graph_or_graph_def, logdir, name, as_text=True):
    if isinstance(graph_or_graph_def, Graph):
        graph_or_graph_def = graph_or_graph_def.as_graph_def()
    os.makedirs(logdir or ".", exist_ok=True)
    path = os.path.join(logdir, name)
    data = str(graph_or_graph_def).encode() if as_text else graph_or_graph_def.SerializeToString()
    with open(path, "wb") as file:
        file.write(data)
    return path
