/* flow-variant-item.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define FLOW_TYPE_VARIANT_ITEM (flow_variant_item_get_type ())

G_DECLARE_FINAL_TYPE (FlowVariantItem, flow_variant_item, FLOW, VARIANT_ITEM, GObject)

FlowVariantItem *flow_variant_item_new        (GVariant        *value);
GVariant        *flow_variant_item_get_value  (FlowVariantItem *self);
void             flow_variant_item_set_value  (FlowVariantItem *self,
                                               GVariant        *value);
const char      *flow_variant_item_get_string (FlowVariantItem *self,
                                               const char      *key);

G_END_DECLS
