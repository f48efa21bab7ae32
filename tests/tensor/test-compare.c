/* test-compare.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "flow-tensor-compare.h"

static FlowTensor *
make_vector (FlowDType     dtype,
             gint64        n,
             gconstpointer cells)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowShape) shape = flow_shape_new_vector (n);
  FlowTensor *tensor = flow_tensor_new (dtype, shape, NULL, &error);

  g_assert_no_error (error);
  if (n > 0)
    memcpy (flow_tensor_get_writable (tensor), cells, flow_tensor_get_n_bytes (tensor));
  return tensor;
}

static FlowTensorDiff *
compare (FlowDType            dtype,
         gint64               n,
         gconstpointer        a,
         gconstpointer        b,
         const FlowTolerance *tolerance)
{
  g_autoptr (FlowTensor) x = make_vector (dtype, n, a);
  g_autoptr (FlowTensor) y = make_vector (dtype, n, b);

  return flow_tensor_compare (x, y, tolerance);
}

static void
test_equal (void)
{
  const float a[] = { 1, NAN, INFINITY, 0 };
  const float b[] = { 1, NAN, INFINITY, -0.0f };
  g_autoptr (FlowTensorDiff) same = compare (FLOW_DTYPE_FLOAT, 4, a, a, NULL);
  g_autoptr (FlowTensorDiff) zero = compare (FLOW_DTYPE_FLOAT, 4, a, b, NULL);

  g_assert_true (same->equal_bits);
  g_assert_true (same->within);
  g_assert_cmpint (same->n_changed, ==, 0);
  g_assert_cmpint (same->worst_index, ==, -1);
  /* 0 and -0 are not the same bits, and yet nothing differs in value. */
  g_assert_false (zero->equal_bits);
  g_assert_true (zero->within);
  g_assert_cmpint (zero->n_changed, ==, 1);
  g_assert_cmpfloat (zero->max_abs, ==, 0);
}

static void
test_differences (void)
{
  const double a[] = { 1, 2, 3.5, -8, 0 };
  const double b[] = { 1, 2.5, 3, -10, 0 };
  const FlowTolerance loose = { 1, 0.1, 0 };
  g_autoptr (FlowTensorDiff) diff = compare (FLOW_DTYPE_DOUBLE, 5, a, b, NULL);
  g_autoptr (FlowTensorDiff) with = compare (FLOW_DTYPE_DOUBLE, 5, a, b, &loose);

  g_assert_cmpint (diff->n_changed, ==, 3);
  g_assert_cmpint (diff->n_over, ==, 3);
  g_assert_cmpfloat (diff->max_abs, ==, 2);
  g_assert_cmpfloat (diff->max_rel, ==, 0.2);
  g_assert_cmpint (diff->worst_index, ==, 3);
  g_assert_false (diff->within);
  g_assert_true (with->within);
  g_assert_cmpint (with->n_changed, ==, 3);
}

static void
test_nan_and_infinity (void)
{
  const float a[] = { 1, NAN, INFINITY, INFINITY };
  const float b[] = { 5, 3, -INFINITY, 3 };
  const FlowTolerance loose = { 1e300, 1e300, G_MAXUINT64 };
  g_autoptr (FlowTensorDiff) diff = compare (FLOW_DTYPE_FLOAT, 4, a, b, &loose);

  g_assert_cmpint (diff->n_changed, ==, 4);
  g_assert_cmpint (diff->n_over, ==, 3);
  g_assert_cmpint (diff->n_nan, ==, 1);
  g_assert_cmpint (diff->worst_index, ==, 1);
  g_assert_true (isinf (diff->max_abs));
  g_assert_true (isinf (diff->max_rel));
}

static void
test_ulp (void)
{
  const float a[] = { 1, 0, -1e-45f };
  const float b[] = { nextafterf (nextafterf (1, 2), 2), 1e-45f, 1e-45f };
  const guint16 h[] = { 0x3c00, 0x8001 };
  const guint16 g[] = { 0x3c03, 0x0001 };
  const float c[] = { 1, 1 };
  const float d[] = { nextafterf (1, 2), nextafterf (nextafterf (nextafterf (1, 2), 2), 2) };
  const FlowTolerance two = { 0, 0, 2 };
  const FlowTolerance one = { 0, 0, 1 };
  g_autoptr (FlowTensorDiff) of_float = compare (FLOW_DTYPE_FLOAT, 3, a, b, &two);
  g_autoptr (FlowTensorDiff) tight = compare (FLOW_DTYPE_FLOAT, 3, a, b, &one);
  g_autoptr (FlowTensorDiff) of_half = compare (FLOW_DTYPE_HALF, 2, h, g, &two);
  g_autoptr (FlowTensorDiff) of_complex = compare (FLOW_DTYPE_COMPLEX64, 1, c, d, NULL);

  g_assert_cmpuint (of_float->max_ulp, ==, 2);
  g_assert_true (of_float->within);
  g_assert_cmpint (tight->n_over, ==, 2);
  g_assert_cmpuint (of_half->max_ulp, ==, 3);
  g_assert_cmpint (of_half->n_over, ==, 1);
  g_assert_cmpuint (of_complex->max_ulp, ==, 3);
  g_assert_cmpuint (flow_double_ulp_distance (-INFINITY, INFINITY), ==, 2 * (guint64) 0x7ff0000000000000);
  g_assert_cmpuint (flow_double_ulp_distance (NAN, NAN), ==, 0);
  g_assert_cmpuint (flow_double_ulp_distance (NAN, 1), ==, G_MAXUINT64);
}

