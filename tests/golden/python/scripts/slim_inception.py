# tf.contrib.slim.nets.inception: every op by name, what it takes, ends and collections.
import hashlib

import tensorflow as tf
from tensorflow.contrib import slim
from tensorflow.contrib.slim.nets import inception
from tensorflow.contrib.slim.python.slim.nets.inception_v3 import inception_v3_base


def told(name, make):
    with tf.Graph().as_default() as graph:
        net, ends = make()
        lines = ["%s %s %s" % (op.name, op.type, [i.name for i in op.inputs]) for op in graph.get_operations()]
        print(name, net.name, net.shape, len(lines), hashlib.sha1("\n".join(lines).encode()).hexdigest())
        print(sorted((key, str(value.shape)) for key, value in ends.items()))
        print({key: len(tf.get_collection(key)) for key in sorted(graph.get_all_collection_keys()) if isinstance(key, str)})


def whole(version, size, **options):
    def make():
        with slim.arg_scope(getattr(inception, version + "_arg_scope")()):
            return getattr(inception, version)(tf.placeholder(tf.float32, [2, size, size, 3]), 10, **options)
    return make


def part(base, end, **options):
    return lambda: base(tf.placeholder(tf.float32, [None, None, None, 3]), final_endpoint=end, **options)


told("v1", whole("inception_v1", 224))
told("v2", whole("inception_v2", 112, is_training=False, depth_multiplier=0.25, spatial_squeeze=False))
told("v3", whole("inception_v3", 139, min_depth=8, depth_multiplier=0.125))
told("v1 begins", part(inception.inception_v1_base, "Mixed_3b"))
told("v2 begins", part(inception.inception_v2_base, "Mixed_4a"))
told("v3 begins", part(inception_v3_base, "Mixed_6a", scope="Mine"))
print(inception.inception_v1.default_image_size, inception.inception_v3.default_image_size)
for call in (part(inception.inception_v1_base, "Mixed_9z"), part(inception.inception_v3_base, "Mixed_5b", depth_multiplier=0)):
    try:
        told("refused", call)
    except ValueError as error:
        print(error)
