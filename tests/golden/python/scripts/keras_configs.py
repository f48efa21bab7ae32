# Models as values, made again, cloned, and saved by the objects that they are made of.
import json
import os
import tempfile

import numpy as np
import tensorflow as tf

keras, layers = tf.keras, tf.keras.layers
folder = tempfile.mkdtemp()

a = layers.Input((4,), name="a")
b = layers.Input((4,), name="b")
shared = layers.Dense(3, activation="relu", kernel_regularizer=keras.regularizers.l2(0.5), name="shared")
joined = layers.Concatenate(name="joined")([shared(a), shared(b)])
model = keras.Model([a, b], layers.Dense(2, name="last")(layers.Dropout(0.5, name="drop")(joined)), name="pair")
print(json.dumps(model.get_config()))
text = model.to_json()
print(text)
again = keras.models.model_from_json(text)
print(again.to_json() == text, [layer.name for layer in again.layers])

net = keras.Sequential([
    layers.Conv2D(4, 3, padding="same", input_shape=(8, 8, 1), name="conv"), layers.BatchNormalization(name="norm"),
    layers.Activation("elu", name="act"), layers.MaxPooling2D(name="pool"), layers.Flatten(name="flat"),
    layers.Dense(3, activation="softmax", name="out")], name="net")
print(net.to_json())
print(keras.models.model_from_json(net.to_json()).to_json() == net.to_json())
recurrent = keras.Sequential([
    layers.Embedding(10, 4, input_length=5, name="words"), layers.Bidirectional(layers.LSTM(3, name="lstm"), name="both"),
    layers.Dense(1, bias_constraint="non_neg", name="score")], name="recurrent")
print(recurrent.to_json())
copy = keras.models.clone_model(recurrent)
print([layer.name for layer in copy.layers], [w.shape.as_list() for w in copy.weights])
x = np.array([[1, 2, 3, 4, 5]])
copy.set_weights(recurrent.get_weights())
print(np.array_equal(copy.predict(x), recurrent.predict(x)))

net.compile(optimizer=keras.optimizers.SGD(0.1, momentum=0.5), loss="categorical_crossentropy")
net.fit(np.ones((4, 8, 8, 1)), np.eye(3)[[0, 1, 2, 0]], verbose=0)
before = net.get_weights()
net.save_weights(os.path.join(folder, "w"))
print(sorted(os.listdir(folder)))
reader = tf.train.load_checkpoint(os.path.join(folder, "w"))
for key, shape in sorted(reader.get_variable_to_shape_map().items()):
    print(key, shape)
print(len(reader.get_tensor("_CHECKPOINTABLE_OBJECT_GRAPH")) > 0)
net.set_weights([np.zeros_like(w) for w in before])
net.load_weights(os.path.join(folder, "w")).assert_existing_objects_matched()
print(all(np.array_equal(p, q) for p, q in zip(before, net.get_weights())))


class Own(keras.Model):
    def __init__(self):
        super(Own, self).__init__(name="own")
        self.first = layers.Dense(3, name="one")
        self.rest = [layers.Dense(2, name="two"), layers.Dense(2, name="three")]

    def call(self, x):
        x = self.first(x)
        for layer in self.rest:
            x = layer(x)
        return x


own = Own()
own(tf.zeros([1, 4]))
step = tf.train.get_or_create_global_step()
checkpoint = tf.train.Checkpoint(model=own, step=step)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    path = checkpoint.save(os.path.join(folder, "own"))
    print(os.path.basename(path))
    for key, shape in tf.train.list_variables(path):
        print(key, shape)
for wrong in (own.to_json, lambda: own.save(os.path.join(folder, "m.h5")), lambda: net.save_weights("w", save_format="zip"),
              lambda: net.save_weights("w.h5", save_format="tf"), lambda: keras.models.model_from_config([1]),
              lambda: keras.models.clone_model(own), lambda: keras.models.clone_model(3),
              lambda: layers.deserialize({"class_name": "Nothing", "config": {}}), lambda: layers.deserialize({"name": 1}),
              lambda: net.load_weights(os.path.join(folder, "w"), by_name=True)):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)
with keras.utils.custom_object_scope({"Own": Own}):
    print(sorted(keras.utils.get_custom_objects()))
for optimizer in (keras.optimizers.Adam(clipnorm=1.), keras.optimizers.RMSprop(0.5), keras.optimizers.Adagrad()):
    config = keras.optimizers.serialize(optimizer)
    print(config, keras.optimizers.deserialize(config).get_config() == optimizer.get_config())
