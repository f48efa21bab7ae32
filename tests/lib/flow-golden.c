/* flow-golden.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-golden.h"

/* --- reading ---------------------------------------------------------------------------------- */

static double
read_number (JsonNode *node)
{
  return json_node_get_value_type (node) == G_TYPE_STRING
         ? g_ascii_strtod (json_node_get_string (node), NULL)
         : json_node_get_double (node);
}

static FlowAttrKind
kind_from_name (const char *name)
{
  static const char *const names[] = {
    "none", "string", "int", "float", "bool", "type", "shape", "tensor", "func",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (name, names[i]))
      return (FlowAttrKind) i;
  g_assert_not_reached ();
}

static FlowAttr *
read_attr (JsonObject *object)
{
  g_autoptr (GList) members = json_object_get_members (object);
  const char *kind = json_object_has_member (object, "list") ? "list" : members->data;
  JsonNode *value = json_object_get_member (object, kind);

  if (g_str_equal (kind, "list"))
    {
      JsonArray *array = json_node_get_array (value);
      guint n = json_array_get_length (array);
      g_autofree FlowAttr **items = g_new0 (FlowAttr *, n + 1);

      for (guint i = 0; i < n; i++)
        items[i] = read_attr (json_array_get_object_element (array, i));
      return flow_attr_new_list (kind_from_name (json_object_get_string_member (object, "of")), items, n);
    }
  switch ((int) kind_from_name (kind))
    {
    case FLOW_ATTR_STRING:
      {
        gsize length;
        g_autofree guchar *bytes = g_base64_decode (json_node_get_string (value), &length);

        return flow_attr_new_string ((const char *) bytes, (gssize) length);
      }
    case FLOW_ATTR_INT:
      return flow_attr_new_int (json_node_get_int (value));
    case FLOW_ATTR_FLOAT:
      return flow_attr_new_float ((float) read_number (value));
    case FLOW_ATTR_BOOL:
      return flow_attr_new_bool (json_node_get_boolean (value));
    case FLOW_ATTR_TYPE:
      return flow_attr_new_type (flow_dtype_from_string (json_node_get_string (value)));
    case FLOW_ATTR_SHAPE:
      {
        g_autoptr (FlowShape) shape = JSON_NODE_HOLDS_NULL (value)
                                      ? flow_shape_new_unknown ()
                                      : flow_golden_read_shape (json_node_get_array (value));

        return flow_attr_new_shape (shape);
      }
    case FLOW_ATTR_TENSOR:
      {
        g_autoptr (FlowTensor) tensor = flow_golden_read_tensor (value);

        return flow_attr_new_tensor (tensor);
      }
    default:
      return flow_attr_new_func (json_node_get_string (value), NULL);
    }
}

static FlowGoldenInput
read_input (JsonNode *node)
{
  JsonObject *object = json_node_get_object (node);
  FlowGoldenInput input = { NULL, -1, -1, 0 };

  if (json_object_has_member (object, "variable"))
    {
      input.variable = (int) json_object_get_int_member (object, "variable");
    }
  else if (json_object_has_member (object, "from"))
    {
      JsonArray *from = json_object_get_array_member (object, "from");

      input.from_node = (int) json_array_get_int_element (from, 0);
      input.from_slot = (int) json_array_get_int_element (from, 1);
    }
  else
    {
      input.tensor = flow_golden_read_tensor (node);
    }
  return input;
}

static void
clear_input (gpointer data)
{
  FlowGoldenInput *input = data;

  g_clear_pointer (&input->tensor, flow_tensor_unref);
}

static void
unref_tensor (gpointer tensor)
{
  if (tensor != NULL)
    flow_tensor_unref (tensor);
}

