"""A variational autoencoder and a DCGAN."""
import tensorflow as tf, numpy as np
rs = np.random.RandomState(0)
data = rs.rand(64, 36).astype('f')
tf.set_random_seed(1)

def glorot_init(shape):
    return tf.random_normal(shape=shape, stddev=1.0 / tf.sqrt(shape[0] / 2.0), seed=7)
weights = {'e1': tf.Variable(glorot_init([36, 16])), 'zm': tf.Variable(glorot_init([16, 2])), 'zs': tf.Variable(glorot_init([16, 2])), 'd1': tf.Variable(glorot_init([2, 16])), 'do': tf.Variable(glorot_init([16, 36]))}
biases = {'e1': tf.Variable(glorot_init([16])), 'zm': tf.Variable(glorot_init([2])), 'zs': tf.Variable(glorot_init([2])), 'd1': tf.Variable(glorot_init([16])), 'do': tf.Variable(glorot_init([36]))}
inp = tf.placeholder(tf.float32, shape=[None, 36])
enc = tf.nn.tanh(tf.matmul(inp, weights['e1']) + biases['e1'])
zm = tf.matmul(enc, weights['zm']) + biases['zm']
zs = tf.matmul(enc, weights['zs']) + biases['zs']
eps = tf.random_normal(tf.shape(zs), dtype=tf.float32, mean=0.0, stddev=1.0, name='epsilon', seed=9)
z = zm + tf.exp(zs / 2) * eps
dec = tf.nn.sigmoid(tf.matmul(tf.nn.tanh(tf.matmul(z, weights['d1']) + biases['d1']), weights['do']) + biases['do'])

def vae_loss(r, t):
    e = t * tf.log(1e-10 + r) + (1 - t) * tf.log(1e-10 + 1 - r)
    e = -tf.reduce_sum(e, 1)
    k = 1 + zs - tf.square(zm) - tf.exp(zs)
    k = -0.5 * tf.reduce_sum(k, 1)
    return tf.reduce_mean(e + k)
loss_op = vae_loss(dec, inp)
train_op = tf.train.RMSPropOptimizer(learning_rate=0.01).minimize(loss_op)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(1, 31):
        _, l = sess.run([train_op, loss_op], feed_dict={inp: data})
        if i % 10 == 0:
            print('Step %i, Loss: %.3f' % (i, l))
    noise = tf.placeholder(tf.float32, [None, 2])
    g = tf.matmul(noise, weights['d1']) + biases['d1']
    print(sess.run(tf.shape(g), {noise: np.zeros((3, 2))}))
tf.reset_default_graph()

def generator(x, reuse=False):
    with tf.variable_scope('Generator', reuse=reuse):
        x = tf.layers.dense(x, units=3 * 3 * 8, kernel_initializer=tf.glorot_uniform_initializer(seed=1))
        x = tf.nn.tanh(x)
        x = tf.reshape(x, shape=[-1, 3, 3, 8])
        x = tf.layers.conv2d_transpose(x, 4, 2, strides=2, kernel_initializer=tf.glorot_uniform_initializer(seed=2))
        x = tf.layers.conv2d_transpose(x, 1, 1, strides=1, kernel_initializer=tf.glorot_uniform_initializer(seed=3))
        return tf.nn.sigmoid(x)

def discriminator(x, reuse=False):
    with tf.variable_scope('Discriminator', reuse=reuse):
        x = tf.layers.conv2d(x, 4, 3, kernel_initializer=tf.glorot_uniform_initializer(seed=4))
        x = tf.nn.leaky_relu(tf.layers.batch_normalization(x, training=True))
        x = tf.layers.average_pooling2d(x, 2, 2)
        x = tf.contrib.layers.flatten(x)
        return tf.layers.dense(x, 2, kernel_initializer=tf.glorot_uniform_initializer(seed=5))
noise_input = tf.placeholder(tf.float32, shape=[None, 10])
real = tf.placeholder(tf.float32, shape=[None, 6, 6, 1])
gs = generator(noise_input)
dr = discriminator(real)
df = discriminator(gs, reuse=True)
dc = tf.concat([dr, df], axis=0)
st = discriminator(gs, reuse=True)
dt = tf.placeholder(tf.int32, shape=[None])
gt = tf.placeholder(tf.int32, shape=[None])
dl = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=dc, labels=dt))
gl = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=st, labels=gt))
gv = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope='Generator')
dv = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope='Discriminator')
ups = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
with tf.control_dependencies(ups):
    tg = tf.train.AdamOptimizer(0.001, beta1=0.5).minimize(gl, var_list=gv)
    td = tf.train.AdamOptimizer(0.001, beta1=0.5).minimize(dl, var_list=dv)
print(len(gv), len(dv), len(ups), [u.name for u in ups][:2])
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for i in range(5):
        z = rs.uniform(-1.0, 1.0, size=[16, 10])
        b = data[:16].reshape(-1, 6, 6, 1)
        _, _, a, c = s.run([tg, td, gl, dl], feed_dict={noise_input: z, real: b, dt: np.concatenate([np.ones(16), np.zeros(16)]), gt: np.ones(16)})
        print('Step %i: Generator Loss: %.3f, Discriminator Loss: %.3f' % (i, a, c))
