# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What tf's modules say of a name that they do not have: they call themselves as TensorFlow's do."""

import sys
import types

# Parts of tf that TensorFlow takes from elsewhere.
_ELSEWHERE = {"keras": "tensorflow.python.keras.api._v1.keras", "flags": "tensorflow.python.platform.flags",
              "estimator": "tensorflow_estimator.python.estimator.api._v1.estimator"}


def _told(path):
    """TensorFlow's name of the module that is path below tf: it depends on which of the two tf the script imported."""
    first, _, rest = path.partition(".")
    if first == "contrib":
        imported = "tensorflow." + path
        return imported if rest and imported in sys.modules else "tensorflow_core." + path
    if first in _ELSEWHERE:
        return _ELSEWHERE[first] + path[len(first):]
    if "tensorflow.compat.v1" in sys.modules:
        return "tensorflow._api.v1.compat.v1" + ("." + path if path else "")
    return "tensorflow._api.v1." + path if path else "tensorflow"


def _tell(module, path):
    made = vars(module).get("__getattr__")

    def __getattr__(name):
        if made is not None:
            try:
                return made(name)
            except AttributeError:
                pass
        raise AttributeError("module '%s' has no attribute '%s'" % (_told(path), name))
    vars(module)["__getattr__"] = __getattr__


def install(tf):
    """For every module below tf, by the shortest way that leads to it."""
    seen, queue = {id(tf)}, [(tf, "")]
    for module, path in queue:
        _tell(module, path)
        for name, value in sorted(vars(module).items()):
            if isinstance(value, types.ModuleType) and value.__name__.startswith(tf.__name__ + ".") \
                    and name[0] != "_" and name not in ("python", "core") and id(value) not in seen:
                seen.add(id(value))
                queue.append((value, path + "." + name if path else name))
