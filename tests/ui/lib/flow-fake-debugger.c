/* flow-fake-debugger.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-fake-debugger.h"

#include <math.h>
#include <string.h>

struct _FlowFakeDebugger
{
  GObject parent_instance;

  FlowGraph *graph;
  GArray *order;              /* guint32: the plan of the chosen run */
  GPtrArray *breakpoints;     /* char *, NULL where one was deleted */
  GHashTable *calls;          /* method -> how often */
  char *run;
  gboolean is_script;
  char *failing_node;
  char *failing_message;
  char *ended;
  guint64 position;
  guint64 n_events;
  FlowDebugStatus status;
  FlowStopReason reason;
};

static const char fake_graph[] =
  "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } "
  "  attr { key: 'shape' value { shape { dim { size: 32 } dim { size: 8 } } } } }"
  "node { name: 'layer/w' op: 'VariableV2' attr { key: 'dtype' value { type: DT_FLOAT } } "
  "  attr { key: 'shape' value { shape { dim { size: 8 } dim { size: 4 } } } } "
  "  attr { key: 'container' value { s: '' } } attr { key: 'shared_name' value { s: '' } } }"
  "node { name: 'layer/w/read' op: 'Identity' input: 'layer/w' "
  "  attr { key: 'T' value { type: DT_FLOAT } } }"
  "node { name: 'layer/MatMul' op: 'MatMul' input: 'x' input: 'layer/w/read' "
  "  attr { key: 'T' value { type: DT_FLOAT } } "
  "  attr { key: 'transpose_a' value { b: false } } attr { key: 'transpose_b' value { b: false } } }"
  "node { name: 'layer/act/Relu' op: 'Relu' input: 'layer/MatMul' "
  "  attr { key: 'T' value { type: DT_FLOAT } } }"
  "node { name: 'loss/Square' op: 'Square' input: 'layer/act/Relu' "
  "  attr { key: 'T' value { type: DT_FLOAT } } }"
  "node { name: 'loss/axis' op: 'Const' attr { key: 'dtype' value { type: DT_INT32 } } "
  "  attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } "
  "  int_val: 0 int_val: 1 } } } }"
  "node { name: 'loss/mean' op: 'Mean' input: 'loss/Square' input: 'loss/axis' "
  "  attr { key: 'T' value { type: DT_FLOAT } } attr { key: 'Tidx' value { type: DT_INT32 } } "
  "  attr { key: 'keep_dims' value { b: false } } }"
  "node { name: 'unused/Neg' op: 'Neg' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } }"
  "node { name: 'train_op' op: 'NoOp' input: '^loss/mean' }";

static void debugger_iface_init (FlowDebuggerInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FlowFakeDebugger, flow_fake_debugger, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FLOW_TYPE_DEBUGGER, debugger_iface_init))

/* --- The plan --- */

static void
visit (FlowFakeDebugger *self,
       GHashTable       *seen,
       guint32           node)
{
  guint n_data = 0;
  guint n_control = 0;
  const FlowEndpoint *inputs = flow_graph_peek_inputs (self->graph, node, &n_data, &n_control);

  if (!g_hash_table_add (seen, GUINT_TO_POINTER (node + 1)))
    return;
  if (g_strcmp0 (flow_graph_get_node_type (self->graph, node), "Placeholder") == 0)
    return;
  for (guint i = 0; i < n_data + n_control; i++)
    visit (self, seen, inputs[i].node);
  g_array_append_val (self->order, node);
}

static guint32
find_target (FlowFakeDebugger *self)
{
  static const char *const names[] = { "train_op", "GradientDescent", "Adam" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      guint32 node = flow_graph_find_node (self->graph, names[i]);

      if (node != FLOW_NODE_NONE)
        return node;
    }
  return flow_graph_get_n_nodes (self->graph) - 1;
}

static void
plan (FlowFakeDebugger *self)
{
  g_autoptr(GHashTable) seen = g_hash_table_new (NULL, NULL);

  g_array_set_size (self->order, 0);
  visit (self, seen, find_target (self));
}

