# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.train.Supervisor: what trained before MonitoredTrainingSession did."""

import contextlib
import os
import time

from .. import dtypes, errors
from .. import summary
from ..control import control_flow
from ..framework import graph as graph_lib, proto
from ..framework import tf_logging as logging
from ..framework.graph import GraphKeys, get_default_graph
from ..learning import training_util
from ..operators import lookup
from ..saving import event_writer, meta_graph
from ..saving import saver as saver_lib
from ..state import variables
from . import runners
from . import session_manager as session_manager_lib

USE_DEFAULT = 0
# SessionLog.SessionStatus
_START, _STOP, _CHECKPOINT = 1, 2, 3


def _first(key, make=None):
    """The first of a collection; what is made where there is none goes into it."""
    found = graph_lib.get_collection(key)
    if len(found) > 1:
        logging.info("Found %d %s operations. Returning the first one.", len(found), key)
    if found:
        return found[0]
    made = make() if make is not None else None
    if made is not None:
        graph_lib.add_to_collection(key, made)
    return made


def _named_global_step():
    try:
        step = get_default_graph().get_tensor_by_name("global_step:0")
    except KeyError:
        return None
    if step.dtype.base_dtype in (dtypes.int32, dtypes.int64):
        return step
    logging.warning("Found 'global_step' is not an int type: %s", step.dtype)
    return None


class Supervisor:
    USE_DEFAULT = USE_DEFAULT

    def __init__(self, graph=None, ready_op=USE_DEFAULT, ready_for_local_init_op=USE_DEFAULT, is_chief=True,
                 init_op=USE_DEFAULT, init_feed_dict=None, local_init_op=USE_DEFAULT, logdir=None,
                 summary_op=USE_DEFAULT, saver=USE_DEFAULT, global_step=USE_DEFAULT, save_summaries_secs=120,
                 save_model_secs=600, recovery_wait_secs=30, stop_grace_secs=120, checkpoint_basename="model.ckpt",
                 session_manager=None, summary_writer=USE_DEFAULT, init_fn=None, local_init_run_options=None):
        self._graph = graph or get_default_graph()
        with self._graph.as_default():
            # In this order: it is that of the names.
            self._ready_op = self._given(ready_op, GraphKeys.READY_OP, variables.report_uninitialized_variables)
            self._ready_for_local_init_op = self._given(ready_for_local_init_op, GraphKeys.READY_FOR_LOCAL_INIT_OP)
            self._init_op = self._given(init_op, GraphKeys.INIT_OP, variables.global_variables_initializer)
            self._local_init_op = self._given(local_init_op, GraphKeys.LOCAL_INIT_OP, self._default_local_init)
            self._saver = self._given(saver, GraphKeys.SAVERS, self._default_saver)
            self._summary_op = self._given(summary_op, GraphKeys.SUMMARY_OP, summary.merge_all)
            self._global_step = self._given(global_step, GraphKeys.GLOBAL_STEP, _named_global_step)
        self._meta_graph_def = meta_graph.create_meta_graph_def(
            graph_def=self._graph.as_graph_def(add_shapes=True),
            saver_def=self._saver.saver_def if self._saver else None)
        self._is_chief, self._coord, self._grace = is_chief, runners.Coordinator(), stop_grace_secs
        self._init_feed_dict, self._init_fn = init_feed_dict, init_fn
        self._logdir = self._save_summaries_secs = self._save_model_secs = self._save_path = self._writer = None
        self._graph_added = False
        if is_chief:
            self._logdir, self._save_summaries_secs, self._save_model_secs = logdir, save_summaries_secs, save_model_secs
            self._save_path = os.path.join(logdir, checkpoint_basename) if logdir else None
            self._writer = summary_writer
            if summary_writer is USE_DEFAULT:
                self._writer = event_writer.FileWriter(logdir) if logdir else None
        self._manager = session_manager or session_manager_lib.SessionManager(
            local_init_op=self._local_init_op, ready_op=self._ready_op,
            ready_for_local_init_op=self._ready_for_local_init_op, graph=self._graph,
            recovery_wait_secs=recovery_wait_secs, local_init_run_options=local_init_run_options)
        if not is_chief:
            for op in self._graph.get_operations():
                if op.type in ("Variable", "VariableV2") and not op.device:
                    raise ValueError("When using replicas, all Variables must have their device set: %s" % op)
        self._graph.finalize()

    @staticmethod
    def _given(value, key, make=None):
        return _first(key, make) if value is USE_DEFAULT else value

    @staticmethod
    def _default_local_init():
        found = [variables.local_variables_initializer(), lookup.tables_initializer()]
        return control_flow.group(*found)

    @staticmethod
    def _default_saver():
        return saver_lib.Saver() if variables.global_variables() else None

    is_chief = property(lambda self: self._is_chief)
    session_manager = property(lambda self: self._manager)
    coord = property(lambda self: self._coord)
    init_op = property(lambda self: self._init_op)
    init_feed_dict = property(lambda self: self._init_feed_dict)
    ready_op = property(lambda self: self._ready_op)
    ready_for_local_init_op = property(lambda self: self._ready_for_local_init_op)
    summary_writer = property(lambda self: self._writer)
    summary_op = property(lambda self: self._summary_op)
    save_summaries_secs = property(lambda self: self._save_summaries_secs)
    global_step = property(lambda self: self._global_step)
    saver = property(lambda self: self._saver)
    save_model_secs = property(lambda self: self._save_model_secs)
    save_path = property(lambda self: self._save_path)

    def _write_graph(self):
        if self._logdir:
            event_writer.write_graph(self._graph.as_graph_def(add_shapes=True), self._logdir, "graph.pbtxt")
        if self._writer and not self._graph_added:
            self._writer.add_graph(self._graph)
            self._writer.add_meta_graph(self._meta_graph_def)
            self._graph_added = True

    def prepare_or_wait_for_session(self, master="", config=None, wait_for_checkpoint=False, max_wait_secs=7200,
                                    start_standard_services=True):
        self._coord.clear_stop()
        if self._writer:
            self._writer.reopen()
        if self._is_chief:
            session = self._manager.prepare_session(
                master, init_op=self._init_op, saver=self._saver, checkpoint_dir=self._logdir,
                wait_for_checkpoint=wait_for_checkpoint, max_wait_secs=max_wait_secs, config=config,
                init_feed_dict=self._init_feed_dict, init_fn=self._init_fn)
            self._write_graph()
            if start_standard_services:
                logging.info("Starting standard services.")
                self.start_standard_services(session)
        else:
            session = self._manager.wait_for_session(master, config=config, max_wait_secs=max_wait_secs)
        if start_standard_services:
            logging.info("Starting queue runners.")
            self.start_queue_runners(session)
        return session

    def start_standard_services(self, sess):
        """Threads that write summaries, steps per second and checkpoints now and then."""
        if not self._is_chief:
            raise RuntimeError("Only chief supervisor can start standard services. "
                               "Because only chief supervisors can write events.")
        if not self._logdir:
            logging.warning("Standard services need a 'logdir' passed to the SessionManager")
            return None
        if self._global_step is not None and self._writer:
            self._writer.add_session_log(proto.SessionLog(status=_START), training_util.global_step(sess, self._global_step))
        threads = []
        if self._save_summaries_secs and self._writer:
            if self._summary_op is not None:
                threads.append(SVSummaryThread(self, sess))
            if self._global_step is not None:
                threads.append(SVStepCounterThread(self, sess))
        if self._saver and self._save_model_secs:
            threads.append(SVTimerCheckpointThread(self, sess))
        for thread in threads:
            thread.start()
        return threads

    def start_queue_runners(self, sess, queue_runners=None):
        found = self._graph.get_collection(GraphKeys.QUEUE_RUNNERS) if queue_runners is None else queue_runners
        return [t for r in found for t in r.create_threads(sess, coord=self._coord, daemon=True, start=True)]

    def loop(self, timer_interval_secs, target, args=None, kwargs=None):
        return runners.LooperThread.loop(self._coord, timer_interval_secs, target, args, kwargs)

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
                self._writer.add_session_log(proto.SessionLog(status=_STOP))
                self._writer.close()
                self._graph_added = False

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
    StartQueueRunners, StartStandardServices = start_queue_runners, start_standard_services
    StopOnException, WaitForStop = stop_on_exception, wait_for_stop
    Loop, SummaryComputed, ShouldStop, RequestStop, Stop = loop, summary_computed, should_stop, request_stop, stop


