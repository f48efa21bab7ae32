/* flow-run-execute.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-session-private.h"

#include <string.h>

#include "flow-denormals.h"

/* One op: its inputs made plain, shapes inferred, the kernel called, the outputs checked. */

typedef struct {
  FlowRun *run;
  const FlowPlanItem *item;
  FlowNodeKernel *kernel;
  const char *name;
  FlowValue *entries;          /* of the iteration, from this item's first input */
} Execution;

/* TF: reading a reference variable gives its buffer, not a copy: who reads it after the variable was
 * written in place sees what was written. Moving averages are kept so (they read a variable behind
 * its update). A value that was read from a variable stands here with the variable beside it: an op
 * that comes after a write by an edge of the graph sees the new value, all others the one that was
 * read, whatever the order. */
static gboolean
is_reference (const FlowValue *value)
{
  return value->ref != NULL && value->tensor == NULL;
}

/**
 * flow_value_dup_current: (skip)
 * @value: a value
 *
 * Returns: (transfer full) (nullable): the tensor that it is now
 */
FlowTensor *
flow_value_dup_current (const FlowValue *value)
{
  FlowTensor *now = value->ref != NULL ? value->ref->value : NULL;
  FlowTensor *shaped = NULL;

  if (value->ref == NULL || value->tensor == NULL)
    return value->tensor != NULL ? flow_tensor_ref (value->tensor) : now != NULL ? flow_tensor_ref (now) : NULL;
  if (now == NULL || value->ref->buffer != value->buffer || now->dtype != value->tensor->dtype
      || now->n_elements != value->tensor->n_elements)
    return flow_tensor_ref (value->tensor);
  if (flow_shape_equal (now->shape, value->tensor->shape))
    return flow_tensor_ref (now);
  /* Reshape and its like share the buffer as well. */
  shaped = flow_tensor_reshape (now, value->tensor->shape, NULL);
  return shaped != NULL ? shaped : flow_tensor_ref (value->tensor);
}

/* Borrowed; what had to be made for it is put into the entry itself. */
static FlowTensor *
tensor_of (Execution *x,
           FlowValue *value)
{
  FlowTensor *now = NULL;

  if (is_reference (value))
    return value->ref->value;
  if (value->ref == NULL || !x->item->after_write)
    return value->tensor;
  now = flow_value_dup_current (value);
  if (now != value->tensor)
    _flow_set_value (_flow_run_get_undo (x->run), value,
                     (FlowValue) { flow_tensor_ref (now), flow_resource_ref (value->ref), value->buffer });
  flow_tensor_unref (now);
  return value->tensor;
}

static const char *
source_name (Execution *x,
             guint      input)
{
  FlowEndpoint source = { 0 };

  flow_graph_get_input (x->run->graph, x->item->node, input, &source);
  return flow_graph_get_node_name (x->run->graph, source.node);
}

/* What the op saw, behind TensorFlow's own text. */
static void
append_inputs (Execution *x,
               GString   *text)
{
  for (guint i = 0; i < x->item->n_inputs; i++)
    {
      FlowValue *value = &x->entries[i];
      const FlowTensor *tensor = is_reference (value) ? value->ref->value : value->tensor;
      g_autofree char *input = NULL;
      g_autofree char *shape = NULL;
      FlowEndpoint source = { 0 };

      if (value->ref == NULL && value->tensor == NULL)
        continue;
      flow_graph_get_input (x->run->graph, x->item->node, i, &source);
      input = flow_graph_endpoint_to_string (x->run->graph, source.node, source.slot);
      shape = tensor != NULL ? flow_shape_to_string (tensor->shape) : g_strdup ("uninitialized");
      g_string_append_printf (text, "\n\t input %u: %s %s %s", i, input,
                              flow_dtype_name (tensor != NULL ? tensor->dtype : value->ref->dtype), shape);
    }
}

/* TF: nodes of a function go by their names there. */
static const char *
local_name (FlowRun    *run,
            const char *name)
{
  return run->callee != NULL ? name + run->callee->body->name_offset : name;
}

