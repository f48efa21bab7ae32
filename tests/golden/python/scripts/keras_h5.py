"""Models and weights of tf.keras in HDF5 files: what stands in them, and what comes back."""
import os
import shutil
import tempfile

import h5py
import numpy as np
import tensorflow as tf

L = tf.keras.layers
folder = tempfile.mkdtemp()
path = os.path.join(folder, "model.h5")


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def numbers(array):
    return " ".join("%.4g" % v for v in np.ravel(array))


def make(units=3):
    start = tf.keras.initializers.Constant(0.1)
    return tf.keras.Sequential([
        L.Dense(units, activation="relu", kernel_initializer=start, name="first", input_shape=(4,)),
        L.BatchNormalization(name="norm"),
        L.Dense(2, kernel_initializer=start, name="last")], name="small")


def show(kind, item):
    attributes = {key: item.attrs[key] for key in item.attrs}
    words = []
    for key in sorted(attributes):
        if key in ("layer_names", "weight_names"):
            words.append("%s=%s" % (key, [text(v) for v in attributes[key]]))
        elif key not in ("keras_version", "model_config", "training_config"):
            words.append("%s=%s" % (key, text(attributes[key])))
        else:
            words.append(key)
    print(kind, item.name, ", ".join(words))


def walk(file):
    show("file", file)

    def visit(_, item):
        if isinstance(item, h5py.Dataset):
            print("  ", item.name, item.shape, item.dtype, numbers(item[()]) if item.shape else item.dtype.kind)
        else:
            show("group", item)
    file.visititems(visit)


x = np.linspace(-1, 1, 32).reshape(8, 4)
y = np.stack([x.sum(1), x[:, 0]], 1)

print("== saved whole")
model = make()
model.compile("rmsprop", "mse", metrics=["mae"])
model.fit(x, y, batch_size=8, epochs=2, shuffle=False, verbose=0)
model.save(path)
with h5py.File(path, "r") as file:
    walk(file["model_weights"])
    show("file", file)
    print(sorted(file), sorted(text(name) for name in file["optimizer_weights"].attrs["weight_names"]))
print(numbers(model.predict(x[:2])))

print("== loaded")
tf.keras.backend.clear_session()
loaded = tf.keras.models.load_model(path)
print(loaded.name, [layer.name for layer in loaded.layers], loaded.optimizer.__class__.__name__)
print(numbers(loaded.predict(x[:2])))
print(numbers(loaded.evaluate(x, y, verbose=0)))
loaded.fit(x, y, batch_size=8, shuffle=False, verbose=0)
print(numbers(loaded.predict(x[:2])))
plain = tf.keras.models.load_model(path, compile=False)
print(numbers(plain.predict(x[:2])))

print("== weights alone")
weights = os.path.join(folder, "weights.h5")
loaded.save_weights(weights)
with h5py.File(weights, "r") as file:
    walk(file)
other = make()
other.load_weights(weights)
print(numbers(other.predict(x[:2])))
by_name = tf.keras.Sequential([L.Dense(3, name="first", input_shape=(4,)), L.Dense(1, name="another")])
by_name.load_weights(weights, by_name=True)
print(numbers(by_name.layers[0].get_weights()[0]))

print("== what does not fit")
for try_it in (lambda: make(5).load_weights(weights),
               lambda: by_name.load_weights(weights),
               lambda: tf.keras.models.load_model(os.path.join(folder, "nowhere.h5")),
               lambda: tf.keras.models.load_model(weights)):
    try:
        try_it()
        print("nothing")
    except Exception as error:
        print(type(error).__name__, str(error).replace(folder, "...").split(". (")[0].split(" (unable")[0])
shutil.rmtree(folder)
