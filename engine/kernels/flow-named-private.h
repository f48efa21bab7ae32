/* flow-named-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/* Resources of which one op makes the handle, another one what stands under it, and that others are given: boosted
 * trees, forests. */

/* Output 0 names one of @klass, by the place that _flow_place_construct() found. */
gboolean _flow_named_put_handle     (FlowKernelContext        *c,
                                     const FlowResourceClass  *klass,
                                     gsize                     size,
                                     GError                  **error);
/* Output 0 says whether what input 0 names is there. */
gboolean _flow_named_is_there       (FlowKernelContext        *c,
                                     const FlowResourceClass  *klass,
                                     GError                  **error);
/* A new one of the name that input 0 gives. */
gpointer _flow_named_alloc          (FlowKernelContext        *c,
                                     const FlowResourceClass  *klass,
                                     gsize                     size,
                                     GError                  **error);
/* Takes @resource; one that is there already stays. */
gboolean _flow_named_publish        (FlowKernelContext        *c,
                                     FlowResource             *resource,
                                     GError                  **error);

typedef gboolean (*FlowNamedFunc) (FlowKernelContext *c, gpointer resource, GError **error);

/* Calls @func with what input @i names. */
gboolean _flow_named_call           (FlowKernelContext        *c,
                                     guint                     i,
                                     const FlowResourceClass  *klass,
                                     FlowNamedFunc             func,
                                     GError                  **error);

/* The kernels handle_compute and is_initialized_compute of @klass. */
#define FLOW_NAMED_KERNELS(klass, type)                                                                      \
  static gboolean                                                                                            \
  handle_compute (FlowKernelContext *c, GError **error)                                                      \
  {                                                                                                          \
    return _flow_named_put_handle (c, &(klass), sizeof (type), error);                                       \
  }                                                                                                          \
                                                                                                             \
  static gboolean                                                                                            \
  is_initialized_compute (FlowKernelContext *c, GError **error)                                              \
  {                                                                                                          \
    return _flow_named_is_there (c, &(klass), error);                                                        \
  }

/* FUNC_compute: what FUNC does with what input @i names. */
#define FLOW_NAMED_COMPUTE(func, i, klass)                                                                   \
  static gboolean                                                                                            \
  func##_compute (FlowKernelContext *c, GError **error)                                                      \
  {                                                                                                          \
    return _flow_named_call (c, i, &(klass), func, error);                                                   \
  }

/* Takes @bytes, which may be NULL: a scalar string of them, or NULL. */
FlowTensor *_flow_named_text        (GBytes                   *bytes);
/* Takes @bytes: output @i, or FALSE where they are NULL. */
gboolean _flow_named_put_text       (FlowKernelContext        *c,
                                     guint                     i,
                                     GBytes                   *bytes);
/* Takes @bytes: what a resource shows, unless they are NULL. */
void     _flow_named_visit_text     (const char               *name,
                                     GBytes                   *bytes,
                                     FlowResourceVisitor       visitor,
                                     gpointer                  data);

G_END_DECLS
