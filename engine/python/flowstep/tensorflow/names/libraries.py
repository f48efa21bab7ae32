# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tensorflow.python.util's small helpers of libraries: names that were renamed, and what a module shows."""

import contextlib
import inspect
import sys


def deprecated_argument_lookup(new_name, new_value, old_name, old_value):
    """An argument's value, whichever of its two names it came by."""
    if old_value is None:
        return new_value
    if new_value is not None:
        raise ValueError("Cannot specify both '%s' and '%s'" % (old_name, new_name))
    return old_value


@contextlib.contextmanager
def silence():
    """Nothing is said of what is deprecated here anyway."""
    yield


def make_all(module_name, doc_string_modules=None):
    """What a module shows: its public names, and those that its texts mark by @@."""
    modules = [sys.modules[module_name]] if doc_string_modules is None else doc_string_modules
    marked = {line.strip()[2:].strip() for module in modules for line in (module.__doc__ or "").split("\n")
              if line.strip().startswith("@@")}
    own = sys.modules[module_name]
    public = {name for name, value in inspect.getmembers(own) if not name.startswith("_") and not inspect.ismodule(value)}
    return sorted(marked | (public & marked))


def remove_undocumented(module_name, allowed_exception_list=None, doc_string_modules=None):
    """Leaves a module the names that it shows, or is told to keep."""
    module = sys.modules[module_name]
    kept = set(make_all(module_name, doc_string_modules)) | set(allowed_exception_list or ())
    for name in [name for name in vars(module) if not name.startswith("_") and name not in kept]:
        delattr(module, name)
