/* flow-event-file.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-budget.h"
#include "flow-graph.h"

G_BEGIN_DECLS

/**
 * FlowEventKind:
 * @FLOW_EVENT_SCALAR: one number a step
 * @FLOW_EVENT_HISTOGRAM: a distribution a step
 * @FLOW_EVENT_IMAGE: an image a step
 * @FLOW_EVENT_AUDIO: a clip a step
 * @FLOW_EVENT_TEXT: strings a step
 * @FLOW_EVENT_TENSOR: a tensor of which we know no more
 * @FLOW_EVENT_RUN_METADATA: step statistics of one run
 *
 * What a series of an event file holds.
 */
typedef enum {
  FLOW_EVENT_SCALAR,
  FLOW_EVENT_HISTOGRAM,
  FLOW_EVENT_IMAGE,
  FLOW_EVENT_AUDIO,
  FLOW_EVENT_TEXT,
  FLOW_EVENT_TENSOR,
  FLOW_EVENT_RUN_METADATA,
} FlowEventKind;

#ifndef __GI_SCANNER__

#define FLOW_EVENT_N_KINDS (FLOW_EVENT_RUN_METADATA + 1)

/**
 * FlowEventPoint: (skip)
 * @step: the step it was written at
 * @wall_time: seconds since 1970
 * @value: the number of a scalar; NaN for other kinds
 * @file: which file it lies in
 * @offset: where its encoded value lies in that file
 * @size: how many bytes that has
 */
typedef struct {
  gint64 step;
  double wall_time;
  double value;
  guint file;
  gsize offset;
  gsize size;
} FlowEventPoint;

/**
 * FlowEventSeries: (skip)
 * @kind: what its points are
 * @tag: its name
 * @display_name: (nullable): how its maker wanted it to be called
 * @description: (nullable): what its maker said about it
 * @plugin: (nullable): the TensorBoard plugin that shows it
 * @points: (element-type FlowEventPoint): in the order they were written
 * @n_restarts: how often the step goes back: each begins a stretch of its own
 */
typedef struct {
  FlowEventKind kind;
  char *tag;
  char *display_name;
  char *description;
  char *plugin;
  GArray *points;
  guint n_restarts;
} FlowEventSeries;

/**
 * FlowSessionLog: (skip)
 * @status: 1 start, 2 stop, 3 checkpoint
 * @step: at which step
 * @wall_time: seconds since 1970
 * @checkpoint_path: (nullable): the checkpoint that was written
 * @message: (nullable): what was said about it
 */
typedef struct {
  int status;
  gint64 step;
  double wall_time;
  char *checkpoint_path;
  char *message;
} FlowSessionLog;

/**
 * FlowEventHistogram: (skip)
 * @limits: upper edge of each bucket
 * @counts: how many values it has
 */
typedef struct {
  double min;
  double max;
  double num;
  double sum;
  double sum_squares;
  guint n_buckets;
  double *limits;
  double *counts;
} FlowEventHistogram;

FLOW_API void flow_event_histogram_free (FlowEventHistogram *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowEventHistogram, flow_event_histogram_free)

#endif

#define FLOW_TYPE_EVENT_FILE (flow_event_file_get_type ())

FLOW_API G_DECLARE_FINAL_TYPE (FlowEventFile, flow_event_file, FLOW, EVENT_FILE, GObject)

FLOW_API FlowEventFile   *flow_event_file_load             (const char            *path,
                                                            GError               **error);
#ifndef __GI_SCANNER__
FLOW_API FlowEventFile   *flow_event_file_load_bytes       (GBytes               **files,
                                                            guint                  n_files,
                                                            const char *const     *labels,
                                                            FlowBudget            *budget,
                                                            GCancellable          *cancellable,
                                                            GError               **error);
FLOW_API char           **flow_event_file_list             (const char            *folder);
FLOW_API gboolean         flow_event_file_is_event_file    (GBytes                *bytes);
FLOW_API GPtrArray       *flow_event_file_get_series       (FlowEventFile         *self);
FLOW_API FlowEventSeries *flow_event_file_find             (FlowEventFile         *self,
                                                            FlowEventKind          kind,
                                                            const char            *tag);
FLOW_API GBytes          *flow_event_file_dup_payload      (FlowEventFile         *self,
                                                            const FlowEventSeries *series,
                                                            guint                  i);
FLOW_API FlowEventHistogram   *flow_event_file_dup_histogram    (FlowEventFile         *self,
                                                            const FlowEventSeries *series,
                                                            guint                  i,
                                                            GError               **error);
FLOW_API GBytes          *flow_event_file_dup_graph        (FlowEventFile         *self,
                                                            gboolean              *is_meta_graph,
                                                            gsize                 *offset);
FLOW_API GPtrArray       *flow_event_file_get_session_logs (FlowEventFile         *self);
#endif
FLOW_API GPtrArray       *flow_event_file_get_problems     (FlowEventFile         *self);
FLOW_API const char      *flow_event_file_get_version      (FlowEventFile         *self);
FLOW_API guint64          flow_event_file_get_n_events     (FlowEventFile         *self);
FLOW_API guint            flow_event_file_get_n_files      (FlowEventFile         *self);
FLOW_API double           flow_event_file_get_first_time   (FlowEventFile         *self);
FLOW_API double           flow_event_file_get_last_time    (FlowEventFile         *self);
FLOW_API const char      *flow_event_kind_name             (FlowEventKind          kind);

G_END_DECLS
