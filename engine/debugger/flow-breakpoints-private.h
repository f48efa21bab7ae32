/* flow-breakpoints-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-stepper.h"

G_BEGIN_DECLS

typedef enum {
  FLOW_BREAK_NODE,
  FLOW_BREAK_TYPE,
  FLOW_BREAK_SCOPE,
  FLOW_BREAK_MATCH,
  FLOW_BREAK_COLLECTION,
  FLOW_BREAK_WATCH,            /* a variable is written */
} FlowBreakSubject;

/* One breakpoint: `[before|after] SUBJECT:NAME [if CONDITION] [hit N] [log TEXT]`. */
typedef struct {
  guint id;
  char *text;
  gboolean enabled;
  gboolean after;
  FlowBreakSubject subject;
  char *name;
  GRegex *regex;
  gboolean on_error;
  const char *measure;         /* "min", ...; NULL: no condition */
  int comparison;              /* one of the operators' indices */
  double number;
  guint64 hit;                 /* stops from the N-th time on */
  char *log;                   /* does not stop, but says this */
  guint64 hits;
} FlowBreakpoint;

FlowBreakpoint *_flow_breakpoint_parse   (const char           *text,
                                          GError              **error);
void            _flow_breakpoint_free    (FlowBreakpoint       *self);
/* Before a node executes: by name alone, or by its inputs. */
gboolean        _flow_breakpoint_is_before (const FlowBreakpoint *self,
                                          FlowStepper          *stepper,
                                          guint32               node);
/* After event @k. */
gboolean        _flow_breakpoint_is_after (const FlowBreakpoint *self,
                                          FlowStepper          *stepper,
                                          guint64               k);
gboolean        _flow_breakpoint_is_error (const FlowBreakpoint *self,
                                          FlowStepper          *stepper,
                                          guint32               node);
gboolean        _flow_node_is_in_scope   (FlowGraph            *graph,
                                          guint32               node,
                                          const char           *scope);

G_END_DECLS