static guint32
next_node (FlowFakeDebugger *self)
{
  if (self->run == NULL || self->status == FLOW_DEBUG_IDLE || self->position >= self->order->len)
    return FLOW_NODE_NONE;
  return g_array_index (self->order, guint32, self->position);
}

static guint8
node_state (FlowFakeDebugger *self,
            guint32           node)
{
  if (self->run == NULL)
    return FLOW_NODE_PENDING;
  if (g_strcmp0 (flow_graph_get_node_type (self->graph, node), "Placeholder") == 0)
    return FLOW_NODE_FED;
  for (guint i = 0; i < self->order->len; i++)
    {
      if (g_array_index (self->order, guint32, i) != node)
        continue;
      if (self->status == FLOW_DEBUG_IDLE || i > self->position + 1)
        return FLOW_NODE_PENDING;
      if (i < self->position)
        return FLOW_NODE_DONE;
      if (i == self->position)
        return self->status == FLOW_DEBUG_FAILED ? FLOW_NODE_FAILED : FLOW_NODE_NEXT;
      return FLOW_NODE_READY;
    }
  return FLOW_NODE_NOT_IN_RUN;
}

/* --- Values --- */

static FlowTensor *
make_value (FlowFakeDebugger *self,
            guint32           node,
            int               slot)
{
  FlowShape *inferred = flow_graph_get_output_shape (self->graph, node, slot);
  gint64 dims[8] = { 0 };
  int rank = CLAMP (flow_shape_get_rank (inferred), 0, 8);
  g_autoptr(FlowShape) shape = NULL;
  FlowTensor *tensor = NULL;
  float *data = NULL;

  for (int i = 0; i < rank; i++)
    dims[i] = flow_shape_get_dim (inferred, i) >= 0 ? flow_shape_get_dim (inferred, i) : 32;
  shape = flow_shape_new (rank, dims);
  tensor = flow_tensor_new (FLOW_DTYPE_FLOAT, shape, NULL, NULL);
  data = flow_tensor_get_writable (tensor);
  for (gint64 i = 0; i < flow_tensor_get_n_elements (tensor); i++)
    {
      gint64 across = rank > 0 ? MAX (1, dims[rank - 1]) : 1;

      data[i] = sinf ((float) (i % across) * 0.35f + (float) node) * cosf ((float) (i / across) * 0.3f)
                + 0.1f * (float) self->position / (1 + self->order->len);
    }
  return tensor;
}

static void
add_stats (GVariantBuilder  *builder,
           const FlowTensor *tensor)
{
  g_autoptr(FlowTensorStats) stats = flow_tensor_stats_new (tensor, 0);
  GVariantBuilder shape;

  g_variant_builder_init (&shape, G_VARIANT_TYPE ("ax"));
  for (int i = 0; i < flow_tensor_get_rank (tensor); i++)
    g_variant_builder_add (&shape, "x", flow_tensor_get_dim (tensor, i));
  g_variant_builder_add (builder, "{sv}", "dtype", g_variant_new_string ("float32"));
  g_variant_builder_add (builder, "{sv}", "shape", g_variant_builder_end (&shape));
  g_variant_builder_add (builder, "{sv}", "min", g_variant_new_double (stats->min));
  g_variant_builder_add (builder, "{sv}", "max", g_variant_new_double (stats->max));
  g_variant_builder_add (builder, "{sv}", "mean", g_variant_new_double (stats->mean));
  g_variant_builder_add (builder, "{sv}", "std", g_variant_new_double (stats->std));
}

static gboolean
has_value (FlowFakeDebugger *self,
           guint32           node)
{
  guint8 state = node_state (self, node);

  return state == FLOW_NODE_DONE || state == FLOW_NODE_FED;
}

