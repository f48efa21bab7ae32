/* flow-kernels-dataset_map.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Datasets that call a function with each element. The function runs inside the op that asks for the
 * element, one element after the other, however many calls at a time the graph allows.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-dataset-stats-private.h"
#include "flow-step-private.h"


static guint
count_list (FlowKernelContext *c,
            const char        *attr)
{
  return (guint) flow_attr_get_length (flow_kernel_attr (c, attr));
}

static void
clear_tensors (FlowTensor **tensors,
               guint        n)
{
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&tensors[i], flow_tensor_unref);
}

/* --- map ------------------------------------------------------------------------------------------------------ */

enum { MAP_KEEPS_COUNT };

/* TF: a function may end the dataset by OUT_OF_RANGE, unless the dataset is to keep its size. */
static gboolean
end_or_fail (FlowPosition  *self,
             GError        *failure,
             GError       **error)
{
  if (!g_error_matches (failure, FLOW_ERROR, FLOW_ERROR_OUT_OF_RANGE))
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  if (self->dataset->numbers[MAP_KEEPS_COUNT])
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Function invocation produced OutOfRangeError: %s",
                 failure->message);
  g_error_free (failure);
  return !self->dataset->numbers[MAP_KEEPS_COUNT];
}

static gboolean
map_next (FlowPosition  *self,
          FlowPull      *pull,
          FlowTuple    **out,
          GError       **error)
{
  FlowDataset *dataset = self->dataset;
  guint n = dataset->n_components;
  g_autofree FlowTensor **results = g_new0 (FlowTensor *, n + 1);
  GError *failure = NULL;
  FlowTuple *tuple;
  gboolean ok;

  if (!_flow_position_pull (self, 0, pull, &tuple, error))
    return FALSE;
  if (tuple == NULL)
    return TRUE;
  ok = _flow_dataset_call (dataset, pull, 0, tuple->tensors, tuple->n, results, n, &failure);
  _flow_tuple_unref (tuple);
  if (!ok)
    return end_or_fail (self, failure, error);
  *out = _flow_element_new (pull, results, n, error);
  return *out != NULL;
}

const FlowDatasetKind _flow_map_kind = { "MapDataset", NULL, map_next, _flow_dataset_count_input, .goes_on = TRUE };

static gboolean
new_map (FlowKernelContext  *c,
         FlowDataset       **dataset,
         GError            **error)
{
  if (!_flow_dataset_new_on_input (c, &_flow_map_kind, dataset, error))
    return FALSE;
  (*dataset)->numbers[MAP_KEEPS_COUNT] = flow_kernel_attr_bool (c, "preserve_cardinality");
  _flow_dataset_set_func (*dataset, c, 0, "f", 1, count_list (c, "Targuments"));
  return TRUE;
}

static gboolean
map_compute (FlowKernelContext *c,
             GError           **error)
{
  FlowDataset *dataset;

  return new_map (c, &dataset, error) && _flow_dataset_put (c, dataset, error);
}

/* The number of calls at a time comes last, as int32 or int64. */
static gboolean
check_parallel (FlowKernelContext  *c,
                guint               i,
                GError            **error)
{
  const FlowTensor *n = flow_kernel_input (c, i);

  if (!flow_is_scalar (n))
    return _flow_refuse (error, "num_parallel_calls must be a scalar");
  if (flow_index_at (n, 0) <= 0 && flow_index_at (n, 0) != -1)
    return _flow_refuse (error, "num_parallel_calls must be greater than zero.");
  return TRUE;
}

static gboolean
parallel_map_compute (FlowKernelContext *c,
                      GError           **error)
{
  return check_parallel (c, c->n_inputs - 1, error) && map_compute (c, error);
}

static gboolean
map_and_batch_compute (FlowKernelContext *c,
                       GError           **error)
{
  guint first = 1 + count_list (c, "Targuments");
  FlowDataset *mapped;
  FlowDataset *dataset;
  gint64 batch_size;

  if (!_flow_dataset_read_int (c, first, "batch_size", &batch_size, error))
    return FALSE;
  if (batch_size <= 0)
    return _flow_refuse (error, "batch_size must be greater than zero.");
  if (!check_parallel (c, first + 1, error))
    return FALSE;
  if (!flow_is_scalar (flow_kernel_input (c, first + 2)))
    return _flow_refuse (error, "drop_remainder must be a scalar");
  if (!new_map (c, &mapped, error))
    return FALSE;
  /* A batch of what is mapped; the function gives as many values as there are components. */
  dataset = _flow_dataset_new (c, &_flow_batch_kind);
  dataset->numbers[FLOW_BATCH_SIZE] = batch_size;
  dataset->numbers[FLOW_BATCH_MAPPED] = TRUE;
  dataset->numbers[FLOW_BATCH_DROPS] = FLOW_DATA (guint8, flow_kernel_input (c, first + 2))[0] != 0;
  if (mapped->problem != NULL || !_flow_dataset_take_input (dataset, mapped, error))
    {
      if (mapped->problem != NULL)
        g_propagate_error (error, g_steal_pointer (&mapped->problem));
      g_object_unref (mapped);
      g_object_unref (dataset);
      return FALSE;
    }
  return _flow_dataset_put (c, dataset, error);
}