const char *
_flow_run_local_name (FlowRun *run,
                      guint32  node)
{
  return local_name (run, flow_graph_get_node_name (run->graph, node));
}

char *
_flow_run_state_name (FlowRun *run,
                      guint32  node)
{
  const char *name = _flow_run_local_name (run, node);

  return run->callee != NULL ? g_strconcat (run->callee->state_prefix, name, NULL) : g_strdup (name);
}

/* What the state of a node goes by. */
static char *
own_name (const Execution *x)
{
  if (x->kernel->state_name == NULL)
    return g_strdup (x->name);
  return x->run->state_handle != NULL ? g_strconcat (x->run->state_handle, "/", x->kernel->state_name, NULL)
                                      : g_strdup (x->kernel->state_name);
}

/* What TF calls the tensor that comes in first: an argument where it is fed. */
static char *
describe_first_input (Execution *x)
{
  const FlowPlanInput *input = &x->run->plan->inputs[x->item->first_input];
  const char *name = local_name (x->run, source_name (x, 0));
  FlowEndpoint source = { 0 };

  flow_graph_get_input (x->run->graph, x->item->node, 0, &source);
  if (input->feed >= 0)
    return g_strdup_printf ("_arg_%s_%d_%d", name, source.slot, input->feed);
  return source.slot == 0 ? g_strdup (name) : g_strdup_printf ("%s:%d", name, source.slot);
}

/* TF: EnsureShape names what comes into it, which a kernel does not know: it has put its own name there. */
static void
name_ensured (Execution *x,
              GString   *text)
{
  g_autofree char *own = NULL;
  g_autofree char *begin = NULL;
  g_autofree char *input = NULL;

  if (strcmp (flow_graph_get_node_type (x->run->graph, x->item->node), "EnsureShape") != 0 || x->kernel == NULL)
    return;
  own = own_name (x);
  begin = g_strdup_printf ("Shape of tensor %s ", own);
  if (!g_str_has_prefix (text->str, begin))
    return;
  input = describe_first_input (x);
  g_string_erase (text, (gssize) strlen ("Shape of tensor "), (gssize) strlen (own));
  g_string_insert (text, (gssize) strlen ("Shape of tensor "), input);
}

/* TF: the node in double brackets after the message; only the name where a node was named already. */
static void
compose_error (Execution *x,
               GError   **error)
{
  GString *text = NULL;
  GError *composed = NULL;
  int code = 0;

  if (error == NULL || *error == NULL)
    return;
  code = (*error)->domain == FLOW_ERROR ? (*error)->code : FLOW_ERROR_INTERNAL;
  if (g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    code = FLOW_ERROR_CANCELLED;
  text = g_string_new ((*error)->message);
  name_ensured (x, text);
  if (strstr (text->str, "{{node ") != NULL)
    g_string_append_printf (text, "\n\t [[%s]]", local_name (x->run, x->name));
  else
    g_string_append_printf (text, "\n\t [[{{node %s}}]]", local_name (x->run, x->name));
  append_inputs (x, text);
  composed = g_error_new_literal (FLOW_ERROR, code, text->str);
  g_string_free (text, TRUE);
  flow_error_set_node (composed, x->name, flow_graph_get_node_type (x->run->graph, x->item->node));
  g_error_free (*error);
  *error = composed;
}

static const char *
ordinal (guint i)
{
  return i % 100 / 10 != 1 && i % 10 == 1 ? "st" : i % 100 / 10 != 1 && i % 10 == 2 ? "nd"
         : i % 100 / 10 != 1 && i % 10 == 3 ? "rd" : "th";
}

/* A reference read by a plain input is its value; one that has none stops all but a few ops. */
static gboolean
prepare_inputs (Execution *x,
                GError   **error)
{
  gboolean may_be_empty = (x->item->flags & FLOW_OP_ALLOWS_UNINITIALIZED) != 0;

  for (guint i = 0; i < x->item->n_inputs; i++)
    {
      FlowValue *value = &x->entries[i];
      FlowValue *input = &x->run->inputs[i];
      gboolean wants_ref = x->kernel->input_is_ref[i];

      *input = (FlowValue) { NULL, NULL, 0 };
      x->run->forwardable[i] = 0;
      if (x->run->plan->inputs[x->item->first_input + i].feed == FLOW_PRUNE_UNREAD)
        input->tensor = _flow_unread (flow_graph_get_input_dtype (x->run->graph, x->item->node, i));
      if (value->ref == NULL && value->tensor == NULL)
        continue;
      if (wants_ref && !is_reference (value))
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%u-%s input expects a ref type", i,
                       ordinal (i));
          return FALSE;
        }
      if (is_reference (value) && value->ref->value == NULL && !may_be_empty)
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION,
                       "Attempting to use uninitialized value %s", local_name (x->run, source_name (x, i)));
          return FALSE;
        }
      if (wants_ref)
        input->ref = value->ref;
      else if (value->ref != NULL)
        input->tensor = tensor_of (x, value);
      else
        {
          input->tensor = value->tensor;
          /* What the undo log may bring back is never written over. */
          x->run->forwardable[i] = _flow_run_get_undo (x->run) == NULL
                                   && flow_tensor_is_exclusive (value->tensor);
        }
    }
  return TRUE;
}

