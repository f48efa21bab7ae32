/* flow-kernels-dataset_batch.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Datasets of several elements put together, and of such taken apart.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-dataset-private.h"

#include <string.h>

/* --- batch ---------------------------------------------------------------------------------------------------- */

static GPtrArray *
new_elements (void)
{
  return g_ptr_array_new_with_free_func (_flow_tuple_unref);
}

/* TF: where mapping and batching are one, the functions of a whole batch are called before the first of their errors
 * is told. */
static void
pull_rest (FlowPosition  *self,
           FlowPull      *pull,
           gint64         n,
           const GError  *failure)
{
  while (n-- > 0 && !g_error_matches (failure, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED))
    {
      FlowTuple *tuple = NULL;

      if (_flow_pull_is_cancelled (pull, NULL) || (_flow_position_pull (self, 0, pull, &tuple, NULL) && tuple == NULL))
        return;
      g_clear_pointer (&tuple, _flow_tuple_unref);
    }
}

/* So many elements are asked for behind an end, however large a batch claims to be. */
#define MAX_SKIPPED (1 << 20)

/* TF: where mapping and batching are one, an input that has ended is asked on for the rest of the batch, and what it has
 * none the less is lost: one that takes while something holds may go on after its end. */
static void
skip_rest (FlowPosition *self,
           FlowPull     *pull,
           gint64        n)
{
  FlowPosition *map = self->children->pdata[0];

  for (gint64 i = 0; i < MIN (n, MAX_SKIPPED) && !_flow_pull_is_cancelled (pull, NULL); i++)
    {
      FlowTuple *tuple = NULL;

      if (_flow_position_pull (map, 0, pull, &tuple, NULL))
        g_clear_pointer (&tuple, _flow_tuple_unref);
    }
}

/* TF: mapped elements are put into the batch as they come, and the first of those that fail there or before is told. */
static GError *
first_failure (FlowPull   *pull,
               GPtrArray  *elements,
               GError     *failure)
{
  GError *misfit = NULL;
  FlowTuple *batch = elements->len > 1 ? _flow_elements_stack (pull, elements, TRUE, &misfit) : NULL;

  g_clear_pointer (&batch, _flow_tuple_unref);
  if (misfit == NULL)
    return failure;
  g_error_free (failure);
  return misfit;
}

/* Of a position: after a last batch that is not whole the input is not asked again. */
enum { BATCHED_ALL };

/* Up to @n elements of input 0. */
static GPtrArray *
pull_elements (FlowPosition  *self,
               FlowPull      *pull,
               gint64         n,
               gboolean       is_mapped,
               GError       **error)
{
  g_autoptr (GPtrArray) elements = new_elements ();
  GError *failure = NULL;

  while (!self->numbers[BATCHED_ALL] && (gint64) elements->len < n)
    {
      FlowTuple *tuple;

      if (!_flow_position_pull (self, 0, pull, &tuple, &failure))
        {
          if (is_mapped)
            {
              pull_rest (self, pull, n - elements->len - 1, failure);
              failure = first_failure (pull, elements, failure);
            }
          g_propagate_error (error, failure);
          return NULL;
        }
      if (tuple == NULL)
        {
          if (is_mapped)
            skip_rest (self, pull, n - elements->len - 1);
          else
            self->numbers[BATCHED_ALL] = 1;
          break;
        }
      g_ptr_array_add (elements, tuple);
    }
  return g_steal_pointer (&elements);
}

static gboolean
batch_next (FlowPosition  *self,
            FlowPull      *pull,
            FlowTuple    **out,
            GError       **error)
{
  const gint64 size = self->dataset->numbers[FLOW_BATCH_SIZE];
  const gboolean is_mapped = self->dataset->numbers[FLOW_BATCH_MAPPED] != 0;
  g_autoptr (GPtrArray) elements = pull_elements (self, pull, size, is_mapped, error);
  gboolean is_dropped;

  if (elements == NULL)
    return FALSE;
  is_dropped = elements->len == 0 || (self->dataset->numbers[FLOW_BATCH_DROPS] && elements->len < size);
  if (is_dropped && (elements->len == 0 || !is_mapped))
    return TRUE;
  *out = _flow_elements_stack (pull, elements, is_mapped, error);
  if (*out == NULL)
    return FALSE;
  /* TF: mapped elements are put into the batch as they come, so that those that do not fit are told all the same. */
  if (is_dropped)
    g_clear_pointer (out, _flow_tuple_unref);
  return TRUE;
}

