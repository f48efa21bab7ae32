/* test-graph.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-control-flow.h"
#include "flow-graph-text.h"
#include "flow-infer.h"
#include "flow-op-def.h"
#include "flow-prune.h"

#include <string.h>

/* A small op table of this test's own. */

static gboolean
infer_matmul (FlowInferContext  *c,
              GError           **error)
{
  g_autoptr (FlowShape) a = NULL;
  g_autoptr (FlowShape) b = NULL;
  gint64 inner;

  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 2, &a, error)
      || !flow_infer_with_rank (c, flow_infer_input (c, 1), 2, &b, error)
      || !flow_infer_merge_dim (c, a->dims[1], b->dims[0], &inner, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_matrix (a->dims[0], b->dims[1]));
  return TRUE;
}

static gboolean
infer_merge (FlowInferContext  *c,
             GError           **error)
{
  const FlowShape *first = flow_infer_input (c, 0);
  g_autoptr (FlowShape) shape = flow_shape_new (first->rank, first->rank < 0 ? NULL : first->dims);

  for (guint i = 1; i < c->n_inputs; i++)
    {
      const FlowShape *other = flow_infer_input (c, i);

      if (other->rank != shape->rank)
        {
          flow_infer_take_output (c, 0, flow_shape_new_unknown ());
          flow_infer_take_output (c, 1, flow_shape_new_scalar ());
          return TRUE;
        }
      for (int k = 0; k < shape->rank; k++)
        if (shape->dims[k] != other->dims[k])
          shape->dims[k] = -1;
    }
  flow_infer_set_output (c, 0, shape);
  flow_infer_take_output (c, 1, flow_shape_new_scalar ());
  return TRUE;
}

static gboolean
infer_grow (FlowInferContext  *c,
            GError           **error)
{
  const FlowShape *in = flow_infer_input (c, 0);
  g_autoptr (FlowShape) shape = flow_shape_new (in->rank, in->rank < 0 ? NULL : in->dims);

  if (shape->rank > 0 && shape->dims[0] >= 0)
    shape->dims[0]++;
  flow_infer_set_output (c, 0, shape);
  return TRUE;
}

