/* test-stats.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "flow-parallel.h"
#include "flow-tensor-stats.h"

/* Takes the cells as they lie. */
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

static void
test_floats (void)
{
  const float cells[] = { 1, -2, NAN, INFINITY, -INFINITY, 0, -0.0f, 3, 1e-40f, 3 };
  g_autoptr (FlowTensor) tensor = make_vector (FLOW_DTYPE_FLOAT, G_N_ELEMENTS (cells), cells);
  g_autoptr (FlowTensorStats) stats = flow_tensor_stats_new (tensor, 0);

  g_assert_true (stats->is_number);
  g_assert_cmpint (stats->n_elements, ==, 10);
  g_assert_cmpint (stats->n_finite, ==, 7);
  g_assert_cmpint (stats->n_nan, ==, 1);
  g_assert_cmpint (stats->n_pos_inf, ==, 1);
  g_assert_cmpint (stats->n_neg_inf, ==, 1);
  g_assert_cmpint (flow_tensor_stats_get_n_inf (stats), ==, 2);
  g_assert_cmpint (stats->n_zero, ==, 2);
  g_assert_cmpint (stats->n_negative, ==, 2);
  g_assert_cmpint (stats->n_positive, ==, 5);
  g_assert_cmpint (stats->n_denormal, ==, 1);
  g_assert_cmpfloat (stats->min, ==, -2);
  g_assert_cmpfloat (stats->max, ==, 3);
  g_assert_cmpfloat_with_epsilon (stats->mean, 5.0 / 7, 1e-15);
  /* numpy.std ([1, -2, 0, 0, 3, 0, 3]) */
  g_assert_cmpfloat_with_epsilon (stats->std, 1.665986255670086, 1e-14);
  g_assert_cmpint (stats->min_index, ==, 1);
  g_assert_cmpint (stats->max_index, ==, 7);
  g_assert_cmpint (stats->nan_index, ==, 2);
  g_assert_cmpint (stats->inf_index, ==, 3);
  g_assert_null (stats->bins);
}

static void
assert_stats (FlowDType     dtype,
              gint64        n,
              gconstpointer cells,
              double        min,
              double        max,
              double        mean,
              gint64        n_denormal)
{
  g_autoptr (FlowTensor) tensor = make_vector (dtype, n, cells);
  g_autoptr (FlowTensorStats) stats = flow_tensor_stats_new (tensor, 3);

  g_test_message ("%s", flow_dtype_name (dtype));
  g_assert_true (stats->is_number);
  g_assert_cmpint (stats->n_finite, ==, n);
  g_assert_cmpfloat (stats->min, ==, min);
  g_assert_cmpfloat (stats->max, ==, max);
  g_assert_cmpfloat_with_epsilon (stats->mean, mean, 1e-12 * MAX (1, fabs (mean)));
  g_assert_cmpint (stats->n_denormal, ==, n_denormal);
  g_assert_cmpint (stats->bins[0] + stats->bins[1] + stats->bins[2], ==, n);
}

