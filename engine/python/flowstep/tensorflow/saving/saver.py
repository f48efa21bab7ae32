# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Saver: the graph that saves and restores, and the files it leaves."""

import collections
import numbers
import os
import re
import time
import uuid

from .. import errors
from ..control import control_flow
from ..framework import devices, graph as graph_lib, ops, proto
from ..framework.graph import GraphKeys, get_default_graph, name_scope
from ..framework.ops import apply_op, constant
from ..operators import array_ops
from ..state import partitioned_variables, variables
from . import meta_graph
from .saveables import SaveableObject, SaveSpec

_Saveable = collections.namedtuple("_Saveable", ["name", "specs", "restore", "op"])


class _VariableTensor:
    """The reference of a variable that nobody has as an object: its graph was imported."""

    _save_slice_info = None

    def __init__(self, tensor):
        self._variable, self.op, self.dtype, self.shape = tensor, tensor.op, tensor.dtype, tensor.shape
        self.name, self.device = tensor.name, tensor.device

    def _shared_name(self):
        return self.op.name

    @classmethod
    def of(cls, item):
        """The item, made one of these where it is such a reference."""
        is_ref = isinstance(item, graph_lib.Tensor) and item.op.type in ("Variable", "VariableV2", "AutoReloadVariable")
        return cls(item) if is_ref else item


def _key(item):
    info = item._get_save_slice_info() if hasattr(item, "_get_save_slice_info") else None
    return (info.full_name if info else item.op.name), (info.spec if info else "")


def _own_saveables(item):
    """What an object says that is saved of it; a variable is saved as it is."""
    if isinstance(item, variables.Variable) or not hasattr(type(item), "_gather_saveables_for_checkpoint"):
        return [item]
    found = item._gather_saveables_for_checkpoint().values()
    return [saveable() if callable(saveable) else saveable for saveable in found]


def op_list_to_dict(op_list):
    """Variables by the names they have in a checkpoint."""
    if not isinstance(op_list, (list, tuple, set)):
        raise TypeError("Variables to save should be passed in a dict or a list: %s" % op_list)
    op_list = sorted((_VariableTensor.of(v) for item in op_list for v in _own_saveables(item)), key=lambda v: v.name)
    names = {}
    for item in op_list:
        if isinstance(item, partitioned_variables.PartitionedVariable):
            if item.name in names:
                raise ValueError("At least two variables have the same name: %s" % item.name)
            names[item.name] = item
        elif isinstance(item, variables.Variable) and item._save_slice_info:
            parts = names.setdefault(item._save_slice_info.full_name, [])
            if not isinstance(parts, list):
                raise ValueError("Mixing slices and non-slices with the same name: %s" % item._save_slice_info.full_name)
            parts.append(item)
        elif isinstance(item, SaveableObject) or hasattr(item, "tensors"):
            names[item.name] = item
        else:
            if not isinstance(item, (variables.Variable, _VariableTensor)):
                raise TypeError("Variable to save is not a Variable: %s" % (
                    ops.internal_convert_to_tensor(item, as_ref=True),))
            name = item._shared_name
            if name in names:
                raise ValueError("At least two variables have the same name: %s" % name)
            names[name] = item
    return names


# SaverDef.CheckpointFormatVersion
_V1 = 1


def _check_slices(parts):
    """Parts that are saved under one name have to be of one variable."""
    names = []
    for part in parts:
        if not isinstance(part, variables.Variable):
            raise ValueError("Slices must all be Variables: %s" % part)
        if part._save_slice_info is None:
            raise ValueError("Slices must all be slices: %s" % part)
        names.append(part._save_slice_info.full_name)
        if names[-1] != names[0]:
            raise ValueError("Slices must all be from the same tensor: %s != %s" % (names[0], names[-1]))


def _spec_of(variable, name, info):
    """What is saved of a variable under a name: all of it, or the part of a whole that info tells."""
    resource = isinstance(variable, variables.ResourceVariable)

    def read():
        with graph_lib.device(variable.device):
            value = variable.read_value()
            with graph_lib.device("/device:CPU:0"):
                return array_ops.identity(value)
    if info and resource:   # TF: a part is read anew for every Saver, the whole as its object reads it
        tensor = read
    else:
        tensor = variable._snapshot if info or resource else variable._variable
    return SaveSpec(tensor, info.spec if info else "", name, variable.dtype.base_dtype, variable.device)


