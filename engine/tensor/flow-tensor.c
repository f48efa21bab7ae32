/* flow-tensor.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-tensor-private.h"

#include "flow-util.h"

#include <stdlib.h>
#include <string.h>

/* Own memory starts at a cache line, which is also the widest vector. */
#define ALIGNMENT 64

struct _FlowBuffer
{
  gatomicrefcount ref_count;
  gpointer data;
  gsize size;
  FlowBudget *budget;          /* nullable: what is not counted */
  GBytes *bytes;               /* owns the memory, else it is ours */
  FlowDType cells;             /* string, resource, variant: each cell owns a reference */
};

FLOW_DEFINE_SHARED_BOXED_TYPE (FlowTensor, flow_tensor)

static gpointer
cell_ref (FlowDType dtype,
          gpointer  cell)
{
  if (cell == NULL)
    return NULL;
  if (dtype == FLOW_DTYPE_STRING)
    return g_bytes_ref (cell);
  if (dtype == FLOW_DTYPE_RESOURCE)
    return flow_handle_ref (cell);
  return g_object_ref (cell);
}

static void
cell_unref (FlowDType dtype,
            gpointer  cell)
{
  if (cell == NULL)
    return;
  if (dtype == FLOW_DTYPE_STRING)
    g_bytes_unref (cell);
  else if (dtype == FLOW_DTYPE_RESOURCE)
    flow_handle_unref (cell);
  else
    g_object_unref (cell);
}

static FlowBuffer *
buffer_ref (FlowBuffer *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static void
buffer_unref (FlowBuffer *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  if (flow_tensor_has_pointers (self->cells))
    for (gsize i = 0; i < self->size / sizeof (gpointer); i++)
      cell_unref (self->cells, ((gpointer *) self->data)[i]);
  if (self->bytes != NULL)
    g_bytes_unref (self->bytes);
  else
    free (self->data);
  if (self->budget != NULL)
    {
      flow_budget_release (self->budget, self->size);
      flow_budget_unref (self->budget);
    }
  g_free (self);
}

static void
set_out_of_memory (FlowDType         dtype,
                   const FlowShape  *shape,
                   GError          **error)
{
  g_autofree char *text = flow_shape_to_string (shape);

  g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED,
               "OOM when allocating tensor with shape%s and type %s on /job:localhost/replica:0/task:0/device:CPU:0 "
               "by allocator cpu", text, flow_dtype_string (dtype));
}

static FlowBuffer *
buffer_new (FlowDType        dtype,
            gsize            size,
            const FlowShape *shape,
            FlowBudget      *budget,
            GError         **error)
{
  FlowBuffer *self;
  gpointer data = NULL;
  gsize rounded = 0;

  if (budget != NULL && !flow_budget_reserve (budget, size))
    goto fail;
  if (!g_size_checked_add (&rounded, MAX (size, 1), ALIGNMENT - 1))
    goto release;
  data = aligned_alloc (ALIGNMENT, rounded & ~(gsize) (ALIGNMENT - 1));
  if (data == NULL)
    goto release;
  if (flow_tensor_has_pointers (dtype))
    memset (data, 0, size);

  self = g_new0 (FlowBuffer, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->data = data;
  self->size = size;
  self->cells = dtype;
  self->budget = budget != NULL ? flow_budget_ref (budget) : NULL;
  return self;

release:
  if (budget != NULL)
    flow_budget_release (budget, size);
fail:
  set_out_of_memory (dtype, shape, error);
  return NULL;
}

/* Checks dtype, shape and sizes that may come from a file, before anything is allocated. */
static gboolean
measure (FlowDType         dtype,
         const FlowShape  *shape,
         gint64           *n_elements,
         gsize            *n_bytes,
         GError          **error)
{
  g_autofree char *text = NULL;

  FLOW_REQUIRE (!flow_dtype_is_ref (dtype) && flow_dtype_is_valid (dtype), error, INVALID_ARGUMENT,
                "Invalid data type %d", (int) dtype);
  if (flow_shape_n_elements (shape, n_elements)
      && *n_elements <= G_MAXINT64 / (gint64) flow_dtype_size (dtype))
    {
      *n_bytes = (gsize) *n_elements * flow_dtype_size (dtype);
      return TRUE;
    }
  text = flow_shape_to_string (shape);
  if (!flow_shape_is_known (shape))
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                 "A tensor must have a fully known shape, not %s", text);
  else if (flow_shape_n_elements (shape, n_elements))
    set_out_of_memory (dtype, shape, error);
  else
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                 "Shape %s has too many elements for type %s", text, flow_dtype_string (dtype));
  return FALSE;
}

