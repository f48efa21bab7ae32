import numpy as np
import tensorflow as tf
np.random.seed(0); tf.set_random_seed(0)


class Env(object):
    """A corridor of seven places."""

    def reset(self):
        self.s, self.t = 3, 0
        return self.obs()

    def obs(self):
        o = np.zeros(7, np.float32); o[self.s] = 1
        return o

    def step(self, a):
        self.s += 1 if a == 1 else -1; self.t += 1
        done = self.s in (0, 6) or self.t > 20
        return self.obs(), (1.0 if self.s == 6 else 0.0), done, {}


def discount(r, gamma=0.9):
    out, run = np.zeros(len(r)), 0
    for t in reversed(range(len(r))):
        run = run * gamma + r[t]; out[t] = run
    return out


class Agent():
    def __init__(self, lr, s_size, a_size, h_size):
        self.state_in = tf.placeholder(shape=[None, s_size], dtype=tf.float32)
        hidden = tf.contrib.slim.fully_connected(self.state_in, h_size, biases_initializer=None, activation_fn=tf.nn.relu)
        self.output = tf.contrib.slim.fully_connected(hidden, a_size, activation_fn=tf.nn.softmax, biases_initializer=None)
        self.chosen = tf.argmax(self.output, 1)
        self.reward = tf.placeholder(shape=[None], dtype=tf.float32); self.action = tf.placeholder(shape=[None], dtype=tf.int32)
        self.indexes = tf.range(0, tf.shape(self.output)[0]) * tf.shape(self.output)[1] + self.action
        self.responsible = tf.gather(tf.reshape(self.output, [-1]), self.indexes)
        self.loss = -tf.reduce_mean(tf.log(self.responsible) * self.reward)
        tvars = tf.trainable_variables()
        self.holders = [tf.placeholder(tf.float32, name=str(i) + '_holder') for i, _ in enumerate(tvars)]
        self.grads = tf.gradients(self.loss, tvars)
        self.update = tf.train.AdamOptimizer(lr).apply_gradients(zip(self.holders, tvars))


agent = Agent(0.05, 7, 2, 8); env = Env()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    buf = sess.run(tf.trainable_variables())
    buf = [g * 0 for g in buf]; total = []
    for ep in range(40):
        s = env.reset(); hist = []; R = 0
        while True:
            p = sess.run(agent.output, {agent.state_in: [s]})[0]
            a = np.random.choice(2, p=p / p.sum()); s1, r, d, _ = env.step(a); hist.append((s, a, r)); s = s1; R += r
            if d:
                break
        h = np.array([q[2] for q in hist]); feed = {agent.reward: discount(h), agent.action: [q[1] for q in hist], agent.state_in: np.vstack([q[0] for q in hist])}
        for i, g in enumerate(sess.run(agent.grads, feed)):
            buf[i] += g
        if ep % 5 == 4:
            sess.run(agent.update, dict(zip(agent.holders, buf))); buf = [g * 0 for g in buf]
        total.append(R)
        if ep % 10 == 9:
            print(ep, np.mean(total[-10:]), sess.run(agent.output, {agent.state_in: np.eye(7)[3:4]}).round(4))
# DQN with a target network
tf.reset_default_graph(); tf.set_random_seed(2)


def net(x, name):
    with tf.variable_scope(name):
        h = tf.layers.dense(x, 16, tf.nn.relu, name='h')
        return tf.layers.dense(h, 2, name='q')


obs, nxt = tf.placeholder(tf.float32, [None, 7]), tf.placeholder(tf.float32, [None, 7])
act, rew, done = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])
q, tq = net(obs, 'online'), net(nxt, 'target')
target = tf.stop_gradient(rew + 0.9 * (1 - done) * tf.reduce_max(tq, 1))
td = target - tf.reduce_sum(q * tf.one_hot(act, 2), 1)
loss = tf.losses.huber_loss(target, tf.reduce_sum(q * tf.one_hot(act, 2), axis=1))
train = tf.train.RMSPropOptimizer(0.01, 0.99).minimize(loss, var_list=tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope='online'))
sync = tf.group(*[t.assign(o) for t, o in zip(tf.global_variables('target'), tf.trainable_variables('online'))])
print(sync, train, loss, td)
rng = np.random.RandomState(3); mem = []
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer()); sess.run(sync)
    for ep in range(25):
        s = env.reset()
        while True:
            a = rng.randint(2) if rng.rand() < .3 else int(np.argmax(sess.run(q, {obs: [s]})))
            s1, r, d, _ = env.step(a); mem.append((s, a, r, s1, float(d))); s = s1
            if len(mem) >= 16:
                idx = rng.randint(0, len(mem), 16); bs = [mem[i] for i in idx]
                _, l = sess.run([train, loss], {obs: [b[0] for b in bs], act: [b[1] for b in bs], rew: [b[2] for b in bs], nxt: [b[3] for b in bs], done: [b[4] for b in bs]})
            if d:
                break
        if ep % 5 == 4:
            sess.run(sync); print(ep, '%.4f' % l, sess.run(q, {obs: np.eye(7)[3:4]}).round(3))
