/* flow-watchdog.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-watchdog.h"

#include <unistd.h>

/* Seconds. */
#define WATCHDOG 60
#define PATIENCE 15

static GMutex lock;
static GCancellable *watched;      /* borrowed: what runs */
static gint64 ends;

static gpointer
lose_patience (gpointer data)
{
  while (TRUE)
    {
      g_usleep (G_USEC_PER_SEC);
      g_mutex_lock (&lock);
      if (watched != NULL && g_get_monotonic_time () > ends)
        g_cancellable_cancel (watched);
      g_mutex_unlock (&lock);
    }
  return NULL;
}

static void
watch (GCancellable *cancellable)
{
  g_mutex_lock (&lock);
  watched = cancellable;
  ends = g_get_monotonic_time () + PATIENCE * G_USEC_PER_SEC;
  g_mutex_unlock (&lock);
}

void
flow_watchdog_begin (GCancellable *cancellable)
{
  static gsize once = 0;

  if (g_once_init_enter (&once))
    {
      g_thread_unref (g_thread_new ("patience", lose_patience, NULL));
      g_once_init_leave (&once, 1);
    }
  watch (cancellable);
  alarm (WATCHDOG);
}

void
flow_watchdog_end (void)
{
  alarm (0);
  watch (NULL);
}
