/* flow-kernels-dataset_source.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Datasets of tensors, their slices, numbers and the records of files.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-dataset-private.h"
#include "flow-files-private.h"
#include "flow-random-private.h"
#include "flow-string-private.h"
#include "flow-util.h"

#include <string.h>

/* --- tensors -------------------------------------------------------------------------------------------------- */

static gboolean
tensor_next (FlowPosition  *self,
             FlowPull      *pull,
             FlowTuple    **out,
             GError       **error)
{
  FlowDataset *dataset = self->dataset;

  if (self->numbers[0]++ > 0)
    return TRUE;
  *out = _flow_tuple_new_counted (dataset->n_tensors, pull->c->budget, error);
  for (guint i = 0; *out != NULL && i < dataset->n_tensors; i++)
    (*out)->tensors[i] = flow_tensor_ref (dataset->tensors[i]);
  return *out != NULL;
}

static gint64
count_one (FlowDataset *dataset)
{
  return 1;
}

static const FlowDatasetKind tensor_kind = { "TensorDataset", NULL, tensor_next, count_one };

/* TF: the shapes of such a dataset's elements are those of its tensors, however little its attr says. */
static void
add_component (FlowDataset      *dataset,
               guint             i,
               const FlowTensor *tensor,
               FlowShape        *shape)
{
  _flow_dataset_add_tensor (dataset, tensor);
  if (i < dataset->n_components)
    {
      flow_shape_unref (dataset->shapes[i]);
      dataset->shapes[i] = flow_shape_ref (shape);
    }
}

static gboolean
check_count (FlowKernelContext  *c,
             GError            **error)
{
  guint n = (guint) flow_attr_get_length (flow_kernel_attr (c, "output_shapes"));

  if (n != c->n_inputs)
    return _flow_refuse (error, "Number of components does not match: expected %u shapes but got %u.", c->n_inputs, n);
  return TRUE;
}

/* What the attrs say must be true of the tensors, of which the first @lead dims are no part of an element. */
static gboolean
put_of_tensors (FlowKernelContext  *c,
                FlowDataset        *dataset,
                int                 lead,
                GError            **error)
{
  g_autoptr (GPtrArray) shapes = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_shape_unref);
  g_autofree int *dtypes = g_new0 (int, c->n_inputs + 1);
  gboolean matches;

  for (guint i = 0; i < c->n_inputs; i++)
    {
      const FlowTensor *tensor = flow_kernel_input (c, i);

      dtypes[i] = (int) tensor->dtype;
      g_ptr_array_add (shapes, flow_shape_new (FLOW_RANK (tensor) - lead, FLOW_DIMS (tensor) + lead));
    }
  matches = check_count (c, error)
            && _flow_components_match (c->n_inputs, dtypes, (FlowShape *const *) shapes->pdata,
                                       dataset->n_components, dataset->dtypes, dataset->shapes, error);
  for (guint i = 0; i < c->n_inputs; i++)
    add_component (dataset, i, flow_kernel_input (c, i), shapes->pdata[i]);
  if (!matches)
    {
      g_object_unref (dataset);
      return FALSE;
    }
  return _flow_dataset_put (c, dataset, error);
}

static gboolean
tensor_compute (FlowKernelContext *c,
                GError           **error)
{
  return put_of_tensors (c, _flow_dataset_new (c, &tensor_kind), 0, error);
}

/* --- slices --------------------------------------------------------------------------------------------------- */

static gint64
count_rows (FlowDataset *dataset)
{
  return FLOW_DIMS (dataset->tensors[0])[0];
}

static gboolean
slice_next (FlowPosition  *self,
            FlowPull      *pull,
            FlowTuple    **out,
            GError       **error)
{
  FlowDataset *dataset = self->dataset;
  gint64 row = self->numbers[0];

  if (row >= count_rows (dataset))
    return TRUE;
  self->numbers[0]++;
  *out = _flow_tuple_new_counted (dataset->n_tensors, pull->c->budget, error);
  for (guint i = 0; *out != NULL && i < dataset->n_tensors; i++)
    {
      const FlowTensor *tensor = dataset->tensors[i];
      g_autoptr (FlowTensor) rows = flow_tensor_slice_rows (tensor, row, row + 1);
      g_autoptr (FlowShape) shape = flow_shape_new (FLOW_RANK (tensor) - 1, FLOW_DIMS (tensor) + 1);

      (*out)->tensors[i] = flow_tensor_reshape (rows, shape, error);
      if ((*out)->tensors[i] == NULL)
        return FALSE;
    }
  return *out != NULL;
}

