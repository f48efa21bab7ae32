/* test-functions.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder.h"
#include "flow-kernel.h"
#include "flow-session.h"
#include "flow-text-proto.h"

#include <string.h>

/* Graphs in the making as functions of a library: the names that TensorFlow 1.15.5 gives to what is in them, and what a
 * graph that calls them computes. */

static guint64
add (FlowBuilder   *builder,
     const char    *type,
     const char    *name,
     const guint64 *inputs,
     gsize          n_inputs,
     const char    *attr,
     FlowAttr      *value)
{
  g_autoptr (FlowAttrList) attrs = flow_attr_list_new ();
  g_autoptr (GError) error = NULL;
  guint32 node = 0;

  if (attr != NULL)
    flow_attr_list_take (attrs, attr, value);
  flow_builder_add_node (builder, type, name, inputs, n_inputs, attrs, &node, &error);
  g_assert_no_error (error);
  return (guint64) node << 32;
}

static guint64
add_placeholder (FlowBuilder *builder,
                 const char  *name)
{
  return add (builder, "Placeholder", name, NULL, 0, "dtype", flow_attr_new_type (FLOW_DTYPE_FLOAT));
}

static guint64
add_constant (FlowBuilder *builder,
              const char  *name,
              FlowTensor  *value)
{
  g_autoptr (FlowTensor) owned = value;
  guint32 node = 0;

  g_assert_true (flow_builder_add_constant (builder, value, NULL, name, &node, NULL));
  return (guint64) node << 32;
}

static char *
text_of (GBytes *bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) text = flow_proto_to_text ("GraphDef", bytes, "function", &error);

  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (text, NULL), g_bytes_get_size (text));
}

static void
assert_has (const char *text,
            const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("'%s' is not in %s", part, text);
}

/* Results are named first, then arguments, then nodes; nothing waits for an argument. */
static void
test_names (void)
{
  static const char *const wanted[] = {
    "input_arg {\n        name: \"in_x_0\"", "input_arg {\n        name: \"nd\"", "output_arg {\n        name: \"sum\"",
    "output_arg {\n        name: \"parts\"", "output_arg {\n        name: \"in_x\"", "is_stateful: true",
    "name: \"in_x_1\"\n      op: \"Square\"\n      input: \"in_x_0\"", "name: \"in_x_0_0\"\n      op: \"RandomUniform\"",
    "name: \"parts_0\"\n      op: \"Split\"\n      input: \"dim:output:0\"\n      input: \"in_x_1:y:0\"",
    "name: \"Sum\"\n      op: \"Add\"\n      input: \"parts_0:output:1\"\n      input: \"nd\"\n      input: \"^in_x_0_0\"",
    "key: \"in_x\"\n      value: \"in_x_0\"", "key: \"parts\"\n      value: \"parts_0:output:0\"",
    "key: \"sum\"\n      value: \"Sum:z:0\"", "key: \"in_x_0_0\"\n      value: \"in_x_0_0\"",
  };
  g_autoptr (FlowBuilder) builder = flow_builder_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (FlowShape) none = flow_shape_new_vector (0);
  g_autofree char *text = NULL;
  guint64 args[2] = { add_placeholder (builder, "In/X"), add_placeholder (builder, "2nd") };
  guint64 square = add (builder, "Square", "in_x", args, 1, NULL, NULL);
  guint64 dim = add_constant (builder, "dim", flow_tensor_new_int32 (0));
  guint64 parts = add (builder, "Split", "parts", (guint64[]) { dim, square }, 2, "num_split", flow_attr_new_int (2));
  guint64 shape = add_constant (builder, "shape", flow_tensor_new_zeros (FLOW_DTYPE_INT32, none, NULL, NULL));
  guint64 random = add (builder, "RandomUniform", "in_x_0", &shape, 1, "dtype", flow_attr_new_type (FLOW_DTYPE_FLOAT));
  guint64 sum = add (builder, "Add", "Sum", (guint64[]) { parts | 1, args[1] }, 2, NULL, NULL);
  guint32 effect = (guint32) (random >> 32);

  flow_builder_add_control_input (builder, (guint32) (sum >> 32), effect);
  flow_builder_add_control_input (builder, (guint32) (sum >> 32), (guint32) (args[1] >> 32));
  bytes = flow_builder_to_function (builder, "f", args, 2, (guint64[]) { sum, parts, args[0] }, 3, NULL, &effect, 1, FALSE,
                                    &error);
  g_assert_no_error (error);
  text = text_of (bytes);
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    assert_has (text, wanted[i]);
  g_assert_null (strstr (text, "^nd"));
  g_assert_null (strstr (text, "_output_shapes"));
}

