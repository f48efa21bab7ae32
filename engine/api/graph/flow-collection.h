/* flow-collection.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-attr.h"

G_BEGIN_DECLS

/**
 * FlowCollectionKind:
 *
 * What an item of a collection was on disk and what it was decoded to.
 */
typedef enum {
  FLOW_COLLECTION_NODE,        /* a node or tensor name (node_list) */
  FLOW_COLLECTION_VARIABLE,    /* VariableDef */
  FLOW_COLLECTION_SAVER,       /* SaverDef */
  FLOW_COLLECTION_QUEUE_RUNNER,
  FLOW_COLLECTION_COND_CONTEXT,
  FLOW_COLLECTION_WHILE_CONTEXT,
  FLOW_COLLECTION_INT,
  FLOW_COLLECTION_FLOAT,
  FLOW_COLLECTION_ANY,         /* google.protobuf.Any */
  FLOW_COLLECTION_BYTES,       /* bytes that nothing of the above explains */
} FlowCollectionKind;

/**
 * FlowCollectionItem:
 *
 * An item of a graph collection. @fields holds what the message says, in the order of its field
 * numbers: `("variable_name", <'w:0'>)`; nested messages are `a{sv}` or `aa{sv}`. @encoded keeps
 * the bytes as they stood.
 */
typedef struct {
  FlowCollectionKind kind;
  char *name;                  /* the node or tensor it points to, nullable */
  GVariant *fields;            /* a{sv} for messages, x, d or s for values; nullable */
  GBytes *encoded;             /* nullable */
  char *problem;               /* why it could not be decoded, or what it names that is missing; nullable */
} FlowCollectionItem;

#define FLOW_TYPE_COLLECTION_ITEM (flow_collection_item_get_type ())

FLOW_API GType               flow_collection_item_get_type  (void);
FLOW_API FlowCollectionItem *flow_collection_item_new       (FlowCollectionKind        kind,
                                                             const char               *name,
                                                             GVariant                 *fields,
                                                             GBytes                   *encoded);
FLOW_API FlowCollectionItem *flow_collection_item_copy      (const FlowCollectionItem *self);
FLOW_API void                flow_collection_item_free      (FlowCollectionItem       *self);
FLOW_API const char         *flow_collection_item_get_text  (const FlowCollectionItem *self,
                                                             const char               *field);
FLOW_API gint64              flow_collection_item_get_int   (const FlowCollectionItem *self,
                                                             const char               *field,
                                                             gint64                    fallback);
FLOW_API char               *flow_collection_item_dup_slice (const FlowCollectionItem *self,
                                                             char                    **full_name);
FLOW_API char               *flow_collection_item_to_string (const FlowCollectionItem *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowCollectionItem, flow_collection_item_free)

G_END_DECLS
