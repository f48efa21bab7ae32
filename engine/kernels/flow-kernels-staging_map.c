/* flow-kernels-staging_map.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elements set down and taken up again by a key, whole or in parts; OrderedMap* keep them in the order of their keys.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-staging-private.h"

static gboolean
find_key (GArray *list,
          gint64  key,
          guint  *at)
{
  for (guint i = 0; i < list->len; i++)
    if (g_array_index (list, FlowElement, i).key == key)
      {
        *at = i;
        return TRUE;
      }
  return FALSE;
}

static gboolean
read_key (FlowKernelContext  *c,
          gint64             *key,
          GError            **error)
{
  FlowTensor *tensor = flow_kernel_input (c, 0);

  if (tensor->n_elements < 1)
    return _flow_refuse_shapes (error, tensor, NULL, "key must be an int64 scalar, but had shape: %s");
  *key = FLOW_DATA (gint64, tensor)[0];
  return TRUE;
}

/* Indices name components, in rising order. TF: none are in no order. */
static gboolean
check_order (const FlowTensor  *indices,
             GError           **error)
{
  gboolean ordered = indices->n_elements > 0;

  for (gint64 i = 1; ordered && i < indices->n_elements; i++)
    ordered = FLOW_DATA (gint32, indices)[i] > FLOW_DATA (gint32, indices)[i - 1];
  return ordered || _flow_refuse (error, "Indices are not strictly ordered");
}

/* TF: the index as a number without a sign. */
static gboolean
check_index (gint32   index,
             gint64   key,
             guint    n_components,
             GError **error)
{
  guint64 shown = (guint64) (gint64) index;

  return shown < n_components
         || _flow_refuse (error, "Index '%" G_GUINT64_FORMAT "' for key '%" G_GINT64_FORMAT "' was out of bounds '%u'.", shown,
                          key, n_components);
}

/* The values as the op was given them: TF looks at no index where there are as many as components. */
static FlowTuple *
all_parts (FlowKernelContext  *c,
           guint               n_components,
           GError            **error)
{
  FlowTuple *tuple = _flow_tuple_new_counted (n_components, c->budget, error);

  for (guint i = 0; tuple != NULL && i < n_components; i++)
    tuple->tensors[i] = flow_tensor_ref (flow_kernel_input (c, 2 + i));
  return tuple;
}

/* The element @old, or none, with what the op was given put into it. */
static FlowTuple *
with_parts (FlowKernelContext  *c,
            const FlowTuple    *old,
            guint               n_components,
            GError            **error)
{
  FlowTensor *indices = flow_kernel_input (c, 1);
  gint64 key = FLOW_DATA (gint64, flow_kernel_input (c, 0))[0];
  FlowTuple *tuple;

  if (old != NULL && old->n != n_components)
    {
      _flow_refuse (error, "The part that is there is of %u components, not %u", old->n, n_components);
      return NULL;
    }
  tuple = _flow_tuple_new_counted (n_components, c->budget, error);
  for (guint i = 0; tuple != NULL && old != NULL && i < n_components; i++)
    tuple->tensors[i] = old->tensors[i] != NULL ? flow_tensor_ref (old->tensors[i]) : NULL;
  for (guint i = 0; tuple != NULL && i < c->n_inputs - 2; i++)
    {
      gint32 index = FLOW_DATA (gint32, indices)[i];

      if (!check_index (index, key, n_components, error)
          || (tuple->tensors[index] != NULL
              && !_flow_refuse (error, "The tensor for index '%d' for key '%" G_GINT64_FORMAT "' was already initialized '%u'.",
                                index, key, n_components)))
        {
          _flow_tuple_unref (tuple);
          return NULL;
        }
      tuple->tensors[index] = flow_tensor_ref (flow_kernel_input (c, 2 + i));
    }
  return tuple;
}

static void
insert_whole (FlowArea   *self,
              FlowElement  staged)
{
  guint at = self->elements.whole->len;

  if (self->parent.klass == &_flow_area_ordered_class)
    for (at = 0; at < self->elements.whole->len && g_array_index (self->elements.whole, FlowElement, at).key < staged.key; at++)
      ;
  g_array_insert_val (self->elements.whole, at, staged);
}

