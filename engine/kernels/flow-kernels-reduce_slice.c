/* flow-kernels-reduce_slice.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reductions of stretches along one axis, each stretch with a first and a last index of its own; and records of
 * LibSVM.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-string-private.h"

#include <math.h>
#include <string.h>

/* --- ReduceSlice* --------------------------------------------------------------------------------------------- */

static gboolean
slice_infer (FlowInferContext  *c,
             GError           **error)
{
  const FlowShape *data = flow_infer_input (c, 0);
  const FlowShape *indices = flow_infer_input (c, 1);
  g_autoptr (FlowShape) axis = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 2), 0, &axis, error))
    return FALSE;
  if (flow_shape_get_rank (indices) == 2 && flow_shape_get_dim (indices, 1) >= 0 && flow_shape_get_dim (indices, 1) != 2)
    return _flow_refuse (error, "Dimensions must be equal, but are %" G_GINT64_FORMAT " and 2",
                         flow_shape_get_dim (indices, 1));
  if (flow_shape_get_rank (data) >= 0)
    flow_infer_take_output (c, 0, flow_shape_new_of_rank (flow_shape_get_rank (data)));
  else
    flow_infer_take_output (c, 0, flow_shape_new_unknown ());
  return TRUE;
}

/* What a stretch without cells has: the least or the greatest number of its dtype. */
static gboolean
put_bound (int      dtype,
           gboolean least,
           gpointer cell)
{
  switch (dtype)
    {
    case FLOW_DTYPE_FLOAT: *(float *) cell = least ? -INFINITY : INFINITY; return TRUE;
    case FLOW_DTYPE_DOUBLE: *(double *) cell = least ? -(double) INFINITY : (double) INFINITY; return TRUE;
    case FLOW_DTYPE_HALF: *(guint16 *) cell = least ? 0xfc00 : 0x7c00; return TRUE;
    /* TF: knows no infinity of these, and begins with zeros. */
    case FLOW_DTYPE_BFLOAT16: *(guint16 *) cell = least ? 0x8000 : 0; return TRUE;
    case FLOW_DTYPE_INT8: *(gint8 *) cell = least ? G_MININT8 : G_MAXINT8; return TRUE;
    case FLOW_DTYPE_INT16: *(gint16 *) cell = least ? G_MININT16 : G_MAXINT16; return TRUE;
    case FLOW_DTYPE_INT32: *(gint32 *) cell = least ? G_MININT32 : G_MAXINT32; return TRUE;
    case FLOW_DTYPE_INT64: *(gint64 *) cell = least ? G_MININT64 : G_MAXINT64; return TRUE;
    case FLOW_DTYPE_UINT8: *(guint8 *) cell = least ? 0 : G_MAXUINT8; return TRUE;
    case FLOW_DTYPE_UINT16: *(guint16 *) cell = least ? 0 : G_MAXUINT16; return TRUE;
    default: return FALSE;
    }
}

/* Indices are pairs, or the bounds between neighbours. TF: trusts the first of each. */
static gboolean
check_slices (const FlowTensor  *indices,
              guint              width,
              gint64             n,
              gint64             bound,
              GError           **error)
{
  for (gint64 i = 0; i < n; i++)
    {
      const gint64 first = flow_index_at (indices, i * width);
      const gint64 last = flow_index_at (indices, i * width + 1);

      FLOW_REQUIRE (first >= 0 || MIN (last, bound) <= first, error, INVALID_ARGUMENT,
                    "indices[%" G_GINT64_FORMAT "] begins at %" G_GINT64_FORMAT ", before the first cell", i, first);
    }
  return TRUE;
}

