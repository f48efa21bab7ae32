from __future__ import absolute_import, division, print_function
import collections, copy, json, math, re, os, tempfile, shutil
import numpy as np
import six
import tensorflow as tf

class Config(object):
  def __init__(self, vocab=30, hidden=16, layers=2, heads=2, inter=32, drop=0.1):
    self.vocab, self.hidden, self.layers, self.heads, self.inter, self.drop = vocab, hidden, layers, heads, inter, drop
  def to_json_string(self):
    return json.dumps(copy.deepcopy(self.__dict__), indent=2, sort_keys=True) + "\n"

def gelu(x):
  cdf = 0.5 * (1.0 + tf.tanh((np.sqrt(2 / np.pi) * (x + 0.044715 * tf.pow(x, 3)))))
  return x * cdf

def get_shape_list(tensor, expected_rank=None, name=None):
  if name is None:
    name = tensor.name
  shape = tensor.shape.as_list()
  non_static = [i for i, d in enumerate(shape) if d is None]
  if not non_static:
    return shape
  dyn = tf.shape(tensor)
  for i in non_static:
    shape[i] = dyn[i]
  return shape

def layer_norm(x, name=None):
  return tf.contrib.layers.layer_norm(inputs=x, begin_norm_axis=-1, begin_params_axis=-1, scope=name)

def dropout(x, p):
  if p is None or p == 0.0:
    return x
  return tf.nn.dropout(x, 1.0 - p)

def init(r=0.02):
  return tf.truncated_normal_initializer(stddev=r)

def attention(x, mask, c):
  B, T, H = get_shape_list(x)
  size = c.hidden // c.heads
  flat = tf.reshape(x, [-1, c.hidden])
  def transpose(t):
    t = tf.reshape(t, [B, T, c.heads, size])
    return tf.transpose(t, [0, 2, 1, 3])
  q = tf.layers.dense(flat, c.hidden, name="query", kernel_initializer=init())
  k = tf.layers.dense(flat, c.hidden, name="key", kernel_initializer=init())
  v = tf.layers.dense(flat, c.hidden, name="value", kernel_initializer=init())
  scores = tf.matmul(transpose(q), transpose(k), transpose_b=True)
  scores = tf.multiply(scores, 1.0 / math.sqrt(float(size)))
  m = tf.expand_dims(mask, axis=[1])
  scores += (1.0 - tf.cast(m, tf.float32)) * -10000.0
  probs = dropout(tf.nn.softmax(scores), c.drop)
  ctx = tf.transpose(tf.matmul(probs, transpose(v)), [0, 2, 1, 3])
  return tf.reshape(ctx, [B * T, c.hidden])

def model(ids, mask, types, c):
  with tf.variable_scope(None, default_name="bert"):
    with tf.variable_scope("embeddings"):
      table = tf.get_variable("word_embeddings", [c.vocab, c.hidden], initializer=init())
      flat = tf.reshape(tf.expand_dims(ids, -1), [-1])
      out = tf.gather(table, flat)
      shape = get_shape_list(tf.expand_dims(ids, -1))
      out = tf.reshape(out, shape[0:-1] + [shape[-1] * c.hidden])
      tt = tf.get_variable("token_type_embeddings", [2, c.hidden], initializer=init())
      out += tf.reshape(tf.matmul(tf.one_hot(tf.reshape(types, [-1]), depth=2), tt), get_shape_list(out))
      ok = tf.assert_less_equal(get_shape_list(ids)[1], 12)
      with tf.control_dependencies([ok]):
        full = tf.get_variable("position_embeddings", [12, c.hidden], initializer=init())
        pos = tf.slice(full, [0, 0], [get_shape_list(ids)[1], -1])
        out += tf.reshape(pos, [1, get_shape_list(ids)[1], c.hidden])
      out = dropout(layer_norm(out, "LayerNorm"), c.drop)
    with tf.variable_scope("encoder"):
      B, T = get_shape_list(ids)
      amask = tf.ones([B, T, 1], tf.float32) * tf.cast(tf.reshape(mask, [B, 1, T]), tf.float32)
      prev = tf.reshape(out, [-1, c.hidden])
      for i in range(c.layers):
        with tf.variable_scope("layer_%d" % i):
          with tf.variable_scope("attention"):
            with tf.variable_scope("self"):
              head = attention(tf.reshape(prev, [B, T, c.hidden]), amask, c)
            with tf.variable_scope("output"):
              a = tf.layers.dense(head, c.hidden, kernel_initializer=init())
              a = layer_norm(dropout(a, c.drop) + prev)
          with tf.variable_scope("intermediate"):
            it = tf.layers.dense(a, c.inter, activation=gelu, kernel_initializer=init())
          with tf.variable_scope("output"):
            o = tf.layers.dense(it, c.hidden, kernel_initializer=init())
            prev = layer_norm(dropout(o, c.drop) + a)
    seq = tf.reshape(prev, [B, T, c.hidden])
    with tf.variable_scope("pooler"):
      first = tf.squeeze(seq[:, 0:1, :], axis=1)
      pooled = tf.layers.dense(first, c.hidden, activation=tf.tanh, kernel_initializer=init())
  return seq, pooled