static gint64
count_values (FlowKernelContext *c)
{
  gint64 n = 0;

  for (guint i = 2; i < c->n_inputs; i++)
    n += (gint64) flow_kernel_input (c, i)->n_bytes;
  return n;
}

static gboolean
stage (FlowKernelContext  *c,
       FlowArea           *self,
       GError            **error)
{
  guint n = (guint) flow_attr_get_length (flow_kernel_attr (c, "dtypes"));
  FlowTensor *indices = flow_kernel_input (c, 1);
  FlowElement staged = { 0 };
  gboolean all = indices->n_elements == n;
  gboolean is_part;
  gboolean room = FALSE;
  guint at = 0;
  guint same;

  if (!read_key (c, &staged.key, error) || !check_order (indices, error))
    return FALSE;
  if (indices->n_elements != c->n_inputs - 2)
    return _flow_refuse (error, "number of indices and values must be equal");
  /* TF: parts wait for room in memory alone. */
  if (!_flow_area_has_room (self, count_values (c), all, &room, error))
    return FALSE;
  if (!room)
    return _flow_area_wait (c, self, "full", error);
  is_part = !all && find_key (self->elements.parts, staged.key, &at);
  staged.tuple = all ? all_parts (c, n, error)
                     : with_parts (c, is_part ? g_array_index (self->elements.parts, FlowElement, at).tuple : NULL, n, error);
  if (staged.tuple == NULL)
    return FALSE;
  staged.bytes = _flow_area_measure (staged.tuple);
  flow_kernel_will_write (c, self);
  if (is_part)
    g_array_remove_index (self->elements.parts, at);
  /* TF: a key that is there stays as it is. */
  if (!_flow_tuple_is_whole (staged.tuple))
    g_array_append_val (self->elements.parts, staged);
  else if (find_key (self->elements.whole, staged.key, &same))
    _flow_tuple_unref (staged.tuple);
  else
    insert_whole (self, staged);
  flow_kernel_wrote (c, self);
  return TRUE;
}

/* The components that input @indices names become outputs from @first on. */
static gboolean
put_named (FlowKernelContext  *c,
           const FlowElement   *staged,
           const FlowTensor   *indices,
           guint               first,
           GError            **error)
{
  const FlowTuple *tuple = staged->tuple;

  for (gint64 i = 0; i < indices->n_elements; i++)
    {
      gint32 index = FLOW_DATA (gint32, indices)[i];

      if (!check_index (index, staged->key, tuple->n, error))
        return FALSE;
      if (tuple->tensors[index] == NULL)
        return _flow_refuse (error, "Tensor at index '%d' for key '%" G_GINT64_FORMAT "' has already been removed.", index,
                             staged->key);
    }
  /* TF: of fewer the rest are outputs that are missing, which the run tells. */
  if (indices->n_elements > c->n_outputs - first)
    return _flow_refuse (error, "output/indices size mismatch: %u vs. %" G_GINT64_FORMAT, c->n_outputs - first,
                         indices->n_elements);
  for (gint64 i = 0; i < indices->n_elements; i++)
    {
      FlowTensor *tensor = tuple->tensors[FLOW_DATA (gint32, indices)[i]];

      if (tensor->dtype != (FlowDType) flow_dtype_base (c->output_dtypes[first + i]))
        return _flow_refuse (error, "Component %" G_GINT64_FORMAT " is of type %s, not %s", i,
                             flow_dtype_string (tensor->dtype), flow_dtype_string (c->output_dtypes[first + i]));
      flow_kernel_set_output (c, first + (guint) i, tensor);
    }
  return TRUE;
}

