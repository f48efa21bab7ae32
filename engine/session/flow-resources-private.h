/* flow-resources-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-session.h"

G_BEGIN_DECLS

/* TF: where resources go whose op names no container. */
#define FLOW_DEFAULT_CONTAINER "localhost"

/* What ops of a session own, by container, type and name, and what they may touch. */
typedef struct {
  GHashTable *table;           /* key -> FlowResource */
  GHashTable *containers;      /* names of those that once held something */
  GPtrArray *saved;            /* resources saved in this step: borrowed */
  GHashTable *seeds;           /* node name -> guint64[2]: seeds drawn */
  GHashTable *state_handles;   /* NAME -> the newest NAME#N by which functions kept state */
  guint64 seed;
  char *folder;
  GPtrArray *allowed;          /* of char *, absolute */
  FlowPrintFunc print;
  gpointer print_data;
  GDestroyNotify print_notify;
  FlowScriptFunc script;
  gpointer script_data;
  GDestroyNotify script_notify;
} FlowResources;

FlowResources *_flow_resources_new    (void);
void           _flow_resources_free   (FlowResources *self);
void           _flow_resources_insert (FlowResources *self,
                                       FlowResource  *resource,
                                       FlowUndo      *undo);
FlowResources *_flow_session_get_resources (FlowSession *self);

G_END_DECLS
