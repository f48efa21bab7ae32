# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What tf.train.Checkpoint.restore() found, and the ops that give variables their values."""

import collections

from ..framework import graph as graph_lib, tf_logging
from ..sessions import session as session_lib
from ..state import variables
from . import saver as saver_lib, trackable


def session_for(session=None):
    """The session that is given or the default one; tf.keras's where there is none."""
    from ..keras import backend
    return session or session_lib.get_default_session() or backend.get_session()


class Match:
    """Which objects of the program the saved ones are."""

    def __init__(self, proto, prefix, cache, root, saveables):
        self.proto, self.root, self.ops, self._prefix, self._cache = proto, root, [], prefix, cache
        self._saveables = saveables
        self.objects, self.assigned, self.unused = {}, set(), {}
        self._slots = collections.defaultdict(list)   # by the variable that they belong to
        self._waiting = collections.defaultdict(list)   # by the optimizer that is not there yet
        for number, node in enumerate(proto.nodes):
            for slot in node.slot_variables:
                self._slots[slot.original_variable_node_id].append((number, slot.slot_name, slot.slot_variable_node_id))
        self._late = {}
        self._bind_and_restore(0, root)

    def slots_left(self):
        return dict(self._slots)

    def bind_late(self):
        """Objects that came into being after restore() was called."""
        for (number, name), child in list(self._late.items()):
            ref = dict(trackable.children(self.objects[number])).get(name)
            if ref is not None:
                del self._late[number, name]
                self._bind_and_restore(child, ref)

    def _bind_and_restore(self, number, item):
        if not self._bind(number, item):
            return
        with graph_lib.init_scope():
            waiting, values = collections.deque([number]), {}
            while waiting:
                self._visit(waiting.popleft(), waiting, values)
            if values:
                self._add_ops(values)

    def _visit(self, number, waiting, values):
        item, node = self.objects[number], self.proto.nodes[number]
        if id(item) not in self.assigned:
            self.assigned.add(id(item))
            for attribute in node.attributes:
                if attribute.checkpoint_key in self._cache:
                    self.ops.append(self._cache[attribute.checkpoint_key])
                elif attribute.name == trackable.VALUE and isinstance(item, variables.Variable):
                    values[attribute.checkpoint_key] = item
                elif attribute.name in trackable.own_saveables(item):
                    values[attribute.checkpoint_key] = self._saveable(item, attribute)
                elif not attribute.optional_restore:
                    self.unused.setdefault(number, []).append(attribute.name)
        known = dict(trackable.children(item))
        for child in node.children:
            ref = known.get(child.local_name)
            if ref is None:
                self._late[number, child.local_name] = child.node_id
            elif self._bind(child.node_id, ref):
                waiting.append(child.node_id)

    def _saveable(self, item, attribute):
        key = attribute.checkpoint_key
        if key not in self._saveables:
            self._saveables[key] = trackable.own_saveables(item)[attribute.name](name=key)
        return self._saveables[key]

    def _bind(self, number, item):
        if number in self.objects:
            if self.objects[number] is not item:
                tf_logging.warning("Inconsistent references when loading the checkpoint into this object graph. Either the "
                                   "Trackable object references in the Python program have changed in an incompatible way, "
                                   "or the checkpoint was generated in an incompatible program.\n\nTwo checkpoint "
                                   "references resolved to different objects (%s and %s).", self.objects[number], item)
            return False
        self.objects[number] = item
        for variable, slot_name, slot_number in self._waiting.pop(number, ()):
            self._bind_slot(item, variable, slot_name, slot_number)
        for optimizer, slot_name, slot_number in self._slots.pop(number, ()):
            if optimizer in self.objects:
                self._bind_slot(self.objects[optimizer], item, slot_name, slot_number)
            else:
                self._waiting[optimizer].append((item, slot_name, slot_number))
        return True

    def _bind_slot(self, optimizer, variable, slot_name, number):
        slot = trackable.slot_of(optimizer, variable, slot_name)
        if slot is not None:
            self._bind_and_restore(number, slot)

    def _add_ops(self, values):
        builder = saver_lib._Builder(False, False, 2)
        made = {}
        for device, group in builder._by_device(builder.saveables(values)):
            with graph_lib.device(device) if device else saver_lib._nothing():
                made.update(zip([s.name for s in group], builder._assigns(self._prefix, group)))
        for name in sorted(made):
            self._cache[name] = made[name]
            self.ops.append(made[name])


