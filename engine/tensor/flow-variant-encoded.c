/* flow-variant-encoded.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Variants as the bytes that checkpoints keep. What reads a checkpoint does not know what the bytes are of: whoever takes
 * the variant does.
 */

#include "config.h"

#include "flow-variant.h"

#define FLOW_TYPE_ENCODED_VARIANT (flow_encoded_variant_get_type ())
G_DECLARE_FINAL_TYPE (FlowEncodedVariant, flow_encoded_variant, FLOW, ENCODED_VARIANT, FlowVariant)

struct _FlowEncodedVariant
{
  FlowVariant parent_instance;

  GBytes *bytes;
};

G_DEFINE_FINAL_TYPE (FlowEncodedVariant, flow_encoded_variant, FLOW_TYPE_VARIANT)

static FlowTensor *
make_text (GBytes *bytes)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  return flow_tensor_new_string (size > 0 ? data : "", (gssize) size);
}

static void
encoded_visit (FlowVariant        *variant,
               FlowVariantVisitor  visitor,
               gpointer            data)
{
  g_autoptr (FlowTensor) text = make_text (FLOW_ENCODED_VARIANT (variant)->bytes);

  visitor ("bytes", text, data);
}

static char *
encoded_describe (FlowVariant *variant)
{
  return g_strdup_printf ("%" G_GSIZE_FORMAT " bytes of a checkpoint",
                          g_bytes_get_size (FLOW_ENCODED_VARIANT (variant)->bytes));
}

static GBytes *
encoded_encode (FlowVariant  *variant,
                GError      **error)
{
  return g_bytes_ref (FLOW_ENCODED_VARIANT (variant)->bytes);
}

static void
flow_encoded_variant_finalize (GObject *object)
{
  g_clear_pointer (&FLOW_ENCODED_VARIANT (object)->bytes, g_bytes_unref);
  G_OBJECT_CLASS (flow_encoded_variant_parent_class)->finalize (object);
}

static void
flow_encoded_variant_class_init (FlowEncodedVariantClass *klass)
{
  FlowVariantClass *variant_class = FLOW_VARIANT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = flow_encoded_variant_finalize;
  variant_class->type_name = "encoded";
  variant_class->visit = encoded_visit;
  variant_class->describe = encoded_describe;
  variant_class->encode = encoded_encode;
}

static void
flow_encoded_variant_init (FlowEncodedVariant *self)
{
}

/**
 * flow_variant_encode:
 * @self: a variant
 * @error: where to put an error
 *
 * Returns: (transfer full): @self as bytes of a checkpoint; %NULL with %FLOW_ERROR_UNIMPLEMENTED where its type is not saved
 */
GBytes *
flow_variant_encode (FlowVariant  *self,
                     GError      **error)
{
  g_return_val_if_fail (FLOW_IS_VARIANT (self), NULL);

  if (FLOW_VARIANT_GET_CLASS (self)->encode != NULL)
    return FLOW_VARIANT_GET_CLASS (self)->encode (self, error);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED, "A variant of type %s cannot be saved",
               flow_variant_get_type_name (self));
  return NULL;
}

/**
 * flow_variant_new_encoded:
 * @encoded: bytes of flow_variant_encode()
 *
 * Returns: (transfer full): a variant that holds them
 */
FlowVariant *
flow_variant_new_encoded (GBytes *encoded)
{
  FlowEncodedVariant *self;

  g_return_val_if_fail (encoded != NULL, NULL);

  self = g_object_new (FLOW_TYPE_ENCODED_VARIANT, NULL);
  self->bytes = g_bytes_ref (encoded);
  return FLOW_VARIANT (self);
}

/**
 * flow_variant_get_encoded:
 * @self: a variant
 *
 * Returns: (transfer none) (nullable): the bytes of flow_variant_new_encoded(); %NULL for any other variant
 */
GBytes *
flow_variant_get_encoded (FlowVariant *self)
{
  g_return_val_if_fail (FLOW_IS_VARIANT (self), NULL);

  return FLOW_IS_ENCODED_VARIANT (self) ? FLOW_ENCODED_VARIANT (self)->bytes : NULL;
}
