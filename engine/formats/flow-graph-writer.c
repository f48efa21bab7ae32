/* flow-graph-writer.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-model-private.h"

#include <string.h>

/* --- Attrs --- */

static void
write_tensor (FlowProtoWriter *w,
              guint32          field,
              const FlowAttr  *attr)
{
  GBytes *encoded = flow_attr_get_encoded (attr);
  g_autoptr (FlowTensor) tensor = NULL;
  gsize size;
  gconstpointer data;

  if (encoded != NULL)
    {
      data = g_bytes_get_data (encoded, &size);
      flow_proto_writer_add_bytes (w, field, data, size);
      return;
    }
  tensor = flow_attr_dup_tensor (attr, NULL);
  flow_proto_writer_begin (w, field);
  if (tensor != NULL)
    flow_tensor_write_proto (tensor, w);
  flow_proto_writer_end (w);
}

/* A single value under its number in AttrValue, or in ListValue when it is an element. */
static void
write_item (FlowProtoWriter *w,
            const FlowAttr  *attr,
            gboolean         is_element)
{
  const char *text;
  gsize length;

  switch (flow_attr_get_kind (attr))
    {
    case FLOW_ATTR_STRING:
      text = flow_attr_get_string (attr, &length);
      flow_proto_writer_add_bytes (w, 2, text, length);
      break;
    case FLOW_ATTR_INT:
      flow_proto_writer_add_int (w, 3, flow_attr_get_int (attr));
      break;
    case FLOW_ATTR_FLOAT:
      flow_proto_writer_add_float (w, 4, flow_attr_get_float (attr));
      break;
    case FLOW_ATTR_BOOL:
      flow_proto_writer_add_int (w, 5, flow_attr_get_bool (attr) ? 1 : 0);
      break;
    case FLOW_ATTR_TYPE:
      flow_proto_writer_add_int (w, 6, flow_attr_get_dtype (attr));
      break;
    case FLOW_ATTR_SHAPE:
      flow_proto_writer_begin (w, 7);
      if (flow_attr_get_shape (attr) != NULL)
        flow_shape_write_proto (flow_attr_get_shape (attr), w);
      flow_proto_writer_end (w);
      break;
    case FLOW_ATTR_TENSOR:
      write_tensor (w, 8, attr);
      break;
    case FLOW_ATTR_FUNC:
      flow_proto_writer_begin (w, is_element ? 9 : 10);
      flow_proto_writer_set_string (w, 1, flow_attr_get_func_name (attr));
      if (flow_attr_get_func_attrs (attr) != NULL)
        _flow_write_attrs (w, 2, flow_attr_get_func_attrs (attr));
      flow_proto_writer_end (w);
      break;
    case FLOW_ATTR_PLACEHOLDER:
      text = flow_attr_get_string (attr, &length);
      flow_proto_writer_add_bytes (w, 9, text, length);
      break;
    case FLOW_ATTR_NONE:
    default:
      break;
    }
}

/* Numbers of a list are packed, floats too. */
static void
write_list (FlowProtoWriter *w,
            const FlowAttr  *attr)
{
  FlowAttrKind kind = flow_attr_get_kind (attr);
  gsize n = flow_attr_get_length (attr);
  gboolean is_packed = kind == FLOW_ATTR_INT || kind == FLOW_ATTR_BOOL || kind == FLOW_ATTR_TYPE ||
                       kind == FLOW_ATTR_FLOAT;
  guint32 field = kind == FLOW_ATTR_INT ? 3 : kind == FLOW_ATTR_FLOAT ? 4 : kind == FLOW_ATTR_BOOL ? 5 : 6;

  flow_proto_writer_begin (w, 1);
  if (is_packed && n > 0)
    flow_proto_writer_begin (w, field);
  for (gsize i = 0; i < n; i++)
    {
      const FlowAttr *item = flow_attr_get_item (attr, i);
      float single;

      if (!is_packed)
        write_item (w, item, TRUE);
      else if (kind == FLOW_ATTR_FLOAT)
        {
          single = flow_attr_get_float (item);
          flow_proto_writer_append (w, &single, sizeof single);
        }
      else
        flow_proto_writer_append_varint (w, kind == FLOW_ATTR_INT ? (guint64) flow_attr_get_int (item)
                                            : kind == FLOW_ATTR_BOOL ? (guint64) flow_attr_get_bool (item)
                                            : (guint64) (gint64) flow_attr_get_dtype (item));
    }
  if (is_packed && n > 0)
    flow_proto_writer_end (w);
  flow_proto_writer_end (w);
}

