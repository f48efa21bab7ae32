/* test-variants.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-tensor-hash.h"
#include "flow-tensor-list-private.h"

/* What tensors of dtype variant hold: values that stand in one another, shared and compared. */

static FlowTensorList *
new_list (FlowDType   dtype,
          FlowBudget *budget)
{
  g_autoptr (FlowShape) shape = flow_shape_new_unknown ();
  g_autoptr (GError) error = NULL;
  FlowTensorList *list = _flow_tensor_list_new (dtype, shape, 0, budget, &error);

  g_assert_no_error (error);
  return list;
}

static void
push_float (FlowTensorList *list,
            float           value)
{
  g_autoptr (FlowTensor) tensor = flow_tensor_new_float (value);
  g_autoptr (GError) error = NULL;

  g_assert_true (_flow_tensor_list_push (list, tensor, &error));
  g_assert_no_error (error);
}

/* A loop that puts its list into a new one in each iteration ends with an error, and freeing what there is does not end
 * the process. */
static void
test_depth (void)
{
  g_autoptr (FlowTensorList) inner = new_list (FLOW_DTYPE_VARIANT, NULL);
  g_autoptr (GError) error = NULL;
  int depth = 1;

  for (; depth < 2 * FLOW_VARIANT_MAX_DEPTH; depth++)
    {
      FlowTensorList *outer = new_list (FLOW_DTYPE_VARIANT, NULL);
      g_autoptr (FlowTensor) tensor = flow_tensor_new_variant (FLOW_VARIANT (inner));

      if (!_flow_tensor_list_push (outer, tensor, &error))
        {
          g_object_unref (outer);
          break;
        }
      g_object_unref (inner);
      inner = outer;
    }
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED);
  g_assert_cmpint (depth, ==, FLOW_VARIANT_MAX_DEPTH);
  g_assert_cmpuint (flow_variant_hash (FLOW_VARIANT (inner)), !=, 0);
}

static void
test_identical (void)
{
  g_autoptr (FlowTensorList) a = new_list (FLOW_DTYPE_FLOAT, NULL);
  g_autoptr (FlowTensorList) b = new_list (FLOW_DTYPE_FLOAT, NULL);
  g_autoptr (FlowTensor) x = flow_tensor_new_variant (FLOW_VARIANT (a));
  g_autoptr (FlowTensor) y = flow_tensor_new_variant (FLOW_VARIANT (b));
  g_autoptr (GError) error = NULL;

  g_assert_true (flow_tensor_identical (x, y));
  push_float (a, 1);
  g_assert_false (flow_tensor_identical (x, y));
  push_float (b, 1);
  g_assert_true (flow_tensor_identical (x, y));
  g_assert_cmpuint (flow_tensor_hash (x, 1), ==, flow_tensor_hash (y, 1));
  g_assert_true (_flow_tensor_list_set (b, 0, NULL, &error));
  g_assert_false (flow_tensor_identical (x, y));
  g_assert_cmpuint (flow_tensor_hash (x, 1), !=, flow_tensor_hash (y, 1));
}

/* The same list twice in each of 50 others: 2^50 lists to whoever walks all ways down. */
static void
test_shared (void)
{
  g_autoptr (FlowBudget) budget = flow_budget_new (1 << 20);
  g_autoptr (FlowTensorList) inner = new_list (FLOW_DTYPE_FLOAT, NULL);
  g_autoptr (GError) error = NULL;
  FlowVariant *zeros;

  push_float (inner, 1);
  for (int i = 0; i < 50; i++)
    {
      FlowTensorList *outer = new_list (FLOW_DTYPE_VARIANT, NULL);
      g_autoptr (FlowTensor) tensor = flow_tensor_new_variant (FLOW_VARIANT (inner));

      g_assert_true (_flow_tensor_list_push (outer, tensor, &error));
      g_assert_true (_flow_tensor_list_push (outer, tensor, &error));
      g_object_unref (inner);
      inner = outer;
    }
  g_assert_cmpuint (flow_variant_hash (FLOW_VARIANT (inner)), !=, 0);
  zeros = flow_variant_zeros_like (FLOW_VARIANT (inner), budget, &error);
  g_assert_null (zeros);
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED);
  g_assert_cmpuint (flow_budget_get_used (budget), ==, 0);
}

static void
test_budget (void)
{
  g_autoptr (FlowBudget) budget = flow_budget_new (1 << 20);
  g_autoptr (FlowShape) shape = flow_shape_new_unknown ();
  g_autoptr (GError) error = NULL;
  FlowTensorList *list = _flow_tensor_list_new (FLOW_DTYPE_FLOAT, shape, G_MAXINT32, budget, &error);

  g_assert_null (list);
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED);
  g_assert_cmpuint (flow_budget_get_used (budget), ==, 0);
  list = new_list (FLOW_DTYPE_FLOAT, budget);
  push_float (list, 1);
  g_assert_cmpuint (flow_budget_get_used (budget), >, 0);
  g_object_unref (list);
  g_assert_cmpuint (flow_budget_get_used (budget), ==, 0);
}

static void
test_text (void)
{
  g_autoptr (FlowTensorList) list = new_list (FLOW_DTYPE_FLOAT, NULL);
  g_autoptr (FlowTensor) tensor = flow_tensor_new_variant (FLOW_VARIANT (list));
  g_autofree char *what = NULL;

  push_float (list, 1);
  what = flow_variant_describe (flow_tensor_get_variant (tensor, 0));
  g_assert_cmpstr (what, ==, "1 of float32 <unknown>");
  g_assert_cmpstr (flow_variant_get_type_name (FLOW_VARIANT (list)), ==, "tensorflow::TensorList");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/variants/depth", test_depth);
  g_test_add_func ("/kernels/variants/identical", test_identical);
  g_test_add_func ("/kernels/variants/shared", test_shared);
  g_test_add_func ("/kernels/variants/budget", test_budget);
  g_test_add_func ("/kernels/variants/text", test_text);
  return g_test_run ();
}
