# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Names that Python and numpy had while TensorFlow 1 was made, and have no more: scripts of its time run unchanged."""

import collections
import collections.abc
import inspect

_NUMPY = {"bool": bool, "int": int, "float": float, "complex": complex, "object": object, "str": str, "unicode": str,
          "long": int}
_COLLECTIONS = """Awaitable AsyncIterator Callable Container Hashable ItemsView Iterable Iterator KeysView Mapping MappingView
    MutableMapping MutableSequence MutableSet Sequence Set Sized ValuesView""".split()
_ArgSpec = collections.namedtuple("ArgSpec", "args varargs keywords defaults")


def _getargspec(function):
    found = inspect.getfullargspec(function)
    if found.kwonlyargs or found.annotations:
        raise ValueError("Function has keyword-only parameters or annotations, "
                         "use inspect.signature() API which can support them")
    return _ArgSpec(found.args, found.varargs, found.varkw, found.defaults)


def _add(module, name, value):
    # What is still there stays as it is, and asking for an old name of numpy's would warn.
    if name not in vars(module):
        setattr(module, name, value)


def restore():
    """Gives the modules back what they lack."""
    import time
    import numpy as np
    for name, value in _NUMPY.items():
        _add(np, name, value)
    _add(np, "asscalar", lambda a: a.item())
    for name in _COLLECTIONS:
        _add(collections, name, getattr(collections.abc, name))
    _add(inspect, "getargspec", _getargspec)
    _add(time, "clock", time.perf_counter)