static const FlowDatasetKind slice_kind = { "TensorSliceDataset", NULL, slice_next, count_rows };

static gboolean
slice_compute (FlowKernelContext *c,
               GError           **error)
{
  for (guint i = 0; i < c->n_inputs; i++)
    if (FLOW_RANK (flow_kernel_input (c, i)) < 1)
      return _flow_refuse (error, "All components must be at least 1-dimensional");
    else if (FLOW_DIMS (flow_kernel_input (c, i))[0] != FLOW_DIMS (flow_kernel_input (c, 0))[0])
      return _flow_refuse (error, "All components must have the same size in the 0th dimension");
  return put_of_tensors (c, _flow_dataset_new (c, &slice_kind), 1, error);
}

/* --- rows of a sparse tensor: those of one index after the other, also where there are none -------------------------- */

static gint64
count_sparse (FlowDataset *dataset)
{
  return FLOW_DATA (gint64, dataset->tensors[2])[0];
}

/* The indices of @n entries from @first on, without their row. */
static FlowTensor *
cut_indices (FlowPull          *pull,
             const FlowTensor  *indices,
             gint64             first,
             gint64             n,
             GError           **error)
{
  gint64 rank = FLOW_DIMS (indices)[1];
  const gint64 dims[2] = { n, rank - 1 };
  g_autoptr (FlowShape) shape = flow_shape_new (2, dims);
  FlowTensor *cut = flow_tensor_new (FLOW_DTYPE_INT64, shape, pull->c->budget, error);

  for (gint64 i = 0; cut != NULL && i < n && rank > 1; i++)
    memcpy (FLOW_WRITABLE (gint64, cut) + i * (rank - 1), FLOW_DATA (gint64, indices) + (first + i) * rank + 1,
            (gsize) (rank - 1) * sizeof (gint64));
  return cut;
}

static gboolean
sparse_next (FlowPosition  *self,
             FlowPull      *pull,
             FlowTuple    **out,
             GError       **error)
{
  FlowDataset *dataset = self->dataset;
  const FlowTensor *indices = dataset->tensors[0];
  const FlowTensor *shape = dataset->tensors[2];
  gint64 n_entries = FLOW_DIMS (indices)[0];
  gint64 rank = FLOW_DIMS (indices)[1];
  gint64 row = self->numbers[0];
  gint64 first = self->numbers[1];
  gint64 end = first;

  if (row >= count_sparse (dataset))
    return TRUE;
  while (end < n_entries && FLOW_DATA (gint64, indices)[end * rank] == row)
    end++;
  *out = _flow_tuple_new_counted (3, pull->c->budget, error);
  if (*out == NULL)
    return FALSE;
  (*out)->tensors[0] = cut_indices (pull, indices, first, end - first, error);
  (*out)->tensors[1] = flow_tensor_slice_rows (dataset->tensors[1], first, end);
  (*out)->tensors[2] = flow_tensor_slice_rows (shape, 1, rank);
  if ((*out)->tensors[0] == NULL)
    return FALSE;
  self->numbers[0]++;
  self->numbers[1] = end;
  return TRUE;
}

static const FlowDatasetKind sparse_kind = { "SparseTensorSliceDataset", NULL, sparse_next, count_sparse };