class _Builder:
    """Adds the ops of a Saver."""

    def __init__(self, reshape, sharded, version):
        self.reshape, self.sharded, self.version = reshape, sharded, version

    def saveables(self, names):
        if not isinstance(names, dict):
            names = op_list_to_dict(names)
        result, seen = [], set()
        for name in sorted(names):
            if not isinstance(name, str):
                raise TypeError("names_to_saveables must be a dict mapping string names to trackable operations. Name is not "
                                "a string: %s" % name)
            item = names[name]
            is_whole = not isinstance(item, (list, tuple, partitioned_variables.PartitionedVariable))
            parts = [item] if is_whole else list(item)
            if isinstance(item, (list, tuple)):
                _check_slices(parts)
            for part in map(_VariableTensor.of, parts):
                if hasattr(part, "tensors"):
                    specs = [SaveSpec(tensor, "", key) for key, tensor in part.tensors]
                    result.append(_Saveable(name, specs, part, part.op.resource_handle.op))
                    continue
                if isinstance(part, SaveableObject):
                    result.append(_Saveable(name, part.specs, part, part.op))
                    continue
                if not isinstance(part, (variables.Variable, _VariableTensor)):
                    converted = ops.convert_to_tensor(part)
                    raise TypeError("names_to_saveables must be a dict mapping string names to Tensors/Variables. Not a "
                                    "variable: %s" % converted)
                if part.op in seen:
                    raise ValueError("The same saveable will be restored with two names: %s" % name)
                seen.add(part.op)
                # TF: a part that stands alone in a dictionary is saved as a whole.
                spec = _spec_of(part, name, None if is_whole else part._save_slice_info)
                result.append(_Saveable(name, [spec], part, part.op))
        return result

    def build(self, names, name, max_to_keep, keep_hours, model=None):
        saveables = self.saveables(names)
        with name_scope(name, "save", [s.op for s in saveables]) as name:
            filename = array_ops.placeholder_with_default(model or "model", shape=(), name="filename")
            filename = array_ops.placeholder_with_default(filename, shape=(), name="Const")
            if self.sharded:
                groups = self._by_device(saveables)
                save_tensor = self._add_sharded_save(filename, groups)
                restore_op = self._add_sharded_restore(filename, groups)
            else:
                save_tensor = self._add_save(filename, saveables)
                restore_op = self._add_restore(filename, saveables, "restore_all")
        result = proto.SaverDef(filename_tensor_name=filename.name, save_tensor_name=save_tensor.name,
                                restore_op_name=restore_op.name, max_to_keep=max_to_keep or 0, version=self.version)
        result.sharded = self.sharded
        result.keep_checkpoint_every_n_hours = keep_hours
        return result

    def _by_device(self, saveables):
        groups = {}
        for s in saveables:
            found = {devices.canonical_name(spec.tensor.device) for spec in s.specs}
            if len(found) != 1:
                raise ValueError("All tensors of a saveable object must be on the same device: %s" % s.name)
            groups.setdefault(found.pop(), []).append(s)
        return sorted(groups.items())

    def _save_op(self, filename, saveables):
        specs = [spec for s in saveables for spec in s.specs]
        if self.version == _V1:
            return ops.make_op("SaveSlices", filename=filename, tensor_names=[s.name for s in specs],
                               shapes_and_slices=[s.slice_spec for s in specs], data=[s.tensor for s in specs], name="save")
        return ops.make_op("SaveV2", prefix=filename, tensor_names=[s.name for s in specs],
                           shape_and_slices=[s.slice_spec for s in specs], tensors=[s.tensor for s in specs])

    def _add_save(self, filename, saveables):
        save = self._save_op(filename, saveables)
        return control_flow.with_dependencies([save], filename)

    def _add_sharded_save(self, prefix, groups):
        return (self._add_sharded_files if self.version == _V1 else self._add_merged_save)(prefix, groups)

    def _add_sharded_files(self, filename, groups):
        num_shards = constant(len(groups), name="num_shards")
        saves = []
        for shard, (device, saveables) in enumerate(groups):
            with graph_lib.device(device) if device else _nothing():
                shard_name = apply_op("ShardedFilename", basename=filename, shard=shard, num_shards=num_shards)
                saves.append(self._add_save(shard_name, saveables))
        with graph_lib.control_dependencies([t.op for t in saves]):
            return apply_op("ShardedFilespec", basename=filename, num_shards=num_shards)

    def _add_merged_save(self, prefix, groups):
        temporary = apply_op("StringJoin", inputs=[prefix, "_temp_%s/part" % uuid.uuid4().hex])
        num_shards = constant(len(groups), name="num_shards")
        sharded_saves, prefixes = [], []
        for shard, (device, saveables) in enumerate(groups):
            with graph_lib.device(_on_cpu(device)):
                shard_name = apply_op("ShardedFilename", basename=temporary, shard=shard, num_shards=num_shards)
                prefixes.append(shard_name)
                sharded_saves.append(self._add_save(shard_name, saveables))
        with graph_lib.control_dependencies([t.op for t in sharded_saves]):
            with graph_lib.device(_on_cpu(groups[-1][0])):
                merge = ops.make_op("MergeV2Checkpoints", checkpoint_prefixes=array_ops_pack(prefixes),
                                    destination_prefix=prefix, delete_old_dirs=True)
                with graph_lib.control_dependencies([merge]):
                    return array_ops.identity(prefix)

    def _bulk(self, filename, saveables):
        specs = [spec for s in saveables for spec in s.specs]
        with graph_lib.device("cpu:0"):
            return apply_op("RestoreV2", prefix=filename, tensor_names=[s.name for s in specs],
                            shape_and_slices=[s.slice_spec for s in specs], dtypes=[s.dtype for s in specs])

    def _assigns(self, filename, saveables):
        tensors = iter(self._bulk(filename, saveables))
        result = []
        for s in saveables:
            mine = [next(tensors) for _ in s.specs]
            if isinstance(s.restore, SaveableObject):
                result.append(s.restore._taken_back(mine, self.reshape))
                continue
            result.append(s.restore.restore(mine) if hasattr(s.restore, "tensors") else self._assign(s, mine[0]))
        return result

    def _assign(self, s, tensor):
        variable = s.restore
        if self.reshape:
            saved = s.specs[0].tensor
            dims = saved.shape
            tensor = array_ops.reshape(tensor, dims.as_list() if dims.is_fully_defined() else array_ops.shape(saved))
        if isinstance(variable, variables.ResourceVariable):
            with graph_lib.device(variable.device) if variable.device else _nothing():
                tensor = array_ops.identity(tensor)
                return ops.make_op("AssignVariableOp", resource=variable.handle, value=tensor)
        return apply_op("Assign", ref=variable._variable, value=tensor,
                        validate_shape=not self.reshape and variable.shape.is_fully_defined()).op

    def _add_restore(self, filename, saveables, name):
        return control_flow.group(*self._assigns(filename, saveables), name=name)

    def _add_sharded_restore(self, filename, groups):
        shards = []
        for device, saveables in groups:
            with graph_lib.device(device) if device else _nothing():
                shards.append(self._add_restore(filename, saveables, "restore_shard"))
        return control_flow.group(*shards, name="restore_all")


