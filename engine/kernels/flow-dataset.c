/* flow-dataset.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-dataset-private.h"

#include "flow-array-private.h"
#include "flow-state-handle.h"

#include <string.h>

/* Datasets in datasets: each level is a call on the stack. */
#define MAX_DEPTH 1000

G_DEFINE_FINAL_TYPE (FlowDataset, _flow_dataset, FLOW_TYPE_VARIANT)

static void
clear_components (FlowDataset *self)
{
  for (guint i = 0; i < self->n_components; i++)
    g_clear_pointer (&self->shapes[i], flow_shape_unref);
  g_clear_pointer (&self->shapes, g_free);
  g_clear_pointer (&self->dtypes, g_free);
  self->n_components = 0;
}

static void
_flow_dataset_finalize (GObject *object)
{
  FlowDataset *self = FLOW_DATASET (object);

  for (guint i = 0; i < self->n_inputs; i++)
    g_object_unref (self->inputs[i]);
  g_free (self->inputs);
  for (guint i = 0; i < self->n_tensors; i++)
    flow_tensor_unref (self->tensors[i]);
  g_free (self->tensors);
  for (guint f = 0; f < FLOW_DATASET_FUNCS; f++)
    {
      FlowDatasetFunc *func = &self->funcs[f];

      g_clear_pointer (&func->func, flow_attr_unref);
      for (guint i = 0; i < func->n_captured; i++)
        flow_tensor_unref (func->captured[i]);
      g_free (func->captured);
    }
  clear_components (self);
  g_clear_pointer (&self->tuples, g_ptr_array_unref);
  if (self->data != NULL)
    self->data_free (self->data);
  g_free (self->maker);
  g_clear_error (&self->problem);
  G_OBJECT_CLASS (_flow_dataset_parent_class)->finalize (object);
}

static void
dataset_visit (FlowVariant        *variant,
               FlowVariantVisitor  visitor,
               gpointer            data)
{
  FlowDataset *self = FLOW_DATASET (variant);

  for (guint i = 0; i < self->n_inputs; i++)
    {
      g_autofree char *label = g_strdup_printf ("input/%u", i);
      g_autoptr (FlowTensor) input = flow_tensor_new_variant (FLOW_VARIANT (self->inputs[i]));

      visitor (label, input, data);
    }
  for (guint i = 0; i < self->n_tensors; i++)
    visitor ("tensor", self->tensors[i], data);
  for (guint f = 0; f < FLOW_DATASET_FUNCS; f++)
    for (guint i = 0; i < self->funcs[f].n_captured; i++)
      visitor ("captured", self->funcs[f].captured[i], data);
  for (guint i = 0; self->tuples != NULL && i < self->tuples->len; i++)
    {
      const FlowTuple *tuple = self->tuples->pdata[i];

      for (guint k = 0; k < tuple->n; k++)
        visitor ("element", tuple->tensors[k], data);
    }
}

static char *
dataset_describe (FlowVariant *variant)
{
  FlowDataset *self = FLOW_DATASET (variant);
  GString *text = g_string_new (self->kind->name);
  guint n = FLOW_DATASET_NUMBERS;

  while (n > 0 && self->numbers[n - 1] == 0)
    n--;
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : " ", self->numbers[i]);
  for (guint f = 0; f < FLOW_DATASET_FUNCS; f++)
    if (self->funcs[f].func != NULL)
      g_string_append_printf (text, " %s", flow_attr_get_func_name (self->funcs[f].func));
  return g_string_free (text, FALSE);
}

static void
_flow_dataset_class_init (FlowDatasetClass *klass)
{
  FlowVariantClass *variant_class = FLOW_VARIANT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = _flow_dataset_finalize;
  variant_class->type_name = "tensorflow::DatasetVariantWrapper";
  variant_class->visit = dataset_visit;
  variant_class->describe = dataset_describe;
}

static void
_flow_dataset_init (FlowDataset *self)
{
}

FlowDataset *
_flow_dataset_new_bare (const FlowDatasetKind *kind)
{
  FlowDataset *self = g_object_new (FLOW_TYPE_DATASET, NULL);

  self->kind = kind;
  return self;
}

