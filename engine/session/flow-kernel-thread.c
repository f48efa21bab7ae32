/* flow-kernel-thread.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-kernel-thread.h"

/* libgomp keeps a pool of threads per calling thread, so that two callers of kernels would fight over
 * the cores. One thread of the process therefore runs all kernels; sessions take turns on it. */

typedef struct {
  FlowKernelFunc func;
  gpointer data;
} Job;

typedef struct {
  FlowKernelFunc func;
  gpointer data;
  GMutex mutex;                /* guards done */
  GCond cond;
  gboolean done;
} Call;

/* Deep recursion over a graph never happens; shape functions and BLAS want some room. */
static GAsyncQueue *queue;
static GThread *thread;

static gpointer
kernel_thread_worker (gpointer data)
{
  for (;;)
    {
      Job *job = g_async_queue_pop (queue);

      job->func (job->data);
      g_free (job);
    }
  return NULL;
}

static void
ensure_thread (void)
{
  static gsize once = 0;

  if (g_once_init_enter (&once))
    {
      queue = g_async_queue_new ();
      thread = g_thread_new ("flow-kernels", kernel_thread_worker, NULL);
      g_once_init_leave (&once, 1);
    }
}

/**
 * flow_kernel_thread_push: (skip)
 * @func: what to run
 * @data: given to @func, which frees it
 *
 * Queues @func for the kernel thread and returns at once. Jobs run in the order they were queued.
 * May be called from any thread.
 */
void
flow_kernel_thread_push (FlowKernelFunc func,
                         gpointer       data)
{
  Job *job = NULL;

  g_return_if_fail (func != NULL);

  ensure_thread ();
  job = g_new (Job, 1);
  job->func = func;
  job->data = data;
  g_async_queue_push (queue, job);
}

static void
call_cb (gpointer data)
{
  Call *call = data;

  call->func (call->data);
  g_mutex_lock (&call->mutex);
  call->done = TRUE;
  g_cond_signal (&call->cond);
  g_mutex_unlock (&call->mutex);
}

/**
 * flow_kernel_thread_call: (skip)
 * @func: what to run
 * @data: given to @func
 *
 * Runs @func on the kernel thread and returns when it has ended; on the kernel thread itself it is
 * a plain call. For the command line and tests: a main thread with a window never waits like this.
 */
void
flow_kernel_thread_call (FlowKernelFunc func,
                         gpointer       data)
{
  Call call = { func, data };

  g_return_if_fail (func != NULL);

  if (flow_kernel_thread_is_current ())
    {
      func (data);
      return;
    }
  g_mutex_init (&call.mutex);
  g_cond_init (&call.cond);
  flow_kernel_thread_push (call_cb, &call);
  g_mutex_lock (&call.mutex);
  while (!call.done)
    g_cond_wait (&call.cond, &call.mutex);
  g_mutex_unlock (&call.mutex);
  g_mutex_clear (&call.mutex);
  g_cond_clear (&call.cond);
}

/**
 * flow_kernel_thread_is_current: (skip)
 *
 * Returns: whether the caller runs on the kernel thread
 */
gboolean
flow_kernel_thread_is_current (void)
{
  ensure_thread ();
  return g_thread_self () == thread;
}
