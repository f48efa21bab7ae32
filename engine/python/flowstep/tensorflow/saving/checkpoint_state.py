# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The checkpoint state file, and whether a checkpoint is there."""

import glob
import os
import re
import time

from .. import dtypes, errors
from ..framework import hash_order, proto, tf_logging
from ..framework._engine import Flow, GLib, shape_dims, to_numpy


def checkpoint_exists(checkpoint_prefix):
    """TF: the prefix may be a pattern."""
    return bool(glob.glob(checkpoint_prefix + ".index") or glob.glob(checkpoint_prefix))


def update(folder, path, all_paths, latest_filename="checkpoint", relative=False, times=(), last_preserved=None):
    """Writes the state file: the newest checkpoint and those that are kept, and when they were made where that is known."""
    paths = list(all_paths)
    if relative:
        path, *paths = [os.path.relpath(p, folder or ".") if os.path.isabs(p) else p for p in [path, *paths]]
    state = generate_checkpoint_state_proto(folder, path, paths, list(times), last_preserved)
    target = os.path.join(folder, latest_filename)
    if target == state.model_checkpoint_path:
        raise RuntimeError("Save path '%s' conflicts with path used for checkpoint state.  Please use a different save path." %
                           path)
    with open(target + ".tmp%d" % os.getpid(), "w") as file:
        file.write(str(state))
    os.replace(target + ".tmp%d" % os.getpid(), target)


def get_checkpoint_state(checkpoint_dir, latest_filename=None):
    target = os.path.join(checkpoint_dir, latest_filename or "checkpoint")
    if not os.path.exists(target):
        return None
    with open(target, "rb") as file:
        text = GLib.Bytes.new(file.read())
    try:
        encoded = Flow.text_to_proto("CheckpointState", text, target).get_data() or b""
    except GLib.Error as error:
        tf_logging.warning("%s: %s", type(errors.of(error)).__name__, error.message)
        tf_logging.warning("%s: Checkpoint ignored", target)
        return None
    state = proto.CheckpointState.FromString(encoded)
    if not state.model_checkpoint_path:
        raise ValueError("Invalid checkpoint state loaded from " + checkpoint_dir)
    if not os.path.isabs(state.model_checkpoint_path):
        state.model_checkpoint_path = os.path.join(checkpoint_dir, state.model_checkpoint_path)
    for i, path in enumerate(state.all_model_checkpoint_paths):
        if not os.path.isabs(path):
            state.all_model_checkpoint_paths[i] = os.path.join(checkpoint_dir, path)
    return state


def latest_checkpoint(checkpoint_dir, latest_filename=None):
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state and state.model_checkpoint_path and checkpoint_exists(state.model_checkpoint_path):
        return state.model_checkpoint_path
    return None


def checkpoints_iterator(checkpoint_dir, min_interval_secs=0, timeout=None, timeout_fn=None):
    """Checkpoints as they come; without a timeout it waits for ever."""
    last = None
    while True:
        new = _wait_for_new(checkpoint_dir, last, timeout)
        if new is None:
            if not timeout_fn:
                tf_logging.info("Timed-out waiting for a checkpoint.")
                return
            if timeout_fn():
                return
            continue
        start, last = time.time(), new
        yield new
        rest = start + min_interval_secs - time.time()
        if rest > 0:
            time.sleep(rest)


def _wait_for_new(folder, last, timeout, seconds_to_sleep=1):
    tf_logging.info("Waiting for new checkpoint at %s", folder)
    end = None if timeout is None else time.time() + timeout
    while True:
        found = latest_checkpoint(folder)
        if found is not None and found != last:
            tf_logging.info("Found new checkpoint at %s", found)
            return found
        if end is not None and time.time() + seconds_to_sleep > end:
            return None
        time.sleep(seconds_to_sleep)


def get_checkpoint_mtimes(checkpoint_prefixes):
    found = []
    for prefix in checkpoint_prefixes:
        files = glob.glob(glob.escape(prefix) + ".index") or glob.glob(glob.escape(prefix))
        found.extend(os.stat(name).st_mtime for name in files[:1])
    return found


def meta_graph_filename(checkpoint_filename, meta_graph_suffix="meta"):
    """What a checkpoint's graph is called; the parts of one have it together."""
    return re.sub(r"-[\d\?]+-of-\d+$", "", checkpoint_filename) + "." + meta_graph_suffix


def remove_checkpoint(checkpoint_prefix, checkpoint_format_version=2, meta_graph_suffix="meta"):
    """Deletes a checkpoint's files and its graph's."""
    shards = glob.glob(glob.escape(checkpoint_prefix) + ".data-?????-of-?????")
    # A checkpoint of the first version that is in parts is called by a pattern.
    names = [checkpoint_prefix + ".index"] + shards if checkpoint_format_version == 2 else glob.glob(checkpoint_prefix)
    for name in names + [meta_graph_filename(checkpoint_prefix, meta_graph_suffix)]:
        if os.path.exists(name):
            os.remove(name)


