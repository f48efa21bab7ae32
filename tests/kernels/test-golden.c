/* test-golden.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-golden.h"

#include <string.h>

/* Every op against what TensorFlow computed: all of tests/golden/kernels. One test per family; a
 * failure names each case that differs. Run one op with -p /kernels/golden/FAMILY and
 * FLOW_GOLDEN=OP in the environment. */

/* Problems printed of one family before the rest is only counted. */
#define MAX_SHOWN 60

static char *
golden_folder (void)
{
  return g_test_build_filename (G_TEST_DIST, "golden", "kernels", NULL);
}

static void
test_family (gconstpointer data)
{
  const char *path = data;
  const char *only = g_getenv ("FLOW_GOLDEN");
  g_autoptr (GPtrArray) cases = NULL;
  g_autoptr (GError) error = NULL;
  guint n_bad = 0;
  guint n_run = 0;

  flow_kernels_register ();
  cases = flow_golden_load (path, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < cases->len; i++)
    {
      const FlowGoldenCase *golden = cases->pdata[i];

      if (only != NULL && !g_str_equal (only, golden->op))
        continue;
      n_run++;
      for (int forwarding = 0; forwarding < 2; forwarding++)
        {
          g_autofree char *problem = flow_golden_check (golden, forwarding);

          if (problem == NULL)
            continue;
          if (n_bad++ < MAX_SHOWN)
            g_test_message ("%s%s: %s", golden->name, forwarding ? " in place" : "", problem);
          break;
        }
    }
  g_test_message ("%u of %u cases as TensorFlow", n_run - n_bad, n_run);
  if (n_bad > 0)
    g_test_fail_printf ("%u of %u cases differ", n_bad, n_run);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *folder = NULL;
  g_autoptr (GDir) dir = NULL;
  const char *name;

  g_test_init (&argc, &argv, NULL);
  folder = golden_folder ();
  dir = g_dir_open (folder, 0, NULL);
  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *family = g_strndup (name, strcspn (name, "."));
      g_autofree char *test = g_strconcat ("/kernels/golden/", family, NULL);

      if (strstr (name, ".json") == NULL)
        continue;
      g_test_add_data_func_full (test, g_build_filename (folder, name, NULL), test_family, g_free);
    }
  return g_test_run ();
}
