# Which scopes each thread is in while several make one graph; what changes when all of them are each thread's own.
import threading

import tensorflow as tf


def elsewhere(function, *arguments):
    found = []

    def run():
        try:
            found.append(function(*arguments))
        except Exception as error:
            found.append((type(error).__name__, str(error).split(" Originally")[0]))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return found[0]


def made(graph):
    with graph.as_default():
        one = tf.constant(1.0, name="one")
        op = tf.add(one, one).op
        return op.name, [c.name for c in op.control_inputs], one.op.device, one.op.colocation_groups(), [
            c.name for c in one.op.control_inputs]


def variables(graph):
    with graph.as_default():
        told = [tf.get_variable_scope().name, tf.get_variable_scope().reuse]
        with tf.variable_scope("w"):
            told += [tf.get_variable("v", []).name, tf.constant(1.0).name, tf.get_variable_scope().name]
        for _ in range(2):
            with tf.variable_scope(None, default_name="d") as scope:
                told += [scope.name, scope.original_name_scope]
        return told + [tf.layers.dense(tf.ones([1, 1]), 1).name]


def creator(next_creator, **kwargs):
    kwargs["name"] = "renamed"
    return next_creator(**kwargs)


graph = tf.Graph()
with graph.as_default():
    kept = tf.constant(2.0, name="kept")
    with tf.name_scope("s"), tf.device("/cpu:0"), tf.control_dependencies([kept]):
        print(made(graph))
        print(elsewhere(made, graph))
        with tf.colocate_with(kept):
            print(elsewhere(made, graph))
        print(elsewhere(graph.get_name_scope), repr(graph.get_name_scope()))
    print(made(graph))
    with tf.variable_scope("vs", reuse=tf.AUTO_REUSE):
        tf.get_variable("x", [])
        print(elsewhere(variables, graph))
        print(variables(graph))
        print(elsewhere(variables, graph))
    with tf.variable_creator_scope(creator):
        print(tf.Variable(1.0).name, elsewhere(lambda: graph.as_default().__enter__() and tf.Variable(1.0).name))
    print(elsewhere(lambda: tf.get_default_graph() is graph))

    # A branch is every thread's.
    def branch():
        return kept + graph.get_tensor_by_name(elsewhere(made, graph)[0] + ":0")

    chosen = tf.cond(tf.placeholder_with_default(True, []), branch, lambda: kept)
    print(chosen.op.inputs[1].op._get_control_flow_context().name)
    with tf.Session() as session:
        print(session.run(chosen))

    # Scopes that are left in another order than they were entered.
    inside, go = threading.Event(), threading.Event()
    told = []

    def waits():
        with graph.as_default(), tf.name_scope("other"):
            inside.set()
            go.wait()
            told.append(made(graph))
        told.append(made(graph))

    thread = threading.Thread(target=waits)
    with tf.name_scope("here"):
        thread.start()
        inside.wait()
        told.append(made(graph))
    told.append(made(graph))
    go.set()
    thread.join()
    print(told)

graph = tf.Graph()
with graph.as_default():
    kept = tf.constant(2.0, name="kept")
    print(graph._stack_state_is_thread_local)
    with tf.device("/cpu:1"):
        print(made(graph))
        with tf.name_scope("before"):
            graph.switch_to_thread_local()
            print(graph._stack_state_is_thread_local, made(graph))
    with tf.name_scope("s"), tf.device("/cpu:0"), tf.control_dependencies([kept]):
        print(made(graph))
        print(elsewhere(made, graph))
        with tf.colocate_with(kept):
            print(made(graph), elsewhere(made, graph))

        def nested():
            with graph.name_scope("t"), graph.device("/cpu:3"), graph.control_dependencies([kept]):
                return made(graph), elsewhere(made, graph)

        print(elsewhere(nested))
        print(made(graph))
    print(made(graph), elsewhere(made, graph))
