# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Where TensorFlow's API has what feeds, runs and watches a training: tf.train, tf.io, tf.data, tf.estimator and others."""

import importlib
import sys
import unittest.mock

from .. import distributions
from .. import graph_editor
from .. import summary
from .. import linear_operators
from ..contrib import bounded_spec, buckets, checkpoint_remaps, clustering, device_strategies, evaluation
from ..contrib import example_decoder
from ..contrib import framework_more, gdn
from ..contrib import graph_fusing, hparams, orthogonal, pictures_as_rows, reversible, summaries as contrib_summaries
from ..contrib import target_columns
from ..contrib import column_inputs, column_sequences, columns as contrib_columns, dataset_windows
from ..contrib import image as contrib_image
from ..contrib import real_valued, scattered
from ..contrib.forest import data as forest_data, estimators as forest_estimators, eval_metrics as forest_metrics
from ..contrib.forest import graphs as forest_graphs, params as forest_params, variables as forest_variables
from ..contrib import kmeans, learn as contrib_learn, legacy_attention, legacy_seq2seq, lookup as contrib_lookup
from ..contrib import metric_learning, metrics_buckets, metrics_kept, metrics_more, model_analyzer
from ..contrib import opt, opt_averages, opt_external, opt_ggt, opt_global_step, opt_rules, opt_shampoo, opt_wrappers
from ..contrib import projector
from ..contrib import rnn_cells as contrib_cells, rnn_fused, rnn_grids, rnn_stacks
from ..contrib import sampling, sequence_batches, sequence_states, slim_data
from ..control import concrete_functions
from ..control import tf_function
from ..control import critical_section
from ..differentiation import gradient_tape
from ..estimators import canned, canned_baseline, estimator, estimator_export, estimator_loops
from ..estimators import estimator_extenders, estimator_heads, estimator_inputs, estimator_many_heads
from ..framework import devices
from ..framework import platform
from ..framework import proto
from ..framework import structure, tf_logging
from ..framework import ops
from ..framework import composite_specs
from ..inputs import batching, datasets
from ..inputs import input_producers, iterators
from ..inputs import readers, record_datasets
from ..inputs import dataset_transforms, file_datasets
from ..inputs import dataset_checkpoints, dataset_options, dataset_resampling, device_datasets
from ..learning import crf
from ..learning import rnn, rnn_cells, rnn_wrappers
from ..learning import seq2seq
from ..learning import sync_replicas, training_util
from ..learning import loss_scales
from ..operators import lookup
from ..operators import parsing
from ..operators import script_ops
from ..operators import sparse
from ..operators import batch_functions
from ..operators import stateful_generators
from ..operators import ctc_dense, ragged_joins, ragged_ops
from ..saving import event_writer, file_system
from ..saving import graph_defs
from ..saving import saved_models
from ..saving import warm_start
from ..saving import checkpoint_state, checkpoints
from ..sessions import hooks
from ..sessions import monitored_session
from ..sessions import profile_report
from ..sessions import session_manager, supervisor
from ..sessions import runners
from ..sessions import op_logs
from ..sessions import cluster, servers
from ..state import modules
from ..testing import cases as testing
from ..testing import benchmarks
from . import refusals


def _names(module, *names):
    return {name: getattr(module, name) for name in names}


def _own(module):
    """What a module defines itself under a public name."""
    return {name: value for name, value in vars(module).items()
            if name[0] != "_" and getattr(value, "__module__", None) == module.__name__}


def _put(target, members):
    for name, value in members.items():
        setattr(target, name, value)


