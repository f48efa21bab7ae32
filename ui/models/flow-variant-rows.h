/* flow-variant-rows.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _FlowVariantRows FlowVariantRows;

FlowVariantRows *flow_variant_rows_new        (GVariant        *rows,
                                               const char      *key);
FlowVariantRows *flow_variant_rows_ref        (FlowVariantRows *self);
void             flow_variant_rows_unref      (FlowVariantRows *self);
guint            flow_variant_rows_get_n      (FlowVariantRows *self);
GVariant        *flow_variant_rows_get        (FlowVariantRows *self,
                                               guint            i);

void             flow_variant_store_show      (GListStore      *store,
                                               FlowVariantRows *rows);
void             flow_variant_store_update    (GListStore      *store,
                                               GVariant        *rows,
                                               const char      *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowVariantRows, flow_variant_rows_unref)

G_END_DECLS
