/* cli-convert.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cli.h"

#include <stdio.h>
#include <string.h>

/* What the new file shall be, told by its name: .pb and .pbtxt keep a SavedModel or MetaGraphDef what
 * it is where that is how such a file is called, else they hold the graph alone. */
static gboolean
choose_target (const char    *out,
               FlowModelKind  from,
               FlowModelKind *kind,
               gboolean      *as_text)
{
  g_autofree char *name = g_path_get_basename (out);

  *as_text = g_str_has_suffix (name, ".pbtxt");
  if (*as_text)
    *kind = from;
  else if (g_str_has_suffix (name, ".meta"))
    *kind = FLOW_MODEL_META_GRAPH;
  else if (g_str_has_suffix (name, ".pb"))
    *kind = strcmp (name, "saved_model.pb") == 0 || from == FLOW_MODEL_SAVED_MODEL
            ? FLOW_MODEL_SAVED_MODEL : FLOW_MODEL_GRAPH_DEF;
  else
    return FALSE;
  return TRUE;
}

int
flow_cli_convert (FlowCli  *cli,
                  int       argc,
                  char    **argv)
{
  g_autofree char *out = NULL;
  gboolean deterministic = FALSE;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &out, "The file to write: its name tells what it becomes", "OUT" },
    { "deterministic", 0, 0, G_OPTION_ARG_NONE, &deterministic,
      "In the official order, so that files that say the same become the same bytes", NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowModel) model = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) converted = NULL;
  FlowModelKind kind;
  gboolean as_text;

  if (!flow_cli_parse (cli, &argc, &argv, entries, 1, 1))
    return cli->status;
  if (out == NULL)
    return flow_cli_usage (cli, "convert takes FILE -o OUT");

  /* Opened as well as converted: nothing damaged is written on. */
  model = flow_cli_load_model (cli, argv[1], NULL);
  if (model == NULL)
    return cli->status;
  if (!choose_target (out, flow_model_get_kind (model), &kind, &as_text))
    return flow_cli_usage (cli, "%s: the name must end in .pb, .pbtxt or .meta", out);
  bytes = flow_model_read_bytes (argv[1], &error);
  if (bytes != NULL)
    converted = flow_model_convert_bytes (bytes, argv[1], kind, as_text, &error);
  if (converted != NULL && deterministic && !as_text)
    {
      GBytes *ordered = flow_model_order_bytes (converted, argv[1], &error);

      g_bytes_unref (converted);
      converted = ordered;
    }
  if (converted == NULL)
    return flow_cli_bad_file (cli, argv[1], error);
  if (!flow_write_file_safely (out, converted, &error))
    return flow_cli_failed (cli, out, error);

  if (cli->json)
    {
      JsonBuilder *builder = json_builder_new ();

      json_builder_begin_object (builder);
      flow_cli_json_set_text (builder, "output", out);
      flow_cli_json_set_int (builder, "bytes", (gint64) g_bytes_get_size (converted));
      json_builder_end_object (builder);
      flow_cli_json_print (builder);
    }
  return FLOW_CLI_OK;
}
