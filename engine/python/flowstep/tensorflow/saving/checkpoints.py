# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.train.Checkpoint and CheckpointManager: objects saved by the way that leads to them."""

import collections
import glob
import os
import time
import uuid

from .. import dtypes, errors
from ..framework import graph as graph_lib, ops
from ..framework import tf_logging
from ..framework.ops import apply_op, constant
from ..framework.proto import message_class
from ..learning import training_util
from ..operators import array_ops
from ..sessions import session as session_lib
from ..state import scope
from ..state import variables
from . import checkpoint_state, saveables, saver as saver_lib
from . import trackable
from .checkpoint_restores import CheckpointLoadStatus, InitializationOnlyStatus, Match, NameBasedSaverStatus
from .checkpoint_restores import session_for


class TrackableSaver:
    """Saves and restores what an object leads to. Ops are made once for a graph of objects that stays as it is."""

    def __init__(self, root):
        self._root, self._saved_proto, self._save_tensor = root, None, None
        self._graph_tensor = self._prefix_tensor = self._restore_prefix = None
        self._restore_ops, self._saveables = {}, {}

    def save(self, file_prefix, session=None):
        if self._graph_tensor is None:
            with graph_lib.device("/cpu:0"):
                self._graph_tensor = constant("", dtype=dtypes.string)
                self._prefix_tensor = constant("", dtype=dtypes.string)
        os.makedirs(os.path.dirname(file_prefix) or ".", exist_ok=True)
        view = trackable.ObjectGraph(self._root)
        encoded = view.to_proto().SerializeToString()
        if encoded != self._saved_proto:
            self._add_save(view)
            self._saved_proto = encoded
        path = session_for(session).run(self._save_tensor, {self._prefix_tensor: file_prefix, self._graph_tensor: encoded})
        return path.decode() if isinstance(path, bytes) else path

    def _add_save(self, view):
        builder = saver_lib._Builder(False, False, 2)
        found = [builder.saveables({key: item})[0] for key, item in view.saved(self._saveables).items()]
        spec = saveables.SaveSpec(self._graph_tensor, "", trackable.GRAPH_KEY, dtypes.string)
        found.append(saver_lib._Saveable(trackable.GRAPH_KEY, [spec], None, self._graph_tensor.op))
        merge = _add_shards(builder, builder._by_device(found), self._prefix_tensor)
        with graph_lib.device("/cpu:0"), graph_lib.control_dependencies([merge]):
            self._save_tensor = array_ops.identity(self._prefix_tensor)

    def restore(self, save_path):
        if save_path is None:
            return InitializationOnlyStatus(self._root)
        reader = checkpoint_state.CheckpointReader(save_path)
        try:
            encoded = reader.get_tensor(trackable.GRAPH_KEY)
        except errors.NotFoundError:
            return NameBasedSaverStatus(save_path, self._root)
        if self._restore_prefix is None:
            with graph_lib.device("/cpu:0"):
                self._restore_prefix = constant("model")
        proto = message_class("TrackableObjectGraph").FromString(encoded)
        return CheckpointLoadStatus(Match(proto, self._restore_prefix, self._restore_ops, self._root, self._saveables),
                                    {self._restore_prefix: save_path})


def _add_shards(builder, groups, prefix):
    """A file for each device, and the op that makes one checkpoint of them."""
    with graph_lib.device("cpu:0"):
        temporary = apply_op("StringJoin", inputs=[prefix, "_temp_%s/part" % uuid.uuid4().hex])
    num_shards = constant(len(groups), name="num_shards")
    saves, prefixes = [], []
    for shard, (device, saveables) in enumerate(groups):
        with graph_lib.device(saver_lib._on_cpu(device)):
            prefixes.append(apply_op("ShardedFilename", basename=temporary, shard=shard, num_shards=num_shards))
        with graph_lib.device(device), graph_lib.device("cpu:0"):
            saves.append(builder._save_op(prefixes[-1], saveables))
    with graph_lib.control_dependencies(saves), graph_lib.device(saver_lib._on_cpu(groups[-1][0])):
        return ops.make_op("MergeV2Checkpoints", checkpoint_prefixes=prefixes, destination_prefix=prefix,
                           delete_old_dirs=True)


