/* flow-training.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-training-private.h"

#include "flow-vector-math-private.h"

#include <string.h>

/* What all training ops share: which input is what, the checks, and the writing. Everything is checked
 * and allocated before the first cell is written, so that an error leaves each variable as it was. */

typedef struct {
  FlowKernelContext *c;
  const FlowTrainingRule *rule;
  FlowVariable *vars[1 + FLOW_TRAINING_MAX_SLOTS];   /* owned; the first is the variable itself */
  const char *var_names[1 + FLOW_TRAINING_MAX_SLOTS];
  guint n_vars;
  FlowTensor *fresh[1 + FLOW_TRAINING_MAX_SLOTS];    /* owned: the new value where the old one is held */
  FlowTensor *gradient;
  const char *gradient_name;
  FlowTensor *indices;         /* nullable: dense */
  gint64 row_width;            /* cells of a named row */
  guint late;                  /* the input that is read last, or 0 */
  guint late_slot;
  FlowUpdate update;
} Training;

static void
training_clear (Training *self)
{
  for (guint i = 0; i < self->n_vars; i++)
    {
      g_clear_pointer (&self->vars[i], flow_resource_unref);
      g_clear_pointer (&self->fresh[i], flow_tensor_unref);
    }
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Training, training_clear)

/* --- Reading the inputs ------------------------------------------------------------------------------ */

/* Whether TensorFlow locks a variable that a handle names before it reads it. */
static gboolean
is_locked (const Training *self,
           guint           i)
{
  const FlowOpSignature *signature = self->c->signature;

  if (self->rule->words & FLOW_TRAINING_FIRST_LOCKED)
    return i == 0;
  return !(self->rule->words & FLOW_TRAINING_LAST_UNLOCKED) || signature->inputs[i + 1].dtype == FLOW_DTYPE_RESOURCE;
}

/* TF: what a handle names is not there before it is written. */
static gboolean
refuse_unwritten (const Training  *self,
                  guint            i,
                  GError         **error)
{
  const FlowHandle *handle = FLOW_DATA (FlowHandle *, flow_kernel_input (self->c, i))[0];

  FLOW_REQUIRE (!is_locked (self, i), error, INTERNAL, "Invalid variable reference.");
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "Resource %s/%s/%s does not exist.", handle->container, handle->name,
               flow_variable_class.type_name);
  return FALSE;
}

static gboolean
add_variable (Training    *self,
              guint        i,
              const char  *name,
              GError     **error)
{
  FlowVariable *variable = flow_kernel_input_ref (self->c, i);
  g_autoptr (GError) local = NULL;

  if (variable != NULL)
    variable = flow_resource_ref (variable);
  else
    variable = flow_kernel_lookup_handle (self->c, i, &flow_variable_class, &local);
  if (variable == NULL)
    {
      if (!g_error_matches (local, FLOW_ERROR, FLOW_ERROR_NOT_FOUND))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      variable = NULL;
    }
  else if (flow_kernel_input_ref (self->c, i) == NULL && variable->value == NULL)
    g_clear_pointer (&variable, flow_resource_unref);
  if (variable == NULL)
    return refuse_unwritten (self, i, error);
  self->vars[self->n_vars] = variable;
  self->var_names[self->n_vars++] = name;
  FLOW_REQUIRE (variable->value != NULL, error, FAILED_PRECONDITION,
                "Attempting to use uninitialized variables: %s", variable->parent.name);
  FLOW_REQUIRE (variable->value->dtype == (FlowDType) flow_kernel_attr_dtype (self->c, "T"), error, INVALID_ARGUMENT,
                "Trying to update variable %s of dtype %s with %s", variable->parent.name,
                flow_dtype_name (variable->value->dtype), flow_dtype_name (flow_kernel_attr_dtype (self->c, "T")));
  return TRUE;
}