static void
test_shapes (void)
{
  g_autoptr (FlowBuilder) builder = flow_builder_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *text = NULL;
  const char *const names[] = { "Twice", NULL };
  guint64 x = add_placeholder (builder, "x");
  guint64 y = add (builder, "Add", NULL, (guint64[]) { x, x }, 2, NULL, NULL);

  bytes = flow_builder_to_function (builder, "f", &x, 1, &y, 1, names, NULL, 0, TRUE, &error);
  g_assert_no_error (error);
  text = text_of (bytes);
  assert_has (text, "name: \"Twice\"");
  assert_has (text, "_output_shapes");
  assert_has (text, "_input_shapes");
  g_assert_null (strstr (text, "is_stateful"));
}

static void
test_refusals (void)
{
  g_autoptr (FlowBuilder) builder = flow_builder_new ();
  guint64 x = add_placeholder (builder, "x");
  guint64 beyond = x | 1;
  guint32 argument = (guint32) (x >> 32);
  g_autoptr (GError) error = NULL;

  g_assert_null (flow_builder_to_function (builder, "f", &beyond, 1, NULL, 0, NULL, NULL, 0, FALSE, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (flow_builder_to_function (builder, "f", NULL, 0, &beyond, 1, NULL, NULL, 0, FALSE, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (flow_builder_to_function (builder, "f", NULL, 0, &x, 1, (const char *[]) { "a", "b", NULL }, NULL, 0, FALSE,
                                           &error));
  g_assert_cmpstr (error->message, ==,
                   "output names must be either empty or equal in size to outputs. output names size = 2 outputs size = 1");
  g_clear_error (&error);
  g_assert_null (flow_builder_to_function (builder, "f", NULL, 0, (guint64[]) { x, x }, 2, (const char *[]) { "a", "a", NULL },
                                           NULL, 0, FALSE, &error));
  g_assert_cmpstr (error->message, ==,
                   "Cannot have duplicate output names. Name 'a' appears more than once in 'output_names' array.");
  g_clear_error (&error);
  g_assert_null (flow_builder_to_function (builder, "f", &x, 1, NULL, 0, NULL, &argument, 1, FALSE, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
}

/* x * x of a function that another builder made, and its gradient. */
static void
test_call (void)
{
  g_autoptr (FlowBuilder) body = flow_builder_new ();
  g_autoptr (FlowBuilder) builder = flow_builder_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) library = NULL;
  g_autoptr (FlowSession) session = NULL;
  g_autoptr (GPtrArray) values = NULL;
  g_autofree guint64 *results = NULL;
  g_autofree char *name = NULL;
  const char *fetches[] = { "call:0", NULL, NULL };
  guint64 arg = add_placeholder (body, "arg");
  guint64 square = add (body, "Square", NULL, &arg, 1, NULL, NULL);
  guint64 x = add_constant (builder, "x", flow_tensor_new_float (3));
  guint64 y;
  gsize n = 0;

  library = flow_builder_to_function (body, "square", &arg, 1, &square, 1, NULL, NULL, 0, TRUE, &error);
  g_assert_no_error (error);
  g_assert_true (flow_builder_add_library (builder, library, &error));
  y = add (builder, "square", "call", &x, 1, NULL, NULL);
  results = flow_builder_add_gradients (builder, &y, 1, NULL, 0, &x, 1, NULL, 0, NULL, 0, &n, &error);
  g_assert_no_error (error);
  name = g_strdup_printf ("%s:0", flow_builder_get_node_name (builder, (guint32) (results[0] >> 32)));
  fetches[1] = name;
  session = flow_session_new (flow_builder_get_graph (builder, NULL), NULL);
  values = flow_session_run (session, NULL, NULL, fetches, NULL, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (*(const float *) flow_tensor_get_data (values->pdata[0]), ==, 9);
  g_assert_cmpfloat (*(const float *) flow_tensor_get_data (values->pdata[1]), ==, 6);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();
  g_test_add_func ("/builder/functions/names", test_names);
  g_test_add_func ("/builder/functions/shapes", test_shapes);
  g_test_add_func ("/builder/functions/refusals", test_refusals);
  g_test_add_func ("/builder/functions/call", test_call);
  return g_test_run ();
}