/* Returns: (floating): a{sv} */
static GVariant *
describe (FlowFakeDebugger *self,
          guint32           node,
          int               slot,
          FlowTensor      **value)
{
  g_autofree char *name = flow_graph_endpoint_to_string (self->graph, node, slot);
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&builder, "{sv}", "tensor", g_variant_new_string (name));
  g_variant_builder_add (&builder, "{sv}", "state",
                         g_variant_new_string (has_value (self, node) ? "value" : "not computed"));
  if (has_value (self, node))
    {
      g_autoptr(FlowTensor) tensor = make_value (self, node, MAX (slot, 0));

      add_stats (&builder, tensor);
      if (value != NULL)
        *value = g_steal_pointer (&tensor);
    }
  return g_variant_builder_end (&builder);
}

static GVariant *
inspect (FlowFakeDebugger *self,
         guint32           node)
{
  GVariantBuilder builder;
  GVariantBuilder inputs;
  GVariantBuilder outputs;

  g_variant_builder_init (&inputs, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < flow_graph_get_n_inputs (self->graph, node); i++)
    {
      FlowEndpoint source;

      flow_graph_get_input (self->graph, node, i, &source);
      g_variant_builder_add_value (&inputs, describe (self, source.node, source.slot, NULL));
    }
  g_variant_builder_init (&outputs, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < flow_graph_get_n_outputs (self->graph, node); i++)
    g_variant_builder_add_value (&outputs, describe (self, node, (int) i, NULL));
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&builder, "{sv}", "inputs", g_variant_builder_end (&inputs));
  g_variant_builder_add (&builder, "{sv}", "outputs", g_variant_builder_end (&outputs));
  return g_variant_new ("(@a{sv})", g_variant_builder_end (&builder));
}

static GVariant *
variables (FlowFakeDebugger *self)
{
  GVariantBuilder rows;

  g_variant_builder_init (&rows, G_VARIANT_TYPE ("aa{sv}"));
  for (guint32 i = 0; i < flow_graph_get_n_nodes (self->graph); i++)
    {
      const char *type = flow_graph_get_node_type (self->graph, i);
      const char *name = flow_graph_get_node_name (self->graph, i);
      const char *const collections[] = { "variables", "trainable_variables", NULL };
      g_autoptr(FlowTensor) tensor = NULL;

      if (g_strcmp0 (type, "VariableV2") != 0)
        continue;
      tensor = make_value (self, i, 0);
      g_variant_builder_open (&rows, G_VARIANT_TYPE ("a{sv}"));
      g_variant_builder_add (&rows, "{sv}", "name", g_variant_new_string (name));
      g_variant_builder_add (&rows, "{sv}", "node", g_variant_new_uint32 (i));
      g_variant_builder_add (&rows, "{sv}", "initialized", g_variant_new_boolean (TRUE));
      g_variant_builder_add (&rows, "{sv}", "changed",
                             g_variant_new_boolean (self->position > 0));
      g_variant_builder_add (&rows, "{sv}", "max_abs_change",
                             g_variant_new_double (0.001 * (double) self->position));
      if (self->position > 0)
        {
          GVariantBuilder start;

          g_variant_builder_init (&start, G_VARIANT_TYPE ("a{sv}"));
          add_stats (&start, tensor);
          g_variant_builder_add (&rows, "{sv}", "run_start", g_variant_builder_end (&start));
        }
      g_variant_builder_add (&rows, "{sv}", "writer", g_variant_new_string ("train_op"));
      g_variant_builder_add (&rows, "{sv}", "collections", g_variant_new_strv (collections, -1));
      add_stats (&rows, tensor);
      g_variant_builder_close (&rows);
    }
  return g_variant_new ("(@aa{sv})", g_variant_builder_end (&rows));
}

/* --- Runs, breakpoints, events --- */

