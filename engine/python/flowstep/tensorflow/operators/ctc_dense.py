# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.nn.ctc_loss_v2 of labels that are not sparse: every alignment's probability, forward and backward, as logarithms."""

from .. import dtypes, nest, nn
from ..control import defun, function_loops, loops
from ..differentiation import gradient_rules
from ..framework import ops
from ..framework.graph import name_scope
from ..framework.ops import apply_op, convert_to_tensor
from . import array_ops, linalg, math_ops, nn_misc, sparse

# TF: the logarithm of nothing in sums that must not become NaN.
_TINY = 1e-307


def _dim(tensor, axis):
    return tensor.shape[axis].value or array_ops.shape(tensor)[axis]


# -- a loop that keeps every state

def _write_row(op_type, whole, i, row):
    whole = convert_to_tensor(whole)
    row = convert_to_tensor(row, dtype=whole.dtype)
    i = math_ops.cast(i, dtypes.int32)
    if i.shape.ndims == 0:
        i, row = array_ops.reshape(i, [1]), array_ops.expand_dims(row, 0)
    return apply_op(op_type, x=whole, i=i, v=row)


def _scan(step, elements, initial, reverse=False):
    """All states that step (states, elements) makes of the initial ones, which come first (last, where reversed)."""
    flat = [convert_to_tensor(e) for e in nest.flatten(elements)]
    count = array_ops.shape(flat[0])[0]
    states = [convert_to_tensor(s) for s in nest.flatten(initial)]
    kinds = [dtypes.int32, dtypes.int32] + 2 * [s.dtype for s in states]

    # TF: what they and their arguments are called is in the names of the functions.
    def cond(i, num_elems, *kept):
        return i >= 0 if reverse else i < num_elems

    def body(i, num_elems, *kept):
        """Loop body."""
        i.set_shape([])
        rows = [array_ops.gather(e, i) for e in flat]
        made = step(nest.pack_sequence_as(initial, kept[len(states):]), nest.pack_sequence_as(elements, rows))
        made = nest.flatten(made)
        where = i if reverse else i + 1
        written = [_write_row("InplaceUpdate", whole, where, row) for whole, row in zip(kept, made)]
        return [i - 1 if reverse else i + 1, num_elems] + written + made

    first = array_ops.shape(flat[0])[0] - 1 if reverse else ops.constant(0, dtype=dtypes.int32)
    rows = array_ops.shape(flat[0])[0] + 1
    wholes = []
    for state in states:
        shape = array_ops.concat([[rows], array_ops.shape(state)], 0)
        whole = apply_op("Empty", shape=shape, dtype=state.dtype, init=True)
        wholes.append(_write_row("InplaceAdd", whole, first + (1 if reverse else 0), state))
    given = [first, count] + wholes + states
    # TF: numbers that say where things are stay with the host.
    hosted = [i for i, t in enumerate(given) if t.dtype in (dtypes.int32, dtypes.int64)]
    made = function_loops.While(given, defun.Defun(*kinds)(cond), defun.Defun(*kinds)(body), hostmem=hosted)
    return nest.pack_sequence_as(initial, made[2:len(states) + 2])


# -- states: a label each, then a blank each

