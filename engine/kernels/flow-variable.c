/* flow-variable.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-variable.h"

static void
variable_finalize (FlowResource *resource)
{
  FlowVariable *self = (FlowVariable *) resource;

  g_clear_pointer (&self->shape, flow_shape_unref);
  g_clear_pointer (&self->value, flow_tensor_unref);
}

/* What is saved is the tensor itself. The cell keeps "no value" apart from "nothing saved". */
typedef struct {
  FlowTensor *value;
  guint64 buffer;
} SavedVariable;

static gpointer
variable_save (FlowResource *resource)
{
  FlowVariable *self = (FlowVariable *) resource;
  SavedVariable *saved = g_new (SavedVariable, 1);

  saved->value = self->value != NULL ? flow_tensor_ref (self->value) : NULL;
  saved->buffer = self->buffer;
  return saved;
}

static void
variable_restore (FlowResource  *resource,
                  gconstpointer  data)
{
  FlowVariable *self = (FlowVariable *) resource;
  const SavedVariable *saved = data;
  FlowTensor *value = saved->value != NULL ? flow_tensor_ref (saved->value) : NULL;

  g_clear_pointer (&self->value, flow_tensor_unref);
  self->value = value;
  self->buffer = saved->buffer;
}

static void
variable_saved_free (gpointer data)
{
  SavedVariable *saved = data;

  g_clear_pointer (&saved->value, flow_tensor_unref);
  g_free (saved);
}

static gsize
variable_saved_bytes (gconstpointer data)
{
  const SavedVariable *saved = data;

  return saved->value != NULL ? saved->value->n_bytes : 0;
}

static void
variable_visit (FlowResource        *resource,
                FlowResourceVisitor  visitor,
                gpointer             data)
{
  FlowVariable *self = (FlowVariable *) resource;

  if (self->value != NULL)
    visitor ("value", self->value, data);
}

static char *
variable_describe (FlowResource *resource)
{
  FlowVariable *self = (FlowVariable *) resource;
  g_autofree char *shape = flow_shape_to_string (self->value != NULL ? self->value->shape : self->shape);

  return g_strdup_printf ("%s %s%s", flow_dtype_name (self->dtype), shape,
                          self->value != NULL ? "" : ", not initialised");
}

const FlowResourceClass flow_variable_class = {
  .type_name = "N10tensorflow3VarE",
  .finalize = variable_finalize,
  .save = variable_save,
  .restore = variable_restore,
  .saved_free = variable_saved_free,
  .saved_bytes = variable_saved_bytes,
  .visit = variable_visit,
  .describe = variable_describe,
};

/**
 * flow_variable_new: (skip)
 * @container: the container it will stand in
 * @name: its name there
 * @dtype: its base dtype
 * @shape: its shape as declared, known or not
 *
 * Returns: (transfer full): a variable without a value
 */
FlowVariable *
flow_variable_new (const char      *container,
                   const char      *name,
                   FlowDType        dtype,
                   const FlowShape *shape)
{
  FlowVariable *self = flow_resource_alloc (&flow_variable_class, sizeof (FlowVariable), container, name);

  self->dtype = dtype;
  self->shape = flow_shape_ref (shape);
  return self;
}

/**
 * flow_variable_take_value: (skip)
 * @self: a variable; the host has been told of the write
 * @value: (transfer full) (nullable): its new value, of its dtype; %NULL leaves it uninitialised
 */
void
flow_variable_take_value (FlowVariable *self,
                          FlowTensor   *value)
{
  FlowTensor *old = self->value;

  g_return_if_fail (value == NULL || value->dtype == self->dtype);

  /* TF: a value of the same size is copied into the buffer that is there. */
  if (old == NULL || value == NULL || old->n_elements != value->n_elements)
    self->buffer++;
  self->value = value;
  if (old != NULL)
    flow_tensor_unref (old);
}

/**
 * flow_variable_own_value: (skip)
 * @self: a variable that has a value; the host has been told of the write
 * @fresh_contents: whether all elements will be written, so that the old ones need not be copied
 * @budget: (nullable): what to ask for memory
 * @error: where to put an error
 *
 * Makes the value safe to write in place: nobody who read it before sees the change.
 *
 * Returns: (transfer none): the variable's value, exclusive to it; %NULL with
 *   %FLOW_ERROR_RESOURCE_EXHAUSTED, the variable unchanged
 */
FlowTensor *
flow_variable_own_value (FlowVariable  *self,
                         gboolean       fresh_contents,
                         FlowBudget    *budget,
                         GError       **error)
{
  FlowTensor *copy;

  g_return_val_if_fail (self->value != NULL, NULL);

  if (flow_tensor_is_exclusive (self->value))
    return self->value;
  copy = fresh_contents ? flow_tensor_new (self->value->dtype, self->value->shape, budget, error)
                        : flow_tensor_copy (self->value, budget, error);
  if (copy == NULL)
    return NULL;
  flow_tensor_unref (self->value);
  self->value = copy;
  return copy;
}
