# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.train.Server: tasks of a cluster, all of which are this process."""

import re
import socket
import threading
import weakref

from .. import errors
from ..framework import proto
from ..framework.devices import DeviceSpec
from . import cluster

# The servers that stand, by their sessions' target.
_standing = weakref.WeakValueDictionary()


def at(target):
    """The server of this process that a session speaks to, None where there is none."""
    return _standing.get(target.decode() if isinstance(target, bytes) else target or "")


def _only(what, choices):
    if len(choices) != 1:
        raise ValueError("Must specify an explicit `%s`." % what)
    return choices[0]


def _definition(server_or_cluster_def, job_name, task_index, protocol, config):
    definition = proto.message_class("ServerDef")()
    if type(server_or_cluster_def).__name__ == "ServerDef":
        definition.CopyFrom(server_or_cluster_def)
    else:
        try:
            spec = cluster.ClusterSpec(server_or_cluster_def)
        except TypeError:
            raise TypeError("Could not convert `server_or_cluster_def` to a `tf.train.ServerDef` or "
                            "`tf.train.ClusterSpec`.") from None
        definition.cluster.CopyFrom(spec.as_cluster_def())
        job_name = _only("job_name", spec.jobs) if job_name is None else job_name
        task_index = _only("task_index", spec.task_indices(job_name)) if task_index is None else task_index
        protocol = protocol or "grpc"
    for key, value in (("job_name", job_name), ("task_index", task_index), ("protocol", protocol)):
        if value is not None:
            setattr(definition, key, value)
    if config is not None:
        definition.default_session_config.MergeFrom(config)
    return definition


def _bound(address):
    """A socket at the task's port: no other server has it, and port 0 becomes one that is free."""
    taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        taken.bind(("", int(address.rpartition(":")[2])))
    except OSError:
        taken.close()
        raise errors.UnknownError(None, None, "Could not start gRPC server") from None
    return taken


class Server:
    """One task. Its sessions share what their graph's variables hold, as those of another process would."""

    def __init__(self, server_or_cluster_def, job_name=None, task_index=None, protocol=None, config=None, start=True):
        self.server_def = _definition(server_or_cluster_def, job_name, task_index, protocol, config)
        self._cluster = cluster.ClusterSpec(self.server_def.cluster)
        job_name, task_index = self.server_def.job_name, self.server_def.task_index
        if job_name not in self._cluster.jobs:
            raise errors.InternalError(None, None, 'Job "%s" was not defined in cluster' % job_name)
        if task_index not in self._cluster.task_indices(job_name):
            raise errors.InvalidArgumentError(None, None, 'Task %d was not defined in job "%s"' % (task_index, job_name))
        self._socket = _bound(self._cluster.task_address(job_name, task_index))
        self.target = "%s://localhost:%d" % (self.server_def.protocol, self._socket.getsockname()[1])
        # The engines of the graphs that its sessions run.
        self.engines, self.lock = weakref.WeakKeyDictionary(), threading.Lock()
        if start:
            self.start()

    def start(self):
        _standing[self.target] = self

    def join(self):
        """A task that others speak to waits for ever."""
        threading.Event().wait()

    @property
    def devices(self):
        return ["/job:%s/replica:0/task:%d/device:CPU:0" % (job, task)
                for job in sorted(self._cluster.jobs) for task in self._cluster.task_indices(job)]

    def told(self, text, op):
        """What went wrong in an op as the task that ran it reports it: who it is stands first, and what is held is its."""
        if text == "Timed out waiting for notification":
            return "Operation timed out."
        if "\t [[" not in text:
            return text
        place = DeviceSpec.from_string(op.device if op is not None else "")
        job = place.job or self.server_def.job_name
        task = self.server_def.task_index if place.task is None else place.task
        text = re.sub(r"{{node _retval_(.*_\d+)_\d+}}", r"{{node _send_\1}}", text)
        text = text.replace("from Container: localhost.", "from Container: %s." % job).replace(
            "Resource localhost/", "Resource %s/" % job)
        return "From /job:%s/replica:0/task:%d:\n%s" % (job, task, text)

    @staticmethod
    def create_local_server(config=None, start=True):
        return Server({"local": ["localhost:0"]}, protocol="grpc", config=config, start=start)


def create_local_cluster(num_workers, num_ps, protocol="grpc", worker_config=None, ps_config=None):
    """Servers of this process for so many tasks of two jobs."""
    ports = [_bound("localhost:0") for _ in range(num_workers + num_ps)]
    addresses = ["localhost:%d" % taken.getsockname()[1] for taken in ports]
    spec = cluster.ClusterSpec({"worker": addresses[:num_workers], "ps": addresses[num_workers:]})
    for taken in ports:
        taken.close()
    return tuple([Server(spec, job_name=job, task_index=i, protocol=protocol, config=config) for i in range(count)]
                 for job, count, config in (("worker", num_workers, worker_config), ("ps", num_ps, ps_config)))
