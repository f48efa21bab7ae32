# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What asks in which mode TensorFlow runs: graphs are the one that there is."""

import contextlib

from . import graph as graph_lib

GRAPH_MODE, EAGER_MODE = 0, 1
SYNC, ASYNC = 0, 1
DEVICE_PLACEMENT_EXPLICIT, DEVICE_PLACEMENT_WARN, DEVICE_PLACEMENT_SILENT, DEVICE_PLACEMENT_SILENT_FOR_INT32 = range(4)


def executing_eagerly():
    return False


in_eager_mode = executing_eagerly


def in_graph_mode():
    return True


def v2_behavior_enabled():
    return False


@contextlib.contextmanager
def graph_mode():
    """The mode is the one that it was."""
    yield


def eager_mode():
    raise NotImplementedError("eager_mode: there is none where every op is run at once; build the graph and run it in a session")


def num_gpus():
    return 0


def device(name):
    return graph_lib.device(name)


class Context:
    """What TensorFlow keeps of a thread's mode."""

    summary_writer = None
    device_name = ""

    def executing_eagerly(self):
        return False

    def num_gpus(self):
        return 0


_context = Context()


def context():
    return _context
