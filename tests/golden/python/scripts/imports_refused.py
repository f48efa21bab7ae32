"""What cannot be imported leaves the graph as it was."""
import tensorflow.compat.v1 as tf
from google.protobuf import text_format

FLOAT = 'attr { key: "T" value { type: DT_FLOAT } }'
NODES = """versions { producer: 134 }
node { name: "a" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "b" op: "Identity" input: "a" %(f)s }
node { name: "d" op: "Identity" input: "outside" %(f)s }
""" % {"f": FLOAT}
LAST = {
    "shape": 'node { name: "c" op: "MatMul" input: "a" input: "b" %s }' % FLOAT,
    "dtype": 'node { name: "c" op: "Identity" input: "a" attr { key: "T" value { type: DT_INT32 } } }',
    "slot": 'node { name: "c" op: "Identity" input: "a:1" %s }' % FLOAT,
    "attr": 'node { name: "c" op: "Identity" input: "a" }',
    "unknown input": 'node { name: "c" op: "Identity" input: "nothing" %s }' % FLOAT,
    "twice": 'node { name: "a" op: "NoOp" }',
    "cycle": 'node { name: "c" op: "Identity" input: "e" %s } node { name: "e" op: "Identity" input: "c" %s }' % (FLOAT, FLOAT),
    "return": "", "slot of a return": "", "map": "", "nothing": ""}
RETURNS = {"return": ["none:0"], "slot of a return": ["b:3"], "nothing": ["b:0"]}


def state(graph, outside):
    print("  ", [op.name for op in graph.get_operations()], [op.name for op in outside.consumers()],
          [graph.unique_name(name, mark_as_used=False) for name in ("a", "b", "imp", "imp/a", "imp/b")])


for scope in ("imp", ""):
    for what in sorted(LAST):
        with tf.Graph().as_default() as graph, tf.Session() as session:
            outside = tf.placeholder(tf.float32, [2], name="outside")
            tf.identity(outside, name="a")
            input_map = {"outside": outside}
            if what == "map":
                input_map["never"] = outside
            definition = text_format.Parse(NODES + LAST[what], tf.GraphDef())
            with tf.control_dependencies([outside]):
                try:
                    print(what, tf.import_graph_def(definition, input_map, RETURNS.get(what), name=scope))
                except Exception as error:
                    print(what, type(error).__name__, error)
                state(graph, outside)
                after = tf.identity(outside + 1.0, name="b")
            state(graph, outside)
            print("  ", session.run(after, {outside: [1, 2]}))
