/* flow-run-list-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-run-list.h"
#include "flow-session-private.h"

G_BEGIN_DECLS

typedef struct {
  guint32 node;
  gint32 slot;
  FlowTensor *tensor;
} FlowListOverride;

struct _FlowRunList
{
  FlowSession *session;
  FlowRunFile *file;
  FlowFeeder *feeder;
  GPtrArray *runs;             /* of FlowListedRun: begun so far */
  guint32 next_entry;          /* what begins next */
  guint64 next_i;
  guint64 current;             /* index in runs, G_MAXUINT64 when none is alive */
  guint64 last;                /* index in runs of the one that executed last */
  guint64 n_steps;
  guint n_flowing;             /* entries that follow one another; those behind begin when asked to */
  guint32 asked_entry;
  guint32 started;
  GHashTable *fed;             /* "number tensor" -> FlowTensor: a run that begins again gets the same */
  GHashTable *given;           /* tensor -> FlowTensor: values that stand nowhere as text; nullable */
  GArray *overrides;           /* of FlowListOverride */
  GCancellable *cancellable;
  gboolean deadlines;
  gboolean eager_kernels;
  gboolean timing;
  FlowRunRecall recall;
  gboolean recalls_all;
  gpointer recall_data;
};

void _flow_list_override_clear (gpointer data);

static inline FlowListedRun *
_flow_list_run_at (FlowRunList *self,
                   guint64      number)
{
  return number < self->runs->len ? g_ptr_array_index (self->runs, (guint) number) : NULL;
}

G_END_DECLS