static void
keep_shapes (FlowNodeKernel *kernel,
             FlowShape     **inputs)
{
  for (guint i = 0; i < kernel->n_inputs; i++)
    {
      g_clear_pointer (&kernel->seen_shapes[i], flow_shape_unref);
      kernel->seen_shapes[i] = inputs[i] != NULL ? flow_shape_ref (inputs[i]) : NULL;
    }
  kernel->has_shapes = TRUE;
}

static gboolean
saw_shapes (FlowNodeKernel *kernel,
            FlowShape     **inputs)
{
  if (!kernel->has_shapes || kernel->shapes_depend_on_values)
    return FALSE;
  for (guint i = 0; i < kernel->n_inputs; i++)
    if (kernel->seen_shapes[i] != inputs[i]
        && (kernel->seen_shapes[i] == NULL || inputs[i] == NULL
            || !flow_shape_equal (kernel->seen_shapes[i], inputs[i])))
      return FALSE;
  return TRUE;
}

static void
fill_handle (const FlowTensor *tensor,
             FlowHandleData   *handle)
{
  const FlowHandle *h = NULL;

  if (tensor == NULL || tensor->dtype != FLOW_DTYPE_RESOURCE || tensor->n_elements != 1)
    return;
  h = FLOW_DATA (FlowHandle *, tensor)[0];
  if (h == NULL)
    return;
  handle->dtype = h->dtype;
  handle->shape = h->shape;
}

static void
clear_shapes (FlowShape **shapes,
              guint       n)
{
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&shapes[i], flow_shape_unref);
}