static FlowTensor *
wrap (FlowDType         dtype,
      const FlowShape  *shape,
      gint64            n_elements,
      gsize             n_bytes,
      gpointer          data,
      FlowBuffer       *buffer)
{
  FlowTensor *self = g_new (FlowTensor, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->dtype = dtype;
  self->shape = flow_shape_ref (shape);
  self->n_elements = n_elements;
  self->n_bytes = n_bytes;
  self->data = data;
  self->buffer = buffer;
  return self;
}

/**
 * flow_tensor_new:
 * @dtype: a base dtype
 * @shape: a fully known shape
 * @budget: (nullable): what to ask for the memory
 * @error: where to put an error
 *
 * A tensor to be written by its maker. Its elements are undefined; cells of strings, resources and
 * variants are empty.
 *
 * Returns: (transfer full): a tensor; %NULL with %FLOW_ERROR_RESOURCE_EXHAUSTED when the budget or
 *   the system has no room, %FLOW_ERROR_INVALID_ARGUMENT when dtype or shape are none
 */
FlowTensor *
flow_tensor_new (FlowDType         dtype,
                 const FlowShape  *shape,
                 FlowBudget       *budget,
                 GError          **error)
{
  FlowBuffer *buffer;
  gint64 n_elements;
  gsize n_bytes;

  g_return_val_if_fail (shape != NULL, NULL);

  if (!measure (dtype, shape, &n_elements, &n_bytes, error))
    return NULL;
  buffer = buffer_new (dtype, n_bytes, shape, budget, error);
  if (buffer == NULL)
    return NULL;
  return wrap (dtype, shape, n_elements, n_bytes, buffer->data, buffer);
}

/**
 * flow_tensor_new_zeros:
 * @dtype: a base dtype
 * @shape: a fully known shape
 * @budget: (nullable): what to ask for the memory
 * @error: where to put an error
 *
 * Returns: (transfer full): a tensor of zeros, falses or empty strings; %NULL as flow_tensor_new()
 */
FlowTensor *
flow_tensor_new_zeros (FlowDType         dtype,
                       const FlowShape  *shape,
                       FlowBudget       *budget,
                       GError          **error)
{
  FlowTensor *self = flow_tensor_new (dtype, shape, budget, error);

  if (self != NULL)
    memset (self->data, 0, self->n_bytes);
  return self;
}

/**
 * flow_tensor_new_from_bytes:
 * @dtype: a base dtype whose elements are plain memory
 * @shape: a fully known shape
 * @bytes: the elements, row-major, little endian; exactly as many bytes as the shape needs
 * @error: where to put an error
 *
 * Shares @bytes where they are aligned to the element size, else copies them.
 *
 * Returns: (transfer full): a tensor that must not be written; %NULL with
 *   %FLOW_ERROR_INVALID_ARGUMENT when dtype, shape and size do not fit
 */
FlowTensor *
flow_tensor_new_from_bytes (FlowDType         dtype,
                            const FlowShape  *shape,
                            GBytes           *bytes,
                            GError          **error)
{
  FlowBuffer *buffer;
  gint64 n_elements;
  gsize n_bytes;
  gsize size;
  gconstpointer data;

  g_return_val_if_fail (shape != NULL && bytes != NULL, NULL);

  if (!measure (dtype, shape, &n_elements, &n_bytes, error))
    return NULL;
  data = g_bytes_get_data (bytes, &size);
  if (flow_tensor_has_pointers (dtype) || size != n_bytes)
    {
      g_autofree char *text = flow_shape_to_string (shape);

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "%" G_GSIZE_FORMAT " bytes do not make a tensor of type %s and shape %s",
                   size, flow_dtype_string (dtype), text);
      return NULL;
    }
  if (data == NULL || (guintptr) data % MIN (flow_dtype_size (dtype), 8) != 0)
    {
      FlowTensor *copy = flow_tensor_new (dtype, shape, NULL, error);

      if (copy != NULL && n_bytes > 0)
        memcpy (copy->data, data, n_bytes);
      return copy;
    }
  buffer = g_new0 (FlowBuffer, 1);
  g_atomic_ref_count_init (&buffer->ref_count);
  buffer->bytes = g_bytes_ref (bytes);
  buffer->data = (gpointer) data;
  buffer->size = n_bytes;
  buffer->cells = dtype;
  return wrap (dtype, shape, n_elements, n_bytes, buffer->data, buffer);
}

