/* test-layout-trace.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-graph-text.h"
#include "flow-trace.h"

/* What depends on what, what lies between two ops, and which op another is the gradient of. */

static FlowGraph *
make_graph (const char *text)
{
  g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_problem_free);
  g_autoptr(GError) error = NULL;
  FlowGraph *graph = flow_graph_from_text (text, problems, &error);

  g_assert_no_error (error);
  return graph;
}

static char *
list_on (FlowGraph    *graph,
         const guint8 *is_on)
{
  GString *text = g_string_new (NULL);

  for (guint32 i = 0; i < flow_graph_get_n_nodes (graph); i++)
    if (is_on[i])
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", flow_graph_get_node_name (graph, i));
  return g_string_free (text, FALSE);
}

static char *
list_nodes (FlowGraph    *graph,
            const GArray *nodes)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < nodes->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                            flow_graph_get_node_name (graph, g_array_index (nodes, guint32, i)));
  return g_string_free (text, FALSE);
}

static void
assert_reach (FlowGraph          *graph,
              const char         *name,
              FlowTraceDirection  direction,
              guint               depth,
              const char         *expected)
{
  g_autofree guint8 *is_on = flow_trace_reach (graph, flow_graph_find_node (graph, name), direction, depth);
  g_autofree char *text = list_on (graph, is_on);

  g_assert_cmpstr (text, ==, expected);
}

/* a -> b -> d -> e -> f and a -> c -> d, a -> e; g apart; h by a control edge. */
static const char diamond[] =
  "a = Placeholder () [dtype=float]\n"
  "b = Identity (a)\n"
  "c = Identity (a)\n"
  "d = Add (b, c)\n"
  "e = Add (d, a)\n"
  "f = Identity (e)\n"
  "g = Placeholder () [dtype=float]\n"
  "h = NoOp (^d)\n";

static void
test_reach (void)
{
  g_autoptr(FlowGraph) graph = make_graph (diamond);

  assert_reach (graph, "d", FLOW_TRACE_ANCESTORS, 0, "a b c d");
  assert_reach (graph, "d", FLOW_TRACE_ANCESTORS, 1, "b c d");
  assert_reach (graph, "d", FLOW_TRACE_DESCENDANTS, 0, "d e f h");
  assert_reach (graph, "d", FLOW_TRACE_DESCENDANTS, 1, "d e h");
  assert_reach (graph, "g", FLOW_TRACE_DESCENDANTS, 0, "g");
  assert_reach (graph, "nothing", FLOW_TRACE_DESCENDANTS, 0, "");
}

static void
assert_paths (FlowGraph  *graph,
              const char *from,
              const char *to,
              const char *on,
              const char *shortest,
              const char *through)
{
  g_autoptr(FlowPaths) paths = flow_paths_new (graph, flow_graph_find_node (graph, from),
                                               flow_graph_find_node (graph, to));
  g_autofree char *all = list_on (graph, paths->is_on);
  g_autofree char *one = list_nodes (graph, paths->shortest);
  g_autofree char *every = list_nodes (graph, paths->through);

  g_assert_cmpstr (all, ==, on);
  g_assert_cmpstr (one, ==, shortest);
  g_assert_cmpstr (every, ==, through);
}

static void
test_paths (void)
{
  g_autoptr(FlowGraph) graph = make_graph (diamond);

  assert_paths (graph, "a", "f", "a b c d e f", "a e f", "e");
  assert_paths (graph, "b", "f", "b d e f", "b d e f", "d e");
  assert_paths (graph, "a", "d", "a b c d", "a b d", "");
  assert_paths (graph, "f", "a", "", "", "");
  assert_paths (graph, "g", "f", "", "", "");
  assert_paths (graph, "d", "d", "d", "d", "");
  assert_paths (graph, "d", "h", "d h", "d h", "");
}

/* A loop ends: what goes round in it does not make all of it come before all of it. */
static void
test_loop (void)
{
  g_autoptr(FlowGraph) graph = make_graph ("x = Placeholder () [dtype=float]\n"
                                           "enter = Enter (x) [T=float, frame_name='f']\n"
                                           "merge = Merge (enter, next) [T=float, N=2]\n"
                                           "body = Identity (merge) [T=float]\n"
                                           "next = NextIteration (body) [T=float]\n"
                                           "exit = Exit (merge) [T=float]\n");

  assert_reach (graph, "merge", FLOW_TRACE_ANCESTORS, 0, "x enter merge");
  assert_reach (graph, "body", FLOW_TRACE_DESCENDANTS, 0, "body next");
  assert_paths (graph, "x", "exit", "x enter merge exit", "x enter merge exit", "enter merge");
}

static void
test_gradients (void)
{
  g_autoptr(FlowGraph) graph = make_graph ("net/mul = NoOp ()\n"
                                           "net/mul_1 = NoOp ()\n"
                                           "mul = NoOp ()\n"
                                           "train/gradients/net/mul_grad/Shape = NoOp ()\n"
                                           "train/gradients/net/mul_grad/deep/Mul = NoOp ()\n"
                                           "train/gradients_1/net/mul_grad/Mul = NoOp ()\n"
                                           "train/gradients/net/mul_1_grad/Mul = NoOp ()\n"
                                           "gradients/mul_grad_1/Mul = NoOp ()\n"
                                           "gradients/AddN = NoOp ()\n"
                                           "other/mul_grad/Mul = NoOp ()\n");
  struct {
    const char *forward;
    const char *expected;
  } cases[] = {
    { "net/mul", "train/gradients/net/mul_grad/Shape train/gradients/net/mul_grad/deep/Mul "
                 "train/gradients_1/net/mul_grad/Mul" },
    { "net/mul_1", "train/gradients/net/mul_1_grad/Mul" },
    { "mul", "gradients/mul_grad_1/Mul" },
    { "gradients/AddN", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint32 forward = flow_graph_find_node (graph, cases[i].forward);
      g_autoptr(GArray) ops = flow_trace_gradient_ops (graph, forward);
      g_autofree char *text = list_nodes (graph, ops);

      g_assert_cmpstr (text, ==, cases[i].expected);
      for (guint k = 0; k < ops->len; k++)
        g_assert_cmpuint (flow_trace_forward_op (graph, g_array_index (ops, guint32, k)), ==, forward);
    }
  g_assert_cmpuint (flow_trace_forward_op (graph, flow_graph_find_node (graph, "other/mul_grad/Mul")), ==, FLOW_NODE_NONE);
  g_assert_cmpuint (flow_trace_forward_op (graph, flow_graph_find_node (graph, "net/mul")), ==, FLOW_NODE_NONE);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();
  g_test_add_func ("/layout/trace/reach", test_reach);
  g_test_add_func ("/layout/trace/paths", test_paths);
  g_test_add_func ("/layout/trace/loop", test_loop);
  g_test_add_func ("/layout/trace/gradients", test_gradients);
  return g_test_run ();
}