static gboolean
reduce_slices (FlowKernelContext  *c,
               FlowCombine         combine,
               GError            **error)
{
  const FlowTensor *data = flow_kernel_input (c, 0);
  const FlowTensor *indices = flow_kernel_input (c, 1);
  const FlowCombineFunc func = _flow_combine_func (combine, data->dtype);
  const gsize cell = _flow_cell_size (data->dtype);
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  gint64 n_before = 1;
  gint64 n_after = 1;
  gint64 first[2] = { 0, 0 };
  FlowTensor *out;
  guint width = 2;
  gint64 axis;
  gint64 n;

  FLOW_REQUIRE (flow_is_scalar (flow_kernel_input (c, 2)), error, INVALID_ARGUMENT, "axis must be a scalar");
  axis = *FLOW_DATA (gint64, flow_kernel_input (c, 2));
  FLOW_REQUIRE (axis >= 0 && axis < FLOW_RANK (data), error, INVALID_ARGUMENT,
                "axis %" G_GINT64_FORMAT " is not one of data, which has rank %d", axis, FLOW_RANK (data));
  FLOW_REQUIRE (FLOW_RANK (indices) == 1 || (FLOW_RANK (indices) == 2 && FLOW_DIMS (indices)[1] >= 1 && FLOW_DIMS (indices)[1] <= 2),
                error, INVALID_ARGUMENT, "indices must be a vector, or a matrix of pairs");
  n = FLOW_DIMS (indices)[0];
  if (FLOW_RANK (indices) == 1 || FLOW_DIMS (indices)[1] == 1)
    {
      width = 1;
      n = MAX (n - 1, 0);
    }
  FLOW_REQUIRE (func != NULL, error, UNIMPLEMENTED, "No reduction of %s", flow_dtype_string (data->dtype));
  if (!check_slices (indices, width, n, FLOW_DIMS (data)[axis], error))
    return FALSE;
  for (int i = 0; i < FLOW_RANK (data); i++)
    {
      dims[i] = i == axis ? n : FLOW_DIMS (data)[i];
      if (i < axis)
        n_before *= dims[i];
      else if (i > axis)
        n_after *= dims[i];
    }
  out = flow_kernel_allocate_dims (c, 0, FLOW_RANK (data), dims, error);
  if (out == NULL)
    return FALSE;
  if (!(combine == FLOW_COMBINE_ADD || combine == FLOW_COMBINE_MUL
        ? _flow_cell_from_int (data->dtype, combine == FLOW_COMBINE_MUL, first)
        : put_bound (data->dtype, combine == FLOW_COMBINE_MAX, first)))
    return _flow_refuse (error, "No reduction of %s", flow_dtype_string (data->dtype));
  _flow_fill_cells (cell, out->data, out->n_elements, first);
  for (gint64 x = 0; x < n_before && out->n_elements > 0; x++)
    for (gint64 y = 0; y < n; y++)
      {
        const gint64 last = MIN (flow_index_at (indices, y * width + 1), FLOW_DIMS (data)[axis]);

        if (g_cancellable_set_error_if_cancelled (c->cancellable, error))
          return FALSE;
        for (gint64 i = flow_index_at (indices, y * width); i < last; i++)
          func ((char *) out->data + (gsize) ((x * n + y) * n_after) * cell,
                (const char *) data->data + (gsize) ((x * FLOW_DIMS (data)[axis] + i) * n_after) * cell, n_after, 1);
      }
  return TRUE;
}

#define REDUCE_SLICE(name, combine)                                                                                       \
  static gboolean                                                                                                         \
  name (FlowKernelContext  *c,                                                                                            \
        GError            **error)                                                                                        \
  {                                                                                                                       \
    return reduce_slices (c, combine, error);                                                                             \
  }

REDUCE_SLICE (sum_compute, FLOW_COMBINE_ADD)
REDUCE_SLICE (prod_compute, FLOW_COMBINE_MUL)
REDUCE_SLICE (max_compute, FLOW_COMBINE_MAX)
REDUCE_SLICE (min_compute, FLOW_COMBINE_MIN)

/* --- DecodeLibsvm --------------------------------------------------------------------------------------------- */

