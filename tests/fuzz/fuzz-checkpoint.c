/* fuzz-checkpoint.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "flow-checkpoint.h"
#include "flow-checkpoint-state.h"
#include "flow-crc32c.h"
#include "flow-proto-reader.h"
#include "fuzz-driver.h"

/* Reads bytes as a table file of either kind, as they are and with the checksum of the first block made
 * right, and as a state file. */

const char *const fuzz_seeds[] = { "golden/checkpoint/sliced.index", "golden/checkpoint/all.v1",
                                   "golden/checkpoint/sliced.v1", NULL };

static void
read_file (const char *path,
           gboolean    v1)
{
  g_autoptr (FlowCheckpoint) checkpoint = v1 ? flow_checkpoint_open_v1 (path, NULL) : flow_checkpoint_open (path, NULL);
  g_autoptr (FlowBudget) budget = flow_budget_new (16 << 20);

  for (guint i = 0; checkpoint != NULL && i < flow_checkpoint_get_n_tensors (checkpoint); i++)
    {
      g_autoptr (FlowTensor) tensor =
        flow_checkpoint_read (checkpoint, flow_checkpoint_get_tensor (checkpoint, i)->name, budget, NULL);
    }
}

static void
write_and_read (const char   *folder,
                const guint8 *data,
                gsize         size)
{
  g_autofree char *index = g_build_filename (folder, "m.index", NULL);
  g_autofree char *shard = g_build_filename (folder, "m.data-00000-of-00001", NULL);
  FILE *file = fopen (index, "wb");

  g_assert_nonnull (file);
  fwrite (data, 1, size, file);
  fclose (file);
  file = fopen (shard, "wb");
  fwrite (data, 1, size, file);
  fclose (file);
  read_file (index, FALSE);
  read_file (index, TRUE);
  g_unlink (index);
  g_unlink (shard);
}

/* The first block ends where the footer says that the second begins. */
static void
repair (guint8 *data,
        gsize   size)
{
  const guint8 *footer = data + size - 48;
  guint64 offset = 0;
  guint32 crc;

  if (size < 48 || !flow_proto_read_varint (&footer, footer + 10, &offset) || offset < 5 || offset > size - 48)
    return;
  crc = GUINT32_TO_LE (flow_crc32c_mask (flow_crc32c (data, (gsize) offset - 4)));
  memcpy (data + offset - 4, &crc, 4);
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autofree char *folder = g_dir_make_tmp ("flow-fuzz-XXXXXX", NULL);
  g_autofree guint8 *copy = g_memdup2 (data, size);
  g_autoptr (FlowCheckpointState) state = flow_checkpoint_state_parse ((const char *) data, (gssize) size, NULL);

  write_and_read (folder, data, size);
  if (size >= 48)
    {
      repair (copy, size);
      write_and_read (folder, copy, size);
    }
  g_rmdir (folder);
  return 0;
}