/* Runs the shape function, unless the same shapes gave an answer that still holds. */
static gboolean
infer (Execution *x,
       GError   **error)
{
  FlowNodeKernel *kernel = x->kernel;
  guint n = kernel->n_inputs;
  g_autoptr(FlowShape) unknown = NULL;
  g_autofree FlowShape **shapes = g_new0 (FlowShape *, n + 1);
  g_autofree FlowTensor **values = g_new0 (FlowTensor *, n + 1);
  g_autofree FlowHandleData *handles = g_new0 (FlowHandleData, n + 1);
  g_autofree FlowHandleData *output_handles = g_new0 (FlowHandleData, kernel->n_outputs + 1);
  gboolean has_handles = FALSE;
  gboolean ok = FALSE;
  FlowInferContext c = {
    .node_name = local_name (x->run, x->name),
    .signature = kernel->signature,
    .attrs = kernel->attrs,
    .n_inputs = n,
    .input_shapes = shapes,
    .input_handles = handles,
    .n_outputs = kernel->n_outputs,
    .output_shapes = kernel->inferred,
    .output_handles = output_handles,
    .running = TRUE,
  };

  if (kernel->signature->op == NULL || kernel->signature->op->infer == NULL)
    return TRUE;
  for (guint i = 0; i < n; i++)
    {
      const FlowValue *value = &x->entries[i];

      values[i] = is_reference (value) ? value->ref->value : value->tensor;
      shapes[i] = values[i] != NULL ? values[i]->shape : value->ref != NULL ? value->ref->shape : NULL;
      if (shapes[i] == NULL)
        shapes[i] = unknown != NULL ? unknown : (unknown = flow_shape_new_unknown ());
      fill_handle (values[i], &handles[i]);
      has_handles = has_handles || handles[i].shape != NULL;
    }
  if (!has_handles && saw_shapes (kernel, shapes))
    return TRUE;
  clear_shapes (kernel->inferred, kernel->n_outputs);
  if (!kernel->was_probed)
    {
      /* As while a graph is imported: without values, to learn whether it asks for any. */
      c.running = FALSE;
      kernel->signature->op->infer (&c, NULL);
      c.running = TRUE;
      kernel->was_probed = TRUE;
      kernel->shapes_depend_on_values = c.needs_values;
      clear_shapes (kernel->inferred, kernel->n_outputs);
      for (guint i = 0; i < kernel->n_outputs; i++)
        g_clear_pointer (&output_handles[i].shape, flow_shape_unref);
    }
  c.input_values = values;
  ok = kernel->signature->op->infer (&c, error);
  for (guint i = 0; i < kernel->n_outputs; i++)
    g_clear_pointer (&output_handles[i].shape, flow_shape_unref);
  kernel->has_shapes = FALSE;
  if (ok && !kernel->shapes_depend_on_values && !has_handles)
    keep_shapes (kernel, shapes);
  return ok;
}

static gboolean
check_outputs (Execution *x,
               GError   **error)
{
  gboolean may_lack = (x->item->flags & FLOW_OP_SWITCH) != 0 || _flow_run_passes_dead (x->run, x->item);

  for (guint i = 0; i < x->item->n_outputs; i++)
    {
      const FlowValue *value = &x->run->outputs[i];
      int dtype = 0;

      if (value->tensor == NULL && value->ref == NULL)
        {
          if (may_lack)
            continue;
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "Missing %u-%s output from {{node %s}}", i,
                       ordinal (i), x->name);
          return FALSE;
        }
      dtype = is_reference (value) ? (int) value->ref->dtype : (int) value->tensor->dtype;
      if (dtype != x->kernel->output_dtypes[i])
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL,
                       "Output %u of type %s does not match declared output type %s for node {{node %s}}", i,
                       flow_dtype_string (dtype), flow_dtype_string (x->kernel->output_dtypes[i]), x->name);
          return FALSE;
        }
    }
  return TRUE;
}

/* What stands where nothing reads a value that its op must have none the less: of any dtype, without elements. It lives
 * as long as the process. */
FlowTensor *
_flow_unread (int dtype)
{
  static gpointer made[FLOW_N_DTYPES];
  gpointer *place = &made[flow_dtype_base (dtype)];

  if (g_once_init_enter (place))
    {
      g_autoptr (FlowShape) none = flow_shape_new_vector (0);

      g_once_init_leave (place, flow_tensor_new (flow_dtype_base (dtype), none, NULL, NULL));
    }
  return *place;
}

/* What nothing reads has no value to show. */
static void
clear_unread (Execution *x)
{
  for (guint i = 0; x->item->reading != NULL && i < x->item->n_outputs; i++)
    if (!x->item->reading->rets[i])
      flow_value_clear (&x->run->outputs[i]);
}

static void
clear_outputs (FlowRun *run,
               guint    n)
{
  for (guint i = 0; i < n; i++)
    flow_value_clear (&run->outputs[i]);
}

