/* test-flow.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder.h"
#include "flow-kernel.h"
#include "flow-session.h"

/* Branches and loops: what is made for them and for their gradients under which names, as TensorFlow 1.15.5
 * makes it for `tf.cond` and `tf.while_loop` over the same ops; and what that computes. */

static guint64
add (FlowBuilder *builder,
     const char  *type,
     const char  *name,
     guint64      first,
     guint64      second)
{
  guint64 inputs[2] = { first, second };
  g_autoptr (GError) error = NULL;
  guint32 node = 0;

  flow_builder_add_node (builder, type, name, inputs, second == FLOW_OUTPUT_NONE ? 1 : 2, NULL, &node, &error);
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

static void
enter_scope (FlowBuilder *builder,
             const char  *name)
{
  g_free (flow_builder_enter_name_scope (builder, name, NULL));
}

static double
value_of (FlowBuilder *builder,
          guint64      output)
{
  g_autoptr (FlowSession) session = flow_session_new (flow_builder_get_graph (builder, NULL), NULL);
  g_autofree char *name = g_strdup_printf ("%s:%u", flow_builder_get_node_name (builder, (guint32) (output >> 32)),
                                           (guint32) output);
  const char *const fetches[] = { name, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) values = flow_session_run (session, NULL, NULL, fetches, NULL, 0, NULL, &error);

  g_assert_no_error (error);
  return flow_tensor_get_double (g_ptr_array_index (values, 0), 0);
}

static void
assert_names (FlowBuilder *builder,
              const char  *expected)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < flow_builder_get_n_nodes (builder); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? " " : "", flow_builder_get_node_name (builder, i));
  g_assert_cmpstr (names->str, ==, expected);
}

/* tf.cond (x > limit, lambda: x * w, lambda: -x) */
static guint64
add_cond (FlowBuilder *builder,
          guint64      x,
          guint64      w,
          guint64      limit)
{
  guint64 p = add (builder, "Greater", NULL, x, limit);
  guint64 results[2];
  guint64 fork;
  guint64 pivots[2];

  enter_scope (builder, "cond");
  fork = add (builder, "Switch", NULL, p, p);
  pivots[1] = add (builder, "Identity", "switch_t", fork + 1, FLOW_OUTPUT_NONE);
  pivots[0] = add (builder, "Identity", "switch_f", fork, FLOW_OUTPUT_NONE);
  p = add (builder, "Identity", "pred_id", p, FLOW_OUTPUT_NONE);
  for (int side = 1; side >= 0; side--)
    {
      guint branch = flow_builder_add_branch (builder, p, pivots[side], (guint) side, NULL);
      guint64 made;

      flow_builder_enter_context (builder, branch);
      g_assert_cmpuint (flow_builder_get_context (builder), ==, branch);
      made = side == 1 ? add (builder, "Mul", "mul", x, w) : add (builder, "Neg", NULL, x, FLOW_OUTPUT_NONE);
      g_assert_false (flow_builder_is_fetchable (builder, (guint32) (made >> 32)));
      g_assert_true (flow_builder_add_branch_output (builder, branch, made, &results[side], NULL));
      flow_builder_exit_context (builder, branch);
    }
  g_assert_cmpuint (flow_builder_get_context (builder), ==, 0);
  p = add (builder, "Merge", NULL, results[0], results[1]);
  flow_builder_leave (builder);
  return p;
}

