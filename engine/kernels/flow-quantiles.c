/* flow-quantiles.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-quantiles-private.h"

#include <float.h>
#include <math.h>

#define AT(array, i) (&g_array_index ((array), FlowQuantile, (i)))

static GArray *
new_summary (void)
{
  return g_array_new (FALSE, TRUE, sizeof (FlowQuantile));
}

static float
next_min_rank (const FlowQuantile *entry)
{
  return entry->min_rank + entry->weight;
}

static float
previous_max_rank (const FlowQuantile *entry)
{
  return entry->max_rank - entry->weight;
}

static float
total_weight (const GArray *summary)
{
  return summary->len > 0 ? AT (summary, summary->len - 1)->max_rank : 0;
}

/* --- one summary ------------------------------------------------------------------------------------------------ */

static void
append_shifted (GArray             *to,
                const FlowQuantile *entry,
                float               min_rank,
                float               max_rank)
{
  FlowQuantile shifted = { entry->value, entry->weight, entry->min_rank + min_rank, entry->max_rank + max_rank };

  g_array_append_val (to, shifted);
}

/* Both are sorted; takes @a, and keeps @b. */
static GArray *
merge (GArray       *a,
       const GArray *b)
{
  GArray *merged;
  float rank_a = 0;
  float rank_b = 0;
  guint i = 0;
  guint k = 0;

  if (b == NULL || b->len == 0)
    return a;
  merged = new_summary ();
  while (i < a->len && k < b->len)
    {
      const FlowQuantile *x = AT (a, i);
      const FlowQuantile *y = AT (b, k);

      if (x->value < y->value)
        {
          append_shifted (merged, x, rank_b, previous_max_rank (y));
          rank_a = next_min_rank (x);
          i++;
        }
      else if (y->value < x->value)
        {
          append_shifted (merged, y, rank_a, previous_max_rank (x));
          rank_b = next_min_rank (y);
          k++;
        }
      else
        {
          FlowQuantile both = { x->value, x->weight + y->weight, x->min_rank + y->min_rank, x->max_rank + y->max_rank };

          g_array_append_val (merged, both);
          rank_a = next_min_rank (x);
          rank_b = next_min_rank (y);
          i++;
          k++;
        }
    }
  /* An empty @a gives @b as it stands. */
  for (; i < a->len; i++)
    append_shifted (merged, AT (a, i), rank_b, total_weight (b));
  for (; k < b->len; k++)
    append_shifted (merged, AT (b, k), rank_a, total_weight (a));
  g_array_unref (a);
  return merged;
}

/* To about @size entries, the first and the last among them, with an error not much greater. */
static void
compress (GArray *summary,
          gint64  size,
          double  min_epsilon)
{
  const gint64 n = summary->len;
  double delta;
  gint64 credit = 0;
  gint64 write = 1;
  gint64 read = 0;
  gint64 last = 1;

  size = MAX (size, 2);
  if (n <= size)
    return;
  delta = total_weight (summary) * MAX (1.0 / (double) size, min_epsilon);
  while (read + 1 < n)
    {
      gint64 next = read + 1;

      while (next < n && credit < n
             && previous_max_rank (AT (summary, next)) - next_min_rank (AT (summary, read)) <= delta)
        {
          credit += size;
          next++;
        }
      read = read == next - 1 ? read + 1 : next - 1;
      *AT (summary, write) = *AT (summary, read);
      write++;
      last = read;
      credit -= n;
    }
  if (last + 1 < n)
    {
      *AT (summary, write) = *AT (summary, n - 1);
      write++;
    }
  g_array_set_size (summary, (guint) write);
}

static double
approximation_error (const GArray *summary)
{
  float gap = 0;

  if (summary->len == 0)
    return 0;
  for (guint i = 1; i < summary->len; i++)
    {
      const FlowQuantile *entry = AT (summary, i);
      float own = entry->max_rank - entry->min_rank - entry->weight;
      float between = previous_max_rank (entry) - next_min_rank (AT (summary, i - 1));

      gap = MAX (gap, MAX (own, between));
    }
  return (double) gap / total_weight (summary);
}

GArray *
_flow_quantiles_boundaries (const GArray *summary,
                            gint64        n)
{
  g_autoptr (GArray) compressed = new_summary ();
  GArray *values = g_array_new (FALSE, TRUE, sizeof (float));

  if (summary->len == 0)
    return values;
  g_array_append_vals (compressed, summary->data, summary->len);
  compress (compressed, n, (float) (approximation_error (summary) + 1.0 / (double) n));
  for (guint i = 0; i < compressed->len; i++)
    g_array_append_val (values, AT (compressed, i)->value);
  return values;
}

GArray *
_flow_quantiles_even (const GArray *summary,
                      gint64        n)
{
  GArray *values = g_array_new (FALSE, TRUE, sizeof (float));
  guint at = 0;

  if (summary->len == 0)
    return values;
  n = MAX (n, 2);
  for (gint64 rank = 0; rank <= n; rank++)
    {
      const float twice = 2 * ((float) rank * total_weight (summary) / (float) n);
      guint next = at + 1;
      guint chosen;

      while (next < summary->len && twice >= AT (summary, next)->min_rank + AT (summary, next)->max_rank)
        next++;
      at = next - 1;
      chosen = next == summary->len || twice < next_min_rank (AT (summary, at)) + previous_max_rank (AT (summary, next))
               ? at : next;
      g_array_append_val (values, AT (summary, chosen)->value);
    }
  return values;
}

