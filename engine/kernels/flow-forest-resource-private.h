/* flow-forest-resource-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-boosted-private.h"
#include "flow-forest-private.h"

G_BEGIN_DECLS

/* A tree that ops share. */
typedef struct {
  FlowResource parent;
  GArray *nodes;               /* never changes: what writes takes another's place */
  int leaf_type;               /* of trees that grow, and how many numbers a leaf has */
  int n_outputs;
} FlowForestTree;

extern const FlowResourceClass _flow_forest_tree_class;

/* What the class of such a resource is made of, whatever its nodes are. */
void     _flow_forest_tree_finalize (FlowResource       *resource);
gpointer _flow_forest_tree_save     (FlowResource       *resource);
void     _flow_forest_tree_restore  (FlowResource       *resource,
                                     gconstpointer       saved);
void     _flow_forest_tree_saved_free (gpointer          saved);
char    *_flow_forest_tree_describe (FlowResource       *resource);
/* Takes @nodes. */
void     _flow_forest_tree_replace  (FlowKernelContext  *c,
                                     FlowForestTree     *self,
                                     GArray             *nodes);

typedef gboolean (*FlowForestTreeFunc) (FlowKernelContext *c, FlowForestTree *self, GError **error);

/* Calls @func with the tree that input 0 names. */
gboolean _flow_forest_with_tree     (FlowKernelContext        *c,
                                     const FlowResourceClass  *klass,
                                     FlowForestTreeFunc        func,
                                     GError                  **error);

/* What a kernel of the forests reads of its attrs. */
typedef struct {
  FlowForestParams *params;
  FlowForestSpec *spec;        /* nullable */
} FlowForestAttrs;

gpointer _flow_forest_attrs_construct        (FlowKernelConstruction  *c,
                                              GError                 **error);
void     _flow_forest_attrs_destruct         (gpointer                 attrs);

/* What examples are to come to, and how much each counts. */
typedef struct {
  const FlowTensor *labels;
  const FlowTensor *weights;
  gint64 n_targets;
} FlowForestTarget;

gboolean _flow_forest_target_init   (FlowForestTarget        *self,
                                     const FlowForestParams  *params,
                                     const FlowTensor        *labels,
                                     const FlowTensor        *weights,
                                     gint64                   n_examples,
                                     GError                 **error);

static inline float
_flow_forest_target_number (const FlowForestTarget *self,
                            gint64                  example,
                            gint64                  i)
{
  return FLOW_DATA (float, self->labels)[example * self->n_targets + i];
}

static inline float
_flow_forest_target_weight (const FlowForestTarget *self,
                            gint64                  example)
{
  return example < self->weights->n_elements ? FLOW_DATA (float, self->weights)[example] : 1;
}

/* The class of @example, which is one of @n. */
gboolean _flow_forest_target_class  (const FlowForestTarget  *self,
                                     gint64                   example,
                                     int                      n,
                                     gint32                  *label,
                                     GError                 **error);

G_END_DECLS