_SPARSE = {
    "sparse_to_dense": "sparse_to_dense", "sparse_tensor_to_dense": "to_dense", "sparse_placeholder": "placeholder",
    "sparse_retain": "retain", "sparse_reorder": "reorder", "sparse_reduce_sum": "reduce_sum",
    "sparse_reduce_max": "reduce_max", "sparse_reshape": "reshape", "sparse_transpose": "transpose", "sparse_add": "add",
    "sparse_concat": "concat", "sparse_slice": "slice", "sparse_softmax": "softmax", "sparse_merge": "merge",
    "sparse_fill_empty_rows": "fill_empty_rows", "sparse_to_indicator": "to_indicator", "sparse_split": "split",
    "sparse_reduce_sum_sparse": "reduce_sum_sparse", "sparse_reduce_max_sparse": "reduce_max_sparse",
    "sparse_maximum": "maximum", "sparse_minimum": "minimum", "sparse_reset_shape": "reset_shape",
}


def _install_sparse(tf, submodule):
    members = {short: getattr(sparse, name) for name, short in _SPARSE.items() if name != "sparse_to_dense"}
    members.update(cross=sparse.sparse_cross, cross_hashed=sparse.sparse_cross_hashed,
                   SparseTensor=sparse.SparseTensor, from_dense=sparse.from_dense, eye=sparse.sparse_eye,
                   expand_dims=sparse.sparse_expand_dims,
                   sparse_dense_matmul=sparse.sparse_tensor_dense_matmul, matmul=sparse.sparse_tensor_dense_matmul)
    submodule("sparse", **members)
    _put(tf, {name: getattr(sparse, name) for name in _SPARSE})
    _put(tf, _names(sparse, "SparseTensor", "SparseTensorValue", "sparse_tensor_dense_matmul",
                    "convert_to_tensor_or_sparse_tensor"))
    _put(tf, _names(sparse, "serialize_sparse", "serialize_many_sparse", "deserialize_many_sparse"))


def _install_inputs(tf, submodule):
    _put(tf.train, _names(input_producers, "match_filenames_once", "limit_epochs", "input_producer",
                          "string_input_producer", "range_input_producer", "slice_input_producer"))
    _put(tf.train, _names(batching, "batch", "maybe_batch", "batch_join", "maybe_batch_join", "shuffle_batch",
                          "maybe_shuffle_batch", "shuffle_batch_join", "maybe_shuffle_batch_join"))
    kinds = _names(readers, "ReaderBase", "WholeFileReader", "TextLineReader", "FixedLengthRecordReader",
                   "TFRecordReader", "IdentityReader")
    parse = _names(parsing, "VarLenFeature", "SparseFeature", "FixedLenFeature", "FixedLenSequenceFeature",
                   "parse_example", "parse_single_example", "parse_sequence_example", "parse_single_sequence_example",
                   "decode_raw", "decode_csv", "parse_tensor", "serialize_tensor", "decode_json_example")
    records = _names(readers, "TFRecordWriter", "TFRecordOptions", "TFRecordCompressionType", "tf_record_iterator")
    _put(tf, kinds)
    _put(tf, {k: v for k, v in parse.items() if k != "parse_sequence_example"})
    submodule("python_io", **records)
    _put(tf.train, {name: proto.message_class(name) for name in (
        "Example", "SequenceExample", "Features", "Feature", "FeatureList", "FeatureLists", "BytesList", "FloatList",
        "Int64List")})
    io = submodule("io", **parse)
    _put(io, records)
    _put(io, {name: getattr(tf, name) for name in ("read_file", "write_file", "matching_files", "decode_base64",
                                                   "encode_base64", "decode_compressed")})


def _experimental(make):
    """Transformations that Dataset.apply() takes."""
    return lambda *arguments, **keywords: lambda dataset: make(dataset, *arguments, **keywords)