/* --- filter, take while --------------------------------------------------------------------------------------- */

static gboolean
ask_predicate (FlowPosition    *self,
               FlowPull        *pull,
               const FlowTuple *tuple,
               const char      *words,
               gboolean        *answer,
               GError         **error)
{
  g_autoptr (FlowTensor) result = NULL;

  if (!_flow_dataset_call (self->dataset, pull, 0, tuple->tensors, tuple->n, &result, 1, error))
    return FALSE;
  if (result->dtype != FLOW_DTYPE_BOOL || result->n_elements != 1)
    return _flow_refuse (error, "%s", words);
  *answer = FLOW_DATA (guint8, result)[0] != 0;
  return TRUE;
}

enum { FILTER_KEPT, FILTER_DROPPED };

static gboolean
filter_next (FlowPosition  *self,
             FlowPull      *pull,
             FlowTuple    **out,
             GError       **error)
{
  for (;;)
    {
      gboolean keep = FALSE;

      if (_flow_pull_is_cancelled (pull, error) || !_flow_position_pull (self, 0, pull, out, error))
        return FALSE;
      if (*out == NULL)
        return TRUE;
      if (!ask_predicate (self, pull, *out, "Filter predicate `f` must return a scalar bool.", &keep, error))
        return FALSE;
      /* TF: measures both. */
      self->numbers[keep ? FILTER_KEPT : FILTER_DROPPED]++;
      if (keep)
        _flow_pull_set_scalar (pull, "FilterDataset::filtered_elements", (float) self->numbers[FILTER_KEPT]);
      else
        _flow_pull_set_scalar (pull, "FilterDataset::dropped_elements", (float) self->numbers[FILTER_DROPPED]);
      if (keep)
        return TRUE;
      g_clear_pointer (out, _flow_tuple_unref);
    }
}

static const FlowDatasetKind filter_kind = { "FilterDataset", NULL, filter_next, NULL };

static gboolean
filter_compute (FlowKernelContext *c,
                GError           **error)
{
  FlowDataset *dataset;

  if (!_flow_dataset_new_on_input (c, &filter_kind, &dataset, error))
    return FALSE;
  _flow_dataset_set_func (dataset, c, 0, "predicate", 1, count_list (c, "Targuments"));
  return _flow_dataset_put (c, dataset, error);
}

/* The last component says whether the others are given. */
static gboolean
last_next (FlowPosition  *self,
           FlowPull      *pull,
           FlowTuple    **out,
           GError       **error)
{
  for (;;)
    {
      FlowTuple *tuple;
      const FlowTensor *last;
      gboolean keep;

      if (_flow_pull_is_cancelled (pull, error) || !_flow_position_pull (self, 0, pull, &tuple, error))
        return FALSE;
      if (tuple == NULL)
        return TRUE;
      last = tuple->n > 0 ? tuple->tensors[tuple->n - 1] : NULL;
      if (last == NULL || last->dtype != FLOW_DTYPE_BOOL || last->n_elements != 1)
        {
          _flow_tuple_unref (tuple);
          return _flow_refuse (error, "last component must be a bool scalar tensor");
        }
      keep = FLOW_DATA (guint8, last)[0] != 0;
      if (keep)
        {
          *out = _flow_tuple_new_counted (tuple->n - 1, pull->c->budget, error);
          for (guint i = 0; *out != NULL && i + 1 < tuple->n; i++)
            (*out)->tensors[i] = flow_tensor_ref (tuple->tensors[i]);
        }
      _flow_tuple_unref (tuple);
      if (keep)
        return *out != NULL;
    }
}

static const FlowDatasetKind last_kind = { "FilterByLastComponentDataset", NULL, last_next, NULL };

