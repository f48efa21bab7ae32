/* flow-example-parse.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Examples parsed: what is asked for, what is found, and outputs made of it.
 */

#include "config.h"

#include "flow-example-parse-private.h"
#include "flow-util.h"

#include <string.h>

void
_flow_example_parse_clear (FlowExampleParse *self)
{
  g_free (self->features);
  g_clear_pointer (&self->span_memory, flow_tensor_unref);
}

static guint
n_features (const FlowExampleParse *self)
{
  return self->n_sparse + self->n_dense + self->n_ragged;
}

static FlowFeatureSpan *
span_at (const FlowExampleParse *self,
         gint64                  example,
         guint                   feature)
{
  return &self->spans[example * n_features (self) + feature];
}

/* TF: which example, by name if it has one, and which key. */
static char *
where (const FlowExampleParse *self,
       gint64                  example,
       guint                   feature)
{
  const FlowExampleFeature *f = &self->features[feature];
  gsize length = 0;
  const char *name = self->names != NULL && example < self->names->n_elements
                     ? flow_tensor_get_string (self->names, example, &length) : NULL;

  if (!self->is_batch)
    return g_strdup_printf ("Key: %.*s.  ", (int) f->length, f->name);
  return g_strdup_printf ("Name: %.*s, Key: %.*s, Index: %" G_GINT64_FORMAT ".  ",
                          name != NULL ? (int) length : 9, name != NULL ? name : "<unknown>",
                          (int) f->length, f->name, example);
}

#define FAIL(self, example, feature, ...)                                              \
  G_STMT_START {                                                                       \
    g_autofree char *place_ = where (self, example, feature);                          \
    g_autofree char *what_ = g_strdup_printf (__VA_ARGS__);                            \
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s%s", place_, what_); \
    return FALSE;                                                                      \
  } G_STMT_END

/* --- What is asked ----------------------------------------------------------------------------- */

/* TF: as many as there are keys. */
static gboolean
take_types (FlowExampleParse  *self,
            const char        *attr,
            guint              first,
            guint              count,
            const char        *what,
            GError           **error)
{
  FlowAttr *types = flow_kernel_attr (self->c, attr);

  FLOW_REQUIRE (flow_example_list_length (types) == count, error, INVALID_ARGUMENT, "len(%s_keys) != len(%s_types)", what, what);
  for (guint i = 0; i < count; i++)
    {
      FlowDType dtype = (FlowDType) flow_attr_get_dtype (flow_attr_get_item (types, i));

      FLOW_REQUIRE (dtype == FLOW_DTYPE_FLOAT || dtype == FLOW_DTYPE_INT64 || dtype == FLOW_DTYPE_STRING, error,
                    INVALID_ARGUMENT, "Received unsupported type %s", flow_dtype_string (dtype));
      self->features[first + i].dtype = dtype;
    }
  return TRUE;
}

static gboolean
take_shapes (FlowExampleParse  *self,
             GError           **error)
{
  FlowAttr *shapes = flow_kernel_attr (self->c, "dense_shapes");

  FLOW_REQUIRE (flow_example_list_length (shapes) == self->n_dense, error, INVALID_ARGUMENT,
                "len(dense_keys) != len(dense_shapes)");
  for (guint i = 0; i < self->n_dense; i++)
    {
      FlowExampleFeature *f = &self->features[self->n_sparse + i];
      g_autoptr (FlowShape) row = NULL;

      f->shape = flow_attr_get_shape (flow_attr_get_item (shapes, i));
      f->is_variable = f->shape->rank > 0 && f->shape->dims[0] < 0;
      FLOW_REQUIRE (f->shape->rank != FLOW_RANK_UNKNOWN, error, INVALID_ARGUMENT, "dense_shapes[%u] has unknown rank", i);
      FLOW_REQUIRE (f->shape->rank + self->is_batch <= FLOW_SHAPE_MAX_RANK, error, INVALID_ARGUMENT,
                    "dense_shapes[%u] has too many dimensions", i);
      row = flow_shape_new (f->shape->rank - f->is_variable, f->shape->dims + f->is_variable);
      FLOW_REQUIRE (flow_shape_n_elements (row, &f->stride), error, INVALID_ARGUMENT,
                    "dense_shapes[%u] must be known but for its first dimension", i);
      FLOW_REQUIRE (!f->is_variable || f->stride > 0, error, INVALID_ARGUMENT, "dense_shapes[%u] has rows without elements", i);
    }
  return TRUE;
}

static gboolean
refuse_default (const FlowExampleFeature  *f,
                const FlowTensor          *value,
                guint                      i,
                GError                   **error)
{
  g_autofree char *declared = flow_shape_to_string (f->shape);
  g_autofree char *given = flow_shape_to_string (value->shape);

  if (f->is_variable)
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                 "dense_shape[%u] is a variable length shape: %s, therefore def_value[%u] must contain a single "
                 "element (the padding element).  But its shape is: %s", i, declared, i, given);
  else
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                 "def_value[%u].shape() == %s is not compatible with dense_shapes_[%u] == %s", i, given, i, declared);
  return FALSE;
}

