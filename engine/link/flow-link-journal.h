/* flow-link-journal.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What was done to an engine beside moving, and at which position: doing it again in another engine
 * brings that to the same state, because runs are reproducible. */
typedef struct {
  char *method;
  GVariant *arguments;
  GPtrArray *tensors;          /* nullable */
  guint64 position;
} FlowLinkEntry;

typedef struct _FlowLinkJournal FlowLinkJournal;

FlowLinkJournal     *_flow_link_journal_new      (void);
void                 _flow_link_journal_free     (FlowLinkJournal *self);
/* Notes a call that has succeeded; calls that change nothing lasting are not kept. */
void                 _flow_link_journal_note     (FlowLinkJournal *self,
                                                  const char      *method,
                                                  GVariant        *arguments,
                                                  GPtrArray       *tensors,
                                                  guint64          position);
guint                _flow_link_journal_length   (FlowLinkJournal *self);
const FlowLinkEntry *_flow_link_journal_get      (FlowLinkJournal *self,
                                                  guint            i);

G_END_DECLS
