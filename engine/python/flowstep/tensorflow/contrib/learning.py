# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""slim.learning: training ops and a training loop in one session."""

import os
import time

from .. import checkpoint_state, control_flow, event_writer, graph as graph_lib, optimizers, runners
from .. import session as session_lib, summary, training_util, variables
from ..graph import GraphKeys, name_scope
from ..saver import Saver
from . import training
from .training import clip_gradient_norms, multiply_gradients  # noqa: F401

_USE_DEFAULT = 0


def add_gradients_summaries(grads_and_vars):
    return training.add_gradients_summaries(grads_and_vars, "/")


def create_train_op(total_loss, optimizer, global_step=training._USE_GLOBAL_STEP, update_ops=None,
                    variables_to_train=None, clip_gradient_norm=0, summarize_gradients=False,
                    gate_gradients=optimizers.Optimizer.GATE_OP, aggregation_method=None,
                    colocate_gradients_with_ops=False, gradient_multipliers=None, check_numerics=True):
    def transform(grads):
        if gradient_multipliers:
            with name_scope("multiply_grads"):
                grads = multiply_gradients(grads, gradient_multipliers)
        if clip_gradient_norm > 0:
            with name_scope("clip_grads"):
                grads = clip_gradient_norms(grads, clip_gradient_norm)
        return grads
    return training.create_train_op(
        total_loss, optimizer, global_step, update_ops, variables_to_train, transform_grads_fn=transform,
        summarize_gradients=summarize_gradients, gate_gradients=gate_gradients, aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops, check_numerics=check_numerics)


def train_step(sess, train_op, global_step, train_step_kwargs):
    """One step; whether training shall stop."""
    loss, _ = sess.run([train_op, global_step])
    should_stop = sess.run(train_step_kwargs["should_stop"]) if "should_stop" in train_step_kwargs else False
    return loss, should_stop


class _Loop:
    """A training in a folder: where it begins, what it writes and when."""

    def __init__(self, sess, logdir, global_step, saver, summary_op, save_summaries_secs, save_interval_secs):
        self.sess, self.logdir, self.global_step, self.saver = sess, logdir, global_step, saver
        self.summary_op, self.every = summary_op, {"summary": save_summaries_secs, "model": save_interval_secs}
        self.last = dict.fromkeys(self.every, time.time())
        self.writer = None
        if logdir is not None and summary_op is not None:
            self.writer = summary.FileWriter(logdir, sess.graph)

    def begin(self, init_op, init_feed_dict, local_init_op, init_fn):
        found = checkpoint_state.latest_checkpoint(self.logdir) if self.logdir is not None else None
        if found is not None:
            self.saver.restore(self.sess, found)
        else:
            if init_op is not None:
                self.sess.run(init_op, feed_dict=init_feed_dict)
            if init_fn is not None:
                init_fn(self.sess)
        if local_init_op is not None:
            self.sess.run(local_init_op)
        if self.logdir is not None:
            event_writer.write_graph(self.sess.graph.as_graph_def(add_shapes=True), self.logdir, "graph.pbtxt")
            self.save()

    def _is_due(self, what):
        seconds = self.every[what]
        if not seconds or time.time() - self.last[what] < seconds:
            return False
        self.last[what] = time.time()
        return True

    def save(self):
        if self.logdir is not None:
            self.saver.save(self.sess, os.path.join(self.logdir, "model.ckpt"), global_step=self.global_step)

    def after_step(self):
        if self.writer is not None and self._is_due("summary"):
            self.writer.add_summary(self.sess.run(self.summary_op), training_util.global_step(self.sess, self.global_step))
        if self._is_due("model"):
            self.save()

    def end(self):
        self.save()
        if self.writer is not None:
            self.writer.close()


def train(train_op, logdir, train_step_fn=train_step, train_step_kwargs=_USE_DEFAULT, log_every_n_steps=1, graph=None,
          master="", is_chief=True, global_step=None, number_of_steps=None, init_op=_USE_DEFAULT, init_feed_dict=None,
          local_init_op=_USE_DEFAULT, init_fn=None, ready_op=_USE_DEFAULT, summary_op=_USE_DEFAULT,
          save_summaries_secs=600, summary_writer=_USE_DEFAULT, startup_delay_steps=0, saver=None,
          save_interval_secs=600, sync_optimizer=None, session_config=None, session_wrapper=None,
          trace_every_n_steps=None, ignore_live_threads=False):
    if train_op is None:
        raise ValueError("train_op cannot be None.")
    if logdir is None:
        if summary_op != _USE_DEFAULT:
            raise ValueError("Cannot provide summary_op because logdir=None")
        if saver is not None:
            raise ValueError("Cannot provide saver because logdir=None")
        if trace_every_n_steps is not None:
            raise ValueError("Cannot provide trace_every_n_steps because logdir=None")
    if number_of_steps is not None and number_of_steps <= 0:
        raise ValueError("`number_of_steps` must be either None or a positive number.")
    graph = graph or graph_lib.get_default_graph()
    with graph.as_default():
        if global_step is None:
            global_step = training_util.get_or_create_global_step()
        saver = saver or Saver()
        with name_scope("init_ops"):
            if init_op == _USE_DEFAULT:
                init_op = variables.global_variables_initializer()
            if ready_op == _USE_DEFAULT:
                ready_op = variables.report_uninitialized_variables()
            if local_init_op == _USE_DEFAULT:
                tables = graph_lib.get_collection(GraphKeys.TABLE_INITIALIZERS)
                local_init_op = control_flow.group(variables.local_variables_initializer(),
                                                   control_flow.group(*tables, name="init_all_tables"))
        if summary_op == _USE_DEFAULT:
            summary_op = summary.merge_all()
        keywords = _step_keywords(train_step_kwargs, global_step, number_of_steps)
    # TF: as a Supervisor does, so that nothing is added while it trains.
    graph.finalize()
    with session_lib.Session(master, graph=graph, config=session_config) as sess:
        sess = session_wrapper(sess) if session_wrapper else sess
        loop = _Loop(sess, logdir, global_step, saver, summary_op, save_summaries_secs, save_interval_secs)
        loop.begin(init_op, init_feed_dict, local_init_op, init_fn)
        return _run(loop, train_op, train_step_fn, keywords, ignore_live_threads)


def _step_keywords(given, global_step, number_of_steps):
    if given != _USE_DEFAULT:
        return given
    with name_scope("train_step"):
        keywords = {}
        if number_of_steps:
            keywords["should_stop"] = global_step >= number_of_steps
    return keywords


def _run(loop, train_op, train_step_fn, keywords, ignore_live_threads):
    coordinator, total_loss = runners.Coordinator(), None
    threads = runners.start_queue_runners(sess=loop.sess, coord=coordinator)
    from ..errors import OutOfRangeError
    try:
        while not coordinator.should_stop():
            total_loss, should_stop = train_step_fn(loop.sess, train_op, loop.global_step, keywords)
            loop.after_step()
            if should_stop:
                break
    except OutOfRangeError:
        # An input that ends, ends the training.
        pass
    coordinator.request_stop()
    loop.end()
    coordinator.join(threads, ignore_live_threads=ignore_live_threads)
    return total_loss
