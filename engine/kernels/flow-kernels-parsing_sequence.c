/* flow-kernels-parsing_sequence.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Serialised SequenceExamples: a context of features, and lists of features, one at each step of a sequence. One
 * example, or a batch of them with the sequences filled up to the longest.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-example-private.h"

#include <string.h>

typedef enum {
  CONTEXT_SPARSE,
  CONTEXT_DENSE,
  LIST_SPARSE,
  LIST_DENSE,
  N_KINDS,
} Kind;

typedef struct {
  const char *name;
  gsize length;
  FlowDType dtype;
  const FlowShape *shape;      /* dense */
  gint64 stride;               /* dense: elements of one value */
  FlowTensor *fallback;        /* dense in the context: its default, or no elements */
  gboolean may_miss;           /* dense list: not there is empty */
} Feature;

typedef struct {
  FlowKernelContext *c;
  gboolean is_batch;
  FlowTensor *serialized;
  FlowTensor *names;
  gint64 n_examples;
  guint counts[N_KINDS];
  guint firsts[N_KINDS];       /* into features */
  Feature *features;
  guint n_features;
  FlowFeatureSpan *spans;      /* n_examples x n_features */
  guint output;                /* the next one to write */
} Parse;

static void
parse_clear (Parse *self)
{
  g_clear_pointer (&self->features, g_free);
  g_clear_pointer (&self->spans, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Parse, parse_clear)

static FlowFeatureSpan *
span_at (const Parse *self,
         gint64       example,
         guint        feature)
{
  return &self->spans[example * self->n_features + feature];
}

static char *
name_of (const Parse *self,
         gint64       example)
{
  gsize length;
  const char *name;

  if (self->names == NULL || example >= self->names->n_elements)
    return g_strdup (self->is_batch ? "<unknown>" : "");
  name = flow_tensor_get_string (self->names, example, &length);
  return g_strndup (name, length);
}

/* TF: the two ops are two parsers, with checks and words of their own. */
static gboolean
refuse_named (const Parse    *self,
              gint64          e,
              const Feature  *f,
              const char     *format,
              GError        **error)
{
  g_autofree char *name = name_of (self, e);
  g_autofree char *key = f != NULL ? g_strndup (f->name, f->length) : NULL;

  if (key == NULL)
    return _flow_refuse (error, format, name);
  return _flow_refuse (error, format, key, name);
}

/* --- what is asked ----------------------------------------------------------------------------------------------------------- */

static const char *const type_attrs[N_KINDS] = {
  "context_sparse_types", "Tcontext_dense", "feature_list_sparse_types", "feature_list_dense_types",
};
static const char *const shape_attrs[N_KINDS] = { NULL, "context_dense_shapes", NULL, "feature_list_dense_shapes" };
static const char *const key_attrs[N_KINDS] = {
  "context_sparse_keys", "context_dense_keys", "feature_list_sparse_keys", "feature_list_dense_keys",
};
static const char *const count_attrs[N_KINDS] = {
  "Ncontext_sparse", "Ncontext_dense", "Nfeature_list_sparse", "Nfeature_list_dense",
};

static gboolean
take_kind (Parse   *self,
           Kind     kind,
           GError **error)
{
  FlowAttr *types = flow_kernel_attr (self->c, type_attrs[kind]);
  FlowAttr *shapes = shape_attrs[kind] != NULL ? flow_kernel_attr (self->c, shape_attrs[kind]) : NULL;

  if (flow_kernel_attr_int (self->c, count_attrs[kind]) != self->counts[kind])
    return _flow_refuse (error, "len(%s) attr != %s: %u vs. %" G_GINT64_FORMAT, key_attrs[kind], count_attrs[kind],
                         self->counts[kind], flow_kernel_attr_int (self->c, count_attrs[kind]));
  if (flow_attr_get_length (types) != self->counts[kind])
    return _flow_refuse (error, "len(%s) attr != len(%s): %" G_GSIZE_FORMAT " vs. %u", key_attrs[kind], type_attrs[kind],
                         flow_attr_get_length (types), self->counts[kind]);
  if (shapes != NULL && flow_attr_get_length (shapes) != self->counts[kind])
    return _flow_refuse (error, "len(%s) attr != len(%s): %" G_GSIZE_FORMAT " vs. %u", key_attrs[kind], shape_attrs[kind],
                         flow_attr_get_length (shapes), self->counts[kind]);
  for (guint i = 0; i < self->counts[kind]; i++)
    {
      Feature *f = &self->features[self->firsts[kind] + i];

      f->dtype = (FlowDType) flow_attr_get_dtype (flow_attr_get_item (types, i));
      if (shapes == NULL)
        continue;
      f->shape = flow_attr_get_shape (flow_attr_get_item (shapes, i));
      if (f->shape->rank > FLOW_SHAPE_MAX_RANK - 2 || !flow_shape_n_elements (f->shape, &f->stride))
        return _flow_refuse (error, "%s[%u] is not fully known", shape_attrs[kind], i);
    }
  return TRUE;
}

/* Keys stand in inputs, one each, or in a list attr. */
static void
take_keys (Parse *self,
           Kind   kind,
           guint  input)
{
  FlowAttr *keys = self->is_batch ? flow_kernel_attr (self->c, key_attrs[kind]) : NULL;

  for (guint i = 0; i < self->counts[kind]; i++)
    {
      Feature *f = &self->features[self->firsts[kind] + i];

      if (keys != NULL)
        f->name = flow_attr_get_string (flow_attr_get_item (keys, i), &f->length);
      else
        f->name = flow_tensor_get_string (flow_kernel_input (self->c, input + i), 0, &f->length);
    }
}

static gboolean
take_defaults (Parse   *self,
               guint    input,
               GError **error)
{
  for (guint i = 0; i < self->counts[CONTEXT_DENSE]; i++)
    {
      Feature *f = &self->features[self->firsts[CONTEXT_DENSE] + i];
      FlowTensor *value = flow_kernel_input (self->c, input + i);

      f->fallback = value;
      if (value->n_elements > 0 && !flow_shape_equal (value->shape, f->shape))
        {
          g_autofree char *given = flow_tensor_shape_text (value);
          g_autofree char *declared = flow_shape_to_string (f->shape);

          if (self->is_batch)
            return _flow_refuse (error, "default_value[%u].shape() == %s != context_dense_shapes[%u] == %s", i, given, i,
                                 declared);
          return _flow_refuse (error, "def_value[%u].shape() == %s != context_dense_shapes_[%u] == %s", i, given, i, declared);
        }
      if (value->dtype != f->dtype)
        return _flow_refuse (error, "context_dense_defaults[%u].dtype() == %s != context_dense_types_[%u] == %s", i,
                             flow_dtype_string (value->dtype), i, flow_dtype_string (f->dtype));
    }
  return TRUE;
}

static gboolean
begin (Parse   *self,
       GError **error)
{
  guint n = 0;

  for (Kind kind = 0; kind < N_KINDS; kind++)
    {
      if (self->is_batch)
        self->counts[kind] = (guint) flow_attr_get_length (flow_kernel_attr (self->c, key_attrs[kind]));
      else
        self->counts[kind] = (guint) flow_kernel_attr_int (self->c, count_attrs[kind]);
      self->firsts[kind] = n;
      n += self->counts[kind];
    }
  self->n_features = n;
  self->features = g_new0 (Feature, n + 1);
  for (Kind kind = 0; kind < N_KINDS; kind++)
    if (!take_kind (self, kind, error))
      return FALSE;
  return TRUE;
}

/* --- reading --------------------------------------------------------------------------------------------------------------------- */

static gboolean
add_keys (Parse            *self,
          Kind              sparse,
          Kind              dense,
          FlowExampleKeys  *keys,
          GError          **error)
{
  for (int pass = 0; pass < 2; pass++)
    {
      Kind kind = pass == 0 ? sparse : dense;

      for (guint i = 0; i < self->counts[kind]; i++)
        {
          Feature *f = &self->features[self->firsts[kind] + i];

          if (_flow_example_keys_add (keys, f->name, f->length, self->firsts[kind] + i))
            continue;
          if (self->is_batch && pass == 1)
            return _flow_refuse (error, "%s feature %.*s cannot be both dense and sparse",
                                 dense == CONTEXT_DENSE ? "Context" : "Sequence", (int) f->length, f->name);
          return _flow_refuse (error, "Key %.*s is asked for twice", (int) f->length, f->name);
        }
    }
  return TRUE;
}

/* Whether all values of a feature, or of a row of a list, are of the dtype that is asked for. */
static gboolean
suits (const Feature         *f,
       const FlowFeatureSpan *span)
{
  gboolean damaged = FALSE;

  if (span->size == 0)
    return TRUE;
  return _flow_feature_dtype (span, &damaged) == f->dtype && !damaged && _flow_feature_count (span) >= 0;
}

static gboolean
rows_suit (const Feature         *f,
           const FlowFeatureSpan *span)
{
  FlowFeatureSpan row;
  FlowProtoReader list;

  flow_proto_reader_init (&list, span->data, span->size);
  while (_flow_feature_list_next (&list, &row))
    if (!suits (f, &row))
      return FALSE;
  return !flow_proto_reader_failed (&list);
}

static int
compare_features (gconstpointer a,
                  gconstpointer b,
                  gpointer      data)
{
  const Feature *x = (const Feature *) data + *(const guint *) a;
  const Feature *y = (const Feature *) data + *(const guint *) b;
  int order = memcmp (x->name, y->name, MIN (x->length, y->length));

  return order != 0 ? order : x->length < y->length ? -1 : x->length > y->length;
}

/* The features of the context and then those of lists, each by key. */
static guint *
sort_features (const Parse *self)
{
  guint first_list = self->firsts[LIST_SPARSE];
  guint *order = g_new (guint, self->n_features + 1);

  for (guint i = 0; i < self->n_features; i++)
    order[i] = i;
  g_qsort_with_data (order, (int) first_list, sizeof *order, compare_features, self->features);
  g_qsort_with_data (order + first_list, (int) (self->n_features - first_list), sizeof *order, compare_features,
                     self->features);
  return order;
}

/* TF: all examples of a batch are gone through before anything is written. */
static gboolean
check_example (const Parse  *self,
               const guint  *order,
               gint64        e,
               GError      **error)
{
  for (guint i = 0; i < self->n_features; i++)
    {
      const Feature *f = &self->features[order[i]];
      const FlowFeatureSpan *span = span_at (self, e, order[i]);
      gboolean is_list = order[i] >= self->firsts[LIST_SPARSE];

      if (span->data == NULL || (is_list ? rows_suit (f, span) : suits (f, span)))
        continue;
      return refuse_named (self, e, f, is_list ? "Error in sequence feature %s in example %s"
                                               : "Error in context feature %s in example %s", error);
    }
  return TRUE;
}

static gboolean
find_all (Parse   *self,
          GError **error)
{
  g_autofree guint *order = sort_features (self);
  g_autoptr (FlowExampleKeys) context = _flow_example_keys_new ();
  g_autoptr (FlowExampleKeys) lists = _flow_example_keys_new ();
  gint64 n;

  if (!add_keys (self, CONTEXT_SPARSE, CONTEXT_DENSE, context, error) || !add_keys (self, LIST_SPARSE, LIST_DENSE, lists, error))
    return FALSE;
  FLOW_REQUIRE (flow_mul_int64 (self->n_examples, self->n_features + 1, &n) &&
                (self->spans = g_try_new0 (FlowFeatureSpan, (gsize) n + 1)) != NULL, error, RESOURCE_EXHAUSTED,
                "OOM when parsing examples");
  for (gint64 e = 0; e < self->n_examples; e++)
    {
      gsize size;
      const char *text = flow_tensor_get_string (self->serialized, e, &size);

      if (_flow_example_find (context, text, size, span_at (self, e, 0))
          && _flow_example_find_lists (lists, text, size, span_at (self, e, 0)))
        {
          if (self->is_batch && !check_example (self, order, e, error))
            return FALSE;
          continue;
        }
      if (self->is_batch)
        return refuse_named (self, e, NULL, "Invalid protocol message input, example id: %s", error);
      else
        {
          g_autofree char *shown = flow_escape_display (text, (gssize) size, 200);

          return _flow_refuse (error, "Could not parse example input, value: '%s'", shown);
        }
    }
  return TRUE;
}

/* How many values a feature has, -1 where it is not there. @what and @index say where it stands. */
static gboolean
measure (const Parse            *self,
         gint64                  e,
         const Feature          *f,
         const FlowFeatureSpan  *span,
         const char             *what,
         gint64                  index,
         gint64                 *count,
         GError                **error)
{
  gboolean damaged = FALSE;
  FlowDType dtype = span->data != NULL ? _flow_feature_dtype (span, &damaged) : FLOW_DTYPE_INVALID;
  g_autofree char *name = name_of (self, e);
  g_autofree char *place = index < 0 ? g_strdup ("") : g_strdup_printf (", Index: %" G_GINT64_FORMAT, index);

  *count = -1;
  if (damaged)
    return _flow_refuse (error, "Name: %s, %s: %.*s%s.  Can't parse serialized Example.", name, what, (int) f->length, f->name, place);
  if (dtype == FLOW_DTYPE_INVALID)
    return TRUE;
  if (dtype != f->dtype)
    {
      g_autoptr (GString) shown = g_string_new (NULL);

      _flow_feature_append_text (span, shown);
      return _flow_refuse (error, "Name: %s, %s: %.*s%s.  Data types don't match. Expected type: %s  Feature is: %s\n", name, what,
                           (int) f->length, f->name, place, flow_dtype_string (f->dtype), shown->str);
    }
  *count = _flow_feature_count (span);
  if (*count < 0)
    return _flow_refuse (error, "Name: %s, %s: %.*s%s.  Can't parse serialized Example.", name, what, (int) f->length, f->name, place);
  return TRUE;
}

static gboolean
refuse_count (const Parse    *self,
              gint64          e,
              const Feature  *f,
              gint64          index,
              gint64          count,
              GError        **error)
{
  g_autofree char *name = name_of (self, e);
  g_autofree char *shape = flow_shape_to_string (f->shape);
  const char *type = f->dtype == FLOW_DTYPE_INT64 ? "int64" : f->dtype == FLOW_DTYPE_FLOAT ? "float" : "bytes";

  /* TF: words of its own for strings. */
  return _flow_refuse (error, "Name: %s, Key%s %.*s, Index: %" G_GINT64_FORMAT ".  Number of %s values != expected.  %s size: %"
                       G_GINT64_FORMAT " but output shape: %s", name, f->dtype == FLOW_DTYPE_STRING ? "" : ":", (int) f->length,
                       f->name, index, type, f->dtype == FLOW_DTYPE_STRING ? "Values" : "values", count, shape);
}

/* --- context ----------------------------------------------------------------------------------------------------------------------- */

/* One output of each kind per feature: the three parts of sparse ones stand apart. */
static FlowTensor *
sparse_part (Parse         *self,
             Kind           kind,
             guint          i,
             guint          part,
             int            rank,
             const gint64  *dims,
             GError       **error)
{
  return flow_kernel_allocate_dims (self->c, self->output + part * self->counts[kind] + i, rank, dims, error);
}

static gboolean
context_sparse (Parse   *self,
                guint    i,
                GError **error)
{
  guint feature = self->firsts[CONTEXT_SPARSE] + i;
  const Feature *f = &self->features[feature];
  int rank = self->is_batch ? 2 : 1;
  gint64 total = 0;
  gint64 widest = 0;
  gint64 at = 0;
  FlowTensor *indices;
  FlowTensor *values;
  FlowTensor *shape;

  for (gint64 e = 0; e < self->n_examples; e++)
    {
      gint64 count;

      if (!measure (self, e, f, span_at (self, e, feature), "Context feature", -1, &count, error))
        return FALSE;
      total += MAX (count, 0);
      widest = MAX (widest, count);
    }
  indices = sparse_part (self, CONTEXT_SPARSE, i, 0, 2, (gint64[]) { total, rank }, error);
  values = indices != NULL ? sparse_part (self, CONTEXT_SPARSE, i, 1, 1, &total, error) : NULL;
  shape = values != NULL ? sparse_part (self, CONTEXT_SPARSE, i, 2, 1, (gint64[]) { rank }, error) : NULL;
  if (shape == NULL)
    return FALSE;
  if (self->is_batch)
    FLOW_WRITABLE (gint64, shape)[0] = self->n_examples;
  FLOW_WRITABLE (gint64, shape)[rank - 1] = widest;
  for (gint64 e = 0; e < self->n_examples; e++)
    {
      gint64 count;

      if (!measure (self, e, f, span_at (self, e, feature), "Context feature", -1, &count, error))
        return FALSE;
      if (count > 0)
        _flow_feature_read (span_at (self, e, feature), values, at, count);
      for (gint64 k = 0; k < count; k++, at++)
        {
          FLOW_WRITABLE (gint64, indices)[at * rank] = e;
          FLOW_WRITABLE (gint64, indices)[at * rank + rank - 1] = k;
        }
    }
  return TRUE;
}

/* Of a batch: the longest must be as long as is asked for, and all others as long. */
static gboolean
check_context_dense (const Parse  *self,
                     guint         feature,
                     GError      **error)
{
  const Feature *f = &self->features[feature];
  gint64 longest = f->fallback->n_elements;

  for (gint64 e = 0; e < self->n_examples; e++)
    if (span_at (self, e, feature)->data != NULL)
      longest = MAX (longest, _flow_feature_count (span_at (self, e, feature)));
  /* TF: compares with a shape that it has not filled yet. */
  if (longest != f->stride)
    return _flow_refuse (error, "Inconsistent number of elements for feature %.*s: %" G_GINT64_FORMAT " vs 1",
                         (int) f->length, f->name, longest);
  for (gint64 e = 0; e < self->n_examples; e++)
    {
      const FlowFeatureSpan *span = span_at (self, e, feature);

      if (span->data == NULL && f->fallback->n_elements == 0)
        return _flow_refuse (error, "Feature: %.*s (data type: %s) is required but could not be found.", (int) f->length,
                             f->name, flow_dtype_string (f->dtype));
      if (span->data != NULL && MAX (_flow_feature_count (span), 0) != longest)
        return refuse_named (self, e, NULL, "Unexpected number of elements in example %s", error);
    }
  return TRUE;
}

static gboolean
context_dense (Parse   *self,
               guint    i,
               GError **error)
{
  guint feature = self->firsts[CONTEXT_DENSE] + i;
  const Feature *f = &self->features[feature];
  g_autoptr (FlowShape) shape = flow_shape_new_of_rank (f->shape->rank + self->is_batch);
  FlowTensor *out;

  if (self->is_batch && !check_context_dense (self, feature, error))
    return FALSE;
  if (self->is_batch)
    shape->dims[0] = self->n_examples;
  memcpy (shape->dims + self->is_batch, f->shape->dims, sizeof (gint64) * (gsize) f->shape->rank);
  out = flow_kernel_allocate (self->c, self->output + i, shape, error);
  for (gint64 e = 0; out != NULL && e < self->n_examples; e++)
    {
      gsize size = flow_dtype_size (out->dtype);
      gint64 count;

      if (!measure (self, e, f, span_at (self, e, feature), "Context feature", -1, &count, error))
        return FALSE;
      if (count < 0 && f->fallback->n_elements == 0 && f->stride > 0)
        {
          g_autofree char *name = name_of (self, e);

          return _flow_refuse (error, "Name: %s, Context feature '%.*s' is required but could not be found.", name,
                               (int) f->length, f->name);
        }
      if (count >= 0 && count != f->stride)
        return refuse_count (self, e, f, 0, count, error);
      if (count >= 0)
        _flow_feature_read (span_at (self, e, feature), out, e * f->stride, count);
      else
        _flow_replace_cells (out->dtype, (guint8 *) out->data + (gsize) (e * f->stride) * size, f->fallback->data, f->stride);
    }
  return out != NULL;
}

/* --- lists -------------------------------------------------------------------------------------------------------------------------- */

typedef struct {
  gint64 rows;
  gint64 values;
  gint64 widest;
} Extent;

/* Walks one list: counts its rows and values and, where @values is given, writes them from @at on. */
static gboolean
walk_list (Parse       *self,
           gint64       e,
           guint        feature,
           Extent      *extent,
           FlowTensor  *values,
           FlowTensor  *indices,
           gint64       at,
           GError     **error)
{
  const Feature *f = &self->features[feature];
  const FlowFeatureSpan *span = span_at (self, e, feature);
  FlowFeatureSpan row;
  FlowProtoReader list;

  *extent = (Extent) { 0, 0, 0 };
  if (span->data == NULL)
    return TRUE;
  flow_proto_reader_init (&list, span->data, span->size);
  for (; _flow_feature_list_next (&list, &row); extent->rows++)
    {
      gint64 count;

      if (!measure (self, e, f, &row, f->shape != NULL ? "Feature list" : "Feature List", extent->rows, &count, error))
        return FALSE;
      count = MAX (count, 0);
      if (f->shape != NULL && count != f->stride && self->is_batch)
        return refuse_named (self, e, f, "Unexpected number of elements in feature %s, example %s", error);
      if (f->shape != NULL && count != f->stride)
        return refuse_count (self, e, f, extent->rows, count, error);
      if (values != NULL && count > 0)
        _flow_feature_read (&row, values, at, count);
      for (gint64 k = 0; indices != NULL && k < count; k++)
        {
          gint64 *place = FLOW_WRITABLE (gint64, indices) + (at + k) * FLOW_DIMS (indices)[1];

          if (self->is_batch)
            *place++ = e;
          place[0] = extent->rows;
          place[1] = k;
        }
      at += count;
      extent->values += count;
      extent->widest = MAX (extent->widest, count);
    }
  if (flow_proto_reader_failed (&list))
    return _flow_refuse (error, "Could not parse feature list %.*s", (int) f->length, f->name);
  return TRUE;
}

static gboolean
list_sparse (Parse   *self,
             guint    i,
             GError **error)
{
  guint feature = self->firsts[LIST_SPARSE] + i;
  int rank = self->is_batch ? 3 : 2;
  Extent all = { 0, 0, 0 };
  Extent one;
  gint64 at = 0;
  FlowTensor *indices;
  FlowTensor *values;
  FlowTensor *shape;

  for (gint64 e = 0; e < self->n_examples; e++)
    {
      if (!walk_list (self, e, feature, &one, NULL, NULL, 0, error))
        return FALSE;
      all.rows = MAX (all.rows, one.rows);
      all.values += one.values;
      all.widest = MAX (all.widest, one.widest);
    }
  indices = sparse_part (self, LIST_SPARSE, i, 0, 2, (gint64[]) { all.values, rank }, error);
  values = indices != NULL ? sparse_part (self, LIST_SPARSE, i, 1, 1, &all.values, error) : NULL;
  shape = values != NULL ? sparse_part (self, LIST_SPARSE, i, 2, 1, (gint64[]) { rank }, error) : NULL;
  if (shape == NULL)
    return FALSE;
  if (self->is_batch)
    FLOW_WRITABLE (gint64, shape)[0] = self->n_examples;
  FLOW_WRITABLE (gint64, shape)[rank - 2] = all.rows;
  FLOW_WRITABLE (gint64, shape)[rank - 1] = all.widest;
  for (gint64 e = 0; e < self->n_examples; e++)
    {
      if (!walk_list (self, e, feature, &one, values, indices, at, error))
        return FALSE;
      at += one.values;
    }
  return TRUE;
}

static gboolean
require_list (const Parse  *self,
              gint64        e,
              guint         feature,
              GError      **error)
{
  const Feature *f = &self->features[feature];
  g_autofree char *name = NULL;

  if (span_at (self, e, feature)->data != NULL || f->may_miss)
    return TRUE;
  if (self->is_batch)
    return refuse_named (self, e, f, "Missing feature %s in example %s", error);
  name = name_of (self, e);
  return _flow_refuse (error, "Name: %s, Feature list '%.*s' is required but could not be found.  Did you mean to include it in "
                       "feature_list_dense_missing_assumed_empty or feature_list_dense_defaults?", name, (int) f->length, f->name);
}

/* Of a batch: whether the longest list is whole rows. */
static gboolean
check_list_dense (const Parse  *self,
                  guint         feature,
                  GError      **error)
{
  const Feature *f = &self->features[feature];
  gint64 longest = 0;

  for (gint64 e = 0; e < self->n_examples; e++)
    {
      const FlowFeatureSpan *span = span_at (self, e, feature);
      gint64 values = 0;
      FlowFeatureSpan row;
      FlowProtoReader list;

      if (span->data == NULL)
        continue;
      flow_proto_reader_init (&list, span->data, span->size);
      while (_flow_feature_list_next (&list, &row))
        values += MAX (_flow_feature_count (&row), 0);
      longest = MAX (longest, values);
    }
  return (f->stride > 0 && longest % f->stride == 0)
         || _flow_refuse (error, "Unexpected shape error in feature %.*s", (int) f->length, f->name);
}

static gboolean
list_dense (Parse   *self,
            guint    i,
            GError **error)
{
  guint feature = self->firsts[LIST_DENSE] + i;
  const Feature *f = &self->features[feature];
  g_autoptr (FlowShape) shape = flow_shape_new_of_rank (f->shape->rank + 1 + self->is_batch);
  gint64 longest = 0;
  FlowTensor *out;
  FlowTensor *lengths = NULL;
  Extent one;

  if (self->is_batch && !check_list_dense (self, feature, error))
    return FALSE;
  for (gint64 e = 0; e < self->n_examples; e++)
    {
      if (!require_list (self, e, feature, error) || !walk_list (self, e, feature, &one, NULL, NULL, 0, error))
        return FALSE;
      longest = MAX (longest, one.rows);
    }
  if (self->is_batch)
    shape->dims[0] = self->n_examples;
  shape->dims[self->is_batch] = longest;
  memcpy (shape->dims + 1 + self->is_batch, f->shape->dims, sizeof (gint64) * (gsize) f->shape->rank);
  out = flow_kernel_allocate (self->c, self->output + i, shape, error);
  if (out == NULL)
    return FALSE;
  if (!flow_dtype_has_references (out->dtype) && out->n_bytes > 0)
    memset (out->data, 0, out->n_bytes);
  if (self->is_batch)
    {
      lengths = flow_kernel_allocate_dims (self->c, self->output + self->counts[LIST_DENSE] + i, 1, &self->n_examples, error);
      if (lengths == NULL)
        return FALSE;
    }
  for (gint64 e = 0; e < self->n_examples; e++)
    {
      if (!walk_list (self, e, feature, &one, out, NULL, e * longest * f->stride, error))
        return FALSE;
      if (lengths != NULL)
        FLOW_WRITABLE (gint64, lengths)[e] = one.rows;
    }
  return TRUE;
}

static gboolean
parse_all (Parse   *self,
           GError **error)
{
  static gboolean (*const funcs[N_KINDS]) (Parse *, guint, GError **) = { context_sparse, context_dense, list_sparse, list_dense };
  static const Kind order[N_KINDS] = { CONTEXT_DENSE, CONTEXT_SPARSE, LIST_DENSE, LIST_SPARSE };
  guint outputs[N_KINDS];

  outputs[CONTEXT_SPARSE] = 0;
  outputs[CONTEXT_DENSE] = 3 * self->counts[CONTEXT_SPARSE];
  outputs[LIST_SPARSE] = outputs[CONTEXT_DENSE] + self->counts[CONTEXT_DENSE];
  outputs[LIST_DENSE] = outputs[LIST_SPARSE] + 3 * self->counts[LIST_SPARSE];
  for (guint k = 0; k < N_KINDS; k++)
    for (guint i = 0; i < self->counts[order[k]]; i++)
      {
        self->output = outputs[order[k]];
        if (!funcs[order[k]] (self, i, error))
          return FALSE;
      }
  return TRUE;
}

/* --- one ------------------------------------------------------------------------------------------------------------------------------- */

static gboolean
allow_missing (Parse      *self,
               const char *name,
               gsize       length)
{
  for (guint i = 0; i < self->counts[LIST_DENSE]; i++)
    {
      Feature *f = &self->features[self->firsts[LIST_DENSE] + i];

      if (f->length == length && memcmp (f->name, name, length) == 0)
        f->may_miss = TRUE;
    }
  return TRUE;
}

static gboolean
check_keys (const Parse  *self,
            guint         input,
            GError      **error)
{
  static const Kind order[N_KINDS] = { CONTEXT_DENSE, CONTEXT_SPARSE, LIST_DENSE, LIST_SPARSE };

  for (guint k = 0; k < N_KINDS; k++)
    for (guint i = 0; i < self->counts[order[k]]; i++)
      {
        const FlowTensor *key = flow_kernel_input (self->c, input + self->firsts[order[k]] + i);
        g_autofree char *got = NULL;

        if (flow_is_scalar (key))
          continue;
        got = flow_tensor_shape_text (key);
        return _flow_refuse (error, "Expected %s[%u] to be a scalar, got shape: %s", key_attrs[order[k]], i, got);
      }
  return TRUE;
}

static gboolean
parse_single_compute (FlowKernelContext  *c,
                      GError            **error)
{
  g_auto (Parse) parse = { .c = c, .serialized = flow_kernel_input (c, 0), .n_examples = 1 };
  FlowTensor *missing = flow_kernel_input (c, 1);
  guint input = 2;

  if (!begin (&parse, error))
    return FALSE;
  parse.names = flow_kernel_input (c, input + parse.n_features + parse.counts[CONTEXT_DENSE]);
  if (!flow_is_vector (missing))
    return _flow_refuse_shapes (error, missing, NULL,
                                "Expected feature_list_dense_missing_assumed_empty to be a vector, got shape: %s");
  if (!check_keys (&parse, input, error))
    return FALSE;
  if (parse.names->n_elements > 0 && !flow_is_scalar (parse.names))
    return _flow_refuse_shapes (error, parse.names, NULL, "Expected debug_name to be a scalar, got shape: %s");
  if (!flow_is_scalar (parse.serialized))
    return _flow_refuse_shapes (error, parse.serialized, NULL, "Expected serialized to be a scalar, got shape: %s");
  for (Kind kind = 0; kind < N_KINDS; kind++)
    take_keys (&parse, kind, input + parse.firsts[kind]);
  input += parse.n_features;
  if (!take_defaults (&parse, input, error))
    return FALSE;
  for (gint64 i = 0; i < missing->n_elements; i++)
    {
      gsize length;
      const char *name = flow_tensor_get_string (missing, i, &length);

      allow_missing (&parse, name, length);
    }
  return find_all (&parse, error) && parse_all (&parse, error);
}

/* --- many ------------------------------------------------------------------------------------------------------------------------------ */

static gboolean
parse_batch_compute (FlowKernelContext  *c,
                     GError            **error)
{
  g_auto (Parse) parse = { .c = c, .is_batch = TRUE, .serialized = flow_kernel_input (c, 0), .names = flow_kernel_input (c, 1) };
  FlowAttr *missing = flow_kernel_attr (c, "feature_list_dense_missing_assumed_empty");

  if (!flow_is_vector (parse.names))
    return _flow_refuse_shapes (error, parse.names, NULL, "Expected debug_name to be a vector, got shape: %s");
  if (!flow_is_vector (parse.serialized))
    return _flow_refuse_shapes (error, parse.serialized, NULL, "Expected serialized to be a vector, got shape: %s");
  parse.n_examples = parse.serialized->n_elements;
  if (!begin (&parse, error))
    return FALSE;
  for (Kind kind = 0; kind < N_KINDS; kind++)
    take_keys (&parse, kind, 0);
  if (!take_defaults (&parse, 2, error))
    return FALSE;
  if (parse.names->n_elements > 0 && parse.names->n_elements != parse.n_examples)
    return _flow_refuse (error, "example_names must be empty or have the correct number of elements");
  for (gsize i = 0; i < flow_attr_get_length (missing); i++)
    {
      gsize length;
      const char *name = flow_attr_get_string (flow_attr_get_item (missing, i), &length);

      allow_missing (&parse, name, length);
    }
  return find_all (&parse, error) && parse_all (&parse, error);
}

/* --- shapes ------------------------------------------------------------------------------------------------------------------------------ */

/* Indices, values and shapes of features that have no shape of their own. */
static void
infer_sparse (FlowInferContext *c,
              guint            *output,
              Kind              kind,
              gint64            rank)
{
  guint n = flow_attr_get_length (flow_infer_attr (c, type_attrs[kind]));

  for (guint i = 0; i < n; i++)
    flow_infer_take_output (c, (*output)++, flow_shape_new_matrix (-1, rank));
  for (guint i = 0; i < n; i++)
    flow_infer_take_output (c, (*output)++, flow_shape_new_vector (-1));
  for (guint i = 0; i < n; i++)
    flow_infer_take_output (c, (*output)++, flow_shape_new_vector (rank));
}

static gboolean
infer_dense (FlowInferContext  *c,
             guint             *output,
             Kind               kind,
             const FlowShape   *outer,
             GError           **error)
{
  FlowAttr *shapes = flow_infer_attr (c, shape_attrs[kind]);
  guint n = flow_attr_get_length (flow_infer_attr (c, type_attrs[kind]));

  for (guint i = 0; i < n; i++)
    {
      FlowShape *shape = NULL;

      if (i >= flow_attr_get_length (shapes))
        shape = flow_shape_new_unknown ();
      else if (!flow_infer_concatenate (c, outer, flow_attr_get_shape (flow_attr_get_item (shapes, i)), &shape, error))
        return FALSE;
      flow_infer_take_output (c, (*output)++, shape);
    }
  return TRUE;
}

/* @batch: the shape of what is parsed; features are below it, lists of them a dimension further down. */
static gboolean
infer_outputs (FlowInferContext  *c,
               const FlowShape   *batch,
               GError           **error)
{
  g_autoptr (FlowShape) steps = batch->rank == 0 ? flow_shape_new_vector (-1) : flow_shape_new_matrix (batch->dims[0], -1);
  guint output = 0;

  infer_sparse (c, &output, CONTEXT_SPARSE, batch->rank + 1);
  if (!infer_dense (c, &output, CONTEXT_DENSE, batch, error))
    return FALSE;
  infer_sparse (c, &output, LIST_SPARSE, batch->rank + 2);
  if (!infer_dense (c, &output, LIST_DENSE, steps, error))
    return FALSE;
  while (output < c->n_outputs)
    flow_infer_take_output (c, output++, flow_shape_ref (batch));
  return TRUE;
}

static gboolean
infer_batch (FlowInferContext  *c,
             GError           **error)
{
  const FlowShape *serialized = flow_infer_input (c, 0);
  g_autoptr (FlowShape) batch = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  FLOW_REQUIRE (serialized->rank == FLOW_RANK_UNKNOWN || serialized->rank == 1, error, INVALID_ARGUMENT,
                "Shape must be rank 1 but is rank %d", serialized->rank);
  batch = flow_shape_new_vector (serialized->rank == 1 ? serialized->dims[0] : -1);
  return infer_outputs (c, batch, error);
}

static gboolean
infer_single (FlowInferContext  *c,
              GError           **error)
{
  const FlowShape *serialized = flow_infer_input (c, 0);
  g_autoptr (FlowShape) batch = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  FLOW_REQUIRE (serialized->rank == FLOW_RANK_UNKNOWN || serialized->rank == 0, error, INVALID_ARGUMENT,
                "Shape must be rank 0 but is rank %d", serialized->rank);
  batch = flow_shape_new_scalar ();
  return infer_outputs (c, batch, error);
}

#define FEATURE_TYPES "list({float, int64, string}) >= 0 = []"
#define COUNTS "Ncontext_sparse: int >= 0 = 0; Ncontext_dense: int >= 0 = 0; Nfeature_list_sparse: int >= 0 = 0; "     \
               "Nfeature_list_dense: int >= 0 = 0; "
#define TYPES "context_sparse_types: " FEATURE_TYPES "; Tcontext_dense: " FEATURE_TYPES "; feature_list_dense_types: " \
              FEATURE_TYPES "; context_dense_shapes: list(shape) >= 0 = []; feature_list_sparse_types: " FEATURE_TYPES \
              "; feature_list_dense_shapes: list(shape) >= 0 = []"
#define OUTPUTS "context_sparse_indices: Ncontext_sparse * int64; context_sparse_values: context_sparse_types; "        \
                "context_sparse_shapes: Ncontext_sparse * int64; context_dense_values: Tcontext_dense; "                \
                "feature_list_sparse_indices: Nfeature_list_sparse * int64; "                                           \
                "feature_list_sparse_values: feature_list_sparse_types; "                                               \
                "feature_list_sparse_shapes: Nfeature_list_sparse * int64; "                                            \
                "feature_list_dense_values: feature_list_dense_types"

static const FlowOpDef ops[] = {
  { .name = "ParseSequenceExample", .inputs = "serialized: string; debug_name: string; context_dense_defaults: Tcontext_dense",
    .outputs = OUTPUTS "; feature_list_dense_lengths: Nfeature_list_dense * int64",
    .attrs = "feature_list_dense_missing_assumed_empty: list(string) >= 0; context_sparse_keys: list(string) >= 0; "
             "context_dense_keys: list(string) >= 0; feature_list_sparse_keys: list(string) >= 0; "
             "feature_list_dense_keys: list(string) >= 0; " COUNTS TYPES,
    .summary = "Features and lists of features of a batch of SequenceExamples", .family = FLOW_OP_FAMILY_IO,
    .infer = infer_batch,
    .kernels = (const FlowKernelDef[]) { { NULL, parse_batch_compute }, { NULL } } },
  { .name = "ParseSingleSequenceExample",
    .inputs = "serialized: string; feature_list_dense_missing_assumed_empty: string; "
              "context_sparse_keys: Ncontext_sparse * string; context_dense_keys: Ncontext_dense * string; "
              "feature_list_sparse_keys: Nfeature_list_sparse * string; feature_list_dense_keys: Nfeature_list_dense * string; "
              "context_dense_defaults: Tcontext_dense; debug_name: string",
    .outputs = OUTPUTS, .attrs = COUNTS TYPES, .summary = "Features and lists of features of one SequenceExample",
    .family = FLOW_OP_FAMILY_IO, .infer = infer_single,
    .kernels = (const FlowKernelDef[]) { { NULL, parse_single_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (parsing_sequence, ops)