static gint64
batch_count (FlowDataset *dataset)
{
  gint64 n = _flow_dataset_count_input (dataset);
  gint64 size = dataset->numbers[FLOW_BATCH_SIZE];

  return n < 0 ? n : n / size + (n % size != 0 && !dataset->numbers[FLOW_BATCH_DROPS]);
}

const FlowDatasetKind _flow_batch_kind = { "BatchDataset", NULL, batch_next, batch_count };

/* Input @size and, if there is one, input @drop. */
static gboolean
new_batches (FlowKernelContext      *c,
             const FlowDatasetKind  *kind,
             guint                   size,
             guint                   drop,
             FlowDataset           **dataset,
             GError                **error)
{
  gint64 batch_size;
  gboolean drops = FALSE;

  if (!_flow_dataset_read_int (c, size, "batch_size", &batch_size, error))
    return FALSE;
  if (batch_size <= 0)
    return _flow_refuse (error, "Batch size must be greater than zero.");
  if (drop > 0)
    {
      if (!flow_is_scalar (flow_kernel_input (c, drop)))
        return _flow_refuse (error, "drop_remainder must be a scalar");
      drops = FLOW_DATA (guint8, flow_kernel_input (c, drop))[0] != 0;
    }
  if (!_flow_dataset_new_on_input (c, kind, dataset, error))
    return FALSE;
  (*dataset)->numbers[FLOW_BATCH_SIZE] = batch_size;
  (*dataset)->numbers[FLOW_BATCH_DROPS] = drops;
  return TRUE;
}

static gboolean
batch_compute (FlowKernelContext *c,
               GError           **error)
{
  FlowDataset *dataset;

  return new_batches (c, &_flow_batch_kind, 1, c->n_inputs > 2 ? c->n_inputs - 1 : 0, &dataset, error)
         && _flow_dataset_put (c, dataset, error);
}

/* --- padded batch --------------------------------------------------------------------------------------------- */

/* The dataset's tensors: the padded shape of each component, then its padding value. */

static gboolean
measure_component (FlowPosition  *self,
                   GPtrArray     *elements,
                   guint          i,
                   gint64        *dims,
                   GError       **error)
{
  const FlowTensor *padded = self->dataset->tensors[i];
  int rank = (int) padded->n_elements;

  dims[0] = elements->len;
  for (int d = 0; d < rank; d++)
    dims[d + 1] = MAX (FLOW_DATA (gint64, padded)[d], 0);
  for (guint k = 0; k < elements->len; k++)
    {
      const FlowTensor *tensor = ((FlowTuple *) elements->pdata[k])->tensors[i];

      if (FLOW_RANK (tensor) != rank)
        return _flow_refuse (error, "All elements in a batch must have the same rank as the padded shape for component%u: "
                             "expected rank %d but got element with rank %d", i, rank, FLOW_RANK (tensor));
      for (int d = 0; d < rank; d++)
        if (FLOW_DATA (gint64, padded)[d] == -1)
          dims[d + 1] = MAX (dims[d + 1], FLOW_DIMS (tensor)[d]);
        else
          FLOW_REQUIRE (FLOW_DIMS (tensor)[d] <= dims[d + 1], error, DATA_LOSS,
                        "Attempted to pad to a smaller size than the input element.");
    }
  return TRUE;
}

