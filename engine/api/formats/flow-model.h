/* flow-model.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-budget.h"
#include "flow-event-file.h"
#include "flow-graph.h"

G_BEGIN_DECLS

/**
 * FlowModelKind:
 * @FLOW_MODEL_GRAPH_DEF: a GraphDef
 * @FLOW_MODEL_META_GRAPH: a MetaGraphDef, as Saver writes beside a checkpoint
 * @FLOW_MODEL_SAVED_MODEL: a SavedModel
 * @FLOW_MODEL_SESSION_BUNDLE: a MetaGraphDef with the collections of the older serving export
 * @FLOW_MODEL_EVENT_FILE: an event file, perhaps with a graph in it
 *
 * What a model file is, told by its content.
 */
typedef enum {
  FLOW_MODEL_GRAPH_DEF,
  FLOW_MODEL_META_GRAPH,
  FLOW_MODEL_SAVED_MODEL,
  FLOW_MODEL_SESSION_BUNDLE,
  FLOW_MODEL_EVENT_FILE,
} FlowModelKind;

/**
 * FlowProgressFunc:
 * @fraction: 0 to 1
 * @message: what is being done
 * @data: what was given beside the function
 *
 * Called on the thread that works.
 */
typedef void (*FlowProgressFunc) (double      fraction,
                                  const char *message,
                                  gpointer    data);

#ifndef __GI_SCANNER__

/**
 * FlowLoadOptions: (skip)
 * @tags: (nullable): the tag set of the meta graph to open, joined by commas; %NULL: the first
 * @budget: (nullable): what pays for decoded messages; %NULL: one of the default size
 * @cancellable: (nullable): ends the work with %G_IO_ERROR_CANCELLED
 * @progress: (nullable): told how far it is
 * @progress_data: for @progress
 */
typedef struct {
  const char *tags;
  FlowBudget *budget;
  GCancellable *cancellable;
  FlowProgressFunc progress;
  gpointer progress_data;
} FlowLoadOptions;

/**
 * FlowTensorInfo: (skip)
 *
 * An input or output of a signature. Of a sparse tensor @name is the values tensor, and @parts holds
 * values, indices and dense shape.
 */
typedef struct {
  char *key;
  char *name;
  int dtype;
  FlowShape *shape;
  char **parts;                /* nullable */
} FlowTensorInfo;

typedef struct {
  char *key;
  char *method_name;
  GPtrArray *inputs;           /* of FlowTensorInfo, sorted by key */
  GPtrArray *outputs;
} FlowSignature;

typedef struct {
  char *filename_tensor_name;
  char *save_tensor_name;
  char *restore_op_name;
  int max_to_keep;
  gboolean sharded;
  double keep_checkpoint_every_n_hours;
  int version;                 /* 0 legacy, 1 V1, 2 V2 */
} FlowSaverDef;

typedef struct {
  char *tensor_name;
  char *filename;              /* relative to the assets folder */
  char *problem;               /* why it may not be opened, nullable */
} FlowAssetFile;

#endif

#define FLOW_TYPE_MODEL (flow_model_get_type ())

FLOW_API G_DECLARE_FINAL_TYPE (FlowModel, flow_model, FLOW, MODEL, GObject)

FLOW_API FlowModel     *flow_model_load                   (const char             *path,
                                                           const char             *tags,
                                                           GError                **error);
FLOW_API FlowGraph     *flow_graph_load_file              (const char             *path,
                                                           GError                **error);
FLOW_API GBytes        *flow_model_read_bytes             (const char             *path,
                                                           GError                **error);
#ifndef __GI_SCANNER__
FLOW_API GBytes        *flow_model_convert_bytes          (GBytes                 *bytes,
                                                           const char             *label,
                                                           FlowModelKind           kind,
                                                           gboolean                as_text,
                                                           GError                **error);
FLOW_API GBytes        *flow_model_order_bytes            (GBytes                 *bytes,
                                                           const char             *label,
                                                           GError                **error);
FLOW_API FlowModel     *flow_model_load_file              (const char             *path,
                                                           const FlowLoadOptions  *options,
                                                           GError                **error);
FLOW_API FlowModel     *flow_model_load_bytes             (GBytes                 *bytes,
                                                           const char             *label,
                                                           const FlowLoadOptions  *options,
                                                           GError                **error);
FLOW_API gboolean       flow_model_is_model               (GBytes                 *bytes,
                                                           FlowModelKind          *kind,
                                                           gboolean               *is_text);
FLOW_API gboolean    flow_graph_load_collections       (FlowGraph              *graph,
                                                       GBytes                 *meta_graph,
                                                       GError                **error);
FLOW_API gboolean       flow_graph_extend_from_bytes      (FlowGraph              *self,
                                                           GBytes                 *graph_def,
                                                           GPtrArray              *problems,
                                                           GError                **error);
FLOW_API GBytes        *flow_graph_to_bytes               (FlowGraph              *self,
                                                           GError                **error);
FLOW_API GBytes        *flow_graph_to_bytes_from          (FlowGraph              *self,
                                                           guint                   first_node,
                                                           GError                **error);
FLOW_API GBytes        *flow_graph_write_op_list          (FlowGraph              *self,
                                                           GError                **error);
FLOW_API gboolean       flow_graph_take_op_list           (FlowGraph              *self,
                                                           GBytes                 *op_list,
                                                           GError                **error);
FLOW_API GBytes        *flow_model_to_meta_graph          (FlowModel              *self,
                                                           GError                **error);
#endif

FLOW_API FlowGraph     *flow_model_get_graph              (FlowModel              *self);
FLOW_API FlowModelKind  flow_model_get_kind               (FlowModel              *self);
FLOW_API const char    *flow_model_get_kind_name          (FlowModel              *self);
FLOW_API gboolean       flow_model_is_text                (FlowModel              *self);
FLOW_API const char    *flow_model_get_path               (FlowModel              *self);
FLOW_API const char    *flow_model_get_tensorflow_version (FlowModel              *self);
FLOW_API guint          flow_model_get_n_meta_graphs      (FlowModel              *self);
FLOW_API guint          flow_model_get_meta_graph         (FlowModel              *self);
FLOW_API const char    *flow_model_get_tags               (FlowModel              *self,
                                                           guint                   meta_graph);
FLOW_API GPtrArray     *flow_model_get_problems           (FlowModel              *self);
FLOW_API char          *flow_model_get_variables_prefix   (FlowModel              *self);
FLOW_API const char    *flow_model_get_init_op            (FlowModel              *self);
FLOW_API GBytes        *flow_model_get_graph_bytes        (FlowModel              *self);
FLOW_API FlowEventFile *flow_model_get_events             (FlowModel              *self);
#ifndef __GI_SCANNER__
FLOW_API GPtrArray     *flow_model_get_signatures         (FlowModel              *self);
FLOW_API const FlowSaverDef *flow_model_get_saver         (FlowModel              *self);
FLOW_API GPtrArray     *flow_model_get_asset_files        (FlowModel              *self);
#endif

G_END_DECLS