static gboolean
infer_like_value (FlowInferContext  *c,
                  GError           **error)
{
  FlowShape *shape;

  if (!flow_infer_shape_from_value (c, 0, &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, shape);
  return TRUE;
}

static FlowShape *
shape_value_list (FlowInferContext *c,
                  guint             i)
{
  const FlowShape *in = flow_infer_input (c, 0);

  return in->rank >= 0 ? flow_shape_ref (in) : NULL;
}

static gboolean
infer_vector (FlowInferContext  *c,
              GError           **error)
{
  flow_infer_take_output (c, 0, flow_shape_new_vector (-1));
  return TRUE;
}

static const FlowOpDef ops[] = {
  { .name = "Hold", .outputs = "output: dtype", .attrs = "dtype: type; shape: shape = { unknown_rank: true }",
    .flags = FLOW_OP_PLACEHOLDER, .infer = flow_infer_explicit_shape },
  { .name = "Var", .outputs = "ref: Ref(dtype)", .attrs = "dtype: type; shape: shape", .flags = FLOW_OP_STATEFUL,
    .infer = flow_infer_explicit_shape },
  { .name = "Mat", .inputs = "a: T; b: T", .outputs = "product: T",
    .attrs = "T: {float, double}; transpose_a: bool = false; mode: {'X', 'Y'} = 'X'", .infer = infer_matmul },
  { .name = "Pass", .inputs = "x: T", .outputs = "y: T", .attrs = "T: type", .infer = flow_infer_unchanged_shape },
  { .name = "Identity", .inputs = "x: T", .outputs = "y: T", .attrs = "T: type", .infer = flow_infer_unchanged_shape },
  { .name = "Fork", .inputs = "data: T; pred: bool", .outputs = "no: T; yes: T", .attrs = "T: type", .flags = FLOW_OP_SWITCH },
  { .name = "On", .inputs = "x: bool", .outputs = "y: bool", .flags = FLOW_OP_LOOP_COND },
  { .name = "Grow", .inputs = "x: T", .outputs = "y: T", .attrs = "T: type", .infer = infer_grow },
  { .name = "Two", .inputs = "x: T", .outputs = "y: T; z: int32", .attrs = "T: type" },
  { .name = "Many", .inputs = "x: N * T", .outputs = "y: N * T", .attrs = "N: int >= 1; T: type" },
  { .name = "Assign", .inputs = "ref: Ref(T); value: T", .outputs = "out: Ref(T)", .attrs = "T: type",
    .flags = FLOW_OP_STATEFUL, .infer = flow_infer_unchanged_shape },
  { .name = "No", .infer = flow_infer_no_outputs },
  { .name = "In", .inputs = "data: T", .outputs = "output: T", .attrs = "T: type; frame_name: string",
    .flags = FLOW_OP_ENTER, .infer = flow_infer_unchanged_shape },
  { .name = "Out", .inputs = "data: T", .outputs = "output: T", .attrs = "T: type", .flags = FLOW_OP_EXIT,
    .infer = flow_infer_unchanged_shape },
  { .name = "Next", .inputs = "data: T", .outputs = "output: T", .attrs = "T: type", .flags = FLOW_OP_NEXT_ITERATION,
    .infer = flow_infer_unchanged_shape },
  { .name = "Join", .inputs = "inputs: N * T", .outputs = "output: T; value_index: int32", .attrs = "T: type; N: int >= 1",
    .flags = FLOW_OP_MERGE, .infer = infer_merge },
  { .name = "ShapeOf", .inputs = "x: T", .outputs = "y: int32", .attrs = "T: type", .infer = infer_vector,
    .value_list = shape_value_list },
  { .name = "Make", .inputs = "shape: int32", .outputs = "y: float", .infer = infer_like_value },
};

static FlowGraph *
graph_ok (const char *text)
{
  g_autoptr (GError) error = NULL;
  FlowGraph *graph = flow_graph_from_text (text, NULL, &error);

  g_assert_no_error (error);
  return graph;
}

/* The graph is refused with these words; taken with a list of problems it opens and lists them. */
static void
assert_refused (const char *text,
                const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_problem_free);
  g_autoptr (FlowGraph) graph = flow_graph_new ();
  g_autoptr (FlowGraph) lenient = NULL;
  gboolean found = FALSE;

  g_assert_true (flow_graph_add_text (graph, "before = No ()", NULL, NULL));
  g_assert_false (flow_graph_add_text (graph, text, NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
  if (strstr (error->message, words) == NULL)
    g_test_message ("'%s' lacks '%s'", error->message, words);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_cmpuint (flow_graph_get_n_nodes (graph), ==, 1);
  g_assert_cmpuint (flow_graph_get_n_scopes (graph), ==, 1);
  g_assert_true (flow_graph_add_text (graph, "after/all = Pass (^before) [T=float]", problems, NULL));

  g_ptr_array_set_size (problems, 0);
  lenient = flow_graph_from_text (text, problems, NULL);
  g_assert_nonnull (lenient);
  for (guint i = 0; i < problems->len; i++)
    found = found || strstr (((FlowProblem *) problems->pdata[i])->text, words) != NULL;
  g_assert_true (found);
}

static void
assert_shape (FlowGraph  *graph,
              const char *tensor,
              const char *shape)
{
  FlowEndpoint at;
  g_autofree char *text = NULL;

  g_assert_true (flow_graph_parse_endpoint (graph, tensor, &at, NULL));
  text = flow_shape_to_string (flow_graph_get_output_shape (graph, at.node, (guint) at.slot));
  g_assert_cmpstr (text, ==, shape);
}

static void
test_nodes (void)
{
  g_autoptr (FlowGraph) g = graph_ok ("x = Hold () [dtype=float, shape=2x3]\n"
                                      "layer/w = Var () [dtype=float, shape=3x4]\n"
                                      "layer/w/read = Pass (layer/w) [T=float]\n"
                                      "layer/mul = Mat (x, layer/w/read, ^x) [T=float]");
  FlowEndpoint at;
  gint32 slot;
  guint32 consumer;
  gint32 input;
  guint32 layer = flow_graph_find_scope (g, "layer");
  guint32 w = flow_graph_find_scope (g, "layer/w/");

  g_assert_cmpuint (flow_graph_get_n_nodes (g), ==, 4);
  g_assert_cmpuint (flow_graph_find_node (g, "layer/mul"), ==, 3);
  g_assert_cmpuint (flow_graph_find_node (g, "layer"), ==, FLOW_NODE_NONE);
  g_assert_cmpstr (flow_graph_get_node_leaf (g, 3), ==, "mul");
  g_assert_cmpuint (flow_graph_get_n_inputs (g, 3), ==, 2);
  g_assert_cmpuint (flow_graph_get_n_control_inputs (g, 3), ==, 1);
  g_assert_cmpint (flow_graph_get_output_dtype (g, 1, 0), ==, FLOW_DTYPE_FLOAT + FLOW_DTYPE_REF);
  g_assert_cmpint (flow_graph_get_input_dtype (g, 2, 0), ==, FLOW_DTYPE_FLOAT);
  assert_shape (g, "layer/mul", "[2,4]");

  g_assert_cmpuint (flow_graph_get_n_out_edges (g, 0), ==, 2);
  flow_graph_get_out_edge (g, 0, 0, &slot, &consumer, &input);
  g_assert_cmpint (slot, ==, 0);
  g_assert_cmpuint (consumer, ==, 3);
  g_assert_cmpint (input, ==, 0);
  flow_graph_get_out_edge (g, 0, 1, &slot, &consumer, &input);
  g_assert_cmpint (slot, ==, FLOW_SLOT_CONTROL);

  g_assert_cmpuint (flow_graph_get_n_scopes (g), ==, 3);
  g_assert_cmpuint (flow_graph_get_scope_total (g, FLOW_SCOPE_ROOT), ==, 4);
  g_assert_cmpuint (flow_graph_get_scope_total (g, layer), ==, 3);
  g_assert_cmpuint (flow_graph_get_n_scope_nodes (g, layer), ==, 2);
  g_assert_cmpuint (flow_graph_get_scope_own_node (g, w), ==, 1);
  g_assert_cmpstr (flow_graph_get_scope_path (g, w), ==, "layer/w");
  g_assert_cmpuint (flow_graph_get_scope_parent (g, w), ==, layer);

  g_assert_true (flow_graph_parse_endpoint (g, "^x", &at, NULL));
  g_assert_cmpint (at.slot, ==, FLOW_SLOT_CONTROL);
  g_assert_false (flow_graph_parse_endpoint (g, "x:1", &at, NULL));
  g_assert_false (flow_graph_parse_endpoint (g, "x:x", &at, NULL));
}

/* An op without outputs is an element of the graph as any other. */
static void
test_find_op (void)
{
  g_autoptr (FlowGraph) g = graph_ok ("x = Hold () [dtype=float, shape=2x2]\ntrain/op = No (^x)");

  g_assert_cmpuint (flow_graph_find_op (g, "train/op"), ==, 1);
  g_assert_cmpuint (flow_graph_find_op (g, "^train/op"), ==, 1);
  g_assert_cmpuint (flow_graph_find_op (g, "x:0"), ==, 0);
  g_assert_cmpuint (flow_graph_find_op (g, "x:1"), ==, FLOW_NODE_NONE);
  g_assert_cmpuint (flow_graph_find_op (g, "train"), ==, FLOW_NODE_NONE);
  g_assert_cmpuint (flow_graph_find_op (g, "train/"), ==, FLOW_NODE_NONE);
}

static void
test_growing (void)
{
  g_autoptr (FlowGraph) g = graph_ok ("a/v = Var () [dtype=float, shape=2x2]");

  g_assert_true (flow_graph_add_text (g, "a/v/read = Pass (a/v) [T=float]\na/m = Mat (a/v/read, a/v/read) [T=float]", NULL, NULL));
  assert_shape (g, "a/m:0", "[2,2]");
  g_assert_cmpuint (flow_graph_get_n_out_edges (g, 0), ==, 1);
  g_assert_cmpuint (flow_graph_get_scope_own_node (g, flow_graph_find_scope (g, "a/v")), ==, 0);
  g_assert_true (flow_graph_add_text (g, "a = No ()", NULL, NULL));
  g_assert_cmpuint (flow_graph_get_scope_own_node (g, flow_graph_find_scope (g, "a")), ==, 3);
}

static void
test_refused (void)
{
  assert_refused ("a = No ()\na = No ()", "is not unique");
  assert_refused ("a b = No ()", "invalid characters");
  assert_refused ("_x = No ()", "invalid characters");
  assert_refused ("a>-b = No ()", "invalid characters");
  assert_refused ("a = No (^zzz)", "Node 'a': Unknown input node 'zzz'");
  assert_refused ("a = Hold () [dtype=float]\nb = Pass (a:-1) [T=float]", "Unknown input node 'a:-1'");
  assert_refused ("a = Hold () [dtype=float]\nb = Pass (a:7) [T=float]",
                  "Connecting to invalid output 7 of source node a which has 1 outputs");
  assert_refused ("a = Hold () [dtype=float]\nb = Pass (a:99999999999) [T=float]", "Connecting to invalid output");
  assert_refused ("a = Hold () [dtype=float]\nb = Pass (^a, a) [T=float]", "Control dependencies must come after regular dependencies");
  assert_refused ("a = Pass (b) [T=float]\nb = Pass (a) [T=float]", "a cycle with 2 nodes");
  assert_refused ("a = Pass (a) [T=float]", "a cycle with 1 nodes");
  assert_refused ("a = Hold () [dtype=float]\nb = Mat (a) [T=float]", "expected inputs 'float, float' do not match 1 inputs specified");
  assert_refused ("a = Hold () [dtype=float]\nb = Pass (a) [T=int32]", "was passed float from a:0 incompatible with expected int32");
  assert_refused ("a = Hold () [dtype=float]\nb = Assign (a, a) [T=float]", "incompatible with expected float_ref");
  assert_refused ("a = Hold ()", "NodeDef missing attr 'dtype'");
  assert_refused ("a = Hold () [dtype='x']", "AttrValue had value with type 'string' when 'type' expected");
  assert_refused ("a = Hold () [dtype=float]\nb = Mat (a, a) [T=int32]", "not in the list of allowed values");
  assert_refused ("a = Hold () [dtype=float]\nb = Mat (a, a) [T=float, mode='Z']", "is not in the list of allowed values");
  assert_refused ("a = Hold () [dtype=float]\nb = Many (a) [T=float, N=0]", "must be at least minimum 1");
  assert_refused ("a = Hold () [dtype=float]\nb = Many (a) [T=float, N=1099511627776]", "Number of outputs is too big");
}

static void
test_foreign_attr (void)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_problem_free);
  g_autoptr (FlowGraph) g = flow_graph_from_text ("a = Hold () [dtype=float, colour=3, _note=4]", problems, NULL);

  g_assert_nonnull (g);
  g_assert_cmpuint (problems->len, ==, 1);
  g_assert_cmpint (((FlowProblem *) problems->pdata[0])->severity, ==, 1);
  g_assert_nonnull (strstr (((FlowProblem *) problems->pdata[0])->text, "mentions attr 'colour' not in Op<name=Hold>"));
}

