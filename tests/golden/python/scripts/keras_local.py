# Locally connected layers and biases of the backend: configs, values, and what is refused.
import numpy as np
import tensorflow.compat.v1 as tf
L=tf.keras.layers
for l in (L.LocallyConnected1D(2,3,name='a'), L.LocallyConnected2D(2,3,data_format='channels_first',name='b')):
    print(l.get_config())

def r(f):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)

r(lambda: L.LocallyConnected1D(2,3,padding='same'))
r(lambda: L.LocallyConnected2D(2,3)(tf.placeholder(tf.float32,[None,None,4,1])))
r(lambda: L.LocallyConnected2D(2,3)(tf.placeholder(tf.float32,[None,4,1])))
r(lambda: L.LocallyConnected1D(2,3)(tf.placeholder(tf.float32,[None,4,None])))
r(lambda: tf.keras.backend.bias_add(tf.ones([2,3,4]), tf.ones([3,3,4,5])))
r(lambda: tf.keras.backend.bias_add(tf.ones([2,3,4]), tf.ones([4]),'x'))
y=L.LocallyConnected1D(2,2,kernel_initializer='ones')(tf.constant(np.arange(12).reshape(2,3,2),tf.float32))
print(tf.keras.backend.get_value(y).tolist())