static void
write_attr (FlowProtoWriter *w,
            const FlowAttr  *attr)
{
  if (flow_attr_is_list (attr))
    write_list (w, attr);
  else
    write_item (w, attr, FALSE);
}

static int
compare_names (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  FlowAttrList *attrs = data;

  return strcmp (flow_attr_list_get_name (attrs, *(const guint *) a),
                 flow_attr_list_get_name (attrs, *(const guint *) b));
}

/* A map from name to AttrValue, by name. */
void
_flow_write_attrs (FlowProtoWriter *w,
                   guint32          field,
                   FlowAttrList    *attrs)
{
  guint n = flow_attr_list_get_length (attrs);
  g_autofree guint *order = g_new (guint, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, (int) n, sizeof *order, compare_names, attrs);
  for (guint i = 0; i < n; i++)
    {
      flow_proto_writer_begin (w, field);
      flow_proto_writer_add_string (w, 1, flow_attr_list_get_name (attrs, order[i]));
      flow_proto_writer_begin (w, 2);
      write_attr (w, flow_attr_list_get_value (attrs, order[i]));
      flow_proto_writer_end (w);
      flow_proto_writer_end (w);
    }
}

/* --- Nodes --- */

static void
write_node (FlowProtoWriter *w,
            FlowGraph       *graph,
            guint32          node)
{
  FlowAttrList *attrs = flow_graph_get_node_attrs (graph, node);
  const FlowEndpoint *inputs;
  guint n_data;
  guint n_control;

  flow_proto_writer_begin (w, 1);
  flow_proto_writer_set_string (w, 1, flow_graph_get_node_name (graph, node));
  flow_proto_writer_set_string (w, 2, flow_graph_get_node_type (graph, node));
  inputs = flow_graph_peek_inputs (graph, node, &n_data, &n_control);
  for (guint i = 0; i < n_data + n_control; i++)
    {
      const char *name = flow_graph_get_node_name (graph, inputs[i].node);
      g_autofree char *text = NULL;

      if (inputs[i].slot == FLOW_SLOT_CONTROL)
        text = g_strconcat ("^", name, NULL);
      else if (inputs[i].slot > 0)
        text = g_strdup_printf ("%s:%d", name, inputs[i].slot);
      flow_proto_writer_add_string (w, 3, text != NULL ? text : name);
    }
  flow_proto_writer_set_string (w, 4, flow_graph_get_node_device (graph, node));
  if (attrs != NULL)
    _flow_write_attrs (w, 5, attrs);
  flow_proto_writer_end (w);
}

/* --- Functions --- */

static void
write_args (FlowProtoWriter  *w,
            guint32           field,
            const FlowArgDef *args,
            guint             n_args)
{
  for (guint i = 0; i < n_args; i++)
    {
      flow_proto_writer_begin (w, field);
      flow_proto_writer_set_string (w, 1, args[i].name);
      flow_proto_writer_set_int (w, 3, args[i].dtype);
      flow_proto_writer_set_string (w, 4, args[i].type_attr);
      flow_proto_writer_set_string (w, 5, args[i].number_attr);
      flow_proto_writer_set_string (w, 6, args[i].type_list_attr);
      flow_proto_writer_set_int (w, 16, args[i].is_ref ? 1 : 0);
      flow_proto_writer_end (w);
    }
}

static void
write_allowed_values (FlowProtoWriter   *w,
                      const FlowAttrDef *def)
{
  if (def->allowed_types == 0 && def->allowed_strings == NULL)
    return;
  flow_proto_writer_begin (w, 7);
  flow_proto_writer_begin (w, 1);
  for (guint i = 0; def->allowed_strings != NULL && def->allowed_strings[i] != NULL; i++)
    flow_proto_writer_add_string (w, 2, def->allowed_strings[i]);
  if (def->allowed_types != 0)
    {
      flow_proto_writer_begin (w, 6);
      for (guint dtype = 0; dtype < FLOW_N_DTYPES; dtype++)
        if ((def->allowed_types & FLOW_DTYPE_BIT (dtype)) != 0)
          flow_proto_writer_append_varint (w, dtype);
      flow_proto_writer_end (w);
    }
  flow_proto_writer_end (w);
  flow_proto_writer_end (w);
}

