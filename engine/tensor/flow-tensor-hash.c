/* flow-tensor-hash.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-tensor-hash.h"

#include "flow-variant.h"

#include <string.h>

/**
 * flow_hash_mix:
 * @h: what came before
 * @x: a number
 *
 * Returns: @h with @x in it
 */
guint64
flow_hash_mix (guint64 h,
               guint64 x)
{
  h = (h ^ x) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return h ^ (h >> 29);
}

/**
 * flow_hash_bytes: (skip)
 * @h: what came before
 * @data: bytes
 * @n: how many
 *
 * Returns: @h with the bytes and their number in it
 */
guint64
flow_hash_bytes (guint64       h,
                 gconstpointer data,
                 gsize         n)
{
  const guchar *p = data;

  h = flow_hash_mix (h, n);
  for (; n >= 8; n -= 8, p += 8)
    {
      guint64 x = 0;

      memcpy (&x, p, 8);
      h = flow_hash_mix (h, x);
    }
  for (; n > 0; n--, p++)
    h = flow_hash_mix (h, *p);
  return h;
}

static guint64
hash_handle (guint64           h,
             const FlowHandle *handle)
{
  if (handle == NULL)
    return flow_hash_mix (h, 0);
  h = flow_hash_bytes (h, handle->container, strlen (handle->container));
  return flow_hash_bytes (h, handle->name, strlen (handle->name));
}

/**
 * flow_tensor_hash:
 * @self: a tensor
 * @h: what came before
 *
 * Returns: @h with dtype, shape and every element of @self in it
 */
guint64
flow_tensor_hash (const FlowTensor *self,
                  guint64           h)
{
  g_return_val_if_fail (self != NULL, h);

  h = flow_hash_mix (h, self->dtype);
  h = flow_hash_bytes (h, self->shape->dims, sizeof (gint64) * (gsize) MAX (self->shape->rank, 0));
  if (self->dtype == FLOW_DTYPE_STRING)
    for (gint64 i = 0; i < self->n_elements; i++)
      {
        gsize length = 0;
        const char *text = flow_tensor_get_string (self, i, &length);

        h = flow_hash_bytes (h, text, length);
      }
  else if (self->dtype == FLOW_DTYPE_RESOURCE)
    for (gint64 i = 0; i < self->n_elements; i++)
      h = hash_handle (h, FLOW_DATA (FlowHandle *, self)[i]);
  else if (self->dtype == FLOW_DTYPE_VARIANT)
    for (gint64 i = 0; i < self->n_elements; i++)
      {
        FlowVariant *variant = flow_tensor_get_variant (self, i);

        h = flow_hash_mix (h, variant != NULL ? flow_variant_hash (variant) : 0);
      }
  else
    h = flow_hash_bytes (h, self->data, self->n_bytes);
  return h;
}
