/* flow-kernels-sparse_cross.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Crossed features: every way to take one feature of each column, as text or as a hash.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-string-hash-private.h"
#include "flow-string-private.h"

#include <string.h>

#define SEPARATOR "_X_"

/* One column: a row of features for each example. */
typedef struct {
  const FlowTensor *values;
  gint64 width;                /* of a dense one, else -1 */
  gint64 *starts;              /* of a sparse one: the first feature of each example, and the end */
} Column;

typedef struct {
  guint n;
  Column *columns;
  gint64 batch;
  gint64 *at;                  /* the feature of each column that is taken now */
  Text separator;
  gboolean is_v2;              /* TensorFlow 2 has words of its own */
  gboolean has_old_hash;       /* the first of tf.contrib's ops has another */
  gboolean is_hashed;          /* TensorFlow 2's: the first feature's hash begins, */
  gboolean is_strong;          /* and hashes go by a key */
  guint64 salt[2];
} Cross;

static void
cross_clear (Cross *self)
{
  for (guint k = 0; self->columns != NULL && k < self->n; k++)
    g_free (self->columns[k].starts);
  g_clear_pointer (&self->columns, g_free);
  g_clear_pointer (&self->at, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Cross, cross_clear)

static gboolean
cross_infer (FlowInferContext  *c,
             GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_matrix (FLOW_DIM_UNKNOWN, 2));
  flow_infer_take_output (c, 1, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 2, flow_shape_new_vector (2));
  return TRUE;
}

static gint64
feature_count (const Column *column,
               gint64        b)
{
  return column->width >= 0 ? column->width : column->starts[b + 1] - column->starts[b];
}

/* TensorFlow looks at the indices of all columns, then at the values of all, then at the shapes. */
static gboolean
check_indices (FlowKernelContext  *c,
               guint               n_sparse,
               GError            **error)
{
  for (guint k = 0; k < n_sparse; k++)
    {
      const FlowTensor *indices = flow_kernel_input (c, k);
      g_autofree char *shape = flow_tensor_shape_text (indices);

      if (FLOW_RANK (indices) != 2)
        return _flow_refuse (error, "Input indices should be a matrix but received shape %s at position %u", shape, k);
      if (FLOW_DIMS (indices)[1] != 2)
        return _flow_refuse (error, "Expected D2 of index to be 2 got %" G_GINT64_FORMAT " at position %u",
                             FLOW_DIMS (indices)[1], k);
    }
  return TRUE;
}

static gboolean
check_values (FlowKernelContext  *c,
              guint               n_sparse,
              GError            **error)
{
  guint n_values = (guint) flow_attr_get_length (flow_kernel_attr (c, "sparse_types"));

  if (n_values != n_sparse)
    return _flow_refuse (error, "Expected %u input values, got %u", n_sparse, n_values);
  for (guint k = 0; k < n_sparse; k++)
    {
      const FlowTensor *indices = flow_kernel_input (c, k);
      const FlowTensor *values = flow_kernel_input (c, n_sparse + k);
      g_autofree char *shape = flow_tensor_shape_text (values);

      if (!flow_is_vector (values))
        return _flow_refuse (error, "Input values should be a std::vector but received shape %s at position %u", shape, k);
      if (values->n_elements != FLOW_DIMS (indices)[0])
        return _flow_refuse (error, "Expected size of values to be %" G_GINT64_FORMAT " got %" G_GINT64_FORMAT
                             " at position %u", FLOW_DIMS (indices)[0], values->n_elements, k);
    }
  return TRUE;
}

static gboolean
check_shapes (FlowKernelContext  *c,
              guint               n_sparse,
              gint64              batch,
              GError            **error)
{
  for (guint k = 0; k < n_sparse; k++)
    {
      const FlowTensor *dense_shape = flow_kernel_input (c, 2 * n_sparse + k);
      g_autofree char *shape = flow_tensor_shape_text (dense_shape);

      if (!flow_is_vector (dense_shape))
        return _flow_refuse (error, "Input shapes should be a std::vector but received shape %s at position %u", shape, k);
      if (dense_shape->n_elements != 2)
        return _flow_refuse (error, "shape should imply a 2D tensor, but got %s at position %u", shape, k);
      if (FLOW_DATA (gint64, dense_shape)[0] != batch)
        return _flow_refuse (error, "Expected batch size %" G_GINT64_FORMAT " got %" G_GINT64_FORMAT " at position %u",
                             batch, FLOW_DATA (gint64, dense_shape)[0], k);
    }
  return TRUE;
}

