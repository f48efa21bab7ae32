#!/usr/bin/env python3
"""Records what TensorFlow 1.15 and its protobuf make of bytes and text.

    .../1.15/bin/python tests/oracle/record_formats.py

writes tests/golden/formats/{texts,tensors,messages}.tsv, one case a line, bytes as hex:
  texts      name, message, text, binary or "error"
  tensors    name, TensorProto, dtype, shape, raw elements (strings: length-prefixed) or "error", first words
  messages   name, message, binary, text as the official printer writes it
"""
import os
import pathlib
import struct

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np  # noqa: E402
import tensorflow.compat.v1 as tf  # noqa: E402
from google.protobuf import text_format  # noqa: E402
from tensorflow.core.framework import attr_value_pb2, graph_pb2, tensor_pb2, types_pb2, variable_pb2  # noqa: E402
from tensorflow.core.protobuf import meta_graph_pb2, saver_pb2  # noqa: E402

tf.disable_v2_behavior()
OUT = pathlib.Path(__file__).resolve().parent.parent / "golden" / "formats"
MESSAGES = {
    "GraphDef": graph_pb2.GraphDef, "AttrValue": attr_value_pb2.AttrValue, "TensorProto": tensor_pb2.TensorProto,
    "MetaGraphDef": meta_graph_pb2.MetaGraphDef, "VariableDef": variable_pb2.VariableDef, "SaverDef": saver_pb2.SaverDef,
}

