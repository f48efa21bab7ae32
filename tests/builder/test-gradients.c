/* test-gradients.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder.h"
#include "flow-kernel.h"
#include "flow-session.h"
#include "flow-text-proto.h"

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
  g_autofree char *name = g_strdup_printf ("%s:%u", flow_builder_get_node_name (builder, (guint32) (output >> 32)),
                                           (guint32) output);
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

/* A function of a library by an op, by a type of its name: SymbolicGradient, and zeros for what nothing came back to. */
static void
test_call (void)
{
  static const char text[] =
    "library { function { signature { name: 'f' input_arg { name: 'x' type: DT_FLOAT } "
    "output_arg { name: 'y' type: DT_FLOAT } output_arg { name: 'n' type: DT_INT32 } } "
    "node_def { name: 's' op: 'Square' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } } "
    "node_def { name: 'r' op: 'Rank' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } } "
    "ret { key: 'y' value: 's:y:0' } ret { key: 'n' value: 'r:output:0' } } }";
  g_autoptr (FlowBuilder) builder = flow_builder_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) written = g_bytes_new_static (text, sizeof text - 1);
  g_autoptr (GBytes) bytes = flow_text_to_proto ("GraphDef", written, "library", &error);
  g_autofree guint64 *results = NULL;
  guint64 x = add_float (builder, "x", 1.5f);
  guint64 y;
  guint n = flow_builder_get_n_nodes (builder);
  gsize n_results = 0;

  g_assert_no_error (error);
  g_assert_true (flow_builder_add_library (builder, bytes, &error));
  y = add (builder, "f", "call", &x, 1);
  results = flow_builder_add_gradients (builder, &y, 1, NULL, 0, &x, 1, NULL, 0, NULL, 0, &n_results, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (flow_builder_get_node_name (builder, n + 4), ==, "gradients/zeros_like");
  g_assert_cmpstr (flow_builder_get_node_name (builder, n + 5), ==, "gradients/call_grad/SymbolicGradient");
  g_assert_cmpfloat_with_epsilon (value_of (builder, results[0]), 3, 1e-6);
}

/* FusedBatchNormGrad under a tape: the second gradient of the sum of a batch is nothing but small. */
static void
test_norm_twice (void)
{
  g_autoptr (FlowBuilder) builder = flow_builder_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowShape) shape = flow_shape_new (4, (gint64[]) { 2, 1, 1, 1 });
  g_autoptr (FlowShape) vector = flow_shape_new_vector (1);
  g_autoptr (FlowShape) empty = flow_shape_new_vector (0);
  g_autoptr (FlowTensor) batch = flow_tensor_new_zeros (FLOW_DTYPE_FLOAT, shape, NULL, NULL);
  g_autoptr (FlowTensor) one = flow_tensor_new_zeros (FLOW_DTYPE_FLOAT, vector, NULL, NULL);
  g_autoptr (FlowTensor) none = flow_tensor_new_zeros (FLOW_DTYPE_FLOAT, empty, NULL, NULL);
  g_autofree guint64 *first = NULL;
  g_autofree guint64 *second = NULL;
  const FlowTensor *values[] = { batch, one, one, none, none };
  guint64 inputs[5];
  guint64 y;
  gsize n = 0;

  ((float *) flow_tensor_get_writable (batch))[0] = 1;
  ((float *) flow_tensor_get_writable (batch))[1] = 3;
  ((float *) flow_tensor_get_writable (one))[0] = 2;
  for (guint i = 0; i < G_N_ELEMENTS (inputs); i++)
    {
      guint32 node = 0;

      g_assert_true (flow_builder_add_constant (builder, values[i], NULL, "c", &node, NULL));
      inputs[i] = (guint64) node << 32;
    }
  y = add (builder, "FusedBatchNorm", NULL, inputs, 5);
  y = add (builder, "Square", NULL, &y, 1);
  first = flow_builder_add_gradients (builder, &y, 1, NULL, 0, inputs, 1, NULL, 0, NULL, 0, &n, &error);
  g_assert_no_error (error);
  second = flow_builder_add_gradients (builder, first, 1, NULL, 0, inputs, 1, NULL, 0, "second", 0, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (second[0], !=, FLOW_OUTPUT_NONE);
  g_assert_cmpfloat (fabsf (value_of (builder, second[0])), <, 1e-2);
}

