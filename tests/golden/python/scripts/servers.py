"""Servers of one process: what they are called, what they refuse, and what their sessions share."""
import tensorflow as tf


def refused(make, *arguments, **keywords):
    try:
        make(*arguments, **keywords)
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0])


server = tf.train.Server.create_local_server()
print(str(server.target)[:17], server.server_def.job_name, server.server_def.task_index, server.server_def.protocol)
count = tf.Variable(3.0, name="count")
more = count.assign_add(1.0)
with tf.Session(server.target) as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(more))
more_still = count.assign_add(10.0)
with tf.Session(server.target, config=tf.ConfigProto(allow_soft_placement=True)) as sess:
    print(sess.run(count), sess.run(more_still))
    print([d.name for d in sess.list_devices() if "XLA" not in d.name])
with tf.Session() as sess:
    refused(sess.run, count.read_value())
tf.Session.reset(server.target)
with tf.Session(server.target) as sess:
    try:
        sess.run(count)
    except tf.errors.FailedPreconditionError:
        print("reset")
with tf.train.MonitoredTrainingSession(master=server.target) as sess:
    print(sess.run(more))

two = tf.train.ClusterSpec({"local": ["localhost:0", "localhost:0"]})
refused(tf.train.Server, {"worker": ["localhost:0"], "ps": ["localhost:0"]})
refused(tf.train.Server, two)
refused(tf.train.Server, two, job_name="local", task_index=5)
refused(tf.train.Server, two, job_name="other", task_index=0)
refused(tf.train.Server, 3)
started = tf.train.Server(two, job_name="local", task_index=1, start=False)
print(started.server_def.cluster.job[0].name, started.server_def.task_index)
