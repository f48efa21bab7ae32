import tensorflow as tf
# what the profiler counts by op, scope and graph, under limits of depth and names
x = tf.placeholder(tf.float32, [4, 8], name='x')
h = tf.layers.dense(x, 3, name='h')
B = tf.profiler.ProfileOptionBuilder
limits = {
    'all': lambda b: b, 'two deep': lambda b: b.with_max_depth(2), 'one deep': lambda b: b.with_max_depth(1),
    'shown': lambda b: b.with_node_names(show_name_regexes=['h.*']),
    'hidden': lambda b: b.with_node_names(hide_name_regexes=['.*MatMul.*']),
    'started': lambda b: b.with_node_names(start_name_regexes=['h.*', 'Add']),
    'trimmed': lambda b: b.with_node_names(trim_name_regexes=['h/BiasAdd', 'h']),
    'counted unseen': lambda b: b.account_displayed_op_only(False).with_node_names(show_name_regexes=['h/B.*']),
}
for cmd in ('op', 'scope', 'graph'):
    for title in sorted(limits):
        found = tf.profiler.profile(cmd=cmd, options=limits[title](B(B.float_operation())).with_empty_output().build())
        print(cmd, title, found.total_float_ops, [c.name for c in found.children])
