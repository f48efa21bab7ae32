# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""slim.learning: training ops and a training loop in one session."""

import os
import time

from .. import errors, summary
from ..control import control_flow
from ..framework import graph as graph_lib, ops, proto
from ..framework import tf_logging as logging
from ..framework.graph import name_scope
from ..learning import optimizers
from ..learning import sync_replicas, training_util
from ..operators import lookup, math_ops
from ..saving.saver import Saver
from ..sessions import supervisor
from ..sessions import timeline
from ..state import variables
from . import training
from .training import clip_gradient_norms, multiply_gradients  # noqa: F401

_USE_DEFAULT = 0
# RunOptions.TraceLevel
_FULL_TRACE = 3


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
    """One step; its loss and whether training shall stop."""
    start = time.time()
    options = metadata = None
    is_traced = "should_trace" in train_step_kwargs and sess.run(train_step_kwargs["should_trace"])
    if is_traced:
        if "logdir" not in train_step_kwargs:
            raise ValueError("logdir must be present in train_step_kwargs when should_trace is present")
        options, metadata = proto.RunOptions(trace_level=_FULL_TRACE), proto.RunMetadata()
    loss, step = sess.run([train_op, global_step], options=options, run_metadata=metadata)
    seconds = time.time() - start
    if is_traced:
        path = os.path.join(train_step_kwargs["logdir"], "tf_trace-%d.json" % step)
        logging.info("Writing trace to %s", path)
        with open(path, "w") as file:
            file.write(timeline.Timeline(metadata.step_stats).generate_chrome_trace_format())
        if "summary_writer" in train_step_kwargs:
            train_step_kwargs["summary_writer"].add_run_metadata(metadata, "run_metadata-%d" % step)
    if "should_log" in train_step_kwargs and sess.run(train_step_kwargs["should_log"]):
        logging.info("global step %d: loss = %.4f (%.3f sec/step)", step, loss, seconds)
    should_stop = sess.run(train_step_kwargs["should_stop"]) if "should_stop" in train_step_kwargs else False
    return loss, should_stop


def _check(train_op, logdir, summary_op, saver, trace_every_n_steps, synchronized, startup_delay_steps, number_of_steps):
    if train_op is None:
        raise ValueError("train_op cannot be None.")
    if logdir is None:
        if summary_op != _USE_DEFAULT:
            raise ValueError("Cannot provide summary_op because logdir=None")
        if saver is not None:
            raise ValueError("Cannot provide saver because logdir=None")
        if trace_every_n_steps is not None:
            raise ValueError("Cannot provide trace_every_n_steps because logdir=None")
    if synchronized is not None and startup_delay_steps > 0:
        raise ValueError("startup_delay_steps must be zero when sync_optimizer is supplied.")
    if number_of_steps is not None and number_of_steps <= 0:
        raise ValueError("`number_of_steps` must be either None or a positive number.")


