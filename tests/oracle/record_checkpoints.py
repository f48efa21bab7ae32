#!/usr/bin/env python3
# record_checkpoints.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Has TensorFlow 1.15 write small checkpoints, and say what is in them and in others: tests/golden/checkpoint/.

    python tests/oracle/record_checkpoints.py [FOLDER_OF_FIXTURES]

all.*, sliced.*, sharded.*, partitioned.*, all.v1, sharded.v1-*   checkpoints
expected.npz        their values, as FILE/TENSOR
fixtures.txt        of each checkpoint below FOLDER_OF_FIXTURES: path, then tensor, dtype, shape and CRC-32 of the
                    bytes that TensorFlow reads (of strings: each one's length in 8 bytes, then itself)
"""

import os
import pathlib
import re
import shutil
import sys
import zlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
OUT = pathlib.Path(__file__).resolve().parent.parent / "golden" / "checkpoint"


def values():
    r = np.random.RandomState(3)
    yield "a/float", r.randn(3, 4).astype(np.float32)
    yield "a/double", r.randn(2, 2, 2)
    yield "a/half", r.randn(5).astype(np.float16)
    yield "a/bfloat16", np.array([1.5, -2, 1e30], np.float32).astype(tf.bfloat16.as_numpy_dtype)
    for name, lo, hi in (("int8", -128, 127), ("uint8", 0, 255), ("int16", -2**15, 2**15 - 1), ("uint16", 0, 2**16 - 1),
                         ("int32", -2**31, 2**31 - 1), ("int64", -2**63, 2**63 - 1)):
        yield "i/" + name, np.array([lo, hi, 0, 7], name)
    yield "b/bool", np.array([[True, False], [False, True]])
    yield "c/complex64", (r.randn(3) + 1j * r.randn(3)).astype(np.complex64)
    yield "c/complex128", r.randn(3) + 1j * r.randn(3)
    yield "e/empty", np.zeros((0, 4), np.float32)
    yield "e/scalar", np.float32(2.5)
    yield "s/strings", np.array([[b"", b"a"], [b"b\0c", b"x" * 300]], object)
    yield "s/scalar", np.array(b"hello", object)
    yield "s/none", np.zeros((0,), object)


def numpy_of(v, name):
    if "bfloat16" in name:
        return np.asarray(v).view(np.uint16)
    return np.asarray(v)


def run(op):
    with tf.Session() as s:
        return s.run(op)


def put(npz, key, v):
    v = np.asarray(v)
    if v.dtype == object:
        flat = [x if isinstance(x, bytes) else x.encode() for x in v.ravel()]
        npz[key + "#len"] = np.array([len(x) for x in flat], np.int64).reshape(v.shape)
        npz[key + "#data"] = np.frombuffer(b"".join(flat), np.uint8)
    else:
        npz[key] = v
        if "bfloat16" in key:
            npz[key + "#dtype"] = np.array("bfloat16")


def record_small():
    shutil.rmtree(str(OUT), ignore_errors=True)
    OUT.mkdir(parents=True)
    os.chdir(str(OUT))
    npz = {}
    raw = tf.raw_ops
    everything = list(values())
    names = [n for n, _ in everything]
    with tf.Graph().as_default():
        tensors = [tf.constant(v) for _, v in everything]
        quantized = [tf.bitcast(tf.constant([-3, 4], tf.int8), tf.qint8), tf.bitcast(tf.constant([3, 4], tf.uint8), tf.quint8),
                     tf.bitcast(tf.constant([-3, 4], tf.int32), tf.qint32)]
        run(raw.SaveV2(prefix="all", tensor_names=names + ["q/8", "q/u8", "q/32"], shape_and_slices=[""] * (len(names) + 3),
                       tensors=tensors + quantized))
        plain = [(n, t) for n, t in zip(names, tensors) if t.dtype not in (tf.bfloat16, tf.uint16)]
        run(raw.Save(filename="all.v1", tensor_names=[n for n, _ in plain], data=[t for _, t in plain]))
        for n, v in everything:
            put(npz, "all/" + n, numpy_of(v, n))
        whole = np.arange(60, dtype=np.float32).reshape(10, 6)
        text = np.array([("s%d" % i).encode() * i for i in range(6)], object)
        parts = [("10 6 0,4:-", whole[:4]), ("10 6 4,6:0,2", whole[4:, :2]), ("10 6 4,6:2,4", whole[4:, 2:])]
        run(raw.SaveV2(prefix="sliced", tensor_names=["emb"] * 3 + ["text"] * 2 + ["one", "w"],
                       shape_and_slices=[p[0] for p in parts] + ["6 0,1", "6 1,5", "10 6 0,10:0,6", ""],
                       tensors=[p[1] for p in parts] + [text[:1], text[1:], whole, whole]))
        run(raw.SaveSlices(filename="sliced.v1", tensor_names=["emb"] * 3 + ["w"],
                           shapes_and_slices=[p[0] for p in parts] + [""], data=[p[1] for p in parts] + [whole]))
        run(raw.SaveV2(prefix="partial", tensor_names=["emb"], shape_and_slices=[parts[0][0]], tensors=[parts[0][1]]))
        put(npz, "sliced/emb", whole)
        put(npz, "sliced/text", text)
        # Two shards, one of which has a slice that the other completes.
        run(raw.SaveV2(prefix="t_temp/part-0", tensor_names=["x", "emb"], shape_and_slices=["", parts[0][0]],
                       tensors=[np.float32([1, 2]), parts[0][1]]))
        run(raw.SaveV2(prefix="t_temp/part-1", tensor_names=["y", "emb", "emb"], shape_and_slices=["", parts[1][0], parts[2][0]],
                       tensors=[np.int32(5), parts[1][1], parts[2][1]]))
        shutil.copytree("t_temp", "unmerged")
        run(raw.MergeV2Checkpoints(checkpoint_prefixes=["t_temp/part-0", "t_temp/part-1"], destination_prefix="sharded",
                                   delete_old_dirs=True))
        for i, p in enumerate(parts):
            run(raw.SaveSlices(filename="sharded.v1-%05d-of-00003" % i, tensor_names=["emb", "n%d" % i],
                               shapes_and_slices=[p[0], ""], data=[p[1], np.int64([i])]))
        # More tensors than one restart interval, and blocks of more than one.
        many = ["m/%03d" % i for i in range(200)]
        run(raw.SaveV2(prefix="many", tensor_names=many, shape_and_slices=[""] * 200, tensors=[np.int16([i]) for i in range(200)]))
        run(raw.SaveV2(prefix="empty", tensor_names=["z"], shape_and_slices=[""], tensors=[np.zeros((0,), np.float32)]))
    np.savez_compressed("expected.npz", **npz)
    record_partitioned()


def record_partitioned():
    """A graph with a variable in three parts, and its checkpoint."""
    with tf.Graph().as_default():
        init = tf.constant(np.arange(20, dtype=np.float32).reshape(10, 2))
        emb = tf.get_variable("emb", (10, 2), partitioner=tf.fixed_size_partitioner(3), use_resource=False,
                              initializer=lambda shape, dtype, partition_info: tf.slice(init, partition_info.var_offset, shape))
        tf.get_variable("w", initializer=np.float32([1, 2]), use_resource=False)
        tf.reduce_sum(emb * tf.constant(np.arange(20, dtype=np.float32).reshape(10, 2)), name="total")
        saver = tf.train.Saver()
        with tf.Session() as s:
            s.run(tf.global_variables_initializer())
            saver.save(s, "./partitioned", write_state=False)


def find_checkpoints(root):
    """Prefixes and V1 files; the boolean says which."""
    for path in sorted(root.rglob("*")):
        rel = str(path.relative_to(root))
        if path.is_file() and path.suffix == ".index":
            yield rel[:-6], False
        elif path.is_file() and re.search(r"export-00000-of-00001$|checkpoint-447880$|model\.ckpt$", path.name):
            yield rel, True


def record_fixtures(root):
    lines = []
    for prefix, v1 in find_checkpoints(root):
        path = str(root / prefix)
        if v1:
            # With a bundle of the same name beside it the reader would take that one.
            path = shutil.copy(path, "/tmp/record-v1")
        reader = tf.train.NewCheckpointReader(path)
        lines.append("%s %s" % (prefix, "v1" if v1 else "v2"))
        dtypes = reader.get_variable_to_dtype_map()
        shapes = reader.get_variable_to_shape_map()
        for name in sorted(dtypes):
            v = reader.get_tensor(name)
            if dtypes[name] == tf.string:
                data = b"".join(len(x).to_bytes(8, "little") + x for x in np.asarray(v, object).ravel())
            else:
                data = np.ascontiguousarray(v).tobytes()
            lines.append("\t%s %s %s %08x" % (name, dtypes[name].name, "x".join(map(str, shapes[name])) or "-", zlib.crc32(data)))
    (OUT / "fixtures.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    record_small()
    if len(sys.argv) > 1:
        record_fixtures(pathlib.Path(sys.argv[1]).resolve())
