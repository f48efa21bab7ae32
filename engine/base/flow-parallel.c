/* flow-parallel.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-denormals.h"
#include "flow-parallel.h"

#include <omp.h>

static int n_threads_wanted = 0;

/**
 * flow_parallel_set_n_threads:
 * @n_threads: how many threads kernels may use; 0 takes what OpenMP finds
 *
 * Results are reproducible bit for bit for one number of threads.
 */
void
flow_parallel_set_n_threads (guint n_threads)
{
  __atomic_store_n (&n_threads_wanted, (int) MIN (n_threads, 1024u), __ATOMIC_RELAXED);
}

/* FLOWSTEP_THREADS, 0 if it is not set or no number. */
static int
threads_of_environment (void)
{
  static gsize threads = 0;

  if (g_once_init_enter (&threads))
    {
      const char *text = g_getenv ("FLOWSTEP_THREADS");
      guint64 value = text != NULL ? g_ascii_strtoull (text, NULL, 10) : 0;

      g_once_init_leave (&threads, (gsize) MIN (value, 1024) + 1);
    }
  return (int) threads - 1;
}

/**
 * flow_parallel_get_n_threads:
 *
 * Returns: how many threads a parallel loop uses at most: what was set, else what the environment's
 *   `FLOWSTEP_THREADS` says, else what OpenMP finds
 */
guint
flow_parallel_get_n_threads (void)
{
  int wanted = __atomic_load_n (&n_threads_wanted, __ATOMIC_RELAXED);

  if (wanted == 0)
    wanted = threads_of_environment ();
  return (guint) (wanted > 0 ? wanted : omp_get_max_threads ());
}

/**
 * flow_parallel_bind_libraries: (skip)
 *
 * Before a call into a library that runs its own OpenMP loops (OpenBLAS, oneDNN): lets them use as
 * many threads as our own loops, on the calling thread.
 */
void
flow_parallel_bind_libraries (void)
{
  int n = (int) flow_parallel_get_n_threads ();

  if (n != omp_get_max_threads ())
    omp_set_num_threads (n);
}

/**
 * flow_parallel_for: (skip)
 * @n: how many indices there are
 * @grain: the fewest indices that are worth a thread
 * @func: called with disjoint ranges that cover 0 to @n
 * @data: for @func
 *
 * Splits @n indices evenly over the one OpenMP pool that BLAS and oneDNN use as well. The split
 * depends on @n, @grain and the number of threads only, so sums over a range are reproducible. Runs
 * on the calling thread alone when the work is small or this is already inside a parallel loop.
 */
void
flow_parallel_for (gint64        n,
                   gint64        grain,
                   FlowRangeFunc func,
                   gpointer      data)
{
  gint64 n_parts;
  guint mode = 0;

  g_return_if_fail (func != NULL);

  if (n <= 0)
    return;
  n_parts = MIN ((gint64) flow_parallel_get_n_threads (), n / MAX (grain, 1));
  if (n_parts <= 1 || omp_in_parallel ())
    {
      func (0, n, data);
      return;
    }

  /* All parts compute as the calling thread does. */
  mode = flow_denormals_get_mode ();
#pragma omp parallel for num_threads ((int) n_parts) schedule (static, 1)
  for (gint64 part = 0; part < n_parts; part++)
    {
      gint64 size = n / n_parts;
      gint64 rest = n % n_parts;
      gint64 begin = part * size + MIN (part, rest);

      flow_denormals_set_mode (mode);
      func (begin, begin + size + (part < rest ? 1 : 0), data);
    }
}
