/* flow-model-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-formats-private.h"

G_BEGIN_DECLS

struct _FlowModel
{
  GObject parent_instance;

  /* owned */
  FlowGraph *graph;
  char *path;
  char *folder;                /* of a SavedModel, nullable */
  char *tensorflow_version;
  char *init_op;
  GPtrArray *tags;             /* of char*, one a meta graph */
  GPtrArray *problems;         /* of FlowProblem */
  GPtrArray *signatures;       /* of FlowSignature */
  GPtrArray *assets;           /* of FlowAssetFile */
  FlowSaverDef *saver;
  FlowEventFile *events;       /* of an event file, nullable */
  GBytes *graph_bytes;         /* the GraphDef as it stood */
  GBytes *meta_bytes;          /* the MetaGraphDef as it stood, nullable */
  FlowBudget *budget;          /* paid for what stays */
  gsize reserved;

  guint meta_graph;
  FlowModelKind kind;
  gboolean is_text;
};

FlowSignature *_flow_signature_new     (const char      *key);
FlowModel *_flow_model_new              (const char      *label,
                                         FlowModelKind    kind);
/* Whether bytes are a text message, and of which type. */
gboolean   _flow_sniff_text             (GBytes          *bytes,
                                         FlowModelKind   *kind);
/* What bytes are that are surely no model, for a message; NULL when they may be one. */
const char *_flow_sniff_other           (GBytes          *bytes);
FlowModelKind _flow_sniff_binary        (GBytes          *bytes);
gboolean   _flow_model_load_meta        (FlowModel       *self,
                                         FlowLoad        *load,
                                         FlowProtoReader *reader,
                                         GError         **error);
gboolean   _flow_model_load_message     (FlowModel       *self,
                                         FlowLoad        *load,
                                         const FlowLoadOptions *options,
                                         GError         **error);
gboolean   _flow_model_is_event_file    (GBytes          *bytes,
                                         const char      *label);
FlowModel *_flow_model_new_for_events   (FlowEventFile   *events,
                                         const char      *label,
                                         const FlowLoadOptions *options,
                                         FlowBudget      *budget,
                                         GError         **error);
FlowModel *_flow_model_load_event_bytes (GBytes          *bytes,
                                         const char      *label,
                                         const FlowLoadOptions *options,
                                         FlowBudget      *budget,
                                         GError         **error);
FlowModel *_flow_model_load_event_folder (const char     *folder,
                                         char           **paths,
                                         const FlowLoadOptions *options,
                                         GError         **error);
char      *_flow_read_tags              (FlowProtoReader *reader);

G_END_DECLS