/**
 * flow_tensor_new_strings:
 * @shape: its shape
 * @values: (element-type GBytes): its elements in row-major order
 * @error: where to put an error
 *
 * Returns: (transfer full): a string tensor; %NULL with %FLOW_ERROR_INVALID_ARGUMENT when there are not as
 *   many values as @shape says
 */
FlowTensor *
flow_tensor_new_strings (const FlowShape  *shape,
                         GPtrArray        *values,
                         GError          **error)
{
  FlowTensor *self = flow_tensor_new_zeros (FLOW_DTYPE_STRING, shape, NULL, error);

  if (self == NULL)
    return NULL;
  if (self->n_elements != values->len)
    {
      flow_tensor_unref (self);
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%u strings do not make a tensor of that shape", values->len);
      return NULL;
    }
  for (guint i = 0; i < values->len; i++)
    flow_tensor_take_string (self, i, g_bytes_ref (g_ptr_array_index (values, i)));
  return self;
}

/**
 * flow_tensor_new_from_memory:
 * @dtype: its dtype, none of strings, resources or variants
 * @shape: its shape
 * @address: where its elements lie, row-major and little endian
 * @release: (scope async) (closure data): called when they are needed no more
 * @data: given to @release
 * @error: where to put an error
 *
 * A tensor over somebody else's memory: a numpy array goes in without a copy.
 *
 * Returns: (transfer full): a tensor; %NULL with %FLOW_ERROR_INVALID_ARGUMENT
 */
FlowTensor *
flow_tensor_new_from_memory (FlowDType         dtype,
                             const FlowShape  *shape,
                             guint64           address,
                             FlowReleaseFunc   release,
                             gpointer          data,
                             GError          **error)
{
  g_autoptr (GBytes) bytes = NULL;
  gint64 n_elements;
  gsize n_bytes;

  g_return_val_if_fail (shape != NULL && address != 0, NULL);

  if (!measure (dtype, shape, &n_elements, &n_bytes, error))
    return NULL;
  bytes = g_bytes_new_with_free_func (GSIZE_TO_POINTER (address), n_bytes, release, data);
  return flow_tensor_new_from_bytes (dtype, shape, bytes, error);
}

/**
 * flow_tensor_new_scalar: (skip)
 * @dtype: a base dtype whose elements are plain memory
 * @value: one element
 *
 * Returns: (transfer full): a scalar
 */
FlowTensor *
flow_tensor_new_scalar (FlowDType     dtype,
                        gconstpointer value)
{
  g_autoptr (FlowShape) shape = flow_shape_new_scalar ();
  FlowTensor *self;

  g_return_val_if_fail (value != NULL && !flow_tensor_has_pointers (dtype), NULL);

  self = flow_tensor_new (dtype, shape, NULL, NULL);
  g_return_val_if_fail (self != NULL, NULL);
  memcpy (self->data, value, self->n_bytes);
  return self;
}