static void
test_every_dtype (void)
{
  const double f64[] = { -1.5, 2.5, 5e-324 };
  const gint32 i32[] = { G_MININT32, G_MAXINT32, 4 };
  const guint8 u8[] = { 0, 255, 3 };
  const gint16 i16[] = { -32768, 32767, 1 };
  const gint8 i8[] = { -128, 127, 1 };
  const guint16 u16[] = { 0, 65535, 1 };
  const guint32 u32[] = { 0, G_MAXUINT32, 1 };
  const gint64 i64[] = { -4, 8, 2 };
  const guint64 u64[] = { 0, (guint64) 1 << 63, 1 };
  const guint8 flags[] = { 0, 1, 1 };
  const guint16 half[] = { 0x3c00, 0xc000, 0x0001 };      /* 1, -2, the smallest denormal */
  const guint16 bfloat16[] = { 0x3f80, 0xc000, 0x0001 };
  const float c64[] = { 3, 4, 0, 0, -6, 8 };
  const double c128[] = { 3, 4, 0, 0, -6, 8 };

  assert_stats (FLOW_DTYPE_DOUBLE, 3, f64, -1.5, 2.5, 1.0 / 3, 1);
  assert_stats (FLOW_DTYPE_INT32, 3, i32, G_MININT32, G_MAXINT32, 1, 0);
  assert_stats (FLOW_DTYPE_QINT32, 3, i32, G_MININT32, G_MAXINT32, 1, 0);
  assert_stats (FLOW_DTYPE_UINT8, 3, u8, 0, 255, 86, 0);
  assert_stats (FLOW_DTYPE_QUINT8, 3, u8, 0, 255, 86, 0);
  assert_stats (FLOW_DTYPE_INT16, 3, i16, -32768, 32767, 0, 0);
  assert_stats (FLOW_DTYPE_QINT16, 3, i16, -32768, 32767, 0, 0);
  assert_stats (FLOW_DTYPE_INT8, 3, i8, -128, 127, 0, 0);
  assert_stats (FLOW_DTYPE_QINT8, 3, i8, -128, 127, 0, 0);
  assert_stats (FLOW_DTYPE_UINT16, 3, u16, 0, 65535, 65536.0 / 3, 0);
  assert_stats (FLOW_DTYPE_QUINT16, 3, u16, 0, 65535, 65536.0 / 3, 0);
  assert_stats (FLOW_DTYPE_UINT32, 3, u32, 0, G_MAXUINT32, 4294967296.0 / 3, 0);
  assert_stats (FLOW_DTYPE_INT64, 3, i64, -4, 8, 2, 0);
  assert_stats (FLOW_DTYPE_UINT64, 3, u64, 0, 0x1p63, (0x1p63 + 1) / 3, 0);
  assert_stats (FLOW_DTYPE_BOOL, 3, flags, 0, 1, 2.0 / 3, 0);
  assert_stats (FLOW_DTYPE_HALF, 3, half, -2, 1, (0x1p-24 - 1) / 3, 1);
  assert_stats (FLOW_DTYPE_BFLOAT16, 3, bfloat16, -2, 1, -1.0 / 3, 1);
  assert_stats (FLOW_DTYPE_COMPLEX64, 3, c64, 0, 10, 5, 0);
  assert_stats (FLOW_DTYPE_COMPLEX128, 3, c128, 0, 10, 5, 0);
}

static void
test_nothing_to_count (void)
{
  const float nans[] = { NAN, NAN };
  g_autoptr (FlowTensor) empty = make_vector (FLOW_DTYPE_FLOAT, 0, NULL);
  g_autoptr (FlowTensor) bad = make_vector (FLOW_DTYPE_FLOAT, 2, nans);
  g_autoptr (FlowTensor) text = flow_tensor_new_string ("abc", -1);
  g_autoptr (FlowTensorStats) of_empty = flow_tensor_stats_new (empty, 10);
  g_autoptr (FlowTensorStats) of_bad = flow_tensor_stats_new (bad, 10);
  g_autoptr (FlowTensorStats) of_text = flow_tensor_stats_new (text, 10);

  g_assert_true (of_empty->is_number);
  g_assert_cmpint (of_empty->n_elements, ==, 0);
  g_assert_true (isnan (of_empty->min));
  g_assert_cmpint (of_bad->n_nan, ==, 2);
  g_assert_cmpint (of_bad->nan_index, ==, 0);
  g_assert_true (isnan (of_bad->mean));
  g_assert_true (isnan (of_bad->std));
  g_assert_cmpint (of_bad->min_index, ==, -1);
  g_assert_cmpuint (of_bad->n_bins, ==, 0);
  g_assert_false (of_text->is_number);
  g_assert_cmpint (of_text->n_elements, ==, 1);
  g_assert_true (isnan (of_text->max));
}

/* Neighbours above 2^53 are the same double. */
static void
test_int64_extremes (void)
{
  const gint64 cells[] = { 5, G_MAXINT64 - 1, G_MAXINT64, G_MININT64 + 1, G_MININT64 };
  const guint64 unsigned_cells[] = { G_MAXUINT64 - 1, G_MAXUINT64, 3 };
  g_autoptr (FlowTensor) tensor = make_vector (FLOW_DTYPE_INT64, 5, cells);
  g_autoptr (FlowTensor) other = make_vector (FLOW_DTYPE_UINT64, 3, unsigned_cells);
  g_autoptr (FlowTensorStats) stats = flow_tensor_stats_new (tensor, 0);
  g_autoptr (FlowTensorStats) of_other = flow_tensor_stats_new (other, 0);

  g_assert_cmpint (stats->max_index, ==, 2);
  g_assert_cmpint (stats->min_index, ==, 4);
  g_assert_cmpint (of_other->max_index, ==, 1);
  g_assert_cmpint (of_other->min_index, ==, 2);
}