TEXTS = [
    ("GraphDef", 'node { name: "a" op: "Const" }'),
    ("GraphDef", 'node: { name: "a" }'),
    ("GraphDef", "node < name: 'a' >"),
    ("GraphDef", 'node { name: "a", op: "b"; device: "c" }'),
    ("GraphDef", 'node [{ name: "a" }, { name: "b" }]'),
    ("GraphDef", 'node: [{ name: "a" }, < name: "b" >]'),
    ("GraphDef", "node []"),
    ("GraphDef", ""),
    ("GraphDef", "# only a comment"),
    ("GraphDef", "versions { producer: 27 # comment\n min_consumer: 0x0c bad_consumers: [1, 02, 0x3] }"),
    ("GraphDef", "versions { producer: 1 producer: 2 } versions { min_consumer: 3 }"),
    ("GraphDef", "versions { bad_consumers: 1 bad_consumers: [2, 3] bad_consumers: -1 }"),
    ("GraphDef", 'node { attr { key: "b" value { i: 1 } } attr { value { f: 2 } key: "a" } attr { key: "c" } }'),
    ("GraphDef", 'node { attr { key: "a" value { i: 1 } } attr { key: "a" value { i: 2 } } }'),
    ("GraphDef", "node { attr { } }"),
    ("GraphDef", "library { }"),
    ("GraphDef", 'node { name: "\\303\\251" op: "\\xc3\\xa9" }'),
    ("GraphDef", 'node { name: "a" "b" \'c\' }'),
    ("GraphDef", 'node { op: "z" name: "a" input: "x" device: "d" input: "y" }'),
    ("GraphDef", "node { name: 'it''s' }"),
    ("GraphDef", 'node\n{\r\n\tname\v:\f"a" }'),
    ("AttrValue", r's: "\a\b\f\n\r\t\v\\\'\"\0\1\12\123\x1\xfF"'),
    ("AttrValue", "type: DT_FLOAT"),
    ("AttrValue", "type: 3"),
    ("AttrValue", "type: DT_FLOAT_REF"),
    ("AttrValue", "b: true"), ("AttrValue", "b: True"), ("AttrValue", "b: t"), ("AttrValue", "b: 1"),
    ("AttrValue", "b: false"), ("AttrValue", "b: f"), ("AttrValue", "b: 0"), ("AttrValue", "b: False"),
    ("AttrValue", "i: 9223372036854775807"), ("AttrValue", "i: -9223372036854775808"), ("AttrValue", "i: 0x7f"),
    ("AttrValue", "i: 017"), ("AttrValue", "i: 0"), ("AttrValue", "i: -0"),
    ("AttrValue", "f: 1"), ("AttrValue", "f: 1.5"), ("AttrValue", "f: .5"), ("AttrValue", "f: 1e-3"),
    ("AttrValue", "f: 1.5f"), ("AttrValue", "f: inf"), ("AttrValue", "f: -Infinity"),
    ("AttrValue", "f: 1e400"), ("AttrValue", "f: -1e39"), ("AttrValue", "f: 3.4028235677973366e38"),
    ("AttrValue", "f: 3.40282356e38"), ("AttrValue", "f: 0.1"), ("AttrValue", "f: 1e-46"), ("AttrValue", "f: -0"),
    ("AttrValue", "f: 1."), ("AttrValue", "f: 1.e2"),
    ("AttrValue", "list { i: [1, -2, 3] }"), ("AttrValue", "list { }"), ("AttrValue", "list { f: [1, .5] f: 2 }"),
    ("AttrValue", "list { b: [true, false] type: [DT_INT32, 1] }"),
    ("AttrValue", 'list { s: ["a", "b" "c", \'\'] }'),
    ("AttrValue", "shape { dim { size: -1 } dim { } dim { size: 3 name: 'x' } }"),
    ("AttrValue", "shape { unknown_rank: true }"),
    ("AttrValue", "tensor { dtype: DT_STRING tensor_shape { } string_val: '\\377\\000' }"),
    ("AttrValue", "func { name: 'f' attr { key: 'T' value { type: DT_INT64 } } }"),
    ("AttrValue", "placeholder: 'x'"),
    ("AttrValue", "i: 5 s: 'x'"),
    ("TensorProto", "dtype: DT_FLOAT float_val: [1, 2] float_val: 3 double_val: 1e300 int64_val: -1 uint64_val: 18446744073709551615"),
    ("TensorProto", "uint32_val: 4294967295 half_val: 15360 bool_val: [true, false, 1]"),
    ("MetaGraphDef", 'collection_def { key: "b" value { int64_list { value: [1, -2] } } } collection_def { key: "a" value { bytes_list { value: "x" } } }'),
    ("MetaGraphDef", 'meta_info_def { any_info { type_url: "u" value: "v" } tags: ["serve", "gpu"] }'),
    ("MetaGraphDef", 'saver_def { keep_checkpoint_every_n_hours: 10000 version: V2 sharded: true }'),
    ("MetaGraphDef", 'collection_def { key: "k" value { any_list { value { [type.googleapis.com/tensorflow.AssetFileDef] { filename: "f" } } } } }'),
    ("GraphDef", "versions { producer: 1 bad_consumers: 1 } versions { producer: 2 bad_consumers: 2 } versions { }"),
    ("MetaGraphDef", "graph_def { versions { producer: 1 } node { name: 'a' } } graph_def { node { name: 'b' } versions { min_consumer: 2 } }"),
    ("AttrValue", "tensor { dtype: DT_FLOAT tensor_shape { dim { size: 1 } } } tensor { tensor_shape { dim { size: 2 } } float_val: 3 }"),
    # not text
    ("GraphDef", 'node { name: "abc }'), ("GraphDef", "node { name: 'a\" }"), ("GraphDef", 'node { name: "a\nb" }'),
    ("GraphDef", "node {"), ("GraphDef", "node { name: [1,2, }"), ("GraphDef", "nodes { }"), ("GraphDef", "node { name 'a' }"),
    ("GraphDef", "node { name: a }"), ("GraphDef", "node }"), ("GraphDef", "node { > "), ("GraphDef", "versions: 3"),
    ("GraphDef", "node { name: ['a', 'b'] }"), ("GraphDef", "versions { producer: [1] }"),
    ("GraphDef", "versions { producer: 2147483648 }"), ("GraphDef", "versions { producer: 1.5 }"),
    ("GraphDef", "versions { producer: 12abc }"), ("GraphDef", "versions { producer: 0x }"),
    ("GraphDef", "\ufeffnode { }"), ("GraphDef", 'node { name: "\\xZZ" }'), ("GraphDef", 'node { name: "\\'),
    ("GraphDef", 'node { name: "\\u12" }'), ("GraphDef", 'node { name: "\\377" }'),
    ("AttrValue", "i: 99999999999999999999"), ("AttrValue", "i: 0x8000000000000000"), ("AttrValue", "b: maybe"),
    ("AttrValue", "b: 2"), ("AttrValue", "type: DT_NOPE"), ("AttrValue", "f: 1..2"), ("AttrValue", "f: abc"), ("AttrValue", "f: --1"),
    ("TensorProto", "uint32_val: -1"), ("TensorProto", "uint32_val: 4294967296"), ("TensorProto", "dtype: "),
    ("GraphDef", "node { } }"), ("GraphDef", "node , { }"), ("GraphDef", "node { name: 'a',, }"),
]


