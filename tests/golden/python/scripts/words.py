# Strings in words, bytes, code points and n-grams: values, and what is refused.
import tensorflow.compat.v1 as tf

S = tf.strings
sess = tf.Session()


def show(made):
    value = sess.run(made)
    for v in value if isinstance(value, tuple) and not hasattr(value, 'dense_shape') else [value]:
        if hasattr(v, 'to_list'):
            print(v.to_list())
        elif hasattr(v, 'dense_shape'):
            print(v.indices.tolist(), v.values.tolist(), v.dense_shape.tolist())
        else:
            print(v.tolist() if hasattr(v, 'tolist') else v)


def refused(make):
    try:
        show(make())
    except Exception as e:
        print(type(e).__name__, str(e).split('\n')[0].split(' [[')[0])


text = tf.constant(['gl\u00fcck auf', '', 'a,b, c'])
show(S.split(text))
show(S.split(text, sep=',', maxsplit=1, result_type='RaggedTensor'))
show(S.split([['a b', 'c'], ['d', 'e  f']], result_type='RaggedTensor'))
show(S.split('x y z', result_type='RaggedTensor'))
show(S.bytes_split(text))
show(S.bytes_split('h\u00e9'))
show(S.unicode_decode(text, 'UTF-8'))
show(S.unicode_decode_with_offsets(text, 'UTF-8'))
show(S.unicode_split(text, 'UTF-8'))
show(S.unicode_split_with_offsets([['\u00e9a', 'b']], 'UTF-8')[0])
show(S.unicode_encode([[72, 252], [33, 33]], 'UTF-8'))
show(S.unicode_encode(tf.ragged.constant([[[72, 252], []], [[33]]]), 'UTF-8'))
show(S.unicode_encode([0x20AC], 'UTF-16-BE'))
show(S.unicode_transcode(text, 'UTF-8', 'UTF-16-BE'))
show(S.unicode_decode(b'a\xffb', 'UTF-8', errors='ignore'))
words = tf.ragged.constant([['a', 'b', 'c'], ['d'], []])
show(S.ngrams(words, 2))
show(S.ngrams(words, (1, 3), separator='-', pad_values=('<', '>'), padding_width=1))
show(S.ngrams(words[:2], 2, pad_values='_'))
show(S.ngrams(words, 2, preserve_short_sequences=True))
show(S.ngrams(['a', 'b', 'c'], 2))
show(S.ngrams([['a', 'b'], ['c', 'd']], 2))
unknown = tf.placeholder(tf.string)
refused(lambda: S.bytes_split(unknown))
refused(lambda: S.unicode_decode(unknown, 'UTF-8'))
refused(lambda: S.unicode_encode(tf.placeholder(tf.int32), 'UTF-8'))
refused(lambda: S.unicode_encode(3, 'UTF-8'))
refused(lambda: S.unicode_decode(b'a\xffb', 'UTF-8', errors='strict'))
refused(lambda: S.split(text, result_type='list'))
refused(lambda: S.ngrams(unknown, 2))
refused(lambda: S.ngrams('a', 2))
refused(lambda: S.ngrams(words, 0))
refused(lambda: S.ngrams(words, 2, pad_values=3))
refused(lambda: S.ngrams(words, 2, pad_values='a', padding_width=0))
refused(lambda: S.ngrams(words, 2, padding_width=1))
