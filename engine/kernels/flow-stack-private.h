/* flow-stack-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/* A link is shared by the stack and every saved state above it: saving a stack costs one reference,
 * however deep it is. */
typedef struct _FlowStackLink FlowStackLink;

typedef struct {
  FlowResource parent;
  FlowDType dtype;
  gint64 max_size;             /* negative: none */
  FlowStackLink *top;          /* nullable */
  gint64 n;
  gboolean closed;
} FlowStack;

extern const FlowResourceClass _flow_stack_class;

FlowStack  *_flow_stack_new   (const char       *container,
                               const char       *name,
                               FlowDType         dtype,
                               gint64            max_size);
void        _flow_stack_push  (FlowStack        *self,
                               const FlowTensor *value);
/* The stack must not be empty. */
FlowTensor *_flow_stack_pop   (FlowStack        *self);
void        _flow_stack_close (FlowStack        *self);

G_END_DECLS
