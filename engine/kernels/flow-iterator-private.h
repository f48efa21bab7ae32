/* flow-iterator-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-dataset-private.h"

G_BEGIN_DECLS

typedef struct {
  FlowResource parent;
  guint n_components;
  int *dtypes;
  FlowShape **shapes;
  /* The state: none before an initialiser was run. */
  FlowPosition *position;
  FlowMemory *memory;
  gint64 n_starts;
} FlowIterator;

extern const FlowResourceClass _flow_iterator_class;

FlowIterator *_flow_iterator_new   (const char        *container,
                                    const char        *name,
                                    FlowAttr          *types,
                                    FlowAttr          *shapes);
/* Puts it to the beginning of @dataset. */
gboolean      _flow_iterator_start (FlowIterator      *self,
                                    FlowKernelContext *c,
                                    FlowDataset       *dataset,
                                    GError           **error);
/* The next element; NULL without an error at the end. */
gboolean      _flow_iterator_next  (FlowIterator      *self,
                                    FlowKernelContext *c,
                                    FlowTuple        **out,
                                    GError           **error);

/* Where an iterator is, as bytes, and where such bytes are in @dataset; what is remembered is added to the pull's memory. */
GBytes       *_flow_iterator_state_encode (FlowPosition      *position,
                                           GError           **error);
FlowPosition *_flow_iterator_state_decode (GBytes            *encoded,
                                           FlowDataset       *dataset,
                                           FlowPull          *pull,
                                           GError           **error);

/* TF: where the resources of a session on one machine are. */
#define FLOW_ITERATOR_DEVICE "/job:localhost/replica:0/task:0/device:CPU:0"

/* Output 0 becomes a string that names @resource, and input 0, such a string, a resource of that class: a new
 * reference. */
gboolean      _flow_put_string_handle    (FlowKernelContext        *c,
                                          const FlowResource       *resource,
                                          GError                  **error);
gpointer      _flow_lookup_string_handle (FlowKernelContext        *c,
                                          const FlowResourceClass  *klass,
                                          GError                  **error);
/* The components of an element become the outputs, whose dtypes they must have. */
gboolean      _flow_put_element          (FlowKernelContext        *c,
                                          const FlowTuple          *tuple,
                                          GError                  **error);

/* What may hold an element: the variant of the ops Optional*. */
#define FLOW_TYPE_OPTIONAL (_flow_optional_get_type ())
G_DECLARE_FINAL_TYPE (FlowOptional, _flow_optional, FLOW, OPTIONAL, FlowVariant)

struct _FlowOptional
{
  FlowVariant parent_instance;
  FlowTuple *tuple;            /* nullable */
};

/* Takes @tuple, NULL for nothing. */
FlowOptional *_flow_optional_new         (FlowTuple                *tuple,
                                          GError                  **error);

G_END_DECLS