static gboolean
sparse_compute (FlowKernelContext *c,
                GError           **error)
{
  const FlowTensor *indices = flow_kernel_input (c, 0);
  const FlowTensor *values = flow_kernel_input (c, 1);
  const FlowTensor *shape = flow_kernel_input (c, 2);
  gint64 rank = FLOW_RANK (indices) == 2 ? FLOW_DIMS (indices)[1] : 0;
  gint64 previous = -1;
  FlowDataset *dataset;

  if (FLOW_RANK (indices) != 2)
    return _flow_refuse_shapes (error, indices, NULL, "Input indices should be a matrix but received shape %s");
  if (!flow_is_vector (values))
    return _flow_refuse_shapes (error, values, NULL, "Input values should be a vector but received shape %s");
  if (!flow_is_vector (shape))
    return _flow_refuse_shapes (error, shape, NULL, "Input shape should be a vector but received shape %s");
  if (FLOW_DIMS (indices)[0] != values->n_elements || rank != shape->n_elements || rank < 1)
    return _flow_refuse (error, "The shapes of indices, values and dense_shape do not fit together");
  /* TF: rows are given one after the other; within one the order is free. */
  for (gint64 i = 0; i < values->n_elements; i++)
    {
      gint64 row = FLOW_DATA (gint64, indices)[i * rank];

      FLOW_REQUIRE (row >= previous, error, UNIMPLEMENTED, "The SparseTensor must be ordered in the batch dimension; "
                    "handling arbitrarily ordered input is not currently supported.");
      if (row < 0 || row >= FLOW_DATA (gint64, shape)[0])
        return _flow_refuse (error, "Index %" G_GINT64_FORMAT " of the sparse tensor is out of bounds", i);
      previous = row;
    }
  dataset = _flow_dataset_new (c, &sparse_kind);
  for (guint i = 0; i < 3; i++)
    _flow_dataset_add_tensor (dataset, flow_kernel_input (c, i));
  return _flow_dataset_put (c, dataset, error);
}

/* --- numbers -------------------------------------------------------------------------------------------------- */

enum { RANGE_START, RANGE_STOP, RANGE_STEP };

static gint64
count_range (FlowDataset *dataset)
{
  const gint64 *n = dataset->numbers;
  gboolean up = n[RANGE_STEP] > 0;
  guint64 span;
  guint64 step = up ? (guint64) n[RANGE_STEP] : 0 - (guint64) n[RANGE_STEP];
  guint64 count;

  if (up ? n[RANGE_START] >= n[RANGE_STOP] : n[RANGE_START] <= n[RANGE_STOP])
    return 0;
  span = up ? (guint64) n[RANGE_STOP] - (guint64) n[RANGE_START] : (guint64) n[RANGE_START] - (guint64) n[RANGE_STOP];
  count = (span - 1) / step + 1;
  return (gint64) MIN (count, (guint64) G_MAXINT64);
}

/* The numbers count how many were given, not the number itself: that could run over. */
static gboolean
range_next (FlowPosition  *self,
            FlowPull      *pull,
            FlowTuple    **out,
            GError       **error)
{
  FlowDataset *dataset = self->dataset;
  const gint64 *n = dataset->numbers;
  FlowTensor *tensor;
  gint64 value;

  if (self->numbers[0] >= count_range (dataset))
    return TRUE;
  value = (gint64) ((guint64) n[RANGE_START] + (guint64) self->numbers[0]++ * (guint64) n[RANGE_STEP]);
  if (dataset->n_components == 1 && dataset->dtypes[0] == FLOW_DTYPE_INT32)
    tensor = flow_tensor_new_int32 ((gint32) value);
  else
    tensor = flow_tensor_new_int64 (value);
  *out = _flow_element_new (pull, &tensor, 1, error);
  return *out != NULL;
}

/* TF: asked for its size it cuts the quotient towards zero, and says one of a range that stops less than a step short of
 * its start. */
static gint64
tell_range (FlowDataset *dataset)
{
  const gint64 *n = dataset->numbers;
  const gint64 count = count_range (dataset);
  const gboolean up = n[RANGE_STEP] > 0;
  const guint64 step = up ? (guint64) n[RANGE_STEP] : 0 - (guint64) n[RANGE_STEP];
  const guint64 short_of = up ? (guint64) n[RANGE_START] - (guint64) n[RANGE_STOP]
                              : (guint64) n[RANGE_STOP] - (guint64) n[RANGE_START];

  return count == 0 && short_of < step - 1 ? 1 : count;
}

static const FlowDatasetKind range_kind = { "RangeDataset", NULL, range_next, tell_range };

