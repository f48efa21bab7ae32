/* flow-tensor-list.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-tensor-list-private.h"

#include "flow-array-private.h"
#include "flow-variant-tensors-private.h"

#include <string.h>

G_DEFINE_FINAL_TYPE (FlowTensorList, _flow_tensor_list, FLOW_TYPE_VARIANT)

/* --- the value ------------------------------------------------------------------------------------------ */

static void
list_visit (FlowVariant        *variant,
            FlowVariantVisitor  visitor,
            gpointer            data)
{
  FlowTensorList *self = FLOW_TENSOR_LIST (variant);

  for (gint64 i = 0; i < self->n; i++)
    {
      char label[24];

      g_snprintf (label, sizeof label, "%" G_GINT64_FORMAT, i);
      visitor (label, self->tensors[i], data);
    }
}

static char *
list_describe (FlowVariant *variant)
{
  FlowTensorList *self = FLOW_TENSOR_LIST (variant);
  g_autofree char *shape = flow_shape_to_string (self->shape);

  return g_strdup_printf ("%" G_GINT64_FORMAT " of %s %s", self->n, flow_dtype_name (self->dtype), shape);
}

static FlowVariant *
list_zeros_like (FlowVariant  *variant,
                 FlowBudget   *budget,
                 GError      **error)
{
  FlowTensorList *self = FLOW_TENSOR_LIST (variant);
  g_autoptr (FlowTensorList) zeros = _flow_tensor_list_new (self->dtype, self->shape, self->n, budget, error);

  for (gint64 i = 0; zeros != NULL && i < self->n; i++)
    {
      g_autoptr (FlowTensor) zero = NULL;

      if (self->tensors[i] == NULL)
        continue;
      zero = _flow_variant_zero_tensor (self->tensors[i], budget, error);
      if (zero == NULL || !_flow_tensor_list_set (zeros, i, zero, error))
        return NULL;
    }
  return (FlowVariant *) g_steal_pointer (&zeros);
}

static gboolean
check_summands (FlowTensorList  *a,
                FlowTensorList  *b,
                GError         **error)
{
  if (a->dtype != b->dtype)
    return _flow_refuse (error, "Trying to add two lists of tensors of different dtypes. One is %s and the other is %s",
                         flow_dtype_string (a->dtype), flow_dtype_string (b->dtype));
  if (!flow_shape_is_compatible (a->shape, b->shape))
    {
      g_autofree char *a_text = flow_shape_to_string (a->shape);
      g_autofree char *b_text = flow_shape_to_string (b->shape);

      return _flow_refuse (error, "Trying to add two lists of tensors with incompatible element shapes. "
                           "One is %s and the other is %s", a_text, b_text);
    }
  if (a->n != b->n)
    return _flow_refuse (error, "Trying to add two lists of tensors with different lengths. "
                         "One is %" G_GINT64_FORMAT " and the other is %" G_GINT64_FORMAT, a->n, b->n);
  return TRUE;
}

static FlowVariant *
list_add (FlowVariant  *a_variant,
          FlowVariant  *b_variant,
          FlowBudget   *budget,
          GError      **error)
{
  FlowTensorList *a = FLOW_TENSOR_LIST (a_variant);
  FlowTensorList *b = FLOW_TENSOR_LIST (b_variant);
  g_autoptr (FlowTensorList) sum = NULL;
  g_autoptr (FlowShape) shape = NULL;

  if (!check_summands (a, b, error))
    return NULL;
  shape = _flow_merge_shapes (a->shape, b->shape, error);
  sum = shape != NULL ? _flow_tensor_list_new (a->dtype, shape, a->n, budget, error) : NULL;
  for (gint64 i = 0; sum != NULL && i < a->n; i++)
    {
      g_autoptr (FlowTensor) both = NULL;

      if (a->tensors[i] == NULL && b->tensors[i] == NULL)
        continue;
      both = _flow_variant_add_tensors (a->tensors[i], b->tensors[i], budget, error);
      if (both == NULL || !_flow_tensor_list_set (sum, i, both, error))
        return NULL;
    }
  return (FlowVariant *) g_steal_pointer (&sum);
}

