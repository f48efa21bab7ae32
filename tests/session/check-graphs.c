/* check-graphs.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-golden-graph.h"
#include "flow-kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Checks the graphs of a file for tests/oracle/differ_graphs.py, as check-cases does the cases of differ.py: "> N"
 * before graph N is run and "! TEXT" (escaped) for what differs in it. */

/* Seconds that one graph may take: they are small. */
#define GRAPH_SECONDS 20

int
main (int    argc,
      char **argv)
{
  g_autoptr (GPtrArray) graphs = NULL;
  g_autoptr (GError) error = NULL;

  if (argc < 3)
    {
      fprintf (stderr, "usage: check-graphs FILE FOLDER [FIRST]\n");
      return 2;
    }
  flow_kernels_register ();
  graphs = flow_golden_graphs_load (argv[1], &error);
  if (graphs == NULL)
    {
      fprintf (stderr, "check-graphs: %s\n", error->message);
      return 2;
    }
  for (guint i = argc > 3 ? (guint) atoi (argv[3]) : 0; i < graphs->len; i++)
    {
      g_autofree char *problem = NULL;
      g_autofree char *escaped = NULL;

      printf ("> %u\n", i);
      fflush (stdout);
      alarm (GRAPH_SECONDS);
      problem = flow_golden_graph_check (graphs->pdata[i], argv[2]);
      if (problem == NULL)
        continue;
      escaped = g_strescape (problem, NULL);
      printf ("! %s\n", escaped);
      fflush (stdout);
    }
  return 0;
}
