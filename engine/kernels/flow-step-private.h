/* flow-step-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What queues, stacks and tensor arrays share: names that a run gives out, and handles old and new.
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

G_END_DECLS
