/* flow-debug-core-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-breakpoints-private.h"
#include "flow-local-debugger.h"
#include "flow-model.h"
#include "flow-tensor-compare.h"

G_BEGIN_DECLS

/* What the core tells its owner, on the kernel thread. */
typedef enum {
  FLOW_CORE_CHANGED,
  FLOW_CORE_STOPPED,
  FLOW_CORE_GRAPH,
  FLOW_CORE_RUNS,
  FLOW_CORE_BREAKPOINTS,
} FlowCoreNews;

typedef struct {
  void (*news)     (gpointer owner, FlowCoreNews news);
  void (*progress) (gpointer owner, double fraction, const char *message);
  void (*logged)   (gpointer owner, guint64 position, const char *text);
  /* Between ops: answers what only looks; TRUE when a person asked to pause. */
  gboolean (*poll) (gpointer owner);
} FlowCoreOwner;

/* The debugger without its asynchronous side. Lives on the kernel thread. */
typedef struct {
  const FlowCoreOwner *owner_funcs;
  gpointer owner;
  FlowDiagnosis diagnosis;     /* nullable; set before the first call */
  FlowModel *model;
  FlowGraph *graph;
  FlowBudget *budget;
  FlowSession *session;
  FlowStepper *stepper;
  FlowRunFile *file;           /* where runs come from; entries as a person edited them */
  GPtrArray *sources;          /* beside its entries: "file", "signature", "own" */
  char *chosen;                /* name of the chosen run */
  GPtrArray *breakpoints;      /* of FlowBreakpoint */
  guint next_breakpoint;
  GCancellable *cancellable;
  FlowDebugStatus status;
  FlowStopReason reason;
  char *message;
  int error_code;
  guint32 failed_node;
  GHashTable *stale;           /* nodes whose values come from what was overridden since */
  GHashTable *stale_roots;     /* nodes whose outputs, or the variable they are, were replaced */
  GHashTable *stale_resources; /* nodes of variables, queues, ... that a stale op wrote */
  GPtrArray *stale_edits;      /* variables that were set, to be set again */
  guint64 stale_run;           /* number of the run that they belong to */
  guint64 stale_since;         /* the first op that had read what was replaced */
  guint64 stale_upto;          /* how far the events were looked at */
  GPtrArray *restores;         /* of FlowCoreRestore, in the order they happened */
  GPtrArray *pins;             /* of FlowCorePin */
  GPtrArray *read;             /* of FlowCoreRead: tensors read from checkpoints last */
  guint32 stop_node;           /* the op that the stop is about */
  char *last_path;             /* run file */
  char *graph_path;            /* absolute */
  FlowEventFile *events;       /* as the file is now, where it has grown; nullable */
  guint64 events_size;
  guint64 history_limit;
  GHashTable *policies;        /* scope -> word; given to each new stepper */
} FlowDebugCore;

/* A checkpoint restored in this session. */
typedef struct {
  char *prefix;
  guint64 position;
  GHashTable *before;          /* variable -> value, absent: it had none */
  GHashTable *after;
} FlowCoreRestore;

/* A moment that a person keeps: what variables and the run's tensors were. */
typedef struct {
  guint64 position;
  char *run;
  guint i;
  char *title;                 /* nullable: where it was not a person who asked */
  GHashTable *variables;       /* name -> value */
  GHashTable *tensors;         /* "node:slot" -> value */
} FlowCorePin;

/* A tensor read from a checkpoint, kept while a person looks at it. */
typedef struct {
  char *ref;
  FlowTensor *value;
} FlowCoreRead;

typedef FlowDebuggerReply *(*FlowCoreMethod) (FlowDebugCore *core, GVariant *arguments, GPtrArray *tensors,
                                              GError **error);

FlowDebugCore     *_flow_debug_core_new     (const FlowCoreOwner *funcs,
                                             gpointer             owner);
void               _flow_debug_core_free    (FlowDebugCore       *self);
FlowDebugState    *_flow_debug_core_state   (FlowDebugCore       *self);
/* NULL: no such method. @looks: it only looks. */
FlowCoreMethod     _flow_debug_core_find    (const char          *method,
                                             const char         **arguments,
                                             gboolean            *looks);
void               _flow_debug_core_news    (FlowDebugCore       *self,
                                             FlowCoreNews         news);
gboolean           _flow_debug_core_need_graph (FlowDebugCore    *self,
                                             GError             **error);
void               _flow_debug_core_set_stop (FlowDebugCore      *self,
                                             FlowDebugStatus      status,
                                             FlowStopReason       reason,
                                             const char          *message);