/* --- the stream ---------------------------------------------------------------------------------------------------- */

static void
unref_level (gpointer level)
{
  if (level != NULL)
    g_array_unref (level);
}

/* TF: levels are added until all elements would fit. */
static gint64
find_block_size (double epsilon,
                 gint64 max_elements)
{
  gint64 size = 2;

  if (epsilon <= DBL_EPSILON)
    return MAX (max_elements, 2);
  for (gint64 level = 1; level < 62 && size <= (max_elements - 1) >> level; level++)
    {
      const double exact = ceil ((double) level / epsilon) + 1;

      /* No block is fuller than that. */
      size = exact < 0x1p60 ? (gint64) exact : G_GINT64_CONSTANT (1) << 60;
    }
  return MAX (size, 2);
}

gboolean
_flow_quantiles_init (FlowQuantiles  *self,
                      double          epsilon,
                      gint64          max_elements,
                      GError        **error)
{
  FLOW_REQUIRE (epsilon > 0, error, INVALID_ARGUMENT, "An epsilon value of zero is not allowed.");
  FLOW_REQUIRE (epsilon < 1, error, INVALID_ARGUMENT, "An epsilon value of %g is not allowed: it must be less than 1", epsilon);
  FLOW_REQUIRE (max_elements > 0, error, INVALID_ARGUMENT, "max_elements must be > 0, got %" G_GINT64_FORMAT, max_elements);
  self->epsilon = epsilon;
  self->block_size = find_block_size (epsilon, max_elements);
  self->buffer_size = MIN (self->block_size * 2, max_elements);
  self->buffer = new_summary ();
  self->levels = g_ptr_array_new_with_free_func (unref_level);
  return TRUE;
}

void
_flow_quantiles_clear (FlowQuantiles *self)
{
  g_clear_pointer (&self->buffer, g_array_unref);
  g_clear_pointer (&self->levels, g_ptr_array_unref);
}

/* Levels are replaced, never written, so that copies share them. */
void
_flow_quantiles_copy (FlowQuantiles       *self,
                      const FlowQuantiles *from)
{
  *self = *from;
  self->buffer = new_summary ();
  g_array_append_vals (self->buffer, from->buffer->data, from->buffer->len);
  self->levels = g_ptr_array_new_with_free_func (unref_level);
  for (guint i = 0; i < from->levels->len; i++)
    g_ptr_array_add (self->levels, from->levels->pdata[i] != NULL ? g_array_ref (from->levels->pdata[i]) : NULL);
}

/* Takes @summary: merged with what is at a level, it stays there or goes on, made shorter, to the next. */
static void
propagate (FlowQuantiles *self,
           GArray        *summary)
{
  compress (summary, self->block_size, self->epsilon);
  for (guint level = 0; summary->len > 0; level++)
    {
      GArray *there;

      if (level == self->levels->len)
        g_ptr_array_add (self->levels, NULL);
      there = self->levels->pdata[level];
      summary = merge (summary, there);
      self->levels->pdata[level] = NULL;
      if (there == NULL || there->len == 0 || summary->len <= self->block_size + 1)
        {
          self->levels->pdata[level] = summary;
          unref_level (there);
          return;
        }
      unref_level (there);
      compress (summary, self->block_size, self->epsilon);
    }
  g_array_unref (summary);
}

static int
compare_values (gconstpointer a,
                gconstpointer b)
{
  const float x = ((const FlowQuantile *) a)->value;
  const float y = ((const FlowQuantile *) b)->value;

  return x < y ? -1 : x > y;
}

/* Sorted, equal values as one. */
static void
push_buffer (FlowQuantiles *self)
{
  GArray *summary = new_summary ();
  float rank = 0;

  g_array_sort (self->buffer, compare_values);
  for (guint i = 0; i < self->buffer->len; i++)
    {
      const FlowQuantile *entry = AT (self->buffer, i);

      if (i > 0 && entry->value == AT (self->buffer, i - 1)->value)
        AT (summary, summary->len - 1)->weight += entry->weight;
      else
        g_array_append_val (summary, *entry);
    }
  for (guint i = 0; i < summary->len; i++)
    {
      AT (summary, i)->min_rank = rank;
      rank += AT (summary, i)->weight;
      AT (summary, i)->max_rank = rank;
    }
  g_array_set_size (self->buffer, 0);
  propagate (self, summary);
}

void
_flow_quantiles_push (FlowQuantiles *self,
                      float          value,
                      float          weight)
{
  FlowQuantile entry = { .value = value, .weight = weight };

  if (!(weight <= 0))
    g_array_append_val (self->buffer, entry);
  if (self->buffer->len >= self->buffer_size)
    push_buffer (self);
}

void
_flow_quantiles_push_summary (FlowQuantiles      *self,
                              const FlowQuantile *entries,
                              gsize               n)
{
  GArray *summary = new_summary ();

  g_array_append_vals (summary, entries, (guint) n);
  propagate (self, summary);
}

GArray *
_flow_quantiles_finish (FlowQuantiles *self)
{
  GArray *all = new_summary ();

  push_buffer (self);
  for (guint i = 0; i < self->levels->len; i++)
    all = merge (all, self->levels->pdata[i]);
  g_ptr_array_set_size (self->levels, 0);
  return all;
}