class Checkpoint(trackable.AutoTrackable):
    """tf.train.Checkpoint."""

    def __init__(self, **kwargs):
        object.__setattr__(self, "_save_counter", None)
        object.__setattr__(self, "_count", None)
        object.__setattr__(self, "_saver", TrackableSaver(self))
        for name, value in sorted(kwargs.items()):
            if not trackable.is_trackable(value):
                raise ValueError("`Checkpoint` was expecting a trackable object (an object derived from `TrackableBase`), got "
                                 "%s. If you believe this object should be trackable (i.e. it is part of the TensorFlow "
                                 "Python API and manages state), please open an issue." % (value,))
            setattr(self, name, value)

    def _make_counter(self):
        if self._save_counter is None:
            with graph_lib.init_scope(), graph_lib.device("/cpu:0"):
                counter = variables.Variable(0, name="save_counter",
                                             dtype=dtypes.int64, trainable=False, use_resource=True)
            object.__setattr__(self, "_save_counter", counter)
            self.__dict__.setdefault("_children", {})["save_counter"] = counter

    @property
    def save_counter(self):
        self._make_counter()
        return self._save_counter

    def write(self, file_prefix, session=None):
        return self._saver.save(file_prefix, session)

    def save(self, file_prefix, session=None):
        session = session_for(session)
        if self._save_counter is None:
            session.run(self.save_counter.initializer)
        if self._count is None:
            with graph_lib.colocate_with(self.save_counter):
                object.__setattr__(self, "_count", self.save_counter.assign_add(1, read_value=True))
        path = self.write("%s-%d" % (file_prefix, session.run(self._count)), session)
        checkpoint_state.update(os.path.dirname(file_prefix), path, [path], relative=True)
        return path

    def restore(self, save_path):
        status = self._saver.restore(save_path)
        self._make_counter()
        if isinstance(status, CheckpointLoadStatus):
            status._match.bind_late()
        return status


class CheckpointManager:
    """tf.train.CheckpointManager: numbers checkpoints and keeps the last few."""

    def __init__(self, checkpoint, directory, max_to_keep, keep_checkpoint_every_n_hours=None, checkpoint_name="ckpt"):
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError("Expected a positive integer or `None` for `max_to_max_to_keep`, got %d." % max_to_keep)
        self._checkpoint, self._directory, self._max_to_keep = checkpoint, directory, max_to_keep
        self._keep_hours, self._prefix = keep_checkpoint_every_n_hours, os.path.join(directory, checkpoint_name)
        self._count, self._maybe_delete = None, collections.OrderedDict()
        now, state = time.time(), checkpoint_state.get_checkpoint_state(directory)
        self._latest = None if state is None else state.model_checkpoint_path
        self._last_preserved = now - 1. if state is None else state.last_preserved_timestamp
        if self._last_preserved > now:
            tf_logging.warning("time.time() returned a value %f seconds behind the last preserved checkpoint timestamp.",
                               self._last_preserved - now)
            self._last_preserved = now
        if state is not None:
            paths = list(state.all_model_checkpoint_paths)
            times = list(state.all_model_checkpoint_timestamps) or [self._last_preserved] * len(paths)
            self._maybe_delete.update((path, min(when, now)) for path, when in zip(paths, times)
                                      if min(when, now) > self._last_preserved)

    latest_checkpoint = property(lambda self: self._latest)
    checkpoints = property(lambda self: list(self._maybe_delete))

    def _sweep(self):
        while self._max_to_keep and len(self._maybe_delete) > self._max_to_keep:
            path, when = self._maybe_delete.popitem(last=False)
            if self._keep_hours and when - self._keep_hours * 3600. >= self._last_preserved:
                self._last_preserved = when
                continue
            for name in glob.glob(glob.escape(path) + ".data-?????-of-?????") + [path + ".index"]:
                if os.path.exists(name):
                    os.remove(name)

    def _record(self):
        checkpoint_state.update(self._directory, self._latest, list(self._maybe_delete), relative=True,
                                times=list(self._maybe_delete.values()), last_preserved=self._last_preserved)

    def save(self, checkpoint_number=None):
        session = session_lib.get_default_session()

        def initialized(next_creator, **keywords):
            v = next_creator(**keywords)
            session.run(v.initializer)
            return v
        with scope.variable_creator_scope(initialized):
            counter = self._checkpoint.save_counter
        if self._count is None:
            self._count = counter.assign_add(1, read_value=False)
        session.run(self._count)
        number = counter if checkpoint_number is None else checkpoint_number
        if not isinstance(number, int):
            number = training_util.global_step(session, number)
        path = self._checkpoint.write("%s-%d" % (self._prefix, number))
        self._maybe_delete.pop(path, None)
        self._maybe_delete[path] = time.time()
        self._latest = path
        self._record()
        self._sweep()
        self._record()
        return path
