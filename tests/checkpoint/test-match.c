/* test-match.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include "flow-bundle-writer.h"
#include "flow-checkpoint-match.h"

/* A checkpoint of float vectors of 2 under these names. */
static FlowCheckpoint *
make_checkpoint (const char *const *names,
                 guint              n)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("flow-match-XXXXXX", NULL);
  g_autofree char *prefix = g_build_filename (folder, "model", NULL);
  g_autofree char *index = g_strconcat (prefix, ".index", NULL);
  g_autofree char *data = g_strconcat (prefix, ".data-00000-of-00001", NULL);
  g_autoptr (FlowBundleWriter) writer = flow_bundle_writer_new (prefix, &error);
  g_autoptr (FlowShape) shape = flow_shape_new_vector (2);
  g_autoptr (FlowTensor) tensor = flow_tensor_new_zeros (FLOW_DTYPE_FLOAT, shape, NULL, NULL);
  FlowCheckpoint *checkpoint;

  for (guint i = 0; i < n; i++)
    g_assert_true (flow_bundle_writer_add (writer, names[i], tensor, &error));
  g_assert_true (flow_bundle_writer_finish (writer, &error));
  checkpoint = flow_checkpoint_open (prefix, &error);
  g_assert_no_error (error);
  g_unlink (index);
  g_unlink (data);
  g_rmdir (folder);
  return checkpoint;
}

static const FlowMatchItem *
find_item (FlowCheckpointMatch *match,
           const char          *name)
{
  for (guint i = 0; i < flow_checkpoint_match_get_n_items (match); i++)
    if (strcmp (flow_checkpoint_match_get_item (match, i)->name, name) == 0)
      return flow_checkpoint_match_get_item (match, i);
  g_assert_not_reached ();
}

static void
test_kinds (void)
{
  static const char *const keys[] = { "conv1/weights", "conv1/biases", "fc/wights", "model/out/kernel", "zzzz",
                                      "same", "other_shape" };
  static const char *const names[] = { "conv1/weights", "conv1/biases", "fc/weights", "out/kernel", "same",
                                       "nothing_like_it_at_all", "partly" };
  const int dtypes[] = { FLOW_DTYPE_FLOAT + FLOW_DTYPE_REF, FLOW_DTYPE_INT32, FLOW_DTYPE_FLOAT, FLOW_DTYPE_FLOAT,
                         FLOW_DTYPE_FLOAT, FLOW_DTYPE_FLOAT, FLOW_DTYPE_FLOAT };
  g_autoptr (FlowShape) two = flow_shape_new_vector (2);
  g_autoptr (FlowShape) three = flow_shape_new_vector (3);
  g_autoptr (FlowShape) any = flow_shape_new_of_rank (1);
  FlowShape *shapes[] = { two, two, two, any, three, two, NULL };
  g_autoptr (FlowCheckpoint) checkpoint = make_checkpoint (keys, G_N_ELEMENTS (keys));
  g_autoptr (FlowCheckpointMatch) match = flow_checkpoint_match (checkpoint, names, dtypes, shapes, 7);
  const FlowMatchItem *item;

  g_assert_cmpuint (flow_checkpoint_match_count (match, FLOW_MATCH_MATCHED), ==, 1);
  g_assert_cmpuint (flow_checkpoint_match_count (match, FLOW_MATCH_CLASH), ==, 2);
  g_assert_cmpuint (flow_checkpoint_match_count (match, FLOW_MATCH_ONLY_GRAPH), ==, 4);
  g_assert_cmpuint (flow_checkpoint_match_count (match, FLOW_MATCH_ONLY_FILE), ==, 4);

  item = find_item (match, "conv1/weights");
  g_assert_cmpint (item->kind, ==, FLOW_MATCH_MATCHED);
  g_assert_null (item->nearest[0]);
  item = find_item (match, "conv1/biases");
  g_assert_cmpint (item->kind, ==, FLOW_MATCH_CLASH);
  g_assert_cmpint (item->file_dtype, ==, FLOW_DTYPE_FLOAT);
  item = find_item (match, "same");
  g_assert_cmpint (item->kind, ==, FLOW_MATCH_CLASH);
  item = find_item (match, "fc/weights");
  g_assert_cmpint (item->kind, ==, FLOW_MATCH_ONLY_GRAPH);
  g_assert_cmpstr (item->nearest[0], ==, "fc/wights");
  item = find_item (match, "out/kernel");
  g_assert_cmpstr (item->nearest[0], ==, "model/out/kernel");
  item = find_item (match, "nothing_like_it_at_all");
  g_assert_null (item->nearest[0]);
  item = find_item (match, "zzzz");
  g_assert_cmpint (item->kind, ==, FLOW_MATCH_ONLY_FILE);
  item = find_item (match, "fc/wights");
  g_assert_cmpstr (item->nearest[0], ==, "fc/weights");
}

/* Three thousand renamed variables are compared with as many keys, and it ends. */
static void
test_many (void)
{
  const guint n = 3000;
  g_auto (GStrv) keys = g_new0 (char *, n + 1);
  g_auto (GStrv) names = g_new0 (char *, n + 1);
  g_autofree int *dtypes = g_new (int, n);
  g_autofree FlowShape **shapes = g_new0 (FlowShape *, n);
  g_autoptr (FlowCheckpoint) checkpoint = NULL;
  g_autoptr (FlowCheckpointMatch) match = NULL;

  for (guint i = 0; i < n; i++)
    {
      keys[i] = g_strdup_printf ("tower_%u/layer_%u/weights_%u/of/some/length", i % 7, i % 100, i);
      names[i] = g_strdup_printf ("Tower_%u/Layer_%u/weights_%u/of/some/length", i % 7, i % 100, i);
      dtypes[i] = FLOW_DTYPE_FLOAT;
    }
  checkpoint = make_checkpoint ((const char *const *) keys, n);
  match = flow_checkpoint_match (checkpoint, (const char *const *) names, dtypes, shapes, n);
  g_assert_cmpuint (flow_checkpoint_match_count (match, FLOW_MATCH_ONLY_GRAPH), ==, n);
  g_assert_cmpstr (flow_checkpoint_match_get_item (match, 0)->nearest[0], ==, keys[0]);
  g_assert_cmpstr (flow_checkpoint_match_get_item (match, 5)->nearest[0], ==, keys[5]);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/checkpoint/match/kinds", test_kinds);
  g_test_add_func ("/checkpoint/match/many", test_many);
  return g_test_run ();
}