def _transitions(labels):
    """Which state may follow which: itself, label after blank, blank after label, label after another label."""
    with name_scope("ctc_state_trans"):
        labels = convert_to_tensor(labels, name="label_seq")
        batch, count = _dim(labels, 0), _dim(labels, 1)
        half = count + 1
        total = 2 * half
        label_states = math_ops.range(half)
        blank_states = label_states + half
        blank_to_label = array_ops.stack([label_states[1:], blank_states[:-1]], 1)
        label_to_blank = array_ops.stack([blank_states, label_states], 1)
        indices = array_ops.concat([[[1, 0]], blank_to_label, label_to_blank], 0)
        ones = array_ops.ones([_dim(indices, 0)])
        common = array_ops.scatter_nd(indices, ones, shape=[total, total])
        common += linalg.eye(total)
        rows = array_ops.zeros_like(label_states[2:])
        indices = array_ops.stack([rows, label_states[2:], label_states[1:-1]], 1)
        indices = array_ops.tile(array_ops.expand_dims(indices, 0), [batch, 1, 1])
        rows = array_ops.expand_dims(math_ops.range(batch), 1) * [1, 0, 0]
        indices += array_ops.expand_dims(rows, 1)
        repeats = math_ops.equal(labels[:, :-1], labels[:, 1:])
        differ = 1.0 - math_ops.cast(repeats, dtypes.float32)
        own = array_ops.scatter_nd(indices, differ, [batch, total, total])
        return array_ops.expand_dims(common, 0) + own


def _ends(lengths, longest):
    """Logarithms of which states may come first, and last."""
    batch = _dim(lengths, 0)
    half = longest + 1
    total = 2 * half
    nothing = math_ops.cast(math_ops.log(math_ops.cast(0, dtypes.float64) + _TINY), dtypes.float32)
    first = array_ops.one_hot(indices=array_ops.zeros([batch], dtype=dtypes.int32), depth=total, on_value=0.0,
                              off_value=nothing, axis=1)
    labels = array_ops.one_hot(lengths, depth=half, axis=0)
    mask = array_ops.ones([2, 1, batch]) * labels
    last = (1.0 - mask) * nothing
    last = array_ops.reshape(last, [total, batch])
    return first, array_ops.transpose(last)


def _to_states(labels, num_labels, log_probs):
    """Each state's probability of those of the labels."""
    count = _dim(labels, 1)
    blank = log_probs[:, :, :1]
    blank = array_ops.tile(blank, [1, 1, count + 1])
    hot = array_ops.expand_dims(array_ops.one_hot(labels, depth=num_labels), axis=0)
    log_probs = array_ops.expand_dims(log_probs, axis=2)
    states = math_ops.reduce_sum(log_probs * hot, axis=3)
    states = array_ops.concat([states, blank], axis=2)
    return array_ops.pad(states, [[0, 0], [0, 0], [1, 0]], constant_values=math_ops.log(0.0))


def _to_labels(labels, num_labels, states):
    """Each label's probability of those of the states, the blank's first."""
    half = _dim(labels, 1) + 1
    label_states, blank_states = states[:, :, 1:half], states[:, :, half:]
    hot = array_ops.one_hot(labels - 1, depth=(num_labels - 1), on_value=0.0, off_value=math_ops.log(0.0))
    hot = array_ops.expand_dims(hot, axis=0)
    label_states = array_ops.expand_dims(label_states, axis=3)
    of_labels = math_ops.reduce_logsumexp(label_states + hot, axis=2)
    of_blank = math_ops.reduce_logsumexp(blank_states, axis=2, keepdims=True)
    return array_ops.concat([of_blank, of_labels], axis=-1)


def _sum_states(index, states):
    with name_scope("sum_states"):
        index = convert_to_tensor(index, name="idx")
        count = _dim(states, 2)
        states = array_ops.expand_dims(states, axis=2)
        hot = array_ops.one_hot(index, depth=count, on_value=0.0, off_value=math_ops.log(0.0), axis=1)
        return math_ops.reduce_logsumexp(states + hot, axis=-1)