static void
test_unknown_op (void)
{
  g_autoptr (FlowGraph) g = graph_ok ("a = Mystery () [T=float]\nb = Pass (a:2) [T=float]");

  g_assert_cmpuint (flow_graph_get_n_outputs (g, 0), ==, 3);
  g_assert_null (flow_graph_get_signature (g, 0)->op);
  g_assert_cmpint (flow_graph_get_output_dtype (g, 0, 2), ==, FLOW_DTYPE_FLOAT);
}

static void
test_loop_shapes (void)
{
  g_autoptr (FlowGraph) g = graph_ok ("x = Hold () [dtype=float, shape=2x3]\n"
                                      "in = In (x) [T=float, frame_name='f']\n"
                                      "same = Join (in, next) [T=float, N=2]\n"
                                      "body = Pass (same) [T=float]\n"
                                      "next = Next (body) [T=float]\n"
                                      "out = Out (same) [T=float]\n"
                                      "in2 = In (x) [T=float, frame_name='g']\n"
                                      "grows = Join (in2, next2) [T=float, N=2]\n"
                                      "body2 = Grow (grows) [T=float]\n"
                                      "next2 = Next (body2) [T=float]\n"
                                      "out2 = Out (grows) [T=float]\n"
                                      "after = Pass (out) [T=float]");

  assert_shape (g, "out", "[2,3]");
  assert_shape (g, "out2", "[?,3]");
  g_assert_cmpstr (flow_graph_get_frame_name (g, flow_graph_find_node (g, "body")), ==, "f");
  g_assert_cmpstr (flow_graph_get_frame_name (g, flow_graph_find_node (g, "next2")), ==, "g");
  g_assert_cmpstr (flow_graph_get_frame_name (g, flow_graph_find_node (g, "after")), ==, "");
  g_assert_cmpuint (flow_graph_get_frame_parent_enter (g, flow_graph_find_node (g, "body")), ==, flow_graph_find_node (g, "in"));
}

