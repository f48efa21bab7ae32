/* fuzz-model.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-model.h"
#include "flow-tensor-proto.h"
#include "flow-text-proto.h"
#include "fuzz-driver.h"

/* Opens bytes as a model; what opens is written, converted and described. */

const char *const fuzz_seeds[] = {
  "golden/models/split_test.pb", "golden/models/assert_less_equal_test.pb", "golden/models/cond_test.meta",
  "golden/models/xor.meta", "golden/models/half_plus_two.pb", "golden/models/export.meta", NULL
};

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (FlowBudget) budget = flow_budget_new (1 << 27);
  FlowLoadOptions options = { .budget = budget };
  g_autoptr (FlowModel) model = flow_model_load_bytes (bytes, "fuzz", &options, NULL);
  g_autoptr (FlowTensor) tensor = flow_tensor_from_proto (bytes, budget, NULL);
  g_autoptr (GBytes) text = flow_proto_to_text ("MetaGraphDef", bytes, "fuzz", NULL);
  g_autoptr (GBytes) back = text != NULL ? flow_text_to_proto ("MetaGraphDef", text, "fuzz", NULL) : NULL;
  g_autoptr (GBytes) converted = flow_model_convert_bytes (bytes, "fuzz", FLOW_MODEL_GRAPH_DEF, TRUE, NULL);
  g_autoptr (GBytes) written = NULL;
  g_autoptr (FlowGraph) copy = NULL;

  /* What we print we can read, but for nesting: text counts the outermost message. */
  g_assert_true (text == NULL || back != NULL || g_bytes_get_size (text) > 0);
  if (model == NULL)
    return 0;
  written = flow_graph_to_bytes (flow_model_get_graph (model), NULL);
  g_assert_nonnull (written);
  copy = flow_graph_new ();
  flow_graph_extend_from_bytes (copy, written, flow_model_get_problems (model), NULL);
  return 0;
}