char             **_flow_debug_find_run_files (const char          *graph_path);
int                _flow_debug_core_find_entry (FlowDebugCore    *self,
                                             const char          *name);
FlowPlan          *_flow_debug_core_plan    (FlowDebugCore       *self,
                                             GError             **error);
void               _flow_debug_core_forget_stale (FlowDebugCore  *self);
FlowDebuggerReply *_flow_reply              (GVariant            *value);
void               _flow_add_stats          (GVariantBuilder     *builder,
                                             const FlowTensor    *tensor);
void               _flow_add_stats_of       (GVariantBuilder     *builder,
                                             const FlowTensorStats *stats);
void               _flow_add_shape          (GVariantBuilder     *builder,
                                             const FlowShape     *shape);
GHashTable        *_flow_value_table_new    (void);
gboolean           _flow_debug_is_written_search (const char     *word);
FlowDebuggerReply *_flow_debug_find_written (FlowDebugCore       *core,
                                             const char          *ref,
                                             const char          *word,
                                             gint64               from,
                                             GError             **error);
void               _flow_core_restore_free  (FlowCoreRestore     *self);
/* @variables: (transfer full) */
FlowCorePin       *_flow_core_pin_new       (FlowDebugCore       *self,
                                             GHashTable          *variables,
                                             guint64              last);
void               _flow_core_pin_free      (FlowCorePin         *self);
void               _flow_core_read_free     (FlowCoreRead        *self);
void               _flow_debug_core_forget_moments (FlowDebugCore *self);
/* The value of an output at a position (G_MAXUINT64: now); a constant's is known before its op has run. */
FlowTensor        *_flow_debug_core_dup_value (FlowDebugCore     *self,
                                             guint32              node,
                                             gint32               slot,
                                             guint64              position,
                                             FlowValueState      *state);
/* What a reference names now. NULL without an error: there is none, @state says why. */
FlowTensor        *_flow_debug_core_dup_ref (FlowDebugCore       *self,
                                             const char          *ref,
                                             const char         **state,
                                             GError             **error);
/* `series:KIND:TAG@i`, of the event file that is open. */
FlowTensor        *_flow_debug_core_dup_event (FlowDebugCore     *self,
                                             const char          *ref,
                                             GError             **error);
/* All variables at a moment: name -> value. */
GHashTable        *_flow_debug_core_list_moment (FlowDebugCore   *self,
                                             const char          *moment,
                                             GError             **error);
GArray            *_flow_debug_core_list_variable_nodes (FlowDebugCore *self);
/* The restore that set a variable last, before where the session stands; nullable. */
const FlowCoreRestore *_flow_debug_core_find_restore (FlowDebugCore *core,
                                                      const char    *name);
guint32            _flow_debug_core_find_initializer (FlowDebugCore *self,
                                             guint32              node);
const char        *_flow_value_state_name   (FlowValueState       state);
FlowDebuggerReply *_flow_reply_with_tensor  (GVariant            *value,
                                             FlowTensor          *tensor);
GVariant          *_flow_diff_to_variant    (const FlowTensor    *a,
                                             const FlowTensor    *b,
                                             const FlowTolerance *tolerance);
double             _flow_diff_largest       (const FlowTensorDiff *diff);
void               _flow_tolerance_from_variant (FlowTolerance   *self,
                                             GVariant            *dict);
const char        *_flow_frame_get_name     (const char          *frame);
char              *_flow_debug_core_describe_inputs (FlowDebugCore *core,
                                             guint64              k);
/* dtype, shape and, of numbers, their range: one line. */
char              *_flow_tensor_describe    (const FlowTensor    *value);
gboolean           _flow_tensor_is_bad      (const FlowTensor    *tensor);
FlowTensor        *_flow_debug_core_make_value (FlowDebugCore    *self,
                                             const char          *tensor,
                                             int                  dtype,
                                             const char          *spec,
                                             GError             **error);

/* What comes from values that were replaced. */
void               _flow_core_stale_edit_free (gpointer           data);
void               _flow_core_open_branch   (FlowDebugCore       *self,
                                             const char          *tensor);
void               _flow_core_mark_stale    (FlowDebugCore       *self,
                                             guint32              node,
                                             FlowTensor          *value);
void               _flow_core_spread_stale  (FlowDebugCore       *self);
gboolean           _flow_core_recompute     (FlowDebugCore       *self,
                                             GError             **error);
gboolean           _flow_movement_is_backwards (FlowMovement      movement);
gboolean           _flow_debug_core_move    (FlowDebugCore       *self,
                                             FlowMovement         movement,
                                             const char          *argument,
                                             GError             **error);