static void
list_finalize (GObject *object)
{
  FlowTensorList *self = FLOW_TENSOR_LIST (object);

  for (gint64 i = 0; i < self->n; i++)
    if (self->tensors[i] != NULL)
      flow_tensor_unref (self->tensors[i]);
  g_free (self->tensors);
  if (self->budget != NULL)
    {
      flow_budget_release (self->budget, self->counted);
      flow_budget_unref (self->budget);
    }
  g_clear_pointer (&self->shape, flow_shape_unref);
  G_OBJECT_CLASS (_flow_tensor_list_parent_class)->finalize (object);
}

static void
_flow_tensor_list_class_init (FlowTensorListClass *klass)
{
  FlowVariantClass *variant_class = FLOW_VARIANT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = list_finalize;
  variant_class->type_name = "tensorflow::TensorList";
  variant_class->visit = list_visit;
  variant_class->describe = list_describe;
  variant_class->zeros_like = list_zeros_like;
  variant_class->add = list_add;
}

static void
_flow_tensor_list_init (FlowTensorList *self)
{
  self->max_elements = -1;
}

/* What a list itself costs, about. It is counted, so that lists in lists in lists end with the budget. */
#define LIST_BYTES 256

static gboolean
count (FlowTensorList  *self,
       gsize            bytes,
       GError         **error)
{
  FLOW_REQUIRE (self->budget == NULL || flow_budget_reserve (self->budget, bytes), error, RESOURCE_EXHAUSTED,
                "OOM when making a list of tensors");
  self->counted += bytes;
  return TRUE;
}

static gboolean
reserve (FlowTensorList  *self,
         gint64           capacity,
         GError         **error)
{
  gsize more;
  FlowTensor **tensors;

  if (capacity <= self->capacity)
    return TRUE;
  more = (gsize) (capacity - self->capacity) * sizeof (FlowTensor *);
  if (!count (self, more, error))
    return FALSE;
  tensors = g_try_realloc_n (self->tensors, (gsize) capacity, sizeof (FlowTensor *));
  FLOW_REQUIRE (tensors != NULL, error, RESOURCE_EXHAUSTED, "OOM when making a list of %" G_GINT64_FORMAT " tensors",
                capacity);
  memset (tensors + self->capacity, 0, more);
  self->tensors = tensors;
  self->capacity = capacity;
  return TRUE;
}

FlowTensorList *
_flow_tensor_list_new (FlowDType         dtype,
                       const FlowShape  *shape,
                       gint64            n,
                       FlowBudget       *budget,
                       GError          **error)
{
  g_autoptr (FlowTensorList) self = g_object_new (FLOW_TYPE_TENSOR_LIST, NULL);

  self->dtype = dtype;
  self->shape = flow_shape_ref (shape);
  self->budget = budget != NULL ? flow_budget_ref (budget) : NULL;
  if (!count (self, LIST_BYTES, error) || !_flow_tensor_list_resize (self, n, error))
    return NULL;
  return g_steal_pointer (&self);
}

FlowTensorList *
_flow_tensor_list_copy (FlowTensorList  *self,
                        FlowBudget      *budget,
                        GError         **error)
{
  g_autoptr (FlowTensorList) copy = _flow_tensor_list_new (self->dtype, self->shape, self->n, budget, error);

  for (gint64 i = 0; copy != NULL && i < self->n; i++)
    if (self->tensors[i] != NULL && !_flow_tensor_list_set (copy, i, self->tensors[i], error))
      return NULL;
  if (copy != NULL)
    copy->max_elements = self->max_elements;
  return g_steal_pointer (&copy);
}

gboolean
_flow_tensor_list_resize (FlowTensorList  *self,
                          gint64           n,
                          GError         **error)
{
  if (!reserve (self, n, error))
    return FALSE;
  for (gint64 i = n; i < self->n; i++)
    g_clear_pointer (&self->tensors[i], flow_tensor_unref);
  self->n = n;
  flow_variant_changed (FLOW_VARIANT (self));
  return TRUE;
}

