# horovod_ranks.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What each rank does in test-horovod.py; prints one JSON text: what it saw."""

import json
import sys

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

try:
    hvd.size()
    early = None
except ValueError as error:
    early = str(error)
hvd.init()
me = hvd.rank()
x = tf.placeholder(tf.float32, [None, 2], name="x")
w = tf.Variable(tf.constant([[1.0], [2.0]]) * (me + 1.0), name="w")
table = tf.get_variable("table", [4, 2], initializer=tf.ones_initializer())
loss = tf.reduce_mean(tf.matmul(x, w)) + tf.reduce_sum(tf.nn.embedding_lookup(table, [me, 2]))
train = hvd.DistributedOptimizer(tf.train.AdagradOptimizer(0.5, initial_accumulator_value=1.0)).minimize(loss)
hook = hvd.BroadcastGlobalVariablesHook(0)
rows = hvd.allgather(tf.fill([me + 1, 2], float(me)), name="rows")
total = hvd.allreduce(tf.constant([1.0, 2.0]) * (me + 1), average=False)
halves = hvd.allreduce(tf.constant([1.0, 2.0]) * (me + 1), compression=hvd.Compression.fp16)
counts = [hvd.allreduce(tf.constant([me, 7], dtype), average=False) for dtype in (tf.int32, tf.int64, tf.float64)]
back = tf.gradients(tf.reduce_sum(hvd.allgather(x) * 2.0), x)[0]
uneven = hvd.allreduce(tf.zeros([2, 3 + me]))
seen = {"early": early, "rank": me, "size": hvd.size(), "local": [hvd.local_rank(), hvd.local_size()]}
with tf.train.MonitoredTrainingSession(hooks=[hook]) as session:
    raw = session._tf_sess() if hasattr(session, "_tf_sess") else session
    seen["begun"] = raw.run(w).ravel().tolist()
    raw.run(train, {x: np.full([me + 1, 2], me + 1.0)})
    seen["w"], seen["table"] = raw.run(w).ravel().tolist(), raw.run(table).tolist()
    seen["rows"], seen["total"], seen["halves"] = [v.tolist() for v in raw.run([rows, total, halves])]
    seen["counts"] = [v.tolist() for v in raw.run(counts)]
    seen["back"] = raw.run(back, {x: np.ones([me + 1, 2])}).tolist()
    try:
        raw.run(uneven)
        seen["uneven"] = None
    except tf.errors.FailedPreconditionError as error:
        seen["uneven"] = error.message.splitlines()[0]
seen["ops"] = sorted(n.name for n in tf.get_default_graph().as_graph_def().node if n.op == "HorovodBroadcast")
# In one piece: the ranks share an output.
sys.stdout.write("SEEN " + json.dumps(seen) + "\n")
sys.stdout.flush()
