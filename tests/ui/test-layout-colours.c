/* test-layout-colours.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-graph-text.h"
#include "flow-structure.h"

#include <math.h>

/* From classes and amounts of nodes to the colours of boxes, and which groups are built alike. */

static FlowScene *
make_scene (const char *text)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_problem_free);
  g_autoptr(FlowGraph) graph = flow_graph_from_text (text, problems, &error);
  FlowTextMetrics metrics = { { 0 }, { 0 } };

  g_assert_no_error (error);
  return flow_scene_new (graph, &metrics, FLOW_FLOW_DOWN);
}

static FlowItem
group_item (const FlowScene *scene,
            const char      *key)
{
  guint32 group = flow_scene_find_key (scene, key);

  g_assert_cmpuint (group, !=, FLOW_GROUP_NONE);
  return flow_item_of_group (group);
}

static FlowItem
op_item (const FlowScene *scene,
         const char      *name)
{
  return flow_scene_item_of_op (scene, flow_graph_find_node (scene->graph, name));
}

static guint32
node_of (const FlowScene *scene,
         const char      *name)
{
  guint32 node = flow_graph_find_node (scene->graph, name);

  g_assert_cmpuint (node, !=, FLOW_NODE_NONE);
  return node;
}

static char *
format_plain (double amount)
{
  return g_strdup_printf ("%g", amount);
}

static const char two_layers[] =
  "x = Placeholder () [dtype=float]\n"
  "a/w = VariableV2 () [dtype=float, shape=()]\n"
  "a/read = Identity (a/w)\n"
  "a/mul = Mul (x, a/read)\n"
  "a/relu = Relu (a/mul)\n"
  "b/w = VariableV2 () [dtype=float, shape=()]\n"
  "b/read = Identity (b/w)\n"
  "b/mul = Mul (a/relu, b/read)\n"
  "b/relu = Relu (b/mul)\n"
  "c/w = VariableV2 () [dtype=float, shape=()]\n"
  "c/read = Identity (c/w)\n"
  "c/mul = Mul (c/read, b/relu)\n"
  "c/relu = Relu (c/mul)\n";

/* A closed group shows the shares of its ops, an op its class, what has none nothing. */
static void
test_classes (void)
{
  g_autoptr(FlowScene) scene = make_scene (two_layers);
  g_autoptr(FlowColouring) colouring = flow_colouring_new_classes (scene->n_ops);
  guint8 red = flow_colouring_add_class (colouring, FLOW_COLOR_FAILED, "R", "red");
  guint8 green = flow_colouring_add_class (colouring, FLOW_COLOR_DONE, NULL, "green");
  FlowItem items[] = { flow_item_of_group (FLOW_GROUP_ROOT), group_item (scene, "a"), group_item (scene, "b"),
                       op_item (scene, "x") };
  g_autoptr(FlowTints) tints = NULL;

  flow_colouring_set_class (colouring, node_of (scene, "a/mul"), red);
  flow_colouring_set_class (colouring, node_of (scene, "a/relu"), green);
  flow_colouring_set_class (colouring, node_of (scene, "a/relu"), red);
  flow_colouring_set_class (colouring, node_of (scene, "a/read"), green);
  flow_colouring_set_class (colouring, node_of (scene, "x"), green);
  flow_colouring_set_class (colouring, scene->n_ops, green);
  g_assert_cmpuint (g_array_index (colouring->classes, FlowColourClass, red).n_ops, ==, 2);
  g_assert_cmpuint (g_array_index (colouring->classes, FlowColourClass, green).n_ops, ==, 2);
  tints = flow_tints_new (colouring, scene, items, G_N_ELEMENTS (items));
  g_assert_cmpuint (tints->boxes[0].n_parts, ==, 0);
  g_assert_cmpuint (tints->boxes[1].n_parts, ==, 2);
  g_assert_cmpuint (tints->boxes[1].color[0], ==, FLOW_COLOR_FAILED);
  g_assert_cmpuint (tints->boxes[1].part[0], ==, 127);
  g_assert_cmpuint (tints->boxes[1].part[1], ==, 63);
  g_assert_cmpstr (tints->boxes[1].tag, ==, "R");
  g_assert_cmpuint (tints->boxes[2].n_parts, ==, 0);
  g_assert_cmpuint (tints->boxes[3].color[0], ==, FLOW_COLOR_DONE);
  g_assert_null (tints->boxes[3].tag);
}

