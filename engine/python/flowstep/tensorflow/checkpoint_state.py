# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The checkpoint state file, and whether a checkpoint is there."""

import glob
import os

from . import dtypes, errors, proto
from ._engine import Flow, GLib, shape_dims, to_numpy


def checkpoint_exists(prefix):
    return bool(glob.glob(glob.escape(prefix) + ".index")) or bool(glob.glob(glob.escape(prefix)))


def update(folder, path, all_paths, latest_filename="checkpoint", relative=False):
    """Writes the state file: the newest checkpoint and those that are kept."""
    paths = list(all_paths)
    if not paths or paths[-1] != path:
        paths.append(path)
    if folder and not os.path.isabs(folder) or relative:
        paths = [os.path.relpath(p, folder or ".") for p in paths]
        path = os.path.relpath(path, folder or ".")
    elif not folder:
        paths = [os.path.relpath(p, ".") if not os.path.isabs(p) else p for p in paths]
    text = 'model_checkpoint_path: "%s"\n' % path
    text += "".join('all_model_checkpoint_paths: "%s"\n' % p for p in paths)
    target = os.path.join(folder, latest_filename)
    with open(target + ".tmp%d" % os.getpid(), "w") as file:
        file.write(text)
    os.replace(target + ".tmp%d" % os.getpid(), target)


def get_checkpoint_state(checkpoint_dir, latest_filename=None):
    target = os.path.join(checkpoint_dir, latest_filename or "checkpoint")
    if not os.path.exists(target):
        return None
    with open(target, "rb") as file:
        encoded = Flow.text_to_proto("CheckpointState", GLib.Bytes.new(file.read()), target).get_data() or b""
    state = proto.CheckpointState.FromString(encoded)
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


class CheckpointReader:
    """The tensors of a checkpoint, by name."""

    def __init__(self, prefix):
        try:
            self._file = Flow.Checkpoint.open_to_restore(prefix)
        except GLib.Error as error:
            raise errors.of(error) from None

    def _tensors(self):
        return [self._file.get_tensor(i) for i in range(self._file.get_n_tensors())]

    def get_variable_to_shape_map(self):
        return {t.name: shape_dims(t.shape) for t in self._tensors()}

    def get_variable_to_dtype_map(self):
        return {t.name: dtypes.as_dtype(int(t.dtype)) for t in self._tensors()}

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
        try:
            value = to_numpy(self._file.read(name, None))
        except GLib.Error as error:
            raise errors.of(error) from None
        return value[()] if value.ndim == 0 else value


def new_checkpoint_reader(filepattern):
    """tf.train.NewCheckpointReader."""
    return CheckpointReader(filepattern)


def load_checkpoint(prefix_or_folder):
    prefix = latest_checkpoint(prefix_or_folder) if os.path.isdir(prefix_or_folder) else prefix_or_folder
    if prefix is None:
        raise ValueError("Couldn't find 'checkpoint' file or checkpoints in given directory %s" % prefix_or_folder)
    return CheckpointReader(prefix)


def list_variables(prefix_or_folder):
    return sorted(load_checkpoint(prefix_or_folder).get_variable_to_shape_map().items())


def load_variable(prefix_or_folder, name):
    return load_checkpoint(prefix_or_folder).get_tensor(name[:-2] if name.endswith(":0") else name)
