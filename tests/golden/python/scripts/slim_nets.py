# Networks of tf.contrib.slim.nets: every op by name, what it takes, variables, collections and ends.
import hashlib

import tensorflow as tf
from tensorflow.contrib import slim
from tensorflow.contrib.slim.nets import alexnet, overfeat, resnet_utils, resnet_v1, resnet_v2, vgg


def told(name, make):
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(1)
        net, ends = make()
        lines = ["%s %s %s" % (op.name, op.type, [i.name for i in op.inputs]) for op in graph.get_operations()]
        digest = hashlib.sha1("\n".join(lines).encode()).hexdigest()
        print(name, net.name, net.shape, len(lines), digest)
        print(sorted((key, str(value.shape)) for key, value in ends.items())[:12])
        print([(v.op.name, v.shape.as_list()) for v in slim.get_model_variables()][:10], len(slim.get_model_variables()))
        print({key: len(tf.get_collection(key)) for key in sorted(graph.get_all_collection_keys()) if isinstance(key, str)})
        return lines


def picture(size):
    return tf.placeholder(tf.float32, [2, size, size, 3], name="picture")


def alex():
    with slim.arg_scope(alexnet.alexnet_v2_arg_scope()):
        return alexnet.alexnet_v2(picture(224), 10)


def feat():
    with slim.arg_scope(overfeat.overfeat_arg_scope()):
        return overfeat.overfeat(picture(231), 10, is_training=False)


def vggs(function):
    def make():
        with slim.arg_scope(vgg.vgg_arg_scope(weight_decay=0.001)):
            return function(picture(224), num_classes=5, spatial_squeeze=function is not vgg.vgg_a)
    return make


def residual(module, function, **keywords):
    def make():
        with slim.arg_scope(module.resnet_arg_scope()):
            return function(picture(65), 7, **keywords)
    return make


for name, make in (("alexnet", alex), ("overfeat", feat), ("vgg_16", vggs(vgg.vgg_16)),
                   ("resnet_v1_50", residual(resnet_v1, resnet_v1.resnet_v1_50)),
                   ("resnet_v2_50", residual(resnet_v2, resnet_v2.resnet_v2_50, is_training=False)),
                   ("dense", residual(resnet_v2, resnet_v2.resnet_v2_50, global_pool=False, output_stride=8))):
    told(name, make)
with slim.arg_scope(resnet_utils.resnet_arg_scope()):
    for stride in (6, 64):
        try:
            resnet_v1.resnet_v1_50(picture(65), output_stride=stride, scope="s%d" % stride)
        except ValueError as error:
            print(error)
print(vgg.vgg_16.default_image_size, vgg.vgg_d is vgg.vgg_16)
