/* bench-step.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <flowstep.h>

/* What the debugger costs: `bench-step RUNFILE...` runs each list of runs undisturbed; op by op with the history
 * recorded and a breakpoint asked before each; the same with the statistics of every output; and with a stop at
 * each op, as a person steps. Each is the best of many, taken by turns (a list takes milliseconds, and a machine is not the
 * same from one moment to the next), and printed against the first. Without a file: the training set of the tests. */

#define ROUNDS 25
/* Those that stop at every op, where the figure is the same every time. */
#define STOPPING_ROUNDS 2

typedef struct {
  FlowModel *model;
  FlowRunFile *file;
  char *path;
} Bench;

typedef enum {
  UNDISTURBED,
  RECORDED,
  WITH_STATISTICS,
  N_WAYS,
} Way;

static FlowSession *
new_session (Bench *self)
{
  FlowSession *session = flow_session_new (flow_model_get_graph (self->model), NULL);
  g_autoptr(GError) error = NULL;

  flow_session_set_folder (session, self->file->folder);
  if (self->file->checkpoint != NULL)
    {
      g_autofree char *prefix = flow_run_file_resolve (self->file, self->file->checkpoint);

      if (!flow_session_restore_checkpoint (session, prefix, NULL, NULL, NULL, NULL, &error))
        g_error ("%s", error->message);
    }
  return session;
}

static double
run_undisturbed (Bench   *self,
                 guint64 *n_ops)
{
  g_autoptr(FlowSession) session = new_session (self);
  FlowRunList *list = flow_run_list_new (session, self->file);
  gint64 start = g_get_monotonic_time ();
  double ms = 0;

  flow_run_list_start (list, NULL);
  while (flow_run_list_step (list, NULL) == FLOW_STEP_DONE)
    ;
  ms = (g_get_monotonic_time () - start) / 1000.0;
  *n_ops = flow_run_list_get_n_steps (list);
  flow_run_list_free (list);
  return ms;
}

static void
take_statistics (FlowStepper *stepper)
{
  const FlowEvent *event = flow_stepper_get_event (stepper, flow_stepper_get_position (stepper) - 1);

  for (guint i = 0; event->outputs != NULL && i < event->n_outputs; i++)
    if (event->outputs[i] != NULL)
      flow_tensor_stats_unref (flow_tensor_stats_new (event->outputs[i], 0));
}

static double
run_stepped (Bench    *self,
             gboolean  statistics)
{
  g_autoptr(FlowSession) session = new_session (self);
  FlowStepper *stepper = flow_stepper_new (session, self->file);
  gint64 start = g_get_monotonic_time ();
  double ms = 0;

  /* One that no op meets, asked of every one. */
  flow_stepper_add_breakpoint (stepper, "before name:^no/such/op$", NULL);
  flow_stepper_start (stepper, NULL);
  while (flow_stepper_step (stepper, NULL) == FLOW_STEP_DONE)
    {
      if (flow_stepper_check_breakpoints (stepper) != NULL)
        g_error ("a breakpoint that no op meets was met");
      if (statistics)
        take_statistics (stepper);
    }
  ms = (g_get_monotonic_time () - start) / 1000.0;
  flow_stepper_free (stepper);
  return ms;
}

static void
call (FlowDebugger *debugger,
      const char   *method,
      GVariant     *arguments)
{
  g_autoptr(GError) error = NULL;
  FlowDebuggerReply *reply = flow_debugger_call_sync (debugger, method, arguments, NULL, NULL, &error);

  if (reply == NULL)
    g_error ("%s: %s", method, error->message);
  flow_debugger_reply_free (reply);
}

static double
run_stopping (Bench *self)
{
  g_autoptr(FlowDebugger) debugger = flow_local_debugger_new ();
  const FlowRunEntry *first = NULL;
  gboolean ended = FALSE;
  gint64 start = 0;

  /* What only restores has no op to stop at. */
  for (guint i = 0; first == NULL || first->restore != NULL; i++)
    first = g_ptr_array_index (self->file->entries, i);
  call (debugger, "Open", g_variant_new ("(sa{sv})", self->path, NULL));
  call (debugger, "ChooseRun", g_variant_new ("(s)", first->name));
  call (debugger, "Move", g_variant_new ("(us)", FLOW_MOVE_RESTART, ""));
  start = g_get_monotonic_time ();
  while (!ended)
    {
      g_autoptr(FlowDebugState) state = NULL;

      call (debugger, "Move", g_variant_new ("(us)", FLOW_MOVE_STEP_OP, ""));
      state = flow_debugger_dup_state (debugger);
      ended = state->status != FLOW_DEBUG_PAUSED;
    }
  return (g_get_monotonic_time () - start) / 1000.0;
}

/* @ms: filled with the best of each way */
static void
take_turns (Bench   *self,
            double   ms[N_WAYS],
            guint64 *n_ops)
{
  for (Way way = 0; way < N_WAYS; way++)
    ms[way] = G_MAXDOUBLE;
  for (guint i = 0; i < ROUNDS; i++)
    for (Way way = 0; way < N_WAYS; way++)
      ms[way] = MIN (ms[way], way == UNDISTURBED ? run_undisturbed (self, n_ops)
                                                 : run_stepped (self, way == WITH_STATISTICS));
}

static void
measure (const char *path)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *graph = NULL;
  Bench self = { NULL, flow_run_file_load (path, &error), NULL };
  guint64 n_ops = 0;
  double ms[N_WAYS];
  double stopping = G_MAXDOUBLE;

  if (self.file == NULL)
    g_error ("%s", error->message);
  self.path = g_canonicalize_filename (path, NULL);
  graph = flow_run_file_resolve (self.file, self.file->graph);
  self.model = flow_model_load (graph, NULL, &error);
  if (self.model == NULL)
    g_error ("%s", error->message);
  take_turns (&self, ms, &n_ops);
  for (guint i = 0; i < STOPPING_ROUNDS; i++)
    stopping = MIN (stopping, run_stopping (&self));
  g_print ("%s: %" G_GUINT64_FORMAT " ops\n", path, n_ops);
  g_print ("  undisturbed                      %8.2f ms\n", ms[UNDISTURBED]);
  g_print ("  history recorded, breakpoints    %8.2f ms, %.2f of it (mark 1.5)\n", ms[RECORDED],
           ms[RECORDED] / ms[UNDISTURBED]);
  g_print ("  and statistics of every output   %8.2f ms, %.2f of it\n", ms[WITH_STATISTICS],
           ms[WITH_STATISTICS] / ms[UNDISTURBED]);
  g_print ("  with a stop at each op           %8.2f ms, %.2f of it\n", stopping,
           stopping / ms[UNDISTURBED]);
  flow_run_file_free (self.file);
  g_object_unref (self.model);
  g_free (self.path);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *set = g_build_filename (g_getenv ("G_TEST_SRCDIR") != NULL ? g_getenv ("G_TEST_SRCDIR") : "tests", "golden",
                                           "training", "mlp-sgd", "flowstep.run.json", NULL);

  flow_kernels_register ();
  if (argc < 2)
    measure (set);
  for (int i = 1; i < argc; i++)
    measure (argv[i]);
  return 0;
}
