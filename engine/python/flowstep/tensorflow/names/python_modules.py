# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Which modules TensorFlow 1.15 has where its tf is made from: a script that imports another one is told that there is none."""

# A folder below tensorflow.python (contrib's below tensorflow) and the modules in it.
_TREE = """
contrib.copy_graph.python.util: copy_elements
contrib.crf.python.ops: crf
contrib.cudnn_rnn.python.layers: cudnn_rnn
contrib.cudnn_rnn.python.ops: cudnn_rnn_ops
contrib.data.python.ops: batching counter enumerate_ops error_ops get_single_element grouping interleave_ops iterator_ops
    parsing_ops prefetching_ops random_ops readers resampling scan_ops shuffle_ops sliding threadpool unique writers
contrib.distributions.python.ops: autoregressive batch_reshape binomial cauchy chi2 conditional_distribution
    conditional_transformed_distribution deterministic distribution_util estimator geometric gumbel half_normal independent
    inverse_gamma kumaraswamy logistic mixture mixture_same_family moving_stats mvn_diag mvn_diag_plus_low_rank
    mvn_full_covariance mvn_linear_operator mvn_tril negative_binomial normal_conjugate_posteriors onehot_categorical
    poisson poisson_lognormal quantized_distribution relaxed_bernoulli relaxed_onehot_categorical sample_stats seed_stream
    shape sinh_arcsinh statistical_testing vector_diffeomixture vector_exponential_diag vector_exponential_linear_operator
    vector_laplace_diag vector_laplace_linear_operator vector_sinh_arcsinh_diag vector_student_t wishart
contrib.distributions.python.ops.bijectors: absolute_value affine affine_linear_operator affine_scalar batch_normalization
    chain cholesky_outer_product conditional_bijector exp fill_triangular gumbel inline invert kumaraswamy
    masked_autoregressive matrix_inverse_tril ordered permute power_transform real_nvp reshape scale_tril sigmoid
    sinh_arcsinh softmax_centered softplus softsign square transform_diagonal weibull
contrib.factorization.python.ops: clustering_ops factorization_ops gmm gmm_ops kmeans wals
contrib.feature_column.python.feature_column: sequence_feature_column
contrib.framework.python.framework: checkpoint_utils experimental graph_util tensor_util
contrib.framework.python.ops: arg_scope audio_ops checkpoint_ops ops prettyprint_ops script_ops sort_ops variables
contrib.grid_rnn.python.ops: grid_rnn_cell
contrib.hooks.python.training: profiler_hook
contrib.image.python.ops: dense_image_warp distort_image_ops image_ops interpolate_spline
    single_image_random_dot_stereograms sparse_image_warp
contrib.integrate.python.ops: odes
contrib.layers.python.layers: embedding_ops encoders feature_column feature_column_ops initializers layers normalization
    optimizers regularizers rev_block_lib summaries target_column utils
contrib.layers.python.ops: bucketization_op sparse_feature_cross_op sparse_ops
contrib.legacy_seq2seq.python.ops: seq2seq
contrib.losses.python.losses: loss_ops
contrib.losses.python.metric_learning: metric_loss_ops
contrib.metrics.python.metrics: classification
contrib.metrics.python.ops: confusion_matrix_ops histogram_ops metric_ops set_ops
contrib.nn.python.ops: alpha_dropout cross_entropy fwd_gradients sampling_ops scaled_softplus
contrib.opt.python.training: adam_gs_optimizer adamax addsign agn_optimizer drop_stale_gradient_optimizer
    elastic_average_optimizer external_optimizer ggt lars_optimizer lazy_adam_gs_optimizer lazy_adam_optimizer
    matrix_functions model_average_optimizer moving_average_optimizer multitask_optimizer_wrapper nadam_optimizer powersign
    reg_adagrad_optimizer shampoo sign_decay variable_clipping_optimizer weight_decay_optimizers
contrib.resampler.python.ops: resampler_ops
contrib.rnn.python.ops: core_rnn_cell fused_rnn_cell gru_ops lstm_ops rnn rnn_cell
contrib.rnn.python.tools: checkpoint_convert
contrib.seq2seq.python.ops: attention_wrapper basic_decoder beam_search_decoder beam_search_ops decoder helper loss sampler
contrib.slim.python.slim: evaluation learning model_analyzer queues summaries
contrib.slim.python.slim.data: data_decoder data_provider dataset dataset_data_provider parallel_reader prefetch_queue
    tfexample_decoder
contrib.slim.python.slim.nets: alexnet inception inception_v1 inception_v2 inception_v3 overfeat resnet_utils resnet_v1
    resnet_v2 vgg
contrib.tpu.python.ops: tpu_ops
contrib.tpu.python.tpu: tpu tpu_config tpu_context tpu_estimator tpu_function tpu_optimizer
contrib.training.python.training: bucket_ops device_setter evaluation feeding_queue_runner hparam hparam_pb2 resample
    sampling_ops sequence_queueing_state_saver training tuner
.: pywrap_tensorflow pywrap_tensorflow_internal tf2
client: client_lib device_lib session timeline
compat: compat v2_compat
data:
data.benchmarks:
data.ops: dataset_ops iterator_ops multi_device_iterator_ops optional_ops readers
data.util: convert nest options random_seed sparse structure traverse
debug:
eager: backprop cancellation context core def_function execute execution_callbacks executor forwardprop function
    graph_only_ops imperative_grad lift_to_graph monitoring profiler profiler_client remote tape test wrap_function
eager.memory_tests:
estimator: estimator estimator_lib exporter gc keras model_fn run_config training util
estimator.canned: baseline boosted_trees boosted_trees_utils dnn dnn_linear_combined head linear metric_keys optimizers
    parsing_utils prediction_keys
estimator.export: export export_lib export_output
estimator.inputs: inputs numpy_io pandas_io
estimator.inputs.queues: feeding_functions feeding_queue_runner
feature_column: dense_features dense_features_v2 feature_column feature_column_lib feature_column_v2 sequence_feature_column
    serialization utils
framework: auto_control_deps c_api_util combinations common_shapes composite_tensor composite_tensor_utils config
    constant_op convert_to_constants cpp_shape_inference_pb2 device device_spec dtypes error_interpolation errors
    errors_impl framework_lib func_graph function function_def_to_graph graph_io graph_to_function_def graph_util
    graph_util_impl importer indexed_slices kernels load_library meta_graph op_callbacks op_def_library op_def_registry ops
    random_seed registry smart_cond sparse_tensor subscribe tensor_conversion_registry tensor_like tensor_shape tensor_spec
    tensor_util test_combinations test_ops test_util traceable_stack type_spec versions
keras: activations backend backend_config callbacks callbacks_v1 constraints initializers keras_parameterized losses metrics
    models ops optimizers regularizers testing_utils
keras.applications: densenet imagenet_utils inception_resnet_v2 inception_v3 mobilenet mobilenet_v2 nasnet resnet resnet_v2
    vgg16 vgg19 xception
keras.datasets: boston_housing cifar cifar10 cifar100 fashion_mnist imdb mnist reuters
keras.engine: base_layer base_layer_utils base_preprocessing_layer base_preprocessing_layer_v1 data_adapter input_layer
    input_spec network node partial_batch_padding_handler saving sequential training training_arrays training_distributed
    training_eager training_generator training_utils training_v2 training_v2_utils
keras.layers: advanced_activations convolutional convolutional_recurrent core cudnn_recurrent dense_attention embeddings
    kernelized local merge noise normalization normalization_v2 pooling recurrent recurrent_v2 rnn_cell_wrapper_v2
    serialization wrappers
keras.layers.preprocessing: normalization normalization_v1
keras.optimizer_v2: adadelta adagrad adam adamax ftrl gradient_descent learning_rate_schedule nadam optimizer_v2 rmsprop
keras.premade: linear wide_deep
keras.preprocessing: image sequence text
keras.saving: hdf5_format model_config save saved_model_experimental saving_utils
keras.saving.saved_model: constants load save serialized_attributes utils
keras.utils: conv_utils data_utils generic_utils io_utils kernelized_utils layer_utils losses_utils metrics_utils mode_keys
    multi_gpu_utils np_utils tf_utils vis_utils
keras.wrappers: scikit_learn
layers: base convolutional core layers normalization pooling utils
lib:
lib.io: file_io python_io tf_record
module: module
ops: array_grad array_ops batch_ops bitwise_ops boosted_trees_ops candidate_sampling_ops check_ops clip_ops clustering_ops
    collective_ops cond_v2 confusion_matrix control_flow_grad control_flow_ops control_flow_state control_flow_util
    control_flow_util_v2 control_flow_v2_func_graphs control_flow_v2_toggles critical_section_ops ctc_ops cudnn_rnn_grad
    custom_gradient data_flow_grad data_flow_ops default_gradient embedding_ops functional_ops gradient_checker
    gradient_checker_v2 gradients gradients_impl gradients_util histogram_ops image_grad image_ops image_ops_impl init_ops
    init_ops_v2 initializers_ns inplace_ops io_ops linalg_grad linalg_ops linalg_ops_impl list_ops logging_ops lookup_ops
    manip_grad manip_ops map_fn math_grad math_ops metrics metrics_impl nccl_ops nn nn_grad nn_impl nn_ops numerics
    op_selector optional_grad parsing_ops partitioned_variables proto_ops random_grad random_ops resource_variable_ops
    resources rnn rnn_cell rnn_cell_impl rnn_cell_wrapper_impl rnn_grad script_ops sdca_ops session_ops sets sets_impl
    sort_ops sparse_grad sparse_ops special_math_ops standard_ops state_grad state_ops stateful_random_ops
    stateless_random_ops string_ops summary_op_util summary_ops_v2 template tensor_array_grad tensor_array_ops
    tensor_forest_ops unconnected_gradients variable_scope variables weights_broadcast_ops while_v2
    while_v2_indexed_slices_rewriter
ops.distributions: bernoulli beta bijector bijector_impl categorical dirichlet dirichlet_multinomial distribution
    distributions exponential gamma identity_bijector kullback_leibler laplace multinomial normal special_math student_t
    transformed_distribution uniform util
ops.linalg: adjoint_registrations cholesky_registrations inverse_registrations linalg linalg_impl linear_operator
    linear_operator_addition linear_operator_adjoint linear_operator_algebra linear_operator_block_diag
    linear_operator_circulant linear_operator_composition linear_operator_diag linear_operator_full_matrix
    linear_operator_householder linear_operator_identity linear_operator_inversion linear_operator_kronecker
    linear_operator_low_rank_update linear_operator_lower_triangular linear_operator_toeplitz linear_operator_util
    linear_operator_zeros matmul_registrations registrations_util solve_registrations
ops.losses: loss_reduction losses losses_impl util
ops.ragged: ragged_array_ops ragged_batch_gather_ops ragged_batch_gather_with_default_op ragged_concat_ops ragged_config
    ragged_conversion_ops ragged_dispatch ragged_factory_ops ragged_functional_ops ragged_gather_ops ragged_getitem
    ragged_map_ops ragged_math_ops ragged_operators ragged_squeeze_op ragged_string_ops ragged_tensor ragged_tensor_shape
    ragged_tensor_value ragged_util ragged_where_op segment_id_ops
ops.signal: dct_ops fft_ops mel_ops mfcc_ops reconstruction_ops shape_ops signal spectral_ops util_ops window_ops
platform: app build_info control_imports flags gfile googletest parameterized remote_utils resource_loader self_check
    status_bar sysconfig test tf_logging
profiler: model_analyzer option_builder profile_context profiler tfprof_logger
profiler.internal: flops_registry
saved_model: builder builder_impl constants function_deserialization function_serialization load load_v1_in_v2 loader
    loader_impl main_op main_op_impl nested_structure_coder revived_types save saved_model signature_constants
    signature_def_utils signature_def_utils_impl signature_serialization simple_save tag_constants utils utils_impl
saved_model.model_utils: export_output export_utils mode_keys
summary: plugin_asset summary summary_iterator
summary.writer: event_file_writer event_file_writer_v2 writer writer_cache
training: adadelta adagrad adagrad_da adam basic_loops basic_session_run_hooks checkpoint_management checkpoint_ops
    checkpoint_state_pb2 checkpoint_utils coordinator device_setter distribute distribution_strategy_context evaluation ftrl
    gradient_descent input learning_rate_decay momentum monitored_session moving_averages optimizer proximal_adagrad
    proximal_gradient_descent queue_runner queue_runner_impl rmsprop saver server_lib session_manager session_run_hook
    slot_creator summary_io supervisor sync_replicas_optimizer tensorboard_logging training training_ops training_util
    warm_starting_util
training.saving: functional_saver saveable_object saveable_object_util
training.tracking: base data_structures graph_view layer_utils python_state tracking util
util: all_util compat compat_internal decorator_utils deprecation deprecation_wrapper dispatch example_parser_configuration
    function_utils future_api is_in_graph_mode keyword_args lazy_loader lock_util memory module_wrapper nest object_identity
    serialization tf_contextlib tf_decorator tf_export tf_inspect tf_should_use tf_stack
util.protobuf: compare
"""


def _names():
    folder = ""
    for line in _TREE.strip().splitlines():
        if not line.startswith(" "):
            folder, _, line = line.partition(":")
            folder = "" if folder == "." else folder + "."
            yield folder[:-1]
        yield from (folder + name for name in line.split())


def _with_parents(names):
    for name in names:
        while name:
            yield name
            name = name.rpartition(".")[0]


NAMES = frozenset(_with_parents(_names()))
