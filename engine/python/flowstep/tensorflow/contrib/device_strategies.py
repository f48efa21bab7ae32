# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib: which parameter server, or which device of it, a variable goes to."""

import hashlib

import numpy as np

from ..framework.devices import DeviceSpec
from ..framework.tensor_shape import TensorShape


class RandomStrategy:
    """By the name alone, so that every worker finds the same."""

    def __init__(self, num_ps_tasks, seed=0):
        self._num_tasks, self._seed = num_ps_tasks, seed

    def __call__(self, op):
        key = "%s_%d" % (op.name, self._seed)
        return int(hashlib.md5(key.encode()).hexdigest(), 16) % self._num_tasks


class GreedyLoadBalancingStrategy:
    """The task that has least by now."""

    def __init__(self, num_tasks, load_fn):
        self._num_tasks, self._load_fn = num_tasks, load_fn
        self._ps_loads = np.zeros(num_tasks)

    def __call__(self, op):
        task = np.argmin(self._ps_loads)
        self._ps_loads[task] += self._load_fn(op)
        return task


def byte_size_load_fn(op):
    if len(op.outputs) != 1:
        raise ValueError("Op %s must have a single output" % op)
    output = op.outputs[0]
    shape = output.shape
    if not shape.is_fully_defined():
        # TF: a variable's output says no shape where it need not hold.
        shape = TensorShape(op.get_attr("shape"))
    shape.assert_is_fully_defined()
    return shape.num_elements() * output.dtype.size


class VariableDeviceChooser:
    """One parameter server after the other, or the same device for all."""

    def __init__(self, num_tasks=0, job_name="ps", device_type="CPU", device_index=0, replica=None):
        self._job_name, self._device_type, self._device_index = job_name, device_type, device_index
        self._replica, self._num_tasks, self._next_task_id = replica, num_tasks, 0

    def __call__(self, op):
        place = {}
        if self._num_tasks > 0:
            place = {"job": self._job_name, "task": self._next_task_id}
            self._next_task_id = (self._next_task_id + 1) % self._num_tasks
        return DeviceSpec(replica=self._replica, device_type=self._device_type, device_index=self._device_index,
                          **place).to_string()
