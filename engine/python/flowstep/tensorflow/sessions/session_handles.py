# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Tensors that stay in a session between its runs, and the handles that scripts have of them."""

from .. import dtypes
from ..framework import graph as graph_lib, ops
from ..framework.ops import apply_op
from ..operators import array_ops


class TensorHandle:
    """What a run gives for get_session_handle(): the tensor stays where it is until this is gone."""

    def __init__(self, handle, dtype, session):
        self._handle = handle.decode() if isinstance(handle, bytes) else handle
        self._dtype, self._session, self._is_kept = dtype, session, True

    handle = property(lambda self: self._handle)

    def __str__(self):
        return self._handle

    def _check_kept(self):
        if not self._is_kept:
            raise TypeError("Persistent tensor %s may have already been deleted." % self._handle)

    def eval(self):
        self._check_kept()
        holder, reader = _made_once(self._session.graph, ("reader", _place(self._handle)),
                                    lambda: get_session_tensor(self._handle, self._dtype))
        return self._session.run(reader, {holder: self._handle})

    def delete(self):
        self._check_kept()
        self._is_kept = False
        holder, deleter = _made_once(self._session.graph, "deleter", lambda: delete_session_tensor(self._handle))
        self._session.run(deleter, {holder: self._handle})

    def get_raw_handle(self):
        """The text of the handle, to whose owner the tensor is left."""
        self._is_kept = False
        return self._handle


def _place(handle):
    """The op and the device that a handle tells of, without its number."""
    parts = handle.split(";")
    return parts[0], parts[-1]


def _device(handle):
    return str(handle).split(";")[-1]


def _made_once(graph, key, make):
    made = graph._memo.setdefault("session handles", {})
    if key not in made:
        with graph.as_default():
            made[key] = make()
    return made[key]


def get_session_handle(data, name=None):
    if not ops.is_tensor_like(data):
        raise TypeError("`data` must be of type Tensor.")
    with graph_lib.colocate_with(data):
        return apply_op("GetSessionHandle", value=data, name=name)


def get_session_tensor(handle, dtype, name=None):
    """(placeholder of a handle, the tensor it stands for)."""
    with graph_lib.device(_device(handle)):
        holder = array_ops.placeholder(dtypes.string)
        return holder, apply_op("GetSessionTensor", handle=holder, dtype=dtype, name=name)


def delete_session_tensor(handle, name=None):
    """(placeholder of a handle, the op that deletes what it stands for)."""
    with graph_lib.device(_device(handle)):
        holder = array_ops.placeholder(dtypes.string)
        return holder, ops.make_op("DeleteSessionTensor", handle=holder, name=name)


def fetched(tensor, value, session):
    """What a run gives of a tensor: of a handle more than its text."""
    if tensor.op.type not in ("GetSessionHandle", "GetSessionHandleV2"):
        return value
    return TensorHandle(value, tensor.op.inputs[0].dtype, session)
