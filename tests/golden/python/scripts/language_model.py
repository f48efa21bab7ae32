"""Language model in the manner of the PTB tutorial."""
from __future__ import print_function
import collections, os, sys, time, tempfile, shutil
import numpy as np
import tensorflow as tf
flags = tf.flags
logging = tf.logging
flags.DEFINE_string("model", "small", "A type of model.")
flags.DEFINE_bool("use_fp16", False, "half")
flags.DEFINE_string("rnn_mode", None, "The low level implementation")
FLAGS = flags.FLAGS

def producer(raw, batch_size, num_steps, name=None):
    with tf.name_scope(name, "PTBProducer", [raw, batch_size, num_steps]):
        raw = tf.convert_to_tensor(raw, name="raw_data", dtype=tf.int32)
        data_len = tf.size(raw)
        batch_len = data_len // batch_size
        data = tf.reshape(raw[0:batch_size * batch_len], [batch_size, batch_len])
        epoch_size = (batch_len - 1) // num_steps
        assertion = tf.assert_positive(epoch_size, message="epoch_size == 0, decrease batch_size or num_steps")
        with tf.control_dependencies([assertion]):
            epoch_size = tf.identity(epoch_size, name="epoch_size")
        i = tf.train.range_input_producer(epoch_size, shuffle=False).dequeue()
        x = tf.strided_slice(data, [0, i * num_steps], [batch_size, (i + 1) * num_steps])
        x.set_shape([batch_size, num_steps])
        y = tf.strided_slice(data, [0, i * num_steps + 1], [batch_size, (i + 1) * num_steps + 1])
        y.set_shape([batch_size, num_steps])
        return x, y