/* As in TensorFlow 2.15: a value within the range passes its gradient on; the range of a whole tensor gets none. */
static void
test_quantize_v4 (void)
{
  static const float numbers[] = { 0.5f, 3, -4 };
  static const float wanted[][3] = { { 1, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autoptr (FlowBuilder) builder = flow_builder_new ();
      g_autoptr (FlowAttrList) attrs = flow_attr_list_new ();
      g_autoptr (FlowAttr) given = flow_attr_new_bool (TRUE);
      g_autoptr (GError) error = NULL;
      g_autofree guint64 *results = NULL;
      guint64 inputs[3] = { add_float (builder, "x", numbers[i]), add_float (builder, "low", -1), add_float (builder, "high", 1) };
      guint32 node = 0;
      guint64 y;
      gsize n = 0;

      flow_attr_list_set (attrs, "range_given", given);
      g_assert_true (flow_builder_add_node (builder, "QuantizeAndDequantizeV4", NULL, inputs, 3, attrs, &node, &error));
      y = (guint64) node << 32;
      results = flow_builder_add_gradients (builder, &y, 1, NULL, 0, inputs, 3, NULL, 0, NULL, 0, &n, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (flow_builder_find_node (builder, "gradients/QuantizeAndDequantizeV4_grad/QuantizeAndDequantizeV4Grad"), !=,
                        FLOW_NODE_NONE);
      for (guint k = 0; k < 3; k++)
        g_assert_cmpfloat (value_of (builder, results[k * 3]), ==, wanted[i][k]);
    }
}

/* As in TensorFlow 1.15 with contrib: the gradient has the shape that the values are known to have. */
static void
test_periodic_resample (void)
{
  g_autoptr (FlowBuilder) builder = flow_builder_new ();
  g_autoptr (FlowAttrList) attrs = flow_attr_list_new ();
  g_autoptr (FlowShape) wanted = flow_shape_new_matrix (4, -1);
  g_autoptr (FlowAttr) shape = flow_attr_new_shape (wanted);
  g_autoptr (FlowShape) dims = flow_shape_new_matrix (2, 4);
  g_autoptr (FlowTensor) value = flow_tensor_new_zeros (FLOW_DTYPE_FLOAT, dims, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree guint64 *results = NULL;
  guint32 node = 0;
  guint64 x;
  guint64 y;
  gsize n = 0;

  g_assert_true (flow_builder_add_constant (builder, value, NULL, "x", &node, NULL));
  x = (guint64) node << 32;
  flow_attr_list_set (attrs, "shape", shape);
  g_assert_true (flow_builder_add_node (builder, "PeriodicResample", NULL, &x, 1, attrs, &node, &error));
  y = (guint64) node << 32;
  results = flow_builder_add_gradients (builder, &y, 1, NULL, 0, &x, 1, NULL, 0, NULL, 0, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (flow_builder_get_node_name (builder, (guint32) (results[0] >> 32)), ==,
                   "gradients/PeriodicResample_grad/PeriodicResampleOpGrad");
  g_assert_cmpfloat (value_of (builder, results[0]), ==, 1);
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
  g_test_add_func ("/builder/gradients/call", test_call);
  g_test_add_func ("/builder/gradients/norm-twice", test_norm_twice);
  g_test_add_func ("/builder/gradients/quantize-v4", test_quantize_v4);
  g_test_add_func ("/builder/gradients/periodic-resample", test_periodic_resample);
  return g_test_run ();
}
