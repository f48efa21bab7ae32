/* flow-tensor-array.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-tensor-array-private.h"

#include "flow-array-private.h"

/* What a place costs without its tensor: counted, so that an index of two thousand million does not
 * take the machine's memory. */
#define MAX_CELLS (1 << 26)

static void
cell_clear (gpointer data)
{
  FlowTensorArrayCell *cell = data;

  g_clear_pointer (&cell->tensor, flow_tensor_unref);
  g_clear_pointer (&cell->shape, flow_shape_unref);
}

static GArray *
cells_new (void)
{
  GArray *cells = g_array_new (FALSE, TRUE, sizeof (FlowTensorArrayCell));

  g_array_set_clear_func (cells, cell_clear);
  return cells;
}

static GArray *
cells_copy (GArray *cells)
{
  GArray *copy = cells_new ();

  g_array_append_vals (copy, cells->data, cells->len);
  for (guint i = 0; i < copy->len; i++)
    {
      FlowTensorArrayCell *cell = &g_array_index (copy, FlowTensorArrayCell, i);

      if (cell->tensor != NULL)
        flow_tensor_ref (cell->tensor);
      if (cell->shape != NULL)
        flow_shape_ref (cell->shape);
    }
  return copy;
}

/* --- the resource ------------------------------------------------------------------------------------- */

typedef struct {
  FlowShape *element_shape;
  gboolean dynamic_size;
  gboolean closed;
  gboolean gradients_disallowed;
  gint64 marked_size;
  GArray *cells;
} Saved;

static void
tensor_array_finalize (FlowResource *resource)
{
  FlowTensorArray *self = (FlowTensorArray *) resource;

  g_array_unref (self->cells);
  flow_shape_unref (self->element_shape);
}

static gpointer
tensor_array_save (FlowResource *resource)
{
  FlowTensorArray *self = (FlowTensorArray *) resource;
  Saved *saved = g_new (Saved, 1);

  *saved = (Saved) {
    .element_shape = flow_shape_ref (self->element_shape),
    .dynamic_size = self->dynamic_size,
    .closed = self->closed,
    .gradients_disallowed = self->gradients_disallowed,
    .marked_size = self->marked_size,
    .cells = cells_copy (self->cells),
  };
  return saved;
}

static void
tensor_array_restore (FlowResource  *resource,
                      gconstpointer  data)
{
  FlowTensorArray *self = (FlowTensorArray *) resource;
  const Saved *saved = data;

  flow_shape_unref (self->element_shape);
  g_array_unref (self->cells);
  self->element_shape = flow_shape_ref (saved->element_shape);
  self->dynamic_size = saved->dynamic_size;
  self->closed = saved->closed;
  self->gradients_disallowed = saved->gradients_disallowed;
  self->marked_size = saved->marked_size;
  self->cells = cells_copy (saved->cells);
}

static void
saved_free (gpointer data)
{
  Saved *saved = data;

  flow_shape_unref (saved->element_shape);
  g_array_unref (saved->cells);
  g_free (saved);
}

/* The tensors are shared with the array as a rule; what a read has cleared is not. */
static gsize
saved_bytes (gconstpointer data)
{
  const Saved *saved = data;

  return sizeof *saved + saved->cells->len * sizeof (FlowTensorArrayCell);
}

static void
tensor_array_visit (FlowResource        *resource,
                    FlowResourceVisitor  visitor,
                    gpointer             data)
{
  FlowTensorArray *self = (FlowTensorArray *) resource;

  for (guint i = 0; i < self->cells->len; i++)
    {
      FlowTensorArrayCell *cell = &g_array_index (self->cells, FlowTensorArrayCell, i);
      g_autofree char *label = NULL;

      if (cell->tensor == NULL)
        continue;
      label = g_strdup_printf ("%u", i);
      visitor (label, cell->tensor, data);
    }
}

static char *
tensor_array_describe (FlowResource *resource)
{
  FlowTensorArray *self = (FlowTensorArray *) resource;
  guint n = 0;

  for (guint i = 0; i < self->cells->len; i++)
    n += g_array_index (self->cells, FlowTensorArrayCell, i).tensor != NULL;
  return g_strdup_printf ("%u of %u elements%s", n, self->cells->len, self->closed ? ", closed" : "");
}

