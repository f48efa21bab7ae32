/* flow-convert.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-model-private.h"

#include "flow-text-proto.h"

#include <string.h>

static const FlowProtoMessageId messages[] = {
  [FLOW_MODEL_GRAPH_DEF] = FLOW_MESSAGE_GRAPH_DEF,
  [FLOW_MODEL_META_GRAPH] = FLOW_MESSAGE_META_GRAPH_DEF,
  [FLOW_MODEL_SAVED_MODEL] = FLOW_MESSAGE_SAVED_MODEL,
  [FLOW_MODEL_SESSION_BUNDLE] = FLOW_MESSAGE_META_GRAPH_DEF,
  [FLOW_MODEL_EVENT_FILE] = FLOW_MESSAGE_GRAPH_DEF,
};

/* The sub-message of number 2, which is the graph of a MetaGraphDef and the (first) meta graph of a
 * SavedModel; empty when there is none. */
static GBytes *
take_second_field (GBytes      *bytes,
                   const char  *label,
                   GError     **error)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  GBytes *found = NULL;
  FlowProtoReader r;

  flow_proto_reader_init (&r, data, size);
  while (flow_proto_reader_next (&r))
    if (found == NULL && r.field == 2 && r.wire == FLOW_WIRE_BYTES)
      found = g_bytes_new_from_bytes (bytes, (gsize) (r.data - data), r.size);
  if (!flow_proto_reader_finish (&r, label, error))
    {
      g_clear_pointer (&found, g_bytes_unref);
      return NULL;
    }
  return found != NULL ? found : g_bytes_new_static ("", 0);
}

static GBytes *
wrap_as_field (GBytes   *bytes,
               guint32   number,
               GError  **error)
{
  FlowProtoWriter writer;
  gsize size;
  gconstpointer data = g_bytes_get_data (bytes, &size);

  flow_proto_writer_init (&writer);
  flow_proto_writer_add_bytes (&writer, number, data, size);
  return flow_proto_writer_finish (&writer, error);
}

/* From one container to another: GraphDef inside MetaGraphDef inside SavedModel. */
static GBytes *
change_kind (GBytes         *bytes,
             FlowModelKind   from,
             FlowModelKind   to,
             const char     *label,
             GError        **error)
{
  g_autoptr (GBytes) message = g_bytes_ref (bytes);

  while (from != to && message != NULL)
    {
      GBytes *next = from > to ? take_second_field (message, label, error)
                               : wrap_as_field (message, 2, error);

      g_bytes_unref (message);
      message = next;
      from = from > to ? from - 1 : from + 1;
    }
  return g_steal_pointer (&message);
}

/* Replaces an event file by the graph in it. */
static gboolean
take_graph_of_events (GBytes      **bytes,
                      const char   *label,
                      FlowBudget   *budget,
                      GError      **error)
{
  g_autoptr (FlowEventFile) events = flow_event_file_load_bytes (bytes, 1, &label, budget, NULL, error);
  gboolean is_meta_graph;
  GBytes *graph;

  if (events == NULL)
    return FALSE;
  graph = flow_event_file_dup_graph (events, &is_meta_graph, NULL);
  FLOW_REQUIRE (graph != NULL, error, NOT_FOUND, "%s holds events, but no graph", label);
  g_bytes_unref (*bytes);
  *bytes = graph;
  return TRUE;
}

/**
 * flow_model_convert_bytes: (skip)
 * @bytes: a GraphDef, MetaGraphDef or SavedModel, binary or text, or an event file with a graph, perhaps packed
 * @label: what to call it in messages
 * @kind: what it shall become; of several meta graphs the first is taken
 * @as_text: whether in text format
 * @error: return location
 *
 * Converts between files of one model. What stays what it is comes out byte for byte; binary made from
 * text is in the official order, so that converting again changes nothing.
 *
 * Returns: (transfer full) (nullable): the other file; %NULL as in flow_model_load_bytes()
 */
GBytes *
flow_model_convert_bytes (GBytes         *bytes,
                          const char     *label,
                          FlowModelKind   kind,
                          gboolean        as_text,
                          GError        **error)
{
  g_autoptr (FlowBudget) budget = flow_budget_new (flow_budget_default_limit ());
  g_autoptr (GBytes) message = NULL;
  FlowModelKind from = FLOW_MODEL_GRAPH_DEF;
  GBytes *changed;
  gboolean is_text;

  g_return_val_if_fail (bytes != NULL && label != NULL, NULL);

  if (kind == FLOW_MODEL_SESSION_BUNDLE)
    kind = FLOW_MODEL_META_GRAPH;
  message = g_bytes_ref (bytes);
  if (!_flow_unpack (&message, label, budget, error))
    return NULL;
  if (_flow_model_is_event_file (message, label) && !take_graph_of_events (&message, label, budget, error))
    return NULL;
  is_text = _flow_sniff_text (message, &from);
  if (!is_text)
    from = _flow_sniff_binary (message);
  if (kind == FLOW_MODEL_EVENT_FILE)
    kind = from;
  if (from == kind && is_text == as_text)
    return g_steal_pointer (&message);

  if (is_text)
    {
      changed = flow_text_to_proto (flow_proto_messages[messages[from]].name, message, label, error);
      if (changed == NULL)
        return NULL;
      g_bytes_unref (message);
      message = changed;
    }
  changed = change_kind (message, from, kind, label, error);
  if (changed == NULL)
    return NULL;
  g_bytes_unref (message);
  message = changed;
  if (as_text)
    return flow_proto_to_text (flow_proto_messages[messages[kind]].name, message, label, error);
  return g_steal_pointer (&message);
}

/**
 * flow_model_order_bytes: (skip)
 * @bytes: a binary GraphDef, MetaGraphDef or SavedModel
 * @label: what to call it in messages
 * @error: return location
 *
 * Puts a model into the official deterministic order: fields by number, maps by key, defaults left out, as
 * the text format read back. Two files that say the same become the same bytes. Fields that no release of
 * TensorFlow has are left out.
 *
 * Returns: (transfer full) (nullable): the model in that order; %NULL as in flow_model_convert_bytes()
 */
GBytes *
flow_model_order_bytes (GBytes      *bytes,
                        const char  *label,
                        GError     **error)
{
  g_autoptr (GBytes) text = NULL;
  const char *message;

  g_return_val_if_fail (bytes != NULL && label != NULL, NULL);

  message = flow_proto_messages[messages[_flow_sniff_binary (bytes)]].name;
  text = flow_proto_to_text (message, bytes, label, error);
  return text != NULL ? flow_text_to_proto (message, text, label, error) : NULL;
}
