/* flow-kernels-dataset_parse.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Datasets of batches of serialised Examples, parsed.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-dataset-private.h"
#include "flow-example-private.h"
#include "flow-tensor-variant-private.h"

#include <string.h>

/* What ParseExample would be given: the node's attrs, and where each feature goes among the components. */
typedef struct {
  char *node_name;
  const FlowOpSignature *signature;
  FlowAttrList *attrs;
  guint n_sparse;
  guint n_dense;
  guint n_ragged;
  guint *component;            /* by feature: sparse, dense, ragged */
  guint n_outputs;
  int *output_dtypes;
} Parser;

static void
parser_free (gpointer data)
{
  Parser *self = data;

  g_free (self->node_name);
  g_clear_pointer (&self->attrs, flow_attr_list_unref);
  g_free (self->component);
  g_free (self->output_dtypes);
  g_free (self);
}

static guint
count_list (FlowKernelContext *c,
            const char        *attr)
{
  FlowAttr *list = flow_kernel_attr (c, attr);

  return list != NULL ? (guint) flow_attr_get_length (list) : 0;
}

static FlowAttr *
key_at (FlowKernelContext *c,
        const Parser      *self,
        guint              feature)
{
  guint i = feature;

  if (i < self->n_sparse)
    return flow_attr_get_item (flow_kernel_attr (c, "sparse_keys"), i);
  i -= self->n_sparse;
  if (i < self->n_dense)
    return flow_attr_get_item (flow_kernel_attr (c, "dense_keys"), i);
  return flow_attr_get_item (flow_kernel_attr (c, "ragged_keys"), i - self->n_dense);
}

/* TF: components stand in the order of their keys, whatever kind of feature they are. */
static void
order_components (FlowKernelContext *c,
                  Parser            *self)
{
  guint n = self->n_sparse + self->n_dense + self->n_ragged;

  self->component = g_new0 (guint, n + 1);
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < n; k++)
      {
        gsize a_length;
        gsize b_length;
        const char *a = flow_attr_get_string (key_at (c, self, i), &a_length);
        const char *b = flow_attr_get_string (key_at (c, self, k), &b_length);
        int order = memcmp (b, a, MIN (a_length, b_length));

        if (order < 0 || (order == 0 && b_length < a_length))
          self->component[i]++;
      }
}

static void
append_dtypes (FlowKernelContext *c,
               Parser            *self,
               const char        *attr,
               guint              n)
{
  for (guint i = 0; i < n; i++)
    self->output_dtypes[self->n_outputs++] = flow_attr_get_dtype (flow_attr_get_item (flow_kernel_attr (c, attr), i));
}

static void
list_outputs (FlowKernelContext *c,
              Parser            *self)
{
  self->output_dtypes = g_new0 (int, 3 * self->n_sparse + self->n_dense + 2 * self->n_ragged + 1);
  for (guint i = 0; i < self->n_sparse; i++)
    self->output_dtypes[self->n_outputs++] = FLOW_DTYPE_INT64;
  append_dtypes (c, self, "sparse_types", self->n_sparse);
  for (guint i = 0; i < self->n_sparse; i++)
    self->output_dtypes[self->n_outputs++] = FLOW_DTYPE_INT64;
  append_dtypes (c, self, "Tdense", self->n_dense);
  append_dtypes (c, self, "ragged_value_types", self->n_ragged);
  append_dtypes (c, self, "ragged_split_types", self->n_ragged);
}

/* --- elements ----------------------------------------------------------------------------------------------- */

/* Tensors put away as the cells of a variant vector. */
static FlowTensor *
pack_variants (FlowPull          *pull,
               FlowTensor *const *tensors,
               guint              n,
               GError           **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector (n);
  g_autoptr (FlowTensor) out = flow_tensor_new (FLOW_DTYPE_VARIANT, shape, pull->c->budget, error);

  for (guint i = 0; out != NULL && i < n; i++)
    {
      FLOW_WRITABLE (FlowVariant *, out)[i] = _flow_tensor_variant_new (tensors[i], error);
      if (FLOW_DATA (FlowVariant *, out)[i] == NULL)
        return NULL;
    }
  return g_steal_pointer (&out);
}

