/* flow-load-graph.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-formats-private.h"

#include <string.h>

/* What a node takes in a FlowGraph and while it is imported, names and edges apart; measured. */
#define NODE_COST 448
#define INPUT_COST 48
/* How often cancelling is looked at. */
#define NODES_PER_CHECK 4096

/* The version of TensorFlow's GraphDef format that we are: that of release 1.15. */
#define GRAPH_DEF_VERSION 134
#define MIN_PRODUCER 0

/* The nodes of a GraphDef on their way into a graph. */
typedef struct {
  FlowNodeDef *nodes;
  gsize n_nodes;
  gsize n_allocated;
  GStringChunk *strings;
  GPtrArray *inputs;           /* of all nodes, one after the other */
} NodeDefs;

static void
node_defs_init (NodeDefs *defs)
{
  memset (defs, 0, sizeof *defs);
  defs->strings = g_string_chunk_new (64 * 1024);
  defs->inputs = g_ptr_array_new ();
}

static void
node_defs_clear (NodeDefs *defs)
{
  for (gsize i = 0; i < defs->n_nodes; i++)
    g_clear_pointer (&defs->nodes[i].attrs, flow_attr_list_unref);
  g_free (defs->nodes);
  g_string_chunk_free (defs->strings);
  g_ptr_array_unref (defs->inputs);
}

static gsize
count_fields (const FlowProtoReader *at,
              guint32                field)
{
  FlowProtoReader r;
  gsize n = 0;

  flow_proto_reader_init (&r, at->pos, (gsize) (at->end - at->pos));
  while (flow_proto_reader_next (&r))
    n += r.field == field && r.wire == FLOW_WIRE_BYTES;
  return n;
}

/* A string of the file as a C string that lives as long as @defs. */
static const char *
hold_string (NodeDefs        *defs,
             FlowProtoReader *r)
{
  const char *text;
  gsize length;

  if (!flow_proto_reader_get_string (r, &text, &length))
    return NULL;
  if (memchr (text, 0, length) != NULL)
    {
      flow_proto_reader_fail (r, "a name has a 00 byte");
      return NULL;
    }
  return g_string_chunk_insert_len (defs->strings, text, (gssize) length);
}

static void
load_node (FlowLoad        *self,
           FlowProtoReader *r,
           NodeDefs        *defs,
           FlowNodeDef     *node)
{
  FlowProtoReader sub;
  const char *text;

  while (flow_proto_reader_next (r))
    switch (r->field)
      {
      case 1:
        /* Whatever bytes stand here are judged with the names' own rule, by the graph. */
        if (r->wire == FLOW_WIRE_BYTES)
          {
            node->name = g_string_chunk_insert_len (defs->strings, (const char *) r->data,
                                                    (gssize) r->size);
            node->name_length = r->size;
            self->node_name = node->name;
          }
        break;
      case 2:
        text = hold_string (defs, r);
        if (text != NULL)
          self->node_op = node->op = text;
        break;
      case 3:
        text = hold_string (defs, r);
        if (text != NULL && _flow_load_charge (self, r, INPUT_COST))
          g_ptr_array_add (defs->inputs, (gpointer) text);
        break;
      case 4:
        text = hold_string (defs, r);
        if (text != NULL)
          node->device = text;
        break;
      case 5:
        if (flow_proto_reader_enter (r, &sub) && !_flow_load_attr_entry (self, &sub, node->attrs) &&
            self->error != NULL)
          flow_error_set_node (self->error, node->name, node->op);
        break;
      default:
        break;
      }
}

/* Reads a NodeDef; its inputs go behind those of the nodes before it. */
static gboolean
add_node (FlowLoad        *self,
          FlowProtoReader *r,
          FlowProtoReader *sub,
          NodeDefs        *defs)
{
  FlowNodeDef *node = &defs->nodes[defs->n_nodes];
  guint first_input = defs->inputs->len;

  if (!_flow_load_charge (self, r, NODE_COST + sub->end - sub->pos))
    return FALSE;
  memset (node, 0, sizeof *node);
  node->name = "";
  node->op = "";
  node->offset = (gint64) flow_proto_reader_get_offset (r);
  node->attrs = flow_attr_list_new ();
  defs->n_nodes++;
  load_node (self, sub, defs, node);
  self->node_name = NULL;
  self->node_op = NULL;
  node->n_inputs = defs->inputs->len - first_input;
  return !flow_proto_reader_failed (r);
}