static gboolean
filter_last_compute (FlowKernelContext *c,
                     GError           **error)
{
  FlowDataset *dataset;

  return _flow_dataset_new_on_input (c, &last_kind, &dataset, error) && _flow_dataset_put (c, dataset, error);
}

static gboolean
take_while_next (FlowPosition  *self,
                 FlowPull      *pull,
                 FlowTuple    **out,
                 GError       **error)
{
  gboolean keep = FALSE;

  if (!_flow_position_pull (self, 0, pull, out, error))
    return FALSE;
  if (*out == NULL)
    return TRUE;
  if (!ask_predicate (self, pull, *out, "`predicate` must returns a scalar bool tensor.", &keep, error))
    return FALSE;
  if (!keep)
    g_clear_pointer (out, _flow_tuple_unref);
  return TRUE;
}

static const FlowDatasetKind take_while_kind = { "TakeWhileDataset", NULL, take_while_next, NULL, .goes_on = TRUE };

static gboolean
take_while_compute (FlowKernelContext *c,
                    GError           **error)
{
  FlowDataset *dataset;

  if (!_flow_dataset_new_on_input (c, &take_while_kind, &dataset, error))
    return FALSE;
  _flow_dataset_set_func (dataset, c, 0, "predicate", 1, count_list (c, "Targuments"));
  return _flow_dataset_put (c, dataset, error);
}

/* --- scan, reduce --------------------------------------------------------------------------------------------- */

/* Calls function 0 with a state and an element: what it returns is the next state and, behind it, what
 * goes out. Dtypes of the state stay. */
static gboolean
call_with_state (FlowDataset      *dataset,
                 FlowPull         *pull,
                 const FlowTuple  *state,
                 const FlowTuple  *element,
                 FlowTensor      **results,
                 guint             n_results,
                 GError          **error)
{
  g_autofree FlowTensor **args = g_new (FlowTensor *, state->n + element->n + 1);

  for (guint i = 0; i < state->n; i++)
    args[i] = state->tensors[i];
  for (guint i = 0; i < element->n; i++)
    args[state->n + i] = element->tensors[i];
  if (!_flow_dataset_call (dataset, pull, 0, args, state->n + element->n, results, n_results, error))
    return FALSE;
  for (guint i = 0; i < state->n; i++)
    if (results[i]->dtype != state->tensors[i]->dtype)
      {
        _flow_refuse (error, "Got wrong type for scan_func return value %u (expected %s, got %s).", i,
                      flow_dtype_string (state->tensors[i]->dtype), flow_dtype_string (results[i]->dtype));
        clear_tensors (results, n_results);
        return FALSE;
      }
  return TRUE;
}

static FlowTuple *
tuple_of (FlowPull    *pull,
          FlowTensor **tensors,
          guint        n,
          GError     **error)
{
  g_autofree FlowTensor **held = g_new0 (FlowTensor *, n + 1);

  for (guint i = 0; i < n; i++)
    held[i] = flow_tensor_ref (tensors[i]);
  return _flow_element_new (pull, held, n, error);
}

static gboolean
scan_start (FlowPosition  *self,
            FlowPull      *pull,
            GError       **error)
{
  FlowTuple *state = tuple_of (pull, self->dataset->tensors, self->dataset->n_tensors, error);

  if (state == NULL)
    return FALSE;
  _flow_position_put (self, 0, state);
  return TRUE;
}

static gboolean
scan_next (FlowPosition  *self,
           FlowPull      *pull,
           FlowTuple    **out,
           GError       **error)
{
  FlowDataset *dataset = self->dataset;
  guint n_state = dataset->n_tensors;
  guint n = n_state + dataset->n_components;
  g_autofree FlowTensor **results = g_new0 (FlowTensor *, n + 1);
  GError *failure = NULL;
  FlowTuple *element;
  FlowTuple *state;
  gboolean ok;

  if (!_flow_position_pull (self, 0, pull, &element, error))
    return FALSE;
  if (element == NULL)
    return TRUE;
  ok = call_with_state (dataset, pull, self->tuples->pdata[0], element, results, n, &failure);
  _flow_tuple_unref (element);
  if (!ok)
    return end_or_fail (self, failure, error);
  state = _flow_element_new (pull, results, n_state, error);
  if (state != NULL)
    *out = _flow_element_new (pull, results + n_state, n - n_state, error);
  else
    clear_tensors (results, n);
  if (*out == NULL)
    {
      _flow_tuple_unref (state);
      return FALSE;
    }
  _flow_position_put (self, 0, state);
  return TRUE;
}

