/* fuzz-npz.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-npz.h"
#include "fuzz-driver.h"

#include <glib/gstdio.h>

/* Reads bytes as an archive of arrays, and every array in it. */

const char *const fuzz_seeds[] = { "golden/fuzz/small.npz", NULL };

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autofree char *folder = g_dir_make_tmp ("flow-fuzz-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.npz", NULL);
  g_autoptr (FlowBudget) budget = flow_budget_new (16 << 20);
  g_autoptr (FlowNpz) npz = NULL;

  g_assert_true (g_file_set_contents_full (path, (const char *) data, (gssize) size, G_FILE_SET_CONTENTS_NONE, 0600,
                                           NULL));
  npz = flow_npz_open (path, NULL);
  if (npz != NULL)
    {
      g_auto (GStrv) keys = flow_npz_list_keys (npz);

      for (guint i = 0; keys[i] != NULL; i++)
        {
          g_autoptr (FlowTensor) tensor = flow_npz_read (npz, keys[i], budget, NULL);
        }
    }
  g_unlink (path);
  g_rmdir (folder);
  return 0;
}
