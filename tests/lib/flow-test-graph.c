/* flow-test-graph.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-test-graph.h"

#include <string.h>

static FlowAttr *parse_value (const char *text);

static FlowAttr *
parse_list (const char *text)
{
  gboolean are_types = *text == 't';
  gboolean are_shapes = *text == 's';
  const char *rest = strchr (text, ':') + 1;
  g_auto(GStrv) parts = *rest != '\0' ? g_strsplit (rest, ",", -1) : g_new0 (char *, 1);
  guint n = g_strv_length (parts);
  FlowAttr *items[16] = { NULL };

  g_assert_cmpuint (n, <=, G_N_ELEMENTS (items));
  for (guint i = 0; i < n; i++)
    items[i] = are_types    ? flow_attr_new_type (flow_dtype_from_string (parts[i]))
               : are_shapes ? parse_value (parts[i])
                            : flow_attr_new_func (parts[i], NULL);
  return flow_attr_new_list (are_types ? FLOW_ATTR_TYPE : are_shapes ? FLOW_ATTR_SHAPE : FLOW_ATTR_FUNC, items, n);
}

static FlowAttr *
parse_value (const char *text)
{
  g_autoptr(FlowTensor) tensor = NULL;

  if (*text == '"')
    return flow_attr_new_string (text + 1, (gssize) strlen (text) - 2);
  if (*text == '[')
    {
      g_autofree char *inner = g_strndup (text + 1, strlen (text) - 2);
      g_auto(GStrv) parts = g_strsplit (inner, ",", -1);
      gint64 dims[8] = { 0 };
      int rank = 0;
      g_autoptr(FlowShape) shape = NULL;

      for (; parts[rank] != NULL; rank++)
        dims[rank] = g_ascii_strtoll (parts[rank], NULL, 10);
      shape = flow_shape_new (rank, dims);
      return flow_attr_new_shape (shape);
    }
  if (g_str_has_prefix (text, "n:"))
    return flow_attr_new_int (g_ascii_strtoll (text + 2, NULL, 10));
  if (g_str_has_prefix (text, "t:"))
    return flow_attr_new_bool (text[2] == '1');
  if (*text == '@')
    return flow_attr_new_func (text + 1, NULL);
  if (g_str_has_prefix (text, "types:") || g_str_has_prefix (text, "funcs:") || g_str_has_prefix (text, "shapes:"))
    return parse_list (text);
  if (g_str_has_prefix (text, "f:"))
    tensor = flow_tensor_new_float ((float) g_ascii_strtod (text + 2, NULL));
  else if (g_str_has_prefix (text, "i:"))
    tensor = flow_tensor_new_int32 ((gint32) g_ascii_strtoll (text + 2, NULL, 10));
  else if (g_str_has_prefix (text, "b:"))
    tensor = flow_tensor_new_bool (text[2] == '1');
  else if (g_str_has_prefix (text, "s:"))
    tensor = flow_tensor_new_string (text + 2, -1);
  else if (g_str_has_prefix (text, "v:"))
    {
      g_auto(GStrv) parts = g_strsplit (text + 2, ",", -1);
      g_autoptr(FlowShape) shape = flow_shape_new_vector (g_strv_length (parts));

      tensor = flow_tensor_new (FLOW_DTYPE_FLOAT, shape, NULL, NULL);
      for (guint i = 0; parts[i] != NULL; i++)
        ((float *) flow_tensor_get_writable (tensor))[i] = (float) g_ascii_strtod (parts[i], NULL);
    }
  if (tensor != NULL)
    return flow_attr_new_tensor (tensor);
  return flow_attr_new_type (flow_dtype_from_string (text));
}

/* The words of a node's line beyond name and type: inputs, then attrs. */
static FlowAttrList *
parse_words (char   **words,
             char  ***inputs)
{
  GStrvBuilder *builder = g_strv_builder_new ();
  FlowAttrList *attrs = flow_attr_list_new ();

  for (guint w = 2; words[w] != NULL; w++)
    {
      char *equals = strchr (words[w], '=');
      g_autoptr(FlowAttr) value = NULL;

      if (*words[w] == '\0')
        continue;
      if (equals == NULL)
        {
          g_strv_builder_add (builder, words[w]);
          continue;
        }
      *equals = '\0';
      value = parse_value (equals + 1);
      flow_attr_list_set (attrs, words[w], value);
    }
  *inputs = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  return attrs;
}

/* "x:float" or "y:float=node:out:0". */
static void
parse_arg (const char *word,
           FlowArgDef *arg,
           GHashTable *ret)
{
  g_auto(GStrv) sides = g_strsplit (word, "=", 2);
  g_auto(GStrv) parts = g_strsplit (sides[0], ":", 2);

  arg->name = g_strdup (parts[0]);
  arg->dtype = flow_dtype_from_string (parts[1]);
  if (ret != NULL)
    g_hash_table_insert (ret, g_strdup (parts[0]), g_strdup (sides[1]));
}

