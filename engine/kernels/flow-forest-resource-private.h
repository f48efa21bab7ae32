/* flow-forest-resource-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-boosted-private.h"
#include "flow-forest-private.h"
#include "flow-named-private.h"

G_BEGIN_DECLS

/* A tree that ops share. */
typedef struct {
  FlowResource parent;
  GArray *nodes;               /* never changes: what writes takes another's place */
  int leaf_type;               /* of trees that grow, and how many numbers a leaf has */
  int n_outputs;
} FlowForestTree;

/* What trees are made of: nodes of tf.contrib's forests, or of boosted trees. */
typedef struct {
  FlowResourceClass klass;
  /* The tree that input 1 says, for @tree, which may not have nodes yet. */
  GArray *(*read)  (FlowKernelContext *c, const FlowForestTree *tree, GError **error);
  GBytes *(*write) (const GArray *nodes, GError **error);
} FlowForestKind;

#define FLOW_FOREST_TREE_CLASS(name, bytes)                                                                  \
  { .type_name = name, .finalize = _flow_forest_tree_finalize, .save = _flow_forest_tree_save,               \
    .restore = _flow_forest_tree_restore, .saved_free = _flow_forest_tree_saved_free, .saved_bytes = bytes,  \
    .visit = _flow_forest_tree_visit, .describe = _flow_forest_tree_describe }

/* The trees of tf.contrib's forests. */
extern const FlowForestKind _flow_forest_tree;

/* What the class of such a resource is made of, whatever its nodes are. */
void     _flow_forest_tree_finalize (FlowResource       *resource);
gpointer _flow_forest_tree_save     (FlowResource       *resource);
void     _flow_forest_tree_restore  (FlowResource       *resource,
                                     gconstpointer       saved);
void     _flow_forest_tree_saved_free (gpointer          saved);
void     _flow_forest_tree_visit    (FlowResource       *resource,
                                     FlowResourceVisitor visitor,
                                     gpointer            data);
char    *_flow_forest_tree_describe (FlowResource       *resource);
/* Takes @nodes. */
void     _flow_forest_tree_replace  (FlowKernelContext  *c,
                                     FlowForestTree     *self,
                                     GArray             *nodes);

/* What their ops do with a tree: put that of input 1 under the name of input 0, in the place of @resource, or write it. */
gboolean _flow_forest_tree_create      (FlowKernelContext     *c,
                                        const FlowForestKind  *kind,
                                        int                    leaf_type,
                                        int                    n_outputs,
                                        GError               **error);
gboolean _flow_forest_tree_deserialize (FlowKernelContext     *c,
                                        gpointer               resource,
                                        GError               **error);
gboolean _flow_forest_tree_serialize   (FlowKernelContext     *c,
                                        gpointer               resource,
                                        GError               **error);
gboolean _flow_forest_tree_put_size    (FlowKernelContext     *c,
                                        gpointer               resource,
                                        GError               **error);

/* The kernels of ops that are alike for all kinds. */
#define FLOW_FOREST_TREE_KERNELS(kind)                                                                       \
  FLOW_NAMED_KERNELS ((kind).klass, FlowForestTree)                                                          \
  FLOW_NAMED_COMPUTE (_flow_forest_tree_deserialize, 0, (kind).klass)                                        \
  FLOW_NAMED_COMPUTE (_flow_forest_tree_serialize, 0, (kind).klass)                                          \
  FLOW_NAMED_COMPUTE (_flow_forest_tree_put_size, 0, (kind).klass)

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
