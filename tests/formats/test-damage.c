/* test-damage.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-model.h"
#include "flow-test-damage.h"
#include "flow-text-proto.h"

#include <string.h>

/* How many damaged copies of each file an ordinary run opens; FLOW_TEST_FUZZ=1 opens all. */
#define SAMPLE 1200

/* Opens the bytes and asks everything of what opened that the command line and the window ask. */
static gboolean
open_model (GBytes   *bytes,
            gpointer  data)
{
  FlowLoadOptions options = { .budget = data };
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowModel) model = flow_model_load_bytes (bytes, "damaged", &options, &error);
  FlowGraph *graph;

  g_assert_true ((model == NULL) == (error != NULL));
  if (model == NULL)
    {
      g_assert_true (error->domain == FLOW_ERROR);
      g_assert_true (error->code == FLOW_ERROR_DATA_LOSS || error->code == FLOW_ERROR_INVALID_ARGUMENT ||
                     error->code == FLOW_ERROR_RESOURCE_EXHAUSTED || error->code == FLOW_ERROR_NOT_FOUND);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      return FALSE;
    }
  graph = flow_model_get_graph (model);
  for (guint32 i = 0; i < flow_graph_get_n_nodes (graph); i++)
    {
      FlowAttrList *attrs = flow_graph_get_node_attrs (graph, i);

      for (guint k = 0; k < flow_attr_list_get_length (attrs); k++)
        {
          const FlowAttr *attr = flow_attr_list_get_value (attrs, k);
          g_autofree char *text = flow_attr_to_text (attr, 100);

          if (flow_attr_get_kind (attr) == FLOW_ATTR_TENSOR && !flow_attr_is_list (attr))
            {
              g_autoptr (FlowTensor) tensor = flow_attr_dup_tensor (attr, NULL);
            }
        }
    }
  return TRUE;
}

static void
damage (const char *name)
{
  g_autoptr (GBytes) good = flow_test_read (name);
  g_autoptr (FlowBudget) budget = flow_budget_new (1 << 26);
  FlowTestDamage result;

  g_assert_true (open_model (good, budget));
  result = flow_test_damage (good, SAMPLE, open_model, budget);
  g_test_message ("%s: %u damaged copies, %u open", name, result.n_cases, result.n_accepted);
  g_assert_cmpuint (result.n_cases, >, 100);
  g_assert_cmpuint (flow_budget_get_used (budget), ==, 0);
}

static void
test_graph_def (void)
{
  damage ("golden/models/split_test.pb");
  damage ("golden/models/assert_less_equal_test.pb");
}

static void
test_meta_graph (void)
{
  damage ("golden/models/cond_test.meta");
  damage ("golden/models/xor.meta");
}

static void
test_saved_model (void)
{
  damage ("golden/models/half_plus_two.pb");
}

static void
test_text (void)
{
  g_autoptr (GBytes) bytes = flow_test_read ("golden/models/cond_test.meta");
  g_autoptr (GBytes) text = flow_proto_to_text ("MetaGraphDef", bytes, "x", NULL);
  g_autoptr (FlowBudget) budget = flow_budget_new (1 << 26);

  g_assert_cmpuint (flow_test_damage (text, SAMPLE, open_model, budget).n_cases, >, 1000);
  g_assert_cmpuint (flow_budget_get_used (budget), ==, 0);
}

static void
test_packed (void)
{
  damage ("golden/models/queues.pbtxt.gz");
  damage ("golden/models/xor.meta.xz");
}

/* A file that ends early is never taken for a whole one, unless it ends between two fields of the
 * outermost message. */
static void
test_prefixes (void)
{
  g_autoptr (GBytes) good = flow_test_read ("golden/models/cond_test.meta");
  g_autoptr (FlowBudget) budget = flow_budget_new (1 << 26);
  gsize size;
  const guint8 *data = g_bytes_get_data (good, &size);
  guint n_accepted = 0;

  for (gsize n = 1; n < size; n++)
    {
      g_autoptr (GBytes) prefix = g_bytes_new (data, n);

      n_accepted += open_model (prefix, budget);
    }
  g_assert_cmpuint (n_accepted, <, 10);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/formats/damage/graph-def", test_graph_def);
  g_test_add_func ("/formats/damage/meta-graph", test_meta_graph);
  g_test_add_func ("/formats/damage/saved-model", test_saved_model);
  g_test_add_func ("/formats/damage/text", test_text);
  g_test_add_func ("/formats/damage/packed", test_packed);
  g_test_add_func ("/formats/damage/prefixes", test_prefixes);

  return g_test_run ();
}
