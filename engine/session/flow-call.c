/* flow-call.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-session-private.h"

#include "flow-resources-private.h"
#include "flow-state-handle.h"

#include <string.h>

/* Functions of the library called: their bodies compiled, and run whole where an op's kernel asks for one. */

/* TF has no bound and ends the process; here a function that calls itself for ever is an error. */
#define MAX_DEPTH 128

static GHashTable *
index_endpoints (const FlowEndpoint *endpoints,
                 guint               n)
{
  GHashTable *index = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint i = 0; i < n; i++)
    {
      guint64 key = _flow_override_key (endpoints[i].node, endpoints[i].slot);

      g_hash_table_insert (index, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (i + 1));
    }
  return index;
}

/* Index + 1, 0 where it is not there. */
static guint
find_endpoint (GHashTable   *index,
               FlowEndpoint  endpoint)
{
  guint64 key = _flow_override_key (endpoint.node, endpoint.slot);

  return GPOINTER_TO_UINT (g_hash_table_lookup (index, &key));
}

/* What the plan gives is in its own order of feeds and fetches. */
static void
map_ends (FlowCallee *self)
{
  const FlowFunctionBody *body = self->body;
  const FlowPruneEnds *ends = self->plan != NULL ? flow_prune_get_ends (self->plan->prune) : NULL;
  g_autoptr (GHashTable) fetches = index_endpoints (ends != NULL ? ends->fetches : NULL,
                                                    ends != NULL ? ends->n_fetches : 0);

  self->arg_of_feed = g_new0 (guint32, MAX (body->n_args, 1));
  self->fetch_of_ret = g_new0 (gint32, MAX (body->n_rets, 1));
  for (guint i = 0; ends != NULL && i < ends->n_feeds; i++)
    self->arg_of_feed[i] = ends->feeds[i].node;
  for (guint i = 0; i < body->n_rets; i++)
    self->fetch_of_ret[i] = (gint32) find_endpoint (fetches, body->rets[i]) - 1;
}

static gboolean
gives (const FlowCallee *self,
       guint             ret)
{
  return self->rets == NULL || self->rets[ret];
}

/* TF: an op that is lowered leaves such as always execute, whatever reads them. */
static gboolean
is_lowered_op (const FlowFunctionBody *body,
               guint32                 node)
{
  static const guint mask = FLOW_OP_FUNCTION | FLOW_OP_STATEFUL;

  return (flow_graph_get_node_flags (body->graph, node) & mask) == FLOW_OP_FUNCTION
         && flow_graph_node_is_lowered (body->graph, node);
}

/* Which argument the function gives back as it came, if it does. */
static gboolean
find_passed (const FlowFunctionBody *body,
             guint                   ret,
             guint32                *arg)
{
  FlowEndpoint at = body->rets[ret];

  while (at.node >= body->n_args && g_str_equal (flow_graph_get_node_type (body->graph, at.node), "Identity"))
    flow_graph_get_input (body->graph, at.node, 0, &at);
  *arg = at.node;
  return at.node < body->n_args;
}

/* Whether all that it does is to give arguments back. */
static gboolean
only_passes_on (const FlowFunctionBody *body)
{
  guint32 arg;

  for (guint32 node = body->n_args; node < flow_graph_get_n_nodes (body->graph); node++)
    if ((flow_graph_get_node_flags (body->graph, node) & FLOW_OP_STATEFUL) != 0)
      return FALSE;
  for (guint i = 0; i < body->n_rets; i++)
    if (!find_passed (body, i, &arg))
      return FALSE;
  return TRUE;
}