/* TF: CheckVersions. */
static gboolean
check_versions (int            producer,
                int            min_consumer,
                const GArray  *bad_consumers,
                GError       **error)
{
  FLOW_REQUIRE (producer >= MIN_PRODUCER, error, INVALID_ARGUMENT,
                "GraphDef producer version %d below min producer %d supported by TensorFlow 1.15.  "
                "Please regenerate your graph.", producer, MIN_PRODUCER);
  FLOW_REQUIRE (min_consumer <= GRAPH_DEF_VERSION, error, INVALID_ARGUMENT,
                "GraphDef min consumer version %d above current version %d for TensorFlow 1.15.  "
                "Please upgrade TensorFlow.", min_consumer, GRAPH_DEF_VERSION);
  for (guint i = 0; i < bad_consumers->len; i++)
    FLOW_REQUIRE (g_array_index (bad_consumers, int, i) != GRAPH_DEF_VERSION, error, INVALID_ARGUMENT,
                  "GraphDef disallows consumer version %d.  Please upgrade TensorFlow: this version "
                  "is likely buggy.", GRAPH_DEF_VERSION);
  return TRUE;
}

typedef struct {
  int old_version;
  gboolean has_versions;
  int producer;
  int min_consumer;
  GArray *bad_consumers;
} Versions;

static void
load_versions (FlowProtoReader *r,
               Versions        *versions)
{
  guint64 number;

  versions->has_versions = TRUE;
  while (flow_proto_reader_next (r))
    switch (r->field)
      {
      case 1: flow_proto_reader_get_int32 (r, &versions->producer); break;
      case 2: flow_proto_reader_get_int32 (r, &versions->min_consumer); break;
      case 3:
        while (flow_proto_reader_each_varint (r, &number))
          {
            int value = (int) (gint32) (guint32) number;

            g_array_append_val (versions->bad_consumers, value);
          }
        break;
      default: break;
      }
}

/* The functions of the library so far: their bytes by name, to tell repeats from contradictions. */
typedef struct {
  GPtrArray *functions;        /* of FlowFunction */
  GHashTable *spans;           /* name -> GBytes */
  GHashTable *gradients;       /* name -> name */
} Library;

/* TF: FunctionLibraryDefinition::AddFunctionDef. What the graph has already stays as it is: a client
 * that extends a graph sends the whole library again. */
static void
add_function (FlowLoad              *self,
              const FlowProtoReader *at,
              FlowProtoReader       *r,
              FlowGraph             *graph,
              Library               *library)
{
  FlowFunction *function = _flow_load_function_def (self, r);
  GBytes *bytes;
  GBytes *before;
  GError *error;

  if (function == NULL)
    return;
  bytes = g_bytes_new_from_bytes (self->file, (gsize) (at->data - self->base), at->size);
  before = g_hash_table_lookup (library->spans, function->name);
  if (before == NULL && flow_graph_find_function (graph, function->name) == NULL)
    {
      g_hash_table_insert (library->spans, g_strdup (function->name), bytes);
      g_ptr_array_add (library->functions, function);
      return;
    }
  if (before != NULL && !g_bytes_equal (before, bytes))
    {
      error = g_error_new (FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                           "Cannot add function '%s' because a different function with the same name "
                           "already exists.", function->name);
      if (self->is_strict)
        _flow_load_take_error (self, r, error);
      else
        _flow_load_take_node_problem (self, r, error);
    }
  g_bytes_unref (bytes);
  flow_function_free (function);
}

static void
load_library (FlowLoad        *self,
              FlowProtoReader *r,
              FlowGraph       *graph,
              Library         *library)
{
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    {
      g_autofree char *name = NULL;
      g_autofree char *gradient = NULL;

      if (r->field == 1 && flow_proto_reader_enter (r, &sub))
        add_function (self, r, &sub, graph, library);
      else if (r->field == 2 && flow_proto_reader_enter (r, &sub))
        {
          while (flow_proto_reader_next (&sub))
            if (sub.field == 1)
              flow_proto_reader_dup_string (&sub, &name);
            else if (sub.field == 2)
              flow_proto_reader_dup_string (&sub, &gradient);
          if (name != NULL && gradient != NULL)
            g_hash_table_replace (library->gradients, g_steal_pointer (&name), g_steal_pointer (&gradient));
        }
    }
}

