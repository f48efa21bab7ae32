/* flow-kernels-dataset_order.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Datasets that give the elements of others: fewer, again, in another order.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-dataset-private.h"

/* Passes through an input that gave nothing, one after the other, before it is said to be empty. */
#define MAX_EMPTY_PASSES 1000000

/* --- repeat --------------------------------------------------------------------------------------------------- */

enum { REPEAT_DONE, REPEAT_EMPTY_PASSES };

/* TF: repeating without end looks at the end first, so that what fails there is never told. */
static gboolean
pull_pass (FlowPosition  *self,
           FlowPull      *pull,
           FlowTuple    **out,
           GError       **error)
{
  return self->dataset->numbers[0] < 0 ? _flow_position_pull_or_end (self, 0, pull, out, error)
                                       : _flow_position_pull (self, 0, pull, out, error);
}

/* TF: without end, a pass that gives nothing is the last. */
static gboolean
repeat_next (FlowPosition  *self,
             FlowPull      *pull,
             FlowTuple    **out,
             GError       **error)
{
  gint64 count = self->dataset->numbers[0];

  while (count < 0 || self->numbers[REPEAT_DONE] < count)
    {
      gboolean fresh = !_flow_position_has_child (self, 0);

      if (_flow_pull_is_cancelled (pull, error) || !pull_pass (self, pull, out, error))
        return FALSE;
      if (*out != NULL)
        {
          self->numbers[REPEAT_EMPTY_PASSES] = 0;
          return TRUE;
        }
      _flow_position_close (self, 0);
      self->numbers[REPEAT_DONE]++;
      if (fresh && (count < 0 || _flow_dataset_count (self->dataset->inputs[0]) == 0
                    || ++self->numbers[REPEAT_EMPTY_PASSES] > MAX_EMPTY_PASSES))
        return TRUE;
    }
  return TRUE;
}

static gint64
repeat_count (FlowDataset *dataset)
{
  gint64 n = _flow_dataset_count_input (dataset);
  gint64 count = dataset->numbers[0];
  gint64 product;

  if (count < 0)
    return n == 0 ? 0 : FLOW_CARDINALITY_INFINITE;
  if (count == 0)
    return 0;
  if (n < 0)
    return n;
  return flow_mul_int64 (n, count, &product) ? product : G_MAXINT64;
}

const FlowDatasetKind _flow_repeat_kind = { "RepeatDataset", NULL, repeat_next, repeat_count };

/* --- take, skip, shard ------------------------------------------------------------------------------------------ */

static gboolean
take_next (FlowPosition  *self,
           FlowPull      *pull,
           FlowTuple    **out,
           GError       **error)
{
  gint64 count = self->dataset->numbers[0];

  if (count >= 0 && self->numbers[0] >= count)
    return TRUE;
  if (!_flow_position_pull (self, 0, pull, out, error))
    return FALSE;
  self->numbers[0] += *out != NULL;
  return TRUE;
}

static gint64
take_count (FlowDataset *dataset)
{
  gint64 n = _flow_dataset_count_input (dataset);
  gint64 count = dataset->numbers[0];

  if (n == FLOW_CARDINALITY_UNKNOWN)
    return n;
  /* TF: also of a negative count, which takes all. */
  return n == FLOW_CARDINALITY_INFINITE ? count : MIN (n, count);
}

const FlowDatasetKind _flow_take_kind = { "TakeDataset", NULL, take_next, take_count };

static gboolean
drop (FlowPosition  *self,
      FlowPull      *pull,
      gint64         n,
      gboolean      *ended,
      GError       **error)
{
  *ended = FALSE;
  for (gint64 i = 0; i < n && !*ended; i++)
    {
      FlowTuple *tuple = NULL;

      if (!_flow_position_pull (self, 0, pull, &tuple, error))
        return FALSE;
      *ended = tuple == NULL;
      _flow_tuple_unref (tuple);
    }
  return TRUE;
}

/* From so many elements on that are all left out none is asked for: before that the one that fails is told. */
#define SKIP_UNSEEN (1 << 16)