/* With a @library what calls functions in the body is lowered. */
static gboolean
compile (FlowCallee *self,
         FlowGraph  *library,
         GError    **error)
{
  const FlowFunctionBody *body = self->body;
  g_autoptr (GPtrArray) feeds = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) fetches = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) targets = g_ptr_array_new ();
  /* TF: a lowered op's nodes are the graph's own, of which a run takes those that lead to what it wants. */
  const guint n_effects = !self->has_effects ? 0 : self->is_lowered ? body->n_named : body->n_effects;

  for (guint i = 0; i < body->n_args; i++)
    g_ptr_array_add (feeds, flow_graph_endpoint_to_string (body->graph, body->args[i], 0));
  for (guint i = 0; i < body->n_rets; i++)
    if (body->rets[i].node >= body->n_args && gives (self, i))
      g_ptr_array_add (fetches, flow_graph_endpoint_to_string (body->graph, body->rets[i].node, body->rets[i].slot));
  for (guint i = 0; i < n_effects; i++)
    g_ptr_array_add (targets, (gpointer) flow_graph_get_node_name (body->graph, body->effects[i]));
  for (guint32 node = body->n_args; self->is_as_written && node < flow_graph_get_n_nodes (body->graph); node++)
    if (is_lowered_op (body, node))
      g_ptr_array_add (targets, (gpointer) flow_graph_get_node_name (body->graph, node));
  if (fetches->len + targets->len > 0)
    {
      g_ptr_array_add (feeds, NULL);
      g_ptr_array_add (fetches, NULL);
      g_ptr_array_add (targets, NULL);
      self->plan = _flow_plan_new_of_body (body->graph, library, (const char *const *) feeds->pdata,
                                           (const char *const *) fetches->pdata, (const char *const *) targets->pdata, error);
      if (self->plan == NULL)
        return FALSE;
    }
  map_ends (self);
  return TRUE;
}

/* The body's names begin with @prefix. */
FlowCallee *
_flow_callee_new (FlowGraph        *library,
                  const FlowAttr   *func,
                  const char       *prefix,
                  FlowCalleeFlags   flags,
                  GError          **error)
{
  FlowCallee *self = g_new0 (FlowCallee, 1);

  self->kernels = _flow_node_kernels_new ();
  self->is_gradient = (flags & FLOW_CALLEE_GRADIENT) != 0;
  self->is_lowered = (flags & FLOW_CALLEE_LOWERED) != 0;
  self->is_as_written = (flags & FLOW_CALLEE_AS_WRITTEN) != 0;
  self->has_effects = TRUE;
  if (self->is_gradient)
    self->body = flow_gradient_body_new (library, func, prefix, error);
  else if ((flags & FLOW_CALLEE_ON_DEVICES) != 0)
    self->body = flow_function_body_new_on_devices (library, func, prefix, error);
  else
    self->body = flow_function_body_new (library, func, prefix, error);
  if (self->body == NULL || !compile (self, (flags & FLOW_CALLEE_LOWERS) != 0 ? library : NULL, error))
    g_clear_pointer (&self, _flow_callee_free);
  else
    self->only_passes_on = only_passes_on (self->body);
  return self;
}

/* The same nodes, of which those execute that lead to some of what the function returns. */
static FlowCallee *
callee_new_part (FlowCallee              *whole,
                 FlowGraph               *library,
                 const FlowPruneReading  *reading,
                 GError                 **error)
{
  FlowCallee *self = g_new0 (FlowCallee, 1);

  self->whole = whole;
  self->kernels = g_ptr_array_ref (whole->kernels);
  self->is_lowered = whole->is_lowered;
  self->body = flow_function_body_ref (whole->body);
  self->base = whole->base;
  self->state_prefix = g_strdup (whole->state_prefix);
  self->rets = g_new0 (guint8, MAX (reading->n_rets, self->body->n_rets) + 1);
  memcpy (self->rets, reading->rets, reading->n_rets);
  self->has_effects = reading->effects;
  if (!compile (self, library, error))
    g_clear_pointer (&self, _flow_callee_free);
  return self;
}

void
_flow_callee_free (gpointer data)
{
  FlowCallee *self = data;

  g_ptr_array_unref (self->kernels);
  g_clear_pointer (&self->plan, flow_plan_unref);
  g_clear_pointer (&self->body, flow_function_body_unref);
  g_free (self->arg_of_feed);
  g_free (self->state_prefix);
  g_free (self->rets);
  g_free (self->fetch_of_ret);
  g_free (self);
}