static FlowGoldenNode
read_node (JsonObject *object)
{
  FlowGoldenNode node = { NULL };
  JsonObject *attrs = json_object_get_object_member (object, "attrs");
  JsonArray *inputs = json_object_get_array_member (object, "inputs");
  g_autoptr (GList) names = json_object_get_members (attrs);

  node.op = g_strdup (json_object_get_string_member (object, "op"));
  node.attrs = flow_attr_list_new ();
  for (GList *l = names; l != NULL; l = l->next)
    {
      g_autoptr (FlowAttr) attr = read_attr (json_object_get_object_member (attrs, l->data));

      flow_attr_list_set (node.attrs, l->data, attr);
    }
  node.inputs = g_array_new (FALSE, TRUE, sizeof (FlowGoldenInput));
  g_array_set_clear_func (node.inputs, clear_input);
  for (guint i = 0; i < json_array_get_length (inputs); i++)
    {
      FlowGoldenInput input = read_input (json_array_get_element (inputs, i));

      g_array_append_val (node.inputs, input);
    }
  node.outputs = g_ptr_array_new_with_free_func (unref_tensor);
  if (json_object_has_member (object, "outputs"))
    {
      JsonArray *outputs = json_object_get_array_member (object, "outputs");

      for (guint i = 0; i < json_array_get_length (outputs); i++)
        g_ptr_array_add (node.outputs, flow_golden_read_tensor (json_array_get_element (outputs, i)));
    }
  return node;
}

static void
clear_node (gpointer data)
{
  FlowGoldenNode *node = data;

  g_free (node->op);
  flow_attr_list_unref (node->attrs);
  g_array_unref (node->inputs);
  g_ptr_array_unref (node->outputs);
}

static void
clear_variable (gpointer data)
{
  FlowGoldenVariable *variable = data;

  g_free (variable->name);
  unref_tensor (variable->initial);
  unref_tensor (variable->final);
}

static void
case_free (gpointer data)
{
  FlowGoldenCase *self = data;

  g_free (self->name);
  g_free (self->op);
  g_free (self->error_message);
  g_array_unref (self->nodes);
  g_array_unref (self->variables);
  g_free (self);
}

static void
read_variables (FlowGoldenCase *self,
                JsonArray      *array)
{
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonObject *object = json_array_get_object_element (array, i);
      FlowGoldenVariable variable = {
        .name = g_strdup (json_object_get_string_member (object, "name")),
        .is_resource = g_str_equal (json_object_get_string_member (object, "kind"), "resource"),
        .dtype = flow_dtype_from_string (json_object_get_string_member (object, "dtype")),
        .initial = flow_golden_read_tensor (json_object_get_member (object, "initial")),
        .final = flow_golden_read_tensor (json_object_get_member (object, "final")),
      };

      g_array_append_val (self->variables, variable);
    }
}

static FlowGoldenCase *
read_case (JsonObject *object,
           int         producer)
{
  FlowGoldenCase *self = g_new0 (FlowGoldenCase, 1);
  JsonArray *nodes = json_object_get_array_member (object, "nodes");

  self->producer = producer;
  self->name = g_strdup (json_object_get_string_member (object, "name"));
  self->op = g_strdup (json_object_get_string_member (object, "op"));
  self->nodes = g_array_new (FALSE, TRUE, sizeof (FlowGoldenNode));
  g_array_set_clear_func (self->nodes, clear_node);
  self->variables = g_array_new (FALSE, TRUE, sizeof (FlowGoldenVariable));
  g_array_set_clear_func (self->variables, clear_variable);
  for (guint i = 0; i < json_array_get_length (nodes); i++)
    {
      FlowGoldenNode node = read_node (json_array_get_object_element (nodes, i));

      g_array_append_val (self->nodes, node);
    }
  if (json_object_has_member (object, "variables"))
    read_variables (self, json_object_get_array_member (object, "variables"));
  self->n_runs = (guint) json_object_get_int_member_with_default (object, "runs", 1);
  self->tolerance = json_object_get_double_member_with_default (object, "tolerance", -1);
  self->relative = json_object_get_double_member_with_default (object, "relative", -1);
  self->only_shapes = json_object_has_member (object, "checks");
  if (json_object_has_member (object, "error"))
    {
      JsonObject *e = json_object_get_object_member (object, "error");

      self->error_code = (int) json_object_get_int_member (e, "code");
      self->error_message = g_strdup (json_object_get_string_member (e, "message"));
      self->error_at_build = g_str_equal (json_object_get_string_member (e, "at"), "build");
    }
  return self;
}

