/* fuzz-npy.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-npy.h"
#include "flow-tensor-stats.h"
#include "flow-tensor-text.h"
#include "fuzz-driver.h"

/* Reads bytes as an array; what is read is looked at, and written again where it can be. */

const char *const fuzz_seeds[] = { "golden/tensor/big.npy", NULL };

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (FlowBudget) budget = flow_budget_new (16 << 20);
  g_autoptr (FlowTensor) tensor = flow_npy_read (bytes, budget, NULL);
  g_autoptr (FlowTensorStats) stats = NULL;
  g_autoptr (GBytes) again = NULL;
  g_autofree char *text = NULL;

  if (tensor == NULL)
    {
      g_assert_cmpuint (flow_budget_get_used (budget), ==, 0);
      return 0;
    }
  stats = flow_tensor_stats_new (tensor, 10);
  text = flow_tensor_to_text (tensor, NULL);
  g_assert_nonnull (text);
  again = flow_npy_write (tensor, NULL);
  g_assert_true (again != NULL || flow_tensor_get_dtype (tensor) == FLOW_DTYPE_STRING);
  return 0;
}