static void
test_shape_of_shape (void)
{
  g_autoptr (FlowGraph) g = graph_ok ("x = Hold () [dtype=float, shape=5x?]\n"
                                      "s = ShapeOf (x) [T=float]\n"
                                      "m = Make (s)\n"
                                      "u = Hold () [dtype=int32]\n"
                                      "k = Make (u)");

  assert_shape (g, "m", "[5,?]");
  assert_shape (g, "k", "<unknown>");
}

/* Who is kept, by name, in the order of the graph. */
static void
assert_kept (FlowGraph  *graph,
             const char *feeds,
             const char *fetches,
             const char *targets,
             const char *kept)
{
  g_auto (GStrv) feed = g_strsplit (feeds, " ", -1);
  g_auto (GStrv) fetch = g_strsplit (fetches, " ", -1);
  g_auto (GStrv) target = g_strsplit (targets, " ", -1);
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowPrune) prune = NULL;
  g_autoptr (GString) names = g_string_new (NULL);

  prune = flow_prune_new (graph, *feeds ? (const char *const *) feed : NULL, *fetches ? (const char *const *) fetch : NULL,
                          *targets ? (const char *const *) target : NULL, &error);
  g_assert_no_error (error);
  for (guint32 i = 0; i < flow_graph_get_n_nodes (graph); i++)
    if (flow_prune_contains (prune, i))
      g_string_append_printf (names, "%s%s", names->len > 0 ? " " : "", flow_graph_get_node_name (graph, i));
  g_assert_cmpstr (names->str, ==, kept);
}