static gboolean
range_compute (FlowKernelContext *c,
               GError           **error)
{
  static const char *const names[] = { "start", "stop", "step" };
  gint64 numbers[3];
  FlowDataset *dataset;

  for (guint i = 0; i < 3; i++)
    if (!_flow_dataset_read_int (c, i, names[i], &numbers[i], error))
      return FALSE;
  if (numbers[RANGE_STEP] == 0)
    return _flow_refuse (error, "step must be a non-zero integer.");
  dataset = _flow_dataset_new (c, &range_kind);
  memcpy (dataset->numbers, numbers, sizeof numbers);
  return _flow_dataset_put (c, dataset, error);
}

static gint64
count_infinite (FlowDataset *dataset)
{
  return FLOW_CARDINALITY_INFINITE;
}

static gboolean
random_next (FlowPosition  *self,
             FlowPull      *pull,
             FlowTuple    **out,
             GError       **error)
{
  FlowPhilox generator;
  guint32 numbers[4];
  FlowTensor *tensor;
  gint64 n = self->numbers[0]++;

  flow_philox_init (&generator, (guint64) self->dataset->numbers[0], (guint64) self->dataset->numbers[1]);
  flow_philox_skip (&generator, (guint64) n / 4);
  flow_philox_next (&generator, numbers);
  tensor = flow_tensor_new_int64 (numbers[n % 4]);
  *out = _flow_element_new (pull, &tensor, 1, error);
  return *out != NULL;
}

static const FlowDatasetKind random_kind = { "RandomDataset", NULL, random_next, count_infinite };

static gboolean
random_compute (FlowKernelContext *c,
                GError           **error)
{
  gint64 seeds[2];
  FlowDataset *dataset;

  if (!_flow_dataset_read_int (c, 0, "seed", &seeds[0], error)
      || !_flow_dataset_read_int (c, 1, "seed2", &seeds[1], error))
    return FALSE;
  dataset = _flow_dataset_new (c, &random_kind);
  dataset->is_by_chance = seeds[0] == 0 && seeds[1] == 0;
  if (dataset->is_by_chance)
    c->host->draw_seed (c->host_data, c->node_name, (guint64 *) seeds);
  memcpy (dataset->numbers, seeds, sizeof seeds);
  return _flow_dataset_put (c, dataset, error);
}

/* --- files ---------------------------------------------------------------------------------------------------- */

enum { FIXED_HEADER, FIXED_RECORD, FIXED_FOOTER };

static gboolean
put_bytes (FlowPull   *pull,
           GBytes     *bytes,
           FlowTuple **out,
           GError    **error)
{
  FlowTensor *tensor = flow_tensor_new_string (NULL, 0);

  if (g_bytes_get_size (bytes) > 0)
    flow_tensor_take_string (tensor, 0, g_bytes_ref (bytes));
  *out = _flow_element_new (pull, &tensor, 1, error);
  return *out != NULL;
}

/* The next line or record of the files, in their order. */
static gboolean
next_of_files (FlowPosition  *self,
               FlowPull      *pull,
               GBytes      *(*read) (FlowStream *stream, GError **error),
               FlowTuple    **out,
               GError       **error)
{
  for (;;)
    {
      g_autoptr (GError) failure = NULL;
      g_autoptr (GBytes) bytes = NULL;
      gboolean done;
      gboolean past;

      if (_flow_pull_is_cancelled (pull, error) || !_flow_dataset_open_file (self, pull, &done, &past, error))
        return FALSE;
      if (done)
        return TRUE;
      bytes = past ? NULL : read (self->stream, &failure);
      if (failure != NULL)
        {
          /* TF: who ignores the error of a broken file of records gets on with the next file. */
          if (read == _flow_stream_read_record)
            _flow_dataset_leave_file (self);
          g_propagate_error (error, g_steal_pointer (&failure));
          return FALSE;
        }
      if (bytes != NULL)
        {
          self->numbers[FLOW_FILE_OFFSET] = _flow_stream_tell (self->stream);
          return put_bytes (pull, bytes, out, error);
        }
      _flow_dataset_leave_file (self);
    }
}

static gboolean
text_next (FlowPosition  *self,
           FlowPull      *pull,
           FlowTuple    **out,
           GError       **error)
{
  return next_of_files (self, pull, _flow_stream_read_plain_line, out, error);
}

static gboolean
tf_record_next (FlowPosition  *self,
                FlowPull      *pull,
                FlowTuple    **out,
                GError       **error)
{
  return next_of_files (self, pull, _flow_stream_read_record, out, error);
}

