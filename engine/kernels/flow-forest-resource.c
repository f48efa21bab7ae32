/* flow-forest-resource.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the ops of forests share: trees as resources, attrs, labels.
 */

#include "config.h"

#include "flow-forest-resource-private.h"

#include "flow-array-private.h"

/* --- trees ----------------------------------------------------------------------------------------------------------- */

void
_flow_forest_tree_finalize (FlowResource *resource)
{
  /* A resource that is only a name has none. */
  g_clear_pointer (&((FlowForestTree *) resource)->nodes, g_array_unref);
}

gpointer
_flow_forest_tree_save (FlowResource *resource)
{
  return g_array_ref (((FlowForestTree *) resource)->nodes);
}

void
_flow_forest_tree_restore (FlowResource  *resource,
                           gconstpointer  saved)
{
  FlowForestTree *self = (FlowForestTree *) resource;
  GArray *nodes = g_array_ref ((GArray *) (gpointer) saved);

  g_array_unref (self->nodes);
  self->nodes = nodes;
}

void
_flow_forest_tree_saved_free (gpointer saved)
{
  g_array_unref (saved);
}

static const FlowForestKind *
kind_of (const FlowResource *resource)
{
  return (const FlowForestKind *) (gconstpointer) resource->klass;
}

void
_flow_forest_tree_visit (FlowResource        *resource,
                         FlowResourceVisitor  visitor,
                         gpointer             data)
{
  _flow_named_visit_text ("tree", kind_of (resource)->write (((FlowForestTree *) resource)->nodes, NULL), visitor, data);
}

char *
_flow_forest_tree_describe (FlowResource *resource)
{
  return g_strdup_printf ("Tree[size=%u]", ((FlowForestTree *) resource)->nodes->len);
}

void
_flow_forest_tree_replace (FlowKernelContext *c,
                           FlowForestTree    *self,
                           GArray            *nodes)
{
  flow_kernel_will_write (c, self);
  g_array_unref (self->nodes);
  self->nodes = nodes;
  flow_kernel_wrote (c, self);
}

gboolean
_flow_forest_tree_create (FlowKernelContext     *c,
                          const FlowForestKind  *kind,
                          int                    leaf_type,
                          int                    n_outputs,
                          GError               **error)
{
  const FlowForestTree wanted = { .leaf_type = leaf_type, .n_outputs = n_outputs };
  GArray *nodes = kind->read (c, &wanted, error);
  FlowForestTree *made = nodes != NULL ? _flow_named_alloc (c, &kind->klass, sizeof (FlowForestTree), error) : NULL;

  if (made == NULL)
    {
      g_clear_pointer (&nodes, g_array_unref);
      return FALSE;
    }
  made->nodes = nodes;
  made->leaf_type = leaf_type;
  made->n_outputs = n_outputs;
  return _flow_named_publish (c, &made->parent, error);
}

gboolean
_flow_forest_tree_deserialize (FlowKernelContext  *c,
                               gpointer            resource,
                               GError            **error)
{
  GArray *nodes = kind_of (resource)->read (c, resource, error);

  if (nodes == NULL)
    return FALSE;
  _flow_forest_tree_replace (c, resource, nodes);
  return TRUE;
}

gboolean
_flow_forest_tree_serialize (FlowKernelContext  *c,
                             gpointer            resource,
                             GError            **error)
{
  return _flow_named_put_text (c, 0, kind_of (resource)->write (((FlowForestTree *) resource)->nodes, error));
}

gboolean
_flow_forest_tree_put_size (FlowKernelContext  *c,
                            gpointer            resource,
                            GError            **error)
{
  flow_kernel_take_output (c, 0, flow_tensor_new_int32 ((gint32) ((FlowForestTree *) resource)->nodes->len));
  return TRUE;
}

/* --- attrs ----------------------------------------------------------------------------------------------------------- */

void
_flow_forest_attrs_destruct (gpointer data)
{
  FlowForestAttrs *self = data;

  g_free (self->params);
  g_clear_pointer (&self->spec, _flow_forest_spec_free);
  g_free (self);
}

gpointer
_flow_forest_attrs_construct (FlowKernelConstruction  *c,
                              GError                 **error)
{
  FlowForestAttrs *self = g_new0 (FlowForestAttrs, 1);
  const gboolean wants_spec = flow_op_signature_find_attr (c->signature, "input_spec") != NULL;

  self->params = _flow_forest_params_read (c, error);
  if (self->params != NULL && wants_spec)
    self->spec = _flow_forest_spec_read (c, error);
  if (self->params != NULL && (self->spec != NULL || !wants_spec))
    return self;
  _flow_forest_attrs_destruct (self);
  return NULL;
}

/* --- labels ---------------------------------------------------------------------------------------------------------- */

gboolean
_flow_forest_target_init (FlowForestTarget        *self,
                          const FlowForestParams  *params,
                          const FlowTensor        *labels,
                          const FlowTensor        *weights,
                          gint64                   n_examples,
                          GError                 **error)
{
  const gint64 width = FLOW_RANK (labels) <= 1 ? 0 : FLOW_DIMS (labels)[1];

  *self = (FlowForestTarget) { labels, weights, params->is_regression ? MAX (1, width) : 1 };
  /* TF: trusts the sizes. */
  FLOW_REQUIRE (n_examples <= labels->n_elements / self->n_targets, error, INVALID_ARGUMENT,
                "%" G_GINT64_FORMAT " labels are not enough for %" G_GINT64_FORMAT " examples of %" G_GINT64_FORMAT " targets",
                labels->n_elements, n_examples, self->n_targets);
  FLOW_REQUIRE (!params->is_regression || params->n_outputs <= self->n_targets, error, INVALID_ARGUMENT,
                "examples have %" G_GINT64_FORMAT " targets and the tree %d outputs", self->n_targets, params->n_outputs);
  return TRUE;
}

gboolean
_flow_forest_target_class (const FlowForestTarget  *self,
                           gint64                   example,
                           int                      n,
                           gint32                  *label,
                           GError                 **error)
{
  const float number = _flow_forest_target_number (self, example, 0);

  FLOW_REQUIRE (number < (float) n, error, INVALID_ARGUMENT, "Got label greater than indicated number of classes. Is "
                "params.num_classes set correctly?");
  FLOW_REQUIRE (number > -1, error, INVALID_ARGUMENT, "Got label %g, which is no class", (double) number);
  *label = (gint32) number;
  return TRUE;
}