static gboolean
take_defaults (FlowExampleParse  *self,
               guint              first_input,
               GError           **error)
{
  for (guint i = 0; i < self->n_dense; i++)
    {
      FlowExampleFeature *f = &self->features[self->n_sparse + i];
      FlowTensor *value = flow_kernel_input (self->c, first_input + i);

      FLOW_REQUIRE (value->dtype == f->dtype, error, INVALID_ARGUMENT,
                    "dense_defaults[%u].dtype() == %s != Tdense[%u] == %s", i, flow_dtype_string (value->dtype), i,
                    flow_dtype_string (f->dtype));
      if (f->is_variable ? value->n_elements != 1
                         : value->n_elements > 0 && !flow_shape_equal (value->shape, f->shape))
        return refuse_default (f, value, i, error);
      f->fallback = value;
    }
  return TRUE;
}

/* --- Reading ----------------------------------------------------------------------------------- */

static gboolean
find_features (FlowExampleParse  *self,
               gint64            *n_found,
               GError           **error)
{
  g_autoptr (FlowExampleKeys) keys = _flow_example_keys_new ();
  g_autoptr (FlowShape) shape = NULL;
  gint64 bytes;

  for (guint i = 0; i < n_features (self); i++)
    FLOW_REQUIRE (_flow_example_keys_add (keys, self->features[i].name, self->features[i].length, i)
                  || self->n_examples == 0, error, INVALID_ARGUMENT, "Key %.*s is asked for twice",
                  (int) self->features[i].length, self->features[i].name);
  FLOW_REQUIRE (!__builtin_mul_overflow (self->n_examples, (gint64) (n_features (self) * sizeof (FlowFeatureSpan)), &bytes),
                error, RESOURCE_EXHAUSTED, "OOM when parsing examples");
  shape = flow_shape_new_vector (MAX (bytes, 1));
  self->span_memory = flow_kernel_allocate_temp (self->c, FLOW_DTYPE_UINT8, shape, error);
  if (self->span_memory == NULL)
    return FALSE;
  memset (self->span_memory->data, 0, self->span_memory->n_bytes);
  self->spans = self->span_memory->data;
  for (gint64 e = 0; e < self->n_examples; e++)
    {
      gsize size;
      const char *text = flow_tensor_get_string (self->serialized, e, &size);

      if (!_flow_example_find (keys, text, size, span_at (self, e, 0)))
        {
          g_autofree char *shown = flow_escape_display (text, (gssize) size, 200);

          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                       "Could not parse example input, value: '%s'", shown);
          return FALSE;
        }
      *n_found = e + 1;
      if ((e & 255) == 0 && flow_kernel_is_cancelled (self->c))
        break;
    }
  return TRUE;
}

