import os
import tensorflow as tf
# what the file of a folder's checkpoints says, and which server gets a variable
here = os.getcwd()
os.mkdir('train')
for folder, path, paths in (('train', 'train/model-2', [here + '/model-0', 'train/model-2']), (here, 'model-1', None), (here, here + '/model-3', [here + '/model-3']), ('train', 'train/model-2', ['train/model-1'])):
    tf.train.update_checkpoint_state(folder, path, paths, all_model_checkpoint_timestamps=[1.5] * len(paths) if paths and paths[-1] == path else None, last_preserved_timestamp=2.5)
    with open(os.path.join(folder, 'checkpoint')) as file: print(file.read().replace(here, 'HERE'))
    state = tf.train.get_checkpoint_state(folder)
    print([p.replace(here, 'HERE') for p in [state.model_checkpoint_path] + list(state.all_model_checkpoint_paths)], state.all_model_checkpoint_timestamps, state.last_preserved_timestamp)
try: tf.train.update_checkpoint_state('train', here + '/train/checkpoint', latest_filename='checkpoint'), print('as it is')
except RuntimeError as e: print(e)
try: tf.train.update_checkpoint_state(here, here + '/checkpoint')
except RuntimeError as e: print(str(e).replace(here, 'HERE'))
with open('train/checkpoint', 'w') as file: pass
try: tf.train.get_checkpoint_state('train')
except ValueError as e: print(e)
with tf.Session() as s:
    v = tf.Variable(1., name='v')
    v2 = tf.Variable([1.], name='v2')
    s.run(tf.global_variables_initializer())
    for version in (tf.train.SaverDef.V1, tf.train.SaverDef.V2):
        saver = tf.train.Saver(sharded=True, write_version=version)
        prefix = saver.save(s, here + '/of%d' % version)
        try: tf.train.NewCheckpointReader(prefix).get_tensor('none')
        except tf.errors.NotFoundError as e: print(e)
        tf.train.remove_checkpoint(prefix, version)
        print(sorted(name for name in os.listdir(here) if name.startswith('of')))
    v2._set_save_slice_info(tf.Variable.SaveSliceInfo('v', [1], [0], [1]))
    try: tf.train.Saver([v, v2])
    except ValueError as e: print(e)

cluster = tf.train.ClusterSpec({'ps': ['a:1', 'b:1'], 'worker': ['c:1'], 'moon': ['d:1', 'e:1']})
for options in (dict(cluster=cluster), dict(cluster=cluster.as_cluster_def()), dict(cluster=cluster.as_dict(), merge_devices=False), dict(cluster=cluster, ps_device='/job:moon/cpu:0'), dict(ps_tasks=1, ps_strategy=3), dict(cluster=3)):
    with tf.Graph().as_default():
        try: setter = tf.train.replica_device_setter(**options)
        except TypeError as e:
            print(e)
            continue
        with tf.device(setter):
            v = tf.Variable([1, 2])
            with tf.device('/job:ps'): w = tf.Variable([2, 1])
            x = tf.Variable([0])
            print([t.device for t in (v, w, x, v + w)])