static void
park (Execution         *x,
      FlowIteration     *iteration,
      FlowKernelContext *c)
{
  FlowParked parked = {
    .iteration = iteration,
    .local = x->item->local,
    .resource = g_steal_pointer (&c->waiting_for),
    .text = g_steal_pointer (&c->waiting_text),
  };

  parked.version = parked.resource->version;
  for (guint i = 0; i < x->run->parked->len; i++)
    if (g_array_index (x->run->parked, FlowParked, i).iteration == iteration
        && g_array_index (x->run->parked, FlowParked, i).local == parked.local)
      {
        g_array_remove_index (x->run->parked, i);
        break;
      }
  g_array_append_val (x->run->parked, parked);
}

static gboolean
is_unread (Execution *x)
{
  const FlowPlanOut *outs = x->run->plan->outs + x->item->first_out;

  for (guint32 i = 0; i < x->item->n_outs; i++)
    if (outs[i].slot >= 0)
      return FALSE;
  return TRUE;
}

static gboolean
compute (Execution      *x,
         FlowIteration  *iteration,
         FlowKernelTurn *turn,
         gboolean       *waits,
         GError        **error)
{
  FlowRun *run = x->run;
  g_autofree char *scoped = run->state_handle != NULL ? own_name (x) : NULL;
  guint mode = 0;
  gboolean ok = FALSE;
  FlowKernelContext c = {
    .node_name = scoped != NULL ? scoped : x->kernel->state_name != NULL ? x->kernel->state_name : x->name,
    .local_name = local_name (run, x->name),
    .signature = x->kernel->signature,
    .attrs = x->kernel->attrs,
    .kernel_data = x->kernel->data,
    .n_inputs = x->item->n_inputs,
    .inputs = run->inputs,
    .input_forwardable = run->forwardable,
    .n_outputs = x->item->n_outputs,
    .outputs = run->outputs,
    .output_dtypes = x->kernel->output_dtypes,
    .output_shapes = x->kernel->inferred,
    .budget = flow_session_get_budget (run->session),
    .cancellable = run->top->cancellable,
    .host = &_flow_session_host,
    .host_data = run,
    .turn = turn,
    .by_reciprocal = x->item->by_constant && _flow_session_multiplies (run->session),
    .is_unread = is_unread (x),
    .producer = flow_graph_get_producer (flow_session_get_graph (run->session)),
  };

  /* As in TensorFlow, kernels take numbers too small for full precision for zeros. */
  mode = flow_denormals_flush ();
  ok = x->kernel->kernel->compute (&c, error);
  flow_denormals_set_mode (mode);
  if (ok && c.waiting_for != NULL)
    {
      *waits = TRUE;
      park (x, iteration, &c);
    }
  g_clear_pointer (&c.waiting_for, flow_resource_unref);
  g_free (c.waiting_text);
  return ok;
}

/* An output that is an input's very tensor was read from a variable if the input was. */
static void
mark_reads (Execution *x)
{
  for (guint i = 0; i < x->item->n_outputs; i++)
    {
      FlowValue *output = &x->run->outputs[i];

      for (guint j = 0; output->tensor != NULL && output->ref == NULL && j < x->item->n_inputs; j++)
        {
          const FlowValue *input = &x->entries[j];

          /* The same memory, also under another shape. */
          if (input->ref == NULL || x->run->inputs[j].tensor == NULL || output->tensor->n_bytes == 0
              || x->run->inputs[j].tensor->data != output->tensor->data)
            continue;
          output->ref = flow_resource_ref (input->ref);
          output->buffer = is_reference (input) ? input->ref->buffer : input->buffer;
        }
    }
}

/* Overrides stand in for what the op made. */
static void
apply_overrides (Execution *x)
{
  for (guint i = 0; i < x->item->n_outputs; i++)
    {
      FlowTensor *tensor = flow_run_get_override (x->run->top, x->run->base + x->item->node, (gint32) i);

      if (tensor == NULL || (x->run->outputs[i].tensor == NULL && x->run->outputs[i].ref == NULL))
        continue;
      flow_value_clear (&x->run->outputs[i]);
      x->run->outputs[i].tensor = flow_tensor_ref (tensor);
    }
}