static GVariant *
list_runs (FlowFakeDebugger *self)
{
  const char *target = flow_graph_get_node_name (self->graph, find_target (self));
  const char *const targets[] = { target, NULL };
  GVariantBuilder rows;

  g_variant_builder_init (&rows, G_VARIANT_TYPE ("aa{sv}"));
  g_variant_builder_open (&rows, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&rows, "{sv}", "name", g_variant_new_string ("train"));
  g_variant_builder_add (&rows, "{sv}", "source", g_variant_new_string ("file"));
  g_variant_builder_add (&rows, "{sv}", "targets", g_variant_new_strv (targets, -1));
  g_variant_builder_add (&rows, "{sv}", "repeat", g_variant_new_uint32 (1));
  g_variant_builder_close (&rows);
  return g_variant_new ("(@aa{sv})", g_variant_builder_end (&rows));
}

static GVariant *
describe_plan (FlowFakeDebugger *self)
{
  const char *const skipped[] = { "unused/Neg", NULL };
  GVariantBuilder dict;
  GVariant *nodes = g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, self->order->data,
                                               self->order->len, sizeof (guint32));

  g_variant_builder_init (&dict, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&dict, "{sv}", "nodes", nodes);
  g_variant_builder_add (&dict, "{sv}", "position", g_variant_new_uint64 (self->position));
  g_variant_builder_add (&dict, "{sv}", "begun", g_variant_new_boolean (self->status != FLOW_DEBUG_IDLE));
  if (flow_graph_find_node (self->graph, "unused/Neg") != FLOW_NODE_NONE)
    g_variant_builder_add (&dict, "{sv}", "update_ops_skipped", g_variant_new_strv (skipped, -1));
  return g_variant_new ("(@a{sv})", g_variant_builder_end (&dict));
}

static GVariant *
list_breakpoints (FlowFakeDebugger *self)
{
  GVariantBuilder rows;

  g_variant_builder_init (&rows, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < self->breakpoints->len; i++)
    {
      const char *text = g_ptr_array_index (self->breakpoints, i);

      if (text == NULL)
        continue;
      g_variant_builder_open (&rows, G_VARIANT_TYPE ("a{sv}"));
      g_variant_builder_add (&rows, "{sv}", "id", g_variant_new_uint32 (i));
      g_variant_builder_add (&rows, "{sv}", "text", g_variant_new_string (text));
      g_variant_builder_add (&rows, "{sv}", "enabled", g_variant_new_boolean (TRUE));
      if (g_str_has_prefix (text, "node:"))
        g_variant_builder_add (&rows, "{sv}", "node", g_variant_new_uint32 (
                                 flow_graph_find_node (self->graph, text + strlen ("node:"))));
      g_variant_builder_close (&rows);
    }
  return g_variant_new ("(@aa{sv})", g_variant_builder_end (&rows));
}

static GVariant *
list_events (FlowFakeDebugger *self,
             guint64           from,
             guint             count)
{
  GVariantBuilder rows;

  g_variant_builder_init (&rows, G_VARIANT_TYPE ("a(tusuxbtx)"));
  for (guint64 i = from; i < MIN (from + count, self->n_events); i++)
    g_variant_builder_add (&rows, "(tusuxbtx)", i, g_array_index (self->order, guint32, i), "train",
                           0, G_GINT64_CONSTANT (0), FALSE, (guint64) 1500 + 37 * i,
                           (gint64) 128 * (gint64) i);
  return g_variant_new ("(@a(tusuxbtx))", g_variant_builder_end (&rows));
}

static GVariant *
history (FlowFakeDebugger *self)
{
  GVariantBuilder rows;

  g_variant_builder_init (&rows, G_VARIANT_TYPE ("a(txd)"));
  for (guint64 i = 0; i <= self->position; i++)
    g_variant_builder_add (&rows, "(txd)", i, G_GINT64_CONSTANT (0), exp (-0.2 * (double) i));
  return g_variant_new ("(@a(txd))", g_variant_builder_end (&rows));
}

/* --- Moving --- */

