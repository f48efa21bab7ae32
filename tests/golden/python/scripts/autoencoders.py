import numpy as np
import tensorflow as tf
np.random.seed(0)
tf.set_random_seed(0)
data = np.random.rand(32, 20).astype(np.float32)


def xavier_init(fan_in, fan_out, constant=1):
    low = -constant * np.sqrt(6.0 / (fan_in + fan_out))
    return tf.random_uniform((fan_in, fan_out), minval=low, maxval=-low, dtype=tf.float32)


class VAE(object):
    def __init__(self, arch, transfer_fct=tf.nn.softplus, lr=0.01, batch_size=32):
        self.x = tf.placeholder(tf.float32, [None, arch['n_input']])
        w = dict(h1=tf.Variable(xavier_init(arch['n_input'], arch['h'])), mean=tf.Variable(xavier_init(arch['h'], arch['n_z'])), sig=tf.Variable(xavier_init(arch['h'], arch['n_z'])))
        b = dict(h1=tf.Variable(tf.zeros([arch['h']], dtype=tf.float32)), mean=tf.Variable(tf.zeros([arch['n_z']])), sig=tf.Variable(tf.zeros([arch['n_z']])))
        h = transfer_fct(tf.add(tf.matmul(self.x, w['h1']), b['h1']))
        self.z_mean = tf.add(tf.matmul(h, w['mean']), b['mean'])
        self.z_log_sigma_sq = tf.add(tf.matmul(h, w['sig']), b['sig'])
        eps = tf.random_normal((batch_size, arch['n_z']), 0, 1, dtype=tf.float32)
        self.z = tf.add(self.z_mean, tf.multiply(tf.sqrt(tf.exp(self.z_log_sigma_sq)), eps))
        wd = tf.Variable(xavier_init(arch['n_z'], arch['n_input']))
        self.rec = tf.nn.sigmoid(tf.matmul(self.z, wd))
        rec_loss = -tf.reduce_sum(self.x * tf.log(1e-10 + self.rec) + (1 - self.x) * tf.log(1e-10 + 1 - self.rec), 1)
        latent = -0.5 * tf.reduce_sum(1 + self.z_log_sigma_sq - tf.square(self.z_mean) - tf.exp(self.z_log_sigma_sq), 1)
        self.cost = tf.reduce_mean(rec_loss + latent)
        self.train = tf.train.AdamOptimizer(learning_rate=lr).minimize(self.cost)
        self.sess = tf.InteractiveSession()
        self.sess.run(tf.initialize_all_variables())

    def fit(self, X):
        return self.sess.run((self.train, self.cost), feed_dict={self.x: X})[1]


vae = VAE(dict(n_input=20, h=12, n_z=2))
print(vae.x, vae.z, vae.rec, vae.cost, sep='\n')
for epoch in range(10):
    print('Epoch: %04d cost= %.5f' % (epoch + 1, vae.fit(data)))
print(vae.z_mean.eval({vae.x: data[:3]}).round(4))
print(vae.sess.run(vae.rec, {vae.x: data, vae.z: np.zeros((32, 2))}).round(4)[0, :5])
print(len(tf.get_default_graph().as_graph_def().node))
vae.sess.close()
tf.reset_default_graph()

weights = {'encoder_h1': tf.Variable(tf.random_normal([20, 8], seed=1)), 'decoder_h1': tf.Variable(tf.random_normal([8, 20], seed=2))}
biases = {'encoder_b1': tf.Variable(tf.random_normal([8], seed=3)), 'decoder_b1': tf.Variable(tf.random_normal([20], seed=4))}
X = tf.placeholder("float", [None, 20])
enc = tf.nn.sigmoid(tf.add(tf.matmul(X, weights['encoder_h1']), biases['encoder_b1']))
dec = tf.nn.sigmoid(tf.add(tf.matmul(enc, weights['decoder_h1']), biases['decoder_b1']))
cost = tf.reduce_mean(tf.pow(X - dec, 2))
optimizer = tf.train.RMSPropOptimizer(0.01).minimize(cost)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(5):
        _, c = sess.run([optimizer, cost], feed_dict={X: data})
        print("%.6f" % c)
    print(sess.run(enc, {X: data[:2]}).round(4))
    print(sess.run(weights)['encoder_h1'][0].round(4))
