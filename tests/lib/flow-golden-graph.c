/* flow-golden-graph.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-golden-graph.h"

#include "flow-model.h"
#include "flow-session.h"

/* Runs that wait longer than this wait for what never comes. */
#define WAITS_MS 5000

typedef struct {
  char **feeds;
  GPtrArray *values;           /* of FlowTensor, of the feeds */
  char **fetches;
  char **targets;
  GPtrArray *outputs;          /* of FlowTensor, entries nullable */
  int error_code;              /* 0: none */
  char *error_message;
} Run;

struct _FlowGoldenGraph {
  char *name;
  GBytes *graph_def;
  double tolerance;            /* negative: the dtype's own */
  GPtrArray *runs;             /* of Run */
};

/* --- reading ------------------------------------------------------------------------------------------------ */

static void
run_free (gpointer data)
{
  Run *self = data;

  g_strfreev (self->feeds);
  g_strfreev (self->fetches);
  g_strfreev (self->targets);
  g_ptr_array_unref (self->values);
  g_ptr_array_unref (self->outputs);
  g_free (self->error_message);
  g_free (self);
}

static void
graph_free (gpointer data)
{
  FlowGoldenGraph *self = data;

  g_free (self->name);
  g_bytes_unref (self->graph_def);
  g_ptr_array_unref (self->runs);
  g_free (self);
}

static void
unref_tensor (gpointer tensor)
{
  if (tensor != NULL)
    flow_tensor_unref (tensor);
}

static char **
read_names (JsonObject *object,
            const char *member)
{
  JsonArray *array = json_object_has_member (object, member) ? json_object_get_array_member (object, member) : NULL;
  guint n = array != NULL ? json_array_get_length (array) : 0;
  char **names = g_new0 (char *, n + 1);

  for (guint i = 0; i < n; i++)
    names[i] = g_strdup (json_array_get_string_element (array, i));
  return names;
}

static GPtrArray *
read_tensors (JsonObject *object,
              const char *member)
{
  JsonArray *array = json_object_has_member (object, member) ? json_object_get_array_member (object, member) : NULL;
  GPtrArray *tensors = g_ptr_array_new_with_free_func (unref_tensor);

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    g_ptr_array_add (tensors, flow_golden_read_tensor (json_array_get_element (array, i)));
  return tensors;
}

static Run *
read_run (JsonObject *object)
{
  Run *self = g_new0 (Run, 1);

  self->feeds = read_names (object, "feeds");
  self->values = read_tensors (object, "values");
  self->fetches = read_names (object, "fetches");
  self->targets = read_names (object, "targets");
  self->outputs = read_tensors (object, "outputs");
  if (json_object_has_member (object, "error"))
    {
      JsonObject *error = json_object_get_object_member (object, "error");

      self->error_code = (int) json_object_get_int_member (error, "code");
      self->error_message = g_strdup (json_object_get_string_member (error, "message"));
    }
  return self;
}

static FlowGoldenGraph *
read_graph (JsonObject *object)
{
  FlowGoldenGraph *self = g_new0 (FlowGoldenGraph, 1);
  JsonArray *runs = json_object_get_array_member (object, "runs");
  gsize length;
  guchar *bytes = g_base64_decode (json_object_get_string_member (object, "graph"), &length);

  self->name = g_strdup (json_object_get_string_member (object, "name"));
  self->graph_def = g_bytes_new_take (bytes, length);
  self->tolerance = json_object_get_double_member_with_default (object, "tolerance", -1);
  self->runs = g_ptr_array_new_with_free_func (run_free);
  for (guint i = 0; i < json_array_get_length (runs); i++)
    g_ptr_array_add (self->runs, read_run (json_array_get_object_element (runs, i)));
  return self;
}

GPtrArray *
flow_golden_graphs_load (const char  *path,
                         GError     **error)
{
  g_autoptr (GInputStream) stream = flow_golden_open (path, error);
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GPtrArray) graphs = g_ptr_array_new_with_free_func (graph_free);
  JsonArray *array;

  if (stream == NULL || !json_parser_load_from_stream (parser, stream, NULL, error))
    return NULL;
  array = json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)), "graphs");
  for (guint i = 0; i < json_array_get_length (array); i++)
    g_ptr_array_add (graphs, read_graph (json_array_get_object_element (array, i)));
  return g_steal_pointer (&graphs);
}

const char *
flow_golden_graph_get_name (const FlowGoldenGraph *self)
{
  return self->name;
}

/* --- running ------------------------------------------------------------------------------------------------ */

static char *
compare_outputs (const FlowGoldenGraph *self,
                 const Run             *run,
                 const GPtrArray       *got)
{
  for (guint i = 0; i < run->outputs->len; i++)
    {
      const FlowTensor *expected = run->outputs->pdata[i];
      g_autofree char *problem = NULL;

      if (expected == NULL)
        continue;
      problem = got->pdata[i] != NULL ? flow_golden_compare (expected, got->pdata[i], self->tolerance, -1)
                                      : g_strdup ("there is none");
      if (problem != NULL)
        return g_strdup_printf ("%s: %s", run->fetches[i], problem);
    }
  return NULL;
}

static char *
check_run (const FlowGoldenGraph *self,
           FlowSession           *session,
           const Run             *run)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) got = flow_session_run (session, (const char *const *) run->feeds, run->values,
                                                (const char *const *) run->fetches, (const char *const *) run->targets,
                                                WAITS_MS, NULL, &error);

  if (got == NULL)
    return flow_golden_compare_error (run->error_code, run->error_message, error);
  if (run->error_code != 0)
    return g_strdup_printf ("succeeds; TensorFlow fails with %s: %s", flow_error_code_name (run->error_code),
                            run->error_message);
  return compare_outputs (self, run, got);
}

char *
flow_golden_graph_check (const FlowGoldenGraph *self,
                         const char            *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowModel) model = flow_model_load_bytes (self->graph_def, self->name, NULL, &error);
  g_autoptr (FlowSession) session = NULL;

  if (model == NULL)
    return g_strdup_printf ("is not loaded: %s", error->message);
  session = flow_session_new (flow_model_get_graph (model), NULL);
  flow_session_set_folder (session, folder);
  for (guint i = 0; i < self->runs->len; i++)
    {
      g_autofree char *problem = check_run (self, session, self->runs->pdata[i]);

      if (problem != NULL)
        return g_strdup_printf ("run %u: %s", i, problem);
    }
  return NULL;
}