def _install_data(tf, submodule):
    submodule("data", Dataset=datasets.Dataset, Iterator=iterators.Iterator, Options=datasets.Options,
              **_names(record_datasets, "TextLineDataset", "TFRecordDataset", "FixedLengthRecordDataset"),
              **_names(datasets, "make_one_shot_iterator", "make_initializable_iterator", "get_output_types",
                       "get_output_shapes", "get_output_classes"))
    experimental = {
        "AUTOTUNE": datasets.AUTOTUNE, **_names(record_datasets, "CsvDataset", "SqlDataset"),
        "shuffle_and_repeat": _experimental(datasets.shuffle_and_repeat), "map_and_batch": _experimental(datasets.map_and_batch),
        "unbatch": _experimental(datasets.Dataset.unbatch), "enumerate_dataset": _experimental(datasets.Dataset.enumerate),
        "parallel_interleave": _experimental(record_datasets.parallel_interleave),
        "get_single_element": datasets.get_single_element, "TFRecordWriter": datasets.RecordWriter}
    for name in "scan take_while unique ignore_errors group_by_window dense_to_sparse_batch parse_example_dataset".split():
        experimental[name] = _experimental(getattr(dataset_transforms, name))
    experimental.update(_names(dataset_transforms, "bucket_by_sequence_length", "choose_from_datasets", "sample_from_datasets",
                               "Counter", "RandomDataset", "cardinality", "Optional", "get_next_as_optional",
                               "INFINITE_CARDINALITY", "UNKNOWN_CARDINALITY"))
    experimental.update(_names(file_datasets, "make_csv_dataset", "make_batched_features_dataset"))
    experimental.update(
        group_by_reducer=_experimental(dataset_resampling.group_by_reducer),
        map_and_batch_with_legacy_function=experimental["map_and_batch"],
        bytes_produced_stats=_experimental(datasets.measured("BytesProducedStatsDataset")),
        latency_stats=_experimental(datasets.measured("LatencyStatsDataset")),
        **_names(dataset_resampling, "Reducer", "rejection_resample"),
        **_names(dataset_options, *dataset_options.NAMES), **composite_specs.STRUCTURES,
        **_names(datasets, "from_variant", "to_variant", "get_structure"),
        **_names(device_datasets, "copy_to_device", "prefetch_to_device"),
        **_names(dataset_checkpoints, "CheckpointInputPipelineHook", "make_saveable_from_iterator"))
    submodule("data.experimental", **experimental)
    submodule("contrib.data", LMDBDataset=record_datasets.LMDBDataset, **experimental, **_own(dataset_windows))
    _put(tf, _names(structure, "TensorSpec", "SparseTensorSpec", "TypeSpec"))
    _put(tf, _names(composite_specs, "IndexedSlicesSpec", "OptionalSpec", "RaggedTensorSpec", "TensorArraySpec"))
    tf.data.DatasetSpec = structure.DatasetSpec


def _install_tables(tf, submodule):
    shared = _names(lookup, "KeyValueTensorInitializer", "StaticVocabularyTable", "TextFileInitializer", "TextFileIndex")
    submodule("lookup", StaticHashTable=lookup.StaticHashTable, **shared)
    submodule("lookup.experimental", DenseHashTable=lookup.DenseHashTable)
    submodule("contrib.lookup", HashTable=lookup.HashTable, MutableDenseHashTable=lookup.DenseHashTable,
              **_names(lookup, "MutableHashTable", "IdTableWithHashBuckets", "TextFileIdTableInitializer",
                       "TextFileStringTableInitializer", "LookupInterface", "HasherSpec", "FastHashSpec",
                       "InitializableLookupTableBase", "StrongHashSpec", "TableInitializerBase",
                       "index_table_from_file", "index_to_string_table_from_file"), **shared)
    _put(tf.contrib.lookup, _names(contrib_lookup, "index_table_from_tensor", "index_to_string_table_from_tensor",
                                   "string_to_index", "index_to_string", "string_to_index_table_from_file",
                                   "string_to_index_table_from_tensor"))
    tf.tables_initializer = tf.initialize_all_tables = lookup.tables_initializer