FlowDataset *
_flow_dataset_new (FlowKernelContext     *c,
                   const FlowDatasetKind *kind)
{
  FlowDataset *self = _flow_dataset_new_bare (kind);
  FlowAttr *types = flow_kernel_attr (c, "output_types");
  FlowAttr *shapes = flow_kernel_attr (c, "output_shapes");

  if (types == NULL)
    types = flow_kernel_attr (c, "Toutput_types");
  if (types == NULL || shapes == NULL || flow_attr_get_length (types) != flow_attr_get_length (shapes))
    return self;
  self->n_components = (guint) flow_attr_get_length (types);
  self->dtypes = g_new0 (int, self->n_components + 1);
  self->shapes = g_new0 (FlowShape *, self->n_components + 1);
  for (guint i = 0; i < self->n_components; i++)
    {
      self->dtypes[i] = flow_dtype_base (flow_attr_get_dtype (flow_attr_get_item (types, i)));
      self->shapes[i] = flow_shape_ref (flow_attr_get_shape (flow_attr_get_item (shapes, i)));
    }
  return self;
}

FlowDataset *
_flow_dataset_copy (FlowDataset *self)
{
  FlowDataset *copy = _flow_dataset_new_bare (self->kind);

  /* What fits into the one fits into the other. */
  copy->inputs = g_new0 (FlowDataset *, self->n_inputs + 1);
  for (guint i = 0; i < self->n_inputs; i++)
    if (flow_variant_nest_variant (FLOW_VARIANT (copy), FLOW_VARIANT (self->inputs[i]), NULL))
      copy->inputs[copy->n_inputs++] = g_object_ref (self->inputs[i]);
  for (guint i = 0; i < self->n_tensors; i++)
    _flow_dataset_add_tensor (copy, self->tensors[i]);
  memcpy (copy->numbers, self->numbers, sizeof copy->numbers);
  copy->maker = g_strdup (self->maker);
  copy->twin = self->twin;
  for (guint f = 0; f < FLOW_DATASET_FUNCS; f++)
    {
      const FlowDatasetFunc *func = &self->funcs[f];

      if (func->func == NULL)
        continue;
      copy->funcs[f].func = flow_attr_ref (func->func);
      copy->funcs[f].captured = g_new0 (FlowTensor *, func->n_captured + 1);
      for (guint i = 0; i < func->n_captured; i++)
        copy->funcs[f].captured[copy->funcs[f].n_captured++] = flow_tensor_ref (func->captured[i]);
    }
  copy->n_components = self->n_components;
  copy->dtypes = g_memdup2 (self->dtypes, self->n_components * sizeof (int));
  copy->shapes = g_new0 (FlowShape *, self->n_components + 1);
  for (guint i = 0; i < self->n_components; i++)
    copy->shapes[i] = flow_shape_ref (self->shapes[i]);
  copy->tuples = self->tuples != NULL ? g_ptr_array_ref (self->tuples) : NULL;
  return copy;
}

void
_flow_dataset_set_component (FlowDataset     *self,
                             int              dtype,
                             const FlowShape *shape)
{
  clear_components (self);
  self->n_components = 1;
  self->dtypes = g_new0 (int, 1);
  self->dtypes[0] = dtype;
  self->shapes = g_new0 (FlowShape *, 1);
  self->shapes[0] = flow_shape_ref (shape);
}

FlowDataset *
_flow_dataset_from_tensor (const FlowTensor  *tensor,
                           GError           **error)
{
  FlowVariant *variant;

  if (tensor == NULL || tensor->dtype != FLOW_DTYPE_VARIANT || tensor->n_elements != 1 || FLOW_RANK (tensor) != 0)
    {
      _flow_refuse (error, "Dataset tensor must be a scalar of dtype DT_VARIANT.");
      return NULL;
    }
  variant = flow_tensor_get_variant (tensor, 0);
  if (variant == NULL || !FLOW_IS_DATASET (variant))
    {
      _flow_refuse (error, "Tensor must be a Dataset object.");
      return NULL;
    }
  return FLOW_DATASET (variant);
}