def record_texts():
    lines = []
    for i, (name, text) in enumerate(TEXTS):
        message = MESSAGES[name]()
        try:
            text_format.Merge(text, message)
            out = message.SerializeToString(deterministic=True).hex()
        except (text_format.ParseError, UnicodeDecodeError, ValueError):
            out = "error"
        lines.append("\t".join([f"text-{i}", name, text.encode().hex(), out]))
    (OUT / "texts.tsv").write_text("\n".join(lines) + "\n")
    return len(lines)


def tensor(dtype, shape, **fields):
    t = tensor_pb2.TensorProto(dtype=dtype)
    t.tensor_shape.SetInParent()
    for d in shape:
        t.tensor_shape.dim.add(size=d)
    for key, value in fields.items():
        if isinstance(value, (list, tuple)):
            getattr(t, key).extend(value)
        else:
            setattr(t, key, value)
    return t


def tensors():
    T = types_pb2
    yield "float_scalar", tensor(T.DT_FLOAT, [], float_val=[1.5])
    yield "float_none", tensor(T.DT_FLOAT, [2, 2])
    yield "float_fill", tensor(T.DT_FLOAT, [2, 3], float_val=[1, 2])
    yield "float_extra", tensor(T.DT_FLOAT, [2], float_val=[1, 2, 3, 4])
    yield "float_empty", tensor(T.DT_FLOAT, [0, 3])
    yield "float_content", tensor(T.DT_FLOAT, [2], tensor_content=struct.pack("<2f", 1, -2))
    yield "float_both", tensor(T.DT_FLOAT, [1], tensor_content=struct.pack("<f", 7), float_val=[9])
    yield "float_nan", tensor(T.DT_FLOAT, [3], float_val=[float("nan"), float("inf"), -0.0])
    yield "float_wrong_field", tensor(T.DT_FLOAT, [2], int_val=[5])
    yield "double", tensor(T.DT_DOUBLE, [3], double_val=[1e300, -0.5])
    yield "int32", tensor(T.DT_INT32, [4], int_val=[-1, 2])
    yield "uint8", tensor(T.DT_UINT8, [3], int_val=[255, 300, -1])
    yield "int8", tensor(T.DT_INT8, [3], int_val=[-128, 200, 5])
    yield "int16", tensor(T.DT_INT16, [2], int_val=[-32768, 70000])
    yield "uint16", tensor(T.DT_UINT16, [2], int_val=[65535, -1])
    yield "int64", tensor(T.DT_INT64, [2], int64_val=[-2 ** 63, 2 ** 63 - 1])
    yield "bool", tensor(T.DT_BOOL, [3], bool_val=[True, False, True])
    yield "half", tensor(T.DT_HALF, [3], half_val=[0x3c00, 0xbc00])
    yield "bfloat16", tensor(T.DT_BFLOAT16, [2], half_val=[0x3f80])
    yield "complex64", tensor(T.DT_COMPLEX64, [3], scomplex_val=[1, 2, 3, 4])
    yield "complex64_odd", tensor(T.DT_COMPLEX64, [2], scomplex_val=[1, 2, 3])
    yield "complex128", tensor(T.DT_COMPLEX128, [2], dcomplex_val=[1, 2])
    yield "uint32", tensor(T.DT_UINT32, [2], uint32_val=[2 ** 32 - 1])
    yield "uint64", tensor(T.DT_UINT64, [2], uint64_val=[2 ** 64 - 1, 1])
    yield "string", tensor(T.DT_STRING, [3], string_val=[b"ab", b"\xff\x00"])
    yield "string_content", tensor(T.DT_STRING, [3], tensor_content=b"\x02\x00\x01abc")
    yield "string_none", tensor(T.DT_STRING, [2])
    yield "content_short", tensor(T.DT_FLOAT, [2], tensor_content=b"1234567")
    yield "content_long", tensor(T.DT_FLOAT, [2, 3], tensor_content=b"x" * 400)
    yield "string_content_long", tensor(T.DT_STRING, [2], tensor_content=b"\x02\x09abc")
    yield "shape_unknown", tensor(T.DT_FLOAT, [-1], float_val=[1])
    yield "shape_negative", tensor(T.DT_FLOAT, [-5, 2], float_val=[1])
    yield "shape_huge", tensor(T.DT_FLOAT, [2 ** 32, 2 ** 32], float_val=[1])
    yield "dtype_0", tensor(T.DT_INVALID, [])
    yield "dtype_ref", tensor(T.DT_FLOAT_REF, [], float_val=[1])
    unpacked = tensor(T.DT_INT32, [4]).SerializeToString() + b"\x38\x05\x3a\x02\x06\x07\x38\x08"
    yield "unpacked_and_packed", tensor_pb2.TensorProto.FromString(unpacked), unpacked