static FlowTuple *
gather_components (FlowPull         *pull,
                   const Parser     *parser,
                   const FlowValue  *values,
                   GError          **error)
{
  guint n = parser->n_sparse + parser->n_dense + parser->n_ragged;
  guint first_ragged = 3 * parser->n_sparse + parser->n_dense;
  FlowTuple *out = _flow_tuple_new_counted (n, pull->c->budget, error);

  for (guint i = 0; out != NULL && i < n; i++)
    {
      guint k = i - parser->n_sparse;
      FlowTensor *parts[3];
      FlowTensor *made;

      if (i < parser->n_sparse)
        {
          for (guint p = 0; p < 3; p++)
            parts[p] = values[p * parser->n_sparse + i].tensor;
          made = pack_variants (pull, parts, 3, error);
        }
      else if (k < parser->n_dense)
        made = flow_tensor_ref (values[3 * parser->n_sparse + k].tensor);
      else
        {
          k -= parser->n_dense;
          parts[0] = values[first_ragged + parser->n_ragged + k].tensor;
          parts[1] = values[first_ragged + k].tensor;
          made = pack_variants (pull, parts, 2, error);
        }
      if (made == NULL)
        g_clear_pointer (&out, _flow_tuple_unref);
      else
        out->tensors[parser->component[i]] = made;
    }
  return out;
}

static gboolean
check_batch (FlowPosition     *self,
             const FlowTuple  *batch,
             GError          **error)
{
  if (batch->n == 1 && batch->tensors[0]->dtype == FLOW_DTYPE_STRING && flow_is_vector (batch->tensors[0]))
    return TRUE;
  return _flow_refuse (error, "Input dataset should be a dataset of vectors containing a single string");
}

/* Runs the op that parses on @batch and the dataset's dense defaults. */
static gboolean
parse_batch (FlowPosition     *self,
             FlowPull         *pull,
             const FlowTuple  *batch,
             FlowTuple       **out,
             GError          **error)
{
  FlowDataset *dataset = self->dataset;
  const Parser *parser = dataset->data;
  g_autofree FlowValue *inputs = g_new0 (FlowValue, dataset->n_tensors + 1);
  g_autofree FlowValue *outputs = g_new0 (FlowValue, parser->n_outputs + 1);
  FlowKernelContext c = {
    .node_name = parser->node_name, .signature = parser->signature, .attrs = parser->attrs,
    .n_inputs = dataset->n_tensors + 1, .inputs = inputs, .n_outputs = parser->n_outputs, .outputs = outputs,
    .output_dtypes = parser->output_dtypes, .budget = pull->c->budget, .cancellable = pull->c->cancellable,
    .host = pull->c->host, .host_data = pull->c->host_data,
  };

  if (!check_batch (self, batch, error))
    return FALSE;
  inputs[0].tensor = batch->tensors[0];
  for (guint i = 0; i < dataset->n_tensors; i++)
    inputs[1 + i].tensor = dataset->tensors[i];
  if (_flow_parse_examples (&c, error))
    *out = gather_components (pull, parser, outputs, error);
  for (guint i = 0; i < parser->n_outputs; i++)
    g_clear_pointer (&outputs[i].tensor, flow_tensor_unref);
  return *out != NULL;
}

static gboolean
parse_next (FlowPosition  *self,
            FlowPull      *pull,
            FlowTuple    **out,
            GError       **error)
{
  FlowTuple *batch;
  gboolean ok;

  if (_flow_pull_is_cancelled (pull, error) || !_flow_position_pull (self, 0, pull, &batch, error))
    return FALSE;
  if (batch == NULL)
    return TRUE;
  ok = parse_batch (self, pull, batch, out, error);
  _flow_tuple_unref (batch);
  return ok;
}

static const FlowDatasetKind parse_kind = { "ParseExampleDataset", NULL, parse_next, _flow_dataset_count_input };

/* --- the op --------------------------------------------------------------------------------------------------- */

