/* test-dtype.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-budget.h"
#include "flow-crc32c.h"
#include "flow-dtype.h"
#include "flow-error.h"
#include "flow-parallel.h"
#include "flow-util.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static void
test_names (void)
{
  for (int i = 1; i < FLOW_N_DTYPES; i++)
    {
      g_assert_cmpint (flow_dtype_from_string (flow_dtype_name (i)), ==, i);
      g_assert_cmpint (flow_dtype_from_string (flow_dtype_string (i)), ==, i);
      g_assert_cmpint (flow_dtype_from_string (flow_dtype_enum_name (i)), ==, i);
      g_assert_cmpint (flow_dtype_from_string (flow_dtype_string (i + FLOW_DTYPE_REF)), ==, i + FLOW_DTYPE_REF);
    }
  g_assert_cmpstr (flow_dtype_string (FLOW_DTYPE_FLOAT + FLOW_DTYPE_REF), ==, "float_ref");
  g_assert_cmpstr (flow_dtype_name (FLOW_DTYPE_HALF), ==, "float16");
  g_assert_cmpint (flow_dtype_from_string ("floaty"), ==, FLOW_DTYPE_INVALID);
  g_assert_false (flow_dtype_is_valid (24));
  g_assert_false (flow_dtype_is_valid (100));
  g_assert_false (flow_dtype_is_valid (-1));
}

/* Against the definition: sign, exponent, mantissa, computed in double. */
static double
half_by_definition (guint16 bits)
{
  int exponent = (bits >> 10) & 0x1f;
  double mantissa = bits & 0x3ff;
  double sign = (bits & 0x8000) ? -1.0 : 1.0;

  if (exponent == 0)
    return sign * ldexp (mantissa, -24);
  if (exponent == 31)
    return mantissa != 0 ? NAN : sign * INFINITY;
  return sign * ldexp (1024 + mantissa, exponent - 25);
}

static void
test_half (void)
{
  for (guint32 bits = 0; bits < 0x10000; bits++)
    {
      double want = half_by_definition ((guint16) bits);
      float have = flow_half_to_float ((guint16) bits);

      if (isnan (want))
        {
          g_assert_true (isnan (have));
          g_assert_true (isnan (flow_half_to_float (flow_half_from_float (have))));
          continue;
        }
      g_assert_true ((double) have == want);
      g_assert_cmpint (flow_half_from_float (have), ==, bits);
    }
}

static void
test_half_rounds_to_even (void)
{
  g_assert_cmphex (flow_half_from_float (2049.0f), ==, 0x6800);   /* 2048 and 2050: even is 2048 */
  g_assert_cmphex (flow_half_from_float (2051.0f), ==, 0x6802);   /* 2050 and 2052: even is 2052 */
  g_assert_cmphex (flow_half_from_float (65519.0f), ==, 0x7bff);
  g_assert_cmphex (flow_half_from_float (65520.0f), ==, 0x7c00);
  g_assert_cmphex (flow_half_from_float (0x1p-25f), ==, 0x0000);
  g_assert_cmphex (flow_half_from_float (0x1.8p-25f), ==, 0x0001);
  g_assert_cmphex (flow_bfloat16_from_float (1.00390625f), ==, 0x3f80);
  g_assert_cmphex (flow_bfloat16_from_float (1.01171875f), ==, 0x3f82);
}

static void
test_crc32c (void)
{
  /* The check value of CRC-32C, and RFC 3720's 32 zero bytes. */
  guint8 zeros[32] = { 0 };

  g_assert_cmphex (flow_crc32c ("123456789", 9), ==, 0xe3069283);
  g_assert_cmphex (flow_crc32c (zeros, 32), ==, 0x8a9136aa);
  g_assert_cmphex (flow_crc32c_extend (flow_crc32c ("1234", 4), "56789", 5), ==, 0xe3069283);
  for (guint32 i = 1; i != 0; i <<= 1)
    g_assert_cmphex (flow_crc32c_unmask (flow_crc32c_mask (i)), ==, i);
}