static FlowTensor *
pad_component (FlowPosition  *self,
               FlowPull      *pull,
               GPtrArray     *elements,
               guint          i,
               GError       **error)
{
  FlowDataset *dataset = self->dataset;
  const FlowTensor *value = dataset->tensors[dataset->n_tensors / 2 + i];
  gint64 dims[FLOW_SHAPE_MAX_RANK + 1];
  gint64 to_strides[FLOW_SHAPE_MAX_RANK + 1];
  gint64 from_strides[FLOW_SHAPE_MAX_RANK + 1];
  int rank = (int) dataset->tensors[i]->n_elements;
  gsize cell = _flow_cell_size (value->dtype);
  g_autoptr (FlowShape) shape = NULL;
  FlowTensor *out;

  if (!measure_component (self, elements, i, dims, error))
    return NULL;
  shape = flow_shape_new (rank + 1, dims);
  out = flow_tensor_new (value->dtype, shape, pull->c->budget, error);
  if (out == NULL || out->n_elements == 0)
    return out;
  _flow_fill_cells (cell, out->data, out->n_elements, value->data);
  _flow_row_major_strides (rank + 1, dims, to_strides);
  for (guint k = 0; k < elements->len; k++)
    {
      const FlowTensor *tensor = ((FlowTuple *) elements->pdata[k])->tensors[i];

      if (tensor->n_elements == 0)
        continue;
      _flow_row_major_strides (rank, FLOW_DIMS (tensor), from_strides);
      _flow_copy_strided (cell, rank, FLOW_DIMS (tensor), (char *) out->data + (gsize) (k * to_strides[0]) * cell,
                          to_strides + 1, tensor->data, from_strides);
    }
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return out;
}

static gboolean
padded_batch_next (FlowPosition  *self,
                   FlowPull      *pull,
                   FlowTuple    **out,
                   GError       **error)
{
  FlowDataset *dataset = self->dataset;
  gint64 size = dataset->numbers[FLOW_BATCH_SIZE];
  guint n = dataset->n_tensors / 2;
  g_autoptr (GPtrArray) elements = pull_elements (self, pull, size, FALSE, error);

  if (elements == NULL)
    return FALSE;
  if (elements->len == 0 || (dataset->numbers[FLOW_BATCH_DROPS] && elements->len < size))
    return TRUE;
  for (guint k = 0; k < elements->len; k++)
    {
      const FlowTuple *tuple = elements->pdata[k];
      gboolean fits = tuple->n == n;

      for (guint i = 0; fits && i < n; i++)
        fits = tuple->tensors[i]->dtype == dataset->tensors[n + i]->dtype;
      if (!fits)
        return _flow_refuse (error, "Elements of the input do not fit the padding values of the batch");
    }
  *out = _flow_tuple_new_counted (n, pull->c->budget, error);
  for (guint i = 0; *out != NULL && i < n; i++)
    {
      (*out)->tensors[i] = pad_component (self, pull, elements, i, error);
      if ((*out)->tensors[i] == NULL)
        return FALSE;
    }
  return *out != NULL;
}

static const FlowDatasetKind padded_batch_kind = { "PaddedBatchDataset", NULL, padded_batch_next, batch_count };

static gboolean
check_padding (FlowKernelContext  *c,
               const FlowDataset  *input,
               guint               n,
               GError            **error)
{
  if (input->n_components != n && input->n_components > 0)
    return _flow_refuse (error, "Number of padded shapes (%u) must match the number of components in the input dataset's "
                         "elements (%u)", n, input->n_components);
  for (guint i = 0; i < n; i++)
    {
      const FlowTensor *shape = flow_kernel_input (c, 2 + i);
      const FlowTensor *value = flow_kernel_input (c, 2 + n + i);

      if (!flow_is_vector (shape))
        return _flow_refuse (error, "All padded shapes must be vectors");
      if (shape->n_elements >= FLOW_SHAPE_MAX_RANK)
        return _flow_refuse (error, "Too many dimensions in tensor");
      for (gint64 d = 0; d < shape->n_elements; d++)
        if (FLOW_DATA (gint64, shape)[d] < -1)
          return _flow_refuse (error, "Dimension %" G_GINT64_FORMAT " must be >= -1", FLOW_DATA (gint64, shape)[d]);
      if (!flow_is_scalar (value))
        return _flow_refuse (error, "All padding values must be scalars");
      if (input->n_components > 0 && value->dtype != (FlowDType) input->dtypes[i])
        return _flow_refuse (error, "Mismatched type between padding value %u and input dataset's component %u: %s vs. %s",
                             i, i, flow_dtype_string (value->dtype), flow_dtype_string (input->dtypes[i]));
    }
  return TRUE;
}

