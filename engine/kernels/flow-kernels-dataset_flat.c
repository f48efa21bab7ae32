/* flow-kernels-dataset_flat.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Datasets whose functions make datasets, and elements put into groups.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-dataset-private.h"

#include <string.h>

static guint
count_list (FlowKernelContext *c,
            const char        *attr)
{
  return (guint) flow_attr_get_length (flow_kernel_attr (c, attr));
}

/* Child @child goes through the dataset that function @which makes of @args. */
static gboolean
open_result (FlowPosition        *self,
             FlowPull            *pull,
             guint                which,
             FlowTensor *const   *args,
             guint                n_args,
             guint                child,
             gint64               nth,
             GError             **error)
{
  g_autoptr (FlowTensor) made = NULL;
  FlowDataset *dataset;

  if (!_flow_dataset_call (self->dataset, pull, which, args, n_args, &made, 1, error))
    return FALSE;
  if (made->dtype != FLOW_DTYPE_VARIANT || FLOW_RANK (made) != 0)
    return _flow_refuse (error, "Function must return a single scalar of dtype DT_VARIANT.");
  dataset = _flow_dataset_from_tensor (made, error);
  return dataset != NULL && _flow_position_open (self, child, dataset, nth, error);
}

/* --- flat map ------------------------------------------------------------------------------------------------- */

static gboolean
flat_map_next (FlowPosition  *self,
               FlowPull      *pull,
               FlowTuple    **out,
               GError       **error)
{
  for (;;)
    {
      FlowTuple *tuple;
      gboolean ok;

      if (_flow_pull_is_cancelled (pull, error))
        return FALSE;
      if (_flow_position_has_child (self, 1))
        {
          if (!_flow_position_next_child (self, 1, pull, out, error))
            return FALSE;
          if (*out != NULL)
            return TRUE;
          _flow_position_close (self, 1);
        }
      if (!_flow_position_pull (self, 0, pull, &tuple, error))
        return FALSE;
      if (tuple == NULL)
        return TRUE;
      ok = open_result (self, pull, 0, tuple->tensors, tuple->n, 1, self->numbers[0]++, error);
      _flow_tuple_unref (tuple);
      if (!ok)
        return FALSE;
    }
}

static const FlowDatasetKind flat_map_kind = { "FlatMapDataset", NULL, flat_map_next, NULL };

static gboolean
flat_map_compute (FlowKernelContext *c,
                  GError           **error)
{
  FlowDataset *dataset;

  if (!_flow_dataset_new_on_input (c, &flat_map_kind, &dataset, error))
    return FALSE;
  _flow_dataset_set_func (dataset, c, 0, "f", 1, count_list (c, "Targuments"));
  return _flow_dataset_put (c, dataset, error);
}

/* --- interleave ----------------------------------------------------------------------------------------------- */

enum { CYCLE_LENGTH, BLOCK_LENGTH };
/* Place in the cycle, elements given there, datasets opened so far, those that are open, input at its end. */
enum { AT_CYCLE, AT_BLOCK, AT_OPENED, AT_OPEN, AT_INPUT_ENDED };

static void
next_in_cycle (FlowPosition *self)
{
  gint64 n = self->dataset->numbers[CYCLE_LENGTH];

  /* Behind the last place that was ever filled there is nothing to be found any more. */
  if (self->numbers[AT_INPUT_ENDED])
    n = MIN (n, self->children != NULL ? (gint64) self->children->len - 1 : 1);
  self->numbers[AT_BLOCK] = 0;
  self->numbers[AT_CYCLE] = self->numbers[AT_CYCLE] + 1 < n ? self->numbers[AT_CYCLE] + 1 : 0;
}