gboolean
_flow_dataset_take_input (FlowDataset  *self,
                          FlowDataset  *input,
                          GError      **error)
{
  if (!flow_variant_nest_variant (FLOW_VARIANT (self), FLOW_VARIANT (input), error))
    return FALSE;
  self->inputs = g_renew (FlowDataset *, self->inputs, self->n_inputs + 1);
  self->inputs[self->n_inputs++] = input;
  return TRUE;
}

gboolean
_flow_dataset_add_input (FlowDataset        *self,
                         FlowKernelContext  *c,
                         guint               i,
                         GError            **error)
{
  FlowDataset *input = _flow_dataset_from_tensor (flow_kernel_input (c, i), error);

  if (input == NULL)
    return FALSE;
  g_object_ref (input);
  if (_flow_dataset_take_input (self, input, error))
    return TRUE;
  g_object_unref (input);
  return FALSE;
}

gboolean
_flow_dataset_new_on_input (FlowKernelContext      *c,
                            const FlowDatasetKind  *kind,
                            FlowDataset           **dataset,
                            GError                **error)
{
  *dataset = _flow_dataset_new (c, kind);
  if (_flow_dataset_add_input (*dataset, c, 0, error))
    return TRUE;
  g_clear_object (dataset);
  return FALSE;
}

gboolean
_flow_dataset_pass_on (FlowPosition  *self,
                       FlowPull      *pull,
                       FlowTuple    **out,
                       GError       **error)
{
  return _flow_position_pull (self, 0, pull, out, error);
}

gint64
_flow_dataset_count_input (FlowDataset *self)
{
  return _flow_dataset_count (self->inputs[0]);
}

void
_flow_dataset_add_tensor (FlowDataset      *self,
                          const FlowTensor *tensor)
{
  if (self->problem == NULL)
    flow_variant_nest (FLOW_VARIANT (self), tensor, &self->problem);
  self->tensors = g_renew (FlowTensor *, self->tensors, self->n_tensors + 1);
  self->tensors[self->n_tensors++] = flow_tensor_ref (tensor);
}

void
_flow_dataset_set_func (FlowDataset       *self,
                        FlowKernelContext *c,
                        guint              which,
                        const char        *attr,
                        guint              first,
                        guint              n)
{
  FlowDatasetFunc *func = &self->funcs[which];

  func->func = flow_attr_ref (flow_kernel_attr (c, attr));
  if (self->maker == NULL)
    self->maker = g_strdup (flow_kernel_get_name (c));
  if (self->problem == NULL && !flow_kernel_has_function (c, func->func))
    g_set_error (&self->problem, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION, "Could not find required function definition %s",
                 flow_attr_get_func_name (func->func));
  func->captured = g_new0 (FlowTensor *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      FlowTensor *tensor = flow_kernel_input (c, first + i);

      if (self->problem == NULL)
        flow_variant_nest (FLOW_VARIANT (self), tensor, &self->problem);
      func->captured[func->n_captured++] = flow_tensor_ref (tensor);
    }
}

/* TF: an iterator makes the kernels of its functions anew whenever it is put to the beginning, and once for each node. */
static FlowAttrList *
with_state_handle (const FlowDataset *self,
                   FlowAttrList      *attrs,
                   const char        *state_handle)
{
  FlowAttrList *all = NULL;
  g_autoptr (GString) own = NULL;

  if (state_handle == NULL)
    return attrs != NULL ? flow_attr_list_ref (attrs) : NULL;
  all = flow_attr_list_new ();
  for (guint i = 0; attrs != NULL && i < flow_attr_list_get_length (attrs); i++)
    flow_attr_list_set (all, flow_attr_list_get_name (attrs, i), flow_attr_list_get_value (attrs, i));
  own = g_string_new (state_handle);
  if (self->maker != NULL)
    g_string_append_printf (own, "/%s", self->maker);
  if (self->twin > 0)
    g_string_append_printf (own, "/%u", self->twin);
  flow_attr_list_take (all, FLOW_STATE_HANDLE_ATTR, flow_attr_new_string (own->str, -1));
  return all;
}