const FlowResourceClass _flow_tensor_array_class = {
  .type_name = "N10tensorflow11TensorArrayE",
  .finalize = tensor_array_finalize,
  .save = tensor_array_save,
  .restore = tensor_array_restore,
  .saved_free = saved_free,
  .saved_bytes = saved_bytes,
  .visit = tensor_array_visit,
  .describe = tensor_array_describe,
};

FlowTensorArray *
_flow_tensor_array_new (const char       *container,
                        const char       *name,
                        FlowDType         dtype,
                        const FlowShape  *element_shape,
                        gint64            size,
                        GError          **error)
{
  FlowTensorArray *self;

  if (size > MAX_CELLS)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED,
                   "OOM when allocating a TensorArray of %" G_GINT64_FORMAT " elements", size);
      return NULL;
    }
  self = flow_resource_alloc (&_flow_tensor_array_class, sizeof (FlowTensorArray), container, name);
  self->dtype = dtype;
  self->element_shape = flow_shape_ref (element_shape);
  self->cells = cells_new ();
  g_array_set_size (self->cells, (guint) size);
  return self;
}

gboolean
_flow_tensor_array_check_open (FlowTensorArray  *self,
                               GError          **error)
{
  if (self->closed)
    return _flow_refuse (error, "TensorArray %s has already been closed.", self->parent.name);
  return TRUE;
}

/* --- writing ------------------------------------------------------------------------------------------ */

static gboolean
check_cell (FlowTensorArray           *self,
            const FlowTensorArrayCell *cell,
            gint64                     index,
            const FlowTensor          *value,
            GError                   **error)
{
  if (cell->read)
    return _flow_refuse (error, "TensorArray %s: Could not write to TensorArray index %" G_GINT64_FORMAT
                         " because it has already been read.", self->parent.name, index);
  if (!cell->written)
    return TRUE;
  if (!self->aggregates)
    return _flow_refuse (error, "TensorArray %s: Could not write to TensorArray index %" G_GINT64_FORMAT
                         " because it has already been written to.", self->parent.name, index);
  if (cell->shape != NULL && !flow_shape_equal (cell->shape, value->shape))
    {
      g_autofree char *old = flow_shape_to_string (cell->shape);
      g_autofree char *new_shape = flow_tensor_shape_text (value);

      return _flow_refuse (error, "TensorArray %s: Could not aggregate to TensorArray index %" G_GINT64_FORMAT
                           " because the existing shape is %s but the new input shape is %s.", self->parent.name,
                           index, old, new_shape);
    }
  return TRUE;
}

gboolean
_flow_tensor_array_check_write (FlowTensorArray   *self,
                                gint64             index,
                                const FlowTensor  *value,
                                GError           **error)
{
  if (!_flow_tensor_array_check_open (self, error))
    return FALSE;
  if (index < 0 || (!self->dynamic_size && index >= self->cells->len))
    return _flow_refuse (error, "TensorArray %s: Tried to write to index %" G_GINT64_FORMAT
                         " but array is not resizeable and size is: %u", self->parent.name, index, self->cells->len);
  FLOW_REQUIRE (index < MAX_CELLS, error, RESOURCE_EXHAUSTED,
                "TensorArray %s: OOM when growing to %" G_GINT64_FORMAT " elements", self->parent.name, index + 1);
  if (value->dtype != self->dtype)
    return _flow_refuse (error, "TensorArray %s: Could not write to TensorArray index %" G_GINT64_FORMAT
                         " because the value dtype is %s but TensorArray dtype is %s.", self->parent.name, index,
                         flow_dtype_string (value->dtype), flow_dtype_string (self->dtype));
  if (!flow_shape_is_compatible (self->element_shape, value->shape))
    {
      g_autofree char *given = flow_tensor_shape_text (value);
      g_autofree char *expected = flow_shape_to_string (self->element_shape);

      return _flow_refuse (error, "TensorArray %s: Could not write to TensorArray index %" G_GINT64_FORMAT
                           " because the value shape is %s which is incompatible with the TensorArray's inferred "
                           "element shape: %s (consider setting infer_shape=False).", self->parent.name, index,
                           given, expected);
    }
  if (index < self->cells->len)
    return check_cell (self, &g_array_index (self->cells, FlowTensorArrayCell, index), index, value, error);
  return TRUE;
}