/**
 * flow_tensor_new_float:
 * @value: a number
 *
 * Returns: (transfer full): a float32 scalar
 */
FlowTensor *
flow_tensor_new_float (float value)
{
  return flow_tensor_new_scalar (FLOW_DTYPE_FLOAT, &value);
}

/**
 * flow_tensor_new_int32:
 * @value: a number
 *
 * Returns: (transfer full): an int32 scalar
 */
FlowTensor *
flow_tensor_new_int32 (gint32 value)
{
  return flow_tensor_new_scalar (FLOW_DTYPE_INT32, &value);
}

/**
 * flow_tensor_new_int64:
 * @value: a number
 *
 * Returns: (transfer full): an int64 scalar
 */
FlowTensor *
flow_tensor_new_int64 (gint64 value)
{
  return flow_tensor_new_scalar (FLOW_DTYPE_INT64, &value);
}

/**
 * flow_tensor_new_bool:
 * @value: a truth value
 *
 * Returns: (transfer full): a bool scalar
 */
FlowTensor *
flow_tensor_new_bool (gboolean value)
{
  guint8 cell = value ? 1 : 0;

  return flow_tensor_new_scalar (FLOW_DTYPE_BOOL, &cell);
}

/**
 * flow_tensor_new_string:
 * @value: bytes
 * @length: how many, -1 up to the first 00
 *
 * Returns: (transfer full): a string scalar
 */
FlowTensor *
flow_tensor_new_string (const char *value,
                        gssize      length)
{
  g_autoptr (FlowShape) shape = flow_shape_new_scalar ();
  FlowTensor *self;

  g_return_val_if_fail (value != NULL || length == 0, NULL);

  self = flow_tensor_new (FLOW_DTYPE_STRING, shape, NULL, NULL);
  g_return_val_if_fail (self != NULL, NULL);
  flow_tensor_take_string (self, 0, g_bytes_new (value, length < 0 ? strlen (value) : (gsize) length));
  return self;
}

/**
 * flow_tensor_new_handle:
 * @handle: what the resource is called
 *
 * Returns: (transfer full): a resource scalar
 */
FlowTensor *
flow_tensor_new_handle (const FlowHandle *handle)
{
  g_autoptr (FlowShape) shape = flow_shape_new_scalar ();
  FlowTensor *self;

  g_return_val_if_fail (handle != NULL, NULL);

  self = flow_tensor_new (FLOW_DTYPE_RESOURCE, shape, NULL, NULL);
  g_return_val_if_fail (self != NULL, NULL);
  ((FlowHandle **) self->data)[0] = flow_handle_ref (handle);
  return self;
}

static FlowTensor *
view (const FlowTensor *self,
      FlowDType         dtype,
      const FlowShape  *shape,
      GError          **error)
{
  gint64 n_elements;
  gsize n_bytes;

  if (!measure (dtype, shape, &n_elements, &n_bytes, error))
    return NULL;
  if (n_bytes != self->n_bytes)
    {
      g_autofree char *from = flow_shape_to_string (self->shape);
      g_autofree char *to = flow_shape_to_string (shape);

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "A tensor of shape %s cannot be seen as %s", from, to);
      return NULL;
    }
  return wrap (dtype, shape, n_elements, n_bytes, self->data, buffer_ref (self->buffer));
}

/**
 * flow_tensor_reshape:
 * @self: a tensor
 * @shape: a fully known shape of as many elements
 * @error: where to put an error
 *
 * Returns: (transfer full): the same elements under another shape, nothing copied; %NULL with
 *   %FLOW_ERROR_INVALID_ARGUMENT when the counts differ
 */
FlowTensor *
flow_tensor_reshape (const FlowTensor  *self,
                     const FlowShape   *shape,
                     GError           **error)
{
  g_return_val_if_fail (self != NULL && shape != NULL, NULL);

  return view (self, self->dtype, shape, error);
}

