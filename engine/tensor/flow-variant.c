/* flow-variant.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-variant.h"

#include <string.h>

#include "flow-tensor-hash.h"

/**
 * FlowVariant:
 *
 * An element of a tensor of dtype variant: a list of tensors, a ragged tensor, a data set.
 *
 * A variant is a value, as a tensor is: nobody changes one that somebody else may see. What has state
 * (an iterator, a queue) is a resource, and a variant names it by its handle.
 *
 * A subclass fills in #FlowVariantClass; before it holds a tensor or another variant it asks
 * flow_variant_nest().
 */

typedef struct {
  guint depth;                 /* of variants held, this one counted */
  guint64 hash;                /* 0: not known yet */
} FlowVariantPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (FlowVariant, flow_variant, G_TYPE_OBJECT)

static FlowVariantPrivate *
private_of (FlowVariant *self)
{
  return flow_variant_get_instance_private (self);
}

static void
flow_variant_class_init (FlowVariantClass *klass)
{
  klass->type_name = "variant";
}

static void
flow_variant_init (FlowVariant *self)
{
  private_of (self)->depth = 1;
}

/**
 * flow_variant_get_type_name:
 * @self: a variant
 *
 * Returns: TensorFlow's name of its type
 */
const char *
flow_variant_get_type_name (FlowVariant *self)
{
  g_return_val_if_fail (FLOW_IS_VARIANT (self), NULL);

  return FLOW_VARIANT_GET_CLASS (self)->type_name;
}

/**
 * flow_variant_describe:
 * @self: a variant
 *
 * Returns: (transfer full): one line for people
 */
char *
flow_variant_describe (FlowVariant *self)
{
  g_return_val_if_fail (FLOW_IS_VARIANT (self), NULL);

  if (FLOW_VARIANT_GET_CLASS (self)->describe == NULL)
    return g_strdup ("");
  return FLOW_VARIANT_GET_CLASS (self)->describe (self);
}

static void
hash_cb (const char       *label,
         const FlowTensor *tensor,
         gpointer          data)
{
  guint64 *h = data;

  *h = flow_hash_bytes (*h, label, strlen (label));
  *h = tensor != NULL ? flow_tensor_hash (tensor, *h) : flow_hash_mix (*h, 1);
}

/**
 * flow_variant_hash:
 * @self: a variant
 *
 * A fingerprint of all that it holds, computed once: the same variant may stand in many places.
 *
 * Returns: the fingerprint, never 0
 */
guint64
flow_variant_hash (FlowVariant *self)
{
  FlowVariantPrivate *private;
  g_autofree char *text = NULL;
  guint64 h;

  g_return_val_if_fail (FLOW_IS_VARIANT (self), 0);

  private = private_of (self);
  if (private->hash != 0)
    return private->hash;
  text = flow_variant_describe (self);
  h = flow_hash_bytes (0x5bd1e995, G_OBJECT_TYPE_NAME (self), strlen (G_OBJECT_TYPE_NAME (self)));
  h = flow_hash_bytes (h, text, strlen (text));
  if (FLOW_VARIANT_GET_CLASS (self)->visit != NULL)
    FLOW_VARIANT_GET_CLASS (self)->visit (self, hash_cb, &h);
  private->hash = h != 0 ? h : 1;
  return private->hash;
}

/**
 * flow_variant_identical:
 * @a: a variant
 * @b: another
 *
 * Returns: whether both are of one type and hold the same, by their fingerprints
 */
gboolean
flow_variant_identical (FlowVariant *a,
                        FlowVariant *b)
{
  g_return_val_if_fail (FLOW_IS_VARIANT (a) && FLOW_IS_VARIANT (b), FALSE);

  return a == b || flow_variant_hash (a) == flow_variant_hash (b);
}

/**
 * flow_variant_nest_variant:
 * @self: a variant that its maker fills
 * @inner: what it is about to hold
 * @error: where to put an error
 *
 * Returns: %TRUE; %FALSE with %FLOW_ERROR_RESOURCE_EXHAUSTED when variants would stand deeper in one another than
 *   FLOW_VARIANT_MAX_DEPTH
 */
gboolean
flow_variant_nest_variant (FlowVariant  *self,
                           FlowVariant  *inner,
                           GError      **error)
{
  guint depth;

  g_return_val_if_fail (FLOW_IS_VARIANT (self) && FLOW_IS_VARIANT (inner), FALSE);

  depth = private_of (inner)->depth + 1;
  FLOW_REQUIRE (depth <= FLOW_VARIANT_MAX_DEPTH, error, RESOURCE_EXHAUSTED,
                "Variants stand in one another deeper than %d", FLOW_VARIANT_MAX_DEPTH);
  private_of (self)->depth = MAX (private_of (self)->depth, depth);
  return TRUE;
}