def _install_sessions(tf, submodule):
    _put(tf.train, _names(hooks, "SessionRunHook", "SessionRunArgs", "SessionRunContext", "SessionRunValues",
                          "LoggingTensorHook", "StopAtStepHook", "CheckpointSaverHook", "CheckpointSaverListener",
                          "StepCounterHook", "NanLossDuringTrainingError", "NanTensorHook", "SummarySaverHook",
                          "GlobalStepWaiterHook", "FinalOpsHook", "FeedFnHook", "ProfilerHook", "SecondOrStepTimer"))
    _put(tf.train, _names(monitored_session, "Scaffold", "SessionCreator", "ChiefSessionCreator",
                          "WorkerSessionCreator", "MonitoredSession", "SingularMonitoredSession",
                          "MonitoredTrainingSession"))
    _put(tf.train, _names(event_writer, "summary_iterator", "write_graph"))
    tf.train.SessionManager = session_manager.SessionManager
    _put(tf.train, _names(checkpoint_state, "checkpoints_iterator", "get_checkpoint_mtimes", "remove_checkpoint",
                          "generate_checkpoint_state_proto"))
    _put(tf.train, _names(checkpoints, "Checkpoint", "CheckpointManager"))
    tf.train.LooperThread, tf.train.basic_train_loop = runners.LooperThread, supervisor.basic_train_loop
    tf.train.SyncReplicasOptimizer = sync_replicas.SyncReplicasOptimizer
    tf.train.assert_global_step = training_util.assert_global_step
    _put(tf.train, _names(supervisor, "Supervisor"))
    tf.train.SummaryWriter = tf.summary.FileWriter = event_writer.FileWriter
    tf.summary.FileWriterCache = event_writer.FileWriterCache
    _put(tf.summary, {name: proto.message_class(name) for name in ("Summary", "Event", "SessionLog", "TaggedRunMetadata",
                                                                   "SummaryDescription") if name in proto._OWN})
    _put(tf.train, {name: proto.message_class(name) for name in ("SaverDef", "QueueRunnerDef")})
    _put(tf, {name: proto.message_class(name) for name in ("TensorInfo",)})


def _install_platform(tf, submodule):
    submodule("logging", **{k: v for k, v in vars(tf_logging).items() if not k.startswith("_")})
    files = {"GFile": file_system.GFile, "Open": file_system.GFile, "FastGFile": file_system.GFile,
             "Exists": lambda filename: file_system.exists(filename), "IsDirectory": lambda dirname: file_system.isdir(dirname),
             "ListDirectory": lambda dirname: file_system.listdir(dirname), "Glob": lambda filename: file_system.glob_files(filename),
             "MkDir": lambda dirname: file_system.mkdir(dirname), "MakeDirs": lambda dirname: file_system.makedirs(dirname),
             "Remove": lambda filename: file_system.remove(filename),
             "DeleteRecursively": lambda dirname: file_system.rmtree(dirname),
             "Copy": lambda oldpath, newpath, overwrite=False: file_system.copy(oldpath, newpath, overwrite),
             "Rename": lambda oldname, newname, overwrite=False: file_system.rename(oldname, newname, overwrite),
             "Stat": lambda filename: file_system.stat(filename),
             "Walk": lambda top, in_order=True: file_system.walk(top, in_order)}
    submodule("gfile", **files)
    submodule("io.gfile", **_names(file_system, "GFile", "exists", "isdir", "listdir", "mkdir", "makedirs", "remove",
                                   "rmtree", "copy", "rename", "stat", "walk"), glob=file_system.glob_files)
    flags = {name: getattr(platform, name) for name in dir(platform) if name.startswith("DEFINE_") or name.endswith("Error")}
    flags.update(FLAGS=platform.FLAGS, mark_flag_as_required=platform.mark_flag_as_required,
                 mark_flags_as_required=platform.mark_flags_as_required)
    submodule("flags", **flags)
    submodule("app", run=platform.run, flags=tf.flags)