def fetch(proto):
    graph = graph_pb2.GraphDef()
    node = graph.node.add(name="c", op="Const")
    node.attr["dtype"].type = proto.dtype
    node.attr["value"].tensor.CopyFrom(proto)
    with tf.Graph().as_default():
        c, = tf.import_graph_def(graph, return_elements=["c:0"], name="")
        with tf.Session() as session:
            return session.run(c)


def record_tensors():
    lines = []
    for name, proto, *raw in tensors():
        encoded = raw[0] if raw else proto.SerializeToString()
        try:
            value = np.asarray(fetch(proto))
            if value.dtype == object or value.dtype.kind == "S":
                parts = [v if isinstance(v, bytes) else bytes(v) for v in value.ravel()]
                data = b"".join(struct.pack("<I", len(p)) + p for p in parts)
            else:
                data = value.tobytes()
            row = [str(proto.dtype), ",".join(map(str, value.shape)), data.hex(), ""]
        except Exception as error:
            row = [str(proto.dtype), "", "error", str(error).split("\n")[0][:60]]
        lines.append("\t".join([name, encoded.hex()] + row))
    (OUT / "tensors.tsv").write_text("\n".join(lines) + "\n")
    return len(lines)


def messages():
    A = attr_value_pb2.AttrValue
    for v in (0.1, 1, 1e-5, 1.5e-7, 1e16, 123456.789, 1e10, 3.4028235e38, 1e-45, -0.0, float("inf"), float("nan"), 16777216, 0.3):
        yield "AttrValue", A(f=v)
    for v in (0.1, 1e16, 1e15, 1e-4, 1e-5, 1.7976931348623157e308, 5e-324, 1 / 3):
        yield "TensorProto", tensor_pb2.TensorProto(double_val=[v])
    yield "AttrValue", A(s=bytes(range(256)))
    yield "AttrValue", A(type=1234)
    yield "AttrValue", A(list=A.ListValue())
    yield "AttrValue", A(i=0)
    g = graph_pb2.GraphDef()
    n = g.node.add(name="\u00e9\"'", op="x", input=["a", "^b"])
    n.attr["z"].i = -1
    n.attr["a"].shape.unknown_rank = True
    n.attr["m"].list.type.extend([1, 3])
    g.versions.producer = 134
    g.library.function.add().arg_attr[3].attr["x"].b = True
    yield "GraphDef", g
    yield "VariableDef", variable_pb2.VariableDef(variable_name="w:0", trainable=True)
    yield "SaverDef", saver_pb2.SaverDef(filename_tensor_name="save/Const:0", max_to_keep=5, keep_checkpoint_every_n_hours=10000, version=2)


def record_messages():
    lines = []
    for i, (name, message) in enumerate(messages()):
        lines.append("\t".join([f"message-{i}", name, message.SerializeToString(deterministic=True).hex(),
                                text_format.MessageToString(message).encode().hex()]))
    (OUT / "messages.tsv").write_text("\n".join(lines) + "\n")
    return len(lines)


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    print(record_texts(), record_tensors(), record_messages())