static gboolean
may_override (const FlowRun *run)
{
  return run->top->overrides != NULL && (!run->is_transient || run->base != 0);
}

/* Whether somebody has said what each output of the op is. */
gboolean
_flow_run_is_overridden (FlowRun            *run,
                         const FlowPlanItem *item)
{
  const guint never = FLOW_OP_SWITCH | FLOW_OP_MERGE | FLOW_OP_ENTER | FLOW_OP_EXIT | FLOW_OP_NEXT_ITERATION;

  if (!may_override (run) || item->n_outputs == 0 || (item->flags & never) != 0)
    return FALSE;
  for (guint i = 0; i < item->n_outputs; i++)
    if (flow_run_get_override (run->top, run->base + item->node, (gint32) i) == NULL)
      return FALSE;
  return TRUE;
}

/* An op that cannot be computed here (of a type that nobody has, or a function of a script that is not running) is none
 * the less done when it is overridden. */
static gboolean
overrides_stand_in (Execution *x)
{
  if (!_flow_run_is_overridden (x->run, x->item))
    return FALSE;
  for (guint i = 0; i < x->item->n_outputs; i++)
    {
      flow_value_clear (&x->run->outputs[i]);
      x->run->outputs[i].tensor = flow_tensor_ref (flow_run_get_override (x->run->top, x->run->base + x->item->node, (gint32) i));
    }
  return TRUE;
}

void
_flow_run_explain_error (FlowRun             *run,
                         FlowIteration       *iteration,
                         const FlowPlanItem  *item,
                         GError             **error)
{
  Execution x = { .run = run, .item = item };

  x.name = flow_graph_get_node_name (run->graph, item->node);
  x.entries = &iteration->entries[item->entry];
  compose_error (&x, error);
}

/* Computes @item into run->outputs. With *@waits nothing happened: the op is parked. */
gboolean
_flow_run_execute (FlowRun            *run,
                   FlowIteration      *iteration,
                   const FlowPlanItem *item,
                   FlowKernelTurn     *turn,
                   gboolean           *waits,
                   GError            **error)
{
  Execution x = { .run = run, .item = item };
  gboolean ok = FALSE;

  *waits = FALSE;
  x.name = flow_graph_get_node_name (run->graph, item->node);
  x.entries = &iteration->entries[item->entry];
  x.kernel = _flow_node_kernels_get (run->kernels, run->graph, item->node, error);
  if (x.kernel == NULL)
    {
      if (!overrides_stand_in (&x))
        return FALSE;
      g_clear_error (error);
      return TRUE;
    }
  if (run->callee != NULL && x.kernel->state_name == NULL)
    x.kernel->state_name = _flow_run_state_name (run, item->node);
  ok = prepare_inputs (&x, error);
  if (ok && run->recall != NULL && (run->recalls_all || (item->flags & FLOW_OP_OUTSIDE_EFFECT) != 0)
      && run->recall (run, run->base + item->node, item->n_outputs, run->outputs, run->recall_data))
    {
      if (may_override (run))
        apply_overrides (&x);
      return TRUE;
    }
  ok = ok && ((item->flags & FLOW_OP_MERGE) != 0 || infer (&x, error));
  ok = ok && compute (&x, iteration, turn, waits, error);
  ok = ok && (*waits || (turn != NULL && turn->func != NULL) || check_outputs (&x, error));
  if (!ok || *waits)
    clear_outputs (run, item->n_outputs);
  if (!ok && overrides_stand_in (&x))
    {
      g_clear_error (error);
      return TRUE;
    }
  if (!ok)
    compose_error (&x, error);
  else if (!*waits)
    {
      mark_reads (&x);
      clear_unread (&x);
      if (may_override (run))
        apply_overrides (&x);
    }
  return ok;
}
