# tf.Session.reset() without a server: whatever sessions of the process there are, they are at their end.
import tensorflow as tf

with tf.container("kept"):
    w = tf.get_variable("w", [], initializer=tf.ones_initializer())
init = tf.global_variables_initializer()
first, second = tf.Session(), tf.InteractiveSession()
for session in (first, second):
    session.run(init)
print(tf.Session.reset("", ["other"]))
late = tf.Session()
for session in (first, second):
    for fetches in (w, w, []):
        try:
            print(session.run(fetches))
        except tf.errors.CancelledError as error:
            print(type(error).__name__, error, error.node_def, error.op)
try:
    session.run("no such tensor:0")
except ValueError as error:
    print(error)
late.run(init)
print(late.run(w))
late.close()
print(tf.Session.reset(""))
try:
    late.run(w)
except RuntimeError as error:
    print(error)
second.close()
first.close()