static gboolean
padded_batch_compute (FlowKernelContext *c,
                      GError           **error)
{
  guint n = (guint) flow_attr_get_length (flow_kernel_attr (c, "Toutput_types"));
  guint drop = c->n_inputs > 2 + 2 * n ? 2 + 2 * n : 0;
  FlowDataset *dataset;

  if (c->n_inputs < 2 + 2 * n)
    return _flow_refuse (error, "Every component needs a padded shape and a padding value");
  if (!new_batches (c, &padded_batch_kind, 1, drop, &dataset, error))
    return FALSE;
  if (!check_padding (c, dataset->inputs[0], n, error))
    {
      g_object_unref (dataset);
      return FALSE;
    }
  for (guint i = 0; i < 2 * n; i++)
    _flow_dataset_add_tensor (dataset, flow_kernel_input (c, 2 + i));
  return _flow_dataset_put (c, dataset, error);
}

/* --- window --------------------------------------------------------------------------------------------------- */

enum { WINDOW_SIZE, WINDOW_SHIFT, WINDOW_STRIDE, WINDOW_DROPS };
enum { AT_BUFFERED, AT_INPUT_ENDED };

/* A dataset of elements that are all there. */
static gboolean
elements_next (FlowPosition  *self,
               FlowPull      *pull,
               FlowTuple    **out,
               GError       **error)
{
  if (self->numbers[0] < self->dataset->tuples->len)
    *out = _flow_tuple_ref (self->dataset->tuples->pdata[self->numbers[0]++]);
  return TRUE;
}

static gint64
elements_count (FlowDataset *dataset)
{
  return dataset->tuples->len;
}

const FlowDatasetKind _flow_elements_kind = { "WindowElements", NULL, elements_next, elements_count };

/* TF: an element that failed has its place among the buffered ones, and is told by the windows that it is in. */
static FlowTuple *
keep_failure (FlowPull  *pull,
              GError    *failure,
              GError   **error)
{
  FlowTuple *tuple = NULL;

  if (failure->domain == FLOW_ERROR && failure->code != FLOW_ERROR_RESOURCE_EXHAUSTED && failure->code != FLOW_ERROR_CANCELLED)
    tuple = _flow_tuple_new_counted (0, pull->c->budget, error);
  if (tuple != NULL)
    tuple->failure = failure;
  else if (error != NULL && *error == NULL)
    g_propagate_error (error, failure);
  else
    g_error_free (failure);
  return tuple;
}

/* TF: looks at the end before it looks at what failed. */
static gboolean
fill_window (FlowPosition  *self,
             FlowPull      *pull,
             gint64         wanted,
             GError       **error)
{
  while (!self->numbers[AT_INPUT_ENDED] && self->numbers[AT_BUFFERED] < wanted)
    {
      FlowTuple *tuple;
      GError *failure = NULL;

      if (!_flow_position_pull_or_end (self, 0, pull, &tuple, &failure))
        {
          tuple = keep_failure (pull, failure, error);
          if (tuple == NULL)
            return FALSE;
        }
      if (tuple != NULL)
        _flow_position_put (self, (guint) self->numbers[AT_BUFFERED]++, tuple);
      else
        self->numbers[AT_INPUT_ENDED] = 1;
    }
  return TRUE;
}

/* The elements in front go; those of a gap between windows are taken and dropped, failed ones too. */
static gboolean
shift_window (FlowPosition  *self,
              FlowPull      *pull,
              GError       **error)
{
  gint64 shift = self->dataset->numbers[WINDOW_SHIFT];
  gint64 n = MIN (shift, self->numbers[AT_BUFFERED]);

  if (n > 0)
    g_ptr_array_remove_range (self->tuples, 0, (guint) n);
  self->numbers[AT_BUFFERED] -= n;
  for (; n < shift && !self->numbers[AT_INPUT_ENDED]; n++)
    {
      FlowTuple *tuple;
      GError *failure = NULL;

      if (!_flow_position_pull_or_end (self, 0, pull, &tuple, &failure))
        {
          tuple = keep_failure (pull, failure, error);
          if (tuple == NULL)
            return FALSE;
        }
      if (tuple == NULL)
        self->numbers[AT_INPUT_ENDED] = 1;
      _flow_tuple_unref (tuple);
    }
  return TRUE;
}

