/* flow-load-collection.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-formats-private.h"

#include <string.h>

#define ITEM_COST 160
/* A collection with a million bad entries is one problem, not a million. */
#define MAX_PROBLEMS 20

/* What the entries of a bytes_list are, by the collection's key: TensorFlow registers a message
 * for each of these and for no other. */
static const struct {
  const char *key;
  FlowCollectionKind kind;
  FlowProtoMessageId message;
  const char *name_field;
} known_keys[] = {
  { "variables", FLOW_COLLECTION_VARIABLE, FLOW_MESSAGE_VARIABLE_DEF, "variable_name" },
  { "trainable_variables", FLOW_COLLECTION_VARIABLE, FLOW_MESSAGE_VARIABLE_DEF, "variable_name" },
  { "local_variables", FLOW_COLLECTION_VARIABLE, FLOW_MESSAGE_VARIABLE_DEF, "variable_name" },
  { "model_variables", FLOW_COLLECTION_VARIABLE, FLOW_MESSAGE_VARIABLE_DEF, "variable_name" },
  { "metric_variables", FLOW_COLLECTION_VARIABLE, FLOW_MESSAGE_VARIABLE_DEF, "variable_name" },
  { "moving_average_variables", FLOW_COLLECTION_VARIABLE, FLOW_MESSAGE_VARIABLE_DEF, "variable_name" },
  { "global_step", FLOW_COLLECTION_VARIABLE, FLOW_MESSAGE_VARIABLE_DEF, "variable_name" },
  { "savers", FLOW_COLLECTION_SAVER, FLOW_MESSAGE_SAVER_DEF, "save_tensor_name" },
  { "queue_runners", FLOW_COLLECTION_QUEUE_RUNNER, FLOW_MESSAGE_QUEUE_RUNNER_DEF, "queue_name" },
  { "cond_context", FLOW_COLLECTION_COND_CONTEXT, FLOW_MESSAGE_COND_CONTEXT_DEF, "context_name" },
  { "while_context", FLOW_COLLECTION_WHILE_CONTEXT, FLOW_MESSAGE_WHILE_CONTEXT_DEF, "context_name" },
};

typedef struct {
  FlowLoad *load;
  const char *key;
  FlowGraph *graph;
  GPtrArray *items;
  int known;                   /* index into known_keys, -1 for other keys */
  guint n_problems;
} Collection;

static int
find_known (const char *key)
{
  for (guint i = 0; i < G_N_ELEMENTS (known_keys); i++)
    if (strcmp (known_keys[i].key, key) == 0)
      return (int) i;
  return -1;
}

static void
take_problem (Collection         *c,
              FlowCollectionItem *item,
              GError             *error,
              gsize               offset)
{
  g_autofree char *field = g_strdup_printf ("collection_def[%s][%u]", c->key, c->items->len);

  if (c->n_problems++ < MAX_PROBLEMS)
    _flow_load_add_problem (c->load, 1, error, field, (gint64) offset);
  if (item->problem == NULL)
    item->problem = g_strdup (error->message);
  g_error_free (error);
}

/* Whether a name that an item holds is in the graph: a tensor `a/b:0` or an op `a/b`. */
static void
check_name (Collection         *c,
            FlowCollectionItem *item,
            const char         *name,
            gsize               offset)
{
  if (name == NULL || *name == '\0' || flow_graph_find_op (c->graph, name) != FLOW_NODE_NONE)
    return;
  take_problem (c, item,
                g_error_new (FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                             "The name '%s' refers to a Tensor or Operation which is not in the graph",
                             name), offset);
}

static gboolean
add_item (Collection         *c,
          FlowProtoReader    *r,
          FlowCollectionItem *item)
{
  if (!_flow_load_charge (c->load, r, ITEM_COST))
    {
      flow_collection_item_free (item);
      return FALSE;
    }
  g_ptr_array_add (c->items, item);
  return TRUE;
}

static void
load_node_list (Collection      *c,
                FlowProtoReader *r)
{
  while (flow_proto_reader_next (r))
    {
      FlowCollectionItem *item;
      char *name = NULL;

      if (r->field != 1 || !flow_proto_reader_dup_string (r, &name))
        continue;
      item = flow_collection_item_new (FLOW_COLLECTION_NODE, name, g_variant_new_string (name), NULL);
      check_name (c, item, name, flow_proto_reader_get_offset (r));
      g_free (name);
      if (!add_item (c, r, item))
        return;
    }
}