/* What is in an open group is not said of it as well; what is in a closed one within is. */
static void
test_open_groups (void)
{
  g_autoptr(FlowScene) scene = make_scene ("s/a/x = NoOp ()\ns/a/y = NoOp ()\ns/b = NoOp ()\nt = NoOp ()\n");
  g_autoptr(FlowColouring) colouring = flow_colouring_new_amounts (FLOW_COLOURING_SUM, scene->n_ops, format_plain);
  FlowItem items[] = { group_item (scene, "s"), group_item (scene, "s/a"), op_item (scene, "s/b") };
  g_autoptr(FlowTints) closed = NULL;
  g_autoptr(FlowTints) open = NULL;

  flow_colouring_set_amount (colouring, node_of (scene, "s/a/x"), 1);
  flow_colouring_set_amount (colouring, node_of (scene, "s/a/y"), 2);
  flow_colouring_set_amount (colouring, node_of (scene, "s/b"), 4);
  flow_colouring_set_amount (colouring, node_of (scene, "t"), 0);
  flow_colouring_seal (colouring);
  g_assert_cmpfloat (colouring->high, ==, 7);
  closed = flow_tints_new (colouring, scene, items, 1);
  g_assert_cmpstr (closed->boxes[0].tag, ==, "7");
  g_assert_cmpuint (closed->boxes[0].color[0], ==, FLOW_COLOR_RAMP_6);
  flow_scene_group (scene, flow_item_get_group (items[0]))->is_open = TRUE;
  open = flow_tints_new (colouring, scene, items, 3);
  g_assert_cmpuint (open->boxes[0].n_parts, ==, 0);
  g_assert_cmpstr (open->boxes[1].tag, ==, "3");
  g_assert_cmpstr (open->boxes[2].tag, ==, "4");
  /* Nothing is no amount. */
  g_assert_cmpuint (colouring->class_of[node_of (scene, "t")], ==, FLOW_COLOUR_NONE);
}

/* Numbers of any sign; what is said of a scope counts, not what its ops add up to; NaN is none. */
static void
test_numbers (void)
{
  g_autoptr(FlowScene) scene = make_scene (two_layers);
  g_autoptr(FlowColouring) colouring = flow_colouring_new_amounts (FLOW_COLOURING_GREATEST, scene->n_ops, format_plain);
  FlowItem items[] = { group_item (scene, "a"), group_item (scene, "b"), op_item (scene, "x") };
  g_autoptr(FlowTints) tints = NULL;

  flow_colouring_set_amount (colouring, node_of (scene, "a/mul"), -6);
  flow_colouring_set_amount (colouring, node_of (scene, "a/relu"), 0);
  flow_colouring_set_amount (colouring, node_of (scene, "b/mul"), 3);
  flow_colouring_set_amount (colouring, node_of (scene, "x"), NAN);
  flow_colouring_set_amount (colouring, node_of (scene, "c/mul"), INFINITY);
  flow_colouring_set_scope_amount (colouring, "b", 6);
  flow_colouring_seal (colouring);
  g_assert_false (colouring->is_log);
  g_assert_cmpuint (colouring->classes->len, ==, FLOW_RAMP_STEPS);
  g_assert_cmpstr (g_array_index (colouring->classes, FlowColourClass, 0).label, ==, "-6 – -4");
  tints = flow_tints_new (colouring, scene, items, G_N_ELEMENTS (items));
  g_assert_cmpstr (tints->boxes[0].tag, ==, "0");
  g_assert_cmpuint (tints->boxes[0].color[0], ==, FLOW_COLOR_RAMP_4);
  g_assert_cmpstr (tints->boxes[1].tag, ==, "6");
  g_assert_cmpuint (tints->boxes[2].n_parts, ==, 0);
}

