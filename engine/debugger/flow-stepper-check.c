/* flow-stepper-check.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-stepper.h"

#include <string.h>

/* Fingerprints of what a session keeps and what ops made: proof that steps backwards are exact. */

static inline guint64
mix (guint64 h,
     guint64 x)
{
  h = (h ^ x) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return h ^ (h >> 29);
}

static guint64
hash_bytes (guint64       h,
            gconstpointer data,
            gsize         n)
{
  const guchar *p = data;

  h = mix (h, n);
  for (; n >= 8; n -= 8, p += 8)
    {
      guint64 x = 0;

      memcpy (&x, p, 8);
      h = mix (h, x);
    }
  for (; n > 0; n--, p++)
    h = mix (h, *p);
  return h;
}

static guint64
hash_handle (guint64           h,
             const FlowHandle *handle)
{
  if (handle == NULL)
    return mix (h, 0);
  h = hash_bytes (h, handle->container, strlen (handle->container));
  return hash_bytes (h, handle->name, strlen (handle->name));
}

static guint64
hash_tensor (guint64           h,
             const FlowTensor *tensor)
{
  h = mix (h, tensor->dtype);
  h = hash_bytes (h, tensor->shape->dims, sizeof (gint64) * (gsize) MAX (tensor->shape->rank, 0));
  if (tensor->dtype == FLOW_DTYPE_STRING)
    for (gint64 i = 0; i < tensor->n_elements; i++)
      {
        gsize length = 0;
        const char *text = flow_tensor_get_string (tensor, i, &length);

        h = hash_bytes (h, text, length);
      }
  else if (tensor->dtype == FLOW_DTYPE_RESOURCE)
    for (gint64 i = 0; i < tensor->n_elements; i++)
      h = hash_handle (h, FLOW_DATA (FlowHandle *, tensor)[i]);
  else if (tensor->dtype != FLOW_DTYPE_VARIANT)
    h = hash_bytes (h, tensor->data, tensor->n_bytes);
  return h;
}

typedef struct {
  guint64 hash;
  gsize bytes;
} Sum;

static void
visit_cb (const char       *label,
          const FlowTensor *tensor,
          gpointer          data)
{
  Sum *sum = data;

  sum->hash = hash_bytes (sum->hash, label, strlen (label));
  if (tensor != NULL)
    sum->hash = hash_tensor (sum->hash, tensor);
}

static void
count_cb (const char       *label,
          const FlowTensor *tensor,
          gpointer          data)
{
  if (tensor != NULL)
    ((Sum *) data)->bytes += tensor->n_bytes;
}

/**
 * flow_stepper_hash_state: (skip)
 * @self: a stepper
 *
 * Returns: a fingerprint of all that the session keeps
 */
guint64
flow_stepper_hash_state (FlowStepper *self)
{
  g_autoptr(GPtrArray) all = flow_session_list_resources (flow_stepper_get_session (self));
  Sum sum = { 0x5bd1e995, 0 };

  for (guint i = 0; i < all->len; i++)
    {
      FlowResource *resource = g_ptr_array_index (all, i);

      sum.hash = hash_bytes (sum.hash, resource->container, strlen (resource->container));
      sum.hash = hash_bytes (sum.hash, resource->name, strlen (resource->name));
      if (resource->klass->visit != NULL)
        resource->klass->visit (resource, visit_cb, &sum);
    }
  return sum.hash;
}

/**
 * flow_stepper_get_state_bytes: (skip)
 * @self: a stepper
 *
 * Returns: bytes of the tensors that the session keeps
 */
gsize
flow_stepper_get_state_bytes (FlowStepper *self)
{
  g_autoptr(GPtrArray) all = flow_session_list_resources (flow_stepper_get_session (self));
  Sum sum = { 0, 0 };

  for (guint i = 0; i < all->len; i++)
    {
      FlowResource *resource = g_ptr_array_index (all, i);

      if (resource->klass->visit != NULL)
        resource->klass->visit (resource, count_cb, &sum);
    }
  return sum.bytes;
}

/**
 * flow_stepper_hash_outputs: (skip)
 * @self: a stepper
 * @k: an event
 *
 * Returns: a fingerprint of what the op made
 */
guint64
flow_stepper_hash_outputs (FlowStepper *self,
                           guint64      k)
{
  const FlowEvent *event = flow_stepper_get_event (self, k);
  guint64 h = 0x27d4eb2f;

  if (event == NULL)
    return 0;
  h = mix (mix (mix (h, event->node), event->dead), event->iteration);
  for (guint i = 0; event->outputs != NULL && i < event->n_outputs; i++)
    h = event->outputs[i] != NULL ? hash_tensor (h, event->outputs[i]) : mix (h, i);
  return h;
}