/* Its dtype and count; a feature without a list is as good as none. */
static gboolean
measure (const FlowExampleParse  *self,
         gint64                   example,
         guint                    feature,
         gint64                  *count,
         GError                 **error)
{
  const FlowExampleFeature *f = &self->features[feature];
  const FlowFeatureSpan *span = span_at (self, example, feature);
  gboolean damaged;
  FlowDType dtype = _flow_feature_dtype (span, &damaged);
  gboolean is_dense = feature >= self->n_sparse && feature < self->n_sparse + self->n_dense;

  *count = -1;
  if (damaged)
    FAIL (self, example, feature, "Can't parse serialized Example.");
  if (dtype == FLOW_DTYPE_INVALID)
    return TRUE;
  if (dtype != f->dtype && is_dense)
    FAIL (self, example, feature, "Data types don't match. Data type: %s but expected type: %s",
          flow_dtype_string (dtype), flow_dtype_string (f->dtype));
  if (dtype != f->dtype)
    FAIL (self, example, feature, "Data types don't match. Expected type: %s, Actual type: %s",
          flow_dtype_string (f->dtype), flow_dtype_string (dtype));
  *count = _flow_feature_count (span);
  if (*count < 0)
    FAIL (self, example, feature, "Can't parse serialized Example.");
  return TRUE;
}

static gboolean
missing (const FlowExampleParse  *self,
         gint64                   example,
         guint                    feature,
         GError                 **error)
{
  const FlowExampleFeature *f = &self->features[feature];
  gsize length = 0;
  const char *name = self->names != NULL && example < self->names->n_elements
                     ? flow_tensor_get_string (self->names, example, &length) : NULL;

  if (self->is_batch)
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                 "Name: %.*s, Feature: %.*s (data type: %s) is required but could not be found.",
                 name != NULL ? (int) length : 9, name != NULL ? name : "<unknown>", (int) f->length, f->name,
                 flow_dtype_string (f->dtype));
  else
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                 "Feature: %.*s (data type: %s) is required but could not be found.", (int) f->length, f->name,
                 flow_dtype_string (f->dtype));
  return FALSE;
}

static void
copy_default (FlowTensor *to,
              gint64      at,
              FlowTensor *from,
              gint64      count)
{
  for (gint64 i = 0; i < count; i++)
    {
      gint64 source = from->n_elements == 1 ? 0 : i;

      if (to->dtype == FLOW_DTYPE_STRING)
        {
          GBytes *cell = ((GBytes **) from->data)[source];

          flow_tensor_take_string (to, at + i, cell != NULL ? g_bytes_ref (cell) : NULL);
        }
      else
        memcpy ((guint8 *) to->data + (gsize) (at + i) * flow_dtype_size (to->dtype),
                (const guint8 *) from->data + (gsize) source * flow_dtype_size (to->dtype), flow_dtype_size (to->dtype));
    }
}

/* Whether @count values are what a dense feature takes; less than none: it is not there. */
static gboolean
check_count (const FlowExampleParse  *self,
             gint64                   e,
             guint                    feature,
             gint64                   count,
             GError                 **error)
{
  const FlowExampleFeature *f = &self->features[feature];
  const char *values = f->dtype == FLOW_DTYPE_STRING ? "bytes" : flow_dtype_string (f->dtype);
  g_autofree char *text = NULL;

  if (count < 0 || (f->is_variable ? count % f->stride == 0 : count == f->stride))
    return TRUE;
  text = flow_shape_to_string (f->shape);
  /* TF: a single example does not tell what is wrong with it. */
  if (!self->is_batch)
    FAIL (self, e, feature, "Can't parse serialized Example.");
  if (f->is_variable)
    FAIL (self, e, feature, "Number of %s values is not a multiple of stride length. Saw %" G_GINT64_FORMAT
          " values but output shape is: %s", values, count, text);
  FAIL (self, e, feature, "Number of %s values != expected.  Values size: %" G_GINT64_FORMAT
        " but output shape: %s", values, count, text);
}

