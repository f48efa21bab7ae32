/* flow-kernels-parsing.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * ParseExample in its three forms.
 */

#include "config.h"

#include "flow-example-parse-private.h"
#include "flow-kernel.h"

static gboolean
is_vector (const FlowTensor *tensor)
{
  return FLOW_RANK (tensor) == 1;
}

static gboolean
check_batch (FlowKernelContext  *c,
             GError            **error)
{
  FlowTensor *serialized = flow_kernel_input (c, 0);
  FlowTensor *names = flow_kernel_input (c, 1);

  if (!is_vector (serialized))
    {
      g_autofree char *text = flow_shape_to_string (serialized->shape);

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Expected serialized to be a vector, got shape: %s", text);
      return FALSE;
    }
  FLOW_REQUIRE (names->n_elements == 0 || (is_vector (names) && names->n_elements == serialized->n_elements), error,
                INVALID_ARGUMENT, "Expected len(names) == len(serialized), but got: %" G_GINT64_FORMAT " vs. %" G_GINT64_FORMAT,
                names->n_elements, serialized->n_elements);
  return TRUE;
}

static gboolean
take_scalar_key (FlowExampleParse  *self,
                 guint              feature,
                 guint              input,
                 GError           **error)
{
  FlowTensor *key = flow_kernel_input (self->c, input);

  /* TF: one key of any rank will do. */
  FLOW_REQUIRE (key->n_elements == 1, error, INVALID_ARGUMENT, "Expected key %u to be a scalar", feature);
  self->features[feature].name = flow_tensor_get_string (key, 0, &self->features[feature].length);
  return TRUE;
}

static gboolean
parse_example_compute (FlowKernelContext  *c,
                       GError            **error)
{
  g_auto (FlowExampleParse) self = { 0 };
  guint n_sparse = (guint) flow_kernel_attr_int (c, "Nsparse");
  guint n_dense = (guint) flow_kernel_attr_int (c, "Ndense");

  if (!_flow_example_parse_begin (&self, c, n_sparse, n_dense, 0, error) || !check_batch (c, error))
    return FALSE;
  self.names = flow_kernel_input (c, 1);
  for (guint i = 0; i < n_sparse + n_dense; i++)
    if (!take_scalar_key (&self, i, 2 + i, error))
      return FALSE;
  return _flow_example_parse_run (&self, 2 + n_sparse + n_dense, error);
}

static gboolean
take_key_list (FlowExampleParse  *self,
               guint              first,
               guint              count,
               FlowTensor        *keys,
               const char        *what,
               GError           **error)
{
  FLOW_REQUIRE (is_vector (keys) && keys->n_elements == count, error, INVALID_ARGUMENT,
                "Expected len(%s) == %u, got: %" G_GINT64_FORMAT, what, count, keys->n_elements);
  for (guint i = 0; i < count; i++)
    self->features[first + i].name = flow_tensor_get_string (keys, i, &self->features[first + i].length);
  return TRUE;
}

static gboolean
parse_example_v2_compute (FlowKernelContext  *c,
                          GError            **error)
{
  g_auto (FlowExampleParse) self = { 0 };
  guint n_sparse = (guint) flow_example_list_length (flow_kernel_attr (c, "sparse_types"));
  guint n_dense = (guint) flow_example_list_length (flow_kernel_attr (c, "Tdense"));
  guint n_ragged = (guint) flow_example_list_length (flow_kernel_attr (c, "ragged_value_types"));
  FlowTensor *names = flow_kernel_input (c, 1);

  FLOW_REQUIRE (FLOW_RANK (flow_kernel_input (c, 0)) <= 1, error, INVALID_ARGUMENT,
                "Expected serialized to be a scalar or vector, got rank %d", FLOW_RANK (flow_kernel_input (c, 0)));
  FLOW_REQUIRE (names->n_elements == 0 || names->n_elements == flow_kernel_input (c, 0)->n_elements, error,
                INVALID_ARGUMENT, "Expected len(names) == len(serialized)");
  FLOW_REQUIRE (flow_kernel_attr_int (c, "num_sparse") == n_sparse
                && flow_example_list_length (flow_kernel_attr (c, "ragged_split_types")) == n_ragged, error, INVALID_ARGUMENT,
                "len(sparse_keys) != len(sparse_types)");
  if (!_flow_example_parse_begin (&self, c, n_sparse, n_dense, n_ragged, error))
    return FALSE;
  self.names = names;
  if (!take_key_list (&self, 0, n_sparse, flow_kernel_input (c, 2), "sparse_keys", error)
      || !take_key_list (&self, n_sparse, n_dense, flow_kernel_input (c, 3), "dense_keys", error)
      || !take_key_list (&self, n_sparse + n_dense, n_ragged, flow_kernel_input (c, 4), "ragged_keys", error))
    return FALSE;
  return _flow_example_parse_run (&self, 5, error);
}

static gboolean
parse_single_compute (FlowKernelContext  *c,
                      GError            **error)
{
  g_auto (FlowExampleParse) self = { 0 };
  guint n_sparse = (guint) flow_example_list_length (flow_kernel_attr (c, "sparse_types"));
  guint n_dense = (guint) flow_example_list_length (flow_kernel_attr (c, "Tdense"));

  FLOW_REQUIRE (FLOW_RANK (flow_kernel_input (c, 0)) == 0, error, INVALID_ARGUMENT,
                "Expected serialized to be a scalar, got shape of rank %d", FLOW_RANK (flow_kernel_input (c, 0)));
  FLOW_REQUIRE (flow_kernel_attr_int (c, "num_sparse") == n_sparse, error, INVALID_ARGUMENT,
                "num_sparse must be the length of sparse_types, %u", n_sparse);
  return _flow_example_parse_begin (&self, c, n_sparse, n_dense, 0, error)
         && _flow_example_parse_take_attr_keys (&self, 0, n_sparse, "sparse_keys", error)
         && _flow_example_parse_take_attr_keys (&self, n_sparse, n_dense, "dense_keys", error)
         && _flow_example_parse_run (&self, 1, error);
}

