/* cli-nodes.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cli.h"

#include <stdio.h>
#include <string.h>

/* As much of an attr as is useful in a listing; constants are shown by `checkpoint show` and steps. */
#define MAX_ATTR_CHARS 4096
#define MAX_ATTR_CHARS_TEXT 60

typedef struct {
  const char *scope;           /* nullable */
  const char *type;            /* nullable */
  GRegex *match;               /* nullable */
} NodeFilter;

static gboolean
is_in_scope (const char *name,
             const char *scope)
{
  gsize length = strlen (scope);

  while (length > 0 && scope[length - 1] == '/')
    length--;
  return strncmp (name, scope, length) == 0 && (name[length] == '/' || name[length] == '\0');
}

static gboolean
filter_matches (const NodeFilter *filter,
                FlowGraph        *graph,
                guint32           node)
{
  const char *name = flow_graph_get_node_name (graph, node);

  return (filter->scope == NULL || is_in_scope (name, filter->scope)) &&
         (filter->type == NULL || strcmp (flow_graph_get_node_type (graph, node), filter->type) == 0) &&
         (filter->match == NULL || g_regex_match (filter->match, name, 0, NULL));
}

/* Inputs as TensorFlow writes them: output 0 without a number, control inputs with ^. */
static char *
input_text (FlowGraph *graph,
            guint32    node,
            guint      i)
{
  FlowEndpoint source;

  if (i >= flow_graph_get_n_inputs (graph, node))
    return flow_graph_endpoint_to_string (graph,
                                          flow_graph_get_control_input (graph, node,
                                                                        i - flow_graph_get_n_inputs (graph, node)),
                                          FLOW_SLOT_CONTROL);
  flow_graph_get_input (graph, node, i, &source);
  if (source.node == FLOW_NODE_NONE)
    return g_strdup ("?");
  if (source.slot == 0)
    return g_strdup (flow_graph_get_node_name (graph, source.node));
  return flow_graph_endpoint_to_string (graph, source.node, source.slot);
}

static void
add_attr (JsonBuilder    *builder,
          const FlowAttr *attr)
{
  g_autofree char *text = NULL;

  if (flow_attr_is_list (attr))
    {
      json_builder_begin_array (builder);
      for (gsize i = 0; i < flow_attr_get_length (attr); i++)
        add_attr (builder, flow_attr_get_item (attr, i));
      json_builder_end_array (builder);
      return;
    }
  switch (flow_attr_get_kind (attr))
    {
    case FLOW_ATTR_INT: json_builder_add_int_value (builder, flow_attr_get_int (attr)); return;
    case FLOW_ATTR_FLOAT: flow_cli_json_double (builder, flow_attr_get_float (attr)); return;
    case FLOW_ATTR_BOOL: json_builder_add_boolean_value (builder, flow_attr_get_bool (attr)); return;
    case FLOW_ATTR_TYPE: flow_cli_json_text (builder, flow_dtype_name (flow_attr_get_dtype (attr)), -1); return;
    case FLOW_ATTR_SHAPE: flow_cli_json_shape (builder, flow_attr_get_shape (attr)); return;
    case FLOW_ATTR_STRING:
      {
        gsize length;
        const char *bytes = flow_attr_get_string (attr, &length);

        flow_cli_json_text (builder, bytes, (gssize) length);
        return;
      }
    case FLOW_ATTR_FUNC:
      flow_cli_json_text (builder, flow_attr_get_func_name (attr), -1);
      return;
    case FLOW_ATTR_TENSOR:
      json_builder_begin_object (builder);
      flow_cli_json_set_text (builder, "dtype", flow_dtype_name (flow_attr_get_dtype (attr)));
      json_builder_set_member_name (builder, "shape");
      flow_cli_json_shape (builder, flow_attr_get_shape (attr));
      json_builder_end_object (builder);
      return;
    case FLOW_ATTR_NONE:
    case FLOW_ATTR_PLACEHOLDER:
    default:
      text = flow_attr_to_text (attr, MAX_ATTR_CHARS);
      flow_cli_json_text (builder, text, -1);
    }
}