/* A record: a label, then features, each an index, a colon and a value. */
typedef struct {
  FlowKernelContext *c;
  FlowTensor *labels;
  FlowTensor *number;          /* one value of a feature */
  GArray *indices;             /* of gint64: the record and the feature */
  GByteArray *values;
  locale_t locale;
} Records;

static void
records_clear (Records *self)
{
  g_clear_pointer (&self->number, flow_tensor_unref);
  g_clear_pointer (&self->indices, g_array_unref);
  g_clear_pointer (&self->values, g_byte_array_unref);
  if (self->locale != (locale_t) 0)
    freelocale (self->locale);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Records, records_clear)

static Text
next_word (Text *rest)
{
  Text word;

  while (rest->length > 0 && rest->bytes[0] == ' ')
    {
      rest->bytes++;
      rest->length--;
    }
  word = (Text) { rest->bytes, 0 };
  while (rest->length > 0 && rest->bytes[0] != ' ')
    {
      rest->bytes++;
      rest->length--;
      word.length++;
    }
  return word;
}

static gboolean
read_feature (Records  *self,
              gint64    record,
              Text      word,
              GError  **error)
{
  const char *colon = memchr (word.bytes, ':', word.length);
  const gsize before = colon != NULL ? (gsize) (colon - word.bytes) : 0;
  const Text value = { colon != NULL ? colon + 1 : NULL, colon != NULL ? word.length - before - 1 : 0 };
  const Text name = { word.bytes, before };
  g_autoptr (FlowTensor) index = flow_tensor_new_int64 (0);
  gint64 entry[2] = { record, 0 };

  if (colon == NULL)
    return _flow_refuse (error, "Invalid feature \"%.*s\"", (int) MIN (word.length, 1000), word.bytes);
  if (!_flow_put_number (index, 0, name, self->locale))
    return _flow_refuse (error, "Feature format incorrect: %.*s", (int) MIN (word.length, 1000), word.bytes);
  entry[1] = *FLOW_DATA (gint64, index);
  if (entry[1] < 0)
    return _flow_refuse (error, "Feature index should be >= 0, got %" G_GINT64_FORMAT, entry[1]);
  if (!_flow_put_number (self->number, 0, value, self->locale))
    return _flow_refuse (error, "Feature format incorrect: %.*s", (int) MIN (word.length, 1000), word.bytes);
  FLOW_REQUIRE (self->indices->len < G_MAXINT32 / 32, error, RESOURCE_EXHAUSTED, "OOM when reading records");
  g_array_append_vals (self->indices, entry, 2);
  g_byte_array_append (self->values, self->number->data, (guint) _flow_cell_size (self->number->dtype));
  return TRUE;
}

static gboolean
read_record (Records  *self,
             gint64    record,
             Text      text,
             GError  **error)
{
  Text rest = text;
  Text word = next_word (&rest);

  if (word.length == 0)
    return _flow_refuse (error, "No label found for input[%" G_GINT64_FORMAT "]: \"%.*s\"", record,
                         (int) MIN (text.length, 1000), text.bytes != NULL ? text.bytes : "");
  if (!_flow_put_number (self->labels, record, word, self->locale))
    return _flow_refuse (error, "Label format incorrect: %.*s", (int) MIN (word.length, 1000), word.bytes);
  for (word = next_word (&rest); word.length > 0; word = next_word (&rest))
    if (!read_feature (self, record, word, error))
      return FALSE;
  return TRUE;
}