static gboolean
stops_here (FlowFakeDebugger *self)
{
  guint32 node = next_node (self);
  g_autofree char *text = NULL;

  if (node == FLOW_NODE_NONE)
    return FALSE;
  text = g_strdup_printf ("node:%s", flow_graph_get_node_name (self->graph, node));
  for (guint i = 0; i < self->breakpoints->len; i++)
    if (g_strcmp0 (g_ptr_array_index (self->breakpoints, i), text) == 0)
      return TRUE;
  return FALSE;
}

/* Returns: whether the run may go on */
static gboolean
step (FlowFakeDebugger *self)
{
  guint32 node = next_node (self);

  if (node == FLOW_NODE_NONE)
    return FALSE;
  if (self->failing_node != NULL &&
      g_strcmp0 (flow_graph_get_node_name (self->graph, node), self->failing_node) == 0)
    {
      self->status = FLOW_DEBUG_FAILED;
      self->reason = FLOW_STOP_ERROR;
      return FALSE;
    }
  self->position++;
  self->n_events = MAX (self->n_events, self->position);
  if (self->position >= self->order->len)
    {
      self->status = FLOW_DEBUG_FINISHED;
      self->reason = FLOW_STOP_END;
      return FALSE;
    }
  return TRUE;
}

static void
run_until (FlowFakeDebugger *self,
           const char       *name)
{
  while (step (self))
    {
      if (name[0] != '\0' &&
          g_strcmp0 (flow_graph_get_node_name (self->graph, next_node (self)), name) == 0)
        return;
      if (stops_here (self))
        {
          self->reason = FLOW_STOP_BREAKPOINT;
          return;
        }
    }
}

static void
move (FlowFakeDebugger *self,
      FlowMovement      movement,
      const char       *argument)
{
  self->reason = FLOW_STOP_STEP;
  if (self->status != FLOW_DEBUG_IDLE || movement == FLOW_MOVE_RESTART)
    self->status = FLOW_DEBUG_PAUSED;
  switch (movement)
    {
    case FLOW_MOVE_RESTART:
      self->position = 0;
      self->reason = FLOW_STOP_RUN_START;
      break;
    case FLOW_MOVE_STEP_OP:
    case FLOW_MOVE_INTO:
    case FLOW_MOVE_RETRY:
      step (self);
      break;
    case FLOW_MOVE_BACK:
      if (self->position > 0)
        self->position--;
      break;
    case FLOW_MOVE_CONTINUE_BACK:
    case FLOW_MOVE_OVER_BACK:
    case FLOW_MOVE_INTO_BACK:
      self->position = argument[0] == '\0' && self->position > 0 ? self->position - 1 : 0;
      break;
    case FLOW_MOVE_GOTO:
      self->position = MIN (g_ascii_strtoull (argument, NULL, 10), self->n_events);
      break;
    case FLOW_MOVE_OVER:
      while (step (self) && argument[0] != '\0' &&
             flow_graph_get_node_name (self->graph, next_node (self)) != NULL &&
             g_str_has_prefix (flow_graph_get_node_name (self->graph, next_node (self)), argument))
        ;
      break;
    default:
      run_until (self, movement == FLOW_MOVE_RUN_TO ? argument : "");
    }
}

static FlowDebugState *
flow_fake_debugger_dup_state (FlowDebugger *debugger)
{
  FlowFakeDebugger *self = FLOW_FAKE_DEBUGGER (debugger);
  FlowDebugState state = { 0 };

  state.status = self->ended != NULL ? FLOW_DEBUG_ENDED : self->status;
  state.reason = self->reason;
  state.message = self->status == FLOW_DEBUG_FAILED ? self->failing_message : NULL;
  state.error_code = self->status == FLOW_DEBUG_FAILED ? FLOW_ERROR_INVALID_ARGUMENT : 0;
  state.position = self->position;
  state.n_events = self->n_events;
  state.run = self->run;
  state.next_node = next_node (self);
  state.stop_node = FLOW_NODE_NONE;
  state.frame = (char *) "";
  state.n_done = (guint) self->position;
  state.n_planned = self->order->len;
  state.reverse_is_exact = TRUE;
  return flow_debug_state_copy (&state);
}