/**
 * flow_variant_nest:
 * @self: a variant that its maker fills
 * @tensor: what it is about to hold, of any dtype
 * @error: where to put an error
 *
 * Returns: as flow_variant_nest_variant() for every variant in @tensor
 */
gboolean
flow_variant_nest (FlowVariant       *self,
                   const FlowTensor  *tensor,
                   GError           **error)
{
  g_return_val_if_fail (FLOW_IS_VARIANT (self) && tensor != NULL, FALSE);

  if (tensor->dtype != FLOW_DTYPE_VARIANT)
    return TRUE;
  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      FlowVariant *inner = flow_tensor_get_variant (tensor, i);

      if (inner != NULL && !flow_variant_nest_variant (self, inner, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * flow_variant_changed:
 * @self: a variant
 *
 * Its only owner wrote in it: what was remembered of its contents is forgotten.
 */
void
flow_variant_changed (FlowVariant *self)
{
  g_return_if_fail (FLOW_IS_VARIANT (self));

  private_of (self)->hash = 0;
}

/**
 * flow_variant_zeros_like:
 * @self: a variant
 * @budget: (nullable): what pays for new tensors
 * @error: where to put an error
 *
 * Returns: (transfer full): the same with zeros in it; %NULL with %FLOW_ERROR_INTERNAL in TensorFlow's words
 *   where its type has no such thing
 */
FlowVariant *
flow_variant_zeros_like (FlowVariant  *self,
                         FlowBudget   *budget,
                         GError      **error)
{
  g_return_val_if_fail (FLOW_IS_VARIANT (self), NULL);

  if (FLOW_VARIANT_GET_CLASS (self)->zeros_like != NULL)
    return FLOW_VARIANT_GET_CLASS (self)->zeros_like (self, budget, error);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL,
               "No unary variant unary_op function found for unary variant op enum: 1 Variant type_name: %s "
               "for device type: CPU", flow_variant_get_type_name (self));
  return NULL;
}

/**
 * flow_variant_add:
 * @a: a variant
 * @b: another
 * @budget: (nullable): what pays for new tensors
 * @error: where to put an error
 *
 * Returns: (transfer full): their sum; %NULL with %FLOW_ERROR_INTERNAL in TensorFlow's words where they are of two
 *   types or their type has no sum
 */
FlowVariant *
flow_variant_add (FlowVariant  *a,
                  FlowVariant  *b,
                  FlowBudget   *budget,
                  GError      **error)
{
  g_return_val_if_fail (FLOW_IS_VARIANT (a) && FLOW_IS_VARIANT (b), NULL);

  if (G_OBJECT_TYPE (a) != G_OBJECT_TYPE (b))
    {
      /* TF: misspelt there too. */
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL,
                   "BianryOpVariants: Variants a and b have different type ids.  Type names: '%s' vs. '%s'",
                   flow_variant_get_type_name (a), flow_variant_get_type_name (b));
      return NULL;
    }
  if (FLOW_VARIANT_GET_CLASS (a)->add != NULL)
    return FLOW_VARIANT_GET_CLASS (a)->add (a, b, budget, error);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL,
               "No unary variant binary_op function found for binary variant op enum: 1 Variant type_name: '%s' "
               "for device type: CPU", flow_variant_get_type_name (a));
  return NULL;
}

/**
 * flow_tensor_new_variant:
 * @variant: what it holds
 *
 * Returns: (transfer full): a variant scalar
 */
FlowTensor *
flow_tensor_new_variant (FlowVariant *variant)
{
  g_autoptr (FlowShape) shape = flow_shape_new_scalar ();
  FlowTensor *self;

  g_return_val_if_fail (FLOW_IS_VARIANT (variant), NULL);

  self = flow_tensor_new (FLOW_DTYPE_VARIANT, shape, NULL, NULL);
  g_return_val_if_fail (self != NULL, NULL);
  ((FlowVariant **) self->data)[0] = g_object_ref (variant);
  return self;
}

/**
 * flow_tensor_get_variant:
 * @self: a tensor of dtype variant
 * @i: which element, in row-major order
 *
 * Returns: (transfer none) (nullable): what stands there; %NULL for nothing
 */
FlowVariant *
flow_tensor_get_variant (const FlowTensor *self,
                         gint64            i)
{
  g_return_val_if_fail (self != NULL && self->dtype == FLOW_DTYPE_VARIANT, NULL);
  g_return_val_if_fail (i >= 0 && i < self->n_elements, NULL);

  return ((FlowVariant *const *) self->data)[i];
}
