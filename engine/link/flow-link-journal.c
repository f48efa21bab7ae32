/* flow-link-journal.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-link-journal.h"

struct _FlowLinkJournal
{
  GPtrArray *entries;          /* of FlowLinkEntry */
};

/* What survives a restart. Open forgets all that came before it. */
static const char *const lasting[] = {
  "Open", "LoadRunFile", "SetRun", "ChooseRun", "AddBreakpoint", "RemoveBreakpoint", "EnableBreakpoint",
  "SetVariable", "Override", "InitializeVariables", "RestoreCheckpoint", "SetHistoryLimit",
  "SetPolicy", "Pin", "ChooseNext", NULL,
};

static void
entry_free (gpointer data)
{
  FlowLinkEntry *self = data;

  g_free (self->method);
  g_variant_unref (self->arguments);
  g_clear_pointer (&self->tensors, g_ptr_array_unref);
  g_free (self);
}

FlowLinkJournal *
_flow_link_journal_new (void)
{
  FlowLinkJournal *self = g_new0 (FlowLinkJournal, 1);

  self->entries = g_ptr_array_new_with_free_func (entry_free);
  return self;
}

void
_flow_link_journal_free (FlowLinkJournal *self)
{
  g_ptr_array_unref (self->entries);
  g_free (self);
}

void
_flow_link_journal_note (FlowLinkJournal *self,
                         const char      *method,
                         GVariant        *arguments,
                         GPtrArray       *tensors,
                         guint64          position)
{
  FlowLinkEntry *entry;

  if (!g_strv_contains (lasting, method))
    return;
  if (g_str_equal (method, "Open"))
    g_ptr_array_set_size (self->entries, 0);
  entry = g_new0 (FlowLinkEntry, 1);
  entry->method = g_strdup (method);
  entry->arguments = g_variant_ref (arguments);
  entry->tensors = tensors != NULL ? g_ptr_array_ref (tensors) : NULL;
  entry->position = position;
  g_ptr_array_add (self->entries, entry);
}

guint
_flow_link_journal_length (FlowLinkJournal *self)
{
  return self->entries->len;
}

const FlowLinkEntry *
_flow_link_journal_get (FlowLinkJournal *self,
                        guint            i)
{
  return self->entries->pdata[i];
}
