import numpy as np
import tensorflow as tf
rng = np.random.RandomState(1)
im = tf.constant(rng.randint(0, 255, (5, 6, 3)).astype(np.uint8)); f = tf.image.convert_image_dtype(im, tf.float32)
s = tf.Session()


def p(*ts):
    for t in ts:
        v = s.run(t); print(getattr(v, 'shape', ''), np.round(np.ravel(v)[:6].astype(float), 4).tolist(), t.shape if hasattr(t, 'shape') else '')


p(f, tf.image.resize_images(im, [3, 4]), tf.image.resize_nearest_neighbor([im], [3, 4]), tf.image.resize_bicubic([im], [4, 4]), tf.image.resize_area([im], [2, 2]), tf.image.resize_image_with_crop_or_pad(im, 4, 8), tf.image.central_crop(im, 0.5), tf.image.flip_left_right(im), tf.image.flip_up_down(im), tf.image.rot90(im), tf.image.transpose_image(im), tf.image.per_image_standardization(im), tf.image.rgb_to_grayscale(im), tf.image.grayscale_to_rgb(im[..., :1]), tf.image.adjust_brightness(f, .1), tf.image.adjust_contrast(f, 2.), tf.image.adjust_saturation(f, .5), tf.image.adjust_hue(f, .2), tf.image.rgb_to_hsv(f), tf.image.hsv_to_rgb(f), tf.image.crop_to_bounding_box(im, 1, 1, 3, 3), tf.image.pad_to_bounding_box(im, 1, 1, 8, 9), tf.image.sobel_edges(f[tf.newaxis]), tf.image.total_variation(f), tf.image.extract_glimpse([f], [2, 2], [[0., 0.]]), tf.extract_image_patches([f], [1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], 'VALID'), tf.image.non_max_suppression([[0., 0., 1., 1.], [0., 0., 1., .9], [2., 2., 3., 3.]], [.9, .8, .7], 3), tf.image.draw_bounding_boxes([f], [[[0., 0., .5, .5]]]), tf.image.crop_and_resize([f], [[0., 0., .5, .5]], [0], [2, 2]))
png = s.run(tf.image.encode_png(im)); print(png[:8], s.run(tf.reduce_all(tf.equal(tf.image.decode_png(png), im))), tf.image.decode_png(png).shape, tf.image.decode_jpeg(png, channels=1).shape)
jpg = s.run(tf.image.encode_jpeg(im)); d = s.run(tf.image.decode_jpeg(jpg)); print(d.shape, jpg[:2])
print(s.run([tf.string_join(['a', 'b'], separator='-'), tf.string_split(['a b c', 'd']).values, tf.substr('hello', 1, 3), tf.strings.length(['ab', 'c']), tf.strings.upper('aBc'), tf.strings.lower('ABC') if hasattr(tf.strings, 'lower') else '', tf.regex_replace('aaa', 'a', 'b'), tf.string_to_number(['1.5', '2']), tf.as_string([1, 2]), tf.as_string([1.5], precision=2), tf.string_to_hash_bucket_fast(['a', 'b'], 10), tf.string_to_hash_bucket_strong(['a'], 10, [1, 2]), tf.string_to_hash_bucket('a', 10), tf.reduce_join([['a', 'b'], ['c', 'd']], 1), tf.string_strip([' a ']), tf.encode_base64('abc'), tf.decode_base64('YWJj'), tf.strings.regex_full_match('abc', 'a.*')]))
t = tf.contrib.lookup.index_table_from_tensor(['emerson', 'lake', 'palmer'], num_oov_buckets=1, default_value=-1); i = t.lookup(tf.constant(['lake', 'x']))
inv = tf.contrib.lookup.index_to_string_table_from_tensor(['e', 'l']); h = tf.contrib.lookup.HashTable(tf.contrib.lookup.KeyValueTensorInitializer(['a', 'b'], [1, 2]), -1)
s.run(tf.tables_initializer()); print(s.run([i, inv.lookup(tf.constant([1, 5], tf.int64)), h.lookup(tf.constant(['b', 'z'])), h.size(), t.size()]), tf.get_collection(tf.GraphKeys.TABLE_INITIALIZERS))
sp = tf.SparseTensor([[0, 1], [2, 0]], [1., 2.], [3, 2])
print(s.run([tf.sparse_tensor_to_dense(sp), tf.sparse_reduce_sum(sp, 1), tf.sparse_tensor_dense_matmul(sp, tf.ones([2, 2])), tf.sparse_add(sp, sp).values, tf.sparse_transpose(sp).indices, tf.nn.embedding_lookup_sparse(tf.ones([4, 2]), tf.SparseTensor([[0, 0], [1, 0]], tf.constant([1, 3], tf.int64), [2, 1]), None, combiner='sum')]), tf.sparse_placeholder(tf.float32))
ph = tf.sparse_placeholder(tf.float32, [3, 2]); print(s.run(tf.sparse_reduce_sum(ph), {ph: tf.SparseTensorValue([[0, 0]], [4.], [3, 2])}), s.run(tf.sparse_reduce_sum(ph), {ph: (np.array([[0, 0]]), np.array([3.]), np.array([3, 2]))}))
print(s.run(tf.edit_distance(tf.SparseTensor([[0, 0]], ['a'], [1, 1]), tf.SparseTensor([[0, 0]], ['b'], [1, 1]))), s.run(tf.decode_csv(['1,a,2.5', '2,b,'], [[0], [''], [0.]])), s.run(tf.decode_raw('abcd', tf.uint8)), s.run(tf.train.Feature is not None and tf.constant(1)))
