/* flow-endpoint-list.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <flowstep.h>
#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Rows of one list; where there are more, it says how many more. */
#define FLOW_ENDPOINT_ROWS_MAX 48

void       flow_endpoint_list_clear       (GtkListBox   *list);
void       flow_endpoint_list_append_more (GtkListBox   *list,
                                           guint         n);
void       flow_endpoint_list_append      (GtkListBox   *list,
                                           FlowGraph    *graph,
                                           const char   *index,
                                           FlowEndpoint  source,
                                           int           dtype);
void       flow_endpoint_list_fill        (GtkListBox   *list,
                                           FlowGraph    *graph,
                                           const GArray *endpoints,
                                           guint         max);

G_END_DECLS
