/* flow-kernels-dataset_reducer.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Datasets that gather elements by a key, and batches cut into the shares of several replicas.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-dataset-private.h"

#include <string.h>

/* --- one value a key ------------------------------------------------------------------------------------------ */

enum { KEY_FUNC, INIT_FUNC, REDUCE_FUNC, FINALIZE_FUNC };
/* Of a position: whether the input is done, and how many keys were given since. Its buffer has a state for each
 * key, its list the keys, which rise. */
enum { AT_INPUT_ENDED, AT_GIVEN };

static guint
count_keys (FlowPosition *self)
{
  return self->list != NULL ? self->list->len : 0;
}

/* Where @key stands among those that are known, or would stand. */
static guint
find_key (FlowPosition *self,
          gint64        key,
          gboolean     *found)
{
  guint low = 0;
  guint high = count_keys (self);

  while (low < high)
    {
      const guint middle = (low + high) / 2;

      if (g_array_index (self->list, gint64, middle) < key)
        low = middle + 1;
      else
        high = middle;
    }
  *found = low < count_keys (self) && g_array_index (self->list, gint64, low) == key;
  return low;
}

/* A function gives as many values as it likes: the state is what the one that begins it makes. */
static FlowTuple *
call_for_tuple (FlowPosition        *self,
                FlowPull            *pull,
                guint                which,
                FlowTensor *const   *args,
                guint                n_args,
                GError             **error)
{
  g_autofree FlowTensor **results = NULL;
  guint n;

  if (!flow_kernel_count_returns (pull->c, self->dataset->funcs[which].func, &n, error))
    return NULL;
  results = g_new0 (FlowTensor *, n + 1);
  if (!_flow_dataset_call (self->dataset, pull, which, args, n_args, results, n, error))
    return NULL;
  return _flow_element_new (pull, results, n, error);
}

static gboolean
call_for_key (FlowPosition     *self,
              FlowPull         *pull,
              const FlowTuple  *element,
              FlowTensor      **key,
              GError          **error)
{
  FlowTuple *result = call_for_tuple (self, pull, KEY_FUNC, element->tensors, element->n, error);
  gboolean ok;

  if (result == NULL)
    return FALSE;
  ok = result->n == 1 && result->tensors[0]->dtype == FLOW_DTYPE_INT64 && result->tensors[0]->n_elements == 1;
  if (ok)
    *key = flow_tensor_ref (result->tensors[0]);
  else
    _flow_refuse (error, "`key_func` must return a scalar int64.");
  _flow_tuple_unref (result);
  return ok;
}

/* The state of @key at @at, made where it is new. */
static gboolean
begin_key (FlowPosition  *self,
           FlowPull      *pull,
           guint          at,
           FlowTensor    *key,
           GError       **error)
{
  FlowTuple *state = call_for_tuple (self, pull, INIT_FUNC, &key, 1, error);
  const guint n = count_keys (self);

  if (state == NULL)
    return FALSE;
  if (self->list == NULL)
    self->list = g_array_new (FALSE, TRUE, sizeof (gint64));
  g_array_insert_val (self->list, at, FLOW_DATA (gint64, key)[0]);
  for (guint i = n; i > at; i--)
    _flow_position_put (self, i, _flow_position_take (self, i - 1));
  _flow_position_put (self, at, state);
  return TRUE;
}

static gboolean
reduce_element (FlowPosition     *self,
                FlowPull         *pull,
                const FlowTuple  *element,
                GError          **error)
{
  g_autoptr (FlowTensor) key = NULL;
  g_autofree FlowTensor **args = NULL;
  const FlowTuple *state;
  FlowTuple *next;
  gboolean found;
  guint at;

  if (!call_for_key (self, pull, element, &key, error))
    return FALSE;
  at = find_key (self, FLOW_DATA (gint64, key)[0], &found);
  if (!found && !begin_key (self, pull, at, key, error))
    return FALSE;
  state = self->tuples->pdata[at];
  args = g_new (FlowTensor *, state->n + element->n + 1);
  memcpy (args, state->tensors, state->n * sizeof *args);
  memcpy (args + state->n, element->tensors, element->n * sizeof *args);
  next = call_for_tuple (self, pull, REDUCE_FUNC, args, state->n + element->n, error);
  if (next == NULL)
    return FALSE;
  _flow_tuple_unref (_flow_position_take (self, at));
  _flow_position_put (self, at, next);
  return TRUE;
}