/* How TensorFlow calls a scalar in its messages. */
static const char *
scalar_words (const Training *self,
              const char     *name)
{
  /* ProximalGradientDescent's alpha is "lr" in its sparse form. */
  if (self->indices != NULL && strcmp (name, "alpha") == 0)
    return "lr";
  if (strcmp (name, "l1") == 0)
    return "l1 regularization strength";
  if (strcmp (name, "l2") == 0)
    return "l2 regularization strength";
  if (strcmp (name, "l2_shrinkage") == 0)
    return "l2 shrinkage regularization strength";
  return name;
}

static gboolean
read_scalar (Training    *self,
             FlowTensor  *tensor,
             const char  *name,
             double      *value,
             GError     **error)
{
  guint words = self->rule->words;
  gboolean is_lr = strcmp (name, "lr") == 0;
  gboolean spaced = is_lr && (words & (self->indices != NULL ? FLOW_TRAINING_SPACED_SPARSE
                                       : FLOW_TRAINING_SPACED_DENSE)) != 0;
  g_autofree char *shape = flow_shape_to_string (tensor->shape);
  const char *must = "a scalar";
  gboolean ok = FLOW_RANK (tensor) == 0;

  *value = ok ? flow_tensor_get_double (tensor, 0) : 0;
  if (words & FLOW_TRAINING_SIGNS)
    {
      if (is_lr)
        {
          must = "a positive scalar";
          ok = ok && *value > 0;
        }
      else if (strcmp (name, "lr_power") == 0)
        {
          must = "a non-positive scalar";
          ok = ok && *value <= 0;
        }
      else
        {
          must = "a non-negative scalar";
          ok = ok && *value >= 0;
        }
    }
  FLOW_REQUIRE (ok, error, INVALID_ARGUMENT, "%s is not %s%s: %s", scalar_words (self, name), must, spaced ? " " : "", shape);
  return TRUE;
}

static gboolean
read_variables (Training  *self,
                GError   **error)
{
  const FlowOpSignature *signature = self->c->signature;

  for (guint i = 0; i < signature->n_inputs; i++)
    {
      const FlowArgDef *arg = &signature->inputs[i];

      if (strcmp (arg->name, "indices") == 0)
        self->indices = flow_kernel_input (self->c, i);
      else if (strcmp (arg->name, "grad") == 0 || strcmp (arg->name, "delta") == 0)
        {
          self->gradient = flow_kernel_input (self->c, i);
          self->gradient_name = arg->name;
        }
      else if ((arg->is_ref || arg->dtype == FLOW_DTYPE_RESOURCE) && !add_variable (self, i, arg->name, error))
        return FALSE;
    }
  return TRUE;
}

/* TF: looks at it after lr_power, which comes behind it, and where rows are named after their sizes. */
static gboolean
read_late_scalar (Training  *self,
                  GError   **error)
{
  return self->late == 0 ||
         read_scalar (self, flow_kernel_input (self->c, self->late), self->c->signature->inputs[self->late].name,
                      &self->update.scalars[self->late_slot], error);
}

static gboolean
read_scalars (Training  *self,
              GError   **error)
{
  const FlowOpSignature *signature = self->c->signature;
  guint n_scalars = 0;

  for (guint i = self->n_vars; i < signature->n_inputs; i++)
    {
      const char *name = signature->inputs[i].name;

      if (strcmp (name, "indices") == 0 || strcmp (name, self->gradient_name) == 0)
        continue;
      if (strcmp (name, "l2_shrinkage") == 0)
        {
          self->late = i;
          self->late_slot = n_scalars++;
        }
      else if (!read_scalar (self, flow_kernel_input (self->c, i), name, &self->update.scalars[n_scalars++], error))
        return FALSE;
    }
  if (self->indices == NULL && !read_late_scalar (self, error))
    return FALSE;
  if (self->rule->flag_attr != NULL)
    self->update.flag = flow_kernel_attr_bool (self->c, self->rule->flag_attr);
  return self->rule->prepare == NULL || self->rule->prepare (self->c, &self->update, error);
}

