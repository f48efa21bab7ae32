/* flow-forest-leaves-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-forest-slot-private.h"
#include "flow-string-private.h"

G_BEGIN_DECLS

/* What is known of each leaf that may grow, by its node. */
typedef struct {
  FlowIntMap *order;
  GHashTable *slots;           /* node: FlowForestSlot */
} FlowForestLeaves;

FlowForestLeaves *_flow_forest_leaves_new    (void);
FlowForestLeaves *_flow_forest_leaves_copy   (const FlowForestLeaves  *self);
void              _flow_forest_leaves_free   (gpointer                 leaves);
/* Takes @slot. */
void              _flow_forest_leaves_put    (FlowForestLeaves        *self,
                                              gint32                   node,
                                              FlowForestSlot          *slot);
void              _flow_forest_leaves_remove (FlowForestLeaves        *self,
                                              gint32                   node);
FlowForestSlot   *_flow_forest_leaves_find   (const FlowForestLeaves  *self,
                                              gint32                   node,
                                              GError                 **error);
GBytes           *_flow_forest_leaves_write  (const FlowForestLeaves  *self,
                                              GError                 **error);
/* Adds those that @text says. */
gboolean          _flow_forest_leaves_parse  (FlowForestLeaves        *self,
                                              const FlowForestParams  *params,
                                              Text                     text,
                                              GError                 **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowForestLeaves, _flow_forest_leaves_free)

/* The leaves of a tree that ops share. */
typedef struct {
  FlowResource parent;
  FlowForestParams *params;
  FlowForestLeaves *leaves;    /* never changes: what writes takes another's place */
} FlowForestStats;

extern const FlowResourceClass _flow_forest_stats_class;

/* Takes @leaves. */
void     _flow_forest_stats_replace (FlowKernelContext *c,
                                     FlowForestStats   *self,
                                     FlowForestLeaves  *leaves);

G_END_DECLS