static gboolean
reducer_next (FlowPosition  *self,
              FlowPull      *pull,
              FlowTuple    **out,
              GError       **error)
{
  const FlowTuple *state;

  while (!self->numbers[AT_INPUT_ENDED])
    {
      FlowTuple *element;
      gboolean ok = TRUE;

      if (_flow_pull_is_cancelled (pull, error) || !_flow_position_pull (self, 0, pull, &element, error))
        return FALSE;
      if (element == NULL)
        self->numbers[AT_INPUT_ENDED] = 1;
      else
        ok = reduce_element (self, pull, element, error);
      _flow_tuple_unref (element);
      if (!ok)
        return FALSE;
    }
  if (self->numbers[AT_GIVEN] >= count_keys (self))
    return TRUE;
  state = self->tuples->pdata[self->numbers[AT_GIVEN]++];
  *out = call_for_tuple (self, pull, FINALIZE_FUNC, state->tensors, state->n, error);
  return *out != NULL;
}

static const FlowDatasetKind reducer_kind = { "GroupByReducerDataset", NULL, reducer_next, NULL };

static gboolean
reducer_compute (FlowKernelContext *c,
                 GError           **error)
{
  static const char *const funcs[] = { "key_func", "init_func", "reduce_func", "finalize_func" };
  static const char *const lists[] = { "Tkey_func_other_arguments", "Tinit_func_other_arguments",
                                       "Treduce_func_other_arguments", "Tfinalize_func_other_arguments" };
  FlowDataset *dataset;
  guint first = 1;

  if (!_flow_dataset_new_on_input (c, &reducer_kind, &dataset, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (funcs); i++)
    {
      const guint n = (guint) flow_attr_get_length (flow_kernel_attr (c, lists[i]));

      _flow_dataset_set_func (dataset, c, i, funcs[i], first, n);
      first += n;
    }
  return _flow_dataset_put (c, dataset, error);
}

/* --- batches cut up ------------------------------------------------------------------------------------------- */

enum { N_REPLICAS };
/* Of a position, which has the batch in its buffer: how many shares of it were given. */
enum { AT_SHARE };

/* Rows [share * n, (share + 1) * n) of a batch, where n is the least that gives all rows to the replicas:
 * the last shares may have fewer, or none. */
static FlowTensor *
cut_share (FlowPull          *pull,
           const FlowTensor  *batch,
           gint64             share,
           gint64             n_replicas,
           GError           **error)
{
  const gint64 n_rows = FLOW_DIMS (batch)[0];
  const gint64 n = n_rows / n_replicas + (n_rows % n_replicas != 0);
  const gint64 begin = n == 0 || share > n_rows / n ? n_rows : share * n;
  const gint64 end = n_rows - begin < n ? n_rows : begin + n;
  const gsize cell = _flow_cell_size (batch->dtype);
  g_autoptr (FlowShape) shape = flow_shape_new (FLOW_RANK (batch), FLOW_DIMS (batch));
  FlowTensor *out;

  shape->dims[0] = end - begin;
  out = flow_tensor_new (batch->dtype, shape, pull->c->budget, error);
  if (out == NULL || out->n_elements == 0)
    return out;
  memcpy (out->data, (const char *) batch->data + (gsize) begin * (gsize) (out->n_elements / (end - begin)) * cell,
          (gsize) out->n_elements * cell);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return out;
}

static gboolean
take_batch (FlowPosition  *self,
            FlowPull      *pull,
            gboolean      *ended,
            GError       **error)
{
  FlowTuple *batch;

  if (!_flow_position_pull (self, 0, pull, &batch, error))
    return FALSE;
  *ended = batch == NULL;
  for (guint i = 0; batch != NULL && i < batch->n; i++)
    if (FLOW_RANK (batch->tensors[i]) == 0)
      {
        _flow_tuple_unref (batch);
        return _flow_refuse (error, "Cannot rebatch dataset: All components must have at least one dimension. Perhaps "
                             "your input dataset is not batched? Component %u is scalar.", i);
      }
  if (batch != NULL)
    _flow_position_put (self, 0, batch);
  return TRUE;
}

static gboolean
rebatch_next (FlowPosition  *self,
              FlowPull      *pull,
              FlowTuple    **out,
              GError       **error)
{
  const gint64 n_replicas = self->dataset->numbers[N_REPLICAS];
  const FlowTuple *batch;
  gboolean ended = FALSE;

  if (self->numbers[AT_SHARE] == 0 && !take_batch (self, pull, &ended, error))
    return FALSE;
  if (ended)
    return TRUE;
  batch = self->tuples->pdata[0];
  *out = _flow_tuple_new_counted (batch->n, pull->c->budget, error);
  for (guint i = 0; *out != NULL && i < batch->n; i++)
    {
      (*out)->tensors[i] = cut_share (pull, batch->tensors[i], self->numbers[AT_SHARE], n_replicas, error);
      if ((*out)->tensors[i] == NULL)
        g_clear_pointer (out, _flow_tuple_unref);
    }
  if (*out == NULL)
    return FALSE;
  self->numbers[AT_SHARE] = (self->numbers[AT_SHARE] + 1) % n_replicas;
  if (self->numbers[AT_SHARE] == 0)
    _flow_tuple_unref (_flow_position_take (self, 0));
  return TRUE;
}

static const FlowDatasetKind rebatch_kind = { "RebatchDataset", NULL, rebatch_next, NULL };

static gboolean
rebatch_compute (FlowKernelContext *c,
                 GError           **error)
{
  FlowDataset *dataset;
  gint64 n_replicas;

  if (!_flow_dataset_read_int (c, 1, "num_replicas", &n_replicas, error))
    return FALSE;
  if (n_replicas <= 0)
    return _flow_refuse (error, "num_replicas must be greater than zero.");
  if (!_flow_dataset_new_on_input (c, &rebatch_kind, &dataset, error))
    return FALSE;
  dataset->numbers[N_REPLICAS] = n_replicas;
  return _flow_dataset_put (c, dataset, error);
}

#define REDUCER_INPUTS                                                                                    \
  "input_dataset: variant; key_func_other_arguments: Tkey_func_other_arguments; init_func_other_arguments: " \
  "Tinit_func_other_arguments; reduce_func_other_arguments: Treduce_func_other_arguments; "               \
  "finalize_func_other_arguments: Tfinalize_func_other_arguments"
#define REDUCER_ATTRS                                                                                     \
  "key_func: func; init_func: func; reduce_func: func; finalize_func: func; Tkey_func_other_arguments: "  \
  "list(type) >= 0; Tinit_func_other_arguments: list(type) >= 0; Treduce_func_other_arguments: list(type) " \
  ">= 0; Tfinalize_func_other_arguments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: " \
  "list(shape) >= 1"

#define REDUCER(op)                                                                                       \
  { .name = op, .inputs = REDUCER_INPUTS, .outputs = "handle: variant", .attrs = REDUCER_ATTRS,           \
    .summary = "One value for all elements of a key, made by functions", .flags = FLOW_OP_STATEFUL,       \
    .family = FLOW_OP_FAMILY_IO, .infer = _flow_dataset_infer,                                            \
    .kernels = (const FlowKernelDef[]) { { NULL, reducer_compute }, { NULL } } }
#define REBATCH(op)                                                                                       \
  { .name = op, .inputs = "input_dataset: variant; num_replicas: int64", .outputs = "handle: variant",    \
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; use_fallback: bool = true", \
    .summary = "Each batch cut into the shares of replicas", .family = FLOW_OP_FAMILY_IO,                 \
    .infer = _flow_dataset_infer, .kernels = (const FlowKernelDef[]) { { NULL, rebatch_compute }, { NULL } } }

static const FlowOpDef ops[] = {
  REDUCER ("GroupByReducerDataset"),
  REDUCER ("ExperimentalGroupByReducerDataset"),
  REBATCH ("RebatchDataset"),
  REBATCH ("ExperimentalRebatchDataset"),
};

FLOW_DEFINE_OP_FAMILY (dataset_reducer, ops)
