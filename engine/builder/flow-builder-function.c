/* flow-builder-function.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

#include "flow-model.h"

/* A graph in the making as a function of a library: some outputs are its arguments, the rest is its body. */

typedef struct {
  FlowBuilder *builder;
  FlowFunction *function;
  gboolean with_shapes;
  GHashTable *taken;           /* of char *: arguments, nodes and results share one set of names */
  GHashTable *next;            /* name -> the number that it is tried with next */
  GHashTable *args;            /* output -> argument's name, one of the taken */
  const char **names;          /* by node, of the taken; NULL for an argument's */
} Maker;

/* TF: an argument's name is lower case, letters, digits and underscores, and begins with a letter. */
static char *
normalize (const char *name)
{
  g_autofree char *text = g_ascii_strdown (name, -1);

  for (char *c = text; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c))
      *c = '_';
  for (const char *c = text; *c != '\0'; c++)
    if (g_ascii_isalpha (*c))
      return g_strdup (c);
  return g_strdup ("unknown");
}

/* The name, or where it is taken the name with a number behind it. */
static const char *
take (Maker      *self,
      const char *name)
{
  char *candidate = g_strdup (name);

  while (g_hash_table_contains (self->taken, candidate))
    {
      guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->next, name));

      g_free (candidate);
      candidate = g_strdup_printf ("%s_%u", name, number);
      g_hash_table_replace (self->next, g_strdup (name), GUINT_TO_POINTER (number + 1));
    }
  g_hash_table_add (self->taken, candidate);
  return candidate;
}

static const char *
take_normalized (Maker      *self,
                 const char *name)
{
  g_autofree char *text = normalize (name);

  return take (self, text);
}

static gboolean
is_output (FlowBuilder *self,
           guint64      output)
{
  guint32 node = FLOW_OUTPUT_NODE (output);

  return node < self->nodes->len && FLOW_OUTPUT_SLOT (output) >= 0
         && (guint) FLOW_OUTPUT_SLOT (output) < _flow_builder_node (self, node)->n_outputs;
}

/* An output as a function spells it: `argument` or `node:output:number`. */
static char *
spell (Maker         *self,
       FlowEndpoint   at,
       GError       **error)
{
  gint64 key = (gint64) FLOW_OUTPUT (at.node, at.slot);
  const FlowBuildNode *node = _flow_builder_node (self->builder, at.node);
  const char *arg = g_hash_table_lookup (self->args, &key);
  guint first = 0;

  if (arg != NULL)
    return g_strdup (arg);
  for (guint i = 0; self->names[at.node] != NULL && i < node->signature->n_outputs; i++)
    {
      const FlowArgDef *output = &node->signature->outputs[i];
      g_autoptr (GArray) dtypes = g_array_new (FALSE, FALSE, sizeof (int));

      if (!flow_op_signature_expand (node->signature, output, 1, node->attrs, dtypes, error))
        return NULL;
      if ((guint) at.slot < first + dtypes->len)
        return g_strdup_printf ("%s:%s:%u", self->names[at.node], output->name, (guint) at.slot - first);
      first += dtypes->len;
    }
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s:%d is neither an argument of function %s nor of its body",
               node->name, at.slot, self->function->name);
  return NULL;
}

/* Control inputs stand behind the others, in the order of the names that their nodes have in the graph. An argument
 * is there before anything of the body is, so nothing waits for it. */
static void
add_control_inputs (Maker               *self,
                    const FlowBuildNode *node,
                    GPtrArray           *inputs)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < node->controls->len; i++)
    g_ptr_array_add (names, _flow_builder_node (self->builder, g_array_index (node->controls, guint32, i))->name);
  g_ptr_array_sort (names, flow_compare_texts);
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = self->names[flow_builder_find_node (self->builder, names->pdata[i])];

      if (name != NULL)
        g_ptr_array_add (inputs, g_strconcat ("^", name, NULL));
    }
}