def _install_rnn(tf, submodule):
    cells = _names(rnn_cells, "RNNCell", "BasicRNNCell", "BasicLSTMCell", "LSTMCell", "GRUCell", "LSTMStateTuple",
                   "MultiRNNCell")
    cells.update(_names(rnn_wrappers, "DropoutWrapper", "ResidualWrapper", "DeviceWrapper"))
    networks = _names(rnn, "dynamic_rnn", "bidirectional_dynamic_rnn", "raw_rnn", "static_rnn",
                      "static_bidirectional_rnn")
    submodule("nn.rnn_cell", **cells)
    _put(tf.nn, networks)
    submodule("contrib.seq2seq", **{k: v for k, v in vars(seq2seq).items() if not k.startswith("_") and callable(v)})
    submodule("contrib.crf", **{k: v for k, v in vars(crf).items() if k.startswith(("crf", "Crf", "viterbi"))})
    submodule("contrib.legacy_seq2seq", **{k: v for k, v in vars(legacy_seq2seq).items()
                                           if k.startswith(("rnn_", "basic_", "tied_", "embedding_rnn", "sequence_", "model_"))},
              **_own(legacy_attention))
    contrib_image.install_gradients()
    submodule("contrib.image", **{k: v for k, v in _own(contrib_image).items() if k != "install_gradients"})
    _put(tf.contrib.training, _own(buckets))
    _put(tf.contrib.metrics, _names(metrics_more, *metrics_more.NAMES))
    _put(tf.contrib.metrics, _names(metrics_kept, "auc_with_confidence_intervals", "streaming_concat", "streaming_dynamic_auc"))
    _put(tf.contrib.metrics, _names(metrics_buckets, "auc_using_histogram", "precision_recall_at_equal_thresholds"))
    submodule("contrib.losses.metric_learning", **_names(
        metric_learning, "cluster_loss", "contrastive_loss", "lifted_struct_loss", "npairs_loss", "npairs_loss_multilabel",
        "triplet_semihard_loss"))
    _put(tf.contrib.framework, _names(framework_more, *framework_more.NAMES))
    submodule("distributions", **distributions.PUBLIC)
    _put(tf.linalg, _names(linear_operators, *linear_operators.NAMES))
    importlib.import_module(tf.__name__ + ".operators.ragged_operators")
    submodule("ragged", **dict(ragged_ops.NAMES, **ragged_joins.NAMES))
    tf.RaggedTensor = ragged_ops.RaggedTensor
    submodule("contrib.distributions", **distributions.CONTRIB)
    submodule("contrib.distributions.bijectors", **distributions.BIJECTORS)
    _put(tf.contrib.training, _names(hparams, "HParams", "parse_values"))
    _put(tf.contrib.training, _names(sampling, "rejection_sample", "resample_at_rate", "stratified_sample", "weighted_resample"))
    _put(tf.contrib.training, _names(sequence_states, "NextQueuedSequenceBatch", "SequenceQueueingStateSaver"))
    _put(tf.contrib.training, _names(device_strategies, "GreedyLoadBalancingStrategy", "RandomStrategy", "byte_size_load_fn"))
    tf.contrib.training.batch_sequences_with_states = sequence_batches.batch_sequences_with_states
    tf.contrib.training.FeedingQueueRunner = runners.FeedingQueueRunner
    _install_layers(tf, submodule)
    tf.contrib.framework.VariableDeviceChooser = device_strategies.VariableDeviceChooser
    tf.contrib.framework.BoundedTensorSpec = bounded_spec.BoundedTensorSpec
    tf.contrib.framework.RecordInput = readers.RecordInput
    tf.contrib.framework.fuse_op = graph_fusing.fuse_op
    _put(tf.contrib.framework, _own(checkpoint_remaps))
    _put(tf.contrib.framework, _names(orthogonal, "convolutional_delta_orthogonal", "convolutional_orthogonal_1d",
                                      "convolutional_orthogonal_2d", "convolutional_orthogonal_3d"))
    submodule("contrib.opt", **{name: value for name, value in vars(opt).items() if name.startswith((
        "LazyAdam", "AdamW", "MomentumW", "Decoupled", "extend_"))}, **{
            name: value for module in (
                opt_rules, opt_wrappers, opt_external, opt_averages, opt_ggt, opt_global_step, opt_shampoo)
            for name, value in _own(module).items()})
    submodule("contrib.tensorboard")
    submodule("contrib.tensorboard.plugins")
    submodule("contrib.tensorboard.plugins.projector", **_names(
        projector, "ProjectorConfig", "EmbeddingInfo", "SpriteMetadata", "visualize_embeddings"))
    submodule("contrib.rnn", LSTMBlockCell=rnn_cells.LSTMBlockCell, LayerRNNCell=rnn_cells.LayerRNNCell,
              **_names(rnn_wrappers, "AttentionCellWrapper", "CompiledWrapper", "LayerNormBasicLSTMCell", "InputProjectionWrapper",
                       "OutputProjectionWrapper", "EmbeddingWrapper"), **cells, **networks,
              **_names(rnn_stacks, "stack_bidirectional_rnn", "stack_bidirectional_dynamic_rnn", "static_state_saving_rnn"),
              transpose_batch_time=rnn.transpose_batch_time, best_effort_input_batch_size=rnn.best_effort_batch_size,
              **{name: value for module in (contrib_cells, rnn_fused, rnn_grids) for name, value in _own(module).items()
                 if isinstance(value, type)})
    tf.nn.static_state_saving_rnn = rnn_stacks.static_state_saving_rnn


