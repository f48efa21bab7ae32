# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Hooks of monitored sessions (tf.train.SessionRunHook and those that come with TensorFlow)."""

import collections
import os
import time

import numpy as np

from .. import errors
from ..framework import graph as graph_lib, proto, tf_logging as logging
from ..framework.graph import GraphKeys, get_default_graph
from ..learning import training_util
from ..saving import event_writer, meta_graph

_ArgsFields = collections.namedtuple("SessionRunArgs", ["fetches", "feed_dict", "options"])
SessionRunValues = collections.namedtuple("SessionRunValues", ["results", "options", "run_metadata"])


class SessionRunArgs(_ArgsFields):
    def __new__(cls, fetches, feed_dict=None, options=None):
        return super().__new__(cls, fetches, feed_dict, options)


class SessionRunContext:
    """What a hook knows of the run."""

    def __init__(self, original_args, session):
        self._original_args, self._session, self._stop_requested = original_args, session, False

    original_args = property(lambda self: self._original_args)
    session = property(lambda self: self._session)
    stop_requested = property(lambda self: self._stop_requested)

    def request_stop(self):
        self._stop_requested = True


class SessionRunHook:
    def begin(self):
        pass

    def after_create_session(self, session, coord):
        pass

    def before_run(self, run_context):
        return None

    def after_run(self, run_context, run_values):
        pass

    def end(self, session):
        pass


def _step_read(hook):
    tensor = training_util.get_or_create_global_step_read()
    if tensor is None:
        raise RuntimeError("Global step should be created to use %s." % hook)
    return tensor


class SecondOrStepTimer:
    """Every so many seconds or steps."""

    def __init__(self, every_secs=None, every_steps=None):
        self.reset()
        self._every_secs, self._every_steps = every_secs, every_steps
        if every_secs is None and every_steps is None:
            raise ValueError("Either every_secs or every_steps should be provided.")
        if every_secs is not None and every_steps is not None:
            raise ValueError("Can not provide both every_secs and every_steps.")

    def reset(self):
        self._step = self._time = None

    def should_trigger_for_step(self, step):
        if self._step is None:
            return True
        if self._step == step:
            return False
        if self._every_secs is not None and time.time() >= self._time + self._every_secs:
            return True
        return self._every_steps is not None and step >= self._step + self._every_steps

    def update_last_triggered_step(self, step):
        now = time.time()
        elapsed = (None, None) if self._time is None else (now - self._time, step - self._step)
        self._time, self._step = now, step
        return elapsed

    def last_triggered_step(self):
        return self._step


class NeverTriggerTimer:
    def reset(self):
        pass

    def should_trigger_for_step(self, step):
        return False

    def update_last_triggered_step(self, step):
        return None, None

    def last_triggered_step(self):
        return None


class LoggingTensorHook(SessionRunHook):
    def __init__(self, tensors, every_n_iter=None, every_n_secs=None, at_end=False, formatter=None):
        only_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not only_at_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError("either at_end and/or exactly one of every_n_iter and every_n_secs must be provided.")
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError("invalid every_n_iter=%s." % every_n_iter)
        if isinstance(tensors, dict):
            self._tag_order = sorted(tensors)
        else:
            self._tag_order, tensors = tensors, {item: item for item in tensors}
        self._tensors, self._formatter, self._log_at_end = tensors, formatter, at_end
        self._timer = NeverTriggerTimer() if only_at_end else SecondOrStepTimer(every_n_secs, every_n_iter)

    def begin(self):
        self._timer.reset()
        self._iter_count = 0
        self._current = {tag: _element(tensor) for tag, tensor in self._tensors.items()}

    def before_run(self, run_context):
        self._should_trigger = self._timer.should_trigger_for_step(self._iter_count)
        return SessionRunArgs(self._current) if self._should_trigger else None

    def _log(self, values):
        elapsed, _ = self._timer.update_last_triggered_step(self._iter_count)
        with np.printoptions(suppress=True):
            if self._formatter:
                logging.info(self._formatter(values))
                return
            stats = ", ".join("%s = %s" % (tag, values[tag]) for tag in self._tag_order)
        if elapsed is None:
            logging.info("%s", stats)
        else:
            logging.info("%s (%.3f sec)", stats, elapsed)

    def after_run(self, run_context, run_values):
        if self._should_trigger:
            self._log(run_values.results)
        self._iter_count += 1

    def end(self, session):
        if self._log_at_end:
            self._log(session.run(self._current))


class StopAtStepHook(SessionRunHook):
    def __init__(self, num_steps=None, last_step=None):
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps, self._last_step = num_steps, last_step

    def begin(self):
        self._step = _step_read("StopAtStepHook")

    def after_create_session(self, session, coord):
        if self._last_step is None:
            self._last_step = session.run(self._step) + self._num_steps

    def before_run(self, run_context):
        return SessionRunArgs(self._step)

    def after_run(self, run_context, run_values):
        if run_values.results + 1 >= self._last_step and run_context.session.run(self._step) >= self._last_step:
            run_context.request_stop()


