# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""horovod.tensorflow: ranks, and gradients that are averaged over them. A script that mpirun did not start is the only rank."""

import flowstep.tensorflow as tf

from . import compression as _compression
from .mpi_ops import _allreduce, allgather, broadcast, init, is_initialized, local_rank, local_size
from .mpi_ops import mpi_threads_supported, rank, shutdown, size

Compression = _compression.Compression

__all__ = ["Compression", "DistributedOptimizer", "BroadcastGlobalVariablesHook", "allgather", "allreduce", "broadcast",
           "broadcast_global_variables", "broadcast_variables", "init", "is_initialized", "local_rank", "local_size",
           "mpi_threads_supported", "rank", "shutdown", "size"]


def allreduce(tensor, average=True, device_dense="", device_sparse="", compression=Compression.none):
    """The mean (or sum) of a tensor over all ranks; of IndexedSlices, the slices of all of them."""
    if isinstance(tensor, tf.IndexedSlices):
        with tf.device(device_sparse):
            count = tf.cast(size(), tensor.values.dtype)
            values = allgather(tensor.values)
            indices = allgather(tensor.indices)
            values = tf.div(values, count) if average else values
        return tf.IndexedSlices(values, indices, dense_shape=tensor.dense_shape)
    with tf.device(device_dense):
        count = tf.cast(size(), dtype=tensor.dtype)
        small, context = compression.compress(tensor)
        total = compression.decompress(_allreduce(small), context)
        return tf.div(total, count) if average else total


def broadcast_variables(variables, root_rank):
    """An op that gives the variables the values they have in one rank."""
    return tf.group(*[tf.assign(v, broadcast(v, root_rank)) for v in variables])


def broadcast_global_variables(root_rank):
    """As broadcast_variables, for all global variables of the default graph."""
    return broadcast_variables(tf.global_variables(), root_rank)


class BroadcastGlobalVariablesHook(tf.train.SessionRunHook):
    """Once a session is there, all ranks begin with the variables of one."""

    def __init__(self, root_rank, device=""):
        super().__init__()
        self.root_rank, self.device, self.bcast_op = root_rank, device, None

    def begin(self):
        if not self.bcast_op or self.bcast_op.graph != tf.get_default_graph():
            with tf.device(self.device):
                self.bcast_op = broadcast_global_variables(self.root_rank)

    def after_create_session(self, session, coord):
        session.run(self.bcast_op)


class DistributedOptimizer(tf.train.Optimizer):
    """An optimizer whose gradients are averaged over all ranks before they are applied."""

    def __init__(self, optimizer, name=None, use_locking=False, device_dense="", device_sparse="",
                 compression=Compression.none, sparse_as_dense=False):
        super().__init__(name=name or "Distributed%s" % type(optimizer).__name__, use_locking=use_locking)
        self._optimizer = optimizer
        self._device_dense, self._device_sparse = device_dense, device_sparse
        self._compression, self._sparse_as_dense = compression, sparse_as_dense

    def _averaged(self, grad):
        if grad is None:
            return None
        if self._sparse_as_dense and isinstance(grad, tf.IndexedSlices):
            grad = tf.convert_to_tensor(grad)
        return allreduce(grad, device_dense=self._device_dense, device_sparse=self._device_sparse,
                         compression=self._compression)

    def compute_gradients(self, *args, **kwargs):
        grads_and_vars = self._optimizer.compute_gradients(*args, **kwargs)
        if size() <= 1:
            return grads_and_vars
        with tf.name_scope(self._name + "_Allreduce"):
            return [(self._averaged(grad), var) for grad, var in grads_and_vars]

    def apply_gradients(self, *args, **kwargs):
        return self._optimizer.apply_gradients(*args, **kwargs)

    def get_slot(self, *args, **kwargs):
        return self._optimizer.get_slot(*args, **kwargs)

    def get_slot_names(self, *args, **kwargs):
        return self._optimizer.get_slot_names(*args, **kwargs)

    def variables(self, *args, **kwargs):
        return self._optimizer.variables(*args, **kwargs)
