/* flow-search.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-ui-session.h"

G_BEGIN_DECLS

/* @hits: indices of nodes, best first */
typedef void (*FlowSearchFunc) (const guint32 *hits,
                                guint          n_hits,
                                gpointer       data);

typedef struct _FlowSearch FlowSearch;

FlowSearch *flow_search_start  (FlowUiSession  *session,
                                const char     *text,
                                FlowSearchFunc  func,
                                gpointer        data);
gboolean    flow_search_is_similar (FlowSearch *self);
void        flow_search_cancel (FlowSearch     *self);

G_END_DECLS