/* TF 2: column after column. */
static gboolean
check_column_v2 (const FlowTensor  *indices,
                 const FlowTensor  *values,
                 const FlowTensor  *shape,
                 guint              k,
                 GError           **error)
{
  if (FLOW_RANK (indices) != 2)
    return _flow_refuse_shapes (error, indices, NULL, "Input indices should be a matrix but received shape %s");
  if (FLOW_DIMS (indices)[1] != 2)
    return _flow_refuse (error, "Expected D2 of index to be 2 got %" G_GINT64_FORMAT " at position %u", FLOW_DIMS (indices)[1], k);
  if (!flow_is_vector (values))
    return _flow_refuse_shapes (error, values, NULL, "Input values should be a vector but received shape %s");
  if (values->n_elements != FLOW_DIMS (indices)[0])
    return _flow_refuse (error, "Expected size of values to be %" G_GINT64_FORMAT " got %" G_GINT64_FORMAT " at position %u",
                         FLOW_DIMS (indices)[0], values->n_elements, k);
  if (!flow_is_vector (shape))
    return _flow_refuse_shapes (error, shape, NULL, "Input shapes should be a vector but received shape %s");
  if (shape->n_elements != 2)
    return _flow_refuse (error, "Expected shape to imply a single column? got %" G_GINT64_FORMAT " at position %u",
                         shape->n_elements, k);
  return TRUE;
}

static gboolean
check_columns_v2 (FlowKernelContext  *c,
                  guint               n_sparse,
                  GError            **error)
{
  if (flow_attr_get_length (flow_kernel_attr (c, "sparse_types")) != n_sparse)
    return _flow_refuse (error, "Expected as many values as indices");
  for (guint k = 0; k < n_sparse; k++)
    if (!check_column_v2 (flow_kernel_input (c, k), flow_kernel_input (c, n_sparse + k),
                          flow_kernel_input (c, 2 * n_sparse + k), k, error))
      return FALSE;
  return TRUE;
}

/* How many examples there are, as the first column says it; -1 where it says nothing, which the checks refuse. */
static gint64
batch_size (FlowKernelContext *c,
            guint              n_sparse,
            guint              n_dense)
{
  const FlowTensor *first = n_sparse > 0 ? flow_kernel_input (c, 2 * n_sparse) : n_dense > 0 ? flow_kernel_input (c, 0) : NULL;

  if (first == NULL)
    return 0;
  if (n_sparse > 0)
    return first->n_elements > 0 ? FLOW_DATA (gint64, first)[0] : -1;
  return FLOW_RANK (first) > 0 ? FLOW_DIMS (first)[0] : -1;
}

/* TF: goes through the features once, example after example: from one that does not follow on, or that is of no
 * example, the rest of its column is left out. */
static gboolean
read_sparse_column (Cross             *cross,
                    guint              k,
                    const FlowTensor  *indices,
                    GError           **error)
{
  gint64 *starts = g_try_new0 (gint64, (gsize) cross->batch + 2);
  gint64 at = 0;

  FLOW_REQUIRE (starts != NULL, error, RESOURCE_EXHAUSTED, "OOM when counting features");
  cross->columns[k].starts = starts;
  for (gint64 b = 0; b < cross->batch; b++)
    {
      while (at < FLOW_DIMS (indices)[0] && FLOW_DATA (gint64, indices)[2 * at] == b)
        at++;
      starts[b + 1] = at;
    }
  return TRUE;
}

