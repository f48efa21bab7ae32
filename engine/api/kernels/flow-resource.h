/* flow-resource.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

G_BEGIN_DECLS

#ifndef __GI_SCANNER__

typedef struct _FlowResource FlowResource;
typedef struct _FlowResourceClass FlowResourceClass;

/* Shown each tensor a resource holds, under a label of its own ("value", "3/0", "counter"). */
typedef void (*FlowResourceVisitor) (const char       *label,
                                     const FlowTensor *tensor,
                                     gpointer          data);

/**
 * FlowResourceClass: (skip)
 * @type_name: TensorFlow's name of the type, as in "Resource localhost/w/N10tensorflow3VarE"
 * @save: the whole state as references and small copies: taken before an op writes, so it must be cheap
 * @restore: puts back what @save gave; may be called with the same @saved many times
 * @saved_bytes: what keeping @saved costs that the resource itself no longer holds
 * @visit: every tensor of the state, in a fixed order: for display and for bit-exact comparison
 * @describe: one line for people: "3 of 10 elements"
 *
 * Whatever ops keep between executions is a resource: variables, queues, tensor arrays, stacks,
 * tables, random generators, iterators. One mechanism then serves undo (save before a write),
 * display and verification.
 */
struct _FlowResourceClass
{
  const char *type_name;
  void     (*finalize)    (FlowResource       *self);
  gpointer (*save)        (FlowResource       *self);
  void     (*restore)     (FlowResource       *self,
                           gconstpointer       saved);
  void     (*saved_free)  (gpointer            saved);
  gsize    (*saved_bytes) (gconstpointer       saved);
  void     (*visit)       (FlowResource       *self,
                           FlowResourceVisitor visitor,
                           gpointer            data);
  char    *(*describe)    (FlowResource       *self);
};

struct _FlowResource
{
  const FlowResourceClass *klass;
  gatomicrefcount ref_count;
  char *container;
  char *name;
  guint64 version;             /* rises at each write: wakes what waits for it, tells views to look again */
};

FLOW_API gpointer flow_resource_alloc    (const FlowResourceClass *klass,
                                          gsize                    instance_size,
                                          const char              *container,
                                          const char              *name);
FLOW_API gpointer flow_resource_ref      (gpointer                 resource);
FLOW_API void     flow_resource_unref    (gpointer                 resource);

#endif

G_END_DECLS