/* TF: a negative count leaves out everything. */
static gboolean
skip_next (FlowPosition  *self,
           FlowPull      *pull,
           FlowTuple    **out,
           GError       **error)
{
  gint64 count = self->dataset->numbers[0];
  gint64 n = _flow_dataset_count_input (self->dataset);

  if (count < 0 || (n >= SKIP_UNSEEN && count >= n))
    return TRUE;
  while (self->numbers[0] < count)
    {
      gboolean ended;

      if (!drop (self, pull, 1, &ended, error))
        return FALSE;
      if (ended)
        return TRUE;
      self->numbers[0]++;
    }
  return _flow_position_pull (self, 0, pull, out, error);
}

static gint64
skip_count (FlowDataset *dataset)
{
  gint64 n = _flow_dataset_count_input (dataset);
  gint64 count = dataset->numbers[0];

  return n < 0 ? n : count < 0 ? 0 : MAX (n - count, 0);
}

const FlowDatasetKind _flow_skip_kind = { "SkipDataset", NULL, skip_next, skip_count };

/* TF: of each round of num_shards elements the one at index; a round is only given from if it is whole,
 * or begins one. */
static gboolean
shard_next (FlowPosition  *self,
            FlowPull      *pull,
            FlowTuple    **out,
            GError       **error)
{
  gint64 n_shards = self->dataset->numbers[0];
  gint64 index = self->dataset->numbers[1];
  gint64 at = self->numbers[0] % n_shards;
  gint64 before = index >= at ? index - at : n_shards - at + index;
  gboolean ended;

  if (!drop (self, pull, before, &ended, error))
    return FALSE;
  if (ended)
    return TRUE;
  self->numbers[0] += before;
  if (!_flow_position_pull (self, 0, pull, out, error))
    return FALSE;
  self->numbers[0] += *out != NULL;
  return TRUE;
}

static gint64
shard_count (FlowDataset *dataset)
{
  gint64 n = _flow_dataset_count_input (dataset);
  gint64 n_shards = dataset->numbers[0];

  return n < 0 ? n : n / n_shards + (dataset->numbers[1] < n % n_shards);
}

static const FlowDatasetKind shard_kind = { "ShardDataset", NULL, shard_next, shard_count };

static gboolean
count_compute (FlowKernelContext     *c,
               const FlowDatasetKind *kind,
               GError               **error)
{
  FlowDataset *dataset;

  if (!_flow_dataset_new_on_input (c, kind, &dataset, error))
    return FALSE;
  if (_flow_dataset_read_int (c, 1, "count", &dataset->numbers[0], error))
    return _flow_dataset_put (c, dataset, error);
  g_object_unref (dataset);
  return FALSE;
}

static gboolean
repeat_compute (FlowKernelContext *c,
                GError           **error)
{
  return count_compute (c, &_flow_repeat_kind, error);
}

static gboolean
take_compute (FlowKernelContext *c,
              GError           **error)
{
  return count_compute (c, &_flow_take_kind, error);
}

static gboolean
skip_compute (FlowKernelContext *c,
              GError           **error)
{
  return count_compute (c, &_flow_skip_kind, error);
}

static gboolean
shard_compute (FlowKernelContext *c,
               GError           **error)
{
  gint64 n_shards;
  gint64 index;
  FlowDataset *dataset;

  if (!_flow_dataset_read_int (c, 1, "num_shards", &n_shards, error)
      || !_flow_dataset_read_int (c, 2, "index", &index, error))
    return FALSE;
  if (n_shards <= 0)
    return _flow_refuse (error, "Number of shards must be greater than zero (currently num_shards = %" G_GINT64_FORMAT
                         ").", n_shards);
  if (index < 0 || index >= n_shards)
    return _flow_refuse (error, "Index must be between 0 and %" G_GINT64_FORMAT " (currently index = %" G_GINT64_FORMAT
                         ").", n_shards - 1, index);
  if (!_flow_dataset_new_on_input (c, &shard_kind, &dataset, error))
    return FALSE;
  dataset->numbers[0] = n_shards;
  dataset->numbers[1] = index;
  return _flow_dataset_put (c, dataset, error);
}

/* --- several inputs ------------------------------------------------------------------------------------------- */