gboolean
_flow_dataset_call (FlowDataset         *self,
                    FlowPull            *pull,
                    guint                which,
                    FlowTensor *const   *args,
                    guint                n_args,
                    FlowTensor         **results,
                    guint                n_results,
                    GError             **error)
{
  const FlowDatasetFunc *func = &self->funcs[which];
  const FlowKernelContext *c = pull->c;
  g_autofree FlowTensor **all = g_new (FlowTensor *, n_args + func->n_captured + 1);
  g_autoptr (FlowAttrList) attrs = with_state_handle (self, flow_attr_get_func_attrs (func->func), pull->state_handle);
  GError *failure = NULL;

  for (guint i = 0; i < n_args; i++)
    all[i] = args[i];
  for (guint i = 0; i < func->n_captured; i++)
    all[n_args + i] = func->captured[i];
  if (c->host->call_function (c->host_data, flow_attr_get_func_name (func->func),
                              attrs, pull->is_optimized ? FLOW_CALL_OPTIMIZED : FLOW_CALL_ON_DEVICES, all,
                              n_args + func->n_captured, results, n_results, &failure))
    return TRUE;
  /* TF: the function is named in front, the innermost where one calls another; those of a generator are not. */
  if (failure->domain == FLOW_ERROR && !g_str_has_prefix (failure->message, "{{function_node ")
      && !g_str_equal (self->kind->name, "GeneratorDataset")
      && !g_error_matches (failure, FLOW_ERROR, FLOW_ERROR_OUT_OF_RANGE))
    g_prefix_error (&failure, "{{function_node %s}} ", flow_attr_get_func_name (func->func));
  g_propagate_error (error, failure);
  return FALSE;
}

gint64
_flow_dataset_count (FlowDataset *self)
{
  return self->kind->cardinality != NULL ? self->kind->cardinality (self) : FLOW_CARDINALITY_UNKNOWN;
}

gboolean
_flow_dataset_put (FlowKernelContext  *c,
                   FlowDataset        *self,
                   GError            **error)
{
  gboolean ok = self->problem == NULL;

  if (ok)
    flow_kernel_take_output (c, 0, flow_tensor_new_variant (FLOW_VARIANT (self)));
  else
    g_propagate_error (error, g_steal_pointer (&self->problem));
  g_object_unref (self);
  return ok;
}

gboolean
_flow_dataset_read_int (FlowKernelContext  *c,
                        guint               i,
                        const char         *name,
                        gint64             *value,
                        GError            **error)
{
  FlowTensor *tensor = flow_kernel_input (c, i);

  if (!flow_is_scalar (tensor))
    return _flow_refuse (error, "%s must be a scalar", name);
  *value = FLOW_DATA (gint64, tensor)[0];
  return TRUE;
}

gboolean
_flow_components_match (guint              n_expected,
                        const int         *expected_dtypes,
                        FlowShape *const  *expected_shapes,
                        guint              n,
                        const int         *dtypes,
                        FlowShape *const  *shapes,
                        GError           **error)
{
  if (n_expected != n)
    return _flow_refuse (error, "Number of components does not match: expected %u types but got %u.", n_expected, n);
  for (guint i = 0; i < n; i++)
    if (expected_dtypes[i] != dtypes[i])
      return _flow_refuse (error, "Data type mismatch at component %u: expected %s but got %s.", i,
                           flow_dtype_string (expected_dtypes[i]), flow_dtype_string (dtypes[i]));
  for (guint i = 0; i < n; i++)
    if (!flow_shape_is_compatible (expected_shapes[i], shapes[i]))
      {
        g_autofree char *a = flow_shape_to_string (expected_shapes[i]);
        g_autofree char *b = flow_shape_to_string (shapes[i]);

        return _flow_refuse (error, "Incompatible shapes at component %u: expected %s but got %s.", i, a, b);
      }
  return TRUE;
}