static gboolean
read_columns (FlowKernelContext  *c,
              Cross              *cross,
              GError            **error)
{
  guint n_sparse = (guint) flow_kernel_attr_int (c, "N");
  guint n_dense = (guint) flow_attr_get_length (flow_kernel_attr (c, "dense_types"));

  if (cross->is_v2 ? !check_columns_v2 (c, n_sparse, error)
                   : !check_indices (c, n_sparse, error) || !check_values (c, n_sparse, error))
    return FALSE;
  cross->n = n_sparse + n_dense;
  cross->columns = g_new0 (Column, cross->n + 1);
  cross->at = g_new0 (gint64, cross->n + 1);
  cross->batch = batch_size (c, n_sparse, n_dense);
  if (!check_shapes (c, n_sparse, cross->batch, error))
    return FALSE;
  for (guint k = 0; k < n_dense; k++)
    {
      FlowTensor *values = flow_kernel_input (c, 3 * n_sparse + k);

      if (FLOW_RANK (values) != 2)
        {
          g_autofree char *shape = flow_tensor_shape_text (values);

          return _flow_refuse (error, "Dense inputs should be a matrix but received shape %s at position %u", shape, k);
        }
      if (FLOW_DIMS (values)[0] != cross->batch)
        return _flow_refuse (error, "Expected batch size %" G_GINT64_FORMAT " got %" G_GINT64_FORMAT " at dense tensor %u",
                             cross->batch, FLOW_DIMS (values)[0], k);
      cross->columns[n_sparse + k] = (Column) { values, FLOW_DIMS (values)[1], NULL };
    }
  if (cross->batch < 0)
    return _flow_refuse (error, "Dimension %" G_GINT64_FORMAT " must be >= 0", cross->batch);
  for (guint k = 0; k < n_sparse; k++)
    {
      cross->columns[k] = (Column) { flow_kernel_input (c, n_sparse + k), -1, NULL };
      if (!read_sparse_column (cross, k, flow_kernel_input (c, k), error))
        return FALSE;
    }
  return TRUE;
}

/* How many crosses example @b has. */
static gboolean
count_crosses (const Cross  *cross,
               gint64        b,
               gint64       *count,
               GError      **error)
{
  *count = 1;
  for (guint k = 0; k < cross->n; k++)
    if (!flow_mul_int64 (*count, feature_count (&cross->columns[k], b), count))
      return _flow_refuse (error, "Too many crosses");
  return TRUE;
}

static gint64
feature_index (const Cross *cross,
               guint        k,
               gint64       b)
{
  const Column *column = &cross->columns[k];

  return (column->width >= 0 ? b * column->width : column->starts[b]) + cross->at[k];
}

/* The last column changes fastest. */
static void
advance (Cross  *cross,
         gint64  b)
{
  for (guint k = cross->n; k-- > 0;)
    {
      if (++cross->at[k] < feature_count (&cross->columns[k], b))
        return;
      cross->at[k] = 0;
    }
}

static void
put_joined (Cross      *cross,
            gint64      b,
            FlowTensor *out,
            gint64      i,
            GString    *text)
{
  g_string_truncate (text, 0);
  for (guint k = 0; k < cross->n; k++)
    {
      const FlowTensor *values = cross->columns[k].values;
      gint64 at = feature_index (cross, k, b);

      if (k > 0)
        g_string_append_len (text, cross->separator.bytes, (gssize) cross->separator.length);
      if (values->dtype == FLOW_DTYPE_STRING)
        {
          gsize length;
          const char *bytes = flow_tensor_get_string (values, at, &length);

          g_string_append_len (text, bytes, (gssize) length);
        }
      else
        {
          g_string_append_printf (text, "%" G_GINT64_FORMAT, FLOW_DATA (gint64, values)[at]);
        }
    }
  flow_tensor_take_string (out, i, g_bytes_new (text->str, text->len));
}

/* TF's FingerprintCat64. */
static guint64
cat_fingerprints (guint64 a,
                  guint64 b)
{
  const guint64 mul = G_GUINT64_CONSTANT (0xc6a4a7935bd1e995);
  guint64 mixed = b * mul;
  guint64 result = a ^ mul;

  result ^= (mixed ^ (mixed >> 47)) * mul;
  result *= mul;
  result = (result ^ (result >> 47)) * mul;
  return result ^ (result >> 47);
}

/* What the first version begins with, in place of a key. */
#define OLD_SEED G_GUINT64_CONSTANT (0xdecafcaffe)

/* TF: its HashCombine, on numbers with a sign. */
static guint64
combine_old (guint64 a,
             guint64 b)
{
  return a ^ (b + G_GUINT64_CONSTANT (0x9e3779b97f4a7800) + (a << 10) + (guint64) ((gint64) a >> 4));
}

/* TF: of a number in a keyed column, it takes as many bytes as its name for a dtype has. */
#define NUMBER_BYTES 4

