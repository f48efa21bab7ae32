/* test-local.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "debugger-suite.h"
#include "flow-local-debugger.h"

int
main (int    argc,
      char **argv)
{
  guint n = 0;

  g_test_init (&argc, &argv, NULL);

  n = debugger_suite_add ("/debugger/local", flow_local_debugger_new);
  g_test_message ("%u tests of a debugger", n);
  return g_test_run ();
}