GPtrArray *
flow_golden_load (const char  *path,
                  GError     **error)
{
  g_autoptr (GInputStream) stream = flow_golden_open (path, error);
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GPtrArray) cases = g_ptr_array_new_with_free_func (case_free);
  JsonObject *root;
  JsonArray *array;
  int producer;

  if (stream == NULL || !json_parser_load_from_stream (parser, stream, NULL, error))
    return NULL;
  root = json_node_get_object (json_parser_get_root (parser));
  array = json_object_get_array_member (root, "cases");
  /* 2.15.1's and 1.15.5's. */
  producer = g_str_has_prefix (json_object_get_string_member_with_default (root, "tensorflow", ""), "2.") ? 1645 : 134;
  for (guint i = 0; i < json_array_get_length (array); i++)
    g_ptr_array_add (cases, read_case (json_array_get_object_element (array, i), producer));
  return g_steal_pointer (&cases);
}

/* --- running ---------------------------------------------------------------------------------- */

typedef struct {
  const FlowGoldenCase *golden;
  FlowOpRunner *runner;
  GPtrArray *variables;        /* of FlowVariable, borrowed from the runner */
  GPtrArray *outputs;          /* of GArray of FlowValue, one for each node executed */
} Check;

static char *
check_error (const FlowGoldenCase *golden,
             const GError         *error)
{
  /* What TensorFlow refuses while a graph is built it words by node definition: the code must do. */
  return flow_golden_compare_error (golden->error_code, golden->error_at_build ? "" : golden->error_message, error);
}

static char *
check_outputs (Check                *check,
               const FlowGoldenNode *node,
               GArray               *outputs,
               guint                 run)
{
  for (guint i = 0; i < outputs->len; i++)
    {
      const FlowValue *value = &g_array_index (outputs, FlowValue, i);
      guint k = run * outputs->len + i;
      const FlowTensor *expected = k < node->outputs->len ? node->outputs->pdata[k] : NULL;
      const FlowTensor *got = value->ref != NULL ? value->ref->value : value->tensor;
      g_autofree char *problem = NULL;

      if (expected == NULL)
        continue;
      if (got == NULL)
        return g_strdup_printf ("%s: output %u has no value", node->op, i);
      if (!check->golden->only_shapes)
        problem = flow_golden_compare (expected, got, check->golden->tolerance, check->golden->relative);
      else if (!flow_shape_equal (expected->shape, got->shape))
        problem = g_strdup ("another shape");
      if (problem != NULL)
        return g_strdup_printf ("%s: output %u: %s", node->op, i, problem);
    }
  return NULL;
}

static void
unref_values (gpointer values)
{
  g_array_unref (values);
}

/* The last node is the case's op. */
static char *
name_node (const FlowGoldenCase *golden,
           guint                 k)
{
  return k + 1 == golden->nodes->len ? g_strdup ("op") : g_strdup_printf ("op%u", k);
}

/* TF makes the kernels of all nodes before it runs the first; TRUE if the case goes on. */
static gboolean
try_kernels (const FlowGoldenCase  *golden,
             char                 **problem)
{
  for (guint k = 0; k < golden->nodes->len; k++)
    {
      const FlowGoldenNode *node = &g_array_index (golden->nodes, FlowGoldenNode, k);
      g_autofree char *name = name_node (golden, k);
      g_autoptr (GError) error = NULL;

      if (flow_op_runner_try_kernel (name, node->op, node->attrs, node->inputs->len, &error))
        continue;
      *problem = check_error (golden, error);
      return FALSE;
    }
  return TRUE;
}

