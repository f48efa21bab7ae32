# test-recorded.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Graphs and scripts against what TensorFlow 1.15.5 made of them: golden/python, and all of the shared recordings where
they are there. NAMES and STORIES are what has to be equal; what is not listed is not built yet."""

import gzip
import importlib.util
import os
import re
import subprocess
import sys
import tempfile

GOLDEN = os.path.join(os.environ["G_TEST_SRCDIR"], "golden", "python")
SHARED = os.path.join(os.environ.get("FLOW_TEST_SHARED", ""), "fixtures", "recorded")

NAMES = """
bn_renorm checks_and_strings decay_and_moving_average metrics_auc metrics_streaming
clip_apply_gradients dynamic_lstm gradients_of_gradients conv_variants conv_bn_fused_adam dataset_and_table dense_bn_plain_momentum dependencies_and_devices gradients_elementwise
gradients_shapes imported_twice input_files_shuffle_batch input_slices_batch layers_reuse_and_defaults lenet_losses_regularized linear_sgd loss_functions
cond_outputs_and_ops
mlp_adagrad_adadelta_ftrl
mlp_adam_twice mlp_momentum_nesterov mlp_rmsprop mlp_sgd_global_step model_built_twice name_scopes partitioned queues
resource_assign_ops resource_conv_bn resource_mlp_adam savers scoped_adam_getvar scopes_reopened seeds
sparse_embedding_updates summaries variable_kinds variables_from_variables while_nested_limits
bn_fused_switched bn_plain_switched cond_nested_grad cond_while_v2 dropout_switched while_grad while_tensor_array_grad while_with_cond
""".split()
STORIES = """
auc_stages collections_tour update_ops
control_flow
clone_with_graph_editor cse_cache distributed_optimizer dynamic_rnn_training flops_count forecast_twice monitored_session multiscale_reset
optimizers_rare optimizers_slots queues_shared saver_stories scopes_and_names session_pruning
""".split()
HEX = re.compile(rb"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}")


def find(folder, name):
    """The shared recording, else our copy of it, else nothing."""
    for path in (os.path.join(SHARED, folder, name), os.path.join(GOLDEN, os.path.basename(name))):
        if os.path.exists(path):
            return path
    return None


def build(name, out):
    """In a process of its own: makes one snippet's graph and exports it."""
    import flowstep.script
    flowstep.script.install()
    import tensorflow.compat.v1 as tf
    spec = importlib.util.spec_from_file_location("snippets", find("names", "snippets.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with tf.Graph().as_default() as graph:
        saver = getattr(module, name)()
        tf.train.export_meta_graph(out, graph=graph, saver_def=saver.as_saver_def() if saver else None)


def attrs(node):
    return {k: HEX.sub(b"HEX", v.SerializeToString()) for k, v in node.attr.items() if k != "_output_shapes"}


def compare(name):
    """What differs first, or None."""
    from flowstep.tensorflow.framework import proto
    from flowstep.tensorflow.framework._engine import Flow, GLib
    path = find("names", "1.15/%s.pbtxt.gz" % name)
    if path is None:
        return "absent"
    text = gzip.open(path).read()
    want = proto.MetaGraphDef.FromString(Flow.text_to_proto("MetaGraphDef", GLib.Bytes.new(text), name).get_data())
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "got.meta")
        run = subprocess.run([sys.executable, os.path.abspath(__file__), "--build", name, out], capture_output=True)
        if run.returncode != 0:
            return run.stderr.decode()[-300:]
        with open(out, "rb") as file:
            got = proto.MetaGraphDef.FromString(file.read())
    for a, b in zip(want.graph_def.node, got.graph_def.node):
        if (a.name, a.op, a.device, list(a.input)) != (b.name, b.op, b.device, list(b.input)):
            return "%s %s %s, not %s %s %s" % (b.name, b.op, list(b.input), a.name, a.op, list(a.input))
        x, y = attrs(a), attrs(b)
        if x != y:
            return "%s: attrs %s" % (a.name, [k for k in set(x) | set(y) if x.get(k) != y.get(k)])
    if len(want.graph_def.node) != len(got.graph_def.node):
        return "%d nodes, not %d" % (len(got.graph_def.node), len(want.graph_def.node))
    for key in set(want.collection_def) | set(got.collection_def):
        if key not in want.collection_def or key not in got.collection_def or \
                want.collection_def[key] != got.collection_def[key]:
            return "collection %s" % key
    return None if want.saver_def == got.saver_def else "saver_def"


def story(name):
    path = find("stories", name + ".py")
    if path is None:
        return "absent"
    with open(path[:-3] + ".out", "rb") as file:
        want = file.read().splitlines()
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([sys.executable, "-m", "flowstep", path], capture_output=True, cwd=folder)
    got = run.stdout.splitlines()
    for i, (a, b) in enumerate(zip(want, got), 1):
        if a != b:
            return "line %d: %r, not %r" % (i, b, a)
    if run.returncode != 0 or len(want) != len(got):
        return "%d lines, not %d: %s" % (len(got), len(want), run.stderr.decode()[-300:])
    return None


def main():
    cases = [(n, compare) for n in NAMES] + [(n, story) for n in STORIES]
    print("1..%d" % len(cases))
    failed = present = 0
    for i, (name, check) in enumerate(cases, 1):
        why = check(name)
        if why == "absent":
            print("ok %d %s: no recording here" % (i, name))
            continue
        present += 1
        failed += why is not None
        print("%s %d %s" % ("ok" if why is None else "not ok", i, name))
        if why is not None:
            print("".join("# %s\n" % line for line in why.splitlines()), end="")
    sys.exit(failed != 0 or present == 0)


if sys.argv[1:2] == ["--build"]:
    build(*sys.argv[2:4])
else:
    main()