static const FlowDatasetKind scan_kind = {
  "ScanDataset", scan_start, scan_next, _flow_dataset_count_input, .goes_on = TRUE,
};

static gboolean
scan_compute (FlowKernelContext *c,
              GError           **error)
{
  guint n_state = count_list (c, "Tstate");
  FlowDataset *dataset;

  if (!_flow_dataset_new_on_input (c, &scan_kind, &dataset, error))
    return FALSE;
  dataset->numbers[MAP_KEEPS_COUNT] = flow_kernel_attr_bool (c, "preserve_cardinality");
  for (guint i = 0; i < n_state; i++)
    _flow_dataset_add_tensor (dataset, flow_kernel_input (c, 1 + i));
  _flow_dataset_set_func (dataset, c, 0, "f", 1 + n_state, count_list (c, "Targuments"));
  return _flow_dataset_put (c, dataset, error);
}

/* Never asked for elements: it only holds the function of ReduceDataset while that goes through its input. */
static const FlowDatasetKind reduce_kind = { "ReduceDataset", NULL, map_next, NULL };

static gboolean
reduce_elements (FlowDataset  *dataset,
                 FlowPull     *pull,
                 FlowTuple   **state,
                 GError      **error)
{
  FlowPosition *position = _flow_position_new (dataset->inputs[0]);
  guint n = (*state)->n;
  g_autofree FlowTensor **results = g_new0 (FlowTensor *, n + 1);
  FlowTuple *element = NULL;
  gboolean ok;

  while ((ok = _flow_position_next (&position, pull, &element, error)) && element != NULL)
    {
      FlowTuple *next = NULL;

      if (call_with_state (dataset, pull, *state, element, results, n, error))
        next = _flow_element_new (pull, results, n, error);
      _flow_tuple_unref (element);
      if (next == NULL)
        {
          ok = FALSE;
          break;
        }
      _flow_tuple_unref (*state);
      *state = next;
    }
  _flow_position_unref (position);
  return ok;
}

static gboolean
reduce_compute (FlowKernelContext *c,
                GError           **error)
{
  guint n = count_list (c, "Tstate");
  FlowMemory *memory = _flow_memory_new ();
  FlowPull pull = { c, &memory };
  g_autoptr (FlowDataset) dataset = NULL;
  g_autofree char *state_handle = NULL;
  FlowTuple *state = NULL;
  gboolean ok;

  if (n != c->n_outputs || !_flow_dataset_new_on_input (c, &reduce_kind, &dataset, error))
    {
      _flow_memory_unref (memory);
      return n == c->n_outputs ? FALSE : _flow_refuse (error, "The state has %u components, the result %u", n,
                                                       c->n_outputs);
    }
  for (guint i = 0; i < n; i++)
    _flow_dataset_add_tensor (dataset, flow_kernel_input (c, 1 + i));
  _flow_dataset_set_func (dataset, c, 0, "f", 1 + n, count_list (c, "Targuments"));
  pull.state_handle = state_handle = _flow_name_execution (c, error);
  state = state_handle != NULL ? tuple_of (&pull, dataset->tensors, n, error) : NULL;
  ok = state != NULL && reduce_elements (dataset, &pull, &state, error);
  for (guint i = 0; ok && i < n; i++)
    flow_kernel_set_output (c, i, state->tensors[i]);
  _flow_tuple_unref (state);
  _flow_memory_unref (memory);
  return ok;
}

