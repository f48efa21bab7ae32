/* test-graph-pack.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-graph-pack.h"
#include "flow-kernel.h"
#include "flow-model.h"
#include "flow-test-damage.h"

#include <glib/gstdio.h>
#include <string.h>

/* A graph that is packed and unpacked is the graph it was, errors and all. */

static const char *const committed[] = {
  "golden/models/assert_less_equal_test.pb", "golden/models/cond_test.meta", "golden/models/export.meta",
  "golden/models/half_plus_two.pb", "golden/models/queues.pbtxt.gz", "golden/models/savers.meta",
  "golden/models/split_test.pb", "golden/models/values.pbtxt", "golden/models/while_with_cond.pbtxt.gz",
  "golden/models/xor.meta",
};

/* What a node may be asked, in words. */
static char *
describe (FlowGraph *graph,
          guint32    node)
{
  GString *text = g_string_new (NULL);
  const FlowOpSignature *signature = flow_graph_get_signature (graph, node);
  const GError *error = flow_graph_get_node_error (graph, node);
  const char *frame = flow_graph_get_frame_name (graph, node);
  const FlowEndpoint *inputs;
  guint n_data;
  guint n_control;

  g_string_append_printf (text, "%s %s %s on '%s' of %s, outer %u, frame %s %u:", flow_graph_get_node_name (graph, node),
                          flow_graph_get_node_leaf (graph, node), flow_graph_get_node_type (graph, node),
                          flow_graph_get_node_device (graph, node), signature->is_guess ? "nobody" : signature->name,
                          flow_graph_get_node_scope (graph, node), frame != NULL ? frame : "none",
                          flow_graph_get_frame_parent_enter (graph, node));
  inputs = flow_graph_peek_inputs (graph, node, &n_data, &n_control);
  for (guint i = 0; i < n_data + n_control; i++)
    g_string_append_printf (text, " %u:%d", inputs[i].node, inputs[i].slot);
  for (guint i = 0; i < n_data; i++)
    g_string_append_printf (text, " <%d", flow_graph_get_input_dtype (graph, node, i));
  for (guint i = 0; i < flow_graph_get_n_outputs (graph, node); i++)
    {
      g_autofree char *shape = flow_shape_to_string (flow_graph_get_output_shape (graph, node, i));

      g_string_append_printf (text, " %s %d%s,", signature->is_guess ? signature->outputs[i].name : "",
                              flow_graph_get_output_dtype (graph, node, i), shape);
    }
  for (guint i = 0; i < flow_graph_get_n_out_edges (graph, node); i++)
    {
      gint32 slot;
      gint32 input;
      guint32 consumer;

      flow_graph_get_out_edge (graph, node, i, &slot, &consumer, &input);
      g_string_append_printf (text, " >%d %u:%d", slot, consumer, input);
    }
  if (error != NULL)
    g_string_append_printf (text, " %s %d %s", g_quark_to_string (error->domain), error->code, error->message);
  return g_string_free (text, FALSE);
}

static void
assert_same (FlowGraph *a,
             FlowGraph *b)
{
  g_autoptr (GBytes) written_a = flow_graph_to_bytes (a, NULL);
  g_autoptr (GBytes) written_b = flow_graph_to_bytes (b, NULL);
  guint n = flow_graph_get_n_nodes (a);

  g_assert_cmpuint (flow_graph_get_n_nodes (b), ==, n);
  g_assert_cmpuint (flow_graph_get_n_edges (b), ==, flow_graph_get_n_edges (a));
  g_assert_cmpuint (flow_graph_get_n_scopes (b), ==, flow_graph_get_n_scopes (a));
  g_assert_true (g_bytes_equal (written_a, written_b));
  g_assert_cmpmem (flow_graph_peek_order (a), n * sizeof (guint32), flow_graph_peek_order (b), n * sizeof (guint32));
  for (guint32 node = 0; node < n; node++)
    {
      g_autofree char *said_a = describe (a, node);
      g_autofree char *said_b = describe (b, node);

      g_assert_cmpstr (said_a, ==, said_b);
      g_assert_cmpuint (flow_graph_find_node (b, flow_graph_get_node_name (a, node)), ==, node);
    }
}

/* An op after the last one, which reads what is known of handles. */
static void
grow (FlowGraph *graph)
{
  for (guint32 node = 0; node < flow_graph_get_n_nodes (graph); node++)
    if (strcmp (flow_graph_get_node_type (graph, node), "VarHandleOp") == 0)
      {
        g_autoptr (FlowAttr) dtype = flow_attr_ref (flow_graph_get_attr (graph, node, "dtype"));
        const char *inputs[] = { flow_graph_get_node_name (graph, node) };
        g_autoptr (FlowAttrList) attrs = flow_attr_list_new ();
        FlowNodeDef def = { .name = "grown", .name_length = 5, .op = "ReadVariableOp", .inputs = inputs, .n_inputs = 1,
                            .attrs = attrs, .offset = -1 };
        g_autoptr (GError) error = NULL;

        flow_attr_list_set (attrs, "dtype", dtype);
        flow_graph_import (graph, &def, 1, NULL, &error);
        g_assert_no_error (error);
        return;
      }
}

static void
check_file (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowModel) model = flow_model_load (path, NULL, &error);
  FlowGraph *graph = NULL;
  g_autoptr (GPtrArray) pieces = NULL;
  g_autoptr (FlowGraph) unpacked = NULL;

  g_assert_no_error (error);
  graph = flow_model_get_graph (model);
  pieces = flow_graph_pack (graph, &error);
  g_assert_no_error (error);
  unpacked = flow_graph_unpack (pieces, &error);
  g_assert_no_error (error);
  g_clear_pointer (&pieces, g_ptr_array_unref);
  assert_same (graph, unpacked);
  grow (unpacked);
  grow (graph);
  assert_same (graph, unpacked);
}