/* Stops: each sets status, reason, message and the op it is about. */
void               _flow_core_stop_failed   (FlowDebugCore       *self,
                                             GError              *error);
void               _flow_core_stop_at_end   (FlowDebugCore       *self,
                                             FlowStopReason       reason);
void               _flow_core_stop_waiting  (FlowDebugCore       *self);
gboolean           _flow_core_step          (FlowDebugCore       *self);
gboolean           _flow_core_is_paused     (FlowDebugCore       *self);
gboolean           _flow_core_breaks_after  (FlowDebugCore       *self,
                                             guint64              k,
                                             GHashTable          *watched,
                                             gboolean             counts);
gboolean           _flow_core_breaks_unchanged (FlowDebugCore    *self);
gboolean           _flow_core_breaks_before (FlowDebugCore       *self,
                                             guint32              node,
                                             gboolean             counts);
gboolean           _flow_core_makes_bad_value (FlowDebugCore     *self,
                                             guint64              k,
                                             guint               *output);
void               _flow_core_stop_written  (FlowDebugCore       *self,
                                             const char          *variable,
                                             guint64              k,
                                             const FlowTensor    *old);
void               _flow_core_stop_bad_value (FlowDebugCore      *self,
                                             guint64              k,
                                             guint                output);

#define FLOW_CORE_METHOD(name) \
  FlowDebuggerReply *_flow_core_##name (FlowDebugCore *core, GVariant *arguments, GPtrArray *tensors, GError **error)

FLOW_CORE_METHOD (open);
FLOW_CORE_METHOD (list_runs);
FLOW_CORE_METHOD (load_run_file);
FLOW_CORE_METHOD (list_run_files);
FLOW_CORE_METHOD (save_run_file);
FLOW_CORE_METHOD (window_data);
FLOW_CORE_METHOD (set_window_data);
FLOW_CORE_METHOD (set_run);
FLOW_CORE_METHOD (choose_run);
FLOW_CORE_METHOD (plan);
FLOW_CORE_METHOD (diagnose);
FLOW_CORE_METHOD (loops);
FLOW_CORE_METHOD (body_states);
FLOW_CORE_METHOD (explain);
FLOW_CORE_METHOD (move);
FLOW_CORE_METHOD (pause);
FLOW_CORE_METHOD (stop);
FLOW_CORE_METHOD (choose_next);
FLOW_CORE_METHOD (list_breakpoints);
FLOW_CORE_METHOD (add_breakpoint);
FLOW_CORE_METHOD (remove_breakpoint);
FLOW_CORE_METHOD (enable_breakpoint);
FLOW_CORE_METHOD (node_states);
FLOW_CORE_METHOD (ready);
FLOW_CORE_METHOD (inspect);
FLOW_CORE_METHOD (get_value);
FLOW_CORE_METHOD (history);
FLOW_CORE_METHOD (variables);
FLOW_CORE_METHOD (get_variable);
FLOW_CORE_METHOD (set_variable);
FLOW_CORE_METHOD (override);
FLOW_CORE_METHOD (initialize_variables);
FLOW_CORE_METHOD (resources);
FLOW_CORE_METHOD (events);
FLOW_CORE_METHOD (match_checkpoint);
FLOW_CORE_METHOD (restore_checkpoint);
FLOW_CORE_METHOD (save_checkpoint);
FLOW_CORE_METHOD (set_history_limit);
FLOW_CORE_METHOD (compare);
FLOW_CORE_METHOD (pin);
FLOW_CORE_METHOD (moments);
FLOW_CORE_METHOD (describe);
FLOW_CORE_METHOD (values);
FLOW_CORE_METHOD (costs);
FLOW_CORE_METHOD (health);
FLOW_CORE_METHOD (slice);
FLOW_CORE_METHOD (find_element);
FLOW_CORE_METHOD (checkpoint_series);
FLOW_CORE_METHOD (compare_values);
FLOW_CORE_METHOD (compare_variables);
FLOW_CORE_METHOD (save_value);
FLOW_CORE_METHOD (origin);
FLOW_CORE_METHOD (plans);
FLOW_CORE_METHOD (compare_plans);
FLOW_CORE_METHOD (savers);
FLOW_CORE_METHOD (overrides);
FLOW_CORE_METHOD (recheck);
FLOW_CORE_METHOD (set_policy);
FLOW_CORE_METHOD (policies);
FLOW_CORE_METHOD (series);
FLOW_CORE_METHOD (series_points);
FLOW_CORE_METHOD (series_steps);
FLOW_CORE_METHOD (series_histograms);

G_END_DECLS