static void
test_prune (void)
{
  g_autoptr (FlowGraph) g = graph_ok ("x = Hold () [dtype=float]\n"
                                      "w = Var () [dtype=float, shape=2x2]\n"
                                      "r = Pass (w) [T=float]\n"
                                      "two = Two (r, ^x) [T=float]\n"
                                      "m = Mat (two, x) [T=float]\n"
                                      "n = Pass (m, ^two) [T=float]\n"
                                      "t = No (^n)\n"
                                      "alone = No ()");
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowPrune) prune = NULL;
  g_auto (GStrv) chain = NULL;
  g_autofree char *reason = NULL;
  gboolean in;

  assert_kept (g, "", "", "t", "x w r two m n t");
  assert_kept (g, "", "m:0", "", "x w r two m");
  /* Control edges of a fed placeholder move to the feed, of anything else they stay. */
  assert_kept (g, "x:0", "m", "", "w r two m");
  assert_kept (g, "two:0", "n", "", "x w r two m n");
  assert_kept (g, "two:0", "m", "", "x m");
  assert_kept (g, "m:0", "", "m", "x w r two m");
  assert_kept (g, "m", "n", "alone", "x w r two n alone");

  prune = flow_prune_new (g, NULL, (const char *[]) { "n", NULL }, NULL, NULL);
  chain = flow_prune_explain (prune, 1, &in, &reason);
  g_assert_true (in);
  g_assert_cmpstr (reason, ==, "needed by fetch n:0");
  g_assert_cmpstr (chain[0], ==, "w");
  g_assert_cmpstr (chain[g_strv_length (chain) - 1], ==, "n");

  g_assert_null (flow_prune_new (g, NULL, NULL, NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (flow_prune_new (g, NULL, (const char *[]) { "t", NULL }, NULL, &error));
  g_assert_nonnull (strstr (error->message, "which produces no output.  To run to a node"));
  g_clear_error (&error);
  g_assert_null (flow_prune_new (g, (const char *[]) { "x", "x:0", NULL }, (const char *[]) { "m", NULL }, NULL, &error));
  g_assert_nonnull (strstr (error->message, "Endpoint \"x:0\" fed more than once."));
  g_clear_error (&error);
  g_assert_null (flow_prune_new (g, (const char *[]) { "nope:0", NULL }, (const char *[]) { "m", NULL }, NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (flow_prune_new (g, NULL, NULL, (const char *[]) { "a", "b", NULL }, &error));
  g_assert_cmpstr (error->message, ==, "PruneForTargets: Some target nodes not found: a b ");
}

/* A scope ten thousand deep, a node with a hundred thousand readers: close to linear, no recursion. */
static void
test_scale (void)
{
  g_autoptr (GString) deep = g_string_new ("a");
  g_autoptr (FlowGraph) g = flow_graph_new ();
  g_autofree FlowNodeDef *defs = g_new0 (FlowNodeDef, 200002);
  g_autoptr (GStringChunk) names = g_string_chunk_new (1 << 16);
  g_autoptr (FlowAttrList) attrs = flow_attr_list_new ();
  g_autoptr (FlowAttr) type = flow_attr_new_type (FLOW_DTYPE_FLOAT);
  g_autoptr (FlowPrune) prune = NULL;
  g_autoptr (GError) error = NULL;
  const char **inputs = g_new0 (const char *, 200002);

  flow_attr_list_set (attrs, "T", type);
  flow_attr_list_set (attrs, "dtype", type);
  for (int i = 0; i < 10000; i++)
    g_string_append (deep, "/a");
  defs[0] = (FlowNodeDef) { .name = deep->str, .name_length = deep->len, .op = "Hold", .attrs = attrs };
  for (int i = 1; i <= 200000; i++)
    {
      g_autofree char *own = g_strdup_printf ("n%d", i);
      char *name = g_string_chunk_insert (names, own);

      inputs[i] = i == 1 ? deep->str : i > 100000 ? defs[1].name : defs[i - 1].name;
      defs[i] = (FlowNodeDef) { .name = name, .name_length = strlen (name), .op = "Pass", .attrs = attrs,
                                .inputs = &inputs[i], .n_inputs = 1 };
    }
  flow_graph_import (g, defs, 200001, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (flow_graph_get_n_scopes (g), ==, 10001);
  g_assert_cmpuint (flow_graph_get_n_out_edges (g, 1), ==, 100001);
  g_assert_cmpuint (strlen (flow_graph_get_scope_path (g, 10000)), ==, 19999);
  prune = flow_prune_new (g, NULL, (const char *[]) { "n100000", NULL }, NULL, NULL);
  g_assert_cmpuint (flow_prune_get_n_nodes (prune), ==, 100001);
  g_free (inputs);
}

static void
assert_frame (const FlowControlFlow *flow,
              const char            *node,
              FlowControlKind        kind,
              const char            *name,
              guint                  depth)
{
  guint32 frame = flow->frame_of[flow_graph_find_node (flow->graph, node)];

  g_assert_cmpint (flow->frames[frame].kind, ==, kind);
  g_assert_cmpstr (flow->frames[frame].name, ==, name);
  g_assert_cmpuint (flow->frames[frame].depth, ==, depth);
}

/* A condition in a loop, as tf.cond in the body of tf.while_loop makes it, and what is around them. */
static void
test_control_flow (void)
{
  g_autoptr (FlowGraph) g = graph_ok ("x = Hold () [dtype=float, shape=2x3]\n"
                                      "go = Hold () [dtype=bool, shape=()]\n"
                                      "w/in = In (x) [T=float, frame_name='w/context']\n"
                                      "w/p = In (go) [T=bool, frame_name='w/context']\n"
                                      "w/join = Join (w/in, w/next) [T=float, N=2]\n"
                                      "w/on = On (w/p)\n"
                                      "w/fork = Fork (w/join, w/on) [T=float]\n"
                                      "w/body = Pass (w/fork:1) [T=float]\n"
                                      "w/cond/pred_id = Identity (w/p) [T=bool]\n"
                                      "w/cond/fork = Fork (w/body, w/cond/pred_id) [T=float]\n"
                                      "w/cond/yes/in = In (x) [T=float, frame_name='w/context']\n"
                                      "w/cond/yes/fork = Fork (w/cond/yes/in, w/cond/pred_id) [T=float]\n"
                                      "w/cond/yes = Pass (w/cond/fork:1, ^w/cond/yes/sum) [T=float]\n"
                                      "w/cond/yes/sum = Pass (w/cond/yes/fork:1) [T=float]\n"
                                      "w/cond/also = Hold (^w/cond/yes) [dtype=float, shape=2x3]\n"
                                      "w/cond/no = Pass (w/cond/fork) [T=float]\n"
                                      "w/cond/join = Join (w/cond/no, w/cond/yes) [T=float, N=2]\n"
                                      "w/next = Next (w/cond/join) [T=float]\n"
                                      "w/out = Out (w/fork) [T=float]\n"
                                      "after = Pass (w/out) [T=float]");
  g_autoptr (FlowControlFlow) flow = flow_control_flow_new (g);
  g_autoptr (FlowGraph) plain = graph_ok ("x = Hold () [dtype=float, shape=2x3]\ny = Pass (x) [T=float]");
  g_autoptr (FlowControlFlow) none = flow_control_flow_new (plain);

  assert_frame (flow, "x", FLOW_CONTROL_GRAPH, "", 0);
  assert_frame (flow, "w/in", FLOW_CONTROL_LOOP, "w/context", 1);
  assert_frame (flow, "w/join", FLOW_CONTROL_LOOP, "w/context", 1);
  assert_frame (flow, "w/body", FLOW_CONTROL_LOOP, "w/context", 1);
  assert_frame (flow, "w/cond/fork", FLOW_CONTROL_LOOP, "w/context", 1);
  assert_frame (flow, "w/cond/yes", FLOW_CONTROL_TRUE, "w/p", 2);
  assert_frame (flow, "w/cond/yes/fork", FLOW_CONTROL_TRUE, "w/p", 2);
  assert_frame (flow, "w/cond/yes/in", FLOW_CONTROL_TRUE, "w/p", 2);
  assert_frame (flow, "w/cond/also", FLOW_CONTROL_TRUE, "w/p", 2);
  assert_frame (flow, "w/cond/no", FLOW_CONTROL_FALSE, "w/p", 2);
  assert_frame (flow, "w/cond/join", FLOW_CONTROL_LOOP, "w/context", 1);
  assert_frame (flow, "w/next", FLOW_CONTROL_LOOP, "w/context", 1);
  assert_frame (flow, "w/out", FLOW_CONTROL_LOOP, "w/context", 1);
  assert_frame (flow, "after", FLOW_CONTROL_GRAPH, "", 0);
  g_assert_cmpuint (flow_control_flow_join (flow, flow->frame_of[flow_graph_find_node (g, "w/cond/yes")],
                                            flow->frame_of[flow_graph_find_node (g, "w/cond/no")]),
                    ==, flow->frame_of[flow_graph_find_node (g, "w/in")]);
  g_assert_true (flow_control_flow_is_in (flow, flow->frame_of[flow_graph_find_node (g, "w/cond/no")],
                                          flow->frame_of[flow_graph_find_node (g, "w/in")]));
  g_assert_cmpuint (none->n_frames, ==, 1);
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr (GError) error = NULL;

  g_test_init (&argc, &argv, NULL);
  flow_op_registry_add (ops, G_N_ELEMENTS (ops), &error);
  g_assert_no_error (error);

  g_test_add_func ("/graph/nodes", test_nodes);
  g_test_add_func ("/graph/find-op", test_find_op);
  g_test_add_func ("/graph/growing", test_growing);
  g_test_add_func ("/graph/refused", test_refused);
  g_test_add_func ("/graph/foreign-attr", test_foreign_attr);
  g_test_add_func ("/graph/unknown-op", test_unknown_op);
  g_test_add_func ("/graph/shapes/loops", test_loop_shapes);
  g_test_add_func ("/graph/shapes/of-shapes", test_shape_of_shape);
  g_test_add_func ("/graph/control-flow", test_control_flow);
  g_test_add_func ("/graph/prune", test_prune);
  g_test_add_func ("/graph/scale", test_scale);

  return g_test_run ();
}
