/* flow-kernels-accelerator.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Ops that TensorFlow runs on GPUs and TPUs alone. Graphs that were trained there hold them: what they take and
 * give is known, so that such a graph is drawn, inferred and pruned as it is there; running one is refused in
 * TensorFlow's words.
 */

#include "config.h"

#include "flow-array-private.h"

#include <string.h>

static const FlowKernelDef no_kernels[] = { { NULL } };

/* --- recurrent layers of cuDNN -------------------------------------------------------------------------------- */

/* The sequence, the states and what is kept for the gradient; shapes as the definitions say. */
static gboolean
rnn_infer (FlowInferContext  *c,
           GError           **error)
{
  const gboolean is_lstm = strcmp (flow_infer_attr_string (c, "rnn_mode"), "lstm") == 0;
  const gint64 n_directions = strcmp (flow_infer_attr_string (c, "direction"), "bidirectional") == 0 ? 2 : 1;
  g_autoptr (FlowShape) input = NULL;
  g_autoptr (FlowShape) state = NULL;
  g_autoptr (FlowShape) params = NULL;
  gint64 dims[3];

  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 3, &input, error)
      || !flow_infer_with_rank (c, flow_infer_input (c, 1), 3, &state, error)
      || !flow_infer_with_rank (c, flow_infer_input (c, 3), 1, &params, error))
    return FALSE;
  dims[0] = flow_shape_get_dim (input, 0);
  dims[1] = flow_shape_get_dim (input, 1);
  dims[2] = flow_shape_get_dim (state, 2);
  if (dims[2] != FLOW_DIM_UNKNOWN && !flow_mul_int64 (dims[2], n_directions, &dims[2]))
    dims[2] = FLOW_DIM_UNKNOWN;
  flow_infer_take_output (c, 0, flow_shape_new (3, dims));
  flow_infer_set_output (c, 1, state);
  flow_infer_take_output (c, 2, is_lstm ? flow_shape_ref (state) : flow_shape_new_scalar ());
  flow_infer_take_output (c, 3, flow_shape_new_unknown ());
  if (c->n_outputs > 4)
    flow_infer_take_output (c, 4, flow_shape_new_unknown ());
  return TRUE;
}

static gboolean
rnn_backprop_infer (FlowInferContext  *c,
                    GError           **error)
{
  for (guint i = 0; i < 4; i++)
    flow_infer_set_output (c, i, flow_infer_input (c, i));
  return TRUE;
}

static gboolean
params_size_infer (FlowInferContext  *c,
                   GError           **error)
{
  flow_infer_take_output (c, 0, flow_shape_new_vector (1));
  return TRUE;
}

