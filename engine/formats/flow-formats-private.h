/* flow-formats-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-budget.h"
#include "flow-collection.h"
#include "flow-graph.h"
#include "flow-model.h"
#include "flow-proto-schema-private.h"
#include "flow-proto-writer.h"
#include "flow-tensor-proto.h"
#include "flow-util.h"

G_BEGIN_DECLS

/* Attrs of few bytes ("T: DT_FLOAT") recur by the thousand: equal ones are made once. */
#define FLOW_LOAD_CACHE_SIZE 1024
#define FLOW_LOAD_CACHE_BYTES 24

/* What reading one file carries along. The first error that is not about bytes stands in @error; the
 * readers are then made to fail, so that every loop ends. */
typedef struct {
  GBytes *file;
  const guint8 *base;
  const FlowProtoMessage *root;    /* what @file is, for naming damaged fields */
  char *label;                     /* file name for messages */
  const FlowLoadOptions *options;  /* nullable */
  FlowBudget *budget;
  gsize reserved;                  /* asked of the budget */
  gsize charged;                   /* used of that */
  GPtrArray *problems;             /* of FlowProblem */
  GError *error;
  gboolean is_strict;              /* an illegal node fails the whole */
  const char *node_name;           /* the node that is being read, nullable */
  const char *node_op;
  struct {
    FlowAttr *attr;
    guint size;
    guint8 bytes[FLOW_LOAD_CACHE_BYTES];
  } cache[FLOW_LOAD_CACHE_SIZE];
} FlowLoad;

FlowLoad        *_flow_load_new             (GBytes                  *file,
                                             FlowProtoMessageId       root,
                                             const char              *label,
                                             const FlowLoadOptions   *options,
                                             FlowBudget              *budget,
                                             GPtrArray               *problems);
void             _flow_load_free            (FlowLoad                *self);
void             _flow_load_init_reader     (FlowLoad                *self,
                                             FlowProtoReader         *reader);
gboolean         _flow_load_charge          (FlowLoad                *self,
                                             FlowProtoReader         *reader,
                                             gsize                    n_bytes);
void             _flow_load_take_error      (FlowLoad                *self,
                                             FlowProtoReader         *reader,
                                             GError                  *error);
gboolean         _flow_load_finish          (FlowLoad                *self,
                                             FlowProtoReader         *reader,
                                             GError                 **error);
gboolean         _flow_load_check_cancelled (FlowLoad                *self,
                                             FlowProtoReader         *reader,
                                             double                   fraction);
void             _flow_load_add_problem     (FlowLoad                *self,
                                             int                      severity,
                                             const GError            *error,
                                             const char              *field,
                                             gint64                   offset);
void             _flow_load_take_node_problem (FlowLoad              *self,
                                             FlowProtoReader         *reader,
                                             GError                  *error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowLoad, _flow_load_free)

/* Messages to our types. Each leaves @reader failed when it gives NULL. */
FlowAttr        *_flow_load_attr            (FlowLoad                *self,
                                             FlowProtoReader         *reader);
gboolean         _flow_load_attr_entry      (FlowLoad                *self,
                                             FlowProtoReader         *reader,
                                             FlowAttrList            *attrs);
/* A map from name to AttrValue, by name. */
void             _flow_write_attrs          (FlowProtoWriter         *w,
                                             guint32                  field,
                                             FlowAttrList            *attrs);
FlowOpSignature *_flow_load_op_def          (FlowLoad                *self,
                                             FlowProtoReader         *reader);
gboolean         _flow_load_graph_def       (FlowLoad                *self,
                                             FlowProtoReader         *reader,
                                             FlowGraph               *graph);
FlowFunction    *_flow_load_function_def    (FlowLoad                *self,
                                             FlowProtoReader         *reader);
GVariant        *_flow_load_variant         (FlowLoad                *self,
                                             const FlowProtoMessage  *message,
                                             FlowProtoReader         *reader);
gboolean         _flow_load_collection      (FlowLoad                *self,
                                             FlowProtoReader         *reader,
                                             const char              *key,
                                             FlowGraph               *graph,
                                             GPtrArray               *items);
gboolean         _flow_unpack               (GBytes                 **bytes,
                                             const char              *label,
                                             FlowBudget              *budget,
                                             GError                 **error);
FlowShape       *_flow_tensor_proto_peek    (FlowProtoReader         *reader,
                                             int                     *dtype,
                                             GError                 **error);

G_END_DECLS