static gboolean
check_args (FlowCallee         *callee,
            FlowTensor *const  *args,
            guint               n_args,
            gboolean            takes_dead,
            GError            **error)
{
  FLOW_REQUIRE (n_args == callee->body->n_args, error, INVALID_ARGUMENT, "Expects %u arguments, but %u is provided",
                callee->body->n_args, n_args);
  for (guint i = 0; i < n_args; i++)
    {
      int dtype = flow_graph_get_output_dtype (callee->body->graph, callee->body->args[i], 0);

      if (takes_dead && args[i] == NULL)
        continue;
      FLOW_REQUIRE (args[i] != NULL && (int) args[i]->dtype == dtype, error, INVALID_ARGUMENT,
                    "Expects arg[%u] to be %s but %s is provided", i, flow_dtype_string (dtype),
                    args[i] != NULL ? flow_dtype_string (args[i]->dtype) : "nothing");
    }
  return TRUE;
}

FlowRun *
_flow_run_new_call (FlowRun            *caller,
                    FlowCallee         *callee,
                    FlowTensor *const  *args,
                    guint               n_args,
                    gboolean            takes_dead,
                    gboolean            is_transient,
                    GError            **error)
{
  FlowRun *self = NULL;

  if (!check_args (callee, args, n_args, takes_dead, error))
    return NULL;
  if (caller->depth >= MAX_DEPTH)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "Functions call one another more than %d deep, last %s",
                   MAX_DEPTH, flow_attr_get_func_name (callee->body->func));
      return NULL;
    }
  self = _flow_run_alloc (caller->session, callee->plan, callee->body->graph, callee->kernels);
  self->caller = caller;
  self->callee = callee;
  self->state_handle = g_strdup (caller->state_handle);
  self->depth = caller->depth + 1;
  self->takes_dead = takes_dead;
  self->is_transient = is_transient;
  self->top = caller->top;
  self->base = callee->base;
  self->timing = caller->timing;
  if (!is_transient)
    {
      self->recall = caller->recall;
      self->recall_data = caller->recall_data;
      self->recalls_all = caller->recalls_all;
    }
  self->step_container = g_strdup (caller->step_container);
  self->n_feeds = n_args;
  self->feeds = g_new0 (FlowTensor *, n_args + 1);
  self->args = g_new0 (FlowTensor *, n_args + 1);
  for (guint i = 0; i < n_args; i++)
    {
      const FlowTensor *feed = args[callee->arg_of_feed[i]];

      self->args[i] = args[i] != NULL ? flow_tensor_ref (args[i]) : NULL;
      self->feeds[i] = feed != NULL ? flow_tensor_ref (feed) : NULL;
    }
  return self;
}

/* The names of a body's nodes begin with the caller's, unless the graph has such names already. */
static char *
choose_prefix (FlowRun    *run,
               const char *name,
               const char *label)
{
  FlowGraph *graph = flow_session_get_graph (run->session);
  gboolean has_label = label != NULL && *label != '\0';
  char *prefix = has_label ? g_strdup_printf ("%s/%s", name, label) : g_strdup (name);

  for (guint i = 0;
       flow_graph_find_scope (graph, prefix) != FLOW_SCOPE_NONE || flow_graph_find_scope (run->graph, prefix) != FLOW_SCOPE_NONE;
       i++)
    {
      g_free (prefix);
      if (i == 0 && !has_label)
        prefix = g_strdup_printf ("%s/call", name);
      else
        prefix = g_strdup_printf ("%s/%s_%u", name, has_label ? label : "call", i + 1);
    }
  return prefix;
}