/* --- Shapes ------------------------------------------------------------------------------------ */

/* @batch: -2 for none. Outputs: indices, values, shapes, dense, ragged values, ragged splits. */
static gboolean
infer_outputs (FlowInferContext *c,
               gint64            batch,
               gboolean          batch_rank_known,
               GError          **error)
{
  guint n_sparse = (guint) flow_example_list_length (flow_infer_attr (c, "sparse_types"));
  FlowAttr *shapes = flow_infer_attr (c, "dense_shapes");
  gboolean is_batch = batch != -2;

  for (guint i = 0; i < c->n_outputs; i++)
    flow_infer_take_output (c, i, flow_shape_new_unknown ());
  if (!batch_rank_known || 3 * n_sparse + flow_example_list_length (shapes) > c->n_outputs)
    return TRUE;
  for (guint i = 0; i < n_sparse; i++)
    {
      flow_infer_take_output (c, i, flow_shape_new_matrix (-1, is_batch ? 2 : 1));
      flow_infer_take_output (c, n_sparse + i, flow_shape_new_vector (-1));
      flow_infer_take_output (c, 2 * n_sparse + i, flow_shape_new_vector (is_batch ? 2 : 1));
    }
  for (guint i = 0; i < flow_example_list_length (shapes); i++)
    {
      FlowShape *dense = flow_attr_get_shape (flow_attr_get_item (shapes, i));
      g_autoptr (FlowShape) outer = is_batch ? flow_shape_new_vector (batch) : flow_shape_new_scalar ();
      FlowShape *shape;

      if (!flow_infer_concatenate (c, outer, dense, &shape, error))
        return FALSE;
      flow_infer_take_output (c, 3 * n_sparse + i, shape);
    }
  return TRUE;
}

static gboolean
parse_example_infer (FlowInferContext  *c,
                     GError           **error)
{
  const FlowShape *serialized = flow_infer_input (c, 0);

  /* What a kernel says of the wrong rank is said there. */
  if (c->running)
    return infer_outputs (c, -1, FALSE, error);
  FLOW_REQUIRE (serialized->rank == FLOW_RANK_UNKNOWN || serialized->rank == 1, error, INVALID_ARGUMENT,
                "Shape must be rank 1 but is rank %d", serialized->rank);
  return infer_outputs (c, serialized->rank == 1 ? serialized->dims[0] : -1, TRUE, error);
}

static gboolean
parse_example_v2_infer (FlowInferContext  *c,
                        GError           **error)
{
  const FlowShape *serialized = flow_infer_input (c, 0);

  if (c->running)
    return infer_outputs (c, -1, FALSE, error);
  return infer_outputs (c, serialized->rank == 1 ? serialized->dims[0] : -2, serialized->rank == 0 || serialized->rank == 1, error);
}

static gboolean
parse_single_infer (FlowInferContext  *c,
                    GError           **error)
{
  return infer_outputs (c, -2, !c->running, error);
}

#define FEATURE_TYPES "list({float, int64, string}) >= 0"

static const FlowOpDef ops[] = {
  {
    .name = "ParseExample",
    .inputs = "serialized: string; names: string; sparse_keys: Nsparse * string; dense_keys: Ndense * string; dense_defaults: Tdense",
    .outputs = "sparse_indices: Nsparse * int64; sparse_values: sparse_types; sparse_shapes: Nsparse * int64; dense_values: Tdense",
    .attrs = "Nsparse: int >= 0; Ndense: int >= 0; sparse_types: " FEATURE_TYPES "; Tdense: " FEATURE_TYPES
             "; dense_shapes: list(shape) >= 0",
    .summary = "Features of a batch of serialised Examples",
    .family = FLOW_OP_FAMILY_IO,
    .infer = parse_example_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, parse_example_compute }, { NULL } },
  },
  {
    .name = "ParseExampleV2",
    .inputs = "serialized: string; names: string; sparse_keys: string; dense_keys: string; ragged_keys: string; dense_defaults: Tdense",
    .outputs = "sparse_indices: num_sparse * int64; sparse_values: sparse_types; sparse_shapes: num_sparse * int64; "
               "dense_values: Tdense; ragged_values: ragged_value_types; ragged_row_splits: ragged_split_types",
    .attrs = "Tdense: " FEATURE_TYPES "; num_sparse: int >= 0; sparse_types: " FEATURE_TYPES "; ragged_value_types: " FEATURE_TYPES
             "; ragged_split_types: list({int32, int64}) >= 0; dense_shapes: list(shape) >= 0",
    .summary = "Features of one or of a batch of serialised Examples, ragged ones too",
    .family = FLOW_OP_FAMILY_IO,
    .infer = parse_example_v2_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, parse_example_v2_compute }, { NULL } },
  },
  {
    .name = "ParseSingleExample",
    .inputs = "serialized: string; dense_defaults: Tdense",
    .outputs = "sparse_indices: num_sparse * int64; sparse_values: sparse_types; sparse_shapes: num_sparse * int64; dense_values: Tdense",
    .attrs = "num_sparse: int >= 0; sparse_keys: list(string) >= 0; dense_keys: list(string) >= 0; sparse_types: " FEATURE_TYPES
             "; Tdense: " FEATURE_TYPES "; dense_shapes: list(shape) >= 0",
    .summary = "Features of one serialised Example",
    .family = FLOW_OP_FAMILY_IO,
    .infer = parse_single_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, parse_single_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (parsing, ops)