def _install_layers(tf, submodule):
    """Of tf.contrib.layers what stands on more than its own modules."""
    _put(tf.contrib.layers, _names(gdn, "GDN", "gdn"))
    _put(tf.contrib.layers, _names(reversible, "RevBlock", "rev_block", "recompute_grad"))
    _put(tf.contrib.layers, _names(pictures_as_rows, "images_to_sequence", "scale_gradient", "sequence_to_images"))
    _put(tf.contrib.layers, _names(target_columns, "multi_class_target", "regression_target"))
    submodule("contrib.layers.summaries", **_own(contrib_summaries))
    _put(tf.contrib.layers, _names(column_inputs, "check_feature_columns"))
    _put(tf.contrib.layers, _names(
        column_sequences, "make_place_holder_tensors_for_base_features", "parse_feature_columns_from_sequence_examples",
        "sequence_input_from_feature_columns"))
    _put(tf.contrib.layers, _names(scattered, "scattered_embedding_column"))
    tf.contrib.layers.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY = contrib_columns.CROSS_HASH_KEY
    submodule("contrib.layers.feature_column", **{name: value for module in (contrib_columns, real_valued, scattered)
                                                  for name, value in vars(module).items()
                                                  if getattr(value, "__module__", None) == module.__name__})


def _install_estimator(tf, submodule):
    submodule("estimator", **_names(estimator, "Estimator", "EstimatorSpec", "ModeKeys", "RunConfig"),
              **_names(estimator_loops, "TrainSpec", "EvalSpec", "train_and_evaluate", "Exporter", "BestExporter",
                       "FinalExporter", "LatestExporter"), WarmStartSettings=warm_start.WarmStartSettings)
    _put(tf.estimator, _names(canned, *canned.NAMES))
    _put(tf.estimator, _names(canned_baseline, *canned_baseline.NAMES))
    _put(tf.estimator, _names(estimator_heads, "BinaryClassHead", "Head", "LogisticRegressionHead", "MultiClassHead",
                              "PoissonRegressionHead", "RegressionHead"))
    _put(tf.estimator, _names(estimator_many_heads, "MultiHead", "MultiLabelHead"))
    tf.estimator.add_metrics = estimator_extenders.add_metrics
    submodule("estimator.export", **_names(
        estimator_export, "ClassificationOutput", "ExportOutput", "PredictOutput", "RegressionOutput",
        "ServingInputReceiver", "TensorServingInputReceiver", "build_parsing_serving_input_receiver_fn",
        "build_raw_serving_input_receiver_fn"))
    submodule("estimator.experimental", **_names(canned, "linear_logit_fn_builder", "dnn_logit_fn_builder"),
              **_names(estimator_loops, "make_early_stopping_hook", "stop_if_higher_hook", "stop_if_lower_hook",
                       "stop_if_no_decrease_hook", "stop_if_no_increase_hook"))
    tf.train.warm_start = warm_start.warm_start
    submodule("contrib.factorization", KMeansClustering=kmeans.KMeansClustering,
              **_names(clustering, "KMeans", "COSINE_DISTANCE", "SQUARED_EUCLIDEAN_DISTANCE", "KMEANS_PLUS_PLUS_INIT", "RANDOM_INIT"))
    _install_forests(submodule)
    submodule("estimator.inputs", **_names(estimator_inputs, "numpy_input_fn", "pandas_input_fn"))


