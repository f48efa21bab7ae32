# Graphs that are imported within a branch or a loop: which context each op is in, what leads into it, gradients through it.
import tensorflow as tf


def graph():
    with tf.Graph().as_default() as made:
        x = tf.placeholder(tf.float32, [], name="x")
        power = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v * x), [0, tf.identity(x, name="start")])
        tf.identity(power[1], name="power")
        chosen = tf.cond(x > 1.0, lambda: tf.while_loop(lambda v: v < 10.0, lambda v: v * x, [x]), lambda: x - 1.0)
        tf.identity(chosen, name="chosen")
        return tf.train.export_meta_graph(), made.as_graph_def()


meta, graph_def = graph()


def show():
    for op in tf.get_default_graph().get_operations():
        context = op._get_control_flow_context()
        outer = context and context.outer_context
        print(op.name, op.type, [t.name for t in op.inputs], [c.name for c in op.control_inputs],
              context and context.name, outer and outer.name)
    for key in (tf.GraphKeys.WHILE_CONTEXT, tf.GraphKeys.COND_CONTEXT):
        print([context.name for context in tf.get_collection(key)])


def run(result, p):
    fetches = list(result) if isinstance(result, (list, tuple)) else [result]
    with tf.Session() as session:
        print([session.run(fetches, {p: value}) for value in (3.0, 0.5)])
        try:
            grads = tf.gradients(fetches[-1], p)
        except Exception as error:
            print(type(error).__name__, error)
            return
        print([session.run(grads, {p: value}) for value in (3.0, 0.5)])


def parts(prefix):
    return [tf.get_default_graph().get_tensor_by_name(prefix + name) for name in ("power:0", "chosen:0")]


def imported_def(p, limit):
    return tf.cond(p > limit, lambda: sum(tf.import_graph_def(graph_def, {"x": p}, ["power:0", "chosen:0"], name="imp")),
                   lambda: -p)


def imported_meta(p):
    def branch():
        tf.train.import_meta_graph(meta, import_scope="imp", input_map={"x": p})
        return sum(parts("cond/imp/"))

    return tf.cond(p > 2.0, branch, lambda: -p)


def meta_in_loop(p):
    def body(i, v):
        tf.train.import_meta_graph(meta, import_scope="imp", input_map={"x": p})
        return i + 1, v + sum(parts("while/imp/"))

    return tf.while_loop(lambda i, v: i < 2, body, [0, p])


def def_in_loop(p):
    def body(i, v):
        made, = tf.import_graph_def(graph_def, {"x": v}, ["chosen:0"], name="imp")
        made.set_shape([])
        return i + 1, made

    return tf.while_loop(lambda i, v: i < 2, body, [0, p])


def bare(p):
    return tf.import_graph_def(graph_def, {"x": p}, ["power:0"], name="imp")


for make in (lambda p: imported_def(p, 2.0), imported_meta, meta_in_loop, def_in_loop, bare):
    tf.reset_default_graph()
    given = tf.placeholder(tf.float32, [], name="p")
    result = make(given)
    show()
    run(result, given)

# What fails leaves the branch as it was.
tf.reset_default_graph()
given = tf.placeholder(tf.float32, [], name="p")


def fails():
    try:
        tf.import_graph_def(graph_def, {"x": given, "nothing": given})
    except ValueError as error:
        print(error)
    return given + 1.0


run(tf.cond(given > 1.0, fails, lambda: given), given)
