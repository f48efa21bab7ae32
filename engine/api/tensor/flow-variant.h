/* flow-variant.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

G_BEGIN_DECLS

/* How deep variants may stand in one another: a list in a list in a list. They are freed, hashed and
 * compared by recursion, and a loop in a graph can nest without end. */
#define FLOW_VARIANT_MAX_DEPTH 1000

#define FLOW_TYPE_VARIANT (flow_variant_get_type ())

FLOW_API
G_DECLARE_DERIVABLE_TYPE (FlowVariant, flow_variant, FLOW, VARIANT, GObject)

/* Shown each tensor that a variant holds, under a label of its own; NULL where a place is empty. */
typedef void (*FlowVariantVisitor) (const char       *label,
                                    const FlowTensor *tensor,
                                    gpointer          data);

/**
 * FlowVariantClass:
 * @parent_class: the parent
 * @type_name: TensorFlow's name of the type, such as "tensorflow::TensorList"
 * @visit: every tensor it holds, in a fixed order
 * @describe: one line for people that also says what does not lie in tensors: "3 of float32 [2]"
 * @zeros_like: what ZerosLike makes of it; %NULL where TensorFlow has nothing
 * @add: what AddN makes of two; %NULL where TensorFlow has nothing
 * @encode: it as bytes of a checkpoint; %NULL where it is not saved
 *
 * What a cell of a tensor of dtype variant holds.
 */
struct _FlowVariantClass
{
  GObjectClass parent_class;

  const char *type_name;

  void         (*visit)      (FlowVariant        *self,
                              FlowVariantVisitor  visitor,
                              gpointer            data);
  char        *(*describe)   (FlowVariant        *self);
  FlowVariant *(*zeros_like) (FlowVariant        *self,
                              FlowBudget         *budget,
                              GError            **error);
  FlowVariant *(*add)        (FlowVariant        *a,
                              FlowVariant        *b,
                              FlowBudget         *budget,
                              GError            **error);
  GBytes      *(*encode)     (FlowVariant        *self,
                              GError            **error);

  /*< private >*/
  gpointer padding[3];
};

FLOW_API const char  *flow_variant_get_type_name (FlowVariant         *self);
FLOW_API char        *flow_variant_describe      (FlowVariant         *self);
FLOW_API guint64      flow_variant_hash          (FlowVariant         *self);
FLOW_API gboolean     flow_variant_identical     (FlowVariant         *a,
                                                  FlowVariant         *b);
FLOW_API gboolean     flow_variant_nest          (FlowVariant         *self,
                                                  const FlowTensor    *tensor,
                                                  GError             **error);
FLOW_API gboolean     flow_variant_nest_variant  (FlowVariant         *self,
                                                  FlowVariant         *inner,
                                                  GError             **error);
FLOW_API void         flow_variant_changed       (FlowVariant         *self);
FLOW_API FlowVariant *flow_variant_zeros_like    (FlowVariant         *self,
                                                  FlowBudget          *budget,
                                                  GError             **error);
FLOW_API FlowVariant *flow_variant_add           (FlowVariant         *a,
                                                  FlowVariant         *b,
                                                  FlowBudget          *budget,
                                                  GError             **error);

FLOW_API GBytes      *flow_variant_encode        (FlowVariant         *self,
                                                  GError             **error);
FLOW_API FlowVariant *flow_variant_new_encoded   (GBytes              *encoded);
FLOW_API GBytes      *flow_variant_get_encoded   (FlowVariant         *self);

FLOW_API FlowTensor  *flow_tensor_new_variant    (FlowVariant         *variant);
FLOW_API FlowVariant *flow_tensor_get_variant    (const FlowTensor    *self,
                                                  gint64               i);

G_END_DECLS
