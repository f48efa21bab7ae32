/* flow-event-file-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-event-file.h"

G_BEGIN_DECLS

/* A graph that stands in an event. */
typedef struct {
  gboolean is_meta_graph;
  guint file;
  gsize offset;
  gsize size;
} FlowEventGraph;

struct _FlowEventFile
{
  GObject parent_instance;

  /* owned */
  GPtrArray *files;            /* of GBytes */
  GPtrArray *series;           /* of FlowEventSeries, by kind and tag once loaded */
  GHashTable *index[FLOW_EVENT_N_KINDS]; /* tag -> series */
  GHashTable *plugins;         /* tag -> plugin: said with its first value only */
  GPtrArray *session_logs;     /* of FlowSessionLog */
  GPtrArray *problems;         /* of FlowProblem */
  GArray *graphs;              /* of FlowEventGraph, the best first once loaded */
  char *version;
  FlowBudget *budget;
  gsize reserved;              /* asked of the budget */
  gsize charged;               /* used of that */

  guint64 n_events;
  double first_time;
  double last_time;
};

FlowEventSeries *_flow_event_file_get_or_add  (FlowEventFile   *self,
                                               FlowEventKind    kind,
                                               const char      *tag);
gboolean         _flow_event_file_charge      (FlowEventFile   *self,
                                               gsize            n_bytes);
void             _flow_event_file_add_problem (FlowEventFile   *self,
                                               int              code,
                                               int              severity,
                                               const char      *field,
                                               gsize            offset,
                                               const char      *format,
                                               ...) G_GNUC_PRINTF (6, 7);
/* One event, which begins at @offset of file @file. FALSE: there is no memory for it. */
gboolean         _flow_event_file_read_event  (FlowEventFile   *self,
                                               guint            file,
                                               gsize            offset,
                                               const guint8    *data,
                                               gsize            size);
FlowEventFile   *_flow_event_file_load_list   (char           **paths,
                                               FlowBudget      *budget,
                                               GCancellable    *cancellable,
                                               GError         **error);
GBytes          *_flow_event_file_dup_nth_graph (FlowEventFile *self,
                                               guint            i,
                                               gboolean        *is_meta_graph,
                                               gsize           *offset);
FlowEventHistogram   *_flow_event_histogram_parse        (const guint8    *data,
                                               gsize            size,
                                               GError         **error);

G_END_DECLS
