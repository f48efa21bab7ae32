/* test-random.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-op-runner.h"
#include "flow-parallel.h"

/* What golden files cannot say of generators and optimizers: that taking a step back gives the same
 * numbers again, that nothing depends on the number of threads, that values held by others stay. */

static FlowTensor *
new_shape (gint32 n)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector (1);
  FlowTensor *tensor = flow_tensor_new (FLOW_DTYPE_INT32, shape, NULL, NULL);

  FLOW_WRITABLE (gint32, tensor)[0] = n;
  return tensor;
}

static void
set_attr (FlowAttrList *attrs,
          const char   *name,
          FlowAttr     *value)
{
  flow_attr_list_set (attrs, name, value);
  flow_attr_unref (value);
}

static FlowAttrList *
new_attrs (gint64 seed)
{
  FlowAttrList *attrs = flow_attr_list_new ();

  set_attr (attrs, "seed", flow_attr_new_int (seed));
  set_attr (attrs, "seed2", flow_attr_new_int (seed));
  set_attr (attrs, "dtype", flow_attr_new_type (FLOW_DTYPE_FLOAT));
  set_attr (attrs, "T", flow_attr_new_type (FLOW_DTYPE_INT32));
  return attrs;
}

static FlowTensor *
draw (FlowOpRunner *runner,
      const char   *node,
      const char   *type,
      gint64        seed,
      gint32        n)
{
  g_autoptr (FlowAttrList) attrs = new_attrs (seed);
  g_autoptr (FlowTensor) shape = new_shape (n);
  g_autoptr (GArray) outputs = g_array_new (FALSE, TRUE, sizeof (FlowValue));
  FlowValue input = { .tensor = shape };
  g_autoptr (GError) error = NULL;

  g_array_set_clear_func (outputs, flow_op_runner_clear_value);
  flow_op_runner_run (runner, node, type, attrs, &input, 1, outputs, &error);
  g_assert_no_error (error);
  return flow_tensor_ref (g_array_index (outputs, FlowValue, 0).tensor);
}

static void
test_undo (gconstpointer data)
{
  const char *type = data;
  g_autoptr (FlowOpRunner) runner = flow_op_runner_new ();
  g_autoptr (FlowTensor) first = draw (runner, "r", type, 7, 100);
  g_autoptr (FlowTensor) second = draw (runner, "r", type, 7, 100);
  g_autoptr (FlowTensor) again = NULL;
  g_autoptr (FlowTensor) second_again = NULL;

  g_assert_false (flow_tensor_identical (first, second));
  g_assert_cmpuint (flow_op_runner_get_n_undo (runner), >=, 2);
  flow_op_runner_undo (runner);
  again = draw (runner, "r", type, 7, 100);
  second_again = draw (runner, "r", type, 7, 100);
  g_assert_true (flow_tensor_identical (first, again));
  g_assert_true (flow_tensor_identical (second, second_again));
}

/* Two nodes have a generator each; equal seeds give equal numbers. */
static void
test_nodes (void)
{
  g_autoptr (FlowOpRunner) runner = flow_op_runner_new ();
  g_autoptr (FlowTensor) a = draw (runner, "a", "RandomUniform", 3, 50);
  g_autoptr (FlowTensor) b = draw (runner, "b", "RandomUniform", 3, 50);
  g_autoptr (FlowTensor) other = draw (runner, "c", "RandomUniform", 4, 50);

  g_assert_true (flow_tensor_identical (a, b));
  g_assert_false (flow_tensor_identical (a, other));
}

static void
test_threads (gconstpointer data)
{
  const char *type = data;
  g_autoptr (FlowOpRunner) one = flow_op_runner_new ();
  g_autoptr (FlowOpRunner) two = flow_op_runner_new ();
  g_autoptr (FlowTensor) a = NULL;
  g_autoptr (FlowTensor) b = NULL;

  flow_parallel_set_n_threads (1);
  a = draw (one, "r", type, 9, 100003);
  flow_parallel_set_n_threads (3);
  b = draw (two, "r", type, 9, 100003);
  flow_parallel_set_n_threads (0);
  g_assert_true (flow_tensor_identical (a, b));
}

static FlowTensor *
new_vector (float first)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector (5);
  FlowTensor *tensor = flow_tensor_new (FLOW_DTYPE_FLOAT, shape, NULL, NULL);

  for (int i = 0; i < 5; i++)
    FLOW_WRITABLE (float, tensor)[i] = first + (float) i;
  return tensor;
}

/* A value that somebody holds is not written over, and a step back brings it back. */
static void
test_held_value (void)
{
  g_autoptr (FlowOpRunner) runner = flow_op_runner_new ();
  g_autoptr (FlowTensor) initial = new_vector (1);
  g_autoptr (FlowTensor) expected = new_vector (1);
  g_autoptr (FlowTensor) delta = new_vector (2);
  g_autoptr (FlowTensor) rate = flow_tensor_new_float (0.5f);
  g_autoptr (FlowAttrList) attrs = flow_attr_list_new ();
  FlowVariable *variable = flow_op_runner_add_variable (runner, "v", FLOW_DTYPE_FLOAT, initial);
  g_autoptr (FlowTensor) held = flow_tensor_ref (variable->value);
  FlowValue inputs[] = { { .ref = variable }, { .tensor = rate }, { .tensor = delta } };
  g_autoptr (GError) error = NULL;

  set_attr (attrs, "T", flow_attr_new_type (FLOW_DTYPE_FLOAT));
  flow_op_runner_run (runner, "sgd", "ApplyGradientDescent", attrs, inputs, 3, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (flow_tensor_identical (held, expected));
  g_assert_false (flow_tensor_identical (variable->value, expected));
  g_assert_cmpfloat (FLOW_DATA (float, variable->value)[0], ==, 0);
  flow_op_runner_undo (runner);
  g_assert_true (flow_tensor_identical (variable->value, expected));
}

int
main (int    argc,
      char **argv)
{
  static const char *const types[] = { "RandomUniform", "RandomStandardNormal", "TruncatedNormal" };

  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree char *undo = g_strconcat ("/kernels/random/undo/", types[i], NULL);
      g_autofree char *threads = g_strconcat ("/kernels/random/threads/", types[i], NULL);

      g_test_add_data_func (undo, types[i], test_undo);
      g_test_add_data_func (threads, types[i], test_threads);
    }
  g_test_add_func ("/kernels/random/nodes", test_nodes);
  g_test_add_func ("/kernels/random/held-value", test_held_value);
  return g_test_run ();
}