static gboolean
check_input (const FlowDataset  *input,
             GError            **error)
{
  if (input->n_components == 0)
    return TRUE;
  if (input->n_components == 1 && input->dtypes[0] == FLOW_DTYPE_STRING && input->shapes[0]->rank == 1)
    return TRUE;
  return _flow_refuse (error, "Input dataset should be a dataset of vectors containing a single string");
}

static gboolean
check_attrs (FlowKernelContext  *c,
             const Parser       *self,
             GError            **error)
{
  const struct {
    const char *keys;
    guint n;
  } lists[] = { { "sparse_keys", self->n_sparse }, { "dense_keys", self->n_dense }, { "ragged_keys", self->n_ragged } };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    if (count_list (c, lists[i].keys) != lists[i].n)
      return _flow_refuse (error, "len(%s) must be %u, not %u", lists[i].keys, lists[i].n, count_list (c, lists[i].keys));
  if (count_list (c, "ragged_split_types") != self->n_ragged)
    return _flow_refuse (error, "len(ragged_split_types) must be %u", self->n_ragged);
  if (c->n_inputs - 2 != self->n_dense)
    return _flow_refuse (error, "Expected len(dense_defaults) == len(dense_keys) but got: %u vs. %u", c->n_inputs - 2, self->n_dense);
  return TRUE;
}

static gboolean
parse_compute (FlowKernelContext  *c,
               GError            **error)
{
  FlowDataset *dataset;
  Parser *parser;
  gint64 n_calls;

  if (!_flow_dataset_new_on_input (c, &parse_kind, &dataset, error))
    return FALSE;
  parser = dataset->data = g_new0 (Parser, 1);
  dataset->data_free = parser_free;
  parser->node_name = g_strdup (c->node_name);
  parser->signature = c->signature;
  parser->attrs = flow_attr_list_ref (c->attrs);
  parser->n_sparse = count_list (c, "sparse_types");
  parser->n_dense = count_list (c, "Tdense");
  parser->n_ragged = count_list (c, "ragged_value_types");
  if (!check_input (dataset->inputs[0], error) || !_flow_dataset_read_int (c, 1, "num_parallel_calls", &n_calls, error)
      || !check_attrs (c, parser, error))
    {
      g_object_unref (dataset);
      return FALSE;
    }
  if (n_calls <= 0 && n_calls != -1)
    {
      g_object_unref (dataset);
      return _flow_refuse (error, "num_parallel_calls must be greater than zero.");
    }
  order_components (c, parser);
  list_outputs (c, parser);
  for (guint i = 2; i < c->n_inputs; i++)
    _flow_dataset_add_tensor (dataset, flow_kernel_input (c, i));
  return _flow_dataset_put (c, dataset, error);
}

#define FEATURES "list({float, int64, string}) >= 0"
#define PARSE_OP(op, more)                                                                                   \
  { .name = op, .inputs = "input_dataset: variant; num_parallel_calls: int64; dense_defaults: Tdense",       \
    .outputs = "handle: variant",                                                                            \
    .attrs = "sparse_keys: list(string) >= 0; dense_keys: list(string) >= 0; sparse_types: " FEATURES        \
             "; Tdense: " FEATURES "; dense_shapes: list(shape) >= 0; output_types: list(type) >= 1; "       \
             "output_shapes: list(shape) >= 1; " more,                                                       \
    .summary = "Batches of serialised Examples, parsed", .family = FLOW_OP_FAMILY_IO,                        \
    .infer = _flow_dataset_infer, .kernels = (const FlowKernelDef[]) { { NULL, parse_compute }, { NULL } } }

static const FlowOpDef ops[] = {
  PARSE_OP ("ExperimentalParseExampleDataset", "sloppy: bool = false"),
  PARSE_OP ("ParseExampleDataset", "sloppy: bool = false"),
  PARSE_OP ("ParseExampleDatasetV2", "deterministic: string = \"default\"; ragged_keys: list(string) >= 0 = []; "
            "ragged_value_types: " FEATURES " = []; ragged_split_types: list({int32, int64}) >= 0 = []"),
};

FLOW_DEFINE_OP_FAMILY (dataset_parse, ops)
