/* flow-view-doc.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-scene-wishes.h"

G_BEGIN_DECLS

/* A view of the graph that a person wants to come back to. */
typedef struct {
  char *note;
  char *select;                  /* node or scope, nullable */
  char **open;                   /* scopes */
  double x;                      /* as flow_canvas_get_view() */
  double y;
  double zoom;
  char *run;                     /* nullable */
  gint64 position;               /* of the run; -1: none was at hand */
  char *colour_by;               /* nullable */
} FlowBookmark;

/* How a person looks at one graph: kept with its runs, and for each graph by itself. */
typedef struct {
  GPtrArray *bookmarks;          /* FlowBookmark */
  char **hidden;                 /* names of nodes and scopes */
  FlowSceneWishes *wishes;       /* how it is arranged; without rules */
  char *direction;               /* where data flows to, a nick of FlowCanvasDirection; nullable: as it fits */
} FlowViewDoc;

FlowBookmark *flow_bookmark_new     (const char        *note);
void          flow_bookmark_free    (FlowBookmark      *self);

FlowViewDoc  *flow_view_doc_new     (void);
void          flow_view_doc_free    (FlowViewDoc       *self);
FlowViewDoc  *flow_view_doc_parse   (const char        *json);
char         *flow_view_doc_to_json (const FlowViewDoc *self);
gboolean      flow_view_doc_hide    (FlowViewDoc       *self,
                                     const char        *name);
gboolean      flow_view_doc_unhide_all (FlowViewDoc    *self);
gboolean      flow_view_doc_is_empty (const FlowViewDoc *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowBookmark, flow_bookmark_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowViewDoc, flow_view_doc_free)

G_END_DECLS
