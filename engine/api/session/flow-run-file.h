/* flow-run-file.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-graph.h"

G_BEGIN_DECLS

/**
 * FlowRunEntry:
 * @name: what it is called; unique within a file
 * @repeat: how often it happens
 * @fetches: tensors wanted
 * @targets: ops to run
 * @feed_names: tensors fed
 * @feeds: beside them, each feed as JSON
 * @expect_error: name of the code that it must fail with, nullable
 * @timeout_ms: 0 for none
 * @trace: whether step statistics are wanted
 * @restore: prefix of a checkpoint: the entry restores and runs nothing; nullable
 * @map_new: with @restore: names in the graph, nullable
 * @map_old: beside them: names in the checkpoint
 * @only: with @restore: the variables to restore, nullable for all
 *
 * One entry of a run file. Lists end with %NULL and are never %NULL unless said.
 */
typedef struct {
  char *name;
  guint repeat;
  char **fetches;
  char **targets;
  char **feed_names;
  char **feeds;
  char *expect_error;
  gint64 timeout_ms;
  gboolean trace;
  char *restore;
  char **map_new;
  char **map_old;
  char **only;
} FlowRunEntry;

#define FLOW_TYPE_RUN_ENTRY (flow_run_entry_get_type ())

FLOW_API GType         flow_run_entry_get_type  (void);
FLOW_API FlowRunEntry *flow_run_entry_new       (const char          *name);
FLOW_API FlowRunEntry *flow_run_entry_copy      (const FlowRunEntry  *self);
FLOW_API void          flow_run_entry_free      (FlowRunEntry        *self);
FLOW_API FlowRunEntry *flow_run_entry_from_json (const char          *json,
                                                 GError             **error);
FLOW_API char         *flow_run_entry_to_json   (const FlowRunEntry  *self);
FLOW_API void          flow_run_entry_set_feed  (FlowRunEntry        *self,
                                                 const char          *tensor,
                                                 const char          *json);
FLOW_API void          flow_run_entry_add_fetch (FlowRunEntry        *self,
                                                 const char          *tensor);
FLOW_API void          flow_run_entry_add_target (FlowRunEntry       *self,
                                                 const char          *node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowRunEntry, flow_run_entry_free)

/**
 * FlowRunFile:
 *
 * A run file: which graph, which checkpoint, which runs in which order.
 */
typedef struct _FlowRunFile FlowRunFile;

struct _FlowRunFile
{
  /*< private >*/
  char *path;                  /* nullable */
  char *folder;                /* what its paths are relative to */
  char *graph;                 /* as written */
  char *checkpoint;            /* nullable, as written */
  GPtrArray *entries;          /* of FlowRunEntry */
  gboolean has_seed;
  guint64 seed;
  guint threads;               /* 0: not said */
  gboolean cse;
  gboolean soft_placement;
  char **override_names;
  char **overrides;            /* beside them, as JSON */
  char **breakpoints;
  char *window;                /* what a window keeps with it, as JSON; nullable */
};

#define FLOW_TYPE_RUN_FILE (flow_run_file_get_type ())

FLOW_API GType        flow_run_file_get_type  (void);
FLOW_API FlowRunFile *flow_run_file_new       (const char         *folder);
FLOW_API FlowRunFile *flow_run_file_copy      (const FlowRunFile  *self);
FLOW_API void         flow_run_file_free      (FlowRunFile        *self);
FLOW_API FlowRunFile *flow_run_file_load      (const char         *path,
                                               GError            **error);
FLOW_API FlowRunFile *flow_run_file_parse     (const char         *json,
                                               gssize              length,
                                               const char         *folder,
                                               GError            **error);
FLOW_API gboolean     flow_run_file_looks_like (const char        *path);
FLOW_API char        *flow_run_file_to_json   (const FlowRunFile  *self);
FLOW_API gboolean     flow_run_file_save      (const FlowRunFile  *self,
                                               const char         *path,
                                               GError            **error);
FLOW_API void         flow_run_file_move_to   (FlowRunFile        *self,
                                               const char         *folder);
FLOW_API char        *flow_run_file_resolve   (const FlowRunFile  *self,
                                               const char         *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowRunFile, flow_run_file_free)

/**
 * FlowFeeder:
 *
 * Makes the tensors that feeds describe: from files, literals and generators.
 */
typedef struct _FlowFeeder FlowFeeder;

#define FLOW_TYPE_FEEDER (flow_feeder_get_type ())

FLOW_API GType       flow_feeder_get_type (void);
FLOW_API FlowFeeder *flow_feeder_new      (const char   *folder,
                                           FlowBudget   *budget);
FLOW_API FlowFeeder *flow_feeder_ref      (FlowFeeder   *self);
FLOW_API void        flow_feeder_unref    (FlowFeeder   *self);
FLOW_API FlowTensor *flow_feeder_make     (FlowFeeder   *self,
                                           const char   *tensor,
                                           int           dtype,
                                           const char   *json,
                                           guint64       i,
                                           GError      **error);
FLOW_API char       *flow_feed_spec_to_json (const char *spec,
                                           GError      **error);
FLOW_API char       *flow_feed_shape_warning (FlowGraph *graph,
                                           const char   *tensor,
                                           const FlowTensor *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowFeeder, flow_feeder_unref)

G_END_DECLS
