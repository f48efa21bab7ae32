# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""log_device_placement: on which processor each op of a session's graph is, told as TensorFlow tells it."""

from .. import dtypes
from ..control.functions import STATEFUL
from ..framework.devices import DeviceSpec, n_processors

_PROCESSOR = "/job:localhost/replica:0/task:0/device:CPU:%d"
_MAPPING = "Device mapping:\n/job:localhost/replica:0/task:0/device:XLA_CPU:0 -> device: XLA_CPU device"


def _is_generator(op):
    """TF places what only makes one value after, and beside, what takes it."""
    return not op.inputs and len(op.outputs) == 1 and not op.outputs[0].dtype._is_ref_dtype


class PlacementLog:
    """Tells the devices when a session is made, and all ops anew each time its graph has grown."""

    def __init__(self, config):
        self._processors = n_processors(config)
        self._version, self._kept = None, set()
        print(_MAPPING)

    def tell(self, graph):
        if self._version == graph.version:
            return
        self._version = graph.version
        first, second = [], []
        for op in graph.get_operations():
            is_deferred = _is_generator(op) and op.name not in self._kept
            (second if is_deferred else first).append(op)
        for op in first + second:
            print("%s: (%s): %s" % (op.name, op.type, _PROCESSOR % self._index(op)))
            if graph._builder.get_node_flags(op._index) & STATEFUL:
                self._kept.add(op.name)

    def _index(self, op):
        """An op that names no processor, or none of this session's, is on the first."""
        spec = DeviceSpec.from_string(op.device or "")
        index = spec.device_index or 0
        return index if spec.device_type == "CPU" and index < self._processors else 0
