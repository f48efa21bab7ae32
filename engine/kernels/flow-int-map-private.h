/* flow-int-map-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Numbers by whole numbers, gone through in the order of the hash tables of the C++ that TensorFlow is built
 * with, which is seen wherever it makes a list of one. */
typedef struct _FlowIntMap FlowIntMap;

FlowIntMap *_flow_int_map_new    (void);
FlowIntMap *_flow_int_map_copy   (const FlowIntMap *self);
void        _flow_int_map_free   (FlowIntMap       *self);
guint       _flow_int_map_size   (const FlowIntMap *self);
gboolean    _flow_int_map_has    (const FlowIntMap *self,
                                  gint32            key);
/* 0 where there is none. */
float       _flow_int_map_get    (const FlowIntMap *self,
                                  gint32            key);
void        _flow_int_map_set    (FlowIntMap       *self,
                                  gint32            key,
                                  float             value);
void        _flow_int_map_remove (FlowIntMap       *self,
                                  gint32            key);
/* The entry behind @at, which is -1 before the first; FALSE behind the last. */
gboolean    _flow_int_map_next   (const FlowIntMap *self,
                                  gint32           *at,
                                  gint32           *key,
                                  float            *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowIntMap, _flow_int_map_free)

G_END_DECLS
