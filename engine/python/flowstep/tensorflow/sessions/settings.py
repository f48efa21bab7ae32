# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.config, tf.sysconfig, tf.resource_loader and libraries: settings of TensorFlow's runtime, which are kept and say what
they were set to, and where things are."""

import collections
import contextlib
import errno
import inspect
import os
import sys

from .. import dtypes, errors
from ..control import functional, tf_function
from ..saving.vocabularies import VocabInfo

PhysicalDevice = collections.namedtuple("PhysicalDevice", ["name", "device_type"])
LogicalDevice = collections.namedtuple("LogicalDevice", ["name", "device_type"])
_CPU = PhysicalDevice("/physical_device:CPU:0", "CPU")
_LOCAL = "/job:localhost/replica:0/task:0/device:CPU:0"
_POLICIES = ("silent", "silent_for_int32", "warn", "explicit")

_kept = {"soft_device_placement": False, "intra_op_parallelism_threads": 0, "inter_op_parallelism_threads": 0, "jit": False,
         "device_policy": "silent", "synchronous_execution": True, "log_device_placement": False}
_optimizer = {"disable_model_pruning": False, "disable_meta_optimizer": False}


def _pair(key, check=None):
    """get_KEY() and set_KEY()."""
    def get():
        return _kept[key]

    def put(value):
        if check is not None:
            check(value)
        _kept[key] = value
    get.__name__, put.__name__ = "get_" + key, "set_" + key
    return {"get_" + key: get, "set_" + key: put}


def _check_policy(value):
    if value not in _POLICIES + (None,):
        raise ValueError("Not a valid device policy: %r" % value)


def _refuse_log(value):
    raise RuntimeError("Device placement logging must be set at program startup")


def get_experimental_options():
    return dict(_optimizer)


def set_experimental_options(options):
    _optimizer.update(options)


def list_physical_devices(device_type=None):
    return [_CPU] if device_type in (None, "CPU") else []


def list_logical_devices(device_type=None):
    return [LogicalDevice(_LOCAL, "CPU")] if device_type in (None, "CPU") else []


def set_visible_devices(devices, device_type=None):
    for device in devices if isinstance(devices, (list, tuple)) else [devices]:
        if device != _CPU:
            raise ValueError("Unrecognized device: %s" % repr(device))


def get_memory_growth(device):
    return None


def set_memory_growth(device, enable):
    raise ValueError("Cannot set memory growth on non-GPU devices")


def get_virtual_device_configuration(device):
    return None


def _list_devices():
    return [_LOCAL]


# -- libraries: there is nothing here that could load one

def load_op_library(library_filename):
    if not os.path.exists(library_filename):
        raise errors.NotFoundError(None, None, "%s: cannot open shared object file: No such file or directory" %
                                   library_filename)
    raise errors.UnimplementedError(None, None, "%s: ops of libraries that were compiled for TensorFlow cannot be run; "
                                    "override their outputs or use ops of TensorFlow's" % library_filename)


def load_library(library_location):
    if not os.path.exists(library_location):
        raise OSError(errno.ENOENT, "The file or folder to load kernel libraries from does not exist.", library_location)
    load_op_library(library_location)


# -- how functions run, and when tensors are equal

@contextlib.contextmanager
def function_executor_type(executor_type):
    """Functions run as they do otherwise: there is one way here."""
    yield


def enable_tensor_equality():
    """In graphs a tensor goes on to be equal to itself alone."""
    _kept["tensor_equality"] = True


def disable_tensor_equality():
    _kept["tensor_equality"] = False


# -- files beside the script

def _folder(depth):
    return os.path.dirname(inspect.getfile(sys._getframe(depth)))


def get_data_files_path():
    return _folder(2)


def get_path_to_datafile(path):
    return os.path.join(_folder(2), path)


def get_root_dir_with_all_resources():
    return _folder(2)


def get_lib():
    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def get_include():
    """Where headers for ops of one's own would be; there are none."""
    return os.path.join(get_lib(), "include")


def get_compile_flags():
    return ["-I" + get_include(), "-D_GLIBCXX_USE_CXX11_ABI=0"]


def get_link_flags():
    return ["-L" + get_lib(), "-l:libtensorflow_framework.so.1"]


def load_resource(path):
    root = os.path.join(get_lib(), os.pardir)
    with open(os.path.abspath(os.path.join(root, path)), "rb") as file:
        return file.read()


def readahead_file_path(path, readahead="128M"):
    return path


def _quantized():
    kinds = [getattr(dtypes, name) for name in ("qint8", "quint8", "qint32", "qint16", "quint16")]
    return frozenset(kinds + [kind._as_ref for kind in kinds if hasattr(kind, "_as_ref")])


def _put(module, members):
    for name, value in members.items():
        if not hasattr(module, name):
            setattr(module, name, value)


def _module(tf, submodule, name):
    return getattr(tf, name) if hasattr(tf, name) else submodule(name)


def install(tf, submodule):
    """Fills tf.config and the others; submodule(name, **members) makes a module."""
    config = _module(tf, submodule, "config")
    for name in ("experimental", "threading", "optimizer"):
        if not hasattr(config, name):
            submodule("config." + name)
    _put(config, dict(_pair("soft_device_placement"), experimental_list_devices=_list_devices))
    _put(config.threading, dict(_pair("intra_op_parallelism_threads"), **_pair("inter_op_parallelism_threads")))
    _put(config.optimizer, dict(_pair("jit"), get_experimental_options=get_experimental_options,
                                set_experimental_options=set_experimental_options))
    _put(config, {"experimental_run_functions_eagerly": tf_function.experimental_run_functions_eagerly})
    _put(config.experimental, dict(
        _pair("device_policy", _check_policy), **_pair("synchronous_execution"), get_visible_devices=list_physical_devices,
        **{f.__name__: f for f in (list_physical_devices, list_logical_devices, set_visible_devices, get_memory_growth,
                                   set_memory_growth, get_virtual_device_configuration)}))
    _put(_module(tf, submodule, "debugging"), _pair("log_device_placement", _refuse_log))
    _put(_module(tf, submodule, "resource_loader"), {f.__name__: f for f in (
        get_data_files_path, get_path_to_datafile, get_root_dir_with_all_resources, load_resource, readahead_file_path)})
    _put(_module(tf, submodule, "sysconfig"), dict(
        {f.__name__: f for f in (get_compile_flags, get_include, get_lib, get_link_flags)}, CXX11_ABI_FLAG=0, MONOLITHIC_BUILD=0))
    _put(tf.train, {"VocabInfo": VocabInfo})
    _put(tf.estimator, {"VocabInfo": VocabInfo})
    quantized = _quantized()
    _put(tf.dtypes, {"QUANTIZED_DTYPES": quantized})
    _put(tf, {"CXX11_ABI_FLAG": 0, "MONOLITHIC_BUILD": 0, "QUANTIZED_DTYPES": quantized, "load_library": load_library,
              "load_op_library": load_op_library, "load_file_system_library": load_op_library})
    _put(_module(tf, submodule, "experimental"), {f.__name__: f for f in (
        function_executor_type, functional.output_all_intermediates)})
    _put(tf, {"enable_tensor_equality": enable_tensor_equality, "disable_tensor_equality": disable_tensor_equality})