static int
compare_places (gconstpointer a,
                gconstpointer b,
                gpointer      spans)
{
  const guint8 *x = ((const FlowFeatureSpan *) spans)[*(const guint *) a].data;
  const guint8 *y = ((const FlowFeatureSpan *) spans)[*(const guint *) b].data;

  return x < y ? 1 : x > y ? -1 : 0;
}

/* What is wrong with one example, in TF's order: its features from the last one on, then what is not there. */
static gboolean
check_example (const FlowExampleParse  *self,
               gint64                   e,
               GError                 **error)
{
  guint n = n_features (self);
  g_autofree guint *order = g_new (guint, n + 1);
  g_autofree gint64 *counts = g_new (gint64, n + 1);

  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, (int) n, sizeof *order, compare_places, span_at (self, e, 0));
  for (guint i = 0; i < n; i++)
    {
      gboolean is_dense = order[i] >= self->n_sparse && order[i] < self->n_sparse + self->n_dense;
      gint64 *count = &counts[order[i]];

      if (!measure (self, e, order[i], count, error)
          || (is_dense && !check_count (self, e, order[i], *count, error)))
        return FALSE;
    }
  for (guint i = self->n_sparse; i < self->n_sparse + self->n_dense; i++)
    if (counts[i] < 0 && !self->features[i].is_variable && self->features[i].fallback->n_elements == 0)
      return missing (self, e, i, error);
  return TRUE;
}

static gboolean
parse_fixed (FlowExampleParse  *self,
             guint              feature,
             guint              output,
             GError           **error)
{
  const FlowExampleFeature *f = &self->features[feature];
  g_autoptr (FlowShape) shape = flow_shape_new_of_rank (f->shape->rank + self->is_batch);
  FlowTensor *values;

  if (self->is_batch)
    shape->dims[0] = self->n_examples;
  for (int i = 0; i < f->shape->rank; i++)
    shape->dims[i + self->is_batch] = f->shape->dims[i];
  values = flow_kernel_allocate (self->c, output, shape, error);
  if (values == NULL)
    return FALSE;
  for (gint64 e = 0; e < self->n_examples; e++)
    {
      gint64 count;

      if (!measure (self, e, feature, &count, error))
        return FALSE;
      if (count < 0 && f->fallback->n_elements == 0)
        return missing (self, e, feature, error);
      if (count < 0)
        copy_default (values, e * f->stride, f->fallback, f->stride);
      else if (!check_count (self, e, feature, count, error))
        return FALSE;
      else
        _flow_feature_read (span_at (self, e, feature), values, e * f->stride, count);
    }
  return TRUE;
}

static gboolean
parse_variable (FlowExampleParse  *self,
                guint              feature,
                guint              output,
                GError           **error)
{
  const FlowExampleFeature *f = &self->features[feature];
  g_autoptr (FlowShape) shape = flow_shape_new_of_rank (f->shape->rank + self->is_batch);
  FlowTensor *values;
  gint64 longest = 0;
  gint64 row;

  for (gint64 e = 0; e < self->n_examples; e++)
    {
      gint64 count;

      if (!measure (self, e, feature, &count, error))
        return FALSE;
      if (!check_count (self, e, feature, count, error))
        return FALSE;
      longest = MAX (longest, count / f->stride);
    }
  if (self->is_batch)
    shape->dims[0] = self->n_examples;
  shape->dims[self->is_batch] = longest;
  for (int i = 1; i < f->shape->rank; i++)
    shape->dims[i + self->is_batch] = f->shape->dims[i];
  values = flow_kernel_allocate (self->c, output, shape, error);
  if (values == NULL)
    return FALSE;
  row = longest * f->stride;
  if (f->dtype != FLOW_DTYPE_STRING)
    memset (values->data, 0, values->n_bytes);
  for (gint64 e = 0; e < self->n_examples; e++)
    {
      gint64 count = MAX (_flow_feature_count (span_at (self, e, feature)), 0);

      _flow_feature_read (span_at (self, e, feature), values, e * row, count);
      if (f->fallback->n_elements == 1)
        copy_default (values, e * row + count, f->fallback, row - count);
    }
  return TRUE;
}

