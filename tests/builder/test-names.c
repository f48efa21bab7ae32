/* test-names.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder.h"
#include "flow-kernel.h"

/* Names, scopes, control dependencies, colocation and shapes of a graph in the making, as TensorFlow
 * 1.15.5 has them. */

static guint32
add (FlowBuilder   *builder,
     const char    *type,
     const char    *name,
     const guint64 *inputs,
     gsize          n_inputs)
{
  g_autoptr (GError) error = NULL;
  guint32 node = 0;

  g_assert_true (flow_builder_add_node (builder, type, name, inputs, n_inputs, NULL, &node, &error));
  g_assert_no_error (error);
  return node;
}

static guint32
add_float (FlowBuilder *builder,
           const char  *name)
{
  g_autoptr (FlowTensor) value = flow_tensor_new_float (1);
  guint32 node = 0;

  g_assert_true (flow_builder_add_constant (builder, value, NULL, name, &node, NULL));
  return node;
}

static void
assert_named (FlowBuilder *builder,
              const char  *asked,
              const char  *got)
{
  g_autofree char *name = flow_builder_unique_name (builder, asked, TRUE);

  g_assert_cmpstr (name, ==, got);
}

static void
test_unique (void)
{
  g_autoptr (FlowBuilder) a = flow_builder_new ();
  g_autoptr (FlowBuilder) b = flow_builder_new ();
  g_autofree char *kept = NULL;

  assert_named (a, "A", "A");
  assert_named (a, "a", "a_1");
  assert_named (a, "x_1", "x_1");
  assert_named (a, "x", "x");
  assert_named (a, "x", "x_2");
  assert_named (b, "x", "x");
  assert_named (b, "x", "x_1");
  assert_named (b, "x_1", "x_1_1");
  kept = flow_builder_unique_name (b, "x", FALSE);
  g_assert_cmpstr (kept, ==, "x_2");
  assert_named (b, "x", "x_2");
}

static void
test_scopes (void)
{
  g_autoptr (FlowBuilder) builder = flow_builder_new ();
  g_autofree char *first = flow_builder_enter_name_scope (builder, "s", NULL);
  g_autofree char *inner = NULL;
  g_autofree char *again = NULL;
  g_autofree char *bad = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (first, ==, "s/");
  g_assert_cmpstr (flow_builder_get_node_name (builder, add_float (builder, "s")), ==, "s/s");
  inner = flow_builder_enter_name_scope (builder, "s", NULL);
  g_assert_cmpstr (inner, ==, "s/s_1/");
  flow_builder_leave (builder);
  flow_builder_leave (builder);
  again = flow_builder_enter_name_scope (builder, "s/", NULL);
  g_assert_cmpstr (again, ==, "s/");
  flow_builder_leave (builder);
  bad = flow_builder_enter_name_scope (builder, "a b", &error);
  g_assert_null (bad);
  g_assert_cmpstr (error->message, ==, "'a b' is not a valid scope name");
  g_assert_cmpuint (flow_builder_get_depth (builder), ==, 0);
}

static void
test_control (void)
{
  g_autoptr (FlowBuilder) builder = flow_builder_new ();
  guint32 a = add_float (builder, "a");
  guint32 b = add_float (builder, "b");
  guint32 both[] = { b, a };
  guint64 input = (guint64) a << 32;
  gsize n = 0;
  guint32 d;
  guint32 e;
  guint32 *controls;

  flow_builder_enter_control_dependencies (builder, both, 2);
  d = add (builder, "Identity", "d", &input, 1);
  controls = flow_builder_list_control_inputs (builder, d, &n);
  /* a is an input already */
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (controls[0], ==, b);
  g_free (controls);
  input = (guint64) d << 32;
  e = add (builder, "Identity", "dominated", &input, 1);
  g_free (flow_builder_list_control_inputs (builder, e, &n));
  g_assert_cmpuint (n, ==, 0);
  flow_builder_clear_control_dependencies (builder);
  e = add (builder, "NoOp", NULL, NULL, 0);
  g_free (flow_builder_list_control_inputs (builder, e, &n));
  g_assert_cmpuint (n, ==, 0);
  flow_builder_leave (builder);
  e = add (builder, "NoOp", NULL, NULL, 0);
  g_free (flow_builder_list_control_inputs (builder, e, &n));
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpstr (flow_builder_get_node_name (builder, e), ==, "NoOp_1");
  flow_builder_leave (builder);
}