gboolean
_flow_tensor_array_write (FlowTensorArray  *self,
                          gint64            index,
                          FlowTensor       *value,
                          FlowBudget       *budget,
                          GError          **error)
{
  FlowTensorArrayCell *cell;

  if (!_flow_tensor_array_check_write (self, index, value, error))
    return FALSE;
  if (index >= self->cells->len)
    g_array_set_size (self->cells, (guint) index + 1);
  cell = &g_array_index (self->cells, FlowTensorArrayCell, index);
  if (self->identical_shapes && !flow_shape_is_known (self->element_shape))
    {
      flow_shape_unref (self->element_shape);
      self->element_shape = flow_shape_ref (value->shape);
    }
  if (cell->written && cell->tensor != NULL && cell->tensor->n_elements > 0)
    {
      FlowCombineFunc add = _flow_combine_func (FLOW_COMBINE_ADD, self->dtype);
      FlowTensor *sum;

      FLOW_REQUIRE (add != NULL, error, INVALID_ARGUMENT,
                    "TensorArray %s: Could not aggregate to TensorArray index %" G_GINT64_FORMAT ": no sum of %s",
                    self->parent.name, index, flow_dtype_string (self->dtype));
      sum = flow_tensor_copy (cell->tensor, budget, error);
      if (sum == NULL)
        return FALSE;
      add (sum->data, value->data, sum->n_elements, 1);
      flow_tensor_unref (cell->tensor);
      cell->tensor = sum;
      self->gradients_disallowed = TRUE;
      return TRUE;
    }
  g_clear_pointer (&cell->tensor, flow_tensor_unref);
  g_clear_pointer (&cell->shape, flow_shape_unref);
  cell->tensor = flow_tensor_ref (value);
  cell->shape = flow_shape_ref (value->shape);
  cell->written = TRUE;
  return TRUE;
}

/* --- reading ------------------------------------------------------------------------------------------ */

FlowTensor *
_flow_tensor_array_read (FlowTensorArray  *self,
                         gint64            index,
                         FlowBudget       *budget,
                         GError          **error)
{
  FlowTensorArrayCell *cell;
  FlowTensor *value;

  if (!_flow_tensor_array_check_open (self, error))
    return NULL;
  if (index < 0 || index >= self->cells->len)
    {
      _flow_refuse (error, "Tried to read from index %" G_GINT64_FORMAT " but array size is: %u", index,
                    self->cells->len);
      return NULL;
    }
  cell = &g_array_index (self->cells, FlowTensorArrayCell, index);
  if (cell->cleared)
    {
      _flow_refuse (error, "TensorArray %s: Could not read index %" G_GINT64_FORMAT " twice because it was cleared "
                    "after a previous read (perhaps try setting clear_after_read = false?).", self->parent.name, index);
      return NULL;
    }
  if (cell->tensor == NULL)
    {
      const FlowShape *shape = cell->shape != NULL ? cell->shape : self->element_shape;

      if (!flow_shape_is_known (shape))
        {
          g_autofree char *text = flow_shape_to_string (self->element_shape);

          _flow_refuse (error, "TensorArray %s: Could not read from TensorArray index %" G_GINT64_FORMAT
                        ".  Furthermore, the element shape is not fully defined: %s.  It is possible you are working "
                        "with a resizeable TensorArray and stop_gradients is not allowing the gradients to be "
                        "written.  If you set the full element_shape property on the forward TensorArray, the proper "
                        "all-zeros tensor will be returned instead of incurring this error.",
                        self->parent.name, index, text);
          return NULL;
        }
      value = flow_tensor_new_zeros (self->dtype, shape, budget, error);
      if (value == NULL)
        return NULL;
      if (cell->shape == NULL)
        cell->shape = flow_shape_ref (shape);
      if (!self->clear_after_read)
        cell->tensor = flow_tensor_ref (value);
    }
  else
    {
      value = flow_tensor_ref (cell->tensor);
    }
  if (self->clear_after_read)
    {
      g_clear_pointer (&cell->tensor, flow_tensor_unref);
      cell->cleared = TRUE;
    }
  cell->read = TRUE;
  return value;
}

gboolean
_flow_tensor_array_merge_shape (FlowTensorArray  *self,
                                const FlowShape  *shape,
                                GError          **error)
{
  FlowShape *merged = _flow_merge_shapes (self->element_shape, shape, error);

  if (merged == NULL)
    return FALSE;
  flow_shape_unref (self->element_shape);
  self->element_shape = merged;
  return TRUE;
}

void
_flow_tensor_array_close (FlowTensorArray *self)
{
  g_array_set_size (self->cells, 0);
  self->closed = TRUE;
}