static void
read_fields (FlowLoad        *self,
             FlowProtoReader *r,
             FlowGraph       *graph,
             NodeDefs        *defs,
             Versions        *versions,
             Library         *library)
{
  gsize size = (gsize) (r->end - r->pos) + 1;
  const guint8 *start = r->pos;
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    switch (r->field)
      {
      case 1:
        if (!flow_proto_reader_enter (r, &sub) || !add_node (self, r, &sub, defs))
          break;
        if (defs->n_nodes % NODES_PER_CHECK == 0)
          _flow_load_check_cancelled (self, r, (double) (r->pos - start) / (double) size);
        break;
      case 2:
        if (flow_proto_reader_enter (r, &sub))
          load_library (self, &sub, graph, library);
        break;
      case 3:
        flow_proto_reader_get_int32 (r, &versions->old_version);
        break;
      case 4:
        if (flow_proto_reader_enter (r, &sub))
          load_versions (&sub, versions);
        break;
      default:
        break;
      }
}

static gboolean
import_nodes (FlowLoad   *self,
              FlowGraph  *graph,
              NodeDefs   *defs,
              Versions   *versions,
              Library    *library,
              GError    **error)
{
  const char *const *inputs = (const char *const *) defs->inputs->pdata;

  for (gsize i = 0; i < defs->n_nodes; i++)
    {
      defs->nodes[i].inputs = inputs;
      inputs = inputs != NULL ? inputs + defs->nodes[i].n_inputs : NULL;
    }
  if (!versions->has_versions)
    versions->producer = versions->old_version;
  if (!check_versions (versions->producer, versions->min_consumer, versions->bad_consumers, error))
    return FALSE;
  /* An extension without versions says nothing of the whole. */
  if (versions->has_versions || versions->old_version != 0)
    flow_graph_set_versions (graph, versions->producer, versions->min_consumer,
                             (const int *) (gpointer) versions->bad_consumers->data,
                             versions->bad_consumers->len);
  for (guint i = 0; i < library->functions->len; i++)
    {
      FlowFunction *function = g_steal_pointer (&library->functions->pdata[i]);

      function->gradient = g_strdup (g_hash_table_lookup (library->gradients, function->name));
      flow_graph_take_function (graph, function);
    }
  return flow_graph_import (graph, defs->nodes, defs->n_nodes, self->is_strict ? NULL : self->problems,
                            error);
}

static void
free_function (gpointer function)
{
  if (function != NULL)
    flow_function_free (function);
}

/* Reads a GraphDef into @graph, all or nothing. */
gboolean
_flow_load_graph_def (FlowLoad        *self,
                      FlowProtoReader *reader,
                      FlowGraph       *graph)
{
  g_autoptr (GPtrArray) functions = g_ptr_array_new_with_free_func (free_function);
  g_autoptr (GHashTable) gradients = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) spans = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                        (GDestroyNotify) g_bytes_unref);
  g_autoptr (GArray) bad_consumers = g_array_new (FALSE, FALSE, sizeof (int));
  Versions versions = { .bad_consumers = bad_consumers };
  Library library = { functions, spans, gradients };
  GError *error = NULL;
  NodeDefs defs;

  node_defs_init (&defs);
  defs.n_allocated = count_fields (reader, 1);
  /* Asked for as a whole before anything is made: this is what a flood of empty nodes would take. */
  if (_flow_load_charge (self, reader, defs.n_allocated * NODE_COST))
    {
      self->charged -= defs.n_allocated * NODE_COST;
      defs.nodes = g_try_malloc_n (MAX (defs.n_allocated, 1), sizeof (FlowNodeDef));
      if (defs.nodes == NULL)
        error = g_error_new (FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "%s; no memory for %"
                             G_GSIZE_FORMAT " nodes", self->label, defs.n_allocated);
      else
        read_fields (self, reader, graph, &defs, &versions, &library);
      if (error == NULL && !flow_proto_reader_failed (reader))
        import_nodes (self, graph, &defs, &versions, &library, &error);
    }
  if (error != NULL)
    _flow_load_take_error (self, reader, error);
  node_defs_clear (&defs);
  return !flow_proto_reader_failed (reader);
}