static gboolean
concatenate_next (FlowPosition  *self,
                  FlowPull      *pull,
                  FlowTuple    **out,
                  GError       **error)
{
  while (self->numbers[0] < 2)
    {
      if (!_flow_position_pull (self, (guint) self->numbers[0], pull, out, error))
        return FALSE;
      if (*out != NULL)
        return TRUE;
      _flow_position_close (self, (guint) self->numbers[0]++);
    }
  return TRUE;
}

static gint64
concatenate_count (FlowDataset *dataset)
{
  gint64 a = _flow_dataset_count (dataset->inputs[0]);
  gint64 b = _flow_dataset_count (dataset->inputs[1]);
  gint64 sum;

  if (a == FLOW_CARDINALITY_INFINITE || b == FLOW_CARDINALITY_INFINITE)
    return FLOW_CARDINALITY_INFINITE;
  if (a == FLOW_CARDINALITY_UNKNOWN || b == FLOW_CARDINALITY_UNKNOWN)
    return FLOW_CARDINALITY_UNKNOWN;
  return flow_add_int64 (a, b, &sum) ? sum : G_MAXINT64;
}

static const FlowDatasetKind concatenate_kind = { "ConcatenateDataset", NULL, concatenate_next, concatenate_count };

static gboolean
concatenate_compute (FlowKernelContext *c,
                     GError           **error)
{
  FlowDataset *dataset;

  if (!_flow_dataset_new_on_input (c, &concatenate_kind, &dataset, error))
    return FALSE;
  if (_flow_dataset_add_input (dataset, c, 1, error))
    {
      const FlowDataset *a = dataset->inputs[0];
      const FlowDataset *b = dataset->inputs[1];
      g_autofree char *types = NULL;
      gboolean same = a->n_components == 0 || b->n_components == 0 || a->n_components == b->n_components;

      for (guint i = 0; same && i < MIN (a->n_components, b->n_components); i++)
        same = a->dtypes[i] == b->dtypes[i];
      if (same)
        return _flow_dataset_put (c, dataset, error);
      /* TF's own words, with the places that nothing was put into. */
      types = _flow_queue_types_text (b->dtypes, b->n_components);
      _flow_refuse (error, "input dataset and dataset to concatenate have different output_types %%s and %%s%s", types);
    }
  g_object_unref (dataset);
  return FALSE;
}

static gboolean
zip_next (FlowPosition  *self,
          FlowPull      *pull,
          FlowTuple    **out,
          GError       **error)
{
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_tensor_unref);

  for (guint i = 0; i < self->dataset->n_inputs; i++)
    {
      FlowTuple *tuple;

      if (!_flow_position_pull (self, i, pull, &tuple, error))
        return FALSE;
      if (tuple == NULL)
        return TRUE;
      for (guint k = 0; k < tuple->n; k++)
        g_ptr_array_add (tensors, flow_tensor_ref (tuple->tensors[k]));
      _flow_tuple_unref (tuple);
    }
  *out = _flow_element_new (pull, (FlowTensor **) tensors->pdata, tensors->len, error);
  g_ptr_array_set_free_func (tensors, NULL);
  return *out != NULL;
}

static gint64
zip_count (FlowDataset *dataset)
{
  gint64 least = FLOW_CARDINALITY_INFINITE;

  for (guint i = 0; i < dataset->n_inputs; i++)
    {
      gint64 n = _flow_dataset_count (dataset->inputs[i]);

      if (n == FLOW_CARDINALITY_UNKNOWN)
        return n;
      if (n >= 0 && (least < 0 || n < least))
        least = n;
    }
  return least;
}

static const FlowDatasetKind zip_kind = { "ZipDataset", NULL, zip_next, zip_count };

/* A dataset of all the inputs, which are datasets themselves. */
static gboolean
put_of_inputs (FlowKernelContext     *c,
               const FlowDatasetKind *kind,
               GError               **error)
{
  FlowDataset *dataset = _flow_dataset_new (c, kind);

  for (guint i = 0; i < c->n_inputs; i++)
    if (!_flow_dataset_add_input (dataset, c, i, error))
      {
        g_object_unref (dataset);
        return FALSE;
      }
  return _flow_dataset_put (c, dataset, error);
}

