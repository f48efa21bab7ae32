/* flowstep-cli.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "cli/flow-cli.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
  const char *name;
  FlowCliFunc run;
  const char *args;
  const char *summary;
} commands[] = {
#define FLOW_CLI_COMMAND(name, symbol, args, summary) { name, flow_cli_##symbol, args, summary },
#include "cli/flow-cli-commands.h"
#undef FLOW_CLI_COMMAND
};

static void
print_help (FILE *out)
{
  fprintf (out, "Usage: flowstep-cli COMMAND [OPTION...] [ARGUMENT...]\n\n"
                "Looks into TensorFlow-1 graphs and checkpoints, runs and steps them.\n\n");
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    fprintf (out, "  %-12s %s\n", commands[i].name, commands[i].summary);
  fprintf (out, "\nflowstep-cli COMMAND --help says more; every command takes --json.\n");
}

int
main (int    argc,
      char **argv)
{
  /* Numbers keep their point; file names and messages are UTF-8. */
  setlocale (LC_CTYPE, "");
  g_set_prgname ("flowstep-cli");
  flow_kernels_register ();

  if (argc < 2)
    {
      print_help (stderr);
      return FLOW_CLI_USAGE;
    }
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0 || strcmp (argv[1], "help") == 0)
    {
      print_help (stdout);
      return FLOW_CLI_OK;
    }
  if (strcmp (argv[1], "--version") == 0)
    {
      printf ("flowstep-cli %s\n", PACKAGE_VERSION);
      return FLOW_CLI_OK;
    }
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (argv[1], commands[i].name) == 0)
      {
        FlowCli cli = { .command = commands[i].name, .args = commands[i].args,
                        .summary = commands[i].summary, .color = isatty (STDOUT_FILENO),
                        .progress = isatty (STDERR_FILENO) };
        int status = commands[i].run (&cli, argc - 1, argv + 1);

        /* A full disk or a closed pipe behind standard output is an error of ours to tell. */
        if (fflush (stdout) != 0 && status == FLOW_CLI_OK)
          {
            fprintf (stderr, "flowstep-cli: standard output: cannot be written\n");
            return FLOW_CLI_NO;
          }
        return status;
      }
  fprintf (stderr, "flowstep-cli: %s: no such command; flowstep-cli --help lists them\n", argv[1]);
  return FLOW_CLI_USAGE;
}