class AdamWeightDecay(tf.train.Optimizer):
  def __init__(self, rate, wd=0.0, b1=0.9, b2=0.999, eps=1e-6, exclude=None, name="AdamWeightDecayOptimizer"):
    super(AdamWeightDecay, self).__init__(False, name)
    self.rate, self.wd, self.b1, self.b2, self.eps, self.exclude = rate, wd, b1, b2, eps, exclude
  def apply_gradients(self, gvs, global_step=None, name=None):
    ops = []
    for (g, p) in gvs:
      if g is None or p is None:
        continue
      n = self._get_name(p.name)
      m = tf.get_variable(name=n + "/adam_m", shape=p.shape.as_list(), dtype=tf.float32, trainable=False, initializer=tf.zeros_initializer())
      v = tf.get_variable(name=n + "/adam_v", shape=p.shape.as_list(), dtype=tf.float32, trainable=False, initializer=tf.zeros_initializer())
      nm = tf.multiply(self.b1, m) + tf.multiply(1.0 - self.b1, g)
      nv = tf.multiply(self.b2, v) + tf.multiply(1.0 - self.b2, tf.square(g))
      up = nm / (tf.sqrt(nv) + self.eps)
      if not any(re.search(r, n) for r in self.exclude or []):
        up += self.wd * p
      ops.extend([p.assign(p - self.rate * up), m.assign(nm), v.assign(nv)])
    return tf.group(*ops, name=name)
  def _get_name(self, n):
    m = re.match("^(.*):\\d+$", n)
    return m.group(1) if m else n

def assignment_map(tvars, ckpt):
  amap, names = {}, {}
  n2v = collections.OrderedDict()
  for v in tvars:
    m = re.match("^(.*):\\d+$", v.name)
    n2v[m.group(1) if m else v.name] = v
  out = collections.OrderedDict()
  for name, shape in tf.train.list_variables(ckpt):
    if name not in n2v:
      continue
    out[name] = name
    names[name] = names[name + ":0"] = 1
  return out, names

d = tempfile.mkdtemp()
c = Config()
print(c.to_json_string())
ids = np.arange(12).reshape(2, 6) % 30

def build(seed, steps):
  tf.reset_default_graph()
  tf.set_random_seed(seed)
  i = tf.placeholder(tf.int32, [None, None], "input_ids")
  m = tf.placeholder(tf.int32, [None, None], "input_mask")
  t = tf.placeholder(tf.int32, [None, None], "segment_ids")
  seq, pooled = model(i, m, t, c)
  w = tf.get_variable("output_weights", [3, c.hidden], initializer=init())
  b = tf.get_variable("output_bias", [3], initializer=tf.zeros_initializer())
  with tf.variable_scope("loss"):
    logits = tf.nn.bias_add(tf.matmul(pooled, w, transpose_b=True), b)
    lp = tf.nn.log_softmax(logits, axis=-1)
    loss = tf.reduce_mean(-tf.reduce_sum(tf.one_hot([0, 2], 3) * lp, axis=-1))
  step = tf.train.get_or_create_global_step()
  rate = tf.train.polynomial_decay(tf.constant(5e-4, shape=[], dtype=tf.float32), step, steps, end_learning_rate=0.0, power=1.0, cycle=False)
  gs, ws = tf.cast(step, tf.int32), tf.constant(2, tf.int32)
  warm = tf.cast(gs, tf.float32) / tf.cast(ws, tf.float32)
  isw = tf.cast(gs < ws, tf.float32)
  rate = (1.0 - isw) * rate + isw * 5e-4 * warm
  opt = AdamWeightDecay(rate, 0.01, exclude=["LayerNorm", "layer_norm", "bias"])
  tv = tf.trainable_variables()
  grads = tf.gradients(loss, tv)
  grads, _ = tf.clip_by_global_norm(grads, clip_norm=1.0)
  train = tf.group(opt.apply_gradients(zip(grads, tv), global_step=step), [step.assign(step + 1)])
  return dict(i=i, m=m, t=t, loss=loss, train=train, rate=rate, pooled=pooled, seq=seq)

g = build(1, 10)
for v in tf.trainable_variables():
  print("  name = %s, shape = %s" % (v.name, v.shape))
print(len(tf.global_variables()), len(tf.get_default_graph().get_operations()))
feed = {g['i']: ids, g['m']: np.ones_like(ids), g['t']: np.zeros_like(ids)}
sv = tf.train.Saver()
with tf.Session() as s:
  s.run(tf.global_variables_initializer())
  for k in range(3):
    s.run(g['train'], feed)
    print(k, s.run(tf.train.get_global_step()), "%.6f" % s.run(g['rate']))
  print(g['seq'].shape, g['pooled'], s.run(g['pooled'], feed).shape)
  sv.save(s, os.path.join(d, "bert.ckpt"))
  kept = s.run("bert/encoder/layer_1/output/dense/kernel:0")
g = build(2, 10)
tv = tf.trainable_variables()
amap, names = assignment_map(tv, os.path.join(d, "bert.ckpt"))
tf.train.init_from_checkpoint(os.path.join(d, "bert.ckpt"), amap)
print(len(amap), sum(1 for v in tv if v.name in names))
with tf.Session() as s:
  s.run(tf.global_variables_initializer())
  print(np.array_equal(kept, s.run("bert/encoder/layer_1/output/dense/kernel:0")))
  print([o.name for o in tf.get_default_graph().get_operations() if "checkpoint_initializer" in o.name or o.name.startswith("init")][:12])
shutil.rmtree(d)