/* Executes node @k of the chain; TRUE if the case goes on. */
static gboolean
run_node (Check  *check,
          guint   k,
          guint   run,
          char  **problem)
{
  const FlowGoldenNode *node = &g_array_index (check->golden->nodes, FlowGoldenNode, k);
  g_autofree FlowValue *inputs = g_new0 (FlowValue, node->inputs->len + 1);
  g_autoptr (GPtrArray) handles = g_ptr_array_new_with_free_func (unref_tensor);
  g_autofree char *name = NULL;
  GArray *outputs = g_array_new (FALSE, TRUE, sizeof (FlowValue));
  g_autoptr (GError) error = NULL;

  g_array_set_clear_func (outputs, flow_op_runner_clear_value);
  g_ptr_array_add (check->outputs, outputs);
  for (guint i = 0; i < node->inputs->len; i++)
    {
      const FlowGoldenInput *input = &g_array_index (node->inputs, FlowGoldenInput, i);

      inputs[i].tensor = input->tensor;
      if (input->variable >= 0)
        {
          const FlowGoldenVariable *variable =
            &g_array_index (check->golden->variables, FlowGoldenVariable, input->variable);

          if (variable->is_resource)
            inputs[i].tensor = flow_op_runner_new_handle (check->runner,
                                                          check->variables->pdata[input->variable]);
          else
            inputs[i].ref = check->variables->pdata[input->variable];
          if (variable->is_resource)
            g_ptr_array_add (handles, inputs[i].tensor);
        }
      else if (input->from_node >= 0)
        {
          GArray *from = check->outputs->pdata[input->from_node];

          inputs[i] = g_array_index (from, FlowValue, input->from_slot);
        }
    }
  name = name_node (check->golden, k);
  if (!flow_op_runner_run (check->runner, name, node->op, node->attrs, inputs, node->inputs->len,
                           outputs, &error))
    {
      *problem = check_error (check->golden, error);
      return FALSE;
    }
  if (flow_op_runner_get_waiting (check->runner) != NULL)
    *problem = g_strdup_printf ("%s waits: %s", node->op,
                                flow_op_runner_get_waiting (check->runner));
  else if (check->golden->error_code == 0)
    *problem = check_outputs (check, node, outputs, run);
  return *problem == NULL;
}

static void
add_variables (Check *check)
{
  for (guint i = 0; i < check->golden->variables->len; i++)
    {
      const FlowGoldenVariable *v = &g_array_index (check->golden->variables, FlowGoldenVariable, i);
      FlowVariable *variable = flow_op_runner_add_variable (check->runner, v->name, v->dtype,
                                                            v->initial);

      g_ptr_array_add (check->variables, variable);
    }
}

/* Afterwards the variables hold what TensorFlow's do (on errors: what they held, more than what
 * TensorFlow promises), and undoing brings the first values back bit for bit. */
static char *
check_variables (Check *check)
{
  for (int undone = 0; undone < 2; undone++)
    {
      for (guint i = 0; i < check->golden->variables->len; i++)
        {
          const FlowGoldenVariable *v = &g_array_index (check->golden->variables,
                                                        FlowGoldenVariable, i);
          const FlowVariable *variable = check->variables->pdata[i];
          gboolean initial = undone || check->golden->error_code != 0;
          const FlowTensor *expected = initial ? v->initial : v->final;
          g_autofree char *problem = NULL;

          if (expected == NULL && variable->value == NULL)
            continue;
          if (expected == NULL || variable->value == NULL)
            return g_strdup_printf ("%s %s", v->name, expected == NULL ? "has a value" : "has none");
          problem = flow_golden_compare (expected, variable->value,
                                         initial ? 0 : check->golden->tolerance,
                                         initial ? 0 : check->golden->relative);
          if (problem != NULL)
            return g_strdup_printf ("%s%s: %s", v->name, undone ? " undone" : "", problem);
        }
      flow_op_runner_undo (check->runner);
    }
  return NULL;
}

char *
flow_golden_check (const FlowGoldenCase *self,
                   gboolean              forwarding)
{
  g_autoptr (FlowOpRunner) runner = flow_op_runner_new ();
  g_autoptr (GPtrArray) variables = g_ptr_array_new ();
  Check check = { self, runner, variables, NULL };
  char *problem = NULL;
  gboolean going = try_kernels (self, &problem);

  flow_op_runner_set_forwarding (runner, forwarding);
  flow_op_runner_set_producer (runner, self->producer);
  add_variables (&check);
  for (guint run = 0; run < self->n_runs && going; run++)
    {
      g_clear_pointer (&check.outputs, g_ptr_array_unref);
      check.outputs = g_ptr_array_new_with_free_func (unref_values);
      for (guint k = 0; k < self->nodes->len && going; k++)
        going = run_node (&check, k, run, &problem);
    }
  if (problem == NULL && going && self->error_code != 0)
    problem = g_strdup_printf ("succeeds; TensorFlow fails with %s: %s",
                               flow_error_code_name (self->error_code), self->error_message);
  if (problem == NULL)
    problem = check_variables (&check);
  g_clear_pointer (&check.outputs, g_ptr_array_unref);
  return problem;
}
