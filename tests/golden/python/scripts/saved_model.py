import os, shutil, tempfile
import numpy as np
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
folder = tempfile.mkdtemp()
x = tf.placeholder(tf.float32, [None, 2], name='x')
w = tf.Variable([[1.], [2.]], name='w')
y = tf.matmul(x, w, name='y')
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    tf.saved_model.simple_save(sess, folder + '/a', inputs={'x': x}, outputs={'y': y})
    builder = tf.saved_model.builder.SavedModelBuilder(folder + '/b')
    info_x = tf.saved_model.utils.build_tensor_info(x)
    info_y = tf.saved_model.utils.build_tensor_info(y)
    print(info_x)
    sig = tf.saved_model.signature_def_utils.build_signature_def(inputs={'in': info_x}, outputs={'out': info_y}, method_name=tf.saved_model.signature_constants.PREDICT_METHOD_NAME)
    print(sig)
    builder.add_meta_graph_and_variables(sess, [tf.saved_model.tag_constants.SERVING], signature_def_map={'predict': sig}, main_op=tf.tables_initializer(), strip_default_attrs=True)
    print(builder.save().decode().replace(folder, 'F') if isinstance(builder.save(), bytes) else builder.save().replace(folder, 'F'))
for a, d, f in sorted(os.walk(folder)):
    print(a.replace(folder, 'F'), sorted(d), sorted(f))
print(tf.saved_model.loader.maybe_saved_model_directory(folder + '/a'), tf.saved_model.contains_saved_model(folder))
with tf.Session(graph=tf.Graph()) as sess:
    m = tf.saved_model.loader.load(sess, [tf.saved_model.tag_constants.SERVING], folder + '/a')
    print(type(m).__name__, sorted(m.signature_def), m.signature_def['serving_default'])
    s = m.signature_def[tf.saved_model.signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY]
    print(sess.run(s.outputs['y'].name, {s.inputs['x'].name: [[1., 1.]]}))
with tf.Session(graph=tf.Graph()) as sess:
    m = tf.saved_model.loader.load(sess, ['serve'], folder + '/b')
    print(sess.run('y:0', {'x:0': [[1., 2.]]}), tf.global_variables(), sorted(m.collection_def), list(m.meta_info_def.tags), m.meta_info_def.tensorflow_version[:2])
    try:
        tf.saved_model.loader.load(sess, ['train'], folder + '/b')
    except RuntimeError as e:
        print(e)
try:
    tf.saved_model.loader.load(tf.Session(), ['serve'], folder + '/none')
except IOError as e:
    print(str(e).replace(folder, 'F'))
try:
    tf.saved_model.builder.SavedModelBuilder(folder + '/a')
except AssertionError as e:
    print(str(e).replace(folder, 'F'))
f = tf.contrib.predictor.from_saved_model(folder + '/a') if hasattr(tf.contrib, 'predictor') else None
print(f({'x': [[2., 2.]]}) if f else None)
shutil.rmtree(folder)
