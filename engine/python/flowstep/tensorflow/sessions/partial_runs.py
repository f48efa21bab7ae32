# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Session.partial_run: a run whose feeds come one after the other."""

from .. import errors
from ..framework.graph import Operation, Tensor


def _refuse(text, *arguments):
    raise errors.InvalidArgumentError(None, None, text % arguments)


class PartialRun:
    """What a run in parts was told and has computed. TensorFlow's goes on by itself as far as its feeds reach; here each
    part runs so far, and what later parts need of it is kept."""

    def __init__(self, elements, tensors):
        seen = set()
        for tensor in tensors:
            if tensor in seen:
                _refuse('Endpoint "%s" fed more than once.', tensor.name)
            seen.add(tensor)
        if not elements:
            _refuse("Must specify at least one target to fetch or execute.")
        self._feeds = {t: False for t in tensors}
        self._fetches = {t: False for t in elements if isinstance(t, Tensor)}
        self._targets = {o: False for o in elements if isinstance(o, Operation)}
        self._values = {}
        self.failed = False

    def key(self):
        return "%s->%s/%s/1/" % (",".join(t.name for t in self._feeds), ",".join(t.name for t in self._fetches),
                                 ",".join(o.name for o in self._targets))

    def is_done(self):
        return all(self._feeds.values()) and all(self._fetches.values())

    def go_on(self, session, fetches, feeds):
        """The values of fetches."""
        for tensor in feeds:
            if tensor not in self._feeds:
                _refuse("The feed %s was not specified in partial_run_setup.", tensor.name)
            if self._feeds[tensor]:
                _refuse("The feed %s has already been fed.", tensor.name)
        for tensor in fetches:
            if tensor not in self._fetches:
                _refuse("The fetch %s was not specified in partial_run_setup.", tensor.name)
            if self._fetches[tensor]:
                _refuse("The fetch %s has already been fetched.", tensor.name)
        missing = {t for t, given in self._feeds.items() if not given and t not in feeds}
        self._check(fetches, missing)
        self._values.update(feeds)
        self._feeds.update((t, True) for t in feeds)
        try:
            self._advance(session, missing)
        except errors.OpError:
            self.failed = True
            raise
        self._fetches.update((t, True) for t in fetches)
        return {t: self._values[t] for t in fetches}

    @staticmethod
    def _check(fetches, missing):
        left, seen = [t.op for t in fetches], set()
        while left:
            for tensor in left.pop().inputs:
                if tensor in missing:
                    _refuse("Fetch %s can't be computed from the feeds that have been fed so far.", tensor.name)
                if tensor.op not in seen:
                    seen.add(tensor.op)
                    left.append(tensor.op)

    def _waiting(self, missing):
        """The ops before what is asked for that were not run, and those of them that feeds not given hold up."""
        wanted = [t.op for t in self._fetches if t not in self._values] + [o for o, done in self._targets.items() if not done]
        held, order, seen = {t.op for t in missing}, [], set()
        left = [(op, False) for op in wanted]
        while left:
            op, is_after = left.pop()
            before = [t.op for t in op.inputs if t not in self._values and t not in missing]
            if is_after:
                if any(t in missing for t in op.inputs) or any(o in held for o in before + list(op.control_inputs)):
                    held.add(op)
                order.append(op)
            elif op not in seen:
                seen.add(op)
                left.append((op, True))
                left.extend((o, False) for o in before + list(op.control_inputs))
        return order, held

    def _advance(self, session, missing):
        order, held = self._waiting(missing)
        graph = session.graph
        border = [t for op in order if op in held for t in op.inputs
                  if t not in self._values and t.op not in held and not t.dtype._is_ref_dtype and graph.is_fetchable(t)]
        tensors = list(dict.fromkeys([t for t in self._fetches if t not in self._values and t.op not in held] + border))
        targets = [o for o, done in self._targets.items() if not done and o not in held]
        if not tensors and not targets:
            return
        feeds = session._feeds({t: v for t, v in self._values.items() if graph.is_feedable(t)})
        self._values.update(session._run(feeds, tensors, targets, None, None, session._error))
        self._targets.update((o, True) for o in targets)
