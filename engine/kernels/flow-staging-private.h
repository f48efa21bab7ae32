/* flow-staging-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Staging areas: elements set down and taken up again, in order (Stage) or by a key (MapStage, OrderedMapStage).
 */

#pragma once

#include "flow-elements-private.h"
#include "flow-step-private.h"

G_BEGIN_DECLS

typedef struct {
  FlowResource parent;
  gint64 capacity;             /* 0: any */
  gint64 memory_limit;         /* 0: any */
  FlowElements elements;       /* in the order they came or of their keys */
} FlowArea;

/* TF: three types of resources. Areas of different kinds may have one name and are not the same. */
extern const FlowResourceClass _flow_area_class;
extern const FlowResourceClass _flow_area_map_class;
extern const FlowResourceClass _flow_area_ordered_class;

typedef gboolean (*FlowAreaFunc) (FlowKernelContext  *c,
                                  FlowArea           *self,
                                  GError            **error);

/* Calls @func with the area of @klass and of the node's name, made by whoever comes first. */
gboolean _flow_area_with      (FlowKernelContext        *c,
                               const FlowResourceClass  *klass,
                               FlowAreaFunc              func,
                               GError                  **error);
/* Parks the op until something happens to the area. */
gboolean _flow_area_wait      (FlowKernelContext        *c,
                               FlowArea                 *self,
                               const char               *what,
                               GError                  **error);
/* Whether @bytes more, and one more element if it @counts, may come in; refuses what never could. */
gboolean _flow_area_has_room  (FlowArea                 *self,
                               gint64                    bytes,
                               gboolean                  counts,
                               gboolean                 *room,
                               GError                  **error);
/* The bytes of what is there of an element. */
gint64   _flow_area_measure   (const FlowTuple          *tuple);

/* What ops of every kind do: how many elements are whole, and all taken away. */
gboolean _flow_area_put_size  (FlowKernelContext        *c,
                               FlowArea                 *self,
                               GError                  **error);
gboolean _flow_area_clear     (FlowKernelContext        *c,
                               FlowArea                 *self,
                               GError                  **error);

/* Attrs and kernels of the ops, with TF's order of attrs. */
#define FLOW_AREA_ATTRS(element)                                         \
  "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; " element         \
  "; container: string = ''; shared_name: string = ''"
#define FLOW_AREA_KERNELS(func)                                          \
  (const FlowKernelDef[]) {                                              \
    { NULL, func, _flow_place_construct_by_node, _flow_place_destruct }, \
    { NULL },                                                            \
  }

G_END_DECLS
