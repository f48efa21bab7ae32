/* flow-tensor-access.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a tensor holds: its shape, its bytes, single elements.
 */

#include "config.h"

#include "flow-tensor-private.h"

#include "flow-variant.h"

#include <string.h>

/**
 * flow_tensor_get_dtype:
 * @self: a tensor
 *
 * Returns: its dtype
 */
FlowDType
flow_tensor_get_dtype (const FlowTensor *self)
{
  g_return_val_if_fail (self != NULL, FLOW_DTYPE_INVALID);

  return self->dtype;
}

/**
 * flow_tensor_get_shape:
 * @self: a tensor
 *
 * Returns: (transfer none): its shape, fully known
 */
FlowShape *
flow_tensor_get_shape (const FlowTensor *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->shape;
}

/**
 * flow_tensor_get_rank:
 * @self: a tensor
 *
 * Returns: the number of its dimensions
 */
int
flow_tensor_get_rank (const FlowTensor *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->shape->rank;
}

/**
 * flow_tensor_get_dim:
 * @self: a tensor
 * @i: index, from 0 to the rank less one
 *
 * Returns: that dimension
 */
gint64
flow_tensor_get_dim (const FlowTensor *self,
                     int               i)
{
  g_return_val_if_fail (self != NULL, 0);

  return flow_shape_get_dim (self->shape, i);
}

/**
 * flow_tensor_get_n_elements:
 * @self: a tensor
 *
 * Returns: the product of its dimensions
 */
gint64
flow_tensor_get_n_elements (const FlowTensor *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_elements;
}

/**
 * flow_tensor_get_n_bytes:
 * @self: a tensor
 *
 * Returns: bytes of its elements, those of the strings themselves included
 */
gsize
flow_tensor_get_n_bytes (const FlowTensor *self)
{
  gsize total;

  g_return_val_if_fail (self != NULL, 0);

  total = self->n_bytes;
  if (self->dtype == FLOW_DTYPE_STRING)
    for (gint64 i = 0; i < self->n_elements; i++)
      {
        gsize length;

        flow_tensor_get_string (self, i, &length);
        total += length;
      }
  return total;
}

/**
 * flow_tensor_get_data: (skip)
 * @self: a tensor
 *
 * Returns: (transfer none): its elements, row-major
 */
gconstpointer
flow_tensor_get_data (const FlowTensor *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->data;
}

/**
 * flow_tensor_get_writable: (skip)
 * @self: a tensor that the caller made and nobody else has seen
 *
 * Returns: (transfer none) (nullable): its elements to be written; %NULL when others can see them
 */
gpointer
flow_tensor_get_writable (FlowTensor *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (flow_tensor_is_exclusive (self), NULL);

  return self->data;
}

/**
 * flow_tensor_get_address:
 * @self: a tensor
 *
 * Returns: where its elements lie, for bindings that share the memory (numpy's
 *   `__array_interface__`); valid while @self is
 */
guint64
flow_tensor_get_address (const FlowTensor *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return (guint64) (guintptr) self->data;
}

static void
release_tensor (gpointer tensor)
{
  flow_tensor_unref (tensor);
}

/**
 * flow_tensor_dup_bytes:
 * @self: a tensor of plain memory
 *
 * Returns: (transfer full) (nullable): its elements without a copy; %NULL for strings, resources
 *   and variants
 */
GBytes *
flow_tensor_dup_bytes (const FlowTensor *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (flow_tensor_has_pointers (self->dtype))
    return NULL;
  return g_bytes_new_with_free_func (self->data, self->n_bytes, release_tensor, flow_tensor_ref (self));
}

/**
 * flow_tensor_get_string: (skip)
 * @self: a string tensor
 * @i: which element, in row-major order
 * @length: (out) (optional): its length in bytes
 *
 * Returns: (transfer none): its bytes, never %NULL; not ended by 00
 */
const char *
flow_tensor_get_string (const FlowTensor *self,
                        gint64            i,
                        gsize            *length)
{
  GBytes *cell;
  gsize size = 0;
  const char *data = NULL;

  g_return_val_if_fail (self != NULL && self->dtype == FLOW_DTYPE_STRING, "");
  g_return_val_if_fail (i >= 0 && i < self->n_elements, "");

  cell = ((GBytes **) self->data)[i];
  if (cell != NULL)
    data = g_bytes_get_data (cell, &size);
  if (length != NULL)
    *length = size;
  return data != NULL ? data : "";
}

/**
 * flow_tensor_dup_string:
 * @self: a string tensor
 * @i: which element, in row-major order
 *
 * Returns: (transfer full): its bytes
 */
GBytes *
flow_tensor_dup_string (const FlowTensor *self,
                        gint64            i)
{
  gsize length = 0;
  const char *text = flow_tensor_get_string (self, i, &length);

  return g_bytes_new (text, length);
}

/**
 * flow_tensor_take_string: (skip)
 * @self: a string tensor that the caller is making
 * @i: which element, in row-major order
 * @value: (transfer full) (nullable): its bytes
 */