/* Each call chain has nodes of its own, but a function that is in the chain already: it goes round in the same. */
static FlowCallee *
find_whole (FlowRun               *run,
            const FlowPlanItem    *item,
            const FlowKernelTurn  *turn,
            gboolean               is_on_devices,
            GError               **error)
{
  GHashTable *sites = _flow_session_get_sites (run->session);
  FlowGraph *graph = flow_session_get_graph (run->session);
  guint32 node = run->base + item->node;
  g_autofree char *key = g_strdup_printf ("%u:%s", node, turn->label != NULL ? turn->label : "");
  g_autofree char *prefix = NULL;
  FlowCalleeFlags flags = (turn->is_gradient ? FLOW_CALLEE_GRADIENT : 0) | (is_on_devices ? FLOW_CALLEE_ON_DEVICES : 0);
  FlowCallee *callee = g_hash_table_lookup (sites, key);

  if (callee != NULL)
    return callee;
  for (FlowRun *at = run; at->callee != NULL; at = at->caller)
    if (at->callee->is_gradient == turn->is_gradient && flow_attr_equal (at->callee->body->func, turn->func))
      return at->callee->whole != NULL ? at->callee->whole : at->callee;
  prefix = choose_prefix (run, flow_graph_get_node_name (run->graph, item->node), turn->label);
  /* TF: lowers in graphs, and in functions on several devices. */
  if (_flow_run_is_lowered (run, item) && (run->callee == NULL || run->callee->is_lowered || run->is_on_devices))
    flags |= FLOW_CALLEE_LOWERED | FLOW_CALLEE_LOWERS;
  if (turn->is_on_devices)
    flags |= FLOW_CALLEE_LOWERS;
  callee = _flow_callee_new (graph, turn->func, prefix, flags, error);
  if (callee == NULL)
    return NULL;
  callee->base = flow_graph_add_body (graph, callee->body, node);
  if (callee->base == FLOW_NODE_NONE)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "The bodies of the functions called have too many nodes, last %s",
                   flow_attr_get_func_name (turn->func));
      g_clear_pointer (&callee, _flow_callee_free);
      return NULL;
    }
  /* TF: an op that is lowered leaves nodes of its own behind; a function that is called is made once for all. */
  if (_flow_run_is_lowered (run, item))
    {
      g_autofree char *caller = _flow_run_state_name (run, item->node);

      callee->state_prefix = g_strdup_printf ("%s/%s/", caller, turn->label != NULL ? turn->label : "");
    }
  else
    callee->state_prefix = _flow_session_name_function (run->session, turn->func, turn->is_gradient);
  g_hash_table_insert (sites, g_steal_pointer (&key), callee);
  return callee;
}

/* TF: of an op that it lowers a run takes what leads to what it wants; a condition is wanted always. */
FlowCallee *
_flow_run_find_callee (FlowRun               *run,
                       const FlowPlanItem    *item,
                       const FlowKernelTurn  *turn,
                       gboolean               is_on_devices,
                       GError               **error)
{
  GHashTable *sites = _flow_session_get_sites (run->session);
  FlowCallee *whole = find_whole (run, item, turn, is_on_devices, error);
  g_autoptr (GString) key = NULL;
  FlowCallee *part = NULL;

  if (whole == NULL || item->reading == NULL || g_strcmp0 (turn->label, "cond") == 0)
    return whole;
  key = g_string_new (NULL);
  g_string_printf (key, "%u:%s:%d", run->base + item->node, turn->label, item->reading->effects);
  for (guint i = 0; i < item->reading->n_rets; i++)
    g_string_append_c (key, item->reading->rets[i] ? '+' : '-');
  part = g_hash_table_lookup (sites, key->str);
  if (part != NULL)
    return part;
  part = callee_new_part (whole, flow_session_get_graph (run->session), item->reading, error);
  if (part != NULL)
    g_hash_table_insert (sites, g_strdup (key->str), part);
  return part;
}

gboolean
_flow_run_get_returned (FlowRun     *run,
                        FlowTensor **returned,
                        GError     **error)
{
  const FlowCallee *callee = run->callee;

  for (guint i = 0; i < callee->body->n_rets; i++)
    {
      gint32 fetch = callee->fetch_of_ret[i];
      const FlowEndpoint *ret = &callee->body->rets[i];

      if (!gives (callee, i))
        {
          returned[i] = flow_tensor_ref (_flow_unread (flow_graph_get_output_dtype (callee->body->graph, ret->node,
                                                                                   (guint) ret->slot)));
          continue;
        }
      if (fetch >= 0)
        returned[i] = flow_value_dup_current (&run->fetched[fetch]);
      else if (run->args[ret->node] != NULL)
        returned[i] = flow_tensor_ref (run->args[ret->node]);
      if (returned[i] != NULL || (run->takes_dead && (fetch < 0 || run->fetched[fetch].ref == NULL)))
        continue;
      for (guint j = 0; j < i; j++)
        g_clear_pointer (&returned[j], flow_tensor_unref);
      if (run->fetched[fetch].ref != NULL)
        g_set_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION, "Attempting to use uninitialized value %s",
                     flow_graph_get_node_name (callee->body->graph, ret->node) + callee->body->name_offset);
      else
        /* TF: only what a session fetches is the caller's fault. */
        g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "Retval[%u] does not have value", i);
      return FALSE;
    }
  return TRUE;
}