static guint64
hash_feature (const Cross  *cross,
              const Column *column,
              gint64        at)
{
  gsize length = NUMBER_BYTES;
  gconstpointer bytes;

  if (column->values->dtype == FLOW_DTYPE_STRING)
    bytes = flow_tensor_get_string (column->values, at, &length);
  else if (cross->is_strong || (cross->is_hashed && column->width < 0))
    bytes = FLOW_DATA (gint64, column->values) + at;
  else
    return (guint64) FLOW_DATA (gint64, column->values)[at];
  return cross->is_strong ? _flow_hash_sip (bytes, length, cross->salt) : _flow_hash_farm (bytes, length);
}

static gint64
hash_of (const Cross *cross,
         gint64       b,
         guint64      key,
         gint64       n_buckets)
{
  guint64 hash = cross->has_old_hash ? OLD_SEED : key;

  for (guint k = 0; k < cross->n; k++)
    {
      const guint64 feature = hash_feature (cross, &cross->columns[k], feature_index (cross, k, b));

      if (cross->is_hashed && k == 0)
        hash = feature;
      else
        hash = cross->has_old_hash ? combine_old (hash, feature) : cat_fingerprints (hash, feature);
    }
  /* TF: without buckets, so that no hash is negative. */
  return (gint64) (hash % (guint64) (n_buckets > 0 ? n_buckets : G_MAXINT64));
}

static gboolean
put_crosses (FlowKernelContext  *c,
             Cross              *cross,
             gint64              n_buckets,
             GError            **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const FlowAttr *hash_key = flow_kernel_attr (c, "hash_key");
  const guint64 key = hash_key != NULL ? (guint64) flow_attr_get_int (hash_key) : 0;
  gint64 total = 0;
  gint64 widest = 0;
  gint64 at = 0;
  gsize bytes = 0;
  FlowTensor *indices;
  FlowTensor *values;
  FlowTensor *shape;

  for (gint64 b = 0; b < cross->batch; b++)
    {
      gint64 count;

      if (!count_crosses (cross, b, &count, error))
        return FALSE;
      if (!flow_add_int64 (total, count, &total))
        return _flow_refuse (error, "Too many crosses");
      widest = MAX (widest, count);
    }
  indices = flow_kernel_allocate_dims (c, 0, 2, (gint64[]) { total, 2 }, error);
  values = indices != NULL ? flow_kernel_allocate_dims (c, 1, 1, (gint64[]) { total }, error) : NULL;
  shape = values != NULL ? flow_kernel_allocate_dims (c, 2, 1, (gint64[]) { 2 }, error) : NULL;
  if (shape == NULL)
    return FALSE;
  FLOW_WRITABLE (gint64, shape)[0] = cross->batch;
  FLOW_WRITABLE (gint64, shape)[1] = widest;
  for (gint64 b = 0; b < cross->batch; b++)
    {
      gint64 count;

      if (!count_crosses (cross, b, &count, error))
        return FALSE;
      memset (cross->at, 0, sizeof (gint64) * cross->n);
      for (gint64 k = 0; k < count; k++, at++)
        {
          FLOW_WRITABLE (gint64, indices)[2 * at] = b;
          FLOW_WRITABLE (gint64, indices)[2 * at + 1] = k;
          if (values->dtype == FLOW_DTYPE_STRING)
            {
              put_joined (cross, b, values, at, text);
              bytes += text->len;
              if ((at & 0xfff) == 0 && !reserve_text (c, bytes, error))
                return FALSE;
            }
          else
            FLOW_WRITABLE (gint64, values)[at] = hash_of (cross, b, key, n_buckets);
          advance (cross, b);
        }
    }
  return TRUE;
}

static gboolean
cross_compute (FlowKernelContext  *c,
               GError            **error)
{
  g_auto (Cross) cross = { 0 };

  cross.separator = (Text) { SEPARATOR, strlen (SEPARATOR) };
  return read_columns (c, &cross, error) && put_crosses (c, &cross, flow_kernel_attr_int (c, "num_buckets"), error);
}

static gboolean
feature_cross_compute (FlowKernelContext  *c,
                       GError            **error)
{
  g_auto (Cross) cross = { 0 };

  cross.separator = (Text) { SEPARATOR, strlen (SEPARATOR) };
  cross.has_old_hash = strcmp (c->signature->name, "SparseFeatureCross") == 0;
  return read_columns (c, &cross, error) && put_crosses (c, &cross, flow_kernel_attr_int (c, "num_buckets"), error);
}

