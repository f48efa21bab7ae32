/* flow-stepper-check.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-stepper.h"

#include <string.h>

#include "flow-tensor-hash.h"

/* Fingerprints of what a session keeps and what ops made: proof that steps backwards are exact. */

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

  sum->hash = flow_hash_bytes (sum->hash, label, strlen (label));
  if (tensor != NULL)
    sum->hash = flow_tensor_hash (tensor, sum->hash);
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

      sum.hash = flow_hash_bytes (sum.hash, resource->container, strlen (resource->container));
      sum.hash = flow_hash_bytes (sum.hash, resource->name, strlen (resource->name));
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
 * Returns: a fingerprint of what the op made; 0 where the history has dropped it
 */
guint64
flow_stepper_hash_outputs (FlowStepper *self,
                           guint64      k)
{
  const FlowEvent *event = flow_stepper_get_event (self, k);
  guint64 h = 0x27d4eb2f;

  if (event == NULL)
    return 0;
  if (event->outputs == NULL && event->n_outputs > 0 && !event->dead)
    return 0;
  h = flow_hash_mix (flow_hash_mix (flow_hash_mix (h, event->node), event->dead), event->iteration);
  for (guint i = 0; event->outputs != NULL && i < event->n_outputs; i++)
    h = event->outputs[i] != NULL ? flow_tensor_hash (event->outputs[i], h) : flow_hash_mix (h, i);
  return h;
}