/* TF: a plain file must be whole records; of a packed one what is left over at the end is left out. */
static gboolean
begin_fixed (FlowPosition  *self,
             GError       **error)
{
  const gint64 *n = self->dataset->numbers;
  gint64 left = _flow_stream_count_left (self->stream);
  /* TF: without a sign, also where the file is shorter than its header. */
  guint64 body = (guint64) left - (guint64) n[FIXED_HEADER] - (guint64) n[FIXED_FOOTER];

  self->numbers[FLOW_FILE_END] = left >= 0 ? left - n[FIXED_FOOTER] : G_MAXINT64;
  if (left >= 0 && body % (guint64) n[FIXED_RECORD] != 0)
    {
      g_autofree char *name = _flow_dup_string (self->dataset->tensors[0], self->numbers[FLOW_FILE_INDEX]);

      return _flow_refuse (error, "Excluding the header (%" G_GINT64_FORMAT " bytes) and footer (%" G_GINT64_FORMAT
                           " bytes), input file \"%s\" has body length %" G_GUINT64_FORMAT " bytes, which is not an exact "
                           "multiple of the record length (%" G_GINT64_FORMAT " bytes).", n[FIXED_HEADER], n[FIXED_FOOTER],
                           name, body, n[FIXED_RECORD]);
    }
  self->numbers[FLOW_FILE_OFFSET] = n[FIXED_HEADER];
  self->numbers[FLOW_FILE_IS_OPEN] = 1;
  return TRUE;
}