static gboolean
add_body_node (Maker    *self,
               guint32   index,
               GError  **error)
{
  const FlowBuildNode *node = _flow_builder_node (self->builder, index);
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < node->inputs->len; i++)
    {
      char *text = spell (self, g_array_index (node->inputs, FlowEndpoint, i), error);

      if (text == NULL)
        return FALSE;
      g_ptr_array_add (inputs, text);
    }
  add_control_inputs (self, node, inputs);
  g_ptr_array_add (inputs, NULL);
  g_ptr_array_add (self->function->nodes,
                   flow_function_node_new (self->names[index], node->signature->name, node->device,
                                           (char **) g_ptr_array_steal (inputs, NULL),
                                           _flow_builder_dup_attrs (node, self->with_shapes)));
  if ((node->signature->flags & FLOW_OP_STATEFUL) != 0)
    self->function->signature->flags |= FLOW_OP_STATEFUL;
  return TRUE;
}

static void
fill_arg (Maker       *self,
          FlowArgDef  *arg,
          const char  *name,
          guint64      output)
{
  const FlowBuildNode *node = _flow_builder_node (self->builder, FLOW_OUTPUT_NODE (output));

  arg->name = g_strdup (name);
  arg->dtype = flow_dtype_base (node->dtypes[FLOW_OUTPUT_SLOT (output)]);
}

/* TF: a result's name is taken as it is given, or made of its node's. */
static const char *
take_result (Maker      *self,
             guint64     output,
             const char *given)
{
  if (given == NULL)
    return take_normalized (self, _flow_builder_node (self->builder, FLOW_OUTPUT_NODE (output))->name);
  g_hash_table_add (self->taken, g_strdup (given));
  return given;
}

/* TF: what is returned is named first, then the arguments, then the nodes. */
static void
name_all (Maker             *self,
          const guint64     *inputs,
          const guint64     *outputs,
          const char *const *output_names)
{
  FlowOpSignature *signature = self->function->signature;
  g_autofree gboolean *is_arg = g_new0 (gboolean, self->builder->nodes->len + 1);

  for (guint i = 0; i < signature->n_outputs; i++)
    fill_arg (self, &signature->outputs[i], take_result (self, outputs[i], output_names != NULL ? output_names[i] : NULL),
              outputs[i]);
  for (guint i = 0; i < signature->n_inputs; i++)
    {
      guint32 node = FLOW_OUTPUT_NODE (inputs[i]);
      const char *name = take_normalized (self, _flow_builder_node (self->builder, node)->name);

      fill_arg (self, &signature->inputs[i], name, inputs[i]);
      g_hash_table_replace (self->args, g_memdup2 (&inputs[i], sizeof inputs[i]), (gpointer) name);
      is_arg[node] = TRUE;
    }
  for (guint32 i = 0; i < self->builder->nodes->len; i++)
    if (!is_arg[i])
      self->names[i] = take (self, _flow_builder_node (self->builder, i)->name);
}

static void
add_input_shapes (Maker         *self,
                  const guint64 *inputs,
                  gsize          n_inputs)
{
  g_autofree FlowAttr **shapes = g_new0 (FlowAttr *, n_inputs + 1);

  for (gsize i = 0; i < n_inputs; i++)
    shapes[i] = flow_attr_new_shape (_flow_builder_node (self->builder, FLOW_OUTPUT_NODE (inputs[i]))
                                       ->shapes[FLOW_OUTPUT_SLOT (inputs[i])]);
  flow_attr_list_take (self->function->attrs, "_input_shapes", flow_attr_new_list (FLOW_ATTR_SHAPE, shapes, n_inputs));
}

static gboolean
add_results (Maker          *self,
             const guint64  *outputs,
             const guint32  *effects,
             gsize           n_effects,
             GError        **error)
{
  FlowOpSignature *signature = self->function->signature;

  for (guint i = 0; i < signature->n_outputs; i++)
    {
      char *text = spell (self, FLOW_ENDPOINT (outputs[i]), error);

      if (text == NULL)
        return FALSE;
      g_hash_table_replace (self->function->ret, g_strdup (signature->outputs[i].name), text);
    }
  for (gsize i = 0; i < n_effects; i++)
    {
      const char *name = effects[i] < self->builder->nodes->len ? self->names[effects[i]] : NULL;

      FLOW_REQUIRE (name != NULL, error, INVALID_ARGUMENT, "An effect of function %s is no node of its body",
                    self->function->name);
      g_hash_table_replace (self->function->control_ret, g_strdup (name), g_strdup (name));
    }
  return TRUE;
}

