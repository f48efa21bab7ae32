# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Threads that fill queues, and who stops them: QueueRunner and Coordinator."""

import contextlib
import sys
import threading
import time
import weakref

from .. import errors
from ..framework import graph as graph_lib, proto
from ..framework.graph import GraphKeys, get_default_graph
from ..state import variables
from . import session as session_lib


def _raise(raised):
    kind, value, trace = raised
    raise (kind() if value is None else value).with_traceback(trace)


class Coordinator:
    """Ends several threads together."""

    def __init__(self, clean_stop_exception_types=None):
        self._clean = (errors.OutOfRangeError,) if clean_stop_exception_types is None else \
            tuple(clean_stop_exception_types)
        self._lock, self._stop = threading.Lock(), threading.Event()
        self._error, self._threads, self._joined = None, set(), False

    def request_stop(self, ex=None):
        with self._lock:
            raised = ex if isinstance(ex, tuple) else sys.exc_info()
            ex = ex[1] if isinstance(ex, tuple) else ex
            if isinstance(ex, self._clean):
                ex = None
            if self._joined:
                if ex is not None:
                    _raise(raised)
            elif not self._stop.is_set():
                if ex is not None and self._error is None:
                    self._take(raised)
                self._stop.set()

    def _take(self, raised):
        """TF: an exception that nobody raised cannot be told, and to be told so fails as well: by % with a tuple."""
        self._error = raised
        if len(raised) != 3 or not raised[0] or not raised[1]:
            raise TypeError("not all arguments converted during string formatting")

    def _raise_error(self):
        if self._error is not None:
            _raise(self._error)

    def clear_stop(self):
        with self._lock:
            self._joined, self._error = False, None
            self._stop.clear()

    def should_stop(self):
        return self._stop.is_set()

    def wait_for_stop(self, timeout=None):
        return self._stop.wait(timeout)

    def register_thread(self, thread):
        with self._lock:
            self._threads.add(thread)

    @property
    def joined(self):
        return self._joined

    def raise_requested_exception(self):
        with self._lock:
            self._raise_error()

    @contextlib.contextmanager
    def stop_on_exception(self):
        try:
            yield
        except Exception as error:
            self.request_stop(error)

    def join(self, threads=None, stop_grace_period_secs=120, ignore_live_threads=False):
        with self._lock:
            threads = self._threads if threads is None else self._threads.union(set(threads))
        while any(t.is_alive() for t in threads) and not self._stop.wait(0.05):
            pass
        end = time.time() + stop_grace_period_secs
        while any(t.is_alive() for t in threads) and time.time() < end:
            for t in threads:
                if t.is_alive():
                    t.join(0.05)
        stragglers = [t.name for t in threads if t.is_alive()]
        with self._lock:
            self._joined = True
            self._threads = set()
            self._raise_error()
            if stragglers and not ignore_live_threads:
                raise RuntimeError("Coordinator stopped with threads still running: %s" % " ".join(stragglers))


class LooperThread(threading.Thread):
    """Calls something every so often until a coordinator says stop."""

    def __init__(self, coord, timer_interval_secs, target=None, args=None, kwargs=None):
        if not isinstance(coord, Coordinator):
            raise ValueError("'coord' argument must be a Coordinator: %s" % coord)
        super().__init__()
        if not target and (args or kwargs):
            raise ValueError("'args' and 'kwargs' argument require that you also pass 'target'")
        self.daemon = True
        self._coord, self._interval = coord, timer_interval_secs
        self._call = (target, args or (), kwargs or {})
        coord.register_thread(self)

    @staticmethod
    def loop(coord, timer_interval_secs, target, args=None, kwargs=None):
        looper = LooperThread(coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)
        looper.start()
        return looper

    def run(self):
        with self._coord.stop_on_exception():
            self.start_loop()
            if self._interval is None:
                while not self._coord.should_stop():
                    self.run_loop()
            else:
                following = time.time()
                while not self._coord.wait_for_stop(following - time.time()):
                    following += self._interval
                    self.run_loop()
            self.stop_loop()

    def start_loop(self):
        pass

    def stop_loop(self):
        pass

    def run_loop(self):
        target, arguments, keywords = self._call
        if target:
            target(*arguments, **keywords)