gboolean
_flow_dataset_infer (FlowInferContext  *c,
                     GError           **error)
{
  for (guint i = 0; i < c->n_outputs; i++)
    flow_infer_take_output (c, i, flow_shape_new_scalar ());
  return TRUE;
}

gboolean
_flow_components_infer (FlowInferContext  *c,
                        GError           **error)
{
  FlowAttr *shapes = flow_infer_attr (c, "output_shapes");

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (flow_attr_get_length (shapes) != c->n_outputs)
    return _flow_refuse (error, "`output_shapes` must be the same length as `output_types` (%" G_GSIZE_FORMAT " vs. %u)",
                         flow_attr_get_length (shapes), c->n_outputs);
  for (guint i = 0; i < c->n_outputs; i++)
    flow_infer_set_output (c, i, flow_attr_get_shape (flow_attr_get_item (shapes, i)));
  return TRUE;
}

/* --- positions -------------------------------------------------------------------------------------------------- */

/* SplitMix64's finish: keys of children differ from their parent's and from one another's. */
static guint64
mix (guint64 a,
     guint64 b)
{
  guint64 x = (a ^ b) + G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) * (b + 1);

  x = (x ^ (x >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return x ^ (x >> 31);
}

FlowPosition *
_flow_position_new (FlowDataset *dataset)
{
  FlowPosition *self = g_new0 (FlowPosition, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->dataset = g_object_ref (dataset);
  return self;
}

FlowPosition *
_flow_position_ref (FlowPosition *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
_flow_position_unref (gpointer data)
{
  FlowPosition *self = data;

  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->children, g_ptr_array_unref);
  g_clear_pointer (&self->tuples, g_ptr_array_unref);
  g_clear_pointer (&self->list, g_array_unref);
  g_clear_pointer (&self->stream, _flow_stream_free);
  g_object_unref (self->dataset);
  g_free (self);
}

static FlowPosition *
position_copy (FlowPosition *self)
{
  FlowPosition *copy = g_memdup2 (self, sizeof *self);

  g_atomic_ref_count_init (&copy->ref_count);
  g_object_ref (copy->dataset);
  /* The newest goes on reading. */
  self->stream = NULL;
  copy->children = NULL;
  if (self->children != NULL)
    {
      copy->children = g_ptr_array_new_full (self->children->len, _flow_position_unref);
      for (guint i = 0; i < self->children->len; i++)
        g_ptr_array_add (copy->children,
                         self->children->pdata[i] != NULL ? _flow_position_ref (self->children->pdata[i]) : NULL);
    }
  if (self->list != NULL)
    {
      copy->list = g_array_sized_new (FALSE, TRUE, sizeof (gint64), self->list->len);
      g_array_append_vals (copy->list, self->list->data, self->list->len);
    }
  copy->tuples = NULL;
  if (self->tuples != NULL)
    {
      copy->tuples = g_ptr_array_new_full (self->tuples->len, _flow_tuple_unref);
      for (guint i = 0; i < self->tuples->len; i++)
        g_ptr_array_add (copy->tuples, self->tuples->pdata[i] != NULL ? _flow_tuple_ref (self->tuples->pdata[i]) : NULL);
    }
  return copy;
}

/* TF: a generator that is taken up again leaves out a group of four where it had drawn one number. */
FlowPosition *
_flow_position_restored (FlowPosition *self)
{
  FlowPosition *copy = position_copy (self);
  int draws = self->dataset->kind->draws;

  if (draws > 0)
    copy->numbers[draws - 1] *= 4;
  for (guint i = 0; copy->children != NULL && i < copy->children->len; i++)
    if (copy->children->pdata[i] != NULL)
      {
        FlowPosition *child = _flow_position_restored (copy->children->pdata[i]);

        _flow_position_unref (copy->children->pdata[i]);
        copy->children->pdata[i] = child;
      }
  return copy;
}

gboolean
_flow_pull_is_cancelled (FlowPull  *pull,
                         GError   **error)
{
  if (!flow_kernel_is_cancelled (pull->c))
    return FALSE;
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_CANCELLED, "Operation was cancelled");
  return TRUE;
}

gboolean
_flow_position_next (FlowPosition **where,
                     FlowPull      *pull,
                     FlowTuple    **out,
                     GError       **error)
{
  FlowPosition *self = *where;

  *out = NULL;
  if (_flow_pull_is_cancelled (pull, error))
    return FALSE;
  if (self->is_ended)
    return TRUE;
  if (!g_atomic_ref_count_compare (&self->ref_count, 1))
    {
      *where = position_copy (self);
      _flow_position_unref (self);
      self = *where;
    }
  if (!self->is_started)
    {
      if (self->dataset->kind->start != NULL && !self->dataset->kind->start (self, pull, error))
        return FALSE;
      self->is_started = TRUE;
    }
  if (!self->dataset->kind->next (self, pull, out, error))
    {
      g_clear_pointer (out, _flow_tuple_unref);
      return FALSE;
    }
  self->n_given += *out != NULL;
  if (*out == NULL && !self->dataset->kind->goes_on)
    {
      self->is_ended = TRUE;
      g_clear_pointer (&self->children, g_ptr_array_unref);
      g_clear_pointer (&self->tuples, g_ptr_array_unref);
      g_clear_pointer (&self->list, g_array_unref);
      g_clear_pointer (&self->stream, _flow_stream_free);
    }
  return TRUE;
}

gboolean
_flow_position_has_child (FlowPosition *self,
                          guint         i)
{
  return self->children != NULL && i < self->children->len && self->children->pdata[i] != NULL;
}

void
_flow_position_close (FlowPosition *self,
                      guint         i)
{
  if (_flow_position_has_child (self, i))
    _flow_position_unref (g_steal_pointer (&self->children->pdata[i]));
}

gboolean
_flow_position_open (FlowPosition  *self,
                     guint          i,
                     FlowDataset   *dataset,
                     gint64         nth,
                     GError       **error)
{
  FlowPosition *child;

  FLOW_REQUIRE (self->depth < MAX_DEPTH, error, RESOURCE_EXHAUSTED, "Datasets stand in one another more than %d deep",
                MAX_DEPTH);
  _flow_position_close (self, i);
  if (self->children == NULL)
    self->children = g_ptr_array_new_with_free_func (_flow_position_unref);
  if (i >= self->children->len)
    g_ptr_array_set_size (self->children, (int) i + 1);
  child = _flow_position_new (dataset);
  child->depth = self->depth + 1;
  child->key = mix (mix (self->key, i), (guint64) nth);
  self->children->pdata[i] = child;
  return TRUE;
}

gboolean
_flow_position_next_child (FlowPosition  *self,
                           guint          i,
                           FlowPull      *pull,
                           FlowTuple    **out,
                           GError       **error)
{
  return _flow_position_next ((FlowPosition **) &self->children->pdata[i], pull, out, error);
}

gboolean
_flow_position_pull (FlowPosition  *self,
                     guint          i,
                     FlowPull      *pull,
                     FlowTuple    **out,
                     GError       **error)
{
  *out = NULL;
  if (!_flow_position_has_child (self, i) && !_flow_position_open (self, i, self->dataset->inputs[i], 0, error))
    return FALSE;
  return _flow_position_next_child (self, i, pull, out, error);
}

gboolean
_flow_position_pull_or_end (FlowPosition  *self,
                            guint          i,
                            FlowPull      *pull,
                            FlowTuple    **out,
                            GError       **error)
{
  GError *failure = NULL;

  pull->failed_at_end = FALSE;
  if (_flow_position_pull (self, i, pull, out, &failure))
    return TRUE;
  *out = NULL;
  if (!pull->failed_at_end)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  g_error_free (failure);
  return TRUE;
}

void
_flow_position_put (FlowPosition *self,
                    guint         i,
                    FlowTuple    *tuple)
{
  if (self->tuples == NULL)
    self->tuples = g_ptr_array_new_with_free_func (_flow_tuple_unref);
  if (i >= self->tuples->len)
    g_ptr_array_set_size (self->tuples, (int) i + 1);
  _flow_tuple_unref (self->tuples->pdata[i]);
  self->tuples->pdata[i] = tuple;
}

FlowTuple *
_flow_position_take (FlowPosition *self,
                     guint         i)
{
  return self->tuples != NULL && i < self->tuples->len ? g_steal_pointer (&self->tuples->pdata[i]) : NULL;
}

static void
visit_tuples (GPtrArray           *tuples,
              guint                n,
              const char          *label,
              FlowResourceVisitor  visitor,
              gpointer             data)
{
  for (guint i = 0; i < n; i++)
    {
      const FlowTuple *tuple = tuples->pdata[i];

      for (guint k = 0; tuple != NULL && k < tuple->n; k++)
        {
          g_autofree char *name = g_strdup_printf ("%s[%u]/%u", label, i, k);

          visitor (name, tuple->tensors[k], data);
        }
    }
}

void
_flow_position_visit (FlowPosition        *self,
                      const char          *label,
                      FlowResourceVisitor  visitor,
                      gpointer             data)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector (FLOW_POSITION_NUMBERS + 1);
  g_autoptr (FlowTensor) numbers = flow_tensor_new (FLOW_DTYPE_INT64, shape, NULL, NULL);
  g_autofree char *name = g_strdup_printf ("%s%s%s", label, *label != '\0' ? "/" : "", self->dataset->kind->name);

  memcpy (numbers->data, self->numbers, sizeof self->numbers);
  FLOW_WRITABLE (gint64, numbers)[FLOW_POSITION_NUMBERS] = self->is_ended;
  visitor (name, numbers, data);
  for (guint i = 0; self->list != NULL && i < self->list->len; i++)
    {
      g_autofree char *entry = g_strdup_printf ("%s.%u", name, i);
      g_autoptr (FlowTensor) number = flow_tensor_new_int64 (g_array_index (self->list, gint64, i));

      visitor (entry, number, data);
    }
  if (self->tuples != NULL)
    visit_tuples (self->tuples, self->tuples->len, name, visitor, data);
  for (guint i = 0; self->children != NULL && i < self->children->len; i++)
    {
      g_autofree char *below = g_strdup_printf ("%s/%u", name, i);

      if (self->children->pdata[i] != NULL)
        _flow_position_visit (self->children->pdata[i], below, visitor, data);
    }
}