static gboolean
check_outputs (FlowBuilder    *self,
               const guint64  *outputs,
               gsize           n_outputs,
               const char     *name,
               GError        **error)
{
  for (gsize i = 0; i < n_outputs; i++)
    FLOW_REQUIRE (is_output (self, outputs[i]), error, INVALID_ARGUMENT,
                  "An argument or a result of function %s is no output of its graph", name);
  return TRUE;
}

static gboolean
check_names (const char *const  *names,
             gsize               n_outputs,
             GError            **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = g_strv_length ((char **) names);

  FLOW_REQUIRE (n == n_outputs, error, INVALID_ARGUMENT, "output names must be either empty or equal in size to outputs. "
                "output names size = %u outputs size = %" G_GSIZE_FORMAT, n, n_outputs);
  for (guint i = 0; i < n; i++)
    FLOW_REQUIRE (g_hash_table_add (seen, (gpointer) names[i]), error, INVALID_ARGUMENT,
                  "Cannot have duplicate output names. Name '%s' appears more than once in 'output_names' array.", names[i]);
  return TRUE;
}

static GBytes *
write_library (FlowFunction  *function,
               GError       **error)
{
  g_autoptr (FlowGraph) graph = flow_graph_new ();

  flow_graph_take_function (graph, function);
  return flow_graph_to_bytes (graph, error);
}

/**
 * flow_builder_to_function:
 * @self: a builder whose graph becomes a function's body
 * @name: the function's name
 * @inputs: (array length=n_inputs) (nullable): outputs, of placeholders mostly, that are the function's arguments
 * @n_inputs: how many
 * @outputs: (array length=n_outputs) (nullable): what the function returns
 * @n_outputs: how many
 * @output_names: (array zero-terminated=1) (nullable): the results' names, one each; %NULL or none where they are
 *   named after their nodes
 * @effects: (array length=n_effects) (nullable): nodes that run although nothing reads them
 * @n_effects: how many
 * @with_shapes: whether to write what is known of shapes as attrs `_input_shapes` and `_output_shapes`
 * @error: where to put an error
 *
 * Writes all of the graph as one function, with the names that TensorFlow gives to its arguments and results. It is
 * ready for flow_builder_add_library() of the graph that is to call it.
 *
 * Returns: (transfer full): a GraphDef with nothing but the function in it; %NULL with %FLOW_ERROR_INVALID_ARGUMENT where
 *   an argument, a result or an effect is none of the graph, or @output_names are too few, too many or not all different
 */
GBytes *
flow_builder_to_function (FlowBuilder        *self,
                          const char         *name,
                          const guint64      *inputs,
                          gsize               n_inputs,
                          const guint64      *outputs,
                          gsize               n_outputs,
                          const char *const  *output_names,
                          const guint32      *effects,
                          gsize               n_effects,
                          gboolean            with_shapes,
                          GError            **error)
{
  Maker maker = { .builder = self, .with_shapes = with_shapes };
  GBytes *bytes = NULL;
  gboolean ok = TRUE;

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && name != NULL, NULL);

  if (output_names != NULL && output_names[0] == NULL)
    output_names = NULL;
  if (!check_outputs (self, inputs, n_inputs, name, error) || !check_outputs (self, outputs, n_outputs, name, error)
      || (output_names != NULL && !check_names (output_names, n_outputs, error)))
    return NULL;
  maker.function = flow_function_new (name);
  maker.function->signature = flow_op_signature_new (name, (guint) n_inputs, (guint) n_outputs, 0);
  maker.function->attrs = flow_attr_list_new ();
  maker.taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  maker.next = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  maker.args = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  maker.names = g_new0 (const char *, self->nodes->len + 1);
  name_all (&maker, inputs, outputs, output_names);
  for (guint32 i = 0; i < self->nodes->len && ok; i++)
    ok = maker.names[i] == NULL || add_body_node (&maker, i, error);
  ok = ok && add_results (&maker, outputs, effects, n_effects, error);
  if (ok && with_shapes)
    add_input_shapes (&maker, inputs, n_inputs);
  if (ok)
    bytes = write_library (g_steal_pointer (&maker.function), error);
  g_clear_pointer (&maker.function, flow_function_free);
  g_free (maker.names);
  g_hash_table_unref (maker.args);
  g_hash_table_unref (maker.next);
  g_hash_table_unref (maker.taken);
  return bytes;
}