class CheckpointSaverListener:
    def begin(self):
        pass

    def before_save(self, session, global_step_value):
        pass

    def after_save(self, session, global_step_value):
        pass

    def end(self, session, global_step_value):
        pass


class CheckpointSaverHook(SessionRunHook):
    def __init__(self, checkpoint_dir, save_secs=None, save_steps=None, saver=None, checkpoint_basename="model.ckpt",
                 scaffold=None, listeners=None):
        logging.info("Create CheckpointSaverHook.")
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        self._saver, self._checkpoint_dir, self._scaffold = saver, checkpoint_dir, scaffold
        self._save_path = os.path.join(checkpoint_dir, checkpoint_basename)
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)
        self._listeners = listeners or []

    def begin(self):
        self._writer = event_writer.FileWriterCache.get(self._checkpoint_dir)
        self._step = _step_read("CheckpointSaverHook")
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session, coord):
        step = session.run(self._step)
        graph = get_default_graph()
        event_writer.write_graph(graph.as_graph_def(add_shapes=True), self._checkpoint_dir, "graph.pbtxt")
        saver = self._get_saver()
        self._writer.add_graph(graph)
        self._writer.add_meta_graph(meta_graph.create_meta_graph_def(graph, saver.saver_def if saver else None))
        self._save(session, step)
        self._timer.update_last_triggered_step(step)

    def before_run(self, run_context):
        return SessionRunArgs(self._step)

    def after_run(self, run_context, run_values):
        if not self._timer.should_trigger_for_step(run_values.results + 1):
            return
        step = run_context.session.run(self._step)
        if self._timer.should_trigger_for_step(step):
            self._timer.update_last_triggered_step(step)
            if self._save(run_context.session, step):
                run_context.request_stop()

    def end(self, session):
        last = session.run(self._step)
        if last != self._timer.last_triggered_step():
            self._save(session, last)
        for listener in self._listeners:
            listener.end(session, last)

    def _save(self, session, step):
        logging.info("Saving checkpoints for %d into %s.", step, self._save_path)
        for listener in self._listeners:
            listener.before_save(session, step)
        self._get_saver().save(session, self._save_path, global_step=int(step))
        self._writer.add_session_log(proto.SessionLog(status=3, checkpoint_path=self._save_path), step)
        should_stop = False
        for listener in self._listeners:
            if listener.after_save(session, step):
                logging.info("A CheckpointSaverListener requested that training be stopped. listener: {}".format(listener))
                should_stop = True
        return should_stop

    def _get_saver(self):
        if self._saver is not None:
            return self._saver
        if self._scaffold is not None:
            return self._scaffold.saver
        savers = graph_lib.get_collection(GraphKeys.SAVERS)
        if not savers:
            raise RuntimeError("No items in collection {}. Please add a saver to the collection or provide a saver or "
                               "scaffold.".format(GraphKeys.SAVERS))
        if len(savers) > 1:
            raise RuntimeError("More than one item in collection {}. Please indicate which one to use by passing it to "
                               "the constructor.".format(GraphKeys.SAVERS))
        self._saver = savers[0]
        return self._saver


class StepCounterHook(SessionRunHook):
    def __init__(self, every_n_steps=100, every_n_secs=None, output_dir=None, summary_writer=None):
        if (every_n_steps is None) == (every_n_secs is None):
            raise ValueError("exactly one of every_n_steps and every_n_secs should be provided.")
        self._timer = SecondOrStepTimer(every_steps=every_n_steps, every_secs=every_n_secs)
        self._writer, self._output_dir, self._last = summary_writer, output_dir, None

    def begin(self):
        if self._writer is None and self._output_dir:
            self._writer = event_writer.FileWriterCache.get(self._output_dir)
        self._step = _step_read("StepCounterHook")
        self._tag = training_util.get_global_step().op.name + "/sec"

    def before_run(self, run_context):
        return SessionRunArgs(self._step)

    def _log_and_record(self, elapsed_steps, elapsed_time, global_step):
        rate = elapsed_steps / elapsed_time
        if self._writer is not None:
            self._writer.add_summary(proto.Summary(value=[{"tag": self._tag, "simple_value": float(rate)}]), global_step)
        logging.info("%s: %g", self._tag, rate)

    def after_run(self, run_context, run_values):
        stale = run_values.results
        if self._timer.should_trigger_for_step(stale + 1):
            step = run_context.session.run(self._step)
            if self._timer.should_trigger_for_step(step):
                elapsed_time, elapsed_steps = self._timer.update_last_triggered_step(step)
                if elapsed_time is not None:
                    self._log_and_record(elapsed_steps, elapsed_time, step)
        if stale == self._last:
            logging.log_first_n(logging.WARN, "It seems that global step (tf.train.get_global_step) has not been "
                                "increased. Current value (could be stable): %s vs previous value: %s. You could "
                                "increase the global step by passing tf.train.get_global_step() to "
                                "Optimizer.apply_gradients or Optimizer.minimize.", 5, stale, self._last)
        self._last = stale


class NanLossDuringTrainingError(RuntimeError):
    def __str__(self):
        return "NaN loss during training."