static void
test_one_number (void)
{
  g_autoptr(FlowColouring) colouring = flow_colouring_new_amounts (FLOW_COLOURING_GREATEST, 2, format_plain);

  flow_colouring_set_amount (colouring, 1, 5);
  flow_colouring_seal (colouring);
  g_assert_cmpuint (colouring->class_of[1], ==, FLOW_RAMP_STEPS / 2);
  g_assert_cmpstr (g_array_index (colouring->classes, FlowColourClass, 3).label, ==, "5");
}

/* a and b are alike; c has its inputs the other way round, so its hash is theirs and it is not. */
static void
test_structure (void)
{
  g_autoptr(FlowScene) scene = make_scene (two_layers);
  g_autoptr(FlowStructureJob) job = flow_structure_job_new (scene);
  g_autoptr(FlowColouring) colouring = flow_structure_job_run (job);
  guint32 a = flow_scene_find_key (scene, "a");
  guint32 b = flow_scene_find_key (scene, "b");
  guint32 c = flow_scene_find_key (scene, "c");
  FlowItem items[] = { flow_item_of_group (a), flow_item_of_group (c) };
  g_autoptr(FlowTints) tints = flow_tints_new (colouring, scene, items, G_N_ELEMENTS (items));

  g_assert_cmpuint (flow_scene_group (scene, a)->hash, ==, flow_scene_group (scene, c)->hash);
  g_assert_cmpuint (colouring->number_of[a], ==, 1);
  g_assert_cmpuint (colouring->number_of[b], ==, 1);
  g_assert_cmpuint (colouring->number_of[c], ==, 0);
  g_assert_cmpuint (colouring->classes->len, ==, 1);
  g_assert_cmpuint (g_array_index (colouring->classes, FlowColourClass, 0).n_ops, ==, 2);
  g_assert_cmpstr (tints->boxes[0].tag, ==, "1");
  g_assert_cmpuint (tints->boxes[1].n_parts, ==, 0);
}

/* More kinds than a box has room for: those that there are most of. */
static void
test_many_classes (void)
{
  g_autoptr(GString) text = g_string_new (NULL);
  g_autoptr(FlowScene) scene = NULL;
  g_autoptr(FlowColouring) colouring = NULL;
  g_autoptr(FlowTints) tints = NULL;
  FlowItem item = 0;
  guint32 op = 0;

  for (guint i = 0; i < 10; i++)
    for (guint k = 0; k <= i; k++)
      g_string_append_printf (text, "s/n%u_of%uth = NoOp ()\n", k, i);
  scene = make_scene (text->str);
  colouring = flow_colouring_new_classes (scene->n_ops);
  for (guint i = 0; i < 10; i++)
    {
      g_autofree char *tag = g_strdup_printf ("%u", i);
      guint8 klass = flow_colouring_add_class (colouring, FLOW_COLOR_RAMP_1, tag, tag);

      for (guint k = 0; k <= i; k++)
        flow_colouring_set_class (colouring, op++, klass);
    }
  item = group_item (scene, "s");
  tints = flow_tints_new (colouring, scene, &item, 1);
  g_assert_cmpuint (tints->boxes[0].n_parts, ==, FLOW_TINT_PARTS);
  g_assert_cmpstr (tints->boxes[0].tag, ==, "4 5 6 …");
  for (guint i = 0; i < FLOW_COLOUR_CLASSES_MAX; i++)
    flow_colouring_add_class (colouring, FLOW_COLOR_RAMP_1, NULL, "more");
  g_assert_cmpuint (flow_colouring_add_class (colouring, FLOW_COLOR_RAMP_1, NULL, "too many"), ==, FLOW_COLOUR_NONE);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();
  g_test_add_func ("/layout/colours/classes", test_classes);
  g_test_add_func ("/layout/colours/open-groups", test_open_groups);
  g_test_add_func ("/layout/colours/numbers", test_numbers);
  g_test_add_func ("/layout/colours/one-number", test_one_number);
  g_test_add_func ("/layout/colours/structure", test_structure);
  g_test_add_func ("/layout/colours/many-classes", test_many_classes);
  return g_test_run ();
}
