/* test-text.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "flow-npz.h"
#include "flow-tensor-text.h"

static char *
golden_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "golden", "tensor", name, NULL);
}

/* What numpy's str() says of the same arrays; tests/oracle/record_numpy.py. */
static void
test_numpy (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *npz_path = golden_path ("text.npz");
  g_autofree char *text_path = golden_path ("text.txt");
  g_autofree char *contents = NULL;
  g_autoptr (FlowNpz) npz = flow_npz_open (npz_path, &error);
  g_auto (GStrv) cases = NULL;
  guint n = 0;

  g_assert_no_error (error);
  g_file_get_contents (text_path, &contents, NULL, &error);
  g_assert_no_error (error);
  cases = g_strsplit (contents, "=== ", -1);
  for (guint i = 1; cases[i] != NULL; i++)
    {
      char *expected = strchr (cases[i], '\n');
      g_autoptr (FlowTensor) tensor = NULL;
      g_autofree char *text = NULL;

      *expected++ = '\0';
      if (g_str_has_suffix (expected, "\n"))
        expected[strlen (expected) - 1] = '\0';
      tensor = flow_npz_read (npz, cases[i], NULL, &error);
      g_assert_no_error (error);
      text = flow_tensor_to_text (tensor, NULL);
      g_test_message ("%s", cases[i]);
      g_assert_cmpstr (text, ==, expected);
      n++;
    }
  g_assert_cmpuint (n, ==, 34);
}

static void
assert_element (FlowTensor *taken,
                const char *expected)
{
  g_autoptr (FlowTensor) tensor = taken;
  g_autofree char *text = flow_tensor_element_text (tensor, 0);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_elements (void)
{
  const double third = 1.0 / 3;
  const guint16 bfloat16 = 0x3e9a;
  const guint64 big = G_MAXUINT64;
  const gint8 small = -7;
  const float complex[2] = { 1, -0.5f };

  assert_element (flow_tensor_new_float (0.1f), "0.1");
  assert_element (flow_tensor_new_float (1), "1.0");
  assert_element (flow_tensor_new_float (-1e-7f), "-1e-07");
  assert_element (flow_tensor_new_float (123456792), "123456790.0");
  assert_element (flow_tensor_new_float (1.5e20f), "1.5e+20");
  assert_element (flow_tensor_new_float (INFINITY), "inf");
  assert_element (flow_tensor_new_float (-NAN), "nan");
  assert_element (flow_tensor_new_scalar (FLOW_DTYPE_DOUBLE, &third), "0.3333333333333333");
  assert_element (flow_tensor_new_scalar (FLOW_DTYPE_BFLOAT16, &bfloat16), "0.3");
  assert_element (flow_tensor_new_scalar (FLOW_DTYPE_UINT64, &big), "18446744073709551615");
  assert_element (flow_tensor_new_scalar (FLOW_DTYPE_QINT8, &small), "-7");
  assert_element (flow_tensor_new_scalar (FLOW_DTYPE_COMPLEX64, &complex), "(1.0-0.5j)");
  assert_element (flow_tensor_new_bool (TRUE), "True");
  assert_element (flow_tensor_new_string ("a\nb\xff", 4), "a\\nb\\xff");
  assert_element (flow_tensor_new_string ("", 0), "");
}

static void
test_strings (void)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector (2);
  g_autoptr (FlowTensor) tensor = flow_tensor_new (FLOW_DTYPE_STRING, shape, NULL, NULL);
  g_autofree char *text = NULL;
  g_autofree char *summary = NULL;

  flow_tensor_take_string (tensor, 0, g_bytes_new_static ("abc", 3));
  text = flow_tensor_to_text (tensor, NULL);
  summary = flow_tensor_summary (tensor);
  g_assert_cmpstr (text, ==, "[b'abc' b'']");
  g_assert_cmpstr (summary, ==, "string [2]");
}

/* Many small dimensions cannot be made shorter by showing edges: there is a limit all the same. */
static void
test_bounded (void)
{
  gint64 dims[24];
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowTensor) tensor = NULL;
  g_autofree char *text = NULL;

  for (int i = 0; i < 24; i++)
    dims[i] = 2;
  shape = flow_shape_new (24, dims);
  tensor = flow_tensor_new_zeros (FLOW_DTYPE_INT8, shape, NULL, NULL);
  text = flow_tensor_to_text (tensor, NULL);
  g_assert_true (g_str_has_prefix (text, "int8 [2,2,"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tensor/text/numpy", test_numpy);
  g_test_add_func ("/tensor/text/elements", test_elements);
  g_test_add_func ("/tensor/text/strings", test_strings);
  g_test_add_func ("/tensor/text/bounded", test_bounded);
  return g_test_run ();
}