/* What is not named stays; an element of which nothing is left goes. */
static void
remove_named (FlowArea         *self,
              guint             at,
              const FlowTensor *indices)
{
  FlowElement *staged = &g_array_index (self->elements.whole, FlowElement, at);
  FlowTuple *rest = _flow_tuple_new (staged->tuple->n);
  gboolean any = FALSE;

  for (guint i = 0; i < rest->n; i++)
    rest->tensors[i] = staged->tuple->tensors[i] != NULL ? flow_tensor_ref (staged->tuple->tensors[i]) : NULL;
  for (gint64 i = 0; i < indices->n_elements; i++)
    g_clear_pointer (&rest->tensors[FLOW_DATA (gint32, indices)[i]], flow_tensor_unref);
  for (guint i = 0; i < rest->n; i++)
    any = any || rest->tensors[i] != NULL;
  if (any)
    {
      _flow_tuple_unref (staged->tuple);
      staged->tuple = rest;
      staged->bytes = _flow_area_measure (rest);
      return;
    }
  _flow_tuple_unref (rest);
  g_array_remove_index (self->elements.whole, at);
}

static gboolean
take (FlowKernelContext  *c,
      FlowArea           *self,
      gboolean            removes,
      GError            **error)
{
  gint64 key = 0;
  guint at;

  if (!read_key (c, &key, error) || !check_order (flow_kernel_input (c, 1), error))
    return FALSE;
  if (!find_key (self->elements.whole, key, &at))
    return _flow_area_wait (c, self, "the key is not there", error);
  if (!put_named (c, &g_array_index (self->elements.whole, FlowElement, at), flow_kernel_input (c, 1), 0, error))
    return FALSE;
  if (removes)
    {
      flow_kernel_will_write (c, self);
      remove_named (self, at, flow_kernel_input (c, 1));
      flow_kernel_wrote (c, self);
    }
  return TRUE;
}

static gboolean
unstage (FlowKernelContext  *c,
         FlowArea           *self,
         GError            **error)
{
  return take (c, self, TRUE, error);
}

static gboolean
peek (FlowKernelContext  *c,
      FlowArea           *self,
      GError            **error)
{
  return take (c, self, FALSE, error);
}

static gboolean
unstage_any (FlowKernelContext  *c,
             FlowArea           *self,
             GError            **error)
{
  const FlowElement *first;

  if (!check_order (flow_kernel_input (c, 0), error))
    return FALSE;
  if (self->elements.whole->len == 0)
    return _flow_area_wait (c, self, "empty", error);
  first = &g_array_index (self->elements.whole, FlowElement, 0);
  if (!put_named (c, first, flow_kernel_input (c, 0), 1, error))
    return FALSE;
  flow_kernel_take_output (c, 0, flow_tensor_new_int64 (first->key));
  flow_kernel_will_write (c, self);
  remove_named (self, 0, flow_kernel_input (c, 0));
  flow_kernel_wrote (c, self);
  return TRUE;
}

static gboolean
put_incomplete_size (FlowKernelContext  *c,
                     FlowArea           *self,
                     GError            **error)
{
  flow_kernel_take_output (c, 0, flow_tensor_new_int32 ((gint32) self->elements.parts->len));
  return TRUE;
}

/* Each op stands twice: for areas in the order of what comes, and in the order of keys. */
#define COMPUTE(op, func)                                                \
  static gboolean                                                        \
  map_##op (FlowKernelContext *c,                                        \
              GError           **error)                                  \
  {                                                                      \
    return _flow_area_with (c, &_flow_area_map_class, func, error);      \
  }                                                                      \
                                                                         \
  static gboolean                                                        \
  ordered_##op (FlowKernelContext *c,                                    \
                  GError           **error)                              \
  {                                                                      \
    return _flow_area_with (c, &_flow_area_ordered_class, func, error);  \
  }

COMPUTE (stage, stage)
COMPUTE (peek, peek)
COMPUTE (unstage, unstage)
COMPUTE (unstage_any, unstage_any)
COMPUTE (size, _flow_area_put_size)
COMPUTE (incomplete_size, put_incomplete_size)
COMPUTE (clear, _flow_area_clear)