static gboolean
zip_compute (FlowKernelContext *c,
             GError           **error)
{
  return put_of_inputs (c, &zip_kind, error);
}

/* Input 0 says of which other the next element comes. */
static gboolean
directed_next (FlowPosition  *self,
               FlowPull      *pull,
               FlowTuple    **out,
               GError       **error)
{
  guint n = self->dataset->n_inputs - 1;

  if (self->numbers[0] == 0)
    for (guint i = 0; i < n; i++)
      if (!_flow_position_open (self, i + 1, self->dataset->inputs[i + 1], 0, error))
        return FALSE;
  self->numbers[0] = 1;
  /* TF: with the last of the others this one ends too. */
  while (self->numbers[1] < n)
    {
      FlowTuple *selected;
      gint64 which;

      if (!_flow_position_pull (self, 0, pull, &selected, error))
        return FALSE;
      if (selected == NULL)
        return TRUE;
      which = selected->n == 1 && selected->tensors[0]->dtype == FLOW_DTYPE_INT64 && selected->tensors[0]->n_elements == 1
              ? FLOW_DATA (gint64, selected->tensors[0])[0] : -1;
      _flow_tuple_unref (selected);
      if (which < 0 || which >= n)
        return _flow_refuse (error, "Selector index out of range: %" G_GINT64_FORMAT " >= %u", which, n);
      if (!_flow_position_has_child (self, (guint) which + 1))
        continue;
      if (!_flow_position_next_child (self, (guint) which + 1, pull, out, error))
        return FALSE;
      if (*out != NULL)
        return TRUE;
      _flow_position_close (self, (guint) which + 1);
      self->numbers[1]++;
    }
  return TRUE;
}

static const FlowDatasetKind directed_kind = { "DirectedInterleaveDataset", NULL, directed_next, NULL };

static gboolean
directed_compute (FlowKernelContext *c,
                  GError           **error)
{
  return put_of_inputs (c, &directed_kind, error);
}

/* --- those that only wrap: here nothing runs ahead, nothing is rewritten, nothing is measured ----------------------- */

static const FlowDatasetKind same_kind = {
  "IdentityDataset", NULL, _flow_dataset_pass_on, _flow_dataset_count_input, .goes_on = TRUE,
};
static const FlowDatasetKind prefetch_kind = { "PrefetchDataset", NULL, _flow_dataset_pass_on, _flow_dataset_count_input };
static const FlowDatasetKind unbuffered_kind = {
  "PrefetchDataset", NULL, _flow_dataset_pass_on, _flow_dataset_count_input, .goes_on = TRUE,
};

static gboolean
same_compute (FlowKernelContext *c,
              GError           **error)
{
  FlowDataset *dataset;

  return _flow_dataset_new_on_input (c, &same_kind, &dataset, error) && _flow_dataset_put (c, dataset, error);
}

static gboolean
prefetch_compute (FlowKernelContext *c,
                  GError           **error)
{
  gint64 buffer_size;
  FlowDataset *dataset;

  if (!_flow_dataset_read_int (c, 1, "buffer_size", &buffer_size, error))
    return FALSE;
  if (buffer_size < -1)
    return _flow_refuse (error, "buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning");
  return _flow_dataset_new_on_input (c, buffer_size == 0 ? &unbuffered_kind : &prefetch_kind, &dataset, error)
         && _flow_dataset_put (c, dataset, error);
}

static gboolean
ignore_errors_next (FlowPosition  *self,
                    FlowPull      *pull,
                    FlowTuple    **out,
                    GError       **error)
{
  for (;;)
    {
      g_autoptr (GError) failure = NULL;

      if (_flow_pull_is_cancelled (pull, error))
        return FALSE;
      if (_flow_position_pull (self, 0, pull, out, &failure))
        return TRUE;
      /* Out of memory comes again at once, without end. */
      if (g_error_matches (failure, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED)
          || ++self->numbers[0] > MAX_EMPTY_PASSES)
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return FALSE;
        }
    }
}

static const FlowDatasetKind ignore_errors_kind = { "IgnoreErrorsDataset", NULL, ignore_errors_next, _flow_dataset_count_input };