/* The elements of the next window; NULL without an error at the end. */
static GPtrArray *
next_window (FlowPosition  *self,
             FlowPull      *pull,
             gboolean       drops,
             GError       **error)
{
  const gint64 *n = self->dataset->numbers;
  const gboolean had_ended = self->numbers[AT_INPUT_ENDED] != 0;
  gboolean ends;
  gint64 wanted;
  g_autoptr (GPtrArray) window = new_elements ();

  if (!flow_mul_int64 (n[WINDOW_SIZE] - 1, n[WINDOW_STRIDE], &wanted) || !flow_add_int64 (wanted, 1, &wanted))
    wanted = G_MAXINT64;
  if (!fill_window (self, pull, wanted, error))
    return NULL;
  ends = !had_ended && self->numbers[AT_INPUT_ENDED] != 0;
  if (self->numbers[AT_BUFFERED] == 0 || (drops && self->numbers[AT_BUFFERED] < wanted))
    return NULL;
  for (gint64 i = 0; i < self->numbers[AT_BUFFERED]; )
    {
      g_ptr_array_add (window, _flow_tuple_ref (self->tuples->pdata[i]));
      if (!flow_add_int64 (i, n[WINDOW_STRIDE], &i))
        break;
    }
  if (!shift_window (self, pull, error))
    return NULL;
  for (guint i = 0; i < window->len; i++)
    {
      const FlowTuple *tuple = window->pdata[i];

      if (tuple->failure == NULL)
        continue;
      pull->failed_at_end = ends;
      g_propagate_error (error, g_error_copy (tuple->failure));
      return NULL;
    }
  return g_steal_pointer (&window);
}

static FlowTensor *
component_of_window (FlowPull   *pull,
                     GPtrArray  *window,
                     guint       i,
                     GError    **error)
{
  g_autoptr (FlowDataset) dataset = _flow_dataset_new_bare (&_flow_elements_kind);

  dataset->tuples = new_elements ();
  for (guint k = 0; k < window->len; k++)
    {
      FlowTuple *tuple = window->pdata[k];
      FlowTensor *tensor = i < tuple->n ? flow_tensor_ref (tuple->tensors[i]) : flow_tensor_new_bool (FALSE);
      FlowTuple *element = _flow_element_new (pull, &tensor, 1, error);

      if (element == NULL)
        return NULL;
      g_ptr_array_add (dataset->tuples, element);
      if (!flow_variant_nest (FLOW_VARIANT (dataset), element->tensors[0], error))
        return NULL;
    }
  return flow_tensor_new_variant (FLOW_VARIANT (dataset));
}

