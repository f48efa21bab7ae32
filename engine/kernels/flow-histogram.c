/* flow-histogram.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-histogram-private.h"

#include <float.h>
#include <string.h>

void
_flow_histogram_init (FlowHistogram *h)
{
  double positive[FLOW_HISTOGRAM_LIMITS];
  int n = 0;

  for (double v = 1e-12; v < 1e20 && n < FLOW_HISTOGRAM_LIMITS - 1; v *= 1.1)
    positive[n++] = v;
  positive[n++] = DBL_MAX;
  memset (h, 0, sizeof *h);
  for (int i = n - 1; i >= 0; i--)
    h->limits[h->n++] = -positive[i];
  h->limits[h->n++] = 0;
  for (int i = 0; i < n; i++)
    h->limits[h->n++] = positive[i];
  h->min = DBL_MAX;
  h->max = -DBL_MAX;
}

void
_flow_histogram_add (FlowHistogram *h,
                     double         value)
{
  int low = 0;
  int high = h->n;

  /* The first limit above the value. */
  while (low < high)
    {
      int middle = (low + high) / 2;

      if (value < h->limits[middle])
        high = middle;
      else
        low = middle + 1;
    }
  h->counts[MIN (low, h->n - 1)] += 1;
  h->min = MIN (h->min, value);
  h->max = MAX (h->max, value);
  h->num += 1;
  h->sum += value;
  h->squares += value * value;
}

/* TF: a run of empty buckets becomes one. */
static int
collapse (FlowHistogram *h)
{
  int n = 0;

  for (int i = 0; i < h->n;)
    {
      double limit = h->limits[i];
      double count = h->counts[i++];

      while (count <= 0 && i < h->n && h->counts[i] <= 0)
        limit = h->limits[i++];
      h->limits[n] = limit;
      h->counts[n++] = count;
    }
  return n;
}

static void
write_packed (FlowProtoWriter *w,
              guint32          field,
              const double    *values,
              int              n)
{
  flow_proto_writer_add_bytes (w, field, (const char *) values, sizeof (double) * (gsize) n);
}

void
_flow_histogram_write (const FlowHistogram *self,
                       FlowProtoWriter     *w,
                       guint32              field)
{
  g_autofree FlowHistogram *h = g_memdup2 (self, sizeof *self);
  const int n = collapse (h);

  flow_proto_writer_begin (w, field);
  flow_proto_writer_set_double (w, 1, h->min);
  flow_proto_writer_set_double (w, 2, h->max);
  flow_proto_writer_set_double (w, 3, h->num);
  flow_proto_writer_set_double (w, 4, h->sum);
  flow_proto_writer_set_double (w, 5, h->squares);
  write_packed (w, 6, h->limits, n);
  write_packed (w, 7, h->counts, n);
  flow_proto_writer_end (w);
}
