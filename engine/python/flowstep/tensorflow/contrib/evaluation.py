# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.training's and slim's evaluation of checkpoints, once or as they come."""

import math
import time

from .. import dtypes
from .. import summary
from ..framework import graph as graph_lib
from ..framework import tf_logging as logging
from ..framework.graph import GraphKeys, get_default_graph
from ..learning import training_util
from ..operators import array_ops
from ..operators import state_ops
from ..saving import checkpoint_state, event_writer
from ..saving import saver as saver_lib
from ..sessions import hooks as hooks_lib
from ..sessions import monitored_session
from ..state import initializers
from ..state import scope

_USE_DEFAULT = 0
checkpoints_iterator = checkpoint_state.checkpoints_iterator


def wait_for_new_checkpoint(checkpoint_dir, last_checkpoint=None, seconds_to_sleep=1, timeout=None):
    return checkpoint_state._wait_for_new(checkpoint_dir, last_checkpoint, timeout, seconds_to_sleep)


def get_or_create_eval_step():
    found = get_default_graph().get_collection(GraphKeys.EVAL_STEP)
    if len(found) > 1:
        raise ValueError("Multiple tensors added to tf.GraphKeys.EVAL_STEP")
    return found[0] if found else scope.get_variable(
        "eval_step", shape=[], dtype=dtypes.int64, initializer=initializers.Zeros(), trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.EVAL_STEP])


class StopAfterNEvalsHook(hooks_lib.SessionRunHook):
    def __init__(self, num_evals, log_progress=True):
        self._num_evals, self._evals_completed, self._log_progress = num_evals, None, log_progress
        self._log_every = 1 if num_evals is None or num_evals < 20 else math.floor(num_evals / 10.)

    def before_run(self, run_context):
        return hooks_lib.SessionRunArgs({"evals_completed": self._evals_completed})

    def after_run(self, run_context, run_values):
        done = run_values.results["evals_completed"]
        if self._log_progress and self._num_evals is None:
            logging.info("Evaluation [%d]", done)
        elif self._log_progress and (done % self._log_every == 0 or done == self._num_evals):
            logging.info("Evaluation [%d/%d]", done, self._num_evals)
        if self._num_evals is not None and done >= self._num_evals:
            run_context.request_stop()


class SummaryAtEndHook(hooks_lib.SessionRunHook):
    def __init__(self, log_dir=None, summary_writer=None, summary_op=None, feed_dict=None):
        if log_dir is None and summary_writer is None:
            raise ValueError("One of log_dir or summary_writer should be used.")
        self._summary_op, self._feed_dict = summary_op, feed_dict
        self._merges, self._writer, self._log_dir = summary_op is None, summary_writer, log_dir

    def begin(self):
        if self._merges:
            self._summary_op = summary.merge_all()
        self._global_step = training_util.get_or_create_global_step()

    def after_create_session(self, session, coord):
        if self._writer is None and self._log_dir:
            self._writer = event_writer.FileWriterCache.get(self._log_dir)

    def end(self, session):
        if self._summary_op is not None:
            step = training_util.global_step(session, self._global_step)
            text = session.run(self._summary_op, self._feed_dict)
            if self._writer:
                self._writer.add_summary(text, step)
        if self._writer:
            self._writer.flush()


def _with_step(eval_ops, update):
    if isinstance(eval_ops, dict):
        eval_ops["update_eval_step"] = update
        return eval_ops
    return (list(eval_ops) if isinstance(eval_ops, (tuple, list)) else [eval_ops]) + [update]


def _count_for(hooks, counted):
    for hook in hooks:
        if isinstance(hook, StopAfterNEvalsHook):
            hook._evals_completed = counted


def _evaluate(creator, hooks, eval_ops, feed_dict):
    with monitored_session.MonitoredSession(session_creator=creator, hooks=hooks) as session:
        logging.info("Starting evaluation at %s", time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime()))
        if eval_ops is not None:
            while not session.should_stop():
                session.run(eval_ops, feed_dict)
        logging.info("Finished evaluation at %s", time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime()))