/* One message of a bytes_list. Whatever it holds, it becomes an item: damage is the item's problem. */
static FlowCollectionItem *
decode_message (Collection      *c,
                FlowProtoReader *r)
{
  g_autoptr (GBytes) encoded = NULL;
  g_autoptr (GVariant) fields = NULL;
  FlowCollectionItem *item;
  FlowProtoReader inner;
  GError *error = NULL;
  const char *name;

  encoded = g_bytes_new_from_bytes (c->load->file, (gsize) (r->data - c->load->base), r->size);
  flow_proto_reader_init_part (&inner, c->load->base, r->data, r->size, r->depth + 1);
  fields = _flow_load_variant (c->load, &flow_proto_messages[known_keys[c->known].message], &inner);
  if (fields == NULL)
    {
      item = flow_collection_item_new (FLOW_COLLECTION_BYTES, NULL, NULL, encoded);
      if (c->load->error != NULL)
        error = g_steal_pointer (&c->load->error);
      else
        error = g_error_new (FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "it is no %s: %s, at byte %"
                             G_GSIZE_FORMAT,
                             flow_proto_messages[known_keys[c->known].message].name,
                             inner.source->problem, flow_proto_reader_get_offset (&inner));
      take_problem (c, item, error, flow_proto_reader_get_offset (&inner));
      return item;
    }
  if (!g_variant_lookup (fields, known_keys[c->known].name_field, "&s", &name))
    name = NULL;
  item = flow_collection_item_new (known_keys[c->known].kind, name, fields, encoded);
  return item;
}

static void
check_item (Collection         *c,
            FlowCollectionItem *item,
            gsize               offset)
{
  static const char *const names[] = {
    "variable_name", "initializer_name", "snapshot_name", "initial_value_name", "queue_name",
    "close_op_name", "cancel_op_name", "pred_name", "pivot_name", "pivot_for_pred_name",
    "pivot_for_body_name", "maximum_iterations_name", "filename_tensor_name", "save_tensor_name",
    "restore_op_name",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    check_name (c, item, flow_collection_item_get_text (item, names[i]), offset);
}

static void
load_bytes_list (Collection      *c,
                 FlowProtoReader *r)
{
  while (flow_proto_reader_next (r))
    {
      FlowCollectionItem *item;

      if (r->field != 1 || r->wire != FLOW_WIRE_BYTES)
        continue;
      if (c->known >= 0)
        {
          item = decode_message (c, r);
          check_item (c, item, flow_proto_reader_get_offset (r));
        }
      else
        {
          g_autoptr (GBytes) encoded = NULL;
          g_autofree char *text = NULL;

          encoded = g_bytes_new_from_bytes (c->load->file, (gsize) (r->data - c->load->base), r->size);
          if (g_utf8_validate_len ((const char *) r->data, r->size, NULL))
            text = g_strndup ((const char *) r->data, r->size);
          item = flow_collection_item_new (FLOW_COLLECTION_BYTES, NULL,
                                           text != NULL ? g_variant_new_string (text) : NULL, encoded);
        }
      if (!add_item (c, r, item))
        return;
    }
}

static void
load_int_list (Collection      *c,
               FlowProtoReader *r)
{
  guint64 number;

  while (flow_proto_reader_next (r))
    while (r->field == 1 && flow_proto_reader_each_varint (r, &number))
      if (!add_item (c, r, flow_collection_item_new (FLOW_COLLECTION_INT, NULL,
                                                     g_variant_new_int64 ((gint64) number), NULL)))
        return;
}

static void
load_float_list (Collection      *c,
                 FlowProtoReader *r)
{
  float number;

  while (flow_proto_reader_next (r))
    while (r->field == 1 && flow_proto_reader_each_float (r, &number))
      if (!add_item (c, r, flow_collection_item_new (FLOW_COLLECTION_FLOAT, NULL,
                                                     g_variant_new_double (number), NULL)))
        return;
}

static void
load_any_list (Collection      *c,
               FlowProtoReader *r)
{
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    {
      g_autoptr (GBytes) encoded = NULL;
      GVariant *fields;

      if (r->field != 1 || !flow_proto_reader_enter (r, &sub))
        continue;
      encoded = g_bytes_new_from_bytes (c->load->file, (gsize) (r->data - c->load->base), r->size);
      fields = _flow_load_variant (c->load, &flow_proto_messages[FLOW_MESSAGE_ANY], &sub);
      if (fields == NULL)
        return;
      if (!add_item (c, r, flow_collection_item_new (FLOW_COLLECTION_ANY, NULL, fields, encoded)))
        {
          g_variant_unref (fields);
          return;
        }
      g_variant_unref (fields);
    }
}

/* Decodes a CollectionDef into items. FALSE when the message itself is damaged: @reader has failed
 * then. Bad entries are problems and stand among the items as they are. */
gboolean
_flow_load_collection (FlowLoad        *self,
                       FlowProtoReader *reader,
                       const char      *key,
                       FlowGraph       *graph,
                       GPtrArray       *items)
{
  Collection c = { self, key, graph, items, find_known (key), 0 };
  FlowProtoReader sub;

  while (flow_proto_reader_next (reader))
    {
      if (!flow_proto_reader_enter (reader, &sub))
        continue;
      switch (reader->field)
        {
        case 1: load_node_list (&c, &sub); break;
        case 2: load_bytes_list (&c, &sub); break;
        case 3: load_int_list (&c, &sub); break;
        case 4: load_float_list (&c, &sub); break;
        case 5: load_any_list (&c, &sub); break;
        default: break;
        }
    }
  return !flow_proto_reader_failed (reader);
}