/* TF 2: texts alone, and what stands between them is told. */
static gboolean
cross_v2_compute (FlowKernelContext  *c,
                  GError            **error)
{
  const FlowTensor *separator = flow_kernel_input (c, c->n_inputs - 1);
  g_auto (Cross) cross = { 0 };

  if (!flow_is_scalar (separator))
    return _flow_refuse_shapes (error, separator, NULL, "Input separator should be a scalar. Received: %s");
  cross.separator = text_at (separator, 0);
  cross.is_v2 = TRUE;
  return read_columns (c, &cross, error) && put_crosses (c, &cross, 0, error);
}

/* TF 2: hashes alone, weak ones or such as go by a key. */
static gboolean
hashed_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensor *n_buckets = flow_kernel_input (c, c->n_inputs - 3);
  const FlowTensor *strong = flow_kernel_input (c, c->n_inputs - 2);
  const FlowTensor *salt = flow_kernel_input (c, c->n_inputs - 1);
  g_auto (Cross) cross = { .is_v2 = TRUE, .is_hashed = TRUE };

  if (!flow_is_scalar (n_buckets) || !flow_is_scalar (strong))
    return _flow_refuse (error, "num_buckets and strong_hash must be scalars");
  if (salt->n_elements != 2)
    return _flow_refuse (error, "Input \"salt\" must have length 2 but has length %" G_GINT64_FORMAT, salt->n_elements);
  cross.is_strong = *FLOW_DATA (guint8, strong) != 0;
  for (guint i = 0; i < 2; i++)
    cross.salt[i] = (guint64) FLOW_DATA (gint64, salt)[i];
  return read_columns (c, &cross, error) && put_crosses (c, &cross, *FLOW_DATA (gint64, n_buckets), error);
}

/* --- RaggedCross ----------------------------------------------------------------------------------------------------- */

#define ONLY_MATRICES "tf.ragged.cross only supports inputs with rank=2."

/* Where the inputs of each kind begin. */
typedef struct {
  guint n_ragged;
  guint n_sparse;
  guint n_dense;
  guint splits;
  guint indices;
  guint sparse_values;
  guint shapes;
  guint dense;
} RaggedInputs;

static gboolean
find_inputs (FlowKernelContext  *c,
             RaggedInputs       *in,
             GError            **error)
{
  gsize n_order;

  in->n_ragged = (guint) flow_attr_get_length (flow_kernel_attr (c, "ragged_values_types"));
  in->n_sparse = (guint) flow_kernel_attr_int (c, "Nsparse");
  in->n_dense = (guint) flow_attr_get_length (flow_kernel_attr (c, "dense_types"));
  in->splits = in->n_ragged;
  in->indices = 2 * in->n_ragged;
  in->sparse_values = in->indices + in->n_sparse;
  in->shapes = in->sparse_values + in->n_sparse;
  in->dense = in->shapes + in->n_sparse;
  if (flow_attr_get_length (flow_kernel_attr (c, "ragged_splits_types")) != in->n_ragged)
    return _flow_refuse (error, "ragged values and splits must have the same length");
  if (flow_attr_get_length (flow_kernel_attr (c, "sparse_values_types")) != in->n_sparse)
    return _flow_refuse (error, "sparse indices and values must have the same length");
  flow_attr_get_string (flow_kernel_attr (c, "input_order"), &n_order);
  if (n_order != in->n_ragged + in->n_sparse + in->n_dense)
    return _flow_refuse (error, "Invalid length for input_order");
  return TRUE;
}

static gboolean
check_ragged (FlowKernelContext   *c,
              const RaggedInputs  *in,
              guint                i,
              GError             **error)
{
  const FlowTensor *values = flow_kernel_input (c, i);
  const FlowTensor *splits = flow_kernel_input (c, in->splits + i);

  if (!flow_is_vector (values) || !flow_is_vector (splits))
    return _flow_refuse (error, ONLY_MATRICES);
  FLOW_REQUIRE ((int) splits->dtype == c->output_dtypes[1], error, INVALID_ARGUMENT, "Unexpected row_splits.dtype for input %u", i + 1);
  if (splits->n_elements == 0)
    return _flow_refuse (error, "Invalid RaggedTensor: Ragged splits must have at least one element.");
  if (flow_index_at (splits, 0) != 0)
    return _flow_refuse (error, "Invalid RaggedTensor: Ragged splits must start from 0.");
  for (gint64 k = 1; k < splits->n_elements; k++)
    if (flow_index_at (splits, k) < flow_index_at (splits, k - 1))
      return _flow_refuse (error, "Invalid RaggedTensor: Ragged splits must be sorted in ascending order.");
  if (flow_index_at (splits, splits->n_elements - 1) != values->n_elements)
    return _flow_refuse (error, "Invalid RaggedTensor: Ragged splits must end with the number of values.");
  return TRUE;
}