static gboolean
open_place (FlowPosition  *self,
            FlowPull      *pull,
            guint          place,
            GError       **error)
{
  FlowTuple *tuple;
  gboolean ok;

  if (!_flow_position_pull (self, 0, pull, &tuple, error))
    return FALSE;
  self->numbers[AT_INPUT_ENDED] = tuple == NULL;
  if (tuple == NULL)
    return TRUE;
  ok = open_result (self, pull, 0, tuple->tensors, tuple->n, place, self->numbers[AT_OPENED]++, error);
  self->numbers[AT_OPEN] += ok;
  _flow_tuple_unref (tuple);
  return ok;
}

static gboolean
interleave_next (FlowPosition  *self,
                 FlowPull      *pull,
                 FlowTuple    **out,
                 GError       **error)
{
  do
    {
      guint place = (guint) self->numbers[AT_CYCLE] + 1;

      if (_flow_pull_is_cancelled (pull, error))
        return FALSE;
      if (_flow_position_has_child (self, place))
        {
          if (!_flow_position_next_child (self, place, pull, out, error))
            return FALSE;
          if (*out != NULL)
            {
              if (++self->numbers[AT_BLOCK] == self->dataset->numbers[BLOCK_LENGTH])
                next_in_cycle (self);
              return TRUE;
            }
          _flow_position_close (self, place);
          self->numbers[AT_OPEN]--;
          next_in_cycle (self);
        }
      else if (!self->numbers[AT_INPUT_ENDED])
        {
          if (!open_place (self, pull, place, error))
            return FALSE;
        }
      else
        {
          next_in_cycle (self);
        }
    }
  while (!self->numbers[AT_INPUT_ENDED] || self->numbers[AT_OPEN] > 0);
  return TRUE;
}

static const FlowDatasetKind interleave_kind = { "InterleaveDataset", NULL, interleave_next, NULL };

/* The last input says how many calls there are at once; -1 leaves that, and the length of the cycle, open. */
static gboolean
check_parallel (FlowKernelContext  *c,
                gint64              cycle_length,
                gint64              block_length,
                GError            **error)
{
  gint64 calls;

  if (cycle_length <= 0 && cycle_length != -1)
    return _flow_refuse (error, "`cycle_length` must be > 0");
  if (block_length <= 0)
    return _flow_refuse (error, "`block_length` must be > 0");
  /* The first version ends with how many inputs are fetched ahead. */
  if (strcmp (c->signature->inputs[c->signature->n_inputs - 1].name, "prefetch_input_elements") == 0)
    return _flow_dataset_read_int (c, c->n_inputs - 1, "prefetch_input_elements", &calls, error)
           && (calls >= 0 || _flow_refuse (error, "`prefetch_input_elements` must be >= 0"));
  if (!_flow_dataset_read_int (c, c->n_inputs - 1, "num_parallel_calls", &calls, error))
    return FALSE;
  if (calls <= 0 && calls != -1)
    return _flow_refuse (error, "num_parallel_calls must be greater than zero.");
  /* TF: only the second version asks for this. */
  if (calls > cycle_length && cycle_length != -1 && flow_kernel_attr (c, "sloppy") != NULL)
    return _flow_refuse (error, "num_parallel_calls must less than or equal to cycle_length.");
  return TRUE;
}

static gboolean
interleave_compute (FlowKernelContext *c,
                    GError           **error)
{
  guint n = count_list (c, "Targuments");
  const gboolean is_parallel = c->n_inputs > 3 + n;
  gint64 cycle_length;
  gint64 block_length;
  FlowDataset *dataset;

  if (!_flow_dataset_read_int (c, 1 + n, "cycle_length", &cycle_length, error)
      || !_flow_dataset_read_int (c, 2 + n, "block_length", &block_length, error))
    return FALSE;
  if (is_parallel && !check_parallel (c, cycle_length, block_length, error))
    return FALSE;
  /* -1: as many as there are processors; one is always allowed. */
  if (is_parallel && cycle_length == -1)
    cycle_length = 1;
  if (cycle_length <= 0)
    return _flow_refuse (error, "cycle_length must be greater than zero.");
  if (block_length <= 0)
    return _flow_refuse (error, "block_length must be greater than zero.");
  if (!_flow_dataset_new_on_input (c, &interleave_kind, &dataset, error))
    return FALSE;
  dataset->numbers[CYCLE_LENGTH] = MIN (cycle_length, G_MAXINT32 - 1);
  dataset->numbers[BLOCK_LENGTH] = block_length;
  _flow_dataset_set_func (dataset, c, 0, "f", 1, n);
  return _flow_dataset_put (c, dataset, error);
}

