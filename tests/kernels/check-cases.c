/* check-cases.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Checks the cases of a file in the golden format, for tests/oracle/differ.py. Each line it writes is
 * "> N" before case N is run and "! TEXT" (escaped) for what differs in it; a crash or a hang is
 * therefore that of the last case named. */

/* Seconds that one case may take: the cases are small. */
#define CASE_SECONDS 20

static void
check_case (const FlowGoldenCase *golden,
            guint                 index)
{
  printf ("> %u\n", index);
  fflush (stdout);
  alarm (CASE_SECONDS);
  for (int forwarding = 0; forwarding < 2; forwarding++)
    {
      g_autofree char *problem = flow_golden_check (golden, forwarding);
      g_autofree char *escaped = NULL;

      if (problem == NULL)
        continue;
      escaped = g_strescape (problem, NULL);
      printf ("! %s%s\n", forwarding ? "in place: " : "", escaped);
      fflush (stdout);
      break;
    }
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GPtrArray) cases = NULL;
  g_autoptr (GError) error = NULL;

  if (argc < 2)
    {
      fprintf (stderr, "usage: check-cases FILE [FIRST]\n");
      return 2;
    }
  flow_kernels_register ();
  cases = flow_golden_load (argv[1], &error);
  if (cases == NULL)
    {
      fprintf (stderr, "check-cases: %s\n", error->message);
      return 2;
    }
  for (guint i = argc > 2 ? (guint) atoi (argv[2]) : 0; i < cases->len; i++)
    check_case (cases->pdata[i], i);
  return 0;
}
