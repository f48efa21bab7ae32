/* flow-window.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <adwaita.h>

#include "flow-ui-session.h"

G_BEGIN_DECLS

/**
 * FlowOpenPlan:
 *
 * What the command line asks of a window beside the file: done when the graph is there.
 */
typedef struct {
  char *run;
  char *select;
  char **expand;
  char **breakpoints;
  char **argv;                   /* a script's arguments */
  char *cwd;                     /* and where it runs; nullable: its folder */
  gboolean python2;              /* it is in the language of Python 2 */
  gboolean reads_stdin;          /* it reads what this program was given to read */
  gboolean start;
  gboolean keeps_view;           /* the camera as it was, and no breakpoint twice */
  double x;
  double y;
  double zoom;
} FlowOpenPlan;

#define FLOW_TYPE_WINDOW (flow_window_get_type ())

G_DECLARE_FINAL_TYPE (FlowWindow, flow_window, FLOW, WINDOW, AdwApplicationWindow)

FlowWindow    *flow_window_new         (GtkApplication     *app);
FlowUiSession *flow_window_get_session (FlowWindow         *self);
void           flow_window_open        (FlowWindow         *self,
                                        const char         *path,
                                        FlowOpenPlan       *plan);
gboolean       flow_window_is_empty    (FlowWindow         *self);

void           flow_open_plan_free     (FlowOpenPlan       *plan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowOpenPlan, flow_open_plan_free)

G_END_DECLS