static gboolean
count_all (FlowExampleParse  *self,
           guint              feature,
           gint64            *total,
           gint64            *longest,
           GError           **error)
{
  *total = *longest = 0;
  for (gint64 e = 0; e < self->n_examples; e++)
    {
      gint64 count;

      if (!measure (self, e, feature, &count, error))
        return FALSE;
      *total += MAX (count, 0);
      *longest = MAX (*longest, count);
    }
  return TRUE;
}

static gboolean
parse_sparse (FlowExampleParse  *self,
              guint              feature,
              GError           **error)
{
  int rank = self->is_batch ? 2 : 1;
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowShape) vector = NULL;
  g_autoptr (FlowShape) ends = flow_shape_new_vector (rank);
  FlowTensor *indices;
  FlowTensor *values;
  FlowTensor *dense_shape;
  gint64 total;
  gint64 longest;
  gint64 at = 0;

  if (!count_all (self, feature, &total, &longest, error))
    return FALSE;
  shape = flow_shape_new_matrix (total, rank);
  vector = flow_shape_new_vector (total);
  indices = flow_kernel_allocate (self->c, feature, shape, error);
  values = indices != NULL ? flow_kernel_allocate (self->c, self->n_sparse + feature, vector, error) : NULL;
  dense_shape = values != NULL ? flow_kernel_allocate (self->c, 2 * self->n_sparse + feature, ends, error) : NULL;
  if (dense_shape == NULL)
    return FALSE;
  for (gint64 e = 0; e < self->n_examples; e++)
    {
      gint64 count = _flow_feature_count (span_at (self, e, feature));

      _flow_feature_read (span_at (self, e, feature), values, at, count);
      for (gint64 k = 0; k < count; k++, at++)
        {
          if (self->is_batch)
            FLOW_WRITABLE (gint64, indices)[2 * at] = e;
          FLOW_WRITABLE (gint64, indices)[rank * at + rank - 1] = k;
        }
    }
  if (self->is_batch)
    FLOW_WRITABLE (gint64, dense_shape)[0] = self->n_examples;
  FLOW_WRITABLE (gint64, dense_shape)[rank - 1] = longest;
  return TRUE;
}

static gboolean
parse_ragged (FlowExampleParse  *self,
              guint              i,
              guint              first_output,
              FlowDType          split_dtype,
              GError           **error)
{
  guint feature = self->n_sparse + self->n_dense + i;
  g_autoptr (FlowShape) vector = NULL;
  g_autoptr (FlowShape) rows = flow_shape_new_vector (self->is_batch ? self->n_examples + 1 : 0);
  FlowTensor *values;
  FlowTensor *splits;
  gint64 total;
  gint64 longest;
  gint64 at = 0;

  if (!count_all (self, feature, &total, &longest, error))
    return FALSE;
  vector = flow_shape_new_vector (total);
  values = flow_kernel_allocate (self->c, first_output + i, vector, error);
  splits = values != NULL ? flow_kernel_allocate (self->c, first_output + self->n_ragged + i, rows, error) : NULL;
  if (splits == NULL)
    return FALSE;
  for (gint64 e = 0; e < self->n_examples; e++)
    {
      gint64 count = _flow_feature_count (span_at (self, e, feature));

      _flow_feature_read (span_at (self, e, feature), values, at, count);
      at += count;
      if (self->is_batch && split_dtype == FLOW_DTYPE_INT32)
        FLOW_WRITABLE (gint32, splits)[e + 1] = (gint32) MIN (at, G_MAXINT32);
      else if (self->is_batch)
        FLOW_WRITABLE (gint64, splits)[e + 1] = at;
    }
  if (self->is_batch)
    memset (splits->data, 0, flow_dtype_size (split_dtype));
  return TRUE;
}