def _install_forests(submodule):
    for room in ("", ".python", ".python.ops", ".client"):
        submodule("contrib.tensor_forest" + room)
    ops = {"data_ops": vars(forest_data), "model_ops": _names(forest_variables, "tree_variable"),
           "stats_ops": _names(forest_variables, "fertile_stats_variable")}
    for name, members in ops.items():
        submodule("contrib.tensor_forest.python.ops." + name, **{k: v for k, v in members.items() if k[0] != "_"})
    submodule("contrib.tensor_forest.python.tensor_forest", build_params_proto=forest_params.build_params_proto,
              parse_number_or_string_to_proto=forest_params.parse_number_or_string_to_proto,
              ForestHParams=forest_params.ForestHParams, **_names(
                  forest_graphs, "ForestVariables", "RandomForestGraphs", "RandomTreeGraphs", "TreeVariables",
                  "get_epoch_variable"))
    submodule("contrib.tensor_forest.client.eval_metrics", **_names(
        forest_metrics, "FEATURE_IMPORTANCE_NAME", "INFERENCE_PRED_NAME", "INFERENCE_PROB_NAME", "get_metric",
        "get_prediction_key"))
    submodule("contrib.tensor_forest.client.random_forest", **_names(
        forest_estimators, "ALL_SERVING_KEY", "CoreTensorForestEstimator", "EPSILON", "KEYS_NAME", "LOSS_NAME",
        "ModelBuilderOutputType", "MultiForestMultiHeadEstimator", "TREE_PATHS_PREDICTION_KEY", "TensorForestEstimator",
        "TensorForestLossHook", "TensorForestRunOpAtEndHook", "VARIANCE_PREDICTION_KEY", "get_combined_model_fn",
        "get_model_fn"))


def _install_slim(tf, submodule):
    """slim's modules for data and evaluation; tf.contrib.training has the same evaluation under names of its own."""
    slim = {
        "model_analyzer": _names(model_analyzer, "tensor_description", "analyze_ops", "analyze_vars"),
        "prefetch_queue": _names(slim_data, "prefetch_queue"), "dataset": _names(slim_data, "Dataset"),
        "queues": _names(slim_data, "QueueRunners", "NestedQueueRunnerError"),
        "parallel_reader": _names(slim_data, "ParallelReader", "parallel_read", "single_pass_read", "get_data_files"),
        "data_provider": _names(slim_data, "DataProvider"),
        "dataset_data_provider": _names(slim_data, "DatasetDataProvider"),
        "tfexample_decoder": _names(example_decoder, "TFExampleDecoder", "ItemHandler", "ItemHandlerCallback", "BoundingBox",
                                    "Tensor", "LookupTensor", "BackupHandler", "SparseTensor", "Image"),
        "evaluation": dict(_names(evaluation.Slim, "evaluate_once", "evaluation_loop"),
                           **_names(evaluation, "checkpoints_iterator", "wait_for_new_checkpoint"))}
    for name, members in slim.items():
        submodule("contrib.slim." + name, **members)
    _put(tf.contrib.training, _names(
        evaluation, "StopAfterNEvalsHook", "SummaryAtEndHook", "checkpoints_iterator", "evaluate_once",
        "evaluate_repeatedly", "get_or_create_eval_step", "wait_for_new_checkpoint"))


def _install_testing(tf, submodule):
    tf.DeviceSpec = devices.DeviceSpec
    tf.train.replica_device_setter = devices.replica_device_setter
    tf.train.ClusterSpec = cluster.ClusterSpec
    tf.train.Server = servers.Server
    _put(tf.train, {name: proto.message_class(name) for name in ("ClusterDef", "JobDef", "ServerDef")})
    submodule("test", mock=unittest.mock, create_local_cluster=servers.create_local_cluster,
              **_names(testing, "is_built_with_rocm", "is_built_with_gpu_support", "assert_equal_graph_def", "TestCase", "main",
                       "is_gpu_available", "gpu_device_name", "is_built_with_cuda", "get_temp_dir", "compute_gradient",
                       "compute_gradient_error"))