FlowTuple *
_flow_element_new (FlowPull    *pull,
                   FlowTensor **tensors,
                   guint        n,
                   GError     **error)
{
  FlowTuple *tuple = _flow_tuple_new_counted (n, pull->c->budget, error);

  for (guint i = 0; i < n; i++)
    if (tuple != NULL)
      tuple->tensors[i] = g_steal_pointer (&tensors[i]);
    else
      g_clear_pointer (&tensors[i], flow_tensor_unref);
  return tuple;
}

static FlowTensor *
stack_component (FlowPull   *pull,
                 GPtrArray  *tuples,
                 guint       i,
                 gboolean    mapped,
                 GError    **error)
{
  const FlowTensor *first = ((FlowTuple *) tuples->pdata[0])->tensors[i];
  g_autoptr (FlowShape) shape = NULL;
  FlowTensor *out;

  if (FLOW_RANK (first) >= FLOW_SHAPE_MAX_RANK)
    {
      _flow_refuse (error, "Too many dimensions in tensor");
      return NULL;
    }
  shape = flow_shape_new_of_rank (FLOW_RANK (first) + 1);
  shape->dims[0] = tuples->len;
  memcpy (shape->dims + 1, FLOW_DIMS (first), (gsize) FLOW_RANK (first) * sizeof (gint64));
  for (guint k = 1; k < tuples->len; k++)
    {
      const FlowTensor *tensor = ((FlowTuple *) tuples->pdata[k])->tensors[i];

      if (tensor->dtype != first->dtype || !flow_shape_equal (tensor->shape, first->shape))
        {
          g_autofree char *a = flow_tensor_shape_text (first);
          g_autofree char *b = flow_tensor_shape_text (tensor);

          if (mapped)
            _flow_refuse (error, "Cannot add tensor to the batch: number of elements does not match. Shapes are: "
                          "[tensor]: %s, [batch]: %s", b, a);
          else
            _flow_refuse (error, "Cannot batch tensors with different shapes in component %u. First element had shape %s "
                          "and element %u had shape %s.", i, a, k, b);
          return NULL;
        }
    }
  out = flow_tensor_new (first->dtype, shape, pull->c->budget, error);
  for (guint k = 0; out != NULL && k < tuples->len; k++)
    if (first->n_bytes > 0)
      memcpy ((char *) out->data + k * first->n_bytes, ((FlowTuple *) tuples->pdata[k])->tensors[i]->data, first->n_bytes);
  if (out != NULL)
    _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return out;
}