/* "function NAME ARG... -> RET...", up to "end": the index of that line. */
static guint
parse_function (FlowGraph *graph,
                char     **lines,
                guint      i)
{
  g_auto(GStrv) words = g_strsplit (lines[i], " ", -1);
  guint arrow = 2;
  guint n_words = g_strv_length (words);
  FlowFunction *function = flow_function_new (words[1]);

  while (strcmp (words[arrow], "->") != 0)
    arrow++;
  function->signature = flow_op_signature_new (words[1], arrow - 2, n_words - arrow - 1, 0);
  function->attrs = flow_attr_list_new ();
  for (guint w = 2; w < arrow; w++)
    parse_arg (words[w], &function->signature->inputs[w - 2], NULL);
  for (guint w = arrow + 1; w < n_words; w++)
    parse_arg (words[w], &function->signature->outputs[w - arrow - 1], function->ret);
  for (i++; strcmp (g_strstrip (lines[i]), "end") != 0; i++)
    {
      g_auto(GStrv) node = g_strsplit (lines[i], " ", -1);
      char **inputs = NULL;
      FlowAttrList *attrs = parse_words (node, &inputs);

      g_ptr_array_add (function->nodes, flow_function_node_new (node[0], node[1], NULL, inputs, attrs));
    }
  flow_graph_take_function (graph, function);
  return i;
}

static void
parse_gradient (FlowGraph  *graph,
                const char *line)
{
  g_auto(GStrv) words = g_strsplit (line, " ", -1);

  flow_graph_find_function (graph, words[1])->gradient = g_strdup (words[2]);
}

