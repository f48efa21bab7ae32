"""Classes made smooth by a temperature: the graph of each, samples and densities, and what they refuse."""
import numpy as np
import tensorflow as tf

ds = tf.contrib.distributions


def shown(start):
    for op in tf.get_default_graph().get_operations()[start:]:
        print(op.name, op.type, [i.name for i in op.inputs], [c.name for c in op.control_inputs])


for kind in (ds.ExpRelaxedOneHotCategorical, ds.RelaxedOneHotCategorical):
    for given in (dict(logits=[[.1, .2, .3], [1., 2., -1.]]), dict(probs=[.1, .2, .7], validate_args=True),
                  dict(logits=np.ones([2, 3, 4], 'f'), dtype=tf.float32)):
        tf.reset_default_graph()
        tf.set_random_seed(3)
        d = kind(.5, **given)
        print(d.name, d, d.reparameterization_type)
        drawn = d.sample(2, seed=5)
        density = d.log_prob(drawn)
        print([x.name for x in (d.event_shape_tensor(), d.batch_shape_tensor())])
        shown(0)
        with tf.Session() as session:
            for x in session.run([drawn, density]):
                print(np.round(x, 3))

tf.reset_default_graph()
d = ds.ExpRelaxedOneHotCategorical([.5, 2.], logits=tf.placeholder(tf.float32, [None, 3]))
print(d.temperature, d.logits, d.probs, d.event_size, d.batch_shape, d.event_shape)
slope = tf.gradients(d.log_prob([[-1., -2., -3.], [-.1, -3., -4.]]), [d.temperature, d.logits])
with tf.Session() as session:
    for x in session.run(slope, {d.logits: [[.1, .2, .3], [.3, 0., -1.]]}):
        print(np.round(x, 3))
for broken in (lambda: ds.RelaxedOneHotCategorical(.5), lambda: ds.RelaxedOneHotCategorical(.5, [1.], [1.]),
               lambda: ds.ExpRelaxedOneHotCategorical('a', [1.]),
               lambda: ds.RelaxedOneHotCategorical(-1., [1., 2.], validate_args=True)):
    try:
        print(broken())
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0])