static void
test_budget (void)
{
  g_autoptr (FlowBudget) budget = flow_budget_new (1000);

  g_assert_true (flow_budget_reserve (budget, 600));
  g_assert_false (flow_budget_reserve (budget, 401));
  g_assert_true (flow_budget_reserve (budget, 400));
  g_assert_false (flow_budget_reserve (budget, G_MAXSIZE));
  flow_budget_release (budget, 600);
  g_assert_cmpuint (flow_budget_get_used (budget), ==, 400);
  g_assert_cmpuint (flow_budget_get_peak (budget), ==, 1000);
  g_assert_cmpuint (flow_budget_parse_size ("3G"), ==, G_GUINT64_CONSTANT (3) << 30);
  g_assert_cmpuint (flow_budget_parse_size ("12k"), ==, 12288);
  g_assert_cmpuint (flow_budget_parse_size ("99999999999G"), ==, 0);
  g_assert_cmpuint (flow_budget_parse_size ("-1"), ==, 0);
}

static void
mark (gint64   begin,
      gint64   end,
      gpointer data)
{
  guint8 *seen = data;

  for (gint64 i = begin; i < end; i++)
    seen[i]++;
}

static void
test_parallel_covers_once (void)
{
  guint8 seen[1001];

  for (guint threads = 1; threads <= 7; threads++)
    {
      flow_parallel_set_n_threads (threads);
      memset (seen, 0, sizeof seen);
      flow_parallel_for (G_N_ELEMENTS (seen), 10, mark, seen);
      for (guint i = 0; i < G_N_ELEMENTS (seen); i++)
        g_assert_cmpint (seen[i], ==, 1);
    }
  flow_parallel_set_n_threads (0);
}

static void
test_error_node (void)
{
  GError *error = g_error_new (FLOW_ERROR, FLOW_ERROR_OUT_OF_RANGE, "end");
  g_autoptr (GError) copy = NULL;

  flow_error_set_node (error, "a/b", "QueueDequeueV2");
  flow_error_set_node (error, "outer", "While");
  copy = g_error_copy (error);
  g_error_free (error);
  g_assert_cmpstr (flow_error_get_node (copy), ==, "a/b");
  g_assert_cmpstr (flow_error_get_op_type (copy), ==, "QueueDequeueV2");
  g_assert_cmpstr (flow_error_code_name (copy->code), ==, "OUT_OF_RANGE");
  g_assert_cmpint (flow_error_code_from_errno (ENOENT), ==, FLOW_ERROR_NOT_FOUND);
  g_assert_cmpint (flow_error_code_from_errno (EIO), ==, FLOW_ERROR_UNKNOWN);
}

static void
test_escape (void)
{
  g_autofree char *c = flow_escape_bytes ("a\001\n\"\xff", 5);
  g_autofree char *display = flow_escape_display ("a\xff\x1b[\xe2\x80\xae" "b", -1, 0);
  g_autofree char *cut = flow_escape_display ("abcdef", -1, 3);

  g_assert_cmpstr (c, ==, "a\\001\\n\\\"\\377");
  g_assert_cmpstr (display, ==, "a\\xff\\u{001b}[\\u{202e}b");
  g_assert_cmpstr (cut, ==, "abc…");
}

static void
test_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("flowstep-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "x", NULL);
  g_autoptr (GBytes) text = g_bytes_new_static ("hello", 5);
  g_autoptr (GBytes) back = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (flow_write_file_safely (path, text, &error));
  g_assert_no_error (error);
  back = flow_read_file (path, 100, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (text, back));

  g_assert_null (flow_read_file (path, 4, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED);
  g_clear_error (&error);
  g_assert_null (flow_read_file (folder, 100, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION);
  g_clear_error (&error);
  g_assert_null (flow_read_file ("/dev/zero", 100, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);

  g_unlink (path);
  g_rmdir (folder);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/base/dtype/names", test_names);
  g_test_add_func ("/base/dtype/half", test_half);
  g_test_add_func ("/base/dtype/half-rounds-to-even", test_half_rounds_to_even);
  g_test_add_func ("/base/crc32c", test_crc32c);
  g_test_add_func ("/base/budget", test_budget);
  g_test_add_func ("/base/parallel", test_parallel_covers_once);
  g_test_add_func ("/base/error/node", test_error_node);
  g_test_add_func ("/base/escape", test_escape);
  g_test_add_func ("/base/files", test_files);

  return g_test_run ();
}