def _install_profiler(tf, submodule):
    _put(tf, _names(script_ops, "py_func", "py_function", "numpy_function"))
    submodule("graph_util", **_names(graph_defs, "extract_sub_graph", "convert_variables_to_constants",
                                     "remove_training_nodes", "must_run_on_cpu", "tensor_shape_from_node_def_name"))
    submodule("profiler", **_names(profile_report, "ProfileOptionBuilder", "Profiler", "profile"))


# Where TensorFlow keeps its messages: scripts import them from there.
_MESSAGES = {
    "core.framework": ("graph_pb2", "node_def_pb2", "attr_value_pb2", "variable_pb2", "summary_pb2", "tensor_pb2",
                       "tensor_shape_pb2", "types_pb2", "function_pb2", "op_def_pb2", "versions_pb2", "step_stats_pb2"),
    "core.protobuf": ("meta_graph_pb2", "config_pb2", "rewriter_config_pb2", "saver_pb2", "queue_runner_pb2", "control_flow_pb2",
                      "saved_model_pb2", "cluster_pb2", "tensorflow_server_pb2"),
    "core.example": ("example_pb2", "feature_pb2"),
    "core.util": ("event_pb2",),
}


def _install_messages(tf, submodule):
    submodule("core")
    for package, names in _MESSAGES.items():
        submodule(package)
        for name in names:
            module = submodule("%s.%s" % (package, name))
            module.__getattr__ = lambda key: getattr(proto, key)


def _install_late(tf, submodule):
    _put(tf.nn, _names(ctc_dense, "ctc_loss_v2", "collapse_repeated", "ctc_unique_labels"))
    tf.CriticalSection = critical_section.CriticalSection
    tf.function, tf.wrap_function = tf_function.function, concrete_functions.wrap_function
    tf.Module, tf.GradientTape = modules.Module, gradient_tape.GradientTape
    tf.nondifferentiable_batch_function, tf.LMDBReader = batch_functions.batch_function, readers.LMDBReader
    tf.LogMessage = proto.message_class("LogMessage")
    _put(tf.profiler, {name: proto.message_class(name) for name in (
        "AdviceProto", "GraphNodeProto", "MultiGraphNodeProto", "OpLogProto")})
    tf.profiler.write_op_log = op_logs.write_op_log
    tf.summary.SummaryDescription = proto.message_class("SummaryDescription")
    tf.summary.get_summary_description = summary.get_summary_description
    _put(tf.test, _names(benchmarks, "Benchmark", "StubOutForTesting", "benchmark_config", "test_src_dir_path"))
    submodule("train.experimental", **_names(loss_scales, *loss_scales.NAMES))
    submodule("random.experimental", **_names(stateful_generators, *stateful_generators.NAMES))
    submodule("user_ops", my_fact=lambda: ops.apply_op("Fact"))
    refusals.install(tf, submodule)


def install(tf, submodule):
    """Fills the modules; submodule(name, **members) makes one."""
    _install_sparse(tf, submodule)
    _install_inputs(tf, submodule)
    _install_data(tf, submodule)
    _install_tables(tf, submodule)
    _install_sessions(tf, submodule)
    _install_platform(tf, submodule)
    _install_messages(tf, submodule)
    tf.contrib.graph_editor = sys.modules[tf.__name__ + ".contrib.graph_editor"] = graph_editor
    _install_rnn(tf, submodule)
    _install_profiler(tf, submodule)
    _install_testing(tf, submodule)
    _install_estimator(tf, submodule)
    _install_slim(tf, submodule)
    contrib_learn.install(tf, submodule)
    saved_models.install(tf, submodule)
    _install_late(tf, submodule)
