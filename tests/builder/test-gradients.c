/* test-gradients.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder.h"
#include "flow-kernel.h"
#include "flow-session.h"

#include <math.h>

/* What tf.gradients makes, node for node, and what it computes. */

static guint64
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
  return (guint64) node << 32;
}

static guint64
add_float (FlowBuilder *builder,
           const char  *name,
           float        number)
{
  g_autoptr (FlowTensor) value = flow_tensor_new_float (number);
  guint32 node = 0;

  g_assert_true (flow_builder_add_constant (builder, value, NULL, name, &node, NULL));
  return (guint64) node << 32;
}

static float
value_of (FlowBuilder *builder,
          guint64      output)
{
  g_autoptr (FlowSession) session = flow_session_new (flow_builder_get_graph (builder, NULL), NULL);
  g_autofree char *name = g_strdup_printf ("%s:0", flow_builder_get_node_name (builder, (guint32) (output >> 32)));
  const char *const fetches[] = { name, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) values = flow_session_run (session, NULL, NULL, fetches, NULL, 0, NULL, &error);

  g_assert_no_error (error);
  return (float) flow_tensor_get_double (g_ptr_array_index (values, 0), 0);
}

static void
test_chain (void)
{
  static const char *const names[] = { "x", "Square", "Tanh", "gradients/Shape", "gradients/grad_ys_0", "gradients/Fill",
                                       "gradients/Tanh_grad/TanhGrad", "gradients/Square_grad/Const",
                                       "gradients/Square_grad/Mul", "gradients/Square_grad/Mul_1" };
  g_autoptr (FlowBuilder) builder = flow_builder_new ();
  g_autoptr (GError) error = NULL;
  g_autofree guint64 *results = NULL;
  guint64 x = add_float (builder, "x", 0.5f);
  guint64 y = add (builder, "Square", NULL, &x, 1);
  gsize n = 0;

  y = add (builder, "Tanh", NULL, &y, 1);
  results = flow_builder_add_gradients (builder, &y, 1, NULL, 0, &x, 1, NULL, 0, NULL, FLOW_GRADIENT_GATE, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (results[1], ==, FLOW_OUTPUT_NONE);
  g_assert_cmpuint (flow_builder_get_n_nodes (builder), ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpstr (flow_builder_get_node_name (builder, i), ==, names[i]);
  g_assert_cmpfloat_with_epsilon (value_of (builder, results[0]), 1 - tanhf (0.25f) * tanhf (0.25f), 1e-6);
}

/* Two readers of one tensor are summed; two inputs of one op wait for each other. */
static void
test_sums_and_gates (void)
{
  g_autoptr (FlowBuilder) builder = flow_builder_new ();
  g_autoptr (GError) error = NULL;
  g_autofree guint64 *results = NULL;
  guint64 x = add_float (builder, "x", 3);
  guint64 pair[2] = { x, x };
  guint64 y = add (builder, "Mul", "y", pair, 2);
  gsize n = 0;

  results = flow_builder_add_gradients (builder, &y, 1, NULL, 0, &x, 1, NULL, 0, NULL, FLOW_GRADIENT_GATE, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (flow_builder_find_node (builder, "gradients/y_grad/tuple/control_dependency_1"), !=, FLOW_NODE_NONE);
  g_assert_cmpstr (flow_builder_get_node_name (builder, (guint32) (results[0] >> 32)), ==, "gradients/AddN");
  g_assert_cmpfloat (value_of (builder, results[0]), ==, 6);
}

static void
test_none (void)
{
  g_autoptr (FlowBuilder) builder = flow_builder_new ();
  g_autoptr (GError) error = NULL;
  guint64 x = add_float (builder, "x", 3);
  guint64 other = add_float (builder, "other", 3);
  guint64 y = add (builder, "Square", NULL, &x, 1);
  gsize n = 0;
  guint64 *results = flow_builder_add_gradients (builder, &y, 1, NULL, 0, &other, 1, NULL, 0, NULL, 0, &n, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (results[0], ==, FLOW_OUTPUT_NONE);
  g_free (results);
  y = add (builder, "SoftsignGrad", NULL, (guint64[]) { x, x }, 2);
  results = flow_builder_add_gradients (builder, &y, 1, NULL, 0, &x, 1, NULL, 0, NULL, 0, &n, &error);
  g_assert_null (results);
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED);
  g_assert_cmpstr (error->message, ==, "No gradient defined for operation 'SoftsignGrad' (op type: SoftsignGrad)");
  g_assert_cmpuint (flow_builder_get_depth (builder), ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();
  g_test_add_func ("/builder/gradients/chain", test_chain);
  g_test_add_func ("/builder/gradients/sums-and-gates", test_sums_and_gates);
  g_test_add_func ("/builder/gradients/none", test_none);
  return g_test_run ();
}
