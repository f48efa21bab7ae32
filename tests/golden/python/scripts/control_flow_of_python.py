"""Python's if, while and for on tensors, within functions of data sets and in functions that are converted by name."""
import numpy as np
import tensorflow as tf


def show(ds, n=20):
    it = ds.make_one_shot_iterator().get_next(); out = []
    with tf.Session() as s:
        try:
            for _ in range(n): out.append(s.run(it))
        except tf.errors.OutOfRangeError: pass
    print(out)
def cl(v):
    if v % 2 == 0: r = v // 2
    else: r = v * 3 + 1
    return r
def early(v):
    if v > 3:
        return v * 10
    return -v
def elifs(v):
    if v < 2:
        return tf.constant('low')
    elif v < 4:
        return tf.constant('mid')
    else:
        return tf.constant('high')
def steps(v):
    n = tf.constant(0)
    while v > 1 and n < 50:
        if v % 2 == 0: v = v // 2
        else: v = 3 * v + 1
        n += 1
    return n
def over(v):
    total = tf.constant(0, tf.int64)
    for i in tf.range(v):
        if i == 2: continue
        total += i
    return total
def over2(v):
    total = tf.constant(0, tf.int64)
    for i in range(v):
        if i == 3: break
        total += i
    return total
def rows(v):
    t = tf.constant(0., )
    for x in tf.stack([tf.cast(v, tf.float32), 2., 3.]):
        if x > 2.:
            t += x
    return t
def helper(x):
    return x if x > 2 else -x
def calls(v): return helper(v) + 1
class C(object):
    def __init__(self, k): self.k = k
    def m(self, v):
        if v > self.k: return v
        return v * 0
    def __call__(self, v):
        return self.m(v) if v > 1 else v
def nothing(v):
    if v > 2:
        print('traced')
    return v
def pythonic(v):
    acc = []
    for i in range(3):
        if i == 1: continue
        acc.append(v + i)
        if len(acc) == 5: break
    else:
        acc.append(v)
    k = 0
    while k < 3:
        k += 1
        if k == 2: break
    try:
        z = acc[10]
    except IndexError as e:
        z = acc[0]
    with tf.name_scope('w'):
        q = z + k
    d = {'a': q, 'b': [x * 2 for x in acc if x is not None][0]}
    return d['a'], d['b'], not acc
d = tf.data.Dataset.range(6)
for f in (cl, early, elifs, steps, over, over2, rows, calls, C(2).m, C(3), nothing, pythonic):
    show(d.map(f))
show(d.filter(lambda v: v > 1 and v < 5))
show(d.filter(lambda v: not v > 3 or v == 5))
show(d.map(lambda v: tf.cond(v > 2, lambda: v, lambda: v * 100)))
show(d.map(lambda v: v if v > 3 else v + 100))
def fl(v): return v > 2 and v < 5
show(d.filter(fl))
def red(s, v):
    if v > 3: s += v
    return s
with tf.Session() as s: print(s.run(d.reduce(np.int64(0), red)))
def fm(v):
    if v > 3: n = v
    else: n = tf.constant(1, tf.int64)
    return tf.data.Dataset.from_tensors(v).repeat(n)
show(d.flat_map(fm))
def bad(v):
    if v > 2: r = v
    return r
def bad2(v):
    if v > 2: return v
def bad3(v):
    if v > 2: r = v
    else: r = 1.0
    return r
def bad4(v):
    while v > 2:
        w = v; v -= 1
    return w
def bad5(v):
    while v > 2:
        v = tf.cast(v, tf.float32) - 1.
    return v
def bad6(v):
    for i in tf.range(v):
        if i == 2: return i
    return v
def bad7(v):
    if v: return 1
    return 2
def bad7(v):
    for i in tf.range(v):
        if i == 2:
            unknown = i
    return v


for f in (bad, bad2, bad3, bad4, bad5, bad6, bad7):
    try:
        d.map(f)
        print("fine")
    except Exception as error:
        lines = str(error).rstrip().split("\n")
        print(type(error).__name__, [line.strip().rpartition("/")[2] for line in lines if line.endswith("  *")], lines[-1])


def halved(x):
    while tf.reduce_sum(x) > 1.:
        x = x / 2.
    return x


def endless(n):
    i = 0
    while True:
        if i > n: break
        i += 1
    return i


x = tf.placeholder(tf.float32, [3])
begun = len(tf.get_default_graph().get_operations())
y = tf.autograph.to_graph(halved)(x)
gradient, = tf.gradients(y, x)
z = tf.autograph.to_graph(helper)(x[1])
r = tf.autograph.to_graph(rows)(x[0])
for op in tf.get_default_graph().get_operations()[begun:]:
    print(op.name, op.type, [i.name for i in op.inputs], [c.name for c in op.control_inputs])
k = tf.autograph.to_graph(C.m)(C(1), x[2])
with tf.Session() as s:
    print(s.run([y, gradient, z, r, k], {x: [1, 2, 3.]}))
print(tf.autograph.to_graph(helper)(5), tf.autograph.to_graph(helper)(-5), tf.autograph.to_graph(endless)(4))
try:
    tf.autograph.to_graph(endless)(tf.constant(3))
except TypeError as error:
    print(error)


@tf.autograph.experimental.do_not_convert
def unconverted(v):
    return v if v is not None else 0


show(d.map(unconverted))