/* Where the records stand among the input's dims, and the features behind. */
static gboolean
put_features (Records           *self,
              const FlowTensor  *input,
              GError           **error)
{
  const int rank = FLOW_RANK (input);
  const gint64 n = self->indices->len / 2;
  FlowTensor *indices = flow_kernel_allocate_dims (self->c, 1, 2, (gint64[]) { n, rank + 1 }, error);
  FlowTensor *values = indices != NULL ? flow_kernel_allocate_dims (self->c, 2, 1, &n, error) : NULL;
  FlowTensor *shape = values != NULL ? flow_kernel_allocate_dims (self->c, 3, 1, (gint64[]) { rank + 1 }, error) : NULL;

  if (shape == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    {
      gint64 *out = FLOW_WRITABLE (gint64, indices) + i * (rank + 1);
      gint64 record = g_array_index (self->indices, gint64, 2 * i);

      out[rank] = g_array_index (self->indices, gint64, 2 * i + 1);
      for (int k = rank - 1; k >= 0; k--)
        {
          out[k] = record % FLOW_DIMS (input)[k];
          record /= FLOW_DIMS (input)[k];
        }
    }
  if (n > 0)
    memcpy (values->data, self->values->data, self->values->len);
  for (int k = 0; k < rank; k++)
    FLOW_WRITABLE (gint64, shape)[k] = FLOW_DIMS (input)[k];
  FLOW_WRITABLE (gint64, shape)[rank] = flow_kernel_attr_int (self->c, "num_features");
  return TRUE;
}

static gboolean
libsvm_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensor *input = flow_kernel_input (c, 0);
  g_autoptr (FlowShape) scalar = flow_shape_new_scalar ();
  g_auto (Records) self = { .c = c };

  self.labels = flow_kernel_allocate (c, 0, input->shape, error);
  self.number = self.labels != NULL ? flow_tensor_new (flow_dtype_base (c->output_dtypes[2]), scalar, NULL, error) : NULL;
  if (self.number == NULL)
    return FALSE;
  self.indices = g_array_new (FALSE, FALSE, sizeof (gint64));
  self.values = g_byte_array_new ();
  self.locale = newlocale (LC_ALL_MASK, "C", (locale_t) 0);
  for (gint64 i = 0; i < input->n_elements; i++)
    if (!read_record (&self, i, text_at (input, i), error))
      return FALSE;
  return put_features (&self, input, error);
}

static gboolean
libsvm_infer (FlowInferContext  *c,
              GError           **error)
{
  const FlowShape *input = flow_infer_input (c, 0);

  if (flow_shape_get_rank (input) > 0)
    flow_infer_set_output (c, 0, input);
  else
    flow_infer_take_output (c, 0, flow_shape_new_unknown ());
  flow_infer_take_output (c, 1, flow_shape_new_matrix (FLOW_DIM_UNKNOWN, FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 2, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 3, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

#define REAL "float double int64 int32 uint16 int16 uint8 int8 half bfloat16"
#define SLICES(op, function, dtypes, text)                                                                                \
  { .name = op, .inputs = "data: T; indices: Tindices; axis: int64", .outputs = "output: T",                              \
    .attrs = "T: numbertype; Tindices: {int32, int64}", .summary = text, .family = FLOW_OP_FAMILY_MATH,                   \
    .infer = slice_infer, .kernels = (const FlowKernelDef[]) { { "T: " dtypes, function }, { NULL } } }

static const FlowOpDef ops[] = {
  SLICES ("ReduceSliceSum", sum_compute, REAL " complex64 complex128", "Sums of stretches along an axis"),
  SLICES ("ReduceSliceProd", prod_compute, REAL " complex64 complex128", "Products of stretches along an axis"),
  SLICES ("ReduceSliceMax", max_compute, REAL, "Greatest numbers of stretches along an axis"),
  SLICES ("ReduceSliceMin", min_compute, REAL, "Least numbers of stretches along an axis"),
  { .name = "DecodeLibsvm", .inputs = "input: string",
    .outputs = "label: label_dtype; feature_indices: int64; feature_values: dtype; feature_shape: int64",
    .attrs = "dtype: {float, double, int32, int64} = DT_FLOAT; label_dtype: {float, double, int32, int64} = DT_INT64; "
             "num_features: int >= 1",
    .summary = "Records of LibSVM as labels and sparse features", .family = FLOW_OP_FAMILY_IO, .infer = libsvm_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, libsvm_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (reduce_slice, ops)
