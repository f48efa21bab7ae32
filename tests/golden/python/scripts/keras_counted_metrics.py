import numpy as np, tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
tf.set_random_seed(0)
x = np.random.RandomState(0).rand(40, 6).astype('f'); y = (x.sum(1) > 3).astype('i').reshape(-1, 1)
m = keras.Sequential([layers.Dense(8, activation='relu', input_shape=(6,), kernel_initializer=keras.initializers.glorot_uniform(seed=1)), layers.Dense(1, activation='sigmoid', kernel_initializer=keras.initializers.glorot_uniform(seed=2))])
M = keras.metrics
m.compile(optimizer=keras.optimizers.SGD(lr=0.1), loss='binary_crossentropy', metrics=['accuracy', M.AUC(name='auc'), M.Precision(), M.Recall(name='rec', thresholds=[.4, .6]) if False else M.Recall(name='rec'), M.TruePositives(), M.FalseNegatives(name='fn'), M.AUC(num_thresholds=20, curve='PR', name='pr')])
print(m.metrics_names)
h = m.fit(x, y, epochs=2, batch_size=10, verbose=0, shuffle=False)
print({k: ['%.4f' % v for v in vs] for k, vs in sorted(h.history.items())})
print(['%.4f' % v for v in m.evaluate(x, y, verbose=0)])
tf.reset_default_graph(); keras.backend.clear_session()
p = tf.constant([.1, .4, .35, .8, .9]); t = tf.constant([0, 0, 1, 1, 1]); w = tf.constant([1., 2., 1., .5, 1.])
made = [M.AUC(num_thresholds=5), M.AUC(curve='PR'), M.AUC(curve='PR', summation_method='majoring', name='a'), M.AUC(summation_method='minoring', thresholds=[.3, .5], name='b'),
        M.Precision(thresholds=[.3, .5]), M.Recall(), M.TrueNegatives(), M.FalsePositives(thresholds=[.2, .7])]
ups = [k.update_state(t, p, sample_weight=w) for k in made]; res = [k.result() for k in made]
top = M.Precision(top_k=2); up = top.update_state([[0, 1, 1, 0]], [[.1, .2, .3, .9]]); cls = M.Recall(class_id=1, name='cls'); up2 = cls.update_state([[0, 1], [1, 0]], [[.1, .9], [.2, .3]])
with tf.Session() as s:
    s.run(tf.variables_initializer([v for k in made + [top, cls] for v in k.variables]))
    s.run(ups); print([np.round(v, 4).tolist() for v in s.run(res)]); s.run([up, up2]); print(s.run([top.result(), cls.result()]))
print([k.name for k in made], [v.name for v in made[0].variables], made[5].get_config(), made[0].get_config()["curve"])
for f in (lambda: M.AUC(num_thresholds=1), lambda: M.AUC(curve='x'), lambda: M.Precision(thresholds=[2.]), lambda: M.AUC(summation_method='x')):
    try: f()
    except ValueError as e: print(e)