class QueueRunner:
    """Runs enqueue ops, each in a thread of its own, until the queue or the coordinator says stop."""

    def __init__(self, queue=None, enqueue_ops=None, close_op=None, cancel_op=None, queue_closed_exception_types=None,
                 queue_runner_def=None, import_scope=None):
        self._lock, self._runs, self._exceptions = threading.Lock(), 0, []
        self._by_session = weakref.WeakKeyDictionary()
        if queue_runner_def is not None:
            if queue or enqueue_ops:
                raise ValueError("queue_runner_def and queue are mutually exclusive.")
            self._from_proto(queue_runner_def, import_scope)
            return
        if not queue or not enqueue_ops:
            raise ValueError("Must provide queue and enqueue_ops.")
        self._queue, self._enqueue_ops = queue, enqueue_ops
        self._close_op = close_op if close_op is not None else queue.close()
        self._cancel_op = cancel_op if cancel_op is not None else queue.close(cancel_pending_enqueues=True)
        self._closed_types = tuple(queue_closed_exception_types or (errors.OutOfRangeError,))

    def _from_proto(self, definition, scope):
        graph = get_default_graph()

        def element(name):
            return graph.as_graph_element(variables.prepend_name_scope(name, scope))
        self._queue = element(definition.queue_name)
        self._enqueue_ops = [element(n) for n in definition.enqueue_op_name]
        self._close_op, self._cancel_op = element(definition.close_op_name), element(definition.cancel_op_name)
        self._closed_types = tuple(errors._CLASSES[c] for c in definition.queue_closed_exception_types) or \
            (errors.OutOfRangeError,)

    queue = property(lambda self: self._queue)
    name = property(lambda self: self._queue.name)
    enqueue_ops = property(lambda self: self._enqueue_ops)
    close_op = property(lambda self: self._close_op)
    cancel_op = property(lambda self: self._cancel_op)
    queue_closed_exception_types = property(lambda self: self._closed_types)
    exceptions_raised = property(lambda self: self._exceptions)

    def _run(self, sess, enqueue_op, coord, feed_fn=None):
        decremented = False
        try:
            # TF: what is not fed is called without the front end, so its errors know of no op.
            enqueue = (lambda: sess.run(enqueue_op, feed_dict=feed_fn())) if feed_fn else sess.make_callable(enqueue_op)
            while not (coord and coord.should_stop()):
                try:
                    enqueue()
                except self._closed_types:
                    with self._lock:
                        self._by_session[sess] -= 1
                        decremented = True
                        is_last = self._by_session[sess] == 0
                    if is_last:
                        with contextlib.suppress(Exception):
                            sess.run(self._close_op)
                    return
        except Exception as error:
            if coord:
                coord.request_stop(error)
            else:
                with self._lock:
                    self._exceptions.append(error)
                raise
        finally:
            if not decremented:
                with self._lock:
                    self._by_session[sess] -= 1

    def _close_on_stop(self, sess, coord):
        coord.wait_for_stop()
        with contextlib.suppress(Exception):
            sess.run(self._cancel_op)

    def _feed_functions(self):
        """What an enqueue op is fed each time, by a function for each."""
        return [None] * len(self._enqueue_ops)

    def create_threads(self, sess, coord=None, daemon=False, start=False):
        with self._lock:
            if self._by_session.get(sess, 0) > 0:
                return []
            self._by_session[sess] = len(self._enqueue_ops)
        threads = [threading.Thread(target=self._run, args=(sess, op, coord, feed_fn),
                                    name="QueueRunnerThread-%s-%s" % (self.name, op.name))
                   for op, feed_fn in zip(self._enqueue_ops, self._feed_functions())]
        if coord:
            threads.append(threading.Thread(target=self._close_on_stop, args=(sess, coord),
                                            name="QueueRunnerThread-%s-close_on_stop" % self.name))
        for t in threads:
            if coord:
                coord.register_thread(t)
            t.daemon = daemon
            if start:
                t.start()
        return threads

    def to_proto(self, export_scope=None):
        return self._collected_proto(export_scope)

    def _collected_proto(self, export_scope=None):
        """What an exported collection holds of it. TF: that of a fed one too, whose own `to_proto` refuses."""
        if export_scope is not None and not self._queue.name.startswith(export_scope):
            return None

        def strip(name):
            return variables.strip_name_scope(name, export_scope)
        result = proto.QueueRunnerDef(queue_name=strip(self._queue.name), close_op_name=strip(self._close_op.name),
                                      cancel_op_name=strip(self._cancel_op.name))
        result.enqueue_op_name.extend(strip(op.name) for op in self._enqueue_ops)
        result.queue_closed_exception_types.extend(
            code for kind in self._closed_types for code, known in errors._CLASSES.items() if known is kind)
        return result

    @staticmethod
    def from_proto(queue_runner_def, import_scope=None):
        return QueueRunner(queue_runner_def=queue_runner_def, import_scope=import_scope)


class _FeedingQueueRunner(QueueRunner):
    """A queue runner whose ops are fed what functions give."""

    def __init__(self, queue=None, enqueue_ops=None, close_op=None, cancel_op=None, feed_fns=None,
                 queue_closed_exception_types=None):
        super().__init__(queue, enqueue_ops, close_op, cancel_op, queue_closed_exception_types=(
            queue_closed_exception_types or (errors.OutOfRangeError, errors.CancelledError)))
        if feed_fns is not None and len(feed_fns) != len(enqueue_ops):
            raise ValueError("If feed_fns is not None, it must have the same length as enqueue_ops.")
        self._feed_fns = feed_fns

    def _feed_functions(self):
        return super()._feed_functions() if self._feed_fns is None else self._feed_fns

    def to_proto(self, export_scope=None):
        raise NotImplementedError("{} does not support serialization to proto.".format(type(self).__name__))


FeedingQueueRunner = _FeedingQueueRunner


def add_queue_runner(qr, collection=GraphKeys.QUEUE_RUNNERS):
    graph_lib.add_to_collection(collection, qr)


def start_queue_runners(sess=None, coord=None, daemon=True, start=True, collection=GraphKeys.QUEUE_RUNNERS):
    if sess is None:
        sess = session_lib.get_default_session()
        if not sess:
            raise ValueError("Cannot start queue runners: No default session is registered. Use `with sess.as_default()` "
                             "or pass an explicit session to tf.start_queue_runners(sess=sess)")
    if not isinstance(sess, session_lib.BaseSession):
        # These start them themselves.
        if type(sess).__name__ in ("MonitoredSession", "SingularMonitoredSession"):
            return []
        raise TypeError("sess must be a `tf.Session` object. Given class: {}".format(sess.__class__))
    with sess.graph.as_default():
        threads = []
        for runner in graph_lib.get_collection(collection):
            threads.extend(runner.create_threads(sess, coord=coord, daemon=daemon, start=start))
    return threads