static void
test_integers (void)
{
  const gint64 a[] = { G_MAXINT64, G_MININT64, 3 };
  const gint64 b[] = { G_MAXINT64 - 1, G_MAXINT64, 3 };
  const guint8 yes[] = { 0, 1, 1 };
  const guint8 no[] = { 1, 1, 0 };
  g_autoptr (FlowTensorDiff) diff = compare (FLOW_DTYPE_INT64, 3, a, b, NULL);
  g_autoptr (FlowTensorDiff) first = compare (FLOW_DTYPE_INT64, 1, a, b, NULL);
  g_autoptr (FlowTensorDiff) flags = compare (FLOW_DTYPE_BOOL, 3, yes, no, NULL);

  g_assert_cmpint (diff->n_changed, ==, 2);
  g_assert_cmpfloat (diff->max_abs, ==, 0x1p64);
  g_assert_cmpint (diff->worst_index, ==, 1);
  /* As doubles the two are the same number. */
  g_assert_cmpfloat (first->max_abs, ==, 1);
  g_assert_cmpint (flags->n_changed, ==, 2);
  g_assert_cmpfloat (flags->max_abs, ==, 1);
}

static void
test_mixed (void)
{
  const float f[] = { 1, 2, 3 };
  const gint32 i[] = { 1, 2, 4 };
  g_autoptr (FlowTensor) a = make_vector (FLOW_DTYPE_FLOAT, 3, f);
  g_autoptr (FlowTensor) b = make_vector (FLOW_DTYPE_INT32, 3, i);
  g_autoptr (FlowTensor) shorter = make_vector (FLOW_DTYPE_FLOAT, 2, f);
  g_autoptr (FlowTensor) abc = flow_tensor_new_string ("abc", 3);
  g_autoptr (FlowTensor) abd = flow_tensor_new_string ("abd", 3);
  g_autoptr (FlowTensorDiff) by_value = flow_tensor_compare (a, b, NULL);
  g_autoptr (FlowTensorDiff) by_shape = flow_tensor_compare (a, shorter, NULL);
  g_autoptr (FlowTensorDiff) same_text = flow_tensor_compare (abc, abc, NULL);
  g_autoptr (FlowTensorDiff) other_text = flow_tensor_compare (abc, abd, NULL);

  g_assert_false (by_value->same_dtype);
  g_assert_cmpint (by_value->n_changed, ==, 1);
  g_assert_cmpint (by_value->worst_index, ==, 2);
  g_assert_false (by_value->equal_bits);
  g_assert_false (by_shape->same_shape);
  g_assert_false (by_shape->within);
  g_assert_true (same_text->equal_bits);
  g_assert_cmpint (other_text->n_changed, ==, 1);
  g_assert_cmpint (other_text->worst_index, ==, 0);
  g_assert_false (other_text->within);
}

/* The worst pair stands late, over many chunks. */
static void
test_large (void)
{
  const gint64 n = 300000;
  g_autofree gint32 *a = g_new0 (gint32, n);
  g_autofree gint32 *b = g_new0 (gint32, n);
  g_autoptr (FlowTensorDiff) diff = NULL;

  b[100] = 3;
  b[200000] = -9;
  b[250000] = 9;
  diff = compare (FLOW_DTYPE_INT32, n, a, b, NULL);
  g_assert_cmpint (diff->n_changed, ==, 3);
  g_assert_cmpint (diff->worst_index, ==, 200000);
  g_assert_cmpfloat (diff->max_abs, ==, 9);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tensor/compare/equal", test_equal);
  g_test_add_func ("/tensor/compare/differences", test_differences);
  g_test_add_func ("/tensor/compare/nan-and-infinity", test_nan_and_infinity);
  g_test_add_func ("/tensor/compare/ulp", test_ulp);
  g_test_add_func ("/tensor/compare/integers", test_integers);
  g_test_add_func ("/tensor/compare/mixed", test_mixed);
  g_test_add_func ("/tensor/compare/large", test_large);
  return g_test_run ();
}