static gboolean
check_ragged_inputs (FlowKernelContext   *c,
                     const RaggedInputs  *in,
                     gint64              *batch,
                     GError             **error)
{
  for (guint i = 0; i < in->n_ragged; i++)
    if (!check_ragged (c, in, i, error))
      return FALSE;
  for (guint i = 0; i < in->n_sparse; i++)
    {
      const FlowTensor *indices = flow_kernel_input (c, in->indices + i);
      const FlowTensor *values = flow_kernel_input (c, in->sparse_values + i);
      const FlowTensor *shape = flow_kernel_input (c, in->shapes + i);

      if (FLOW_RANK (indices) != 2 || !flow_is_vector (values) || !flow_is_vector (shape))
        return _flow_refuse (error, "Invalid SparseTensor %u", i);
      if (shape->n_elements != 2)
        return _flow_refuse (error, ONLY_MATRICES);
      /* TF: reads rows that are not there. */
      if (FLOW_DIMS (indices)[0] != values->n_elements || FLOW_DIMS (indices)[1] != 2)
        return _flow_refuse (error, "Invalid SparseTensor %u", i);
    }
  for (guint i = 0; i < in->n_dense; i++)
    if (FLOW_RANK (flow_kernel_input (c, in->dense + i)) != 2)
      return _flow_refuse (error, ONLY_MATRICES);
  *batch = in->n_ragged > 0 ? flow_kernel_input (c, in->splits)->n_elements - 1
           : in->n_dense > 0 ? FLOW_DIMS (flow_kernel_input (c, in->dense))[0]
           : in->n_sparse > 0 ? FLOW_DATA (gint64, flow_kernel_input (c, in->shapes))[0] : 0;
  for (guint i = 0; i < in->n_ragged + in->n_sparse + in->n_dense; i++)
    {
      const guint k = i - in->n_ragged;
      const gint64 rows = i < in->n_ragged ? flow_kernel_input (c, in->splits + i)->n_elements - 1
                          : k < in->n_sparse ? FLOW_DATA (gint64, flow_kernel_input (c, in->shapes + k))[0]
                          : FLOW_DIMS (flow_kernel_input (c, in->dense + k - in->n_sparse))[0];

      if (rows != *batch || rows < 0)
        return _flow_refuse (error, "inputs must all have the same batch dimension size.");
    }
  return TRUE;
}

/* TF: a value of an earlier row is one of the row at which it is met. */
static gboolean
read_later_column (Cross             *cross,
                   Column            *column,
                   const FlowTensor  *indices,
                   GError           **error)
{
  gint64 at = 0;

  column->starts = g_try_new0 (gint64, (gsize) cross->batch + 2);
  FLOW_REQUIRE (column->starts != NULL, error, RESOURCE_EXHAUSTED, "OOM when counting features");
  for (gint64 b = 0; b < cross->batch; b++)
    {
      while (at < FLOW_DIMS (indices)[0] && FLOW_DATA (gint64, indices)[2 * at] <= b)
        at++;
      column->starts[b + 1] = at;
    }
  return TRUE;
}