/* A function's signature also names what its effects are called: the keys of @control_ret. */
static void
write_op_def (FlowProtoWriter       *w,
              guint32                field,
              const FlowOpSignature *signature,
              GHashTable            *control_ret)
{
  g_autoptr (GList) effects = control_ret != NULL ? g_list_sort (g_hash_table_get_keys (control_ret), (GCompareFunc) strcmp)
                                                  : NULL;
  static const char *const kinds[] = {
    [FLOW_ATTR_STRING] = "string", [FLOW_ATTR_INT] = "int", [FLOW_ATTR_FLOAT] = "float",
    [FLOW_ATTR_BOOL] = "bool", [FLOW_ATTR_TYPE] = "type", [FLOW_ATTR_SHAPE] = "shape",
    [FLOW_ATTR_TENSOR] = "tensor", [FLOW_ATTR_FUNC] = "func",
  };

  flow_proto_writer_begin (w, field);
  flow_proto_writer_set_string (w, 1, signature->name);
  write_args (w, 2, signature->inputs, signature->n_inputs);
  write_args (w, 3, signature->outputs, signature->n_outputs);
  for (guint i = 0; i < signature->n_attrs; i++)
    {
      const FlowAttrDef *def = &signature->attrs[i];
      const char *kind = def->kind < G_N_ELEMENTS (kinds) ? kinds[def->kind] : NULL;
      g_autofree char *list = def->is_list && kind != NULL ? g_strdup_printf ("list(%s)", kind) : NULL;

      flow_proto_writer_begin (w, 4);
      flow_proto_writer_set_string (w, 1, def->name);
      flow_proto_writer_set_string (w, 2, list != NULL ? list : kind);
      if (def->default_value != NULL)
        {
          flow_proto_writer_begin (w, 3);
          write_attr (w, def->default_value);
          flow_proto_writer_end (w);
        }
      flow_proto_writer_set_int (w, 5, def->has_minimum ? 1 : 0);
      flow_proto_writer_set_int (w, 6, def->minimum);
      write_allowed_values (w, def);
      flow_proto_writer_end (w);
    }
  flow_proto_writer_set_int (w, 16, (signature->flags & FLOW_OP_AGGREGATE) != 0);
  flow_proto_writer_set_int (w, 17, (signature->flags & FLOW_OP_STATEFUL) != 0);
  flow_proto_writer_set_int (w, 18, (signature->flags & FLOW_OP_COMMUTATIVE) != 0);
  flow_proto_writer_set_int (w, 19, (signature->flags & FLOW_OP_ALLOWS_UNINITIALIZED) != 0);
  for (GList *l = effects; l != NULL; l = l->next)
    flow_proto_writer_add_string (w, 20, l->data);
  flow_proto_writer_end (w);
}

static int
compare_types (gconstpointer a,
               gconstpointer b)
{
  const FlowOpSignature *const *x = a;
  const FlowOpSignature *const *y = b;

  return strcmp ((*x)->name, (*y)->name);
}

/**
 * flow_graph_write_op_list: (skip)
 * @self: a graph
 * @error: return location
 *
 * Writes the definitions that a file brought for op types we do not know, so that another process can
 * make the same graph of flow_graph_to_bytes(); see flow_graph_take_op_list().
 *
 * Returns: (transfer full) (nullable): an OpList, sorted by type, as MetaInfoDef's stripped_op_list is
 */
GBytes *
flow_graph_write_op_list (FlowGraph  *self,
                          GError    **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) signatures = g_ptr_array_new ();
  FlowProtoWriter w;

  g_return_val_if_fail (FLOW_IS_GRAPH (self), NULL);

  for (guint32 i = 0; i < flow_graph_get_n_nodes (self); i++)
    {
      const FlowOpSignature *signature = flow_graph_get_signature (self, i);

      if (signature->op == NULL && !signature->is_guess &&
          flow_graph_find_function (self, signature->name) == NULL &&
          g_hash_table_add (seen, (gpointer) signature))
        g_ptr_array_add (signatures, (gpointer) signature);
    }
  g_ptr_array_sort (signatures, compare_types);
  flow_proto_writer_init (&w);
  for (guint i = 0; i < signatures->len; i++)
    write_op_def (&w, 1, signatures->pdata[i], NULL);
  return flow_proto_writer_finish (&w, error);
}

/* A map from string to string, by key. */
static void
write_string_map (FlowProtoWriter *w,
                  guint32          field,
                  GHashTable      *map)
{
  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (map), (GCompareFunc) strcmp);

  for (GList *l = keys; l != NULL; l = l->next)
    {
      flow_proto_writer_begin (w, field);
      flow_proto_writer_add_string (w, 1, l->data);
      flow_proto_writer_add_string (w, 2, g_hash_table_lookup (map, l->data));
      flow_proto_writer_end (w);
    }
}

