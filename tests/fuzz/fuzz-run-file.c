/* fuzz-run-file.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-run-file.h"
#include "fuzz-driver.h"

#include <string.h>

/* Reads bytes as a run file; what is read is written, and that is read again to the same text. */

const char *const fuzz_seeds[] = { "golden/fuzz/all.run.json", NULL };

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr (FlowRunFile) file = flow_run_file_parse ((const char *) data, (gssize) size, "/folder", NULL);
  g_autoptr (FlowRunFile) again = NULL;
  g_autofree char *json = NULL;
  g_autofree char *json_again = NULL;

  if (file == NULL)
    return 0;
  json = flow_run_file_to_json (file);
  again = flow_run_file_parse (json, -1, "/folder", NULL);
  g_assert_nonnull (again);
  json_again = flow_run_file_to_json (again);
  g_assert_cmpstr (json, ==, json_again);
  return 0;
}