FlowGraph *
flow_test_graph (const char *text)
{
  FlowGraph *graph = NULL;
  g_auto(GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr(GArray) defs = g_array_new (FALSE, TRUE, sizeof (FlowNodeDef));
  g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  g_autoptr(GPtrArray) lists = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_attr_list_unref);
  g_autoptr(GError) error = NULL;

  flow_kernels_register ();
  flow_test_register_ops ();
  graph = flow_graph_new ();
  for (guint i = 0; lines[i] != NULL; i++)
    {
      char **words = NULL;
      FlowNodeDef def = { 0 };
      char **input_names = NULL;

      g_strstrip (lines[i]);
      if (g_str_has_prefix (lines[i], "function "))
        i = parse_function (graph, lines, i);
      else if (g_str_has_prefix (lines[i], "gradient "))
        parse_gradient (graph, lines[i]);
      else if (*lines[i] != '\0')
        {
          words = g_strsplit_set (lines[i], " ", -1);
          g_ptr_array_add (kept, words);
          def.attrs = parse_words (words, &input_names);
          g_ptr_array_add (lists, def.attrs);
          g_ptr_array_add (kept, input_names);
          def.name = words[0];
          def.name_length = strlen (words[0]);
          def.op = words[1];
          def.inputs = (const char *const *) input_names;
          def.n_inputs = g_strv_length (input_names);
          def.offset = -1;
          g_array_append_val (defs, def);
        }
    }
  flow_graph_import (graph, (const FlowNodeDef *) (gpointer) defs->data, defs->len, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

/* --- a queue of floats ------------------------------------------------------------------------- */

typedef struct {
  FlowResource parent;
  GQueue tensors;
} TestQueue;

static void
unref_tensor (gpointer data)
{
  flow_tensor_unref (data);
}

static gpointer
ref_tensor (gconstpointer data,
            gpointer      unused)
{
  return flow_tensor_ref (data);
}

static void
queue_finalize (FlowResource *resource)
{
  g_queue_clear_full (&((TestQueue *) resource)->tensors, unref_tensor);
}

static gpointer
queue_save (FlowResource *resource)
{
  GQueue *copy = g_queue_copy (&((TestQueue *) resource)->tensors);

  g_queue_foreach (copy, (GFunc) (void *) ref_tensor, NULL);
  return copy;
}

static void
queue_restore (FlowResource *resource,
               gconstpointer saved)
{
  TestQueue *self = (TestQueue *) resource;

  g_queue_clear_full (&self->tensors, unref_tensor);
  for (GList *l = ((const GQueue *) saved)->head; l != NULL; l = l->next)
    g_queue_push_tail (&self->tensors, flow_tensor_ref (l->data));
}

static void
queue_saved_free (gpointer saved)
{
  g_queue_free_full (saved, unref_tensor);
}

static void
queue_visit (FlowResource        *resource,
             FlowResourceVisitor  visitor,
             gpointer             data)
{
  for (GList *l = ((TestQueue *) resource)->tensors.head; l != NULL; l = l->next)
    visitor ("element", l->data, data);
}

static char *
queue_describe (FlowResource *resource)
{
  return g_strdup_printf ("%u elements", g_queue_get_length (&((TestQueue *) resource)->tensors));
}

static const FlowResourceClass queue_class = {
  .type_name = "TestQueue",
  .finalize = queue_finalize,
  .save = queue_save,
  .restore = queue_restore,
  .saved_free = queue_saved_free,
  .visit = queue_visit,
  .describe = queue_describe,
};

static gboolean
queue_compute (FlowKernelContext *c,
               GError           **error)
{
  TestQueue *queue = flow_kernel_lookup (c, "", c->node_name, &queue_class, NULL);
  g_autoptr(FlowHandle) handle = NULL;

  if (queue == NULL)
    {
      queue = flow_resource_alloc (&queue_class, sizeof (TestQueue), "localhost", c->node_name);
      g_queue_init (&queue->tensors);
      if (!flow_kernel_publish (c, queue, error))
        return FALSE;
    }
  handle = flow_handle_new (queue->parent.container, queue->parent.name, "TestQueue", FLOW_DTYPE_FLOAT, NULL);
  flow_kernel_take_output (c, 0, flow_tensor_new_handle (handle));
  flow_resource_unref (queue);
  return TRUE;
}

static gboolean
enqueue_compute (FlowKernelContext *c,
                 GError           **error)
{
  TestQueue *queue = flow_kernel_lookup_handle (c, 0, &queue_class, error);

  if (queue == NULL)
    return FALSE;
  flow_kernel_will_write (c, queue);
  g_queue_push_tail (&queue->tensors, flow_tensor_ref (flow_kernel_input (c, 1)));
  flow_kernel_wrote (c, queue);
  flow_resource_unref (queue);
  return TRUE;
}

static gboolean
dequeue_compute (FlowKernelContext *c,
                 GError           **error)
{
  TestQueue *queue = flow_kernel_lookup_handle (c, 0, &queue_class, error);
  gboolean ok = TRUE;

  if (queue == NULL)
    return FALSE;
  if (flow_kernel_is_cancelled (c))
    {
      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_CANCELLED, "Dequeue operation was cancelled");
      ok = FALSE;
    }
  else if (g_queue_is_empty (&queue->tensors))
    ok = flow_kernel_wait (c, queue, "queue %s, 0 of 1", queue->parent.name);
  else
    {
      flow_kernel_will_write (c, queue);
      flow_kernel_take_output (c, 0, g_queue_pop_head (&queue->tensors));
      flow_kernel_wrote (c, queue);
    }
  flow_resource_unref (queue);
  return ok;
}

static guint n_effects;

static gboolean
effect_compute (FlowKernelContext *c,
                GError           **error)
{
  n_effects++;
  flow_kernel_take_output (c, 0, flow_tensor_new_float ((float) n_effects));
  return TRUE;
}

/* A function run whole, inside one op. */
static gboolean
call_compute (FlowKernelContext *c,
              GError           **error)
{
  FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *output = NULL;

  if (!flow_kernel_call_function (c, flow_kernel_attr (c, "f"), &input, 1, &output, 1, error))
    return FALSE;
  flow_kernel_take_output (c, 0, output);
  return TRUE;
}

static const FlowKernelDef call_kernels[] = { { NULL, call_compute, NULL, NULL }, { NULL } };
static const FlowKernelDef queue_kernels[] = { { NULL, queue_compute, NULL, NULL }, { NULL } };
static const FlowKernelDef enqueue_kernels[] = { { NULL, enqueue_compute, NULL, NULL }, { NULL } };
static const FlowKernelDef dequeue_kernels[] = { { NULL, dequeue_compute, NULL, NULL }, { NULL } };
static const FlowKernelDef effect_kernels[] = { { NULL, effect_compute, NULL, NULL }, { NULL } };

static const FlowOpDef ops[] = {
  { .name = "TestQueue", .inputs = "", .outputs = "handle: resource", .attrs = "", .summary = "a queue",
    .flags = FLOW_OP_STATEFUL, .infer = flow_infer_scalar_shape, .kernels = queue_kernels },
  { .name = "TestEnqueue", .inputs = "handle: resource; value: float", .outputs = "", .attrs = "", .summary = "puts",
    .flags = FLOW_OP_STATEFUL, .infer = flow_infer_no_outputs, .kernels = enqueue_kernels },
  { .name = "TestDequeue", .inputs = "handle: resource", .outputs = "value: float", .attrs = "", .summary = "takes",
    .flags = FLOW_OP_STATEFUL, .infer = flow_infer_unknown_shape, .kernels = dequeue_kernels },
  { .name = "TestEffect", .inputs = "", .outputs = "count: float", .attrs = "", .summary = "counts its executions",
    .flags = FLOW_OP_STATEFUL | FLOW_OP_OUTSIDE_EFFECT, .infer = flow_infer_scalar_shape, .kernels = effect_kernels },
  { .name = "TestCall", .inputs = "x: float", .outputs = "y: float", .attrs = "f: func", .summary = "calls a function",
    .flags = FLOW_OP_STATEFUL, .infer = flow_infer_unknown_shape, .kernels = call_kernels },
};

void
flow_test_register_ops (void)
{
  static gsize once = 0;

  if (g_once_init_enter (&once))
    {
      flow_op_registry_add (ops, G_N_ELEMENTS (ops), NULL);
      g_once_init_leave (&once, 1);
    }
}

guint
flow_test_get_n_effects (void)
{
  return n_effects;
}