static void
test_cond (void)
{
  g_autoptr (FlowBuilder) builder = flow_builder_new ();
  g_autoptr (GError) error = NULL;
  g_autofree guint64 *results = NULL;
  guint64 xs[2] = { add_float (builder, "x", 3), add_float (builder, "w", 5) };
  guint64 y = add_cond (builder, xs[0], xs[1], add_float (builder, "limit", 1));
  gsize n = 0;

  assert_names (builder, "x w limit Greater cond/Switch cond/switch_t cond/switch_f cond/pred_id cond/mul cond/mul/Switch "
                "cond/mul/Switch_1 cond/Neg cond/Neg/Switch cond/Merge");
  g_assert_cmpfloat (value_of (builder, y), ==, 15);
  results = flow_builder_add_gradients (builder, &y, 1, NULL, 0, xs, 2, NULL, 0, NULL, 0, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (flow_builder_find_node (builder, "gradients/cond/Merge_grad/cond_grad"), !=, FLOW_NODE_NONE);
  g_assert_cmpuint (flow_builder_find_node (builder, "gradients/cond/mul/Switch_grad/cond_grad"), !=, FLOW_NODE_NONE);
  g_assert_cmpfloat (value_of (builder, results[0]), ==, 5);
  g_assert_cmpfloat (value_of (builder, results[3]), ==, 3);
}

/* tf.while_loop (lambda h: h < limit, lambda h: h * w, [x]) */
static guint64
add_while (FlowBuilder *builder,
           guint64      x,
           guint64      w,
           guint64      limit,
           guint       *loop)
{
  g_autoptr (FlowShape) scalar = flow_shape_new_scalar ();
  g_autoptr (GError) error = NULL;
  g_autofree guint64 *variables = NULL;
  g_autofree guint64 *inside = NULL;
  g_autofree guint64 *exits = NULL;
  guint64 next;
  gsize n = 0;

  enter_scope (builder, "while");
  *loop = flow_builder_add_loop (builder, FLOW_OUTPUT_NONE, 10, TRUE, FALSE, NULL);
  flow_builder_add_loop_invariant (builder, *loop, scalar);
  flow_builder_enter_context (builder, *loop);
  variables = flow_builder_begin_loop (builder, *loop, &x, 1, &n, &error);
  g_assert_no_error (error);
  inside = flow_builder_add_loop_condition (builder, *loop, add (builder, "Less", NULL, variables[0], limit), &n, &error);
  g_assert_no_error (error);
  next = add (builder, "Mul", "mul", inside[0], w);
  exits = flow_builder_end_loop (builder, *loop, &next, 1, &n, &error);
  g_assert_no_error (error);
  flow_builder_exit_context (builder, *loop);
  flow_builder_leave (builder);
  return exits[0];
}

static void
test_while (void)
{
  g_autoptr (FlowBuilder) builder = flow_builder_new ();
  g_autoptr (GError) error = NULL;
  g_autofree guint64 *results = NULL;
  guint64 xs[2] = { add_float (builder, "x", 1), add_float (builder, "w", 2) };
  guint loop = 0;
  guint64 y = add_while (builder, xs[0], xs[1], add_float (builder, "limit", 5), &loop);
  gsize n = 0;

  assert_names (builder, "x w limit while/Enter while/Merge while/Less while/Less/Enter while/LoopCond while/Switch "
                "while/Identity while/mul while/mul/Enter while/NextIteration while/Exit");
  g_assert_cmpstr (flow_builder_get_context_name (builder, loop), ==, "while/while_context");
  g_assert_cmpfloat (value_of (builder, y), ==, 8);
  results = flow_builder_add_gradients (builder, &y, 1, NULL, 0, xs, 2, NULL, 0, NULL, 0, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (value_of (builder, results[0]), ==, 8);
  g_assert_cmpfloat (value_of (builder, results[3]), ==, 12);
  g_assert_cmpstr (flow_builder_get_node_name (builder, (guint32) (results[3] >> 32)), ==,
                   "gradients/while/mul/Enter_grad/b_acc_3");
}

static void
test_refused (void)
{
  g_autoptr (FlowBuilder) builder = flow_builder_new ();
  g_autoptr (GError) error = NULL;
  guint64 x = add_float (builder, "x", 1);
  guint64 inside;
  guint64 pair[2];
  guint loop = 0;
  guint n_nodes;
  guint32 node = 0;

  add_while (builder, x, x, add_float (builder, "limit", 5), &loop);
  inside = (guint64) flow_builder_find_node (builder, "while/mul") << 32;
  pair[0] = pair[1] = inside;
  n_nodes = flow_builder_get_n_nodes (builder);
  g_assert_false (flow_builder_add_node (builder, "Mul", "outside", pair, 2, NULL, &node, &error));
  g_assert_cmpstr (error->message, ==, "Cannot use 'while/mul' as input to 'outside' because 'while/mul' is in a while loop. "
                   "See info log for more details.");
  g_assert_cmpuint (flow_builder_get_n_nodes (builder), ==, n_nodes);
}

/* A context goes into a file and comes back with all it knew. */
static void
test_definition (void)
{
  g_autoptr (FlowBuilder) builder = flow_builder_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) first = NULL;
  g_autoptr (GBytes) second = NULL;
  g_autoptr (GBytes) cut = NULL;
  guint64 x = add_float (builder, "x", 1);
  guint loop = 0;
  guint copy;

  add_while (builder, x, x, add_float (builder, "limit", 5), &loop);
  first = flow_builder_context_to_bytes (builder, loop, NULL, &error);
  g_assert_no_error (error);
  copy = flow_builder_import_context (builder, first, TRUE, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (copy, !=, loop);
  g_assert_cmpuint (flow_builder_get_node_context (builder, flow_builder_find_node (builder, "while/mul")), ==, copy);
  second = flow_builder_context_to_bytes (builder, copy, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (first, second));
  g_assert_cmpuint (flow_builder_import_context (builder, first, TRUE, "elsewhere", &error), ==, 0);
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND);
  g_clear_error (&error);
  for (gsize i = 1; i < g_bytes_get_size (first); i++)
    {
      cut = g_bytes_new_from_bytes (first, 0, i);
      flow_builder_import_context (builder, cut, TRUE, NULL, &error);
      g_clear_error (&error);
      g_clear_pointer (&cut, g_bytes_unref);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();
  g_test_add_func ("/builder/flow/cond", test_cond);
  g_test_add_func ("/builder/flow/while", test_while);
  g_test_add_func ("/builder/flow/refused", test_refused);
  g_test_add_func ("/builder/flow/definition", test_definition);
  return g_test_run ();
}