static gboolean
window_next (FlowPosition  *self,
             FlowPull      *pull,
             FlowTuple    **out,
             GError       **error)
{
  g_autoptr (GError) failure = NULL;
  g_autoptr (GPtrArray) window = next_window (self, pull, self->dataset->numbers[WINDOW_DROPS] != 0, &failure);
  guint n = window != NULL ? ((FlowTuple *) window->pdata[0])->n : 0;

  if (failure != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  if (window == NULL)
    return TRUE;
  *out = _flow_tuple_new_counted (n, pull->c->budget, error);
  for (guint i = 0; *out != NULL && i < n; i++)
    {
      (*out)->tensors[i] = component_of_window (pull, window, i, error);
      if ((*out)->tensors[i] == NULL)
        return FALSE;
    }
  return *out != NULL;
}

static gint64
window_count (FlowDataset *dataset)
{
  const gint64 *numbers = dataset->numbers;
  gint64 n = _flow_dataset_count_input (dataset);
  gint64 wanted;

  if (n < 0)
    return n;
  if (!numbers[WINDOW_DROPS])
    return n / numbers[WINDOW_SHIFT] + (n % numbers[WINDOW_SHIFT] != 0);
  if (!flow_mul_int64 (numbers[WINDOW_SIZE] - 1, numbers[WINDOW_STRIDE], &wanted)
      || !flow_add_int64 (wanted, 1, &wanted) || n < wanted)
    return 0;
  return (n - wanted) / numbers[WINDOW_SHIFT] + 1;
}

static const FlowDatasetKind window_kind = { "WindowDataset", NULL, window_next, window_count };

static gboolean
read_window (FlowKernelContext  *c,
             gint64             *numbers,
             GError            **error)
{
  static const char *const names[] = { "size", "shift", "stride" };

  for (guint i = 0; i < 3; i++)
    {
      if (!_flow_dataset_read_int (c, 1 + i, names[i], &numbers[i], error))
        return FALSE;
      if (numbers[i] <= 0)
        return _flow_refuse (error, "Window %s must be greater than zero.", names[i]);
    }
  return TRUE;
}

static gboolean
window_compute (FlowKernelContext *c,
                GError           **error)
{
  gint64 numbers[3];
  FlowDataset *dataset;

  if (!read_window (c, numbers, error))
    return FALSE;
  if (!flow_is_scalar (flow_kernel_input (c, 4)))
    return _flow_refuse (error, "drop_remainder must be a scalar");
  if (!_flow_dataset_new_on_input (c, &window_kind, &dataset, error))
    return FALSE;
  memcpy (dataset->numbers, numbers, sizeof numbers);
  dataset->numbers[WINDOW_DROPS] = FLOW_DATA (guint8, flow_kernel_input (c, 4))[0] != 0;
  return _flow_dataset_put (c, dataset, error);
}

/* Whole windows, each as a batch. */
static gboolean
sliding_next (FlowPosition  *self,
              FlowPull      *pull,
              FlowTuple    **out,
              GError       **error)
{
  g_autoptr (GError) failure = NULL;
  g_autoptr (GPtrArray) window = next_window (self, pull, TRUE, &failure);

  if (failure != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  if (window == NULL)
    return TRUE;
  *out = _flow_elements_stack (pull, window, FALSE, error);
  return *out != NULL;
}

static const FlowDatasetKind sliding_kind = { "SlidingWindowDataset", NULL, sliding_next, window_count };

static gboolean
sliding_compute (FlowKernelContext *c,
                 GError           **error)
{
  static const char *const names[] = { "Window size", "Window shift", "window_stride" };
  gint64 numbers[3];
  FlowDataset *dataset;

  for (guint i = 0; i < 3; i++)
    {
      if (!_flow_dataset_read_int (c, 1 + i, names[i], &numbers[i], error))
        return FALSE;
      if (numbers[i] <= 0)
        return _flow_refuse (error, "%s must be greater than zero.", names[i]);
    }
  if (!_flow_dataset_new_on_input (c, &sliding_kind, &dataset, error))
    return FALSE;
  memcpy (dataset->numbers, numbers, sizeof numbers);
  dataset->numbers[WINDOW_DROPS] = 1;
  return _flow_dataset_put (c, dataset, error);
}

/* --- unbatch -------------------------------------------------------------------------------------------------- */

enum { AT_ROW, AT_ROWS };

static gboolean
begin_batch (FlowPosition  *self,
             FlowPull      *pull,
             gboolean      *ended,
             GError       **error)
{
  FlowTuple *tuple;

  *ended = FALSE;
  if (!_flow_position_pull (self, 0, pull, &tuple, error))
    return FALSE;
  *ended = tuple == NULL || tuple->n == 0;
  if (*ended)
    {
      _flow_tuple_unref (tuple);
      return TRUE;
    }
  self->numbers[AT_ROW] = self->numbers[AT_ROWS] = 0;
  _flow_position_put (self, 0, tuple);
  for (guint i = 0; i < tuple->n; i++)
    {
      const FlowTensor *tensor = tuple->tensors[i];

      if (FLOW_RANK (tensor) == 0)
        return _flow_refuse (error, "Input element must have a non-scalar value in each component.");
      if (FLOW_DIMS (tensor)[0] != FLOW_DIMS (tuple->tensors[0])[0])
        return _flow_refuse (error, "Input element must have the same batch size in each component. Component 0 had size %"
                             G_GINT64_FORMAT " but component %u had size, %" G_GINT64_FORMAT ".",
                             FLOW_DIMS (tuple->tensors[0])[0], i, FLOW_DIMS (tensor)[0]);
    }
  self->numbers[AT_ROWS] = FLOW_DIMS (tuple->tensors[0])[0];
  return TRUE;
}

static gboolean
unbatch_next (FlowPosition  *self,
              FlowPull      *pull,
              FlowTuple    **out,
              GError       **error)
{
  const FlowTuple *batch;
  gint64 row;

  while (self->numbers[AT_ROW] >= self->numbers[AT_ROWS])
    {
      gboolean ended;

      if (_flow_pull_is_cancelled (pull, error) || !begin_batch (self, pull, &ended, error))
        return FALSE;
      if (ended)
        return TRUE;
    }
  batch = self->tuples->pdata[0];
  row = self->numbers[AT_ROW]++;
  *out = _flow_tuple_new_counted (batch->n, pull->c->budget, error);
  for (guint i = 0; *out != NULL && i < batch->n; i++)
    {
      const FlowTensor *tensor = batch->tensors[i];
      g_autoptr (FlowTensor) rows = flow_tensor_slice_rows (tensor, row, row + 1);
      g_autoptr (FlowShape) shape = flow_shape_new (FLOW_RANK (tensor) - 1, FLOW_DIMS (tensor) + 1);

      (*out)->tensors[i] = flow_tensor_reshape (rows, shape, error);
      if ((*out)->tensors[i] == NULL)
        return FALSE;
    }
  return *out != NULL;
}

static const FlowDatasetKind unbatch_kind = { "UnbatchDataset", NULL, unbatch_next, NULL };

static gboolean
unbatch_compute (FlowKernelContext *c,
                 GError           **error)
{
  FlowDataset *dataset;

  return _flow_dataset_new_on_input (c, &unbatch_kind, &dataset, error) && _flow_dataset_put (c, dataset, error);
}

static const FlowOpDef ops[] = {
  {
    .name = "BatchDataset",
    .inputs = "input_dataset: variant; batch_size: int64",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "Elements of a dataset stacked, so many at a time",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, batch_compute }, { NULL } },
  },
  {
    .name = "BatchDatasetV2",
    .inputs = "input_dataset: variant; batch_size: int64; drop_remainder: bool",
    .outputs = "handle: variant",
    .attrs = "parallel_copy: bool = false; output_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1",
    .summary = "Elements of a dataset stacked, so many at a time",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, batch_compute }, { NULL } },
  },
  {
    .name = "PaddedBatchDataset",
    .inputs = "input_dataset: variant; batch_size: int64; padded_shapes: N * int64; padding_values: "
              "Toutput_types",
    .outputs = "handle: variant",
    .attrs = "Toutput_types: list(type) >= 1; output_shapes: list(shape) >= 1; N: int >= 1",
    .summary = "Elements of a dataset padded to one shape and stacked",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, padded_batch_compute }, { NULL } },
  },
  {
    .name = "PaddedBatchDatasetV2",
    .inputs = "input_dataset: variant; batch_size: int64; padded_shapes: N * int64; padding_values: "
              "Toutput_types; drop_remainder: bool",
    .outputs = "handle: variant",
    .attrs = "parallel_copy: bool = false; Toutput_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1; N: int >= 1",
    .summary = "Elements of a dataset padded to one shape and stacked",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, padded_batch_compute }, { NULL } },
  },
  {
    .name = "WindowDataset",
    .inputs = "input_dataset: variant; size: int64; shift: int64; stride: int64; drop_remainder: "
              "bool",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset of datasets of elements that follow one another",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, window_compute }, { NULL } },
  },
  {
    .name = "SlidingWindowDataset",
    .inputs = "input_dataset: variant; window_size: int64; window_shift: int64; window_stride: "
              "int64",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "Elements of a dataset stacked by windows that overlap",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, sliding_compute }, { NULL } },
  },
  {
    .name = "ExperimentalSlidingWindowDataset",
    .inputs = "input_dataset: variant; window_size: int64; window_shift: int64; window_stride: "
              "int64",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "Elements of a dataset stacked by windows that overlap",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, sliding_compute }, { NULL } },
  },
  {
    .name = "UnbatchDataset",
    .inputs = "input_dataset: variant",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "The rows of a dataset's elements",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, unbatch_compute }, { NULL } },
  },
  {
    .name = "ExperimentalUnbatchDataset",
    .inputs = "input_dataset: variant",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "The rows of a dataset's elements",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, unbatch_compute }, { NULL } },
  },
  {
    .name = "ParallelBatchDataset",
    .inputs = "input_dataset: variant; batch_size: int64; num_parallel_calls: int64; "
              "drop_remainder: bool",
    .outputs = "handle: variant",
    .attrs = "parallel_copy: bool = false; output_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1; deterministic: string = \"default\"; metadata: string = \"\"",
    .summary = "Elements of a dataset stacked, so many at a time",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, batch_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (dataset_batch, ops)