static const FlowOpDef ops[] = {
  {
    .name = "MapDataset",
    .inputs = "input_dataset: variant; other_arguments: Targuments",
    .outputs = "handle: variant",
    .attrs = "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1; use_inter_op_parallelism: bool = true; preserve_cardinality: bool "
             "= false",
    .summary = "A function of each element of a dataset",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, map_compute }, { NULL } },
  },
  {
    .name = "ExperimentalMapDataset",
    .inputs = "input_dataset: variant; other_arguments: Targuments",
    .outputs = "handle: variant",
    .attrs = "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1; use_inter_op_parallelism: bool = true; preserve_cardinality: bool "
             "= false",
    .summary = "A function of each element of a dataset",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, map_compute }, { NULL } },
  },
  {
    .name = "ParallelMapDataset",
    .inputs = "input_dataset: variant; other_arguments: Targuments; num_parallel_calls: int32",
    .outputs = "handle: variant",
    .attrs = "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1; use_inter_op_parallelism: bool = true; sloppy: bool = false; "
             "preserve_cardinality: bool = false",
    .summary = "A function of each element of a dataset",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, parallel_map_compute }, { NULL } },
  },
  {
    .name = "MapAndBatchDataset",
    .inputs = "input_dataset: variant; other_arguments: Targuments; batch_size: int64; "
              "num_parallel_calls: int64; drop_remainder: bool",
    .outputs = "handle: variant",
    .attrs = "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1; preserve_cardinality: bool = false",
    .summary = "A function of each element, the results stacked",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, map_and_batch_compute }, { NULL } },
  },
  {
    .name = "ExperimentalMapAndBatchDataset",
    .inputs = "input_dataset: variant; other_arguments: Targuments; batch_size: int64; "
              "num_parallel_calls: int64; drop_remainder: bool",
    .outputs = "handle: variant",
    .attrs = "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1; preserve_cardinality: bool = false",
    .summary = "A function of each element, the results stacked",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, map_and_batch_compute }, { NULL } },
  },
  {
    .name = "FilterDataset",
    .inputs = "input_dataset: variant; other_arguments: Targuments",
    .outputs = "handle: variant",
    .attrs = "predicate: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; "
             "output_shapes: list(shape) >= 1",
    .summary = "The elements for which a function is true",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, filter_compute }, { NULL } },
  },
  {
    .name = "ParallelFilterDataset",
    .inputs = "input_dataset: variant; other_arguments: Targuments; num_parallel_calls: int64",
    .outputs = "handle: variant",
    .attrs = "predicate: func; deterministic: string = \"default\"; Targuments: list(type) >= 0; output_types: "
             "list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string = \"\"",
    .summary = "The elements for which a function is true",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, filter_compute }, { NULL } },
  },
  {
    .name = "FilterByLastComponentDataset",
    .inputs = "input_dataset: variant",
    .outputs = "output: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "The elements whose last component is true",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, filter_last_compute }, { NULL } },
  },
  {
    .name = "TakeWhileDataset",
    .inputs = "input_dataset: variant; other_arguments: Targuments",
    .outputs = "handle: variant",
    .attrs = "predicate: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; "
             "output_shapes: list(shape) >= 1",
    .summary = "The elements before the first for which a function is false",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, take_while_compute }, { NULL } },
  },
  {
    .name = "ExperimentalTakeWhileDataset",
    .inputs = "input_dataset: variant; other_arguments: Targuments",
    .outputs = "handle: variant",
    .attrs = "predicate: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; "
             "output_shapes: list(shape) >= 1",
    .summary = "The elements before the first for which a function is false",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, take_while_compute }, { NULL } },
  },
  {
    .name = "ScanDataset",
    .inputs = "input_dataset: variant; initial_state: Tstate; other_arguments: Targuments",
    .outputs = "handle: variant",
    .attrs = "f: func; Tstate: list(type) >= 1; Targuments: list(type) >= 0; output_types: "
             "list(type) >= 1; output_shapes: list(shape) >= 1; preserve_cardinality: bool = false",
    .summary = "A function of each element and of what the call before has kept",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, scan_compute }, { NULL } },
  },
  {
    .name = "ExperimentalScanDataset",
    .inputs = "input_dataset: variant; initial_state: Tstate; other_arguments: Targuments",
    .outputs = "handle: variant",
    .attrs = "f: func; Tstate: list(type) >= 1; Targuments: list(type) >= 0; output_types: "
             "list(type) >= 1; output_shapes: list(shape) >= 1; preserve_cardinality: bool = false",
    .summary = "A function of each element and of what the call before has kept",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, scan_compute }, { NULL } },
  },
  {
    .name = "ReduceDataset",
    .inputs = "input_dataset: variant; initial_state: Tstate; other_arguments: Targuments",
    .outputs = "components: output_types",
    .attrs = "f: func; Tstate: list(type) >= 1; Targuments: list(type) >= 0; output_types: "
             "list(type) >= 1; output_shapes: list(shape) >= 1; use_inter_op_parallelism: bool = "
             "true",
    .summary = "All elements of a dataset combined by a function",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_components_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, reduce_compute }, { NULL } },
  },
  {
    .name = "ParallelMapDatasetV2",
    .inputs = "input_dataset: variant; other_arguments: Targuments; num_parallel_calls: int64",
    .outputs = "handle: variant",
    .attrs = "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1; use_inter_op_parallelism: bool = true; deterministic: string = "
             "\"default\"; preserve_cardinality: bool = false; metadata: string = \"\"",
    .summary = "A function of each element of a dataset",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, parallel_map_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (dataset_map, ops)