#define OPS(prefix, kind)                                                           \
  {                                                                                 \
    .name = prefix "Clear",                                                         \
    .attrs = FLOW_AREA_ATTRS ("dtypes: list(type)"),                                \
    .summary = "Takes all elements away",                                           \
    .flags = FLOW_OP_STATEFUL,                                                      \
    .family = FLOW_OP_FAMILY_IO,                                                    \
    .infer = flow_infer_no_outputs,                                                 \
    .kernels = FLOW_AREA_KERNELS (kind##_clear),                                    \
  },                                                                                \
  {                                                                                 \
    .name = prefix "IncompleteSize",                                                \
    .outputs = "size: int32",                                                       \
    .attrs = FLOW_AREA_ATTRS ("dtypes: list(type)"),                                \
    .summary = "How many elements are set down in part",                            \
    .flags = FLOW_OP_STATEFUL,                                                      \
    .family = FLOW_OP_FAMILY_IO,                                                    \
    .infer = flow_infer_scalar_shape,                                               \
    .kernels = FLOW_AREA_KERNELS (kind##_incomplete_size),                          \
  },                                                                                \
  {                                                                                 \
    .name = prefix "Peek",                                                          \
    .inputs = "key: int64; indices: int32",                                         \
    .outputs = "values: dtypes",                                                    \
    .attrs = FLOW_AREA_ATTRS ("dtypes: list(type) >= 1"),                           \
    .summary = "Looks at the element under a key",                                  \
    .flags = FLOW_OP_STATEFUL,                                                      \
    .family = FLOW_OP_FAMILY_IO,                                                    \
    .infer = flow_infer_unknown_shape,                                              \
    .kernels = FLOW_AREA_KERNELS (kind##_peek),                                     \
  },                                                                                \
  {                                                                                 \
    .name = prefix "Size",                                                          \
    .outputs = "size: int32",                                                       \
    .attrs = FLOW_AREA_ATTRS ("dtypes: list(type)"),                                \
    .summary = "How many elements are set down",                                    \
    .flags = FLOW_OP_STATEFUL,                                                      \
    .family = FLOW_OP_FAMILY_IO,                                                    \
    .infer = flow_infer_scalar_shape,                                               \
    .kernels = FLOW_AREA_KERNELS (kind##_size),                                     \
  },                                                                                \
  {                                                                                 \
    .name = prefix "Stage",                                                         \
    .inputs = "key: int64; indices: int32; values: fake_dtypes",                    \
    .attrs = FLOW_AREA_ATTRS ("dtypes: list(type); fake_dtypes: list(type) >= 1"),  \
    .summary = "Sets an element down under a key",                                  \
    .flags = FLOW_OP_STATEFUL,                                                      \
    .family = FLOW_OP_FAMILY_IO,                                                    \
    .infer = flow_infer_no_outputs,                                                 \
    .kernels = FLOW_AREA_KERNELS (kind##_stage),                                    \
  },                                                                                \
  {                                                                                 \
    .name = prefix "Unstage",                                                       \
    .inputs = "key: int64; indices: int32",                                         \
    .outputs = "values: dtypes",                                                    \
    .attrs = FLOW_AREA_ATTRS ("dtypes: list(type) >= 1"),                           \
    .summary = "Takes the element under a key up",                                  \
    .flags = FLOW_OP_STATEFUL,                                                      \
    .family = FLOW_OP_FAMILY_IO,                                                    \
    .infer = flow_infer_unknown_shape,                                              \
    .kernels = FLOW_AREA_KERNELS (kind##_unstage),                                  \
  },                                                                                \
  {                                                                                 \
    .name = prefix "UnstageNoKey",                                                  \
    .inputs = "indices: int32",                                                     \
    .outputs = "key: int64; values: dtypes",                                        \
    .attrs = FLOW_AREA_ATTRS ("dtypes: list(type) >= 1"),                           \
    .summary = "Takes some element up, and its key",                                \
    .flags = FLOW_OP_STATEFUL,                                                      \
    .family = FLOW_OP_FAMILY_IO,                                                    \
    .infer = flow_infer_unknown_shape,                                              \
    .kernels = FLOW_AREA_KERNELS (kind##_unstage_any),                              \
  }

static const FlowOpDef ops[] = {
  OPS ("Map", map),
  OPS ("OrderedMap", ordered),
};

FLOW_DEFINE_OP_FAMILY (staging_map, ops)