/* --- Checks ------------------------------------------------------------------------------------------ */

static gboolean
require_same_shape (const FlowTensor  *var,
                    const FlowTensor  *other,
                    const FlowTensor  *told,
                    const char        *what,
                    GError           **error)
{
  g_autofree char *var_text = NULL;
  g_autofree char *other_text = NULL;

  if (flow_shape_equal (var->shape, other->shape))
    return TRUE;
  var_text = flow_shape_to_string (var->shape);
  other_text = flow_shape_to_string (told->shape);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "var and %s do not have the same shape%s %s", what,
               var_text, other_text);
  return FALSE;
}

/* The accumulators go by one name in TensorFlow's messages, whatever the op calls them. */
static const char *
slot_words (const Training *self,
            guint           i)
{
  const char *name = self->var_names[i];

  if (g_str_has_prefix (name, "gradient_"))
    return "accum";
  if (self->indices != NULL && self->n_vars == 3 && strcmp (name, "accum") == 0 &&
      strcmp (self->var_names[2], "accum_update") == 0)
    return "accum_grad";
  return name;
}

static gboolean
check_slot (const Training  *self,
            guint            i,
            GError         **error)
{
  const FlowTensor *slot = self->vars[i]->value;
  /* TF: ApplyCenteredRMSProp speaks of mg and shows ms. */
  gboolean shows_next = self->indices == NULL && strcmp (self->var_names[i], "mg") == 0;

  return require_same_shape (self->vars[0]->value, slot, shows_next ? self->vars[i + 1]->value : slot,
                             slot_words (self, i), error);
}

/* TF: its dense form never looks at accum_update; we do at last. */
static gboolean
is_late_slot (const Training *self,
              guint           i)
{
  return self->indices == NULL && strcmp (self->var_names[i], "accum_update") == 0;
}

static gboolean
check_slots (const Training  *self,
             GError         **error)
{
  for (guint i = 1; i < self->n_vars; i++)
    if (!is_late_slot (self, i) && !check_slot (self, i, error))
      return FALSE;
  FLOW_REQUIRE (self->indices == NULL || FLOW_RANK (self->vars[0]->value) >= 1, error, INVALID_ARGUMENT,
                "var must be at least 1 dimensional");
  return TRUE;
}

/* What TensorFlow looks at first of gradient and indices. */
static gboolean
check_forms (const Training  *self,
             GError         **error)
{
  if (self->indices == NULL)
    return require_same_shape (self->vars[0]->value, self->gradient, self->gradient, self->gradient_name, error);
  FLOW_REQUIRE (FLOW_RANK (self->indices) == 1, error, INVALID_ARGUMENT, "indices must be one-dimensional");
  return TRUE;
}

static gboolean
check_rows (Training  *self,
            GError   **error)
{
  const FlowTensor *var = self->vars[0]->value;
  const FlowTensor *indices = self->indices;
  const FlowTensor *gradient = self->gradient;
  gint64 width = 1;

  for (int d = 1; d < FLOW_RANK (var); d++)
    {
      FLOW_REQUIRE (d < FLOW_RANK (gradient) && FLOW_DIMS (var)[d] == FLOW_DIMS (gradient)[d], error, INVALID_ARGUMENT,
                    "var and grad must match in dimension %d", d);
      width *= FLOW_DIMS (var)[d];
    }
  FLOW_REQUIRE (FLOW_RANK (gradient) >= 1 && FLOW_DIMS (gradient)[0] == indices->n_elements, error, INVALID_ARGUMENT,
                "grad must be the same size as indices in the first dimension.");
  FLOW_REQUIRE (width > 0 || (self->rule->words & FLOW_TRAINING_WIDE_ROWS) == 0, error, INVALID_ARGUMENT,
                "Inner dimension should be greater than zero.");
  if (!read_late_scalar (self, error))
    return FALSE;
  self->row_width = width;
  for (gint64 i = 0; i < indices->n_elements; i++)
    {
      gint64 index = flow_tensor_get_int (indices, i);

      FLOW_REQUIRE (index >= 0 && index < FLOW_DIMS (var)[0], error, INVALID_ARGUMENT,
                    "Index %" G_GINT64_FORMAT " at offset %" G_GINT64_FORMAT " in indices is out of range", index, i);
    }
  /* More dims of one cell do no harm, nor do more cells where a row has one; TF goes beyond what it has with others. */
  FLOW_REQUIRE (gradient->n_elements == indices->n_elements * width ||
                (FLOW_RANK (var) == 1 && gradient->n_elements > indices->n_elements &&
                 (self->rule->words & FLOW_TRAINING_WIDE_ROWS) != 0), error, INVALID_ARGUMENT,
                "var and grad must have the same rank: %d and %d", FLOW_RANK (var), FLOW_RANK (gradient));
  return TRUE;
}