static void
write_function (FlowProtoWriter    *w,
                const FlowFunction *function)
{
  flow_proto_writer_begin (w, 1);
  if (function->signature != NULL)
    write_op_def (w, 1, function->signature, function->control_ret);
  for (guint i = 0; i < function->nodes->len; i++)
    {
      const FlowFunctionNode *node = function->nodes->pdata[i];

      flow_proto_writer_begin (w, 3);
      flow_proto_writer_set_string (w, 1, node->name);
      flow_proto_writer_set_string (w, 2, node->op);
      for (guint k = 0; node->inputs != NULL && node->inputs[k] != NULL; k++)
        flow_proto_writer_add_string (w, 3, node->inputs[k]);
      flow_proto_writer_set_string (w, 4, node->device);
      if (node->attrs != NULL)
        _flow_write_attrs (w, 5, node->attrs);
      flow_proto_writer_end (w);
    }
  write_string_map (w, 4, function->ret);
  if (function->attrs != NULL)
    _flow_write_attrs (w, 5, function->attrs);
  write_string_map (w, 6, function->control_ret);
  flow_proto_writer_end (w);
}

static void
write_library (FlowProtoWriter *w,
               FlowGraph       *graph)
{
  guint n = flow_graph_get_n_functions (graph);

  if (n == 0)
    return;
  flow_proto_writer_begin (w, 2);
  for (guint i = 0; i < n; i++)
    write_function (w, flow_graph_get_function (graph, i));
  for (guint i = 0; i < n; i++)
    {
      const FlowFunction *function = flow_graph_get_function (graph, i);

      if (function->gradient == NULL)
        continue;
      flow_proto_writer_begin (w, 2);
      flow_proto_writer_set_string (w, 1, function->name);
      flow_proto_writer_set_string (w, 2, function->gradient);
      flow_proto_writer_end (w);
    }
  flow_proto_writer_end (w);
}

/**
 * flow_graph_to_bytes_from: (skip)
 * @self: a graph
 * @first_node: the first node to write
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the nodes from @first_node on, the function library and the
 *   versions as a GraphDef; %NULL with `FLOW_ERROR_RESOURCE_EXHAUSTED` beyond the format's 2 GiB
 */
GBytes *
flow_graph_to_bytes_from (FlowGraph  *self,
                          guint       first_node,
                          GError    **error)
{
  FlowProtoWriter w;
  guint n;

  g_return_val_if_fail (FLOW_IS_GRAPH (self), NULL);

  flow_proto_writer_init (&w);
  n = flow_graph_get_n_nodes (self);
  for (guint32 i = first_node; i < n; i++)
    write_node (&w, self, i);
  write_library (&w, self);
  flow_proto_writer_begin (&w, 4);
  flow_proto_writer_set_int (&w, 1, flow_graph_get_producer (self));
  flow_proto_writer_set_int (&w, 2, flow_graph_get_min_consumer (self));
  flow_proto_writer_end_or_drop (&w);
  return flow_proto_writer_finish (&w, error);
}

/**
 * flow_graph_to_bytes: (skip)
 * @self: a graph
 * @error: return location
 *
 * Writes a graph as a GraphDef: nodes in their order, attrs by name, output 0 without a number, so
 * that equal graphs give equal bytes. Constants of a file are copied as they stood.
 *
 * Returns: (transfer full) (nullable): the GraphDef; %NULL with `FLOW_ERROR_RESOURCE_EXHAUSTED` beyond
 *   the format's 2 GiB
 */
GBytes *
flow_graph_to_bytes (FlowGraph  *self,
                     GError    **error)
{
  return flow_graph_to_bytes_from (self, 0, error);
}

/**
 * flow_model_to_meta_graph: (skip)
 * @self: a model
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the MetaGraphDef that was opened, byte for byte; of a GraphDef one
 *   that holds it
 */
GBytes *
flow_model_to_meta_graph (FlowModel  *self,
                          GError    **error)
{
  FlowProtoWriter w;
  gconstpointer data;
  gsize size;

  g_return_val_if_fail (FLOW_IS_MODEL (self), NULL);

  if (self->meta_bytes != NULL)
    return g_bytes_ref (self->meta_bytes);
  data = g_bytes_get_data (self->graph_bytes, &size);
  flow_proto_writer_init (&w);
  flow_proto_writer_add_bytes (&w, 2, data, size);
  return flow_proto_writer_finish (&w, error);
}
