# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The ops between ranks, and who this process is among them: what mpirun told it."""

import os
import re

import flowstep.tensorflow as tf
from flowstep.tensorflow.framework import ops

_state = {"is_initialized": False}


def init(comm=None):
    """The ranks may be asked from now on."""
    _state["is_initialized"] = True


def shutdown():
    _state["is_initialized"] = False


def is_initialized():
    return _state["is_initialized"]


def _told(name, fallback):
    if not _state["is_initialized"]:
        raise ValueError("Horovod has not been initialized; use hvd.init().")
    try:
        return int(os.environ.get(name, fallback))
    except ValueError:
        return fallback


def size():
    """How many ranks there are."""
    return _told("OMPI_COMM_WORLD_SIZE", 1)


def rank():
    """Which of them this process is."""
    return _told("OMPI_COMM_WORLD_RANK", 0)


def local_size():
    """How many of them are on this machine."""
    return _told("OMPI_COMM_WORLD_LOCAL_SIZE", 1)


def local_rank():
    """Which of these this process is."""
    return _told("OMPI_COMM_WORLD_LOCAL_RANK", 0)


def mpi_threads_supported():
    size()
    return True


def _named(kind, tensor, name):
    return name or "%s_%s" % (kind, re.sub("[^a-zA-Z0-9_]", "_", tensor.name))


def _allreduce(tensor, name=None):
    return ops.apply_op("HorovodAllreduce", tensor=tensor, name=_named("HorovodAllreduce", tensor, name))


def allgather(tensor, name=None):
    """The rows of all ranks, one after the other."""
    return ops.apply_op("HorovodAllgather", tensor=tensor, name=_named("HorovodAllgather", tensor, name))


def broadcast(tensor, root_rank, name=None):
    """The tensor as it is in one rank."""
    return ops.apply_op("HorovodBroadcast", tensor=tensor, root_rank=root_rank, name=_named("HorovodBroadcast", tensor, name))


@tf.RegisterGradient("HorovodAllreduce")
def _allreduce_grad(op, grad):
    return _allreduce(grad)


@tf.RegisterGradient("HorovodAllgather")
def _allgather_grad(op, grad):
    # Every rank has the gradients of all rows; the sum of those of its own rows is what it wants.
    grad = _allreduce(grad)
    with tf.device("/cpu:0"):
        # One count of rows from each rank.
        rows = tf.reshape(tf.shape(op.inputs[0])[0], [1])
        sizes = tf.split(tf.reshape(allgather(rows), [size()]), num_or_size_splits=size(), axis=0)
        offsets = tf.split(tf.cumsum(tf.concat(sizes, axis=0), exclusive=True), num_or_size_splits=size(), axis=0)
        begin = tf.concat([offsets[rank()], tf.zeros([tf.rank(grad) - 1], tf.int32)], axis=0)
    return tf.slice(grad, begin, tf.shape(op.inputs[0]))


@tf.RegisterGradient("HorovodBroadcast")
def _broadcast_grad(op, grad):
    reduced = _allreduce(grad)
    return reduced if rank() == op.get_attr("root_rank") else reduced * 0
