/* flow-kernels-image_components.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Pixels of one value that touch each other.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-string-private.h"

#include <string.h>

/* A forest of pixels: each points at another of its component, roots at themselves. TF: which pixel is the root
 * follows from the order of unions, and gives the component its number. */
typedef struct {
  const FlowTensor *images;
  gint64 n_rows;
  gint64 n_columns;
  gint64 *parents;
  gint64 *ranks;
} Forest;

static gboolean
is_same (const FlowTensor *images,
         gint64            i,
         gint64            k)
{
  switch ((int) images->dtype)
    {
    case FLOW_DTYPE_STRING:
      {
        const Text a = text_at (images, i);
        const Text b = text_at (images, k);

        return a.length == b.length && (a.length == 0 || memcmp (a.bytes, b.bytes, a.length) == 0);
      }
    case FLOW_DTYPE_FLOAT:
    case FLOW_DTYPE_DOUBLE:
    case FLOW_DTYPE_HALF:
      return flow_tensor_get_double (images, i) == flow_tensor_get_double (images, k);
    default:
      return flow_tensor_get_int (images, i) == flow_tensor_get_int (images, k);
    }
}

/* Zeros, and strings without bytes, belong to nothing. */
static gboolean
is_set (const FlowTensor *images,
        gint64            i)
{
  switch ((int) images->dtype)
    {
    case FLOW_DTYPE_STRING:
      return text_at (images, i).length > 0;
    case FLOW_DTYPE_FLOAT:
    case FLOW_DTYPE_DOUBLE:
    case FLOW_DTYPE_HALF:
      return flow_tensor_get_double (images, i) != 0;
    default:
      return flow_tensor_get_int (images, i) != 0;
    }
}

static gint64
find_root (const Forest *self,
           gint64        i)
{
  while (self->parents[i] != i)
    i = self->parents[i];
  return i;
}

static void
join (Forest *self,
      gint64  a,
      gint64  b)
{
  if (!is_set (self->images, a) || !is_same (self->images, a, b))
    return;
  a = find_root (self, a);
  b = find_root (self, b);
  if (a == b)
    return;
  if (self->ranks[a] < self->ranks[b])
    {
      self->parents[b] = a;
      return;
    }
  self->parents[a] = b;
  self->ranks[b]++;
}

/* The seams of one block of @size, whose quarters are joined already. */
static void
join_block (Forest *self,
            gint64  first,
            gint64  top,
            gint64  left,
            gint64  size)
{
  const gint64 row = top + size / 2 - 1;
  const gint64 column = left + size / 2 - 1;

  if (column + 1 < self->n_columns)
    for (gint64 y = top; y < MIN (self->n_rows, top + size); y++)
      join (self, first + y * self->n_columns + column, first + y * self->n_columns + column + 1);
  if (row + 1 < self->n_rows)
    for (gint64 x = left; x < MIN (self->n_columns, left + size); x++)
      join (self, first + row * self->n_columns + x, first + (row + 1) * self->n_columns + x);
}

static gboolean
join_pixels (FlowKernelContext  *c,
             Forest             *self,
             GError            **error)
{
  const gint64 n_pixels = self->n_rows * self->n_columns;

  for (gint64 size = 2; size / 2 < MAX (self->n_rows, self->n_columns); size *= 2)
    for (gint64 first = 0; first < self->images->n_elements; first += n_pixels)
      for (gint64 top = 0; top < self->n_rows; top += size)
        {
          if (g_cancellable_set_error_if_cancelled (c->cancellable, error))
            return FALSE;
          for (gint64 left = 0; left < self->n_columns; left += size)
            join_block (self, first, top, left, size);
        }
  return TRUE;
}

static gboolean
components_compute (FlowKernelContext  *c,
                    GError            **error)
{
  const FlowTensor *images = flow_kernel_input (c, 0);
  g_autoptr (FlowTensor) parents = NULL;
  g_autoptr (FlowTensor) ranks = NULL;
  FlowTensor *out;
  Forest forest;

  FLOW_REQUIRE (FLOW_RANK (images) == 3, error, INVALID_ARGUMENT, "Input images must have rank 3");
  parents = flow_kernel_allocate_temp (c, FLOW_DTYPE_INT64, images->shape, error);
  ranks = parents != NULL ? flow_kernel_allocate_temp (c, FLOW_DTYPE_INT64, images->shape, error) : NULL;
  out = ranks != NULL ? flow_kernel_allocate (c, 0, images->shape, error) : NULL;
  if (out == NULL || images->n_elements == 0)
    return out != NULL;
  forest = (Forest) { images, FLOW_DIMS (images)[1], FLOW_DIMS (images)[2], parents->data, ranks->data };
  for (gint64 i = 0; i < images->n_elements; i++)
    forest.parents[i] = i;
  memset (ranks->data, 0, ranks->n_bytes);
  if (!join_pixels (c, &forest, error))
    return FALSE;
  for (gint64 i = 0; i < images->n_elements; i++)
    FLOW_WRITABLE (gint64, out)[i] = is_set (images, i) ? find_root (&forest, i) + 1 : 0;
  return TRUE;
}

static gboolean
components_infer (FlowInferContext  *c,
                  GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return flow_infer_unchanged_shape (c, error);
}

static const FlowOpDef ops[] = {
  { .name = "ImageConnectedComponents", .inputs = "image: dtype", .outputs = "components: int64",
    .attrs = "dtype: {int64, int32, uint16, int16, uint8, int8, half, float, double, bool, string}",
    .summary = "Numbers for pixels of one value that touch each other", .family = FLOW_OP_FAMILY_ARRAY,
    .infer = components_infer,
    .kernels = (const FlowKernelDef[]) {
      { "dtype: int64 int32 uint16 int16 uint8 int8 half float double bool string", components_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (image_components, ops)
