/* flow-kernel-turn.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-kernel.h"

/* What a kernel says and is told when it calls functions of the library, turn by turn. */

static FlowTensor **
ref_all (FlowTensor *const *values,
         guint              n)
{
  FlowTensor **copy = g_new0 (FlowTensor *, n + 1);

  for (guint i = 0; i < n; i++)
    copy[i] = values[i] != NULL ? flow_tensor_ref (values[i]) : NULL;
  return copy;
}

static void
unref_all (FlowTensor **values,
           guint        n)
{
  for (guint i = 0; values != NULL && i < n; i++)
    g_clear_pointer (&values[i], flow_tensor_unref);
  g_free (values);
}

/**
 * flow_kernel_turn_clear: (skip)
 * @turn: a turn
 *
 * Frees what the kernel has set; what it was told is the executor's.
 */
void
flow_kernel_turn_clear (FlowKernelTurn *turn)
{
  unref_all (turn->args, turn->n_args);
  unref_all (turn->hold, turn->n_hold);
  g_clear_pointer (&turn->func, flow_attr_unref);
  g_free (turn->label);
  turn->args = NULL;
  turn->n_args = 0;
  turn->hold = NULL;
  turn->n_hold = 0;
  turn->label = NULL;
}

/**
 * flow_kernel_get_turn: (skip)
 * @c: a context
 *
 * Returns: how many functions this execution has called: 0 at first
 */
guint64
flow_kernel_get_turn (FlowKernelContext *c)
{
  return c->turn != NULL ? c->turn->number : 0;
}

/**
 * flow_kernel_get_returned: (skip)
 * @c: a context
 * @n: (out): how many
 *
 * Returns: (transfer none) (array length=n): what the function gave that was called at the turn before
 */
FlowTensor *const *
flow_kernel_get_returned (FlowKernelContext *c,
                          guint             *n)
{
  *n = c->turn != NULL ? c->turn->n_returned : 0;
  return c->turn != NULL ? c->turn->returned : NULL;
}

/**
 * flow_kernel_get_held: (skip)
 * @c: a context
 * @n: (out): how many
 *
 * Returns: (transfer none) (array length=n): what flow_kernel_hold() kept at the turn before
 */
FlowTensor *const *
flow_kernel_get_held (FlowKernelContext *c,
                      guint             *n)
{
  *n = c->turn != NULL ? c->turn->n_held : 0;
  return c->turn != NULL ? c->turn->held : NULL;
}

/**
 * flow_kernel_hold: (skip)
 * @c: a context
 * @values: (array length=n): what the next turn needs
 * @n: how many
 */
void
flow_kernel_hold (FlowKernelContext  *c,
                  FlowTensor *const  *values,
                  guint               n)
{
  if (c->turn == NULL)
    return;
  unref_all (c->turn->hold, c->turn->n_hold);
  c->turn->hold = ref_all (values, n);
  c->turn->n_hold = n;
}

static void
set_call (FlowKernelContext  *c,
          const FlowAttr     *func,
          const char         *label,
          gint64              iteration,
          gboolean            is_gradient,
          FlowTensor *const  *args,
          guint               n_args)
{
  FlowKernelTurn *turn = c->turn;

  if (turn == NULL)
    return;
  g_clear_pointer (&turn->func, flow_attr_unref);
  turn->func = flow_attr_ref (func);
  g_free (turn->label);
  turn->label = g_strdup (label);
  turn->iteration = iteration;
  turn->is_gradient = is_gradient;
  unref_all (turn->args, turn->n_args);
  turn->args = ref_all (args, n_args);
  turn->n_args = n_args;
}

/**
 * flow_kernel_call: (skip)
 * @c: a context
 * @func: an attr of kind func
 * @label: "then", "body", ...: what the body's nodes are called after the op's name; may be empty
 * @iteration: which iteration of a loop this is, 0 outside loops
 * @args: (array length=n_args): its arguments
 * @n_args: how many
 *
 * Names the function that comes next. The kernel then returns %TRUE without setting outputs.
 */
void
flow_kernel_call (FlowKernelContext  *c,
                  const FlowAttr     *func,
                  const char         *label,
                  gint64              iteration,
                  FlowTensor *const  *args,
                  guint               n_args)
{
  set_call (c, func, label, iteration, FALSE, args, n_args);
}

/**
 * flow_kernel_call_gradient: (skip)
 * @c: a context
 * @func: an attr of kind func
 * @label: as for flow_kernel_call()
 * @args: (array length=n_args): the function's arguments, then the gradients of what it returns
 * @n_args: how many
 *
 * As flow_kernel_call(), for the function's gradient: what the library says it is, or made from the body.
 */
void
flow_kernel_call_gradient (FlowKernelContext  *c,
                           const FlowAttr     *func,
                           const char         *label,
                           FlowTensor *const  *args,
                           guint               n_args)
{
  set_call (c, func, label, 0, TRUE, args, n_args);
}