static void
add_node (JsonBuilder *builder,
          FlowGraph   *graph,
          guint32      node)
{
  FlowAttrList *attrs = flow_graph_get_node_attrs (graph, node);
  const GError *error = flow_graph_get_node_error (graph, node);
  guint n_inputs = flow_graph_get_n_inputs (graph, node) + flow_graph_get_n_control_inputs (graph, node);

  json_builder_begin_object (builder);
  flow_cli_json_set_text (builder, "name", flow_graph_get_node_name (graph, node));
  flow_cli_json_set_text (builder, "type", flow_graph_get_node_type (graph, node));
  json_builder_set_member_name (builder, "inputs");
  json_builder_begin_array (builder);
  for (guint i = 0; i < n_inputs; i++)
    {
      g_autofree char *text = input_text (graph, node, i);

      flow_cli_json_text (builder, text, -1);
    }
  json_builder_end_array (builder);
  flow_cli_json_set_text (builder, "device", flow_graph_get_node_device (graph, node));
  json_builder_set_member_name (builder, "attrs");
  json_builder_begin_object (builder);
  for (guint i = 0; i < flow_attr_list_get_length (attrs); i++)
    {
      json_builder_set_member_name (builder, flow_attr_list_get_name (attrs, i));
      add_attr (builder, flow_attr_list_get_value (attrs, i));
    }
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "outputs");
  json_builder_begin_array (builder);
  for (guint i = 0; i < flow_graph_get_n_outputs (graph, node); i++)
    {
      json_builder_begin_object (builder);
      flow_cli_json_set_text (builder, "dtype",
                              flow_dtype_name (flow_graph_get_output_dtype (graph, node, i)));
      json_builder_set_member_name (builder, "shape");
      flow_cli_json_shape (builder, flow_graph_get_output_shape (graph, node, i));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  if (error != NULL)
    {
      json_builder_set_member_name (builder, "error");
      flow_cli_json_error (builder, error);
    }
  json_builder_end_object (builder);
}

static void
print_node (FlowGraph *graph,
            guint32    node)
{
  FlowAttrList *attrs = flow_graph_get_node_attrs (graph, node);
  const char *device = flow_graph_get_node_device (graph, node);
  const GError *error = flow_graph_get_node_error (graph, node);
  guint n_inputs = flow_graph_get_n_inputs (graph, node) + flow_graph_get_n_control_inputs (graph, node);

  printf ("%s  %s", flow_graph_get_node_name (graph, node), flow_graph_get_node_type (graph, node));
  for (guint i = 0; i < flow_graph_get_n_outputs (graph, node); i++)
    {
      g_autofree char *shape = flow_shape_to_string (flow_graph_get_output_shape (graph, node, i));

      printf ("%s%s %s", i == 0 ? "  -> " : ", ",
              flow_dtype_name (flow_graph_get_output_dtype (graph, node, i)), shape);
    }
  putchar ('\n');
  for (guint i = 0; i < n_inputs; i++)
    {
      g_autofree char *text = input_text (graph, node, i);

      printf ("    input %s\n", text);
    }
  if (device != NULL && *device != '\0')
    printf ("    device %s\n", device);
  for (guint i = 0; i < flow_attr_list_get_length (attrs); i++)
    {
      g_autofree char *text = flow_attr_to_text (flow_attr_list_get_value (attrs, i), MAX_ATTR_CHARS_TEXT);

      printf ("    %s: %s\n", flow_attr_list_get_name (attrs, i), text);
    }
  if (error != NULL)
    printf ("    error: %s\n", error->message);
}

int
flow_cli_nodes (FlowCli  *cli,
                int       argc,
                char    **argv)
{
  g_autofree char *tags = NULL;
  g_autofree char *scope = NULL;
  g_autofree char *type = NULL;
  g_autofree char *match = NULL;
  const GOptionEntry entries[] = {
    { "scope", 0, 0, G_OPTION_ARG_STRING, &scope, "Only nodes in this name scope", "S" },
    { "type", 0, 0, G_OPTION_ARG_STRING, &type, "Only nodes of this op type", "T" },
    { "match", 0, 0, G_OPTION_ARG_STRING, &match, "Only nodes whose name this regular expression finds", "RE" },
    { "tags", 0, 0, G_OPTION_ARG_STRING, &tags, "Tag set of the meta graph of a SavedModel", "A,B" },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (FlowModel) model = NULL;
  g_autoptr (GRegex) regex = NULL;
  g_autoptr (GError) error = NULL;
  JsonBuilder *builder = NULL;
  FlowGraph *graph;

  if (!flow_cli_parse (cli, &argc, &argv, entries, 1, 1))
    return cli->status;
  if (match != NULL)
    {
      regex = g_regex_new (match, G_REGEX_OPTIMIZE, 0, &error);
      if (regex == NULL)
        return flow_cli_usage (cli, "--match: %s", error->message);
    }
  model = flow_cli_load_model (cli, argv[1], tags);
  if (model == NULL)
    return cli->status;

  graph = flow_model_get_graph (model);
  if (cli->json)
    {
      builder = json_builder_new ();
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "nodes");
      json_builder_begin_array (builder);
    }
  for (guint32 i = 0; i < flow_graph_get_n_nodes (graph); i++)
    {
      NodeFilter filter = { scope, type, regex };

      if (!filter_matches (&filter, graph, i))
        continue;
      if (builder != NULL)
        add_node (builder, graph, i);
      else
        print_node (graph, i);
    }
  if (builder != NULL)
    {
      json_builder_end_array (builder);
      json_builder_end_object (builder);
      flow_cli_json_print (builder);
    }
  return FLOW_CLI_OK;
}