/* --- The door --- */

static GVariant *
open_path (FlowFakeDebugger  *self,
           const char        *path,
           GError           **error)
{
  g_autoptr(FlowModel) model = NULL;
  GVariantBuilder info;

  self->is_script = g_strcmp0 (path, FLOW_FAKE_SCRIPT_PATH) == 0;
  if (self->is_script || g_strcmp0 (path, FLOW_FAKE_PATH) == 0)
    {
      g_autoptr(GBytes) bytes = g_bytes_new_static (fake_graph, strlen (fake_graph));

      model = flow_model_load_bytes (bytes, "fake.pbtxt", NULL, error);
    }
  else
    {
      model = flow_model_load (path, NULL, error);
    }
  if (model == NULL)
    return NULL;
  g_set_object (&self->graph, flow_model_get_graph (model));
  self->status = FLOW_DEBUG_IDLE;
  self->position = self->n_events = 0;
  g_clear_pointer (&self->run, g_free);
  g_variant_builder_init (&info, G_VARIANT_TYPE ("a{sv}"));
  if (self->is_script)
    g_variant_builder_add (&info, "{sv}", "kind", g_variant_new_string ("script"));
  return g_variant_new ("(a{sv})", &info);
}

static GVariant *
get_value (FlowFakeDebugger *self,
           const char       *name,
           GPtrArray        *tensors)
{
  FlowEndpoint endpoint = { FLOW_NODE_NONE, 0 };
  FlowTensor *value = NULL;
  GVariant *info = NULL;

  if (!flow_graph_parse_endpoint (self->graph, name, &endpoint, NULL))
    return g_variant_new ("(a{sv})", NULL);
  info = describe (self, endpoint.node, endpoint.slot, &value);
  if (value != NULL)
    g_ptr_array_add (tensors, value);
  return g_variant_new ("(@a{sv})", info);
}

/* Small values only: a slice of them is all of it, or one the tests do not ask for. */
static GVariant *
describe_ref (FlowFakeDebugger *self,
              const char       *ref)
{
  g_autoptr(GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) (void *) flow_tensor_unref);
  g_autoptr(GVariant) reply = g_variant_ref_sink (get_value (self, ref, tensors));
  g_autoptr(GVariant) info = g_variant_get_child_value (reply, 0);
  GVariantDict dict;

  g_variant_dict_init (&dict, info);
  g_variant_dict_insert (&dict, "ref", "s", ref);
  if (tensors->len > 0)
    g_variant_dict_insert (&dict, "n_elements", "x", flow_tensor_get_n_elements (g_ptr_array_index (tensors, 0)));
  return g_variant_new ("(@a{sv})", g_variant_dict_end (&dict));
}

static GVariant *
answer_breakpoints (FlowFakeDebugger *self,
                    const char       *method,
                    GVariant         *arguments)
{
  guint32 id = 0;

  if (g_strcmp0 (method, "AddBreakpoint") == 0)
    {
      char *text = NULL;

      g_variant_get (arguments, "(s)", &text);
      g_ptr_array_add (self->breakpoints, text);
      flow_debugger_emit_breakpoints_changed (FLOW_DEBUGGER (self));
      return g_variant_new ("(u)", self->breakpoints->len - 1);
    }
  g_variant_get (arguments, "(u)", &id);
  if (id < self->breakpoints->len)
    g_clear_pointer (&self->breakpoints->pdata[id], g_free);
  flow_debugger_emit_breakpoints_changed (FLOW_DEBUGGER (self));
  return g_variant_new ("()");
}

