# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.train.Supervisor: what trained before MonitoredTrainingSession did."""

import contextlib
import os

from . import checkpoint_state, control_flow, errors, event_writer, graph as graph_lib, lookup, ops, runners, saver as saver_lib
from . import session_manager, summary, tf_logging as logging, training_util, variables
from .graph import GraphKeys, get_default_graph

USE_DEFAULT = 0


def _first(key, make=None):
    found = graph_lib.get_collection(key)
    if found:
        return found[0]
    made = make() if make is not None else None
    if made is not None:
        graph_lib.add_to_collection(key, made)
    return made


class Supervisor:
    USE_DEFAULT = USE_DEFAULT

    def __init__(self, graph=None, ready_op=USE_DEFAULT, ready_for_local_init_op=USE_DEFAULT, is_chief=True,
                 init_op=USE_DEFAULT, init_feed_dict=None, local_init_op=USE_DEFAULT, logdir=None,
                 summary_op=USE_DEFAULT, saver=USE_DEFAULT, global_step=USE_DEFAULT, save_summaries_secs=120,
                 save_model_secs=600, recovery_wait_secs=30, stop_grace_secs=120, checkpoint_basename="model.ckpt",
                 session_manager=None, summary_writer=USE_DEFAULT, init_fn=None, local_init_run_options=None):
        self._graph = graph or get_default_graph()
        self._coord, self._grace, self._logdir = runners.Coordinator(), stop_grace_secs, logdir
        self._init_feed_dict, self._init_fn, self._recovery = init_feed_dict, init_fn, recovery_wait_secs
        self._save_model_secs, self._save_summaries_secs = save_model_secs, save_summaries_secs
        self._save_path = os.path.join(logdir, checkpoint_basename) if logdir else None
        with self._graph.as_default():
            self._ready_op = variables.report_uninitialized_variables() if ready_op is USE_DEFAULT else ready_op
            self._init_op = _first(GraphKeys.INIT_OP, variables.global_variables_initializer) \
                if init_op is USE_DEFAULT else init_op
            self._local_init_op = _first(GraphKeys.LOCAL_INIT_OP, self._default_local_init) \
                if local_init_op is USE_DEFAULT else local_init_op
            self._summary_op = _first(GraphKeys.SUMMARY_OP, summary.merge_all) if summary_op is USE_DEFAULT else summary_op
            self._saver = _first(GraphKeys.SAVERS, self._default_saver) if saver is USE_DEFAULT else saver
            self._global_step = training_util.get_global_step() if global_step is USE_DEFAULT else global_step
            self._writer = (event_writer.FileWriter(logdir) if logdir else None) \
                if summary_writer is USE_DEFAULT else summary_writer
        self._manager = session_manager or _manager(self, local_init_run_options)
        self._graph.finalize()

    @staticmethod
    def _default_local_init():
        found = [variables.local_variables_initializer(), lookup.tables_initializer()]
        return control_flow.group(*found)

    @staticmethod
    def _default_saver():
        return saver_lib.Saver() if variables.global_variables() else None

    coord = property(lambda self: self._coord)
    init_op = property(lambda self: self._init_op)
    ready_op = property(lambda self: self._ready_op)
    saver = property(lambda self: self._saver)
    summary_op = property(lambda self: self._summary_op)
    summary_writer = property(lambda self: self._writer)
    global_step = property(lambda self: self._global_step)
    save_path = property(lambda self: self._save_path)
    session_manager = property(lambda self: self._manager)
    is_chief = True

    def prepare_or_wait_for_session(self, master="", config=None, wait_for_checkpoint=False, max_wait_secs=7200,
                                    start_standard_services=True):
        self._coord.clear_stop()
        if self._writer:
            self._writer.reopen()
        session = self._manager.prepare_session(
            master, init_op=self._init_op, saver=self._saver, checkpoint_dir=self._logdir,
            wait_for_checkpoint=wait_for_checkpoint, max_wait_secs=max_wait_secs, config=config,
            init_feed_dict=self._init_feed_dict, init_fn=self._init_fn)
        if self._writer:
            self._writer.add_graph(self._graph)
        runners_found = self._graph.get_collection(GraphKeys.QUEUE_RUNNERS)
        if start_standard_services:
            if self._save_path and self._saver and self._save_model_secs:
                self._save_now_and_then(session)
            self.start_queue_runners(session, runners_found)
        return session

    def _save_now_and_then(self, session):
        """At once, and again each time that so many seconds have passed."""
        self._saver.save(session, self._save_path, global_step=self._global_step)
        first = [True]

        def save():
            if not first[0]:
                self._saver.save(session, self._save_path, global_step=self._global_step)
            first[0] = False
        self.loop(self._save_model_secs, save)

    def start_queue_runners(self, sess, queue_runners=None):
        found = self._graph.get_collection(GraphKeys.QUEUE_RUNNERS) if queue_runners is None else queue_runners
        return [t for r in found for t in r.create_threads(sess, coord=self._coord, daemon=True, start=True)]

    def loop(self, timer_interval_secs, target, args=None, kwargs=None):
        import threading

        def repeat():
            with self._coord.stop_on_exception():
                while not self._coord.should_stop():
                    target(*(args or ()), **(kwargs or {}))
                    if timer_interval_secs is not None and self._coord.wait_for_stop(timer_interval_secs):
                        break
        thread = threading.Thread(target=repeat, daemon=True)
        self._coord.register_thread(thread)
        thread.start()
        return thread

    def summary_computed(self, sess, summary, global_step=None):  # noqa: A002
        if not self._writer:
            raise RuntimeError("Writing a summary requires a summary writer.")
        if global_step is None and self._global_step is not None:
            global_step = training_util.global_step(sess, self._global_step)
        self._writer.add_summary(summary, global_step)

    def should_stop(self):
        return self._coord.should_stop()

    def request_stop(self, ex=None):
        self._coord.request_stop(ex)

    def wait_for_stop(self):
        self._coord.wait_for_stop()

    def stop_on_exception(self):
        return self._coord.stop_on_exception()

    def stop(self, threads=None, close_summary_writer=True, ignore_live_threads=False):
        self._coord.request_stop()
        try:
            self._coord.join(threads, stop_grace_period_secs=self._grace, ignore_live_threads=ignore_live_threads)
        finally:
            if close_summary_writer and self._writer:
                self._writer.add_session_log(event_writer.proto.SessionLog(status=2))
                self._writer.close()

    @contextlib.contextmanager
    def managed_session(self, master="", config=None, start_standard_services=True, close_summary_writer=True):
        """The session of the with block."""
        try:
            session = self.prepare_or_wait_for_session(master, config, start_standard_services=start_standard_services)
            yield session
        except Exception as error:
            self._coord.request_stop(error)
        finally:
            try:
                self.stop(close_summary_writer=close_summary_writer, ignore_live_threads=True)
            finally:
                with contextlib.suppress(Exception):
                    session.close()

    PrepareSession = prepare_or_wait_for_session
    StartQueueRunners = start_queue_runners
    Loop, SummaryComputed, ShouldStop, RequestStop, Stop = loop, summary_computed, should_stop, request_stop, stop


def _manager(supervisor, run_options):
    return session_manager.SessionManager(
        local_init_op=supervisor._local_init_op, ready_op=supervisor._ready_op, graph=supervisor._graph,
        recovery_wait_secs=supervisor._recovery, local_init_run_options=run_options)


def basic_train_loop(supervisor, train_step_fn, args=None, kwargs=None, master=""):
    """Calls train_step_fn (session, ...) until the supervisor stops; begins again where a session was aborted."""
    retry = True
    while retry:
        retry = False
        try:
            with supervisor.managed_session(master) as sess:
                while not supervisor.should_stop():
                    train_step_fn(sess, *(args or []), **(kwargs or {}))
        except errors.AbortedError:
            retry = True
