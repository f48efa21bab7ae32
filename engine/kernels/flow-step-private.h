/* flow-step-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What queues, stacks, tensor arrays, readers and their like share: names and handles, old and new.
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/* "NAME_K" with the next K of this run: TensorFlow's name for a stack or tensor array. */
char    *_flow_step_name         (FlowKernelContext        *c,
                                  const char               *name,
                                  GError                  **error);
/* The resource behind input @i: a handle, or two strings, by value or by reference: container and
 * name, or, for what lives as long as the run, the word @family and the name. A new reference. @words
 * is the op's complaint about another number of strings. */
gpointer _flow_lookup_handle     (FlowKernelContext        *c,
                                  guint                     i,
                                  const FlowResourceClass  *klass,
                                  const char               *family,
                                  const char               *words,
                                  GError                  **error);
/* Output @i names @resource in the way that its dtype asks for. */
gboolean _flow_put_handle        (FlowKernelContext        *c,
                                  guint                     i,
                                  FlowResource             *resource,
                                  const char               *family,
                                  int                       dtype,
                                  const FlowShape          *shape,
                                  GError                  **error);

/* Where the resource of a node that makes one stands, by its attrs container and shared_name. */
typedef struct {
  char *container;
  char *name;                  /* NULL before it is first asked for, of a node that keeps its resource for itself */
  char *node;                  /* of such a node */
} FlowPlace;

/* TF: a node without a shared name keeps its resource for itself under a name that cannot be given, or, for some types,
 * under its own name. FALSE for a name that is reserved. */
gboolean _flow_place_init        (FlowPlace                *self,
                                  FlowKernelConstruction   *c,
                                  gboolean                  by_node_name,
                                  GError                  **error);
void     _flow_place_clear       (FlowPlace                *self);
/* TF: "_K_NODE" for the K-th of such nodes that the process comes to. */
const char *_flow_place_name     (FlowPlace                *self);
/* The resource of @klass that stands there; NULL if there is none. A new reference. */
gpointer _flow_place_lookup      (FlowPlace                *self,
                                  FlowKernelContext        *c,
                                  const FlowResourceClass  *klass);

/* For kernels that keep nothing but a place: one for the node alone, one under the node's own name. */
gpointer _flow_place_construct   (FlowKernelConstruction   *c,
                                  GError                  **error);
gpointer _flow_place_construct_by_node (FlowKernelConstruction  *c,
                                        GError                 **error);
void     _flow_place_destruct    (gpointer                  place);

/* A new resource of @klass with what the node's attrs ask for, not published yet. */
typedef gpointer (*FlowMakeResource) (FlowKernelContext        *c,
                                      const FlowResourceClass  *klass,
                                      const char               *container,
                                      const char               *name);

/* The resource of @klass at the place that the kernel keeps, made by whoever comes first. A new reference. */
gpointer _flow_place_find        (FlowKernelContext        *c,
                                  const FlowResourceClass  *klass,
                                  FlowMakeResource          make,
                                  GError                  **error);
/* Output 0 names @resource, whose reference is taken; none after an error. */
gboolean _flow_put_taken         (FlowKernelContext        *c,
                                  gpointer                  resource,
                                  GError                  **error);
/* Output 0 names what _flow_place_find() gives. */
gboolean _flow_put_placed        (FlowKernelContext        *c,
                                  const FlowResourceClass  *klass,
                                  FlowMakeResource          make,
                                  GError                  **error);
/* Output 0 names a new resource "FAMILY_K" that ends with its run; output 1, where there is one, is what deletes it. */
gboolean _flow_put_anonymous     (FlowKernelContext        *c,
                                  const FlowResourceClass  *klass,
                                  FlowMakeResource          make,
                                  const char               *family,
                                  GError                  **error);
/* Output 0 names a new resource that lasts until it is destroyed, in the container FAMILY. */
gboolean _flow_put_lasting       (FlowKernelContext        *c,
                                  const FlowResourceClass  *klass,
                                  FlowMakeResource          make,
                                  const char               *family,
                                  GError                  **error);

/* What a node counts between its executions; a new reference. Writing it is the caller's. */
typedef struct {
  FlowResource parent;
  gint64 n;
} FlowCount;

FlowCount *_flow_count_of_node   (FlowKernelContext        *c,
                                  GError                  **error);
/* A name that no other execution of the node has: what the state of functions goes by where each execution makes
 * them anew. */
char      *_flow_name_execution  (FlowKernelContext        *c,
                                  GError                  **error);

G_END_DECLS
