# Settings of the runtime, libraries that are not there, vocabularies.
import tensorflow as tf

config, experimental = tf.config, tf.config.experimental


def told(*calls):
    for call in calls:
        try:
            print(call())
        except Exception as error:
            print(type(error).__name__, error)


told(config.get_soft_device_placement, lambda: config.set_soft_device_placement(False), config.get_soft_device_placement,
     config.threading.get_intra_op_parallelism_threads, lambda: config.threading.set_intra_op_parallelism_threads(2),
     config.threading.get_intra_op_parallelism_threads, lambda: config.threading.set_inter_op_parallelism_threads(3),
     config.threading.get_inter_op_parallelism_threads, config.optimizer.get_jit, lambda: config.optimizer.set_jit(True),
     config.optimizer.get_jit)
print(sorted(config.optimizer.get_experimental_options().items()))
config.optimizer.set_experimental_options({"constant_folding": True})
print(sorted(config.optimizer.get_experimental_options().items()))
told(lambda: experimental.list_physical_devices("CPU"), lambda: experimental.list_physical_devices("GPU"),
     lambda: experimental.list_logical_devices("CPU"), lambda: experimental.get_visible_devices("CPU"),
     experimental.get_device_policy, lambda: experimental.set_device_policy("warn"), experimental.get_device_policy,
     experimental.get_synchronous_execution, lambda: experimental.set_device_policy("nothing"),
     tf.debugging.get_log_device_placement, lambda: tf.debugging.set_log_device_placement(True),
     lambda: experimental.set_memory_growth(experimental.list_physical_devices("CPU")[0], True),
     lambda: experimental.get_virtual_device_configuration(experimental.list_physical_devices("CPU")[0]))
told(lambda: tf.load_op_library("/nowhere/x.so"), lambda: tf.load_library("/nowhere/x.so"),
     lambda: tf.resource_loader.readahead_file_path("a"),
     lambda: tf.train.VocabInfo("a", 1, 2, 3, 4))
print(tf.CXX11_ABI_FLAG, tf.MONOLITHIC_BUILD, tf.qint8 in tf.QUANTIZED_DTYPES, tf.float32 in tf.dtypes.QUANTIZED_DTYPES)