gboolean
_flow_tensor_list_set (FlowTensorList    *self,
                       gint64             i,
                       const FlowTensor  *tensor,
                       GError           **error)
{
  g_assert (i >= 0 && i < self->n);

  if (tensor != NULL && !flow_variant_nest (FLOW_VARIANT (self), tensor, error))
    return FALSE;
  if (tensor != NULL)
    flow_tensor_ref (tensor);
  g_clear_pointer (&self->tensors[i], flow_tensor_unref);
  self->tensors[i] = (FlowTensor *) (gpointer) tensor;
  flow_variant_changed (FLOW_VARIANT (self));
  return TRUE;
}

gboolean
_flow_tensor_list_push (FlowTensorList    *self,
                        const FlowTensor  *tensor,
                        GError           **error)
{
  if (self->n == self->capacity && !reserve (self, self->n + MAX (self->n / 2, 4), error))
    return FALSE;
  self->n++;
  if (_flow_tensor_list_set (self, self->n - 1, tensor, error))
    return TRUE;
  self->n--;
  return FALSE;
}

/* --- for kernels ---------------------------------------------------------------------------------------- */

char *
_flow_variant_text (FlowVariant *variant)
{
  g_autofree char *what = NULL;

  if (variant == NULL)
    return g_strdup ("Variant<type: INVALID value: ?>");
  what = flow_variant_describe (variant);
  return g_strdup_printf ("Variant<type: %s value: %s>", flow_variant_get_type_name (variant), what);
}

FlowTensorList *
_flow_kernel_list (FlowKernelContext  *c,
                   guint               i,
                   GError            **error)
{
  FlowTensor *tensor = flow_kernel_input (c, i);
  FlowVariant *variant;
  g_autofree char *what = NULL;

  if (!flow_is_scalar (tensor))
    {
      _flow_refuse_shapes (error, tensor, NULL, "Input list must be a scalar saw: %s");
      return NULL;
    }
  variant = flow_tensor_get_variant (tensor, 0);
  if (variant != NULL && FLOW_IS_TENSOR_LIST (variant))
    return FLOW_TENSOR_LIST (variant);
  what = _flow_variant_text (variant);
  _flow_refuse (error, "Input handle is not a list. Saw: '%s'", what);
  return NULL;
}

FlowTensorList *
_flow_kernel_own_list (FlowKernelContext  *c,
                       guint               i,
                       guint               output,
                       GError            **error)
{
  FlowTensorList *list = _flow_kernel_list (c, i, error);
  FlowTensorList *copy;

  if (list == NULL)
    return NULL;
  if (c->input_forwardable != NULL && c->input_forwardable[i] && flow_tensor_is_exclusive (flow_kernel_input (c, i))
      && g_atomic_int_get (&G_OBJECT (list)->ref_count) == 1)
    {
      flow_kernel_set_output (c, output, flow_kernel_input (c, i));
      return list;
    }
  copy = _flow_tensor_list_copy (list, c->budget, error);
  if (copy != NULL)
    _flow_kernel_take_list (c, output, copy);
  return copy;
}

gboolean
_flow_kernel_take_list (FlowKernelContext *c,
                        guint              output,
                        FlowTensorList    *list)
{
  flow_kernel_take_output (c, output, flow_tensor_new_variant (FLOW_VARIANT (list)));
  g_object_unref (list);
  return TRUE;
}

gboolean
_flow_kernel_list_dtype (FlowKernelContext  *c,
                         FlowTensorList     *list,
                         GError            **error)
{
  int dtype = flow_kernel_attr_dtype (c, "element_dtype");

  if (dtype != (int) list->dtype)
    return _flow_refuse (error, "Invalid data types; op elements %s but list elements %s", flow_dtype_string (dtype),
                         flow_dtype_string (list->dtype));
  return TRUE;
}