/* --- groups --------------------------------------------------------------------------------------------------- */

enum { KEY_FUNC, REDUCE_FUNC, WINDOW_FUNC };
enum { GROUP_INPUT_ENDED, GROUP_N_FLUSHED };

/* An int64 that a function makes. */
static gboolean
call_for_int (FlowPosition        *self,
              FlowPull            *pull,
              guint                which,
              FlowTensor *const   *args,
              guint                n_args,
              const char          *words,
              gint64              *value,
              GError             **error)
{
  g_autoptr (FlowTensor) result = NULL;

  if (!_flow_dataset_call (self->dataset, pull, which, args, n_args, &result, 1, error))
    return FALSE;
  if (result->dtype != FLOW_DTYPE_INT64 || result->n_elements != 1)
    return _flow_refuse (error, "%s", words);
  *value = FLOW_DATA (gint64, result)[0];
  return TRUE;
}

/* Elements that wait for their group stand in the buffer in the order they came; the list has two
 * numbers for each: its key and the size of that key's window. */
static gint64 *
group_at (FlowPosition *self,
          guint         i)
{
  return &g_array_index (self->list, gint64, 2 * i);
}

static guint
count_waiting (FlowPosition *self)
{
  return self->list != NULL ? self->list->len / 2 : 0;
}

static gint64
count_group (FlowPosition *self,
             gint64        key,
             gint64       *window)
{
  gint64 n = 0;

  for (guint i = 0; i < count_waiting (self); i++)
    if (group_at (self, i)[0] == key)
      {
        *window = group_at (self, i)[1];
        n++;
      }
  return n;
}

/* The group of @key leaves the buffer and becomes the dataset that the reduce function is given. */
static gboolean
flush_group (FlowPosition  *self,
             FlowPull      *pull,
             gint64         key,
             GError       **error)
{
  g_autoptr (FlowDataset) group = _flow_dataset_new_bare (&_flow_elements_kind);
  FlowTensor *args[2] = { NULL, NULL };
  guint kept = 0;
  guint n = count_waiting (self);
  gboolean ok = TRUE;

  group->tuples = g_ptr_array_new_with_free_func (_flow_tuple_unref);
  for (guint i = 0; i < n; i++)
    {
      FlowTuple *tuple = g_steal_pointer (&self->tuples->pdata[i]);

      if (group_at (self, i)[0] == key)
        {
          for (guint k = 0; ok && k < tuple->n; k++)
            ok = flow_variant_nest (FLOW_VARIANT (group), tuple->tensors[k], error);
          g_ptr_array_add (group->tuples, tuple);
          continue;
        }
      memcpy (group_at (self, kept), group_at (self, i), 2 * sizeof (gint64));
      self->tuples->pdata[kept++] = tuple;
    }
  g_ptr_array_set_size (self->tuples, (int) kept);
  g_array_set_size (self->list, 2 * kept);
  if (!ok)
    return FALSE;
  args[0] = flow_tensor_new_int64 (key);
  args[1] = flow_tensor_new_variant (FLOW_VARIANT (group));
  ok = open_result (self, pull, REDUCE_FUNC, args, 2, 1, self->numbers[GROUP_N_FLUSHED]++, error);
  flow_tensor_unref (args[0]);
  flow_tensor_unref (args[1]);
  return ok;
}