def train(train_op, logdir, train_step_fn=train_step, train_step_kwargs=_USE_DEFAULT, log_every_n_steps=1, graph=None,
          master="", is_chief=True, global_step=None, number_of_steps=None, init_op=_USE_DEFAULT, init_feed_dict=None,
          local_init_op=_USE_DEFAULT, init_fn=None, ready_op=_USE_DEFAULT, summary_op=_USE_DEFAULT,
          save_summaries_secs=600, summary_writer=_USE_DEFAULT, startup_delay_steps=0, saver=None,
          save_interval_secs=600, sync_optimizer=None, session_config=None, session_wrapper=None,
          trace_every_n_steps=None, ignore_live_threads=False):
    synchronized = [sync_optimizer] if isinstance(sync_optimizer, sync_replicas.SyncReplicasOptimizer) else sync_optimizer
    _check(train_op, logdir, summary_op, saver, trace_every_n_steps, synchronized, startup_delay_steps, number_of_steps)
    graph = graph or graph_lib.get_default_graph()
    with graph.as_default():
        if global_step is None:
            global_step = training_util.get_or_create_global_step()
        saver = saver or Saver()
        if any(not isinstance(o, sync_replicas.SyncReplicasOptimizer) for o in synchronized or ()):
            raise ValueError("`sync_optimizer` must be a tf.train.SyncReplicasOptimizer.")
        with name_scope("init_ops"):
            if init_op == _USE_DEFAULT:
                init_op = variables.global_variables_initializer()
            if ready_op == _USE_DEFAULT:
                ready_op = variables.report_uninitialized_variables()
            if local_init_op == _USE_DEFAULT:
                local_init_op = control_flow.group(variables.local_variables_initializer(), lookup.tables_initializer())
            local_init_op, ready_for_local = _init_synchronized(synchronized, is_chief, local_init_op)
        if summary_op == _USE_DEFAULT:
            summary_op = summary.merge_all()
        if summary_writer == _USE_DEFAULT:
            summary_writer = supervisor.USE_DEFAULT
        tokens = []
        if is_chief and synchronized is not None:
            # Made before the supervisor finalizes the graph.
            tokens = [o.get_init_tokens_op() for o in synchronized], [o.get_chief_queue_runner() for o in synchronized]
        keywords = _step_keywords(train_step_kwargs, global_step, number_of_steps, log_every_n_steps,
                                  trace_every_n_steps if is_chief else None, logdir)
    sv = supervisor.Supervisor(
        graph=graph, is_chief=is_chief, logdir=logdir, init_op=init_op, init_feed_dict=init_feed_dict,
        local_init_op=local_init_op, ready_for_local_init_op=ready_for_local, ready_op=ready_op, summary_op=summary_op,
        summary_writer=summary_writer, global_step=global_step, saver=saver, save_summaries_secs=save_summaries_secs,
        save_model_secs=save_interval_secs, init_fn=init_fn)
    if summary_writer is not None:
        keywords["summary_writer"] = sv.summary_writer
    while True:
        loop = _Loop(sv, train_op, train_step_fn, global_step, keywords, ignore_live_threads)
        try:
            with sv.managed_session(master, start_standard_services=False, config=session_config) as sess:
                logging.info("Starting Session.")
                if session_wrapper is not None:
                    logging.info("Wrapping session with wrapper function: %s", session_wrapper)
                    sess = session_wrapper(sess)
                if is_chief and logdir:
                    sv.start_standard_services(sess)
                elif not is_chief and startup_delay_steps > 0:
                    _wait_for_step(sess, global_step, min(startup_delay_steps, number_of_steps or startup_delay_steps))
                loop.run(sess, tokens, logdir)
            return loop.loss
        except errors.AbortedError:
            logging.info("Retrying training!")


def _init_synchronized(synchronized, is_chief, local_init_op):
    if synchronized is None:
        return local_init_op, None
    with graph_lib.control_dependencies([local_init_op] if local_init_op is not None else []):
        local = control_flow.group(*[o.chief_init_op if is_chief else o.local_step_init_op for o in synchronized])
    return local, control_flow.group(*[o.ready_for_local_init_op for o in synchronized])


def _wait_for_step(sess, global_step, step):
    while training_util.global_step(sess, global_step) < step:
        time.sleep(1.0)


def _step_keywords(given, global_step, number_of_steps, log_every_n_steps, trace_every_n_steps, logdir):
    if given != _USE_DEFAULT:
        return given
    with name_scope("train_step"):
        keywords = {"should_stop": math_ops.greater_equal(global_step, number_of_steps) if number_of_steps
                    else ops.constant(False)}
        if log_every_n_steps > 0:
            keywords["should_log"] = math_ops.equal(math_ops.mod(global_step, log_every_n_steps), 0)
        if trace_every_n_steps is not None:
            keywords["should_trace"] = math_ops.equal(math_ops.mod(global_step, trace_every_n_steps), 0)
            keywords["logdir"] = logdir
    return keywords


class _Loop:
    """Steps until one says stop, or until an input ends."""

    def __init__(self, sv, train_op, train_step_fn, global_step, keywords, ignore_live_threads):
        self._sv, self._op, self._step, self._global_step = sv, train_op, train_step_fn, global_step
        self._keywords, self._ignore, self.loss = keywords, ignore_live_threads, None

    def run(self, sess, tokens, logdir):
        sv = self._sv
        threads = sv.start_queue_runners(sess)
        logging.info("Starting Queues.")
        if tokens:
            sv.start_queue_runners(sess, tokens[1])
            sess.run(tokens[0])
        try:
            while not sv.should_stop():
                self.loss, should_stop = self._step(sess, self._op, self._global_step, self._keywords)
                if should_stop:
                    logging.info("Stopping Training.")
                    sv.request_stop()
                    break
        except errors.OutOfRangeError as error:
            # An input that ends, ends the training.
            logging.info("Caught OutOfRangeError. Stopping Training. %s", error)
        if logdir and sv.is_chief:
            logging.info("Finished training! Saving model to disk.")
            sv.saver.save(sess, sv.save_path, global_step=sv.global_step)
            sv.stop(threads, close_summary_writer=True, ignore_live_threads=self._ignore)
