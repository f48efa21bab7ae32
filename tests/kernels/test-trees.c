/* test-trees.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-proto-writer.h"
#include "flow-trees-private.h"

/* Trees of which only a stranger's file tells: what TensorFlow itself writes is in the recorded cases. */

/* A split of feature 0 that gained @gain, or a leaf where it leads nowhere. */
static void
write_node (FlowProtoWriter *w,
            int              left,
            int              right,
            float            gain)
{
  flow_proto_writer_begin (w, 1);
  flow_proto_writer_begin (w, left != 0 ? 2 : 1);
  if (left != 0)
    {
      flow_proto_writer_set_int (w, 3, left);
      flow_proto_writer_set_int (w, 4, right);
    }
  flow_proto_writer_end (w);
  if (left != 0)
    {
      flow_proto_writer_begin (w, 777);
      flow_proto_writer_set_float (w, 1, gain);
      flow_proto_writer_end (w);
    }
  flow_proto_writer_end (w);
}

/* A root whose split lost something, its two leaves, and a split that nothing leads to. */
static FlowEnsemble *
make_ensemble (int left,
               int right)
{
  FlowProtoWriter w;
  g_autoptr (GBytes) bytes = NULL;
  gconstpointer data;
  gsize size;
  FlowEnsemble *ensemble;

  flow_proto_writer_init (&w);
  flow_proto_writer_begin (&w, 1);
  write_node (&w, 1, 2, -1);
  write_node (&w, 0, 0, 0);
  write_node (&w, 0, 0, 0);
  write_node (&w, left, right, 1);
  flow_proto_writer_end (&w);
  bytes = flow_proto_writer_finish (&w, NULL);
  data = g_bytes_get_data (bytes, &size);
  ensemble = _flow_ensemble_parse (data, size);
  g_assert_nonnull (ensemble);
  g_assert_cmpuint (_flow_tree_n_nodes (ensemble, 0), ==, 4);
  return ensemble;
}

static void
test_prune (void)
{
  g_autoptr (FlowEnsemble) ensemble = make_ensemble (1, 2);

  g_assert_true (_flow_tree_prune (ensemble, 0));
  g_assert_cmpuint (_flow_tree_n_nodes (ensemble, 0), ==, 2);
  g_assert_cmpint (_flow_tree_node (ensemble, 0, 0)->kind, ==, FLOW_TREE_LEAF);
  g_assert_cmpint (_flow_tree_node (ensemble, 0, 1)->kind, ==, FLOW_TREE_BUCKETIZED);
}

/* What a split leads to is looked up when it is kept, wherever it stands. */
static void
test_no_tree (void)
{
  static const int ends[][2] = { { 1, 100000000 }, { 100000000, 1 }, { -1, 2 }, { 1, G_MININT32 }, { 4, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autoptr (FlowEnsemble) ensemble = make_ensemble (ends[i][0], ends[i][1]);

      g_assert_false (_flow_tree_prune (ensemble, 0));
      g_assert_cmpuint (_flow_tree_n_nodes (ensemble, 0), ==, 4);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/trees/prune", test_prune);
  g_test_add_func ("/kernels/trees/no-tree", test_no_tree);
  return g_test_run ();
}
