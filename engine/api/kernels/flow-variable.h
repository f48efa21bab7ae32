/* flow-variable.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-resource.h"

G_BEGIN_DECLS

#ifndef __GI_SCANNER__

/**
 * FlowVariable: (skip)
 *
 * A variable, of reference or resource kind: a tensor that is replaced, never changed under a
 * reader. Writing in place is possible only while nobody else holds the tensor, so keeping an old
 * value (undo, a snapshot) costs one reference.
 */
typedef struct {
  FlowResource parent;
  FlowDType dtype;
  FlowShape *shape;            /* as declared; may be partly unknown */
  FlowTensor *value;           /* NULL: not initialised */
  guint64 buffer;              /* another one when the value was replaced, the same when it was written in place */
} FlowVariable;

extern FLOW_API const FlowResourceClass flow_variable_class;

FLOW_API FlowVariable *flow_variable_new        (const char       *container,
                                                 const char       *name,
                                                 FlowDType         dtype,
                                                 const FlowShape  *shape);
/* Takes @value; the caller has told the host that it will write. */
FLOW_API void          flow_variable_take_value (FlowVariable     *self,
                                                 FlowTensor       *value);
/* The value, exclusive to the variable: the tensor itself if nobody else holds it, else a copy of it
 * (or, with @fresh_contents, an uninitialised tensor of the same shape) put in its place. */
FLOW_API FlowTensor   *flow_variable_own_value  (FlowVariable     *self,
                                                 gboolean          fresh_contents,
                                                 FlowBudget       *budget,
                                                 GError          **error);

#endif

G_END_DECLS
