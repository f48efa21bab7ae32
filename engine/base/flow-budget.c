/* flow-budget.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-budget.h"

#include <string.h>
#include <unistd.h>

struct _FlowBudget
{
  gatomicrefcount ref_count;
  guint64 limit;               /* atomics of C11: several threads reserve at once */
  guint64 used;
  guint64 peak;
};

G_DEFINE_BOXED_TYPE (FlowBudget, flow_budget, flow_budget_ref, flow_budget_unref)

/**
 * flow_budget_default_limit:
 *
 * Returns: what the environment's `FLOWSTEP_MEMORY` says (bytes, with K, M or G), else a quarter of the
 *   machine's memory, in bytes
 */
guint64
flow_budget_default_limit (void)
{
  guint64 wanted = flow_budget_parse_size (g_getenv ("FLOWSTEP_MEMORY"));
  long pages = sysconf (_SC_PHYS_PAGES);
  long page_size = sysconf (_SC_PAGESIZE);

  if (wanted > 0)
    return wanted;
  if (pages <= 0 || page_size <= 0)
    return G_GUINT64_CONSTANT (1) << 30;
  return (guint64) pages * (guint64) page_size / 4;
}

/**
 * flow_budget_new:
 * @limit_bytes: the most that may be reserved at a time; 0 takes flow_budget_default_limit()
 *
 * Returns: (transfer full): a budget of which nothing is used
 */
FlowBudget *
flow_budget_new (guint64 limit_bytes)
{
  FlowBudget *self = g_new0 (FlowBudget, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->limit = limit_bytes != 0 ? limit_bytes : flow_budget_default_limit ();
  return self;
}

/**
 * flow_budget_ref:
 * @self: a budget
 *
 * Returns: (transfer full): @self
 */
FlowBudget *
flow_budget_ref (FlowBudget *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * flow_budget_unref:
 * @self: (transfer full): a budget
 */
void
flow_budget_unref (FlowBudget *self)
{
  g_return_if_fail (self != NULL);

  if (g_atomic_ref_count_dec (&self->ref_count))
    g_free (self);
}

/**
 * flow_budget_reserve:
 * @self: a budget
 * @n_bytes: how much is about to be allocated
 *
 * Asks for memory. What was granted is given back with flow_budget_release(). Thread-safe.
 *
 * Returns: whether there is room; %FALSE changes nothing
 */
gboolean
flow_budget_reserve (FlowBudget *self,
                     gsize       n_bytes)
{
  guint64 used;
  guint64 limit;
  guint64 wanted;
  guint64 peak;

  g_return_val_if_fail (self != NULL, FALSE);

  limit = __atomic_load_n (&self->limit, __ATOMIC_RELAXED);
  used = __atomic_load_n (&self->used, __ATOMIC_RELAXED);
  do
    {
      if (n_bytes > limit || used > limit - n_bytes)
        return FALSE;
      wanted = used + n_bytes;
    }
  while (!__atomic_compare_exchange_n (&self->used, &used, wanted, TRUE,
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED));

  peak = __atomic_load_n (&self->peak, __ATOMIC_RELAXED);
  while (wanted > peak
         && !__atomic_compare_exchange_n (&self->peak, &peak, wanted, TRUE,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    continue;
  return TRUE;
}

/**
 * flow_budget_release:
 * @self: a budget
 * @n_bytes: what was reserved and is free again
 */
void
flow_budget_release (FlowBudget *self,
                     gsize       n_bytes)
{
  g_return_if_fail (self != NULL);

  __atomic_fetch_sub (&self->used, (guint64) n_bytes, __ATOMIC_RELAXED);
}

/**
 * flow_budget_get_limit:
 * @self: a budget
 *
 * Returns: the most that may be used, in bytes
 */
guint64
flow_budget_get_limit (FlowBudget *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return __atomic_load_n (&self->limit, __ATOMIC_RELAXED);
}

/**
 * flow_budget_set_limit:
 * @self: a budget
 * @limit_bytes: the new limit; what is used beyond it stays used, but nothing is granted
 */
void
flow_budget_set_limit (FlowBudget *self,
                       guint64     limit_bytes)
{
  g_return_if_fail (self != NULL);

  __atomic_store_n (&self->limit, limit_bytes, __ATOMIC_RELAXED);
}

/**
 * flow_budget_get_used:
 * @self: a budget
 *
 * Returns: what is reserved now, in bytes
 */
guint64
flow_budget_get_used (FlowBudget *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return __atomic_load_n (&self->used, __ATOMIC_RELAXED);
}

/**
 * flow_budget_get_peak:
 * @self: a budget
 *
 * Returns: the most that was ever reserved at a time, in bytes
 */
guint64
flow_budget_get_peak (FlowBudget *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return __atomic_load_n (&self->peak, __ATOMIC_RELAXED);
}

/**
 * flow_budget_parse_size:
 * @text: (nullable): a number of bytes, with K, M or G behind it if wanted (powers of 1024)
 *
 * Returns: the bytes, 0 where @text is no such number or does not fit
 */
guint64
flow_budget_parse_size (const char *text)
{
  char *end = NULL;
  guint64 value;
  guint shift = 0;

  if (text == NULL || !g_ascii_isdigit (text[0]))
    return 0;
  value = g_ascii_strtoull (text, &end, 10);
  switch (g_ascii_toupper (*end))
    {
    case 'K': shift = 10; end++; break;
    case 'M': shift = 20; end++; break;
    case 'G': shift = 30; end++; break;
    default: break;
    }
  if (*end != '\0' || value > (G_MAXUINT64 >> shift))
    return 0;
  return value << shift;
}