/**
 * flow_tensor_bitcast:
 * @self: a tensor of plain memory
 * @dtype: another base dtype of plain memory
 * @shape: a fully known shape that needs as many bytes
 * @error: where to put an error
 *
 * Returns: (transfer full): the same bytes read as @dtype; %NULL with %FLOW_ERROR_INVALID_ARGUMENT
 *   when the sizes differ or elements are no plain memory
 */
FlowTensor *
flow_tensor_bitcast (const FlowTensor  *self,
                     FlowDType          dtype,
                     const FlowShape   *shape,
                     GError           **error)
{
  g_return_val_if_fail (self != NULL && shape != NULL, NULL);

  if (flow_tensor_has_pointers (self->dtype) || flow_tensor_has_pointers (dtype))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Cannot bitcast from %s to %s",
                   flow_dtype_string (self->dtype), flow_dtype_string (dtype));
      return NULL;
    }
  return view (self, dtype, shape, error);
}

/**
 * flow_tensor_slice_rows:
 * @self: a tensor of rank 1 or more
 * @begin: first row, 0 to the first dimension
 * @end: one past the last row
 *
 * Returns: (transfer full): rows @begin to @end, nothing copied. The memory may be aligned to no
 *   more than an element.
 */
FlowTensor *
flow_tensor_slice_rows (const FlowTensor *self,
                        gint64            begin,
                        gint64            end)
{
  g_autoptr (FlowShape) shape = NULL;
  gint64 rows;
  gint64 row;

  g_return_val_if_fail (self != NULL && self->shape->rank >= 1, NULL);
  rows = self->shape->dims[0];
  g_return_val_if_fail (begin >= 0 && begin <= end && end <= rows, NULL);

  shape = flow_shape_new (self->shape->rank, self->shape->dims);
  shape->dims[0] = end - begin;
  row = rows > 0 ? self->n_elements / rows : 0;
  return wrap (self->dtype, shape, row * (end - begin),
               (gsize) (row * (end - begin)) * flow_dtype_size (self->dtype),
               (guint8 *) self->data + (gsize) (row * begin) * flow_dtype_size (self->dtype),
               buffer_ref (self->buffer));
}

/**
 * flow_tensor_copy:
 * @self: a tensor
 * @budget: (nullable): what to ask for the memory
 * @error: where to put an error
 *
 * Returns: (transfer full): a tensor of its own memory with the same elements
 */
FlowTensor *
flow_tensor_copy (const FlowTensor  *self,
                  FlowBudget        *budget,
                  GError           **error)
{
  FlowTensor *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = flow_tensor_new (self->dtype, self->shape, budget, error);
  if (copy == NULL)
    return NULL;
  if (!flow_tensor_has_pointers (self->dtype))
    memcpy (copy->data, self->data, self->n_bytes);
  else
    for (gint64 i = 0; i < self->n_elements; i++)
      ((gpointer *) copy->data)[i] = cell_ref (self->dtype, ((gpointer *) self->data)[i]);
  return copy;
}

/**
 * flow_tensor_ref:
 * @self: a tensor
 *
 * Returns: (transfer full): @self; tensors do not change once shared, so a const one may be
 */
FlowTensor *
flow_tensor_ref (const FlowTensor *self)
{
  FlowTensor *shared = (FlowTensor *) (gpointer) self;

  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&shared->ref_count);
  return shared;
}

/**
 * flow_tensor_unref:
 * @self: (transfer full): a tensor
 */
void
flow_tensor_unref (const FlowTensor *self)
{
  FlowTensor *shared = (FlowTensor *) (gpointer) self;

  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&shared->ref_count))
    return;
  flow_shape_unref (shared->shape);
  buffer_unref (shared->buffer);
  g_free (shared);
}

/**
 * flow_tensor_is_exclusive:
 * @self: a tensor to which the caller has a reference
 *
 * Returns: whether nobody else can see these elements and the memory is ours: then they may be
 *   written over
 */
gboolean
flow_tensor_is_exclusive (const FlowTensor *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return g_atomic_int_get (&self->ref_count) == 1
         && g_atomic_int_get (&self->buffer->ref_count) == 1
         && self->buffer->bytes == NULL;
}
