# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The sessions of a tf.test.TestCase, and what else a test has while it runs: seeds, a folder, threads, caught streams."""

import atexit
import contextlib
import os
import random
import shutil
import tempfile
import threading

import numpy as np

from ..framework import graph as graph_lib, proto
from ..sessions.session import Session, get_default_session

_SEED = 87654321
_OFF = 2


class _Captured:
    """What was written to a stream while it was captured."""

    def __init__(self, path):
        self._path = path

    def contents(self):
        with open(self._path) as file:
            return file.read()


class _CheckedThread:
    """A thread whose failures are the test's."""

    def __init__(self, case, target, args, kwargs):
        self._case, self._error, self._is_joined = case, None, False
        self._thread = threading.Thread(target=self._run, args=(target, args or (), kwargs or {}))

    def _run(self, target, args, kwargs):
        try:
            target(*args, **kwargs)
        except Exception as error:
            self._error = error

    def start(self):
        self._thread.start()

    def is_alive(self):
        return self._thread.is_alive()

    def join(self):
        self._is_joined = True
        self._thread.join()
        if self._error is not None:
            self._case.fail("Error in checkedThread: %s" % self._error)

    def check_termination(self):
        if self._is_joined:
            if self.is_alive():
                raise RuntimeError("Thread was not joined with main thread, and is still running when the test finished.")
        else:
            self._case.fail("A checked thread was not joined.")


def _prepared(config, is_soft):
    """A session's configuration with TensorFlow's rewriting off: what a test computes is what it wrote."""
    if config is None:
        config = proto.ConfigProto()
        config.allow_soft_placement = is_soft
    elif not is_soft and config.allow_soft_placement:
        config = proto.ConfigProto()
    config.graph_options.optimizer_options.opt_level = -1
    config.graph_options.rewrite_options.constant_folding = _OFF
    config.graph_options.rewrite_options.pin_to_host_optimization = _OFF
    return config


class Sessions:
    # Also of a test case whose setUp() forgets this one.
    _cached = _cached_for = _folder = None
    _threads = ()

    def setUp(self):
        super().setUp()
        self._close_cached()
        self._threads = []
        random.seed(_SEED)
        np.random.seed(_SEED)
        graph_lib._stack().clear()
        graph_lib.reset_default_graph()
        graph_lib.get_default_graph().seed = _SEED
        # The method that makes sessions is called like a test.
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")

    def tearDown(self):
        for thread in self._threads:
            thread.check_termination()
        self._close_cached()
        super().tearDown()

    def _close_cached(self):
        if self._cached is not None:
            self._cached.close()
            self._cached = None

    def get_temp_dir(self):
        if self._folder is None:
            self._folder = tempfile.mkdtemp()
            # A test may leave the process in its folder, and the next one begins there.
            atexit.register(shutil.rmtree, self._folder, ignore_errors=True)
        return self._folder

    def checkedThread(self, target, args=None, kwargs=None):
        thread = _CheckedThread(self, target, args, kwargs)
        self._threads = [*self._threads, thread]
        return thread

    @contextlib.contextmanager
    def captureWritesToStream(self, stream):
        """What is written to the stream's file goes to one of its own, which can be read meanwhile."""
        stream.flush()
        number = stream.fileno()
        kept = os.dup(number)
        handle, path = tempfile.mkstemp(dir=self.get_temp_dir())
        os.dup2(handle, number)
        try:
            yield _Captured(path)
        finally:
            stream.flush()
            os.dup2(kept, number)
            os.close(kept)
            os.close(handle)

    # -- sessions

    def _make(self, graph, config, force_gpu):
        return Session(graph=graph, config=_prepared(config, not force_gpu))

    @contextlib.contextmanager
    def _in(self, sess, use_gpu, force_gpu):
        """TF: what is made in here for no GPU has the processor as its device."""
        device = "/device:GPU:0" if force_gpu else None if use_gpu else "/device:CPU:0"
        with sess.graph.as_default(), sess.as_default(), contextlib.ExitStack() as stack:
            if device is not None:
                stack.enter_context(sess.graph.device(device))
            yield sess

    @contextlib.contextmanager
    def session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        with self._make(graph, config, force_gpu) as sess, self._in(sess, use_gpu, force_gpu):
            yield sess

    @contextlib.contextmanager
    def test_session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")
        if graph is not None:
            with self.session(graph, config, use_gpu, force_gpu) as sess:
                yield sess
            return
        with self._in(self._cached or self._cache(graph, config, force_gpu), use_gpu, force_gpu) as sess:
            yield sess

    @contextlib.contextmanager
    def cached_session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        if self._cached is not None:
            for what, wanted, had in zip(("graph", "config", "force_gpu value"), (graph, config, force_gpu), self._cached_for):
                if wanted is not had:
                    raise ValueError("The %s used to get the cached session is different than the one that was used to "
                                     "create the session. Maybe create a new session with self.session()" % what)
        with self._in(self._cached or self._cache(graph, config, force_gpu), use_gpu, force_gpu) as sess:
            yield sess

    def _cache(self, graph, config, force_gpu):
        self._cached, self._cached_for = self._make(graph, config, force_gpu), (graph, config, force_gpu)
        return self._cached

    def evaluate(self, tensors):
        sess = get_default_session()
        if sess is not None:
            return sess.run(tensors)
        with self.test_session() as sess:
            return sess.run(tensors)
