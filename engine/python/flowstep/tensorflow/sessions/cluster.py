# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.train.ClusterSpec: which jobs there are, and where their tasks are."""

from ..framework import proto


def _tasks(job, tasks):
    """The addresses of a job's tasks by their numbers."""
    if isinstance(tasks, (list, tuple)):
        return dict(enumerate(_address(job, address) for address in tasks))
    if isinstance(tasks, dict):
        return {int(index): _address(job, address) for index, address in tasks.items()}
    raise TypeError("The tasks for job %r must be a list or a dictionary from integers to strings." % job)


def _address(job, address):
    if isinstance(address, bytes):
        address = address.decode()
    if not isinstance(address, str):
        raise TypeError("Task address %r must be bytes or unicode" % (address,))
    return address


class ClusterSpec:
    def __init__(self, cluster):
        if isinstance(cluster, dict):
            self._jobs = {job: _tasks(job, tasks) for job, tasks in cluster.items()}
        elif isinstance(cluster, ClusterSpec):
            self._jobs = {job: dict(tasks) for job, tasks in cluster._jobs.items()}
        elif hasattr(cluster, "job"):
            self._jobs = {job.name: {int(i): address for i, address in job.tasks.items()} for job in cluster.job}
        else:
            raise TypeError("`cluster` must be a dictionary mapping one or more job names to lists of network addresses, or "
                            "a `ClusterDef` protocol buffer")
        for job in self._jobs:
            if not isinstance(job, str):
                raise TypeError("Job name %r must be bytes or unicode" % (job,))

    def __bool__(self):
        return bool(self._jobs)

    def __eq__(self, other):
        return isinstance(other, ClusterSpec) and self._jobs == other._jobs

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(str(self))

    def __repr__(self):
        listed = self.as_dict()
        return "ClusterSpec({" + ", ".join("%r: %r" % (job, listed[job]) for job in sorted(listed)) + "})"

    def _job(self, job_name):
        if job_name not in self._jobs:
            raise ValueError("No such job in cluster: %r" % job_name)
        return self._jobs[job_name]

    jobs = property(lambda self: list(self._jobs))

    def as_dict(self):
        """Jobs whose tasks have no gaps as lists, others as they are."""
        return {job: [tasks[i] for i in range(len(tasks))] if sorted(tasks) == list(range(len(tasks))) else dict(tasks)
                for job, tasks in self._jobs.items()}

    def num_tasks(self, job_name):
        return len(self._job(job_name))

    def task_indices(self, job_name):
        return list(sorted(self._job(job_name)))

    def task_address(self, job_name, task_index):
        tasks = self._job(job_name)
        if task_index not in tasks:
            raise ValueError("No task with index %r in job %r" % (task_index, job_name))
        return tasks[task_index]

    def job_tasks(self, job_name):
        tasks = self._job(job_name)
        return [tasks.get(i) for i in range(max(tasks) + 1)] if tasks else []

    def as_cluster_def(self):
        definition = proto.message_class("ClusterDef")()
        for job in sorted(self._jobs):
            listed = definition.job.add()
            listed.name = job
            for index, address in sorted(self._jobs[job].items()):
                listed.tasks[index] = address
        return definition