def generate_checkpoint_state_proto(save_dir, model_checkpoint_path, all_model_checkpoint_paths=None,
                                    all_model_checkpoint_timestamps=None, last_preserved_timestamp=None):
    paths = [] if all_model_checkpoint_paths is None else all_model_checkpoint_paths
    if not paths or paths[-1] != model_checkpoint_path:
        tf_logging.info("%s is not in all_model_checkpoint_paths. Manually adding it.", model_checkpoint_path)
        paths.append(model_checkpoint_path)
    if all_model_checkpoint_timestamps and len(all_model_checkpoint_timestamps) != len(paths):
        raise ValueError("Checkpoint timestamps, if provided, must match checkpoint paths (got paths %s and timestamps %s)" %
                         (paths, all_model_checkpoint_timestamps))
    if not os.path.isabs(save_dir):
        if not os.path.isabs(model_checkpoint_path):
            model_checkpoint_path = os.path.relpath(model_checkpoint_path, save_dir)
        paths[:] = [path if os.path.isabs(path) else os.path.relpath(path, save_dir) for path in paths]
    state = proto.CheckpointState(model_checkpoint_path=model_checkpoint_path)
    state.all_model_checkpoint_paths.extend(paths)
    state.all_model_checkpoint_timestamps.extend(all_model_checkpoint_timestamps or [])
    if last_preserved_timestamp is not None:
        state.last_preserved_timestamp = last_preserved_timestamp
    return state


class CheckpointReader:
    """The tensors of a checkpoint, by name."""

    def __init__(self, prefix):
        try:
            # A folder may have the name that a checkpoint beside it begins with.
            beside = os.fsdecode(prefix) + ".index"
            self._is_table = os.path.exists(beside)
            self._file = Flow.Checkpoint.open_to_restore(beside if self._is_table and os.path.isdir(prefix) else prefix)
        except GLib.Error as error:
            raise errors.of(error) from None

    def _tensors(self):
        return [self._file.get_tensor(i) for i in range(self._file.get_n_tensors())]

    def _map(self, of_tensor):
        found = {t.name: of_tensor(t) for t in self._tensors()}
        return {name: found[name] for name in hash_order.sort(found)}

    def get_variable_to_shape_map(self):
        return self._map(lambda t: shape_dims(t.shape))

    def get_variable_to_dtype_map(self):
        return self._map(lambda t: dtypes.as_dtype(int(t.dtype)))

    def has_tensor(self, name):
        return self._file.find(name) is not None

    def debug_string(self):
        """A line for each tensor, as bytes."""
        lines = []
        for tensor in self._tensors():
            name = dtypes.as_dtype(int(tensor.dtype)).name
            kind = {"float32": "FLOAT", "float64": "DOUBLE", "float16": "HALF"}.get(name, name.upper())
            lines.append("%s (DT_%s) [%s]\n" % (tensor.name, kind, ",".join("%d" % d for d in shape_dims(tensor.shape))))
        return "".join(lines).encode()

    def get_tensor(self, name):
        if not self.has_tensor(name):
            raise errors.NotFoundError(None, None, "Key %s not found in checkpoint" % name if self._is_table else
                                       "%s not found in checkpoint file" % name)
        try:
            value = to_numpy(self._file.read(name, None))
        except GLib.Error as error:
            raise errors.of(error) from None
        return value[()] if value.ndim == 0 else value


def new_checkpoint_reader(filepattern):
    """tf.train.NewCheckpointReader."""
    return CheckpointReader(filepattern)


def update_checkpoint_state(save_dir, model_checkpoint_path, all_model_checkpoint_paths=None, latest_filename=None,
                            all_model_checkpoint_timestamps=None, last_preserved_timestamp=None):
    """As update(), with TensorFlow's arguments."""
    update(save_dir, model_checkpoint_path, all_model_checkpoint_paths or [], latest_filename or "checkpoint",
           times=all_model_checkpoint_timestamps or (), last_preserved=last_preserved_timestamp)


def load_checkpoint(ckpt_dir_or_file):
    prefix = latest_checkpoint(ckpt_dir_or_file) if os.path.isdir(ckpt_dir_or_file) else ckpt_dir_or_file
    if prefix is None:
        raise ValueError("Couldn't find 'checkpoint' file or checkpoints in given directory %s" % ckpt_dir_or_file)
    return CheckpointReader(prefix)


def list_variables(ckpt_dir_or_file):
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


def load_variable(ckpt_dir_or_file, name):
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name[:-2] if name.endswith(":0") else name)