FlowShape *
_flow_kernel_element_shape (FlowKernelContext  *c,
                            guint               i,
                            GError            **error)
{
  FlowTensor *tensor = flow_kernel_input (c, i);
  FlowShape *shape;

  if (flow_is_scalar (tensor))
    {
      if (flow_index_at (tensor, 0) == -1)
        return flow_shape_new_unknown ();
      _flow_refuse (error, "The only valid scalar shape tensor is the fully unknown shape specified as -1.");
      return NULL;
    }
  if (!flow_is_vector (tensor) || tensor->n_elements > FLOW_SHAPE_MAX_RANK)
    {
      _flow_refuse_shapes (error, tensor, NULL, "The shape tensor must be a scalar or a vector, but has shape %s");
      return NULL;
    }
  for (gint64 k = 0; k < tensor->n_elements; k++)
    if (flow_index_at (tensor, k) < -1)
      {
        _flow_refuse (error, "Dimension %" G_GINT64_FORMAT " must be >= -1", flow_index_at (tensor, k));
        return NULL;
      }
  shape = flow_shape_new_of_rank ((int) tensor->n_elements);
  for (gint64 k = 0; k < tensor->n_elements; k++)
    shape->dims[k] = flow_index_at (tensor, k);
  return shape;
}

FlowShape *
_flow_kernel_asked_shape (FlowKernelContext  *c,
                          FlowTensorList     *list,
                          guint               i,
                          GError            **error)
{
  g_autoptr (FlowShape) asked = _flow_kernel_element_shape (c, i, error);

  return asked != NULL ? _flow_merge_shapes (asked, list->shape, error) : NULL;
}

gboolean
_flow_tensor_list_merge (FlowTensorList  *list,
                         gint64           i,
                         FlowShape      **shape,
                         GError         **error)
{
  FlowShape *merged;

  if (i < 0 || i >= list->n || list->tensors[i] == NULL)
    return TRUE;
  merged = _flow_merge_shapes (*shape, list->tensors[i]->shape, error);
  if (merged == NULL)
    return FALSE;
  flow_shape_unref (*shape);
  *shape = merged;
  return TRUE;
}

void
_flow_infer_put_list (FlowInferContext *c,
                      guint             output,
                      const FlowShape  *shape)
{
  flow_infer_take_output (c, output, flow_shape_new_scalar ());
  flow_infer_set_handle (c, output, flow_infer_attr_dtype (c, "element_dtype"), shape);
}

void
_flow_infer_same_list (FlowInferContext *c,
                       guint             input,
                       guint             output)
{
  flow_infer_take_output (c, output, flow_shape_new_scalar ());
  if (c->input_handles != NULL && c->input_handles[input].shape != NULL)
    flow_infer_set_handle (c, output, c->input_handles[input].dtype, c->input_handles[input].shape);
}

/* The shape that input @i spells. TF: for lists, -1 alone is an unknown shape. */
gboolean
_flow_tensor_list_asked_shape (FlowInferContext  *c,
                               guint              i,
                               FlowShape        **out,
                               GError           **error)
{
  int rank = flow_infer_input (c, i)->rank;
  FlowTensor *value = rank <= 1 ? flow_infer_input_value (c, i) : NULL;
  gboolean is_number = rank == 0 || (value != NULL && FLOW_RANK (value) == 0);

  if (is_number && (value == NULL || flow_tensor_get_int (value, 0) == -1))
    {
      *out = flow_shape_new_unknown ();
      return TRUE;
    }
  return flow_infer_shape_from_value (c, i, out, error);
}

gboolean
_flow_infer_list_shape (FlowInferContext  *c,
                        guint              list,
                        guint              shape_input,
                        FlowShape        **out,
                        GError           **error)
{
  g_autoptr (FlowShape) asked = NULL;

  if (!_flow_tensor_list_asked_shape (c, shape_input, &asked, error))
    return FALSE;
  if (c->input_handles == NULL || c->input_handles[list].shape == NULL)
    {
      *out = g_steal_pointer (&asked);
      return TRUE;
    }
  return flow_infer_merge (c, asked, c->input_handles[list].shape, out, error);
}
