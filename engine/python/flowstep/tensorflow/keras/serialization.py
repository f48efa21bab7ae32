# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Objects as plain values, and back: tf.keras.utils' functions, and the scope of classes that a program adds."""

import codecs
import contextlib
import inspect
import json
import marshal
import sys
import types

import numpy as np

_CUSTOM = {}   # classes and functions of the program, by name


def get_custom_objects():
    return _CUSTOM


class CustomObjectScope:
    """with CustomObjectScope({"Name": thing}): names within it."""

    def __init__(self, *arguments):
        self._added, self._before = arguments, None

    def __enter__(self):
        self._before = dict(_CUSTOM)
        for added in self._added:
            _CUSTOM.update(added)
        return self

    def __exit__(self, *_):
        _CUSTOM.clear()
        _CUSTOM.update(self._before)


def custom_object_scope(*arguments):
    return CustomObjectScope(*arguments)


def serialize_keras_object(instance):
    if instance is None:
        return None
    if hasattr(instance, "get_config"):
        return {"class_name": type(instance).__name__, "config": instance.get_config()}
    if hasattr(instance, "__name__"):
        return instance.__name__
    raise ValueError("Cannot serialize", instance)


def _class_of(config, known, custom_objects, what):
    if not isinstance(config, dict) or "class_name" not in config or "config" not in config:
        raise ValueError("Improper config format: " + str(config))
    name = config["class_name"]
    for names in (custom_objects or {}, _CUSTOM, known):
        if name in names:
            return names[name]
    raise ValueError("Unknown " + what + ": " + name)


def deserialize_keras_object(identifier, module_objects=None, custom_objects=None, printable_module_name="object"):
    known = module_objects or {}
    if identifier is None:
        return None
    if isinstance(identifier, dict):
        cls = _class_of(identifier, known, custom_objects, printable_module_name)
        config = identifier["config"]
        if not hasattr(cls, "from_config"):
            with CustomObjectScope(custom_objects or {}):
                return cls(**config)
        if "custom_objects" in inspect.signature(cls.from_config).parameters:
            return cls.from_config(config, custom_objects=dict(_CUSTOM, **(custom_objects or {})))
        with CustomObjectScope(custom_objects or {}):
            return cls.from_config(config)
    if isinstance(identifier, str):
        for names in (custom_objects or {}, _CUSTOM):
            if identifier in names:
                return names[identifier]
        found = known.get(identifier)
        if found is None:
            raise ValueError("Unknown " + printable_module_name + ":" + identifier)
        return found() if isinstance(found, type) else found
    if callable(identifier):
        return identifier
    raise ValueError("Could not interpret serialized %s: %s" % (printable_module_name, identifier))


def pair(known, what):
    """serialize() and deserialize() of a module whose names these are."""
    def deserialize(config, custom_objects=None):
        return deserialize_keras_object(config, known, custom_objects, what)

    def serialize(instance):
        return serialize_keras_object(instance)
    return {"serialize": serialize, "deserialize": deserialize}


# -- functions of Lambda layers

def _dump(function):
    code = codecs.encode(marshal.dumps(function.__code__), "base64").decode("ascii")
    closure = tuple(cell.cell_contents for cell in function.__closure__) if function.__closure__ else None
    return code, function.__defaults__, closure


def function_to_config(function):
    """A lambda as its code, a function as its name, anything else as it is; with the kind and the module."""
    if isinstance(function, types.LambdaType) and function.__name__ == "<lambda>":
        return _dump(function), "lambda", function.__module__
    if callable(function):
        return function.__name__, "function", function.__module__
    return function, "raw", None


def function_from_config(value, kind, module, custom_objects=None):
    scope = dict(vars(sys.modules[module])) if module in sys.modules else dict(globals())
    scope.update(custom_objects or {}, **_CUSTOM)
    if kind == "function":
        return deserialize_keras_object(value, scope, custom_objects, "function in Lambda layer")
    if kind == "lambda":
        code, defaults, closure = value
        cells = None if closure is None else tuple(types.CellType(item) for item in closure)
        raw = marshal.loads(codecs.decode(code.encode("ascii"), "base64"))
        return types.FunctionType(raw, scope, argdefs=None if defaults is None else tuple(defaults), closure=cells)
    return value


def plain(value):
    """What JSON has no word for: json.dumps(default=...)."""
    if hasattr(value, "get_config"):
        return {"class_name": type(value).__name__, "config": value.get_config()}
    if type(value).__module__ == np.__name__:
        return value.tolist() if isinstance(value, np.ndarray) else value.item()
    if callable(value):
        return value.__name__
    if hasattr(value, "as_list"):
        return value.as_list()
    if hasattr(value, "as_numpy_dtype"):
        return value.name
    raise TypeError("Not JSON Serializable:", value)


def to_json(value, **keywords):
    return json.dumps(value, default=plain, **keywords)


@contextlib.contextmanager
def scope_of(custom_objects):
    with CustomObjectScope(custom_objects or {}):
        yield
