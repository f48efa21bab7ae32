# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.DeviceSpec, and the devices there are."""

import collections

from ._engine import Flow


class DeviceAttributes(collections.namedtuple("DeviceAttributes",
                                              "name device_type memory_limit incarnation physical_device_desc")):
    """A device as TensorFlow's message tells of it."""

    def __repr__(self):
        told = 'name: "%s"\ndevice_type: "%s"\nmemory_limit: %d\nlocality {\n}\nincarnation: %d\n' % self[:4]
        return told + ('physical_device_desc: "%s"\n' % self.physical_device_desc if self.physical_device_desc else "")

    __str__ = __repr__


def _device_type(name):
    return name.upper() if name in ("cpu", "gpu") else name


class DeviceSpec:
    """The parts of a device's name; None where any will do."""

    def __init__(self, job=None, replica=None, task=None, device_type=None, device_index=None):
        self.job, self.device_index = job, device_index
        self.replica = int(replica) if replica is not None else None
        self.task = int(task) if task is not None else None
        self.device_type = _device_type(device_type)

    def parse_from_string(self, spec):
        self.__init__()
        splits = [part.split(":") for part in spec.split("/")]
        for part in splits:
            count = len(part)
            if count == 2 and part[0] == "job":
                self.job = part[1]
            elif count == 2 and part[0] == "replica":
                self.replica = int(part[1])
            elif count == 2 and part[0] == "task":
                self.task = int(part[1])
            elif count in (1, 2) and part[0].upper() in ("CPU", "GPU"):
                if self.device_type is not None:
                    raise ValueError("Cannot specify multiple device types: %s" % spec)
                self.device_type = part[0].upper()
                if count == 2 and part[1] != "*":
                    self.device_index = int(part[1])
            elif count == 3 and part[0] == "device":
                if self.device_type is not None:
                    raise ValueError("Cannot specify multiple device types: %s" % spec)
                self.device_type = _device_type(part[1])
                if part[2] != "*":
                    self.device_index = int(part[2])
            elif part[0] != "":
                raise ValueError("Unknown attribute: '%s' in '%s'" % (part[0], spec))
        return self

    @classmethod
    def from_string(cls, spec):
        return cls().parse_from_string(spec)

    def merge_from(self, dev):
        for name in ("job", "replica", "task", "device_type", "device_index"):
            if getattr(dev, name) is not None:
                setattr(self, name, getattr(dev, name))

    def make_merged_spec(self, dev):
        merged = self.replace()
        merged.merge_from(dev)
        return merged

    def replace(self, **parts):
        names = ("job", "replica", "task", "device_type", "device_index")
        return DeviceSpec(**dict({name: getattr(self, name) for name in names}, **parts))

    def to_string(self):
        text = "".join("/%s:%s" % (name, getattr(self, name)) for name in ("job", "replica", "task")
                       if getattr(self, name) is not None)
        if self.device_type is not None:
            text += "/device:%s:%s" % (self.device_type, "*" if self.device_index is None else self.device_index)
        return text

    def __eq__(self, other):
        return isinstance(other, DeviceSpec) and self.to_string() == other.to_string()

    def __hash__(self):
        return hash(self.to_string())


def canonical_name(name):
    """The name with its parts in TensorFlow's order."""
    return DeviceSpec.from_string(name or "").to_string()


def merge_device(spec):
    """A device function: what an op has of the spec's parts is its own, the rest is the spec's."""
    default = spec if isinstance(spec, DeviceSpec) else DeviceSpec.from_string(spec or "")

    def choose(op):
        return default.make_merged_spec(DeviceSpec.from_string(op.device or "")).to_string()
    return choose


def list_local_devices(session_config=None):
    """Those of TensorFlow on a machine with processors only."""
    found = [DeviceAttributes("/device:CPU:%d" % i, "CPU", 1 << 28, 1, "") for i in range(n_processors(session_config))]
    return found + [DeviceAttributes("/device:XLA_CPU:0", "XLA_CPU", 1 << 34, 1, "device: XLA_CPU device")]


def n_processors(config):
    """Devices of the type CPU: as many as a session asks for, one at least."""
    counts = config.device_count if config is not None else {}
    return max(counts["CPU"], 1) if "CPU" in counts else 1


def placement(config):
    """How much the devices of its graph bind a session."""
    return Flow.Placement.SOFT if config is not None and config.allow_soft_placement else Flow.Placement.STRICT


# -- who has which variable

_ON_SERVERS = ("Variable", "VariableV2", "AutoReloadVariable", "MutableHashTable", "MutableHashTableV2",
               "MutableHashTableOfTensors", "MutableHashTableOfTensorsV2", "MutableDenseHashTable", "MutableDenseHashTableV2",
               "VarHandleOp", "BoostedTreesEnsembleResourceHandleOp", "BoostedTreesQuantileStreamResourceHandleOp",
               "ResourceConditionalAccumulator", "DecisionTreeResource")


def replica_device_setter(ps_tasks=0, ps_device="/job:ps", worker_device="/job:worker", merge_devices=True, cluster=None,
                          ps_ops=None, ps_strategy=None):
    """A device function: variables on the parameter servers, one after another, all else on the worker."""
    if cluster is not None:
        from ..sessions.cluster import ClusterSpec
        spec = ClusterSpec(cluster).as_dict()
        ps_tasks = len(spec.get(DeviceSpec.from_string(ps_device).job or "ps", []))
    if ps_tasks == 0:
        return None
    kinds = list(_ON_SERVERS) if ps_ops is None else ps_ops
    if ps_strategy is not None and not callable(ps_strategy):
        raise TypeError("ps_strategy must be callable")
    turn = [0]

    def round_robin(op):
        task = turn[0]
        turn[0] = (task + 1) % ps_tasks
        return task
    strategy = ps_strategy or round_robin

    def choose(op):
        if op.device and not merge_devices:
            return op.device
        current = DeviceSpec.from_string(op.device or "")
        if ps_device and op.type in kinds:
            chosen = DeviceSpec.from_string(ps_device)
            if chosen.job and (not current.job or current.job == chosen.job):
                chosen.task = strategy(op)
            chosen.merge_from(current)
            return chosen.to_string()
        chosen = DeviceSpec.from_string(worker_device or "")
        chosen.merge_from(current)
        return chosen.to_string()
    return choose
