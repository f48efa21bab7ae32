# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Running a script: the modules it imports as tensorflow are ours, everything else is as for python3 SCRIPT."""

import importlib
import importlib.abc
import importlib.machinery
import os
import runpy
import sys

_ALIASES = {
    "tensorflow": "flowstep.tensorflow",
    "horovod": "flowstep.horovod",
}
# Of a library that scripts import beside TensorFlow: only what is made for our messages.
_BESIDE = {
    "google.protobuf.text_format": "flowstep.tensorflow.framework.proto_text",
}


class _Loader(importlib.abc.Loader):
    def __init__(self, target):
        self._target = target

    def create_module(self, spec):
        return importlib.import_module(self._target)

    def exec_module(self, module):
        pass


class _Finder(importlib.abc.MetaPathFinder):
    """Finds tensorflow.X where flowstep.tensorflow has X as a module."""

    def find_spec(self, name, path=None, target=None):
        if name in _BESIDE:
            return importlib.machinery.ModuleSpec(name, _Loader(_BESIDE[name]))
        if any(beside.startswith(name + ".") for beside in _BESIDE):
            return self._package(name)
        top, _, rest = name.partition(".")
        if top not in _ALIASES:
            return None
        ours = _ALIASES[top] + ("." + rest if rest else "")
        if ours not in sys.modules:
            importlib.import_module(_ALIASES[top])
        if ours not in sys.modules and self._elsewhere(ours) is None and not self._is_here(ours):
            return None
        return importlib.machinery.ModuleSpec(name, _Loader(ours), is_package=True)

    @staticmethod
    def _elsewhere(name):
        """Names of modules that TensorFlow has and we keep in others."""
        from flowstep.tensorflow.names import python_paths
        return python_paths.find(name)

    @staticmethod
    def _is_here(name):
        """Nothing is below a folder that is not there, and the script's words for that are its own."""
        try:
            return importlib.util.find_spec(name) is not None
        except ModuleNotFoundError:
            return False

    def _package(self, name):
        """The library's own package where it is installed, else an empty one."""
        for finder in sys.meta_path:
            if finder is not self and hasattr(finder, "find_spec"):
                spec = finder.find_spec(name, getattr(sys.modules.get(name.rpartition(".")[0]), "__path__", None))
                if spec is not None:
                    return spec
        return importlib.machinery.ModuleSpec(name, None, is_package=True)


def install():
    """From now on import tensorflow gives flowstep.tensorflow."""
    if not any(isinstance(f, _Finder) for f in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


def main():
    """Runs the script named on the command line; --debug-fd=N before it serves a window over that socket."""
    if len(sys.argv) > 1 and sys.argv[1].startswith("--debug-fd="):
        from flowstep import debug
        fd = int(sys.argv.pop(1).partition("=")[2])
        debug.main(fd, _run)
        return
    _run()


def _run():
    is_old = len(sys.argv) > 1 and sys.argv[1] == "--python2"
    if is_old:
        del sys.argv[1]
    if len(sys.argv) < 2:
        sys.exit("usage: python3 -m flowstep [--python2] SCRIPT [ARG...]")
    install()
    from flowstep import old_names
    old_names.restore()
    del sys.argv[0]
    # As python3 SCRIPT has it: the script's folder first, not the package's.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    if is_old:
        from flowstep import python2
        _run.names = python2.run(sys.argv[0])
    else:
        _run.names = runpy.run_path(sys.argv[0], run_name="__main__")