static gboolean
parse_found (FlowExampleParse  *self,
             GError           **error)
{
  guint first_ragged = 3 * self->n_sparse + self->n_dense;

  for (guint i = 0; i < self->n_dense; i++)
    {
      guint feature = self->n_sparse + i;
      gboolean (*parse) (FlowExampleParse *, guint, guint, GError **) = self->features[feature].is_variable ? parse_variable : parse_fixed;

      if (!parse (self, feature, 3 * self->n_sparse + i, error))
        return FALSE;
    }
  for (guint i = 0; i < self->n_sparse; i++)
    if (!parse_sparse (self, i, error))
      return FALSE;
  for (guint i = 0; i < self->n_ragged; i++)
    if (!parse_ragged (self, i, first_ragged, (FlowDType) flow_dtype_base (self->c->output_dtypes[first_ragged + self->n_ragged + i]), error))
      return FALSE;
  return TRUE;
}

gboolean
_flow_example_parse_run (FlowExampleParse  *self,
                         guint              first_default,
                         GError           **error)
{
  g_autoptr (GError) local = NULL;
  gint64 n_found = 0;

  if (!take_defaults (self, first_default, error))
    return FALSE;
  if (find_features (self, &n_found, &local) && parse_found (self, &local))
    return TRUE;
  /* Features are gone through one after the other, but TF tells of the first example that is wrong. */
  for (gint64 e = 0; e < n_found; e++)
    if (!check_example (self, e, error))
      return FALSE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

gboolean
_flow_example_parse_begin (FlowExampleParse   *self,
                           FlowKernelContext  *c,
                           guint               n_sparse,
                           guint               n_dense,
                           guint               n_ragged,
                           GError            **error)
{
  self->c = c;
  self->serialized = flow_kernel_input (c, 0);
  self->n_examples = self->serialized->n_elements;
  self->is_batch = FLOW_RANK (self->serialized) > 0;
  self->n_sparse = n_sparse;
  self->n_dense = n_dense;
  self->n_ragged = n_ragged;
  self->features = g_new0 (FlowExampleFeature, n_features (self) + 1);
  return take_types (self, "sparse_types", 0, n_sparse, "sparse", error)
         && take_types (self, "Tdense", n_sparse, n_dense, "dense", error)
         && take_types (self, "ragged_value_types", n_sparse + n_dense, n_ragged, "ragged", error)
         && take_shapes (self, error);
}

gboolean
_flow_example_parse_take_attr_keys (FlowExampleParse   *self,
                                    guint               first,
                                    guint               count,
                                    const char         *attr,
                                    GError            **error)
{
  FlowAttr *keys = flow_kernel_attr (self->c, attr);

  FLOW_REQUIRE (flow_example_list_length (keys) == count, error, INVALID_ARGUMENT, "len(%s) must be %u, not %" G_GSIZE_FORMAT, attr,
                count, flow_example_list_length (keys));
  for (guint i = 0; i < count; i++)
    self->features[first + i].name = flow_attr_get_string (flow_attr_get_item (keys, i), &self->features[first + i].length);
  return TRUE;
}

gboolean
_flow_parse_examples (FlowKernelContext  *c,
                      GError            **error)
{
  g_auto (FlowExampleParse) self = { 0 };
  guint n_sparse = (guint) flow_example_list_length (flow_kernel_attr (c, "sparse_types"));
  guint n_dense = (guint) flow_example_list_length (flow_kernel_attr (c, "Tdense"));
  guint n_ragged = (guint) flow_example_list_length (flow_kernel_attr (c, "ragged_value_types"));

  return _flow_example_parse_begin (&self, c, n_sparse, n_dense, n_ragged, error)
         && _flow_example_parse_take_attr_keys (&self, 0, n_sparse, "sparse_keys", error)
         && _flow_example_parse_take_attr_keys (&self, n_sparse, n_dense, "dense_keys", error)
         && (n_ragged == 0
             || _flow_example_parse_take_attr_keys (&self, n_sparse + n_dense, n_ragged, "ragged_keys", error))
         && _flow_example_parse_run (&self, 1, error);
}
