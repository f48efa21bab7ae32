# Objects saved by the way that leads to them: files, the graph of objects, the ops, what restoring says.
import os
import tempfile

import tensorflow as tf

folder = tempfile.mkdtemp()
v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
w = tf.get_variable("w", [2], initializer=tf.ones_initializer(), use_resource=True)
step = tf.train.get_or_create_global_step()
optimizer = tf.train.AdamOptimizer(0.1)
train = optimizer.minimize(tf.reduce_sum(v * v * w), global_step=step)
checkpoint = tf.train.Checkpoint(model_v=v, w=w, optimizer=optimizer, step=step)
manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train)
    print(os.path.basename(checkpoint.save(os.path.join(folder, "x"))))
    sess.run(train)
    for _ in range(3):
        print(os.path.basename(manager.save()))
    print([os.path.basename(name) for name in manager.checkpoints], os.path.basename(manager.latest_checkpoint))
    status = checkpoint.restore(os.path.join(folder, "x-1"))
    status.assert_consumed().run_restore_ops()
    print(sess.run([v, w, step, optimizer.get_slot(v, "m")]))
    print(sorted(os.listdir(folder)))
reader = tf.train.load_checkpoint(os.path.join(folder, "x-1"))
for key, shape in sorted(reader.get_variable_to_shape_map().items()):
    print(key, shape)
print(reader.get_tensor("_CHECKPOINTABLE_OBJECT_GRAPH"))
for op in tf.get_default_graph().get_operations():
    if op.type in ("Assign", "AssignVariableOp", "SaveV2", "RestoreV2", "MergeV2Checkpoints", "ShardedFilename", "StringJoin",
                   "Identity", "AssignAddVariableOp") or op.name.startswith("save_counter"):
        print(op.name, op.type, [i.name for i in op.inputs], op.device, sorted(c.name for c in op.control_inputs))

other = tf.train.Checkpoint(model_v=v, more=tf.get_variable("more", []))
status = other.restore(os.path.join(folder, "x-1"))
for check in (status.assert_consumed, status.assert_existing_objects_matched, other.restore(None).assert_consumed,
              other.restore(None).run_restore_ops, lambda: tf.train.Checkpoint(x=3),
              lambda: tf.train.CheckpointManager(checkpoint, folder, max_to_keep=0)):
    try:
        check()
    except Exception as error:
        print(type(error).__name__, error)
with tf.Session() as sess:
    status.initialize_or_restore(sess)
    sess.run(w.initializer)
    print(sess.run(v))
    tf.train.Saver([v, w]).save(sess, os.path.join(folder, "named"))
    sess.run(w.assign([5., 6.]))
    try:   # the counter of saves is not in a file of a Saver's
        tf.train.Checkpoint(a=v, b=w).restore(os.path.join(folder, "named")).run_restore_ops(sess)
    except tf.errors.NotFoundError as error:
        print("not found", "save_counter" in str(error))
