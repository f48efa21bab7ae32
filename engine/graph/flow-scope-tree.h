/* flow-scope-tree.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Name scopes and the names of nodes: who is called what, and what lies in what. A path is never
 * stored whole before somebody asks for it, because a graph may nest its scopes ten thousand deep. */
typedef struct _FlowScopeTree FlowScopeTree;

FlowScopeTree *_flow_scope_tree_new           (void);
void           _flow_scope_tree_free          (FlowScopeTree *self);
/* @name must live as long as the tree. The node's scope and where its leaf begins. */
void           _flow_scope_tree_add_node      (FlowScopeTree *self,
                                               guint32        node,
                                               const char    *name,
                                               gsize          length,
                                               guint32       *scope,
                                               guint32       *leaf);
/* Takes back what came last: nodes from @n_nodes on, scopes from @n_scopes on. */
void           _flow_scope_tree_truncate      (FlowScopeTree *self,
                                               guint          n_nodes,
                                               guint          n_scopes);
/* @near: a node that may stand in the same scope, or FLOW_NODE_NONE; it only makes this quicker. */
guint32        _flow_scope_tree_find_node     (FlowScopeTree *self,
                                               guint32        near,
                                               const char    *name,
                                               gsize          length);
guint32        _flow_scope_tree_find_scope    (FlowScopeTree *self,
                                               const char    *path,
                                               gsize          length);
guint          _flow_scope_tree_get_n_scopes  (FlowScopeTree *self);
const char    *_flow_scope_tree_get_path      (FlowScopeTree *self,
                                               guint32        scope);
const char    *_flow_scope_tree_get_leaf      (FlowScopeTree *self,
                                               guint32        scope);
guint32        _flow_scope_tree_get_parent    (FlowScopeTree *self,
                                               guint32        scope);
guint          _flow_scope_tree_get_depth     (FlowScopeTree *self,
                                               guint32        scope);
guint          _flow_scope_tree_get_total     (FlowScopeTree *self,
                                               guint32        scope);
guint32        _flow_scope_tree_get_own_node  (FlowScopeTree *self,
                                               guint32        scope);
const GArray  *_flow_scope_tree_get_children  (FlowScopeTree *self,
                                               guint32        scope);
const GArray  *_flow_scope_tree_get_nodes     (FlowScopeTree *self,
                                               guint32        scope);

G_END_DECLS