/* Takes one element; *@full when its group is complete. */
static gboolean
group_element (FlowPosition  *self,
               FlowPull      *pull,
               FlowTuple     *tuple,
               gint64        *key,
               gboolean      *full,
               GError       **error)
{
  gint64 entry[2] = { 0, 0 };
  gint64 n;

  if (!call_for_int (self, pull, KEY_FUNC, tuple->tensors, tuple->n, "`key_func` must return a scalar int64.", &entry[0],
                     error))
    return FALSE;
  n = count_group (self, entry[0], &entry[1]);
  if (n == 0)
    {
      g_autoptr (FlowTensor) tensor = flow_tensor_new_int64 (entry[0]);

      if (!call_for_int (self, pull, WINDOW_FUNC, &tensor, 1, "`window_size_func` must return a scalar int64.", &entry[1],
                         error))
        return FALSE;
      if (entry[1] <= 0)
        return _flow_refuse (error, "Window size must be greater than zero, but got %" G_GINT64_FORMAT ".", entry[1]);
    }
  if (self->list == NULL)
    self->list = g_array_new (FALSE, TRUE, sizeof (gint64));
  _flow_position_put (self, count_waiting (self), _flow_tuple_ref (tuple));
  g_array_append_vals (self->list, entry, 2);
  *key = entry[0];
  *full = n + 1 >= entry[1];
  return TRUE;
}

/* Takes elements until a group is complete or the input ends; then the groups that are left follow by key. */
static gboolean
next_group (FlowPosition  *self,
            FlowPull      *pull,
            GError       **error)
{
  gint64 key = 0;

  while (!self->numbers[GROUP_INPUT_ENDED])
    {
      FlowTuple *tuple;
      gboolean full = FALSE;
      gboolean ok;

      if (_flow_pull_is_cancelled (pull, error) || !_flow_position_pull (self, 0, pull, &tuple, error))
        return FALSE;
      if (tuple == NULL)
        {
          self->numbers[GROUP_INPUT_ENDED] = 1;
          break;
        }
      ok = group_element (self, pull, tuple, &key, &full, error);
      _flow_tuple_unref (tuple);
      if (!ok)
        return FALSE;
      if (full)
        return flush_group (self, pull, key, error);
    }
  for (guint i = 0; i < count_waiting (self); i++)
    if (i == 0 || group_at (self, i)[0] < key)
      key = group_at (self, i)[0];
  return count_waiting (self) == 0 || flush_group (self, pull, key, error);
}

static gboolean
group_next (FlowPosition  *self,
            FlowPull      *pull,
            FlowTuple    **out,
            GError       **error)
{
  for (;;)
    {
      if (_flow_position_has_child (self, 1))
        {
          if (!_flow_position_next_child (self, 1, pull, out, error))
            return FALSE;
          if (*out != NULL)
            return TRUE;
          _flow_position_close (self, 1);
        }
      if (!next_group (self, pull, error))
        return FALSE;
      if (!_flow_position_has_child (self, 1))
        return TRUE;
    }
}

static const FlowDatasetKind group_kind = { "GroupByWindowDataset", NULL, group_next, NULL };

static gboolean
group_compute (FlowKernelContext *c,
               GError           **error)
{
  guint n_key = count_list (c, "Tkey_func_other_arguments");
  guint n_reduce = count_list (c, "Treduce_func_other_arguments");
  guint n_window = count_list (c, "Twindow_size_func_other_arguments");
  FlowDataset *dataset;

  if (!_flow_dataset_new_on_input (c, &group_kind, &dataset, error))
    return FALSE;
  _flow_dataset_set_func (dataset, c, KEY_FUNC, "key_func", 1, n_key);
  _flow_dataset_set_func (dataset, c, REDUCE_FUNC, "reduce_func", 1 + n_key, n_reduce);
  _flow_dataset_set_func (dataset, c, WINDOW_FUNC, "window_size_func", 1 + n_key + n_reduce, n_window);
  return _flow_dataset_put (c, dataset, error);
}

/* --- generator ------------------------------------------------------------------------------------------------ */

