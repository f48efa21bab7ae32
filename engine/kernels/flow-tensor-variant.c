/* flow-tensor-variant.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-tensor-variant-private.h"

struct _FlowTensorVariant
{
  FlowVariant parent_instance;

  FlowTensor *tensor;
};

G_DEFINE_FINAL_TYPE (FlowTensorVariant, _flow_tensor_variant, FLOW_TYPE_VARIANT)

static void
visit (FlowVariant        *variant,
       FlowVariantVisitor  visitor,
       gpointer            data)
{
  visitor ("tensor", FLOW_TENSOR_VARIANT (variant)->tensor, data);
}

static char *
describe (FlowVariant *variant)
{
  const FlowTensor *tensor = FLOW_TENSOR_VARIANT (variant)->tensor;
  g_autofree char *shape = flow_shape_to_string (tensor->shape);

  return g_strdup_printf ("Tensor<type: %s shape: %s>", flow_dtype_string (tensor->dtype), shape);
}

static void
_flow_tensor_variant_finalize (GObject *object)
{
  FlowTensorVariant *self = FLOW_TENSOR_VARIANT (object);

  g_clear_pointer (&self->tensor, flow_tensor_unref);
  G_OBJECT_CLASS (_flow_tensor_variant_parent_class)->finalize (object);
}

static void
_flow_tensor_variant_class_init (FlowTensorVariantClass *klass)
{
  FlowVariantClass *variant_class = FLOW_VARIANT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = _flow_tensor_variant_finalize;
  variant_class->type_name = "tensorflow::Tensor";
  variant_class->visit = visit;
  variant_class->describe = describe;
}

static void
_flow_tensor_variant_init (FlowTensorVariant *self)
{
}

FlowVariant *
_flow_tensor_variant_new (const FlowTensor  *tensor,
                          GError           **error)
{
  g_autoptr (FlowTensorVariant) self = g_object_new (FLOW_TYPE_TENSOR_VARIANT, NULL);

  self->tensor = flow_tensor_ref (tensor);
  if (!flow_variant_nest (FLOW_VARIANT (self), tensor, error))
    return NULL;
  return FLOW_VARIANT (g_steal_pointer (&self));
}

FlowTensor *
_flow_tensor_variant_at (const FlowTensor *tensor,
                         gint64            i)
{
  FlowVariant *variant = flow_tensor_get_variant (tensor, i);

  return variant != NULL && FLOW_IS_TENSOR_VARIANT (variant) ? FLOW_TENSOR_VARIANT (variant)->tensor : NULL;
}
