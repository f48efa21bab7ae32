# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What of this package is tf's: its own modules stay out of tf, whenever they are loaded."""

import sys
import types

# Modules of this package that are TensorFlow's too, under the same names.
_PUBLIC = frozenset("""autograph contrib dtypes errors keras layers losses metrics nest nn sets summary
    tools""".split())
# Packages that scripts import from, and that dir (tf) does not tell of.
_UNTOLD = frozenset("core examples python tools".split())


def _is_own(tf_name, name, value):
    return isinstance(value, types.ModuleType) and name not in _PUBLIC and value.__name__ == tf_name + "." + name and \
        getattr(value, "__file__", None) is not None and name not in _UNTOLD


class _Face(types.ModuleType):
    """tf: Python puts each module of a package into the package as it is loaded; here only those that are public."""

    def __setattr__(self, name, value):
        if not _is_own(self.__name__, name, value):
            super().__setattr__(name, value)

    def __dir__(self):
        return [name for name in vars(self) if name not in _UNTOLD]


def close(tf):
    """From now on tf has its public names alone; `from . import` goes on to find the package's modules."""
    for name in tf._OPS:   # made when they are asked for; dir (tf) tells of them
        getattr(tf, name)
    for name, value in list(vars(tf).items()):
        if _is_own(tf.__name__, name, value):
            delattr(tf, name)
    sys.modules[tf.__name__].__class__ = _Face