def _to_labels_unique(labels, num_labels, states, unique):
    """The same where it is known which labels an example has."""
    half = _dim(labels, 1) + 1
    label_states, blank_states = states[:, :, 1:half], states[:, :, half:]
    found, index = unique
    summed = _sum_states(index, label_states)
    frames, batch, count = states.shape[0], states.shape[1], half - 1
    rows = array_ops.reshape(array_ops.transpose(summed, perm=[1, 2, 0]), [batch * count, frames])
    offset = math_ops.range(batch, dtype=found.dtype) * num_labels
    indices = array_ops.reshape(found + array_ops.expand_dims(offset, axis=-1), [-1, 1])
    spread = array_ops.scatter_nd(indices=indices, updates=rows, shape=[batch * num_labels, frames])
    spread = array_ops.reshape(spread, [batch, num_labels, frames])
    absent = math_ops.equal(spread, 0.0)
    spread = array_ops.where(absent, array_ops.fill(array_ops.shape(spread), math_ops.log(0.0)), spread)
    of_labels = array_ops.transpose(spread, [2, 0, 1])[:, :, 1:]
    of_blank = math_ops.reduce_logsumexp(blank_states, axis=2, keepdims=True)
    return array_ops.concat([of_blank, of_labels], axis=-1)


def _forward_backward(transitions, first, last, observed, length):
    """Each state's probability at each time, and that of all alignments together."""
    backward_transitions = array_ops.transpose(transitions, [0, 2, 1])
    batch = _dim(observed, 1)

    def forward(state, seen):
        state = array_ops.expand_dims(state, axis=1)
        state += transitions
        state = math_ops.reduce_logsumexp(state, axis=-1)
        state += seen
        total = math_ops.reduce_logsumexp(state, axis=-1, keepdims=True)
        state -= total
        return state

    def backward(kept, given):
        (state, total), (seen, mask) = kept, given
        state += seen
        state = array_ops.expand_dims(state, axis=1)
        state += backward_transitions
        state = math_ops.reduce_logsumexp(state, axis=-1)
        step = math_ops.reduce_logsumexp(state, axis=-1, keepdims=True)
        state -= step
        total += array_ops.squeeze(step) * mask
        wide = array_ops.expand_dims(mask, axis=1)
        # What is after the end of an example stays at its last states.
        out = state * wide
        out += last * (1.0 - wide)
        return out, total

    fwd = _scan(forward, observed, first)
    nothing = array_ops.zeros([batch])
    mask = array_ops.sequence_mask(length, _dim(observed, 0), dtypes.float32)
    mask = array_ops.transpose(mask, perm=[1, 0])
    bwd, totals = _scan(backward, (observed, mask), (last, nothing), reverse=True)
    both = fwd[1:] + bwd[1:]
    both_sum = math_ops.reduce_logsumexp(both, axis=2, keepdims=True)
    both -= both_sum
    both += math_ops.log(array_ops.expand_dims(mask, axis=2))
    return both, bwd[0, :, 0] + totals[0]


def _loss_and_gradient(logits, labels, label_length, logit_length, unique):
    num_labels, longest = _dim(logits, 2), _dim(labels, 1)
    log_probs = nn.log_softmax(logits)
    observed = _to_states(labels, num_labels, log_probs)
    transitions = _transitions(labels)
    first, last = _ends(label_length, longest)
    states, likelihood = _forward_backward(math_ops.log(transitions), first, last, observed, logit_length)
    made = _to_labels_unique(labels, num_labels, states, unique) if unique else _to_labels(labels, num_labels, states)
    gradient = math_ops.exp(log_probs) - math_ops.exp(made)
    return -likelihood, gradient


# -- losses

def _dense_loss(labels, logits, label_length, logit_length, logits_time_major, unique, blank_index, name):
    with name_scope(name, "ctc_loss_dense", [logits, labels, label_length, logit_length]):
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        label_length = convert_to_tensor(label_length, name="label_length")
        logit_length = convert_to_tensor(logit_length, name="logit_length")
        if not logits_time_major:
            logits = array_ops.transpose(logits, perm=[1, 0, 2])
        if blank_index != 0:
            if blank_index < 0:
                blank_index += _dim(logits, 2)
            logits = array_ops.concat([logits[:, :, blank_index:blank_index + 1], logits[:, :, :blank_index],
                                       logits[:, :, blank_index + 1:]], axis=2)
            labels = array_ops.where(labels < blank_index, labels + 1, labels)
        given = [logits, labels, label_length, logit_length] + list(unique or ())

        @gradient_rules.custom_gradient
        def loss(*inner):
            for tensor, outer in zip(inner[:4], given):
                tensor.set_shape(outer.shape)
            result, gradient = _loss_and_gradient(*inner[:4], unique=inner[4:])

            def of(upper):
                return [array_ops.reshape(upper, [1, -1, 1]) * gradient] + [None] * (len(given) - 1)
            return result, of

        return loss(*given)


