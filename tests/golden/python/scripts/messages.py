import tensorflow as tf
from google.protobuf import text_format
ex = tf.train.Example(features=tf.train.Features(feature={
    'b': tf.train.Feature(bytes_list=tf.train.BytesList(value=[b'a\n\x00\xff"\'', b''])), 'f': tf.train.Feature(float_list=tf.train.FloatList(value=[0.1, 1e10, -2.0, 3.14159274, float('inf'), 1.0 / 3])),
    'i': tf.train.Feature(int64_list=tf.train.Int64List(value=[-1, 2 ** 40]))}))
print(ex)
print(ex.features.feature['f'].float_list.value[0] == 0.1, ex.ByteSize(), ex.features.feature['i'].WhichOneof('kind'), 'zzz' in ex.features.feature)
t = text_format.MessageToString(ex)
print(text_format.Parse(t, tf.train.Example()) == ex)
print(repr(ex.features.feature['i'].int64_list.value))
c = tf.ConfigProto(allow_soft_placement=True, log_device_placement=False, device_count={'GPU': 0, 'CPU': 2}, inter_op_parallelism_threads=2, gpu_options=tf.GPUOptions(allow_growth=True))
c.gpu_options.per_process_gpu_memory_fraction = 0.333
c.graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.ON_1
c.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
c.intra_op_parallelism_threads = 0
print(c)
print(c.gpu_options.allow_growth, c.device_count['GPU'], c.graph_options.place_pruned_graph, c.HasField('graph_options'), c.HasField('cluster_def'))
d = tf.ConfigProto()
d.CopyFrom(c)
d.MergeFrom(tf.ConfigProto(intra_op_parallelism_threads=4))
print(d == c, d.intra_op_parallelism_threads, tf.ConfigProto.FromString(d.SerializeToString()) == d)

e = tf.ConfigProto()
text_format.Merge('gpu_options { allow_growth: true visible_device_list: "0,1" } device_count { key: "CPU" value: 1 } # comment', e)
print(e)
o = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, timeout_in_ms=100, output_partition_graphs=True)
print(o, tf.RunOptions.TraceLevel.Name(3), tf.RunOptions.SOFTWARE_TRACE)
s = tf.Summary()
s.value.add(tag='loss', simple_value=0.25)
v = s.value.add()
v.tag = 'h'
v.histo.min = 1
v.histo.bucket.extend([1, 2.5])
print(s, len(s.value), s.value[0].WhichOneof('value'), s.value[1].HasField('simple_value'))
print(tf.Event(wall_time=1.5, step=3, summary=s))
print(tf.SessionLog(status=tf.SessionLog.START, checkpoint_path='p'))
for bad in (lambda: tf.ConfigProto(nope=1), lambda: setattr(c, 'nope', 1), lambda: c.HasField('nope')):
    try:
        bad()
    except Exception as err:
        print(type(err).__name__, err)
n = tf.NodeDef(name='n', op='Const')
n.attr['dtype'].type = 1
n.attr['l'].list.i.extend([1, 2])
n.attr['s'].s = b'x'
n.input.append('a:1')
print(n)
g = tf.GraphDef()
g.node.extend([n])
g.node.add().name = 'm'
g.versions.producer = 134
print(g, g.node[1].op == '', [q.name for q in g.node])
se = tf.train.SequenceExample()
se.context.feature['len'].int64_list.value.append(3)
fl = se.feature_lists.feature_list['t']
fl.feature.add().int64_list.value.append(1)
fl.feature.add().int64_list.value.append(2)
print(se)
del g.node[:]
print(len(g.node), repr(str(tf.GraphDef())))
