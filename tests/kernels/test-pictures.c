/* test-pictures.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-golden.h"
#include "flow-test-damage.h"

#include <string.h>

/* Picture and sound files cut off and changed byte by byte: the libraries that read them end a program at
 * an error, so that one that gets through shows here. */

/* Damaged forms of one file that an ordinary run tries. */
#define SAMPLE 150
#define MAX_FILES_PER_OP 3

static gboolean
is_reader (const char *op)
{
  return g_str_has_prefix (op, "Decode") || g_str_equal (op, "ExtractJpegShape");
}

static gboolean
read_damaged (GBytes   *bytes,
              gpointer  data)
{
  const FlowGoldenCase *golden = data;
  const FlowGoldenNode *node = &g_array_index (golden->nodes, FlowGoldenNode, golden->nodes->len - 1);
  g_autoptr (FlowOpRunner) runner = flow_op_runner_new ();
  g_autofree FlowValue *inputs = g_new0 (FlowValue, node->inputs->len);
  g_autoptr (GArray) outputs = g_array_new (FALSE, TRUE, sizeof (FlowValue));
  g_autoptr (FlowTensor) contents = NULL;
  g_autoptr (GError) error = NULL;

  g_array_set_clear_func (outputs, flow_op_runner_clear_value);
  contents = flow_tensor_new_string (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
  for (guint i = 0; i < node->inputs->len; i++)
    inputs[i].tensor = i == 0 ? contents : g_array_index (node->inputs, FlowGoldenInput, i).tensor;
  return flow_op_runner_run (runner, "op", node->op, node->attrs, inputs, node->inputs->len, outputs, &error);
}

static void
damage_family (const char *family)
{
  g_autofree char *name = g_strconcat (family, ".json.gz", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "golden", "kernels", name, NULL);
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) cases = NULL;
  g_autoptr (GError) error = NULL;
  guint n_files = 0;

  flow_kernels_register ();
  cases = flow_golden_load (path, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < cases->len; i++)
    {
      FlowGoldenCase *golden = cases->pdata[i];
      const FlowGoldenNode *node = &g_array_index (golden->nodes, FlowGoldenNode, golden->nodes->len - 1);
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (taken, golden->op));
      g_autoptr (GBytes) good = NULL;
      const char *bytes;
      gsize length;

      if (golden->error_code != 0 || n >= MAX_FILES_PER_OP || !is_reader (golden->op))
        continue;
      bytes = flow_tensor_get_string (g_array_index (node->inputs, FlowGoldenInput, 0).tensor, 0, &length);
      good = g_bytes_new (bytes, length);
      g_assert_true (read_damaged (good, golden));
      flow_test_damage (good, SAMPLE, read_damaged, golden);
      g_hash_table_insert (taken, golden->op, GUINT_TO_POINTER (n + 1));
      n_files++;
    }
  g_test_message ("%u files of %s damaged", n_files, family);
  g_assert_cmpuint (n_files, >, 0);
}

static void
test_pictures (void)
{
  damage_family ("image_files");
  damage_family ("image_png");
}

static void
test_sounds (void)
{
  damage_family ("audio");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/pictures/damaged", test_pictures);
  g_test_add_func ("/kernels/sounds/damaged", test_sounds);
  return g_test_run ();
}