static gboolean
ignore_errors_compute (FlowKernelContext *c,
                       GError           **error)
{
  FlowDataset *dataset;

  return _flow_dataset_new_on_input (c, &ignore_errors_kind, &dataset, error) && _flow_dataset_put (c, dataset, error);
}

/* The first of several, all of which give the same. */
static gboolean
choose_compute (FlowKernelContext *c,
                GError           **error)
{
  return same_compute (c, error);
}

/* --- so many, or an error ------------------------------------------------------------------------------------- */

static gboolean
refuse_count (gint64       expected,
              const char  *what,
              gint64       n,
              GError     **error)
{
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION,
               "Input dataset was expected to contain %" G_GINT64_FORMAT " element%s but contained %s %" G_GINT64_FORMAT
               " element%s.", expected, expected == 1 ? "" : "s", what, n, n == 1 ? "" : "s");
  return FALSE;
}

static gboolean
assert_cardinality_next (FlowPosition  *self,
                         FlowPull      *pull,
                         FlowTuple    **out,
                         GError       **error)
{
  gint64 expected = self->dataset->numbers[0];

  if (!_flow_position_pull (self, 0, pull, out, error))
    return FALSE;
  self->numbers[0] += *out != NULL;
  if (*out == NULL && self->numbers[0] != expected)
    return refuse_count (expected, "only", self->numbers[0], error);
  if (self->numbers[0] > expected)
    return refuse_count (expected, "at least", self->numbers[0], error);
  return TRUE;
}

static gint64
assert_cardinality_count (FlowDataset *dataset)
{
  return dataset->numbers[0];
}

static const FlowDatasetKind assert_cardinality_kind = {
  "AssertCardinalityDataset", NULL, assert_cardinality_next, assert_cardinality_count,
};

static gboolean
assert_cardinality_compute (FlowKernelContext *c,
                            GError           **error)
{
  return count_compute (c, &assert_cardinality_kind, error);
}