/* The column that comes next in the order that is asked for: one that is ragged, sparse or dense, each by its turn. */
static gboolean
read_ordered_column (FlowKernelContext   *c,
                     const RaggedInputs  *in,
                     Cross               *cross,
                     char                 kind,
                     guint                next[3],
                     GError             **error)
{
  static const char kinds[] = "RSD";
  static const char *const names[] = { "ragged tensor value", "sparse tensor value", "dense tensor" };
  static const char *const lists[] = { "values", "values", "tensors" };
  const guint counts[] = { in->n_ragged, in->n_sparse, in->n_dense };
  const char *place = kind != '\0' ? strchr (kinds, kind) : NULL;
  Column *column = &cross->columns[cross->n];
  guint which;
  guint i;

  if (place == NULL)
    return _flow_refuse (error, "Unexpected input_order value.");
  which = (guint) (place - kinds);
  i = next[which]++;
  if (i >= counts[which])
    return _flow_refuse (error, "input_order \"%s\" specifies reading a %s at index %u from a list of %u %s.",
                         flow_kernel_attr_string (c, "input_order"), names[which], i, counts[which], lists[which]);
  cross->n++;
  *column = (Column) { flow_kernel_input (c, which == 0 ? i : which == 1 ? in->sparse_values + i : in->dense + i), -1, NULL };
  if (which == 1)
    return read_later_column (cross, column, flow_kernel_input (c, in->indices + i), error);
  if (which == 2)
    {
      column->width = FLOW_DIMS (column->values)[1];
      return TRUE;
    }
  column->starts = g_new (gint64, (gsize) cross->batch + 1);
  for (gint64 b = 0; b <= cross->batch; b++)
    column->starts[b] = flow_index_at (flow_kernel_input (c, in->splits + i), b);
  return TRUE;
}

static gboolean
put_ragged (FlowKernelContext  *c,
            Cross              *cross,
            GError            **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const guint64 key = (guint64) flow_kernel_attr_int (c, "hash_key");
  const gint64 n_buckets = flow_kernel_attr_int (c, "num_buckets");
  FlowTensor *splits = flow_kernel_allocate_dims (c, 1, 1, (gint64[]) { cross->batch + 1 }, error);
  FlowTensor *values;
  gint64 total = 0;
  gint64 at = 0;
  gsize bytes = 0;

  for (gint64 b = 0; splits != NULL && b <= cross->batch; b++)
    {
      gint64 count = 0;

      if (splits->dtype == FLOW_DTYPE_INT64)
        FLOW_WRITABLE (gint64, splits)[b] = total;
      else
        FLOW_WRITABLE (gint32, splits)[b] = (gint32) total;
      if (b < cross->batch && (!count_crosses (cross, b, &count, error) || !flow_add_int64 (total, count, &total)))
        return error != NULL && *error != NULL ? FALSE : _flow_refuse (error, "Too many crosses");
    }
  FLOW_REQUIRE (splits == NULL || splits->dtype == FLOW_DTYPE_INT64 || total <= G_MAXINT32, error, INVALID_ARGUMENT,
                "Too many crosses");
  values = splits != NULL ? flow_kernel_allocate_dims (c, 0, 1, &total, error) : NULL;
  if (values == NULL)
    return FALSE;
  for (gint64 b = 0; b < cross->batch; b++)
    {
      gint64 count;

      if (!count_crosses (cross, b, &count, error))
        return FALSE;
      memset (cross->at, 0, sizeof (gint64) * cross->n);
      for (gint64 k = 0; k < count; k++, at++)
        {
          if (values->dtype == FLOW_DTYPE_STRING)
            {
              put_joined (cross, b, values, at, text);
              bytes += text->len;
              if ((at & 0xfff) == 0 && !reserve_text (c, bytes, error))
                return FALSE;
            }
          else
            FLOW_WRITABLE (gint64, values)[at] = hash_of (cross, b, key, n_buckets);
          advance (cross, b);
        }
    }
  return TRUE;
}

static gboolean
ragged_compute (FlowKernelContext  *c,
                GError            **error)
{
  const char *order = flow_kernel_attr_string (c, "input_order");
  g_auto (Cross) cross = { .separator = { SEPARATOR, strlen (SEPARATOR) } };
  RaggedInputs in;
  guint next[3] = { 0, 0, 0 };
  guint n;

  if (!find_inputs (c, &in, error) || !check_ragged_inputs (c, &in, &cross.batch, error))
    return FALSE;
  n = in.n_ragged + in.n_sparse + in.n_dense;
  cross.columns = g_new0 (Column, n + 1);
  cross.at = g_new0 (gint64, n + 1);
  for (guint i = 0; i < n; i++)
    if (!read_ordered_column (c, &in, &cross, order[i], next, error))
      return FALSE;
  return put_ragged (c, &cross, error);
}

static gboolean
ragged_infer (FlowInferContext  *c,
              GError           **error)
{
  const guint n_ragged = (guint) flow_attr_get_length (flow_infer_attr (c, "ragged_values_types"));
  gint64 splits = FLOW_DIM_UNKNOWN;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (n_ragged > 0 && n_ragged < c->n_inputs)
    splits = flow_shape_get_dim (flow_infer_input (c, n_ragged), 0);
  flow_infer_take_output (c, 0, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 1, flow_shape_new_vector (splits));
  return TRUE;
}

