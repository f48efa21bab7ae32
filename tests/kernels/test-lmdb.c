/* test-lmdb.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Damaged LMDB files. What sound ones hold is in the golden cases.
 */

#include "config.h"

#include "flow-lmdb-private.h"
#include "flow-test-damage.h"

#include <glib/gstdio.h>
#include <string.h>

#define PAGE 256
#define N_PAGES 7
/* The least number of cases that the damage is drawn from. */
#define SAMPLE 3000

static void
put (guint8  *at,
     guint64  value,
     gsize    n)
{
  value = GUINT64_TO_LE (value);
  memcpy (at, &value, n);
}

static guint8 *
begin_page (guint8  *file,
            guint64  number,
            guint    kind,
            guint    n_nodes)
{
  guint8 *page = file + number * PAGE;

  put (page, number, 8);
  put (page + 10, kind, 2);
  put (page + 12, 16 + 2 * n_nodes, 2);
  return page;
}

/* Node @i, at byte 64 and so on of its page: behind the key of one letter comes @data, of 8 bytes. */
static void
put_node (guint8  *page,
          guint    i,
          guint64  low,
          guint    flags,
          char     key,
          guint64  data)
{
  guint8 *node = page + 64 + 24 * i;

  put (page + 16 + 2 * i, 64 + 24 * i, 2);
  put (node, low & 0xffff, 2);
  put (node + 2, low >> 16, 2);
  put (node + 4, flags, 2);
  put (node + 6, 1, 2);
  node[8] = (guint8) key;
  put (node + 9, data, 8);
}

/* A branch over two leaves, one of which has a long value on two pages. */
static GBytes *
make_file (void)
{
  guint8 *file = g_malloc0 (N_PAGES * PAGE);
  guint8 *page;

  for (guint k = 0; k < 2; k++)
    {
      page = begin_page (file, k, 8, 0);
      put (page + 16, 0xbeefc0de, 4);
      put (page + 20, 1, 4);
      put (page + 40, PAGE, 4);
      put (page + 128, k == 1 ? 6 : G_MAXUINT64, 8);
      put (page + 144, k, 8);
    }
  page = begin_page (file, 2, 2, 2);
  put_node (page, 0, 8, 0, 'a', 0x0102030405060708);
  put_node (page, 1, 300, 1, 'b', 3);
  page = begin_page (file, 3, 4, 0);
  put (page + 12, 2, 4);
  memset (page + 16, 'x', 300);
  page = begin_page (file, 5, 2, 1);
  put_node (page, 0, 3, 0, 'c', 0x616263);
  page = begin_page (file, 6, 1, 2);
  put_node (page, 0, 2, 0, 'a', 0);
  put_node (page, 1, 5, 0, 'c', 0);
  return g_bytes_new_take (file, N_PAGES * PAGE);
}

/* Reads all entries, then the first again. */
static gboolean
read_all (GBytes   *bytes,
          gpointer  data)
{
  const char *path = data;
  g_autoptr (GError) error = NULL;
  FlowLmdb *lmdb;
  gboolean ok = TRUE;
  gboolean more = TRUE;

  g_assert_true (g_file_set_contents_full (path, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes),
                                           G_FILE_SET_CONTENTS_NONE, 0666, NULL));
  lmdb = _flow_lmdb_open (path, "damaged", &error);
  if (lmdb == NULL)
    {
      g_assert_nonnull (error);
      return FALSE;
    }
  for (gint64 i = 0; ok && more; i++)
    {
      g_autoptr (GBytes) key = NULL;
      g_autoptr (GBytes) value = NULL;

      ok = _flow_lmdb_read (lmdb, i, NULL, &key, &value, &error);
      g_assert_true (ok == (error == NULL));
      more = key != NULL;
      /* Pages that refer to one another in a ring end where the tree is too deep. */
      g_assert_cmpint (i, <, 1000);
    }
  _flow_lmdb_free (lmdb);
  return ok;
}

static void
test_damage (void)
{
  g_autofree char *folder = g_dir_make_tmp ("flowstep-lmdb-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "damaged.mdb", NULL);
  g_autoptr (GBytes) good = make_file ();
  FlowTestDamage damage;

  g_assert_true (read_all (good, path));
  damage = flow_test_damage (good, SAMPLE, read_all, path);
  g_assert_cmpuint (damage.n_cases, >, SAMPLE / 2);
  g_assert_cmpuint (damage.n_accepted, <, damage.n_cases);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/lmdb/damage", test_damage);
  return g_test_run ();
}