static const FlowOpDef ops[] = {
  {
    .name = "RepeatDataset",
    .inputs = "input_dataset: variant; count: int64",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset gone through several times",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, repeat_compute }, { NULL } },
  },
  {
    .name = "TakeDataset",
    .inputs = "input_dataset: variant; count: int64",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "The first elements of a dataset",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, take_compute }, { NULL } },
  },
  {
    .name = "SkipDataset",
    .inputs = "input_dataset: variant; count: int64",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset without its first elements",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, skip_compute }, { NULL } },
  },
  {
    .name = "ShardDataset",
    .inputs = "input_dataset: variant; num_shards: int64; index: int64",
    .outputs = "handle: variant",
    .attrs = "require_non_empty: bool = false; output_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1",
    .summary = "Every n-th element of a dataset",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, shard_compute }, { NULL } },
  },
  {
    .name = "ConcatenateDataset",
    .inputs = "input_dataset: variant; another_dataset: variant",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "One dataset after another",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, concatenate_compute }, { NULL } },
  },
  {
    .name = "ZipDataset",
    .inputs = "input_datasets: N * variant",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; N: int >= 1",
    .summary = "Elements of several datasets side by side",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, zip_compute }, { NULL } },
  },
  {
    .name = "DirectedInterleaveDataset",
    .inputs = "selector_input_dataset: variant; data_input_datasets: N * variant",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; N: int >= 1",
    .summary = "Elements of the dataset that another one names",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, directed_compute }, { NULL } },
  },
  {
    .name = "ExperimentalDirectedInterleaveDataset",
    .inputs = "selector_input_dataset: variant; data_input_datasets: N * variant",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; N: int >= 1",
    .summary = "Elements of the dataset that another one names",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, directed_compute }, { NULL } },
  },
  {
    .name = "PrefetchDataset",
    .inputs = "input_dataset: variant; buffer_size: int64",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; slack_period: int = "
             "0; legacy_autotune: bool = true",
    .summary = "A dataset whose elements are made ahead",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, prefetch_compute }, { NULL } },
  },
  {
    .name = "ModelDataset",
    .inputs = "input_dataset: variant",
    .outputs = "handle: variant",
    .attrs = "algorithm: int = 0; cpu_budget: int = 0; output_types: list(type) >= 1; "
             "output_shapes: list(shape) >= 1",
    .summary = "A dataset whose use of processors may be tuned; here it is not",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, same_compute }, { NULL } },
  },
  {
    .name = "AssertNextDataset",
    .inputs = "input_dataset: variant; transformations: string",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset whose rewriting is checked; here it is not rewritten",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, same_compute }, { NULL } },
  },
  {
    .name = "ExperimentalAssertNextDataset",
    .inputs = "input_dataset: variant; transformations: string",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset whose rewriting is checked; here it is not rewritten",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, same_compute }, { NULL } },
  },
  {
    .name = "NonSerializableDataset",
    .inputs = "input_dataset: variant",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset that cannot be written into a graph",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, same_compute }, { NULL } },
  },
  {
    .name = "ExperimentalNonSerializableDataset",
    .inputs = "input_dataset: variant",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset that cannot be written into a graph",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, same_compute }, { NULL } },
  },
  {
    .name = "MaxIntraOpParallelismDataset",
    .inputs = "input_dataset: variant; max_intra_op_parallelism: int64",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset with a bound on threads",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, same_compute }, { NULL } },
  },
  {
    .name = "ExperimentalMaxIntraOpParallelismDataset",
    .inputs = "input_dataset: variant; max_intra_op_parallelism: int64",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset with a bound on threads",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, same_compute }, { NULL } },
  },
  {
    .name = "PrivateThreadPoolDataset",
    .inputs = "input_dataset: variant; num_threads: int64",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset with threads of its own",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, same_compute }, { NULL } },
  },
  {
    .name = "ExperimentalPrivateThreadPoolDataset",
    .inputs = "input_dataset: variant; num_threads: int64",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset with threads of its own",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, same_compute }, { NULL } },
  },
  {
    .name = "SleepDataset",
    .inputs = "input_dataset: variant; sleep_microseconds: int64",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset that waits between elements; here it does not",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, same_compute }, { NULL } },
  },
  {
    .name = "ExperimentalSleepDataset",
    .inputs = "input_dataset: variant; sleep_microseconds: int64",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset that waits between elements; here it does not",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, same_compute }, { NULL } },
  },
  {
    .name = "ChooseFastestDataset",
    .inputs = "input_datasets: N * variant",
    .outputs = "handle: variant",
    .attrs = "N: int >= 2; num_experiments: int; output_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1",
    .summary = "One of several datasets that give the same",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, choose_compute }, { NULL } },
  },
  {
    .name = "ExperimentalChooseFastestDataset",
    .inputs = "input_datasets: N * variant",
    .outputs = "handle: variant",
    .attrs = "N: int >= 2; num_experiments: int; output_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1",
    .summary = "One of several datasets that give the same",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, choose_compute }, { NULL } },
  },
  {
    .name = "IgnoreErrorsDataset",
    .inputs = "input_dataset: variant",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset without the elements that fail",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, ignore_errors_compute }, { NULL } },
  },
  {
    .name = "ExperimentalIgnoreErrorsDataset",
    .inputs = "input_dataset: variant",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset without the elements that fail",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, ignore_errors_compute }, { NULL } },
  },
  {
    .name = "OptionsDataset",
    .inputs = "input_dataset: variant",
    .outputs = "handle: variant",
    .attrs = "serialized_options: string; output_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1; metadata: string = \"\"",
    .summary = "A dataset with options; here they change nothing",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, same_compute }, { NULL } },
  },
  {
    .name = "FinalizeDataset",
    .inputs = "input_dataset: variant",
    .outputs = "handle: variant",
    .attrs = "has_captured_ref: bool = false; output_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1",
    .summary = "A dataset with its options put to work; here they change nothing",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, same_compute }, { NULL } },
  },
  {
    .name = "RewriteDataset",
    .inputs = "input_dataset: variant; rewrite_name: string",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset with its graph rewritten; here that changes nothing",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, same_compute }, { NULL } },
  },
  {
    .name = "AssertCardinalityDataset",
    .inputs = "input_dataset: variant; cardinality: int64",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset that must have so many elements",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, assert_cardinality_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (dataset_order, ops)
