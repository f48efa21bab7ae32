/* flow-run-list.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-run-file.h"
#include "flow-run.h"

G_BEGIN_DECLS

#ifndef __GI_SCANNER__

/**
 * FlowListedRun: (skip)
 *
 * One happening of an entry of the list.
 */
typedef struct {
  guint entry;
  guint64 i;
  guint64 number;              /* counted from 0 over the list */
  FlowRun *run;                /* NULL: it could not begin, or restores a checkpoint */
  gboolean ended;
  GError *error;               /* what it ended with, expected or not */
  gboolean error_expected;
  FlowTensor **fetched;        /* in the entry's order; NULL unless it ended well */
  guint n_fetched;
  gint64 began_us;
  gint64 ended_us;
  guint64 start;               /* steps of the list before it */
  guint64 plan_hits;
  FlowRunEntry *def;           /* the entry as it was when the run began */
  GPtrArray *warnings;         /* of char * */
} FlowListedRun;

/**
 * FlowRunList: (skip)
 *
 * The runs of a run file, one after the other in one session. A run that waits stays alive while the
 * next ones go on, and goes on itself when what it waits for was written. With the session's undo log
 * set, everything here is undone with it.
 */
typedef struct _FlowRunList FlowRunList;

FLOW_API FlowRunList   *flow_run_list_new         (FlowSession       *session,
                                                   const FlowRunFile *file);
FLOW_API void           flow_run_list_free        (FlowRunList       *self);
/* Begins the first run, so that the next op is known. */
FLOW_API FlowStepResult flow_run_list_start       (FlowRunList       *self,
                                                   GError           **error);
FLOW_API FlowStepResult flow_run_list_step        (FlowRunList       *self,
                                                   GError           **error);
FLOW_API void           flow_run_list_rolled_back (FlowRunList       *self);
FLOW_API FlowListedRun *flow_run_list_get_current (FlowRunList       *self);
/* The run that executed last; the current one may have begun since. */
FLOW_API FlowListedRun *flow_run_list_get_last    (FlowRunList       *self);
FLOW_API guint          flow_run_list_get_n_runs  (FlowRunList       *self);
FLOW_API FlowListedRun *flow_run_list_get_run     (FlowRunList       *self,
                                                   guint              number);
FLOW_API gboolean       flow_run_list_is_done     (FlowRunList       *self);
FLOW_API void           flow_run_list_stop_current (FlowRunList      *self,
                                                   const GError      *error);
FLOW_API void           flow_run_list_set_cancellable (FlowRunList   *self,
                                                   GCancellable      *cancellable);
FLOW_API void           flow_run_list_set_deadlines (FlowRunList     *self,
                                                   gboolean           deadlines);
FLOW_API void           flow_run_list_set_eager_kernels (FlowRunList *self,
                                                   gboolean           eager);
FLOW_API void           flow_run_list_set_timing  (FlowRunList       *self,
                                                   gboolean           timing);
FLOW_API void           flow_run_list_set_recall  (FlowRunList       *self,
                                                   FlowRunRecall      func,
                                                   gpointer           data);
FLOW_API void           flow_run_list_set_recall_all (FlowRunList    *self,
                                                   gboolean           all);
FLOW_API guint64        flow_run_list_get_n_steps (FlowRunList       *self);
FLOW_API FlowTensor    *flow_run_list_get_feed    (FlowRunList       *self,
                                                   FlowListedRun     *run,
                                                   const char        *tensor);
FLOW_API gboolean       flow_run_list_set_override (FlowRunList      *self,
                                                   guint32            node,
                                                   gint32             slot,
                                                   FlowTensor        *tensor,
                                                   GError           **error);
FLOW_API void           flow_run_list_apply_overrides (FlowRunList   *self);
FLOW_API gboolean       flow_run_list_get_override (FlowRunList      *self,
                                                   guint              i,
                                                   guint32           *node,
                                                   gint32            *slot);
FLOW_API gboolean       flow_run_list_is_flowing  (FlowRunList       *self,
                                                   guint              entry);
/* The entry of that name is replaced, or a new one stands behind the others; its index. */
FLOW_API guint          flow_run_list_set_entry   (FlowRunList       *self,
                                                   const FlowRunEntry *entry,
                                                   gboolean           flows_on);
FLOW_API int            flow_run_list_find_entry  (FlowRunList       *self,
                                                   const char        *name);
FLOW_API FlowRunEntry  *flow_run_list_get_entry   (FlowRunList       *self,
                                                   guint              entry);
/* Ends the current run and begins @entry now. */
FLOW_API FlowStepResult flow_run_list_begin_entry (FlowRunList       *self,
                                                   guint              entry,
                                                   GError           **error);
FLOW_API FlowStepResult flow_run_list_begin_again (FlowRunList       *self,
                                                   GError           **error);
/* Forgets the run @number and all after it; the session's state is the caller's. */
FLOW_API void           flow_run_list_rewind      (FlowRunList       *self,
                                                   guint64            number);
/* What runs before @number held goes: nothing in the undo log points to it any more. */
FLOW_API void           flow_run_list_release_before (FlowRunList    *self,
                                                   guint64            number);
FLOW_API gboolean       flow_run_list_is_alone    (FlowRunList       *self);
FLOW_API void           flow_run_list_forget_feeds (FlowRunList      *self);
/* The text of a feed whose value is given beside it. */
#define FLOW_FEED_GIVEN "{\"previous\":true}"
FLOW_API void           flow_run_list_give_feed   (FlowRunList       *self,
                                                   const char        *tensor,
                                                   FlowTensor        *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowRunList, flow_run_list_free)

/* One variable that was restored from a checkpoint. */
typedef struct {
  char *name;
  FlowTensor *before;          /* nullable: it had no value */
  FlowTensor *after;
} FlowRestored;

FLOW_API void           flow_restored_free        (FlowRestored      *self);
FLOW_API gboolean       flow_session_restore_checkpoint (FlowSession *self,
                                                   const char        *prefix,
                                                   const char *const *map_new,
                                                   const char *const *map_old,
                                                   const char *const *only,
                                                   GPtrArray         *restored,
                                                   GError           **error);
FLOW_API gboolean       flow_session_save_checkpoint (FlowSession    *self,
                                                   const char        *prefix,
                                                   GError           **error);

#endif

G_END_DECLS