class NanTensorHook(SessionRunHook):
    def __init__(self, loss_tensor, fail_on_nan_loss=True):
        self._loss_tensor, self._fail = loss_tensor, fail_on_nan_loss

    def before_run(self, run_context):
        return SessionRunArgs(self._loss_tensor)

    def after_run(self, run_context, run_values):
        if not np.isnan(run_values.results):
            return
        text = "Model diverged with loss = NaN."
        if self._fail:
            logging.error(text)
            raise NanLossDuringTrainingError
        logging.warning(text)
        run_context.request_stop()


class SummarySaverHook(SessionRunHook):
    def __init__(self, save_steps=None, save_secs=None, output_dir=None, summary_writer=None, scaffold=None,
                 summary_op=None):
        if (scaffold is None) == (summary_op is None):
            raise ValueError("Exactly one of scaffold or summary_op must be provided.")
        self._op, self._writer, self._output_dir, self._scaffold = summary_op, summary_writer, output_dir, scaffold
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)

    def begin(self):
        if self._writer is None and self._output_dir:
            self._writer = event_writer.FileWriterCache.get(self._output_dir)
        self._next_step = None
        self._step = _step_read("SummarySaverHook")

    def before_run(self, run_context):
        self._request = self._next_step is None or self._timer.should_trigger_for_step(self._next_step)
        requests = {"global_step": self._step}
        if self._request:
            op = self._op if self._op is not None else self._scaffold.summary_op
            if op is not None:
                requests["summary"] = op if isinstance(op, list) else [op]
        return SessionRunArgs(requests)

    def after_run(self, run_context, run_values):
        if not self._writer:
            return
        step = run_values.results["global_step"] + 1
        if self._next_step is None or self._request:
            step = run_context.session.run(self._step)
        if self._next_step is None:
            self._writer.add_session_log(proto.SessionLog(status=1), step)
        if self._request:
            self._timer.update_last_triggered_step(step)
            for summary in run_values.results.get("summary", []):
                self._writer.add_summary(summary, step)
        self._next_step = step + 1

    def end(self, session=None):
        if self._writer:
            self._writer.flush()


class GlobalStepWaiterHook(SessionRunHook):
    def __init__(self, wait_until_step):
        self._wait_until_step = wait_until_step

    def begin(self):
        self._started = False
        self._step = _step_read("_GlobalStepWaiterHook")

    def before_run(self, run_context):
        if self._started:
            return None
        if self._wait_until_step > 0:
            logging.info("Waiting for global step %d before starting training.", self._wait_until_step)
            while run_context.session.run(self._step) < self._wait_until_step:
                time.sleep(0.5)
        self._started = True
        return None


class FinalOpsHook(SessionRunHook):
    def __init__(self, final_ops, final_ops_feed_dict=None):
        self._final_ops, self._feed, self._values = final_ops, final_ops_feed_dict, None

    final_ops_values = property(lambda self: self._values)

    def end(self, session):
        if self._final_ops is None:
            return
        try:
            self._values = session.run(self._final_ops, feed_dict=self._feed)
        except (errors.OutOfRangeError, StopIteration):
            logging.warning("An OutOfRangeError or StopIteration exception is raised by the code in FinalOpsHook. This "
                            "typically means the Ops running by the FinalOpsHook have a dependency back to some input "
                            "source, which should not happen.")
            raise


class FeedFnHook(SessionRunHook):
    def __init__(self, feed_fn):
        self.feed_fn = feed_fn

    def before_run(self, run_context):
        return SessionRunArgs(fetches=None, feed_dict=self.feed_fn())


class ProfilerHook(SessionRunHook):
    """Traces a run now and then; its metadata goes to the event file."""

    def __init__(self, save_steps=None, save_secs=None, output_dir="", show_dataflow=True, show_memory=False):
        self._output_dir = output_dir
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)

    def begin(self):
        self._writer = event_writer.FileWriterCache.get(self._output_dir)
        self._next_step = None
        self._step = _step_read("ProfilerHook")

    def before_run(self, run_context):
        self._request = self._next_step is not None and self._timer.should_trigger_for_step(self._next_step)
        return SessionRunArgs({"global_step": self._step})

    def after_run(self, run_context, run_values):
        stale = run_values.results["global_step"]
        if self._next_step is None:
            self._timer.update_last_triggered_step(stale)
        step = stale + 1
        if self._request:
            step = run_context.session.run(self._step)
            self._timer.update_last_triggered_step(step)
            self._writer.add_run_metadata(run_values.run_metadata, "step_%d" % step)
        self._next_step = step + 1


def _element(obj):
    """The tensor that is meant: itself, or the only output of the op of that name."""
    graph = get_default_graph()
    if not isinstance(obj, str):
        if getattr(obj, "graph", None) is not graph:
            raise ValueError("Passed %s should have graph attribute that is equal to current graph %s." % (obj, graph))
        return obj
    if ":" in obj:
        return graph.as_graph_element(obj)
    element = graph.as_graph_element(obj + ":0")
    if len(element.op.outputs) > 1:
        raise ValueError("Name %s is ambiguous, as this `Operation` has multiple outputs (at least 2)." % obj)
    return element
