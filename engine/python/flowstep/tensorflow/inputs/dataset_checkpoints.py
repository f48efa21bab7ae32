# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Where iterators are in their datasets, kept in checkpoints."""

from ..framework import graph as graph_lib
from ..framework.ops import apply_op, make_op
from ..saving import checkpoint_state, saveables, saver
from ..sessions import hooks
from . import iterators


class _Saveable(saveables.SaveableObject):
    def __init__(self, iterator_resource):
        serialized = apply_op("SerializeIterator", resource_handle=iterator_resource)
        specs = [saveables.SaveSpec(serialized, "", iterator_resource.name + "-state")]
        super().__init__(iterator_resource, specs, iterator_resource.name)

    def restore(self, restored_tensors, unused_restored_shapes):
        with graph_lib.colocate_with(self.op):
            return make_op("DeserializeIterator", resource_handle=self.op, serialized=restored_tensors[0])


def make_saveable_from_iterator(iterator):
    """What a Saver keeps of an iterator."""
    return _Saveable(iterator._iterator_resource)


class _InputSaver(saver.Saver):
    """A Saver whose state is told in a file of its own."""

    def __init__(self, var_list, latest_filename):
        super().__init__(var_list)
        self._latest_filename = latest_filename

    def save(self, sess, save_path, global_step=None, latest_filename=None, *arguments, **keywords):
        return super().save(sess, save_path, global_step, latest_filename or self._latest_filename, *arguments, **keywords)


class CheckpointInputPipelineHook(hooks.SessionRunHook):
    """Keeps where the iterators of an estimator are, and begins there."""

    def __init__(self, estimator):
        config, prefix = estimator._config, "input"
        if config.num_worker_replicas > 1:
            prefix += "_{}_{}".format(config.task_type, config.task_id)
        self._checkpoint_saver_hook = hooks.CheckpointSaverHook(
            estimator.model_dir, save_secs=config.save_checkpoints_secs, save_steps=config.save_checkpoints_steps,
            checkpoint_basename=prefix + ".ckpt")
        self._latest_filename, self._first_run = "checkpoint_" + prefix, True

    def begin(self):
        hook = self._checkpoint_saver_hook
        if hook._saver is None and hook._scaffold is None:
            found = [_Saveable(i) for i in graph_lib.get_collection(iterators.GLOBAL_ITERATORS)]
            hook._saver = _InputSaver(found, self._latest_filename)
        hook.begin()

    def _begin_where_it_was(self, session):
        hook = self._checkpoint_saver_hook
        latest = checkpoint_state.latest_checkpoint(hook._checkpoint_dir, latest_filename=self._latest_filename)
        if latest:
            hook._get_saver().restore(session, latest)
            return
        step = session.run(hook._step)
        hook._save(session, step)
        hook._timer.update_last_triggered_step(step)

    def before_run(self, run_context):
        if self._first_run:
            self._begin_where_it_was(run_context.session)
            self._first_run = False
        return self._checkpoint_saver_hook.before_run(run_context)

    def after_run(self, run_context, run_values):
        self._checkpoint_saver_hook.after_run(run_context, run_values)

    def end(self, session):
        self._checkpoint_saver_hook.end(session)
