# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Networks fed by generators and sequences of batches; sets of data and files kept in a cache."""

import contextlib
import gzip
import hashlib
import io
import os
import pathlib
import random
import tarfile
import tempfile

import numpy as np
import tensorflow as tf

tf.set_random_seed(5)
np.random.seed(5)
random.seed(5)


class Rows(tf.keras.utils.Sequence):
    def __init__(self, count):
        self.count, self.told = count, []

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        self.told.append(index)
        x = np.arange(8, dtype=np.float32).reshape(4, 2) * (index + 1) / 10
        return x, x.sum(axis=1, keepdims=True)

    def on_epoch_end(self):
        self.told.append("end")


def endless(size):
    index = 0
    while True:
        index += 1
        x = np.full((size, 2), index % 3, dtype=np.float32)
        yield x, x.sum(axis=1, keepdims=True)


model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="zeros", input_shape=(2,))])
model.compile("sgd", "mse", metrics=["mae"])
rows = Rows(3)
history = model.fit_generator(rows, epochs=2, verbose=0, shuffle=False, workers=0)
with contextlib.redirect_stdout(io.StringIO()) as told:
    model.fit_generator(rows, epochs=1, verbose=2, workers=0)
print(told.getvalue().split(" - ")[0])
print({key: np.round(value, 4).tolist() for key, value in sorted(history.history.items())})
history = model.fit_generator(endless(4), steps_per_epoch=3, epochs=2, verbose=0, validation_data=Rows(2), workers=0)
print({key: np.round(value, 4).tolist() for key, value in sorted(history.history.items())})
history = model.fit(endless(2), steps_per_epoch=2, epochs=1, verbose=0,
                    validation_data=(np.ones((2, 2), np.float32), np.ones((2, 1), np.float32)))
print({key: np.round(value, 4).tolist() for key, value in sorted(history.history.items())})
print(np.round(model.evaluate_generator(Rows(2), workers=0), 4).tolist())
print(np.round(model.predict_generator(Rows(2), workers=0), 4).tolist())
print(np.round(model.predict_generator(endless(1), steps=2, workers=0), 4).tolist())
print([isinstance(Rows(1), tf.keras.utils.Sequence), len(list(Rows(2)))])

# -- files by their address, then out of the cache

folder = tempfile.mkdtemp()
os.environ["HOME"] = folder
kept = os.path.join(folder, ".keras", "datasets")
os.makedirs(kept)
words = os.path.join(folder, "words.txt")
with open(words, "w") as file:
    file.write("one two three")
with tarfile.open(os.path.join(kept, "packed.tar.gz"), "w:gz") as archive:
    archive.add(words, "packed/words.txt")
with contextlib.redirect_stdout(io.StringIO()) as told:
    path = tf.keras.utils.get_file("kept.txt", pathlib.Path(words).as_uri())
print(os.path.relpath(path, folder), open(path).read(), told.getvalue().startswith("Downloading data from file:///"))
digest = hashlib.md5(b"one two three").hexdigest()
print(os.path.relpath(tf.keras.utils.get_file("kept.txt", "nowhere", md5_hash=digest), folder))
try:
    tf.keras.utils.get_file("kept.txt", "file:///nowhere", file_hash="0" * 64)
except Exception as error:
    print(type(error).__name__, error, os.path.exists(path))
path = tf.keras.utils.get_file("packed", "nowhere", untar=True)
print(os.path.relpath(path, folder), os.listdir(path))

fashion = os.path.join(kept, "fashion-mnist")
os.makedirs(fashion)
for part, count in (("train", 3), ("t10k", 2)):
    for kind, header, size in (("labels-idx1", 8, 1), ("images-idx3", 16, 784)):
        with gzip.open(os.path.join(fashion, "%s-%s-ubyte.gz" % (part, kind)), "wb") as file:
            file.write(bytes(header) + bytes(i % 10 for i in range(count * size)))
for images, labels in tf.keras.datasets.fashion_mnist.load_data():
    print(images.shape, images.dtype, labels, int(images.sum()))
print(sorted(name for name in dir(tf.keras.datasets) if name[0] != "_" and hasattr(getattr(tf.keras.datasets, name), "load_data")))