/* The scalars, and the shapes, in the order of TensorFlow. */
static gboolean
read_and_check (Training  *self,
                GError   **error)
{
  guint words = self->rule->words;

  if (((words & FLOW_TRAINING_SLOTS_FIRST) != 0 && !check_slots (self, error))
      || ((words & FLOW_TRAINING_GRADIENT_FIRST) != 0 && !check_forms (self, error))
      || !read_scalars (self, error) || !check_slots (self, error) || !check_forms (self, error)
      || (self->indices != NULL && !check_rows (self, error)))
    return FALSE;
  for (guint i = 1; i < self->n_vars; i++)
    if (is_late_slot (self, i) && !check_slot (self, i, error))
      return FALSE;
  return TRUE;
}

/* --- Writing ----------------------------------------------------------------------------------------- */

/* A value that somebody else holds (history, a reader) is left to them and a new one written. */
static gboolean
make_room (Training  *self,
           GError   **error)
{
  for (guint i = 0; i < self->n_vars; i++)
    flow_kernel_will_write (self->c, self->vars[i]);
  for (guint i = 0; i < self->n_vars; i++)
    {
      FlowTensor *value = self->vars[i]->value;

      if (flow_tensor_is_exclusive (value))
        continue;
      self->fresh[i] = flow_tensor_new (value->dtype, value->shape, self->c->budget, error);
      if (self->fresh[i] == NULL)
        return FALSE;
      /* Rows that are not named keep their values. */
      if (self->indices != NULL && value->n_bytes > 0)
        memcpy (self->fresh[i]->data, value->data, value->n_bytes);
    }
  return TRUE;
}

static void
set_cells (Training *self)
{
  for (guint i = 0; i < self->n_vars; i++)
    {
      gpointer to = self->fresh[i] != NULL ? self->fresh[i]->data : self->vars[i]->value->data;
      gconstpointer from = self->indices != NULL ? to : self->vars[i]->value->data;

      if (i == 0)
        {
          self->update.old_var = from;
          self->update.var = to;
        }
      else
        {
          self->update.old_slots[i - 1] = from;
          self->update.slots[i - 1] = to;
        }
    }
  self->update.gradient = self->gradient->data;
  self->update.sparse = self->indices != NULL;
  self->update.narrow = self->indices != NULL && self->row_width == 1;
  if (flow_kernel_release (self->c) == FLOW_RELEASE_1)
    self->update.n_whole = FLOW_VECTOR_PART (self->indices != NULL ? self->row_width : self->gradient->n_elements);
}

