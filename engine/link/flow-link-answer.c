/* flow-link-answer.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-link-answer.h"

#include "flow-collection.h"
#include "flow-graph-pack.h"
#include "flow-model.h"

#define ANSWER_TYPE "(ba{sv}v)"
#define ERROR_TYPE "(sisss)"
#define COLLECTIONS_TYPE "a(sa(usmvaymsb))"

static GVariant *
state_of (FlowDebugger *debugger)
{
  g_autoptr (FlowDebugState) state = flow_debugger_dup_state (debugger);

  return flow_debug_state_to_variant (state);
}

GVariant *
_flow_link_answer_value (FlowDebugger *debugger,
                         GVariant     *value)
{
  return g_variant_new ("(b@a{sv}v)", TRUE, state_of (debugger), value);
}

GVariant *
_flow_link_answer_error (FlowDebugger *debugger,
                         const GError *error)
{
  g_autofree char *message = g_utf8_make_valid (error->message, -1);
  const char *node = flow_error_get_node (error);
  const char *type = flow_error_get_op_type (error);
  GVariant *what = g_variant_new (ERROR_TYPE, g_quark_to_string (error->domain), error->code, message,
                                  node != NULL ? node : "", type != NULL ? type : "");

  return g_variant_new ("(b@a{sv}v)", FALSE, state_of (debugger), what);
}

GVariant *
_flow_link_answer_open (GVariant  *answer,
                        GVariant **state,
                        GError   **error)
{
  g_autoptr (GVariant) value = NULL;
  const char *domain;
  const char *message;
  const char *node;
  const char *type;
  gboolean done;
  int code;

  *state = NULL;
  if (!g_variant_is_of_type (answer, G_VARIANT_TYPE (ANSWER_TYPE)))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "the engine's answer cannot be read");
      return NULL;
    }
  g_variant_get (answer, "(b@a{sv}v)", &done, state, &value);
  if (done)
    return g_steal_pointer (&value);
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE (ERROR_TYPE)))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "the engine's error cannot be read");
      return NULL;
    }
  g_variant_get (value, "(&si&s&s&s)", &domain, &code, &message, &node, &type);
  /* An engine cannot make up domains: it names one that we know, or its words are all that is left. */
  if (g_str_equal (domain, g_quark_to_string (G_IO_ERROR)))
    g_set_error_literal (error, G_IO_ERROR, code, message);
  else
    {
      g_set_error_literal (error, FLOW_ERROR,
                           g_str_equal (domain, g_quark_to_string (FLOW_ERROR)) ? code : FLOW_ERROR_UNKNOWN, message);
      if (error != NULL && *node != '\0')
        flow_error_set_node (*error, node, type);
    }
  return NULL;
}

static GVariant *
pack_item (const FlowCollectionItem *item)
{
  GVariant *encoded = item->encoded != NULL
                      ? g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, item->encoded, TRUE)
                      : g_variant_new_array (G_VARIANT_TYPE_BYTE, NULL, 0);

  return g_variant_new ("(us@mv@aymsb)", (guint) item->kind, item->name != NULL ? item->name : "",
                        g_variant_new_maybe (G_VARIANT_TYPE_VARIANT,
                                             item->fields != NULL ? g_variant_new_variant (item->fields) : NULL),
                        encoded, item->problem, item->name != NULL);
}

/* Bytes travel as tensors do, by memfd where they are many. */
static gboolean
add_bytes (GPtrArray  *tensors,
           GBytes     *bytes,
           GError    **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector ((gint64) g_bytes_get_size (bytes));
  FlowTensor *tensor = flow_tensor_new_from_bytes (FLOW_DTYPE_UINT8, shape, bytes, error);

  if (tensor == NULL)
    return FALSE;
  g_ptr_array_add (tensors, tensor);
  return TRUE;
}

/* Nodes from @first on, as a GraphDef and the definitions of what nobody else knows: what a script added. */
static GPtrArray *
pack_range (FlowGraph  *graph,
            guint       first,
            GError    **error)
{
  g_autoptr (GPtrArray) pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  GBytes *bytes = flow_graph_to_bytes_from (graph, first, error);

  if (bytes == NULL)
    return NULL;
  g_ptr_array_add (pieces, bytes);
  bytes = flow_graph_write_op_list (graph, error);
  if (bytes == NULL)
    return NULL;
  g_ptr_array_add (pieces, bytes);
  return g_steal_pointer (&pieces);
}

