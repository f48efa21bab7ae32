/* flow-breakpoints-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-expression-private.h"
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

typedef enum {
  FLOW_CONDITION_MEASURE,      /* of a tensor: min, max, ..., rank, size */
  FLOW_CONDITION_DTYPE,
  FLOW_CONDITION_SHAPE,
  FLOW_CONDITION_ITERATION,    /* of the loop, or "run": which repetition of the run */
  FLOW_CONDITION_RUN,
  FLOW_CONDITION_CHANGED,      /* of a watch: how far the write moved it */
  FLOW_CONDITION_UNCHANGED,    /* of a watch: a run ended and it is what it was */
  FLOW_CONDITION_EXPRESSION,
} FlowConditionKind;

typedef struct {
  FlowConditionKind kind;
  int measure;                 /* index of its name */
  int comparison;              /* index of the operator */
  double number;
  char *text;                  /* dtype or shape */
  FlowExpression *expression;
} FlowCondition;

/* One breakpoint: `[before|after] SUBJECT:NAME [if CONDITION [and CONDITION]...] [hit N] [every N] [once]
 * [log TEXT]`. */
typedef struct {
  guint id;
  char *text;
  gboolean enabled;
  gboolean after;
  FlowBreakSubject subject;
  char *name;
  GRegex *regex;
  gboolean on_error;
  GArray *conditions;          /* of FlowCondition: all must hold */
  guint64 hit;                 /* stops from the N-th time on */
  guint64 every;               /* and only each N-th time; 0: each */
  gboolean once;               /* off after its first stop */
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
/* After event @k; @old: of a watch, what the variable was before it (nullable). */
gboolean        _flow_breakpoint_is_after (const FlowBreakpoint *self,
                                          FlowStepper          *stepper,
                                          guint64               k,
                                          const FlowTensor     *old);
/* At the end of a run: a watch for what does not change. */
gboolean        _flow_breakpoint_is_unchanged (const FlowBreakpoint *self,
                                          FlowStepper          *stepper);
/* Counts a hit; TRUE when it is one that counts for stopping or logging. */
gboolean        _flow_breakpoint_hit     (FlowBreakpoint       *self);
/* What a log point says, its {words} filled in; @k: the event after which, G_MAXUINT64 before the next. */
char           *_flow_breakpoint_format  (const FlowBreakpoint *self,
                                          FlowStepper          *stepper,
                                          guint64               k);
/* All expressions among the conditions; names are those of log points, and tensors and variables as they are now. */
gboolean        _flow_breakpoint_expressions_hold (const FlowBreakpoint *self,
                                          FlowStepper          *stepper,
                                          guint64               k,
                                          const FlowTensor     *old);
int             _flow_breakpoint_find_measure (const char      *name);
double          _flow_breakpoint_measure (int                   what,
                                          const FlowTensor     *tensor,
                                          const FlowTensorStats *stats);
gboolean        _flow_breakpoint_is_error (const FlowBreakpoint *self,
                                          FlowStepper          *stepper,
                                          guint32               node);
gboolean        _flow_node_is_in_scope   (FlowGraph            *graph,
                                          guint32               node,
                                          const char           *scope);

G_END_DECLS