class Input(object):
    def __init__(self, config, data, name=None):
        self.batch_size, self.num_steps = config.batch_size, config.num_steps
        self.epoch_size = ((len(data) // self.batch_size) - 1) // self.num_steps
        self.input_data, self.targets = producer(data, self.batch_size, self.num_steps, name=name)

class Small(object):
    init_scale, learning_rate, max_grad_norm, num_layers, num_steps, hidden_size = 0.1, 1.0, 5, 2, 4, 10
    max_epoch, max_max_epoch, keep_prob, lr_decay, batch_size, vocab_size = 2, 3, 1.0, 0.5, 3, 17

class Model(object):
    def __init__(self, is_training, config, input_):
        self._input = input_
        size, vocab = config.hidden_size, config.vocab_size
        with tf.device("/cpu:0"):
            embedding = tf.get_variable("embedding", [vocab, size], dtype=tf.float32)
            inputs = tf.nn.embedding_lookup(embedding, input_.input_data)
        if is_training and config.keep_prob < 1:
            inputs = tf.nn.dropout(inputs, config.keep_prob)
        def make_cell():
            cell = tf.contrib.rnn.BasicLSTMCell(size, forget_bias=0.0, state_is_tuple=True, reuse=not is_training)
            if is_training and config.keep_prob < 1:
                cell = tf.contrib.rnn.DropoutWrapper(cell, output_keep_prob=config.keep_prob)
            return cell
        cell = tf.contrib.rnn.MultiRNNCell([make_cell() for _ in range(config.num_layers)], state_is_tuple=True)
        self._initial_state = cell.zero_state(config.batch_size, tf.float32)
        state = self._initial_state
        outputs = []
        with tf.variable_scope("RNN"):
            for t in range(config.num_steps):
                if t > 0: tf.get_variable_scope().reuse_variables()
                (o, state) = cell(inputs[:, t, :], state)
                outputs.append(o)
        output = tf.reshape(tf.concat(outputs, 1), [-1, size])
        w = tf.get_variable("softmax_w", [size, vocab])
        b = tf.get_variable("softmax_b", [vocab])
        logits = tf.reshape(tf.nn.xw_plus_b(output, w, b), [config.batch_size, config.num_steps, vocab])
        loss = tf.contrib.seq2seq.sequence_loss(logits, input_.targets, tf.ones([config.batch_size, config.num_steps]), average_across_timesteps=False, average_across_batch=True)
        self._cost = tf.reduce_sum(loss)
        self._final_state = state
        if not is_training:
            return
        self._lr = tf.Variable(0.0, trainable=False)
        tvars = tf.trainable_variables()
        grads, _ = tf.clip_by_global_norm(tf.gradients(self._cost, tvars), config.max_grad_norm)
        self._train_op = tf.train.GradientDescentOptimizer(self._lr).apply_gradients(zip(grads, tvars), global_step=tf.train.get_or_create_global_step())
        self._new_lr = tf.placeholder(tf.float32, shape=[], name="new_learning_rate")
        self._lr_update = tf.assign(self._lr, self._new_lr)
    def assign_lr(self, s, v):
        s.run(self._lr_update, feed_dict={self._new_lr: v})
    def export_ops(self, name):
        self._name = name
        ops = {name + "/cost": self._cost}
        for n, op in ops.items():
            tf.add_to_collection(n, op)
        for i, st in enumerate(self._final_state):
            tf.add_to_collection(name + "/final", st.c)
            tf.add_to_collection(name + "/final", st.h)

def run_epoch(session, model, eval_op=None):
    costs, iters = 0.0, 0
    state = session.run(model._initial_state)
    fetches = {"cost": model._cost, "final_state": model._final_state}
    if eval_op is not None:
        fetches["eval_op"] = eval_op
    for step in range(model._input.epoch_size):
        feed = {}
        for i, (c, h) in enumerate(model._initial_state):
            feed[c] = state[i].c
            feed[h] = state[i].h
        vals = session.run(fetches, feed)
        state = vals["final_state"]
        costs += vals["cost"]
        iters += model._input.num_steps
    return np.exp(costs / iters)

def main(_):
    print(FLAGS.model, FLAGS.use_fp16, FLAGS.rnn_mode)
    d = tempfile.mkdtemp()
    rng = np.random.RandomState(3)
    train, valid = list(rng.randint(0, 17, 80)), list(rng.randint(0, 17, 40))
    config = Small()
    with tf.Graph().as_default():
        tf.set_random_seed(11)
        init = tf.random_uniform_initializer(-config.init_scale, config.init_scale, seed=2)
        with tf.name_scope("Train"):
            with tf.variable_scope("Model", reuse=None, initializer=init):
                m = Model(True, config, Input(config, train, name="TrainInput"))
            tf.summary.scalar("Training Loss", m._cost)
            tf.summary.scalar("Learning Rate", m._lr)
        with tf.name_scope("Valid"):
            with tf.variable_scope("Model", reuse=True, initializer=init):
                mv = Model(False, config, Input(config, valid, name="ValidInput"))
            tf.summary.scalar("Validation Loss", mv._cost)
        for n, x in {"Train": m, "Valid": mv}.items():
            x.export_ops(n)
        print([v.op.name for v in tf.global_variables()])
        print({k: len(tf.get_collection(k)) for k in sorted(tf.get_default_graph().get_all_collection_keys())})
        meta = tf.train.export_meta_graph()
    with tf.Graph().as_default():
        tf.train.import_meta_graph(meta)
        print(tf.get_collection("Train/final")[0], tf.get_collection("Valid/cost"))
    with m._cost.graph.as_default():
        sv = tf.train.Supervisor(logdir=d, save_model_secs=0, save_summaries_secs=0)
        with sv.managed_session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
            for i in range(config.max_max_epoch):
                m.assign_lr(session, config.learning_rate * config.lr_decay ** max(i + 1 - config.max_epoch, 0.0))
                print("Epoch: %d Learning rate: %.3f" % (i + 1, session.run(m._lr)))
                print("Train Perplexity: %.3f" % run_epoch(session, m, m._train_op))
                print("Valid Perplexity: %.3f" % run_epoch(session, mv))
            sv.saver.save(session, os.path.join(d, 'm'), global_step=sv.global_step)
        print(sorted(f.split('.')[0] for f in os.listdir(d)))
    shutil.rmtree(d)
if __name__ == "__main__":
    tf.app.run()