static GVariant *
answer (FlowFakeDebugger  *self,
        const char        *method,
        GVariant          *arguments,
        GPtrArray         *tensors,
        GError           **error)
{
  const char *text = NULL;
  guint32 number = 0;
  guint64 position = 0;

  if (g_strcmp0 (method, "Open") == 0)
    {
      g_variant_get_child (arguments, 0, "&s", &text);
      return open_path (self, text, error);
    }
  if (self->graph == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION, "No graph");
      return NULL;
    }
  if (g_strcmp0 (method, "ListRuns") == 0)
    return list_runs (self);
  if (g_strcmp0 (method, "ChooseRun") == 0)
    {
      g_free (self->run);
      g_variant_get (arguments, "(s)", &self->run);
      if (self->is_script)
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "there is no run %s", self->run);
          return NULL;
        }
      plan (self);
      flow_debugger_emit_changed (FLOW_DEBUGGER (self));
      return describe_plan (self);
    }
  if (g_strcmp0 (method, "Move") == 0)
    {
      g_autoptr(FlowDebugState) state = NULL;

      g_variant_get (arguments, "(u&s)", &number, &text);
      move (self, number, text);
      state = flow_fake_debugger_dup_state (FLOW_DEBUGGER (self));
      flow_debugger_emit_changed (FLOW_DEBUGGER (self));
      flow_debugger_emit_stopped (FLOW_DEBUGGER (self), state);
      return g_variant_new ("(@a{sv})", flow_debug_state_to_variant (state));
    }
  if (g_strcmp0 (method, "NodeStates") == 0)
    {
      guint n = flow_graph_get_n_nodes (self->graph);
      g_autofree guint8 *states = g_new (guint8, MAX (1, n));

      for (guint32 i = 0; i < n; i++)
        states[i] = node_state (self, i);
      return g_variant_new ("(@ay)", g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, states, n, 1));
    }
  if (g_strcmp0 (method, "Inspect") == 0)
    {
      g_variant_get (arguments, "(ut)", &number, &position);
      return inspect (self, number);
    }
  if (g_strcmp0 (method, "GetValue") == 0)
    {
      g_variant_get (arguments, "(&st)", &text, &position);
      return get_value (self, text, tensors);
    }
  if (g_strcmp0 (method, "Describe") == 0)
    {
      g_variant_get (arguments, "(&su)", &text, &number);
      return describe_ref (self, text);
    }
  if (g_strcmp0 (method, "Slice") == 0)
    {
      g_variant_get_child (arguments, 0, "&s", &text);
      return get_value (self, text, tensors);
    }
  if (g_strcmp0 (method, "Variables") == 0)
    return variables (self);
  if (g_strcmp0 (method, "History") == 0)
    return history (self);
  if (g_strcmp0 (method, "Events") == 0)
    {
      g_variant_get (arguments, "(tu)", &position, &number);
      return list_events (self, position, number);
    }
  if (g_strcmp0 (method, "ListBreakpoints") == 0)
    return list_breakpoints (self);
  if (g_strcmp0 (method, "AddBreakpoint") == 0 || g_strcmp0 (method, "RemoveBreakpoint") == 0)
    return answer_breakpoints (self, method, arguments);
  if (g_strcmp0 (method, "Explain") == 0)
    {
      const char *const chain[] = { "loss/mean", "train_op", NULL };

      return g_variant_new ("(b^ass)", TRUE, chain, "");
    }
  if (g_strcmp0 (method, "Override") == 0)
    {
      g_clear_pointer (&self->failing_node, g_free);
      return g_variant_new ("()");
    }
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED, "The fake does not know %s", method);
  return NULL;
}

static void
reply_free (gpointer data)
{
  flow_debugger_reply_free (data);
}

