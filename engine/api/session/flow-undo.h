/* flow-undo.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

#ifndef __GI_SCANNER__

/**
 * FlowUndo: (skip)
 *
 * The undo log of a session: old words, values, pointers and resource states in the order in which
 * they were overwritten. A mark is a place in it; rolling back to a mark restores exactly what was
 * there then, and costs what was written since.
 *
 * Memory that a logged address lies in must live as long as its entries do: what would free it hands
 * it to the log instead (flow_undo_pointer()).
 */
typedef struct _FlowUndo FlowUndo;

/* Puts things back that are no plain memory; @data belongs to the entry. */
typedef void (*FlowUndoFunc) (gpointer owner,
                              gpointer data);

FLOW_API FlowUndo *flow_undo_new            (void);
FLOW_API void      flow_undo_free           (FlowUndo         *self);
FLOW_API guint64   flow_undo_mark           (FlowUndo         *self);
FLOW_API guint64   flow_undo_get_first      (FlowUndo         *self);
FLOW_API gsize     flow_undo_get_bytes      (FlowUndo         *self);
FLOW_API void      flow_undo_rollback       (FlowUndo         *self,
                                             guint64           mark);
FLOW_API void      flow_undo_discard_before (FlowUndo         *self,
                                             guint64           mark);
FLOW_API void      flow_undo_word           (FlowUndo         *self,
                                             guint64          *where);
FLOW_API void      flow_undo_word32         (FlowUndo         *self,
                                             guint32          *where);
/* The old value moves into the log; *@where is then to be set, not unreferenced. */
FLOW_API void      flow_undo_value          (FlowUndo         *self,
                                             FlowValue        *where);
/* Likewise for a pointer; @free_func frees what stands in the log or was put there after it. */
FLOW_API void      flow_undo_pointer        (FlowUndo         *self,
                                             gpointer         *where,
                                             GDestroyNotify    free_func,
                                             gsize             bytes);
FLOW_API void      flow_undo_resource       (FlowUndo         *self,
                                             FlowResource     *resource);
FLOW_API void      flow_undo_call           (FlowUndo         *self,
                                             FlowUndoFunc      func,
                                             gpointer          owner,
                                             gpointer          data,
                                             GDestroyNotify    free_func);
/* Whether any resource state was saved between two marks, and each of them. */
FLOW_API void      flow_undo_foreach_resource (FlowUndo       *self,
                                             guint64           from,
                                             guint64           to,
                                             void            (*func) (FlowResource *resource,
                                                                      gconstpointer saved,
                                                                      gpointer      data),
                                             gpointer          data);

static inline void
flow_value_clear (FlowValue *value)
{
  g_clear_pointer (&value->tensor, flow_tensor_unref);
  if (value->ref != NULL)
    {
      flow_resource_unref (value->ref);
      value->ref = NULL;
    }
}

static inline FlowValue
flow_value_copy (const FlowValue *value)
{
  FlowValue copy = { NULL, NULL, value->buffer };

  if (value->tensor != NULL)
    copy.tensor = flow_tensor_ref (value->tensor);
  if (value->ref != NULL)
    copy.ref = flow_resource_ref (value->ref);
  return copy;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowUndo, flow_undo_free)

#endif

G_END_DECLS
