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

/* --- batches of other sizes ------------------------------------------------------------------------------------- */

/* Of a position, which has the input's batch in its buffer: the rows of it that were given, and how many batches. */
enum { AT_ROW, AT_BATCH };

/* Rows of one of the input's batches. */
typedef struct {
  FlowTuple *batch;
  gint64 first;
  gint64 n;
} Piece;

static void
piece_clear (gpointer piece)
{
  g_clear_pointer (&((Piece *) piece)->batch, _flow_tuple_unref);
}

static gboolean
check_batch (const FlowTuple  *batch,
             GError          **error)
{
  for (guint i = 0; i < batch->n; i++)
    {
      FLOW_REQUIRE (FLOW_RANK (batch->tensors[i]) > 0, error, INVALID_ARGUMENT,
                    "Input element must have a non-scalar value in each component.");
      FLOW_REQUIRE (FLOW_DIMS (batch->tensors[i])[0] == FLOW_DIMS (batch->tensors[0])[0], error, INVALID_ARGUMENT,
                    "Input element must have the same batch size in each component. Component 0 had size %" G_GINT64_FORMAT
                    " but component %u had size, %" G_GINT64_FORMAT ".", FLOW_DIMS (batch->tensors[0])[0], i,
                    FLOW_DIMS (batch->tensors[i])[0]);
    }
  return TRUE;
}

/* Pieces of up to @wanted rows; @n_rows says how many there were. */
static gboolean
take_rows (FlowPosition  *self,
           FlowPull      *pull,
           gint64         wanted,
           GArray        *pieces,
           gint64        *n_rows,
           GError       **error)
{
  *n_rows = 0;
  while (*n_rows < wanted)
    {
      FlowTuple *batch = self->tuples != NULL && self->tuples->len > 0 ? self->tuples->pdata[0] : NULL;
      gint64 rest = batch != NULL ? FLOW_DIMS (batch->tensors[0])[0] - self->numbers[AT_ROW] : 0;
      Piece piece;

      if (rest == 0)
        {
          _flow_tuple_unref (_flow_position_take (self, 0));
          if (_flow_pull_is_cancelled (pull, error) || !_flow_position_pull (self, 0, pull, &batch, error))
            return FALSE;
          if (batch == NULL)
            return TRUE;
          if (!check_batch (batch, error))
            {
              _flow_tuple_unref (batch);
              return FALSE;
            }
          self->numbers[AT_ROW] = 0;
          _flow_position_put (self, 0, batch);
          continue;
        }
      piece = (Piece) { _flow_tuple_ref (batch), self->numbers[AT_ROW], MIN (rest, wanted - *n_rows) };
      g_array_append_val (pieces, piece);
      self->numbers[AT_ROW] += piece.n;
      *n_rows += piece.n;
    }
  return TRUE;
}

/* Component @k of all pieces, one behind the other. */
static FlowTensor *
join_rows (FlowPull      *pull,
           const GArray  *pieces,
           guint          k,
           gint64         n_rows,
           GError       **error)
{
  const FlowTensor *first = g_array_index (pieces, Piece, 0).batch->tensors[k];
  const gsize cell = _flow_cell_size (first->dtype);
  g_autoptr (FlowShape) shape = flow_shape_new (FLOW_RANK (first), FLOW_DIMS (first));
  FlowTensor *out;
  gint64 row_size;
  gint64 row = 0;

  for (guint i = 1; i < pieces->len; i++)
    {
      const FlowTensor *other = g_array_index (pieces, Piece, i).batch->tensors[k];

      if (other->dtype != first->dtype || FLOW_RANK (other) != FLOW_RANK (first)
          || memcmp (FLOW_DIMS (other) + 1, FLOW_DIMS (first) + 1, (gsize) (FLOW_RANK (first) - 1) * sizeof (gint64)) != 0)
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION,
                       "CopyContiguousSlices cannot perform copy: source and dst shapes arenot compatible.");
          return NULL;
        }
    }
  shape->dims[0] = n_rows;
  out = flow_tensor_new (first->dtype, shape, pull->c->budget, error);
  if (out == NULL || out->n_elements == 0)
    return out;
  row_size = out->n_elements / n_rows;
  for (guint i = 0; i < pieces->len; i++)
    {
      const Piece *piece = &g_array_index (pieces, Piece, i);

      memcpy ((char *) out->data + (gsize) (row * row_size) * cell,
              (const char *) piece->batch->tensors[k]->data + (gsize) (piece->first * row_size) * cell,
              (gsize) (piece->n * row_size) * cell);
      row += piece->n;
    }
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return out;
}