enum { INIT_FUNC, NEXT_FUNC, FINALIZE_FUNC };

/* The function that begins gives one value: TensorFlow's from_generator keeps the number of a Python
 * generator there. */
static gboolean
generator_start (FlowPosition  *self,
                 FlowPull      *pull,
                 GError       **error)
{
  FlowTensor *state = NULL;
  FlowTuple *tuple;

  if (!_flow_dataset_call (self->dataset, pull, INIT_FUNC, NULL, 0, &state, 1, error))
    return FALSE;
  tuple = _flow_element_new (pull, &state, 1, error);
  if (tuple == NULL)
    return FALSE;
  _flow_position_put (self, 0, tuple);
  return TRUE;
}

static gboolean
generator_next (FlowPosition  *self,
                FlowPull      *pull,
                FlowTuple    **out,
                GError       **error)
{
  FlowDataset *dataset = self->dataset;
  const FlowTuple *state = self->tuples->pdata[0];
  g_autofree FlowTensor **results = g_new0 (FlowTensor *, dataset->n_components + 1);
  g_autoptr (FlowTensor) last = NULL;
  g_autoptr (GError) failure = NULL;

  if (_flow_dataset_call (dataset, pull, NEXT_FUNC, state->tensors, state->n, results, dataset->n_components, &failure))
    {
      *out = _flow_element_new (pull, results, dataset->n_components, error);
      return *out != NULL;
    }
  /* TF: OUT_OF_RANGE is how the function says that there is no more; then the last one is called. */
  if (g_error_matches (failure, FLOW_ERROR, FLOW_ERROR_OUT_OF_RANGE))
    return _flow_dataset_call (dataset, pull, FINALIZE_FUNC, state->tensors, state->n, &last, 1, error);
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

static const FlowDatasetKind generator_kind = { "GeneratorDataset", generator_start, generator_next, NULL };

static gboolean
generator_compute (FlowKernelContext *c,
                   GError           **error)
{
  guint n_init = count_list (c, "Tinit_func_args");
  guint n_next = count_list (c, "Tnext_func_args");
  FlowDataset *dataset = _flow_dataset_new (c, &generator_kind);

  _flow_dataset_set_func (dataset, c, INIT_FUNC, "init_func", 0, n_init);
  _flow_dataset_set_func (dataset, c, NEXT_FUNC, "next_func", n_init, n_next);
  _flow_dataset_set_func (dataset, c, FINALIZE_FUNC, "finalize_func", n_init + n_next,
                          count_list (c, "Tfinalize_func_args"));
  return _flow_dataset_put (c, dataset, error);
}

static const FlowOpDef ops[] = {
  {
    .name = "FlatMapDataset",
    .inputs = "input_dataset: variant; other_arguments: Targuments",
    .outputs = "handle: variant",
    .attrs = "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1",
    .summary = "The elements of the datasets that a function makes",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, flat_map_compute }, { NULL } },
  },
  {
    .name = "InterleaveDataset",
    .inputs = "input_dataset: variant; other_arguments: Targuments; cycle_length: int64; "
              "block_length: int64",
    .outputs = "handle: variant",
    .attrs = "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1",
    .summary = "Elements of several datasets that a function makes, in turn",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, interleave_compute }, { NULL } },
  },
  {
    .name = "ParallelInterleaveDataset",
    .inputs = "input_dataset: variant; other_arguments: Targuments; cycle_length: int64; "
              "block_length: int64; sloppy: bool; buffer_output_elements: int64; "
              "prefetch_input_elements: int64",
    .outputs = "handle: variant",
    .attrs = "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1",
    .summary = "Elements of several datasets that a function makes, in turn",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, interleave_compute }, { NULL } },
  },
  {
    .name = "ParallelInterleaveDatasetV2",
    .inputs = "input_dataset: variant; other_arguments: Targuments; cycle_length: int64; "
              "block_length: int64; num_parallel_calls: int64",
    .outputs = "handle: variant",
    .attrs = "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1; sloppy: bool = false",
    .summary = "Elements of several datasets that a function makes, in turn",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, interleave_compute }, { NULL } },
  },
  {
    .name = "ExperimentalParallelInterleaveDataset",
    .inputs = "input_dataset: variant; other_arguments: Targuments; cycle_length: int64; "
              "block_length: int64; sloppy: bool; buffer_output_elements: int64; "
              "prefetch_input_elements: int64",
    .outputs = "handle: variant",
    .attrs = "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1",
    .summary = "Elements of several datasets that a function makes, in turn",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, interleave_compute }, { NULL } },
  },
  {
    .name = "GroupByWindowDataset",
    .inputs = "input_dataset: variant; key_func_other_arguments: Tkey_func_other_arguments; "
              "reduce_func_other_arguments: Treduce_func_other_arguments; "
              "window_size_func_other_arguments: Twindow_size_func_other_arguments",
    .outputs = "handle: variant",
    .attrs = "key_func: func; reduce_func: func; window_size_func: func; "
             "Tkey_func_other_arguments: list(type) >= 0; Treduce_func_other_arguments: list(type) "
             ">= 0; Twindow_size_func_other_arguments: list(type) >= 0; output_types: list(type) "
             ">= 1; output_shapes: list(shape) >= 1",
    .summary = "Elements put into groups by a key, each group made a dataset",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, group_compute }, { NULL } },
  },
  {
    .name = "ExperimentalGroupByWindowDataset",
    .inputs = "input_dataset: variant; key_func_other_arguments: Tkey_func_other_arguments; "
              "reduce_func_other_arguments: Treduce_func_other_arguments; "
              "window_size_func_other_arguments: Twindow_size_func_other_arguments",
    .outputs = "handle: variant",
    .attrs = "key_func: func; reduce_func: func; window_size_func: func; "
             "Tkey_func_other_arguments: list(type) >= 0; Treduce_func_other_arguments: list(type) "
             ">= 0; Twindow_size_func_other_arguments: list(type) >= 0; output_types: list(type) "
             ">= 1; output_shapes: list(shape) >= 1",
    .summary = "Elements put into groups by a key, each group made a dataset",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, group_compute }, { NULL } },
  },
  {
    .name = "GeneratorDataset",
    .inputs = "init_func_other_args: Tinit_func_args; next_func_other_args: Tnext_func_args; "
              "finalize_func_other_args: Tfinalize_func_args",
    .outputs = "handle: variant",
    .attrs = "init_func: func; next_func: func; finalize_func: func; Tinit_func_args: list(type) "
             ">= 0; Tnext_func_args: list(type) >= 0; Tfinalize_func_args: list(type) >= 0; "
             "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "What a function gives until it says that there is no more",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, generator_compute }, { NULL } },
  },
  {
    .name = "ParallelInterleaveDatasetV3",
    .inputs = "input_dataset: variant; other_arguments: Targuments; cycle_length: int64; "
              "block_length: int64; num_parallel_calls: int64",
    .outputs = "handle: variant",
    .attrs = "f: func; deterministic: string = \"default\"; Targuments: list(type) >= 0; "
             "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string = "
             "\"\"",
    .summary = "Elements of several datasets that a function makes, in turn",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, interleave_compute }, { NULL } },
  },
  {
    .name = "ParallelInterleaveDatasetV4",
    .inputs = "input_dataset: variant; other_arguments: Targuments; cycle_length: int64; "
              "block_length: int64; buffer_output_elements: int64; prefetch_input_elements: int64; "
              "num_parallel_calls: int64",
    .outputs = "handle: variant",
    .attrs = "f: func; deterministic: string = \"default\"; Targuments: list(type) >= 0; "
             "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string = "
             "\"\"",
    .summary = "Elements of several datasets that a function makes, in turn",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, interleave_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (dataset_flat, ops)
