/* flow-handle.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-shape.h"

G_BEGIN_DECLS

/**
 * FlowHandle:
 *
 * An element of a tensor of dtype resource: the name of something a session owns. It is looked up by
 * container, name and type; no pointer is ever read from data.
 */
typedef struct _FlowHandle FlowHandle;

struct _FlowHandle
{
  /*< private >*/
  gatomicrefcount ref_count;
  char *container;
  char *name;
  char *type_name;        /* such as "Var", "QueueInterface"; see flow-resource.h */
  int dtype;              /* of what the resource holds, FLOW_DTYPE_INVALID if that has no sense */
  FlowShape *shape;       /* of what the resource holds (nullable) */
};

#define FLOW_TYPE_HANDLE (flow_handle_get_type ())

FLOW_API GType       flow_handle_get_type (void);
FLOW_API FlowHandle *flow_handle_new      (const char      *container,
                                           const char      *name,
                                           const char      *type_name,
                                           int              dtype,
                                           const FlowShape *shape);
FLOW_API FlowHandle *flow_handle_ref      (const FlowHandle *self);
FLOW_API void        flow_handle_unref    (const FlowHandle *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowHandle, flow_handle_unref)

G_END_DECLS