static gboolean
answer_cb (gpointer data)
{
  GTask *task = data;
  FlowFakeDebugger *self = g_task_get_source_object (task);
  GVariant *call = g_task_get_task_data (task);
  g_autoptr(GVariant) arguments = g_variant_get_child_value (call, 1);
  g_autoptr(GVariant) inner = g_variant_get_variant (arguments);
  g_autoptr(GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_tensor_unref);
  const char *method = NULL;
  GVariant *value = NULL;
  GError *error = NULL;

  if (g_task_return_error_if_cancelled (task))
    return G_SOURCE_REMOVE;
  g_variant_get_child (call, 0, "&s", &method);
  if (self->ended != NULL)
    g_set_error (&error, FLOW_ERROR, FLOW_ERROR_UNAVAILABLE, "The engine ended");
  else
    value = answer (self, method, inner, tensors, &error);
  if (value == NULL)
    {
      g_task_return_error (task, error);
      return G_SOURCE_REMOVE;
    }
  {
    FlowDebuggerReply *reply = g_new0 (FlowDebuggerReply, 1);

    reply->value = g_variant_ref_sink (value);
    reply->tensors = g_ptr_array_ref (tensors);
    g_task_return_pointer (task, reply, reply_free);
  }
  return G_SOURCE_REMOVE;
}

static void
flow_fake_debugger_call_async (FlowDebugger        *debugger,
                               const char          *method,
                               GVariant            *arguments,
                               GPtrArray           *tensors,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             data)
{
  FlowFakeDebugger *self = FLOW_FAKE_DEBUGGER (debugger);
  GTask *task = g_task_new (debugger, cancellable, callback, data);
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->calls, method));
  GVariant *call = g_variant_new ("(sv)", method,
                                  arguments != NULL ? arguments : g_variant_new ("()"));

  g_hash_table_insert (self->calls, g_strdup (method), GUINT_TO_POINTER (n + 1));
  g_task_set_task_data (task, g_variant_ref_sink (call), (GDestroyNotify) g_variant_unref);
  g_idle_add_full (G_PRIORITY_DEFAULT, answer_cb, task, g_object_unref);
}

static FlowGraph *
flow_fake_debugger_get_graph (FlowDebugger *debugger)
{
  return FLOW_FAKE_DEBUGGER (debugger)->graph;
}

static void
debugger_iface_init (FlowDebuggerInterface *iface)
{
  iface->call_async = flow_fake_debugger_call_async;
  iface->get_graph = flow_fake_debugger_get_graph;
  iface->dup_state = flow_fake_debugger_dup_state;
}

static void
flow_fake_debugger_finalize (GObject *object)
{
  FlowFakeDebugger *self = FLOW_FAKE_DEBUGGER (object);

  g_clear_object (&self->graph);
  g_array_unref (self->order);
  g_ptr_array_unref (self->breakpoints);
  g_hash_table_unref (self->calls);
  g_free (self->run);
  g_free (self->failing_node);
  g_free (self->failing_message);
  g_free (self->ended);

  G_OBJECT_CLASS (flow_fake_debugger_parent_class)->finalize (object);
}

static void
flow_fake_debugger_class_init (FlowFakeDebuggerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = flow_fake_debugger_finalize;
}

static void
flow_fake_debugger_init (FlowFakeDebugger *self)
{
  self->order = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->breakpoints = g_ptr_array_new_with_free_func (g_free);
  self->calls = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

FlowDebugger *
flow_fake_debugger_new (void)
{
  return g_object_new (FLOW_TYPE_FAKE_DEBUGGER, NULL);
}

FlowDebugger *
flow_fake_debugger_factory (gpointer   data,
                            GError   **error)
{
  return flow_fake_debugger_new ();
}

/* The run fails at @node until a value is overridden. */
void
flow_fake_debugger_set_failure (FlowFakeDebugger *self,
                                const char       *node,
                                const char       *message)
{
  g_free (self->failing_node);
  g_free (self->failing_message);
  self->failing_node = g_strdup (node);
  self->failing_message = g_strdup (message);
}

/* As if the engine process were gone. */
void
flow_fake_debugger_end (FlowFakeDebugger *self,
                        const char       *text)
{
  g_free (self->ended);
  self->ended = g_strdup (text);
  flow_debugger_emit_ended (FLOW_DEBUGGER (self), text);
}

guint
flow_fake_debugger_get_n_calls (FlowFakeDebugger *self,
                                const char       *method)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->calls, method));
}
