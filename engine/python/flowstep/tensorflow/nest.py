# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Values in lists, tuples, named tuples and dictionaries, any depth: what tf.contrib.framework.nest does."""

import collections.abc

# Values that are several tensors: class -> (their parts, the value of other parts).
_composites = {}
# class -> what tells of a value of it which others may stand in its place.
_specs = {}


def register_composite(kind, components, rebuild):
    """components (value) gives its parts in order; rebuild (value, parts) one like it of other parts."""
    _composites[kind] = (components, rebuild)


def register_composite_spec(kind, function):
    _specs[kind] = function


def is_composite(value):
    return type(value) in _composites


def is_sequence(value):
    return isinstance(value, (collections.abc.Sequence, collections.abc.Mapping, collections.abc.MappingView)) and \
        not isinstance(value, (str, bytes)) or hasattr(type(value), "__attrs_attrs__")


is_nested = is_sequence


def is_sequence_or_composite(value):
    return is_sequence(value) or is_composite(value)


def _keys(value):
    try:
        return sorted(value)
    except TypeError:
        raise TypeError("nest only supports dicts with sortable keys.") from None


def _items(value, composites):
    """What is directly inside, or None."""
    if isinstance(value, collections.abc.Mapping):
        return [value[k] for k in _keys(value)]
    if hasattr(type(value), "__attrs_attrs__"):
        return [getattr(value, a.name) for a in type(value).__attrs_attrs__]
    if is_sequence(value):
        return list(value)
    if composites and is_composite(value):
        return list(_composites[type(value)][0](value))
    return None


def _like(value, items):
    """The items in a structure as value is one."""
    if isinstance(value, collections.abc.Mapping):
        found = dict(zip(_keys(value), items))
        pairs = ((k, found[k]) for k in value)
        if type(value).__name__ == "defaultdict":
            return type(value)(value.default_factory, pairs)
        return type(value)(pairs)
    if is_composite(value):
        return _composites[type(value)][1](value, items)
    if hasattr(value, "_fields") or hasattr(type(value), "__attrs_attrs__"):
        return type(value)(*items)
    # No view can be made without its dictionary.
    return list(items) if isinstance(value, collections.abc.MappingView) else type(value)(items)


def flatten(structure, expand_composites=False):
    items = _items(structure, expand_composites)
    if items is None:
        return [structure]
    return [leaf for item in items for leaf in flatten(item, expand_composites)]


def _text(value):
    return "type=%s str=%s" % (type(value).__name__, value)


def _differ_in_spec(a, b):
    first, second = _specs[type(a)](a), _specs[type(b)](b)
    try:
        first.most_specific_compatible_type(second)
    except (TypeError, ValueError):
        return ValueError, "Incompatible CompositeTensor TypeSpecs: %s vs. %s" % (_text(first), _text(second))
    return None


def _differ(a, b, check_types, composites):
    """(exception, text) where two structures differ first, or None."""
    first, second = _items(a, composites), _items(b, composites)
    if (first is None) != (second is None):
        with_items, without = (a, b) if first is not None else (b, a)
        return ValueError, "Substructure \"%s\" is a sequence, while substructure \"%s\" is not" % (
            _text(with_items), _text(without))
    if first is None:
        return None
    maps = isinstance(a, collections.abc.Mapping) and isinstance(b, collections.abc.Mapping)
    same_names = getattr(a, "_fields", None) is not None and type(a).__name__ == type(b).__name__ and \
        a._fields == getattr(b, "_fields", None)
    if check_types and type(a) is not type(b) and not maps and not same_names:
        return TypeError, "The two namedtuples don't have the same sequence type. First structure %s has type %s, while " \
            "second structure %s has type %s" % (_text(a), type(a).__name__, _text(b), type(b).__name__)
    if composites and type(a) is type(b) and type(a) in _specs:
        return _differ_in_spec(a, b)
    if maps and set(a) != set(b):
        return ValueError, "The two dictionaries don't have the same set of keys. First structure has keys %s, while " \
            "second structure has keys %s" % (_text(list(a)), _text(list(b)))
    for x, y in zip(first, second):
        found = _differ(x, y, check_types, composites)
        if found is not None:
            return found
    if len(first) != len(second):
        return ValueError, "The two structures don't have the same number of elements. First structure: %s. Second " \
            "structure: %s" % (_text(a), _text(b))
    return None


class _Dot:
    def __repr__(self):
        return "."


def assert_same_elements(nest1, nest2, check_types=True, expand_composites=False, more=lambda: ""):
    """As tf.data tells that two structures differ."""
    found = _differ(nest1, nest2, check_types, expand_composites)
    if found is not None:
        kind, why = found
        raise kind("The two structures don't have the same nested structure.\n\nFirst structure: %s\n\n"
                   "Second structure: %s\n\nMore specifically: %s%s" % (_text(nest1), _text(nest2), why, more()))


def assert_same_structure(nest1, nest2, check_types=True, expand_composites=False):
    assert_same_elements(
        nest1, nest2, check_types, expand_composites,
        lambda: "\nEntire first structure:\n%s\nEntire second structure:\n%s" % (
            map_structure(lambda _: _Dot(), nest1), map_structure(lambda _: _Dot(), nest2)))


def _pack(structure, leaves, composites):
    items = _items(structure, composites)
    if items is None:
        return next(leaves)
    return _like(structure, [_pack(item, leaves, composites) for item in items])


def pack_sequence_as(structure, flat_sequence, expand_composites=False):
    if not is_sequence(flat_sequence):
        raise TypeError("flat_sequence must be a sequence")
    flat_sequence = list(flat_sequence)
    if not is_sequence(structure) and not (expand_composites and is_composite(structure)):
        if len(flat_sequence) != 1:
            raise ValueError("Structure is a scalar but len(flat_sequence) == %d > 1" % len(flat_sequence))
        return flat_sequence[0]
    count = len(flatten(structure, expand_composites))
    if count != len(flat_sequence):
        raise ValueError("Could not pack sequence. Structure had %d elements, but flat_sequence had %d elements.  "
                         "Structure: %s, flat_sequence: %s." % (count, len(flat_sequence), structure, flat_sequence))
    return _pack(structure, iter(flat_sequence), expand_composites)


def map_structure(func, *structure, check_types=True, expand_composites=False, **_):
    if not callable(func):
        raise TypeError("func must be callable, got: %s" % func)
    if not structure:
        raise ValueError("Must provide at least one structure")
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types, expand_composites)
    leaves = zip(*[flatten(s, expand_composites) for s in structure])
    return pack_sequence_as(structure[0], [func(*x) for x in leaves], expand_composites)


def flatten_up_to(shallow_tree, input_tree, **_):
    """input_tree's items as deep as shallow_tree goes."""
    items = _items(shallow_tree, False)
    if items is None:
        return [input_tree]
    inside = _items(input_tree, False)
    if inside is None:
        raise TypeError("If shallow structure is a sequence, input must also be a sequence. Input has type: %s." %
                        type(input_tree))
    if len(items) != len(inside):
        raise ValueError("The two structures don't have the same sequence length. Input structure has length %s, while "
                         "shallow structure has length %s." % (len(inside), len(items)))
    return [leaf for a, b in zip(items, inside) for leaf in flatten_up_to(a, b)]


def map_structure_up_to(shallow_tree, func, *inputs, **_):
    flat = [flatten_up_to(shallow_tree, value) for value in inputs]
    return pack_sequence_as(shallow_tree, [func(*x) for x in zip(*flat)])
