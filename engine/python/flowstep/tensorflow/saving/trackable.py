# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The graph of objects that a checkpoint keeps: who has whom under which name, and what is saved of each."""

import collections

from ..framework.proto import message_class
from ..state import variables

VALUE = "VARIABLE_VALUE"
GRAPH_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"

Child = collections.namedtuple("Child", ["name", "ref"])


class AutoTrackable:
    """An object whose attributes are kept when they are themselves objects of a checkpoint."""

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        children = self.__dict__.setdefault("_children", {})
        if is_trackable(value):
            children[name] = value
        elif isinstance(value, (list, tuple, dict)):
            children[name] = _Holder.of(value, children.get(name))
        else:
            children.pop(name, None)

    def __delattr__(self, name):
        object.__delattr__(self, name)
        self.__dict__.get("_children", {}).pop(name, None)

    def _trackable_children(self):
        return [Child(name, ref) for name, ref in self.__dict__.get("_children", {}).items()
                if not isinstance(ref, _Holder) or ref._trackable_children()]


class _Holder:
    """A list or dictionary within the graph: an object of its own, whose children are what it has."""

    def __init__(self, value):
        self.value = value

    @classmethod
    def of(cls, value, known=None):
        return known if isinstance(known, cls) and known.value is value else cls(value)

    def _trackable_children(self):
        named = self.value.items() if isinstance(self.value, dict) else enumerate(self.value)
        held = self.__dict__.setdefault("_held", {})
        found = []
        for key, item in named:
            if isinstance(item, (list, tuple, dict)):
                item = held[key] = _Holder.of(item, held.get(key))
            if is_trackable(item) and (not isinstance(item, _Holder) or item._trackable_children()):
                found.append(Child(str(key), item))
        return found


def is_trackable(value):
    return isinstance(value, variables.Variable) or hasattr(type(value), "_trackable_children") or bool(own_saveables(value))


def own_saveables(item):
    """What makes those that are saved of an object that is no variable, by the names of its attributes."""
    if isinstance(item, variables.Variable) or not hasattr(type(item), "_gather_saveables_for_checkpoint"):
        return {}
    return item._gather_saveables_for_checkpoint()


def children(item):
    """What an object has, by name, in the order in which it got it."""
    return item._trackable_children() if hasattr(type(item), "_trackable_children") else []


def _escaped(name):
    return name.replace(".", "..").replace("/", ".S")


class ObjectGraph:
    """The objects that one leads to, breadth first, and after them the slots that optimizers have for them."""

    def __init__(self, root):
        self.objects, self.ids, self._paths = [], {}, {id(root): ()}
        waiting = collections.deque([root])
        while waiting:
            item = waiting.popleft()
            self._add(item)
            for name, ref in children(item):
                if id(ref) not in self._paths:
                    self._paths[id(ref)] = self._paths[id(item)] + (name,)
                    waiting.append(ref)
        self._names = {key: "/".join(map(_escaped, path)) for key, path in self._paths.items()}
        self._plain = len(self.objects)
        self.slots = {}
        for optimizer in [item for item in self.objects if hasattr(item, "get_slot_names")]:
            self._add_slots(optimizer)

    def _add(self, item):
        self.ids[id(item)] = len(self.objects)
        self.objects.append(item)

    def _add_slots(self, optimizer):
        for slot_name in optimizer.get_slot_names():
            for original in self.objects[:self._plain]:
                slot = slot_of(optimizer, original, slot_name)
                if slot is None:
                    continue
                if id(slot) in self.ids:
                    raise NotImplementedError("A slot variable was re-used as a dependency of a Trackable object. This is "
                                              "not currently allowed. File a feature request if this limitation bothers you.")
                self._names[id(slot)] = "%s/.OPTIMIZER_SLOT/%s/%s" % (
                    self._names[id(original)], self._names[id(optimizer)], _escaped(slot_name))
                self._add(slot)
                self.slots.setdefault(id(optimizer), []).append((self.ids[id(original)], slot_name, self.ids[id(slot)]))

    def key(self, item, attribute=VALUE):
        return "%s/.ATTRIBUTES/%s" % (self._names[id(item)], attribute)

    def holders(self):
        """The objects of which something is saved."""
        return [item for item in self.objects if isinstance(item, variables.Variable) or own_saveables(item)]

    def saved(self, known):
        """What is saved, by key; known has what was made of objects before, by key too."""
        found = {}
        for item in self.holders():
            if isinstance(item, variables.Variable):
                found[self.key(item)] = item
            for attribute, make in own_saveables(item).items():
                key = self.key(item, attribute)
                found[key] = known[key] = known.get(key) or make(name=key)
        return found

    def to_proto(self):
        proto = message_class("TrackableObjectGraph")()
        for item in self.objects:
            node = proto.nodes.add()
            for name, ref in children(item):
                child = node.children.add()
                child.node_id, child.local_name = self.ids[id(ref)], name
            for original, slot_name, slot in self.slots.get(id(item), ()):
                reference = node.slot_variables.add()
                reference.original_variable_node_id, reference.slot_name = original, slot_name
                reference.slot_variable_node_id = slot
            if isinstance(item, variables.Variable):
                attribute = node.attributes.add()
                attribute.name, attribute.full_name, attribute.checkpoint_key = VALUE, item._shared_name, self.key(item)
            for own in own_saveables(item):
                attribute = node.attributes.add()
                attribute.name, attribute.checkpoint_key = own, self.key(item, own)
        return proto


def slot_of(optimizer, variable, slot_name):
    """The slot that an optimizer has for a variable, or None."""
    if not isinstance(variable, variables.Variable):
        return None
    try:
        return optimizer.get_slot(variable, slot_name)
    except (KeyError, AttributeError):
        return None


def node_names(proto):
    """The nodes of a saved graph as people read them, by their numbers."""
    paths, waiting = {0: "(root)"}, collections.deque([0])
    while waiting:
        number = waiting.popleft()
        for child in proto.nodes[number].children:
            if child.node_id not in paths:
                paths[child.node_id] = "%s.%s" % (paths[number], child.local_name)
                waiting.append(child.node_id)
    for number, node in enumerate(proto.nodes):
        for slot in node.slot_variables:
            paths[slot.slot_variable_node_id] = "%s's state '%s' for %s" % (
                paths[number], slot.slot_name, paths[slot.original_variable_node_id])
    return paths


def keys_by_name(reader):
    """The keys of the variables in a checkpoint of objects, by the names that the variables had."""
    proto = message_class("TrackableObjectGraph").FromString(reader.get_tensor(GRAPH_KEY))
    return {attribute.full_name: attribute.checkpoint_key for node in proto.nodes for attribute in node.attributes}