static gboolean
params_infer (FlowInferContext  *c,
              GError           **error)
{
  flow_infer_take_output (c, 0, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

static gboolean
canonical_infer (FlowInferContext  *c,
                 GError           **error)
{
  const gboolean is_first = flow_op_signature_find_attr (c->signature, "num_params") != NULL;
  const gint64 n_weights = flow_infer_attr_int (c, is_first ? "num_params" : "num_params_weights");

  for (guint i = 0; i < c->n_outputs; i++)
    flow_infer_take_output (c, i, i < n_weights ? flow_shape_new_matrix (FLOW_DIM_UNKNOWN, FLOW_DIM_UNKNOWN)
                                                : flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

/* --- values that go between devices --------------------------------------------------------------------------- */

/* One shape for all inputs, and for all outputs. */
static gboolean
merged_infer (FlowInferContext  *c,
              GError           **error)
{
  g_autoptr (FlowShape) shape = flow_shape_ref (flow_infer_input (c, 0));

  for (guint i = 1; i < c->n_inputs; i++)
    {
      FlowShape *merged = NULL;

      if (!flow_infer_merge (c, shape, flow_infer_input (c, i), &merged, error))
        return FALSE;
      flow_shape_unref (shape);
      shape = merged;
    }
  for (guint i = 0; i < c->n_outputs; i++)
    flow_infer_set_output (c, i, shape);
  return TRUE;
}

static gboolean
declared_infer (FlowInferContext  *c,
                GError           **error)
{
  FlowAttr *shapes = flow_infer_attr (c, "shapes");

  for (guint i = 0; i < c->n_outputs; i++)
    if (i < flow_attr_get_length (shapes))
      flow_infer_set_output (c, i, flow_attr_get_shape (flow_attr_get_item (shapes, i)));
    else
      flow_infer_take_output (c, i, flow_shape_new_unknown ());
  return TRUE;
}

#define RNN_KINDS                                                                                                          \
  "rnn_mode: {\"rnn_relu\", \"rnn_tanh\", \"lstm\", \"gru\"} = \"lstm\"; input_mode: {\"linear_input\", \"skip_input\", " \
  "\"auto_select\"} = \"linear_input\"; direction: {\"unidirectional\", \"bidirectional\"} = \"unidirectional\"; "        \
  "dropout: float = 0.0; seed: int = 0; seed2: int = 0"
#define RNN_ATTRS "T: {half, float, double}; " RNN_KINDS
#define RNN_OUTPUTS "output: T; output_h: T; output_c: T; reserve_space: T"
#define RNN_RESULTS                                                                                                        \
  "output: T; output_h: T; output_c: T; output_backprop: T; output_h_backprop: T; output_c_backprop: T; reserve_space: T"
#define RNN_GRADIENTS "input_backprop: T; input_h_backprop: T; input_c_backprop: T; params_backprop: T"
#define LAYERS "num_layers: int32; num_units: int32; input_size: int32; "
#define NUMBERS "{half, float, double, int32, int64}"

#define ROW(op, in, out, at, how, what, flag)                                                                              \
  { .name = op, .inputs = in, .outputs = out, .attrs = at, .summary = what, .flags = flag,                                 \
    .family = FLOW_OP_FAMILY_LINEAR, .infer = how, .kernels = no_kernels }
#define MOVE(op, in, out, at, how, what, flag)                                                                             \
  { .name = op, .inputs = in, .outputs = out, .attrs = at, .summary = what, .flags = flag,                                 \
    .family = FLOW_OP_FAMILY_OTHER, .infer = how, .kernels = no_kernels }

static const FlowOpDef ops[] = {
  ROW ("CudnnRNN", "input: T; input_h: T; input_c: T; params: T", RNN_OUTPUTS, RNN_ATTRS "; is_training: bool = true",
       rnn_infer, "Recurrent layers, by cuDNN", FLOW_OP_STATEFUL),
  ROW ("CudnnRNNV2", "input: T; input_h: T; input_c: T; params: T", RNN_OUTPUTS "; host_reserved: int8",
       RNN_ATTRS "; is_training: bool = true", rnn_infer, "Recurrent layers, by cuDNN", FLOW_OP_STATEFUL),
  ROW ("CudnnRNNV3", "input: T; input_h: T; input_c: T; params: T; sequence_lengths: int32",
       RNN_OUTPUTS "; host_reserved: int8",
       RNN_ATTRS "; num_proj: int = 0; is_training: bool = true; time_major: bool = true", rnn_infer,
       "Recurrent layers for sequences of any length, by cuDNN", FLOW_OP_STATEFUL),
  ROW ("CudnnRNNBackprop", "input: T; input_h: T; input_c: T; params: T; " RNN_RESULTS, RNN_GRADIENTS, RNN_ATTRS,
       rnn_backprop_infer, "Gradients of recurrent layers, by cuDNN", FLOW_OP_STATEFUL),
  ROW ("CudnnRNNBackpropV2", "input: T; input_h: T; input_c: T; params: T; " RNN_RESULTS "; host_reserved: int8",
       RNN_GRADIENTS, RNN_ATTRS, rnn_backprop_infer, "Gradients of recurrent layers, by cuDNN", FLOW_OP_STATEFUL),
  ROW ("CudnnRNNBackpropV3",
       "input: T; input_h: T; input_c: T; params: T; sequence_lengths: int32; " RNN_RESULTS "; host_reserved: int8",
       RNN_GRADIENTS, RNN_ATTRS "; num_proj: int = 0; time_major: bool = true", rnn_backprop_infer,
       "Gradients of recurrent layers for sequences of any length, by cuDNN", FLOW_OP_STATEFUL),
  ROW ("CudnnRNNParamsSize", "num_layers: int32; num_units: int32; input_size: int32", "params_size: S",
       "T: {half, float, double}; S: {int32, int64}; " RNN_KINDS "; num_proj: int = 0", params_size_infer,
       "How many numbers cuDNN's recurrent layers have", 0),
  ROW ("CudnnRNNCanonicalToParams", LAYERS "weights: num_params * T; biases: num_params * T", "params: T",
       "T: {half, float, double}; num_params: int >= 1; " RNN_KINDS, params_infer,
       "Matrices and biases put together for cuDNN", 0),
  ROW ("CudnnRNNCanonicalToParamsV2", LAYERS "weights: num_params_weights * T; biases: num_params_biases * T", "params: T",
       "T: {half, float, double}; num_params_weights: int >= 1; num_params_biases: int >= 1; " RNN_KINDS
       "; num_proj: int = 0", params_infer, "Matrices and biases put together for cuDNN", 0),
  ROW ("CudnnRNNParamsToCanonical", LAYERS "params: T", "weights: num_params * T; biases: num_params * T",
       "T: {half, float, double}; num_params: int >= 1; " RNN_KINDS, canonical_infer,
       "Matrices and biases out of what cuDNN has", 0),
  ROW ("CudnnRNNParamsToCanonicalV2", LAYERS "params: T", "weights: num_params_weights * T; biases: num_params_biases * T",
       "T: {half, float, double}; num_params_weights: int >= 1; num_params_biases: int >= 1; " RNN_KINDS
       "; num_proj: int = 0", canonical_infer, "Matrices and biases out of what cuDNN has", 0),
  MOVE ("NcclAllReduce", "input: T", "data: T",
        "reduction: {\"min\", \"max\", \"prod\", \"sum\"}; T: " NUMBERS "; num_devices: int; shared_name: string",
        flow_infer_unchanged_shape, "One value out of those of all GPUs, for each", FLOW_OP_STATEFUL),
  MOVE ("NcclReduce", "input: num_devices * T", "data: T",
        "reduction: {\"min\", \"max\", \"prod\", \"sum\"}; T: " NUMBERS "; num_devices: int >= 1", merged_infer,
        "One value out of those of several GPUs", FLOW_OP_STATEFUL),
  MOVE ("NcclBroadcast", "input: T", "output: T", "T: " NUMBERS "; shape: shape", flow_infer_explicit_shape,
        "A value for all GPUs", FLOW_OP_STATEFUL),
  MOVE ("CrossReplicaSum", "input: T; group_assignment: int32", "output: T", "T: {bfloat16, float, int32, uint32}",
        flow_infer_unchanged_shape, "The sum over replicas on TPUs", 0),
  MOVE ("TPUReplicateMetadata", "", "",
        "num_replicas: int >= 0; num_cores_per_replica: int = 1; topology: string = \"\"; use_tpu: bool = true; "
        "device_assignment: list(int) = []; computation_shape: list(int) = []; host_compute_core: list(string) = []; "
        "padding_map: list(string) = []; step_marker_location: string = \"STEP_MARK_AT_ENTRY\"; allow_soft_placement: bool "
        "= false", flow_infer_no_outputs, "What a computation on TPUs is told", 0),
  MOVE ("TPUReplicatedInput", "inputs: N * T", "output: T", "N: int >= 1; T: type", merged_infer,
        "Of the inputs of replicas the one of each", 0),
  MOVE ("TPUReplicatedOutput", "input: T", "outputs: num_replicas * T", "num_replicas: int >= 1; T: type", merged_infer,
        "The outputs of all replicas", 0),
  MOVE ("TPUCompilationResult", "", "output: string", "", flow_infer_scalar_shape, "What a TPU's compiler said", 0),
  MOVE ("InfeedEnqueue", "input: dtype", "",
        "dtype: type; shape: shape = {}; layout: list(int) = []; device_ordinal: int = -1", flow_infer_no_outputs,
        "Gives a value to a TPU", FLOW_OP_STATEFUL),
  MOVE ("InfeedEnqueueTuple", "inputs: dtypes", "",
        "dtypes: list(type) >= 1; shapes: list(shape); layouts: list(int) = []; device_ordinal: int = -1",
        flow_infer_no_outputs, "Gives values to a TPU", FLOW_OP_STATEFUL),
  MOVE ("InfeedDequeue", "", "output: dtype", "dtype: type; shape: shape", flow_infer_explicit_shape,
        "A value that a TPU is given", FLOW_OP_STATEFUL),
  MOVE ("InfeedDequeueTuple", "", "outputs: dtypes", "dtypes: list(type) >= 1; shapes: list(shape)", declared_infer,
        "Values that a TPU is given", FLOW_OP_STATEFUL),
  MOVE ("OutfeedEnqueue", "input: dtype", "", "dtype: type", flow_infer_no_outputs, "A TPU gives a value", FLOW_OP_STATEFUL),
  MOVE ("OutfeedEnqueueTuple", "inputs: dtypes", "", "dtypes: list(type) >= 1", flow_infer_no_outputs,
        "A TPU gives values", FLOW_OP_STATEFUL),
  MOVE ("OutfeedDequeue", "", "output: dtype", "dtype: type; shape: shape; device_ordinal: int = -1",
        flow_infer_explicit_shape, "A value that a TPU gave", FLOW_OP_STATEFUL),
  MOVE ("OutfeedDequeueTuple", "", "outputs: dtypes", "dtypes: list(type) >= 1; shapes: list(shape); device_ordinal: int = -1",
        declared_infer, "Values that a TPU gave", FLOW_OP_STATEFUL),
};

FLOW_DEFINE_OP_FAMILY (accelerator, ops)