void
flow_tensor_take_string (FlowTensor *self,
                         gint64      i,
                         GBytes     *value)
{
  g_return_if_fail (self != NULL && self->dtype == FLOW_DTYPE_STRING);
  g_return_if_fail (i >= 0 && i < self->n_elements);

  g_clear_pointer (&((GBytes **) self->data)[i], g_bytes_unref);
  ((GBytes **) self->data)[i] = value;
}

/**
 * flow_tensor_get_double:
 * @self: a tensor of numbers or bools
 * @i: which element, in row-major order
 *
 * Returns: the element as a double: complex ones give their real part, quantised ones their bits
 */
double
flow_tensor_get_double (const FlowTensor *self,
                        gint64            i)
{
  g_return_val_if_fail (self != NULL, 0.0);
  g_return_val_if_fail (i >= 0 && i < self->n_elements, 0.0);

  switch (self->dtype)
    {
    case FLOW_DTYPE_FLOAT: return (double) FLOW_DATA (float, self)[i];
    case FLOW_DTYPE_DOUBLE: return FLOW_DATA (double, self)[i];
    case FLOW_DTYPE_HALF: return (double) flow_half_to_float (FLOW_DATA (guint16, self)[i]);
    case FLOW_DTYPE_BFLOAT16: return (double) flow_bfloat16_to_float (FLOW_DATA (guint16, self)[i]);
    case FLOW_DTYPE_COMPLEX64: return (double) FLOW_DATA (float, self)[2 * i];
    case FLOW_DTYPE_COMPLEX128: return FLOW_DATA (double, self)[2 * i];
    case FLOW_DTYPE_UINT64: return (double) FLOW_DATA (guint64, self)[i];
    default: return (double) flow_tensor_get_int (self, i);
    }
}

/**
 * flow_tensor_get_int:
 * @self: a tensor of integers, bools or quantised numbers
 * @i: which element, in row-major order
 *
 * Returns: the element; 0 for a dtype that has no integers
 */
gint64
flow_tensor_get_int (const FlowTensor *self,
                     gint64            i)
{
  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail (i >= 0 && i < self->n_elements, 0);

  switch (self->dtype)
    {
    case FLOW_DTYPE_INT32: case FLOW_DTYPE_QINT32: return FLOW_DATA (gint32, self)[i];
    case FLOW_DTYPE_INT64: return FLOW_DATA (gint64, self)[i];
    case FLOW_DTYPE_UINT8: case FLOW_DTYPE_QUINT8: return FLOW_DATA (guint8, self)[i];
    case FLOW_DTYPE_BOOL: return FLOW_DATA (guint8, self)[i] != 0;
    case FLOW_DTYPE_INT8: case FLOW_DTYPE_QINT8: return FLOW_DATA (gint8, self)[i];
    case FLOW_DTYPE_INT16: case FLOW_DTYPE_QINT16: return FLOW_DATA (gint16, self)[i];
    case FLOW_DTYPE_UINT16: case FLOW_DTYPE_QUINT16: return FLOW_DATA (guint16, self)[i];
    case FLOW_DTYPE_UINT32: return FLOW_DATA (guint32, self)[i];
    case FLOW_DTYPE_UINT64: return (gint64) FLOW_DATA (guint64, self)[i];
    default: return 0;
    }
}

static gboolean
cells_identical (FlowDType dtype,
                 gpointer  a,
                 gpointer  b)
{
  if (a == b)
    return TRUE;
  if (dtype == FLOW_DTYPE_STRING)
    return (a != NULL ? g_bytes_get_size (a) : 0) == (b != NULL ? g_bytes_get_size (b) : 0)
           && (a == NULL || b == NULL || g_bytes_equal (a, b));
  if (dtype == FLOW_DTYPE_RESOURCE && a != NULL && b != NULL)
    {
      const FlowHandle *x = a;
      const FlowHandle *y = b;

      return g_str_equal (x->container, y->container) && g_str_equal (x->name, y->name)
             && g_str_equal (x->type_name, y->type_name);
    }
  return dtype == FLOW_DTYPE_VARIANT && a != NULL && b != NULL && flow_variant_identical (a, b);
}

/**
 * flow_tensor_identical:
 * @a: a tensor
 * @b: another
 *
 * Returns: whether dtype, shape and all elements are equal bit for bit (a NaN equals the same NaN)
 */
gboolean
flow_tensor_identical (const FlowTensor *a,
                       const FlowTensor *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  if (a == b)
    return TRUE;
  if (a->dtype != b->dtype || !flow_shape_equal (a->shape, b->shape))
    return FALSE;
  if (a->data == b->data)
    return TRUE;
  if (!flow_tensor_has_pointers (a->dtype))
    return memcmp (a->data, b->data, a->n_bytes) == 0;
  for (gint64 i = 0; i < a->n_elements; i++)
    if (!cells_identical (a->dtype, ((gpointer *) a->data)[i], ((gpointer *) b->data)[i]))
      return FALSE;
  return TRUE;
}
