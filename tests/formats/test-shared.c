/* test-shared.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-model.h"
#include "flow-test-damage.h"
#include "flow-text-proto.h"

#include <string.h>

/* All model files that other people's TensorFlow wrote: those of FLOW_TEST_SHARED where that folder is,
 * else the committed ones. */

static const char *const endings[] = { ".pb", ".pbtxt", ".meta", ".gz", ".xz" };

static void
find_files (const char *path,
            GPtrArray  *files)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR))
        find_files (child, files);
      else
        for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
          if (g_str_has_suffix (name, endings[i]) && !g_str_has_suffix (name, ".json.gz"))
            g_ptr_array_add (files, g_strdup (child));
    }
}

static int
compare_paths (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *
list_files (void)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *shared = g_build_filename (g_getenv ("FLOW_TEST_SHARED"), "fixtures", NULL);
  g_autofree char *committed = flow_test_path ("golden/models");

  if (g_getenv ("FLOW_TEST_SHARED") != NULL)
    find_files (shared, files);
  if (files->len == 0)
    find_files (committed, files);
  g_ptr_array_sort (files, compare_paths);
  return files;
}

/* Every file opens, and what is written from the graph says what the file's own graph says. */
static void
test_all (void)
{
  g_autoptr (GPtrArray) files = list_files ();
  guint n_same = 0;

  for (guint i = 0; i < files->len; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FlowModel) model = flow_model_load (files->pdata[i], NULL, &error);
      g_autoptr (GBytes) written = NULL;
      g_autoptr (GBytes) text = NULL;
      g_autoptr (GBytes) original = NULL;

      g_assert_no_error (error);
      g_assert_cmpuint (flow_graph_get_n_nodes (flow_model_get_graph (model)), >, 0);
      written = flow_graph_to_bytes (flow_model_get_graph (model), &error);
      g_assert_no_error (error);
      text = flow_proto_to_text ("GraphDef", written, "written", &error);
      g_assert_no_error (error);
      original = flow_proto_to_text ("GraphDef", flow_model_get_graph_bytes (model), "original", &error);
      g_assert_no_error (error);
      if (g_bytes_equal (text, original))
        n_same++;
      else
        g_test_message ("%s: written otherwise", (const char *) files->pdata[i]);
    }
  g_test_message ("%u files open, %u are written as they were", files->len, n_same);
  g_assert_cmpuint (files->len, >=, 9);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/formats/shared/all", test_all);

  return g_test_run ();
}