FlowTuple *
_flow_elements_stack (FlowPull   *pull,
                      GPtrArray  *tuples,
                      gboolean    mapped,
                      GError    **error)
{
  guint n = ((FlowTuple *) tuples->pdata[0])->n;
  FlowTuple *out;

  for (guint k = 1; k < tuples->len; k++)
    if (((FlowTuple *) tuples->pdata[k])->n != n)
      {
        _flow_refuse (error, "Cannot batch elements of %u and of %u components", n, ((FlowTuple *) tuples->pdata[k])->n);
        return NULL;
      }
  out = _flow_tuple_new_counted (n, pull->c->budget, error);
  for (guint i = 0; out != NULL && i < n; i++)
    {
      out->tensors[i] = stack_component (pull, tuples, i, mapped, error);
      if (out->tensors[i] == NULL)
        g_clear_pointer (&out, _flow_tuple_unref);
    }
  return out;
}

/* --- memory ------------------------------------------------------------------------------------------------------ */

struct _FlowMemory
{
  gatomicrefcount ref_count;
  GArray *entries;             /* of FlowMemoryEntry */
};

static void
clear_entry (gpointer data)
{
  g_clear_pointer (&((FlowMemoryEntry *) data)->tuples, g_ptr_array_unref);
}

FlowMemory *
_flow_memory_new (void)
{
  FlowMemory *self = g_new0 (FlowMemory, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->entries = g_array_new (FALSE, TRUE, sizeof (FlowMemoryEntry));
  g_array_set_clear_func (self->entries, clear_entry);
  return self;
}

FlowMemory *
_flow_memory_ref (FlowMemory *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
_flow_memory_unref (FlowMemory *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_array_unref (self->entries);
  g_free (self);
}

FlowMemoryEntry *
_flow_memory_own (FlowPull     *pull,
                  FlowPosition *position)
{
  FlowMemory *self = *pull->memory;
  FlowMemoryEntry entry = { .key = position->key };

  if (!g_atomic_ref_count_compare (&self->ref_count, 1))
    {
      FlowMemory *copy = _flow_memory_new ();

      g_array_append_vals (copy->entries, self->entries->data, self->entries->len);
      for (guint i = 0; i < copy->entries->len; i++)
        {
          GPtrArray *tuples = g_array_index (copy->entries, FlowMemoryEntry, i).tuples;

          if (tuples != NULL)
            g_ptr_array_ref (tuples);
        }
      _flow_memory_unref (self);
      self = *pull->memory = copy;
    }
  for (guint i = 0; i < self->entries->len; i++)
    if (g_array_index (self->entries, FlowMemoryEntry, i).key == position->key)
      return &g_array_index (self->entries, FlowMemoryEntry, i);
  g_array_append_val (self->entries, entry);
  return &g_array_index (self->entries, FlowMemoryEntry, self->entries->len - 1);
}

void
_flow_memory_visit (FlowMemory          *self,
                    FlowResourceVisitor  visitor,
                    gpointer             data)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const FlowMemoryEntry *entry = &g_array_index (self->entries, FlowMemoryEntry, i);
      g_autofree char *label = g_strdup_printf ("memory/%u", i);
      g_autoptr (FlowTensor) n_draws = flow_tensor_new_int64 (entry->n_draws);

      visitor (label, n_draws, data);
      if (entry->tuples != NULL)
        visit_tuples (entry->tuples, entry->n_tuples, label, visitor, data);
    }
}
