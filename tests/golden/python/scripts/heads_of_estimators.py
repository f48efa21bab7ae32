import re
import numpy as np, tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
rng = np.random.RandomState(4)
x = rng.randn(40, 3).astype('f')
score = x.dot(np.array([1., -2., .5], 'f'))
weights = rng.rand(40).astype('f')


def input_fn(labels, epochs=1):
    def make():
        return tf.data.Dataset.from_tensor_slices(({'x': x, 'w': weights}, labels)).batch(10).repeat(epochs)
    return make


def model(head, keras=False):
    def model_fn(features, labels, mode, params):
        w = tf.get_variable('w', [3, head.logits_dimension], initializer=tf.zeros_initializer(), use_resource=True)
        b = tf.get_variable('b', [head.logits_dimension], initializer=tf.zeros_initializer(), use_resource=True)
        logits = tf.matmul(features['x'], w) + b
        step = tf.train.get_or_create_global_step()

        def train_op_fn(loss):
            return tf.train.GradientDescentOptimizer(0.5).minimize(loss, global_step=step)
        optimizer = None
        if keras and mode == tf.estimator.ModeKeys.TRAIN:
            optimizer = tf.keras.optimizers.SGD(0.5)
            optimizer.iterations = step
        return head.create_estimator_spec(features, mode, logits, labels, optimizer=optimizer, trainable_variables=[w, b], train_op_fn=None if keras else train_op_fn,
                                          regularization_losses=params.get('losses') and [0.01 * tf.reduce_sum(w * w)])
    return model_fn


def shown(values):
    return [(str(k), np.round(v, 3).tolist() if not isinstance(v, (bytes, str)) else v) for k, v in sorted(values.items(), key=str)]


def show(name, head, labels, **params):
    try:
        estimator = tf.estimator.Estimator(model(head), params=params, config=tf.estimator.RunConfig(tf_random_seed=1))
        estimator.train(input_fn(labels, 3))
        print('==', name, shown(estimator.evaluate(input_fn(labels))))
        row = next(estimator.predict(input_fn(labels)))
        print([(str(k), np.round(v, 3).tolist() if v.dtype.kind == 'f' else v.tolist()) for k, v in sorted(row.items(), key=str)])
        return estimator
    except (ValueError, TypeError, tf.errors.InvalidArgumentError) as e:
        print('==', name, type(e).__name__, str(e).splitlines()[0][:160])


e = tf.estimator
two = (score > 0).astype('i')
three = np.digitize(score, [-1., 1.])
binary = show('two', e.BinaryClassHead(thresholds=[.3, .5]), two)
show('two, named', e.BinaryClassHead(weight_column='w', label_vocabulary=['no', 'yes'], name='own'), np.array(['no', 'yes'])[two], losses=True)
show('three', e.MultiClassHead(3, weight_column='w'), three)
show('three, named', e.MultiClassHead(3, label_vocabulary=['a', 'b', 'c'], loss_reduction='sum'), np.array(['a', 'b', 'c'])[three], losses=True)
show('several', e.MultiLabelHead(2, thresholds=[.5], classes_for_class_based_metrics=[1]), np.stack([two, 1 - two], 1))
show('numbers', e.RegressionHead(2, weight_column='w'), np.stack([score, -score], 1))
show('counts', e.PoissonRegressionHead(), np.abs(np.round(score)).astype('f'), losses=True)
show('chances', e.LogisticRegressionHead(name='chance'), two.astype('f'))
show('heads', e.MultiHead([e.BinaryClassHead(name='a'), e.RegressionHead(name='b')], [1., .5]), {'a': two, 'b': score.astype('f')}, losses=True)
show('own loss', e.RegressionHead(loss_fn=lambda labels, logits: tf.abs(labels - logits), inverse_link_fn=tf.exp), score.astype('f'))
show('too large', e.BinaryClassHead(), two + 1)
show('wrong shape', e.RegressionHead(2), score.astype('f'))
show('not whole', e.MultiClassHead(3), score.astype('f'))

more = tf.estimator.add_metrics(binary, lambda features, labels, predictions: {'mean_x': tf.metrics.mean(features['x']), 'accuracy': tf.metrics.mean(tf.cast(tf.equal(predictions['classes'], '1'), tf.float32))})
print(shown(more.evaluate(input_fn(two))), more.model_dir == binary.model_dir)


def fails(make):
    try:
        make()
        print('fine')
    except (ValueError, TypeError, NotImplementedError) as error:
        print(type(error).__name__, re.sub('<.* at 0x[0-9a-f]*>', 'it', str(error).splitlines()[0])[:170])


logits = tf.zeros([4, 3])
for make in (lambda: tf.estimator.add_metrics(binary, lambda x: {}), lambda: e.BinaryClassHead(thresholds=[1.5]), lambda: e.BinaryClassHead(label_vocabulary='ab'), lambda: e.BinaryClassHead(loss_reduction='none'),
             lambda: e.BinaryClassHead(loss_fn=lambda logits: 0), lambda: e.BinaryClassHead(loss_fn=lambda labels, logits, z: 0), lambda: e.MultiClassHead(2), lambda: e.MultiClassHead(None),
             lambda: e.MultiClassHead(3, label_vocabulary=['a']), lambda: e.MultiLabelHead(1), lambda: e.MultiLabelHead(3, thresholds=[0.]), lambda: e.MultiLabelHead(3, label_vocabulary=['a']),
             lambda: e.MultiLabelHead(3, classes_for_class_based_metrics=['a']), lambda: e.MultiLabelHead(3, classes_for_class_based_metrics=[3]), lambda: e.RegressionHead(0),
             lambda: e.MultiHead([]), lambda: e.MultiHead([e.RegressionHead()]), lambda: e.MultiHead([e.RegressionHead(name='a')], [1., 2.]),
             lambda: e.MultiClassHead(3).predictions(logits, ['nothing']), lambda: e.MultiClassHead(4).predictions(logits), lambda: e.MultiClassHead(3).loss(None, logits),
             lambda: e.MultiClassHead(3).create_estimator_spec({}, 'train', logits, tf.zeros([4], tf.int32)),
             lambda: e.MultiClassHead(3).create_estimator_spec({}, 'train', logits, tf.zeros([4], tf.int32), tf.train.GradientDescentOptimizer(.1)),
             lambda: e.MultiClassHead(3).create_estimator_spec({}, 'train', logits, tf.zeros([4], tf.int32), tf.keras.optimizers.SGD(.1)),
             lambda: e.MultiClassHead(3).create_estimator_spec({}, 'train', logits, tf.zeros([4], tf.int32), tf.keras.optimizers.SGD(.1), 3),
             lambda: e.MultiClassHead(3).create_estimator_spec({}, 'train', logits, tf.zeros([4], tf.int32), train_op_fn=lambda l: l, update_ops=3),
             lambda: e.MultiHead([e.RegressionHead(name='a')]).loss(3, logits[:, :1]), lambda: e.MultiHead([e.RegressionHead(name='a')]).loss({'b': 3}, logits[:, :1]),
             lambda: e.MultiHead([e.RegressionHead(name='a')]).predictions(logits), lambda: e.MultiHead([e.RegressionHead(name='a')]).predictions({'b': logits}),
             lambda: e.MultiHead([e.RegressionHead(name='a'), e.RegressionHead(name='b', loss_reduction='sum')]).loss_reduction):
    fails(make)
