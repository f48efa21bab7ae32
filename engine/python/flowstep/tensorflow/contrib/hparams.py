# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.training.HParams: named settings, each of the type that it began with, changed by text, JSON or by hand."""

import json
import numbers
import re

_PART = re.compile(r"(?P<name>[a-zA-Z][\w.]*)(?:\[\s*(?P<index>\d+)\s*\])?\s*=\s*"
                   r"(?:\[(?P<items>[^\]]*)\]|(?P<value>[^,\[]*))(?:$|,\s*)")


def _could_not_cast(name, kind, value):
    return ValueError("Could not cast hparam '%s' of type '%s' from value %r" % (name, kind, value))


def _cast(kind, value, name):
    """The value as that type, where that loses nothing and mixes nothing up."""
    if kind is type(None):
        raise _could_not_cast(name, kind, value)
    if isinstance(value, kind) and (kind is bool) == isinstance(value, bool):
        return value
    if isinstance(value, str) != issubclass(kind, (str, bytes)) or isinstance(value, bool) != (kind is bool) or \
            issubclass(kind, numbers.Integral) and not isinstance(value, numbers.Integral) or \
            not isinstance(value, (str, bytes, numbers.Number)):
        raise _could_not_cast(name, kind, value)
    return kind(value)


def _parse(kind, text, name, whole):
    """One value of that type from a text."""
    if kind is bool:
        if text in ("true", "True", "false", "False"):
            return text in ("true", "True")
    try:
        return bool(int(text)) if kind is bool else kind(text)
    except ValueError:
        pass
    raise ValueError("Could not parse hparam '%s' of type '%s' with value '%s' in %s" % (name, kind.__name__, text, whole))


def _put(found, name, index, value, whole):
    """TF: a name comes once, or once with each index."""
    kept = found.setdefault(name, {}) if index is not None else found
    key = name if index is None else int(index)
    if not isinstance(kept, dict) or key in kept:
        raise ValueError("Multiple assignments to variable '%s' in %s" % (
            name if index is None or not isinstance(kept, dict) else "%s[%d]" % (name, key), whole))
    kept[key] = value


def parse_values(values, type_map, ignore_unknown=False):
    """"a=1,b=[2,3],c[1]=2" as a dictionary: all of it, or an error."""
    found, at = {}, 0
    while at < len(values):
        match = _PART.match(values, at)
        if match is None:
            raise ValueError("Malformed hyperparameter value: %s" % values[at:])
        at = match.end()
        name, index = match.group("name"), match.group("index")
        if name not in type_map:
            if ignore_unknown:
                continue
            raise ValueError("Unknown hyperparameter type for %s" % name)
        kind = type_map[name]
        if match.group("items") is None:
            _put(found, name, index, _parse(kind, match.group("value"), name, values), values)
            continue
        if index is not None:
            raise ValueError("Assignment of a list to a list index.")
        try:
            items = [_parse(kind, text, name, values) for text in re.split("[ ,]", match.group("items")) if text]
        except ValueError:
            # TF: the whole list is told, but where an item is no truth value.
            if kind is bool:
                raise
            raise ValueError("Could not parse hparam '%s' of type '%s' with value '%s' in %s" % (
                name, kind.__name__, match.group("items"), values)) from None
        _put(found, name, None, items, values)
    return found


class HParams:
    """Settings as attributes."""

    def __init__(self, hparam_def=None, model_structure=None, **kwargs):
        self._hparam_types = {}
        self._model_structure = model_structure
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    def add_hparam(self, name, value):
        if getattr(self, name, None) is not None:
            raise ValueError("Hyperparameter name is reserved: %s" % name)
        if isinstance(value, (list, tuple)):
            if not value:
                raise ValueError("Multi-valued hyperparameters cannot be empty: %s" % name)
            self._hparam_types[name] = (type(value[0]), True)
        else:
            self._hparam_types[name] = (type(value), False)
        setattr(self, name, value)

    def set_hparam(self, name, value):
        kind, is_list = self._hparam_types[name]
        if isinstance(value, list):
            if not is_list:
                raise ValueError("Must not pass a list for single-valued parameter: %s" % name)
            setattr(self, name, [_cast(kind, v, name) for v in value])
        else:
            if is_list:
                raise ValueError("Must pass a list for multi-valued parameter: %s." % name)
            setattr(self, name, _cast(kind, value, name))

    def del_hparam(self, name):
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def parse(self, values):
        return self.override_from_dict(parse_values(values, {name: kind for name, (kind, _) in self._hparam_types.items()}))

    def override_from_dict(self, values_dict):
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    set_from_map = override_from_dict

    def parse_json(self, values_json):
        return self.override_from_dict(json.loads(values_json))

    def set_model_structure(self, model_structure):
        self._model_structure = model_structure

    def get_model_structure(self):
        return self._model_structure

    def values(self):
        return {name: getattr(self, name) for name in self._hparam_types}

    def to_json(self, indent=None, separators=None, sort_keys=False):
        return json.dumps({k: v for k, v in self.values().items() if not callable(v)}, indent=indent, separators=separators,
                          sort_keys=sort_keys)

    def get(self, key, default=None):
        if key not in self._hparam_types:
            return default
        if default is None:
            return getattr(self, key)
        kind, is_list = self._hparam_types[key]
        text = "Hparam '%s' of type '%s' is incompatible with default=%s" % (key, "list<%s>" % kind if is_list else kind, default)
        if is_list != isinstance(default, list):
            raise ValueError(text)
        try:
            for item in default if is_list else [default]:
                _cast(kind, item, key)
        except ValueError as error:
            raise ValueError("%s. %s" % (text, error)) from None
        return getattr(self, key)

    def __contains__(self, key):
        return key in self._hparam_types

    def __str__(self):
        return ",".join("%s=%s" % (name, value) for name, value in self.values().items())

    def __repr__(self):
        return "HParams(%s)" % str(sorted(self.values().items(), key=lambda item: item[0]))