/* Reads a record and looks whether a footer's length still follows. */
static gboolean
read_fixed (FlowPosition  *self,
            GBytes       **bytes,
            GError       **error)
{
  const gint64 *n = self->dataset->numbers;
  gsize wanted = (gsize) n[FIXED_RECORD];
  gboolean packed = self->numbers[FLOW_FILE_END] == G_MAXINT64;
  g_autoptr (GBytes) whole = NULL;
  g_autoptr (GError) failure = NULL;

  if (!packed && self->numbers[FLOW_FILE_OFFSET] + n[FIXED_RECORD] > self->numbers[FLOW_FILE_END])
    return TRUE;
  whole = _flow_stream_read (self->stream, wanted + (packed ? (gsize) n[FIXED_FOOTER] : 0), &failure);
  /* TF: where a packed file cannot be unpacked, it ends. */
  if (packed && g_error_matches (failure, FLOW_ERROR, FLOW_ERROR_DATA_LOSS))
    return TRUE;
  if (whole == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  if (g_bytes_get_size (whole) == wanted + (packed ? (gsize) n[FIXED_FOOTER] : 0))
    {
      *bytes = g_bytes_new (g_bytes_get_data (whole, NULL), wanted);
      self->numbers[FLOW_FILE_OFFSET] += n[FIXED_RECORD];
    }
  return TRUE;
}

static gboolean
fixed_next (FlowPosition  *self,
            FlowPull      *pull,
            FlowTuple    **out,
            GError       **error)
{
  for (;;)
    {
      g_autoptr (GBytes) bytes = NULL;
      gboolean done;
      gboolean past;

      if (_flow_pull_is_cancelled (pull, error) || !_flow_dataset_open_file (self, pull, &done, &past, error))
        return FALSE;
      if (done)
        return TRUE;
      if (!self->numbers[FLOW_FILE_IS_OPEN])
        {
          if (!begin_fixed (self, error))
            return FALSE;
          continue;
        }
      if (!past && !read_fixed (self, &bytes, error))
        return FALSE;
      if (bytes != NULL)
        return put_bytes (pull, bytes, out, error);
      _flow_dataset_leave_file (self);
    }
}

static const FlowDatasetKind text_kind = { "TextLineDataset", NULL, text_next, NULL };
static const FlowDatasetKind tf_record_kind = { "TFRecordDataset", NULL, tf_record_next, NULL };
static const FlowDatasetKind fixed_kind = { "FixedLengthRecordDataset", NULL, fixed_next, NULL };

static gboolean
check_files (FlowKernelContext *c,
             GError           **error)
{
  if (FLOW_RANK (flow_kernel_input (c, 0)) > 1)
    return _flow_refuse (error, "`filenames` must be a scalar or a vector.");
  return TRUE;
}

static gboolean
files_compute (FlowKernelContext     *c,
               const FlowDatasetKind *kind,
               const char            *no_buffer,
               GError               **error)
{
  g_autoptr (FlowShape) scalar = flow_shape_new_scalar ();
  g_autoptr (FlowTensor) compression = NULL;
  FlowDataset *dataset;
  gint64 buffer_size;

  if (!check_files (c, error))
    return FALSE;
  compression = _flow_dataset_read_compression (c, 1, error);
  if (compression == NULL || !_flow_dataset_read_int (c, 2, "buffer_size", &buffer_size, error))
    return FALSE;
  if (buffer_size < 0)
    return _flow_refuse (error, "`buffer_size` must be >= 0 (0 == %s)", no_buffer);
  dataset = _flow_dataset_new (c, kind);
  _flow_dataset_set_component (dataset, FLOW_DTYPE_STRING, scalar);
  _flow_dataset_add_tensor (dataset, flow_kernel_input (c, 0));
  _flow_dataset_add_tensor (dataset, compression);
  return _flow_dataset_put (c, dataset, error);
}

static gboolean
text_compute (FlowKernelContext *c,
              GError           **error)
{
  return files_compute (c, &text_kind, "default", error);
}

static gboolean
tf_record_compute (FlowKernelContext *c,
                   GError           **error)
{
  return files_compute (c, &tf_record_kind, "no buffering", error);
}

static gboolean
fixed_compute (FlowKernelContext *c,
               GError           **error)
{
  static const char *const names[] = { "header_bytes", "record_bytes", "footer_bytes", "buffer_size" };
  g_autoptr (FlowShape) scalar = flow_shape_new_scalar ();
  g_autoptr (FlowTensor) compression = NULL;
  gint64 numbers[4];
  FlowDataset *dataset;

  if (!check_files (c, error))
    return FALSE;
  for (guint i = 0; i < 4; i++)
    {
      if (!_flow_dataset_read_int (c, i + 1, names[i], &numbers[i], error))
        return FALSE;
      if (numbers[i] < (i == FIXED_RECORD))
        return _flow_refuse (error, "`%s` must be %s 0%s", names[i], i == FIXED_RECORD ? ">" : ">=",
                             i == 3 ? " (0 == default)" : "");
    }
  FLOW_REQUIRE (numbers[0] <= G_MAXINT32 && numbers[1] <= G_MAXINT32 && numbers[2] <= G_MAXINT32, error,
                RESOURCE_EXHAUSTED, "OOM when allocating a record of %" G_GINT64_FORMAT " bytes", numbers[1]);
  compression = _flow_dataset_read_compression (c, 5, error);
  if (compression == NULL)
    return FALSE;
  dataset = _flow_dataset_new (c, &fixed_kind);
  _flow_dataset_set_component (dataset, FLOW_DTYPE_STRING, scalar);
  memcpy (dataset->numbers, numbers, 3 * sizeof (gint64));
  _flow_dataset_add_tensor (dataset, flow_kernel_input (c, 0));
  _flow_dataset_add_tensor (dataset, compression);
  return _flow_dataset_put (c, dataset, error);
}

/* --- names of files ------------------------------------------------------------------------------------------- */

/* The names are looked up when the first is asked for, and are elements that wait from then on. */
static gboolean
matching_files_start (FlowPosition  *self,
                      FlowPull      *pull,
                      GError       **error)
{
  const FlowTensor *patterns = self->dataset->tensors[0];
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (gint64 i = 0; i < patterns->n_elements; i++)
    {
      g_autofree char *pattern = _flow_dup_string (patterns, i);
      g_autoptr (GPtrArray) some = g_ptr_array_new ();

      if (!_flow_match_files (pull->c, pattern, some, error))
        {
          g_ptr_array_set_free_func (some, g_free);
          return FALSE;
        }
      g_ptr_array_sort (some, flow_compare_texts);
      g_ptr_array_extend_and_steal (names, g_steal_pointer (&some));
    }
  FLOW_REQUIRE (names->len > 0, error, NOT_FOUND, "Don't find any matched files");
  for (guint i = 0; i < names->len; i++)
    {
      FlowTensor *tensor = flow_tensor_new_string (names->pdata[i], -1);
      FlowTuple *tuple = _flow_element_new (pull, &tensor, 1, error);

      if (tuple == NULL)
        return FALSE;
      _flow_position_put (self, i, tuple);
    }
  return TRUE;
}

static gboolean
matching_files_next (FlowPosition  *self,
                     FlowPull      *pull,
                     FlowTuple    **out,
                     GError       **error)
{
  *out = _flow_position_take (self, (guint) self->numbers[0]++);
  return TRUE;
}

static const FlowDatasetKind matching_files_kind = {
  "MatchingFilesDataset", matching_files_start, matching_files_next, NULL,
};

static gboolean
matching_files_compute (FlowKernelContext *c,
                        GError           **error)
{
  g_autoptr (FlowShape) scalar = flow_shape_new_scalar ();
  FlowDataset *dataset;

  if (FLOW_RANK (flow_kernel_input (c, 0)) > 1)
    return _flow_refuse (error, "`patterns` must be a scalar or a vector.");
  dataset = _flow_dataset_new (c, &matching_files_kind);
  _flow_dataset_set_component (dataset, FLOW_DTYPE_STRING, scalar);
  _flow_dataset_add_tensor (dataset, flow_kernel_input (c, 0));
  return _flow_dataset_put (c, dataset, error);
}

static const FlowOpDef ops[] = {
  {
    .name = "TensorDataset",
    .inputs = "components: Toutput_types",
    .outputs = "handle: variant",
    .attrs = "Toutput_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset of one element",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, tensor_compute }, { NULL } },
  },
  {
    .name = "TensorSliceDataset",
    .inputs = "components: Toutput_types",
    .outputs = "handle: variant",
    .attrs = "Toutput_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset of the rows of tensors",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, slice_compute }, { NULL } },
  },
  {
    .name = "SparseTensorSliceDataset",
    .inputs = "indices: int64; values: Tvalues; dense_shape: int64",
    .outputs = "handle: variant",
    .attrs = "Tvalues: type",
    .summary = "A dataset of the rows of a sparse tensor",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, sparse_compute }, { NULL } },
  },
  {
    .name = "RangeDataset",
    .inputs = "start: int64; stop: int64; step: int64",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset of numbers at equal steps",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, range_compute }, { NULL } },
  },
  {
    .name = "RandomDataset",
    .inputs = "seed: int64; seed2: int64",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset of random numbers without end",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, random_compute }, { NULL } },
  },
  {
    .name = "ExperimentalRandomDataset",
    .inputs = "seed: int64; seed2: int64",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset of random numbers without end",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, random_compute }, { NULL } },
  },
  {
    .name = "TextLineDataset",
    .inputs = "filenames: string; compression_type: string; buffer_size: int64",
    .outputs = "handle: variant",
    .summary = "A dataset of the lines of text files",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, text_compute }, { NULL } },
  },
  {
    .name = "TFRecordDataset",
    .inputs = "filenames: string; compression_type: string; buffer_size: int64",
    .outputs = "handle: variant",
    .summary = "A dataset of the records of TFRecord files",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, tf_record_compute }, { NULL } },
  },
  {
    .name = "FixedLengthRecordDataset",
    .inputs = "filenames: string; header_bytes: int64; record_bytes: int64; footer_bytes: int64; "
              "buffer_size: int64",
    .outputs = "handle: variant",
    .summary = "A dataset of records of one length",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, fixed_compute }, { NULL } },
  },
  {
    .name = "FixedLengthRecordDatasetV2",
    .inputs = "filenames: string; header_bytes: int64; record_bytes: int64; footer_bytes: int64; "
              "buffer_size: int64; compression_type: string",
    .outputs = "handle: variant",
    .summary = "A dataset of records of one length",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, fixed_compute }, { NULL } },
  },
  {
    .name = "MatchingFilesDataset",
    .inputs = "patterns: string",
    .outputs = "handle: variant",
    .summary = "A dataset of the files whose names match patterns",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, matching_files_compute }, { NULL } },
  },
  {
    .name = "ExperimentalMatchingFilesDataset",
    .inputs = "patterns: string",
    .outputs = "handle: variant",
    .summary = "A dataset of the files whose names match patterns",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, matching_files_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (dataset_source, ops)