def _sparse_loss(labels, logits, logit_length, logits_time_major, blank_index):
    if blank_index is None:
        raise ValueError("blank_index must be given when using SparseTensor labels.")
    if blank_index < 0:
        blank_index += _dim(logits, 2)
    if blank_index != _dim(logits, 2) - 1:
        logits = array_ops.concat([logits[:, :, :blank_index], logits[:, :, blank_index + 1:],
                                   logits[:, :, blank_index:blank_index + 1]], axis=2)
        labels = sparse.SparseTensor(labels.indices, array_ops.where(
            labels.values < blank_index, labels.values, labels.values - 1), labels.dense_shape)
    return nn_misc.ctc_loss(labels=labels, inputs=logits, sequence_length=logit_length, time_major=logits_time_major)


def ctc_loss_v2(labels, logits, label_length, logit_length, logits_time_major=True, unique=None, blank_index=None, name=None):
    """The loss of labels that are sparse, or rows with zeros after them; the blank is the first label unless told."""
    if isinstance(labels, sparse.SparseTensor):
        return _sparse_loss(labels, logits, logit_length, logits_time_major, blank_index)
    return _dense_loss(labels, logits, label_length, logit_length, logits_time_major, unique, blank_index or 0, name)


# -- labels

def collapse_repeated(labels, seq_length, name=None):
    """Labels without those that are as the one before, and how many are left."""
    with name_scope(name, "collapse_repeated_labels", [labels, seq_length]):
        labels = convert_to_tensor(labels, name="labels")
        seq_length = convert_to_tensor(seq_length, name="seq_length")
        kept = array_ops.concat([array_ops.ones_like(labels[:, :1], dtypes.bool),
                                 math_ops.not_equal(labels[:, 1:], labels[:, :-1])], axis=1)
        inside = array_ops.sequence_mask(seq_length, maxlen=_dim(labels, 1))
        kept = math_ops.logical_and(kept, inside)
        length = math_ops.reduce_sum(math_ops.cast(kept, dtypes.int32), axis=1)
        longest = math_ops.reduce_max(length)
        places = array_ops.sequence_mask(length, maxlen=longest)
        flat_labels = array_ops.reshape(labels, [-1])
        flat_kept = array_ops.reshape(kept, [-1])
        flat_places = array_ops.reshape(places, [-1])
        index = math_ops.range(_dim(flat_places, 0))
        flat = array_ops.scatter_nd(
            indices=array_ops.expand_dims(array_ops.boolean_mask(index, flat_places), axis=1),
            updates=array_ops.boolean_mask(flat_labels, flat_kept), shape=array_ops.shape(flat_places))
        return (array_ops.reshape(flat, [_dim(labels, 0), longest]), math_ops.cast(length, seq_length.dtype))


def ctc_unique_labels(labels, name=None):
    """Each row's different labels, with zeros after them, and where each label is among them."""
    def unique(row):
        found, index = array_ops.unique(row)
        found = array_ops.pad(found, [[0, _dim(index, 0) - _dim(found, 0)]])
        return [math_ops.cast(found, dtypes.int64), index]
    with name_scope(name, "ctc_unique_labels", [labels]):
        labels = convert_to_tensor(labels, name="labels")
        return loops.map_fn(unique, labels, dtype=[dtypes.int64, dtypes.int32])