class CheckpointLoadStatus:
    """What restore() gives back."""

    def __init__(self, match, feeds):
        self._match, self._feeds = match, feeds

    def expect_partial(self):
        return self

    def _unbound(self):
        bound = {id(item) for item in self._match.objects.values()}
        return [item for item in trackable.ObjectGraph(self._match.root).objects if id(item) not in bound
                and not (isinstance(item, trackable._Holder) and not trackable.children(item))]

    def assert_consumed(self):
        self.assert_existing_objects_matched()
        names = trackable.node_names(self._match.proto)
        for number, node in enumerate(self._match.proto.nodes):
            if number not in self._match.objects:
                raise AssertionError("Unresolved object in checkpoint %s: %s" % (names[number], node))
        if self._match.slots_left():
            raise AssertionError("Unresolved slot restorations: %s" % (self._match.slots_left(),))
        if self._match.unused:
            lines = ["%s (%s): %s" % (names[number], self._match.objects[number], attributes)
                     for number, attributes in self._match.unused.items()]
            raise AssertionError("Unused attributes in these objects (the attributes exist in the checkpoint but were not "
                                 "restored):\n" + "\n".join(lines))
        return self

    def assert_existing_objects_matched(self):
        self._match.bind_late()
        unbound = self._unbound()
        if unbound:
            raise AssertionError("Some Python objects were not bound to checkpointed values, likely due to changes in the "
                                 "Python program: %s" % (unbound,))
        return self

    def assert_nontrivial_match(self):
        self._match.bind_late()
        if len(self._match.objects) <= 1:
            unbound = self._unbound()
            if not unbound:
                raise AssertionError("Nothing to load. No dependencies have been added to %s yet." % (self._match.root,))
            raise AssertionError("Nothing except the root object matched a checkpointed value. Typically this means that the "
                                 "checkpoint does not match the Python program. The following objects have no matching "
                                 "checkpointed value: %s" % (unbound,))
        return self

    def run_restore_ops(self, session=None):
        self._match.bind_late()
        session_for(session).run(self._match.ops, feed_dict=self._feeds)

    def initialize_or_restore(self, session=None):
        session = session_for(session)
        self.run_restore_ops(session)
        session.run([item.initializer for item in self._unbound() if hasattr(item, "initializer")])


class InitializationOnlyStatus:
    """What restore(None) gives back."""

    def __init__(self, root):
        self._root = root

    def expect_partial(self):
        return self

    def assert_consumed(self):
        raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")

    assert_existing_objects_matched = assert_nontrivial_match = assert_consumed

    def run_restore_ops(self, session=None):
        raise AssertionError("No checkpoint specified, so no restore ops are available (save_path=None to Saver.restore).")

    def initialize_or_restore(self, session=None):
        found = trackable.ObjectGraph(self._root).objects
        session_for(session).run([item.initializer for item in found if getattr(item, "initializer", None) is not None])


class NameBasedSaverStatus:
    """What restore() of a tf.train.Saver's checkpoint gives back: variables go by their own names."""

    def __init__(self, path, root):
        self._path, self._root = path, root

    def expect_partial(self):
        return self

    def assert_consumed(self):
        return self

    assert_existing_objects_matched = assert_nontrivial_match = assert_consumed

    def run_restore_ops(self, session=None):
        with graph_lib.device("/cpu:0"):
            saver_lib.Saver(trackable.ObjectGraph(self._root).holders()).restore(session_for(session), self._path)

    initialize_or_restore = run_restore_ops