static void
test_places (void)
{
  g_autoptr (FlowBuilder) builder = flow_builder_new ();
  g_autoptr (FlowGraph) graph = NULL;
  g_autoptr (GError) error = NULL;
  guint32 a;
  guint32 b;
  FlowAttr *groups;

  g_assert_true (flow_builder_enter_device (builder, "/cpu:0", NULL));
  a = add_float (builder, "a");
  g_assert_true (flow_builder_enter_device (builder, "/job:worker", NULL));
  b = add_float (builder, "b");
  flow_builder_leave (builder);
  flow_builder_leave (builder);
  g_assert_cmpstr (flow_builder_get_node_device (builder, a), ==, "/device:CPU:0");
  g_assert_cmpstr (flow_builder_get_node_device (builder, b), ==, "/job:worker/device:CPU:0");
  g_assert_false (flow_builder_enter_device (builder, "/what:0", &error));
  g_assert_cmpstr (error->message, ==, "Unknown attribute: 'what' in '/what:0'");
  flow_builder_enter_colocation (builder, b, FALSE);
  flow_builder_enter_colocation (builder, a, FALSE);
  b = add_float (builder, "c");
  flow_builder_leave (builder);
  flow_builder_leave (builder);
  groups = flow_attr_list_get (flow_builder_get_node_attrs (builder, b), "_class");
  g_assert_cmpuint (flow_attr_get_length (groups), ==, 2);
  g_assert_cmpstr (flow_attr_get_string (flow_attr_get_item (groups, 0), NULL), ==, "loc:@a");
  graph = g_object_ref (flow_builder_get_graph (builder, NULL));
  g_assert_cmpuint (flow_graph_get_n_nodes (graph), ==, 3);
  add_float (builder, "d");
  g_assert_true (flow_builder_get_graph (builder, NULL) == graph);
  g_assert_cmpuint (flow_graph_get_n_nodes (graph), ==, 4);
}

static void
test_refused (void)
{
  g_autoptr (FlowBuilder) builder = flow_builder_new ();
  g_autoptr (GError) error = NULL;
  guint32 a = add_float (builder, "a");
  guint64 inputs[] = { (guint64) a << 32, (guint64) a << 32 };
  guint32 node = 0;

  g_assert_false (flow_builder_add_node (builder, "MatMul", NULL, inputs, 2, NULL, &node, &error));
  g_assert_cmpstr (error->message, ==, "Shape must be rank 2 but is rank 0 for 'MatMul' (op: 'MatMul') with input shapes: [], [].");
  g_clear_error (&error);
  g_assert_cmpuint (flow_builder_get_n_nodes (builder), ==, 1);
  flow_builder_finalize (builder);
  g_assert_false (flow_builder_add_node (builder, "NoOp", NULL, NULL, 0, NULL, &node, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION);
  g_assert_cmpstr (error->message, ==, "Graph is finalized and cannot be modified.");
}

/* What was begun and taken back leaves no node, no name, no reader and no wait behind. */
static void
test_roll_back (void)
{
  g_autoptr (FlowBuilder) builder = flow_builder_new ();
  guint32 before = add_float (builder, "x");
  guint64 x = (guint64) before << 32;
  g_autoptr (GError) error = NULL;
  g_autofree guint32 *readers = NULL;
  gsize n_readers;
  guint32 y;

  flow_builder_enter_control_dependencies (builder, &before, 1);
  flow_builder_begin (builder);
  add (builder, "Identity", "y", &x, 1);
  add (builder, "Identity", "x", &x, 1);
  add_float (builder, "y");
  g_assert_cmpuint (flow_builder_get_n_nodes (builder), ==, 4);
  g_assert_nonnull (flow_builder_get_graph (builder, &error));
  flow_builder_roll_back (builder);
  g_assert_cmpuint (flow_builder_get_n_nodes (builder), ==, 1);
  g_assert_cmpuint (flow_builder_find_node (builder, "y"), ==, FLOW_NODE_NONE);
  readers = flow_builder_list_consumers (builder, x, &n_readers);
  g_assert_cmpuint (n_readers, ==, 0);

  /* The node that takes the place of the first one gone waits as any other does. */
  y = add_float (builder, "y");
  g_assert_cmpuint (y, ==, 1);
  g_assert_cmpstr (flow_builder_get_node_name (builder, y), ==, "y");
  flow_builder_leave (builder);
  assert_named (builder, "x", "x_1");
  assert_named (builder, "y", "y_1");
  g_assert_cmpuint (flow_graph_get_n_nodes (flow_builder_get_graph (builder, &error)), ==, 2);
  g_assert_no_error (error);

  flow_builder_begin (builder);
  add (builder, "Identity", "z", &x, 1);
  flow_builder_commit (builder);
  flow_builder_roll_back (builder);
  g_assert_cmpuint (flow_builder_get_n_nodes (builder), ==, 3);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();
  g_test_add_func ("/builder/names/unique", test_unique);
  g_test_add_func ("/builder/names/scopes", test_scopes);
  g_test_add_func ("/builder/names/control", test_control);
  g_test_add_func ("/builder/names/places", test_places);
  g_test_add_func ("/builder/names/refused", test_refused);
  g_test_add_func ("/builder/names/roll-back", test_roll_back);
  return g_test_run ();
}
