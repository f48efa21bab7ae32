/* flow-canvas-fixture.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-canvas-private.h"

G_BEGIN_DECLS

/* A canvas in a window of its own, with a small graph in it. Needs a display (Xvfb will do). */
typedef struct {
  GtkWidget *window;
  FlowCanvas *canvas;
  FlowGraph *graph;
  guint n_selected;
  guint32 node;
  guint32 scope;
  guint n_activated;
  guint n_toggled;
} CanvasFixture;

typedef struct {
  const char *path;
  void (*test) (CanvasFixture *fixture, gconstpointer data);
} CanvasTest;

FlowGraph *canvas_load_graph (void);
/* Runs the main loop until layout, motion and tiles are done. */
void    canvas_settle     (CanvasFixture *fixture);
void    canvas_set_up     (CanvasFixture *fixture,
                           gconstpointer  data);
void    canvas_tear_down  (CanvasFixture *fixture,
                           gconstpointer  data);
/* The first scope of the root that can be opened. */
guint32 canvas_find_scope (CanvasFixture *fixture);
/* Of the columns that the rows of its group stand in. */
guint32 canvas_get_band   (FlowCanvas    *canvas,
                           FlowItem       item);
/* A program of such tests: what main() returns. */
int     canvas_run        (int              *argc,
                           char           ***argv,
                           const CanvasTest *tests,
                           guint             n_tests);

G_END_DECLS