class SVSummaryThread(runners.LooperThread):
    """Writes the summaries."""

    def __init__(self, sv, sess):
        super().__init__(sv.coord, sv.save_summaries_secs)
        self._sv, self._sess = sv, sess

    def run_loop(self):
        step = None
        if self._sv.global_step is None:
            text = self._sess.run(self._sv.summary_op)
        else:
            text, step = self._sess.run([self._sv.summary_op, self._sv.global_step])
        if self._sv.summary_writer:
            logging.info("Recording summary at step %s.", step)
            self._sv.summary_writer.add_summary(text, step)


class SVStepCounterThread(runners.LooperThread):
    """Writes how many steps there are in a second."""

    def __init__(self, sv, sess, step_counter=None):
        super().__init__(sv.coord, sv.save_summaries_secs)
        self._sv, self._sess = sv, sess
        self._counter = sv.global_step if step_counter is None else step_counter
        self._tag = "%s/sec" % self._counter.op.name

    def start_loop(self):
        self._last_time, self._last_step = time.time(), training_util.global_step(self._sess, self._counter)

    def run_loop(self):
        now, step = time.time(), training_util.global_step(self._sess, self._counter)
        seconds, steps = now - self._last_time, step - self._last_step
        self._last_time, self._last_step = now, step
        speed = steps / seconds if seconds > 0 else float("inf")
        if self._sv.summary_writer:
            value = proto.Summary.Value(tag=self._tag, simple_value=speed)
            self._sv.summary_writer.add_summary(proto.Summary(value=[value]), step)
        logging.log_first_n(logging.INFO, "%s: %g", 10, self._tag, speed)


class SVTimerCheckpointThread(runners.LooperThread):
    """Saves."""

    def __init__(self, sv, sess):
        super().__init__(sv.coord, sv.save_model_secs)
        self._sv, self._sess = sv, sess

    def run_loop(self):
        sv = self._sv
        logging.info("Saving checkpoint to path %s", sv.save_path)
        sv.saver.save(self._sess, sv.save_path, global_step=sv.global_step)
        if sv.summary_writer and sv.global_step is not None:
            log = proto.SessionLog(status=_CHECKPOINT, checkpoint_path=sv.save_path)
            sv.summary_writer.add_session_log(log, training_util.global_step(self._sess, sv.global_step))


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