def evaluate_once(checkpoint_path, master="", scaffold=None, eval_ops=None, feed_dict=None, final_ops=None,
                  final_ops_feed_dict=None, hooks=None, config=None):
    """The final ops of one checkpoint, after the eval ops ran until a hook said stop."""
    eval_step, hooks = get_or_create_eval_step(), list(hooks or [])
    if eval_ops is not None:
        eval_ops = _with_step(eval_ops, state_ops.assign_add(eval_step, 1, use_locking=True))
        with graph_lib.control_dependencies(list(eval_ops.values()) if isinstance(eval_ops, dict) else eval_ops):
            _count_for(hooks, array_ops.identity(get_or_create_eval_step().read_value()))
    creator = monitored_session.ChiefSessionCreator(scaffold=scaffold, checkpoint_filename_with_path=checkpoint_path,
                                                    master=master, config=config)
    final = hooks_lib.FinalOpsHook(final_ops, final_ops_feed_dict)
    _evaluate(creator, hooks + [final], eval_ops, feed_dict)
    return final.final_ops_values


def evaluate_repeatedly(checkpoint_dir, master="", scaffold=None, eval_ops=None, feed_dict=None, final_ops=None,
                        final_ops_feed_dict=None, eval_interval_secs=60, hooks=None, config=None,
                        max_number_of_evaluations=None, timeout=None, timeout_fn=None):
    eval_step, hooks = get_or_create_eval_step(), hooks or []
    if eval_ops is not None:
        update = state_ops.assign_add(eval_step, 1)
        _count_for(hooks, update)
        eval_ops = _with_step(eval_ops, update)
    final, done = hooks_lib.FinalOpsHook(final_ops, final_ops_feed_dict), 0
    hooks.append(final)
    for path in checkpoints_iterator(checkpoint_dir, eval_interval_secs, timeout, timeout_fn):
        _evaluate(monitored_session.ChiefSessionCreator(scaffold=scaffold, checkpoint_filename_with_path=path,
                                                        master=master, config=config), hooks, eval_ops, feed_dict)
        done += 1
        if max_number_of_evaluations is not None and done >= max_number_of_evaluations:
            break
    return final.final_ops_values


class Slim:
    """slim.evaluation, whose functions stop after so many runs and write summaries at the end."""

    @staticmethod
    def _hooks(num_evals, summary_op, logdir, feed_dict, hooks):
        summary_op = summary.merge_all() if summary_op == _USE_DEFAULT else summary_op
        found = [StopAfterNEvalsHook(num_evals)]
        if summary_op is not None:
            found.append(SummaryAtEndHook(log_dir=logdir, summary_op=summary_op, feed_dict=feed_dict))
        return found + list(hooks or [])

    @classmethod
    def evaluate_once(cls, master, checkpoint_path, logdir, num_evals=1, initial_op=None, initial_op_feed_dict=None,
                      eval_op=None, eval_op_feed_dict=None, final_op=None, final_op_feed_dict=None,
                      summary_op=_USE_DEFAULT, summary_op_feed_dict=None, variables_to_restore=None, session_config=None,
                      hooks=None):
        all_hooks = cls._hooks(num_evals, summary_op, logdir, summary_op_feed_dict, hooks)
        saver = saver_lib.Saver(variables_to_restore) if variables_to_restore is not None else None
        return evaluate_once(
            checkpoint_path, master=master, eval_ops=eval_op, feed_dict=eval_op_feed_dict, final_ops=final_op,
            scaffold=monitored_session.Scaffold(init_op=initial_op, init_feed_dict=initial_op_feed_dict, saver=saver),
            final_ops_feed_dict=final_op_feed_dict, hooks=all_hooks, config=session_config)

    @classmethod
    def evaluation_loop(cls, master, checkpoint_dir, logdir, num_evals=1, initial_op=None, initial_op_feed_dict=None,
                        init_fn=None, eval_op=None, eval_op_feed_dict=None, final_op=None, final_op_feed_dict=None,
                        summary_op=_USE_DEFAULT, summary_op_feed_dict=None, variables_to_restore=None,
                        eval_interval_secs=60, max_number_of_evaluations=None, session_config=None, timeout=None,
                        timeout_fn=None, hooks=None):
        all_hooks = cls._hooks(num_evals, summary_op, logdir, summary_op_feed_dict, hooks)
        saver = saver_lib.Saver(variables_to_restore) if variables_to_restore is not None else None
        return evaluate_repeatedly(
            checkpoint_dir, master=master, eval_ops=eval_op, feed_dict=eval_op_feed_dict, final_ops=final_op,
            scaffold=monitored_session.Scaffold(init_op=initial_op, init_feed_dict=initial_op_feed_dict, init_fn=init_fn,
                                                saver=saver),
            final_ops_feed_dict=final_op_feed_dict, eval_interval_secs=eval_interval_secs, hooks=all_hooks,
            config=session_config, max_number_of_evaluations=max_number_of_evaluations, timeout=timeout,
            timeout_fn=timeout_fn)