GVariant *
_flow_link_graph_pack (FlowGraph   *graph,
                       guint        first,
                       GPtrArray  **tensors,
                       GError     **error)
{
  g_autoptr (GPtrArray) pieces = first > 0 ? pack_range (graph, first, error) : flow_graph_pack (graph, error);
  GVariantBuilder collections;

  if (pieces == NULL)
    return NULL;
  *tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) (void (*) (void)) flow_tensor_unref);
  for (guint i = 0; i < pieces->len; i++)
    if (!add_bytes (*tensors, pieces->pdata[i], error))
      {
        g_clear_pointer (tensors, g_ptr_array_unref);
        return NULL;
      }
  g_variant_builder_init (&collections, G_VARIANT_TYPE (COLLECTIONS_TYPE));
  for (guint i = 0; i < flow_graph_get_n_collections (graph); i++)
    {
      const char *key = flow_graph_get_collection_key (graph, i);
      GPtrArray *items = flow_graph_get_collection (graph, key);

      g_variant_builder_open (&collections, G_VARIANT_TYPE ("(sa(usmvaymsb))"));
      g_variant_builder_add (&collections, "s", key);
      g_variant_builder_open (&collections, G_VARIANT_TYPE ("a(usmvaymsb)"));
      for (guint k = 0; k < items->len; k++)
        g_variant_builder_add_value (&collections, pack_item (items->pdata[k]));
      g_variant_builder_close (&collections);
      g_variant_builder_close (&collections);
    }
  return g_variant_builder_end (&collections);
}

static FlowCollectionItem *
unpack_item (GVariant *row)
{
  g_autoptr (GVariant) fields = NULL;
  g_autoptr (GVariant) encoded = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *problem = NULL;
  FlowCollectionItem *item;
  const char *name;
  gboolean has_name;
  guint kind;

  g_variant_get (row, "(u&smv@aymsb)", &kind, &name, &fields, &encoded, &problem, &has_name);
  if (g_variant_n_children (encoded) > 0)
    bytes = g_variant_get_data_as_bytes (encoded);
  item = flow_collection_item_new ((FlowCollectionKind) MIN (kind, (guint) FLOW_COLLECTION_BYTES),
                                   has_name ? name : NULL, fields, bytes);
  item->problem = g_steal_pointer (&problem);
  return item;
}

static void
unpack_collections (FlowGraph *graph,
                    GVariant  *value)
{
  flow_graph_clear_collections (graph);
  for (gsize i = 0; i < g_variant_n_children (value); i++)
    {
      g_autoptr (GVariant) row = g_variant_get_child_value (value, i);
      g_autoptr (GVariant) items = g_variant_get_child_value (row, 1);
      GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_collection_item_free);
      const char *key;

      g_variant_get_child (row, 0, "&s", &key);
      for (gsize k = 0; k < g_variant_n_children (items); k++)
        {
          g_autoptr (GVariant) item = g_variant_get_child_value (items, k);

          g_ptr_array_add (list, unpack_item (item));
        }
      flow_graph_set_collection (graph, key, list);
    }
}

static gboolean
check_collections (GVariant  *value,
                   GError   **error)
{
  FLOW_REQUIRE (g_variant_is_of_type (value, G_VARIANT_TYPE (COLLECTIONS_TYPE)), error, INTERNAL,
                "the engine's graph cannot be read");
  return TRUE;
}

FlowGraph *
_flow_link_graph_unpack (GVariant   *value,
                         GPtrArray  *tensors,
                         GError    **error)
{
  g_autoptr (GPtrArray) pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  FlowGraph *graph = NULL;

  if (!check_collections (value, error))
    return NULL;
  for (guint i = 0; i < tensors->len; i++)
    {
      GBytes *piece = flow_tensor_dup_bytes (tensors->pdata[i]);

      g_ptr_array_add (pieces, piece != NULL ? piece : g_bytes_new (NULL, 0));
    }
  graph = flow_graph_unpack (pieces, error);
  if (graph != NULL)
    unpack_collections (graph, value);
  return graph;
}

gboolean
_flow_link_graph_extend (FlowGraph  *graph,
                         GVariant   *value,
                         GPtrArray  *tensors,
                         GError    **error)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) op_list = NULL;
  g_autoptr (GPtrArray) problems = NULL;

  if (!check_collections (value, error))
    return FALSE;
  FLOW_REQUIRE (tensors->len == 2, error, INTERNAL, "the engine's graph cannot be read: %u pieces", tensors->len);
  bytes = flow_tensor_dup_bytes (tensors->pdata[0]);
  op_list = flow_tensor_dup_bytes (tensors->pdata[1]);
  problems = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_problem_free);
  if (!flow_graph_take_op_list (graph, op_list, error) || !flow_graph_extend_from_bytes (graph, bytes, problems, error))
    return FALSE;
  unpack_collections (graph, value);
  return TRUE;
}