/* What does not come of an op that failed executes all the same. */
static gboolean
run_whole (FlowRun *run,
           GError **error)
{
  gboolean has_failed = FALSE;

  for (;;)
    switch (flow_run_step (run, has_failed ? NULL : error))
      {
      case FLOW_STEP_DONE:
        break;
      case FLOW_STEP_FINISHED:
        return !has_failed;
      case FLOW_STEP_WAITING:
        if (has_failed)
          return FALSE;
        {
          const char *text = flow_run_get_wait_text (run);

          g_set_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION,
                       "An op of function %s has to wait, and nothing else executes meanwhile: %s",
                       flow_attr_get_func_name (run->callee->body->func), text != NULL ? text : "");
          return FALSE;
        }
      case FLOW_STEP_FAILED:
      default:
        has_failed = TRUE;
        if (!flow_run_drop_failed (run))
          return FALSE;
        break;
      }
}

/* The function and its attrs; @handle, if it has one, is no part of it. */
static FlowAttr *
split_func (const char    *name,
            FlowAttrList  *attrs,
            char         **handle)
{
  FlowAttr *found = attrs != NULL ? flow_attr_list_get (attrs, FLOW_STATE_HANDLE_ATTR) : NULL;
  FlowAttrList *others = NULL;

  *handle = NULL;
  if (found == NULL)
    return flow_attr_new_func (name, attrs != NULL ? flow_attr_list_ref (attrs) : NULL);
  *handle = g_strdup (flow_attr_get_string (found, NULL));
  for (guint i = 0; i < flow_attr_list_get_length (attrs); i++)
    if (flow_attr_list_get_value (attrs, i) != found)
      {
        if (others == NULL)
          others = flow_attr_list_new ();
        flow_attr_list_set (others, flow_attr_list_get_name (attrs, i), flow_attr_list_get_value (attrs, i));
      }
  return flow_attr_new_func (name, others);
}

/* TF: datasets do not call such functions. */
static void
pass_on (const FlowCallee   *callee,
         FlowTensor *const  *inputs,
         FlowTensor        **outputs)
{
  for (guint i = 0; i < callee->body->n_rets; i++)
    {
      guint32 arg = 0;

      find_passed (callee->body, i, &arg);
      outputs[i] = flow_tensor_ref (inputs[arg]);
    }
}

/* FlowKernelHost.call_function: inside one op's execution, so not stepped into. */
gboolean
_flow_run_call_function (gpointer            data,
                         const char         *name,
                         FlowAttrList       *attrs,
                         FlowCallPlace       place,
                         FlowTensor *const  *inputs,
                         guint               n_inputs,
                         FlowTensor        **outputs,
                         guint               n_outputs,
                         GError            **error)
{
  FlowRun *caller = data;
  g_autofree char *handle = NULL;
  g_autoptr (FlowAttr) func = split_func (name, attrs, &handle);
  FlowCallee *callee = _flow_session_get_callee (caller->session, func,
                                                 place == FLOW_CALL_ON_DEVICES ? FLOW_CALLEE_AS_WRITTEN : 0, error);
  g_autoptr (FlowRun) run = NULL;

  if (callee == NULL)
    return FALSE;
  FLOW_REQUIRE (n_outputs == callee->body->n_rets, error, INVALID_ARGUMENT, "Function %s returns %u values, not %u", name,
                callee->body->n_rets, n_outputs);
  run = _flow_run_new_call (caller, callee, inputs, n_inputs, FALSE, TRUE, error);
  if (run == NULL)
    return FALSE;
  run->is_of_kernel = TRUE;
  run->is_on_devices = place != FLOW_CALL_ON_ONE_DEVICE;
  if (handle != NULL)
    {
      _flow_session_begin_state (caller->session, handle);
      g_free (run->state_handle);
      run->state_handle = g_steal_pointer (&handle);
    }
  if (place != FLOW_CALL_ON_ONE_DEVICE && callee->only_passes_on)
    {
      pass_on (callee, inputs, outputs);
      return TRUE;
    }
  if (callee->plan != NULL)
    _flow_run_start (run);
  return run_whole (run, error) && _flow_run_get_returned (run, outputs, error);
}