static void
test_histogram (void)
{
  const float cells[] = { 0, 0.5f, 1, 1.5f, 2, 2, 2.25f, 4, NAN, INFINITY };
  const double wide[] = { -DBL_MAX, 0, DBL_MAX };
  const double tiny[] = { 0, 5e-324 };
  const gint32 same[] = { 7, 7, 7 };
  g_autoptr (FlowTensor) tensor = make_vector (FLOW_DTYPE_FLOAT, G_N_ELEMENTS (cells), cells);
  g_autoptr (FlowTensor) of_wide = make_vector (FLOW_DTYPE_DOUBLE, 3, wide);
  g_autoptr (FlowTensor) of_tiny = make_vector (FLOW_DTYPE_DOUBLE, 2, tiny);
  g_autoptr (FlowTensor) of_same = make_vector (FLOW_DTYPE_INT32, 3, same);
  g_autoptr (FlowTensorStats) a = flow_tensor_stats_new (tensor, 4);
  g_autoptr (FlowTensorStats) b = flow_tensor_stats_new (of_wide, 2);
  g_autoptr (FlowTensorStats) c = flow_tensor_stats_new (of_tiny, 2);
  g_autoptr (FlowTensorStats) d = flow_tensor_stats_new (of_same, G_MAXUINT);

  g_assert_cmpuint (a->n_bins, ==, 4);
  g_assert_cmpfloat (a->low, ==, 0);
  g_assert_cmpfloat (a->high, ==, 4);
  g_assert_cmpint (a->bins[0], ==, 2);
  g_assert_cmpint (a->bins[1], ==, 2);
  g_assert_cmpint (a->bins[2], ==, 3);
  g_assert_cmpint (a->bins[3], ==, 1);
  g_assert_cmpint (b->bins[0], ==, 1);
  g_assert_cmpint (b->bins[1], ==, 2);
  g_assert_cmpint (c->bins[0] + c->bins[1], ==, 2);
  g_assert_cmpuint (d->n_bins, ==, FLOW_TENSOR_STATS_MAX_BINS);
  g_assert_cmpfloat (d->low, ==, 6.5);
  g_assert_cmpfloat (d->high, ==, 7.5);
  g_assert_cmpint (d->bins[FLOW_TENSOR_STATS_MAX_BINS / 2], ==, 3);
}

/* Over many chunks: against a plain loop, and the same bits with any number of threads. */
static void
test_large (void)
{
  const gint64 n = 1234567;
  g_autofree float *cells = g_new (float, n);
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (FlowTensor) tensor = NULL;
  g_autoptr (FlowTensorStats) stats = NULL;
  long double sum = 0;
  long double m2 = 0;
  guint threads = flow_parallel_get_n_threads ();

  for (gint64 i = 0; i < n; i++)
    cells[i] = (float) g_rand_double_range (rand, 1000, 1001);
  cells[700000] = 999;
  cells[900001] = 1002;
  cells[1000000] = NAN;
  for (gint64 i = 0; i < n; i++)
    sum += isnan (cells[i]) ? 0 : cells[i];
  for (gint64 i = 0; i < n; i++)
    if (!isnan (cells[i]))
      m2 += (cells[i] - sum / (n - 1)) * (cells[i] - sum / (n - 1));

  tensor = make_vector (FLOW_DTYPE_FLOAT, n, cells);
  stats = flow_tensor_stats_new (tensor, 100);
  g_assert_cmpint (stats->min_index, ==, 700000);
  g_assert_cmpint (stats->max_index, ==, 900001);
  g_assert_cmpint (stats->nan_index, ==, 1000000);
  g_assert_cmpint (stats->n_finite, ==, n - 1);
  g_assert_cmpfloat_with_epsilon (stats->mean, (double) (sum / (n - 1)), 1e-10);
  g_assert_cmpfloat_with_epsilon (stats->std, (double) sqrtl (m2 / (n - 1)), 1e-12);

  for (guint t = 1; t <= 3; t++)
    {
      g_autoptr (FlowTensorStats) again = NULL;

      flow_parallel_set_n_threads (t);
      again = flow_tensor_stats_new (tensor, 100);
      g_assert_cmpmem (&again->mean, sizeof (double), &stats->mean, sizeof (double));
      g_assert_cmpmem (&again->std, sizeof (double), &stats->std, sizeof (double));
      g_assert_cmpmem (again->bins, 100 * sizeof (gint64), stats->bins, 100 * sizeof (gint64));
    }
  flow_parallel_set_n_threads (threads);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tensor/stats/floats", test_floats);
  g_test_add_func ("/tensor/stats/every-dtype", test_every_dtype);
  g_test_add_func ("/tensor/stats/nothing-to-count", test_nothing_to_count);
  g_test_add_func ("/tensor/stats/int64-extremes", test_int64_extremes);
  g_test_add_func ("/tensor/stats/histogram", test_histogram);
  g_test_add_func ("/tensor/stats/large", test_large);
  return g_test_run ();
}
