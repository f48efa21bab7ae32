/* flow-variant-item.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-variant-item.h"

#include "flow-format.h"

/**
 * FlowVariantItem:
 *
 * A row of what a debugger answers with: a dictionary. The row stays the same object while its
 * dictionary changes, so that a list keeps its scroll position and selection when it is refreshed.
 */
struct _FlowVariantItem
{
  GObject parent_instance;

  /* owned */
  GVariant *value;
};

enum {
  PROP_0,
  PROP_VALUE,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (FlowVariantItem, flow_variant_item, G_TYPE_OBJECT)

static void
flow_variant_item_finalize (GObject *object)
{
  FlowVariantItem *self = FLOW_VARIANT_ITEM (object);

  g_clear_pointer (&self->value, g_variant_unref);

  G_OBJECT_CLASS (flow_variant_item_parent_class)->finalize (object);
}

static void
flow_variant_item_get_property (GObject    *object,
                                guint       prop_id,
                                GValue     *value,
                                GParamSpec *pspec)
{
  FlowVariantItem *self = FLOW_VARIANT_ITEM (object);

  switch (prop_id)
    {
    case PROP_VALUE:
      g_value_set_variant (value, self->value);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
flow_variant_item_class_init (FlowVariantItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = flow_variant_item_finalize;
  object_class->get_property = flow_variant_item_get_property;

  properties[PROP_VALUE] =
    g_param_spec_variant ("value", NULL, NULL, G_VARIANT_TYPE_ANY, NULL,
                          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
flow_variant_item_init (FlowVariantItem *self)
{
}

FlowVariantItem *
flow_variant_item_new (GVariant *value)
{
  FlowVariantItem *self = g_object_new (FLOW_TYPE_VARIANT_ITEM, NULL);

  self->value = g_variant_ref_sink (value);
  return self;
}

GVariant *
flow_variant_item_get_value (FlowVariantItem *self)
{
  g_return_val_if_fail (FLOW_IS_VARIANT_ITEM (self), NULL);

  return self->value;
}

void
flow_variant_item_set_value (FlowVariantItem *self,
                             GVariant        *value)
{
  g_autoptr(GVariant) sunk = g_variant_ref_sink (value);

  g_return_if_fail (FLOW_IS_VARIANT_ITEM (self));

  g_clear_pointer (&self->value, g_variant_unref);
  self->value = g_steal_pointer (&sunk);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_VALUE]);
}

/* Returns: (nullable): the string entry @key. */
const char *
flow_variant_item_get_string (FlowVariantItem *self,
                              const char      *key)
{
  g_return_val_if_fail (FLOW_IS_VARIANT_ITEM (self), NULL);

  return flow_lookup_string (self->value, key);
}
