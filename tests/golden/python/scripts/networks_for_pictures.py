"""Networks of tf.keras.applications without weights: their graphs node for node, as a sum over all of them."""
import hashlib

import numpy as np
import tensorflow as tf
from tensorflow.keras.applications.resnet50 import ResNet50, preprocess_input

A = tf.keras.applications
def show(name, make):
    tf.keras.backend.clear_session()
    m = make(); g = tf.get_default_graph()
    lines = ["%s %s %s %s" % (o.name, o.type, [i.name for i in o.inputs], [c.name for c in o.control_inputs]) for o in g.get_operations()]
    print(name, m.name, len(lines), hashlib.md5('\n'.join(lines).encode()).hexdigest(), m.count_params(), len(m.layers), m.output_shape, [l.name for l in m.layers][:6], [l.name for l in m.layers][-3:])
show('vgg', lambda: A.VGG16(weights=None, include_top=False, input_shape=(48, 48, 3), pooling='avg'))
show('vgg19', lambda: A.vgg19.VGG19(weights=None, include_top=True, input_shape=(32, 32, 3), classes=7))
show('res', lambda: ResNet50(weights=None, include_top=False, input_shape=(40, 40, 3)))
show('mob', lambda: A.mobilenet.MobileNet(weights=None, alpha=0.25, input_shape=(32, 32, 3), classes=5))
def given():
    t = tf.keras.Input((32, 32, 3)); return A.VGG16(weights=None, include_top=False, input_tensor=t)
show('given', given)
for bad in (lambda: A.VGG16(weights='nope'), lambda: A.VGG16(weights=None, input_shape=(10, 10, 3), include_top=False), lambda: A.ResNet50(weights='imagenet', classes=3), lambda: A.VGG16(weights=None, input_shape=(None, None, 3))):
    try: bad()
    except ValueError as e: print(e)
x = np.arange(2*2*2*3).reshape(2, 2, 2, 3)
print(A.vgg16.preprocess_input(x.astype('float32'))[1, 0].tolist(), A.mobilenet.preprocess_input(x)[0, 1].tolist())
try: A.vgg16.decode_predictions(np.zeros([2, 5]))
except ValueError as e: print(e)
print(preprocess_input(x.transpose(0, 3, 1, 2).astype('float64'), data_format='channels_first')[:, :, 1, 1].tolist())
print(A.imagenet_utils.preprocess_input(x.astype('float32') * 20, mode='torch')[0, 0].round(3).tolist())
with tf.Graph().as_default(), tf.Session() as session:
    print(session.run(preprocess_input(tf.constant(x, tf.float32)))[0, 1].tolist())
