/* cli-diagnose.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cli.h"

#include <stdio.h>
#include <string.h>

/* Names in one finding of the text form; JSON has all. */
#define MAX_NAMES 12

/* --- Printing --- */

static void
print_json (GPtrArray *findings)
{
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "findings");
  json_builder_begin_array (builder);
  for (guint i = 0; i < findings->len; i++)
    {
      const FlowFinding *finding = findings->pdata[i];

      json_builder_begin_object (builder);
      flow_cli_json_set_text (builder, "id", finding->id);
      flow_cli_json_set_text (builder, "severity", flow_finding_severity_name (finding->severity));
      json_builder_set_member_name (builder, "nodes");
      json_builder_begin_array (builder);
      for (guint k = 0; k < finding->nodes->len; k++)
        flow_cli_json_text (builder, finding->nodes->pdata[k], -1);
      json_builder_end_array (builder);
      flow_cli_json_set_text (builder, "text", finding->text);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  flow_cli_json_print (builder);
}

static void
print_text (GPtrArray *findings)
{
  if (findings->len == 0)
    printf ("Nothing found.\n");
  for (guint i = 0; i < findings->len; i++)
    {
      const FlowFinding *finding = findings->pdata[i];

      printf ("%s: %s: %s\n", flow_finding_severity_name (finding->severity), finding->id, finding->text);
      for (guint k = 0; k < MIN (finding->nodes->len, MAX_NAMES); k++)
        printf ("    %s\n", (char *) finding->nodes->pdata[k]);
      if (finding->nodes->len > MAX_NAMES)
        printf ("    and %u more\n", finding->nodes->len - MAX_NAMES);
    }
}

static int
parse_severity (const char *text)
{
  for (int i = FLOW_FINDING_NOTE; i <= FLOW_FINDING_DAMAGE; i++)
    if (strcmp (flow_finding_severity_name (i), text) == 0)
      return i;
  return -1;
}

int
flow_cli_diagnose (FlowCli  *cli,
                   int       argc,
                   char    **argv)
{
  g_autofree char *tags = NULL;
  g_autofree char *fail_on = NULL;
  g_auto (GStrv) targets = NULL;
  const GOptionEntry entries[] = {
    { "target", 0, 0, G_OPTION_ARG_STRING_ARRAY, &targets, "An op that is run to train", "N" },
    { "fail-on", 0, 0, G_OPTION_ARG_STRING, &fail_on, "Exit with 1 if something is found of this severity or above: "
      "note, warning, damage", "SEVERITY" },
    { "tags", 0, 0, G_OPTION_ARG_STRING, &tags, "Tag set of the meta graph of a SavedModel", "A,B" },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (FlowModel) model = NULL;
  g_autoptr (GPtrArray) findings = NULL;
  g_autoptr (GError) error = NULL;
  int least = FLOW_FINDING_DAMAGE + 1;

  if (!flow_cli_parse (cli, &argc, &argv, entries, 1, 1))
    return cli->status;
  if (fail_on != NULL && (least = parse_severity (fail_on)) < 0)
    return flow_cli_usage (cli, "--fail-on takes note, warning or damage, not %s", fail_on);
  model = flow_cli_load_model (cli, argv[1], tags);
  if (model == NULL)
    return cli->status;
  findings = flow_diagnose_graph (flow_model_get_graph (model), flow_model_get_problems (model));
  if (!flow_diagnose_targets (flow_model_get_graph (model), (const char *const *) targets, findings, &error))
    return flow_cli_failed (cli, argv[1], error);
  if (cli->json)
    print_json (findings);
  else
    print_text (findings);
  for (guint i = 0; i < findings->len; i++)
    if ((int) ((FlowFinding *) findings->pdata[i])->severity >= least)
      return FLOW_CLI_NO;
  return FLOW_CLI_OK;
}
