# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What converted functions call where Python has if, while, for, and, or and not."""

from ..control import control_flow, loops, tensor_array
from ..control.func_graph import FuncGraph
from ..framework import graph as graph_lib, ops
from ..operators import array_ops, math_ops
from . import checks
from .checks import UndefinedReturnValue, is_tensor


def retval(value):
    return None if isinstance(value, UndefinedReturnValue) else value


def no_state():
    return ()


def set_no_state(_):
    pass


# -- logic

def not_(value):
    return math_ops.logical_not(value) if is_tensor(value) else not value


def and_(first, second):
    value = first()
    return control_flow.cond(value, second, lambda: value) if is_tensor(value) else value and second()


def or_(first, second):
    value = first()
    return control_flow.cond(value, lambda: value, second) if is_tensor(value) else value or second()


# -- conditions

def if_stmt(test, true, false, get_state, set_state, symbols, composites, n_inner):
    """Does one side. Of the state the first are basic symbols that are read later, the last n_inner of them only inside a
    side; attributes and elements come after them."""
    if not is_tensor(test):
        (true if test else false)()
        return
    n_basic = len(symbols)
    before, results = get_state(), {}

    def side(function, name):
        def made():
            function()
            state = get_state()
            set_state(before)
            given = state[:n_basic]
            checks.refuse_undefined(given, name)
            if not symbols:
                values = ops.constant(1)
            else:
                values = given[0] if n_basic == 1 else given
            results[name] = given + state[n_basic + n_inner:]
            if len(results) == 2:
                checks.check_sides(results["if"], results["else"], symbols + composites)
            return values, state[n_basic + n_inner:]
        return made

    values, others = control_flow.cond(test, side(true, "if"), side(false, "else"))
    given = () if not symbols else (values,) if n_basic == 1 else tuple(values)
    set_state(given + before[n_basic:n_basic + n_inner] + tuple(others))


def if_expression(test, first, second):
    if not is_tensor(test):
        return first() if test else second()

    def side(function, name):
        def made():
            value = function()
            checks.refuse_undefined(value if isinstance(value, tuple) else (value,), name)
            return value, ()
        return made

    return control_flow.cond(test, side(first, "if"), side(second, "else"))[0]


# -- loops

def _staged(test, body, state, symbols):
    """A loop of the graph over a state; both functions take it, body gives the next one."""
    def step(*values):
        after = body(*values)
        if symbols is not None:
            checks.check_round(values, after, symbols)
        return after

    return loops.while_loop(test, step, state, return_same_structure=True)


def _entered(get_state):
    state = tuple(get_state())
    checks.refuse_undefined_into_loop(state)
    return state


def while_stmt(test, body, get_state, set_state, symbols, composites):
    # TF: the condition is asked once beside the graph, to see what it is.
    with FuncGraph("tmp").as_default():
        first = test()
    if not is_tensor(first):
        if first:
            body()
            while test():
                body()
        return

    def asked(*values):
        set_state(values)
        return test()

    def step(*values):
        set_state(values)
        body()
        return tuple(get_state())

    set_state(tuple(_staged(asked, step, _entered(get_state), symbols + composites)))


def for_stmt(values, extra_test, body, get_state, set_state, symbols, composites):
    from ..inputs.datasets import Dataset
    if isinstance(values, Dataset):
        _over_dataset(values, extra_test, body, get_state, set_state, symbols + composites)
    elif not is_tensor(values):
        for value in values:
            if extra_test is not None and not extra_test():
                break
            body(value)
    elif values.op.type == "Range":
        _over_range(values, extra_test, body, get_state, set_state, symbols + composites)
    else:
        _over_rows(values, extra_test, body, get_state, set_state, symbols + composites)


def _counted(start, goes_on, take, following, extra_test, body, get_state, set_state, symbols):
    """A loop whose first variable says where it is."""
    def asked(at, *values):
        set_state(values)
        if extra_test is None:
            return goes_on(at)
        return control_flow.cond(goes_on(at), extra_test, lambda: False)

    def step(at, *values):
        set_state(values)
        body(take(at))
        after = tuple(get_state())
        if symbols is not None:
            checks.check_round(values, after, symbols)
        return (following(at),) + after

    result = _staged(asked, step, (start,) + _entered(get_state), None)
    set_state(tuple(result[1:]))


def _over_rows(values, extra_test, body, get_state, set_state, symbols):
    _entered(get_state)
    n = len_of(values)
    rows = tensor_array.TensorArray(values.dtype, size=n).unstack(values)
    _counted(0, lambda at: at < n, rows.read, lambda at: at + 1, extra_test, body, get_state, set_state, symbols)


def _over_range(values, extra_test, body, get_state, set_state, symbols):
    start, limit, delta = values.op.inputs

    def goes_on(at):
        known = ops.constant_value(delta)
        if known is not None:
            return at < limit if known >= 0 else at > limit
        return math_ops.logical_or(math_ops.logical_and(delta >= 0, at < limit), math_ops.logical_and(delta < 0, at > limit))

    _counted(start, goes_on, lambda at: at, lambda at: at + delta, extra_test, body, get_state, set_state, None)


def _over_dataset(values, extra_test, body, get_state, set_state, symbols):
    state = _entered(get_state)
    if extra_test is not None:
        _until(values, extra_test, body, get_state, set_state, state, symbols)
        return
    # TF: reduce takes no empty state, neither of names nor of attributes.
    stand_ins = (ops.constant(0),) if not state else ()

    def step(carried, value):
        set_state(carried[len(stand_ins):])
        body(value)
        after = tuple(get_state())
        checks.check_round(state, after, symbols, with_shapes=False)
        return carried[:len(stand_ins)] + after

    set_state(tuple(values.reduce(stand_ins + state, step))[len(stand_ins):])


def _until(values, extra_test, body, get_state, set_state, state, symbols):
    from ..inputs.dataset_transforms import scan, take_while

    def once():
        body(once.value)
        after = tuple(get_state())
        checks.check_round(state, after, symbols, with_shapes=False)
        return after

    def scanned(carried, value):
        set_state(carried)
        once.value = value
        goes_on = extra_test()
        after = control_flow.cond(goes_on, once, lambda: carried)
        return after, (after, goes_on)

    found = values.apply(scan(state, scanned)).apply(take_while(lambda _, goes_on: goes_on))
    set_state(tuple(found.reduce(state, lambda _, output: output[0])))


def len_of(values):
    """len() of a tensor: a number where it is known."""
    if values.shape.ndims and values.shape.as_list()[0] is not None:
        return values.shape.as_list()[0]
    shape = array_ops.shape(values)
    if shape.shape.as_list()[0] == 0:
        raise ValueError("len requires a non-scalar tensor, got one of shape {}".format(shape))
    if shape.shape.as_list()[0] is not None:
        return array_ops.shape(values)[0]
    rank = array_ops.rank(values)

    def refuse():
        text = ops.apply_op("StringJoin", inputs=["len requires non-zero rank, got ", ops.apply_op("AsString", input=rank)])
        with graph_lib.control_dependencies([control_flow.Assert(False, [text])]):
            return ops.constant(0)

    return control_flow.cond(rank > 0, lambda: array_ops.shape(values)[0], refuse)