def _on_cpu(device):
    """That device's CPU, where files are."""
    return re.sub("/device:[A-Za-z]*:[0-9*]*", "", device) + "/device:CPU:0"


def array_ops_pack(values):
    return apply_op("Pack", values=values, name="MergeV2Checkpoints/checkpoint_prefixes")


def _nothing():
    import contextlib
    return contextlib.nullcontext()


class Saver:
    """tf.train.Saver."""

    def __init__(self, var_list=None, reshape=False, sharded=False, max_to_keep=5, keep_checkpoint_every_n_hours=10000.0,
                 name=None, restore_sequentially=False, saver_def=None, builder=None, defer_build=False,
                 allow_empty=False, write_version=2, pad_step_number=False, save_relative_paths=False, filename=None):
        if defer_build and var_list:
            raise ValueError("If `var_list` is provided then build cannot be deferred. Either set defer_build=False or "
                             "var_list=None.")
        self._var_list, self._reshape, self._sharded, self._name = var_list, reshape, sharded, name
        self._max_to_keep, self._keep_hours = max_to_keep, keep_checkpoint_every_n_hours
        self.saver_def, self._allow_empty = saver_def, allow_empty
        self._pad_step_number, self._relative = pad_step_number, save_relative_paths
        self._is_empty, self._last_checkpoints, self._to_be_deleted = False, [], []
        self._write_version, self._filename = write_version, filename
        self._next_checkpoint_time = time.time() + keep_checkpoint_every_n_hours * 3600
        self._deferred, self._is_built = defer_build and saver_def is None, False
        if not defer_build:
            self.build()
        if self.saver_def:
            self._max_to_keep = self.saver_def.max_to_keep
            self._keep_hours = self.saver_def.keep_checkpoint_every_n_hours

    def build(self):
        self._deferred = False
        if self._is_built:
            return
        self._is_built = True
        if self.saver_def and self._var_list is None:
            self._check_saver_def()
            return
        var_list = self._var_list
        if var_list is None:
            var_list = variables.global_variables() + graph_lib.get_collection(GraphKeys.SAVEABLE_OBJECTS)
            self._var_list = var_list
        if not var_list:
            if not self._allow_empty:
                raise ValueError("No variables to save")
            self._is_empty = True
            return
        self._is_empty = False
        self.saver_def = _Builder(self._reshape, self._sharded, self._write_version).build(
            var_list, self._name, self._max_to_keep, self._keep_hours, self._filename)

    def _check_saver_def(self):
        if not isinstance(self.saver_def, proto.SaverDef):
            raise ValueError("saver_def must be a saver_pb2.SaverDef: %s" % self.saver_def)
        for field in ("save_tensor_name", "restore_op_name", "filename_tensor_name"):
            if not getattr(self.saver_def, field):
                raise ValueError("saver_def must specify the %s: %s" % (field, self.saver_def))

    def as_saver_def(self):
        return self.saver_def

    def to_proto(self, export_scope=None):
        if export_scope is None:
            return self.saver_def
        if not self.saver_def.filename_tensor_name.startswith(export_scope):
            return None
        copy = proto.SaverDef.FromString(self.saver_def.SerializeToString())
        for field in ("filename_tensor_name", "save_tensor_name", "restore_op_name"):
            setattr(copy, field, variables.strip_name_scope(getattr(copy, field), export_scope))
        return copy

    @staticmethod
    def from_proto(saver_def, import_scope=None):
        copy = proto.SaverDef.FromString(saver_def.SerializeToString())
        if import_scope:
            for field in ("filename_tensor_name", "save_tensor_name", "restore_op_name"):
                setattr(copy, field, variables.prepend_name_scope(getattr(copy, field), import_scope))
        return Saver(saver_def=copy, name=import_scope)

    @property
    def last_checkpoints(self):
        return [path for path, _ in self._last_checkpoints]

    def set_last_checkpoints(self, paths):
        assert isinstance(paths, list)
        self._last_checkpoints = [(p, float("nan")) for p in paths]

    def set_last_checkpoints_with_time(self, last_checkpoints_with_time):
        assert isinstance(last_checkpoints_with_time, list)
        self._last_checkpoints = last_checkpoints_with_time

    def recover_last_checkpoints(self, checkpoint_paths):
        """Those of the checkpoints that are there, as if this Saver had written them."""
        from . import checkpoint_state
        self._last_checkpoints = [(p, time.time()) for p in checkpoint_paths if checkpoint_state.checkpoint_exists(p)]

    def _record(self, path, state_name):
        if not self._max_to_keep:
            return
        self._last_checkpoints = [entry for entry in self._last_checkpoints if entry[0] != path] + [(path, time.time())]
        if len(self._last_checkpoints) > self._max_to_keep:
            self._to_be_deleted.append(self._last_checkpoints.pop(0))

    def save(self, sess, save_path, global_step=None, latest_filename=None, meta_graph_suffix="meta",
             write_meta_graph=True, write_state=True, strip_default_attrs=False, save_debug_info=False):
        if self._deferred:
            raise RuntimeError("`build()` should be called before save if defer_build==True")
        if latest_filename is None:
            latest_filename = "checkpoint"
        if os.path.split(latest_filename)[0]:
            raise ValueError("'latest_filename' must not contain path components")
        if global_step is not None:
            if not isinstance(global_step, numbers.Integral):
                from ..learning import training_util
                global_step = training_util.global_step(sess, global_step)
            text = "%08d" % global_step if self._pad_step_number else "%d" % global_step
            checkpoint = "%s-%s" % (save_path, text)
        else:
            checkpoint = save_path
            if os.path.basename(save_path) == latest_filename and not self._sharded:
                raise ValueError("'latest_filename' collides with 'save_path': '%s' and '%s'" %
                                 (latest_filename, save_path))
        from ..sessions.session import BaseSession
        if not isinstance(sess, BaseSession) and not hasattr(sess, "_sess"):
            raise TypeError("'sess' must be a Session; %s" % sess)
        folder = os.path.dirname(save_path)
        result = checkpoint
        if not self._is_empty:
            try:
                result = sess.run(self.saver_def.save_tensor_name, {self.saver_def.filename_tensor_name: checkpoint})
                result = result.decode() if isinstance(result, bytes) else result
            except (errors.FailedPreconditionError, errors.NotFoundError) as error:
                if not os.path.isdir(folder or "."):
                    raise ValueError("Parent directory of {} doesn't exist, can't save.".format(save_path)) from error
                raise
            if write_state:
                self._record(result, latest_filename)
                from . import checkpoint_state
                checkpoint_state.update(folder, result, self.last_checkpoints, latest_filename, self._relative)
                self._delete_old(meta_graph_suffix)
        if write_meta_graph:
            with sess.graph.as_default():
                from . import checkpoint_state
                self.export_meta_graph(checkpoint_state.meta_graph_filename(result, meta_graph_suffix),
                                       strip_default_attrs=strip_default_attrs)
        return None if self._is_empty else result

    def _delete_old(self, suffix):
        import glob
        for path, made in self._to_be_deleted:
            if made > self._next_checkpoint_time:
                self._next_checkpoint_time += self._keep_hours * 3600
                continue
            for name in glob.glob(glob.escape(path) + ".data-*") + [path + ".index", path + "." + suffix]:
                if os.path.exists(name):
                    os.remove(name)
        self._to_be_deleted = []

    def export_meta_graph(self, filename=None, collection_list=None, as_text=False, export_scope=None,
                          clear_devices=False, clear_extraneous_savers=False, strip_default_attrs=False,
                          save_debug_info=False):
        return meta_graph.export_meta_graph(
            filename=filename, graph_def=get_default_graph().as_graph_def(add_shapes=True), saver_def=self.saver_def,
            collection_list=collection_list, as_text=as_text, export_scope=export_scope, clear_devices=clear_devices,
            clear_extraneous_savers=clear_extraneous_savers, strip_default_attrs=strip_default_attrs)

    def restore(self, sess, save_path):
        if self._is_empty:
            return
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        from . import checkpoint_state
        prefix = os.fspath(save_path)
        folder = os.path.dirname(prefix)
        if folder and not os.path.isdir(folder):
            raise errors.NotFoundError(None, None, "%s; No such file or directory" % folder)
        if not checkpoint_state.checkpoint_exists(prefix):
            raise ValueError("The passed save_path is not a valid checkpoint: " + prefix)
        try:
            sess.run(self.saver_def.restore_op_name, {self.saver_def.filename_tensor_name: prefix})
        except errors.NotFoundError as error:
            raise errors.NotFoundError(error.node_def, error.op, _restore_text("a Variable name or other graph key that "
                                       "is missing", error.message)) from None
        except errors.InvalidArgumentError as error:
            raise errors.InvalidArgumentError(error.node_def, error.op, _restore_text(
                "a mismatch between the current graph and the graph", error.message)) from None


def _restore_text(what, text):
    return ("Restoring from checkpoint failed. This is most likely due to %s from the checkpoint. Please ensure that you "
            "have not altered the graph expected based on the checkpoint. Original error:\n\n%s" % (what, text))