static void
test_committed (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (committed); i++)
    {
      g_autofree char *path = flow_test_path (committed[i]);

      check_file (path);
    }
}

/* Variables that are resources, functions, loops, ops that nobody knows, and nodes that are wrong. */
static const char *const odd_graph =
  "node { name: 'v' op: 'VarHandleOp' attr { key: 'dtype' value { type: DT_FLOAT } }"
  "  attr { key: 'shape' value { shape { dim { size: 3 } dim { size: 2 } } } } }"
  "node { name: 'a/odd' op: 'NobodyKnows' input: 'v' input: '^v' device: '/cpu:0' }"
  "node { name: 'a/r' op: 'Relu' input: 'a/odd:2' attr { key: 'T' value { type: DT_FLOAT } } }"
  "node { name: 'a/wrong' op: 'Relu' input: 'nowhere' attr { key: 'T' value { type: DT_FLOAT } } }"
  "node { name: 'a/bad' op: 'Relu' input: 'a/r' attr { key: 'T' value { type: DT_STRING } } }"
  "node { name: 'c' op: 'Twice' input: 'a/r' }"
  "node { name: 'x' op: 'Identity' input: 'y' attr { key: 'T' value { type: DT_FLOAT } } }"
  "node { name: 'y' op: 'Identity' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } }"
  "library { function { signature { name: 'Twice' input_arg { name: 'p' type: DT_FLOAT }"
  "    output_arg { name: 'q' type: DT_FLOAT } }"
  "  node_def { name: 's' op: 'Add' input: 'p' input: 'p' attr { key: 'T' value { type: DT_FLOAT } } }"
  "  ret { key: 'q' value: 's:z:0' } } }"
  "versions { producer: 134 }";

static char *
write_odd_graph (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("flowstep-graph-pack-XXXXXX", &error);
  char *path = g_build_filename (folder, "odd.pbtxt", NULL);

  g_assert_true (g_file_set_contents (path, odd_graph, -1, &error));
  return path;
}

static void
remove_odd_graph (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_written (void)
{
  g_autofree char *path = write_odd_graph ();

  check_file (path);
  remove_odd_graph (path);
}

/* The graphs of this size that people have. */
static void
test_shared (void)
{
  static const char *const names[] = { "training", "plans/1.15", "errors/1.15" };
  guint n = 0;

  for (guint i = 0; g_getenv ("FLOW_TEST_SHARED") != NULL && i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *folder = g_build_filename (g_getenv ("FLOW_TEST_SHARED"), "fixtures/recorded", names[i], NULL);
      g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
      const char *name;

      while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *path = g_str_has_suffix (name, ".pb") ? g_build_filename (folder, name, NULL)
                                                                 : g_build_filename (folder, name, "model.meta", NULL);

          if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
            continue;
          check_file (path);
          n++;
        }
    }
  g_test_message ("%u files", n);
  if (g_getenv ("FLOW_TEST_SHARED") != NULL)
    g_assert_cmpuint (n, >=, 17);
}

typedef struct {
  GPtrArray *pieces;
  guint damaged;
} Damage;

static gboolean
read_damaged (GBytes   *bytes,
              gpointer  data)
{
  const Damage *damage = data;
  g_autoptr (GPtrArray) pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowGraph) graph = NULL;

  for (guint i = 0; i < damage->pieces->len; i++)
    g_ptr_array_add (pieces, g_bytes_ref (i == damage->damaged ? bytes : damage->pieces->pdata[i]));
  graph = flow_graph_unpack (pieces, &error);
  g_assert_true ((graph == NULL) == (error != NULL));
  for (guint32 node = 0; graph != NULL && node < flow_graph_get_n_nodes (graph); node++)
    g_free (describe (graph, node));
  if (graph != NULL)
    {
      g_autoptr (GBytes) written = flow_graph_to_bytes (graph, NULL);

      g_assert_nonnull (written);
    }
  return graph != NULL;
}

static void
damage_file (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowModel) model = flow_model_load (path, NULL, &error);
  g_autoptr (GPtrArray) pieces = NULL;
  Damage damage = { .pieces = NULL };

  g_assert_no_error (error);
  damage.pieces = pieces = flow_graph_pack (flow_model_get_graph (model), &error);
  g_assert_no_error (error);
  for (damage.damaged = 0; damage.damaged < pieces->len; damage.damaged++)
    {
      FlowTestDamage done = flow_test_damage (pieces->pdata[damage.damaged], 200, read_damaged, &damage);

      g_test_message ("piece %u: %u of %u accepted", damage.damaged, done.n_accepted, done.n_cases);
    }
}

static void
test_damage (void)
{
  g_autofree char *committed_path = flow_test_path ("golden/models/cond_test.meta");
  g_autofree char *odd_path = write_odd_graph ();

  damage_file (committed_path);
  damage_file (odd_path);
  remove_odd_graph (odd_path);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();

  g_test_add_func ("/link/graph-pack/committed", test_committed);
  g_test_add_func ("/link/graph-pack/written", test_written);
  g_test_add_func ("/link/graph-pack/shared", test_shared);
  g_test_add_func ("/link/graph-pack/damage", test_damage);

  return g_test_run ();
}