/* tf.contrib's, before there was SparseCross. */
#define FEATURE_CROSS(op, more)                                                                            \
  { .name = op, .inputs = "indices: N * int64; values: sparse_types; shapes: N * int64; dense: dense_types", \
    .outputs = "output_indices: int64; output_values: out_type; output_shape: int64",                      \
    .attrs = "N: int >= 0; hashed_output: bool; num_buckets: int >= 0; " more                               \
             "sparse_types: list({int64, string}) >= 0; dense_types: list({int64, string}) >= 0; "          \
             "out_type: {int64, string}; internal_type: {int64, string}",                                   \
    .summary = "Crosses features of several columns", .family = FLOW_OP_FAMILY_MATH, .infer = cross_infer,  \
    .kernels = (const FlowKernelDef[]) {                                                                    \
      { "out_type: int64 string; internal_type: int64 string", feature_cross_compute }, { NULL } } }

static const FlowOpDef ops[] = {
  { .name = "RaggedCross",
    .inputs = "ragged_values: ragged_values_types; ragged_row_splits: ragged_splits_types; sparse_indices: Nsparse * int64; "
              "sparse_values: sparse_values_types; sparse_shape: Nsparse * int64; dense_inputs: dense_types",
    .outputs = "output_values: out_values_type; output_row_splits: out_row_splits_type",
    .attrs = "Nsparse: int >= 0; input_order: string; hashed_output: bool; num_buckets: int >= 0; hash_key: int; "
             "ragged_values_types: list({int64, string}) >= 0; ragged_splits_types: list({int32, int64}) >= 0; "
             "sparse_values_types: list({int64, string}) >= 0; dense_types: list({int64, string}) >= 0; "
             "out_values_type: {int64, string}; out_row_splits_type: {int32, int64}",
    .summary = "Crosses features of ragged, sparse and dense columns", .family = FLOW_OP_FAMILY_MATH, .infer = ragged_infer,
    .kernels = (const FlowKernelDef[]) { { "out_row_splits_type: int32 int64", ragged_compute }, { NULL } } },
  { .name = "SparseCrossHashed",
    .inputs = "indices: N * int64; values: sparse_types; shapes: N * int64; dense_inputs: dense_types; num_buckets: int64; "
              "strong_hash: bool; salt: int64",
    .outputs = "output_indices: int64; output_values: int64; output_shape: int64",
    .attrs = "N: int >= 0; sparse_types: list({int64, string}) >= 0; dense_types: list({int64, string}) >= 0",
    .summary = "Crosses features of several columns as hashes", .family = FLOW_OP_FAMILY_MATH, .infer = cross_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, hashed_compute }, { NULL } } },
  { .name = "SparseCrossV2",
    .inputs = "indices: N * int64; values: sparse_types; shapes: N * int64; dense_inputs: dense_types; sep: string",
    .outputs = "output_indices: int64; output_values: string; output_shape: int64",
    .attrs = "N: int >= 0; sparse_types: list({int64, string}) >= 0; dense_types: list({int64, string}) >= 0",
    .summary = "Crosses features of several columns as text", .family = FLOW_OP_FAMILY_MATH, .infer = cross_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, cross_v2_compute }, { NULL } } },
  { .name = "SparseCross",
    .inputs = "indices: N * int64; values: sparse_types; shapes: N * int64; dense_inputs: dense_types",
    .outputs = "output_indices: int64; output_values: out_type; output_shape: int64",
    .attrs = "N: int >= 0; hashed_output: bool; num_buckets: int >= 0; hash_key: int; "
             "sparse_types: list({int64, string}) >= 0; dense_types: list({int64, string}) >= 0; "
             "out_type: {int64, string}; internal_type: {int64, string}",
    .summary = "Crosses features of several columns", .family = FLOW_OP_FAMILY_MATH, .infer = cross_infer,
    .kernels = (const FlowKernelDef[]) { { "out_type: int64 string; internal_type: int64 string", cross_compute }, { NULL } } },
  FEATURE_CROSS ("SparseFeatureCross", ""),
  FEATURE_CROSS ("SparseFeatureCrossV2", "hash_key: int; "),
};

FLOW_DEFINE_OP_FAMILY (sparse_cross, ops)