/* Columns [begin, end) of every named row, one row after the other: an index may come twice. */
static void
update_rows (gint64   begin,
             gint64   end,
             gpointer data)
{
  const Training *self = data;
  const FlowTensor *var = self->vars[0]->value;
  const gint64 columns = self->row_width;
  const gsize cell = flow_dtype_size (var->dtype);
  const gsize row_bytes = (gsize) columns * cell;
  FlowRangeFunc func = self->rule->funcs[var->dtype];

  for (gint64 i = 0; i < self->indices->n_elements; i++)
    {
      gsize offset = (gsize) flow_tensor_get_int (self->indices, i) * row_bytes;
      FlowUpdate row = self->update;

      row.var = (char *) row.var + offset;
      row.old_var = row.var;
      for (guint k = 0; k + 1 < self->n_vars; k++)
        {
          row.slots[k] = (char *) row.slots[k] + offset;
          row.old_slots[k] = row.slots[k];
        }
      row.gradient = (const char *) row.gradient + (gsize) i * row_bytes;
      func (begin, end, &row);
    }
}

static void
write_values (Training *self)
{
  const FlowTensor *var = self->vars[0]->value;

  if (self->indices == NULL)
    flow_parallel_for (var->n_elements, FLOW_NN_GRAIN, self->rule->funcs[var->dtype], &self->update);
  else if (self->indices->n_elements > 0 && self->gradient->n_elements > 0)
    flow_parallel_for (self->row_width, 1 + FLOW_NN_GRAIN / self->indices->n_elements, update_rows, self);
  for (guint i = 0; i < self->n_vars; i++)
    {
      if (self->fresh[i] != NULL)
        flow_variable_take_value (self->vars[i], g_steal_pointer (&self->fresh[i]));
      flow_kernel_wrote (self->c, self->vars[i]);
    }
}

gboolean
flow_training_apply (FlowKernelContext       *c,
                     const FlowTrainingRule  *rule,
                     GError                 **error)
{
  g_auto (Training) self = { .c = c, .rule = rule };

  if (!read_variables (&self, error) || !read_and_check (&self, error) || !make_room (&self, error))
    return FALSE;
  set_cells (&self);
  write_values (&self);
  if (c->n_outputs > 0)
    flow_kernel_set_output_ref (c, 0, self.vars[0]);
  return TRUE;
}

/* --- Shapes ------------------------------------------------------------------------------------------ */

/* The shape of variable @i: of the reference, or of what the handle names. Borrowed, nullable. */
static const FlowShape *
variable_shape (FlowInferContext *c,
                guint             i)
{
  if (c->signature->inputs[i].is_ref)
    return flow_infer_input (c, i);
  return c->input_handles != NULL ? c->input_handles[i].shape : NULL;
}

/* When running the kernel checks, in its own words. */
gboolean
flow_training_infer (FlowInferContext  *c,
                     GError           **error)
{
  const FlowOpSignature *signature = c->signature;
  const FlowShape *first = variable_shape (c, 0);
  g_autoptr (FlowShape) shape = first != NULL ? flow_shape_ref (first) : flow_shape_new_unknown ();
  gboolean sparse = signature->n_inputs > 0 && flow_op_signature_find_attr ((FlowOpSignature *) signature, "Tindices") != NULL;

  for (guint i = 1; i < signature->n_inputs && !c->running; i++)
    {
      const FlowArgDef *arg = &signature->inputs[i];
      gboolean is_variable = arg->is_ref || arg->dtype == FLOW_DTYPE_RESOURCE;
      gboolean is_gradient = strcmp (arg->name, "grad") == 0 || strcmp (arg->name, "delta") == 0;
      const FlowShape *other = is_variable ? variable_shape (c, i) : flow_infer_input (c, i);
      g_autoptr (FlowShape) merged = NULL;

      if (other == NULL || (sparse && (is_gradient || strcmp (arg->name, "indices") == 0)))
        continue;
      if (is_variable || is_gradient)
        {
          if (!flow_infer_merge (c, shape, other, &merged, error))
            return FALSE;
          flow_shape_unref (shape);
          shape = g_steal_pointer (&merged);
        }
      else if (!flow_infer_with_rank (c, other, 0, &merged, error))
        return FALSE;
    }
  if (c->n_outputs > 0)
    flow_infer_take_output (c, 0, g_steal_pointer (&shape));
  return TRUE;
}