/* TF: a batch of no rows has the shape that is declared; what is not known of it is zero. */
static FlowTensor *
empty_rows (FlowPosition  *self,
            FlowPull      *pull,
            guint          k,
            GError       **error)
{
  const FlowShape *declared = self->dataset->shapes[k];
  g_autoptr (FlowShape) shape = declared->rank > 0 ? flow_shape_new (declared->rank, declared->dims)
                                                   : flow_shape_new_vector (0);

  for (int i = 0; i < shape->rank; i++)
    if (i == 0 || shape->dims[i] < 0)
      shape->dims[i] = 0;
  return flow_tensor_new ((FlowDType) self->dataset->dtypes[k], shape, pull->c->budget, error);
}

static gboolean
rebatch_v2_next (FlowPosition  *self,
                 FlowPull      *pull,
                 FlowTuple    **out,
                 GError       **error)
{
  const FlowTensor *sizes = self->dataset->tensors[0];
  const gint64 wanted = FLOW_DATA (gint64, sizes)[self->numbers[AT_BATCH] % sizes->n_elements];
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  gint64 n_rows;
  guint n;

  g_array_set_clear_func (pieces, piece_clear);
  if (_flow_pull_is_cancelled (pull, error) || !take_rows (self, pull, wanted, pieces, &n_rows, error))
    return FALSE;
  if (n_rows < wanted && (n_rows == 0 || self->dataset->numbers[0]))
    return TRUE;
  self->numbers[AT_BATCH] = (self->numbers[AT_BATCH] + 1) % sizes->n_elements;
  n = pieces->len > 0 ? g_array_index (pieces, Piece, 0).batch->n : self->dataset->n_components;
  for (guint i = 1; i < pieces->len; i++)
    FLOW_REQUIRE (g_array_index (pieces, Piece, i).batch->n == n, error, INVALID_ARGUMENT,
                  "Elements of %u and of %u components cannot be one batch", n, g_array_index (pieces, Piece, i).batch->n);
  *out = _flow_tuple_new_counted (n, pull->c->budget, error);
  for (guint k = 0; *out != NULL && k < n; k++)
    {
      (*out)->tensors[k] = pieces->len > 0 ? join_rows (pull, pieces, k, n_rows, error) : empty_rows (self, pull, k, error);
      if ((*out)->tensors[k] == NULL)
        g_clear_pointer (out, _flow_tuple_unref);
    }
  return *out != NULL;
}

static const FlowDatasetKind rebatch_v2_kind = { "RebatchDatasetV2", NULL, rebatch_v2_next, NULL };

static gboolean
rebatch_v2_compute (FlowKernelContext *c,
                    GError           **error)
{
  const FlowTensor *sizes = flow_kernel_input (c, 1);
  const FlowTensor *drops = flow_kernel_input (c, 2);
  FlowDataset *dataset;

  FLOW_REQUIRE (FLOW_RANK (sizes) <= 1, error, INVALID_ARGUMENT, "`batch_sizes` must be a scalar or a vector.");
  FLOW_REQUIRE (flow_is_scalar (drops), error, INVALID_ARGUMENT, "drop_remainder must be a scalar");
  /* TF: ends, or never ends, on these. */
  FLOW_REQUIRE (sizes->n_elements > 0, error, INVALID_ARGUMENT, "`batch_sizes` must not be empty.");
  for (gint64 i = 0; i < sizes->n_elements; i++)
    FLOW_REQUIRE (FLOW_DATA (gint64, sizes)[i] >= 0, error, INVALID_ARGUMENT, "`batch_sizes` must not be negative.");
  if (!_flow_dataset_new_on_input (c, &rebatch_v2_kind, &dataset, error))
    return FALSE;
  _flow_dataset_add_tensor (dataset, sizes);
  dataset->numbers[0] = *FLOW_DATA (guint8, drops) != 0;
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
  { .name = "RebatchDatasetV2", .inputs = "input_dataset: variant; batch_sizes: int64; drop_remainder: bool",
    .outputs = "handle: variant", .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "The rows of batches in batches of other sizes", .family = FLOW_OP_FAMILY_IO, .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, rebatch_v2_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (dataset_reducer, ops)
