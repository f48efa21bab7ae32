/* flow-sources.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <flowstep.h>

G_BEGIN_DECLS

/* Where a script made its ops, both ways. Frames of an op: the innermost first, the script's own before all others. */
typedef struct _FlowSources FlowSources;

/* @value: what the method ScriptSources gives. NULL when it is nothing of the kind. */
FlowSources *flow_sources_new          (GVariant           *value);
void         flow_sources_free         (FlowSources        *self);
guint        flow_sources_get_n_frames (const FlowSources  *self,
                                        guint32             node);
gboolean     flow_sources_get_frame    (const FlowSources  *self,
                                        guint32             node,
                                        guint               frame,
                                        const char        **file,
                                        guint              *line,
                                        const char        **function);
/* Files in which ops were made, in the order of the ops; (transfer full). */
char       **flow_sources_list_files   (const FlowSources  *self);
/* Ops that a line made, or that what it called made; (transfer full) (element-type guint32). */
GArray      *flow_sources_list_nodes   (const FlowSources  *self,
                                        const char         *file,
                                        guint               line);
/* line -> how many ops it made itself; (transfer full). */
GHashTable  *flow_sources_count_lines  (const FlowSources  *self,
                                        const char         *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowSources, flow_sources_free)

G_END_DECLS
